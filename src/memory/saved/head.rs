//! What the last norm, the output head and the loss keep and need.

use super::{
    emit::Emit,
    rules::{Rules, Style},
    tensor::{SavedTensor, Split},
};
use crate::{memory::Part, plan::LossKind};

/// Bytes per token that head and loss take, on one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the unit belongs to the name")]
pub(crate) struct HeadSaved {
    /// Kept by the final norm and as the head's input; autocast's copy of the head's weight.
    pub norm_bytes: u64,
    /// Kept by the loss: log-probabilities, labels, logits if the caller keeps them.
    pub loss_bytes: u64,
    /// Alive on top of that when forward ends: logits in 16 bits and their fp32 copy.
    pub forward_bytes: u64,
    /// Alive on top of that when backward starts: gradients of log-probabilities and logits.
    pub backward_bytes: u64,
}

/// Slices of a chunked loss.
///
/// Source: default of torchtune's chunked cross-entropy (8 output chunks).
pub(crate) const LOSS_CHUNKS: u64 = 8;

/// Bytes of one logit in fp32: the log-probability, its gradient, the softmax's gradient.
const FP32_LOGIT_BYTES: u64 = 4;
/// Bytes of one logit in 16 bits.
const HALF_LOGIT_BYTES: u64 = 2;
/// Bytes of a label and its shifted copy.
const LABEL_BYTES: u64 = 8;

/// Bytes for `tokens` tokens.
///
/// ```text
/// full       4·V kept + 8·V when backward starts        [12 bytes a logit]
/// full16     2·V kept + 4·V                             [6 bytes a logit; autocast 4·V + 6·V]
/// kernel     2·V kept, the logits themselves + 2·V, their gradient
/// none       2·V: the logits themselves, at the end of forward
/// chunked    12·V / 8, one slice at a time
/// fused      8·h: the hidden state's gradient and one slice of logits
/// Megatron   (6·V kept + 6·V) / t, vocabulary-parallel
/// ```
///
/// Source: traced storages of torch 2.15; Megatron's from published Transformer Engine runs.
pub(crate) fn head_saved(
    rules: &Rules<'_>,
    tokens: u64,
    loss: LossKind,
    keep_logits: bool,
) -> HeadSaved {
    let arch = rules.arch;
    if !arch.head {
        return HeadSaved::default();
    }
    let mut norm_bytes = 0;
    let mut emit = Emit {
        rules,
        sink: |tensor: SavedTensor| {
            norm_bytes = tensor.bytes_on_rank(tokens, &rules.divisors).saturating_add(norm_bytes);
        },
    };
    let hidden = ("T·h", rules.hidden());
    if arch.final_norm {
        emit.norm(Part::LogitsAndLoss, hidden, (1, rules.numbers.residual_bytes), Split::Sequence);
    }
    if rules.base_trains {
        let split = if rules.style == Style::Fused { Split::Sequence } else { Split::Whole };
        emit.row("saved-head-input", Part::LogitsAndLoss, hidden, rules.numbers.act_bytes, split);
    }
    if rules.numbers.autocast {
        let vocab = u64::from(arch.vocab).div_ceil(rules.divisors.tensor.max(1));
        norm_bytes = norm_bytes.saturating_add(2 * rules.hidden() * vocab);
    }
    let vocab = u64::from(arch.vocab).div_ceil(rules.logit_ways.max(1));
    let logits = |bytes: u64| tokens.saturating_mul(vocab).saturating_mul(bytes);
    let softcap = if arch.final_softcap { logits(HALF_LOGIT_BYTES) } else { 0 };
    let (kept, backward) = match loss {
        LossKind::Full if rules.style == Style::Fused && rules.divisors.tensor > 1 => (
            logits(FP32_LOGIT_BYTES + HALF_LOGIT_BYTES),
            logits(FP32_LOGIT_BYTES + HALF_LOGIT_BYTES),
        ),
        LossKind::Full => (logits(FP32_LOGIT_BYTES), logits(2 * FP32_LOGIT_BYTES)),
        // autocast computes the softmax in fp32; only the gradient of the logits has 16 bits again.
        LossKind::Full16 if rules.numbers.autocast => {
            (logits(FP32_LOGIT_BYTES), logits(FP32_LOGIT_BYTES + HALF_LOGIT_BYTES))
        }
        LossKind::Full16 => (logits(HALF_LOGIT_BYTES), logits(2 * HALF_LOGIT_BYTES)),
        LossKind::Kernel => (logits(HALF_LOGIT_BYTES), logits(HALF_LOGIT_BYTES)),
        LossKind::Chunked => (0, logits(3 * FP32_LOGIT_BYTES) / LOSS_CHUNKS),
        LossKind::None => (0, logits(HALF_LOGIT_BYTES)),
        LossKind::Fused => (0, tokens.saturating_mul(8 * rules.hidden())),
    };
    let (forward_bytes, backward) = match loss {
        LossKind::Full if rules.gathers_logits => {
            // The Hugging Face loss takes the fp32 logits together, and their gradient.
            let whole = tokens.saturating_mul(u64::from(arch.vocab) * 2 * FP32_LOGIT_BYTES);
            (whole.saturating_add(logits(HALF_LOGIT_BYTES)), whole)
        }
        _ => (forward_logits(rules, loss, logits), backward),
    };
    let logits_kept_apart = keep_logits && loss != LossKind::Kernel;
    HeadSaved {
        norm_bytes,
        forward_bytes,
        loss_bytes: kept
            .saturating_add(softcap)
            .saturating_add(if logits_kept_apart { logits(HALF_LOGIT_BYTES) } else { 0 })
            .saturating_add(tokens.saturating_mul(LABEL_BYTES)),
        backward_bytes: backward.saturating_sub(if kept > 0 {
            tokens.saturating_mul(LABEL_BYTES)
        } else {
            0
        }),
    }
}

/// Logits that only forward needs.
///
/// ```text
/// full, composed   2·V (16-bit logits) + 4·V (their fp32 copy)
/// other            2·V
/// ```
fn forward_logits(rules: &Rules<'_>, loss: LossKind, logits: impl Fn(u64) -> u64) -> u64 {
    match loss {
        LossKind::Full if rules.style == Style::Composed && rules.numbers.act_bytes == 2 => {
            logits(HALF_LOGIT_BYTES + FP32_LOGIT_BYTES)
        }
        LossKind::Full if rules.style == Style::Composed => logits(FP32_LOGIT_BYTES),
        LossKind::Full | LossKind::Full16 => logits(HALF_LOGIT_BYTES),
        LossKind::None | LossKind::Chunked | LossKind::Fused | LossKind::Kernel => 0,
    }
}

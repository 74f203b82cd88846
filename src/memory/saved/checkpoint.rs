//! What a block keeps when parts of it are recomputed.

use super::{
    layer::for_each_saved,
    rules::{Rules, Style},
    tensor::{SavedTensor, Split},
};
use crate::{
    memory::{Part, params::LayerKind},
    plan::{AttentionKernel, CheckpointPolicy},
};

/// Visits every tensor that one block keeps under a policy (of a block that the policy applies to).
///
/// ```text
/// full                          2·h
/// attention kept                2·h + 2·A + 4·a
/// attention, every other matmul 4·h + 4·A + 2·K + 4·a + 2·f
/// attention, all matmuls        6·h + 4·A + 4·K + 4·a + 4·f
/// core attention recomputed     everything but scores and statistics
/// ```
///
/// A compiled block keeps 2·h less of the matmul policies.
///
/// Source: traced storages of torch 2.15's selective checkpoint policies, bf16 (autocast: h twice as wide).
pub(crate) fn for_each_kept(
    rules: &Rules<'_>,
    kind: LayerKind,
    policy: CheckpointPolicy,
    mut sink: impl FnMut(SavedTensor),
) {
    match policy {
        CheckpointPolicy::None => for_each_saved(rules, kind, sink),
        CheckpointPolicy::CoreAttention => for_each_saved(rules, kind, |tensor| {
            if !is_core_only(rules, &tensor) {
                sink(tensor);
            }
        }),
        CheckpointPolicy::Modules => for_each_saved(rules, kind, |tensor| {
            if !is_recomputed(rules, &tensor, kind) {
                sink(tensor);
            }
        }),
        CheckpointPolicy::Full | CheckpointPolicy::EveryNth => sink(block_input(rules)),
        CheckpointPolicy::SelectiveAttention => selective(rules, kind, [0, 0, 0, 0], sink),
        CheckpointPolicy::SelectiveAlternateMatmul => selective(rules, kind, [1, 1, 1, 1], sink),
        CheckpointPolicy::SelectiveMatmul => selective(rules, kind, [2, 1, 2, 2], sink),
    }
}

/// Input of the block: the one tensor that recomputation starts from.
fn block_input(rules: &Rules<'_>) -> SavedTensor {
    SavedTensor {
        name: "saved-block-input",
        part: Part::Checkpoints,
        shape: "T·h",
        width: rules.hidden(),
        bytes: rules.numbers.residual_bytes,
        copies: 1,
        split: Split::Sequence,
    }
}

/// Input, attention output, and so many outputs of matrix products of width h, A, K, f.
fn selective(
    rules: &Rules<'_>,
    kind: LayerKind,
    [hidden, query, key, ffn]: [u64; 4],
    mut sink: impl FnMut(SavedTensor),
) {
    let arch = rules.arch;
    let act = rules.numbers.act_bytes;
    let split = Split::Tensor;
    let ffn = if arch.gated_mlp { ffn } else { ffn.min(1) };
    // The down projection's output is only added to the residual stream: a compiler sees that backward
    // needs none of it, where the policy keeps what it is told.
    let hidden = if rules.style == Style::Fused { hidden.saturating_sub(1) } else { hidden };
    let row = |name, part, (shape, width), bytes, copies| SavedTensor {
        name,
        part,
        shape,
        width,
        bytes,
        copies,
        split,
    };
    sink(block_input(rules));
    let attention = Part::AttentionActivations;
    let query_shape = ("T·A", arch.query_width());
    sink(row("saved-attention-output", attention, query_shape, act, 1));
    sink(row("saved-log-sum-exp", attention, ("T·a", u64::from(arch.heads)), 4, 1));
    let matmuls = [
        SavedTensor {
            split: Split::Whole,
            ..row(
                "saved-matmul-outputs",
                Part::MlpActivations,
                ("T·h", rules.hidden()),
                act,
                hidden,
            )
        },
        row("saved-queries", attention, query_shape, act, query),
        row("saved-keys-or-values", attention, ("T·K", arch.kv_width()), act, key),
        row(
            "saved-gate-or-up",
            Part::MlpActivations,
            ("T·f", arch.mlp_width(kind == LayerKind::Moe)),
            act,
            ffn,
        ),
    ];
    for tensor in matmuls {
        if tensor.copies > 0 {
            sink(tensor);
        }
    }
}

/// Whether a tensor comes back from a module that the plan's list names.
fn is_recomputed(rules: &Rules<'_>, tensor: &SavedTensor, kind: LayerKind) -> bool {
    let modules = &rules.recomputed;
    match tensor.part {
        Part::AttentionActivations => modules.core_attention && is_core_only(rules, tensor),
        Part::NormActivations => modules.norms && tensor.name != "saved-norm-statistics",
        Part::MlpActivations if kind == LayerKind::Dense => modules.mlp,
        Part::MlpActivations => modules.expert_activation && tensor.name == "saved-activated-gate",
        _ => false,
    }
}

/// Whether a tensor lives only inside the core of attention.
fn is_core_only(rules: &Rules<'_>, tensor: &SavedTensor) -> bool {
    let scores = tensor.shape == "T·a·s" || tensor.name == "saved-log-sum-exp";
    tensor.part == Part::AttentionActivations && scores && rules.attention != AttentionKernel::Math
        || tensor.part == Part::AttentionActivations && tensor.shape == "T·a·s"
}

//! The table of one transformer block: attention, feed-forward block, norms, experts.

use super::{
    emit::{CoreWidths, Emit},
    rules::{Linear, Rules, Style},
    tensor::{SavedTensor, Split},
};
use crate::{
    catalogue::{Activation, Mla, Moe, NormPlacement, Positions, QkNorm},
    memory::{Part, params::LayerKind},
    plan::AttentionKernel,
};

/// Visits every tensor that one block keeps for backward without recomputation.
pub(crate) fn for_each_saved(rules: &Rules<'_>, kind: LayerKind, sink: impl FnMut(SavedTensor)) {
    let mut emit = Emit { rules, sink };
    block_norms(&mut emit);
    match rules.arch.mla {
        Some(mla) => latent_attention(mla, &mut emit),
        None => attention(&mut emit),
    }
    match (kind, rules.arch.moe) {
        (LayerKind::Moe, Some(moe)) => experts(moe, &mut emit),
        _ => feed_forward(&mut emit),
    }
    if rules.dropout {
        let part = Part::NormActivations;
        let hidden = ("2·T·h", 2 * rules.hidden());
        emit.row("saved-residual-dropout", part, hidden, 1, Split::Sequence);
    }
}

/// Norms of the block; what reads their outputs keeps those.
fn block_norms<F: FnMut(SavedTensor)>(emit: &mut Emit<'_, '_, F>) {
    let hidden = ("T·h", emit.rules.hidden());
    let norms = match emit.rules.arch.norm_placement {
        NormPlacement::Pre | NormPlacement::Post | NormPlacement::ParallelSeparate => 2,
        NormPlacement::Sandwich => 4,
        NormPlacement::ParallelShared => 1,
    };
    let residual = emit.rules.numbers.residual_bytes;
    for _ in 0..norms {
        emit.norm(Part::NormActivations, hidden, (1, residual), Split::Sequence);
    }
}

/// How the inputs of column-parallel linears are divided: Megatron keeps the shard and gathers it
/// again in backward, `DTensor` keeps the gathered tensor.
fn column_input_split(rules: &Rules<'_>) -> Split {
    if rules.style == Style::Fused { Split::Sequence } else { Split::Whole }
}

fn attention<F: FnMut(SavedTensor)>(emit: &mut Emit<'_, '_, F>) {
    let rules = emit.rules;
    let arch = rules.arch;
    let part = Part::AttentionActivations;
    let (query, key) = (arch.query_width(), arch.kv_width());
    let readers: &[Linear] = if arch.fused_qkv || rules.style == Style::Fused {
        &[Linear::Qkv]
    } else {
        &[Linear::Query, Linear::Key, Linear::Value]
    };
    let input = ("T·h", rules.hidden());
    emit.inputs(readers, part, input, (false, true), column_input_split(rules));
    let act = rules.numbers.act_bytes;
    match arch.qk_norm {
        QkNorm::None => {}
        QkNorm::PerHead => {
            emit.norm(part, ("T·A", query), (u64::from(arch.heads), act), Split::Tensor);
            emit.norm(part, ("T·K", key), (u64::from(arch.kv_heads), act), Split::Tensor);
        }
        QkNorm::AllHeads => {
            emit.norm(part, ("T·A", query), (1, act), Split::Tensor);
            emit.norm(part, ("T·K", key), (1, act), Split::Tensor);
        }
    }
    emit.attention_core(CoreWidths { query, key, value: key, out: query });
    let rotary = arch.positions == Positions::Rotary;
    let view_of_values = rules.attention == AttentionKernel::Flash && !rules.padded_mask;
    if arch.fused_qkv && rotary && view_of_values && rules.style == Style::Composed {
        // The values are a view of the fused product, which stays whole, though queries and keys have turned.
        let turned = ("T·(A + K)", query + key);
        emit.row("saved-fused-projection", part, turned, act, Split::Tensor);
    }
    let kept = rules.attention == AttentionKernel::Flash;
    emit.inputs(&[Linear::Out], part, ("T·A", query), (kept, false), Split::Tensor);
}

/// DeepSeek's attention: compressed queries and keys, each behind a norm of its own.
///
/// ```text
/// 8·q_l + 4 + 8·kv_l + 4 + 4·a·(d_n + d_r) + 2·a·(d_n + d_v) + 2·a·d_v + 4·a      [bf16, flash]
/// ```
fn latent_attention<F: FnMut(SavedTensor)>(mla: Mla, emit: &mut Emit<'_, '_, F>) {
    let rules = emit.rules;
    let part = Part::AttentionActivations;
    let heads = u64::from(rules.arch.heads);
    let (nope, rope, value) =
        (u64::from(mla.qk_nope_dim), u64::from(mla.qk_rope_dim), u64::from(mla.v_dim));
    let input = ("T·h", rules.hidden());
    let readers: &[Linear] = &[Linear::Query, Linear::Key];
    emit.inputs(readers, part, input, (false, true), column_input_split(rules));
    if let Some(rank) = mla.q_lora_rank {
        latent(("T·q_l", u64::from(rank)), Linear::Query, emit);
    }
    latent(("T·kv_l", u64::from(mla.kv_lora_rank)), Linear::Value, emit);
    emit.attention_core(CoreWidths {
        query: heads * (nope + rope),
        key: heads * (nope + rope),
        value: heads * (nope + value),
        out: heads * value,
    });
    let kept = rules.attention == AttentionKernel::Flash;
    emit.inputs(&[Linear::Out], part, ("T·a·d_v", heads * value), (kept, false), Split::Tensor);
}

/// A latent, its norm, and its normalised form as the input of the up-projection.
fn latent<F: FnMut(SavedTensor)>(
    shape: (&'static str, u64),
    reader: Linear,
    emit: &mut Emit<'_, '_, F>,
) {
    let part = Part::AttentionActivations;
    let act = emit.rules.numbers.act_bytes;
    emit.norm(part, shape, (1, act), Split::Whole);
    emit.inputs(&[reader], part, shape, (false, false), Split::Whole);
}

fn feed_forward<F: FnMut(SavedTensor)>(emit: &mut Emit<'_, '_, F>) {
    let rules = emit.rules;
    let fused = rules.arch.fused_gate_up || rules.style == Style::Fused;
    let readers: &[Linear] = match (rules.arch.gated_mlp, fused) {
        (true, false) => &[Linear::Gate, Linear::Up],
        (true, true) => &[Linear::GateUp],
        (false, _) => &[Linear::Up],
    };
    let shared = rules.arch.norm_placement == NormPlacement::ParallelShared;
    let input = ("T·h", rules.hidden());
    let split = column_input_split(rules);
    emit.inputs(readers, Part::MlpActivations, input, (shared, true), split);
    mlp_inner(("T·f", u64::from(rules.arch.ffn)), Split::Tensor, emit);
}

/// Inside a feed-forward block of a width.
///
/// ```text
/// gated, composed   gate + activation + up (+ product, if the down projection trains)
/// gated, fused      gate + up (+ product)
/// plain             input of the activation (+ output)
/// gelu_new          four more tensors, fp32 under autocast
/// relu              only its output
/// ```
fn mlp_inner<F: FnMut(SavedTensor)>(
    shape: (&'static str, u64),
    split: Split,
    emit: &mut Emit<'_, '_, F>,
) {
    let rules = emit.rules;
    let part = Part::MlpActivations;
    let act = rules.numbers.act_bytes;
    let mut row = |name, bytes| emit.row(name, part, shape, bytes, split);
    if rules.arch.gated_mlp {
        row("saved-gate", act);
        row("saved-up", act);
        if rules.style == Style::Composed {
            row("saved-activated-gate", act);
        }
    } else {
        match (rules.arch.activation, rules.style) {
            (Activation::GeluNew, Style::Composed) => {
                row("saved-before-activation", act);
                let inner = if rules.numbers.autocast { 4 } else { act };
                row("saved-cubed", inner);
                row("saved-tanh", inner);
                row("saved-one-plus-tanh", inner);
            }
            (Activation::Relu, Style::Composed) => {}
            _ => row("saved-before-activation", act),
        }
    }
    emit.inputs(&[Linear::Down], part, shape, (false, false), split);
}

/// A mixture of experts with grouped matrix products; `k` experts a token.
///
/// ```text
/// k·(4·h + 8·f_m + 40) + 4·E + 4      [bf16, composed]
/// ```
///
/// Source: traced storages of transformers 5.24 (Mixtral); DeepSeek's shared experts add 8·f each.
fn experts<F: FnMut(SavedTensor)>(moe: Moe, emit: &mut Emit<'_, '_, F>) {
    let rules = emit.rules;
    let part = Part::MlpActivations;
    let (topk, act) = (u64::from(moe.topk), rules.numbers.act_bytes);
    let input = ("T·h", rules.hidden());
    emit.inputs(&[Linear::GateUp], part, input, (false, true), column_input_split(rules));
    emit.row("saved-router", part, ("T·(E + 1)", u64::from(moe.experts) + 1), 4, Split::Sequence);
    emit.row("saved-routing", part, ("T·k", topk), ROUTING_BYTES, Split::Sequence);
    // The experts' group takes the shards of its ranks together: one of `t` each, `ETP` of them.
    let gathered = ("T·k·h·ETP", topk * rules.hidden() * rules.divisors.expert);
    emit.row("saved-expert-tokens", part, gathered, act, Split::Tensor);
    emit.row("saved-expert-outputs", part, gathered, act, Split::Tensor);
    mlp_inner(("T·k·f_m", topk * u64::from(moe.expert_ffn)), Split::Tensor, emit);
    if moe.shared_ffn > 0 {
        if rules.style == Style::Composed {
            // The shared experts' output and the routed sum it is added to.
            let sums = ("2·T·h", 2 * rules.hidden());
            emit.row("saved-shared-sum", part, sums, act, Split::Sequence);
        }
        mlp_inner(("T·f_s", u64::from(moe.shared_ffn)), Split::Tensor, emit);
    }
}

/// Bytes of indices, counts and weights that routing keeps per token and chosen expert.
///
/// Source: traced storages of transformers 5.24, Mixtral (Qwen3-MoE keeps 38).
const ROUTING_BYTES: u64 = 40;

//! FLOPs that a model needs, the yardstick of utilisation: independent of how the step is run.

use super::{formats, operations::Bench, recompute, shapes};
use crate::{
    catalogue::{Architecture, Moe},
    units::Flops,
};

/// FLOPs of one step on all GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ModelFlops {
    /// Forward and backward.
    pub model: Flops,
    /// Of these, attention's scores and weighted values.
    pub attention: Flops,
    /// Weight gradients that frozen weights would have: not among the above.
    pub frozen: Flops,
    /// Of forward passes run again, counted in the same way.
    pub recomputed: Flops,
    /// Active weights of blocks and head, `P`.
    pub weights: f64,
    /// Adapter weights, `P_r`.
    pub adapters: f64,
    /// Mean of query and value width, `A`.
    pub attention_width: f64,
    /// Key positions that a token is counted with, `s`.
    pub positions: f64,
}

/// Adapter weights of one block.
///
/// ```text
/// P = r·(Σ inputs + Σ outputs)
/// ```
pub(super) fn adapter_weights(bench: &Bench<'_>, moe: Option<&Moe>) -> f64 {
    let (inputs, outputs) = bench.adapter_widths(moe);
    f64::from(bench.plan.plan.workload.lora.rank) * (inputs + outputs)
}

/// Key positions that a token is counted with: the causal mask is not subtracted.
fn counted_pairs(arch: &Architecture, sequence: f64) -> f64 {
    let Some(window) = arch.window else {
        return sequence;
    };
    let share = f64::from(arch.sliding_layers()) / f64::from(arch.layers.max(1));
    sequence + share * (f64::from(window.size).min(sequence) - sequence)
}

/// Model FLOPs of a step.
///
/// ```text
/// F = tokens·(6·P + 12·L·A·s)        P active weights of blocks and head, without the embedding
/// ```
///
/// Frozen weights count 4 for 6 (no weight gradient), adapters 6. Attention is counted in full, without
/// halving for the causal mask, and within the window of sliding blocks.
///
/// Source: Chowdhery et al. 2022, arXiv:2204.02311, appendix B.
pub(super) fn of_step(bench: &Bench<'_>) -> ModelFlops {
    let plan = bench.plan;
    let arch = plan.arch;
    let sequence = f64::from(plan.plan.workload.sequence.max(1));
    let tokens = plan.layout.global_tokens as f64;
    let blocks = bench.weights.active_blocks(arch);
    let weights = blocks + bench.weights.head;
    let adapters = f64::from(arch.dense_layers()) * adapter_weights(bench, None)
        + f64::from(arch.moe_layers()) * adapter_weights(bench, arch.moe.as_ref());
    let widths = arch.query_width() as f64 + shapes::value_width(arch);
    let positions = counted_pairs(arch, sequence);
    let attention_forward = 2.0 * f64::from(arch.layers) * widths * positions;
    let per_weight = if formats::is_frozen(plan) { 4.0 } else { 6.0 };
    let again = recompute::shares(&plan.plan.checkpointing);
    let recomputed = 2.0 * (blocks + adapters) * again.matmul + attention_forward * again.attention;
    ModelFlops {
        model: Flops(tokens * (per_weight * weights + 6.0 * adapters + 3.0 * attention_forward)),
        attention: Flops(tokens * 3.0 * attention_forward),
        frozen: Flops(tokens * (6.0 - per_weight) * weights),
        recomputed: Flops(tokens * recomputed),
        weights,
        adapters,
        attention_width: widths / 2.0,
        positions,
    }
}

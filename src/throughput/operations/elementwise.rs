//! Operations that only move bytes: norms, activation, residual, rotary embedding; permutation; casts.

use super::{Bench, Pass, products};
use crate::{
    catalogue::{Activation, Architecture, Dtype, Moe, Norm, NormPlacement, Positions, QkNorm},
    plan::{MixedPrecision, Profile},
    throughput::{
        fractions::{CAST_BYTES_FUSED, PERMUTED_BYTES},
        roofline::Cost,
    },
};

/// Kernels of a block's elementwise operations, written out and fused.
const KERNELS_EAGER: f64 = 18.0;
/// The same, fused.
const KERNELS_FUSED: f64 = 6.0;

/// Forward pass of one block's elementwise operations, per token and in bytes of 16-bit elements:
///
/// ```text
///                     written out      fused
/// RMSNorm             22·h each        4·h          (fp32 copy, square, mean, scale, cast)
/// LayerNorm            4·h              4·h
/// residual             6·h each        4·h          (fused with the norm)
/// rotary              16·(A + K)       4·(A + K)
/// SwiGLU              10·f             6·f          gelu_new 24·f; other 4·f
/// ```
pub(super) fn block(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> Cost {
    let arch = bench.plan.arch;
    let hidden = f64::from(arch.hidden);
    let stream =
        (norm_bytes(arch, bench.fused) + residual_bytes(bench)) * hidden / bench.sequence_split();
    let heads = head_bytes(arch, bench.fused) * (arch.query_width() + arch.kv_width()) as f64;
    let width = moe.map_or(f64::from(arch.ffn), |moe| {
        f64::from(moe.topk) * f64::from(moe.expert_ffn) + f64::from(moe.shared_ffn)
    });
    let split = (heads + activation_bytes(arch, bench.fused) * width) / bench.tensor;
    let bytes = pass.tokens * (stream + split) * bench.element_bytes / 2.0;
    let kernels = if bench.fused { KERNELS_FUSED } else { KERNELS_EAGER };
    bench.machine.streaming(bytes + adapter_bytes(bench, pass, moe), kernels)
}

/// Tokens sorted to their experts, weighted and brought back; its kernels count with the others.
///
/// ```text
/// B = 20·k·h·T/t        in 16-bit elements
/// ```
pub(super) fn permutation(bench: &Bench<'_>, pass: &Pass, moe: &Moe) -> Cost {
    let hidden = f64::from(bench.plan.arch.hidden);
    let per_token = PERMUTED_BYTES * f64::from(moe.topk) * hidden / bench.tensor;
    bench.machine.streaming(pass.tokens * per_token * bench.element_bytes / 2.0, 0.0)
}

/// Weights and inputs brought to the format of the products; its kernels count with the others.
pub(super) fn casts(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> Cost {
    bench.machine.streaming(cast_bytes(bench, pass, moe), 0.0)
}

/// Bytes a token and hidden element of all norms of a block.
fn norm_bytes(arch: &Architecture, fused: bool) -> f64 {
    let count = match arch.norm_placement {
        NormPlacement::ParallelShared => 1.0,
        NormPlacement::Pre | NormPlacement::Post | NormPlacement::ParallelSeparate => 2.0,
        NormPlacement::Sandwich => 4.0,
    };
    count * one_norm_bytes(arch, fused)
}

fn one_norm_bytes(arch: &Architecture, fused: bool) -> f64 {
    if arch.norm == Norm::RmsNorm && !fused { 22.0 } else { 4.0 }
}

/// Bytes a token and hidden element of both residual additions and of dropout on the stream.
fn residual_bytes(bench: &Bench<'_>) -> f64 {
    let addition = if bench.fused { 4.0 } else { 6.0 };
    let training = bench.plan.plan.workload.task == crate::plan::Task::Training;
    let active = training && bench.plan.plan.framework.dropout && bench.plan.arch.dropout > 0.0;
    let dropout = if active { 5.0 } else { 0.0 };
    2.0 * (addition + dropout)
}

/// Bytes a token and element of queries and keys: rotary embedding and norms on heads.
fn head_bytes(arch: &Architecture, fused: bool) -> f64 {
    let rotary = match (arch.positions, fused) {
        (Positions::Rotary, true) => 4.0,
        (Positions::Rotary, false) => 16.0,
        _ => 0.0,
    };
    let norm = if arch.qk_norm == QkNorm::None { 0.0 } else { one_norm_bytes(arch, fused) };
    rotary + norm
}

/// Bytes a token and element of the feed-forward width.
fn activation_bytes(arch: &Architecture, fused: bool) -> f64 {
    match (arch.gated_mlp, arch.activation, fused) {
        (true, _, true) => 6.0,
        (true, _, false) => 10.0,
        (false, Activation::GeluNew, false) => 24.0,
        (false, _, _) => 4.0,
    }
}

/// Traffic around adapters: inputs cast, outputs scaled and added.
///
/// ```text
/// fp32 adapters   T·(6·Σ inputs + 16·Σ outputs)/t        16 bits   T·10·Σ outputs/t
/// ```
fn adapter_bytes(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> f64 {
    let (inputs, outputs) = products::adapter_widths(bench, moe);
    let wide = bench.plan.plan.workload.lora.dtype == Dtype::Fp32;
    let per_token = if wide { 6.0 * inputs + 16.0 * outputs } else { 10.0 * outputs };
    pass.tokens * per_token / bench.tensor
}

/// Traffic of number formats: weights cast by autocast, or quantised to 8 or 4 bits for the product.
///
/// ```text
/// autocast    P·(4 + 2)        narrow products   P·(2 + 1) + T·5·inputs
/// ```
///
/// Narrow inputs are read twice (largest value, then cast) and written once.
fn cast_bytes(bench: &Bench<'_>, pass: &Pass, moe: Option<&Moe>) -> f64 {
    let precision = &bench.plan.plan.precision;
    let arch = bench.plan.arch;
    if bench.plan.plan.workload.task == crate::plan::Task::Inference {
        return 0.0;
    }
    let weights = bench.local_block_weights(moe);
    if precision.compute_dtype.bits() < 16 {
        let topk = moe.map_or(1.0, |moe| f64::from(moe.topk));
        let width = moe.map_or(f64::from(arch.ffn), |moe| topk * f64::from(moe.expert_ffn));
        let inputs = f64::from(arch.hidden) * (1.0 + topk)
            + (arch.query_width() as f64 + width) / bench.tensor;
        let (times, input) = if bench.plan.plan.framework.profile == Profile::Megatron {
            (bench.plan.layout.micro_batches.max(1) as f64, CAST_BYTES_FUSED)
        } else {
            (1.0, 5.0)
        };
        weights * 3.0 / times + pass.tokens * input * inputs
    } else if precision.mixed == MixedPrecision::Autocast {
        weights * 6.0
    } else {
        0.0
    }
}

//! The attention core: scores, softmax, weighted values.

use super::{Bench, Pass};
use crate::{
    catalogue::Architecture,
    plan::{AttentionKernel, CacheAllocation, Profile, Task},
    throughput::{roofline::Cost, shapes},
};

/// Bytes that unfused attention moves for every score: written, masked, softmax in fp32, cast, read.
const UNFUSED_BYTES_A_SCORE: f64 = 28.0;
/// The same with a fused mask and softmax: written, softmax, dropout, read.
const FUSED_SOFTMAX_BYTES_A_SCORE: f64 = 13.0;

/// Key positions that a token sees on average.
///
/// ```text
/// everything   s/2          window w < s   w − w²/(2·s)        encoder   s
/// ```
///
/// The mean over sliding and other blocks.
pub(in crate::throughput) fn mean_pairs(arch: &Architecture, sequence: f64) -> f64 {
    if !arch.head {
        return sequence;
    }
    let full = sequence / 2.0;
    let Some(window) = arch.window else {
        return full;
    };
    let size = f64::from(window.size).min(sequence);
    let sliding = size - size * size / (2.0 * sequence);
    let share = f64::from(arch.sliding_layers()) / f64::from(arch.layers.max(1));
    full + share * (sliding - full)
}

/// Forward pass of one block's attention core.
///
/// ```text
/// F = 2·T·pairs·(A + a·d_v)/t
/// ```
///
/// Fused kernels skip what the causal mask hides, unfused ones compute the whole square.
pub(super) fn core(bench: &Bench<'_>, pass: &Pass) -> Cost {
    if pass.cached > 0.0 {
        return cached(bench, pass);
    }
    let arch = bench.plan.arch;
    let widths = arch.query_width() as f64 + shapes::value_width(arch);
    let io = pass.tokens * (2.0 * widths + 2.0 * arch.kv_width() as f64) / bench.tensor
        * bench.element_bytes;
    if bench.plan.plan.framework.attention == AttentionKernel::Flash {
        let flops = 2.0 * pass.tokens * pass.pairs * widths / bench.tensor;
        return bench.machine.cost(flops, bench.machine.attention_flops_per_sec, io, 1.0);
    }
    let plan = bench.plan.plan;
    let sequence = pass.sequence;
    let lean =
        plan.workload.task == Task::Inference && plan.framework.profile != Profile::HuggingFace;
    let per_score =
        if bench.fused || lean { FUSED_SOFTMAX_BYTES_A_SCORE } else { UNFUSED_BYTES_A_SCORE };
    let scores = pass.tokens * sequence * f64::from(arch.heads) / bench.tensor;
    let flops = 2.0 * pass.tokens * sequence * widths / bench.tensor;
    let products = bench.machine.cost(flops, bench.machine.wide_flops_per_sec, io, 2.0);
    let traffic = scores * per_score * bench.element_bytes / 2.0;
    products + bench.machine.streaming(traffic, 4.0)
}

/// Bytes of the cache that one token of one block holds on one rank.
///
/// ```text
/// 2·K·β/min(t, g)        latent attention: (r + d_r)·β, not divided
/// ```
pub(in crate::throughput) fn cache_bytes(bench: &Bench<'_>) -> f64 {
    let arch = bench.plan.arch;
    let element = bench.plan.plan.precision.kv_dtype.bits() as f64 / 8.0;
    if let Some(mla) = arch.mla {
        return f64::from(mla.kv_lora_rank + mla.qk_rope_dim) * element;
    }
    let split = bench.tensor.min(f64::from(arch.kv_heads.max(1)));
    2.0 * arch.kv_width() as f64 * element / split
}

/// How often the cache is read: Hugging Face's code expands a static one to all query heads.
fn copies_read(bench: &Bench<'_>) -> f64 {
    let (plan, arch) = (bench.plan.plan, bench.plan.arch);
    let expands = plan.framework.profile == Profile::HuggingFace
        && plan.workload.cache == CacheAllocation::Static
        && arch.mla.is_none();
    if expands { f64::from(arch.heads.max(1)) / f64::from(arch.kv_heads.max(1)) } else { 1.0 }
}

/// One token of every sequence attends to the cache.
///
/// ```text
/// F = 2·q·C·(A + a·d_v)/t        B = q·C·cache bytes
/// ```
fn cached(bench: &Bench<'_>, pass: &Pass) -> Cost {
    let arch = bench.plan.arch;
    let widths = match arch.mla {
        Some(mla) => f64::from(arch.heads) * f64::from(2 * mla.kv_lora_rank + mla.qk_rope_dim),
        None => arch.query_width() as f64 * 2.0,
    };
    let flops = 2.0 * pass.tokens * pass.cached * widths / bench.tensor;
    let bytes = pass.tokens * pass.cached * cache_bytes(bench);
    let rate = bench.machine.attention_flops_per_sec;
    Cost { bytes, ..bench.machine.cost(flops, rate, bytes * copies_read(bench), 1.0) }
}

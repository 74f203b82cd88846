//! What the host takes: launching kernels, and copies of offloaded activations.

use super::{
    fractions::{
        HOST_ADAPTER_FACTOR, HOST_BLOCK_SECS_HUGGING_FACE, HOST_BLOCK_SECS_LEAN,
        HOST_COMPILED_SHARE,
    },
    links,
    operations::Bench,
};
use crate::plan::{CheckpointPolicy, Method, Profile, Resolved, Task};

/// Seconds the host needs to launch one pass of one block in training.
///
/// The device waits for the host where its own work is shorter: `max(device, host)`.
pub(super) fn block_secs(plan: &Resolved<'_>) -> f64 {
    let framework = &plan.plan.framework;
    let workload = &plan.plan.workload;
    let base = if framework.profile == Profile::HuggingFace {
        HOST_BLOCK_SECS_HUGGING_FACE
    } else {
        HOST_BLOCK_SECS_LEAN
    };
    let adapters = if workload.task == Task::Training && workload.method != Method::Full {
        HOST_ADAPTER_FACTOR
    } else {
        1.0
    };
    let compiled = if framework.compile { HOST_COMPILED_SHARE } else { 1.0 };
    base * adapters * compiled
}

/// Seconds the host needs to launch one block's decode step: nothing with captured graphs.
///
/// Plans with captured graphs, compiled ones, and every profile but Hugging Face's count as captured.
pub(super) fn decode_block_secs(plan: &Resolved<'_>) -> f64 {
    let framework = &plan.plan.framework;
    if framework.compile || framework.cuda_graphs || framework.profile != Profile::HuggingFace {
        0.0
    } else {
        HOST_BLOCK_SECS_HUGGING_FACE
    }
}

/// Seconds in which a step's block inputs go to host memory and come back.
///
/// ```text
/// 2·T·h·2·L·m/W_pcie        divided by t with sequence parallelism
/// ```
pub(super) fn activation_secs(bench: &Bench<'_>, blocks: f64) -> f64 {
    let plan = bench.plan.plan;
    if !plan.checkpointing.offload || plan.checkpointing.policy == CheckpointPolicy::None {
        return 0.0;
    }
    let split = if plan.parallelism.sequence_parallel { bench.tensor } else { 1.0 };
    let layout = &bench.plan.layout;
    let bytes = layout.tokens as f64 * f64::from(bench.plan.arch.hidden) * bench.element_bytes
        / split
        * blocks
        * layout.micro_batches as f64;
    2.0 * bytes / links::host_bytes_per_sec(bench.plan.gpu)
}

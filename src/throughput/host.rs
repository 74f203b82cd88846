//! What the host takes: launching kernels, and copies of offloaded activations.

use super::{
    fractions::{
        ENGINE_STEP_SECS, HOST_ADAPTER_FACTOR, HOST_BLOCK_SECS_HUGGING_FACE, HOST_BLOCK_SECS_LEAN,
        HOST_BLOCK_SECS_MEGATRON, HOST_COLLECTIVE_SECS, HOST_COMPILED_SHARE,
        HOST_GROUP_UNPACKING_SECS, HOST_NEWER_SHARE, HOST_UNPACKING_SECS, HOST_ZERO3_SECS,
    },
    links,
    operations::Bench,
};
use crate::plan::{
    CacheAllocation, CheckpointPolicy, Method, Profile, Resolved, Sharding, Task, WeightFormat,
};

/// First generation of PCI Express of the processors that came with it.
const NEWER_PCIE: u32 = 5;

/// How long this machine's processor takes, of one beside a card of PCI Express 4 or older.
fn processor_share(plan: &Resolved<'_>) -> f64 {
    if plan.gpu.pcie_gen.unwrap_or(0) >= NEWER_PCIE { HOST_NEWER_SHARE } else { 1.0 }
}

/// Seconds that unpacking weights takes the host more, by several kernels a product, in each block.
fn unpacking_secs(plan: &Resolved<'_>) -> f64 {
    let workload = &plan.plan.workload;
    if workload.task == Task::Training && workload.method != Method::Qlora {
        return 0.0;
    }
    match plan.plan.precision.weight_format {
        WeightFormat::Nf4 | WeightFormat::Nf4Double | WeightFormat::Int8 | WeightFormat::Fp8 => {
            HOST_UNPACKING_SECS
        }
        WeightFormat::Int8Group128 => HOST_GROUP_UNPACKING_SECS,
        _ => 0.0,
    }
}

/// Seconds the host needs to launch one pass of one block in training.
///
/// The device waits for the host where its own work is shorter: `max(device, host)`.
///
/// ```text
/// (base + ZeRO-3's hooks) · adapters + 2 collectives with tensor parallelism + unpacking
/// ```
pub(super) fn block_secs(plan: &Resolved<'_>) -> f64 {
    let framework = &plan.plan.framework;
    if framework.cuda_graphs {
        return 0.0;
    }
    let base = match framework.profile {
        Profile::HuggingFace | Profile::DeepSpeed => HOST_BLOCK_SECS_HUGGING_FACE,
        Profile::Megatron => HOST_BLOCK_SECS_MEGATRON,
        Profile::Fsdp2 => HOST_BLOCK_SECS_LEAN,
    };
    let adapters =
        if plan.plan.workload.method == Method::Full { 1.0 } else { HOST_ADAPTER_FACTOR };
    let compiled = if framework.compile { HOST_COMPILED_SHARE } else { 1.0 };
    let collectives = if plan.layout.tensor > 1 { 2.0 * HOST_COLLECTIVE_SECS } else { 0.0 };
    let hooks = match (framework.profile, plan.plan.parallelism.sharding) {
        (Profile::DeepSpeed, Sharding::Zero3) => HOST_ZERO3_SECS,
        _ => 0.0,
    };
    ((base * compiled + hooks) * adapters + collectives) * processor_share(plan)
        + unpacking_secs(plan)
}

/// Whether decode steps are replayed or launched by a lean loop, so that the device never waits.
///
/// Engines with a paged cache launch from Python as Hugging Face's code does, unless they capture.
pub(super) fn is_captured(plan: &Resolved<'_>) -> bool {
    let framework = &plan.plan.framework;
    framework.compile || framework.cuda_graphs
}

/// Seconds the host needs to launch one block's decode step: nothing with captured graphs.
pub(super) fn decode_block_secs(plan: &Resolved<'_>) -> f64 {
    if is_captured(plan) { 0.0 } else { prompt_block_secs(plan) }
}

/// Seconds the host needs to launch one block for prompts, whose lengths differ: nothing is captured.
///
/// ```text
/// Hugging Face, engines with pages   as in training
/// lean loops                         t times a lean pass: one thread serves all GPUs in turn
/// ```
pub(super) fn prompt_block_secs(plan: &Resolved<'_>) -> f64 {
    let python = plan.plan.framework.profile == Profile::HuggingFace
        || plan.plan.workload.cache == CacheAllocation::Paged;
    if python {
        HOST_BLOCK_SECS_HUGGING_FACE * processor_share(plan) + unpacking_secs(plan)
    } else {
        HOST_BLOCK_SECS_LEAN * processor_share(plan) * plan.layout.tensor as f64
    }
}

/// Seconds in which an engine with a paged cache schedules, samples and answers between two steps.
pub(super) fn engine_secs(plan: &Resolved<'_>) -> f64 {
    match plan.plan.workload.cache {
        CacheAllocation::Paged => ENGINE_STEP_SECS * processor_share(plan),
        CacheAllocation::Grows | CacheAllocation::Static => 0.0,
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

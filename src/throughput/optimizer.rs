//! The optimizer step: bytes of state read and written, and what goes to the host.

use super::{fractions::HOST_MEMORY_BYTES_PER_SEC, links, operations::Bench, roofline::Cost};
use crate::{
    catalogue::Dtype,
    plan::{MixedPrecision, Offload, OptimizerKind, Sharding, StepKernel},
};

/// Accesses of a multi-tensor `AdamW` step for each of a fused one.
///
/// Counted from torch's multi-tensor code: 20 reads and writes a parameter against 7.
const FOREACH_TRAFFIC: f64 = 20.0 / 7.0;
/// Newton-Schulz iterations of Muon.
const MUON_ITERATIONS: f64 = 5.0;

/// Number format of the parameters that train: adapters have their own.
fn trained_dtype(bench: &Bench<'_>) -> Dtype {
    let plan = bench.plan.plan;
    if super::formats::is_frozen(bench.plan) {
        plan.workload.lora.dtype
    } else {
        plan.precision.param_dtype
    }
}

/// The optimizer keeps fp32 copies of 16-bit parameters.
fn has_master(bench: &Bench<'_>) -> bool {
    !super::formats::is_frozen(bench.plan)
        && bench.plan.plan.precision.mixed == MixedPrecision::MasterWeights
}

/// Bytes of one parameter's optimizer state; states follow the parameters or their fp32 copies.
fn state_bytes(bench: &Bench<'_>) -> f64 {
    let plan = bench.plan.plan;
    let follows = if has_master(bench) { Dtype::Fp32 } else { trained_dtype(bench) };
    let wide = plan.optimizer.state_dtype.unwrap_or(follows).bytes() as f64;
    match plan.optimizer.kind {
        OptimizerKind::AdamW | OptimizerKind::PagedAdamW => 2.0 * wide,
        OptimizerKind::AdamWAmsgrad => 3.0 * wide,
        OptimizerKind::AdamW8bit | OptimizerKind::PagedAdamW8bit | OptimizerKind::AdamWFp8 => 2.0,
        OptimizerKind::AdamW4bit | OptimizerKind::Lion8bit => 1.0,
        OptimizerKind::Lion
        | OptimizerKind::Muon
        | OptimizerKind::Adagrad
        | OptimizerKind::RmsProp
        | OptimizerKind::SgdMomentum => wide,
        OptimizerKind::Adafactor | OptimizerKind::Sgd => 0.0,
    }
}

/// Bytes that one parameter's step reads and writes with a fused kernel.
///
/// ```text
/// 2·parameter + gradient + 2·states (+ 2 for the 16-bit copy) (+ 3·gradient to clip)
/// ```
fn step_bytes(bench: &Bench<'_>) -> f64 {
    let plan = bench.plan.plan;
    let master = has_master(bench);
    let parameter = if master { 4.0 } else { trained_dtype(bench).bytes() as f64 };
    let gradient = plan.precision.grad_dtype.bytes() as f64;
    let clip = if plan.optimizer.clip_gradients { 3.0 * gradient } else { 0.0 };
    let copy = if master { 2.0 } else { 0.0 };
    2.0 * parameter + gradient + 2.0 * state_bytes(bench) + copy + clip
}

/// The share of so many trained weights that this rank steps.
fn stepped(bench: &Bench<'_>, shared: f64, experts: f64) -> f64 {
    shared / bench.plan.shards_from(Sharding::Zero1) as f64
        + experts / bench.plan.expert_shards_from(Sharding::Zero1) as f64
}

/// Time of the step on the device.
///
/// ```text
/// B = P·bytes·(1 fused, 20/7 multi-tensor)        Muon: F = 5·6·h·P besides
/// ```
pub(super) fn step(bench: &Bench<'_>, shared: f64, experts: f64) -> Cost {
    let weights = stepped(bench, shared, experts);
    let plan = bench.plan.plan;
    if plan.framework.offload != Offload::None {
        return Cost::default();
    }
    let traffic = match plan.optimizer.implementation {
        StepKernel::Fused => 1.0,
        StepKernel::Foreach | StepKernel::ForLoop => FOREACH_TRAFFIC,
    };
    let step = bench.machine.streaming(weights * step_bytes(bench) * traffic, 10.0);
    if plan.optimizer.kind != OptimizerKind::Muon {
        return step;
    }
    let flops = 6.0 * MUON_ITERATIONS * f64::from(bench.plan.arch.hidden) * weights;
    step + bench.machine.cost(flops, bench.machine.wide_flops_per_sec, 0.0, 0.0)
}

/// Time of a step whose state is in host memory.
///
/// ```text
/// P·(gradient + 2)/W_pcie + P·bytes·GPUs a node/W_host
/// ```
pub(super) fn host_step_secs(bench: &Bench<'_>, shared: f64, experts: f64) -> f64 {
    let plan = bench.plan.plan;
    if plan.framework.offload == Offload::None {
        return 0.0;
    }
    let weights = stepped(bench, shared, experts);
    let gradient = plan.precision.grad_dtype.bytes() as f64;
    let sharing =
        (bench.plan.layout.world as f64).min(f64::from(plan.hardware.gpus_per_node.max(1)));
    weights * (gradient + 2.0) / links::host_bytes_per_sec(bench.plan.gpu)
        + weights * step_bytes(bench) * sharing / HOST_MEMORY_BYTES_PER_SEC
}

/// Time in which a step fetches parameters that live in host memory, for forward and for backward.
///
/// ```text
/// 2·m·P/shards·β/W_pcie
/// ```
pub(super) fn fetch_secs(bench: &Bench<'_>, local_weights: f64) -> f64 {
    if bench.plan.plan.framework.offload != Offload::OptimizerAndParams {
        return 0.0;
    }
    let stored = super::formats::block_weight_bytes(bench.plan);
    let shards = bench.plan.shards_from(Sharding::Zero3) as f64;
    let micro_batches = bench.plan.layout.micro_batches as f64;
    2.0 * micro_batches * local_weights / shards * stored
        / links::host_bytes_per_sec(bench.plan.gpu)
}

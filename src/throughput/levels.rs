//! The levels of memory that a plan's weights could lie in, and what each would mean for its speed.

use super::{
    answer::{Operation, OperationClass, SpeedEstimate},
    formats,
    links::{self, HostLink},
    operations::Bench,
    pipeline,
};
use crate::{
    plan::Task,
    units::{Bytes, BytesPerSec, FlopsPerSec, Secs},
};

/// What one pass over the weights takes from each level of memory, at the rates of the data sheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryLevels {
    /// Data-sheet rate of the format that the plan computes in.
    pub peak: FlopsPerSec,
    /// Data-sheet bandwidth of the card's memory.
    pub bandwidth: BytesPerSec,
    /// How the card reaches its host's memory.
    pub host_link: HostLink,
    /// Rate of that link, one direction.
    pub host: BytesPerSec,
    /// Weights that this GPU reads in one pass: of a generated token, or forward in training.
    pub weights: Bytes,
}

impl MemoryLevels {
    /// Arithmetic intensity at which memory and arithmetic take equally long, FLOPs per byte.
    #[must_use]
    pub fn ridge(&self) -> f64 {
        self.peak.0 / self.bandwidth.0.max(f64::MIN_POSITIVE)
    }

    /// One pass over the weights from the card's memory.
    #[must_use]
    pub fn from_memory(&self) -> Secs {
        Secs(self.weights.as_f64() / self.bandwidth.0.max(f64::MIN_POSITIVE))
    }

    /// The same if they lay in the host's memory.
    #[must_use]
    pub fn from_host(&self) -> Secs {
        Secs(self.weights.as_f64() / self.host.0.max(f64::MIN_POSITIVE))
    }

    /// How many times as long it takes from the host.
    #[must_use]
    pub fn times_slower(&self) -> f64 {
        self.bandwidth.0 / self.host.0.max(f64::MIN_POSITIVE)
    }
}

/// The levels of memory of a plan's card.
pub(super) fn of(bench: &Bench<'_>, speed: &SpeedEstimate) -> MemoryLevels {
    let (host_link, host) = links::host_link(bench.plan.gpu);
    MemoryLevels {
        peak: bench.machine.peak,
        bandwidth: BytesPerSec(bench.machine.peak_bytes_per_sec),
        host_link,
        host,
        weights: weights_of_a_pass(bench, speed),
    }
}

/// A generated token reads what its products read (of experts, those that are chosen); a training step
/// reads the blocks of the largest stage in each forward pass.
fn weights_of_a_pass(bench: &Bench<'_>, speed: &SpeedEstimate) -> Bytes {
    let plan = bench.plan;
    if plan.plan.workload.task == Task::Inference {
        let is_product = |one: &&Operation| {
            matches!(one.class, OperationClass::Matmul | OperationClass::Experts)
        };
        return speed.operations.iter().filter(is_product).map(|one| one.bytes).sum();
    }
    let moe = plan.arch.moe.as_ref();
    let stage = |at| {
        let shape = pipeline::stage_shape(plan, at);
        shape.dense * bench.local_block_weights(None) + shape.moe * bench.local_block_weights(moe)
    };
    let largest = pipeline::candidate_stages(plan).map(stage).fold(0.0, f64::max);
    Bytes::from_f64(largest * formats::block_weight_bytes(plan))
}

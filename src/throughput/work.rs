//! One micro-batch through a block, the head and the loss: forward, backward, recomputation, traffic.

use super::{
    answer::OperationClass,
    classes::ClassCosts,
    collectives::exposed_secs,
    formats, host,
    operations::{Bench, Pass},
    recompute,
    roofline::Cost,
    traffic::{self, BlockTraffic, Passes, Paths},
};
use crate::{
    catalogue::Moe,
    plan::{AttentionKernel, ContextExchange},
};

/// Backward FLOPs of fused attention over forward: five products against two.
///
/// Source: Dao 2023, arXiv:2307.08691, section 4.1.
const FLASH_BACKWARD: f64 = 2.5;
/// Backward over forward of everything that is not fused with its own recomputation.
const PLAIN_BACKWARD: f64 = 2.0;

/// Time of one micro-batch by class: forward with backward, and recomputation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Forward and backward.
    pub useful: ClassCosts,
    /// Run again in backward.
    pub recomputed: ClassCosts,
    /// Collectives.
    pub traffic: BlockTraffic,
    /// Of the tensor-parallel collectives, what products do not hide.
    pub tensor_exposed_secs: f64,
    /// Of the tokens' way to their experts and back, what another micro-batch does not hide.
    pub expert_exposed_secs: f64,
    /// Of context parallelism's traffic, what attention does not hide.
    pub context_exposed_secs: f64,
    /// Time in which the device waits for the host.
    pub launch_gap_secs: f64,
}

/// What of a micro-batch's work decides which stage makes the step longest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WorkTimes {
    /// Everything that it takes.
    pub secs: f64,
    /// Of that, what traffic of other axes can hide behind.
    pub window_secs: f64,
}

impl WorkTimes {
    /// Those of some work.
    pub(super) fn of(work: &Work) -> Self {
        Self { secs: work.secs(), window_secs: work.window_secs() }
    }
}

impl std::ops::Add for WorkTimes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { secs: self.secs + other.secs, window_secs: self.window_secs + other.window_secs }
    }
}

impl std::ops::Mul<f64> for WorkTimes {
    type Output = Self;
    fn mul(self, count: f64) -> Self {
        Self { secs: self.secs * count, window_secs: self.window_secs * count }
    }
}

impl Work {
    /// Forward and backward, without recomputation.
    pub(super) fn useful(&self) -> Cost {
        self.useful.sum()
    }

    /// What is run again in backward.
    pub(super) fn recomputation(&self) -> Cost {
        self.recomputed.sum()
    }

    /// Time that traffic of other axes can hide behind: the device computes or waits for the host,
    /// less what tensor, context and expert parallelism hide behind already.
    pub(super) fn window_secs(&self) -> f64 {
        let ring_secs = self.traffic.context.secs - self.context_exposed_secs;
        let tensor_secs = self.traffic.tensor.secs - self.tensor_exposed_secs;
        let expert_secs = self.traffic.expert.secs - self.expert_exposed_secs;
        self.device_secs() + self.launch_gap_secs - ring_secs - tensor_secs - expert_secs
    }

    /// Time in which the device computes.
    fn device_secs(&self) -> f64 {
        self.useful().secs() + self.recomputation().secs()
    }

    /// Collectives that compute waits for.
    pub(super) fn blocking_traffic_secs(&self) -> f64 {
        self.tensor_exposed_secs + self.expert_exposed_secs + self.context_exposed_secs
    }

    /// Everything that one micro-batch takes.
    pub(super) fn secs(&self) -> f64 {
        self.device_secs() + self.blocking_traffic_secs() + self.launch_gap_secs
    }

    /// So many of it.
    pub(super) fn times(self, count: f64) -> Self {
        Self {
            useful: self.useful * count,
            recomputed: self.recomputed * count,
            traffic: BlockTraffic {
                tensor: self.traffic.tensor * count,
                expert: self.traffic.expert * count,
                context: self.traffic.context * count,
            },
            tensor_exposed_secs: self.tensor_exposed_secs * count,
            expert_exposed_secs: self.expert_exposed_secs * count,
            context_exposed_secs: self.context_exposed_secs * count,
            launch_gap_secs: self.launch_gap_secs * count,
        }
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            useful: self.useful + other.useful,
            recomputed: self.recomputed + other.recomputed,
            traffic: BlockTraffic {
                tensor: self.traffic.tensor + other.traffic.tensor,
                expert: self.traffic.expert + other.traffic.expert,
                context: self.traffic.context + other.traffic.context,
            },
            tensor_exposed_secs: self.tensor_exposed_secs + other.tensor_exposed_secs,
            expert_exposed_secs: self.expert_exposed_secs + other.expert_exposed_secs,
            context_exposed_secs: self.context_exposed_secs + other.context_exposed_secs,
            launch_gap_secs: self.launch_gap_secs + other.launch_gap_secs,
        }
    }
}

/// One micro-batch through one block.
///
/// ```text
/// products    forward · (1 + 2), frozen weights (1 + 1): they need no weight gradient
/// adapters    forward · (1 + 2)
/// attention   forward · (1 + 2.5) fused, (1 + 2) otherwise
/// elementwise forward · (1 + 2)
/// ```
pub(super) fn block(bench: &Bench<'_>, paths: &Paths, pass: &Pass, moe: Option<&Moe>) -> Work {
    let plan = bench.plan.plan;
    let forward = bench.block(pass, moe);
    let again = recompute::shares(&plan.checkpointing);
    let backward = if formats::is_frozen(bench.plan) { 1.0 } else { 2.0 };
    let attention_backward = match plan.framework.attention {
        AttentionKernel::Flash => FLASH_BACKWARD,
        AttentionKernel::Math | AttentionKernel::Eager => PLAIN_BACKWARD,
    };
    let passes = Passes { forward: 1.0 + again.matmul, backward: 1.0 };
    let traffic = traffic::block(bench, paths, pass.tokens, moe, passes);
    let backwards = |class| match class {
        OperationClass::Matmul | OperationClass::Experts => backward,
        OperationClass::Attention => attention_backward,
        OperationClass::Dequantise => 1.0,
        _ => PLAIN_BACKWARD,
    };
    let repeated = |class| match class {
        OperationClass::Attention => again.attention,
        OperationClass::Elementwise | OperationClass::Routing | OperationClass::Quantise => {
            again.elementwise
        }
        _ => again.matmul,
    };
    let mut work = Work {
        useful: forward.scaled(|class| 1.0 + backwards(class)),
        recomputed: forward.scaled(repeated),
        traffic,
        ..Work::default()
    };
    let both = work.useful + work.recomputed;
    let attention_secs = both.of(OperationClass::Attention).secs();
    work.context_exposed_secs = match plan.parallelism.context_exchange {
        ContextExchange::Ring => exposed_secs(traffic.context.secs, attention_secs),
        ContextExchange::AllToAll => traffic.context.secs,
    };
    let product_secs = both.products().secs();
    work.tensor_exposed_secs = if bench.plan.plan.parallelism.overlap_tensor {
        exposed_secs(traffic.tensor.secs, product_secs)
    } else {
        traffic.tensor.secs
    };
    let left_secs = work.device_secs()
        - (traffic.context.secs - work.context_exposed_secs)
        - (traffic.tensor.secs - work.tensor_exposed_secs);
    work.expert_exposed_secs = if bench.plan.plan.parallelism.overlap_expert {
        exposed_secs(traffic.expert.secs, left_secs)
    } else {
        traffic.expert.secs
    };
    let host_secs = host::block_secs(bench.plan) * (2.0 + again.matmul.max(again.elementwise));
    work.launch_gap_secs = (host_secs - work.secs()).max(0.0);
    work
}

/// One micro-batch through head and loss.
pub(super) fn edge(bench: &Bench<'_>, pass: &Pass) -> Work {
    let backward = if formats::is_frozen(bench.plan) { 1.0 } else { 2.0 };
    let useful = ClassCosts::default()
        .with(OperationClass::Head, bench.head(pass.tokens) * (1.0 + backward))
        .with(OperationClass::Loss, bench.loss(pass.tokens));
    Work { useful, ..Work::default() }
}

/// One micro-batch through the token embedding: looked up, and gradients added to its rows.
pub(super) fn entry(bench: &Bench<'_>, pass: &Pass) -> Work {
    let forward = bench.embedding(pass.tokens);
    let backward = if formats::is_frozen(bench.plan) { 0.0 } else { PLAIN_BACKWARD };
    let cost = forward * (1.0 + backward);
    Work { useful: ClassCosts::default().with(OperationClass::Embedding, cost), ..Work::default() }
}

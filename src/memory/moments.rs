//! What is alive at each moment of a training step.
//!
//! The peak is the largest of the moments, never a sum of worst cases.

use super::{
    Moment, Part,
    common::Common,
    inside::Place,
    ledger::{Ledger, Why},
    runtime,
    stage::Stage,
};
use crate::{
    explain::{Quantity, symbol},
    plan::{Method, Profile, Resolved, Sharding, Task},
    units::Bytes,
};

mod gather;
mod saved;
mod state;

/// Text key of the source that several terms share.
pub(super) const TRACED: &str = "source-traced";

/// The moments of a training step, in order.
pub(super) const TRAINING: [Moment; 8] = [
    Moment::Idle,
    Moment::ForwardFirst,
    Moment::ForwardFull,
    Moment::BackwardStart,
    Moment::BackwardLayer,
    Moment::BackwardLastLayer,
    Moment::BackwardEnd,
    Moment::OptimizerStep,
];

/// Adds everything that is alive at a moment to the ledger.
///
/// `place` is where in a block's backward, for the moments that are inside one. The allocator's
/// reserve fills up to `ceiling` at most.
pub(super) fn fill(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    ceiling: u64,
    ledger: &mut impl Ledger,
) {
    let mut tally = Tally { ledger, changing: 0, logits: 0, all: 0 };
    state::add(common, stage, (moment, place), &mut tally);
    if common.plan.plan.workload.task == Task::Inference {
        super::serving::add(common, stage, moment, &mut tally);
    } else {
        saved::add(common, stage, (moment, place), &mut tally);
        gather::add(common, stage, (moment, place), &mut tally);
    }
    let mut live = Live { changing: tally.changing, logits: tally.logits, all: tally.all };
    if place == Place::Attention
        && matches!(moment, Moment::BackwardLayer | Moment::BackwardLastLayer)
    {
        live.all = live.all.saturating_add(kernel_buffers(&common.plan, ledger));
    }
    runtime_parts(common, live, ceiling, ledger);
}

/// A ledger that also counts what comes and goes within a step.
pub(super) struct Tally<'l, L> {
    ledger: &'l mut L,
    changing: u64,
    logits: u64,
    all: u64,
}

/// Live tensors of a moment, in bytes.
#[derive(Clone, Copy)]
struct Live {
    /// What comes and goes within a step.
    changing: u64,
    /// Logits and what the loss makes of them, among that.
    logits: u64,
    /// Everything.
    all: u64,
}

impl<L: Ledger> Tally<'_, L> {
    /// Bytes that live between steps.
    pub fn fixed(&mut self, part: Part, bytes: u64, why: impl FnOnce() -> Why) {
        self.all = self.all.saturating_add(bytes);
        self.ledger.add(part, bytes, why);
    }

    /// Bytes that come and go within a step.
    pub fn changing(&mut self, part: Part, bytes: u64, why: impl FnOnce() -> Why) {
        self.changing = self.changing.saturating_add(bytes);
        if part == Part::LogitsAndLoss {
            self.logits = self.logits.saturating_add(bytes);
        }
        self.all = self.all.saturating_add(bytes);
        self.ledger.add(part, bytes, why);
    }
}

/// Which gradients are alive at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GradsAlive {
    None,
    /// Of the head, and of the last block as far as its backward has come.
    Head,
    /// Of everything but the first block and the embedding, and of that block as far as its backward has come.
    AllButFirst,
    /// Of the largest block only: the step runs inside backward.
    OneLayer,
    All,
}

/// Gradients are there through the whole step: kept from earlier micro-batches, zeroed instead of
/// freed, or in a buffer of their own.
fn grads_held(common: &Common<'_>) -> bool {
    let plan = &common.plan;
    plan.layout.micro_batches > 1
        || plan.layout.pipeline > 1
        || !plan.plan.optimizer.set_to_none
        || plan.plan.framework.profile == Profile::Megatron
}

/// Which gradients are alive.
pub(super) fn grads_alive(common: &Common<'_>, moment: Moment) -> GradsAlive {
    let plan = common.plan.plan;
    if plan.workload.task == Task::Inference {
        return GradsAlive::None;
    }
    let main_buffer = plan.framework.profile == Profile::Megatron || !plan.optimizer.set_to_none;
    if plan.optimizer.in_backward {
        return match moment {
            Moment::BackwardLayer | Moment::BackwardLastLayer | Moment::BackwardEnd => {
                GradsAlive::OneLayer
            }
            _ => GradsAlive::None,
        };
    }
    match moment {
        Moment::Idle if main_buffer => GradsAlive::All,
        Moment::Idle | Moment::ForwardFirst if !main_buffer => GradsAlive::None,
        Moment::BackwardEnd | Moment::OptimizerStep => GradsAlive::All,
        _ if grads_held(common) => GradsAlive::All,
        Moment::BackwardLastLayer => GradsAlive::AllButFirst,
        Moment::BackwardLayer => GradsAlive::Head,
        _ => GradsAlive::None,
    }
}

/// Context, workspaces, NCCL and the allocator's reserve.
fn runtime_parts(common: &Common<'_>, live: Live, ceiling: u64, ledger: &mut impl Ledger) {
    let plan = &common.plan;
    ledger.add(Part::Communication, common.nccl, || {
        let (pairs, larger) = runtime::communicators(&plan.layout);
        Why {
            label: "term-nccl",
            equation: "544 MiB·n_pair + 688 MiB·n",
            inputs: vec![
                (symbol::PAIRS, Quantity::Count(pairs)),
                (symbol::COUNT, Quantity::Count(larger)),
            ],
            source: "source-nccl-buffers",
        }
    });
    ledger.add(Part::Context, common.context, || Why {
        label: "term-context",
        equation: "M",
        inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(common.context)))],
        source: "source-contexts",
    });
    ledger.add(Part::Context, common.workspace, || Why {
        label: "term-workspace",
        equation: "n·M",
        inputs: vec![
            (symbol::COUNT, Quantity::Count(2)),
            (symbol::SIZE, Quantity::Bytes(Bytes(common.workspace / 2))),
        ],
        source: "source-cublas-workspace",
    });
    let taken = [live.all, common.nccl, common.context, common.workspace];
    let free =
        common.capacity.min(ceiling).saturating_sub(taken.into_iter().fold(0, u64::saturating_add));
    reserve_parts(plan, live, free, ledger);
}

/// What the attention kernel takes for itself in backward.
fn kernel_buffers(plan: &Resolved<'_>, ledger: &mut impl Ledger) -> u64 {
    let bytes = runtime::attention_kernel_bytes(plan);
    ledger.add(Part::AllocatorReserve, bytes, || {
        let tokens = plan.layout.tokens;
        Why {
            label: "term-kernel-buffers",
            equation: "c·T",
            inputs: vec![
                (symbol::PER_TOKEN, Quantity::BytesEach(bytes as f64 / tokens.max(1) as f64)),
                (symbol::TOKENS, Quantity::Count(tokens)),
            ],
            source: "source-flash-kernel",
        }
    });
    bytes
}

/// What the allocator holds beyond live tensors, at most what is free.
fn reserve_parts(plan: &Resolved<'_>, live: Live, free: u64, ledger: &mut impl Ledger) {
    let size = |bytes| (symbol::SIZE, Quantity::Bytes(Bytes(bytes)));
    let share = |share| (symbol::SHARE, Quantity::Fraction(share));
    let reserve = runtime::reserve_bytes(plan, live.changing, free);
    let (label, equation) = if free == 0 {
        ("term-reserve-segments", "M")
    } else if reserve < free {
        ("term-reserve", "φ·M + 22 MiB")
    } else {
        ("term-reserve-full", "M")
    };
    ledger.add(Part::AllocatorReserve, reserve, || {
        let inputs = if label == "term-reserve" {
            vec![share(runtime::reserve_share(plan)), size(live.changing)]
        } else {
            vec![size(reserve)]
        };
        Why { label, equation, inputs, source: "source-allocator" }
    });
    let varying = runtime::varying_reserve_bytes(plan, live.logits);
    let held = varying.min(free.saturating_sub(reserve));
    ledger.add(Part::AllocatorReserve, held, || {
        let (equation, inputs) = if held == varying {
            ("φ·M", vec![share(runtime::varying_reserve_share(plan)), size(live.logits)])
        } else {
            ("M", vec![size(held)])
        };
        Why { label: "term-reserve-lengths", equation, inputs, source: "source-allocator" }
    });
}

/// Everything that trains on this rank, in bytes of gradients before any sharding.
pub(super) fn unsharded_grad_bytes(common: &Common<'_>, stage: &Stage) -> u64 {
    let plan = common.plan.plan;
    match plan.workload.method {
        Method::Full => stage.held.elements().saturating_mul(plan.precision.grad_dtype.bytes()),
        _ => stage.adapters.saturating_mul(plan.workload.lora.dtype.bytes()),
    }
}

/// The plan replicates its gradients over several ranks (DDP).
pub(super) fn replicates(common: &Common<'_>) -> bool {
    common.plan.plan.parallelism.sharding == Sharding::None && common.plan.layout.data > 1
}

//! What can explain that a GPU holds more or less than planned, likeliest first.
//!
//! Every cause has a condition on the figures; one that cannot account for the difference is not
//! named. Limits and weights here are chosen by us.

use super::{Held, Question, Scope};
use crate::{
    memory::{self, Part, StageMemory},
    message::Message,
    monitor::{Missing, Reading},
    plan::{Plan, Task, choices},
    units::Bytes,
};

/// Smaller differences are no difference.
const NOTHING: Bytes = Bytes::from_mib(64);
/// A share of the plan that is no difference either.
const NOTHING_SHARE: f64 = 0.01;
/// Kernels that are all loaded at once take up to so much more than those that are used.
const EAGER_KERNELS: Bytes = Bytes::from_mib(1024);
/// What the driver keeps for itself is less than this.
const DRIVER_KEEPS: Bytes = Bytes::from_mib(2048);
/// Share of the memory that changes in a step which a caching allocator may hold on top.
const RESERVE_SHARE: f64 = 0.5;
/// Another batch explains a difference if the plan with it is this close to what is measured.
const BATCH_OFF: f64 = 0.03;

choices! {
    /// A cause of a difference.
    pub enum Cause {
        /// There is none to speak of: the measured figure lies within the estimate's band.
        #[default]
        WithinBand = "live-cause-within-band",
        /// The run has not yet loaded what the plan keeps between steps.
        Loading = "live-cause-loading",
        /// The run has not been at its peak yet.
        NotAtPeak = "live-cause-not-at-peak",
        /// Another process uses the GPU as well.
        OtherProcess = "live-cause-other-process",
        /// Somebody whom the driver does not list uses the GPU as well.
        Unlisted = "live-cause-unlisted",
        /// Use grows while the work stays the same: fragmentation, or a leak.
        Growing = "live-cause-growing",
        /// Lengths vary, so that freed blocks do not fit the next request.
        Fragmentation = "live-cause-fragmentation",
        /// A larger or smaller micro-batch.
        MicroBatch = "live-cause-micro-batch",
        /// Longer or shorter sequences.
        Sequence = "live-cause-sequence",
        /// More or fewer sequences served at once.
        Concurrency = "live-cause-concurrency",
        /// The allocator holds more in reserve.
        LargerReserve = "live-cause-larger-reserve",
        /// The allocator holds less in reserve.
        SmallerReserve = "live-cause-smaller-reserve",
        /// Context and kernels take more or less here.
        Context = "live-cause-context",
        /// The driver is so old that its figure includes what it keeps for itself.
        OldDriver = "live-cause-old-driver",
    }
}

/// A cause, in words with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Which.
    pub cause: Cause,
    /// Why it may be, with the numbers.
    pub message: Message,
    /// How likely, for the order only: 1 is certain.
    weight: f64,
}

impl Explanation {
    fn new(cause: Cause, weight: f64, message: Message) -> Self {
        Self { cause, message, weight }
    }
}

struct Difference {
    run: Bytes,
    planned: Bytes,
    gap: Bytes,
    more: bool,
    changing: Bytes,
}

/// A difference that nobody has to explain.
fn is_small(gap: Bytes, planned: Bytes) -> bool {
    gap <= NOTHING || gap.share_of(planned) <= NOTHING_SHARE
}

/// Plan and measurement are so near each other that nobody has to explain the difference.
pub(super) fn is_nothing(planned: Bytes, measured: Bytes) -> bool {
    let gap = planned.max(measured).saturating_sub(planned.min(measured));
    is_small(gap, planned)
}

/// All causes whose condition holds, likeliest first.
pub(super) fn explain(
    question: &Question<'_>,
    stage: &StageMemory,
    held: &Held,
) -> Vec<Explanation> {
    let (run, planned) = (held.run, stage.total());
    let difference = Difference {
        run,
        planned,
        gap: run.max(planned).saturating_sub(run.min(planned)),
        more: run > planned,
        changing: stage.allocated.saturating_sub(stage.static_bytes),
    };
    let mut found = Vec::new();
    let within = (stage.low..=stage.high).contains(&run);
    if within {
        let message = Message::new("live-why-within-band")
            .with("low", stage.low)
            .with("high", stage.high)
            .with("measured", run);
        found.push(Explanation::new(Cause::WithinBand, 1.0, message));
    }
    if is_small(difference.gap, planned) {
        return found;
    }
    if difference.more {
        found.extend(others(question, held, &difference));
        found.extend(growing(question, &difference));
    } else {
        found.extend(early(stage, &difference));
    }
    found.extend(allocator(question, stage, &difference));
    found.extend(context(question, stage, &difference));
    if !within {
        found.extend(other_batch(question, &difference));
    }
    found.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    found
}

/// How well an amount accounts for the gap: 1 if equal, 0 if twice as much or nothing.
fn closeness(amount: Bytes, gap: Bytes) -> f64 {
    (1.0 - (amount.share_of(gap) - 1.0).abs()).clamp(0.0, 1.0)
}

/// Somebody else on the GPU; only where the whole GPU's figure is taken for the run's.
fn others(question: &Question<'_>, held: &Held, difference: &Difference) -> Vec<Explanation> {
    let mut found = Vec::new();
    if *question.scope != Scope::WholeGpu {
        return found;
    }
    let processes = question.gpu.processes.value().map(Vec::as_slice).unwrap_or_default();
    let amounts = || processes.iter().filter_map(|process| process.memory.value().copied());
    let largest = amounts().max().unwrap_or_default();
    let rest = amounts().sum::<Bytes>().saturating_sub(largest);
    if processes.len() > 1 && rest > NOTHING {
        let weight = 0.6 + 0.35 * closeness(rest, difference.gap);
        let count = processes.len() as u64 - 1;
        let message = if held.drawing > NOTHING {
            Message::new("live-why-other-process-drawing").with("drawing", held.drawing)
        } else {
            Message::new("live-why-other-process")
        };
        let message = message.with("count", count).with("bytes", rest);
        found.push(Explanation::new(Cause::OtherProcess, weight, message));
    }
    let known = question.gpu.processes.value().is_some() && !processes.is_empty();
    if known && held.unlisted > NOTHING && held.unlisted.share_of(difference.gap) > 0.2 {
        let weight = 0.4 + 0.35 * closeness(held.unlisted, difference.gap);
        let message = Message::new("live-why-unlisted").with("bytes", held.unlisted);
        found.push(Explanation::new(Cause::Unlisted, weight, message));
    }
    let reserved = &question.gpu.memory.reserved;
    if matches!(reserved, Reading::Missing(Missing::FunctionMissing(_)))
        && difference.gap <= DRIVER_KEEPS
    {
        let message = Message::new("live-why-old-driver").with("bytes", difference.gap);
        found.push(Explanation::new(Cause::OldDriver, 0.7, message));
    }
    found
}

/// Use that grows while the work stays the same, or lengths that vary.
fn growing(question: &Question<'_>, difference: &Difference) -> Option<Explanation> {
    if let Some((earlier, secs)) = question.earlier {
        let growth = difference.run.saturating_sub(earlier);
        if earlier > Bytes::ZERO && growth > NOTHING && growth.share_of(earlier) > NOTHING_SHARE {
            let message = Message::new("live-why-growing")
                .with("bytes", growth)
                .with("minutes", format!("{:.0}", (secs / 60.0).max(1.0)));
            return Some(Explanation::new(Cause::Growing, 0.8, message));
        }
    }
    let varies =
        question.plan.workload.varying_lengths && !question.plan.framework.expandable_segments;
    (varies && difference.gap <= difference.changing).then(|| {
        let message = Message::new("live-why-fragmentation").with("bytes", difference.gap);
        Explanation::new(Cause::Fragmentation, 0.55, message)
    })
}

/// A run that has not got there yet.
fn early(stage: &StageMemory, difference: &Difference) -> Option<Explanation> {
    let idle = stage.static_bytes + stage.parts.get(Part::Context);
    if difference.run.share_of(idle) < 0.97 {
        let message =
            Message::new("live-why-loading").with("measured", difference.run).with("idle", idle);
        return Some(Explanation::new(Cause::Loading, 0.95, message));
    }
    (difference.run < stage.low).then(|| {
        let message = Message::new("live-why-not-at-peak")
            .with("idle", idle)
            .with("measured", difference.run)
            .with("peak", difference.planned);
        Explanation::new(Cause::NotAtPeak, 0.85, message)
    })
}

/// What the allocator holds beyond live tensors.
fn allocator(
    question: &Question<'_>,
    stage: &StageMemory,
    difference: &Difference,
) -> Option<Explanation> {
    let reserve = stage.parts.get(Part::AllocatorReserve);
    let gap = difference.gap;
    let training = question.plan.workload.task == Task::Training;
    let most = Bytes::from_f64(RESERVE_SHARE * difference.changing.as_f64());
    if difference.more && training && gap <= most {
        let message = Message::new("live-why-larger-reserve")
            .with("planned", reserve)
            .with("needed", reserve + gap);
        return Some(Explanation::new(Cause::LargerReserve, 0.5, message));
    }
    (!difference.more && gap <= reserve).then(|| {
        let message = Message::new("live-why-smaller-reserve")
            .with("planned", reserve)
            .with("needed", reserve.saturating_sub(gap));
        Explanation::new(Cause::SmallerReserve, 0.6, message)
    })
}

/// Context and kernels that are not as large as planned; not where they were measured.
fn context(
    question: &Question<'_>,
    stage: &StageMemory,
    difference: &Difference,
) -> Option<Explanation> {
    if question.calibration.is_some() {
        return None;
    }
    let context = stage.parts.get(Part::Context);
    let most = if difference.more && !question.plan.framework.eager_kernel_loading {
        EAGER_KERNELS
    } else {
        Bytes::from_f64(context.as_f64() * memory::RUNTIME_DOUBT)
    };
    (difference.gap <= most).then(|| {
        let needed = if difference.more {
            context + difference.gap
        } else {
            context.saturating_sub(difference.gap)
        };
        let message =
            Message::new("live-why-context").with("planned", context).with("needed", needed);
        Explanation::new(Cause::Context, 0.45, message)
    })
}

/// The plan with another batch, if that gives what is measured.
fn other_batch(question: &Question<'_>, difference: &Difference) -> Option<Explanation> {
    let work = &question.plan.workload;
    let (lengths, batches): (&[_], Vec<u32>) = match work.task {
        Task::Training => {
            (&[Cause::MicroBatch, Cause::Sequence], vec![work.micro_batch, work.sequence])
        }
        Task::Inference => (&[Cause::Concurrency], vec![work.concurrency]),
    };
    let mut best: Option<(f64, Cause, u32, u32, Bytes)> = None;
    for (&cause, now) in lengths.iter().zip(batches) {
        for other in candidates(cause, now) {
            let Some(total) = total_with(question, cause, other) else { continue };
            let off = (total.share_of(difference.run) - 1.0).abs();
            if off <= BATCH_OFF && best.as_ref().is_none_or(|best| off < best.0) {
                best = Some((off, cause, now, other, total));
            }
        }
    }
    let (off, cause, now, other, total) = best?;
    let key = match cause {
        Cause::MicroBatch => "live-why-micro-batch",
        Cause::Sequence => "live-why-sequence",
        _ => "live-why-concurrency",
    };
    let message = Message::new(key).with("now", now).with("other", other).with("bytes", total);
    Some(Explanation::new(cause, 0.75 * (1.0 - off), message))
}

/// Sizes that people use instead: the neighbours, half, and multiples.
fn candidates(cause: Cause, now: u32) -> Vec<u32> {
    let mut sizes = vec![now / 4, now / 2, now.saturating_mul(2), now.saturating_mul(4)];
    if cause == Cause::MicroBatch {
        sizes.extend([now.saturating_sub(1), now.saturating_add(1)]);
    }
    sizes.retain(|&size| size > 0 && size != now);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn total_with(question: &Question<'_>, cause: Cause, size: u32) -> Option<Bytes> {
    let mut plan: Plan = question.plan.clone();
    match cause {
        Cause::MicroBatch => plan.workload.micro_batch = size,
        Cause::Sequence => plan.workload.sequence = size,
        _ => plan.workload.concurrency = size,
    }
    let resolved = plan.resolve(question.catalogue).ok()?;
    let mut memory = memory::estimate(&resolved);
    if let Some(calibration) = question.calibration {
        memory = calibration.apply(&memory);
    }
    memory.stages.get(question.stage).map(StageMemory::total)
}

//! How much memory: modules, saved tensors, schedule, runtime.
//!
//! ```text
//! params  ──► shard  ──► state ─┐
//! saved   ──► common ──► stage ─┼─► moments ──► peak per stage ──► verdict
//! serving ──────────────────────┘      ▲
//!                                   runtime (allocator, context, libraries)
//! ```
//!
//! Numbers and explanations come from the same calls (`ledger.rs`), so that they cannot disagree.

mod adapters;
mod answer;
mod assumptions;
mod common;
mod fitted;
pub(crate) mod formats;
mod inside;
mod ledger;
mod moments;
pub mod params;
mod part;
mod runtime;
pub mod saved;
mod saved_list;
mod serving;
mod shard;
mod stage;
mod state;

pub use self::{
    answer::{
        Explanation, MemoryEstimate, Moment, ServingMemory, StageDetail, StageMemory,
        TimelinePoint, Verdict,
    },
    assumptions::{Assumption, Doubt, assumptions},
    part::{PART_COUNT, Part, Parts},
    runtime::RUNTIME_DOUBT,
    saved_list::{SavedBlock, SavedBlocks, SavedRow, saved_tensors},
};
use self::{
    common::Common,
    inside::Place,
    ledger::{Explained, Sums},
    stage::Stage,
};
use crate::{
    catalogue::CapacityBasis,
    plan::{Resolved, Task},
    units::{Bytes, MIB},
};

/// Moments of serving, in order.
const SERVING: [Moment; 3] = [Moment::Idle, Moment::Prefill, Moment::Decode];

/// Memory of every pipeline stage, and the verdict.
#[must_use]
pub fn estimate(plan: &Resolved<'_>) -> MemoryEstimate {
    let common = Common::of(plan);
    let stages: Vec<StageMemory> = (0..plan.layout.pipeline)
        .map(|index| stage_memory(&common, &Stage::of(&common, index)))
        .collect();
    let (capacity, capacity_basis) = capacity(plan);
    let mut answer =
        MemoryEstimate { stages, worst: 0, capacity, capacity_basis, verdict: Verdict::Fits };
    answer.judge(capacity);
    answer
}

/// What a process can use: the card's capacity less what is in use already.
fn capacity(plan: &Resolved<'_>) -> (Bytes, CapacityBasis) {
    let (card, basis) = plan.gpu.usable_memory();
    let in_use = Bytes(u64::from(plan.plan.hardware.memory_in_use_mib) * MIB);
    (card.saturating_sub(in_use), basis)
}

/// Everything the window shows of one stage: the timeline, and the explanation of its peak.
#[must_use]
pub fn detail(plan: &Resolved<'_>, stage: usize) -> StageDetail {
    let common = Common::of(plan);
    let last = plan.layout.pipeline.saturating_sub(1);
    let stage = Stage::of(&common, (stage as u64).min(last));
    let (at, highest) = peak(&common, &stage);
    let ceiling = highest.total().0;
    let timeline: Vec<TimelinePoint> = moments_of(plan)
        .iter()
        .map(|&moment| TimelinePoint {
            moment,
            parts: parts_at(&common, &stage, moment, ceiling).1,
        })
        .collect();
    let mut explained = Explained::default();
    moments::fill(&common, &stage, at, u64::MAX, &mut explained);
    StageDetail { timeline, explanation: explained.explanation }
}

fn moments_of(plan: &Resolved<'_>) -> &'static [Moment] {
    match plan.plan.workload.task {
        Task::Training => &moments::TRAINING,
        Task::Inference => &SERVING,
    }
}

/// What is alive at a moment, and where in a block's backward most of it is.
fn parts_at(common: &Common<'_>, stage: &Stage, moment: Moment, ceiling: u64) -> (Place, Parts) {
    let at = |place| {
        let mut sums = Sums::default();
        moments::fill(common, stage, (moment, place), ceiling, &mut sums);
        (place, sums.0)
    };
    let first = at(Place::FeedForward);
    if !matches!(moment, Moment::BackwardLayer | Moment::BackwardLastLayer) {
        return first;
    }
    let larger = |best: (Place, Parts), next: (Place, Parts)| {
        if needed(&next.1) > needed(&best.1) { next } else { best }
    };
    let mut best = first;
    if stage.largest_layer.inside.attention_may_need_more(common.gathered_bytes.max(4)) {
        best = larger(best, at(Place::Attention));
    }
    if common.gathers {
        best = larger(best, at(Place::End));
    }
    best
}

/// Everything but what the allocator holds in reserve, which it gives back before a request fails.
fn needed(parts: &Parts) -> Bytes {
    parts.total().saturating_sub(parts.get(Part::AllocatorReserve))
}

/// The moment that needs most; the earlier of two equal ones.
fn peak(common: &Common<'_>, stage: &Stage) -> ((Moment, Place), Parts) {
    let mut best = ((Moment::Idle, Place::FeedForward), Parts::default());
    for &moment in moments_of(&common.plan) {
        if moment == Moment::ForwardFirst {
            continue; // a later forward has at least as much in flight
        }
        let (place, parts) = parts_at(common, stage, moment, u64::MAX);
        if needed(&parts) > needed(&best.1) {
            best = ((moment, place), parts);
        }
    }
    best
}

fn stage_memory(common: &Common<'_>, stage: &Stage) -> StageMemory {
    let ((moment, _), parts) = peak(common, stage);
    let (_, idle) = parts_at(common, stage, Moment::Idle, u64::MAX);
    let (low, high) = band(common, &parts, &idle);
    StageMemory {
        stage: u32::try_from(stage.index).unwrap_or(u32::MAX),
        layers: u32::try_from(stage.layers).unwrap_or(u32::MAX),
        peak: moment,
        parts,
        low,
        high,
        allocated: allocated(common, &parts),
        reserved: allocated(common, &parts)
            + parts.get(Part::AllocatorReserve)
            + Bytes(common.workspace),
        static_bytes: allocated(common, &idle),
        saved_bytes: Bytes(saved(common, stage)),
        saved_per_layer: Bytes(stage.largest_layer.kept.total()),
        head_saved: Bytes(head_saved(common, stage)),
        serving: serving_memory(common, stage),
    }
}

/// What serving holds at its two moments; none in training.
fn serving_memory(common: &Common<'_>, stage: &Stage) -> Option<ServingMemory> {
    if common.plan.plan.workload.task == Task::Training {
        return None;
    }
    let (_, prefill) = parts_at(common, stage, Moment::Prefill, u64::MAX);
    let (_, decode) = parts_at(common, stage, Moment::Decode, u64::MAX);
    Some(ServingMemory {
        kv: prefill.get(Part::KvCache),
        prefill_peak: allocated(common, &prefill),
        decode_peak: allocated(common, &decode),
    })
}

/// What the last norm, the head and the loss keep.
fn head_saved(common: &Common<'_>, stage: &Stage) -> u64 {
    let head = &common.head;
    if stage.last { head.norm_bytes.saturating_add(head.loss_bytes) } else { 0 }
}

/// Everything that the forwards in flight leave alive beyond the static bytes.
fn saved(common: &Common<'_>, stage: &Stage) -> u64 {
    if common.plan.plan.workload.task == Task::Inference {
        return 0;
    }
    stage
        .in_flight(stage.kept.total())
        .saturating_add(head_saved(common, stage))
        .saturating_add(common.model_wide)
}

/// Live tensors: everything but the allocator's reserve, the context and NCCL's own buffers.
fn allocated(common: &Common<'_>, parts: &Parts) -> Bytes {
    parts
        .total()
        .saturating_sub(parts.get(Part::AllocatorReserve))
        .saturating_sub(parts.get(Part::Context))
        .saturating_sub(Bytes(common.nccl))
}

/// How little and how much the device memory could be.
///
/// ```text
/// doubt = profile's share · (allocated − static) + 0.3 · (context + NCCL)
/// low   = total − reserve − doubt        high = total − reserve · (1 − φ) + doubt
/// ```
///
/// The allocator gives its reserve back before a request fails, so that only a share `φ` of it counts
/// at the high end.
fn band(common: &Common<'_>, parts: &Parts, idle: &Parts) -> (Bytes, Bytes) {
    let changing = allocated(common, parts).saturating_sub(allocated(common, idle));
    let profile = runtime::profile_doubt(common.plan.plan.framework.profile);
    let libraries = parts.get(Part::Context) + Bytes(common.nccl);
    let reserve = parts.get(Part::AllocatorReserve);
    let doubt =
        Bytes::from_f64(profile * changing.as_f64() + runtime::RUNTIME_DOUBT * libraries.as_f64());
    let needed = parts.total().saturating_sub(reserve);
    let kept = Bytes::from_f64(runtime::RESERVE_NEEDED * reserve.as_f64());
    (needed.saturating_sub(doubt), (needed + kept + doubt).max(parts.total()))
}

//! The answer to a plan: memory on every kind of GPU, speed, and the verdict.

use crate::{
    catalogue::Catalogue,
    memory::{self, MemoryEstimate, Verdict},
    plan::{MAX_SEQUENCES, Plan, PlanError, Task},
    throughput::{self, SpeedEstimate},
};

/// Everything that follows from a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Memory of every pipeline stage, and the verdict.
    pub memory: MemoryEstimate,
    /// Step time, tokens per second and what bounds them.
    pub speed: SpeedEstimate,
}

impl Estimate {
    /// The speed, unless the plan does not fit: what cannot run has no speed.
    #[must_use]
    pub fn speed_if_it_fits(&self) -> Option<&SpeedEstimate> {
        (self.memory.verdict != Verdict::DoesNotFit).then_some(&self.speed)
    }
}

/// Most sequences that a serving plan's GPUs surely hold at once: the whole band is below the capacity.
///
/// None for training, 0 where not even one fits. More sequences never need less memory, so that the
/// number is found by halving.
#[must_use]
pub fn most_sequences(plan: &Plan, catalogue: &Catalogue) -> Option<u32> {
    if plan.workload.task != Task::Inference {
        return None;
    }
    let mut plan = plan.clone();
    let mut fits = |sequences: u32| {
        plan.workload.concurrency = sequences;
        plan.resolve(catalogue)
            .is_ok_and(|resolved| memory::estimate(&resolved).verdict == Verdict::Fits)
    };
    let (mut holds, mut too_many) = (0, MAX_SEQUENCES.saturating_add(1));
    while too_many - holds > 1 {
        let middle = holds + (too_many - holds) / 2;
        if fits(middle) {
            holds = middle;
        } else {
            too_many = middle;
        }
    }
    Some(holds)
}

/// Answers a plan: a pure function of the plan and the catalogue.
///
/// # Errors
///
/// [`PlanError::Invalid`] with every issue if the plan cannot run.
pub fn estimate(plan: &Plan, catalogue: &Catalogue) -> Result<Estimate, PlanError> {
    let resolved = plan.resolve(catalogue)?;
    Ok(Estimate { memory: memory::estimate(&resolved), speed: throughput::estimate(&resolved) })
}

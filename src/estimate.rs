//! The answer to a plan: memory on every kind of GPU, speed, and the verdict.

use crate::{
    catalogue::Catalogue,
    memory::{self, MemoryEstimate, Verdict},
    plan::{Plan, PlanError},
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

/// Answers a plan: a pure function of the plan and the catalogue.
///
/// # Errors
///
/// [`PlanError::Invalid`] with every issue if the plan cannot run.
pub fn estimate(plan: &Plan, catalogue: &Catalogue) -> Result<Estimate, PlanError> {
    let resolved = plan.resolve(catalogue)?;
    Ok(Estimate { memory: memory::estimate(&resolved), speed: throughput::estimate(&resolved) })
}

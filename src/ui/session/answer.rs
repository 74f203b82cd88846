//! What follows from a plan, recomputed whole at every change.

use std::time::Instant;

use super::Session;
use crate::{
    catalogue::Catalogue,
    estimate::{Estimate, most_sequences},
    memory::{self, Assumption, Doubt, SavedBlocks, StageDetail},
    plan::{Issue, Plan, PlanError},
    throughput::{self, SpeedExplanation},
};

/// What follows from the plan: an estimate, or the reasons why there is none. Never a stale one.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The plan cannot run; there are no numbers.
    Invalid(Vec<Issue>),
    /// The plan can run.
    Ready(Box<Ready>),
}

/// Everything shown of a valid plan.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Memory and speed.
    pub estimate: Estimate,
    /// Stage shown in table and timeline.
    pub shown_stage: usize,
    /// Timeline and explanations of that stage.
    pub detail: StageDetail,
    /// What the memory rests on besides its equations.
    pub assumptions: Vec<Assumption>,
    /// What the band of the memory is made of.
    pub doubt: Doubt,
    /// Every tensor that a block saves for backward.
    pub saved: SavedBlocks,
    /// Why the speed is what it is.
    pub speed_explanation: SpeedExplanation,
    /// Serving: sequences that surely fit in memory at once.
    pub most_sequences: Option<u32>,
    /// Warnings and notes.
    pub issues: Vec<Issue>,
}

/// A plan kept for comparison, with its answer.
#[derive(Clone, Debug)]
pub struct Pinned {
    /// The plan.
    pub plan: Plan,
    /// Its title, such as "Llama 3.1 8B on 1 × RTX 4090".
    pub title: String,
    /// Its estimate.
    pub estimate: Estimate,
}

impl Answer {
    /// Answers a plan; the detail is that of `stage`, or of the worst one.
    #[must_use]
    pub fn of(plan: &Plan, catalogue: &Catalogue, stage: Option<usize>) -> Self {
        let resolved = match plan.resolve(catalogue) {
            Ok(resolved) => resolved,
            Err(PlanError::Invalid(issues)) => return Self::Invalid(issues),
        };
        let estimate = Estimate {
            memory: memory::estimate(&resolved),
            speed: throughput::estimate(&resolved),
        };
        let stages = estimate.memory.stages.len();
        let shown_stage = stage.filter(|&stage| stage < stages).unwrap_or(estimate.memory.worst);
        Self::Ready(Box::new(Ready {
            shown_stage,
            detail: memory::detail(&resolved, shown_stage),
            assumptions: memory::assumptions(&resolved),
            doubt: Doubt::of(&resolved),
            saved: SavedBlocks::of(&resolved),
            speed_explanation: throughput::explain(&resolved, &estimate.speed),
            issues: plan.validate(catalogue),
            most_sequences: most_sequences(plan, catalogue),
            estimate,
        }))
    }
}

impl Session {
    /// Answers the plan anew.
    pub(in crate::ui) fn recompute(&mut self) {
        let start = Instant::now();
        self.answer = Answer::of(&self.plan, &self.catalogue, self.selected_stage);
        self.estimate_secs = start.elapsed().as_secs_f64();
    }

    /// Keeps the plan for comparison; a plan without numbers is not kept.
    pub(in crate::ui) fn pin(&mut self) {
        if let Answer::Ready(ready) = &self.answer {
            self.pinned = Some(Pinned {
                plan: self.plan.clone(),
                title: self.shown_title(),
                estimate: ready.estimate.clone(),
            });
        }
    }
}

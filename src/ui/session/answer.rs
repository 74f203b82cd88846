//! What follows from a plan, recomputed whole at every change.

use std::time::Instant;

use super::Session;
use crate::{
    catalogue::Catalogue,
    estimate::{Estimate, most_sequences},
    memory::{self, Assumption, Doubt, SavedBlocks, StageDetail, StageMemory},
    monitor::Calibration,
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
    /// Answers a plan; the detail is that of `stage`, or of the worst one. An overhead that was
    /// measured on such a card takes the place of the catalogue's.
    #[must_use]
    pub fn of(
        plan: &Plan,
        catalogue: &Catalogue,
        stage: Option<usize>,
        calibration: Option<&Calibration>,
    ) -> Self {
        let resolved = match plan.resolve(catalogue) {
            Ok(resolved) => resolved,
            Err(PlanError::Invalid(issues)) => return Self::Invalid(issues),
        };
        let planned = memory::estimate(&resolved);
        let memory = calibration.map_or_else(|| planned.clone(), |it| it.apply(&planned));
        let estimate = Estimate { memory, speed: throughput::estimate(&resolved) };
        let stages = estimate.memory.stages.len();
        let shown_stage = stage.filter(|&stage| stage < stages).unwrap_or(estimate.memory.worst);
        let detail = memory::detail(&resolved, shown_stage);
        let detail = match (calibration, planned.stages.get(shown_stage)) {
            (Some(calibration), Some(stage)) => calibration.apply_to_detail(stage, &detail),
            _ => detail,
        };
        Self::Ready(Box::new(Ready {
            shown_stage,
            detail,
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
        let stage = self.selected_stage;
        self.answer = Answer::of(&self.plan, &self.catalogue, stage, self.calibration());
        self.estimate_secs = start.elapsed().as_secs_f64();
    }

    /// The overhead that was measured on the plan's card, if any.
    #[must_use]
    pub fn calibration(&self) -> Option<&Calibration> {
        let gpu = self.plan.gpu(&self.catalogue)?;
        self.live.settings.calibrations.iter().rev().find(|it| it.is_of(&gpu.name, None))
    }

    /// The shown stage as the catalogue has its overhead, whatever was measured.
    #[must_use]
    pub fn planned_stage(&self) -> Option<StageMemory> {
        let Answer::Ready(ready) = &self.answer else { return None };
        let resolved = self.plan.resolve(&self.catalogue).ok()?;
        memory::estimate(&resolved).stages.get(ready.shown_stage).cloned()
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

//! How fast: operations, roofline, collectives, pipeline.
//!
//! A step is a list of operations, each with its FLOPs, its bytes and a time from the roofline
//! ([`Operation`]); collectives over the links that their groups span come on top, as far as compute
//! does not hide them; the pipeline's bubble and the optimizer follow. Everything measured or fitted
//! is in one file, `fractions.rs`.

mod answer;
mod assembly;
mod classes;
mod collectives;
mod cost;
mod explain;
mod formats;
mod fractions;
mod host;
mod levels;
mod links;
mod model_flops;
mod operations;
mod optimizer;
mod pipeline;
mod power;
mod recompute;
mod roofline;
mod serving;
mod shapes;
mod shown;
mod traffic;
mod training;
mod work;

pub use self::{
    answer::{
        AchievedFraction, Bound, CommunicationGroup, Figures, GroupTraffic, Operation,
        OperationClass, PowerDraw, ProductKind, ProductShape, ServingFigures, SpeedEstimate,
        SpeedExplanation, TimeCauses, TimePart, TrainingFigures,
    },
    explain::explain,
    levels::MemoryLevels,
    links::{HostLink, host_link},
};
use crate::plan::{Resolved, Task};

/// Speed of a plan: a training step, or prompts and generation.
#[must_use]
pub fn estimate(plan: &Resolved<'_>) -> SpeedEstimate {
    match plan.plan.workload.task {
        Task::Training => training::estimate(plan),
        Task::Inference => serving::estimate(plan),
    }
}

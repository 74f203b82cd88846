//! What the person wants: the one thing that is edited, saved, shared and compared.

mod checkpointing;
mod choice;
mod derived;
mod framework;
mod hardware;
mod issue;
mod model;
mod optimizer;
mod parallelism;
mod precision;
mod validate;
mod workload;

pub mod file;

use serde::{Deserialize, Serialize};

pub use self::{
    checkpointing::{CheckpointPolicy, Checkpointing, RecomputedModules},
    choice::Choice,
    derived::{Layout, Resolved},
    framework::{AttentionKernel, Framework, LossKind, Offload, Profile},
    hardware::{DEFAULT_NETWORK_GBITS_PER_GPU, GpuChoice, Hardware, NodeLink},
    issue::{Field, Group, Issue, PlanError, Severity},
    model::{CustomModel, ModelChoice},
    optimizer::{Optimizer, OptimizerKind, StepKernel},
    parallelism::{ContextExchange, Parallelism, Schedule, Sharding},
    precision::{
        MixedPrecision, Precision, QuantisedKernel, Recipe, ScaleRecipe, Scaled, WeightFormat,
    },
    validate::MAX_SEQUENCES,
    workload::{CacheAllocation, Lora, LoraTargets, Method, Task, Workload},
};

pub(crate) use self::choice::choices;

/// Everything a person decides. The default fits a beginner: an 8B model, QLoRA, one 24 GB card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// Which model.
    pub model: ModelChoice,
    /// Which machines.
    pub hardware: Hardware,
    /// Which task, batch and lengths.
    pub workload: Workload,
    /// Which number formats.
    pub precision: Precision,
    /// Which optimizer.
    pub optimizer: Optimizer,
    /// How the work is divided.
    pub parallelism: Parallelism,
    /// What is recomputed.
    pub checkpointing: Checkpointing,
    /// Which software.
    pub framework: Framework,
}

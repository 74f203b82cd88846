//! Plans to turn knobs of, and short ways to ask for what they need.

use vramplan::{
    catalogue::{Architecture, Catalogue, Gpu},
    memory::{self, MemoryEstimate, Moment, Part, Parts, StageMemory},
    plan::{
        CacheAllocation, CheckpointPolicy, CustomModel, GpuChoice, Method, ModelChoice, Plan,
        Recipe, Sharding, Task, WeightFormat,
    },
};

/// The embedded catalogue.
pub fn catalogue() -> &'static Catalogue {
    Catalogue::embedded()
}

/// The architecture of a model of the catalogue.
pub fn architecture(model: &str) -> &'static Architecture {
    &catalogue().model(model).expect("a model of the catalogue").architecture
}

/// All parameters trained in plain bf16 by AdamW on one H100: one sequence of 2048 tokens, flash
/// attention, nothing recomputed.
pub fn training(model: &str) -> Plan {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue(model.to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan.workload.method = Method::Full;
    plan.workload.accumulation = 1;
    plan.checkpointing.policy = CheckpointPolicy::None;
    plan
}

/// The same with gradients that stay from step to step, so that the whole of them is in every peak.
pub fn states_of(model: &str, recipe: Recipe) -> Plan {
    let mut plan = training(model);
    recipe.apply(&mut plan.precision);
    plan.optimizer.set_to_none = false;
    plan
}

/// One sequence served in 16 bits on one H100, with pages for the cache and nothing generated yet.
pub fn serving(model: &str, prompt_tokens: u32) -> Plan {
    let mut plan = training(model);
    plan.workload.task = Task::Inference;
    plan.workload.cache = CacheAllocation::Paged;
    plan.workload.prompt_tokens = prompt_tokens;
    plan.workload.generated_tokens = 0;
    plan.precision.weight_format = WeightFormat::Bf16;
    plan
}

/// The plan with some knobs turned.
pub fn with(plan: &Plan, change: impl FnOnce(&mut Plan)) -> Plan {
    let mut plan = plan.clone();
    change(&mut plan);
    plan
}

/// The plan with another architecture.
pub fn with_architecture(plan: &Plan, change: impl FnOnce(&mut Architecture)) -> Plan {
    let mut architecture = plan.architecture(catalogue()).expect("a known model").clone();
    change(&mut architecture);
    let custom = CustomModel { name: "changed".to_owned(), architecture, proposed_from: None };
    with(plan, |plan| plan.model = ModelChoice::Custom(Box::new(custom)))
}

/// The plan on another card.
pub fn with_card(plan: &Plan, change: impl FnOnce(&mut Gpu)) -> Plan {
    let mut gpu = plan.gpu(catalogue()).expect("a known card").clone();
    change(&mut gpu);
    with(plan, |plan| plan.hardware.gpu = GpuChoice::Custom(Box::new(gpu)))
}

/// The plan on so many data-parallel ranks with this sharding.
pub fn sharded(plan: &Plan, gpus: u32, sharding: Sharding) -> Plan {
    with(plan, |plan| {
        plan.hardware.gpus = gpus;
        plan.parallelism.sharding = sharding;
    })
}

/// What the engine says of a plan.
pub fn answer(plan: &Plan) -> MemoryEstimate {
    memory::estimate(&plan.resolve(catalogue()).expect("a valid plan"))
}

/// The first stage, the only one without a pipeline.
pub fn stage(plan: &Plan) -> StageMemory {
    answer(plan).stages.first().expect("a stage").clone()
}

/// Bytes of a part at the peak of the first stage.
pub fn part(plan: &Plan, part: Part) -> u64 {
    stage(plan).parts.get(part).0
}

/// What is alive on a stage at a moment of the step.
pub fn at(plan: &Plan, stage: usize, moment: Moment) -> Parts {
    let resolved = plan.resolve(catalogue()).expect("a valid plan");
    let timeline = memory::detail(&resolved, stage).timeline;
    timeline.iter().find(|point| point.moment == moment).expect("a moment of the step").parts
}

/// Parameters, gradients, optimizer states and master weights of a stage.
pub fn state_bytes(parts: &Parts) -> u64 {
    [Part::Parameters, Part::Gradients, Part::OptimizerState, Part::MasterWeights]
        .map(|part| parts.get(part).0)
        .iter()
        .sum()
}

/// Everything that is kept for backward, at a moment.
pub fn activation_bytes(parts: &Parts) -> u64 {
    [Part::AttentionActivations, Part::MlpActivations, Part::NormActivations, Part::Checkpoints]
        .map(|part| parts.get(part).0)
        .iter()
        .sum()
}

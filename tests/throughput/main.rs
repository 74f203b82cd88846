//! The throughput engine: sums, ceilings, monotony, power, and a handful of measured runs.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod capacity;
mod complaints;
mod levels;
mod power;
mod properties;
mod published;
#[path = "../support/random_plan.rs"]
mod random_plan;

use vramplan::{
    catalogue::{Catalogue, Dtype, Gpu},
    plan::{
        CheckpointPolicy, GpuChoice, Method, MixedPrecision, ModelChoice, Plan, Profile, Resolved,
        Sharding, Task, WeightFormat,
    },
    throughput::{self, Figures, ServingFigures, SpeedEstimate, TrainingFigures},
};

fn resolved<'a>(plan: &'a Plan, catalogue: &'a Catalogue) -> Option<Resolved<'a>> {
    plan.resolve(catalogue).ok()
}

fn estimate(plan: &Plan) -> SpeedEstimate {
    let catalogue = Catalogue::embedded();
    throughput::estimate(&resolved(plan, catalogue).expect("a valid plan"))
}

fn training(plan: &Plan) -> TrainingFigures {
    match estimate(plan).figures {
        Figures::Training(figures) => figures,
        Figures::Serving(_) => panic!("a training plan gives training figures"),
    }
}

fn serving(plan: &Plan) -> ServingFigures {
    match estimate(plan).figures {
        Figures::Serving(figures) => figures,
        Figures::Training(_) => panic!("a serving plan gives serving figures"),
    }
}

fn card(name: &str) -> Gpu {
    Catalogue::embedded().gpu(name).expect("a card of the catalogue").clone()
}

fn with_card(plan: &Plan, change: impl FnOnce(&mut Gpu)) -> Plan {
    let mut plan = plan.clone();
    let mut gpu = plan.gpu(Catalogue::embedded()).expect("a known card").clone();
    change(&mut gpu);
    plan.hardware.gpu = GpuChoice::Custom(Box::new(gpu));
    plan
}

/// Seconds of what a plan does: the step, or one decode step.
fn secs(speed: &SpeedEstimate) -> f64 {
    speed.total_time().0
}
/// torchtitan's 8B on its 96 GB H100, selective checkpointing, FSDP.
fn torchtitan_8b(gpus: u32) -> Plan {
    let mut gpu = card("NVIDIA H100 80GB HBM3");
    gpu.bandwidth_gbps = 2400.0;
    let mut plan = Plan::default();
    plan.hardware.gpu = GpuChoice::Custom(Box::new(gpu));
    plan.hardware.gpus = gpus;
    plan.workload.method = Method::Full;
    plan.workload.sequence = 8192;
    plan.workload.micro_batch = 2;
    plan.workload.accumulation = 1;
    plan.precision.param_dtype = Dtype::Fp32;
    plan.precision.grad_dtype = Dtype::Fp32;
    plan.precision.mixed = MixedPrecision::CastAtGather;
    plan.parallelism.sharding = Sharding::Zero3;
    plan.checkpointing.policy = CheckpointPolicy::SelectiveAlternateMatmul;
    plan.framework.profile = Profile::Fsdp2;
    plan
}

/// Single-stream decode of a short answer.
fn decode(model: &str, gpu: &str, format: WeightFormat) -> Plan {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue(model.to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue(gpu.to_owned());
    plan.workload.task = Task::Inference;
    plan.workload.prompt_tokens = 5;
    plan.workload.generated_tokens = 200;
    plan.precision.weight_format = format;
    plan.framework.compile = true;
    plan
}

fn near(what: &str, predicted: f64, measured: f64, tolerance: f64) {
    let error = predicted / measured - 1.0;
    assert!(
        error.abs() <= tolerance,
        "{what}: {predicted:.1} against {measured} measured ({:+.0} %)",
        error * 100.0
    );
}

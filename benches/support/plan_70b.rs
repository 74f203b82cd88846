//! The plan that the times are promised for: a 70B model on 128 GPUs (tensor 8, pipeline 4, data 4).

use vramplan::plan::{GpuChoice, Method, ModelChoice, Plan, Profile, Recipe, Sharding, StepKernel};

/// Pretraining of Llama 3.1 70B on 128 H100 with Megatron-Core.
pub fn plan_70b() -> Plan {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue("llama-3.1-70b".to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan.hardware.gpus = 128;
    plan.workload.method = Method::Full;
    plan.workload.sequence = 8192;
    plan.workload.accumulation = 32;
    plan.parallelism.tensor = 8;
    plan.parallelism.pipeline = 4;
    plan.parallelism.sharding = Sharding::Zero1;
    plan.framework.profile = Profile::Megatron;
    plan.optimizer.implementation = StepKernel::Fused;
    Recipe::Bf16MasterFp32Grads.apply(&mut plan.precision);
    plan
}

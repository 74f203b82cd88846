//! The throughput engine: sums, ceilings, monotony, and a handful of measured runs.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;
use vramplan::{
    catalogue::{Catalogue, Dtype, Gpu},
    plan::{
        AttentionKernel, CheckpointPolicy, Choice, GpuChoice, LossKind, Method, MixedPrecision,
        ModelChoice, Offload, OptimizerKind, Plan, Profile, Resolved, Schedule, Sharding,
        StepKernel, Task, WeightFormat,
    },
    throughput::{self, Figures, ServingFigures, SpeedEstimate, TimePart, TrainingFigures},
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

prop_compose! {
    fn machines()(
        gpu in 0_usize..171,
        tensor in 0_u32..4,
        pipeline in 0_u32..4,
        context in 0_u32..3,
        data in 0_u32..5,
        per_node in 0_u32..4,
        network in prop::sample::select(vec![25.0, 100.0, 400.0, 800.0]),
    ) -> (usize, [u32; 4], u32, f64) {
        (gpu, [1 << tensor, 1 << pipeline, 1 << context, 1 << data], 1 << per_node, network)
    }
}

prop_compose! {
    fn workloads()(
        model in 0_usize..107,
        inference in any::<bool>(),
        method in prop::sample::select(Method::ALL),
        sequence in 5_u32..15,
        micro_batch in 1_u32..9,
        accumulation in 1_u32..33,
        concurrency in 1_u32..257,
    ) -> (usize, bool, Method, [u32; 4]) {
        (model, inference, method, [1 << sequence, micro_batch, accumulation, concurrency])
    }
}

prop_compose! {
    fn settings()(
        policy in prop::sample::select(CheckpointPolicy::ALL),
        kernel in prop::sample::select(AttentionKernel::ALL),
        profile in prop::sample::select(Profile::ALL),
        loss in prop::sample::select(LossKind::ALL),
        offload in prop::sample::select(Offload::ALL),
        compile in any::<bool>(),
        optimizer in prop::sample::select(OptimizerKind::ALL),
        step in prop::sample::select(StepKernel::ALL),
        format in prop::sample::select(WeightFormat::ALL),
        sharding in prop::sample::select(Sharding::ALL),
        schedule in prop::sample::select(Schedule::ALL),
        compute in prop::sample::select(vec![Dtype::Bf16, Dtype::Fp16, Dtype::Fp32, Dtype::Fp8]),
    ) -> Plan {
        let mut plan = Plan::default();
        plan.checkpointing.policy = policy;
        plan.framework.attention = kernel;
        plan.framework.profile = profile;
        plan.framework.loss = loss;
        plan.framework.offload = offload;
        plan.framework.compile = compile;
        plan.optimizer.kind = optimizer;
        plan.optimizer.implementation = step;
        plan.precision.weight_format = format;
        plan.precision.compute_dtype = compute;
        plan.parallelism.sharding = sharding;
        plan.parallelism.schedule = schedule;
        plan
    }
}

prop_compose! {
    fn plans()(
        plan in settings(),
        (gpu, [tensor, pipeline, context, data], per_node, network) in machines(),
        (model, inference, method, [sequence, micro_batch, accumulation, concurrency]) in workloads(),
        expert in 0_u32..4,
        alone in any::<bool>(),
    ) -> Plan {
        let catalogue = Catalogue::embedded();
        let mut plan = plan;
        let name = catalogue.gpus.get(gpu).expect("one of 171").name.clone();
        plan.hardware.gpu = GpuChoice::Catalogue(name);
        plan.model = ModelChoice::Catalogue(catalogue.models.get(model).expect("one of 107").id.clone());
        plan.hardware.network_gbits_per_gpu = network;
        plan.hardware.gpus_per_node = per_node;
        if !alone {
            plan.parallelism.tensor = tensor;
            plan.parallelism.pipeline = pipeline;
            plan.parallelism.context = if inference { 1 } else { context };
            plan.parallelism.expert = 1 << expert;
            let axes = &plan.parallelism;
            plan.hardware.gpus = axes.tensor * axes.pipeline * axes.context * data;
        }
        let experts = catalogue.models.get(model).and_then(|model| model.architecture.moe);
        if experts.is_none() || inference {
            plan.parallelism.expert = 1;
        }
        plan.workload.task = if inference { Task::Inference } else { Task::Training };
        plan.workload.method = method;
        plan.workload.sequence = sequence;
        plan.workload.micro_batch = micro_batch;
        plan.workload.accumulation = accumulation;
        plan.workload.concurrency = concurrency;
        plan.workload.prompt_tokens = sequence;
        plan
    }
}

/// What has to hold of every answer.
fn check(plan: &Resolved<'_>, speed: &SpeedEstimate) -> Result<(), TestCaseError> {
    let peak = Dtype::ALL_FOR_TEST
        .iter()
        .filter_map(|&dtype| plan.gpu.peak(dtype))
        .fold(0.0, |largest: f64, rate| largest.max(rate.0));
    for (part, secs) in &speed.time {
        prop_assert!(secs.0.is_finite() && secs.0 >= 0.0, "{part:?} is {secs:?}");
    }
    for operation in &speed.operations {
        let secs = operation.time.0;
        prop_assert!(secs.is_finite() && secs > 0.0, "{operation:?}");
        prop_assert!(operation.flops.0.is_finite() && operation.flops.0 >= 0.0, "{operation:?}");
        prop_assert!(operation.flops.0 / secs <= peak * 1.000_001, "above the peak: {operation:?}");
        let rate = operation.bytes.as_f64() / secs;
        prop_assert!(rate <= plan.gpu.bandwidth().0 * 1.000_001, "above bandwidth: {operation:?}");
    }
    for traffic in &speed.communication {
        prop_assert!(traffic.exposed.0 >= 0.0 && traffic.exposed.0 <= traffic.time.0 * 1.000_001);
    }
    for fraction in &speed.fractions {
        prop_assert!(fraction.value > 0.0 && fraction.value <= 1.0, "{fraction:?}");
    }
    match &speed.figures {
        Figures::Training(figures) => {
            prop_assert_eq!(speed.total_time(), figures.step, "the parts sum to the step exactly");
            prop_assert!(
                figures.mfu > 0.0 && figures.mfu <= figures.hfu && figures.hfu <= 1.0,
                "{figures:?}"
            );
            for value in [figures.tokens_per_sec, figures.time_to_train.0, figures.gpu_hours] {
                prop_assert!(value.is_finite() && value > 0.0, "{figures:?}");
            }
        }
        Figures::Serving(figures) => {
            prop_assert_eq!(
                speed.total_time(),
                figures.token_latency,
                "the parts sum to the latency"
            );
            prop_assert!(figures.decode_tokens_per_sec <= figures.decode_ceiling_tokens_per_sec);
            for value in [figures.prefill_tokens_per_sec, figures.time_to_first_token.0] {
                prop_assert!(value.is_finite() && value > 0.0, "{figures:?}");
            }
        }
    }
    Ok(())
}

trait AllDtypes {
    const ALL_FOR_TEST: [Dtype; 6];
}

impl AllDtypes for Dtype {
    const ALL_FOR_TEST: [Dtype; 6] =
        [Self::Fp32, Self::Bf16, Self::Fp16, Self::Fp8, Self::Fp4, Self::Int8];
}

/// The same plan on a card with one thing better.
fn improvements(plan: &Plan) -> [(&'static str, Plan); 5] {
    let rates = |gpu: &mut Gpu| {
        let tflops = &mut gpu.tflops;
        for rate in [
            &mut tflops.fp32,
            &mut tflops.tf32,
            &mut tflops.fp16,
            &mut tflops.bf16,
            &mut tflops.fp8,
            &mut tflops.int8,
            &mut tflops.fp4,
        ] {
            *rate = rate.map(|rate| rate * 1.7);
        }
    };
    let mut network = plan.clone();
    network.hardware.network_gbits_per_gpu *= 3.0;
    [
        ("bandwidth", with_card(plan, |gpu| gpu.bandwidth_gbps *= 1.5)),
        ("FLOPS", with_card(plan, rates)),
        (
            "fast link",
            with_card(plan, |gpu| {
                if let Some(link) = &mut gpu.nvlink {
                    link.bidirectional_gbps *= 2.0;
                }
            }),
        ),
        (
            "PCIe",
            with_card(plan, |gpu| gpu.pcie_gen = gpu.pcie_gen.map(|generation| generation + 1)),
        ),
        ("network", network),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_plans_give_finite_times_that_sum_and_stay_below_the_ceilings(plan in plans()) {
        let catalogue = Catalogue::embedded();
        if let Some(plan) = resolved(&plan, catalogue) {
            let speed = throughput::estimate(&plan);
            check(&plan, &speed)?;
            let explanation = throughput::explain(&plan, &speed);
            prop_assert!(explanation.time.len() >= speed.time.len(), "every part has a term");
            prop_assert!(!explanation.headline.is_empty(), "the headline figures have terms");
        }
    }

    #[test]
    fn better_hardware_never_slows_a_plan_down(plan in plans()) {
        let catalogue = Catalogue::embedded();
        if let Some(before) = resolved(&plan, catalogue) {
            let before = secs(&throughput::estimate(&before));
            for (what, better) in improvements(&plan) {
                let Some(after) = resolved(&better, catalogue) else { continue };
                let after = secs(&throughput::estimate(&after));
                prop_assert!(after <= before * 1.000_000_1, "{what}: {before} s before, {after} s after");
            }
        }
    }
}

#[test]
fn most_random_plans_are_valid() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let catalogue = Catalogue::embedded();
    let valid = (0..500)
        .filter(|_| {
            let plan = plans().new_tree(&mut runner).expect("a plan").current();
            resolved(&plan, catalogue).is_some()
        })
        .count();
    println!("{valid} of 500 valid");
    assert!(valid > 100, "{valid} of 500 plans are valid: too few for the properties to mean much");
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

/// Source: torchtitan, `benchmarks/llama3_h100_202412_torchtitan.md`, tables 1 and 3.
#[test]
fn fsdp_on_eight_and_on_128_gpus_is_near_the_published_runs() {
    near("8 GPUs", training(&torchtitan_8b(8)).tokens_per_sec_per_gpu, 5762.0, 0.2);
    near("128 GPUs", training(&torchtitan_8b(128)).tokens_per_sec_per_gpu, 5605.0, 0.2);
    let mut compiled = torchtitan_8b(8);
    compiled.framework.compile = true;
    near("compiled", training(&compiled).tokens_per_sec_per_gpu, 6667.0, 0.2);
}

/// Source: gpt-fast's README (A100 at 330 W) and llama.cpp benchmarks of an RTX 4090.
#[test]
fn decode_is_near_the_published_runs() {
    let a100 = "NVIDIA A100-SXM4-80GB";
    let speed = |plan: &Plan| serving(plan).decode_tokens_per_sec;
    near("7B bf16", speed(&decode("llama-2-7b", a100, WeightFormat::Bf16)), 104.9, 0.2);
    near("7B int8", speed(&decode("llama-2-7b", a100, WeightFormat::Int8)), 155.58, 0.25);
    near("70B int4", speed(&decode("llama-2-70b", a100, WeightFormat::Int4Group32)), 25.25, 0.2);
    let gaming = "NVIDIA GeForce RTX 4090";
    near("8B fp16", speed(&decode("llama-3-8b", gaming, WeightFormat::Fp16)), 54.84, 0.2);
    near("8B q4", speed(&decode("llama-3-8b", gaming, WeightFormat::Q4KM)), 127.74, 0.25);
}

#[test]
fn recomputation_costs_about_a_third_and_raises_only_hardware_utilisation() {
    let mut full = torchtitan_8b(8);
    full.checkpointing.policy = CheckpointPolicy::Full;
    let mut none = full.clone();
    none.checkpointing.policy = CheckpointPolicy::None;
    let (full, none) = (training(&full), training(&none));
    let ratio = full.step.0 / none.step.0;
    assert!((1.2..1.4).contains(&ratio), "full checkpointing takes {ratio:.2} times as long");
    assert!(none.mfu > full.mfu, "the model's work is the same in less time");
    assert!((none.hfu - none.mfu).abs() < 1e-12, "nothing is recomputed");
    assert!(full.hfu > full.mfu, "recomputation counts");
}

#[test]
fn more_micro_batches_shrink_the_bubble_and_better_schedules_too() {
    let mut plan = torchtitan_8b(8);
    plan.parallelism.sharding = Sharding::None;
    plan.parallelism.pipeline = 8;
    plan.workload.accumulation = 16;
    let share = |plan: &Plan| {
        let speed = estimate(plan);
        speed.time_of(TimePart::Bubble).0 / secs(&speed)
    };
    let few = share(&plan);
    plan.workload.accumulation = 64;
    let many = share(&plan);
    assert!(
        few > 0.2 && many < few / 2.0,
        "bubble {few:.3} with 16, {many:.3} with 64 micro-batches"
    );
    plan.parallelism.schedule = Schedule::ZeroBubbleH2;
    assert!(share(&plan) == 0.0, "no bubble with ZB-H2");
}

#[test]
fn frozen_weights_count_four_flops_instead_of_six() {
    let mut plan = torchtitan_8b(8);
    let full = training(&plan).model_flops.0;
    plan.workload.method = Method::Lora;
    plan.workload.lora.rank = 1;
    let frozen = training(&plan).model_flops.0;
    assert!((0.68..0.78).contains(&(frozen / full)), "{:.3} of full fine-tuning", frozen / full);
}

#[test]
fn a_small_model_in_eager_mode_waits_for_the_host() {
    let mut plan = decode("qwen2.5-0.5b", "NVIDIA A100-SXM4-80GB", WeightFormat::Bf16);
    let captured = estimate(&plan);
    plan.framework.compile = false;
    let eager = estimate(&plan);
    assert_eq!(eager.bound_by, throughput::Bound::Launch, "24 blocks take the host longer");
    assert!(secs(&eager) > 3.0 * secs(&captured), "captured graphs lift it");
}

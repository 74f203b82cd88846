//! What holds of every plan: sums, ceilings, monotony.

use proptest::prelude::*;
use vramplan::{
    catalogue::{Catalogue, Dtype, Gpu},
    plan::{
        AttentionKernel, CheckpointPolicy, Choice, ContextExchange, GpuChoice, LossKind, Method,
        ModelChoice, Offload, OptimizerKind, Plan, Profile, QuantisedKernel, Resolved, Schedule,
        Sharding, StepKernel, Task, WeightFormat,
    },
    throughput::{self, Figures, SpeedEstimate, host_link},
};

use crate::{resolved, secs, with_card};

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
        quantised in prop::sample::select(QuantisedKernel::ALL),
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
        plan.precision.quantised_kernel = quantised;
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
        [alone, overlap, once, heads] in any::<[bool; 4]>(),
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
            plan.parallelism.overlap_expert = overlap;
            plan.parallelism.dispatch_once_a_node = once;
            plan.parallelism.context_exchange =
                if heads { ContextExchange::AllToAll } else { ContextExchange::Ring };
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

/// What all links of one GPU and of its node's network adapters carry in one direction.
fn links(plan: &Resolved<'_>) -> f64 {
    let (_, slot) =
        host_link(&Gpu { unified_memory: false, c2c_bidirectional_gbps: None, ..plan.gpu.clone() });
    let fast = plan.gpu.nvlink.as_ref().map_or(0.0, |link| link.bidirectional_gbps * 1e9 / 2.0);
    let hardware = &plan.plan.hardware;
    let ranks = f64::from(hardware.gpus_per_node.max(72));
    slot.0.max(fast) + ranks * hardware.network_gbits_per_gpu * 1e9 / 8.0
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
        let rate = traffic.rate().0;
        prop_assert!(rate > 0.0 && rate <= links(plan) * 1.000_001, "above the links: {traffic:?}");
    }
    if let Some(power) = &speed.power {
        let waiting = 0.199_999 * power.limit_watts;
        prop_assert!(power.watts <= power.limit_watts * 1.000_001, "above the limit: {power:?}");
        prop_assert!(power.watts >= waiting, "less than a card that waits: {power:?}");
        let shares = power.compute + power.memory + power.communication + power.waiting;
        prop_assert!((shares - 1.0).abs() < 1e-6, "shares of the whole time: {power:?}");
    }
    prop_assert_eq!(speed.power.is_some(), plan.gpu.tdp_watts.is_some(), "known with the limit");
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
            let of_all_stages = peak * plan.layout.pipeline as f64;
            let reached = speed.causes.prompt_flops.0 / figures.time_to_first_token.0;
            prop_assert!(reached <= of_all_stages * 1.000_001, "prompts above the peak: {speed:?}");
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

/// The same plan with one thing better.
fn improvements(plan: &Plan) -> [(&'static str, Plan); 7] {
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
    let mut overlap = plan.clone();
    overlap.parallelism.overlap_expert = true;
    overlap.parallelism.overlap_tensor = true;
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
        ("overlap", overlap),
        (
            "link to the processor",
            with_card(plan, |gpu| {
                let slot = host_link(gpu).1.giga();
                gpu.c2c_bidirectional_gbps = Some(4.0 * slot);
            }),
        ),
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

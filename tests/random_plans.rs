//! Invariants over random plans: nothing panics, nothing is negative, everything adds up.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/random_plan.rs"]
mod random_plan;

use proptest::prelude::*;
use random_plan::random_plan;
use vramplan::{
    catalogue::{Architecture, Catalogue, Window},
    estimate::estimate,
    explain::Quantity,
    memory::{self, StageMemory, Verdict},
    plan::{
        AttentionKernel, CheckpointPolicy, Choice, CustomModel, Method, ModelChoice, OptimizerKind,
        Plan, Profile, Sharding, Task, WeightFormat,
        file::{PresetFile, parse, write},
    },
    throughput::{self, Figures},
    units::Bytes,
};

const PLANS: u64 = 100_000;

fn step_secs(figures: &Figures) -> f64 {
    match figures {
        Figures::Training(training) => training.step.0,
        Figures::Serving(serving) => serving.token_latency.0,
    }
}

#[test]
fn a_hundred_thousand_random_plans_neither_panic_nor_give_a_part_that_does_not_add_up() {
    let catalogue = Catalogue::embedded();
    let mut valid = 0_u64;
    for seed in 0..PLANS {
        let plan = random_plan(seed, catalogue);
        let Ok(answer) = estimate(&plan, catalogue) else { continue };
        valid += 1;
        let memory = &answer.memory;
        assert_eq!(
            memory.stages.len(),
            plan.parallelism.pipeline as usize,
            "one entry a stage, seed {seed}"
        );
        for stage in &memory.stages {
            let sum: Bytes = stage.parts.iter().map(|(_, bytes)| bytes).sum();
            assert_eq!(sum, stage.total(), "parts sum to the total, seed {seed}");
            assert!(
                stage.low <= stage.total() && stage.total() <= stage.high,
                "band holds, seed {seed}"
            );
            assert!(stage.total() < Bytes(1 << 60), "no overflow, seed {seed}");
            assert!(stage.allocated <= stage.reserved, "live tensors are reserved, seed {seed}");
            assert!(stage.reserved <= stage.total(), "reserved is on the device, seed {seed}");
            assert!(stage.static_bytes <= stage.allocated, "idle is no peak, seed {seed}");
        }
        let layers: u32 = memory.stages.iter().map(|stage| stage.layers).sum();
        let resolved = plan.resolve(catalogue).expect("it was estimated");
        assert_eq!(layers, resolved.arch.layers, "stages hold every layer once, seed {seed}");
        let speed = &answer.speed;
        let step = step_secs(&speed.figures);
        assert!(step.is_finite() && step > 0.0, "a step takes time, seed {seed}: {step}");
        for (part, secs) in &speed.time {
            assert!(secs.0.is_finite() && secs.0 >= 0.0, "{part:?} is a time, seed {seed}");
        }
    }
    assert!(valid > PLANS / 5, "enough of the plans are valid: {valid}");
}

#[test]
fn explanations_and_timeline_agree_with_the_totals_they_explain() {
    let catalogue = Catalogue::embedded();
    for seed in 0..PLANS / 50 {
        let plan = random_plan(seed, catalogue);
        let Ok(resolved) = plan.resolve(catalogue) else { continue };
        let answer = memory::estimate(&resolved);
        for (index, stage) in answer.stages.iter().enumerate() {
            let detail = memory::detail(&resolved, index);
            for (part, bytes) in stage.parts.iter() {
                let explained: Bytes = detail
                    .explanation
                    .of(part)
                    .map(|term| match term.result {
                        Quantity::Bytes(bytes) => bytes,
                        _ => Bytes::ZERO,
                    })
                    .sum();
                assert_eq!(explained, bytes, "terms of {part:?} sum to it, seed {seed}");
            }
            let highest = detail.timeline.iter().map(|point| point.parts.total()).max();
            assert_eq!(
                highest,
                Some(stage.total()),
                "the timeline peaks at the total, seed {seed}"
            );
        }
        let speed = throughput::estimate(&resolved);
        let sum: f64 = speed.time.iter().map(|(_, secs)| secs.0).sum();
        let step = step_secs(&speed.figures);
        assert!(
            (sum - step).abs() <= 1e-9 * step,
            "time parts sum to the step, seed {seed}: {sum} {step}"
        );
    }
}

/// The plan with another setting, if it stays valid.
fn worst_total(plan: &Plan, change: impl FnOnce(&mut Plan)) -> Option<Bytes> {
    let mut plan = plan.clone();
    change(&mut plan);
    let answer = memory::estimate(&plan.resolve(Catalogue::embedded()).ok()?);
    answer.stages.get(answer.worst).map(vramplan::memory::StageMemory::total)
}

fn states(plan: &Plan, sharding: Sharding) -> Option<u64> {
    use vramplan::memory::Part;
    let mut plan = plan.clone();
    plan.parallelism.sharding = sharding;
    let answer = memory::estimate(&plan.resolve(Catalogue::embedded()).ok()?);
    let stage = answer.stages.first()?;
    Some(
        [Part::Parameters, Part::OptimizerState, Part::MasterWeights]
            .map(|part| stage.parts.get(part).0)
            .iter()
            .sum(),
    )
}

/// The plan with a changed architecture, if it has one.
fn with_architecture(plan: &Plan, change: impl FnOnce(&mut Architecture)) -> Option<Plan> {
    let mut architecture = plan.architecture(Catalogue::embedded())?.clone();
    change(&mut architecture);
    let model = CustomModel { name: "changed".to_owned(), architecture, proposed_from: None };
    let mut plan = plan.clone();
    plan.model = ModelChoice::Custom(Box::new(model));
    Some(plan)
}

/// The first stage of the plan, if it is valid.
fn first_stage(plan: &Plan) -> Option<StageMemory> {
    let resolved = plan.resolve(Catalogue::embedded()).ok()?;
    memory::estimate(&resolved).stages.first().cloned()
}

/// Weights, states, master weights and kept gradients of a model with so many alike layers.
fn states_of_layers(plan: &Plan, layers: u32) -> Option<u64> {
    use vramplan::memory::Part;
    let plan = with_architecture(plan, |arch| {
        arch.layers = layers;
        if let Some(moe) = &mut arch.moe {
            moe.first_dense = 0;
        }
        arch.window = arch.window.map(|window| Window { sliding_layers: layers, ..window });
    })?;
    let parts = first_stage(&plan)?.parts;
    let kinds = [Part::Parameters, Part::Gradients, Part::OptimizerState, Part::MasterWeights];
    Some(kinds.map(|part| parts.get(part).0).iter().sum())
}

/// Cache (serving) or saved bytes (training) with so many key-value heads.
fn kept_with_kv_heads(plan: &Plan, kv_heads: u32) -> Option<(Bytes, Bytes)> {
    let plan = with_architecture(plan, |arch| arch.kv_heads = kv_heads)?;
    let stage = first_stage(&plan)?;
    let cache = stage.serving.map(|serving| serving.kv).unwrap_or_default();
    Some((cache, stage.saved_bytes))
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2000)
    })]

    #[test]
    fn model_states_are_linear_in_the_layers(seed in any::<u64>()) {
        let mut plan = random_plan(seed, Catalogue::embedded());
        plan.hardware.gpus /= plan.parallelism.pipeline;
        plan.parallelism.pipeline = 1;
        // Gradients that stay are the same at every moment; a tied pair coexists at the end of backward only.
        plan.optimizer.set_to_none = false;
        plan.optimizer.in_backward = false;
        // Plain PyTorch widens gradients for the optimizer's step only.
        plan.precision.grad_dtype = plan.precision.param_dtype;
        // Frozen weights of several widths are divided by their mean share, which moves a little with
        // the layers where modules divide unevenly.
        plan.precision.weight_format = WeightFormat::Bf16;
        // So are states whose size depends on shapes.
        if matches!(plan.optimizer.kind, OptimizerKind::Adafactor | OptimizerKind::Muon) {
            plan.parallelism.sharding = Sharding::None;
        }
        if plan.framework.profile == Profile::HuggingFace && plan.parallelism.sharding == Sharding::Zero1 {
            // Whole tensors are handed out, so that a large embedding can be all that a rank has.
            plan.parallelism.sharding = Sharding::Zero2;
        }
        let plan = with_architecture(&plan, |arch| arch.tied = false).expect("a known model");
        let sizes: Vec<u64> =
            [8, 16, 24].into_iter().filter_map(|layers| states_of_layers(&plan, layers)).collect();
        if let [few, some, many] = sizes[..] {
            let rises = (some - few, many - some);
            // Fractions of a byte are rounded once a part, of an element once a tensor.
            let slack = 8 + rises.0 / 100_000;
            prop_assert!(rises.0.abs_diff(rises.1) <= slack, "{rises:?} {sizes:?} {plan:?}");
        }
    }

    #[test]
    fn fewer_key_value_heads_never_keep_more(seed in any::<u64>()) {
        let plan = random_plan(seed, Catalogue::embedded());
        let heads = plan.architecture(Catalogue::embedded()).expect("a known model").heads;
        // One for all, in groups, one each.
        let groups = [1, heads / 4, heads / 2, heads].into_iter().filter(|&kv_heads| kv_heads > 0);
        let kept: Vec<(Bytes, Bytes)> =
            groups.filter_map(|kv_heads| kept_with_kv_heads(&plan, kv_heads)).collect();
        for pair in kept.windows(2) {
            prop_assert!(pair[0].0 <= pair[1].0, "cache {kept:?} {plan:?}");
            prop_assert!(pair[0].1 <= pair[1].1, "saved {kept:?} {plan:?}");
        }
    }

    #[test]
    fn a_plan_that_was_saved_and_opened_is_the_same_and_has_the_same_answer(seed in any::<u64>()) {
        let catalogue = Catalogue::embedded();
        let mut plan = random_plan(seed, catalogue);
        if seed % 3 == 0 {
            plan = with_architecture(&plan, |arch| arch.vocab += 1).expect("a known model");
        }
        let file = PresetFile { title: format!("{seed}"), note: String::new(), plan };
        let again = parse(&write(&file)).expect("what was written is read");
        prop_assert_eq!(&again, &file);
        prop_assert_eq!(estimate(&again.plan, catalogue).ok(), estimate(&file.plan, catalogue).ok());
    }

    #[test]
    fn more_sharding_never_means_more_model_state(seed in any::<u64>()) {
        let plan = random_plan(seed, Catalogue::embedded());
        let order = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3];
        let sizes: Vec<u64> = order.into_iter().filter_map(|sharding| states(&plan, sharding)).collect();
        // Sharding by rows pads; a tensor counter a stage is not divided.
        let slack = |bytes: u64| bytes + bytes / 50 + 4096;
        prop_assert!(sizes.windows(2).all(|pair| pair[1] <= slack(pair[0])), "{sizes:?}");
    }

    #[test]
    fn recomputing_more_never_saves_more_for_backward(seed in any::<u64>()) {
        let mut plan = random_plan(seed, Catalogue::embedded());
        plan.workload.task = Task::Training;
        plan.workload.method = Method::Full;
        // A policy keeps outputs whether or not backward needs them; fused kernels and frozen weights need fewer.
        plan.framework.compile = false;
        plan.framework.profile = Profile::HuggingFace;
        // Eager attention's mask, and that of a window, is an input of recomputed blocks, and kept for them alone.
        let window = plan.architecture(Catalogue::embedded()).is_some_and(|arch| arch.window.is_some());
        if window || plan.framework.attention == AttentionKernel::Eager {
            plan.framework.attention = AttentionKernel::Math;
        }
        plan.checkpointing.offload = false;
        let saved = |policy| {
            let mut plan = plan.clone();
            plan.checkpointing.policy = policy;
            let resolved = plan.resolve(Catalogue::embedded()).ok().map(|resolved| memory::estimate(&resolved));
            resolved.and_then(|answer| answer.stages.first().map(|stage| stage.saved_bytes))
        };
        let selective = [
            CheckpointPolicy::None,
            CheckpointPolicy::SelectiveMatmul,
            CheckpointPolicy::SelectiveAlternateMatmul,
            CheckpointPolicy::SelectiveAttention,
            CheckpointPolicy::Full,
        ];
        let whole = [CheckpointPolicy::None, CheckpointPolicy::EveryNth, CheckpointPolicy::Full];
        for order in [&selective[..], &whole[..]] {
            let sizes: Vec<Bytes> = order.iter().copied().filter_map(saved).collect();
            prop_assert!(sizes.windows(2).all(|pair| pair[1] <= pair[0]), "{sizes:?} {plan:?}");
        }
    }

    #[test]
    fn a_longer_sequence_never_needs_less(seed in any::<u64>()) {
        let mut plan = random_plan(seed, Catalogue::embedded());
        plan.workload.sequence = 1024;
        plan.workload.prompt_tokens = 1024;
        let short = worst_total(&plan, |_| {});
        let long = worst_total(&plan, |plan| {
            plan.workload.sequence = 2048;
            plan.workload.prompt_tokens = 2048;
        });
        if let (Some(short), Some(long)) = (short, long) {
            prop_assert!(long >= short, "{short} {long} {plan:?}");
        }
    }

    #[test]
    fn the_verdict_follows_the_band_and_the_capacity(seed in any::<u64>()) {
        let plan = random_plan(seed, Catalogue::embedded());
        if let Ok(resolved) = plan.resolve(Catalogue::embedded()) {
            let answer = memory::estimate(&resolved);
            let low = answer.stages.iter().map(|stage| stage.low).max().unwrap_or_default();
            let high = answer.stages.iter().map(|stage| stage.high).max().unwrap_or_default();
            let expected = if low > answer.capacity {
                Verdict::DoesNotFit
            } else if high > answer.capacity {
                Verdict::Tight
            } else {
                Verdict::Fits
            };
            prop_assert_eq!(answer.verdict, expected);
        }
    }
}

#[test]
fn every_profile_is_reached_by_the_random_plans() {
    let catalogue = Catalogue::embedded();
    for &profile in Profile::ALL {
        let reached = (0..2000)
            .map(|seed| random_plan(seed, catalogue))
            .any(|plan| plan.framework.profile == profile && plan.resolve(catalogue).is_ok());
        assert!(reached, "{profile:?} occurs in a valid plan");
    }
}

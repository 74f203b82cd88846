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
    catalogue::Catalogue,
    estimate::estimate,
    explain::Quantity,
    memory::{self, Verdict},
    plan::{CheckpointPolicy, Choice, Method, Plan, Profile, Sharding, Task},
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

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
            prop_assert!(long >= short);
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

//! Plans at the edge of what is accepted: refused or estimated, but without an overflow.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use proptest::prelude::*;
use vramplan::{
    catalogue::{Architecture, Catalogue, Dtype, Mla, Moe},
    estimate::estimate,
    plan::{
        AttentionKernel, CheckpointPolicy, Choice, CustomModel, Method, ModelChoice, Plan, Profile,
        Schedule, Sharding, Task, WeightFormat,
    },
};

/// Powers of two up to `bits` bits, rarely one of their neighbours, zero or the largest number.
fn size(bits: u32) -> impl Strategy<Value = u32> {
    (0..=bits, 0..128_u32).prop_map(|(shift, kind)| match kind {
        0 => 0,
        1 => (1_u32 << shift.min(31)).saturating_sub(1),
        2 => (1_u32 << shift.min(31)).saturating_add(1),
        3 => u32::MAX,
        _ => 1_u32 << shift.min(31),
    })
}

fn choice<T: Choice + std::fmt::Debug>() -> impl Strategy<Value = T> {
    prop::sample::select(T::ALL.to_vec())
}

fn architecture() -> impl Strategy<Value = Architecture> {
    let base = Catalogue::embedded().model("llama-3.1-8b").expect("known").architecture.clone();
    let widths = (size(20), size(12), size(10), size(10), size(12), size(24), size(24));
    (widths, prop::option::of((size(12), size(6), size(16))), any::<bool>()).prop_map(
        move |((hidden, layers, heads, kv_heads, head_dim, ffn, vocab), moe, latent)| {
            let mut arch = base.clone();
            (arch.hidden, arch.layers, arch.heads, arch.kv_heads) =
                (hidden, layers, heads, kv_heads);
            (arch.head_dim, arch.ffn, arch.vocab) = (head_dim, ffn, vocab);
            arch.moe = moe.map(|(experts, topk, expert_ffn)| Moe {
                experts,
                topk: topk.min(experts),
                expert_ffn,
                shared_ffn: expert_ffn,
                first_dense: 1,
            });
            arch.mla = latent.then_some(Mla {
                q_lora_rank: Some(hidden),
                kv_lora_rank: hidden,
                qk_nope_dim: head_dim / 2,
                qk_rope_dim: head_dim - head_dim / 2,
                v_dim: head_dim,
            });
            arch
        },
    )
}

fn plan() -> impl Strategy<Value = Plan> {
    let work =
        (choice::<Task>(), choice::<Method>(), size(24), size(16), size(20), size(24), size(16));
    let axes =
        (size(20), size(6), size(8), size(4), size(4), choice::<Schedule>(), choice::<Sharding>());
    let rest = (
        choice::<Profile>(),
        choice::<AttentionKernel>(),
        choice::<CheckpointPolicy>(),
        choice::<WeightFormat>(),
        size(16),
        size(14),
    );
    let model = prop::option::of(architecture());
    (work, axes, rest, model).prop_map(|(work, axes, rest, model)| {
        let mut plan = Plan::default();
        let load = &mut plan.workload;
        (
            load.task,
            load.method,
            load.sequence,
            load.micro_batch,
            load.accumulation,
            load.prompt_tokens,
            load.concurrency,
        ) = work;
        let division = &mut plan.parallelism;
        (
            plan.hardware.gpus,
            division.tensor,
            division.pipeline,
            division.context,
            division.expert,
            division.schedule,
            division.sharding,
        ) = axes;
        (
            plan.framework.profile,
            plan.framework.attention,
            plan.checkpointing.policy,
            plan.precision.weight_format,
            plan.workload.lora.rank,
            plan.hardware.memory_in_use_mib,
        ) = rest;
        plan.workload.lora.dtype = Dtype::Bf16;
        plan.parallelism.expert_tensor = Some(1);
        // GPUs that divide, most of the time: otherwise nearly every plan is refused for them alone.
        let division = &plan.parallelism;
        let degrees = [division.tensor, division.pipeline, division.context].map(u64::from);
        let product = degrees.into_iter().fold(1, u64::saturating_mul).clamp(1, 1 << 20);
        let gpus = u64::from(plan.hardware.gpus).next_multiple_of(product).min(1 << 20);
        plan.hardware.gpus = u32::try_from(gpus).expect("at most 2^20");
        if model.is_none() {
            plan.parallelism.expert = 1;
        }
        if let Some(architecture) = model {
            let name = "limit".to_owned();
            let custom = CustomModel { name, architecture, proposed_from: None };
            if custom.architecture.moe.is_none() {
                plan.parallelism.expert = 1;
            }
            plan.model = ModelChoice::Custom(Box::new(custom));
        }
        plan
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_at_the_limits_is_refused_or_estimated_without_an_overflow(plan in plan()) {
        let catalogue = Catalogue::embedded();
        let _ = plan.validate(catalogue);
        if let Ok(answer) = estimate(&plan, catalogue) {
            for stage in &answer.memory.stages {
                prop_assert!(stage.total().0 < u64::MAX, "no saturated sum");
            }
        }
    }
}

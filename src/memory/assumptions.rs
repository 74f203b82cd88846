//! What the memory of a plan rests on besides its equations: whose training loop, which kernels,
//! which formats, what the allocator holds, and how sure all of it is.

use super::{
    runtime,
    saved::{Rules, Style},
};
use crate::{
    catalogue::{CapacityBasis, Dtype},
    message::{Arg, Message},
    plan::{CacheAllocation, Choice as _, Resolved, Task},
    units::{Bytes, percent},
};

/// One assumption that the numbers rest on.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// A few words.
    pub text: Message,
    /// Text key whose hint says what follows from it.
    pub hint: &'static str,
}

impl Assumption {
    /// An assumption in words of its own.
    const fn new(key: &'static str) -> Self {
        Self { text: Message::new(key), hint: key }
    }

    /// A choice of the plan, explained by the choice's own hint.
    fn choice(key: &'static str, choice: &'static str) -> Self {
        Self { text: Message::new(key).with("choice", Arg::Key(choice)), hint: choice }
    }

    /// An assumption with a value in it.
    fn with(key: &'static str, value: String) -> Self {
        Self { text: Message::new(key).with("value", value), hint: key }
    }
}

/// What the memory of a plan rests on, the most telling first.
#[must_use]
pub fn assumptions(plan: &Resolved<'_>) -> Vec<Assumption> {
    let mut all = match plan.plan.workload.task {
        Task::Training => training(plan),
        Task::Inference => serving(plan),
    };
    all.push(Assumption::with("assume-reserve", percent(runtime::reserve_share(plan))));
    all.push(match plan.gpu.usable_memory().1 {
        CapacityBasis::Driver => Assumption::new("assume-capacity-driver"),
        CapacityBasis::Label => Assumption::new("assume-capacity-label"),
    });
    let in_use = plan.plan.hardware.memory_in_use_mib;
    if in_use > 0 {
        let size = Bytes::from_mib(u64::from(in_use)).to_string();
        all.push(Assumption::with("assume-in-use", size));
    }
    all
}

fn training(plan: &Resolved<'_>) -> Vec<Assumption> {
    let framework = &plan.plan.framework;
    let rules = Rules::of(plan);
    let style = match rules.style {
        Style::Composed => "assume-composed",
        Style::Fused => "assume-fused",
    };
    let policy = plan.plan.checkpointing.policy.key();
    let mut all = vec![
        Assumption::choice("assume-profile", framework.profile.key()),
        Assumption::new(style),
        activations(plan, &rules),
        Assumption::choice("assume-attention", framework.attention.key()),
        Assumption::choice("assume-loss", framework.loss.key()),
        Assumption::choice("assume-checkpointing", policy),
    ];
    if plan.plan.checkpointing.offload {
        all.push(Assumption::new("assume-offload"));
    }
    all
}

/// The format of activations: that of the matrix products, unless those are 8 or 4 bits wide.
fn activations(plan: &Resolved<'_>, rules: &Rules<'_>) -> Assumption {
    let format = match (rules.numbers.act_bytes, plan.plan.precision.compute_dtype) {
        (4, _) => Dtype::Fp32,
        (_, Dtype::Fp16) => Dtype::Fp16,
        _ => Dtype::Bf16,
    };
    let key = if rules.numbers.autocast { "assume-autocast" } else { "assume-activations" };
    Assumption::with(key, format.name().to_owned())
}

fn serving(plan: &Resolved<'_>) -> Vec<Assumption> {
    let Resolved { plan: wanted, .. } = plan;
    let prefill = match wanted.workload.cache {
        CacheAllocation::Paged => "assume-chunked-prefill",
        CacheAllocation::Grows | CacheAllocation::Static => "assume-whole-prefill",
    };
    vec![
        Assumption::choice("assume-weights", wanted.precision.weight_format.key()),
        Assumption::choice("assume-cache", wanted.workload.cache.key()),
        Assumption::with("assume-cache-format", wanted.precision.kv_dtype.name().to_owned()),
        Assumption::choice("assume-attention", wanted.framework.attention.key()),
        Assumption::new(prefill),
    ]
}

/// How unsure the estimate of a plan is, as shares that make its band.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Doubt {
    /// Of what comes and goes within a step: how exactly the profile is known.
    pub profile_share: f64,
    /// Of context, workspaces and NCCL's buffers.
    pub runtime_share: f64,
    /// Of the allocator's reserve: what cannot be given back.
    pub reserve_needed_share: f64,
}

impl Doubt {
    /// The shares that a plan's band is made of.
    #[must_use]
    pub const fn of(plan: &Resolved<'_>) -> Self {
        Self {
            profile_share: runtime::profile_doubt(plan.plan.framework.profile),
            runtime_share: runtime::RUNTIME_DOUBT,
            reserve_needed_share: runtime::RESERVE_NEEDED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        plan::{Method, MixedPrecision, Plan, Profile},
        text::{Language, Texts},
    };

    fn said(plan: &Plan) -> String {
        let texts = Texts::new(Language::English);
        let resolved = plan.resolve(Catalogue::embedded()).unwrap();
        let all = assumptions(&resolved);
        for assumption in &all {
            assert!(texts.hint(assumption.hint).is_some(), "{assumption:?} has no hint");
        }
        let said: Vec<String> = all.iter().map(|it| texts.message(&it.text)).collect();
        said.join(" · ")
    }

    #[test]
    fn the_default_plan_rests_on_separate_kernels_in_16_bits() {
        let text = said(&Plan::default());
        assert!(text.starts_with("PyTorch, Hugging Face · separate kernels · bf16"), "{text}");
    }

    #[test]
    fn megatron_rests_on_fused_kernels() {
        let mut plan = Plan::default();
        plan.framework.profile = Profile::Megatron;
        assert!(said(&plan).contains("fused kernels"), "{}", said(&plan));
    }

    #[test]
    fn autocast_says_that_two_formats_are_at_work() {
        let mut plan = Plan::default();
        plan.workload.method = Method::Full;
        plan.precision.param_dtype = Dtype::Fp32;
        plan.precision.mixed = MixedPrecision::Autocast;
        assert!(said(&plan).contains("bf16 products on an fp32 residual"), "{}", said(&plan));
    }

    #[test]
    fn serving_rests_on_its_cache_and_not_on_a_loss() {
        let mut plan = Plan::default();
        plan.workload.task = Task::Inference;
        let text = said(&plan);
        assert!(text.contains("cache") && !text.contains("loss"), "{text}");
    }
}

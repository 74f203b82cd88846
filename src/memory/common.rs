//! What every stage of a plan has in common, worked out once per estimate.

use super::{
    adapters::adapter_elements,
    inside::Inside,
    params::LayerKind,
    runtime,
    saved::{HeadSaved, Rules, Style, for_each_kept, for_each_saved, head_saved},
    shard::{Held, Shards},
    state::{Divided, uses_fsdp},
};
use crate::{
    catalogue::{Dtype, Positions},
    memory::Part,
    plan::{AttentionKernel, CheckpointPolicy, MixedPrecision, Resolved, Sharding},
};

/// Bytes that one block keeps for one micro-batch on one rank, by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayerBytes {
    pub attention: u64,
    pub mlp: u64,
    pub norms: u64,
    pub checkpoints: u64,
    /// 16-bit copies of the block's fp32 weights that autocast keeps.
    pub weight_copies: u64,
}

impl LayerBytes {
    fn add(&mut self, part: Part, bytes: u64) {
        let slot = match part {
            Part::AttentionActivations => &mut self.attention,
            Part::MlpActivations => &mut self.mlp,
            Part::Checkpoints => &mut self.checkpoints,
            _ => &mut self.norms,
        };
        *slot = slot.saturating_add(bytes);
    }

    /// Takes one block's bytes away.
    pub fn subtract(&mut self, other: &Self) {
        let Self { attention, mlp, norms, checkpoints, weight_copies } = other;
        self.attention = self.attention.saturating_sub(*attention);
        self.mlp = self.mlp.saturating_sub(*mlp);
        self.norms = self.norms.saturating_sub(*norms);
        self.checkpoints = self.checkpoints.saturating_sub(*checkpoints);
        self.weight_copies = self.weight_copies.saturating_sub(*weight_copies);
    }

    /// All of it.
    pub const fn total(&self) -> u64 {
        self.attention
            .saturating_add(self.mlp)
            .saturating_add(self.norms)
            .saturating_add(self.checkpoints)
            .saturating_add(self.weight_copies)
    }
}

/// One kind of block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayerFigures {
    /// Parameters on this rank.
    pub held: Held,
    /// Elements of its adapters.
    pub adapters: u64,
    /// Kept between forward and backward under the plan's policy.
    pub kept: LayerBytes,
    /// Kept without any recomputation.
    pub whole: LayerBytes,
    /// What is alive inside its backward.
    pub inside: Inside,
    /// The block's input is kept apart from what its first norm saves.
    pub input_apart: bool,
}

/// Everything that does not depend on the stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common<'a> {
    pub plan: Resolved<'a>,
    pub shards: Shards,
    pub dense: LayerFigures,
    pub moe: LayerFigures,
    pub head: HeadSaved,
    /// Blocks whose policy recomputes: one in so many.
    pub every: u64,
    /// Bytes of a gathered parameter.
    pub gathered_bytes: u64,
    /// Rotary tables and attention masks that exist once for the whole model.
    pub model_wide: u64,
    /// What a process can use on the card.
    pub capacity: u64,
    /// NCCL's buffers.
    pub nccl: u64,
    /// The driver's context and kernels.
    pub context: u64,
    /// cuBLAS workspaces.
    pub workspace: u64,
    /// fp32 weights are cast operation by operation.
    pub autocast: bool,
    /// What the sharding stage divides.
    pub divided: Divided,
    /// The plan gathers parameters unit by unit (FSDP).
    pub gathers: bool,
}

impl<'a> Common<'a> {
    pub fn of(plan: &Resolved<'a>) -> Self {
        let shards = Shards::of(plan, Sharding::Zero1);
        let rules = Rules::of(plan);
        let tokens = plan.layout.tokens;
        let framework = &plan.plan.framework;
        let precision = &plan.plan.precision;
        let figures = |kind, held| layer_figures(plan, &rules, kind, held);
        let moe = if plan.arch.moe.is_some() {
            figures(LayerKind::Moe, shards.moe_layer)
        } else {
            LayerFigures::default()
        };
        let cast = precision.mixed == MixedPrecision::CastAtGather;
        Self {
            plan: *plan,
            shards,
            dense: figures(LayerKind::Dense, shards.dense_layer),
            moe,
            head: head_saved(&rules, tokens, framework.loss, framework.keep_logits),
            every: match plan.plan.checkpointing.policy {
                CheckpointPolicy::EveryNth => u64::from(plan.plan.checkpointing.every_nth.max(1)),
                _ => 1,
            },
            gathered_bytes: match (cast, precision.compute_dtype) {
                (true, Dtype::Fp32) => 4,
                (true, _) => 2,
                (false, _) => precision.param_dtype.bytes(),
            },
            model_wide: model_wide_bytes(plan, &rules),
            capacity: super::capacity(plan).0.0,
            nccl: runtime::nccl_bytes(&plan.layout),
            context: runtime::context_bytes(plan),
            workspace: runtime::workspace_bytes(plan.gpu),
            autocast: rules.numbers.autocast,
            divided: Divided::of(plan),
            gathers: uses_fsdp(plan),
        }
    }
}

/// Rotary tables and attention masks.
///
/// ```text
/// rotary 4·s·d (16-bit sine and cosine)      eager mask 2·s²
/// ```
///
/// The mask is added to the scores, which keeps nothing of it; but it is an input of every block that
/// is recomputed.
fn model_wide_bytes(plan: &Resolved<'_>, rules: &Rules<'_>) -> u64 {
    let sequence = plan.layout.tokens / u64::from(plan.plan.workload.micro_batch.max(1));
    let act = rules.numbers.act_bytes;
    let rotary = match plan.arch.positions {
        Positions::Rotary => (2 * act * u64::from(plan.arch.head_dim)).saturating_mul(sequence),
        _ => 0,
    };
    let mask = match rules.attention {
        AttentionKernel::Eager if recomputes_blocks(plan) => {
            sequence.saturating_mul(sequence).saturating_mul(act)
        }
        _ => 0,
    };
    rotary.saturating_add(mask)
}

/// Whole blocks are recomputed.
fn recomputes_blocks(plan: &Resolved<'_>) -> bool {
    !matches!(
        plan.plan.checkpointing.policy,
        CheckpointPolicy::None | CheckpointPolicy::CoreAttention | CheckpointPolicy::Modules
    )
}

fn layer_figures(
    plan: &Resolved<'_>,
    rules: &Rules<'_>,
    kind: LayerKind,
    held: Held,
) -> LayerFigures {
    let tokens = plan.layout.tokens;
    let policy = plan.plan.checkpointing.policy;
    let mut whole = LayerBytes::default();
    for_each_saved(rules, kind, |tensor| {
        whole.add(tensor.part, tensor.bytes_on_rank(tokens, &rules.divisors));
    });
    let adapters = rules.adapters.map_or(0, |adapters| adapter_elements(plan, kind, &adapters));
    if rules.numbers.autocast {
        whole.weight_copies = held.linear.saturating_add(adapters).saturating_mul(2);
    }
    let kept = if policy == CheckpointPolicy::None {
        whole
    } else {
        let mut kept = LayerBytes::default();
        for_each_kept(rules, kind, policy, |tensor| {
            kept.add(tensor.part, tensor.bytes_on_rank(tokens, &rules.divisors));
        });
        kept
    };
    let inside = Inside::of(plan, rules, kind, &held, &whole);
    // An fp32 copy of the input is another tensor than the input; a norm that saves the input itself shares it.
    let input_apart = rules.style == Style::Composed
        && rules.numbers.residual_bytes == 2
        && rules.norm_stats() == 1;
    LayerFigures { held, adapters, kept, whole, inside, input_apart }
}

//! What every stage of a plan has in common, worked out once per estimate.

use super::{
    adapters::adapter_elements,
    inside::Inside,
    params::LayerKind,
    runtime,
    saved::{
        HeadSaved, Rules, Style, first_block_spares, for_each_embedding_saved, for_each_kept,
        for_each_saved, head_saved, position_bytes,
    },
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
    /// Kept by the embedding for one micro-batch.
    pub embedding_saved: u64,
    /// Less in the very first block behind a frozen embedding, for one micro-batch.
    pub first_block_spares: u64,
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
            embedding_saved: embedding_bytes(&rules, tokens),
            first_block_spares: tokens.saturating_mul(first_block_spares(&rules)),
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

/// What the embedding keeps of one micro-batch.
fn embedding_bytes(rules: &Rules<'_>, tokens: u64) -> u64 {
    let mut bytes = 0_u64;
    for_each_embedding_saved(rules, |tensor| {
        bytes = bytes.saturating_add(tensor.bytes_on_rank(tokens, &rules.divisors));
    });
    bytes
}

/// Rotary tables, positions and attention masks.
///
/// ```text
/// rotary 4·s·d (16-bit sine and cosine)      learned positions 8·s
/// ALiBi 2·b·a·s                              eager masks 2·b·s², one more with sliding windows
/// automatic kernel, active window            b·s² (booleans)
/// ```
///
/// The mask is added to the scores, which keeps nothing of it; but it is an input of every block that
/// is recomputed.
fn model_wide_bytes(plan: &Resolved<'_>, rules: &Rules<'_>) -> u64 {
    let sequences = u64::from(plan.plan.workload.micro_batch.max(1));
    let tokens = plan.layout.tokens;
    let sequence = tokens / sequences;
    let act = rules.numbers.act_bytes;
    let arch = plan.arch;
    let tables = match arch.positions {
        Positions::Rotary => (2 * act * u64::from(arch.head_dim)).saturating_mul(sequence),
        Positions::Alibi => (act * u64::from(arch.heads)).saturating_mul(tokens),
        _ => position_bytes(arch.positions, sequence),
    };
    let mask = if recomputes_blocks(plan) { mask_bytes(rules, sequence) } else { 0 };
    tables.saturating_add(tokens.saturating_mul(mask))
}

/// Bytes per token of the masks that recomputed blocks have as inputs.
fn mask_bytes(rules: &Rules<'_>, sequence: u64) -> u64 {
    let window = rules.arch.window;
    match rules.attention {
        AttentionKernel::Eager => {
            let masks = if window.is_some() { 2 } else { 1 };
            masks * rules.numbers.act_bytes * sequence
        }
        AttentionKernel::Flash if rules.style == Style::Composed => {
            let active = window.is_some_and(|window| sequence > u64::from(window.size));
            if active { sequence } else { 0 }
        }
        _ => 0,
    }
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

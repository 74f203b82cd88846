//! Which activations are recomputed.

use super::{rows::Rows, trains};
use crate::plan::{CheckpointPolicy, Field};

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    rows.choice(Field::Checkpointing, |plan| &mut plan.checkpointing.policy);
    if rows.form.plan.checkpointing.policy == CheckpointPolicy::EveryNth {
        rows.count(Field::EveryNth, "unit-blocks", 1..=1000, |plan| {
            &mut plan.checkpointing.every_nth
        });
    }
    if rows.form.plan.checkpointing.policy == CheckpointPolicy::Modules {
        modules(rows);
    }
}

/// Modules that are recomputed.
fn modules(rows: &mut Rows<'_, '_>) {
    rows.check(Field::RecomputeCore, |plan| &mut plan.checkpointing.modules.core_attention);
    rows.check(Field::RecomputeNorms, |plan| &mut plan.checkpointing.modules.norms);
    rows.check(Field::RecomputeMlp, |plan| &mut plan.checkpointing.modules.mlp);
    rows.check(Field::RecomputeExperts, |plan| &mut plan.checkpointing.modules.expert_activation);
    rows.check(Field::RecomputeLatent, |plan| &mut plan.checkpointing.modules.latent_projections);
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if !trains(&rows.form.plan) {
        return;
    }
    if rows.form.plan.checkpointing.policy == CheckpointPolicy::Full {
        rows.optional_count(Field::RecomputedBlocks, "unit-blocks", "plan-all", |plan| {
            &mut plan.checkpointing.blocks
        });
    }
    if rows.form.plan.checkpointing.policy != CheckpointPolicy::None {
        rows.check(Field::Reentrant, |plan| &mut plan.checkpointing.reentrant);
    }
    rows.check(Field::OffloadActivations, |plan| &mut plan.checkpointing.offload);
    if rows.form.plan.checkpointing.offload {
        rows.optional_count(Field::OffloadBlocks, "unit-blocks", "plan-all", |plan| {
            &mut plan.checkpointing.offload_blocks
        });
    }
}

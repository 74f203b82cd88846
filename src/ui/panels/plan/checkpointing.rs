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
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if trains(&rows.form.plan) {
        rows.check(Field::OffloadActivations, |plan| &mut plan.checkpointing.offload);
    }
}

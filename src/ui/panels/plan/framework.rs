//! The software that runs the plan.

use super::{rows::Rows, trains};
use crate::plan::{Field, Profile};

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    rows.choice(Field::Profile, |plan| &mut plan.framework.profile);
    rows.segments(Field::Attention, |plan| &mut plan.framework.attention);
    if trains(&rows.form.plan) {
        rows.choice(Field::Loss, |plan| &mut plan.framework.loss);
    }
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if trains(&rows.form.plan) {
        rows.choice(Field::Offload, |plan| &mut plan.framework.offload);
        rows.check(Field::KeepLogits, |plan| &mut plan.framework.keep_logits);
        rows.check(Field::Dropout, |plan| &mut plan.framework.dropout);
        if rows.form.plan.framework.profile == Profile::Fsdp2 {
            rows.check(Field::FlatParameters, |plan| &mut plan.framework.flat_parameters);
        }
    }
    rows.check(Field::Compile, |plan| &mut plan.framework.compile);
    rows.check(Field::CudaGraphs, |plan| &mut plan.framework.cuda_graphs);
    rows.check(Field::ExpandableSegments, |plan| &mut plan.framework.expandable_segments);
    rows.check(Field::EagerKernelLoading, |plan| &mut plan.framework.eager_kernel_loading);
}

//! The optimizer.

use super::{rows::Rows, trains};
use crate::{catalogue::Dtype, plan::Field};

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    rows.choice(Field::Optimizer, |plan| &mut plan.optimizer.kind);
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if !trains(&rows.form.plan) {
        return;
    }
    let formats = [None, Some(Dtype::Fp32), Some(Dtype::Bf16), Some(Dtype::Fp16)];
    rows.optional_dtype(Field::StateDtype, &formats, "plan-as-parameters", |plan| {
        &mut plan.optimizer.state_dtype
    });
    rows.choice(Field::StepKernel, |plan| &mut plan.optimizer.implementation);
    rows.check(Field::OptimizerInBackward, |plan| &mut plan.optimizer.in_backward);
    rows.check(Field::ClipGradients, |plan| &mut plan.optimizer.clip_gradients);
    rows.check(Field::SetToNone, |plan| &mut plan.optimizer.set_to_none);
}

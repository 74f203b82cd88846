//! How the work is divided over the GPUs.

use super::{form::Form, rows::Rows, trains};
use crate::{
    catalogue::Dtype,
    plan::{Field, Schedule},
    ui::widgets::size_slider::SizeRange,
    units::grouped,
};

const DEGREES: SizeRange = SizeRange::up_to(64, 65_536);
const EXPERT_DEGREES: SizeRange = SizeRange::up_to(256, 65_536);

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    let trains = trains(&rows.form.plan);
    rows.size(Field::Tensor, "", &DEGREES, |plan| &mut plan.parallelism.tensor);
    rows.size(Field::Pipeline, "unit-stages", &DEGREES, |plan| &mut plan.parallelism.pipeline);
    if trains {
        rows.size(Field::Context, "", &DEGREES, |plan| &mut plan.parallelism.context);
    }
    if has_experts(rows.form) {
        rows.size(Field::Expert, "", &EXPERT_DEGREES, |plan| &mut plan.parallelism.expert);
    }
    if trains {
        rows.segments(Field::Sharding, |plan| &mut plan.parallelism.sharding);
    }
    rows.fact(|form| Some(division(form)));
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if has_experts(rows.form) {
        rows.optional_count(Field::ExpertTensor, "", "plan-as-tensor", |plan| {
            &mut plan.parallelism.expert_tensor
        });
    }
    let spread_experts = rows.form.plan.parallelism.expert > 1;
    if spread_experts {
        rows.check(Field::DispatchOnceANode, |plan| &mut plan.parallelism.dispatch_once_a_node);
    }
    if !trains(&rows.form.plan) {
        return;
    }
    if spread_experts {
        rows.check(Field::OverlapExpert, |plan| &mut plan.parallelism.overlap_expert);
    }
    rows.check(Field::SequenceParallel, |plan| &mut plan.parallelism.sequence_parallel);
    rows.check(Field::LossParallel, |plan| &mut plan.parallelism.loss_parallel);
    rows.check(Field::OverlapTensor, |plan| &mut plan.parallelism.overlap_tensor);
    if rows.form.plan.parallelism.context > 1 {
        rows.segments(Field::ContextExchange, |plan| &mut plan.parallelism.context_exchange);
    }
    rows.choice(Field::Schedule, |plan| &mut plan.parallelism.schedule);
    if rows.form.plan.parallelism.schedule == Schedule::Interleaved {
        rows.count(Field::VirtualStages, "unit-chunks", 1..=1000, |plan| {
            &mut plan.parallelism.virtual_stages
        });
    }
    rows.optional_count(Field::FirstStageLayers, "unit-layers", "plan-even", |plan| {
        &mut plan.parallelism.first_stage_layers
    });
    rows.optional_count(Field::LastStageLayers, "unit-layers", "plan-even", |plan| {
        &mut plan.parallelism.last_stage_layers
    });
    rows.size(Field::Replicas, "", &DEGREES, |plan| &mut plan.parallelism.replicas);
    rows.check(Field::Reshard, |plan| &mut plan.parallelism.reshard_after_forward);
    rows.dtype(Field::ReduceDtype, &[Dtype::Fp32, Dtype::Bf16, Dtype::Fp16], |plan| {
        &mut plan.parallelism.reduce_dtype
    });
}

/// The model has routed experts, or the plan speaks of them (so that a person can take that back).
fn has_experts(form: &Form<'_>) -> bool {
    let experts = form
        .plan
        .architecture(&form.session.catalogue)
        .is_some_and(|architecture| architecture.moe.is_some());
    experts || form.plan.parallelism.expert > 1
}

/// How the GPUs divide: the data-parallel degree is what remains.
fn division(form: &Form<'_>) -> String {
    let layout = form.plan.layout();
    let whole = |count: u64| grouped(count as f64, 0);
    let args = [
        ("data", &*whole(layout.data)),
        ("world", &*whole(layout.world)),
        ("tensor", &*whole(layout.tensor)),
        ("pipeline", &*whole(layout.pipeline)),
        ("context", &*whole(layout.context)),
    ];
    let even = layout.world == layout.data * layout.tensor * layout.pipeline * layout.context;
    let key = if even { "plan-parallel-facts" } else { "plan-parallel-facts-uneven" };
    form.texts.with(key, &args)
}

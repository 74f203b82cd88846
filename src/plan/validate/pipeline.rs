//! Stages, their layers and the micro-batches that keep them busy.

use super::{Checked, Issues};
use crate::{
    message::Message,
    plan::{Field, Profile},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    let (layers, stages) = (checked.arch.layers, checked.plan.parallelism.pipeline);
    if stages == 1 {
        return;
    }
    issues.error_if(stages > layers, Field::Pipeline, || {
        Message::new("issue-pipeline-layers").with("stages", stages).with("layers", layers)
    });
    if stages <= layers {
        ends(checked, issues);
    }
    if checked.plan.parallelism.interleaves() {
        chunks(checked, issues);
    }
    if checked.trains() {
        micro_batches(checked, issues);
    }
}

/// Layers that the person gave to the first and the last stage leave one at least to each other.
fn ends(checked: &Checked<'_>, issues: &mut Issues) {
    let axes = &checked.plan.parallelism;
    let layers = u64::from(checked.arch.layers);
    let given = |layers: Option<u32>| u64::from(layers.unwrap_or(0));
    let taken = given(axes.first_stage_layers) + given(axes.last_stage_layers);
    let fixed =
        u64::from(axes.first_stage_layers.is_some()) + u64::from(axes.last_stage_layers.is_some());
    if fixed == 0 {
        return;
    }
    let field = if axes.first_stage_layers.is_some() {
        Field::FirstStageLayers
    } else {
        Field::LastStageLayers
    };
    let free_stages = u64::from(axes.pipeline) - fixed;
    let message = |key| {
        Message::new(key).with("taken", taken).with("layers", layers).with("stages", free_stages)
    };
    let short = free_stages > 0 && taken + free_stages > layers;
    issues.error_if(short, field, || message("issue-stage-layers"));
    let lost = free_stages == 0 && taken != layers;
    issues.error_if(lost, field, || message("issue-stage-layers-sum"));
}

/// Interleaving needs a layer for every chunk, and full rounds of micro-batches.
fn chunks(checked: &Checked<'_>, issues: &mut Issues) {
    let axes = &checked.plan.parallelism;
    let chunks = checked.layout.pipeline * checked.layout.chunks;
    let places = u64::from(checked.arch.layers) + shorter_by(checked);
    issues.error_if(chunks > places, Field::VirtualStages, || {
        Message::new("issue-chunks").with("chunks", chunks).with("layers", checked.arch.layers)
    });
    issues.warning_if(axes.virtual_stages == 1, Field::VirtualStages, || {
        Message::new("issue-one-chunk")
    });
    let micro_batches = checked.plan.workload.accumulation;
    let uneven = checked.trains() && !micro_batches.is_multiple_of(axes.pipeline);
    let message = || {
        Message::new("issue-interleaved-micro-batches")
            .with("micro-batches", micro_batches)
            .with("stages", axes.pipeline)
            .with("above", u64::from(micro_batches).next_multiple_of(checked.layout.pipeline))
    };
    let strict = checked.plan.framework.profile == Profile::Megatron;
    issues.error_if(uneven && strict, Field::Accumulation, message);
    issues.warning_if(uneven && !strict, Field::Accumulation, message);
}

/// Layers that the first and the last stage hold less than the others: their chunks may be one layer
/// short, since embedding and head take that place.
fn shorter_by(checked: &Checked<'_>) -> u64 {
    let axes = &checked.plan.parallelism;
    let (first, last) = (axes.first_stage_layers, axes.last_stage_layers);
    let fixed = [first, last].into_iter().flatten();
    let (count, taken) = fixed.fold((0, 0), |(count, sum), layers| (count + 1, sum + layers));
    let others = axes.pipeline.saturating_sub(count).max(1);
    let each = checked.arch.layers.saturating_sub(taken) / others;
    let short = |end: Option<u32>| end.map_or(0, |layers| each.saturating_sub(layers));
    u64::from(short(first)) + u64::from(short(last))
}

fn micro_batches(checked: &Checked<'_>, issues: &mut Issues) {
    let (micro_batches, stages) =
        (checked.plan.workload.accumulation, checked.plan.parallelism.pipeline);
    issues.warning_if(micro_batches < stages, Field::Accumulation, || {
        Message::new("issue-few-micro-batches")
            .with("micro-batches", micro_batches)
            .with("stages", stages)
    });
}

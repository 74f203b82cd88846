//! What a framework does not offer, or offers under another name.

use super::{Checked, Issues};
use crate::{
    message::Message,
    plan::{Field, LossKind, Offload, OptimizerKind, Profile, Sharding},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    if !checked.trains() {
        return;
    }
    match checked.plan.framework.profile {
        Profile::HuggingFace => hugging_face(checked, issues),
        Profile::Fsdp2 => fsdp2(checked, issues),
        Profile::DeepSpeed => deep_speed(checked, issues),
        Profile::Megatron => megatron(checked, issues),
    }
    let framework = &checked.plan.framework;
    let no_logits = matches!(framework.loss, LossKind::Chunked | LossKind::Fused);
    issues.note_if(framework.keep_logits && no_logits, Field::KeepLogits, || {
        Message::new("issue-keep-logits")
    });
}

fn hugging_face(checked: &Checked<'_>, issues: &mut Issues) {
    let (axes, layout) = (&checked.plan.parallelism, &checked.layout);
    for (degree, field) in [
        (layout.tensor, Field::Tensor),
        (layout.pipeline, Field::Pipeline),
        (layout.context, Field::Context),
    ] {
        issues.warning_if(degree > 1, field, || Message::new("issue-huggingface-parallel"));
    }
    let shards = axes.sharding != Sharding::None && layout.shards > 1;
    issues.note_if(shards, Field::Profile, || Message::new("issue-huggingface-sharding"));
    let offloads = checked.plan.framework.offload != Offload::None;
    issues.warning_if(offloads, Field::Offload, || Message::new("issue-huggingface-offload"));
}

fn fsdp2(checked: &Checked<'_>, issues: &mut Issues) {
    let sharding = checked.plan.parallelism.sharding;
    let ranks = checked.layout.data * checked.layout.context;
    issues.warning_if(sharding == Sharding::Zero1 && ranks > 1, Field::Sharding, || {
        Message::new("issue-fsdp-zero1")
    });
    issues.note_if(sharding == Sharding::Zero2 && ranks > 1, Field::Sharding, || {
        Message::new("issue-fsdp-zero2")
    });
    let partial = checked.plan.framework.offload == Offload::Optimizer;
    issues.note_if(partial, Field::Offload, || Message::new("issue-fsdp-offload"));
}

fn deep_speed(checked: &Checked<'_>, issues: &mut Issues) {
    let (axes, offload) = (&checked.plan.parallelism, checked.plan.framework.offload);
    let gradients = matches!(axes.sharding, Sharding::Zero2 | Sharding::Zero3);
    issues.error_if(gradients && checked.layout.pipeline > 1, Field::Sharding, || {
        Message::new("issue-deepspeed-pipeline")
    });
    let params = offload == Offload::OptimizerAndParams && axes.sharding != Sharding::Zero3;
    issues.error_if(params, Field::Offload, || Message::new("issue-deepspeed-param-offload"));
    let states = offload == Offload::Optimizer && axes.sharding == Sharding::None;
    issues.error_if(states, Field::Offload, || Message::new("issue-deepspeed-offload"));
}

fn megatron(checked: &Checked<'_>, issues: &mut Issues) {
    let sharding = checked.plan.parallelism.sharding;
    let further = matches!(sharding, Sharding::Zero2 | Sharding::Zero3);
    issues.note_if(further, Field::Sharding, || Message::new("issue-megatron-sharding"));
    let own = matches!(
        checked.plan.optimizer.kind,
        OptimizerKind::AdamW
            | OptimizerKind::AdamWAmsgrad
            | OptimizerKind::SgdMomentum
            | OptimizerKind::Sgd
            | OptimizerKind::Muon
    );
    issues.warning_if(!own, Field::Optimizer, || Message::new("issue-megatron-optimizer"));
    let params = checked.plan.framework.offload == Offload::OptimizerAndParams;
    issues.warning_if(params, Field::Offload, || Message::new("issue-megatron-offload"));
}

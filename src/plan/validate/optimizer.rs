//! The optimizer, and which activations are recomputed.

use super::{Checked, Issues};
use crate::{
    catalogue::Dtype,
    message::Message,
    plan::{AttentionKernel, CheckpointPolicy, Field, OptimizerKind, Profile},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    states(checked, issues);
    in_backward(checked, issues);
    recomputation(checked, issues);
}

fn states(checked: &Checked<'_>, issues: &mut Issues) {
    let optimizer = &checked.plan.optimizer;
    let Some(dtype) = optimizer.state_dtype else {
        return;
    };
    let usable = matches!(dtype, Dtype::Fp32 | Dtype::Bf16 | Dtype::Fp16);
    issues.error_if(!usable, Field::StateDtype, || {
        Message::new("issue-state-dtype").with("dtype", dtype.name().to_owned())
    });
    let fixed = matches!(
        optimizer.kind,
        OptimizerKind::AdamW8bit
            | OptimizerKind::PagedAdamW8bit
            | OptimizerKind::AdamW4bit
            | OptimizerKind::AdamWFp8
            | OptimizerKind::Lion8bit
            | OptimizerKind::Sgd
    );
    issues.note_if(fixed && usable, Field::StateDtype, || Message::new("issue-state-dtype-fixed"));
}

/// A step inside backward sees one gradient at a time, once.
fn in_backward(checked: &Checked<'_>, issues: &mut Issues) {
    let (plan, optimizer) = (checked.plan, &checked.plan.optimizer);
    if !optimizer.in_backward {
        return;
    }
    let micro_batches = plan.workload.accumulation;
    issues.error_if(micro_batches > 1, Field::OptimizerInBackward, || {
        Message::new("issue-in-backward-accumulation").with("micro-batches", micro_batches)
    });
    issues.warning_if(optimizer.clip_gradients, Field::ClipGradients, || {
        Message::new("issue-in-backward-clipping")
    });
    let own_step = matches!(plan.framework.profile, Profile::DeepSpeed | Profile::Megatron);
    issues.warning_if(own_step, Field::OptimizerInBackward, || {
        Message::new("issue-in-backward-framework")
    });
}

fn recomputation(checked: &Checked<'_>, issues: &mut Issues) {
    let checkpointing = &checked.plan.checkpointing;
    let flash = checked.plan.framework.attention == AttentionKernel::Flash;
    let idle = checkpointing.policy == CheckpointPolicy::CoreAttention && flash;
    issues.note_if(idle, Field::Checkpointing, || Message::new("issue-core-attention-flash"));
    let (every, layers) = (checkpointing.every_nth, checked.arch.layers);
    let never = checkpointing.policy == CheckpointPolicy::EveryNth && every > layers;
    issues.warning_if(never, Field::EveryNth, || {
        Message::new("issue-every-nth").with("every", every).with("layers", layers)
    });
}

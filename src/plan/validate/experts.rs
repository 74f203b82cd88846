//! Expert parallelism.

use super::{Checked, Issues, divisor_below};
use crate::{
    catalogue::Moe,
    message::Message,
    plan::{Field, Profile},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    let degree = checked.plan.parallelism.expert;
    match checked.arch.moe {
        Some(moe) => groups(checked, moe, issues),
        None => issues
            .error_if(degree > 1, Field::Expert, || Message::new("issue-expert-without-experts")),
    }
}

fn groups(checked: &Checked<'_>, moe: Moe, issues: &mut Issues) {
    let (layout, degree) = (&checked.layout, checked.plan.parallelism.expert);
    issues.error_if(!moe.experts.is_multiple_of(degree), Field::Expert, || {
        Message::new("issue-expert-uneven")
            .with("experts", moe.experts)
            .with("expert", degree)
            .with("instead", divisor_below(moe.experts, degree))
    });
    let width = u64::from(moe.expert_ffn);
    issues.error_if(!width.is_multiple_of(layout.expert_tensor), Field::ExpertTensor, || {
        Message::new("issue-expert-tensor-width")
            .with("width", width)
            .with("tensor", layout.expert_tensor)
    });
    let ranks = layout.data * layout.context * layout.tensor;
    let group = layout.expert * layout.expert_tensor;
    issues.error_if(!ranks.is_multiple_of(group), Field::Expert, || {
        Message::new("issue-expert-ranks")
            .with("expert", layout.expert)
            .with("tensor", layout.expert_tensor)
            .with("group", group)
            .with("ranks", ranks)
    });
    let node = checked.plan.hardware.gpus_per_node;
    issues.note_if(degree > node, Field::Expert, || {
        Message::new("issue-expert-node").with("expert", degree).with("per-node", node)
    });
    let unsupported =
        checked.trains() && degree > 1 && checked.plan.framework.profile == Profile::HuggingFace;
    issues.warning_if(unsupported, Field::Expert, || Message::new("issue-expert-huggingface"));
}

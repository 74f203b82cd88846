//! Parallel degrees against the GPUs, the model's widths and the sequence.

use super::{Checked, Issues, divisor_below};
use crate::{
    message::Message,
    plan::{AttentionKernel, Field, Profile, Sharding},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    gpus(checked, issues);
    if checked.layout.tensor > 1 {
        tensor(checked, issues);
    }
    if checked.trains() {
        if checked.layout.context > 1 {
            context(checked, issues);
        }
        sharding(checked, issues);
    }
}

/// The GPUs are a multiple of the degrees' product; data parallelism is the multiple.
fn gpus(checked: &Checked<'_>, issues: &mut Issues) {
    let layout = &checked.layout;
    let product = layout.tensor * layout.pipeline * layout.context;
    let world = layout.world;
    let message = |key| {
        Message::new(key)
            .with("gpus", world)
            .with("product", product)
            .with("tensor", layout.tensor)
            .with("pipeline", layout.pipeline)
            .with("context", layout.context)
    };
    issues.error_if(world < product, Field::Gpus, || message("issue-gpus-too-few"));
    let uneven = world > product && !world.is_multiple_of(product);
    issues.error_if(uneven, Field::Gpus, || {
        let below = world / product * product;
        message("issue-gpus-not-multiple").with("below", below).with("above", below + product)
    });
}

fn tensor(checked: &Checked<'_>, issues: &mut Issues) {
    let (arch, degree) = (checked.arch, checked.plan.parallelism.tensor);
    heads(checked, issues);
    let uneven = |width: u32| !width.is_multiple_of(degree);
    let mut width = |name: &'static str, width: u32| {
        issues.error_if(uneven(width), Field::Tensor, || {
            Message::new("issue-tensor-width")
                .with("name", name.to_owned())
                .with("width", width)
                .with("tensor", degree)
                .with("instead", divisor_below(width, degree))
        });
    };
    if arch.dense_layers() > 0 {
        width("ffn", arch.ffn);
    }
    if let Some(moe) = arch.moe {
        width("shared_ffn", moe.shared_ffn);
    }
    issues.note_if(uneven(arch.vocab), Field::Tensor, || {
        Message::new("issue-tensor-vocab").with("vocab", arch.vocab).with("tensor", degree)
    });
    let node = checked.plan.hardware.gpus_per_node;
    issues.warning_if(degree > node, Field::Tensor, || {
        Message::new("issue-tensor-node").with("tensor", degree).with("per-node", node)
    });
    sequence_parallel(checked, issues);
}

fn heads(checked: &Checked<'_>, issues: &mut Issues) {
    let (arch, degree) = (checked.arch, checked.plan.parallelism.tensor);
    issues.error_if(!arch.heads.is_multiple_of(degree), Field::Tensor, || {
        Message::new("issue-tensor-heads")
            .with("heads", arch.heads)
            .with("tensor", degree)
            .with("instead", divisor_below(arch.heads, degree))
    });
    if arch.mla.is_some() || arch.kv_heads.is_multiple_of(degree) {
        return;
    }
    let message = |key| Message::new(key).with("heads", arch.kv_heads).with("tensor", degree);
    let copies = degree.is_multiple_of(arch.kv_heads);
    issues.note_if(copies, Field::Tensor, || message("issue-tensor-kv-copies"));
    issues.error_if(!copies, Field::Tensor, || message("issue-tensor-kv-heads"));
}

/// Megatron scatters the sequence evenly over the tensor-parallel group.
fn sequence_parallel(checked: &Checked<'_>, issues: &mut Issues) {
    let axes = &checked.plan.parallelism;
    let local = u64::from(checked.plan.workload.sequence) / checked.layout.context;
    let uneven = checked.trains()
        && axes.sequence_parallel
        && checked.plan.framework.profile == Profile::Megatron
        && !local.is_multiple_of(checked.layout.tensor);
    issues.error_if(uneven, Field::SequenceParallel, || {
        Message::new("issue-sequence-parallel").with("sequence", local).with("tensor", axes.tensor)
    });
}

/// Ring attention gives every rank one piece from the front and one from the back.
fn context(checked: &Checked<'_>, issues: &mut Issues) {
    let (sequence, degree) = (checked.plan.workload.sequence, checked.plan.parallelism.context);
    let above = sequence.div_ceil(2 * degree) * 2 * degree;
    let message = |key| {
        Message::new(key)
            .with("sequence", sequence)
            .with("context", degree)
            .with("pieces", 2 * degree)
            .with("above", above)
    };
    let uneven = !sequence.is_multiple_of(degree);
    issues.error_if(uneven, Field::Context, || message("issue-context-uneven"));
    let unbalanced = !uneven && !sequence.is_multiple_of(2 * degree);
    issues.warning_if(unbalanced, Field::Context, || message("issue-context-unbalanced"));
    let framework = &checked.plan.framework;
    let written = framework.attention != AttentionKernel::Flash;
    issues.warning_if(written, Field::Attention, || Message::new("issue-context-attention"));
}

/// What data-parallel ranks divide among themselves.
fn sharding(checked: &Checked<'_>, issues: &mut Issues) {
    let (axes, layout) = (&checked.plan.parallelism, &checked.layout);
    let ranks = layout.data * layout.context;
    let shards = axes.sharding != Sharding::None;
    issues.note_if(shards && ranks == 1, Field::Sharding, || Message::new("issue-sharding-alone"));
    let replicas = u64::from(axes.replicas);
    issues.note_if(!shards && replicas > 1, Field::Replicas, || {
        Message::new("issue-replicas-unsharded")
    });
    issues.error_if(shards && !ranks.is_multiple_of(replicas), Field::Replicas, || {
        Message::new("issue-replicas").with("replicas", axes.replicas).with("ranks", ranks)
    });
}

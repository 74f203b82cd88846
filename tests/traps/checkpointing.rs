//! Recomputation by tensors, and the working set of the block that is recomputed.

use vramplan::{
    memory::{Moment, Part},
    plan::{AttentionKernel, CheckpointPolicy, Plan, Profile},
    units::{GIB, MIB},
};

use crate::planner::{activation_bytes, at, stage, training, with, with_architecture};

fn saved(plan: &Plan, policy: CheckpointPolicy) -> u64 {
    stage(&with(plan, |plan| plan.checkpointing.policy = policy)).saved_bytes.0
}

/// Megatron-LM's report gives the same number with full recomputation as without any.
///
/// ```text
/// Llama 2 7B, 2048 tokens: full 32 · 2·h·s = 512 MiB, none 32 · 186,504 · s = 11.4 GiB, and the head's
/// ```
#[test]
fn full_recomputation_keeps_less_than_selective_and_that_less_than_none() {
    let mut plan = training("llama-2-7b");
    assert!(saved(&plan, CheckpointPolicy::Full) <= 3 * GIB / 2, "boundaries and the loss");
    assert!(saved(&plan, CheckpointPolicy::None) >= 7 * GIB, "everything");
    plan.framework.profile = Profile::Megatron;
    plan.framework.attention = AttentionKernel::Eager;
    plan.hardware.gpus = 4;
    plan.parallelism.tensor = 4;
    for sequence_parallel in [false, true] {
        plan.parallelism.sequence_parallel = sequence_parallel;
        let order =
            [CheckpointPolicy::None, CheckpointPolicy::CoreAttention, CheckpointPolicy::Full];
        let sizes = order.map(|policy| saved(&plan, policy));
        assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sequence_parallel}: {sizes:?}");
    }
}

/// A factor on the activations would grow with the feed-forward width; a boundary does not.
///
/// ```text
/// 2·h bytes a token and block: 2 · 4096 · 2048 = 16 MiB
/// ```
#[test]
fn full_recomputation_keeps_boundaries_and_not_a_fraction() {
    let plan = with(&training("llama-3-8b"), |plan| {
        plan.checkpointing.policy = CheckpointPolicy::Full;
    });
    assert_eq!(stage(&plan).saved_per_layer.0, 16 * MIB, "the block's input");
    let wide = with_architecture(&plan, |arch| arch.ffn *= 2);
    assert_eq!(stage(&wide).saved_per_layer.0, 16 * MIB, "whatever is inside");
    // 32 boundaries, of which one is the block's that is being recomputed.
    let kept = at(&plan, 0, Moment::BackwardStart).get(Part::Checkpoints).0;
    assert_eq!(kept, 32 * 16 * MIB, "one for every block");
}

/// calculon showed no boundary tensors for selective recomputation.
#[test]
fn selective_recomputation_keeps_the_boundaries_as_well() {
    for policy in [
        CheckpointPolicy::SelectiveAttention,
        CheckpointPolicy::SelectiveAlternateMatmul,
        CheckpointPolicy::SelectiveMatmul,
    ] {
        let plan = with(&training("llama-3-8b"), |plan| plan.checkpointing.policy = policy);
        let kept = at(&plan, 0, Moment::BackwardStart).get(Part::Checkpoints).0;
        assert_eq!(kept, 32 * 16 * MIB, "{policy:?}");
    }
}

/// Megatron-LM: recomputation raised the peak of backward, and a run ran out of memory.
#[test]
fn a_recomputed_block_is_whole_again_while_its_backward_runs() {
    let none = with(&training("llama-3-8b"), |plan| plan.workload.micro_batch = 4);
    let full = with(&none, |plan| plan.checkpointing.policy = CheckpointPolicy::Full);
    let block = stage(&none).saved_per_layer.0;
    let parts = at(&full, 0, Moment::BackwardLayer);
    let working = activation_bytes(&parts) + parts.get(Part::Temporaries).0;
    let boundaries = 31 * 4 * 16 * MIB;
    assert!(working >= boundaries + block, "{working} of {boundaries} and {block}");
}

/// Megatron-LM: with one block there is nothing that recomputation could save.
#[test]
fn a_model_of_one_block_gains_nothing_from_recomputation() {
    let none = with_architecture(&training("llama-3-8b"), |arch| arch.layers = 1);
    let none = with(&none, |plan| plan.workload.micro_batch = 4);
    let full = with(&none, |plan| plan.checkpointing.policy = CheckpointPolicy::Full);
    let inside = |plan: &Plan| at(plan, 0, Moment::BackwardLayer).live();
    assert!(inside(&full) >= inside(&none), "{} {}", inside(&full), inside(&none));
}

/// Megatron-LM: the peak of a step is no sum of all parts, and which moment it is depends on the plan.
#[test]
fn the_peak_moves_from_backward_to_the_optimizer_as_the_batch_shrinks() {
    let plan = with(&training("llama-3-8b"), |plan| {
        plan.checkpointing.policy = CheckpointPolicy::Full;
    });
    let peak = |tokens| stage(&with(&plan, |plan| plan.workload.sequence = tokens)).peak;
    assert_eq!(peak(128), Moment::OptimizerStep, "few tokens, a large model");
    assert_eq!(peak(32_768), Moment::BackwardStart, "many logits");
}

/// gguf-parser-go: what is offloaded has to pass through a buffer on the card.
#[test]
fn offloaded_activations_leave_a_window_of_two_blocks_on_the_card() {
    let plan = with(&training("llama-3-8b"), |plan| plan.checkpointing.offload = true);
    let kept = activation_bytes(&at(&plan, 0, Moment::BackwardStart));
    assert_eq!(kept, 2 * 200_840 * 2048, "one block being filled, one being sent");
}

/// The same of weights: a block's weights must be on the card while it computes.
#[test]
fn offloaded_weights_come_back_block_by_block() {
    let plan = with(&training("llama-3-8b"), |plan| {
        plan.framework.profile = Profile::Fsdp2;
        plan.framework.offload = vramplan::plan::Offload::OptimizerAndParams;
        plan.parallelism.sharding = vramplan::plan::Sharding::Zero3;
    });
    for gpus in [8, 1] {
        let plan = with(&plan, |plan| plan.hardware.gpus = gpus);
        let parts = at(&plan, 0, Moment::ForwardFirst);
        let weights = parts.get(Part::Parameters).0 + parts.get(Part::Communication).0;
        assert!(weights >= 2 * 218_112_000, "{gpus} GPUs: a block in 16 bits, not {weights}");
    }
}

/// FSDP's CPU offload takes gradients along with the parameters: the step runs on the host.
#[test]
fn fsdp_that_offloads_parameters_leaves_no_gradients_on_the_card() {
    let gradients = |offload| {
        let plan = with(&training("llama-3-8b"), |plan| {
            plan.framework.profile = Profile::Fsdp2;
            plan.framework.offload = offload;
            plan.parallelism.sharding = vramplan::plan::Sharding::Zero3;
            plan.hardware.gpus = 8;
        });
        at(&plan, 0, Moment::OptimizerStep).get(Part::Gradients).0
    };
    assert!(gradients(vramplan::plan::Offload::Optimizer) > 0, "they are needed on the card");
    assert_eq!(gradients(vramplan::plan::Offload::OptimizerAndParams), 0);
}

//! What attention, feed-forward blocks, norms and the loss keep.

use vramplan::{
    memory::{Moment, Part},
    plan::{AttentionKernel, CheckpointPolicy, LossKind, Plan, Profile},
};

use crate::planner::{at, stage, training, with, with_architecture};

fn layer(plan: &Plan) -> u64 {
    stage(plan).saved_per_layer.0
}

/// fm-training-estimator printed 597 GB of activations for a fine-tune: scores although none are kept.
///
/// ```text
/// eager − flash = 6·a·s − 4·a bytes a token for a model without grouped queries
/// ```
#[test]
fn eager_attention_differs_from_flash_by_the_scores_only() {
    for sequence in [1024_u64, 4096] {
        let flash = with(&training("llama-2-7b"), |plan| {
            plan.workload.sequence = u32::try_from(sequence).expect("short");
        });
        let eager = with(&flash, |plan| plan.framework.attention = AttentionKernel::Eager);
        let scores = sequence * (6 * 32 * sequence - 4 * 32);
        assert_eq!(layer(&eager) - layer(&flash), scores, "32 heads, {sequence} tokens");
    }
}

/// Flash attention stores no scores: what a layer keeps grows with the tokens, not with their square.
///
/// ```text
/// 16·h + 8 + 4·A + 4·K + 4·a + 8·f = 65,536 + 8 + 16,384 + 4096 + 128 + 114,688 = 200,840 a token
/// ```
#[test]
fn flash_attention_keeps_nothing_that_grows_with_the_square_of_the_sequence() {
    for tokens in [2048_u32, 16_384] {
        let plan = with(&training("llama-3-8b"), |plan| plan.workload.sequence = tokens);
        assert_eq!(layer(&plan), 200_840 * u64::from(tokens), "{tokens} tokens");
    }
}

/// Keys and values are kept once per key-value head.
#[test]
fn grouped_queries_keep_fewer_keys_and_values() {
    let grouped = training("llama-3-8b");
    let multi = with_architecture(&grouped, |arch| arch.kv_heads = 32);
    assert_eq!(layer(&multi) - layer(&grouped), 2048 * 4 * (32 - 8) * 128, "4·K a token");
}

/// Unsloth's training estimate assumed eager attention: 57 instead of 10 GB.
#[test]
fn a_new_plan_assumes_the_kernels_that_people_run() {
    let framework = Plan::default().framework;
    assert_eq!(framework.attention, AttentionKernel::Flash, "no scores by default");
}

/// Automodel's unfused loss made all logits and ran out of memory.
///
/// ```text
/// 12 bytes a logit when backward starts: log-softmax, its gradient, the gradient of the logits
/// ```
#[test]
fn logits_cost_twelve_bytes_each_and_next_to_nothing_in_a_fused_loss() {
    let plan = training("llama-3-8b");
    let logits = |plan: &Plan| at(plan, 0, Moment::BackwardStart).get(Part::LogitsAndLoss).0;
    let wider = with_architecture(&plan, |arch| arch.vocab += 1000);
    assert_eq!(logits(&wider) - logits(&plan), 12 * 1000 * 2048, "a thousand more entries");
    let fused = with(&plan, |plan| plan.framework.loss = LossKind::Fused);
    assert!(logits(&fused) * 10 < logits(&plan), "no logits at all");
}

/// Automodel: logits belong to the last stage, and a vocabulary-parallel loss divides them.
#[test]
fn logits_are_on_the_last_stage_and_divided_by_a_parallel_loss() {
    let plan = with(&training("llama-3-8b"), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.workload.accumulation = 8;
        plan.hardware.gpus = 8;
        plan.parallelism.pipeline = 4;
        plan.parallelism.tensor = 2;
    });
    let logits =
        |plan: &Plan, stage| at(plan, stage, Moment::BackwardStart).get(Part::LogitsAndLoss).0;
    assert_eq!([0, 1, 2].map(|stage| logits(&plan, stage)), [0; 3], "not on the others");
    let whole = with(&plan, |plan| plan.parallelism.loss_parallel = false);
    let (divided, whole) = (logits(&plan, 3), logits(&whole, 3));
    assert!(divided > 0 && divided * 5 < whole * 3, "by about two: {divided} of {whole}");
}

/// Megatron-LM: the published form of a block with dropout, `s·b·h·(34 + 5·a·s/h)`.
///
/// ```text
/// GPT-3 1.3B: h = 2048, a = 16, s = 1024; 34·h + 5·a·s = 69,632 + 81,920 bytes a token
/// ```
///
/// `LayerNorm`'s statistics, 8 bytes a norm and token, are not in the published form.
#[test]
fn a_block_of_the_megatron_paper_keeps_what_the_paper_says() {
    let tokens = 1024;
    let plan = with(&training("gpt3-1.3b"), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.framework.attention = AttentionKernel::Eager;
        plan.workload.sequence = 1024;
    });
    let whole = layer(&plan);
    assert_eq!(whole, tokens * (69_632 + 81_920 + 16), "34·h + 5·a·s");
    let selective = with(&plan, |plan| plan.checkpointing.policy = CheckpointPolicy::CoreAttention);
    assert_eq!(layer(&selective), tokens * (69_632 + 16), "34·h without the scores");
}

//! Sizes that are zero, not a number, or so large that nothing can be computed from them.

use super::Issues;
use crate::{
    message::{Arg, Message},
    plan::{CheckpointPolicy, Field, Method, Plan, Schedule, Task},
};

/// Tokens of a sequence, of a prompt or of an answer: 16 Mi.
pub(super) const MAX_SEQUENCE: u32 = 1 << 24;
/// Sequences at once on one rank.
pub const MAX_SEQUENCES: u32 = 1 << 16;
/// GPUs in all, and micro-batches per step.
const MAX_GPUS: u32 = 1 << 20;
/// Degree of one parallel axis.
const MAX_DEGREE: u32 = 1 << 14;
/// Rank of an adapter.
const MAX_RANK: u32 = 1 << 16;
/// Training tokens.
const MAX_TRAINING_TOKENS: f64 = 1e18;
/// Gbit/s per GPU.
const MAX_NETWORK_GBITS: f64 = 1e6;
/// US dollars per GPU and hour.
const MAX_PRICE: f64 = 1e6;

pub(super) fn check(plan: &Plan, issues: &mut Issues) {
    machines(plan, issues);
    degrees(plan, issues);
    match plan.workload.task {
        Task::Training => training(plan, issues),
        Task::Inference => serving(plan, issues),
    }
}

fn machines(plan: &Plan, issues: &mut Issues) {
    let hardware = &plan.hardware;
    count(issues, Field::Gpus, hardware.gpus, 1, MAX_GPUS);
    count(issues, Field::GpusPerNode, hardware.gpus_per_node, 1, MAX_GPUS);
    if hardware.gpus > hardware.gpus_per_node {
        number(issues, Field::Network, hardware.network_gbits_per_gpu, MAX_NETWORK_GBITS);
    }
    let price = hardware.usd_per_gpu_hour;
    let absurd = price.is_some_and(|usd| !(0.0..=MAX_PRICE).contains(&usd));
    issues.error_if(absurd, Field::Price, || Message::new("issue-price"));
}

fn degrees(plan: &Plan, issues: &mut Issues) {
    let axes = &plan.parallelism;
    count(issues, Field::Tensor, axes.tensor, 1, MAX_DEGREE);
    count(issues, Field::Pipeline, axes.pipeline, 1, MAX_DEGREE);
    count(issues, Field::Context, axes.context, 1, MAX_DEGREE);
    count(issues, Field::Expert, axes.expert, 1, MAX_DEGREE);
    count(issues, Field::ExpertTensor, axes.expert_tensor.unwrap_or(1), 1, MAX_DEGREE);
    count(issues, Field::Replicas, axes.replicas, 1, MAX_GPUS);
    if axes.schedule == Schedule::Interleaved {
        count(issues, Field::VirtualStages, axes.virtual_stages, 1, MAX_DEGREE);
    }
}

fn training(plan: &Plan, issues: &mut Issues) {
    let work = &plan.workload;
    count(issues, Field::Sequence, work.sequence, 1, MAX_SEQUENCE);
    count(issues, Field::MicroBatch, work.micro_batch, 1, MAX_SEQUENCES);
    count(issues, Field::Accumulation, work.accumulation, 1, MAX_GPUS);
    number(issues, Field::TrainingTokens, work.training_tokens, MAX_TRAINING_TOKENS);
    if work.method != Method::Full {
        count(issues, Field::LoraRank, work.lora.rank, 1, MAX_RANK);
        let probability = (0.0..1.0).contains(&work.lora.dropout);
        issues.error_if(!probability, Field::LoraDropout, || Message::new("issue-lora-dropout"));
    }
    if plan.checkpointing.policy == CheckpointPolicy::EveryNth {
        count(issues, Field::EveryNth, plan.checkpointing.every_nth, 1, MAX_DEGREE);
    }
}

fn serving(plan: &Plan, issues: &mut Issues) {
    let work = &plan.workload;
    count(issues, Field::PromptTokens, work.prompt_tokens, 1, MAX_SEQUENCE);
    count(issues, Field::GeneratedTokens, work.generated_tokens, 0, MAX_SEQUENCE);
    count(issues, Field::Concurrency, work.concurrency, 1, MAX_SEQUENCES);
}

fn count(issues: &mut Issues, field: Field, value: u32, least: u32, most: u32) {
    use crate::plan::Choice as _;
    issues.error_if(value < least, field, || {
        Message::new("issue-zero").with("field", Arg::Key(field.key())).with("least", least)
    });
    issues.error_if(value > most, field, || {
        Message::new("issue-above-limit")
            .with("field", Arg::Key(field.key()))
            .with("value", value)
            .with("limit", most)
    });
}

fn number(issues: &mut Issues, field: Field, value: f64, most: f64) {
    use crate::plan::Choice as _;
    // NaN is in no range.
    let sensible = value > 0.0 && value <= most;
    issues.error_if(!sensible, field, || {
        Message::new("issue-not-positive")
            .with("field", Arg::Key(field.key()))
            .with("limit", format!("{most:e}"))
    });
}

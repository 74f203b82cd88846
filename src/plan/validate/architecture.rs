//! The model's own fields, and whether the sizes that follow from them can be counted at all.

use super::Issues;
use crate::{
    catalogue::{Architecture, Positions, label_key},
    message::{Arg, Message},
    plan::{AttentionKernel, Field, ModelChoice, Plan, Task},
};

/// Largest `hidden`, head dimension, number of heads or experts, and the ranks of latent attention.
const MAX_WIDTH: u32 = 1 << 20;
/// Largest number of layers.
const MAX_LAYERS: u32 = 4096;
/// Largest feed-forward width, vocabulary and table of positions.
const MAX_ROWS: u32 = 1 << 24;

/// Most bytes that a quantity may have before it is divided among GPUs: 2^56 (64 PiB). Sums and
/// small multiples of such quantities stay within 64 bits.
const MAX_BYTES: f64 = 72_057_594_037_927_936.0;

pub(super) fn check(plan: &Plan, arch: &Architecture, issues: &mut Issues) {
    if matches!(plan.model, ModelChoice::Custom(_)) {
        flaws(arch, issues);
    }
    limits(arch, issues);
    latent(arch, issues);
    let empty = arch.positions == Positions::Learned { rows: 0 };
    issues.error_if(empty, Field::Architecture, || Message::new("issue-no-positions"));
    if !issues.any_error() {
        countable(plan, arch, issues);
    }
}

fn flaws(arch: &Architecture, issues: &mut Issues) {
    for flaw in arch.flaws() {
        issues.error_if(true, Field::Architecture, || {
            Message::new("issue-architecture")
                .with("name", Arg::Key(flaw.label_key()))
                .with("rule", Arg::Key(flaw.rule.key()))
        });
    }
}

fn limits(arch: &Architecture, issues: &mut Issues) {
    let mut limit = |name: &'static str, value: u32, most: u32| {
        issues.error_if(value > most, Field::Architecture, || {
            Message::new("issue-architecture-limit")
                .with("name", Arg::Key(label_key(name)))
                .with("value", value)
                .with("limit", most)
        });
    };
    limit("hidden", arch.hidden, MAX_WIDTH);
    limit("layers", arch.layers, MAX_LAYERS);
    limit("heads", arch.heads, MAX_WIDTH);
    limit("kv_heads", arch.kv_heads, MAX_WIDTH);
    limit("head_dim", arch.head_dim, MAX_WIDTH);
    limit("ffn", arch.ffn, MAX_ROWS);
    limit("vocab", arch.vocab, MAX_ROWS);
    limit("embedding_dim", arch.embedding_dim.unwrap_or(0), MAX_WIDTH);
    if let Positions::Learned { rows } = arch.positions {
        limit("positions", rows, MAX_ROWS);
    }
    if let Some(moe) = arch.moe {
        limit("moe.experts", moe.experts, MAX_WIDTH);
        limit("moe.expert_ffn", moe.expert_ffn, MAX_ROWS);
        limit("moe.shared_ffn", moe.shared_ffn, MAX_ROWS);
    }
    if let Some(mla) = arch.mla {
        limit("mla.q_lora_rank", mla.q_lora_rank.unwrap_or(0), MAX_WIDTH);
        limit("mla.kv_lora_rank", mla.kv_lora_rank, MAX_WIDTH);
        limit("mla.qk_nope_dim", mla.qk_nope_dim, MAX_WIDTH);
        limit("mla.qk_rope_dim", mla.qk_rope_dim, MAX_WIDTH);
        limit("mla.v_dim", mla.v_dim, MAX_WIDTH);
    }
}

/// With latent attention the head dimension is the sum of its two parts.
fn latent(arch: &Architecture, issues: &mut Issues) {
    let Some(mla) = arch.mla else { return };
    let sum = mla.qk_nope_dim.saturating_add(mla.qk_rope_dim);
    issues.error_if(arch.head_dim != sum, Field::Architecture, || {
        Message::new("issue-mla-head-dim").with("head-dim", arch.head_dim).with("sum", sum)
    });
}

/// Parameters and activations of the whole plan, taken roughly and generously, fit into 64 bits.
fn countable(plan: &Plan, arch: &Architecture, issues: &mut Issues) {
    let bytes = state_bytes(arch).max(activation_bytes(plan, arch));
    let field = match plan.workload.task {
        Task::Training => Field::Sequence,
        Task::Inference => Field::PromptTokens,
    };
    issues.error_if(state_bytes(arch) > MAX_BYTES, Field::Architecture, || {
        Message::new("issue-uncountable-model")
    });
    issues.error_if(bytes > MAX_BYTES, field, || Message::new("issue-uncountable"));
}

/// Upper bound of weights with all training state.
///
/// ```text
/// 18·(L·(4·h·A + 3·h·f + 3·E·h·f_m) + 2·V·h)
/// ```
fn state_bytes(arch: &Architecture) -> f64 {
    let experts = arch.moe.map_or(0.0, |moe| {
        f64::from(moe.experts) * f64::from(moe.expert_ffn) + f64::from(moe.shared_ffn)
    });
    let layer = 4.0 * attention_width(arch) + 3.0 * (f64::from(arch.ffn) + experts);
    18.0 * f64::from(arch.hidden) * (f64::from(arch.layers) * layer + 2.0 * f64::from(arch.vocab))
}

/// Upper bound of what one rank keeps of all its sequences at once, with the scores where the kernel
/// writes them.
///
/// ```text
/// m·T·(L·(40·(h + A + f + k·f_m) + 16·a·s) + 16·V)
/// ```
fn activation_bytes(plan: &Plan, arch: &Architecture) -> f64 {
    let work = &plan.workload;
    let (sequence, sequences, in_flight) = match work.task {
        Task::Training => {
            let axes = &plan.parallelism;
            let warm_up = 2.0 * f64::from(axes.pipeline) * f64::from(axes.virtual_stages.max(1));
            (f64::from(work.sequence), work.micro_batch, warm_up.min(f64::from(work.accumulation)))
        }
        Task::Inference => {
            let length = f64::from(work.prompt_tokens) + f64::from(work.generated_tokens);
            (length, work.concurrency, 1.0)
        }
    };
    let experts = arch.moe.map_or(0.0, |moe| {
        f64::from(moe.topk) * f64::from(moe.expert_ffn) + f64::from(moe.shared_ffn)
    });
    let width = f64::from(arch.hidden) + attention_width(arch) + f64::from(arch.ffn) + experts;
    let scores = match plan.framework.attention {
        AttentionKernel::Flash => 0.0,
        AttentionKernel::Math | AttentionKernel::Eager => 16.0 * f64::from(arch.heads) * sequence,
    };
    let per_token = f64::from(arch.layers) * (40.0 * width + scores) + 16.0 * f64::from(arch.vocab);
    in_flight.max(1.0) * sequence * f64::from(sequences) * per_token
}

/// Widest of the attention's projections.
fn attention_width(arch: &Architecture) -> f64 {
    let latent = arch.mla.map_or(0, |mla| {
        mla.v_dim.saturating_add(mla.qk_nope_dim).max(mla.q_lora_rank.unwrap_or(0))
    });
    f64::from(arch.heads) * f64::from(arch.head_dim.max(latent))
}

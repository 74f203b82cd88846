//! What serving adds to the weights: key-value cache and workspace.

use super::{
    Moment, Part,
    common::Common,
    ledger::{Ledger, Why},
    moments::Tally,
    stage::Stage,
};
use crate::{
    catalogue::Architecture,
    explain::{Quantity, symbol},
    plan::{Layout, Plan},
    units::Bytes,
};

/// Most prompt tokens that go through the model at once; longer prompts are taken in chunks.
///
/// Source: vLLM's default `max_num_batched_tokens` for chunked prefill on data-centre cards.
const PREFILL_CHUNK_TOKENS: u64 = 8192;

/// Adds the cache and the workspace of a moment.
pub(super) fn add(
    common: &Common<'_>,
    stage: &Stage,
    moment: Moment,
    tally: &mut Tally<'_, impl Ledger>,
) {
    let plan = common.plan.plan;
    let workload = &plan.workload;
    let prompt = u64::from(workload.prompt_tokens);
    let (cached, tokens) = match moment {
        Moment::Prefill => {
            let all = prompt.saturating_mul(u64::from(workload.concurrency));
            (prompt, all.min(PREFILL_CHUNK_TOKENS))
        }
        Moment::Decode => {
            (prompt + u64::from(workload.generated_tokens), u64::from(workload.concurrency))
        }
        _ => return,
    };
    let cache = cache_bytes(common, stage, cached);
    tally.changing(Part::KvCache, cache, || Why {
        label: "term-kv-cache",
        equation: "c·s·n·q",
        inputs: vec![
            (symbol::PER_TOKEN, Quantity::BytesEach(token_bytes(common.plan.arch, plan, &common.plan.layout) as f64)),
            (symbol::SEQUENCE, Quantity::Count(cached)),
            (symbol::COUNT, Quantity::Number(full_length_layers(common, stage, cached))),
            (symbol::CONCURRENCY, Quantity::Count(u64::from(workload.concurrency))),
        ],
        source: "source-kv-cache",
    });
    let workspace = workspace_bytes(common, stage, tokens);
    tally.changing(Part::Temporaries, workspace, || Why {
        label: "term-workspace-serving",
        equation: "c·T",
        inputs: vec![
            (symbol::PER_TOKEN, Quantity::BytesEach(workspace as f64 / tokens.max(1) as f64)),
            (symbol::TOKENS, Quantity::Count(tokens)),
        ],
        source: "source-serving-workspace",
    });
    let logits = logits_bytes(common, stage);
    tally.changing(Part::LogitsAndLoss, logits, || Why {
        label: "term-logits-serving",
        equation: "6·q·V / t",
        inputs: vec![
            (symbol::CONCURRENCY, Quantity::Count(u64::from(workload.concurrency))),
            (symbol::VOCAB, Quantity::Count(u64::from(common.plan.arch.vocab))),
            (symbol::TENSOR, Quantity::Count(common.plan.layout.tensor)),
        ],
        source: "source-serving-logits",
    });
}

/// Bytes that one token adds to the cache of one layer on one rank.
///
/// ```text
/// 2·K·x / t      (at least one key-value head a rank)
/// (kv_l + d_r)·x (latent attention; not divided)
/// ```
fn token_bytes(arch: &Architecture, plan: &Plan, layout: &Layout) -> u64 {
    let each = plan.precision.kv_dtype.bytes();
    if let Some(mla) = arch.mla {
        (u64::from(mla.kv_lora_rank) + u64::from(mla.qk_rope_dim)) * each
    } else {
        let heads = u64::from(arch.kv_heads).div_ceil(layout.tensor.max(1));
        2 * heads * u64::from(arch.head_dim) * each
    }
}

/// Layers of a stage, each sliding one counted as the share of the sequence that its window keeps.
fn full_length_layers(common: &Common<'_>, stage: &Stage, tokens: u64) -> f64 {
    let per_sequence = cache_bytes(common, stage, tokens) as f64
        / f64::from(common.plan.plan.workload.concurrency.max(1));
    let each = token_bytes(common.plan.arch, common.plan.plan, &common.plan.layout) as f64;
    per_sequence / (each * tokens.max(1) as f64).max(1.0)
}

/// Bytes of the cache of a stage with `tokens` tokens in every sequence.
fn cache_bytes(common: &Common<'_>, stage: &Stage, tokens: u64) -> u64 {
    let arch = common.plan.arch;
    let workload = &common.plan.plan.workload;
    let each = token_bytes(arch, common.plan.plan, &common.plan.layout);
    let layers = u64::from(arch.layers).max(1);
    // Sliding layers are spread evenly over the stages.
    let sliding = u64::from(arch.sliding_layers()) * stage.layers / layers;
    let window = arch.window.map_or(tokens, |window| u64::from(window.size).min(tokens));
    let cached_tokens = (stage.layers - sliding)
        .saturating_mul(tokens)
        .saturating_add(sliding.saturating_mul(window));
    cached_tokens.saturating_mul(each).saturating_mul(u64::from(workload.concurrency))
}

/// Bytes of intermediate tensors while `tokens` tokens go through one block.
fn workspace_bytes(common: &Common<'_>, stage: &Stage, tokens: u64) -> u64 {
    let arch = common.plan.arch;
    let ways = common.plan.layout.tensor.max(1);
    let width = arch.mlp_width(stage.held.expert > 0);
    let per_token = 4 * u64::from(arch.hidden)
        + (2 * arch.query_width() + 2 * arch.kv_width() + 3 * width) / ways;
    tokens.saturating_mul(per_token).saturating_mul(2)
}

fn logits_bytes(common: &Common<'_>, stage: &Stage) -> u64 {
    if !stage.last || !common.plan.arch.head {
        return 0;
    }
    let vocab = u64::from(common.plan.arch.vocab).div_ceil(common.plan.layout.tensor.max(1));
    Bytes(vocab)
        .0
        .saturating_mul(u64::from(common.plan.plan.workload.concurrency))
        .saturating_mul(6)
}

//! What serving adds to the weights: key-value cache and workspace.

use super::{
    Moment, Part,
    common::Common,
    formats::weight_bits,
    ledger::{Ledger, Why},
    moments::Tally,
    stage::Stage,
};
use crate::{
    catalogue::Architecture,
    explain::{Quantity, symbol},
    plan::{AttentionKernel, CacheAllocation, Layout, Plan, Profile, WeightFormat},
    units::{Bytes, scaled},
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
            let chunked = workload.cache == CacheAllocation::Paged;
            (prompt, if chunked { all.min(PREFILL_CHUNK_TOKENS) } else { all })
        }
        Moment::Decode => {
            (prompt + u64::from(workload.generated_tokens), u64::from(workload.concurrency))
        }
        _ => return fusing(common, stage, tally),
    };
    let cache = cache_bytes(common, stage, cached);
    let why = || Why {
        label: "term-kv-cache",
        equation: "c·s·n·q",
        inputs: vec![
            (
                symbol::PER_TOKEN,
                Quantity::BytesEach(token_bytes(common.plan.arch, plan, &common.plan.layout) as f64),
            ),
            (symbol::SEQUENCE, Quantity::Count(cached)),
            (symbol::COUNT, Quantity::Number(full_length_layers(common, stage, cached))),
            (symbol::CONCURRENCY, Quantity::Count(u64::from(workload.concurrency))),
        ],
        source: "source-kv-cache",
    };
    // Pages and static caches are allocated once; a growing one leaves holes behind.
    if workload.cache == CacheAllocation::Grows {
        tally.changing(Part::KvCache, cache, why);
    } else {
        tally.fixed(Part::KvCache, cache, why);
    }
    let workspace = workspace_bytes(common, stage, (moment, tokens));
    tally.changing(Part::Temporaries, workspace, || Why {
        label: "term-workspace-serving",
        equation: "c·T",
        inputs: vec![
            (symbol::PER_TOKEN, Quantity::BytesEach(workspace as f64 / tokens.max(1) as f64)),
            (symbol::TOKENS, Quantity::Count(tokens)),
        ],
        source: "source-serving-workspace",
    });
    let positions = if moment == Moment::Prefill && plan.framework.keep_logits {
        tokens
    } else {
        u64::from(workload.concurrency)
    };
    let logits = logits_bytes(common, stage, positions, moment);
    tally.changing(Part::LogitsAndLoss, logits, || Why {
        label: "term-logits-serving",
        equation: "c·n·V",
        inputs: vec![
            (symbol::PER_TOKEN, {
                let all = positions as f64 * f64::from(common.plan.arch.vocab);
                Quantity::BytesEach(logits as f64 / all.max(1.0))
            }),
            (symbol::COUNT, Quantity::Count(positions)),
            (symbol::VOCAB, Quantity::Count(u64::from(common.plan.arch.vocab))),
        ],
        source: "source-serving-logits",
    });
}

/// While quantised modules are fused, the new projection of queries, keys and values stands beside the
/// three old ones, in every layer: they are freed when all is done.
///
/// ```text
/// M = L·h·(A + 2·K)·x / t
/// ```
///
/// Source: `AutoAWQ` 0.1.6, whose published peaks at short prompts are the same for all batches and larger
/// than weights and cache by this much.
fn fusing(common: &Common<'_>, stage: &Stage, tally: &mut Tally<'_, impl Ledger>) {
    let plan = common.plan.plan;
    let arch = common.plan.arch;
    let bits = weight_bits(plan.precision.weight_format);
    let grouped = matches!(
        plan.precision.weight_format,
        WeightFormat::Int4Group32 | WeightFormat::Int4Group64 | WeightFormat::Int4Group128
    );
    let fused_later = plan.framework.profile == Profile::HuggingFace
        && plan.framework.compile
        && grouped
        && !arch.fused_qkv
        && arch.mla.is_none();
    if !fused_later {
        return;
    }
    let widths = arch.query_width() + 2 * arch.kv_width();
    let elements = scaled(
        stage.layers.saturating_mul(u64::from(arch.hidden)),
        widths,
        common.plan.layout.tensor,
    );
    let bytes = Bytes::from_f64(elements as f64 * bits / 8.0).0;
    tally.fixed(Part::Temporaries, bytes, || Why {
        label: "term-fusing",
        equation: "β·n",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(bits / 8.0)),
            (symbol::COUNT, Quantity::Count(elements)),
        ],
        source: "source-serving-workspace",
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
    if !arch.head {
        return 0; // nothing is generated
    }
    let workload = &common.plan.plan.workload;
    let each = token_bytes(arch, common.plan.plan, &common.plan.layout);
    let layers = u64::from(arch.layers).max(1);
    // Sliding layers are spread evenly over the stages.
    let sliding = u64::from(arch.sliding_layers()) * stage.layers / layers;
    // A cache that grows keeps the whole prompt until the next step: the window is a view of it.
    let kept = match workload.cache {
        CacheAllocation::Grows => u64::from(workload.prompt_tokens),
        CacheAllocation::Static | CacheAllocation::Paged => 0,
    };
    let window = arch.window.map_or(tokens, |window| u64::from(window.size).max(kept).min(tokens));
    let cached_tokens = (stage.layers - sliding)
        .saturating_mul(tokens)
        .saturating_add(sliding.saturating_mul(window));
    cached_tokens.saturating_mul(each).saturating_mul(u64::from(workload.concurrency))
}

/// Bytes of intermediate tensors: the larger of what one block needs and what the head needs beside
/// its logits.
///
/// ```text
/// feed-forward   T·(6·f / t + 8·h)
/// eager scores   T·(6·a·s + 4·(A + K)) / t + 8·h·T      math 10·a·s
/// head           T·2·h, where all logits are made: nothing of the blocks is left then
/// ```
///
/// Source: traced prefill of 19 models (torch 2.15, transformers 5.24).
fn workspace_bytes(common: &Common<'_>, stage: &Stage, (moment, tokens): (Moment, u64)) -> u64 {
    let plan = common.plan.plan;
    let arch = common.plan.arch;
    let ways = common.plan.layout.tensor.max(1);
    let hidden = u64::from(arch.hidden);
    let mlp = 6 * arch.mlp_width(stage.held.expert > 0) / ways;
    let scores = match plan.framework.attention {
        AttentionKernel::Flash => 0,
        kernel @ (AttentionKernel::Eager | AttentionKernel::Math) => {
            let width = u64::from(arch.heads) * u64::from(plan.workload.prompt_tokens);
            // A softmax that casts as it reads, or one of an fp32 copy of the scores.
            let each = if kernel == AttentionKernel::Eager { 6 } else { 10 };
            (each * width + 4 * (arch.query_width() + arch.kv_width())) / ways
        }
    };
    let block = tokens.saturating_mul(mlp.max(scores) + 8 * hidden);
    let all_logits = moment == Moment::Prefill && plan.framework.keep_logits && stage.last;
    if !all_logits {
        return block;
    }
    let head = tokens.saturating_mul(2 * hidden);
    let logits = logits_bytes(common, stage, tokens, moment);
    // What the block needs beyond the logits, which come after it.
    head.max(block.saturating_sub(logits))
}

/// Bytes of the logits of so many positions.
///
/// ```text
/// 2·V (16 bits), twice with a soft cap; + 4·V in fp32 for the positions that are sampled
/// ```
fn logits_bytes(common: &Common<'_>, stage: &Stage, positions: u64, moment: Moment) -> u64 {
    let arch = common.plan.arch;
    if !stage.last || !arch.head {
        return 0;
    }
    let all = moment == Moment::Prefill && common.plan.plan.framework.keep_logits;
    let each = match (all, arch.final_softcap) {
        (true, false) => 2,
        (true, true) => 4,
        (false, _) => 6,
    };
    let vocab = u64::from(arch.vocab).div_ceil(common.plan.layout.tensor.max(1));
    vocab.saturating_mul(positions).saturating_mul(each)
}

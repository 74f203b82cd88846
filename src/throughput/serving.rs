//! Serving: the prompt is arithmetic, generation is memory bandwidth.

use super::{
    answer::{
        CommunicationGroup, Figures, GroupTraffic, OperationClass, ServingFigures, SpeedEstimate,
        TimeCauses, TimePart,
    },
    assembly::{self, Sent, TimeParts},
    classes::ClassCosts,
    collectives::{Load, send},
    cost,
    fractions::PROMPT_OVERLAP_SHARE,
    host,
    operations::{Bench, Pass, mean_pairs},
    power::Phases,
    roofline::Cost,
    traffic::{self, Passes, Paths},
};
use crate::{
    catalogue::Moe,
    plan::{CacheAllocation, Profile, Resolved},
    units::{Flops, Secs},
};

/// Tokens of prompts that an engine takes through the model at once.
///
/// Source: the order of vLLM's default `max_num_batched_tokens`.
const PROMPT_TOKENS_AT_ONCE: f64 = 8192.0;

/// Tokens of a chunk that goes from stage to stage.
///
/// Source: llama.cpp's default physical batch (`n_ubatch`).
const PROMPT_CHUNK_TOKENS: f64 = 512.0;

/// One pass through the whole model on one rank of each stage, one stage after the other.
#[derive(Clone, Copy, Debug, Default)]
struct ModelPass {
    costs: ClassCosts,
    tensor: Load,
    expert: Load,
    pipeline: Load,
}

impl ModelPass {
    fn device(&self) -> Cost {
        self.costs.sum()
    }

    fn traffic_secs(&self) -> f64 {
        self.tensor.secs + self.expert.secs + self.pipeline.secs
    }

    fn secs(&self) -> f64 {
        self.device().secs() + self.traffic_secs()
    }
}

/// Blocks of one kind: `count` times.
fn add_blocks(
    sum: &mut ModelPass,
    bench: &Bench<'_>,
    paths: &Paths,
    pass: &Pass,
    moe: Option<&Moe>,
    count: u32,
) {
    if count == 0 {
        return;
    }
    let count = f64::from(count);
    let cost = bench.block(pass, moe);
    let passes = Passes { forward: 1.0, backward: 0.0 };
    let traffic = traffic::block(bench, paths, pass.tokens, moe, passes);
    // Decode kernels unpack weights themselves.
    let unpacks = pass.cached <= 0.0;
    let counted = |class| match class {
        OperationClass::Dequantise if !unpacks => 0.0,
        OperationClass::Adapters => 0.0,
        _ => count,
    };
    sum.costs = sum.costs + cost.scaled(counted);
    sum.tensor = sum.tensor + traffic.tensor * count;
    sum.expert = sum.expert + traffic.expert * count;
}

fn model_pass(bench: &Bench<'_>, paths: &Paths, pass: &Pass, head_tokens: f64) -> ModelPass {
    let arch = bench.plan.arch;
    let costs = ClassCosts::default()
        .with(OperationClass::Embedding, bench.embedding(pass.tokens))
        .with(OperationClass::Head, bench.head(head_tokens));
    let mut sum = ModelPass { costs, ..ModelPass::default() };
    add_blocks(&mut sum, bench, paths, pass, None, arch.dense_layers());
    add_blocks(&mut sum, bench, paths, pass, arch.moe.as_ref(), arch.moe_layers());
    let stages = bench.plan.layout.pipeline as f64;
    let bytes = pass.tokens * f64::from(arch.hidden) * bench.element_bytes;
    sum.pipeline = send(&paths.pipeline, bytes) * (stages - 1.0);
    sum
}

/// Time in which the cached keys and values and the weights of a decode step stream by at the full
/// bandwidth of the data sheet.
fn ceiling_secs(bench: &Bench<'_>, decode: &ModelPass) -> f64 {
    let costs = &decode.costs;
    let bytes = costs.products().bytes
        + costs.of(OperationClass::Attention).bytes
        + costs.of(OperationClass::Head).bytes;
    bytes / bench.machine.peak_bytes_per_sec
}

/// Answers a serving plan: decode with half of the generated tokens in the cache, prompt by prompt.
///
/// ```text
/// decode    τ = max((weights + q·C·cache)/(W·η), F/(R·η)) + collectives, at least the host's launches
/// prefill   τ = F/(R·η) + collectives
/// ```
///
/// Stages of a pipeline run one after the other; data-parallel copies serve their own sequences.
pub(super) fn estimate(plan: &Resolved<'_>) -> SpeedEstimate {
    let bench = Bench::new(plan);
    let paths = Paths::new(&bench);
    let workload = &plan.plan.workload;
    let sequences = f64::from(workload.concurrency.max(1));
    let prompt = f64::from(workload.prompt_tokens.max(1));
    let copies = plan.layout.data as f64;

    let decode = decode_of(&bench, &paths);
    let layers = f64::from(plan.arch.layers);
    let gap_secs =
        (host::decode_block_secs(plan) * layers - decode.secs()).max(0.0) + host::engine_secs(plan);
    let device = decode.device();
    let mut parts = TimeParts::default();
    parts.add(TimePart::Compute, device.compute_secs);
    parts.add(TimePart::MemoryBandwidth, device.memory_secs);
    parts.add(TimePart::ExposedCommunication, decode.traffic_secs());
    parts.add(TimePart::Launch, device.launch_secs + gap_secs);
    let latency = parts.total();

    let prompts_at_once = (PROMPT_TOKENS_AT_ONCE / prompt).floor().clamp(1.0, sequences);
    let first = prompt_time(&bench, &paths, prompt, 1.0);
    let batch = prompt_time(&bench, &paths, prompt, prompts_at_once);
    let ceiling = ceiling_secs(&bench, &decode);
    let power = Phases::default()
        .operations(&device)
        .communication(decode.traffic_secs())
        .waiting(gap_secs)
        .draw(plan.gpu);
    let decode_tokens_per_sec = copies * sequences / latency.0;
    let watts = power.map(|power| power.watts);
    let (kwh_per_million_tokens, usd_per_million_tokens) =
        cost::of_million_tokens(plan, decode_tokens_per_sec, watts);
    let figures = ServingFigures {
        decode_tokens_per_sec,
        decode_tokens_per_sec_per_user: 1.0 / latency.0,
        prefill_tokens_per_sec: copies * prompts_at_once * prompt / batch.secs,
        time_to_first_token: Secs(first.secs),
        token_latency: latency,
        decode_ceiling_tokens_per_sec: copies * sequences / ceiling,
        kwh_per_million_tokens,
        usd_per_million_tokens,
    };
    SpeedEstimate {
        figures: Figures::Serving(figures),
        operations: assembly::operations(&decode.costs),
        bound_by: parts.bound(),
        time: parts.into_vec(),
        communication: communication(&paths, &decode),
        fractions: assembly::fractions(&bench, &paths),
        causes: TimeCauses {
            micro_batches: 1,
            kernels: device.kernels(),
            host_wait: Secs(gap_secs),
            prompt_flops: Flops(first.flops),
            prompts_at_once,
            ..TimeCauses::default()
        },
        power,
        cards_usd: cost::of_cards(plan),
    }
}

/// What the parallel axes send in a decode step.
fn communication(paths: &Paths, decode: &ModelPass) -> Vec<GroupTraffic> {
    let rows = [
        (CommunicationGroup::Tensor, &paths.tensor, decode.tensor),
        (CommunicationGroup::Expert, &paths.expert, decode.expert),
        (CommunicationGroup::Pipeline, &paths.pipeline, decode.pipeline),
    ];
    let shows =
        |(group, path, load): (_, _, Load)| Sent { group, path, load, exposed_secs: load.secs };
    assembly::communication(&rows.map(shows))
}

/// The plan's decode step: every sequence has its prompt and half of its answer in the cache.
fn decode_of(bench: &Bench<'_>, paths: &Paths) -> ModelPass {
    let pass = token_pass(bench);
    model_pass(bench, paths, &pass, pass.tokens)
}

/// One token of every sequence of the plan.
pub(super) fn token_pass(bench: &Bench<'_>) -> Pass {
    let workload = &bench.plan.plan.workload;
    let context = f64::from(workload.prompt_tokens) + f64::from(workload.generated_tokens) / 2.0;
    let (tokens, sequence) = (f64::from(workload.concurrency.max(1)), context.max(1.0));
    Pass { tokens, sequence, pairs: 0.0, cached: cached_positions(bench, sequence) }
}

/// Cached positions that a token attends to, averaged over blocks.
fn cached_positions(bench: &Bench<'_>, context: f64) -> f64 {
    let arch = bench.plan.arch;
    let Some(window) = arch.window else {
        return context;
    };
    let share = f64::from(arch.sliding_layers()) / f64::from(arch.layers.max(1));
    context + share * (f64::from(window.size).min(context) - context)
}

/// What a pipeline leaves of the time of all stages one after the other: chunks follow each other.
///
/// ```text
/// 1 − ω + ω·(n + p − 1)/(n·p)        n chunks, p stages
/// ```
fn stages_share(bench: &Bench<'_>, chunks: f64) -> f64 {
    let stages = bench.plan.layout.pipeline as f64;
    let chunks = chunks.ceil().max(1.0);
    let filled = (chunks + stages - 1.0) / (chunks * stages);
    1.0 - PROMPT_OVERLAP_SHARE * (1.0 - filled)
}

/// Prompts until their first token.
#[derive(Clone, Copy, Debug)]
struct PromptTime {
    secs: f64,
    flops: f64,
}

/// Tokens that go through the model at once: engines with pages take large batches, Hugging Face's code
/// whole prompts, lean loops chunks.
fn chunk_tokens(plan: &Resolved<'_>, tokens: f64) -> f64 {
    let whole = plan.plan.framework.profile == Profile::HuggingFace
        || plan.plan.workload.cache == CacheAllocation::Paged;
    if whole { tokens } else { tokens.min(PROMPT_CHUNK_TOKENS) }
}

/// Time and work of prompts until their first token.
fn prompt_time(bench: &Bench<'_>, paths: &Paths, prompt: f64, prompts: f64) -> PromptTime {
    let tokens = prompts * prompt;
    let chunk = chunk_tokens(bench.plan, tokens);
    let chunks = tokens / chunk;
    let pass = Pass {
        tokens: chunk,
        sequence: prompt,
        pairs: mean_pairs(bench.plan.arch, prompt),
        cached: 0.0,
    };
    let host_secs = host::prompt_block_secs(bench.plan) * f64::from(bench.plan.arch.layers);
    let sum = model_pass(bench, paths, &pass, prompts.min(chunk));
    let secs = sum.secs().max(host_secs) * chunks * stages_share(bench, chunks);
    PromptTime { secs, flops: sum.device().flops * chunks }
}

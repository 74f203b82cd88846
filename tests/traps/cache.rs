//! The key-value cache of served sequences.

use vramplan::{
    catalogue::Dtype,
    memory::{Moment, Part, params},
    plan::{AttentionKernel, Plan},
    throughput::{self, OperationClass},
    units::GIB,
};

use crate::planner::{answer, at, catalogue, part, serving, stage, with, with_architecture};

fn cache(plan: &Plan) -> u64 {
    answer(plan).stages.iter().map(|stage| stage.serving.expect("it serves").kv.0).sum()
}

/// `SelfHostLLM` takes 20 % of the weights per 1000 tokens (26.3 GB here), `gpu_poor` the whole width.
///
/// ```text
/// Llama 3 8B   2 · 32 layers · 8 heads · 128 · 2 bytes · 8192 tokens = 1 GiB
/// ```
#[test]
fn the_cache_of_an_8b_model_at_8k_is_one_gib() {
    assert_eq!(cache(&serving("llama-3-8b", 8192)), GIB, "key-value heads, not query heads");
}

/// `EleutherAI`'s calculator counts keys and values once together.
///
/// ```text
/// Llama 2 7B   2 · 32 layers · 32 heads · 128 · 2 bytes · 4096 tokens = 2 GiB
/// ```
#[test]
fn keys_and_values_are_a_pair() {
    assert_eq!(cache(&serving("llama-2-7b", 4096)), 2 * GIB, "two tensors a layer");
}

/// ODS derives the cache from the number of parameters.
///
/// 24 key-value heads more are 2·24·128 = 6144 rows of width `h`: as many weights as 2048 rows less
/// in three feed-forward matrices.
#[test]
fn models_of_equal_size_differ_in_cache_as_their_key_value_heads_do() {
    let grouped = serving("llama-3-8b", 4096);
    let multi = with_architecture(&grouped, |arch| {
        arch.kv_heads = 32;
        arch.ffn -= 2048;
    });
    let total = |plan: &Plan| params::count(plan.architecture(catalogue()).expect("a model")).total;
    assert_eq!(total(&grouped), total(&multi), "equal parameters");
    assert_eq!(cache(&multi), 4 * cache(&grouped), "32 heads against 8");
}

/// `LLM-Viewer` moved the cache of all query heads through memory when decoding.
#[test]
fn decoding_reads_the_cache_of_the_key_value_heads_only() {
    let grouped = with(&serving("llama-3-70b", 8000), |plan| {
        plan.hardware.gpus = 8;
        plan.parallelism.tensor = 8;
        plan.workload.generated_tokens = 100;
    });
    let multi = with_architecture(&grouped, |arch| arch.kv_heads = 64);
    let read = |plan: &Plan| {
        let speed = throughput::estimate(&plan.resolve(catalogue()).expect("valid"));
        let core = speed.operations.iter().find(|one| one.class == OperationClass::Attention);
        core.expect("attention").bytes.as_f64()
    };
    let ratio = read(&multi) / read(&grouped);
    assert!((7.8..8.2).contains(&ratio), "8 heads against 64: {ratio}");
}

/// llama-toolchest over-counted Gemma's cache about 40 times: full attention everywhere and `h / a`.
///
/// ```text
/// 2 · 8 heads · 256 · 2 bytes = 8192 bytes a token and layer, of 48 layers 40 see 1024 tokens
/// (8 · 131,072 + 40 · 1024) · 8192 = 8,925,478,912
/// ```
#[test]
fn sliding_layers_keep_their_window_and_the_others_grow() {
    let at_length = |tokens| cache(&serving("gemma-3-12b-text", tokens));
    assert_eq!(at_length(131_072), (8 * 131_072 + 40 * 1024) * 8192, "windows are full");
    assert_eq!(at_length(131_072) - at_length(65_536), 8 * 65_536 * 8192, "eight layers grow");
    assert_eq!(at_length(512), 48 * 512 * 8192, "below the window all layers are alike");
}

/// llmfit applies the layout of hybrid models for one cache format only.
#[test]
fn windows_hold_for_every_format_of_the_cache() {
    let wide = serving("gemma-3-12b-text", 131_072);
    let narrow = with(&wide, |plan| plan.precision.kv_dtype = Dtype::Fp8);
    assert_eq!(cache(&wide), 2 * cache(&narrow), "half the bytes of the same tokens");
}

/// Latent attention caches a compressed vector and the rotary keys, not keys and values of all heads.
///
/// ```text
/// DeepSeek-V3   61 layers · (512 + 64) · 2 bytes = 70,272 bytes a token   (all heads: 4,997,120)
/// ```
#[test]
fn latent_attention_caches_the_latent() {
    let plan = serving("deepseek-v3", 1000);
    assert_eq!(cache(&plan), 70_272 * 1000, "the latent");
    let ranks = with(&plan, |plan| {
        plan.hardware.gpus = 8;
        plan.parallelism.tensor = 8;
    });
    assert_eq!(cache(&ranks), 70_272 * 1000, "each tensor-parallel rank needs the whole latent");
}

/// ollama forgot the number of parallel slots, and the cache was four times the plan.
#[test]
fn four_sequences_need_four_caches_and_the_same_weights() {
    let one = with(&serving("llama-3-8b", 4096), |plan| plan.workload.generated_tokens = 512);
    let four = with(&one, |plan| plan.workload.concurrency = 4);
    assert_eq!(cache(&four), 4 * cache(&one), "context × sequences");
    for same in [Part::Parameters, Part::Context, Part::Communication] {
        assert_eq!(part(&four, same), part(&one, same), "{same:?}");
    }
}

/// hf-mem's users asked for the cache of concurrent requests in the total.
#[test]
fn the_need_of_decoding_rises_linearly_with_the_sequences() {
    let live = |sequences: u32| {
        let plan = with(&serving("llama-3-8b", 7680), |plan| {
            plan.workload.concurrency = sequences;
            plan.workload.generated_tokens = 512;
        });
        stage(&plan).serving.expect("it serves").decode_peak.0
    };
    let slope = live(2) - live(1);
    assert_eq!(live(33) - live(1), 32 * slope, "a straight line");
    let beside = slope - GIB;
    assert!(beside < GIB / 500, "the cache of 8192 tokens and a few logits: {beside}");
}

/// ollama counted a buffer that exists once for each of three GPUs.
#[test]
fn the_caches_of_all_gpus_add_up_to_the_whole() {
    let one = serving("llama-3-8b", 8192);
    let tensor = with(&one, |plan| {
        plan.hardware.gpus = 4;
        plan.parallelism.tensor = 4;
    });
    assert_eq!(4 * cache(&tensor), GIB, "heads are divided");
    let pipeline = with(&one, |plan| {
        plan.hardware.gpus = 3;
        plan.parallelism.pipeline = 3;
    });
    assert_eq!(cache(&pipeline), GIB, "layers are divided, 11 + 11 + 10");
    let weights: u64 =
        answer(&pipeline).stages.iter().map(|stage| stage.parts.get(Part::Parameters).0).sum();
    assert_eq!(weights, 16_060_522_496, "so are the weights");
}

/// A key-value head cannot be divided: beyond their number tensor parallelism copies them.
#[test]
fn more_ranks_than_key_value_heads_copy_the_cache() {
    let ranks = |count| {
        let plan = with(&serving("llama-3.1-70b", 8192), |plan| {
            plan.hardware.gpus = count;
            plan.parallelism.tensor = count;
        });
        cache(&plan)
    };
    assert_eq!(ranks(8), ranks(16), "one of eight heads either way");
    assert_eq!(ranks(4), 2 * ranks(8), "two heads against one");
}

/// ollama kept a buffer of scores where flash attention needs none.
#[test]
fn flash_attention_needs_no_scores_and_changes_neither_weights_nor_cache() {
    let flash = serving("llama-3-8b", 8192);
    let eager = with(&flash, |plan| plan.framework.attention = AttentionKernel::Eager);
    let (flash_parts, eager_parts) =
        (at(&flash, 0, Moment::Prefill), at(&eager, 0, Moment::Prefill));
    let fell = eager_parts.get(Part::Temporaries).0 - flash_parts.get(Part::Temporaries).0;
    assert!(fell > 32 * 8192 * 8192 * 2, "at least the 16-bit scores of 32 heads: {fell}");
    for same in [Part::Parameters, Part::KvCache] {
        assert_eq!(flash_parts.get(same), eager_parts.get(same), "{same:?}");
    }
}

/// gpustack claimed 13.8 GiB for an embedding model that used 0.9.
#[test]
fn an_encoder_has_neither_cache_nor_logits() {
    let encoder = with_architecture(&serving("llama-3.2-1b", 512), |arch| arch.head = false);
    let parts = stage(&with(&encoder, |plan| plan.workload.concurrency = 64)).parts;
    assert_eq!(parts.get(Part::LogitsAndLoss).0, 0, "no head, no logits");
    assert_eq!(parts.get(Part::KvCache).0, 0, "nothing is generated, nothing is cached");
}

//! How many parameters there are, and which of them a format or an adapter covers.

use vramplan::{
    catalogue::{Architecture, parse_size, plausible_architecture},
    memory::{Part, params},
    plan::{Method, Profile, WeightFormat},
};

use crate::planner::{architecture, part, serving, stage, training, with, with_architecture};

fn total(arch: &Architecture) -> u64 {
    params::count(arch).total
}

/// vllm-fit read Mixtral 8x7B as 13 B: one feed-forward block and a tied head.
///
/// ```text
/// attention 2·4096² + 2·1024·4096 = 41,943,040     router 8·4096 = 32,768     norms 2·4096 = 8,192
/// experts   8 · 3·4096·14,336 = 1,409,286,144      layer = 1,451,270,144
/// 32 layers + embedding and head 2·32,000·4096 + final norm 4096 = 46,702,792,704
/// ```
#[test]
fn every_expert_and_an_untied_head_are_counted() {
    assert_eq!(total(architecture("mixtral-8x7b")), 46_702_792_704, "46.7 B, not 13 B");
}

/// accelerate reported 64.7 GB for a 70B model in 16 bits.
///
/// ```text
/// 70,553,706,496 parameters × 2 = 141,107,412,992 bytes = 131.4 GiB
/// ```
#[test]
fn seventy_billion_weights_in_16_bits_take_131_gib() {
    let plan = serving("llama-3.1-70b", 1024);
    assert_eq!(part(&plan, Part::Parameters), 141_107_412_992, "every weight has two bytes");
}

/// accelerate's estimate leaves the head of a causal language model out: 13.98 instead of 14.96 GiB.
///
/// ```text
/// 8,030,261,248 × 2 = 16,060,522,496 bytes = 14.957 GiB      head 128,256·4096·2 = 0.98 GiB
/// ```
#[test]
fn an_untied_head_is_part_of_the_weights() {
    let weights = stage(&serving("llama-3-8b", 1024)).parts.get(Part::Parameters);
    assert_eq!(weights.0, 16_060_522_496, "with the head");
    assert_eq!(weights.gib_cell(), "14.96", "as people quote it");
}

/// `EleutherAI`'s calculator leaves open whether the head counts.
#[test]
fn tying_the_head_takes_away_vocabulary_times_width_once() {
    let plan = serving("llama-3-8b", 1024);
    let tied = with_architecture(&plan, |arch| arch.tied = true);
    let saved = part(&plan, Part::Parameters) - part(&tied, Part::Parameters);
    assert_eq!(saved, 128_256 * 4096 * 2, "one matrix of two");
    // A tied head is no second copy: Llama 3.2 1B has 1,235,814,400 parameters.
    assert_eq!(part(&serving("llama-3.2-1b", 64), Part::Parameters), 2 * 1_235_814_400, "once");
}

/// `gpu_poor` counts `4·h²` attention weights a layer whatever the number of key-value heads.
///
/// ```text
/// 32 layers × 2 (k and v) × (32 − 8) heads × 128 × 4096 = 805,306,368
/// ```
#[test]
fn key_and_value_projections_have_the_key_value_heads() {
    let grouped = architecture("llama-3-8b");
    let mut multi = grouped.clone();
    multi.kv_heads = multi.heads;
    assert_eq!(total(&multi) - total(grouped), 805_306_368, "k and v only");
}

/// Qwen3 0.6B has 16 heads of 128 on a width of 1024: `h / a` would be 64.
///
/// ```text
/// q, o 2·2048·1024   k, v 2·1024·1024   q/k norms 2·128   mlp 3·1024·3072   norms 2·1024
/// 28 · 15,730,944 + 151,936·1024 (tied) + 1024 = 596,049,920
/// ```
#[test]
fn the_head_dimension_is_the_configurations_and_not_width_by_heads() {
    let arch = architecture("qwen3-0.6b");
    assert_eq!((arch.hidden / arch.heads, arch.head_dim), (64, 128), "they differ");
    assert_eq!(total(arch), 596_049_920, "weights by the stated dimension");
}

/// xtuner's calculator divides counts by 2^30, calls that billions, and shows a 175B model with 68.7 B
/// under tensor parallelism.
///
/// ```text
/// per layer 12·h² + 13·h; 96 · 1,812,099,072 + (50,257 + 2048)·12,288 + 2·12,288 = 174,604,259,328
/// ```
#[test]
fn billions_are_decimal_and_do_not_depend_on_parallelism() {
    let whole = total(architecture("gpt3-175b"));
    assert_eq!(whole, 174_604_259_328, "174.6 decimal billions");
    let plan = serving("gpt3-175b", 1024);
    let divided = with(&plan, |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.hardware.gpus = 8;
        plan.parallelism.tensor = 8;
    });
    let ranks = 8 * part(&divided, Part::Parameters) / 2;
    let repeated = ranks as f64 / whole as f64;
    assert!((1.0..1.002).contains(&repeated), "once but for norms and positions: {repeated}");
}

/// torchtune: `QLoRA` of a 1B model took more than expected; only linear layers are quantised.
///
/// ```text
/// linear 973,078,528 × 4.5 / 8 (nf4 with an fp32 scale per 64)       =   547,356,672
/// embedding 262,668,288 + norms 67,584, in 16 bits                   =   525,471,744
/// fp32 adapters of rank 16: 16 layers × 16·44,032 = 11,272,192 × 4   =    45,088,768
/// ```
#[test]
fn embeddings_stay_in_16_bits_under_a_4_bit_base() {
    let plan = with(&training("llama-3.2-1b"), |plan| {
        plan.workload.method = Method::Qlora;
        plan.precision.weight_format = WeightFormat::Nf4;
    });
    let weights = part(&plan, Part::Parameters);
    assert_eq!(weights, 547_356_672 + 525_471_744 + 45_088_768, "three kinds of weights");
    assert!(weights > 1_235_814_400 / 2 + 262_668_288, "not half a byte for everything");
}

/// Unsloth's estimate missed the 4-bit setting of a checkpoint and came to 57 instead of 10 GB.
#[test]
fn a_4_bit_base_has_little_more_than_half_a_byte_for_a_linear_weight() {
    for format in [WeightFormat::Nf4, WeightFormat::Nf4Double, WeightFormat::Int4Group128] {
        let plan = with(&serving("llama-2-7b", 64), |plan| plan.precision.weight_format = format);
        let each = part(&plan, Part::Parameters) as f64 / 6_738_415_616.0;
        assert!((0.5..0.65).contains(&each), "{format:?}: {each} bytes a parameter");
    }
}

/// `gpu_poor`: a model entered by its size and the same by its configuration disagreed.
#[test]
fn a_model_by_size_is_within_five_per_cent_of_the_model_by_configuration() {
    for (size, model) in [("8B", "llama-3.1-8b"), ("7B", "llama-2-7b"), ("70B", "llama-3.1-70b")] {
        let proposed = total(&plausible_architecture(parse_size(size).expect("a size")));
        let ratio = proposed as f64 / total(architecture(model)) as f64;
        assert!((0.95..1.05).contains(&ratio), "{size}: {ratio}");
    }
}

//! A handful of published runs, and what follows from the mechanisms.

use vramplan::{
    plan::{
        CheckpointPolicy, Method, Plan, QuantisedKernel, Schedule, Sharding, WeightFormat,
        file::parse,
    },
    throughput::{self, TimePart},
};

use crate::{decode, estimate, near, secs, serving, torchtitan_8b, training, with_card};

/// Source: torchtitan, `benchmarks/llama3_h100_202412_torchtitan.md`, tables 1 and 3.
#[test]
fn fsdp_on_eight_and_on_128_gpus_is_near_the_published_runs() {
    near("8 GPUs", training(&torchtitan_8b(8)).tokens_per_sec_per_gpu, 5762.0, 0.2);
    near("128 GPUs", training(&torchtitan_8b(128)).tokens_per_sec_per_gpu, 5605.0, 0.2);
    let mut compiled = torchtitan_8b(8);
    compiled.framework.compile = true;
    near("compiled", training(&compiled).tokens_per_sec_per_gpu, 6667.0, 0.2);
}

/// Source: gpt-fast's README (A100 at 330 W) and llama.cpp benchmarks of an RTX 4090.
#[test]
fn decode_is_near_the_published_runs() {
    let a100 = "NVIDIA A100-SXM4-80GB";
    let speed = |plan: &Plan| serving(plan).decode_tokens_per_sec;
    near("7B bf16", speed(&decode("llama-2-7b", a100, WeightFormat::Bf16)), 104.9, 0.2);
    near("7B int8", speed(&decode("llama-2-7b", a100, WeightFormat::Int8)), 155.58, 0.25);
    near("70B int4", speed(&decode("llama-2-70b", a100, WeightFormat::Int4Group32)), 25.25, 0.2);
    let gaming = "NVIDIA GeForce RTX 4090";
    near("8B fp16", speed(&decode("llama-3-8b", gaming, WeightFormat::Fp16)), 54.84, 0.2);
    near("8B q4", speed(&decode("llama-3-8b", gaming, WeightFormat::Q4KM)), 127.74, 0.25);
}

#[test]
fn recomputation_costs_about_a_third_and_raises_only_hardware_utilisation() {
    let mut full = torchtitan_8b(8);
    full.checkpointing.policy = CheckpointPolicy::Full;
    let mut none = full.clone();
    none.checkpointing.policy = CheckpointPolicy::None;
    let (full, none) = (training(&full), training(&none));
    let ratio = full.step.0 / none.step.0;
    assert!((1.2..1.4).contains(&ratio), "full checkpointing takes {ratio:.2} times as long");
    assert!(none.mfu > full.mfu, "the model's work is the same in less time");
    assert!((none.hfu - none.mfu).abs() < 1e-12, "nothing is recomputed");
    assert!(full.hfu > full.mfu, "recomputation counts");
}

#[test]
fn more_micro_batches_shrink_the_bubble_and_better_schedules_too() {
    let mut plan = torchtitan_8b(8);
    plan.parallelism.sharding = Sharding::None;
    plan.parallelism.pipeline = 8;
    plan.workload.accumulation = 16;
    let share = |plan: &Plan| {
        let speed = estimate(plan);
        speed.time_of(TimePart::Bubble).0 / secs(&speed)
    };
    let few = share(&plan);
    plan.workload.accumulation = 64;
    let many = share(&plan);
    assert!(
        few > 0.2 && many < few / 2.0,
        "bubble {few:.3} with 16, {many:.3} with 64 micro-batches"
    );
    plan.parallelism.schedule = Schedule::ZeroBubbleH2;
    assert!(share(&plan) == 0.0, "no bubble with ZB-H2");
}

#[test]
fn frozen_weights_count_four_flops_instead_of_six() {
    let mut plan = torchtitan_8b(8);
    let full = training(&plan).model_flops.0;
    plan.workload.method = Method::Lora;
    plan.workload.lora.rank = 1;
    let frozen = training(&plan).model_flops.0;
    assert!((0.68..0.78).contains(&(frozen / full)), "{:.3} of full fine-tuning", frozen / full);
}

#[test]
fn a_small_model_in_eager_mode_waits_for_the_host() {
    let mut plan = decode("qwen2.5-0.5b", "NVIDIA A100-SXM4-80GB", WeightFormat::Bf16);
    let captured = estimate(&plan);
    plan.framework.compile = false;
    let eager = estimate(&plan);
    assert_eq!(eager.bound_by, throughput::Bound::Launch, "24 blocks take the host longer");
    assert!(secs(&eager) > 3.0 * secs(&captured), "captured graphs lift it");
}

/// Source: `AutoAWQ`'s README, Mistral 7B on an RTX 4090 with both kernels.
#[test]
fn a_kernel_for_one_row_is_slow_for_prompts() {
    let mut many = decode("mistral-7b-v0.1", "NVIDIA GeForce RTX 4090", WeightFormat::Int4Group128);
    many.workload.prompt_tokens = 2048;
    many.workload.generated_tokens = 2048;
    let mut one = many.clone();
    one.precision.quantised_kernel = QuantisedKernel::Vector;
    let (one, many) = (serving(&one), serving(&many));
    near("for one row", one.prefill_tokens_per_sec, 903.83, 0.15);
    assert!(many.prefill_tokens_per_sec > 3.0 * one.prefill_tokens_per_sec, "{many:?}");
    let same = one.decode_tokens_per_sec / many.decode_tokens_per_sec;
    assert!((same - 1.0).abs() < 0.05, "one sequence decodes as fast: {same}");
}

/// Source: DeepSeek-AI 2024, arXiv:2412.19437: 2.664 million H800 hours for 14.8 trillion tokens.
#[test]
fn experts_over_many_nodes_are_near_the_published_run_only_with_its_dispatch_and_overlap() {
    let preset = include_str!("../../presets/deepseek-v3-2048xh800.ron");
    let mut plan = parse(preset).expect("a preset").plan;
    near("GPU hours, millions", training(&plan).gpu_hours / 1e6, 2.664, 0.3);
    let exposed = |plan: &Plan| estimate(plan).time_of(TimePart::ExposedCommunication).0;
    let hidden = exposed(&plan);
    plan.parallelism.overlap_expert = false;
    let once = exposed(&plan);
    plan.parallelism.dispatch_once_a_node = false;
    assert!(hidden < once && once < exposed(&plan), "each of them takes traffic away");
}

/// Amdahl: what does not wait for it stays.
#[test]
fn lifting_what_bounds_a_plan_halves_its_share_and_nothing_else() {
    let plan = decode("llama-3-8b", "NVIDIA GeForce RTX 3090", WeightFormat::Bf16);
    let speed = estimate(&plan);
    let faster = with_card(&plan, |gpu| gpu.bandwidth_gbps *= 2.0);
    assert_eq!(speed.bound_by, throughput::Bound::MemoryBandwidth, "decode");
    let (told, reached) = (speed.time_if_lifted().0, secs(&estimate(&faster)));
    assert!(
        (reached / told - 1.0).abs() < 0.1,
        "{told} s told, {reached} s with twice the bandwidth"
    );
}

//! What data, tensor and context parallelism divide, and what they do not.

use vramplan::{
    memory::{Moment, Part},
    plan::{Plan, Profile, Recipe, Sharding},
    units::MIB,
};

use crate::planner::{answer, at, part, sharded, stage, state_bytes, states_of, training, with};

/// Llama 2 7B, all of whose tensors divide by 8 and by 64.
const PARAMS: u64 = 6_738_415_616;

fn states(plan: &Plan) -> u64 {
    state_bytes(&stage(plan).parts)
}

fn deepspeed(gpus: u32, sharding: Sharding) -> Plan {
    let mut plan = states_of("llama-2-7b", Recipe::Bf16Master);
    plan.framework.profile = Profile::DeepSpeed;
    sharded(&plan, gpus, sharding)
}

fn fsdp(model: &str, gpus: u32) -> Plan {
    let mut plan = training(model);
    Recipe::Fp32CastAtGather.apply(&mut plan.precision);
    plan.framework.profile = Profile::Fsdp2;
    sharded(&plan, gpus, Sharding::Zero3)
}

/// `DeepSpeed`'s estimator knows no stage 1 and ignores that stage 2 divides gradients.
///
/// ```text
/// 8 ranks, 16-bit gradients    16      4 + 12/8      2 + 14/8      16/8     bytes a parameter
/// ```
#[test]
fn every_stage_of_zero_divides_what_it_says() {
    let stages = [Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3];
    let eighths = stages.map(|sharding| states(&deepspeed(8, sharding)) * 8);
    assert_eq!(eighths, [128, 44, 30, 16].map(|bytes| bytes * PARAMS), "eighths of bytes");
}

/// `DeepSpeed`'s formula for ZeRO-2 once charged four unsharded bytes a parameter.
#[test]
fn zero_2_on_many_ranks_tends_to_the_16_bit_weights() {
    assert_eq!(states(&deepspeed(512, Sharding::Zero2)) * 512, (2 * 512 + 14) * PARAMS, "2 + 14/N");
}

/// dlcalc always shards; a user wanted to compare.
#[test]
fn sharding_the_optimizer_saves_twelve_bytes_less_one_share() {
    let saved = states(&deepspeed(64, Sharding::None)) - states(&deepspeed(64, Sharding::Zero1));
    assert_eq!(saved * 64, 12 * 63 * PARAMS, "12·(1 − 1/64)");
}

/// ZeRO divides among data-parallel ranks; tensor-parallel ranks hold different parameters already.
#[test]
fn zero_shards_over_data_parallel_ranks_and_not_over_all() {
    let plan = with(&states_of("llama-3-8b", Recipe::Bf16MasterFp32Grads), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.parallelism.tensor = 4;
    });
    let alone = part(&sharded(&plan, 4, Sharding::Zero1), Part::OptimizerState);
    let two = part(&sharded(&plan, 8, Sharding::Zero1), Part::OptimizerState);
    assert_eq!(alone, 2 * two, "two data-parallel ranks, not eight");
    let context = with(&sharded(&plan, 8, Sharding::Zero1), |plan| plan.parallelism.context = 2);
    assert_eq!(part(&context, Part::OptimizerState), two, "context-parallel ranks share too");
}

/// `EleutherAI`'s calculator leaves gradients and states undivided by TP and PP: 2626 GiB here.
///
/// ```text
/// 174.6e9 · 18 / 64 = 45.7 GiB, the stages with the embedding 1.3 GiB more
/// ```
#[test]
fn model_parallelism_divides_weights_gradients_and_states() {
    let plan = with(&states_of("gpt3-175b", Recipe::Bf16MasterFp32Grads), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.workload.accumulation = 8;
        plan.hardware.gpus = 64;
        plan.parallelism.tensor = 8;
        plan.parallelism.pipeline = 8;
    });
    for stage in answer(&plan).stages {
        let gib = vramplan::units::Bytes(state_bytes(&stage.parts)).gib();
        assert!((44.0..48.0).contains(&gib), "stage {}: {gib} GiB", stage.stage);
    }
}

/// llm-analysis divided norms by TP and counted one per block.
///
/// ```text
/// of D divided and R whole parameters each rank holds D/t + R:  R = (8·held(8) − held(1)) / 7
/// Llama 3 8B: two norms a block and the last one, (2·32 + 1)·4096 = 266,240
/// ```
#[test]
fn norms_are_whole_on_every_tensor_parallel_rank() {
    let held = |ranks: u32| {
        let plan = with(&training("llama-3-8b"), |plan| {
            plan.framework.profile = Profile::Megatron;
            plan.hardware.gpus = ranks;
            plan.parallelism.tensor = ranks;
        });
        part(&plan, Part::Parameters) / 2
    };
    assert_eq!((8 * held(8) - held(1)) / 7, 65 * 4096, "and nothing else is");
    assert_eq!((8 * held(8) - held(1)) % 7, 0, "everything else divides");
}

/// Users of `DeepSpeed` expected memory to fall linearly with the GPUs.
#[test]
fn under_zero_3_states_fall_with_the_ranks_and_nothing_else_does() {
    let (four, eight) = (fsdp("llama-3-8b", 4), fsdp("llama-3-8b", 8));
    let start = |plan: &Plan| at(plan, 0, Moment::BackwardStart);
    let (few, many) = (start(&four), start(&eight));
    assert_eq!(state_bytes(&few), 2 * state_bytes(&many), "states halve");
    for constant in [
        Part::AttentionActivations,
        Part::MlpActivations,
        Part::NormActivations,
        Part::LogitsAndLoss,
        Part::Communication,
        Part::Context,
    ] {
        assert_eq!(few.get(constant), many.get(constant), "{constant:?}");
    }
}

/// `PyTorch`: reserved memory hardly fell with more FSDP nodes while allocated memory halved.
#[test]
fn the_allocators_allowance_is_a_part_of_its_own_and_is_not_sharded() {
    let (few, many) = (stage(&fsdp("llama-3-8b", 16)), stage(&fsdp("llama-3-8b", 128)));
    let reserve = |stage: &vramplan::memory::StageMemory| {
        assert!(stage.reserved > stage.allocated, "reserved is another figure than allocated");
        stage.parts.get(Part::AllocatorReserve).0
    };
    assert!(state_bytes(&few.parts) > 4 * state_bytes(&many.parts), "states fall eightfold");
    assert!(reserve(&many) * 2 > reserve(&few), "the allowance does not");
}

/// torchtitan: FSDP2 keeps the layer in use and the one fetched ahead, and a user asked about both.
///
/// ```text
/// 16-bit: root 2·128,256·4096 + 4096, two layers of 218,112,000; NCCL of one group 688 MiB
/// ```
#[test]
fn the_layer_that_is_fetched_ahead_is_gathered_too() {
    let parts = at(&fsdp("llama-3-8b", 8), 0, Moment::ForwardFirst);
    let root = 2 * 128_256 * 4096 + 4096;
    let gathered = 2 * (root + 2 * 218_112_000) + 688 * MIB;
    assert_eq!(parts.get(Part::Communication).0, gathered, "root and two layers");
    let kept = with(&fsdp("llama-3-8b", 8), |plan| plan.parallelism.reshard_after_forward = false);
    let parts = at(&kept, 0, Moment::ForwardFirst);
    assert_eq!(parts.get(Part::Communication).0, 2 * 8_030_261_248 + 688 * MIB, "or everything");
}

/// torchtitan's estimation mode refused tensor and pipeline parallelism.
#[test]
fn fsdp_with_tensor_parallelism_has_an_answer_with_smaller_states() {
    let alone = fsdp("llama-3-8b", 8);
    let both = with(&fsdp("llama-3-8b", 16), |plan| plan.parallelism.tensor = 2);
    let (whole, half) = (states(&alone), states(&both));
    assert!(half < whole && half * 2 >= whole, "about a half: {half} of {whole}");
}

//! Stages of a pipeline: different loads, and a bounded number of micro-batches in flight.

use vramplan::{
    memory::{Part, StageMemory},
    plan::{Plan, Profile},
};

use crate::planner::{answer, training, with};

fn eight_stages(micro_batches: u32) -> Plan {
    with(&training("llama-3-8b"), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.workload.accumulation = micro_batches;
        plan.hardware.gpus = 8;
        plan.parallelism.pipeline = 8;
    })
}

fn saved(plan: &Plan) -> Vec<u64> {
    answer(plan).stages.iter().map(|stage| stage.saved_bytes.0 - stage.head_saved.0).collect()
}

/// zero-bubble's users needed figures per stage: the first holds eight micro-batches, the last one.
#[test]
fn stage_i_of_eight_holds_eight_minus_i_micro_batches() {
    let plan = eight_stages(64);
    let layer = answer(&plan).stages[0].saved_per_layer.0;
    let sizes = saved(&plan);
    for (index, pair) in sizes.windows(2).enumerate() {
        assert_eq!(pair[0] - pair[1], 4 * layer, "one set of four layers less, stage {index}");
    }
    let last = sizes.last().expect("a stage");
    assert!((4 * layer..5 * layer).contains(last), "one set and the tables: {last}");
}

/// marin's peak grew with the number of micro-batches, which 1F1B does not.
#[test]
fn more_micro_batches_than_stages_change_nothing_and_fewer_need_less() {
    assert_eq!(saved(&eight_stages(8)), saved(&eight_stages(64)), "at most one a stage behind");
    assert!(saved(&eight_stages(2))[0] < saved(&eight_stages(8))[0], "two cannot be eight");
}

/// A tied head on another stage than the embedding needs a copy of the vocabulary's matrix, and of
/// nothing else that comes before the blocks.
///
/// ```text
/// GPT-2 on two stages: 6 blocks of 7,087,872 + vocabulary 50,257·768 + last norm 1536 = 81,126,144
/// ```
#[test]
fn a_tied_head_on_the_last_stage_has_the_vocabulary_and_no_positions() {
    let plan = with(&training("gpt2"), |plan| {
        plan.framework.profile = Profile::Megatron;
        plan.workload.sequence = 1024;
        plan.workload.accumulation = 2;
        plan.hardware.gpus = 2;
        plan.parallelism.pipeline = 2;
    });
    let held = |stage: usize| answer(&plan).stages[stage].parts.get(Part::Parameters).0 / 2;
    assert_eq!(held(0), 6 * 7_087_872 + (50_257 + 1024) * 768, "with positions");
    assert_eq!(held(1), 6 * 7_087_872 + 50_257 * 768 + 1536, "without");
}

/// zero-bubble: the worst stage decides, and every stage has its own answer.
#[test]
fn the_worst_stage_is_named_and_all_are_listed() {
    let answer = answer(&eight_stages(16));
    assert_eq!(answer.stages.len(), 8, "one each");
    let largest = answer.stages.iter().map(StageMemory::total).max();
    assert_eq!(answer.stages.get(answer.worst).map(StageMemory::total), largest, "the worst");
    let different = answer.stages.windows(2).filter(|pair| pair[0].total() != pair[1].total());
    assert_eq!(different.count(), 7, "no two neighbours hold the same");
}

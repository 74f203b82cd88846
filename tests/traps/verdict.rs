//! What is said at the end: three levels, on device memory, and no speed for what cannot run.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use vramplan::{
    estimate::estimate,
    memory::{self, Part, Verdict},
    plan::{
        Plan,
        file::{PresetFile, examples, parse, write},
    },
    units::MIB,
};

use crate::planner::{answer, catalogue, serving, stage, training, with, with_card};

fn on_card_of(plan: &Plan, bytes: u64) -> Verdict {
    let mib = u32::try_from(bytes / MIB).expect("a card");
    answer(&with_card(plan, |gpu| gpu.driver_mib = Some(mib))).verdict
}

/// The program's answer to a preset on its standard input, as JSON.
fn program(preset: &str) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_vramplan"))
        .args(["estimate", "-", "--format", "json", "--lang", "en"])
        .env("XDG_CONFIG_HOME", home.path())
        .env("HOME", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("piped").write_all(preset.as_bytes()).expect("written");
    child.wait_with_output().expect("it ends")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Megatron-LM: 23 GB were computed and a card of 32 GB ran out of memory.
#[test]
fn the_verdict_has_three_levels_and_counts_more_than_tensors() {
    let plan = training("llama-3.2-1b");
    let stage = stage(&plan);
    assert!(stage.low > stage.allocated, "even the low end has context and workspaces");
    assert_eq!(on_card_of(&plan, stage.allocated.0), Verdict::DoesNotFit, "tensors are not all");
    // What is cached shrinks with the card, so that the band is walked through and not computed.
    let steps = (0..=200).map(|step| stage.allocated.0 + step * (stage.high.0 / 200));
    let verdicts: Vec<Verdict> = steps.map(|bytes| on_card_of(&plan, bytes)).collect();
    for level in [Verdict::DoesNotFit, Verdict::Tight, Verdict::Fits] {
        assert!(verdicts.contains(&level), "{level:?} is among {verdicts:?}");
    }
}

/// Whoever buys a larger card must not be told that the plan fits less.
#[test]
fn more_memory_never_makes_a_verdict_worse() {
    let plan = training("llama-3.2-1b");
    let verdicts: Vec<Verdict> =
        (12_000..=17_000).step_by(50).map(|mib| on_card_of(&plan, mib * MIB)).collect();
    let order = |verdict: &Verdict| std::cmp::Reverse(*verdict as u8);
    assert!(verdicts.is_sorted_by_key(order), "{verdicts:?}");
}

/// What a step needs does not depend on the card: only what the allocator may cache beside it does.
#[test]
fn live_tensors_and_the_moment_of_the_peak_are_the_same_on_every_card() {
    let plan = training("llama-3.2-1b");
    let free = stage(&plan);
    for mib in (8_000..=24_000).step_by(250) {
        let small = stage(&with_card(&plan, |gpu| gpu.driver_mib = Some(mib)));
        assert_eq!(small.peak, free.peak, "on {mib} MiB");
        assert_eq!(small.allocated, free.allocated, "on {mib} MiB");
    }
}

/// llm-d's planner left prefill out and passed a model that then ran out of memory.
#[test]
fn serving_needs_more_than_weights_and_cache() {
    let plan = serving("llama-3-8b", 8192);
    let parts = stage(&plan).parts;
    let workspace = parts.get(Part::Temporaries).0;
    assert!(workspace > 500 * MIB, "activations of the tokens in prefill: {workspace}");
    let without = parts.total().0 - parts.get(Part::AllocatorReserve).0 - workspace;
    assert_ne!(on_card_of(&plan, without), Verdict::Fits, "the close case does not fit");
    let short = with(&plan, |plan| plan.workload.prompt_tokens = 1024);
    assert!(stage(&short).parts.get(Part::Temporaries).0 * 4 < workspace, "it follows the prompt");
}

/// vLLM reserved too little beside its tensors; what something else holds counts to the byte.
#[test]
fn memory_in_use_lowers_the_capacity_one_to_one() {
    let plan = training("llama-3.2-1b");
    let used = with(&plan, |plan| plan.hardware.memory_in_use_mib = 1234);
    assert_eq!(answer(&plan).capacity.0 - answer(&used).capacity.0, 1234 * MIB, "one to one");
    assert_eq!(stage(&plan).allocated, stage(&used).allocated, "and needs stay");
}

/// aiconfigurator printed the latency of a 405B model on one GPU that cannot hold it.
#[test]
fn what_does_not_fit_has_no_speed() {
    let plan = serving("llama-3.1-405b", 1024);
    let whole = estimate(&plan, catalogue()).expect("a valid plan");
    assert_eq!(whole.memory.verdict, Verdict::DoesNotFit, "810 GB on 80");
    assert!(whole.speed_if_it_fits().is_none(), "no speed to show");
    let preset = PresetFile { plan, ..PresetFile::default() };
    let output = program(&write(&preset));
    assert_eq!(output.status.code(), Some(4), "does not fit");
    let speed = &json(&output)["speed"];
    let figures = ["training", "serving"].map(|kind| speed[kind].is_object());
    assert_eq!(figures, [false, false], "nor on the command line: {speed}");
}

/// llmfit's two commands had an estimator each and disagreed fivefold.
#[test]
fn the_command_line_and_the_engine_give_the_same_bytes() {
    for example in examples() {
        let printed = json(&program(&write(&example.preset)));
        let memory = answer(&example.preset.plan);
        assert_eq!(printed["capacity_bytes"], memory.capacity.0, "{}", example.name);
        for (stage, shown) in memory.stages.iter().zip(printed["stages"].as_array().expect("all")) {
            assert_eq!(shown["total_bytes"], stage.total().0, "{}", example.name);
            assert_eq!(shown["allocated_bytes"], stage.allocated.0, "{}", example.name);
            assert_eq!(shown["high_bytes"], stage.high.0, "{}", example.name);
        }
    }
}

/// A shared calculation has to come back the same: isitworththecost's users asked for one.
#[test]
fn a_plan_that_was_written_and_read_gives_the_same_bytes() {
    for example in examples() {
        let again = parse(&write(&example.preset)).expect("what was written is read");
        assert_eq!(answer(&again.plan), answer(&example.preset.plan), "{}", example.name);
    }
}

/// LM Studio followed "estimate unavailable" with "not enough resources".
#[test]
fn an_incomplete_model_is_a_missing_field_and_no_verdict() {
    let output = program(
        "(version: 1, plan: (model: Custom(name: \"x\", architecture: (hidden: 1024, layers: 2))))",
    );
    let errors = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "wrong input, not “does not fit”: {errors}");
    assert!(errors.contains("heads"), "names what is missing: {errors}");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!printed.contains("does-not-fit"), "no verdict: {printed}");
}

/// LLM-Tools' users asked why serving needs memory for activations: every part says where it is from.
#[test]
fn every_part_has_an_equation_its_inputs_and_a_source() {
    for plan in [training("mixtral-8x7b"), serving("llama-3-8b", 8192), Plan::default()] {
        let resolved = plan.resolve(catalogue()).expect("a valid plan");
        let explained = memory::detail(&resolved, 0).explanation;
        for (part, _) in stage(&plan).parts.iter() {
            let mut terms = explained.of(part).peekable();
            assert!(terms.peek().is_some(), "{part:?} is explained");
            for term in terms {
                assert!(!term.equation.is_empty() && !term.inputs.is_empty(), "{part:?}: {term:?}");
                assert!(!term.source.0.is_empty(), "{part:?} has a source");
            }
        }
    }
}

//! What users of other tools complained about, where it speaks of speed; more of it is in `traps`.

use std::process::Command;

use serde_json::Value;
use vramplan::{
    catalogue::Catalogue,
    estimate::estimate,
    plan::{
        GpuChoice, Method, ModelChoice, Offload, Plan, StepKernel, WeightFormat,
        file::{examples, write},
    },
    throughput::{self, Figures, TimePart},
    ui::session::Answer,
};

use crate::{card, decode, random_plan::random_plan, serving, with_card};

/// llmfit had one constant for all CUDA cards: four to thirty times too slow on the fast ones.
#[test]
fn two_cards_decode_one_sequence_in_the_ratio_of_their_bandwidths() {
    let speed = |name| {
        let plan = decode("llama-3-8b", name, WeightFormat::Bf16);
        serving(&plan).decode_tokens_per_sec / card(name).bandwidth_gbps
    };
    for (one, other) in [
        ("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4060 Ti 16GB"),
        ("NVIDIA A100-SXM4-80GB", "NVIDIA H100 80GB HBM3"),
        ("NVIDIA H100 80GB HBM3", "NVIDIA H200"),
    ] {
        let ratio = speed(one) / speed(other);
        assert!((0.85..1.18).contains(&ratio), "{one} and {other}: {ratio:.2} for each GB/s");
    }
}

/// llmfit's two commands had an estimator each and disagreed fivefold.
#[test]
fn window_and_library_say_the_same_speed_of_a_hundred_plans() {
    let catalogue = Catalogue::embedded();
    let plans = (0..400).map(|seed| random_plan(seed, catalogue));
    let mut seen = 0;
    for plan in plans {
        let Ok(told) = estimate(&plan, catalogue) else { continue };
        let Answer::Ready(shown) = Answer::of(&plan, catalogue, None, None) else {
            panic!("the window has no answer to a plan that the library answers")
        };
        assert_eq!(shown.estimate.speed, told.speed, "the same figures to the last bit");
        seen += 1;
    }
    assert!(seen >= 100, "{seen} plans");
}

/// The same complaint, on the command line.
#[test]
fn the_command_line_prints_the_speeds_of_the_library() {
    let home = tempfile::tempdir().expect("a folder");
    for example in examples() {
        let path = home.path().join("plan.ron");
        std::fs::write(&path, write(&example.preset)).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_vramplan"))
            .args(["estimate", "--format", "json"])
            .arg(&path)
            .env("XDG_CONFIG_HOME", home.path())
            .env("HOME", home.path())
            .output()
            .expect("the program runs");
        let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let told = estimate(&example.preset.plan, Catalogue::embedded()).expect("a valid plan");
        let Some(speed) = told.speed_if_it_fits() else {
            assert!(printed["speed"].is_null(), "{}: no speed if it does not fit", example.name);
            continue;
        };
        let (key, value) = match &speed.figures {
            Figures::Training(figures) => ("training", figures.tokens_per_sec_per_gpu),
            Figures::Serving(figures) => ("serving", figures.decode_tokens_per_sec),
        };
        let name =
            if key == "training" { "tokens_per_sec_per_gpu" } else { "decode_tokens_per_sec" };
        let shown = printed["speed"][key][name].as_f64().expect("a number");
        assert!((shown / value - 1.0).abs() < 1e-12, "{}: {shown} and {value}", example.name);
    }
}

/// `GenZ` compared MB with GB in its offload bandwidth, so that offload always dominated.
///
/// ```text
/// Llama 3.2 1B: 1.2358·10⁹ weights in 16 bits, trained whole; gradients down, weights up
/// 1.2358·10⁹ · (2 + 2) B / (0.83 · 31.5 GB/s) = 189 ms        and the step in host memory
/// 1.2358·10⁹ · (2·2 + 2 + 2·4 + 3·2) B / 157 GB/s = 157 ms
/// ```
#[test]
fn offloading_takes_bytes_over_bytes_a_second() {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue("llama-3.2-1b".to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA GeForce RTX 4090".to_owned());
    plan.workload.method = Method::Full;
    plan.optimizer.implementation = StepKernel::Fused;
    plan.framework.offload = Offload::Optimizer;
    let host = |plan: &Plan| {
        let resolved = plan.resolve(Catalogue::embedded()).expect("a valid plan");
        throughput::estimate(&resolved).time_of(TimePart::HostTransfer).0
    };
    let secs = host(&plan);
    assert!((secs / 0.346 - 1.0).abs() < 0.03, "{secs} s");
    let wider = with_card(&plan, |gpu| gpu.pcie_gen = Some(5));
    assert!((secs - host(&wider) - 0.0945).abs() < 0.003, "half of the way over the slot is saved");
}

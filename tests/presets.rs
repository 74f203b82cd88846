//! Preset files: what is read, what is refused and with which words, and that nothing gets lost.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{fs, path::Path};

use proptest::prelude::*;
use vramplan::{
    catalogue::{Catalogue, Dtype},
    plan::{
        CustomModel, GpuChoice, ModelChoice, Plan, Severity,
        file::{PresetFile, examples, load, parse, write},
    },
    text::{Language, Texts},
};

fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/presets").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there is something to test");
    files
}

#[test]
fn every_example_is_a_plan_without_errors_or_warnings() {
    assert!(examples().len() >= 8, "at least eight real questions, found {}", examples().len());
    for example in examples() {
        let issues = example.preset.plan.validate(Catalogue::embedded());
        let bad: Vec<_> = issues.iter().filter(|issue| issue.severity > Severity::Note).collect();
        assert!(bad.is_empty(), "{}: {bad:#?}", example.name);
        assert!(
            !example.preset.title.is_empty() && !example.preset.note.is_empty(),
            "{}: says why",
            example.name
        );
    }
}

#[test]
fn every_file_in_presets_is_an_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    for entry in fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(examples().iter().any(|example| example.name == name), "{name} is not offered");
    }
}

#[test]
fn valid_files_are_read_and_written_without_loss() {
    for path in files("valid") {
        let preset = load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(parse(&write(&preset)).as_ref(), Ok(&preset), "{}", path.display());
    }
}

/// The first lines of each file are comments: `// expect: <words of the message>`.
#[test]
fn invalid_files_are_refused_with_words_that_help() {
    for path in files("invalid") {
        let text = fs::read_to_string(&path).expect("text");
        let error = parse(&text).expect_err(&path.display().to_string()).to_string();
        let expected: Vec<&str> =
            text.lines().filter_map(|line| line.trim().strip_prefix("// expect: ")).collect();
        assert!(!expected.is_empty(), "{} says what it expects", path.display());
        for words in expected {
            assert!(error.contains(words), "{}: “{error}” lacks “{words}”", path.display());
        }
    }
}

#[test]
fn the_english_texts_are_the_errors_themselves() {
    let texts = Texts::new(Language::English);
    for path in files("invalid") {
        let text = fs::read_to_string(&path).expect("text");
        let error = parse(&text).expect_err("refused");
        let (message, plain) = (texts.message(&error.message()), error.to_string());
        assert_eq!(message.to_lowercase(), plain.to_lowercase(), "{}", path.display());
    }
    let error = load(Path::new("/nowhere/plan.ron")).expect_err("refused");
    assert_eq!(texts.message(&error.message()), error.to_string(), "an error of the disk");
}

#[test]
fn a_written_preset_is_pleasant_to_read() {
    let text = write(&PresetFile { title: "It's 8B".to_owned(), ..PresetFile::default() });
    for line in [
        "    version: 1,",
        "    title: \"It's 8B\",",
        "        model: Catalogue(\"llama-3.1-8b\"),",
    ] {
        assert!(text.lines().any(|found| found == line), "the line {line:?} in\n{text}");
    }
    assert!(!text.contains("Some("), "options stand plainly in\n{text}");
    assert!(text.ends_with(")\n"), "ends with a line break");
}

#[test]
fn a_custom_gpu_and_model_stay_inside() {
    let catalogue = Catalogue::embedded();
    let mut preset = PresetFile::default();
    let gpu = catalogue.gpu("NVIDIA H100 80GB HBM3").expect("known").clone();
    preset.plan.hardware.gpu = GpuChoice::Custom(Box::new(gpu));
    for model in &catalogue.models {
        preset.plan.model = ModelChoice::Custom(Box::new(CustomModel {
            name: model.name.clone(),
            architecture: model.architecture.clone(),
            proposed_from: Some("13B".to_owned()),
        }));
        assert_eq!(parse(&write(&preset)).as_ref(), Ok(&preset), "{} comes back", model.id);
    }
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,60}", "[\"\\\\#r()'\r\n\t\0\u{feff} a-c显存…]{0,40}"]
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let numbers = (any::<[u32; 9]>(), any::<f64>(), any::<f32>(), any::<Option<u32>>());
    let formats = [Dtype::Fp32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp8, Dtype::Fp4, Dtype::Int8];
    let format = prop::sample::select(formats.to_vec());
    (numbers, format, any::<[bool; 4]>(), any_text()).prop_map(
        |((counts, real, small, maybe), dtype, flags, name)| {
            let mut plan = Plan::default();
            let [gpus, sequence, rank, tensor, first, prompt, in_use, every, node] = counts;
            plan.model = ModelChoice::Catalogue(name.clone());
            plan.hardware.gpu = GpuChoice::Catalogue(name);
            plan.hardware.gpus = gpus;
            plan.hardware.gpus_per_node = node;
            plan.hardware.memory_in_use_mib = in_use;
            plan.hardware.usd_per_gpu_hour =
                flags[0].then_some(if real.is_nan() { 0.0 } else { real });
            plan.workload.sequence = sequence;
            plan.workload.lora.rank = rank;
            plan.workload.lora.dropout = if small.is_nan() { 0.5 } else { small };
            plan.workload.prompt_tokens = prompt;
            plan.precision.kv_dtype = dtype;
            plan.optimizer.state_dtype = flags[1].then_some(dtype);
            plan.optimizer.in_backward = flags[2];
            plan.parallelism.tensor = tensor;
            plan.parallelism.first_stage_layers = Some(first);
            plan.parallelism.last_stage_layers = maybe;
            plan.checkpointing.every_nth = every;
            plan.framework.compile = flags[3];
            plan
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_comes_back_exactly(title in any_text(), note in any_text(), plan in any_plan()) {
        let preset = PresetFile { title, note, plan };
        let text = write(&preset);
        prop_assert_eq!(parse(&text), Ok(preset), "{}", text);
    }

    #[test]
    fn broken_files_are_refused_without_a_panic(at in 0_usize..2000, with in any_text()) {
        let mut text: Vec<char> = write(&PresetFile::default()).chars().collect();
        let at = at.min(text.len());
        text.splice(at..(at + 3).min(text.len()), with.chars());
        let _ = parse(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_plan_is_validated_without_a_panic(plan in any_plan()) {
        let _ = plan.validate(Catalogue::embedded());
    }
}

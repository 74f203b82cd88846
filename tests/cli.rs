//! The program on the command line: exit codes, output, and messages that help.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use vramplan::plan::file::{PresetFile, examples, write};

/// The program with an empty configuration folder, in English, without a display.
fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vramplan"));
    command.env("XDG_CONFIG_HOME", home).env("XDG_DATA_HOME", home).env("HOME", home);
    command.env("LC_ALL", "en_GB.UTF-8").env_remove("RUST_LOG");
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command
}

fn run(arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    program(home.path()).args(arguments).output().expect("the program runs")
}

fn preset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("presets").join(name)
}

fn estimate(name: &str, more: &[&str]) -> Output {
    let path = preset(name);
    let mut arguments = vec!["estimate", path.to_str().expect("plain path")];
    arguments.extend(more);
    run(&arguments)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn a_plan_that_fits_exits_with_zero() {
    let output = estimate("qlora-8b-24gb.ron", &[]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    for words in ["8B QLoRA on one 24 GB card", "Llama 3.1 8B", "RTX 4090", "GiB", "tokens/s"] {
        assert!(text.contains(words), "“{words}” in\n{text}");
    }
}

#[test]
fn a_plan_that_does_not_fit_exits_with_four() {
    let output = estimate("full-7b-24gb.ron", &[]);
    assert_eq!(output.status.code(), Some(4), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("too much"), "says by how much:\n{}", stdout(&output));
}

#[test]
fn of_many_stages_the_telling_ones_are_printed_in_full_and_the_others_in_a_line() {
    let text = stdout(&estimate("deepseek-v3-2048xh800.ron", &[]));
    assert!(text.contains("Stage 0 (of 16), the fullest"), "counted from 0, as the window: {text}");
    assert!(text.contains("Stage 15 (of 16)") && !text.contains("Stage 16"), "the last: {text}");
    assert!(text.contains("stage 7,") && !text.contains("Stage 7 "), "a line for others: {text}");
    assert!(text.lines().count() < 70, "no longer than a screen or two: {text}");
    let all = stdout(&estimate("deepseek-v3-2048xh800.ron", &["--all-stages"]));
    assert!(all.contains("Stage 7 (of 16)") && !all.contains("stage 7,"), "all in full: {all}");
}

#[test]
fn memory_has_one_unit_in_the_report() {
    for example in examples() {
        let text = stdout(&estimate(&format!("{}.ron", example.name), &["--all-stages"]));
        let parts = text.lines().filter(|line| line.starts_with("   ") && line.contains(" %  "));
        for line in parts.filter(|line| line.contains("iB")) {
            assert!(line.contains(" GiB "), "{}: {line}", example.name);
            assert!(!line.contains(" 0.00 GiB"), "{}: {line}", example.name);
        }
    }
}

#[test]
fn a_tight_plan_exits_with_three() {
    // Somewhere between fitting and not fitting lies the band: walk up to it.
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("plan.ron");
    let mut preset = PresetFile::default();
    let codes: Vec<i32> = (0..=22)
        .map(|step| {
            preset.plan.hardware.memory_in_use_mib = step * 1024;
            fs::write(&path, write(&preset)).expect("write");
            let output = program(home.path()).arg("estimate").arg(&path).output().expect("runs");
            output.status.code().expect("a code")
        })
        .collect();
    assert!(codes.contains(&3), "one of them is tight: {codes:?}");
    let order = |code: &i32| [0, 3, 4].iter().position(|known| known == code);
    assert!(codes.iter().all(|code| order(code).is_some()), "no other code: {codes:?}");
    assert!(codes.is_sorted_by_key(order), "less memory never fits better: {codes:?}");
}

#[test]
fn json_has_a_version_and_parts_that_sum_to_the_total() {
    for example in examples() {
        let output = estimate(&format!("{}.ron", example.name), &["--format", "json"]);
        let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(answer["schema_version"], 1, "{}", example.name);
        let verdict = answer["verdict"].as_str().expect("a verdict");
        let code = match verdict {
            "fits" => 0,
            "tight" => 3,
            "does-not-fit" => 4,
            other => panic!("{}: {other}", example.name),
        };
        assert_eq!(output.status.code(), Some(code), "{}: code and verdict", example.name);
        let stages = answer["stages"].as_array().expect("stages");
        assert_eq!(stages.len(), example.preset.plan.parallelism.pipeline as usize, "all stages");
        for stage in stages {
            let parts = stage["parts"].as_object().expect("parts");
            let sum: u64 = parts.values().map(|bytes| bytes.as_u64().expect("bytes")).sum();
            assert_eq!(Some(sum), stage["total_bytes"].as_u64(), "{}: exact", example.name);
        }
        let kind = if answer["speed"]["training"].is_object() { "training" } else { "serving" };
        let fits = answer["verdict"] != "does-not-fit";
        assert_eq!(answer["speed"][kind].is_object(), fits, "{}: a speed if it fits", example.name);
        assert_eq!(stderr(&output), "", "{}: nothing to complain about", example.name);
    }
}

#[test]
fn chinese_is_spoken_on_request() {
    let output = estimate("qlora-8b-24gb.ron", &["--lang", "zh-CN"]);
    assert!(stdout(&output).contains("词元/秒"), "Chinese:\n{}", stdout(&output));
    let output = estimate("qlora-8b-24gb.ron", &["--lang", "tlh"]);
    assert_eq!(output.status.code(), Some(2), "an unknown language is wrong input");
    assert!(stderr(&output).contains("zh-CN"), "names those that are known: {}", stderr(&output));
}

#[test]
fn wrong_input_exits_with_two_and_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("write");
        path.to_str().expect("plain path").to_owned()
    };
    let typo = file("typo.ron", "(version: 1, plan: (workload: (sequnce: 1)))");
    let newer = file("newer.ron", "(version: 2, plan: ())");
    let uneven = file("uneven.ron", "(version: 1, plan: (parallelism: (tensor: 3)))");
    let missing = folder.path().join("missing.ron").to_str().expect("plain path").to_owned();
    for (path, words) in [
        (&typo, vec!["typo.ron", "line 1", "sequnce", "sequence"]),
        (&newer, vec!["newer.ron", "version 2", "newer vramplan"]),
        (&uneven, vec!["uneven.ron", "Error", "1 GPUs are too few", "take 3"]),
        (&missing, vec!["missing.ron", "does not exist"]),
    ] {
        let output = run(&["estimate", path]);
        assert_eq!(output.status.code(), Some(2), "{path}");
        assert_eq!(stdout(&output), "", "{path}: no answer");
        let errors = stderr(&output).to_lowercase();
        for word in words {
            assert!(errors.contains(&word.to_lowercase()), "{path}: “{word}” in {errors}");
        }
    }
}

#[test]
fn an_invalid_plan_is_an_answer_in_json_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plan.ron");
    fs::write(&path, "(version: 1, plan: (parallelism: (tensor: 3)))").expect("write");
    let output = run(&["estimate", path.to_str().expect("plain path"), "--format", "json"]);
    assert_eq!(output.status.code(), Some(2), "wrong input");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "invalid", "no verdict on memory");
    assert_eq!(answer["issues"][0]["severity"], "error", "the reason");
    assert!(answer["stages"].is_null(), "and no numbers");
}

#[test]
fn a_plan_can_come_from_standard_input() {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = program(home.path())
        .args(["estimate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let text = write(&PresetFile::default());
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn the_persons_own_catalogue_is_used_and_its_mistakes_are_reported() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("vramplan/catalogue");
    fs::create_dir_all(&folder).expect("created");
    fs::write(
        folder.join("a.ron"),
        "(gpus: [(name: \"My card\", memory_gb: 48, bandwidth_gbps: 1000, tflops: (fp32: 50, bf16: 100))])",
    )
    .expect("write");
    fs::write(folder.join("b.ron"), "(gpus: [(nme: \"x\")])").expect("write");
    let path = home.path().join("plan.ron");
    fs::write(&path, "(version: 1, plan: (hardware: (gpu: Catalogue(\"my card\"))))")
        .expect("write");
    let output = program(home.path()).arg("estimate").arg(&path).output().expect("runs");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let errors = stderr(&output);
    assert!(errors.contains("b.ron") && errors.contains("nme"), "file and field: {errors}");
}

#[test]
fn lists_find_names() {
    let output = run(&["gpus", "h100", "hbm3"]);
    assert_eq!(output.status.code(), Some(0), "found");
    assert!(stdout(&output).contains("NVIDIA H100 80GB HBM3"), "{}", stdout(&output));
    let output = run(&["models", "Llama", "3.1"]);
    assert!(stdout(&output).contains("llama-3.1-405b"), "{}", stdout(&output));
    let output = run(&["gpus", "no such card"]);
    assert_eq!(output.status.code(), Some(2), "nothing found");
    assert!(stderr(&output).contains("no such card"), "{}", stderr(&output));
}

#[test]
fn help_shows_examples_and_exit_codes() {
    let text = stdout(&run(&["--help"]));
    assert!(text.contains("vramplan estimate plan.ron"), "{text}");
    let text = stdout(&run(&["estimate", "--help"]));
    assert!(text.contains("does not fit") && text.contains("--format"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_window_is_declined_in_one_sentence() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(1), "not an answer");
    let errors = stderr(&output);
    assert_eq!(errors.lines().count(), 1, "one line: {errors}");
    assert!(errors.contains("No display") && errors.contains("vramplan estimate"), "{errors}");
}

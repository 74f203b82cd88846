//! `vramplan validate`: measured runs in a CSV file beside what the planner says of them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Instant,
};

use serde_json::Value;
use vramplan::{
    catalogue::Catalogue,
    interop::cases::{Outcome, Validation, text, validate},
    text::{Language, Texts},
};

const HEADER: &str = "id,task,framework,model,gpu,gpus,micro_batch,seq,method,param_dtype,optimizer,checkpointing,fits";
const ROW: &str =
    "one,pretrain,hf,llama-3.2-1b,NVIDIA GeForce RTX 4090,1,1,2048,full,bf16,adamw,full,yes";

fn checked(csv: &str) -> Validation {
    validate(csv.as_bytes(), Catalogue::embedded(), None).expect("a readable header")
}

fn in_english(validation: &Validation) -> String {
    text(validation, &Texts::new(Language::English))
}

/// The program on a file with this content.
fn run(csv: &str, more: &[&str]) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("runs.csv");
    fs::write(&file, csv).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_vramplan"));
    command.env("XDG_CONFIG_HOME", home.path()).env("HOME", home.path()).env("LC_ALL", "C.UTF-8");
    command.arg("validate").arg(&file).args(more).output().expect("the program runs")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn reference(name: &str) -> PathBuf {
    root().join("tests/reference").join(name)
}

/// A reference file, with the small models that only the traced runs have.
fn of_reference(name: &str) -> Validation {
    let mut catalogue = Catalogue::embedded().clone();
    let problems = catalogue.add_file(&reference("toy_models.ron"));
    assert!(problems.is_empty(), "the small models are fine: {problems:?}");
    let file = fs::File::open(reference(name)).expect("a reference file");
    validate(file, &catalogue, None).expect("a readable header")
}

#[test]
fn a_row_is_predicted_and_the_program_exits_with_zero() {
    let output = run(&format!("{HEADER}\n{ROW}\n"), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("1 rows: 1 compared, 0 skipped, 0 malformed"), "{printed}");
}

#[test]
fn unknown_columns_are_ignored() {
    let with = checked(&format!("{HEADER},colour\n{ROW},blue\n"));
    let without = checked(&format!("{HEADER}\n{ROW}\n"));
    assert_eq!(with, without, "a column that nobody knows changes nothing");
}

#[test]
fn the_order_of_the_columns_does_not_matter() {
    let reversed = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",");
    let turned = checked(&format!("{}\n{}\n", reversed(HEADER), reversed(ROW)));
    assert_eq!(turned, checked(&format!("{HEADER}\n{ROW}\n")), "columns are found by name");
}

#[test]
fn an_unknown_value_is_named_by_line_and_column_and_the_rest_still_runs() {
    let bad = ROW.replace("adamw", "adamx").replace("one", "two");
    let output = run(&format!("{HEADER}\n{ROW}\n{bad}\n{ROW}\n"), &[]);
    assert_eq!(output.status.code(), Some(2), "a malformed row");
    let said = errors(&output);
    assert!(said.contains("line 3, column optimizer"), "{said}");
    assert!(said.contains("“adamx” is not one of: adamw"), "{said}");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("3 rows: 2 compared, 0 skipped, 1 malformed"), "{printed}");
}

#[test]
fn a_number_that_is_none_and_a_line_that_is_too_short_are_malformed() {
    let bad = ROW.replace("2048", "2k");
    let validation = checked(&format!("{HEADER}\n{bad}\nshort,row\n{ROW}\n"));
    let lines: Vec<_> = validation
        .cases
        .iter()
        .map(|case| match &case.outcome {
            Outcome::Malformed(error) => (error.line, error.column.as_deref()),
            other => panic_free(other),
        })
        .collect();
    assert_eq!(lines, [(2, Some("seq")), (3, None), (0, None)], "both are told, the third is fine");
}

fn panic_free(outcome: &Outcome) -> (u64, Option<&str>) {
    assert!(matches!(outcome, Outcome::Compared(_)), "a good row is compared: {outcome:?}");
    (0, None)
}

#[test]
fn a_row_that_no_plan_can_represent_is_skipped_with_its_reason() {
    let unknown = ROW.replace("llama-3.2-1b", "nobody-7b");
    let validation = checked(&format!("{HEADER}\n{unknown}\n"));
    let printed = in_english(&validation);
    assert!(printed.contains("0 compared, 1 skipped"), "{printed}");
    assert!(printed.contains("line 2, one: The catalogue has no model “nobody-7b”"), "{printed}");
    assert!(!validation.has_errors(), "a skipped row was read");
}

#[test]
fn a_plan_that_cannot_run_is_skipped_with_the_planners_own_words() {
    let csv = format!("{HEADER},tp\n{ROW},3\n").replace("RTX 4090,1,", "RTX 4090,3,");
    let printed = in_english(&checked(&csv));
    assert!(printed.contains("The planner rejects it"), "{printed}");
    assert!(printed.contains("32 heads") || printed.contains("divide"), "{printed}");
}

#[test]
fn a_missing_column_is_named() {
    let output = run("id,model\none,llama-3.2-1b\n", &[]);
    assert_eq!(output.status.code(), Some(2), "nothing can be done without a card");
    assert!(errors(&output).contains("no column gpu"), "{}", errors(&output));
    let output = run(&format!("{HEADER}\n{ROW}\n"), &["--by", "colour"]);
    assert_eq!(output.status.code(), Some(2), "nothing to group by");
    assert!(errors(&output).contains("no column colour"), "{}", errors(&output));
}

#[test]
fn a_model_can_be_given_by_its_shape_or_by_its_size() {
    let header = "id,model,gpu,hidden,layers,heads,kv_heads,ffn,vocab,arch_note,params";
    let shape = "shape,mine,NVIDIA A100-SXM4-80GB,2048,16,16,4,8192,32000,\"rmsnorm, rope\",";
    let size = "size,theirs,NVIDIA A100-SXM4-80GB,,,,,,,,1000000000";
    let validation = checked(&format!("{header}\n{shape}\n{size}\n"));
    for case in &validation.cases {
        let Outcome::Compared(comparison) = &case.outcome else {
            unreachable_case(&case.id, &case.outcome);
            continue;
        };
        let noted = !comparison.notes.is_empty();
        assert_eq!(noted, case.id == "size", "a proposed shape is said: {}", case.id);
    }
}

fn unreachable_case(id: &str, outcome: &Outcome) {
    assert!(matches!(outcome, Outcome::Compared(_)), "{id}: {outcome:?}");
}

#[test]
fn json_has_a_schema_every_case_and_the_summary() {
    let bad = ROW.replace("adamw", "adamx");
    let unknown = ROW.replace("llama-3.2-1b", "nobody-7b");
    let csv = format!("{HEADER},allocated_gib\n{ROW},11.5\n{bad},\n{unknown},\n");
    let output = run(&csv, &["--format", "json", "--by", "framework"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["schema"], 1, "the version of the shape");
    let status: Vec<_> = json["cases"].as_array().unwrap().iter().map(|c| &c["status"]).collect();
    assert_eq!(status, ["ok", "error", "skipped"], "in the order of the file");
    let predicted = &json["cases"][0]["predicted"];
    assert!(predicted["allocated_gib"].as_f64().unwrap() > 5.0, "{predicted}");
    assert!(predicted.get("kv_bytes").is_none(), "what does not apply is left out");
    assert!(predicted["fits"].is_string(), "{predicted}");
    let moment = predicted["peak_moment"].as_str().unwrap();
    let phase = moment.split('.').next().unwrap();
    assert!(["forward", "backward", "optimizer"].contains(&phase), "{moment}");
    assert_eq!(json["summary"]["rows"], 3, "all rows");
    assert_eq!(json["summary"]["metrics"]["allocated"]["n"], 1, "the one that was measured");
    assert_eq!(json["summary"]["groups"]["hf"]["fits"]["n"], 1, "grouped");
    assert!(json["cases"][1]["reason"].as_str().unwrap().contains("column optimizer"), "{json}");
}

#[test]
fn models_of_a_file_can_be_named() {
    let row = ROW.replace("llama-3.2-1b", "toy-llama");
    let csv = format!("{HEADER}\n{row}\n");
    let models = reference("toy_models.ron");
    let output = run(&csv, &["--models", models.to_str().expect("plain path")]);
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("1 compared"), "{printed}");
}

#[test]
fn the_example_for_users_is_read_without_a_complaint() {
    let file = fs::File::open(root().join("docs/cases-example.csv")).expect("the example");
    let validation = validate(file, Catalogue::embedded(), None).expect("a readable header");
    let printed = in_english(&validation);
    assert!(printed.contains("5 rows: 5 compared, 0 skipped, 0 malformed"), "{printed}");
}

#[test]
fn most_rows_of_the_reference_files_are_accepted() {
    for name in ["train.csv", "inference.csv", "traced.csv"] {
        let start = Instant::now();
        let validation = of_reference(name);
        let took = start.elapsed();
        let summary = validation.summary();
        println!("{name} in {took:?}\n{}", in_english(&validation));
        assert_eq!(summary.errors, 0, "{name} is well-formed");
        assert!(summary.ok * 10 >= summary.rows * 9, "{name}: {} of {}", summary.ok, summary.rows);
    }
}

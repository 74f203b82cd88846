//! Predicted speeds against published runs: a guard against getting worse.
//!
//! A row that is skipped counts as a miss. What was reached when the limits were set stands beside them.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, fs::File, path::Path};

use csv::ReaderBuilder;
use vramplan::{
    catalogue::Catalogue,
    interop::cases::{Metric, Outcome, validate},
};

/// Signed error of a row that could not be compared: as bad as a speed can be too low.
const MISS: f64 = -1.0;
/// Rows of a framework from which on its bias counts.
const MANY: usize = 10;

/// One measured speed.
struct Speed {
    error: f64,
    framework: String,
    /// From a project's own table.
    own_table: bool,
}

/// Errors of one figure in a file, a skipped row's with them.
fn speeds(name: &str, metric: Metric, column: &str) -> Vec<Speed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    let validation =
        validate(File::open(&path).expect("a reference file"), Catalogue::embedded(), None)
            .expect("a readable header");
    let mut reader = ReaderBuilder::new().from_path(&path).expect("a reference file");
    let headers = reader.headers().expect("a header").clone();
    let records: Vec<_> = reader.records().map(|record| record.expect("a row")).collect();
    assert_eq!(records.len(), validation.cases.len(), "every row has an outcome");
    let cell = |row: usize, wanted: &str| {
        let at = headers.iter().position(|header| header == wanted);
        at.and_then(|at| records.get(row)?.get(at)).unwrap_or_default().to_owned()
    };
    let mut speeds = Vec::new();
    for (row, case) in validation.cases.iter().enumerate() {
        if cell(row, column).is_empty() {
            continue;
        }
        let error = match &case.outcome {
            Outcome::Compared(comparison) => {
                let score = comparison.scores.iter().find(|score| score.metric == metric);
                score.map_or(MISS, vramplan::interop::cases::MetricScore::error)
            }
            Outcome::Skipped(_) | Outcome::Malformed(_) => MISS,
        };
        let (framework, own_table) = (cell(row, "framework"), cell(row, "tier") == "A");
        speeds.push(Speed { error, framework, own_table });
    }
    speeds
}

/// The value below which this share of the numbers lies.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let below = |index: &usize| (*index as f64) <= values.len() as f64 * share;
    let at = (0..values.len()).take_while(below).last().unwrap_or(0);
    values.get(at).copied().unwrap_or(f64::NAN)
}

fn absolute(speeds: &[&Speed], share: f64) -> f64 {
    percentile(speeds.iter().map(|speed| speed.error.abs()).collect(), share)
}

fn bias(speeds: &[&Speed]) -> f64 {
    percentile(speeds.iter().map(|speed| speed.error).collect(), 0.5)
}

/// Median and 90th percentile of the absolute errors stay below these.
fn within(what: &str, speeds: &[&Speed], median: f64, ninetieth: f64) {
    let (half, most) = (absolute(speeds, 0.5), absolute(speeds, 0.9));
    println!("{what}: {} rows, median {half:.3}, 90 % {most:.3}", speeds.len());
    assert!(half <= median, "{what}: the median error is {half:.3}, not {median}");
    assert!(most <= ninetieth, "{what}: 90 % of the errors are below {most:.3}, not {ninetieth}");
}

#[test]
fn training_speeds_are_near_the_published_ones() {
    let all = speeds("train.csv", Metric::Speed, "speed_metric");
    let every: Vec<_> = all.iter().collect();
    let own: Vec<_> = all.iter().filter(|speed| speed.own_table).collect();
    // Reached: 9.3 % and 24 %; of a project's own tables 8.0 % and 26 %.
    within("training", &every, 0.105, 0.26);
    within("training, own tables", &own, 0.09, 0.28);
}

#[test]
fn training_speeds_lean_to_neither_side() {
    let all = speeds("train.csv", Metric::Speed, "speed_metric");
    let mut groups: BTreeMap<&str, Vec<&Speed>> = BTreeMap::new();
    for speed in &all {
        groups.entry(&speed.framework).or_default().push(speed);
    }
    let whole = bias(&all.iter().collect::<Vec<_>>());
    // Reached: +0.2 %; of a framework at most 8.9 %.
    assert!(whole.abs() <= 0.03, "training is off by {whole:+.3} at the median");
    for (framework, speeds) in groups.into_iter().filter(|(_, speeds)| speeds.len() >= MANY) {
        let off = bias(&speeds);
        println!("{framework}: {} rows, {off:+.3}", speeds.len());
        assert!(off.abs() <= 0.12, "{framework} is off by {off:+.3} at the median");
    }
}

#[test]
fn decode_speeds_are_near_the_published_ones() {
    let all = speeds("inference.csv", Metric::Decode, "decode_tokens_per_s");
    // Reached: 8.7 % and 32 %.
    within("decode", &all.iter().collect::<Vec<_>>(), 0.095, 0.34);
}

#[test]
fn prefill_speeds_are_near_the_published_ones() {
    let all = speeds("inference.csv", Metric::Prefill, "prefill_tokens_per_s");
    // Reached: 15 % and 43 %.
    within("prefill", &all.iter().collect::<Vec<_>>(), 0.17, 0.50);
}

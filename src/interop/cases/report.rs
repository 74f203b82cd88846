//! A validated file in words, and as JSON.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Serialize;

use super::{
    Case, FitCounts, GroupSummary, Metric, MetricSummary, MomentCounts, Outcome, Predicted,
    RowError, SkipReason, Summary, Validation, WorstCase,
};
use crate::{
    plan::Choice as _,
    text::Texts,
    units::{Bytes, grouped},
};

/// Version of the JSON object's shape; a change that could break a reader raises it.
pub const SCHEMA_VERSION: u32 = 1;

/// Width of a column of figures.
const WIDTH: usize = 13;

/// Errors by metric and group, the worst rows, and what was skipped and why.
#[must_use]
pub fn text(validation: &Validation, texts: &Texts) -> String {
    let summary = validation.summary();
    let mut out = String::new();
    line(&mut out, &counts(&summary, texts));
    if summary.ok > 0 {
        blank(&mut out);
        line(&mut out, &texts.get("cases-all"));
        group(&mut out, &summary.whole, texts);
    }
    for (name, figures) in &summary.groups {
        let column = summary.by.as_deref().unwrap_or_default();
        let value = if name.is_empty() { texts.get("cases-empty") } else { name.into() };
        blank(&mut out);
        line(&mut out, &texts.with("cases-group", &[("column", column), ("value", &value)]));
        group(&mut out, figures, texts);
    }
    for (heading, rows) in
        [("cases-worst-memory", &summary.worst_memory), ("cases-worst-speed", &summary.worst_speed)]
    {
        if !rows.is_empty() {
            blank(&mut out);
            line(&mut out, &texts.get(heading));
            worst(&mut out, rows, texts);
        }
    }
    skipped(&mut out, validation, texts);
    out
}

/// One sentence for every row that cannot be read.
#[must_use]
pub fn problems(validation: &Validation, texts: &Texts) -> Vec<String> {
    let of = |case: &Case| match &case.outcome {
        Outcome::Malformed(error) => Some(located(error, &case.id, texts)),
        _ => None,
    };
    validation.cases.iter().filter_map(of).collect()
}

/// Where a cell stands and what is wrong with it.
fn located(error: &RowError, id: &str, texts: &Texts) -> String {
    let (line, reason) = (error.line.to_string(), texts.message(&error.message));
    let args = [
        ("line", &*line),
        ("column", error.column.as_deref().unwrap_or_default()),
        ("id", id),
        ("reason", &reason),
    ];
    let key = if error.column.is_some() { "cases-at-column" } else { "cases-at-line" };
    texts.with(key, &args)
}

fn counts(summary: &Summary, texts: &Texts) -> String {
    let count = |count: usize| count.to_string();
    let args = [
        ("rows", &*count(summary.rows)),
        ("ok", &*count(summary.ok)),
        ("skipped", &*count(summary.skipped)),
        ("errors", &*count(summary.errors)),
    ];
    texts.with("cases-counts", &args)
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn blank(out: &mut String) {
    out.push('\n');
}

/// Puts figures first and words last: figures line up in every language.
fn row(out: &mut String, cells: &[String], label: &str) {
    for cell in cells {
        let padding = WIDTH.saturating_sub(columns_of(cell));
        // Writing to a string cannot fail.
        let _ = write!(out, "{:padding$}{cell}", "");
    }
    let _ = writeln!(out, "  {label}");
}

/// Columns of a terminal that a text takes: letters of East Asia take two.
fn columns_of(text: &str) -> usize {
    const EAST_ASIAN: std::ops::Range<char> = '\u{2e80}'..'\u{ffe7}';
    text.chars().map(|letter| 1 + usize::from(EAST_ASIAN.contains(&letter))).sum()
}

fn group(out: &mut String, figures: &GroupSummary, texts: &Texts) {
    let heading = ["rows", "median", "p90", "worst", "bias", "mean"];
    let heading = heading.map(|name| texts.get(heading_key(name)).into_owned());
    row(out, &heading, "");
    for metric in Metric::ALL {
        if let Some(summary) = figures.metrics.get(metric.name()) {
            row(out, &cells(summary), &texts.get(metric.key()));
        }
    }
    if let Some(fits) = &figures.fits {
        verdicts(out, fits, texts);
    }
    if let Some(MomentCounts { n, right }) = figures.moments {
        let args = [("right", &*right.to_string()), ("rows", &*n.to_string())];
        line(out, &format!("  {}", texts.with("cases-moments", &args)));
    }
}

fn heading_key(name: &str) -> &'static str {
    match name {
        "rows" => "cases-head-rows",
        "median" => "cases-head-median",
        "p90" => "cases-head-p90",
        "worst" => "cases-head-worst",
        "bias" => "cases-head-bias",
        _ => "cases-head-mean",
    }
}

fn cells(summary: &MetricSummary) -> [String; 6] {
    let MetricSummary { n, median, p90, worst, bias_median, bias_mean } = *summary;
    [
        n.to_string(),
        percent(median),
        percent(p90),
        percent(worst),
        signed(bias_median),
        signed(bias_mean),
    ]
}

/// Two decimals: some figures are to be right to a hundredth of a per cent.
fn percent(fraction: f64) -> String {
    format!("{} %", grouped(fraction * 100.0, 2))
}

fn signed(fraction: f64) -> String {
    let sign = if fraction > 0.0 { "+" } else { "" };
    format!("{sign}{}", percent(fraction))
}

fn verdicts(out: &mut String, counts: &FitCounts, texts: &Texts) {
    let args = [
        ("rows", &*counts.n.to_string()),
        ("no", &*counts.ran_but_no.to_string()),
        ("yes", &*counts.failed_but_yes.to_string()),
        ("tight", &*percent(counts.tight as f64 / counts.n.max(1) as f64)),
        ("roomy", &*counts.roomy_not_yes.to_string()),
    ];
    line(out, &format!("  {}", texts.with("cases-fits", &args)));
}

fn worst(out: &mut String, rows: &[WorstCase], texts: &Texts) {
    let heading = ["cases-head-predicted", "cases-head-measured", "cases-head-error"];
    row(out, &heading.map(|key| texts.get(key).into_owned()), "");
    for case in rows {
        let label = format!("{}  {}", case.id, texts.get(case.of.key()));
        let figures =
            [figure(case.of, case.predicted), figure(case.of, case.measured), signed(case.error)];
        row(out, &figures, &label);
    }
}

/// A figure with its unit.
fn figure(metric: Metric, value: f64) -> String {
    if metric.is_speed() {
        grouped(value, if value < 100.0 { 2 } else { 0 })
    } else if metric.is_bytes() {
        Bytes::from_f64(value).to_string()
    } else {
        format!("{} GiB", grouped(value, 2))
    }
}

fn skipped(out: &mut String, validation: &Validation, texts: &Texts) {
    let reasons: Vec<(&Case, String)> = validation
        .cases
        .iter()
        .filter_map(|case| match &case.outcome {
            Outcome::Skipped(reason) => Some((case, in_words(reason, texts))),
            _ => None,
        })
        .collect();
    if reasons.is_empty() {
        return;
    }
    blank(out);
    line(out, &texts.get("cases-skipped"));
    for (case, reason) in reasons {
        let args = [("line", &*case.line.to_string()), ("id", &*case.id), ("reason", &*reason)];
        line(out, &format!("  {}", texts.with("cases-skipped-row", &args)));
    }
}

fn in_words(reason: &SkipReason, texts: &Texts) -> String {
    match reason {
        SkipReason::Unknown(message) => texts.message(message),
        SkipReason::Invalid(issue) => {
            let (field, message) = (texts.get(issue.field.key()), texts.message(&issue.message));
            texts.with("cases-invalid", &[("field", &field), ("reason", &message)])
        }
    }
}

#[derive(Serialize)]
struct Root<'a> {
    schema: u32,
    cases: Vec<Entry<'a>>,
    summary: Summary,
    skipped_reasons: BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    line: u64,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted: Option<&'a Predicted>,
}

/// One object: every case, and the summary.
#[must_use]
pub fn json(validation: &Validation, texts: &Texts) -> String {
    let cases: Vec<Entry<'_>> = validation.cases.iter().map(|case| entry(case, texts)).collect();
    let mut skipped_reasons = BTreeMap::new();
    for entry in cases.iter().filter(|entry| entry.status == "skipped") {
        let reason = entry.reason.clone().unwrap_or_default();
        *skipped_reasons.entry(reason).or_insert(0) += 1;
    }
    let root =
        Root { schema: SCHEMA_VERSION, cases, summary: validation.summary(), skipped_reasons };
    match serde_json::to_string_pretty(&root) {
        Ok(text) => text + "\n",
        Err(error) => {
            // Only maps with odd keys or a failing writer could bring us here.
            log::error!("the comparison could not be written as JSON: {error}");
            String::new()
        }
    }
}

fn entry<'a>(case: &'a Case, texts: &Texts) -> Entry<'a> {
    let bare = Entry {
        id: &case.id,
        line: case.line,
        status: "ok",
        reason: None,
        notes: Vec::new(),
        predicted: None,
    };
    match &case.outcome {
        Outcome::Compared(comparison) => Entry {
            notes: comparison.notes.iter().map(|note| texts.message(note)).collect(),
            predicted: Some(&comparison.predicted),
            ..bare
        },
        Outcome::Skipped(reason) => {
            Entry { status: "skipped", reason: Some(in_words(reason, texts)), ..bare }
        }
        Outcome::Malformed(error) => {
            Entry { status: "error", reason: Some(located(error, &case.id, texts)), ..bare }
        }
    }
}

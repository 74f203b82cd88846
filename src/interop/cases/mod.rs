//! Measured runs in a CSV file, one a line, and what the planner says of each.
//!
//! ```text
//! cells ──► schema ──► row ──► model, hardware, training or serving ──► plan ──► estimate
//!                       │                                                          │
//!                       └──► score  ◄──────────────────  predicted  ◄──────────────┘
//!                              └──► summary ──► report (text) or JSON
//! ```
//!
//! Nothing is read from a row's id, source or notes. Columns may come in any order, those that are
//! not known are ignored, and an empty cell takes the default of the row's framework
//! (`framework`).

mod formats;
mod framework;
mod hardware;
mod model;
mod predicted;
mod report;
mod row;
mod schema;
mod score;
mod serving;
mod summary;
mod training;

use std::io::Read;

use csv::{ReaderBuilder, StringRecord, Trim};

use self::row::{Header, Row};
pub use self::{
    predicted::Predicted,
    report::{json, problems, text},
    row::RowError,
    score::{FitScore, Metric, MetricScore},
    summary::{FitCounts, GroupSummary, MetricSummary, MomentCounts, Summary, WorstCase},
};
use crate::{
    catalogue::Catalogue,
    estimate::estimate,
    message::Message,
    plan::{Issue, Plan, PlanError, Severity, Task},
};

/// Something that was assumed about a row, said beside its prediction.
pub type Note = Message;

/// Columns without which no row means anything.
const NEEDED: [&str; 3] = ["id", "model", "gpu"];

/// Every row of a file with what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Rows in the order of the file.
    pub cases: Vec<Case>,
    /// Column that groups the summary, if any.
    pub by: Option<String>,
}

/// One row and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The row's own name; empty if its line could not be read that far.
    pub id: String,
    /// Line of the file, the header being line 1.
    pub line: u64,
    /// Value of the column that groups the summary.
    pub group: Option<String>,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was predicted and compared.
    Compared(Box<Comparison>),
    /// The planner cannot represent it.
    Skipped(SkipReason),
    /// A cell does not hold what it should.
    Malformed(RowError),
}

/// A prediction beside what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The row as a plan.
    pub plan: Plan,
    /// What the planner says.
    pub predicted: Predicted,
    /// The same and the measured figure, for every metric that the row has.
    pub scores: Vec<MetricScore>,
    /// Whether it ran, and whether the planner says so.
    pub fit: Option<FitScore>,
    /// Whether the phase of the peak is the measured one; none if that is not stated.
    pub moment_agrees: Option<bool>,
    /// What was assumed.
    pub notes: Vec<Note>,
}

/// Why a row cannot be represented.
#[derive(Clone, Debug, PartialEq)]
pub enum SkipReason {
    /// Something that the planner does not know.
    Unknown(Message),
    /// The plan that the row describes cannot run, says the planner.
    Invalid(Issue),
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// The file or its header line cannot be read.
    #[error("the header line cannot be read: {0}")]
    Header(#[source] csv::Error),
    /// A column is missing.
    #[error("the file has no column {0}")]
    NoColumn(String),
}

impl CasesError {
    /// The same for a person.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::Header(error) => Message::new("cases-header").with("reason", error.to_string()),
            Self::NoColumn(column) => {
                Message::new("cases-no-column").with("column", column.clone())
            }
        }
    }
}

/// Reads a case file and predicts every row that can be represented.
///
/// # Errors
///
/// [`CasesError`] if the header line cannot be read or lacks a column that is needed, be it by `by`.
/// What is wrong with single rows is in their [`Outcome`].
pub fn validate(
    file: impl Read,
    catalogue: &Catalogue,
    by: Option<&str>,
) -> Result<Validation, CasesError> {
    let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(file);
    let header = Header::of(reader.headers().map_err(CasesError::Header)?);
    if let Some(missing) = NEEDED.into_iter().chain(by).find(|column| !header.has(column)) {
        return Err(CasesError::NoColumn(missing.to_owned()));
    }
    let mut cases = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(true) => cases.push(case(&header, &record, catalogue, by)),
            Ok(false) => break,
            Err(error) => {
                let line = error.position().map_or(line, csv::Position::line);
                cases.push(unreadable(line, &error));
                if matches!(error.kind(), csv::ErrorKind::Io(_)) {
                    break;
                }
            }
        }
    }
    Ok(Validation { cases, by: by.map(str::to_owned) })
}

/// A line that is not text.
fn unreadable(line: u64, error: &csv::Error) -> Case {
    let message = Message::new("cases-unreadable").with("reason", error.to_string());
    let error = RowError { line, column: None, message };
    Case { id: String::new(), line, group: None, outcome: Outcome::Malformed(error) }
}

fn case(header: &Header, record: &StringRecord, catalogue: &Catalogue, by: Option<&str>) -> Case {
    let line = record.position().map_or(0, csv::Position::line);
    let cell = |column| header.cell(record, column).to_owned();
    let (id, group) = (cell("id"), by.map(cell));
    let outcome = match Row::checked(header, record, line) {
        Err(error) => Outcome::Malformed(error),
        Ok(row) => match compare(&row, catalogue) {
            Ok(comparison) => Outcome::Compared(Box::new(comparison)),
            Err(reason) => Outcome::Skipped(reason),
        },
    };
    Case { id, line, group, outcome }
}

fn compare(row: &Row<'_>, catalogue: &Catalogue) -> Result<Comparison, SkipReason> {
    let mut notes = Vec::new();
    let plan = plan(row, catalogue, &mut notes).map_err(SkipReason::Unknown)?;
    let answer = estimate(&plan, catalogue).map_err(|PlanError::Invalid(issues)| {
        let worst = issues.into_iter().find(|issue| issue.severity == Severity::Error);
        worst.map_or_else(
            || SkipReason::Unknown(Message::new("cases-skip-plan")),
            SkipReason::Invalid,
        )
    })?;
    let mut predicted = Predicted::of(row, &plan, &answer);
    if let Some(apart) = serving::prefill_apart(row, &plan)
        && let Ok(prompts) = estimate(&apart, catalogue)
    {
        predicted.prefill_tokens_per_s = Predicted::of(row, &apart, &prompts).prefill_tokens_per_s;
    }
    Ok(Comparison {
        scores: score::scores(row, &predicted),
        fit: score::fit(row, &predicted, answer.memory.capacity),
        moment_agrees: score::moment_agrees(row, &predicted),
        plan,
        predicted,
        notes,
    })
}

/// The row as a plan.
///
/// # Errors
///
/// A message about what the planner does not know.
fn plan(row: &Row<'_>, catalogue: &Catalogue, notes: &mut Vec<Note>) -> Result<Plan, Message> {
    let mut plan = Plan {
        model: model::model(row, catalogue, notes)?,
        hardware: hardware::hardware(row, catalogue)?,
        ..Plan::default()
    };
    if task(row) == Task::Inference {
        serving::fill(row, &mut plan);
    } else {
        training::fill(row, &mut plan, notes)?;
        if let Some(layers) = plan.architecture(catalogue).map(|arch| arch.layers) {
            training::shorter_ends(row, layers, &mut plan.parallelism);
        }
    }
    Ok(plan)
}

fn task(row: &Row<'_>) -> Task {
    match row.text("task") {
        "decode" | "prefill" => Task::Inference,
        _ => Task::Training,
    }
}

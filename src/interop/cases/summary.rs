//! How good the predictions of a file are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Case, Comparison, Metric, MetricScore, Outcome, Validation};
use crate::plan::Choice as _;

/// Rows of the list of the worst.
const WORST_CASES: usize = 10;

/// Everything there is to say about a file as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Rows in all.
    pub rows: usize,
    /// Rows that were predicted.
    pub ok: usize,
    /// Rows that cannot be represented.
    pub skipped: usize,
    /// Rows that cannot be read.
    pub errors: usize,
    /// Of all rows.
    #[serde(flatten)]
    pub whole: GroupSummary,
    /// Column of the groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Of the rows of each value of that column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, GroupSummary>,
    /// Memory figures that are furthest off, the worst first.
    pub worst_memory: Vec<WorstCase>,
    /// Speeds that are furthest off, the worst first.
    pub worst_speed: Vec<WorstCase>,
}

/// Of some rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroupSummary {
    /// Errors by metric.
    pub metrics: BTreeMap<&'static str, MetricSummary>,
    /// Verdicts against what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fits: Option<FitCounts>,
    /// Phases of the peaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moments: Option<MomentCounts>,
}

/// Errors of one metric, as fractions of the measured figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MetricSummary {
    /// Rows that have it.
    pub n: usize,
    /// Median of the absolute errors.
    pub median: f64,
    /// 90th percentile of the absolute errors (nearest rank).
    pub p90: f64,
    /// Largest absolute error.
    pub worst: f64,
    /// Median of the signed errors: positive where predictions are too high.
    pub bias_median: f64,
    /// Mean of the signed errors.
    pub bias_mean: f64,
}

/// Verdicts against what happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FitCounts {
    /// Rows that say whether they ran.
    pub n: usize,
    /// Ran, and the planner says no.
    pub ran_but_no: usize,
    /// Out of memory, and the planner says yes.
    pub failed_but_yes: usize,
    /// The planner says tight.
    pub tight: usize,
    /// Ran on less than 80 % of the card, and the planner does not say yes.
    pub roomy_not_yes: usize,
}

/// Phases of the peaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MomentCounts {
    /// Rows that say in which phase the peak was.
    pub n: usize,
    /// Of these, predicted so.
    pub right: usize,
}

/// One figure that is far off.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorstCase {
    /// The row's name.
    pub id: String,
    /// Which figure.
    pub metric: &'static str,
    /// What the planner says.
    pub predicted: f64,
    /// What was measured.
    pub measured: f64,
    /// Signed relative error.
    pub error: f64,
    /// The text key of the metric, for print.
    #[serde(skip)]
    pub of: Metric,
}

impl Validation {
    /// How good the predictions are.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let count =
            |is: fn(&Outcome) -> bool| self.cases.iter().filter(|case| is(&case.outcome)).count();
        let mut groups: BTreeMap<String, Vec<&Comparison>> = BTreeMap::new();
        for (case, comparison) in self.compared() {
            if let Some(group) = &case.group {
                groups.entry(group.clone()).or_default().push(comparison);
            }
        }
        Summary {
            rows: self.cases.len(),
            ok: count(|outcome| matches!(outcome, Outcome::Compared(_))),
            skipped: count(|outcome| matches!(outcome, Outcome::Skipped(_))),
            errors: count(|outcome| matches!(outcome, Outcome::Malformed(_))),
            whole: group(&self.compared().map(|(_, comparison)| comparison).collect::<Vec<_>>()),
            by: self.by.clone(),
            groups: groups.into_iter().map(|(name, rows)| (name, group(&rows))).collect(),
            worst_memory: self.worst(|metric| !metric.is_speed()),
            worst_speed: self.worst(Metric::is_speed),
        }
    }

    /// Some row cannot be read.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.cases.iter().any(|case| matches!(case.outcome, Outcome::Malformed(_)))
    }

    fn compared(&self) -> impl Iterator<Item = (&Case, &Comparison)> {
        self.cases.iter().filter_map(|case| match &case.outcome {
            Outcome::Compared(comparison) => Some((case, comparison.as_ref())),
            _ => None,
        })
    }

    /// The largest errors, of each row only its largest.
    fn worst(&self, of: fn(Metric) -> bool) -> Vec<WorstCase> {
        let mut worst: Vec<WorstCase> = self
            .compared()
            .filter_map(|(case, comparison)| {
                let scores = comparison.scores.iter().filter(|score| of(score.metric));
                scores
                    .max_by(|one, two| one.error().abs().total_cmp(&two.error().abs()))
                    .map(|score| worst_case(&case.id, score))
            })
            .collect();
        worst.sort_by(|one, two| two.error.abs().total_cmp(&one.error.abs()));
        worst.truncate(WORST_CASES);
        worst
    }
}

fn worst_case(id: &str, score: &MetricScore) -> WorstCase {
    WorstCase {
        id: id.to_owned(),
        metric: score.metric.name(),
        predicted: score.predicted,
        measured: score.measured,
        error: score.error(),
        of: score.metric,
    }
}

fn group(rows: &[&Comparison]) -> GroupSummary {
    let mut summary = GroupSummary::default();
    for &metric in Metric::ALL {
        let errors: Vec<f64> = rows
            .iter()
            .flat_map(|row| &row.scores)
            .filter(|score| score.metric == metric)
            .map(MetricScore::error)
            .collect();
        if let Some(figures) = MetricSummary::of(errors) {
            summary.metrics.insert(metric.name(), figures);
        }
    }
    summary.fits = fits(rows);
    summary.moments = moments(rows);
    summary
}

impl MetricSummary {
    /// Of signed errors; none of none.
    fn of(mut signed: Vec<f64>) -> Option<Self> {
        let n = signed.len();
        let mean = signed.iter().sum::<f64>() / n as f64;
        signed.sort_by(f64::total_cmp);
        let mut absolute: Vec<f64> = signed.iter().map(|error| error.abs()).collect();
        absolute.sort_by(f64::total_cmp);
        Some(Self {
            n,
            median: quantile(&absolute, 1, 2)?,
            p90: quantile(&absolute, 9, 10)?,
            worst: *absolute.last()?,
            bias_median: quantile(&signed, 1, 2)?,
            bias_mean: mean,
        })
    }
}

/// The value that `numerator / denominator` of the sorted values do not exceed; the mean of the two
/// middle ones at the half of an even number.
fn quantile(sorted: &[f64], numerator: usize, denominator: usize) -> Option<f64> {
    let count = sorted.len();
    let rank = (count * numerator).div_ceil(denominator).max(1);
    let value = *sorted.get(rank - 1)?;
    if numerator * 2 == denominator && count.is_multiple_of(2) {
        Some(f64::midpoint(value, *sorted.get(rank)?))
    } else {
        Some(value)
    }
}

fn fits(rows: &[&Comparison]) -> Option<FitCounts> {
    let mut counts = FitCounts::default();
    for fit in rows.iter().filter_map(|row| row.fit) {
        counts.n += 1;
        counts.ran_but_no += usize::from(fit.ran && fit.predicted == "no");
        counts.failed_but_yes += usize::from(!fit.ran && fit.predicted == "yes");
        counts.tight += usize::from(fit.predicted == "tight");
        counts.roomy_not_yes += usize::from(fit.roomy && fit.predicted != "yes");
    }
    (counts.n > 0).then_some(counts)
}

fn moments(rows: &[&Comparison]) -> Option<MomentCounts> {
    let stated: Vec<bool> = rows.iter().filter_map(|row| row.moment_agrees).collect();
    let right = stated.iter().filter(|&&agrees| agrees).count();
    (!stated.is_empty()).then_some(MomentCounts { n: stated.len(), right })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_up_by_their_size_and_by_their_sign() {
        let figures = MetricSummary::of(vec![-0.04, 0.02, 0.01, 0.05]).expect("four errors");
        assert_eq!(figures.n, 4, "all of them");
        assert!((figures.median - 0.03).abs() < 1e-12, "{figures:?}");
        assert!((figures.p90 - 0.05).abs() < 1e-12, "{figures:?}");
        assert!((figures.worst - 0.05).abs() < 1e-12, "{figures:?}");
        assert!((figures.bias_median - 0.015).abs() < 1e-12, "{figures:?}");
        assert!((figures.bias_mean - 0.01).abs() < 1e-12, "{figures:?}");
        assert_eq!(MetricSummary::of(Vec::new()), None, "nothing to say of nothing");
    }
}

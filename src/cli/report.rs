//! The answer as lines for people.

use std::fmt::Write as _;

use super::answer::Answer;
use crate::{
    estimate::Estimate,
    explain::{Quantity, tokens_per_sec},
    memory::{MemoryEstimate, StageMemory},
    plan::{Choice as _, Issue, Severity},
    text::Texts,
    throughput::{Figures, ServingFigures, SpeedEstimate, TrainingFigures},
    units::{Bytes, energy, grouped, money, short_amount},
};

/// Runs of alike stages that are all printed in full; of more, only the telling ones are.
const MOST_IN_FULL: usize = 4;

/// The whole answer; issues of a plan that cannot run are errors and stand elsewhere.
pub(super) fn text(answer: &Answer<'_>, texts: &Texts, all_stages: bool) -> String {
    let Some(estimate) = &answer.estimate else {
        return String::new();
    };
    let mut out = Lines::default();
    heading(&mut out, answer, texts);
    verdict(&mut out, &estimate.memory, texts);
    stages(&mut out, &estimate.memory, texts, all_stages);
    speed(&mut out, estimate, texts);
    if let Some(sequences) = answer.most_sequences {
        out.figure(&grouped(f64::from(sequences), 0), &texts.get("cli-most-sequences"));
    }
    if !answer.issues.is_empty() {
        out.blank();
        out.line(&texts.get("cli-remarks"));
        for issue in &answer.issues {
            out.indented(&issue_line(issue, texts));
        }
    }
    out.0
}

/// Severity, field and what to do.
pub(super) fn issue_line(issue: &Issue, texts: &Texts) -> String {
    let severity = texts.get(match issue.severity {
        Severity::Error => "cli-error",
        Severity::Warning => "cli-warning",
        Severity::Note => "cli-note",
    });
    let field = texts.get(issue.field.key());
    let message = texts.message(&issue.message);
    let args = [("severity", &*severity), ("field", &*field), ("message", &*message)];
    texts.with("cli-issue", &args)
}

/// Text that grows line by line.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn indented(&mut self, text: &str) {
        self.0.push_str("  ");
        self.line(text);
    }

    fn blank(&mut self) {
        self.0.push('\n');
    }

    /// The number first: numbers line up in every language, whatever the width of its letters.
    fn figure(&mut self, number: &str, label: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "  {number:>16}  {label}");
    }
}

fn heading(out: &mut Lines, answer: &Answer<'_>, texts: &Texts) {
    let plan = &answer.preset.plan;
    if !answer.preset.title.is_empty() {
        out.line(&answer.preset.title);
    }
    let gpu = plan.gpu(answer.catalogue).map_or("", |gpu| &gpu.name);
    let gpus = plan.hardware.gpus.to_string();
    let model = plan.model_name(answer.catalogue);
    out.line(&texts.with("cli-subject", &[("model", model), ("gpus", &gpus), ("gpu", gpu)]));
    out.blank();
}

fn verdict(out: &mut Lines, memory: &MemoryEstimate, texts: &Texts) {
    let Some(worst) = memory.stages.get(memory.worst) else {
        return;
    };
    let (used, capacity) = (worst.total(), memory.capacity);
    let difference = if used <= capacity {
        ("cli-verdict-free", capacity.saturating_sub(used))
    } else {
        ("cli-verdict-over", used.saturating_sub(capacity))
    };
    let args = [
        ("verdict", &*texts.get(memory.verdict.key())),
        ("used", &used.to_string()),
        ("capacity", &capacity.to_string()),
        ("difference", &difference.1.to_string()),
    ];
    out.line(&texts.with(difference.0, &args));
    let band = [("low", &*worst.low.to_string()), ("high", &*worst.high.to_string())];
    out.line(&texts.with("cli-band", &band));
}

/// Stages next to each other that hold the same.
struct Run<'a> {
    first: &'a StageMemory,
    last: &'a StageMemory,
}

impl Run<'_> {
    fn holds(&self, index: usize) -> bool {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        (self.first.stage..=self.last.stage).contains(&index)
    }
}

fn runs(memory: &MemoryEstimate) -> Vec<Run<'_>> {
    let alike = |left: &StageMemory, right: &StageMemory| {
        left.parts == right.parts && left.layers == right.layers && left.peak == right.peak
    };
    let runs = memory.stages.chunk_by(alike).filter_map(|stages| {
        let (first, last) = (stages.first()?, stages.last()?);
        Some(Run { first, last })
    });
    runs.collect()
}

/// The fullest, the first and the last stage in full, the others in one line each; all in full if
/// they are few or if that is wanted.
fn stages(out: &mut Lines, memory: &MemoryEstimate, texts: &Texts, all_stages: bool) {
    let count = memory.stages.len();
    let runs = runs(memory);
    let all = all_stages || runs.len() <= MOST_IN_FULL;
    let telling = [memory.worst, 0, count.saturating_sub(1)];
    let (full, brief): (Vec<_>, Vec<_>) =
        runs.iter().partition(|run| all || telling.into_iter().any(|index| run.holds(index)));
    for run in full {
        out.blank();
        stage_heading(out, run, memory, texts);
        stage_parts(out, run.first, texts);
    }
    if !brief.is_empty() {
        out.blank();
        out.line(&texts.get("cli-other-stages"));
        for run in brief {
            let key = if run.first.stage == run.last.stage {
                "cli-brief-stage"
            } else {
                "cli-brief-stage-run"
            };
            out.figure(&gib(run.first.total()), &with(texts, key, &run_args(run, count, texts)));
        }
    }
}

/// One unit in the whole column, so that its numbers can be compared.
fn gib(bytes: Bytes) -> String {
    format!("{} GiB", bytes.gib_cell())
}

fn share(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent > 0.0 && percent < 0.05 { "<0.1 %".to_owned() } else { format!("{percent:.1} %") }
}

fn stage_parts(out: &mut Lines, stage: &StageMemory, texts: &Texts) {
    for (part, bytes) in stage.parts.iter() {
        let share = share(bytes.share_of(stage.total()));
        let label = texts.get(part.key());
        out.figure(&gib(bytes), &format!("{share:>7}  {label}"));
    }
    out.figure(&gib(stage.total()), &format!("{:>7}  {}", "100 %", texts.get("cli-total")));
}

fn run_args(run: &Run<'_>, stages: usize, texts: &Texts) -> [(&'static str, String); 5] {
    [
        ("first", run.first.stage.to_string()),
        ("last", run.last.stage.to_string()),
        ("stages", stages.to_string()),
        ("layers", run.first.layers.to_string()),
        ("peak", texts.get(run.first.peak.key()).into_owned()),
    ]
}

fn stage_heading(out: &mut Lines, run: &Run<'_>, memory: &MemoryEstimate, texts: &Texts) {
    let count = memory.stages.len();
    let key = if count == 1 {
        "cli-only-stage"
    } else if run.first.stage != run.last.stage {
        "cli-stage-run"
    } else if run.holds(memory.worst) {
        "cli-fullest-stage"
    } else {
        "cli-stage"
    };
    out.line(&with(texts, key, &run_args(run, count, texts)));
}

/// A text with arguments that were printed into strings of their own.
fn with(texts: &Texts, key: &str, args: &[(&'static str, String)]) -> String {
    let args: Vec<(&'static str, &str)> =
        args.iter().map(|(name, value)| (*name, value.as_str())).collect();
    texts.with(key, &args)
}

fn speed(out: &mut Lines, estimate: &Estimate, texts: &Texts) {
    out.blank();
    let Some(speed) = estimate.speed_if_it_fits() else {
        out.line(&texts.get("cli-no-speed"));
        return;
    };
    let bound = texts.get(speed.bound_by.key());
    out.line(&texts.with("cli-speed", &[("bound", &*bound)]));
    match &speed.figures {
        Figures::Training(figures) => training(out, figures, texts),
        Figures::Serving(figures) => serving(out, figures, texts),
    }
    out.figure(&speed.achieved_bandwidth().to_string(), &texts.get("cli-bandwidth"));
    if let Some(power) = &speed.power {
        out.figure(&Quantity::Watts(power.watts).to_string(), &texts.get("cli-power"));
    }
    fractions(out, speed, texts);
}

fn training(out: &mut Lines, figures: &TrainingFigures, texts: &Texts) {
    out.figure(&figures.step.to_string(), &texts.get("cli-step"));
    out.figure(&tokens_per_sec(figures.tokens_per_sec_per_gpu), &texts.get("cli-tokens-per-gpu"));
    out.figure(&tokens_per_sec(figures.tokens_per_sec), &texts.get("cli-tokens"));
    out.figure(&share(figures.mfu), &texts.get("cli-mfu"));
    out.figure(&share(figures.hfu), &texts.get("cli-hfu"));
    out.figure(&figures.time_to_train.to_string(), &texts.get("cli-time-to-train"));
    out.figure(&short_amount(figures.gpu_hours), &texts.get("cli-gpu-hours"));
    if let Some(kilowatt_hours) = figures.energy_kwh {
        out.figure(&energy(kilowatt_hours), &texts.get("cli-energy"));
    }
    if let Some(cost) = figures.cost_usd {
        let cost = texts.with("speed-cost-value", &[("cost", &short_amount(cost))]);
        out.figure(&cost, &texts.get("cli-cost"));
    }
}

fn serving(out: &mut Lines, figures: &ServingFigures, texts: &Texts) {
    out.figure(&tokens_per_sec(figures.decode_tokens_per_sec), &texts.get("cli-decode"));
    out.figure(
        &tokens_per_sec(figures.decode_tokens_per_sec_per_user),
        &texts.get("cli-decode-user"),
    );
    out.figure(
        &tokens_per_sec(figures.decode_ceiling_tokens_per_sec),
        &texts.get("cli-decode-ceiling"),
    );
    out.figure(&tokens_per_sec(figures.prefill_tokens_per_sec), &texts.get("cli-prefill"));
    out.figure(&figures.time_to_first_token.to_string(), &texts.get("cli-first-token"));
    out.figure(&figures.token_latency.to_string(), &texts.get("cli-token-latency"));
    if let Some(kilowatt_hours) = figures.kwh_per_million_tokens {
        out.figure(&energy(kilowatt_hours), &texts.get("cli-energy-per-million"));
    }
    if let Some(cost) = figures.usd_per_million_tokens {
        let cost = texts.with("speed-cost-value", &[("cost", &money(cost))]);
        out.figure(&cost, &texts.get("cli-cost-per-million"));
    }
}

/// An estimate says what it assumes.
fn fractions(out: &mut Lines, speed: &SpeedEstimate, texts: &Texts) {
    if speed.fractions.is_empty() {
        return;
    }
    out.line(&texts.get("cli-fractions"));
    for fraction in &speed.fractions {
        let percent = format!("{} %", grouped(fraction.value * 100.0, 0));
        out.figure(&percent, &texts.get(fraction.label));
    }
}

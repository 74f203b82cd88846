//! The answer as lines for people.

use std::fmt::Write as _;

use super::answer::Answer;
use crate::{
    estimate::Estimate,
    memory::{MemoryEstimate, StageMemory},
    plan::{Choice as _, Issue, Severity},
    text::Texts,
    throughput::{Figures, ServingFigures, SpeedEstimate, TrainingFigures},
    units::{grouped, short_count},
};

/// The whole answer; issues of a plan that cannot run are errors and stand elsewhere.
pub(super) fn text(answer: &Answer<'_>, texts: &Texts) -> String {
    let Some(estimate) = &answer.estimate else {
        return String::new();
    };
    let mut out = Lines::default();
    heading(&mut out, answer, texts);
    verdict(&mut out, &estimate.memory, texts);
    stages(&mut out, &estimate.memory, texts);
    speed(&mut out, estimate, texts);
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

/// One block for each run of stages that hold the same.
fn stages(out: &mut Lines, memory: &MemoryEstimate, texts: &Texts) {
    let alike = |left: &StageMemory, right: &StageMemory| {
        left.parts == right.parts && left.layers == right.layers && left.peak == right.peak
    };
    for run in memory.stages.chunk_by(alike) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        out.blank();
        stage_heading(out, (first, last), memory.stages.len(), texts);
        for (part, bytes) in first.parts.iter() {
            let percent = grouped(bytes.share_of(first.total()) * 100.0, 1);
            let label = texts.get(part.key());
            out.figure(&bytes.to_string(), &format!("{percent:>5} %  {label}"));
        }
        out.figure(
            &first.total().to_string(),
            &format!("{:>5} %  {}", 100, texts.get("cli-total")),
        );
    }
}

fn stage_heading(
    out: &mut Lines,
    (first, last): (&StageMemory, &StageMemory),
    stages: usize,
    texts: &Texts,
) {
    let args = [
        ("first", &*(first.stage + 1).to_string()),
        ("last", &*(last.stage + 1).to_string()),
        ("stages", &*stages.to_string()),
        ("layers", &*first.layers.to_string()),
        ("peak", &*texts.get(first.peak.key())),
    ];
    let key = if stages == 1 {
        "cli-only-stage"
    } else if first.stage == last.stage {
        "cli-stage"
    } else {
        "cli-stage-run"
    };
    out.line(&texts.with(key, &args));
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
    fractions(out, speed, texts);
}

fn training(out: &mut Lines, figures: &TrainingFigures, texts: &Texts) {
    let percent = |share: f64| format!("{} %", grouped(share * 100.0, 1));
    out.figure(&figures.step.to_string(), &texts.get("cli-step"));
    out.figure(&grouped(figures.tokens_per_sec_per_gpu, 0), &texts.get("cli-tokens-per-gpu"));
    out.figure(&grouped(figures.tokens_per_sec, 0), &texts.get("cli-tokens"));
    out.figure(&percent(figures.mfu), &texts.get("cli-mfu"));
    out.figure(&percent(figures.hfu), &texts.get("cli-hfu"));
    out.figure(&figures.time_to_train.to_string(), &texts.get("cli-time-to-train"));
    out.figure(&short_count(figures.gpu_hours), &texts.get("cli-gpu-hours"));
    if let Some(energy) = figures.energy_kwh {
        let energy = texts.with("speed-energy-value", &[("energy", &grouped(energy, 0))]);
        out.figure(&energy, &texts.get("cli-energy"));
    }
    if let Some(cost) = figures.cost_usd {
        let cost = texts.with("speed-cost-value", &[("cost", &grouped(cost, 0))]);
        out.figure(&cost, &texts.get("cli-cost"));
    }
}

fn serving(out: &mut Lines, figures: &ServingFigures, texts: &Texts) {
    let rate = |tokens_per_sec: f64| grouped(tokens_per_sec, 1);
    out.figure(&rate(figures.decode_tokens_per_sec), &texts.get("cli-decode"));
    out.figure(&rate(figures.decode_tokens_per_sec_per_user), &texts.get("cli-decode-user"));
    out.figure(&rate(figures.decode_ceiling_tokens_per_sec), &texts.get("cli-decode-ceiling"));
    out.figure(&rate(figures.prefill_tokens_per_sec), &texts.get("cli-prefill"));
    out.figure(&figures.time_to_first_token.to_string(), &texts.get("cli-first-token"));
    out.figure(&figures.token_latency.to_string(), &texts.get("cli-token-latency"));
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

//! The plan against the selected GPU: two bars on one scale, the difference, and what can explain it.

use egui::{Button, Label, RichText, Ui};

use super::{super::heading, note, ranks};
use crate::{
    memory::StageMemory,
    monitor::{
        CalibrationKind, GpuSample, Metric,
        compare::{BarPart, Comparison, Question, Scope, compare},
        is_same_card,
    },
    plan::Choice as _,
    ui::{
        command::Command,
        live::LiveCommand,
        panels::menu_bar::note_beside,
        session::{Answer, Ready, Session},
        theme::{bold, measured_color, part_color, tokens},
        widgets::piece_bars::{Piece, PieceBars, PieceRow},
    },
    units::{Bytes, grouped, percent, signed_gib},
};

/// How far back the comparison looks for growth, seconds.
const EARLIER_SECS: f64 = 600.0;
/// What is younger says nothing about growth, seconds.
const LEAST_EARLIER_SECS: f64 = 120.0;
/// A run that held less than this share of what it holds now was still being set up.
const LEAST_EARLIER_SHARE: f64 = 0.5;
/// Points in which the past is asked for.
const EARLIER_POINTS: usize = 60;

/// Title, actions, bars and words.
pub fn plan_against_measured(
    ui: &mut Ui,
    session: &Session,
    gpu: &GpuSample,
    commands: &mut Vec<Command>,
) {
    let texts = &session.texts;
    heading(ui, &texts.get("live-compare-title"));
    ui.add_space(2.0);
    actions(ui, session, gpu, commands);
    if let Some(planned) = other_card(session, gpu) {
        note(ui, &texts.with("live-other-card", &[("name", &planned)]));
    }
    ui.add_space(4.0);
    let Answer::Ready(ready) = &session.answer else {
        note(ui, &texts.get("live-compare-no-plan"));
        return;
    };
    let shown = ready.estimate.memory.stages.get(ready.shown_stage);
    if shown.is_some_and(|stage| ranks::all_ranks(ui, session, ready, (stage, gpu))) {
        return;
    }
    let scope = session.live.scope();
    match compare(&question(session, ready, gpu, &scope)) {
        Ok(comparison) => {
            if let Some(stage) = shown {
                bars(ui, session, stage, &comparison, gpu);
            }
            words(ui, session, ready, &comparison);
        }
        Err(why) => note(ui, &texts.message(&why)),
    }
}

pub(super) fn question<'a>(
    session: &'a Session,
    ready: &'a Ready,
    gpu: &'a GpuSample,
    scope: &'a Scope,
) -> Question<'a> {
    Question {
        plan: &session.plan,
        catalogue: &session.catalogue,
        memory: &ready.estimate.memory,
        stage: ready.shown_stage,
        gpu,
        scope,
        earlier: earlier(session, gpu, scope),
        calibration: session.calibration(),
    }
}

/// Memory of the whole GPU some minutes ago; what single processes held is not kept.
fn earlier(session: &Session, gpu: &GpuSample, scope: &Scope) -> Option<(Bytes, f64)> {
    if *scope != Scope::WholeGpu {
        return None;
    }
    let history = session.live.monitor.history();
    let now = history.last_unix_secs()?;
    let from = now - EARLIER_SECS;
    let past = history.series(&gpu.key, Metric::UsedMemory, from, EARLIER_POINTS);
    let first = past.first()?;
    let (secs, bytes) = (now - first.unix_secs, Bytes::from_f64(first.high));
    let at_work = bytes.share_of(*gpu.memory.used.value()?) >= LEAST_EARLIER_SHARE;
    (secs >= LEAST_EARLIER_SECS && at_work).then_some((bytes, secs))
}

/// What the measured figures can do for the plan.
fn actions(ui: &mut Ui, session: &Session, gpu: &GpuSample, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    ui.horizontal_wrapped(|ui| {
        let mut push = |command| commands.push(Command::Live(command));
        if hinted(ui, session, "live-use-as-hardware", true) {
            push(LiveCommand::UseAsHardware);
        }
        let counted = session.plan.hardware.memory_in_use_mib > 0;
        let known = gpu.memory.free.value().is_some() && gpu.memory.total.value().is_some();
        if hinted(ui, session, "live-judge-free", known && other_card(session, gpu).is_none()) {
            push(LiveCommand::JudgeAgainstFree(true));
        }
        if counted && hinted(ui, session, "live-judge-all", true) {
            push(LiveCommand::JudgeAgainstFree(false));
        }
        let can_calibrate = matches!(session.answer, Answer::Ready(_));
        ui.add_enabled_ui(can_calibrate, |ui| {
            let menu = ui.menu_button(texts.get("live-calibrate"), |ui| {
                let one = session.live.only_process().is_some();
                if menu_item(ui, session, "live-calibrate-idle", one) {
                    push(LiveCommand::Calibrate(CalibrationKind::Idle));
                    ui.close();
                }
                if menu_item(ui, session, "live-calibrate-peak", true) {
                    push(LiveCommand::Calibrate(CalibrationKind::Peak));
                    ui.close();
                }
            });
            if let Some(hint) = texts.hint("live-calibrate") {
                menu.response.on_hover_text(hint);
            }
        });
        ranks::choice(ui, session, gpu, commands);
    });
}

/// Name of the plan's card, where the selected GPU is another one.
fn other_card(session: &Session, gpu: &GpuSample) -> Option<String> {
    let planned = session.plan.gpu(&session.catalogue)?;
    (!is_same_card(planned, gpu)).then(|| planned.name.clone())
}

/// A button whose hint is shown whether it can be pressed or not; true if it was.
fn hinted(ui: &mut Ui, session: &Session, key: &'static str, enabled: bool) -> bool {
    let response = ui.add_enabled(enabled, Button::new(session.texts.get(key)));
    let response = match session.texts.hint(key) {
        Some(hint) => response.on_hover_text(hint).on_disabled_hover_text(hint),
        None => response,
    };
    response.clicked()
}

/// The same in a menu, where the hint must not lie over the next item.
fn menu_item(ui: &mut Ui, session: &Session, key: &'static str, enabled: bool) -> bool {
    let response = ui.add_enabled(enabled, Button::new(session.texts.get(key)));
    let hint = session.texts.hint(key).unwrap_or_default();
    note_beside(&response, hint);
    response.on_disabled_hover_text(hint).clicked()
}

fn bars(
    ui: &mut Ui,
    session: &Session,
    stage: &StageMemory,
    comparison: &Comparison,
    gpu: &GpuSample,
) {
    let name = session.texts.get("live-bar-measured").into_owned();
    PieceBars {
        rows: &[planned_row(session, stage, comparison), measured_row(session, name, comparison)],
        scale: comparison.scale,
        capacity: gpu.memory.total.value().copied(),
        texts: &session.texts,
    }
    .show(ui);
}

/// The plan's parts as a bar.
pub(super) fn planned_row(
    session: &Session,
    stage: &StageMemory,
    comparison: &Comparison,
) -> PieceRow {
    let texts = &session.texts;
    PieceRow {
        name: texts.get("live-bar-planned").into_owned(),
        pieces: stage
            .parts
            .iter()
            .map(|(part, bytes)| Piece {
                name: texts.get(part.key()).into_owned(),
                bytes,
                color: part_color(part),
                hint: texts.hint(part.key()).unwrap_or_default().to_owned(),
            })
            .collect(),
        total: comparison.planned_bytes,
    }
}

/// What was measured as a bar.
pub(super) fn measured_row(session: &Session, name: String, comparison: &Comparison) -> PieceRow {
    let texts = &session.texts;
    PieceRow {
        name,
        pieces: comparison
            .measured
            .iter()
            .filter(|(part, _)| *part != BarPart::Free)
            .map(|(part, bytes)| Piece {
                name: texts.get(part.key()).into_owned(),
                bytes: *bytes,
                color: measured_color(*part),
                hint: texts.hint(part.key()).unwrap_or_default().to_owned(),
            })
            .collect(),
        total: comparison.measured_bytes,
    }
}

/// The difference in numbers, and what can explain it.
pub(super) fn words(ui: &mut Ui, session: &Session, ready: &Ready, comparison: &Comparison) {
    let texts = &session.texts;
    let gib = comparison.difference_gib;
    let per_cent = comparison.difference_percent.unwrap_or_default();
    let text = if comparison.within_band {
        let (difference, share) = (signed_gib(gib), signed_percent(per_cent));
        texts.with("live-compare-within", &[("difference", &difference), ("share", &share)])
    } else {
        let key = if gib > 0.0 { "live-compare-more" } else { "live-compare-less" };
        let (difference, share) = (grouped(gib.abs(), 2), percent(per_cent.abs() / 100.0));
        texts.with(key, &[("difference", &difference), ("share", &share)])
    };
    let color = if comparison.within_band { tokens(ui).success } else { tokens(ui).warning };
    ui.horizontal_wrapped(|ui| {
        ui.label(bold(ui, text).color(color));
        let what = RichText::new(compared(session, ready)).small().color(tokens(ui).weak_text);
        ui.label(what);
    });
    if comparison.explanations.is_empty() && !comparison.within_band {
        note(ui, &texts.get("live-compare-unexplained"));
    }
    for explanation in &comparison.explanations {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.add(Label::new(RichText::new("•").color(tokens(ui).weak_text)).selectable(false));
            let cause = texts.get(explanation.cause.key());
            let why = texts.message(&explanation.message);
            let args = [("cause", cause.as_ref()), ("why", why.as_str())];
            ui.add(Label::new(texts.with("live-explanation", &args)).wrap());
        });
    }
}

/// What stands against what.
fn compared(session: &Session, ready: &Ready) -> String {
    let texts = &session.texts;
    let count = session.live.processes.len().to_string();
    let measured = match session.live.scope() {
        Scope::WholeGpu => texts.get("live-scope-gpu").into_owned(),
        Scope::Processes(_) => texts.with("live-scope-processes", &[("count", &count)]),
    };
    let stages = ready.estimate.memory.stages.len();
    if stages > 1 {
        let stage = ready.shown_stage.to_string();
        return texts.with("live-compared-stage", &[("stage", &stage), ("measured", &measured)]);
    }
    texts.with("live-compared", &[("measured", &measured)])
}

/// `+12 %`, `−8 %`.
fn signed_percent(per_cent: f64) -> String {
    let plain = percent(per_cent.abs() / 100.0);
    if per_cent < 0.0 { format!("−{plain}") } else { format!("+{plain}") }
}

//! The Memory tab: bars, table with details, timeline, saved tensors.

use egui::{Label, RichText, Ui};

use super::{assumptions, explain_popup, heading, part_table, saved_tensors, stages, timeline};
use crate::{
    memory::{Part, StageMemory},
    throughput::Figures,
    ui::{
        command::Command,
        session::{Ready, Session},
        theme::tokens,
        widgets::{
            memory_bar::{BarRow, MemoryBar},
            stage_strip::StageStrip,
        },
    },
    units::grouped,
};

/// Room from which the details stand beside the table instead of below it, points.
const BESIDE_FROM: f32 = 780.0;
/// Distance between the table and the details, points.
const BESIDE_GAP: f32 = 12.0;
/// Share of the room that the details beside the table take.
const DETAILS_SHARE: f32 = 0.42;
/// The details beside the table are never narrower, points.
const LEAST_DETAILS_WIDTH: f32 = 360.0;
/// The details are never higher than this or than the table, points; what is more scrolls.
const LEAST_DETAILS_HEIGHT: f32 = 168.0;

/// Bars, table with details, timeline, saved tensors.
pub fn memory_tab(ui: &mut Ui, session: &Session, ready: &Ready, commands: &mut Vec<Command>) {
    if let Some(stage) = bars(ui, session, ready) {
        commands.push(Command::SelectStage(Some(stage)));
    }
    let Some(shown) = ready.estimate.memory.stages.get(ready.shown_stage) else { return };
    ui.add_space(10.0);
    stage_heading(ui, session, ready, shown, commands);
    assumptions::assumptions_line(ui, session, ready);
    table_and_details(ui, session, ready, shown);
    ui.add_space(12.0);
    timeline::timeline(ui, session, ready);
    saved_tensors::saved_tensors(ui, session, ready);
}

fn bars(ui: &mut Ui, session: &Session, ready: &Ready) -> Option<usize> {
    let memory = &ready.estimate.memory;
    let (roles, some_left_out) = stages::shown_roles(ready);
    let title = if memory.stages.len() > 1 { "memory-per-stage" } else { "memory-per-gpu" };
    heading(ui, &session.texts.get(title));
    let rows: Vec<BarRow<'_>> = roles
        .iter()
        .filter_map(|role| {
            let stage = role.representative(ready.shown_stage);
            let shown = stage == ready.shown_stage;
            Some(BarRow {
                name: role.name(&session.texts, memory),
                stage,
                memory: memory.stages.get(stage)?,
                pinned: stages::pinned_stage(session.pinned.as_ref(), memory, stage),
                shown,
                explanation: shown.then_some(&ready.detail.explanation),
            })
        })
        .collect();
    let bar = MemoryBar { rows: &rows, capacity: memory.capacity, texts: &session.texts };
    let mut chosen = bar.show(ui);
    if some_left_out {
        ui.add_space(6.0);
        let count = grouped(memory.stages.len() as f64, 0);
        let text = session.texts.with("memory-all-stages", &[("count", &count)]);
        ui.label(RichText::new(text).small().color(tokens(ui).weak_text));
        let strip = StageStrip { memory, shown: ready.shown_stage, texts: &session.texts };
        chosen = strip.show(ui).or(chosen);
    }
    chosen
}

/// Which stage the table shows, with a way back to the worst one.
fn stage_heading(
    ui: &mut Ui,
    session: &Session,
    ready: &Ready,
    shown: &StageMemory,
    commands: &mut Vec<Command>,
) {
    let texts = &session.texts;
    let moment = texts.get(crate::plan::Choice::key(shown.peak)).into_owned();
    let stage = shown.stage.to_string();
    let memory = &ready.estimate.memory;
    ui.horizontal_wrapped(|ui| {
        let title = if memory.stages.len() > 1 {
            texts.with("memory-at-peak-of-stage", &[("stage", &stage), ("moment", &moment)])
        } else {
            texts.with("memory-at-peak", &[("moment", &moment)])
        };
        heading(ui, &title);
        let facts = stage_facts(session, ready, shown);
        ui.add(Label::new(RichText::new(facts).small().color(tokens(ui).weak_text)).wrap());
        if session.selected_stage.is_some() && ready.shown_stage != memory.worst {
            let back = ui.link(texts.get("memory-follow-worst"));
            if back.clicked() {
                commands.push(Command::SelectStage(None));
            }
        }
    });
}

/// What the stage holds, in a line; serving keeps nothing for a backward pass.
fn stage_facts(session: &Session, ready: &Ready, shown: &StageMemory) -> String {
    let layers = shown.layers.to_string();
    if is_serving(ready) {
        let points = ready.detail.timeline.iter().map(|point| point.parts.get(Part::KvCache));
        let cache = points.max().unwrap_or_default().to_string();
        let weights = shown.parts.get(Part::Parameters).to_string();
        let args =
            [("layers", layers.as_str()), ("weights", weights.as_str()), ("cache", cache.as_str())];
        return session.texts.with("memory-facts-serving", &args);
    }
    let (between, saved) = (shown.static_bytes.to_string(), shown.saved_bytes.to_string());
    let args =
        [("layers", layers.as_str()), ("static", between.as_str()), ("saved", saved.as_str())];
    session.texts.with("memory-facts", &args)
}

/// The plan serves a model instead of training one.
pub(super) const fn is_serving(ready: &Ready) -> bool {
    matches!(ready.estimate.speed.figures, Figures::Serving(_))
}

/// The details stand beside the table where there is room, so that nothing below them moves.
fn table_and_details(ui: &mut Ui, session: &Session, ready: &Ready, shown: &StageMemory) {
    let pinned =
        stages::pinned_stage(session.pinned.as_ref(), &ready.estimate.memory, ready.shown_stage);
    let explained = explain_popup::explained_part(ui, shown).is_some();
    if explained && ui.available_width() >= BESIDE_FROM {
        let details_width = (ui.available_width() * DETAILS_SHARE).max(LEAST_DETAILS_WIDTH);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = BESIDE_GAP;
            let width = ui.available_width() - details_width - BESIDE_GAP;
            let table = ui.vertical(|ui| {
                ui.set_width(width);
                part_table::part_table(ui, session, ready, shown, pinned);
            });
            let height = table.response.rect.height().max(LEAST_DETAILS_HEIGHT);
            ui.vertical(|ui| {
                ui.set_width(details_width);
                explain_popup::details(ui, session, ready, shown, height);
            });
        });
    } else {
        part_table::part_table(ui, session, ready, shown, pinned);
        if explained {
            ui.add_space(6.0);
            explain_popup::details(ui, session, ready, shown, LEAST_DETAILS_HEIGHT);
        }
    }
}

//! The processes of the selected GPU; those with a tick take part in the comparison.

use egui::{Align, Checkbox, Label, Layout, RichText, Ui};
use egui_extras::{Column, TableBuilder, TableRow};

use super::{super::heading, cells::reading_label};
use crate::{
    monitor::{GpuSample, ProcessSample, Reading},
    ui::{
        command::Command,
        live::{LiveCommand, words::Shown},
        session::Session,
        theme::tokens,
    },
    units::grouped,
};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 22.0;
/// The table is never higher, points; what is more scrolls.
const MOST_HEIGHT: f32 = 264.0;

/// Title, what the comparison counts, and the table.
pub fn processes(ui: &mut Ui, session: &Session, gpu: &GpuSample, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    match &gpu.processes {
        Reading::Missing(_) => {
            heading(ui, &texts.get("live-processes-title"));
            let shown = Shown::of(texts, &gpu.processes, |_| String::new());
            ui.horizontal_wrapped(|ui| {
                reading_label(ui, &texts.get("live-processes-title"), &shown);
                let why = shown.missing.unwrap_or_default();
                ui.label(RichText::new(why).color(tokens(ui).weak_text));
            });
        }
        Reading::Value(processes) if processes.is_empty() => {
            heading(ui, &texts.get("live-processes-title"));
            weak(ui, &texts.get("live-no-processes"));
        }
        Reading::Value(processes) => {
            title(ui, session, processes.len(), commands);
            table(ui, session, processes, commands);
        }
    }
}

fn weak(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(tokens(ui).weak_text)).wrap());
}

fn title(ui: &mut Ui, session: &Session, count: usize, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    ui.horizontal_wrapped(|ui| {
        heading(ui, &texts.get("live-processes-title"));
        let chosen = session.live.processes.len();
        let text = if chosen == 0 {
            texts.with("live-processes-all", &[("count", &grouped(count as f64, 0))])
        } else {
            texts.with("live-processes-chosen", &[("count", &grouped(chosen as f64, 0))])
        };
        ui.label(RichText::new(text).small().color(tokens(ui).weak_text));
        if chosen > 0 && ui.link(texts.get("live-processes-reset")).clicked() {
            commands.push(Command::Live(LiveCommand::AllProcesses));
        }
    });
}

fn table(ui: &mut Ui, session: &Session, processes: &[ProcessSample], commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let titles = [
        "live-process-counted",
        "live-process-pid",
        "live-process-name",
        "live-process-user",
        "live-process-kind",
        "live-process-memory",
    ];
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        TableBuilder::new(ui)
            .id_salt("live-processes")
            .striped(true)
            .auto_shrink([false, true])
            .max_scroll_height(MOST_HEIGHT)
            .cell_layout(Layout::left_to_right(Align::Center))
            .column(Column::exact(64.0))
            .column(Column::exact(72.0))
            .column(Column::remainder().clip(true))
            .column(Column::exact(96.0).clip(true))
            .column(Column::exact(84.0).clip(true))
            .column(Column::exact(96.0).clip(true))
            .header(ROW_HEIGHT, |mut row| {
                for key in titles {
                    row.col(|ui| {
                        let text = RichText::new(texts.get(key)).small();
                        let weak = tokens(ui).weak_text;
                        let label = ui.add(Label::new(text.color(weak)).truncate());
                        if let Some(hint) = texts.hint(key) {
                            label.on_hover_text(hint);
                        }
                    });
                }
            })
            .body(|body| {
                body.rows(ROW_HEIGHT, processes.len(), |mut row| {
                    if let Some(process) = processes.get(row.index()) {
                        process_row(&mut row, session, process, commands);
                    }
                });
            });
    });
}

fn process_row(
    row: &mut TableRow<'_, '_>,
    session: &Session,
    process: &ProcessSample,
    commands: &mut Vec<Command>,
) {
    let texts = &session.texts;
    let pid = process.pid.to_string();
    row.col(|ui| {
        let mut counted = session.live.is_chosen(process.pid);
        let name = texts.with("live-process-count-it", &[("pid", &pid)]);
        let tick = ui.add(Checkbox::without_text(&mut counted)).accessible_name(name);
        if tick.clicked() {
            commands.push(Command::Live(LiveCommand::ToggleProcess(process.pid)));
        }
    });
    row.col(|ui| {
        ui.label(&pid);
    });
    let (name, user) = (Shown::text(texts, &process.name), Shown::text(texts, &process.user));
    row.col(|ui| {
        reading_label(ui, &texts.get("live-process-name"), &name);
    });
    row.col(|ui| {
        reading_label(ui, &texts.get("live-process-user"), &user);
    });
    row.col(|ui| {
        let kind = if process.graphics { "live-process-graphics" } else { "live-process-compute" };
        ui.label(RichText::new(texts.get(kind)).color(tokens(ui).weak_text));
    });
    let memory = Shown::bytes(texts, &process.memory);
    row.col(|ui| {
        reading_label(ui, &texts.get("live-process-memory"), &memory);
    });
}

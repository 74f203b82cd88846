//! The list of messages.

use egui::{Id, RichText, ScrollArea, Ui, Window};

use crate::{
    plan::Choice as _,
    ui::{
        command::{Action, Command},
        messages::{Entry, Level, Messages},
        session::Session,
        theme,
    },
};

/// The window with all messages, the latest first.
pub fn log_window(
    ui: &mut Ui,
    open: &mut bool,
    session: &Session,
    messages: &Messages,
    commands: &mut Vec<Command>,
) {
    let room = ui.content_rect().size();
    Window::new(theme::bold(ui, session.texts.get("log-heading")))
        .id(Id::unique("log"))
        .open(open)
        .pivot(egui::Align2::CENTER_CENTER)
        .default_pos(ui.content_rect().center())
        .default_size([520.0_f32.min(room.x - 40.0), 260.0_f32.min(room.y - 120.0)])
        .collapsible(false)
        .show(ui, |ui| {
            if messages.entries().len() == 0 {
                ui.weak(session.texts.get("log-empty"));
                ui.take_available_space();
                return;
            }
            if ui.button(session.texts.get(Action::ClearLog.key())).clicked() {
                commands.push(Command::Run(Action::ClearLog));
            }
            ui.separator();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for entry in messages.entries() {
                    line(ui, session, entry);
                }
            });
        });
}

fn line(ui: &mut Ui, session: &Session, entry: &Entry) {
    let tokens = theme::tokens(ui);
    let (word, color) = match entry.level {
        Level::Info => ("level-info", tokens.weak_text),
        Level::Warning => ("level-warning", tokens.warning),
        Level::Error => ("level-error", tokens.error),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(session.texts.get(word)).color(color));
        ui.label(session.texts.message(&entry.message));
    });
}

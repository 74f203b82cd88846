//! The list of messages.

use egui::{RichText, ScrollArea, Ui};

use crate::{
    plan::Choice as _,
    ui::{
        command::{Action, Command},
        messages::{Entry, Level, Messages},
        session::Session,
        theme,
        widgets::info_window::info_window,
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
    let title = session.texts.get("log-heading");
    let size = egui::vec2(520.0, 260.0);
    info_window(ui, "log", &title, size, 0, open).show(ui, |ui| {
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

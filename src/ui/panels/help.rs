//! A short guide.

use egui::{ScrollArea, Ui};

use crate::plan::Choice as _;
use crate::ui::{
    command::Action, session::Session, shortcuts, theme, widgets::info_window::info_window,
};

/// Heading and text of each section.
const SECTIONS: &[(&str, &str)] = &[
    ("help-plan-heading", "help-plan-text"),
    ("help-verdict-heading", "help-verdict-text"),
    ("help-memory-heading", "help-memory-text"),
    ("help-speed-heading", "help-speed-text"),
    ("help-live-heading", "help-live-text"),
    ("help-pin-heading", "help-pin-text"),
    ("help-share-heading", "help-share-text"),
    ("help-limits-heading", "help-limits-text"),
];

/// The window with the guide.
pub fn help_window(ui: &mut Ui, open: &mut bool, session: &Session) {
    let texts = &session.texts;
    let title = session.texts.get("help-heading");
    let size = egui::vec2(480.0, 460.0);
    info_window(ui, "help", &title, size, 1, open).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            for (heading, text) in SECTIONS {
                ui.label(theme::bold(ui, texts.get(heading)));
                ui.label(texts.get(text));
                ui.add_space(8.0);
            }
            ui.label(theme::bold(ui, texts.get("help-keys-heading")));
            keys_table(ui, session);
        });
    });
}

fn keys_table(ui: &mut Ui, session: &Session) {
    egui::Grid::new("help-keys").num_columns(2).show(ui, |ui| {
        for &action in Action::ALL {
            if let Some(keys) = shortcuts::printed(ui, action) {
                ui.weak(keys);
                ui.label(session.texts.get(action.key()));
                ui.end_row();
            }
        }
    });
}

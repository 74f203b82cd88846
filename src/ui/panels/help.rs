//! A short guide.

use egui::{Id, ScrollArea, Ui, Window};

use crate::plan::Choice as _;
use crate::ui::{command::Action, session::Session, shortcuts, theme};

/// Heading and text of each section.
const SECTIONS: &[(&str, &str)] = &[
    ("help-plan-heading", "help-plan-text"),
    ("help-verdict-heading", "help-verdict-text"),
    ("help-memory-heading", "help-memory-text"),
    ("help-speed-heading", "help-speed-text"),
    ("help-pin-heading", "help-pin-text"),
    ("help-share-heading", "help-share-text"),
    ("help-limits-heading", "help-limits-text"),
];

/// The window with the guide.
pub fn help_window(ui: &mut Ui, open: &mut bool, session: &Session) {
    let texts = &session.texts;
    let room = ui.content_rect().size();
    Window::new(theme::bold(ui, texts.get("help-heading")))
        .id(Id::unique("help"))
        .open(open)
        .pivot(egui::Align2::CENTER_CENTER)
        .default_pos(ui.content_rect().center())
        .default_size([480.0_f32.min(room.x - 40.0), 460.0_f32.min(room.y - 120.0)])
        .collapsible(false)
        .show(ui, |ui| {
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

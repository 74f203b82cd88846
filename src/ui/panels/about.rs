//! Version, sources and licences.

use egui::{RichText, ScrollArea, Ui};

use crate::ui::{session::Session, theme, widgets::info_window::info_window};

/// Licence of the embedded Chinese font, as its authors want it to go along.
const FONT_LICENCE: &str = include_str!("../../../assets/fonts/OFL.txt");

/// The window about the program.
pub fn about_window(ui: &mut Ui, open: &mut bool, session: &Session) {
    let title = session.texts.get("about-heading");
    let size = egui::vec2(460.0, 360.0);
    info_window(ui, "about", &title, size, 2, open).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| content(ui, session));
    });
}

fn content(ui: &mut Ui, session: &Session) {
    let texts = &session.texts;
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    ui.label(theme::bold(ui, texts.with("about-version", &version)));
    ui.label(texts.get("about-what"));
    ui.add_space(8.0);
    ui.label(theme::bold(ui, texts.get("about-sources-heading")));
    let gpus = session.catalogue.gpus.len().to_string();
    let models = session.catalogue.models.len().to_string();
    ui.label(texts.with("about-sources", &[("gpus", &gpus), ("models", &models)]));
    ui.add_space(8.0);
    ui.label(theme::bold(ui, texts.get("about-licence-heading")));
    let licence = [("licence", env!("CARGO_PKG_LICENSE"))];
    ui.label(texts.with("about-licence", &licence));
    ui.add_space(8.0);
    ui.collapsing(texts.get("about-font-heading"), |ui| {
        ui.label(texts.get("about-font"));
        ui.add_space(4.0);
        ui.label(RichText::new(FONT_LICENCE).small());
    });
}

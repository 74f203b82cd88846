//! The author's note of a preset, above its answer until it is dismissed.

use egui::{Align, Button, Frame, Label, Layout, Margin, RichText, ScrollArea, Stroke, Ui};

use crate::ui::{session::Session, theme};

/// Shows the note; true if the person dismissed it. A text higher than `max_height` points scrolls.
pub fn note_strip(ui: &mut Ui, session: &Session, max_height: f32) -> bool {
    let tokens = theme::tokens(ui);
    let frame = Frame::new()
        .fill(tokens.card_fill)
        .stroke(Stroke::new(1.0, tokens.accent))
        .corner_radius(theme::CARD_RADIUS)
        .inner_margin(Margin { left: 12, right: 6, top: 6, bottom: 6 });
    let shown = frame.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let name = session.texts.get("note-close");
            let close = Button::new(RichText::new("×").color(tokens.weak_text)).frame(false);
            let close = ui.add(close).accessible_name(name.as_ref()).on_hover_text(name.as_ref());
            theme::focus_frame(ui, &close);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                let area = ScrollArea::vertical().id_salt("note").max_height(max_height);
                area.auto_shrink([false, true]).show(ui, |ui| {
                    ui.add(Label::new(&session.note).wrap());
                });
            });
            close.clicked()
        })
        .inner
    });
    ui.add_space(6.0);
    shown.inner
}

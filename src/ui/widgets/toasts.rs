//! Messages that lie over the lower right corner for a while. Nothing moves: they come, stay and go.

use egui::{
    Align, Align2, Area, Button, Frame, Id, Label, Layout, Order, RichText, Stroke, Ui, Vec2,
};

use crate::ui::{
    messages::{Level, Toast},
    session::Session,
    theme,
};

/// Largest width of a toast, points.
const WIDTH: f32 = 380.0;
/// Distance from the corner, points: above the status bar.
const MARGIN: Vec2 = Vec2::new(-14.0, -38.0);

/// Shows the toasts; gives the one that was closed.
pub fn toasts_ui(ui: &mut Ui, session: &Session, toasts: &[Toast]) -> Option<usize> {
    if toasts.is_empty() {
        return None;
    }
    let mut closed = None;
    let width = WIDTH.min(ui.content_rect().width() - 40.0);
    Area::new(Id::unique("toasts"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, MARGIN)
        .show(ui, |ui| {
            for (index, toast) in toasts.iter().enumerate() {
                if toast_ui(ui, session, toast, width) {
                    closed = Some(index);
                }
            }
        });
    closed
}

fn toast_ui(ui: &mut Ui, session: &Session, toast: &Toast, width: f32) -> bool {
    let tokens = theme::tokens(ui);
    let color = match toast.entry.level {
        Level::Info => tokens.line,
        Level::Warning => tokens.warning,
        Level::Error => tokens.error,
    };
    let frame = Frame::popup(ui.style()).stroke(Stroke::new(1.0, color));
    let shown = frame.show(ui, |ui| {
        ui.set_width(width);
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            let close = Button::new(RichText::new("×").color(tokens.weak_text)).frame(false);
            let response = ui.add(close).on_hover_text(session.texts.get("toast-close"));
            let close = response.accessible_name(session.texts.get("toast-close")).clicked();
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.add(Label::new(session.texts.message(&toast.entry.message)).wrap());
            });
            close
        })
        .inner
    });
    shown.inner
}

//! The details of one part: every contribution with its equation, symbols, numbers and source.

use egui::{Frame, Id, Key, Margin, RichText, ScrollArea, Sides, Stroke, Ui};

use super::saved_tensors;
use crate::{
    memory::{Part, StageMemory},
    plan::Choice as _,
    ui::{
        session::{Ready, Session},
        theme::{CARD_RADIUS, bold, tokens},
        widgets::term_view::{largest_first, term_details},
    },
    units::percent,
};

/// Height of the card's frame: two margins and two lines, points.
const FRAME_HEIGHT: f32 = 18.0;

fn state_id() -> Id {
    Id::unique("part whose details are shown")
}

/// The part whose details are shown; none if the stage holds nothing of it.
pub fn explained_part(ui: &Ui, shown: &StageMemory) -> Option<Part> {
    let part: Option<Part> = ui.data(|data| data.get_temp::<Option<Part>>(state_id())).flatten();
    part.filter(|part| shown.parts.get(*part).0 > 0)
}

/// Shows the details of a part, or of none.
pub fn set_explained_part(ui: &Ui, part: Option<Part>) {
    ui.data_mut(|data| data.insert_temp(state_id(), part));
}

/// The details, in a card that stays until it is closed and is no higher than it may be.
pub fn details(
    ui: &mut Ui,
    session: &Session,
    ready: &Ready,
    shown: &StageMemory,
    most_height: f32,
) {
    let Some(part) = explained_part(ui, shown) else { return };
    let frame = Frame::new()
        .fill(tokens(ui).card_fill)
        .stroke(Stroke::new(1.0, tokens(ui).line))
        .corner_radius(CARD_RADIUS)
        .inner_margin(Margin::symmetric(12, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let top = ui.cursor().top();
        title(ui, session, shown, part);
        let left = most_height - (ui.cursor().top() - top) - FRAME_HEIGHT;
        // The bar's room is left free without it as well, so that no line breaks anew.
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        let area = ScrollArea::vertical()
            .id_salt(part)
            .max_height(left)
            .min_scrolled_height(left)
            .auto_shrink([false, true]);
        area.show(ui, |ui| {
            ui.set_max_width(width);
            reasons(ui, session, ready, part);
        });
    });
    let escape = ui.input(|input| input.key_pressed(Key::Escape)) && !ui.text_edit_focused();
    if escape && !egui::Popup::is_any_open(ui) {
        set_explained_part(ui, None);
    }
}

/// What the part is, and every contribution to it.
fn reasons(ui: &mut Ui, session: &Session, ready: &Ready, part: Part) {
    if let Some(hint) = session.texts.hint(part.key()) {
        ui.label(RichText::new(hint).color(tokens(ui).weak_text));
    }
    saved_tensors::link(ui, session, ready, part);
    let terms = largest_first(ready.detail.explanation.of(part));
    if terms.is_empty() {
        ui.label(session.texts.get("explain-no-terms"));
    }
    for term in terms {
        ui.separator();
        term_details(ui, &session.texts, term);
    }
}

fn title(ui: &mut Ui, session: &Session, shown: &StageMemory, part: Part) {
    let bytes = shown.parts.get(part);
    let (size, share) = (bytes.to_string(), percent(bytes.share_of(shown.total())));
    let name = session.texts.get(part.key());
    let args = [("part", name.as_ref()), ("size", size.as_str()), ("share", share.as_str())];
    let text = session.texts.with("explain-title", &args);
    let close = Sides::new().show(
        ui,
        |ui| ui.label(bold(ui, text)),
        |ui| ui.button(session.texts.get("explain-close")).clicked(),
    );
    if close.1 {
        set_explained_part(ui, None);
    }
}

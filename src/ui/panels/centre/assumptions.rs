//! What the memory rests on besides its equations, in one line of small text.

use egui::{Label, Response, RichText, Ui, vec2};

use crate::ui::{
    session::{Ready, Session},
    theme::tokens,
};

/// Distance between two assumptions, points.
const GAP: f32 = 5.0;

/// The assumptions one after the other; what follows from each is said when it is hovered.
pub fn assumptions_line(ui: &mut Ui, session: &Session, ready: &Ready) {
    if ready.assumptions.is_empty() {
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, 2.0);
        // The rows are as high as their text: there is nothing to press.
        ui.spacing_mut().interact_size.y = 0.0;
        ui.horizontal_wrapped(|ui| words(ui, session, ready));
    });
    ui.add_space(2.0);
}

fn words(ui: &mut Ui, session: &Session, ready: &Ready) {
    let texts = &session.texts;
    small(ui, &texts.get("assume-title"));
    let last = ready.assumptions.len().saturating_sub(1);
    for (index, assumption) in ready.assumptions.iter().enumerate() {
        let text = texts.message(&assumption.text);
        // The dot belongs to what it follows, so that no row begins with one; it is not read aloud.
        let dotted = if index == last { text.clone() } else { format!("{text} ·") };
        let response = small(ui, &dotted);
        ui.accesskit_node_builder(response.id, |node| node.set_value(text));
        if let Some(hint) = texts.hint(assumption.hint) {
            response.on_hover_text(hint);
        }
    }
}

/// Small weak text that is not broken in two.
fn small(ui: &mut Ui, text: &str) -> Response {
    let text = RichText::new(text).small().color(tokens(ui).weak_text);
    ui.add(Label::new(text).extend())
}

//! What the memory rests on besides its equations, in one line of small text.

use egui::{Label, RichText, Ui, accesskit};

use crate::ui::{
    session::{Ready, Session},
    theme::tokens,
};

/// Distance between two assumptions and the dot between them, points.
const GAP: f32 = 5.0;

/// The assumptions one after the other; what follows from each is said when it is hovered.
pub fn assumptions_line(ui: &mut Ui, session: &Session, ready: &Ready) {
    if ready.assumptions.is_empty() {
        return;
    }
    let texts = &session.texts;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(GAP, 2.0);
        // Rows of text, not of buttons.
        ui.spacing_mut().interact_size.y = 0.0;
        small(ui, &texts.get("assume-title"));
        for (index, assumption) in ready.assumptions.iter().enumerate() {
            if index > 0 {
                let dot = small(ui, "·").id;
                ui.accesskit_node_builder(dot, accesskit::Node::set_hidden);
            }
            let response = small(ui, &texts.message(&assumption.text));
            if let Some(hint) = texts.hint(assumption.hint) {
                response.on_hover_text(hint);
            }
        }
    });
}

/// Small weak text that is not broken in two.
fn small(ui: &mut Ui, text: &str) -> egui::Response {
    let text = RichText::new(text).small().color(tokens(ui).weak_text);
    ui.add(Label::new(text).extend())
}

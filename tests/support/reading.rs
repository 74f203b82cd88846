//! What a person hears from the window.

use egui_kittest::{Harness, kittest::NodeT as _};
use vramplan::ui::app::PlannerApp;

/// Everything that is read out, a line each.
pub fn everything(window: &Harness<'static, PlannerApp>) -> String {
    let mut all = String::new();
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        for text in [node.label(), node.value()].into_iter().flatten() {
            all.push_str(&text);
            all.push('\n');
        }
    }
    all
}

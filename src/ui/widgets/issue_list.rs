//! What is wrong with an input, right under it.

use egui::{Color32, Id, Label, RichText, Ui, UiBuilder, vec2};

use super::field_row::LABEL_COLUMN;
use crate::{
    plan::{Choice as _, Field, Issue, Severity},
    text::Texts,
    ui::theme,
};

/// One line for each issue, in the control column, with a sign beside the colour.
pub fn issue_lines<'a>(ui: &mut Ui, texts: &Texts, issues: impl Iterator<Item = &'a Issue>) {
    for issue in issues {
        line(ui, issue.severity, &texts.message(&issue.message));
    }
}

/// What is wrong with an input that is not part of the plan.
pub fn error_line(ui: &mut Ui, text: &str) {
    line(ui, Severity::Error, text);
}

fn line(ui: &mut Ui, severity: Severity, text: &str) {
    ui.horizontal_top(|ui| {
        ui.add_space(LABEL_COLUMN + ui.spacing().item_spacing.x);
        ui.vertical(|ui| {
            let text = format!("{} {text}", sign(severity));
            let color = severity_color(ui, severity);
            ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
        });
    });
}

/// The same under a field's own row. While a pointer button is down the lines keep the room that they
/// had before, so that no control moves away under a drag; new ones come when it is released.
pub fn issue_lines_at<'a>(
    ui: &mut Ui,
    texts: &Texts,
    field: Field,
    issues: impl Iterator<Item = &'a Issue>,
) {
    let id = Id::unique(("issue lines", field.key()));
    let top = ui.cursor().top();
    if ui.input(|input| input.pointer.any_down()) {
        let height: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
        if height > 0.0 {
            let size = vec2(ui.available_width(), height - ui.spacing().item_spacing.y);
            let (_, room) = ui.allocate_space(size);
            let mut inside = ui.new_child(UiBuilder::new().max_rect(room));
            inside.shrink_clip_rect(room);
            issue_lines(&mut inside, texts, issues);
        }
        return;
    }
    issue_lines(ui, texts, issues);
    let height = ui.cursor().top() - top;
    ui.data_mut(|data| data.insert_temp(id, height));
}

/// The colour of a severity; never without a sign or words beside it.
#[must_use]
pub fn severity_color(ui: &Ui, severity: Severity) -> Color32 {
    let tokens = theme::tokens(ui);
    match severity {
        Severity::Error => tokens.error,
        Severity::Warning => tokens.warning,
        Severity::Note => tokens.weak_text,
    }
}

/// A shape for a severity, so that colour is not all there is.
#[must_use]
pub const fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "■",
        Severity::Warning => "▲",
        Severity::Note => "●",
    }
}

//! What is wrong with an input, right under it.

use egui::{Color32, Label, RichText, Ui};

use super::field_row::LABEL_COLUMN;
use crate::{
    plan::{Issue, Severity},
    text::Texts,
    ui::theme,
};

/// One line for each issue, in the control column, with a sign beside the colour.
pub fn issue_lines<'a>(ui: &mut Ui, texts: &Texts, issues: impl Iterator<Item = &'a Issue>) {
    for issue in issues {
        ui.horizontal_top(|ui| {
            ui.add_space(LABEL_COLUMN + ui.spacing().item_spacing.x);
            ui.vertical(|ui| {
                let text = format!("{} {}", sign(issue.severity), texts.message(&issue.message));
                let color = severity_color(ui, issue.severity);
                ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
            });
        });
    }
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

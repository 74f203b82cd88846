//! A row of the plan: label, control, unit, each in its own column.

use egui::{
    Align, Id, Label, Layout, RectAlign, Response, RichText, TextWrapMode, Tooltip, Ui, vec2,
};

use super::issue_list::severity_color;
use crate::{plan::Severity, ui::theme::focus_frame};

/// Width of the column of labels, points.
pub const LABEL_COLUMN: f32 = 96.0;
/// Width of the column of units, points.
pub const UNIT_COLUMN: f32 = 56.0;

/// The label of a row: it names the row's controls to screen readers and lends them its explanation.
#[derive(Clone, Copy, Debug)]
pub struct RowLabel<'a> {
    id: Id,
    hint: Option<&'a str>,
}

impl RowLabel<'_> {
    /// Names a control after the label, and explains it under the pointer.
    pub fn describe(&self, control: &Response) {
        hint_above(&control.clone().labelled_by(self.id), self.hint);
    }
}

/// What stands in front of a row.
#[derive(Clone, Copy, Debug)]
pub struct RowText<'a> {
    /// Name of the row.
    pub name: &'a str,
    /// Its explanation.
    pub hint: Option<&'a str>,
    /// The worst that is wrong with its value: the name has its colour.
    pub trouble: Option<Severity>,
}

/// One row; `control` gets a child of fixed width, so that the columns stay aligned, and `trailing`
/// fills the column of units.
pub fn field_row<R>(
    ui: &mut Ui,
    text: RowText<'_>,
    control: impl FnOnce(&mut Ui, &RowLabel<'_>) -> R,
    trailing: impl FnOnce(&mut Ui),
) -> R {
    let height = ui.spacing().interact_size.y;
    ui.horizontal(|ui| {
        let id = label_cell(ui, text, height);
        let width = (ui.available_width() - UNIT_COLUMN - ui.spacing().item_spacing.x).max(80.0);
        let middle = Layout::left_to_right(Align::Center);
        let answer = ui
            .allocate_ui_with_layout(vec2(width, height), middle, |ui| {
                ui.set_min_width(width);
                control(ui, &RowLabel { id, hint: text.hint })
            })
            .inner;
        trailing(ui);
        answer
    })
    .inner
}

/// A unit, in the last column of a row.
pub fn unit_text(ui: &mut Ui, unit: &str) {
    if !unit.is_empty() {
        ui.add(Label::new(RichText::new(unit).small().weak()).truncate().selectable(false));
    }
}

/// A small link in the last column of a row; `name` is what it says in full.
pub fn trailing_link(ui: &mut Ui, text: &str, name: &str, hint: Option<&str>) -> Response {
    let link = ui.link(RichText::new(text).small()).accessible_name(name);
    focus_frame(ui, &link);
    link.on_hover_text(hint.unwrap_or(name))
}

/// A row without a label of its own, such as a check box that carries its text.
pub fn unlabelled_row<R>(ui: &mut Ui, control: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        ui.add_space(LABEL_COLUMN + ui.spacing().item_spacing.x);
        ui.style_mut().wrap_mode = Some(TextWrapMode::Wrap);
        control(ui)
    })
    .inner
}

/// A line of figures under a control, small and in the control column.
pub fn fact_row(ui: &mut Ui, text: &str) {
    ui.horizontal_top(|ui| {
        ui.add_space(LABEL_COLUMN + ui.spacing().item_spacing.x);
        ui.vertical(|ui| {
            ui.add(Label::new(RichText::new(text).small().weak()).wrap());
        });
    });
}

/// An explanation under the pointer, also told to screen readers.
pub fn show_hint(response: &Response, hint: Option<&str>) {
    if let Some(hint) = hint {
        response.clone().on_hover_text(hint);
    }
}

/// The same above the control, where it does not lie over the issues below, and not while something
/// is dragged.
fn hint_above(response: &Response, hint: Option<&str>) {
    let Some(hint) = hint else { return };
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(hint));
    if response.ctx.input(|input| input.pointer.any_down()) {
        return;
    }
    let mut tooltip = Tooltip::for_enabled(response);
    tooltip.popup = tooltip
        .popup
        .align(RectAlign::TOP_START)
        .align_alternatives(&[RectAlign::RIGHT_START, RectAlign::BOTTOM_START]);
    tooltip.show(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(hint);
    });
}

/// The name of a row; a long one takes two lines.
fn label_cell(ui: &mut Ui, text: RowText<'_>, height: f32) -> Id {
    let middle = Layout::left_to_right(Align::Center);
    let response = ui
        .allocate_ui_with_layout(vec2(LABEL_COLUMN, height), middle, |ui| {
            ui.set_min_width(LABEL_COLUMN);
            let color = match text.trouble {
                Some(severity) => severity_color(ui, severity),
                None => ui.visuals().weak_text_color(),
            };
            ui.add(Label::new(RichText::new(text.name).color(color)).wrap().selectable(false))
        })
        .inner;
    show_hint(&response, text.hint);
    response.id
}

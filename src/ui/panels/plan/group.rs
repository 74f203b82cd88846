//! A group of fields: heading with its marks, reset, and the fold.

use egui::{Align, Button, Id, Layout, Response, RichText, Ui};

use super::{
    form::Form,
    rows::{Draw, Rows},
};
use crate::{
    plan::{Choice as _, Group},
    ui::{
        command::Command,
        theme::{bold, focus_frame},
        widgets::issue_list::{issue_lines, severity_color, sign},
    },
};

/// Space above a group's heading, points.
const SPACE_ABOVE_GROUP: f32 = 8.0;

/// A group that is open until a person folds it.
pub fn group_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    group: Group,
    rows: impl FnOnce(&mut Rows<'_, '_>),
) {
    foldable_group_ui(ui, form, group, true, rows);
}

/// A group that is open or folded as `opens` says, until a person decides.
pub fn foldable_group_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    group: Group,
    opens: bool,
    rows: impl FnOnce(&mut Rows<'_, '_>),
) {
    let fold = Fold { id: Id::unique(("plan-group", group.key())) };
    let open = fold.is_open(ui, opens);
    ui.add_space(SPACE_ABOVE_GROUP);
    if heading_ui(ui, form, group, open).clicked() {
        fold.set(ui, !open);
    }
    ui.push_id(group.key(), |ui| {
        if open {
            rows(&mut Rows::new(ui, form, Draw::All));
        } else {
            rows(&mut Rows::new(ui, form, Draw::Troubled));
        }
    });
}

/// Heading with fold mark, number of problems and, if something was changed, a reset button.
fn heading_ui(ui: &mut Ui, form: &mut Form<'_>, group: Group, open: bool) -> Response {
    let texts = form.texts;
    ui.horizontal(|ui| {
        let name = texts.get(group.key());
        let heading = fold_button(ui, bold(ui, name.as_ref()), &name, open);
        if let Some((count, severity)) = form.trouble_in(group) {
            let mark = format!("{} {count}", sign(severity));
            let text = texts.with("plan-group-trouble", &[("count", &count.to_string())]);
            ui.label(RichText::new(mark).small().color(severity_color(ui, severity)))
                .on_hover_text(text);
        }
        if form.differs(group) {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text = RichText::new(texts.get("plan-reset")).small().weak();
                let reset = ui
                    .add(Button::new(text).frame_when_inactive(false).small())
                    .accessible_name(texts.with("plan-reset-group", &[("group", &name)]))
                    .on_hover_text(texts.get("plan-reset-hint"));
                focus_frame(ui, &reset);
                if reset.clicked() {
                    form.commands.push(Command::ResetGroup(group));
                }
            });
        }
        heading
    })
    .inner
}

/// A heading that folds what is under it: text and a small triangle.
pub fn fold_button(ui: &mut Ui, text: RichText, name: &str, open: bool) -> Response {
    let triangle = RichText::new(if open { "▼" } else { "▶" }).size(8.0).weak();
    let response = ui.add(Button::new((text, triangle)).frame(false));
    focus_frame(ui, &response);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::DisclosureTriangle, ui.is_enabled(), open, name)
    });
    response
}

/// Issues of fields that no row shows: nothing that is wrong is ever out of sight.
pub fn issues_out_of_sight_ui(ui: &mut Ui, form: &Form<'_>) {
    issue_lines(ui, form.texts, form.issues_out_of_sight());
}

/// Whether a group is open: as a person left it, else as the plan suggests.
struct Fold {
    id: Id,
}

impl Fold {
    /// The suggestion is not followed while a pointer button is down: nothing jumps during a drag.
    fn is_open(&self, ui: &Ui, suggestion: bool) -> bool {
        let chosen: Option<bool> = ui.data_mut(|data| data.get_persisted(self.id));
        if let Some(open) = chosen {
            return open;
        }
        let suggested_id = self.id.with("suggested");
        let last: Option<bool> = ui.data(|data| data.get_temp(suggested_id));
        match last {
            Some(open) if ui.input(|input| input.pointer.any_down()) => open,
            _ => {
                ui.data_mut(|data| data.insert_temp(suggested_id, suggestion));
                suggestion
            }
        }
    }

    fn set(&self, ui: &Ui, open: bool) {
        ui.data_mut(|data| data.insert_persisted(self.id, open));
        ui.request_repaint();
    }
}

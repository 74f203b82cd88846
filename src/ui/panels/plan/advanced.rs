//! What is rarely touched, under one fold that says how much of it was changed.

use egui::{RichText, Ui};

use super::{
    checkpointing,
    form::Form,
    framework,
    group::fold_button,
    hardware, optimizer, parallelism, precision,
    rows::{Draw, Rows, Tally},
    workload,
};
use crate::{
    plan::{Choice as _, Group},
    ui::{
        command::{Action, Command},
        theme::{SMALL_TEXT_POINTS, bold},
    },
};

/// The rows of one group that stand under the fold.
type Section = fn(&mut Rows<'_, '_>);

const SECTIONS: [(Group, Section); 7] = [
    (Group::Hardware, hardware::advanced),
    (Group::Workload, workload::advanced),
    (Group::Precision, precision::advanced),
    (Group::Optimizer, optimizer::advanced),
    (Group::Parallelism, parallelism::advanced),
    (Group::Checkpointing, checkpointing::advanced),
    (Group::Framework, framework::advanced),
];

/// The fold and, when it is open, every section. Rows with an issue are shown even if it is not.
pub fn advanced_ui(ui: &mut Ui, form: &mut Form<'_>) {
    let open = form.session.show_advanced;
    let counts = SECTIONS.map(|(group, rows)| (group, rows, count(ui, form, rows)));
    ui.add_space(10.0);
    let total = counts.iter().fold(Tally::default(), |sum, (_, _, tally)| Tally {
        rows: sum.rows + tally.rows,
        changed: sum.changed + tally.changed,
    });
    let title = title(form, total);
    let heading = fold_button(ui, RichText::new(&title).weak(), &title, open);
    if heading.on_hover_text(form.texts.get("plan-advanced-hint")).clicked() {
        form.commands.push(Command::Run(Action::ToggleAdvanced));
    }
    for (group, rows, tally) in counts {
        if tally.rows > 0 {
            section_ui(ui, form, group, rows, open);
        }
    }
}

fn section_ui(ui: &mut Ui, form: &mut Form<'_>, group: Group, rows: Section, open: bool) {
    ui.push_id(group.key(), |ui| {
        if open {
            ui.add_space(6.0);
            ui.label(bold(ui, form.texts.get(group.key())).size(SMALL_TEXT_POINTS));
            rows(&mut Rows::new(ui, form, Draw::All));
        } else {
            rows(&mut Rows::new(ui, form, Draw::Troubled));
        }
    });
}

fn count(ui: &mut Ui, form: &mut Form<'_>, rows: Section) -> Tally {
    let mut counter = Rows::new(ui, form, Draw::Nothing);
    rows(&mut counter);
    counter.tally
}

fn title(form: &Form<'_>, total: Tally) -> String {
    let (rows, changed) = (total.rows.to_string(), total.changed.to_string());
    if total.changed == 0 {
        form.texts.with("plan-advanced-at-defaults", &[("count", &rows)])
    } else {
        form.texts.with("plan-advanced-changed", &[("changed", &changed), ("count", &rows)])
    }
}

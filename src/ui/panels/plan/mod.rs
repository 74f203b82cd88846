//! The left side: the plan, group by group, and what is rarely touched under one fold.

mod advanced;
mod checkpointing;
mod custom_gpu;
mod custom_model;
mod custom_rows;
mod fields;
mod form;
mod framework;
mod group;
mod hardware;
mod model;
mod optimizer;
mod parallelism;
mod precision;
mod rows;
mod workload;

use crate::{
    plan::{Group, Method, Plan, Severity, Task},
    ui::{command::Command, session::Session},
};

use self::{
    form::Form,
    group::{foldable_group_ui, group_ui},
};

/// All groups of the plan's fields.
pub fn plan_panel_ui(ui: &mut egui::Ui, session: &Session, commands: &mut Vec<Command>) {
    let mut form = Form::new(session, commands);
    ui.push_id("plan", |ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 3.0);
        groups_ui(ui, &mut form);
        advanced::advanced_ui(ui, &mut form);
        group::issues_out_of_sight_ui(ui, &form);
    });
    form.finish();
}

fn groups_ui(ui: &mut egui::Ui, form: &mut Form<'_>) {
    group_ui(ui, form, Group::Model, model::basic);
    group_ui(ui, form, Group::Hardware, hardware::basic);
    group_ui(ui, form, Group::Workload, workload::basic);
    group_ui(ui, form, Group::Precision, precision::basic);
    if trains(&form.plan) {
        group_ui(ui, form, Group::Optimizer, optimizer::basic);
    }
    let divides = form.plan.hardware.gpus > 1
        || form.differs(Group::Parallelism)
        || matches!(form.trouble_in(Group::Parallelism), Some((_, Severity::Error)));
    foldable_group_ui(ui, form, Group::Parallelism, divides, parallelism::basic);
    if trains(&form.plan) {
        group_ui(ui, form, Group::Checkpointing, checkpointing::basic);
    }
    group_ui(ui, form, Group::Framework, framework::basic);
}

/// The plan trains something.
fn trains(plan: &Plan) -> bool {
    plan.workload.task == Task::Training
}

/// The plan trains adapters.
fn trains_adapters(plan: &Plan) -> bool {
    trains(plan) && plan.workload.method != Method::Full
}

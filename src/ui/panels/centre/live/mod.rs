//! The Live tab: what the attached GPUs really use, beside the plan.

mod calibrations;
mod cells;
mod compare;
mod facts;
mod fault;
mod fleet_table;
mod gpu_rows;
mod playback;
mod plots;
mod processes;
mod ranks;
mod strip;

use egui::{Label, RichText, Ui};

use super::heading;
use crate::{
    monitor::{Alert, GpuSample, Snapshot, Status},
    ui::{
        command::Command,
        live::{
            fleet::is_lost,
            words::{place_name, short_name},
        },
        session::Session,
        theme::tokens,
    },
    units::percent,
};

/// GPUs over the alert line that are named; more are counted.
const NAMED_ALERTS: usize = 4;

/// The whole tab.
pub fn live_tab(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    strip::strip(ui, session, commands);
    playback::playback(ui, session, commands);
    ui.add_space(6.0);
    let monitor = &session.live.monitor;
    match (monitor.status(), monitor.latest()) {
        (Status::Failed(fault), latest) => {
            fault::fault_view(ui, session, fault, commands);
            if let Some(snapshot) = latest {
                ui.add_space(10.0);
                note(ui, &session.texts.get("live-last-sample"));
                body(ui, session, snapshot, commands);
            }
        }
        (_, Some(snapshot)) => match snapshot.no_gpus() {
            Some(fault) => fault::fault_view(ui, session, &fault, commands),
            None => body(ui, session, snapshot, commands),
        },
        (Status::Stopped, None) => fault::without_gpu(ui, session, commands),
        (_, None) => note(ui, &session.texts.get("live-no-sample")),
    }
}

fn note(ui: &mut Ui, text: &str) {
    ui.add(Label::new(RichText::new(text).color(tokens(ui).weak_text)).wrap());
}

/// All GPUs, then everything about the selected one.
fn body(ui: &mut Ui, session: &Session, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    alerts(ui, session, snapshot);
    if session.live.is_fleet(snapshot) {
        fleet_table::fleet_table(ui, session, snapshot, commands);
    } else {
        ui.scope(|ui| gpu_rows::gpu_rows(ui, session, snapshot, commands));
    }
    let Some(gpu) = session.live.selected_gpu() else { return };
    ui.add_space(12.0);
    selected(ui, session, gpu, commands);
}

/// GPUs whose memory is used beyond the line.
fn alerts(ui: &mut Ui, session: &Session, snapshot: &Snapshot) {
    let alerts = session.live.monitor.alerts();
    if alerts.is_empty() {
        return;
    }
    let texts = &session.texts;
    let name = |alert: &Alert| {
        let gpu = snapshot.gpus.iter().find(|gpu| gpu.key == alert.key)?;
        let share = percent(alert.used_percent / 100.0);
        let place = place_name(texts, gpu);
        Some(texts.with("live-alert-gpu", &[("gpu", &place), ("share", &share)]))
    };
    let mut names: Vec<String> = alerts.iter().take(NAMED_ALERTS).filter_map(name).collect();
    if let Some(more) = alerts.len().checked_sub(NAMED_ALERTS).filter(|more| *more > 0) {
        names.push(texts.with("live-alert-more", &[("count", &more.to_string())]));
    }
    let line = percent(session.live.settings.alert_percent / 100.0);
    let text = texts.with("live-alert-line", &[("line", &line), ("gpus", &names.join(", "))]);
    ui.add(Label::new(RichText::new(text).color(tokens(ui).warning)).wrap());
    ui.add_space(4.0);
}

fn selected(ui: &mut Ui, session: &Session, gpu: &GpuSample, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let (place, name) = (place_name(texts, gpu), short_name(texts, gpu));
    heading(ui, &texts.with("live-selected-gpu", &[("place", &place), ("name", &name)]));
    ui.add_space(4.0);
    if is_lost(gpu) {
        let text = RichText::new(texts.get("live-gpu-lost-remedy")).color(tokens(ui).error);
        ui.add(Label::new(text).wrap());
        ui.add_space(4.0);
        plots::plots(ui, session, gpu, commands);
        return; // every sensor would be a dash
    }
    compare::plan_against_measured(ui, session, gpu, commands);
    calibrations::calibrations(ui, session, commands);
    ui.add_space(10.0);
    plots::plots(ui, session, gpu, commands);
    ui.add_space(10.0);
    facts::facts(ui, session, gpu);
    facts::mig_instances(ui, session, gpu);
    ui.add_space(6.0);
    processes::processes(ui, session, gpu, commands);
}

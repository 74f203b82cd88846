//! Overheads that were measured here: each can be removed, and the one in force is marked.

use egui::{Label, RichText, Ui};

use super::super::heading;
use crate::{
    monitor::{Calibration, CalibrationKind},
    ui::{command::Command, live::LiveCommand, session::Session, theme::tokens},
};

/// The list; nothing where there is none.
pub fn calibrations(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let list = &session.live.settings.calibrations;
    if list.is_empty() {
        return;
    }
    let texts = &session.texts;
    ui.add_space(6.0);
    heading(ui, &texts.get("live-calibrations-title"));
    let in_force = session.calibration();
    for (index, calibration) in list.iter().enumerate() {
        ui.horizontal_wrapped(|ui| {
            ui.add(Label::new(description(session, calibration)).wrap());
            if in_force.is_some_and(|it| std::ptr::eq(it, calibration)) {
                let text = RichText::new(texts.get("live-calibration-in-force"));
                ui.label(text.color(tokens(ui).success));
            }
            if ui.button(texts.get("live-calibration-remove")).clicked() {
                commands.push(Command::Live(LiveCommand::RemoveCalibration(index)));
            }
        });
    }
}

fn description(session: &Session, calibration: &Calibration) -> String {
    let texts = &session.texts;
    let kind = match calibration.kind {
        CalibrationKind::Idle => texts.get("live-calibration-idle"),
        CalibrationKind::Peak => texts.get("live-calibration-peak"),
    };
    let overhead = calibration.overhead.to_string();
    let args = [
        ("gpu", calibration.gpu_name.as_str()),
        ("driver", calibration.driver_version.as_str()),
        ("overhead", overhead.as_str()),
        ("kind", kind.as_ref()),
    ];
    texts.with("live-calibration", &args)
}

//! What went wrong with the source, what to do about it, and what the panel can show meanwhile.

use egui::{Button, Frame, Label, Margin, RichText, Stroke, Ui, vec2};

use crate::{
    monitor::Fault,
    ui::{
        command::Command,
        live::{LiveCommand, settings::SourceKind},
        session::Session,
        theme::{CARD_RADIUS, bold, tokens},
    },
};

/// Widest line of text, points: longer ones are hard to read.
const TEXT_WIDTH: f32 = 680.0;

/// Width of the buttons that stand before a text, points.
const BUTTON_WIDTH: f32 = 176.0;

/// The fault in words, its remedy, and what else can be opened.
pub fn fault_view(ui: &mut Ui, session: &Session, fault: &Fault, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    card(ui, tokens(ui).warning, |ui| {
        let what = bold(ui, texts.message(&fault.what));
        ui.add(Label::new(what).wrap());
        ui.add_space(4.0);
        ui.add(Label::new(texts.message(&fault.remedy)).wrap());
        ui.add_space(2.0);
        let goes_on = RichText::new(texts.get("live-fault-goes-on")).color(tokens(ui).weak_text);
        ui.add(Label::new(goes_on).wrap());
        ui.add_space(8.0);
        if ui.button(texts.get("live-retry")).clicked() {
            commands.push(Command::Live(LiveCommand::Retry));
        }
    });
    ui.add_space(10.0);
    without_gpu(ui, session, commands);
}

/// What can be looked at without a GPU in this machine.
pub fn without_gpu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let now = session.live.settings.source;
    let choices = [
        (SourceKind::Example, "live-example-text", "live-open-example"),
        (SourceKind::Recording, "live-recording-text", "live-open-recording"),
        (SourceKind::Prometheus, "live-prometheus-text", "live-use-prometheus"),
        (SourceKind::ThisMachine, "live-machine-text", "live-use-machine"),
    ];
    let title = match now {
        SourceKind::ThisMachine => "live-without-title",
        _ => "live-other-sources",
    };
    card(ui, tokens(ui).line, |ui| {
        ui.label(bold(ui, texts.get(title)));
        ui.add_space(4.0);
        for (source, text, button) in choices {
            if source == now && source != SourceKind::Recording {
                continue;
            }
            let command = match source {
                SourceKind::Recording => LiveCommand::PickRecording,
                _ => LiveCommand::Source(source),
            };
            ui.horizontal(|ui| {
                let button = Button::new(texts.get(button)).min_size(vec2(BUTTON_WIDTH, 0.0));
                if ui.add(button).clicked() {
                    commands.push(Command::Live(command));
                }
                ui.add(Label::new(texts.get(text)).wrap());
            });
            ui.add_space(2.0);
        }
    });
}

fn card(ui: &mut Ui, line: egui::Color32, add: impl FnOnce(&mut Ui)) {
    Frame::new()
        .fill(tokens(ui).card_fill)
        .stroke(Stroke::new(1.0, line))
        .corner_radius(CARD_RADIUS)
        .inner_margin(Margin::symmetric(14, 10))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.scope(|ui| {
                ui.set_max_width(TEXT_WIDTH.min(ui.available_width()));
                add(ui);
            });
        });
}

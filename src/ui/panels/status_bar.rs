//! The bottom row: what an estimate cost, what is known, which unit is meant, and the messages.

use egui::{Align, Button, Layout, RichText, Ui};

use crate::{
    catalogue::Catalogue,
    ui::{
        command::{Action, Command},
        messages::Messages,
        session::Session,
        theme,
    },
    units::Secs,
};

/// Width kept for the time of an estimate, points: the rest does not move when it changes.
const ESTIMATE_WIDTH: f32 = 122.0;

/// The whole bottom row.
pub fn status_bar_ui(
    ui: &mut Ui,
    session: &Session,
    messages: &Messages,
    commands: &mut Vec<Command>,
) {
    ui.horizontal_centered(|ui| {
        // Narrow windows keep the messages; the facts on the left are cut.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            log_button(ui, session, messages, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| facts(ui, session));
        });
    });
}

fn facts(ui: &mut Ui, session: &Session) {
    let texts = &session.texts;
    let time = Secs(session.estimate_secs).to_string();
    let estimate = texts.with("status-estimate", &[("time", time.as_str())]);
    let height = ui.available_height();
    ui.allocate_ui_with_layout(
        egui::vec2(ESTIMATE_WIDTH, height),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_width(ESTIMATE_WIDTH);
            weak_label(ui, &estimate).on_hover_text(texts.get("status-estimate-hint"));
        },
    );
    let gpus = session.catalogue.gpus.len().to_string();
    let models = session.catalogue.models.len().to_string();
    let counts = [("date", Catalogue::DATE), ("gpus", &gpus), ("models", &models)];
    let catalogue = texts.with("status-catalogue", &counts);
    weak_label(ui, &catalogue).on_hover_text(texts.get("status-catalogue-hint"));
    ui.add_space(12.0);
    weak_label(ui, &texts.get("status-gib"));
}

fn weak_label(ui: &mut Ui, text: &str) -> egui::Response {
    let color = theme::tokens(ui).weak_text;
    ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate().selectable(false))
}

fn log_button(ui: &mut Ui, session: &Session, messages: &Messages, commands: &mut Vec<Command>) {
    let tokens = theme::tokens(ui);
    let texts = &session.texts;
    let (text, color) = match messages.unread() {
        0 => (texts.get("status-messages").into_owned(), tokens.weak_text),
        1 => (texts.get("status-unread-one").into_owned(), tokens.error),
        count => (texts.with("status-unread", &[("count", &count.to_string())]), tokens.error),
    };
    let button = Button::new(RichText::new(text).small().color(color)).frame_when_inactive(false);
    if ui.add(button).clicked() {
        commands.push(Command::Run(Action::ShowLog));
    }
}

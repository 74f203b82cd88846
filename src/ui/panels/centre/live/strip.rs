//! The top of the panel: source, state, pause, recording, and the settings of the sampling.

use egui::{ComboBox, DragValue, Id, Key, Label, RichText, TextEdit, Ui};

use super::cells::reading_label;
use crate::{
    monitor::{RecordingFormat, Snapshot, Status},
    plan::Choice as _,
    ui::{
        command::Command,
        live::{
            LiveCommand,
            settings::{ALERT_RANGE_PERCENT, INTERVAL_RANGE_SECS, SourceKind},
            words::Shown,
        },
        panels::menu_bar::{file_name, note_beside},
        session::Session,
        theme::tokens,
    },
    units::grouped,
};

/// Width of the list of sources, points.
const SOURCE_WIDTH: f32 = 178.0;
/// Width of the server's address, points.
const URL_WIDTH: f32 = 220.0;

/// Source and state in one line, what concerns the sampling in the next.
pub fn strip(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        source(ui, session, commands);
        match session.live.settings.source {
            SourceKind::Prometheus => server(ui, session, commands),
            SourceKind::Recording => recording_file(ui, session, commands),
            SourceKind::ThisMachine | SourceKind::Example => {}
        }
        status(ui, session);
        let monitor = &session.live.monitor;
        if monitor.is_started() && !matches!(monitor.status(), Status::Failed(_)) {
            pause(ui, session, commands);
            record(ui, session, commands);
        }
    });
    let monitor = &session.live.monitor;
    if monitor.latest().is_some() || !matches!(monitor.status(), Status::Failed(_)) {
        ui.horizontal_wrapped(|ui| sampling(ui, session, commands));
    }
}

fn source(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let now = session.live.settings.source;
    let combo = ComboBox::from_id_salt("live-source")
        .width(SOURCE_WIDTH)
        .selected_text(texts.get(now.key()).into_owned())
        .truncate()
        .show_ui(ui, |ui| {
            for &source in SourceKind::ALL {
                let row = ui.selectable_label(source == now, texts.get(source.key()));
                let row = match texts.hint(source.key()) {
                    Some(hint) => row.on_hover_text(hint),
                    None => row,
                };
                if row.clicked() {
                    commands.push(Command::Live(LiveCommand::Source(source)));
                }
            }
        });
    combo.response.accessible_name(texts.get("live-source"));
}

/// The server's address; Enter or the button connects.
fn server(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let id = Id::unique("live-server-address");
    let known = &session.live.settings.prometheus_url;
    let typed: Option<String> = ui.data(|data| data.get_temp(id));
    let mut url = typed.unwrap_or_else(|| known.clone());
    let field = TextEdit::singleline(&mut url).desired_width(URL_WIDTH).hint_text("http://…:9090");
    let field = ui.add(field).accessible_name(texts.get("live-server"));
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(id, url.clone()));
    }
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.button(texts.get("live-connect")).clicked() || entered {
        ui.data_mut(|data| data.remove_temp::<String>(id));
        commands.push(Command::Live(LiveCommand::Connect(url.trim().to_owned())));
    }
}

fn recording_file(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    if let Some(path) = &session.live.settings.recording {
        let name = Label::new(file_name(path)).truncate();
        ui.add(name).on_hover_text(path.display().to_string());
    }
    if ui.button(texts.get("live-open-recording")).clicked() {
        commands.push(Command::Live(LiveCommand::PickRecording));
    }
}

/// A dot and the state in words.
fn status(ui: &mut Ui, session: &Session) {
    let (texts, tokens) = (&session.texts, tokens(ui));
    let (text, color) = match session.live.monitor.status() {
        Status::Stopped => (texts.get("live-status-stopped").into_owned(), tokens.weak_text),
        Status::Starting => (texts.get("live-status-starting").into_owned(), tokens.weak_text),
        Status::Running => (texts.get("live-status-running").into_owned(), tokens.success),
        Status::Paused => (texts.get("live-status-paused").into_owned(), tokens.warning),
        Status::Waiting { secs } => {
            let secs = grouped(*secs, 0);
            (texts.with("live-status-waiting", &[("secs", &secs)]), tokens.warning)
        }
        Status::Failed(_) => (texts.get("live-status-failed").into_owned(), tokens.error),
    };
    ui.spacing_mut().item_spacing.x = 5.0;
    ui.add(Label::new(RichText::new("●").color(color)).selectable(false));
    ui.spacing_mut().item_spacing.x = 8.0;
    ui.label(text);
}

fn pause(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let paused = session.live.monitor.status() == &Status::Paused;
    let key = if paused { "live-resume" } else { "live-pause" };
    if ui.button(session.texts.get(key)).clicked() {
        commands.push(Command::Live(LiveCommand::Pause(!paused)));
    }
}

/// Starts a recording in one of the formats, or ends it.
fn record(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    if let Some(state) = session.live.monitor.recording() {
        let stop = RichText::new(texts.get("live-record-stop")).color(tokens(ui).error);
        if ui.button(stop).clicked() {
            commands.push(Command::Live(LiveCommand::StopRecording));
        }
        let count = grouped(state.samples() as f64, 0);
        let text = texts.with("live-record-count", &[("count", &count)]);
        let label = ui.label(RichText::new(text).small().color(tokens(ui).weak_text));
        label.on_hover_text(state.path().display().to_string());
        return;
    }
    ui.menu_button(texts.get("live-record"), |ui| {
        for (format, key) in [
            (RecordingFormat::Replay, "live-format-replay"),
            (RecordingFormat::Csv, "live-format-csv"),
        ] {
            let item = ui.button(texts.get(key));
            note_beside(&item, texts.hint(key).unwrap_or_default());
            if item.clicked() {
                commands.push(Command::Live(LiveCommand::Record(format)));
                ui.close();
            }
        }
    });
}

fn sampling(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    let settings = &session.live.settings;
    if session.live.monitor.playback().is_none() {
        interval(ui, session, commands);
    }
    let mut alert = settings.alert_percent;
    number(ui, session, "live-alert", &mut alert, |value| {
        value.range(ALERT_RANGE_PERCENT).speed(0.5).max_decimals(0).suffix(" %")
    });
    if (alert - settings.alert_percent).abs() > 1e-9 {
        commands.push(Command::Live(LiveCommand::Alert(alert)));
    }
    let reset = ui.button(texts.get("live-reset-peaks"));
    if let Some(hint) = texts.hint("live-reset-peaks") {
        reset.clone().on_hover_text(hint);
    }
    if reset.clicked() {
        commands.push(Command::Live(LiveCommand::ResetPeaks));
    }
    if let Some(snapshot) = session.live.monitor.latest() {
        versions(ui, session, snapshot);
    }
}

/// Time between two samples; a recording has its own.
fn interval(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let now = session.live.settings.interval_secs;
    let mut interval = now;
    number(ui, session, "live-interval", &mut interval, |value| {
        value.range(INTERVAL_RANGE_SECS).speed(0.05).max_decimals(1).suffix(" s")
    });
    if (interval - now).abs() > 1e-9 {
        commands.push(Command::Live(LiveCommand::Interval(interval)));
    }
}

/// A number with its name before it.
fn number(
    ui: &mut Ui,
    session: &Session,
    key: &'static str,
    value: &mut f64,
    limit: impl for<'a> FnOnce(DragValue<'a>) -> DragValue<'a>,
) {
    let texts = &session.texts;
    let weak = tokens(ui).weak_text;
    let label = ui.label(RichText::new(texts.get(key)).color(weak));
    let drag = limit(DragValue::new(value).update_while_editing(false));
    ui.add(drag).labelled_by(label.id);
    if let Some(hint) = texts.hint(key) {
        label.on_hover_text(hint);
    }
}

fn versions(ui: &mut Ui, session: &Session, snapshot: &Snapshot) {
    let texts = &session.texts;
    let host = &snapshot.host;
    for (key, reading) in [("live-driver", &host.driver_version), ("live-cuda", &host.cuda_version)]
    {
        let name = texts.get(key);
        ui.label(RichText::new(name.as_ref()).color(tokens(ui).weak_text));
        reading_label(ui, &name, &Shown::text(texts, reading));
    }
}

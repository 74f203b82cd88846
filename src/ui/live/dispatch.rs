//! Wishes of the live panel that concern more than the panel: files, the plan, messages.

use std::path::PathBuf;

use egui::Context;

use super::{LiveCommand, settings::SourceKind};
use crate::{
    message::Message,
    monitor::RecordingFormat,
    plan::Field,
    ui::{
        app::PlannerApp,
        command::{Command, Tab},
        files::FileRequest,
        messages::Level,
        panels::menu_bar::file_name,
    },
    units::Bytes,
};

impl PlannerApp {
    /// Carries out a wish that the panel alone cannot.
    pub(in crate::ui) fn run_live(&mut self, ctx: &Context, command: &LiveCommand) {
        match command {
            LiveCommand::Source(SourceKind::Recording) | LiveCommand::PickRecording => {
                let filter_name = self.session.texts.get("dialog-filter-recording").into_owned();
                self.files.request(FileRequest::PickRecording { filter_name });
            }
            LiveCommand::Record(format) => {
                self.session.live.record_format = *format;
                let suggested_name = format!("gpus.{}", format.ending());
                self.files.request(FileRequest::PickRecordingTarget { suggested_name });
            }
            LiveCommand::StopRecording => self.stop_recording(ctx),
            LiveCommand::JudgeAgainstFree(wanted) => self.judge_against_free(ctx, *wanted),
            _ => {}
        }
    }

    /// Starts and stops reading with the tab, and takes what was read.
    pub(in crate::ui) fn live_background(&mut self, ctx: &Context) {
        let shown = self.session.tab == Tab::Live;
        self.session.live.keep_running(shown);
        let error = self.session.live.monitor.recording().and_then(|state| state.error()).cloned();
        if let Some(error) = error {
            self.session.live.monitor.stop_recording();
            self.say(ctx, Level::Error, error);
        }
        if shown && let Some(after) = self.session.live.monitor.poll_again_after() {
            ctx.request_repaint_after(after);
        }
    }

    /// Records to a file that the person has chosen.
    pub(in crate::ui) fn record_to(&mut self, ctx: &Context, path: PathBuf) {
        let format = self.session.live.record_format;
        let path = with_ending(path, format);
        let file = file_name(&path);
        match self.session.live.monitor.start_recording(path, format) {
            Ok(()) => {
                let message = Message::new("live-recording-to").with("file", file);
                self.say(ctx, Level::Info, message);
            }
            Err(error) => self.say(ctx, Level::Error, error),
        }
    }

    fn stop_recording(&mut self, ctx: &Context) {
        let Some(state) = self.session.live.monitor.recording() else { return };
        let message = Message::new("live-recorded")
            .with("file", file_name(state.path()))
            .with("count", state.samples());
        self.session.live.monitor.stop_recording();
        self.say(ctx, Level::Info, message);
    }

    /// The plan counts what is not free on the selected GPU now, or nothing.
    fn judge_against_free(&mut self, ctx: &Context, wanted: bool) {
        let in_use = self.session.live.selected_gpu().and_then(|gpu| {
            let (total, free) = (gpu.memory.total.value()?, gpu.memory.free.value()?);
            Some(total.saturating_sub(*free))
        });
        let mut plan = self.session.plan.clone();
        match (wanted, in_use) {
            (true, Some(bytes)) => plan.hardware.count_as_in_use(bytes),
            (true, None) => return,
            (false, _) => plan.hardware.count_as_in_use(Bytes::ZERO),
        }
        self.run_command(ctx, Command::Edit { plan: Box::new(plan), field: Field::MemoryInUse });
    }
}

/// The path with the ending of its format if the person typed none.
fn with_ending(path: PathBuf, format: RecordingFormat) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(format.ending()) }
}

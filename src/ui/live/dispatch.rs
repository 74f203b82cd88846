//! Wishes of the live panel that concern more than the panel: files, the plan, messages.

use std::path::PathBuf;

use egui::Context;

use super::{LiveCommand, settings::SourceKind};
use crate::{
    message::Message,
    monitor::{
        Calibration, CalibrationKind, RecordingFormat, count_alike, memory_in_use_mib,
        use_as_hardware,
    },
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
            LiveCommand::UseAsHardware => self.use_as_hardware(ctx),
            LiveCommand::Calibrate(kind) => self.calibrate(ctx, *kind),
            LiveCommand::RemoveCalibration(index) => self.remove_calibration(ctx, *index),
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

    /// The plan gets the selected GPU, and as many as there are alike on its host.
    fn use_as_hardware(&mut self, ctx: &Context) {
        let live = &self.session.live;
        let (Some(gpu), Some(snapshot)) = (live.selected_gpu(), live.monitor.latest()) else {
            return;
        };
        let found = match use_as_hardware(gpu, &self.session.catalogue) {
            Ok(found) => found,
            Err(why) => return self.say(ctx, Level::Error, why),
        };
        let mut plan = self.session.plan.clone();
        plan.hardware.gpu = found.choice;
        let alike = count_alike(snapshot, gpu);
        plan.hardware.gpus_per_node = plan.hardware.gpus_per_node.max(alike);
        self.run_command(ctx, Command::Edit { plan: Box::new(plan), field: Field::Gpu });
        for note in found.notes {
            self.say(ctx, Level::Info, note);
        }
    }

    /// The plan counts what is not free on the selected GPU now, or nothing. Chosen processes are
    /// the run itself, which the plan replaces.
    fn judge_against_free(&mut self, ctx: &Context, wanted: bool) {
        let live = &self.session.live;
        let own: Vec<u32> = live.processes.iter().copied().collect();
        let in_use = live.selected_gpu().and_then(|gpu| memory_in_use_mib(gpu, &own));
        let mut plan = self.session.plan.clone();
        plan.hardware.memory_in_use_mib = match (wanted, in_use) {
            (true, Some(mib)) => mib,
            (true, None) => return,
            (false, _) => 0,
        };
        let counted = u64::from(plan.hardware.memory_in_use_mib);
        self.run_command(ctx, Command::Edit { plan: Box::new(plan), field: Field::MemoryInUse });
        let message = if wanted {
            Message::new("live-judged-free").with("counted", Bytes::from_mib(counted))
        } else {
            Message::new("live-judged-all")
        };
        self.say(ctx, Level::Info, message);
    }

    /// What was measured takes the place of the catalogue's overhead from now on.
    fn calibrate(&mut self, ctx: &Context, kind: CalibrationKind) {
        let live = &self.session.live;
        let (Some(gpu), Some(snapshot)) = (live.selected_gpu(), live.monitor.latest()) else {
            return;
        };
        let (host, now) = (&snapshot.host, snapshot.unix_secs);
        let measured = match kind {
            CalibrationKind::Idle => {
                let pid = live.only_process().unwrap_or_default();
                Calibration::of_idle(gpu, host, pid, now)
            }
            CalibrationKind::Peak => {
                let peak = live.monitor.peak(&gpu.key).map(|peak| peak.used);
                match (peak, self.session.planned_stage()) {
                    (Some(peak), Some(stage)) => Calibration::of_peak(gpu, host, peak, &stage, now),
                    _ => return,
                }
            }
        };
        match measured {
            Ok(calibration) => {
                let message = Message::new("live-calibrated")
                    .with("gpu", calibration.gpu_name.clone())
                    .with("overhead", calibration.overhead);
                let list = &mut self.session.live.settings.calibrations;
                list.retain(|old| old.gpu_name != calibration.gpu_name);
                list.push(calibration);
                self.session.recompute();
                self.schedule_autosave(ctx);
                self.say(ctx, Level::Info, message);
            }
            Err(why) => self.say(ctx, Level::Error, why),
        }
    }

    fn remove_calibration(&mut self, ctx: &Context, index: usize) {
        let list = &mut self.session.live.settings.calibrations;
        if index < list.len() {
            list.remove(index);
            self.session.recompute();
            self.schedule_autosave(ctx);
        }
    }
}

/// The path with the ending of its format if the person typed none.
fn with_ending(path: PathBuf, format: RecordingFormat) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(format.ending()) }
}

//! The live panel's state: the monitor, what the person chose, and what is kept.

mod command;
mod dispatch;
mod example;
pub mod fleet;
pub mod settings;
pub mod words;

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use tempfile::NamedTempFile;

pub use self::{command::LiveCommand, settings::LiveSettings};
use self::{fleet::FleetView, settings::SourceKind};
use crate::monitor::{
    DeviceKey, GpuSample, Monitor, RecordingFormat, Snapshot, Source, compare::Scope,
};

/// From so many GPUs on, a table takes the place of the rows.
const FLEET_FROM: usize = 17;
/// How long a server may take for an answer.
const SERVER_TIMEOUT: Duration = Duration::from_secs(5);

/// What the attached GPUs do, and what the person wants to see of it.
#[derive(Default)]
pub struct Live {
    /// Reads the source; never blocks.
    pub monitor: Monitor,
    /// What is kept from one run to the next.
    pub settings: LiveSettings,
    /// The GPU that the person chose.
    selected: Option<DeviceKey>,
    /// Processes that the comparison counts; none: all of the selected GPU.
    pub processes: BTreeSet<u32>,
    /// Every GPU like the selected one is compared as a rank of the run.
    pub all_ranks: bool,
    /// Order and filter of many GPUs.
    pub fleet: FleetView,
    /// The driver's library; the system's if none.
    pub(super) library: Option<PathBuf>,
    /// Format of the recording whose file is being chosen.
    record_format: RecordingFormat,
    /// The example while it is played.
    example: Option<NamedTempFile>,
    /// The source is being read, or was tried.
    on: bool,
    /// The recording is to start anew at its end, once it plays.
    is_to_loop: bool,
}

impl Live {
    /// A panel that reads nothing yet; `wake` asks for a new frame, from another thread.
    #[must_use]
    pub fn new(settings: LiveSettings, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let mut live = Self { monitor: Monitor::new(wake), settings, ..Self::default() };
        live.monitor.set_interval_secs(live.settings.interval_secs);
        live.set_alert();
        live
    }

    /// Starts reading where it is wanted, stops where it is not, and takes what was read.
    pub fn keep_running(&mut self, shown: bool) {
        let wanted = shown || self.monitor.is_recording();
        if wanted && !self.on {
            self.open();
        } else if !wanted && self.on {
            self.monitor.stop();
            self.on = false;
        }
        let before = self.monitor.latest().map(|snapshot| snapshot.unix_secs);
        self.monitor.poll();
        let after = self.monitor.latest().map(|snapshot| snapshot.unix_secs);
        if before != after {
            self.arrange();
        }
        if self.is_to_loop && self.monitor.playback().is_some() {
            self.is_to_loop = false;
            self.monitor.set_looping(true);
        }
    }

    /// Reads the chosen source from now on.
    fn open(&mut self) {
        self.on = true;
        match self.source() {
            Some(source) => self.monitor.start(source),
            None => self.monitor.stop(),
        }
        self.is_to_loop = self.settings.source == SourceKind::Example;
    }

    /// The chosen source; none where no file is chosen, or the example cannot be written.
    fn source(&mut self) -> Option<Source> {
        match self.settings.source {
            SourceKind::ThisMachine => Some(Source::Nvml { library: self.library.clone() }),
            SourceKind::Recording => self.settings.recording.clone().map(Source::Replay),
            SourceKind::Prometheus => Some(Source::Prometheus {
                url: self.settings.prometheus_url.clone(),
                timeout: SERVER_TIMEOUT,
            }),
            SourceKind::Example => {
                if self.example.is_none() {
                    self.example = example::written();
                }
                self.example.as_ref().map(|file| Source::Replay(file.path().to_owned()))
            }
        }
    }

    /// Another source than before: nothing of the old one stays chosen.
    fn switch_to(&mut self, source: SourceKind) {
        self.settings.source = source;
        self.selected = None;
        self.processes.clear();
        if self.on {
            self.open();
        }
    }

    /// Carries out a wish that concerns the panel alone; false if it does not.
    pub fn apply(&mut self, command: &LiveCommand) -> bool {
        match command {
            LiveCommand::Source(SourceKind::Recording) if self.settings.recording.is_none() => {
                return false; // a file must be chosen first
            }
            LiveCommand::Source(source) => self.switch_to(*source),
            LiveCommand::OpenRecording(path) => {
                self.settings.recording = Some(path.clone());
                self.switch_to(SourceKind::Recording);
            }
            LiveCommand::Connect(url) => {
                self.settings.prometheus_url.clone_from(url);
                self.switch_to(SourceKind::Prometheus);
            }
            LiveCommand::Retry => self.monitor.retry(),
            LiveCommand::Pause(paused) => self.monitor.pause(*paused),
            LiveCommand::Interval(secs) => {
                self.settings.interval_secs = *secs;
                self.monitor.set_interval_secs(*secs);
            }
            LiveCommand::Alert(percent) => {
                self.settings.alert_percent = *percent;
                self.set_alert();
                self.arrange();
            }
            LiveCommand::ResetPeaks => self.monitor.reset_peaks(),
            LiveCommand::Seek(secs) => self.monitor.seek(*secs),
            LiveCommand::Speed(speed) => self.monitor.set_playback_speed(*speed),
            LiveCommand::Loop(loops) => self.monitor.set_looping(*loops),
            LiveCommand::Window(window) => self.settings.window = *window,
            LiveCommand::SelectGpu(key) => {
                self.selected = Some(key.clone());
                self.processes.clear();
            }
            LiveCommand::ToggleProcess(pid) => {
                if !self.processes.remove(pid) {
                    self.processes.insert(*pid);
                }
            }
            LiveCommand::AllProcesses => self.processes.clear(),
            LiveCommand::AllRanks(every) => self.all_ranks = *every,
            LiveCommand::SortFleet(column) => {
                self.fleet.sort_by(*column);
                self.arrange();
            }
            LiveCommand::FilterFleet(words) => {
                self.fleet.filter.clone_from(words);
                self.arrange();
            }
            LiveCommand::PickRecording
            | LiveCommand::Record(_)
            | LiveCommand::StopRecording
            | LiveCommand::UseAsHardware
            | LiveCommand::JudgeAgainstFree(_)
            | LiveCommand::Calibrate(_)
            | LiveCommand::RemoveCalibration(_) => return false,
        }
        true
    }

    /// 100 % can never be exceeded, so it means that nobody is warned.
    fn set_alert(&mut self) {
        let percent = self.settings.alert_percent;
        self.monitor.set_alert_above_percent((percent < 100.0).then_some(percent));
    }

    fn arrange(&mut self) {
        if let Some(snapshot) = self.monitor.latest() {
            self.fleet.arrange(snapshot, self.settings.alert_percent);
        }
        if self.selected.is_none() {
            // It stays, wherever the order moves it.
            self.selected = self.selected_gpu().map(|gpu| gpu.key.clone());
        }
    }

    /// A table takes the place of the rows.
    #[must_use]
    pub fn is_fleet(&self, snapshot: &Snapshot) -> bool {
        self.settings.source == SourceKind::Prometheus || snapshot.gpus.len() >= FLEET_FROM
    }

    /// The GPU that is shown in full: the chosen one, or the first.
    #[must_use]
    pub fn selected_gpu(&self) -> Option<&GpuSample> {
        let snapshot = self.monitor.latest()?;
        let chosen = self.selected.as_ref();
        let by_key = snapshot.gpus.iter().find(|gpu| Some(&gpu.key) == chosen);
        let first = || match self.fleet.order.first().filter(|_| self.is_fleet(snapshot)) {
            Some(index) => snapshot.gpus.get(*index),
            None => snapshot.gpus.first(),
        };
        by_key.or_else(first)
    }

    /// Which memory of the selected GPU is compared with the plan.
    #[must_use]
    pub fn scope(&self) -> Scope {
        if self.processes.is_empty() {
            Scope::WholeGpu
        } else {
            Scope::Processes(self.processes.iter().copied().collect())
        }
    }

    /// The process that was chosen alone, or the only one of the selected GPU.
    #[must_use]
    pub fn only_process(&self) -> Option<u32> {
        if !self.processes.is_empty() {
            return self.processes.first().copied().filter(|_| self.processes.len() == 1);
        }
        match self.selected_gpu()?.processes.value()?.as_slice() {
            [only] => Some(only.pid),
            _ => None,
        }
    }

    /// The comparison counts this process alone or among others that were chosen.
    #[must_use]
    pub fn is_chosen(&self, pid: u32) -> bool {
        self.processes.contains(&pid)
    }

    /// Takes a sample as if the source had said it, for tests and benchmarks.
    pub fn ingest(&mut self, snapshot: Snapshot) {
        self.on = true;
        self.monitor.ingest(snapshot);
        self.arrange();
    }
}

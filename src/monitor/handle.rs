//! The monitor as the window holds it: starts and stops the worker, collects what it read.

mod recorded;

use std::{sync::Arc, time::Duration};

use super::{
    Alert, DeviceKey, Fault, History, Peak, Playback, RecordingState, Sampler, Snapshot, Source,
    Status, inbox, notes,
    replay::Control,
    source::{Engine, Open},
    worker::{Command, Wake, Worker},
};
use crate::message::Message;

/// A call that takes longer than this is said to be waited for.
const WAITING_AFTER: Duration = Duration::from_secs(2);

/// The worker's handle. No method blocks, whatever the source does.
///
/// Dropping it stops the worker.
pub struct Monitor {
    wake: Wake,
    source: Source,
    worker: Option<Worker>,
    interval: Duration,
    paused: bool,
    status: Status,
    outcome: Option<Result<(), Fault>>,
    latest: Option<Snapshot>,
    history: History,
    peaks: notes::Peaks,
    alert_above_percent: Option<f64>,
    alerts: Vec<Alert>,
    recording: Option<RecordingState>,
    playback: Option<Playback>,
}

impl Default for Monitor {
    fn default() -> Self {
        Self::new(|| ())
    }
}

impl Monitor {
    /// Shortest interval between two samples, seconds.
    pub const LEAST_INTERVAL_SECS: f64 = 0.2;
    /// Longest interval between two samples, seconds.
    pub const MOST_INTERVAL_SECS: f64 = 10.0;
    /// Interval between two samples unless another is set, seconds.
    pub const DEFAULT_INTERVAL_SECS: f64 = 0.5;

    /// A monitor that is stopped. `wake` is called from another thread when [`poll`](Self::poll)
    /// has something to fetch.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            wake: Arc::new(wake),
            source: Source::default(),
            worker: None,
            interval: Duration::from_secs_f64(Self::DEFAULT_INTERVAL_SECS),
            paused: false,
            status: Status::Stopped,
            outcome: None,
            latest: None,
            history: History::default(),
            peaks: notes::Peaks::new(),
            alert_above_percent: None,
            alerts: Vec::new(),
            recording: None,
            playback: None,
        }
    }

    /// Starts to read a source. History and marks are kept if it is the one that was read before.
    pub fn start(&mut self, source: Source) {
        let open = source.opener();
        self.begin(source, open);
    }

    /// Starts to read through a sampler of one's own. `source` is what [`source`](Self::source) says,
    /// and what a retry with a new worker opens.
    pub fn start_with(
        &mut self,
        source: Source,
        mut open: impl FnMut() -> Result<Box<dyn Sampler>, Fault> + Send + 'static,
    ) {
        self.begin(source, Box::new(move || open().map(Engine::Live)));
    }

    fn begin(&mut self, source: Source, open: Open) {
        self.stop();
        if source != self.source || matches!(source, Source::Replay(_)) {
            self.latest = None;
            self.alerts.clear();
            self.history.clear();
            self.peaks.clear();
        }
        self.source = source;
        self.paused = false;
        let least = self.source.least_interval();
        match Worker::spawn(open, Arc::clone(&self.wake), self.interval, least) {
            Ok(worker) => {
                self.worker = Some(worker);
                self.status = Status::Starting;
            }
            Err(error) => {
                self.status = Status::Failed(Fault {
                    what: Message::new("live-fault-no-thread").with("reason", error.to_string()),
                    remedy: Message::new("live-remedy-no-thread"),
                });
            }
        }
    }

    /// Stops reading and recording; what was read stays. A call that hangs is left to itself.
    pub fn stop(&mut self) {
        self.stop_recording();
        self.worker = None;
        self.outcome = None;
        self.playback = None;
        self.status = Status::Stopped;
    }

    /// Whether there is a worker (running, paused, waiting or failed).
    #[must_use]
    pub const fn is_started(&self) -> bool {
        self.worker.is_some()
    }

    /// Time between two samples that the source really gets, seconds: servers are asked less often.
    #[must_use]
    pub fn effective_interval_secs(&self) -> f64 {
        self.interval.max(self.source.least_interval()).as_secs_f64()
    }

    /// Pauses or goes on.
    pub fn pause(&mut self, paused: bool) {
        if self.worker.is_some() && self.paused != paused {
            self.paused = paused;
            self.ask(Command::Pause(paused));
            self.refresh_status();
        }
    }

    /// Whether it is paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Sets the time from the start of one sample to the start of the next, seconds; held between
    /// [`LEAST_INTERVAL_SECS`](Self::LEAST_INTERVAL_SECS) and
    /// [`MOST_INTERVAL_SECS`](Self::MOST_INTERVAL_SECS).
    pub fn set_interval_secs(&mut self, secs: f64) {
        let secs = if secs.is_nan() { Self::DEFAULT_INTERVAL_SECS } else { secs };
        let secs = secs.clamp(Self::LEAST_INTERVAL_SECS, Self::MOST_INTERVAL_SECS);
        let interval = Duration::from_secs_f64(secs);
        if interval != self.interval {
            self.interval = interval;
            self.ask(Command::Interval(interval));
        }
    }

    /// Time from the start of one sample to the start of the next, seconds.
    #[must_use]
    pub fn interval_secs(&self) -> f64 {
        self.interval.as_secs_f64()
    }

    /// Tries a source again that failed, or that hangs (then with a new thread).
    pub fn retry(&mut self) {
        let hangs = matches!(self.status, Status::Waiting { .. });
        let ended = self.worker.as_ref().is_none_or(Worker::has_ended);
        if hangs || ended {
            // A recording goes on with the new worker.
            let recording = self.recording.take().filter(|state| state.error().is_none());
            let source = self.source.clone();
            self.start(source);
            if let Some(mut state) = recording {
                self.record_with(Some(state.handed_on()));
                self.recording = Some(state);
            }
        } else {
            self.outcome = None;
            self.ask(Command::Retry);
            self.refresh_status();
        }
    }

    /// Fetches what the worker has read. Call it once a frame.
    pub fn poll(&mut self) {
        if let Some(worker) = &self.worker {
            let mut inbox = inbox::open(&worker.inbox);
            if let Some(outcome) = inbox.outcome.take() {
                self.outcome = Some(outcome);
            }
            let past = inbox.past.take();
            let frames = inbox.take_frames();
            let latest = inbox.latest.take();
            let playback = inbox.playback;
            if let Some(state) = &mut self.recording {
                state.update(&inbox);
            }
            drop(inbox);
            self.playback = playback;
            if let Some(past) = past {
                (self.history, self.peaks) = (past.history, past.peaks);
            }
            for frame in frames {
                self.history.add_frame(&frame);
                notes::raise(&mut self.peaks, &frame);
                if let Some(state) = &mut self.recording {
                    state.raise(&frame);
                }
            }
            if latest.is_some() {
                self.latest = latest;
                self.refresh_alerts();
            }
        }
        self.refresh_status();
    }

    /// When to poll again even if nothing woke the window, so that a call that hangs is noticed;
    /// none where nothing can change.
    #[must_use]
    pub fn poll_again_after(&self) -> Option<Duration> {
        let may_hang = !matches!(self.status, Status::Stopped | Status::Paused);
        (may_hang && self.worker.is_some()).then_some(Duration::from_secs(1))
    }

    /// Takes a snapshot as if the source had said it: for demonstrations without a worker.
    pub fn ingest(&mut self, snapshot: Snapshot) {
        self.history.add(&snapshot);
        let frame = super::history::Frame::of(&snapshot, &mut super::history::Names::default());
        notes::raise(&mut self.peaks, &frame);
        self.latest = Some(snapshot);
        self.refresh_alerts();
    }

    fn ask(&self, command: Command) {
        if let Some(worker) = &self.worker {
            worker.ask(command);
        }
    }

    fn refresh_status(&mut self) {
        let Some(worker) = &self.worker else { return };
        let busy = inbox::open(&worker.inbox).busy_since.map(|since| since.elapsed());
        self.status = if worker.has_ended() {
            Status::Failed(Fault {
                what: Message::new("live-fault-worker-ended"),
                remedy: Message::new("live-remedy-worker-ended"),
            })
        } else if self.paused {
            Status::Paused
        } else if let Some(busy) = busy.filter(|busy| *busy >= WAITING_AFTER) {
            Status::Waiting { secs: busy.as_secs_f64() }
        } else {
            match &self.outcome {
                None => Status::Starting,
                Some(Ok(())) => Status::Running,
                Some(Err(fault)) => Status::Failed(fault.clone()),
            }
        };
    }

    fn refresh_alerts(&mut self) {
        self.alerts = match (&self.latest, self.alert_above_percent) {
            (Some(snapshot), Some(above)) => notes::alerts(snapshot, above),
            _ => Vec::new(),
        };
    }

    /// How the worker is.
    #[must_use]
    pub const fn status(&self) -> &Status {
        &self.status
    }

    /// The last sample.
    #[must_use]
    pub const fn latest(&self) -> Option<&Snapshot> {
        self.latest.as_ref()
    }

    /// What was read before.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The source that is or was read.
    #[must_use]
    pub const fn source(&self) -> &Source {
        &self.source
    }

    /// Warns of GPUs whose memory is used beyond so many percent; none: never.
    pub fn set_alert_above_percent(&mut self, percent: Option<f64>) {
        self.alert_above_percent = percent;
        self.refresh_alerts();
    }

    /// From how many percent of use on a GPU is warned of.
    #[must_use]
    pub const fn alert_above_percent(&self) -> Option<f64> {
        self.alert_above_percent
    }

    /// GPUs beyond the line in the last sample, fullest first.
    #[must_use]
    pub fn alerts(&self) -> &[Alert] {
        &self.alerts
    }

    /// Highest use of a GPU since the marks were reset.
    #[must_use]
    pub fn peak(&self, key: &DeviceKey) -> Option<Peak> {
        self.peaks.get(key).copied()
    }

    /// Forgets the highest use of every GPU.
    pub fn reset_peaks(&mut self) {
        self.peaks.clear();
    }

    /// Where a played recording is; none for other sources.
    #[must_use]
    pub const fn playback(&self) -> Option<&Playback> {
        self.playback.as_ref()
    }

    /// Plays on from another moment, seconds from the beginning of the recording.
    pub fn seek(&mut self, position_secs: f64) {
        self.ask(Command::Playback(Control::Seek(position_secs)));
    }

    /// Plays at another speed; 1 is as recorded.
    pub fn set_playback_speed(&mut self, speed: f64) {
        self.ask(Command::Playback(Control::Speed(speed)));
    }

    /// Begins again at the end of the recording, or stays there.
    pub fn set_looping(&mut self, looping: bool) {
        self.ask(Command::Playback(Control::Looping(looping)));
    }
}

//! What the worker leaves for the window: bounded, and locked only to put in or take out.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use super::{
    Fault, Playback, Snapshot,
    history::{FULL_SAMPLES_OF_ALL, Frame, History},
    notes::{self, Peaks},
    recording::Recorder,
};
use crate::message::Message;

/// How the worker is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Not running: the tab is closed and nothing records.
    #[default]
    Stopped,
    /// The first sample is not there yet.
    Starting,
    /// Samples come in.
    Running,
    /// Paused by the person.
    Paused,
    /// A call to the source has not come back for some time; the window goes on.
    Waiting {
        /// For how long already, seconds.
        secs: f64,
    },
    /// The source cannot be read; a retry is offered.
    Failed(Fault),
}

/// Everything that was before a moment of a recording, made ready by the worker.
#[derive(Default)]
pub(super) struct Past {
    pub history: History,
    pub peaks: Peaks,
}

impl Past {
    /// Of these figures.
    pub fn of(frames: &[Frame]) -> Self {
        let mut past = Self::default();
        for frame in frames {
            past.history.add_frame(frame);
            notes::raise(&mut past.peaks, frame);
        }
        past
    }
}

/// What becomes of a recording.
#[derive(Default)]
pub(super) enum NextRecording {
    /// What it was, or nothing.
    #[default]
    Unchanged,
    /// Another one begins.
    Begins(Box<Recorder>),
    /// It ends.
    Ends,
}

/// What the worker has said since it was last asked.
#[derive(Default)]
pub(super) struct Inbox {
    /// When the call began that has not come back.
    pub busy_since: Option<Instant>,
    /// What came of the last reading.
    pub outcome: Option<Result<(), Fault>>,
    /// The last sample.
    pub latest: Option<Snapshot>,
    /// The whole past before `frames`, where a recording goes on from another moment.
    pub past: Option<Box<Past>>,
    /// Figures for the history.
    pub frames: VecDeque<Frame>,
    rows: usize,
    /// What becomes of the recording with the next sample, the one that is being read included.
    pub recording: NextRecording,
    /// Samples written to the recording.
    pub recorded: u64,
    /// Why the recording ended.
    pub record_error: Option<Message>,
    /// Where a played recording is.
    pub playback: Option<Playback>,
}

impl Inbox {
    /// Adds figures; the oldest go where nobody has asked for an hour.
    pub fn push(&mut self, frame: Frame) {
        self.rows += frame.rows.len();
        self.frames.push_back(frame);
        while self.rows > FULL_SAMPLES_OF_ALL {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.rows -= oldest.rows.len();
        }
    }

    /// Has another recording written from now on, or none.
    pub fn record_with(&mut self, recorder: Option<Box<Recorder>>) {
        self.recording = recorder.map_or(NextRecording::Ends, NextRecording::Begins);
        self.recorded = 0;
        self.record_error = None;
    }

    /// Takes the figures out.
    pub fn take_frames(&mut self) -> VecDeque<Frame> {
        self.rows = 0;
        std::mem::take(&mut self.frames)
    }

    /// Replaces everything before by the past of another moment of a recording.
    pub fn start_anew(&mut self, past: Box<Past>) {
        self.take_frames();
        self.past = Some(past);
    }
}

/// An inbox that worker and window share.
pub(super) type SharedInbox = Arc<Mutex<Inbox>>;

/// The inbox, even if a thread panicked while it had it: every state of it is valid.
pub(super) fn open(inbox: &Mutex<Inbox>) -> MutexGuard<'_, Inbox> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner)
}

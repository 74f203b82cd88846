//! What the worker leaves for the window: bounded, and locked only to put in or take out.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use super::{
    Fault, Playback, Snapshot,
    history::{FULL_SAMPLES_OF_ALL, Frame},
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

/// What the worker has said since it was last asked.
#[derive(Default)]
pub(super) struct Inbox {
    /// When the call began that has not come back.
    pub busy_since: Option<Instant>,
    /// What came of the last reading.
    pub outcome: Option<Result<(), Fault>>,
    /// The last sample.
    pub latest: Option<Snapshot>,
    /// The history before `frames` is of another moment of the recording.
    pub starts_anew: bool,
    /// Figures for the history.
    pub frames: VecDeque<Frame>,
    rows: usize,
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

    /// Takes the figures out.
    pub fn take_frames(&mut self) -> VecDeque<Frame> {
        self.rows = 0;
        std::mem::take(&mut self.frames)
    }

    /// Replaces the figures by those of another moment of a recording.
    pub fn start_anew(&mut self) {
        self.take_frames();
        self.starts_anew = true;
    }
}

/// An inbox that worker and window share.
pub(super) type SharedInbox = Arc<Mutex<Inbox>>;

/// The inbox, even if a thread panicked while it had it: every state of it is valid.
pub(super) fn open(inbox: &Mutex<Inbox>) -> MutexGuard<'_, Inbox> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Recording, from the window's side.

use std::path::PathBuf;

use super::Monitor;
use crate::{
    message::Message,
    monitor::{RecordingFormat, RecordingState, inbox, recording::Recorder},
};

impl Monitor {
    /// Writes every sample that comes from now on to a file, which is replaced if it exists. The worker writes;
    /// a disk that fails ends the recording and shows in [`RecordingState::error`].
    ///
    /// # Errors
    ///
    /// A sentence if nothing is being read.
    pub fn start_recording(
        &mut self,
        path: PathBuf,
        format: RecordingFormat,
    ) -> Result<(), Message> {
        if self.worker.is_none() {
            return Err(Message::new("live-record-not-started"));
        }
        self.record_with(Some(Recorder::new(path.clone(), format)));
        self.recording = Some(RecordingState::new(path, format));
        Ok(())
    }

    /// Ends the recording and forgets its state.
    pub fn stop_recording(&mut self) {
        if self.recording.take().is_some() {
            self.record_with(None);
        }
    }

    pub(super) fn record_with(&self, recorder: Option<Recorder>) {
        if let Some(worker) = &self.worker {
            inbox::open(&worker.inbox).record_with(recorder.map(Box::new));
        }
    }

    /// The recording, if one runs or ended by an error.
    #[must_use]
    pub const fn recording(&self) -> Option<&RecordingState> {
        self.recording.as_ref()
    }

    /// A recording runs, so that the worker must go on though the tab is closed.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.recording.as_ref().is_some_and(|state| state.error().is_none())
    }
}

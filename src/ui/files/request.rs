//! What the window asks of the files' threads, and what comes back.

use std::path::PathBuf;

use crate::message::Message;

/// What the window asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum FileRequest {
    /// A dialog, then the chosen file is read.
    PickAndOpen {
        /// Name of the filter in the dialog.
        filter_name: String,
    },
    /// A file is read.
    Open(PathBuf),
    /// A file is written.
    Save {
        /// Where.
        path: PathBuf,
        /// What.
        text: String,
    },
    /// A dialog, then the chosen file is written.
    PickAndSave {
        /// Name that the dialog starts with.
        suggested_name: String,
        /// What.
        text: String,
    },
    /// A file whose path was typed is written.
    SaveTyped {
        /// Where; the ending of presets is added if there is none.
        path: PathBuf,
        /// What.
        text: String,
        /// A file that is there already may be replaced.
        replace: bool,
    },
    /// A dialog that asks for a recording to play.
    PickRecording {
        /// Name of the filter in the dialog.
        filter_name: String,
    },
    /// A recording whose path was typed.
    TypedRecording(PathBuf),
    /// A dialog that asks where to record.
    PickRecordingTarget {
        /// Name that the dialog starts with.
        suggested_name: String,
    },
    /// A file to record to, whose path was typed.
    TypedRecordingTarget {
        /// Where.
        path: PathBuf,
        /// A file that is there already may be replaced.
        replace: bool,
    },
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum FileEvent {
    /// A file was read.
    Opened {
        /// Which.
        path: PathBuf,
        /// Its text, not yet checked.
        text: String,
    },
    /// A file was written.
    Saved {
        /// Which.
        path: PathBuf,
    },
    /// Something went wrong; nothing was changed.
    Failed {
        /// What, and what to do.
        message: Message,
    },
    /// The person closed the dialog. Also the answer to a save dialog that was not shown because
    /// another dialog is open.
    Cancelled,
    /// The system showed no dialog: it came back sooner than a person can close one.
    NoDialog {
        /// What was to be done with the chosen file.
        request: FileRequest,
    },
    /// A file of the typed name is there already; nothing was changed.
    Exists {
        /// Which.
        path: PathBuf,
    },
    /// A recording to play was chosen.
    Recording(PathBuf),
    /// A file to record to was chosen.
    RecordingTarget(PathBuf),
    /// The person closed the dialog that asks for a recording.
    NoRecording,
}

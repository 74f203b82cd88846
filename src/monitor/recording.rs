//! Recordings: written sample by sample, so that a crash loses one at most.

mod table;

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    DeviceKey, Peak, Snapshot,
    history::Frame,
    inbox::Inbox,
    notes::{self, Peaks},
};
use crate::message::Message;

/// Name of the replay format, in its first line.
pub(super) const FORMAT: &str = "vramplan-recording";
/// Version of the replay format that this program writes, and the newest that it reads.
pub(super) const VERSION: u32 = 1;

/// First line of a recording in the replay format.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub format: String,
    pub version: u32,
}

/// How a recording is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordingFormat {
    /// A table for spreadsheets: one line a GPU and sample, without processes.
    Csv,
    /// Everything, to be played again: one JSON object a sample.
    #[default]
    Replay,
}

impl RecordingFormat {
    /// Usual ending of such a file, without the dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Replay => "jsonl",
        }
    }
}

/// A recording that runs, or that ended by an error.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingState {
    path: PathBuf,
    format: RecordingFormat,
    samples: u64,
    /// Samples that workers before this one wrote.
    samples_before: u64,
    peaks: Peaks,
    error: Option<Message>,
}

impl RecordingState {
    pub(super) const fn new(path: PathBuf, format: RecordingFormat) -> Self {
        Self { path, format, samples: 0, samples_before: 0, peaks: Peaks::new(), error: None }
    }

    pub(super) fn update(&mut self, inbox: &Inbox) {
        self.samples = self.samples_before + inbox.recorded;
        if self.error.is_none() {
            self.error.clone_from(&inbox.record_error);
        }
    }

    /// The recorder with which another worker goes on.
    pub(super) fn handed_on(&mut self) -> Recorder {
        self.samples_before = self.samples;
        let (path, format) = (self.path.clone(), self.format);
        // Without a sample there is no file yet.
        if self.samples == 0 {
            Recorder::new(path, format)
        } else {
            Recorder::going_on(path, format)
        }
    }

    pub(super) fn raise(&mut self, frame: &Frame) {
        notes::raise(&mut self.peaks, frame);
    }

    /// File that is written.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How it is written.
    #[must_use]
    pub const fn format(&self) -> RecordingFormat {
        self.format
    }

    /// Samples that are written.
    #[must_use]
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Highest use of each GPU since the recording began.
    pub fn peaks(&self) -> impl Iterator<Item = (&DeviceKey, Peak)> {
        self.peaks.iter().map(|(key, peak)| (key, *peak))
    }

    /// Why the recording ended; none while it runs.
    #[must_use]
    pub const fn error(&self) -> Option<&Message> {
        self.error.as_ref()
    }
}

/// Writes samples to a file, which is made at the first one.
pub(super) struct Recorder {
    path: PathBuf,
    format: RecordingFormat,
    /// The file is there already, and goes on.
    goes_on: bool,
    file: Option<BufWriter<File>>,
}

impl Recorder {
    pub const fn new(path: PathBuf, format: RecordingFormat) -> Self {
        Self { path, format, goes_on: false, file: None }
    }

    /// Goes on with a recording that another worker has begun.
    pub const fn going_on(path: PathBuf, format: RecordingFormat) -> Self {
        Self { path, format, goes_on: true, file: None }
    }

    /// Writes one sample.
    ///
    /// # Errors
    ///
    /// A sentence with the file and the system's reason.
    pub fn write(&mut self, snapshot: &Snapshot) -> Result<(), Message> {
        self.try_write(snapshot).map_err(|error| {
            Message::new("live-record-failed")
                .with("path", self.path.display().to_string())
                .with("reason", error.to_string())
        })
    }

    fn try_write(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none if self.goes_on => {
                none.insert(BufWriter::new(File::options().append(true).open(&self.path)?))
            }
            none => {
                let mut file = BufWriter::new(File::create(&self.path)?);
                write_head(&mut file, self.format)?;
                none.insert(file)
            }
        };
        write_sample(file, self.format, snapshot)?;
        file.flush()
    }
}

fn write_head(out: &mut impl Write, format: RecordingFormat) -> io::Result<()> {
    match format {
        RecordingFormat::Csv => table::write_head(out),
        RecordingFormat::Replay => {
            let header = Header { format: FORMAT.to_owned(), version: VERSION };
            serde_json::to_writer(&mut *out, &header)?;
            out.write_all(b"\n")
        }
    }
}

fn write_sample(
    out: &mut impl Write,
    format: RecordingFormat,
    snapshot: &Snapshot,
) -> io::Result<()> {
    match format {
        RecordingFormat::Csv => table::write_rows(out, snapshot),
        RecordingFormat::Replay => {
            serde_json::to_writer(&mut *out, snapshot)?;
            out.write_all(b"\n")
        }
    }
}

/// Writes a whole recording at once: for demonstrations and tests.
///
/// # Errors
///
/// What the writer says.
pub fn write_recording<'a>(
    out: &mut impl Write,
    format: RecordingFormat,
    snapshots: impl IntoIterator<Item = &'a Snapshot>,
) -> io::Result<()> {
    write_head(out, format)?;
    for snapshot in snapshots {
        write_sample(out, format, snapshot)?;
    }
    Ok(())
}

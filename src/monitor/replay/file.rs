//! The file of a recording: read whole once for the curves, and line by line for the rest.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use crate::{
    message::Message,
    monitor::{
        Fault, Snapshot,
        history::{Frame, Names},
        recording::{FORMAT, Header, VERSION},
    },
};

/// Longest line that is read: thousands of GPUs with their processes.
const MOST_LINE_BYTES: u64 = 64 << 20;

/// A recording: its figures in memory, everything else on the disk.
pub(super) struct Recorded {
    path: PathBuf,
    file: BufReader<File>,
    lines: Vec<Line>,
}

struct Line {
    number: usize,
    offset: u64,
    frame: Frame,
}

impl Recorded {
    /// Reads and checks all of it.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let fail = |error: &io::Error| unreadable(path, error);
        let mut file = BufReader::new(File::open(path).map_err(|error| fail(&error))?);
        let mut offset = 0;
        let head = next_line(&mut file).map_err(|error| fail(&error))?;
        check_header(path, &head)?;
        offset += head.len() as u64;
        let (mut lines, mut names) = (Vec::<Line>::new(), Names::default());
        for number in 2.. {
            let text = next_line(&mut file).map_err(|error| fail(&error))?;
            if text.is_empty() {
                break;
            }
            let whole = text.ends_with(b"\n");
            if !text.trim_ascii().is_empty() {
                let snapshot = match serde_json::from_slice::<Snapshot>(&text) {
                    Ok(snapshot) => snapshot,
                    // The last line of a recording that was cut off.
                    Err(_) if !whole && !lines.is_empty() => break,
                    Err(error) => return Err(bad_line(path, number, &error)),
                };
                let mut frame = Frame::of(&snapshot, &mut names);
                // A clock that was set back while it was recorded stands still in the playback.
                let before = lines.last().map_or(frame.unix_secs, |line| line.frame.unix_secs);
                frame.unix_secs = frame.unix_secs.max(before);
                lines.push(Line { number, offset, frame });
            }
            offset += text.len() as u64;
        }
        if lines.is_empty() {
            let message = Message::new("live-replay-empty");
            return Err(fault(message.with("path", path.display().to_string())));
        }
        Ok(Self { path: path.to_owned(), file, lines })
    }

    /// Number of samples; at least one.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    fn start_unix_secs(&self) -> f64 {
        self.lines.first().map_or(0.0, |line| line.frame.unix_secs)
    }

    /// Time from the first to the last sample, seconds.
    pub fn duration_secs(&self) -> f64 {
        self.at_secs(self.lines.len().saturating_sub(1)).unwrap_or(0.0)
    }

    /// Mean time between samples, seconds.
    pub fn usual_secs(&self) -> f64 {
        self.duration_secs() / (self.lines.len().saturating_sub(1).max(1)) as f64
    }

    /// When a sample was taken, seconds from the first one.
    pub fn at_secs(&self, index: usize) -> Option<f64> {
        self.lines.get(index).map(|line| line.frame.unix_secs - self.start_unix_secs())
    }

    /// Number of samples up to a moment.
    pub fn count_until(&self, secs: f64) -> usize {
        let start = self.start_unix_secs();
        self.lines.partition_point(|line| line.frame.unix_secs - start <= secs)
    }

    /// Figures of some samples.
    pub fn frames(&self, from: usize, until: usize) -> Vec<Frame> {
        let lines = self.lines.get(from..until).unwrap_or_default();
        lines.iter().map(|line| line.frame.clone()).collect()
    }

    /// A sample in full.
    pub fn snapshot(&mut self, index: usize) -> Result<Snapshot, Fault> {
        let (offset, number) =
            self.lines.get(index).map_or((0, 1), |line| (line.offset, line.number));
        let text = self
            .file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| next_line(&mut self.file))
            .map_err(|error| unreadable(&self.path, &error))?;
        serde_json::from_slice(&text).map_err(|error| bad_line(&self.path, number, &error))
    }
}

fn next_line(file: &mut BufReader<File>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    file.take(MOST_LINE_BYTES).read_until(b'\n', &mut line)?;
    Ok(line)
}

fn check_header(path: &Path, line: &[u8]) -> Result<(), Fault> {
    let path = path.display().to_string();
    match serde_json::from_slice::<Header>(line) {
        Ok(header) if header.format == FORMAT && header.version == VERSION => Ok(()),
        Ok(header) if header.format == FORMAT => Err(fault(
            Message::new("live-replay-version")
                .with("path", path)
                .with("found", header.version)
                .with("known", VERSION),
        )),
        _ => Err(fault(Message::new("live-replay-other").with("path", path))),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Fault {
    fault(
        Message::new("live-replay-unreadable")
            .with("path", path.display().to_string())
            .with("reason", error.to_string()),
    )
}

fn bad_line(path: &Path, number: usize, error: &serde_json::Error) -> Fault {
    // The parser counts lines from the start of this one, which says nothing.
    let reason = error.to_string();
    let reason = reason.split(" at line ").next().unwrap_or(&reason).to_owned();
    fault(
        Message::new("live-replay-line")
            .with("path", path.display().to_string())
            .with("line", number as u64)
            .with("column", error.column() as u64)
            .with("reason", reason),
    )
}

fn fault(what: Message) -> Fault {
    Fault { what, remedy: Message::new("live-remedy-replay") }
}

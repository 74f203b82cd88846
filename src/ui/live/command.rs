//! Wishes of the live panel.

use std::path::PathBuf;

use super::{
    fleet::FleetColumn,
    settings::{HistoryWindow, SourceKind},
};
use crate::monitor::{CalibrationKind, DeviceKey, RecordingFormat};

/// A wish of the live panel; the application alone carries it out.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveCommand {
    /// Another source.
    Source(SourceKind),
    /// The source is read anew after a fault.
    Retry,
    /// A recorded file is chosen and opened.
    PickRecording,
    /// A recorded file is opened.
    OpenRecording(PathBuf),
    /// A Prometheus server is read.
    Connect(String),
    /// Sampling stops or goes on.
    Pause(bool),
    /// Time between two samples, seconds.
    Interval(f64),
    /// Share of the memory from which the panel warns, percent.
    Alert(f64),
    /// The peaks start anew.
    ResetPeaks,
    /// A file is chosen, and what is read is written to it.
    Record(RecordingFormat),
    /// The recording ends.
    StopRecording,
    /// A recording is shown from another moment, seconds from its start.
    Seek(f64),
    /// Speed of the playback, 1 = as it was.
    Speed(f64),
    /// The playback starts anew at its end.
    Loop(bool),
    /// How much of the past the plots show.
    Window(HistoryWindow),
    /// The GPU that is shown in full.
    SelectGpu(DeviceKey),
    /// A process takes part in the comparison, or no longer.
    ToggleProcess(u32),
    /// All processes take part in the comparison.
    AllProcesses,
    /// Every GPU like the selected one is compared as a rank of the run, or only the selected one.
    AllRanks(bool),
    /// The fleet is sorted by a column; the same column again turns the order round.
    SortFleet(FleetColumn),
    /// Words that a GPU of the fleet must have.
    FilterFleet(String),
    /// The plan gets the selected GPU as its hardware.
    UseAsHardware,
    /// The plan counts what else uses the selected GPU now, or nothing any more.
    JudgeAgainstFree(bool),
    /// What was measured becomes this machine's overhead.
    Calibrate(CalibrationKind),
    /// A stored calibration is forgotten.
    RemoveCalibration(usize),
}

//! What the machine does: attached GPUs, read by a worker thread, beside the plan.
//!
//! A [`Sampler`] reads everything once; [`Monitor`] runs one on its own thread, keeps the history
//! and records it. A sensor that a card lacks is a value ([`Reading::Missing`]), not an error; a
//! source that cannot be read at all is a [`Fault`] with a remedy.

mod blank;
mod calibration;
pub mod compare;
mod handle;
mod hardware;
mod history;
mod inbox;
mod notes;
#[cfg(feature = "nvml")]
mod nvml;
#[cfg(feature = "prometheus")]
mod prometheus;
mod reading;
mod recording;
mod replay;
mod snapshot;
mod source;
#[cfg(feature = "nvml")]
mod system;
mod throttle;
mod worker;

pub use self::{
    calibration::{Calibration, CalibrationKind},
    handle::Monitor,
    hardware::{GpuMatch, alike, count_alike, is_same_card, memory_in_use_mib, use_as_hardware},
    history::{FULL_SAMPLES, FULL_SAMPLES_OF_ALL, FULL_SECS, History, Metric, SeriesPoint},
    inbox::Status,
    notes::{Alert, Peak},
    reading::{Missing, Reading},
    recording::{RecordingFormat, RecordingState, write_recording},
    replay::Playback,
    snapshot::{
        Clocks, DeviceKey, EccErrors, GpuSample, Host, LinkTraffic, MemoryUse, MigInstance,
        ProcessSample, Snapshot, Utilisation,
    },
    source::{Source, check_address, shown_address},
};
use crate::message::Message;

/// Something that can read the GPUs once.
pub trait Sampler: Send {
    /// Everything as it is now.
    ///
    /// # Errors
    ///
    /// A [`Fault`] where nothing can be read; a single sensor that fails is a missing reading.
    fn sample(&mut self) -> Result<Snapshot, Fault>;
}

/// Why a source cannot be read, in words and with what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What happened.
    pub what: Message,
    /// What a person can do.
    pub remedy: Message,
}

//! Everything that was read at one moment.

use serde::{Deserialize, Serialize};

use super::{Reading, throttle};
use crate::units::Bytes;

/// What all GPUs said at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When, seconds since 1970.
    pub unix_secs: f64,
    /// The machine the source runs on.
    pub host: Host,
    /// Every GPU, in the order of the source.
    pub gpus: Vec<GpuSample>,
}

/// The machine and its driver.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Host {
    /// Version of the driver.
    pub driver_version: Reading<String>,
    /// Newest CUDA version that the driver supports, as `12.4`.
    pub cuda_version: Reading<String>,
}

/// What tells one GPU from all others: host (fleets) and UUID.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeviceKey {
    /// Name of the host; empty for this machine.
    pub host: String,
    /// UUID, or the index where the UUID cannot be read.
    pub uuid: String,
}

/// One GPU at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuSample {
    /// Which.
    pub key: DeviceKey,
    /// Index of the driver.
    pub index: u32,
    /// Name as the driver has it.
    pub name: Reading<String>,
    /// PCI bus id.
    pub bus_id: Reading<String>,
    /// Memory.
    pub memory: MemoryUse,
    /// Utilisation.
    pub utilisation: Utilisation,
    /// Temperature, degrees Celsius.
    pub temperature_celsius: Reading<f64>,
    /// Power drawn, watts.
    pub power_watts: Reading<f64>,
    /// Power limit in force, watts.
    pub power_limit_watts: Reading<f64>,
    /// Clocks.
    pub clocks: Clocks,
    /// Width of the memory bus, bits.
    pub bus_width_bits: Reading<u32>,
    /// Traffic over PCI Express.
    pub pcie: LinkTraffic,
    /// Traffic over NVLink, all links together.
    pub nvlink: LinkTraffic,
    /// Memory errors since the driver was loaded.
    pub ecc: EccErrors,
    /// Why the clocks are held back now, as keys of texts (`live-throttle-…`); empty: nothing holds them back.
    #[serde(with = "throttle")]
    pub throttling: Reading<Vec<&'static str>>,
    /// Compute capability, major and minor.
    pub compute_capability: Reading<(u32, u32)>,
    /// Instances of a partitioned card; empty where it is not partitioned.
    pub mig: Vec<MigInstance>,
    /// Processes that use the card.
    pub processes: Reading<Vec<ProcessSample>>,
}

/// Memory of a card or an instance. `total = used + reserved + free` where all are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryUse {
    /// Used by processes.
    pub used: Reading<Bytes>,
    /// Kept by driver and firmware.
    pub reserved: Reading<Bytes>,
    /// Free.
    pub free: Reading<Bytes>,
    /// All of it.
    pub total: Reading<Bytes>,
}

impl MemoryUse {
    /// Share that is used, percent; none where use or total is unknown.
    #[must_use]
    pub fn used_percent(&self) -> Option<f64> {
        let (used, total) = (self.used.value()?, self.total.value()?);
        (total.0 > 0).then(|| 100.0 * used.share_of(*total))
    }
}

/// Share of the last period in which something ran, percent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Utilisation {
    /// Kernels ran.
    pub compute_percent: Reading<f64>,
    /// Memory was read or written.
    pub memory_percent: Reading<f64>,
}

/// Clocks, MHz.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Streaming multiprocessors, now.
    pub sm_mhz: Reading<f64>,
    /// Memory, now.
    pub memory_mhz: Reading<f64>,
    /// Memory, the highest.
    pub memory_max_mhz: Reading<f64>,
}

/// Bytes per second over a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkTraffic {
    /// Out of the GPU.
    pub sent_bytes_per_sec: Reading<f64>,
    /// Into the GPU.
    pub received_bytes_per_sec: Reading<f64>,
}

/// Memory errors that were found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EccErrors {
    /// Corrected.
    pub corrected: Reading<u64>,
    /// Not corrected.
    pub uncorrected: Reading<u64>,
}

/// A part of a partitioned card, with memory of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MigInstance {
    /// UUID or index.
    pub uuid: String,
    /// Profile as the driver names it.
    pub name: Reading<String>,
    /// Memory.
    pub memory: MemoryUse,
    /// Processes in this instance.
    pub processes: Reading<Vec<ProcessSample>>,
}

/// A process that uses a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessSample {
    /// Process id.
    pub pid: u32,
    /// Name, or the first 80 characters of the command line where secrets cannot be in them.
    pub name: Reading<String>,
    /// Owner.
    pub user: Reading<String>,
    /// Memory on this card.
    pub memory: Reading<Bytes>,
    /// It draws pictures (graphics) rather than computes.
    pub graphics: bool,
}

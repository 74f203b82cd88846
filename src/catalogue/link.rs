//! A link between devices, or what was measured over one.

use serde::{Deserialize, Serialize};

use super::Confidence;
use crate::units::BytesPerSec;

/// One figure about a link: a data-sheet rate, or a measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// What kind of link or measurement.
    pub category: LinkCategory,
    /// The link itself, such as `NVLink 4 (H100/H200/GH200)`.
    pub item: String,
    /// What the value counts: one way or both, per port, device or node.
    #[serde(default)]
    pub direction: String,
    /// The figure, in `unit`.
    pub value: f64,
    /// Unit of `value`.
    pub unit: LinkUnit,
    /// Whether it was printed, measured or derived.
    pub kind: LinkKind,
    /// Sizes, topology, counts of lanes.
    #[serde(default)]
    pub detail: String,
    /// Where the figure comes from.
    #[serde(default)]
    pub source: String,
    /// When, where the source says so.
    #[serde(default)]
    pub date: String,
    /// How far it can be trusted.
    #[serde(default)]
    pub confidence: Confidence,
}

/// Kind of link or measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LinkCategory {
    /// `NVLink` of one GPU, by generation.
    Nvlink,
    /// `NVLink` bridge between two cards.
    NvlinkBridge,
    /// Switch inside a node.
    Nvswitch,
    /// Rack of 72 GPUs behind one switch.
    Nvl72,
    /// PCI Express, by generation and lanes.
    Pcie,
    /// Host-to-device rates as measured.
    PcieMeasured,
    /// Which cards can talk to each other directly.
    P2pSupport,
    /// Direct links of other makers.
    ScaleUpOther,
    /// One network port.
    Nic,
    /// All network ports of one node.
    NodeNetwork,
    /// Time of the smallest message over one link.
    Latency,
    /// All-reduce bus bandwidth as nccl-tests measures it.
    AllreduceBusbw,
    /// Rates between two cards as measured.
    P2pMeasured,
    /// Time of the smallest all-reduce.
    AllreduceLatency,
    /// Fractions derived from the all-reduce rows.
    AllreduceRule,
    /// Host memory, by channels.
    CpuDram,
    /// Host memory as measured.
    CpuDramMeasured,
    /// Fraction derived from the host-memory rows.
    CpuDramRule,
    /// One solid-state disk.
    Nvme,
    /// Disks as measured.
    NvmeMeasured,
}

/// Unit of a [`Link`]'s value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkUnit {
    /// 10^9 bytes a second.
    GigabytesPerSec,
    /// 10^12 bytes a second.
    TerabytesPerSec,
    /// 10^-6 seconds.
    Microseconds,
    /// A fraction.
    Ratio,
}

/// How a [`Link`]'s value came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkKind {
    /// Data sheet, or lanes × rate.
    Theory,
    /// Measured.
    Measured,
    /// A yes or no.
    Fact,
    /// Computed from other rows.
    Derived,
    /// Concluded from another measurement.
    Inferred,
    /// What makers print for devices of this class.
    VendorClass,
    /// What the maker prints for this device.
    Vendor,
}

impl Link {
    /// The rate, or none where the figure is a time or a fraction.
    #[must_use]
    pub fn rate(&self) -> Option<BytesPerSec> {
        match self.unit {
            LinkUnit::GigabytesPerSec => Some(BytesPerSec::from_giga(self.value)),
            LinkUnit::TerabytesPerSec => Some(BytesPerSec::from_giga(self.value * 1e3)),
            LinkUnit::Microseconds | LinkUnit::Ratio => None,
        }
    }
}

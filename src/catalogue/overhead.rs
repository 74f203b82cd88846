//! Memory that no tensor accounts for, as people measured it.

use serde::{Deserialize, Serialize};

use crate::units::{Bytes, GIB, MIB};

/// One measured or documented overhead: a CUDA context, a collective's buffers, a workspace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// Key of the row.
    pub id: String,
    /// Quality of the source.
    pub tier: Tier,
    /// What takes the memory.
    pub thing: String,
    /// On which device, as the source says it.
    #[serde(default)]
    pub gpu: String,
    /// With which software.
    #[serde(default)]
    pub software_version: String,
    /// The amount, in `unit`.
    pub value: f64,
    /// Unit as the source prints it.
    pub unit: OverheadUnit,
    /// The same amount in MiB.
    #[serde(default)]
    pub mib: Option<f64>,
    /// Where it comes from.
    #[serde(default)]
    pub source: String,
    /// How it was measured.
    #[serde(default)]
    pub notes: String,
}

/// Quality of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tier {
    /// The project's own table, code or log.
    A,
    /// An issue or a report.
    B,
    /// A copy, or largely assumed.
    C,
    /// Rounded.
    D,
}

/// Unit of an [`Overhead`]'s value, as its source prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OverheadUnit {
    /// 2^30 bytes.
    GiB,
    /// 2^20 bytes.
    MiB,
    /// 10^9 bytes.
    GB,
    /// Bytes.
    B,
}

impl Overhead {
    /// The amount in bytes.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        let unit = match self.unit {
            OverheadUnit::GiB => GIB as f64,
            OverheadUnit::MiB => MIB as f64,
            OverheadUnit::GB => 1e9,
            OverheadUnit::B => 1.0,
        };
        Bytes::from_f64(self.value * unit)
    }
}

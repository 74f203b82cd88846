//! A device: what it holds, how fast it moves and multiplies, and where each figure comes from.

use serde::{Deserialize, Serialize};

use super::Dtype;
use crate::units::{Bytes, BytesPerSec, FlopsPerSec, GIB};

/// One GPU (or other accelerator), from the catalogue or typed by a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// The name the driver reports, the key of the catalogue.
    pub name: String,
    /// Maker.
    #[serde(default)]
    pub vendor: String,
    /// Other names people use, for search and exact matching.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Chip generation, such as `Hopper`.
    #[serde(default)]
    pub architecture: String,
    /// CUDA compute capability, such as `9.0`.
    #[serde(default)]
    pub compute_capability: Option<String>,
    /// Target of the maker's compiler, such as `sm_90` or `gfx942`.
    #[serde(default)]
    pub compiler_target: String,
    /// Year of release.
    #[serde(default)]
    pub year: Option<u32>,
    /// Memory on the label, decimal GB.
    pub memory_gb: f64,
    /// Memory the driver reports, MiB; none where no report is known.
    #[serde(default)]
    pub driver_mib: Option<u32>,
    /// How `driver_mib` is known: `observed`, or inferred from sibling boards.
    #[serde(default)]
    pub driver_mib_basis: String,
    /// What other drivers or settings report.
    #[serde(default)]
    pub driver_mib_alternatives: String,
    /// Sizes on sale where there are several, decimal GB; `memory_gb` is one of them.
    #[serde(default)]
    pub memory_options_gb: Vec<f64>,
    /// Share of the label (in GiB) that a process can use, where the sources state it for this very device.
    #[serde(default)]
    pub usable_share: Option<f64>,
    /// Error correction is on as delivered; none where unknown or absent.
    #[serde(default)]
    pub ecc_on: Option<bool>,
    /// Kind of memory, such as `HBM3`.
    #[serde(default)]
    pub memory_type: String,
    /// CPU and GPU share this memory (Apple silicon, Grace, Jetson, APUs).
    #[serde(default)]
    pub unified_memory: bool,
    /// Width of the memory bus.
    #[serde(default)]
    pub bus_width_bits: Option<u32>,
    /// Effective data rate of one pin, Gbit/s (already doubled where the memory is double data rate).
    #[serde(default)]
    pub data_rate_gbps: Option<f64>,
    /// Memory bandwidth, GB/s.
    pub bandwidth_gbps: f64,
    /// Dense rates by number format.
    #[serde(default)]
    pub tflops: Tflops,
    /// Who quotes the matrix rates, or that they follow from a formula.
    #[serde(default)]
    pub tensor_basis: String,
    /// Whether the maker's headline figures are sparse, and were halved.
    #[serde(default)]
    pub sparse_handling: String,
    /// Second-level cache, MB.
    #[serde(default)]
    pub l2_mb: Option<f64>,
    /// Last-level cache behind it, MB.
    #[serde(default)]
    pub llc_mb: Option<f64>,
    /// Multiprocessors, compute units or cores.
    #[serde(default)]
    pub units: Option<f64>,
    /// Boost clock, MHz.
    #[serde(default)]
    pub boost_mhz: Option<f64>,
    /// Direct link between GPUs of one node.
    #[serde(default)]
    pub nvlink: Option<NvLink>,
    /// Direct link to the host's processor (`NVLink-C2C`), this device's share, both directions, GB/s.
    #[serde(default)]
    pub c2c_bidirectional_gbps: Option<f64>,
    /// PCI Express generation.
    #[serde(default)]
    pub pcie_gen: Option<u32>,
    /// PCI Express lanes.
    #[serde(default)]
    pub pcie_lanes: Option<u32>,
    /// Board power limit, watts.
    #[serde(default)]
    pub tdp_watts: Option<f64>,
    /// Shape of the board, such as `SXM5`.
    #[serde(default)]
    pub form_factor: String,
    /// List price at launch, US dollars.
    #[serde(default)]
    pub price_usd: Option<f64>,
    /// How the price is known.
    #[serde(default)]
    pub price_basis: String,
    /// Where the figures come from.
    #[serde(default)]
    pub sources: Vec<String>,
    /// How far they can be trusted.
    #[serde(default)]
    pub confidence: Confidence,
    /// Figures on which two sources agree.
    #[serde(default)]
    pub agreeing: Vec<String>,
    /// Figures on which the sources differ.
    #[serde(default)]
    pub differing: Vec<String>,
    /// Traps and conflicts between sources.
    #[serde(default)]
    pub notes: String,
}

/// Dense rates in TFLOPS (TOPS for integers); none where the card lacks the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tflops {
    /// Plain 32-bit.
    pub fp32: Option<f64>,
    /// Tensor cores on 32-bit inputs rounded to TF32.
    pub tf32: Option<f64>,
    /// 16-bit IEEE with 32-bit accumulation.
    pub fp16: Option<f64>,
    /// 16-bit IEEE with 16-bit accumulation, where that is faster.
    pub fp16_acc16: Option<f64>,
    /// bfloat16.
    pub bf16: Option<f64>,
    /// 8-bit float.
    pub fp8: Option<f64>,
    /// 8-bit float with 16-bit accumulation, where that is faster.
    pub fp8_acc16: Option<f64>,
    /// 8-bit integer.
    pub int8: Option<f64>,
    /// 4-bit float.
    pub fp4: Option<f64>,
}

/// A direct link between GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NvLink {
    /// Generation, or the maker's name for it.
    pub generation: String,
    /// Both directions together, GB/s, as makers print it.
    pub bidirectional_gbps: f64,
}

/// How far a figure can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confidence {
    /// Two independent sources agree.
    High,
    /// One source, or small differences.
    Medium,
    /// A single weak source, or typed by a person.
    #[default]
    Low,
}

/// How a device's memory is built, which decides how fast it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Stacked beside the chip: thousands of wires (HBM).
    Stacked,
    /// Chips on the board: hundreds of wires, each faster (GDDR).
    Graphics,
    /// What laptops and small machines have (LPDDR), or unknown.
    Other,
}

/// How the usable capacity of a card is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityBasis {
    /// MiB as the driver reports it.
    Driver,
    /// Converted from the label, see [`Gpu::usable_share_of_label`].
    Label,
}

/// Usable GiB per gigabyte on the label, where no driver report is known.
///
/// Labels count binary gigabytes. Of the catalogue's cards with a driver report, all but those with
/// inline error correction and the Blackwell Ultra boards (whose label counts memory that is not
/// exposed) report at least 0.9896 of the label in GiB (lowest: GH200 144 GB; typical consumer
/// cards 0.995 to 1.0). `tests/catalogue.rs` repeats the count.
pub const USABLE_SHARE_OF_LABEL: f64 = 0.989;

/// Usable GiB per gigabyte on the label of GDDR6 cards with error correction on, which keeps one
/// sixteenth of the memory for the check bits.
///
/// Lowest of the catalogue's nine such cards with a driver report: 23,028 MiB of 24 GiB (A10).
pub const USABLE_SHARE_INLINE_ECC: f64 = 0.937;

/// Share of its memory that macOS lets the GPU wire by default, up to [`APPLE_SMALL_GB`].
///
/// Source: the catalogue's notes on Apple devices (`iogpu.wired_limit_mb` raises it).
pub const APPLE_SHARE_SMALL: f64 = 2.0 / 3.0;

/// Share of its memory that macOS lets the GPU wire by default, above [`APPLE_SMALL_GB`].
///
/// Source: as [`APPLE_SHARE_SMALL`].
pub const APPLE_SHARE_LARGE: f64 = 3.0 / 4.0;

/// Largest memory, GB, that counts as small for [`APPLE_SHARE_SMALL`].
pub const APPLE_SMALL_GB: f64 = 36.0;

/// Share of a unified memory that is left to the GPU where nothing is known of the device: the rest
/// is the operating system's.
///
/// Source: GB10, the catalogue's one such device with a figure, shows 119.6 of 128 GiB (0.934).
pub const USABLE_SHARE_UNIFIED: f64 = 0.934;

impl Gpu {
    /// Memory a process can use on an idle card, and how that is known.
    ///
    /// ```text
    /// usable = driver MiB,  or  label GB × 2^30 × share
    /// ```
    #[must_use]
    pub fn usable_memory(&self) -> (Bytes, CapacityBasis) {
        match self.driver_mib {
            Some(mib) => (Bytes::from_mib(u64::from(mib)), CapacityBasis::Driver),
            None => (
                Bytes::from_f64(self.memory_gb * GIB as f64 * self.usable_share_of_label()),
                CapacityBasis::Label,
            ),
        }
    }

    /// Usable GiB per gigabyte on the label, for devices without a driver report.
    #[must_use]
    pub fn usable_share_of_label(&self) -> f64 {
        if let Some(share) = self.usable_share {
            share
        } else if self.unified_memory && self.vendor == "Apple" {
            if self.memory_gb <= APPLE_SMALL_GB { APPLE_SHARE_SMALL } else { APPLE_SHARE_LARGE }
        } else if self.unified_memory {
            USABLE_SHARE_UNIFIED
        } else if self.memory_type == "GDDR6" && self.ecc_on == Some(true) {
            USABLE_SHARE_INLINE_ECC
        } else {
            USABLE_SHARE_OF_LABEL
        }
    }

    /// How the memory is built.
    #[must_use]
    pub fn memory_kind(&self) -> MemoryKind {
        if self.memory_type.starts_with("HBM") {
            MemoryKind::Stacked
        } else if self.memory_type.starts_with("GDDR") {
            MemoryKind::Graphics
        } else {
            MemoryKind::Other
        }
    }

    /// Memory bandwidth.
    #[must_use]
    pub fn bandwidth(&self) -> BytesPerSec {
        BytesPerSec::from_giga(self.bandwidth_gbps)
    }

    /// Bandwidth from the effective data rate and the bus width.
    ///
    /// ```text
    /// bandwidth [GB/s] = rate [Gbit/s per pin] × width [bit] / 8
    /// ```
    #[must_use]
    pub fn bandwidth_from_bus(&self) -> Option<BytesPerSec> {
        let (rate, width) = (self.data_rate_gbps?, self.bus_width_bits?);
        Some(BytesPerSec::from_giga(rate * f64::from(width) / 8.0))
    }

    /// Dense matrix rate in a number format, or none if the card lacks it.
    #[must_use]
    pub fn peak(&self, dtype: Dtype) -> Option<FlopsPerSec> {
        let rates = &self.tflops;
        match dtype {
            Dtype::Fp32 => rates.fp32,
            Dtype::Bf16 => rates.bf16,
            Dtype::Fp16 => rates.fp16,
            Dtype::Fp8 => rates.fp8,
            Dtype::Fp4 => rates.fp4,
            Dtype::Int8 => rates.int8,
        }
        .map(FlopsPerSec::from_tera)
    }
}

//! Every fraction and constant that was measured or fitted, in one place.
//!
//! What a data sheet calls peak is never reached. The tables below hold what was measured with
//! micro-benchmarks, by family of chips; the constants turn that into what whole programs reach.
//! Nothing outside this file multiplies a peak by a number of its own.

use super::answer::AchievedFraction;
use crate::catalogue::{Dtype, Gpu};

/// Chips that reach similar fractions of their peaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Volta and Turing.
    Volta,
    /// Ampere with HBM (A100, A800, A30).
    AmpereServer,
    /// Ampere with GDDR.
    AmpereGddr,
    /// Ada.
    Ada,
    /// Hopper.
    Hopper,
    /// Blackwell with HBM.
    Blackwell,
    /// Blackwell with GDDR.
    BlackwellRtx,
    /// AMD's data-centre chips.
    Cdna,
    /// AMD's graphics chips.
    Rdna,
    /// Apple silicon.
    Apple,
    /// Everything else.
    Other,
}

/// Fractions of the peaks that micro-benchmarks reach on one family.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// Best matrix product in 16 or 32 bits.
    pub matmul_16: f64,
    /// Best matrix product in 8 or 4 bits.
    pub matmul_8: f64,
    /// Fused attention of the open kernels, of the 16-bit peak.
    pub attention: f64,
    /// Fused attention of the maker's own kernels, of the 16-bit peak.
    pub attention_vendor: f64,
    /// Streaming triad, of the memory bandwidth.
    pub bandwidth: f64,
    /// Share of the streaming bandwidth that programs reach.
    pub sustained_bandwidth: f64,
}

/// Share of the best micro-benchmark that products and attention reach in a long run.
///
/// Average matrix product of training runs over the best shape found: H200 652 of 794.5 TFLOPS
/// (0.82), B200 1420 of 1745 (0.81).
pub(super) const SUSTAINED_SHARE: f64 = 0.82;

/// Share of the streaming bandwidth that a program's kernels reach with stacked memory (HBM).
///
/// Fitted on 16-bit decode of one sequence: A100 0.68 to 0.71 of the data sheet, streaming 0.86.
pub(super) const SUSTAINED_BANDWIDTH_STACKED: f64 = 0.82;

/// The same with GDDR, which fewer requests in flight are enough for.
///
/// Fitted on 16-bit decode of one sequence: RTX 4090, RTX A6000 and RTX 6000 Ada 0.82 to 0.88 of the
/// data sheet, streaming 0.91.
pub(super) const SUSTAINED_BANDWIDTH_OTHER: f64 = 0.94;

/// Plain 32-bit operations that unpacking a 4- or 8-bit weight takes in a decode kernel.
///
/// Fitted on decode of one sequence with an A100: 1.7·10¹² 4-bit weights a second at 19.5 TFLOPS.
pub(super) const UNPACK_OPERATIONS: f64 = 11.0;

/// Seconds that the tile of a matrix product takes beyond its multiplications: fill and drain.
///
/// Fitted on training runs of an H100 with widths of 2048 to 8192.
pub(super) const TILE_SECS: f64 = 2.2e-6;

/// Seconds that a kernel takes beyond its work: ramp up, ramp down.
///
/// Source: aiconfigurator uses 3 µs for each operation.
pub(super) const KERNEL_RAMP_SECS: f64 = 3e-6;

/// Seconds the host needs to launch one forward pass of a block from Hugging Face's model code.
///
/// Fitted on decode with transformers: 0.95 ms a block beside an A100, 0.6 ms beside an H20.
pub(super) const HOST_BLOCK_SECS_HUGGING_FACE: f64 = 0.85e-3;

/// The same for leaner training loops.
///
/// Fitted on runs of small models with Megatron-DeepSpeed.
pub(super) const HOST_BLOCK_SECS_LEAN: f64 = 0.35e-3;

/// How much longer the host needs with adapters on the linears.
///
/// Fitted on low-rank adapter runs with 256 and 512 tokens (24 blocks, eight micro-batches a second).
pub(super) const HOST_ADAPTER_FACTOR: f64 = 2.0;

/// Share of the host's time left once the model is compiled; with captured graphs nothing is left.
///
/// Assumed: compilation about halves the number of kernels.
pub(super) const HOST_COMPILED_SHARE: f64 = 0.5;

/// Largest share of a collective that runs behind compute.
///
/// Assumed: the first gather and the last reduction of a step have nothing to hide behind.
pub(super) const OVERLAP_SHARE: f64 = 0.9;

/// Bus bandwidth of a ring over a switch, of one direction of the link.
///
/// Source: 0.78 to 0.82 on A100, H100, H200 and B200 (nccl-tests).
pub(super) const RING_SHARE_SWITCH: f64 = 0.80;

/// Bus bandwidth over PCI Express with direct access, of one direction of the slot.
///
/// Source: 0.39 to 0.74 observed over two to eight GPUs (nccl-tests).
pub(super) const RING_SHARE_PCIE: f64 = 0.62;

/// The same where cards cannot talk to each other directly and go through host memory.
///
/// Source: RTX 4090 pair 12 of 31.5 GB/s, eight RTX 5090 28 of 63 GB/s.
pub(super) const RING_SHARE_PCIE_VIA_HOST: f64 = 0.40;

/// Bus bandwidth over the network, of the adapters' rate.
///
/// Source: 0.74 on four nodes of B200; others quote 0.8 to 0.9.
pub(super) const RING_SHARE_NETWORK: f64 = 0.80;

/// Copies between host and device over PCI Express, of one direction of the slot.
///
/// Source: 0.78 to 0.88 on PCI Express 3.0, 4.0 and 5.0.
pub(super) const HOST_COPY_SHARE: f64 = 0.83;

/// Seconds of the smallest collective inside a node.
///
/// Source: smallest all-reduce, 5.9 µs on two and 15.6 µs on eight H100: 4.5 µs and 1.5 µs a step.
pub(super) const COLLECTIVE_BASE_SECS: f64 = 4.5e-6;

/// Seconds of one more step of a ring inside a node; source as for [`COLLECTIVE_BASE_SECS`].
pub(super) const NODE_STEP_SECS: f64 = 1.5e-6;

/// Seconds of one more step of a ring across the network.
///
/// Source: all-reduces of 256 MB over 32 to 512 H100 (14 to 29 µs a step).
pub(super) const NETWORK_STEP_SECS: f64 = 18e-6;

/// Bytes per second of one node's memory as an optimizer on the CPU uses it.
///
/// Eight channels of DDR4-3200 (204.8 GB/s) at the 0.77 that STREAM reaches.
pub(super) const HOST_MEMORY_BYTES_PER_SEC: f64 = 157e9;

impl Family {
    /// Family of a card.
    pub(super) fn of(gpu: &Gpu) -> Self {
        let stacked = gpu.memory_type.starts_with("HBM");
        match gpu.architecture.as_str() {
            "Volta" | "Turing" => Self::Volta,
            "Ampere" if stacked => Self::AmpereServer,
            "Ampere" | "Ampere (GA10B)" => Self::AmpereGddr,
            "Ada" => Self::Ada,
            "Hopper" => Self::Hopper,
            "Blackwell" | "Blackwell Ultra" => Self::Blackwell,
            "Blackwell (RTX)" => Self::BlackwellRtx,
            other if other.starts_with("CDNA") => Self::Cdna,
            other if other.starts_with("RDNA") => Self::Rdna,
            _ if gpu.vendor == "Apple" => Self::Apple,
            _ => Self::Other,
        }
    }

    /// Chips with stacked memory (HBM).
    const fn is_stacked(self) -> bool {
        matches!(self, Self::AmpereServer | Self::Hopper | Self::Blackwell | Self::Cdna)
    }

    /// What micro-benchmarks reach.
    ///
    /// Source: mamf-finder and cuBLASLt sweeps (best shape), `BabelStream` and gpu-benches (triad),
    /// FlashAttention-2 on A100, H100, GB200 and MI300X; fractions above one (cards that boost above
    /// their nominal clock) count as 0.95. Attention of the maker's kernels (cuDNN) is a reading of
    /// published charts; families without a row carry a cautious value.
    pub(super) fn measured(self) -> Measured {
        let row = |matmul_16, matmul_8, attention, attention_vendor, bandwidth| Measured {
            matmul_16,
            matmul_8,
            attention,
            attention_vendor,
            bandwidth,
            sustained_bandwidth: if self.is_stacked() {
                SUSTAINED_BANDWIDTH_STACKED
            } else {
                SUSTAINED_BANDWIDTH_OTHER
            },
        };
        match self {
            Self::Volta => row(0.76, 0.76, 0.35, 0.35, 0.87),
            Self::AmpereServer => row(0.86, 0.86, 0.575, 0.575, 0.86),
            Self::AmpereGddr => row(0.90, 0.90, 0.55, 0.55, 0.92),
            Self::Ada => row(0.82, 0.75, 0.55, 0.55, 0.91),
            Self::Hopper => row(0.81, 0.71, 0.33, 0.55, 0.88),
            Self::Blackwell => row(0.77, 0.75, 0.25, 0.50, 0.86),
            Self::BlackwellRtx => row(0.95, 0.90, 0.50, 0.50, 0.83),
            Self::Cdna => row(0.56, 0.44, 0.25, 0.30, 0.77),
            Self::Rdna => row(0.85, 0.85, 0.25, 0.25, 0.82),
            Self::Apple => row(0.80, 0.80, 0.30, 0.30, 0.78),
            Self::Other => row(0.75, 0.75, 0.30, 0.30, 0.80),
        }
    }
}

impl Measured {
    /// Matrix products of a number format.
    pub(super) const fn matmul(&self, dtype: Dtype) -> f64 {
        match dtype.bits() {
            16.. => self.matmul_16,
            _ => self.matmul_8,
        }
    }
}

/// Text key of the micro-benchmarks' source.
const MICRO_BENCHMARKS: &str = "source-micro-benchmarks";
/// Text key of the source of the links' fractions.
const LINK_BENCHMARKS: &str = "source-link-benchmarks";

/// Fraction of matrix products, for showing.
pub(super) const fn shown_matmul(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-matmul", value, source: MICRO_BENCHMARKS }
}

/// Fraction of attention, for showing.
pub(super) const fn shown_attention(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-attention", value, source: MICRO_BENCHMARKS }
}

/// Fraction of the memory bandwidth, for showing.
pub(super) const fn shown_bandwidth(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-bandwidth", value, source: MICRO_BENCHMARKS }
}

/// Fraction of a link inside a node, for showing.
pub(super) const fn shown_node_link(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-node-link", value, source: LINK_BENCHMARKS }
}

/// Fraction of the network, for showing.
pub(super) const fn shown_network(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-network", value, source: LINK_BENCHMARKS }
}

/// Largest hidden share of a collective, for showing.
pub(super) const fn shown_overlap() -> AchievedFraction {
    AchievedFraction { label: "fraction-overlap", value: OVERLAP_SHARE, source: "source-assumed" }
}

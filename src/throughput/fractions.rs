//! Every fraction and constant that was measured or fitted, in one place.
//!
//! What a data sheet calls peak is never reached. The tables below hold what was measured with
//! micro-benchmarks, by family of chips; the constants turn that into what whole programs reach.
//! Nothing outside this file multiplies a peak by a number of its own.

use super::answer::AchievedFraction;
use crate::catalogue::{Dtype, Gpu};

macro_rules! knob {
    ($name:ident, $value:expr) => {
        #[allow(non_snake_case)]
        pub(super) fn $name() -> f64 {
            static VALUE: std::sync::OnceLock<f64> = std::sync::OnceLock::new();
            *VALUE.get_or_init(|| {
                std::env::var(concat!("K_", stringify!($name)))
                    .ok()
                    .and_then(|v| v.parse().ok())
                    .unwrap_or($value)
            })
        }
    };
}

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
    /// Ampere and Ada whose products with 32-bit sums run at half rate, far from the power limit.
    HalfRate,
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
knob!(SUSTAINED_SHARE, 0.82);

/// Share of the streaming bandwidth that a program's kernels reach with stacked memory (HBM).
///
/// Fitted on 16-bit decode of one sequence: A100 0.68 to 0.71 of the data sheet, streaming 0.86.
knob!(SUSTAINED_BANDWIDTH_STACKED, 0.82);

/// The same with GDDR, which fewer requests in flight are enough for.
///
/// Fitted on 16-bit decode of one sequence: RTX 4090, RTX A6000 and RTX 6000 Ada 0.82 to 0.88 of the
/// data sheet, streaming 0.91.
knob!(SUSTAINED_BANDWIDTH_OTHER, 0.94);

/// Plain 32-bit operations that unpacking a 4- or 8-bit weight takes in a decode kernel.
///
/// Fitted on decode of one sequence with an A100: 1.7·10¹² 4-bit weights a second at 19.5 TFLOPS.
knob!(UNPACK_OPERATIONS, 11.0);

/// Seconds that a kernel takes beyond its work: ramp up, ramp down.
///
/// Source: aiconfigurator uses 3 µs for each operation.
knob!(KERNEL_RAMP_SECS, 3e-6);

/// Seconds the host needs to launch one forward pass of a block from Hugging Face's model code.
///
/// Fitted on decode with transformers: 0.95 ms a block beside an A100, 0.6 ms beside an H20.
knob!(HOST_BLOCK_SECS_HUGGING_FACE, 0.85e-3);

/// The same for leaner training loops.
///
/// Fitted on runs of small models with Megatron-DeepSpeed.
knob!(HOST_BLOCK_SECS_LEAN, 0.35e-3);

/// How much longer the host needs with adapters on the linears.
///
/// Fitted on low-rank adapter runs with 256 and 512 tokens (24 blocks, eight micro-batches a second).
knob!(HOST_ADAPTER_FACTOR, 2.0);

/// Share of the host's time left once the model is compiled; with captured graphs nothing is left.
///
/// Assumed: compilation about halves the number of kernels.
knob!(HOST_COMPILED_SHARE, 0.5);

/// Largest share of a collective that runs behind compute.
///
/// Assumed: the first gather and the last reduction of a step have nothing to hide behind.
knob!(OVERLAP_SHARE, 0.9);

/// Bus bandwidth of a ring over a switch, of one direction of the link.
///
/// Source: 0.78 to 0.82 on A100, H100, H200 and B200 (nccl-tests).
pub(super) const RING_SHARE_SWITCH: f64 = 0.80;

/// Bus bandwidth over PCI Express with direct access, of one direction of the slot.
///
/// Source: 0.39 to 0.74 observed over two to eight GPUs (nccl-tests).
knob!(RING_SHARE_PCIE, 0.62);

/// The same where cards cannot talk to each other directly and go through host memory.
///
/// Source: RTX 4090 pair 12 of 31.5 GB/s, eight RTX 5090 28 of 63 GB/s.
knob!(RING_SHARE_PCIE_VIA_HOST, 0.40);

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
knob!(NETWORK_STEP_SECS, 18e-6);

/// Bytes per second of one node's memory as an optimizer on the CPU uses it.
///
/// Eight channels of DDR4-3200 (204.8 GB/s) at the 0.77 that STREAM reaches.
pub(super) const HOST_MEMORY_BYTES_PER_SEC: f64 = 157e9;

/// The same with Ampere's stacked memory.
knob!(SUSTAINED_SHARE_AMPERE, 0.93);
/// The same on Blackwell.
knob!(SUSTAINED_SHARE_BLACKWELL, 0.75);
/// The same with GDDR.
knob!(SUSTAINED_SHARE_GDDR, 1.0);
/// Plain arithmetic.
knob!(PLAIN_SHARE, 0.9);
/// Attention.
knob!(SUSTAINED_ATTENTION, 0.65);
/// Power.
knob!(POWER_EXPONENT, 0.3);
/// Head.
knob!(SOFTMAX_WIDTH, 16.0);
/// Rowwise.
knob!(ROWWISE_SHARE, 0.6);
/// Eager bandwidth.
knob!(SUSTAINED_BANDWIDTH_LAUNCHED, 0.66);
/// Unit bytes.
knob!(UNIT_BYTES_PER_SEC, 27e9);
/// Zero-3 host.
knob!(HOST_ZERO3_SECS, 2.9e-3);
/// Host of Megatron.
knob!(HOST_BLOCK_SECS_MEGATRON, 1.1e-3);
/// Host of collectives.
knob!(HOST_COLLECTIVE_SECS, 0.1e-3);
/// Newer hosts.
knob!(HOST_NEWER_SHARE, 0.65);
/// Packed weights.
knob!(HOST_UNPACKING_SECS, 0.75e-3);
/// Engine.
knob!(ENGINE_STEP_SECS, 1.2e-3);
/// Group unpack.
knob!(GROUP_UNPACK_BYTES, 20.0);
/// Permutation.
knob!(PERMUTED_BYTES, 16.0);
/// Cast
knob!(CAST_BYTES_FUSED, 2.0);

/// Pipelined prompts.
knob!(PROMPT_OVERLAP_SHARE, 0.6);

impl Family {
    /// Family of a card.
    pub(super) fn of(gpu: &Gpu) -> Self {
        let tflops = &gpu.tflops;
        let half_rate = tflops.fp16_acc16.zip(tflops.fp16).is_some_and(|(all, sum)| all > sum);
        let stacked = gpu.memory_type.starts_with("HBM");
        match gpu.architecture.as_str() {
            "Volta" | "Turing" => Self::Volta,
            "Ampere" if stacked => Self::AmpereServer,
            "Ampere" | "Ada" if half_rate => Self::HalfRate,
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
    pub(super) const fn is_stacked(self) -> bool {
        matches!(self, Self::AmpereServer | Self::Hopper | Self::Blackwell | Self::Cdna)
    }

    /// Share of the best micro-benchmark that products reach in a long run.
    pub(super) fn sustained(self) -> f64 {
        match self {
            Self::AmpereServer | Self::Volta => SUSTAINED_SHARE_AMPERE(),
            Self::Blackwell => SUSTAINED_SHARE_BLACKWELL(),
            Self::HalfRate | Self::BlackwellRtx => SUSTAINED_SHARE_GDDR(),
            Self::AmpereGddr
            | Self::Ada
            | Self::Hopper
            | Self::Cdna
            | Self::Rdna
            | Self::Apple
            | Self::Other => SUSTAINED_SHARE(),
        }
    }

    /// Watts that the full rate of a family's largest card takes, for each TFLOPS of 16-bit products.
    pub(super) const fn watts_per_tflops(self) -> f64 {
        match self {
            Self::Volta => 2.4,
            Self::AmpereServer => 1.28,
            Self::Hopper => 0.707,
            Self::Blackwell => 0.444,
            _ => 0.0,
        }
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
                SUSTAINED_BANDWIDTH_STACKED()
            } else {
                SUSTAINED_BANDWIDTH_OTHER()
            },
        };
        match self {
            Self::Volta => row(0.76, 0.76, 0.35, 0.35, 0.87),
            Self::AmpereServer => row(0.86, 0.86, 0.575, 0.575, 0.86),
            Self::AmpereGddr => row(0.85, 0.85, 0.55, 0.55, 0.92),
            Self::Ada => row(0.76, 0.75, 0.50, 0.50, 0.91),
            Self::HalfRate => row(0.95, 0.80, 0.75, 0.75, 0.91),
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
pub(super) fn shown_overlap() -> AchievedFraction {
    AchievedFraction { label: "fraction-overlap", value: OVERLAP_SHARE(), source: "source-assumed" }
}

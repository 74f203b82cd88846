//! Every fraction and constant that was measured or fitted, in one place.
//!
//! What a data sheet calls peak is never reached. The tables below hold what was measured with
//! micro-benchmarks, by family of chips; the constants turn that into what whole programs reach.
//! Nothing outside this file multiplies a peak by a number of its own.

use crate::catalogue::{Dtype, Gpu, MemoryKind};

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

/// Share of the best micro-benchmark that products reach in a long run.
///
/// Fitted on training runs of H100 and H200 with bf16 and fp8. Products alone reach 0.82 on an H200 (652
/// of 794.5 TFLOPS on average); what programs do between them is in here.
pub(super) const SUSTAINED_SHARE: f64 = 0.66;

/// The same with Ampere's stacked memory, which is further from its power limit.
///
/// Fitted on training runs of A100.
pub(super) const SUSTAINED_SHARE_AMPERE: f64 = 0.79;

/// The same on Blackwell.
///
/// Fitted on training runs of B200, B300, GB200 and GB300.
pub(super) const SUSTAINED_SHARE_BLACKWELL: f64 = 0.61;

/// The same where products with 32-bit sums run at half rate, so that power is no limit.
///
/// Fitted on fine-tuning on pairs of RTX 3090 and RTX 4090 without sharding.
pub(super) const SUSTAINED_SHARE_HALF_RATE: f64 = 0.95;

/// Share of the best micro-benchmark that the open kernels' attention reaches in a long run.
///
/// Fitted on training runs with 2048 to 65536 tokens of A100 and H100.
pub(super) const SUSTAINED_ATTENTION: f64 = 0.60;

/// Share of the data-sheet rate that plain 32-bit products reach, tensor cores aside.
///
/// Fitted on fp32 training of an encoder on V100.
pub(super) const PLAIN_SHARE: f64 = 0.95;

/// How much more of the best micro-benchmark products in 8 and 4 bits reach: they draw less for each
/// operation, and the clock holds.
///
/// Fitted on training runs of H100, H200, GB200 and GB300 with fp8 beside those with bf16.
pub(super) const NARROW_SUSTAINED_GAIN: f64 = 1.25;

/// Exponent by which the rate follows the power limit: power grows with the cube of the clock.
pub(super) const POWER_EXPONENT: f64 = 1.0 / 3.0;

/// Columns of a head that the exponentials of attention take as long as.
///
/// Fitted on training runs of A100 with heads of 64 and of 128 columns.
pub(super) const SOFTMAX_WIDTH: f64 = 16.0;

/// What a scale for each row leaves of the rate of 8-bit products.
///
/// Fitted on training runs of 70B and 8B with row-wise beside tensor-wise scales.
pub(super) const ROWWISE_SHARE: f64 = 0.48;

/// Share of the streaming bandwidth that a program's kernels reach with stacked memory (HBM).
///
/// Fitted on decode with captured graphs and on training, A100 to B200.
pub(super) const SUSTAINED_BANDWIDTH_STACKED: f64 = 0.87;

/// The same where decode kernels are launched one by one and each drains its loads before the next.
///
/// Fitted on decode of one sequence on A100 and H100 without captured graphs.
pub(super) const SUSTAINED_BANDWIDTH_LAUNCHED: f64 = 0.64;

/// The same with GDDR, which fewer requests in flight are enough for.
///
/// Fitted on 16-bit decode of one sequence: RTX 4090, RTX A6000 and RTX 6000 Ada 0.82 to 0.88 of the
/// data sheet, streaming 0.91.
pub(super) const SUSTAINED_BANDWIDTH_OTHER: f64 = 0.94;

/// Bytes per second that one multiprocessor's loads in flight bring when few rows are multiplied.
///
/// Fitted on decode of one sequence with an H20, which has few multiprocessors for its bandwidth.
pub(super) const UNIT_BYTES_PER_SEC: f64 = 32e9;

/// Plain 32-bit operations that unpacking a 4- or 8-bit weight takes in a decode kernel.
///
/// Fitted on decode of one sequence with an A100: 1.7·10¹² 4-bit weights a second at 19.5 TFLOPS.
pub(super) const UNPACK_OPERATIONS: f64 = 10.7;

/// What unpacking in the kernel leaves of the rate of a prompt's products with grouped 4-bit weights.
///
/// Fitted on prompts of 64 to 4096 tokens with AWQ weights on RTX 4090.
pub(super) const UNPACKING_PRODUCT_SHARE: f64 = 0.5;

/// Bytes that unpacking one weight of a group of integers moves in training: shifts, masks and scales
/// one after the other.
///
/// Fitted on fine-tuning 1.8B to 72B with GPTQ weights and 256 to 1024 tokens.
pub(super) const GROUP_UNPACK_BYTES: f64 = 18.0;

/// Bytes that routing moves for each token, expert and hidden element: permuted, weighted, back.
///
/// Fitted on training runs of models with experts on H100, B200 and GB300.
pub(super) const PERMUTED_BYTES: f64 = 20.0;

/// Bytes of a narrow input that a fused kernel writes: by rows for the product, by columns for backward.
///
/// Counted; Transformer Engine's norms and activations write both.
pub(super) const CAST_BYTES_FUSED: f64 = 2.0;

/// Seconds that a kernel takes beyond its work: ramp up, ramp down.
///
/// Source: aiconfigurator uses 3 µs for each operation.
pub(super) const KERNEL_RAMP_SECS: f64 = 3e-6;

/// Seconds the host needs to launch one pass of a block from Hugging Face's model code, or from an
/// engine's in Python.
///
/// Fitted on decode with transformers beside an A100.
pub(super) const HOST_BLOCK_SECS_HUGGING_FACE: f64 = 0.9e-3;

/// The same for Megatron.
///
/// Fitted on runs of small models with Megatron-DeepSpeed.
pub(super) const HOST_BLOCK_SECS_MEGATRON: f64 = 0.93e-3;

/// The same for lean loops.
///
/// Fitted on decode over several GPUs that one thread serves.
pub(super) const HOST_BLOCK_SECS_LEAN: f64 = 0.22e-3;

/// What a newer processor (one with PCI Express 5) leaves of the host's time.
///
/// Fitted on decode with transformers beside an H20: 0.6 ms a block against 0.9 ms beside an A100.
pub(super) const HOST_NEWER_SHARE: f64 = 0.67;

/// How much longer the host needs with adapters on the linears.
///
/// Fitted on low-rank adapter runs with 256 and 512 tokens (24 blocks, eight micro-batches a second).
pub(super) const HOST_ADAPTER_FACTOR: f64 = 1.8;

/// Seconds the host needs in one block for weights that several kernels a product unpack.
///
/// Fitted on decode with bitsandbytes beside an A100 and with fp8 weights beside an H20.
pub(super) const HOST_UNPACKING_SECS: f64 = 0.84e-3;

/// The same for integers in groups of 8 bits, which one more kernel a product unpacks.
///
/// Fitted on decode with GPTQ weights in 8 bits beside an A100 and an H20.
pub(super) const HOST_GROUP_UNPACKING_SECS: f64 = 0.42e-3;

/// Seconds the host needs for one collective of tensor parallelism.
///
/// Fitted on runs of small models over two to eight GPUs.
pub(super) const HOST_COLLECTIVE_SECS: f64 = 0.09e-3;

/// Seconds the host needs for the hooks with which `DeepSpeed`'s ZeRO-3 fetches and releases one block.
///
/// Fitted on full fine-tuning of 1.8B and 7B with 256 to 1024 tokens.
pub(super) const HOST_ZERO3_SECS: f64 = 3e-3;

/// Share of the host's time left once the model is compiled; with captured graphs nothing is left.
///
/// Assumed: compilation about halves the number of kernels.
pub(super) const HOST_COMPILED_SHARE: f64 = 0.5;

/// Seconds in which an engine with a paged cache schedules, samples and answers between two steps.
///
/// Fitted on decode of one sequence with vLLM and `SGLang`, 0.5B to 72B.
pub(super) const ENGINE_STEP_SECS: f64 = 1.7e-3;

/// Share of the ideal gain that chunks of a prompt have from following each other through a pipeline.
///
/// Fitted on prompts of 512 to 8192 tokens with llama.cpp over two to eight GPUs.
pub(super) const PROMPT_OVERLAP_SHARE: f64 = 0.75;

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
/// Fitted on fine-tuning with FSDP on pairs of RTX 3090. Large copies alone reach more (RTX 4090 pair 12
/// of 31.5 GB/s, 0.94 GB/s across sockets).
pub(super) const RING_SHARE_PCIE_VIA_HOST: f64 = 0.12;

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

/// Share of the power limit that a card draws while memory limits it and next to nothing is computed.
///
/// Source: Chung et al. 2026, arXiv:2601.22076: 300 of 700 W in decode of one sequence on an H100. Ma et
/// al. 2026, arXiv:2605.11999: at most 300 W in decode on an H200.
pub(super) const POWER_SHARE_MEMORY: f64 = 0.43;

/// The same while nothing but communication runs.
///
/// Assumed: half, between waiting and arithmetic; no published figure was checked.
pub(super) const POWER_SHARE_COMMUNICATION: f64 = 0.50;

/// The same while the card waits for the host or for another stage, its clocks up.
///
/// Source: 137 of 700 W in the decode of Ma et al. that waits most.
pub(super) const POWER_SHARE_WAITING: f64 = 0.20;

/// Bytes per second of one node's memory as an optimizer on the CPU uses it.
///
/// Eight channels of DDR4-3200 (204.8 GB/s) at the 0.77 that STREAM reaches.
pub(super) const HOST_MEMORY_BYTES_PER_SEC: f64 = 157e9;

impl Family {
    /// Family of a card.
    pub(super) fn of(gpu: &Gpu) -> Self {
        let tflops = &gpu.tflops;
        let half_rate = tflops.fp16_acc16.zip(tflops.fp16).is_some_and(|(all, sum)| all > sum);
        let stacked = gpu.memory_kind() == MemoryKind::Stacked;
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
    pub(super) const fn sustained(self) -> f64 {
        match self {
            Self::AmpereServer | Self::Volta => SUSTAINED_SHARE_AMPERE,
            Self::Blackwell => SUSTAINED_SHARE_BLACKWELL,
            Self::HalfRate | Self::BlackwellRtx => SUSTAINED_SHARE_HALF_RATE,
            Self::AmpereGddr
            | Self::Ada
            | Self::Hopper
            | Self::Cdna
            | Self::Rdna
            | Self::Apple
            | Self::Other => SUSTAINED_SHARE,
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
    /// published charts; cards with half-rate sums carry the full-rate cards' share in 8 bits and an attention
    /// that is assumed to stand to products as on Ampere. Families without a row carry a cautious value.
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

//! Why a number is what it is: the equation, what was put in, and where it comes from.
//!
//! A term is made where its number is made, by the same call, so that the two cannot disagree.

mod print;

pub use self::print::tokens_per_sec;
use crate::units::{Bytes, BytesPerSec, Flops, FlopsPerSec, Secs};

/// A symbol of the equations, with the text key of its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As it stands in an equation.
    pub text: &'static str,
    /// Text key of its meaning.
    pub meaning: &'static str,
}

/// A value with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Memory.
    Bytes(Bytes),
    /// A whole count.
    Count(u64),
    /// A plain number.
    Number(f64),
    /// A fraction, shown in per cent.
    Fraction(f64),
    /// Bytes for each element or parameter.
    BytesEach(f64),
    /// Time.
    Secs(Secs),
    /// Work.
    Flops(Flops),
    /// Rate of work.
    FlopsPerSec(FlopsPerSec),
    /// Rate of transfer.
    BytesPerSec(BytesPerSec),
    /// A rate of tokens.
    TokensPerSec(f64),
    /// Power.
    Watts(f64),
    /// Energy.
    KilowattHours(f64),
    /// Money, US dollars.
    Usd(f64),
}

/// Where an equation or a constant comes from: a text key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub &'static str);

/// One contribution to a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Text key: what this is.
    pub label: &'static str,
    /// The equation in symbols, the same in every language.
    pub equation: &'static str,
    /// What was put in.
    pub inputs: Vec<(Symbol, Quantity)>,
    /// What came out.
    pub result: Quantity,
    /// Where the equation comes from.
    pub source: Source,
}

macro_rules! symbols {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $meaning:literal;)+) => {
        $($(#[$doc])* pub const $name: Symbol = Symbol { text: $text, meaning: $meaning };)+

        /// Every symbol, for the glossary and the tests.
        pub const ALL_SYMBOLS: &[Symbol] = &[$($name),+];
    };
}

/// The symbols, as engine and literature use them.
pub mod symbol {
    use super::Symbol;

    symbols! {
        /// Tokens on the rank.
        TOKENS = "T", "symbol-tokens";
        /// Sequence length.
        SEQUENCE = "s", "symbol-sequence";
        /// Micro-batch.
        MICRO_BATCH = "b", "symbol-micro-batch";
        /// Hidden width.
        HIDDEN = "h", "symbol-hidden";
        /// Query heads.
        HEADS = "a", "symbol-heads";
        /// Query width.
        QUERY_WIDTH = "A", "symbol-query-width";
        /// Head dimension.
        HEAD_DIM = "d", "symbol-head-dim";
        /// Key width.
        KV_WIDTH = "K", "symbol-kv-width";
        /// Feed-forward width.
        FFN = "f", "symbol-ffn";
        /// Vocabulary.
        VOCAB = "V", "symbol-vocab";
        /// Layers.
        LAYERS = "L", "symbol-layers";
        /// Tensor-parallel degree.
        TENSOR = "t", "symbol-tensor";
        /// Sharding ranks.
        SHARDS = "N", "symbol-shards";
        /// Parameters on this GPU.
        PARAMS = "P", "symbol-params";
        /// Quantised parameters.
        QUANTISED = "P_q", "symbol-quantised";
        /// Parameters that stay in 16 bits.
        UNQUANTISED = "P_o", "symbol-unquantised";
        /// Groups of two ranks.
        PAIRS = "n_pair", "symbol-pairs";
        /// Bytes per parameter.
        BYTES_EACH = "β", "symbol-bytes-each";
        /// Bytes per token.
        PER_TOKEN = "c", "symbol-per-token";
        /// Micro-batches in flight.
        IN_FLIGHT = "m", "symbol-in-flight";
        /// Size of something named by the term.
        SIZE = "M", "symbol-size";
        /// How many of them.
        COUNT = "n", "symbol-count";
        /// A share.
        SHARE = "φ", "symbol-share";
        /// Work.
        WORK = "F", "symbol-work";
        /// Peak rate.
        PEAK = "R", "symbol-peak";
        /// Achieved fraction.
        ACHIEVED = "η", "symbol-achieved";
        /// Bytes moved.
        MOVED = "B", "symbol-moved";
        /// Bandwidth.
        BANDWIDTH = "W", "symbol-bandwidth";
        /// Time.
        TIME = "τ", "symbol-time";
        /// Pipeline stages.
        STAGES = "p", "symbol-stages";
        /// Sequences served at once.
        CONCURRENCY = "q", "symbol-concurrency";
        /// Tokens of a step on all GPUs.
        STEP_TOKENS = "T", "symbol-step-tokens";
        /// Tokens of the whole training run.
        RUN_TOKENS = "M", "symbol-run-tokens";
        /// Layers of the whole model.
        MODEL_LAYERS = "L", "symbol-model-layers";
        /// Active parameters of blocks and head.
        ACTIVE_PARAMS = "P", "symbol-active-params";
        /// Adapter parameters of the whole model.
        ADAPTER_PARAMS = "P_r", "symbol-adapter-params";
        /// Mean of query and value width.
        ATTENTION_WIDTH = "A", "symbol-attention-width";
        /// Key positions that a token is counted with.
        POSITIONS = "s", "symbol-positions";
        /// GPUs in all.
        GPUS = "G", "symbol-gpus";
        /// Work run again in backward.
        RERUN_WORK = "F_r", "symbol-rerun-work";
        /// Time of a step.
        STEP_TIME = "τ", "symbol-step-time";
        /// Time of one token of every sequence.
        TOKEN_TIME = "τ", "symbol-token-time";
        /// Time of the prompts taken at once.
        PROMPT_TIME = "τ", "symbol-prompt-time";
        /// Time that compute hides.
        HIDDEN_TIME = "τ_h", "symbol-hidden-time";
        /// Time in which a kernel ramps up and down.
        RAMP_TIME = "τ_k", "symbol-ramp-time";
        /// Time in which the GPU waits for the host.
        HOST_WAIT = "τ_w", "symbol-host-wait";
        /// Time of an optimizer step in host memory.
        HOST_STEP = "τ_o", "symbol-host-step";
        /// Time of one micro-batch.
        MICRO_BATCH_TIME = "τ_m", "symbol-micro-batch-time";
        /// Time of one micro-batch on another stage.
        STAGE_TIME = "τ_s", "symbol-stage-time";
        /// Micro-batches of a step.
        MICRO_BATCHES = "n", "symbol-micro-batches";
        /// Kernels launched.
        KERNELS = "n", "symbol-kernels";
        /// Data-parallel copies.
        COPIES = "n", "symbol-copies";
        /// Prompts taken at once.
        PROMPTS = "q", "symbol-prompts";
        /// Tokens of a prompt.
        PROMPT_TOKENS = "s", "symbol-prompt-tokens";
        /// Share of the bubble that the schedule leaves.
        BUBBLE_SHARE = "φ", "symbol-bubble-share";
        /// The board's power limit.
        POWER_LIMIT = "P_l", "symbol-power-limit";
        /// Mean power of one card.
        POWER = "P", "symbol-power";
        /// Share of the time that arithmetic limits.
        COMPUTE_SHARE = "φ_c", "symbol-compute-share";
        /// Share of the time that memory limits.
        MEMORY_SHARE = "φ_m", "symbol-memory-share";
        /// Share of the time in which arithmetic runs behind memory traffic.
        HIDDEN_SHARE = "φ_h", "symbol-hidden-share";
        /// Share of the time in which only communication runs.
        COMMUNICATION_SHARE = "φ_x", "symbol-communication-share";
        /// Share of the time in which the card waits.
        WAITING_SHARE = "φ_w", "symbol-waiting-share";
        /// Share of the limit drawn while memory limits.
        MEMORY_POWER = "u_m", "symbol-memory-power";
        /// Share of the limit drawn while only communication runs.
        COMMUNICATION_POWER = "u_x", "symbol-communication-power";
        /// Share of the limit drawn while the card waits.
        WAITING_POWER = "u_w", "symbol-waiting-power";
        /// GPU hours.
        GPU_HOURS = "H", "symbol-gpu-hours";
        /// Price of a GPU hour.
        PRICE = "c", "symbol-price";
        /// List price of one card.
        CARD_PRICE = "c", "symbol-card-price";
        /// Tokens per second of all GPUs.
        TOKEN_RATE = "r", "symbol-token-rate";
    }
}

//! What the throughput engine answers.

use super::{levels::MemoryLevels, training::bound_of};
use crate::{
    explain::Term,
    plan::choices,
    units::{Bytes, BytesPerSec, Flops, FlopsPerSec, Secs},
};

/// How fast a plan runs: an estimate from a roofline with stated achieved fractions.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedEstimate {
    /// Training or serving figures.
    pub figures: Figures,
    /// Operations of the step, by class, for the roofline; FLOPs, bytes and time on the busiest GPU.
    pub operations: Vec<Operation>,
    /// Where the time goes; sums to the step time exactly (training) or to one decode step.
    pub time: Vec<(TimePart, Secs)>,
    /// What the parallel axes send in a step (training) or a decode step; empty on one GPU.
    pub communication: Vec<GroupTraffic>,
    /// What takes the largest share.
    pub bound_by: Bound,
    /// Achieved fractions that were used, each with its source.
    pub fractions: Vec<AchievedFraction>,
    /// What the time is made of beside operations and collectives, for its explanation.
    pub causes: TimeCauses,
    /// What one card draws on average; none where its power limit is unknown.
    pub power: Option<PowerDraw>,
    /// List price of all cards when they came out, US dollars; none where the catalogue has none.
    pub cards_usd: Option<f64>,
}

/// What one card draws on average, and the shares of the time that it follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerDraw {
    /// Mean power, watts.
    pub watts: f64,
    /// The board's power limit, watts.
    pub limit_watts: f64,
    /// Share of the time that arithmetic limits.
    pub compute: f64,
    /// Share of the time that memory limits.
    pub memory: f64,
    /// Share of the time in which arithmetic runs behind memory traffic; not more than `memory`.
    pub arithmetic_behind_memory: f64,
    /// Share of the time in which only communication runs.
    pub communication: f64,
    /// Share of the time in which the card waits.
    pub waiting: f64,
}

/// What the time is made of beside operations and collectives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeCauses {
    /// Micro-batches of a step; 1 for serving.
    pub micro_batches: u64,
    /// Kernels whose ramps count as launches.
    pub kernels: f64,
    /// Time in which the GPU waits for the host to launch kernels.
    pub host_wait: Secs,
    /// Time of an optimizer step in host memory.
    pub host_step: Secs,
    /// Time of copies to and from host memory.
    pub host_copies: Secs,
    /// Of these, what compute hides.
    pub host_copies_hidden: Secs,
    /// Work of a lone prompt on one GPU of every stage; zero in training.
    pub prompt_flops: Flops,
    /// Prompts that go through the model at once; zero in training.
    pub prompts_at_once: f64,
}

/// The headline figures.
#[derive(Clone, Debug, PartialEq)]
pub enum Figures {
    /// Training.
    Training(TrainingFigures),
    /// Serving.
    Serving(ServingFigures),
}

/// Speed of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingFigures {
    /// One optimizer step.
    pub step: Secs,
    /// Tokens per second of one GPU.
    pub tokens_per_sec_per_gpu: f64,
    /// Tokens per second of all GPUs.
    pub tokens_per_sec: f64,
    /// Model FLOPs utilisation: model FLOPs only, causal attention counted in full.
    pub mfu: f64,
    /// Hardware FLOPs utilisation: recomputation counted too.
    pub hfu: f64,
    /// Time for the plan's training tokens.
    pub time_to_train: Secs,
    /// GPU hours for the plan's training tokens.
    pub gpu_hours: f64,
    /// Energy of all cards for the plan's training tokens, kWh; none if their power limit is unknown.
    pub energy_kwh: Option<f64>,
    /// Cost for the plan's training tokens, US dollars; none without a price.
    pub cost_usd: Option<f64>,
    /// Model FLOPs of one step on all GPUs, what [`TrainingFigures::mfu`] counts.
    pub model_flops: Flops,
    /// Of these, attention's scores and weighted values, in full.
    pub attention_flops: Flops,
    /// Weight gradients that frozen weights would have, which [`TrainingFigures::mfu`] does not count.
    pub frozen_flops: Flops,
    /// Data-sheet rate of one GPU that utilisation is measured against.
    pub peak: FlopsPerSec,
}

/// Speed of serving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServingFigures {
    /// Generated tokens per second of all sequences together.
    pub decode_tokens_per_sec: f64,
    /// Generated tokens per second that one user sees.
    pub decode_tokens_per_sec_per_user: f64,
    /// Prompt tokens per second.
    pub prefill_tokens_per_sec: f64,
    /// Time to the first token of a lone request.
    pub time_to_first_token: Secs,
    /// Time of one decode step.
    pub token_latency: Secs,
    /// Decode tokens per second if memory bandwidth were fully used: a ceiling, not an estimate.
    pub decode_ceiling_tokens_per_sec: f64,
    /// Energy of all cards for a million generated tokens, kWh; none if their power limit is unknown.
    pub kwh_per_million_tokens: Option<f64>,
    /// Cost of a million generated tokens, US dollars; none without a price.
    pub usd_per_million_tokens: Option<f64>,
}

choices! {
    /// A share of the step time.
    pub enum TimePart {
        /// Matrix products and attention limited by arithmetic.
        #[default]
        Compute = "time-compute",
        /// Operations limited by memory bandwidth.
        MemoryBandwidth = "time-memory",
        /// Operations recomputed in backward.
        Recomputation = "time-recompute",
        /// Communication that nothing hides.
        ExposedCommunication = "time-communication",
        /// Pipeline bubble.
        Bubble = "time-bubble",
        /// Optimizer step.
        Optimizer = "time-optimizer",
        /// Transfers to and from host memory that nothing hides.
        HostTransfer = "time-host",
        /// Kernel launches of small operations.
        Launch = "time-launch",
    }
}

choices! {
    /// What a plan or an operation is limited by.
    pub enum Bound {
        /// Arithmetic.
        #[default]
        Compute = "bound-compute",
        /// Memory bandwidth.
        MemoryBandwidth = "bound-memory",
        /// Links between GPUs.
        Communication = "bound-communication",
        /// The pipeline's bubble.
        Bubble = "bound-bubble",
        /// The host link.
        Host = "bound-host",
        /// Launch latency.
        Launch = "bound-launch",
    }
}

choices! {
    /// A class of operations.
    pub enum OperationClass {
        /// Products with the weights of the blocks, routed experts aside.
        #[default]
        Matmul = "op-matmul",
        /// Products with the weights of the routed experts.
        Experts = "op-experts",
        /// Products with adapters.
        Adapters = "op-adapters",
        /// The router, and tokens sorted to their experts and back.
        Routing = "op-routing",
        /// Scores, softmax and weighted values.
        Attention = "op-attention",
        /// Norms, activations, residual additions, rotary embedding.
        Elementwise = "op-elementwise",
        /// The output head.
        Head = "op-head",
        /// Softmax and cross-entropy over the vocabulary.
        Loss = "op-loss",
        /// Token embeddings looked up, and their gradients added up.
        Embedding = "op-embedding",
        /// Weights and inputs brought to the format of the products.
        Quantise = "op-quantise",
        /// Turning quantised weights into 16-bit ones.
        Dequantise = "op-dequantise",
        /// The optimizer step.
        Optimizer = "op-optimizer",
    }
}

/// One class of operations in a step, on the busiest GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// Which class.
    pub class: OperationClass,
    /// Work, recomputation included.
    pub flops: Flops,
    /// Bytes moved to and from device memory.
    pub bytes: Bytes,
    /// Time it takes.
    pub time: Secs,
    /// Kernels, each of which takes time to ramp up and down.
    pub kernels: f64,
    /// What limits it.
    pub bound: Bound,
}

impl SpeedEstimate {
    /// The exact sum of the time parts: the step, or one decode step.
    #[must_use]
    pub fn total_time(&self) -> Secs {
        self.time.iter().map(|&(_, secs)| secs).sum()
    }

    /// Time that a bound takes in all.
    #[must_use]
    pub fn time_bound_by(&self, bound: Bound) -> Secs {
        let of_it = self.time.iter().filter(|(part, _)| bound_of(*part) == bound);
        of_it.map(|&(_, secs)| secs).sum()
    }

    /// The whole time if what bounds the plan took half as long: the most that doubling it brings.
    #[must_use]
    pub fn time_if_lifted(&self) -> Secs {
        Secs(self.total_time().0 - self.time_bound_by(self.bound_by).0 / 2.0)
    }

    /// Bytes that the operations move in each second of a step or decode step, waiting included; with
    /// pipeline stages in turn, by the GPU whose turn it is.
    #[must_use]
    pub fn achieved_bandwidth(&self) -> BytesPerSec {
        let bytes: f64 = self.operations.iter().map(|operation| operation.bytes.as_f64()).sum();
        BytesPerSec(bytes / self.total_time().0.max(f64::MIN_POSITIVE))
    }

    /// Time of one part, zero if it has none.
    #[must_use]
    pub fn time_of(&self, part: TimePart) -> Secs {
        self.time.iter().filter(|(owner, _)| *owner == part).map(|&(_, secs)| secs).sum()
    }
}

impl Operation {
    /// Arithmetic intensity, FLOPs per byte moved; none if nothing is moved.
    #[must_use]
    pub fn intensity(&self) -> Option<f64> {
        (self.bytes.0 > 0).then(|| self.flops.0 / self.bytes.as_f64())
    }

    /// Achieved memory bandwidth; none for an operation that takes no time.
    #[must_use]
    pub fn achieved_bandwidth(&self) -> Option<BytesPerSec> {
        (self.time.0 > 0.0).then(|| BytesPerSec(self.bytes.as_f64() / self.time.0))
    }

    /// Achieved rate of arithmetic; none for an operation that takes no time.
    #[must_use]
    pub fn achieved(&self) -> Option<FlopsPerSec> {
        (self.time.0 > 0.0).then(|| FlopsPerSec(self.flops.0 / self.time.0))
    }
}

choices! {
    /// An axis of parallelism whose ranks talk to each other.
    pub enum CommunicationGroup {
        /// Tensor parallelism.
        #[default]
        Tensor = "group-tensor",
        /// Context parallelism.
        Context = "group-context",
        /// Expert parallelism.
        Expert = "group-expert",
        /// Neighbouring pipeline stages.
        Pipeline = "group-pipeline",
        /// Data parallelism and sharding.
        Data = "group-data",
    }
}

/// What the ranks of one axis send, on the busiest GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupTraffic {
    /// Which axis.
    pub group: CommunicationGroup,
    /// Ranks of the group.
    pub ranks: u64,
    /// The group crosses nodes.
    pub crosses_nodes: bool,
    /// Bytes that one GPU sends in all its collectives.
    pub bytes: Bytes,
    /// Time of all its collectives.
    pub time: Secs,
    /// Of that, what compute does not hide.
    pub exposed: Secs,
}

impl GroupTraffic {
    /// Rate at which the bytes are sent, latencies included.
    #[must_use]
    pub fn rate(&self) -> BytesPerSec {
        BytesPerSec(self.bytes.as_f64() / self.time.0.max(f64::MIN_POSITIVE))
    }

    /// Time that runs behind compute.
    #[must_use]
    pub fn hidden(&self) -> Secs {
        Secs((self.time.0 - self.exposed.0).max(0.0))
    }
}

/// A fraction of a peak that was assumed to be achieved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AchievedFraction {
    /// Text key: of what.
    pub label: &'static str,
    /// The fraction.
    pub value: f64,
    /// Text key: where it comes from.
    pub source: &'static str,
}

choices! {
    /// A matrix product of a block or of the head.
    pub enum ProductKind {
        /// Queries from the residual stream.
        #[default]
        Queries = "product-queries",
        /// Keys and values.
        KeysValues = "product-keys-values",
        /// Attention's output.
        AttentionOutput = "product-attention-output",
        /// The residual stream brought to the rank of the queries (latent attention).
        QueriesDown = "product-queries-down",
        /// The residual stream brought to the rank of the cache (latent attention).
        Latent = "product-latent",
        /// Feed-forward, into its width (with the gate).
        Up = "product-up",
        /// Feed-forward, back.
        Down = "product-down",
        /// The router.
        Router = "product-router",
        /// One routed expert, into its width (with the gate).
        ExpertUp = "product-expert-up",
        /// One routed expert, back.
        ExpertDown = "product-expert-down",
        /// The output head.
        Head = "product-head",
    }
}

/// A matrix product of one forward pass on one GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProductShape {
    /// Which product.
    pub kind: ProductKind,
    /// Rows of the input, for each of the copies.
    pub rows: f64,
    /// Columns of the input, rows of the weights.
    pub inputs: f64,
    /// Columns of the weights.
    pub outputs: f64,
    /// Products of this shape with weights of their own (experts).
    pub copies: f64,
    /// Work and time of all copies, and what limits them.
    pub cost: Operation,
}

/// Why the speed is what it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeedExplanation {
    /// Terms of each share of the time.
    pub time: Vec<(TimePart, Term)>,
    /// Terms of the headline figures (tokens per second, MFU, ...).
    pub headline: Vec<Term>,
    /// What the weights would take from each level of memory; none where nothing was explained.
    pub levels: Option<MemoryLevels>,
    /// Products of one block (one with experts, if the model has them) and of the head.
    pub products: Vec<ProductShape>,
}

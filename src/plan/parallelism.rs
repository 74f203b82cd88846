//! How the work is divided over the GPUs.

use serde::{Deserialize, Serialize};

use super::choices;
use crate::catalogue::Dtype;

/// Degrees of the parallel axes; data parallelism is what remains of the GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Parallelism {
    /// Tensor-parallel degree, `t`.
    pub tensor: u32,
    /// Norms and residual stream split along the sequence over the tensor-parallel group.
    pub sequence_parallel: bool,
    /// The loss works on logits divided over the tensor-parallel group.
    pub loss_parallel: bool,
    /// Pipeline stages, `p`.
    pub pipeline: u32,
    /// Model chunks per stage under the interleaved schedule, `v`.
    pub virtual_stages: u32,
    /// Order of forwards and backwards in the pipeline.
    pub schedule: Schedule,
    /// Layers of the first stage; none divides evenly.
    pub first_stage_layers: Option<u32>,
    /// Layers of the last stage; none divides evenly.
    pub last_stage_layers: Option<u32>,
    /// Context-parallel degree: the sequence divided over so many GPUs.
    pub context: u32,
    /// How the ranks of a context-parallel group see each other's tokens.
    pub context_exchange: ContextExchange,
    /// Tensor-parallel communication runs behind the products (asynchronous TP, userbuffers).
    pub overlap_tensor: bool,
    /// Expert-parallel degree, inside data x context x tensor parallel ranks.
    pub expert: u32,
    /// Tensor-parallel degree of the experts; none equals the tensor-parallel degree.
    pub expert_tensor: Option<u32>,
    /// Tokens travel to their experts behind the computation of another micro-batch (`DualPipe`,
    /// Megatron's overlap of expert-parallel communication).
    pub overlap_expert: bool,
    /// A token crosses the network once for each node that has some of its experts, and is handed on
    /// over the fast link there (`DeepEP`).
    pub dispatch_once_a_node: bool,
    /// What the data-parallel ranks divide among themselves.
    pub sharding: Sharding,
    /// Full copies of the sharded state (hybrid sharding); 1 shards over all data-parallel ranks.
    pub replicas: u32,
    /// Gathered parameters are freed after forward and gathered again in backward.
    pub reshard_after_forward: bool,
    /// Number format of the gradient reduction.
    pub reduce_dtype: Dtype,
}

choices! {
    /// How the ranks of a context-parallel group see each other's tokens.
    pub enum ContextExchange {
        /// Keys and values go round the ring.
        #[default]
        Ring = "context-ring",
        /// Heads are exchanged for tokens, all to all (Ulysses).
        AllToAll = "context-all-to-all",
    }
}

choices! {
    /// What the data-parallel ranks divide among themselves.
    pub enum Sharding {
        /// Nothing: every rank keeps everything (DDP).
        #[default]
        None = "sharding-none",
        /// Optimizer states (ZeRO-1, Megatron's distributed optimizer).
        Zero1 = "sharding-zero1",
        /// Optimizer states and gradients (ZeRO-2).
        Zero2 = "sharding-zero2",
        /// Optimizer states, gradients and parameters (ZeRO-3, FSDP).
        Zero3 = "sharding-zero3",
    }
}

choices! {
    /// Order of forwards and backwards in the pipeline.
    pub enum Schedule {
        /// One forward, one backward.
        #[default]
        OneForwardOneBackward = "schedule-1f1b",
        /// The same with several model chunks a stage.
        Interleaved = "schedule-interleaved",
        /// All forwards, then all backwards.
        GPipe = "schedule-gpipe",
        /// Weight gradients delayed into the bubble, memory of 1F1B (ZB-H1).
        ZeroBubbleH1 = "schedule-zb-h1",
        /// No bubble, about twice the memory (ZB-H2).
        ZeroBubbleH2 = "schedule-zb-h2",
    }
}

impl Default for Parallelism {
    fn default() -> Self {
        Self {
            tensor: 1,
            sequence_parallel: true,
            loss_parallel: true,
            pipeline: 1,
            virtual_stages: 2,
            schedule: Schedule::OneForwardOneBackward,
            first_stage_layers: None,
            last_stage_layers: None,
            context: 1,
            context_exchange: ContextExchange::Ring,
            overlap_tensor: false,
            overlap_expert: false,
            dispatch_once_a_node: false,
            expert: 1,
            expert_tensor: None,
            sharding: Sharding::None,
            replicas: 1,
            reshard_after_forward: true,
            reduce_dtype: Dtype::Fp32,
        }
    }
}

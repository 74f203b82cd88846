//! Which activations are recomputed in backward instead of kept.

use serde::{Deserialize, Serialize};

use super::choices;

/// Activation checkpointing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Checkpointing {
    /// What is recomputed.
    pub policy: CheckpointPolicy,
    /// With [`CheckpointPolicy::EveryNth`]: every so manieth block is recomputed.
    pub every_nth: u32,
    /// Kept tensors go to host memory.
    pub offload: bool,
}

choices! {
    /// What is recomputed in backward.
    pub enum CheckpointPolicy {
        /// Nothing.
        None = "checkpoint-none",
        /// Everything but the attention's output (torch's selective policy).
        SelectiveAttention = "checkpoint-selective-attention",
        /// Everything but attention and every other matrix product (torchtitan's default).
        SelectiveAlternateMatmul = "checkpoint-selective-alternate-matmul",
        /// Everything but attention and matrix products.
        SelectiveMatmul = "checkpoint-selective-matmul",
        /// Only the attention scores (Megatron's selective recomputation).
        CoreAttention = "checkpoint-core-attention",
        /// Every n-th block, whole.
        EveryNth = "checkpoint-every-nth",
        /// Every block, whole.
        #[default]
        Full = "checkpoint-full",
    }
}

impl Default for Checkpointing {
    fn default() -> Self {
        Self { policy: CheckpointPolicy::Full, every_nth: 2, offload: false }
    }
}

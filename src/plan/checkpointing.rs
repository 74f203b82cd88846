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
    /// With [`CheckpointPolicy::Full`]: only so many blocks are recomputed; none means all.
    pub blocks: Option<u32>,
    /// With [`CheckpointPolicy::Modules`]: which ones.
    pub modules: RecomputedModules,
    /// torch's reentrant variant: the block runs without a graph first.
    pub reentrant: bool,
    /// Kept tensors go to host memory.
    pub offload: bool,
    /// Of so many blocks only; none means all.
    pub offload_blocks: Option<u32>,
}

/// Modules of a block that are recomputed, Megatron's `--recompute-modules`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct RecomputedModules {
    /// Scores, softmax and weighted values.
    pub core_attention: bool,
    /// Outputs of the norms.
    pub norms: bool,
    /// The dense feed-forward block.
    pub mlp: bool,
    /// The activation function of the experts.
    pub expert_activation: bool,
    /// The up-projections of latent attention.
    pub latent_projections: bool,
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
        /// The modules that the plan names (Megatron's module list).
        Modules = "checkpoint-modules",
        /// Every n-th block, whole.
        EveryNth = "checkpoint-every-nth",
        /// Every block, whole.
        #[default]
        Full = "checkpoint-full",
    }
}

impl Default for Checkpointing {
    fn default() -> Self {
        Self {
            policy: CheckpointPolicy::Full,
            every_nth: 2,
            blocks: None,
            modules: RecomputedModules::default(),
            reentrant: false,
            offload: false,
            offload_blocks: None,
        }
    }
}

//! The software that runs the plan: it decides which tensors exist.

use serde::{Deserialize, Serialize};

use super::choices;

/// Framework, kernels and loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the software")]
pub struct Framework {
    /// Whose training loop.
    pub profile: Profile,
    /// Attention kernel.
    pub attention: AttentionKernel,
    /// How the loss is computed.
    pub loss: LossKind,
    /// The 16-bit logits stay alive during backward (the caller keeps the model's output).
    pub keep_logits: bool,
    /// The model is compiled: elementwise operations are fused.
    pub compile: bool,
    /// The model's own dropout is active in training.
    pub dropout: bool,
    /// State that lives in host memory.
    pub offload: Offload,
    /// FSDP's first version: the parameters of a unit are one flat tensor.
    pub flat_parameters: bool,
    /// Steps are replayed from captured CUDA graphs: no launches, but memory of their own.
    pub cuda_graphs: bool,
    /// CUDA before 11.7 loads every kernel when the context is made.
    pub eager_kernel_loading: bool,
    /// The allocator maps pages into growing segments (`expandable_segments`).
    pub expandable_segments: bool,
}

choices! {
    /// Whose training loop.
    pub enum Profile {
        /// Plain PyTorch or the Hugging Face Trainer.
        #[default]
        HuggingFace = "profile-huggingface",
        /// FSDP2 in torchtitan's style.
        Fsdp2 = "profile-fsdp2",
        /// DeepSpeed ZeRO.
        DeepSpeed = "profile-deepspeed",
        /// Megatron-Core with Transformer Engine.
        Megatron = "profile-megatron",
    }
}

choices! {
    /// Attention kernel.
    pub enum AttentionKernel {
        /// Never stores the scores (FlashAttention, cuDNN, memory-efficient).
        #[default]
        Flash = "attention-flash",
        /// torch's unfused math path.
        Math = "attention-math",
        /// Scores and probabilities written out by the model's code.
        Eager = "attention-eager",
    }
}

choices! {
    /// How the loss is computed.
    pub enum LossKind {
        /// All logits, in 16 bits and upcast to fp32.
        #[default]
        Full = "loss-full",
        /// All logits, 16 bits only.
        Full16 = "loss-full16",
        /// All logits in 16 bits, one kernel that keeps only them and makes their gradient (flash-attn).
        Kernel = "loss-kernel",
        /// A slice of the tokens at a time.
        Chunked = "loss-chunked",
        /// Fused with the head's matrix product: no logits in memory.
        Fused = "loss-fused",
        /// No loss over the vocabulary: a mean of the outputs, or a small head of another kind.
        None = "loss-none",
    }
}

choices! {
    /// State that lives in host memory.
    pub enum Offload {
        /// Nothing.
        #[default]
        None = "offload-none",
        /// Optimizer states and master weights.
        Optimizer = "offload-optimizer",
        /// Optimizer states, master weights and parameters.
        OptimizerAndParams = "offload-optimizer-params",
    }
}

impl Default for Framework {
    fn default() -> Self {
        Self {
            profile: Profile::HuggingFace,
            attention: AttentionKernel::Flash,
            loss: LossKind::Full,
            keep_logits: false,
            compile: false,
            dropout: true,
            offload: Offload::None,
            flat_parameters: false,
            cuda_graphs: false,
            eager_kernel_loading: false,
            expandable_segments: false,
        }
    }
}

//! What the GPUs are to do: train, fine-tune with adapters, or serve.

use serde::{Deserialize, Serialize};

use super::choices;
use crate::catalogue::Dtype;

/// Task, batch and lengths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Workload {
    /// Train or serve.
    pub task: Task,
    /// Which parameters train.
    pub method: Method,
    /// Tokens in a training sequence (the whole sequence, also under context parallelism).
    pub sequence: u32,
    /// Sequences that one data-parallel rank takes through the model at once.
    pub micro_batch: u32,
    /// Micro-batches per optimizer step and data-parallel rank.
    pub accumulation: u32,
    /// Attention runs with a padding mask.
    pub padded_mask: bool,
    /// The model is given a mask of ones: costs its own bytes, nothing else.
    pub ones_mask: bool,
    /// Batches have different lengths: nothing is packed or padded to the full sequence.
    pub varying_lengths: bool,
    /// Tokens the training run is to see in all.
    pub training_tokens: f64,
    /// Adapter settings, used by LoRA and QLoRA.
    pub lora: Lora,
    /// Serving: tokens of the prompt.
    pub prompt_tokens: u32,
    /// Serving: tokens generated after it.
    pub generated_tokens: u32,
    /// Serving: sequences held at once.
    pub concurrency: u32,
    /// Serving: how the cache gets its memory.
    pub cache: CacheAllocation,
}

choices! {
    /// Train or serve.
    pub enum Task {
        /// Forward, backward and optimizer steps.
        #[default]
        Training = "task-training",
        /// Prompt processing and generation.
        Inference = "task-inference",
    }
}

choices! {
    /// How the key-value cache of served sequences gets its memory.
    pub enum CacheAllocation {
        /// It grows with every token, as in Hugging Face transformers.
        #[default]
        Grows = "cache-grows",
        /// In pages of a few tokens (vLLM, `SGLang`).
        Paged = "cache-paged",
        /// In advance, for the whole length.
        Static = "cache-static",
    }
}

choices! {
    /// Which parameters train.
    pub enum Method {
        /// All of them.
        Full = "method-full",
        /// Low-rank adapters beside frozen 16-bit weights.
        Lora = "method-lora",
        /// Low-rank adapters beside frozen quantised weights.
        #[default]
        Qlora = "method-qlora",
    }
}

/// Low-rank adapters: `W·x + (α/r)·B·A·x` with `A` of `r` rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lora {
    /// Rank `r`.
    pub rank: u32,
    /// Which linears get adapters.
    pub targets: LoraTargets,
    /// Number format of the adapters (peft's default is fp32).
    pub dtype: Dtype,
    /// Dropout before the adapters.
    pub dropout: f32,
    /// Embedding and head train in full as well.
    pub train_embeddings: bool,
}

choices! {
    /// Which linears get adapters.
    pub enum LoraTargets {
        /// Every linear of a block.
        #[default]
        AllLinear = "lora-targets-all-linear",
        /// All linears but the attention's output projection (the default of `fsdp_qlora`).
        AllButOutput = "lora-targets-all-but-output",
        /// All linears but the keys' projection (torchtune's default).
        AllButKey = "lora-targets-all-but-key",
        /// All attention projections.
        Attention = "lora-targets-attention",
        /// Queries, keys and values.
        Qkv = "lora-targets-qkv",
        /// Queries and values.
        QueryValue = "lora-targets-qv",
    }
}

impl Default for Lora {
    fn default() -> Self {
        Self {
            rank: 16,
            targets: LoraTargets::AllLinear,
            dtype: Dtype::Fp32,
            dropout: 0.0,
            train_embeddings: false,
        }
    }
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            task: Task::Training,
            method: Method::Qlora,
            sequence: 2048,
            micro_batch: 1,
            accumulation: 8,
            padded_mask: false,
            ones_mask: false,
            varying_lengths: false,
            training_tokens: 1e8,
            lora: Lora::default(),
            prompt_tokens: 2048,
            generated_tokens: 512,
            concurrency: 1,
            cache: CacheAllocation::Paged,
        }
    }
}

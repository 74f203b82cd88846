//! The columns of a case file and what their cells may hold.

use crate::message::Message;

/// What a cell may hold besides nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Anything.
    Text,
    /// A whole number.
    Count,
    /// A number that is not negative.
    Number,
    /// `yes` or `no`.
    YesNo,
    /// One of some words.
    Word(&'static [&'static str]),
    /// One of some words, or `other:` and a name.
    WordOrOther(&'static [&'static str]),
    /// Some of some words, separated by commas.
    Words(&'static [&'static str]),
    /// One of some words, or a whole number.
    WordOrCount(&'static [&'static str]),
    /// Some of some words, or a word ending in `:` and a whole number.
    WordsOrCounted(&'static [&'static str], &'static str),
}

impl Kind {
    /// What is wrong with a cell, if anything; cells may be empty.
    pub fn complaint(self, text: &str) -> Option<Message> {
        if text.is_empty() {
            return None;
        }
        let known = |words: &[&str], word: &str| words.contains(&word.trim());
        let count = || text.parse::<u32>().is_ok();
        let fine = match self {
            Self::Text => true,
            Self::Count => count(),
            Self::Number => {
                text.parse::<f64>().is_ok_and(|value| value.is_finite() && value >= 0.0)
            }
            Self::YesNo => known(YES_NO, text),
            Self::Word(words) => known(words, text),
            Self::WordOrOther(words) => {
                known(words, text)
                    || text.strip_prefix("other:").is_some_and(|name| !name.is_empty())
            }
            Self::Words(words) => text.split(',').all(|word| known(words, word)),
            Self::WordOrCount(words) => known(words, text) || count(),
            Self::WordsOrCounted(words, start) => {
                let counted =
                    text.strip_prefix(start).is_some_and(|number| number.parse::<u32>().is_ok());
                counted || text.split(',').all(|word| known(words, word))
            }
        };
        (!fine).then(|| self.expected(text))
    }

    /// The sentence about a cell that does not hold what it should.
    fn expected(self, text: &str) -> Message {
        let value = text.to_owned();
        let words = |words: &[&str]| {
            Message::new("cases-unknown-value")
                .with("value", value.clone())
                .with("known", words.join(", "))
        };
        match self {
            Self::Text | Self::Number => Message::new("cases-not-a-number").with("value", value),
            Self::Count => Message::new("cases-not-a-count").with("value", value),
            Self::YesNo => words(YES_NO),
            Self::Word(known) | Self::Words(known) | Self::WordOrCount(known) => words(known),
            Self::WordOrOther(known) => words(&[known, &["other:NAME"]].concat()),
            Self::WordsOrCounted(known, start) => {
                let counted = format!("{start}N");
                words(&[known, &[counted.as_str()]].concat())
            }
        }
    }
}

const YES_NO: &[&str] = &["yes", "no"];
const FLOATS: &[&str] = &["fp32", "bf16", "fp16"];

/// Every column that means something to the program.
pub(super) const COLUMNS: &[(&str, Kind)] = &[
    // What it is.
    ("id", Kind::Text),
    ("tier", Kind::Word(&["T", "A", "B", "C", "D"])),
    ("task", Kind::Word(&["pretrain", "finetune", "decode", "prefill"])),
    ("framework", Kind::WordOrOther(FRAMEWORKS)),
    // The model.
    ("hidden", Kind::Count),
    ("layers", Kind::Count),
    ("heads", Kind::Count),
    ("kv_heads", Kind::Count),
    ("head_dim", Kind::Count),
    ("ffn", Kind::Count),
    ("gated_mlp", Kind::YesNo),
    ("vocab", Kind::Count),
    ("tied", Kind::YesNo),
    ("experts", Kind::Count),
    ("topk", Kind::Count),
    ("expert_ffn", Kind::Count),
    ("shared_experts", Kind::Count),
    ("params", Kind::Number),
    ("layers_override", Kind::Count),
    // The machines.
    ("gpu_memory_gib", Kind::Number),
    ("gpu_bandwidth_gbps", Kind::Number),
    ("gpu_power_w", Kind::Number),
    ("gpu_power_limited", Kind::YesNo),
    ("gpus", Kind::Count),
    ("gpus_per_node", Kind::Count),
    ("nvlink", Kind::YesNo),
    ("internode_gbps", Kind::Number),
    ("collectives", Kind::Word(&["nccl", "rccl", "sdma"])),
    // How the work is divided.
    ("dp", Kind::Count),
    ("shard", Kind::Word(SHARDINGS)),
    ("reshard", Kind::YesNo),
    ("zero_group", Kind::Count),
    ("dp_replicate", Kind::Count),
    ("fsdp_version", Kind::Word(&["1", "2"])),
    ("fsdp_units", Kind::Word(&["layers"])),
    ("reduce_dtype", Kind::Word(FLOATS)),
    ("tp", Kind::Count),
    ("sp", Kind::YesNo),
    ("tp_overlap", Kind::YesNo),
    ("pp", Kind::Count),
    ("vpp", Kind::Count),
    ("schedule", Kind::Word(&["1f1b", "interleaved", "gpipe", "zb-h1", "zb-h2"])),
    ("pp_layout", Kind::Word(&["even", "first-last-one-less"])),
    ("cp", Kind::Count),
    ("cp_comm", Kind::Word(&["ring", "a2a"])),
    ("ep", Kind::Count),
    ("etp", Kind::Count),
    // Batch and lengths.
    ("micro_batch", Kind::Count),
    ("accum", Kind::Count),
    ("global_batch", Kind::Count),
    ("seq", Kind::Count),
    ("packing", Kind::Word(&["packed", "fixed", "padded", "truncated", "longest sample"])),
    ("prompt_len", Kind::Count),
    ("gen_len", Kind::Count),
    // What trains.
    ("method", Kind::WordOrOther(&["full", "lora", "qlora"])),
    ("lora_rank", Kind::Count),
    ("lora_targets", Kind::Words(LORA_TARGETS)),
    ("lora_dtype", Kind::Word(FLOATS)),
    ("lora_dropout", Kind::Number),
    ("modules_to_save", Kind::Words(&["none", "embedding", "head"])),
    ("trainable_params", Kind::Number),
    ("base_format", Kind::Word(super::formats::NAMES)),
    ("group_size", Kind::WordOrCount(&["per-channel"])),
    ("act_order", Kind::YesNo),
    ("quant_method", Kind::Word(&["hqq", "awq-hqq", "rtn", "gptq", "awq"])),
    // Number formats.
    ("param_dtype", Kind::Word(FLOATS)),
    ("compute_dtype", Kind::Word(&["fp32", "bf16", "fp16", "fp8", "fp4"])),
    ("grad_dtype", Kind::Word(FLOATS)),
    ("master_weights", Kind::YesNo),
    ("mixed_precision", Kind::Word(&["none", "autocast", "fsdp", "master"])),
    ("fp8_recipe", Kind::Word(RECIPES)),
    ("fp8_scope", Kind::Words(&["linears", "experts"])),
    ("fp8_allgather", Kind::YesNo),
    ("kv_dtype", Kind::Word(&["fp32", "bf16", "fp16", "fp8", "int8"])),
    // The optimizer.
    ("optimizer", Kind::Word(OPTIMIZERS)),
    ("state_dtype", Kind::Word(&["fp32", "bf16", "fp16", "int8", "fp8", "int4"])),
    ("optimizer_impl", Kind::Word(&["foreach", "fused", "forloop"])),
    ("opt_in_backward", Kind::YesNo),
    ("grad_clip", Kind::YesNo),
    ("set_to_none", Kind::YesNo),
    // What is recomputed or moved away.
    ("checkpointing", Kind::WordsOrCounted(CHECKPOINTINGS, "every:")),
    ("recompute_modules", Kind::WordsOrCounted(RECOMPUTED, "whole-layer:")),
    ("checkpoint_reentrant", Kind::YesNo),
    ("offload", Kind::Word(&["none", "optimizer", "optimizer+params", "activations"])),
    ("offload_activations", Kind::YesNo),
    ("offload_layers", Kind::Count),
    // Kernels and loss.
    ("attention", Kind::Word(&["flash", "eager", "sdpa", "cudnn", "efficient", "math"])),
    ("attention_impl", Kind::Word(&["fa2", "fa3", "te", "cudnn", "flex"])),
    ("padded_mask", Kind::YesNo),
    ("ones_mask", Kind::YesNo),
    ("dropout", Kind::Number),
    ("experts_impl", Kind::Word(&["te_grouped", "grouped_mm", "torch_mm", "gmm", "loop"])),
    ("router_balanced", Kind::YesNo),
    ("loss", Kind::Word(&["full", "full-16bit", "kernel", "chunked", "fused", "none"])),
    ("keep_logits", Kind::YesNo),
    ("loss_parallel", Kind::YesNo),
    ("compile", Kind::YesNo),
    ("compile_options", Kind::Word(&["buffer-reuse", "no-buffer-reuse"])),
    ("cuda_graphs", Kind::Words(GRAPHS)),
    ("allocator", Kind::Word(&["default", "expandable_segments"])),
    // Serving.
    ("kernel", Kind::Word(KERNELS)),
    ("batch_mode", Kind::Word(&["single", "static-batch", "continuous"])),
    ("kv_alloc", Kind::Word(&["dynamic", "paged", "static"])),
    // What was measured.
    ("stage", Kind::WordOrCount(&["max"])),
    ("memory_covers", Kind::Word(COVERED)),
    ("memory_unit_doubt", Kind::YesNo),
    ("memory_gb_reading_gib", Kind::Number),
    ("memory_seq", Kind::Count),
    ("allocated_gib", Kind::Number),
    ("active_gib", Kind::Number),
    ("reserved_gib", Kind::Number),
    ("device_gib", Kind::Number),
    ("unspecified_gib", Kind::Number),
    ("allocated_bytes", Kind::Number),
    ("static_bytes", Kind::Number),
    ("params_bytes", Kind::Number),
    ("optimizer_bytes", Kind::Number),
    ("grads_at_peak_bytes", Kind::Number),
    ("saved_bytes", Kind::Number),
    ("saved_per_layer_bytes", Kind::Number),
    ("head_saved_bytes", Kind::Number),
    ("kv_bytes", Kind::Number),
    ("prefill_peak_bytes", Kind::Number),
    ("decode_peak_bytes", Kind::Number),
    ("peak_moment", Kind::Word(&["forward", "backward", "optimizer"])),
    ("fits", Kind::YesNo),
    ("speed_metric", Kind::Word(SPEEDS)),
    ("speed_covers", Kind::Word(&["whole-run", "decode", "unknown"])),
    ("flops_convention", Kind::Word(&["full", "half", "none", "unknown"])),
    ("flops_frozen", Kind::Word(&["counted", "not-counted"])),
    ("tokens_per_s_per_gpu", Kind::Number),
    ("tflops_per_gpu", Kind::Number),
    ("mfu", Kind::Number),
    ("hfu", Kind::Number),
    ("step_s", Kind::Number),
    ("decode_tokens_per_s", Kind::Number),
    ("prefill_tokens_per_s", Kind::Number),
    ("achieved_gbps", Kind::Number),
];

const FRAMEWORKS: &[&str] = &[
    "torchtitan",
    "fsdp",
    "llm-foundry",
    "nemo",
    "hf",
    "ms-swift",
    "axolotl",
    "peft",
    "litgpt",
    "torchtune",
    "unsloth",
    "deepspeed",
    "megatron",
    "internevo",
    "vtrain",
    "traced-torch",
    "transformers",
    "vllm",
    "llama.cpp",
    "exllama",
    "gpt-fast",
    "mlc",
];
const SHARDINGS: &[&str] = &["none", "ddp", "distopt", "zero1", "zero2", "zero3", "fsdp", "hsdp"];
const LORA_TARGETS: &[&str] = &["all-linear", "qkv", "q", "k", "v", "o", "gate", "up", "down"];
const RECIPES: &[&str] = &[
    "current",
    "delayed",
    "tensorwise",
    "rowwise",
    "rowwise-gw-hp",
    "mxfp8",
    "mxfp8-rceil",
    "nvfp4",
];
const OPTIMIZERS: &[&str] = &[
    "adamw",
    "adam-amsgrad",
    "adamw8bit",
    "adamw4bit",
    "adamw-fp8",
    "adamw-paged",
    "adamw-paged8bit",
    "adafactor",
    "adagrad",
    "rmsprop",
    "sgd",
    "sgd-momentum",
    "lion",
    "lion8bit",
    "muon",
];
const CHECKPOINTINGS: &[&str] = &[
    "none",
    "full",
    "selective:attention",
    "selective:attention+alternate-matmul",
    "selective:attention+matmul",
    "selective:core-attention",
    "selective:modules",
];
const RECOMPUTED: &[&str] =
    &["core_attention", "layernorm", "moe_act", "moe", "mla_up_proj", "mlp", "shared_experts"];
const GRAPHS: &[&str] =
    &["yes", "no", "full-iteration", "mlp", "attn", "moe", "moe_router", "moe_preprocess", "mamba"];
const KERNELS: &[&str] = &[
    "gemm",
    "gemv",
    "exllama",
    "exllamav2",
    "inductor",
    "marlin",
    "bnb",
    "autogptq-cuda",
    "tinygemm",
    "scaled_mm",
];
const COVERED: &[&str] =
    &["training-step", "load-or-gather", "whole-run-including-prefill", "decode", "unknown"];
const SPEEDS: &[&str] = &[
    "tokens_per_s_per_gpu",
    "step_s",
    "tflops_per_gpu",
    "mfu",
    "hfu",
    "decode_tokens_per_s",
    "prefill_tokens_per_s",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_as_its_column_says() {
        assert_eq!(Kind::Count.complaint("8"), None, "a count");
        assert_eq!(Kind::Number.complaint(""), None, "cells may be empty");
        assert!(Kind::Count.complaint("8.5").is_some(), "counts are whole");
        assert!(Kind::Number.complaint("-1").is_some(), "nothing is negative");
        assert!(Kind::Number.complaint("NaN").is_some(), "nor undefined");
        assert!(Kind::YesNo.complaint("Yes").is_some(), "case matters");
    }

    #[test]
    fn lists_and_counted_words_are_understood() {
        let modules = Kind::WordsOrCounted(RECOMPUTED, "whole-layer:");
        assert_eq!(modules.complaint("layernorm,moe_act"), None, "a list");
        assert_eq!(modules.complaint("whole-layer:5"), None, "a number of blocks");
        assert!(modules.complaint("whole-layer:").is_some(), "without its number");
        assert_eq!(Kind::WordOrOther(FRAMEWORKS).complaint("other:llm.c"), None, "a rare one");
    }

    #[test]
    fn no_column_stands_twice() {
        let mut names: Vec<_> = COLUMNS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COLUMNS.len(), "each column once");
    }
}

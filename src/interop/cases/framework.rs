//! The software of a case file, as the planner knows it, with what applies where a row says nothing.
//!
//! | framework | profile | notes |
//! |---|---|---|
//! | torchtitan | FSDP2 | |
//! | fsdp, llm-foundry (flash-attn's loss on 16-bit logits unless stated), other:fms-fsdp, other:llama2-accessory | FSDP2 | FSDP's first version where the row says so |
//! | nemo | Megatron | `AutoModel` (full shard by FSDP2) is FSDP2 |
//! | hf, ms-swift, axolotl, peft, litgpt, torchtune, unsloth, other:paddlenlp, other:nanogpt, traced-torch | Hugging Face | with full shard FSDP2; with ZeRO stages and no FSDP `DeepSpeed` |
//! | deepspeed | `DeepSpeed` | |
//! | megatron, internevo, vtrain (Megatron-DeepSpeed), other:llm.c | Megatron | fused kernels, main gradients |
//! | transformers, litgpt, other:autoawq | Hugging Face | served step by step: the host launches every kernel; autoawq: fused modules |
//! | vllm, other:sglang, llama.cpp, exllama, gpt-fast, other:torchao, mlc | FSDP2 | served by lean loops: PyTorch's kernels without Hugging Face's launches |

use super::row::Row;
use crate::{
    catalogue::Dtype,
    plan::{AttentionKernel, CacheAllocation, LossKind, Profile, Sharding, StepKernel},
};

/// What applies where a row leaves a column empty.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the software")]
pub(super) struct Defaults {
    /// Whose training or serving loop.
    pub profile: Profile,
    /// `optimizer_impl`.
    pub step_kernel: StepKernel,
    /// `shard`.
    pub sharding: Sharding,
    /// `loss`.
    pub loss: LossKind,
    /// The loss kernel that the framework is known to use where the row's `loss` is only assumed.
    pub assumed_loss: Option<LossKind>,
    /// `keep_logits`.
    pub keep_logits: bool,
    /// `grad_clip`.
    pub clip_gradients: bool,
    /// `lora_dtype`.
    pub adapter_dtype: Dtype,
    /// `loss_parallel`: the vocabulary is divided over the tensor-parallel group.
    pub loss_parallel: bool,
    /// Serving makes the logits of every position of the prompt.
    pub all_logits: bool,
    /// `kv_alloc`.
    pub cache: CacheAllocation,
    /// `checkpoint_reentrant`.
    pub reentrant: bool,
    /// `attention`.
    pub attention: AttentionKernel,
    /// Serving runs fused modules, which count as compiled.
    pub fused_modules: bool,
    /// Serving replays captured steps.
    pub captured: bool,
}

/// Plain PyTorch: what the others differ from.
const PLAIN: Defaults = Defaults {
    profile: Profile::HuggingFace,
    step_kernel: StepKernel::Foreach,
    sharding: Sharding::None,
    loss: LossKind::Full,
    assumed_loss: None,
    keep_logits: false,
    clip_gradients: true,
    adapter_dtype: Dtype::Fp32,
    loss_parallel: false,
    all_logits: false,
    cache: CacheAllocation::Grows,
    reentrant: false,
    attention: AttentionKernel::Flash,
    fused_modules: false,
    captured: false,
};

/// Hugging Face's trainer and what is built on it.
const TRAINER: Defaults = Defaults { reentrant: true, ..PLAIN };

/// torchtitan: FSDP2, the logits' softmax divided under tensor parallelism.
const TITAN: Defaults =
    Defaults { profile: Profile::Fsdp2, sharding: Sharding::Zero3, loss_parallel: true, ..PLAIN };

/// First month in which torchtitan compiles its loss with the model, as it stands in `framework_version`.
///
/// Source: torchtitan's loss component, "compiling the loss function with torch.compile".
const TITAN_COMPILES_LOSS: &str = "torchtitan 2025-01";

/// Training loops that shard by FSDP and keep the model's output until the end of the step.
const FSDP: Defaults = Defaults { keep_logits: true, loss_parallel: false, ..TITAN };

/// llm-foundry: its models' default loss is flash-attn's cross-entropy, which keeps the 16-bit logits only.
///
/// Source: llm-foundry's MPT configuration, `loss_fn: fused_crossentropy`.
const FOUNDRY: Defaults =
    Defaults { loss: LossKind::Kernel, assumed_loss: Some(LossKind::Kernel), ..FSDP };

/// Megatron: fused optimizer and vocabulary-parallel loss.
const MEGATRON: Defaults = Defaults {
    profile: Profile::Megatron,
    step_kernel: StepKernel::Fused,
    loss: LossKind::Fused,
    loss_parallel: true,
    adapter_dtype: Dtype::Bf16,
    ..PLAIN
};

/// `InternEvo`: torch's AdamW over flat partitions.
const INTERNEVO: Defaults = Defaults {
    sharding: Sharding::Zero1,
    loss: LossKind::Full,
    step_kernel: StepKernel::Foreach,
    ..MEGATRON
};

/// torchtune and litgpt: adapters in the model's own format.
const RECIPES: Defaults = Defaults { adapter_dtype: Dtype::Bf16, ..PLAIN };

/// `AutoAWQ`: fused modules whose attention multiplies queries with keys, makes an fp32 copy of the scores
/// and takes its softmax.
///
/// Source: `AutoAWQ` 0.1.6, its fused attention module.
const AUTOAWQ: Defaults = Defaults {
    cache: CacheAllocation::Static,
    fused_modules: true,
    attention: AttentionKernel::Math,
    ..PLAIN
};

/// Serving by lean loops.
const LEAN: Defaults =
    Defaults { profile: Profile::Fsdp2, cache: CacheAllocation::Static, ..PLAIN };

/// Serving with pages.
const PAGED: Defaults = Defaults { cache: CacheAllocation::Paged, ..LEAN };

const TABLE: &[(&str, Defaults)] = &[
    ("torchtitan", TITAN),
    ("fsdp", FSDP),
    ("llm-foundry", FOUNDRY),
    ("other:fms-fsdp", FSDP),
    ("other:llama2-accessory", FSDP),
    ("nemo", Defaults { loss: LossKind::Full, ..MEGATRON }),
    ("hf", TRAINER),
    ("ms-swift", TRAINER),
    ("axolotl", TRAINER),
    ("peft", TRAINER),
    ("unsloth", TRAINER),
    ("other:paddlenlp", TRAINER),
    ("litgpt", RECIPES),
    ("torchtune", RECIPES),
    ("other:nanogpt", Defaults { keep_logits: true, step_kernel: StepKernel::Fused, ..PLAIN }),
    ("traced-torch", Defaults { clip_gradients: false, all_logits: true, ..PLAIN }),
    ("deepspeed", Defaults { profile: Profile::DeepSpeed, ..TRAINER }),
    ("megatron", Defaults { sharding: Sharding::Zero1, ..MEGATRON }),
    ("internevo", INTERNEVO),
    ("vtrain", Defaults { loss: LossKind::Full, ..MEGATRON }),
    ("other:llm.c", Defaults { sharding: Sharding::Zero1, clip_gradients: true, ..MEGATRON }),
    ("transformers", PLAIN),
    ("other:autoawq", AUTOAWQ),
    ("vllm", PAGED),
    ("other:sglang", PAGED),
    ("llama.cpp", LEAN),
    ("exllama", LEAN),
    ("gpt-fast", LEAN),
    ("other:torchao", LEAN),
    ("mlc", Defaults { captured: true, ..LEAN }),
];

/// Defaults of a row's framework, plain PyTorch's for one that the table lacks.
///
/// The profile follows from how the row shards where a framework can do it in several ways.
pub(super) fn defaults(row: &Row<'_>) -> Defaults {
    let name = row.text("framework");
    let known = TABLE.iter().find(|(known, _)| *known == name);
    let mut defaults = known.map_or(PLAIN, |&(_, defaults)| defaults);
    let by_fsdp = row.stated("fsdp_version").is_some();
    let full_shard = matches!(row.text("shard"), "fsdp" | "hsdp");
    let by_zero = matches!(row.text("shard"), "zero1" | "zero2" | "zero3");
    // Versions are dates, which compare as texts do.
    let version = row.text("framework_version");
    let compiles = row.yes("compile") == Some(true) && version.starts_with("torchtitan");
    if compiles && version >= TITAN_COMPILES_LOSS {
        defaults.assumed_loss = Some(LossKind::Kernel);
    }
    let composed = row.text("attention") == "sdpa";
    match defaults.profile {
        // torch's own choice of an attention kernel: the models are torch's modules, not Transformer Engine's.
        Profile::Megatron if composed => {
            defaults = Defaults { profile: Profile::HuggingFace, ..PLAIN }
        }
        Profile::HuggingFace if full_shard || by_fsdp => defaults.profile = Profile::Fsdp2,
        // The traced scripts shard the states alone, by torch's own optimizer wrapper.
        Profile::HuggingFace if by_zero && name != "traced-torch" => {
            defaults.profile = Profile::DeepSpeed;
        }
        Profile::Megatron if full_shard && by_fsdp => defaults.profile = Profile::Fsdp2,
        _ => {}
    }
    defaults
}

/// What the data-parallel ranks divide.
pub(super) fn sharding(name: &str, default: Sharding) -> Sharding {
    match name {
        "none" | "ddp" => Sharding::None,
        "distopt" | "zero1" => Sharding::Zero1,
        "zero2" => Sharding::Zero2,
        "zero3" | "fsdp" | "hsdp" => Sharding::Zero3,
        _ => default,
    }
}

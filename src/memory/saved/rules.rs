//! What decides which tensors a layer saves: number formats, what trains, kernels and style.

use super::tensor::Divisors;
use crate::{
    catalogue::{Activation, Architecture, Dtype, Norm, Positions},
    plan::{
        AttentionKernel, ContextExchange, LoraTargets, Method, MixedPrecision, Profile,
        RecomputedModules, Resolved, WeightFormat,
    },
};

/// Everything a saved-tensor table depends on.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a plan")]
pub(crate) struct Rules<'a> {
    /// The model.
    pub arch: &'a Architecture,
    /// Sequence length seen by attention on this rank, `s`.
    pub sequence: u64,
    /// Number formats.
    pub numbers: Numbers,
    /// The layers' own weights train.
    pub base_trains: bool,
    /// The token embedding trains, and so the first block's input needs a gradient.
    pub embedding_trains: bool,
    /// Adapters, if any.
    pub adapters: Option<Adapters>,
    /// Attention kernel.
    pub attention: AttentionKernel,
    /// Whose kernels.
    pub style: Style,
    /// The model's dropout is active.
    pub dropout: bool,
    /// The model's dropout on attention's probabilities is active.
    pub attention_dropout: bool,
    /// The model's dropout behind the embedding is active.
    pub embedding_dropout: bool,
    /// Attention runs with a padding mask.
    pub padded_mask: bool,
    /// Ranks that divide the vocabulary of the logits.
    pub logit_ways: u64,
    /// The loss divides its log-probabilities, but works on whole fp32 logits and gradients on the way.
    pub gathers_logits: bool,
    /// Context parallelism by ring attention.
    pub ring_attention: bool,
    /// Modules that [`crate::plan::CheckpointPolicy::Modules`] recomputes.
    pub recomputed: RecomputedModules,
    /// Degrees that divide tensors.
    pub divisors: Divisors,
}

/// Number formats of activations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Bytes of a matrix product's output.
    pub act_bytes: u64,
    /// Bytes of the residual stream.
    pub residual_bytes: u64,
    /// fp32 weights are cast operation by operation.
    pub autocast: bool,
}

/// Low-rank adapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Adapters {
    /// Rank `r`.
    pub rank: u64,
    /// Bytes of an adapter's element.
    pub bytes: u64,
    /// Which linears have one.
    pub targets: LoraTargets,
    /// Dropout before them.
    pub dropout: bool,
}

/// Whose kernels run a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Elementwise operations one by one, as the Hugging Face models write them.
    Composed,
    /// Fused norms and activations: Transformer Engine, or a compiled model.
    Fused,
}

/// A linear layer of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linear {
    /// Query projection.
    Query,
    /// Key projection.
    Key,
    /// Value projection.
    Value,
    /// The three in one matrix.
    Qkv,
    /// Attention's output projection.
    Out,
    /// Gate of the feed-forward block.
    Gate,
    /// Up projection.
    Up,
    /// Gate and up in one matrix.
    GateUp,
    /// Down projection.
    Down,
}

impl Adapters {
    /// Whether a linear has an adapter.
    pub const fn on(&self, linear: Linear) -> bool {
        use Linear::{Key, Out, Qkv, Query, Value};
        match self.targets {
            LoraTargets::AllLinear => true,
            LoraTargets::AllButOutput => !matches!(linear, Out),
            LoraTargets::AllButKey => !matches!(linear, Key),
            LoraTargets::Attention => matches!(linear, Query | Key | Value | Qkv | Out),
            LoraTargets::Qkv => matches!(linear, Query | Key | Value | Qkv),
            LoraTargets::QueryValue => matches!(linear, Query | Value | Qkv),
        }
    }
}

impl Numbers {
    /// Formats of a training plan's activations.
    pub fn of(plan: &Resolved<'_>) -> Self {
        let precision = &plan.plan.precision;
        let wide_params = match plan.plan.workload.method {
            Method::Full => precision.param_dtype == Dtype::Fp32,
            Method::Lora | Method::Qlora => precision.weight_format == WeightFormat::Fp32,
        };
        match precision.mixed {
            MixedPrecision::Autocast if wide_params => {
                Self { act_bytes: 2, residual_bytes: 4, autocast: true }
            }
            MixedPrecision::None if wide_params && precision.compute_dtype == Dtype::Fp32 => {
                Self { act_bytes: 4, residual_bytes: 4, autocast: false }
            }
            _ => Self { act_bytes: 2, residual_bytes: 2, autocast: false },
        }
    }
}

impl<'a> Rules<'a> {
    /// The rules of a training plan.
    pub fn of(plan: &Resolved<'a>) -> Self {
        let Resolved { plan: wanted, arch, layout, .. } = *plan;
        let workload = &wanted.workload;
        let megatron = wanted.framework.profile == Profile::Megatron;
        let sequence_parallel = wanted.parallelism.sequence_parallel && layout.tensor > 1;
        let lora = &workload.lora;
        Self {
            arch,
            sequence: u64::from(workload.sequence),
            numbers: Numbers::of(plan),
            base_trains: workload.method == Method::Full,
            embedding_trains: workload.method == Method::Full || lora.train_embeddings,
            adapters: (workload.method != Method::Full).then(|| Adapters {
                rank: u64::from(lora.rank),
                bytes: lora.dtype.bytes(),
                targets: lora.targets,
                dropout: lora.dropout > 0.0,
            }),
            attention: wanted.framework.attention,
            style: if megatron || wanted.framework.compile {
                Style::Fused
            } else {
                Style::Composed
            },
            dropout: wanted.framework.dropout && arch.dropout > 0.0,
            attention_dropout: wanted.framework.dropout && arch.attention_dropout > 0.0,
            embedding_dropout: wanted.framework.dropout && arch.embedding_dropout > 0.0,
            padded_mask: workload.padded_mask,
            logit_ways: if wanted.parallelism.loss_parallel { layout.tensor } else { 1 },
            gathers_logits: wanted.framework.profile == Profile::HuggingFace
                && wanted.parallelism.loss_parallel
                && layout.tensor > 1,
            ring_attention: layout.context > 1
                && wanted.parallelism.context_exchange == ContextExchange::Ring,
            recomputed: wanted.checkpointing.modules,
            divisors: Divisors {
                tensor: layout.tensor,
                sequence: if sequence_parallel { layout.tensor } else { 1 },
                expert: layout.expert_tensor,
            },
        }
    }

    /// Bytes of one probability where eager attention computes its softmax.
    ///
    /// The Hugging Face models compute it in fp32, GPT-2 in the activations' format; autocast turns
    /// any softmax into fp32.
    pub fn softmax_bytes(&self) -> u64 {
        let arch = self.arch;
        let gpt2 = matches!(arch.positions, Positions::Learned { .. })
            && arch.activation == Activation::GeluNew;
        if arch.attention_sinks && !self.numbers.autocast {
            self.numbers.act_bytes // the sink is one more score in the activations' format
        } else if self.numbers.autocast || (self.style == Style::Composed && !gpt2) {
            4
        } else {
            self.numbers.act_bytes
        }
    }

    /// Hidden width `h`.
    pub const fn hidden(&self) -> u64 {
        self.arch.hidden as u64
    }

    /// Bytes of a norm's statistics per token: one value for RMSNorm, mean and deviation for LayerNorm.
    pub const fn norm_stats(&self) -> u64 {
        match self.arch.norm {
            Norm::RmsNorm | Norm::RmsNormOffset | Norm::RmsNormWide => 1,
            Norm::LayerNorm | Norm::LayerNormNoBias => 2,
        }
    }
}

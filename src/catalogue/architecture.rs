//! The shape of a transformer: every field that changes how many parameters it has, what it keeps
//! for backward, or how much work a token costs.

use serde::{Deserialize, Serialize};

/// A decoder (or encoder) transformer, as its configuration file describes it.
///
/// Symbols used by the equations: `h` hidden, `L` layers, `a` heads, `g` key-value heads, `d` head
/// dimension, `f` feed-forward width, `V` vocabulary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, as in the configuration files"
)]
pub struct Architecture {
    /// Width of the residual stream, `h`.
    pub hidden: u32,
    /// Number of transformer blocks, `L`.
    pub layers: u32,
    /// Query heads, `a`.
    pub heads: u32,
    /// Key-value heads, `g` (equal to `heads` without grouped queries).
    pub kv_heads: u32,
    /// Head dimension, `d`; not always `h / a`. With latent attention `d_n + d_r`, see [`Mla`].
    pub head_dim: u32,
    /// Width of the (dense) feed-forward block, `f`.
    pub ffn: u32,
    /// Three matrices (gate, up, down) instead of two.
    pub gated_mlp: bool,
    /// Activation function of the feed-forward block.
    #[serde(default)]
    pub activation: Activation,
    /// Rows of the token embedding, `V`.
    pub vocab: u32,
    /// The output head shares the embedding's weights.
    pub tied: bool,
    /// There is an output head at all (encoders have none).
    #[serde(default = "yes")]
    pub head: bool,
    /// Longest sequence the model was made for, 0 if unknown.
    #[serde(default)]
    pub max_positions: u32,
    /// Kind of the normalisation layers.
    #[serde(default)]
    pub norm: Norm,
    /// Where a block normalises.
    #[serde(default)]
    pub norm_placement: NormPlacement,
    /// A norm after the last block.
    #[serde(default = "yes")]
    pub final_norm: bool,
    /// A norm right after the token embedding (BLOOM).
    #[serde(default)]
    pub embedding_norm: bool,
    /// Norms on queries and keys.
    #[serde(default)]
    pub qk_norm: QkNorm,
    /// How positions enter.
    #[serde(default)]
    pub positions: Positions,
    /// Which linears carry a bias.
    #[serde(default)]
    pub biases: Biases,
    /// One learned sink per query head (gpt-oss).
    #[serde(default)]
    pub attention_sinks: bool,
    /// Queries, keys and values are one fused matrix.
    #[serde(default)]
    pub fused_qkv: bool,
    /// Gate and up are one fused matrix.
    #[serde(default)]
    pub fused_gate_up: bool,
    /// Embedding width where it differs from `hidden`, with projections in and out (OPT-350M).
    #[serde(default)]
    pub embedding_dim: Option<u32>,
    /// Dropout probability on the residual stream in training, as the model's own configuration has it.
    #[serde(default)]
    pub dropout: f32,
    /// Dropout probability on the attention weights (GPT-2).
    #[serde(default)]
    pub attention_dropout: f32,
    /// Dropout probability behind the token embedding (GPT-2, BERT).
    #[serde(default)]
    pub embedding_dropout: f32,
    /// A tanh soft cap on attention scores (Gemma 2).
    #[serde(default)]
    pub attention_softcap: bool,
    /// A tanh soft cap on the logits (Gemma 2).
    #[serde(default)]
    pub final_softcap: bool,
    /// Sliding-window attention.
    #[serde(default)]
    pub window: Option<Window>,
    /// Mixture of experts.
    #[serde(default)]
    pub moe: Option<Moe>,
    /// Multi-head latent attention (`DeepSeek`).
    #[serde(default)]
    pub mla: Option<Mla>,
}

/// Activation function of the feed-forward block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activation {
    /// x·sigmoid(x), one fused kernel.
    #[default]
    Silu,
    /// GELU as one fused kernel (exact or tanh).
    Gelu,
    /// GELU written out in elementwise operations (GPT-2's `gelu_new`).
    GeluNew,
    /// max(x, 0).
    Relu,
}

/// Kind of the normalisation layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Norm {
    /// Root mean square, one weight vector.
    #[default]
    RmsNorm,
    /// The same with the weight stored as its difference from one and applied in fp32 (Gemma).
    RmsNormOffset,
    /// Root mean square, the weight applied in fp32 before the result is cast (`OLMo` 2, gpt-oss).
    RmsNormWide,
    /// Mean and variance, weight and bias.
    LayerNorm,
    /// Mean and variance, weight only (MPT).
    LayerNormNoBias,
}

impl Norm {
    /// The normalised tensor is multiplied by the weight in fp32, and kept so for backward.
    #[must_use]
    pub const fn weight_in_fp32(self) -> bool {
        matches!(self, Self::RmsNormOffset | Self::RmsNormWide)
    }
}

/// Where a block normalises, and so how many norms it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NormPlacement {
    /// Before attention and before the feed-forward block: two.
    #[default]
    Pre,
    /// After attention and after the feed-forward block: two (`OLMo` 2, OPT-350M).
    Post,
    /// Before and after both: four (Gemma 2 and 3).
    Sandwich,
    /// Attention and feed-forward in parallel behind one shared norm (Falcon-7B, Phi-2, GPT-J).
    ParallelShared,
    /// Attention and feed-forward in parallel behind a norm each (Falcon-40B, GPT-NeoX).
    ParallelSeparate,
}

/// Norms on queries and keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QkNorm {
    /// None.
    #[default]
    None,
    /// Over each head's dimension, weights of size `d` (Qwen 3, Gemma 3).
    PerHead,
    /// Over all heads together, weights of size `a·d` and `g·d` (`OLMo` 2, `OLMoE`).
    AllHeads,
}

/// How positions enter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Positions {
    /// Rotary embedding of queries and keys; no parameters.
    #[default]
    Rotary,
    /// A learned table with so many rows.
    Learned {
        /// Rows of the table.
        rows: u32,
    },
    /// Linear biases on the scores; no parameters.
    Alibi,
    /// None.
    None,
}

/// Which linears carry a bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, as in the configuration files"
)]
pub struct Biases {
    /// Query, key and value projections.
    pub qkv: bool,
    /// The attention's output projection.
    pub attention_out: bool,
    /// The feed-forward block's matrices (of the experts too, where there are any).
    pub mlp: bool,
    /// The output head.
    pub head: bool,
    /// The router.
    pub router: bool,
}

/// Sliding-window attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// Tokens that a sliding layer looks back.
    pub size: u32,
    /// Layers that slide; the others see everything.
    pub sliding_layers: u32,
}

/// Mixture of experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moe {
    /// Routed experts, `E`.
    pub experts: u32,
    /// Experts per token, `k`.
    pub topk: u32,
    /// Width of one routed expert, `f_m`.
    pub expert_ffn: u32,
    /// Width of the shared experts together (0 for none).
    #[serde(default)]
    pub shared_ffn: u32,
    /// The first so many blocks are dense.
    #[serde(default)]
    pub first_dense: u32,
}

/// Multi-head latent attention: low-rank queries and a compressed key-value latent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mla {
    /// Rank of the query compression, none if queries are projected directly.
    #[serde(default)]
    pub q_lora_rank: Option<u32>,
    /// Rank of the key-value compression: what the cache keeps.
    pub kv_lora_rank: u32,
    /// Per-head query and key dimension without positions, `d_n`.
    pub qk_nope_dim: u32,
    /// Per-head query and key dimension with rotary positions, `d_r`.
    pub qk_rope_dim: u32,
    /// Per-head value dimension, `d_v`.
    pub v_dim: u32,
}

const fn yes() -> bool {
    true
}

impl Architecture {
    /// `A = a·d`: width of all query heads.
    #[must_use]
    pub fn query_width(&self) -> u64 {
        match &self.mla {
            Some(mla) => {
                let width = u64::from(mla.qk_nope_dim) + u64::from(mla.qk_rope_dim);
                u64::from(self.heads).saturating_mul(width)
            }
            None => u64::from(self.heads) * u64::from(self.head_dim),
        }
    }

    /// `K = g·d`: width of all key (or value) heads.
    #[must_use]
    pub fn kv_width(&self) -> u64 {
        u64::from(self.kv_heads) * u64::from(self.head_dim)
    }

    /// Width of the feed-forward block that one token passes through: `f`, or `k·f_m + f_s` with experts.
    #[must_use]
    pub fn mlp_width(&self, with_experts: bool) -> u64 {
        match self.moe {
            Some(moe) if with_experts => {
                u64::from(moe.topk) * u64::from(moe.expert_ffn) + u64::from(moe.shared_ffn)
            }
            _ => u64::from(self.ffn),
        }
    }

    /// Blocks with routed experts.
    #[must_use]
    pub fn moe_layers(&self) -> u32 {
        self.moe.map_or(0, |moe| self.layers.saturating_sub(moe.first_dense))
    }

    /// Blocks without routed experts.
    #[must_use]
    pub fn dense_layers(&self) -> u32 {
        self.layers - self.moe_layers()
    }

    /// Blocks with sliding-window attention.
    #[must_use]
    pub fn sliding_layers(&self) -> u32 {
        self.window.map_or(0, |window| window.sliding_layers.min(self.layers))
    }
}

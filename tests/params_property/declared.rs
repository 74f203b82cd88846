//! Shapes as the modules declare them, random sizes, and the planner's description of the same size.

use proptest::prelude::*;
use vramplan::{
    catalogue::{Activation, Architecture, Biases, Norm, NormPlacement, Positions, QkNorm},
    memory::params::count,
};

/// Shapes of all parameters of one model.
#[derive(Debug, Default)]
pub struct Declared {
    pub shapes: Vec<Vec<u64>>,
    pub routed: u64,
}

impl Declared {
    pub fn parameter(&mut self, shape: &[u64]) {
        self.shapes.push(shape.to_vec());
    }

    /// `nn.Linear(inputs, outputs, bias)`.
    pub fn linear(&mut self, inputs: u64, outputs: u64, bias: bool) {
        self.parameter(&[outputs, inputs]);
        if bias {
            self.parameter(&[outputs]);
        }
    }

    /// `Conv1D(outputs, inputs)` of GPT-2.
    pub fn conv1d(&mut self, outputs: u64, inputs: u64) {
        self.parameter(&[inputs, outputs]);
        self.parameter(&[outputs]);
    }

    /// `nn.Embedding(rows, width)`.
    pub fn embedding(&mut self, rows: u64, width: u64) {
        self.parameter(&[rows, width]);
    }

    /// `LlamaRMSNorm(width)`.
    pub fn rms_norm(&mut self, width: u64) {
        self.parameter(&[width]);
    }

    /// `nn.LayerNorm(width)`.
    pub fn layer_norm(&mut self, width: u64) {
        self.parameter(&[width]);
        self.parameter(&[width]);
    }

    /// `LlamaMLP`.
    pub fn gated_mlp(&mut self, hidden: u64, width: u64, bias: bool) {
        self.linear(hidden, width, bias);
        self.linear(hidden, width, bias);
        self.linear(width, hidden, bias);
    }

    /// `MixtralExperts` or `GptOssExperts`: two stacked tensors, or four.
    pub fn experts(&mut self, experts: u64, hidden: u64, width: u64, bias: bool) {
        let before = self.total();
        self.parameter(&[experts, 2 * width, hidden]);
        self.parameter(&[experts, hidden, width]);
        if bias {
            self.parameter(&[experts, 2 * width]);
            self.parameter(&[experts, hidden]);
        }
        self.routed += self.total() - before;
    }

    pub fn total(&self) -> u64 {
        self.shapes.iter().map(|shape| shape.iter().product::<u64>()).sum()
    }

    pub fn tensors(&self) -> u64 {
        self.shapes.len() as u64
    }
}

/// Numbers that every family shares.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub hidden: u32,
    pub layers: u32,
    pub groups: u32,
    pub queries_per_group: u32,
    pub head_dim: u32,
    pub ffn: u32,
    pub vocab: u32,
    pub rows: u32,
    pub tied: bool,
}

impl Size {
    pub fn heads(self) -> u32 {
        self.groups * self.queries_per_group
    }

    /// The same with `h = a·d` and as many key-value heads as heads, as the older families have it.
    pub fn classic(mut self) -> Self {
        self.groups *= self.queries_per_group;
        self.queries_per_group = 1;
        self.hidden = self.groups * self.head_dim;
        self
    }

    pub fn wide(self) -> [u64; 7] {
        [self.hidden, self.layers, self.heads(), self.groups, self.head_dim, self.ffn, self.vocab]
            .map(u64::from)
    }
}

prop_compose! {
    pub fn size()(
        hidden in 1_u32..3000, layers in 1_u32..40, groups in 1_u32..20, queries_per_group in 1_u32..8,
        head_dim in 1_u32..200, ffn in 1_u32..9000, vocab in 1_u32..60_000, rows in 1_u32..5000,
        tied: bool,
    ) -> Size {
        Size { hidden, layers, groups, queries_per_group, head_dim, ffn, vocab, rows, tied }
    }
}

/// A plain Llama of this size; the tests change what their family has otherwise.
pub fn llama_architecture(size: Size) -> Architecture {
    Architecture {
        hidden: size.hidden,
        layers: size.layers,
        heads: size.heads(),
        kv_heads: size.groups,
        head_dim: size.head_dim,
        ffn: size.ffn,
        gated_mlp: true,
        activation: Activation::Silu,
        vocab: size.vocab,
        tied: size.tied,
        head: true,
        max_positions: 0,
        norm: Norm::RmsNorm,
        norm_placement: NormPlacement::Pre,
        final_norm: true,
        embedding_norm: false,
        qk_norm: QkNorm::None,
        positions: Positions::Rotary,
        biases: Biases::default(),
        attention_sinks: false,
        fused_qkv: false,
        fused_gate_up: false,
        embedding_dim: None,
        dropout: 0.0,
        attention_dropout: 0.0,
        embedding_dropout: 0.0,
        attention_softcap: false,
        final_softcap: false,
        window: None,
        moe: None,
        mla: None,
    }
}

/// The older families: two matrices, layer norms.
pub fn classic_architecture(size: Size, biases: Biases) -> Architecture {
    Architecture { gated_mlp: false, norm: Norm::LayerNorm, biases, ..llama_architecture(size) }
}

pub const ALL_BUT_HEAD: Biases =
    Biases { qkv: true, attention_out: true, mlp: true, head: false, router: false };

pub fn agree(arch: &Architecture, declared: &Declared) -> Result<(), TestCaseError> {
    let counts = count(arch);
    prop_assert_eq!(counts.total, declared.total(), "total");
    prop_assert_eq!(counts.tensors, declared.tensors(), "number of tensors");
    let idle = arch.moe.map_or(0, |moe| {
        declared.routed / u64::from(moe.experts) * u64::from(moe.experts - moe.topk)
    });
    prop_assert_eq!(counts.active, declared.total() - idle, "active");
    Ok(())
}

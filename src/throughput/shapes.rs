//! Matrix products of a block, by shape.

use crate::catalogue::{Architecture, Moe};

/// How tensor parallelism divides the weights of a product.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Split {
    /// By outputs.
    #[default]
    Column,
    /// By inputs.
    Row,
    /// Not at all.
    Whole,
}

/// One weight matrix of `outputs × inputs`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Product {
    /// Width of what comes out; 0 for a product that the block does not have.
    pub outputs: f64,
    /// Width of what goes in.
    pub inputs: f64,
    /// How tensor parallelism divides it.
    pub split: Split,
}

impl Product {
    const fn new(outputs: f64, inputs: f64, split: Split) -> Self {
        Self { outputs, inputs, split }
    }

    /// Weights of the whole matrix.
    pub(super) fn weights(&self) -> f64 {
        self.outputs * self.inputs
    }

    /// The part of one of `degree` tensor-parallel ranks.
    pub(super) fn divided(&self, degree: f64) -> Self {
        match self.split {
            Split::Column => Self { outputs: self.outputs / degree, ..*self },
            Split::Row => Self { inputs: self.inputs / degree, ..*self },
            Split::Whole => *self,
        }
    }
}

/// Projections of attention: queries, keys with values, output; with latent attention two more.
pub(super) fn attention(arch: &Architecture) -> [Product; 5] {
    let absent = Product::default();
    let hidden = f64::from(arch.hidden);
    let queries = arch.query_width() as f64;
    let Some(mla) = arch.mla else {
        return [
            Product::new(queries, hidden, Split::Column),
            Product::new(2.0 * arch.kv_width() as f64, hidden, Split::Column),
            Product::new(hidden, queries, Split::Row),
            absent,
            absent,
        ];
    };
    let heads = f64::from(arch.heads);
    let [rank, plain, rotary, value] =
        [mla.kv_lora_rank, mla.qk_nope_dim, mla.qk_rope_dim, mla.v_dim].map(f64::from);
    let query_rank = mla.q_lora_rank.map_or(0.0, f64::from);
    let direct = query_rank <= 0.0;
    [
        Product::new(query_rank, hidden, Split::Whole),
        Product::new(queries, if direct { hidden } else { query_rank }, Split::Column),
        Product::new(rank + rotary, hidden, Split::Whole),
        Product::new(heads * (plain + value), rank, Split::Column),
        Product::new(hidden, heads * value, Split::Row),
    ]
}

/// Width of all value heads: what the output projection reads.
pub(super) fn value_width(arch: &Architecture) -> f64 {
    match arch.mla {
        Some(mla) => f64::from(arch.heads) * f64::from(mla.v_dim),
        None => arch.query_width() as f64,
    }
}

/// A feed-forward block of some width: up (with gate) and down.
pub(super) fn feed_forward(arch: &Architecture, width: u32) -> [Product; 2] {
    let (hidden, width) = (f64::from(arch.hidden), f64::from(width));
    let up = if arch.gated_mlp { 2.0 * width } else { width };
    [Product::new(up, hidden, Split::Column), Product::new(hidden, width, Split::Row)]
}

/// The router of a mixture of experts.
pub(super) fn router(arch: &Architecture, moe: &Moe) -> Product {
    Product::new(f64::from(moe.experts), f64::from(arch.hidden), Split::Whole)
}

/// The output head; nothing for encoders.
pub(super) fn head(arch: &Architecture) -> Product {
    if !arch.head {
        return Product::default();
    }
    let width = arch.embedding_dim.unwrap_or(arch.hidden);
    Product::new(f64::from(arch.vocab), f64::from(width), Split::Column)
}

/// Weights of matrices, counted from the shapes; norms and biases are left out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    /// Attention of one block.
    pub attention: f64,
    /// Feed-forward part of a dense block.
    pub dense: f64,
    /// Router and shared experts of a block with experts.
    pub shared: f64,
    /// One routed expert.
    pub expert: f64,
    /// Token embedding.
    pub embedding: f64,
    /// Output head, tied or not.
    pub head: f64,
}

impl Weights {
    /// Counts them.
    pub(super) fn of(arch: &Architecture) -> Self {
        let total = |products: &[Product]| products.iter().map(Product::weights).sum::<f64>();
        let (shared, expert) = arch.moe.map_or((0.0, 0.0), |moe| {
            let shared = total(&feed_forward(arch, moe.shared_ffn));
            (shared + router(arch, &moe).weights(), total(&feed_forward(arch, moe.expert_ffn)))
        });
        Self {
            attention: total(&attention(arch)),
            dense: total(&feed_forward(arch, arch.ffn)),
            shared,
            expert,
            embedding: f64::from(arch.vocab) * f64::from(arch.embedding_dim.unwrap_or(arch.hidden)),
            head: head(arch).weights(),
        }
    }

    /// Weights of blocks that one token passes through.
    pub(super) fn active_blocks(&self, arch: &Architecture) -> f64 {
        let topk = arch.moe.map_or(0.0, |moe| f64::from(moe.topk));
        f64::from(arch.layers) * self.attention
            + f64::from(arch.dense_layers()) * self.dense
            + f64::from(arch.moe_layers()) * (self.shared + topk * self.expert)
    }
}

//! Parameters: every tensor of a model with its shape, and exact totals.
//!
//! The tensors are those of the Hugging Face implementations: their names, shapes and number (a
//! fused matrix is one tensor, the experts of a layer are one stacked tensor a matrix). Nothing here
//! allocates; one layer takes some tens of nanoseconds.
//!
//! Symbols: `h` hidden, `a` heads, `g` key-value heads, `d` head dimension, `f` feed-forward width,
//! `V` vocabulary, `E` experts, `f_m` width of one expert, `e` embedding width (`h` unless it differs).
//! Shapes are written rows × columns, rows being the outputs.

mod attention;
mod feed_forward;

use crate::{
    catalogue::{Architecture, Norm, NormPlacement, Positions},
    plan::choices,
};

/// One parameter tensor of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamTensor {
    /// Name inside its module, such as `q_proj.weight`.
    pub name: &'static str,
    /// What kind of module it belongs to.
    pub module: ModuleKind,
    /// Dimension 0 (the outputs of a matrix, the length of a vector).
    pub rows: u64,
    /// Dimension 1 (the inputs of a matrix), 1 for vectors.
    pub cols: u64,
    /// Leading dimension of a stacked tensor: `E` for the routed experts, else 1. It is one tensor
    /// all the same.
    pub copies: u64,
    /// How tensor parallelism divides it.
    pub split: TpSplit,
}

/// What kind of module a parameter belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModuleKind {
    /// Token embedding and its projection.
    Embedding,
    /// Table of learned positions.
    Position,
    /// Projections of attention, and its sinks.
    Attention,
    /// Matrices of a dense feed-forward block.
    Mlp,
    /// Router of a mixture of experts.
    Router,
    /// Routed experts.
    Expert,
    /// Shared experts.
    SharedExpert,
    /// Any norm.
    Norm,
    /// Output head and its projection.
    Head,
}

/// How tensor parallelism in Megatron's manner divides a tensor.
///
/// Source: Shoeybi et al. 2019, arXiv:1909.08053, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TpSplit {
    /// By outputs (rows), bias included.
    Column,
    /// By inputs (columns).
    Row,
    /// By entries of the vocabulary (rows).
    Vocab,
    /// Whole on every rank: norms, router, biases of row-parallel matrices, latent down-projections.
    Replicated,
}

choices! {
    /// Kind of transformer block, as far as parameters go.
    pub enum LayerKind {
        /// Dense feed-forward block.
        #[default]
        Dense = "layer-dense",
        /// Router, routed experts and perhaps shared ones.
        Moe = "layer-moe",
    }
}

impl ParamTensor {
    /// Elements of the whole tensor, all copies.
    ///
    /// ```text
    /// n = copies × rows × cols
    /// ```
    #[must_use]
    pub const fn elements(&self) -> u64 {
        self.rows.saturating_mul(self.cols).saturating_mul(self.copies)
    }

    /// Whether it is a matrix (or a stack of them) and not a vector.
    #[must_use]
    pub const fn is_matrix(&self) -> bool {
        self.rows > 1 && self.cols > 1
    }

    /// Whether it is the stacked tensor of all routed experts of a layer.
    #[must_use]
    pub const fn is_stacked(&self) -> bool {
        matches!(self.module, ModuleKind::Expert)
    }
}

/// Receives the tensors; saves repeating the module and the defaults.
struct Emit<'a, F>(&'a mut F);

impl<F: FnMut(ParamTensor)> Emit<'_, F> {
    /// One matrix of `rows` outputs and `cols` inputs.
    fn matrix(&mut self, name: &'static str, module: ModuleKind, shape: [u64; 2], split: TpSplit) {
        let [rows, cols] = shape;
        (self.0)(ParamTensor { name, module, rows, cols, copies: 1, split });
    }

    /// One vector.
    fn vector(&mut self, name: &'static str, module: ModuleKind, rows: u64, split: TpSplit) {
        self.matrix(name, module, [rows, 1], split);
    }

    /// A norm over `width`: one weight vector, and a bias for [`Norm::LayerNorm`].
    ///
    /// ```text
    /// n = width            (RMSNorm, LayerNorm without bias)
    /// n = 2·width          (LayerNorm)
    /// ```
    fn norm(&mut self, [weight, bias]: [&'static str; 2], kind: Norm, width: u64) {
        self.vector(weight, ModuleKind::Norm, width, TpSplit::Replicated);
        if kind == Norm::LayerNorm {
            self.vector(bias, ModuleKind::Norm, width, TpSplit::Replicated);
        }
    }
}

/// Visits the tensors of one block: attention, feed-forward block or experts, norms.
pub fn for_each_layer_param(arch: &Architecture, kind: LayerKind, f: &mut impl FnMut(ParamTensor)) {
    let mut emit = Emit(f);
    attention::visit(arch, &mut emit);
    match (kind, arch.moe) {
        (LayerKind::Moe, Some(moe)) => feed_forward::visit_moe(arch, moe, &mut emit),
        _ => feed_forward::visit_dense(arch, &mut emit),
    }
    visit_layer_norms(arch, &mut emit);
}

/// The norms of one block, each over `h`: one, two or four of them.
fn visit_layer_norms<F: FnMut(ParamTensor)>(arch: &Architecture, emit: &mut Emit<'_, F>) {
    const INPUT: [&str; 2] = ["input_layernorm.weight", "input_layernorm.bias"];
    const POST_ATTENTION: [&str; 2] =
        ["post_attention_layernorm.weight", "post_attention_layernorm.bias"];
    const PRE_FFN: [&str; 2] =
        ["pre_feedforward_layernorm.weight", "pre_feedforward_layernorm.bias"];
    const POST_FFN: [&str; 2] =
        ["post_feedforward_layernorm.weight", "post_feedforward_layernorm.bias"];
    let names: &[[&'static str; 2]] = match arch.norm_placement {
        NormPlacement::Pre | NormPlacement::ParallelSeparate => &[INPUT, POST_ATTENTION],
        NormPlacement::Post => &[POST_ATTENTION, POST_FFN],
        NormPlacement::Sandwich => &[INPUT, POST_ATTENTION, PRE_FFN, POST_FFN],
        NormPlacement::ParallelShared => &[INPUT],
    };
    for &pair in names {
        emit.norm(pair, arch.norm, u64::from(arch.hidden));
    }
}

/// Width of the token embedding, `e`: `h` unless the model says otherwise.
fn embedding_width(arch: &Architecture) -> u64 {
    u64::from(arch.embedding_dim.unwrap_or(arch.hidden))
}

/// Visits what comes before the first block.
///
/// ```text
/// embed_tokens      V × e
/// project_in        h × e       (where e differs from h)
/// embed_positions   rows × h    (learned positions)
/// embedding norm    h
/// ```
pub fn for_each_embedding_param(arch: &Architecture, f: &mut impl FnMut(ParamTensor)) {
    let mut emit = Emit(f);
    let (hidden, width) = (u64::from(arch.hidden), embedding_width(arch));
    let vocab = u64::from(arch.vocab);
    emit.matrix("embed_tokens.weight", ModuleKind::Embedding, [vocab, width], TpSplit::Vocab);
    if width != hidden {
        let shape = [hidden, width];
        emit.matrix("project_in.weight", ModuleKind::Embedding, shape, TpSplit::Replicated);
    }
    if let Positions::Learned { rows } = arch.positions {
        let shape = [u64::from(rows), hidden];
        emit.matrix("embed_positions.weight", ModuleKind::Position, shape, TpSplit::Replicated);
    }
    if arch.embedding_norm {
        emit.norm(["embedding_norm.weight", "embedding_norm.bias"], arch.norm, hidden);
    }
}

/// Visits what comes after the last block.
///
/// ```text
/// final norm        h
/// project_out       e × h       (where e differs from h)
/// lm_head           V × e       (unless it shares the embedding's weights)
/// lm_head bias      V
/// ```
pub fn for_each_head_param(arch: &Architecture, f: &mut impl FnMut(ParamTensor)) {
    let mut emit = Emit(f);
    let (hidden, width) = (u64::from(arch.hidden), embedding_width(arch));
    if arch.final_norm {
        emit.norm(["norm.weight", "norm.bias"], arch.norm, hidden);
    }
    if width != hidden {
        let shape = [width, hidden];
        emit.matrix("project_out.weight", ModuleKind::Head, shape, TpSplit::Replicated);
    }
    if arch.head {
        let vocab = u64::from(arch.vocab);
        if !arch.tied {
            emit.matrix("lm_head.weight", ModuleKind::Head, [vocab, width], TpSplit::Vocab);
        }
        if arch.biases.head {
            emit.vector("lm_head.bias", ModuleKind::Head, vocab, TpSplit::Vocab);
        }
    }
}

/// Kind of the block with this index (from 0).
#[must_use]
pub fn layer_kind(arch: &Architecture, index: u32) -> LayerKind {
    match arch.moe {
        Some(moe) if index >= moe.first_dense => LayerKind::Moe,
        _ => LayerKind::Dense,
    }
}

/// Exact numbers of parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParamCounts {
    /// Token embedding with its projection, positions and norm: all before the first block.
    pub embedding: u64,
    /// Of these, the table of learned positions.
    pub positions: u64,
    /// One dense block.
    pub dense_layer: u64,
    /// One block with experts (0 if there is none).
    pub moe_layer: u64,
    /// Routed experts of one such block, all `E`.
    pub routed_experts: u64,
    /// Norm after the last block.
    pub final_norm: u64,
    /// Output head with its bias and projection, without tied weights.
    pub head: u64,
    /// The whole model, tied weights counted once.
    pub total: u64,
    /// Parameters that one token uses.
    pub active: u64,
    /// Number of parameter tensors.
    pub tensors: u64,
}

impl ParamCounts {
    /// Parameters of one block of a kind.
    #[must_use]
    pub const fn per_layer(&self, kind: LayerKind) -> u64 {
        match kind {
            LayerKind::Dense => self.dense_layer,
            LayerKind::Moe => self.moe_layer,
        }
    }
}

/// Counts a model's parameters exactly.
///
/// ```text
/// total  = embedding + L_dense·dense + L_moe·moe + final norm + head
/// active = total − L_moe·routed·(E − k)/E
/// ```
///
/// `k` experts per token. Embedding and head count as active, as the models' authors count.
#[must_use]
pub fn count(arch: &Architecture) -> ParamCounts {
    let mut counts = ParamCounts::default();
    let (mut tensors, mut idle) = (0_u64, 0);
    for_each_embedding_param(arch, &mut |tensor| {
        tensors += 1;
        add(&mut counts.embedding, tensor.elements());
        if tensor.module == ModuleKind::Position {
            add(&mut counts.positions, tensor.elements());
        }
    });
    for_each_head_param(arch, &mut |tensor| {
        tensors += 1;
        match tensor.module {
            ModuleKind::Norm => add(&mut counts.final_norm, tensor.elements()),
            _ => add(&mut counts.head, tensor.elements()),
        }
    });
    let (moe_layers, dense_layers) = (u64::from(arch.moe_layers()), u64::from(arch.dense_layers()));
    for_each_layer_param(arch, LayerKind::Dense, &mut |tensor| {
        tensors += dense_layers;
        add(&mut counts.dense_layer, tensor.elements());
    });
    if let Some(moe) = arch.moe {
        for_each_layer_param(arch, LayerKind::Moe, &mut |tensor| {
            tensors += moe_layers;
            add(&mut counts.moe_layer, tensor.elements());
            if tensor.module == ModuleKind::Expert {
                add(&mut counts.routed_experts, tensor.elements());
            }
        });
        idle = idle_experts(counts.routed_experts, moe.experts, moe.topk, moe_layers);
    }
    counts.tensors = tensors;
    counts.total = [
        counts.embedding,
        counts.dense_layer.saturating_mul(dense_layers),
        counts.moe_layer.saturating_mul(moe_layers),
        counts.final_norm,
        counts.head,
    ]
    .into_iter()
    .fold(0, u64::saturating_add);
    counts.active = counts.total.saturating_sub(idle);
    counts
}

/// Parameters of the experts that a token does not use.
///
/// ```text
/// idle = L_moe·routed/E·(E − k)
/// ```
fn idle_experts(routed: u64, experts: u32, topk: u32, moe_layers: u64) -> u64 {
    let one = routed.checked_div(u64::from(experts)).unwrap_or(0);
    one.saturating_mul(u64::from(experts.saturating_sub(topk))).saturating_mul(moe_layers)
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

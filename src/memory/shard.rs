//! How many parameters of a stage one GPU holds, after tensor, expert and data parallelism.

use super::params::{
    LayerKind, ModuleKind, ParamTensor, TpSplit, for_each_embedding_param, for_each_head_param,
    for_each_layer_param,
};
use crate::{
    catalogue::Architecture,
    plan::{Layout, Profile, Resolved, Sharding},
};

/// Parameters of a group of modules on one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Held {
    /// Matrices of attention and feed-forward blocks, which quantisation covers.
    pub linear: u64,
    /// Embeddings, norms, biases, router, head.
    pub other: u64,
    /// Of `linear`: routed experts.
    pub expert: u64,
    /// Elements of `linear + other` after the data-parallel ranks have divided them.
    pub sharded: u64,
    /// Elements of `linear` after the data-parallel ranks have divided them.
    pub sharded_linear: u64,
    /// Elements that stay fp32 whatever the parameters' format: DeepSeek's router.
    pub fp32: u64,
    /// Rows and columns of all matrices: what Adafactor keeps.
    pub factored: u64,
    /// Elements of matrices.
    pub matrix: u64,
    /// Elements of the largest tensor.
    pub largest: u64,
    /// Number of tensors.
    pub tensors: u64,
}

impl Held {
    /// All elements.
    pub const fn elements(&self) -> u64 {
        self.linear.saturating_add(self.other)
    }

    /// The same modules so many times.
    pub const fn times(&self, count: u64) -> Self {
        Self {
            linear: self.linear.saturating_mul(count),
            other: self.other.saturating_mul(count),
            expert: self.expert.saturating_mul(count),
            sharded: self.sharded.saturating_mul(count),
            sharded_linear: self.sharded_linear.saturating_mul(count),
            fp32: self.fp32.saturating_mul(count),
            factored: self.factored.saturating_mul(count),
            matrix: self.matrix.saturating_mul(count),
            largest: if count == 0 { 0 } else { self.largest },
            tensors: self.tensors.saturating_mul(count),
        }
    }

    /// Both groups together.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            linear: self.linear.saturating_add(other.linear),
            other: self.other.saturating_add(other.other),
            expert: self.expert.saturating_add(other.expert),
            sharded: self.sharded.saturating_add(other.sharded),
            sharded_linear: self.sharded_linear.saturating_add(other.sharded_linear),
            fp32: self.fp32.saturating_add(other.fp32),
            factored: self.factored.saturating_add(other.factored),
            matrix: self.matrix.saturating_add(other.matrix),
            largest: self.largest.max(other.largest),
            tensors: self.tensors.saturating_add(other.tensors),
        }
    }
}

/// Parameters by module group on one rank, the same for every stage that has the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shards {
    /// One dense block.
    pub dense_layer: Held,
    /// One block with experts.
    pub moe_layer: Held,
    /// Everything before the first block.
    pub embedding: Held,
    /// The token table alone: what a tied head elsewhere needs a copy of.
    pub token_table: Held,
    /// Everything after the last block, without tied weights.
    pub head: Held,
}

/// How the sharding ranks divide a tensor.
#[derive(Clone, Copy, Debug)]
struct Divide {
    layout: Layout,
    shards: u64,
    expert_shards: u64,
    /// Along dimension 0 of every tensor (FSDP2), else over the flattened whole.
    by_rows: bool,
    /// The model's router is fp32.
    fp32_router: bool,
}

impl Shards {
    /// Counts a plan's parameters on one rank; `least` is the sharding stage that divides them.
    pub fn of(plan: &Resolved<'_>, least: Sharding) -> Self {
        let divide = Divide {
            layout: plan.layout,
            shards: plan.shards_from(least),
            expert_shards: plan.expert_shards_from(least),
            by_rows: plan.plan.framework.profile == Profile::Fsdp2,
            fp32_router: plan.arch.mla.is_some(),
        };
        let arch: &Architecture = plan.arch;
        let mut shards = Self::default();
        let layer = |kind, held: &mut Held| {
            for_each_layer_param(arch, kind, &mut |tensor| divide.add(&tensor, held));
        };
        layer(LayerKind::Dense, &mut shards.dense_layer);
        if arch.moe.is_some() {
            layer(LayerKind::Moe, &mut shards.moe_layer);
        }
        for_each_embedding_param(arch, &mut |tensor| {
            divide.add(&tensor, &mut shards.embedding);
            if tensor.module == ModuleKind::Embedding && tensor.split == TpSplit::Vocab {
                divide.add(&tensor, &mut shards.token_table);
            }
        });
        for_each_head_param(arch, &mut |tensor| divide.add(&tensor, &mut shards.head));
        shards
    }
}

impl Divide {
    /// Adds one tensor's share.
    ///
    /// ```text
    /// local   = elements / t      (experts: / (EP·ETP); norms and router whole)
    /// sharded = local / N         (FSDP2: ⌈rows / N⌉ · columns, so that a stacked expert tensor
    ///                              does not divide beyond its number of experts)
    /// ```
    fn add(&self, tensor: &ParamTensor, held: &mut Held) {
        let layout = &self.layout;
        let expert = tensor.module == ModuleKind::Expert;
        let ways = if expert { layout.expert_tensor } else { layout.tensor };
        let (mut rows, mut cols) = (tensor.rows, tensor.cols);
        match tensor.split {
            TpSplit::Column | TpSplit::Vocab => rows = rows.div_ceil(ways),
            TpSplit::Row => cols = cols.div_ceil(ways),
            TpSplit::Replicated => {}
        }
        let copies = if expert { tensor.copies.div_ceil(layout.expert) } else { tensor.copies };
        let shards = if expert { self.expert_shards } else { self.shards };
        let local = rows.saturating_mul(cols).saturating_mul(copies);
        let sharded = match (self.by_rows, copies > 1) {
            (true, true) => copies.div_ceil(shards).saturating_mul(rows).saturating_mul(cols),
            (true, false) => rows.div_ceil(shards).saturating_mul(cols),
            (false, _) => local.div_ceil(shards),
        };
        let matrix = tensor.is_matrix();
        let quantisable = matrix
            && matches!(
                tensor.module,
                ModuleKind::Attention
                    | ModuleKind::Mlp
                    | ModuleKind::Expert
                    | ModuleKind::SharedExpert
            );
        *held = held.plus(&Held {
            linear: if quantisable { local } else { 0 },
            other: if quantisable { 0 } else { local },
            expert: if expert { local } else { 0 },
            sharded,
            sharded_linear: if quantisable { sharded } else { 0 },
            fp32: if self.fp32_router && tensor.module == ModuleKind::Router { sharded } else { 0 },
            factored: if matrix { (rows + cols).saturating_mul(copies) } else { local },
            matrix: if matrix { local } else { 0 },
            largest: local,
            tensors: 1,
        });
    }
}

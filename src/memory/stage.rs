//! One pipeline stage: what it holds and how many micro-batches it has in flight.

use super::{
    common::{Common, LayerBytes, LayerFigures},
    shard::Held,
    state::StateBytes,
};
use crate::{
    plan::{CheckpointPolicy, Checkpointing, Method, Profile, Resolved, Schedule},
    units::scaled,
};

/// Figures of one stage on one rank, in bytes unless the name says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// Number of the stage.
    pub index: u64,
    /// Blocks it holds.
    pub layers: u64,
    /// It has the embedding.
    pub first: bool,
    /// It has head and loss.
    pub last: bool,
    /// Parameters it holds.
    pub held: Held,
    /// Embedding and head among them: gathered apart from the blocks.
    pub root: Held,
    /// Elements of adapters and full copies that train beside frozen weights.
    pub adapters: u64,
    /// Model state.
    pub state: StateBytes,
    /// Kept for one micro-batch by all its blocks.
    pub kept: LayerBytes,
    /// Micro-batches in flight, in units of 1 / chunks.
    pub in_flight_chunks: u64,
    /// Model chunks of the stage.
    pub chunks: u64,
    /// The block that needs most inside its own backward: what it saves, whole.
    pub largest_layer: LayerFigures,
}

impl Stage {
    pub fn of(common: &Common<'_>, index: u64) -> Self {
        let plan = &common.plan;
        let (start, layers) = plan.stage_layers(index);
        let first_dense = u64::from(plan.arch.dense_layers());
        let dense = first_dense.saturating_sub(start).min(layers);
        let moe = layers - dense;
        let (first, last) = (index == 0, index + 1 == plan.layout.pipeline);
        let root = root(common, first, last);
        let held = common.dense.held.times(dense).plus(&common.moe.held.times(moe)).plus(&root);
        let lora = &plan.plan.workload.lora;
        let mut adapters = common
            .dense
            .adapters
            .saturating_mul(dense)
            .saturating_add(common.moe.adapters.saturating_mul(moe));
        if lora.train_embeddings && plan.plan.workload.method != Method::Full {
            adapters = adapters.saturating_add(root.elements());
        }
        Self {
            index,
            layers,
            first,
            last,
            held,
            root,
            adapters,
            state: StateBytes::of(plan, &held, adapters),
            kept: with_embedding(common, first, kept(common, dense, moe)),
            in_flight_chunks: in_flight_chunks(plan, index),
            chunks: plan.layout.chunks,
            largest_layer: if moe > 0
                && (dense == 0 || common.moe.whole.total() > common.dense.whole.total())
            {
                common.moe
            } else {
                common.dense
            },
        }
    }

    /// Bytes of so many bytes a micro-batch, for all micro-batches in flight.
    pub fn in_flight(&self, per_micro_batch: u64) -> u64 {
        scaled(per_micro_batch, self.in_flight_chunks, self.chunks)
    }
}

/// Modules outside the blocks: embedding on the first stage, norm and head on the last.
///
/// A tied head on another stage than the embedding needs a copy of it.
fn root(common: &Common<'_>, first: bool, last: bool) -> Held {
    let shards = &common.shards;
    let mut root = Held::default();
    if first {
        root = root.plus(&shards.embedding);
    }
    if last {
        root = root.plus(&shards.head);
        if common.plan.arch.tied && (!first || unties(&common.plan)) {
            root = root.plus(&shards.token_table);
        }
    }
    root
}

/// Tensor parallelism by `DTensor` makes separate parameters of a tied embedding and head.
///
/// Source: traced parameters of torch 2.15's `parallelize_module`.
fn unties(plan: &Resolved<'_>) -> bool {
    plan.layout.tensor > 1
        && matches!(plan.plan.framework.profile, Profile::HuggingFace | Profile::Fsdp2)
}

/// With what the embedding keeps, and less what the very first block would keep behind a frozen one.
fn with_embedding(common: &Common<'_>, first: bool, mut kept: LayerBytes) -> LayerBytes {
    if !first {
        return kept;
    }
    kept.norms = kept.norms.saturating_add(common.embedding_saved);
    if common.plan.plan.checkpointing.policy == CheckpointPolicy::None {
        kept.norms = kept.norms.saturating_sub(common.first_block_spares);
    }
    kept
}

/// Kept for one micro-batch by the blocks of a stage.
fn kept(common: &Common<'_>, dense: u64, moe: u64) -> LayerBytes {
    let policy = &common.plan.plan.checkpointing;
    let mut sum = LayerBytes::default();
    for (figures, count) in [(&common.dense, dense), (&common.moe, moe)] {
        let limit = policy.blocks.filter(|_| policy.policy == CheckpointPolicy::Full);
        let recomputed = (count / common.every).min(limit.map_or(u64::MAX, u64::from));
        let untouched = count - recomputed;
        add(&mut sum, &figures.kept, recomputed, policy);
        add(&mut sum, &figures.whole, untouched, policy);
    }
    sum
}

/// Blocks whose offloaded tensors are still on the card: one being filled, one being sent.
const OFFLOAD_WINDOW_LAYERS: u64 = 2;

fn add(sum: &mut LayerBytes, layer: &LayerBytes, count: u64, policy: &Checkpointing) {
    let count = if policy.offload {
        let away = policy.offload_blocks.map_or(count, |blocks| u64::from(blocks).min(count));
        count - away + away.min(OFFLOAD_WINDOW_LAYERS)
    } else {
        count
    };
    let LayerBytes { attention, mlp, norms, checkpoints, weight_copies } = layer;
    let more =
        |slot: &mut u64, bytes: u64| *slot = slot.saturating_add(bytes.saturating_mul(count));
    more(&mut sum.attention, *attention);
    more(&mut sum.mlp, *mlp);
    more(&mut sum.norms, *norms);
    more(&mut sum.checkpoints, *checkpoints);
    more(&mut sum.weight_copies, *weight_copies);
}

/// Chunks of micro-batches whose forward is done and whose backward is not.
///
/// ```text
/// 1F1B, ZB-H1    min(p − i, m)
/// interleaved    min(2·(p − i − 1) + (v − 1)·p + 1, m·v)
/// GPipe          m
/// ZB-H2          min(2·(p − i) − 1, m)
/// ```
///
/// `p` stages, `i` stage from 0, `v` chunks a stage, `m` micro-batches.
///
/// Source: Narayanan et al. 2021, arXiv:2104.04473, section 2.2; Qi et al. 2023, arXiv:2401.10241, table 1.
fn in_flight_chunks(plan: &Resolved<'_>, index: u64) -> u64 {
    let layout = &plan.layout;
    let (p, v, m) = (layout.pipeline, layout.chunks, layout.micro_batches);
    let behind = p.saturating_sub(index);
    match plan.plan.parallelism.schedule {
        _ if p == 1 => v,
        Schedule::OneForwardOneBackward | Schedule::ZeroBubbleH1 => behind.min(m),
        Schedule::Interleaved => {
            (2 * behind.saturating_sub(1) + v.saturating_sub(1) * p + 1).min(m.saturating_mul(v))
        }
        Schedule::GPipe => m,
        Schedule::ZeroBubbleH2 => (2 * behind).saturating_sub(1).min(m),
    }
}

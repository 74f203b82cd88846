//! What the parallel axes of a plan send, block by block and step by step.

use super::{
    collectives::{Load, all_gather, all_reduce, all_to_all, dispatch_once, reduce_scatter, send},
    formats,
    links::{Group, Path, path},
    operations::Bench,
    shapes,
};
use crate::{
    catalogue::{Moe, NormPlacement},
    plan::{ContextExchange, Profile, Sharding},
};

/// Bytes of an activation on the wire.
const WIRE_BYTES: f64 = 2.0;

/// Links of all parallel axes, looked up once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paths {
    /// Tensor-parallel group.
    pub tensor: Path,
    /// Context-parallel group.
    pub context: Path,
    /// Expert-parallel group.
    pub expert: Path,
    /// Neighbouring pipeline stages.
    pub pipeline: Path,
    /// Ranks that share one copy of the state.
    pub shards: Path,
    /// The same for routed experts.
    pub expert_shards: Path,
    /// Copies of the sharded state.
    pub replicas: Path,
}

impl Paths {
    /// Looks up the links. Ranks are numbered tensor first, then context, data, pipeline.
    ///
    /// Source: the default order of Megatron-Core.
    pub(super) fn new(bench: &Bench<'_>) -> Self {
        let layout = &bench.plan.layout;
        let of = |size: u64, stride: u64| {
            path(bench.plan, Group { size: size as f64, stride: stride as f64 })
        };
        let stage = layout.tensor * layout.context * layout.data;
        let experts = layout.expert * layout.expert_tensor;
        let replicas = (layout.data * layout.context / layout.shards).max(1);
        Self {
            tensor: of(layout.tensor, 1),
            context: of(layout.context, layout.tensor),
            expert: of(layout.expert, layout.expert_tensor),
            pipeline: of(layout.pipeline, stage),
            shards: of(layout.shards, layout.tensor),
            expert_shards: of(layout.expert_shards, experts),
            replicas: of(replicas, layout.tensor * layout.shards),
        }
    }
}

/// What one block's collectives take in a micro-batch, by axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BlockTraffic {
    /// Tensor parallelism: nothing hides it.
    pub tensor: Load,
    /// Expert parallelism: nothing hides it unless the schedule overlaps micro-batches.
    pub expert: Load,
    /// Context parallelism: a ring hides behind the attention core, an exchange of heads does not.
    pub context: Load,
}

/// Passes of a block in one micro-batch, forward = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passes {
    /// Forward passes, recomputation included.
    pub forward: f64,
    /// Backward passes.
    pub backward: f64,
}

/// Collectives of one block.
///
/// ```text
/// tensor    2 all-reduces of T·h·2 bytes a pass (one for parallel attention and MLP);
///           with sequence parallelism a gather and a reduce-scatter each, the same traffic
/// expert    2 all-to-alls of T·k·h·2/t bytes a pass
/// context   (c − 1) sends of keys and values, 2·K·T·2/t bytes; twice in backward;
///           or heads for tokens: an all-to-all of (A + 2·K)·T·2/t bytes, one of A·T·2/t back
/// ```
///
/// Source: Korthikanti et al. 2022, arXiv:2205.05198; Liu et al. 2023, arXiv:2310.01889 (ring attention);
/// Jacobs et al. 2023, arXiv:2309.14509 (heads for tokens).
pub(super) fn block(
    bench: &Bench<'_>,
    paths: &Paths,
    tokens: f64,
    moe: Option<&Moe>,
    passes: Passes,
) -> BlockTraffic {
    let arch = bench.plan.arch;
    let stream = tokens * f64::from(arch.hidden) * WIRE_BYTES;
    let parallel = matches!(
        arch.norm_placement,
        NormPlacement::ParallelShared | NormPlacement::ParallelSeparate
    );
    let reductions = if parallel { 1.0 } else { 2.0 };
    let all = passes.forward + passes.backward;
    let expert = moe.map_or(Load::default(), |moe| {
        let (experts, tokens) = (f64::from(moe.topk), stream / bench.tensor);
        let once = if bench.plan.plan.parallelism.dispatch_once_a_node {
            dispatch_once(&paths.expert, tokens, experts)
        } else {
            all_to_all(&paths.expert, tokens * experts)
        };
        once * (2.0 * all)
    });
    let keys_values = 2.0 * arch.kv_width() as f64 * tokens * WIRE_BYTES / bench.tensor;
    let context = match bench.plan.plan.parallelism.context_exchange {
        ContextExchange::Ring => {
            let sends = send(&paths.context, keys_values) * (paths.context.size - 1.0).max(0.0);
            sends * (passes.forward + 2.0 * passes.backward)
        }
        ContextExchange::AllToAll => {
            let queries = arch.query_width() as f64 * tokens * WIRE_BYTES / bench.tensor;
            let values = shapes::value_width(arch) * tokens * WIRE_BYTES / bench.tensor;
            let there = all_to_all(&paths.context, queries + keys_values);
            (there + all_to_all(&paths.context, values)) * all
        }
    };
    BlockTraffic { tensor: all_reduce(&paths.tensor, stream) * (reductions * all), expert, context }
}

/// What it takes a stage to receive and send one micro-batch's activations and gradients.
///
/// ```text
/// 2·v sends of T·h·2 bytes, divided by t with sequence parallelism
/// ```
pub(super) fn neighbours(bench: &Bench<'_>, paths: &Paths, tokens: f64) -> Load {
    let split = if bench.plan.plan.parallelism.sequence_parallel { bench.tensor } else { 1.0 };
    let bytes = tokens * f64::from(bench.plan.arch.hidden) * WIRE_BYTES / split;
    send(&paths.pipeline, bytes) * (2.0 * bench.plan.layout.chunks as f64)
}

/// Weights on one rank that data-parallel collectives carry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LocalWeights {
    /// All weights outside the routed experts.
    pub shared: f64,
    /// Routed experts.
    pub experts: f64,
    /// Of `shared`, those that train.
    pub shared_trained: f64,
    /// Of `experts`, those that train.
    pub experts_trained: f64,
    /// Blocks, for the number of collectives.
    pub blocks: f64,
}

impl LocalWeights {
    /// Weights that train.
    pub(super) fn trained(&self) -> f64 {
        self.shared_trained + self.experts_trained
    }
}

/// The data-parallel axis in a step, before anything hides them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DataTraffic {
    /// Behind the compute of every micro-batch.
    pub every_micro_batch: Load,
    /// Behind the last backward pass, once a step.
    pub once: Load,
    /// Once a step with nothing to hide behind: the parameters after the optimizer's step.
    pub after: Load,
}

/// Collectives of data parallelism and sharding.
///
/// ```text
/// none       all-reduce of gradients, once
/// ZeRO-1     reduce-scatter of gradients, gather of parameters, once (the latter shows)
/// ZeRO-2     reduce-scatter every micro-batch (Megatron: once), gather once
/// ZeRO-3     gather in forward, again in backward if resharded, reduce-scatter, every micro-batch
/// hybrid     the shards' gradients are all-reduced over the copies as well
/// ```
///
/// Source: Rajbhandari et al. 2020, arXiv:1910.02054, section 7; Zhao et al. 2023, arXiv:2304.11277.
pub(super) fn data(bench: &Bench<'_>, paths: &Paths, local: &LocalWeights) -> DataTraffic {
    let axes = &bench.plan.plan.parallelism;
    let reduce = axes.reduce_dtype.bytes() as f64;
    let gather = formats::block_weight_bytes(bench.plan);
    let collectives = local.blocks.max(1.0);
    let each = |run: &dyn Fn(&Path, f64) -> Load, path: &Path, bytes: f64| {
        run(path, bytes / collectives) * collectives
    };
    let gathers = each(&all_gather, &paths.shards, local.shared * gather)
        + each(&all_gather, &paths.expert_shards, local.experts * gather);
    let scatter = each(&reduce_scatter, &paths.shards, local.shared_trained * reduce)
        + each(&reduce_scatter, &paths.expert_shards, local.experts_trained * reduce);
    let copies =
        each(&all_reduce, &paths.replicas, local.trained() * reduce / paths.shards.size.max(1.0));
    let trained_share = local.trained() / (local.shared + local.experts).max(1.0);
    match axes.sharding {
        Sharding::None => DataTraffic {
            once: each(&all_reduce, &paths.shards, local.shared_trained * reduce)
                + each(&all_reduce, &paths.expert_shards, local.experts_trained * reduce)
                + copies,
            ..DataTraffic::default()
        },
        Sharding::Zero2 if bench.plan.plan.framework.profile != Profile::Megatron => DataTraffic {
            every_micro_batch: scatter + copies,
            once: Load::default(),
            after: gathers * trained_share,
        },
        Sharding::Zero1 | Sharding::Zero2 => DataTraffic {
            every_micro_batch: Load::default(),
            once: scatter + copies,
            after: gathers * trained_share,
        },
        Sharding::Zero3 => {
            let times = if axes.reshard_after_forward { 2.0 } else { 1.0 };
            DataTraffic {
                every_micro_batch: gathers * times + scatter + copies,
                ..DataTraffic::default()
            }
        }
    }
}

//! Buffers of the framework: gathered parameters, reduction inputs, gradient buckets, pipeline messages.

use super::{Tally, replicates, unsharded_grad_bytes};
use crate::{
    explain::{Quantity, symbol},
    memory::{
        Moment, Part,
        common::Common,
        inside::Place,
        ledger::{Ledger, Why},
        stage::Stage,
    },
    plan::{Method, Offload, Profile, Sharding},
    units::Bytes,
};

const FSDP_SOURCE: &str = "source-traced-fsdp";

/// Elements of DeepSpeed's reduction and gathering buckets.
///
/// Source: DeepSpeed's configuration defaults (`reduce_bucket_size`, `allgather_bucket_size`: 5e8).
const DEEPSPEED_BUCKET_ELEMENTS: u64 = 500_000_000;
/// Elements of gathered parameters that DeepSpeed ZeRO-3 keeps at most.
///
/// Source: DeepSpeed's configuration default (`stage3_max_live_parameters`: 1e9).
const DEEPSPEED_LIVE_ELEMENTS: u64 = 1_000_000_000;

/// Adds communication buffers.
pub(super) fn add(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    if common.gathers {
        fsdp(common, stage, (moment, place), tally);
    }
    if common.plan.plan.framework.profile == Profile::DeepSpeed {
        deepspeed(common, stage, moment, tally);
    }
    let offloaded = common.plan.plan.framework.offload == Offload::OptimizerAndParams;
    let idle = matches!(moment, Moment::Idle | Moment::OptimizerStep | Moment::BackwardEnd);
    if offloaded && !common.gathers && !idle {
        fetched(common, stage, tally);
    }
    if replicates(common) && common.plan.plan.framework.profile != Profile::Megatron {
        let bytes = unsharded_grad_bytes(common, stage);
        tally.fixed(Part::Communication, bytes, || Why {
            label: "term-ddp-buckets",
            equation: "M",
            inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(bytes)))],
            source: "source-ddp-buckets",
        });
    }
    if !matches!(moment, Moment::Idle | Moment::OptimizerStep) {
        messages(common, tally);
    }
}

/// Gathered units of FSDP.
///
/// ```text
/// forward, start of backward   root + 2 units (the one in use and the next)
/// inside a block's backward    root + 2 units + unsharded gradients + the last unit's fp32 reduction input
/// without resharding           every unit stays from forward to backward
/// ```
fn fsdp(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    let each = common.gathered_bytes;
    let parallelism = &common.plan.plan.parallelism;
    let unit = stage.largest_layer.held.elements();
    let root = stage.root.elements();
    let stays = parallelism.sharding == Sharding::Zero2 || !parallelism.reshard_after_forward;
    // The block in use and the one after it; at the start of backward one is prefetched.
    let units = match moment {
        Moment::Idle | Moment::OptimizerStep | Moment::BackwardEnd => return,
        Moment::BackwardStart => 1,
        _ => 2,
    };
    let gathered = if stays {
        stage.held.elements()
    } else {
        root.saturating_add(unit.saturating_mul(units.min(stage.layers)))
    };
    elements("term-gathered", gathered, each, tally);
    let trains = common.plan.plan.workload.method == Method::Full;
    if trains && matches!(moment, Moment::BackwardLayer | Moment::BackwardLastLayer) {
        fsdp_gradients(common, stage, (moment, place), tally);
    }
}

/// Adds a buffer of FSDP: `M = β·n`, `n` elements of `β` bytes each.
fn elements(label: &'static str, count: u64, each: u64, tally: &mut Tally<'_, impl Ledger>) {
    tally.changing(Part::Communication, count.saturating_mul(each), || Why {
        label,
        equation: "β·n",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
            (symbol::COUNT, Quantity::Count(count)),
        ],
        source: FSDP_SOURCE,
    });
}

/// Gradients that FSDP has not divided yet inside a block's backward.
///
/// ```text
/// own gradients so far · x + head's gradient · x
/// + the block before's reduction input · 4 − what that block had kept
/// ```
///
/// The first block in backward has none before it, the second has, but one block's tensors are gone:
/// the larger of the two counts.
fn fsdp_gradients(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    let each = common.gathered_bytes;
    let reduce = common.plan.plan.parallelism.reduce_dtype.bytes();
    let layer = &stage.largest_layer;
    let unit = if stage.layers > 1 { layer.held.elements() } else { 0 };
    let head = if stage.last { common.shards.head.elements() } else { 0 };
    let tied =
        if stage.last && common.plan.arch.tied { common.shards.token_table.elements() } else { 0 };
    let own = layer
        .inside
        .gradient_elements(place, &layer.held)
        .saturating_add(head)
        .saturating_add(tied);
    elements("term-undivided-gradients", own, each, tally);
    let gone = if moment == Moment::BackwardLayer { layer.kept.total() } else { 0 };
    let waiting = unit.saturating_mul(reduce).saturating_sub(gone);
    tally.changing(Part::Communication, waiting, || Why {
        label: "term-reduction",
        equation: "β·n − M",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(reduce as f64)),
            (symbol::COUNT, Quantity::Count(unit)),
            (symbol::SIZE, Quantity::Bytes(Bytes(gone))),
        ],
        source: FSDP_SOURCE,
    });
}

/// Buckets and gathered parameters of DeepSpeed ZeRO.
fn deepspeed(
    common: &Common<'_>,
    stage: &Stage,
    moment: Moment,
    tally: &mut Tally<'_, impl Ledger>,
) {
    let each = common.gathered_bytes;
    let sharding = common.plan.plan.parallelism.sharding;
    // Made whole, however few elements train.
    let bucket = DEEPSPEED_BUCKET_ELEMENTS.saturating_mul(each);
    let buckets = match sharding {
        Sharding::None => 0,
        Sharding::Zero1 | Sharding::Zero2 | Sharding::Zero3 => bucket,
    };
    tally.fixed(Part::Communication, buckets, || Why {
        label: "term-deepspeed-buckets",
        equation: "β·n",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
            (symbol::COUNT, Quantity::Count(DEEPSPEED_BUCKET_ELEMENTS)),
        ],
        source: "source-deepspeed-bucket",
    });
    if sharding == Sharding::Zero3 && !matches!(moment, Moment::Idle | Moment::OptimizerStep) {
        let live = stage.held.elements().min(DEEPSPEED_LIVE_ELEMENTS);
        tally.changing(Part::Communication, live.saturating_mul(each), || Why {
            label: "term-gathered",
            equation: "β·min(P, 10⁹)",
            inputs: vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
                (symbol::PARAMS, Quantity::Count(stage.held.elements())),
            ],
            source: "source-deepspeed-live",
        });
    }
}

/// Blocks whose weights are on the card while the others are in host memory.
const FETCHED_BLOCKS: u64 = 2;

/// Weights in host memory come to the card block by block: the one in use and the next.
///
/// ```text
/// M = x · (2 blocks + embedding and head)
/// ```
fn fetched(common: &Common<'_>, stage: &Stage, tally: &mut Tally<'_, impl Ledger>) {
    let each = common.gathered_bytes;
    let unit = stage.largest_layer.held.elements();
    let count =
        unit.saturating_mul(FETCHED_BLOCKS.min(stage.layers)).saturating_add(stage.root.elements());
    tally.changing(Part::Communication, count.saturating_mul(each), || Why {
        label: "term-fetched",
        equation: "β·n",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
            (symbol::COUNT, Quantity::Count(count)),
        ],
        source: "source-offload",
    });
}

/// Gathered inputs of tensor-parallel linears and messages between stages.
///
/// ```text
/// SP gather   2·T·h·2      pipeline   2·T·h·2 / t
/// ```
fn messages(common: &Common<'_>, tally: &mut Tally<'_, impl Ledger>) {
    let layout = &common.plan.layout;
    let whole = layout.tokens.saturating_mul(u64::from(common.plan.arch.hidden)).saturating_mul(2);
    if layout.tensor > 1 {
        tally.changing(Part::Communication, whole.saturating_mul(2), || Why {
            label: "term-tensor-parallel",
            equation: "2·2·T·h",
            inputs: vec![
                (symbol::TOKENS, Quantity::Count(layout.tokens)),
                (symbol::HIDDEN, Quantity::Count(u64::from(common.plan.arch.hidden))),
            ],
            source: "source-sequence-parallel",
        });
    }
    if layout.pipeline > 1 {
        tally.changing(Part::Communication, whole.saturating_mul(2) / layout.tensor.max(1), || {
            Why {
                label: "term-pipeline",
                equation: "2·2·T·h / t",
                inputs: vec![
                    (symbol::TOKENS, Quantity::Count(layout.tokens)),
                    (symbol::HIDDEN, Quantity::Count(u64::from(common.plan.arch.hidden))),
                    (symbol::TENSOR, Quantity::Count(layout.tensor)),
                ],
                source: "source-pipeline-messages",
            }
        });
    }
}

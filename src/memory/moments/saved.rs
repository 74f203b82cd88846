//! What is saved for backward at a moment, and what the loss and a block's backward need on top.

use super::{TRACED, Tally};
use crate::{
    explain::{Quantity, symbol},
    memory::{
        Moment, Part,
        common::{Common, LayerBytes},
        fitted,
        inside::Place,
        ledger::{Ledger, Why},
        stage::Stage,
    },
    plan::{Method, Profile},
    units::{Bytes, scaled},
};

/// Adds activations, logits and the temporaries of backward.
pub(super) fn add(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    match moment {
        Moment::ForwardFirst => blocks(common, stage, &stage.kept, stage.chunks, tally),
        Moment::ForwardFull => {
            blocks(common, stage, &stage.kept, stage.in_flight_chunks, tally);
            head(common, stage, false, tally);
            cast_weights(stage, common, tally);
        }
        Moment::BackwardStart => {
            blocks(common, stage, &stage.kept, stage.in_flight_chunks, tally);
            head(common, stage, true, tally);
            if stage.last {
                vocabulary_gradient(common, fitted::HEAD_GRADIENT_BYTES, tally);
            }
        }
        Moment::BackwardLayer | Moment::BackwardLastLayer => {
            inside_block(common, stage, (moment, place), tally);
        }
        Moment::BackwardEnd if stage.first => {
            // The other micro-batches of a pipeline are still in flight.
            let others = stage.in_flight_chunks.saturating_sub(stage.chunks);
            blocks(common, stage, &stage.kept, others, tally);
            vocabulary_gradient(common, fitted::EMBEDDING_GRADIENT_BYTES, tally);
        }
        _ => {}
    }
    outside_blocks(common, moment, tally);
}

fn blocks(
    common: &Common<'_>,
    stage: &Stage,
    kept: &LayerBytes,
    chunks: u64,
    tally: &mut Tally<'_, impl Ledger>,
) {
    let parts = [
        (Part::AttentionActivations, kept.attention, "term-saved-attention"),
        (Part::MlpActivations, kept.mlp, "term-saved-mlp"),
        (Part::NormActivations, kept.norms, "term-saved-norms"),
        (Part::Checkpoints, kept.checkpoints, "term-checkpoints"),
        (Part::Temporaries, kept.weight_copies, "term-weight-copies"),
    ];
    for (part, bytes, label) in parts {
        tally.changing(part, scaled(bytes, chunks, stage.chunks), || {
            let tokens = common.plan.layout.tokens;
            let per_layer_token =
                bytes as f64 / (stage.layers.max(1) as f64 * tokens.max(1) as f64);
            Why {
                label,
                equation: "c·T·L·m",
                inputs: vec![
                    (symbol::PER_TOKEN, Quantity::BytesEach(per_layer_token)),
                    (symbol::TOKENS, Quantity::Count(tokens)),
                    (symbol::LAYERS, Quantity::Count(stage.layers)),
                    (
                        symbol::IN_FLIGHT,
                        Quantity::Number(chunks as f64 / stage.chunks.max(1) as f64),
                    ),
                ],
                source: TRACED,
            }
        });
    }
}

fn head(common: &Common<'_>, stage: &Stage, backward: bool, tally: &mut Tally<'_, impl Ledger>) {
    if !stage.last {
        return;
    }
    let head = &common.head;
    let arch = common.plan.arch;
    let tokens = common.plan.layout.tokens;
    // Under GPipe every micro-batch's loss waits for the last forward.
    let waiting = stage.in_flight_chunks.div_ceil(stage.chunks.max(1)).max(1);
    let norm_bytes = head.norm_bytes.saturating_mul(waiting);
    let loss_bytes = head.loss_bytes.saturating_mul(waiting);
    let inputs = |bytes: u64| {
        let logits = tokens as f64 * f64::from(arch.vocab);
        vec![
            (symbol::PER_TOKEN, Quantity::BytesEach(bytes as f64 / logits.max(1.0))),
            (symbol::TOKENS, Quantity::Count(tokens)),
            (symbol::VOCAB, Quantity::Count(u64::from(arch.vocab))),
        ]
    };
    tally.changing(Part::LogitsAndLoss, norm_bytes, || Why {
        label: "term-head-input",
        equation: "c·T·h",
        inputs: vec![
            (symbol::PER_TOKEN, {
                let elements = tokens as f64 * f64::from(arch.hidden);
                Quantity::BytesEach(norm_bytes as f64 / elements.max(1.0))
            }),
            (symbol::TOKENS, Quantity::Count(tokens)),
            (symbol::HIDDEN, Quantity::Count(u64::from(arch.hidden))),
        ],
        source: TRACED,
    });
    tally.changing(Part::LogitsAndLoss, loss_bytes, || Why {
        label: "term-loss-saved",
        equation: "c·T·V",
        inputs: inputs(loss_bytes),
        source: TRACED,
    });
    let (label, bytes) = if backward {
        ("term-loss-backward", head.backward_bytes)
    } else {
        ("term-loss-forward", head.forward_bytes)
    };
    {
        tally.changing(Part::LogitsAndLoss, bytes, || Why {
            label,
            equation: "c·T·V",
            inputs: inputs(bytes),
            source: TRACED,
        });
    }
}

/// Gradient of a vocabulary-sized matrix that Megatron makes beside its main gradient buffer.
fn vocabulary_gradient(common: &Common<'_>, each: u64, tally: &mut Tally<'_, impl Ledger>) {
    let plan = common.plan.plan;
    if plan.framework.profile != Profile::Megatron || plan.workload.method != Method::Full {
        return;
    }
    let arch = common.plan.arch;
    let elements = scaled(u64::from(arch.vocab), u64::from(arch.hidden), common.plan.layout.tensor);
    tally.changing(Part::Temporaries, elements.saturating_mul(each), || Why {
        label: "term-vocabulary-gradient",
        equation: "β·V·h / t",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
            (symbol::VOCAB, Quantity::Count(u64::from(arch.vocab))),
            (symbol::HIDDEN, Quantity::Count(u64::from(arch.hidden))),
            (symbol::TENSOR, Quantity::Count(common.plan.layout.tensor)),
        ],
        source: "source-megatron-runs",
    });
}

/// autocast keeps the 16-bit copies of all weights until forward is over, also those of blocks that
/// are recomputed.
fn cast_weights(stage: &Stage, common: &Common<'_>, tally: &mut Tally<'_, impl Ledger>) {
    if !common.autocast {
        return;
    }
    let all = stage.held.linear.saturating_add(stage.adapters).saturating_mul(2);
    let bytes = all.saturating_sub(stage.kept.weight_copies);
    tally.changing(Part::Temporaries, bytes, || Why {
        label: "term-weight-copies",
        equation: "M",
        inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(bytes)))],
        source: TRACED,
    });
}

/// Inside the backward of one block: what the others keep, what this one has (again), and the
/// gradients on their way through it.
fn inside_block(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    let layer = &stage.largest_layer;
    let others = match moment {
        Moment::BackwardLayer => stage.in_flight_chunks,
        // The other micro-batches are still in flight; of this one the block is the last that is left.
        _ => stage.in_flight_chunks.saturating_sub(stage.chunks),
    };
    let mut kept = stage.kept;
    if moment == Moment::BackwardLayer {
        kept.subtract(&layer.kept);
    }
    blocks(common, stage, &kept, others, tally);
    let (own, gradients) = layer.inside.activations(place);
    let input = if layer.input_apart && place != Place::End { layer.kept.checkpoints } else { 0 };
    tally.changing(Part::Checkpoints, input, || Why {
        label: "term-block-input",
        equation: "M",
        inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(input)))],
        source: TRACED,
    });
    tally.changing(Part::Temporaries, own, || Why {
        label: "term-recomputed-block",
        equation: "M",
        inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(own)))],
        source: TRACED,
    });
    tally.changing(Part::Temporaries, gradients, || Why {
        label: "term-block-gradients",
        equation: "c·T",
        inputs: vec![
            (symbol::PER_TOKEN, {
                let tokens = common.plan.layout.tokens.max(1) as f64;
                Quantity::BytesEach(gradients as f64 / tokens)
            }),
            (symbol::TOKENS, Quantity::Count(common.plan.layout.tokens)),
        ],
        source: "source-traced-backward",
    });
}

/// Tables and masks of the whole model.
fn outside_blocks(common: &Common<'_>, moment: Moment, tally: &mut Tally<'_, impl Ledger>) {
    if matches!(moment, Moment::Idle | Moment::BackwardEnd | Moment::OptimizerStep) {
        return;
    }
    let bytes = common.model_wide;
    tally.changing(Part::Temporaries, bytes, || Why {
        label: "term-tables",
        equation: "M",
        inputs: vec![(symbol::SIZE, Quantity::Bytes(Bytes(bytes)))],
        source: TRACED,
    });
}

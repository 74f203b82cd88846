//! Model state at a moment.

use super::{GradsAlive, TRACED, Tally, grads_alive};
use crate::{
    explain::{Quantity, Symbol, symbol},
    memory::{
        Moment, Part,
        common::Common,
        formats::{outside_bytes, weight_bits},
        inside::Place,
        ledger::{Ledger, Why},
        stage::Stage,
        state::state_dtype,
    },
    plan::{Method, MixedPrecision, Profile, Task},
    units::scaled,
};

/// Adds parameters, gradients, states and master weights.
pub(super) fn add(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    parameters(common, stage, tally);
    if common.plan.plan.workload.task == Task::Inference {
        return;
    }
    gradients(common, stage, (moment, place), tally);
    optimizer(common, stage, tally);
    inputs(common, tally);
    if moment == Moment::OptimizerStep {
        step_temporaries(common, stage, tally);
    }
}

fn shards(common: &Common<'_>, is_divided: bool) -> (Symbol, Quantity) {
    let ranks = if is_divided { common.plan.layout.shards } else { 1 };
    (symbol::SHARDS, Quantity::Count(ranks))
}

fn parameters(common: &Common<'_>, stage: &Stage, tally: &mut Tally<'_, impl Ledger>) {
    let plan = common.plan.plan;
    let held = &stage.state;
    let is_divided = common.divided.params;
    if plan.workload.method == Method::Full && plan.workload.task == Task::Training {
        tally.fixed(Part::Parameters, held.params, || Why {
            label: "term-parameters",
            equation: "β·P / N",
            inputs: vec![
                (
                    symbol::BYTES_EACH,
                    Quantity::BytesEach(plan.precision.param_dtype.bytes() as f64),
                ),
                (symbol::PARAMS, Quantity::Count(stage.held.elements())),
                shards(common, is_divided),
            ],
            source: "source-parameter-shapes",
        });
        return;
    }
    tally.fixed(Part::Parameters, held.params.saturating_sub(held.adapter_params), || {
        let format = plan.precision.weight_format;
        let each = weight_bits(format) / 8.0;
        let mut inputs = vec![(symbol::BYTES_EACH, Quantity::BytesEach(each))];
        let everything = (outside_bytes(format) - each).abs() < f64::EPSILON;
        if everything {
            inputs.push((symbol::PARAMS, Quantity::Count(stage.held.elements())));
        } else {
            inputs.push((symbol::QUANTISED, Quantity::Count(stage.held.linear)));
            inputs.push((symbol::UNQUANTISED, Quantity::Count(stage.held.other)));
        }
        inputs.push(shards(common, is_divided));
        let equation = if everything { "β·P / N" } else { "(β·P_q + 2·P_o) / N" };
        Why { label: "term-frozen-weights", equation, inputs, source: "source-weight-format" }
    });
    tally.fixed(Part::Parameters, held.adapter_params, || Why {
        label: "term-adapters",
        equation: "β·P / N",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(plan.workload.lora.dtype.bytes() as f64)),
            (symbol::PARAMS, Quantity::Count(stage.adapters)),
            shards(common, is_divided),
        ],
        source: "source-lora",
    });
}

fn gradients(
    common: &Common<'_>,
    stage: &Stage,
    (moment, place): (Moment, Place),
    tally: &mut Tally<'_, impl Ledger>,
) {
    let plan = common.plan.plan;
    let full = plan.workload.method == Method::Full;
    let each = gradient_bytes_each(common, moment);
    let elements = if full { stage.held.elements() } else { stage.adapters };
    let part = |elements: u64| {
        // The share of all gradients, so that sharding carries over.
        let all = if full { stage.held.elements() } else { stage.adapters };
        let kept_each = gradient_bytes_each(common, Moment::OptimizerStep);
        if all == 0 { 0 } else { scaled(scaled(stage.state.grads, elements, all), each, kept_each) }
    };
    let alive_elements = match grads_alive(common, moment) {
        GradsAlive::None => return,
        GradsAlive::All => elements,
        alive => some_gradients(common, stage, alive, place),
    };
    let bytes = part(alive_elements);
    let why = || Why {
        label: "term-gradients",
        equation: "β·P / N",
        inputs: vec![
            (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
            (symbol::PARAMS, Quantity::Count(alive_elements)),
            shards(common, common.divided.grads),
        ],
        source: "source-gradients",
    };
    if grads_alive(common, Moment::Idle) == GradsAlive::All {
        tally.fixed(Part::Gradients, bytes, why);
    } else {
        tally.changing(Part::Gradients, bytes, why);
    }
    if moment == Moment::BackwardEnd && full && common.plan.arch.tied && stage.first && stage.last {
        let coexisting = 2_u64.saturating_mul(part(common.shards.token_table.elements()));
        tally.changing(Part::Gradients, coexisting, || Why {
            label: "term-tied-gradient",
            equation: "2·β·P / N",
            inputs: vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
                (symbol::PARAMS, Quantity::Count(common.shards.token_table.elements())),
                shards(common, common.divided.grads),
            ],
            source: TRACED,
        });
    }
}

/// Bytes of one gradient at a moment.
///
/// Plain PyTorch makes gradients in the parameters' format; where the optimizer wants fp32 ones beside
/// 16-bit parameters, they are made from these just before its step.
fn gradient_bytes_each(common: &Common<'_>, moment: Moment) -> u64 {
    let plan = common.plan.plan;
    let precision = &plan.precision;
    if plan.workload.method != Method::Full {
        return plan.workload.lora.dtype.bytes();
    }
    let converted = plan.framework.profile == Profile::HuggingFace
        && precision.mixed == MixedPrecision::MasterWeights
        && moment != Moment::OptimizerStep;
    if converted { precision.param_dtype.bytes() } else { precision.grad_dtype.bytes() }
}

/// Trained elements whose gradients are there at a place inside backward.
fn some_gradients(common: &Common<'_>, stage: &Stage, alive: GradsAlive, place: Place) -> u64 {
    let layer = &stage.largest_layer;
    if common.plan.plan.workload.method != Method::Full {
        return match alive {
            GradsAlive::AllButFirst => stage.adapters.saturating_sub(layer.adapters),
            GradsAlive::OneLayer => layer.adapters,
            _ => 0,
        };
    }
    // Under FSDP the block's own gradients are whole and counted with the buffers.
    let own = if common.gathers { 0 } else { layer.inside.gradient_elements(place, &layer.held) };
    let head = if stage.last { common.shards.head.elements() } else { 0 };
    let tied = if stage.first && stage.last && common.plan.arch.tied {
        common.shards.token_table.elements()
    } else {
        0
    };
    match alive {
        GradsAlive::Head => head.saturating_add(tied).saturating_add(own),
        GradsAlive::AllButFirst => {
            let embedding = if stage.first { common.shards.embedding.elements() } else { 0 };
            // Under FSDP most is alive one block earlier, while the last one is gathered.
            let missing = if common.gathers { 2 } else { 1 };
            stage
                .held
                .elements()
                .saturating_sub(layer.held.times(missing).elements())
                .saturating_sub(embedding)
                .saturating_add(tied)
                .saturating_add(own)
        }
        _ => layer.held.elements(),
    }
}

fn optimizer(common: &Common<'_>, stage: &Stage, tally: &mut Tally<'_, impl Ledger>) {
    let plan = common.plan.plan;
    let is_divided = common.divided.states;
    let trained =
        if plan.workload.method == Method::Full { stage.held.elements() } else { stage.adapters };
    tally.fixed(Part::OptimizerState, stage.state.optimizer, || {
        let ranks = if is_divided { common.plan.layout.shards } else { 1 };
        let each = stage.state.optimizer as f64 * ranks as f64 / trained.max(1) as f64;
        Why {
            label: "term-optimizer",
            equation: "β·P / N",
            inputs: vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(each)),
                (symbol::PARAMS, Quantity::Count(trained)),
                shards(common, is_divided),
            ],
            source: "source-optimizer-states",
        }
    });
    tally.fixed(Part::MasterWeights, stage.state.master, || Why {
        label: "term-master",
        equation: "4·P / N",
        inputs: vec![(symbol::PARAMS, Quantity::Count(trained)), shards(common, is_divided)],
        source: "source-master-weights",
    });
}

/// Bytes of a token id.
const TOKEN_ID_BYTES: u64 = 8;

fn inputs(common: &Common<'_>, tally: &mut Tally<'_, impl Ledger>) {
    let layout = &common.plan.layout;
    let masks = u64::from(common.plan.plan.workload.ones_mask);
    let copies = masks + if layout.context > 1 { 2 } else { 1 };
    let bytes = TOKEN_ID_BYTES
        .saturating_mul(layout.tokens)
        .saturating_mul(layout.micro_batches)
        .saturating_mul(copies);
    tally.fixed(Part::Temporaries, bytes, || Why {
        label: "term-input-ids",
        equation: "8·T·n",
        inputs: vec![
            (symbol::TOKENS, Quantity::Count(layout.tokens)),
            (symbol::COUNT, Quantity::Count(layout.micro_batches * copies)),
        ],
        source: TRACED,
    });
}

fn step_temporaries(common: &Common<'_>, stage: &Stage, tally: &mut Tally<'_, impl Ledger>) {
    let bytes = stage.state.step_temporaries;
    tally.changing(Part::Temporaries, bytes, || {
        let each = state_dtype(&common.plan).bytes();
        Why {
            label: "term-step-temporaries",
            equation: "β·n",
            inputs: vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(each as f64)),
                (symbol::COUNT, Quantity::Count(bytes / each.max(1))),
            ],
            source: TRACED,
        }
    });
}

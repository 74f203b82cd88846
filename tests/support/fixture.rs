//! Answers made by hand, so that tests of views do not depend on what the engine says.

use vramplan::{
    catalogue::CapacityBasis,
    estimate::Estimate,
    explain::{Quantity, Source, Term, symbol},
    memory::{
        Assumption, Doubt, Explanation, MemoryEstimate, Moment, Part, Parts, SavedBlock,
        SavedBlocks, SavedRow, StageDetail, StageMemory, TimelinePoint, Verdict,
        params::LayerKind,
        saved::{SavedTensor, Split},
    },
    message::Message,
    throughput::{
        AchievedFraction, Bound, Figures, Operation, OperationClass, ServingFigures, SpeedEstimate,
        SpeedExplanation, TimeCauses, TimePart, TrainingFigures,
    },
    ui::session::Ready,
    units::{Bytes, Flops, FlopsPerSec, MIB, Secs},
};

/// MiB of every part on a stage of a pipeline of so many stages.
fn parts(stage: usize, stages: usize) -> Parts {
    let in_flight = (stages - stage) as u64;
    let mut parts = Parts::default();
    let last = stage + 1 == stages;
    for (part, mib) in [
        (Part::Parameters, 4198),
        (Part::Gradients, 8397),
        (Part::OptimizerState, 4198),
        (Part::AttentionActivations, 620 * in_flight),
        (Part::MlpActivations, 940 * in_flight),
        (Part::NormActivations, 210 * in_flight),
        (Part::LogitsAndLoss, if last { 9625 } else { 0 }),
        (Part::Temporaries, 2150),
        (Part::Communication, 1638),
        (Part::AllocatorReserve, 2662),
        (Part::Context, 921),
    ] {
        parts.add(part, Bytes(mib * MIB));
    }
    parts
}

fn stage(index: usize, stages: usize) -> StageMemory {
    let parts = parts(index, stages);
    let total = parts.total();
    StageMemory {
        stage: u32::try_from(index).unwrap(),
        layers: 20,
        peak: Moment::BackwardStart,
        parts,
        low: total.saturating_sub(Bytes(1024 * MIB)),
        high: total + Bytes(1024 * MIB),
        allocated: total.saturating_sub(Bytes(5000 * MIB)),
        reserved: total.saturating_sub(Bytes(2000 * MIB)),
        static_bytes: Bytes(8397 * MIB),
        saved_bytes: Bytes(1770 * MIB),
        saved_per_layer: Bytes(80 * MIB),
        head_saved: Bytes(170 * MIB),
        serving: None,
    }
}

fn timeline(peak: Parts) -> Vec<TimelinePoint> {
    let without = |missing: &[Part]| {
        let mut parts = Parts::default();
        for (part, bytes) in peak.iter().filter(|(part, _)| !missing.contains(part)) {
            parts.add(part, bytes);
        }
        parts
    };
    let activations = [
        Part::AttentionActivations,
        Part::MlpActivations,
        Part::NormActivations,
        Part::LogitsAndLoss,
    ];
    let idle = without(&[&activations[..], &[Part::Gradients, Part::Temporaries]].concat());
    let end = without(&activations);
    [
        (Moment::Idle, idle),
        (Moment::ForwardFirst, without(&[Part::Gradients, Part::Temporaries, Part::LogitsAndLoss])),
        (Moment::BackwardStart, peak),
        (Moment::BackwardLayer, without(&[Part::LogitsAndLoss])),
        (Moment::BackwardEnd, end),
        (Moment::OptimizerStep, end),
        (Moment::Idle, idle),
    ]
    .map(|(moment, parts)| TimelinePoint { moment, parts })
    .into()
}

fn explanation(parts: &Parts) -> Explanation {
    let term = |(part, bytes): (Part, Bytes)| {
        let term = Term {
            label: "term-parameters",
            equation: "β·P / N",
            inputs: vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(2.0)),
                (symbol::PARAMS, Quantity::Count(bytes.0 / 2)),
                (symbol::SHARDS, Quantity::Count(1)),
            ],
            result: Quantity::Bytes(bytes),
            source: Source("source-definition"),
        };
        (part, term)
    };
    Explanation { terms: parts.iter().map(term).collect() }
}

fn operations() -> Vec<Operation> {
    [
        (OperationClass::Matmul, 3.1e15, 9.0e12, 9.1, Bound::Compute),
        (OperationClass::Attention, 6.0e14, 8.0e11, 2.4, Bound::Compute),
        (OperationClass::Elementwise, 4.0e12, 8.0e12, 3.1, Bound::MemoryBandwidth),
        (OperationClass::Optimizer, 3.0e10, 2.0e11, 0.1, Bound::MemoryBandwidth),
    ]
    .map(|(class, flops, bytes, secs, bound)| Operation {
        class,
        flops: Flops(flops),
        bytes: Bytes::from_f64(bytes),
        time: Secs(secs),
        kernels: 0.0,
        bound,
    })
    .into()
}

fn speed(figures: Figures) -> SpeedEstimate {
    SpeedEstimate {
        figures,
        operations: operations(),
        time: vec![
            (TimePart::Compute, Secs(11.5)),
            (TimePart::MemoryBandwidth, Secs(3.1)),
            (TimePart::ExposedCommunication, Secs(2.2)),
            (TimePart::Bubble, Secs(1.7)),
            (TimePart::Optimizer, Secs(0.1)),
        ],
        communication: Vec::new(),
        bound_by: Bound::Compute,
        fractions: vec![AchievedFraction {
            label: "fraction-matmul",
            value: 0.66,
            source: "source-assumed",
        }],
        causes: TimeCauses::default(),
        power: None,
        cards_usd: None,
    }
}

/// Figures of a training run.
pub fn training() -> Figures {
    Figures::Training(TrainingFigures {
        step: Secs(18.6),
        tokens_per_sec_per_gpu: 742.0,
        tokens_per_sec: 189_952.0,
        mfu: 0.37,
        hfu: 0.41,
        time_to_train: Secs(61.0 * 86_400.0),
        gpu_hours: 374_784.0,
        energy_kwh: Some(262_000.0),
        cost_usd: None,
        model_flops: Flops(1.8e18),
        attention_flops: Flops(3.0e17),
        frozen_flops: Flops(0.0),
        peak: FlopsPerSec::from_tera(989.4),
    })
}

/// Figures of a server.
pub fn serving() -> Figures {
    Figures::Serving(ServingFigures {
        decode_tokens_per_sec: 1234.0,
        decode_tokens_per_sec_per_user: 77.1,
        prefill_tokens_per_sec: 9876.0,
        time_to_first_token: Secs(0.21),
        token_latency: Secs(0.013),
        decode_ceiling_tokens_per_sec: 2100.0,
        kwh_per_million_tokens: None,
        usd_per_million_tokens: None,
    })
}

/// One block of each kind: what it keeps, and what it computes anew.
fn saved(training: bool) -> SavedBlocks {
    let row = |name, part, (shape, width), split, kept| SavedRow {
        tensor: SavedTensor { name, part, shape, width, bytes: 2, copies: 1, split },
        bytes: Bytes(2048 * width * 2 / if split == Split::Tensor { 8 } else { 1 }),
        ranks: if split == Split::Tensor { 8 } else { 1 },
        kept,
    };
    let input = ("saved-block-input", Part::Checkpoints, ("T·h", 4096), Split::Whole, true);
    let again = |name, shape| row(name, Part::MlpActivations, shape, Split::Tensor, false);
    let first = |(name, part, shape, split, kept)| row(name, part, shape, split, kept);
    let dense = vec![
        first(input),
        again("saved-gate", ("T·f", 16_384)),
        again("saved-linear-input", ("T·h", 4096)),
        again("saved-linear-input", ("T·f", 16_384)),
    ];
    let moe = vec![first(input), again("saved-expert-tokens", ("T·k·h", 8192))];
    let blocks = vec![
        SavedBlock { kind: LayerKind::Dense, rows: dense },
        SavedBlock { kind: LayerKind::Moe, rows: moe },
    ];
    SavedBlocks {
        tokens: 2048,
        blocks: if training { blocks } else { Vec::new() },
        notes: vec!["saved-note-autocast"],
    }
}

fn assumption(key: &'static str) -> Assumption {
    Assumption { text: Message::new(key), hint: key }
}

/// An answer for so many pipeline stages on a card with so many MiB.
pub fn ready(stages: usize, capacity_mib: u64, figures: Figures) -> Ready {
    let memory: Vec<StageMemory> = (0..stages).map(|index| stage(index, stages)).collect();
    let worst = (0..stages).max_by_key(|index| memory[*index].total()).unwrap();
    let capacity = Bytes(capacity_mib * MIB);
    let verdict = match &memory[worst] {
        stage if stage.low > capacity => Verdict::DoesNotFit,
        stage if stage.high > capacity => Verdict::Tight,
        _ => Verdict::Fits,
    };
    let peak = memory[worst].parts;
    let saved = saved(matches!(figures, Figures::Training(_)));
    Ready {
        estimate: Estimate {
            memory: MemoryEstimate {
                stages: memory,
                worst,
                capacity,
                capacity_basis: CapacityBasis::Driver,
                verdict,
            },
            speed: speed(figures),
        },
        shown_stage: worst,
        detail: StageDetail { timeline: timeline(peak), explanation: explanation(&peak) },
        assumptions: vec![assumption("assume-composed"), assumption("assume-capacity-driver")],
        doubt: Doubt { profile_share: 0.03, runtime_share: 0.3, reserve_needed_share: 0.35 },
        saved,
        speed_explanation: SpeedExplanation::default(),
        issues: Vec::new(),
        most_sequences: None,
    }
}

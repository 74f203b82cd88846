//! Why the speed is what it is: equations with the numbers put in.

use super::{
    answer::{
        Bound, Figures, GroupTraffic, Operation, ServingFigures, SpeedEstimate, SpeedExplanation,
        TimePart, TrainingFigures,
    },
    fractions::{KERNEL_RAMP_SECS, OVERLAP_SHARE},
    pipeline,
    roofline::Machine,
};
use crate::{
    explain::{Quantity, Source, Term, symbol},
    plan::{Choice as _, Method, Resolved},
    units::{BytesPerSec, Secs},
};

const ROOFLINE: Source = Source("Williams, Waterman, Patterson 2009, Roofline");
const DEFINITION: Source = Source("definition");
const RING: Source = Source("nccl-tests, Performance: ring algorithm");
const PIPELINE: Source =
    Source("Narayanan et al. 2021, arXiv:2104.04473; Qi et al. 2024, arXiv:2401.10241");
const UTILISATION: Source = Source("Chowdhery et al. 2022, arXiv:2204.02311, appendix B");

/// Why the speed is what it is: terms for every share of the time and for the headline figures.
///
/// An operation's own term stands under what limits it and contains its recomputation; the first term
/// of a part is the part itself.
#[must_use]
pub fn explain(plan: &Resolved<'_>, speed: &SpeedEstimate) -> SpeedExplanation {
    let machine = Machine::new(plan);
    let mut time = Vec::with_capacity(16);
    for &(part, secs) in &speed.time {
        time.push((part, part_term(plan, &machine, part, secs)));
        for operation in &speed.operations {
            if part_of(operation) == part {
                time.push((part, operation_term(&machine, operation)));
            }
        }
        if part == TimePart::ExposedCommunication {
            time.extend(speed.communication.iter().map(|traffic| (part, group_term(traffic))));
        }
    }
    let headline = match &speed.figures {
        Figures::Training(figures) => training_terms(plan, &machine, figures),
        Figures::Serving(figures) => serving_terms(plan, figures),
    };
    SpeedExplanation { time, headline }
}

fn part_of(operation: &Operation) -> TimePart {
    use super::answer::OperationClass;
    match (operation.class, operation.bound) {
        (OperationClass::Optimizer, _) => TimePart::Optimizer,
        (_, Bound::Compute) => TimePart::Compute,
        (_, Bound::Launch) => TimePart::Launch,
        _ => TimePart::MemoryBandwidth,
    }
}

fn operation_term(machine: &Machine, operation: &Operation) -> Term {
    Term {
        label: operation.class.key(),
        equation: "τ = max(F/(R·η), B/(W·η)) + n·τ_0",
        inputs: vec![
            (symbol::WORK, Quantity::Flops(operation.flops)),
            (symbol::MOVED, Quantity::Bytes(operation.bytes)),
            (symbol::PEAK, Quantity::FlopsPerSec(machine.peak)),
            (symbol::BANDWIDTH, Quantity::BytesPerSec(BytesPerSec(machine.peak_bytes_per_sec))),
        ],
        result: Quantity::Secs(operation.time),
        source: ROOFLINE,
    }
}

fn group_term(traffic: &GroupTraffic) -> Term {
    Term {
        label: traffic.group.key(),
        equation: "τ − min(φ·τ, τ_hidden)",
        inputs: vec![
            (symbol::TIME, Quantity::Secs(traffic.time)),
            (symbol::COUNT, Quantity::Count(traffic.ranks)),
            (symbol::SHARE, Quantity::Fraction(OVERLAP_SHARE)),
        ],
        result: Quantity::Secs(traffic.exposed),
        source: RING,
    }
}

fn part_term(plan: &Resolved<'_>, machine: &Machine, part: TimePart, secs: Secs) -> Term {
    let micro_batches = (symbol::COUNT, Quantity::Count(plan.layout.micro_batches));
    let bandwidth = [
        (symbol::BANDWIDTH, Quantity::BytesPerSec(BytesPerSec(machine.peak_bytes_per_sec))),
        (symbol::ACHIEVED, Quantity::Fraction(machine.bandwidth_share)),
    ];
    let (equation, inputs, source) = match part {
        TimePart::Compute => (
            "n·Σ F/(R·η)",
            vec![
                micro_batches,
                (symbol::PEAK, Quantity::FlopsPerSec(machine.peak)),
                (symbol::ACHIEVED, Quantity::Fraction(machine.matmul_share)),
            ],
            ROOFLINE,
        ),
        TimePart::MemoryBandwidth => {
            let [rate, share] = bandwidth;
            ("n·Σ B/(W·η)", vec![micro_batches, rate, share], ROOFLINE)
        }
        TimePart::Recomputation => ("n·Σ φ·τ", vec![micro_batches], DEFINITION),
        TimePart::ExposedCommunication => ("Σ (τ − min(φ·τ, τ_hidden))", vec![micro_batches], RING),
        TimePart::Bubble => (
            "φ·(p − 1)·τ",
            vec![
                (symbol::STAGES, Quantity::Count(plan.layout.pipeline)),
                micro_batches,
                (symbol::SHARE, Quantity::Fraction(pipeline::bubble_share(plan))),
            ],
            PIPELINE,
        ),
        TimePart::Optimizer => ("B/(W·η)", bandwidth.to_vec(), ROOFLINE),
        TimePart::HostTransfer => {
            ("Σ (τ − min(φ·τ, τ_hidden)) over the host link", Vec::new(), DEFINITION)
        }
        TimePart::Launch => (
            "n·τ_0 + max(0, τ_host − τ_gpu)",
            vec![(symbol::TIME, Quantity::Secs(Secs(KERNEL_RAMP_SECS)))],
            DEFINITION,
        ),
    };
    Term { label: part.key(), equation, inputs, result: Quantity::Secs(secs), source }
}

fn training_terms(plan: &Resolved<'_>, machine: &Machine, figures: &TrainingFigures) -> Vec<Term> {
    let tokens = (symbol::TOKENS, Quantity::Count(plan.layout.global_tokens));
    let gpus = (symbol::COUNT, Quantity::Count(plan.layout.world));
    let step = (symbol::TIME, Quantity::Secs(figures.step));
    let work = (symbol::WORK, Quantity::Flops(figures.model_flops));
    let peak = (symbol::PEAK, Quantity::FlopsPerSec(machine.peak));
    let frozen = plan.plan.workload.method != Method::Full;
    let utilisation = |label, equation, value| Term {
        label,
        equation,
        inputs: vec![work, gpus, peak, step],
        result: Quantity::Fraction(value),
        source: UTILISATION,
    };
    let mut terms = vec![
        Term {
            label: "term-tokens-per-sec",
            equation: "T/τ",
            inputs: vec![tokens, step],
            result: Quantity::TokensPerSec(figures.tokens_per_sec),
            source: DEFINITION,
        },
        Term {
            label: "term-tokens-per-sec-per-gpu",
            equation: "T/(n·τ)",
            inputs: vec![tokens, gpus, step],
            result: Quantity::TokensPerSec(figures.tokens_per_sec_per_gpu),
            source: DEFINITION,
        },
        Term {
            label: if frozen { "term-model-flops-frozen" } else { "term-model-flops" },
            equation: if frozen {
                "F = T·(4·P + 6·P_r + 12·L·A·s)"
            } else {
                "F = T·(6·P + 12·L·A·s)"
            },
            inputs: vec![
                tokens,
                (symbol::LAYERS, Quantity::Count(u64::from(plan.arch.layers))),
                (symbol::QUERY_WIDTH, Quantity::Count(plan.arch.query_width())),
                (symbol::SEQUENCE, Quantity::Count(u64::from(plan.plan.workload.sequence))),
            ],
            result: Quantity::Flops(figures.model_flops),
            source: UTILISATION,
        },
        utilisation("term-mfu", "F/(n·R·τ)", figures.mfu),
        utilisation("term-hfu", "(F + F_r)/(n·R·τ)", figures.hfu),
        run_term(plan, figures),
    ];
    if machine.peak_dtype != plan.plan.precision.compute_dtype {
        terms.push(fallback_term(machine));
    }
    terms
}

fn run_term(plan: &Resolved<'_>, figures: &TrainingFigures) -> Term {
    Term {
        label: "term-time-to-train",
        equation: "M/(T/τ)",
        inputs: vec![
            (symbol::SIZE, Quantity::Number(plan.plan.workload.training_tokens)),
            (symbol::TOKENS, Quantity::Count(plan.layout.global_tokens)),
            (symbol::TIME, Quantity::Secs(figures.step)),
        ],
        result: Quantity::Secs(figures.time_to_train),
        source: DEFINITION,
    }
}

/// The card lacks the compute format: says which rate was taken.
fn fallback_term(machine: &Machine) -> Term {
    Term {
        label: "term-peak-fallback",
        equation: "R",
        inputs: Vec::new(),
        result: Quantity::FlopsPerSec(machine.peak),
        source: DEFINITION,
    }
}

fn serving_terms(plan: &Resolved<'_>, figures: &ServingFigures) -> Vec<Term> {
    let sequences = u64::from(plan.plan.workload.concurrency.max(1));
    let concurrency = (symbol::CONCURRENCY, Quantity::Count(sequences));
    let copies = (symbol::COUNT, Quantity::Count(plan.layout.data));
    let step = (symbol::TIME, Quantity::Secs(figures.token_latency));
    let prompt = Quantity::Count(u64::from(plan.plan.workload.prompt_tokens));
    vec![
        Term {
            label: "term-decode",
            equation: "n·q/τ",
            inputs: vec![copies, concurrency, step],
            result: Quantity::TokensPerSec(figures.decode_tokens_per_sec),
            source: DEFINITION,
        },
        Term {
            label: "term-decode-per-user",
            equation: "1/τ",
            inputs: vec![step],
            result: Quantity::TokensPerSec(figures.decode_tokens_per_sec_per_user),
            source: DEFINITION,
        },
        Term {
            label: "term-decode-ceiling",
            equation: "n·q·W/B",
            inputs: vec![
                copies,
                concurrency,
                (symbol::BANDWIDTH, Quantity::BytesPerSec(plan.gpu.bandwidth())),
            ],
            result: Quantity::TokensPerSec(figures.decode_ceiling_tokens_per_sec),
            source: ROOFLINE,
        },
        Term {
            label: "term-first-token",
            equation: "Σ max(F/(R·η), B/(W·η))",
            inputs: vec![(symbol::SEQUENCE, prompt)],
            result: Quantity::Secs(figures.time_to_first_token),
            source: ROOFLINE,
        },
        Term {
            label: "term-prefill",
            equation: "n·s/τ",
            inputs: vec![copies, (symbol::SEQUENCE, prompt)],
            result: Quantity::TokensPerSec(figures.prefill_tokens_per_sec),
            source: DEFINITION,
        },
    ]
}

//! Terms of the headline figures.

use super::{DEFINITION, ROOFLINE, UTILISATION};
use crate::{
    explain::{Quantity, Symbol, Term, symbol},
    plan::Method,
    throughput::{
        answer::{ServingFigures, SpeedEstimate, TimeCauses, TrainingFigures},
        model_flops::{self, ModelFlops},
        operations::Bench,
        roofline::Machine,
    },
    units::{Bytes, BytesPerSec, Secs},
};

/// Terms of a training step's figures.
pub(super) fn training(bench: &Bench<'_>, figures: &TrainingFigures) -> Vec<Term> {
    let flops = model_flops::of_step(bench);
    let mut terms = rate_terms(bench, figures);
    terms.push(model_flops_term(bench, &flops, figures));
    terms.extend(utilisation_terms(bench, &flops, figures));
    terms.push(run_term(bench, figures));
    if bench.machine.peak_dtype != bench.plan.plan.precision.compute_dtype {
        terms.push(fallback_term(&bench.machine));
    }
    terms
}

fn rate_terms(bench: &Bench<'_>, figures: &TrainingFigures) -> Vec<Term> {
    let tokens = (symbol::STEP_TOKENS, Quantity::Count(bench.plan.layout.global_tokens));
    let gpus = (symbol::GPUS, Quantity::Count(bench.plan.layout.world));
    let step = (symbol::STEP_TIME, Quantity::Secs(figures.step));
    vec![
        Term {
            label: "term-tokens-per-sec",
            equation: "T/τ",
            inputs: vec![tokens, step],
            result: Quantity::TokensPerSec(figures.tokens_per_sec),
            source: DEFINITION,
        },
        Term {
            label: "term-tokens-per-sec-per-gpu",
            equation: "T/(G·τ)",
            inputs: vec![tokens, gpus, step],
            result: Quantity::TokensPerSec(figures.tokens_per_sec_per_gpu),
            source: DEFINITION,
        },
    ]
}

fn model_flops_term(bench: &Bench<'_>, flops: &ModelFlops, figures: &TrainingFigures) -> Term {
    let plan = bench.plan;
    let mut inputs = vec![
        (symbol::STEP_TOKENS, Quantity::Count(plan.layout.global_tokens)),
        (symbol::ACTIVE_PARAMS, Quantity::Number(flops.weights)),
        (symbol::MODEL_LAYERS, Quantity::Count(u64::from(plan.arch.layers))),
        (symbol::ATTENTION_WIDTH, Quantity::Number(flops.attention_width)),
        (symbol::POSITIONS, Quantity::Number(flops.positions)),
    ];
    let frozen = plan.plan.workload.method != Method::Full;
    if frozen {
        inputs.insert(2, (symbol::ADAPTER_PARAMS, Quantity::Number(flops.adapters)));
    }
    Term {
        label: if frozen { "term-model-flops-frozen" } else { "term-model-flops" },
        equation: if frozen {
            "F = T·(4·P + 6·P_r + 12·L·A·s)"
        } else {
            "F = T·(6·P + 12·L·A·s)"
        },
        inputs,
        result: Quantity::Flops(figures.model_flops),
        source: UTILISATION,
    }
}

fn utilisation_terms(
    bench: &Bench<'_>,
    flops: &ModelFlops,
    figures: &TrainingFigures,
) -> [Term; 2] {
    let work = (symbol::WORK, Quantity::Flops(figures.model_flops));
    let again = (symbol::RERUN_WORK, Quantity::Flops(flops.recomputed));
    let capacity: [(Symbol, Quantity); 3] = [
        (symbol::GPUS, Quantity::Count(bench.plan.layout.world)),
        (symbol::PEAK, Quantity::FlopsPerSec(bench.machine.peak)),
        (symbol::STEP_TIME, Quantity::Secs(figures.step)),
    ];
    let term = |label, equation, work: &[(Symbol, Quantity)], value| Term {
        label,
        equation,
        inputs: [work, &capacity].concat(),
        result: Quantity::Fraction(value),
        source: UTILISATION,
    };
    [
        term("term-mfu", "F/(G·R·τ)", &[work], figures.mfu),
        term("term-hfu", "(F + F_r)/(G·R·τ)", &[work, again], figures.hfu),
    ]
}

fn run_term(bench: &Bench<'_>, figures: &TrainingFigures) -> Term {
    let tokens = bench.plan.plan.workload.training_tokens.max(0.0);
    Term {
        label: "term-time-to-train",
        equation: "M/T·τ",
        inputs: vec![
            (symbol::RUN_TOKENS, Quantity::Number(tokens)),
            (symbol::STEP_TOKENS, Quantity::Count(bench.plan.layout.global_tokens)),
            (symbol::STEP_TIME, Quantity::Secs(figures.step)),
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
        inputs: vec![(symbol::PEAK, Quantity::FlopsPerSec(machine.peak))],
        result: Quantity::FlopsPerSec(machine.peak),
        source: DEFINITION,
    }
}

/// What the memory delivers on average.
pub(super) fn bandwidth(speed: &SpeedEstimate) -> Term {
    let moved: Bytes = speed.operations.iter().map(|operation| operation.bytes).sum();
    Term {
        label: "term-bandwidth",
        equation: "B/τ",
        inputs: vec![
            (symbol::MOVED, Quantity::Bytes(moved)),
            (symbol::TIME, Quantity::Secs(speed.total_time())),
        ],
        result: Quantity::BytesPerSec(speed.achieved_bandwidth()),
        source: DEFINITION,
    }
}

/// Terms of a server's figures.
pub(super) fn serving(
    bench: &Bench<'_>,
    causes: &TimeCauses,
    figures: &ServingFigures,
) -> Vec<Term> {
    let mut terms = decode_terms(bench, figures);
    terms.extend(prompt_terms(bench, causes, figures));
    terms
}

fn decode_terms(bench: &Bench<'_>, figures: &ServingFigures) -> Vec<Term> {
    let sequences = u64::from(bench.plan.plan.workload.concurrency.max(1));
    let copies = (symbol::COPIES, Quantity::Count(bench.plan.layout.data));
    let concurrency = (symbol::CONCURRENCY, Quantity::Count(sequences));
    let step = (symbol::TOKEN_TIME, Quantity::Secs(figures.token_latency));
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
        ceiling_term(bench, figures, copies, concurrency),
    ]
}

/// The ceiling: weights and cache read once for a token of every sequence.
fn ceiling_term(
    bench: &Bench<'_>,
    figures: &ServingFigures,
    copies: (Symbol, Quantity),
    concurrency: (Symbol, Quantity),
) -> Term {
    let ceiling = figures.decode_ceiling_tokens_per_sec;
    let peak = bench.machine.peak_bytes_per_sec;
    let moved = copies.1.magnitude() * concurrency.1.magnitude() * peak / ceiling;
    Term {
        label: "term-decode-ceiling",
        equation: "n·q·W/B",
        inputs: vec![
            copies,
            concurrency,
            (symbol::BANDWIDTH, Quantity::BytesPerSec(BytesPerSec(peak))),
            (symbol::MOVED, Quantity::Bytes(Bytes::from_f64(moved))),
        ],
        result: Quantity::TokensPerSec(ceiling),
        source: ROOFLINE,
    }
}

/// The first token of a lone prompt, and prompts in a row.
fn prompt_terms(bench: &Bench<'_>, causes: &TimeCauses, figures: &ServingFigures) -> [Term; 2] {
    let peak = bench.machine.peak;
    let first = figures.time_to_first_token;
    let prompt = u64::from(bench.plan.plan.workload.prompt_tokens.max(1));
    let copies = bench.plan.layout.data;
    let batch_tokens = copies as f64 * causes.prompts_at_once * prompt as f64;
    let batch = Secs(batch_tokens / figures.prefill_tokens_per_sec);
    [
        Term {
            label: "term-first-token",
            equation: "F/(R·η)",
            inputs: vec![
                (symbol::WORK, Quantity::Flops(causes.prompt_flops)),
                (symbol::PEAK, Quantity::FlopsPerSec(peak)),
                (symbol::ACHIEVED, Quantity::Fraction(causes.prompt_flops.0 / (peak.0 * first.0))),
            ],
            result: Quantity::Secs(first),
            source: ROOFLINE,
        },
        Term {
            label: "term-prefill",
            equation: "n·q·s/τ",
            inputs: vec![
                (symbol::COPIES, Quantity::Count(copies)),
                (symbol::PROMPTS, Quantity::Number(causes.prompts_at_once)),
                (symbol::PROMPT_TOKENS, Quantity::Count(prompt)),
                (symbol::PROMPT_TIME, Quantity::Secs(batch)),
            ],
            result: Quantity::TokensPerSec(figures.prefill_tokens_per_sec),
            source: DEFINITION,
        },
    ]
}

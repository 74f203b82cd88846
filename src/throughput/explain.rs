//! Why the speed is what it is: equations with the numbers put in.

mod headline;
mod power;
mod product_list;

use super::{
    answer::{
        Bound, Figures, GroupTraffic, Operation, OperationClass, SpeedEstimate, SpeedExplanation,
        TimePart,
    },
    fractions::KERNEL_RAMP_SECS,
    levels,
    operations::Bench,
    pipeline,
    roofline::Machine,
};
use crate::{
    explain::{Quantity, Source, Symbol, Term, symbol},
    plan::{Choice as _, Resolved},
    units::{BytesPerSec, Secs},
};

const ROOFLINE: Source = Source("source-roofline");
const DEFINITION: Source = Source("source-definition");
const RING: Source = Source("source-ring");
const PIPELINE: Source = Source("source-pipeline");
const UTILISATION: Source = Source("source-utilisation");

/// Share of an operation's time below which nothing but its kernels' ramps counts.
const LEAST_DEVICE_SHARE: f64 = 1e-6;

/// Equation of an operation, with what was put in.
type Equation = (&'static str, Vec<(Symbol, Quantity)>);

/// Why the speed is what it is: terms for every share of the time and for the headline figures.
///
/// An operation's own term stands under what limits it and contains its recomputation; the first term
/// of a part is the part itself.
#[must_use]
pub fn explain(plan: &Resolved<'_>, speed: &SpeedEstimate) -> SpeedExplanation {
    let bench = Bench::new(plan);
    let mut time = Vec::with_capacity(16);
    for &(part, secs) in &speed.time {
        time.push((part, part_term(&bench, speed, part, secs)));
        let own = speed.operations.iter().filter(|operation| part_of(operation) == Some(part));
        time.extend(own.map(|operation| (part, operation_term(&bench.machine, operation))));
        if part == TimePart::ExposedCommunication {
            time.extend(speed.communication.iter().map(|traffic| (part, group_term(traffic))));
        }
    }
    let draw = speed.power.as_ref();
    let mut headline = match &speed.figures {
        Figures::Training(figures) => {
            let mut terms = headline::training(&bench, figures);
            terms.extend(power::training(&bench, draw, figures));
            terms
        }
        Figures::Serving(figures) => {
            let mut terms = headline::serving(&bench, &speed.causes, figures);
            terms.extend(power::serving(&bench, draw, figures));
            terms
        }
    };
    headline.push(headline::bandwidth(speed));
    headline.extend(speed.cards_usd.map(|whole| power::cards(plan, whole)));
    SpeedExplanation {
        time,
        headline,
        levels: Some(levels::of(&bench, speed)),
        products: product_list::of(&bench),
    }
}

/// The share that an operation's term stands under; none for the optimizer, which is its own share.
fn part_of(operation: &Operation) -> Option<TimePart> {
    match (operation.class, operation.bound) {
        (OperationClass::Optimizer, _) => None,
        (_, Bound::Compute) => Some(TimePart::Compute),
        (_, Bound::Launch) => Some(TimePart::Launch),
        _ => Some(TimePart::MemoryBandwidth),
    }
}

fn operation_term(machine: &Machine, operation: &Operation) -> Term {
    let (equation, inputs) = operation_equation(machine, operation);
    Term {
        label: operation.class.key(),
        equation,
        inputs,
        result: Quantity::Secs(operation.time),
        source: ROOFLINE,
    }
}

/// Work or traffic at the rate that was reached on average, and the ramps of the kernels.
///
/// ```text
/// τ = F/(R·η) + n·τ_k        or        τ = B/(W·η) + n·τ_k
/// ```
///
/// A class holds large and small operations, so that η is what all of them reach together.
fn operation_equation(machine: &Machine, operation: &Operation) -> Equation {
    let device_secs = operation.time.0 - operation.kernels * KERNEL_RAMP_SECS;
    let kernels = [
        (symbol::KERNELS, Quantity::Number(operation.kernels)),
        (symbol::RAMP_TIME, Quantity::Secs(Secs(KERNEL_RAMP_SECS))),
    ];
    let (flops, bytes) = (operation.flops.0, operation.bytes.as_f64());
    let by_compute = operation.bound == Bound::Compute || operation.bytes.0 == 0;
    let nothing_else = device_secs <= operation.time.0 * LEAST_DEVICE_SHARE;
    if nothing_else || (by_compute && flops <= 0.0) {
        return ("n·τ_k", kernels.to_vec());
    }
    let [count, ramp] = kernels;
    if by_compute {
        let achieved = flops / (machine.peak.0 * device_secs);
        let inputs = vec![
            (symbol::WORK, Quantity::Flops(operation.flops)),
            (symbol::PEAK, Quantity::FlopsPerSec(machine.peak)),
            (symbol::ACHIEVED, Quantity::Fraction(achieved)),
            count,
            ramp,
        ];
        ("F/(R·η) + n·τ_k", inputs)
    } else {
        let achieved = bytes / (machine.peak_bytes_per_sec * device_secs);
        let inputs = vec![
            (symbol::MOVED, Quantity::Bytes(operation.bytes)),
            (symbol::BANDWIDTH, Quantity::BytesPerSec(BytesPerSec(machine.peak_bytes_per_sec))),
            (symbol::ACHIEVED, Quantity::Fraction(achieved)),
            count,
            ramp,
        ];
        ("B/(W·η) + n·τ_k", inputs)
    }
}

/// All of the time of some traffic but what compute hides.
fn exposed(secs: Secs, hidden: Secs) -> Equation {
    let mut inputs = vec![(symbol::TIME, Quantity::Secs(secs))];
    if hidden.0 <= 0.0 {
        return ("τ", inputs);
    }
    inputs.push((symbol::HIDDEN_TIME, Quantity::Secs(hidden)));
    ("τ − τ_h", inputs)
}

fn group_term(traffic: &GroupTraffic) -> Term {
    let (equation, inputs) = exposed(traffic.time, traffic.hidden());
    Term {
        label: traffic.group.key(),
        equation,
        inputs,
        result: Quantity::Secs(traffic.exposed),
        source: RING,
    }
}

fn part_term(bench: &Bench<'_>, speed: &SpeedEstimate, part: TimePart, secs: Secs) -> Term {
    let (equation, inputs) = match part {
        TimePart::Compute | TimePart::MemoryBandwidth | TimePart::Recomputation => {
            per_micro_batch(speed, secs)
        }
        TimePart::ExposedCommunication => exposed(
            speed.communication.iter().map(|traffic| traffic.time).sum(),
            speed.communication.iter().map(GroupTraffic::hidden).sum(),
        ),
        TimePart::Bubble => bubble(bench.plan, secs),
        TimePart::Optimizer => optimizer(&bench.machine, speed, secs),
        TimePart::HostTransfer => host(speed),
        TimePart::Launch => launch(speed),
    };
    let source = match part {
        TimePart::Compute | TimePart::MemoryBandwidth | TimePart::Optimizer => ROOFLINE,
        TimePart::ExposedCommunication => RING,
        TimePart::Bubble => PIPELINE,
        TimePart::Recomputation | TimePart::HostTransfer | TimePart::Launch => DEFINITION,
    };
    Term { label: part.key(), equation, inputs, result: Quantity::Secs(secs), source }
}

/// The same in every micro-batch.
fn per_micro_batch(speed: &SpeedEstimate, secs: Secs) -> Equation {
    let count = speed.causes.micro_batches.max(1);
    if count == 1 {
        return ("τ", vec![(symbol::TIME, Quantity::Secs(secs))]);
    }
    let each = Secs(secs.0 / count as f64);
    let inputs = vec![
        (symbol::MICRO_BATCHES, Quantity::Count(count)),
        (symbol::MICRO_BATCH_TIME, Quantity::Secs(each)),
    ];
    ("n·τ_m", inputs)
}

/// What the busiest stage waits for the others; `τ_s` is the mean of these.
fn bubble(plan: &Resolved<'_>, secs: Secs) -> Equation {
    let share = pipeline::bubble_share(plan);
    let others = plan.layout.pipeline.saturating_sub(1).max(1) as f64;
    let inputs = vec![
        (symbol::BUBBLE_SHARE, Quantity::Fraction(share)),
        (symbol::STAGES, Quantity::Count(plan.layout.pipeline)),
        (symbol::STAGE_TIME, Quantity::Secs(Secs(secs.0 / (share * others)))),
    ];
    ("φ·(p − 1)·τ_s", inputs)
}

fn optimizer(machine: &Machine, speed: &SpeedEstimate, secs: Secs) -> Equation {
    let is_optimizer = |operation: &&Operation| operation.class == OperationClass::Optimizer;
    speed.operations.iter().find(is_optimizer).map_or_else(
        || ("τ", vec![(symbol::TIME, Quantity::Secs(secs))]),
        |operation| operation_equation(machine, operation),
    )
}

/// The optimizer step in host memory, and copies as far as compute does not hide them.
fn host(speed: &SpeedEstimate) -> Equation {
    let causes = &speed.causes;
    let step = (symbol::HOST_STEP, Quantity::Secs(causes.host_step));
    if causes.host_copies.0 <= 0.0 {
        return ("τ_o", vec![step]);
    }
    let (copies, mut inputs) = exposed(causes.host_copies, causes.host_copies_hidden);
    if causes.host_step.0 <= 0.0 {
        return (copies, inputs);
    }
    inputs.insert(0, step);
    (if inputs.len() == 2 { "τ_o + τ" } else { "τ_o + τ − τ_h" }, inputs)
}

/// Ramps of the kernels, and waiting for the host where it launches more slowly than the GPU works.
fn launch(speed: &SpeedEstimate) -> Equation {
    let causes = &speed.causes;
    let mut inputs = vec![
        (symbol::KERNELS, Quantity::Number(causes.kernels)),
        (symbol::RAMP_TIME, Quantity::Secs(Secs(KERNEL_RAMP_SECS))),
    ];
    if causes.host_wait.0 <= 0.0 {
        return ("n·τ_k", inputs);
    }
    inputs.push((symbol::HOST_WAIT, Quantity::Secs(causes.host_wait)));
    ("n·τ_k + τ_w", inputs)
}

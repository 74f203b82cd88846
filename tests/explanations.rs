//! Every equation that explains a number, with its own numbers put in, gives that number.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/random_plan.rs"]
mod random_plan;

use evalexpr::{ContextWithMutableVariables as _, DefaultNumericTypes, HashMapContext, Value};
use random_plan::random_plan;
use vramplan::{
    catalogue::Catalogue,
    explain::{Quantity, Term},
    memory,
    plan::{Checkpointing, Offload, Plan, Task},
    throughput,
    units::MIB,
};

/// A value in base units.
fn base(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Bytes(bytes) => bytes.as_f64(),
        Quantity::Count(count) => count as f64,
        Quantity::Number(number) | Quantity::Fraction(number) | Quantity::BytesEach(number) => {
            number
        }
        Quantity::Secs(secs) => secs.0,
        Quantity::Flops(flops) => flops.0,
        Quantity::FlopsPerSec(rate) => rate.0,
        Quantity::BytesPerSec(rate) => rate.0,
        Quantity::TokensPerSec(rate) => rate,
        Quantity::Watts(number) | Quantity::KilowattHours(number) | Quantity::Usd(number) => number,
    }
}

/// The equation in the evaluator's language.
fn program(equation: &str) -> String {
    let mut text = equation.to_owned();
    for (from, to) in [
        ("5·10⁸", "500000000.0"),
        ("10⁹", "1000000000.0"),
        ("10⁶", "1000000.0"),
        (" MiB", "·MIB"),
        ("β_g", "gathered"),
        ("β", "beta"),
        ("φ", "phi"),
        ("η", "eta"),
        ("τ", "tau"),
        ("−", "-"),
        ("·", "*"),
    ] {
        text = text.replace(from, to);
    }
    text
}

fn evaluate(term: &Term) -> f64 {
    let mut context = HashMapContext::<DefaultNumericTypes>::new();
    let mut set = |name: &str, value: f64| {
        context.set_value(program(name), Value::Float(value)).expect("a name");
    };
    set("MIB", MIB as f64);
    for (symbol, quantity) in &term.inputs {
        set(symbol.text, base(*quantity));
    }
    let right_side = term.equation.split_once(" = ").map_or(term.equation, |(_, right)| right);
    let value = evalexpr::eval_number_with_context(&program(right_side), &context);
    value.unwrap_or_else(|error| panic!("{}: {}: {error}", term.label, term.equation))
}

#[test]
fn an_equation_with_its_inputs_gives_the_number_it_explains() {
    let catalogue = Catalogue::embedded();
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..3000 {
        let plan = random_plan(seed, catalogue);
        let Ok(resolved) = plan.resolve(catalogue) else { continue };
        let stages = memory::estimate(&resolved).stages.len();
        for stage in 0..stages.min(2) {
            for (part, term) in memory::detail(&resolved, stage).explanation.terms {
                let (told, result) = (evaluate(&term), base(term.result));
                // Parts are rounded up to whole bytes, the last stage's share of a row up to a row.
                let slack = 0.02 * result + 64.0;
                assert!(
                    (told - result).abs() <= slack || pads(&term, told, result),
                    "{part:?} {}: {} = {told} but the part is {result}, seed {seed}: {:?}",
                    term.label,
                    term.in_numbers(),
                    term.inputs
                );
                *seen.entry(term.label).or_insert(0) += 1;
            }
        }
    }
    assert!(seen.len() > 15, "many kinds of terms were seen: {seen:?}");
}

/// Sharding along rows leaves the first rank more than its share where a tensor has few rows.
fn pads(term: &Term, told: f64, result: f64) -> bool {
    term.inputs.iter().any(|(symbol, _)| symbol.text == "N") && result > told
}

/// Asserts that a term's equation gives its result, and that every input stands in the equation.
fn assert_term_of_the_speed(term: &Term, seed: u64) {
    let (told, result) = (evaluate(term), base(term.result));
    assert!(
        (told - result).abs() <= 0.02 * result.abs() + 1e-12,
        "{}: {} = {told}, but it is {result}, seed {seed}: {:?}",
        term.label,
        term.in_numbers(),
        term.inputs
    );
    for (symbol, value) in &term.inputs {
        let reached = symbol.text != "η" || (0.0..=1.0).contains(&base(*value));
        assert!(reached, "{}: a peak is not exceeded: {}", term.label, term.in_numbers());
        assert!(
            term.equation.contains(symbol.text),
            "{}: {} is not in {}",
            term.label,
            symbol.text,
            term.equation
        );
    }
    let is_left = |letter: char| letter.is_alphabetic() && !letter.is_ascii();
    let left = term.in_numbers().replace('µ', "").chars().any(is_left);
    assert!(!left, "{}: no symbol is left in {}", term.label, term.in_numbers());
}

/// The plan as it is, and with everything moved to the host that can be.
fn with_offloading(plan: Plan) -> [Plan; 2] {
    let mut offloaded = plan.clone();
    offloaded.framework.offload = Offload::OptimizerAndParams;
    offloaded.checkpointing = Checkpointing { offload: true, ..offloaded.checkpointing };
    [plan, offloaded]
}

#[test]
fn an_equation_with_its_inputs_gives_the_speed_that_it_explains() {
    let catalogue = Catalogue::embedded();
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..3000 {
        for plan in with_offloading(random_plan(seed, catalogue)) {
            let Ok(resolved) = plan.resolve(catalogue) else { continue };
            let speed = throughput::estimate(&resolved);
            let explanation = throughput::explain(&resolved, &speed);
            let times = explanation.time.iter().map(|(_, term)| term);
            for term in times.chain(&explanation.headline) {
                assert_term_of_the_speed(term, seed);
                *seen.entry((plan.workload.task == Task::Training, term.label)).or_insert(0) += 1;
            }
        }
    }
    assert!(seen.len() > 35, "many kinds of terms were seen: {seen:?}");
}

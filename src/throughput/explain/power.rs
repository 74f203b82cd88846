//! Terms of power, energy and cost.

use super::DEFINITION;
use crate::{
    explain::{Quantity, Source, Symbol, Term, symbol},
    plan::Resolved,
    throughput::{
        answer::{PowerDraw, ServingFigures, TrainingFigures},
        fractions::{POWER_SHARE_COMMUNICATION, POWER_SHARE_MEMORY, POWER_SHARE_WAITING},
        operations::Bench,
    },
};

const POWER: Source = Source("source-power");
const CATALOGUE: Source = Source("source-catalogue-price");

/// What one card draws on average.
fn draw_term(draw: &PowerDraw) -> Term {
    Term {
        label: "term-power",
        equation: "P_l·(φ_c + u_m·φ_m + (1 − u_m)·φ_h + u_x·φ_x + u_w·φ_w)",
        inputs: vec![
            (symbol::POWER_LIMIT, Quantity::Watts(draw.limit_watts)),
            (symbol::COMPUTE_SHARE, Quantity::Fraction(draw.compute)),
            (symbol::MEMORY_POWER, Quantity::Fraction(POWER_SHARE_MEMORY)),
            (symbol::MEMORY_SHARE, Quantity::Fraction(draw.memory)),
            (symbol::HIDDEN_SHARE, Quantity::Fraction(draw.arithmetic_behind_memory)),
            (symbol::COMMUNICATION_POWER, Quantity::Fraction(POWER_SHARE_COMMUNICATION)),
            (symbol::COMMUNICATION_SHARE, Quantity::Fraction(draw.communication)),
            (symbol::WAITING_POWER, Quantity::Fraction(POWER_SHARE_WAITING)),
            (symbol::WAITING_SHARE, Quantity::Fraction(draw.waiting)),
        ],
        result: Quantity::Watts(draw.watts),
        source: POWER,
    }
}

/// Power, energy and cost of a training run, as far as they are known.
pub(super) fn training(
    bench: &Bench<'_>,
    draw: Option<&PowerDraw>,
    figures: &TrainingFigures,
) -> Vec<Term> {
    let hours = (symbol::GPU_HOURS, Quantity::Number(figures.gpu_hours));
    let mut terms = Vec::with_capacity(3);
    if let Some((draw, energy)) = draw.zip(figures.energy_kwh) {
        terms.push(draw_term(draw));
        let inputs = vec![hours, (symbol::POWER, Quantity::Watts(draw.watts))];
        terms.push(energy_term("term-energy", "H·P/1000", inputs, energy));
    }
    let price = bench.plan.plan.hardware.usd_per_gpu_hour;
    if let Some((price, cost)) = price.zip(figures.cost_usd) {
        let inputs = vec![hours, (symbol::PRICE, Quantity::Usd(price))];
        terms.push(cost_term("term-cost", "H·c", inputs, cost));
    }
    terms
}

/// Power, energy and cost of generated tokens, as far as they are known.
pub(super) fn serving(
    bench: &Bench<'_>,
    draw: Option<&PowerDraw>,
    figures: &ServingFigures,
) -> Vec<Term> {
    let gpus = (symbol::GPUS, Quantity::Count(bench.plan.layout.world));
    let rate = (symbol::TOKEN_RATE, Quantity::TokensPerSec(figures.decode_tokens_per_sec));
    let mut terms = Vec::with_capacity(3);
    if let Some((draw, energy)) = draw.zip(figures.kwh_per_million_tokens) {
        terms.push(draw_term(draw));
        let inputs = vec![gpus, (symbol::POWER, Quantity::Watts(draw.watts)), rate];
        terms.push(energy_term("term-energy-per-million", "10⁶·G·P/(3600·1000·r)", inputs, energy));
    }
    let price = bench.plan.plan.hardware.usd_per_gpu_hour;
    if let Some((price, cost)) = price.zip(figures.usd_per_million_tokens) {
        let inputs = vec![gpus, (symbol::PRICE, Quantity::Usd(price)), rate];
        terms.push(cost_term("term-cost-per-million", "10⁶·G·c/(3600·r)", inputs, cost));
    }
    terms
}

/// List price of all cards.
pub(super) fn cards(plan: &Resolved<'_>, whole: f64) -> Term {
    let gpus = (symbol::GPUS, Quantity::Count(plan.layout.world));
    let each = whole / plan.layout.world.max(1) as f64;
    let inputs = vec![gpus, (symbol::CARD_PRICE, Quantity::Usd(each))];
    let result = Quantity::Usd(whole);
    Term { label: "term-cards", equation: "G·c", inputs, result, source: CATALOGUE }
}

fn energy_term(
    label: &'static str,
    equation: &'static str,
    inputs: Vec<(Symbol, Quantity)>,
    kilowatt_hours: f64,
) -> Term {
    let result = Quantity::KilowattHours(kilowatt_hours);
    Term { label, equation, inputs, result, source: DEFINITION }
}

fn cost_term(
    label: &'static str,
    equation: &'static str,
    inputs: Vec<(Symbol, Quantity)>,
    amount: f64,
) -> Term {
    Term { label, equation, inputs, result: Quantity::Usd(amount), source: DEFINITION }
}

//! Power, energy and cost.

use vramplan::plan::{Plan, WeightFormat};

use crate::{decode, estimate, serving, torchtitan_8b, training};

/// Source: Chung et al. 2026, arXiv:2601.22076: 300 of 700 W for one sequence, 600 W for 128.
#[test]
fn a_card_draws_least_when_it_decodes_and_most_when_it_multiplies() {
    let watts = |plan: &Plan| estimate(plan).power.expect("its limit is known").watts;
    let card = "NVIDIA H100 80GB HBM3";
    let mut one = decode("llama-3-8b", card, WeightFormat::Bf16);
    one.workload.prompt_tokens = 1000;
    let mut many = one.clone();
    many.workload.concurrency = 128;
    let (one, many, training) = (watts(&one), watts(&many), watts(&torchtitan_8b(8)));
    assert!((240.0..360.0).contains(&one), "{one:.0} W for one sequence");
    assert!(many > 1.2 * one, "{many:.0} W for 128: arithmetic runs behind the memory's traffic");
    assert!(training > many && training < 700.0, "{training:.0} W in training");
}

#[test]
fn energy_is_power_times_gpu_hours_and_cost_their_price() {
    let mut plan = torchtitan_8b(8);
    plan.hardware.usd_per_gpu_hour = Some(2.5);
    let speed = estimate(&plan);
    let (figures, watts) = (training(&plan), speed.power.expect("a limit").watts);
    let energy = figures.energy_kwh.expect("a limit");
    assert!((energy / (figures.gpu_hours * watts / 1000.0) - 1.0).abs() < 1e-9, "{energy} kWh");
    let cost = figures.cost_usd.expect("a price");
    assert!((cost / (figures.gpu_hours * 2.5) - 1.0).abs() < 1e-9, "{cost} USD");
}

/// Users of planners want the price of a GPU hour to flow into the cost of a million tokens.
#[test]
fn the_price_of_a_gpu_hour_flows_into_the_cost_of_a_million_tokens() {
    let mut plan = decode("llama-3-8b", "NVIDIA H100 80GB HBM3", WeightFormat::Bf16);
    assert_eq!(serving(&plan).usd_per_million_tokens, None, "no price, no cost");
    plan.hardware.usd_per_gpu_hour = Some(3.6);
    let figures = serving(&plan);
    let cost = figures.usd_per_million_tokens.expect("a price");
    let expected = 1000.0 / figures.decode_tokens_per_sec;
    assert!((cost / expected - 1.0).abs() < 1e-9, "{cost} USD: 0.1 cent a second");
}

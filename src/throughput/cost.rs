//! From tokens per second to days, GPU hours, energy and money.

use crate::{plan::Resolved, units::Secs};

/// Seconds of an hour.
const SECS_AN_HOUR: f64 = 3600.0;

/// What a training run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunCost {
    /// Time for the plan's training tokens.
    pub time_to_train: Secs,
    /// GPU hours.
    pub gpu_hours: f64,
    /// Energy of all cards, kWh.
    pub energy_kwh: Option<f64>,
    /// Cost, US dollars.
    pub cost_usd: Option<f64>,
}

/// Time, GPU hours, energy and cost of the plan's training tokens.
///
/// ```text
/// time = tokens / (tokens per second)        GPU hours = time · GPUs / 3600
/// energy [kWh] = GPU hours · power [W] / 1000        cost = GPU hours · price
/// ```
///
/// The cards' power alone: hosts and cooling come on top.
pub(super) fn of_run(plan: &Resolved<'_>, tokens_per_sec: f64, watts: Option<f64>) -> RunCost {
    let tokens = plan.plan.workload.training_tokens.max(0.0);
    let secs = if tokens_per_sec > 0.0 { tokens / tokens_per_sec } else { 0.0 };
    let gpu_hours = secs * plan.layout.world as f64 / SECS_AN_HOUR;
    RunCost {
        time_to_train: Secs(secs),
        gpu_hours,
        energy_kwh: watts.map(|watts| gpu_hours * watts / 1000.0),
        cost_usd: plan.plan.hardware.usd_per_gpu_hour.map(|price| gpu_hours * price),
    }
}

/// List price of all cards when they came out.
pub(super) fn of_cards(plan: &Resolved<'_>) -> Option<f64> {
    plan.gpu.price_usd.map(|price| price * plan.layout.world as f64)
}

/// Energy [kWh] and cost [US dollars] of a million tokens at some rate of all GPUs.
///
/// ```text
/// GPU hours = GPUs · 10^6 / (3600 · tokens per second)
/// ```
pub(super) fn of_million_tokens(
    plan: &Resolved<'_>,
    tokens_per_sec: f64,
    watts: Option<f64>,
) -> (Option<f64>, Option<f64>) {
    let gpu_hours = plan.layout.world as f64 * 1e6 / (SECS_AN_HOUR * tokens_per_sec);
    (
        watts.map(|watts| gpu_hours * watts / 1000.0),
        plan.plan.hardware.usd_per_gpu_hour.map(|price| gpu_hours * price),
    )
}

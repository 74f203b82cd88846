//! From tokens per second to days, GPU hours, energy and money.

use crate::{plan::Resolved, units::Secs};

/// What a training run takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunCost {
    /// Time for the plan's training tokens.
    pub time_to_train: Secs,
    /// GPU hours.
    pub gpu_hours: f64,
    /// Energy at the boards' power limit, kWh.
    pub energy_kwh: Option<f64>,
    /// Cost, US dollars.
    pub cost_usd: Option<f64>,
}

/// Time, GPU hours, energy and cost of the plan's training tokens.
///
/// ```text
/// time = tokens / (tokens per second)        GPU hours = time · GPUs / 3600
/// energy [kWh] = GPU hours · limit [W] / 1000        cost = GPU hours · price
/// ```
///
/// The boards' power limit is an upper bound of their energy; hosts and cooling come on top.
pub(super) fn of_run(plan: &Resolved<'_>, tokens_per_sec: f64) -> RunCost {
    let tokens = plan.plan.workload.training_tokens.max(0.0);
    let secs = if tokens_per_sec > 0.0 { tokens / tokens_per_sec } else { 0.0 };
    let gpu_hours = secs * plan.layout.world as f64 / 3600.0;
    RunCost {
        time_to_train: Secs(secs),
        gpu_hours,
        energy_kwh: plan.gpu.tdp_watts.map(|watts| gpu_hours * watts / 1000.0),
        cost_usd: plan.plan.hardware.usd_per_gpu_hour.map(|price| gpu_hours * price),
    }
}

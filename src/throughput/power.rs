//! What a card draws: near its limit while it computes, less while it moves bytes, least while it waits.

use super::{
    answer::PowerDraw,
    fractions::{POWER_SHARE_COMMUNICATION, POWER_SHARE_MEMORY, POWER_SHARE_WAITING},
    roofline::Cost,
};
use crate::catalogue::Gpu;

/// Seconds of a step by what the card does in them.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_field_names, reason = "the unit belongs to the name")]
pub(super) struct Phases {
    compute_secs: f64,
    memory_secs: f64,
    hidden_secs: f64,
    communication_secs: f64,
    waiting_secs: f64,
}

impl Phases {
    /// Adds operations.
    pub(super) fn operations(mut self, cost: &Cost) -> Self {
        self.compute_secs += cost.compute_secs;
        self.memory_secs += cost.memory_secs;
        self.hidden_secs += cost.hidden_secs;
        self.waiting_secs += cost.launch_secs;
        self
    }

    /// Adds time in which nothing but communication runs.
    pub(super) fn communication(mut self, secs: f64) -> Self {
        self.communication_secs += secs;
        self
    }

    /// Adds time in which the card waits.
    pub(super) fn waiting(mut self, secs: f64) -> Self {
        self.waiting_secs += secs;
        self
    }

    /// Mean power of a card; none where its limit is unknown.
    ///
    /// ```text
    /// P = L·(φ_c + u_m·φ_m + (1 − u_m)·φ_h + u_x·φ_x + u_w·φ_w)
    /// ```
    ///
    /// `φ` shares of the time, `u` shares of the limit `L`. Arithmetic draws the limit: rates of long runs
    /// follow it ([`super::fractions::POWER_EXPONENT`]). Arithmetic behind memory traffic adds its part.
    pub(super) fn draw(&self, gpu: &Gpu) -> Option<PowerDraw> {
        let limit_watts = gpu.tdp_watts.filter(|watts| *watts > 0.0)?;
        let whole =
            self.compute_secs + self.memory_secs + self.communication_secs + self.waiting_secs;
        let share = |secs: f64| if whole > 0.0 { secs / whole } else { 0.0 };
        let mut draw = PowerDraw {
            watts: 0.0,
            limit_watts,
            compute: share(self.compute_secs),
            memory: share(self.memory_secs),
            arithmetic_behind_memory: share(self.hidden_secs.min(self.memory_secs)),
            communication: share(self.communication_secs),
            waiting: if whole > 0.0 { share(self.waiting_secs) } else { 1.0 },
        };
        draw.watts = limit_watts
            * (draw.compute
                + POWER_SHARE_MEMORY * draw.memory
                + (1.0 - POWER_SHARE_MEMORY) * draw.arithmetic_behind_memory
                + POWER_SHARE_COMMUNICATION * draw.communication
                + POWER_SHARE_WAITING * draw.waiting);
        Some(draw)
    }
}

//! The roof of the roofline: what the card can do at each arithmetic intensity, and the axes around it.
//!
//! Both axes are logarithmic: values are powers of ten.

use egui::{Pos2, Vec2, pos2};
use egui_plot::{PlotPoint, PlotPoints};

use crate::{
    catalogue::{Dtype, Gpu},
    throughput::{HostLink, host_link},
    ui::widgets::segment::points,
    units::{BytesPerSec, FlopsPerSec},
};

/// Formats whose ceilings are drawn where the card has them.
const CEILINGS: [Dtype; 4] = [Dtype::Fp32, Dtype::Bf16, Dtype::Fp8, Dtype::Fp4];

/// What the card can do.
pub struct Roof {
    /// Of the card's memory.
    pub bandwidth: BytesPerSec,
    /// Of the host's memory, over its link; none where both share one memory.
    pub host: Option<(HostLink, BytesPerSec)>,
    /// Ceiling of the format that the plan computes in.
    pub used: (Dtype, FlopsPerSec),
    /// Ceilings of other usual formats.
    pub others: Vec<(Dtype, FlopsPerSec)>,
}

impl Roof {
    /// The card's roof in a number format, or in the best of the usual ones if it lacks that.
    pub fn of(gpu: &Gpu, dtype: Dtype) -> Option<Self> {
        let used = [dtype, Dtype::Bf16, Dtype::Fp16, Dtype::Fp32]
            .into_iter()
            .find_map(|dtype| Some((dtype, gpu.peak(dtype)?)))?;
        let others = CEILINGS
            .into_iter()
            .filter(|other| *other != used.0)
            .filter_map(|other| Some((other, gpu.peak(other)?)))
            .collect();
        let host = Some(host_link(gpu)).filter(|(link, _)| *link != HostLink::Shared);
        (gpu.bandwidth_gbps > 0.0).then(|| Self { bandwidth: gpu.bandwidth(), host, used, others })
    }

    /// All ceilings, at last the one that counts.
    pub fn ceilings(&self) -> impl Iterator<Item = (Dtype, FlopsPerSec)> + '_ {
        self.others.iter().chain([&self.used]).copied()
    }

    /// Where the host's slope begins and where it meets the ceiling that counts, in powers of ten.
    pub fn host_corners(&self, from: f64) -> Option<[[f64; 2]; 2]> {
        let (_, rate) = self.host?;
        let ridge = (self.used.1.0 / rate.0).log10();
        let left = from.min(ridge - 1.0);
        Some([[left, left + rate.0.log10()], [ridge, self.used.1.0.log10()]])
    }

    /// Intensity at which the slope meets a ceiling, FLOPs per byte.
    pub fn ridge(&self, peak: FlopsPerSec) -> f64 {
        peak.0 / self.bandwidth.0
    }

    /// Slope and ceiling up to the right end, in powers of ten.
    pub fn corners(&self, peak: FlopsPerSec, from: f64, to: f64) -> [[f64; 2]; 3] {
        let ridge = self.ridge(peak).log10();
        let slope = |exponent: f64| exponent + self.bandwidth.0.log10();
        let left = from.min(ridge - 1.0);
        let right = to.max(ridge + 0.5);
        [[left, slope(left)], [ridge, peak.0.log10()], [right, peak.0.log10()]]
    }

    /// The corners as a line of the plot.
    pub fn line(&self, peak: FlopsPerSec, from: f64, to: f64) -> PlotPoints<'static> {
        PlotPoints::new(self.corners(peak, from, to).to_vec())
    }
}

/// What the axes show, in powers of ten.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// From left to right.
    pub x: (f64, f64),
    /// From bottom to top.
    pub y: (f64, f64),
}

impl Bounds {
    /// The slope's foot, all ceilings and all points are in sight.
    pub fn of(roof: &Roof, dots: &[[f64; 2]]) -> Self {
        let exponents = || dots.iter().map(|[x, _]| *x);
        let ridge = roof.ridge(roof.used.1).log10();
        let from = exponents().fold(ridge - 2.0, f64::min).floor();
        let host_ridge = roof.host_corners(from).map_or(ridge, |[_, [ridge, _]]| ridge);
        let farthest = (ridge + 1.0).max(host_ridge + 0.2);
        let to = exponents().fold(farthest, f64::max).ceil() + 0.12;
        let lowest = dots.iter().map(|[_, y]| *y).fold(f64::INFINITY, f64::min);
        let floor = lowest.min(roof.bandwidth.0.log10() + from) - 0.3;
        let peaks = roof.others.iter().chain([&roof.used]).map(|(_, peak)| peak.0.log10());
        Self { x: (from, to), y: (floor, peaks.fold(0.0, f64::max) + 0.45) }
    }

    /// Where a value stands in a plot of this size, points from its top left corner.
    pub fn on_screen(&self, at: [f64; 2], size: Vec2) -> Pos2 {
        let [x, y] = at;
        pos2(
            points((x - self.x.0) / (self.x.1 - self.x.0)) * size.x,
            points((self.y.1 - y) / (self.y.1 - self.y.0)) * size.y,
        )
    }

    /// What stands at a place of the plot.
    pub fn value_at(&self, at: Pos2, size: Vec2) -> PlotPoint {
        let (x, y) = (f64::from(at.x / size.x), f64::from(at.y / size.y));
        PlotPoint::new(self.x.0 + x * (self.x.1 - self.x.0), self.y.1 - y * (self.y.1 - self.y.0))
    }
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;

    #[test]
    fn places_on_the_screen_and_values_are_the_same_thing() {
        let bounds = Bounds { x: (0.0, 4.0), y: (12.0, 16.0) };
        let size = vec2(400.0, 200.0);
        let at = bounds.on_screen([1.0, 15.0], size);
        assert_eq!(at, pos2(100.0, 50.0), "a quarter of the way from the top left");
        let value = bounds.value_at(at, size);
        assert!((value.x - 1.0).abs() < 1e-6 && (value.y - 15.0).abs() < 1e-6, "and back");
    }

    #[test]
    fn the_slope_meets_the_ceiling_at_the_ridge() {
        let gpu = Gpu { bandwidth_gbps: 1000.0, ..Gpu::default() };
        let mut gpu = gpu;
        gpu.tflops.bf16 = Some(100.0);
        let roof = Roof::of(&gpu, Dtype::Fp8).expect("falls back to bf16");
        assert!((roof.ridge(roof.used.1) - 100.0).abs() < 1e-9, "100 TFLOPS over 1 TB/s");
    }
}

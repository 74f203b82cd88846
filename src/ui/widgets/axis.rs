//! A horizontal axis in GiB, with ticks at powers of two and their multiples.

use egui::{Align2, Rangef, Rect, Stroke, Ui, pos2};

use super::segment::{paint_note, points};
use crate::{
    ui::theme::tokens,
    units::{Bytes, grouped},
};

/// Least distance between two ticks, points.
const TICK_ROOM: f64 = 56.0;
/// Room to the right of the longest bar, as a share of the axis.
const HEADROOM: f64 = 1.03;

/// Where an amount of memory stands on the screen.
#[derive(Clone, Copy, Debug)]
pub struct GibAxis {
    left: f32,
    width: f32,
    max_gib: f64,
}

impl GibAxis {
    /// An axis over a range of the screen that shows all these amounts.
    #[must_use]
    pub fn new(x: Rangef, amounts: impl Iterator<Item = Bytes>) -> Self {
        let largest = amounts.max().unwrap_or_default();
        Self { left: x.min, width: x.span().max(1.0), max_gib: largest.gib().max(1e-3) * HEADROOM }
    }

    /// Position of an amount, points.
    #[must_use]
    pub fn x(&self, amount: Bytes) -> f32 {
        self.x_of_gib(amount.gib())
    }

    fn x_of_gib(&self, gib: f64) -> f32 {
        self.left + points(gib / self.max_gib) * self.width
    }

    /// Ticks: a power of two apart, or the step that leaves room for their labels.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        let most = (f64::from(self.width) / TICK_ROOM).clamp(1.0, 12.0);
        let step = nice_step(self.max_gib / most);
        (0..=64)
            .map(|index| f64::from(index) * step)
            .take_while(|gib| *gib <= self.max_gib)
            .collect()
    }

    /// Paints grid lines behind the bars and the labels below them.
    pub fn paint(&self, ui: &Ui, plot: Rect, labels_y: f32) {
        let (line, weak) = (tokens(ui).line, tokens(ui).weak_text);
        for gib in self.ticks() {
            let x = self.x_of_gib(gib);
            ui.painter().vline(x, plot.y_range(), Stroke::new(1.0, line));
            paint_note(ui, pos2(x, labels_y), Align2::CENTER_TOP, &tick_label(gib), weak);
        }
    }
}

/// The power of two (in GiB) that is not below the wanted step.
#[must_use]
pub fn nice_step(wanted_gib: f64) -> f64 {
    2.0_f64.powf(wanted_gib.max(1e-6).log2().ceil())
}

/// A tick's label, without decimals that say nothing.
#[must_use]
pub fn tick_label(gib: f64) -> String {
    let text = grouped(gib, 3);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::GIB;

    #[test]
    fn ticks_are_powers_of_two_apart() {
        let axis = GibAxis::new(Rangef::new(0.0, 400.0), [Bytes(80 * GIB)].into_iter());
        assert_eq!(axis.ticks(), [0.0, 16.0, 32.0, 48.0, 64.0, 80.0], "16 GiB apart");
    }

    #[test]
    fn small_and_empty_axes_have_ticks_too() {
        let empty = GibAxis::new(Rangef::new(0.0, 400.0), std::iter::empty());
        assert!(empty.ticks().len() > 1, "an axis without amounts still has a scale");
        assert_eq!(tick_label(0.5), "0.5", "fractions keep what they need");
        assert_eq!(tick_label(1024.0), "1,024", "whole numbers keep their zeros");
    }

    #[test]
    fn longer_amounts_stand_further_right() {
        let axis = GibAxis::new(Rangef::new(10.0, 110.0), [Bytes(GIB)].into_iter());
        assert!(axis.x(Bytes(GIB)) < 110.0, "the largest amount leaves headroom");
        assert!(axis.x(Bytes(0)) < axis.x(Bytes(GIB / 2)), "order is kept");
    }
}

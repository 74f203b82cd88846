//! A small curve without axes, on a fixed scale; its number stands beside it.

use egui::{Color32, Pos2, Rect, Shape, Stroke, Ui, pos2};

use super::segment::points;
use crate::monitor::SeriesPoint;

/// What a curve shows: moments from left to right, values from 0 to `top`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Left edge, seconds since 1970.
    pub from_unix_secs: f64,
    /// Right edge, seconds since 1970.
    pub to_unix_secs: f64,
    /// Value at the upper edge.
    pub top: f64,
}

impl Scale {
    fn at(&self, place: Rect, unix_secs: f64, value: f64) -> Pos2 {
        let length = (self.to_unix_secs - self.from_unix_secs).max(1e-3);
        let x = ((unix_secs - self.from_unix_secs) / length).clamp(0.0, 1.0);
        let y = (value / self.top.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        pos2(place.left() + points(x) * place.width(), place.bottom() - points(y) * place.height())
    }
}

/// Paints a curve; where nothing is known it is broken.
pub fn paint_curve(ui: &Ui, place: Rect, curve: &[SeriesPoint], scale: Scale, color: Color32) {
    let stroke = Stroke::new(1.0, color);
    let mut line = Vec::with_capacity(curve.len());
    let mut shapes = Vec::new();
    for point in curve {
        if point.after_gap {
            finish(&mut line, &mut shapes, stroke);
        }
        line.push(scale.at(place, point.unix_secs, point.high));
    }
    finish(&mut line, &mut shapes, stroke);
    ui.painter().extend(shapes);
}

fn finish(line: &mut Vec<Pos2>, shapes: &mut Vec<Shape>, stroke: Stroke) {
    let piece = std::mem::take(line);
    if piece.len() > 1 {
        shapes.push(Shape::line(piece, stroke));
    }
}

//! The roofline: how fast the card can be at each arithmetic intensity, and where the plan's operations stand.
//!
//! Both axes are logarithmic: the plot is given powers of ten and prints what they stand for.

use egui::{Color32, Pos2, Rect, Ui, Vec2};
use egui_plot::{
    GridInput, GridMark, HoverPosition, Line, LineStyle, MarkerShape, Plot, PlotUi, Points,
};

use super::{
    heading,
    operations_table::operations_table,
    products_table::products_table,
    roof::{Bounds, Roof},
    roof_lesson::lessons,
    roof_names::{Names, host_name, memory_name, roof_name},
    roofline_labels::Place,
    table::note,
};
use crate::{
    catalogue::Gpu,
    plan::Choice as _,
    text::Texts,
    throughput::Operation,
    ui::{
        session::{Ready, Session},
        theme::tokens,
        widgets::{axis::tick_label, segment::points},
    },
    units::{FlopsPerSec, Secs, grouped},
};

/// Height of the plot, points.
pub const PLOT_HEIGHT: f32 = 260.0;

/// Plot, and the same numbers as a table.
pub fn roofline(ui: &mut Ui, session: &Session, ready: &Ready) {
    let Some(gpu) = session.plan.gpu(&session.catalogue) else { return };
    heading(ui, &session.texts.get("roofline-title"));
    note(ui, &session.texts.get("roofline-note"));
    if let Some(roof) = Roof::of(gpu, session.plan.precision.compute_dtype) {
        plot(ui, session, ready, (gpu, &roof));
        lessons(ui, session, ready, gpu);
    }
    operations_table(ui, session, ready);
    products_table(ui, session, ready);
}

/// An operation as a point of the plot, in powers of ten.
pub struct Dot<'a> {
    /// What it stands for.
    pub operation: &'a Operation,
    /// Intensity and rate.
    pub at: [f64; 2],
    share: f64,
}

impl Dot<'_> {
    /// Its radius, points: the area is the share of the time.
    pub fn radius(&self) -> f32 {
        3.0 + 9.0 * points(self.share.clamp(0.0, 1.0).sqrt())
    }
}

fn dots(ready: &Ready) -> Vec<Dot<'_>> {
    let operations = &ready.estimate.speed.operations;
    let whole: Secs = operations.iter().map(|operation| operation.time).sum();
    let dot = |operation: &'_ Operation| {
        let intensity = operation.intensity().filter(|intensity| *intensity > 0.0)?;
        let rate = operation.achieved().filter(|rate| rate.0 > 0.0)?;
        Some((
            [intensity.log10(), rate.0.log10()],
            operation.time.0 / whole.0.max(f64::MIN_POSITIVE),
        ))
    };
    let mut dots: Vec<Dot<'_>> = operations
        .iter()
        .filter_map(|operation| dot(operation).map(|(at, share)| Dot { operation, at, share }))
        .collect();
    dots.sort_by(|one, other| {
        one.at.iter().partial_cmp(other.at.iter()).unwrap_or(std::cmp::Ordering::Equal)
    });
    dots
}

fn plot(ui: &mut Ui, session: &Session, ready: &Ready, (gpu, roof): (&Gpu, &Roof)) {
    let texts = &session.texts;
    let dots = dots(ready);
    let values: Vec<[f64; 2]> = dots.iter().map(|dot| dot.at).collect();
    let bounds = Bounds::of(roof, &values);
    let memory = memory_name(texts, gpu);
    let shown = (roof, memory.as_str());
    let names = Names::of(ui, texts, shown, &dots, bounds);
    let colors = Colors::of(ui);
    Plot::new("roofline")
        .height(PLOT_HEIGHT)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_crosshair(false)
        .show_background(false)
        .default_x_bounds(bounds.x.0, bounds.x.1)
        .default_y_bounds(bounds.y.0, bounds.y.1)
        .set_margin_fraction(Vec2::ZERO)
        .grid_color(tokens(ui).line)
        .grid_fade(1.0)
        .x_grid_spacer(decades)
        .y_grid_spacer(decades)
        .x_axis_formatter(|mark, _| power_label(mark, 1.0))
        .y_axis_formatter(|mark, _| power_label(mark, 1e-12))
        .x_axis_label(texts.get("roofline-x").into_owned())
        .y_axis_label(texts.get("roofline-y").into_owned())
        .label_formatter(|position| hover_label(position, texts))
        .show(ui, |plot| {
            // The bounds follow the plan, not what was shown before.
            plot.set_plot_bounds_x(bounds.x.0..=bounds.x.1);
            plot.set_plot_bounds_y(bounds.y.0..=bounds.y.1);
            roof_lines(plot, texts, shown, &names, &colors);
            for (dot, place) in dots.iter().zip(&names.dots) {
                paint_dot(plot, texts, dot, &names, *place, &colors);
            }
        });
}

/// Colours of the plot, taken from the theme.
struct Colors {
    roof: Color32,
    weak: Color32,
    dot: Color32,
    text: Color32,
}

impl Colors {
    fn of(ui: &Ui) -> Self {
        let tokens = tokens(ui);
        Self {
            roof: ui.visuals().strong_text_color(),
            weak: tokens.weak_text,
            dot: tokens.accent,
            text: tokens.text,
        }
    }
}

fn roof_lines(
    plot: &mut PlotUi<'_>,
    texts: &Texts,
    (roof, memory): (&Roof, &str),
    names: &Names,
    colors: &Colors,
) {
    let (from, to) = names.bounds.x;
    for ((dtype, peak), place) in roof.ceilings().zip(&names.ceilings) {
        let name = roof_name(texts, dtype, peak);
        let line = Line::new(name.clone(), roof.line(peak, from, to)).allow_hover(false);
        let used = dtype == roof.used.0;
        let color = if used { colors.roof } else { colors.weak };
        plot.line(if used {
            line.color(color).width(2.0)
        } else {
            line.color(color).width(1.0).style(LineStyle::dashed_loose())
        });
        names.paint(plot, name, *place, color);
    }
    names.paint(plot, memory.to_owned(), names.slope, colors.roof);
    if let Some((corners, place)) = roof.host_corners(from).zip(names.host) {
        let name = host_name(texts, roof);
        let line = Line::new(name.clone(), corners.to_vec()).allow_hover(false);
        plot.line(line.color(colors.weak).width(1.0).style(LineStyle::dashed_dense()));
        names.paint(plot, name, place, colors.weak);
    }
}

/// A point as large as its share of the time, with its name beside it.
fn paint_dot(
    plot: &mut PlotUi<'_>,
    texts: &Texts,
    dot: &Dot<'_>,
    names: &Names,
    place: Place,
    colors: &Colors,
) {
    let name = texts.get(dot.operation.class.key()).into_owned();
    if place.leader {
        let at = names.bounds.on_screen(dot.at, names.size);
        let end = names.bounds.value_at(nearest(place.rect, at), names.size);
        let line = Line::new(name.clone(), vec![dot.at, [end.x, end.y]]);
        plot.line(line.allow_hover(false).color(colors.weak).width(1.0));
    }
    plot.points(
        Points::new(name.clone(), vec![dot.at])
            .shape(MarkerShape::Circle)
            .radius(dot.radius())
            .color(colors.dot.gamma_multiply(0.85)),
    );
    names.paint(plot, name, place.rect, colors.text);
}

/// The point of a rectangle that is nearest to another point.
fn nearest(rect: Rect, to: Pos2) -> Pos2 {
    to.clamp(rect.min, rect.max)
}

/// One grid line for each power of ten.
#[expect(clippy::needless_pass_by_value, reason = "the plot asks for a function of this form")]
fn decades(input: GridInput) -> Vec<GridMark> {
    let (from, to) = input.bounds;
    let mut marks = Vec::new();
    let mut exponent = from.ceil();
    while exponent <= to && marks.len() < 40 {
        marks.push(GridMark { value: exponent, step_size: 1.0 });
        exponent += 1.0;
    }
    marks
}

/// What a power of ten stands for, in a unit.
fn power_label(mark: GridMark, unit: f64) -> String {
    let value = 10.0_f64.powf(mark.value) * unit;
    if value < 0.001 { format!("{value:.0e}") } else { tick_label(value) }
}

fn hover_label(position: &HoverPosition<'_>, texts: &Texts) -> Option<String> {
    let HoverPosition::NearDataPoint { plot_name, position, .. } = position else { return None };
    let intensity = grouped(10.0_f64.powf(position.x), 1);
    let rate = FlopsPerSec(10.0_f64.powf(position.y)).to_string();
    Some(
        texts.with(
            "roofline-hover",
            &[("name", plot_name), ("intensity", &intensity), ("rate", &rate)],
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_stand_for_powers_of_ten() {
        let mark = |value| GridMark { value, step_size: 1.0 };
        assert_eq!(power_label(mark(2.0), 1.0), "100", "FLOPs per byte");
        assert_eq!(power_label(mark(14.0), 1e-12), "100", "TFLOPS");
        assert_eq!(power_label(mark(-1.0), 1.0), "0.1", "below one");
    }
}

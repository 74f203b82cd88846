//! The roofline: how fast the card can be at each arithmetic intensity, and where the plan's operations stand.
//!
//! Both axes are logarithmic: the plot is given powers of ten and prints what they stand for.

use egui::{Align2, Color32, Pos2, Rect, RichText, TextStyle, Ui, Vec2, pos2, vec2};
use egui_plot::{
    GridInput, GridMark, HoverPosition, Line, LineStyle, MarkerShape, Plot, PlotUi, Points, Text,
};

use super::{
    heading,
    operations_table::operations_table,
    roof::{Bounds, Roof},
    roofline_labels::{Labelled, Place, Segment, first_free, places, square},
    table::note,
};
use crate::{
    catalogue::Dtype,
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
const PLOT_HEIGHT: f32 = 260.0;
/// What the axes with their numbers and names take of the plot's width and height, points.
const AXES_SIZE: Vec2 = vec2(62.0, 38.0);
/// Distance between a line and its name, points.
const NAME_GAP: f32 = 3.0;
/// Plot, and the same numbers as a table.
pub fn roofline(ui: &mut Ui, session: &Session, ready: &Ready) {
    let Some(gpu) = session.plan.gpu(&session.catalogue) else { return };
    heading(ui, &session.texts.get("roofline-title"));
    note(ui, &session.texts.get("roofline-note"));
    if let Some(roof) = Roof::of(gpu, session.plan.precision.compute_dtype) {
        plot(ui, session, ready, &roof);
    }
    operations_table(ui, session, ready);
}

/// An operation as a point of the plot, in powers of ten.
struct Dot<'a> {
    operation: &'a Operation,
    at: [f64; 2],
    share: f64,
}

impl Dot<'_> {
    /// Its radius, points: the area is the share of the time.
    fn radius(&self) -> f32 {
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

fn plot(ui: &mut Ui, session: &Session, ready: &Ready, roof: &Roof) {
    let texts = &session.texts;
    let dots = dots(ready);
    let values: Vec<[f64; 2]> = dots.iter().map(|dot| dot.at).collect();
    let bounds = Bounds::of(roof, &values);
    let names = Names::of(ui, texts, roof, &dots, bounds);
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
            roof_lines(plot, texts, roof, &names, &colors);
            for (dot, place) in dots.iter().zip(&names.dots) {
                paint_dot(plot, texts, dot, &names, *place, &colors);
            }
        });
}

/// Where the names in the plot stand, points from its top left corner.
struct Names {
    bounds: Bounds,
    size: Vec2,
    /// The other ceilings, and at last the one that counts.
    ceilings: Vec<Rect>,
    slope: Rect,
    dots: Vec<Place>,
}

impl Names {
    /// The roof's names first, off the points; then those of the points, off all that.
    fn of(ui: &Ui, texts: &Texts, roof: &Roof, dots: &[Dot<'_>], bounds: Bounds) -> Self {
        let size = (vec2(ui.available_width(), PLOT_HEIGHT) - AXES_SIZE).max(Vec2::splat(40.0));
        let size_of = |text: String| {
            let font = TextStyle::Small.resolve(ui.style());
            ui.painter().layout_no_wrap(text, font, Color32::PLACEHOLDER).size()
        };
        let labelled: Vec<Labelled> = dots
            .iter()
            .map(|dot| Labelled {
                at: bounds.on_screen(dot.at, size),
                radius: dot.radius(),
                size: size_of(texts.get(dot.operation.class.key()).into_owned()),
            })
            .collect();
        let lines: Vec<Segment> =
            roof.ceilings().flat_map(|(_, peak)| segments(roof, peak, bounds, size)).collect();
        let mut taken: Vec<Rect> =
            labelled.iter().map(|point| square(point.at, point.radius)).collect();
        let mut ceilings = Vec::new();
        for (dtype, peak) in roof.ceilings() {
            let name = size_of(roof_name(texts, dtype, peak));
            let candidates = ceiling_candidates(roof, peak, bounds, size, name);
            let place = first_free(&candidates, &taken, &lines, size);
            taken.push(place);
            ceilings.push(place);
        }
        let name = size_of(slope_name(texts, roof));
        let slope = first_free(&slope_candidates(roof, bounds, size, name), &taken, &lines, size);
        taken.push(slope);
        let dots = places(&labelled, &lines, taken, size);
        Self { bounds, size, ceilings, slope, dots }
    }

    /// Paints a name in its place.
    fn paint(&self, plot: &mut PlotUi<'_>, name: String, place: Rect, color: Color32) {
        let middle = self.bounds.value_at(place.center(), self.size);
        let label = Text::new(name.clone(), middle, RichText::new(name).small());
        plot.text(label.anchor(Align2::CENTER_CENTER).color(color).allow_hover(false));
    }
}

/// Slope and ceiling on the screen.
fn segments(roof: &Roof, peak: FlopsPerSec, bounds: Bounds, size: Vec2) -> [Segment; 2] {
    let [foot, ridge, end] =
        roof.corners(peak, bounds.x.0, bounds.x.1).map(|corner| bounds.on_screen(corner, size));
    [Segment(foot, ridge), Segment(ridge, end)]
}

/// Where a ceiling's name may stand: below it and right of its ridge, where the plot is empty, or
/// at its right end, or above it.
fn ceiling_candidates(
    roof: &Roof,
    peak: FlopsPerSec,
    bounds: Bounds,
    size: Vec2,
    name: Vec2,
) -> [Rect; 5] {
    let [_, Segment(ridge, _)] = segments(roof, peak, bounds, size);
    let end = pos2(size.x - NAME_GAP, ridge.y);
    let below = vec2(0.0, NAME_GAP);
    let right = vec2(4.0 * NAME_GAP, 0.0);
    [
        Align2::LEFT_TOP.anchor_size(ridge + right + below, name),
        Align2::RIGHT_TOP.anchor_size(end + below, name),
        Align2::RIGHT_BOTTOM.anchor_size(end - below, name),
        Align2::LEFT_BOTTOM.anchor_size(ridge + right - below, name),
        Align2::CENTER_TOP.anchor_size(ridge + (end - ridge) / 2.0 + below, name),
    ]
}

/// Where the slope's name may stand: left above it, half way up or lower or higher.
fn slope_candidates(roof: &Roof, bounds: Bounds, size: Vec2, name: Vec2) -> [Rect; 3] {
    let [Segment(foot, ridge), _] = segments(roof, roof.used.1, bounds, size);
    let foot = pos2(foot.x.max(0.0), foot.y);
    [0.5, 0.3, 0.75].map(|share| {
        let at = foot + (ridge - foot) * share - vec2(2.0 * NAME_GAP, NAME_GAP);
        Align2::RIGHT_BOTTOM.anchor_size(at, name)
    })
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

fn roof_lines(plot: &mut PlotUi<'_>, texts: &Texts, roof: &Roof, names: &Names, colors: &Colors) {
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
    names.paint(plot, slope_name(texts, roof), names.slope, colors.roof);
}

fn slope_name(texts: &Texts, roof: &Roof) -> String {
    texts.with("roofline-bandwidth", &[("bandwidth", &roof.bandwidth.to_string())])
}

fn roof_name(texts: &Texts, dtype: Dtype, peak: FlopsPerSec) -> String {
    texts.with("roofline-ceiling", &[("dtype", dtype.name()), ("peak", &peak.to_string())])
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

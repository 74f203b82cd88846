//! The roofline: how fast the card can be at each arithmetic intensity, and where the plan's operations stand.
//!
//! Both axes are logarithmic: the plot is given powers of ten and prints what they stand for.

use egui::{Align2, Color32, RichText, Sense, Ui};
use egui_plot::{
    GridInput, GridMark, HoverPosition, Line, LineStyle, MarkerShape, Plot, PlotPoint, PlotPoints,
    PlotUi, Points, Text,
};

use super::{
    heading,
    table::{Columns, NumberColumn, Row, Rows, note, table},
};
use crate::{
    catalogue::{Dtype, Gpu},
    plan::Choice as _,
    text::Texts,
    throughput::Operation,
    ui::{
        session::{Ready, Session},
        theme::tokens,
        widgets::{axis::tick_label, segment::points},
    },
    units::{BytesPerSec, Flops, FlopsPerSec, Secs, grouped, percent},
};

/// Height of the plot, points.
const PLOT_HEIGHT: f32 = 260.0;
/// Height of a point's name, in powers of ten of the vertical axis.
const LABEL_HEIGHT: f64 = 0.24;
/// Names whose points are nearer than this on the horizontal axis must not be level, powers of ten.
const LABEL_WIDTH: f64 = 0.5;
/// Formats whose ceilings are drawn where the card has them.
const CEILINGS: [Dtype; 4] = [Dtype::Fp32, Dtype::Bf16, Dtype::Fp8, Dtype::Fp4];

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

/// What the card can do.
struct Roof {
    bandwidth: BytesPerSec,
    used: (Dtype, FlopsPerSec),
    others: Vec<(Dtype, FlopsPerSec)>,
}

impl Roof {
    /// The card's roof in a number format, or in the best of the usual ones if it lacks that.
    fn of(gpu: &Gpu, dtype: Dtype) -> Option<Self> {
        let used = [dtype, Dtype::Bf16, Dtype::Fp16, Dtype::Fp32]
            .into_iter()
            .find_map(|dtype| Some((dtype, gpu.peak(dtype)?)))?;
        let others = CEILINGS
            .into_iter()
            .filter(|other| *other != used.0)
            .filter_map(|other| Some((other, gpu.peak(other)?)))
            .collect();
        (gpu.bandwidth_gbps > 0.0).then(|| Self { bandwidth: gpu.bandwidth(), used, others })
    }

    /// Intensity at which the slope meets a ceiling, FLOPs per byte.
    fn ridge(&self, peak: FlopsPerSec) -> f64 {
        peak.0 / self.bandwidth.0
    }

    /// Slope and ceiling up to the right end, in powers of ten.
    fn line(&self, peak: FlopsPerSec, from: f64, to: f64) -> PlotPoints<'static> {
        let ridge = self.ridge(peak).log10();
        let slope = |exponent: f64| exponent + self.bandwidth.0.log10();
        let left = from.min(ridge - 1.0);
        let right = to.max(ridge + 0.5);
        PlotPoints::new(vec![[left, slope(left)], [ridge, peak.0.log10()], [right, peak.0.log10()]])
    }
}

/// An operation as a point of the plot, in powers of ten.
struct Dot<'a> {
    operation: &'a Operation,
    at: [f64; 2],
    share: f64,
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
    let exponents = || dots.iter().map(|dot| dot.at.iter().copied().next().unwrap_or_default());
    let ridge = roof.ridge(roof.used.1).log10();
    let from = exponents().fold(ridge - 2.0, f64::min).floor();
    let to = exponents().fold(ridge + 1.0, f64::max).ceil() + 0.12;
    let lowest = dots.iter().filter_map(|dot| dot.at.last().copied()).fold(f64::INFINITY, f64::min);
    let floor = lowest.min(roof.bandwidth.0.log10() + from) - 0.3;
    let ceiling =
        roof.others.iter().chain([&roof.used]).map(|(_, peak)| peak.0.log10()).fold(0.0, f64::max);
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
        .default_x_bounds(from, to)
        .default_y_bounds(floor, ceiling + 0.45)
        .set_margin_fraction(egui::Vec2::ZERO)
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
            plot.set_plot_bounds_x(from..=to);
            plot.set_plot_bounds_y(floor..=ceiling + 0.45);
            roof_lines(plot, texts, roof, (from, to), &colors);
            for (dot, label_y) in dots.iter().zip(label_heights(&dots)) {
                paint_dot(plot, texts, dot, label_y, &colors);
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
    roof: &Roof,
    (from, to): (f64, f64),
    colors: &Colors,
) {
    for (dtype, peak) in &roof.others {
        let line = Line::new(roof_name(texts, *dtype, *peak), roof.line(*peak, from, to));
        plot.line(
            line.allow_hover(false).color(colors.weak).width(1.0).style(LineStyle::dashed_loose()),
        );
        ceiling_label(plot, texts, roof, (*dtype, *peak), colors.weak);
    }
    let (dtype, peak) = roof.used;
    let line = Line::new(roof_name(texts, dtype, peak), roof.line(peak, from, to));
    plot.line(line.allow_hover(false).color(colors.roof).width(2.0));
    ceiling_label(plot, texts, roof, roof.used, colors.roof);
    let slope = texts.with("roofline-bandwidth", &[("bandwidth", &roof.bandwidth.to_string())]);
    let middle = f64::midpoint(from, roof.ridge(peak).log10());
    let at = PlotPoint::new(middle, middle + roof.bandwidth.0.log10() + 0.05);
    plot.text(
        Text::new("bandwidth", at, RichText::new(slope).small())
            .anchor(Align2::RIGHT_BOTTOM)
            .color(colors.roof)
            .allow_hover(false),
    );
}

fn roof_name(texts: &Texts, dtype: Dtype, peak: FlopsPerSec) -> String {
    texts.with("roofline-ceiling", &[("dtype", dtype.name()), ("peak", &peak.to_string())])
}

/// The name of a ceiling, below it and right of its ridge, where the plot is empty.
fn ceiling_label(
    plot: &mut PlotUi<'_>,
    texts: &Texts,
    roof: &Roof,
    (dtype, peak): (Dtype, FlopsPerSec),
    color: Color32,
) {
    let at = PlotPoint::new(roof.ridge(peak).log10() + 0.06, peak.0.log10() - 0.03);
    let text = RichText::new(roof_name(texts, dtype, peak)).small();
    plot.text(
        Text::new(dtype.name(), at, text).anchor(Align2::LEFT_TOP).color(color).allow_hover(false),
    );
}

/// Where the names of the points stand, so that none covers another name or point (powers of ten).
fn label_heights(dots: &[Dot<'_>]) -> Vec<f64> {
    let mut taken: Vec<[f64; 2]> = dots.iter().map(|dot| dot.at).collect();
    let mut heights_of = Vec::with_capacity(dots.len());
    for dot in dots {
        let [x, y] = dot.at;
        let is_free = |height: &f64| {
            let middle = height - LABEL_HEIGHT / 2.0;
            !taken.iter().any(|[other_x, other_y]| {
                (other_x - x).abs() < LABEL_WIDTH && (other_y - middle).abs() < LABEL_HEIGHT * 0.9
            })
        };
        let mut heights = (0..12).map(|step| y - 0.12 - f64::from(step) * LABEL_HEIGHT / 2.0);
        let height = heights.find(is_free).unwrap_or(y - 0.12);
        taken.push([x, height - LABEL_HEIGHT / 2.0]);
        heights_of.push(height);
    }
    heights_of
}

/// A point as large as its share of the time, with its name below it.
fn paint_dot(plot: &mut PlotUi<'_>, texts: &Texts, dot: &Dot<'_>, label_y: f64, colors: &Colors) {
    let name = texts.get(dot.operation.class.key()).into_owned();
    let radius = 3.0 + 9.0 * points(dot.share.clamp(0.0, 1.0).sqrt());
    plot.points(
        Points::new(name.clone(), vec![dot.at])
            .shape(MarkerShape::Circle)
            .radius(radius)
            .color(colors.dot.gamma_multiply(0.85)),
    );
    let [x, _] = dot.at;
    let label = Text::new(name.clone(), PlotPoint::new(x, label_y), RichText::new(name).small());
    plot.text(label.anchor(Align2::CENTER_TOP).color(colors.text).allow_hover(false));
}

/// Work in units of 10^12 operations, with as many decimals as say something.
fn tera(work: Flops) -> String {
    let tera = work.0 / 1e12;
    let decimals = if tera >= 100.0 || tera == 0.0 {
        0
    } else if tera >= 1.0 {
        1
    } else {
        4
    };
    grouped(tera, decimals)
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

const COLUMNS: Columns<'static> = Columns {
    swatches: false,
    name_title: "operations-name",
    name_width: 150.0,
    numbers: &[
        NumberColumn { title: "operations-time", width: 66.0 },
        NumberColumn { title: "table-share", width: 44.0 },
        NumberColumn { title: "operations-flops", width: 64.0 },
        NumberColumn { title: "operations-bytes", width: 84.0 },
        NumberColumn { title: "operations-intensity", width: 70.0 },
    ],
    last_title: "operations-bound",
};

/// The operations as a table, for those who do not see the plot.
fn operations_table(ui: &mut Ui, session: &Session, ready: &Ready) {
    let operations = &ready.estimate.speed.operations;
    let whole: Secs = operations.iter().map(|operation| operation.time).sum();
    table(ui, &COLUMNS, &session.texts, |rows| {
        for operation in operations {
            operation_row(rows, session, operation, whole);
        }
    });
}

fn operation_row(rows: &mut Rows<'_>, session: &Session, operation: &Operation, whole: Secs) {
    let texts = &session.texts;
    let name = texts.get(operation.class.key());
    let bound = texts.get(operation.bound.key());
    let share = percent(operation.time.0 / whole.0.max(f64::MIN_POSITIVE));
    let intensity =
        operation.intensity().map_or_else(|| "–".to_owned(), |intensity| grouped(intensity, 1));
    let time = operation.time.to_string();
    let args = [
        ("name", name.as_ref()),
        ("time", time.as_str()),
        ("share", share.as_str()),
        ("bound", bound.as_ref()),
    ];
    let content = Row {
        name: name.to_string(),
        sentence: texts.with("operations-row", &args),
        numbers: vec![time, share, tera(operation.flops), operation.bytes.to_string(), intensity],
        last: bound.to_string(),
        ..Row::default()
    };
    let response = rows.add(&content, Sense::hover());
    if let Some(hint) = texts.hint(operation.class.key()) {
        response.on_hover_text_at_pointer(hint);
    }
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

    #[test]
    fn names_of_points_side_by_side_stand_apart() {
        let operation = Operation {
            class: crate::throughput::OperationClass::Matmul,
            flops: Flops(1.0),
            bytes: crate::units::Bytes(1),
            time: Secs(1.0),
            kernels: 1.0,
            bound: crate::throughput::Bound::Compute,
        };
        let dot = |x| Dot { operation: &operation, at: [x, 14.0], share: 0.5 };
        let heights = label_heights(&[dot(2.0), dot(2.1), dot(2.2)]);
        for (index, one) in heights.iter().enumerate() {
            for other in &heights[index + 1..] {
                assert!((one - other).abs() >= 0.2, "{heights:?}");
            }
        }
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

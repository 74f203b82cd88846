//! Memory and utilisation of the selected GPU over time, on fixed axes.

use egui::{Color32, Label, RichText, Ui, Vec2};
use egui_plot::{GridInput, GridMark, HLine, HoverPosition, Line, LineStyle, Plot, PlotBounds};

use crate::{
    monitor::{GpuSample, Metric, SeriesPoint},
    text::Texts,
    ui::{
        command::Command,
        live::{
            LiveCommand,
            settings::HistoryWindow,
            words::{Shown, used_of_total},
        },
        session::Session,
        theme::tokens,
        widgets::{axis::nice_step, segmented::segmented},
    },
    units::{Bytes, grouped},
};

/// Height of a plot, points.
const PLOT_HEIGHT: f32 = 132.0;
/// Room to the right of now, as a share of the window: its label needs it.
const RIGHT_MARGIN: f64 = 0.06;
/// Room from which the two plots stand side by side, points.
const BESIDE_FROM: f32 = 600.0;
/// Distance between them, points.
const GAP: f32 = 12.0;
/// A narrower plot has half of the marks of time, points: their labels need room.
const DENSE_BELOW: f32 = 380.0;
/// Room above a curve whose card does not say how much memory it has, as a share.
const HEADROOM: f64 = 1.1;
/// Points of a curve.
const CURVE_POINTS: usize = 400;

/// The two plots and the choice of the window.
pub fn plots(ui: &mut Ui, session: &Session, gpu: &GpuSample, commands: &mut Vec<Command>) {
    title_and_window(ui, session, commands);
    let room = ui.available_width();
    let width = if room >= BESIDE_FROM { (room - GAP) / 2.0 } else { room };
    let curves = [memory_curve(ui, session, gpu), compute_curve(ui, session, gpu)];
    if room >= BESIDE_FROM {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for curve in &curves {
                ui.vertical(|ui| plot(ui, session, curve, width));
            }
        });
    } else {
        for curve in &curves {
            plot(ui, session, curve, width);
        }
    }
}

fn title_and_window(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        super::super::heading(ui, &session.texts.get("live-history-title"));
        let mut window: HistoryWindow = session.live.settings.window;
        segmented(ui, &session.texts, &mut window);
        if window != session.live.settings.window {
            commands.push(Command::Live(LiveCommand::Window(window)));
        }
    });
}

/// One plot: its name, its scale and what it shows.
struct Curve {
    key: &'static str,
    /// The number now, in words.
    caption: String,
    top: f64,
    step: f64,
    unit: &'static str,
    points: Vec<SeriesPoint>,
    /// A dashed line: the peak.
    mark: Option<f64>,
    color: Color32,
}

fn memory_curve(ui: &Ui, session: &Session, gpu: &GpuSample) -> Curve {
    let texts = &session.texts;
    let in_gib = |bytes: f64| Bytes::from_f64(bytes).gib();
    let points: Vec<SeriesPoint> = past(session, gpu, Metric::UsedMemory)
        .into_iter()
        .map(|point| SeriesPoint { low: in_gib(point.low), high: in_gib(point.high), ..point })
        .collect();
    let peak = session.live.monitor.peak(&gpu.key);
    let highest = points.iter().map(|point| point.high).chain(peak.map(|it| it.used.gib()));
    // A card that is lost does not say any more how much it has.
    let total_gib = match gpu.memory.total.value() {
        Some(total) => total.gib(),
        None => highest.fold(0.0, f64::max) * HEADROOM,
    };
    let total_gib = if total_gib > 0.0 { total_gib } else { 1.0 };
    let now = used_of_total(texts, gpu).text;
    let caption = match peak {
        Some(peak) => {
            texts.with("live-plot-memory-peak", &[("now", &now), ("peak", &peak.used.to_string())])
        }
        None => texts.with("live-plot-memory", &[("now", &now)]),
    };
    Curve {
        key: "live-fact-used",
        caption,
        top: total_gib,
        step: nice_step(total_gib / 4.0),
        unit: "GiB",
        points,
        mark: peak.map(|peak| peak.used.gib()),
        color: tokens(ui).accent,
    }
}

fn compute_curve(ui: &Ui, session: &Session, gpu: &GpuSample) -> Curve {
    let texts = &session.texts;
    let now = Shown::percent(texts, &gpu.utilisation.compute_percent);
    // An empty plot says why it is empty.
    let now = match now.missing {
        Some(why) => texts.with("live-plot-missing", &[("why", &why)]),
        None => now.text,
    };
    Curve {
        key: "live-fact-compute",
        caption: texts.with("live-plot-compute", &[("now", &now)]),
        top: 100.0,
        step: 25.0,
        unit: "%",
        points: past(session, gpu, Metric::Compute),
        mark: None,
        color: tokens(ui).success,
    }
}

fn past(session: &Session, gpu: &GpuSample, metric: Metric) -> Vec<SeriesPoint> {
    let history = session.live.monitor.history();
    let Some(now) = history.last_unix_secs() else { return Vec::new() };
    let from = now - session.live.settings.window.secs();
    history.series(&gpu.key, metric, from, CURVE_POINTS)
}

fn plot(ui: &mut Ui, session: &Session, curve: &Curve, width: f32) {
    let texts = &session.texts;
    let caption = RichText::new(&curve.caption).small().color(tokens(ui).weak_text);
    ui.add(Label::new(caption).truncate());
    let window = session.live.settings.window;
    let length = window.secs();
    let time_step = window.step_secs() * if width < DENSE_BELOW { 2.0 } else { 1.0 };
    let now = session.live.monitor.history().last_unix_secs().unwrap_or_default();
    let (top, step, unit) = (curve.top, curve.step, curve.unit);
    let name = texts.get(curve.key).into_owned();
    let bounds = PlotBounds::from_min_max([-length, 0.0], [length * RIGHT_MARGIN, top]);
    Plot::new(curve.key)
        .height(PLOT_HEIGHT)
        .width(width)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_crosshair(false)
        .show_background(false)
        .set_margin_fraction(Vec2::ZERO)
        .grid_color(tokens(ui).line)
        .grid_fade(1.0)
        .x_grid_spacer(move |_: GridInput| time_marks(time_step, length))
        .y_grid_spacer(move |_: GridInput| scale_marks(step, top))
        .x_axis_formatter(move |mark, _| age(texts, -mark.value))
        .y_axis_formatter(move |mark, _| format!("{} {unit}", scale_label(mark.value)))
        .y_axis_min_width(52.0)
        .label_formatter(move |position| hover_label(position, texts, unit))
        .show(ui, |plot| {
            plot.set_plot_bounds(bounds);
            for piece in pieces(&curve.points, now) {
                plot.line(Line::new(name.clone(), piece).color(curve.color).width(1.5));
            }
            if let Some(mark) = curve.mark {
                let line = HLine::new(texts.get("live-peak").into_owned(), mark);
                let dashed = line.style(LineStyle::dashed_dense()).width(1.0);
                plot.hline(dashed.color(curve.color.gamma_multiply(0.8)).allow_hover(false));
            }
        });
}

/// The curve, broken where nothing is known: seconds before now, and the highest value.
fn pieces(points: &[SeriesPoint], now: f64) -> Vec<Vec<[f64; 2]>> {
    let mut pieces = vec![Vec::new()];
    for point in points {
        if point.after_gap {
            pieces.push(Vec::new());
        }
        if let Some(last) = pieces.last_mut() {
            last.push([point.unix_secs - now, point.high]);
        }
    }
    pieces
}

fn marks(step: f64, from: f64, to: f64) -> Vec<GridMark> {
    (0..=64)
        .map(|index| from + f64::from(index) * step)
        .take_while(|value| *value <= to + step * 1e-6)
        .map(|value| GridMark { value, step_size: step })
        .collect()
}

/// Marks of time from now back, without one at the very left, where it would touch the other axis.
fn time_marks(step: f64, length: f64) -> Vec<GridMark> {
    marks(step, 0.0, length - 0.5 * step)
        .into_iter()
        .map(|mark| GridMark { value: -mark.value, ..mark })
        .collect()
}

/// Marks of a scale, and one at its upper end where there is room for its label.
fn scale_marks(step: f64, top: f64) -> Vec<GridMark> {
    let mut marks = marks(step, 0.0, top);
    if marks.last().is_some_and(|last| top - last.value > 0.35 * step) {
        marks.push(GridMark { value: top, step_size: step });
    }
    marks
}

/// A mark's label with a decimal at most.
fn scale_label(value: f64) -> String {
    grouped(value, usize::from(value.fract() > 0.05))
}

/// "−5 min", "−30 s", "now".
fn age(texts: &Texts, secs: f64) -> String {
    if secs < 0.5 {
        texts.get("live-now").into_owned()
    } else if secs < 59.5 {
        texts.with("live-secs-ago", &[("secs", &grouped(secs, 0))])
    } else {
        let minutes = grouped(secs / 60.0, usize::from(secs % 60.0 > 3.0));
        texts.with("live-minutes-ago", &[("minutes", &minutes)])
    }
}

fn hover_label(position: &HoverPosition<'_>, texts: &Texts, unit: &str) -> Option<String> {
    match position {
        HoverPosition::NearDataPoint { plot_name, position, .. } => {
            let value = grouped(position.y, 1);
            Some(format!("{plot_name}: {value} {unit}\n{}", age(texts, -position.x)))
        }
        HoverPosition::Elsewhere { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_broken_where_nothing_is_known() {
        let point =
            |unix_secs: f64, after_gap| SeriesPoint { unix_secs, low: 1.0, high: 2.0, after_gap };
        let points = [point(1.0, false), point(2.0, false), point(8.0, true)];
        let pieces = pieces(&points, 10.0);
        let lengths: Vec<_> = pieces.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 1], "two pieces: {pieces:?}");
    }

    #[test]
    fn marks_go_from_end_to_end() {
        let percent: Vec<_> = scale_marks(25.0, 100.0).iter().map(|mark| mark.value).collect();
        assert_eq!(percent.len(), 5, "{percent:?}");
        let gib = scale_marks(16.0, 79.6);
        assert_eq!(gib.last().map(|mark| scale_label(mark.value)), Some("79.6".to_owned()));
    }
}

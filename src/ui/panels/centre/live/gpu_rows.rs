//! All GPUs of a machine, one row each: memory on a fixed scale, curve, utilisation, temperature, power.

use egui::{
    Align, Color32, Rangef, Rect, Response, Role, Sense, Stroke, StrokeKind, TextStyle, Ui,
    WidgetInfo, pos2, vec2,
};

use super::cells::{cut_line, paint_cell, paint_reading};
use crate::{
    monitor::{GpuSample, Metric, Snapshot},
    plan::Choice as _,
    ui::{
        command::Command,
        live::{
            LiveCommand,
            fleet::{FleetColumn, Health},
            words::{Shown, place_name, short_name, used_of_total},
        },
        session::Session,
        theme::tokens,
        widgets::{
            segment::points,
            sparkline::{Scale, paint_curve},
        },
    },
    units::Bytes,
};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 26.0;
/// Height of the titles, points.
const TITLES_HEIGHT: f32 = 18.0;
/// Distance between two columns, points.
const GAP: f32 = 10.0;
/// Room from which the rows have a curve, points.
const CURVE_FROM: f32 = 720.0;
/// Room from which the rows say in words how the GPU is, points.
const STATE_FROM: f32 = 800.0;
/// Points of a curve.
const CURVE_POINTS: usize = 90;

/// Where the columns of a row stand.
#[derive(Clone, Copy, Debug)]
struct Places {
    name: Rangef,
    bar: Rangef,
    amount: Rangef,
    curve: Option<Rangef>,
    compute: Rangef,
    temperature: Rangef,
    power: Rangef,
    state: Option<Rangef>,
}

impl Places {
    fn of(x: Rangef) -> Self {
        let width = x.span();
        let mut right = x.max;
        let mut take = |width: f32| {
            let range = Rangef::new(right - width, right);
            right -= width + GAP;
            range
        };
        let state = (width >= STATE_FROM).then(|| take(92.0));
        let power = take(88.0);
        let temperature = take(48.0);
        let compute = take(48.0);
        let curve = (width >= CURVE_FROM).then(|| take(96.0));
        let amount = take(126.0);
        let name = Rangef::new(
            x.min + 10.0,
            x.min + 10.0 + if width >= CURVE_FROM { 152.0 } else { 140.0 },
        );
        let bar = Rangef::new(name.max + GAP, right);
        Self { name, bar, amount, curve, compute, temperature, power, state }
    }
}

/// One row for each GPU; a click selects it.
pub fn gpu_rows(ui: &mut Ui, session: &Session, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let room = ui.available_width();
    let (titles, _) = ui.allocate_exact_size(vec2(room, TITLES_HEIGHT), Sense::hover());
    let places = Places::of(titles.x_range());
    paint_titles(ui, session, titles, &places);
    ui.spacing_mut().item_spacing.y = 0.0;
    let selected = session.live.selected_gpu().map(|gpu| &gpu.key);
    for gpu in &snapshot.gpus {
        let (rect, response) = ui.allocate_exact_size(vec2(room, ROW_HEIGHT), Sense::click());
        let chosen = selected == Some(&gpu.key);
        let sentence = sentence(session, gpu);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &sentence));
        if ui.is_rect_visible(rect) {
            paint_row(ui, session, gpu, rect, &places, chosen, &response);
        }
        if response.clicked() {
            commands.push(Command::Live(LiveCommand::SelectGpu(gpu.key.clone())));
        }
    }
}

fn paint_titles(ui: &Ui, session: &Session, place: Rect, places: &Places) {
    let weak = tokens(ui).weak_text;
    let title = |x: Rangef, key: &str, align| {
        let galley = cut_line(ui, &session.texts.get(key), &TextStyle::Small, weak, x.span());
        let left = if align == Align::Max { x.max - galley.size().x } else { x.min };
        ui.painter().galley(pos2(left, place.top()), galley, weak);
    };
    title(places.name, "live-column-gpu", Align::Min);
    title(Rangef::new(places.bar.min, places.amount.min), FleetColumn::Memory.key(), Align::Min);
    if let Some(curve) = places.curve {
        title(curve, session.live.settings.window.key(), Align::Min);
    }
    title(places.compute, FleetColumn::Compute.key(), Align::Max);
    title(places.temperature, "live-column-temperature", Align::Max);
    title(places.power, FleetColumn::Power.key(), Align::Max);
    if let Some(state) = places.state {
        title(state, FleetColumn::State.key(), Align::Min);
    }
    let y = place.bottom() - 0.5;
    ui.painter().hline(place.x_range(), y, Stroke::new(1.0, tokens(ui).line));
}

/// The row in words, for those who do not see it.
fn sentence(session: &Session, gpu: &GpuSample) -> String {
    let texts = &session.texts;
    let health = Health::of(gpu, session.live.settings.alert_percent);
    let (place, name) = (place_name(texts, gpu), short_name(texts, gpu));
    let memory = used_of_total(texts, gpu).text;
    let compute = Shown::percent(texts, &gpu.utilisation.compute_percent).text;
    let state = texts.get(health.key());
    texts.with(
        "live-gpu-sentence",
        &[
            ("place", &place),
            ("name", &name),
            ("memory", &memory),
            ("compute", &compute),
            ("state", &state),
        ],
    )
}

/// Colour of the word for how a GPU is, and of its bar.
pub fn health_color(ui: &Ui, health: Health) -> Color32 {
    let tokens = tokens(ui);
    match health {
        Health::Fine => tokens.success,
        Health::HeldBack | Health::Alert => tokens.warning,
        Health::Errors | Health::Lost => tokens.error,
    }
}

fn paint_row(
    ui: &Ui,
    session: &Session,
    gpu: &GpuSample,
    rect: Rect,
    places: &Places,
    chosen: bool,
    response: &Response,
) {
    let tokens = tokens(ui);
    let texts = &session.texts;
    if chosen || response.hovered() {
        ui.painter().rect_filled(rect, 2.0, tokens.hover_fill);
    }
    if chosen {
        let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
        ui.painter().rect_filled(edge, 1.0, tokens.accent);
    }
    let cell = |x: Rangef| Rect::from_x_y_ranges(x, rect.y_range());
    let name = format!("{}  {}", gpu.index, short_name(texts, gpu));
    paint_cell(ui, cell(places.name), &name, Align::Min, tokens.text);
    let health = Health::of(gpu, session.live.settings.alert_percent);
    let id = response.id;
    if places.state.is_none() && health != Health::Fine {
        // There is no room for a word: a dot, and the word when hovered.
        let at = pos2(rect.left() + 6.0, rect.center().y);
        ui.painter().circle_filled(at, 3.0, health_color(ui, health));
        response.clone().on_hover_text(texts.get(health.key()));
    }
    if health == Health::Lost {
        let beyond = Rangef::new(places.bar.min, rect.right());
        let text = texts.get("live-gpu-lost");
        paint_cell(ui, cell(beyond), &text, Align::Min, tokens.error);
    } else {
        let bar = cell(places.bar).shrink2(vec2(0.0, 7.0));
        memory_bar(ui, session, gpu, bar, health);
        let amount = used_of_total(texts, gpu);
        let reading = |x: Rangef, key: &'static str, shown: &Shown| {
            paint_reading(ui, cell(x), id.with(key), &texts.get(key), shown, Align::Max);
        };
        reading(places.amount, "live-fleet-memory", &amount);
        if let Some(curve) = places.curve {
            paint_past(ui, session, gpu, cell(curve).shrink2(vec2(0.0, 4.0)));
        }
        let compute = Shown::percent(texts, &gpu.utilisation.compute_percent);
        reading(places.compute, "live-fleet-compute", &compute);
        let temperature = Shown::whole(texts, &gpu.temperature_celsius, "°C");
        reading(places.temperature, "live-fleet-temperature", &temperature);
        let power = Shown::of_limit(texts, &gpu.power_watts, &gpu.power_limit_watts, "W");
        reading(places.power, "live-fleet-power", &power);
        if let Some(state) = places.state {
            let text = texts.get(health.key());
            paint_cell(ui, cell(state), &text, Align::Min, health_color(ui, health));
        }
    }
    let line = Stroke::new(1.0, tokens.line);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, line);
    if response.has_focus() {
        let stroke = Stroke::new(1.5, tokens.accent);
        ui.painter().rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
    }
}

/// Used, reserved and free on a scale from 0 to all of the card's memory, with the peak.
pub fn memory_bar(ui: &Ui, session: &Session, gpu: &GpuSample, place: Rect, health: Health) {
    let tokens = tokens(ui);
    ui.painter().rect_filled(place, 2.0, tokens.input_fill);
    ui.painter().rect_stroke(place, 2.0, Stroke::new(1.0, tokens.line), StrokeKind::Inside);
    let (Some(used), Some(total)) = (gpu.memory.used.value(), gpu.memory.total.value()) else {
        return;
    };
    let x = |bytes: Bytes| place.left() + points(bytes.share_of(*total).min(1.0)) * place.width();
    let fill = if health == Health::Alert { tokens.warning } else { tokens.accent };
    let used_end = x(*used);
    let piece = |from: f32, to: f32| Rect::from_x_y_ranges(Rangef::new(from, to), place.y_range());
    ui.painter().rect_filled(piece(place.left(), used_end), 2.0, fill);
    if let Some(reserved) = gpu.memory.reserved.value() {
        let end = x(*used + *reserved);
        ui.painter().rect_filled(piece(used_end, end), 0.0, tokens.weak_text);
    }
    if let Some(peak) = session.live.monitor.peak(&gpu.key) {
        let x = x(peak.used).min(place.right() - 1.0);
        let mark = Stroke::new(1.5, ui.visuals().strong_text_color());
        ui.painter().vline(x, place.y_range().expand(3.0), mark);
    }
}

/// Curves of memory and utilisation over the chosen window.
fn paint_past(ui: &Ui, session: &Session, gpu: &GpuSample, place: Rect) {
    let history = session.live.monitor.history();
    let Some(to_unix_secs) = history.last_unix_secs() else { return };
    let from_unix_secs = to_unix_secs - session.live.settings.window.secs();
    let scale = |top: f64| Scale { from_unix_secs, to_unix_secs, top };
    let curve = |metric| history.series(&gpu.key, metric, from_unix_secs, CURVE_POINTS);
    let weak = tokens(ui).weak_text;
    paint_curve(ui, place, &curve(Metric::Compute), scale(100.0), weak.gamma_multiply(0.7));
    if let Some(total) = gpu.memory.total.value() {
        let accent = tokens(ui).accent;
        paint_curve(ui, place, &curve(Metric::UsedMemory), scale(total.as_f64()), accent);
    }
}

//! One step of the shown stage: what is alive at each moment, stacked, with the peak marked.

use egui::{
    Align2, Mesh, Pos2, Rangef, Rect, Role, Sense, Shape, Stroke, TextStyle, Ui, WidgetInfo,
    epaint::WHITE_UV, pos2, vec2,
};

use super::{heading, memory_tab::is_serving, moment_tip, table::note};
use crate::{
    memory::{Moment, Part, TimelinePoint},
    plan::Choice as _,
    text::Texts,
    ui::{
        session::{Ready, Session},
        theme::{part_color, tokens},
        widgets::{
            axis::{nice_step, tick_label},
            segment::{paint_note, paint_plate, points},
        },
    },
    units::{Bytes, grouped},
};

/// Height of the areas, points.
const PLOT_HEIGHT: f32 = 150.0;
/// Height of the strip above them for the phases' names, points.
const PHASES_HEIGHT: f32 = 18.0;
/// Height of the moments' names below, two lines, points.
const MOMENTS_HEIGHT: f32 = 32.0;
/// Width of the GiB labels on the left, points.
const AXIS_WIDTH: f32 = 44.0;
/// Room on the right for half of the last moment's name, points.
const RIGHT_MARGIN: f32 = 40.0;
/// The capacity is drawn where the peak reaches this share of it; else the areas would be flat.
const CAPACITY_FROM: f64 = 0.45;

/// A phase of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Forward,
    Backward,
    Optimizer,
    Prefill,
    Decode,
}

impl Phase {
    /// The phase a moment belongs to; the time between steps belongs to what surrounds it.
    const fn of(moment: Moment) -> Option<Self> {
        match moment {
            Moment::Idle => None,
            Moment::ForwardFirst | Moment::ForwardFull => Some(Self::Forward),
            Moment::BackwardStart
            | Moment::BackwardLayer
            | Moment::BackwardLastLayer
            | Moment::BackwardEnd => Some(Self::Backward),
            Moment::OptimizerStep => Some(Self::Optimizer),
            Moment::Prefill => Some(Self::Prefill),
            Moment::Decode => Some(Self::Decode),
        }
    }

    const fn key(self) -> &'static str {
        match self {
            Self::Forward => "phase-forward",
            Self::Backward => "phase-backward",
            Self::Optimizer => "phase-optimizer",
            Self::Prefill => "phase-prefill",
            Self::Decode => "phase-decode",
        }
    }
}

/// Heading and areas.
pub fn timeline(ui: &mut Ui, session: &Session, ready: &Ready) {
    let timeline = &ready.detail.timeline;
    if timeline.len() < 2 {
        return;
    }
    let memory = &ready.estimate.memory;
    let stage = memory.stages.get(ready.shown_stage).map(|stage| stage.stage.to_string());
    let serving = is_serving(ready);
    let title = match stage {
        Some(stage) if memory.stages.len() > 1 => {
            let key = if serving { "timeline-of-stage-serving" } else { "timeline-of-stage" };
            session.texts.with(key, &[("stage", &stage)])
        }
        _ => {
            let key = if serving { "timeline-title-serving" } else { "timeline-title" };
            session.texts.get(key).into_owned()
        }
    };
    heading(ui, &title);
    let peak = peak_of(timeline);
    note(ui, &caption(&session.texts, peak, memory.capacity));
    let areas = Areas::new(ui, timeline, memory.capacity, serving, &session.texts);
    areas.show(ui);
}

fn peak_of(timeline: &[TimelinePoint]) -> Bytes {
    timeline.iter().map(|point| point.parts.total()).max().unwrap_or_default()
}

/// How to read the plot, and where the capacity is if the plot does not reach it.
fn caption(texts: &Texts, peak: Bytes, capacity: Bytes) -> String {
    if reaches_capacity(peak, capacity) {
        return texts.get("timeline-note").into_owned();
    }
    let capacity = grouped(capacity.gib(), 2);
    texts.with("timeline-note-capacity", &[("capacity", &capacity)])
}

fn reaches_capacity(peak: Bytes, capacity: Bytes) -> bool {
    peak.share_of(capacity) >= CAPACITY_FROM
}

struct Areas<'a> {
    timeline: &'a [TimelinePoint],
    capacity: Bytes,
    serving: bool,
    texts: &'a Texts,
    rect: Rect,
    plot: Rect,
    top_gib: f64,
}

impl<'a> Areas<'a> {
    fn new(
        ui: &mut Ui,
        timeline: &'a [TimelinePoint],
        capacity: Bytes,
        serving: bool,
        texts: &'a Texts,
    ) -> Self {
        let peak = peak_of(timeline);
        let size = vec2(ui.available_width(), PHASES_HEIGHT + PLOT_HEIGHT + MOMENTS_HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        let plot = Rect::from_min_max(
            pos2(rect.left() + AXIS_WIDTH, rect.top() + PHASES_HEIGHT),
            pos2(rect.right() - RIGHT_MARGIN, rect.bottom() - MOMENTS_HEIGHT),
        );
        let highest = if reaches_capacity(peak, capacity) { peak.max(capacity) } else { peak };
        let top_gib = highest.gib().max(1e-3) * 1.18;
        let areas = Self { timeline, capacity, serving, texts, rect, plot, top_gib };
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, areas.description(peak)));
        areas
    }

    fn show(&self, ui: &Ui) {
        if ui.is_rect_visible(self.rect) {
            self.paint_scale(ui);
            self.paint_areas(ui);
            self.paint_phases(ui);
            self.paint_capacity(ui);
            self.paint_moments(ui);
            self.paint_peak(ui);
        }
        self.columns(ui); // out of sight as well: the keyboard brings them into view
    }

    fn x(&self, index: usize) -> f32 {
        let last = self.timeline.len().saturating_sub(1).max(1);
        self.plot.left() + self.plot.width() * index as f32 / last as f32
    }

    fn y(&self, gib: f64) -> f32 {
        self.plot.bottom() - points(gib / self.top_gib) * self.plot.height()
    }

    fn peak_index(&self) -> usize {
        let totals = self.timeline.iter().map(|point| point.parts.total()).enumerate();
        totals.rev().max_by_key(|(_, total)| *total).map_or(0, |(index, _)| index)
    }

    fn description(&self, peak: Bytes) -> String {
        let moments: Vec<String> =
            self.timeline.iter().map(|point| self.moment_total(point)).collect();
        let key =
            if self.serving { "timeline-description-serving" } else { "timeline-description" };
        self.texts.with(key, &[("peak", &peak.to_string()), ("moments", &moments.join("; "))])
    }

    fn moment_total(&self, point: &TimelinePoint) -> String {
        let moment = self.texts.get(self.moment_key(point));
        let total = format!("{} GiB", point.parts.total().gib_cell());
        self.texts.with("timeline-moment", &[("moment", &moment), ("total", &total)])
    }

    /// Serving has no steps to be between.
    fn moment_key(&self, point: &TimelinePoint) -> &'static str {
        match point.moment {
            Moment::Idle if self.serving => "moment-loaded",
            moment => moment.key(),
        }
    }

    fn paint_scale(&self, ui: &Ui) {
        let (line, weak) = (tokens(ui).line, tokens(ui).weak_text);
        let step = nice_step(self.top_gib / 4.0);
        for gib in (0..)
            .map(|index| f64::from(index) * step)
            .take_while(|gib| *gib <= self.top_gib)
            .take(16)
        {
            let y = self.y(gib);
            ui.painter().hline(self.plot.x_range(), y, Stroke::new(1.0, line));
            paint_note(
                ui,
                pos2(self.plot.left() - 6.0, y),
                Align2::RIGHT_CENTER,
                &tick_label(gib),
                weak,
            );
        }
        paint_note(
            ui,
            pos2(self.plot.left() - 6.0, self.rect.top() + 2.0),
            Align2::RIGHT_TOP,
            "GiB",
            weak,
        );
    }

    /// One strip for each part, upon those before it.
    fn paint_areas(&self, ui: &Ui) {
        let mut floor = vec![0.0_f64; self.timeline.len()];
        for &part in Part::ALL {
            if self.timeline.iter().all(|point| point.parts.get(part) == Bytes::ZERO) {
                continue;
            }
            let mut mesh = Mesh::default();
            let mut before: Option<[u32; 2]> = None;
            for (index, (point, floor)) in self.timeline.iter().zip(&mut floor).enumerate() {
                let low = pos2(self.x(index), self.y(*floor));
                *floor += point.parts.get(part).gib();
                let high = pos2(self.x(index), self.y(*floor));
                let now = [vertex(&mut mesh, low, part), vertex(&mut mesh, high, part)];
                if let Some([old_low, old_high]) = before {
                    mesh.add_triangle(old_low, old_high, now[0]);
                    mesh.add_triangle(old_high, now[1], now[0]);
                }
                before = Some(now);
            }
            ui.painter().add(Shape::mesh(mesh));
        }
    }

    /// A line where a phase begins, half way from the last moment of the one before.
    fn paint_phases(&self, ui: &Ui) {
        let color = ui.visuals().strong_text_color();
        let mut phase = None;
        for (index, point) in self.timeline.iter().enumerate() {
            let now = Phase::of(point.moment);
            let Some(new) = now.filter(|_| now != phase) else { continue };
            let x = if phase.is_none() {
                self.plot.left()
            } else {
                self.x(index).midpoint(self.x(index.saturating_sub(1)))
            };
            phase = now;
            let y = Rangef::new(self.rect.top() + 2.0, self.plot.bottom());
            ui.painter().vline(x, y, Stroke::new(1.0, color.gamma_multiply(0.5)));
            paint_note(
                ui,
                pos2(x + 5.0, self.rect.top() + 2.0),
                Align2::LEFT_TOP,
                &self.texts.get(new.key()),
                color,
            );
        }
    }

    fn paint_capacity(&self, ui: &Ui) {
        if self.capacity.gib() > self.top_gib {
            return;
        }
        let text = grouped(self.capacity.gib(), 2);
        let text = self.texts.with("bar-capacity", &[("capacity", &text)]);
        let color = ui.visuals().strong_text_color();
        let y = self.y(self.capacity.gib());
        let line = [pos2(self.plot.left(), y), pos2(self.plot.right(), y)];
        ui.painter().extend(Shape::dashed_line(&line, Stroke::new(1.5, color), 5.0, 3.0));
        // On a plate: it stands upon the areas where they reach beyond the capacity.
        let at = pos2(self.plot.right() - 4.0, y - 3.0);
        paint_plate(ui, at, Align2::RIGHT_BOTTOM, &text, tokens(ui).card_fill);
    }

    fn paint_moments(&self, ui: &Ui) {
        let weak = tokens(ui).weak_text;
        let room = self.plot.width() / self.timeline.len().saturating_sub(1).max(1) as f32 - 6.0;
        let font = TextStyle::Small.resolve(ui.style());
        for (index, point) in self.timeline.iter().enumerate() {
            let x = self.x(index);
            ui.painter().vline(
                x,
                Rangef::new(self.plot.bottom(), self.plot.bottom() + 4.0),
                Stroke::new(1.0, weak),
            );
            let text = self.texts.get(self.moment_key(point)).into_owned();
            let mut job = egui::text::LayoutJob::simple(
                text,
                font.clone(),
                weak,
                room.clamp(24.0, 2.0 * RIGHT_MARGIN),
            );
            job.halign = egui::Align::Center;
            job.wrap.max_rows = 2;
            let galley = ui.painter().layout_job(job);
            ui.painter().galley(pos2(x, self.plot.bottom() + 5.0), galley, weak);
        }
    }

    fn paint_peak(&self, ui: &Ui) {
        let index = self.peak_index();
        let Some(point) = self.timeline.get(index) else { return };
        let at = pos2(self.x(index), self.y(point.parts.total().gib()));
        let color = ui.visuals().strong_text_color();
        ui.painter().circle(at, 4.0, color, Stroke::new(1.5, ui.visuals().panel_fill));
        let text = self.texts.with("timeline-peak", &[("total", &point.parts.total().to_string())]);
        let anchor =
            if at.x > self.plot.center().x { Align2::RIGHT_BOTTOM } else { Align2::LEFT_BOTTOM };
        let shift = if at.x > self.plot.center().x { -4.0 } else { 4.0 };
        paint_plate(ui, at + vec2(shift, -6.0), anchor, &text, tokens(ui).card_fill);
    }

    /// A place for each moment that the pointer or the keyboard can reach.
    fn columns(&self, ui: &Ui) {
        let half = self.plot.width() / self.timeline.len().saturating_sub(1).max(1) as f32 / 2.0;
        for (index, point) in self.timeline.iter().enumerate() {
            let x = self.x(index);
            let range =
                Rangef::new((x - half).max(self.plot.left()), (x + half).min(self.plot.right()));
            let place = Rect::from_x_y_ranges(range, self.plot.y_range());
            let id = ui.scope_id().with(("moment", index));
            let response = ui.interact(place, id, Sense::focusable_noninteractive());
            response
                .widget_info(|| WidgetInfo::labeled(Role::Image, true, self.moment_total(point)));
            if response.hovered() || response.has_focus() {
                let color = ui.visuals().strong_text_color();
                ui.painter().vline(x, self.plot.y_range(), Stroke::new(1.0, color));
            }
            let mut beside = response;
            beside.rect = Rect::from_x_y_ranges(range, self.rect.y_range());
            beside.interact_rect = beside.rect;
            moment_tip::tooltip(&beside, self.plot.center().x).show(|ui| {
                let hint = self.texts.hint(self.moment_key(point));
                moment_tip::contents(ui, self.texts, &self.moment_total(point), hint, &point.parts);
            });
        }
    }
}

fn vertex(mesh: &mut Mesh, pos: Pos2, part: Part) -> u32 {
    let index = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
    mesh.vertices.push(egui::epaint::Vertex { pos, uv: WHITE_UV, color: part_color(part) });
    index
}

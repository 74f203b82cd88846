//! The stacked memory bar: one row per kind of GPU, on a common axis, with the capacity of the card.
//!
//! Every segment takes the keyboard's focus and has an accessible name and value; hovering or
//! focusing it shows the same terms as the table.

use egui::{
    Align2, Color32, Rangef, Rect, Response, RichText, Role, Sense, TextStyle, Ui, WidgetInfo,
    pos2, vec2,
};

use super::{
    axis::GibAxis,
    segment::{
        paint_caption, paint_focus, paint_ghost, paint_hatching, paint_limit, paint_note,
        paint_segment, tip,
    },
    term_view::terms_tip,
};
use crate::{
    memory::{Explanation, Part, StageMemory},
    plan::Choice as _,
    text::Texts,
    ui::theme::{part_color, text_on_part, tokens},
    units::{Bytes, grouped, percent, signed_gib},
};

/// Height of one bar, points.
const BAR_HEIGHT: f32 = 28.0;
/// Height of the pinned plan's ghost below a bar, points.
const GHOST_HEIGHT: f32 = 7.0;
/// Distance from the end of one row to the next, points.
const ROW_GAP: f32 = 9.0;
/// Height of the strip above the bars that names the capacity, points.
const HEADER_HEIGHT: f32 = 18.0;
/// Height of the axis below the bars, points.
const AXIS_HEIGHT: f32 = 18.0;
/// Width of the rows' names, points.
const NAME_WIDTH: f32 = 88.0;
/// Width kept free for the totals behind the bars, points.
const TOTAL_WIDTH: f32 = 112.0;
/// Segments thinner than this are drawn, but do not take the focus one by one.
const THINNEST_FOCUS: f32 = 0.5;

/// One row: a GPU role at its peak.
pub struct BarRow<'a> {
    /// Name of the role, such as "Stages 1–6".
    pub name: String,
    /// Stage that stands for the role.
    pub stage: usize,
    /// What it holds.
    pub memory: &'a StageMemory,
    /// The same role in the pinned plan.
    pub pinned: Option<&'a StageMemory>,
    /// Shown in table and timeline.
    pub shown: bool,
    /// Why its parts are as large as they are, known for the shown stage.
    pub explanation: Option<&'a Explanation>,
}

/// The stacked bars of all roles.
pub struct MemoryBar<'a> {
    /// The roles, from top to bottom.
    pub rows: &'a [BarRow<'a>],
    /// What a process can use on the card.
    pub capacity: Bytes,
    /// The words.
    pub texts: &'a Texts,
}

impl MemoryBar<'_> {
    /// Paints the bars; returns the stage that was chosen by a click or by the keyboard.
    pub fn show(&self, ui: &mut Ui) -> Option<usize> {
        let size = vec2(ui.available_width(), self.height());
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, self.description()));
        if !ui.is_rect_visible(rect) {
            return None;
        }
        let plot = Rect::from_min_max(
            pos2(rect.left() + NAME_WIDTH, rect.top() + HEADER_HEIGHT),
            pos2(
                (rect.right() - TOTAL_WIDTH).max(rect.left() + NAME_WIDTH + 40.0),
                rect.bottom() - AXIS_HEIGHT,
            ),
        );
        let axis = GibAxis::new(plot.x_range(), self.amounts());
        axis.paint(ui, plot, plot.bottom() + 3.0);
        let unit_at = pos2(rect.right(), plot.bottom() + 3.0);
        paint_note(
            ui,
            unit_at,
            Align2::RIGHT_TOP,
            &self.texts.get("bar-unit"),
            tokens(ui).weak_text,
        );
        let chosen = self.show_rows(ui, rect, plot, axis);
        self.paint_capacity(ui, plot, axis);
        chosen
    }

    fn has_ghosts(&self) -> bool {
        self.rows.iter().any(|row| row.pinned.is_some())
    }

    fn row_pitch(&self) -> f32 {
        BAR_HEIGHT + ROW_GAP + if self.has_ghosts() { GHOST_HEIGHT + 5.0 } else { 0.0 }
    }

    fn height(&self) -> f32 {
        HEADER_HEIGHT + AXIS_HEIGHT + 4.0 + self.rows.iter().map(|_| self.row_pitch()).sum::<f32>()
    }

    fn amounts(&self) -> impl Iterator<Item = Bytes> + '_ {
        let rows = self.rows.iter();
        let totals = rows.flat_map(|row| {
            [Some(row.memory), row.pinned].into_iter().flatten().map(StageMemory::total)
        });
        totals.chain([self.capacity])
    }

    /// The whole figure in words, for those who do not see it.
    fn description(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| self.row_description(row)).collect();
        let capacity = self.capacity.to_string();
        self.texts.with("bar-description", &[("capacity", &capacity), ("rows", &rows.join("; "))])
    }

    fn row_description(&self, row: &BarRow<'_>) -> String {
        let total = row.memory.total().to_string();
        self.texts.with("bar-row-name", &[("stage", &row.name), ("total", &total)])
    }

    fn show_rows(&self, ui: &Ui, rect: Rect, plot: Rect, axis: GibAxis) -> Option<usize> {
        let mut chosen = None;
        let mut top = plot.top() + 4.0;
        for row in self.rows {
            let bar = Rect::from_x_y_ranges(plot.x_range(), Rangef::new(top, top + BAR_HEIGHT));
            if self.show_name(ui, rect, bar, row) || self.show_segments(ui, bar, axis, row) {
                chosen = Some(row.stage);
            }
            self.paint_total(ui, bar, axis, row);
            self.paint_pinned(ui, bar, axis, row);
            top += self.row_pitch();
        }
        chosen
    }

    /// The row's name on the left; the shown stage is marked beside it. True when it was clicked.
    fn show_name(&self, ui: &Ui, rect: Rect, bar: Rect, row: &BarRow<'_>) -> bool {
        let place =
            Rect::from_x_y_ranges(Rangef::new(rect.left(), bar.left() - 8.0), bar.y_range());
        let response = ui.interact(place, ui.scope_id().with(("role", row.stage)), Sense::CLICK);
        let marked = row.shown && self.rows.len() > 1;
        let color = if marked || response.hovered() {
            ui.visuals().strong_text_color()
        } else {
            ui.visuals().text_color()
        };
        if marked {
            let mark =
                Rect::from_x_y_ranges(Rangef::new(rect.left(), rect.left() + 3.0), bar.y_range());
            ui.painter().rect_filled(mark, 1.0, tokens(ui).accent);
        }
        let font = TextStyle::Body.resolve(ui.style());
        ui.painter().text(place.right_center(), Align2::RIGHT_CENTER, &row.name, font, color);
        response.clicked()
    }

    /// The coloured segments. True when one of them was chosen.
    fn show_segments(&self, ui: &Ui, bar: Rect, axis: GibAxis, row: &BarRow<'_>) -> bool {
        let places = || places(bar, axis, row);
        for (part, _, place) in places() {
            paint_segment(ui, place, part_color(part));
        }
        self.paint_overflow(ui, bar, axis, row);
        let mut clicked = false;
        for (part, bytes, place) in places() {
            let amount = grouped(bytes.gib(), 1);
            let both = format!("{} {amount}", self.texts.get(part.key()));
            paint_caption(ui, place, part_color(part), text_on_part(part), &[&both, &amount]);
            if place.width() >= THINNEST_FOCUS {
                clicked |= self.segment_response(ui, place, row, part, bytes).clicked();
            }
        }
        clicked
    }

    fn segment_response(
        &self,
        ui: &Ui,
        place: Rect,
        row: &BarRow<'_>,
        part: Part,
        bytes: Bytes,
    ) -> Response {
        let id = ui.scope_id().with(("segment", row.stage, part));
        let response = ui.interact(place, id, Sense::click());
        response.widget_info(|| {
            let name = self.segment_name(row, part, bytes);
            WidgetInfo::selected(Role::Button, true, row.shown, name)
        });
        paint_focus(ui, &response);
        tip(&response, |ui| self.segment_tip(ui, row, part, bytes));
        response
    }

    /// "Stage 0: Gradients 8.20 GiB, 17 %"; the stage is left out where there is only one role.
    fn segment_name(&self, row: &BarRow<'_>, part: Part, bytes: Bytes) -> String {
        let share = percent(bytes.share_of(row.memory.total()));
        let (name, size) = (self.texts.get(part.key()), bytes.to_string());
        let args = [("part", name.as_ref()), ("size", size.as_str()), ("share", share.as_str())];
        let segment = self.texts.with("bar-segment", &args);
        if self.rows.len() == 1 {
            return segment;
        }
        self.texts.with("bar-segment-of-stage", &[("stage", &row.name), ("segment", &segment)])
    }

    fn segment_tip(&self, ui: &mut Ui, row: &BarRow<'_>, part: Part, bytes: Bytes) {
        ui.label(RichText::new(self.segment_name(row, part, bytes)).strong());
        if let Some(pinned) = row.pinned {
            let difference = signed_gib(bytes.gib_above(pinned.parts.get(part)));
            ui.label(self.texts.with("bar-against-pinned", &[("difference", &difference)]));
        }
        match row.explanation {
            Some(explanation) => terms_tip(ui, self.texts, explanation.of(part)),
            None => {
                ui.label(
                    RichText::new(self.texts.get("bar-click-for-terms"))
                        .color(tokens(ui).weak_text),
                );
            }
        }
    }

    /// Hatches what lies beyond the capacity.
    fn paint_overflow(&self, ui: &Ui, bar: Rect, axis: GibAxis, row: &BarRow<'_>) {
        if row.memory.total() <= self.capacity {
            return;
        }
        let beyond = Rangef::new(axis.x(self.capacity), axis.x(row.memory.total()));
        let place = Rect::from_x_y_ranges(beyond, bar.y_range());
        paint_hatching(ui, place, ui.visuals().panel_fill.gamma_multiply(0.55));
        ui.painter().rect_stroke(
            place,
            2.0,
            egui::Stroke::new(1.5, tokens(ui).error),
            egui::StrokeKind::Inside,
        );
    }

    /// The total behind the bar and, in red, by how much it is too large.
    fn paint_total(&self, ui: &Ui, bar: Rect, axis: GibAxis, row: &BarRow<'_>) {
        let total = row.memory.total();
        let over = total > self.capacity;
        let color = if over { tokens(ui).error } else { ui.visuals().strong_text_color() };
        let at = pos2(axis.x(total) + 8.0, bar.center().y);
        let font = TextStyle::Body.resolve(ui.style());
        if over {
            ui.painter().text(at, Align2::LEFT_BOTTOM, total.to_string(), font, color);
            let excess = grouped(total.gib_above(self.capacity), 2);
            let text = self.texts.with("bar-over-by", &[("excess", &excess)]);
            paint_note(ui, at, Align2::LEFT_TOP, &text, color);
        } else {
            let behind =
                if self.near_capacity(axis, total) { axis.x(self.capacity) + 8.0 } else { at.x };
            ui.painter().text(
                pos2(behind, at.y),
                Align2::LEFT_CENTER,
                total.to_string(),
                font,
                color,
            );
        }
    }

    /// The text of a total would cross the capacity line.
    fn near_capacity(&self, axis: GibAxis, total: Bytes) -> bool {
        axis.x(self.capacity) - axis.x(total) < 78.0
    }

    /// The dashed ghost of the pinned plan, with the difference.
    fn paint_pinned(&self, ui: &Ui, bar: Rect, axis: GibAxis, row: &BarRow<'_>) {
        let Some(pinned) = row.pinned else { return };
        let weak = tokens(ui).weak_text;
        let top = bar.bottom() + 3.0;
        let x = Rangef::new(bar.left(), axis.x(pinned.total()));
        let ghost = Rect::from_x_y_ranges(x, Rangef::new(top, top + GHOST_HEIGHT));
        paint_ghost(ui, ghost, weak);
        let was = grouped(pinned.total().gib(), 2);
        let difference = signed_gib(row.memory.total().gib_above(pinned.total()));
        let text = self.texts.with("bar-pinned", &[("was", &was), ("difference", &difference)]);
        paint_text_behind(ui, ghost, bar.right() + TOTAL_WIDTH, &text, weak);
    }

    fn paint_capacity(&self, ui: &Ui, plot: Rect, axis: GibAxis) {
        let (x, color) = (axis.x(self.capacity), ui.visuals().strong_text_color());
        paint_limit(ui, x, Rangef::new(plot.top() - 2.0, plot.bottom()), color);
        let capacity = grouped(self.capacity.gib(), 2);
        let text = self.texts.with("bar-capacity", &[("capacity", &capacity)]);
        let at_left = x < plot.left() + 80.0;
        let anchor = if at_left { Align2::LEFT_BOTTOM } else { Align2::RIGHT_BOTTOM };
        let shift = if at_left { -2.0 } else { 2.0 };
        paint_note(ui, pos2(x + shift, plot.top() - 3.0), anchor, &text, color);
    }
}

/// Where the parts of a row stand, one after the other.
fn places<'a>(
    bar: Rect,
    axis: GibAxis,
    row: &'a BarRow<'_>,
) -> impl Iterator<Item = (Part, Bytes, Rect)> + 'a {
    row.memory.parts.iter().scan(Bytes::ZERO, move |end, (part, bytes)| {
        let left = axis.x(*end);
        *end += bytes;
        Some((part, bytes, Rect::from_x_y_ranges(Rangef::new(left, axis.x(*end)), bar.y_range())))
    })
}

/// Small text behind a ghost, or on a plate at its end where there is no room behind it.
fn paint_text_behind(ui: &Ui, ghost: Rect, limit: f32, text: &str, color: Color32) {
    let font = TextStyle::Small.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color);
    let left = (ghost.right() + 6.0).min(limit - galley.size().x);
    let place = Align2::LEFT_CENTER.anchor_size(pos2(left, ghost.center().y), galley.size());
    if left < ghost.right() {
        ui.painter().rect_filled(place.expand2(vec2(4.0, 0.0)), 0.0, tokens(ui).background);
    }
    ui.painter().galley(place.min, galley, color);
}

//! A compact strip of all pipeline stages: one small column each, on a common scale.

use egui::{
    Align2, EventFilter, Key, Rangef, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2,
    vec2,
};

use super::segment::{paint_focus, paint_note, points, tip};
use crate::{
    memory::{MemoryEstimate, StageMemory},
    text::Texts,
    ui::theme::{part_color, tokens},
    units::grouped,
};

/// Height of the columns, points.
const COLUMN_HEIGHT: f32 = 44.0;
/// Height of the numbers below them, points.
const NUMBERS_HEIGHT: f32 = 16.0;
/// Widest column, points.
const WIDEST: f32 = 40.0;

/// All stages side by side.
pub struct StageStrip<'a> {
    /// The stages and the capacity.
    pub memory: &'a MemoryEstimate,
    /// The stage shown in table and timeline.
    pub shown: usize,
    /// The words.
    pub texts: &'a Texts,
}

impl StageStrip<'_> {
    /// Paints the strip; returns the stage that was chosen with the pointer or the arrow keys.
    pub fn show(&self, ui: &mut Ui) -> Option<usize> {
        let size = vec2(ui.available_width(), COLUMN_HEIGHT + NUMBERS_HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| self.info());
        let columns = self.columns(rect);
        for (column, (index, stage)) in columns.iter().zip(self.memory.stages.iter().enumerate()) {
            self.paint_column(ui, *column, stage, index);
        }
        self.paint_capacity(ui, &columns);
        self.paint_numbers(ui, &columns);
        paint_focus(ui, &response);
        self.hover(ui, &response, &columns);
        self.clicked(&response, &columns).or_else(|| self.moved(ui, &response))
    }

    fn info(&self) -> WidgetInfo {
        let (number, total) = self.name_of(self.shown);
        let mut info = WidgetInfo::labeled(Role::Slider, true, self.texts.get("strip-name"));
        info.current_text_value =
            Some(self.texts.with("strip-value", &[("stage", &number), ("total", &total)]));
        info
    }

    fn name_of(&self, index: usize) -> (String, String) {
        let stage = self.memory.stages.get(index);
        (
            stage.map(|stage| stage.stage.to_string()).unwrap_or_default(),
            stage.map(|stage| stage.total().to_string()).unwrap_or_default(),
        )
    }

    fn columns(&self, rect: Rect) -> Vec<Rect> {
        let count = self.memory.stages.len().max(1);
        let width = (rect.width() / count as f32).min(WIDEST);
        let y = Rangef::new(rect.top(), rect.top() + COLUMN_HEIGHT);
        let column = |index: usize| {
            let left = rect.left() + width * index as f32;
            Rect::from_x_y_ranges(Rangef::new(left, left + width), y)
        };
        (0..count).map(column).collect()
    }

    /// Largest amount that the strip must show, GiB.
    fn top_gib(&self) -> f64 {
        let largest = self.memory.stages.iter().map(StageMemory::total).max().unwrap_or_default();
        largest.max(self.memory.capacity).gib().max(1e-3) * 1.05
    }

    fn height_of(&self, gib: f64) -> f32 {
        points(gib / self.top_gib()) * COLUMN_HEIGHT
    }

    fn paint_column(&self, ui: &Ui, column: Rect, stage: &StageMemory, index: usize) {
        let gap = if column.width() > 4.0 { 1.0 } else { 0.0 };
        let x = Rangef::new(column.left(), column.right() - gap);
        let mut bottom = column.bottom();
        for (part, bytes) in stage.parts.iter() {
            let top = bottom - self.height_of(bytes.gib());
            ui.painter().rect_filled(
                Rect::from_x_y_ranges(x, Rangef::new(top, bottom)),
                0.0,
                part_color(part),
            );
            bottom = top;
        }
        if index == self.shown {
            let mark =
                Rect::from_x_y_ranges(x, Rangef::new(column.bottom() + 1.0, column.bottom() + 4.0));
            ui.painter().rect_filled(mark, 1.0, tokens(ui).accent);
        }
    }

    fn paint_capacity(&self, ui: &Ui, columns: &[Rect]) {
        let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return };
        let y = first.bottom() - self.height_of(self.memory.capacity.gib());
        let stroke = Stroke::new(1.0, ui.visuals().strong_text_color());
        let line = [pos2(first.left(), y), pos2(last.right(), y)];
        ui.painter().extend(egui::Shape::dashed_line(&line, stroke, 5.0, 3.0));
    }

    /// Every so many stages a number, so that the numbers do not touch.
    fn paint_numbers(&self, ui: &Ui, columns: &[Rect]) {
        let width = columns.first().map_or(WIDEST, Rect::width);
        let every = [1, 2, 4, 8, 16, 32]
            .into_iter()
            .find(|step| *step as f32 * width >= 22.0)
            .unwrap_or(64);
        let weak = tokens(ui).weak_text;
        for (column, stage) in columns.iter().zip(&self.memory.stages).step_by(every) {
            let at = pos2(column.center().x, column.bottom() + 4.0);
            paint_note(ui, at, Align2::CENTER_TOP, &stage.stage.to_string(), weak);
        }
    }

    fn under_pointer(response: &Response, columns: &[Rect]) -> Option<usize> {
        let x = response.interact_pointer_pos().or_else(|| response.hover_pos())?.x;
        columns.iter().position(|column| column.x_range().contains(x))
    }

    fn hover(&self, ui: &Ui, response: &Response, columns: &[Rect]) {
        let Some(index) = Self::under_pointer(response, columns) else { return };
        if let Some(column) = columns.get(index) {
            let stroke = Stroke::new(1.0, ui.visuals().strong_text_color());
            ui.painter().rect_stroke(*column, 1.0, stroke, egui::StrokeKind::Outside);
        }
        tip(response, |ui| {
            let (number, total) = self.name_of(index);
            ui.label(self.texts.with("strip-value", &[("stage", &number), ("total", &total)]));
            let layers = self.memory.stages.get(index).map_or(0, |stage| stage.layers);
            ui.label(
                self.texts.with("strip-layers", &[("layers", &grouped(f64::from(layers), 0))]),
            );
        });
    }

    fn clicked(&self, response: &Response, columns: &[Rect]) -> Option<usize> {
        let index = if response.clicked() { Self::under_pointer(response, columns) } else { None };
        index.filter(|index| *index < self.memory.stages.len())
    }

    /// The arrow keys move the choice while the strip has the focus.
    fn moved(&self, ui: &Ui, response: &Response) -> Option<usize> {
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let (left, right) = ui
            .input(|input| (input.key_pressed(Key::ArrowLeft), input.key_pressed(Key::ArrowRight)));
        let last = self.memory.stages.len().saturating_sub(1);
        match (left, right) {
            (true, false) => Some(self.shown.saturating_sub(1)),
            (false, true) => Some(self.shown.saturating_add(1).min(last)),
            _ => None,
        }
    }
}

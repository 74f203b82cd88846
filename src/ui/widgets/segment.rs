//! One coloured piece of a stacked bar: fill, caption, hatching, focus ring and tooltip.

use egui::{
    Align2, Color32, CornerRadius, Pos2, Rect, Response, Shape, Stroke, StrokeKind, TextStyle,
    Tooltip, Ui, Vec2, pos2, vec2,
};

/// Width of the tooltips that explain a number, points.
pub const TIP_WIDTH: f32 = 380.0;
/// Room on each side of a caption inside a segment, points.
const CAPTION_PADDING: f32 = 4.0;
/// Distance between the lines of a hatching, points.
const HATCH_STEP: f32 = 6.0;

/// A length on the screen; where a value is too large for the screen's numbers its limit is.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates are single precision")]
pub fn points(value: f64) -> f32 {
    value as f32
}

/// Paints the body of a segment, with a fine gap to the next one.
pub fn paint_segment(ui: &Ui, rect: Rect, fill: Color32) {
    ui.painter().rect_filled(body(rect), CornerRadius::same(2), fill);
}

fn body(rect: Rect) -> Rect {
    let gap = if rect.width() > 3.0 { 1.0 } else { 0.0 };
    Rect::from_min_max(rect.min, pos2(rect.max.x - gap, rect.max.y))
}

/// Paints the longest of the captions that fits inside a segment, or none; on a plate of the
/// segment's own colour, so that it reads on hatching too.
pub fn paint_caption(ui: &Ui, rect: Rect, fill: Color32, ink: Color32, captions: &[&str]) {
    let body = body(rect);
    let room = body.width() - 2.0 * CAPTION_PADDING;
    if room < 8.0 {
        return;
    }
    let font = TextStyle::Small.resolve(ui.style());
    let fitting = captions
        .iter()
        .map(|caption| ui.painter().layout_no_wrap((*caption).to_owned(), font.clone(), ink))
        .find(|galley| galley.size().x <= room);
    if let Some(galley) = fitting {
        let place = Align2::CENTER_CENTER.anchor_size(body.center(), galley.size());
        ui.painter().rect_filled(place.expand2(vec2(2.0, 0.0)), CornerRadius::same(2), fill);
        ui.painter().galley(place.min, galley, ink);
    }
}

/// Paints slanted lines over a rectangle: what lies there does not fit.
pub fn paint_hatching(ui: &Ui, rect: Rect, color: Color32) {
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let stroke = Stroke::new(1.5, color);
    let mut lines = Vec::new();
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        lines.push(Shape::line_segment(
            [pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())],
            stroke,
        ));
        x += HATCH_STEP;
    }
    painter.extend(lines);
}

/// Paints a dashed outline: something that is not there now.
pub fn paint_ghost(ui: &Ui, rect: Rect, color: Color32) {
    let corners: [Pos2; 5] = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    ui.painter().extend(Shape::dashed_line(&corners, Stroke::new(1.0, color), 3.0, 3.0));
}

/// Paints a dashed upright line.
pub fn paint_limit(ui: &Ui, x: f32, y: egui::Rangef, color: Color32) {
    let line = [pos2(x, y.min), pos2(x, y.max)];
    ui.painter().extend(Shape::dashed_line(&line, Stroke::new(1.5, color), 5.0, 3.0));
}

/// Paints small text.
pub fn paint_note(ui: &Ui, at: Pos2, anchor: Align2, text: &str, color: Color32) {
    ui.painter().text(at, anchor, text, TextStyle::Small.resolve(ui.style()), color);
}

/// Paints small text on a plate, so that it reads on anything.
pub fn paint_plate(ui: &Ui, at: Pos2, anchor: Align2, text: &str, plate: Color32) {
    let color = ui.visuals().strong_text_color();
    let galley =
        ui.painter().layout_no_wrap(text.to_owned(), TextStyle::Small.resolve(ui.style()), color);
    let area = anchor.anchor_size(at, galley.size());
    ui.painter().rect_filled(area.expand2(vec2(4.0, 1.0)), CornerRadius::same(3), plate);
    ui.painter().galley(area.min, galley, color);
}

/// Paints the ring of the keyboard focus, and a fine one under the pointer.
pub fn paint_focus(ui: &Ui, response: &Response) {
    let stroke = if response.has_focus() {
        Stroke::new(2.0, ui.visuals().strong_text_color())
    } else if response.hovered() {
        Stroke::new(1.0, ui.visuals().strong_text_color())
    } else {
        return;
    };
    let ring = response.rect.expand2(Vec2::splat(1.0));
    ui.painter().rect_stroke(ring, CornerRadius::same(3), stroke, StrokeKind::Outside);
}

/// A tooltip under the pointer, or below the widget that the keyboard has reached.
pub fn tip(response: &Response, add_contents: impl FnOnce(&mut Ui)) {
    let tooltip = if response.has_focus() && !response.hovered() {
        Tooltip::for_widget(response)
    } else {
        Tooltip::for_enabled(response).at_pointer()
    };
    tooltip.width(TIP_WIDTH).show(|ui| {
        ui.set_max_width(TIP_WIDTH);
        add_contents(ui);
    });
}

/// Paints the coloured square that ties a row of a table to a segment.
pub fn paint_swatch(ui: &Ui, center: Pos2, color: Color32) {
    let square = Rect::from_center_size(center, vec2(11.0, 11.0));
    ui.painter().rect_filled(square, CornerRadius::same(2), color);
}

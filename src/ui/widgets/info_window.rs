//! Windows about the program: they leave the verdict in sight, and come up one beside the other.

use egui::{Id, Ui, Vec2, Window, pos2};

use crate::ui::theme;

/// Top of the first window, points: below the verdict.
const TOP: f32 = 132.0;
/// How much further down and left each next one stands, points.
const STEP: f32 = 28.0;
/// Least space to the edges of the program's window, points.
const MARGIN: f32 = 36.0;

/// A window of about this size; `step` is its place among its like.
pub fn info_window<'open>(
    ui: &Ui,
    id: &'static str,
    title: &str,
    size: Vec2,
    step: u8,
    open: &'open mut bool,
) -> Window<'open> {
    let room = ui.content_rect();
    let step = STEP * f32::from(step);
    let top = room.top() + (TOP + step).min(room.height() * 0.3);
    let width = size.x.min(room.width() - 2.0 * MARGIN);
    let height = size.y.min(room.bottom() - top - MARGIN).max(120.0);
    let left = (room.right() - MARGIN - width - step).max(room.left() + MARGIN);
    Window::new(theme::bold(ui, title))
        .id(Id::unique(id))
        .open(open)
        .default_pos(pos2(left, top))
        .default_size([width, height])
        .collapsible(false)
}

//! Stacked bars of named pieces on one scale: what was planned above what was measured.

use egui::{Align2, Color32, Rangef, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use super::{
    axis::GibAxis,
    segment::{paint_caption, paint_focus, paint_limit, paint_note, paint_segment, tip},
};
use crate::{
    text::Texts,
    ui::theme::{bold, text_on, tokens},
    units::{Bytes, grouped},
};

/// Height of one bar, points.
const BAR_HEIGHT: f32 = 28.0;
/// Distance from the end of one bar to the next, points.
const ROW_GAP: f32 = 8.0;
/// Height of the strip above the bars that names the capacity, points.
const HEADER_HEIGHT: f32 = 18.0;
/// Height of the axis below the bars, points.
const AXIS_HEIGHT: f32 = 18.0;
/// Width of the bars' names, points.
const NAME_WIDTH: f32 = 88.0;
/// Width kept free for the totals behind the bars, points.
const TOTAL_WIDTH: f32 = 88.0;

/// A piece of a bar.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub name: String,
    /// How much.
    pub bytes: Bytes,
    /// Its colour.
    pub color: Color32,
    /// More about it; may be empty.
    pub hint: String,
}

/// A bar with its name.
#[derive(Clone, Debug)]
pub struct PieceRow {
    /// Name, to the left.
    pub name: String,
    /// Pieces from left to right.
    pub pieces: Vec<Piece>,
    /// The amount that the bar is about; its other pieces stand behind that.
    pub total: Bytes,
}

/// Bars one below the other.
pub struct PieceBars<'a> {
    /// The bars, from top to bottom.
    pub rows: &'a [PieceRow],
    /// Right end of the scale.
    pub scale: Bytes,
    /// Memory of the card, if known.
    pub capacity: Option<Bytes>,
    /// The words.
    pub texts: &'a Texts,
}

impl PieceBars<'_> {
    /// Paints them.
    pub fn show(&self, ui: &mut Ui) {
        piece_bars(ui, self);
    }
}

fn piece_bars(ui: &mut Ui, bars: &PieceBars<'_>) {
    let PieceBars { rows, scale, capacity, texts } = *bars;
    let height = HEADER_HEIGHT + AXIS_HEIGHT + rows.len() as f32 * (BAR_HEIGHT + ROW_GAP);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let right = (rect.right() - TOTAL_WIDTH).max(rect.left() + NAME_WIDTH + 40.0);
    let plot = Rect::from_min_max(
        pos2(rect.left() + NAME_WIDTH, rect.top() + HEADER_HEIGHT),
        pos2(right, rect.bottom() - AXIS_HEIGHT),
    );
    let axis = GibAxis::new(plot.x_range(), [scale].into_iter().chain(capacity));
    axis.paint(ui, plot, plot.bottom() + 3.0);
    let unit_at = pos2(rect.right(), plot.bottom() + 3.0);
    paint_note(ui, unit_at, Align2::RIGHT_TOP, &texts.get("live-axis-unit"), tokens(ui).weak_text);
    let mut top = plot.top() + 2.0;
    for row in rows {
        let bar = Rect::from_x_y_ranges(plot.x_range(), Rangef::new(top, top + BAR_HEIGHT));
        row_ui(ui, texts, rect, bar, axis, row);
        top += BAR_HEIGHT + ROW_GAP;
    }
    if let Some(capacity) = capacity {
        paint_capacity(ui, texts, plot, axis, capacity);
    }
}

fn row_ui(ui: &Ui, texts: &Texts, rect: Rect, bar: Rect, axis: GibAxis, row: &PieceRow) {
    let font = TextStyle::Body.resolve(ui.style());
    let name_at = pos2(bar.left() - 8.0, bar.center().y);
    let color = ui.visuals().text_color();
    ui.painter().text(name_at, Align2::RIGHT_CENTER, &row.name, font.clone(), color);
    let mut end = Bytes::ZERO;
    for (index, piece) in row.pieces.iter().enumerate() {
        let left = axis.x(end);
        end += piece.bytes;
        let place = Rect::from_x_y_ranges(Rangef::new(left, axis.x(end)), bar.y_range());
        paint_segment(ui, place, piece.color);
        let amount = grouped(piece.bytes.gib(), 1);
        let both = format!("{} {amount}", piece.name);
        paint_caption(ui, place, piece.color, text_on(piece.color), &[&both, &amount]);
        let id = ui.scope_id().with((&row.name, index));
        piece_ui(ui, texts, place, id, row, piece);
    }
    let at = pos2(rect.right(), bar.center().y);
    let strong = ui.visuals().strong_text_color();
    ui.painter().text(at, Align2::RIGHT_CENTER, row.total.to_string(), font, strong);
}

fn piece_ui(ui: &Ui, texts: &Texts, place: Rect, id: egui::Id, row: &PieceRow, piece: &Piece) {
    if place.width() < 0.5 {
        return;
    }
    let response = ui.interact(place, id, Sense::click());
    let size = piece.bytes.to_string();
    let args = [("row", row.name.as_str()), ("piece", piece.name.as_str()), ("size", &size)];
    let sentence = texts.with("live-piece", &args);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &sentence));
    paint_focus(ui, &response);
    tip(&response, |ui| {
        ui.label(bold(ui, &sentence));
        if !piece.hint.is_empty() {
            ui.label(&piece.hint);
        }
    });
}

fn paint_capacity(ui: &Ui, texts: &Texts, plot: Rect, axis: GibAxis, capacity: Bytes) {
    let (x, color) = (axis.x(capacity), ui.visuals().strong_text_color());
    paint_limit(ui, x, Rangef::new(plot.top() - 2.0, plot.bottom()), color);
    let text = texts.with("live-card-total", &[("total", &capacity.gib_cell())]);
    paint_note(ui, pos2(x + 2.0, plot.top() - 3.0), Align2::RIGHT_BOTTOM, &text, color);
}

//! Rows of a table that a chart is explained by: a swatch, a name, aligned numbers, and why.
//!
//! A row is one widget with one accessible sentence, so that a screen reader says it as a whole.

use egui::{
    Align, Color32, Label, Layout, Rangef, Rect, Response, RichText, Role, Sense, TextStyle,
    TextWrapMode, Ui, WidgetInfo, WidgetText, pos2, vec2,
};

use crate::ui::{theme::tokens, widgets::segment::paint_swatch};

/// Height of a row, points.
pub const ROW_HEIGHT: f32 = 22.0;
/// Width of the swatch's column, points.
const SWATCH_WIDTH: f32 = 24.0;
/// Distance between two columns, points.
const COLUMN_GAP: f32 = 14.0;

/// One column of numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberColumn {
    /// Text key of its title.
    pub title: &'static str,
    /// Its width, points.
    pub width: f32,
}

/// The columns of a table: swatch, name, numbers, and the rest of the row for the reason.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// Text key of the title of the names.
    pub name_title: &'static str,
    /// Width of the names, points.
    pub name_width: f32,
    /// The numbers, right-aligned.
    pub numbers: &'a [NumberColumn],
    /// Text key of the title of the last column.
    pub last_title: &'static str,
}

/// What a row says.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Colour of the swatch; none leaves its place empty.
    pub swatch: Option<Color32>,
    /// Name.
    pub name: String,
    /// One text for each column of numbers.
    pub numbers: Vec<String>,
    /// The reason, cut where the room ends.
    pub last: String,
    /// Accessible sentence.
    pub sentence: String,
    /// Stands out: a total, or the chosen row.
    pub strong: bool,
    /// The chosen row.
    pub selected: bool,
}

/// Paints the titles of the columns.
pub fn header(ui: &mut Ui, columns: &Columns<'_>, texts: &crate::text::Texts) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let weak = tokens(ui).weak_text;
    let places = Places::new(rect, columns);
    cell(ui, places.name, &texts.get(columns.name_title), weak, false);
    for (place, column) in places.numbers.iter().zip(columns.numbers) {
        cell(ui, *place, &texts.get(column.title), weak, true);
    }
    cell(ui, places.last, &texts.get(columns.last_title), weak, false);
    line_below(ui, rect);
}

/// Paints a row; `sense` decides whether it can be clicked.
pub fn row(ui: &mut Ui, columns: &Columns<'_>, row: &Row, sense: Sense) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), sense);
    let role = if sense.senses_click() { Role::Button } else { Role::Row };
    response.widget_info(|| {
        if sense.senses_click() {
            WidgetInfo::selected(role, true, row.selected, &row.sentence)
        } else {
            WidgetInfo::labeled(role, true, &row.sentence)
        }
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    background(ui, rect, &response, row.selected);
    let places = Places::new(rect, columns);
    if let Some(color) = row.swatch {
        paint_swatch(ui, pos2(rect.left() + SWATCH_WIDTH / 2.0, rect.center().y), color);
    }
    let color =
        if row.strong { ui.visuals().strong_text_color() } else { ui.visuals().text_color() };
    cell(ui, places.name, &row.name, color, false);
    for (place, text) in places.numbers.iter().zip(&row.numbers) {
        cell(ui, *place, text, color, true);
    }
    cell(ui, places.last, &row.last, tokens(ui).weak_text, false);
    line_below(ui, rect);
    response
}

fn background(ui: &Ui, rect: Rect, response: &Response, selected: bool) {
    if selected || (response.sense.senses_click() && response.hovered()) {
        ui.painter().rect_filled(rect, 2.0, tokens(ui).hover_fill);
    }
    if selected {
        let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
        ui.painter().rect_filled(edge, 1.0, tokens(ui).accent);
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.5, tokens(ui).accent);
        ui.painter().rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Inside);
    }
}

fn line_below(ui: &Ui, rect: Rect) {
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        egui::Stroke::new(1.0, tokens(ui).line),
    );
}

/// Paints text into a place, cut with `…` where it is too long.
fn cell(ui: &Ui, place: Rect, text: &str, color: Color32, right: bool) {
    if place.width() < 12.0 || text.is_empty() {
        return;
    }
    let text = WidgetText::from(RichText::new(text).color(color));
    let galley = text.into_galley(ui, Some(TextWrapMode::Truncate), place.width(), TextStyle::Body);
    let left = if right { place.right() - galley.size().x } else { place.left() };
    let corner = pos2(left, place.center().y - galley.size().y / 2.0);
    ui.painter().galley(corner, galley, color);
}

/// Where the cells of a row stand.
struct Places {
    name: Rect,
    numbers: Vec<Rect>,
    last: Rect,
}

impl Places {
    fn new(row: Rect, columns: &Columns<'_>) -> Self {
        let mut left = row.left() + SWATCH_WIDTH;
        let name = take(&mut left, columns.name_width, row);
        let numbers =
            columns.numbers.iter().map(|column| take(&mut left, column.width, row)).collect();
        let last = Rect::from_x_y_ranges(Rangef::new(left, row.right().max(left)), row.y_range());
        Self { name, numbers, last }
    }
}

/// The next cell of a row; `left` moves to where the one after it begins.
fn take(left: &mut f32, width: f32, row: Rect) -> Rect {
    let place = Rect::from_x_y_ranges(Rangef::new(*left, *left + width), row.y_range());
    *left = place.right() + COLUMN_GAP;
    place
}

/// A line of small weak text.
pub fn note(ui: &mut Ui, text: &str) {
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        ui.add(Label::new(RichText::new(text).small().color(tokens(ui).weak_text)).wrap());
    });
}

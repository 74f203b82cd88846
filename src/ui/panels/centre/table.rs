//! Tables that explain a chart: a swatch, a name, aligned numbers, and why.
//!
//! The library lays the cells out. A row is one widget with one accessible sentence, so that a
//! screen reader says it as a whole and the keyboard stops at it once.

use egui::{
    Align, Color32, Label, Layout, Rect, Response, RichText, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use egui_extras::{Column, TableBody, TableBuilder, TableRow};

use crate::{
    text::Texts,
    ui::{
        theme::{bold, tokens},
        widgets::segment::{paint_swatch, tip},
    },
};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 22.0;
/// Width of the swatch's column, points.
const SWATCH_WIDTH: f32 = 17.0;
/// Distance between two columns, points.
const COLUMN_GAP: f32 = 12.0;
/// The names are never narrower, points.
const MIN_NAME_WIDTH: f32 = 84.0;
/// Where there is little room, the names give way until the last column has this much, points.
const MIN_LAST_WIDTH: f32 = 96.0;

/// One column of numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberColumn {
    /// Text key of its title.
    pub title: &'static str,
    /// Its width, points: fixed, so that nothing moves when a number gets longer.
    pub width: f32,
}

/// The columns of a table: swatch, name, numbers, and the rest of the row for the reason.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// The rows have a swatch.
    pub swatches: bool,
    /// Text key of the title of the names; it also tells the tables of a tab apart.
    pub name_title: &'static str,
    /// Width of the names where there is room, points.
    pub name_width: f32,
    /// The numbers, right-aligned.
    pub numbers: &'a [NumberColumn],
    /// Text key of the title of the last column.
    pub last_title: &'static str,
}

impl Columns<'_> {
    /// Width of the names in a table of a given width, points.
    fn name_width_within(&self, table_width: f32) -> f32 {
        let numbers: f32 = self.numbers.iter().map(|column| column.width + COLUMN_GAP).sum();
        let swatches = if self.swatches { SWATCH_WIDTH + COLUMN_GAP } else { 0.0 };
        let room = table_width - swatches - numbers - COLUMN_GAP - MIN_LAST_WIDTH;
        room.max(MIN_NAME_WIDTH).min(self.name_width)
    }
}

/// What a row says.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Colour of the swatch; none leaves its place empty.
    pub swatch: Option<Color32>,
    /// Name.
    pub name: String,
    /// Tells rows of the same name apart.
    pub salt: usize,
    /// One text for each column of numbers.
    pub numbers: Vec<String>,
    /// The reason, cut where the room ends.
    pub last: String,
    /// Accessible sentence.
    pub sentence: String,
    /// Stands out: a total.
    pub strong: bool,
    /// The chosen row.
    pub selected: bool,
}

/// Titles and rows; all rows are in sight, the tab around the table scrolls.
pub fn table(
    ui: &mut Ui,
    columns: &Columns<'_>,
    texts: &Texts,
    add_rows: impl FnOnce(&mut Rows<'_>),
) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(COLUMN_GAP, 0.0);
        let name_width = columns.name_width_within(ui.available_width());
        let mut builder = TableBuilder::new(ui)
            .id_salt(columns.name_title)
            .vscroll(false)
            .cell_layout(Layout::left_to_right(Align::Center))
            .columns(Column::exact(SWATCH_WIDTH), usize::from(columns.swatches))
            .column(Column::exact(name_width));
        for column in columns.numbers {
            builder = builder.column(Column::exact(column.width));
        }
        let mut table = builder
            .column(Column::remainder().clip(true))
            .header(ROW_HEIGHT, |row| titles(row, columns, texts));
        let rest = table.ui_mut().available_rect_before_wrap();
        line(table.ui_mut(), rest, rest.top());
        let (swatches, number_columns) = (columns.swatches, columns.numbers.len());
        table.body(|body| add_rows(&mut Rows { body, swatches, number_columns }));
    });
}

fn titles(mut row: TableRow<'_, '_>, columns: &Columns<'_>, texts: &Texts) {
    let title = |ui: &mut Ui, key, align| {
        let text = RichText::new(texts.get(key)).color(tokens(ui).weak_text);
        cell_text(ui, text, align);
    };
    if columns.swatches {
        row.col(|_| {});
    }
    row.col(|ui| title(ui, columns.name_title, Align::Min));
    for column in columns.numbers {
        row.col(|ui| title(ui, column.title, Align::Max));
    }
    row.col(|ui| title(ui, columns.last_title, Align::Min));
}

/// The rows of a table while they are added.
pub struct Rows<'a> {
    body: TableBody<'a>,
    swatches: bool,
    number_columns: usize,
}

impl Rows<'_> {
    /// Adds a row; `sense` decides whether it can be clicked or take the keyboard's focus.
    pub fn add(&mut self, row: &Row, sense: Sense) -> Response {
        let behind = self.body.ui_mut().painter().add(Shape::Noop);
        let mut place = Rect::NOTHING;
        self.body.row(ROW_HEIGHT, |mut cells| {
            if self.swatches {
                cells.col(|ui| {
                    place |= ui.max_rect();
                    swatch(ui, row.swatch);
                });
            }
            cells.col(|ui| {
                place |= ui.max_rect();
                cell_text(ui, main_text(ui, row, &row.name), Align::Min);
            });
            for index in 0..self.number_columns {
                let number = row.numbers.get(index).map_or("", String::as_str);
                cells.col(|ui| cell_text(ui, main_text(ui, row, number), Align::Max));
            }
            cells.col(|ui| {
                place |= ui.max_rect();
                let reason = RichText::new(&row.last).color(tokens(ui).weak_text);
                cell_text(ui, reason, Align::Min);
            });
        });
        let ui = self.body.ui_mut();
        let response = ui.interact(place, ui.scope_id().with((&row.name, row.salt)), sense);
        describe(&response, row);
        if selected_or_hovered(&response, row) {
            let fill = Shape::rect_filled(place, 2.0, tokens(ui).hover_fill);
            ui.painter().set(behind, fill);
        }
        paint_marks(ui, &response, row);
        response
    }
}

fn main_text(ui: &Ui, row: &Row, text: &str) -> RichText {
    if row.strong { bold(ui, text) } else { RichText::new(text) }
}

fn describe(response: &Response, row: &Row) {
    response.widget_info(|| {
        if response.sense.senses_click() {
            WidgetInfo::selected(Role::Button, true, row.selected, &row.sentence)
        } else {
            WidgetInfo::labeled(Role::Row, true, &row.sentence)
        }
    });
}

fn selected_or_hovered(response: &Response, row: &Row) -> bool {
    row.selected || (response.sense.senses_click() && response.hovered())
}

/// The edge of the chosen row, the frame of the focused one, and the hairline below every row.
fn paint_marks(ui: &Ui, response: &Response, row: &Row) {
    let (rect, accent) = (response.rect, tokens(ui).accent);
    line(ui, rect, rect.bottom());
    if row.selected {
        let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 3.0, rect.bottom()));
        ui.painter().rect_filled(edge, 1.0, accent);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.5, accent), StrokeKind::Inside);
    }
}

fn line(ui: &Ui, across: Rect, y: f32) {
    ui.painter().hline(across.x_range(), y - 0.5, Stroke::new(1.0, tokens(ui).line));
}

fn swatch(ui: &mut Ui, color: Option<Color32>) {
    if let Some(color) = color {
        paint_swatch(ui, ui.max_rect().center(), color);
    }
}

/// A cell's text, cut with `…` where it is too long. Only the sentence of its row is read aloud.
fn cell_text(ui: &mut Ui, text: RichText, align: Align) {
    let layout = match align {
        Align::Max => Layout::right_to_left(Align::Center),
        Align::Min | Align::Center => Layout::left_to_right(Align::Center),
    };
    ui.with_layout(layout, |ui| {
        let label = Label::new(text).truncate().selectable(false).show_tooltip_when_elided(false);
        let id = ui.add(label).id;
        ui.accesskit_node_builder(id, egui::accesskit::Node::set_hidden);
    });
}

/// What a row says in full, where its cells may be cut: its name, a hint, and the last column.
pub fn row_tip(response: &Response, texts: &Texts, row: &Row, hint: &str, columns: &Columns<'_>) {
    tip(response, |ui| {
        ui.label(bold(ui, &row.name));
        if !hint.is_empty() {
            ui.label(hint);
        }
        let title = texts.get(columns.last_title);
        let args = [("title", title.as_ref()), ("text", row.last.as_str())];
        let last = RichText::new(texts.with("table-cell-tip", &args));
        ui.label(last.color(tokens(ui).weak_text));
    });
}

/// A line of small weak text.
pub fn note(ui: &mut Ui, text: &str) {
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        ui.add(Label::new(RichText::new(text).small().color(tokens(ui).weak_text)).wrap());
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_way_where_there_is_little_room() {
        let numbers = [NumberColumn { title: "table-gib", width: 60.0 }; 3];
        let columns = Columns {
            swatches: true,
            name_title: "table-part",
            name_width: 150.0,
            numbers: &numbers,
            last_title: "table-why",
        };
        let widths = [300.0, 460.0, 900.0].map(|width| columns.name_width_within(width));
        assert!((widths[0] - MIN_NAME_WIDTH).abs() < 1e-3, "never less: {widths:?}");
        assert!(widths[1] > MIN_NAME_WIDTH && widths[1] < 150.0, "between: {widths:?}");
        assert!((widths[2] - 150.0).abs() < 1e-3, "never more: {widths:?}");
    }
}

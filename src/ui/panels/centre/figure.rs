//! A figure: a number in large type with one or two small lines that say what it is.

use egui::{Label, Rect, RichText, Sense, Ui, UiBuilder, vec2};

use crate::ui::theme::{SMALL_TEXT_POINTS, tokens};

/// Size of the numbers, points.
const VALUE_POINTS: f32 = 16.0;
/// Height of a figure: the number and two small lines.
pub const FIGURE_HEIGHT: f32 = 54.0;
/// Distance between two figures, points.
pub const FIGURE_GAP: f32 = 10.0;

/// One figure.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// The number with its unit.
    pub value: String,
    /// What it is.
    pub caption: String,
    /// What else belongs to it; may be empty.
    pub detail: String,
    /// Longer explanation, shown when hovered; may be empty.
    pub hint: String,
    /// Width it needs, points; the width does not depend on the number.
    pub width: f32,
    /// The number is not reached: struck through.
    pub struck: bool,
    /// Colour of the number, if it has a meaning.
    pub color: Option<egui::Color32>,
}

/// Lays figures out in rows, each in a place as wide as it asks for; what does not fit goes to the next row.
pub fn figures(ui: &mut Ui, figures: &[Figure]) {
    let room = ui.available_width();
    for row in rows_of(figures, room) {
        let needed = needed_width(row);
        let extra = ((room - needed) / row.len().max(1) as f32).clamp(0.0, 60.0);
        let (rect, _) = ui.allocate_exact_size(vec2(room, FIGURE_HEIGHT), Sense::hover());
        let mut left = rect.left();
        for figure in row {
            let place = Rect::from_min_size(egui::pos2(left, rect.top()), vec2(figure.width + extra, FIGURE_HEIGHT));
            figure_ui(ui, place, figure);
            left = place.right() + FIGURE_GAP;
        }
    }
}

/// Cuts a list of figures into rows of as equal a number as the room allows.
fn rows_of(figures: &[Figure], room: f32) -> impl Iterator<Item = &[Figure]> {
    let fits = |count: &usize| figures.chunks(*count).all(|row| needed_width(row) <= room);
    let most = (1..=figures.len().max(1)).rev().find(fits).unwrap_or(1);
    let rows = figures.len().div_ceil(most).max(1);
    figures.chunks(figures.len().div_ceil(rows).max(1))
}

fn needed_width(row: &[Figure]) -> f32 {
    let gaps = FIGURE_GAP * row.len().saturating_sub(1) as f32;
    row.iter().map(|figure| figure.width).sum::<f32>() + gaps
}

fn figure_ui(ui: &mut Ui, place: Rect, figure: &Figure) {
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let mut value = RichText::new(&figure.value).size(VALUE_POINTS);
        value = match (figure.struck, figure.color) {
            (true, _) => value.strikethrough().color(tokens(ui).weak_text),
            (false, Some(color)) => value.color(color),
            (false, None) => value.strong(),
        };
        let response = ui.add(Label::new(value).truncate());
        if !figure.hint.is_empty() {
            response.on_hover_text(&figure.hint);
        }
        for line in [&figure.caption, &figure.detail] {
            if !line.is_empty() {
                let text = RichText::new(line).size(SMALL_TEXT_POINTS).color(tokens(ui).weak_text);
                ui.add(Label::new(text).truncate());
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn six() -> Vec<Figure> {
        vec![Figure { width: 100.0, ..Figure::default() }; 6]
    }

    #[test]
    fn figures_share_one_row_where_there_is_room() {
        assert_eq!(rows_of(&six(), 900.0).count(), 1, "all six side by side");
    }

    #[test]
    fn figures_wrap_into_even_rows() {
        let figures = six();
        let rows: Vec<usize> = rows_of(&figures, 560.0).map(<[Figure]>::len).collect();
        assert_eq!(rows, [3, 3], "not five and one");
    }

    #[test]
    fn no_room_at_all_still_shows_every_figure() {
        let figures = six();
        let shown: usize = rows_of(&figures, 10.0).map(<[Figure]>::len).sum();
        assert_eq!(shown, 6, "nothing is dropped");
    }
}

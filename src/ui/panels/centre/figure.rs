//! A figure: a number in large type with one or two small lines that say what it is.

use egui::{Label, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};

use crate::ui::theme::{SMALL_TEXT_POINTS, tokens};

/// Size of the numbers, points.
const VALUE_POINTS: f32 = 15.0;
/// Height of a figure: the number and two small lines.
pub const FIGURE_HEIGHT: f32 = 48.0;
/// Distance between two figures, points.
pub const FIGURE_GAP: f32 = 8.0;

/// Most that a column gets beyond what it needs, points.
const MOST_SPARE: f32 = 60.0;

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
    /// The same for the detail; may be empty.
    pub detail_hint: String,
    /// Width it needs, points; the width does not depend on the number.
    pub width: f32,
    /// The number is not reached: struck through.
    pub struck: bool,
    /// The caption holds a number too, and is struck through with the value.
    pub caption_is_result: bool,
    /// Colour of the number, if it has a meaning.
    pub color: Option<egui::Color32>,
}

/// Lays figures out in rows whose columns are aligned; what does not fit goes to the next row.
pub fn figures(ui: &mut Ui, figures: &[Figure]) {
    let room = ui.available_width();
    let widths = column_widths(figures, room);
    for row in figures.chunks(widths.len().max(1)) {
        let (rect, _) = ui.allocate_exact_size(vec2(room, FIGURE_HEIGHT), Sense::hover());
        let mut left = rect.left();
        for (figure, width) in row.iter().zip(&widths) {
            let place = Rect::from_min_size(pos2(left, rect.top()), vec2(*width, FIGURE_HEIGHT));
            figure_ui(ui, place, figure);
            left = place.right() + FIGURE_GAP;
        }
    }
}

/// Widths of the columns: as many as the room allows, in rows of as equal a number as possible.
fn column_widths(figures: &[Figure], room: f32) -> Vec<f32> {
    let widths = |columns: usize| -> Vec<f32> {
        let width = |column: usize| {
            figures
                .iter()
                .skip(column)
                .step_by(columns)
                .map(|figure| figure.width)
                .fold(0.0, f32::max)
        };
        (0..columns).map(width).collect()
    };
    let needed = |widths: &[f32]| {
        widths.iter().sum::<f32>() + FIGURE_GAP * widths.len().saturating_sub(1) as f32
    };
    let count = figures.len().max(1);
    let most = (1..=count).rev().find(|columns| needed(&widths(*columns)) <= room).unwrap_or(1);
    let mut columns = widths(count.div_ceil(count.div_ceil(most)));
    let spare = (room - needed(&columns)) / columns.len().max(1) as f32;
    for width in &mut columns {
        *width += spare.clamp(0.0, MOST_SPARE);
    }
    columns
}

fn figure_ui(ui: &mut Ui, place: Rect, figure: &Figure) {
    // A child of its own leaves the cursor of the row where it is.
    let mut child = ui.new_child(UiBuilder::new().max_rect(place));
    let ui = &mut child;
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
    let struck_caption = figure.struck && figure.caption_is_result;
    let lines =
        [(&figure.caption, struck_caption, ""), (&figure.detail, false, &*figure.detail_hint)];
    for (line, struck, hint) in lines {
        if line.is_empty() {
            continue;
        }
        let text = RichText::new(line).size(SMALL_TEXT_POINTS).color(tokens(ui).weak_text);
        let label = Label::new(if struck { text.strikethrough() } else { text }).truncate();
        let response = ui.add(label);
        if !hint.is_empty() {
            response.on_hover_text(hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn six() -> Vec<Figure> {
        vec![Figure { width: 100.0, ..Figure::default() }; 6]
    }

    #[test]
    fn figures_share_one_row_where_there_is_room() {
        assert_eq!(column_widths(&six(), 900.0).len(), 6, "all six side by side");
    }

    #[test]
    fn figures_wrap_into_even_rows() {
        assert_eq!(column_widths(&six(), 560.0).len(), 3, "three and three, not five and one");
    }

    #[test]
    fn no_room_at_all_still_shows_every_figure() {
        assert_eq!(column_widths(&six(), 10.0).len(), 1, "one below the other");
    }
}

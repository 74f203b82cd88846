//! What is alive at one moment of the timeline: the tooltip of its column.

use egui::{Align, Grid, Layout, RectAlign, Response, RichText, Sense, Tooltip, Ui, vec2};

use crate::{
    memory::{Part, Parts},
    plan::Choice as _,
    text::Texts,
    ui::{
        theme::{part_color, tokens},
        widgets::segment::paint_swatch,
    },
    units::Bytes,
};

/// Width of the tooltip, points.
const WIDTH: f32 = 300.0;
/// Distance of the tooltip from the figure, points.
const GAP: f32 = 4.0;

/// The tooltip of a column as high as the whole figure: below the figure; where there is no room for
/// it, on that side of the column on which more of the figure is. Never above: there is the table.
pub(super) fn tooltip(column: &Response, centre_x: f32) -> Tooltip<'static> {
    let mut tooltip = Tooltip::for_enabled(column).width(WIDTH);
    let popup = tooltip.popup.id(Tooltip::tooltip_id(column.id, 0)).gap(GAP);
    // Its size is known from the first frame on, in which a tooltip is measured and not shown.
    let height = popup.get_expected_size().map_or(0.0, |size| size.y) + GAP;
    let align = if column.rect.bottom() + height <= column.ctx.content_rect().bottom() {
        RectAlign::BOTTOM_START
    } else if column.rect.center().x < centre_x {
        RectAlign::RIGHT_START
    } else {
        RectAlign::LEFT_START
    };
    tooltip.popup = popup.align(align).align_alternatives(&[]);
    tooltip
}

/// Name and total of the moment, what happens then, and what is alive.
pub(super) fn contents(ui: &mut Ui, texts: &Texts, title: &str, hint: Option<&str>, parts: &Parts) {
    ui.set_max_width(WIDTH);
    ui.label(RichText::new(title).strong());
    if let Some(hint) = hint {
        ui.label(RichText::new(hint).color(tokens(ui).weak_text));
    }
    parts_list(ui, texts, parts);
}

/// The parts with their colours, in the order in which the areas lie upon each other.
fn parts_list(ui: &mut Ui, texts: &Texts, parts: &Parts) {
    let grid = Grid::new("parts of a moment").num_columns(3).min_col_width(0.0);
    grid.spacing([10.0, 1.0]).show(ui, |ui| {
        let rows: Vec<(Part, Bytes)> = parts.iter().collect();
        for (part, bytes) in rows.into_iter().rev() {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 14.0), Sense::hover());
            paint_swatch(ui, rect.center(), part_color(part));
            ui.label(texts.get(part.key()));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(texts.with("value-gib", &[("amount", &bytes.gib_cell())]));
            });
            ui.end_row();
        }
    });
}

//! Cells of the live panel: a text cut to its room, and a dash that says why.

use std::sync::Arc;

use egui::{
    Align, Align2, Color32, Galley, Id, Label, Rect, Response, RichText, Role, Sense, TextStyle,
    Ui, WidgetInfo,
    text::{LayoutJob, TextFormat, TextWrapping},
};

use crate::ui::{live::words::Shown, theme::tokens};

/// A line of text, cut with `…` where the room ends.
pub fn cut_line(ui: &Ui, text: &str, style: &TextStyle, color: Color32, width: f32) -> Arc<Galley> {
    let font = style.resolve(ui.style());
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color));
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Paints a line of text in a cell, in the middle of its height.
pub fn paint_cell(ui: &Ui, cell: Rect, text: &str, align: Align, color: Color32) {
    let galley = cut_line(ui, text, &TextStyle::Body, color, cell.width());
    let (anchor, at) = match align {
        Align::Max => (Align2::RIGHT_CENTER, cell.right_center()),
        Align::Center => (Align2::CENTER_CENTER, cell.center()),
        Align::Min => (Align2::LEFT_CENTER, cell.left_center()),
    };
    let place = anchor.anchor_size(at, galley.size());
    ui.painter().galley(place.min, galley, color);
}

/// Paints a reading; a missing one is a dash whose tooltip says why.
pub fn paint_reading(ui: &Ui, cell: Rect, id: Id, name: &str, shown: &Shown, align: Align) {
    let color = if shown.missing.is_some() { tokens(ui).weak_text } else { tokens(ui).text };
    paint_cell(ui, cell, &shown.text, align, color);
    if let Some(why) = &shown.missing {
        let response = ui.interact(cell, id, Sense::hover());
        describe_missing(&response, name, shown, why);
        response.on_hover_text(why);
    }
}

/// A reading as a label of its own.
pub fn reading_label(ui: &mut Ui, name: &str, shown: &Shown) -> Response {
    let text = RichText::new(&shown.text);
    match &shown.missing {
        Some(why) => {
            let label = Label::new(text.color(tokens(ui).weak_text)).selectable(false);
            let response = ui.add(label.sense(Sense::hover()));
            describe_missing(&response, name, shown, why);
            response.on_hover_text(why)
        }
        None => ui.add(Label::new(text).truncate()),
    }
}

fn describe_missing(response: &Response, name: &str, shown: &Shown, why: &str) {
    let sentence = format!("{name}: {} ({why})", shown.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sentence));
}

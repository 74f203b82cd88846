//! A few alternatives side by side, for choices that deserve to be seen at once.

use egui::{Button, CornerRadius, Frame, Margin, Role, Stroke, Ui, WidgetInfo, vec2};

use super::field_row::show_hint;
use crate::{plan::Choice, text::Texts, ui::theme};

/// One button for each alternative, in one frame; the chosen one is filled.
pub fn segmented<C: Choice>(ui: &mut Ui, texts: &Texts, value: &mut C) {
    let line = Stroke::new(1.0, theme::tokens(ui).line);
    let radius = CornerRadius::same(theme::CONTROL_RADIUS);
    let height = ui.spacing().interact_size.y - 2.0 * line.width;
    Frame::new().stroke(line).corner_radius(radius).inner_margin(Margin::ZERO).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.spacing_mut().interact_size.y = height;
            ui.spacing_mut().button_padding = vec2(7.0, 0.0);
            for &choice in C::ALL {
                segment(ui, texts, value, choice, height);
            }
        });
    });
}

fn segment<C: Choice>(ui: &mut Ui, texts: &Texts, value: &mut C, choice: C, height: f32) {
    let selected = *value == choice;
    let text = texts.get(choice.key());
    let button = Button::selectable(selected, text.as_ref()).min_size(vec2(0.0, height));
    let response = ui.add(button);
    response
        .widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), selected, &text));
    let tokens = theme::tokens(ui);
    let frame = if selected { tokens.text } else { tokens.accent };
    theme::focus_frame_of(ui, &response, frame);
    show_hint(&response, texts.hint(choice.key()));
    if response.clicked() {
        *value = choice;
    }
}

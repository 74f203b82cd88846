//! A combo box over a closed list.

use std::borrow::Cow;

use egui::{ComboBox, Ui};

use super::field_row::{RowLabel, show_hint};
use crate::{plan::Choice, text::Texts};

/// Names and explains one alternative.
pub trait Named<T> {
    /// Its name.
    fn name(&self, item: T) -> Cow<'_, str>;

    /// What it means, if that needs saying.
    fn hint(&self, item: T) -> Option<&str>;
}

/// Choices are named by their own text keys.
impl<C: Choice> Named<C> for Texts {
    fn name(&self, item: C) -> Cow<'_, str> {
        self.get(item.key())
    }

    fn hint(&self, item: C) -> Option<&str> {
        Texts::hint(self, item.key())
    }
}

/// A combo box over all alternatives of a choice.
pub fn choice_combo<C: Choice>(ui: &mut Ui, texts: &Texts, label: &RowLabel<'_>, value: &mut C) {
    item_combo(ui, label, value, C::ALL, texts);
}

/// A combo box over some alternatives; the one in use is shown even if it is not among them.
pub fn item_combo<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &RowLabel<'_>,
    value: &mut T,
    items: &[T],
    names: &impl Named<T>,
) {
    let combo = ComboBox::from_id_salt("choice")
        .selected_text(names.name(*value).into_owned())
        .width(ui.available_width())
        .height(360.0)
        .truncate();
    let shown = combo.show_ui(ui, |ui| {
        for &item in items {
            let row = ui.selectable_label(*value == item, names.name(item).into_owned());
            show_hint(&row, names.hint(item));
            if row.clicked() {
                *value = item;
            }
        }
    });
    label.describe(&shown.response);
}

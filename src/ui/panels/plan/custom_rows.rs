//! Rows of the editors of one's own card and model: labelled by text keys instead of fields.

use std::{borrow::Cow, ops::RangeInclusive};

use egui::{Align2, Checkbox, TextEdit, Ui};

use super::rows::{Decimals, number, optional_number};
use crate::{
    text::Texts,
    ui::{
        theme::{SMALL_TEXT_POINTS, bold},
        widgets::{
            choice_combo::{Named, item_combo},
            field_row::{
                RowLabel, RowText, field_row, show_hint, trailing_link, unit_text, unlabelled_row,
            },
            size_slider::count_field,
        },
    },
};

/// The link at the end of a row that makes a catalogue entry one's own, or takes that back.
pub fn customise_link(ui: &mut Ui, texts: &Texts, key: &'static str, is_own: bool) -> bool {
    if is_own {
        let name = texts.get("plan-back-to-catalogue");
        trailing_link(ui, &texts.get("plan-back"), &name, None).clicked()
    } else {
        trailing_link(ui, &texts.get("plan-customise"), &texts.get(key), texts.hint(key)).clicked()
    }
}

/// An editor's place and words.
pub struct Editor<'u, 't> {
    /// Where.
    pub ui: &'u mut Ui,
    /// The words.
    pub texts: &'t Texts,
}

impl Editor<'_, '_> {
    /// A small heading inside an editor.
    pub fn heading(&mut self, key: &'static str) {
        self.ui.add_space(3.0);
        let text = bold(self.ui, self.texts.get(key)).size(SMALL_TEXT_POINTS);
        self.ui.label(text);
    }

    /// One line of text.
    pub fn text(&mut self, key: &'static str, value: &mut String) {
        self.row(key, "", |ui, _, label| {
            let field = TextEdit::singleline(value)
                .align(Align2::LEFT_CENTER)
                .desired_width(ui.available_width());
            label.describe(&ui.add(field));
        });
    }

    /// A whole number.
    pub fn count(
        &mut self,
        key: &'static str,
        unit_key: &'static str,
        value: &mut u32,
        range: RangeInclusive<u32>,
    ) {
        self.row(key, unit_key, |ui, _, label| count_field(ui, label, value, range));
    }

    /// A number with decimals.
    pub fn number(
        &mut self,
        key: &'static str,
        unit_key: &'static str,
        value: &mut f64,
        how: &Decimals,
    ) {
        self.row(key, unit_key, |ui, _, label| number(ui, label, value, how));
    }

    /// A number that may be absent.
    pub fn optional(
        &mut self,
        key: &'static str,
        unit_key: &'static str,
        value: &mut Option<f64>,
        how: &Decimals,
    ) {
        self.row(key, unit_key, |ui, texts, label| {
            optional_number(ui, label, value, how, &texts.get("plan-none"));
        });
    }

    /// Yes or no.
    pub fn check(&mut self, key: &'static str, value: &mut bool) {
        let texts = self.texts;
        unlabelled_row(self.ui, |ui| {
            let response = ui.add(Checkbox::new(value, texts.get(key).into_owned()));
            show_hint(&response, texts.hint(key));
        });
    }

    /// Several alternatives, each with the key of its name.
    pub fn pick<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        value: &mut T,
        names: &[(T, &'static str)],
    ) {
        self.row(key, "", |ui, texts, label| {
            let mut index = names.iter().position(|(item, _)| item == value).unwrap_or(0);
            let all: Vec<usize> = (0..names.len()).collect();
            let keys: Vec<&'static str> = names.iter().map(|(_, name)| *name).collect();
            let before = index;
            item_combo(ui, label, &mut index, &all, &KeyNames { texts, keys: &keys });
            if index != before
                && let Some((item, _)) = names.get(index)
            {
                *value = *item;
            }
        });
    }

    /// Any other row.
    pub fn row(
        &mut self,
        key: &'static str,
        unit_key: &'static str,
        control: impl FnOnce(&mut Ui, &Texts, &RowLabel<'_>),
    ) {
        let texts = self.texts;
        self.ui.push_id(key, |ui| {
            let control = |ui: &mut Ui, label: &RowLabel<'_>| control(ui, texts, label);
            let name = texts.get(key);
            let text = RowText { name: &name, hint: texts.hint(key), trouble: None };
            field_row(ui, text, control, |ui| {
                if !unit_key.is_empty() {
                    unit_text(ui, &texts.get(unit_key));
                }
            });
        });
    }
}

struct KeyNames<'a> {
    texts: &'a Texts,
    keys: &'a [&'static str],
}

impl Named<usize> for KeyNames<'_> {
    fn name(&self, item: usize) -> Cow<'_, str> {
        self.keys.get(item).map_or(Cow::Borrowed(""), |key| self.texts.get(key))
    }

    fn hint(&self, item: usize) -> Option<&str> {
        self.keys.get(item).and_then(|key| self.texts.hint(key))
    }
}

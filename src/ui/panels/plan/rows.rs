//! The kinds of rows that groups are made of. The same list of rows is drawn, or only counted.

use std::{borrow::Cow, ops::RangeInclusive};

use egui::{Checkbox, DragValue, Id, RichText, Ui};

use super::form::Form;
use crate::{
    catalogue::Dtype,
    plan::{Choice, Field, Plan},
    text::Texts,
    ui::widgets::{
        choice_combo::{Named, choice_combo, item_combo},
        field_row::{RowLabel, RowText, fact_row, field_row, show_hint, unit_text, unlabelled_row},
        issue_list::{issue_lines_at, severity_color},
        segmented::segmented,
        size_slider::{SizeRange, count_field, drag_speed, number_box, size_slider},
    },
    units::grouped,
};

/// Which rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Every row.
    All,
    /// Rows with an error or a warning that is not said elsewhere.
    Troubled,
    /// None: rows are only counted.
    Nothing,
}

/// How many rows there are, and how many of them are not at their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows.
    pub rows: usize,
    /// Rows whose value is not the default.
    pub changed: usize,
}

/// Draws rows one after the other.
pub struct Rows<'r, 'a> {
    /// Where.
    pub ui: &'r mut Ui,
    /// What is edited.
    pub form: &'r mut Form<'a>,
    /// Rows so far.
    pub tally: Tally,
    draw: Draw,
}

impl<'r, 'a> Rows<'r, 'a> {
    /// No rows yet.
    pub fn new(ui: &'r mut Ui, form: &'r mut Form<'a>, draw: Draw) -> Self {
        Self { ui, form, tally: Tally::default(), draw }
    }

    /// Several alternatives behind a button. Returns whether the person chose another.
    pub fn choice<C: Choice>(&mut self, field: Field, get: fn(&mut Plan) -> &mut C) -> bool {
        self.row(field, "", get, |ui, texts, label, value| choice_combo(ui, texts, label, value))
    }

    /// A few alternatives side by side. Returns whether the person chose another.
    pub fn segments<C: Choice>(&mut self, field: Field, get: fn(&mut Plan) -> &mut C) -> bool {
        self.row(field, "", get, |ui, texts, _, value| segmented(ui, texts, value))
    }

    /// A number format out of some.
    pub fn dtype(&mut self, field: Field, items: &[Dtype], get: fn(&mut Plan) -> &mut Dtype) {
        self.row(field, "", get, |ui, _, label, value| {
            item_combo(ui, label, value, items, &DtypeNames);
        });
    }

    /// A number format, or the text of a key for "none".
    pub fn optional_dtype(
        &mut self,
        field: Field,
        items: &[Option<Dtype>],
        none_key: &'static str,
        get: fn(&mut Plan) -> &mut Option<Dtype>,
    ) {
        self.row(field, "", get, |ui, texts, label, value| {
            item_combo(ui, label, value, items, &OptionalDtypeNames(texts.get(none_key)));
        });
    }

    /// A size with a slider.
    pub fn size(
        &mut self,
        field: Field,
        unit_key: &'static str,
        range: &SizeRange,
        get: fn(&mut Plan) -> &mut u32,
    ) {
        self.row(field, unit_key, get, |ui, _, label, value| size_slider(ui, label, value, range));
    }

    /// A whole number without a slider.
    pub fn count(
        &mut self,
        field: Field,
        unit_key: &'static str,
        range: RangeInclusive<u32>,
        get: fn(&mut Plan) -> &mut u32,
    ) {
        self.row(field, unit_key, get, |ui, _, label, value| count_field(ui, label, value, range));
    }

    /// A whole number that may be absent; zero or the text of a key stands for that.
    pub fn optional_count(
        &mut self,
        field: Field,
        unit_key: &'static str,
        none_key: &'static str,
        get: fn(&mut Plan) -> &mut Option<u32>,
    ) {
        self.row(field, unit_key, get, |ui, texts, label, value| {
            let mut number = value.map(f64::from);
            optional_number(ui, label, &mut number, &Decimals::WHOLE, &texts.get(none_key));
            *value = number.map(to_u32);
        });
    }

    /// A number with decimals.
    pub fn number(
        &mut self,
        field: Field,
        unit_key: &'static str,
        range: RangeInclusive<f64>,
        decimals: usize,
        get: fn(&mut Plan) -> &mut f64,
    ) {
        self.row(field, unit_key, get, |ui, _, label, value| {
            number(ui, label, value, &Decimals { decimals, range });
        });
    }

    /// Yes or no; the box carries its own text.
    pub fn check(&mut self, field: Field, get: fn(&mut Plan) -> &mut bool) {
        if self.passes_over(field, get) {
            return;
        }
        let texts = self.form.texts;
        let trouble = self.form.worst_at(field);
        let value = get(&mut self.form.plan);
        let changed = unlabelled_row(self.ui, |ui| {
            let mut text = RichText::new(texts.get(field.key()));
            if let Some(severity) = trouble {
                text = text.color(severity_color(ui, severity));
            }
            let response = ui.add(Checkbox::new(value, text));
            show_hint(&response, texts.hint(field.key()));
            response.changed()
        });
        self.end(field, changed);
    }

    /// Any other row. Returns whether the value was changed.
    pub fn row<T: Clone + PartialEq>(
        &mut self,
        field: Field,
        unit_key: &'static str,
        get: fn(&mut Plan) -> &mut T,
        control: impl FnOnce(&mut Ui, &Texts, &RowLabel<'_>, &mut T),
    ) -> bool {
        self.row_with(field, get, control, |ui, texts| {
            if !unit_key.is_empty() {
                unit_text(ui, &texts.get(unit_key));
            }
        })
    }

    /// A row with something else than a unit at its end. Returns whether the value was changed.
    pub fn row_with<T: Clone + PartialEq>(
        &mut self,
        field: Field,
        get: fn(&mut Plan) -> &mut T,
        control: impl FnOnce(&mut Ui, &Texts, &RowLabel<'_>, &mut T),
        trailing: impl FnOnce(&mut Ui, &Texts),
    ) -> bool {
        if self.passes_over(field, get) {
            return false;
        }
        let texts = self.form.texts;
        let trouble = self.form.worst_at(field);
        let value = get(&mut self.form.plan);
        let before = value.clone();
        let name = texts.get(field.key());
        let text = RowText { name: &name, hint: texts.hint(field.key()), trouble };
        self.ui.push_id(field.key(), |ui| {
            let control = |ui: &mut Ui, label: &RowLabel<'_>| control(ui, texts, label, value);
            field_row(ui, text, control, |ui| trailing(ui, texts));
        });
        let changed = *value != before;
        self.end(field, changed);
        changed
    }

    /// A line of figures under the rows so far.
    pub fn fact(&mut self, text: impl FnOnce(&Form<'_>) -> Option<String>) {
        if self.draw == Draw::All
            && let Some(text) = text(self.form)
        {
            fact_row(self.ui, &text);
        }
    }

    /// Issues of fields that stand elsewhere, out of sight.
    pub fn issues_of(&mut self, fields: &[Field]) {
        for &field in fields {
            if self.draw != Draw::Nothing {
                self.form.mark_shown(field);
                issue_lines_at(self.ui, self.form.texts, field, self.form.issues_at(field));
            }
        }
    }

    /// Anything else that belongs between the rows.
    pub fn extra(&mut self, add: impl FnOnce(&mut Ui, &mut Form<'a>)) {
        if self.draw == Draw::All {
            add(self.ui, self.form);
        }
    }

    /// Counts a row; true if it is not to be drawn.
    fn passes_over<T: PartialEq>(&mut self, field: Field, get: fn(&mut Plan) -> &mut T) -> bool {
        self.tally.rows += 1;
        let is_default = get(&mut self.form.plan) == get(&mut self.form.defaults);
        self.tally.changed += usize::from(!is_default);
        match self.draw {
            Draw::All => false,
            Draw::Troubled => !self.shows_trouble(field),
            Draw::Nothing => true,
        }
    }

    /// A folded row is shown because something is wrong with it. During a drag, rows neither come nor go.
    fn shows_trouble(&self, field: Field) -> bool {
        let id = Id::unique(("folded row", field.key()));
        if self.ui.input(|input| input.pointer.any_down()) {
            return self.ui.data(|data| data.get_temp(id)).unwrap_or(false);
        }
        let shows = self.form.must_show(field);
        self.ui.data_mut(|data| data.insert_temp(id, shows));
        shows
    }

    /// What follows every row: its issues.
    fn end(&mut self, field: Field, changed: bool) {
        if changed {
            self.form.touch(field);
        }
        self.form.mark_shown(field);
        issue_lines_at(self.ui, self.form.texts, field, self.form.issues_at(field));
    }
}

/// How a number is printed and what can be typed.
pub struct Decimals {
    /// Digits behind the point, at most.
    pub decimals: usize,
    /// What can be typed.
    pub range: RangeInclusive<f64>,
}

impl Decimals {
    /// Whole numbers from zero to a million.
    pub const WHOLE: Self = Self { decimals: 0, range: 0.0..=1_000_000.0 };

    /// From zero, with so many decimals.
    pub const fn up_to(end: f64, decimals: usize) -> Self {
        Self { decimals, range: 0.0..=end }
    }
}

/// A number that is dragged or typed.
pub fn number(ui: &mut Ui, label: &RowLabel<'_>, value: &mut f64, how: &Decimals) {
    let decimals = how.decimals;
    let speed = drag_speed(ui, *value, key_step(decimals));
    let field = DragValue::new(value)
        .range(how.range.clone())
        .clamp_existing_to_range(false)
        .speed(speed)
        .custom_formatter(move |value, _| trimmed(value, decimals))
        .custom_parser(parse_number)
        .max_decimals(decimals)
        .update_while_editing(false);
    number_box(ui, label, field);
}

/// The same, where zero means "none" and shows a text.
pub fn optional_number(
    ui: &mut Ui,
    label: &RowLabel<'_>,
    value: &mut Option<f64>,
    how: &Decimals,
    none_text: &str,
) {
    let mut shown = value.unwrap_or(0.0);
    let decimals = how.decimals;
    let speed = drag_speed(ui, shown, key_step(decimals));
    let field = DragValue::new(&mut shown)
        .range(how.range.clone())
        .clamp_existing_to_range(false)
        .speed(speed)
        .custom_formatter(move |value, _| {
            if value == 0.0 { none_text.to_owned() } else { trimmed(value, decimals) }
        })
        .custom_parser(|text| Some(parse_number(text).unwrap_or(0.0)))
        .max_decimals(decimals)
        .update_while_editing(false);
    number_box(ui, label, field);
    *value = (shown > 0.0).then_some(shown);
}

/// What one press of an arrow key adds.
fn key_step(decimals: usize) -> f64 {
    if decimals == 0 { 1.0 } else { 0.1 }
}

/// A number without needless zeros behind the point.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = grouped(value, decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Reads a number with commas or a decimal suffix: `1.5`, `3,350`, `15T`.
pub fn parse_number(text: &str) -> Option<f64> {
    let text: String =
        text.chars().filter(|sign| !sign.is_whitespace() && !matches!(sign, ',' | '_')).collect();
    let scale = match text.chars().next_back()?.to_ascii_lowercase() {
        'k' => 1e3,
        'm' => 1e6,
        'b' | 'g' => 1e9,
        't' => 1e12,
        _ => 1.0,
    };
    let digits = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    digits.parse::<f64>().ok().map(|value| value * scale).filter(|value| value.is_finite())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to integer casts saturate, which is what is wanted here"
)]
pub fn to_u32(value: f64) -> u32 {
    value.round() as u32
}

struct DtypeNames;

impl Named<Dtype> for DtypeNames {
    fn name(&self, item: Dtype) -> Cow<'_, str> {
        Cow::Borrowed(item.name())
    }

    fn hint(&self, _item: Dtype) -> Option<&str> {
        None
    }
}

struct OptionalDtypeNames<'a>(Cow<'a, str>);

impl Named<Option<Dtype>> for OptionalDtypeNames<'_> {
    fn name(&self, item: Option<Dtype>) -> Cow<'_, str> {
        item.map_or(Cow::Borrowed(self.0.as_ref()), |dtype| Cow::Borrowed(dtype.name()))
    }

    fn hint(&self, _item: Option<Dtype>) -> Option<&str> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_and_printed_as_people_write_them() {
        assert_eq!(parse_number("15T"), Some(15e12), "trillions of tokens");
        assert_eq!(parse_number("3,350"), Some(3350.0), "commas");
        assert_eq!(parse_number("none"), None, "words are not numbers");
        assert_eq!(trimmed(1.50, 2), "1.5", "no needless zeros");
        assert_eq!(trimmed(400.0, 1), "400", "no needless point");
    }
}

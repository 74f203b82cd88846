//! A size: a slider over useful powers of two, and a number that takes any value.

use std::ops::RangeInclusive;

use egui::{DragValue, Key, Slider, SliderClamping, Ui, vec2};

use super::field_row::RowLabel;
use crate::units::grouped;

/// Width of the number beside a slider, points: seven digits with their commas.
pub const NUMBER_WIDTH: f32 = 72.0;

/// Height of a slider, points: its handle is a little smaller.
const SLIDER_HEIGHT: f32 = 14.0;

/// How far the slider goes, and what can be typed.
#[derive(Clone, Debug)]
pub struct SizeRange {
    /// Ends of the slider, powers of two.
    pub slider: RangeInclusive<u32>,
    /// What a person may type; values from files are shown as they are.
    pub typed: RangeInclusive<u32>,
}

impl SizeRange {
    /// From 1 to the end of the slider; up to `typed` by keyboard.
    #[must_use]
    pub const fn up_to(slider: u32, typed: u32) -> Self {
        Self { slider: 1..=slider, typed: 1..=typed }
    }
}

/// Slider and number for a whole size.
///
/// The slider stops at powers of two only; it never pulls a value from a file into its range.
pub fn size_slider(ui: &mut Ui, label: &RowLabel<'_>, value: &mut u32, range: &SizeRange) {
    let number_space = NUMBER_WIDTH + ui.spacing().item_spacing.x;
    ui.spacing_mut().slider_width = (ui.available_width() - number_space).max(40.0);
    let by_pointer = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    let ends = f64::from(*range.slider.start())..=f64::from(*range.slider.end());
    let slider = Slider::from_get_set(ends, |wanted| {
        if let Some(wanted) = wanted {
            *value = stepped(*value, wanted, &range.slider, by_pointer);
        }
        f64::from(*value)
    });
    let slider = slider
        .logarithmic(true)
        .smallest_positive(1.0)
        .smart_aim(false)
        .clamping(SliderClamping::Never)
        .show_value(false);
    ui.scope(|ui| {
        // Otherwise the handle would be as tall as the row.
        ui.spacing_mut().interact_size.y = SLIDER_HEIGHT;
        label.describe(&ui.add(slider));
    });
    count_field(ui, label, value, range.typed.clone());
}

/// A whole number that is dragged or typed; `8k` means 8,192.
pub fn count_field(ui: &mut Ui, label: &RowLabel<'_>, value: &mut u32, typed: RangeInclusive<u32>) {
    let speed = drag_speed(ui, f64::from(*value), 1.0);
    let field = DragValue::new(value)
        .range(typed)
        .clamp_existing_to_range(false)
        .speed(speed)
        .custom_formatter(|value, _| grouped(value, 0))
        .custom_parser(parse_count)
        .update_while_editing(false);
    number_box(ui, label, field);
}

/// Puts a number at the right end of the control column, where those beside sliders stand as well.
pub fn number_box(ui: &mut Ui, label: &RowLabel<'_>, field: DragValue<'_>) {
    let space = ui.available_width() - NUMBER_WIDTH;
    if space > 1.0 {
        ui.add_space(space);
    }
    let size = vec2(NUMBER_WIDTH, ui.spacing().interact_size.y);
    label.describe(&ui.add_sized(size, field));
}

/// Speed at which a number follows the pointer: one per cent of it a point. Arrow keys move it by `key_step`.
#[must_use]
pub fn drag_speed(ui: &Ui, value: f64, key_step: f64) -> f64 {
    let by_key =
        ui.input(|input| input.num_presses(Key::ArrowUp) + input.num_presses(Key::ArrowDown) > 0);
    if by_key { key_step } else { (value.abs() / 100.0).max(key_step / 20.0) }
}

/// The step nearest to where the slider was moved; a key always moves by at least one step.
fn stepped(current: u32, wanted: f64, ends: &RangeInclusive<u32>, by_pointer: bool) -> u32 {
    let nearest = nearest_power_of_two(wanted).clamp(*ends.start(), *ends.end());
    let now = f64::from(current);
    if by_pointer || (wanted > now && nearest > current) || (wanted < now && nearest < current) {
        nearest
    } else if wanted > now {
        current.saturating_add(1).checked_next_power_of_two().unwrap_or(u32::MAX).min(*ends.end())
    } else if wanted < now {
        previous_power_of_two(current).max(*ends.start())
    } else {
        current
    }
}

/// The largest power of two below a value, at least 1.
fn previous_power_of_two(value: u32) -> u32 {
    match value.saturating_sub(1) {
        0 => 1,
        below => 1 << below.ilog2(),
    }
}

/// The power of two nearest to a value on a logarithmic scale.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the exponent is between 0 and 31"
)]
fn nearest_power_of_two(value: f64) -> u32 {
    1_u32 << (value.max(1.0).log2().round().clamp(0.0, 31.0) as u32)
}

/// Reads a count with commas, spaces or a binary suffix: `8,192`, `8k`, `1M`.
#[must_use]
pub fn parse_count(text: &str) -> Option<f64> {
    let text: String =
        text.chars().filter(|sign| !sign.is_whitespace() && !matches!(sign, ',' | '_')).collect();
    let (digits, scale) = match text.chars().next_back()?.to_ascii_lowercase() {
        'k' => (text.get(..text.len() - 1)?, 1024.0),
        'm' => (text.get(..text.len() - 1)?, 1024.0 * 1024.0),
        _ => (text.as_str(), 1.0),
    };
    digits.parse::<f64>().ok().map(|value| value * scale).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: RangeInclusive<u32> = 1..=1024;

    #[test]
    fn a_key_moves_by_one_power_of_two_from_any_value() {
        assert_eq!(stepped(8, 8.1, &ENDS, false), 16, "up from a step");
        assert_eq!(stepped(8, 7.9, &ENDS, false), 4, "down from a step");
        assert_eq!(stepped(9, 9.1, &ENDS, false), 16, "up from between");
        assert_eq!(stepped(9, 8.9, &ENDS, false), 8, "down from between");
        assert_eq!(stepped(1, 0.9, &ENDS, false), 1, "not below the start");
        assert_eq!(stepped(1024, 1030.0, &ENDS, false), 1024, "not above the end");
    }

    #[test]
    fn the_pointer_goes_to_the_nearest_step() {
        assert_eq!(stepped(8, 8.5, &ENDS, true), 8, "near the step it stays");
        assert_eq!(stepped(8, 13.0, &ENDS, true), 16, "nearer to the next");
        assert_eq!(stepped(8, 500.0, &ENDS, true), 512, "a jump");
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        assert_eq!(parse_count("8,192"), Some(8192.0), "comma");
        assert_eq!(parse_count("128k"), Some(131_072.0), "binary thousand");
        assert_eq!(parse_count(" 1 M "), Some(1_048_576.0), "binary million");
        assert_eq!(parse_count("many"), None, "no number");
        assert_eq!(parse_count(""), None, "nothing");
    }
}

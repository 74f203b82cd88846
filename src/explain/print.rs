//! Terms in print: values with their units, and the equation with the numbers put in.
//!
//! Tooltip, table, report and command line all print through here, so that they say the same.

use std::fmt;

use super::{Quantity, Term};
use crate::units::{energy, grouped, money, short_count};

/// Printed with its unit; the same in every language.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bytes(bytes) => write!(f, "{bytes}"),
            Self::Count(count) => write!(f, "{}", grouped(count as f64, 0)),
            Self::Number(number) => write!(f, "{}", plain_number(number)),
            Self::Fraction(fraction) => write!(f, "{} %", trimmed(fraction * 100.0, 1)),
            Self::BytesEach(bytes) => write!(f, "{} B", plain_number(bytes)),
            Self::Secs(secs) => write!(f, "{secs}"),
            Self::Flops(flops) => write!(f, "{} FLOP", scientific(flops.0)),
            Self::FlopsPerSec(rate) => write!(f, "{rate}"),
            Self::BytesPerSec(rate) => write!(f, "{rate}"),
            Self::TokensPerSec(rate) => write!(f, "{} tokens/s", tokens_per_sec(rate)),
            Self::Watts(watts) => write!(f, "{} W", grouped(watts, 0)),
            Self::KilowattHours(kilowatt_hours) => f.write_str(&energy(kilowatt_hours)),
            Self::Usd(amount) => write!(f, "{} USD", money(amount)),
        }
    }
}

/// A rate of tokens as people read it: `742`, `12,345`, `190 k`.
#[must_use]
pub fn tokens_per_sec(rate: f64) -> String {
    if rate >= 100_000.0 {
        short_count(rate)
    } else if rate >= 100.0 {
        grouped(rate, 0)
    } else {
        grouped(rate, 1)
    }
}

/// Up to four decimals for small numbers, none for large ones, and no trailing zeros.
fn plain_number(number: f64) -> String {
    match number.abs() {
        1e15.. => scientific(number),
        1000.0.. => grouped(number, 0),
        10.0.. => trimmed(number, 2),
        _ => trimmed(number, 4),
    }
}

/// So many decimals at most.
fn trimmed(number: f64, decimals: usize) -> String {
    let text = grouped(number, decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Mantissa and power of ten, `3.2e15`.
fn scientific(number: f64) -> String {
    if number.abs() < 1e6 { grouped(number, 0) } else { format!("{number:.2e}") }
}

impl Quantity {
    /// The bare number in its base unit, to compare quantities of one kind.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        match self {
            Self::Bytes(bytes) => bytes.as_f64(),
            Self::Count(count) => count as f64,
            Self::Number(number)
            | Self::Fraction(number)
            | Self::BytesEach(number)
            | Self::TokensPerSec(number)
            | Self::Watts(number)
            | Self::KilowattHours(number)
            | Self::Usd(number) => number,
            Self::Secs(secs) => secs.0,
            Self::Flops(flops) => flops.0,
            Self::FlopsPerSec(rate) => rate.0,
            Self::BytesPerSec(rate) => rate.0,
        }
    }
}

impl Term {
    /// The right side of the equation with the numbers put in: `2 B × 8,030,261,248 / 8`.
    ///
    /// A symbol is replaced where a run of letters is its name, or is made of names of symbols alone
    /// (`2as` is two times `a` times `s`); words such as `min` stay as they are.
    #[must_use]
    pub fn in_numbers(&self) -> String {
        let right_side = self.equation.split_once(" = ").map_or(self.equation, |(_, right)| right);
        let mut text = String::with_capacity(right_side.len() * 3);
        let mut rest = right_side;
        while let Some(first) = rest.chars().next() {
            if first.is_alphabetic() {
                let end = rest.find(|letter| !is_part_of_name(letter)).unwrap_or(rest.len());
                let (word, tail) = rest.split_at(end);
                self.put_in_word(word, &mut text);
                rest = tail;
            } else {
                match first {
                    '·' => text.push_str(" × "),
                    _ => text.push(first),
                }
                rest = rest.get(first.len_utf8()..).unwrap_or_default();
            }
        }
        without_division_by_one(&text)
    }

    /// The value of a symbol, if it was put in.
    fn value_of(&self, name: &str) -> Option<Quantity> {
        self.inputs.iter().find(|(symbol, _)| symbol.text == name).map(|(_, value)| *value)
    }

    fn put_in_word(&self, word: &str, text: &mut String) {
        if let Some(value) = self.value_of(word) {
            put_in(value, text);
            return;
        }
        let values: Option<Vec<Quantity>> =
            names_in(word).map(|name| self.value_of(name)).collect();
        match values {
            Some(values) if !is_function(word) => {
                for value in values {
                    put_in(value, text);
                }
            }
            _ => text.push_str(word),
        }
    }
}

/// Letters and the subscripts that belong to them; `τ_host` is one name.
fn is_part_of_name(letter: char) -> bool {
    letter.is_alphabetic() || is_subscript(letter) || letter == '_'
}

fn is_subscript(letter: char) -> bool {
    matches!(letter, '₀'..='₉')
}

/// The single letters of a word, each with its subscripts.
fn names_in(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?.len_utf8();
        let tail = rest.get(first..).unwrap_or_default();
        let subscripts = tail.find(|letter| !is_subscript(letter)).unwrap_or(tail.len());
        let (name, after) = rest.split_at(first + subscripts);
        rest = after;
        Some(name)
    })
}

/// Words of the equations that are not products of symbols, even where their letters are symbols.
fn is_function(word: &str) -> bool {
    matches!(word, "min" | "max" | "ceil" | "floor" | "log" | "sum" | "round")
}

/// A number that touches what stands before it is a factor of it.
fn put_in(value: Quantity, text: &mut String) {
    if text
        .chars()
        .next_back()
        .is_some_and(|last| last.is_alphanumeric() || last == '%' || last == ')')
    {
        text.push_str(" × ");
    }
    text.push_str(&value.to_string());
}

/// Dividing by one rank says nothing.
fn without_division_by_one(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" / 1") {
        kept.push_str(before);
        if after.starts_with(|next: char| next.is_ascii_digit() || matches!(next, ',' | '.' | 'e'))
        {
            kept.push_str(" / 1");
        }
        rest = after;
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::super::{Source, Symbol, symbol};
    use super::*;
    use crate::units::Bytes;

    fn term(equation: &'static str, inputs: Vec<(Symbol, Quantity)>) -> Term {
        Term {
            label: "term",
            equation,
            inputs,
            result: Quantity::Bytes(Bytes(0)),
            source: Source(""),
        }
    }

    #[test]
    fn symbols_give_way_to_numbers() {
        let term = term(
            "β·P/N",
            vec![
                (symbol::BYTES_EACH, Quantity::BytesEach(2.0)),
                (symbol::PARAMS, Quantity::Count(8_030_261_248)),
                (symbol::SHARDS, Quantity::Count(8)),
            ],
        );
        assert_eq!(term.in_numbers(), "2 B × 8,030,261,248/8", "every symbol is replaced");
    }

    #[test]
    fn letters_side_by_side_are_factors() {
        let term = term(
            "T·(16h + 2as)",
            vec![
                (symbol::TOKENS, Quantity::Count(2048)),
                (symbol::HIDDEN, Quantity::Count(4096)),
                (symbol::HEADS, Quantity::Count(32)),
                (symbol::SEQUENCE, Quantity::Count(1024)),
            ],
        );
        assert_eq!(
            term.in_numbers(),
            "2,048 × (16 × 4,096 + 2 × 32 × 1,024)",
            "factors are separated"
        );
    }

    #[test]
    fn dividing_by_one_is_left_out() {
        let by = |ranks| {
            let term = term(
                "P / N",
                vec![
                    (symbol::PARAMS, Quantity::Count(7)),
                    (symbol::SHARDS, Quantity::Count(ranks)),
                ],
            );
            term.in_numbers()
        };
        assert_eq!(by(1), "7", "one rank divides nothing");
        assert_eq!(by(16), "7 / 16", "sixteen do");
    }

    #[test]
    fn words_stay_words() {
        let term = term(
            "min(p, n)",
            vec![(symbol::STAGES, Quantity::Count(4)), (symbol::COUNT, Quantity::Count(8))],
        );
        assert_eq!(term.in_numbers(), "min(4, 8)", "functions are not products");
    }

    #[test]
    fn subscripts_belong_to_their_letter_and_the_left_side_is_left_out() {
        let term = term(
            "M = 544 MiB·n_pair + P_o",
            vec![
                (symbol::PAIRS, Quantity::Count(2)),
                (symbol::SIZE, Quantity::Bytes(Bytes(7))),
                (symbol::UNQUANTISED, Quantity::Count(3)),
            ],
        );
        assert_eq!(
            term.in_numbers(),
            "544 MiB × 2 + 3",
            "units stay, subscripts go with their letter"
        );
    }

    #[test]
    fn values_print_with_their_units_and_without_noise() {
        assert_eq!(Quantity::Fraction(0.945).to_string(), "94.5 %", "fractions in per cent");
        assert_eq!(Quantity::BytesEach(0.5625).to_string(), "0.5625 B", "odd bytes stay exact");
        assert_eq!(Quantity::Number(3.0).to_string(), "3", "no trailing zeros");
        assert_eq!(Quantity::TokensPerSec(742.4).to_string(), "742 tokens/s", "rates are rounded");
    }
}

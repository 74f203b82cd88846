//! Money and energy in print.

use super::{grouped, short_amount, three_digits};

/// Money: cents below ten, short above: `0.42`, `3.18`, `12,500`, `1.20 M`.
#[must_use]
pub fn money(amount: f64) -> String {
    if amount > 0.0 && amount < 0.005 {
        "<0.01".to_owned()
    } else if amount < 9.995 {
        grouped(amount, 2)
    } else {
        short_amount(amount)
    }
}

/// Energy with the unit that suits its size: `40.5 Wh`, `3.04 kWh`, `84.7 MWh`, `5.22 GWh`.
#[must_use]
pub fn energy(kilowatt_hours: f64) -> String {
    match kilowatt_hours {
        999_500.0.. => format!("{} GWh", three_digits(kilowatt_hours / 1e6)),
        999.5.. => format!("{} MWh", three_digits(kilowatt_hours / 1e3)),
        ..0.9995 => format!("{} Wh", three_digits(kilowatt_hours * 1e3)),
        _ => format!("{} kWh", three_digits(kilowatt_hours)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_cents_as_long_as_they_matter() {
        assert_eq!(money(0.001), "<0.01", "never zero");
        assert_eq!(money(0.42), "0.42", "a million tokens");
        assert_eq!(money(12_500.0), "12.5 k", "a fine-tuning");
    }

    #[test]
    fn energy_has_three_digits_and_its_unit() {
        assert_eq!(energy(0.0405), "40.5 Wh", "a million tokens");
        assert_eq!(energy(3.04), "3.04 kWh", "a card for a night");
        assert_eq!(energy(84_700.0), "84.7 MWh", "a node for months");
        assert_eq!(energy(5_220_000.0), "5.22 GWh", "a cluster");
    }
}

//! Quantities with their units: arithmetic that cannot mix them up, and one way to print each.
//!
//! Memory is binary (1 GiB = 2^30 bytes) and rates are decimal (1 GB/s = 10^9 bytes a second), as
//! the drivers and the data sheets have it.

mod amounts;

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul},
};

pub use self::amounts::{energy, money};
use serde::{Deserialize, Serialize};

/// Bytes in one GiB.
pub const GIB: u64 = 1 << 30;
/// Bytes in one MiB.
pub const MIB: u64 = 1 << 20;

/// An exact number of bytes. Sums and products saturate instead of wrapping.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// No bytes at all.
    pub const ZERO: Self = Self(0);

    /// So many MiB.
    #[must_use]
    pub const fn from_mib(mib: u64) -> Self {
        Self(mib.saturating_mul(MIB))
    }

    /// A fractional byte count, rounded to the nearest byte; negative and NaN count as zero.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "float to integer casts saturate, which is what is wanted here"
    )]
    pub fn from_f64(bytes: f64) -> Self {
        Self(bytes.round() as u64)
    }

    /// The same amount in GiB.
    #[must_use]
    pub fn gib(self) -> f64 {
        self.as_f64() / GIB as f64
    }

    /// The same amount as a float, for rates.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// The difference, or zero if `other` is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// In GiB with two decimals and without the unit, for columns: `5.75`, `0.00`, `<0.01`.
    #[must_use]
    pub fn gib_cell(self) -> String {
        let gib = self.gib();
        if self.0 > 0 && gib < 0.005 { "<0.01".to_owned() } else { grouped(gib, 2) }
    }

    /// The signed difference `self - other` in GiB.
    #[must_use]
    pub fn gib_above(self, other: Self) -> f64 {
        (self.as_f64() - other.as_f64()) / GIB as f64
    }

    /// `self` as a fraction of `whole`; 0 when `whole` is empty.
    #[must_use]
    pub fn share_of(self, whole: Self) -> f64 {
        if whole.0 == 0 { 0.0 } else { self.as_f64() / whole.as_f64() }
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for Bytes {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

/// Printed with the unit that suits the size: GiB from 1 GiB on, then MiB, KiB, B.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_f64();
        match self.0 {
            GIB.. => write!(f, "{} GiB", grouped(bytes / GIB as f64, 2)),
            MIB.. => write!(f, "{:.1} MiB", bytes / MIB as f64),
            1024.. => write!(f, "{:.1} KiB", bytes / 1024.0),
            _ => write!(f, "{} B", self.0),
        }
    }
}

/// `value · times / ways`, rounded up, without overflow in between; saturates at the end.
///
/// 64-bit arithmetic where it suffices: this is in the innermost loop of the memory engine.
#[must_use]
pub fn scaled(value: u64, times: u64, ways: u64) -> u64 {
    let ways = ways.max(1);
    match value.checked_mul(times) {
        Some(product) if ways == 1 => product,
        Some(product) => product.div_ceil(ways),
        None => {
            let product = u128::from(value) * u128::from(times);
            u64::try_from(product.div_ceil(u128::from(ways))).unwrap_or(u64::MAX)
        }
    }
}

macro_rules! rate {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub f64);

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, times: f64) -> Self {
                Self(self.0 * times)
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::default(), Add::add)
            }
        }
    };
}

rate!(
    /// Floating-point operations (one multiply-add counts as two).
    Flops
);
rate!(
    /// Floating-point operations per second.
    FlopsPerSec
);
rate!(
    /// Bytes per second.
    BytesPerSec
);
rate!(
    /// Seconds.
    Secs
);

impl FlopsPerSec {
    /// From TFLOPS, 10^12 operations a second.
    #[must_use]
    pub fn from_tera(tflops: f64) -> Self {
        Self(tflops * 1e12)
    }

    /// In TFLOPS.
    #[must_use]
    pub fn tera(self) -> f64 {
        self.0 / 1e12
    }
}

impl BytesPerSec {
    /// From GB/s, 10^9 bytes a second.
    #[must_use]
    pub fn from_giga(gigabytes_per_sec: f64) -> Self {
        Self(gigabytes_per_sec * 1e9)
    }

    /// In GB/s.
    #[must_use]
    pub fn giga(self) -> f64 {
        self.0 / 1e9
    }
}

impl fmt::Display for FlopsPerSec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} TFLOPS", grouped(self.tera(), usize::from(self.tera() < 100.0)))
    }
}

impl fmt::Display for BytesPerSec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} GB/s", grouped(self.giga(), usize::from(self.giga() < 100.0)))
    }
}

/// Printed with the unit that suits the size, from microseconds to days.
impl fmt::Display for Secs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0;
        if secs == 0.0 {
            write!(f, "0 s")
        } else if secs < 1e-3 {
            write!(f, "{:.1} µs", secs * 1e6)
        } else if secs < 1.0 {
            write!(f, "{:.1} ms", secs * 1e3)
        } else if secs < 120.0 {
            write!(f, "{secs:.2} s")
        } else if secs < 7200.0 {
            write!(f, "{:.1} min", secs / 60.0)
        } else if secs < 172_800.0 {
            write!(f, "{:.1} h", secs / 3600.0)
        } else {
            write!(f, "{} d", grouped(secs / 86_400.0, 1))
        }
    }
}

/// A number with so many decimals and a comma between groups of three digits.
#[must_use]
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{:.*}", decimals, value.abs());
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut text = String::with_capacity(plain.len() + 8);
    if value < 0.0 && plain.bytes().any(|digit| digit.is_ascii_digit() && digit != b'0') {
        text.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// A fraction in per cent, with a decimal below one per cent: `17 %`, `0.4 %`, `<0.1 %`.
#[must_use]
pub fn percent(fraction: f64) -> String {
    let per_cent = fraction * 100.0;
    if per_cent > 0.0 && per_cent < 0.05 {
        return "<0.1 %".to_owned();
    }
    let decimals = usize::from(per_cent.abs() < 0.95 && per_cent != 0.0);
    format!("{} %", grouped(per_cent, decimals))
}

/// A signed amount of memory in GiB: `+3.20`, `−12.00`, and `=` where two decimals show no difference.
#[must_use]
pub fn signed_gib(gib: f64) -> String {
    if gib.abs() < 0.005 {
        "=".to_owned()
    } else if gib > 0.0 {
        format!("+{}", grouped(gib, 2))
    } else {
        grouped(gib, 2)
    }
}

/// A count in words a person reads at a glance: 8.03 B, 70.6 B, 124 M, 132 k, 3,200.
#[must_use]
pub fn short_count(count: f64) -> String {
    // A number that rounds up to the next unit is printed in it: 1.00 B, not 1000 M.
    let magnitude = count.abs() * (1.0 + 0.5e-3);
    if magnitude >= 1e12 {
        format!("{} T", three_digits(count / 1e12))
    } else if magnitude >= 1e9 {
        format!("{} B", three_digits(count / 1e9))
    } else if magnitude >= 1e6 {
        format!("{} M", three_digits(count / 1e6))
    } else if magnitude >= 1e4 {
        format!("{} k", three_digits(count / 1e3))
    } else {
        grouped(count, 0)
    }
}

/// Three significant digits: 8.03, 70.6, 124, 5,220; no more than two decimals.
#[must_use]
pub fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    grouped(value, decimals)
}

/// Like [`short_count`], but with one decimal below ten: hours, money.
#[must_use]
pub fn short_amount(amount: f64) -> String {
    if amount > 0.0 && amount < 0.05 {
        "<0.1".to_owned()
    } else if amount < 9.95 && amount != 0.0 {
        grouped(amount, 1)
    } else {
        short_count(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_print_in_the_unit_that_suits_their_size() {
        assert_eq!(Bytes(512).to_string(), "512 B", "bytes stay bytes");
        assert_eq!(Bytes(3 * MIB / 2).to_string(), "1.5 MiB", "MiB below one GiB");
        assert_eq!(Bytes(1536 * GIB).to_string(), "1,536.00 GiB", "GiB with groups");
    }

    #[test]
    fn an_eighty_gb_card_is_less_than_eighty_gib() {
        let h100 = Bytes::from_mib(81_559);
        assert!(h100.gib() < 79.7, "the driver's MiB are the truth, not the label");
    }

    #[test]
    fn sums_saturate_instead_of_wrapping() {
        assert_eq!(Bytes(u64::MAX) + Bytes(1), Bytes(u64::MAX), "no wrap on addition");
        assert_eq!(Bytes(u64::MAX) * 3, Bytes(u64::MAX), "no wrap on multiplication");
    }

    #[test]
    fn counts_read_at_a_glance() {
        assert_eq!(short_count(8_030_261_248.0), "8.03 B", "billions");
        assert_eq!(short_count(70_553_706_496.0), "70.6 B", "three digits are enough");
        assert_eq!(short_count(999_960_000.0), "1.00 B", "rounded into the next unit");
        assert_eq!(short_count(132_400.0), "132 k", "thousands");
        assert_eq!(grouped(-1234.5, 1), "−1,234.5", "a real minus sign");
    }

    #[test]
    fn small_amounts_are_not_printed_as_nothing() {
        assert_eq!(short_amount(0.17), "0.2", "ten minutes in hours");
        assert_eq!(short_amount(0.01), "<0.1", "never zero");
        assert_eq!(short_amount(2_161_872.0), "2.16 M", "millions");
        assert_eq!(Bytes(MIB).gib_cell(), "<0.01", "a MiB in GiB");
        assert_eq!(Bytes(GIB / 100).gib_cell(), "0.01", "a hundredth");
        assert_eq!(Bytes::ZERO.gib_cell(), "0.00", "nothing at all");
    }
}

//! One call makes a number and its explanation; totals skip the explanation at no cost.

use super::{Explanation, Part, Parts};
use crate::{
    explain::{Quantity, Source, Symbol, Term},
    units::Bytes,
};

/// Receives contributions to the parts.
pub(super) trait Ledger {
    /// Adds `bytes` to `part`; `why` is called only by a ledger that keeps explanations.
    fn add(&mut self, part: Part, bytes: u64, why: impl FnOnce() -> Why);
}

/// An explanation without its result, which the ledger knows.
pub(super) struct Why {
    /// Text key: what this is.
    pub label: &'static str,
    /// The equation.
    pub equation: &'static str,
    /// What was put in.
    pub inputs: Vec<(Symbol, Quantity)>,
    /// Text key: where it comes from.
    pub source: &'static str,
}

/// Keeps sums only.
#[derive(Debug, Default)]
pub(super) struct Sums(pub Parts);

impl Ledger for Sums {
    fn add(&mut self, part: Part, bytes: u64, _why: impl FnOnce() -> Why) {
        self.0.add(part, Bytes(bytes));
    }
}

/// Keeps sums and explanations.
#[derive(Debug, Default)]
pub(super) struct Explained {
    pub parts: Parts,
    pub explanation: Explanation,
}

impl Ledger for Explained {
    fn add(&mut self, part: Part, bytes: u64, why: impl FnOnce() -> Why) {
        if bytes == 0 {
            return;
        }
        self.parts.add(part, Bytes(bytes));
        let Why { label, equation, inputs, source } = why();
        let result = Quantity::Bytes(Bytes(bytes));
        let term = Term { label, equation, inputs, result, source: Source(source) };
        self.explanation.terms.push((part, term));
    }
}

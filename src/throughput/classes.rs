//! Costs by class of operation.

use super::{answer::OperationClass, roofline::Cost};
use crate::plan::Choice as _;

/// Number of classes.
const CLASSES: usize = OperationClass::ALL.len();

/// A cost for every class of operation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassCosts([Cost; CLASSES]);

impl ClassCosts {
    /// The same with a cost added to one class.
    pub(super) fn with(mut self, class: OperationClass, cost: Cost) -> Self {
        if let Some(slot) = self.0.get_mut(class as usize) {
            *slot = *slot + cost;
        }
        self
    }

    /// Cost of one class.
    pub(super) fn of(&self, class: OperationClass) -> Cost {
        self.0.get(class as usize).copied().unwrap_or_default()
    }

    /// Cost of all classes.
    pub(super) fn sum(&self) -> Cost {
        self.0.iter().fold(Cost::default(), |sum, cost| sum + *cost)
    }

    /// Classes that take time.
    pub(super) fn by_class(&self) -> impl Iterator<Item = (OperationClass, Cost)> + '_ {
        let all = OperationClass::ALL.iter().copied().zip(self.0);
        all.filter(|(_, cost)| cost.secs() > 0.0)
    }

    /// Products of all kinds.
    pub(super) fn products(&self) -> Cost {
        self.of(OperationClass::Matmul)
            + self.of(OperationClass::Experts)
            + self.of(OperationClass::Adapters)
    }

    /// Each class so many times, by a rule.
    pub(super) fn scaled(mut self, times: impl Fn(OperationClass) -> f64) -> Self {
        for (&class, cost) in OperationClass::ALL.iter().zip(&mut self.0) {
            *cost = *cost * times(class);
        }
        self
    }
}

impl std::ops::Add for ClassCosts {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        for (cost, more) in self.0.iter_mut().zip(other.0) {
            *cost = *cost + more;
        }
        self
    }
}

impl std::ops::Mul<f64> for ClassCosts {
    type Output = Self;
    fn mul(mut self, times: f64) -> Self {
        for cost in &mut self.0 {
            *cost = *cost * times;
        }
        self
    }
}

//! One row of a saved-tensor table.

use crate::{memory::Part, plan::choices, units::scaled};

/// A tensor that one layer (or the head) keeps for backward, per token of the micro-batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedTensor {
    /// Text key of what it is.
    pub name: &'static str,
    /// Part of the bar it belongs to.
    pub part: Part,
    /// Shape in symbols.
    pub shape: &'static str,
    /// Elements per token.
    pub width: u64,
    /// Bytes of one element.
    pub bytes: u64,
    /// How many of them.
    pub copies: u64,
    /// Which parallel axis divides it, beyond context parallelism, which divides the tokens.
    pub split: Split,
}

choices! {
    /// Which parallel axis divides a saved tensor.
    pub enum Split {
        /// None: whole on every rank of the tensor-parallel group.
        #[default]
        Whole = "split-whole",
        /// The tensor-parallel group.
        Tensor = "split-tensor",
        /// The tensor-parallel group, if sequence parallelism is on.
        Sequence = "split-sequence",
    }
}

/// Degrees that [`Split`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisors {
    /// Tensor-parallel degree.
    pub tensor: u64,
    /// The same if sequence parallelism is on, else 1.
    pub sequence: u64,
    /// Tensor-parallel degree of the experts: how many shards of tokens their group takes together.
    pub expert: u64,
}

impl Divisors {
    /// Ranks that share a tensor of this split.
    #[must_use]
    pub const fn of(&self, split: Split) -> u64 {
        match split {
            Split::Whole => 1,
            Split::Tensor => self.tensor,
            Split::Sequence => self.sequence,
        }
    }
}

impl Split {
    /// Some parallel axis divides it.
    #[must_use]
    pub const fn divides(self) -> bool {
        !matches!(self, Self::Whole)
    }
}

impl SavedTensor {
    /// Bytes of one micro-batch on one rank.
    ///
    /// ```text
    /// M = T · width · bytes · copies / ranks
    /// ```
    #[must_use]
    pub fn bytes_on_rank(&self, tokens: u64, divisors: &Divisors) -> u64 {
        let per_token = self.width.saturating_mul(self.bytes).saturating_mul(self.copies);
        scaled(per_token, tokens, divisors.of(self.split))
    }
}

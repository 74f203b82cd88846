//! What fills the memory, in the order in which the bar stacks it.

use crate::{plan::choices, units::Bytes};

choices! {
    /// One coloured part of the bar.
    pub enum Part {
        /// Weights that live between steps.
        #[default]
        Parameters = "part-parameters",
        /// Gradients alive at the peak.
        Gradients = "part-gradients",
        /// Optimizer states.
        OptimizerState = "part-optimizer",
        /// fp32 copies of 16-bit parameters.
        MasterWeights = "part-master",
        /// Keys and values of served sequences.
        KvCache = "part-kv-cache",
        /// Saved for backward by attention.
        AttentionActivations = "part-attention",
        /// Saved for backward by the feed-forward blocks.
        MlpActivations = "part-mlp",
        /// Saved for backward by norms and the residual stream.
        NormActivations = "part-norms",
        /// Inputs of recomputed blocks.
        Checkpoints = "part-checkpoints",
        /// Logits, their gradient and what the loss keeps.
        LogitsAndLoss = "part-logits",
        /// Everything else that lives only for a moment.
        Temporaries = "part-temporaries",
        /// Gather and bucket buffers of the framework, and NCCL's.
        Communication = "part-communication",
        /// Held by the caching allocator beyond live tensors.
        AllocatorReserve = "part-reserve",
        /// CUDA context, kernels and library workspaces.
        Context = "part-context",
    }
}

/// Number of parts.
pub const PART_COUNT: usize = 14;

/// Bytes of every part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts([Bytes; PART_COUNT]);

impl Parts {
    /// Bytes of one part.
    #[must_use]
    pub fn get(&self, part: Part) -> Bytes {
        self.0.get(part as usize).copied().unwrap_or_default()
    }

    /// Adds to one part.
    pub fn add(&mut self, part: Part, bytes: Bytes) {
        if let Some(slot) = self.0.get_mut(part as usize) {
            *slot += bytes;
        }
    }

    /// The exact sum of all parts.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.0.iter().copied().sum()
    }

    /// Everything but the allocator's reserve and the context.
    #[must_use]
    pub fn live(&self) -> Bytes {
        self.total()
            .saturating_sub(self.get(Part::AllocatorReserve))
            .saturating_sub(self.get(Part::Context))
    }

    /// Parts that are not empty, in the order of the bar.
    pub fn iter(&self) -> impl Iterator<Item = (Part, Bytes)> + '_ {
        use crate::plan::Choice as _;
        Part::ALL.iter().map(|&part| (part, self.get(part))).filter(|(_, bytes)| bytes.0 > 0)
    }
}

//! What the memory engine answers.

use super::{Part, Parts};
use crate::{catalogue::CapacityBasis, explain::Term, plan::choices, units::Bytes};

/// Memory of every pipeline stage, and whether it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryEstimate {
    /// One entry per pipeline stage; stages that hold the same are still listed.
    pub stages: Vec<StageMemory>,
    /// Index of the stage with the largest total.
    pub worst: usize,
    /// What a process can use on this card.
    pub capacity: Bytes,
    /// How the capacity is known.
    pub capacity_basis: CapacityBasis,
    /// Fits, tight or not.
    pub verdict: Verdict,
}

impl MemoryEstimate {
    /// Judges the same stages against a capacity, such as what is free now, and finds the worst.
    pub fn judge(&mut self, capacity: Bytes) {
        let stages = &self.stages;
        self.worst = (0..stages.len())
            .rev()
            .max_by_key(|&index| stages.get(index).map(StageMemory::total))
            .unwrap_or(0);
        let low = stages.iter().map(|stage| stage.low).max().unwrap_or_default();
        let high = stages.iter().map(|stage| stage.high).max().unwrap_or_default();
        self.verdict = if low > capacity {
            Verdict::DoesNotFit
        } else if high > capacity {
            Verdict::Tight
        } else {
            Verdict::Fits
        };
        self.capacity = capacity;
    }
}

/// Memory of one pipeline stage at its peak.
#[derive(Clone, Debug, PartialEq)]
pub struct StageMemory {
    /// Number of the stage, from 0.
    pub stage: u32,
    /// Layers it holds.
    pub layers: u32,
    /// When the peak is.
    pub peak: Moment,
    /// What is alive at the peak.
    pub parts: Parts,
    /// Low end of the band: how little it could be.
    pub low: Bytes,
    /// High end of the band: how much it could be.
    pub high: Bytes,
    /// Live tensors at the peak: what `torch.cuda.max_memory_allocated` reports.
    pub allocated: Bytes,
    /// What the caching allocator holds from the driver at the peak.
    pub reserved: Bytes,
    /// Static bytes: alive between steps.
    pub static_bytes: Bytes,
    /// Bytes saved for backward by all micro-batches in flight.
    pub saved_bytes: Bytes,
    /// Bytes that one block (the one that keeps most) keeps of one micro-batch.
    pub saved_per_layer: Bytes,
    /// Bytes that the last norm, the head and the loss keep; none before the last stage.
    pub head_saved: Bytes,
    /// Figures of serving; none in training.
    pub serving: Option<ServingMemory>,
}

/// What serving holds at its two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServingMemory {
    /// Key-value cache of the prompts.
    pub kv: Bytes,
    /// Live tensors while the prompts go through the model.
    pub prefill_peak: Bytes,
    /// Live tensors when the last token is generated.
    pub decode_peak: Bytes,
}

impl StageMemory {
    /// Device memory at the peak: the exact sum of the parts.
    #[must_use]
    pub fn total(&self) -> Bytes {
        self.parts.total()
    }
}

choices! {
    /// A moment of a step (or of serving) at which something stands still long enough to be counted.
    pub enum Moment {
        /// Between steps.
        #[default]
        Idle = "moment-idle",
        /// After the forward of the first micro-batch.
        ForwardFirst = "moment-forward-first",
        /// All micro-batches of the warm-up are in flight.
        ForwardFull = "moment-forward-full",
        /// The loss has been computed and the gradient of the logits is alive.
        BackwardStart = "moment-backward-start",
        /// Inside the backward of one layer.
        BackwardLayer = "moment-backward-layer",
        /// Inside the backward of the block nearest the input: nearly all gradients are there.
        BackwardLastLayer = "moment-backward-last-layer",
        /// All gradients are there, nothing is saved any more.
        BackwardEnd = "moment-backward-end",
        /// Inside the optimizer step.
        OptimizerStep = "moment-optimizer",
        /// The prompt goes through the model.
        Prefill = "moment-prefill",
        /// The last token is generated: the cache is full.
        Decode = "moment-decode",
    }
}

choices! {
    /// Does it fit?
    pub enum Verdict {
        /// Even the high end of the band is below the capacity.
        #[default]
        Fits = "verdict-fits",
        /// The capacity lies inside the band.
        Tight = "verdict-tight",
        /// Even the low end is above the capacity.
        DoesNotFit = "verdict-does-not-fit",
    }
}

/// What is alive at one moment of a stage's step.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelinePoint {
    /// When.
    pub moment: Moment,
    /// What is alive.
    pub parts: Parts,
}

/// Why a part is as large as it is: its contributions sum to it exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Contributions by part, in the order they were made.
    pub terms: Vec<(Part, Term)>,
}

impl Explanation {
    /// Contributions to one part.
    pub fn of(&self, part: Part) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(move |(owner, _)| *owner == part).map(|(_, term)| term)
    }
}

/// Everything the window shows of one stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StageDetail {
    /// Stylised step, in order; the largest point is the peak of [`StageMemory`].
    pub timeline: Vec<TimelinePoint>,
    /// Why every part is as large as it is at the peak.
    pub explanation: Explanation,
}

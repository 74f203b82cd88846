//! Constants of memory that were fitted to measured runs, all of them.
//!
//! `docs/accuracy.md` says on which rows; what is counted, traced, quoted or chosen stands where it is used.

/// Share of the memory that comes and goes within a step which the caching allocator holds on top
/// of it, where one stream allocates blocks of the same sizes in every step.
///
/// Fitted on published runs that print reserved memory (see `docs/accuracy.md`).
pub(super) const RESERVE_SHARE_ONE_STREAM: f64 = 0.15;
/// The same where communication has streams of its own: blocks wait for events before they are used
/// again.
///
/// Fitted on published FSDP and Megatron runs that print reserved memory.
pub(super) const RESERVE_SHARE_STREAMS: f64 = 0.3;
/// Share of the logits' memory that the allocator holds on top where batches differ in length: blocks
/// of one batch are too small for the next longer one.
///
/// Fitted on published fine-tuning runs that cut samples at the sequence length.
pub(super) const RESERVE_SHARE_VARYING: f64 = 2.6;

/// Bytes of one element of the head's gradient before it is added to Megatron's main gradient.
///
/// Fitted on the published Transformer Engine runs with live-tensor peaks, which miss this much on
/// every stage that has a head; the code makes the gradient before it adds it.
pub(super) const HEAD_GRADIENT_BYTES: u64 = 4;
/// The same for the embedding's gradient, in 16 bits.
///
/// Fitted on the same runs.
pub(super) const EMBEDDING_GRADIENT_BYTES: u64 = 2;

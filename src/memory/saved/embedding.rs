//! What the embedding keeps of one micro-batch, before the first block.

use super::{
    emit::Emit,
    rules::{Linear, Rules},
    tensor::{SavedTensor, Split},
};
use crate::{catalogue::Positions, memory::Part};

/// Bytes of a position: 64-bit indices.
const POSITION_BYTES: u64 = 8;

/// Visits what the embedding keeps for backward.
///
/// ```text
/// dropout after it (GPT-2)     h (a mask of one byte an element)
/// norm after it (BLOOM)        its input and statistics
/// ```
///
/// Source: traced storages of transformers 5.24 (GPT-2, BLOOM).
pub(crate) fn for_each_embedding_saved(rules: &Rules<'_>, sink: impl FnMut(SavedTensor)) {
    if !rules.embedding_trains {
        return; // nothing before the first block needs a gradient
    }
    let hidden = ("T·h", rules.hidden());
    let mut emit = Emit { rules, sink };
    if rules.arch.embedding_norm {
        let residual = rules.numbers.residual_bytes;
        emit.norm(Part::NormActivations, hidden, (1, residual), Split::Sequence);
    }
    if rules.embedding_dropout {
        let part = Part::NormActivations;
        emit.row("saved-embedding-dropout", part, hidden, 1, Split::Sequence);
    }
}

/// Bytes of position indices of one sequence: an input of the table of learned positions.
///
/// ```text
/// 8·s
/// ```
pub(crate) const fn position_bytes(positions: Positions, sequence: u64) -> u64 {
    match positions {
        Positions::Learned { .. } => POSITION_BYTES.saturating_mul(sequence),
        _ => 0,
    }
}

/// Bytes per token that the very first block does not keep behind a frozen embedding: nothing needs
/// a gradient of its input.
///
/// ```text
/// 4·(h + 1)  RMSNorm's fp32 copy and its statistics
/// n·h        masks of the adapters' dropout on the normalised input, n linears
/// ```
///
/// Source: traced storages of peft 0.21 on torch 2.15.
pub(crate) fn first_block_spares(rules: &Rules<'_>) -> u64 {
    if rules.embedding_trains {
        return 0;
    }
    let norm = if rules.norm_stats() == 1 { 4 * (rules.hidden() + 1) } else { 0 };
    let masks = rules.adapters.filter(|adapters| adapters.dropout).map_or(0, |adapters| {
        let readers: &[Linear] = if rules.arch.fused_qkv {
            &[Linear::Qkv]
        } else {
            &[Linear::Query, Linear::Key, Linear::Value]
        };
        readers.iter().filter(|&&linear| adapters.on(linear)).count() as u64 * rules.hidden()
    });
    norm + masks
}

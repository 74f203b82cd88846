//! What is kept for backward: tables of tensors, and their sums.

mod checkpoint;
mod embedding;
mod emit;
mod head;
mod layer;
mod rules;
mod tensor;

pub use self::tensor::{Divisors, SavedTensor, Split};
pub(crate) use self::{
    checkpoint::for_each_kept,
    embedding::{first_block_spares, for_each_embedding_saved, position_bytes},
    head::{HeadSaved, head_saved},
    layer::for_each_saved,
    rules::{Adapters, Linear, Rules, Style},
};

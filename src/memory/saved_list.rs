//! The tables of saved tensors as lists, for people who want to see every one of them.

use super::{
    params::LayerKind,
    saved::{Rules, SavedTensor, for_each_kept, for_each_saved},
};
use crate::{
    plan::{CheckpointPolicy, Resolved, Task},
    units::{Bytes, grouped},
};

/// Every tensor that one block of each kind saves for backward.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedBlocks {
    /// Tokens of one micro-batch on this GPU, `T`.
    pub tokens: u64,
    /// One entry for each kind of block that the model has; none for serving plans.
    pub blocks: Vec<SavedBlock>,
    /// Text keys of what else there is to know about the lists.
    pub notes: Vec<&'static str>,
}

/// Every tensor that one block saves for backward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedBlock {
    /// Kind of the block.
    pub kind: LayerKind,
    /// What is kept, followed by what is recomputed.
    pub rows: Vec<SavedRow>,
}

/// One saved tensor of a block, with its size on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SavedRow {
    /// What it is: name, shape in symbols, elements per token, bytes each, what divides it.
    pub tensor: SavedTensor,
    /// Bytes of one micro-batch on one rank, all copies.
    pub bytes: Bytes,
    /// Ranks that share it.
    pub ranks: u64,
    /// It is kept from forward to backward; otherwise it is recomputed and lives inside the block's
    /// own backward only.
    pub kept: bool,
}

impl SavedRow {
    /// The shape in symbols, with the number of copies in front: `3·T·h`.
    #[must_use]
    pub fn shape_in_symbols(&self) -> String {
        match self.tensor.copies {
            0 | 1 => self.tensor.shape.to_owned(),
            copies => format!("{copies}·{}", self.tensor.shape),
        }
    }

    /// The shape in numbers before anything is divided: copies, tokens, elements per token.
    #[must_use]
    pub fn shape_in_numbers(&self, tokens: u64) -> String {
        let mut factors = vec![tokens];
        if self.tensor.copies > 1 {
            factors.insert(0, self.tensor.copies);
        }
        if self.tensor.width > 1 {
            factors.push(self.tensor.width);
        }
        let printed: Vec<String> =
            factors.into_iter().map(|factor| grouped(factor as f64, 0)).collect();
        printed.join(" × ")
    }

    /// The size with the numbers put in: `2 × 2,048 × 4,096 × 4 B ÷ 8 = 8.0 MiB`.
    #[must_use]
    pub fn size_in_numbers(&self, tokens: u64) -> String {
        let (elements, each) = (self.shape_in_numbers(tokens), self.tensor.bytes);
        match self.ranks {
            0 | 1 => format!("{elements} × {each} B = {}", self.bytes),
            ranks => format!("{elements} × {each} B ÷ {ranks} = {}", self.bytes),
        }
    }
}

impl SavedBlock {
    /// Sum of the rows that are kept, or of those that are recomputed.
    #[must_use]
    pub fn total(&self, kept: bool) -> Bytes {
        self.rows.iter().filter(|row| row.kept == kept).map(|row| row.bytes).sum()
    }
}

impl SavedBlocks {
    /// The lists of a plan.
    #[must_use]
    pub fn of(plan: &Resolved<'_>) -> Self {
        if plan.plan.workload.task == Task::Inference {
            return Self::default();
        }
        let first_dense = plan.arch.moe.map_or(plan.arch.layers, |moe| moe.first_dense);
        let kinds = [
            (LayerKind::Dense, first_dense > 0),
            (LayerKind::Moe, first_dense < plan.arch.layers && plan.arch.moe.is_some()),
        ];
        let blocks = kinds
            .into_iter()
            .filter(|(_, is_there)| *is_there)
            .map(|(kind, _)| SavedBlock { kind, rows: saved_tensors(plan, kind) })
            .collect();
        Self { tokens: plan.layout.tokens, blocks, notes: notes(plan) }
    }
}

/// What the lists leave out, or what is not the same in every block.
fn notes(plan: &Resolved<'_>) -> Vec<&'static str> {
    let checkpointing = &plan.plan.checkpointing;
    let full = checkpointing.policy == CheckpointPolicy::Full;
    let nth = checkpointing.policy == CheckpointPolicy::EveryNth && checkpointing.every_nth > 1;
    let some_kept_whole = nth || full && checkpointing.blocks.is_some();
    [
        ("saved-note-offload", checkpointing.offload),
        ("saved-note-some-blocks", some_kept_whole),
        ("saved-note-autocast", Rules::of(plan).numbers.autocast),
    ]
    .into_iter()
    .filter_map(|(key, holds)| holds.then_some(key))
    .collect()
}

/// Every tensor that one block of a kind saves for backward under the plan's policy, followed by
/// those that the policy recomputes. Equal ones are one row. Empty for serving plans.
#[must_use]
pub fn saved_tensors(plan: &Resolved<'_>, kind: LayerKind) -> Vec<SavedRow> {
    if plan.plan.workload.task == Task::Inference {
        return Vec::new();
    }
    let rules = Rules::of(plan);
    let row = |tensor: SavedTensor, kept| SavedRow {
        tensor,
        bytes: Bytes(tensor.bytes_on_rank(plan.layout.tokens, &rules.divisors)),
        ranks: rules.divisors.of(tensor.split),
        kept,
    };
    let mut kept = Vec::with_capacity(32);
    let mut known = Vec::with_capacity(32);
    for_each_kept(&rules, kind, plan.plan.checkpointing.policy, |tensor| {
        known.push(tensor);
        add(&mut kept, row(tensor, true));
    });
    let mut again = Vec::with_capacity(32);
    for_each_saved(&rules, kind, |tensor| {
        if !known.contains(&tensor) {
            add(&mut again, row(tensor, false));
        }
    });
    kept.append(&mut again);
    kept
}

/// Adds a row, or one more copy to the row of an equal tensor.
fn add(rows: &mut Vec<SavedRow>, new: SavedRow) {
    let same = rows.iter_mut().find(|row| {
        SavedTensor { copies: 0, ..row.tensor } == SavedTensor { copies: 0, ..new.tensor }
    });
    match same {
        Some(row) => {
            row.tensor.copies += new.tensor.copies;
            row.bytes += new.bytes;
        }
        None => rows.push(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        memory,
        plan::{Choice as _, Method, ModelChoice, Plan},
    };

    fn plan_of(model: &str, policy: CheckpointPolicy) -> Plan {
        let mut plan = Plan { model: ModelChoice::Catalogue(model.into()), ..Plan::default() };
        plan.checkpointing.policy = policy;
        plan.workload.method = Method::Full;
        plan
    }

    #[test]
    fn the_rows_that_are_kept_sum_to_what_the_estimate_says_of_a_layer() {
        let catalogue = Catalogue::embedded();
        let mut compared = 0;
        for model in &catalogue.models {
            for &policy in CheckpointPolicy::ALL {
                let plan = plan_of(&model.id, policy);
                let Ok(resolved) = plan.resolve(catalogue) else { continue };
                let blocks = SavedBlocks::of(&resolved).blocks;
                let largest = blocks.iter().map(|block| block.total(true)).max().unwrap();
                let expected = memory::estimate(&resolved).stages[0].saved_per_layer;
                assert_eq!(largest, expected, "{} under {policy:?}", model.id);
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared} plans are too few");
    }

    #[test]
    fn a_model_with_both_kinds_of_block_has_two_lists() {
        let catalogue = Catalogue::embedded();
        let both = catalogue
            .models
            .iter()
            .find(|model| model.architecture.moe.is_some_and(|moe| moe.first_dense > 0));
        let plan = plan_of(&both.unwrap().id, CheckpointPolicy::None);
        let kinds: Vec<LayerKind> = SavedBlocks::of(&plan.resolve(catalogue).unwrap())
            .blocks
            .iter()
            .map(|block| block.kind)
            .collect();
        assert_eq!(kinds, [LayerKind::Dense, LayerKind::Moe]);
    }

    #[test]
    fn equal_tensors_are_one_row_with_their_number() {
        let catalogue = Catalogue::embedded();
        let plan = plan_of("llama-3.1-8b", CheckpointPolicy::None);
        let resolved = plan.resolve(catalogue).unwrap();
        let rows = saved_tensors(&resolved, LayerKind::Dense);
        let norm = rows.iter().find(|row| row.tensor.name == "saved-norm-input-fp32").unwrap();
        assert_eq!(norm.shape_in_symbols(), "2·T·h");
        assert_eq!(norm.shape_in_numbers(2048), "2 × 2,048 × 4,096");
        assert_eq!(norm.bytes, Bytes(2 * 2048 * 4096 * 4));
    }

    #[test]
    #[ignore = "prints a time; run it alone on an idle machine"]
    fn the_lists_of_a_plan_take() {
        let catalogue = Catalogue::embedded();
        let plan = plan_of("llama-3.1-8b", CheckpointPolicy::SelectiveMatmul);
        let resolved = plan.resolve(catalogue).unwrap();
        let start = std::time::Instant::now();
        for _ in 0..10_000 {
            std::hint::black_box(SavedBlocks::of(std::hint::black_box(&resolved)));
        }
        println!("{:?} a plan", start.elapsed() / 10_000);
    }
}

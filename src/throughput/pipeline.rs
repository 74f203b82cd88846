//! The pipeline's bubble.

use crate::plan::{Resolved, Schedule};

/// Share of the other stages' time for one micro-batch that the busiest stage waits in a step.
///
/// ```text
/// step = m·τ_max + share·Σ(other stages' τ)        equal stages: (p − 1)·τ·share
/// 1F1B, GPipe   1        interleaved   1/v        ZB-H1   1/3        ZB-H2   0
/// ```
///
/// Source: Narayanan et al. 2021, arXiv:2104.04473 (interleaved); Qi et al. 2024, arXiv:2401.10241
/// (ZB-H1: `T_F + T_B − T_W`, ZB-H2: `T_F + T_B − 2·T_W`, each with `T_F = T_B = T_W`).
pub(super) fn bubble_share(plan: &Resolved<'_>) -> f64 {
    match plan.plan.parallelism.schedule {
        Schedule::OneForwardOneBackward | Schedule::GPipe => 1.0,
        Schedule::Interleaved => 1.0 / plan.layout.chunks.max(1) as f64,
        Schedule::ZeroBubbleH1 => 1.0 / 3.0,
        Schedule::ZeroBubbleH2 => 0.0,
    }
}

/// Stages of which one is the busiest: first, second, last but one, last. All others hold as much as
/// one of these.
pub(super) fn candidate_stages(plan: &Resolved<'_>) -> impl Iterator<Item = u64> {
    let stages = plan.layout.pipeline;
    let last = stages.saturating_sub(1);
    let distinct = match stages {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    };
    [0, 1.min(last), last.saturating_sub(1), last].into_iter().take(distinct)
}

/// What a stage holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StageShape {
    /// Dense blocks.
    pub dense: f64,
    /// Blocks with experts.
    pub moe: f64,
    /// It has the token embedding.
    pub first: bool,
    /// It has head and loss.
    pub last: bool,
}

/// Blocks of a stage by kind: the model's first blocks are the dense ones.
pub(super) fn stage_shape(plan: &Resolved<'_>, stage: u64) -> StageShape {
    let (start, count) = plan.stage_layers(stage);
    let dense_end = u64::from(plan.arch.dense_layers());
    let dense = dense_end.saturating_sub(start).min(count);
    StageShape {
        dense: dense as f64,
        moe: (count - dense) as f64,
        first: stage == 0,
        last: stage + 1 == plan.layout.pipeline,
    }
}

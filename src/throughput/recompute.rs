//! Which share of a block's forward pass is run again in backward.

use crate::plan::{CheckpointPolicy, Checkpointing, RecomputedModules};

/// Shares of a block's forward pass that are run again, by class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Recomputed {
    /// Of the matrix products (and adapters, and unpacking).
    pub matmul: f64,
    /// Of the attention core.
    pub attention: f64,
    /// Of the elementwise operations.
    pub elementwise: f64,
}

/// What a policy runs again.
pub(super) fn shares(checkpointing: &Checkpointing) -> Recomputed {
    let all = |share| Recomputed { matmul: share, attention: share, elementwise: share };
    match checkpointing.policy {
        CheckpointPolicy::None => all(0.0),
        CheckpointPolicy::Full => all(1.0),
        CheckpointPolicy::EveryNth => all(1.0 / f64::from(checkpointing.every_nth.max(1))),
        CheckpointPolicy::SelectiveAttention => {
            Recomputed { matmul: 1.0, attention: 0.0, elementwise: 1.0 }
        }
        CheckpointPolicy::SelectiveAlternateMatmul => {
            Recomputed { matmul: 0.5, attention: 0.0, elementwise: 1.0 }
        }
        CheckpointPolicy::SelectiveMatmul => {
            Recomputed { matmul: 0.0, attention: 0.0, elementwise: 1.0 }
        }
        CheckpointPolicy::CoreAttention => {
            Recomputed { matmul: 0.0, attention: 1.0, elementwise: 0.0 }
        }
        CheckpointPolicy::Modules => modules(checkpointing.modules),
    }
}

/// What a list of modules runs again: two of the three matrix products of a dense feed-forward block
/// are about half of the block's, the up-projections of latent attention about a tenth.
fn modules(modules: RecomputedModules) -> Recomputed {
    let share = |on: bool, share: f64| if on { share } else { 0.0 };
    Recomputed {
        matmul: share(modules.mlp, 0.5) + share(modules.latent_projections, 0.1),
        attention: share(modules.core_attention, 1.0),
        elementwise: share(modules.norms, 0.5)
            + share(modules.expert_activation || modules.mlp, 0.25),
    }
}

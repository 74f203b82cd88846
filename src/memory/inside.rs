//! Inside the backward of one block: three places where most is alive.
//!
//! ```text
//! feed-forward   everything the block saved + the gradients of gate and up + the residual gradient
//! attention      what attention and its norm saved + the gradients of the scores (or of q, k, v)
//! end            no activations; every gradient of the block, and FSDP's buffers
//! ```
//!
//! Source: order of births and deaths in traced backward passes (torch 2.15, transformers 5.24).

use super::{
    common::LayerBytes,
    params::LayerKind,
    saved::{Rules, Style},
    shard::Held,
};
use crate::{
    catalogue::Activation,
    plan::{AttentionKernel, Resolved},
};

/// A place inside a block's backward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The gradients of gate and up have been made, their operands are still there.
    FeedForward,
    /// The gradient of the scores has been made.
    Attention,
    /// The block is done; its gradients are not reduced yet.
    End,
}

/// Bytes of activations and of their gradients that one block has alive at each place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Inside {
    /// At [`Place::FeedForward`]: saved tensors and gradients on their way.
    pub feed_forward: (u64, u64),
    /// At [`Place::Attention`].
    pub attention: (u64, u64),
    /// Elements of weight gradients that exist at [`Place::FeedForward`]: the down projection's.
    pub down_elements: u64,
    /// Elements at [`Place::Attention`]: the feed-forward block's and the output projection's.
    pub late_elements: u64,
}

impl Inside {
    /// Saved bytes and bytes of gradients of activations at a place.
    pub const fn activations(&self, place: Place) -> (u64, u64) {
        match place {
            Place::FeedForward => self.feed_forward,
            Place::Attention => self.attention,
            Place::End => (0, 0),
        }
    }

    /// Whether more could be alive at [`Place::Attention`] than at [`Place::FeedForward`], with
    /// `bytes` a gradient.
    pub const fn attention_may_need_more(&self, bytes: u64) -> bool {
        let (saved, gradients) = self.attention;
        let (mlp_saved, mlp_gradients) = self.feed_forward;
        let attention = saved
            .saturating_add(gradients)
            .saturating_add(self.late_elements.saturating_mul(bytes));
        attention > mlp_saved.saturating_add(mlp_gradients)
    }

    /// Elements of this block's weight gradients at a place.
    pub const fn gradient_elements(&self, place: Place, held: &Held) -> u64 {
        match place {
            Place::FeedForward => self.down_elements,
            Place::Attention => self.late_elements,
            Place::End => held.elements(),
        }
    }

    pub fn of(
        plan: &Resolved<'_>,
        rules: &Rules<'_>,
        kind: LayerKind,
        held: &Held,
        whole: &LayerBytes,
    ) -> Self {
        let experts = kind == LayerKind::Moe;
        let matrices = if rules.arch.gated_mlp { 3 } else { 2 };
        let mlp_elements = held.linear.saturating_sub(attention_elements(plan));
        let trains = rules.base_trains;
        let out = rules.hidden() * rules.arch.query_width() / rules.divisors.tensor.max(1);
        Self {
            feed_forward: (
                whole.total(),
                feed_forward_gradients(rules, plan.layout.tokens, experts),
            ),
            attention: (
                whole.attention.saturating_add(whole.norms / 2).saturating_add(whole.weight_copies),
                attention_gradients(rules, plan.layout.tokens),
            ),
            down_elements: if trains { mlp_elements / matrices } else { 0 },
            late_elements: if trains { mlp_elements.saturating_add(out) } else { 0 },
        }
    }
}

/// Elements of attention's matrices of one block on one rank.
fn attention_elements(plan: &Resolved<'_>) -> u64 {
    let arch = plan.arch;
    let width = 2 * arch.query_width() + 2 * arch.kv_width();
    u64::from(arch.hidden).saturating_mul(width) / plan.layout.tensor.max(1)
}

/// Gradients of activations in the feed-forward block.
///
/// ```text
/// 2·f·x (gated) or f·x per token, + the residual gradient h·x
/// ```
///
/// The product's gradient takes the place of the product itself.
fn feed_forward_gradients(rules: &Rules<'_>, tokens: u64, experts: bool) -> u64 {
    let arch = rules.arch;
    let act = rules.numbers.act_bytes;
    let width = arch.mlp_width(experts) / rules.divisors.tensor.max(1);
    let tensors = match (arch.gated_mlp, arch.activation, rules.style) {
        (true, _, _) | (false, Activation::GeluNew, Style::Composed) => 2,
        (false, _, _) => 1,
    };
    let residual = rules.hidden() * rules.numbers.residual_bytes / rules.divisors.sequence.max(1);
    tokens.saturating_mul(tensors * width * act + residual)
}

/// Gradients of activations in attention.
///
/// ```text
/// flash        q + k + v
/// eager        the probabilities' gradient and the scores', each as wide as the probabilities,
///              less the 16-bit probabilities, which are gone
/// both         + the residual gradient h·x
/// ```
fn attention_gradients(rules: &Rules<'_>, tokens: u64) -> u64 {
    let arch = rules.arch;
    let act = rules.numbers.act_bytes;
    let ways = rules.divisors.tensor.max(1);
    let residual = rules.hidden() * rules.numbers.residual_bytes / rules.divisors.sequence.max(1);
    let per_token = match rules.attention {
        AttentionKernel::Flash => (arch.query_width() + 2 * arch.kv_width()) * act / ways,
        AttentionKernel::Math | AttentionKernel::Eager => {
            let scores = u64::from(arch.heads).div_ceil(ways) * rules.sequence;
            let (probability, gone) = match rules.attention {
                AttentionKernel::Eager => (rules.softmax_bytes(), act),
                _ => (4, 0),
            };
            let gone = if probability > act { gone } else { 0 };
            scores.saturating_mul(2 * probability - gone)
        }
    };
    tokens.saturating_mul(per_token.saturating_add(residual))
}

//! Operations of one forward pass through a block and the head: FLOPs, bytes and time by class.
//!
//! Symbols: `T` tokens on the rank, `h` hidden, `A` query width, `K` key width, `f` feed-forward
//! width, `a` heads, `V` vocabulary, `t` tensor-parallel degree, `r` adapter rank, `β` bytes an element.

mod attention;
mod elementwise;
mod products;

use super::{
    answer::OperationClass,
    classes::ClassCosts,
    formats,
    fractions::GROUP_UNPACK_BYTES,
    roofline::{Cost, Gemm, Machine},
    shapes::{self, Product, Weights},
};
use crate::{
    catalogue::Moe,
    plan::{LossKind, Method, Resolved, Task},
};

pub(super) use self::attention::mean_pairs;

/// What a pass brings to every block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// Tokens on the rank, `T`.
    pub tokens: f64,
    /// Tokens of one sequence.
    pub sequence: f64,
    /// Key positions that a token attends to, averaged over tokens and blocks.
    pub pairs: f64,
    /// Key positions whose keys and values are read from a cache for every sequence; 0 without one.
    pub cached: f64,
}

/// A plan with what every operation needs, worked out once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bench<'a> {
    /// The plan.
    pub plan: &'a Resolved<'a>,
    /// What its card achieves.
    pub machine: Machine,
    /// Weights of its model.
    pub weights: Weights,
    /// Tensor-parallel degree, `t`.
    pub tensor: f64,
    /// Bytes of an activation, `β`.
    pub element_bytes: f64,
    /// Elementwise operations are fused.
    pub fused: bool,
}

impl<'a> Bench<'a> {
    /// Works out what every operation needs.
    pub(super) fn new(plan: &'a Resolved<'a>) -> Self {
        let framework = &plan.plan.framework;
        Self {
            plan,
            machine: Machine::new(plan),
            weights: Weights::of(plan.arch),
            tensor: plan.layout.tensor as f64,
            element_bytes: formats::element_bytes(plan.plan.precision.compute_dtype),
            fused: framework.compile || framework.profile == crate::plan::Profile::Megatron,
        }
    }

    /// Degree by which the residual stream is divided outside products.
    fn sequence_split(&self) -> f64 {
        if self.plan.plan.parallelism.sequence_parallel { self.tensor } else { 1.0 }
    }

    /// Routed experts on this rank.
    fn local_experts(&self, moe: &Moe) -> f64 {
        f64::from(moe.experts) / self.plan.layout.expert as f64
    }

    /// Widths that adapters read and write in one block: `(inputs, outputs)`.
    pub(super) fn adapter_widths(&self, moe: Option<&Moe>) -> (f64, f64) {
        products::adapter_widths(self, moe)
    }

    /// Forward pass of one block; `moe` for a block with experts.
    pub(super) fn block(&self, pass: &Pass, moe: Option<&Moe>) -> ClassCosts {
        let costs = ClassCosts::default()
            .with(OperationClass::Matmul, products::dense(self, pass, moe))
            .with(OperationClass::Adapters, products::adapters(self, pass, moe))
            .with(OperationClass::Attention, attention::core(self, pass))
            .with(OperationClass::Elementwise, elementwise::block(self, pass, moe))
            .with(OperationClass::Quantise, elementwise::casts(self, pass, moe))
            .with(OperationClass::Dequantise, self.dequantise(moe));
        match moe {
            None => costs,
            Some(moe) => costs
                .with(OperationClass::Experts, sum_of(products::routed(self, pass, moe)))
                .with(OperationClass::Routing, products::router(self, pass, moe))
                .with(OperationClass::Routing, elementwise::permutation(self, pass, moe)),
        }
    }

    /// The token embedding: rows read and written.
    ///
    /// ```text
    /// B = 2·T·h·β
    /// ```
    pub(super) fn embedding(&self, tokens: f64) -> Cost {
        let hidden = f64::from(self.plan.arch.hidden);
        self.machine.streaming(2.0 * tokens * hidden * self.element_bytes, 1.0)
    }

    /// Unpacking the quantised weights of a block into 16 bits, for training and prompts.
    ///
    /// ```text
    /// B = P·(β_stored + 2)        groups of integers in training   P·20: shifts and masks by torch
    /// ```
    fn dequantise(&self, moe: Option<&Moe>) -> Cost {
        let workload = &self.plan.plan.workload;
        let format = self.plan.plan.precision.weight_format;
        let quantised = workload.task == Task::Inference || workload.method == Method::Qlora;
        if !quantised || !formats::is_packed(format) || formats::unpacks_in_products(self.plan) {
            return Cost::default();
        }
        let weights = self.local_block_weights(moe);
        let grouped = workload.task == Task::Training && format.is_grouped();
        let bytes = if grouped { GROUP_UNPACK_BYTES } else { formats::stored_bytes(format) + 2.0 };
        self.machine.streaming(weights * bytes, 1.0)
    }

    /// Weights of one block that this rank multiplies with.
    pub(super) fn local_block_weights(&self, moe: Option<&Moe>) -> f64 {
        self.local_shared_weights(moe) + moe.map_or(0.0, |moe| self.local_expert_weights(moe))
    }

    /// Weights of one block outside the routed experts on this rank.
    pub(super) fn local_shared_weights(&self, moe: Option<&Moe>) -> f64 {
        let feed_forward = if moe.is_some() { self.weights.shared } else { self.weights.dense };
        (self.weights.attention + feed_forward) / self.tensor
    }

    /// Routed experts' weights of one block on this rank.
    pub(super) fn local_expert_weights(&self, moe: &Moe) -> f64 {
        self.local_experts(moe) * self.weights.expert / self.plan.layout.expert_tensor as f64
    }

    /// The output head for so many tokens.
    ///
    /// ```text
    /// F = 2·T·h·V/t
    /// ```
    pub(super) fn head(&self, tokens: f64) -> Cost {
        self.head_product(tokens).1
    }

    /// The same with its shape.
    pub(super) fn head_product(&self, tokens: f64) -> (Gemm, Cost) {
        let product = shapes::head(self.plan.arch).divided(self.tensor);
        let weight_bytes = formats::head_weight_bytes(self.plan);
        let gemm = products::gemm(self, &product, tokens, 1.0, weight_bytes);
        (gemm, self.machine.matmul(&gemm, self.machine.wide_flops_per_sec))
    }

    /// One product with a block's weights, with its shape.
    pub(super) fn product(&self, pass: &Pass, product: &Product) -> (Gemm, Cost) {
        products::one(self, pass, product)
    }

    /// Both products of the routed experts, with their shapes.
    pub(super) fn expert_products(&self, pass: &Pass, moe: &Moe) -> [(Gemm, Cost); 2] {
        products::routed(self, pass, moe)
    }

    /// Cross-entropy, forward and backward: nothing but traffic over the logits.
    ///
    /// ```text
    /// B = T·V·(forward + backward)/t        [bytes a logit; not divided without a parallel loss]
    /// full      14 + 12   cast to fp32, log-softmax; gradient in fp32, cast back
    /// full-16    6 +  6
    /// fused      2 +  4   one read, one write in place
    /// ```
    pub(super) fn loss(&self, tokens: f64) -> Cost {
        if !self.plan.arch.head {
            return Cost::default();
        }
        let bytes_a_logit = match self.plan.plan.framework.loss {
            LossKind::Full | LossKind::Chunked => 26.0,
            LossKind::Full16 => 12.0,
            LossKind::Fused | LossKind::Kernel | LossKind::None => 6.0,
        };
        let split = if self.plan.plan.parallelism.loss_parallel { self.tensor } else { 1.0 };
        let logits = tokens * f64::from(self.plan.arch.vocab) / split;
        self.machine.streaming(logits * bytes_a_logit, 4.0)
    }
}

fn sum_of([up, down]: [(Gemm, Cost); 2]) -> Cost {
    up.1 + down.1
}

//! The optimizer of a plan.

use serde::{Deserialize, Serialize};

use super::choices;
use crate::catalogue::Dtype;

/// Which optimizer, its states and how its step runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimizer {
    /// The algorithm.
    pub kind: OptimizerKind,
    /// Number format of 16- or 32-bit states; none follows the parameters (fp32 with master weights).
    pub state_dtype: Option<Dtype>,
    /// How the step's kernels run.
    pub implementation: StepKernel,
    /// The step runs inside backward and frees each gradient at once.
    pub in_backward: bool,
    /// The gradient norm is clipped.
    pub clip_gradients: bool,
    /// Gradients are freed before the next step instead of zeroed.
    pub set_to_none: bool,
}

choices! {
    /// The algorithm.
    pub enum OptimizerKind {
        /// Adam with decoupled weight decay: two values a parameter.
        #[default]
        AdamW = "optimizer-adamw",
        /// The same with the running maximum of the second value (AMSGrad): three values.
        AdamWAmsgrad = "optimizer-adamw-amsgrad",
        /// fp32 states in pages that may move to host memory, outside torch's counters.
        PagedAdamW = "optimizer-adamw-paged",
        /// AdamW with block-wise 8-bit states.
        AdamW8bit = "optimizer-adamw-8bit",
        /// 8-bit states in pages that may move to host memory.
        PagedAdamW8bit = "optimizer-adamw-paged-8bit",
        /// 4-bit states.
        AdamW4bit = "optimizer-adamw-4bit",
        /// 8-bit float states.
        AdamWFp8 = "optimizer-adamw-fp8",
        /// Sign momentum: one value.
        Lion = "optimizer-lion",
        /// The same in 8 bits.
        Lion8bit = "optimizer-lion-8bit",
        /// Factored second moments: a row and a column.
        Adafactor = "optimizer-adafactor",
        /// Orthogonalised momentum on matrices, AdamW on the rest.
        Muon = "optimizer-muon",
        /// Squared-gradient sum: one value.
        Adagrad = "optimizer-adagrad",
        /// Squared-gradient mean: one value.
        RmsProp = "optimizer-rmsprop",
        /// Momentum: one value.
        SgdMomentum = "optimizer-sgd-momentum",
        /// Plain gradient descent: no state.
        Sgd = "optimizer-sgd",
    }
}

choices! {
    /// How the step's kernels run.
    pub enum StepKernel {
        /// One kernel over all tensors, no temporaries.
        Fused = "step-kernel-fused",
        /// Multi-tensor operations with temporaries of parameter size (torch's default on GPUs).
        #[default]
        Foreach = "step-kernel-foreach",
        /// Tensor by tensor, temporaries of the largest tensor.
        ForLoop = "step-kernel-forloop",
    }
}

impl Default for Optimizer {
    fn default() -> Self {
        Self {
            kind: OptimizerKind::AdamW,
            state_dtype: None,
            implementation: StepKernel::Foreach,
            in_backward: false,
            clip_gradients: true,
            set_to_none: true,
        }
    }
}

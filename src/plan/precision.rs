//! Number formats: what lives between steps, what is computed with, what is kept.

use serde::{Deserialize, Serialize};

use super::choices;
use crate::catalogue::Dtype;

/// Number formats of weights, gradients, matrix products and the cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Precision {
    /// Parameters that live between steps (of the trained weights).
    pub param_dtype: Dtype,
    /// Large matrix products.
    pub compute_dtype: Dtype,
    /// Gradients that are kept for the optimizer.
    pub grad_dtype: Dtype,
    /// How 16-bit products meet wider parameters.
    pub mixed: MixedPrecision,
    /// Storage of frozen weights (LoRA, QLoRA) and of served weights.
    pub weight_format: WeightFormat,
    /// Kernel that multiplies with served weights in groups of integers.
    pub quantised_kernel: QuantisedKernel,
    /// Key-value cache.
    pub kv_dtype: Dtype,
    /// Scaling of 8- and 4-bit float products; used where [`Precision::compute_dtype`] is one of them.
    pub scaled: Scaled,
}

/// How 8- and 4-bit float products are scaled, and which products they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scaled {
    /// What shares a scale.
    pub recipe: ScaleRecipe,
    /// The linears of attention and dense feed-forward blocks use the format.
    pub linears: bool,
    /// The routed experts use it.
    pub experts: bool,
    /// FSDP gathers the weights in the format.
    pub gather: bool,
}

choices! {
    /// What shares a scale in 8- and 4-bit float products.
    pub enum ScaleRecipe {
        /// A tensor, from its current values (Transformer Engine).
        #[default]
        Current = "scale-current",
        /// A tensor, from the history of earlier steps.
        Delayed = "scale-delayed",
        /// A tensor, dynamic (torchao).
        Tensorwise = "scale-tensorwise",
        /// A row.
        Rowwise = "scale-rowwise",
        /// A row; weight gradients stay in 16 bits.
        RowwiseWideWeightGradients = "scale-rowwise-wide",
        /// A block of 32 (MX).
        Mxfp8 = "scale-mxfp8",
        /// A block of 16 (NVFP4).
        Nvfp4 = "scale-nvfp4",
    }
}

impl Default for Scaled {
    fn default() -> Self {
        Self { recipe: ScaleRecipe::Current, linears: true, experts: false, gather: false }
    }
}

choices! {
    /// How low-precision products meet wider parameters.
    pub enum MixedPrecision {
        /// Parameters already have the compute format.
        #[default]
        None = "mixed-none",
        /// fp32 parameters, cast operation by operation (torch autocast).
        Autocast = "mixed-autocast",
        /// fp32 shards, cast when they are gathered (FSDP).
        CastAtGather = "mixed-cast-at-gather",
        /// 16-bit parameters with an fp32 copy in the optimizer.
        MasterWeights = "mixed-master",
    }
}

choices! {
    /// Storage of frozen or served weights.
    pub enum WeightFormat {
        /// 16-bit bfloat.
        #[default]
        Bf16 = "weights-bf16",
        /// 16-bit half.
        Fp16 = "weights-fp16",
        /// 32-bit float.
        Fp32 = "weights-fp32",
        /// 8-bit float.
        Fp8 = "weights-fp8",
        /// 8-bit integer, one scale a channel.
        Int8 = "weights-int8",
        /// 4-bit `NormalFloat`, one fp32 scale per 64 weights.
        Nf4 = "weights-nf4",
        /// The same with its scales quantised again.
        Nf4Double = "weights-nf4-double",
        /// 4-bit integer in groups of 128 (GPTQ, AWQ).
        Int4Group128 = "weights-int4-g128",
        /// 8-bit integer in groups of 128 (GPTQ).
        Int8Group128 = "weights-int8-g128",
        /// 4-bit integer in groups of 64.
        Int4Group64 = "weights-int4-g64",
        /// 4-bit integer in groups of 32.
        Int4Group32 = "weights-int4-g32",
        /// llama.cpp's mixed 4-bit format.
        Q4KM = "weights-q4-k-m",
        /// 4-bit integer in groups of 32 with 16-bit scales, the embedding too (MLC).
        Q4F16 = "weights-q4f16",
        /// `ExLlamaV2`, 2.5 bits on average.
        Exl2Bits25 = "weights-exl2-2-5",
        /// `ExLlamaV2`, 3 bits on average.
        Exl2Bits30 = "weights-exl2-3-0",
        /// `ExLlamaV2`, 4 bits on average.
        Exl2Bits40 = "weights-exl2-4-0",
        /// `ExLlamaV2`, 5 bits on average.
        Exl2Bits50 = "weights-exl2-5-0",
        /// `ExLlamaV2`, 6 bits on average.
        Exl2Bits60 = "weights-exl2-6-0",
        /// 4-bit float in blocks of 16 (NVFP4).
        Nvfp4 = "weights-nvfp4",
    }
}

impl WeightFormat {
    /// Integers in groups with a scale each, which several kernels can multiply with (GPTQ, AWQ).
    #[must_use]
    pub const fn is_grouped(self) -> bool {
        matches!(
            self,
            Self::Int4Group32 | Self::Int4Group64 | Self::Int4Group128 | Self::Int8Group128
        )
    }
}

choices! {
    /// Kernel that multiplies with integers in groups.
    pub enum QuantisedKernel {
        /// Unpacks a weight once for many rows (`AutoAWQ`'s GEMM, its default; Marlin; `ExLlama`).
        #[default]
        Matrix = "quantised-matrix",
        /// Unpacks every weight again for every row (`AutoAWQ`'s GEMV): made for one row.
        Vector = "quantised-vector",
    }
}

choices! {
    /// Ready-made combinations of formats, named as people speak of them.
    pub enum Recipe {
        /// 16-bit parameters, gradients and optimizer states: 8 bytes a parameter with AdamW.
        PureBf16 = "recipe-pure-bf16",
        /// 16-bit parameters and gradients, fp32 copy and states: 16 bytes.
        #[default]
        Bf16Master = "recipe-bf16-master",
        /// The same with fp32 gradients: 18 bytes.
        Bf16MasterFp32Grads = "recipe-bf16-master-fp32-grads",
        /// fp32 shards cast at the gather: 16 bytes, sharded.
        Fp32CastAtGather = "recipe-fp32-cast-at-gather",
        /// fp32 parameters under autocast: 16 bytes and cast copies.
        Autocast = "recipe-autocast",
        /// fp32 everywhere: 16 bytes.
        Fp32 = "recipe-fp32",
        /// 8-bit products, 16-bit parameters, fp32 copy.
        Fp8 = "recipe-fp8",
        /// None of the above.
        Custom = "recipe-custom",
    }
}

impl Default for Precision {
    fn default() -> Self {
        Self {
            param_dtype: Dtype::Bf16,
            compute_dtype: Dtype::Bf16,
            grad_dtype: Dtype::Bf16,
            mixed: MixedPrecision::None,
            weight_format: WeightFormat::Nf4Double,
            quantised_kernel: QuantisedKernel::Matrix,
            kv_dtype: Dtype::Bf16,
            scaled: Scaled::default(),
        }
    }
}

impl Recipe {
    /// Parameter, compute and gradient formats with the mechanism; none for [`Recipe::Custom`].
    #[must_use]
    pub const fn formats(self) -> Option<(Dtype, Dtype, Dtype, MixedPrecision)> {
        use Dtype::{Bf16, Fp8, Fp32};
        Some(match self {
            Self::PureBf16 => (Bf16, Bf16, Bf16, MixedPrecision::None),
            Self::Bf16Master => (Bf16, Bf16, Bf16, MixedPrecision::MasterWeights),
            Self::Bf16MasterFp32Grads => (Bf16, Bf16, Fp32, MixedPrecision::MasterWeights),
            Self::Fp32CastAtGather => (Fp32, Bf16, Fp32, MixedPrecision::CastAtGather),
            Self::Autocast => (Fp32, Bf16, Fp32, MixedPrecision::Autocast),
            Self::Fp32 => (Fp32, Fp32, Fp32, MixedPrecision::None),
            Self::Fp8 => (Bf16, Fp8, Fp32, MixedPrecision::MasterWeights),
            Self::Custom => return None,
        })
    }

    /// The recipe that these formats amount to.
    #[must_use]
    pub fn of(precision: &Precision) -> Self {
        use super::Choice as _;
        let formats =
            (precision.param_dtype, precision.compute_dtype, precision.grad_dtype, precision.mixed);
        Self::ALL
            .iter()
            .copied()
            .find(|recipe| recipe.formats() == Some(formats))
            .unwrap_or(Self::Custom)
    }

    /// Sets the formats; [`Recipe::Custom`] changes nothing.
    pub fn apply(self, precision: &mut Precision) {
        if let Some((param, compute, grad, mixed)) = self.formats() {
            precision.param_dtype = param;
            precision.compute_dtype = compute;
            precision.grad_dtype = grad;
            precision.mixed = mixed;
        }
    }
}

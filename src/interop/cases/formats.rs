//! Names of number formats, optimizers and kernels in a case file, and what they are in a plan.

use crate::{
    catalogue::Dtype,
    plan::{OptimizerKind, ScaleRecipe, WeightFormat},
};

/// Storage formats of frozen and served weights.
pub(super) const NAMES: &[&str] = &[
    "bf16",
    "fp16",
    "fp32",
    "fp8",
    "int8",
    "nf4",
    "nf4-dq",
    "gptq4",
    "gptq8",
    "awq4",
    "int4-g128",
    "int4-g64",
    "int4-g32",
    "q4_k_m",
    "q4f16_1",
    "nvfp4",
    "exl2-2.5",
    "exl2-3.0",
    "exl2-4.0",
    "exl2-5.0",
    "exl2-6.0",
];

/// A storage format; 4-bit integers in groups of the stated size.
pub(super) fn weight_format(name: &str, group_size: Option<u32>) -> Option<WeightFormat> {
    let groups_of = |stated: Option<u32>| match stated {
        Some(..=32) => WeightFormat::Int4Group32,
        Some(33..=64) => WeightFormat::Int4Group64,
        _ => WeightFormat::Int4Group128,
    };
    Some(match name {
        "bf16" => WeightFormat::Bf16,
        "fp16" => WeightFormat::Fp16,
        "fp32" => WeightFormat::Fp32,
        "fp8" => WeightFormat::Fp8,
        "int8" => WeightFormat::Int8,
        "nf4" => WeightFormat::Nf4,
        "nf4-dq" => WeightFormat::Nf4Double,
        "gptq4" | "awq4" | "int4-g128" => groups_of(group_size),
        "int4-g64" => groups_of(group_size.or(Some(64))),
        "int4-g32" => groups_of(group_size.or(Some(32))),
        "gptq8" => WeightFormat::Int8Group128,
        "q4_k_m" => WeightFormat::Q4KM,
        "q4f16_1" => WeightFormat::Q4F16,
        "nvfp4" => WeightFormat::Nvfp4,
        "exl2-2.5" => WeightFormat::Exl2Bits25,
        "exl2-3.0" => WeightFormat::Exl2Bits30,
        "exl2-4.0" => WeightFormat::Exl2Bits40,
        "exl2-5.0" => WeightFormat::Exl2Bits50,
        "exl2-6.0" => WeightFormat::Exl2Bits60,
        _ => return None,
    })
}

/// A number format of tensors.
pub(super) fn dtype(name: &str) -> Option<Dtype> {
    Some(match name {
        "fp32" => Dtype::Fp32,
        "bf16" => Dtype::Bf16,
        "fp16" => Dtype::Fp16,
        "fp8" => Dtype::Fp8,
        "fp4" => Dtype::Fp4,
        "int8" => Dtype::Int8,
        _ => return None,
    })
}

/// An optimizer; 8-bit states make the 8-bit variant of a plain name.
pub(super) fn optimizer(name: &str, state: &str) -> Option<OptimizerKind> {
    Some(match (name, state) {
        ("adamw", "int8") | ("adamw8bit", _) => OptimizerKind::AdamW8bit,
        ("adamw", "fp8") | ("adamw-fp8", _) => OptimizerKind::AdamWFp8,
        ("adamw", "int4") | ("adamw4bit", _) => OptimizerKind::AdamW4bit,
        ("adamw" | "", _) => OptimizerKind::AdamW,
        ("adam-amsgrad", _) => OptimizerKind::AdamWAmsgrad,
        ("adamw-paged", _) => OptimizerKind::PagedAdamW,
        ("adamw-paged8bit", _) => OptimizerKind::PagedAdamW8bit,
        ("adafactor", _) => OptimizerKind::Adafactor,
        ("adagrad", _) => OptimizerKind::Adagrad,
        ("rmsprop", _) => OptimizerKind::RmsProp,
        ("sgd", _) => OptimizerKind::Sgd,
        ("sgd-momentum", _) => OptimizerKind::SgdMomentum,
        ("lion", "int8") | ("lion8bit", _) => OptimizerKind::Lion8bit,
        ("lion", _) => OptimizerKind::Lion,
        ("muon", _) => OptimizerKind::Muon,
        _ => return None,
    })
}

/// What shares a scale in 8- and 4-bit products.
pub(super) fn recipe(name: &str) -> Option<ScaleRecipe> {
    Some(match name {
        "current" => ScaleRecipe::Current,
        "delayed" => ScaleRecipe::Delayed,
        "tensorwise" => ScaleRecipe::Tensorwise,
        "rowwise" => ScaleRecipe::Rowwise,
        "rowwise-gw-hp" => ScaleRecipe::RowwiseWideWeightGradients,
        "mxfp8" | "mxfp8-rceil" => ScaleRecipe::Mxfp8,
        "nvfp4" => ScaleRecipe::Nvfp4,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_storage_format_of_the_schema_has_a_meaning() {
        for name in NAMES {
            assert!(weight_format(name, None).is_some(), "{name}");
        }
        let small = weight_format("gptq4", Some(32));
        assert_eq!(small, Some(WeightFormat::Int4Group32), "the group size counts");
    }
}

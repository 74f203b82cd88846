//! Number formats and how many bytes they take.

use serde::{Deserialize, Serialize};

/// A number format of tensors that are computed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dtype {
    /// 32-bit float.
    Fp32,
    /// bfloat16.
    #[default]
    Bf16,
    /// IEEE half precision.
    Fp16,
    /// 8-bit float (E4M3 or E5M2).
    Fp8,
    /// 4-bit float with block scales (NVFP4).
    Fp4,
    /// 8-bit integer.
    Int8,
}

impl Dtype {
    /// Bits of one element, without scales.
    #[must_use]
    pub const fn bits(self) -> u64 {
        match self {
            Self::Fp32 => 32,
            Self::Bf16 | Self::Fp16 => 16,
            Self::Fp8 | Self::Int8 => 8,
            Self::Fp4 => 4,
        }
    }

    /// Bytes of one element; a 4-bit format counts as one byte here, see [`Dtype::bits`].
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self.bits() {
            32 => 4,
            16 => 2,
            _ => 1,
        }
    }

    /// The name the field uses, the same in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fp32 => "fp32",
            Self::Bf16 => "bf16",
            Self::Fp16 => "fp16",
            Self::Fp8 => "fp8",
            Self::Fp4 => "fp4",
            Self::Int8 => "int8",
        }
    }
}

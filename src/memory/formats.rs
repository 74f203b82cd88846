//! Bytes per parameter of weight formats and optimizer states.

use crate::{
    catalogue::Dtype,
    plan::{OptimizerKind, WeightFormat},
};

/// Bits of one stored weight, scales and zero points included.
///
/// ```text
/// nf4          4 + 32/64                      (fp32 scale per block of 64)
/// nf4 double   4 + 8/64 + 32/(64·256)         (8-bit scale, fp32 per 256 scales)
/// int4 g       4 + 16/g + 4/g                 (16-bit scale, 4-bit zero point per group g)
/// int8         8 + 16/4096                    (16-bit scale per channel of about 4096)
/// int8 g       8 + 16/g + 8/g                 (16-bit scale, 8-bit zero point per group g)
/// q4f16_1      4 + 16/32                      (16-bit scale per group of 32, no zero point)
/// exl2         as named                       (the mixture is made to reach this average)
/// q4_k_m       4.85                           (mixture of 4- and 6-bit blocks)
/// nvfp4        4 + 8/16                       (8-bit scale per block of 16)
/// ```
///
/// Source: bitsandbytes (Dettmers et al. 2023, arXiv:2305.14314, section 3), GPTQ and AWQ storage
/// layouts, llama.cpp's published bits per weight, NVFP4 definition.
#[expect(clippy::match_same_arms, reason = "two formats happen to have equal overheads")]
pub(crate) fn weight_bits(format: WeightFormat) -> f64 {
    match format {
        WeightFormat::Fp32 => 32.0,
        WeightFormat::Bf16 | WeightFormat::Fp16 => 16.0,
        WeightFormat::Fp8 => 8.0,
        WeightFormat::Int8 => 8.0 + 16.0 / 4096.0,
        WeightFormat::Nf4 => 4.0 + 32.0 / 64.0,
        WeightFormat::Nf4Double => 4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0),
        WeightFormat::Int8Group128 => 8.0 + 24.0 / 128.0,
        WeightFormat::Int4Group128 => 4.0 + 20.0 / 128.0,
        WeightFormat::Int4Group64 => 4.0 + 20.0 / 64.0,
        WeightFormat::Int4Group32 => 4.0 + 20.0 / 32.0,
        WeightFormat::Q4KM => 4.85,
        WeightFormat::Q4F16 => 4.0 + 16.0 / 32.0,
        WeightFormat::Exl2Bits25 => 2.5,
        WeightFormat::Exl2Bits30 => 3.0,
        WeightFormat::Exl2Bits40 => 4.0,
        WeightFormat::Exl2Bits50 => 5.0,
        WeightFormat::Exl2Bits60 => 6.0,
        WeightFormat::Nvfp4 => 4.0 + 8.0 / 16.0,
    }
}

/// Bytes of a weight outside the blocks' linears: embeddings, norms, head.
///
/// llama.cpp's mixtures and MLC's groups quantise the vocabulary's matrices too; the others leave
/// them in 16 bits.
///
/// Source: llama.cpp's published sizes and bits per weight, which are averages over the whole file;
/// MLC's `q4f16_1` (`quantize_embedding`, `quantize_final_fc`).
pub(crate) fn outside_bytes(format: WeightFormat) -> f64 {
    match format {
        WeightFormat::Fp32 => 4.0,
        WeightFormat::Q4KM | WeightFormat::Q4F16 => weight_bits(format) / 8.0,
        _ => 2.0,
    }
}

/// Bytes of optimizer state per parameter.
///
/// ```text
/// AdamW 2·s   Lion, momentum, RMSprop, Adagrad 1·s   SGD 0
/// 8-bit AdamW 2 + 2·4/256    8-bit Lion 1 + 4/256    4-bit AdamW 1 + 2·4/128    fp8 AdamW 2 + 2·4/256
/// ```
///
/// `s` bytes of the state's format. Adafactor and Muon depend on shapes and are counted there.
///
/// Source: state sizes made by the libraries' own code (bitsandbytes 0.50, torchao 0.18, torch 2.15).
pub(crate) fn state_bytes_per_param(kind: OptimizerKind, state: Dtype) -> f64 {
    let each = state.bytes() as f64;
    match kind {
        OptimizerKind::AdamW | OptimizerKind::PagedAdamW => 2.0 * each,
        OptimizerKind::AdamWAmsgrad => 3.0 * each,
        OptimizerKind::AdamW8bit | OptimizerKind::PagedAdamW8bit | OptimizerKind::AdamWFp8 => {
            2.0 + 8.0 / 256.0
        }
        OptimizerKind::AdamW4bit => 1.0 + 8.0 / 128.0,
        OptimizerKind::Lion8bit => 1.0 + 4.0 / 256.0,
        OptimizerKind::Lion
        | OptimizerKind::Adagrad
        | OptimizerKind::RmsProp
        | OptimizerKind::SgdMomentum
        | OptimizerKind::Muon => each,
        OptimizerKind::Adafactor | OptimizerKind::Sgd => 0.0,
    }
}

/// Temporary copies of the parameters, in the state's format, that a multi-tensor step makes.
///
/// Source: traced storages of torch 2.15's foreach implementations.
pub(crate) const fn foreach_copies(kind: OptimizerKind) -> u64 {
    match kind {
        OptimizerKind::AdamW
        | OptimizerKind::AdamWAmsgrad
        | OptimizerKind::RmsProp
        | OptimizerKind::Adafactor => 1,
        OptimizerKind::Adagrad => 2,
        _ => 0,
    }
}

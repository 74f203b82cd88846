//! A plausible model for a bare size such as `13B`.

use super::{Activation, Architecture, Biases, Norm, NormPlacement, Positions, QkNorm};

/// Head dimension of the proposals, as in Llama, Qwen and Mistral models.
const HEAD_DIM: u32 = 128;
/// Key-value heads of the proposals, as in Llama 3 of every size.
const KV_HEADS: u32 = 8;
/// The feed-forward width is a multiple of this, as in Llama models.
const FFN_STEP: u32 = 256;
/// Vocabulary of the proposals: Llama 3's.
const VOCAB: u32 = 128_256;
/// Vocabulary of small proposals: Llama 2's.
const SMALL_VOCAB: u32 = 32_000;
/// Below so many parameters a large vocabulary would leave nothing for the blocks.
const SMALL: u64 = 1_000_000_000;
/// Below so many parameters published models share the embedding with the head (Llama 3.2 3B does,
/// Llama 3.1 8B does not).
const TIED_BELOW: u64 = 4_000_000_000;
/// Context of the proposals: Llama 3's.
const MAX_POSITIONS: u32 = 8192;
/// Largest width that is tried; Llama 3.1 405B has 16,384.
const MAX_HIDDEN: u32 = 65_536;
/// Feed-forward width over hidden width in Llama 3.
const FFN_RATIO: f64 = 3.5;
/// Lowest and highest such ratio that is accepted: Llama 2's is 2.7, Qwen2.5 7B's 5.3.
const FFN_RATIOS: std::ops::RangeInclusive<f64> = 2.5..=4.5;

/// Smallest and largest number of parameters for which a model is proposed: below, a vocabulary alone
/// is larger; above, nothing has been published whose shape could be followed.
const SIZES: std::ops::RangeInclusive<f64> = 1e6..=1e13;

/// Shapes of published models that people mean by their size: width, layers, heads, key-value heads,
/// feed-forward width, vocabulary. Head dimension 128, own head.
///
/// Source: `config.json` of Llama 2 7B and 13B, Llama 30B and 65B, Llama 3.1 8B, 70B and 405B.
const FAMILIAR: [(u32, u32, u32, u32, u32, u32); 7] = [
    (4096, 32, 32, 32, 11_008, SMALL_VOCAB),
    (5120, 40, 40, 40, 13_824, SMALL_VOCAB),
    (6656, 60, 52, 52, 17_920, SMALL_VOCAB),
    (8192, 80, 64, 64, 22_016, SMALL_VOCAB),
    (4096, 32, 32, 8, 14_336, VOCAB),
    (8192, 80, 64, 8, 28_672, VOCAB),
    (16_384, 126, 128, 8, 53_248, VOCAB),
];
/// A familiar shape is proposed if its size differs from the request by no more than this.
const FAMILIAR_WITHIN: f64 = 0.01;

/// Why a text is not a size for which a model can be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Not a number with a unit.
    #[error("not a number of parameters; type a number and M, B or T, such as 13B")]
    NotASize,
    /// Too small or too large.
    #[error("out of range; type a size from 1M to 10T")]
    OutOfRange,
}

/// Reads a size such as `13B`, `7.5b`, `350M` or `1.2T` as a number of parameters.
///
/// # Errors
///
/// [`SizeError::NotASize`] for words and numbers without a unit, [`SizeError::OutOfRange`] for sizes
/// below 1 M or above 10 T.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let params = number_with_unit(text.trim()).ok_or(SizeError::NotASize)?;
    if SIZES.contains(&params) { Ok(to_u64(params)) } else { Err(SizeError::OutOfRange) }
}

fn number_with_unit(text: &str) -> Option<f64> {
    let unit = text.chars().next_back()?;
    let scale = match unit.to_ascii_uppercase() {
        'K' => 1e3,
        'M' => 1e6,
        'B' | 'G' => 1e9,
        'T' => 1e12,
        _ => return None,
    };
    let digits = text.strip_suffix(unit)?.trim_end();
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    Some((digits.parse::<f64>().ok()? * scale).round())
}

/// A plausible Llama-style architecture of about so many parameters: a familiar one if there is one
/// of this size within 1 %, else one made for the size.
///
/// Grouped queries with 8 key-value heads (small models fewer), `SwiGLU`, head dimension 128. Width and depth follow the
/// aspect ratio of published models; the feed-forward width then takes up what is left:
///
/// ```text
/// f = ((P − V·h·(2 or 1 if tied) − h)/L − 2·a·d·h − 2·g·d·h − 2·h) / (3·h)
/// ```
///
/// `P` parameters. From 100 M to 2 T the exact count is within 3 % of the request.
#[must_use]
pub fn plausible_architecture(params: u64) -> Architecture {
    familiar(params).unwrap_or_else(|| made_for(params))
}

/// The published shape that comes closest, if it comes close.
fn familiar(params: u64) -> Option<Architecture> {
    let error = |arch: &Architecture| relative_error(arch, params);
    FAMILIAR
        .iter()
        .map(|&(hidden, layers, heads, kv_heads, ffn, vocab)| Architecture {
            heads,
            kv_heads,
            ffn,
            vocab,
            tied: false,
            ..candidate(params, hidden, layers)
        })
        .filter(|arch| error(arch) <= FAMILIAR_WITHIN)
        .min_by(|one, other| error(one).total_cmp(&error(other)))
}

fn relative_error(arch: &Architecture, params: u64) -> f64 {
    let wanted = params as f64;
    (parameters(arch) as f64 - wanted).abs() / wanted.max(1.0)
}

fn made_for(params: u64) -> Architecture {
    let mut best = candidate(params, HEAD_DIM * 2, 2);
    let mut best_score = score(&best, params);
    for hidden in widths() {
        let ideal = ideal_layers(hidden);
        for layers in ideal.saturating_sub(ideal / 4).max(2)..=ideal + ideal / 4 {
            let arch = candidate(params, hidden, layers);
            let score = score(&arch, params);
            if score < best_score {
                (best, best_score) = (arch, score);
            }
        }
    }
    best
}

/// Widths that are tried: multiples of 256 up to 2,048, of 512 up to 4,096, then of 1,024, as nearly
/// all published ones.
fn widths() -> impl Iterator<Item = u32> {
    let small = (256..2048).step_by(256).chain((2048..4096).step_by(512));
    small.chain((4096..=MAX_HIDDEN).step_by(1024))
}

/// Depth that suits a width, by the aspect ratios h/L of published models: 64 at 768 (GPT-2 small),
/// 128 at 2,048 and 4,096 (Llama 3.2 1B, 3.1 8B), 102 at 8,192 and 130 at 16,384 (Llama 3.1).
fn ideal_layers(hidden: u32) -> u32 {
    let ratio = match hidden {
        0..1024 => 64.0,
        1024..2048 => 85.0,
        2048..16_384 => 120.0,
        _ => 130.0,
    };
    to_u32((f64::from(hidden) / ratio).round()).max(2)
}

/// How far a proposal is from the requested size and from the shape of published models; low is good.
fn score(arch: &Architecture, params: u64) -> f64 {
    let error = relative_error(arch, params);
    let ratio = f64::from(arch.ffn) / f64::from(arch.hidden);
    let depth = (f64::from(arch.layers) / f64::from(ideal_layers(arch.hidden))).ln().abs();
    let odd = if FFN_RATIOS.contains(&ratio) { 0.0 } else { 1.0 };
    // An error of one per cent weighs as much as a depth or ffn ratio that is off by 10 %.
    10.0 * error + (ratio / FFN_RATIO).ln().abs() + depth + odd
}

/// The architecture of this width and depth whose feed-forward width comes closest to the size.
fn candidate(params: u64, hidden: u32, layers: u32) -> Architecture {
    let heads = hidden / HEAD_DIM;
    let mut arch = Architecture {
        hidden,
        layers,
        heads,
        kv_heads: kv_heads(heads),
        head_dim: HEAD_DIM,
        ffn: 0,
        gated_mlp: true,
        activation: Activation::Silu,
        vocab: if params < SMALL { SMALL_VOCAB } else { VOCAB },
        tied: params < TIED_BELOW,
        head: true,
        max_positions: MAX_POSITIONS,
        norm: Norm::RmsNorm,
        norm_placement: NormPlacement::Pre,
        final_norm: true,
        embedding_norm: false,
        qk_norm: QkNorm::None,
        positions: Positions::Rotary,
        biases: Biases::default(),
        attention_sinks: false,
        fused_qkv: false,
        fused_gate_up: false,
        embedding_dim: None,
        dropout: 0.0,
        attention_dropout: 0.0,
        embedding_dropout: 0.0,
        attention_softcap: false,
        final_softcap: false,
        window: None,
        moe: None,
        mla: None,
    };
    let left = params.saturating_sub(parameters(&arch)) as f64;
    let one_column = 3.0 * f64::from(hidden) * f64::from(layers) * f64::from(FFN_STEP);
    arch.ffn = to_u32((left / one_column).round()).max(1).saturating_mul(FFN_STEP);
    arch
}

/// Largest power of two, at most [`KV_HEADS`], of groups with two or more query heads each.
fn kv_heads(heads: u32) -> u32 {
    let fits = |&groups: &u32| heads.is_multiple_of(groups) && heads >= 2 * groups;
    [KV_HEADS, 4, 2].into_iter().find(fits).unwrap_or(1)
}

/// Parameters of a Llama-style model.
///
/// ```text
/// P = V·h·(2 or 1 if tied) + L·(2·a·d·h + 2·g·d·h + 3·h·f + 2·h) + h
/// ```
fn parameters(arch: &Architecture) -> u64 {
    let [hidden, layers, vocab, ffn] =
        [arch.hidden, arch.layers, arch.vocab, arch.ffn].map(u64::from);
    let attention = 2 * (arch.query_width() + arch.kv_width()) * hidden;
    let layer = attention + 3 * hidden * ffn + 2 * hidden;
    let tables = if arch.tied { 1 } else { 2 };
    layers.saturating_mul(layer).saturating_add(vocab * hidden * tables + hidden)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to integer casts saturate, which is what is wanted here"
)]
fn to_u64(value: f64) -> u64 {
    value as u64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to integer casts saturate, which is what is wanted here"
)]
fn to_u32(value: f64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(parse_size("13B"), Ok(13_000_000_000), "billions");
        assert_eq!(parse_size(" 7.5b "), Ok(7_500_000_000), "lower case and spaces");
        assert_eq!(parse_size("350 M"), Ok(350_000_000), "millions");
        assert_eq!(parse_size("1.2T"), Ok(1_200_000_000_000), "trillions");
        for wrong in ["", "B", "13", "-3B", "1e3B", "nanB", "seven B", "thirteen"] {
            assert_eq!(parse_size(wrong), Err(SizeError::NotASize), "{wrong:?} is not a size");
        }
    }

    #[test]
    fn sizes_that_nobody_has_are_refused() {
        for fine in ["1M", "10T"] {
            assert!(parse_size(fine).is_ok(), "{fine} is an end of the range");
        }
        for wrong in ["0B", "999K", "10.1T", "9999999999T"] {
            assert_eq!(parse_size(wrong), Err(SizeError::OutOfRange), "{wrong:?}");
        }
    }

    #[test]
    fn a_familiar_size_has_its_familiar_shape() {
        let arch = plausible_architecture(13_000_000_000);
        assert_eq!((arch.layers, arch.hidden, arch.ffn), (40, 5120, 13_824), "Llama 2 13B");
        assert_eq!(parameters(&arch), 13_015_864_320, "its exact count");
        let arch = plausible_architecture(70_000_000_000);
        assert_eq!((arch.layers, arch.hidden, arch.kv_heads), (80, 8192, 8), "Llama 3.1 70B");
    }

    #[test]
    fn a_proposal_has_the_requested_size_from_100_million_to_2_trillion() {
        let mut params = 1e8;
        while params <= 2e12 {
            let arch = plausible_architecture(to_u64(params));
            let error = parameters(&arch) as f64 / params - 1.0;
            assert!(error.abs() < 0.03, "{params:e}: off by {error} with {arch:?}");
            let ratio = f64::from(arch.ffn) / f64::from(arch.hidden);
            assert!(FFN_RATIOS.contains(&ratio), "{params:e}: odd shape {arch:?}");
            assert!(arch.flaws().is_empty(), "{params:e}: {:?}", arch.flaws());
            params *= 1.07;
        }
    }

    #[test]
    fn an_8b_proposal_looks_like_llama() {
        let arch = plausible_architecture(8_030_000_000);
        assert!((3584..=4608).contains(&arch.hidden), "width {}", arch.hidden);
        assert!((26..=40).contains(&arch.layers), "layers {}", arch.layers);
        assert_eq!(arch.vocab, VOCAB, "a large vocabulary");
        assert!(!arch.tied, "its own head");
    }
}

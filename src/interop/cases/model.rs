//! The model of a row: an entry of the catalogue, a shape given field by field, or a size alone.

use super::{Note, row::Row};
use crate::{
    catalogue::{
        Activation, Architecture, Biases, Catalogue, Mla, Moe, Norm, NormPlacement, Positions,
        QkNorm, plausible_architecture,
    },
    memory::params,
    message::Message,
    plan::{CustomModel, ModelChoice},
};

/// Largest difference between a stated number of parameters and ours that passes without a note.
const PARAMS_TOLERANCE: f64 = 0.01;
/// Dropout of the blocks that GPT-2, BERT and Megatron's defaults train with.
const CLASSIC_DROPOUT: f32 = 0.1;

/// The model, and what was assumed about it.
///
/// # Errors
///
/// A message if the name is not in the catalogue and the row gives neither shape nor size.
pub(super) fn model(
    row: &Row<'_>,
    catalogue: &Catalogue,
    notes: &mut Vec<Note>,
) -> Result<ModelChoice, Message> {
    let name = row.text("model");
    if row.stated("hidden").is_some() {
        let architecture = from_columns(row)?;
        note_params(row, &architecture, notes);
        return Ok(custom(name.to_owned(), architecture));
    }
    if let Some(entry) = catalogue.model(name) {
        return Ok(match row.count("layers_override") {
            Some(layers) => {
                custom(format!("{name}, {layers} layers"), shortened(&entry.architecture, layers))
            }
            None => ModelChoice::Catalogue(entry.id.clone()),
        });
    }
    let params = row.number("params").filter(|&params| params >= 1e6);
    let Some(params) = params else {
        return Err(Message::new("cases-skip-model").with("model", name.to_owned()));
    };
    notes.push(Message::new("cases-note-proposed").with("model", name.to_owned()));
    Ok(custom(name.to_owned(), plausible_architecture(whole(params))))
}

fn custom(name: String, architecture: Architecture) -> ModelChoice {
    ModelChoice::Custom(Box::new(CustomModel { name, architecture, proposed_from: None }))
}

/// The same model with another number of blocks; sliding blocks keep their share.
fn shortened(whole: &Architecture, layers: u32) -> Architecture {
    let mut arch = whole.clone();
    if let Some(window) = &mut arch.window {
        let sliding = u64::from(window.sliding_layers) * u64::from(layers);
        let share = sliding.div_ceil(u64::from(whole.layers.max(1)));
        window.sliding_layers = u32::try_from(share).unwrap_or(layers).min(layers);
    }
    arch.layers = layers;
    arch
}

/// What `arch_note` says beyond the columns.
struct Phrases<'a>(&'a str);

impl Phrases<'_> {
    fn says(&self, words: &str) -> bool {
        self.0.contains(words)
    }

    /// The whole number behind some words, such as `kv_lora=512`.
    fn number(&self, words: &str) -> Option<u32> {
        let (_, rest) = self.0.split_once(words)?;
        let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }

    /// Blocks as in GPT-2: layer norms, biases everywhere, learned positions.
    fn is_classic(&self) -> bool {
        ["gpt-2/3 block", "mpt block", "gpt-neox block", "encoder"]
            .iter()
            .any(|block| self.says(block))
    }
}

fn from_columns(row: &Row<'_>) -> Result<Architecture, Message> {
    let note = row.text("arch_note").to_lowercase();
    let phrases = Phrases(&note);
    let needed = |column: &'static str| {
        let missing = || Message::new("cases-skip-shape").with("column", column.to_owned());
        row.count(column).filter(|&value| value > 0).ok_or_else(missing)
    };
    let (hidden, heads) = (needed("hidden")?, needed("heads")?);
    let kv_heads = row.count("kv_heads").unwrap_or(heads);
    let gated_mlp = row.yes("gated_mlp").unwrap_or(!phrases.is_classic());
    let mla = mla(&phrases);
    let head_dim = match &mla {
        Some(mla) => mla.qk_nope_dim.saturating_add(mla.qk_rope_dim),
        None => row.count("head_dim").unwrap_or(hidden / heads),
    };
    let moe = moe(row, &phrases);
    let ffn = row.count("ffn").or(moe.map(|moe| moe.expert_ffn));
    let ffn =
        ffn.ok_or_else(|| Message::new("cases-skip-shape").with("column", "ffn".to_owned()))?;
    let encoder = phrases.says("encoder");
    let learned = phrases.says("learned positions") || phrases.says("mpt block");
    let sequence = row.count("seq").unwrap_or(0);
    let dropout = if encoder || phrases.says("gpt-2/3 block") { CLASSIC_DROPOUT } else { 0.0 };
    Ok(Architecture {
        hidden,
        layers: row.count("layers_override").map_or_else(|| needed("layers"), Ok)?,
        heads,
        kv_heads,
        head_dim,
        ffn,
        gated_mlp,
        activation: if gated_mlp { Activation::Silu } else { Activation::Gelu },
        vocab: needed("vocab")?,
        tied: row.yes("tied").unwrap_or(false),
        head: !encoder,
        max_positions: sequence,
        norm: if phrases.says("rmsnorm") || !phrases.says("layernorm") && !phrases.is_classic() {
            Norm::RmsNorm
        } else {
            Norm::LayerNorm
        },
        norm_placement: placement(&phrases),
        final_norm: !encoder,
        embedding_norm: encoder,
        qk_norm: QkNorm::None,
        positions: if learned {
            Positions::Learned { rows: phrases.number("learned positions").unwrap_or(sequence) }
        } else {
            Positions::Rotary
        },
        biases: biases(&phrases),
        attention_sinks: false,
        fused_qkv: fuses(row, &phrases, heads == kv_heads),
        fused_gate_up: false,
        embedding_dim: None,
        dropout,
        attention_dropout: dropout,
        embedding_dropout: dropout,
        attention_softcap: false,
        final_softcap: false,
        window: None,
        moe,
        mla,
    })
}

/// Queries, keys and values are one matrix: where adapters name it, and in classic blocks.
///
/// Biased projections without grouped queries are Qwen's first generation, which fuses them.
fn fuses(row: &Row<'_>, phrases: &Phrases<'_>, every_head_has_keys: bool) -> bool {
    row.list("lora_targets").any(|target| target == "qkv")
        || phrases.is_classic() && !phrases.says("encoder")
        || phrases.says("qkv bias") && every_head_has_keys
}

fn placement(phrases: &Phrases<'_>) -> NormPlacement {
    if phrases.says("post-layernorm") {
        NormPlacement::Post
    } else if !phrases.says("parallel residual") {
        NormPlacement::Pre
    } else if phrases.says("neox") {
        NormPlacement::ParallelSeparate
    } else {
        NormPlacement::ParallelShared
    }
}

fn biases(phrases: &Phrases<'_>) -> Biases {
    // "attention biases" and "qkv bias" name some of them, "biases" alone means all.
    let all = phrases.is_classic()
        || phrases.says("biases")
            && !phrases.says("attention biases")
            && !phrases.says("no biases");
    let attention = phrases.says("attention biases");
    Biases {
        qkv: all || attention || phrases.says("qkv bias"),
        attention_out: all || attention,
        mlp: all,
        head: phrases.says("lm_head bias"),
        router: false,
    }
}

fn moe(row: &Row<'_>, phrases: &Phrases<'_>) -> Option<Moe> {
    let experts = row.count("experts").filter(|&experts| experts > 0)?;
    let expert_ffn = row.count("expert_ffn").or(row.count("ffn"))?;
    Some(Moe {
        experts,
        topk: row.count("topk").unwrap_or(1),
        expert_ffn,
        shared_ffn: row.count("shared_experts").unwrap_or(0).saturating_mul(expert_ffn),
        first_dense: if phrases.says("first layer dense") {
            1
        } else {
            phrases.number("dense layers=").unwrap_or(0)
        },
    })
}

fn mla(phrases: &Phrases<'_>) -> Option<Mla> {
    Some(Mla {
        q_lora_rank: phrases.number("q_lora="),
        kv_lora_rank: phrases.number("kv_lora=")?,
        qk_nope_dim: phrases.number("qk_nope=")?,
        qk_rope_dim: phrases.number("qk_rope=")?,
        v_dim: phrases.number("v_head=")?,
    })
}

/// A note where the stated size and the one of the shape differ: the columns miss something.
fn note_params(row: &Row<'_>, architecture: &Architecture, notes: &mut Vec<Note>) {
    let Some(stated) = row.number("params").filter(|&params| params > 0.0) else {
        return;
    };
    let ours = params::count(architecture).total as f64;
    if (ours / stated - 1.0).abs() > PARAMS_TOLERANCE {
        let percent = crate::units::grouped((ours / stated - 1.0) * 100.0, 1);
        notes.push(Message::new("cases-note-params").with("percent", percent));
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to integer casts saturate, which is what is wanted here"
)]
const fn whole(value: f64) -> u64 {
    value as u64
}

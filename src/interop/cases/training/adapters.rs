//! Adapters of a row.

use super::super::{Note, formats, framework::Defaults, row::Row};
use crate::{
    message::Message,
    plan::{Lora, LoraTargets, Method},
};

/// Rank where neither the row nor the number of trained parameters tells: peft's default.
const USUAL_RANK: u32 = 8;

/// Which parameters train.
pub(super) fn method(row: &Row<'_>) -> Method {
    let quantised = !matches!(row.text("base_format"), "" | "bf16" | "fp16" | "fp32");
    match row.text("method") {
        "lora" if !quantised => Method::Lora,
        "lora" | "qlora" => Method::Qlora,
        other if other.starts_with("other:") && quantised => Method::Qlora,
        other if other.starts_with("other:") => Method::Lora,
        _ => Method::Full,
    }
}

/// Rank, targets and format.
///
/// # Errors
///
/// A message if the targets are not a set that the planner knows.
pub(super) fn lora(
    row: &Row<'_>,
    defaults: &Defaults,
    notes: &mut Vec<Note>,
) -> Result<Lora, Message> {
    let kept = |name| row.list("modules_to_save").any(|module| module == name);
    let mut lora = Lora {
        rank: row.count("lora_rank").unwrap_or(USUAL_RANK).max(1),
        targets: targets(row)?,
        dtype: formats::dtype(row.text("lora_dtype")).unwrap_or(defaults.adapter_dtype),
        dropout: dropout(row),
        train_embeddings: kept("embedding") || kept("head"),
    };
    let method = row.text("method");
    if method.starts_with("other:") {
        // Other adapters are small, and their gradients go through every frozen block as LoRA's do.
        notes.push(Message::new("cases-note-method").with("method", method.to_owned()));
        if row.stated("lora_targets").is_none() {
            lora.targets = LoraTargets::QueryValue;
        }
    }
    Ok(lora)
}

/// The nearest set of linears that the planner knows.
fn targets(row: &Row<'_>) -> Result<LoraTargets, Message> {
    let mut named: Vec<&str> = row.list("lora_targets").collect();
    named.sort_unstable();
    named.dedup();
    Ok(match named.as_slice() {
        [] | ["all-linear"] | ["down", "gate", "k", "o", "q", "up", "v"] => LoraTargets::AllLinear,
        ["qkv"] | ["k", "q", "v"] => LoraTargets::Qkv,
        ["q", "v"] => LoraTargets::QueryValue,
        ["k", "o", "q", "v"] | ["o", "qkv"] => LoraTargets::Attention,
        ["down", "gate", "k", "q", "up", "v"] => LoraTargets::AllButOutput,
        ["down", "gate", "o", "q", "up", "v"] => LoraTargets::AllButKey,
        _ => {
            let targets = row.text("lora_targets").to_owned();
            return Err(Message::new("cases-skip-targets").with("targets", targets));
        }
    })
}

#[expect(clippy::cast_possible_truncation, reason = "a probability needs few digits")]
fn dropout(row: &Row<'_>) -> f32 {
    row.number("lora_dropout").unwrap_or(0.0) as f32
}

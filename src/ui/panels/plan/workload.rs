//! What the GPUs are to do.

use egui::DragValue;

use super::{
    form::Form,
    precision,
    rows::{Rows, parse_number, trimmed},
    trains, trains_adapters,
};
use crate::{
    catalogue::Dtype,
    plan::Field,
    ui::widgets::size_slider::{SizeRange, drag_speed, number_box},
    units::{grouped, short_count},
};

/// Lengths of sequences: from a paragraph to the longest contexts on offer.
const LENGTHS: SizeRange = SizeRange { slider: 128..=1 << 20, typed: 1..=1 << 24 };
const GENERATED: SizeRange = SizeRange::up_to(1 << 17, 1 << 24);
const MICRO_BATCHES: SizeRange = SizeRange::up_to(256, 65_536);
const ACCUMULATION: SizeRange = SizeRange::up_to(1024, 1_000_000);
const CONCURRENCY: SizeRange = SizeRange::up_to(4096, 1_000_000);
const RANKS: SizeRange = SizeRange::up_to(512, 65_536);

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    rows.segments(Field::Task, |plan| &mut plan.workload.task);
    if trains(&rows.form.plan) {
        training(rows);
    } else {
        serving(rows);
    }
}

fn training(rows: &mut Rows<'_, '_>) {
    if rows.segments(Field::Method, |plan| &mut plan.workload.method) {
        precision::follow_method(&mut rows.form.plan);
    }
    rows.size(Field::Sequence, "unit-tokens", &LENGTHS, |plan| &mut plan.workload.sequence);
    rows.size(Field::MicroBatch, "unit-sequences", &MICRO_BATCHES, |plan| {
        &mut plan.workload.micro_batch
    });
    rows.size(Field::Accumulation, "unit-micro-batches", &ACCUMULATION, |plan| {
        &mut plan.workload.accumulation
    });
    rows.fact(|form| Some(batch_facts(form)));
}

fn serving(rows: &mut Rows<'_, '_>) {
    rows.size(Field::PromptTokens, "unit-tokens", &LENGTHS, |plan| {
        &mut plan.workload.prompt_tokens
    });
    rows.size(Field::GeneratedTokens, "unit-tokens", &GENERATED, |plan| {
        &mut plan.workload.generated_tokens
    });
    rows.size(Field::Concurrency, "unit-sequences", &CONCURRENCY, |plan| {
        &mut plan.workload.concurrency
    });
    rows.fact(|form| Some(serving_facts(form)));
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    if !trains(&rows.form.plan) {
        rows.choice(Field::Cache, |plan| &mut plan.workload.cache);
        return;
    }
    if trains_adapters(&rows.form.plan) {
        adapters(rows);
    }
    rows.check(Field::PaddedMask, |plan| &mut plan.workload.padded_mask);
    rows.check(Field::OnesMask, |plan| &mut plan.workload.ones_mask);
    rows.check(Field::VaryingLengths, |plan| &mut plan.workload.varying_lengths);
    training_tokens(rows);
}

fn adapters(rows: &mut Rows<'_, '_>) {
    rows.size(Field::LoraRank, "", &RANKS, |plan| &mut plan.workload.lora.rank);
    rows.choice(Field::LoraTargets, |plan| &mut plan.workload.lora.targets);
    rows.dtype(Field::LoraDtype, &[Dtype::Fp32, Dtype::Bf16, Dtype::Fp16], |plan| {
        &mut plan.workload.lora.dtype
    });
    rows.row(
        Field::LoraDropout,
        "",
        |plan| &mut plan.workload.lora.dropout,
        |ui, _, label, dropout| {
            let field = DragValue::new(dropout)
                .range(0.0..=0.9)
                .clamp_existing_to_range(false)
                .speed(0.01)
                .max_decimals(3)
                .custom_formatter(|value, _| trimmed(value, 3))
                .update_while_editing(false);
            number_box(ui, label, field);
        },
    );
    rows.check(Field::LoraEmbeddings, |plan| &mut plan.workload.lora.train_embeddings);
}

/// A count that spans many orders of magnitude: printed short, typed as `15T`.
fn training_tokens(rows: &mut Rows<'_, '_>) {
    rows.row(
        Field::TrainingTokens,
        "unit-tokens",
        |plan| &mut plan.workload.training_tokens,
        |ui, _, label, tokens| {
            let speed = drag_speed(ui, *tokens, 1e6);
            let field = DragValue::new(tokens)
                .range(1.0..=1e16)
                .clamp_existing_to_range(false)
                .speed(speed)
                .max_decimals(0)
                .custom_formatter(|value, _| short_count(value))
                .custom_parser(parse_number)
                .update_while_editing(false);
            number_box(ui, label, field);
        },
    );
}

/// What the batch amounts to over all GPUs; unknown while the GPUs cannot be divided.
fn batch_facts(form: &Form<'_>) -> String {
    let layout = form.plan.layout();
    if layout.world != layout.data * layout.tensor * layout.pipeline * layout.context {
        return form.texts.get("plan-batch-facts-none").into_owned();
    }
    let sequences =
        layout.data * layout.micro_batches * u64::from(form.plan.workload.micro_batch.max(1));
    let (sequences, tokens) = (whole(sequences), whole(layout.global_tokens));
    form.texts.with("plan-batch-facts", &[("sequences", &sequences), ("tokens", &tokens)])
}

/// How long the cache gets.
fn serving_facts(form: &Form<'_>) -> String {
    let work = &form.plan.workload;
    let each = u64::from(work.prompt_tokens) + u64::from(work.generated_tokens);
    let (each, all) = (whole(each), whole(each * u64::from(work.concurrency)));
    form.texts.with("plan-serving-facts", &[("each", &each), ("all", &all)])
}

/// A whole count with commas.
fn whole(count: u64) -> String {
    grouped(count as f64, 0)
}

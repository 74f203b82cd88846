//! Number formats.

use super::{rows::Rows, trains, trains_adapters};
use crate::{
    catalogue::Dtype,
    plan::{Choice as _, Field, Plan, Precision, Recipe, WeightFormat},
    ui::widgets::choice_combo::item_combo,
};

/// Formats in which trained parameters and gradients can live.
const STORED: [Dtype; 3] = [Dtype::Fp32, Dtype::Bf16, Dtype::Fp16];
/// Formats of large matrix products.
const COMPUTED: [Dtype; 5] = [Dtype::Fp32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp8, Dtype::Fp4];
/// Formats of the key-value cache.
const CACHED: [Dtype; 4] = [Dtype::Bf16, Dtype::Fp16, Dtype::Fp8, Dtype::Int8];

/// Rows that everybody sees.
pub fn basic(rows: &mut Rows<'_, '_>) {
    if trains(&rows.form.plan) && !trains_adapters(&rows.form.plan) {
        recipe(rows);
        if !rows.form.session.show_advanced {
            // What the recipe stands for is out of sight: its issues are said here.
            rows.issues_of(&[
                Field::ParamDtype,
                Field::ComputeDtype,
                Field::GradDtype,
                Field::Mixed,
            ]);
        }
    } else {
        rows.choice(Field::WeightFormat, |plan| &mut plan.precision.weight_format);
    }
}

/// Rows under the fold.
pub fn advanced(rows: &mut Rows<'_, '_>) {
    let plan = &rows.form.plan;
    let (trains, adapters) = (trains(plan), trains_adapters(plan));
    if adapters {
        recipe(rows);
    }
    if trains {
        rows.dtype(Field::ParamDtype, &STORED, |plan| &mut plan.precision.param_dtype);
    }
    rows.dtype(Field::ComputeDtype, &COMPUTED, |plan| &mut plan.precision.compute_dtype);
    if trains {
        rows.dtype(Field::GradDtype, &STORED, |plan| &mut plan.precision.grad_dtype);
        rows.choice(Field::Mixed, |plan| &mut plan.precision.mixed);
        if matches!(rows.form.plan.precision.compute_dtype, Dtype::Fp8 | Dtype::Fp4) {
            scaled(rows);
        }
    } else {
        if rows.form.plan.precision.weight_format.is_grouped() {
            rows.choice(Field::QuantisedKernel, |plan| &mut plan.precision.quantised_kernel);
        }
        rows.dtype(Field::KvDtype, &CACHED, |plan| &mut plan.precision.kv_dtype);
    }
}

/// How 8- and 4-bit products are scaled, and which they are.
fn scaled(rows: &mut Rows<'_, '_>) {
    rows.choice(Field::ScaleRecipe, |plan| &mut plan.precision.scaled.recipe);
    rows.check(Field::ScaledLinears, |plan| &mut plan.precision.scaled.linears);
    rows.check(Field::ScaledExperts, |plan| &mut plan.precision.scaled.experts);
    rows.check(Field::ScaledGather, |plan| &mut plan.precision.scaled.gather);
}

/// The recipe is not a value of its own: it is what the formats amount to, and choosing one sets them.
fn recipe(rows: &mut Rows<'_, '_>) {
    rows.row(
        Field::Recipe,
        "",
        |plan| &mut plan.precision,
        |ui, texts, label, precision: &mut Precision| {
            let mut recipe = Recipe::of(precision);
            let before = recipe;
            item_combo(ui, label, &mut recipe, Recipe::ALL, texts);
            if recipe != before {
                recipe.apply(precision);
            }
        },
    );
}

/// Brings the format of frozen weights in line with a method that was just chosen.
///
/// Quantised weights are what makes it `QLoRA`; every other method starts from 16-bit weights. A
/// format that suits the method stays as it is.
pub fn follow_method(plan: &mut Plan) {
    use crate::plan::Method;
    let wide = matches!(
        plan.precision.weight_format,
        WeightFormat::Bf16 | WeightFormat::Fp16 | WeightFormat::Fp32
    );
    match plan.workload.method {
        Method::Qlora if wide => plan.precision.weight_format = WeightFormat::Nf4Double,
        Method::Full | Method::Lora if !wide => plan.precision.weight_format = WeightFormat::Bf16,
        _ => {}
    }
}

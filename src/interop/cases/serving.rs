//! A row of a served model as a plan.

use super::{formats, framework, row::Row, training};
use crate::{
    catalogue::Dtype,
    plan::{
        CacheAllocation, Framework, Parallelism, Plan, Precision, QuantisedKernel, Task,
        WeightFormat,
    },
};

/// Fills in everything but model and machines.
pub(super) fn fill(row: &Row<'_>, plan: &mut Plan) {
    let defaults = framework::defaults(row);
    plan.workload.task = Task::Inference;
    (plan.workload.prompt_tokens, plan.workload.generated_tokens) = lengths(row);
    plan.workload.concurrency = row.degree("micro_batch").max(1);
    plan.workload.cache = match row.text("kv_alloc") {
        "dynamic" => CacheAllocation::Grows,
        "paged" => CacheAllocation::Paged,
        "static" => CacheAllocation::Static,
        _ => defaults.cache,
    };
    plan.precision = precision(row);
    plan.parallelism = Parallelism {
        tensor: row.degree("tp"),
        pipeline: row.degree("pp"),
        expert: row.degree("ep"),
        expert_tensor: row.count("etp"),
        ..Parallelism::default()
    };
    plan.framework = Framework {
        profile: defaults.profile,
        attention: row.stated("attention").map_or(defaults.attention, training::attention),
        keep_logits: row.yes("keep_logits").unwrap_or(defaults.all_logits),
        compile: row.yes("compile").unwrap_or(defaults.fused_modules),
        cuda_graphs: row.stated("cuda_graphs").map_or(defaults.captured, |scope| scope != "no"),
        ..Framework::default()
    };
}

/// The plan for the prefill speed of a row whose generation starts with an empty cache: prompts are
/// then measured apart, at the whole length.
pub(super) fn prefill_apart(row: &Row<'_>, plan: &Plan) -> Option<Plan> {
    let whole = row.count("seq").filter(|&whole| whole > 1)?;
    if row.count("prompt_len") != Some(0) {
        return None;
    }
    let mut plan = plan.clone();
    (plan.workload.prompt_tokens, plan.workload.generated_tokens) = (whole, 0);
    Some(plan)
}

/// Tokens of the prompt and after it.
///
/// Where only the whole length is stated, the prompt is all of it and one token follows.
fn lengths(row: &Row<'_>) -> (u32, u32) {
    let whole = row.count("seq");
    let (prompt, generated) = match (row.count("prompt_len"), row.count("gen_len"), whole) {
        (Some(prompt), Some(generated), _) => (prompt, generated),
        (Some(prompt), None, Some(whole)) => (prompt, whole.saturating_sub(prompt)),
        (None, Some(generated), Some(whole)) => (whole.saturating_sub(generated), generated),
        (None, Some(generated), None) => (0, generated),
        (Some(prompt), None, None) | (None, None, Some(prompt)) => {
            (prompt, u32::from(row.text("task") == "decode"))
        }
        (None, None, None) => {
            let usual = crate::plan::Workload::default();
            (usual.prompt_tokens, usual.generated_tokens)
        }
    };
    // A cache that is filled to the end by generation began with one token.
    if prompt == 0 { (1, generated.saturating_sub(1)) } else { (prompt, generated) }
}

fn precision(row: &Row<'_>) -> Precision {
    let format = formats::weight_format(row.text("base_format"), row.count("group_size"))
        .unwrap_or(WeightFormat::Bf16);
    let cache = formats::dtype(row.text("kv_dtype"));
    // Quantised weights are multiplied in the format of the cache.
    let compute = match format {
        WeightFormat::Fp32 => Dtype::Fp32,
        WeightFormat::Bf16 => Dtype::Bf16,
        WeightFormat::Fp16 | WeightFormat::Q4KM | WeightFormat::Q4F16 => Dtype::Fp16,
        _ if cache == Some(Dtype::Fp16) => Dtype::Fp16,
        _ => Dtype::Bf16,
    };
    Precision {
        param_dtype: if compute == Dtype::Fp32 { Dtype::Fp32 } else { compute },
        compute_dtype: compute,
        weight_format: format,
        quantised_kernel: match row.text("kernel") {
            "gemv" => QuantisedKernel::Vector,
            _ => QuantisedKernel::Matrix,
        },
        kv_dtype: cache.unwrap_or(compute),
        ..Precision::default()
    }
}

//! Bytes that a stored weight takes when it is read.

use crate::{
    catalogue::Dtype,
    memory::formats::{outside_bytes, weight_bits},
    plan::{Method, Profile, QuantisedKernel, Resolved, Task, WeightFormat},
};

/// Bytes of one weight, scales and zero points included.
pub(super) fn stored_bytes(format: WeightFormat) -> f64 {
    weight_bits(format) / 8.0
}

/// Whether weights have to be unpacked before they are multiplied.
pub(super) const fn is_packed(format: WeightFormat) -> bool {
    !matches!(format, WeightFormat::Fp32 | WeightFormat::Bf16 | WeightFormat::Fp16)
}

/// Whether products unpack the weights themselves, prompts too: the kernels of Hugging Face's
/// integrations, and those made for one row.
pub(super) fn unpacks_in_products(plan: &Resolved<'_>) -> bool {
    let served = plan.plan.workload.task == Task::Inference;
    let kernels = plan.plan.framework.profile == Profile::HuggingFace || unpacks_by_rows(plan);
    served && kernels && plan.plan.precision.weight_format.is_grouped()
}

/// Whether products unpack every weight again for every row.
pub(super) fn unpacks_by_rows(plan: &Resolved<'_>) -> bool {
    let precision = &plan.plan.precision;
    plan.plan.workload.task == Task::Inference
        && precision.quantised_kernel == QuantisedKernel::Vector
        && precision.weight_format.is_grouped()
}

/// Whether the blocks' own weights do not train.
pub(super) fn is_frozen(plan: &Resolved<'_>) -> bool {
    let workload = &plan.plan.workload;
    workload.task == Task::Inference || workload.method != Method::Full
}

/// Bytes of a block's weight where it is stored, the size that sharding gathers.
pub(super) fn block_weight_bytes(plan: &Resolved<'_>) -> f64 {
    let workload = &plan.plan.workload;
    let precision = &plan.plan.precision;
    match (workload.task, workload.method) {
        (Task::Training, Method::Full) => precision.compute_dtype.bytes().max(2) as f64,
        (Task::Training, Method::Lora) => match precision.weight_format {
            WeightFormat::Fp32 => 4.0,
            _ => 2.0,
        },
        _ => stored_bytes(precision.weight_format),
    }
}

/// Bytes of one weight of the output head: 16 bits, but for served formats that quantise it as well.
pub(super) fn head_weight_bytes(plan: &Resolved<'_>) -> f64 {
    match plan.plan.workload.task {
        Task::Inference => outside_bytes(plan.plan.precision.weight_format).min(2.0),
        Task::Training => 2.0,
    }
}

/// Bytes of one activation that goes in or out of a product.
pub(super) fn element_bytes(dtype: Dtype) -> f64 {
    if dtype == Dtype::Fp32 { 4.0 } else { 2.0 }
}

//! Number formats that the card, the mechanism or the optimizer cannot use.

use super::{Checked, Issues};
use crate::{
    catalogue::{Dtype, Gpu},
    message::Message,
    plan::{Field, MixedPrecision, Sharding},
};

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    compute(checked, issues);
    if checked.trains() {
        let reduce = checked.plan.parallelism.reduce_dtype;
        issues.error_if(!trainable(reduce), Field::ReduceDtype, || {
            Message::new("issue-reduce-dtype").with("dtype", reduce.name().to_owned())
        });
    }
    if checked.trains_all_weights() {
        stored(checked, issues);
        mechanism(checked, issues);
    }
}

/// Formats in which training keeps values.
const fn trainable(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Fp32 | Dtype::Bf16 | Dtype::Fp16)
}

fn compute(checked: &Checked<'_>, issues: &mut Issues) {
    let dtype = checked.plan.precision.compute_dtype;
    let name = || dtype.name().to_owned();
    let integer = checked.trains() && dtype == Dtype::Int8;
    issues.error_if(integer, Field::ComputeDtype, || Message::new("issue-int8-training"));
    let missing = !integer && checked.gpu.peak(dtype).is_none();
    issues.error_if(missing, Field::ComputeDtype, || {
        let message = Message::new("issue-dtype-missing")
            .with("gpu", checked.gpu.name.clone())
            .with("dtype", name());
        message.with("instead", alternatives(checked.gpu))
    });
    let experimental = checked.trains() && dtype == Dtype::Fp4 && !missing;
    issues.note_if(experimental, Field::ComputeDtype, || Message::new("issue-fp4-training"));
}

/// Formats in which the card can multiply, widest use first.
fn alternatives(gpu: &Gpu) -> String {
    let all = [Dtype::Bf16, Dtype::Fp16, Dtype::Fp32, Dtype::Fp8, Dtype::Fp4];
    let names: Vec<&str> =
        all.iter().filter(|dtype| gpu.peak(**dtype).is_some()).map(|dtype| dtype.name()).collect();
    if names.is_empty() { "—".to_owned() } else { names.join(", ") }
}

fn stored(checked: &Checked<'_>, issues: &mut Issues) {
    let precision = &checked.plan.precision;
    for (field, dtype) in
        [(Field::ParamDtype, precision.param_dtype), (Field::GradDtype, precision.grad_dtype)]
    {
        issues.error_if(!trainable(dtype), field, || {
            Message::new("issue-stored-dtype").with("dtype", dtype.name().to_owned())
        });
    }
}

/// Whether parameters, products and what lies between them go together.
fn mechanism(checked: &Checked<'_>, issues: &mut Issues) {
    let precision = &checked.plan.precision;
    let wide = precision.param_dtype == Dtype::Fp32;
    let sharded = checked.plan.parallelism.sharding == Sharding::Zero3;
    match precision.mixed {
        MixedPrecision::None => {
            // Products in 8 or 4 bits cast their own inputs.
            let same = precision.param_dtype == precision.compute_dtype
                || !trainable(precision.compute_dtype);
            issues.warning_if(!same, Field::Mixed, || {
                Message::new("issue-mixed-none")
                    .with("params", precision.param_dtype.name().to_owned())
                    .with("compute", precision.compute_dtype.name().to_owned())
            });
            issues.note_if(same && !wide, Field::Mixed, || Message::new("issue-pure-16bit"));
        }
        MixedPrecision::Autocast => {
            issues.warning_if(!wide, Field::Mixed, || Message::new("issue-autocast-16bit"));
            let idle = wide && precision.compute_dtype == Dtype::Fp32;
            issues.warning_if(idle, Field::Mixed, || Message::new("issue-autocast-fp32"));
        }
        MixedPrecision::CastAtGather => {
            issues.warning_if(!wide, Field::Mixed, || Message::new("issue-gather-16bit"));
            issues.warning_if(!sharded, Field::Mixed, || Message::new("issue-gather-unsharded"));
        }
        MixedPrecision::MasterWeights => {
            issues.warning_if(wide, Field::Mixed, || Message::new("issue-master-fp32"));
        }
    }
}

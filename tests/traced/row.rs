//! A traced row as a plan.

use std::collections::HashMap;

use vramplan::{
    catalogue::{Catalogue, Dtype},
    plan::{
        AttentionKernel, CheckpointPolicy, CustomModel, GpuChoice, LoraTargets, LossKind, Method,
        MixedPrecision, ModelChoice, Offload, OptimizerKind, Plan, Profile, Sharding, StepKernel,
        WeightFormat,
    },
};

fn dtype(name: &str) -> Dtype {
    match name {
        "fp32" => Dtype::Fp32,
        "fp16" => Dtype::Fp16,
        _ => Dtype::Bf16,
    }
}

/// The plan of a row, none if it has a setting that a plan does not know.
pub fn plan(row: &HashMap<String, String>, catalogue: &Catalogue) -> Option<Plan> {
    let text = |column: &str| row.get(column).map_or("", String::as_str);
    let number = |column: &str| text(column).parse::<u32>().unwrap_or(1);
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue(text("model").to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue(text("gpu").to_owned());
    plan.hardware.gpus = number("gpus");
    plan.workload.micro_batch = number("micro_batch");
    plan.workload.sequence = number("seq");
    plan.workload.accumulation = number("accum");
    plan.precision.param_dtype = dtype(text("param_dtype"));
    plan.precision.compute_dtype = dtype(text("compute_dtype"));
    plan.precision.grad_dtype = dtype(text("grad_dtype"));
    plan.precision.mixed = match text("mixed_precision") {
        "autocast" => MixedPrecision::Autocast,
        "fsdp" => MixedPrecision::CastAtGather,
        "master" => MixedPrecision::MasterWeights,
        _ => MixedPrecision::None,
    };
    method(&mut plan, &text)?;
    plan.optimizer.kind = match text("optimizer") {
        "adamw" => OptimizerKind::AdamW,
        "sgd" => OptimizerKind::Sgd,
        "sgd-momentum" => OptimizerKind::SgdMomentum,
        "adafactor" => OptimizerKind::Adafactor,
        "rmsprop" => OptimizerKind::RmsProp,
        "adagrad" => OptimizerKind::Adagrad,
        _ => return None,
    };
    plan.optimizer.implementation = match text("optimizer_impl") {
        "fused" => StepKernel::Fused,
        "forloop" => StepKernel::ForLoop,
        _ => StepKernel::Foreach,
    };
    plan.optimizer.set_to_none = text("set_to_none") != "no";
    plan.parallelism.tensor = number("tp");
    plan.parallelism.context = number("cp");
    plan.parallelism.sequence_parallel = text("sp") == "yes";
    plan.parallelism.loss_parallel = text("loss_parallel") == "yes";
    plan.parallelism.replicas = number("dp_replicate");
    plan.parallelism.reshard_after_forward = text("reshard") != "no";
    plan.parallelism.sharding = match text("shard") {
        "fsdp" | "hsdp" => Sharding::Zero3,
        "zero1" => Sharding::Zero1,
        _ => Sharding::None,
    };
    if plan.parallelism.sharding == Sharding::Zero3 {
        plan.framework.profile = Profile::Fsdp2;
    }
    framework(&mut plan, &text)?;
    let notes = text("notes");
    if notes.contains("offload=True") {
        plan.framework.offload = Offload::OptimizerAndParams;
    }
    fewer_layers(&mut plan, notes, catalogue);
    Some(plan)
}

fn method<'a>(plan: &mut Plan, text: &impl Fn(&str) -> &'a str) -> Option<()> {
    if text("method") == "full" {
        plan.workload.method = Method::Full;
        plan.optimizer.state_dtype = Some(dtype(text("state_dtype")));
        return Some(());
    }
    plan.workload.method = Method::Lora;
    plan.precision.weight_format =
        if text("param_dtype") == "fp32" { WeightFormat::Fp32 } else { WeightFormat::Bf16 };
    let lora = &mut plan.workload.lora;
    lora.rank = text("lora_rank").parse().ok()?;
    lora.dtype = dtype(text("lora_dtype"));
    lora.dropout = text("lora_dropout").parse().unwrap_or(0.0);
    lora.targets = match text("lora_targets") {
        "all-linear" => LoraTargets::AllLinear,
        "q,v" => LoraTargets::QueryValue,
        _ => return None,
    };
    Some(())
}

fn framework<'a>(plan: &mut Plan, text: &impl Fn(&str) -> &'a str) -> Option<()> {
    plan.checkpointing.policy = match text("checkpointing") {
        "none" => CheckpointPolicy::None,
        "full" => CheckpointPolicy::Full,
        "selective:attention" => CheckpointPolicy::SelectiveAttention,
        "selective:attention+alternate-matmul" => CheckpointPolicy::SelectiveAlternateMatmul,
        "selective:attention+matmul" => CheckpointPolicy::SelectiveMatmul,
        _ => return None,
    };
    plan.framework.attention = match text("attention") {
        "eager" => AttentionKernel::Eager,
        "math" => AttentionKernel::Math,
        _ => AttentionKernel::Flash,
    };
    plan.framework.loss = match text("loss") {
        "full" => LossKind::Full,
        "full-16bit" => LossKind::Full16,
        _ => return None,
    };
    plan.framework.keep_logits = text("keep_logits") == "yes";
    plan.framework.dropout = text("dropout") != "0";
    Some(())
}

/// Some rows trace the first layers of a large model only; their notes say how many.
fn fewer_layers(plan: &mut Plan, notes: &str, catalogue: &Catalogue) {
    let Some((_, rest)) = notes.split_once("num_hidden_layers\": ") else { return };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    if let (Ok(layers), Some(whole)) = (digits.parse(), plan.architecture(catalogue)) {
        let mut architecture = whole.clone();
        architecture.layers = layers;
        plan.model = ModelChoice::Custom(Box::new(CustomModel {
            name: format!("{layers} layers"),
            architecture,
            proposed_from: None,
        }));
    }
}

//! A row of a training run as a plan.

use super::{
    Note, formats,
    framework::{self, Defaults},
    row::Row,
};
use crate::{
    catalogue::Dtype,
    message::Message,
    plan::{
        AttentionKernel, CheckpointPolicy, Checkpointing, ContextExchange, Framework, LossKind,
        Method, MixedPrecision, Offload, Optimizer, Parallelism, Plan, Precision,
        RecomputedModules, ScaleRecipe, Scaled, Schedule, StepKernel, Task, WeightFormat,
    },
};

mod adapters;

/// Fills in everything but model and machines.
///
/// # Errors
///
/// A message about what the planner does not know.
pub(super) fn fill(row: &Row<'_>, plan: &mut Plan, notes: &mut Vec<Note>) -> Result<(), Message> {
    let defaults = framework::defaults(row);
    plan.parallelism = parallelism(row, &defaults);
    plan.workload.task = Task::Training;
    plan.workload.method = adapters::method(row);
    plan.workload.sequence = row.count("seq").unwrap_or(plan.workload.sequence);
    plan.workload.micro_batch = row.degree("micro_batch");
    plan.workload.padded_mask = row.yes("padded_mask").unwrap_or(false);
    plan.workload.varying_lengths = matches!(row.text("packing"), "truncated" | "longest sample");
    plan.workload.ones_mask = row.yes("ones_mask").unwrap_or(false);
    plan.workload.accumulation = accumulation(row, plan);
    plan.precision = precision(row, plan.workload.method);
    plan.optimizer = optimizer(row, &defaults);
    if plan.workload.method != Method::Full {
        plan.workload.lora = adapters::lora(row, &defaults, notes)?;
        let adapters = plan.workload.lora.dtype;
        // States are never narrower than what they belong to.
        plan.optimizer.state_dtype =
            plan.optimizer.state_dtype.filter(|state| state.bytes() >= adapters.bytes());
    }
    plan.checkpointing = checkpointing(row, &defaults);
    plan.framework = software(row, &defaults);
    Ok(())
}

/// Micro-batches per step: as stated, or what the global batch leaves.
fn accumulation(row: &Row<'_>, plan: &Plan) -> u32 {
    let left = || {
        let ranks = u32::try_from(plan.layout().data).unwrap_or(u32::MAX);
        let at_once = plan.workload.micro_batch.saturating_mul(ranks).max(1);
        row.count("global_batch").map(|global| global / at_once)
    };
    row.count("accum").or_else(left).unwrap_or(1).max(1)
}

fn parallelism(row: &Row<'_>, defaults: &Defaults) -> Parallelism {
    let mut axes = Parallelism {
        tensor: row.degree("tp"),
        pipeline: row.degree("pp"),
        context: row.degree("cp"),
        expert: row.degree("ep"),
        expert_tensor: row.count("etp"),
        virtual_stages: row.degree("vpp"),
        sharding: framework::sharding(row.text("shard"), defaults.sharding),
        reshard_after_forward: row.yes("reshard").unwrap_or(true),
        loss_parallel: row.yes("loss_parallel").unwrap_or(defaults.loss_parallel),
        overlap_tensor: row.yes("tp_overlap").unwrap_or(false),
        ..Parallelism::default()
    };
    axes.sequence_parallel = row.yes("sp").unwrap_or(axes.tensor > 1);
    axes.schedule = schedule(row);
    if row.text("cp_comm") == "a2a" {
        axes.context_exchange = ContextExchange::AllToAll;
    }
    if let Some(dtype) = formats::dtype(row.text("reduce_dtype")) {
        axes.reduce_dtype = dtype;
    }
    axes.replicas = replicas(row, &axes);
    axes
}

/// Copies of the sharded state: as stated, or as many as groups of shards.
fn replicas(row: &Row<'_>, axes: &Parallelism) -> u32 {
    let ranks = row.degree("dp").saturating_mul(axes.context);
    let by_group = row
        .count("zero_group")
        .filter(|&group| group > 0 && ranks.is_multiple_of(group))
        .map(|group| ranks / group);
    row.count("dp_replicate").or(by_group).unwrap_or(1).max(1)
}

fn schedule(row: &Row<'_>) -> Schedule {
    match row.text("schedule") {
        "interleaved" => Schedule::Interleaved,
        "gpipe" => Schedule::GPipe,
        "zb-h1" => Schedule::ZeroBubbleH1,
        "zb-h2" => Schedule::ZeroBubbleH2,
        "" if row.degree("vpp") > 1 => Schedule::Interleaved,
        _ => Schedule::OneForwardOneBackward,
    }
}

/// Layers of the first and the last stage where both hold one less than the others.
pub(super) fn shorter_ends(row: &Row<'_>, layers: u32, axes: &mut Parallelism) {
    let stages = axes.pipeline.max(1);
    if row.text("pp_layout") == "first-last-one-less" && stages > 1 {
        let each = layers.saturating_add(2) / stages;
        axes.first_stage_layers = Some(each.saturating_sub(1));
        axes.last_stage_layers = Some(each.saturating_sub(1));
    }
}

fn precision(row: &Row<'_>, method: Method) -> Precision {
    let dtype = |column, default| formats::dtype(row.text(column)).unwrap_or(default);
    let param_dtype = dtype("param_dtype", Dtype::Bf16);
    let compute_dtype = dtype("compute_dtype", Dtype::Bf16);
    let mixed = mixed(row, param_dtype, compute_dtype);
    let grads = match mixed {
        MixedPrecision::MasterWeights => Dtype::Fp32,
        _ => param_dtype,
    };
    let stored = formats::weight_format(row.text("base_format"), row.count("group_size"));
    let plain = match (method, param_dtype) {
        (Method::Qlora, _) => WeightFormat::Nf4Double,
        (_, Dtype::Fp32) => WeightFormat::Fp32,
        (_, Dtype::Fp16) => WeightFormat::Fp16,
        _ => WeightFormat::Bf16,
    };
    Precision {
        param_dtype,
        compute_dtype,
        grad_dtype: dtype("grad_dtype", grads),
        mixed,
        weight_format: stored.unwrap_or(plain),
        scaled: scaled(row),
        ..Precision::default()
    }
}

fn mixed(row: &Row<'_>, param: Dtype, compute: Dtype) -> MixedPrecision {
    let by_fsdp = matches!(row.text("shard"), "fsdp" | "hsdp");
    match row.text("mixed_precision") {
        "none" => MixedPrecision::None,
        "autocast" => MixedPrecision::Autocast,
        "fsdp" => MixedPrecision::CastAtGather,
        "master" => MixedPrecision::MasterWeights,
        _ if row.yes("master_weights") == Some(true) => MixedPrecision::MasterWeights,
        _ if param == Dtype::Fp32 && compute != Dtype::Fp32 && by_fsdp => {
            MixedPrecision::CastAtGather
        }
        _ if param == Dtype::Fp32 && compute != Dtype::Fp32 => MixedPrecision::Autocast,
        _ => MixedPrecision::None,
    }
}

fn scaled(row: &Row<'_>) -> Scaled {
    let scope = |word| row.list("fp8_scope").any(|scope| scope == word);
    Scaled {
        recipe: formats::recipe(row.text("fp8_recipe")).unwrap_or(ScaleRecipe::Current),
        linears: row.stated("fp8_scope").is_none() || scope("linears"),
        experts: scope("experts"),
        gather: row.yes("fp8_allgather").unwrap_or(false),
    }
}

fn optimizer(row: &Row<'_>, defaults: &Defaults) -> Optimizer {
    let state = row.text("state_dtype");
    Optimizer {
        kind: formats::optimizer(row.text("optimizer"), state).unwrap_or_default(),
        state_dtype: formats::dtype(state)
            .filter(|dtype| matches!(dtype, Dtype::Fp32 | Dtype::Bf16 | Dtype::Fp16)),
        implementation: match row.text("optimizer_impl") {
            "foreach" => StepKernel::Foreach,
            "fused" => StepKernel::Fused,
            "forloop" => StepKernel::ForLoop,
            _ => defaults.step_kernel,
        },
        in_backward: row.yes("opt_in_backward").unwrap_or(false),
        clip_gradients: row.yes("grad_clip").unwrap_or(defaults.clip_gradients),
        set_to_none: row.yes("set_to_none").unwrap_or(true),
    }
}

fn checkpointing(row: &Row<'_>, defaults: &Defaults) -> Checkpointing {
    let what = row.text("checkpointing");
    let mut policy = match what {
        "full" => CheckpointPolicy::Full,
        "selective:attention" => CheckpointPolicy::SelectiveAttention,
        "selective:attention+alternate-matmul" => CheckpointPolicy::SelectiveAlternateMatmul,
        "selective:attention+matmul" => CheckpointPolicy::SelectiveMatmul,
        "selective:core-attention" => CheckpointPolicy::CoreAttention,
        "selective:modules" => CheckpointPolicy::Modules,
        _ if what.starts_with("every:") => CheckpointPolicy::EveryNth,
        _ => CheckpointPolicy::None,
    };
    let blocks = row.text("recompute_modules").strip_prefix("whole-layer:");
    let blocks = blocks.and_then(|count| count.parse().ok());
    if blocks.is_some() {
        policy = CheckpointPolicy::Full;
    }
    let nth = what.strip_prefix("every:").and_then(|nth| nth.parse().ok());
    Checkpointing {
        policy,
        every_nth: nth.unwrap_or(2),
        blocks,
        modules: modules(row),
        reentrant: row.yes("checkpoint_reentrant").unwrap_or(defaults.reentrant),
        offload: row.yes("offload_activations").unwrap_or(false)
            || row.text("offload") == "activations",
        offload_blocks: row.count("offload_layers"),
    }
}

fn modules(row: &Row<'_>) -> RecomputedModules {
    let named = |module| row.list("recompute_modules").any(|name| name == module);
    RecomputedModules {
        core_attention: named("core_attention"),
        norms: named("layernorm"),
        mlp: named("mlp"),
        expert_activation: named("moe_act") || named("moe"),
        latent_projections: named("mla_up_proj"),
    }
}

fn software(row: &Row<'_>, defaults: &Defaults) -> Framework {
    Framework {
        profile: defaults.profile,
        attention: attention(row.text("attention")),
        loss: match row.text("loss") {
            _ if row.is_assumed("loss") && defaults.assumed_loss.is_some() => {
                defaults.assumed_loss.unwrap_or(defaults.loss)
            }
            "full" => LossKind::Full,
            "full-16bit" => LossKind::Full16,
            "kernel" => LossKind::Kernel,
            "chunked" => LossKind::Chunked,
            "fused" => LossKind::Fused,
            "none" => LossKind::None,
            _ => defaults.loss,
        },
        keep_logits: row.yes("keep_logits").unwrap_or(defaults.keep_logits),
        compile: row.yes("compile").unwrap_or(false),
        dropout: row.number("dropout").is_none_or(|share| share > 0.0),
        offload: match row.text("offload") {
            "optimizer" => Offload::Optimizer,
            "optimizer+params" => Offload::OptimizerAndParams,
            _ => Offload::None,
        },
        flat_parameters: row.text("fsdp_version") == "1",
        cuda_graphs: row.stated("cuda_graphs").is_some_and(|scope| scope != "no"),
        expandable_segments: row.text("allocator") == "expandable_segments",
        eager_kernel_loading: loads_kernels_eagerly(row.text("framework_version")),
    }
}

/// The version names a CUDA before 11.7, which loads every kernel with the context.
fn loads_kernels_eagerly(version: &str) -> bool {
    let Some((_, number)) = version.split_once("CUDA ") else { return false };
    let mut parts = number.split(|letter: char| !letter.is_ascii_digit());
    let mut next = || parts.next().and_then(|part| part.parse::<u32>().ok());
    match (next(), next()) {
        (Some(major), Some(minor)) => (major, minor) < (11, 7),
        _ => false,
    }
}

/// Everything that never stores the scores counts as flash, torch's automatic choice too.
pub(super) fn attention(name: &str) -> AttentionKernel {
    match name {
        "eager" => AttentionKernel::Eager,
        "math" => AttentionKernel::Math,
        _ => AttentionKernel::Flash,
    }
}

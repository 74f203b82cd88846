//! What a plan is told about itself: one row a check, with field, severity and what the message names.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use vramplan::{
    catalogue::{Architecture, Catalogue, Dtype, Gpu, Mla},
    plan::{
        AttentionKernel, CheckpointPolicy, CustomModel, Field, GpuChoice, LossKind, Method,
        MixedPrecision, ModelChoice, Offload, OptimizerKind, Plan, Profile, Recipe, Schedule,
        Severity, Sharding, Task, WeightFormat,
    },
    text::{Language, Texts},
};

use Severity::{Error, Note, Warning};

/// A plan that is told nothing: 70B pre-training on 64 H100.
fn pretraining() -> Plan {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue("llama-3.1-70b".to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan.hardware.gpus = 64;
    plan.workload.method = Method::Full;
    plan.workload.sequence = 8192;
    plan.workload.accumulation = 32;
    Recipe::Bf16MasterFp32Grads.apply(&mut plan.precision);
    plan.parallelism.tensor = 8;
    plan.parallelism.pipeline = 4;
    plan.parallelism.sharding = Sharding::Zero1;
    plan.framework.profile = Profile::Megatron;
    plan
}

/// A mixture of experts that is told nothing.
fn experts() -> Plan {
    let mut plan = pretraining();
    plan.model = ModelChoice::Catalogue("mixtral-8x7b".to_owned());
    plan.workload.sequence = 4096;
    plan.parallelism.tensor = 1;
    plan.parallelism.expert = 8;
    plan
}

/// Serving that is told nothing.
fn serving() -> Plan {
    let mut plan = Plan::default();
    plan.workload.task = Task::Inference;
    plan.precision.weight_format = WeightFormat::Bf16;
    plan
}

fn custom_model(change: impl FnOnce(&mut Architecture)) -> ModelChoice {
    let catalogue = Catalogue::embedded();
    let mut architecture = catalogue.model("llama-3.1-8b").expect("known").architecture.clone();
    change(&mut architecture);
    let name = "mine".to_owned();
    ModelChoice::Custom(Box::new(CustomModel { name, architecture, proposed_from: None }))
}

fn custom_gpu(change: impl FnOnce(&mut Gpu)) -> GpuChoice {
    let mut gpu = Catalogue::embedded().gpu("NVIDIA GeForce RTX 4090").expect("known").clone();
    change(&mut gpu);
    GpuChoice::Custom(Box::new(gpu))
}

fn gpu(name: &str) -> GpuChoice {
    GpuChoice::Catalogue(name.to_owned())
}

fn model(id: &str) -> ModelChoice {
    ModelChoice::Catalogue(id.to_owned())
}

/// Asserts that the change alone brings this issue, and that its message names these words.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the hundred calls")]
fn says(plan: Plan, field: Field, severity: Severity, words: &[&str]) {
    let issues = plan.validate(Catalogue::embedded());
    let texts = Texts::new(Language::English);
    let found: Vec<String> = issues
        .iter()
        .map(|issue| {
            let text = texts.message(&issue.message);
            format!("{:?} at {:?}: {text}", issue.severity, issue.field)
        })
        .collect();
    let start = format!("{severity:?} at {field:?}: ");
    let fits =
        |text: &String| text.starts_with(&start) && words.iter().all(|word| text.contains(word));
    assert!(found.iter().any(fits), "expected {start}… {words:?}, found {found:#?}");
}

macro_rules! rows {
    ($($name:ident: $plan:ident, |$edit:ident| $change:expr, $field:ident, $severity:ident, $words:expr;)+) => {
        $(
            #[test]
            fn $name() {
                let mut plan = $plan();
                {
                    let $edit = &mut plan;
                    $change;
                }
                says(plan, Field::$field, $severity, &$words);
            }
        )+
    };
}

fn default_plan() -> Plan {
    Plan::default()
}

#[test]
fn the_plans_that_the_rows_start_from_are_told_nothing() {
    for (name, plan) in [
        ("default", default_plan()),
        ("pre-training", pretraining()),
        ("experts", experts()),
        ("serving", serving()),
    ] {
        let issues = plan.validate(Catalogue::embedded());
        assert!(issues.is_empty(), "{name}: {issues:#?}");
        assert_eq!(issues.capacity(), 0, "{name}: nothing is allocated");
    }
}

#[test]
fn the_worst_issue_comes_first() {
    let mut plan = pretraining();
    plan.framework.profile = Profile::HuggingFace;
    plan.workload.sequence = 200_000;
    plan.hardware.gpus = 63;
    let issues = plan.validate(Catalogue::embedded());
    let severities: Vec<Severity> = issues.iter().map(|issue| issue.severity).collect();
    assert_eq!(severities.first(), Some(&Error), "an error before all else");
    assert!(severities.is_sorted_by(|left, right| left >= right), "in order: {severities:?}");
}

#[test]
fn fields_of_the_other_task_are_not_looked_at() {
    let mut plan = serving();
    plan.workload.sequence = 0;
    plan.optimizer.state_dtype = Some(Dtype::Int8);
    assert_eq!(plan.validate(Catalogue::embedded()), [], "serving has no optimizer");
    let mut plan = pretraining();
    plan.workload.concurrency = 0;
    assert_eq!(plan.validate(Catalogue::embedded()), [], "training serves nobody");
}

rows! {
    an_unknown_model_is_told_close_names: default_plan, |p| p.model = model("llama3.1-8b"), Model, Error, ["llama3.1-8b", "llama-3.1-8b"];
    an_unknown_gpu_is_told_close_names: default_plan, |p| p.hardware.gpu = gpu("RTX 4090 Ti"), Gpu, Error, ["RTX 4090 Ti", "NVIDIA GeForce RTX 4090"];

    a_sequence_of_zero_is_an_error: default_plan, |p| p.workload.sequence = 0, Sequence, Error, ["1"];
    an_absurd_sequence_is_an_error: default_plan, |p| p.workload.sequence = u32::MAX, Sequence, Error, ["16,777,216"];
    a_micro_batch_of_zero_is_an_error: default_plan, |p| p.workload.micro_batch = 0, MicroBatch, Error, ["1"];
    an_accumulation_of_zero_is_an_error: default_plan, |p| p.workload.accumulation = 0, Accumulation, Error, ["1"];
    no_gpus_are_an_error: default_plan, |p| p.hardware.gpus = 0, Gpus, Error, ["1"];
    an_empty_node_is_an_error: default_plan, |p| p.hardware.gpus_per_node = 0, GpusPerNode, Error, ["1"];
    too_many_gpus_are_an_error: default_plan, |p| p.hardware.gpus = u32::MAX, Gpus, Error, ["1,048,576"];
    tokens_that_are_no_number_are_an_error: default_plan, |p| p.workload.training_tokens = f64::NAN, TrainingTokens, Error, ["above 0"];
    a_network_without_bandwidth_is_an_error: pretraining, |p| p.hardware.network_gbits_per_gpu = 0.0, Network, Error, ["above 0"];
    a_negative_price_is_an_error: default_plan, |p| p.hardware.usd_per_gpu_hour = Some(-1.0), Price, Error, ["price"];
    a_degree_of_zero_is_an_error: pretraining, |p| p.parallelism.tensor = 0, Tensor, Error, ["1"];
    zero_users_are_an_error: serving, |p| p.workload.concurrency = 0, Concurrency, Error, ["1"];
    an_empty_prompt_is_an_error: serving, |p| p.workload.prompt_tokens = 0, PromptTokens, Error, ["1"];
    every_zeroth_block_is_an_error: pretraining, |p| { p.checkpointing.policy = CheckpointPolicy::EveryNth; p.checkpointing.every_nth = 0 }, EveryNth, Error, ["1"];
    what_cannot_be_counted_is_an_error: pretraining, |p| { p.workload.sequence = 1 << 24; p.workload.micro_batch = 1 << 16 }, Sequence, Error, ["64 PiB"];

    a_model_without_layers_is_an_error: default_plan, |p| p.model = custom_model(|a| a.layers = 0), Architecture, Error, ["“Layers”"];
    kv_heads_that_do_not_divide_the_heads_are_an_error: default_plan, |p| p.model = custom_model(|a| a.kv_heads = 7), Architecture, Error, ["“Key heads”"];
    an_absurd_width_is_an_error: default_plan, |p| p.model = custom_model(|a| a.hidden = u32::MAX), Architecture, Error, ["“Hidden”", "1,048,576"];
    too_many_experts_per_token_are_an_error: default_plan, |p| p.model = custom_model(|a| a.moe = Some(vramplan::catalogue::Moe { experts: 4, topk: 5, expert_ffn: 64, shared_ffn: 0, first_dense: 0 })), Architecture, Error, ["“Per token”"];
    a_window_with_too_many_layers_is_an_error: default_plan, |p| p.model = custom_model(|a| a.window = Some(vramplan::catalogue::Window { size: 10, sliding_layers: 33 })), Architecture, Error, ["“Sliding layers”"];
    a_latent_head_dimension_must_add_up: default_plan, |p| p.model = custom_model(|a| a.mla = Some(Mla { q_lora_rank: None, kv_lora_rank: 512, qk_nope_dim: 128, qk_rope_dim: 64, v_dim: 128 })), Architecture, Error, ["192"];

    a_gpu_without_memory_is_an_error: default_plan, |p| p.hardware.gpu = custom_gpu(|g| g.memory_gb = 0.0), Gpu, Error, ["“Memory”"];
    a_gpu_without_bandwidth_is_an_error: default_plan, |p| p.hardware.gpu = custom_gpu(|g| g.bandwidth_gbps = f64::NAN), Gpu, Error, ["“Bandwidth”"];
    a_doubled_data_rate_is_a_warning: default_plan, |p| p.hardware.gpu = custom_gpu(|g| g.bandwidth_gbps = 2016.0), Gpu, Warning, ["2,016 GB/s", "1,008 GB/s"];
    a_full_card_is_an_error: default_plan, |p| p.hardware.memory_in_use_mib = 30_000, MemoryInUse, Error, ["29.30 GiB"];
    unified_memory_is_a_note: serving, |p| p.hardware.gpu = gpu("NVIDIA GB10"), Gpu, Note, ["shares its memory"];
    another_vendor_is_a_note: serving, |p| p.hardware.gpu = gpu("AMD Instinct MI300X"), Gpu, Note, ["AMD"];
    a_node_that_is_not_full_is_a_note: default_plan, |p| { p.hardware.gpus = 12 }, GpusPerNode, Note, ["4", "8"];

    an_absurd_step_is_an_error: pretraining, |p| { p.workload.accumulation = 1 << 20; p.workload.micro_batch = 128 }, Accumulation, Error, ["1,000,000,000,000"];
    a_sequence_beyond_the_context_is_a_warning: pretraining, |p| p.workload.sequence = 262_144, Sequence, Warning, ["262,144", "131,072"];
    a_sequence_beyond_learned_positions_is_an_error: default_plan, |p| p.model = model("gpt2"), Sequence, Error, ["1,024"];
    a_conversation_beyond_the_context_is_a_warning: serving, |p| p.workload.prompt_tokens = 131_072, PromptTokens, Warning, ["131,584"];
    a_rank_of_zero_is_an_error: default_plan, |p| p.workload.lora.rank = 0, LoraRank, Error, ["1"];
    a_rank_that_is_not_low_is_a_warning: default_plan, |p| p.workload.lora.rank = 4096, LoraRank, Warning, ["4,096"];
    adapters_in_four_bits_are_an_error: default_plan, |p| p.workload.lora.dtype = Dtype::Fp4, LoraDtype, Error, ["fp4", "bf16"];
    a_certain_dropout_is_an_error: default_plan, |p| p.workload.lora.dropout = 1.0, LoraDropout, Error, ["below 1"];
    tied_embeddings_are_a_note: default_plan, |p| { p.model = model("llama-3.2-1b"); p.workload.lora.train_embeddings = true }, LoraEmbeddings, Note, ["one matrix"];
    qlora_on_plain_weights_is_a_warning: default_plan, |p| p.precision.weight_format = WeightFormat::Bf16, WeightFormat, Warning, ["LoRA"];
    lora_on_quantised_weights_is_a_warning: default_plan, |p| p.workload.method = Method::Lora, WeightFormat, Warning, ["QLoRA"];
    training_on_llama_cpp_weights_is_an_error: default_plan, |p| p.precision.weight_format = WeightFormat::Q4KM, WeightFormat, Error, ["NormalFloat"];

    fp8_on_a_card_without_it_is_an_error: pretraining, |p| { p.precision.compute_dtype = Dtype::Fp8; p.hardware.gpu = gpu("NVIDIA A100-SXM4-80GB") }, ComputeDtype, Error, ["A100", "fp8", "bf16"];
    bf16_on_volta_is_an_error: serving, |p| p.hardware.gpu = gpu("Tesla V100-SXM2-32GB"), ComputeDtype, Error, ["bf16", "fp16"];
    training_in_int8_is_an_error: pretraining, |p| p.precision.compute_dtype = Dtype::Int8, ComputeDtype, Error, ["int8"];
    training_in_fp4_is_a_note: pretraining, |p| { p.precision.compute_dtype = Dtype::Fp4; p.hardware.gpu = gpu("NVIDIA B200") }, ComputeDtype, Note, ["experimental"];
    parameters_in_fp8_are_an_error: pretraining, |p| p.precision.param_dtype = Dtype::Fp8, ParamDtype, Error, ["fp8"];
    gradients_in_int8_are_an_error: pretraining, |p| p.precision.grad_dtype = Dtype::Int8, GradDtype, Error, ["int8"];
    reduction_in_fp8_is_an_error: pretraining, |p| p.parallelism.reduce_dtype = Dtype::Fp8, ReduceDtype, Error, ["fp8"];
    formats_that_do_not_meet_are_a_warning: pretraining, |p| { p.precision.param_dtype = Dtype::Fp32; p.precision.mixed = MixedPrecision::None }, Mixed, Warning, ["fp32", "bf16"];
    pure_16_bit_is_a_note: pretraining, |p| Recipe::PureBf16.apply(&mut p.precision), Mixed, Note, ["rounded away"];
    autocast_of_16_bit_parameters_is_a_warning: pretraining, |p| p.precision.mixed = MixedPrecision::Autocast, Mixed, Warning, ["fp32"];
    casting_at_the_gather_needs_sharding: pretraining, |p| Recipe::Fp32CastAtGather.apply(&mut p.precision), Mixed, Warning, ["ZeRO-3"];
    master_weights_of_fp32_are_a_warning: pretraining, |p| p.precision.param_dtype = Dtype::Fp32, Mixed, Warning, ["master"];
    states_in_int8_are_an_error: pretraining, |p| p.optimizer.state_dtype = Some(Dtype::Int8), StateDtype, Error, ["int8"];
    a_state_format_without_effect_is_a_note: default_plan, |p| { p.optimizer.kind = OptimizerKind::AdamW8bit; p.optimizer.state_dtype = Some(Dtype::Fp32) }, StateDtype, Note, ["no effect"];

    too_few_gpus_name_the_product: pretraining, |p| p.hardware.gpus = 16, Gpus, Error, ["16", "8 (tensor) × 4 (pipeline) × 1 (context) = 32"];
    gpus_that_are_no_multiple_name_the_nearest: pretraining, |p| p.hardware.gpus = 72, Gpus, Error, ["64", "96"];
    heads_that_do_not_divide_name_a_degree: pretraining, |p| { p.parallelism.tensor = 6; p.hardware.gpus = 24 }, Tensor, Error, ["64 query heads", "4"];
    kv_heads_that_are_copied_are_a_note: pretraining, |p| { p.parallelism.tensor = 16; p.hardware.gpus_per_node = 16 }, Tensor, Note, ["8 key-value heads"];
    a_vocabulary_that_is_padded_is_a_note: pretraining, |p| { p.model = model("gpt2-medium"); p.workload.sequence = 1024 }, Tensor, Note, ["50,257"];
    tensor_parallelism_across_nodes_is_a_warning: pretraining, |p| p.hardware.gpus_per_node = 4, Tensor, Warning, ["4", "network"];
    sequence_parallelism_divides_evenly: pretraining, |p| p.workload.sequence = 8188, SequenceParallel, Error, ["8,188"];
    context_parallelism_divides_the_sequence: pretraining, |p| { p.parallelism.context = 2; p.workload.sequence = 8191 }, Context, Error, ["8,192"];
    unbalanced_context_parallelism_is_a_warning: pretraining, |p| { p.parallelism.tensor = 1; p.parallelism.context = 2; p.workload.sequence = 8190 }, Context, Warning, ["8,192"];
    context_parallelism_wants_flash_attention: pretraining, |p| { p.parallelism.context = 2; p.framework.attention = AttentionKernel::Eager }, Attention, Warning, ["flash"];
    sharding_alone_is_a_note: default_plan, |p| p.parallelism.sharding = Sharding::Zero1, Sharding, Note, ["one data-parallel rank"];
    replicas_without_sharding_are_a_note: pretraining, |p| { p.parallelism.sharding = Sharding::None; p.parallelism.replicas = 2 }, Replicas, Note, ["full copy"];
    replicas_that_do_not_divide_are_an_error: pretraining, |p| p.parallelism.replicas = 4, Replicas, Error, ["2", "4"];

    more_stages_than_layers_are_an_error: pretraining, |p| { p.parallelism.pipeline = 128; p.hardware.gpus = 1024; p.workload.accumulation = 256 }, Pipeline, Error, ["128", "80"];
    ends_that_take_too_much_are_an_error: pretraining, |p| p.parallelism.first_stage_layers = Some(78), FirstStageLayers, Error, ["78", "80"];
    a_last_stage_that_takes_too_much_is_an_error: pretraining, |p| p.parallelism.last_stage_layers = Some(90), LastStageLayers, Error, ["90", "80"];
    two_stages_must_add_up: pretraining, |p| { p.parallelism.pipeline = 2; p.parallelism.first_stage_layers = Some(39); p.parallelism.last_stage_layers = Some(40) }, FirstStageLayers, Error, ["79", "80"];
    more_chunks_than_layers_are_an_error: pretraining, |p| { p.parallelism.schedule = Schedule::Interleaved; p.parallelism.virtual_stages = 21 }, VirtualStages, Error, ["84", "80"];
    one_chunk_is_a_warning: pretraining, |p| { p.parallelism.schedule = Schedule::Interleaved; p.parallelism.virtual_stages = 1 }, VirtualStages, Warning, ["plain schedule"];
    interleaving_runs_in_rounds: pretraining, |p| { p.parallelism.schedule = Schedule::Interleaved; p.workload.accumulation = 30 }, Accumulation, Error, ["32", "30"];
    too_few_micro_batches_are_a_warning: pretraining, |p| p.workload.accumulation = 3, Accumulation, Warning, ["3", "4"];

    experts_of_a_dense_model_are_an_error: pretraining, |p| p.parallelism.expert = 2, Expert, Error, ["no experts"];
    experts_that_do_not_divide_name_a_degree: experts, |p| p.parallelism.expert = 3, Expert, Error, ["8 experts", "2"];
    expert_ranks_must_divide_the_others: experts, |p| { p.hardware.gpus = 16; p.workload.accumulation = 32 }, Expert, Error, ["8", "4 ranks"];
    expert_widths_must_divide: experts, |p| p.parallelism.expert_tensor = Some(3), ExpertTensor, Error, ["14,336"];
    experts_across_nodes_are_a_note: experts, |p| p.hardware.gpus_per_node = 4, Expert, Note, ["network"];
    experts_in_the_trainer_are_a_warning: experts, |p| p.framework.profile = Profile::HuggingFace, Expert, Warning, ["Megatron"];

    a_step_in_backward_does_not_accumulate: default_plan, |p| p.optimizer.in_backward = true, OptimizerInBackward, Error, ["8"];
    a_step_in_backward_does_not_clip: default_plan, |p| p.optimizer.in_backward = true, ClipGradients, Warning, ["clipping"];
    a_step_in_backward_is_not_megatrons: pretraining, |p| { p.optimizer.in_backward = true; p.workload.accumulation = 1 }, OptimizerInBackward, Warning, ["Megatron"];
    core_attention_under_flash_is_a_note: pretraining, |p| p.checkpointing.policy = CheckpointPolicy::CoreAttention, Checkpointing, Note, ["nothing to recompute"];
    every_hundredth_of_80_layers_is_a_warning: pretraining, |p| { p.checkpointing.policy = CheckpointPolicy::EveryNth; p.checkpointing.every_nth = 100 }, EveryNth, Warning, ["100", "80"];

    tensor_parallelism_in_the_trainer_is_a_warning: pretraining, |p| p.framework.profile = Profile::HuggingFace, Tensor, Warning, ["Hugging Face"];
    sharding_in_the_trainer_is_a_note: pretraining, |p| p.framework.profile = Profile::HuggingFace, Profile, Note, ["FSDP"];
    offload_in_the_trainer_is_a_warning: default_plan, |p| p.framework.offload = Offload::Optimizer, Offload, Warning, ["DeepSpeed"];
    fsdp_knows_no_zero_1: pretraining, |p| p.framework.profile = Profile::Fsdp2, Sharding, Warning, ["ZeRO-2"];
    zero_2_is_resharding_off_in_fsdp: pretraining, |p| { p.framework.profile = Profile::Fsdp2; p.parallelism.sharding = Sharding::Zero2 }, Sharding, Note, ["resharding"];
    deepspeed_pipelines_stop_at_zero_1: pretraining, |p| { p.framework.profile = Profile::DeepSpeed; p.parallelism.sharding = Sharding::Zero2 }, Sharding, Error, ["ZeRO-1"];
    deepspeed_offloads_parameters_with_zero_3: pretraining, |p| { p.framework.profile = Profile::DeepSpeed; p.framework.offload = Offload::OptimizerAndParams }, Offload, Error, ["ZeRO-3"];
    deepspeed_offloads_states_with_zero: pretraining, |p| { p.framework.profile = Profile::DeepSpeed; p.framework.offload = Offload::Optimizer; p.parallelism.sharding = Sharding::None }, Offload, Error, ["sharding"];
    megatron_shards_like_zero_1: pretraining, |p| p.parallelism.sharding = Sharding::Zero2, Sharding, Note, ["ZeRO-1"];
    megatron_has_few_optimizers: pretraining, |p| p.optimizer.kind = OptimizerKind::Adafactor, Optimizer, Warning, ["AdamW"];
    logits_that_are_never_made_cannot_be_kept: default_plan, |p| { p.framework.keep_logits = true; p.framework.loss = LossKind::Fused }, KeepLogits, Note, ["nothing to keep"];
}

#[test]
fn uneven_layers_are_legal() {
    let mut plan = pretraining();
    plan.model = model("llama-3.1-405b");
    plan.parallelism.pipeline = 8;
    plan.hardware.gpus = 128;
    assert_eq!(
        plan.validate(Catalogue::embedded()),
        [],
        "126 layers on 8 stages are a real recipe"
    );
    plan.parallelism.pipeline = 4;
    plan.parallelism.first_stage_layers = Some(31);
    plan.parallelism.last_stage_layers = Some(31);
    assert_eq!(plan.validate(Catalogue::embedded()), [], "so are shorter ends");
}

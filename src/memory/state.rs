//! Model state: parameters, gradients, optimizer states, master weights.

use super::{
    formats::{foreach_copies, outside_bytes, state_bytes_per_param, weight_bits},
    shard::Held,
};
use crate::{
    catalogue::Dtype,
    plan::{
        Method, MixedPrecision, Offload, OptimizerKind, Profile, Resolved, Sharding, StepKernel,
        Task,
    },
    units::Bytes,
};

/// Bytes of a stage's model state on one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StateBytes {
    /// Weights that live between steps.
    pub params: u64,
    /// Of these, trained beside frozen ones: adapters and full copies.
    pub adapter_params: u64,
    /// All gradients, when every one of them is there.
    pub grads: u64,
    /// Optimizer states.
    pub optimizer: u64,
    /// fp32 copies of 16-bit parameters.
    pub master: u64,
    /// Temporaries of the optimizer step.
    pub step_temporaries: u64,
}

/// What the sharding stage divides: parameters, gradients, states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Divided {
    pub params: bool,
    pub grads: bool,
    pub states: bool,
}

impl Divided {
    /// FSDP shards the parameters between steps also where it keeps them gathered within one (ZeRO-2).
    pub fn of(plan: &Resolved<'_>) -> Self {
        let sharding = plan.plan.parallelism.sharding;
        let fsdp = uses_fsdp(plan);
        Self {
            params: sharding == Sharding::Zero3 || fsdp,
            grads: matches!(sharding, Sharding::Zero2 | Sharding::Zero3),
            states: sharding != Sharding::None,
        }
    }
}

/// The plan shards by FSDP (PyTorch profiles from ZeRO-2 on).
pub(super) fn uses_fsdp(plan: &Resolved<'_>) -> bool {
    matches!(plan.plan.framework.profile, Profile::Fsdp2 | Profile::HuggingFace)
        && matches!(plan.plan.parallelism.sharding, Sharding::Zero2 | Sharding::Zero3)
        && plan.layout.shards > 1
}

/// Number format of the optimizer's states.
///
/// States follow the parameters; beside master weights they are fp32.
pub(super) fn state_dtype(plan: &Resolved<'_>) -> Dtype {
    let precision = &plan.plan.precision;
    plan.plan.optimizer.state_dtype.unwrap_or(match (plan.plan.workload.method, precision.mixed) {
        (Method::Lora | Method::Qlora, _) => plan.plan.workload.lora.dtype,
        (Method::Full, MixedPrecision::MasterWeights) => Dtype::Fp32,
        (Method::Full, _) => precision.param_dtype,
    })
}

/// Bytes of `held` frozen or served weights in the plan's format.
///
/// ```text
/// M = linear · bits / 8 + other · 2      (other as packed, where the format quantises the vocabulary)
/// ```
pub(super) fn frozen_bytes(plan: &Resolved<'_>, held: &Held, divided: bool) -> u64 {
    let format = plan.plan.precision.weight_format;
    let (linear, other) = if divided {
        (held.sharded_linear, held.sharded.saturating_sub(held.sharded_linear))
    } else {
        (held.linear, held.other)
    };
    Bytes::from_f64(linear as f64 * weight_bits(format) / 8.0)
        .0
        .saturating_add(Bytes::from_f64(other as f64 * outside_bytes(format)).0)
}

/// Gradients go to the host as soon as they are reduced.
///
/// FSDP offloads them with the parameters, `DeepSpeed` with the optimizer that needs them there.
///
/// Source: PyTorch's `CPUOffloadPolicy` ("parameters, gradients, and optimizer states"), `DeepSpeed`'s
/// `offload_optimizer` (ZeRO-Offload, arXiv:2101.06840).
fn gradients_offloaded(plan: &Resolved<'_>) -> bool {
    let framework = &plan.plan.framework;
    let with_them = match framework.profile {
        Profile::DeepSpeed => framework.offload != Offload::None,
        Profile::Fsdp2 => framework.offload == Offload::OptimizerAndParams,
        Profile::HuggingFace | Profile::Megatron => false,
    };
    with_them && plan.plan.parallelism.sharding != Sharding::None
}

impl StateBytes {
    /// State of the modules `held`, of which `adapters` elements of adapters train beside frozen weights.
    pub fn of(plan: &Resolved<'_>, held: &Held, adapters: u64) -> Self {
        let divided = Divided::of(plan);
        if plan.plan.workload.task == Task::Inference {
            return Self { params: frozen_bytes(plan, held, false), ..Self::default() };
        }
        let mut state = match plan.plan.workload.method {
            Method::Full => Self::full(plan, held, divided),
            Method::Lora | Method::Qlora => Self::adapted(plan, held, adapters, divided),
        };
        match plan.plan.framework.offload {
            Offload::None => {}
            Offload::Optimizer => {
                (state.optimizer, state.master, state.step_temporaries) = (0, 0, 0);
            }
            Offload::OptimizerAndParams => {
                (state.optimizer, state.master, state.step_temporaries) = (0, 0, 0);
                state.params = 0;
            }
        }
        if gradients_offloaded(plan) {
            state.grads = 0;
        }
        if matches!(
            plan.plan.optimizer.kind,
            OptimizerKind::PagedAdamW | OptimizerKind::PagedAdamW8bit
        ) {
            state.optimizer = 0;
        }
        state
    }

    /// Every parameter trains.
    ///
    /// ```text
    /// params P·x / N₃    gradients P·g / N₂    states P·β / N₁    master 4·P / N₁
    /// ```
    fn full(plan: &Resolved<'_>, held: &Held, divided: Divided) -> Self {
        let precision = &plan.plan.precision;
        let optimizer = &plan.plan.optimizer;
        let elements = |is_divided: bool| if is_divided { held.sharded } else { held.elements() };
        let states = match (plan.plan.framework.profile, plan.plan.parallelism.sharding) {
            // torch's ZeroRedundancyOptimizer hands out whole tensors: one rank gets the largest.
            (Profile::HuggingFace, Sharding::Zero1) => held.sharded.max(held.largest),
            _ => elements(divided.states),
        };
        let dtype = state_dtype(plan);
        let master = precision.mixed == MixedPrecision::MasterWeights;
        // What stays fp32 beside 16-bit parameters: wider by this much, its states by twice as much.
        let wider = held.fp32.saturating_mul(4_u64.saturating_sub(precision.param_dtype.bytes()));
        let wider_states = if dtype == Dtype::Fp32 || foreach_copies(optimizer.kind) == 0 {
            0
        } else {
            wider.saturating_mul(2)
        };
        Self {
            params: elements(divided.params)
                .saturating_mul(precision.param_dtype.bytes())
                .saturating_add(wider),
            adapter_params: 0,
            grads: elements(divided.grads).saturating_mul(precision.grad_dtype.bytes()),
            optimizer: optimizer_bytes(optimizer.kind, dtype, held, states)
                .saturating_add(wider_states)
                .saturating_add(step_counters(
                    optimizer.implementation,
                    optimizer.kind,
                    held.tensors,
                )),
            master: if master { states.saturating_mul(4) } else { 0 },
            step_temporaries: step_temporaries(plan, dtype, states, held.largest),
        }
    }

    /// Adapters train beside frozen weights.
    fn adapted(plan: &Resolved<'_>, held: &Held, adapters: u64, divided: Divided) -> Self {
        let optimizer = &plan.plan.optimizer;
        let bytes = plan.plan.workload.lora.dtype.bytes();
        let shards = plan.layout.shards.max(1);
        let share =
            |is_divided: bool| if is_divided { adapters.div_ceil(shards) } else { adapters };
        let states = share(divided.states);
        let master = bytes < 4 && plan.plan.precision.mixed == MixedPrecision::MasterWeights;
        let dtype = state_dtype(plan);
        let each = state_bytes_per_param(optimizer.kind, dtype);
        let adapter_params = share(divided.params).saturating_mul(bytes);
        Self {
            params: frozen_bytes(plan, held, divided.params).saturating_add(adapter_params),
            adapter_params,
            grads: share(divided.grads).saturating_mul(bytes),
            optimizer: Bytes::from_f64(states as f64 * each).0,
            master: if master { states.saturating_mul(4) } else { 0 },
            step_temporaries: step_temporaries(plan, dtype, states, adapters / held.tensors.max(1)),
        }
    }
}

/// Bytes of states of `states` elements (of the modules `held`).
fn optimizer_bytes(kind: OptimizerKind, dtype: Dtype, held: &Held, states: u64) -> u64 {
    let share = if held.elements() == 0 { 0.0 } else { states as f64 / held.elements() as f64 };
    let width = dtype.bytes() as f64;
    let bytes = match kind {
        OptimizerKind::Adafactor => held.factored as f64 * share * width,
        OptimizerKind::Muon => {
            let vectors = held.elements().saturating_sub(held.matrix);
            (held.matrix as f64 + 2.0 * vectors as f64) * share * width
        }
        _ => states as f64 * state_bytes_per_param(kind, dtype),
    };
    Bytes::from_f64(bytes).0
}

/// Step counters on the GPU: 4 bytes a tensor where the step is one fused kernel.
const fn step_counters(kernel: StepKernel, kind: OptimizerKind, tensors: u64) -> u64 {
    match (kernel, kind) {
        (StepKernel::Fused, OptimizerKind::AdamW) => 4 * tensors,
        _ => 0,
    }
}

/// Elements that DeepSpeed's stage 3 updates at once.
///
/// Source: DeepSpeed's configuration default (`sub_group_size`: 1e9).
const DEEPSPEED_SUB_GROUP_ELEMENTS: u64 = 1_000_000_000;

/// Copies of one flat tensor that torch's unfused Adam makes in a step.
///
/// Source: an out-of-memory report of a ZeRO-2 step, whose third tensor of the partition's size failed
/// (`LlamaFactory`, llama 7B on 8 cards: 28.28 GiB allocated, 3.14 GiB requested).
const FLAT_STEP_COPIES: u64 = 2;

/// Temporaries of the optimizer step.
///
/// ```text
/// foreach   copies · P · s      for loop   2 · largest · s      fused   0
/// ```
fn step_temporaries(plan: &Resolved<'_>, dtype: Dtype, states: u64, largest: u64) -> u64 {
    let optimizer = &plan.plan.optimizer;
    if optimizer.in_backward {
        return 0;
    }
    let masters = plan.plan.precision.mixed == MixedPrecision::MasterWeights;
    let profile = plan.plan.framework.profile;
    match profile {
        Profile::DeepSpeed | Profile::Megatron if masters => {
            return flat_step_temporaries(plan, states);
        }
        Profile::Megatron => return 0,
        Profile::DeepSpeed | Profile::HuggingFace | Profile::Fsdp2 => {}
    }
    match optimizer.implementation {
        StepKernel::Foreach => {
            foreach_copies(optimizer.kind).saturating_mul(states).saturating_mul(dtype.bytes())
        }
        StepKernel::ForLoop if foreach_copies(optimizer.kind) > 0 => {
            largest.min(states).saturating_mul(2 * dtype.bytes())
        }
        StepKernel::Fused | StepKernel::ForLoop => 0,
    }
}

/// Temporaries of a step over flat fp32 masters, whose gradients have 16 bits.
///
/// ```text
/// fused     (4 + 2)·P     the gradients as one flat tensor, and that in fp32
/// unfused   (4 + 8)·P     square root and denominator of Adam exist at the same time as well
/// ```
///
/// `P` elements of this rank's partition; ZeRO-3 goes by sub-groups. `DeepSpeed` has freed the 16-bit
/// gradients when the step itself runs; gradients that are in fp32 already need none of it.
///
/// Source: the ZeRO optimizers of `DeepSpeed` and `InternEvo`, which flatten the averaged gradients, then cast.
fn flat_step_temporaries(plan: &Resolved<'_>, states: u64) -> u64 {
    let optimizer = &plan.plan.optimizer;
    let deepspeed = plan.plan.framework.profile == Profile::DeepSpeed;
    let grad_bytes = plan.plan.precision.grad_dtype.bytes();
    if grad_bytes >= 4 && !deepspeed {
        return 0;
    }
    let at_once = match plan.plan.parallelism.sharding {
        Sharding::Zero3 if deepspeed => states.min(DEEPSPEED_SUB_GROUP_ELEMENTS),
        _ => states,
    };
    let step = match optimizer.implementation {
        StepKernel::Foreach | StepKernel::ForLoop if foreach_copies(optimizer.kind) > 0 => {
            4 * FLAT_STEP_COPIES
        }
        _ => 0,
    };
    let freed = if deepspeed { grad_bytes } else { 0 };
    let at_step = (4 + step).saturating_sub(freed);
    at_once.saturating_mul(at_step.max(4 + grad_bytes))
}

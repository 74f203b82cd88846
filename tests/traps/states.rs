//! Bytes per parameter: weights, gradients, optimizer states, master weights.

use vramplan::{
    explain::Quantity,
    memory::{self, Part},
    plan::{Lora, LoraTargets, Method, OptimizerKind, Plan, Profile, Recipe},
    units::GIB,
};

use crate::planner::{catalogue, part, stage, state_bytes, states_of, training, with};

/// Llama 2 7B.
const PARAMS: u64 = 6_738_415_616;

fn adapted(method: Method, rank: u32) -> Plan {
    with(&states_of("llama-3.1-8b", Recipe::PureBf16), |plan| {
        plan.workload.method = method;
        plan.workload.lora = Lora { rank, ..Lora::default() };
        if method == Method::Lora {
            plan.precision.weight_format = vramplan::plan::WeightFormat::Bf16;
        }
    })
}

/// accelerate shows twice the fp32 size as the peak of Adam (49 GiB for 7B), though weights, master
/// copy, gradients and moments live together.
///
/// ```text
/// 6,738,415,616 · (2 + 2 + 4 + 8) = 100.4 GiB      with fp32 gradients · 18 = 113 GiB
/// ```
#[test]
fn what_lives_together_is_summed() {
    for (recipe, each) in [(Recipe::Bf16Master, 16), (Recipe::Bf16MasterFp32Grads, 18)] {
        let mut plan = states_of("llama-2-7b", recipe);
        plan.framework.profile = Profile::Megatron;
        let states = state_bytes(&stage(&plan).parts);
        assert_eq!(states, each * PARAMS, "{recipe:?}");
        assert!(states > 100 * GIB, "{recipe:?}");
    }
}

/// Readers of Megatron-LM's formula could not tell what its factor of 6 is made of.
#[test]
fn master_weights_and_moments_are_parts_of_their_own() {
    let parts = stage(&states_of("llama-2-7b", Recipe::Bf16Master)).parts;
    assert_eq!(parts.get(Part::MasterWeights).0, 4 * PARAMS, "fp32 copy");
    assert_eq!(parts.get(Part::OptimizerState).0, 8 * PARAMS, "two fp32 moments");
}

/// `AReno`: packing the moments does not help where a buffer of fp32 gradients dominates.
#[test]
fn fp32_gradients_stay_fp32_beside_8_bit_moments() {
    let mut plan = states_of("llama-2-7b", Recipe::Bf16MasterFp32Grads);
    plan.framework.profile = Profile::Megatron;
    plan.optimizer.kind = OptimizerKind::AdamW8bit;
    assert_eq!(part(&plan, Part::Gradients), 4 * PARAMS, "the gradients' own format");
}

/// Users of bitsandbytes asked what its optimizers cost and why.
///
/// ```text
/// 8-bit AdamW: two bytes and two fp32 scales per block of 256 = 2.03125 bytes a parameter
/// ```
#[test]
fn eight_bit_moments_have_scales_and_paged_ones_live_elsewhere() {
    let states = |kind| {
        let mut plan = states_of("llama-2-7b", Recipe::PureBf16);
        plan.optimizer.kind = kind;
        part(&plan, Part::OptimizerState)
    };
    assert_eq!(states(OptimizerKind::AdamW8bit), 2 * PARAMS + PARAMS / 32, "with its scales");
    assert_eq!(states(OptimizerKind::PagedAdamW8bit), 0, "in pages of the host");
    assert_eq!(states(OptimizerKind::Sgd), 0, "no state at all");
    assert_eq!(states(OptimizerKind::AdamW), 4 * PARAMS, "moments follow 16-bit parameters");
}

/// Frozen weights have no gradients and no optimizer state; several calculators charge both.
///
/// ```text
/// Llama 3.1 8B, rank 16, all linears: 32 · 16 · (8192 + 2·5120 + 8192 + 3·18,432) = 41,943,040
/// ```
#[test]
fn frozen_weights_have_neither_gradients_nor_states() {
    let parts = stage(&adapted(Method::Lora, 16)).parts;
    assert_eq!(parts.get(Part::Gradients).0, 4 * 41_943_040, "fp32 gradients of adapters");
    assert_eq!(parts.get(Part::OptimizerState).0, 8 * 41_943_040, "their moments");
    assert_eq!(parts.get(Part::Parameters).0, 2 * 8_030_261_248 + 4 * 41_943_040, "and the base");
}

/// `gpu_poor` gave `LoRA` 177 GB where 16 were known, and `QLoRA` more than `LoRA`.
#[test]
fn states_of_qlora_are_below_those_of_lora_and_of_full_training() {
    let states = [adapted(Method::Qlora, 16), adapted(Method::Lora, 16), adapted(Method::Full, 16)]
        .map(|plan| state_bytes(&stage(&plan).parts));
    assert!(states.is_sorted(), "QLoRA, LoRA, full: {states:?}");
}

/// `gpu_poor` had neither rank nor targets as inputs.
#[test]
fn adapters_grow_with_rank_and_targets_and_their_number_is_shown() {
    let states = |plan: &Plan| part(plan, Part::OptimizerState);
    let (small, large) = (adapted(Method::Qlora, 8), adapted(Method::Qlora, 64));
    assert_eq!(states(&large), 8 * states(&small), "eight times the rank");
    let few = with(&small, |plan| plan.workload.lora.targets = LoraTargets::QueryValue);
    // q 4096 + 4096, v 4096 + 1024, rank 8, 32 layers, two fp32 moments.
    assert_eq!(states(&few), 32 * 8 * (8192 + 5120) * 8, "two projections only");
    let resolved = few.resolve(catalogue()).expect("a valid plan");
    let shown = memory::detail(&resolved, 0).explanation;
    let count = Quantity::Count(32 * 8 * (8192 + 5120));
    let mut inputs = shown.of(Part::Parameters).flat_map(|term| &term.inputs);
    assert!(inputs.any(|(_, quantity)| *quantity == count), "the count is in the explanation");
}

/// `gpu_poor`'s users could not see why `LoRA` needs what it needs: fp32 adapters on a 16-bit base keep
/// more activations than full training does.
#[test]
fn adapters_do_not_make_activations_disappear() {
    let full = stage(&training("llama-3.1-8b")).saved_per_layer;
    let adapters = stage(&adapted(Method::Lora, 16)).saved_per_layer;
    assert!(adapters > full, "{adapters} against {full}");
}

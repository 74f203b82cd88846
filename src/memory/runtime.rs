//! From live tensors to what the driver reports: allocator, context, libraries.
//!
//! Constants here are facts quoted from `assets/catalogue/overheads.ron`; the few that were chosen
//! by us say so.

use super::fitted;
use crate::{
    catalogue::Gpu,
    plan::{AttentionKernel, Layout, Profile, Resolved, Task},
    units::{Bytes, MIB, scaled},
};

/// Context and lazily loaded kernels of cards before Ampere.
///
/// Source: overheads `ovh-035` (CUDA context with lazy loading, 274 MiB).
const CONTEXT_OLD_MIB: u64 = 300;
/// Context and lazily loaded kernels on Ampere.
///
/// Source: overheads `ovh-004` (A100, torch 2.1, 0.47 GiB).
const CONTEXT_AMPERE_MIB: u64 = 481;
/// Context on Ada.
///
/// Source: overheads `ovh-034` (RTX 6000 Ada, torch 2.10, 426 MiB).
const CONTEXT_ADA_MIB: u64 = 426;
/// Context and kernels on Hopper.
///
/// Source: overheads `ovh-005` (A100/H100 before the first collective, 0.55 GiB).
const CONTEXT_HOPPER_MIB: u64 = 563;
/// Context and kernels on Blackwell.
///
/// Source: overheads `ovh-010` (B200, 0.70 GiB beyond the allocator).
const CONTEXT_BLACKWELL_MIB: u64 = 717;

/// Context with every kernel loaded, as CUDA did before 11.7.
///
/// Source: overheads `ovh-044` (V100, CUDA 11.2, 1343 MiB); others from 0.9 to 1.8 GiB.
const CONTEXT_EAGER_MIB: u64 = 1343;

/// cuBLAS workspace per handle and stream, before and from Hopper.
///
/// Source: overheads `ovh-065`, `ovh-066`, `ovh-067`.
const WORKSPACE_BYTES: u64 = 8_519_680;
const WORKSPACE_HOPPER_BYTES: u64 = 32 * MIB;
/// Streams with a workspace: forward and backward run on one stream each.
const WORKSPACE_STREAMS: u64 = 2;

/// Buffers of one NCCL communicator with two ranks, and with more.
///
/// Source: overheads `ovh-053`, `ovh-054` (A100, per process group).
const NCCL_PAIR_MIB: u64 = 544;
const NCCL_GROUP_MIB: u64 = 688;

/// Share of the allocator's reserve with expandable segments, which leave only rounding.
///
/// Chosen by us: pages of 2 MiB (overheads `ovh-077`).
const RESERVE_SHARE_EXPANDABLE: f64 = 0.01;
/// Segments that are always open: a small-tensor pool and one of medium size.
///
/// Source: overheads `ovh-073`, `ovh-074` (2 MiB and 20 MiB).
const RESERVE_SEGMENTS_BYTES: u64 = 22 * MIB;

/// Bytes of the driver's context and kernels.
pub(super) fn context_bytes(plan: &Resolved<'_>) -> u64 {
    let gpu: &Gpu = plan.gpu;
    if is_metal(gpu) {
        return 0;
    }
    if plan.plan.framework.eager_kernel_loading {
        return CONTEXT_EAGER_MIB * MIB;
    }
    let mib = match gpu.architecture.as_str() {
        "Ampere" | "Ampere (GA10B)" => CONTEXT_AMPERE_MIB,
        "Ada" => CONTEXT_ADA_MIB,
        "Hopper" => CONTEXT_HOPPER_MIB,
        name if name.starts_with("Blackwell") => CONTEXT_BLACKWELL_MIB,
        "Pascal" | "Volta" | "Turing" => CONTEXT_OLD_MIB,
        _ => CONTEXT_AMPERE_MIB,
    };
    mib * MIB
}

/// Apple's Metal: neither a CUDA context nor cuBLAS takes of what the GPU may wire.
fn is_metal(gpu: &Gpu) -> bool {
    gpu.vendor == "Apple"
}

/// Bytes of cuBLAS workspaces.
pub(super) fn workspace_bytes(gpu: &Gpu) -> u64 {
    if is_metal(gpu) {
        return 0;
    }
    let hopper_or_later = gpu.architecture == "Hopper" || gpu.architecture.starts_with("Blackwell");
    WORKSPACE_STREAMS * if hopper_or_later { WORKSPACE_HOPPER_BYTES } else { WORKSPACE_BYTES }
}

/// Communicators of a rank, as (pairs, larger groups).
pub(super) fn communicators(layout: &Layout) -> (u64, u64) {
    let groups = [layout.tensor, layout.pipeline, layout.context, layout.data, layout.expert];
    let pairs = groups.iter().filter(|&&ranks| ranks == 2).count() as u64;
    let larger = groups.iter().filter(|&&ranks| ranks > 2).count() as u64;
    (pairs, larger)
}

/// Bytes of NCCL's buffers.
///
/// ```text
/// M = 544 MiB · pairs + 688 MiB · larger groups
/// ```
pub(super) fn nccl_bytes(layout: &Layout) -> u64 {
    let (pairs, larger) = communicators(layout);
    (pairs * NCCL_PAIR_MIB + larger * NCCL_GROUP_MIB) * MIB
}

/// Share of the changing memory that the allocator reserves on top.
pub(super) fn reserve_share(plan: &Resolved<'_>) -> f64 {
    let layout = &plan.layout;
    let streams = layout.world > 1 && plan.plan.workload.task == Task::Training;
    if plan.plan.framework.expandable_segments {
        RESERVE_SHARE_EXPANDABLE
    } else if streams {
        fitted::RESERVE_SHARE_STREAMS
    } else {
        fitted::RESERVE_SHARE_ONE_STREAM
    }
}

/// Bytes that `FlashAttention` takes from the allocator inside its backward, where autograd does not see
/// them.
///
/// ```text
/// M = T·(4·A + 4·a + 4·A) / t      (the last term only with grouped queries)
/// ```
///
/// An fp32 accumulator of the queries' gradient, statistics, and the gradients of keys and values
/// expanded to all query heads, in 16 bits. With latent attention every head has its own key.
///
/// Source: the kernel's own code (`FlashAttention` 2); not traced.
pub(super) fn attention_kernel_bytes(plan: &Resolved<'_>) -> u64 {
    if plan.plan.framework.attention != AttentionKernel::Flash {
        return 0;
    }
    let arch = plan.arch;
    let (query, heads) = (arch.query_width(), u64::from(arch.heads));
    let grouped = arch.kv_heads < arch.heads && arch.mla.is_none();
    let each = 4 * query + 4 * heads + if grouped { 4 * query } else { 0 };
    scaled(plan.layout.tokens, each, plan.layout.tensor)
}

/// Share of the logits' memory that the allocator reserves on top where batches differ in length.
pub(super) fn varying_reserve_share(plan: &Resolved<'_>) -> f64 {
    let workload = &plan.plan.workload;
    let varying = workload.varying_lengths && workload.task == Task::Training;
    if varying && !plan.plan.framework.expandable_segments {
        fitted::RESERVE_SHARE_VARYING
    } else {
        0.0
    }
}

/// Bytes the allocator holds because batches differ in length.
///
/// ```text
/// M = φ · logits
/// ```
///
/// A longer batch needs larger blocks than any that are cached. Small tensors are cut from larger
/// blocks; the logits are the largest there are, so that theirs stay behind.
pub(super) fn varying_reserve_bytes(plan: &Resolved<'_>, logit_bytes: u64) -> u64 {
    Bytes::from_f64(varying_reserve_share(plan) * logit_bytes as f64).0
}

/// Bytes the allocator holds beyond live tensors.
///
/// ```text
/// M = φ · changing + 22 MiB,  at most what is free
/// ```
///
/// Cached blocks are given back before a request fails, so that they never make a plan too large.
pub(super) fn reserve_bytes(plan: &Resolved<'_>, changing_bytes: u64, free_bytes: u64) -> u64 {
    Bytes::from_f64(reserve_share(plan) * changing_bytes as f64)
        .0
        .saturating_add(RESERVE_SEGMENTS_BYTES)
        .min(free_bytes)
        .max(RESERVE_SEGMENTS_BYTES)
}

/// How far the live tensors of a profile may be off, as a share of what is not static.
///
/// The Hugging Face forms were traced to the byte, the others rest on published runs or on the
/// frameworks' code. Chosen by us; not fitted.
pub(super) const fn profile_doubt(profile: Profile) -> f64 {
    match profile {
        Profile::HuggingFace => 0.03,
        Profile::Fsdp2 => 0.05,
        Profile::Megatron => 0.08,
        Profile::DeepSpeed => 0.10,
    }
}

/// Share of the allocator's reserve that cannot be given back: fragments inside segments in use.
///
/// Chosen by us; not fitted.
pub(super) const RESERVE_NEEDED: f64 = 0.35;

/// Share of context, workspaces and NCCL buffers that may be missing or superfluous.
pub const RUNTIME_DOUBT: f64 = 0.3;

//! The card and the machines.

use super::{Checked, Issues};
use crate::{
    catalogue::Gpu,
    message::{Arg, Message},
    plan::{Field, GpuChoice, Plan},
    units::Bytes,
};

/// How far a bandwidth may differ from data rate × width / 8.
const BANDWIDTH_TOLERANCE: f64 = 0.025;
/// Largest memory, GB, and largest bandwidth, GB/s, that are taken for meant.
const MAX_MEMORY_GB: f64 = 1e6;
const MAX_BANDWIDTH_GBPS: f64 = 1e7;

/// The card itself, before anything is computed from it.
pub(super) fn check_card(plan: &Plan, gpu: &Gpu, issues: &mut Issues) {
    if matches!(plan.hardware.gpu, GpuChoice::Custom(_)) {
        for flaw in gpu.flaws() {
            issues.error_if(true, Field::Gpu, || {
                Message::new("issue-gpu")
                    .with("name", Arg::Key(flaw.label_key()))
                    .with("rule", Arg::Key(flaw.rule.key()))
            });
        }
        let absurd = gpu.memory_gb > MAX_MEMORY_GB || gpu.bandwidth_gbps > MAX_BANDWIDTH_GBPS;
        issues.error_if(absurd, Field::Gpu, || Message::new("issue-gpu-limit"));
        bandwidth(gpu, issues);
    }
    let (capacity, used) = (gpu.usable_memory().0, in_use(plan));
    issues.error_if(used >= capacity && used > Bytes::ZERO, Field::MemoryInUse, || {
        Message::new("issue-memory-in-use").with("used", used).with("capacity", capacity)
    });
}

pub(super) fn check(checked: &Checked<'_>, issues: &mut Issues) {
    let (hardware, gpu) = (&checked.plan.hardware, checked.gpu);
    issues.note_if(gpu.unified_memory, Field::Gpu, || {
        Message::new("issue-unified-memory").with("capacity", gpu.usable_memory().0)
    });
    let other_vendor = !gpu.vendor.is_empty() && gpu.vendor != "NVIDIA";
    issues.note_if(other_vendor, Field::Gpu, || {
        Message::new("issue-other-vendor").with("vendor", gpu.vendor.clone())
    });
    let (gpus, node) = (hardware.gpus, hardware.gpus_per_node);
    issues.note_if(gpus > node && !gpus.is_multiple_of(node), Field::GpusPerNode, || {
        Message::new("issue-node-not-full").with("rest", gpus % node).with("per-node", node)
    });
}

fn in_use(plan: &Plan) -> Bytes {
    Bytes::from_mib(u64::from(plan.hardware.memory_in_use_mib))
}

fn bandwidth(gpu: &Gpu, issues: &mut Issues) {
    let Some(from_bus) = gpu.bandwidth_from_bus() else {
        return;
    };
    let ratio = gpu.bandwidth().0 / from_bus.0;
    issues.warning_if((ratio - 1.0).abs() > BANDWIDTH_TOLERANCE, Field::Gpu, || {
        Message::new("issue-bandwidth-mismatch")
            .with("given", gpu.bandwidth().to_string())
            .with("computed", from_bus.to_string())
    });
}

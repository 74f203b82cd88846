//! Processes of a card: those that compute and those that draw, merged.

use std::collections::BTreeMap;

use nvml_wrapper::{
    Device, enums::device::UsedGpuMemory, error::NvmlError, struct_wrappers::device::ProcessInfo,
};

use super::fault;
use crate::{
    monitor::{Missing, ProcessSample, Reading, system::ProcessTable},
    units::Bytes,
};

/// Everybody who uses a card, by process id. One who computes and draws counts as computing.
pub(super) fn of(device: &Device<'_>, table: &mut ProcessTable) -> Reading<Vec<ProcessSample>> {
    let compute =
        either(|| device.running_compute_processes(), || device.running_compute_processes_v2());
    let graphics =
        either(|| device.running_graphics_processes(), || device.running_graphics_processes_v2());
    let why = match (&compute, &graphics) {
        (Err(error), Err(_)) => {
            return Reading::Missing(fault::missing(
                "nvmlDeviceGetComputeRunningProcesses_v3",
                error,
            ));
        }
        _ => Missing::NotAvailable,
    };
    let mut found = BTreeMap::new();
    let drawing = graphics.unwrap_or_default().into_iter().map(|it| (it, true));
    let computing = compute.unwrap_or_default().into_iter().map(|it| (it, false));
    for (process, graphics) in drawing.chain(computing) {
        let memory = match process.used_gpu_memory {
            UsedGpuMemory::Used(bytes) => Some(Bytes(bytes)),
            UsedGpuMemory::Unavailable => None,
        };
        let (most, only_graphics) = found.entry(process.pid).or_insert((memory, graphics));
        *most = (*most).max(memory);
        *only_graphics &= graphics;
    }
    let samples = found.into_iter().map(|(pid, (memory, graphics))| {
        let named = table.named(pid);
        ProcessSample {
            pid,
            name: named.name,
            user: named.user,
            memory: Reading::or_missing(memory, why.clone()),
            graphics,
        }
    });
    Reading::Value(samples.collect())
}

/// The newest form of the call, the one before where the driver lacks it; once more where processes
/// were started between asking for their number and for their list.
fn either(
    newest: impl Fn() -> Result<Vec<ProcessInfo>, NvmlError>,
    before: impl Fn() -> Result<Vec<ProcessInfo>, NvmlError>,
) -> Result<Vec<ProcessInfo>, NvmlError> {
    match newest() {
        Err(NvmlError::InsufficientSize(_)) => newest(),
        Err(NvmlError::FailedToLoadSymbol(reason)) => match before() {
            Err(NvmlError::FailedToLoadSymbol(_)) => Err(NvmlError::FailedToLoadSymbol(reason)),
            Err(NvmlError::InsufficientSize(_)) => before(),
            other => other,
        },
        other => other,
    }
}

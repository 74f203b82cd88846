//! The machines of a row.

use super::row::Row;
use crate::{
    catalogue::{Catalogue, Gpu},
    message::Message,
    plan::{GpuChoice, Hardware, NodeLink},
    units::{GIB, MIB},
};

/// GPUs of a node where the row does not say.
const USUAL_GPUS_PER_NODE: u32 = 8;

/// Card, number and links.
///
/// # Errors
///
/// A message if the catalogue has no card of this name.
pub(super) fn hardware(row: &Row<'_>, catalogue: &Catalogue) -> Result<Hardware, Message> {
    let name = row.text("gpu");
    let gpu = catalogue
        .gpu(name)
        .ok_or_else(|| Message::new("cases-skip-gpu").with("gpu", name.to_owned()))?;
    let gpus = gpus(row);
    let gpus_per_node = row.count("gpus_per_node").unwrap_or(USUAL_GPUS_PER_NODE.min(gpus)).max(1);
    let mut hardware = Hardware { gpus, gpus_per_node, ..Hardware::default() };
    hardware.gpu = choice(row, gpu);
    if row.yes("nvlink") == Some(false) {
        hardware.node_link = NodeLink::Pcie;
    }
    // The column counts a whole node, the plan one GPU.
    if let Some(gbits) = row.number("internode_gbps").filter(|&gbits| gbits > 0.0) {
        hardware.network_gbits_per_gpu = gbits / f64::from(gpus_per_node);
    }
    Ok(hardware)
}

/// GPUs in all: as stated, or the product of the degrees.
fn gpus(row: &Row<'_>) -> u32 {
    let axes = ["dp", "tp", "pp", "cp"].map(|axis| row.degree(axis));
    row.count("gpus").unwrap_or_else(|| axes.into_iter().fold(1, u32::saturating_mul))
}

/// The catalogue's card, or a copy with what the row says of this one.
fn choice(row: &Row<'_>, gpu: &Gpu) -> GpuChoice {
    let [memory, bandwidth, power] = ["gpu_memory_gib", "gpu_bandwidth_gbps", "gpu_power_w"]
        .map(|column| row.number(column).filter(|&value| value > 0.0));
    if memory.is_none() && bandwidth.is_none() && power.is_none() {
        return GpuChoice::Catalogue(gpu.name.clone());
    }
    let mut own = gpu.clone();
    if let Some(gib) = memory {
        own.memory_gb = gib;
        // What shares its memory with the CPU is known by its label only.
        own.driver_mib = if gpu.unified_memory { None } else { Some(mib(gib)) };
    }
    if let Some(gbps) = bandwidth {
        (own.bandwidth_gbps, own.bus_width_bits, own.data_rate_gbps) = (gbps, None, None);
    }
    own.tdp_watts = power.or(own.tdp_watts);
    GpuChoice::Custom(Box::new(own))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float to integer casts saturate, which is what is wanted here"
)]
fn mib(gib: f64) -> u32 {
    (gib * (GIB / MIB) as f64).round() as u32
}

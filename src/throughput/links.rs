//! Which link a group of GPUs spans, and how fast it is in one direction.

use std::fmt;

use super::fractions::{
    HOST_COPY_SHARE, NETWORK_STEP_SECS, NODE_STEP_SECS, RING_SHARE_NETWORK, RING_SHARE_PCIE,
    RING_SHARE_PCIE_VIA_HOST, RING_SHARE_SWITCH,
};
use crate::{catalogue::Gpu, plan::Resolved, units::BytesPerSec};

/// Cards that one `NVLink` bridge connects.
const BRIDGED_CARDS: f64 = 2.0;
/// Other devices of the node that an AMD accelerator has links to; each pair shares one of them.
const MESH_PEERS: f64 = 7.0;
/// PCI Express generation and lanes assumed where the card's are unknown.
const PCIE_IF_UNKNOWN: (u32, u32) = (4, 16);
/// Slowest link taken, so that nothing divides by zero.
const LEAST_BYTES_PER_SEC: f64 = 1e6;

/// How a card reaches its host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostLink {
    /// A slot.
    PciExpress {
        /// Generation of the slot.
        generation: u32,
        /// Lanes of the slot.
        lanes: u32,
    },
    /// The maker's own link to its processor (`NVLink-C2C`).
    ChipToChip,
    /// CPU and GPU share one memory.
    Shared,
}

/// The same in every language.
impl fmt::Display for HostLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PciExpress { generation, lanes } => write!(f, "PCIe {generation}.0 ×{lanes}"),
            Self::ChipToChip => f.write_str("NVLink-C2C"),
            Self::Shared => Ok(()),
        }
    }
}

/// Ranks of a parallel axis: so many, each so many GPUs apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// Ranks.
    pub size: f64,
    /// Distance between neighbours, in GPUs.
    pub stride: f64,
}

/// The link that a group spans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Path {
    /// Ranks.
    pub size: f64,
    /// Bus bandwidth of a ring, one direction.
    pub ring_bytes_per_sec: f64,
    /// What one GPU can send to ranks of its own node.
    pub node_bytes_per_sec: f64,
    /// What one GPU can send over the network.
    pub network_bytes_per_sec: f64,
    /// Share of the ranks that are in other nodes.
    pub remote_share: f64,
    /// Seconds of one more step.
    pub step_secs: f64,
    /// Achieved fraction of the link that limits the ring.
    pub share: f64,
    /// The group crosses nodes.
    pub crosses_nodes: bool,
}

impl Path {
    /// A rank without others: nothing is ever sent.
    const ALONE: Self = Self {
        size: 1.0,
        ring_bytes_per_sec: 1.0,
        node_bytes_per_sec: 1.0,
        network_bytes_per_sec: 1.0,
        remote_share: 0.0,
        step_secs: 0.0,
        share: 1.0,
        crosses_nodes: false,
    };
}

/// One direction of a PCI Express slot.
///
/// ```text
/// W = rate of sixteen lanes · lanes/16
/// ```
///
/// Source: link catalogue, 15.75, 31.5, 63, 121, 242 GB/s for sixteen lanes of generation 3 to 7.
pub(super) fn pcie(gpu: &Gpu) -> BytesPerSec {
    let (generation, lanes) = pcie_or_assumed(gpu);
    let sixteen_lanes = match generation {
        0 | 1 => 4.0,
        2 => 8.0,
        3 => 15.75,
        4 => 31.5,
        5 => 63.0,
        6 => 121.0,
        _ => 242.0,
    };
    BytesPerSec::from_giga(sixteen_lanes * f64::from(lanes.clamp(1, 16)) / 16.0)
}

/// The link between a card and its host's memory, one direction.
///
/// A maker prints both directions of a link to its own processor; one direction is half. A card whose
/// PCI Express generation or lanes are unknown counts as one of generation 4 with 16 lanes.
#[must_use]
pub fn host_link(gpu: &Gpu) -> (HostLink, BytesPerSec) {
    if gpu.unified_memory {
        return (HostLink::Shared, gpu.bandwidth());
    }
    if let Some(both) = gpu.c2c_bidirectional_gbps.filter(|both| *both > 0.0) {
        return (HostLink::ChipToChip, BytesPerSec::from_giga(both / 2.0));
    }
    let (generation, lanes) = pcie_or_assumed(gpu);
    (HostLink::PciExpress { generation, lanes }, pcie(gpu))
}

fn pcie_or_assumed(gpu: &Gpu) -> (u32, u32) {
    (gpu.pcie_gen.unwrap_or(PCIE_IF_UNKNOWN.0), gpu.pcie_lanes.unwrap_or(PCIE_IF_UNKNOWN.1))
}

/// Rate of copies between host and device; a shared memory is as fast as itself.
pub(super) fn host_bytes_per_sec(gpu: &Gpu) -> f64 {
    let (_, rate) = host_link(gpu);
    (rate.0 * HOST_COPY_SHARE).max(LEAST_BYTES_PER_SEC)
}

/// GPUs that the fast link connects: those of a node, or of a rack (`NVL72`) whose switches connect
/// several.
fn domain(plan: &Resolved<'_>) -> f64 {
    let per_node = f64::from(plan.plan.hardware.gpus_per_node.max(1));
    let rack = plan.gpu.nvlink.as_ref().filter(|_| plan.uses_fast_link()).and_then(|link| {
        let (_, size) = link.generation.split_once("NVL")?;
        size.trim_end_matches(|letter: char| !letter.is_ascii_digit()).parse::<f64>().ok()
    });
    rack.map_or(per_node, |rack| per_node.max(rack))
}

/// Link inside a node for a group of so many ranks: `(one direction, achieved fraction)`.
///
/// A maker prints both directions of `NVLink`; one direction is half. Bridges connect pairs only, AMD's
/// links each one peer.
fn inside_node(plan: &Resolved<'_>, size: f64) -> (f64, f64) {
    let gpu = plan.gpu;
    let fast = gpu.nvlink.as_ref().filter(|_| plan.uses_fast_link());
    let Some(link) =
        fast.filter(|link| size <= BRIDGED_CARDS || !link.generation.contains("bridge"))
    else {
        let via_host = gpu.name.contains("GeForce");
        let share = if via_host { RING_SHARE_PCIE_VIA_HOST } else { RING_SHARE_PCIE };
        return (pcie(gpu).0, share);
    };
    let one_direction = link.bidirectional_gbps * 1e9 / 2.0;
    let mesh = if link.generation == "Infinity Fabric" {
        ((size - 1.0) / MESH_PEERS).clamp(1.0 / MESH_PEERS, 1.0)
    } else {
        1.0
    };
    (one_direction * mesh, RING_SHARE_SWITCH)
}

/// The link that a group spans.
///
/// A ring over several nodes goes through all network adapters of its ranks in a node:
/// `min(link inside, ranks in the node · adapter)`.
pub(super) fn path(plan: &Resolved<'_>, group: Group) -> Path {
    if group.size <= 1.0 {
        return Path::ALONE;
    }
    let per_node = domain(plan);
    let (inside_peak, inside_share) = inside_node(plan, group.size.min(per_node));
    let inside = (inside_peak * inside_share).max(LEAST_BYTES_PER_SEC);
    let network_peak = plan.plan.hardware.network_gbits_per_gpu * 1e9 / 8.0;
    let network = (network_peak * RING_SHARE_NETWORK).max(LEAST_BYTES_PER_SEC);
    let crosses_nodes = group.size * group.stride > per_node;
    let local = (per_node / group.stride).floor().clamp(1.0, group.size);
    let across = local * network;
    let by_network = crosses_nodes && (local <= 1.0 || across < inside);
    Path {
        size: group.size,
        ring_bytes_per_sec: if by_network { across } else { inside },
        node_bytes_per_sec: inside,
        network_bytes_per_sec: network,
        remote_share: if crosses_nodes { 1.0 - local / group.size } else { 0.0 },
        step_secs: if crosses_nodes { NETWORK_STEP_SECS } else { NODE_STEP_SECS },
        share: if by_network { RING_SHARE_NETWORK } else { inside_share },
        crosses_nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        catalogue::Catalogue,
        plan::{GpuChoice, Plan},
    };

    fn on(name: &str, gpus: u32, group: Group) -> Path {
        let catalogue = Catalogue::embedded();
        let mut plan = Plan::default();
        plan.hardware.gpu = GpuChoice::Catalogue(name.to_owned());
        plan.hardware.gpus = gpus;
        let resolved = plan.resolve(catalogue).expect("a valid plan");
        path(&resolved, group)
    }

    #[test]
    fn nvlink_counts_one_direction_only() {
        let eight = on("NVIDIA H100 80GB HBM3", 8, Group { size: 8.0, stride: 1.0 });
        assert!(
            (eight.ring_bytes_per_sec - 0.8 * 450e9).abs() < 1e6,
            "half of 900 GB/s, 80 % of it"
        );
    }

    #[test]
    fn a_ring_over_nodes_uses_the_adapters_of_all_its_ranks_in_a_node() {
        let name = "NVIDIA H100 80GB HBM3";
        let all = on(name, 64, Group { size: 64.0, stride: 1.0 });
        let spread = on(name, 64, Group { size: 8.0, stride: 8.0 });
        assert!(all.crosses_nodes && spread.crosses_nodes, "both leave the node");
        let ratio = all.ring_bytes_per_sec / spread.ring_bytes_per_sec;
        assert!((ratio - 8.0).abs() < 1e-9, "eight adapters against one: {ratio}");
    }

    #[test]
    fn a_bridge_connects_two_cards_and_no_more() {
        let name = "NVIDIA GeForce RTX 3090";
        let pair = on(name, 4, Group { size: 2.0, stride: 1.0 });
        let four = on(name, 4, Group { size: 4.0, stride: 1.0 });
        assert!(
            pair.ring_bytes_per_sec > 2.0 * four.ring_bytes_per_sec,
            "four go over PCI Express"
        );
    }

    #[test]
    fn cards_without_direct_access_go_through_the_host() {
        let pair = on("NVIDIA GeForce RTX 4090", 2, Group { size: 2.0, stride: 1.0 });
        assert!(pair.ring_bytes_per_sec < 13e9, "about 12 of 31.5 GB/s");
    }
}

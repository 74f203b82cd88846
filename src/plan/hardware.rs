//! The machines of a plan.

use serde::{Deserialize, Serialize};

use super::choices;
use crate::catalogue::Gpu;

/// Which GPUs, how many, and how they are connected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hardware {
    /// The card.
    pub gpu: GpuChoice,
    /// Number of GPUs in all.
    pub gpus: u32,
    /// GPUs that share a node, and so the fast link.
    pub gpus_per_node: u32,
    /// Link between the GPUs of a node.
    pub node_link: NodeLink,
    /// Network bandwidth per GPU between nodes, Gbit/s, one direction.
    pub network_gbits_per_gpu: f64,
    /// Memory of each GPU that something else already uses, MiB.
    pub memory_in_use_mib: u32,
    /// Price of one GPU for one hour, US dollars; none if unknown.
    pub usd_per_gpu_hour: Option<f64>,
}

/// A card of the catalogue by name, or one described in the plan itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GpuChoice {
    /// Name (or alias) of a catalogue entry.
    Catalogue(String),
    /// A card that the person described.
    Custom(Box<Gpu>),
}

choices! {
    /// Link between the GPUs of one node.
    pub enum NodeLink {
        /// The card's own fast link if it has one, PCI Express otherwise.
        #[default]
        Auto = "node-link-auto",
        /// PCI Express even if the card could do better (no bridge fitted).
        Pcie = "node-link-pcie",
    }
}

/// Gbit/s per GPU that a common cluster network offers (one 400 Gbit/s port a GPU).
pub const DEFAULT_NETWORK_GBITS_PER_GPU: f64 = 400.0;

impl Default for Hardware {
    fn default() -> Self {
        Self {
            gpu: GpuChoice::Catalogue("NVIDIA GeForce RTX 4090".to_owned()),
            gpus: 1,
            gpus_per_node: 8,
            node_link: NodeLink::Auto,
            network_gbits_per_gpu: DEFAULT_NETWORK_GBITS_PER_GPU,
            memory_in_use_mib: 0,
            usd_per_gpu_hour: None,
        }
    }
}

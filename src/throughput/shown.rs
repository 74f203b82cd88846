//! The fractions that an answer rests on, as it shows them.

use super::{answer::AchievedFraction, fractions};

/// Text key of the micro-benchmarks' source.
const MICRO_BENCHMARKS: &str = "source-micro-benchmarks";
/// Text key of the source of the links' fractions.
const LINK_BENCHMARKS: &str = "source-link-benchmarks";

/// Fraction of matrix products, for showing.
pub(super) const fn matmul(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-matmul", value, source: MICRO_BENCHMARKS }
}

/// Fraction of attention, for showing.
pub(super) const fn attention(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-attention", value, source: MICRO_BENCHMARKS }
}

/// Fraction of the memory bandwidth, for showing.
pub(super) const fn bandwidth(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-bandwidth", value, source: MICRO_BENCHMARKS }
}

/// Fraction of a link inside a node, for showing.
pub(super) const fn node_link(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-node-link", value, source: LINK_BENCHMARKS }
}

/// Fraction of the network, for showing.
pub(super) const fn network(value: f64) -> AchievedFraction {
    AchievedFraction { label: "fraction-network", value, source: LINK_BENCHMARKS }
}

/// Largest hidden share of a collective, for showing.
pub(super) const fn overlap() -> AchievedFraction {
    AchievedFraction {
        label: "fraction-overlap",
        value: fractions::OVERLAP_SHARE,
        source: "source-assumed",
    }
}

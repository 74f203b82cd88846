//! One unit on the way, converted once at the edge.

use vramplan::{
    memory::Part,
    units::{Bytes, GIB},
};

use crate::planner::{answer, serving, stage, training, with_card};

/// An "80 GB" card has neither 80 GiB nor 80 · 10⁹ bytes: the driver reports 81,559 MiB.
#[test]
fn capacity_is_what_the_driver_reports() {
    let capacity = answer(&training("llama-3-8b")).capacity.0;
    assert_eq!(capacity, 81_559 << 20, "85.5 · 10⁹ bytes");
    assert!(capacity > 80_000_000_000 && capacity < 80 * GIB, "between the two readings");
}

/// A label's gigabytes are binary, of which a little less is usable, where no driver report is known.
#[test]
fn a_label_is_read_in_binary_gigabytes() {
    let plan = with_card(&training("llama-3-8b"), |gpu| {
        (gpu.driver_mib, gpu.usable_share, gpu.memory_gb) = (None, None, 80.0);
    });
    let gib = answer(&plan).capacity.gib();
    assert!((79.0..80.0).contains(&gib), "{gib} GiB, not 74.5");
}

/// hf-mem printed GB behind numbers in GiB.
///
/// ```text
/// 16,060,522,496 bytes = 14.96 GiB = 16.06 GB
/// ```
#[test]
fn the_unit_behind_a_number_is_the_one_it_is_in() {
    let weights = stage(&serving("llama-3-8b", 8192)).parts.get(Part::Parameters);
    assert_eq!(weights.to_string(), "14.96 GiB", "binary, and said so");
    assert!((weights.as_f64() / 1e9 - 16.06).abs() < 0.005, "the same bytes in GB");
}

/// llmfit adds weights in GB, a cache in GiB and a constant: a total in no unit.
#[test]
fn bytes_are_summed_and_converted_once() {
    let stage = stage(&serving("llama-3-8b", 8192));
    let sum: u64 = stage.parts.iter().map(|(_, bytes)| bytes.0).sum();
    assert_eq!(Bytes(sum), stage.total(), "whole bytes");
    let in_gb = stage.total().as_f64() / 1e9;
    assert!((stage.total().gib() * 1.073_741_824 - in_gb).abs() < 1e-9, "one conversion");
}

//! The levels of memory: the card's own, and the host's over its link.

use vramplan::{
    catalogue::{Catalogue, MemoryKind},
    plan::{Plan, WeightFormat},
    throughput::{self, HostLink, MemoryLevels, OperationClass, ProductKind, host_link},
};

use crate::{card, decode, serving};

fn levels(plan: &Plan) -> MemoryLevels {
    let resolved = plan.resolve(Catalogue::embedded()).expect("a valid plan");
    let speed = throughput::estimate(&resolved);
    throughput::explain(&resolved, &speed).levels.expect("it was explained")
}

/// 989.4 TFLOPS / 3350 GB/s; a slot of generation 5 with 16 lanes brings 63 GB/s.
#[test]
fn the_ridge_and_the_host_follow_from_the_data_sheet() {
    let plan = decode("llama-3-8b", "NVIDIA H100 80GB HBM3", WeightFormat::Bf16);
    let levels = levels(&plan);
    assert!((levels.ridge() - 295.3).abs() < 0.5, "{} FLOPs per byte", levels.ridge());
    assert_eq!(levels.host_link, HostLink::PciExpress { generation: 5, lanes: 16 });
    assert_eq!(levels.host_link.to_string(), "PCIe 5.0 ×16");
    // 32 blocks of 218,103,808 weights in 16 bits, and a little for inputs and outputs.
    let weights = 32.0 * 218_103_808.0 * 2.0;
    assert!((levels.weights.as_f64() / weights - 1.0).abs() < 0.01, "{}", levels.weights);
    assert!((levels.from_host().0 - weights / 63e9).abs() < 0.01, "{}", levels.from_host());
    assert!(levels.from_memory().0 < serving(&plan).token_latency.0, "a token takes longer");
}

#[test]
fn a_link_to_its_own_processor_brings_more_than_a_slot() {
    let (link, rate) = host_link(&card("NVIDIA GH200 480GB"));
    assert_eq!((link, rate.giga()), (HostLink::ChipToChip, 450.0), "half of 900 GB/s both ways");
    let (link, _) = host_link(&card("NVIDIA GB10"));
    assert_eq!(link, HostLink::Shared, "one memory for both");
}

#[test]
fn stacked_memory_is_compared_with_graphics_memory() {
    let catalogue = Catalogue::embedded();
    let of = |kind| catalogue.fastest_memory(kind).expect("some card has it");
    let (stacked, graphics) = (of(MemoryKind::Stacked), of(MemoryKind::Graphics));
    assert!(stacked.memory_type.starts_with("HBM") && graphics.memory_type.starts_with("GDDR"));
    assert!(stacked.bandwidth_gbps > 4.0 * graphics.bandwidth_gbps, "8 TB/s against 1.8");
}

/// `m·n·k` of every product of a block sums to the block's work, experts with their share of tokens.
#[test]
fn products_by_shape_are_those_that_the_step_counts() {
    let catalogue = Catalogue::embedded();
    for (model, blocks) in [("llama-3-8b", 32.0), ("mixtral-8x7b", 32.0)] {
        let plan = decode(model, "NVIDIA H100 80GB HBM3", WeightFormat::Bf16);
        let resolved = plan.resolve(catalogue).expect("a valid plan");
        let speed = throughput::estimate(&resolved);
        let listed = throughput::explain(&resolved, &speed).products;
        let of_a_block = listed.iter().filter(|one| one.kind != ProductKind::Head);
        let work: f64 = of_a_block
            .map(|one| {
                let flops = 2.0 * one.rows * one.inputs * one.outputs * one.copies;
                assert!((flops / one.cost.flops.0 - 1.0).abs() < 1e-9, "{one:?}");
                flops
            })
            .sum();
        let counted: f64 = speed
            .operations
            .iter()
            .filter(|one| {
                matches!(
                    one.class,
                    OperationClass::Matmul | OperationClass::Experts | OperationClass::Routing
                )
            })
            .map(|one| one.flops.0)
            .sum();
        assert!((counted / (work * blocks) - 1.0).abs() < 1e-9, "{model}: {counted} of {work}");
    }
}

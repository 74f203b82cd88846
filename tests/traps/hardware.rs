//! Facts about cards: nameplates, dense rates, one direction of a link.

use vramplan::{
    catalogue::{Catalogue, Gpu},
    plan::{GpuChoice, Plan, PlanError, Profile, Recipe},
    throughput::{self, CommunicationGroup, Figures},
};

use crate::planner::{catalogue, serving, training, with, with_card};

fn card(name: &str) -> &'static Gpu {
    Catalogue::embedded().gpu(name).expect("a card of the catalogue")
}

fn decode(plan: &Plan) -> f64 {
    match throughput::estimate(&plan.resolve(catalogue()).expect("a valid plan")).figures {
        Figures::Serving(figures) => figures.decode_tokens_per_sec,
        Figures::Training(_) => panic!("it serves"),
    }
}

/// gpuhunt listed the L4 with 22 GB, what the driver shows with error correction on.
#[test]
fn the_nameplate_and_what_the_driver_reports_are_two_figures() {
    let l4 = card("NVIDIA L4");
    assert!((l4.memory_gb - 24.0).abs() < 1e-9, "the label");
    assert_eq!(l4.usable_memory().0.gib_cell(), "22.49", "23,034 MiB, what a process can use");
    assert!((card("NVIDIA RTX A4000").memory_gb - 16.0).abs() < 1e-9, "llmfit showed 8 GB");
}

/// nsys-ai gave the H200 the bandwidth of the H100, since the chip is the same.
#[test]
fn variants_of_a_chip_have_their_own_bandwidth() {
    for (name, gbps) in
        [("NVIDIA H200", 4800.0), ("NVIDIA H100 80GB HBM3", 3350.0), ("NVIDIA H100 PCIe", 2039.0)]
    {
        let found = card(name).bandwidth_gbps;
        assert!((found - gbps).abs() < gbps / 100.0, "{name}: {found} GB/s");
    }
}

/// A sizing guide's readers took the sparse rate of a data sheet for the dense one.
#[test]
fn rates_are_dense() {
    // Dense bf16 rates of the data sheets' second column; sparse ones are twice as much.
    for (name, tflops) in [
        ("NVIDIA H100 80GB HBM3", 989.4),
        ("NVIDIA H100 PCIe", 756.0),
        ("NVIDIA A100-SXM4-80GB", 312.0),
        ("NVIDIA L4", 121.0),
        ("NVIDIA B200", 2250.0),
        ("NVIDIA GeForce RTX 4090", 165.2),
    ] {
        let bf16 = card(name).tflops.bf16.expect("it has the format");
        assert!((bf16 / tflops - 1.0).abs() < 0.01, "{name}: {bf16} TFLOPS");
    }
}

/// torchao's table and the driver differ on the B200; the person's own figure decides.
#[test]
fn a_typed_bandwidth_moves_decoding_in_proportion() {
    // Without graphs one sequence waits for the host to launch kernels.
    let graphs = with(&serving("llama-3-8b", 1024), |plan| plan.framework.cuda_graphs = true);
    let listed = with_card(&graphs, |gpu| gpu.bandwidth_gbps = 200.0);
    let faster = with_card(&listed, |gpu| gpu.bandwidth_gbps = 400.0);
    let ratio = decode(&faster) / decode(&listed);
    assert!((1.9..=2.0).contains(&ratio), "bound by memory: {ratio}");
}

/// Makers print a link's two directions together; a collective has one of them.
///
/// ```text
/// TP2 with sequence parallelism, Llama 3 8B, 8192 tokens: per layer 8 gathers or scatters of half of
/// 2·h·T bytes; 32 · 8 · 4096 · 8192 = 8.6 GB, at 450 GB/s one way 19 ms
/// ```
#[test]
fn a_link_carries_half_of_the_bidirectional_figure_each_way() {
    let mut plan = training("llama-3-8b");
    Recipe::Bf16MasterFp32Grads.apply(&mut plan.precision);
    plan.framework.profile = Profile::Megatron;
    plan.workload.sequence = 8192;
    plan.hardware.gpus = 2;
    plan.parallelism.tensor = 2;
    let speed = throughput::estimate(&plan.resolve(catalogue()).expect("a valid plan"));
    let tensor = speed.communication.iter().find(|one| one.group == CommunicationGroup::Tensor);
    let secs = tensor.expect("tensor-parallel traffic").time.0;
    let one_way = 32.0 * 8.0 * 4096.0 * 8192.0 / 450e9;
    assert!(secs >= one_way, "{secs} s against {one_way} s at the full rate of one direction");
}

/// llmfit showed an unknown card with half its memory; a name that is not known is not guessed.
#[test]
fn an_unknown_card_is_an_error_and_not_a_guess() {
    let plan = with(&training("llama-3-8b"), |plan| {
        plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA RTX A4321".to_owned());
    });
    let Err(PlanError::Invalid(issues)) = plan.resolve(catalogue()) else {
        panic!("no answer for an unknown card")
    };
    assert!(issues.iter().any(|issue| issue.message.key == "issue-unknown-gpu"), "{issues:?}");
}

/// kaito took the memory of one GPU for that of a node and divided it again.
#[test]
fn capacity_is_that_of_one_gpu_however_many_share_a_node() {
    let capacity = |gpus, per_node| {
        let plan = with(&training("llama-3-8b"), |plan| {
            plan.hardware.gpus = gpus;
            plan.hardware.gpus_per_node = per_node;
        });
        crate::planner::answer(&plan).capacity
    };
    assert_eq!(capacity(1, 1), capacity(8, 8), "a node of eight");
    assert_eq!(capacity(16, 8), capacity(8, 8), "two of them");
}

//! How many sequences a server holds at once.

use vramplan::{
    catalogue::Catalogue,
    estimate::{estimate, most_sequences},
    memory::Verdict,
    plan::{Plan, WeightFormat},
};

use crate::{decode, torchtitan_8b};

fn verdict(plan: &Plan, sequences: u32) -> Verdict {
    let mut plan = plan.clone();
    plan.workload.concurrency = sequences;
    estimate(&plan, Catalogue::embedded()).expect("a valid plan").memory.verdict
}

#[test]
fn so_many_sequences_fit_and_one_more_does_not() {
    let catalogue = Catalogue::embedded();
    let mut plan = decode("llama-3-8b", "NVIDIA H100 80GB HBM3", WeightFormat::Bf16);
    plan.workload.prompt_tokens = 7168;
    plan.workload.generated_tokens = 1024;
    let most = most_sequences(&plan, catalogue).expect("a server");
    // About 60 GiB beside the weights, 1 GiB of keys and values for 8192 tokens.
    assert!((45..75).contains(&most), "{most} sequences");
    assert_eq!(verdict(&plan, most), Verdict::Fits, "{most} fit");
    assert_ne!(verdict(&plan, most + 1), Verdict::Fits, "one more does not surely fit");
    plan.workload.prompt_tokens = 3072;
    let shorter = most_sequences(&plan, catalogue).expect("a server");
    assert!(shorter > most + most / 2, "half the length, about twice as many: {shorter}");
}

#[test]
fn a_model_that_is_too_large_holds_none_and_training_has_no_such_number() {
    let catalogue = Catalogue::embedded();
    let plan = decode("llama-3.1-405b", "NVIDIA H100 80GB HBM3", WeightFormat::Bf16);
    assert_eq!(most_sequences(&plan, catalogue), Some(0), "not even one");
    assert_eq!(most_sequences(&torchtitan_8b(8), catalogue), None, "training");
}

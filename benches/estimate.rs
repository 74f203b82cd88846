//! How long an estimate takes: a 70B model on 128 GPUs (tensor 8, pipeline 4, data 4), all stages.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark fails by panicking"
)]

#[path = "support/plan_70b.rs"]
mod plan_70b;

use divan::{Bencher, black_box};
use vramplan::{catalogue::Catalogue, estimate::estimate, memory, throughput};

use plan_70b::plan_70b;

fn main() {
    divan::main();
}

/// Totals: memory of all four stages, verdict and speed, from the plan as a person holds it.
#[divan::bench(sample_size = 100)]
fn totals(bencher: Bencher<'_, '_>) {
    let catalogue = Catalogue::embedded();
    let plan = plan_70b();
    assert!(estimate(&plan, catalogue).is_ok(), "{:?}", estimate(&plan, catalogue).err());
    bencher.bench(|| estimate(black_box(&plan), catalogue));
}

/// The memory half of it.
#[divan::bench(sample_size = 100)]
fn memory_totals(bencher: Bencher<'_, '_>) {
    let catalogue = Catalogue::embedded();
    let plan = plan_70b();
    let resolved = plan.resolve(catalogue).expect("a valid plan");
    bencher.bench(|| memory::estimate(black_box(&resolved)));
}

/// The speed half of it.
#[divan::bench(sample_size = 100)]
fn speed_totals(bencher: Bencher<'_, '_>) {
    let catalogue = Catalogue::embedded();
    let plan = plan_70b();
    let resolved = plan.resolve(catalogue).expect("a valid plan");
    bencher.bench(|| throughput::estimate(black_box(&resolved)));
}

/// Looking the names up, checking and deriving the degrees.
#[divan::bench(sample_size = 100)]
fn resolve(bencher: Bencher<'_, '_>) {
    let catalogue = Catalogue::embedded();
    let plan = plan_70b();
    bencher.bench(|| black_box(&plan).resolve(catalogue).is_ok());
}

/// Everything the window shows: totals, timeline and explanations of the shown stage, and of the speed.
#[divan::bench(sample_size = 100)]
fn everything_shown(bencher: Bencher<'_, '_>) {
    let catalogue = Catalogue::embedded();
    let plan = plan_70b();
    bencher.bench(|| {
        let plan = black_box(&plan);
        let answer = estimate(plan, catalogue).ok()?;
        let resolved = plan.resolve(catalogue).ok()?;
        let detail = memory::detail(&resolved, answer.memory.worst);
        let speed = throughput::explain(&resolved, &answer.speed);
        Some((answer, detail, speed))
    });
}

//! CPU time of the live panel's engine: one sample of a large machine, and an hour of history.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark fails by panicking"
)]

#[path = "../tests/support/fake_nvml.rs"]
mod fake_nvml;

use divan::Bencher;
use fake_nvml::FakeLibrary;
use vramplan::monitor::{History, Metric, RecordingFormat, Snapshot, Source, write_recording};

fn main() {
    divan::main();
}

const CONTROL: &str = "count 16\nprocesses 64";
const METRICS: [Metric; 4] =
    [Metric::UsedMemory, Metric::Compute, Metric::Power, Metric::Temperature];

fn source(library: &FakeLibrary) -> Source {
    Source::Nvml { library: Some(library.path()) }
}

fn sample() -> Snapshot {
    let library = FakeLibrary::new(CONTROL);
    source(&library).sampler().and_then(|mut it| it.sample()).expect("a sample")
}

/// Twice of this is what a second costs at the default interval, less the driver's own time.
#[divan::bench]
fn one_sample_of_16_gpus_with_64_processes(bencher: Bencher<'_, '_>) {
    let library = FakeLibrary::new(CONTROL);
    let mut sampler = source(&library).sampler().expect("a library");
    bencher.bench_local(|| sampler.sample().expect("a sample"));
}

/// Names and owners of processes are read again every ten seconds: this is such a sample, and
/// the library is loaded as well.
#[divan::bench]
fn the_first_sample(bencher: Bencher<'_, '_>) {
    let library = FakeLibrary::new(CONTROL);
    bencher.bench_local(|| {
        source(&library).sampler().and_then(|mut it| it.sample()).expect("a sample")
    });
}

#[divan::bench]
fn recording_one_sample(bencher: Bencher<'_, '_>) {
    let sample = sample();
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        write_recording(&mut out, RecordingFormat::Replay, [&sample]).expect("memory");
        out.len()
    });
}

fn an_hour() -> (History, Snapshot) {
    let mut history = History::default();
    let mut sample = sample();
    for number in 0..7200 {
        sample.unix_secs = 1.7e9 + f64::from(number) * 0.5;
        history.add(&sample);
    }
    (history, sample)
}

/// All curves that a frame can show: 16 GPUs, four metrics, 300 points.
#[divan::bench]
fn an_hour_of_16_gpus_as_curves(bencher: Bencher<'_, '_>) {
    let (history, sample) = an_hour();
    bencher.bench_local(|| {
        let mut points = 0;
        for gpu in &sample.gpus {
            for metric in METRICS {
                points += history.series(&gpu.key, metric, 0.0, 300).len();
            }
        }
        points
    });
}

#[divan::bench]
fn adding_a_sample_to_an_hour(bencher: Bencher<'_, '_>) {
    let (mut history, mut sample) = an_hour();
    bencher.bench_local(|| {
        sample.unix_secs += 0.5;
        history.add(&sample);
    });
}

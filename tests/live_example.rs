//! The recording that comes with the program is made here, from nothing but arithmetic: no machine
//! was recorded. Run with `VRAMPLAN_WRITE_EXAMPLE=1` to write it anew after a change.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking, and not every invention is used by every test"
)]

#[path = "support/live.rs"]
mod live;

use std::path::PathBuf;

use vramplan::monitor::{GpuSample, Reading, RecordingFormat, Snapshot, write_recording};

/// Samples of the recording.
const SAMPLES: u32 = 60;
/// Time between two of them, seconds.
const STEP_SECS: f64 = 1.5;
/// When the invented recording began: 1 January 2026.
const START_UNIX_SECS: f64 = 1_767_225_600.0;

/// Memory of the other process on the last card, MiB.
const NOTEBOOK_MIB: u64 = 4_800;

/// A job that loads, then trains: after the first steps the allocator holds what it needs, and
/// grows a little. It is the size of the example plan "8B pre-training with FSDP on 8 H100".
fn used_mib(index: u32, sample: u32) -> u64 {
    let rank_zero = if index == 0 { 420 } else { 0 };
    let own = u64::from(index * 137 % 300) + rank_zero;
    let held = match sample {
        0..3 => 920,
        3..8 => 2_300 * u64::from(sample - 2),
        8 => 46_200,
        9 => 51_300,
        10..25 => 52_700,
        25..40 => 52_950,
        _ => 53_050,
    };
    held + own
}

/// Steps that write a checkpoint or wait for data leave the cards idle for a moment.
const fn waits(sample: u32) -> bool {
    sample >= 14 && sample % 12 == 2
}

fn gpu(index: u32, sample: u32) -> GpuSample {
    let works = sample >= 8 && !waits(sample);
    let notebook = if index == 7 { NOTEBOOK_MIB } else { 0 };
    let used = used_mib(index, sample) + notebook;
    let mut gpu = live::gpu(index, used);
    let phase = f64::from((sample * 7 + index * 3) % 11);
    let number = |working: f64, idle: f64| Reading::Value(if works { working } else { idle });
    gpu.utilisation.compute_percent = number(88.0 + phase, 3.0 + phase);
    gpu.utilisation.memory_percent = number(51.0 + phase, 1.0);
    let warmth = f64::from(sample.min(30)) * 0.8;
    gpu.temperature_celsius = Reading::Value((36.0 + warmth + f64::from(index)).round());
    gpu.power_watts = number(590.0 + 9.0 * phase, 118.0 + phase);
    gpu.clocks.sm_mhz = number(1_755.0 - 15.0 * (phase / 4.0).floor(), 1_980.0);
    gpu.pcie.sent_bytes_per_sec = number(1.1e9 + 9e7 * phase, 2e7);
    gpu.pcie.received_bytes_per_sec = number(1.9e9 + 8e7 * phase, 6e8);
    gpu.nvlink.sent_bytes_per_sec = number(131e9 + 4e9 * phase, 0.0);
    gpu.nvlink.received_bytes_per_sec = number(133e9 + 4e9 * phase, 0.0);
    if index == 3 && sample >= 20 {
        gpu.throttling = Reading::Value(vec!["live-throttle-thermal-software"]);
        gpu.temperature_celsius = Reading::Value(84.0);
        gpu.clocks.sm_mhz = Reading::Value(1_410.0);
    }
    let mut processes = vec![live::process(41_230 + index, used - 60)];
    if index == 7 {
        let mut notebook = live::process(38_811, NOTEBOOK_MIB);
        notebook.name = Reading::Value("jupyter-lab".to_owned());
        notebook.user = Reading::Value("grace".to_owned());
        processes[0] = live::process(41_237, used - NOTEBOOK_MIB - 60);
        processes.push(notebook);
    }
    gpu.processes = Reading::Value(processes);
    gpu
}

fn recording() -> Vec<u8> {
    let snapshots: Vec<Snapshot> = (0..SAMPLES)
        .map(|sample| Snapshot {
            unix_secs: START_UNIX_SECS + STEP_SECS * f64::from(sample),
            host: live::host(),
            gpus: (0..8).map(|index| gpu(index, sample)).collect(),
        })
        .collect();
    let mut bytes = Vec::new();
    write_recording(&mut bytes, RecordingFormat::Replay, &snapshots).expect("memory");
    bytes
}

#[test]
fn the_example_that_is_shipped_is_the_one_that_is_made_here() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/recordings/eight-gpus.jsonl");
    let made = recording();
    if std::env::var_os("VRAMPLAN_WRITE_EXAMPLE").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    let shipped = std::fs::read(&path).expect("the file");
    assert!(shipped == made, "write it anew with VRAMPLAN_WRITE_EXAMPLE=1");
    assert!(made.len() < 700_000, "the program stays small: {} bytes", made.len());
}

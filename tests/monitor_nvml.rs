//! Every way in which NVIDIA's library can fail, through the real wrapper and a stand-in library.

#![cfg(all(feature = "nvml", target_os = "linux"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/fake_nvml.rs"]
mod fake_nvml;
#[path = "support/waiting.rs"]
mod waiting;

use std::time::{Duration, Instant};

use fake_nvml::FakeLibrary;
use vramplan::{
    monitor::{GpuSample, Missing, Monitor, Reading, Snapshot, Source, Status},
    text::{Language, Texts},
    units::{Bytes, GIB},
};
use waiting::failed;

fn reading(library: &FakeLibrary) -> Monitor {
    let mut monitor = Monitor::default();
    monitor.set_interval_secs(0.2);
    monitor.start(Source::Nvml { library: Some(library.path()) });
    monitor
}

/// Polls until something is so.
fn until(monitor: &mut Monitor, what: &str, done: impl Fn(&Monitor) -> bool) {
    waiting::until(monitor, what, 30, done);
}

/// The first sample of a library.
fn sampled(control: &str) -> Snapshot {
    sample_of(&FakeLibrary::new(control))
}

fn sample_of(library: &FakeLibrary) -> Snapshot {
    let mut monitor = reading(library);
    until(&mut monitor, "a sample", |it| it.latest().is_some());
    assert_eq!(*monitor.status(), Status::Running, "it runs");
    monitor.latest().expect("awaited above").clone()
}

fn failed_to_start(control: &str) -> &'static str {
    failed(Source::Nvml { library: Some(FakeLibrary::new(control).path()) }).what.key
}

fn lost(gpu: &GpuSample) -> bool {
    gpu.memory.used == Reading::Missing(Missing::GpuLost)
}

#[test]
fn a_healthy_gpu_is_read_in_full() {
    let library = FakeLibrary::new("count 1\nprocesses 3\ndrawing 2");
    let mut monitor = reading(&library);
    until(&mut monitor, "two samples", |it| {
        it.latest().is_some_and(|it| it.gpus[0].pcie.sent_bytes_per_sec.value().is_some())
    });
    let snapshot = monitor.latest().expect("awaited above");
    assert_eq!(snapshot.host.driver_version, Reading::Value("550.54.15".to_owned()));
    assert_eq!(snapshot.host.cuda_version, Reading::Value("12.4".to_owned()));
    let gpu = &snapshot.gpus[0];
    assert_eq!(gpu.name, Reading::Value("NVIDIA H100 80GB HBM3".to_owned()));
    assert_eq!(gpu.key.uuid, "GPU-00000000-0000-0000-0000-000000000001");
    assert_eq!(gpu.bus_id, Reading::Value("00000000:01:00.0".to_owned()));
    let sum = [&gpu.memory.used, &gpu.memory.reserved, &gpu.memory.free];
    let sum: Bytes = sum.into_iter().map(|it| *it.value().expect("known")).sum();
    assert_eq!(Reading::Value(sum), gpu.memory.total, "used, reserved and free are all of it");
    assert_eq!(gpu.utilisation.compute_percent, Reading::Value(97.0));
    assert_eq!(gpu.temperature_celsius, Reading::Value(61.0));
    assert_eq!(gpu.power_watts, Reading::Value(300.001));
    assert_eq!(gpu.power_limit_watts, Reading::Value(700.0));
    assert_eq!(gpu.clocks.sm_mhz, Reading::Value(1755.0));
    assert_eq!(gpu.clocks.memory_max_mhz, Reading::Value(2619.0));
    assert_eq!(gpu.bus_width_bits, Reading::Value(5120));
    assert_eq!(gpu.compute_capability, Reading::Value((9, 0)));
    assert_eq!(gpu.ecc.corrected, Reading::Value(3));
    assert_eq!(gpu.ecc.uncorrected, Reading::Value(0), "a real zero stays one");
    let reasons = vec!["live-throttle-power-cap", "live-throttle-thermal-software"];
    assert_eq!(gpu.throttling, Reading::Value(reasons));
    for link in [&gpu.pcie, &gpu.nvlink] {
        let rate = link.sent_bytes_per_sec.value().expect("a rate") / GIB as f64;
        assert!((0.7..1.4).contains(&rate), "the counters grow by 1 GiB a second: {rate}");
    }
    let processes = gpu.processes.value().expect("processes");
    assert_eq!(processes.len(), 4, "three compute, one of two that draw is among them");
    let own = processes.iter().find(|it| it.pid == std::process::id()).expect("this test");
    assert!(own.name.value().is_some_and(|name| name.contains("monitor_nvml")), "{own:?}");
    assert!(own.user.value().is_some() && !own.graphics, "it computes and draws: {own:?}");
}

#[test]
fn without_the_library_the_driver_is_to_be_installed() {
    let library = Some("/nowhere/libnvidia-ml.so.1".into());
    let fault = failed(Source::Nvml { library });
    assert_eq!(fault.what.key, "live-fault-no-library");
    let text = Texts::new(Language::English).message(&fault.what);
    assert!(text.contains("No such file"), "the loader's own reason: {text}");
}

#[test]
fn each_failure_at_the_start_has_its_own_words() {
    assert_eq!(failed_to_start("nvmlInit_v2 9"), "live-fault-driver-not-loaded");
    assert_eq!(failed_to_start("nvmlInit_v2 18"), "live-fault-version-mismatch");
    assert_eq!(failed_to_start("nvmlInit_v2 4"), "live-fault-no-permission");
    assert_eq!(failed_to_start("nvmlInit_v2 77"), "live-fault-code");
    assert_eq!(failed_to_start("nvmlInit_v2 999"), "live-fault-driver");
}

#[test]
fn a_library_of_something_else_is_no_crash() {
    let library = FakeLibrary::new("");
    std::fs::write(library.path(), "no library at all").expect("written");
    let fault = failed(Source::Nvml { library: Some(library.path()) });
    assert_eq!(fault.what.key, "live-fault-no-library");
}

#[test]
fn a_retry_after_the_driver_was_loaded_reads_the_gpus() {
    let library = FakeLibrary::new("nvmlInit_v2 9");
    let mut monitor = reading(&library);
    until(&mut monitor, "a fault", |it| matches!(it.status(), Status::Failed(_)));
    library.control("count 2");
    monitor.retry();
    until(&mut monitor, "samples", |it| it.latest().is_some_and(|it| it.gpus.len() == 2));
}

#[test]
fn an_old_driver_tells_memory_and_processes_by_its_older_calls() {
    let snapshot = sample_of(&FakeLibrary::of_old_driver("count 1\nprocesses 2"));
    let gpu = &snapshot.gpus[0];
    assert_eq!(gpu.memory.used, Reading::Value(Bytes(12 * GIB)), "with what the driver keeps");
    assert_eq!(gpu.memory.total, Reading::Value(Bytes(80 * GIB)));
    let why = Missing::FunctionMissing("nvmlDeviceGetMemoryInfo_v2".to_owned());
    assert_eq!(gpu.memory.reserved, Reading::Missing(why), "a dash that names the function");
    assert_eq!(gpu.processes.value().map(Vec::len), Some(2));
}

#[test]
fn a_gpu_that_is_lost_stays_in_the_list_and_the_others_go_on() {
    let library = FakeLibrary::new("count 3");
    let mut monitor = reading(&library);
    until(&mut monitor, "three", |it| it.latest().is_some_and(|it| it.gpus.len() == 3));
    library.control("count 3\nlost 1");
    until(&mut monitor, "a lost one", |it| it.latest().is_some_and(|it| lost(&it.gpus[1])));
    let gpus = &monitor.latest().expect("awaited above").gpus;
    assert_eq!(gpus.len(), 3, "it stays");
    assert_eq!(gpus[1].key.uuid, "GPU-00000000-0000-0000-0000-000000000002", "with its identity");
    assert!(gpus[1].name.value().is_some(), "and its name");
    assert_eq!(gpus[1].power_watts, Reading::Missing(Missing::GpuLost), "but nothing else");
    assert!(!lost(&gpus[0]) && !lost(&gpus[2]), "the others go on");
    library.control("count 3");
    until(&mut monitor, "its return", |it| it.latest().is_some_and(|it| !lost(&it.gpus[1])));
}

#[test]
fn a_single_call_that_loses_the_gpu_costs_only_its_own_figure() {
    let snapshot = sampled("nvmlDeviceGetPowerUsage 15");
    let gpu = &snapshot.gpus[0];
    assert_eq!(gpu.power_watts, Reading::Missing(Missing::GpuLost));
    assert!(gpu.temperature_celsius.value().is_some(), "the rest is there");
}

#[test]
fn a_gpu_that_appears_is_listed_and_one_that_is_exchanged_is_read_anew() {
    let library = FakeLibrary::new("count 1");
    let mut monitor = reading(&library);
    until(&mut monitor, "one", |it| it.latest().is_some_and(|it| it.gpus.len() == 1));
    library.control("count 2");
    until(&mut monitor, "two", |it| it.latest().is_some_and(|it| it.gpus.len() == 2));
    library.control("count 2\nuuid 1 GPU-other");
    until(&mut monitor, "another", |it| {
        it.latest().is_some_and(|it| it.gpus[1].key.uuid == "GPU-other")
    });
    assert_eq!(monitor.history().keys().count(), 3, "each card has its own past");
}

#[test]
fn a_call_that_hangs_holds_up_neither_poll_nor_stop() {
    let library = FakeLibrary::new("count 1");
    let mut monitor = reading(&library);
    until(&mut monitor, "a sample", |it| it.latest().is_some());
    library.control("count 1\nhang nvmlDeviceGetTemperature 4");
    until(&mut monitor, "waiting", |it| matches!(it.status(), Status::Waiting { .. }));
    assert!(monitor.latest().is_some(), "the last figures stay in sight");
    until(&mut monitor, "the call's return", |it| *it.status() == Status::Running);
    until(&mut monitor, "the next wait", |it| matches!(it.status(), Status::Waiting { .. }));
    let begin = Instant::now();
    drop(monitor);
    assert!(begin.elapsed().as_millis() < 100, "stopping took {:?}", begin.elapsed());
}

#[test]
fn unknown_codes_and_missing_rights_are_dashes_with_their_reason() {
    let snapshot = sampled(
        "nvmlDeviceGetPowerUsage 77\nnvmlDeviceGetTotalEccErrors 3\nnvmlDeviceGetClockInfo 4\n\
         nvmlDeviceGetComputeRunningProcesses_v3 4\nnvmlDeviceGetGraphicsRunningProcesses_v3 4",
    );
    let gpu = &snapshot.gpus[0];
    assert_eq!(gpu.power_watts, Reading::Missing(Missing::Code("77".to_owned())));
    assert_eq!(gpu.ecc.corrected, Reading::Missing(Missing::NotSupported), "not zero errors");
    assert_eq!(gpu.clocks.sm_mhz, Reading::Missing(Missing::NoPermission));
    assert_eq!(gpu.processes, Reading::Missing(Missing::NoPermission), "not an empty list");
}

#[test]
fn every_call_may_answer_with_any_code() {
    let source = include_str!("fake_nvml/lib.rs");
    let mut names: Vec<&str> = source
        .split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
        .filter(|word| word.starts_with("nvmlDeviceGet") || word.starts_with("nvmlSystemGet"))
        .filter(|word| *word != "nvmlDeviceGetCount_v2")
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 20, "the stand-in's functions: {names:?}");
    for code in [2, 6, 7, 16, 17, 21, 24, 28, 999, 4_000_000_000_u32] {
        let control: Vec<_> = names.iter().map(|name| format!("{name} {code}")).collect();
        let snapshot = sampled(&control.join("\n"));
        assert!(snapshot.gpus.len() <= 1, "code {code}");
        for gpu in &snapshot.gpus {
            assert!(gpu.memory.total.value().is_none(), "code {code} is not a value: {gpu:?}");
        }
    }
}

#[test]
fn a_count_that_fails_is_a_fault_and_not_an_empty_list() {
    assert_eq!(failed_to_start("nvmlDeviceGetCount_v2 9"), "live-fault-driver-not-loaded");
}

#[test]
fn no_gpu_at_all_is_said_and_found_when_it_comes() {
    let library = FakeLibrary::new("count 0");
    let mut monitor = reading(&library);
    until(&mut monitor, "an empty list", |it| it.latest().is_some());
    let notice = monitor.latest().and_then(Snapshot::no_gpus).expect("a notice");
    assert_eq!(notice.what.key, "live-fault-no-gpus");
    library.control("count 1");
    until(&mut monitor, "a GPU", |it| it.latest().is_some_and(|it| it.no_gpus().is_none()));
}

#[test]
fn sixteen_gpus_with_sixty_four_processes_each_are_all_there() {
    let snapshot = sampled("count 16\nprocesses 64");
    assert_eq!(snapshot.gpus.len(), 16);
    for gpu in &snapshot.gpus {
        let processes = gpu.processes.value().expect("processes");
        assert_eq!(processes.len(), 64, "GPU {}", gpu.index);
        let stranger = processes.iter().find(|it| it.pid > 4_000_000_000).expect("a stranger");
        assert_eq!(stranger.name, Reading::Missing(Missing::NotAvailable), "no such process here");
    }
}

#[test]
fn unified_memory_is_a_dash_and_not_zero() {
    let snapshot = sampled("nvmlDeviceGetMemoryInfo_v2 3\nhidden 1");
    let gpu = &snapshot.gpus[0];
    assert_eq!(gpu.memory.total, Reading::Missing(Missing::NotSupported));
    assert_eq!(gpu.memory.used_percent(), None, "no share of nothing");
    let processes = gpu.processes.value().expect("processes");
    assert_eq!(processes[0].memory, Reading::Missing(Missing::NotAvailable), "as under WSL");
}

#[test]
fn fewer_gpus_than_were_counted_are_no_crash() {
    let snapshot = sampled("count 4\nhandles 2");
    assert_eq!(snapshot.gpus.len(), 2, "those that can be opened");
}

#[test]
fn the_parts_of_a_partitioned_card_have_memory_of_their_own() {
    let snapshot = sampled("count 1\nmig 0 2");
    let parts = &snapshot.gpus[0].mig;
    assert_eq!(parts.len(), 2, "seven places, two in use");
    assert!(parts[0].name.value().is_some_and(|name| name.ends_with("1g.10gb")));
    assert!(parts[0].memory.total.value().is_some() && parts[0].uuid.starts_with("MIG-"));
    assert!(sampled("count 1").gpus[0].mig.is_empty(), "a whole card has none");
}

#[test]
fn the_command_line_prints_what_the_gpus_do_or_why_it_cannot() {
    let library = FakeLibrary::new("count 2\nprocesses 1\nnvmlDeviceGetPowerUsage 3");
    let run = |library: &FakeLibrary, more: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_vramplan"))
            .args(["live", "--lang", "en", "--library"])
            .arg(library.path())
            .args(more)
            .output()
            .expect("it runs")
    };
    let output = run(&library, &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("GPU 1 NVIDIA H100 80GB HBM3: 12.00 GiB of 80.00 GiB used"), "{text}");
    assert!(text.contains("61 °C, –"), "no power is a dash: {text}");
    let json = run(&library, &["--format", "json"]).stdout;
    let snapshot: Snapshot = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(snapshot.gpus.len(), 2, "the same in JSON");
    let none = run(&FakeLibrary::new("nvmlInit_v2 9"), &[]);
    let error = String::from_utf8_lossy(&none.stderr).into_owned();
    assert_eq!(none.status.code(), Some(1), "{error}");
    assert!(error.contains("not loaded") && error.contains("modprobe"), "with a remedy: {error}");
}

/// Seconds of CPU that the monitor's thread has used: user and system, in the kernel's hundredths.
fn worker_cpu_secs() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("threads");
    let ticks = threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("stat")).ok())
        .filter(|stat| stat.contains("(gpu-monitor)"))
        .filter_map(|stat| {
            let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
            Some(fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?)
        });
    ticks.fold(0.0, f64::max) / 100.0
}

/// The thread's time is counted, not the clock, so that a busy machine does not matter.
#[test]
fn sampling_a_large_machine_costs_less_than_two_percent_of_a_core() {
    let library = FakeLibrary::new("count 16\nprocesses 64");
    let mut monitor = Monitor::default();
    monitor.start(Source::Nvml { library: Some(library.path()) });
    let begin = Instant::now();
    while begin.elapsed().as_secs() < 4 {
        monitor.poll();
        std::thread::sleep(Duration::from_millis(50));
    }
    let samples = monitor.history().last_unix_secs().is_some();
    // Other tests' workers run at the same time: the busiest thread counts for all of them.
    let percent = 100.0 * worker_cpu_secs() / begin.elapsed().as_secs_f64();
    eprintln!("{percent:.2} % of a core, unoptimised");
    assert!(samples && percent < 2.0, "{percent:.2} % of a core");
}

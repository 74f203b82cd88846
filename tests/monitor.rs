//! The monitor against samplers that succeed, fail and hang, and its recordings.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    time::{Duration, Instant},
};

use vramplan::{
    message::Message,
    monitor::{
        DeviceKey, Fault, GpuSample, History, Host, Metric, Missing, Monitor, Reading,
        RecordingFormat, RecordingState, Sampler, Snapshot, Source, Status, write_recording,
    },
    units::Bytes,
};

fn snapshot(unix_secs: f64, used_mib: u64) -> Snapshot {
    let key = DeviceKey { host: String::new(), uuid: "GPU-1".to_owned() };
    let mut gpu = GpuSample::blank(key, 0, &Missing::NotReported);
    gpu.memory.used = Reading::Value(Bytes::from_mib(used_mib));
    gpu.memory.total = Reading::Value(Bytes::from_mib(1000));
    gpu.throttling = Reading::Value(vec!["live-throttle-idle"]);
    let host = Host {
        driver_version: Reading::Value("550.1".to_owned()),
        cuda_version: Reading::none(&Missing::NotReported),
    };
    Snapshot { unix_secs, host, gpus: vec![gpu] }
}

/// A sampler that gives out what it is sent, and waits for it.
struct Sent(Receiver<Result<Snapshot, Fault>>);

impl Sampler for Sent {
    fn sample(&mut self) -> Result<Snapshot, Fault> {
        self.0.recv().unwrap_or_else(|_| Err(fault()))
    }
}

fn fault() -> Fault {
    Fault { what: Message::new("live-fault-no-gpus"), remedy: Message::new("live-remedy-no-gpus") }
}

fn until(monitor: &mut Monitor, what: &str, done: impl Fn(&Monitor) -> bool) {
    let begin = Instant::now();
    loop {
        monitor.poll();
        if done(monitor) {
            return;
        }
        assert!(begin.elapsed().as_secs() < 20, "{what}: {:?}", monitor.status());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn sending(monitor: &mut Monitor) -> Sender<Result<Snapshot, Fault>> {
    let (sender, receiver) = channel();
    let mut receiver = Some(receiver);
    monitor.set_interval_secs(0.2);
    // A retry with another worker opens this source, which is none on every machine.
    let source = Source::Nvml { library: Some("/nowhere/libnvidia-ml.so.1".into()) };
    monitor.start_with(source, move || {
        receiver.take().map(|it| Box::new(Sent(it)) as Box<dyn Sampler>).ok_or_else(fault)
    });
    sender
}

#[test]
fn a_call_that_hangs_blocks_neither_poll_nor_stop_and_is_reported() {
    let mut monitor = Monitor::default();
    let sender = sending(&mut monitor);
    sender.send(Ok(snapshot(1.0, 100))).expect("the worker listens");
    until(&mut monitor, "a sample", |it| it.latest().is_some());
    assert_eq!(*monitor.status(), Status::Running, "one sample came");
    until(&mut monitor, "waiting", |it| matches!(it.status(), Status::Waiting { .. }));
    assert!(monitor.latest().is_some(), "the last sample stays in sight");
    let begin = Instant::now();
    monitor.poll();
    monitor.stop();
    assert!(begin.elapsed().as_millis() < 50, "stopping took {:?}", begin.elapsed());
    assert_eq!(*monitor.status(), Status::Stopped, "stopped");
}

#[test]
fn a_source_that_fails_says_why_and_a_retry_reads_it_again() {
    let mut works = false;
    let mut monitor = Monitor::default();
    monitor.start_with(Source::default(), move || {
        let (sender, receiver) = channel();
        sender.send(Ok(snapshot(1.0, 100))).expect("a receiver");
        // A later sample hangs until the sender is gone, which this leak prevents.
        std::mem::forget(sender);
        if std::mem::replace(&mut works, true) {
            Ok(Box::new(Sent(receiver)))
        } else {
            Err(fault())
        }
    });
    until(&mut monitor, "a fault", |it| matches!(it.status(), Status::Failed(_)));
    assert_eq!(*monitor.status(), Status::Failed(fault()), "the sampler's own words");
    monitor.retry();
    until(&mut monitor, "a sample", |it| *it.status() == Status::Running);
}

#[test]
fn a_pause_stops_the_samples_and_going_on_brings_them_back() {
    let mut monitor = Monitor::default();
    let sender = sending(&mut monitor);
    sender.send(Ok(snapshot(1.0, 100))).expect("the worker listens");
    until(&mut monitor, "a sample", |it| it.latest().is_some());
    monitor.pause(true);
    assert_eq!(*monitor.status(), Status::Paused, "at once");
    sender.send(Ok(snapshot(2.0, 200))).expect("the worker listens");
    sender.send(Ok(snapshot(3.0, 300))).expect("the worker listens");
    std::thread::sleep(Duration::from_millis(600));
    monitor.poll();
    let seen = monitor.history().last_unix_secs();
    assert!(seen < Some(3.0), "no more than the call that was under way: {seen:?}");
    monitor.pause(false);
    until(&mut monitor, "the rest", |it| it.history().last_unix_secs() == Some(3.0));
}

#[test]
fn a_worker_that_panics_is_a_fault_and_a_retry_starts_another() {
    let mut monitor = Monitor::default();
    monitor.start_with(Source::default(), || panic!("a test's worker panics on purpose"));
    until(&mut monitor, "a fault", |it| matches!(it.status(), Status::Failed(_)));
    monitor.retry();
    assert_eq!(*monitor.status(), Status::Starting, "a new worker");
}

#[test]
fn peaks_and_alerts_follow_the_samples() {
    let mut monitor = Monitor::default();
    monitor.set_alert_above_percent(Some(90.0));
    monitor.ingest(snapshot(1.0, 950));
    assert_eq!(monitor.alerts().len(), 1, "95 % is beyond 90 %");
    monitor.ingest(snapshot(2.0, 200));
    assert!(monitor.alerts().is_empty(), "20 % is not");
    let key = snapshot(0.0, 0).gpus[0].key.clone();
    let peak = monitor.peak(&key).expect("a mark");
    assert_eq!((peak.used, peak.unix_secs), (Bytes::from_mib(950), 1.0), "the highest stays");
    monitor.reset_peaks();
    assert!(monitor.peak(&key).is_none(), "forgotten");
}

#[test]
fn a_recording_played_again_is_what_was_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.jsonl");
    let mut monitor = Monitor::default();
    let sender = sending(&mut monitor);
    monitor.start_recording(path.clone(), RecordingFormat::Replay).expect("it runs");
    let samples = [snapshot(1.0, 100), snapshot(1.2, 700), snapshot(1.4, 300)];
    for sample in &samples {
        sender.send(Ok(sample.clone())).expect("the worker listens");
    }
    until(&mut monitor, "three", |it| it.recording().is_some_and(|it| it.samples() == 3));
    let peak = monitor.recording().and_then(|it| it.peaks().next()).expect("a peak").1;
    assert_eq!(peak.used, Bytes::from_mib(700), "the recording knows its peak");
    monitor.stop();
    monitor.start(Source::Replay(path));
    until(&mut monitor, "the end", |it| it.playback().is_some_and(|it| it.at_end));
    assert_eq!(monitor.latest(), Some(&samples[2]), "every reading, and why others are missing");
    let key = &samples[0].gpus[0].key;
    let curve = monitor.history().series(key, Metric::UsedMemory, 0.0, 100);
    assert_eq!(curve.len(), 3, "{curve:?}");
    monitor.seek(0.25);
    until(&mut monitor, "the second", |it| it.latest() == Some(&samples[1]));
}

#[test]
fn a_disk_that_fails_ends_the_recording_with_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut monitor = Monitor::default();
    let sender = sending(&mut monitor);
    let nowhere = folder.path().join("no/such/folder.csv");
    monitor.start_recording(nowhere, RecordingFormat::Csv).expect("it runs");
    sender.send(Ok(snapshot(1.0, 100))).expect("the worker listens");
    until(&mut monitor, "an error", |it| it.recording().is_some_and(|it| it.error().is_some()));
    assert!(!monitor.is_recording(), "it ended");
    assert!(monitor.latest().is_some(), "and sampling goes on");
}

#[test]
fn a_bad_recording_is_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.jsonl");
    let mut text = Vec::new();
    write_recording(&mut text, RecordingFormat::Replay, [&snapshot(1.0, 1)]).expect("memory");
    text.extend_from_slice(b"{\"unix_secs\": \"soon\"}\n");
    std::fs::write(&path, text).expect("written");
    let mut monitor = Monitor::default();
    monitor.start(Source::Replay(path));
    until(&mut monitor, "a fault", |it| matches!(it.status(), Status::Failed(_)));
    let Status::Failed(fault) = monitor.status() else { unreachable!("awaited above") };
    assert_eq!(fault.what.key, "live-replay-line", "{fault:?}");
    assert!(fault.what.args.contains(&("line", 3_u64.into())), "{fault:?}");
}

fn key(index: usize) -> DeviceKey {
    DeviceKey { host: String::new(), uuid: format!("GPU-{index}") }
}

/// A snapshot of several GPUs.
fn many(gpus: usize, unix_secs: f64, used_mib: u64) -> Snapshot {
    let mut snapshot = snapshot(unix_secs, used_mib);
    let one = snapshot.gpus.remove(0);
    snapshot.gpus = (0..gpus).map(|index| GpuSample { key: key(index), ..one.clone() }).collect();
    snapshot
}

#[test]
fn an_hour_of_sixteen_gpus_is_kept_in_full_in_a_few_megabytes() {
    let mut history = History::default();
    for number in 0..7300_u32 {
        let used = 100 + u64::from(number) % 7;
        history.add(&many(16, 1.7e9 + f64::from(number) * 0.5, used));
    }
    let bytes = history.memory_bytes();
    assert!(bytes < 4 << 20, "{bytes} bytes");
    let from = history.last_unix_secs().expect("samples") - 3600.0;
    let curve = history.series(&key(7), Metric::UsedMemory, from, 10_000);
    assert!(curve.len() >= 7200, "every sample of the last hour: {}", curve.len());
    assert!(!curve.iter().any(|point| point.after_gap), "without a gap");
}

#[test]
fn older_samples_are_thinned_but_a_peak_is_never_lost() {
    let mut history = History::default();
    for number in 0..100_000 {
        // One sample near the beginning, fourteen hours before the end, is the peak.
        let used = if number == 333 { 900 } else { 100 };
        history.add(&many(1, 1000.0 + f64::from(number) * 0.5, used));
    }
    let bytes = history.memory_bytes();
    assert!(bytes < 500_000, "bounded however long it runs: {bytes} bytes");
    let curve = history.series(&key(0), Metric::UsedMemory, 0.0, 200);
    assert!(curve.len() <= 200, "{} points were asked for", curve.len());
    let highest = Bytes::from_mib(899).as_f64();
    let peak = curve.iter().find(|point| point.high > highest).expect("the peak is there");
    assert!((peak.unix_secs - 1166.0).abs() < 600.0, "about when it was: {}", peak.unix_secs);
    let last = curve.last().expect("points");
    assert!(last.unix_secs > 1000.0 + 49_000.0, "and the end is there: {}", last.unix_secs);
}

#[test]
fn a_pause_and_a_missing_sensor_are_gaps_and_not_lines() {
    let mut history = History::default();
    for number in 0..100 {
        let mut sample = many(1, 100.0 + f64::from(number), 100);
        if (40..50).contains(&number) {
            sample.gpus[0].memory.used = Reading::Missing(Missing::GpuLost);
        }
        if number >= 80 {
            sample.unix_secs += 300.0;
        }
        history.add(&sample);
    }
    let gaps = |most| -> Vec<f64> {
        let curve = history.series(&key(0), Metric::UsedMemory, 0.0, most);
        curve.iter().filter(|point| point.after_gap).map(|point| point.unix_secs).collect()
    };
    assert_eq!(gaps(1000), [150.0, 480.0], "after the lost samples and after the pause");
    assert!(history.series(&key(0), Metric::Power, 0.0, 1000).is_empty(), "nothing is not zero");
}

#[test]
fn a_clock_that_is_set_back_starts_the_history_anew() {
    let mut history = History::default();
    history.add(&many(1, 5000.0, 100));
    history.add(&many(1, 1000.0, 200));
    let curve = history.series(&key(0), Metric::UsedMemory, 0.0, 10);
    assert_eq!(curve.len(), 1, "{curve:?}");
    history.add(&many(1, 999.9, 300));
    let curve = history.series(&key(0), Metric::UsedMemory, 0.0, 10);
    assert_eq!(curve.len(), 2, "a small correction costs nothing: {curve:?}");
}

#[test]
fn a_retry_of_a_call_that_hangs_starts_another_worker_and_the_recording_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.jsonl");
    std::fs::write(&path, "of an earlier time").expect("written");
    let mut monitor = Monitor::default();
    let sender = sending(&mut monitor);
    monitor.start_recording(path.clone(), RecordingFormat::Replay).expect("it runs");
    sender.send(Ok(snapshot(1.0, 100))).expect("the worker listens");
    until(&mut monitor, "one", |it| it.recording().is_some_and(|it| it.samples() == 1));
    until(&mut monitor, "waiting", |it| matches!(it.status(), Status::Waiting { .. }));
    monitor.retry();
    assert!(monitor.is_recording(), "it goes on");
    assert_eq!(monitor.recording().map(RecordingState::samples), Some(1), "with what it has");
    // The call that hung comes back to a worker that nobody needs any more.
    sender.send(Ok(snapshot(2.0, 200))).expect("the old worker listens");
    until(&mut monitor, "the new one", |it| *it.status() != Status::Starting);
    std::thread::sleep(Duration::from_millis(100));
    drop(sender);
    monitor.stop();
    let text = std::fs::read_to_string(&path).expect("a recording");
    assert_eq!(text.lines().count(), 2, "the head and one sample: {text}");
}

#[test]
fn a_recording_made_over_a_corrected_clock_still_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("clock.jsonl");
    let mut text = Vec::new();
    let samples = [many(1, 10.0, 1), many(1, 9.9, 2), many(1, 10.1, 3)];
    write_recording(&mut text, RecordingFormat::Replay, &samples).expect("memory");
    std::fs::write(&path, text).expect("written");
    let mut monitor = Monitor::default();
    monitor.start(Source::Replay(path));
    until(&mut monitor, "the end", |it| it.playback().is_some_and(|it| it.at_end));
    assert_eq!(monitor.latest(), Some(&samples[2]));
}

#[test]
fn a_fleet_keeps_less_of_each_gpu_so_that_memory_stays_bounded() {
    let mut history = History::default();
    for number in 0..3000 {
        history.add(&many(256, f64::from(number), 100));
    }
    let bytes = history.memory_bytes();
    assert!(bytes < 16 << 20, "{bytes} bytes");
    assert_eq!(history.keys().count(), 256);
}

#[test]
fn a_table_has_a_line_for_each_gpu_and_empty_cells_where_nothing_is_known() {
    let mut text = Vec::new();
    let samples = [many(2, 1.5, 100), many(2, 2.0, 200)];
    write_recording(&mut text, RecordingFormat::Csv, &samples).expect("memory");
    let mut table = csv::Reader::from_reader(&*text);
    let heads = table.headers().expect("heads").clone();
    let rows: Vec<_> = table.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 4, "two GPUs, two samples");
    let cell = |row: usize, name: &str| {
        let column = heads.iter().position(|head| head == name).expect("a column");
        rows[row][column].to_owned()
    };
    assert_eq!(cell(2, "used_bytes"), (200_u64 << 20).to_string());
    assert_eq!(cell(3, "uuid"), "GPU-1");
    assert_eq!(cell(0, "power_watts"), "", "not zero");
}

#[test]
fn a_recording_that_was_cut_off_plays_up_to_there_and_loops() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.jsonl");
    let mut text = Vec::new();
    let samples = [many(1, 10.0, 1), many(1, 10.1, 2), many(1, 10.2, 3)];
    write_recording(&mut text, RecordingFormat::Replay, &samples).expect("memory");
    text.truncate(text.len() - 20);
    std::fs::write(&path, text).expect("written");
    let mut monitor = Monitor::default();
    monitor.start(Source::Replay(path));
    until(&mut monitor, "the end", |it| it.playback().is_some_and(|it| it.at_end));
    assert_eq!(monitor.latest(), Some(&samples[1]), "the last whole sample");
    let duration = monitor.playback().expect("a recording").duration_secs;
    assert!((duration - 0.1).abs() < 1e-6, "{duration}");
    monitor.set_looping(true);
    until(&mut monitor, "the beginning", |it| it.latest() == Some(&samples[0]));
    monitor.set_looping(false);
    monitor.pause(true);
    monitor.seek(0.1);
    until(&mut monitor, "where it was set to", |it| it.latest() == Some(&samples[1]));
}

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
        DeviceKey, Fault, GpuSample, Host, Metric, Missing, Monitor, Reading, RecordingFormat,
        Sampler, Snapshot, Source, Status, write_recording,
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
    monitor.start_with(Source::default(), move || {
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

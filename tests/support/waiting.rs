//! Waiting for a monitor's worker.

use std::time::{Duration, Instant};

use vramplan::{
    monitor::{Fault, Monitor, Source, Status},
    text::{Language, Texts},
};

/// The window's thread must never wait for a source.
const LONGEST_POLL: Duration = Duration::from_millis(200);

/// Polls until something is so; a poll that waits for the source is an error.
pub fn until(monitor: &mut Monitor, what: &str, secs: u64, done: impl Fn(&Monitor) -> bool) {
    let begin = Instant::now();
    loop {
        let asked = Instant::now();
        monitor.poll();
        assert!(asked.elapsed() < LONGEST_POLL, "poll took {:?}", asked.elapsed());
        if done(monitor) {
            return;
        }
        assert!(begin.elapsed().as_secs() < secs, "{what}: {:?}", monitor.status());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The fault of a source, which every language has words for.
pub fn failed(source: Source) -> Fault {
    let mut monitor = Monitor::default();
    monitor.start(source);
    until(&mut monitor, "a fault", 30, |it| matches!(it.status(), Status::Failed(_)));
    let Status::Failed(fault) = monitor.status() else { panic!("awaited above") };
    for &language in Language::ALL {
        let texts = Texts::new(language);
        for message in [&fault.what, &fault.remedy] {
            let text = texts.message(message);
            assert!(text != message.key && !text.contains('{'), "{language:?}: {text}");
        }
    }
    fault.clone()
}

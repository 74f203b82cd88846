//! The thread that reads the source: a call that hangs holds up nothing but this thread.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    Fault, Snapshot,
    history::{Frame, Names},
    inbox::{self, NextRecording, Past, SharedInbox},
    recording::Recorder,
    replay::Control,
    source::{Engine, Open},
};

/// A source that could not be read is tried again after this long, unless its file must change.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Least rest between two readings, however slow the source is.
const LEAST_REST: Duration = Duration::from_millis(10);

/// Called when there is something new; from the worker's thread.
pub(super) type Wake = Arc<dyn Fn() + Send + Sync>;

/// What the window asks of the worker.
#[derive(Clone, Copy)]
pub(super) enum Command {
    Pause(bool),
    Interval(Duration),
    Retry,
    Playback(Control),
}

/// The window's end of the worker. Dropping it lets the thread end when its call comes back.
pub(super) struct Worker {
    stopped: Arc<AtomicBool>,
    commands: Sender<Command>,
    pub inbox: SharedInbox,
    thread: JoinHandle<()>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// The system has no room for another thread.
    pub fn spawn(open: Open, wake: Wake, interval: Duration, least: Duration) -> io::Result<Self> {
        let (commands, received) = channel();
        let inbox = SharedInbox::default();
        let stopped = Arc::new(AtomicBool::new(false));
        let turns = Turns {
            stopped: Arc::clone(&stopped),
            open,
            wake,
            commands: received,
            inbox: Arc::clone(&inbox),
            interval,
            least,
            paused: false,
            engine: None,
            recorder: None,
            names: Names::default(),
            last_fault: None,
            next: Some(Instant::now()),
        };
        let thread =
            thread::Builder::new().name("gpu-monitor".to_owned()).spawn(move || turns.run())?;
        Ok(Self { stopped, commands, inbox, thread })
    }

    /// Asks for something; a worker that is gone does nothing.
    pub fn ask(&self, command: Command) {
        // Whoever polls sees that the thread has ended.
        let _ = self.commands.send(command);
    }

    /// The thread is gone, which it never should be.
    pub fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

struct Turns {
    stopped: Arc<AtomicBool>,
    open: Open,
    wake: Wake,
    commands: Receiver<Command>,
    inbox: SharedInbox,
    interval: Duration,
    /// Shortest time between two readings that the source deserves.
    least: Duration,
    paused: bool,
    engine: Option<Engine>,
    recorder: Option<Box<Recorder>>,
    names: Names,
    last_fault: Option<Fault>,
    /// When to read again; none: not before somebody asks.
    next: Option<Instant>,
}

impl Turns {
    fn run(mut self) {
        loop {
            let command = match self.next.filter(|_| !self.paused) {
                Some(next) => {
                    self.commands.recv_timeout(next.saturating_duration_since(Instant::now()))
                }
                None => self.commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match command {
                Ok(command) => self.obey(command),
                Err(RecvTimeoutError::Timeout) => self.turn(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Pause(paused) => {
                self.paused = paused;
                self.next = Some(Instant::now());
                if let Some(Engine::Replay(replay)) = &mut self.engine {
                    replay.hold();
                }
            }
            Command::Interval(interval) => {
                // A long wait that has begun is cut short.
                let soonest = Instant::now() + interval.max(self.least);
                self.interval = interval;
                self.next = self.next.map(|next| next.min(soonest));
            }
            Command::Retry => {
                self.engine = None;
                self.last_fault = None;
                self.next = Some(Instant::now());
            }
            Command::Playback(control) => self.control(control),
        }
    }

    fn control(&mut self, control: Control) {
        let Some(Engine::Replay(replay)) = &mut self.engine else { return };
        let moved = replay.control(control);
        if moved {
            // Also while paused: whoever seeks wants to see where.
            self.turn();
        } else {
            inbox::open(&self.inbox).playback = Some(replay.playback());
            self.next = Some(Instant::now());
            (self.wake)();
        }
    }

    fn turn(&mut self) {
        let started = Instant::now();
        inbox::open(&self.inbox).busy_since = Some(started);
        let outcome = self.read();
        let now = Instant::now();
        self.next = match &outcome {
            Ok(Some(due)) => Some(now + *due),
            Ok(None) => Some((started + self.interval.max(self.least)).max(now + LEAST_REST)),
            Err(_) => Some(started + self.interval.max(RETRY_AFTER)),
        };
        let fault = outcome.err();
        let news = fault.is_none() || fault != self.last_fault;
        {
            let mut inbox = inbox::open(&self.inbox);
            inbox.busy_since = None;
            inbox.outcome = Some(fault.clone().map_or(Ok(()), Err));
        }
        if fault.is_some() {
            self.engine = None;
        }
        self.last_fault = fault;
        if news {
            (self.wake)();
        }
    }

    /// Reads once; says when to read again where the source knows.
    fn read(&mut self) -> Result<Option<Duration>, Fault> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert((self.open)()?),
        };
        match engine {
            Engine::Live(sampler) => {
                let snapshot = sampler.sample()?;
                let frame = Frame::of(&snapshot, &mut self.names);
                self.record(&snapshot);
                let mut inbox = inbox::open(&self.inbox);
                inbox.push(frame);
                inbox.latest = Some(snapshot);
                inbox.outcome = Some(Ok(()));
                Ok(None)
            }
            Engine::Replay(replay) => {
                let played = replay.play(Instant::now())?;
                let (due, playback) = (replay.due_in(), replay.playback());
                if let Some(snapshot) = &played.latest {
                    self.record(snapshot);
                }
                // Made here, so that the window does not pay for an hour at once.
                let past = played.starts_anew.then(|| Box::new(Past::of(&played.frames)));
                let mut inbox = inbox::open(&self.inbox);
                match past {
                    Some(past) => inbox.start_anew(past),
                    None => played.frames.into_iter().for_each(|frame| inbox.push(frame)),
                }
                inbox.playback = Some(playback);
                if played.latest.is_some() {
                    inbox.latest = played.latest;
                    inbox.outcome = Some(Ok(()));
                }
                Ok(Some(due))
            }
        }
    }

    fn record(&mut self, snapshot: &Snapshot) {
        // A call that came back late must not write into what another worker goes on with.
        if self.stopped.load(Ordering::Relaxed) {
            return;
        }
        // Closing a file may take its time, so not while the inbox is locked.
        let next = std::mem::take(&mut inbox::open(&self.inbox).recording);
        match next {
            NextRecording::Unchanged => {}
            NextRecording::Begins(recorder) => self.recorder = Some(recorder),
            NextRecording::Ends => self.recorder = None,
        }
        let Some(recorder) = &mut self.recorder else { return };
        let written = recorder.write(snapshot);
        let mut inbox = inbox::open(&self.inbox);
        if !matches!(inbox.recording, NextRecording::Unchanged) {
            return; // it was replaced meanwhile, and so was its count
        }
        match written {
            Ok(()) => inbox.recorded += 1,
            Err(why) => {
                inbox.record_error = Some(why);
                self.recorder = None;
            }
        }
    }
}

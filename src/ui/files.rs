//! File dialogs and files, off the window's thread.
//!
//! Two named threads, so that a save does not wait behind a dialog in which a person looks for
//! another file: one shows the dialogs, one reads and writes. Saves are answered in the order in
//! which they were asked for. Events are collected with [`FileWorker::poll`]; `wake` asks for a new
//! frame.

mod dialogs;
mod request;

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use self::dialogs::{NoDialogs, exists, with_ending};
pub use self::{
    dialogs::{Dialogs, ENDING, RECORDING_ENDING, SystemDialogs, typed_path},
    request::{FileEvent, FileRequest},
};
use crate::{
    message::Message,
    plan::file::{FileError, read_text, save_atomically},
};

/// A dialog that is back sooner was never seen. Without a dialog service, the answer is the same as
/// that of a closed dialog, but it comes at once.
const SOONEST_ANSWER: Duration = Duration::from_millis(150);

/// No dialog is open.
const NO_DIALOG: u8 = 0;
/// A dialog asks for a file to open.
const OPEN_DIALOG: u8 = 1;
/// A dialog asks where to save.
const SAVE_DIALOG: u8 = 2;

/// The threads, and the way to and from them. They end when this is dropped, an open dialog with
/// its own closing.
pub struct FileWorker {
    dialogs: Option<Sender<FileRequest>>,
    disk: Option<Sender<FileRequest>>,
    events: Receiver<FileEvent>,
    own_events: Sender<FileEvent>,
    dialog: Arc<AtomicU8>,
}

impl FileWorker {
    /// Starts the threads; `wake` is called whenever an event waits.
    pub fn new(wake: impl Fn() + Send + 'static) -> Self {
        Self::with_dialogs(wake, SystemDialogs)
    }

    /// The same with other dialogs than the system's.
    pub fn with_dialogs(wake: impl Fn() + Send + 'static, mut dialogs: impl Dialogs) -> Self {
        let (own_events, events) = mpsc::channel();
        let dialog = Arc::new(AtomicU8::new(NO_DIALOG));
        let reporter = Reporter { events: own_events.clone(), wake: Arc::new(Mutex::new(wake)) };
        let shown = Arc::clone(&dialog);
        let dialog_thread = start("file dialogs", reporter.clone(), move |request| {
            let event = carry_out(request, &mut dialogs);
            shown.store(NO_DIALOG, Ordering::Release);
            event
        });
        let disk = start("files", reporter, |request| carry_out(request, &mut NoDialogs));
        Self { dialogs: dialog_thread, disk, events, own_events, dialog }
    }

    /// Asks for something; returns at once. A dialog while another one is open is not shown.
    pub fn request(&self, request: FileRequest) {
        let thread = match request {
            FileRequest::PickAndOpen { .. }
            | FileRequest::PickRecording { .. }
            | FileRequest::PickRecordingTarget { .. } => {
                if self.another_dialog(OPEN_DIALOG) {
                    return;
                }
                &self.dialogs
            }
            FileRequest::PickAndSave { .. } => {
                if self.another_dialog(SAVE_DIALOG) {
                    return self.answer(FileEvent::Cancelled);
                }
                &self.dialogs
            }
            // Behind an open save dialog, so that saves are answered in their order.
            FileRequest::Save { .. } | FileRequest::SaveTyped { .. }
                if self.dialog.load(Ordering::Acquire) == SAVE_DIALOG =>
            {
                &self.dialogs
            }
            FileRequest::Open(_)
            | FileRequest::Save { .. }
            | FileRequest::SaveTyped { .. }
            | FileRequest::TypedRecording(_)
            | FileRequest::TypedRecordingTarget { .. } => &self.disk,
        };
        let accepted = thread.as_ref().is_some_and(|thread| thread.send(request).is_ok());
        if !accepted {
            self.dialog.store(NO_DIALOG, Ordering::Release);
            self.answer(FileEvent::Failed { message: Message::new("files-no-thread") });
        }
    }

    /// Marks a dialog as open; true if there was one already.
    fn another_dialog(&self, kind: u8) -> bool {
        let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
        self.dialog.compare_exchange(NO_DIALOG, kind, success, failure).is_err()
    }

    /// An event of our own; the receiver is ours too, so that sending cannot fail.
    fn answer(&self, event: FileEvent) {
        let _ = self.own_events.send(event);
    }

    /// Events since the last call, without waiting.
    #[must_use]
    pub fn poll(&self) -> Vec<FileEvent> {
        self.events.try_iter().collect()
    }

    /// A dialog is open.
    #[must_use]
    pub fn dialog_is_open(&self) -> bool {
        self.dialog.load(Ordering::Acquire) != NO_DIALOG
    }
}

/// Sends events and wakes the window.
struct Reporter<W> {
    events: Sender<FileEvent>,
    wake: Arc<Mutex<W>>,
}

impl<W> Clone for Reporter<W> {
    fn clone(&self) -> Self {
        Self { events: self.events.clone(), wake: Arc::clone(&self.wake) }
    }
}

impl<W: Fn()> Reporter<W> {
    /// False once nobody listens any more.
    fn report(&self, event: FileEvent) -> bool {
        let heard = self.events.send(event).is_ok();
        if let Ok(wake) = self.wake.lock() {
            wake();
        }
        heard
    }
}

/// Starts a thread that carries out one request after the other; none if the system has no thread left.
fn start<W: Fn() + Send + 'static>(
    name: &str,
    reporter: Reporter<W>,
    mut carry_out: impl FnMut(FileRequest) -> FileEvent + Send + 'static,
) -> Option<Sender<FileRequest>> {
    let (sender, requests) = mpsc::channel();
    let started = thread::Builder::new().name(name.to_owned()).spawn(move || {
        for request in requests {
            if !reporter.report(carry_out(request)) {
                break;
            }
        }
    });
    match started {
        Ok(_) => Some(sender),
        Err(error) => {
            log::error!("the thread “{name}” did not start: {error}");
            None
        }
    }
}

fn carry_out(request: FileRequest, dialogs: &mut impl Dialogs) -> FileEvent {
    match request {
        FileRequest::Open(path) => open(path),
        FileRequest::Save { path, text } => save(path, &text),
        FileRequest::SaveTyped { path, text, replace } => {
            let path = with_ending(path);
            if exists(&path) && !replace { FileEvent::Exists { path } } else { save(path, &text) }
        }
        FileRequest::PickAndOpen { ref filter_name } => {
            let shown = Instant::now();
            let chosen = dialogs.pick_to_open(filter_name);
            chosen.map_or_else(|| no_choice(request, shown), open)
        }
        FileRequest::PickAndSave { ref suggested_name, ref text } => {
            let shown = Instant::now();
            match dialogs.pick_to_save(suggested_name) {
                Some(path) => save(path, text),
                None => no_choice(request, shown),
            }
        }
        FileRequest::PickRecording { ref filter_name } => {
            let shown = Instant::now();
            let chosen = dialogs.pick_recording(filter_name);
            chosen.map_or_else(|| no_recording(request, shown), FileEvent::Recording)
        }
        FileRequest::PickRecordingTarget { ref suggested_name } => {
            let shown = Instant::now();
            let chosen = dialogs.pick_recording_target(suggested_name);
            chosen.map_or_else(|| no_recording(request, shown), FileEvent::RecordingTarget)
        }
        FileRequest::TypedRecording(path) if exists(&path) => FileEvent::Recording(path),
        FileRequest::TypedRecording(path) => failed(&FileError::NotFound { path }),
        FileRequest::TypedRecordingTarget { path, replace } => {
            if exists(&path) && !replace {
                FileEvent::Exists { path }
            } else {
                FileEvent::RecordingTarget(path)
            }
        }
    }
}

/// A dialog that gave no file was closed by a person, or never seen.
fn no_choice(request: FileRequest, shown: Instant) -> FileEvent {
    if shown.elapsed() < SOONEST_ANSWER {
        FileEvent::NoDialog { request }
    } else {
        FileEvent::Cancelled
    }
}

/// The same for a recording, which has nothing to do with the presets that wait to be saved.
fn no_recording(request: FileRequest, shown: Instant) -> FileEvent {
    match no_choice(request, shown) {
        FileEvent::Cancelled => FileEvent::NoRecording,
        event => event,
    }
}

fn open(path: PathBuf) -> FileEvent {
    match read_text(&path) {
        Ok(text) => FileEvent::Opened { path, text },
        Err(error) => failed(&error),
    }
}

fn save(path: PathBuf, text: &str) -> FileEvent {
    match save_atomically(&path, text) {
        Ok(()) => FileEvent::Saved { path },
        Err(error) => failed(&error),
    }
}

fn failed(error: &FileError) -> FileEvent {
    FileEvent::Failed { message: error.message() }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Answers with one path, after a signal.
    struct Scripted(PathBuf, Receiver<()>);

    impl Dialogs for Scripted {
        fn pick_to_open(&mut self, _filter_name: &str) -> Option<PathBuf> {
            self.1.recv().ok().map(|()| self.0.clone())
        }

        fn pick_to_save(&mut self, _suggested_name: &str) -> Option<PathBuf> {
            None
        }
    }

    fn next(worker: &FileWorker) -> FileEvent {
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if let Some(event) = worker.poll().pop() {
                return event;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("no event in 20 s");
    }

    #[test]
    fn a_save_does_not_wait_behind_an_open_dialog() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("plan.ron");
        let (answer, signal) = mpsc::channel();
        let (woken, wakes) = mpsc::channel();
        let wake = move || woken.send(()).expect("the test listens");
        let worker = FileWorker::with_dialogs(wake, Scripted(path.clone(), signal));
        worker.request(FileRequest::PickAndOpen { filter_name: "Presets".to_owned() });
        assert!(worker.dialog_is_open(), "the dialog waits for an answer");
        worker.request(FileRequest::PickAndOpen { filter_name: "Presets".to_owned() });
        worker.request(FileRequest::Save { path: path.clone(), text: "text".to_owned() });
        assert_eq!(next(&worker), FileEvent::Saved { path: path.clone() }, "saved meanwhile");
        answer.send(()).expect("the dialog listens");
        let opened = FileEvent::Opened { path, text: "text".to_owned() };
        assert_eq!(next(&worker), opened, "then opened");
        assert!(!worker.dialog_is_open(), "the second dialog was not shown");
        assert!(wakes.try_iter().count() >= 2, "the window was woken for each event");
    }

    #[test]
    fn a_missing_file_is_a_message_and_a_missing_dialog_an_event() {
        let worker = FileWorker::with_dialogs(|| (), NoDialogs);
        worker.request(FileRequest::Open(PathBuf::from("/nowhere/plan.ron")));
        let FileEvent::Failed { message } = next(&worker) else { panic!("a failure") };
        assert_eq!(message.key, "file-error-not-found", "says that it does not exist");
        let suggested_name = "plan.ron".to_owned();
        let request = FileRequest::PickAndSave { suggested_name, text: String::new() };
        worker.request(request.clone());
        assert_eq!(next(&worker), FileEvent::NoDialog { request }, "nobody is so quick");
    }

    #[test]
    fn a_dialog_that_a_person_closes_is_no_failure() {
        struct Slow;
        impl Dialogs for Slow {
            fn pick_to_open(&mut self, _filter_name: &str) -> Option<PathBuf> {
                thread::sleep(2 * SOONEST_ANSWER);
                None
            }

            fn pick_to_save(&mut self, _suggested_name: &str) -> Option<PathBuf> {
                None
            }
        }
        let worker = FileWorker::with_dialogs(|| (), Slow);
        worker.request(FileRequest::PickAndOpen { filter_name: String::new() });
        assert_eq!(next(&worker), FileEvent::Cancelled);
    }

    #[test]
    fn a_typed_path_replaces_a_file_only_when_told_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let (typed, path) = (folder.path().join("plan"), folder.path().join("plan.ron"));
        let worker = FileWorker::with_dialogs(|| (), NoDialogs);
        let save = |text: &str, path: &PathBuf, replace| {
            let (path, text) = (path.clone(), text.to_owned());
            worker.request(FileRequest::SaveTyped { path, text, replace });
            next(&worker)
        };
        assert_eq!(save("one", &typed, false), FileEvent::Saved { path: path.clone() });
        assert_eq!(save("two", &path, false), FileEvent::Exists { path: path.clone() });
        assert_eq!(std::fs::read_to_string(&path).expect("text"), "one", "not touched");
        assert_eq!(save("two", &path, true), FileEvent::Saved { path: path.clone() });
        assert_eq!(std::fs::read_to_string(&path).expect("text"), "two", "replaced");
    }
}

//! A path to type, where the system has no dialog that asks for a file.

use std::path::PathBuf;

use egui::{Key, Label, Response, RichText, Sides, TextEdit, Ui};

use super::{WIDTH, modal, primary_button};
use crate::{
    message::Message,
    ui::{
        files::{FileRequest, typed_path},
        session::Session,
        theme,
    },
};

/// The path while it is being typed.
#[derive(Clone, Debug)]
pub struct PathDraft {
    /// What is typed.
    path: String,
    purpose: Purpose,
    /// What was wrong with the path at the last attempt.
    error: Option<Message>,
    /// The file that the next attempt may replace, since the person was told of it.
    replaceable: Option<PathBuf>,
    /// The files' thread has not answered yet.
    waiting: bool,
    /// The field has had the focus.
    focused: bool,
}

/// What the path is for.
#[derive(Clone, Debug)]
enum Purpose {
    OpenPreset,
    /// With what the file will hold.
    SavePreset(String),
    OpenRecording,
    Record,
}

impl Purpose {
    /// Keys of the heading and of the button that accepts.
    const fn keys(&self) -> (&'static str, &'static str) {
        match self {
            Self::OpenPreset => ("path-open-heading", "path-open"),
            Self::SavePreset(_) => ("path-save-heading", "path-save"),
            Self::OpenRecording => ("path-recording-heading", "path-open"),
            Self::Record => ("path-record-heading", "path-record"),
        }
    }
}

/// What became of the dialog in this frame.
#[derive(Clone, Debug, PartialEq)]
pub enum PathOutcome {
    /// It stays open.
    Open,
    /// It was closed.
    Cancelled,
    /// The file is to be read or written; the dialog waits for the answer.
    Accepted(FileRequest),
}

impl PathDraft {
    /// A dialog in place of the one that the request wanted; none for requests without a dialog.
    #[must_use]
    pub fn for_request(request: FileRequest) -> Option<Self> {
        let in_home = |name: &str| format!("~/{name}");
        let (path, purpose) = match request {
            FileRequest::PickAndOpen { .. } => (in_home(""), Purpose::OpenPreset),
            FileRequest::PickAndSave { suggested_name, text } => {
                (in_home(&suggested_name), Purpose::SavePreset(text))
            }
            FileRequest::PickRecording { .. } => (in_home(""), Purpose::OpenRecording),
            FileRequest::PickRecordingTarget { suggested_name } => {
                (in_home(&suggested_name), Purpose::Record)
            }
            _ => return None,
        };
        let (error, replaceable, waiting, focused) = (None, None, false, false);
        Some(Self { path, purpose, error, replaceable, waiting, focused })
    }

    /// The answer of the files' thread is awaited.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.waiting
    }

    /// The file could not be read or written.
    pub fn fail(&mut self, error: Message) {
        self.error = Some(error);
        self.waiting = false;
    }

    /// There is a file of this name already; the next attempt replaces it.
    pub fn ask_to_replace(&mut self, path: PathBuf) {
        self.fail(Message::new("files-exists").with("path", path.display().to_string()));
        self.replaceable = Some(path);
    }

    /// Shows the dialog.
    pub fn show(&mut self, ui: &mut Ui, session: &Session) -> PathOutcome {
        let response = modal(ui, "path").show(ui, |ui| self.content(ui, session));
        match response.inner {
            PathOutcome::Open if response.should_close() => PathOutcome::Cancelled,
            outcome => outcome,
        }
    }

    fn content(&mut self, ui: &mut Ui, session: &Session) -> PathOutcome {
        let texts = &session.texts;
        let (heading, accept) = self.purpose.keys();
        ui.set_width(WIDTH.min(ui.content_rect().width() - 60.0));
        ui.heading(texts.get(heading));
        ui.add_space(6.0);
        ui.label(texts.get("files-no-dialog"));
        ui.add_space(6.0);
        let field = self.field(ui, session);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if let Some(error) = &self.error {
            let text = RichText::new(texts.message(error)).color(theme::tokens(ui).error);
            ui.add(Label::new(text).wrap());
        }
        ui.add_space(12.0);
        let buttons = |ui: &mut Ui| {
            let accepted = primary_button(ui, &texts.get(accept)).clicked();
            (accepted, ui.button(texts.get("dialog-cancel")).clicked())
        };
        let ((), (accepted, cancelled)) = Sides::new().show(ui, |_| {}, buttons);
        if cancelled {
            PathOutcome::Cancelled
        } else if (accepted || entered) && !self.waiting {
            self.focused = false; // the field takes the focus back if something is wrong
            self.attempt()
        } else {
            PathOutcome::Open
        }
    }

    fn field(&mut self, ui: &mut Ui, session: &Session) -> Response {
        let label = ui.label(session.texts.get("path-field"));
        let field = TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        if !self.focused && !self.waiting {
            field.request_focus();
            self.focused = true;
        }
        if field.changed() {
            self.error = None;
        }
        match session.texts.hint("path-field") {
            Some(hint) => field.on_hover_text(hint),
            None => field,
        }
    }

    fn attempt(&mut self) -> PathOutcome {
        let Some(path) = typed_path(&self.path) else {
            self.fail(Message::new("files-no-path"));
            return PathOutcome::Open;
        };
        self.waiting = true;
        let replace = self.replaceable.as_ref() == Some(&path);
        PathOutcome::Accepted(match self.purpose.clone() {
            Purpose::OpenPreset => FileRequest::Open(path),
            Purpose::SavePreset(text) => FileRequest::SaveTyped { path, text, replace },
            Purpose::OpenRecording => FileRequest::TypedRecording(path),
            Purpose::Record => FileRequest::TypedRecordingTarget { path, replace },
        })
    }
}

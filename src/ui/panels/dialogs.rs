//! Dialogs that ask before they do: unsaved changes, title and note, a path.

mod path;

use egui::{
    Button, Frame, Id, Key, Label, Margin, Modal, Modifiers, Response, RichText, Sides, Stroke,
    StrokeKind, TextEdit, Ui,
};

pub use self::path::{PathDraft, PathOutcome};
use crate::ui::{session::Session, theme};

/// What to do with unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// Save them first.
    Save,
    /// Drop them.
    Discard,
    /// Stay here.
    Cancel,
}

/// Width of the dialogs, points.
const WIDTH: f32 = 400.0;

/// Asks what to do with unsaved changes; none while the person thinks.
pub fn unsaved_dialog(ui: &mut Ui, session: &Session) -> Option<UnsavedAnswer> {
    let texts = &session.texts;
    let response = modal(ui, "unsaved").show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.heading(texts.get("unsaved-heading"));
        ui.add_space(6.0);
        let title = session.shown_title();
        ui.label(texts.with("unsaved-question", &[("title", title.as_str())]));
        if let Some(path) = &session.path {
            let path = RichText::new(path.display().to_string()).small();
            ui.add(Label::new(path.color(theme::tokens(ui).weak_text)).wrap());
        }
        ui.add_space(12.0);
        let (discard, save_or_cancel) = Sides::new().show(
            ui,
            |ui| {
                let discard = ui.button(texts.get("unsaved-discard"));
                discard.clicked().then_some(UnsavedAnswer::Discard)
            },
            |ui| save_or_cancel(ui, session),
        );
        discard.or(save_or_cancel)
    });
    response.inner.or_else(|| response.should_close().then_some(UnsavedAnswer::Cancel))
}

fn save_or_cancel(ui: &mut Ui, session: &Session) -> Option<UnsavedAnswer> {
    let save = primary_button(ui, &session.texts.get("unsaved-save"));
    if ui.memory(|memory| memory.focused().is_none()) {
        save.request_focus(); // Enter saves
    }
    let cancel = ui.button(session.texts.get("dialog-cancel"));
    let saves = save.clicked().then_some(UnsavedAnswer::Save);
    saves.or_else(|| cancel.clicked().then_some(UnsavedAnswer::Cancel))
}

/// Title and note while they are being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TitleDraft {
    /// Title.
    pub title: String,
    /// Author's note.
    pub note: String,
    /// The title has had the focus.
    focused: bool,
}

/// What became of the dialog in this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleOutcome {
    /// It stays open.
    Open,
    /// The draft is to be taken.
    Accepted,
    /// The draft is to be dropped.
    Cancelled,
}

impl TitleDraft {
    /// The title and note of a session.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self { title: session.title.clone(), note: session.note.clone(), focused: false }
    }

    /// Shows the dialog.
    pub fn show(&mut self, ui: &mut Ui, session: &Session) -> TitleOutcome {
        let response = modal(ui, "title").show(ui, |ui| self.content(ui, session));
        match response.inner {
            TitleOutcome::Open if response.should_close() => TitleOutcome::Cancelled,
            outcome => outcome,
        }
    }

    fn content(&mut self, ui: &mut Ui, session: &Session) -> TitleOutcome {
        let texts = &session.texts;
        ui.set_width(WIDTH);
        ui.heading(texts.get("title-heading"));
        ui.add_space(6.0);
        let label = ui.label(texts.get("title-title"));
        let automatic = session.shown_title();
        let field = TextEdit::singleline(&mut self.title).hint_text(automatic);
        let field = ui.add(field.desired_width(f32::INFINITY)).labelled_by(label.id);
        if !self.focused {
            field.request_focus();
            self.focused = true;
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let label = ui.label(texts.get("title-note"));
        let note = TextEdit::multiline(&mut self.note).desired_rows(5).desired_width(f32::INFINITY);
        ui.add(note).labelled_by(label.id);
        ui.add_space(12.0);
        let mut outcome = if entered { TitleOutcome::Accepted } else { TitleOutcome::Open };
        let by_keys = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
        Sides::new().show(
            ui,
            |_| {},
            |ui| {
                if primary_button(ui, &texts.get("dialog-ok")).clicked() || by_keys {
                    outcome = TitleOutcome::Accepted;
                }
                if ui.button(texts.get("dialog-cancel")).clicked() {
                    outcome = TitleOutcome::Cancelled;
                }
            },
        );
        outcome
    }
}

fn modal(ui: &Ui, name: &str) -> Modal {
    let frame = Frame::popup(ui.style()).inner_margin(Margin::same(16));
    Modal::new(Id::unique(name)).frame(frame).backdrop_color(theme::tokens(ui).backdrop)
}

/// The button that most people want.
fn primary_button(ui: &mut Ui, text: &str) -> Response {
    let tokens = theme::tokens(ui);
    let text = egui::RichText::new(text).color(tokens.on_accent);
    let response = ui.add(Button::new(text).fill(tokens.accent));
    if response.has_focus() {
        // The usual frame of the keyboard focus has the colour of this button.
        let around = response.rect.expand(2.0);
        let stroke = Stroke::new(1.5, tokens.text);
        ui.painter().rect_stroke(around, theme::CARD_RADIUS, stroke, StrokeKind::Outside);
    }
    response
}

//! What each command does: the only writer of the window's state.

use std::path::PathBuf;

use egui::{Context, ViewportCommand, gui_zoom};

use super::{
    app::PlannerApp,
    command::{Action, Command},
    files::{FileEvent, FileRequest},
    layout::InfoWindow,
    live::LiveCommand,
    messages::Level,
    panels::{
        dialogs::{PathDraft, TitleDraft, UnsavedAnswer},
        menu_bar::file_name,
        palette::Palette,
    },
};
use crate::{
    message::Message,
    plan::file::{PresetFile, parse, write},
    text::Texts,
};

/// Longest name of a file that is suggested, characters.
const MAX_SUGGESTED_CHARS: usize = 80;

/// What waits until the unsaved changes are saved or dropped.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pending {
    /// A command that replaces the plan.
    Replace(Command),
    /// The end of the program.
    Quit,
}

impl PlannerApp {
    /// Carries out a command.
    pub fn run_command(&mut self, ctx: &Context, command: Command) {
        let moment = Self::moment(ctx);
        if let Command::Run(Action::ShowMemory | Action::ShowThroughput | Action::ShowLive) =
            command
        {
            self.narrow_shows_plan = false; // all are tabs of the answer
        }
        if self.session.apply(&command, moment) {
            if let Command::SetLanguage(language) = command {
                self.settings.language = Some(language);
            }
            self.schedule_autosave(ctx);
            return;
        }
        match command {
            Command::Run(action) => self.run_action(ctx, action),
            Command::OpenExample(_) | Command::OpenFile(_) => self.replace(ctx, command),
            Command::Live(command) => self.run_live(ctx, &command),
            _ => {}
        }
    }

    fn run_action(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::New | Action::Open => self.replace(ctx, Command::Run(action)),
            Action::Save => self.save(),
            Action::SaveAs => self.save_as(),
            Action::EditTitle => self.overlays.title = Some(TitleDraft::of(&self.session)),
            Action::ClearRecent => self.settings.recent_files.clear(),
            Action::Quit => self.quit(ctx),
            Action::Palette => self.overlays.palette = Some(Palette::default()),
            Action::ZoomIn => gui_zoom::zoom_in(ctx),
            Action::ZoomOut => gui_zoom::zoom_out(ctx),
            Action::ZoomReset => ctx.set_zoom_factor(1.0),
            Action::ShowLog => self.overlays.toggle(InfoWindow::Log),
            Action::ClearLog => self.messages.clear(),
            Action::ShowHelp => self.overlays.toggle(InfoWindow::Help),
            Action::PlayRecording => {
                self.run_command(ctx, Command::Run(Action::ShowLive));
                self.run_command(ctx, Command::Live(LiveCommand::PickRecording));
            }
            Action::ShowAbout => self.overlays.toggle(InfoWindow::About),
            _ => self.choose_theme(ctx, action),
        }
    }

    fn choose_theme(&mut self, ctx: &Context, action: Action) {
        if let Some(theme) = action.theme() {
            self.settings.theme = theme;
            ctx.set_theme(egui::ThemePreference::from(theme));
            self.schedule_autosave(ctx);
        }
    }

    /// Replaces the plan, after asking for unsaved changes.
    fn replace(&mut self, ctx: &Context, command: Command) {
        if self.session.dirty {
            self.pending = Some(Pending::Replace(command));
        } else {
            self.replace_at_once(ctx, command);
        }
    }

    fn replace_at_once(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Run(Action::New) => self.open_preset(PresetFile::default(), None),
            Command::Run(Action::Open) => {
                let filter_name = self.session.texts.get("dialog-filter").into_owned();
                self.files.request(FileRequest::PickAndOpen { filter_name });
            }
            Command::OpenExample(index) => {
                if let Some(preset) = self.session.example_preset(index) {
                    self.open_preset(preset, None);
                }
            }
            Command::OpenFile(path) => self.files.request(FileRequest::Open(path)),
            _ => {}
        }
        self.schedule_autosave(ctx);
    }

    /// Shows a preset, and what its author says about it.
    fn open_preset(&mut self, preset: PresetFile, path: Option<PathBuf>) {
        self.overlays.note = !preset.note.is_empty();
        self.session.open(preset, path);
    }

    fn save(&mut self) {
        match self.session.path.clone() {
            Some(path) => {
                self.saving.push_back(self.session.snapshot());
                let text = write(&self.session.preset());
                self.files.request(FileRequest::Save { path, text });
            }
            None => self.save_as(),
        }
    }

    fn save_as(&mut self) {
        self.saving.push_back(self.session.snapshot());
        let text = write(&self.session.preset());
        let suggested_name = suggested_file_name(&self.session.shown_title());
        self.files.request(FileRequest::PickAndSave { suggested_name, text });
    }

    fn quit(&mut self, ctx: &Context) {
        if self.session.dirty {
            self.pending = Some(Pending::Quit);
        } else {
            self.leave(ctx);
        }
    }

    fn leave(&mut self, ctx: &Context) {
        self.leaving = true;
        ctx.send_viewport_cmd(ViewportCommand::Close);
    }

    /// Goes on after the question about unsaved changes.
    pub(super) fn answer_unsaved(&mut self, ctx: &Context, answer: UnsavedAnswer) {
        match answer {
            UnsavedAnswer::Save => {
                self.after_save = self.pending.take();
                self.save();
            }
            UnsavedAnswer::Discard => {
                let pending = self.pending.take();
                // Another plan takes the place of this one only once it has been read: until then
                // the changes stay. The next start shall not bring back what was dropped here.
                if pending == Some(Pending::Quit) {
                    self.session.discard_changes();
                }
                self.go_on(ctx, pending);
            }
            UnsavedAnswer::Cancel => self.pending = None,
        }
        ctx.request_repaint();
    }

    fn go_on(&mut self, ctx: &Context, pending: Option<Pending>) {
        match pending {
            Some(Pending::Replace(command)) => self.replace_at_once(ctx, command),
            Some(Pending::Quit) => self.leave(ctx),
            None => {}
        }
    }

    /// Takes what the file worker has done.
    pub(super) fn file_event(&mut self, ctx: &Context, event: FileEvent) {
        match event {
            FileEvent::Opened { path, text } => self.opened(ctx, path, &text),
            FileEvent::Saved { path } => self.saved(ctx, path),
            FileEvent::Failed { message } => self.failed(ctx, message),
            FileEvent::Cancelled => self.cancel_files(),
            FileEvent::NoDialog { request } => {
                log::warn!("no file dialog came up: the path is asked for instead");
                self.overlays.path = PathDraft::for_request(request);
            }
            FileEvent::Recording(path) => {
                self.overlays.path = None;
                self.run_command(ctx, Command::Live(LiveCommand::OpenRecording(path)));
            }
            FileEvent::RecordingTarget(path) => {
                self.overlays.path = None;
                self.record_to(ctx, path);
            }
            FileEvent::NoRecording => self.overlays.path = None,
            FileEvent::Exists { path } => {
                if let Some(draft) = &mut self.overlays.path {
                    draft.ask_to_replace(path);
                }
            }
        }
        ctx.request_repaint();
    }

    /// A file could not be read or written: said in the dialog if its path was typed there.
    fn failed(&mut self, ctx: &Context, message: Message) {
        if let Some(draft) = self.overlays.path.as_mut().filter(|draft| draft.waits()) {
            draft.fail(message);
            return;
        }
        self.cancel_files();
        self.say(ctx, Level::Error, message);
    }

    /// Nothing is to be saved any more, nor what was to follow.
    pub(super) fn cancel_files(&mut self) {
        self.overlays.path = None;
        self.saving.clear();
        self.after_save = None;
    }

    fn opened(&mut self, ctx: &Context, path: PathBuf, text: &str) {
        match parse(text) {
            Ok(preset) => {
                self.settings.remember_file(&path);
                self.overlays.path = None;
                self.open_preset(preset, Some(path));
                self.schedule_autosave(ctx);
            }
            Err(error) => {
                let message = Message::new("message-not-opened")
                    .with("file", file_name(&path))
                    .with("reason", self.session.texts.message(&error.message()));
                self.failed(ctx, message);
            }
        }
    }

    fn saved(&mut self, ctx: &Context, path: PathBuf) {
        let message = Message::new("message-saved").with("file", file_name(&path));
        self.say(ctx, Level::Info, message);
        self.settings.remember_file(&path);
        self.overlays.path = None;
        if let Some(written) = self.saving.pop_front() {
            self.session.mark_saved(written, path);
        }
        self.schedule_autosave(ctx);
        if self.saving.is_empty() {
            let next = self.after_save.take();
            self.go_on(ctx, next);
        }
    }

    pub(super) fn say(&mut self, ctx: &Context, level: Level, message: Message) {
        if level == Level::Error {
            log::warn!("{}", Texts::new(crate::text::Language::English).message(&message));
        }
        self.messages.push(level, message, Self::moment(ctx).secs);
    }
}

/// A title as the name of a file: without what file systems do not like.
fn suggested_file_name(title: &str) -> String {
    let name: String = title
        .chars()
        .map(
            |letter| {
                if letter.is_alphanumeric() || " .-_+".contains(letter) { letter } else { '-' }
            },
        )
        .take(MAX_SUGGESTED_CHARS)
        .collect();
    format!("{}.ron", name.trim_matches([' ', '.', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_name_that_file_systems_like() {
        assert_eq!(suggested_file_name("70B: 256 H100/TP8?"), "70B- 256 H100-TP8.ron");
        assert_eq!(suggested_file_name("一张 24 GB 显卡"), "一张 24 GB 显卡.ron");
    }
}

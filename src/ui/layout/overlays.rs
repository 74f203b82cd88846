//! What lies over the main view: windows about the program, palette, dialogs, toasts.

use egui::{Id, Key, LayerId, Modifiers, Order, Popup, Ui};

use super::super::{
    app::PlannerApp,
    command::Command,
    panels::{
        about::about_window,
        dialogs::{PathDraft, PathOutcome, TitleDraft, TitleOutcome, unsaved_dialog},
        help::help_window,
        log::log_window,
        palette::{Palette, PaletteOutcome},
    },
    widgets::toasts::toasts_ui,
};

/// A window about the program, which leaves the rest at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum InfoWindow {
    /// The messages.
    Log,
    /// The guide.
    Help,
    /// Version and sources.
    About,
}

impl InfoWindow {
    fn layer(self) -> LayerId {
        let id = match self {
            Self::Log => "log",
            Self::Help => "help",
            Self::About => "about",
        };
        LayerId::new(Order::Middle, Id::unique(id))
    }
}

/// What lies over the main view, or stands above the answer for a while.
#[derive(Debug, Default)]
pub(in crate::ui) struct Overlays {
    pub(in crate::ui) palette: Option<Palette>,
    pub(in crate::ui) title: Option<TitleDraft>,
    pub(in crate::ui) path: Option<PathDraft>,
    /// The author's note of the preset stands above the answer.
    pub(in crate::ui) note: bool,
    /// Open windows, the one that was opened last at the end.
    windows: Vec<InfoWindow>,
}

impl Overlays {
    /// Opens a window, or closes it if it is open.
    pub(in crate::ui) fn toggle(&mut self, window: InfoWindow) {
        if self.windows.contains(&window) {
            self.close(window);
        } else {
            self.windows.push(window);
        }
    }

    fn close(&mut self, window: InfoWindow) {
        self.windows.retain(|&it| it != window);
    }

    /// Escape closes the window that lies on top, unless a menu or a list is open above it.
    pub(in crate::ui) fn take_escape(&mut self, ctx: &egui::Context) {
        if self.windows.is_empty() || Popup::is_any_open(ctx) {
            return;
        }
        if ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            let top = ctx.memory(|memory| memory.areas().top_layer_id(Order::Middle));
            let on_top = self.windows.iter().copied().find(|it| Some(it.layer()) == top);
            if let Some(window) = on_top.or_else(|| self.windows.last().copied()) {
                self.close(window);
            }
        }
    }
}

impl PlannerApp {
    /// Draws what lies over the main view.
    pub(in crate::ui) fn overlays_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.windows_ui(ui, commands);
        self.palette_ui(ui, commands);
        self.title_ui(ui, commands);
        self.path_ui(ui);
        self.toasts_ui(ui);
        if self.pending.is_some()
            && let Some(answer) = unsaved_dialog(ui, &self.session)
        {
            self.answer_unsaved(ui, answer);
        }
    }

    fn windows_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let session = &self.session;
        for window in self.overlays.windows.clone() {
            let mut open = true;
            match window {
                InfoWindow::Log => {
                    self.messages.mark_read();
                    log_window(ui, &mut open, session, &self.messages, commands);
                }
                InfoWindow::Help => help_window(ui, &mut open, session),
                InfoWindow::About => about_window(ui, &mut open, session),
            }
            if !open {
                self.overlays.close(window);
            }
        }
    }

    fn palette_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let Some(palette) = &mut self.overlays.palette else { return };
        match palette.show(ui, &self.session) {
            PaletteOutcome::Open => return,
            PaletteOutcome::Closed => {}
            PaletteOutcome::Chosen(command) => commands.push(command),
        }
        self.overlays.palette = None;
        ui.request_repaint(); // it is still on the screen
    }

    fn title_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let Some(draft) = &mut self.overlays.title else { return };
        match draft.show(ui, &self.session) {
            TitleOutcome::Open => return,
            TitleOutcome::Cancelled => {}
            TitleOutcome::Accepted => commands.push(Command::SetTitle {
                title: draft.title.trim().to_owned(),
                note: draft.note.trim().to_owned(),
            }),
        }
        self.overlays.title = None;
        ui.request_repaint();
    }

    fn path_ui(&mut self, ui: &mut Ui) {
        let Some(draft) = &mut self.overlays.path else { return };
        match draft.show(ui, &self.session) {
            PathOutcome::Open => return,
            PathOutcome::Accepted(request) => self.files.request(request),
            PathOutcome::Cancelled => self.cancel_files(),
        }
        ui.request_repaint();
    }

    fn toasts_ui(&mut self, ui: &mut Ui) {
        let now_secs = Self::moment(ui).secs;
        if let Some(left_secs) = self.messages.expire(now_secs) {
            // One frame when the next one goes, and none before.
            ui.request_repaint_after(std::time::Duration::from_secs_f64(left_secs + 0.05));
        }
        if let Some(closed) = toasts_ui(ui, &self.session, self.messages.toasts()) {
            self.messages.dismiss(closed);
            ui.request_repaint();
        }
    }

    /// A dialog is open that wants all keys for itself.
    pub(in crate::ui) fn dialog_is_open(&self) -> bool {
        let overlays = &self.overlays;
        let asks = overlays.title.is_some() || overlays.path.is_some();
        asks || overlays.palette.is_some() || self.pending.is_some()
    }
}

//! The program's window: holds everything, draws nothing itself, and carries out the commands.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    command::{Action, Command, Tab},
    dispatch::Pending,
    files::{Dialogs, FileWorker, RECORDING_ENDING},
    history::{Moment, Snapshot},
    layout::Overlays,
    live::{Live, LiveCommand},
    messages::{Level, Messages},
    session::Session,
    settings::{PLAN_KEY, Settings, StoredPlan},
    shortcuts,
};
use crate::{
    catalogue::Catalogue,
    message::Message,
    monitor,
    plan::{Plan, file::PresetFile},
    text::Texts,
};

/// How long after the last change the plan is written to the storage, seconds.
const AUTOSAVE_DELAY_SECS: f64 = 2.0;

/// What the command line says about the window.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// A preset to open.
    pub open: Option<PathBuf>,
    /// The catalogue with the user's own entries; the embedded one if none.
    pub catalogue: Option<Arc<Catalogue>>,
    /// What went wrong before the window came up.
    pub notices: Vec<Message>,
    /// When the program started, if the time to its first frame is to be logged.
    pub started: Option<Instant>,
}

/// The program's window.
pub struct PlannerApp {
    pub(super) session: Session,
    pub(super) settings: Settings,
    pub(super) messages: Messages,
    pub(super) overlays: Overlays,
    pub(super) files: FileWorker,
    /// What waits for the answer about unsaved changes.
    pub(super) pending: Option<Pending>,
    /// What is to be done once the changes are saved.
    pub(super) after_save: Option<Pending>,
    /// Presets on their way to the disk, the first one first.
    pub(super) saving: VecDeque<Snapshot>,
    /// The window may close without a question.
    pub(super) leaving: bool,
    /// In a narrow window, the plan is shown instead of its answer.
    pub(super) narrow_shows_plan: bool,
    /// Keys of undo and redo: the plan's, or a text field's own.
    text_undo: shortcuts::TextUndo,
    started: Option<Instant>,
    commands: Vec<Command>,
    autosave_at_secs: Option<f64>,
    window_title: String,
    installed: bool,
}

impl PlannerApp {
    /// The window as eframe makes it: with what the last run left.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, options: StartOptions) -> Self {
        let ctx = &cc.egui_ctx;
        let settings: Settings = cc
            .storage
            .and_then(|storage| eframe::get_value(storage, eframe::APP_KEY))
            .unwrap_or_default();
        let stored: Option<StoredPlan> =
            cc.storage.and_then(|storage| eframe::get_value(storage, PLAN_KEY));
        let wake = ctx.clone();
        let mut app = Self::with(settings, options.catalogue, move || wake.request_repaint());
        super::install(ctx);
        app.installed = true;
        app.started = options.started;
        ctx.set_zoom_factor(app.settings.sane_zoom());
        ctx.set_theme(egui::ThemePreference::from(app.settings.theme));
        if let Some(Err(error)) = stored.map(|stored| stored.restore(&mut app.session)) {
            let reason = app.session.texts.message(&error.message());
            let message = Message::new("message-plan-not-restored").with("reason", reason);
            app.messages.push(Level::Warning, message, 0.0);
        }
        for notice in options.notices {
            app.messages.push(Level::Warning, notice, 0.0);
        }
        if let Some(path) = options.open {
            app.run_command(ctx, Command::OpenFile(path));
        }
        app
    }

    /// A window in English with the default plan, without storage, for tests.
    #[must_use]
    pub fn for_test() -> Self {
        let settings = Settings {
            language: Some(crate::text::Language::English),
            theme: super::settings::ThemeChoice::Dark,
            ..Settings::default()
        };
        Self::with(settings, None, || {})
    }

    /// The same window with other file dialogs than the system's.
    #[must_use]
    pub fn with_dialogs_for_test(dialogs: impl Dialogs) -> Self {
        let mut app = Self::for_test();
        app.files = FileWorker::with_dialogs(|| {}, dialogs);
        app
    }

    /// The same window with a given plan, as if it had been opened from a file.
    #[must_use]
    pub fn with_plan_for_test(plan: Plan) -> Self {
        let mut app = Self::for_test();
        app.session.open(PresetFile { plan, ..PresetFile::default() }, None);
        app
    }

    /// The same window with its Live tab open, after these samples; no source is read.
    #[must_use]
    pub fn with_samples_for_test(samples: impl IntoIterator<Item = monitor::Snapshot>) -> Self {
        let mut app = Self::for_test();
        app.session.tab = Tab::Live;
        samples.into_iter().for_each(|sample| app.session.live.ingest(sample));
        app
    }

    /// The same window, which looks for the driver's library in this place.
    #[must_use]
    pub fn with_gpu_library_for_test(library: PathBuf) -> Self {
        let mut app = Self::for_test();
        app.session.live.library = Some(library);
        app
    }

    fn with(
        settings: Settings,
        catalogue: Option<Arc<Catalogue>>,
        wake: impl Fn() + Send + Sync + Clone + 'static,
    ) -> Self {
        let catalogue = catalogue.unwrap_or_else(|| Arc::new(Catalogue::embedded().clone()));
        let mut session = Session::new(catalogue, Texts::new(settings.language_or_default()));
        session.show_advanced = settings.show_advanced;
        session.tab = settings.tab;
        session.live = Live::new(settings.live.clone().sane(), wake.clone());
        Self {
            session,
            settings,
            messages: Messages::default(),
            overlays: Overlays::default(),
            files: FileWorker::new(wake),
            pending: None,
            after_save: None,
            saving: VecDeque::new(),
            leaving: false,
            narrow_shows_plan: true,
            text_undo: shortcuts::TextUndo::default(),
            started: None,
            commands: Vec::new(),
            autosave_at_secs: None,
            window_title: String::new(),
            installed: false,
        }
    }

    /// What the window shows, for tests.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// One whole frame without eframe, for tests.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        if !self.installed {
            // Fonts are in use from the next frame on only.
            super::install(ui);
            ui.set_theme(egui::ThemePreference::from(self.settings.theme));
            self.installed = true;
            ui.request_repaint();
            return;
        }
        self.background(ui);
        self.draw(ui);
    }

    /// Draws the window and carries out what the person did in it.
    fn draw(&mut self, ui: &mut egui::Ui) {
        self.keys(ui);
        let mut commands = std::mem::take(&mut self.commands);
        self.layout(ui, &mut commands);
        self.overlays_ui(ui, &mut commands);
        let any = !commands.is_empty();
        for command in commands.drain(..) {
            self.run_command(ui, command);
        }
        self.commands = commands; // the buffer is used again
        self.text_undo.forget_text_of_undone_field(ui);
        if any {
            ui.request_repaint(); // what was drawn before the command is stale: draw the answer at once
        }
        self.update_window_title(ui);
    }

    /// What must happen in a hidden window as well, once a frame.
    fn background(&mut self, ctx: &egui::Context) {
        self.settings.zoom = ctx.zoom_factor();
        for event in self.files.poll() {
            self.file_event(ctx, event);
        }
        if !ctx.input(|input| input.pointer.any_down()) {
            self.session.history.release();
        }
        self.live_background(ctx);
        self.take_dropped_file(ctx);
        self.take_close_request(ctx);
    }

    fn keys(&mut self, ctx: &egui::Context) {
        if self.dialog_is_open() {
            return; // what lies under a dialog does not listen
        }
        self.overlays.take_escape(ctx);
        self.text_undo.observe(ctx);
        for action in shortcuts::take_pressed(ctx, &mut self.text_undo) {
            if self.session.can_run(action) {
                self.commands.push(Command::Run(action));
            }
        }
    }

    fn take_dropped_file(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.first().cloned());
        if let Some(file) = dropped {
            let path = file.path().to_owned();
            let is_recording = path.extension().is_some_and(|it| it == RECORDING_ENDING);
            if is_recording {
                self.run_command(ctx, Command::Run(Action::ShowLive));
                self.run_command(ctx, Command::Live(LiveCommand::OpenRecording(path)));
            } else {
                self.run_command(ctx, Command::OpenFile(path));
            }
        }
    }

    fn take_close_request(&mut self, ctx: &egui::Context) {
        let wants_to_close = ctx.input(|input| input.viewport().close_requested());
        if wants_to_close && !self.leaving && self.session.dirty {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.pending = Some(Pending::Quit);
        }
    }

    fn update_window_title(&mut self, ctx: &egui::Context) {
        let mark = if self.session.dirty { " *" } else { "" };
        let title = format!("{}{mark} – vramplan", self.session.shown_title());
        if title != self.window_title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.window_title = title;
        }
    }

    /// The clock and the pointer, as undo wants to know them.
    pub(super) fn moment(ctx: &egui::Context) -> Moment {
        ctx.input(|input| Moment { secs: input.time, held: input.pointer.any_down() })
    }

    /// The plan is written to the storage once nothing is changed any more.
    pub(super) fn schedule_autosave(&mut self, ctx: &egui::Context) {
        self.autosave_at_secs = Some(Self::moment(ctx).secs + AUTOSAVE_DELAY_SECS);
    }

    fn autosave(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        let Some(due_secs) = self.autosave_at_secs else { return };
        let left_secs = due_secs - Self::moment(ctx).secs;
        if left_secs > 0.0 {
            // Every frame forgets what the last one asked for, so each asks anew.
            ctx.request_repaint_after(Duration::from_secs_f64(left_secs + 0.02));
        } else if let Some(storage) = frame.storage_mut() {
            self.store(storage);
            storage.flush();
        }
    }

    fn store(&mut self, storage: &mut dyn eframe::Storage) {
        self.settings.show_advanced = self.session.show_advanced;
        self.settings.tab = self.session.tab;
        self.settings.live = self.session.live.settings.clone();
        eframe::set_value(storage, eframe::APP_KEY, &self.settings);
        eframe::set_value(storage, PLAN_KEY, &StoredPlan::of(&self.session));
        self.autosave_at_secs = None;
    }
}

impl eframe::App for PlannerApp {
    fn logic(&mut self, ctx: &egui::Context, frame: &mut eframe::Frame) {
        self.background(ctx);
        self.autosave(ctx, frame);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.draw(ui); // `logic` has done the rest
        if let Some(started) = self.started.take() {
            // The frame is laid out; painting it takes a few milliseconds more.
            log::info!("first frame after {} ms", started.elapsed().as_millis());
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        // At odd scales a row of pixels between two panels belongs to neither: it looks like a hairline.
        visuals.window_stroke.color.to_normalized_gamma_f32()
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.store(storage);
    }
}

//! Where the panels are.

use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea, Stroke, Ui};

use crate::plan::Choice as _;

use super::{
    app::PlannerApp,
    command::Command,
    panels::{
        about::about_window,
        centre_ui,
        dialogs::{TitleOutcome, unsaved_dialog},
        help::help_window,
        log::log_window,
        menu_bar::menu_bar_ui,
        palette::PaletteOutcome,
        plan_panel_ui,
        status_bar::status_bar_ui,
    },
    session::{Answer, Session},
    theme,
    widgets::toasts::toasts_ui,
};

/// Width of the plan panel at first, points.
const PLAN_WIDTH: f32 = 372.0;
/// The plan panel is never narrower, points.
const PLAN_MIN_WIDTH: f32 = 320.0;
/// The centre is never narrower, points; where there is no room for both, one is shown at a time.
const CENTRE_MIN_WIDTH: f32 = 440.0;
/// Height of the menu bar, points.
const MENU_BAR_HEIGHT: f32 = 30.0;
/// Height of the status bar, points.
const STATUS_BAR_HEIGHT: f32 = 26.0;

impl PlannerApp {
    /// Draws the main view.
    pub(super) fn layout(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(12, 3));
        Panel::top("menu-bar").exact_size(MENU_BAR_HEIGHT).frame(bar).show(ui, |ui| {
            menu_bar_ui(ui, &self.session, &self.settings, commands);
        });
        Panel::bottom("status-bar").exact_size(STATUS_BAR_HEIGHT).frame(bar).show(ui, |ui| {
            status_bar_ui(ui, &self.session, &self.messages, commands);
        });
        let width = ui.available_width();
        if width < PLAN_MIN_WIDTH + CENTRE_MIN_WIDTH {
            self.narrow_layout(ui, commands);
        } else {
            self.wide_layout(ui, width, commands);
        }
    }

    fn wide_layout(&mut self, ui: &mut Ui, width: f32, commands: &mut Vec<Command>) {
        let plan = Frame::new().fill(ui.visuals().panel_fill).inner_margin(plan_margin());
        Panel::left("plan")
            .resizable(true)
            .default_size(PLAN_WIDTH)
            .size_range(PLAN_MIN_WIDTH..=(width - CENTRE_MIN_WIDTH).min(620.0))
            .frame(plan)
            .show(ui, |ui| self.plan_ui(ui, commands));
        CentralPanel::default().frame(centre_frame(ui)).show(ui, |ui| {
            centre_ui(ui, &self.session, commands);
        });
    }

    /// Plan or answer, the person chooses which.
    fn narrow_layout(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let bar = Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(12, 3));
        Panel::top("narrow-switch").frame(bar).show(ui, |ui| {
            ui.horizontal(|ui| {
                let texts = &self.session.texts;
                let shows_plan = &mut self.narrow_shows_plan;
                ui.selectable_value(shows_plan, true, texts.get("narrow-plan"));
                ui.selectable_value(shows_plan, false, texts.get("narrow-answer"));
                let right = egui::Layout::right_to_left(egui::Align::Center);
                ui.with_layout(right, |ui| verdict_word(ui, &self.session));
            });
        });
        if self.narrow_shows_plan {
            let plan = Frame::new().fill(ui.visuals().panel_fill).inner_margin(plan_margin());
            CentralPanel::default().frame(plan).show(ui, |ui| self.plan_ui(ui, commands));
        } else {
            CentralPanel::default().frame(centre_frame(ui)).show(ui, |ui| {
                centre_ui(ui, &self.session, commands);
            });
        }
    }

    fn plan_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        // The bar's room is left free without it as well, so that nothing moves when it comes.
        let width = ui.available_width() - ui.spacing().scroll.allocated_width();
        ScrollArea::vertical().id_salt("plan-scroll").auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(width);
            plan_panel_ui(ui, &self.session, commands);
        });
    }

    /// Draws what lies over the main view.
    pub(super) fn overlays_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let session = &self.session;
        if self.overlays.log {
            self.messages.mark_read();
            log_window(ui, &mut self.overlays.log, session, &self.messages, commands);
        }
        if self.overlays.help {
            help_window(ui, &mut self.overlays.help, session);
        }
        if self.overlays.about {
            about_window(ui, &mut self.overlays.about, session);
        }
        self.palette_ui(ui, commands);
        self.title_ui(ui, commands);
        self.toasts_ui(ui);
        if self.pending.is_some()
            && let Some(answer) = unsaved_dialog(ui, &self.session)
        {
            self.answer_unsaved(ui, answer);
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
    pub(super) fn dialog_is_open(&self) -> bool {
        self.overlays.palette.is_some() || self.overlays.title.is_some() || self.pending.is_some()
    }
}

/// The verdict in a word, for a window that has no room for it beside the plan.
fn verdict_word(ui: &mut Ui, session: &Session) {
    let (key, color) = match &session.answer {
        Answer::Ready(ready) => {
            let verdict = ready.estimate.memory.verdict;
            (verdict.key(), theme::verdict_color(ui, verdict))
        }
        Answer::Invalid(_) => ("narrow-invalid", theme::tokens(ui).error),
    };
    let text = theme::bold(ui, session.texts.get(key)).color(color);
    ui.label(text);
}

fn plan_margin() -> Margin {
    Margin { left: 12, right: 4, top: 8, bottom: 4 }
}

fn centre_frame(ui: &Ui) -> Frame {
    Frame::new().fill(theme::tokens(ui).background).stroke(Stroke::NONE).inner_margin(Margin {
        left: 16,
        right: 8,
        top: 10,
        bottom: 6,
    })
}

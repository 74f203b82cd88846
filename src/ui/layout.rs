//! Where the panels are.

mod overlays;
mod scroll;

use egui::{CentralPanel, Frame, Margin, Panel, PanelState, ScrollArea, Stroke, Ui};

use self::scroll::{fill, page};
pub(super) use self::{
    overlays::{InfoWindow, Overlays},
    scroll::scroll_to_new_focus,
};
use super::{
    app::PlannerApp,
    command::Command,
    panels::{
        centre_in_page_ui, centre_ui, menu_bar::menu_bar_ui, plan_panel_ui,
        status_bar::status_bar_ui,
    },
    session::{Answer, Session},
    theme,
    widgets::note_strip::note_strip,
};
use crate::plan::Choice as _;

/// Width of the plan panel at first, points.
const PLAN_WIDTH: f32 = 372.0;
/// The plan panel is never narrower, points.
const PLAN_MIN_WIDTH: f32 = 320.0;
/// The plan panel is never wider, points.
const PLAN_MAX_WIDTH: f32 = 620.0;
/// The centre is never narrower, points; where there is no room for both, one is shown at a time.
const CENTRE_MIN_WIDTH: f32 = 440.0;
/// Where the centre is lower, it scrolls as a whole, points: otherwise nothing would be left of it
/// below the verdict.
const CENTRE_MIN_HEIGHT: f32 = 480.0;
/// Largest height of the author's note above a fixed verdict, points.
const NOTE_HEIGHT: f32 = 76.0;
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
        let frame = Frame::new().fill(ui.visuals().panel_fill).inner_margin(plan_margin());
        let room = (width - CENTRE_MIN_WIDTH).min(PLAN_MAX_WIDTH);
        // A panel keeps the last width that it had. Where the window has less room for it than the
        // person wants, another panel takes its place, so that the wish is not forgotten.
        let panel = if wanted_plan_width(ui) > room {
            Panel::left("plan-squeezed").exact_size(room)
        } else {
            Panel::left("plan")
                .resizable(true)
                .default_size(PLAN_WIDTH)
                .size_range(PLAN_MIN_WIDTH..=room)
        };
        panel.frame(frame).show(ui, |ui| self.plan_ui(ui, commands));
        self.centre(ui, commands);
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
            self.centre(ui, commands);
        }
    }

    fn plan_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        fill(ui, "plan-contents", |ui| {
            // The bar's room is left free without it as well, so that nothing moves when it comes.
            let width = ui.available_width() - ui.spacing().scroll.allocated_width();
            ScrollArea::vertical().id_salt("plan-scroll").auto_shrink(false).show(ui, |ui| {
                ui.set_max_width(width);
                plan_panel_ui(ui, &self.session, commands);
                scroll_to_new_focus(ui, "plan-contents");
            });
        });
    }

    /// The author's note, and the answer; in a low window both scroll as one page.
    fn centre(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        CentralPanel::default().frame(centre_frame(ui)).show(ui, |ui| {
            fill(ui, "centre-contents", |ui| {
                if ui.available_height() < CENTRE_MIN_HEIGHT {
                    page(ui, "centre-page", |ui| {
                        self.note(ui, f32::INFINITY);
                        centre_in_page_ui(ui, &self.session, commands);
                    });
                } else {
                    self.note(ui, NOTE_HEIGHT);
                    centre_ui(ui, &self.session, commands);
                }
            });
        });
    }

    /// The author's note until it is dismissed; what is higher than `most_height` points scrolls.
    fn note(&mut self, ui: &mut Ui, most_height: f32) {
        let shown = self.overlays.note && !self.session.note.is_empty();
        if shown && note_strip(ui, &self.session, most_height) {
            self.overlays.note = false;
            ui.request_repaint();
        }
    }
}

/// The width that the plan panel had when the window last had room for it.
fn wanted_plan_width(ui: &Ui) -> f32 {
    let id = ui.scope_id().with_salt(egui::IdSalt::new("plan"));
    PanelState::load(ui, id).map_or(PLAN_WIDTH, |state| state.size().x)
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

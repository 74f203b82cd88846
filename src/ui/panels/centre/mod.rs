//! The centre: verdict, tabs, and what the chosen tab shows.

mod assumptions;
mod explain_popup;
mod figure;
mod live;
mod memory_tab;
mod moment_tip;
mod operations_table;
mod part_table;
mod products_table;
mod roof;
mod roof_lesson;
mod roof_names;
mod roofline;
mod roofline_labels;
mod saved_tensors;
mod stages;
mod table;
mod throughput_tab;
mod timeline;
mod verdict;

use egui::{
    Align2, Id, Response, Role, ScrollArea, Sense, TextStyle, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::{
    plan::Choice as _,
    ui::{
        command::{Action, Command, Tab},
        layout::scroll_to_new_focus,
        session::{Answer, Ready, Session},
        theme::{bold, tokens},
    },
};

/// Height of the row of tabs, points.
const TABS_HEIGHT: f32 = 30.0;

/// Verdict and the chosen tab, which scrolls below it.
pub fn centre_ui(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    answer(ui, session, commands, scrolling_tab);
}

/// The same inside a page that scrolls as a whole.
pub fn centre_in_page_ui(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    answer(ui, session, commands, tab_contents);
}

/// How the chosen tab is shown.
type ShowTab = fn(&mut Ui, &Session, Option<&Ready>, &mut Vec<Command>);

fn answer(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>, show_tab: ShowTab) {
    match &session.answer {
        Answer::Invalid(issues) => {
            verdict::cannot_run(ui, session, issues);
            ui.add_space(4.0);
            tabs(ui, session, commands);
            show_tab(ui, session, None, commands);
        }
        Answer::Ready(ready) => {
            verdict::verdict_card(ui, session, ready);
            ui.add_space(4.0);
            tabs(ui, session, commands);
            show_tab(ui, session, Some(ready), commands);
        }
    }
}

fn scrolling_tab(
    ui: &mut Ui,
    session: &Session,
    ready: Option<&Ready>,
    commands: &mut Vec<Command>,
) {
    // The bar's room is left free without it as well, so that nothing moves when it comes.
    let width = ui.available_width() - ui.spacing().scroll.allocated_width();
    let area = ScrollArea::vertical().id_salt(("tab", session.tab)).auto_shrink(false);
    area.show(ui, |ui| {
        ui.set_max_width(width);
        tab_contents(ui, session, ready, commands);
        scroll_to_new_focus(ui, "tab-contents");
    });
}

/// What the tab shows; a plan that cannot run has no memory and no throughput.
fn tab_contents(
    ui: &mut Ui,
    session: &Session,
    ready: Option<&Ready>,
    commands: &mut Vec<Command>,
) {
    // What is folded and opened stays so, whatever it scrolls with.
    let scope = UiBuilder::new().scope_id(Id::unique(("tab-contents", session.tab)));
    ui.scope_builder(scope, |ui| match (session.tab, ready) {
        (Tab::Memory, Some(ready)) => memory_tab::memory_tab(ui, session, ready, commands),
        (Tab::Throughput, Some(ready)) => throughput_tab::throughput_tab(ui, session, ready),
        (Tab::Live, _) => live::live_tab(ui, session, commands),
        (Tab::Memory | Tab::Throughput, None) => {}
    });
    ui.add_space(8.0);
}

fn tabs(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let row = ui
        .horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for &tab in Tab::ALL {
                if tab_button(ui, session, tab).clicked() {
                    commands.push(Command::Run(action_of(tab)));
                }
            }
        })
        .response;
    let edge = row.rect.bottom() - 0.5;
    let across = ui.max_rect().x_range();
    ui.painter().hline(across, edge, egui::Stroke::new(1.0, tokens(ui).line));
    ui.add_space(6.0);
}

fn tab_button(ui: &mut Ui, session: &Session, tab: Tab) -> Response {
    let text = session.texts.get(tab.key());
    let font = TextStyle::Body.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_string(), font, ui.visuals().text_color());
    let (rect, response) =
        ui.allocate_exact_size(vec2(galley.size().x + 20.0, TABS_HEIGHT), Sense::click());
    let chosen = session.tab == tab;
    response.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), chosen, &text));
    let color = if chosen || response.hovered() || response.has_focus() {
        ui.visuals().strong_text_color()
    } else {
        tokens(ui).weak_text
    };
    let corner = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    ui.painter().galley_with_override_text_color(corner, galley, color);
    if chosen {
        let line = egui::Rect::from_min_max(pos2(rect.left(), rect.bottom() - 2.0), rect.max);
        ui.painter().rect_filled(line, 1.0, tokens(ui).accent);
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.5, tokens(ui).accent);
        ui.painter().rect_stroke(rect.shrink(2.0), 3.0, stroke, egui::StrokeKind::Inside);
    }
    response
}

const fn action_of(tab: Tab) -> Action {
    match tab {
        Tab::Memory => Action::ShowMemory,
        Tab::Throughput => Action::ShowThroughput,
        Tab::Live => Action::ShowLive,
    }
}

/// A heading inside a tab.
fn heading(ui: &mut Ui, text: &str) {
    ui.label(bold(ui, text));
}

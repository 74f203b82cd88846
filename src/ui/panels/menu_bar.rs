//! The top row: menus, the title of the preset, the palette's button and the language.

use std::path::Path;

use egui::{
    Align, Button, Layout, MenuBar, Rect, RectAlign, Response, RichText, Tooltip, Ui, Vec2,
};

use crate::{
    plan::{Choice as _, Group},
    text::Language,
    ui::{
        command::{Action, Command},
        session::Session,
        settings::Settings,
        shortcuts, theme,
    },
};

/// Least space between the title and what stands beside it, points.
const TITLE_MARGIN: f32 = 16.0;

/// The whole top row.
pub fn menu_bar_ui(
    ui: &mut Ui,
    session: &Session,
    settings: &Settings,
    commands: &mut Vec<Command>,
) {
    let row = ui.max_rect();
    MenuBar::new().ui(ui, |ui| {
        ui.label(theme::bold(ui, "vramplan"));
        file_menu(ui, session, settings, commands);
        edit_menu(ui, session, commands);
        view_menu(ui, session, settings, commands);
        help_menu(ui, session, commands);
        let left_end = ui.cursor().left();
        let right = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            language_menu(ui, session, commands);
            palette_button(ui, session, commands);
            ui.min_rect().left()
        });
        title(ui, session, row, left_end, right.inner, commands);
    });
}

fn file_menu(ui: &mut Ui, session: &Session, settings: &Settings, commands: &mut Vec<Command>) {
    ui.menu_button(session.texts.get("menu-file"), |ui| {
        for action in [Action::New, Action::Open] {
            action_item(ui, session, action, commands);
        }
        recent_menu(ui, session, settings, commands);
        examples_menu(ui, session, commands);
        ui.separator();
        for action in [Action::Save, Action::SaveAs, Action::EditTitle] {
            action_item(ui, session, action, commands);
        }
        ui.separator();
        action_item(ui, session, Action::Quit, commands);
    });
}

fn recent_menu(ui: &mut Ui, session: &Session, settings: &Settings, commands: &mut Vec<Command>) {
    ui.add_enabled_ui(!settings.recent_files.is_empty(), |ui| {
        ui.menu_button(session.texts.get("menu-recent"), |ui| {
            for path in &settings.recent_files {
                let item = ui.button(file_name(path)).on_hover_text(path.display().to_string());
                if item.clicked() {
                    commands.push(Command::OpenFile(path.clone()));
                    ui.close();
                }
            }
            ui.separator();
            action_item(ui, session, Action::ClearRecent, commands);
        });
    });
}

fn examples_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.menu_button(session.texts.get("menu-examples"), |ui| {
        for (index, example) in session.examples().iter().enumerate() {
            let item = ui.button(session.texts.get(example.title_key));
            note_beside(&item, &session.texts.get(example.note_key));
            if item.clicked() {
                commands.push(Command::OpenExample(index));
                ui.close();
            }
        }
    });
}

/// A tooltip to the right of an item, where it does not lie over the next ones.
pub fn note_beside(item: &Response, note: &str) {
    if note.is_empty() {
        return;
    }
    let mut tooltip = Tooltip::for_enabled(item);
    tooltip.popup = tooltip
        .popup
        .align(RectAlign::RIGHT_START)
        .align_alternatives(&[RectAlign::LEFT_START, RectAlign::BOTTOM_START]);
    tooltip.gap(12.0).show(|ui| ui.label(note));
}

fn edit_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.menu_button(session.texts.get("menu-edit"), |ui| {
        for action in [Action::Undo, Action::Redo] {
            action_item(ui, session, action, commands);
        }
        ui.separator();
        for action in [Action::Pin, Action::RestorePinned, Action::Unpin] {
            action_item(ui, session, action, commands);
        }
        ui.separator();
        ui.menu_button(session.texts.get("menu-reset"), |ui| {
            for &group in Group::ALL {
                if ui.button(session.texts.get(group.key())).clicked() {
                    commands.push(Command::ResetGroup(group));
                    ui.close();
                }
            }
        });
    });
}

fn view_menu(ui: &mut Ui, session: &Session, settings: &Settings, commands: &mut Vec<Command>) {
    ui.menu_button(session.texts.get("menu-view"), |ui| {
        for action in [Action::ShowMemory, Action::ShowThroughput, Action::ShowLive] {
            action_item(ui, session, action, commands);
        }
        ui.separator();
        checked_item(ui, session, Action::ToggleAdvanced, session.show_advanced, commands);
        ui.separator();
        for action in [Action::ThemeSystem, Action::ThemeLight, Action::ThemeDark] {
            let chosen = action.theme() == Some(settings.theme);
            checked_item(ui, session, action, chosen, commands);
        }
        ui.separator();
        for action in [Action::ZoomIn, Action::ZoomOut, Action::ZoomReset] {
            action_item(ui, session, action, commands);
        }
        ui.separator();
        for action in [Action::Palette, Action::ShowLog] {
            action_item(ui, session, action, commands);
        }
    });
}

fn help_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.menu_button(session.texts.get("menu-help"), |ui| {
        for action in [Action::ShowHelp, Action::ShowAbout] {
            action_item(ui, session, action, commands);
        }
    });
}

fn language_menu(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let current = session.texts.language();
    let menu = ui.menu_button(current.name(), |ui| {
        for &language in Language::ALL {
            if ui.add(Button::selectable(language == current, language.name())).clicked() {
                commands.push(Command::SetLanguage(language));
                ui.close();
            }
        }
    });
    menu.response.on_hover_text(session.texts.get("menu-language"));
}

fn palette_button(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let keys = shortcuts::printed(ui, Action::Palette).unwrap_or_default();
    let text = session.texts.with("menu-palette", &[("keys", keys.as_str())]);
    if ui.button(text).clicked() {
        commands.push(Command::Run(Action::Palette));
    }
}

/// The title in the middle of the window, or as near to it as its neighbours allow.
fn title(
    ui: &mut Ui,
    session: &Session,
    row: Rect,
    left_end: f32,
    right_start: f32,
    commands: &mut Vec<Command>,
) {
    let middle = row.center();
    let half_width = (middle.x - left_end).min(right_start - middle.x) - TITLE_MARGIN;
    if half_width <= TITLE_MARGIN {
        return; // too narrow: the title is in the frame of the window as well
    }
    let mark = if session.dirty { " *" } else { "" };
    let text = format!("{}{mark}", session.shown_title());
    let space = Rect::from_center_size(middle, Vec2::new(2.0 * half_width, row.height()));
    let mut inside = ui
        .new_child(egui::UiBuilder::new().max_rect(space).layout(Layout::top_down(Align::Center)));
    let weak = theme::tokens(ui).weak_text;
    let button = Button::new(RichText::new(text).color(weak)).truncate().frame_when_inactive(false);
    let response = inside.add(button);
    let hint = if session.note.is_empty() {
        session.texts.get(Action::EditTitle.key()).into_owned()
    } else {
        session.note.clone()
    };
    if response.on_hover_text(hint).clicked() {
        commands.push(Command::Run(Action::EditTitle));
    }
}

/// A menu item of an action, with its keys; grey if it would do nothing.
fn action_item(ui: &mut Ui, session: &Session, action: Action, commands: &mut Vec<Command>) {
    add_item(ui, session, action, Button::new(session.texts.get(action.key())), commands);
}

/// The same for an action that is in force or not.
fn checked_item(
    ui: &mut Ui,
    session: &Session,
    action: Action,
    checked: bool,
    commands: &mut Vec<Command>,
) {
    let button = Button::selectable(checked, session.texts.get(action.key()));
    add_item(ui, session, action, button, commands);
}

fn add_item(
    ui: &mut Ui,
    session: &Session,
    action: Action,
    button: Button<'_>,
    commands: &mut Vec<Command>,
) {
    let button = match shortcuts::printed(ui, action) {
        Some(keys) => button.shortcut_text(keys),
        None => button,
    };
    if ui.add_enabled(session.can_run(action), button).clicked() {
        commands.push(Command::Run(action));
        ui.close();
    }
}

/// The last part of a path, as menus show files.
#[must_use]
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

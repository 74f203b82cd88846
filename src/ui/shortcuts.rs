//! The keys of the commands: one table for menus, palette and keyboard.

use egui::{Event, Id, Key, KeyboardShortcut, Modifiers};

use super::command::Action;
use crate::plan::Choice as _;

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// Keys of a command; the first is the one that menus show.
#[must_use]
pub const fn shortcuts(action: Action) -> &'static [KeyboardShortcut] {
    match action {
        Action::New => const { &[key(CTRL, Key::N)] },
        Action::Open => const { &[key(CTRL, Key::O)] },
        Action::Save => const { &[key(CTRL, Key::S)] },
        Action::SaveAs => const { &[key(CTRL_SHIFT, Key::S)] },
        Action::EditTitle => const { &[key(Modifiers::NONE, Key::F2)] },
        Action::Quit => const { &[key(CTRL, Key::Q)] },
        Action::Undo => const { &[key(CTRL, Key::Z)] },
        Action::Redo => const { &[key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)] },
        Action::Pin => const { &[key(CTRL, Key::P)] },
        Action::Palette => const { &[key(CTRL, Key::K), key(CTRL_SHIFT, Key::P)] },
        Action::ShowMemory => const { &[key(CTRL, Key::Num1)] },
        Action::ShowThroughput => const { &[key(CTRL, Key::Num2)] },
        Action::ShowLive => const { &[key(CTRL, Key::Num3)] },
        Action::ZoomIn => const { &[key(CTRL, Key::Plus), key(CTRL, Key::Equals)] },
        Action::ZoomOut => const { &[key(CTRL, Key::Minus)] },
        Action::ZoomReset => const { &[key(CTRL, Key::Num0)] },
        Action::ToggleAdvanced => const { &[key(CTRL_SHIFT, Key::A)] },
        Action::ShowLog => const { &[key(CTRL, Key::L)] },
        Action::ShowHelp => const { &[key(Modifiers::NONE, Key::F1)] },
        Action::Unpin
        | Action::RestorePinned
        | Action::ClearRecent
        | Action::ThemeSystem
        | Action::ThemeLight
        | Action::ThemeDark
        | Action::ClearLog
        | Action::PlayRecording
        | Action::ShowAbout => &[],
    }
}

/// The keys of a command as menus print them; none if it has no keys.
#[must_use]
pub fn printed(ctx: &egui::Context, action: Action) -> Option<String> {
    shortcuts(action).first().map(|shortcut| ctx.format_shortcut(shortcut))
}

/// Takes the pressed shortcuts out of the input; those with Shift go first, as they are more particular.
#[must_use]
pub fn take_pressed(ctx: &egui::Context, text_undo: &mut TextUndo) -> Vec<Action> {
    if ctx.input(|input| input.events.is_empty()) {
        return Vec::new();
    }
    let mut pressed = Vec::new();
    for with_shift in [true, false] {
        for &action in Action::ALL {
            let undoes = matches!(action, Action::Undo | Action::Redo);
            if undoes && text_undo.belongs_to_field() {
                continue;
            }
            let mut own = shortcuts(action).iter().filter(|it| it.modifiers.shift == with_shift);
            if own.any(|it| ctx.input_mut(|input| input.consume_shortcut(it))) {
                pressed.push(action);
                text_undo.undone |= undoes;
            }
        }
    }
    pressed
}

/// Whose undo it is while a text field has the focus: the field's own once something was typed into it,
/// the plan's before.
#[derive(Debug, Default)]
pub struct TextUndo {
    /// The text field that has the focus.
    field: Option<Id>,
    /// Something was typed since it has it.
    typed: bool,
    /// The plan was changed by undo or redo in this frame.
    undone: bool,
}

impl TextUndo {
    /// Looks at the input of a frame, before any view does.
    pub fn observe(&mut self, ctx: &egui::Context) {
        let focused = ctx.memory(egui::Memory::focused).filter(|_| ctx.text_edit_focused());
        if focused != self.field {
            (self.field, self.typed) = (focused, false);
        }
        self.typed |= focused.is_some() && ctx.input(|input| input.events.iter().any(edits_text));
    }

    fn belongs_to_field(&self) -> bool {
        self.field.is_some() && self.typed
    }

    /// A number box with the focus keeps the text that it had before the undo, and would bring its
    /// value back when it loses the focus.
    pub fn forget_text_of_undone_field(&mut self, ctx: &egui::Context) {
        if std::mem::take(&mut self.undone)
            && let Some(field) = self.field
        {
            ctx.data_mut(|data| data.remove_temp::<String>(field));
        }
    }
}

fn edits_text(event: &Event) -> bool {
    match event {
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) => true,
        Event::Key { key, pressed, .. } => *pressed && matches!(key, Key::Backspace | Key::Delete),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_commands_share_a_key() {
        let mut seen = HashSet::new();
        for &action in Action::ALL {
            for shortcut in shortcuts(action) {
                assert!(seen.insert(*shortcut), "{action:?}: {shortcut:?} is taken");
            }
        }
    }
}

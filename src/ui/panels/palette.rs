//! The command palette: every command by name, found by a few of its letters.

use egui::{Align, Align2, Button, Id, Key, Modal, Modifiers, ScrollArea, TextEdit, Ui, Vec2};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};

use crate::{
    plan::{Choice as _, Group, file::Example},
    text::{Language, Texts},
    ui::{
        command::{Action, Command},
        session::Session,
        shortcuts,
    },
};

/// Width of the palette, points.
const WIDTH: f32 = 560.0;
/// Largest height of its list, points.
const LIST_HEIGHT: f32 = 380.0;
/// Distance from the top of the window, points: it stays where it is while the list changes.
const TOP: f32 = 48.0;

/// What was typed, and which line is chosen.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    query: String,
    chosen: usize,
}

/// What became of the palette in this frame.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteOutcome {
    /// It stays open.
    Open,
    /// It was closed.
    Closed,
    /// A command was chosen.
    Chosen(Command),
}

struct Item {
    text: String,
    /// What it is called in the other languages, which is searched as well.
    aliases: String,
    keys: Option<String>,
    command: Command,
}

impl Palette {
    /// Shows the palette over the window.
    pub fn show(&mut self, ui: &mut Ui, session: &Session) -> PaletteOutcome {
        let id = Id::unique("palette");
        let top = TOP.min(ui.content_rect().height() * 0.08);
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, Vec2::new(0.0, top));
        let modal = Modal::new(id).area(area).backdrop_color(crate::ui::theme::tokens(ui).backdrop);
        let response = modal.show(ui, |ui| self.content(ui, session));
        match response.inner {
            Some(command) => PaletteOutcome::Chosen(command),
            None if response.should_close() => PaletteOutcome::Closed,
            None => PaletteOutcome::Open,
        }
    }

    fn content(&mut self, ui: &mut Ui, session: &Session) -> Option<Command> {
        let room = ui.ctx().content_rect().size();
        ui.set_width(WIDTH.min(room.x - 48.0));
        let moved = self.take_arrow_keys(ui);
        let typed = self.text_field(ui, session);
        let items = found(items(ui, session), &self.query);
        if typed {
            self.chosen = 0;
        }
        self.chosen = self.chosen.min(items.len().saturating_sub(1));
        let entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let height = LIST_HEIGHT.min(room.y - 2.0 * TOP - 60.0).max(80.0);
        let clicked = self.list(ui, session, &items, height, moved || typed);
        let picked = clicked.or_else(|| entered.then_some(self.chosen))?;
        items.into_iter().nth(picked).map(|item| item.command)
    }

    /// Up and Down move the choice; taken before the text field sees them.
    fn take_arrow_keys(&mut self, ui: &Ui) -> bool {
        let presses = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (up, down) = (presses(Key::ArrowUp), presses(Key::ArrowDown));
        self.chosen = self.chosen.saturating_add(down).saturating_sub(up);
        up + down > 0
    }

    fn text_field(&mut self, ui: &mut Ui, session: &Session) -> bool {
        let name = session.texts.get("palette-field");
        let field = TextEdit::singleline(&mut self.query)
            .hint_text(name.as_ref())
            .desired_width(f32::INFINITY)
            .return_key(None);
        let response = ui.add(field).accessible_name(name);
        response.request_focus();
        response.changed()
    }

    /// The rows. The pointer chooses the row that it moves over; where it rests, it marks none.
    fn list(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        items: &[Item],
        height: f32,
        follow: bool,
    ) -> Option<usize> {
        if items.is_empty() {
            ui.weak(session.texts.get("palette-nothing"));
            return None;
        }
        let mut clicked = None;
        let moves = ui.input(|input| input.pointer.delta() != Vec2::ZERO);
        ScrollArea::vertical()
            .min_scrolled_height(height)
            .max_height(height)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                ui.with_layout(egui::Layout::top_down_justified(Align::Min), |ui| {
                    let widgets = &mut ui.visuals_mut().widgets;
                    widgets.hovered = widgets.inactive;
                    widgets.hovered.weak_bg_fill = egui::Color32::TRANSPARENT;
                    widgets.hovered.bg_stroke = egui::Stroke::NONE;
                    for (index, item) in items.iter().enumerate() {
                        let mut button = Button::selectable(index == self.chosen, &item.text);
                        button = button.right_text(item.keys.as_deref().unwrap_or_default());
                        let response = ui.add(button.truncate());
                        if index == self.chosen && follow {
                            response.scroll_to_me(None);
                        }
                        if moves && response.hovered() && index != self.chosen {
                            self.chosen = index;
                            ui.request_repaint();
                        }
                        if response.clicked() {
                            clicked = Some(index);
                        }
                    }
                });
            });
        clicked
    }
}

/// Everything that can be done now.
fn items(ctx: &egui::Context, session: &Session) -> Vec<Item> {
    let texts = &session.texts;
    let others: Vec<Texts> = Language::ALL
        .iter()
        .filter(|&&language| language != texts.language())
        .map(|&language| Texts::new(language))
        .collect();
    let aliases =
        |text: &dyn Fn(&Texts) -> String| others.iter().map(text).collect::<Vec<_>>().join(" ");
    let actions = Action::ALL.iter().copied();
    let actions = actions.filter(|&action| action != Action::Palette && session.can_run(action));
    let actions = actions.map(|action| Item {
        text: texts.get(action.key()).into_owned(),
        aliases: aliases(&|texts| texts.get(action.key()).into_owned()),
        keys: shortcuts::printed(ctx, action),
        command: Command::Run(action),
    });
    let examples = session.examples().iter().enumerate().map(|(index, example)| Item {
        text: example_text(texts, example),
        // Whoever looks for examples in general finds them as well.
        aliases: aliases(&|texts| {
            format!("{} {}", texts.get("menu-examples"), example_text(texts, example))
        }),
        keys: None,
        command: Command::OpenExample(index),
    });
    let reset = |texts: &Texts, group: Group| {
        texts.with("palette-reset", &[("group", &*texts.get(group.key()))])
    };
    let resets = Group::ALL.iter().map(|&group| Item {
        text: reset(texts, group),
        aliases: aliases(&|texts| reset(texts, group)),
        keys: None,
        command: Command::ResetGroup(group),
    });
    let languages = Language::ALL.iter().map(|&language| Item {
        text: texts.with("palette-language", &[("language", language.name())]),
        // Its name in every language: whoever cannot read the interface looks for his own.
        aliases: Language::ALL.iter().map(|&other| named(&Texts::new(other), language)).collect(),
        keys: None,
        command: Command::SetLanguage(language),
    });
    actions.chain(examples).chain(resets).chain(languages).collect()
}

/// "Example: …", in the language of the texts.
fn example_text(texts: &Texts, example: &Example) -> String {
    texts.with("palette-example", &[("title", &*texts.get(example.title_key))])
}

/// "Language: Simplified Chinese", in the language of the texts.
fn named(texts: &Texts, language: Language) -> String {
    let key = match language {
        Language::English => "language-english",
        Language::SimplifiedChinese => "language-chinese",
    };
    texts.with("palette-language", &[("language", &texts.get(key))]) + " "
}

/// The items that have what was typed in them, the best first; all of them if nothing was typed.
fn found(items: Vec<Item>, query: &str) -> Vec<Item> {
    if query.trim().is_empty() {
        return items;
    }
    let pattern = Pattern::parse(query, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut scored: Vec<((u32, bool), Item)> = items
        .into_iter()
        .filter_map(|item| {
            let mut score =
                |text: &str| pattern.score(Utf32Str::new(text, &mut buffer), &mut matcher);
            // Of equally good ones, what is on the screen comes before what is not.
            let (own, alias) = (score(&item.text), score(&item.aliases));
            let rank = own.map(|score| (score, true)).max(alias.map(|score| (score, false)));
            rank.map(|rank| (rank, item))
        })
        .collect();
    scored.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    scored.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Item {
        let (text, aliases) = (text.to_owned(), String::new());
        Item { text, aliases, keys: None, command: Command::Run(Action::New) }
    }

    #[test]
    fn a_few_letters_find_a_command() {
        let items = vec![item("Open…"), item("Save as…"), item("Dark theme")];
        let texts: Vec<_> = found(items, "drk").into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["Dark theme"]);
    }

    #[test]
    fn a_language_is_found_by_its_name_in_any_language() {
        for query in ["language chinese", "language 简体", "语言 中文", "英文"] {
            let session = Session::for_test();
            let first = found(items(&egui::Context::default(), &session), query).into_iter().next();
            let command = first.map(|item| item.command);
            assert!(matches!(command, Some(Command::SetLanguage(_))), "{query}: {command:?}");
        }
    }

    #[test]
    fn nothing_typed_shows_everything() {
        assert_eq!(found(vec![item("a"), item("b")], " ").len(), 2);
    }
}

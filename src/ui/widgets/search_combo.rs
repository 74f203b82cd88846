//! A combo box over a catalogue: a search field above a list that stays quick with hundreds of rows.

use std::cmp::Reverse;

use egui::{
    Atom, AtomExt as _, Button, Id, Key, Modifiers, Popup, PopupCloseBehavior, Response, RichText,
    Role, ScrollArea, Shape, TextEdit, Ui, Vec2, WidgetInfo, vec2,
};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{AtomKind, CaseMatching, Normalization, Pattern},
};

use super::field_row::RowLabel;

/// Width of the list, points: a long name and its figures.
const LIST_WIDTH: f32 = 400.0;
/// Rows that are in sight at once.
const ROWS_IN_SIGHT: u8 = 12;

/// What can be chosen.
pub trait Entries {
    /// How many there are.
    fn count(&self) -> usize;

    /// Name of one of them.
    fn name(&self, index: usize) -> &str;

    /// Its figures, at the right end of its row.
    fn detail(&self, index: usize) -> String;

    /// Adds everything the search looks at.
    fn search_text(&self, index: usize, text: &mut String);

    /// A row below the others that answers the words themselves, such as a model of the size typed.
    fn answer_to(&self, query: &str) -> Option<String>;
}

/// What a person chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// An entry.
    Entry(usize),
    /// The row that answers the words, see [`Entries::answer_to`].
    Answer(String),
}

/// The words of the list.
#[derive(Clone, Copy, Debug)]
pub struct SearchTexts<'a> {
    /// Shown in the empty search field; also its name.
    pub prompt: &'a str,
    /// Shown when nothing matches.
    pub nothing_found: &'a str,
}

/// The list while it is open.
#[derive(Clone, Default)]
struct Search {
    query: String,
    matches: Vec<usize>,
    cursor: usize,
    scroll_to_cursor: bool,
}

/// A button with the name in use, which opens the list.
pub fn search_combo(
    ui: &mut Ui,
    label: &RowLabel<'_>,
    selected_text: &str,
    selected: Option<usize>,
    entries: &impl Entries,
    texts: SearchTexts<'_>,
) -> Option<Picked> {
    let button = combo_button(ui, selected_text);
    label.describe(&button);
    let state_id = button.id.with("search");
    if !Popup::is_id_open(ui.ctx(), Popup::default_response_id(&button)) && !button.clicked() {
        ui.data_mut(|data| data.remove_temp::<Search>(state_id));
    }
    let mut picked = None;
    Popup::from_toggle_button_response(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .width(LIST_WIDTH)
        .accessible_name(texts.prompt)
        .show(|ui| {
            ui.set_width(LIST_WIDTH);
            picked = list_ui(ui, state_id, selected, entries, texts);
            if picked.is_some() {
                ui.close();
            }
        });
    if picked.is_some() {
        button.request_focus();
    }
    picked
}

/// Looks like a combo box and says so.
fn combo_button(ui: &mut Ui, text: &str) -> Response {
    let arrow = Atom::paint(Vec2::splat(ui.spacing().icon_width), |ui: &Ui, args| {
        let area = egui::Rect::from_center_size(
            args.rect.center(),
            vec2(args.rect.width() * 0.7, args.rect.height() * 0.45),
        );
        ui.painter().add(Shape::rotated_triangle(area, 0.0, ui.visuals().text_color()));
    })
    .atom_grow(true)
    .atom_align(egui::Align2::RIGHT_CENTER);
    let width = ui.available_width();
    let response = ui.add(Button::new((text, arrow)).truncate().min_size(vec2(width, 0.0)));
    response.widget_info(|| {
        let mut info = WidgetInfo::new(Role::ComboBox);
        info.enabled = ui.is_enabled();
        info.current_text_value = Some(text.to_owned());
        info
    });
    response
}

fn list_ui(
    ui: &mut Ui,
    state_id: Id,
    selected: Option<usize>,
    entries: &impl Entries,
    texts: SearchTexts<'_>,
) -> Option<Picked> {
    let stored = ui.data_mut(|data| data.remove_temp::<Search>(state_id));
    let just_opened = stored.is_none();
    let mut search = stored.unwrap_or_else(|| Search {
        matches: (0..entries.count()).collect(),
        cursor: selected.unwrap_or(0),
        scroll_to_cursor: true,
        ..Search::default()
    });
    // Before the text field, which would take the keys for its own cursor.
    let confirmed = take_keys(ui, &mut search);
    let field = TextEdit::singleline(&mut search.query)
        .id(state_id.with("words"))
        .hint_text(texts.prompt)
        .desired_width(f32::INFINITY);
    let field = ui.add(field).accessible_name(texts.prompt);
    if just_opened {
        field.request_focus();
    }
    if field.changed() {
        search.matches = ranked(entries, &search.query);
        search.cursor = 0;
        search.scroll_to_cursor = true;
    }
    let answer = entries.answer_to(&search.query);
    let rows = search.matches.len() + usize::from(answer.is_some());
    search.cursor = search.cursor.min(rows.saturating_sub(1));
    let mut picked = confirmed.then_some(search.cursor).filter(|&row| row < rows);
    if rows == 0 {
        ui.weak(texts.nothing_found);
    } else if let Some(clicked) = rows_ui(ui, &mut search, entries, answer.as_deref(), rows) {
        picked = Some(clicked);
    }
    let choice = picked.and_then(|row| match search.matches.get(row) {
        Some(&index) => Some(Picked::Entry(index)),
        None => answer.map(|_| Picked::Answer(search.query.clone())),
    });
    ui.data_mut(|data| data.insert_temp(state_id, search));
    choice
}

/// Arrow keys move the cursor; Enter confirms.
fn take_keys(ui: &Ui, search: &mut Search) -> bool {
    ui.input_mut(|input| {
        let page = usize::from(ROWS_IN_SIGHT);
        let mut take = |key| input.count_and_consume_key(Modifiers::NONE, key);
        let down = take(Key::ArrowDown) + take(Key::PageDown) * page;
        let up = take(Key::ArrowUp) + take(Key::PageUp) * page;
        search.cursor = (search.cursor + down).saturating_sub(up);
        search.scroll_to_cursor |= down + up > 0;
        take(Key::Enter) > 0
    })
}

/// The rows in sight; returns the one that was clicked.
fn rows_ui(
    ui: &mut Ui,
    search: &mut Search,
    entries: &impl Entries,
    answer: Option<&str>,
    rows: usize,
) -> Option<usize> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical()
        .auto_shrink([false, true])
        .max_height(height * f32::from(ROWS_IN_SIGHT));
    if std::mem::take(&mut search.scroll_to_cursor) {
        // Keeps the cursor off the edges, so that a person sees what comes next.
        let above = search.cursor.saturating_sub(usize::from(ROWS_IN_SIGHT / 2));
        area = area.vertical_scroll_offset(height * above as f32);
    }
    let mut clicked = None;
    area.show_rows(ui, height, rows, |ui, in_sight| {
        for row in in_sight {
            let entry = search.matches.get(row).copied();
            let name = entry.map_or(answer.unwrap_or_default(), |index| entries.name(index));
            let detail = entry.map(|index| entries.detail(index)).unwrap_or_default();
            if row_ui(ui, row == search.cursor, name, &detail, height) {
                clicked = Some(row);
            }
        }
    });
    clicked
}

fn row_ui(ui: &mut Ui, at_cursor: bool, name: &str, detail: &str, height: f32) -> bool {
    let figures = RichText::new(detail).small();
    let figures = if at_cursor { figures } else { figures.weak() };
    let button = Button::selectable(at_cursor, name)
        .right_text(figures)
        .truncate()
        .min_size(vec2(ui.available_width(), height));
    let response = ui.add(button);
    response.widget_info(|| {
        WidgetInfo::selected(Role::ListBoxOption, ui.is_enabled(), at_cursor, name)
    });
    response.clicked()
}

/// Entries that hold every word, the best first; where none does and no answer
/// to the words is offered, those that come close.
fn ranked(entries: &impl Entries, query: &str) -> Vec<usize> {
    if query.trim().is_empty() {
        return (0..entries.count()).collect();
    }
    let exact = matching(entries, query, AtomKind::Substring);
    if exact.is_empty() && entries.answer_to(query).is_none() {
        matching(entries, query, AtomKind::Fuzzy)
    } else {
        exact
    }
}

fn matching(entries: &impl Entries, query: &str, kind: AtomKind) -> Vec<usize> {
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, kind);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let (mut text, mut letters) = (String::new(), Vec::new());
    let mut found: Vec<_> = (0..entries.count())
        .filter_map(|index| {
            text.clear();
            entries.search_text(index, &mut text);
            let score = pattern.score(Utf32Str::new(&text, &mut letters), &mut matcher)?;
            // Of equals, the plain name before its variants: "RTX 4090" before "RTX 4090 Laptop GPU".
            Some((Reverse(score), entries.name(index).len(), index))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, _, index)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Names(&'static [&'static str]);

    impl Entries for Names {
        fn count(&self) -> usize {
            self.0.len()
        }
        fn name(&self, index: usize) -> &str {
            self.0.get(index).copied().unwrap_or_default()
        }
        fn detail(&self, _index: usize) -> String {
            String::new()
        }
        fn search_text(&self, index: usize, text: &mut String) {
            text.push_str(self.name(index));
        }
        fn answer_to(&self, _query: &str) -> Option<String> {
            None
        }
    }

    const CARDS: Names = Names(&[
        "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 4090",
        "NVIDIA H100 80GB HBM3",
    ]);

    #[test]
    fn every_word_must_be_there_and_the_plain_name_comes_first() {
        assert_eq!(ranked(&CARDS, "rtx 4090"), [1, 0], "words in any case");
        assert_eq!(ranked(&CARDS, "80 h100"), [2], "words in any order");
    }

    #[test]
    fn a_slip_of_the_finger_still_finds_something() {
        assert_eq!(ranked(&CARDS, "h10"), [2], "a beginning");
        assert_eq!(ranked(&CARDS, "nvidah100"), [2], "letters left out");
        assert!(ranked(&CARDS, "zebra").is_empty(), "nothing for what is not there");
    }
}

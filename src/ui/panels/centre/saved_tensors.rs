//! Every tensor that one block saves for backward: a list that a person can unfold.

use egui::{Align, Button, Id, Response, RichText, Role, Sense, Ui, WidgetInfo};

use super::table::{Columns, NumberColumn, Row, Rows, note, table};
use crate::{
    memory::{Part, SavedBlock, SavedRow, params::LayerKind},
    plan::Choice as _,
    text::Texts,
    ui::{
        session::{Ready, Session},
        theme::{bold, focus_frame, part_color, tokens},
        widgets::{segment::tip, segmented::segmented},
    },
    units::{Bytes, grouped},
};

const COLUMNS: Columns<'static> = Columns {
    swatches: true,
    name_title: "saved-column-tensor",
    name_width: 190.0,
    numbers: &[
        NumberColumn { title: "saved-column-shape", width: 66.0 },
        NumberColumn { title: "saved-column-elements", width: 122.0 },
        NumberColumn { title: "saved-column-bytes", width: 34.0 },
        NumberColumn { title: "saved-column-size", width: 78.0 },
    ],
    last_title: "saved-column-kept",
};

/// What the section remembers between frames.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// The list is unfolded.
    open: bool,
    /// Scroll to it in the next frame.
    reveal: bool,
    /// Kind of block whose list is shown, where the model has both.
    kind: LayerKind,
}

impl State {
    fn id() -> Id {
        Id::unique("saved tensors of a block")
    }

    fn load(ui: &Ui) -> Self {
        ui.data(|data| data.get_temp(Self::id())).unwrap_or_default()
    }

    fn store(self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(Self::id(), self));
    }
}

/// A link that unfolds the list, for the details of the parts that it is about.
pub fn link(ui: &mut Ui, session: &Session, ready: &Ready, part: Part) {
    let is_saved = ready.saved.blocks.iter().flat_map(|block| &block.rows);
    if !is_saved.into_iter().any(|row| row.tensor.part == part) {
        return;
    }
    if ui.link(session.texts.get("saved-link")).clicked() {
        State { open: true, reveal: true, ..State::load(ui) }.store(ui);
    }
}

/// The section: heading with its sums, and the list if it is unfolded. Nothing for serving.
pub fn saved_tensors(ui: &mut Ui, session: &Session, ready: &Ready) {
    let Some(first) = ready.saved.blocks.first() else { return };
    let mut state = State::load(ui);
    let block = ready.saved.blocks.iter().find(|block| block.kind == state.kind).unwrap_or(first);
    ui.add_space(12.0);
    let heading = heading_row(ui, session, block, state.open);
    if std::mem::take(&mut state.reveal) {
        heading.scroll_to_me(Some(Align::TOP));
    }
    if heading.clicked() {
        state.open = !state.open;
        // What is unfolded below the window's edge would not be seen.
        state.reveal = state.open;
    }
    if state.open {
        list(ui, session, ready, block, &mut state.kind);
    }
    state.store(ui);
}

/// Title, fold mark, and what the block keeps and recomputes.
fn heading_row(ui: &mut Ui, session: &Session, block: &SavedBlock, open: bool) -> Response {
    let texts = &session.texts;
    ui.horizontal_wrapped(|ui| {
        let name = texts.get("saved-title");
        let triangle = RichText::new(if open { "▼" } else { "▶" }).size(8.0).weak();
        let response = ui.add(Button::new((bold(ui, name.as_ref()), triangle)).frame(false));
        focus_frame(ui, &response);
        response.widget_info(|| {
            WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), open, &name)
        });
        let (kept, again) = (block.total(true).to_string(), block.total(false));
        let sums = if again == Bytes::ZERO {
            texts.with("saved-sum", &[("kept", &kept)])
        } else {
            texts.with("saved-sums", &[("kept", &kept), ("again", &again.to_string())])
        };
        ui.label(RichText::new(sums).small().color(tokens(ui).weak_text));
        response
    })
    .inner
}

fn list(ui: &mut Ui, session: &Session, ready: &Ready, block: &SavedBlock, kind: &mut LayerKind) {
    let texts = &session.texts;
    if ready.saved.blocks.len() > 1 {
        *kind = block.kind;
        segmented(ui, texts, kind);
        ui.add_space(4.0);
    }
    table(ui, &COLUMNS, texts, |rows| {
        let split = block.rows.partition_point(|row| row.kept);
        let (kept, again) = block.rows.split_at_checked(split).unwrap_or_default();
        for (index, row) in kept.iter().enumerate() {
            tensor_row(rows, texts, ready.saved.tokens, (index, row));
        }
        sum_row(
            rows,
            texts,
            ("saved-kept-sum", "saved-kept-sum-why"),
            block.total(true).to_string(),
        );
        if again.is_empty() {
            return;
        }
        for (index, row) in again.iter().enumerate() {
            tensor_row(rows, texts, ready.saved.tokens, (split + index, row));
        }
        let size = block.total(false).to_string();
        sum_row(rows, texts, ("saved-again-sum", "saved-again-sum-why"), size);
    });
    ui.add_space(4.0);
    let tokens = grouped(ready.saved.tokens as f64, 0);
    note(ui, &texts.with("saved-note", &[("tokens", &tokens)]));
    for key in &ready.saved.notes {
        note(ui, &texts.get(key));
    }
}

/// One tensor, or several equal ones.
fn tensor_row(rows: &mut Rows<'_>, texts: &Texts, tokens: u64, (index, saved): (usize, &SavedRow)) {
    let name = texts.get(saved.tensor.name);
    let (shape, elements) = (saved.shape_in_symbols(), saved.shape_in_numbers(tokens));
    let (each, size) = (saved.tensor.bytes.to_string(), saved.bytes.to_string());
    let last = kept_and_divided(texts, saved);
    let sentence = texts.with(
        "saved-row",
        &[
            ("name", &name),
            ("size", &size),
            ("shape", &shape),
            ("elements", &elements),
            ("bytes", &each),
            ("last", &last),
        ],
    );
    let content = Row {
        salt: index,
        swatch: Some(part_color(saved.tensor.part)),
        name: name.to_string(),
        numbers: vec![shape, elements, each, size],
        last,
        sentence,
        ..Row::default()
    };
    let response = rows.add(&content, Sense::hover());
    tip(&response, |ui| tensor_tip(ui, texts, tokens, saved));
}

/// "tensor ÷ 8 · kept · Attention activations": the part in words beside the swatch's colour.
fn kept_and_divided(texts: &Texts, saved: &SavedRow) -> String {
    let kept = texts.get(if saved.kept { "saved-kept" } else { "saved-again" });
    let split = texts.get(saved.tensor.split.key());
    let divided = if saved.tensor.split.divides() {
        let ranks = saved.ranks.to_string();
        texts.with("saved-divided", &[("axis", &split), ("ranks", &ranks)])
    } else {
        split.into_owned()
    };
    let part = texts.get(saved.tensor.part.key());
    let args = [("kept", kept.as_ref()), ("divided", divided.as_str()), ("part", part.as_ref())];
    texts.with("saved-kept-and-divided", &args)
}

/// Why it is there, its size with the numbers put in, and what divides it.
fn tensor_tip(ui: &mut Ui, texts: &Texts, tokens: u64, saved: &SavedRow) {
    let tensor = &saved.tensor;
    ui.label(bold(ui, texts.get(tensor.name)));
    if let Some(hint) = texts.hint(tensor.name) {
        ui.label(hint);
    }
    ui.separator();
    ui.label(RichText::new(saved.size_in_numbers(tokens)).monospace());
    let weak = |ui: &mut Ui, text: &str| {
        ui.label(RichText::new(text).small().color(crate::ui::theme::tokens(ui).weak_text));
    };
    weak(ui, &texts.get(tensor.part.key()));
    let hints = [if saved.kept { "saved-kept" } else { "saved-again" }, tensor.split.key()];
    for hint in hints.into_iter().filter_map(|key| texts.hint(key)) {
        weak(ui, hint);
    }
}

fn sum_row(rows: &mut Rows<'_>, texts: &Texts, (key, why_key): (&str, &str), size: String) {
    let (name, why) = (texts.get(key), texts.get(why_key));
    let sentence = texts.with("table-total-row", &[("name", &name), ("size", &size)]);
    let nothing = String::new;
    let content = Row {
        name: name.to_string(),
        numbers: vec![nothing(), nothing(), nothing(), size],
        last: why.to_string(),
        sentence,
        strong: true,
        ..Row::default()
    };
    rows.add(&content, Sense::hover()).on_hover_text_at_pointer(why.as_ref());
}

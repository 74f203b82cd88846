//! The numbers of the bar as a table, with the reason for each; a click opens the details.

use egui::{Sense, Ui};

use super::{
    explain_popup,
    table::{Columns, NumberColumn, Row, Rows, table},
};
use crate::{
    memory::{Part, StageMemory},
    plan::Choice as _,
    ui::{
        session::{Ready, Session},
        theme::{bold, part_color},
        widgets::{
            segment::tip,
            term_view::{terms_tip, why_line},
        },
    },
    units::{Bytes, percent, signed_gib},
};

const GIB: NumberColumn = NumberColumn { title: "table-gib", width: 66.0 };
const SHARE: NumberColumn = NumberColumn { title: "table-share", width: 50.0 };
const PINNED: NumberColumn = NumberColumn { title: "table-pinned", width: 70.0 };

/// The parts of one stage at its peak.
pub fn part_table(
    ui: &mut Ui,
    session: &Session,
    ready: &Ready,
    shown: &StageMemory,
    pinned: Option<&StageMemory>,
) {
    let with_pinned = [GIB, SHARE, PINNED];
    let without = [GIB, SHARE];
    let columns = Columns {
        swatches: true,
        name_title: "table-part",
        name_width: 150.0,
        numbers: if pinned.is_some() { &with_pinned } else { &without },
        last_title: "table-why",
    };
    let explained = explain_popup::explained_part(ui, shown);
    let mut clicked = None;
    table(ui, &columns, &session.texts, |rows| {
        for &part in Part::ALL {
            let is_there = shown.parts.get(part) > Bytes::ZERO
                || pinned.is_some_and(|pinned| pinned.parts.get(part) > Bytes::ZERO);
            let selected = explained == Some(part);
            if is_there && part_row(rows, session, ready, (shown, pinned), (part, selected)) {
                clicked = Some(part);
            }
        }
        totals(rows, session, shown, pinned);
    });
    if clicked.is_some() {
        explain_popup::set_explained_part(ui, clicked.filter(|part| explained != Some(*part)));
    }
}

/// One part; whether it was clicked.
fn part_row(
    rows: &mut Rows<'_>,
    session: &Session,
    ready: &Ready,
    (shown, pinned): (&StageMemory, Option<&StageMemory>),
    (part, selected): (Part, bool),
) -> bool {
    let texts = &session.texts;
    let bytes = shown.parts.get(part);
    let name = texts.get(part.key());
    let why = why_line(texts, ready.detail.explanation.of(part));
    let (size, share) = (bytes.to_string(), percent(bytes.share_of(shown.total())));
    let sentence = texts
        .with("table-row", &[("part", &name), ("size", &size), ("share", &share), ("why", &why)]);
    let content = Row {
        swatch: Some(part_color(part)),
        name: name.to_string(),
        numbers: numbers(bytes, shown.total(), pinned.map(|pinned| pinned.parts.get(part))),
        last: why,
        sentence,
        selected,
        ..Row::default()
    };
    let response = rows.add(&content, Sense::click());
    tip(&response, |ui| {
        ui.label(bold(ui, format!("{name} {size}, {share}")));
        if let Some(hint) = texts.hint(part.key()) {
            ui.label(hint);
        }
        terms_tip(ui, texts, ready.detail.explanation.of(part));
    });
    response.clicked()
}

/// GiB, share and, with a pinned plan, the difference.
fn numbers(bytes: Bytes, total: Bytes, pinned: Option<Bytes>) -> Vec<String> {
    let mut numbers = vec![bytes.gib_cell(), percent(bytes.share_of(total))];
    numbers.extend(pinned.map(|pinned| signed_gib(bytes.gib_above(pinned))));
    numbers
}

fn totals(
    rows: &mut Rows<'_>,
    session: &Session,
    shown: &StageMemory,
    pinned: Option<&StageMemory>,
) {
    let lines = [
        (
            "table-live",
            "table-live-why",
            shown.parts.live(),
            pinned.map(|pinned| pinned.parts.live()),
            false,
        ),
        ("table-total", "table-total-why", shown.total(), pinned.map(StageMemory::total), true),
    ];
    for (key, why_key, bytes, before, strong) in lines {
        let (name, why) = (session.texts.get(key), session.texts.get(why_key));
        let sentence =
            session.texts.with("table-total-row", &[("name", &name), ("size", &bytes.to_string())]);
        let content = Row {
            name: name.to_string(),
            numbers: numbers(bytes, shown.total(), before),
            last: why.to_string(),
            sentence,
            strong,
            ..Row::default()
        };
        rows.add(&content, Sense::hover()).on_hover_text_at_pointer(why.as_ref());
    }
}

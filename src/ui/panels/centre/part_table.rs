//! The numbers of the bar as a table, with the reason for each; a click opens the details.

use egui::{RichText, Sense, Ui};

use super::{
    explain_popup,
    rows::{Columns, NumberColumn, Row, header, row},
};
use crate::{
    memory::{Part, StageMemory},
    plan::Choice as _,
    ui::{
        session::{Ready, Session},
        theme::part_color,
        widgets::{
            segment::tip,
            term_view::{terms_tip, why_line},
        },
    },
    units::{Bytes, grouped, percent, signed_gib},
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
        name_title: "table-part",
        name_width: 150.0,
        numbers: if pinned.is_some() { &with_pinned } else { &without },
        last_title: "table-why",
    };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        header(ui, &columns, &session.texts);
        for &part in Part::ALL {
            let is_there = shown.parts.get(part) > Bytes::ZERO
                || pinned.is_some_and(|pinned| pinned.parts.get(part) > Bytes::ZERO);
            if is_there {
                part_row(ui, session, ready, &columns, (shown, pinned), part);
            }
        }
        totals(ui, session, &columns, shown, pinned);
    });
}

fn part_row(
    ui: &mut Ui,
    session: &Session,
    ready: &Ready,
    columns: &Columns<'_>,
    (shown, pinned): (&StageMemory, Option<&StageMemory>),
    part: Part,
) {
    let texts = &session.texts;
    let bytes = shown.parts.get(part);
    let name = texts.get(part.key());
    let why = why_line(texts, ready.detail.explanation.of(part));
    let numbers = numbers(bytes, shown.total(), pinned.map(|pinned| pinned.parts.get(part)));
    let (size, share) = (bytes.to_string(), percent(bytes.share_of(shown.total())));
    let selected = explain_popup::explained_part(ui, shown) == Some(part);
    let sentence = texts
        .with("table-row", &[("part", &name), ("size", &size), ("share", &share), ("why", &why)]);
    let content = Row {
        swatch: Some(part_color(part)),
        name: name.to_string(),
        numbers,
        last: why,
        sentence,
        selected,
        ..Row::default()
    };
    let response = row(ui, columns, &content, Sense::click());
    if response.clicked() {
        explain_popup::set_explained_part(ui, if selected { None } else { Some(part) });
    }
    tip(&response, |ui| {
        ui.label(RichText::new(format!("{name} {size}, {share}")).strong());
        if let Some(hint) = texts.hint(part.key()) {
            ui.label(hint);
        }
        terms_tip(ui, texts, ready.detail.explanation.of(part));
    });
}

/// GiB, share and, with a pinned plan, the difference.
fn numbers(bytes: Bytes, total: Bytes, pinned: Option<Bytes>) -> Vec<String> {
    let mut numbers = vec![grouped(bytes.gib(), 2), percent(bytes.share_of(total))];
    numbers.extend(pinned.map(|pinned| signed_gib(bytes.gib_above(pinned))));
    numbers
}

fn totals(
    ui: &mut Ui,
    session: &Session,
    columns: &Columns<'_>,
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
        row(ui, columns, &content, Sense::hover()).on_hover_text(why.as_ref());
    }
}

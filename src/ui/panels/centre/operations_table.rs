//! The operations of a step as a table, for those who do not see the roofline's plot.

use egui::{Sense, Ui};

use super::table::{Columns, NumberColumn, Row, Rows, row_tip, table};
use crate::{
    plan::Choice as _,
    throughput::Operation,
    ui::session::{Ready, Session},
    units::{Flops, Secs, grouped, percent},
};

/// Stands where an operation has no arithmetic that is counted.
const NOTHING: &str = "—";

const COLUMNS: Columns<'static> = Columns {
    swatches: false,
    name_title: "operations-name",
    name_width: 150.0,
    numbers: &[
        NumberColumn { title: "operations-time", width: 66.0 },
        NumberColumn { title: "table-share", width: 44.0 },
        NumberColumn { title: "operations-flops", width: 64.0 },
        NumberColumn { title: "operations-bytes", width: 84.0 },
        NumberColumn { title: "operations-bandwidth", width: 58.0 },
        NumberColumn { title: "operations-intensity", width: 70.0 },
    ],
    last_title: "operations-bound",
};

/// The operations as a table, for those who do not see the plot.
pub fn operations_table(ui: &mut Ui, session: &Session, ready: &Ready) {
    let operations = &ready.estimate.speed.operations;
    let whole: Secs = operations.iter().map(|operation| operation.time).sum();
    table(ui, &COLUMNS, &session.texts, |rows| {
        for operation in operations {
            operation_row(rows, session, operation, whole);
        }
    });
}

fn operation_row(rows: &mut Rows<'_>, session: &Session, operation: &Operation, whole: Secs) {
    let texts = &session.texts;
    let name = texts.get(operation.class.key());
    let bound = texts.get(operation.bound.key());
    let share = percent(operation.time.0 / whole.0.max(f64::MIN_POSITIVE));
    let intensity = operation
        .intensity()
        .filter(|intensity| *intensity > 0.0)
        .map_or_else(|| NOTHING.to_owned(), |intensity| grouped(intensity, 1));
    let bandwidth = operation
        .achieved_bandwidth()
        .filter(|rate| rate.0 > 0.0)
        .map_or_else(|| NOTHING.to_owned(), |rate| grouped(rate.giga(), 0));
    let time = operation.time.to_string();
    let args = [
        ("name", name.as_ref()),
        ("time", time.as_str()),
        ("share", share.as_str()),
        ("bound", bound.as_ref()),
    ];
    let moved = texts.with("value-gib", &[("amount", &operation.bytes.gib_cell())]);
    let content = Row {
        name: name.to_string(),
        sentence: texts.with("operations-row", &args),
        numbers: vec![time, share, tera(operation.flops), moved, bandwidth, intensity],
        last: bound.to_string(),
        ..Row::default()
    };
    let hint = texts.hint(operation.class.key()).unwrap_or_default();
    let response = rows.add(&content, Sense::hover());
    row_tip(&response, texts, &content, hint, &COLUMNS);
}

/// Work in units of 10^12 operations, with as many decimals as say something.
fn tera(work: Flops) -> String {
    if work.0 == 0.0 {
        return NOTHING.to_owned();
    }
    let tera = work.0 / 1e12;
    let decimals = if tera >= 100.0 {
        0
    } else if tera >= 1.0 {
        1
    } else {
        4
    };
    grouped(tera, decimals)
}

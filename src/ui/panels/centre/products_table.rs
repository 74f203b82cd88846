//! The matrix products of one forward pass by shape, folded away until someone asks.

use egui::{CollapsingHeader, Sense, Ui};

use super::table::{Columns, NumberColumn, Row, Rows, note, row_tip, table};
use crate::{
    plan::Choice as _,
    throughput::ProductShape,
    ui::session::{Ready, Session},
    units::grouped,
};

const COLUMNS: Columns<'static> = Columns {
    swatches: false,
    name_title: "products-name",
    name_width: 190.0,
    numbers: &[
        NumberColumn { title: "products-rows", width: 66.0 },
        NumberColumn { title: "products-inputs", width: 60.0 },
        NumberColumn { title: "products-outputs", width: 66.0 },
        NumberColumn { title: "products-copies", width: 54.0 },
        NumberColumn { title: "operations-time", width: 66.0 },
        NumberColumn { title: "products-rate", width: 62.0 },
    ],
    last_title: "operations-bound",
};

/// The products of a block and of the head.
pub fn products_table(ui: &mut Ui, session: &Session, ready: &Ready) {
    let products = &ready.speed_explanation.products;
    if products.is_empty() {
        return;
    }
    let title = session.texts.get("products-title");
    CollapsingHeader::new(title.as_ref()).id_salt("products").show(ui, |ui| {
        note(ui, &session.texts.get("products-note"));
        table(ui, &COLUMNS, &session.texts, |rows| {
            for product in products {
                product_row(rows, session, product);
            }
        });
    });
}

fn product_row(rows: &mut Rows<'_>, session: &Session, product: &ProductShape) {
    let texts = &session.texts;
    let name = texts.get(product.kind.key());
    let bound = texts.get(product.cost.bound.key());
    let numbers = [product.rows, product.inputs, product.outputs, product.copies].map(whole);
    let [row_count, inputs, outputs, copies] = numbers;
    let time = product.cost.time.to_string();
    let rate = product.cost.achieved().map_or_else(String::new, |rate| grouped(rate.tera(), 1));
    let args = [
        ("name", name.as_ref()),
        ("rows", row_count.as_str()),
        ("inputs", inputs.as_str()),
        ("outputs", outputs.as_str()),
        ("time", time.as_str()),
        ("bound", bound.as_ref()),
    ];
    let content = Row {
        name: name.to_string(),
        sentence: texts.with("products-row", &args),
        numbers: vec![row_count, inputs, outputs, copies, time, rate],
        last: bound.to_string(),
        ..Row::default()
    };
    let response = rows.add(&content, Sense::hover());
    row_tip(&response, texts, &content, "", &COLUMNS);
}

/// Experts share tokens unevenly in print only: below ten, one decimal says so.
fn whole(number: f64) -> String {
    grouped(number, usize::from(number < 10.0 && number.fract() > 0.05))
}

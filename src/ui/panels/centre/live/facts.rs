//! Everything the sensors of the selected GPU say, as small cells.

use egui::{Grid, Label, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};

use super::cells::reading_label;
use crate::{
    monitor::{GpuSample, LinkTraffic, MigInstance, ProcessSample, Reading},
    text::Texts,
    ui::{live::words::Shown, session::Session, theme::tokens},
    units::grouped,
};

/// Least width of a cell, points.
const CELL_WIDTH: f32 = 148.0;
/// Height of a cell: its name and its value, points.
const CELL_HEIGHT: f32 = 36.0;
/// Distance between two cells, points.
const GAP: f32 = 10.0;

/// A cell: name and value, over one or more columns.
struct Fact {
    key: &'static str,
    shown: Shown,
    columns: usize,
}

/// The sensors, in columns as the room allows.
pub fn facts(ui: &mut Ui, session: &Session, gpu: &GpuSample) {
    let facts = list(&session.texts, gpu);
    let room = ui.available_width();
    let columns = column_count(room);
    let width = (room + GAP) / columns as f32 - GAP;
    let mut row = Vec::new();
    let mut taken = 0;
    for fact in &facts {
        let span = fact.columns.min(columns);
        if taken + span > columns {
            show_row(ui, session, &row, width);
            (taken, row) = (0, Vec::new());
        }
        row.push((taken, span, fact));
        taken += span;
    }
    show_row(ui, session, &row, width);
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few columns; float to integer casts saturate"
)]
fn column_count(room: f32) -> usize {
    (((room + GAP) / (CELL_WIDTH + GAP)) as usize).max(1)
}

fn show_row(ui: &mut Ui, session: &Session, row: &[(usize, usize, &Fact)], width: f32) {
    let room = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(room, CELL_HEIGHT), Sense::hover());
    for (column, span, fact) in row {
        let left = rect.left() + (width + GAP) * *column as f32;
        let cell_width = (width + GAP) * *span as f32 - GAP;
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(cell_width, CELL_HEIGHT));
        let mut cell = ui.new_child(UiBuilder::new().max_rect(place));
        cell.spacing_mut().item_spacing.y = 0.0;
        let name = session.texts.get(fact.key);
        let caption = RichText::new(name.as_ref()).small().color(tokens(ui).weak_text);
        let label = cell.add(Label::new(caption).truncate().selectable(false));
        if let Some(hint) = session.texts.hint(fact.key) {
            label.on_hover_text(hint);
        }
        reading_label(&mut cell, &name, &fact.shown);
    }
}

fn list(texts: &Texts, gpu: &GpuSample) -> Vec<Fact> {
    let fact = |key, columns, shown| Fact { key, shown, columns };
    let version = |(major, minor): &(u32, u32)| format!("{major}.{minor}");
    let memory = &gpu.memory;
    vec![
        fact("live-fact-used", 1, Shown::bytes(texts, &memory.used)),
        fact("live-fact-free", 1, Shown::bytes(texts, &memory.free)),
        fact("live-fact-reserved", 1, Shown::bytes(texts, &memory.reserved)),
        fact("live-fact-total", 1, Shown::bytes(texts, &memory.total)),
        fact("live-fact-compute", 1, Shown::percent(texts, &gpu.utilisation.compute_percent)),
        fact("live-fact-memory-busy", 1, Shown::percent(texts, &gpu.utilisation.memory_percent)),
        fact("live-fact-temperature", 1, Shown::whole(texts, &gpu.temperature_celsius, "°C")),
        fact(
            "live-fact-power",
            1,
            Shown::of_limit(texts, &gpu.power_watts, &gpu.power_limit_watts, "W"),
        ),
        fact("live-fact-sm-clock", 1, Shown::whole(texts, &gpu.clocks.sm_mhz, "MHz")),
        fact(
            "live-fact-memory-clock",
            1,
            Shown::of_limit(texts, &gpu.clocks.memory_mhz, &gpu.clocks.memory_max_mhz, "MHz"),
        ),
        fact("live-fact-pcie", 1, traffic(texts, &gpu.pcie)),
        fact("live-fact-nvlink", 1, traffic(texts, &gpu.nvlink)),
        fact("live-fact-ecc", 1, errors(texts, gpu)),
        fact("live-fact-capability", 1, Shown::of(texts, &gpu.compute_capability, version)),
        fact(
            "live-fact-bus-width",
            1,
            Shown::of(texts, &gpu.bus_width_bits, |bits| {
                texts.with("live-bits", &[("bits", &grouped(f64::from(*bits), 0))])
            }),
        ),
        fact("live-fact-bus-id", 1, Shown::text(texts, &gpu.bus_id)),
        fact("live-fact-throttling", 2, throttling(texts, gpu)),
        fact("live-fact-uuid", 2, Shown { text: gpu.key.uuid.clone(), missing: None }),
    ]
}

/// Out of and into the GPU.
fn traffic(texts: &Texts, link: &LinkTraffic) -> Shown {
    let rate = |reading| Shown::rate(texts, reading);
    let (sent, received) = (rate(&link.sent_bytes_per_sec), rate(&link.received_bytes_per_sec));
    pair(texts, "live-traffic", [("sent", sent), ("received", received)])
}

fn errors(texts: &Texts, gpu: &GpuSample) -> Shown {
    let count =
        |reading: &Reading<u64>| Shown::of(texts, reading, |count| grouped(*count as f64, 0));
    let (corrected, uncorrected) = (count(&gpu.ecc.corrected), count(&gpu.ecc.uncorrected));
    pair(texts, "live-errors", [("corrected", corrected), ("uncorrected", uncorrected)])
}

/// Two readings in one text; a single dash where both are missing.
fn pair(texts: &Texts, key: &str, [one, other]: [(&'static str, Shown); 2]) -> Shown {
    if one.1.missing.is_some() && other.1.missing.is_some() {
        return one.1;
    }
    let text = texts.with(key, &[(one.0, &one.1.text), (other.0, &other.1.text)]);
    Shown { text, missing: None }
}

fn throttling(texts: &Texts, gpu: &GpuSample) -> Shown {
    Shown::of(texts, &gpu.throttling, |reasons| {
        if reasons.is_empty() {
            return texts.get("live-not-throttled").into_owned();
        }
        let words: Vec<_> = reasons.iter().map(|reason| texts.get(reason)).collect();
        words.join("; ")
    })
}

/// Least width of a column of instances, points: four fit the smallest window.
const INSTANCE_WIDTH: f32 = 132.0;

/// The instances of a partitioned card, each with its own memory.
pub fn mig_instances(ui: &mut Ui, session: &Session, gpu: &GpuSample) {
    if gpu.mig.is_empty() {
        return;
    }
    let texts = &session.texts;
    super::super::heading(ui, &texts.get("live-mig-title"));
    let grid = Grid::new("live-mig").num_columns(4).min_col_width(INSTANCE_WIDTH);
    grid.spacing([12.0, 4.0]).show(ui, |ui| {
        for title in
            ["live-fact-name", "live-fleet-memory", "live-processes-title", "live-fact-uuid"]
        {
            ui.label(RichText::new(texts.get(title)).small().color(tokens(ui).weak_text));
        }
        ui.end_row();
        for instance in &gpu.mig {
            let name = Shown::text(texts, &instance.name);
            reading_label(ui, &texts.get("live-fact-name"), &name);
            reading_label(ui, &texts.get("live-fleet-memory"), &mig_memory(texts, instance));
            reading_label(ui, &texts.get("live-processes-title"), &mig_processes(texts, instance));
            let uuid = RichText::new(&instance.uuid).small().color(tokens(ui).weak_text);
            ui.add(Label::new(uuid).truncate());
            ui.end_row();
        }
    });
}

/// "python (1234): 3.81 GiB, …"
fn mig_processes(texts: &Texts, instance: &MigInstance) -> Shown {
    Shown::of(texts, &instance.processes, |processes| {
        let one = |process: &ProcessSample| {
            let name = Shown::text(texts, &process.name).text;
            let memory = Shown::bytes(texts, &process.memory).text;
            let pid = process.pid.to_string();
            let args = [("name", name.as_str()), ("pid", &pid), ("memory", &memory)];
            texts.with("live-process-short", &args)
        };
        let all: Vec<String> = processes.iter().map(one).collect();
        if all.is_empty() { texts.get("live-no-processes").into_owned() } else { all.join(", ") }
    })
}

fn mig_memory(texts: &Texts, instance: &MigInstance) -> Shown {
    match (&instance.memory.used, &instance.memory.total) {
        (Reading::Value(used), Reading::Value(total)) => {
            let (used, total) = (used.gib_cell(), total.gib_cell());
            let text = texts.with("live-used-of-total", &[("used", &used), ("total", &total)]);
            Shown { text, missing: None }
        }
        (Reading::Missing(why), _) | (_, Reading::Missing(why)) => Shown::missing(texts, why),
    }
}

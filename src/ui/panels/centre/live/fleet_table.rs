//! Many GPUs as a table: sorted by any column, filtered, the worst first; only visible rows are laid out.

use egui::{Align, Button, Key, Label, Layout, RichText, Role, Sense, TextEdit, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder, TableRow};

use super::{
    cells::reading_label,
    gpu_rows::{health_color, memory_bar},
};
use crate::{
    monitor::{GpuSample, Snapshot},
    plan::Choice as _,
    ui::{
        command::Command,
        live::{
            LiveCommand,
            fleet::{FleetColumn, Health},
            words::{Shown, place_name, short_name, used_of_total},
        },
        session::Session,
        theme::tokens,
    },
    units::grouped,
};

/// Height of a row, points.
const ROW_HEIGHT: f32 = 22.0;
/// Height of the table, points: the same however many GPUs the filter finds.
const TABLE_HEIGHT: f32 = 264.0;
/// Room for an amount of memory beside its bar, points.
const AMOUNT_WIDTH: f32 = 124.0;
/// The bar is never shorter, points.
const LEAST_BAR_WIDTH: f32 = 24.0;
/// Room from which the table has all columns, points.
const WIDE_FROM: f32 = 780.0;

/// Columns with their widths; the name takes what is left.
fn columns(room: f32) -> Vec<(FleetColumn, Option<f32>)> {
    let wide = room >= WIDE_FROM;
    let width = |roomy: f32, tight: f32| Some(if wide { roomy } else { tight });
    let mut columns = vec![
        (FleetColumn::State, width(100.0, 92.0)),
        (FleetColumn::Host, width(128.0, 88.0)),
        (FleetColumn::Gpu, width(40.0, 36.0)),
    ];
    if wide {
        columns.push((FleetColumn::Name, None));
    }
    columns.push((FleetColumn::Memory, if wide { Some(224.0) } else { None }));
    columns.push((FleetColumn::Compute, width(58.0, 46.0)));
    columns.push((FleetColumn::Temperature, width(62.0, 50.0)));
    columns.push((FleetColumn::Power, width(76.0, 58.0)));
    columns
}

/// Filter, count and table.
pub fn fleet_table(
    ui: &mut Ui,
    session: &Session,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    filter(ui, session, snapshot, commands);
    let columns = columns(ui.available_width());
    let order = &session.live.fleet.order;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        // The accent would hide the words that have a colour of their own.
        ui.visuals_mut().selection.bg_fill = tokens(ui).hover_fill;
        ui.visuals_mut().selection.stroke.color = tokens(ui).text;
        let mut table = TableBuilder::new(ui)
            .id_salt("live-fleet")
            .striped(true)
            .sense(Sense::click())
            .auto_shrink(false)
            .min_scrolled_height(TABLE_HEIGHT)
            .max_scroll_height(TABLE_HEIGHT)
            .cell_layout(Layout::left_to_right(Align::Center));
        for (_, width) in &columns {
            table = table.column(match width {
                Some(width) => Column::exact(*width).clip(true),
                None => Column::remainder().clip(true),
            });
        }
        let table = table.header(ROW_HEIGHT, |mut row| {
            for (column, _) in &columns {
                row.col(|ui| title(ui, session, *column, commands));
            }
        });
        table.body(|body| {
            body.rows(ROW_HEIGHT, order.len(), |mut row| {
                let gpu = order.get(row.index()).and_then(|index| snapshot.gpus.get(*index));
                if let Some(gpu) = gpu {
                    gpu_row(&mut row, session, gpu, &columns, commands);
                }
            });
        });
    });
}

fn filter(ui: &mut Ui, session: &Session, snapshot: &Snapshot, commands: &mut Vec<Command>) {
    let texts = &session.texts;
    ui.horizontal(|ui| {
        let mut words = session.live.fleet.filter.clone();
        let field = TextEdit::singleline(&mut words)
            .desired_width(200.0)
            .hint_text(texts.get("live-fleet-filter-prompt"));
        let field = ui.add(field).accessible_name(texts.get("live-fleet-filter"));
        let escaped = field.has_focus() && ui.input(|input| input.key_pressed(Key::Escape));
        if escaped && !words.is_empty() {
            words.clear();
        }
        if words != session.live.fleet.filter {
            commands.push(Command::Live(LiveCommand::FilterFleet(words)));
        }
        let shown = grouped(session.live.fleet.order.len() as f64, 0);
        let all = grouped(snapshot.gpus.len() as f64, 0);
        let text = texts.with("live-fleet-count", &[("shown", &shown), ("all", &all)]);
        ui.label(RichText::new(text).color(tokens(ui).weak_text));
    });
    ui.add_space(2.0);
}

/// A title that sorts; the column that decides the order has an arrow.
fn title(ui: &mut Ui, session: &Session, column: FleetColumn, commands: &mut Vec<Command>) {
    let fleet = &session.live.fleet;
    let name = session.texts.get(column.key());
    let decides = fleet.column == column;
    let arrow = match (decides, fleet.reversed) {
        (false, _) => "",
        (true, false) => " ▼",
        (true, true) => " ▲",
    };
    let color = if decides { tokens(ui).text } else { tokens(ui).weak_text };
    let text = RichText::new(format!("{name}{arrow}")).small().color(color);
    ui.spacing_mut().button_padding.x = 0.0;
    let button = Button::new(text).frame_when_inactive(false).truncate();
    let button = aligned(ui, column, |ui| ui.add(button));
    let spoken = session.texts.with("live-fleet-sort", &[("column", &name)]);
    button.widget_info(|| WidgetInfo::selected(Role::Button, true, decides, &spoken));
    if button.clicked() {
        commands.push(Command::Live(LiveCommand::SortFleet(column)));
    }
}

/// Figures stand to the right of their column, everything else to the left.
fn aligned<R>(ui: &mut Ui, column: FleetColumn, add: impl FnOnce(&mut Ui) -> R) -> R {
    let is_figure =
        matches!(column, FleetColumn::Compute | FleetColumn::Temperature | FleetColumn::Power);
    let layout = if is_figure {
        Layout::right_to_left(Align::Center)
    } else {
        Layout::left_to_right(Align::Center)
    };
    ui.with_layout(layout, add).inner
}

fn gpu_row(
    row: &mut TableRow<'_, '_>,
    session: &Session,
    gpu: &GpuSample,
    columns: &[(FleetColumn, Option<f32>)],
    commands: &mut Vec<Command>,
) {
    let texts = &session.texts;
    let chosen = session.live.selected_gpu().is_some_and(|it| it.key == gpu.key);
    row.set_selected(chosen);
    for (column, _) in columns {
        row.col(|ui| aligned(ui, *column, |ui| cell(ui, session, gpu, *column)));
    }
    let response = row.response();
    let (place, memory) = (place_name(texts, gpu), used_of_total(texts, gpu).text);
    let state = texts.get(Health::of(gpu, session.live.settings.alert_percent).key());
    let args = [("place", place.as_str()), ("memory", memory.as_str()), ("state", &*state)];
    let sentence = texts.with("live-fleet-sentence", &args);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &sentence));
    if response.clicked() {
        commands.push(Command::Live(LiveCommand::SelectGpu(gpu.key.clone())));
    }
}

fn cell(ui: &mut Ui, session: &Session, gpu: &GpuSample, column: FleetColumn) {
    let texts = &session.texts;
    let name = texts.get(column.key());
    let plain = |ui: &mut Ui, text: &str, color| {
        ui.add(Label::new(RichText::new(text).color(color)).truncate().selectable(false));
    };
    let text = tokens(ui).text;
    match column {
        FleetColumn::State => {
            let health = Health::of(gpu, session.live.settings.alert_percent);
            plain(ui, &texts.get(health.key()), health_color(ui, health));
        }
        FleetColumn::Host => plain(ui, &gpu.key.host, text),
        FleetColumn::Gpu => plain(ui, &gpu.index.to_string(), text),
        FleetColumn::Name => plain(ui, &short_name(texts, gpu), text),
        FleetColumn::Memory => memory(ui, session, gpu, &name),
        FleetColumn::Compute => {
            let shown = Shown::percent(texts, &gpu.utilisation.compute_percent);
            reading_label(ui, &name, &shown);
        }
        FleetColumn::Temperature => {
            let shown = Shown::whole(texts, &gpu.temperature_celsius, "°C");
            reading_label(ui, &name, &shown);
        }
        FleetColumn::Power => {
            reading_label(ui, &name, &Shown::whole(texts, &gpu.power_watts, "W"));
        }
    }
}

/// A bar on the card's scale, and the amount.
fn memory(ui: &mut Ui, session: &Session, gpu: &GpuSample, name: &str) {
    let health = Health::of(gpu, session.live.settings.alert_percent);
    let cell = ui.max_rect();
    let width = (cell.width() - AMOUNT_WIDTH).max(LEAST_BAR_WIDTH);
    let bar = egui::Rect::from_min_size(cell.min, egui::vec2(width, cell.height()));
    memory_bar(ui, session, gpu, bar.shrink2(egui::vec2(0.0, 6.0)), health);
    ui.add_space(bar.width() + 8.0);
    reading_label(ui, name, &used_of_total(&session.texts, gpu));
}

//! CPU time of one frame of the main view at 1920x1080: layout, painting and tessellation.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a benchmark fails by panicking"
)]

#[path = "../tests/support/live.rs"]
#[allow(dead_code, reason = "made for more than this")]
mod live;
#[path = "support/plan_70b.rs"]
mod plan_70b;

use divan::Bencher;
use egui::{Event, RawInput, Rect, pos2, vec2};
use vramplan::ui::{
    self,
    app::PlannerApp,
    command::{Action, Command},
    live::LiveCommand,
};

use plan_70b::plan_70b;

fn main() {
    divan::main();
}

/// Size of the view, points.
const SIZE: egui::Vec2 = vec2(1920.0, 1080.0);

fn input(frame: u32) -> RawInput {
    RawInput {
        screen_rect: Some(Rect::from_min_size(pos2(0.0, 0.0), SIZE)),
        time: Some(f64::from(frame) / 60.0),
        // The pointer moves over the chart, so that hovering is paid for as well.
        events: vec![Event::PointerMoved(pos2(700.0 + (frame % 100) as f32, 230.0))],
        ..RawInput::default()
    }
}

fn frames(bencher: Bencher<'_, '_>, mut app: PlannerApp, tab: Action) {
    let ctx = egui::Context::default();
    ui::install(&ctx);
    app.run_command(&ctx, Command::Run(tab));
    let mut number = 0;
    let mut one_frame = move || {
        number += 1;
        let output = ctx.run_ui(input(number), |ui| app.show(ui));
        let mut textures = output.textures_delta;
        textures.clear();
        ctx.tessellate(output.shapes, output.pixels_per_point).len()
    };
    // Fonts are rasterised once, in the first frames.
    for _ in 0..5 {
        one_frame();
    }
    bencher.bench_local(one_frame);
}

/// A beginner's plan on one card.
#[divan::bench]
fn one_gpu(bencher: Bencher<'_, '_>) {
    frames(bencher, PlannerApp::for_test(), Action::ShowMemory);
}

/// The Memory tab with four stages.
#[divan::bench]
fn seventy_b_on_128_gpus(bencher: Bencher<'_, '_>) {
    let app = PlannerApp::with_plan_for_test(plan_70b());
    frames(bencher, app, Action::ShowMemory);
}

/// The Throughput tab of the same plan: roofline, and four tables.
#[divan::bench]
fn seventy_b_throughput(bencher: Bencher<'_, '_>) {
    let app = PlannerApp::with_plan_for_test(plan_70b());
    frames(bencher, app, Action::ShowThroughput);
}

/// The Live tab: 16 GPUs with 64 processes each, and an hour of their past at two samples a second.
#[divan::bench]
fn live_sixteen_gpus_and_an_hour(bencher: Bencher<'_, '_>) {
    let samples = (0_u32..7200).map(|number| {
        let used_mib = 40_000 + u64::from(number * 797 % 20_000);
        let mut snapshot = live::snapshot(f64::from(number) / 2.0, 16, used_mib);
        if number == 7199 {
            for gpu in &mut snapshot.gpus {
                let processes = (0..64).map(|pid| live::process(1000 + pid, 500)).collect();
                gpu.processes = vramplan::monitor::Reading::Value(processes);
            }
        }
        snapshot
    });
    let mut app = PlannerApp::with_samples_for_test(samples);
    let ctx = egui::Context::default();
    let hour = LiveCommand::Window(vramplan::ui::live::settings::HistoryWindow::Hour);
    app.run_command(&ctx, Command::Live(hour));
    frames(bencher, app, Action::ShowLive);
}

/// The Live tab with a fleet of 1,024 GPUs.
#[divan::bench]
fn live_fleet_of_1024(bencher: Bencher<'_, '_>) {
    let samples = (0_u32..120).map(|number| live::fleet(f64::from(number), 1024));
    frames(bencher, PlannerApp::with_samples_for_test(samples), Action::ShowLive);
}

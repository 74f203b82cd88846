//! The Throughput tab of the whole window: figures, what the roofline teaches, products, links.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use egui::Key;
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::{
    plan::{GpuChoice, Method, ModelChoice, Plan, Task, WeightFormat},
    ui::app::PlannerApp,
};

type Window = Harness<'static, PlannerApp>;

/// A window that shows the speed of a plan.
fn window_with(plan: Plan) -> Window {
    let mut window = Harness::builder()
        .with_size(egui::vec2(1440.0, 2400.0))
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(
            |ui, app: &mut PlannerApp| app.show(ui),
            PlannerApp::with_plan_for_test(plan),
        );
    window.run();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::Num2);
    window.run();
    window
}

fn server(gpu: &str) -> Plan {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue("llama-3-8b".to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue(gpu.to_owned());
    plan.workload.task = Task::Inference;
    plan.precision.weight_format = WeightFormat::Bf16;
    plan
}

#[test]
fn a_server_shows_ceiling_capacity_power_and_what_a_million_tokens_cost() {
    let mut plan = server("NVIDIA H100 80GB HBM3");
    plan.hardware.usd_per_gpu_hour = Some(2.0);
    let window = window_with(plan);
    for caption in [
        "generated, all sequences",
        "ceiling, all sequences",
        "to the first token",
        "per token",
        "achieved bandwidth",
        "sequences that fit",
        "power of a GPU",
        "energy per million",
        "cost per million",
    ] {
        assert!(window.query_all_by_label(caption).count() > 0, "{caption}");
    }
    window.get_by_label_contains("of 700 W");
    window.get_by_label_contains("of 3,350 GB/s");
}

#[test]
fn the_roofline_says_in_words_what_it_shows() {
    let window = window_with(server("NVIDIA H100 80GB HBM3"));
    window.get_by_label_contains("FLOPs divided by bytes moved");
    window.get_by_label_contains("295 FLOPs in the time in which one byte arrives");
    window.get_by_label_contains("left of the ridge. Bound by: Memory bandwidth");
    window.get_by_label_contains("HBM against GDDR: this card’s HBM3 moves 3,350 GB/s");
    window.get_by_label_contains("VRAM against host RAM: PCIe 5.0 ×16 brings 63.0 GB/s");
}

#[test]
fn memory_that_is_shared_with_the_processor_has_no_link_in_between() {
    let window = window_with(server("NVIDIA GB10"));
    window.get_by_label_contains("CPU and GPU share this memory");
}

#[test]
fn products_are_listed_by_shape_for_those_who_ask() {
    let mut window = window_with(server("NVIDIA H100 80GB HBM3"));
    assert!(window.query_by_label_contains("Queries: 1 × 4,096 × 4,096").is_none(), "folded away");
    window.get_by_label("Matrix products by shape").click();
    window.run();
    window.get_by_label_contains("Queries: 1 × 4,096 × 4,096");
    window.get_by_label_contains("Feed-forward, up: 1 × 4,096 × 28,672");
}

#[test]
fn a_plan_that_does_not_fit_says_why_its_speed_does_not_count() {
    let mut plan = Plan::default();
    plan.model = ModelChoice::Catalogue("llama-3.1-405b".to_owned());
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan.workload.method = Method::Full;
    let window = window_with(plan);
    window.get_by_label_contains("does not fit in memory, so none of these figures is reached");
}

//! What the window says when NVIDIA's library fails, through the real wrapper and a stand-in library.

#![cfg(all(feature = "nvml", target_os = "linux"))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/fake_nvml.rs"]
mod fake_nvml;
#[path = "support/reading.rs"]
mod reading;

use std::time::{Duration, Instant};

use egui::Role;
use egui_kittest::{Harness, kittest::Queryable as _};
use fake_nvml::FakeLibrary;
use reading::everything;
use vramplan::ui::{
    app::PlannerApp,
    command::{Action, Command},
    live::LiveCommand,
};

type Window = Harness<'static, PlannerApp>;

/// A frame that takes longer would be felt; the debug build is given plenty.
const LONGEST_FRAME: Duration = Duration::from_millis(1500);

fn window(library: &FakeLibrary) -> Window {
    let mut window = Harness::builder()
        .with_size(egui::vec2(1440.0, 2000.0))
        .with_max_steps(30)
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(
            |ui, app: &mut PlannerApp| app.show(ui),
            PlannerApp::with_gpu_library_for_test(library.path()),
        );
    window.run();
    let ctx = window.ctx.clone();
    for command in [Command::Live(LiveCommand::Interval(0.2)), Command::Run(Action::ShowLive)] {
        window.state_mut().run_command(&ctx, command);
    }
    window.run();
    window
}

/// Draws frames until the window says something; none of them waits for the library.
fn wait_for(window: &mut Window, words: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !everything(window).contains(words) {
        assert!(Instant::now() < deadline, "“{words}” never came:\n{}", everything(window));
        std::thread::sleep(Duration::from_millis(10));
        let begin = Instant::now();
        window.step();
        assert!(begin.elapsed() < LONGEST_FRAME, "a frame took {:?}", begin.elapsed());
    }
}

fn click(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::Button, label).click();
    window.run();
}

#[test]
fn a_driver_that_is_loaded_later_is_found_by_a_retry() {
    let library = FakeLibrary::new("nvmlInit_v2 9");
    let mut window = window(&library);
    wait_for(&mut window, "the driver is not loaded");
    library.control("count 2");
    click(&mut window, "Retry");
    wait_for(&mut window, "GPU 1, ");
    window.get_by_label("Running");
}

#[test]
fn library_and_driver_of_different_versions_say_so() {
    let mut window = window(&FakeLibrary::new("nvmlInit_v2 18"));
    wait_for(&mut window, "have different versions");
    window.get_by_label("Retry");
    window.get_by_label("Fits");
}

#[test]
fn a_machine_without_cards_says_so_and_goes_on_looking() {
    let library = FakeLibrary::new("count 0");
    let mut window = window(&library);
    wait_for(&mut window, "finds no NVIDIA GPU");
    library.control("count 1");
    wait_for(&mut window, "GPU 0, ");
}

#[test]
fn a_card_that_is_lost_in_the_middle_says_what_to_do_and_the_others_go_on() {
    let library = FakeLibrary::new("count 3");
    let mut window = window(&library);
    wait_for(&mut window, "GPU 2, ");
    library.control("count 3\nlost 1");
    wait_for(&mut window, ", Lost");
    let row = everything(&window);
    let lost = row.lines().find(|line| line.ends_with(", Lost")).expect("its row").to_owned();
    click(&mut window, &lost);
    window.get_by_label_contains(
        "it has fallen off the bus. What it said last, if anything, is below",
    );
    let fine = everything(&window).lines().filter(|line| line.contains("97 % busy")).count();
    assert!(fine >= 2, "the others go on:\n{}", everything(&window));
}

#[test]
fn a_call_that_hangs_holds_up_neither_the_window_nor_the_last_figures() {
    let library = FakeLibrary::new("count 1");
    let mut window = window(&library);
    wait_for(&mut window, "GPU 0, ");
    library.control("count 1\nhang nvmlDeviceGetTemperature 4");
    wait_for(&mut window, "No answer for ");
    assert!(everything(&window).contains("GPU 0, "), "the last figures stay in sight");
    library.control("count 1");
    wait_for(&mut window, "Running");
}

#[test]
fn sixteen_cards_with_sixty_four_processes_each_are_all_there() {
    let mut window = window(&FakeLibrary::new("count 16\nprocesses 64"));
    wait_for(&mut window, "GPU 15, ");
    wait_for(&mut window, "64 on this GPU, all compared with the plan");
}

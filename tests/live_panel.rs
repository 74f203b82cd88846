//! The live panel in the whole window, driven by what a person reads in it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking, and not every invention is used by every test"
)]

#[path = "support/live.rs"]
mod live;
#[path = "support/reading.rs"]
mod reading;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use egui::Role;
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use reading::everything;
use vramplan::{
    monitor::{
        MemoryUse, MigInstance, Missing, Reading, RecordingFormat, Snapshot, write_recording,
    },
    plan::GpuChoice,
    ui::{
        app::PlannerApp,
        command::{Action, Command},
        files::Dialogs,
        live::LiveCommand,
        session::{Answer, Session},
    },
    units::Bytes,
};

type Window = Harness<'static, PlannerApp>;

fn window(app: PlannerApp) -> Window {
    window_sized(app, egui::vec2(1440.0, 2000.0))
}

fn window_sized(app: PlannerApp, size: egui::Vec2) -> Window {
    let mut window = Harness::builder()
        .with_size(size)
        .with_max_steps(30)
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), app);
    window.run();
    window
}

fn session(window: &Window) -> &Session {
    window.state().session()
}

fn click(window: &mut Window, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).click();
    window.run();
}

fn run(window: &mut Window, command: Command) {
    let ctx = window.ctx.clone();
    window.state_mut().run_command(&ctx, command);
    window.run();
}

/// Draws frames until the window says something; another thread is at work meanwhile.
fn wait_for(window: &mut Window, words: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !everything(window).contains(words) {
        assert!(Instant::now() < deadline, "“{words}” never came:\n{}", everything(window));
        std::thread::sleep(Duration::from_millis(10));
        window.run();
    }
}

/// A label that starts with these words.
fn sees(window: &Window, words: &str) -> bool {
    everything(window).contains(words)
}

fn samples(gpus: u32) -> Vec<Snapshot> {
    (0..20).map(|number| live::snapshot(1000.0 + f64::from(number), gpus, 40_000)).collect()
}

fn recording(folder: &Path, snapshots: &[Snapshot]) -> PathBuf {
    let path = folder.join("gpus.jsonl");
    let mut bytes = Vec::new();
    write_recording(&mut bytes, RecordingFormat::Replay, snapshots).expect("memory");
    std::fs::write(&path, bytes).expect("written");
    path
}

#[test]
fn without_a_driver_the_panel_says_so_with_a_remedy_a_retry_and_something_to_look_at() {
    let nowhere = PathBuf::from("/nowhere/libnvidia-ml.so.1");
    let [what, remedy] = if cfg!(feature = "nvml") {
        ["is not installed or cannot be loaded", "Install NVIDIA"]
    } else {
        ["was built without support for attached NVIDIA GPUs", "Use a build with"]
    };
    let mut window = window(PlannerApp::with_gpu_library_for_test(nowhere));
    click(&mut window, Role::Tab, "Live");
    wait_for(&mut window, "Cannot be read");
    window.get_by_label("Planning in the other tabs goes on as before.");
    window.get_by_label_contains(what);
    window.get_by_label_contains(remedy);
    click(&mut window, Role::Button, "Retry");
    wait_for(&mut window, what);
    click(&mut window, Role::Tab, "Memory");
    assert!(window.query_by_label("Retry").is_none(), "another tab");
    window.get_by_label("Fits");
    click(&mut window, Role::Tab, "Live");
    wait_for(&mut window, "Show 8 GPUs under load");
    click(&mut window, Role::Button, "Show 8 GPUs under load");
    wait_for(&mut window, "GPU 7, H100 80GB HBM3");
    window.get_by_label("Running");
}

#[test]
fn a_plan_that_cannot_run_does_not_hide_the_gpus() {
    let mut app = PlannerApp::with_samples_for_test(samples(2));
    let mut plan = app.session().plan.clone();
    plan.parallelism.tensor = 3;
    let edit = Command::Edit { plan: Box::new(plan), field: vramplan::plan::Field::Tensor };
    app.run_command(&egui::Context::default(), edit);
    let window = window(app);
    window.get_by_label("This plan cannot run");
    assert!(sees(&window, "GPU 1, H100 80GB HBM3"), "the GPUs are there");
}

#[test]
fn every_gpu_has_a_row_and_the_chosen_one_its_sensors_and_processes() {
    let mut window = window(PlannerApp::with_samples_for_test(samples(8)));
    for index in 0..8 {
        let row = format!("GPU {index}, H100 80GB HBM3: 39.06 of 79.65 GiB of memory, 97 % busy");
        window.get_by_label_contains(&row);
    }
    window.get_by_label("GPU 0: H100 80GB HBM3");
    let fifth = "GPU 5, H100 80GB HBM3: 39.06 of 79.65 GiB of memory, 97 % busy, Fine";
    click(&mut window, Role::Button, fifth);
    window.get_by_label("GPU 5: H100 80GB HBM3");
    for sensor in ["612 / 700 W", "1,755 MHz", "9.0", "5,120 bit", "550.54.15", "12.4"] {
        assert!(sees(&window, sensor), "{sensor} in:\n{}", everything(&window));
    }
    window.get_by_label("41235");
    window.get_by_label("ada");
    window.get_by_label("python");
}

#[test]
fn a_missing_sensor_is_a_dash_that_says_why_and_never_a_zero() {
    let mut snapshot = live::snapshot(1000.0, 1, 40_000);
    let gpu = &mut snapshot.gpus[0];
    gpu.temperature_celsius = Reading::Missing(Missing::NotSupported);
    gpu.memory.reserved = Reading::Missing(Missing::FunctionMissing("nvmlX".to_owned()));
    gpu.processes = Reading::Value(vec![live::process(77, 100)]);
    if let Reading::Value(processes) = &mut gpu.processes {
        processes[0].memory = Reading::Missing(Missing::NotAvailable);
    }
    let window = window(PlannerApp::with_samples_for_test([snapshot]));
    assert!(
        window.query_all_by_label_contains("Temperature: – (This card").next().is_some(),
        "the reason is read out:\n{}",
        everything(&window)
    );
    window.get_by_label_contains("Reserved: – (The driver is too old");
    window.get_by_label_contains("Memory: – (The driver does not say this here");
    assert!(!sees(&window, "0 °C"), "no invented zero");
}

#[test]
fn the_instances_of_a_partitioned_card_have_their_own_memory_and_processes() {
    let mut snapshot = live::snapshot(1000.0, 1, 40_000);
    let whole = snapshot.gpus[0].clone();
    let instance = |number: u64| MigInstance {
        uuid: format!("MIG-{number}"),
        name: Reading::Value("MIG 2g.20gb".to_owned()),
        memory: MemoryUse {
            used: Reading::Value(Bytes::from_mib(1_024 * number)),
            total: Reading::Value(Bytes::from_mib(20_096)),
            ..whole.memory.clone()
        },
        processes: Reading::Value(vec![live::process(70, 1_000)]),
    };
    snapshot.gpus[0].mig = vec![instance(3), instance(5)];
    let window = window(PlannerApp::with_samples_for_test([snapshot]));
    window.get_by_label("3.00 of 19.62 GiB");
    window.get_by_label("5.00 of 19.62 GiB");
    assert!(sees(&window, "python (70): 1000.0 MiB"), "and who uses them");
}

#[test]
fn a_gpu_that_fell_off_the_bus_says_what_to_do() {
    let mut snapshot = live::snapshot(1000.0, 4, 40_000);
    snapshot.gpus[2] = live::lost(2);
    let mut window = window(PlannerApp::with_samples_for_test([snapshot]));
    let row = "GPU 2, H100 80GB HBM3: – of memory, – busy, Lost";
    click(&mut window, Role::Button, row);
    window.get_by_label_contains("This GPU no longer answers");
    assert!(sees(&window, "GPU 3, H100 80GB HBM3: 39.06 of 79.65 GiB"), "the others go on");
}

#[test]
fn memory_above_the_line_is_warned_of_by_name() {
    let mut window = window(PlannerApp::with_samples_for_test([live::snapshot(1.0, 2, 79_000)]));
    window.get_by_label_contains("More than 95 % of the memory is used: GPU 0 (97 %), GPU 1");
    run(&mut window, Command::Live(LiveCommand::Alert(98.0)));
    assert!(!sees(&window, "of the memory is used:"), "below the line");
}

#[test]
fn a_recording_plays_pauses_and_goes_on_from_another_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let snapshots: Vec<_> = (0_u32..600)
        .map(|number| live::snapshot(f64::from(number), 8, 1_024 * (1 + u64::from(number) / 10)))
        .collect();
    let path = recording(folder.path(), &snapshots);
    let mut window = window(PlannerApp::for_test());
    run(&mut window, Command::Run(Action::ShowLive));
    run(&mut window, Command::Live(LiveCommand::OpenRecording(path)));
    wait_for(&mut window, "GPU 7, H100 80GB HBM3: 1.00 of 79.65 GiB");
    click(&mut window, Role::Button, "Pause");
    wait_for(&mut window, "Paused");
    window.get_by_role_and_label(Role::Slider, "Position").set_value_accesskit(305.0);
    window.run();
    wait_for(&mut window, "GPU 7, H100 80GB HBM3: 31.00 of 79.65 GiB");
    click(&mut window, Role::Button, "Resume");
    wait_for(&mut window, "Running");
    click(&mut window, Role::CheckBox, "Loop");
    let looping =
        |window: &Window| session(window).live.monitor.playback().is_some_and(|it| it.looping);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !looping(&window) {
        assert!(Instant::now() < deadline, "it never loops");
        std::thread::sleep(Duration::from_millis(10));
        window.run();
    }
}

#[test]
fn a_file_that_is_no_recording_is_a_fault_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.jsonl");
    std::fs::write(&path, "{}\n").expect("written");
    let mut window = window(PlannerApp::for_test());
    run(&mut window, Command::Run(Action::ShowLive));
    run(&mut window, Command::Live(LiveCommand::OpenRecording(path)));
    wait_for(&mut window, "notes.jsonl is not a recording of vramplan");
    window.get_by_label("Retry");
}

/// Answers with one path at once.
struct Chosen(PathBuf);

impl Dialogs for Chosen {
    fn pick_to_open(&mut self, _filter_name: &str) -> Option<PathBuf> {
        Some(self.0.clone())
    }

    fn pick_to_save(&mut self, _suggested_name: &str) -> Option<PathBuf> {
        Some(self.0.clone())
    }
}

#[test]
fn what_is_read_is_recorded_to_a_file_until_it_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("table");
    let source = recording(folder.path(), &samples(2));
    let mut window = window(PlannerApp::with_dialogs_for_test(Chosen(target.clone())));
    run(&mut window, Command::Run(Action::ShowLive));
    run(&mut window, Command::Live(LiveCommand::OpenRecording(source)));
    wait_for(&mut window, "GPU 1, H100 80GB HBM3");
    click(&mut window, Role::Button, "Record");
    click(&mut window, Role::Button, "Table (.csv)");
    wait_for(&mut window, "Recording to table.csv");
    wait_for(&mut window, "Stop recording");
    click(&mut window, Role::Tab, "Memory");
    assert!(session(&window).live.monitor.is_started(), "it goes on while another tab is open");
    let written = || std::fs::read_to_string(target.with_extension("csv")).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(20);
    while written().lines().count() < 3 {
        assert!(Instant::now() < deadline, "nothing was recorded: {}", written());
        std::thread::sleep(Duration::from_millis(10));
        window.run();
    }
    click(&mut window, Role::Tab, "Live");
    click(&mut window, Role::Button, "Stop recording");
    assert!(sees(&window, "Recorded "), "and says how much");
    assert!(written().starts_with("unix_secs,"), "a table with heads: {}", written());
    click(&mut window, Role::Tab, "Memory");
    assert!(!session(&window).live.monitor.is_started(), "nothing is read any more");
}

#[test]
fn a_tab_that_is_closed_reads_nothing() {
    let mut window = window(PlannerApp::for_test());
    assert!(!session(&window).live.monitor.is_started(), "not before it was opened");
    run(&mut window, Command::Live(LiveCommand::Pause(false)));
    click(&mut window, Role::Tab, "Live");
    assert!(session(&window).live.monitor.is_started(), "open");
    click(&mut window, Role::Tab, "Throughput");
    assert!(!session(&window).live.monitor.is_started(), "closed");
    let viewport = &window.output().viewport_output[&egui::ViewportId::ROOT];
    assert_eq!(viewport.repaint_delay, Duration::MAX, "no frame is asked for");
}

/// GPUs of the fleet's rows from top to bottom.
fn fleet_rows(window: &Window) -> Vec<String> {
    let mut rows: Vec<(f32, String)> = window
        .query_all_by_label_contains("node-")
        .filter_map(|node| {
            let label = node.accesskit_node().label()?;
            label.contains(": ").then(|| (node.rect().top(), label))
        })
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.into_iter().map(|(_, label)| label).collect()
}

#[test]
fn a_fleet_shows_the_worst_first_and_sorts_and_filters() {
    let mut snapshot = live::fleet(1000.0, 256);
    let key = snapshot.gpus[100].key.clone();
    let index = snapshot.gpus[100].index;
    snapshot.gpus[100] = live::lost(index);
    snapshot.gpus[100].key = key.clone();
    let mut window = window(PlannerApp::with_samples_for_test([snapshot]));
    window.get_by_label("256 of 256 GPUs");
    let rows = fleet_rows(&window);
    assert!(rows.len() < 40, "only what is visible is laid out: {}", rows.len());
    assert!(rows[0].starts_with(&key.host) && rows[0].ends_with("Lost"), "worst: {}", rows[0]);
    click(&mut window, Role::Button, "Sort by Host");
    assert!(fleet_rows(&window)[0].starts_with("node-001 GPU 0"), "from the first host on");
    click(&mut window, Role::Button, "Sort by Host");
    assert!(fleet_rows(&window)[0].starts_with("node-032 GPU 0"), "and the other way round");
    let filter = window.get_by_role_and_label(Role::TextInput, "Filter");
    filter.focus();
    window.run();
    window.get_by_role_and_label(Role::TextInput, "Filter").type_text("node-017");
    window.run();
    window.get_by_label("8 of 256 GPUs");
    let first = fleet_rows(&window)[0].clone();
    click(&mut window, Role::Button, &first);
    window.get_by_label_contains("node-017 GPU 0: H100");
}

#[test]
fn judging_against_free_memory_is_a_field_of_the_plan_and_can_be_undone() {
    let mut window = window(PlannerApp::with_samples_for_test([live::snapshot(1.0, 1, 20_000)]));
    window.get_by_label_contains("The plan is for another card, NVIDIA GeForce RTX 4090");
    click(&mut window, Role::Button, "Judge against free memory now");
    assert_eq!(session(&window).plan.hardware.memory_in_use_mib, 0, "not of another card");
    click(&mut window, Role::Button, "Use this GPU as the hardware");
    click(&mut window, Role::Button, "Judge against free memory now");
    assert!(!sees(&window, "The plan is for another card"), "it is this one now");
    let in_use = u64::from(session(&window).plan.hardware.memory_in_use_mib);
    assert_eq!(in_use, 20_000 + live::RESERVED_MIB, "used and reserved");
    run(&mut window, Command::Run(Action::Undo));
    assert_eq!(session(&window).plan.hardware.memory_in_use_mib, 0, "taken back");
}

#[test]
fn a_chosen_process_is_the_run_itself_and_not_counted_as_in_use() {
    let mut snapshot = live::snapshot(1.0, 1, 20_000);
    let both = vec![live::process(7, 12_000), live::process(8, 8_000)];
    snapshot.gpus[0].processes = Reading::Value(both);
    let mut window = window(PlannerApp::with_samples_for_test([snapshot]));
    click(&mut window, Role::Button, "Use this GPU as the hardware");
    click(&mut window, Role::CheckBox, "Compare process 7 with the plan");
    window.get_by_label("1 chosen are compared with the plan");
    window.get_by_label_contains("Measured: The run");
    click(&mut window, Role::Button, "Judge against free memory now");
    let in_use = u64::from(session(&window).plan.hardware.memory_in_use_mib);
    assert_eq!(in_use, 8_000 + live::RESERVED_MIB, "the other process and the driver");
    click(&mut window, Role::Button, "Judge against all memory");
    assert_eq!(session(&window).plan.hardware.memory_in_use_mib, 0, "nothing is counted");
}

#[test]
fn an_attached_gpu_becomes_the_hardware_of_the_plan_and_undo_takes_it_back() {
    let mut window = window(PlannerApp::with_samples_for_test(samples(1)));
    let before = session(&window).plan.hardware.gpu.clone();
    click(&mut window, Role::Button, "Use this GPU as the hardware");
    let now = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    assert_eq!(session(&window).plan.hardware.gpu, now, "the catalogue's entry of that name");
    run(&mut window, Command::Run(Action::Undo));
    assert_eq!(session(&window).plan.hardware.gpu, before, "taken back");
}

#[test]
fn an_unknown_card_becomes_one_of_ones_own_with_what_the_driver_says() {
    let mut snapshot = live::snapshot(1.0, 1, 20_000);
    snapshot.gpus[0].name = Reading::Value("NVIDIA Mystery 1".to_owned());
    let mut window = window(PlannerApp::with_samples_for_test([snapshot]));
    click(&mut window, Role::Button, "Use this GPU as the hardware");
    let GpuChoice::Custom(gpu) = &session(&window).plan.hardware.gpu else { panic!("its own") };
    assert_eq!(gpu.driver_mib, Some(81_559), "its memory");
    assert!((gpu.bandwidth_gbps - 3352.3).abs() < 1.0, "5120 bit at 2619 MHz");
}

fn worst_total(window: &Window) -> Bytes {
    let Answer::Ready(ready) = &session(window).answer else { panic!("the plan can run") };
    ready.estimate.memory.stages[ready.estimate.memory.worst].total()
}

#[test]
fn a_calibration_counts_for_the_plan_is_listed_and_can_be_removed() {
    let mut snapshot = live::snapshot(1.0, 1, 900);
    snapshot.gpus[0].processes = Reading::Value(vec![live::process(7, 800)]);
    let mut window = window(PlannerApp::with_samples_for_test([snapshot]));
    click(&mut window, Role::Button, "Use this GPU as the hardware");
    let before = worst_total(&window);
    click(&mut window, Role::Button, "Calibrate");
    click(&mut window, Role::Button, "From an idle process");
    window.get_by_label("NVIDIA H100 80GB HBM3, driver 550.54.15: 800.0 MiB from an idle process");
    window.get_by_label("in force for this plan");
    let calibrated = worst_total(&window);
    assert!(calibrated > before, "800 MiB of context are more than planned");
    click(&mut window, Role::Button, "Remove");
    assert!(!sees(&window, "Overheads measured here"), "the list is gone");
    assert_eq!(worst_total(&window), before, "and so is its effect");
}

#[test]
fn a_calibration_that_makes_no_sense_is_refused_with_a_sentence() {
    let mut window = window(PlannerApp::with_samples_for_test(samples(1)));
    click(&mut window, Role::Button, "Calibrate");
    click(&mut window, Role::Button, "From an idle process");
    assert!(session(&window).live.settings.calibrations.is_empty(), "39 GiB are not idle");
    assert!(
        sees(&window, "one that only has its context holds"),
        "and says why:\n{}",
        everything(&window)
    );
}

#[test]
fn planned_and_measured_stand_side_by_side_with_the_difference_in_words() {
    let window = window(PlannerApp::with_samples_for_test(samples(1)));
    let planned = worst_total(&window).to_string();
    window.get_by_label_contains("Planned: Parameters");
    window.get_by_label_contains("Measured: The run");
    let difference = Bytes::from_mib(40_000).gib_above(worst_total(&window));
    let words = format!("{difference:.2} GiB (");
    assert!(sees(&window, &words), "{words} against {planned}:\n{}", everything(&window));
    window.get_by_label_contains("more than planned");
}

#[test]
fn several_ranks_are_bars_of_their_own_and_the_fullest_stands_against_the_plan() {
    let mut all = samples(3);
    for snapshot in &mut all {
        let memory = &mut snapshot.gpus[2].memory;
        memory.used = Reading::Value(Bytes::from_mib(50_000));
        memory.free =
            Reading::Value(Bytes::from_mib(live::TOTAL_MIB - live::RESERVED_MIB - 50_000));
    }
    let mut window = window(PlannerApp::with_samples_for_test(all));
    assert!(!sees(&window, "the fullest, GPU 2"), "one GPU is compared at first");
    click(&mut window, Role::CheckBox, "All ranks");
    let difference = Bytes::from_mib(50_000).gib_above(worst_total(&window));
    for words in ["3 ranks hold", "the fullest, GPU 2", &format!("{difference:.2} GiB (")] {
        assert!(sees(&window, words), "{words}:\n{}", everything(&window));
    }
    window.get_by_label_contains("GPU 0: The run");
    click(&mut window, Role::CheckBox, "All ranks");
    assert!(!sees(&window, "3 ranks hold"), "and only one again");
}

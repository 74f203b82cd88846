//! Presets on the disk, as the window reads and writes them: dialogs, typed paths, dropped files.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use egui::{Key, Modifiers, Role, ViewportCommand, ViewportEvent, ViewportId};
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::{
    plan::{Field, Plan, file},
    ui::{
        app::PlannerApp,
        command::{Action, Command},
        files::Dialogs,
    },
};

fn window_of(app: PlannerApp) -> Harness<'static, PlannerApp> {
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1280.0, 800.0))
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), app);
    harness.run();
    harness
}

fn window() -> Harness<'static, PlannerApp> {
    window_of(PlannerApp::for_test())
}

fn command(harness: &mut Harness<'_, PlannerApp>, command: Command) {
    let ctx = harness.ctx.clone();
    harness.state_mut().run_command(&ctx, command);
    harness.run();
}

fn edit_sequence(harness: &mut Harness<'_, PlannerApp>, sequence: u32) {
    let mut plan = harness.state().session().plan.clone();
    plan.workload.sequence = sequence;
    command(harness, Command::Edit { plan: Box::new(plan), field: Field::Sequence });
}

/// Runs frames until something is so; files are read and written on another thread.
fn run_until(
    harness: &mut Harness<'_, PlannerApp>,
    what: &str,
    done: impl Fn(&Harness<'_, PlannerApp>) -> bool,
) {
    for _ in 0..500 {
        harness.step(); // one frame, so that no command to the window is missed
        if done(harness) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain: {what}");
}

/// A folder with a preset, and a window in which it is open.
fn window_with_file(name: &str) -> (tempfile::TempDir, PathBuf, Harness<'static, PlannerApp>) {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join(name);
    std::fs::write(&path, file::write(&file::PresetFile::default())).expect("file");
    let mut harness = window();
    command(&mut harness, Command::OpenFile(path.clone()));
    run_until(&mut harness, "the file is open", |it| it.state().session().path.is_some());
    (folder, path, harness)
}

fn saved_sequence(path: &Path) -> u32 {
    file::load(path).expect("a preset").plan.workload.sequence
}

fn asks_to_close(harness: &Harness<'_, PlannerApp>) -> bool {
    let root = harness.output().viewport_output.get(&ViewportId::ROOT);
    root.is_some_and(|it| it.commands.contains(&ViewportCommand::Close))
}

#[test]
fn saving_writes_the_file_and_leaves_no_changes() {
    let (_folder, path, mut harness) = window_with_file("plan.ron");
    edit_sequence(&mut harness, 4096);
    assert!(harness.state().session().dirty);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    run_until(&mut harness, "it is saved", |it| !it.state().session().dirty);
    assert_eq!(saved_sequence(&path), 4096);
    harness.run();
    harness.get_by_label("Saved plan.ron");
    edit_sequence(&mut harness, 2048);
    assert!(harness.state().session().dirty, "another edit");
    edit_sequence(&mut harness, 4096);
    assert!(!harness.state().session().dirty, "as it stands in the file");
}

#[test]
fn quitting_with_unsaved_changes_saves_them_if_asked_to_and_then_leaves() {
    let (_folder, path, mut harness) = window_with_file("plan.ron");
    edit_sequence(&mut harness, 4096);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run();
    assert!(!asks_to_close(&harness), "it asks first");
    harness.get_by_role_and_label(Role::Button, "Save").click();
    run_until(&mut harness, "it leaves", asks_to_close);
    assert_eq!(saved_sequence(&path), 4096);
}

#[test]
fn the_close_button_of_the_frame_asks_for_unsaved_changes_as_well() {
    let mut harness = window();
    edit_sequence(&mut harness, 4096);
    let root = harness.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    root.events.push(ViewportEvent::Close);
    harness.step();
    let root = harness.output().viewport_output.get(&ViewportId::ROOT).expect("the window");
    let commands = &root.commands;
    assert!(commands.contains(&ViewportCommand::CancelClose), "stays open: {commands:?}");
    harness.input_mut().viewports.entry(ViewportId::ROOT).or_default().events.clear();
    harness.run();
    harness.get_by_label("Don’t save").click();
    harness.step();
    harness.step();
    assert!(!harness.state().session().dirty, "dropped");
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_file_dropped_on_the_window_is_opened() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("dropped.ron");
    let mut preset = file::PresetFile::default();
    preset.plan.workload.sequence = 1234;
    std::fs::write(&path, file::write(&preset)).expect("file");
    let mut harness = window();
    harness.input_mut().dropped_files.push(Arc::new(Dropped(path)));
    harness.step();
    harness.input_mut().dropped_files.clear();
    run_until(&mut harness, "it is open", |it| it.state().session().plan == preset.plan);
}

#[test]
fn a_broken_file_is_named_and_leaves_the_plan_as_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("broken.ron");
    std::fs::write(&path, "(version: 1, plan: (wrokload: ()))").expect("file");
    let mut harness = window();
    command(&mut harness, Command::OpenFile(path));
    run_until(&mut harness, "the message is there", |it| {
        it.query_by_label_contains("broken.ron").is_some()
    });
    harness.get_by_label_contains("broken.ron was not opened");
    assert_eq!(harness.state().session().plan, Plan::default());
    harness.get_by_label("1 new message").click();
    harness.run();
    harness.get_by_label("Clear message log");
}

/// A system without a dialog service.
struct NoService;

impl Dialogs for NoService {
    fn pick_to_open(&mut self, _filter_name: &str) -> Option<PathBuf> {
        None
    }

    fn pick_to_save(&mut self, _suggested_name: &str) -> Option<PathBuf> {
        None
    }
}

fn window_without_dialogs() -> Harness<'static, PlannerApp> {
    window_of(PlannerApp::with_dialogs_for_test(NoService))
}

fn type_path(harness: &mut Harness<'_, PlannerApp>, path: &Path) {
    run_until(harness, "a path can be typed", |it| {
        it.query_by_role_and_label(Role::TextInput, "Path").is_some()
    });
    harness.run();
    assert!(harness.query_by_label_contains("xdg-desktop-portal").is_some(), "a remedy is named");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    let field = harness.get_by_role_and_label(Role::TextInput, "Path");
    field.type_text(path.to_str().expect("text"));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
}

#[test]
fn without_a_file_dialog_a_preset_is_saved_and_opened_by_typing_its_path() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("typed.ron");
    let mut harness = window_without_dialogs();
    edit_sequence(&mut harness, 4096);
    command(&mut harness, Command::Run(Action::SaveAs));
    type_path(&mut harness, &folder.path().join("typed"));
    run_until(&mut harness, "it is saved", |it| !it.state().session().dirty);
    assert_eq!(saved_sequence(&path), 4096, "with the ending of presets");
    edit_sequence(&mut harness, 2048);
    command(&mut harness, Command::Run(Action::SaveAs));
    type_path(&mut harness, &path);
    run_until(&mut harness, "it asks", |it| it.query_by_label_contains("exists already").is_some());
    assert_eq!(saved_sequence(&path), 4096, "nothing is replaced without a word");
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Save").click();
    run_until(&mut harness, "it is replaced", |it| !it.state().session().dirty);
    assert_eq!(saved_sequence(&path), 2048);
    command(&mut harness, Command::Run(Action::New));
    command(&mut harness, Command::Run(Action::Open));
    type_path(&mut harness, &folder.path().join("missing.ron"));
    run_until(&mut harness, "it is said", |it| {
        it.query_by_label_contains("missing.ron does not exist").is_some()
    });
    type_path(&mut harness, &path);
    run_until(&mut harness, "it is open", |it| it.state().session().path.is_some());
    assert_eq!(harness.state().session().plan.workload.sequence, 2048);
    harness.run();
    assert!(harness.query_by_role_and_label(Role::TextInput, "Path").is_none(), "closed");
}

#[test]
fn a_save_that_is_given_up_leaves_the_changes_unsaved() {
    let mut harness = window_without_dialogs();
    edit_sequence(&mut harness, 4096);
    command(&mut harness, Command::Run(Action::Save));
    run_until(&mut harness, "a path can be typed", |it| it.query_by_label("Path").is_some());
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(harness.query_by_label("Path").is_none(), "closed");
    assert!(harness.state().session().dirty, "not saved");
}

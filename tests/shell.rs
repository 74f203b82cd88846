//! The frame of the window: menus, shortcuts, palette, undo, language, prompts.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use egui::{Key, Modifiers, Role};
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::{
    plan::{Field, Plan},
    text::Language,
    ui::{
        app::PlannerApp,
        command::{Action, Command},
    },
};

fn window_of(width: f32, height: f32) -> Harness<'static, PlannerApp> {
    let mut harness = Harness::builder()
        .with_size(egui::vec2(width, height))
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), PlannerApp::for_test());
    harness.run();
    harness
}

fn window() -> Harness<'static, PlannerApp> {
    window_of(1280.0, 800.0)
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

#[test]
fn undo_and_redo_work_by_keyboard() {
    let mut harness = window();
    edit_sequence(&mut harness, 4096);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default(), "taken back");
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    assert_eq!(harness.state().session().plan.workload.sequence, 4096, "made again");
}

#[test]
fn a_menu_item_does_what_its_shortcut_does() {
    let mut harness = window();
    edit_sequence(&mut harness, 4096);
    harness.get_by_label("Edit").click();
    harness.run();
    harness.get_by_label_contains("Undo").click();
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default());
}

#[test]
fn the_palette_finds_a_command_by_a_few_letters_and_enter_runs_it() {
    let mut harness = window();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Type a command").type_text("language 简体");
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session().texts.language(), Language::SimplifiedChinese);
    assert!(harness.query_by_role_and_label(Role::TextInput, "输入命令").is_none(), "it is closed");
}

#[test]
fn arrow_keys_move_through_the_palette_and_escape_closes_it() {
    let mut harness = window();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    harness.key_press(Key::ArrowDown);
    harness.key_press(Key::ArrowUp);
    harness.run();
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Type a command").is_none(), "closed");
}

#[test]
fn a_new_plan_asks_for_unsaved_changes_first() {
    let mut harness = window();
    edit_sequence(&mut harness, 4096);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().session().plan.workload.sequence, 4096, "nothing is lost");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run();
    harness.get_by_label("Don’t save").click();
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default(), "dropped when the person says so");
    assert!(!harness.state().session().dirty, "and nothing is left to save");
}

#[test]
fn an_example_opens_from_the_menu() {
    let mut harness = window();
    let examples = harness.state().session().examples();
    let title = examples.get(1).expect("an example").preset.title.clone();
    harness.get_by_label("File").click();
    harness.run();
    harness.get_by_label_contains("Examples").click();
    harness.run();
    harness.get_by_label(&title).click();
    harness.run();
    assert_eq!(harness.state().session().title, title);
    assert!(!harness.state().session().dirty, "an example as it is has no changes");
}

#[test]
fn the_language_can_be_changed_and_everything_stays_named() {
    let mut harness = window();
    harness.get_by_label("English").click();
    harness.run();
    harness.get_by_label("简体中文").click();
    harness.run();
    harness.get_by_label("文件").click();
    harness.run();
    harness.get_by_label_contains("新建方案");
}

#[test]
fn title_and_note_can_be_given() {
    let mut harness = window();
    harness.key_press(Key::F2);
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Title").type_text("My plan");
    harness.run();
    harness.get_by_label("OK").click();
    harness.run();
    assert_eq!(harness.state().session().title, "My plan");
    assert!(harness.state().session().dirty, "it is not saved yet");
}

#[test]
fn escape_closes_the_windows_one_after_the_other() {
    let mut harness = window();
    for action in [Action::ShowHelp, Action::ShowAbout] {
        command(&mut harness, Command::Run(action));
    }
    let shows = |it: &Harness<'_, PlannerApp>, text| it.query_by_label_contains(text).is_some();
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!shows(&harness, "A planner for GPU memory"), "the one on top goes first");
    assert!(shows(&harness, "Say what you have"), "the other stays");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!shows(&harness, "Say what you have"), "then the other");
}

#[test]
fn the_plan_is_undone_while_a_number_box_has_the_focus_and_nothing_is_typed() {
    let mut harness = window();
    edit_sequence(&mut harness, 4096);
    harness.get_by_role_and_label(Role::SpinButton, "Sequence").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default(), "taken back");
    harness.key_press(Key::Tab);
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default(), "and not brought back");
    harness.get_by_role_and_label(Role::SpinButton, "Sequence").focus();
    harness.run();
    harness.get_by_role_and_label(Role::SpinButton, "Sequence").type_text("7");
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    harness.run();
    assert_eq!(harness.state().session().plan, Plan::default(), "the field's own undo");
}

#[test]
fn the_note_of_an_example_stands_above_the_answer_until_it_is_dismissed() {
    let mut harness = window();
    let note = harness.state().session().examples()[0].preset.note.clone();
    let close = "Close note";
    command(&mut harness, Command::OpenExample(0));
    harness.get_by_label(&note);
    harness.get_by_label(close).click();
    harness.run();
    assert!(harness.query_by_label(&note).is_none(), "dismissed");
    command(&mut harness, Command::OpenExample(0));
    harness.get_by_label(close);
    command(&mut harness, Command::Run(Action::New));
    assert!(harness.query_by_label(close).is_none(), "another plan has no note");
}

#[test]
fn an_example_speaks_the_language_of_the_interface_when_it_is_opened() {
    let mut harness = window();
    command(&mut harness, Command::SetLanguage(Language::SimplifiedChinese));
    command(&mut harness, Command::OpenExample(0));
    let session = harness.state().session();
    assert_eq!(session.title, "在一块 24 GB 显卡上用 QLoRA 微调 8B");
    assert!(session.note.starts_with("在家里能微调"), "{}", session.note);
    assert_eq!(session.plan, session.examples()[0].preset.plan, "the plan is the same");
    assert!(!session.dirty, "nothing to save");
}

#[test]
fn tab_brings_what_is_below_in_the_answer_into_view_however_high_the_window_is() {
    for height in [360.0, 640.0] {
        let mut harness = window_of(1024.0, height);
        let mut walked = 0;
        for _ in 0..160 {
            harness.key_press(Key::Tab);
            harness.run();
            let focused = harness.ctx.memory(egui::Memory::focused);
            let rect = focused.and_then(|id| harness.ctx.read_response(id)).map(|it| it.rect);
            if let Some(rect) = rect.filter(|rect| rect.left() > 372.0) {
                let seen = rect.top() >= 0.0 && rect.bottom() <= height;
                assert!(seen, "out of sight in {height}: {rect:?}");
                walked += 1;
            }
        }
        assert!(walked > 20, "the answer was walked through: {walked}");
    }
}

#[test]
fn in_a_narrow_window_the_keys_of_the_tabs_show_the_answer() {
    let mut harness = window_of(640.0, 360.0);
    assert!(harness.query_by_label("Throughput").is_none(), "the plan is shown");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    harness.run();
    harness.get_by_role_and_label(Role::Tab, "Throughput");
}

fn wheel(harness: &mut Harness<'_, PlannerApp>, points: f32) {
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, -points),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(12); // the wheel is smoothed, and a tooltip may come up
}

#[test]
fn a_low_window_scrolls_verdict_and_tab_as_one_page() {
    let mut harness = window_of(512.0, 320.0);
    command(&mut harness, Command::Run(Action::ShowMemory));
    let tab = harness.get_by_role_and_label(Role::Tab, "Memory").rect();
    assert!(tab.height() >= 20.0, "not cut");
    let total = |it: &Harness<'_, PlannerApp>| it.get_by_label("Total on the GPU").rect();
    assert!(total(&harness).top() > 320.0, "below the edge at first");
    let before = total(&harness);
    harness.hover_at(egui::pos2(250.0, 270.0));
    wheel(&mut harness, 300.0);
    let (tab_moved, total_moved) = (
        tab.top() - harness.get_by_role_and_label(Role::Tab, "Memory").rect().top(),
        before.top() - total(&harness).top(),
    );
    assert!(tab_moved > 100.0, "the tabs scroll away: {tab_moved}");
    assert!((tab_moved - total_moved).abs() < 0.5, "with all that is below them");
    for _ in 0..20 {
        wheel(&mut harness, 2000.0);
    }
    let tab_top =
        |it: &Harness<'_, PlannerApp>| it.get_by_role_and_label(Role::Tab, "Memory").rect().top();
    let end = tab_top(&harness);
    wheel(&mut harness, 2000.0);
    assert!((tab_top(&harness) - end).abs() < 0.5, "there is an end to it");
}

#[test]
fn in_a_low_window_the_reasons_why_a_plan_cannot_run_end_where_they_end() {
    let mut harness = window_of(1024.0, 360.0);
    let mut plan = Plan::default();
    plan.hardware.gpus = 3;
    plan.parallelism.tensor = 2;
    command(&mut harness, Command::Edit { plan: Box::new(plan), field: Field::Gpus });
    let title = harness.get_by_label("This plan cannot run").rect();
    let end = harness.get_by_label_contains("There are no numbers until").rect();
    assert!(end.top() > title.bottom() && end.top() < 360.0, "{title:?} {end:?}");
}

#[test]
fn the_plan_panel_has_its_width_again_after_the_window_was_small() {
    let mut harness = window();
    let edge =
        |it: &Harness<'_, PlannerApp>| it.get_by_role_and_label(Role::Tab, "Memory").rect().left();
    let before = edge(&harness);
    for width in [780.0, 640.0, 780.0] {
        harness.set_size(egui::vec2(width, 700.0));
        harness.run();
    }
    assert!(edge(&harness) < before, "squeezed");
    harness.set_size(egui::vec2(1280.0, 800.0));
    harness.run();
    assert!((edge(&harness) - before).abs() < 0.5, "as before");
}

#[test]
fn tab_brings_the_focused_field_into_view() {
    let mut harness = window_of(1024.0, 500.0);
    for _ in 0..45 {
        harness.key_press(Key::Tab);
        harness.run();
        let focused = harness.ctx.memory(egui::Memory::focused);
        let rect = focused.and_then(|id| harness.ctx.read_response(id)).map(|it| it.rect);
        if let Some(rect) = rect.filter(|rect| rect.right() < 372.0) {
            assert!(rect.top() >= 0.0 && rect.bottom() <= 500.0, "out of sight: {rect:?}");
        }
    }
}

#[test]
fn windows_about_the_program_open_and_close() {
    let mut harness = window();
    for label in ["Guide", "About vramplan"] {
        harness.get_by_label("Help").click();
        harness.run();
        harness.get_by_label_contains(label).click();
        harness.run();
    }
    harness.get_by_label_contains("A planner for GPU memory");
    harness.key_press(Key::F1);
    harness.run();
    assert!(harness.query_by_label_contains("Say what you have").is_none(), "the guide is closed");
}

#[test]
fn a_window_that_nobody_touches_asks_for_no_frame() {
    for (width, height) in [(512.0, 320.0), (1024.0, 640.0), (1920.0, 1080.0)] {
        let mut harness = window_of(width, height);
        assert!(harness.run_ok().is_some_and(|frames| frames <= 2), "{width}×{height}");
        let soonest = harness.output().viewport_output.values().map(|it| it.repaint_delay).min();
        assert_eq!(
            soonest,
            Some(std::time::Duration::MAX),
            "{width}×{height}: no frame is asked for"
        );
    }
}

//! The newcomer's path through the whole window: choose, read the verdict, change one thing, read again.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use egui::{Key, Modifiers, Role, Shape};
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::{
    memory::{Part, StageMemory},
    plan::{Choice as _, Field, GpuChoice, ModelChoice, Plan},
    ui::{
        app::PlannerApp,
        session::{Answer, Session},
    },
    units::Bytes,
};

type Window = Harness<'static, PlannerApp>;

fn window_with(plan: Plan) -> Window {
    let mut window = Harness::builder()
        .with_size(egui::vec2(1440.0, 1200.0))
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(
            |ui, app: &mut PlannerApp| app.show(ui),
            PlannerApp::with_plan_for_test(plan),
        );
    window.run();
    window
}

/// A window whose plan is about something else than what the newcomer looks for.
fn window() -> Window {
    let mut plan = Plan::default();
    plan.hardware.gpu = GpuChoice::Catalogue("NVIDIA H100 80GB HBM3".to_owned());
    plan.model = ModelChoice::Catalogue("gpt2".to_owned());
    window_with(plan)
}

fn session(window: &Window) -> &Session {
    window.state().session()
}

/// The fullest stage of the plan that is shown.
fn worst(window: &Window) -> &StageMemory {
    let Answer::Ready(ready) = &session(window).answer else { panic!("the plan can run") };
    &ready.estimate.memory.stages[ready.estimate.memory.worst]
}

/// What a process can use on the card of the plan that is shown.
fn capacity(window: &Window) -> Bytes {
    let Answer::Ready(ready) = &session(window).answer else { panic!("the plan can run") };
    ready.estimate.memory.capacity
}

fn click(window: &mut Window, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).click();
    window.run();
}

/// Opens a searching combo box, types, and confirms with Enter.
fn search(window: &mut Window, combo: &str, prompt: &str, words: &str) {
    click(window, Role::ComboBox, combo);
    window.get_by_role_and_label(Role::TextInput, prompt).type_text(words);
    window.run();
    window.key_press(Key::Enter);
    window.run();
}

fn press(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.run();
}

/// Every text on the screen, and whether it is struck through.
fn painted(window: &Window) -> Vec<(String, bool)> {
    fn collect(shape: &Shape, texts: &mut Vec<(String, bool)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
            Shape::Text(text) => {
                let job = &text.galley.job;
                let struck = job.sections.iter().any(|part| part.format.strikethrough.width > 0.0);
                texts.push((job.text.clone(), struck));
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for clipped in &window.output().shapes {
        collect(&clipped.shape, &mut texts);
    }
    texts
}

fn sees(window: &Window, words: &str) -> bool {
    painted(window).iter().any(|(text, _)| text.contains(words))
}

fn choose_llama_on_a_4090(window: &mut Window) {
    search(window, "GPU", "Search by name, such as RTX 4090", "RTX 4090");
    search(window, "Model", "Search by name, or type a size such as 13B", "Llama 3.1 8B");
}

#[test]
fn full_fine_tuning_of_8b_does_not_fit_on_a_4090_and_qlora_does() {
    let mut window = window();
    choose_llama_on_a_4090(&mut window);
    click(&mut window, Role::RadioButton, "Full");
    assert!(window.query_by_role_and_label(Role::ComboBox, "Optimizer").is_some(), "a choice");
    assert!(sees(&window, "AdamW"), "the usual optimizer");

    window.get_by_label("Does not fit");
    window.get_by_label("short by this much");
    let memory = worst(&window);
    let states = [Part::Parameters, Part::Gradients, Part::OptimizerState];
    let bytes: u64 = states.iter().map(|part| memory.parts.get(*part).0).sum();
    assert!(bytes >= 8 * 8_030_000_000, "8 bytes for each parameter at least: {bytes}");
    let short = memory.total().gib_above(capacity(&window));
    assert!(short > 40.0, "{short} GiB short");
    assert!(sees(&window, &format!("{short:.2} GiB")), "and by how much: {short}");
    assert!(sees(&window, "over by"), "said at the bar as well");

    click(&mut window, Role::RadioButton, "QLoRA");
    window.get_by_label("Fits");
    window.get_by_label("headroom");
    assert!(window.query_by_label("short by this much").is_none(), "nothing is missing any more");
    assert!(painted(&window).iter().all(|(_, struck)| !struck), "its speed is reached");
}

#[test]
fn what_fills_the_memory_is_named_first_by_its_size() {
    let mut window = window();
    choose_llama_on_a_4090(&mut window);
    click(&mut window, Role::RadioButton, "Full");
    let worst = worst(&window);
    let largest = *Part::ALL.iter().max_by_key(|part| worst.parts.get(**part)).expect("parts");
    let name = session(&window).texts.get(largest.key()).into_owned();
    let size = worst.parts.get(largest).to_string();
    assert_eq!(largest, Part::OptimizerState, "two fp32 moments for each parameter");
    window.get_by_label_contains(&format!("{name}: {size}"));
    assert!(window.query_all_by_label_contains(&format!("{name} {size}")).next().is_some(), "bar");
}

#[test]
fn a_speed_that_is_not_reached_is_struck_through_and_says_why() {
    let mut window = window();
    choose_llama_on_a_4090(&mut window);
    click(&mut window, Role::RadioButton, "Full");
    window.get_by_label_contains("the speed is not reached");
    window.get_by_label_contains("is the largest part");
    let speeds: Vec<_> = painted(&window)
        .into_iter()
        .filter(|(text, _)| {
            text.ends_with("tokens/s") || text.ends_with("MFU") || text.starts_with("step ")
        })
        .collect();
    assert!(speeds.len() >= 3, "speed, utilisation and step are there: {speeds:?}");
    assert!(speeds.iter().all(|(_, struck)| *struck), "and all are struck through: {speeds:?}");
}

#[test]
fn undo_takes_the_method_back_and_the_verdict_with_it() {
    let mut window = window_with(Plan::default());
    window.get_by_label("Fits");
    click(&mut window, Role::RadioButton, "Full");
    window.get_by_label("Does not fit");
    press(&mut window, Key::Z);
    window.get_by_label("Fits");
    assert_eq!(session(&window).plan, Plan::default(), "the plan from before");
}

#[test]
fn a_pinned_plan_stays_as_a_ghost_with_the_difference() {
    let mut window = window_with(Plan::default());
    let before = worst(&window).total();
    press(&mut window, Key::P);
    let differs = |text: &str| text.starts_with('+') || text.starts_with('−');
    assert!(!painted(&window).iter().any(|(text, _)| differs(text)), "nothing differs yet");
    click(&mut window, Role::RadioButton, "LoRA");
    let after = worst(&window).total();
    assert!(after > before, "16-bit weights need more");
    let difference = vramplan::units::signed_gib(after.gib_above(before));
    assert!(difference.starts_with('+'), "more: {difference}");
    assert!(sees(&window, &difference), "the difference {difference} is on the screen");
    assert!(sees(&window, "pinned "), "the ghost has its name");
}

#[test]
fn the_language_is_switched_while_the_window_is_open() {
    let mut window = window_with(Plan::default());
    window.get_by_label("Fits");
    click(&mut window, Role::Button, "English");
    click(&mut window, Role::Button, "简体中文");
    window.get_by_label("放得下");
    assert!(window.query_by_label("Fits").is_none(), "no English verdict is left");
    click(&mut window, Role::RadioButton, "全量");
    window.get_by_label("放不下");
}

#[test]
fn a_plan_that_cannot_run_says_so_at_its_field_and_shows_no_number() {
    let mut plan = Plan::default();
    plan.parallelism.tensor = 3;
    let window = window_with(plan);
    window.get_by_label("This plan cannot run");
    let session = session(&window);
    assert!(matches!(session.answer, Answer::Invalid(_)), "no estimate is kept");
    let issue = session.issues_at(Field::Tensor).next().expect("an issue at the field");
    let text = session.texts.message(&issue.message);
    // Once under the field, once where the verdict would be.
    assert!(window.query_all_by_label_contains(&text).count() >= 2, "said twice: {text}");
    let slider = window.get_by_role_and_label(Role::Slider, "Tensor").rect();
    let below = window.query_all_by_label_contains(&text).any(|node| {
        node.rect().top() >= slider.top() && node.rect().top() < slider.bottom() + 40.0
    });
    assert!(below, "right below the field");
    for (number, _) in painted(&window) {
        let is_answer = number.contains("tokens/s") || number.contains("MFU");
        assert!(!is_answer, "no speed without an estimate: {number}");
    }
    assert!(!sees(&window, "headroom"), "no memory without an estimate");
    assert!(!sees(&window, "of 23.99 GiB"), "no memory without an estimate");
}

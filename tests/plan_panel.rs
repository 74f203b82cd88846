//! The left side of the window, driven by label as a person would.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use egui::{Key, Role};
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::{
    plan::{
        Field, GpuChoice, Issue, Method, ModelChoice, OptimizerKind, Plan, Recipe, Task,
        WeightFormat,
    },
    ui::{app::PlannerApp, command::Command},
};

type Window = Harness<'static, PlannerApp>;

fn window() -> Window {
    let mut harness = Harness::builder()
        .with_size(egui::vec2(1280.0, 1600.0))
        .with_context_setup(vramplan::ui::install)
        .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), PlannerApp::for_test());
    harness.run();
    harness
}

fn plan(window: &Window) -> &Plan {
    &window.state().session().plan
}

fn edit(window: &mut Window, field: Field, change: impl FnOnce(&mut Plan)) {
    let mut plan = plan(window).clone();
    change(&mut plan);
    let ctx = window.ctx.clone();
    window.state_mut().run_command(&ctx, Command::Edit { plan: Box::new(plan), field });
    window.run();
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

const GPU_PROMPT: &str = "Search by name, such as RTX 4090";
const MODEL_PROMPT: &str = "Search by name, or type a size such as 13B";

fn choose(window: &mut Window, combo: &str, item: &str) {
    click(window, Role::ComboBox, combo);
    click(window, Role::Button, item);
}

#[test]
fn a_card_is_found_by_a_few_words_and_chosen_with_enter() {
    let mut window = window();
    search(&mut window, "GPU", GPU_PROMPT, "h100 sxm");
    let GpuChoice::Catalogue(name) = &plan(&window).hardware.gpu else {
        panic!("still a card of the catalogue");
    };
    assert!(name.contains("H100"), "found {name}");
    search(&mut window, "GPU", GPU_PROMPT, "rtx 4090");
    let wanted = GpuChoice::Catalogue("NVIDIA GeForce RTX 4090".to_owned());
    assert_eq!(plan(&window).hardware.gpu, wanted, "not a variant of it");
    assert!(window.query_by_role_and_label(Role::TextInput, GPU_PROMPT).is_none(), "it is closed");
}

#[test]
fn a_model_is_found_by_its_name() {
    let mut window = window();
    search(&mut window, "Model", MODEL_PROMPT, "llama 3.1 70b");
    assert_eq!(plan(&window).model, ModelChoice::Catalogue("llama-3.1-70b".to_owned()));
    assert!(window.query_by_label("70.6 B parameters · 80 layers · 64/8 heads").is_some());
    search(&mut window, "Model", MODEL_PROMPT, "Llama 3.1 8B");
    assert_eq!(plan(&window).model, ModelChoice::Catalogue("llama-3.1-8b".to_owned()));
}

#[test]
fn arrow_keys_move_through_the_list_and_escape_leaves_the_plan_alone() {
    let mut window = window();
    click(&mut window, Role::ComboBox, "Model");
    window.get_by_role_and_label(Role::TextInput, MODEL_PROMPT).type_text("llama 3.1");
    window.run();
    window.key_press(Key::ArrowDown);
    window.run();
    window.key_press(Key::Enter);
    window.run();
    assert_ne!(plan(&window).model, ModelChoice::default(), "the second match was chosen");
    let chosen = plan(&window).model.clone();
    click(&mut window, Role::ComboBox, "Model");
    window.key_press(Key::Escape);
    window.run();
    assert_eq!(plan(&window).model, chosen, "nothing was chosen");
    assert!(window.query_by_role_and_label(Role::TextInput, MODEL_PROMPT).is_none(), "closed");
}

#[test]
fn a_size_typed_into_the_search_proposes_a_model_and_says_so() {
    let mut window = window();
    search(&mut window, "Model", MODEL_PROMPT, "13.7B");
    let ModelChoice::Custom(model) = &plan(&window).model else { panic!("a model of one's own") };
    assert_eq!(model.proposed_from.as_deref(), Some("13.7B"));
    assert!(window.query_by_label_contains("a plausible shape").is_some(), "it is said");
    click(&mut window, Role::Link, "Back to the catalogue");
    assert_eq!(plan(&window).model, ModelChoice::default(), "the model from before");
}

#[test]
fn what_is_not_a_size_is_refused_beside_the_field() {
    let mut window = window();
    click(&mut window, Role::Link, "Customise this model");
    let own = plan(&window).model.clone();
    for (words, reason) in [("thirteen", "This is not a size"), ("99T", "Sizes from 1M to 10T")] {
        let field = window.get_by_role_and_label(Role::TextInput, "From a size");
        field.focus();
        window.run();
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.get_by_role_and_label(Role::TextInput, "From a size").type_text(words);
        window.run();
        click(&mut window, Role::Button, "Propose");
        assert!(window.query_by_label_contains(reason).is_some(), "{words} is refused");
        assert_eq!(plan(&window).model, own, "and changes nothing");
    }
    window.get_by_role_and_label(Role::TextInput, "From a size").focus();
    window.run();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::TextInput, "From a size").type_text("13B");
    window.run();
    click(&mut window, Role::Button, "Propose");
    assert!(window.query_by_label_contains("a plausible shape with 13,015,864,320").is_some());
    let ModelChoice::Custom(model) = &plan(&window).model else { panic!("a model of one's own") };
    assert_eq!((model.architecture.layers, model.architecture.ffn), (40, 13_824), "as Llama 2");
}

#[test]
fn an_issue_names_a_field_by_its_label() {
    let mut window = window();
    click(&mut window, Role::Link, "Customise this model");
    edit(&mut window, Field::Architecture, |plan| {
        if let ModelChoice::Custom(model) = &mut plan.model {
            model.architecture.kv_heads = 5;
        }
    });
    assert!(window.query_all_by_label_contains("“Key heads”").next().is_some(), "the label");
}

#[test]
fn no_line_comes_or_goes_while_something_is_dragged() {
    let mut window = window();
    edit(&mut window, Field::Gpus, |plan| plan.hardware.gpus = 8);
    let below = |it: &Window| it.get_by_role_and_label(Role::ComboBox, "Checkpoint").rect().top();
    let calm = below(&window);
    let place = window.get_by_role_and_label(Role::Slider, "Tensor").rect();
    window.drag_at(place.left_center() + egui::vec2(8.0, 0.0));
    window.run();
    edit(&mut window, Field::Tensor, |plan| plan.parallelism.tensor = 3);
    assert!((below(&window) - calm).abs() < 0.5, "nothing moves under the pointer");
    window.drop_at(place.left_center() + egui::vec2(8.0, 0.0));
    window.run();
    edit(&mut window, Field::Tensor, |plan| plan.parallelism.tensor = 3);
    assert!(below(&window) > calm, "the text comes afterwards");
}

#[test]
fn a_newcomer_switches_from_qlora_to_full_fine_tuning_and_back() {
    let mut window = window();
    click(&mut window, Role::RadioButton, "Full");
    assert_eq!(plan(&window).workload.method, Method::Full);
    assert_eq!(plan(&window).precision.weight_format, WeightFormat::Bf16, "16-bit weights again");
    assert!(window.query_by_role_and_label(Role::ComboBox, "Recipe").is_some(), "recipes apply");
    click(&mut window, Role::RadioButton, "QLoRA");
    assert_eq!(plan(&window).workload.method, Method::Qlora);
    assert_eq!(plan(&window).precision.weight_format, WeightFormat::Nf4Double, "4 bits again");
}

#[test]
fn a_format_that_suits_the_method_is_left_alone() {
    let mut window = window();
    edit(&mut window, Field::WeightFormat, |plan| {
        plan.precision.weight_format = WeightFormat::Fp16;
        plan.workload.method = Method::Lora;
    });
    click(&mut window, Role::RadioButton, "Full");
    assert_eq!(plan(&window).precision.weight_format, WeightFormat::Fp16);
}

#[test]
fn a_recipe_sets_all_its_formats() {
    let mut window = window();
    click(&mut window, Role::RadioButton, "Full");
    choose(&mut window, "Recipe", "bf16, fp32 gradients");
    assert_eq!(Recipe::of(&plan(&window).precision), Recipe::Bf16MasterFp32Grads);
}

#[test]
fn an_optimizer_is_chosen_from_its_list() {
    let mut window = window();
    choose(&mut window, "Optimizer", "AdamW, 8-bit");
    assert_eq!(plan(&window).optimizer.kind, OptimizerKind::AdamW8bit);
}

#[test]
fn arrow_keys_move_a_slider_by_powers_of_two() {
    let mut window = window();
    let slider = window.get_by_role_and_label(Role::Slider, "Sequence");
    slider.focus();
    window.run();
    window.key_press(Key::ArrowRight);
    window.run();
    assert_eq!(plan(&window).workload.sequence, 4096, "one step up");
    window.key_press(Key::ArrowLeft);
    window.run();
    window.key_press(Key::ArrowLeft);
    window.run();
    assert_eq!(plan(&window).workload.sequence, 1024, "two steps down");
}

#[test]
fn any_size_can_be_typed_beside_its_slider() {
    let mut window = window();
    window.get_by_role_and_label(Role::SpinButton, "Sequence").focus();
    window.run();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::SpinButton, "Sequence").type_text("3,000");
    window.run();
    assert_eq!(plan(&window).workload.sequence, 2048, "not while typing");
    window.key_press(Key::Enter);
    window.run();
    assert_eq!(plan(&window).workload.sequence, 3000, "a value between the steps");
}

#[test]
fn a_value_from_a_file_is_shown_as_it_is() {
    let mut window = window();
    edit(&mut window, Field::Sequence, |plan| plan.workload.sequence = 3_000_001);
    window.run_steps(3);
    assert_eq!(plan(&window).workload.sequence, 3_000_001, "not pulled into the slider's range");
}

#[test]
fn an_issue_stands_under_its_field_and_nothing_becomes_unreachable() {
    let mut window = window();
    edit(&mut window, Field::Tensor, |plan| plan.parallelism.tensor = 3);
    let issues: Vec<Issue> = window.state().session().issues().to_vec();
    assert!(!issues.is_empty(), "three ranks do not divide one GPU");
    for issue in issues {
        let text = window.state().session().texts.message(&issue.message);
        assert!(window.query_all_by_label_contains(&text).next().is_some(), "shown: {text}");
    }
    let slider = window.get_by_role_and_label(Role::Slider, "Tensor");
    slider.focus();
    window.run();
    for _ in 0..2 {
        window.key_press(Key::ArrowLeft);
        window.run();
    }
    assert_eq!(plan(&window).parallelism.tensor, 1, "the slider mends it");
}

#[test]
fn serving_shows_its_own_fields_and_hides_those_of_training() {
    let mut window = window();
    click(&mut window, Role::RadioButton, "Inference");
    assert_eq!(plan(&window).workload.task, Task::Inference);
    assert!(window.query_by_role_and_label(Role::Slider, "Prompt").is_some(), "lengths of serving");
    assert!(window.query_by_role_and_label(Role::ComboBox, "Optimizer").is_none(), "no optimizer");
    assert!(
        window.query_by_role_and_label(Role::Slider, "Micro-batch").is_none(),
        "no micro-batch"
    );
}

#[test]
fn the_advanced_fold_counts_what_was_changed() {
    let mut window = window();
    assert!(window.query_by_label_contains("settings at their defaults").is_some(), "at first");
    edit(&mut window, Field::ClipGradients, |plan| plan.optimizer.clip_gradients = false);
    let fold = window.get_by_label_contains("Advanced (1 of");
    fold.click();
    window.run();
    click(&mut window, Role::CheckBox, "Clip the gradient norm");
    assert_eq!(*plan(&window), Plan::default(), "checked again");
}

#[test]
fn a_group_goes_back_to_its_defaults() {
    let mut window = window();
    edit(&mut window, Field::Sequence, |plan| plan.workload.sequence = 512);
    click(&mut window, Role::Button, "Reset group: Workload");
    assert_eq!(*plan(&window), Plan::default());
}

#[test]
fn a_group_folds_and_still_shows_what_is_wrong_in_it() {
    let mut window = window();
    click(&mut window, Role::DisclosureTriangle, "Workload");
    assert!(window.query_by_role_and_label(Role::Slider, "Sequence").is_none(), "folded");
    edit(&mut window, Field::Sequence, |plan| plan.workload.sequence = 0);
    assert!(window.query_by_role_and_label(Role::Slider, "Sequence").is_some(), "can be mended");
}

#[test]
fn a_card_of_ones_own_follows_rate_times_width() {
    let mut window = window();
    click(&mut window, Role::Link, "Customise this card");
    assert!(window.query_by_label_contains("21 Gbit/s × 384 bit / 8 = 1,008 GB/s").is_some());
    window.get_by_role_and_label(Role::SpinButton, "Bus width").focus();
    window.run();
    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.get_by_role_and_label(Role::SpinButton, "Bus width").type_text("512");
    window.key_press(Key::Enter);
    window.run();
    let GpuChoice::Custom(gpu) = &plan(&window).hardware.gpu else { panic!("a card of one's own") };
    assert!((gpu.bandwidth_gbps - 1344.0).abs() < 0.5, "{} GB/s", gpu.bandwidth_gbps);
    click(&mut window, Role::Link, "Back to the catalogue");
    assert_eq!(*plan(&window), Plan::default(), "as before");
}

#[test]
fn every_field_has_a_name_for_screen_readers() {
    // The harness fails on an input without one after every run.
    for (task, method) in [
        (Task::Training, Method::Full),
        (Task::Training, Method::Qlora),
        (Task::Inference, Method::Full),
    ] {
        let mut window = Harness::builder()
            .with_size(egui::vec2(1280.0, 4000.0))
            .with_context_setup(vramplan::ui::install)
            .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), PlannerApp::for_test());
        window.run();
        edit(&mut window, Field::Task, |plan| {
            plan.workload.task = task;
            plan.workload.method = method;
            plan.hardware.gpus = 8;
        });
        window.get_by_label_contains("Advanced (").click();
        window.run();
        click(&mut window, Role::Link, "Customise this card");
        click(&mut window, Role::Link, "Customise this model");
        window.get_by_label_contains("More of the architecture").click();
        window.run();
        for part in
            ["Mixture of experts", "Latent attention (DeepSeek)", "Sliding-window attention"]
        {
            click(&mut window, Role::CheckBox, part);
        }
    }
}

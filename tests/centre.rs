//! The centre of the window, driven by what a person reads in it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[path = "support/fixture.rs"]
mod fixture;

use egui_kittest::{
    Harness,
    kittest::{AccessKitNode, NodeT as _, Queryable as _},
};
use vramplan::{
    memory::Part,
    message::Message,
    plan::{Choice as _, Field, Issue},
    text::{Language, Texts},
    throughput::Figures,
    ui::{
        command::{Action, Command, Tab},
        fonts,
        panels::centre_ui,
        session::{Answer, Pinned, Ready, Session},
        theme,
    },
};

const H100_MIB: u64 = 81_559;
const RTX_4090_MIB: u64 = 24_564;

struct State {
    session: Session,
    commands: Vec<Command>,
}

fn session(answer: Answer) -> Session {
    let mut session = Session::for_test();
    session.answer = answer;
    session
}

fn shown(ready: Ready) -> Session {
    session(Answer::Ready(Box::new(ready)))
}

fn harness_sized(session: Session, size: egui::Vec2) -> Harness<'static, State> {
    let state = State { session, commands: Vec::new() };
    let mut harness = Harness::builder()
        .with_size(size)
        .with_context_setup(|ctx| {
            fonts::install(ctx);
            theme::install(ctx);
        })
        .build_ui_state(
            |ui, state: &mut State| {
                egui::CentralPanel::default()
                    .show(ui, |ui| centre_ui(ui, &state.session, &mut state.commands));
            },
            state,
        );
    harness.run();
    harness
}

fn harness(session: Session) -> Harness<'static, State> {
    harness_sized(session, egui::vec2(920.0, 1400.0))
}

/// All that a person reads or a screen reader says, in one text.
fn everything(harness: &Harness<'_, State>) -> String {
    let mut all = String::new();
    for node in harness.root().children_recursive() {
        let node = node.accesskit_node();
        for text in [node.label(), node.value()].into_iter().flatten() {
            all.push_str(&text);
            all.push('\n');
        }
    }
    all
}

/// Every text that is painted.
fn painted(harness: &Harness<'_, State>) -> Vec<String> {
    fn collect(shape: &egui::Shape, texts: &mut Vec<String>) {
        match shape {
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
            egui::Shape::Text(text) => texts.push(text.galley.job.text.clone()),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for clipped in &harness.output().shapes {
        collect(&clipped.shape, &mut texts);
    }
    texts
}

#[test]
fn a_plan_that_fits_says_so_with_headroom_and_speed() {
    let harness = harness(shown(fixture::ready(4, H100_MIB, fixture::training())));
    harness.get_by_label("Fits");
    harness.get_by_label("headroom");
    harness.get_by_label("742 tokens/s");
    harness.get_by_label("37 % MFU");
}

#[test]
fn a_plan_that_does_not_fit_says_by_how_much_and_that_its_speed_is_not_reached() {
    let harness = harness(shown(fixture::ready(4, RTX_4090_MIB, fixture::training())));
    harness.get_by_label("Does not fit");
    harness.get_by_label("short by this much");
    harness.get_by_label_contains("Logits and loss 9.40 GiB is the largest part");
}

#[test]
fn a_plan_that_cannot_run_lists_its_problems_and_shows_no_number() {
    let issue = Issue::error(Field::Tensor, Message::new("action-undo"));
    let harness = harness(session(Answer::Invalid(vec![issue])));
    harness.get_by_label("This plan cannot run");
    let text = everything(&harness);
    assert!(!text.contains("GiB"), "no memory without an estimate: {text}");
    assert!(!text.contains("tokens/s"), "no speed without an estimate: {text}");
}

#[test]
fn every_segment_has_a_name_and_a_value() {
    let harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label("Gradients 8.20 GiB, 24 %");
}

#[test]
fn segments_take_the_keyboards_focus_one_after_the_other() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Parameters 4.10 GiB").focus();
    harness.run();
    harness.key_press(egui::Key::Tab);
    harness.run();
    let next = harness.get_by_role_and_label(egui::Role::Button, "Gradients 8.20 GiB, 24 %");
    assert!(next.is_focused(), "Tab moves to the next segment");
}

#[test]
fn clicking_a_segment_selects_its_stage() {
    let mut harness = harness(shown(fixture::ready(4, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Stage 2: Gradients").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::SelectStage(Some(2))], "the third stage");
}

#[test]
fn clicking_a_row_opens_its_details_and_closing_them_hides_them() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Gradients: 8.20 GiB").click();
    harness.run();
    harness.get_by_label_contains("Source: definition");
    harness.get_by_label("bytes for each");
    harness.get_by_label("Close").click();
    harness.run();
    assert!(harness.query_by_label("bytes for each").is_none(), "the details are closed");
}

#[test]
fn the_table_sums_to_the_total_of_the_bar() {
    let ready = fixture::ready(1, H100_MIB, fixture::training());
    let total = ready.estimate.memory.stages[0].total().to_string();
    let harness = harness(shown(ready));
    harness.get_by_label(&format!("Total on the GPU: {total}"));
}

#[test]
fn sixty_four_stages_show_the_worst_the_first_the_last_and_a_strip_of_all() {
    let mut harness = harness(shown(fixture::ready(64, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Stage 0: Gradients");
    harness.get_by_label_contains("Stage 63: Gradients");
    assert!(harness.query_by_label_contains("Stage 30: Gradients").is_none(), "not all of them");
    harness.get_by_label("All pipeline stages").focus();
    harness.run();
    harness.key_press(egui::Key::ArrowRight);
    harness.run();
    assert!(
        harness.state().commands.contains(&Command::SelectStage(Some(1))),
        "the arrow keys move the choice"
    );
}

#[test]
fn a_pinned_plan_is_compared_in_the_bar_and_in_the_table() {
    let mut session = shown(fixture::ready(1, H100_MIB, fixture::training()));
    let mut before = fixture::ready(1, H100_MIB, fixture::training()).estimate;
    before.memory.stages[0].parts.add(Part::Gradients, vramplan::units::Bytes(2 << 30));
    session.pinned =
        Some(Pinned { plan: session.plan.clone(), title: "before".into(), estimate: before });
    let mut harness = harness(session);
    harness.get_by_label("Gradients 8.20 GiB, 24 %").hover();
    harness.run();
    harness.run();
    assert!(everything(&harness).contains("−2.00"), "the difference is shown");
}

#[test]
fn the_timeline_can_be_read_without_seeing_it() {
    let harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Memory over one step; peak");
    harness.get_by_label("start of backward: 34.73 GiB");
}

#[test]
fn the_tooltip_of_a_moment_is_below_the_figure_or_beside_the_column_and_never_above() {
    for height in [1400.0, 820.0] {
        let ready = fixture::ready(1, H100_MIB, fixture::training());
        let mut harness = harness_sized(shown(ready), egui::vec2(920.0, height));
        let moment = |node: &AccessKitNode<'_>| {
            let text = node.label().unwrap_or_default();
            node.role() == egui::Role::Image && text.contains("start of backward")
        };
        let column = harness.get_by(moment).rect();
        harness.get_by(moment).hover();
        harness.run();
        harness.run();
        let tip = harness.get_by_label_contains("All activations are still kept").rect();
        let below = tip.top() >= column.bottom();
        let beside = tip.left() >= column.right() || tip.right() <= column.left();
        assert_eq!((below, beside), (height > 1000.0, height < 1000.0), "{column:?} {tip:?}");
    }
}

#[test]
fn the_tabs_ask_for_their_tab() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label("Throughput").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::Run(Action::ShowThroughput)], "one command");
}

#[test]
fn the_throughput_tab_says_where_the_time_goes_and_what_it_rests_on() {
    let mut session = shown(fixture::ready(4, H100_MIB, fixture::training()));
    session.tab = Tab::Throughput;
    let harness = harness(session);
    harness.get_by_label_contains("Bound by: Arithmetic");
    harness.get_by_label_contains("Arithmetic 11.50 s, 62 %");
    harness.get_by_label_contains("Matrix products: 9.10 s");
    harness.get_by_label_contains("of peak arithmetic, matrix products: 66 %");
}

#[test]
fn serving_shows_its_own_figures() {
    let mut session = shown(fixture::ready(1, H100_MIB, fixture::serving()));
    session.tab = Tab::Throughput;
    let harness = harness(session);
    harness.get_by_label("generated, one user");
    harness.get_by_label("ceiling, all sequences");
}

#[test]
fn serving_speaks_of_weights_and_cache_and_not_of_steps() {
    for stages in [1, 4] {
        let harness = harness(shown(fixture::ready(stages, H100_MIB, fixture::serving())));
        harness.get_by_label_contains("From prompt to last token");
        harness.get_by_label_contains("4.10 GiB weights");
        let text = everything(&harness);
        for word in ["saved for backward", "between steps", "One step"] {
            assert!(!text.contains(word), "“{word}” in {text}");
        }
    }
}

#[test]
fn an_unknown_cost_names_the_field_that_sets_it() {
    let mut session = shown(fixture::ready(1, H100_MIB, fixture::training()));
    session.tab = Tab::Throughput;
    let field = session.texts.get(Field::Price.key()).into_owned();
    let Answer::Ready(ready) = &mut session.answer else { panic!("it can run") };
    let Figures::Training(figures) = &mut ready.estimate.speed.figures else { panic!("training") };
    figures.cost_usd = None;
    figures.gpu_hours = 0.17;
    let harness = harness(session);
    harness.get_by_label(&format!("set “{field}”"));
    harness.get_by_label("0.2");
}

#[test]
fn an_operation_without_arithmetic_has_no_figures_of_it() {
    let mut session = shown(fixture::ready(1, H100_MIB, fixture::training()));
    session.tab = Tab::Throughput;
    let Answer::Ready(ready) = &mut session.answer else { panic!("it can run") };
    for operation in &mut ready.estimate.speed.operations {
        operation.flops = vramplan::units::Flops(0.0);
    }
    let count = ready.estimate.speed.operations.len();
    let harness = harness(session);
    let dashes = painted(&harness).into_iter().filter(|text| text == "—").count();
    assert_eq!(dashes, 2 * count, "work and intensity of every operation");
}

#[test]
fn the_details_of_a_part_do_not_move_the_timeline() {
    let ready = fixture::ready(1, H100_MIB, fixture::training());
    let mut harness = harness_sized(shown(ready), egui::vec2(880.0, 900.0));
    let top = |harness: &Harness<'_, State>| harness.get_by_label("One step").rect().top();
    let before = top(&harness);
    harness.get_by_label_contains("Gradients: 8.20 GiB").click();
    harness.run();
    harness.get_by_label("Close");
    let moved = top(&harness) - before;
    assert!(moved.abs() < 1.0, "{moved} points");
}

/// Unfolds the list of saved tensors.
fn unfold_saved(harness: &mut Harness<'_, State>) {
    harness.get_by_label("Saved tensors of a block").click();
    harness.run();
}

#[test]
fn the_saved_tensors_of_a_block_are_listed_with_shape_size_and_what_divides_them() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    let row = "Gate: 8.0 MiB; T·f = 2,048 × 16,384, 2 bytes each; \
               tensor ÷ 8 · recomputed · Feed-forward activations";
    assert!(harness.query_by_label(row).is_none(), "folded at first");
    unfold_saved(&mut harness);
    harness.get_by_label(row);
    harness.get_by_label_contains("Input of the block: 16.0 MiB; T·h = 2,048 × 4,096");
    harness.get_by_label_contains("T = 2,048 tokens of one micro-batch");
    harness.get_by_label_contains("autocast keeps 16-bit copies");
    unfold_saved(&mut harness);
    assert!(harness.query_by_label(row).is_none(), "folded again");
}

#[test]
fn the_sums_of_the_saved_tensors_are_there_while_the_list_is_folded() {
    let ready = fixture::ready(1, H100_MIB, fixture::training());
    let again = ready.saved.blocks[0].total(false).to_string();
    let mut harness = harness(shown(ready));
    harness
        .get_by_label(&format!("16.0 MiB kept · {again} recomputed · one block, one micro-batch"));
    unfold_saved(&mut harness);
    harness.get_by_label("Kept by one block: 16.0 MiB");
    harness.get_by_label(&format!("Recomputed by one block: {again}"));
}

#[test]
fn a_model_with_experts_shows_either_kind_of_block() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    unfold_saved(&mut harness);
    assert!(harness.query_by_label_contains("Tokens in expert order").is_none(), "dense first");
    harness.get_by_label("Block with experts").click();
    harness.run();
    harness.get_by_label_contains("Tokens in expert order: ");
    assert!(harness.query_by_label_contains("Gate: ").is_none(), "the other list");
}

#[test]
fn the_details_of_an_activation_part_lead_to_the_list() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label_contains("Gradients: 8.20 GiB").click();
    harness.run();
    let link = "List every saved tensor of a block";
    assert!(harness.query_by_label(link).is_none(), "gradients are not saved tensors");
    harness.get_by_label_contains("Feed-forward activations: ").click();
    harness.run();
    harness.get_by_label(link).click();
    harness.run();
    harness.get_by_label_contains("Gate: 8.0 MiB");
}

#[test]
fn a_saved_tensor_explains_itself_when_it_is_hovered() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    unfold_saved(&mut harness);
    harness.get_by_label_contains("Gate: 8.0 MiB").hover();
    harness.run();
    harness.run();
    harness.get_by_label("2,048 × 16,384 × 2 B ÷ 8 = 8.0 MiB");
    harness.get_by_label("Divided over the tensor-parallel group.");
}

#[test]
fn serving_has_no_saved_tensors() {
    let harness = harness(shown(fixture::ready(1, H100_MIB, fixture::serving())));
    assert!(harness.query_by_label("Saved tensors of a block").is_none(), "no backward, no list");
}

#[test]
fn the_assumptions_stand_above_the_table_and_explain_themselves() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label("Assumes:");
    harness.get_by_label("capacity as drivers report it");
    harness.get_by_label("separate kernels").hover();
    harness.run();
    harness.run();
    harness.get_by_label_contains("as the Hugging Face models write them");
}

#[test]
fn the_band_says_what_it_is_made_of_when_it_is_hovered() {
    let mut harness = harness(shown(fixture::ready(1, H100_MIB, fixture::training())));
    harness.get_by_label_contains("GiB possible").hover();
    harness.run();
    harness.run();
    harness.get_by_label_contains("Live tensors that come and go within a step: ± 3 %");
    harness.get_by_label_contains("“Fits” means that the high end fits");
}

#[test]
fn every_size_theme_language_and_tab_lays_out_without_a_missing_glyph_or_text() {
    for language in [Language::English, Language::SimplifiedChinese] {
        for tab in [Tab::Memory, Tab::Throughput] {
            for (stages, width) in [(1, 660.0), (4, 920.0), (64, 1560.0)] {
                let mut session = shown(fixture::ready(stages, RTX_4090_MIB, fixture::training()));
                session.texts = Texts::new(language);
                session.tab = tab;
                let title = session.texts.get("saved-title").into_owned();
                let mut harness = harness_sized(session, egui::vec2(width, 560.0));
                if tab == Tab::Memory {
                    harness.get_by_label(&title).click();
                    harness.run();
                }
                let text = everything(&harness);
                for prefix in [
                    "verdict-", "part-", "bar-", "time-", "bound-", "speed-", "moment-", "table-",
                    "saved-", "split-", "layer-", "assume-",
                ] {
                    let key = text.lines().find(|line| line.starts_with(prefix));
                    assert_eq!(key, None, "a text is missing in {language:?}");
                }
            }
        }
    }
}

#[test]
fn nothing_reaches_beyond_the_window_with_or_without_details() {
    for width in [660.0, 920.0, 1560.0] {
        let ready = fixture::ready(4, RTX_4090_MIB, fixture::training());
        let mut harness = harness_sized(shown(ready), egui::vec2(width, 1400.0));
        for details in [false, true] {
            if details {
                harness.get_by_label_contains("Gradients: 8.20 GiB").click();
                harness.run();
                harness.get_by_label("Close");
                unfold_saved(&mut harness);
            }
            for node in harness.root().children_recursive() {
                let node = node.accesskit_node();
                let right = node.raw_bounds().map_or(0.0, |bounds| bounds.x1);
                assert!(
                    right <= f64::from(width) + 1.0,
                    "{:?} reaches to {right} of {width}",
                    node.label()
                );
            }
        }
    }
}

#[test]
#[ignore = "prints a time; run it alone on an idle machine"]
fn a_frame_of_the_centre_takes() {
    let mut harness = harness_sized(
        shown(fixture::ready(4, RTX_4090_MIB, fixture::training())),
        egui::vec2(1560.0, 1000.0),
    );
    let start = std::time::Instant::now();
    for _ in 0..200 {
        harness.step();
    }
    println!("{:?} a frame", start.elapsed() / 200);
}

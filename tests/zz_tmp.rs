use egui::{Key, Role};
use egui_kittest::{Harness, kittest::Queryable as _};
use vramplan::ui::app::PlannerApp;
#[test]
fn dbg() {
    let mut w = Harness::builder().with_size(egui::vec2(1280.0, 1600.0)).with_context_setup(vramplan::ui::install)
        .build_ui_state(|ui, app: &mut PlannerApp| app.show(ui), PlannerApp::for_test());
    w.run();
    w.get_by_role_and_label(Role::ComboBox, "Model").click();
    for i in 0..6 { w.step(); let f=w.ctx.memory(egui::Memory::focused); eprintln!("{i} focus {:?} n={} rows {}", f, w.query_all_by_role(Role::TextInput).count(), w.query_all_by_role(Role::ListBoxOption).count()); }
    w.run();
    eprintln!("focused {}", w.get_by_role(Role::TextInput).is_focused());
    w.get_by_role(Role::TextInput).type_text("llama 3.1 70b");
    for i in 0..4 { w.step(); eprintln!("{i} value {:?} rows {}", w.get_by_role(Role::TextInput).value(), w.query_all_by_role(Role::ListBoxOption).count()); }
    w.key_press(Key::Enter);
    for i in 0..4 { w.step(); eprintln!("{i} model {:?} n {}", w.state().session().plan.model, w.query_all_by_role(Role::TextInput).count()); }
}

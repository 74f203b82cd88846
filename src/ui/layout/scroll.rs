//! Scrolling: what has the keyboard focus comes into view, and a small centre scrolls as one page.

use egui::{Id, Key, ScrollArea, Ui, UiBuilder, vec2};

/// Fills the room that is left with contents whose state (folds, scroll offset) stays theirs wherever
/// in the window they stand. Contents that are too wide are cut; they do not push the panel's edge.
pub(super) fn fill(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    let place = ui.available_rect_before_wrap();
    add(&mut ui.new_child(UiBuilder::new().scope_id(Id::unique(name)).max_rect(place)));
    ui.advance_cursor_after_rect(place);
}

/// Scrolls to a widget that a key has given the focus; to be called inside the scroll area, after its
/// contents.
pub(in crate::ui) fn scroll_to_new_focus(ui: &Ui, name: &str) {
    let id = Id::unique(name).with("last focus");
    let focused = ui.memory(egui::Memory::focused);
    let last: Option<Id> = ui.data(|data| data.get_temp::<Option<Id>>(id)).flatten();
    if focused == last {
        return;
    }
    ui.data_mut(|data| data.insert_temp(id, focused));
    let keys = [Key::Tab, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];
    let by_key =
        ui.input(|input| keys.iter().any(|&key| input.key_down(key) || input.key_pressed(key)));
    if !by_key {
        return;
    }
    let widget = ui.viewport(|viewport| viewport.this_pass.widgets.get(focused?).copied());
    if let Some(widget) = widget
        && widget.layer_id == ui.layer_id()
        && ui.max_rect().x_range().contains(widget.rect.center().x)
        // What can be seen in full stands still, or outside of the scroll area.
        && !widget.interact_rect.contains_rect(widget.rect)
    {
        ui.scroll_to_rect(widget.rect.expand2(vec2(0.0, 12.0)), None);
    }
}

/// Shows contents as one page that scrolls as a whole.
pub(super) fn page(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt(name).auto_shrink(false).show(ui, |ui| {
        add(ui);
        scroll_to_new_focus(ui, name);
    });
}

//! Scrolling: what has the keyboard focus comes into view, and a small centre scrolls as one page.

use egui::{Id, Key, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// More height than any contents need, points.
const ENDLESS: f32 = 30_000.0;

/// Fills the room that is left with contents whose state (folds, scroll offset) stays theirs wherever
/// in the window they stand. Contents that are too wide are cut; they do not push the panel's edge.
pub(super) fn fill(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    let place = ui.available_rect_before_wrap();
    add(&mut ui.new_child(UiBuilder::new().scope_id(Id::unique(name)).max_rect(place)));
    ui.advance_cursor_after_rect(place);
}

/// Scrolls to a widget that a key has given the focus; to be called inside the scroll area, after its
/// contents.
pub(super) fn scroll_to_new_focus(ui: &Ui, name: &str) {
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
    {
        ui.scroll_to_rect(widget.rect.expand2(vec2(0.0, 12.0)), None);
    }
}

/// Shows contents with scroll areas of their own as one page that scrolls as a whole.
pub(super) fn page(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ScrollArea::vertical().id_salt(name).auto_shrink(false).show(ui, |ui| {
        let top = ui.cursor().min;
        let place = Rect::from_min_size(top, vec2(ui.available_width(), ENDLESS));
        // With endless room the scroll areas inside have nothing to scroll.
        let drawn_before = widgets_drawn(ui);
        add(&mut ui.new_child(UiBuilder::new().max_rect(place)));
        let bottom = bottom_of_widgets(ui, drawn_before, place);
        ui.allocate_rect(
            Rect::from_min_max(top, pos2(place.right(), bottom)),
            egui::Sense::hover(),
        );
        scroll_to_new_focus(ui, name);
    });
}

/// How many widgets stand in this layer so far.
fn widgets_drawn(ui: &Ui) -> usize {
    ui.viewport(|viewport| viewport.this_pass.widgets.get_layer(ui.layer_id()).count())
}

/// Lower end of everything that was drawn in a place since; areas that fill it do not count.
fn bottom_of_widgets(ui: &Ui, drawn_before: usize, place: Rect) -> f32 {
    ui.viewport(|viewport| {
        let widgets = viewport.this_pass.widgets.get_layer(ui.layer_id()).skip(drawn_before);
        let rects = widgets.map(|widget| widget.rect).filter(|rect| {
            rect.is_finite() && place.contains_rect(*rect) && rect.height() < ENDLESS / 2.0
        });
        rects.map(|rect| rect.bottom()).fold(place.top(), f32::max)
    })
}

//! Scrolling: what has the keyboard focus comes into view, and a small centre scrolls as one page.

use egui::{Id, Key, LayerId, Rect, ScrollArea, Ui, UiBuilder, pos2, vec2};

/// More height than any contents need, points.
const ENDLESS: f32 = 30_000.0;

/// Contents whose state (folds, scroll offset) stays theirs wherever in the window they stand.
pub(super) fn keep_state<R>(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(UiBuilder::new().scope_id(Id::unique(name)), add).inner
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
        let mut inside = ui.new_child(UiBuilder::new().max_rect(place));
        add(&mut inside);
        let bottom = bottom_of_widgets(ui, ui.layer_id(), place);
        ui.allocate_rect(
            Rect::from_min_max(top, pos2(place.right(), bottom)),
            egui::Sense::hover(),
        );
        scroll_to_new_focus(ui, name);
    });
}

/// Lower end of everything that was drawn in a place; areas that fill it do not count.
fn bottom_of_widgets(ui: &Ui, layer: LayerId, place: Rect) -> f32 {
    ui.viewport(|viewport| {
        let rects = viewport.this_pass.widgets.get_layer(layer).map(|widget| widget.rect);
        let inside = rects.filter(|rect| {
            rect.is_finite() && place.contains_rect(*rect) && rect.height() < ENDLESS / 2.0
        });
        inside.map(|rect| rect.bottom()).fold(place.top(), f32::max)
    })
}

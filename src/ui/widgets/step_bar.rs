//! The step time as one stacked bar.

use egui::{Align2, Rangef, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{
    segment::{paint_caption, paint_focus, paint_note, paint_segment, points, tip},
    term_view::terms_tip,
};
use crate::{
    explain::Term,
    plan::Choice as _,
    text::Texts,
    throughput::{SpeedExplanation, TimePart},
    ui::theme::{text_on, time_color, tokens},
    units::{Secs, percent},
};

/// Height of the bar, points.
const BAR_HEIGHT: f32 = 28.0;

/// Where the time of a step (or of one generated token) goes.
pub struct StepBar<'a> {
    /// The shares; they sum to the whole.
    pub time: &'a [(TimePart, Secs)],
    /// Why they are as long as they are.
    pub explanation: &'a SpeedExplanation,
    /// The words.
    pub texts: &'a Texts,
}

impl StepBar<'_> {
    /// All shares together.
    #[must_use]
    pub fn total(&self) -> Secs {
        self.time.iter().map(|(_, secs)| *secs).sum()
    }

    /// Paints the bar.
    pub fn show(&self, ui: &mut Ui) {
        let total = self.total();
        let size = vec2(ui.available_width(), BAR_HEIGHT + 18.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| {
            let text = self.texts.with("step-description", &[("total", &total.to_string())]);
            WidgetInfo::labeled(Role::Figure, true, text)
        });
        if !ui.is_rect_visible(rect) || total.0 <= 0.0 {
            return;
        }
        let y = Rangef::new(rect.top(), rect.top() + BAR_HEIGHT);
        let mut done = Secs::default();
        let x_of = |secs: Secs| rect.left() + points(secs.0 / total.0) * rect.width();
        for &(part, secs) in self.time {
            let left = x_of(done);
            done += secs;
            let place = Rect::from_x_y_ranges(Rangef::new(left, x_of(done)), y);
            self.segment(ui, place, part, secs, total);
        }
        let weak = tokens(ui).weak_text;
        let below = rect.top() + BAR_HEIGHT + 3.0;
        paint_note(ui, pos2(rect.left(), below), Align2::LEFT_TOP, "0", weak);
        paint_note(ui, pos2(rect.right(), below), Align2::RIGHT_TOP, &total.to_string(), weak);
    }

    fn segment(&self, ui: &Ui, place: Rect, part: TimePart, secs: Secs, total: Secs) {
        let name = self.texts.get(part.key());
        let share = percent(secs.0 / total.0);
        let both = format!("{name} {share}");
        let fill = time_color(part);
        paint_segment(ui, place, fill);
        paint_caption(ui, place, fill, text_on(fill), &[&both, &share]);
        if place.width() < 0.5 {
            return;
        }
        let response = ui.interact(
            place,
            ui.scope_id().with(("time", part)),
            Sense::focusable_noninteractive(),
        );
        let title = self.texts.with(
            "step-segment",
            &[("part", &name), ("time", &secs.to_string()), ("share", &share)],
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &title));
        paint_focus(ui, &response);
        tip(&response, |ui| {
            ui.label(RichText::new(&title).strong());
            let terms = self.explanation.time.iter();
            let own = terms.filter(|(owner, _)| *owner == part).map(|(_, term)| term);
            time_tip(ui, self.texts, part, own);
        });
    }
}

/// The share's own term, then what it is made of: operations, whose terms contain more than the share.
pub fn time_tip<'a>(
    ui: &mut Ui,
    texts: &Texts,
    part: TimePart,
    mut terms: impl Iterator<Item = &'a Term>,
) {
    if !matches!(part, TimePart::Compute | TimePart::MemoryBandwidth | TimePart::Launch) {
        return terms_tip(ui, texts, terms);
    }
    terms_tip(ui, texts, terms.next().into_iter());
    let mut operations = terms.peekable();
    if operations.peek().is_some() {
        ui.separator();
        let note = RichText::new(texts.get("time-operations")).small();
        ui.label(note.color(tokens(ui).weak_text));
        terms_tip(ui, texts, operations);
    }
}

//! Where the names in the roofline's plot stand: those of the roof first, then those of the points.

use egui::{Align2, Color32, Rect, RichText, TextStyle, Ui, Vec2, pos2, vec2};
use egui_plot::{PlotUi, Text};

use super::{
    roof::{Bounds, Roof},
    roof_lesson::memory_type,
    roofline::{Dot, PLOT_HEIGHT},
    roofline_labels::{Labelled, Place, Segment, first_free, places, square},
};
use crate::{
    catalogue::{Dtype, Gpu},
    plan::Choice as _,
    text::Texts,
    units::FlopsPerSec,
};

/// What the axes with their numbers and names take of the plot's width and height, points.
const AXES_SIZE: Vec2 = vec2(62.0, 38.0);
/// Distance between a line and its name, points.
const NAME_GAP: f32 = 3.0;
/// Where the names in the plot stand, points from its top left corner.
pub struct Names {
    /// What the axes show.
    pub bounds: Bounds,
    /// Of the plot.
    pub size: Vec2,
    /// The other ceilings, and at last the one that counts.
    pub ceilings: Vec<Rect>,
    /// The slope of the card's memory.
    pub slope: Rect,
    /// The slope of the host's memory.
    pub host: Option<Rect>,
    /// The points.
    pub dots: Vec<Place>,
}

impl Names {
    /// The roof's names first, off the points; then those of the points, off all that.
    pub fn of(
        ui: &Ui,
        texts: &Texts,
        (roof, memory): (&Roof, &str),
        dots: &[Dot<'_>],
        bounds: Bounds,
    ) -> Self {
        let size = (vec2(ui.available_width(), PLOT_HEIGHT) - AXES_SIZE).max(Vec2::splat(40.0));
        let size_of = |text: String| {
            let font = TextStyle::Small.resolve(ui.style());
            ui.painter().layout_no_wrap(text, font, Color32::PLACEHOLDER).size()
        };
        let labelled: Vec<Labelled> = dots
            .iter()
            .map(|dot| Labelled {
                at: bounds.on_screen(dot.at, size),
                radius: dot.radius(),
                size: size_of(texts.get(dot.operation.class.key()).into_owned()),
            })
            .collect();
        let host = host_segment(roof, bounds, size);
        let lines: Vec<Segment> = roof
            .ceilings()
            .flat_map(|(_, peak)| segments(roof, peak, bounds, size))
            .chain(host)
            .collect();
        let mut taken: Vec<Rect> =
            labelled.iter().map(|point| square(point.at, point.radius)).collect();
        let mut ceilings = Vec::new();
        for (dtype, peak) in roof.ceilings() {
            let name = size_of(roof_name(texts, dtype, peak));
            let candidates = ceiling_candidates(roof, peak, bounds, size, name);
            let place = first_free(&candidates, &taken, &lines, size);
            taken.push(place);
            ceilings.push(place);
        }
        let name = size_of(memory.to_owned());
        let [own, _] = segments(roof, roof.used.1, bounds, size);
        let slope = first_free(&slope_candidates(own, size, name), &taken, &lines, size);
        taken.push(slope);
        let host = host.map(|segment| {
            let name = size_of(host_name(texts, roof));
            let place = first_free(&below_slope(segment, size, name), &taken, &lines, size);
            taken.push(place);
            place
        });
        let dots = places(&labelled, &lines, taken, size);
        Self { bounds, size, ceilings, slope, host, dots }
    }

    /// Paints a name in its place.
    pub fn paint(&self, plot: &mut PlotUi<'_>, name: String, place: Rect, color: Color32) {
        let middle = self.bounds.value_at(place.center(), self.size);
        let label = Text::new(name.clone(), middle, RichText::new(name).small());
        plot.text(label.anchor(Align2::CENTER_CENTER).color(color).allow_hover(false));
    }
}

/// Slope and ceiling on the screen.
fn segments(roof: &Roof, peak: FlopsPerSec, bounds: Bounds, size: Vec2) -> [Segment; 2] {
    let [foot, ridge, end] =
        roof.corners(peak, bounds.x.0, bounds.x.1).map(|corner| bounds.on_screen(corner, size));
    [Segment(foot, ridge), Segment(ridge, end)]
}

/// Where a ceiling's name may stand: below it and right of its ridge, where the plot is empty, or
/// at its right end, or above it.
fn ceiling_candidates(
    roof: &Roof,
    peak: FlopsPerSec,
    bounds: Bounds,
    size: Vec2,
    name: Vec2,
) -> [Rect; 5] {
    let [_, Segment(ridge, _)] = segments(roof, peak, bounds, size);
    let end = pos2(size.x - NAME_GAP, ridge.y);
    let below = vec2(0.0, NAME_GAP);
    let right = vec2(4.0 * NAME_GAP, 0.0);
    [
        Align2::LEFT_TOP.anchor_size(ridge + right + below, name),
        Align2::RIGHT_TOP.anchor_size(end + below, name),
        Align2::RIGHT_BOTTOM.anchor_size(end - below, name),
        Align2::LEFT_BOTTOM.anchor_size(ridge + right - below, name),
        Align2::CENTER_TOP.anchor_size(ridge + (end - ridge) / 2.0 + below, name),
    ]
}

/// The slope of the host's memory on the screen.
fn host_segment(roof: &Roof, bounds: Bounds, size: Vec2) -> Option<Segment> {
    let [foot, ridge] = roof.host_corners(bounds.x.0)?.map(|at| bounds.on_screen(at, size));
    Some(Segment(foot, ridge))
}

/// The part of a slope that is in sight.
fn in_sight(Segment(foot, ridge): Segment, size: Vec2) -> Segment {
    let rise = (foot.y - ridge.y).max(f32::EPSILON);
    let hidden = ((foot.y - size.y) / rise).clamp(0.0, 1.0);
    Segment(foot + (ridge - foot) * hidden, ridge)
}

/// Where a slope's name may stand: left above it, half way up or lower or higher.
fn slope_candidates(slope: Segment, size: Vec2, name: Vec2) -> [Rect; 3] {
    let Segment(foot, ridge) = in_sight(slope, size);
    [0.5, 0.3, 0.75].map(|share| {
        let at = foot + (ridge - foot) * share - vec2(2.0 * NAME_GAP, NAME_GAP);
        Align2::RIGHT_BOTTOM.anchor_size(at, name)
    })
}

/// Where the lower slope's name may stand: right below it.
fn below_slope(slope: Segment, size: Vec2, name: Vec2) -> [Rect; 4] {
    let Segment(foot, ridge) = in_sight(slope, size);
    [0.4, 0.25, 0.55, 0.1].map(|share| {
        let at = foot + (ridge - foot) * share + vec2(2.0 * NAME_GAP, NAME_GAP);
        Align2::LEFT_TOP.anchor_size(at, name)
    })
}

/// The card's memory by its type, and its bandwidth.
pub fn memory_name(texts: &Texts, gpu: &Gpu) -> String {
    let bandwidth = gpu.bandwidth().to_string();
    texts.with(
        "roofline-bandwidth",
        &[("memory", &memory_type(texts, gpu)), ("bandwidth", &bandwidth)],
    )
}

/// The host's memory by its link, and the rate of that.
pub fn host_name(texts: &Texts, roof: &Roof) -> String {
    roof.host.map_or_else(String::new, |(link, rate)| {
        let args = [("link", &*link.to_string()), ("bandwidth", &*rate.to_string())];
        texts.with("roofline-host", &args)
    })
}

/// A number format and its ceiling.
pub fn roof_name(texts: &Texts, dtype: Dtype, peak: FlopsPerSec) -> String {
    texts.with("roofline-ceiling", &[("dtype", dtype.name()), ("peak", &peak.to_string())])
}

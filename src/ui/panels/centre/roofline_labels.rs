//! Where the names of the roofline's points stand: near their point, on nothing else.
//!
//! All lengths are points of the screen, the origin is the top left corner of the plot.

use egui::{Align2, Pos2, Rect, Vec2, pos2, vec2};

/// Distance between a point's edge and its name.
const GAP: f32 = 3.0;
/// Distance between two rings of places around a point.
const RING: f32 = 15.0;
/// Rings that are tried before names are let overlap.
const RINGS: u8 = 6;

/// A point and the size of its name.
#[derive(Clone, Copy, Debug)]
pub struct Labelled {
    /// Middle of the point.
    pub at: Pos2,
    /// Its radius.
    pub radius: f32,
    /// Size of its name.
    pub size: Vec2,
}

/// Where a name stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The name's rectangle.
    pub rect: Rect,
    /// It stands so far away that a line must tie it to its point.
    pub leader: bool,
}

/// A straight line that names must not cross.
#[derive(Clone, Copy, Debug)]
pub struct Segment(pub Pos2, pub Pos2);

impl Segment {
    /// The line runs through a rectangle.
    fn crosses(&self, rect: Rect) -> bool {
        let (left, right) = if self.0.x <= self.1.x { (self.0, self.1) } else { (self.1, self.0) };
        let (from, to) = (left.x.max(rect.left()), right.x.min(rect.right()));
        if from > to {
            return false;
        }
        let slope = (right.y - left.y) / (right.x - left.x).max(f32::EPSILON);
        let (one, other) = (left.y + (from - left.x) * slope, left.y + (to - left.x) * slope);
        one.min(other) <= rect.bottom() && one.max(other) >= rect.top()
    }
}

/// The first of some rectangles that lies on nothing, or the first of all if each lies on something.
pub fn first_free(candidates: &[Rect], taken: &[Rect], lines: &[Segment], plot: Vec2) -> Rect {
    let free = candidates.iter().find(|rect| is_free(**rect, taken, lines, plot));
    free.or(candidates.first()).copied().unwrap_or(Rect::ZERO)
}

/// A rectangle lies inside the plot and on nothing else.
fn is_free(rect: Rect, taken: &[Rect], lines: &[Segment], plot: Vec2) -> bool {
    Rect::from_min_size(Pos2::ZERO, plot).contains_rect(rect)
        && !taken.iter().any(|other| other.intersects(rect))
        && !lines.iter().any(|line| line.crosses(rect))
}

/// The square around a point.
pub fn square(at: Pos2, radius: f32) -> Rect {
    Rect::from_center_size(at, Vec2::splat(2.0 * radius))
}

/// A place for each name: below, above, right or left of its point, on the nearest ring that is free.
pub fn places(
    points: &[Labelled],
    lines: &[Segment],
    mut taken: Vec<Rect>,
    plot: Vec2,
) -> Vec<Place> {
    taken.extend(points.iter().map(|point| square(point.at, point.radius)));
    let mut places = Vec::with_capacity(points.len());
    for point in points {
        let place = candidates(point)
            .find(|place| is_free(place.rect, &taken, lines, plot))
            .unwrap_or_else(|| fallback(point));
        taken.push(place.rect);
        places.push(place);
    }
    places
}

fn candidates(point: &Labelled) -> impl Iterator<Item = Place> + '_ {
    (0..RINGS).flat_map(move |ring| {
        let away = point.radius + GAP + f32::from(ring) * RING;
        let diagonal = away * 0.8;
        [
            (Align2::CENTER_TOP, vec2(0.0, away)),
            (Align2::CENTER_BOTTOM, vec2(0.0, -away)),
            (Align2::LEFT_CENTER, vec2(away, 0.0)),
            (Align2::RIGHT_CENTER, vec2(-away, 0.0)),
            (Align2::LEFT_TOP, vec2(diagonal, diagonal)),
            (Align2::RIGHT_TOP, vec2(-diagonal, diagonal)),
            (Align2::LEFT_BOTTOM, vec2(diagonal, -diagonal)),
            (Align2::RIGHT_BOTTOM, vec2(-diagonal, -diagonal)),
        ]
        .map(|(anchor, shift)| Place {
            rect: anchor.anchor_size(point.at + shift, point.size),
            leader: ring > 0,
        })
    })
}

fn fallback(point: &Labelled) -> Place {
    let at = pos2(point.at.x, point.at.y + point.radius + GAP);
    Place { rect: Align2::CENTER_TOP.anchor_size(at, point.size), leader: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Vec2 = vec2(400.0, 200.0);

    fn point(x: f32, y: f32) -> Labelled {
        Labelled { at: pos2(x, y), radius: 5.0, size: vec2(60.0, 12.0) }
    }

    #[test]
    fn a_lone_name_stands_right_below_its_point() {
        let places = places(&[point(200.0, 100.0)], &[], Vec::new(), PLOT);
        assert!((places[0].rect.top() - 108.0).abs() < 0.1, "{places:?}");
        assert!(!places[0].leader, "near enough to need no line");
    }

    #[test]
    fn names_of_points_side_by_side_do_not_overlap() {
        let points = [point(200.0, 100.0), point(210.0, 101.0), point(220.0, 102.0)];
        let places = places(&points, &[], Vec::new(), PLOT);
        for (index, one) in places.iter().enumerate() {
            for other in &places[index + 1..] {
                assert!(!one.rect.intersects(other.rect), "{places:?}");
            }
        }
    }

    #[test]
    fn names_keep_off_lines_and_inside_the_plot() {
        let line = Segment(pos2(0.0, 112.0), pos2(400.0, 112.0));
        let places = places(&[point(200.0, 100.0), point(395.0, 40.0)], &[line], Vec::new(), PLOT);
        assert!(places.iter().all(|place| !line.crosses(place.rect)), "{places:?}");
        assert!(places[1].rect.right() <= 400.0, "{places:?}");
    }
}

//! Computes the squares of strokes: lines and rectangles between two squares.
//!
//! This module does not check whether a square may be drawn on; [`super::plan`] does.

use crate::geometry::Point;
use crate::tui::commands::StrokeShape;

/// Maximum number of squares of one stroke.
pub(super) const MOST: u64 = 100_000;

impl StrokeShape {
    /// All shapes, in the order of their keys.
    pub(super) const ALL: [Self; 4] = [Self::Pencil, Self::Line, Self::Outline, Self::Filled];

    /// Returns the shape's name in the bar.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Pencil => "pencil",
            Self::Line => "line",
            Self::Outline => "outline",
            Self::Filled => "filled",
        }
    }

    /// Returns the noun for a stroke of this shape, used in the name of the undo step.
    pub(super) const fn stroke(self) -> &'static str {
        match self {
            Self::Pencil => "stroke",
            Self::Line => "line",
            Self::Outline => "rectangle",
            Self::Filled => "block",
        }
    }

    /// Returns the squares of a stroke between two squares, each square once. Fails if there are more than [`MOST`].
    pub(super) fn squares(self, from: Point, to: Point) -> Result<Vec<Point>, String> {
        let height = u64::from(from.x.abs_diff(to.x)) + 1;
        let width = u64::from(from.y.abs_diff(to.y)) + 1;
        let count = match self {
            Self::Pencil | Self::Line => height.max(width),
            Self::Outline => height * width - height.saturating_sub(2) * width.saturating_sub(2),
            Self::Filled => height * width,
        };
        if count > MOST {
            return Err(format!("{count} squares are too many: draw at most {MOST}"));
        }
        let (top, bottom) = (from.x.min(to.x), from.x.max(to.x));
        let (left, right) = (from.y.min(to.y), from.y.max(to.y));
        Ok(match self {
            Self::Pencil | Self::Line => line(from, to),
            Self::Outline => (top..=bottom)
                .flat_map(|x| {
                    let whole = x == top || x == bottom;
                    let step = if whole { 1 } else { (right - left).max(1) as usize };
                    (left..=right).step_by(step).map(move |y| Point::new(x, y))
                })
                .collect(),
            Self::Filled => (top..=bottom)
                .flat_map(|x| (left..=right).map(move |y| Point::new(x, y)))
                .collect(),
        })
    }
}

/// Returns the squares of a straight line, including both ends; consecutive squares touch at a side or a corner.
pub(super) fn line(from: Point, to: Point) -> Vec<Point> {
    let (down, right) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let steps = down.abs().max(right.abs());
    // Rounds to the nearest square; half a square is rounded away from the start.
    let part = |whole: i64, i: i64| {
        if steps == 0 {
            0
        } else {
            (2 * whole.abs() * i + steps) / (2 * steps) * whole.signum()
        }
    };
    (0..=steps)
        .map(|i| Point::new(from.x + part(down, i) as i32, from.y + part(right, i) as i32))
        .collect()
}

/// Returns whether the square `at` lies in the rectangle with the opposite corners `a` and `b`.
pub(super) fn between(a: Point, b: Point, at: Point) -> bool {
    (a.x.min(b.x)..=a.x.max(b.x)).contains(&at.x) && (a.y.min(b.y)..=a.y.max(b.y)).contains(&at.y)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn strokes_connect_their_ends_and_cover_each_square_once(
            a in (0..60i32, 0..60i32), b in (0..60i32, 0..60i32), shape in 0..4usize,
        ) {
            let (a, b) = (Point::new(a.0, a.1), Point::new(b.0, b.1));
            let squares = StrokeShape::ALL[shape].squares(a, b).unwrap();
            let set: BTreeSet<_> = squares.iter().copied().collect();
            prop_assert_eq!(set.len(), squares.len());
            prop_assert!(set.contains(&a) && set.contains(&b));
            prop_assert!(squares.iter().all(|at| between(a, b, *at)));
            match StrokeShape::ALL[shape] {
                StrokeShape::Pencil | StrokeShape::Line => {
                    for pair in squares.windows(2) {
                        prop_assert!(pair[0].x.abs_diff(pair[1].x).max(pair[0].y.abs_diff(pair[1].y)) == 1);
                    }
                }
                StrokeShape::Outline => {
                    let edge = |p: &Point| p.x == a.x || p.x == b.x || p.y == a.y || p.y == b.y;
                    let filled = StrokeShape::Filled.squares(a, b).unwrap();
                    prop_assert_eq!(set, filled.into_iter().filter(edge).collect());
                }
                StrokeShape::Filled => {
                    prop_assert_eq!(set.len() as u32, (a.x.abs_diff(b.x) + 1) * (a.y.abs_diff(b.y) + 1));
                }
            }
        }
    }

    #[test]
    fn a_block_that_is_too_large_is_rejected_before_it_is_made() {
        let far = Point::new(i32::MAX, i32::MAX);
        for shape in StrokeShape::ALL {
            assert!(shape.squares(Point::new(0, 0), far).is_err());
        }
        assert!(
            StrokeShape::Filled
                .squares(Point::new(1, 1), Point::new(300, 300))
                .is_ok()
        );
    }
}

//! Traces the outlines of sets of squares: closed lines around connected areas, with corners only where a line turns.

use std::convert::Infallible;

use crate::geometry::{Forward, Point, Size};

/// Returns the closed outlines of the squares for which `inside` is true, each as the list of corners where it turns.
/// Corner (x, y) is the top left corner of the square (x, y). An outline runs so that its squares lie on the right:
/// clockwise around an area, anticlockwise around a hole. Areas that touch only at a corner have separate outlines.
pub fn outlines(size: Size, inside: impl Fn(Point) -> bool) -> Vec<Vec<Point>> {
    let Ok(lines) = outlines_of(size, |at| usize::from(inside(at)), |_| Ok::<(), Infallible>(()));
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Returns the outlines of the areas of squares for which `number` returns the same value, each with this value. Areas
/// with the value 0 are ignored. Calls `at` with each row before processing the row; an error that `at` returns stops
/// the tracing.
pub(super) fn outlines_of<E>(
    size: Size,
    number: impl Fn(Point) -> usize,
    mut at: impl FnMut(i32) -> Result<(), E>,
) -> Result<Vec<(usize, Vec<Point>)>, E> {
    let number = |x: i32, y: i32| {
        let at = Point::new(x, y);
        if size.contains(at) { number(at) } else { 0 }
    };
    let columns = size.y.max(0) as usize;
    // Squares whose upper edge belongs to a finished outline. Every outline has at least one such edge.
    let mut followed = vec![false; size.squares() as usize];
    let mut lines = Vec::new();
    for x in 0..size.x {
        at(x)?;
        for y in 0..size.y {
            let of = number(x, y);
            if of == 0 || number(x - 1, y) == of || followed[x as usize * columns + y as usize] {
                continue;
            }
            let line = follow(Point::new(x, y), &|x, y| number(x, y) == of, |at| {
                followed[at.x as usize * columns + at.y as usize] = true;
            });
            lines.push((of, line));
        }
    }
    Ok(lines)
}

/// Follows the outline that runs East along the upper edge of `start` until it closes, and returns its corners. Calls
/// `above` with each square whose upper edge belongs to the outline.
fn follow(start: Point, inside: &impl Fn(i32, i32) -> bool, mut above: impl FnMut(Point)) -> Vec<Point> {
    let mut corners = Vec::new();
    let (mut at, mut forward) = (start, Forward::East);
    loop {
        if forward == Forward::East {
            above(at);
        }
        at = at.step(forward, 1);
        // Offsets from the corner to the two squares ahead of it, on the left and on the right of the direction of
        // travel.
        let (left, right) = match forward {
            Forward::North => ((-1, -1), (-1, 0)),
            Forward::East => ((-1, 0), (0, 0)),
            Forward::South => ((0, 0), (0, -1)),
            Forward::West => ((0, -1), (-1, -1)),
        };
        let next = if !inside(at.x + right.0, at.y + right.1) {
            forward.right()
        } else if inside(at.x + left.0, at.y + left.1) {
            forward.left()
        } else {
            forward
        };
        if next != forward {
            corners.push(at);
        }
        forward = next;
        if at == start && forward == Forward::East {
            return corners;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(rows: &[&str]) -> Vec<Vec<(i32, i32)>> {
        let size = Size::new(rows.len() as i32, rows[0].len() as i32);
        let lines = outlines(size, |at| rows[at.x as usize].as_bytes()[at.y as usize] == b'#');
        let pairs = |line: Vec<Point>| line.into_iter().map(|at| (at.x, at.y)).collect();
        lines.into_iter().map(pairs).collect()
    }

    #[test]
    fn outlines_turn_only_at_corners_and_run_anticlockwise_around_holes() {
        assert_eq!(of(&["....", ".##.", "...."]), [[(1, 3), (2, 3), (2, 1), (1, 1)]]);
        assert_eq!(
            of(&["###", "#.#", "###"]),
            [[(0, 3), (3, 3), (3, 0), (0, 0)], [(2, 2), (1, 2), (1, 1), (2, 1)]]
        );
        // Two areas that touch only at a corner.
        assert_eq!(
            of(&["#.", ".#"]),
            [[(0, 1), (1, 1), (1, 0), (0, 0)], [(1, 2), (2, 2), (2, 1), (1, 1)]]
        );
        // A hole that touches the outside at a corner.
        assert_eq!(of(&["##.", "#.#", "###"]).len(), 1);
        assert_eq!(of(&["...", "..."]), Vec::<Vec<(i32, i32)>>::new());
    }

    proptest! {
        // Filling the outlines by the even-odd rule yields the same squares, and no outline passes an edge twice.
        #[test]
        fn outlines_determine_their_squares(
            rows in 1..9_i32, columns in 1..9_i32, bits in prop::collection::vec(any::<bool>(), 81)
        ) {
            let size = Size::new(rows, columns);
            let inside = |at: Point| bits[(at.x * columns + at.y) as usize];
            let lines = outlines(size, inside);
            let mut down = std::collections::BTreeSet::new();
            for line in &lines {
                prop_assert!(line.len() >= 4 && line.len() % 2 == 0);
                for (from, to) in line.iter().zip(line.iter().cycle().skip(1)) {
                    prop_assert!((from.x == to.x) != (from.y == to.y));
                    for x in from.x.min(to.x)..from.x.max(to.x) {
                        prop_assert!(down.insert((x, from.y)));
                    }
                }
            }
            for x in 0..rows {
                for y in 0..columns {
                    let crossings = (0..=y).filter(|edge| down.contains(&(x, *edge))).count();
                    prop_assert_eq!(crossings % 2 == 1, inside(Point::new(x, y)));
                }
            }
        }
    }
}

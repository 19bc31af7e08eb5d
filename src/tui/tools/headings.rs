//! Changes the direction code of a first Crawler: turns the Crawler, chooses its next Direction, or sets both its
//! heading (Forward) and its Direction from a drag.

use crate::design::CrawlerStart;
use crate::geometry::{Direction, Forward, Point};

/// Returns every valid direction code with the heading and the Direction that it encodes.
fn codes() -> impl Iterator<Item = (i32, Forward, Option<Direction>)> {
    (0..100).filter_map(|direction| {
        let start = CrawlerStart {
            direction,
            ..CrawlerStart::default()
        };
        let (forward, direction) = start.headings()?;
        Some((start.direction, forward, direction))
    })
}

/// Returns the code for a heading and a Direction; `None` if the file format has no code for the pair.
fn code(forward: Forward, direction: Option<Direction>) -> Option<i32> {
    codes()
        .find(|known| (known.1, known.2) == (forward, direction))
        .map(|(code, ..)| code)
}

/// Returns the Crawler with its heading and its Direction turned right by 90 degrees.
pub(super) fn turned(start: CrawlerStart) -> CrawlerStart {
    let (forward, direction) = start.headings().unwrap_or((Forward::North, Some(Direction::North)));
    let direction = code(forward.right(), direction.map(|direction| direction.rotate(2)));
    CrawlerStart {
        direction: direction.unwrap_or(start.direction),
        ..start
    }
}

/// Returns the Crawler with the next Direction that its heading allows. The order is clockwise; the heading without a
/// Direction comes last.
pub(super) fn redirected(start: CrawlerStart) -> CrawlerStart {
    let Some((forward, direction)) = start.headings() else {
        return turned(start);
    };
    let turn = |to: Option<Direction>| {
        // Sorts from a quarter turn left through straight ahead to a quarter turn right; the heading without a
        // Direction comes last.
        to.map_or(3, |to| (to as i32 - forward.direction() as i32 + 12).rem_euclid(8) - 4)
    };
    let mut all: Vec<_> = codes().filter(|known| known.1 == forward).collect();
    all.sort_by_key(|known| turn(known.2));
    let now = all.iter().position(|known| known.2 == direction).unwrap_or(0);
    CrawlerStart {
        direction: all[(now + 1) % all.len()].0,
        ..start
    }
}

/// Returns the Crawler with the heading and Direction of a drag from its square to `to`. The heading is along the
/// longer axis of the drag. The Direction is diagonal if the drag along the other axis is at least half as long. If
/// `to` is the Crawler's square, the Crawler stays unchanged.
pub(super) fn dragged(start: CrawlerStart, to: Point) -> CrawlerStart {
    let (down, right) = (
        i64::from(to.x) - i64::from(start.at.x),
        i64::from(to.y) - i64::from(start.at.y),
    );
    if down == 0 && right == 0 {
        return start;
    }
    let along_x = if down < 0 { Forward::North } else { Forward::South };
    let along_y = if right < 0 { Forward::West } else { Forward::East };
    let (forward, aside, long, short) = if down.abs() >= right.abs() {
        (along_x, along_y, down.abs(), right.abs())
    } else {
        (along_y, along_x, right.abs(), down.abs())
    };
    let lean = if 2 * short < long {
        0
    } else if forward.right() == aside {
        1
    } else {
        -1
    };
    let direction = code(forward, Some(forward.direction().rotate(lean)));
    CrawlerStart {
        direction: direction.unwrap_or(start.direction),
        ..start
    }
}

/// Returns an arrow for a Direction, or a dot if there is none.
pub(super) fn arrow(direction: Option<Direction>) -> char {
    direction.map_or('·', Direction::arrow)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn turning_goes_through_every_code() {
        let mut seen = BTreeSet::new();
        let mut start = CrawlerStart::default();
        for _ in 0..4 {
            for _ in 0..6 {
                seen.insert(start.direction);
                start = redirected(start);
            }
            start = turned(start);
        }
        assert_eq!(seen.len(), codes().count());
        assert_eq!(
            start,
            CrawlerStart::default(),
            "four quarter turns, each after a whole round"
        );
        let broken = CrawlerStart { direction: 99, ..start };
        assert!(turned(broken).headings().is_some() && redirected(broken).headings().is_some());
    }

    #[test]
    fn a_drag_names_heading_and_direction() {
        let start = CrawlerStart {
            at: Point::new(10, 10),
            ..CrawlerStart::default()
        };
        for (x, y, forward, direction) in [
            (4, 10, Forward::North, Direction::North),
            (10, 30, Forward::East, Direction::East),
            (12, 5, Forward::West, Direction::West),
            (20, 16, Forward::South, Direction::SouthEast),
            (20, 4, Forward::South, Direction::SouthWest),
            (5, 16, Forward::East, Direction::NorthEast),
        ] {
            assert_eq!(
                dragged(start, Point::new(x, y)).headings(),
                Some((forward, Some(direction))),
                "{x} {y}"
            );
        }
        assert_eq!(dragged(start, start.at), start);
    }
}

//! Finds a starting place for a first Crawler in a design without Crawlers.

use crate::design::{CrawlerStart, Design};
use crate::engine::Grid;
use crate::engine::stage_one;
use crate::geometry::{Forward, Point, Size};

/// Maximum number of inner wall tiles to try as starting places if no square on the border has free space ahead.
const MOST_TILES: usize = 50_000;

/// Returns the direction code of a Crawler. The units digit is the heading: the direction in which the Crawler moves.
/// The tens digit is the Direction: the direction in which it prefers to move, here 45° to the right of the heading.
const fn code(forward: Forward) -> i32 {
    let unit = match forward {
        Forward::East => 1,
        Forward::South => 2,
        Forward::West => 3,
        Forward::North => 4,
    };
    10 + unit
}

/// Returns a first Crawler of generation 0, at the place with the most free rows ahead. Tries squares on the border; if
/// none of them has room, tries hand-placed wall tiles inside the dungeon (the first 50,000). Returns `None` if none of
/// these places has room for a single tile, or if the design is invalid.
pub fn first_crawler(design: &Design) -> Option<CrawlerStart> {
    found(design, None)
}

/// Returns a first Crawler like [`first_crawler`], but only with the heading `forward`.
pub fn first_crawler_heading(design: &Design, forward: Forward) -> Option<CrawlerStart> {
    found(design, Some(forward))
}

fn found(design: &Design, heading: Option<Forward>) -> Option<CrawlerStart> {
    let valid = design.validate(None).design?;
    let grid = stage_one::build(&valid).grid;
    let corridor = valid.character.generations[0].corridor(&valid.constants);
    let best = |starts: &mut dyn Iterator<Item = (Point, Forward)>| {
        let room = |(at, forward): (Point, Forward)| (free(&grid, at, forward, corridor), at, forward);
        let starts = starts.filter(|(_, forward)| heading.is_none_or(|heading| heading == *forward));
        let found = starts.map(room).filter(|(rows, ..)| *rows > corridor.saturating_add(1));
        found.max_by_key(|(rows, at, forward)| (*rows, -off_middle(*at, *forward, grid.size())))
    };
    let inside = || {
        let tiles = valid.layout.walls.iter().take(MOST_TILES);
        best(&mut tiles.flat_map(|at| Forward::ALL.map(|forward| (*at, forward)).into_iter()))
    };
    let (_, at, forward) = best(&mut border(grid.size())).or_else(inside)?;
    Some(CrawlerStart {
        at,
        direction: code(forward),
        delay: 0,
        termination: 1,
    })
}

/// Returns the number of free rows ahead. Such a row lies across the heading: it consists of a square straight ahead
/// and `corridor` squares on each side of it. It is free if all these squares are free.
fn free(grid: &Grid, at: Point, forward: Forward, corridor: i32) -> i32 {
    grid.free_rows(at, forward, corridor, i32::MAX)
}

/// Returns the squares of the border except for the corners, each with the heading that points inward.
fn border(size: Size) -> impl Iterator<Item = (Point, Forward)> {
    let across = (1..size.y - 1).flat_map(move |y| {
        [
            (Point::new(0, y), Forward::South),
            (Point::new(size.x - 1, y), Forward::North),
        ]
    });
    let down = (1..size.x - 1).flat_map(move |x| {
        [
            (Point::new(x, 0), Forward::East),
            (Point::new(x, size.y - 1), Forward::West),
        ]
    });
    across.chain(down)
}

/// Returns the distance of a starting square from the middle of the dungeon, measured across the heading, in half
/// squares.
const fn off_middle(at: Point, forward: Forward, size: Size) -> i32 {
    if forward.along_x() {
        (2 * at.y - (size.y - 1)).abs()
    } else {
        (2 * at.x - (size.x - 1)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Growth, Options};

    /// Grows the design and returns the number of tiles that the growth changes.
    fn laid(design: &Design) -> usize {
        let valid = design.validate(None).design.unwrap();
        let before = stage_one::build(&valid).grid;
        let mut growth = Growth::new(&valid, Options::default(), &mut ());
        growth.finish(&mut ());
        growth.grid().differences(&before).count()
    }

    #[test]
    fn a_crawler_starts_where_it_has_most_room_and_builds() {
        let mut design = Design::default();
        design.layout.size = Size::new(30, 50);
        let start = first_crawler(&design).expect("room everywhere");
        assert!(design.layout.size.on_border(start.at));
        // The dungeon is wider than it is tall, so the Crawler heads East or West.
        assert!(start.direction == 11 || start.direction == 13, "{start:?}");
        assert!((start.at.x - 15).abs() <= 1, "{start:?}");
        design.layout.crawlers = vec![start];
        assert!(laid(&design) > 20);
    }

    #[test]
    fn a_crawler_on_a_long_side_starts_as_close_to_the_middle_as_possible() {
        let mut design = Design::default();
        design.layout.size = Size::new(24, 120);
        // Only the columns before 28 and after 91 are free.
        design.layout.walls = (1..23).flat_map(|x| (28..92).map(move |y| Point::new(x, y))).collect();
        let corridor = design.character.generations[0].corridor(&design.constants);
        let at = first_crawler_heading(&design, Forward::South).expect("room there").at;
        let nearest = [27 - corridor, 92 + corridor].map(|y| Point::new(0, y));
        assert!(nearest.contains(&at), "{at}");
    }

    #[test]
    fn a_requested_heading_is_kept() {
        let mut design = Design::default();
        design.layout.size = Size::new(30, 50);
        for forward in Forward::ALL {
            let start = first_crawler_heading(&design, forward).expect("room everywhere");
            assert_eq!(start.headings().map(|(heading, _)| heading), Some(forward));
        }
        // Only the last columns are free.
        design.layout.walls = (1..29).flat_map(|x| (1..36).map(move |y| Point::new(x, y))).collect();
        let at = |forward| first_crawler_heading(&design, forward).expect("room there").at;
        assert_eq!(at(Forward::West).y, 49, "on the border");
        assert_eq!(at(Forward::East).y, 35, "on the last wall");
    }

    #[test]
    fn a_crawler_starts_on_an_inner_wall_if_the_border_has_no_room() {
        let mut design = Design::default();
        design.layout.size = Size::new(40, 40);
        // Concentric rings around a free middle.
        let ring = |i: i32| {
            let side = move |a: i32| [(i, a), (39 - i, a), (a, i), (a, 39 - i)];
            (i..40 - i).flat_map(side).map(|(x, y)| Point::new(x, y))
        };
        design.layout.walls = (2..9).step_by(2).flat_map(ring).collect();
        let start = first_crawler(&design).expect("room in the middle");
        assert!(!design.layout.size.on_border(start.at));
        assert!(design.layout.walls.contains(&start.at));
        design.layout.crawlers = vec![start];
        assert!(laid(&design) > 5);
        design.layout.walls = (2..20).step_by(2).flat_map(ring).collect();
        assert_eq!(first_crawler(&design), None);
    }
}

//! Stage one of construction: everything that stands before the first Crawler moves.
//!
//! Border, rooms, hand-placed tiles, protuberances, and the list of first Crawlers. What cannot be placed
//! is left out and reported.

use crate::design::{Diagnostic, Entry, Place, ValidDesign};
use crate::geometry::{Direction, Forward, Point};

use super::event::Opening;
use super::grid::{Grid, Mark, Tile};

/// A Crawler that the layout starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Which entry of the design asked for it: a Crawler, or a room.
    pub origin: Entry,
    /// Where it starts.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Where it means to go.
    pub direction: Option<Direction>,
    /// Its opening.
    pub opening: Opening,
    /// Iterations that it sleeps.
    pub delay: u32,
}

/// What stage one makes of a design.
#[derive(Debug, Clone)]
pub struct Built {
    /// The dungeon before growth.
    pub grid: Grid,
    /// The first Crawlers, in the order in which they act.
    pub starts: Vec<Start>,
    /// What was changed or left out.
    pub diagnostics: Vec<Diagnostic>,
}

/// Places everything that a design's layout asks for.
pub fn build(design: &ValidDesign) -> Built {
    let layout = &design.layout;
    let mut grid = Grid::new(layout.size);
    for &at in &layout.open {
        grid.set(at, Tile::Guaranteed, Mark::Design);
    }
    for &at in &layout.walls {
        grid.set(at, Tile::Wall, Mark::Design);
    }
    for &at in &layout.columns {
        grid.set(at, Tile::Column, Mark::Design);
    }
    let mut built = Built {
        grid,
        starts: Vec::new(),
        diagnostics: Vec::new(),
    };
    for (i, crawler) in layout.crawlers.iter().enumerate() {
        let entry = Entry::Crawler(i);
        let Some((forward, direction)) = headings(crawler.direction) else {
            built.diagnostics.push(
                Diagnostic::warning(format!(
                    "{} is no direction; the Crawler is left out",
                    crawler.direction
                ))
                .at(Place::field(entry, 2))
                .help("units 1 to 4 for Forward, tens 0 to 5 for Direction"),
            );
            continue;
        };
        let opening = if crawler.termination == 1 {
            Opening::End
        } else {
            Opening::Closed
        };
        let delay = crawler.delay.clamp(0, 9) as u32 * 10;
        built.starts.push(Start {
            origin: entry,
            at: crawler.at,
            forward,
            direction,
            opening,
            delay,
        });
    }
    built
}

/// Forward and Direction of a Crawler's direction code (manual: rooms-file page).
fn headings(code: i32) -> Option<(Forward, Option<Direction>)> {
    let forward = match code % 10 {
        1 => Forward::East,
        2 => Forward::South,
        3 => Forward::West,
        4 => Forward::North,
        _ => return None,
    };
    let ahead = forward.direction();
    let direction = match code / 10 {
        0 => Some(ahead),
        1 => Some(ahead.rotate(1)),
        2 => Some(ahead.rotate(2)),
        3 => Some(ahead.rotate(-1)),
        4 => Some(ahead.rotate(-2)),
        5 => None,
        _ => return None,
    };
    Some((forward, direction))
}

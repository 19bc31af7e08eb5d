//! Stage one of construction: everything that is in the dungeon before the first Crawler moves.
//!
//! The order (manual, *How Dungeons are Created*; recorded dungeons): the outer ring; the rooms of the rooms file, one
//! after the other, each with its walls, doors, pyramid, decorations, first columns and Builders; the hand-placed open
//! squares, wall tiles and columns; the vaults; the protuberances; the first Crawlers of the rooms file. Nothing
//! overwrites the outer ring except the door of a room that lies on it without having been shifted. What cannot be
//! placed is left out or made to fit, and a diagnostic gives its place in the design. Random numbers are used only for
//! random delays and open/closed pairs; each entry of the design draws from a stream of its own.
//!
//! # What a room is made of
//!
//! The centre is square (⌊Xdiv · dimX / div⌋, ⌊Ydiv · dimY / div⌋). The wall lies `width` + 1 squares from it; a room
//! that would reach past the border is shifted until its wall lies on the border (`room-place-*`, `place-*`). Its doors
//! there stay closed. A room that touches the border without being shifted opens it with its door (`place-77x42-60`).
//! One that was shifted to the North or to the West and has no door except on the border is not built
//! (`place-37x34-23`, `place-37x41-24`); shifted the other way it is (`place-33x49-55`). A wall replaces what earlier
//! rooms placed there; the inside is left as it is, so that rooms may be nested in any order (`room-nested-*`,
//! `shipped-6`). Crawlers may build inside rooms and through doors that are wide enough for them (`mix-*`): neither is
//! closed to walls.
//!
//! | style | squares |
//! |---|---|
//! | 1 | the wall: the ring at distance `width` + 1. Without it only pyramid, columns, decorations and Crawlers are placed |
//! | 2, 4 | a corner door takes the corner and 2 squares along either wall; large 3, extra large 4. Both switches: normal size |
//! | 8, 16 | a center door takes the middle and 1 square to either side; large 2, extra large 3. Both: normal size |
//! | 32 | the corner and all but the last 2 squares of the door along either wall stay wall. Ignored with 2048 (`decos-2081-*`) |
//! | 64 | in the middle of each large center door a closed Crawler starts, heading directly away from the room |
//! | 128 | behind each center door, one column 3 squares inward of the wall's line, and a Jumper from it to either side |
//! | 256 | beside each center door, 3 squares inward of the neighbouring walls, two Jumpers from the door's wall inward. With 128: none |
//! | 512 | outside each center door a court, see `decoration.rs`; 18 squares outward of the wall's line a column to either side, and from each a Jumper outward and one away from the door |
//! | 1024 | outside each center door a colonnade, see `decoration.rs`. With 512: neither |
//! | 2048, 4096 | outside each corner door, see `decoration.rs`. Both: none |
//! | 8192 | 5 × 5 squares of high wall in the middle |
//!
//! A large door needs a `width` of 3 more than the number of its squares beside its middle or corner, otherwise it has
//! normal size (`room-big-doors-*`, `styles-*`, `decos-*`). `growth` describes how Jumpers lay columns. A room with a
//! pyramid that leaves no space for columns has no columns.
//!
//! A style is the sum of its bits, also when it is negative (`oddstyle*`); one beyond the table is rejected.
//!
//! A room starts its Builders door by door, north, south, east, west: the door's Crawler, then the Jumpers inside
//! the room, then those outside, the right one first, seen from the room (`rows-*`, `styles-*`, `decos-4689-all-w8`).
//! Crawlers at corners come last, which no recording shows.
//!
//! # Codes of the wall's eight sites
//!
//! 0 nothing, 1 a door; at the middle of a wall 2 and 3 start a Crawler on the wall, Forward and Direction straight
//! away from it; at a corner 12, 13, 22, 23, 32, 33, 42, 43 start one on the corner with the heading given by the tens;
//! 43 at the bottom right corner heads West (`codes-rBC-43`). The units determine where it leaves an opening: 2
//! nowhere, 3 at its end. Every other code places nothing (`room-badcentre*`, `room-badcorner*`, `codes-*`), except 2
//! and 3 at the bottom right corner, whose room is not built (`codes-rBC-2`, `codes-rBC-3`).
//!
//! # Diagnostics instead of failures
//!
//! Where the original drops something with a message, fails, or would read past its map, the dungeon is built as far as
//! possible, and a diagnostic names the place in the design:
//!
//! | requested | built |
//! |---|---|
//! | a room past the border | shifted until its wall lies on the border |
//! | a room that is too small, is larger than the dungeon, has no division or no valid style, or has closed Crawlers that would cut the dungeon into parts | the room is left out |
//! | a door on the outer wall, of a room that was shifted | the outer wall |
//! | a shifted room without a door to the dungeon at its South or East, see above | the room is left out |
//! | doors, columns, a pyramid or a decoration that do not fit | doors of normal size; the others are left out |
//! | a decoration that reaches past the border at its sides | the part inside |
//! | a code of a site, a Crawler's direction or termination without meaning | nothing |
//! | a termination 3 without a 4 after it | the Crawler, open or closed at random (`pairs-*`) |
//! | a termination 3 while a 3 before it waits for its 4; a 4 without a 3 before it | nothing |
//! | a hand-placed square outside, or an open one or a column on the border | nothing |
//! | a wall tile or a column on a square that is taken, or on an open square of the rooms file | the earlier one stays (`rows-obstacle-2`) |
//! | more protuberances than a side has squares | none on that side |
//! | a first Crawler outside | nothing |
//! | a first Crawler that faces out of the dungeon, has no room for its corridor, or joins at once | it starts and dies without building |
//! | more first Builders than maxCrawlers | as many as maxCrawlers, in their order (`limited-*`) |
//! | a delay beyond 10, or below 0 | as many tens of iterations, or none |
//!
//! Values out of range, corridors wider than the dungeon, and limits that are too small in the rooms file are reported
//! earlier, by validation and by the readers.

mod columns;
mod crawlers;
mod decoration;
mod layout;
mod room;
mod room_tiles;
mod style;
mod vaults;

use serde::{Deserialize, Serialize};

use crate::design::{Diagnostic, Entry, List, OuterWall, Place, ValidDesign, standing};
use crate::geometry::{Forward, Point};

pub use self::layout::{BuiltDoor, BuiltLayout, BuiltRoom, LayoutPart, Start};
pub(in crate::engine) use self::layout::{GAP, is_random};
use self::layout::{add, put};
use super::grid::{Grid, Tile};

/// The source of a square's state before growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareSource {
    /// The part of the design.
    pub part: LayoutPart,
    /// The entry that requested it, if it is one entry's.
    pub entry: Option<Entry>,
}

/// Returns which part of a design determined a square's state before growth; `None` for a plain open square. A part
/// that places the same tile again, such as the second of two walls, does not count.
pub fn source(design: &ValidDesign, at: Point) -> Option<SquareSource> {
    let size = design.layout.size;
    let mut source = size.on_border(at).then_some(SquareSource {
        part: LayoutPart::Border,
        entry: None,
    });
    let mut before = Grid::new(size).tile(at);
    build_by(design, &mut |part, entry, grid| {
        let now = grid.tile(at);
        if now != before {
            before = now;
            source = Some(SquareSource { part, entry });
        }
    });
    // All vaults are placed in one step.
    if let Some(SquareSource {
        part: LayoutPart::Vault,
        entry,
    }) = &mut source
    {
        let (stand, _) = standing(design.pieces(), size);
        let piece = stand.into_iter().find(|piece| piece.feature(at).is_some());
        *entry = piece.map(|piece| Entry::Vault(piece.vault));
    }
    source.filter(|_| size.contains(at))
}

/// Builds everything that a design's layout requests.
pub fn build(design: &ValidDesign) -> BuiltLayout {
    build_by(design, &mut |_, _, _| {})
}

/// Like [`build`]; calls `placed` after each part with that part, its entry, and the dungeon so far.
fn build_by(design: &ValidDesign, placed: &mut impl FnMut(LayoutPart, Option<Entry>, &Grid)) -> BuiltLayout {
    let layout = &design.layout;
    let mut built = BuiltLayout {
        grid: Grid::new(layout.size),
        starts: Vec::new(),
        refused: Vec::new(),
        rooms: Vec::new(),
        doors: Vec::new(),
        diagnostics: Vec::new(),
        left_out: Vec::new(),
    };
    for (index, requested) in layout.rooms.iter().enumerate() {
        let entry = Entry::Room(index);
        if let Some(room) =
            room::Room::resolve(requested, entry, layout.size, &design.constants, &mut built.diagnostics)
        {
            room.place(design, requested, &mut built, placed);
            built.rooms.push(BuiltRoom {
                index,
                center: room.center,
                width: room.reach - 1,
            });
        } else {
            built.left_out.push(entry);
        }
    }
    for (list, squares, tile) in [
        (List::Open, &layout.open, Tile::Guaranteed),
        (List::Walls, &layout.walls, Tile::Wall),
        (List::Columns, &layout.columns, Tile::Column),
    ] {
        for (index, &at) in squares.iter().enumerate() {
            hand_place(list.entry(index), at, tile, &mut built);
            placed(LayoutPart::HandPlaced, Some(list.entry(index)), &built.grid);
        }
    }
    vaults::place(design, &mut built);
    placed(LayoutPart::Vault, None, &built.grid);
    protuberances(layout.protuberances, &mut built);
    placed(LayoutPart::Protuberance, Some(Entry::Protuberances), &built.grid);
    crawlers::start(design, &mut built);
    crawlers::limit(design, &mut built);
    crawlers::report_idle(design, &mut built);
    built
}

fn hand_place(entry: Entry, at: Point, tile: Tile, built: &mut BuiltLayout) {
    let size = built.grid.size();
    let refused = if !size.contains(at) {
        "lies outside the dungeon"
    } else if size.on_border(at) && tile != Tile::Wall {
        "lies on the outer wall, which stays wall"
    } else {
        let stands = built.grid.tile(at);
        if tile == Tile::Guaranteed || stands == Tile::Open {
            put(&mut built.grid, at, tile);
            return;
        }
        // The earlier tile stays (recorded, `rows-obstacle-2`); a wall on a wall needs no diagnostic.
        let what = match stands {
            same if same == tile => return,
            Tile::Wall | Tile::Open => "a wall",
            Tile::Guaranteed => "a square that must stay open",
            Tile::HighWall => "a high wall",
            Tile::Column => "a column",
        };
        built.left_out.push(entry);
        built.diagnostics.push(
            Diagnostic::warning(format!(
                "{} at {at} collides with {what}; it is left out",
                entry.label()
            ))
            .at(Place::entry(entry))
            .help("remove one of the two"),
        );
        return;
    };
    built.left_out.push(entry);
    built.diagnostics.push(
        Diagnostic::warning(format!("{} at {at} {refused}; it is left out", entry.label()))
            .at(Place::entry(entry))
            .help(format!(
                "use a row (x) from 1 to {} and a column (y) from 1 to {}",
                size.x - 2,
                size.y - 2
            )),
    );
}

/// Adds the ornaments along each side at k × ⌊side / (n + 1)⌋, k from 1 to n: three tiles along the border, then one
/// tile each on the two squares further in (recorded, `protuberances-*`).
fn protuberances(n: i32, built: &mut BuiltLayout) {
    let size = built.grid.size();
    let parts = n.max(0).saturating_add(1);
    let mut crowded = false;
    for forward in Forward::ALL {
        let length = if forward.along_x() { size.y } else { size.x };
        let apart = length / parts;
        if apart < 1 {
            crowded = n > 0;
            continue;
        }
        for k in 1..parts {
            let along = k * apart;
            let foot = match forward {
                Forward::North => Point::new(size.x - 1, along),
                Forward::East => Point::new(along, 0),
                Forward::South => Point::new(0, along),
                Forward::West => Point::new(along, size.y - 1),
            };
            let first = foot.step(forward, 1);
            for at in [
                first.step(forward.left(), 1),
                first,
                first.step(forward.right(), 1),
                foot.step(forward, 2),
                foot.step(forward, 3),
            ] {
                add(&mut built.grid, at, Tile::Wall);
            }
        }
    }
    if crowded {
        built.diagnostics.push(
            Diagnostic::warning(format!(
                "some outer walls are too short for {n} protuberances; these walls have none"
            ))
            .at(Place::field(Entry::Protuberances, OuterWall::Protuberances))
            .help(format!("use at most {}", size.x.min(size.y) - 1)),
        );
    }
}

#[cfg(test)]
mod tests;

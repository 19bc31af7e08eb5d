//! Stage one of construction: everything that is in the dungeon before the first Crawler moves.
//!
//! The order comes from the manual (*How Dungeons are Created*) and from recorded dungeons: first the outer ring; then
//! the rooms of the rooms file, one after the other, each with its walls, doors, pyramid, decorations, first columns
//! and Builders; then the hand-placed open squares, wall tiles and columns; then the vaults; then the protuberances;
//! and finally the Crawlers that the rooms file lists. Only one thing overwrites the outer ring: a door on the border,
//! if its room was not shifted there. Whatever cannot be placed as requested is left out or made to fit, and a
//! diagnostic names its place in the design. Random numbers are used only for random delays and open/closed pairs; each
//! entry of the design draws them from its own stream. The names in brackets are recorded cases that show a rule.
//!
//! # Parts of a room
//!
//! The centre of a room is at (⌊Xdiv · dimX / div⌋, ⌊Ydiv · dimY / div⌋). Its wall lies `width` + 1 squares from there.
//! A room that would reach past the border is shifted until its wall lies on the border (`room-place-*`, `place-*`),
//! and its doors on the border stay closed. If a room touches the border without being shifted, its door there opens
//! the outer ring (`place-77x42-60`). A room that has no door except on the border is not built if it was shifted to
//! the North or to the West (`place-37x34-23`, `place-37x41-24`); it is built if it was shifted to the South or to the
//! East (`place-33x49-55`). The wall of a room replaces the tiles that earlier rooms placed on its squares. The tiles
//! inside the wall stay unchanged, so rooms may be nested in any order (`room-nested-*`, `shipped-6`). Crawlers may
//! build inside rooms, and through doors that are wide enough for them (`mix-*`).
//!
//! | style | effect |
//! |---|---|
//! | 1 | the wall: the ring of squares at distance `width` + 1. Without the wall, only the pyramid, columns, decorations and Crawlers are placed |
//! | 2, 4 | size of corner doors. Normal: the corner and 2 squares along each wall. Large (switch 2): the corner and 3 squares along each wall. Extra large (switch 4): the corner and 4 squares along each wall. With both switches: normal size |
//! | 8, 16 | size of center doors. Normal: the middle and 1 square on each side. Large (switch 8): the middle and 2 squares on each side. Extra large (switch 16): the middle and 3 squares on each side. With both switches: normal size |
//! | 32 | filled corner doors: the corner stays wall, and only the last 2 squares of the door along each wall are open. Ignored with 2048 (`decos-2081-*`) |
//! | 64 | a closed Crawler starts in the middle of each large or extra large center door, heading directly away from the room |
//! | 128 | behind each center door, one column 3 squares inward from the wall's line; from this column, two Jumpers start along the wall, in opposite directions |
//! | 256 | for each center door, two Jumpers start on the line of its wall, each 3 squares from one end of the wall, and head inward. With 128: neither columns nor Jumpers inside the room |
//! | 512 | outside each center door, a court (see `decoration.rs`) and a column on each side, 18 squares outward from the wall's line; from each column, two Jumpers start: one heads outward, the other sideways, away from the door |
//! | 1024 | outside each center door, a colonnade (see `decoration.rs`). With 512: neither court nor colonnade |
//! | 2048, 4096 | outside each corner door, wings or blocks (see `decoration.rs`). With both: neither |
//! | 8192 | a pyramid: 5 × 5 squares of high wall in the middle |
//!
//! Large corner doors need a `width` of at least 6, and extra large ones at least 7. Large center doors need at least
//! 5, and extra large ones at least 6. In a smaller room, these doors have normal size (`room-big-doors-*`, `styles-*`,
//! `decos-*`). The docs of `growth` describe how Jumpers leave columns. If a pyramid leaves no space for columns, the
//! room has no columns.
//!
//! A style is the sum of its switches. In a negative number, too, each set bit is a switch (`oddstyle*`). A number
//! above the sum of all switches is rejected.
//!
//! A room starts its Builders door by door, in the order North, South, East, West. For each door, the Jumpers inside
//! the room start before the Jumpers outside; of those outside, the Jumpers on the right, seen from the room, start
//! first (`rows-*`, `styles-*`, `decos-4689-all-w8`). Two more rules are assumptions that no recording confirms: a
//! door's Crawler starts before the door's Jumpers, and Crawlers at corners start last.
//!
//! # Codes of the wall's eight sites
//!
//! Code 0 places nothing, and code 1 a door. In the middle of a wall, codes 2 and 3 start a Crawler on the wall; its
//! heading and its Direction point directly away from the room. At a corner, codes 12, 13, 22, 23, 32, 33, 42 and 43
//! start a Crawler on the corner, and the tens digit determines its heading. The exception is code 43 at the bottom
//! right corner: its Crawler heads West, although tens digit 4 means East at this corner (`codes-rBC-43`). The ones
//! digit determines where the Crawler leaves an opening: 2 nowhere, 3 at its end. All other codes place nothing
//! (`room-badcentre*`, `room-badcorner*`, `codes-*`), except that a room with code 2 or 3 at the bottom right corner is
//! not built (`codes-rBC-2`, `codes-rBC-3`).
//!
//! # Diagnostics instead of failures
//!
//! In some cases, the original program leaves something out with a message, fails, or reads past the end of its map.
//! This implementation builds as much of the dungeon as possible, and a diagnostic names the place in the design:
//!
//! | requested | built |
//! |---|---|
//! | a room past the border | shifted until its wall lies on the border |
//! | a room that is too small, or larger than the dungeon | nothing; the room is left out |
//! | a room with a div below 1, an invalid style, or code 2 or 3 at its bottom right corner | nothing; the room is left out |
//! | a room whose closed Crawlers would cut the dungeon into parts | nothing; the room is left out |
//! | a door on the border, in a room that was shifted there | the outer wall, without the door |
//! | a room that was shifted to the North or West and has no door except on the border, see above | nothing; the room is left out |
//! | large doors, columns, a pyramid or a decoration that do not fit | doors of normal size; columns, pyramid or decoration are left out |
//! | a decoration that reaches past the border at its sides | the part inside the border |
//! | a site's code, or a Crawler's direction or termination, that has no meaning | nothing |
//! | a Crawler of termination 3 that no Crawler of termination 4 follows | the Crawler, open or closed at random (`pairs-*`) |
//! | a Crawler of termination 3 after another Crawler of termination 3, with no Crawler of termination 4 between the two; a Crawler of termination 4 without a Crawler of termination 3 before it | nothing |
//! | a hand-placed square outside the dungeon, or an open square or a column on the border | nothing |
//! | a wall tile or a column on a square with another tile, or on a hand-placed open square | the earlier tile (`rows-obstacle-2`) |
//! | too many protuberances for the length of a side | no protuberances on that side |
//! | a first Crawler outside the dungeon | nothing |
//! | a first Crawler that faces out of the dungeon, has no room for its corridor, or joins immediately | the Crawler, which dies without building |
//! | more first Builders than maxCrawlers | the first maxCrawlers of them (`limited-*`) |
//! | a delay above 10 | a sleep of ten times that number of iterations |
//! | a delay below 0 | no sleep |
//!
//! Values out of range and corridors wider than the dungeon are reported earlier, by validation. The file readers
//! report limits of the rooms file (numRooms to numCrawlers) that are too small for its lists.

mod columns;
mod crawlers;
mod decoration;
mod layout;
mod room;
mod room_tiles;
mod style;
mod vaults;

use serde::{Deserialize, Serialize};

use crate::design::{Diagnostic, Entry, List, OuterWall, Place, ValidDesign};
use crate::geometry::{Forward, Point};

pub use self::layout::{BuiltDoor, BuiltLayout, BuiltRoom, LayoutPart, Start};
pub(in crate::engine) use self::layout::{GAP, is_random};
use self::layout::{add, put};
use super::grid::{Grid, Tile};

/// The part of a design that determined a square's tile before growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareSource {
    /// Kind of part.
    pub part: LayoutPart,
    /// The entry of the design that requested the part; `None` if no single entry did.
    pub entry: Option<Entry>,
}

/// Returns which part of a design determined a square's tile before growth; `None` if no part changed the square. A
/// part that places the same tile again, such as the second of two overlapping walls, is ignored.
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
    // All vaults are placed in one step, which therefore does not report which vault occupies the square.
    if let Some(SquareSource {
        part: LayoutPart::Vault,
        entry,
    }) = &mut source
    {
        *entry = design.vault_at(at).map(|piece| Entry::Vault(piece.vault));
    }
    source.filter(|_| size.contains(at))
}

/// Builds everything that a design's layout requests, and selects the first Builders.
pub fn build(design: &ValidDesign) -> BuiltLayout {
    build_by(design, &mut |_, _, _| {})
}

/// Builds like [`build`], and calls `placed` after each part with the part, its entry and the dungeon built so far.
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
        "lies on the outer wall, where only wall tiles are allowed"
    } else {
        let stands = built.grid.tile(at);
        if tile == Tile::Guaranteed || stands == Tile::Open {
            put(&mut built.grid, at, tile);
            return;
        }
        // The earlier tile stays (recorded dungeons: `rows-obstacle-2`). The same tile twice needs no diagnostic.
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
                "{0} at {at} collides with {what}; {0} is left out",
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

/// Adds `n` protuberances along each side, at the distances k × ⌊side / (n + 1)⌋ for k from 1 to `n`. Each consists of
/// three tiles along the border, and two more that extend inward from the middle one (recorded dungeons:
/// `protuberances-*`).
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

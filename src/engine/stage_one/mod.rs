//! Stage one of construction: everything that stands before the first Crawler moves.
//!
//! The order (manual, *How Dungeons are Created*; recorded dungeons): the outer ring; the rooms of the
//! rooms file, one after the other, each with its walls, doors, pyramid, decorations, first columns and Builders; the
//! hand-placed open squares, wall tiles and columns; the vaults; the protuberances; the first Crawlers of the
//! rooms file. Nothing overwrites the outer ring but the door of a room that stands on it unshifted.
//! What cannot be placed is left out or made to fit, and reported with its place in the design.
//! The only chance here is that of random delays and of open/closed pairs; each entry of the design
//! draws from a stream of its own.
//!
//! # What a room is made of
//!
//! The centre is square (⌊Xdiv · dimX / div⌋, ⌊Ydiv · dimY / div⌋). The wall stands `width` + 1 squares
//! from it; a room that would reach past the border is shifted until its wall lies on the border
//! (`room-place-*`, `place-*`). Its doors there stay closed. A room that touches the border without being shifted opens it
//! with its door (`place-77x42-60`). One that was shifted to the North or to the West and has no door but on the border is
//! not built (`place-37x34-23`, `place-37x41-24`); shifted the other way it is (`place-33x49-55`). A wall replaces what earlier rooms put there; the inside is left as it is, so that
//! rooms may be nested in any order (`room-nested-*`, `shipped-6`). Crawlers may build inside
//! rooms and through doors that are wide enough for them (`mix-*`): neither is closed to walls.
//!
//! | style | squares |
//! |---|---|
//! | 1 | the wall: the ring at distance `width` + 1. Without it nothing but pyramid, columns, decorations and Crawlers is placed |
//! | 2, 4 | a corner door takes the corner and 2 squares along either wall; large 3, extra large 4. Both switches: normal size |
//! | 8, 16 | a center door takes the middle and 1 square to either side; large 2, extra large 3. Both: normal size |
//! | 32 | the corner and all but the last 2 squares of the door along either wall stay wall. With 2048: not (`decos-2081-*`) |
//! | 64 | in the middle of each large center door a closed Crawler starts, straight away from the room |
//! | 128 | behind each center door, one column 3 squares inward of the wall's line, and a Jumper from it to either side |
//! | 256 | beside each center door, 3 squares inward of the neighbouring walls, two Jumpers from the door's wall inward. With 128: none |
//! | 512 | outside each center door a court, see `decoration.rs`; 18 squares outward of the wall's line a column to either side, and from each a Jumper outward and one away from the door |
//! | 1024 | outside each center door a colonnade, see `decoration.rs`. With 512: neither |
//! | 2048, 4096 | outside each corner door, see `decoration.rs`. Both: none |
//! | 8192 | 5 × 5 squares of high wall in the middle |
//!
//! A large door needs a `width` of 3 more than the squares that it takes beside its middle or
//! corner, else it is of normal size (`room-big-doors-*`, `styles-*`, `decos-*`). How Jumpers lay
//! columns is told in `growth`. With a pyramid that leaves no room for columns there are none.
//!
//! A style is the sum of its bits, also when it is negative (`oddstyle*`); one beyond the table is refused.
//!
//! A room starts its Builders door by door, north, south, east, west: the door's Crawler, then the Jumpers inside of the
//! room, then those outside, the right one first, seen from the room (`rows-*`, `styles-*`, `decos-4689-all-w8`). Crawlers
//! at corners come last, which no recording shows.
//!
//! # Codes of the wall's eight sites
//!
//! 0 nothing, 1 a door; at the middle of a wall 2 and 3 start a Crawler on the wall, Forward and
//! Direction straight away from it; at a corner 12, 13, 22, 23, 32, 33, 42, 43 start one on the corner
//! with the heading that the tens name; 43 at the right bottom corner heads West (`codes-rBC-43`). The units say where it leaves an opening: 2 nowhere, 3 at its
//! end. Every other code places nothing (`room-badcentre*`, `room-badcorner*`, `codes-*`), but 2 and 3 at the right bottom
//! corner, of which the room is not built (`codes-rBC-2`, `codes-rBC-3`).
//!
//! # What is said instead of failing
//!
//! Where the original drops something with a message, fails, or would look past its map, the dungeon is built as far
//! as it can be, and a diagnostic names the place in the design:
//!
//! | asked for | built |
//! |---|---|
//! | a room past the border | shifted until its wall lies on the border |
//! | a room too small, larger than the dungeon, without division, of no style, or whose closed Crawlers would cut the dungeon in parts | not the room |
//! | a door on the outer wall, of a room that was shifted | the outer wall |
//! | a shifted room without a door to the dungeon at its South or East, see above | not the room |
//! | doors, columns, a pyramid or a decoration that do not fit | doors of normal size, and not the others |
//! | a decoration that reaches past the border at its sides | the part inside |
//! | a code of a site, a Crawler's direction or termination without meaning | nothing |
//! | a termination 3 without a 4 after it | the Crawler, open or closed by chance (`pairs-*`) |
//! | a termination 3 while a 3 before it waits for its 4; a 4 without a 3 before it | nothing |
//! | a hand-placed square outside, or an open one or a column on the border | nothing |
//! | a wall tile or a column where something stands, or on an open square of the rooms file | what stood there (`rows-obstacle-2`) |
//! | more protuberances than a side has squares | none on that side |
//! | a first Crawler outside | nothing |
//! | a first Crawler that faces out of the dungeon, has no room for its corridor, or joins at once | it starts and dies without building |
//! | more first Builders than maxCrawlers | the first of them (`limited-*`) |
//! | a delay beyond 10, or below 0 | as many tens of iterations, or none |
//!
//! Numbers beyond their range, corridors wider than the dungeon, and limits of the rooms file that are too small
//! are found before, by validation and by the readers.

mod columns;
mod crawlers;
mod decoration;
mod room;
mod style;
mod vaults;

use serde::{Deserialize, Serialize};

use crate::design::{Diagnostic, Entry, List, Place, SitePlace, ValidDesign, standing};
use crate::geometry::{Direction, Forward, Point};

use super::event::{BuilderKind, Opening};
use super::grid::{Grid, Mark, Tile};
use super::random::{Key, Stream};

/// A Builder that the layout starts: a Crawler, or a ColumnJumper of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// What in the design asked for it: the direction of a Crawler, or a site of a room.
    pub origin: Place,
    /// Crawler or Jumper.
    #[serde(default)]
    pub kind: BuilderKind,
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
    /// Turns that a Jumper of a room has at most, where these are fewer than its kind's.
    #[serde(default)]
    pub turns: Option<u32>,
}

impl Start {
    /// What the author calls it: `Crawler 3 of the rooms file`, `the Crawler of room 2, North center`, `a ColumnJumper of
    /// room 2, North center`.
    pub fn told(&self) -> String {
        let label = self.origin.entry.label();
        let what = match self.kind {
            BuilderKind::Crawler => "the Crawler",
            BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => "a ColumnJumper",
        };
        match (self.origin.entry, self.origin.field) {
            (Entry::Room(_), Some(field)) => {
                let site = field
                    .checked_sub(room::field::SITES)
                    .and_then(|site| SitePlace::ALL.get(site));
                let site = site.map_or_else(String::new, |site| format!(", {site}"));
                format!("{what} of {label}{site}")
            }
            (Entry::Room(_), None) => format!("a Crawler of {label}"),
            _ => format!("{label} of the rooms file"),
        }
    }
}

/// What stage one makes of a design.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BuiltLayout {
    /// The dungeon before growth.
    pub grid: Grid,
    /// The first Builders, in the order in which they act.
    pub starts: Vec<Start>,
    /// Builders that are not started because maxCrawlers live already.
    #[serde(default)]
    pub refused: Vec<Start>,
    /// The rooms that stand.
    pub rooms: Vec<BuiltRoom>,
    /// The doors in their walls, room by room.
    pub doors: Vec<BuiltDoor>,
    /// What was changed or left out.
    pub diagnostics: Vec<Diagnostic>,
    /// Entries of which nothing stands, in the order of the lists; a diagnostic says why.
    pub left_out: Vec<Entry>,
}

/// A room that stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltRoom {
    /// Which of the design's rooms it is.
    pub index: usize,
    /// Its centre.
    pub center: Point,
    /// Squares from there to the last before the wall.
    pub width: i32,
}

/// A door in a room's wall, as it was made: what stands there later, of another room or laid by a Crawler, is in the
/// dungeon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltDoor {
    /// Which of the design's rooms has it.
    pub room: usize,
    /// Where in its wall.
    pub site: SitePlace,
    /// Its squares in the order of a walk along the wall. Squares that are no neighbours have wall between them: the
    /// corner of a door that is filled.
    pub squares: Vec<Point>,
}

/// What part of a design puts something on squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutPart {
    /// The outer ring.
    Border,
    /// A room's wall.
    RoomWall,
    /// A door in it.
    Door,
    /// The pyramid in its middle.
    Pyramid,
    /// The decoration outside of its doors.
    Decoration,
    /// The first columns of its Jumpers.
    RoomColumns,
    /// A square of the rooms file.
    HandPlaced,
    /// A vault, or the way out of one.
    Vault,
    /// A protuberance of the outer wall.
    Protuberance,
}

/// What of a design stands on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareSource {
    /// Which part.
    pub part: LayoutPart,
    /// The entry that asked for it, where it is one.
    pub entry: Option<Entry>,
}

/// What of a design made a square what it is before growth; `None`: nothing, it is plainly open. A part that
/// puts there what stood there already, as the second of two walls, does not count.
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
    // All vaults are placed at once.
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

/// Places everything that a design's layout asks for.
pub fn build(design: &ValidDesign) -> BuiltLayout {
    build_by(design, &mut |_, _, _| {})
}

/// The same; after each part `placed` is told which it was, of what entry, and how the dungeon stands.
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
    for (index, asked) in layout.rooms.iter().enumerate() {
        let entry = Entry::Room(index);
        if let Some(room) = room::Room::settle(asked, entry, layout.size, &design.constants, &mut built.diagnostics) {
            room.place(design, asked, &mut built, placed);
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

/// Puts a tile of the design's on any square but the outer ring.
fn put(grid: &mut Grid, at: Point, tile: Tile) {
    if !grid.size().on_border(at) {
        grid.set(at, tile, Mark::Design);
    }
}

/// Puts a tile of the design's where nothing stands yet.
fn add(grid: &mut Grid, at: Point, tile: Tile) {
    if grid.tile(at) == Tile::Open {
        put(grid, at, tile);
    }
}

fn hand_place(entry: Entry, at: Point, tile: Tile, built: &mut BuiltLayout) {
    let size = built.grid.size();
    let refused = if !size.contains(at) {
        "lies outside of the dungeon"
    } else if size.on_border(at) && tile != Tile::Wall {
        "lies on the outer wall, which stays wall"
    } else {
        let stands = built.grid.tile(at);
        if tile == Tile::Guaranteed || stands == Tile::Open {
            put(&mut built.grid, at, tile);
            return;
        }
        // What stands first remains (recorded, `rows-obstacle-2`); a wall on a wall is there all the same.
        let what = match stands {
            same if same == tile => return,
            Tile::Wall | Tile::Open => "a wall",
            Tile::Guaranteed => "a square that is to remain open",
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
            .help("take one of the two away"),
        );
        return;
    };
    built.left_out.push(entry);
    built.diagnostics.push(
        Diagnostic::warning(format!("{} at {at} {refused}; it is left out", entry.label()))
            .at(Place::entry(entry))
            .help(format!("use x from 1 to {} and y from 1 to {}", size.x - 2, size.y - 2)),
    );
}

/// Ornaments along each side at k × ⌊side / (n + 1)⌋, k from 1 to n: three tiles along the border, then
/// one tile two squares further in (recorded, `protuberances-*`).
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
                "{n} protuberances do not fit on every side; they are left out there"
            ))
            .at(Place::field(Entry::Protuberances, 0))
            .help(format!("use at most {}", size.x.min(size.y) - 1)),
        );
    }
}

/// The most tens of iterations that a first Crawler may sleep: far beyond any growth.
const LONGEST_DELAY: i32 = 1_000_000;

/// Iterations of sleep for a delay of the rooms file: ten for each; 10 draws 0 to 9 (manual). A larger
/// value is taken as it stands (recorded, `crawler-baddelay11`), a negative one as no sleep.
fn delay(value: i32, place: Place, stream: &mut Stream, diagnostics: &mut Vec<Diagnostic>) -> u32 {
    if value == 10 {
        return stream.below(10) * 10;
    }
    let used = value.clamp(0, LONGEST_DELAY);
    if !(0..=10).contains(&value) {
        diagnostics.push(
            Diagnostic::warning(format!(
                "delay {value} is not one of 0 to 10; it sleeps {} iterations",
                i64::from(used) * 10
            ))
            .at(place)
            .help("use 0 to 9 for tens of iterations, 10 for chance"),
        );
    }
    used as u32 * 10
}

/// The stream of chance of an entry of the layout, apart from every Builder's.
fn stream(seed: u64, entry: Entry) -> Stream {
    let (list, index) = match entry {
        Entry::Room(index) => (0, index),
        Entry::Crawler(index) => (1, index),
        _ => (2, 0),
    };
    Stream::new(Key::new(seed).child(STAGE_ONE).child(list).child(index as u64))
}

/// The number of stage one's streams below the seed's key; Builders' numbers never reach it.
const STAGE_ONE: u64 = u64::MAX;

#[cfg(test)]
mod tests;

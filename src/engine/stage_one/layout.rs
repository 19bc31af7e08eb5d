//! The result of stage one, and helpers that several of its modules share.

use serde::{Deserialize, Serialize};

use crate::design::{Design, Diagnostic, Entry, Field, Layout, Parameter, Place, SitePlace};
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::{Grid, Mark, Tile};
use crate::engine::random::{Key, Stream};
use crate::geometry::{Direction, Forward, Point, Size};

/// Number of squares between the columns that a room's Jumpers leave. It does not depend on minCorrWidth (recorded
/// dungeons: `rows-mincorr*`).
pub(in crate::engine) const GAP: i32 = 2;

/// A Builder that the layout starts: a first Crawler, or a Jumper of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Place in the design that requests the Builder: the direction field of a first Crawler, or a site of a room.
    pub origin: Place,
    /// Kind of the Builder.
    #[serde(default)]
    pub kind: BuilderKind,
    /// Square on which the Builder starts.
    pub at: Point,
    /// Heading of the Builder.
    pub forward: Forward,
    /// Direction of the Builder, if it has one.
    pub direction: Option<Direction>,
    /// Where the Builder leaves an opening.
    pub opening: Opening,
    /// Number of iterations for which the Builder sleeps before its first turn.
    pub delay: u32,
    /// Maximum number of turns of a room's Jumper; `None` for the maximum of its kind.
    #[serde(default)]
    pub turns: Option<u32>,
}

impl Start {
    /// Returns a description for the user: `Crawler 3 of the layout`, `the Crawler of room 2, North center` or `a
    /// Jumper of room 2, North center`.
    pub fn description(&self) -> String {
        let label = self.origin.entry.label();
        let what = match self.kind {
            BuilderKind::Crawler => "the Crawler",
            BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => "a Jumper",
        };
        match (self.origin.entry, self.origin.field) {
            (Entry::Room(_), Some(Field::Number(Parameter::RoomField(field)))) => {
                let site = field.site().map(|site| SitePlace::ALL[site]);
                let site = site.map_or_else(String::new, |site| format!(", {site}"));
                format!("{what} of {label}{site}")
            }
            (Entry::Room(_), _) => format!("a Crawler of {label}"),
            _ => format!("{label} of the layout"),
        }
    }
}

/// The result of stage one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BuiltLayout {
    /// The dungeon before growth.
    pub grid: Grid,
    /// The first Builders, in the order in which they act.
    pub starts: Vec<Start>,
    /// The Builders that do not start, because maxCrawlers limits the number of Builders.
    #[serde(default)]
    pub refused: Vec<Start>,
    /// The rooms that were built.
    pub rooms: Vec<BuiltRoom>,
    /// The doors in the walls of the rooms, room by room.
    pub doors: Vec<BuiltDoor>,
    /// Warnings about what could not be built as requested, and about first Crawlers that die without building.
    pub diagnostics: Vec<Diagnostic>,
    /// Entries that were left out completely. A diagnostic gives the reason for each.
    pub left_out: Vec<Entry>,
}

/// A room that was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltRoom {
    /// Index in the design's list of rooms.
    pub index: usize,
    /// Square in the middle of the room.
    pub center: Point,
    /// Number of squares from the centre to the last square inside the wall.
    pub width: i32,
}

impl BuiltRoom {
    /// Returns the area within the walls: its top left square and its size.
    ///
    /// ```
    /// use wallcrawler::Maze;
    /// use wallcrawler::presets::Preset;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let keep = Preset::find("keep").ok_or("no such preset")?.design();
    /// let maze = Maze::grow(&keep, 42)?;
    /// for room in maze.rooms() {
    ///     let (corner, size) = room.inside();
    ///     println!("{} columns from column {}", size.width(), corner.column());
    ///     assert!(room.contains(room.center) && room.contains(corner));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub const fn inside(&self) -> (Point, Size) {
        let side = 2 * self.width + 1;
        let corner = Point::new(self.center.x - self.width, self.center.y - self.width);
        (corner, Size::new(side, side))
    }

    /// Returns whether a square is within the walls.
    pub const fn contains(&self, at: Point) -> bool {
        let (corner, size) = self.inside();
        size.contains(Point::new(at.x - corner.x, at.y - corner.y))
    }
}

/// A door in a room's wall, as stage one built it. In the finished dungeon, its squares may be closed, since other
/// rooms and Crawlers can build on them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltDoor {
    /// Index of the door's room in the design's list of rooms.
    pub room: usize,
    /// Site of the door in the room's wall.
    pub site: SitePlace,
    /// Squares of the door, in order along the wall. A filled corner door has a gap in this list: the squares around
    /// the corner stay wall and are not included.
    pub squares: Vec<Point>,
}

/// A part of a design that stage one builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutPart {
    /// The outer ring, which is the dungeon's border.
    Border,
    /// A room's wall.
    RoomWall,
    /// A door in a room's wall.
    Door,
    /// The pyramid in the middle of a room.
    Pyramid,
    /// The decoration outside a room's doors.
    Decoration,
    /// The columns from which a room's Jumpers start.
    RoomColumns,
    /// A hand-placed open square, wall tile or column of the rooms file.
    HandPlaced,
    /// A vault, or the squares that are kept open around its exits.
    Vault,
    /// A protuberance of the outer wall.
    Protuberance,
}

/// Sets a tile that the design requests. Squares of the outer ring stay unchanged.
pub(super) fn put(grid: &mut Grid, at: Point, tile: Tile) {
    if !grid.size().on_border(at) {
        grid.set(at, tile, Mark::Design);
    }
}

/// Sets a tile that the design requests, if the square is still open and not on the outer ring.
pub(super) fn add(grid: &mut Grid, at: Point, tile: Tile) {
    if grid.tile(at) == Tile::Open {
        put(grid, at, tile);
    }
}

/// The value in the rooms file that requests a random delay.
const RANDOM_DELAY: i32 = 10;

/// Returns whether stage one may draw random numbers, which it does for random delays and for open/closed pairs.
pub(in crate::engine) fn is_random(design: &Design) -> bool {
    let Layout { rooms, crawlers, .. } = &design.layout;
    let mut delays = rooms
        .iter()
        .map(|room| room.delay)
        .chain(crawlers.iter().map(|crawler| crawler.delay));
    delays.any(|delay| delay == RANDOM_DELAY) || crawlers.iter().any(|crawler| matches!(crawler.termination, 3 | 4))
}

/// Longest delay of a first Crawler, in tens of iterations. It is far longer than any growth.
const LONGEST_DELAY: i32 = 1_000_000;

/// Converts a delay in the rooms file to iterations of sleep: ten iterations for each unit. The value 10 requests a
/// random delay of 0 to 9 units (manual). Values above 10 are converted in the same way as 0 to 9 (recorded dungeons:
/// `crawler-baddelay11`); negative values mean no sleep. Values above 10 and negative values are reported.
pub(super) fn delay(value: i32, place: Place, stream: &mut Stream, diagnostics: &mut Vec<Diagnostic>) -> u32 {
    if value == RANDOM_DELAY {
        return stream.below(10) * 10;
    }
    let used = value.clamp(0, LONGEST_DELAY);
    if !(0..=10).contains(&value) {
        diagnostics.push(
            Diagnostic::warning(format!(
                "delay {value} is outside 0 to 10; the sleep lasts {} iterations",
                i64::from(used) * 10
            ))
            .at(place)
            .help("use 0 to 9 for tens of iterations, or 10 for a random delay"),
        );
    }
    used as u32 * 10
}

/// Returns the random stream of an entry of the layout. It differs from the streams of all Builders.
pub(super) fn stream(seed: u64, entry: Entry) -> Stream {
    let (list, index) = match entry {
        Entry::Room(index) => (0, index),
        Entry::Crawler(index) => (1, index),
        _ => (2, 0),
    };
    Stream::new(Key::new(seed).child(STAGE_ONE).child(list).child(index as u64))
}

/// Child number of the key for all random streams of stage one. The parent of this key is the seed's key; the child
/// numbers of Builders never reach this number.
const STAGE_ONE: u64 = u64::MAX;

//! The result of stage one, and helpers for all its parts.

use serde::{Deserialize, Serialize};

use crate::design::{Design, Diagnostic, Entry, Field, Layout, Parameter, Place, SitePlace};
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::{Grid, Mark, Tile};
use crate::engine::random::{Key, Stream};
use crate::geometry::{Direction, Forward, Point, Size};

/// Number of squares between the columns of a room's Jumpers, independent of minCorrWidth (recorded: `rows-mincorr*`).
pub(in crate::engine) const GAP: i32 = 2;

/// A Builder started by the layout: a Crawler, or a ColumnJumper of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Place in the design that requests it: the direction of a Crawler, or a site of a room.
    pub origin: Place,
    /// Its kind: Crawler or one of the Jumpers.
    #[serde(default)]
    pub kind: BuilderKind,
    /// Square where it starts.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Its Direction, if it has one.
    pub direction: Option<Direction>,
    /// Its opening.
    pub opening: Opening,
    /// Number of iterations that it sleeps.
    pub delay: u32,
    /// Maximum number of turns of a room's Jumper, when these are fewer than its kind's.
    #[serde(default)]
    pub turns: Option<u32>,
}

impl Start {
    /// Returns its label: `Crawler 3 of the layout`, `the Crawler of room 2, North center`, `a ColumnJumper of room
    /// 2, North center`.
    pub fn description(&self) -> String {
        let label = self.origin.entry.label();
        let what = match self.kind {
            BuilderKind::Crawler => "the Crawler",
            BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => "a ColumnJumper",
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
    /// Builders that are not started because of maxCrawlers.
    #[serde(default)]
    pub refused: Vec<Start>,
    /// The rooms that were built.
    pub rooms: Vec<BuiltRoom>,
    /// The doors in their walls, room by room.
    pub doors: Vec<BuiltDoor>,
    /// Diagnostics about everything that was changed or left out.
    pub diagnostics: Vec<Diagnostic>,
    /// Entries that were left out completely, in the order of the lists; a diagnostic gives the reason.
    pub left_out: Vec<Entry>,
}

/// A room that was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltRoom {
    /// Index in the design's list of rooms.
    pub index: usize,
    /// Its centre.
    pub center: Point,
    /// Number of squares from the centre to the last before the wall.
    pub width: i32,
}

impl BuiltRoom {
    /// Returns the rectangle within the walls: its top left square and its size.
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

/// A door in a room's wall, as stage one built it: another room or a Crawler may later close its squares in the
/// dungeon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltDoor {
    /// Index of its room in the design's list.
    pub room: usize,
    /// Place in the room's wall.
    pub site: SitePlace,
    /// Its squares in order along the wall. Consecutive squares that are not neighbours have wall between them: the
    /// corner of a filled door.
    pub squares: Vec<Point>,
}

/// The part of a design that places tiles on squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutPart {
    /// The outer ring.
    Border,
    /// A room's wall.
    RoomWall,
    /// A door in a room's wall.
    Door,
    /// The pyramid in a room's middle.
    Pyramid,
    /// The decoration outside a room's doors.
    Decoration,
    /// The first columns of a room's Jumpers.
    RoomColumns,
    /// A hand-placed square of the rooms file.
    HandPlaced,
    /// A vault, or the way out of one of its exits.
    Vault,
    /// A protuberance of the outer wall.
    Protuberance,
}

/// Sets a tile of the design on any square but the outer ring.
pub(super) fn put(grid: &mut Grid, at: Point, tile: Tile) {
    if !grid.size().on_border(at) {
        grid.set(at, tile, Mark::Design);
    }
}

/// Sets a tile of the design on a square that is still open.
pub(super) fn add(grid: &mut Grid, at: Point, tile: Tile) {
    if grid.tile(at) == Tile::Open {
        put(grid, at, tile);
    }
}

/// The delay that is drawn at random.
const RANDOM_DELAY: i32 = 10;

/// Returns whether stage one may draw random numbers: for a delay, or for an open/closed pair.
pub(in crate::engine) fn is_random(design: &Design) -> bool {
    let Layout { rooms, crawlers, .. } = &design.layout;
    let mut delays = rooms
        .iter()
        .map(|room| room.delay)
        .chain(crawlers.iter().map(|crawler| crawler.delay));
    delays.any(|delay| delay == RANDOM_DELAY) || crawlers.iter().any(|crawler| matches!(crawler.termination, 3 | 4))
}

/// Longest delay of a first Crawler in tens of iterations: far beyond any growth.
const LONGEST_DELAY: i32 = 1_000_000;

/// Returns the iterations of sleep for a delay of the rooms file: ten for each; 10 draws 0 to 9 (manual). A larger
/// value is used as it is (recorded, `crawler-baddelay11`), a negative one means no sleep.
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

/// Returns the random stream of a layout entry, separate from every Builder's.
pub(super) fn stream(seed: u64, entry: Entry) -> Stream {
    let (list, index) = match entry {
        Entry::Room(index) => (0, index),
        Entry::Crawler(index) => (1, index),
        _ => (2, 0),
    };
    Stream::new(Key::new(seed).child(STAGE_ONE).child(list).child(index as u64))
}

/// Number of stage one's streams below the seed's key; Builders' numbers never reach it.
const STAGE_ONE: u64 = u64::MAX;

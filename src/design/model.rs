//! The data types of a design. They contain no derived values. Some doc comments begin with a name and a colon, as in
//! `delay: …`: the manual uses this name for the field.

use serde::{Deserialize, Serialize};

use super::{Constants, Expectations, Generation, Limits, List, PlacedVault, standing};
use crate::geometry::{Point, Size};

/// Number of generations in a stats file. Later generations use the parameters of the last one.
pub const GENERATIONS: usize = 10;

/// Everything that determines a dungeon, with a name and the author's notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Design {
    /// Short name; empty if the files of the design contain none.
    pub name: String,
    /// Notes of the author, in free text.
    pub notes: String,
    /// Seed of the random numbers. The same design and seed yield the same dungeon on every platform.
    pub seed: u64,
    /// The constants file.
    pub constants: Constants,
    /// The rooms file.
    pub layout: Layout,
    /// The stats file.
    pub character: Character,
    /// Expectations about the design's dungeons. They do not affect growth, and only the native format stores them.
    pub expect: Expectations,
}

impl Default for Design {
    /// Returns an empty 100 × 100 dungeon with the default character and constants.
    fn default() -> Self {
        Self {
            name: String::new(),
            notes: String::new(),
            seed: 1,
            constants: Constants::default(),
            layout: Layout::default(),
            character: Character::default(),
            expect: Expectations::default(),
        }
    }
}

/// The rooms file: the first Crawlers, and everything that is placed in the dungeon before the growth begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    /// Dimensions of the dungeon, including the outer ring.
    pub size: Size,
    /// Limits that the rooms file states for its lists.
    pub limits: Limits,
    /// Square rooms.
    pub rooms: Vec<Room>,
    /// Squares that are guaranteed to remain open.
    pub open: Vec<Point>,
    /// Hand-placed wall tiles.
    pub walls: Vec<Point>,
    /// Hand-placed columns.
    pub columns: Vec<Point>,
    /// The first Crawlers, which are generation 0.
    pub crawlers: Vec<CrawlerStart>,
    /// Number of protuberances (short stubs of wall) on each side of the outer wall.
    pub protuberances: i32,
    /// Vaults: hand-made maps in the dungeon. Only the native format stores them.
    pub vaults: Vec<VaultEntry>,
    /// Squares with names. They do not affect growth, and only the native format stores them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NamedPlace>,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            size: Size::new(100, 100),
            limits: Limits::default(),
            rooms: Vec::new(),
            open: Vec::new(),
            walls: Vec::new(),
            columns: Vec::new(),
            crawlers: Vec::new(),
            protuberances: 0,
            vaults: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl Layout {
    /// Returns the square of a named place. `pieces` are the resolved vaults. Returns `None` if the place belongs to a
    /// room or vault that is not in the dungeon.
    pub fn square_of(&self, place: &NamedPlace, pieces: &[PlacedVault]) -> Option<Point> {
        let center = |index: usize| Some(self.rooms.get(index)?.center_and_reach(self.size)?.0);
        let (placed, _) = standing(pieces, self.size);
        let corner = |index: usize| placed.iter().find(|piece| piece.vault == index).map(|piece| piece.at);
        place.square(center, corner)
    }
}

impl Limits {
    /// Raises each limit that is too small for its list in `layout`, and returns the limits.
    #[must_use]
    pub fn raised_for(mut self, layout: &Layout) -> Self {
        for list in List::ALL {
            if let Some(limit) = list.limit() {
                let needed = i32::try_from(list.len(layout)).unwrap_or(i32::MAX).saturating_add(1);
                let raised = limit.get(&self).max(needed);
                limit.set(&mut self, raised);
            }
        }
        self
    }
}

/// A square room of the rooms file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Room {
    /// div: number of equal parts into which rows and columns are divided to place the centre.
    pub div: i32,
    /// Xdiv: number of parts above the centre.
    pub xdiv: i32,
    /// Ydiv: number of parts to the left of the centre.
    pub ydiv: i32,
    /// width: number of squares between the centre and each wall; the room is 2 × width + 1 squares wide inside.
    pub width: i32,
    /// Codes of the eight sites of the wall, clockwise from the top left corner: lTC, tC, rTC, rC, rBC, bC, lBC, lC.
    /// The codes are 0 = nothing, 1 = door, 2 = Crawler without an opening, 3 = Crawler with an opening at the end of
    /// its wall. At corners, 10, 20, 30 or 40 is added to the code of a Crawler to encode its directions.
    pub sites: [i32; 8],
    /// Sum of the room's switches; see [`style`].
    pub style: i32,
    /// delay: how long the room's Crawlers sleep, in units of 10 iterations; the value 10 draws a random delay from 0
    /// to 9.
    pub delay: i32,
}

impl Default for Room {
    /// Returns a small walled room in the middle of the dungeon with a door in each side.
    fn default() -> Self {
        Self {
            div: 2,
            xdiv: 1,
            ydiv: 1,
            width: 5,
            sites: [0, 1, 0, 1, 0, 1, 0, 1],
            style: style::WALLS,
            delay: 0,
        }
    }
}

/// Index into [`Room::sites`]. A site is a position in a room's wall that can have a door or a Crawler.
pub type Site = usize;

/// The eight sites of a room's wall, clockwise from the top left corner.
pub mod sites {
    use super::Site;

    /// lTC.
    pub const LEFT_TOP_CORNER: Site = 0;
    /// tC.
    pub const TOP_CENTER: Site = 1;
    /// rTC.
    pub const RIGHT_TOP_CORNER: Site = 2;
    /// rC.
    pub const RIGHT_CENTER: Site = 3;
    /// rBC.
    pub const RIGHT_BOTTOM_CORNER: Site = 4;
    /// bC.
    pub const BOTTOM_CENTER: Site = 5;
    /// lBC.
    pub const LEFT_BOTTOM_CORNER: Site = 6;
    /// lC.
    pub const LEFT_CENTER: Site = 7;
}

/// The switches that add up to a room's style.
pub mod style {
    /// The room has walls.
    pub const WALLS: i32 = 1;
    /// Corner doors are large.
    pub const LARGE_CORNER_DOORS: i32 = 2;
    /// Corner doors are extra large.
    pub const EXTRA_LARGE_CORNER_DOORS: i32 = 4;
    /// Center doors are large.
    pub const LARGE_CENTER_DOORS: i32 = 8;
    /// Center doors are extra large.
    pub const EXTRA_LARGE_CENTER_DOORS: i32 = 16;
    /// The middle of each corner door is filled, which makes two smaller doors.
    pub const FILLED_CORNER_DOORS: i32 = 32;
    /// A Crawler starts in the middle of each center door.
    pub const CRAWLER_IN_CENTER_DOORS: i32 = 64;
    /// There is a row of column tiles behind each center door.
    pub const COLUMNS_BEHIND_DOORS: i32 = 128;
    /// There is a row of column tiles parallel to each center door.
    pub const COLUMNS_ALONG_DOORS: i32 = 256;
    /// Center doors have a decoration of type 1 outside.
    pub const CENTER_DECORATION_1: i32 = 512;
    /// Center doors have a decoration of type 2 outside.
    pub const CENTER_DECORATION_2: i32 = 1024;
    /// Corner doors have a decoration of type 1 outside.
    pub const CORNER_DECORATION_1: i32 = 2048;
    /// Corner doors have a decoration of type 2 outside.
    pub const CORNER_DECORATION_2: i32 = 4096;
    /// The room has a center pyramid.
    pub const PYRAMID: i32 = 8192;
    /// The sum of all switches.
    pub const ALL: i32 = 16383;

    /// Every switch with its value, in the manual's order.
    pub const SWITCHES: [(i32, &str); 14] = [
        (WALLS, "walls"),
        (LARGE_CORNER_DOORS, "large corner doors"),
        (EXTRA_LARGE_CORNER_DOORS, "extra large corner doors"),
        (LARGE_CENTER_DOORS, "large center doors"),
        (EXTRA_LARGE_CENTER_DOORS, "extra large center doors"),
        (FILLED_CORNER_DOORS, "corner doors filled in the middle"),
        (CRAWLER_IN_CENTER_DOORS, "a Crawler in center doors"),
        (COLUMNS_BEHIND_DOORS, "columns behind center doors"),
        (COLUMNS_ALONG_DOORS, "columns along center doors"),
        (CENTER_DECORATION_1, "center doors: decoration 1"),
        (CENTER_DECORATION_2, "center doors: decoration 2"),
        (CORNER_DECORATION_1, "corner doors: decoration 1"),
        (CORNER_DECORATION_2, "corner doors: decoration 2"),
        (PYRAMID, "pyramid"),
    ];
}

/// A Crawler that the rooms file lists. The manual's page on the rooms file explains the codes of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct CrawlerStart {
    /// Start square, on which the Crawler lays no tile.
    pub at: Point,
    /// direction: a code of two digits. The ones digit is the Forward: 1 = East, 2 = South, 3 = West, 4 = North. The
    /// tens digit is the Direction relative to the Forward: 0 = the same, 1 = 45° right, 2 = 90° right, 3 = 45° left,
    /// 4 = 90° left, 5 = none.
    pub direction: i32,
    /// delay: how long the Crawler sleeps, in units of 10 iterations; the value 10 draws a random delay from 0 to 9.
    pub delay: i32,
    /// termination: 1 = opening at the end, 2 = no opening; 3 and 4 mark the first and second Crawler of a pair. One
    /// Crawler of the pair, chosen at random, leaves an opening.
    pub termination: i32,
}

impl Default for CrawlerStart {
    /// Returns a Crawler that starts in the middle of the top wall of a 100 × 100 dungeon, faces South, and leaves an
    /// opening at the end of its wall.
    fn default() -> Self {
        Self {
            at: Point::new(0, 50),
            direction: 12,
            delay: 0,
            termination: 1,
        }
    }
}

/// A hand-made map in the dungeon: its source, its position and its random choices.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct VaultEntry {
    /// Path of the level file, relative to the design; empty for the built-in vaults.
    pub file: String,
    /// Name of the map; empty to choose one by its tag.
    pub map: String,
    /// Tag; one of the maps with this tag is chosen at random, according to their weights at the depth of `place`.
    pub tag: String,
    /// Level for which the map is resolved, such as `D:5`; empty for D:1.
    pub place: String,
    /// Number of equal parts into which rows and columns are divided to place the centre; 0 places the top left square
    /// at `at` instead.
    pub div: i32,
    /// Number of parts above the centre.
    pub xdiv: i32,
    /// Number of parts to the left of the centre.
    pub ydiv: i32,
    /// Top left square, if `div` is 0.
    pub at: Point,
    /// Seed of the vault; if it is 0, the vault's seed is derived from the design's seed.
    pub seed: i32,
    /// Orientation, from 0 to 8; see [`ORIENTATIONS`]. If it is 0, the map is turned and mirrored at random, as far as
    /// the map allows.
    pub orientation: i32,
}

/// Names of a vault's orientations; the index is the value in the file. A quarter turn is clockwise; a mirrored map is
/// mirrored first, then turned.
pub const ORIENTATIONS: [&str; 9] = [
    "random",
    "as drawn",
    "a quarter turn",
    "half a turn",
    "three quarter turns",
    "mirrored left to right",
    "mirrored, a quarter turn",
    "mirrored, half a turn",
    "mirrored, three quarter turns",
];

impl Default for VaultEntry {
    /// Returns a vault in the middle of the dungeon, without a map or a tag.
    fn default() -> Self {
        Self {
            file: String::new(),
            map: String::new(),
            tag: String::new(),
            place: String::new(),
            div: 2,
            xdiv: 1,
            ydiv: 1,
            at: Point::new(1, 1),
            seed: 0,
            orientation: 0,
        }
    }
}

/// A square to which the author has given a name, such as `boss`. Its position is relative to the dungeon, a room or a
/// vault.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedPlace {
    /// Name of the place; several places may have the same name.
    pub name: String,
    /// The square. If `room` is set, it is relative to the centre of the room; if `vault` is set, relative to the top
    /// left square of the placed vault.
    pub at: Point,
    /// Number of the room that the place is in, from 1; 0: none.
    pub room: i32,
    /// Number of the vault that the place is in, from 1; 0: none.
    pub vault: i32,
}

impl NamedPlace {
    /// Returns the square in the dungeon. `center` returns the centre of the room at an index, `corner` the top left
    /// square of the vault at an index. Returns `None` if the place belongs to a room or vault that is not in the
    /// dungeon.
    pub fn square(
        &self,
        center: impl Fn(usize) -> Option<Point>,
        corner: impl Fn(usize) -> Option<Point>,
    ) -> Option<Point> {
        let index = |number: i32| usize::try_from(number).ok()?.checked_sub(1);
        let from = match (index(self.room), index(self.vault)) {
            (Some(room), _) => center(room)?,
            (None, Some(vault)) => corner(vault)?,
            (None, None) => Point::new(0, 0),
        };
        Some(Point::new(
            from.x.checked_add(self.at.x)?,
            from.y.checked_add(self.at.y)?,
        ))
    }
}

/// The stats file: the behaviour of each generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// Parameters of generations 0 to 9; later generations use the last.
    pub generations: [Generation; GENERATIONS],
}

impl Character {
    /// Returns the parameters of a generation. Generations after 9 use the parameters of generation 9.
    #[inline]
    pub fn generation(&self, generation: u32) -> &Generation {
        &self.generations[(generation as usize).min(GENERATIONS - 1)]
    }
}

impl Default for Character {
    /// Returns ten generations with the default parameters.
    fn default() -> Self {
        Self {
            generations: [Generation::default(); GENERATIONS],
        }
    }
}

impl Generation {
    /// Returns the number of open squares that a Crawler of this generation keeps ahead of itself and on both sides:
    /// CorridorWidth, or minCorrWidth if that is larger.
    pub fn corridor(&self, constants: &Constants) -> i32 {
        self.corridor_width.max(constants.min_corr_width)
    }
}

//! The one table of every numeric parameter: name, meaning, unit, range and default.
//!
//! Parsers, validation, panels, help and documentation read these tables; nobody else writes a
//! range or a parameter's name. Names are those of the manual's files; keys are their TOML spelling.

use std::ops::RangeInclusive;

use super::{Constants, CrawlerStart, Generation, Layout, Limits, Room};
use crate::geometry::Point;

/// What a parameter is called, means and may be, apart from where it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldInfo {
    /// The manual's name, as the original's files spell it: `StepLength`, `lTC`, `maxCrawlers`.
    pub name: &'static str,
    /// The key in a TOML design: `step_length`.
    pub key: &'static str,
    /// One sentence for a person who has the field under the cursor.
    pub meaning: &'static str,
    /// What it counts: `squares`, `%`, `iterations × 10`, or empty for codes.
    pub unit: &'static str,
    /// Smallest value that makes sense.
    pub min: i32,
    /// Largest value that makes sense.
    pub max: i32,
    /// The value of a new entry.
    pub default: i32,
}

impl FieldInfo {
    /// The values that make sense.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.min..=self.max
    }
}

/// A parameter of `T`: its description and how to reach it.
#[derive(Debug)]
pub struct Field<T> {
    /// Name, meaning, range.
    pub info: FieldInfo,
    /// Reads the parameter.
    pub get: fn(&T) -> i32,
    /// Writes the parameter, unchecked.
    pub set: fn(&mut T, i32),
}

/// `blank` with every field of the table set to its default.
pub(super) fn defaults<T>(table: &[Field<T>], mut blank: T) -> T {
    for field in table {
        (field.set)(&mut blank, field.info.default);
    }
    blank
}

macro_rules! field {
    ($name:literal, $key:literal, $($member:tt).+ $([$index:literal])?, $range:expr, $default:expr, $unit:literal, $meaning:literal) => {
        Field {
            info: FieldInfo {
                name: $name,
                key: $key,
                meaning: $meaning,
                unit: $unit,
                min: *$range.start(),
                max: *$range.end(),
                default: $default,
            },
            get: |t| t.$($member).+$([$index])?,
            set: |t, value| t.$($member).+$([$index])? = value,
        }
    };
}

const PERCENT: RangeInclusive<i32> = 0..=100;
const SQUARE: RangeInclusive<i32> = 0..=super::MAX_DIMENSION - 1;
/// A corner's codes; whether a center site may have tens is for the layout's diagnostics.
const CORNER: RangeInclusive<i32> = 0..=43;
const CENTER: RangeInclusive<i32> = 0..=3;

/// The stats file: twelve parameters of a generation, in the file's order.
pub static STATS: [Field<Generation>; 12] = [
    field!(
        "StepLength",
        "step_length",
        step_length,
        1..=1000,
        4,
        "squares",
        "wall tiles that a Crawler lays in one turn when there is room ahead"
    ),
    field!(
        "CorridorWidth",
        "corridor_width",
        corridor_width,
        0..=1000,
        3,
        "squares",
        "least open squares between new walls and those already there"
    ),
    field!(
        "ChangeDirProb",
        "change_dir_prob",
        change_dir_prob,
        PERCENT,
        30,
        "%",
        "chance to turn after a building turn; generation 0 heads closer to its Direction instead"
    ),
    field!(
        "StraightSpawnProb",
        "straight_spawn_prob",
        straight_spawn_prob,
        PERCENT,
        60,
        "%",
        "chance of a baby after a building turn without a change of heading"
    ),
    field!(
        "DoubleSpawnProb",
        "double_spawn_prob",
        double_spawn_prob,
        PERCENT,
        50,
        "%",
        "chance of two babies instead of one when it turns after building"
    ),
    field!(
        "JumperProb",
        "jumper_prob",
        jumper_prob,
        PERCENT,
        0,
        "%",
        "chance that a baby is a ColumnJumper"
    ),
    field!(
        "OpenStartProb",
        "open_start_prob",
        open_start_prob,
        PERCENT,
        0,
        "%",
        "chance that a Crawler leaves its opening at the start of its run and closes the end"
    ),
    field!(
        "MaxAge",
        "max_age",
        max_age,
        0..=1_000_000,
        10,
        "turns",
        "age after which the Crawler dies; with StepLength the length of its wall"
    ),
    field!(
        "SkipGenerations",
        "skip_generations",
        skip_generations,
        0..=1000,
        1,
        "generations",
        "generations that the Jumpers of this generation sleep before they become active"
    ),
    field!(
        "LateSpawn",
        "late_spawn",
        late_spawn,
        0..=1000,
        0,
        "generations",
        "how many generations later than usual a late baby wakes"
    ),
    field!(
        "LateSpawnProb",
        "late_spawn_prob",
        late_spawn_prob,
        PERCENT,
        0,
        "%",
        "chance that a baby is late"
    ),
    field!(
        "NoDirectionProb",
        "no_direction_prob",
        no_direction_prob,
        PERCENT,
        0,
        "%",
        "chance that a Crawler has no preferred Direction and may turn back on itself; never generation 0"
    ),
];

/// The constants file, in its order.
pub static CONSTANTS: [Field<Constants>; 6] = [
    field!(
        "maxCrawlers",
        "max_crawlers",
        max_crawlers,
        1..=100_000_000,
        800,
        "Builders",
        "most Builders alive at once, sleepers counted; at the limit no baby is born"
    ),
    field!(
        "minCorrWidth",
        "min_corr_width",
        min_corr_width,
        0..=1000,
        2,
        "squares",
        "least corridor: a smaller CorridorWidth is raised to it, and Jumpers step by it"
    ),
    field!(
        "smallestRoomWidth",
        "smallest_room_width",
        smallest_room_width,
        1..=1000,
        3,
        "squares",
        "rooms narrower than this are not built"
    ),
    field!(
        "chDirOnStraight",
        "ch_dir_on_straight",
        ch_dir_on_straight,
        PERCENT,
        30,
        "%",
        "generation 0's chance to leave a heading that runs straight along its Direction"
    ),
    field!(
        "jumperLife",
        "jumper_life",
        jumper_life,
        0..=1_000_000,
        7,
        "turns",
        "turns that a ColumnJumper lives"
    ),
    field!(
        "joinDist",
        "join_dist",
        join_dist,
        0..=1000,
        13,
        "squares",
        "how near the wall ahead must be for a closed Crawler to join it"
    ),
];

/// A room of the rooms file, in the record's order.
pub static ROOM: [Field<Room>; 14] = [
    field!(
        "div",
        "div",
        div,
        1..=1000,
        2,
        "parts",
        "parts into which both axes are divided to place the centre"
    ),
    field!(
        "Xdiv",
        "xdiv",
        xdiv,
        0..=1000,
        1,
        "parts",
        "the centre's place from the top, counted in parts"
    ),
    field!(
        "Ydiv",
        "ydiv",
        ydiv,
        0..=1000,
        1,
        "parts",
        "the centre's place from the left, counted in parts"
    ),
    field!(
        "width",
        "width",
        width,
        1..=1000,
        5,
        "squares",
        "squares from the centre to the wall: a room of 2 × width + 1"
    ),
    field!(
        "lTC",
        "ltc",
        sites[0],
        CORNER,
        0,
        "",
        "left top corner: 0 nothing, 1 door, 10–40 + 2 closed or 3 open Crawler"
    ),
    field!(
        "tC",
        "tc",
        sites[1],
        CENTER,
        1,
        "",
        "top center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end"
    ),
    field!(
        "rTC",
        "rtc",
        sites[2],
        CORNER,
        0,
        "",
        "right top corner: 0 nothing, 1 door, 10–40 + 2 closed or 3 open Crawler"
    ),
    field!(
        "rC",
        "rc",
        sites[3],
        CENTER,
        1,
        "",
        "right center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end"
    ),
    field!(
        "rBC",
        "rbc",
        sites[4],
        CORNER,
        0,
        "",
        "right bottom corner: 0 nothing, 1 door, 10–40 + 2 closed or 3 open Crawler"
    ),
    field!(
        "bC",
        "bc",
        sites[5],
        CENTER,
        1,
        "",
        "bottom center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end"
    ),
    field!(
        "lBC",
        "lbc",
        sites[6],
        CORNER,
        0,
        "",
        "left bottom corner: 0 nothing, 1 door, 10–40 + 2 closed or 3 open Crawler"
    ),
    field!(
        "lC",
        "lc",
        sites[7],
        CENTER,
        1,
        "",
        "left center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end"
    ),
    field!(
        "style",
        "style",
        style,
        0..=super::style::ALL,
        super::style::WALLS,
        "",
        "switches added up: walls, door sizes, columns, decorations, pyramid"
    ),
    field!(
        "delay",
        "delay",
        delay,
        0..=10,
        0,
        "iterations × 10",
        "how long the room's Crawlers sleep at first; 10 draws 0 to 9"
    ),
];

/// A first Crawler of the rooms file, in the record's order.
pub static CRAWLER: [Field<CrawlerStart>; 5] = [
    field!("x", "x", at.x, SQUARE, 0, "row", "row of the start, from the top"),
    field!(
        "y",
        "y",
        at.y,
        SQUARE,
        50,
        "column",
        "column of the start, from the left"
    ),
    field!(
        "direction",
        "direction",
        direction,
        1..=54,
        12,
        "",
        "units: Forward 1 East, 2 South, 3 West, 4 North; tens: Direction 0 same, 1 45° right, 2 90° right, 3 45° left, 4 90° left, 5 none"
    ),
    field!(
        "delay",
        "delay",
        delay,
        0..=10,
        0,
        "iterations × 10",
        "how long the Crawler sleeps at first; 10 draws 0 to 9"
    ),
    field!(
        "termination",
        "termination",
        termination,
        1..=4,
        1,
        "",
        "1 opening at the end, 2 no opening, 3 and 4 first and second of an open/closed pair"
    ),
];

/// A hand-placed square: open, wall or column.
pub static SQUARES: [Field<Point>; 2] = [
    field!("x", "x", x, SQUARE, 10, "row", "row, from the top"),
    field!("y", "y", y, SQUARE, 10, "column", "column, from the left"),
];

/// The dungeon's dimensions.
pub static DIMENSIONS: [Field<Layout>; 2] = [
    field!(
        "dimX",
        "dim_x",
        size.x,
        super::MIN_DIMENSION..=super::MAX_DIMENSION,
        100,
        "rows",
        "rows of the dungeon, outer ring included"
    ),
    field!(
        "dimY",
        "dim_y",
        size.y,
        super::MIN_DIMENSION..=super::MAX_DIMENSION,
        100,
        "columns",
        "columns of the dungeon, outer ring included"
    ),
];

const LIMIT: RangeInclusive<i32> = 1..=100_000_000;

/// The limits of the rooms file's lists, in the file's order.
pub static LIMITS: [Field<Limits>; 5] = [
    field!(
        "numRooms",
        "rooms",
        rooms,
        LIMIT,
        1,
        "",
        "one more than the rooms that the file may hold"
    ),
    field!(
        "numOpen",
        "open",
        open,
        LIMIT,
        1,
        "",
        "one more than the open squares that the file may hold"
    ),
    field!(
        "numClosed",
        "closed",
        closed,
        LIMIT,
        1,
        "",
        "one more than the wall tiles that the file may hold"
    ),
    field!(
        "numColumns",
        "columns",
        columns,
        LIMIT,
        1,
        "",
        "one more than the columns that the file may hold"
    ),
    field!(
        "numCrawlers",
        "crawlers",
        crawlers,
        LIMIT,
        1,
        "",
        "one more than the first Crawlers that the file may hold"
    ),
];

/// The last number of the rooms file.
pub static PROTUBERANCES: [Field<Layout>; 1] = [field!(
    "protuberances",
    "protuberances",
    protuberances,
    0..=1000,
    0,
    "per side",
    "ornaments along each outer wall; they disturb Crawlers that follow it"
)];

#[cfg(test)]
mod tests {
    use super::*;

    fn walk<T: Clone>(table: &[Field<T>], blank: &T) {
        for (i, field) in table.iter().enumerate() {
            let info = field.info;
            assert!(info.range().contains(&info.default), "{}", info.name);
            assert!(
                !info.meaning.is_empty() && !info.meaning.ends_with('.'),
                "{}",
                info.name
            );
            let mut changed = blank.clone();
            (field.set)(&mut changed, info.max);
            assert_eq!((field.get)(&changed), info.max, "{}", info.name);
            for (j, other) in table.iter().enumerate() {
                assert!(
                    i == j || (other.get)(&changed) == (other.get)(blank),
                    "{} changes {}",
                    info.name,
                    other.info.name
                );
                assert!(i == j || other.info.name != info.name && other.info.key != info.key);
            }
        }
    }

    #[test]
    fn every_field_reaches_its_own_member() {
        walk(&STATS, &Generation::default());
        walk(&CONSTANTS, &Constants::default());
        walk(&ROOM, &Room::default());
        walk(&CRAWLER, &CrawlerStart::default());
        walk(&SQUARES, &Point::new(10, 10));
        walk(&DIMENSIONS, &Layout::default());
        walk(&LIMITS, &Limits::default());
        walk(&PROTUBERANCES, &Layout::default());
    }
}

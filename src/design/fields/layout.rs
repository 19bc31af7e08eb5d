//! The field tables of the layout: the rooms file, record by record, and the vaults of a dungeon.

use std::ops::RangeInclusive;

use super::{Field, FieldInfo, TextFieldInfo, field, word};
use crate::design::{CrawlerStart, Layout, Limits, MAX_DIMENSION, MIN_DIMENSION, Room, VaultEntry, style};
use crate::geometry::Point;

const SQUARE: RangeInclusive<i32> = 0..=MAX_DIMENSION - 1;
/// The codes of a corner; the layout's diagnostics check whether a center site may have tens.
const CORNER: RangeInclusive<i32> = 0..=43;
const CENTER: RangeInclusive<i32> = 0..=3;

/// A room of the rooms file, in record order.
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
        0..=style::ALL,
        style::WALLS,
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
        "the room's Crawlers sleep until iteration delay × 10; 10 draws 0 to 9, once for the room"
    ),
];

/// A first Crawler of the rooms file, in record order.
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
        "the Crawler sleeps until iteration delay × 10; 10 draws 0 to 9"
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

/// The numeric fields of a vault: a hand-made map in the dungeon.
pub static VAULT: [Field<VaultEntry>; 7] = [
    field!(
        "div",
        "div",
        div,
        0..=1000,
        2,
        "parts",
        "parts into which both axes are divided to place the centre; 0: the left top square is x, y"
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
        "x",
        "x",
        at.x,
        SQUARE,
        1,
        "row",
        "row of the left top square, where div is 0"
    ),
    field!(
        "y",
        "y",
        at.y,
        SQUARE,
        1,
        "column",
        "column of the left top square, where div is 0"
    ),
    field!(
        "seed",
        "seed",
        seed,
        0..=i32::MAX,
        0,
        "",
        "the vault's own seed; 0: drawn from the design's"
    ),
    field!(
        "orientation",
        "orientation",
        orientation,
        0..=8,
        0,
        "",
        "0 by chance, 1 as drawn, 2 to 4 quarter turns, 5 to 8 the same mirrored"
    ),
];

/// The text fields of a vault.
pub static VAULT_WORDS: [TextFieldInfo<VaultEntry>; 4] = [
    word!("map", map, "the map's name; empty to draw one by its tag"),
    word!(
        "tag",
        tag,
        "a tag: one of the maps that have it is drawn, by weight and depth"
    ),
    word!(
        "file",
        file,
        "the level file, beside the design; empty for the vaults that come with the program"
    ),
    word!(
        "place",
        place,
        "where the map believes to be, such as D:5; empty for D:1"
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
        MIN_DIMENSION..=MAX_DIMENSION,
        100,
        "rows",
        "rows of the dungeon, outer ring included"
    ),
    field!(
        "dimY",
        "dim_y",
        size.y,
        MIN_DIMENSION..=MAX_DIMENSION,
        100,
        "columns",
        "columns of the dungeon, outer ring included"
    ),
];

const LIMIT: RangeInclusive<i32> = 1..=100_000_000;

/// The limits of the rooms file's lists, in file order.
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

//! The parameters of the layout: the records of the rooms file, and vaults and named places.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Field, FieldInfo, Parameter, SavedName, parameters, record};
use crate::design::{
    CrawlerStart, Entry, Layout, MAX_DIMENSION, MIN_DIMENSION, NamedPlace, Room, Site, VaultEntry, sites, style,
};
use crate::geometry::Point;

const SQUARE: RangeInclusive<i32> = 0..=MAX_DIMENSION - 1;
/// Range of the codes for what is at a corner of a room, such as 12 for a closed Crawler. Some numbers in this range
/// are not codes; stage one warns about them.
const CORNER: RangeInclusive<i32> = 0..=43;
const CENTER: RangeInclusive<i32> = 0..=3;
const LIMIT: RangeInclusive<i32> = 1..=100_000_000;

parameters! {
    /// A numeric field of a room.
    RoomField of Room {
        Div "div" div => div in 1..=1000, default 2, "parts",
                        "number of equal parts into which the height and the width of the dungeon are divided; Xdiv and Ydiv give the centre in these parts";
        Xdiv "Xdiv" xdiv => xdiv in 0..=1000, default 1, "parts",
            "number of parts above the centre (row = xdiv × dim_x / div, rounded down)";
        Ydiv "Ydiv" ydiv => ydiv in 0..=1000, default 1, "parts",
            "number of parts to the left of the centre (column = ydiv × dim_y / div, rounded down)";
        Width "width" width => width in 1..=1000, default 5, "squares",
            "squares between the centre and the wall; inside, the room is 2 × width + 1 squares wide";
        LeftTopCorner "lTC" ltc => sites[sites::LEFT_TOP_CORNER] in CORNER, default 0, "",
                        "top left corner: 0 nothing, 1 door; the other codes start a Crawler with the following heading and Direction: 12 North and North, \
             22 North and NorthWest, 42 West and West, 32 West and NorthWest; 13, 23, 43 and 33 do the same, but with an open end";
        TopCenter "tC" tc => sites[sites::TOP_CENTER] in CENTER, default 1, "",
            "top center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end";
        RightTopCorner "rTC" rtc => sites[sites::RIGHT_TOP_CORNER] in CORNER, default 0, "",
                        "top right corner: 0 nothing, 1 door; the other codes start a Crawler with the following heading and Direction: 12 North and North, \
             22 North and NorthEast, 42 East and East, 32 East and NorthEast; 13, 23, 43 and 33 do the same, but with an open end";
        RightCenter "rC" rc => sites[sites::RIGHT_CENTER] in CENTER, default 1, "",
            "right center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end";
        RightBottomCorner "rBC" rbc => sites[sites::RIGHT_BOTTOM_CORNER] in CORNER, default 0, "",
                        "bottom right corner: 0 nothing, 1 door; the other codes start a Crawler with the following heading and Direction: 12 South and South, \
             22 South and SouthEast, 42 East and East, 32 East and SouthEast; 13, 23, 43 and 33 do the same, but with an open end; one exception, as in DungeonMaker: the heading of 43 is West";
        BottomCenter "bC" bc => sites[sites::BOTTOM_CENTER] in CENTER, default 1, "",
            "bottom center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end";
        LeftBottomCorner "lBC" lbc => sites[sites::LEFT_BOTTOM_CORNER] in CORNER, default 0, "",
                        "bottom left corner: 0 nothing, 1 door; the other codes start a Crawler with the following heading and Direction: 12 South and South, \
             22 South and SouthWest, 42 West and West, 32 West and SouthWest; 13, 23, 43 and 33 do the same, but with an open end";
        LeftCenter "lC" lc => sites[sites::LEFT_CENTER] in CENTER, default 1, "",
            "left center: 0 nothing, 1 door, 2 closed Crawler, 3 Crawler with an open end";
        Style "style" style => style in 0..=style::ALL, default style::WALLS, "",
            "sum of the numbers of the chosen features: walls (1); corner doors: large (2), extra large (4), corner square kept as wall (32); center doors: large (8), extra large (16), a Crawler starts in the door (64); columns inside the room, built by Jumpers: a row across the way in (128) or rows on both sides of the way in (256); high walls outside center doors: a court (512) or a colonnade (1024); outside corner doors: two wings (2048) or blocks (4096); in the middle of the room: a pyramid (8192)";
        Delay "delay" delay => delay in 0..=10, default 0, "× 10 iterations",
                        "the room's Crawlers sleep until iteration 10 × delay; a delay of 10 means a random delay from 0 to 9, the same for the whole room";
    }
}

impl RoomField {
    /// The fields that contain the codes of a room's sites; the index is a [`Site`].
    pub const SITES: [Self; 8] = [
        Self::LeftTopCorner,
        Self::TopCenter,
        Self::RightTopCorner,
        Self::RightCenter,
        Self::RightBottomCorner,
        Self::BottomCenter,
        Self::LeftBottomCorner,
        Self::LeftCenter,
    ];

    /// Returns the site whose code this field contains; `None` for all other fields.
    pub fn site(self) -> Option<Site> {
        Self::SITES.iter().position(|site| *site == self)
    }
}

parameters! {
    /// A numeric field of a first Crawler.
    CrawlerField of CrawlerStart {
        X "x" x => at.x in SQUARE, default 0, "row",
            "row of the start, from the top";
        Y "y" y => at.y in SQUARE, default 50, "column",
            "column of the start, from the left";
        Direction "direction" direction => direction in 1..=54, default 12, "",
                        "ones digit, the heading: 1 East, 2 South, 3 West, 4 North; \
             tens digit, the Direction: 0 = the same as the heading, 1 = 45° right, 2 = 90° right, 3 = 45° left, 4 = 90° left, 5 = none";
        Delay "delay" delay => delay in 0..=10, default 0, "× 10 iterations",
            "the Crawler sleeps until iteration 10 × delay; a delay of 10 means a random delay from 0 to 9";
        Termination "termination" termination => termination in 1..=4, default 1, "",
                        "1 opening at the end; 2 no opening; 3 and 4 the first and second Crawler of a pair: one of the two, chosen at random, leaves an opening";
    }
}

parameters! {
    /// A numeric field of a vault, which is a hand-made map in the dungeon.
    VaultField of VaultEntry {
        Div "div" div => div in 0..=1000, default 2, "parts",
                        "number of equal parts into which the height and the width of the dungeon are divided; Xdiv and Ydiv give the centre in these parts. With 0, x and y are the top left square";
        Xdiv "Xdiv" xdiv => xdiv in 0..=1000, default 1, "parts",
            "number of parts above the centre (row = xdiv × dim_x / div, rounded down)";
        Ydiv "Ydiv" ydiv => ydiv in 0..=1000, default 1, "parts",
            "number of parts to the left of the centre (column = ydiv × dim_y / div, rounded down)";
        X "x" x => at.x in SQUARE, default 1, "row",
            "row of the top left square; used only if div is 0";
        Y "y" y => at.y in SQUARE, default 1, "column",
            "column of the top left square; used only if div is 0";
        Seed "seed" seed => seed in 0..=i32::MAX, default 0, "",
            "seed of the vault; 0: derived from the design's seed";
        Orientation "orientation" orientation => orientation in 0..=8, default 0, "",
            "0 random; 1 as drawn; 2 a quarter turn, 3 half a turn, 4 three quarter turns; \
             5 to 8 the same as 1 to 4, but mirrored";
    }
}

parameters! {
    /// A coordinate of a hand-placed square: open, wall or column.
    SquareField of Point {
        X "x" x => x in SQUARE, default 10, "row",
            "row, from the top";
        Y "y" y => y in SQUARE, default 10, "column",
            "column, from the left";
    }
}

parameters! {
    /// A dimension of the dungeon.
    Dimension of Layout {
        X "dimX" dim_x => size.x in MIN_DIMENSION..=MAX_DIMENSION, default 100, "rows",
            "rows of the dungeon, including the outer wall";
        Y "dimY" dim_y => size.y in MIN_DIMENSION..=MAX_DIMENSION, default 100, "columns",
            "columns of the dungeon, including the outer wall";
    }
}

record! {
    /// The limits in the second line of a rooms file: each is one more than the maximum length of its list.
    ///
    /// The original program allocates its tables with these sizes. When a rooms file is written, a limit that is too
    /// small for its list is raised.
    struct Limits;
    /// A limit for one of the lists in a rooms file.
    Limit {
        Rooms "numRooms" rooms in LIMIT, default 1, "",
                        "upper limit, exclusive, for the number of rooms in a rooms file";
        Open "numOpen" open in LIMIT, default 1, "",
                        "upper limit, exclusive, for the number of open squares in a rooms file";
        Closed "numClosed" closed in LIMIT, default 1, "",
                        "upper limit, exclusive, for the number of wall tiles in a rooms file";
        Columns "numColumns" columns in LIMIT, default 1, "",
                        "upper limit, exclusive, for the number of columns in a rooms file";
        Crawlers "numCrawlers" crawlers in LIMIT, default 1, "",
                        "upper limit, exclusive, for the number of first Crawlers (those that exist at the start) in a rooms file";
    }
}

parameters! {
    /// The last number in the rooms file, which concerns the outer wall.
    OuterWall of Layout {
        Protuberances "protuberances" protuberances => protuberances in 0..=1000, default 0, "per side",
            "number of short stubs of wall on each of the four sides of the outer wall, which break up the corridors along it";
    }
}

parameters! {
    /// A numeric field of a named place.
    PlaceField of NamedPlace {
        X "x" x => at.x in -1000..=MAX_DIMENSION - 1, default 10, "row",
            "row, from the top; in a room, rows below its centre; in a vault, rows below its top row";
        Y "y" y => at.y in -1000..=MAX_DIMENSION - 1, default 10, "column",
            "column, from the left; in a room, columns right of its centre; in a vault, columns right of its left column";
        Room "room" room => room in 0..=100_000_000, default 0, "",
            "number of the room that the place is in, from 1; 0: none";
        Vault "vault" vault => vault in 0..=100_000_000, default 0, "",
            "number of the vault that the place is in, from 1; 0: none";
    }
}

/// A text field of a vault or a named place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryText {
    /// The name of a vault's map.
    Map,
    /// The tag by which a vault's map is chosen.
    Tag,
    /// The level file of a vault.
    File,
    /// The level for which a vault's map is resolved.
    Place,
    /// The name of a named place.
    Name,
}

impl EntryText {
    /// The text fields of a vault, in file order.
    pub const VAULT: &'static [Self] = &[Self::Map, Self::Tag, Self::File, Self::Place];

    /// The text fields of a named place.
    pub const PLACE: &'static [Self] = &[Self::Name];

    /// Returns the key in a TOML design, which is also the name in panels.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Tag => "tag",
            Self::File => "file",
            Self::Place => "place",
            Self::Name => "name",
        }
    }

    /// Returns the help text that is shown while the text field is selected.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Map => "name of the map; empty to choose one by its tag",
            Self::Tag => "tag; one of the maps that have it is chosen at random, by weight and depth",
            Self::File => "level file, relative to the design; empty for the vaults that come with the program",
            Self::Place => "level for which the map is resolved, such as D:5; empty for D:1",
            Self::Name => {
                "name: letters, digits, spaces and hyphens; expectations refer to it with `reaches` and `path to`"
            }
        }
    }

    /// Returns the value of this field in an entry; `None` if the entry does not exist or has no such field.
    pub fn get(self, layout: &Layout, entry: Entry) -> Option<&str> {
        Some(match (entry, self) {
            (Entry::NamedPlace(i), Self::Name) => &layout.places.get(i)?.name,
            (Entry::Vault(i), text) => {
                let vault = layout.vaults.get(i)?;
                match text {
                    Self::Map => &vault.map,
                    Self::Tag => &vault.tag,
                    Self::File => &vault.file,
                    Self::Place => &vault.place,
                    Self::Name => return None,
                }
            }
            _ => return None,
        })
    }

    /// Returns a mutable reference to the value of this field in an entry; `None` if the entry does not exist or has
    /// no such field.
    pub fn get_mut(self, layout: &mut Layout, entry: Entry) -> Option<&mut String> {
        Some(match (entry, self) {
            (Entry::NamedPlace(i), Self::Name) => &mut layout.places.get_mut(i)?.name,
            (Entry::Vault(i), text) => {
                let vault = layout.vaults.get_mut(i)?;
                match text {
                    Self::Map => &mut vault.map,
                    Self::Tag => &mut vault.tag,
                    Self::File => &mut vault.file,
                    Self::Place => &mut vault.place,
                    Self::Name => return None,
                }
            }
            _ => return None,
        })
    }
}

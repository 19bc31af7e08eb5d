//! The metrics of one dungeon at one moment, and values derived from them.
//!
//! A step goes to one of the four neighbours. Shapes (dead ends, junctions, widths) are analysed in the part of the
//! dungeon that is reachable from the entrance. Pillars in it (islands of at most 5 × 5 squares) are treated as open,
//! so that a column in the middle of a hall does not turn the hall into a junction.

use serde::{Deserialize, Serialize};

use super::dead_ends::DeadEnd;
use super::islands::Island;
use super::lines::PassageLine;
use super::widths::Junction;
use crate::design::expect::PlaceName;
use crate::geometry::{Point, Size};

/// Minimum length, in squares, of a corridor along the outer wall. Shorter ones are ignored.
pub const OUTER_CORRIDOR: i32 = 10;

/// A generation takes over if it laid more than this share of the tiles.
pub const DOMINANT: f64 = 0.7;

/// A connected area of open squares, other than the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosedArea {
    /// First square in row order.
    pub at: Point,
    /// Number of squares.
    pub squares: u32,
    /// Whether all its squares are in vaults. If so, the author of the vault intended the area.
    pub in_vault: bool,
    /// Whether the area contains the entrance.
    pub holds_entrance: bool,
}

/// The metrics of a room or vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent of each other")]
pub struct AreaMetrics {
    /// Whether the area is placed in the dungeon.
    #[serde(rename = "stands")]
    pub is_placed: bool,
    /// Name of the vault's map; empty for rooms.
    pub name: String,
    /// Whether at least one of its squares is reachable from the entrance.
    pub reached: bool,
    /// Whether at least one of the shortest paths from the entrance to the exit goes through the area. [`Metrics::way`]
    /// is only one of the shortest paths and need not go through the area.
    pub crossed: bool,
    /// Whether a path from the entrance to the exit exists, and every such path goes through the area.
    pub needed: bool,
    /// Shortest line across a passage (at most 12 squares) that cuts the reachable part of the area off from the
    /// entrance and the exit. Squares on the line count as cut off, but at least one square of the area must be beyond
    /// the line. A line that cuts the area off from only one of the two does not count.
    pub severed_by: Option<PassageLine>,
}

/// The metrics of a named place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceMetrics {
    /// Name of the place.
    pub name: PlaceName,
    /// Square of the place; `None` if the room or vault of the place is not in the dungeon.
    pub at: Option<Point>,
    /// Number of steps from the entrance; `None` if the place cannot be reached.
    pub steps: Option<u32>,
}

impl PlaceMetrics {
    /// Returns the number of steps from the entrance to the nearest place with the name `name`; `None` if no such place
    /// can be reached.
    pub(super) fn steps_to(places: &[Self], name: PlaceName) -> Option<u32> {
        let named = places.iter().filter(|place| place.name == name);
        named.filter_map(|place| place.steps).min()
    }
}

/// The metrics that are observed during the growth, because the grid does not contain them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GrowthMetrics {
    /// Number of Builders born, first Crawlers included.
    pub builders: u32,
    /// Number of babies that were not born because the limit maxCrawlers was reached.
    pub unborn: u32,
    /// Number of iterations of the growth.
    pub iterations: u32,
}

/// The metrics of sight and explorers. A metric is `None` if it was not requested or if this dungeon has no value for
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SightMetrics {
    /// Median number of floor squares that are visible from a square, itself included.
    pub visible_area: Option<u32>,
    /// Share of the floor that is not visible from any square of the path to the exit.
    pub unseen: Option<f64>,
    /// Mean integration of the squares. The integration of a square is high if it takes only a few lines of sight, one
    /// after the other, to get from there to the other squares.
    pub integration: Option<f64>,
    /// Correlation between the number of squares visible from a square and the integration of the square, from −1 to 1.
    pub intelligibility: Option<f64>,
    /// Number of choke points. A choke point is a square that would disconnect the floor if it were closed.
    pub choke_points: Option<u32>,
    /// Median number of steps that an explorer takes until it sees the exit.
    pub found: Option<u32>,
    /// Median share of the floor that an explorer has seen when it sees the exit.
    pub explored: Option<f64>,
}

/// The metrics of a dungeon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Rows and columns of the dungeon.
    pub size: Size,
    /// Square of the entrance. If the scene does not define one, it is the open square with the fewest steps to the top
    /// left corner, ignoring walls; of several such squares, the one in the topmost row. `None` if no square is open.
    pub entrance: Option<Point>,
    /// Square of the exit. If the scene does not define one, it is the open square with the fewest steps to the
    /// bottom right corner, ignoring walls; of several such squares, the one in the bottommost row. `None` if no
    /// square is open.
    pub exit: Option<Point>,
    /// The shortest path from the entrance to the exit, both included. Of several shortest paths, it is the one that
    /// goes straight for as long as possible when it is traced back from the exit. Empty if no path exists.
    pub way: Vec<Point>,
    /// If no path leads to the exit, the smallest set of wall squares that would have to be opened to reach it, in
    /// order from the reachable part to the exit. Never includes squares on the border.
    pub gap: Vec<Point>,
    /// Number of squares reachable from the entrance, itself included.
    pub squares: u32,
    /// Number of squares inside the outer ring.
    pub inside: u32,
    /// Number of squares inside the outer ring that are not open.
    pub filled: u32,
    /// Connected areas of open squares other than the largest area, in row order. They include the area of the entrance
    /// if that is not the largest.
    pub enclosed: Vec<EnclosedArea>,
    /// Dead ends, the smallest first. See [`DeadEnd`].
    pub dead_ends: Vec<DeadEnd>,
    /// Number of squares in pockets. A pocket is a part of the analysed squares (see `shape`) that one line across a
    /// passage cuts off from the entrance, and that does not contain the exit. The squares of the line are not in the
    /// pocket.
    pub blind: u32,
    /// Number of squares whose shape is analysed: the reachable squares and the pillars that they surround.
    pub shape: u32,
    /// Number of squares of each passage width. The width at a square is the greatest w for which a block of w × w open
    /// squares contains the square. Index 0 counts width 1; index 31 counts widths of 32 and more. The list ends with
    /// the widest passage.
    pub widths: Vec<u32>,
    /// Junctions. See [`Junction`].
    pub junctions: Vec<Junction>,
    /// Islands in the reachable part, pillars included.
    pub islands: Vec<Island>,
    /// Number of tiles that Builders laid, by generation.
    pub tiles: Vec<u32>,
    /// Straight corridors along the outer wall: lines of at least 10 reachable squares next to one side of the wall.
    pub outer: Vec<PassageLine>,
    /// Number of squares next to the outer wall. Squares in the corners count twice, once for each side.
    pub outer_squares: u32,
    /// Metrics of the design's rooms.
    pub rooms: Vec<AreaMetrics>,
    /// Metrics of the design's vaults.
    pub vaults: Vec<AreaMetrics>,
    /// Metrics of the design's named places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<PlaceMetrics>,
    /// Metrics that are observed during the growth; `None` if the growth was not observed.
    pub life: Option<GrowthMetrics>,
    /// Metrics of sight and explorers, which are computed only when requested.
    #[serde(default)]
    pub sight: SightMetrics,
    /// Number of windows that match each local [pattern](super::PATTERNS); empty if patterns were not requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<u32>,
}

impl Metrics {
    /// Returns the metrics of an empty grid.
    pub(super) fn of_nothing() -> Self {
        Self {
            size: Size::new(0, 0),
            entrance: None,
            exit: None,
            way: Vec::new(),
            gap: Vec::new(),
            squares: 0,
            inside: 0,
            filled: 0,
            enclosed: Vec::new(),
            dead_ends: Vec::new(),
            blind: 0,
            shape: 0,
            widths: Vec::new(),
            junctions: Vec::new(),
            islands: Vec::new(),
            tiles: Vec::new(),
            outer: Vec::new(),
            outer_squares: 0,
            rooms: Vec::new(),
            vaults: Vec::new(),
            places: Vec::new(),
            life: None,
            sight: SightMetrics::default(),
            patterns: Vec::new(),
        }
    }

    /// Returns whether a path leads from the entrance to the exit.
    pub const fn is_reachable(&self) -> bool {
        !self.way.is_empty()
    }

    /// Returns the number of steps of the shortest path; `None` if no path exists.
    pub fn path(&self) -> Option<u32> {
        self.way.len().checked_sub(1).map(|steps| steps as u32)
    }

    /// Returns the length of the path divided by the number of steps that the path would need without walls, which is
    /// the number of rows plus the number of columns from the entrance to the exit. The result is 1 if the path makes
    /// no detour. Returns `None` if there is no path, or if the entrance and the exit coincide.
    pub fn detour(&self) -> Option<f64> {
        let (Some(from), Some(to)) = (self.entrance, self.exit) else {
            return None;
        };
        let least = from.x.abs_diff(to.x) + from.y.abs_diff(to.y);
        let path = self.path().filter(|_| least > 0)?;
        Some(f64::from(path) / f64::from(least))
    }

    /// Returns the enclosed areas, except those that lie entirely in vaults.
    pub fn enclosed(&self) -> impl Iterator<Item = &EnclosedArea> {
        self.enclosed.iter().filter(|area| !area.in_vault)
    }

    /// Returns the share of the squares inside the outer ring that are not open.
    pub fn fill(&self) -> f64 {
        share(self.filled, self.inside)
    }

    /// Returns the share of the shape's squares that lie in pockets, through which no path to the exit leads.
    pub fn blind(&self) -> f64 {
        share(self.blind, self.shape)
    }

    /// Returns the median passage width: the smallest width such that at least half of the squares have this width or
    /// less. `None` if no square is reachable.
    pub fn width(&self) -> Option<u32> {
        let mut left = self.shape.div_ceil(2);
        let reaches = |&squares: &u32| {
            let is_it = left <= squares;
            left = left.saturating_sub(squares);
            is_it
        };
        self.widths
            .iter()
            .position(reaches)
            .filter(|_| self.shape > 0)
            .map(|i| i as u32 + 1)
    }

    /// Returns the share of the squares at which the passage is from `least` to `most` squares wide, both included.
    pub fn share_of_widths(&self, least: u32, most: u32) -> f64 {
        let squares = self.widths.iter().zip(1..);
        let within = squares.filter(|(_, width)| (least..=most).contains(width));
        share(within.map(|(squares, _)| *squares).sum(), self.shape)
    }

    /// Returns the number of tiles that Builders laid.
    pub fn laid(&self) -> u32 {
        self.tiles.iter().sum()
    }

    /// Returns a generation's share of all tiles that Builders laid.
    pub fn share_of_generation(&self, generation: u32) -> f64 {
        share(self.tiles.get(generation as usize).copied().unwrap_or(0), self.laid())
    }

    /// Returns the generation that laid the most tiles (on a tie, the one with the lowest number) and its share; `None`
    /// if no tiles were laid.
    pub fn dominant(&self) -> Option<(u32, f64)> {
        let most = *self.tiles.iter().max().filter(|most| **most > 0)?;
        let generation = self.tiles.iter().position(|tiles| *tiles == most)? as u32;
        Some((generation, share(most, self.laid())))
    }

    /// Returns the generation that takes over, and its share of the tiles. A generation takes over if it laid more than
    /// 70% of the tiles, and at least one other generation also laid some.
    pub fn takes_over(&self) -> Option<(u32, f64)> {
        let others = self.tiles.iter().filter(|tiles| **tiles > 0).count() > 1;
        self.dominant().filter(|(_, share)| others && *share > DOMINANT)
    }

    /// Returns the share of the outer wall along which a straight corridor runs.
    pub fn outer_wall(&self) -> f64 {
        share(
            self.outer.iter().map(|line| line.length() as u32).sum(),
            self.outer_squares,
        )
    }

    /// Returns the longest straight corridor along the outer wall.
    pub fn outer_corridor(&self) -> Option<PassageLine> {
        let longest = self.outer.iter().map(|line| line.length()).max()?;
        self.outer.iter().find(|line| line.length() == longest).copied()
    }

    /// Returns the metrics of the rooms, then those of the vaults.
    pub fn grounds(&self) -> impl Iterator<Item = &AreaMetrics> {
        self.rooms.iter().chain(&self.vaults)
    }
}

pub(super) fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}

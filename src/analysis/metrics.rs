//! The figures of one dungeon at one moment: what they are, and what follows from them.
//!
//! A step goes to one of the four neighbours. What is said of shapes (dead ends, junctions, widths) is said of the part
//! that can be reached from the entrance, with its pillars (islands of at most 5 × 5 squares) taken for open: a
//! column in the middle makes no junction of a hall.

use serde::{Deserialize, Serialize};

use super::islands::Island;
use super::lines::{DeadEnd, PassageLine};
use super::widths::Junction;
use crate::geometry::{Point, Size};

/// The least length of a corridor along the outer wall that is worth the name, in squares.
pub const OUTER_CORRIDOR: i32 = 10;

/// A generation that laid more than this share of the tiles dominates.
pub const DOMINANT: f64 = 0.7;

/// An area of open squares that hang together, apart from the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosedArea {
    /// Its first square in the order of rows.
    pub at: Point,
    /// How many squares it has.
    pub squares: u32,
    /// Whether it lies in vaults altogether: then it is their author's will.
    pub in_vault: bool,
    /// Whether the entrance lies in it.
    pub holds_entrance: bool,
}

/// What is true of a room or vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct AreaMetrics {
    /// It stands in the dungeon.
    pub stands: bool,
    /// Its map's name; rooms have none.
    pub name: String,
    /// At least one of its squares can be walked to from the entrance.
    pub reached: bool,
    /// At least one of the shortest ways from the entrance to the exit goes through it. [`Metrics::way`] is one of them
    /// and may be another.
    pub crossed: bool,
    /// No way from the entrance to the exit avoids it, and there is one.
    pub needed: bool,
    /// The shortest line across a passage (at most 12 squares) that cuts off from the entrance and the exit what could
    /// be reached of it, the squares on the line itself counted as cut off; at least one must lie beyond the line.
    /// What stands between the entrance and the exit is not cut off by itself.
    pub severed_by: Option<PassageLine>,
}

/// What only the growth can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GrowthMetrics {
    /// Builders born, the first Crawlers among them.
    pub builders: u32,
    /// Babies that were not born, as maxCrawlers lived already.
    pub unborn: u32,
    /// Iterations that growth took.
    pub iterations: u32,
}

/// What a dungeon is like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Rows and columns of the dungeon.
    pub size: Size,
    /// Where it is entered: as the scene says, or the open square with the fewest steps to the left top corner, of
    /// several the one in the highest row. `None` when no square is open.
    pub entrance: Option<Point>,
    /// Where it is left: likewise, for the right bottom corner and the lowest row.
    pub exit: Option<Point>,
    /// A shortest way, its two ends included; of several the one that goes back from the exit straight on as long as
    /// it can. Empty when there is none.
    pub way: Vec<Point>,
    /// Where no way leads to the exit: the fewest squares of wall that lie between it and what can be reached, from
    /// there on. The border is never among them.
    pub gap: Vec<Point>,
    /// Squares that can be walked to from the entrance, itself counted.
    pub squares: u32,
    /// Squares inside the outer ring, and those of them that are not open.
    pub inside: u32,
    /// Squares inside the outer ring that are not open.
    pub filled: u32,
    /// The areas apart from the largest, in the order of rows. That of the entrance counts as any other.
    pub enclosed: Vec<EnclosedArea>,
    /// Dead ends, the smallest first. See [`DeadEnd`].
    pub dead_ends: Vec<DeadEnd>,
    /// Squares that lie beyond the line of some pocket, whether a dead end or one with branches, of `shape` squares.
    pub blind: u32,
    /// Squares that were judged for their shape: those that can be reached and the pillars among them.
    pub shape: u32,
    /// Squares by the width of the passage they lie in: the side of the largest open square that holds them. Index 0
    /// is for width 1; the last of 32 for all wider ones. As long as the widest needs.
    pub widths: Vec<u32>,
    /// Junctions. See [`Junction`].
    pub junctions: Vec<Junction>,
    /// Islands that stand where one can walk, pillars among them.
    pub islands: Vec<Island>,
    /// Tiles that Builders laid, by generation.
    pub tiles: Vec<u32>,
    /// Straight corridors along the outer wall: lines of squares beside one of its sides that can be walked from end
    /// to end, of at least 10 squares.
    pub outer: Vec<PassageLine>,
    /// Squares beside the outer wall, those in the corners counted for both sides.
    pub outer_squares: u32,
    /// The design's rooms.
    pub rooms: Vec<AreaMetrics>,
    /// The design's vaults.
    pub vaults: Vec<AreaMetrics>,
    /// What only the growth can tell.
    pub life: Option<GrowthMetrics>,
}

impl Metrics {
    /// No figures.
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
            life: None,
        }
    }

    /// Whether a way leads from the entrance to the exit.
    pub const fn is_reachable(&self) -> bool {
        !self.way.is_empty()
    }

    /// Steps of the shortest way.
    pub fn path(&self) -> Option<u32> {
        self.way.len().checked_sub(1).map(|steps| steps as u32)
    }

    /// The path divided by the steps that it would take with no wall between: the sum of rows and columns from the
    /// entrance to the exit. 1 is straight; `None` where there is no way, or nowhere to go.
    pub fn detour(&self) -> Option<f64> {
        let (Some(from), Some(to)) = (self.entrance, self.exit) else {
            return None;
        };
        let least = from.x.abs_diff(to.x) + from.y.abs_diff(to.y);
        let path = self.path().filter(|_| least > 0)?;
        Some(f64::from(path) / f64::from(least))
    }

    /// The enclosed areas that no vault's author made.
    pub fn enclosed(&self) -> impl Iterator<Item = &EnclosedArea> {
        self.enclosed.iter().filter(|area| !area.in_vault)
    }

    /// The share of the squares inside the outer ring that are not open.
    pub fn fill(&self) -> f64 {
        share(self.filled, self.inside)
    }

    /// The share of the judged squares that lie off every way to the exit.
    pub fn blind(&self) -> f64 {
        share(self.blind, self.shape)
    }

    /// The width that half of the squares do not exceed; `None` where none can be walked to.
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

    /// The share of the squares in passages of these widths, both included.
    pub fn share_of_widths(&self, least: u32, most: u32) -> f64 {
        let squares = self.widths.iter().zip(1..);
        let within = squares.filter(|(_, width)| (least..=most).contains(width));
        share(within.map(|(squares, _)| *squares).sum(), self.shape)
    }

    /// Tiles that Builders laid.
    pub fn laid(&self) -> u32 {
        self.tiles.iter().sum()
    }

    /// The share of the laid tiles that a generation laid.
    pub fn share_of_generation(&self, generation: u32) -> f64 {
        share(self.tiles.get(generation as usize).copied().unwrap_or(0), self.laid())
    }

    /// The generation that laid most, the first of several, with its share; `None` where nothing was laid.
    pub fn dominant(&self) -> Option<(u32, f64)> {
        let most = *self.tiles.iter().max().filter(|most| **most > 0)?;
        let generation = self.tiles.iter().position(|tiles| *tiles == most)? as u32;
        Some((generation, share(most, self.laid())))
    }

    /// The generation that takes over, with its share: more than 70 % of the tiles, where others were at work, too.
    pub fn takes_over(&self) -> Option<(u32, f64)> {
        let others = self.tiles.iter().filter(|tiles| **tiles > 0).count() > 1;
        self.dominant().filter(|(_, share)| others && *share > DOMINANT)
    }

    /// The share of the outer wall that has a straight corridor along it.
    pub fn outer_wall(&self) -> f64 {
        share(
            self.outer.iter().map(|line| line.length() as u32).sum(),
            self.outer_squares,
        )
    }

    /// The longest of these corridors.
    pub fn outer_corridor(&self) -> Option<PassageLine> {
        let longest = self.outer.iter().map(|line| line.length()).max()?;
        self.outer.iter().find(|line| line.length() == longest).copied()
    }

    /// Rooms and vaults, in this order.
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

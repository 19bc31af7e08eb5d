//! The decisions of Builders, with the numbers behind them.
//!
//! [`Event`](super::Event)s describe what changed, and recordings store them for every turn. Decisions explain why,
//! including why something did not happen. Only observers that ask for them receive them
//! ([`Observer::DECISIONS`](super::Observer::DECISIONS)); for all others nothing is computed. Within a turn, decisions
//! come in the order of the rules in [`super::growth`], each before the events that follow from it.

use serde::{Deserialize, Serialize};

use super::event::{BuilderKind, Death, Opening};
use super::grid::{Grid, Mark, Tile};
use crate::geometry::{Direction, Forward, Point};

/// A roll of a hundred-sided die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// Number rolled, 0 to 99.
    pub rolled: u8,
    /// Chance in percent: the roll succeeds when `rolled` is below it.
    pub chance: i32,
}

impl Roll {
    /// Returns whether the roll succeeds.
    #[inline]
    pub const fn succeeds(self) -> bool {
        (self.rolled as i32) < self.chance
    }

    /// Returns whether the roll could come out either way: the chance is neither 0 nor 100.
    pub const fn is_open(self) -> bool {
        0 < self.chance && self.chance < 100
    }

    /// Returns the roll with the other outcome, with the number closest to the one rolled; returns the same roll if the
    /// chance allows only one outcome.
    #[must_use]
    pub const fn reversed(self) -> Self {
        let rolled = match self.chance {
            chance @ 1..100 if self.succeeds() => chance as u8,
            chance @ 1..100 => chance as u8 - 1,
            _ => self.rolled,
        };
        Self { rolled, ..self }
    }
}

/// The obstacle that ends a look ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// A tile: the one nearest to the middle of the row; at equal distance, the left one.
    Tile {
        /// Square of the tile.
        at: Point,
        /// Kind of the tile.
        tile: Tile,
        /// Origin of the tile.
        mark: Mark,
    },
    /// A part of the row lies outside the dungeon.
    Edge,
}

/// The result of a look ahead: an examination of successive rows of squares, each 2 × `corridor` + 1 squares wide and
/// centred on the Builder's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAhead {
    /// Direction of the look.
    pub forward: Forward,
    /// Number of squares to either side of the path that must be free as well.
    pub corridor: i32,
    /// Number of free rows found.
    pub free: i32,
    /// Maximum number of rows examined.
    pub limit: i32,
    /// Obstacle in the first row that is not free; `None` when all rows up to the limit are free.
    pub end: Option<Obstacle>,
}

impl LookAhead {
    /// Creates the result of a look from its number of free rows, and finds the obstacle that ended it.
    pub(super) fn new(grid: &Grid, at: Point, forward: Forward, corridor: i32, free: i32, limit: i32) -> Self {
        let end = (free < limit).then(|| {
            let row = at.step(forward, free.saturating_add(1));
            let half = corridor.max(0);
            let square = |aside: i32| row.step(forward.right(), aside);
            let inside = |aside: i32| grid.size().contains(square(aside));
            // A row that is partly outside ends the look, whatever else is in that row.
            if !inside(half) || !inside(-half) {
                return Obstacle::Edge;
            }
            let is_closed = |at: Point| grid.tile(at) != Tile::Open;
            let asides = (0..=half).flat_map(|aside| [-aside, aside]);
            let first = asides.map(square).find(|at| is_closed(*at));
            first.map_or(Obstacle::Edge, |at| Obstacle::Tile {
                at,
                tile: grid.tile(at),
                mark: grid.mark(at),
            })
        });
        Self {
            forward,
            corridor,
            free,
            limit,
            end,
        }
    }
}

/// A side that a Builder considers when it must turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideLook {
    /// The Builder's Direction excludes this side.
    Forbidden(Forward),
    /// The result of the look to this side.
    Seen(LookAhead),
}

/// The outcome of a forced turn, and the reason for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForcedTurnSide {
    /// Neither side has enough room.
    None,
    /// Only this side has enough room.
    Only(Forward),
    /// This side has more room.
    Roomier(Forward),
    /// Both have equal room; a coin toss chose this side.
    Coin(Forward),
}

/// The side chosen in a free turn, and the reason for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeTurnSide {
    /// The Direction allows only this side.
    Only(Forward),
    /// Both sides are allowed; a roll decides, with a chance that depends on the heading at birth.
    Rolled {
        /// The chosen side.
        to: Forward,
        /// The roll for the left side.
        left: Roll,
    },
}

/// One decision of one Builder. Lengths are in squares, ages in turns. Parameters have their names in the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The Builder's turn begins. It dies of old age when `age` is at least `life`.
    Acts {
        /// Age of the Builder in this turn.
        age: i64,
        /// Age at which it dies: MaxAge of its generation for a Crawler, jumperLife for a Jumper that a Crawler
        /// spawned.
        life: i32,
        /// Square of the Builder.
        at: Point,
        /// Heading of the Builder.
        forward: Forward,
    },
    /// A Crawler that is open at its start leaves a gap if enough rows are free, and dies otherwise.
    Gap {
        /// The look ahead.
        look: LookAhead,
        /// Number of free rows required.
        needed: i32,
    },
    /// A closed Crawler searches for a wall to join, fewer than joinDist free rows away.
    Joins {
        /// The look ahead.
        look: LookAhead,
        /// The wall that it joins: the side of the row, and the number of squares from the middle of the row; `None` if
        /// it does not join.
        to: Option<(Forward, i32)>,
        /// Whether a coin toss chose between two walls at the same distance.
        coin: bool,
    },
    /// The Builder builds if enough rows are free ahead; otherwise it must turn or die.
    Builds {
        /// The look ahead.
        look: LookAhead,
        /// Number of free rows required.
        needed: i32,
        /// Number of squares in a whole step.
        step: i32,
        /// Number of squares that it moves; 0 when it does not build.
        squares: i32,
    },
    /// The Builder could not build, and turns to a side if one has room.
    TurnsAside {
        /// The left and the right side.
        sides: [SideLook; 2],
        /// Number of free rows that a side must have.
        needed: i32,
        /// The outcome.
        choice: ForcedTurnSide,
    },
    /// The kind of this turn's babies.
    #[serde(rename = "brood")]
    Offspring {
        /// Roll for JumperProb.
        jumper: Roll,
        /// Roll for LateSpawnProb.
        late: Roll,
        /// Kind of the babies: Crawlers instead of Jumpers if [`Options::columns`](super::Options::columns) is off.
        kind: BuilderKind,
        /// Number of generations by which the babies are later than their parent.
        generations: u32,
    },
    /// Whether it makes a free turn.
    TurnsFreely {
        /// Roll for ChangeDirProb.
        change: Roll,
        /// Roll for chDirOnStraight, when that applies as well.
        straight: Option<Roll>,
    },
    /// The side of a free turn is chosen.
    Leans(FreeTurnSide),
    /// Whether it spawns a baby without turning.
    SpawnsStraight {
        /// Roll for StraightSpawnProb.
        roll: Roll,
        /// Heading of the baby, chosen by a coin toss; `None` when the roll fails.
        forward: Option<Forward>,
    },
    /// Whether it spawns a second baby in the old heading after a turn.
    SpawnsTwo {
        /// Roll for DoubleSpawnProb.
        roll: Roll,
    },
    /// No baby is born, because maxCrawlers Builders are alive.
    Unborn {
        /// Number of living Builders.
        living: u32,
        /// The limit maxCrawlers.
        most: i32,
    },
    /// The Direction and opening of a baby. Reported with the baby's id during the parent's turn, right before the
    /// birth.
    SetsOut {
        /// Roll for NoDirectionProb.
        aimless: Roll,
        /// The baby's Direction, if any.
        direction: Option<Direction>,
        /// Roll for OpenStartProb; Jumpers are never open at their start.
        open_start: Roll,
        /// The baby's opening.
        opening: Opening,
    },
    /// The Builder dies.
    Dies {
        /// Cause of death.
        cause: Death,
        /// Age at death.
        age: i64,
    },
}

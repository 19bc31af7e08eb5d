//! The decisions of Builders, with the rolls and lengths that determined them.
//!
//! [`Event`](super::Event)s describe what changed, and recordings store the events of every turn. Decisions explain why
//! something happened or did not happen. They are computed only for observers that request them with
//! [`Observer::DECISIONS`](super::Observer::DECISIONS). Within a turn, decisions are reported in the order of the rules
//! in [`super::growth`], but [`Decision::Offspring`] before the free turn. Each decision is reported before the events
//! that result from it.

use serde::{Deserialize, Serialize};

use super::event::{BuilderKind, Death, Opening};
use super::grid::{Grid, Mark, Tile};
use crate::geometry::{Direction, Forward, Point};

/// A roll of a hundred-sided die against a chance.
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

    /// Returns whether both outcomes of the roll are possible, which is the case for chances from 1 to 99 percent.
    pub const fn is_open(self) -> bool {
        0 < self.chance && self.chance < 100
    }

    /// Returns a roll with the opposite outcome, whose number is as close as possible to the one rolled. If the chance
    /// allows only one outcome, returns the roll unchanged.
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

/// The obstacle that ends a look ahead. It is in the first row that is not free: see [`LookAhead`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// The tile nearest to the middle of the row; of two equally near tiles, the left one.
    Tile {
        /// Square of the tile.
        at: Point,
        /// Kind of the tile.
        tile: Tile,
        /// Mark of the tile, which names its origin.
        mark: Mark,
    },
    /// At least one square of the row lies outside the dungeon.
    Edge,
}

/// The result of a look ahead. A look examines successive rows of squares in one direction. Each row is centred on the
/// Builder's path and 2 × `corridor` + 1 squares wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAhead {
    /// Direction in which the Builder looks.
    pub forward: Forward,
    /// Number of squares that each row includes on either side of the path.
    pub corridor: i32,
    /// Number of free rows before the obstacle or the limit.
    pub free: i32,
    /// Maximum number of rows examined.
    pub limit: i32,
    /// Obstacle in the first row that is not free; `None` when all rows up to the limit are free.
    pub end: Option<Obstacle>,
}

impl LookAhead {
    /// Creates the result of a look that found `free` free rows, and determines the obstacle that ended the look.
    pub(super) fn new(grid: &Grid, at: Point, forward: Forward, corridor: i32, free: i32, limit: i32) -> Self {
        let end = (free < limit).then(|| {
            let row = at.step(forward, free.saturating_add(1));
            let half = corridor.max(0);
            let square = |aside: i32| row.step(forward.right(), aside);
            let inside = |aside: i32| grid.size().contains(square(aside));
            // If a row is partly outside the dungeon, the edge is reported as the obstacle, even if the row contains
            // tiles.
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

/// A side that a Builder considers for a forced turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideLook {
    /// The Builder's Direction forbids turning to this side.
    Forbidden(Forward),
    /// The Builder looked to this side, with this result.
    Seen(LookAhead),
}

/// The side chosen in a forced turn, and the reason for the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForcedTurnSide {
    /// No side, because none of the sides that the Direction allows has enough free rows.
    None,
    /// The only side that the Direction allows and that has enough free rows.
    Only(Forward),
    /// The side with more free rows; the other side has enough free rows as well.
    Roomier(Forward),
    /// The side chosen by a coin toss, because the looks to both sides found the same number of free rows.
    Coin(Forward),
}

/// The side chosen in a free turn, and the reason for the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeTurnSide {
    /// The only side that the Direction allows.
    Only(Forward),
    /// The Direction allows both sides, so a roll decided. The chance depends on the Builder's heading at birth.
    Rolled {
        /// The chosen side.
        to: Forward,
        /// The roll, which chooses the left side if it succeeds.
        left: Roll,
    },
}

/// One decision of one Builder. Lengths are in squares, and ages are in turns. Parameters have the same names as in the
/// manual, such as MaxAge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The Builder's turn begins. If `age` is at least `life`, the Builder dies of old age.
    Acts {
        /// Age of the Builder in this turn.
        age: i64,
        /// Age at which the Builder dies: MaxAge of its generation for a Crawler, jumperLife for a Jumper that descends
        /// from a Crawler, and a fixed number for the Jumpers of rooms.
        life: i32,
        /// Square of the Builder.
        at: Point,
        /// Heading of the Builder.
        forward: Forward,
    },
    /// Whether a Crawler that is open at its start leaves a gap. If too few rows are free, the Crawler dies.
    Gap {
        /// The look ahead.
        look: LookAhead,
        /// Number of free rows required.
        needed: i32,
    },
    /// Whether a closed Crawler joins a wall. The wall must be fewer than joinDist free rows away.
    Joins {
        /// The look ahead.
        look: LookAhead,
        /// Position of the wall in the row that ended the look: the side, and the number of squares from the middle of
        /// the row. `None` if the Crawler does not join a wall.
        to: Option<(Forward, i32)>,
        /// Whether a coin toss chose this wall from two walls at the same distance.
        coin: bool,
    },
    /// Whether the Builder builds. If too few rows ahead are free, a Crawler must turn or die, and a Jumper dies.
    Builds {
        /// The look ahead.
        look: LookAhead,
        /// Number of free rows required.
        needed: i32,
        /// Number of squares in a full step.
        step: i32,
        /// Number of squares that the Builder moves; 0 if it does not build.
        squares: i32,
    },
    /// The forced turn of a Crawler that could not build. Without a suitable side, the Crawler dies.
    TurnsAside {
        /// The looks to the left and to the right side.
        sides: [SideLook; 2],
        /// Number of free rows that a side must have.
        needed: i32,
        /// The chosen side.
        choice: ForcedTurnSide,
    },
    /// The kind and the generation of the babies that the Crawler spawns in this turn.
    #[serde(rename = "brood")]
    Offspring {
        /// Roll for JumperProb.
        jumper: Roll,
        /// Roll for LateSpawnProb.
        late: Roll,
        /// Kind of the babies. Jumpers are replaced with Crawlers if [`Options::columns`](super::Options::columns) is
        /// false.
        kind: BuilderKind,
        /// Difference between the babies' generation and their parent's, at least 1.
        generations: u32,
    },
    /// Whether the Crawler makes a free turn.
    TurnsFreely {
        /// Roll for ChangeDirProb.
        change: Roll,
        /// Roll for chDirOnStraight; `None` if that parameter does not apply or the first roll failed.
        straight: Option<Roll>,
    },
    /// The side to which the Crawler makes its free turn.
    Leans(FreeTurnSide),
    /// Whether a Crawler that made no free turn spawns a baby.
    SpawnsStraight {
        /// Roll for StraightSpawnProb.
        roll: Roll,
        /// Heading of the baby, chosen by a coin toss; `None` if the roll failed.
        forward: Option<Forward>,
    },
    /// Whether a Crawler that made a free turn spawns a second baby, which has the Crawler's old heading.
    SpawnsTwo {
        /// Roll for DoubleSpawnProb.
        roll: Roll,
    },
    /// No baby is born, because the limit maxCrawlers has been reached.
    Unborn {
        /// Number of living Builders.
        living: u32,
        /// The limit maxCrawlers.
        most: i32,
    },
    /// The Direction and the opening of a baby Crawler. Reported during the parent's turn, immediately before the
    /// birth, but with the id of the baby.
    SetsOut {
        /// Roll for NoDirectionProb; if it succeeds, the baby has no Direction.
        aimless: Roll,
        /// The baby's Direction, if any.
        direction: Option<Direction>,
        /// Roll for OpenStartProb; if it succeeds, the baby is open at its start.
        open_start: Roll,
        /// Where the baby leaves an opening.
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

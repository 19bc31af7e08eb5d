//! What Builders decide, with the numbers that decided it.
//!
//! [`Event`](super::Event)s tell what changed, and are kept for every turn; decisions tell why, also why something did not
//! happen, and are told only to observers that ask for them ([`Observer::DECISIONS`](super::Observer::DECISIONS)).
//! Nothing is looked up or kept for all others. Within a turn they come in the order of the rules in [`super::growth`],
//! each before the events that follow from it.

use serde::{Deserialize, Serialize};

use super::event::{BuilderKind, Death, Opening};
use super::grid::{Grid, Mark, Tile};
use crate::geometry::{Direction, Forward, Point};

/// A roll of a hundred-sided die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// What was rolled, 0 to 99.
    pub rolled: u8,
    /// Percent: what is rolled for happens when `rolled` is below it.
    pub chance: i32,
}

impl Roll {
    /// Whether what was rolled for happens.
    #[inline]
    pub const fn succeeds(self) -> bool {
        (self.rolled as i32) < self.chance
    }
}

/// What ended a look ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// Something stands there: the nearest to the middle of the row, the left one of two.
    Tile {
        /// The square.
        at: Point,
        /// What stands on it.
        tile: Tile,
        /// Who put it there.
        mark: Mark,
    },
    /// A part of the row lies outside of the dungeon.
    Edge,
}

/// A look ahead: rows of squares, each as broad as the corridor to both sides of the Builder and its own square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAhead {
    /// Where to.
    pub forward: Forward,
    /// Squares to either side that must be open, too.
    pub corridor: i32,
    /// Free rows that were counted.
    pub free: i32,
    /// Rows beyond which nobody looked.
    pub limit: i32,
    /// What ended it; `None` where all rows up to the limit are free.
    pub end: Option<Obstacle>,
}

impl LookAhead {
    /// A look whose free rows are known, with what ended it.
    pub(super) fn new(grid: &Grid, at: Point, forward: Forward, corridor: i32, free: i32, limit: i32) -> Self {
        let end = (free < limit).then(|| {
            let row = at.step(forward, free.saturating_add(1));
            let half = corridor.max(0);
            let square = |aside: i32| row.step(forward.right(), aside);
            let inside = |aside: i32| grid.size().contains(square(aside));
            // A row with a part outside ends every look, whatever else stands in it.
            if !inside(half) || !inside(-half) {
                return Obstacle::Edge;
            }
            let stands = |at: Point| grid.tile(at) != Tile::Open;
            let asides = (0..=half).flat_map(|aside| [-aside, aside]);
            let first = asides.map(square).find(|at| stands(*at));
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

/// A side that a Builder considers turning to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideLook {
    /// Its Direction does not allow it.
    Forbidden(Forward),
    /// What it saw there.
    Seen(LookAhead),
}

/// How a forced turn was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForcedTurnSide {
    /// Neither side will do.
    None,
    /// Only this one will do.
    Only(Forward),
    /// This one has more room.
    Roomier(Forward),
    /// Both have as much room; the coin took this one.
    Coin(Forward),
}

/// To which side a free turn goes, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FreeTurnSide {
    /// The Direction allows only this side.
    Only(Forward),
    /// Both sides are allowed; the roll is for the left, with a chance by the heading at birth.
    Rolled {
        /// The side it came to.
        to: Forward,
        /// The roll for the left side.
        left: Roll,
    },
}

/// One decision of one Builder. Lengths are in squares, ages in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Its turn begins. It dies of age when `age` is `life` or more.
    Acts {
        /// Its age.
        age: i64,
        /// MaxAge of its generation, or jumperLife.
        life: i32,
        /// Where it stands.
        at: Point,
        /// Its heading.
        forward: Forward,
    },
    /// Open at its start: it leaves a gap when so many rows are free, and dies otherwise.
    Gap {
        /// What it saw.
        look: LookAhead,
        /// Free rows that it needs.
        needed: i32,
    },
    /// Closed: it looks for a wall to join, fewer than joinDist free rows away.
    Joins {
        /// What it saw.
        look: LookAhead,
        /// Where it joins: the side of the wall, and squares from the middle of the row; `None`: it does not.
        to: Option<(Forward, i32)>,
        /// Whether two walls were as near as each other, and the coin decided.
        coin: bool,
    },
    /// With more than the corridor free ahead it builds; else it must turn or die.
    Builds {
        /// What it saw.
        look: LookAhead,
        /// Free rows that building needs.
        needed: i32,
        /// Squares of a whole step.
        step: i32,
        /// Squares that it builds; 0: it does not.
        squares: i32,
    },
    /// It could not build: which side, if any.
    TurnsAside {
        /// Left and right.
        sides: [SideLook; 2],
        /// Free rows that a side needs.
        needed: i32,
        /// The outcome.
        choice: ForcedTurnSide,
    },
    /// What babies of this turn would be.
    Brood {
        /// For JumperProb.
        jumper: Roll,
        /// For LateSpawnProb.
        late: Roll,
        /// What they would be; a Crawler in a Jumper's place where Jumpers are not born.
        kind: BuilderKind,
        /// Generations from the parent to them.
        generations: u32,
    },
    /// Whether it turns of its own will.
    TurnsFreely {
        /// For ChangeDirProb.
        change: Roll,
        /// For chDirOnStraight, where that is asked as well.
        straight: Option<Roll>,
    },
    /// To which side.
    Leans(FreeTurnSide),
    /// Whether a baby is spawned without a turn.
    SpawnsStraight {
        /// For StraightSpawnProb.
        roll: Roll,
        /// Its heading, by the coin.
        forward: Option<Forward>,
    },
    /// Whether a second baby goes on in the old heading after a turn.
    SpawnsTwo {
        /// For DoubleSpawnProb.
        roll: Roll,
    },
    /// No baby, because so many live.
    Unborn {
        /// How many live.
        living: u32,
        /// maxCrawlers.
        most: i32,
    },
    /// How a baby sets out. It is told of the baby, by its parent, right before its birth.
    SetsOut {
        /// For NoDirectionProb.
        aimless: Roll,
        /// The Direction that it has, if any.
        direction: Option<Direction>,
        /// For OpenStartProb; Jumpers are never open at their start.
        open_start: Roll,
        /// Its opening.
        opening: Opening,
    },
    /// It dies.
    Dies {
        /// Of what.
        cause: Death,
        /// At what age.
        age: i64,
    },
}

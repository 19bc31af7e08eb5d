//! The events of growth as values: enough to redo and undo every change of the dungeon, with the numbers behind them.
//!
//! Events carry old and new values, so that a recording can be walked in both directions.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::{Direction, Forward, Point};

use super::grid::Tile;
use crate::text::thousands;

/// Id of a Builder: its number in order of birth, first Crawlers first. Never reused within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BuilderId(pub u32);

impl fmt::Display for BuilderId {
    /// Writes the number as the interface shows it, from 1: `#17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", thousands(u64::from(self.0) + 1))
    }
}

/// The kinds of Builder: the WallCrawler and three kinds of ColumnJumper, which leave one column at the end of each
/// step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuilderKind {
    /// A WallCrawler: leaves a wall behind.
    #[default]
    Crawler,
    /// A ColumnJumper that a Crawler spawned by JumperProb, or the baby of one.
    Jumper,
    /// A ColumnJumper that a room starts at a decorated center door, or the baby of one.
    DoorJumper,
    /// A ColumnJumper that a room starts inside, for one row of columns: it neither ages nor has babies.
    RoomJumper,
}

impl BuilderKind {
    /// All kinds; the index is the kind's number.
    pub const ALL: [Self; 4] = [Self::Crawler, Self::Jumper, Self::DoorJumper, Self::RoomJumper];

    /// Returns the name that it has in front of its number: Crawler or Jumper.
    pub const fn name(self) -> &'static str {
        if self.is_jumper() { "Jumper" } else { "Crawler" }
    }

    /// Returns whether it leaves columns instead of walls.
    pub const fn is_jumper(self) -> bool {
        !matches!(self, Self::Crawler)
    }
}

/// Where a Crawler leaves an opening (manual: the member *opening*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// 0: nowhere; the Crawler joins the wall ahead.
    Closed,
    /// 1: at the end of its run.
    End,
    /// 2: at the start of its run; after that it is closed.
    Start,
}

/// The state of a Builder at its birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// Its parent; `None` for first Builders.
    pub parent: Option<BuilderId>,
    /// Its kind: Crawler or one of the Jumpers.
    pub kind: BuilderKind,
    /// Its generation.
    pub generation: u32,
    /// Square where it starts.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Its Direction, if it has one.
    pub direction: Option<Direction>,
    /// Its opening.
    pub opening: Opening,
    /// Iteration in which it first acts.
    pub wakes: u32,
    /// Its age in that iteration: 0 after a sleep.
    #[serde(default)]
    pub age: u32,
}

/// Why a Builder turned, with the numbers behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// Fewer free rows ahead (`free`) than the `needed` ones; the chosen side had `side` free rows.
    Forced {
        /// Number of free rows ahead.
        free: u32,
        /// Number of free rows that building needs.
        needed: u32,
        /// Number of free rows at the side it turned to, counted up to a limit.
        side: u32,
    },
    /// After building, `rolled` was below `chance` percent.
    Free {
        /// Number rolled, 0 to 99.
        rolled: u8,
        /// Chance in percent.
        chance: u8,
    },
}

/// Cause of a Builder's death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Death {
    /// No room ahead, and none at a side that its Direction allows.
    Blocked,
    /// It reached the age limit of its kind: MaxAge for a Crawler, jumperLife or a fixed age for a Jumper.
    Aged,
    /// It joined the wall ahead, which closes its run.
    Joined,
}

/// One event, about one Builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A Builder was born. It sleeps until it wakes.
    Born {
        /// The new Builder.
        builder: BuilderId,
        /// Its state at birth.
        birth: Birth,
    },
    /// A baby was not born, because maxCrawlers are alive.
    Unborn {
        /// The Builder that tried to spawn it.
        parent: BuilderId,
        /// Number of living Builders.
        living: u32,
    },
    /// A sleeping Builder woke.
    Woke {
        /// The Builder that woke.
        builder: BuilderId,
    },
    /// A tile was laid.
    Laid {
        /// The Builder that laid it.
        builder: BuilderId,
        /// Square of the tile.
        at: Point,
        /// Tile before.
        before: Tile,
        /// Tile now.
        tile: Tile,
    },
    /// A Builder moved: to the front of its wall, past a gap, or to its new column.
    Moved {
        /// The Builder that moved.
        builder: BuilderId,
        /// Square before.
        from: Point,
        /// Square now.
        to: Point,
    },
    /// A Builder turned.
    Turned {
        /// The Builder that turned.
        builder: BuilderId,
        /// Heading before.
        from: Forward,
        /// Heading now.
        to: Forward,
        /// Reason for the turn.
        why: TurnReason,
    },
    /// A Builder's opening changed: the gap at its start is now behind it.
    OpeningChanged {
        /// The Builder whose opening changed.
        builder: BuilderId,
        /// Opening before.
        from: Opening,
        /// Opening now.
        to: Opening,
    },
    /// A closed Crawler built up to the wall ahead.
    Joined {
        /// The Crawler that joined.
        builder: BuilderId,
        /// Number of squares that were between it and the wall.
        distance: u32,
    },
    /// A Builder died.
    Died {
        /// The Builder that died.
        builder: BuilderId,
        /// Cause of death.
        cause: Death,
    },
}

impl Event {
    /// Returns the Builder that the event is about.
    pub const fn builder(&self) -> BuilderId {
        match *self {
            Self::Born { builder, .. }
            | Self::Unborn { parent: builder, .. }
            | Self::Woke { builder }
            | Self::Laid { builder, .. }
            | Self::Moved { builder, .. }
            | Self::Turned { builder, .. }
            | Self::OpeningChanged { builder, .. }
            | Self::Joined { builder, .. }
            | Self::Died { builder, .. } => builder,
        }
    }
}

/// A straight run of wall that a Crawler lays on open squares at once: short for one event per square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallRun {
    /// The Crawler.
    pub builder: BuilderId,
    /// The square before the first of the run.
    pub from: Point,
    /// The heading in which the squares lie.
    pub forward: Forward,
    /// Number of squares, at least one.
    pub squares: u32,
    /// Whether the Crawler then moves from `from` to the last of them.
    pub moves: bool,
}

impl WallRun {
    /// Returns the number of events that the run stands for.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.squares + self.moves as u32
    }

    /// Returns one of its events, counted from 0; `None` past the last.
    #[inline]
    pub fn event(&self, number: u32) -> Option<Event> {
        let &Self { builder, from, .. } = self;
        let ahead = |squares: u32| from.step(self.forward, squares as i32);
        if number < self.squares {
            return Some(Event::Laid {
                builder,
                at: ahead(number + 1),
                before: Tile::Open,
                tile: Tile::Wall,
            });
        }
        let to = ahead(self.squares);
        (number < self.count()).then_some(Event::Moved { builder, from, to })
    }

    /// Iterates over its events.
    pub fn events(self) -> impl Iterator<Item = Event> {
        (0..self.count()).map_while(move |number| self.event(number))
    }
}

/// The time in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Number of turns taken: one Builder acts in each.
    pub turn: u64,
    /// Number of iterations over: every awake Builder acts once in each. Time jumps over iterations in which all
    /// Builders sleep.
    pub iteration: u32,
}

impl Clock {
    /// Returns the generation whose time it is: a generation lasts 100 iterations.
    pub const fn generation(self) -> u32 {
        self.iteration / super::ITERATIONS_PER_GENERATION
    }
}

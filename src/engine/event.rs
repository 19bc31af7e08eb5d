//! The events of growth: every change of the dungeon and of its Builders, with the numbers behind it.
//!
//! Events carry old and new values, so that a recording can be played forwards and backwards.

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

    /// Returns the name that the interface puts before the number: Crawler or Jumper.
    pub const fn name(self) -> &'static str {
        if self.is_jumper() { "Jumper" } else { "Crawler" }
    }

    /// Returns whether this kind leaves columns instead of walls.
    pub const fn is_jumper(self) -> bool {
        !matches!(self, Self::Crawler)
    }
}

/// The place where a Crawler leaves an opening (manual: the member *opening*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// Value 0: no opening; the Crawler joins the wall ahead.
    Closed,
    /// Value 1: an opening at the end of its wall.
    End,
    /// Value 2: an opening at the start of its wall; once it has left the gap, the Crawler is closed.
    Start,
}

/// The state of a Builder at its birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// Parent of the Builder; `None` for first Builders.
    pub parent: Option<BuilderId>,
    /// Kind of the Builder.
    pub kind: BuilderKind,
    /// Generation of the Builder.
    pub generation: u32,
    /// Square on which the Builder starts.
    pub at: Point,
    /// Heading.
    pub forward: Forward,
    /// Direction (the manual's preferred heading), if any.
    pub direction: Option<Direction>,
    /// Place where the Builder leaves an opening.
    pub opening: Opening,
    /// Iteration of the first turn.
    pub wakes: u32,
    /// Age in that iteration: 0 after a sleep.
    #[serde(default)]
    pub age: u32,
}

/// The reason why a Builder turned, with the numbers behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// The Builder could not build: only `free` rows were free ahead, and building needs `needed`.
    Forced {
        /// Number of free rows ahead.
        free: u32,
        /// Number of free rows that building needs.
        needed: u32,
        /// Number of free rows on the side it turned to, counted up to a limit.
        side: u32,
    },
    /// A free turn after building: `rolled` was below `chance`.
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
    /// No room ahead, and none on a side that its Direction allows.
    Blocked,
    /// It reached the age limit of its kind: MaxAge for a Crawler, jumperLife or a fixed age for a Jumper.
    Aged,
    /// It joined the wall ahead, which completes its own wall.
    Joined,
}

/// One event of one Builder.
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
    /// A baby was not born, because maxCrawlers Builders are alive.
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
    /// A Builder moved: to the end of the wall it just built, past a gap, or to its new column.
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

/// A straight run of wall that a Crawler lays on open squares in one turn. It replaces one event per square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallRun {
    /// The Crawler that lays the wall.
    pub builder: BuilderId,
    /// Square before the first square of the run.
    pub from: Point,
    /// Heading from one square of the run to the next.
    pub forward: Forward,
    /// Number of squares, at least one.
    pub squares: u32,
    /// Whether the Crawler moves from `from` to the last square of the run.
    pub moves: bool,
}

impl WallRun {
    /// Returns the number of events in the run.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.squares + self.moves as u32
    }

    /// Returns the event with this number, counted from 0; `None` past the last.
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

    /// Iterates over the events of the run.
    pub fn events(self) -> impl Iterator<Item = Event> {
        (0..self.count()).map_while(move |number| self.event(number))
    }
}

/// A point in time during a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Number of turns completed: one Builder acts in each.
    pub turn: u64,
    /// Number of iterations completed: in each, every awake Builder acts once. Iterations in which all Builders sleep
    /// are skipped but counted.
    pub iteration: u32,
}

impl Clock {
    /// Returns the generation that the iteration belongs to: a generation lasts 100 iterations.
    pub const fn generation(self) -> u32 {
        self.iteration / super::ITERATIONS_PER_GENERATION
    }
}

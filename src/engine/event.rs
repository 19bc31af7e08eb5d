//! The events of growth: every change to the dungeon and to its Builders.
//!
//! Events contain old and new values, so that a recording can be played forwards and backwards.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::geometry::{Direction, Forward, Point};

use super::grid::Tile;
use crate::text::thousands;

/// Id of a Builder: its number in order of birth, from 0. The first Builders, which the layout starts, have the lowest
/// ids. Ids are never reused within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BuilderId(pub u32);

impl fmt::Display for BuilderId {
    /// Writes the number as the interface shows it, counted from 1: `#17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", thousands(u64::from(self.0) + 1))
    }
}

/// The kinds of Builder: the Crawler, and three kinds of Jumper. A Jumper leaves one column at the end of each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuilderKind {
    /// A Crawler (*WallCrawler* in the manual), which leaves a wall behind it.
    #[default]
    Crawler,
    /// A Jumper that a Crawler spawned because the roll for JumperProb succeeded, or a descendant of such a Jumper.
    Jumper,
    /// A Jumper that a room starts outside a decorated center door, or a descendant of such a Jumper.
    DoorJumper,
    /// A Jumper that a room starts inside its walls, for one row of columns. It has no babies.
    RoomJumper,
}

impl BuilderKind {
    /// All kinds. Recording files store a kind as its index in this array.
    pub const ALL: [Self; 4] = [Self::Crawler, Self::Jumper, Self::DoorJumper, Self::RoomJumper];

    /// Returns the name that the interface writes before a Builder's number: `Crawler` or `Jumper`.
    pub const fn name(self) -> &'static str {
        if self.is_jumper() { "Jumper" } else { "Crawler" }
    }

    /// Returns whether this kind leaves columns instead of walls.
    pub const fn is_jumper(self) -> bool {
        !matches!(self, Self::Crawler)
    }
}

/// Where a Crawler leaves an opening. The manual calls this *opening* and numbers the cases from 0 to 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// 0: nowhere; the Crawler joins a wall ahead.
    Closed,
    /// 1: at the end of its wall.
    End,
    /// 2: at the start of its wall. Once the Crawler has moved past the gap, its opening becomes `Closed`.
    Start,
}

/// The state of a Builder at its birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// Parent of the Builder; `None` for a first Builder, which the layout starts.
    pub parent: Option<BuilderId>,
    /// Kind of the Builder.
    pub kind: BuilderKind,
    /// Generation of the Builder.
    pub generation: u32,
    /// Square on which the Builder starts.
    pub at: Point,
    /// Heading at birth.
    pub forward: Forward,
    /// Direction, which the manual calls the preferred heading; `None` if the Builder has none.
    pub direction: Option<Direction>,
    /// Where the Builder leaves an opening.
    pub opening: Opening,
    /// Iteration of the Builder's first turn, counted from 0. A first Crawler with a delay has its first turn in the
    /// last iteration of the delay.
    pub wakes: u32,
    /// Age of the Builder in its first turn; 0 if the Builder slept until then.
    #[serde(default)]
    pub age: u32,
}

/// The reason why a Builder turned, with the lengths or the roll that determined it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// A forced turn: fewer rows were free ahead than building needs.
    Forced {
        /// Number of free rows ahead.
        free: u32,
        /// Number of free rows that building would have needed.
        needed: u32,
        /// Number of free rows on the side to which the Builder turned, counted up to a limit.
        side: u32,
    },
    /// A free turn after building, since `rolled` was below `chance`. If the turn needed two rolls, these are the
    /// numbers of the second.
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
    /// There was too little room ahead, and the Builder could not turn. A Jumper never turns, nor does a Crawler that
    /// has to leave a gap.
    Blocked,
    /// It reached the age limit of its kind: MaxAge for a Crawler, jumperLife or a fixed age for a Jumper.
    Aged,
    /// It joined a wall ahead, so its own wall is complete.
    Joined,
}

/// One event of one Builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A Builder was born. It sleeps until its first turn, unless it is awake immediately.
    Born {
        /// Id of the new Builder.
        builder: BuilderId,
        /// State of the Builder at its birth.
        birth: Birth,
    },
    /// A baby was not born, because the limit maxCrawlers had been reached.
    Unborn {
        /// The Builder that tried to spawn it.
        parent: BuilderId,
        /// Number of living Builders.
        living: u32,
    },
    /// A Builder woke. Builders that never slept also have this event: babies at the end of their parent's turn, first
    /// Builders at the beginning of the first iteration.
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
        /// Tile on the square before.
        before: Tile,
        /// Tile on the square now.
        tile: Tile,
    },
    /// A Builder moved: a Crawler past a gap or to the end of its new wall, a Jumper to its new column.
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
    /// A Crawler's opening changed from `Start` to `Closed`, because the Crawler has moved past the gap at the start of
    /// its wall.
    OpeningChanged {
        /// The Builder whose opening changed.
        builder: BuilderId,
        /// Opening before.
        from: Opening,
        /// Opening now.
        to: Opening,
    },
    /// A closed Crawler ([`Opening::Closed`]) built up to a wall ahead and joined that wall.
    Joined {
        /// The Crawler that joined.
        builder: BuilderId,
        /// Number of tiles that it laid to reach the wall: the tiles ahead plus the tiles to the side.
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
    /// Returns the Builder that the event concerns; for [`Event::Unborn`], the parent.
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

/// A straight run of wall that a Crawler lays on open squares in one turn. It is a compact form of one [`Event::Laid`]
/// for each square and, if the Crawler moves, an [`Event::Moved`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallRun {
    /// The Crawler that lays the wall.
    pub builder: BuilderId,
    /// Square before the first square of the run.
    pub from: Point,
    /// Direction in which the run extends from `from`.
    pub forward: Forward,
    /// Number of squares in the run, at least 1.
    pub squares: u32,
    /// Whether the Crawler moves from `from` to the last square of the run.
    pub moves: bool,
}

impl WallRun {
    /// Returns the number of events that the run replaces.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.squares + self.moves as u32
    }

    /// Returns the event at index `number`, counted from 0; `None` past the last event.
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

    /// Iterates over the events that the run replaces.
    pub fn events(self) -> impl Iterator<Item = Event> {
        (0..self.count()).map_while(move |number| self.event(number))
    }
}

/// A point in time during a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Number of completed turns. In each turn, one Builder acts.
    pub turn: u64,
    /// Number of completed iterations. In each iteration, every awake Builder acts once. Iterations in which all
    /// Builders sleep are skipped, but they are counted here.
    pub iteration: u32,
}

impl Clock {
    /// Returns the generation to which the current iteration belongs. A generation lasts 100 iterations.
    pub const fn generation(self) -> u32 {
        self.iteration / super::ITERATIONS_PER_GENERATION
    }
}

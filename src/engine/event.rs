//! What happens during growth, as values: enough to redo and undo every change of the dungeon, and the
//! numbers that decided it.
//!
//! Events carry old and new values, so that a recording can be walked in both directions.

use serde::{Deserialize, Serialize};

use crate::geometry::{Direction, Forward, Point};

use super::decision::Decision;
use super::grid::Tile;

/// A Builder's number, in order of birth; the first Crawlers come first. Never used twice in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BuilderId(pub u32);

/// The kinds of Builder: the WallCrawler and three kinds of ColumnJumper, which leave one column at the end of each step.
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
    /// Every kind; the index is the kind's number.
    pub const ALL: [Self; 4] = [Self::Crawler, Self::Jumper, Self::DoorJumper, Self::RoomJumper];

    /// Whether it leaves columns instead of walls.
    pub const fn is_jumper(self) -> bool {
        !matches!(self, Self::Crawler)
    }
}

/// Where a Crawler leaves an opening (manual: the member *opening*).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// 0: nowhere; it joins the wall ahead.
    Closed,
    /// 1: at the end of its run.
    End,
    /// 2: at the start of its run; after that it is closed.
    Start,
}

/// How a Builder starts out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Birth {
    /// Who spawned it; `None` for the first Crawlers.
    pub parent: Option<BuilderId>,
    /// Crawler or Jumper.
    pub kind: BuilderKind,
    /// Its generation.
    pub generation: u32,
    /// Where it starts.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Where it means to go.
    pub direction: Option<Direction>,
    /// Its opening.
    pub opening: Opening,
    /// The iteration in which it first acts.
    pub wakes: u32,
    /// Its age in that iteration: 0 after a sleep.
    #[serde(default)]
    pub age: u32,
}

/// Why a Builder turned, or what it decided instead, with the numbers that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnReason {
    /// Too few free rows ahead (`free` of at least `needed`); the side had `side` free rows.
    Forced {
        /// Free rows ahead.
        free: u32,
        /// Free rows that building needs.
        needed: u32,
        /// Free rows at the side it turned to.
        side: u32,
    },
    /// After building: `rolled` fell below `chance` percent.
    Free {
        /// The roll, 0 to 99.
        rolled: u8,
        /// The chance in percent that applied.
        chance: u8,
    },
}

/// Why a Builder died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Death {
    /// No room ahead and none at a side that its Direction allows.
    Blocked,
    /// Older than its MaxAge (or jumperLife).
    Aged,
    /// It joined the wall ahead, which closes its run.
    Joined,
}

/// One thing that happened to one Builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A Builder came into being. It sleeps until it wakes.
    Born {
        /// Who.
        builder: BuilderId,
        /// How.
        birth: Birth,
    },
    /// A baby was not born, because maxCrawlers live already.
    Unborn {
        /// Who would have been its parent.
        parent: BuilderId,
        /// How many live.
        living: u32,
    },
    /// A sleeper woke.
    Woke {
        /// Who.
        builder: BuilderId,
    },
    /// A tile was laid.
    Laid {
        /// Who laid it.
        builder: BuilderId,
        /// Where.
        at: Point,
        /// What stood there.
        before: Tile,
        /// What stands there now.
        tile: Tile,
    },
    /// A Builder moved to the front of its wall.
    Moved {
        /// Who.
        builder: BuilderId,
        /// From where.
        from: Point,
        /// To where.
        to: Point,
    },
    /// A Builder turned.
    Turned {
        /// Who.
        builder: BuilderId,
        /// The heading before.
        from: Forward,
        /// The heading now.
        to: Forward,
        /// Why.
        why: TurnReason,
    },
    /// A Builder's opening changed: an open start is behind it.
    OpeningChanged {
        /// Who.
        builder: BuilderId,
        /// The opening before.
        from: Opening,
        /// The opening now.
        to: Opening,
    },
    /// A closed Crawler built up to the wall ahead.
    Joined {
        /// Who.
        builder: BuilderId,
        /// Squares between it and the wall before.
        distance: u32,
    },
    /// A Builder died.
    Died {
        /// Who.
        builder: BuilderId,
        /// Of what.
        cause: Death,
    },
}

impl Event {
    /// The Builder that the event is about.
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

/// Wall that a Crawler leaves on open squares ahead in one go: so many events at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallRun {
    /// Who.
    pub builder: BuilderId,
    /// The square before the first.
    pub from: Point,
    /// The heading in which the squares lie.
    pub forward: Forward,
    /// How many squares, at least one.
    pub squares: u32,
    /// Whether the Crawler then moves from `from` to the last of them.
    pub moves: bool,
}

impl WallRun {
    /// How many events it is.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.squares + self.moves as u32
    }

    /// One of its events, counted from 0; `None` past the last.
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

    /// Its events.
    pub fn events(self) -> impl Iterator<Item = Event> {
        (0..self.count()).map_while(move |number| self.event(number))
    }
}

/// The time in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Clock {
    /// Turns taken: one Builder acted in each.
    pub turn: u64,
    /// Iterations over: every living, waking Builder acted once in each. Time jumps over iterations in
    /// which all sleep.
    pub iteration: u32,
}

impl Clock {
    /// The generation whose time it is: a generation lasts 100 iterations.
    pub const fn generation(self) -> u32 {
        self.iteration / super::ITERATIONS_PER_GENERATION
    }
}

/// Who listens to a growth. `()` listens to nothing and costs nothing.
pub trait Observer {
    /// Whether it wants to be told decisions. For those who do not, their numbers are not even looked up.
    const DECISIONS: bool = false;

    /// Something happened.
    fn event(&mut self, event: Event);

    /// A Builder decided something; what follows from it is told after it. Only where
    /// [`DECISIONS`](Observer::DECISIONS) says so.
    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        let _ = (builder, decision);
    }

    /// Wall was built. Who does not take it in one go is told of each event.
    fn built(&mut self, run: WallRun) {
        run.events().for_each(|event| self.event(event));
    }

    /// A turn is over; `clock.turn` counts it.
    fn turn_ended(&mut self, clock: Clock) {
        let _ = clock;
    }

    /// An iteration is over; `clock.iteration` is the one that begins next (after a jump over sleep, the one
    /// in which somebody wakes).
    fn iteration_ended(&mut self, clock: Clock) {
        let _ = clock;
    }
}

impl Observer for () {
    fn event(&mut self, _: Event) {}

    fn built(&mut self, _: WallRun) {}
}

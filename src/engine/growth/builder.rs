//! The state of a living Builder, the lengths and life span of its kind, and the time at which it wakes.

use crate::design::{Constants, Design, GENERATIONS, Generation, MAX_DIMENSION};
use crate::engine::event::{Birth, BuilderId, BuilderKind, Opening};
use crate::engine::random::{Key, Stream};
use crate::engine::stage_one::{GAP, Start};
use crate::geometry::{Direction, Forward, Point};

/// Minimum StepLength of babies: with enough room ahead, a baby lays at least this many tiles in a turn (recorded
/// dungeons: `late-*`, `sweep-StepLength-2`). Generation 0 uses its own StepLength.
pub(in crate::engine) const LEAST_STEP_OF_BABIES: i32 = 3;

/// Age at which a door's Jumper dies, independent of jumperLife and MaxAge (recorded dungeons: `rows-jumperlife*`,
/// `limited-clock-*`).
pub(super) const DOOR_JUMPER_LIFE: i32 = 3;

/// Age at which a Jumper inside a room dies. A Jumper that has only N turns starts at this age minus N (see
/// [`Waking::of_row`]); all other Jumpers inside rooms are blocked long before they reach this age.
pub(super) const ROOM_JUMPER_LIFE: i32 = MAX_DIMENSION;

/// A living Builder, awake or asleep.
#[derive(Debug, Clone)]
pub(super) struct Builder {
    pub(super) id: BuilderId,
    pub(super) kind: BuilderKind,
    pub(super) generation: u32,
    pub(super) at: Point,
    /// Heading at birth. When a Crawler changes its heading by chance (a free turn), it prefers this heading.
    pub(super) first_forward: Forward,
    pub(super) forward: Forward,
    pub(super) direction: Option<Direction>,
    pub(super) opening: Opening,
    /// Age of the Builder in its next turn.
    pub(super) age: i64,
    /// Number of babies that the Builder has tried to spawn so far. It includes babies that were not born because of
    /// maxCrawlers or an intervention. The key of the next baby's random stream depends on this number.
    pub(super) spawned: u64,
    pub(super) key: Key,
    /// Random stream of a Crawler; valid only once `is_drawn` is true. Jumpers draw no random numbers.
    pub(super) chance: Stream,
    /// Whether the Builder's Direction and opening are known. `false` for a baby Crawler until they have been chosen at
    /// random; always `true` for first Crawlers and Jumpers.
    pub(super) is_drawn: bool,
}

/// The iteration of a Builder's first turn, and the Builder's age in that turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waking {
    /// Iteration of the Builder's first turn.
    pub(super) iteration: u32,
    /// Age of the Builder in that iteration.
    pub(super) age: i64,
}

impl Waking {
    /// Returns the waking of a first Crawler that has a delay of `delay` iterations: it wakes in the last of these. A
    /// Builder's age increases by 1 before each turn. A Crawler without a delay therefore has its first turn at age 1,
    /// and one turn fewer than a Crawler with a delay (recorded dungeons: `crawler-maxage*`).
    pub(super) fn of_start(delay: u32) -> Self {
        match delay.checked_sub(1) {
            None => Self { iteration: 0, age: 1 },
            Some(iteration) => Self { iteration, age: 0 },
        }
    }

    /// Returns the waking of a Jumper inside a room; the Jumper has `turns` turns left.
    pub(super) fn of_row(turns: u32) -> Self {
        Self {
            iteration: 0,
            age: i64::from(ROOM_JUMPER_LIFE) - i64::from(turns),
        }
    }

    /// Returns the waking of a baby born in `iteration` at age `age`; a baby with a negative age sleeps. If the baby's
    /// slot is `behind` its parent's, the baby's age first increases in the iteration of its birth, otherwise in the
    /// next one (recorded dungeons: `limited-*`). A sleeping baby wakes at age 0; a baby that is awake from birth has
    /// an age above 0 in its first turn.
    pub(super) fn of_baby(iteration: u32, age: i64, behind: bool) -> Self {
        // Ages are sums of a few `u32` and `i32` values, so these sums cannot overflow an `i64`.
        let first = age + 1;
        let wakes = i64::from(iteration) + i64::from(!behind) - first.min(0);
        Self {
            iteration: wakes.min(i64::from(u32::MAX)) as u32,
            age: first.max(0),
        }
    }
}

impl Default for Builder {
    /// Returns a placeholder for a slot in which no Builder has been born yet.
    fn default() -> Self {
        Self {
            id: BuilderId(0),
            kind: BuilderKind::Crawler,
            generation: 0,
            at: Point::new(0, 0),
            first_forward: Forward::North,
            forward: Forward::North,
            direction: None,
            opening: Opening::End,
            age: 0,
            spawned: 0,
            key: Key::new(0),
            chance: Stream::unused(),
            is_drawn: false,
        }
    }
}

impl Builder {
    /// Replaces the dead Builder or the placeholder of a slot with a newborn Builder. `chance` is the random stream of
    /// `key` after the draws at birth; if it is `None`, a Crawler makes these draws in its first turn.
    #[expect(clippy::inline_always, reason = "measured: otherwise the Birth is copied")]
    #[inline(always)]
    pub(super) fn begin(&mut self, id: BuilderId, birth: &Birth, key: Key, chance: Option<Stream>) {
        self.id = id;
        self.kind = birth.kind;
        self.generation = birth.generation;
        self.at = birth.at;
        self.first_forward = birth.forward;
        self.forward = birth.forward;
        self.direction = birth.direction;
        self.opening = birth.opening;
        self.age = i64::from(birth.age);
        self.spawned = 0;
        self.key = key;
        self.is_drawn = chance.is_some() || birth.kind != BuilderKind::Crawler;
        if let Some(chance) = chance {
            self.chance = chance;
        }
    }

    /// Returns whether the Builder's Direction allows the heading `forward`.
    pub(super) fn may_face(&self, forward: Forward) -> bool {
        self.direction.is_none_or(|d| d.allows(forward))
    }

    /// Returns whether the heading equals the Direction. A diagonal Direction never equals the heading.
    pub(super) fn runs_straight(&self) -> bool {
        self.direction == Some(self.forward.direction())
    }
}

/// The lengths, in squares, and the life span, in turns, of a kind of Builder. Derived values are also stored, because
/// a turn uses them more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measures {
    /// Number of squares that must stay open ahead and to either side.
    pub(super) corridor: i32,
    /// Number of squares that the Builder moves in a turn with enough room.
    pub(super) step: i32,
    /// Whether the Builder takes only whole steps: if a whole step does not fit, the Builder does not move.
    pub(super) whole_steps: bool,
    /// Age at which the Builder dies.
    pub(super) life: i32,
    /// Number of free rows ahead that building requires.
    pub(super) needed: i32,
    /// Number of free rows ahead with which the Builder moves a whole step.
    pub(super) limit: i32,
    /// Number of free rows ahead that a Crawler requires to leave a gap and to build beyond it.
    pub(super) gap: i32,
    /// Maximum number of rows ahead that a turn has to count, indexed by [`Opening`].
    pub(super) most: [i32; 3],
    /// Maximum number of free rows that a Crawler counts on each side when it is forced to turn and compares the two
    /// sides. This number of rows has room for a wall, a corridor on either side of that wall, and another wall
    /// (recorded dungeons: `baby-heading-*-nd0-100`, `gen1-straight-*`).
    pub(super) ample: i32,
}

impl Measures {
    /// Computes the measures of one kind of Builder in one generation.
    fn new(kind: BuilderKind, number: usize, generation: &Generation, constants: &Constants) -> Self {
        let of_jumper = |gap: i32, life| Self::of(gap, gap.saturating_add(1), true, life, 0);
        match kind {
            BuilderKind::Crawler => {
                let least = if number == 0 { 1 } else { LEAST_STEP_OF_BABIES };
                let step = generation.step_length.max(least);
                let corridor = generation.corridor(constants);
                Self::of(corridor, step, false, generation.max_age, constants.join_dist)
            }
            // A Jumper's corridor is the gap between its columns.
            BuilderKind::Jumper => of_jumper(constants.min_corr_width, constants.jumper_life),
            BuilderKind::DoorJumper => of_jumper(GAP, DOOR_JUMPER_LIFE),
            BuilderKind::RoomJumper => of_jumper(GAP, ROOM_JUMPER_LIFE),
        }
    }

    fn of(corridor: i32, step: i32, whole_steps: bool, life: i32, join_dist: i32) -> Self {
        let needed = corridor.saturating_add(if whole_steps { step } else { 1 });
        let limit = if whole_steps {
            needed
        } else {
            needed.saturating_add(step - 1)
        };
        let closed = limit.max(join_dist);
        Self {
            corridor,
            step,
            whole_steps,
            life,
            needed,
            limit,
            // In the order of `Opening`: closed, at the end, at the start.
            most: [closed, limit, closed.saturating_add(corridor)],
            gap: needed.saturating_add(corridor),
            ample: corridor.saturating_mul(2).saturating_add(2),
        }
    }
}

/// The measures of every kind of Builder in every generation of a design.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeasuresTable([[Measures; GENERATIONS]; BuilderKind::ALL.len()]);

impl MeasuresTable {
    /// Computes the table of a design.
    pub(super) fn new(design: &Design) -> Self {
        let generations = &design.character.generations;
        Self(BuilderKind::ALL.map(|kind| {
            std::array::from_fn(|number| Measures::new(kind, number, &generations[number], &design.constants))
        }))
    }

    /// Returns the measures of a Builder. Generations after the last one of the design use the measures of the last
    /// one.
    pub(super) fn of(&self, builder: &Builder) -> &Measures {
        self.of_kind(builder.kind, builder.generation)
    }

    /// Returns the measures of a kind of Builder in a generation.
    pub(super) fn of_kind(&self, kind: BuilderKind, generation: u32) -> &Measures {
        &self.0[kind as usize][(generation as usize).min(GENERATIONS - 1)]
    }
}

/// Returns the key of a first Crawler's random stream. The key depends on the start's square and heading, not on its
/// position in the list, so that adding or removing a Crawler does not change the random draws of the others. `twin` is
/// the number of first Crawlers with the same square and heading that come before this one in the list.
pub(super) fn key_of_start(root: Key, start: &Start, twin: u64) -> Key {
    root.child(start.at.x as u64)
        .child(start.at.y as u64)
        .child(start.forward as u64)
        .child(twin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_first_crawlers_have_one_turn_more() {
        assert_eq!(Waking::of_start(0), Waking { iteration: 0, age: 1 });
        assert_eq!(Waking::of_start(40), Waking { iteration: 39, age: 0 });
    }

    #[test]
    fn babies_of_one_parent_wake_together_whenever_they_are_born() {
        let wakings: Vec<_> = (1..90)
            .map(|age| Waking::of_baby(age - 1, i64::from(age) - 100, true).iteration)
            .collect();
        assert!(wakings.iter().all(|w| *w == 98), "{wakings:?}");
        assert_eq!(Waking::of_baby(4, 5 - 400, true).iteration, 398);
        assert_eq!(Waking::of_baby(4, 5 - 400, false).iteration, 399);
    }

    #[test]
    fn a_baby_of_an_old_parent_is_awake_and_aged() {
        let waking = |iteration, age| Waking { iteration, age };
        assert_eq!(Waking::of_baby(149, 50, true), waking(149, 51));
        assert_eq!(Waking::of_baby(149, 50, false), waking(150, 51));
        assert_eq!(Waking::of_baby(149, -1, true), waking(149, 0));
        assert_eq!(Waking::of_baby(149, -1, false), waking(150, 0));
    }

    #[test]
    fn absurd_numbers_saturate() {
        let waking = Waking::of_baby(u32::MAX, -100 * i64::from(u32::MAX), false);
        assert_eq!((waking.iteration, waking.age), (u32::MAX, 0));
    }
}

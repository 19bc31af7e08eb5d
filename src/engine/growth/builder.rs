//! The state of a Builder, its measures, and the time at which it wakes.

use crate::design::{Constants, Design, GENERATIONS, Generation, MAX_DIMENSION};
use crate::engine::event::{Birth, BuilderId, BuilderKind, Opening};
use crate::engine::random::{Key, Stream};
use crate::engine::stage_one::{GAP, Start};
use crate::geometry::{Direction, Forward, Point};

/// Minimum StepLength of babies: they lay at least this many tiles in a turn with room (recorded: `late-*`,
/// `sweep-StepLength-2`). Generation 0 uses its own StepLength.
pub(in crate::engine) const LEAST_STEP_OF_BABIES: i32 = 3;

/// Age at which a door's Jumper dies, independent of jumperLife and MaxAge (recorded: `rows-jumperlife*`,
/// `limited-clock-*`).
pub(super) const DOOR_JUMPER_LIFE: i32 = 3;

/// Age at which a Jumper inside of a room would die; it fills its line with columns long before.
pub(super) const ROOM_JUMPER_LIFE: i32 = MAX_DIMENSION;

/// A living Builder, awake or asleep.
#[derive(Debug, Clone)]
pub(super) struct Builder {
    pub(super) id: BuilderId,
    pub(super) kind: BuilderKind,
    pub(super) generation: u32,
    pub(super) at: Point,
    /// Heading at birth: random free turns lean towards it.
    pub(super) first_forward: Forward,
    pub(super) forward: Forward,
    pub(super) direction: Option<Direction>,
    pub(super) opening: Opening,
    /// Its age in its next turn.
    pub(super) age: i64,
    /// Number of babies that it spawned or tried to; they number the random streams below its own.
    pub(super) spawned: u64,
    pub(super) key: Key,
    pub(super) chance: Stream,
}

/// The time of a Builder's first turn, and its age then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waking {
    /// Iteration of its first turn.
    pub(super) iteration: u32,
    /// Its age in that iteration.
    pub(super) age: i64,
}

impl Waking {
    /// Returns the waking of a first Crawler that sleeps for `delay` iterations. Age is counted up before acting, so
    /// that a Crawler without delay begins at age 1 and has one turn less (recorded: `crawler-maxage*`).
    pub(super) fn of_start(delay: u32) -> Self {
        match delay.checked_sub(1) {
            None => Self { iteration: 0, age: 1 },
            Some(iteration) => Self { iteration, age: 0 },
        }
    }

    /// Returns the waking of a Jumper inside of a room that has `turns` turns left.
    pub(super) fn of_row(turns: u32) -> Self {
        Self {
            iteration: 0,
            age: i64::from(ROOM_JUMPER_LIFE) - i64::from(turns),
        }
    }

    /// Returns the waking of a baby born in `iteration` at age `age`, which is negative when it sleeps. Age is counted
    /// up from the iteration of birth on if the baby's place is `behind` its parent's, otherwise from the next
    /// iteration on (recorded: `limited-*`). A sleeping baby wakes at age 0; one that is awake at once starts with an
    /// age above 0.
    pub(super) fn of_baby(iteration: u32, age: i64, behind: bool) -> Self {
        let first = age.saturating_add(1);
        let sleep = u32::try_from(first.min(0).unsigned_abs()).unwrap_or(u32::MAX);
        Self {
            iteration: iteration.saturating_add(u32::from(!behind)).saturating_add(sleep),
            age: first.max(0),
        }
    }
}

impl Builder {
    /// Creates a Builder at its birth. `chance` is the stream of `key`, past the draws at birth.
    #[expect(clippy::inline_always, reason = "as for adding one to the population")]
    #[inline(always)]
    pub(super) fn new(id: BuilderId, birth: &Birth, key: Key, chance: Stream) -> Self {
        Self {
            id,
            kind: birth.kind,
            generation: birth.generation,
            at: birth.at,
            first_forward: birth.forward,
            forward: birth.forward,
            direction: birth.direction,
            opening: birth.opening,
            age: i64::from(birth.age),
            spawned: 0,
            key,
            chance,
        }
    }

    /// Returns whether its Direction allows the heading `forward`.
    pub(super) fn may_face(&self, forward: Forward) -> bool {
        self.direction.is_none_or(|d| d.allows(forward))
    }

    /// Returns whether its heading runs straight along its Direction.
    pub(super) fn runs_straight(&self) -> bool {
        self.direction == Some(self.forward.direction())
    }
}

/// Lengths and life span of a Builder, in squares and turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measures {
    /// Number of open squares that it leaves ahead and at both sides.
    pub(super) corridor: i32,
    /// Number of squares that it moves in a turn with room.
    pub(super) step: i32,
    /// Whether it moves a whole step or not at all.
    pub(super) whole_steps: bool,
    /// Age at which it dies.
    pub(super) life: i32,
}

impl Measures {
    /// Computes the measures of one kind in one generation.
    fn new(kind: BuilderKind, number: usize, generation: &Generation, constants: &Constants) -> Self {
        match kind {
            BuilderKind::Crawler => Self {
                corridor: generation.corridor(constants),
                step: if number == 0 {
                    generation.step_length.max(1)
                } else {
                    generation.step_length.max(LEAST_STEP_OF_BABIES)
                },
                whole_steps: false,
                life: generation.max_age,
            },
            BuilderKind::Jumper => Self::of_jumper(constants.min_corr_width, constants.jumper_life),
            BuilderKind::DoorJumper => Self::of_jumper(GAP, DOOR_JUMPER_LIFE),
            BuilderKind::RoomJumper => Self::of_jumper(GAP, ROOM_JUMPER_LIFE),
        }
    }

    /// Returns the measures of a Jumper that leaves `gap` squares between its columns.
    const fn of_jumper(gap: i32, life: i32) -> Self {
        Self {
            corridor: gap,
            step: gap.saturating_add(1),
            whole_steps: true,
            life,
        }
    }

    /// Returns the number of free rows ahead without which it does not build.
    pub(super) fn needed(&self) -> i32 {
        self.corridor
            .saturating_add(if self.whole_steps { self.step } else { 1 })
    }

    /// Returns the number of free rows at which a forced turn stops comparing its sides: room for a wall with a
    /// corridor at each side of it, and for the next (recorded: `baby-heading-*-nd0-100`, `gen1-straight-*`).
    pub(super) fn ample(&self) -> i32 {
        self.corridor.saturating_mul(2).saturating_add(2)
    }
}

/// Measures of all kinds and generations of a design, computed once.
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

    /// Returns the measures of a Builder; those of the last generation apply to all later ones.
    pub(super) fn of(&self, builder: &Builder) -> &Measures {
        self.of_kind(builder.kind, builder.generation)
    }

    /// Returns the measures of a kind of Builder in a generation.
    pub(super) fn of_kind(&self, kind: BuilderKind, generation: u32) -> &Measures {
        &self.0[kind as usize][(generation as usize).min(GENERATIONS - 1)]
    }
}

/// Returns the key of a first Crawler's stream. It depends on the start's square and heading, not on its place in the
/// list, so that adding or removing a Crawler leaves the others' random draws alone. `twin` counts earlier starts with
/// the same square and heading.
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
    fn sleepers_have_a_turn_more_than_those_awake_at_the_start() {
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
        let waking = Waking::of_baby(u32::MAX, i64::MIN, false);
        assert_eq!((waking.iteration, waking.age), (u32::MAX, 0));
    }
}

//! The context of a Builder's turn: the grid, the design, the clock, and spawning.
//!
//! This module makes all changes to the grid and spawns all babies, and reports each change to the observer.

use super::Options;
use super::builder::{Builder, Measures, MeasuresTable, Waking};
use super::population::Others;
use crate::design::{Constants, Generation, ValidDesign};
use crate::engine::ITERATIONS_PER_GENERATION;
use crate::engine::decision::{Decision, LookAhead, Roll};
use crate::engine::event::{Birth, BuilderId, BuilderKind, Event, Opening, TurnReason, WallRun};
use crate::engine::grid::{Grid, Mark, Tile};
use crate::engine::intervention::{Interventions, RollKind};
use crate::engine::observer::Observer;
use crate::engine::random::{Key, Stream};
use crate::geometry::{Direction, Forward, Point};

/// Percentage of babies' Directions that are 90° to a side (recorded dungeons: `baby-heading-*`, `gen1-turns-*`).
const SIDEWAYS: u32 = 20;
/// Percentage of babies' Directions that are straight ahead. All remaining Directions are diagonal.
const STRAIGHT: u32 = 50;

/// The properties that all babies of a turn have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OffspringKind {
    kind: BuilderKind,
    /// Number of generations from the parent to the babies.
    generations: u32,
    /// Age of the babies at birth; negative if they sleep.
    age: i64,
}

impl OffspringKind {
    /// Returns the properties of babies whose generation number is `generations` higher than their parent's. Their age
    /// at birth is the parent's age minus `generations` × [`ITERATIONS_PER_GENERATION`].
    fn of_generations(parent: &Builder, kind: BuilderKind, generations: u32) -> Self {
        Self {
            kind,
            generations,
            age: parent.age - i64::from(generations) * i64::from(ITERATIONS_PER_GENERATION),
        }
    }
}

/// The data that stays constant during a growth.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) design: ValidDesign,
    pub(super) options: Options,
    pub(super) measures: MeasuresTable,
    /// The interventions of this run.
    pub(super) interventions: Interventions,
}

impl Rules {
    /// Chooses a Direction and an opening at random for a Crawler that was born without them.
    #[inline(never)]
    pub(super) fn draw<const CHANGED: bool>(&self, builder: &mut Builder) {
        builder.chance = Stream::new(builder.key);
        let rolls = self.birth_rolls::<CHANGED>(
            builder.generation,
            builder.first_forward,
            builder.key,
            &mut builder.chance,
        );
        (builder.direction, builder.opening) = (rolls.direction, rolls.opening);
        builder.is_drawn = true;
    }

    /// Chooses a baby's Direction and opening at random. `chance` is the random stream of `key`.
    #[expect(clippy::inline_always, reason = "measured: a call writes the results to memory")]
    #[inline(always)]
    fn birth_rolls<const CHANGED: bool>(
        &self,
        generation: u32,
        forward: Forward,
        key: Key,
        chance: &mut Stream,
    ) -> BirthRolls {
        let stats = self.design.character.generation(generation);
        let reversed = |kind| CHANGED && self.interventions.reverse(key, None, kind);
        let decided = |roll: Roll, kind| if reversed(kind) { roll.reversed() } else { roll };
        let aimless = decided(roll(chance, stats.no_direction_prob), RollKind::NoDirection);
        let direction = draw_direction(forward, chance, reversed(RollKind::DirectionSide));
        let open_start = decided(roll(chance, stats.open_start_prob), RollKind::OpenStart);
        let opening = if open_start.succeeds() {
            Opening::Start
        } else {
            Opening::End
        };
        BirthRolls {
            aimless,
            open_start,
            direction: (!aimless.succeeds()).then_some(direction),
            opening,
        }
    }
}

/// The context of one turn.
///
/// `CHANGED` says whether the growth has interventions; if it has none, checking for them compiles to nothing.
pub(super) struct TurnContext<'a, O, const CHANGED: bool> {
    pub(super) rules: &'a Rules,
    pub(super) grid: &'a mut Grid,
    /// The current iteration.
    pub(super) iteration: u32,
    pub(super) population: Others<'a>,
    pub(super) observer: &'a mut O,
}

impl<'a, O: Observer, const CHANGED: bool> TurnContext<'a, O, CHANGED> {
    pub(super) fn emit(&mut self, event: Event) {
        self.observer.event(event);
    }

    /// Reports a decision to an observer that receives decisions; for any other observer this compiles to nothing.
    #[inline]
    pub(super) fn report(&mut self, builder: BuilderId, decision: impl FnOnce(&Grid) -> Decision) {
        if O::DECISIONS {
            let decision = decision(self.grid);
            self.observer.decided(builder, decision);
        }
    }

    pub(super) fn constants(&self) -> &'a Constants {
        &self.rules.design.constants
    }

    /// Returns the stats of a Builder's generation.
    pub(super) fn generation(&self, builder: &Builder) -> &'a Generation {
        self.rules.design.character.generation(builder.generation)
    }

    /// Returns the number of free rows in front of a Builder that faces `forward`, counted up to `limit`.
    #[expect(clippy::inline_always, reason = "measured: a third of the time would go into calls")]
    #[inline(always)]
    pub(super) fn free_rows(&self, builder: &Builder, forward: Forward, measures: &Measures, limit: i32) -> i32 {
        self.grid.free_rows_ahead(builder.at, forward, measures.corridor, limit)
    }

    /// Returns the numbers of free rows to the left and to the right of a Builder, counted up to [`Measures::ample`].
    #[expect(
        clippy::inline_always,
        reason = "measured: without inlining, calls take too much time"
    )]
    #[inline(always)]
    pub(super) fn free_rows_aside(&self, builder: &Builder, measures: &Measures) -> [i32; 2] {
        let &Measures { corridor, ample, .. } = measures;
        self.grid.free_rows_aside(builder.at, builder.forward, corridor, ample)
    }

    /// Builds wall on `squares` open squares ahead of `from`.
    pub(super) fn build(&mut self, builder: &Builder, from: Point, forward: Forward, squares: i32) {
        if squares > 0 {
            self.run(builder, from, forward, squares, false);
        }
    }

    /// Builds wall on `squares` open squares ahead of a Crawler, and moves it to the last square.
    pub(super) fn step(&mut self, builder: &mut Builder, squares: i32) {
        builder.at = self.run(builder, builder.at, builder.forward, squares, true);
    }

    #[expect(clippy::inline_always, reason = "measured: a call would cost as much as the body")]
    #[inline(always)]
    fn run(&mut self, builder: &Builder, from: Point, forward: Forward, squares: i32, moves: bool) -> Point {
        let mark = Mark::generation(builder.generation);
        let at = self.grid.lay_wall(from, forward, squares, mark);
        self.observer.built(WallRun {
            builder: builder.id,
            from,
            forward,
            squares: squares as u32,
            moves,
        });
        at
    }

    /// Leaves a column on an open square.
    pub(super) fn leave_column(&mut self, builder: &Builder, at: Point) {
        let tile = Tile::Column;
        let before = self.grid.set(at, tile, Mark::generation(builder.generation));
        self.emit(Event::Laid {
            builder: builder.id,
            at,
            before,
            tile,
        });
    }

    /// Moves a Builder to a square, and reports the move.
    pub(super) fn arrive(&mut self, builder: &mut Builder, to: Point) {
        let from = std::mem::replace(&mut builder.at, to);
        self.emit(Event::Moved {
            builder: builder.id,
            from,
            to,
        });
    }

    pub(super) fn turn(&mut self, builder: &mut Builder, to: Forward, why: TurnReason) {
        let from = builder.forward;
        builder.forward = to;
        self.emit(Event::Turned {
            builder: builder.id,
            from,
            to,
            why,
        });
    }

    /// Rolls whether the babies of this turn are Jumpers and whether they are late, with the probabilities of the
    /// parent's generation. Each roll is made once for both babies (recorded dungeons: `shipped-*`,
    /// `sweep-DoubleSpawnProb-100`).
    pub(super) fn offspring(&mut self, parent: &mut Builder) -> OffspringKind {
        let stats = self.generation(parent);
        let jumper = self.roll(parent, stats.jumper_prob, RollKind::Jumper);
        let late = self.roll(parent, stats.late_spawn_prob, RollKind::LateSpawn);
        let (kind, skipped) = match (jumper.succeeds() && self.rules.options.columns, late.succeeds()) {
            (true, _) => (BuilderKind::Jumper, stats.skip_generations),
            (false, true) => (BuilderKind::Crawler, stats.late_spawn),
            (false, false) => (BuilderKind::Crawler, 0),
        };
        let generations = (skipped.max(0) as u32).saturating_add(1);
        self.report(parent.id, |_| Decision::Offspring {
            jumper,
            late,
            kind,
            generations,
        });
        OffspringKind::of_generations(parent, kind, generations)
    }

    /// Spawns a baby at its parent's square, facing `forward`, unless the limit maxCrawlers has been reached. A
    /// Crawler's Direction and opening depend on the probabilities of its own generation.
    #[expect(
        clippy::inline_always,
        reason = "measured: a call writes the turn's context to memory"
    )]
    #[inline(always)]
    pub(super) fn spawn(&mut self, parent: &mut Builder, forward: Forward, offspring: OffspringKind) {
        let key = parent.key.child(parent.spawned);
        parent.spawned += 1;
        if CHANGED && self.rules.interventions.prevent(key) {
            return;
        }
        if !self.has_room(parent) {
            return;
        }
        let OffspringKind { kind, generations, age } = offspring;
        let generation = parent.generation.saturating_add(generations);
        let (direction, opening, chance) = if kind != BuilderKind::Crawler {
            (Some(forward.direction()), Opening::End, None)
        } else if O::BIRTHS {
            let mut chance = Stream::new(key);
            let rolls = self.rules.birth_rolls::<CHANGED>(generation, forward, key, &mut chance);
            self.report(self.population.roster.next_id(), |_| Decision::SetsOut {
                aimless: rolls.aimless,
                direction: rolls.direction,
                open_start: rolls.open_start,
                opening: rolls.opening,
            });
            (rolls.direction, rolls.opening, Some(chance))
        } else {
            // The Direction and the opening are chosen in the baby's first turn, after it has looked ahead. Until then,
            // the opening is `Opening::Start`, because the look for this opening counts the most rows.
            (None, Opening::Start, None)
        };
        let birth = Birth {
            parent: Some(parent.id),
            kind,
            generation,
            at: parent.at,
            forward,
            direction,
            opening,
            wakes: 0,
            age: 0,
        };
        self.deliver(birth, age, key, chance);
    }

    /// Spawns a Jumper's babies at its square, unless the limit maxCrawlers has been reached. The babies of a door's
    /// Jumper sleep for one generation from their own birth on (recorded dungeons: `rows-*`), or not at all if
    /// SkipGenerations is 0. The ages of other Jumpers' babies depend on their parent's age, like those of Crawlers'
    /// babies.
    pub(super) fn spawn_jumpers(&mut self, parent: &mut Builder, headings: [Forward; 2]) {
        let skipped = self.generation(parent).skip_generations.max(0) as u32;
        let offspring = if parent.kind == BuilderKind::DoorJumper {
            // Any value of SkipGenerations above 0 counts as 1.
            let sleep = i64::from(skipped.min(1)) * i64::from(ITERATIONS_PER_GENERATION);
            OffspringKind {
                kind: parent.kind,
                generations: 1,
                age: -sleep,
            }
        } else {
            OffspringKind::of_generations(parent, parent.kind, skipped.saturating_add(1))
        };
        for forward in headings {
            self.spawn(parent, forward, offspring);
        }
    }

    /// Returns whether another Builder may be born; if not, reports the unborn baby of `parent`.
    #[inline]
    fn has_room(&mut self, parent: &Builder) -> bool {
        let living = self.population.roster.living;
        let most = self.constants().max_crawlers;
        if living < usize::try_from(most).unwrap_or(0) {
            return true;
        }
        let living = u32::try_from(living).unwrap_or(u32::MAX);
        self.report(parent.id, |_| Decision::Unborn { living, most });
        self.emit(Event::Unborn {
            parent: parent.id,
            living,
        });
        false
    }

    /// Adds a baby in the lowest free slot. A baby with a negative `age` sleeps.
    #[expect(clippy::inline_always, reason = "measured: otherwise the Birth is copied")]
    #[inline(always)]
    fn deliver(&mut self, birth: Birth, age: i64, key: Key, chance: Option<Stream>) {
        let slot = self.population.roster.take_slot();
        let now = self.iteration;
        let waking = Waking::of_baby(now, age, slot > self.population.slot());
        let birth = Birth {
            wakes: waking.iteration,
            age: u32::try_from(waking.age).unwrap_or(u32::MAX),
            ..birth
        };
        let id = self.population.roster.next_id();
        self.observer.named(id, key);
        if O::BIRTHS {
            self.emit(Event::Born { builder: id, birth });
        }
        // `take_slot` returns only slots that have an entry: see `Population::builders`.
        if let Some(baby) = self.population.entry(slot) {
            baby.begin(id, &birth, key, chance);
        }
        self.population.roster.add(slot, waking.iteration, Some(now));
    }

    /// Rolls for an event with a chance of `percent` percent, using the Builder's random stream.
    #[inline]
    pub(super) fn roll(&self, builder: &mut Builder, percent: i32, kind: RollKind) -> Roll {
        let roll = roll(&mut builder.chance, percent);
        if self.reverses(builder, kind) {
            roll.reversed()
        } else {
            roll
        }
    }

    /// Tosses a coin, using the Builder's random stream; `true` selects the first of two options.
    #[inline]
    pub(super) fn toss(&self, builder: &mut Builder, kind: RollKind) -> bool {
        (builder.chance.below(2) == 0) != self.reverses(builder, kind)
    }

    /// Returns whether an intervention reverses this roll of a Builder in its current turn.
    #[inline]
    fn reverses(&self, builder: &Builder, kind: RollKind) -> bool {
        CHANGED && self.rules.interventions.reverse(builder.key, Some(builder.age), kind)
    }
}

/// The results of the rolls at a birth.
struct BirthRolls {
    aimless: Roll,
    open_start: Roll,
    direction: Option<Direction>,
    opening: Opening,
}

/// Chooses a baby's Direction at random: straight ahead, or 45° or 90° to either side. `mirrored` swaps the sides.
fn draw_direction(forward: Forward, chance: &mut Stream, mirrored: bool) -> Direction {
    let ahead = forward.direction();
    let rolled = u32::from(chance.percent());
    let side = (chance.below(2) as i32 * 2 - 1) * if mirrored { -1 } else { 1 };
    // Adds instead of branching: the roll is unpredictable, so a branch would often be mispredicted.
    let eighths = 2 * i32::from(rolled < SIDEWAYS) + i32::from(rolled >= SIDEWAYS + STRAIGHT);
    ahead.rotate(eighths * side)
}

/// Rolls for an event with a chance of `percent` percent.
#[inline]
fn roll(chance: &mut Stream, percent: i32) -> Roll {
    Roll {
        rolled: chance.percent(),
        chance: percent,
    }
}

/// Creates the result of a look from its number of free rows, counted up to `limit`.
pub(super) fn look(
    grid: &Grid,
    builder: &Builder,
    to: Forward,
    measures: &Measures,
    free: i32,
    limit: i32,
) -> LookAhead {
    LookAhead::new(grid, builder.at, to, measures.corridor, free, limit)
}

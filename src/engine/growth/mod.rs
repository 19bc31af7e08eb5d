//! Growth: the Builders take turns until all are dead.
//!
//! This module keeps track of time and of the order of turns; the rules for a Builder's turn are in its submodules. All
//! rules come from the manual of DungeonMaker, the original program, and from dungeons that it made. The names in
//! brackets after a rule are the families of recorded dungeons that show it.
//!
//! # Time
//!
//! - Every Builder, Crawler or Jumper, has a numbered slot. An iteration goes through the slots in order, and each
//!   awake Builder acts once (`order-*`, `limited-*`).
//! - A baby gets the lowest free slot; a slot is free as soon as its Builder is dead, even in the same iteration. If
//!   the baby's slot comes after its parent's, the iteration still reaches it, and the baby's age first increases in
//!   the iteration of its birth. If the slot comes before the parent's, the age first increases in the next iteration,
//!   so the baby wakes one iteration later (`limited-*`, which also show how many births maxCrawlers prevented).
//! - The first Builders get slots in the order in which [`stage_one`] starts them; Builders beyond maxCrawlers are not
//!   started (`limited-*`).
//! - A Builder's age increases by 1 in each iteration, before its turn, and also while it sleeps. A Crawler dies when
//!   its age reaches MaxAge (`crawler-maxage*`). A Crawler among the first Builders, called a *first Crawler*, starts
//!   at the age −delay × 10. A baby starts at its parent's age − 100 × the number of generations from the parent to the
//!   baby. This number is 1, plus LateSpawn if the roll for LateSpawnProb succeeds (`late-*`), or plus SkipGenerations
//!   for a Jumper spawned by JumperProb. A Builder with a negative age sleeps. Therefore sleeping babies of one
//!   parent that belong to the same generation wake within one iteration of each other, depending on their slots, and
//!   all descendants of a first Crawler inherit its delay (`mix-*`).
//!
//! # A Crawler's turn
//!
//! When a Crawler looks ahead, it examines rows of 2 × CorridorWidth + 1 squares, beginning with the row in front of
//! it; a CorridorWidth below minCorrWidth counts as minCorrWidth. A row is free when all its squares are
//! [open](crate::engine::Tile::Open). The Crawler looks no further than the first row with a wall, a column, a
//! guaranteed open square or the dungeon's edge anywhere in it (`obstacle-*`, `cross-*`, `face-*`).
//!
//! 1. *Gap.* A Crawler with an opening at its start needs 2 × CorridorWidth + 1 free rows; with fewer rows it dies
//!    (`openstart-*`, `sweep-OpenStartProb-50`). With enough rows it moves CorridorWidth squares ahead without
//!    building, is closed from then on, and continues its turn.
//! 2. *Joining.* A closed Crawler with fewer than joinDist free rows ahead examines the first row that is not free,
//!    from the middle outward. If the nearest tile in it is a wall, the Crawler builds up to that wall, sideways at the
//!    end if necessary, and dies (`join-*`, `end-on-*`, `obstacle-wall-*`). If that tile is anything else
//!    (`obstacle-column-*`, `obstacle-open-*`), or a tile laid sideways would lie beside a square that is not open
//!    (`shipped-*`), the Crawler behaves like one with an opening at its end.
//! 3. *Building.* With more than CorridorWidth free rows it lays up to StepLength tiles and leaves at least
//!    CorridorWidth rows free (`crawler-sl*`). Babies' StepLength is at least 3 (`late-*`, `sweep-StepLength-2`).
//! 4. *Forced turn.* A Crawler that could not build must turn to a side that its Direction allows and that has more
//!    than CorridorWidth free rows; without such a side it dies. If both sides qualify, it chooses the one with more
//!    free rows, counted up to 2 × CorridorWidth + 2; a coin toss decides between equal sides (`baby-heading-*`,
//!    `gen1-straight-*`). After a forced turn the Crawler neither builds nor spawns in this iteration.
//! 5. *Free turn.* After building, the Crawler makes a free turn with probability ChangeDirProb. A Crawler of
//!    generation 0 whose heading is its Direction must pass a roll of chDirOnStraight as well (`decide-*`, `chdir*`). A
//!    free turn goes to a side that the Direction allows, whether or not there is room (`chdir*`). If both sides are
//!    allowed, and a turn to one of them restores the Crawler's heading at birth, the Crawler turns to that side with a
//!    probability of 75%; otherwise, a coin toss decides (`decide-dir24-*`, `babies-dir54-*`).
//! 6. *Babies.* After a free turn it spawns one baby with the opposite of its new heading and, with probability
//!    DoubleSpawnProb, a second one with its old heading. Without a free turn it spawns, with probability
//!    StraightSpawnProb, one baby that faces left or right by a coin toss, whether or not there is room (`babies-*`).
//!    The parent's JumperProb and LateSpawnProb are rolled once per turn, for both babies (`shipped-*`,
//!    `sweep-DoubleSpawnProb-100`).
//!
//! # A baby
//!
//! A baby starts on its parent's square. It is not born if the number of living Builders, sleeping ones included, has
//! reached maxCrawlers (`maxcrawlers-*`). NoDirectionProb and OpenStartProb of its own generation decide whether it has
//! a Direction and an open start. Its Direction does not depend on its parent's: 20% of Directions are 90° to a side,
//! 50% are straight ahead, and 30% are diagonal; a coin toss chooses the side (`baby-heading-*`, `gen1-turns-*`). The
//! shares in the original program are not documented. These values fit the recorded dungeons best; the share of
//! Directions straight ahead may be between 40% and 60%.
//!
//! # A Jumper
//!
//! Recorded dungeons show the Jumpers that room styles start. They do not show Jumpers spawned by JumperProb, because
//! the original program ran without these when the dungeons were recorded.
//!
//! - With a gap of 2 squares between its columns, it examines the 5 × 5 squares in front of it. If all these squares
//!   are open, it leaves a column on the third square ahead and moves to this column; otherwise it dies. It never turns
//!   (`rows-*`; the gap is 2 whatever minCorrWidth is, `rows-mincorr*`).
//! - It then spawns two babies on its square, the first facing to the right of its heading, the second to the left,
//!   whether or not there is room (`rows-*`, `limited-*`). None is born beyond maxCrawlers; Builders that died in the
//!   same iteration do not count (`limited-*`).
//! - *Outside a decorated door* (style 512) it dies at the age of 3, whatever jumperLife and MaxAge are
//!   (`rows-jumperlife*`, `limited-clock-*`): a Jumper that starts awake leaves 2 columns at most, and a baby 3 at
//!   most. Its babies sleep for 100 iterations from their own birth on, whatever the parent's age (`limited-clock-*`,
//!   `columns-and-crawlers-*`).
//! - *Inside a room* (styles 128 and 256) it spawns no babies and continues until it is blocked (`rows-style129-*`,
//!   `rows-style257-*`). A Jumper of style 128 moves from the middle of a wall towards one end, and leaves at most one
//!   column for every 3 squares of the distance between them. A room without walls, in which nothing blocks the
//!   Jumper, shows the limit (`room-nowalls-128`).
//! - *Spawned by JumperProb* (inferred): it moves and spawns like the Jumpers at doors, but leaves minCorrWidth squares
//!   between columns, lives for jumperLife turns, and wakes SkipGenerations generations later than a Crawler born in
//!   its place would; the same applies to its babies (manual). Without columns (`--no-columns`) a Crawler is born in
//!   its place; the columns of rooms are laid nevertheless, as in the recorded dungeons.
//!
//! # What the recorded dungeons leave open
//!
//! - Whether the minimum StepLength of babies is 3 or minCorrWidth + 1: minCorrWidth is 2 in all cases that show it.
//! - Whether a free turn prefers the heading at birth or the side opposite to the last turn: the recorded dungeons
//!   favour the former. A forced turn prefers neither.
//! - What a closed Crawler does if a wall and something else in the row are equally near: in Wallcrawler it joins the
//!   wall.
//! - How long the babies of a door's Jumper sleep if SkipGenerations is 0: in Wallcrawler they do not sleep.
//!   SkipGenerations is 1 in all recordings of such Jumpers. Experiments with two designs showed that larger
//!   numbers have the same effect as 1.
//! - Whether Jumpers spawned by JumperProb spawn babies, and where: Wallcrawler follows the inferred rule above.
//! - How many columns a Jumper inside a room leaves if nothing blocks it. Only one recording shows such a Jumper: it
//!   leaves 3 columns in a room without walls (`room-nowalls-128`). If that room had walls, they would be 9 squares
//!   from its centre. Wallcrawler therefore has the limit described above: one column for every 3 squares.

mod builder;
mod iterations;
mod join;
mod jumper;
mod population;
mod prediction;
mod seeds;
#[cfg(test)]
mod tests;
mod turn;
mod turn_context;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(in crate::engine) use self::builder::LEAST_STEP_OF_BABIES;
use self::builder::{Builder, MeasuresTable, Waking};
pub use self::iterations::{Iteration, Iterations};
use self::population::Population;
pub use self::prediction::{BuilderSnapshot, LookFrom, PredictedOutcome, TurnPrediction, age_in};
pub use self::seeds::SeedGrower;
use self::turn_context::{Rules, TurnContext};
use super::decision::Decision;
use super::event::{Birth, BuilderKind, Clock, Event};
use super::grid::Grid;
use super::intervention::{Intervention, Interventions};
use super::observer::Observer;
use super::random::{Key, Stream};
use super::stage_one::{self, BuiltDoor, BuiltLayout, BuiltRoom, Start};
use crate::design::{Diagnostic, InvalidDesign, ValidDesign};

/// Number of iterations in a generation (manual: page on the rooms file).
pub const ITERATIONS_PER_GENERATION: u32 = 100;

/// Number of turns between two checks for cancellation.
const TURNS_PER_CHECK: u64 = 256;

/// Settings of a run that are not part of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether JumperProb spawns Jumpers. If false, a Crawler is born in place of each of these Jumpers. The option
    /// does not affect the Jumpers of rooms and doors.
    pub columns: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { columns: true }
    }
}

/// A dungeon while it grows: its squares, its living Builders and the time.
#[derive(Debug, Clone)]
pub struct Growth {
    rules: Rules,
    grid: Grid,
    /// The result of stage one without its grid.
    layout: Arc<BuiltLayout>,
    clock: Clock,
    population: Population,
}

impl Growth {
    /// Runs stage one, and reports the births of the first Builders to the observer. No Builder has acted yet; those
    /// that act in the first iteration are also reported as awake.
    pub fn new(design: &ValidDesign, options: Options, observer: &mut impl Observer) -> Self {
        Self::start(design, options, Interventions::default(), observer)
    }

    /// Like [`Self::new`], for a run with interventions.
    ///
    /// # Errors
    ///
    /// Returns the diagnostics of the design if an intervention makes it invalid.
    pub fn changed(
        design: &ValidDesign,
        options: Options,
        interventions: &[Intervention],
        observer: &mut impl Observer,
    ) -> Result<Self, InvalidDesign> {
        let design = Intervention::design(interventions, design)?;
        let interventions = Interventions::new(interventions);
        Ok(Self::start(&design, options, interventions, observer))
    }

    fn start(
        design: &ValidDesign,
        options: Options,
        interventions: Interventions,
        observer: &mut impl Observer,
    ) -> Self {
        let mut layout = stage_one::build(design);
        let grid = std::mem::replace(&mut layout.grid, Grid::empty());
        let mut growth = Self {
            rules: Rules {
                design: design.clone(),
                options,
                measures: MeasuresTable::new(design),
                interventions,
            },
            grid,
            layout: Arc::new(layout),
            clock: Clock::default(),
            population: Population::for_squares(design.layout.size.squares()),
        };
        growth.begin(observer);
        growth
    }

    /// Reports the first Builders to the observer, and begins the first iteration.
    fn begin(&mut self, observer: &mut impl Observer) {
        let layout = Arc::clone(&self.layout);
        let mut twins = BTreeMap::new();
        for start in &layout.starts {
            // `twin` counts the first Crawlers with the same square and heading that come earlier in the list. Jumpers
            // do not count, because they draw no random numbers.
            let twin = twins.entry((start.at, start.forward)).or_insert(0);
            self.admit(start, *twin, observer);
            *twin += u64::from(start.kind == BuilderKind::Crawler);
        }
        if let Some(first) = self.population.roster.first_waking() {
            self.clock.iteration = first;
            self.begin_iteration(observer);
        }
    }

    /// Returns a new growth of the same design with the same options and interventions, and reports its first Builders
    /// to the observer.
    #[must_use]
    pub fn restarted(&self, observer: &mut impl Observer) -> Self {
        let Rules {
            design,
            options,
            interventions,
            ..
        } = &self.rules;
        Self::start(design, *options, interventions.clone(), observer)
    }

    /// Returns the approximate size of the grid and the Builders in bytes.
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.population.roster.living * size_of::<Builder>()
    }

    fn admit(&mut self, start: &Start, twin: u64, observer: &mut impl Observer) {
        let waking = start
            .turns
            .map_or_else(|| Waking::of_start(start.delay), Waking::of_row);
        let birth = Birth {
            parent: None,
            kind: start.kind,
            generation: 0,
            at: start.at,
            forward: start.forward,
            direction: start.direction,
            opening: start.opening,
            wakes: waking.iteration,
            age: waking.age as u32,
        };
        let key = builder::key_of_start(Key::new(self.rules.design.seed), start, twin);
        if self.rules.interventions.prevent(key) {
            return;
        }
        let id = self.population.roster.next_id();
        observer.named(id, key);
        observer.event(Event::Born { builder: id, birth });
        let mut builder = Builder::default();
        builder.begin(id, &birth, key, Some(Stream::new(key)));
        self.population.add_first(builder, waking.iteration);
    }

    /// Returns the dungeon in its current state.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the dungeon in its current state, and drops the Builders.
    pub fn into_grid(self) -> Grid {
        self.grid
    }

    /// Returns the current time.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the diagnostics about everything that stage one changed or left out.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.layout.diagnostics
    }

    /// Returns the starts of the first Builders, in order. Without interventions, the Builder with id `n` begins at
    /// start `n`.
    pub fn starts(&self) -> &[Start] {
        &self.layout.starts
    }

    /// Returns the rooms that stage one built.
    pub fn rooms(&self) -> &[BuiltRoom] {
        &self.layout.rooms
    }

    /// Returns the doors in the walls of the rooms, as stage one made them.
    pub fn doors(&self) -> &[BuiltDoor] {
        &self.layout.doors
    }

    /// Returns the number of Builders alive, awake or asleep.
    pub const fn living(&self) -> usize {
        self.population.roster.living
    }

    /// Returns the number of Builders born so far, including the first Builders.
    pub const fn born(&self) -> u32 {
        self.population.roster.next_id().0
    }

    /// Returns whether all Builders are dead.
    pub const fn is_finished(&self) -> bool {
        self.population.roster.living == 0
    }

    /// Lets the next Builder act. Returns `false` if all Builders are already dead.
    pub fn turn(&mut self, observer: &mut impl Observer) -> bool {
        self.advance(1, observer)
    }

    #[expect(
        clippy::inline_always,
        reason = "measured: a call for each turn costs a tenth of the growth's time"
    )]
    #[inline(always)]
    fn act<const CHANGED: bool>(&mut self, observer: &mut impl Observer) -> bool {
        let Some(slot) = self.population.roster.acting() else {
            return false;
        };
        let Some((builder, population)) = self.population.acting(slot) else {
            return false;
        };
        let mut context = TurnContext::<_, CHANGED> {
            rules: &self.rules,
            grid: &mut self.grid,
            iteration: self.clock.iteration,
            population,
            observer,
        };
        let outcome = match builder.kind {
            BuilderKind::Crawler => turn::act(&mut context, builder),
            BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => {
                jumper::act(&mut context, builder)
            }
        };
        match outcome {
            Ok(()) => builder.age += 1,
            Err(cause) => {
                let &mut Builder { id, age, .. } = builder;
                context.population.roster.remove(slot);
                context.report(id, |_| Decision::Dies { cause, age });
                context.emit(Event::Died { builder: id, cause });
            }
        }
        let goes_on = self.population.end_turn(observer);
        self.clock.turn += 1;
        observer.turn_ended(self.clock);
        if !goes_on {
            self.end_iteration(observer);
        }
        true
    }

    /// Ends the iteration, and begins the next one in which a Builder is awake.
    fn end_iteration(&mut self, observer: &mut impl Observer) {
        self.clock.iteration = self.clock.iteration.saturating_add(1);
        self.population.roster.first_turn();
        if self.population.roster.acting().is_none()
            && let Some(first) = self.population.roster.first_waking()
        {
            self.clock.iteration = first;
        }
        observer.iteration_ended(self.clock);
        self.begin_iteration(observer);
    }

    /// Wakes the Builders that sleep until this iteration; the awake Builder in the lowest slot acts next.
    fn begin_iteration(&mut self, observer: &mut impl Observer) {
        self.population.wake(self.clock.iteration, observer);
        self.population.roster.first_turn();
    }

    /// Completes the current iteration: every awake Builder that has not acted in it acts once. Returns `false` if all
    /// Builders are already dead.
    pub fn iteration(&mut self, observer: &mut impl Observer) -> bool {
        let before = self.clock.iteration;
        while self.clock.iteration == before {
            if !self.turn(observer) {
                return false;
            }
        }
        true
    }

    /// Returns an iterator over the remaining iterations, with the events of each; see [`Iterations`].
    pub const fn iterations(&mut self) -> Iterations<'_> {
        Iterations::new(self)
    }

    /// Lets Builders act for `turns` turns. Returns `false` if all Builders die before the last of these turns.
    pub fn advance(&mut self, turns: u64, observer: &mut impl Observer) -> bool {
        if self.rules.interventions.is_empty() {
            self.advance_as::<false>(turns, observer)
        } else {
            self.advance_as::<true>(turns, observer)
        }
    }

    /// Implements [`Self::advance`]. `CHANGED` is true if there are interventions; if there are none, checking for them
    /// compiles to nothing.
    #[inline(never)]
    fn advance_as<const CHANGED: bool>(&mut self, turns: u64, observer: &mut impl Observer) -> bool {
        (0..turns).all(|_| self.act::<CHANGED>(observer))
    }

    /// Adds an intervention that affects Builders from the next turn on; earlier turns are not undone. Interventions
    /// that change the design have no effect once growth has begun.
    pub fn intervene(&mut self, intervention: Intervention) {
        self.rules.interventions.add(intervention);
    }

    /// Grows until all Builders are dead.
    pub fn finish(&mut self, observer: &mut impl Observer) {
        while self.advance(u64::MAX, observer) {}
    }

    /// Grows until all Builders are dead or `goes_on` returns `false`. `goes_on` is called before the first turn
    /// and then after every 256 turns. Returns whether the growth is finished.
    pub fn finish_while(&mut self, observer: &mut impl Observer, goes_on: impl FnMut() -> bool) -> bool {
        self.advance_while(u64::MAX, observer, goes_on)
    }

    /// Like [`Self::finish_while`], but stops after `turns` turns at the latest. Returns `false` only if `goes_on` did.
    pub fn advance_while(
        &mut self,
        turns: u64,
        observer: &mut impl Observer,
        mut goes_on: impl FnMut() -> bool,
    ) -> bool {
        let mut left = turns;
        while left > 0 {
            if !goes_on() {
                return false;
            }
            let step = left.min(TURNS_PER_CHECK);
            left = if self.advance(step, observer) { left - step } else { 0 };
        }
        true
    }
}

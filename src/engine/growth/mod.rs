//! Growth: the Builders take their turns until none is left.
//!
//! This module keeps time and order; the rules of a Builder's turn are in the modules beside it. All of it
//! comes from the manual's pages and from dungeons that the original program made; the families of
//! recorded cases that show a rule stand behind it.
//!
//! # Time
//!
//! - Builders, Crawlers and Jumpers alike, live in numbered places. An iteration goes through the places in order, and
//!   each awake Builder acts once (`order-*`, `limited-*`).
//! - A birth takes the lowest free place; a place is free as soon as its Builder is dead, in the same iteration, too. So
//!   a baby in a place behind its parent's lives its first iteration at once, and one in a place before it in the
//!   next iteration: it wakes one iteration later (`limited-*`, with the number of refused births).
//! - The first Builders take their places in the order in which stage one starts them; see [`stage_one`]. Those for
//!   which maxCrawlers leaves no room are not started (`limited-*`).
//! - Age counts up before each turn, sleep included, and the Builder dies when it reaches MaxAge
//!   (`crawler-maxage*`). A first Crawler starts at the age −delay × 10, a baby at its parent's age
//!   − 100 × the generations between them: one, and LateSpawn more when LateSpawnProb says so
//!   (`late-*`), or SkipGenerations more for a Jumper of JumperProb. A negative age is sleep. Hence the babies of one
//!   parent wake together but for the one iteration that their places make, and a delay lives on among the offspring
//!   (`mix-*`).
//!
//! # A Crawler's turn
//!
//! Every look covers rows of 2 × CorridorWidth + 1 squares, CorridorWidth being at least minCorrWidth; it begins
//! in the row before the Crawler, and a row is free when all its squares are plainly open: walls,
//! columns, squares to be kept open and the map's edge all end it, in whichever square of the row they stand
//! (`obstacle-*`, `cross-*`, `face-*`).
//!
//! 1. *Gap.* With an opening at its start, and 2 × CorridorWidth + 1 free rows, it moves CorridorWidth
//!    squares ahead without building and is closed from now on; with fewer rows it dies (`openstart-*`,
//!    `sweep-OpenStartProb-50`). It continues its turn.
//! 2. *Joining.* A closed Crawler with fewer than joinDist free rows ahead looks at the first row that
//!    is not free, from the middle outward. If the nearest thing in it is a wall, it builds up to it,
//!    sideways at the end if need be, and its run is over (`join-*`, `end-on-*`, `obstacle-wall-*`). If it is
//!    anything else (`obstacle-column-*`, `obstacle-open-*`), or the tiles laid sideways would stand beside
//!    another wall (`shipped-*`), the Crawler behaves like an open-ended one.
//! 3. *Building.* With more than CorridorWidth free rows it lays tiles, as many as StepLength and leaves
//!    CorridorWidth rows free (`crawler-sl*`). Babies' StepLength is at least 3 (`late-*`,
//!    `sweep-StepLength-2`).
//! 4. *Forced turn*, where it could not build: to a side that its Direction allows and that has more
//!    than CorridorWidth free rows; with none it dies. Of two such sides it takes the one with more free
//!    rows, all that is beyond 2 × CorridorWidth + 2 counting alike; between equals a coin toss decides
//!    (`baby-heading-*`, `gen1-straight-*`). The turn is over: nothing is built or spawned.
//! 5. *Free turn*, where it did build: by ChangeDirProb. A Crawler of generation 0 that runs straight along its
//!    Direction must pass a roll of chDirOnStraight as well (`decide-*`, `chdir*`). It turns to a side that its
//!    Direction allows, whether or not there is room (`chdir*`). Between two it goes, three times of four, to the
//!    one that is the heading it was born with, and by a coin toss when neither is (`decide-dir24-*`,
//!    `babies-dir54-*`).
//! 6. *Babies.* After a free turn one is spawned, facing away from the new heading, and with
//!    DoubleSpawnProb a second one that continues in the old heading. Without a turn, StraightSpawnProb spawns one
//!    that faces left or right by a coin toss, whether or not there is room (`babies-*`). The parent's JumperProb
//!    and LateSpawnProb are rolled once a turn, for both babies (`shipped-*`, `sweep-DoubleSpawnProb-100`).
//!
//! # A baby
//!
//! It starts on its parent's square. Where maxCrawlers live already, sleepers counted, it is not born
//! (`maxcrawlers-*`). Its own generation says whether it has a Direction and an open start. A Direction is drawn without
//! regard to the parent's: one in five lies 90° to a side, every second straight ahead, the rest on a diagonal,
//! sides by a coin toss (`baby-heading-*`, `gen1-turns-*`). The original's shares are not written down
//! anywhere; these fit the samples best, and straight ahead may be anything from four to six tenths.
//!
//! # A ColumnJumper
//!
//! Jumpers of a room's style are recorded; those of JumperProb are not, as the recorded program ran without them.
//!
//! - It looks at the squares straight ahead: with a gap of 2 squares between columns, the 5 × 5 squares before it. If
//!   one of them is not plainly open, it dies. It never turns. Else it leaves a column 3 squares ahead and moves there
//!   (`rows-*`; the gap is 2 whatever minCorrWidth is, `rows-mincorr*`).
//! - It then has two babies where it stands, the first to the right of its heading, the second to the left, whether or
//!   not there is room (`rows-*`, `limited-*`). Beyond maxCrawlers none is born; the dead of the same iteration do not
//!   count (`limited-*`).
//! - *Outside of a decorated door* (style 512) it dies at the age of 3, whatever jumperLife and MaxAge are
//!   (`rows-jumperlife*`, `limited-clock-*`): one that starts awake leaves at most 2 columns, a baby 3. Its babies sleep
//!   100 iterations from their own birth on (`limited-clock-*`, `columns-and-crawlers-*`), whatever its own age is.
//! - *Inside of a room* (styles 128 and 256) it has no babies and continues until it is blocked (`rows-style129-*`,
//!   `rows-style257-*`); along a wall (128) it leaves at most as many columns as fit between the middle of the wall and
//!   its end, which shows in rooms without walls (`room-nowalls-128`).
//! - *Of JumperProb*, inferred: it moves and has babies like those at doors, but keeps minCorrWidth squares between
//!   columns, lives jumperLife turns, and wakes by SkipGenerations, its babies, too, as the manual says. Without columns
//!   (`--no-columns`) a Crawler is born in its place; the columns of rooms are laid all the same, as in the recorded
//!   dungeons.
//!
//! # What the records leave open
//!
//! - Whether babies' least StepLength is 3 or minCorrWidth + 1: minCorrWidth is 2 wherever it shows.
//! - Whether a free turn leans towards the heading at birth or away from the last turn: the samples lean to
//!   the first. A forced turn leans to neither.
//! - What a closed Crawler does with a row in which a wall and something else are equally near: here it joins.
//! - The sleep of a door's babies where SkipGenerations is 0: here they do not sleep. All recordings have 1, and what is
//!   known besides is that larger numbers change nothing.
//! - Whether the Jumpers of JumperProb have babies, and where; see above.
//! - How far a Jumper inside of a room goes that nothing blocks: 3 columns in the only recording, in which the wall is 9
//!   squares from the room's center (`room-nowalls-128`).

mod builder;
mod iterations;
mod join;
mod jumper;
mod population;
mod prediction;
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
use self::turn_context::{Rules, TurnContext};
use super::decision::Decision;
use super::event::{Birth, BuilderKind, Clock, Event};
use super::grid::Grid;
use super::intervention::{Intervention, Interventions};
use super::observer::Observer;
use super::random::{Key, Stream};
use super::stage_one::{self, BuiltDoor, BuiltLayout, BuiltRoom, Start};
use crate::design::{Diagnostic, InvalidDesign, ValidDesign};

/// How long a generation lasts (manual: rooms-file page).
pub const ITERATIONS_PER_GENERATION: u32 = 100;

/// Number of turns between two checks for cancellation.
const TURNS_PER_CHECK: u64 = 256;

/// Choices of a run that are not part of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Whether ColumnJumpers are born; otherwise a Crawler is born in a Jumper's place.
    pub columns: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { columns: true }
    }
}

/// A dungeon in growth.
#[derive(Debug, Clone)]
pub struct Growth {
    rules: Rules,
    grid: Grid,
    /// What stage one built, without the grid.
    layout: Arc<BuiltLayout>,
    clock: Clock,
    population: Population,
    /// Place of the next to act.
    next: Option<u32>,
}

impl Growth {
    /// Stage one is done, and its first Crawlers are reported to the observer as births; none has acted yet.
    /// Those that are awake from the start are reported as awake.
    pub fn new(design: &ValidDesign, options: Options, observer: &mut impl Observer) -> Self {
        Self::start(design, options, Interventions::default(), observer)
    }

    /// Like [`Self::new`], for a run in which some things are different.
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
        let layout = Arc::new(layout);
        let mut growth = Self {
            rules: Rules {
                design: design.clone(),
                options,
                measures: MeasuresTable::new(design),
                interventions,
            },
            grid,
            layout: Arc::clone(&layout),
            clock: Clock::default(),
            population: Population::default(),
            next: None,
        };
        let mut twins = BTreeMap::new();
        for start in &layout.starts {
            // Only Crawlers draw random numbers: a Jumper leaves their streams alone.
            let twin = twins.entry((start.at, start.forward)).or_insert(0);
            growth.admit(start, *twin, observer);
            *twin += u64::from(start.kind == BuilderKind::Crawler);
        }
        if let Some(first) = growth.population.first_waking() {
            growth.clock.iteration = first;
            growth.begin_iteration(observer);
        }
        growth
    }

    /// Returns the same growth at its beginning; its observer receives the same events again.
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

    /// Bytes that it takes, about: its grid and its Builders.
    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.population.living * size_of::<Builder>()
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
        let id = self.population.next_id();
        observer.named(id, key);
        observer.event(Event::Born { builder: id, birth });
        let place = self.population.take_place();
        let builder = Builder::new(id, &birth, key, Stream::new(key));
        self.population.add(place, builder, waking.iteration, None);
    }

    /// The dungeon at this moment.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The dungeon at this moment, without its Builders.
    pub fn into_grid(self) -> Grid {
        self.grid
    }

    /// The time.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// What stage one changed or left out.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.layout.diagnostics
    }

    /// What started the first Crawlers: the first Builders are theirs, in this order.
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

    /// Builders alive, awake or asleep.
    pub const fn living(&self) -> usize {
        self.population.living
    }

    /// Builders born so far, the first Crawlers among them.
    pub const fn born(&self) -> u32 {
        self.population.next_id().0
    }

    /// Whether no Builder is left.
    pub const fn is_finished(&self) -> bool {
        self.population.living == 0
    }

    /// Lets one Builder act. Returns `false` when none is left.
    pub fn turn(&mut self, observer: &mut impl Observer) -> bool {
        self.advance(1, observer)
    }

    #[expect(
        clippy::inline_always,
        reason = "measured: a call for each turn costs a tenth of the growth"
    )]
    #[inline(always)]
    fn act<const CHANGED: bool>(&mut self, observer: &mut impl Observer) -> bool {
        let Some(place) = self.next else {
            return false;
        };
        let Some(mut builder) = self.population.get(place) else {
            return false;
        };
        let mut context = TurnContext::<_, CHANGED> {
            rules: &self.rules,
            grid: &mut self.grid,
            iteration: self.clock.iteration,
            population: &mut self.population,
            place,
            observer,
        };
        let outcome = match builder.kind {
            BuilderKind::Crawler => turn::act(&mut context, &mut builder),
            BuilderKind::Jumper | BuilderKind::DoorJumper | BuilderKind::RoomJumper => {
                jumper::act(&mut context, &mut builder)
            }
        };
        match outcome {
            Ok(()) => {
                builder.age += 1;
                self.population.set(place, builder);
            }
            Err(cause) => {
                let Builder { id, age, .. } = builder;
                context.population.remove(place);
                context.report(id, |_| Decision::Dies { cause, age });
                context.emit(Event::Died { builder: id, cause });
            }
        }
        self.population.wake_newborn(observer);
        self.next = self.population.next_awake(place + 1);
        self.clock.turn += 1;
        observer.turn_ended(self.clock);
        if self.next.is_none() {
            self.end_iteration(observer);
        }
        true
    }

    /// Ends the iteration: the next one begins, or the one in which the next sleeper wakes.
    fn end_iteration(&mut self, observer: &mut impl Observer) {
        self.clock.iteration = self.clock.iteration.saturating_add(1);
        if self.population.next_awake(0).is_none()
            && let Some(first) = self.population.first_waking()
        {
            self.clock.iteration = first;
        }
        observer.iteration_ended(self.clock);
        self.begin_iteration(observer);
    }

    /// Wakes the sleepers of the iteration; the awake Builder in the lowest place is the next to act.
    fn begin_iteration(&mut self, observer: &mut impl Observer) {
        self.population.wake(self.clock.iteration, observer);
        self.next = self.population.next_awake(0);
    }

    /// Every living Builder acts once, or those that have not acted yet in the iteration under way. False
    /// when none is left.
    pub fn iteration(&mut self, observer: &mut impl Observer) -> bool {
        let before = self.clock.iteration;
        while self.clock.iteration == before {
            if !self.turn(observer) {
                return false;
            }
        }
        true
    }

    /// An iterator over the iterations that are left, each with what happened in it; see [`Iterations`].
    pub const fn iterations(&mut self) -> Iterations<'_> {
        Iterations::new(self)
    }

    /// Lets Builders act for `turns` turns. Returns `false` when none is left before that.
    pub fn advance(&mut self, turns: u64, observer: &mut impl Observer) -> bool {
        if self.rules.interventions.is_empty() {
            self.advance_as::<false>(turns, observer)
        } else {
            self.advance_as::<true>(turns, observer)
        }
    }

    /// Advances; `CHANGED` says whether there are interventions, so that they cost nothing where there are none.
    #[inline(never)]
    fn advance_as<const CHANGED: bool>(&mut self, turns: u64, observer: &mut impl Observer) -> bool {
        (0..turns).all(|_| self.act::<CHANGED>(observer))
    }

    /// Changes something about the Builders from now on; what they did stays. Changes of the design have no effect on a
    /// growth under way.
    pub fn intervene(&mut self, intervention: Intervention) {
        self.rules.interventions.add(intervention);
    }

    /// Grows to the end.
    pub fn finish(&mut self, observer: &mut impl Observer) {
        while self.advance(u64::MAX, observer) {}
    }

    /// Grows to the end unless `goes_on`, which is called before every 256 turns, returns `false`. Returns whether the
    /// growth reached its end.
    pub fn finish_while(&mut self, observer: &mut impl Observer, goes_on: impl FnMut() -> bool) -> bool {
        self.advance_while(u64::MAX, observer, goes_on)
    }

    /// Like [`Self::finish_while`], for up to `turns` turns.
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

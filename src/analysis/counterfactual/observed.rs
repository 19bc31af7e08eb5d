//! A finished run: the births of its Builders, the tiles that they laid, and the turn in which each parameter was
//! first used.

use std::array;

use crate::design::{Constant, Entry, GENERATIONS, Parameter, Stat, ValidDesign};
use crate::engine::random::Key;
use crate::engine::{
    Birth, BuilderId, BuilderKind, Clock, Decision, Event, Grid, Growth, Observer, Options, Roll, WallRun,
};
use crate::geometry::{Point, Size};

/// A Builder of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedBuilder {
    /// Key that identifies the Builder in every run of the same design and seed.
    pub key: Key,
    /// State of the Builder at birth.
    pub birth: Birth,
    /// Turn of the birth, counted from 1; 0 for a birth before the first turn.
    pub turn: u64,
}

/// A run that was grown to its end, with the facts needed to find out why it grew as it did.
#[derive(Debug, Clone)]
pub struct ObservedRun {
    pub(super) design: ValidDesign,
    pub(super) options: Options,
    builders: Vec<ObservedBuilder>,
    grid: Grid,
    turns: u64,
    uses: ParameterUses,
    laid: TilesLaid,
}

/// For each square, row by row: the Builder that laid the tile on it, and the turn in which the tile was laid.
#[derive(Debug, Clone)]
struct TilesLaid {
    size: Size,
    /// Number of the Builder, counted from 1, and the turn; (0, 0) if no Builder laid a tile. Turns above [`u32::MAX`]
    /// are stored as [`u32::MAX`].
    squares: Vec<(u32, u32)>,
}

impl TilesLaid {
    fn add(&mut self, builder: BuilderId, at: Point, turn: u64) {
        if let Some(index) = self.size.index(at) {
            self.squares[index] = (builder.0 + 1, u32::try_from(turn).unwrap_or(u32::MAX));
        }
    }
}

impl ObservedRun {
    /// Grows a design to its end. Calls `goes_on` every 256 turns; returns `None` as soon as `goes_on` returns `false`.
    pub fn of(design: &ValidDesign, options: Options, goes_on: impl FnMut() -> bool) -> Option<Self> {
        let size = design.layout.size;
        let mut watch = Watch {
            over: 0,
            begun: false,
            key: None,
            setting_out: None,
            builders: Vec::new(),
            living: 0,
            most: usize::try_from(design.constants.max_crawlers).unwrap_or(0),
            uses: ParameterUses::default(),
            laid: TilesLaid {
                size,
                squares: vec![(0, 0); size.squares() as usize],
            },
        };
        let mut growth = Growth::new(design, options, &mut watch);
        watch.begun = true;
        if !growth.finish_while(&mut watch, goes_on) {
            return None;
        }
        let turns = growth.clock().turn;
        Some(Self {
            design: design.clone(),
            options,
            builders: watch.builders,
            grid: growth.into_grid(),
            turns,
            uses: watch.uses,
            laid: watch.laid,
        })
    }

    /// Returns the finished dungeon.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the design that was grown.
    pub const fn design(&self) -> &ValidDesign {
        &self.design
    }

    /// Returns the number of turns.
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns all Builders, in the order of their births.
    pub fn builders(&self) -> &[ObservedBuilder] {
        &self.builders
    }

    /// Returns the Builder with the number `id`; `None` if there is none.
    pub fn builder(&self, id: BuilderId) -> Option<&ObservedBuilder> {
        self.builders.get(id.0 as usize)
    }

    /// Returns a Builder's ancestors, nearest first.
    pub fn ancestors(&self, id: BuilderId) -> impl Iterator<Item = BuilderId> + '_ {
        let parent = |id: &BuilderId| self.builder(*id)?.birth.parent;
        std::iter::successors(parent(&id), parent)
    }

    /// Returns the Builder that laid the tile on a square, and the turn in which it was laid; `None` if no Builder laid
    /// one.
    pub fn origin(&self, at: Point) -> Option<(BuilderId, u64)> {
        let (number, turn) = *self.laid.squares.get(self.laid.size.index(at)?)?;
        Some((BuilderId(number.checked_sub(1)?), u64::from(turn)))
    }

    /// Returns whether changing a parameter to `value` certainly has no effect before the end of turn `until`. `false`
    /// means that the change may have an effect.
    pub(super) fn is_idle(&self, entry: Entry, parameter: Parameter, value: i32, until: u64) -> bool {
        let before = self.design.get(entry, parameter).unwrap_or_default();
        let first = match (entry, parameter) {
            (Entry::Generation(generation), Parameter::Stat(stat)) => {
                self.uses.of_stat(generation, stat, before, value)
            }
            (Entry::Constants, Parameter::Constant(constant)) => self.uses.of_constant(constant, before, value),
            _ => Some(0),
        };
        first.is_none_or(|turn| turn > until)
    }
}

/// Turn in which something first happened, counted from 1; 0 if it happened before the first turn, `None` if it never
/// did.
type FirstTurn = Option<u64>;

fn note(first: &mut FirstTurn, turn: u64) {
    *first = (*first).or(Some(turn));
}

/// For each number of a hundred-sided die, the first turn in which it was rolled.
#[derive(Debug, Clone)]
struct Rolls([FirstTurn; 100]);

impl Default for Rolls {
    fn default() -> Self {
        Self([None; 100])
    }
}

impl Rolls {
    fn add(&mut self, roll: Roll, turn: u64) {
        if let Some(first) = self.0.get_mut(usize::from(roll.rolled)) {
            note(first, turn);
        }
    }

    /// Returns the first turn in which a roll would have had a different outcome at the chance `after` than at the
    /// chance `before`.
    fn between(&self, before: i32, after: i32) -> FirstTurn {
        let numbers = before.min(after)..before.max(after);
        let turns = numbers.filter_map(|number| *self.0.get(usize::try_from(number).ok()?)?);
        turns.min()
    }
}

/// The first uses of one generation's parameters.
#[derive(Debug, Clone, Default)]
struct GenerationUses {
    change_dir: Rolls,
    straight_spawn: Rolls,
    double_spawn: Rolls,
    jumper: Rolls,
    late_spawn: Rolls,
    open_start: Rolls,
    no_direction: Rolls,
    /// First turn in which a Crawler acted.
    crawler: FirstTurn,
    /// The ages at which Crawlers acted, each with the first turn in which a Crawler of this age acted. An age is
    /// recorded only if it exceeds all earlier ones.
    ages: Vec<(i64, u64)>,
    /// First turn in which a Builder of this generation may have tried to spawn a Jumper: its baby was a Jumper,
    /// maxCrawlers prevented the birth of its baby, or its roll for JumperProb succeeded. SkipGenerations determines
    /// how long the Jumper sleeps.
    skipped: FirstTurn,
    /// First turn in which the roll for LateSpawnProb succeeded.
    late: FirstTurn,
}

/// The first turn in which each parameter was used, for those parameters whose use is observed.
#[derive(Debug, Clone)]
struct ParameterUses {
    generations: [GenerationUses; GENERATIONS],
    straight: Rolls,
    /// First turn in which the number of living Builders reached maxCrawlers.
    full: FirstTurn,
    /// First turn in which maxCrawlers prevented the birth of a baby.
    unborn: FirstTurn,
    /// First turn in which a Builder of the kind [`BuilderKind::Jumper`] acted.
    jumper: FirstTurn,
    /// First turn in which a closed Crawler searched for a wall to join.
    join: FirstTurn,
}

impl Default for ParameterUses {
    fn default() -> Self {
        Self {
            generations: array::from_fn(|_| GenerationUses::default()),
            straight: Rolls::default(),
            full: None,
            unborn: None,
            jumper: None,
            join: None,
        }
    }
}

impl ParameterUses {
    fn generation(&mut self, generation: u32) -> &mut GenerationUses {
        &mut self.generations[(generation as usize).min(GENERATIONS - 1)]
    }

    /// Returns the earliest turn in which changing a parameter of a generation can make a difference.
    fn of_stat(&self, generation: usize, stat: Stat, before: i32, after: i32) -> FirstTurn {
        let uses = self.generations.get(generation)?;
        match stat {
            Stat::ChangeDirProb => uses.change_dir.between(before, after),
            Stat::StraightSpawnProb => uses.straight_spawn.between(before, after),
            Stat::DoubleSpawnProb => uses.double_spawn.between(before, after),
            Stat::JumperProb => uses.jumper.between(before, after),
            Stat::LateSpawnProb => uses.late_spawn.between(before, after),
            Stat::OpenStartProb => uses.open_start.between(before, after),
            Stat::NoDirectionProb => uses.no_direction.between(before, after),
            Stat::StepLength | Stat::CorridorWidth => uses.crawler,
            // A Crawler that reaches the lower of the two ages dies under one value of MaxAge, but not under the other.
            Stat::MaxAge => {
                let least = i64::from(before.min(after));
                let old = uses.ages.iter().filter(|(age, _)| *age >= least);
                old.map(|(_, turn)| *turn).min()
            }
            Stat::SkipGenerations => uses.skipped,
            Stat::LateSpawn => uses.late,
        }
    }

    /// Returns the earliest turn in which changing a constant can make a difference.
    fn of_constant(&self, constant: Constant, before: i32, after: i32) -> FirstTurn {
        match constant {
            Constant::MaxCrawlers if before < 1 || before.abs_diff(after) != 1 => Some(0),
            Constant::MaxCrawlers if after < before => self.full,
            Constant::MaxCrawlers => match self.full {
                // The limit may have kept some of the layout's Builders from starting.
                Some(0) => Some(0),
                _ => self.unborn,
            },
            Constant::ChDirOnStraight => self.straight.between(before, after),
            Constant::JumperLife => self.jumper,
            Constant::JoinDist => self.join,
            // The rooms, which are built before the first turn, depend on these constants.
            Constant::MinCorrWidth | Constant::SmallestRoomWidth => Some(0),
        }
    }
}

/// An observer that records the facts of the run.
struct Watch {
    /// Number of finished turns.
    over: u64,
    begun: bool,
    /// Key of the Builder about to be born.
    key: Option<Key>,
    /// Rolls of that Builder for NoDirectionProb and OpenStartProb.
    setting_out: Option<(Roll, Roll)>,
    builders: Vec<ObservedBuilder>,
    living: usize,
    /// Value of maxCrawlers.
    most: usize,
    uses: ParameterUses,
    laid: TilesLaid,
}

impl Watch {
    fn now(&self) -> u64 {
        self.over + u64::from(self.begun)
    }
}

impl Observer for Watch {
    const DECISIONS: bool = true;

    fn named(&mut self, _: BuilderId, key: Key) {
        self.key = Some(key);
    }

    fn event(&mut self, event: Event) {
        let turn = self.now();
        match event {
            Event::Born { birth, .. } => {
                if let Some((aimless, open_start)) = self.setting_out.take() {
                    let uses = self.uses.generation(birth.generation);
                    uses.no_direction.add(aimless, turn);
                    uses.open_start.add(open_start, turn);
                }
                if let Some(key) = self.key.take() {
                    self.builders.push(ObservedBuilder { key, birth, turn });
                }
                self.living += 1;
                if self.living >= self.most {
                    note(&mut self.uses.full, turn);
                }
                // The time at which a Jumper wakes depends on SkipGenerations of its parent's generation, even if the
                // parent is also a Jumper.
                let parent = birth.parent.and_then(|parent| self.builders.get(parent.0 as usize));
                if birth.kind.is_jumper()
                    && let Some(generation) = parent.map(|parent| parent.birth.generation)
                {
                    note(&mut self.uses.generation(generation).skipped, turn);
                }
            }
            Event::Unborn { parent, .. } => {
                note(&mut self.uses.unborn, turn);
                if let Some(generation) = self.builders.get(parent.0 as usize).map(|of| of.birth.generation) {
                    note(&mut self.uses.generation(generation).skipped, turn);
                }
            }
            Event::Died { .. } => self.living = self.living.saturating_sub(1),
            Event::Laid { builder, at, .. } => self.laid.add(builder, at, turn),
            _ => {}
        }
    }

    fn built(&mut self, run: WallRun) {
        let turn = self.now();
        for squares in 1..=run.squares {
            let at = run.from.step(run.forward, squares as i32);
            self.laid.add(run.builder, at, turn);
        }
    }

    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        let turn = self.now();
        let known = self.builders.get(builder.0 as usize).map(|known| known.birth);
        if let Decision::SetsOut {
            aimless, open_start, ..
        } = decision
        {
            self.setting_out = Some((aimless, open_start));
            return;
        }
        let Some(Birth { kind, generation, .. }) = known else {
            return;
        };
        let uses = &mut self.uses;
        match decision {
            Decision::Acts { age, .. } if kind == BuilderKind::Crawler => {
                let of = uses.generation(generation);
                note(&mut of.crawler, turn);
                // Turns only increase, so the turn already recorded for an age is the first one.
                if of.ages.last().is_none_or(|(oldest, _)| *oldest < age) {
                    of.ages.push((age, turn));
                }
            }
            Decision::Acts { .. } if kind == BuilderKind::Jumper => note(&mut uses.jumper, turn),
            Decision::TurnsFreely { change, straight } => {
                uses.generation(generation).change_dir.add(change, turn);
                if let Some(straight) = straight {
                    uses.straight.add(straight, turn);
                }
            }
            Decision::SpawnsStraight { roll, .. } => uses.generation(generation).straight_spawn.add(roll, turn),
            Decision::SpawnsTwo { roll } => uses.generation(generation).double_spawn.add(roll, turn),
            Decision::Offspring { jumper, late, .. } => {
                let of = uses.generation(generation);
                of.jumper.add(jumper, turn);
                of.late_spawn.add(late, turn);
                if jumper.succeeds() {
                    note(&mut of.skipped, turn);
                }
                if late.succeeds() {
                    note(&mut of.late, turn);
                }
            }
            Decision::Joins { .. } => note(&mut uses.join, turn),
            _ => {}
        }
    }

    fn turn_ended(&mut self, _: Clock) {
        self.over += 1;
    }
}

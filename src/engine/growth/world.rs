//! What a Builder reaches in its turn: the grid, the design, the clock, and the babies it makes.
//!
//! Every change goes through here and is told to the observer.

use super::builder::{Builder, Measures, Waking};
use super::{Options, turn};
use crate::design::{Constants, Design, Generation};
use crate::engine::event::{Birth, BuilderId, Clock, Event, Kind, Observer, Opening, TurnReason};
use crate::engine::grid::{Grid, Mark, Tile};
use crate::geometry::{Direction, Forward};

/// Percent of babies whose Direction lies a quarter turn to one of their sides, and percent whose Direction is
/// straight ahead; the rest mean to go on a diagonal (recorded: `baby-heading-*`, `gen1-turns-*`).
const SIDEWAYS: u32 = 20;
const STRAIGHT: u32 = 50;

/// What the babies of one turn have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brood {
    kind: Kind,
    /// Generations from the parent to them.
    generations: u32,
}

/// The surroundings of one turn.
pub(super) struct World<'a, O> {
    pub(super) design: &'a Design,
    pub(super) options: Options,
    pub(super) grid: &'a mut Grid,
    pub(super) clock: Clock,
    /// Living Builders, awake and asleep, babies of this turn included.
    pub(super) living: usize,
    /// The number of the next Builder to be born.
    pub(super) next_id: u32,
    /// Born in this turn, in order, each with its first iteration.
    pub(super) babies: Vec<(u32, Builder)>,
    pub(super) observer: &'a mut O,
}

impl<O: Observer> World<'_, O> {
    pub(super) fn emit(&mut self, event: Event) {
        self.observer.event(event);
    }

    pub(super) fn constants(&self) -> &Constants {
        &self.design.constants
    }

    /// The stats of a Builder's generation.
    pub(super) fn generation(&self, builder: &Builder) -> &Generation {
        self.design.character.generation(builder.generation)
    }

    pub(super) fn measures(&self, builder: &Builder) -> Measures {
        builder.measures(self.generation(builder), self.constants())
    }

    /// Free rows in a heading, counted up to `limit`.
    pub(super) fn free_rows(&self, builder: &Builder, forward: Forward, measures: &Measures, limit: i32) -> i32 {
        self.grid.free_rows(builder.at, forward, measures.corridor, limit)
    }

    /// Lays a tile on an open square.
    pub(super) fn lay(&mut self, builder: &Builder, at: crate::geometry::Point, tile: Tile) {
        let (before, _) = self.grid.set(at, tile, Mark::generation(builder.generation));
        self.emit(Event::Laid {
            builder: builder.id,
            at,
            before,
            tile,
        });
    }

    /// Moves a Builder straight ahead.
    pub(super) fn step(&mut self, builder: &mut Builder, squares: i32) {
        let from = builder.at;
        builder.at = from.step(builder.forward, squares);
        self.emit(Event::Moved {
            builder: builder.id,
            from,
            to: builder.at,
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

    /// Rolls, by the parent's generation, whether babies of this turn are Jumpers, and whether they are late:
    /// once for both (recorded: `shipped-*`, `sweep-DoubleSpawnProb-100`).
    pub(super) fn brood(&self, parent: &mut Builder) -> Brood {
        let stats = self.generation(parent);
        let jumper = turn::roll(parent, stats.jumper_prob) && self.options.columns;
        let late = turn::roll(parent, stats.late_spawn_prob);
        let (kind, skipped) = match (jumper, late) {
            (true, _) => (Kind::Jumper, stats.skip_generations),
            (false, true) => (Kind::Crawler, stats.late_spawn),
            (false, false) => (Kind::Crawler, 0),
        };
        Brood {
            kind,
            generations: (skipped.max(0) as u32).saturating_add(1),
        }
    }

    /// A baby starts where its parent stands, facing `forward`; none is born when maxCrawlers live already.
    /// Direction and opening follow its own generation's chances.
    pub(super) fn spawn(&mut self, parent: &mut Builder, forward: Forward, brood: Brood) {
        let key = parent.key.child(parent.spawned);
        parent.spawned += 1;
        if self.living >= usize::try_from(self.constants().max_crawlers).unwrap_or(0) {
            self.emit(Event::Unborn {
                parent: parent.id,
                living: u32::try_from(self.living).unwrap_or(u32::MAX),
            });
            return;
        }
        let Brood { kind, generations } = brood;
        let waking = Waking::of_baby(self.clock.iteration, parent.age, generations);
        let mut birth = Birth {
            parent: Some(parent.id),
            kind,
            generation: parent.generation.saturating_add(generations),
            at: parent.at,
            forward,
            direction: None,
            opening: Opening::End,
            wakes: waking.iteration,
        };
        let id = BuilderId(self.next_id);
        let mut baby = Builder::new(id, &birth, waking.age, key);
        self.settle(&mut baby);
        birth.direction = baby.direction;
        birth.opening = baby.opening;
        self.next_id = self.next_id.saturating_add(1);
        self.living += 1;
        self.emit(Event::Born { builder: id, birth });
        self.babies.push((waking.iteration, baby));
    }

    /// Draws a baby's Direction and opening.
    fn settle(&self, baby: &mut Builder) {
        let stats = self.generation(baby);
        let aimless = turn::roll(baby, stats.no_direction_prob);
        let direction = draw_direction(baby);
        baby.direction = (!aimless).then_some(direction);
        if turn::roll(baby, stats.open_start_prob) && baby.kind == Kind::Crawler {
            baby.opening = Opening::Start;
        }
    }
}

/// A baby's Direction: straight ahead, 45° or 90° to either side.
fn draw_direction(baby: &mut Builder) -> Direction {
    let ahead = baby.forward.direction();
    let rolled = u32::from(baby.chance.percent());
    let side = if baby.chance.below(2) == 0 { -1 } else { 1 };
    if rolled < SIDEWAYS {
        ahead.rotate(2 * side)
    } else if rolled < SIDEWAYS + STRAIGHT {
        ahead
    } else {
        ahead.rotate(side)
    }
}

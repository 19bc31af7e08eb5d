//! Predictions of a Builder's next turn, for views that show a growth. The growth itself does not use them.
//!
//! A prediction draws no random numbers: where a coin toss would decide, it lists all outcomes. It also lists every
//! look that the Builder takes ahead or to a side, in the order of the rules in the documentation of [`super`]. The
//! tests compare every look and every tile of a prediction with those of the actual turn.

use serde::{Deserialize, Serialize};

use super::builder::{Measures, MeasuresTable};
use super::join;
use crate::design::Design;
use crate::engine::decision::LookAhead;
use crate::engine::event::{Birth, BuilderKind, Opening};
use crate::engine::grid::Grid;
use crate::geometry::{Direction, Forward, Point};

/// An awake Builder before its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuilderSnapshot {
    /// Kind of the Builder.
    pub kind: BuilderKind,
    /// Generation of the Builder.
    pub generation: u32,
    /// Square of the Builder.
    pub at: Point,
    /// Heading of the Builder.
    pub forward: Forward,
    /// Direction of the Builder, if it has one.
    pub direction: Option<Direction>,
    /// Where the Builder leaves an opening, if at all.
    pub opening: Opening,
    /// Age of the Builder in its next turn.
    pub age: i64,
}

/// A look ahead or to the side, with the square from which it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookFrom {
    /// Square from which the Builder looks; the first row lies in front of it.
    pub from: Point,
    /// Result of the look.
    pub look: LookAhead,
}

/// The predicted outcome of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PredictedOutcome {
    /// The Builder dies of old age, without a look ahead.
    Ages,
    /// The Builder dies, because there is too little room ahead. A Crawler dies only if it lacks room for the gap at
    /// its start, or if the sides that its Direction allows have too little room as well.
    Blocked,
    /// The Crawler builds up to a wall, joins it and dies.
    Joins,
    /// The Builder builds.
    Builds,
    /// The Crawler makes a forced turn, and builds nothing.
    Turns,
}

/// A prediction of a Builder's next turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnPrediction {
    /// The looks of the turn in order.
    #[serde(alias = "sights")]
    pub looks: Vec<LookFrom>,
    /// Outcome of the turn.
    #[serde(alias = "outlook")]
    pub outcome: PredictedOutcome,
    /// Squares on which the Builder may lay a tile. It lays tiles on all these squares, unless a coin toss chooses one
    /// of two walls to join.
    pub squares: Vec<Point>,
    /// Headings that the Crawler may take in a forced turn; two if a coin toss decides.
    pub headings: Vec<Forward>,
}

impl TurnPrediction {
    /// Predicts the turn of a Builder in a dungeon's current state.
    pub fn of(design: &Design, grid: &Grid, snapshot: &BuilderSnapshot) -> Self {
        let measures = *MeasuresTable::new(design).of_kind(snapshot.kind, snapshot.generation);
        let mut ahead = Self {
            looks: Vec::new(),
            outcome: PredictedOutcome::Blocked,
            squares: Vec::new(),
            headings: Vec::new(),
        };
        if snapshot.age >= i64::from(measures.life) {
            ahead.outcome = PredictedOutcome::Ages;
            return ahead;
        }
        let BuilderSnapshot {
            mut at,
            forward,
            mut opening,
            ..
        } = *snapshot;
        let corridor = measures.corridor;
        if opening == Opening::Start {
            let needed = measures.gap;
            if ahead.look(grid, at, forward, &measures, needed) < needed {
                return ahead;
            }
            at = at.step(forward, corridor);
            opening = Opening::Closed;
        }
        let join_dist = design.constants.join_dist;
        if opening == Opening::Closed {
            let free = ahead.look(grid, at, forward, &measures, join_dist);
            if free < join_dist && ahead.join(grid, at, forward, free, corridor) {
                return ahead;
            }
        }
        let needed = measures.needed;
        let free = ahead.look(grid, at, forward, &measures, measures.limit);
        if free < needed {
            if !snapshot.kind.is_jumper() {
                ahead.turn_aside(grid, at, snapshot, &measures);
            }
            return ahead;
        }
        let squares = measures.step.min(free - corridor);
        let first = if measures.whole_steps { squares } else { 1 };
        ahead.outcome = PredictedOutcome::Builds;
        ahead.squares = (first..=squares).map(|row| at.step(forward, row)).collect();
        ahead
    }

    /// Records a look and returns its free rows, counted up to a limit.
    fn look(&mut self, grid: &Grid, from: Point, to: Forward, measures: &Measures, limit: i32) -> i32 {
        let free = grid.free_rows(from, to, measures.corridor, limit);
        let look = LookAhead::new(grid, from, to, measures.corridor, free, limit);
        self.looks.push(LookFrom { from, look });
        free
    }

    /// Predicts whether the Crawler joins a wall in the first row that is not free, and the squares up to that wall.
    /// Returns whether it joins.
    fn join(&mut self, grid: &Grid, at: Point, forward: Forward, free: i32, corridor: i32) -> bool {
        let row = at.step(forward, free.saturating_add(1));
        let Some((offset, walls)) = join::nearest_walls(grid, forward, row, corridor) else {
            return false;
        };
        let sides = [forward.left(), forward.right()];
        let to: Vec<Forward> = sides
            .into_iter()
            .zip(walls)
            .filter_map(|(side, wall)| wall.then_some(side))
            .collect();
        if to.is_empty() {
            return false;
        }
        self.outcome = PredictedOutcome::Joins;
        self.squares = (1..=free).map(|row| at.step(forward, row)).collect();
        let aside = to
            .iter()
            .flat_map(|side| (0..offset).map(|aside| row.step(*side, aside)));
        // Adds each square once: the middle square belongs to both halves of the row.
        for square in aside {
            if !self.squares.contains(&square) {
                self.squares.push(square);
            }
        }
        true
    }

    /// Predicts the headings that a Crawler may take in a forced turn.
    fn turn_aside(&mut self, grid: &Grid, at: Point, snapshot: &BuilderSnapshot, measures: &Measures) {
        let needed = measures.needed;
        let ample = measures.ample;
        let sides = [snapshot.forward.left(), snapshot.forward.right()];
        let room = sides.map(|side| {
            let allowed = snapshot.direction.is_none_or(|direction| direction.allows(side));
            let free = if allowed {
                self.look(grid, at, side, measures, ample)
            } else {
                0
            };
            if free >= needed { free } else { 0 }
        });
        let most = room.into_iter().max().filter(|most| *most > 0);
        let chosen = sides.into_iter().zip(room).filter(|(_, room)| Some(*room) == most);
        self.headings = chosen.map(|(side, _)| side).collect();
        if most.is_some() {
            self.outcome = PredictedOutcome::Turns;
        }
    }
}

/// Returns the age that a Builder has in its turn in `iteration`. The Builder must be awake in that iteration.
pub fn age_in(iteration: u32, birth: &Birth) -> i64 {
    i64::from(birth.age) + i64::from(iteration) - i64::from(birth.wakes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{Key, Stream};
    use crate::engine::{Death, Decision, Event, Growth, Mark, Observer, Options, SideLook, Tile, TurnReason};
    use crate::geometry::Size;
    use crate::presets::Preset;

    /// An observer that tracks the dungeon and its Builders, predicts each turn, and compares the prediction with the
    /// turn.
    struct PredictionChecker {
        design: Design,
        grid: Grid,
        builders: Vec<(Birth, BuilderSnapshot)>,
        clock: u32,
        description: Option<(usize, TurnPrediction)>,
        /// Looks of the current turn; `laid` contains the squares of its tiles.
        looks: Vec<LookAhead>,
        laid: Vec<Point>,
        /// Number of correct predictions by outcome; `coins` counts choices between two walls to join.
        right: [usize; 5],
        coins: usize,
    }

    impl PredictionChecker {
        fn predict(&mut self, actor: usize, age: i64) {
            let (birth, snapshot) = self.builders[actor];
            assert_eq!(age_in(self.clock, &birth), age, "{birth:?}");
            let snapshot = BuilderSnapshot { age, ..snapshot };
            self.description = Some((actor, TurnPrediction::of(&self.design, &self.grid, &snapshot)));
        }
    }

    impl Observer for PredictionChecker {
        const DECISIONS: bool = true;

        fn event(&mut self, event: Event) {
            let id = event.builder().0 as usize;
            match event {
                Event::Born { birth, .. } => {
                    let Birth {
                        kind,
                        generation,
                        at,
                        forward,
                        direction,
                        opening,
                        ..
                    } = birth;
                    let snapshot = BuilderSnapshot {
                        kind,
                        generation,
                        at,
                        forward,
                        direction,
                        opening,
                        age: 0,
                    };
                    self.builders.push((birth, snapshot));
                }
                Event::Laid { at, tile, .. } => {
                    let mark = Mark::generation(self.builders[id].1.generation);
                    assert_eq!(self.grid.set(at, tile, mark), Tile::Open);
                    self.laid.push(at);
                }
                Event::Moved { to, .. } => self.builders[id].1.at = to,
                Event::Turned { to, why, .. } => {
                    self.builders[id].1.forward = to;
                    if matches!(why, TurnReason::Forced { .. }) {
                        let (_, ahead) = self.description.as_ref().unwrap();
                        assert!(ahead.outcome == PredictedOutcome::Turns && ahead.headings.contains(&to));
                    }
                }
                Event::OpeningChanged { to, .. } => self.builders[id].1.opening = to,
                Event::Died { cause, .. } => {
                    let (actor, ahead) = self.description.as_ref().unwrap();
                    assert_eq!(*actor, id);
                    let expected = match cause {
                        Death::Aged => PredictedOutcome::Ages,
                        Death::Blocked => PredictedOutcome::Blocked,
                        Death::Joined => PredictedOutcome::Joins,
                    };
                    assert_eq!(ahead.outcome, expected);
                }
                Event::Unborn { .. } | Event::Woke { .. } | Event::Joined { .. } => {}
            }
        }

        fn decided(&mut self, builder: crate::engine::BuilderId, decision: Decision) {
            match decision {
                Decision::Acts { age, .. } => self.predict(builder.0 as usize, age),
                Decision::Gap { look, .. } | Decision::Joins { look, .. } | Decision::Builds { look, .. } => {
                    self.looks.push(look);
                }
                Decision::TurnsAside { sides, .. } => {
                    let seen = |side: SideLook| match side {
                        SideLook::Seen(look) => Some(look),
                        SideLook::Forbidden(_) => None,
                    };
                    self.looks.extend(sides.into_iter().filter_map(seen));
                }
                _ => {}
            }
        }

        fn turn_ended(&mut self, _: crate::engine::Clock) {
            let (_, ahead) = self.description.take().unwrap();
            let looks: Vec<LookAhead> = ahead.looks.iter().map(|sight| sight.look).collect();
            assert_eq!(looks, self.looks, "{ahead:?}");
            let fork = ahead.outcome == PredictedOutcome::Joins && ahead.squares.len() > self.laid.len();
            if fork {
                // A coin toss chose one of two walls at the same distance.
                let free = looks.last().unwrap().free as usize;
                assert!(self.laid.len() > free && 2 * self.laid.len() == ahead.squares.len() + free + 1);
                assert!(self.laid.iter().all(|at| ahead.squares.contains(at)));
                self.coins += 1;
            } else {
                assert_eq!(ahead.squares, self.laid);
            }
            if ahead.outcome == PredictedOutcome::Builds {
                assert!(!self.laid.is_empty());
            }
            // All rows counted as free are free, and the row directly beyond them is not.
            for LookFrom { from, look } in &ahead.looks {
                let half = look.corridor;
                let free = |row: i32| {
                    let middle = from.step(look.forward, row);
                    let square = |aside: i32| middle.step(look.forward.right(), aside);
                    (-half..=half).all(|aside| {
                        let new = self.laid.contains(&square(aside));
                        new || self.grid.tile(square(aside)) == Tile::Open
                    })
                };
                assert!((1..=look.free).all(free));
                assert_eq!(look.end.is_some(), look.free < look.limit);
                assert!(look.end.is_none() || ahead.outcome == PredictedOutcome::Joins || !free(look.free + 1));
            }
            self.right[ahead.outcome as usize] += 1;
            self.looks.clear();
            self.laid.clear();
        }

        fn iteration_ended(&mut self, clock: crate::engine::Clock) {
            self.clock = clock.iteration;
        }
    }

    /// Predicts every turn of a design's growth. Returns the number of turns by outcome, and the number of coin tosses.
    fn predicted(design: &Design) -> ([usize; 5], usize) {
        let valid = design.clone().validate(None).design.unwrap();
        let grid = Growth::new(&valid, Options::default(), &mut ()).grid().clone();
        let mut checker = PredictionChecker {
            design: design.clone(),
            grid,
            builders: Vec::new(),
            clock: 0,
            description: None,
            looks: Vec::new(),
            laid: Vec::new(),
            right: [0; 5],
            coins: 0,
        };
        let mut growth = Growth::new(&valid, Options::default(), &mut checker);
        checker.clock = growth.clock().iteration;
        growth.finish(&mut checker);
        (checker.right, checker.coins)
    }

    #[test]
    fn every_turn_of_the_presets_is_predicted() {
        let mut all = [0; 5];
        for preset in Preset::all()
            .iter()
            .filter(|preset| preset.design().layout.size.squares() <= 10_000)
        {
            let (right, _) = predicted(&preset.design());
            assert!(right[PredictedOutcome::Builds as usize] > 0, "{}", preset.name);
            all.iter_mut().zip(right).for_each(|(all, right)| *all += right);
        }
        assert!(all.iter().all(|times| *times > 0), "{all:?}");
    }

    #[test]
    fn turns_of_any_character_are_predicted() {
        let (mut all, mut coins) = ([0; 5], 0);
        for seed in 0..60 {
            let mut chance = Stream::new(Key::new(seed));
            let mut design = Preset::find("weave").unwrap().design();
            design.seed = seed;
            design.layout.size = Size::new(40 + chance.below(30) as i32, 40 + chance.below(30) as i32);
            design.constants.join_dist = chance.below(16) as i32;
            for generation in &mut design.character.generations {
                generation.open_start_prob = i32::from(chance.percent());
                generation.jumper_prob = i32::from(chance.percent()) / 3;
                generation.step_length = 1 + chance.below(9) as i32;
                generation.corridor_width = 1 + chance.below(5) as i32;
                generation.max_age = 5 + chance.below(150) as i32;
                generation.late_spawn_prob = i32::from(chance.percent()) / 2;
                generation.late_spawn = chance.below(3) as i32;
            }
            let (right, forks) = predicted(&design);
            all.iter_mut().zip(right).for_each(|(all, right)| *all += right);
            coins += forks;
        }
        assert!(all.iter().all(|times| *times > 20) && coins > 0, "{all:?} {coins}");
    }
}

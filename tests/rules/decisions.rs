//! The reported decisions of Builders agree with what happens: every event has a decision, and follows from the numbers
//! of that decision.
//!
//! The rules are written here a second time, as the consequences of the numbers of a turn.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use crate::common::designs;
use proptest::prelude::*;
use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{
    Birth, BuilderId, BuilderKind, Clock, Death, Decision, Event, ForcedTurnSide, FreeTurnSide, Grid, Growth,
    LookAhead, Mark, Observer, Obstacle, Opening, Options, Roll, SideLook, Tile, TurnReason,
};
use wallcrawler::geometry::{Forward, Point};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Item {
    Decided(BuilderId, Decision),
    Happened(Event),
}

/// A checker of a run, turn by turn.
struct DecisionChecker {
    design: ValidDesign,
    grid: Grid,
    builders: BTreeMap<BuilderId, (Birth, Point, Forward, Opening)>,
    turn: Vec<Item>,
    counted: [u32; 4],
}

impl Observer for DecisionChecker {
    const DECISIONS: bool = true;

    fn event(&mut self, event: Event) {
        self.turn.push(Item::Happened(event));
    }

    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        self.turn.push(Item::Decided(builder, decision));
    }

    fn turn_ended(&mut self, _: Clock) {
        let turn = std::mem::take(&mut self.turn);
        let mut rest = &turn[..];
        self.between(&mut rest);
        self.check_turn(&mut rest);
        // Babies that wake at once follow.
        while let [Item::Happened(Event::Woke { .. }), more @ ..] = rest {
            rest = more;
        }
        assert_eq!(rest, [], "nothing is left of {turn:#?}");
    }

    fn iteration_ended(&mut self, _: Clock) {}
}

fn next<'a>(rest: &mut &'a [Item]) -> &'a Item {
    let (first, more) = rest.split_first().expect("something more");
    *rest = more;
    first
}

macro_rules! expect {
    ($rest:expr, $pattern:pat => $value:expr) => {
        match next($rest) {
            $pattern => $value,
            other => panic!("expected {}, not {other:?}", stringify!($pattern)),
        }
    };
}

impl DecisionChecker {
    fn new(design: &ValidDesign) -> Self {
        Self {
            design: design.clone(),
            grid: Grid::new(design.layout.size),
            builders: BTreeMap::new(),
            turn: Vec::new(),
            counted: [0; 4],
        }
    }

    /// Consumes the births and wakings between the turns.
    fn between(&mut self, rest: &mut &[Item]) {
        while let [
            Item::Happened(event @ (Event::Born { .. } | Event::Woke { .. })),
            more @ ..,
        ] = *rest
        {
            self.apply(event);
            *rest = more;
        }
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Born { builder, birth } => {
                let state = (birth, birth.at, birth.forward, birth.opening);
                self.builders.insert(builder, state);
            }
            Event::Laid { builder, at, tile, .. } => {
                let generation = self.builders[&builder].0.generation;
                self.grid.set(at, tile, Mark::generation(generation));
            }
            Event::Moved { builder, to, .. } => self.builders.get_mut(&builder).expect("born").1 = to,
            Event::Turned { builder, to, .. } => self.builders.get_mut(&builder).expect("born").2 = to,
            Event::OpeningChanged { builder, to, .. } => self.builders.get_mut(&builder).expect("born").3 = to,
            _ => {}
        }
    }

    /// Checks that a look-ahead agrees with the squares.
    fn look(&self, at: Point, look: &LookAhead) {
        let LookAhead {
            forward,
            corridor,
            free,
            limit,
            end,
        } = *look;
        let square = |row: i32, aside: i32| at.step(forward, row).step(forward.right(), aside);
        for row in 1..=free {
            for aside in -corridor..=corridor {
                assert_eq!(self.grid.tile(square(row, aside)), Tile::Open, "{look:?} from {at}");
            }
        }
        let row = free + 1;
        match end {
            None => assert_eq!(free, limit.max(0).max(free), "{look:?}"),
            Some(Obstacle::Edge) => {
                assert!((-corridor..=corridor).any(|aside| !self.grid.size().contains(square(row, aside))));
            }
            Some(Obstacle::Tile { at: stands, tile, mark }) => {
                assert!(free < limit);
                assert!((-corridor..=corridor).any(|aside| square(row, aside) == stands));
                assert_ne!(tile, Tile::Open);
                assert_eq!((self.grid.tile(stands), self.grid.mark(stands)), (tile, mark));
            }
        }
    }

    /// Checks one turn: its numbers imply what happens next.
    fn check_turn(&mut self, rest: &mut &[Item]) {
        let (id, age, life, at, forward) = expect!(rest, &Item::Decided(id, Decision::Acts { age, life, at, forward }) => (id, age, life, at, forward));
        let (birth, place, heading, opening) = self.builders[&id];
        assert_eq!((at, forward), (place, heading));
        if age >= i64::from(life) {
            return dies(id, Death::Aged, rest);
        }
        if opening == Opening::Start {
            let (look, needed) = expect!(rest, Item::Decided(_, Decision::Gap { look, needed }) => (look, *needed));
            self.look(at, look);
            if look.free < needed {
                return dies(id, Death::Blocked, rest);
            }
            let moved = expect!(rest, Item::Happened(event @ Event::Moved { .. }) => *event);
            self.apply(&moved);
            let opened = expect!(rest, Item::Happened(event @ Event::OpeningChanged { .. }) => *event);
            self.apply(&opened);
        }
        let at = self.builders[&id].1;
        if self.builders[&id].3 == Opening::Closed {
            let (look, to) = expect!(rest, Item::Decided(_, Decision::Joins { look, to, .. }) => (look, *to));
            self.look(at, look);
            assert_eq!(look.limit, self.design.constants.join_dist);
            if let Some((side, aside)) = to {
                assert!(look.free < look.limit);
                for _ in 0..look.free + aside {
                    let laid = expect!(rest, Item::Happened(event @ Event::Laid { .. }) => *event);
                    self.apply(&laid);
                }
                let wall = at.step(forward, look.free + 1).step(side, aside);
                assert_eq!(self.grid.tile(wall), Tile::Wall);
                let distance = expect!(rest, Item::Happened(Event::Joined { distance, .. }) => *distance);
                assert_eq!(distance as i32, look.free + aside);
                self.counted[0] += 1;
                return dies(id, Death::Joined, rest);
            }
        }
        let (look, needed, step, squares) = expect!(rest, Item::Decided(_, Decision::Builds { look, needed, step, squares })
            => (look, *needed, *step, *squares));
        self.look(at, look);
        if birth.kind.is_jumper() {
            return self.jumps(id, birth, at, (look, needed, squares), rest);
        }
        if look.free < needed {
            assert_eq!(squares, 0);
            return self.aside(id, at, look, needed, rest);
        }
        assert_eq!(squares, step.min(look.free - look.corridor));
        for _ in 0..squares {
            let laid = expect!(rest, Item::Happened(event @ Event::Laid { .. }) => *event);
            self.apply(&laid);
        }
        let moved = expect!(rest, Item::Happened(event @ Event::Moved { .. }) => *event);
        self.apply(&moved);
        assert_eq!(self.builders[&id].1, at.step(forward, squares));
        self.free(id, birth, forward, rest);
    }

    /// Checks a Jumper's turn after its look-ahead: it dies without room, else it leaves a column and has two babies,
    /// or none inside a room.
    fn jumps(
        &mut self,
        id: BuilderId,
        birth: Birth,
        at: Point,
        (look, needed, squares): (&LookAhead, i32, i32),
        rest: &mut &[Item],
    ) {
        if look.free < needed {
            assert_eq!(squares, 0);
            return dies(id, Death::Blocked, rest);
        }
        assert_eq!((squares, needed), (look.corridor + 1, 2 * look.corridor + 1));
        let column = at.step(birth.forward, squares);
        let laid = expect!(rest, Item::Happened(event @ Event::Laid { .. }) => *event);
        assert!(matches!(laid, Event::Laid { at, tile: Tile::Column, .. } if at == column));
        self.apply(&laid);
        let moved = expect!(rest, Item::Happened(event @ Event::Moved { .. }) => *event);
        self.apply(&moved);
        assert_eq!(self.builders[&id].1, column);
        let skipped = self
            .design
            .character
            .generation(birth.generation)
            .skip_generations
            .max(0) as u32;
        let offspring = match birth.kind {
            BuilderKind::RoomJumper => return,
            BuilderKind::DoorJumper => (birth.kind, 1),
            _ => (birth.kind, skipped + 1),
        };
        for heading in [birth.forward.right(), birth.forward.left()] {
            self.spawns(id, heading, offspring, rest);
        }
    }

    fn aside(&mut self, id: BuilderId, at: Point, ahead: &LookAhead, needed: i32, rest: &mut &[Item]) {
        let (sides, choice) =
            expect!(rest, Item::Decided(_, Decision::TurnsAside { sides, choice, .. }) => (sides, *choice));
        let rooms = sides.map(|side| match side {
            SideLook::Forbidden(_) => 0,
            SideLook::Seen(look) => {
                self.look(at, &look);
                if look.free < needed { 0 } else { look.free }
            }
        });
        let heading = self.builders[&id].2;
        let (left, right) = (heading.left(), heading.right());
        let to = match choice {
            ForcedTurnSide::None => {
                assert_eq!(rooms, [0, 0]);
                return dies(id, Death::Blocked, rest);
            }
            ForcedTurnSide::Only(to) | ForcedTurnSide::Roomier(to) => {
                assert!(if to == left {
                    rooms[0] > rooms[1]
                } else {
                    rooms[1] > rooms[0]
                });
                assert_eq!(matches!(choice, ForcedTurnSide::Only(_)), rooms[0].min(rooms[1]) == 0);
                to
            }
            ForcedTurnSide::Coin(to) => {
                assert!(rooms[0] == rooms[1] && rooms[0] > 0);
                to
            }
        };
        assert!(to == left || to == right);
        let turned = expect!(rest, Item::Happened(event @ Event::Turned { .. }) => *event);
        let side = rooms[usize::from(to == right)] as u32;
        let (free, needed) = (ahead.free as u32, needed as u32);
        let why = TurnReason::Forced { free, needed, side };
        let from = heading;
        assert_eq!(
            turned,
            Event::Turned {
                builder: id,
                from,
                to,
                why
            }
        );
        self.apply(&turned);
        self.counted[1] += 1;
    }

    fn free(&mut self, id: BuilderId, birth: Birth, forward: Forward, rest: &mut &[Item]) {
        let stats = *self.design.character.generation(birth.generation);
        let (jumper, late, kind, generations) = expect!(rest, Item::Decided(_, Decision::Offspring { jumper, late, kind, generations })
            => (*jumper, *late, *kind, *generations));
        assert_eq!((jumper.chance, late.chance), (stats.jumper_prob, stats.late_spawn_prob));
        assert_eq!(kind == BuilderKind::Jumper, jumper.succeeds());
        let skipped = match (kind, late.succeeds()) {
            (BuilderKind::Jumper, _) => stats.skip_generations,
            (BuilderKind::Crawler, true) => stats.late_spawn,
            (BuilderKind::Crawler, false) => 0,
            _ => panic!("no such baby of a Crawler: {kind:?}"),
        };
        assert_eq!(generations, skipped.max(0) as u32 + 1);
        let offspring = (kind, generations);
        let (change, straight) =
            expect!(rest, Item::Decided(_, Decision::TurnsFreely { change, straight }) => (*change, *straight));
        assert_eq!(change.chance, stats.change_dir_prob);
        let last = straight.unwrap_or(change);
        if let Some(straight) = straight {
            assert!(change.succeeds() && birth.generation == 0 && birth.direction == Some(forward.direction()));
            assert_eq!(straight.chance, self.design.constants.ch_dir_on_straight);
        }
        if !last.succeeds() {
            let (roll, to) =
                expect!(rest, Item::Decided(_, Decision::SpawnsStraight { roll, forward }) => (*roll, *forward));
            assert_eq!(roll.chance, stats.straight_spawn_prob);
            assert_eq!(roll.succeeds(), to.is_some());
            if let Some(to) = to {
                self.spawns(id, to, offspring, rest);
            }
            return;
        }
        let leaning = expect!(rest, Item::Decided(_, Decision::Leans(leaning)) => *leaning);
        let allowed = |forward| birth.direction.is_none_or(|direction| direction.allows(forward));
        let to = match leaning {
            FreeTurnSide::Only(to) => {
                assert!(allowed(to) && !allowed(to.back()));
                to
            }
            FreeTurnSide::Rolled { to, left } => {
                assert_eq!(to == forward.left(), left.succeeds());
                to
            }
        };
        let why = TurnReason::Free {
            rolled: last.rolled,
            chance: last.chance.clamp(0, 100) as u8,
        };
        let turned = expect!(rest, Item::Happened(event @ Event::Turned { .. }) => *event);
        assert_eq!(
            turned,
            Event::Turned {
                builder: id,
                from: forward,
                to,
                why
            }
        );
        self.apply(&turned);
        self.counted[2] += 1;
        self.spawns(id, to.back(), offspring, rest);
        let roll: Roll = expect!(rest, Item::Decided(_, Decision::SpawnsTwo { roll }) => *roll);
        assert_eq!(roll.chance, stats.double_spawn_prob);
        if roll.succeeds() {
            self.spawns(id, forward, offspring, rest);
        }
    }

    fn spawns(&mut self, parent: BuilderId, heading: Forward, offspring: (BuilderKind, u32), rest: &mut &[Item]) {
        match *next(rest) {
            Item::Decided(reporter, Decision::Unborn { living, most }) => {
                assert_eq!(reporter, parent);
                assert!(i64::from(living) >= i64::from(most));
                expect!(rest, Item::Happened(Event::Unborn { .. }) => ());
            }
            Item::Happened(Event::Born { builder, birth }) => {
                assert!(offspring.0.is_jumper(), "a Crawler sets out without a decision");
                let (generation, direction) = (self.builders[&parent].0.generation + offspring.1, heading.direction());
                assert_eq!((birth.kind, birth.generation), (offspring.0, generation));
                assert_eq!((birth.parent, birth.forward), (Some(parent), heading));
                assert_eq!((birth.direction, birth.opening), (Some(direction), Opening::End));
                self.apply(&Event::Born { builder, birth });
                self.counted[3] += 1;
            }
            Item::Decided(
                id,
                Decision::SetsOut {
                    aimless,
                    direction,
                    open_start,
                    opening,
                },
            ) => {
                let (builder, birth) =
                    expect!(rest, Item::Happened(Event::Born { builder, birth }) => (*builder, *birth));
                assert_eq!(builder, id);
                let (kind, generations) = offspring;
                let stats = self.design.character.generation(birth.generation);
                assert_eq!(
                    (aimless.chance, open_start.chance),
                    (stats.no_direction_prob, stats.open_start_prob)
                );
                assert_eq!(aimless.succeeds(), direction.is_none());
                assert_eq!(
                    opening == Opening::Start,
                    open_start.succeeds() && kind == BuilderKind::Crawler
                );
                assert_eq!((birth.direction, birth.opening, birth.kind), (direction, opening, kind));
                assert_eq!(
                    birth.generation,
                    self.builders[&parent].0.generation.saturating_add(generations)
                );
                assert_eq!((birth.parent, birth.forward), (Some(parent), heading));
                self.apply(&Event::Born { builder: id, birth });
                self.counted[3] += 1;
            }
            ref other => panic!("a birth or none, not {other:?}"),
        }
    }
}

fn dies(id: BuilderId, of: Death, rest: &mut &[Item]) {
    let cause = expect!(rest, Item::Decided(_, Decision::Dies { cause, .. }) => *cause);
    assert_eq!(cause, of);
    expect!(rest, Item::Happened(Event::Died { builder, .. }) => assert_eq!(*builder, id));
}

/// Grows a design and checks it; returns how many joined walls, forced turns, free turns and births it had.
fn checked(design: &Design) -> [u32; 4] {
    let design = design.validate(None).design.expect("its size is allowed");
    let options = Options::default();
    let mut checker = DecisionChecker::new(&design);
    let mut growth = Growth::new(&design, options, &mut checker);
    checker.grid = growth.grid().clone();
    while growth.turn(&mut checker) {
        assert_eq!(growth.grid(), &checker.grid);
        if growth.clock().turn > 4_000 {
            return checker.counted;
        }
    }
    let mut alone = Growth::new(&design, options, &mut ());
    alone.finish(&mut ());
    assert_eq!(alone.grid(), growth.grid(), "reporting decisions changes nothing");
    checker.counted
}

proptest! {
    #![proptest_config(designs::config())]

    #[test]
    fn every_event_follows_from_the_numbers_of_its_decision(design in designs::design(60)) {
        checked(&design);
    }
}

#[test]
fn every_kind_of_decision_occurs_in_the_presets() {
    let mut all = [0; 4];
    for preset in wallcrawler::presets::Preset::all() {
        let counted = checked(&preset.design());
        for (sum, count) in all.iter_mut().zip(counted) {
            *sum += count;
        }
    }
    assert!(
        all.iter().all(|count| *count > 50),
        "joins, forced turns, free turns, births: {all:?}"
    );
}

//! Properties of every design, however unusual: how a dungeon may change while it grows, and when.
//!
//! A [`RuleChecker`] follows the events of a run square by square, without using the engine's look-ahead, and
//! reports whatever the rules do not allow. `recording.rs` tests that a recording shows the same in both
//! directions.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};

use crate::common::designs;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use wallcrawler::design::{Design, GENERATIONS, Place, Room, Severity, ValidDesign, style};
use wallcrawler::engine::stage_one;
use wallcrawler::engine::{
    Birth, BuilderId, BuilderKind, Clock, Death, Event, Grid, Growth, Mark, Observer, Opening, Options, Tile,
    TurnReason,
};
use wallcrawler::geometry::{Forward, Point};

fn valid(design: &Design) -> ValidDesign {
    design.validate(None).design.expect("its size is allowed")
}

fn squares(grid: &Grid) -> impl Iterator<Item = Point> {
    let size = grid.size();
    (0..size.x).flat_map(move |x| (0..size.y).map(move |y| Point::new(x, y)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Asleep,
    Awake,
    Dead,
}

/// A Builder as the events describe it.
struct Seen {
    birth: Birth,
    at: Point,
    forward: Forward,
    opening: Opening,
    state: State,
}

/// An observer that follows a run and reports violations of the rules.
struct RuleChecker {
    design: ValidDesign,
    options: Options,
    grid: Grid,
    builders: Vec<Seen>,
    clock: Clock,
    /// Events of the current turn.
    turn: Vec<Event>,
    /// Builders that have acted in the current iteration.
    acted: Vec<BuilderId>,
    /// The slot of each Builder, and the occupied slots.
    place: Vec<u32>,
    taken: BTreeSet<u32>,
    /// Slot of the Builder that acted last in the current iteration.
    last: Option<u32>,
    /// Builders that were awake in the current iteration.
    awake: BTreeSet<BuilderId>,
    /// Number of events of each kind, for the test that checks that these properties are exercised at all.
    happened: BTreeMap<&'static str, u64>,
}

impl RuleChecker {
    fn new(design: &ValidDesign, options: Options) -> Self {
        Self {
            design: design.clone(),
            options,
            grid: stage_one::build(design).grid,
            builders: Vec::new(),
            clock: Clock::default(),
            turn: Vec::new(),
            acted: Vec::new(),
            place: Vec::new(),
            taken: BTreeSet::new(),
            last: None,
            awake: BTreeSet::new(),
            happened: BTreeMap::new(),
        }
    }

    fn living(&self) -> usize {
        self.builders.iter().filter(|b| b.state != State::Dead).count()
    }

    fn count(&mut self, what: &'static str) {
        *self.happened.entry(what).or_default() += 1;
    }

    fn seen(&mut self, id: BuilderId) -> &mut Seen {
        self.builders.get_mut(id.0 as usize).expect("it was born")
    }

    /// Returns the Builder, which must be the one that acts.
    fn acting(&mut self, id: BuilderId) -> &mut Seen {
        let first = self
            .turn
            .iter()
            .find(|e| !matches!(e, Event::Born { .. } | Event::Woke { .. }));
        assert!(first.is_none_or(|e| e.builder() == id), "two Builders act in one turn");
        let seen = self.seen(id);
        assert_eq!(seen.state, State::Awake, "{id:?}");
        seen
    }

    /// Returns the number of open squares that a Builder keeps to either side and ahead.
    fn corridor(&self, birth: &Birth) -> i32 {
        let least = self.design.constants.min_corr_width;
        match birth.kind {
            BuilderKind::Crawler => self
                .design
                .character
                .generation(birth.generation)
                .corridor_width
                .max(least),
            BuilderKind::Jumper => least,
            BuilderKind::DoorJumper | BuilderKind::RoomJumper => 2,
        }
    }

    fn born(&mut self, id: BuilderId, birth: Birth) {
        assert_eq!(id.0 as usize, self.builders.len(), "numbers are given in order");
        assert!(self.grid.size().contains(birth.at));
        assert!(birth.direction.is_none_or(|d| d.allows(birth.forward)), "{birth:?}");
        assert!(birth.wakes >= self.clock.iteration);
        assert!(
            self.options.columns || birth.kind != BuilderKind::Jumper,
            "a Jumper, and columns are off"
        );
        if let Some(parent) = birth.parent {
            assert_eq!(self.acting(parent).at, birth.at, "a baby starts on its parent's square");
            assert!(self.seen(parent).birth.generation < birth.generation);
            assert!(self.living() < self.design.constants.max_crawlers as usize);
            self.count(match birth.kind {
                BuilderKind::Crawler => "baby",
                BuilderKind::Jumper => "Jumper",
                BuilderKind::DoorJumper => "door's Jumper",
                BuilderKind::RoomJumper => panic!("Jumpers inside rooms have no babies"),
            });
        } else {
            assert!(birth.generation == 0 && birth.kind != BuilderKind::Jumper, "{birth:?}");
        }
        let place = (0..u32::MAX)
            .find(|place| !self.taken.contains(place))
            .expect("a free slot");
        self.taken.insert(place);
        self.place.push(place);
        self.builders.push(Seen {
            birth,
            at: birth.at,
            forward: birth.forward,
            opening: birth.opening,
            state: State::Asleep,
        });
    }

    fn laid(&mut self, id: BuilderId, at: Point, before: Tile, tile: Tile) {
        let birth = self.acting(id).birth;
        assert_eq!(
            (before, self.grid.tile(at)),
            (Tile::Open, Tile::Open),
            "only open squares are built on: {at}"
        );
        let expected = if birth.kind.is_jumper() {
            Tile::Column
        } else {
            Tile::Wall
        };
        assert_eq!(tile, expected);
        self.grid.set(at, tile, Mark::generation(birth.generation));
        self.count("tile");
    }

    fn turned(&mut self, id: BuilderId, from: Forward, to: Forward, why: TurnReason) {
        let seen = self.acting(id);
        assert_eq!(from, seen.forward);
        assert!(to == from.left() || to == from.right());
        assert!(
            seen.birth.direction.is_none_or(|d| d.allows(to)),
            "a turn against the Direction"
        );
        seen.forward = to;
        let corridor = self.corridor(&self.builders[id.0 as usize].birth);
        match why {
            TurnReason::Forced { free, needed, side } => {
                assert!(free < needed && side >= needed && needed as i32 > corridor, "{why:?}");
                self.count("forced turn");
            }
            TurnReason::Free { rolled, chance } => {
                assert!(rolled < chance && chance <= 100, "{why:?}");
                self.count("free turn");
            }
        }
    }

    /// Checks that everything within the corridor around the tiles that a Builder laid in a turn is open, beside each
    /// tile and ahead of the last: no corridor becomes narrower than minCorrWidth. Only a Crawler that joins the wall
    /// ahead may close one.
    fn corridors_are_kept(&self) {
        let joined = self.turn.iter().any(|e| matches!(e, Event::Joined { .. }));
        let laid: Vec<(BuilderId, Point)> = self
            .turn
            .iter()
            .filter_map(|e| match *e {
                Event::Laid { builder, at, .. } => Some((builder, at)),
                _ => None,
            })
            .collect();
        let Some((id, last)) = laid.last().copied().filter(|_| !joined) else {
            return;
        };
        let seen = &self.builders[id.0 as usize];
        // A free turn comes after building.
        let forward = self
            .turn
            .iter()
            .find_map(|e| match *e {
                Event::Turned { from, .. } => Some(from),
                _ => None,
            })
            .unwrap_or(seen.forward);
        let corridor = self.corridor(&seen.birth);
        let open = |at: Point| assert_eq!(self.grid.tile(at), Tile::Open, "{at} beside what {id:?} laid at {last}");
        for aside in 1..=corridor {
            for (_, at) in &laid {
                open(at.step(forward.left(), aside));
                open(at.step(forward.right(), aside));
            }
        }
        for ahead in 1..=corridor {
            for aside in -corridor..=corridor {
                open(last.step(forward, ahead).step(forward.right(), aside));
            }
        }
    }
}

impl Observer for RuleChecker {
    fn event(&mut self, event: Event) {
        match event {
            Event::Born { builder, birth } => self.born(builder, birth),
            Event::Unborn { parent, living } => {
                self.acting(parent);
                assert_eq!(living as usize, self.living());
                assert!(living as usize >= self.design.constants.max_crawlers as usize);
                self.count("unborn");
            }
            Event::Woke { builder } => {
                let clock = self.clock;
                let seen = self.seen(builder);
                assert_eq!(seen.state, State::Asleep);
                assert!(
                    clock.turn == 0 || seen.birth.wakes == clock.iteration,
                    "woken at another time than reported"
                );
                seen.state = State::Awake;
                self.awake.insert(builder);
            }
            Event::Laid {
                builder,
                at,
                before,
                tile,
            } => self.laid(builder, at, before, tile),
            Event::Moved { builder, from, to } => {
                let size = self.grid.size();
                let seen = self.acting(builder);
                assert_eq!(from, seen.at);
                let squares = (to.x - from.x).abs() + (to.y - from.y).abs();
                assert!(
                    to == from.step(seen.forward, squares) && size.contains(to),
                    "{from} to {to}"
                );
                seen.at = to;
            }
            Event::Turned { builder, from, to, why } => self.turned(builder, from, to, why),
            Event::OpeningChanged { builder, from, to } => {
                let seen = self.acting(builder);
                assert_eq!(
                    (seen.opening, from, to),
                    (Opening::Start, Opening::Start, Opening::Closed)
                );
                seen.opening = to;
                self.count("open start");
            }
            Event::Joined { builder, .. } => {
                assert_eq!(
                    self.acting(builder).opening,
                    Opening::Closed,
                    "only closed Crawlers join"
                );
                self.count("joined");
            }
            Event::Died { builder, cause } => {
                self.acting(builder).state = State::Dead;
                self.taken.remove(&self.place[builder.0 as usize]);
                let joined = self.turn.iter().any(|e| matches!(e, Event::Joined { .. }));
                assert_eq!(joined, cause == Death::Joined);
                self.count("death");
            }
        }
        self.turn.push(event);
    }

    fn turn_ended(&mut self, clock: Clock) {
        assert_eq!(
            (clock.turn, clock.iteration),
            (self.clock.turn + 1, self.clock.iteration)
        );
        self.corridors_are_kept();
        // Every turn has an event: a Builder that builds also moves; one that does not build turns or dies.
        let actor = self
            .turn
            .iter()
            .find(|e| !matches!(e, Event::Born { .. } | Event::Woke { .. }));
        let actor = actor.expect("a turn without events").builder();
        let place = self.place[actor.0 as usize];
        assert!(
            self.last.is_none_or(|last| last < place),
            "not in the order of their slots"
        );
        self.last = Some(place);
        self.acted.push(actor);
        self.turn.clear();
        self.clock = clock;
    }

    fn iteration_ended(&mut self, clock: Clock) {
        assert!(clock.iteration > self.clock.iteration && clock.turn == self.clock.turn);
        self.acted.sort_unstable();
        assert!(
            self.acted.iter().eq(&self.awake),
            "each that is awake acts once in an iteration"
        );
        self.acted.clear();
        self.last = None;
        self.awake
            .retain(|id| self.builders[id.0 as usize].state == State::Awake);
        self.clock = clock;
    }
}

/// Grows to the end while a [`RuleChecker`] checks it.
fn checked_growth(design: &Design, options: Options) -> (Growth, RuleChecker) {
    let valid = valid(design);
    let mut checker = RuleChecker::new(&valid, options);
    // The time at which the first Builders wake is reported only once it is over.
    let mut growth = Growth::new(&valid, options, &mut checker);
    checker.clock = growth.clock();
    checker.turn.clear();
    // In one of every two turns, a Builder lays a tile, dies, or is disturbed by another's tile.
    let most = 1_000 + 40 * valid.layout.size.squares();
    while growth.turn(&mut checker) {
        assert_eq!(growth.living(), checker.living(), "born less died are the living");
        assert!(growth.clock().turn < most, "growth does not end");
    }
    assert!(growth.is_finished() && checker.living() == 0);
    (growth, checker)
}

/// An observer that collects the events of a run.
#[derive(Default)]
struct Log(Vec<Event>);

impl Observer for Log {
    fn event(&mut self, event: Event) {
        self.0.push(event);
    }
}

fn events(design: &Design, options: Options) -> Vec<Event> {
    let mut log = Log::default();
    Growth::new(&valid(design), options, &mut log).finish(&mut log);
    log.0
}

/// Returns the events before the first Builder of a generation wakes (the last generation stands for all later ones).
/// Leaves out the rolls at the births of this generation that depend on its chances: Direction and opening.
fn before_generation(events: &[Event], generation: usize) -> Vec<Event> {
    let is_of = |birth: &Birth| (birth.generation as usize).min(GENERATIONS - 1) == generation;
    let mut its = BTreeSet::new();
    let mut before = Vec::new();
    for event in events {
        let mut event = *event;
        match &mut event {
            Event::Born { builder, birth } if is_of(birth) => {
                its.insert(*builder);
                birth.direction = None;
                birth.opening = Opening::End;
            }
            Event::Woke { builder } if its.contains(builder) => return before,
            _ => {}
        }
        before.push(event);
    }
    before
}

fn options() -> impl Strategy<Value = Options> {
    prop::bool::weighted(0.8).prop_map(|columns| Options { columns })
}

proptest! {
    #![proptest_config(designs::config())]

    #[test]
    fn stage_one_keeps_the_border_and_starts_crawlers_inside(design in designs::design(80)) {
        let built = stage_one::build(&valid(&design));
        let size = built.grid.size();
        for at in squares(&built.grid) {
            // The door of a room on the border opens it.
            let is_door = || built.doors.iter().any(|door| door.squares.contains(&at));
            prop_assert!(!size.on_border(at) || built.grid.tile(at) == Tile::Wall || is_door());
            prop_assert_eq!(built.grid.mark(at), Mark::Design);
        }
        for start in &built.starts {
            prop_assert!(size.contains(start.at), "{start:?}");
            prop_assert!(start.direction.is_none_or(|d| d.allows(start.forward)));
        }
        for diagnostic in &built.diagnostics {
            prop_assert!(diagnostic.severity == Severity::Warning && !diagnostic.help.is_empty());
        }
    }

    #[test]
    fn growth_follows_the_rules_and_ends(design in designs::design(70), options in options()) {
        let (growth, checker) = checked_growth(&design, options);
        prop_assert!(growth.grid() == &checker.grid, "the events replay to the same dungeon, marks included");
        let start = stage_one::build(&valid(&design)).grid;
        let size = start.size();
        for at in squares(&start) {
            let (before, after) = (start.tile(at), growth.grid().tile(at));
            let built = growth.grid().mark(at) != Mark::Design;
            prop_assert!(if built { before == Tile::Open && after != Tile::Open } else { before == after }, "{at}");
            prop_assert!(!size.on_border(at) || after == Tile::Wall || before == Tile::Open);
        }
        for &at in &design.layout.open {
            let own = [&design.layout.walls, &design.layout.columns].iter().any(|list| list.contains(&at));
            if size.contains(at) && !size.on_border(at) && !own {
                prop_assert_eq!(growth.grid().tile(at), Tile::Guaranteed, "{} must stay open", at);
            }
        }
    }

    /// "Nothing is built inside of rooms or doors" holds as far as the recorded dungeons allow: a Crawler with an open
    /// end builds nothing where its corridor does not fit, and does not come through a door that is narrower. (Where
    /// it fits, Crawlers do build inside rooms; and closed ones join the walls of a door. In a smaller room the doors
    /// of a side and of its corner are one.)
    #[test]
    fn rooms_and_doors_narrower_than_a_corridor_stay_empty(
        design in designs::design(70),
        (xdiv, ydiv, width) in (0..=6_i32, 0..=6_i32, 4..9_i32),
        sites in prop::array::uniform8(0..=1_i32),
        style in 0..=style::ALL,
        wider in 1..4_i32,
    ) {
        let mut design = design;
        let normal_doors = style::LARGE_CENTER_DOORS
            | style::EXTRA_LARGE_CENTER_DOORS
            | style::LARGE_CORNER_DOORS
            | style::EXTRA_LARGE_CORNER_DOORS
            | style::CRAWLER_IN_CENTER_DOORS;
        let style = style & !normal_doors | style::WALLS;
        let room = Room { div: 6, xdiv, ydiv, width, sites, style, delay: 0 };
        design.constants.smallest_room_width = 3;
        design.layout.rooms = vec![room];
        for generation in &mut design.character.generations {
            generation.corridor_width = width + wider;
            generation.open_start_prob = 0;
        }
        if let Some((center, reach)) = room.center_and_reach(design.layout.size) {
            let reach = reach.unsigned_abs();
            let inside = |at: Point| at.x.abs_diff(center.x) <= reach && at.y.abs_diff(center.y) <= reach;
            design.layout.crawlers.retain(|crawler| !inside(crawler.at));
            for crawler in &mut design.layout.crawlers {
                crawler.termination = 1;
            }
            let (growth, _) = checked_growth(&design, Options { columns: false });
            // The Jumpers of its style build inside.
            let is_column = |at: Point| growth.grid().tile(at) == Tile::Column;
            for at in squares(growth.grid()).filter(|at| inside(*at) && !is_column(*at)) {
                prop_assert_eq!(growth.grid().mark(at), Mark::Design, "{} is built on", at);
            }
        }
    }

    #[test]
    fn a_builder_predicted_to_die_without_building_does_so(design in designs::design(50), options in options()) {
        let valid = valid(&design);
        let built = stage_one::build(&valid);
        let idle: Vec<Place> = built
            .diagnostics
            .iter()
            .filter(|d| d.message.contains("dies without building"))
            .filter_map(|d| d.place)
            .collect();
        let events = events(&design, options);
        // The first Crawlers are numbered in their order.
        for (number, start) in built.starts.iter().enumerate() {
            if start.kind != BuilderKind::Crawler {
                continue;
            }
            let builds = events.iter().any(|e| matches!(e, Event::Laid { builder, .. } if builder.0 as usize == number));
            prop_assert!(!builds || !idle.contains(&start.origin), "{start:?}");
        }
    }

    #[test]
    fn the_same_design_grows_the_same_dungeon(design in designs::design(60), options in options()) {
        prop_assert!(events(&design, options) == events(&design.clone(), options));
    }

    #[test]
    fn editing_a_generation_changes_nothing_before_it_wakes(
        design in designs::design(60),
        other in designs::design(20),
        generation in prop_oneof![4 => 0..4_usize, 1 => 0..GENERATIONS],
    ) {
        let mut edited = design.clone();
        edited.character.generations[generation] = other.character.generations[0];
        let [a, b] = [&design, &edited].map(|d| before_generation(&events(d, Options::default()), generation));
        let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        prop_assert!(a == b, "event {same}: {:?} and {:?}", a.get(same), b.get(same));
    }
}

/// The properties are meaningful only if the events that they concern happen.
#[test]
fn the_designs_of_these_tests_cause_every_kind_of_event() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut happened: BTreeMap<&str, usize> = BTreeMap::new();
    let mut grew = 0;
    for _ in 0..100 {
        let tree = designs::design(70).new_tree(&mut runner).expect("a design");
        let (_, mut checker) = checked_growth(&tree.current(), Options::default());
        if squares(&checker.grid).any(|at| checker.grid.tile(at) == Tile::HighWall) {
            checker.count("pyramid or decoration");
        }
        grew += usize::from(checker.happened.get("tile").is_some_and(|tiles| *tiles > 100));
        for what in checker.happened.keys() {
            *happened.entry(*what).or_default() += 1;
        }
    }
    println!("of 100 designs {grew} laid over 100 tiles; {happened:?}");
    assert!(grew >= 40, "{grew} of 100");
    for what in [
        "Jumper",
        "baby",
        "unborn",
        "forced turn",
        "free turn",
        "open start",
        "joined",
        "death",
        "pyramid or decoration",
    ] {
        assert!(
            happened.get(what).is_some_and(|designs| *designs >= 10),
            "{what}: {happened:?}"
        );
    }
}

//! Counterfactuals: each statement about a difference holds if the dungeon is grown by a second, simple implementation
//! of the Crawlers' rules (below), or from a changed design; and nothing that matters is left out.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use wallcrawler::analysis::counterfactual::{
    Alternative, AlternativeGrower, AlternativeSubject, Goal, MetricQuestion, MetricTester, ObservedRun, walls_between,
};
use wallcrawler::analysis::{MetricLookup, Metrics, MetricsCalculator, MetricsRunner, Scene};
use wallcrawler::design::expect::{DungeonMetric, Metric, parse_condition};
use wallcrawler::design::{Constant, Design, Entry, Field, GENERATIONS, Parameter, Place, Stat, ValidDesign};
use wallcrawler::engine::random::{Key, Stream};
use wallcrawler::engine::{
    BuilderId, BuilderKind, Clock, Decision, Event, Grid, Growth, Intervention, Mark, Observer, Opening, Options,
    RollKind, Tile,
};
use wallcrawler::geometry::{Direction, Forward, Point};
use wallcrawler::presets::Preset;

/// A Crawler of the plain program.
#[derive(Clone)]
struct Crawler {
    key: Key,
    chance: Stream,
    generation: u32,
    at: Point,
    first: Forward,
    forward: Forward,
    direction: Option<Direction>,
    opening: Opening,
    age: i64,
    wakes: u32,
    spawned: u64,
}

/// The plain program: Crawlers only, no events, no bitmaps, with the places in a list that is searched.
struct Plain<'a> {
    design: &'a ValidDesign,
    change: Intervention,
    grid: Grid,
    places: Vec<Option<Crawler>>,
    iteration: u32,
}

impl<'a> Plain<'a> {
    /// Grows a design whose Builders are all Crawlers, with a change that is not part of the design.
    fn grow(design: &'a ValidDesign, change: Intervention) -> Grid {
        let stage_one = Growth::new(design, Options::default(), &mut ());
        let mut plain = Self {
            design,
            change,
            grid: stage_one.grid().clone(),
            places: Vec::new(),
            iteration: 0,
        };
        let mut twins: Vec<(Point, Forward)> = Vec::new();
        for start in stage_one.starts() {
            assert_eq!(start.kind, BuilderKind::Crawler);
            let twin = twins.iter().filter(|one| **one == (start.at, start.forward)).count() as u64;
            twins.push((start.at, start.forward));
            let key = Key::new(design.seed)
                .child(start.at.x as u64)
                .child(start.at.y as u64)
                .child(start.forward as u64)
                .child(twin);
            if change == Intervention::Unborn(key) {
                continue;
            }
            let (wakes, age) = if start.delay == 0 { (0, 1) } else { (start.delay - 1, 0) };
            plain.places.push(Some(Crawler {
                key,
                chance: Stream::new(key),
                generation: 0,
                at: start.at,
                first: start.forward,
                forward: start.forward,
                direction: start.direction,
                opening: start.opening,
                age,
                wakes,
                spawned: 0,
            }));
        }
        while let Some(next) = plain.places.iter().flatten().map(|one| one.wakes).min() {
            plain.iteration = plain.iteration.max(next);
            let mut place = 0;
            while place < plain.places.len() {
                if let Some(mut crawler) = plain.places[place].clone()
                    && crawler.wakes <= plain.iteration
                {
                    let lives = plain.act(&mut crawler, place);
                    crawler.age += 1;
                    plain.places[place] = lives.then_some(crawler);
                }
                place += 1;
            }
            plain.iteration += 1;
        }
        plain.grid
    }

    fn reverses(&self, key: Key, age: Option<i64>, roll: RollKind) -> bool {
        self.change
            == Intervention::Reversed {
                builder: key,
                age,
                roll,
            }
    }

    fn roll(&self, one: &mut Crawler, percent: i32, kind: RollKind) -> bool {
        (i32::from(one.chance.percent()) < percent) != self.reverses(one.key, Some(one.age), kind)
    }

    fn is_left(&self, one: &mut Crawler, kind: RollKind) -> bool {
        (one.chance.below(2) == 0) != self.reverses(one.key, Some(one.age), kind)
    }

    fn free_rows(&self, at: Point, forward: Forward, corridor: i32, limit: i32) -> i32 {
        let is_free = |row: i32| {
            let middle = at.step(forward, row);
            (-corridor..=corridor).all(|aside| self.grid.tile(middle.step(forward.right(), aside)) == Tile::Open)
        };
        (0..limit).take_while(|row| is_free(row + 1)).count() as i32
    }

    fn lay(&mut self, one: &Crawler, from: Point, forward: Forward, squares: i32) {
        for square in 1..=squares {
            self.grid
                .set(from.step(forward, square), Tile::Wall, Mark::generation(one.generation));
        }
    }

    /// Lets a Crawler act, and returns whether it stays alive.
    fn act(&mut self, one: &mut Crawler, place: usize) -> bool {
        let (stats, constants) = (*self.design.character.generation(one.generation), self.design.constants);
        let corridor = stats.corridor_width.max(constants.min_corr_width);
        let least = if one.generation == 0 { 1 } else { 3 };
        let (step, needed) = (stats.step_length.max(least), corridor + 1);
        if one.age >= i64::from(stats.max_age) {
            return false;
        }
        if one.opening == Opening::Start {
            if self.free_rows(one.at, one.forward, corridor, needed + corridor) < needed + corridor {
                return false;
            }
            one.at = one.at.step(one.forward, corridor);
            one.opening = Opening::Closed;
        }
        if one.opening == Opening::Closed && self.joins(one, corridor, constants.join_dist) {
            return false;
        }
        let free = self.free_rows(one.at, one.forward, corridor, needed + step - 1);
        if free < needed {
            return self.turns_aside(one, corridor);
        }
        let squares = step.min(free - corridor);
        self.lay(one, one.at, one.forward, squares);
        one.at = one.at.step(one.forward, squares);
        // JumperProb is 0, but it is rolled nevertheless.
        one.chance.percent();
        let late = self.roll(one, stats.late_spawn_prob, RollKind::LateSpawn);
        let generations = 1 + if late { stats.late_spawn as u32 } else { 0 };
        let mut turns = self.roll(one, stats.change_dir_prob, RollKind::ChangeDir);
        if turns && one.generation == 0 && one.direction == Some(one.forward.direction()) {
            turns = self.roll(one, constants.ch_dir_on_straight, RollKind::ChangeDirOnStraight);
        }
        if !turns {
            if self.roll(one, stats.straight_spawn_prob, RollKind::StraightSpawn) {
                let is_left = self.is_left(one, RollKind::SpawnSide);
                let side = if is_left {
                    one.forward.left()
                } else {
                    one.forward.right()
                };
                self.spawn(one, side, generations, place);
            }
            return true;
        }
        let ahead = one.forward;
        one.forward = self.free_side(one);
        self.spawn(one, one.forward.back(), generations, place);
        if self.roll(one, stats.double_spawn_prob, RollKind::DoubleSpawn) {
            self.spawn(one, ahead, generations, place);
        }
        true
    }

    fn free_side(&self, one: &mut Crawler) -> Forward {
        let sides = [one.forward.left(), one.forward.right()];
        let allowed = sides.map(|side| one.direction.is_none_or(|direction| direction.allows(side)));
        match allowed {
            [true, false] => sides[0],
            [false, true] => sides[1],
            _ => {
                let percent = match one.first {
                    first if first == sides[0] => 75,
                    first if first == sides[1] => 25,
                    _ => 50,
                };
                sides[usize::from(!self.roll(one, percent, RollKind::FreeSide))]
            }
        }
    }

    fn turns_aside(&self, one: &mut Crawler, corridor: i32) -> bool {
        let sides = [one.forward.left(), one.forward.right()];
        let room = sides.map(|side| {
            let rows = self.free_rows(one.at, side, corridor, 2 * corridor + 2);
            let is_allowed = one.direction.is_none_or(|direction| direction.allows(side));
            if rows > corridor && is_allowed { rows } else { 0 }
        });
        one.forward = match room {
            [0, 0] => return false,
            [left, right] if left > right => sides[0],
            [left, right] if left < right => sides[1],
            _ => sides[usize::from(!self.is_left(one, RollKind::ForcedSide))],
        };
        true
    }

    fn joins(&mut self, one: &mut Crawler, corridor: i32, join_dist: i32) -> bool {
        let free = self.free_rows(one.at, one.forward, corridor, join_dist);
        if free >= join_dist {
            return false;
        }
        let row = one.at.step(one.forward, free + 1);
        let sides = [one.forward.left(), one.forward.right()];
        let tile = |at: Point| self.grid.tile(at);
        let nearest =
            (0..=corridor).find(|offset| sides.iter().any(|side| tile(row.step(*side, *offset)) != Tile::Open));
        let Some(offset) = nearest else { return false };
        let can = sides.map(|side| {
            let is_clear = (0..offset).all(|aside| {
                let at = row.step(side, aside);
                let before = aside == 0 || tile(at.step(one.forward, -1)) == Tile::Open;
                before && tile(at.step(one.forward, 1)) == Tile::Open
            });
            tile(row.step(side, offset)) == Tile::Wall && is_clear
        });
        let side = match can {
            [false, false] => return false,
            [true, true] if offset > 0 => sides[usize::from(!self.is_left(one, RollKind::JoinSide))],
            [true, _] => sides[0],
            [false, true] => sides[1],
        };
        self.lay(one, one.at, one.forward, free);
        self.lay(one, row.step(side, -1), side, offset);
        true
    }

    fn spawn(&mut self, one: &mut Crawler, forward: Forward, generations: u32, place: usize) {
        let key = one.key.child(one.spawned);
        one.spawned += 1;
        let living = self.places.iter().flatten().count();
        if self.change == Intervention::Unborn(key) || living >= self.design.constants.max_crawlers as usize {
            return;
        }
        let generation = one.generation + generations;
        let stats = self.design.character.generation(generation);
        let mut chance = Stream::new(key);
        let mut roll = |percent: i32, kind| (i32::from(chance.percent()) < percent) != self.reverses(key, None, kind);
        let is_aimless = roll(stats.no_direction_prob, RollKind::NoDirection);
        let drawn = chance.percent();
        let mut side = chance.below(2) as i32 * 2 - 1;
        if self.reverses(key, None, RollKind::DirectionSide) {
            side = -side;
        }
        let eighths = match drawn {
            ..20 => 2,
            20..70 => 0,
            _ => 1,
        };
        let is_open_at_start =
            (i32::from(chance.percent()) < stats.open_start_prob) != self.reverses(key, None, RollKind::OpenStart);
        let at = self
            .places
            .iter()
            .position(Option::is_none)
            .unwrap_or(self.places.len());
        let first = one.age - 100 * i64::from(generations) + 1;
        let wakes = self.iteration + u32::from(at < place) + first.min(0).unsigned_abs() as u32;
        let baby = Some(Crawler {
            key,
            chance,
            generation,
            at: one.at,
            first: forward,
            forward,
            direction: (!is_aimless).then(|| forward.direction().rotate(eighths * side)),
            opening: if is_open_at_start { Opening::Start } else { Opening::End },
            age: first.max(0),
            wakes,
            spawned: 0,
        });
        match self.places.get_mut(at) {
            Some(free) => *free = baby,
            None => self.places.push(baby),
        }
    }
}

fn preset(name: &str, seed: u64) -> ValidDesign {
    let mut design = Preset::find(name).unwrap().design();
    design.seed = seed;
    ValidDesign::try_from(&design).unwrap()
}

fn observed(design: &ValidDesign) -> ObservedRun {
    ObservedRun::of(design, Options::default(), || true).unwrap()
}

/// Grows an alternative without the code that is tested: parameters and tiles as another design, births and rolls by
/// the plain program.
fn grown_independently(design: &ValidDesign, alternative: &Alternative) -> Grid {
    let mut changed = Design::clone(design);
    match alternative.subject {
        AlternativeSubject::Parameter { place, after, .. } => {
            let parameter = place.field.and_then(Field::number).unwrap();
            changed.set(place.entry, parameter, after).unwrap();
        }
        AlternativeSubject::Tile { at, .. } => {
            changed.layout.walls.retain(|wall| *wall != at);
            changed.layout.columns.retain(|column| *column != at);
            changed.layout.open.retain(|open| *open != at);
        }
        AlternativeSubject::Birth { .. } | AlternativeSubject::Roll { .. } => {
            return Plain::grow(design, alternative.intervention);
        }
    }
    let changed = changed.validate(None).design.unwrap();
    grown(&changed)
}

fn grown(design: &ValidDesign) -> Grid {
    let mut growth = Growth::new(design, Options::default(), &mut ());
    growth.finish(&mut ());
    growth.into_grid()
}

/// Designs whose Builders are all Crawlers, some with hand-placed tiles.
const CRAWLERS: [&str; 5] = ["first-steps", "catacombs", "ammonite", "two-ways", "chequer"];

/// Returns a change without effect.
fn nothing() -> Intervention {
    Intervention::Unborn(Key::new(0).child(77))
}

#[test]
fn the_plain_program_grows_the_same_dungeons() {
    for name in CRAWLERS {
        for seed in 0..4 {
            let design = preset(name, seed);
            assert!(Plain::grow(&design, nothing()) == grown(&design), "{name} {seed}");
        }
    }
}

/// Returns squares all over a dungeon, different ones for each seed: walls and open ones.
fn squares(grid: &Grid, seed: u64) -> Vec<Point> {
    let (size, mut chance) = (grid.size(), Stream::new(Key::new(seed).child(19)));
    let mut found: Vec<Point> = Vec::new();
    while found.len() < 4 {
        let at = Point::new(chance.below(size.x as u32) as i32, chance.below(size.y as u32) as i32);
        // Three of them are walls that grew, the last one is open.
        let wanted = found.len() < 3;
        if wanted == matches!(grid.mark(at), Mark::Generation(_)) {
            found.push(at);
        }
    }
    found
}

#[test]
fn every_statement_about_a_square_holds_when_grown_independently() {
    let (mut held, mut kinds) = (0, [0; 4]);
    for name in CRAWLERS {
        for seed in 0..2 {
            let design = preset(name, seed);
            let run = observed(&design);
            for at in squares(run.grid(), seed) {
                let question = run.question(at);
                let mut grower = AlternativeGrower::new(&run);
                for (number, alternative) in question.alternatives.iter().enumerate() {
                    let cause = question.cause(number, &run, &mut grower, || true).unwrap();
                    // There are too many alternatives without effect to try them all.
                    if cause.is_none() && number % 7 != 0 {
                        continue;
                    }
                    let other = grown_independently(&design, alternative);
                    let what = format!("{name} {seed} {at}: {}", alternative.subject);
                    let differs = other.tile(at).is_open() == question.is_wall;
                    assert_eq!(cause.is_some(), differs, "{what}");
                    if let Some(cause) = cause {
                        assert_eq!(cause.walls, walls_between(run.grid(), &other), "{what}");
                        held += 1;
                        kinds[match alternative.subject {
                            AlternativeSubject::Birth { .. } => 0,
                            AlternativeSubject::Parameter { .. } => 1,
                            AlternativeSubject::Tile { .. } => 2,
                            AlternativeSubject::Roll { .. } => 3,
                        }] += 1;
                    }
                }
            }
        }
    }
    assert!(held > 200 && kinds.iter().all(|count| *count > 0), "{held} {kinds:?}");
}

#[test]
fn alternatives_left_out_have_no_effect() {
    let (mut left_out, mut tried) = (0, 0);
    for name in ["first-steps", "catacombs", "weave", "pleasure-gardens", "sunken-city"] {
        let design = preset(name, 3);
        let run = observed(&design);
        // For a square that stays open, the question covers all turns until the end.
        let open = squares(run.grid(), 3)[3];
        let question = run.question(open);
        let is_tried = |place: Place, value: i32| {
            let wanted = Intervention::Parameter { place, value };
            question.alternatives.iter().any(|one| one.intervention == wanted)
        };
        let stats = (0..GENERATIONS).flat_map(|number| {
            let all = Stat::ALL.iter().map(|stat| Parameter::Stat(*stat));
            all.map(move |stat| (Entry::Generation(number), stat))
        });
        let constants = Constant::ALL
            .iter()
            .map(|one| (Entry::Constants, Parameter::Constant(*one)));
        // This design is large and takes a long time, so try fewer parameters.
        let step = if name == "sunken-city" { 9 } else { 1 };
        for (entry, parameter) in stats.chain(constants).step_by(step) {
            let before = design.get(entry, parameter).unwrap();
            for value in [before - 1, before + 1] {
                let info = parameter.info();
                if !(info.min..=info.max).contains(&value) {
                    continue;
                }
                if is_tried(Place::field(entry, parameter), value) {
                    tried += 1;
                    continue;
                }
                let mut changed = Design::clone(&design);
                changed.set(entry, parameter, value).unwrap();
                let changed = changed
                    .validate(None)
                    .design
                    .unwrap()
                    .with_pieces(design.pieces().to_vec());
                assert!(
                    grown(&changed) == *run.grid(),
                    "{name}: {} {value} {entry:?}",
                    info.name
                );
                left_out += 1;
            }
        }
    }
    assert!(left_out > 300 && tried > 50, "{left_out} left out, {tried} tried");
}

#[test]
fn births_after_a_wall_was_built_do_not_change_it() {
    let design = preset("catacombs", 5);
    let run = observed(&design);
    for at in squares(run.grid(), 5).into_iter().take(3) {
        let question = run.question(at);
        let (_, turn) = question.origin.unwrap();
        let later = (0..run.builders().len() as u32).map(BuilderId);
        let later: Vec<_> = later.filter(|id| run.builder(*id).unwrap().turn >= turn).collect();
        for id in later.into_iter().step_by(11) {
            let without = run.without(id).unwrap();
            assert!(
                !question
                    .alternatives
                    .iter()
                    .any(|one| one.intervention == without.intervention)
            );
            assert!(
                !Plain::grow(&design, without.intervention).tile(at).is_open(),
                "{at} without {id}"
            );
        }
    }
}

/// For each decision about a free turn: the number of the turn, the Crawler and whether it turned.
#[derive(Default)]
struct FreeTurns {
    over: u64,
    found: Vec<(u64, BuilderId, bool)>,
}

impl Observer for FreeTurns {
    const DECISIONS: bool = true;

    fn event(&mut self, _: Event) {}

    fn decided(&mut self, builder: BuilderId, decision: Decision) {
        if let Decision::TurnsFreely { change, straight } = decision {
            let turned = straight.unwrap_or(change).succeeds();
            self.found.push((self.over + 1, builder, turned));
        }
    }

    fn turn_ended(&mut self, _: Clock) {
        self.over += 1;
    }
}

#[test]
fn statements_about_free_turns_regard_both_rolls() {
    let [mut turned, mut not_turned, mut passed, mut failed] = [0; 4];
    for seed in 0..4 {
        let mut design = Design::clone(&preset("first-steps", seed));
        design.character.generations[0].change_dir_prob = 50;
        design.constants.ch_dir_on_straight = 50;
        let design = ValidDesign::try_from(&design).unwrap();
        let run = observed(&design);
        for at in squares(run.grid(), seed) {
            for alternative in run.question(at).alternatives {
                let AlternativeSubject::Roll { builder, turn, .. } = alternative.subject else {
                    continue;
                };
                let text = alternative.subject.to_string();
                let mut watch = FreeTurns::default();
                let changes = [alternative.intervention];
                let mut growth = Growth::changed(&design, Options::default(), &changes, &mut watch).unwrap();
                growth.advance(turn, &mut watch);
                let turns = watch.found.contains(&(turn, builder, true));
                if text.contains(" had turned in turn ") {
                    assert!(turns, "seed {seed}: {text}");
                    turned += 1;
                } else if text.contains(" had not turned in turn ") {
                    assert!(!turns, "seed {seed}: {text}");
                    not_turned += 1;
                }
                passed += u64::from(text.contains(" had passed its roll for ChangeDirProb in turn "));
                failed += u64::from(text.contains(" had failed its roll for ChangeDirProb in turn "));
            }
        }
    }
    let all = [turned, not_turned, passed, failed];
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
}

#[test]
fn the_turns_before_a_departure_can_be_cancelled() {
    let design = preset("two-ways", 1);
    let run = observed(&design);
    let last = BuilderId(run.builders().len() as u32 - 1);
    let turn = run.builder(last).unwrap().turn;
    let mut calls = 0;
    run.effect(last, || {
        calls += 1;
        true
    })
    .unwrap();
    // The run has few turns after the last birth.
    assert!(turn > 1000 && calls > turn / 256, "{calls} calls, {turn} turns");
}

#[test]
fn interventions_without_a_target_change_nothing() {
    for name in ["first-steps", "weave", "pleasure-gardens", "chequer"] {
        let design = preset(name, 2);
        let run = observed(&design);
        let before = design.character.generations[1].max_age;
        let open = squares(run.grid(), 2)[3];
        let late = run.builders().last().unwrap().key;
        for change in [
            nothing(),
            Intervention::Reversed {
                builder: late,
                age: Some(1_000_000),
                roll: RollKind::ChangeDir,
            },
            Intervention::Parameter {
                place: Place::field(Entry::Generation(1), Stat::MaxAge),
                value: before,
            },
            Intervention::Bare(open),
        ] {
            let mut growth = Growth::changed(&design, Options::default(), &[change], &mut ()).unwrap();
            growth.finish(&mut ());
            assert!(growth.grid() == run.grid(), "{name} {change:?}");
        }
    }
}

#[test]
fn without_a_builder_its_family_is_missing_and_the_rest_is_counted() {
    for (name, seed) in [("catacombs", 1), ("first-steps", 4)] {
        let design = preset(name, seed);
        let run = observed(&design);
        for id in (0..run.builders().len() as u32).step_by(17).map(BuilderId) {
            let (effect, grid) = run.effect(id, || true).unwrap().unwrap();
            let other = Plain::grow(&design, run.without(id).unwrap().intervention);
            assert!(grid == other, "{name} without {id}");
            let all = effect.own + effect.of_descendants + effect.near.total() + effect.far.total();
            assert_eq!(all, walls_between(run.grid(), &other), "{name} without {id}");
            assert_eq!(effect.far.total() == 0, effect.farthest <= 10, "{name} without {id}");
        }
    }
}

#[test]
fn changes_that_undo_a_metric_hold_when_grown_independently() {
    let mut undone = 0;
    for (name, seed, metric) in [
        ("catacombs", 0, DungeonMetric::Path),
        ("catacombs", 1, DungeonMetric::Loops),
        ("first-steps", 8, DungeonMetric::DeadEnds),
    ] {
        let design = preset(name, seed);
        let run = observed(&design);
        let (scene, mut calculator) = (Scene::new(&design), MetricsCalculator::new());
        let number = |metrics: &Metrics| metrics.value(Metric::Plain(metric)).number().unwrap();
        let now = number(&calculator.measure(run.grid(), &scene));
        let goal = parse_condition(&format!("{} > {now}", metric.info().name)).unwrap();
        let question = run.metric_question(Goal::Condition(goal)).unwrap();
        let mut tester = MetricTester::new(&run, &question);
        for alternative in question.alternatives.iter().step_by(3) {
            let outcome = tester.single(&question, alternative, || true).unwrap().unwrap();
            let other = grown_independently(&design, alternative);
            let what = format!("{name}: {} {}", metric.info().name, alternative.subject);
            assert_eq!(outcome.walls, walls_between(run.grid(), &other), "{what}");
            let after = number(&calculator.measure(&other, &scene));
            assert_eq!(outcome.is_met, after > now, "{what}");
            undone += u64::from(outcome.is_met);
        }
    }
    assert!(undone > 10, "{undone}");
}

#[test]
fn a_goal_that_is_already_met_yields_no_question() {
    let design = preset("first-steps", 8);
    let run = observed(&design);
    let metrics = MetricsRunner::new().grow_and_measure(&design, Options::default());
    let is_question = |goal: Goal| run.metric_question(goal).is_some();
    assert_eq!(
        is_question(Goal::Undo(DungeonMetric::Enclosed)),
        metrics.enclosed().next().is_some()
    );
    assert!(is_question(Goal::Undo(DungeonMetric::Reachable)), "a truth has another");
    assert!(!is_question(Goal::Condition(
        parse_condition("path > 0 or path < 1").unwrap()
    )));
    // The nearest are tried in pairs, each pair once.
    let question = run
        .metric_question(Goal::Condition(parse_condition("fill > 99").unwrap()))
        .unwrap();
    let mut tester = MetricTester::new(&run, &question);
    let outcomes: Vec<_> = question
        .alternatives
        .iter()
        .map(|one| tester.single(&question, one, || true).unwrap())
        .collect();
    let pairs = MetricQuestion::pairs(&outcomes);
    assert_eq!(pairs.len(), 66);
    let distinct: std::collections::BTreeSet<_> = pairs.iter().map(|[a, b]| (a.min(b), a.max(b))).collect();
    assert_eq!(distinct.len(), 66);
}

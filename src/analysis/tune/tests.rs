//! Tests that remedies reduce planted flaws, and that searches meet expectations.

use std::ops::Range;

use super::*;
use crate::analysis::{MetricParts, MetricsRunner};
use crate::design::expect::{self, DungeonMetric, Expectation};
use crate::design::{Room, ValidDesign};
use crate::engine::Options;
use crate::geometry::Size;

/// Returns a design of 40 × 40 squares with one Crawler.
fn hall() -> Design {
    let mut design = Design::default();
    design.layout.size = Size::new(40, 40);
    design.layout.crawlers.push(CrawlerStart {
        at: Point::new(0, 20),
        ..CrawlerStart::default()
    });
    design
}

fn grown(design: &Design, metrics: &[Metric], seeds: Range<u64>) -> TrialTable {
    let valid: Option<ValidDesign> = design.validate(None).design;
    let mut runner = MetricsRunner::new();
    let mut readings = TrialTable::new(metrics.to_vec(), 0);
    readings.rows = seeds
        .map(|seed| {
            let metrics_of = runner.grow_and_measure(&valid.as_ref()?.with_seed(seed), Options::default());
            Some(TrialMetrics::of(&metrics_of, metrics, MetricParts::STANDARD))
        })
        .collect();
    readings
}

/// Plants a flaw in a design, finds it in 24 dungeons, and tries its remedies. Returns the name and the effect of the
/// best remedy, and the names of all remedies.
fn best_remedy(
    plant: impl FnOnce(&mut Design),
    expected: &str,
    is_it: impl Fn(Flaw) -> bool,
) -> (String, RemedyEffect, Vec<String>) {
    let mut design = hall();
    plant(&mut design);
    let expectations: Vec<Expectation> = expect::parse(expected).into_iter().collect();
    let metrics = Flaw::metrics(&expectations);
    let before = grown(&design, &metrics, 0..24);
    let found = flaws(&before, &expectations);
    let (flaw, measured) = *found.iter().find(|(flaw, _)| is_it(*flaw)).expect("it is found");
    assert!(measured.count > 0 && measured.dungeons == 24);
    let variants = remedies(flaw, &design, Options::default(), &before, &expectations);
    assert!(variants.len() > 2, "{variants:?}");
    for (i, variant) in variants.iter().enumerate() {
        assert_ne!(variant.of(&design), design, "{}", variant.name(&design));
        assert!(!variants[..i].contains(variant));
        assert!(
            variant.of(&design).validate(None).design.is_some(),
            "{}",
            variant.name(&design)
        );
    }
    let effects = variants.iter().map(|variant| {
        let after = grown(&variant.of(&design), &metrics, 0..24);
        (variant.name(&design), effect(flaw, &before, &after, &expectations))
    });
    let mut effects: Vec<(String, RemedyEffect)> = effects.collect();
    effects.sort_by(|(_, a), (_, b)| b.gain().total_cmp(&a.gain()));
    let names = effects.iter().map(|(name, _)| name.clone()).collect();
    let (name, effect) = effects.swap_remove(0);
    assert!(effect.helps(), "{name}: {effect:?}");
    assert!(effect.after.count < effect.before.count, "{name}: {effect:?}");
    (name, effect, names)
}

#[test]
fn a_generation_that_takes_over_is_held_back() {
    let plant = |design: &mut Design| {
        design.character.generations[0].max_age = 4;
        design.character.generations[1].max_age = 60;
        design.character.generations[1].straight_spawn_prob = 0;
        design.character.generations[1].double_spawn_prob = 0;
        for generation in &mut design.character.generations[2..] {
            generation.max_age = 1;
        }
    };
    let (_, _, names) = best_remedy(plant, "", |flaw| flaw == Flaw::Anomaly(Anomaly::TakesOver(1)));
    assert!(
        names.contains(&"MaxAge of generation 1: 60 → 30".to_owned()),
        "{names:?}"
    );
}

#[test]
fn a_corridor_along_the_outer_wall_is_broken() {
    let plant = |design: &mut Design| {
        design.layout.crawlers = vec![CrawlerStart {
            at: Point::new(0, 5),
            direction: 2,
            ..CrawlerStart::default()
        }];
    };
    let (_, effect, names) = best_remedy(plant, "", |flaw| flaw == Flaw::Anomaly(Anomaly::OuterCorridor));
    assert!(effect.after.weight < effect.before.weight);
    assert!(
        names.iter().any(|name| name.starts_with("protuberances: 0 → ")),
        "{names:?}"
    );
    assert!(
        names
            .iter()
            .any(|name| name.starts_with("a Crawler with delay 9 at row ")),
        "{names:?}"
    );
}

#[test]
fn an_exit_behind_a_wall_and_a_sealed_room_are_opened() {
    let wall = |design: &mut Design| design.layout.walls = (1..39).map(|y| Point::new(30, y)).collect();
    let (name, effect, _) = best_remedy(wall, "reachable", |flaw| flaw == Flaw::Anomaly(Anomaly::NoWay));
    assert!(name.contains("kept open around row 30, "), "{name}");
    assert!(effect.before.count == 24 && effect.after.count == 0, "{effect:?}");
    // The other hand-placed walls do not block the exit, so an opening in them would not help.
    let walls = |design: &mut Design| {
        design.layout.walls = (1..39).map(|y| Point::new(30, y)).collect();
        let others = (4..30)
            .step_by(2)
            .flat_map(|x| (4..30).step_by(6).map(move |y| Point::new(x, y)));
        design.layout.walls.extend(others);
    };
    let (name, effect, _) = best_remedy(walls, "reachable", |flaw| flaw == Flaw::Anomaly(Anomaly::NoWay));
    assert!(name.contains("kept open around row 30, "), "{name}");
    assert!(effect.before.count == 24 && effect.after.count == 0, "{effect:?}");
    let sealed = |design: &mut Design| {
        design.layout.rooms.push(Room {
            sites: [0; 8],
            ..Room::default()
        });
    };
    let (name, effect, _) = best_remedy(sealed, "", |flaw| matches!(flaw, Flaw::Anomaly(Anomaly::Enclosed)));
    assert!(name.contains("of room 1: 0 → 1"), "{name}");
    assert!(effect.before.count == 24 && effect.after.count < 12, "{effect:?}");
}

#[test]
fn paths_that_are_too_short_are_lengthened() {
    let (name, effect, _) = best_remedy(|_| (), "path >= 76 in 90%", |flaw| flaw == Flaw::Unmet(0));
    assert!(effect.gain() > 0.0, "{name}");
}

#[test]
fn remedies_without_effect_rarely_seem_to_help_however_many_are_tried() {
    let design = hall();
    let metrics = Flaw::metrics(&[]);
    let all = grown(&design, &metrics, 0..400);
    let part = |first: usize| {
        let mut part = TrialTable::new(metrics.clone(), 0);
        part.rows = all.rows[first..first + 20].to_vec();
        part
    };
    // Dungeons of the same design from other seeds, presented as the result of remedies that have no effect.
    let before = part(0);
    let after: Vec<TrialTable> = (1..20).map(|at| part(at * 20)).collect();
    let effects = RemedyEffect::all(Flaw::ShortPath, &before, &after.iter().collect::<Vec<_>>(), &[]);
    assert!(effects.iter().all(|effect| !effect.helps()), "{effects:?}");
    assert!(effects.iter().all(|effect| effect.change.p <= effect.change.p_adjusted));
}

/// Measures one remedy for a flaw.
fn effect(flaw: Flaw, before: &TrialTable, after: &TrialTable, expectations: &[Expectation]) -> RemedyEffect {
    let mut effects = RemedyEffect::all(flaw, before, &[after], expectations);
    effects.pop().expect("one effect")
}

#[test]
fn a_variant_without_effect_is_not_a_remedy() {
    let design = hall();
    let metrics = Flaw::metrics(&[]);
    let before = grown(&design, &metrics, 0..24);
    let same = effect(Flaw::ShortPath, &before, &before, &[]);
    assert!(!same.helps() && same.change.p >= 1.0, "{same:?}");
    // Dungeons of the same design from other seeds differ only by chance.
    let other = grown(&design, &metrics, 100..124);
    let chance = effect(Flaw::Anomaly(Anomaly::OuterCorridor), &before, &other, &[]);
    assert!(!chance.helps(), "{chance:?}");
}

#[test]
fn a_change_that_walls_off_the_exit_does_not_lengthen_the_path() {
    let table = |detour: Option<f64>| {
        let mut table = TrialTable::new(vec![Metric::Plain(DungeonMetric::Detour)], 0);
        let mut row = row(1.0);
        row.values = vec![MetricValue::Number(detour)];
        table.rows = vec![Some(row); 24];
        table
    };
    let short = table(Some(1.1));
    let blocked = effect(Flaw::ShortPath, &short, &table(None), &[]);
    assert!(!blocked.helps() && blocked.after.count == 24, "{blocked:?}");
    let longer = effect(Flaw::ShortPath, &short, &table(Some(2.0)), &[]);
    assert!(longer.helps() && longer.after.count == 0, "{longer:?}");
}

/// Runs a search to its end.
fn tuned(design: &Design, texts: &[&str], seeds: u64) -> Tuning {
    let expectations = texts.iter().map(|text| expect::parse(text).unwrap()).collect();
    let moves = movable(design, Options::default(), |generation| generation < 3);
    let mut tuning = Tuning::new(design, moves, expectations, seeds, 1);
    let metrics = tuning.metrics();
    for _ in 0..200 {
        let asked = tuning.ask();
        if asked.is_empty() {
            break;
        }
        let tables: Vec<TrialTable> = asked
            .iter()
            .map(|variant| grown(&variant.of(design), &metrics, tuning.seeds()))
            .collect();
        tuning.report(&tables);
    }
    assert_eq!(tuning.phase(), TuningPhase::Done);
    tuning
}

#[test]
fn a_search_meets_a_failing_expectation_with_few_moves() {
    let design = hall();
    let texts = ["median dead-ends <= 14", "path >= 60 in 80%"];
    let tuning = tuned(&design, &texts, 8);
    assert!(!tuning.before().unwrap().is_met(), "choose another expectation");
    let best = tuning.best().unwrap();
    assert!(best.is_met() && best.broken == 0, "{best:?}");
    assert!((1..=4).contains(&best.moved), "{best:?}");
    let [before, after] = tuning.verified().unwrap();
    assert!(before.iter().any(|verdict| !verdict.holds));
    assert!(after.iter().all(|verdict| verdict.seeds == 100));
    // The variant changes exactly the parameters that moved.
    let variant = tuning.variant(&best.values);
    assert_eq!(variant.changes.len(), best.moved);
    let again = tuned(&design, &texts, 8);
    assert_eq!(again.best(), tuning.best());
    assert_eq!(again.progress(), tuning.progress());
}

#[test]
fn an_expectation_that_holds_is_not_broken_for_a_failing_one() {
    let tuning = tuned(&hall(), &["median dead-ends >= 15", "median dead-ends <= 12"], 4);
    let before = tuning.before().unwrap();
    assert!(
        before.shortfalls[0] <= 0.0 && before.shortfalls[1] > 0.0,
        "choose other expectations: {before:?}"
    );
    let best = tuning.best().unwrap();
    assert!(best.broken == 0 && best.shortfalls[0] <= 0.0, "{best:?}");
    // The search also tried other candidates: it did not stop when the first ones failed.
    assert!(tuning.tried() > 50);
}

#[test]
fn a_verified_result_is_compared_within_seeds() {
    let tuning = tuned(&hall(), &["median dead-ends <= 14", "reachable"], 8);
    let [before, after] = tuning.verified().unwrap();
    let changes = tuning.changes();
    assert_eq!(changes.len(), 2);
    assert!(
        !before[0].holds && after[0].holds && changes[0].is_real(),
        "{changes:?}"
    );
    assert!(
        changes[0].change.unwrap().low > 0.0 && changes[0].counts.pairs == 100,
        "{changes:?}"
    );
    assert!(
        !changes[1].is_real() && changes[1].counts.higher + changes[1].counts.lower == 0,
        "{changes:?}"
    );
}

#[test]
fn a_design_that_meets_everything_is_left_unchanged() {
    let tuning = tuned(&hall(), &["reachable"], 6);
    assert_eq!((tuning.best().unwrap().moved, tuning.tried()), (0, 1));
    assert!(tuning.verified().unwrap()[1][0].holds);
}

#[test]
fn a_search_without_a_solution_ends_and_can_be_stopped_before() {
    let design = hall();
    let moves = movable(&design, Options::default(), |generation| generation == 1);
    assert!(moves.iter().all(|one| one.entry == Entry::Generation(1)) && moves.len() > 5);
    let never = vec![expect::parse("path >= 100000").unwrap()];
    let mut tuning = Tuning::new(&design, moves, never, 3, 1);
    let metrics = tuning.metrics();
    let mut rounds = 0;
    while rounds < 3 {
        let asked = tuning.ask();
        assert_eq!(asked, tuning.ask(), "asking twice changes nothing");
        let tables: Vec<TrialTable> = asked
            .iter()
            .map(|one| grown(&one.of(&design), &metrics, 0..3))
            .collect();
        tuning.report(&tables);
        rounds += 1;
    }
    assert!(tuning.best().is_some_and(|best| !best.is_met()));
    tuning.finish();
    assert_eq!(
        (tuning.phase(), tuning.seeds(), tuning.ask().len()),
        (TuningPhase::Verifying, FRESH, 2)
    );
}

#[test]
fn a_search_that_is_ended_while_its_result_is_verified_does_not_resume() {
    for (is_ended, phase) in [(false, TuningPhase::Searching), (true, TuningPhase::Done)] {
        let expected = vec![expect::parse("path >= 10").unwrap()];
        let mut tuning = Tuning::new(&hall(), Vec::new(), expected, 3, 1);
        // The expectation holds over the seeds of the search, but not over fresh seeds.
        for path in [20.0, 5.0] {
            let asked = tuning.ask().len();
            let seeds = tuning.seeds();
            let mut table = TrialTable::new(tuning.metrics(), 0);
            table.rows = seeds.map(|_| Some(row(path))).collect();
            tuning.report(&vec![table; asked]);
            if is_ended && tuning.phase() == TuningPhase::Verifying {
                tuning.finish();
            }
        }
        assert_eq!(tuning.phase(), phase);
    }
}

/// Returns the metrics of a dungeon in which only one value was requested.
fn row(value: f64) -> TrialMetrics {
    TrialMetrics {
        values: vec![MetricValue::Number(Some(value))],
        anomalies: Vec::new(),
        corridor: None,
        gap: Vec::new(),
        patterns: Vec::new(),
    }
}

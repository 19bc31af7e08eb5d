//! Surveys of libraries without Lua: each test decides which maps resolve and which fail.

use super::*;
use crate::vault::map::{MapState, Origin};
use crate::vault::source::read;

fn library(text: &str) -> Library {
    Library::new(vec![read("a.des", text.as_bytes())])
}

fn plan(levels: &[&str], dungeons: u32) -> SurveyPlan {
    SurveyPlan {
        levels: levels
            .iter()
            .map(|level| Level::parse(level).expect("a level"))
            .collect(),
        dungeons,
        seed: 3,
    }
}

/// Returns a grid whose content does not matter.
fn grid() -> MakeResult {
    let mut dice = Dice::new(Key::new(1));
    MakeResult::Resolved(Box::new(MapState::new("a").finish(Origin::default(), &mut dice)))
}

fn survey(library: &Library, plan: SurveyPlan, make: impl FnMut(MapId, &Level, u64) -> MakeResult) -> VaultSurvey {
    VaultSurvey::new(library, &Catalog::from_headers(library), plan, make)
}

#[test]
fn levels_get_their_own_maps_or_one_by_depth_and_an_extra() {
    let library = library(
        "NAME: own\nORIENT: float\nPLACE: D:2\nTAGS: allow_dup\n\
         NAME: drawn\nORIENT: float\nDEPTH: D\nTAGS: allow_dup\n\
         NAME: more\nORIENT: float\nDEPTH: D:3\nTAGS: extra allow_dup\n\
         NAME: never\nORIENT: float\nDEPTH: Lair\n\
         NAME: sub\nTAGS: unrand\nDEPTH: D\n",
    );
    let survey = survey(&library, plan(&["D:1", "D:2", "D:3"], 4), |_, _, _| grid());
    let used: Vec<u32> = survey.maps.iter().map(|map| map.used).collect();
    assert_eq!(used, [4, 8, 4, 0, 0]);
    assert_eq!(survey.maps[1].places, BTreeMap::from([(0, 4), (2, 4)]));
    let report = survey.report(&library);
    assert!(
        report.contains("drawn  main         8     8     8  D:1 4, D:3 4"),
        "{report}"
    );
    assert!(report.contains("more   further      4     4     4  D:3 4"), "{report}");
    assert!(!report.contains("on none of them"), "{report}");
}

#[test]
fn a_map_occurs_once_in_each_dungeon() {
    let library = library("NAME: once\nDEPTH: D\n");
    let survey = survey(&library, plan(&["D:1", "D:2"], 3), |_, _, _| grid());
    assert_eq!(survey.maps[0].used, 3);
    assert_eq!(
        survey.levels.iter().map(|level| level.empty).collect::<Vec<_>>(),
        [0, 3]
    );
    assert!(
        survey
            .report(&library)
            .contains("D:2        3      3          0             3")
    );
}

#[test]
fn failures_are_counted_with_a_seed_that_reproduces_them() {
    let library = library(
        "NAME: vetoes\nORIENT: float\nDEPTH: D:1\nTAGS: allow_dup\nNAME: invalid\nORIENT: float\nDEPTH: D:2\nTAGS: allow_dup\n\
         NAME: broken\nORIENT: float\nDEPTH: D:3\nTAGS: allow_dup\nNAME: sometimes\nORIENT: float\nDEPTH: D:4\nTAGS: allow_dup\n",
    );
    let fails = |seed: u64| seed.is_multiple_of(2);
    let survey = survey(
        &library,
        plan(&["D:1", "D:2", "D:3", "D:4"], 10),
        |map, _, seed| match map.index() {
            0 => MakeResult::Vetoed,
            1 => MakeResult::Invalid,
            2 => MakeResult::Failed("a.des:6: no".to_owned()),
            _ if fails(seed) => MakeResult::Invalid,
            _ => grid(),
        },
    );
    for (index, level) in survey.levels.iter().enumerate().take(3) {
        let expected = LevelCount {
            tried: 10 * ATTEMPTS,
            failed: 10,
            vetoes: if index == 0 { 10 * ATTEMPTS } else { 0 },
            ..LevelCount::default()
        };
        assert_eq!(*level, expected);
        assert_eq!(survey.maps[index].refusals.len(), 1);
    }
    let sometimes = &survey.maps[3];
    assert_eq!(sometimes.tried, sometimes.made + sometimes.invalid);
    assert!(sometimes.invalid > 0 && fails(sometimes.refusals[0].seed));
    assert_eq!(survey.levels[3].built, sometimes.used);
    let report = survey.report(&library);
    assert!(
        report.contains("vetoes: vetoed (50 times, first on D:1, seed "),
        "{report}"
    );
    assert!(
        report.contains("broken: a.des:6: no (50 times, first on D:3"),
        "{report}"
    );
    assert!(report.contains("D:1       50      0         10"), "{report}");
}

#[test]
fn a_seed_determines_a_survey() {
    let maps: Vec<String> = (1..=20)
        .map(|i| format!("NAME: m{i}\nDEPTH: D\nWEIGHT: {i}\n"))
        .collect();
    let library = library(&maps.concat());
    let mut seeds = Vec::new();
    let first = survey(&library, plan(&["D:1", "D:5"], 5), |_, _, seed| {
        seeds.push(seed);
        grid()
    });
    let mut again = seeds.iter();
    let second = survey(&library, plan(&["D:1", "D:5"], 5), |_, _, seed| {
        assert_eq!(again.next(), Some(&seed));
        grid()
    });
    assert_eq!(first, second);
}

#[test]
fn a_dummy_takes_the_place_of_a_map() {
    let library = library("NAME: nothing\nDEPTH: D\nTAGS: dummy\n");
    let survey = survey(&library, plan(&["D:1"], 3), |_, _, _| grid());
    assert_eq!((survey.maps[0].tried, survey.levels[0].empty), (0, 3));
}

#[test]
fn the_whole_plan_has_the_branches_that_maps_name() {
    let library = library("NAME: a\nDEPTH: Lair, 4-5\nNAME: b\nPLACE: Elf:$\n");
    let plan = SurveyPlan::whole(&Catalog::from_headers(&library), 1);
    let branches: std::collections::BTreeSet<&str> = plan.levels.iter().map(|level| level.branch.name()).collect();
    assert_eq!(branches.into_iter().collect::<Vec<_>>(), ["D", "Elf", "Lair"]);
    assert_eq!(plan.levels.len(), 15 + 5 + 3);
}

/// A level file with maps for every list, on levels of the main dungeon and of the Lair.
const LISTS: &str = "NAME: float_a\nORIENT: float\nDEPTH: D, Lair\nWEIGHT: 30\nTAGS: allow_dup\n\
    NAME: float_b\nORIENT: float\nDEPTH: D, Lair\nTAGS: allow_dup\n\
    NAME: primary_none\nORIENT: float\nDEPTH: D\nWEIGHT: 60\nTAGS: dummy allow_dup\n\
    NAME: mini_a\nDEPTH: D, Lair\nTAGS: allow_dup\n\
    NAME: mini_none\nDEPTH: D\nWEIGHT: 30\nTAGS: dummy allow_dup\n\
    NAME: mini_more\nDEPTH: D\nWEIGHT: 20\nTAGS: extra luniq allow_dup\n\
    NAME: more\nORIENT: float\nDEPTH: D\nTAGS: extra allow_dup\n\
    NAME: rare\nDEPTH: D\nCHANCE: 30%\nTAGS: allow_dup\n\
    NAME: rare_float\nORIENT: float\nDEPTH: D\nCHANCE: 20%\nTAGS: allow_dup\n\
    NAME: whole\nORIENT: encompass\nDEPTH: Lair\nTAGS: allow_dup\n\
    NAME: asked\nORIENT: float\nDEPTH: D\nTAGS: unrand\n";

fn odds_by_name(library: &Library, level: &str) -> Vec<(String, &'static str, f64)> {
    let level = Level::parse(level).expect("a level");
    let odds = odds(&Catalog::from_headers(library), &level);
    let named = odds
        .iter()
        .map(|odds| (library.map(odds.map).name.clone(), odds.list.name(), odds.share));
    named.collect()
}

#[test]
fn minivaults_do_not_reduce_the_number_of_main_maps() {
    let library = library(LISTS);
    let expected = [
        ("float_a", "main", 0.3),
        ("float_b", "main", 0.1),
        ("rare", "chance", 0.3),
        ("rare_float", "chance", 0.2),
        ("mini_more", "minivault", 20.0 / 60.0),
        ("mini_a", "minivault", 10.0 / 60.0),
        ("more", "further", 1.0),
    ];
    let odds = odds_by_name(&library, "D:2");
    assert_eq!(odds.len(), expected.len(), "{odds:?}");
    for (found, (name, list, share)) in odds.iter().zip(expected) {
        assert_eq!((found.0.as_str(), found.1), (name, list));
        assert!((found.2 - share).abs() < 1e-9, "{found:?} instead of {share}");
    }
}

#[test]
fn a_branch_accepts_a_main_map_by_depth_only_if_it_fills_the_level() {
    let library = library(LISTS);
    let odds = odds_by_name(&library, "Lair:2");
    let names: Vec<(&str, &str)> = odds.iter().map(|(name, list, _)| (name.as_str(), *list)).collect();
    assert_eq!(
        names,
        [
            ("whole", "main"),
            ("mini_a", "minivault"),
            ("float_a", "further"),
            ("float_b", "further")
        ]
    );
    assert!((odds[0].2 - 0.2).abs() < 1e-9);
    let survey = survey(&library, plan(&["Lair:2"], 3000), |_, _, _| grid());
    let times = |name: &str| survey.maps[library.by_name(name).expect("a map").index()].used;
    let used = |name: &str| f64::from(times(name));
    // Nothing else is drawn after a map that fills the level; otherwise a minivault is always drawn.
    assert_eq!(times("whole") + times("mini_a"), 3000);
    assert!((used("whole") - 600.0).abs() < 4.0 * (3000.0_f64 * 0.2 * 0.8).sqrt());
    let floats = 2400.0 * 0.8;
    assert!((used("float_a") + used("float_b") - floats).abs() < 5.0 * (3000.0_f64 * 0.25).sqrt());
}

#[test]
fn a_survey_draws_with_the_odds_of_each_list() {
    let library = library(LISTS);
    let draws = 10_000;
    let survey = survey(&library, plan(&["D:2"], draws), |_, _, _| grid());
    for (name, _, share) in odds_by_name(&library, "D:2") {
        // After a minivault with the tag `extra`, which is drawn at most once per level, the other minivaults get a
        // second draw.
        let share = match name.as_str() {
            "mini_a" => share + 20.0 / 60.0 * 0.25,
            _ => share,
        };
        let used = f64::from(survey.maps[library.by_name(&name).expect("a map").index()].used);
        let expected = share * f64::from(draws);
        let allowed = 4.0 * (expected * (1.0 - share)).sqrt();
        assert!(
            (used - expected).abs() <= allowed,
            "{name}: {used} instead of {expected}"
        );
    }
}

#[test]
fn a_level_draws_a_map_by_depth_after_a_dummy_of_its_own() {
    let library = library(
        "NAME: own\nORIENT: float\nPLACE: D:2\nNAME: none\nORIENT: float\nPLACE: D:2\nWEIGHT: 30\nTAGS: dummy\n\
         NAME: drawn\nORIENT: float\nDEPTH: D\n",
    );
    let odds = odds_by_name(&library, "D:2");
    let shares: Vec<(&str, f64)> = odds.iter().map(|(name, _, share)| (name.as_str(), *share)).collect();
    assert_eq!(shares, [("drawn", 0.75), ("own", 0.25)]);
}

#[test]
fn a_refused_minivault_does_not_start_the_level_again() {
    let library =
        library("NAME: main\nORIENT: float\nDEPTH: D\nTAGS: allow_dup\nNAME: mini\nDEPTH: D\nTAGS: allow_dup\n");
    let survey = survey(&library, plan(&["D:1"], 5), |map, _, _| match map.index() {
        0 => grid(),
        _ => MakeResult::Invalid,
    });
    assert_eq!(
        (survey.levels[0].tried, survey.levels[0].built, survey.maps[0].used),
        (5, 5, 5)
    );
    assert_eq!((survey.maps[1].invalid, survey.maps[1].used), (5, 0));
}

#[test]
fn each_error_of_a_map_has_its_own_number_of_failures() {
    let library = library("NAME: mini\nDEPTH: D\nTAGS: allow_dup\n");
    let mut attempts = 0;
    let survey = survey(&library, plan(&["D:1"], 10), |_, _, _| {
        attempts += 1;
        MakeResult::Failed(if attempts == 4 { "rare" } else { "common" }.to_owned())
    });
    let report = survey.report(&library);
    assert!(report.contains("mini: common (9 times, first on D:1"), "{report}");
    assert!(report.contains("mini: rare (1 time, first on D:1"), "{report}");
}

#[test]
fn a_report_names_only_lists_and_maps_that_a_level_accepts() {
    let library = library(
        "NAME: float\nORIENT: float\nDEPTH: Lair\nTAGS: allow_dup\n\
         NAME: none\nDEPTH: Lair\nTAGS: dummy\nNAME: never\nDEPTH: Lair\nWEIGHT: 0\n",
    );
    let all = survey(&library, plan(&["Lair:2"], 5), |_, _, _| grid());
    assert_eq!(all.lists, BTreeMap::from([(0, BTreeSet::from([MapList::Further]))]));
    let report = all.report(&library);
    assert!(!report.contains("did not appear"), "{report}");
    // Without any drawn map, there is no table of maps.
    let nothing = survey(&library, plan(&["D:1"], 5), |_, _, _| grid()).report(&library);
    assert_eq!(nothing.lines().count(), 1, "{nothing}");
}

#[test]
fn a_main_map_by_place_and_by_depth_has_one_row() {
    let library = library(
        "NAME: own\nORIENT: float\nPLACE: D:2\nDEPTH: D\nNAME: none\nORIENT: float\nPLACE: D:2\nTAGS: dummy\n\
         NAME: drawn\nORIENT: float\nDEPTH: D\n",
    );
    let odds = odds_by_name(&library, "D:2");
    let shares: Vec<(&str, f64)> = odds.iter().map(|(name, _, share)| (name.as_str(), *share)).collect();
    assert_eq!(shares, [("own", 0.75), ("drawn", 0.25)]);
}

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
fn levels_get_their_own_maps_and_one_by_depth_and_an_extra() {
    let library = library(
        "NAME: own\nPLACE: D:2\nTAGS: allow_dup\n\
         NAME: drawn\nDEPTH: D\nTAGS: allow_dup\n\
         NAME: more\nDEPTH: D:3\nTAGS: extra allow_dup\n\
         NAME: never\nDEPTH: Lair\n\
         NAME: sub\nTAGS: unrand\nDEPTH: D\n",
    );
    let survey = survey(&library, plan(&["D:1", "D:2", "D:3"], 4), |_, _, _| grid());
    let used: Vec<u32> = survey.maps.iter().map(|map| map.used).collect();
    assert_eq!(used, [4, 8, 4, 0, 0]);
    assert_eq!(survey.maps[1].places, BTreeMap::from([(0, 4), (2, 4)]));
    assert_eq!(survey.unused().count(), 0);
    let report = survey.report(&library);
    assert!(report.contains("D:3: drawn 4, more 4"), "{report}");
}

#[test]
fn a_map_is_once_in_a_dungeon_and_anew_in_the_next() {
    let library = library("NAME: once\nDEPTH: D\n");
    let survey = survey(&library, plan(&["D:1", "D:2"], 3), |_, _, _| grid());
    assert_eq!(survey.maps[0].used, 3);
    assert_eq!(
        survey.levels.iter().map(|level| level.empty).collect::<Vec<_>>(),
        [0, 3]
    );
    assert!(survey.report(&library).contains("Levels without maps: D:2 3"));
}

#[test]
fn what_fails_is_counted_with_a_seed_that_makes_it_fail_again() {
    let library = library(
        "NAME: vetoes\nDEPTH: D:1\nTAGS: allow_dup\nNAME: invalid\nDEPTH: D:2\nTAGS: allow_dup\n\
         NAME: broken\nDEPTH: D:3\nTAGS: allow_dup\nNAME: sometimes\nDEPTH: D:4\nTAGS: allow_dup\n",
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
    assert!(report.contains("vetoes: 50 × vetoed (first on D:1, seed "), "{report}");
    assert!(report.contains("broken: 50 × a.des:6: no (first on D:3"), "{report}");
    assert!(report.contains("Levels abandoned: D:1 10, D:2 10, D:3 10"), "{report}");
}

#[test]
fn a_seed_decides_a_survey() {
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

#[test]
fn odds_are_those_of_ten_thousand_levels() {
    let library = library(
        "NAME: a\nDEPTH: D\nWEIGHT: 5 (D:2), 30\nNAME: b\nDEPTH: D:2\nNAME: c\nDEPTH: D\nCHANCE: 20%\n\
         NAME: d\nDEPTH: D\nCHANCE: 50% (D:2)\nTAGS: chance_x\nNAME: e\nDEPTH: D:2\nCHANCE: 1%\nTAGS: chance_x\n\
         NAME: f\nDEPTH: D:3-\nNAME: g\nTAGS: extra\nDEPTH: D\n",
    );
    let catalog = Catalog::from_headers(&library);
    let level = Level::parse("D:2").expect("a level");
    let odds = odds(&catalog, &level);
    let expected = [
        ("c", 0.2),
        ("d", 0.2),
        ("e", 0.2),
        ("b", 0.4 * 10.0 / 15.0),
        ("a", 0.4 * 5.0 / 15.0),
    ];
    assert_eq!(odds.len(), expected.len());
    for (name, share) in expected {
        let id = library.by_name(name).expect("a map");
        let found = odds.iter().find(|(map, _)| *map == id).expect("odds").1;
        assert!((found - share).abs() < 1e-9, "{name}: {found}");
    }
    assert!(odds.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    // A survey of 10,000 dungeons of one level draws with these probabilities.
    let draws = 10_000;
    let survey = survey(&library, plan(&["D:2"], draws), |_, _, _| grid());
    let chi: f64 = odds
        .iter()
        .map(|(map, share)| {
            let expected = share * f64::from(draws);
            (f64::from(survey.maps[map.index()].used) - expected).powi(2) / expected
        })
        .sum();
    assert!(
        chi < 18.47,
        "chi-square {chi} with 4 degrees of freedom, one in a thousand"
    );
}

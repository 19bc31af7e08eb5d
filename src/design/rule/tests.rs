use proptest::prelude::*;

use super::*;
use crate::design::{CrawlerStart, Room};

fn replaced(text: &str, design: &Design) -> Vec<ReplacedValue> {
    let rule = Rule::read(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    rule.replaced(design).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn changes(text: &str, design: &Design) -> Vec<(usize, &'static str, i32, i32)> {
    let generation = |entry| match entry {
        Entry::Generation(generation) => generation,
        other => panic!("{other:?}"),
    };
    replaced(text, design)
        .iter()
        .map(|r| (generation(r.entry), r.parameter.info().name, r.before, r.after))
        .collect()
}

fn labels(text: &str, design: &Design) -> Vec<(String, i32)> {
    replaced(text, design).iter().map(|r| (r.label(), r.after)).collect()
}

/// Returns a design with three rooms and two first Crawlers.
fn furnished() -> Design {
    let mut design = Design::default();
    design.layout.rooms = vec![Room::default(); 3];
    design.layout.crawlers = vec![CrawlerStart::default(); 2];
    design
}

#[test]
fn every_kind_of_record_is_addressed() {
    let design = furnished();
    for (text, expected) in [
        ("dimX -> 60", vec![("dimX", 60)]),
        ("dimX, dimY - 20", vec![("dimX", 80), ("dimY", 80)]),
        ("joinDist -> 5", vec![("joinDist", 5)]),
        ("join_dist / 2 in constants", vec![("joinDist", 7)]),
        ("protuberances -> 3", vec![("protuberances", 3)]),
        ("width + 1 in room 2", vec![("width of room 2", 6)]),
        ("width + 1 in 2", vec![("width of room 2", 6)]),
        (
            "width + 1 of rooms 2+",
            vec![("width of room 2", 6), ("width of room 3", 6)],
        ),
        (
            "delay -> 4 in Crawlers",
            vec![("delay of Crawler 1", 4), ("delay of Crawler 2", 4)],
        ),
        ("direction 12 -> 13 in crawler 1", vec![("direction of Crawler 1", 13)]),
        ("numRooms -> 9", vec![("numRooms", 9)]),
        ("lTC -> 1 in rooms 1-1", vec![("lTC of room 1", 1)]),
        ("lTC -> 1 in rooms 1 to 1", vec![("lTC of room 1", 1)]),
        ("MaxAge -> 3 in generation 4", vec![("MaxAge of generation 4", 3)]),
    ] {
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        assert_eq!(labels(text, &design), expected, "{text}");
    }
    let mut changed = design.clone();
    let done = Rule::read("Xdiv -> 0 in rooms").unwrap().apply(&mut changed).unwrap();
    assert_eq!(done.len(), 3);
    assert!(changed.layout.rooms.iter().all(|room| room.xdiv == 0));
}

#[test]
fn every_parameter_can_be_named() {
    let mut design = Design::default();
    for list in List::ALL {
        list.insert(&mut design.layout, 0, None);
    }
    // Named places do not affect growth, so rules cannot change them.
    let named = |entry: &Entry| !matches!(entry, Entry::NamedPlace(_));
    for entry in design.entries().into_iter().filter(named) {
        for &parameter in entry.parameters() {
            let info = parameter.info();
            let value = if design.get(entry, parameter) == Some(info.max) {
                info.min
            } else {
                info.max
            };
            let records = match entry {
                Entry::Generation(_) => format!(" in {}", entry.label()),
                _ if entry.list().is_some() => format!(" in {}", entry.label()),
                _ => String::new(),
            };
            let text = format!("{} -> {value}{records}", info.name);
            let done = replaced(&text, &design);
            let [one] = done[..] else { panic!("{text}: {done:?}") };
            assert_eq!(
                (one.entry, one.parameter, one.after),
                (entry, parameter, value),
                "{text}"
            );
        }
    }
}

#[test]
fn a_record_that_the_design_lacks_is_named() {
    for (text, why) in [
        (
            "width -> 3 in room 4",
            "there is no room 4; the design has rooms 1 to 3",
        ),
        ("width -> 3 in rooms 2-9", "there is no room 9"),
        ("width -> 3 in rooms 5+", "there is no room 5"),
        ("orientation -> 1", "the design has no vaults"),
        (
            "seed -> 7",
            "`seed` in a rule is the seed of vaults, and the design has no vaults; set the design's seed with --seed",
        ),
    ] {
        let said = Rule::read(text)
            .unwrap()
            .replaced(&furnished())
            .unwrap_err()
            .to_string();
        assert!(said.contains(why), "{text}: {said}");
    }
}

#[test]
fn an_error_has_its_place_in_the_text() {
    for (text, part, why) in [
        (
            "delay -> 3",
            "delay",
            "`delay` is a parameter of rooms and of Crawlers; add `in rooms` or `in Crawlers`",
        ),
        ("x -> 3", "x", "Crawlers and of vaults and of open squares"),
        (
            "dimX -> 30 in 3",
            "dimX",
            "the design has only one `dimX`; leave out `in`",
        ),
        (
            "MaxAge -> 30 in rooms",
            "MaxAge",
            "`MaxAge` is not a parameter of rooms; it belongs to generations",
        ),
        (
            "MaxAge -> 3 in roms",
            "roms",
            "unknown word `roms`; did you mean `rooms`?",
        ),
        ("width -> 3 in room 0", "0", "there is no room 0; numbers begin at 1"),
        (
            "all + 1 in room 2",
            "all",
            "`all` stands for every parameter of a generation, but rooms have other parameters; name the parameters instead of `all`",
        ),
        (
            "MaxAge 10-5 -> 3",
            "5",
            "the range 10 to 5 is empty; write the lower number first, or `= 10 - 5` to subtract 5",
        ),
        (
            "width, MaxAge -> 3 in 2",
            "2",
            "the parameters belong to rooms and to generations",
        ),
        ("MaxAge, -> 3", "->", "a parameter is missing after the comma"),
        (
            "MaxAge 10 -> 3 in generations 7-12",
            "7-12",
            "`12` is not a generation; use 0 to 9",
        ),
        ("MaxAge → zwölf", "zwölf", "not a whole number"),
        ("dimX 3 in constants 2", "in", "unexpected `in`"),
        ("MaxAge -> 3 in", "", "the generations are missing"),
    ] {
        let said = Rule::read(text).unwrap_err();
        assert!(said.to_string().contains(why), "{text}: {said}");
        assert_eq!(&text[said.span.clone()], part, "{text}: {said}");
    }
}

#[test]
fn a_target_and_a_change_make_a_rule() {
    let target = RuleTarget::read("MaxAge, StepLength >4 in 3-9").unwrap();
    for (change, rule) in [
        ("7", "MaxAge, StepLength >= 5 -> 7 in 3-9"),
        ("-> 7", "MaxAge, StepLength >= 5 -> 7 in 3-9"),
        ("+5", "MaxAge, StepLength >= 5 + 5 in 3-9"),
        ("-5", "MaxAge, StepLength >= 5 - 5 in 3-9"),
        ("/ 4", "MaxAge, StepLength >= 5 * 0.25 in 3-9"),
    ] {
        let change = RuleChange::read(change).unwrap();
        let target = target.clone();
        assert_eq!(Rule { target, change }.to_string(), rule);
    }
    for wrong in ["", "5 6", "x", "* ", "5 in 3", ">4"] {
        assert!(RuleChange::read(wrong).is_err(), "{wrong}");
    }
    for wrong in ["", "MaxAge -> 3", "MaxAge 3 4", "in 3"] {
        assert!(RuleTarget::read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_text_of_a_rule_is_read_as_the_same_rule() {
    for (text, written) in [
        ("corr = 4 - 1", "CorridorWidth = 4 - 1"),
        ("corr = 4 + 1", "CorridorWidth 4 + 1"),
        ("corr 3..5 - 2 in 2", "CorridorWidth 3-5 - 2 in 2"),
        ("width, MaxAge -> 9", "width, MaxAge -> 9"),
        ("width, dimX + 1", "width, dimX + 1"),
        ("width, lTC -> 1", "width, lTC -> 1 in rooms"),
        ("width + 1 in 2+", "width + 1 in rooms 2+"),
    ] {
        let rule = Rule::read(text).unwrap();
        assert_eq!(rule.to_string(), written);
        assert_eq!(Rule::read(written), Ok(rule), "{text}");
    }
}

#[test]
fn a_rule_of_an_earlier_version_is_read() {
    let saved = r#"{"parameter": "corridor_width", "condition": {"within": {"start": 4, "end": 4}}, "change": {"to": 3},
        "generations": {"start": 2, "end": 9}}"#;
    let rule: Rule = serde_json::from_str(saved).unwrap();
    assert_eq!(rule.to_string(), "CorridorWidth 4 -> 3 in 2-9");
    let all =
        r#"{"parameter": null, "condition": "any", "change": {"add": -1}, "generations": {"start": 0, "end": 9}}"#;
    assert_eq!(
        serde_json::from_str::<Rule>(all).unwrap(),
        Rule::read("all - 1").unwrap()
    );
    let beyond = all.replace('9', "12");
    let rule: Rule = serde_json::from_str(&beyond).unwrap();
    assert_eq!(
        rule.replaced(&furnished()).unwrap_err().to_string(),
        "there is no generation 12; the design has generations 0 to 9"
    );
    let value = r#"{"generation": 2, "parameter": "corridor_width", "before": 4, "after": 3}"#;
    let value: ReplacedValue = serde_json::from_str(value).unwrap();
    assert_eq!(value.label(), "CorridorWidth of generation 2");
}

#[test]
fn values_are_found_and_changed() {
    let mut design = Design::default();
    design.character.generations[2].corridor_width = 4;
    design.character.generations[7].corridor_width = 5;
    let two = [(2, "CorridorWidth", 4, 3)];
    for text in [
        "CorridorWidth 4 -> 3",
        "corridor_width=4→3",
        "corr 4 -> 3",
        "Corr = 4 - 1",
        "corr = 4 - 1 in 0-9",
        "corr >3 -> 3 in 2",
        "corr 4..4 -> 3",
    ] {
        assert_eq!(changes(text, &design), two, "{text}");
    }
    assert_eq!(
        changes("Corr >3 -> 3", &design),
        [(2, "CorridorWidth", 4, 3), (7, "CorridorWidth", 5, 3)]
    );
    assert_eq!(changes("corr 4-5 -> *2 in 5+", &design), [(7, "CorridorWidth", 5, 10)]);
    assert_eq!(changes("corr != 3 + 1 in 2", &design), [(2, "CorridorWidth", 4, 5)]);
    assert_eq!(changes("MaxAge * 1.5 in 9", &design), [(9, "MaxAge", 10, 15)]);
    assert_eq!(changes("MaxAge / 4 in 9", &design), [(9, "MaxAge", 10, 3)]);
    assert_eq!(
        changes("all 60 -> 50 in 0", &design),
        [(0, "StraightSpawnProb", 60, 50)]
    );
    assert_eq!(changes("all 77 -> 1", &design), []);
    assert_eq!(changes("MaxAge 10 -> 10", &design), []);
    assert_eq!(changes("MaxAge -> 12 in 3", &design), [(3, "MaxAge", 10, 12)]);
    assert_eq!(changes("MaxAge - 3 in 3", &design), [(3, "MaxAge", 10, 7)]);
}

#[test]
fn parts_that_are_not_understood_are_named() {
    for (text, why) in [
        ("", "begin the rule with a parameter"),
        ("Corridor", "the change is missing"),
        ("S 3 -> 4", "may be SkipGenerations or StepLength or StraightSpawnProb"),
        ("di -> 3", "may be dimX or dimY or direction or div"),
        (
            "StepLenght 3 -> 4",
            "unknown parameter `StepLenght`; did you mean `StepLength`?",
        ),
        ("MaxAgee * 2", "did you mean `MaxAge`?"),
        ("Qqq * 2", "unknown parameter `Qqq`; write the name of a parameter"),
        ("StepLength 3", "write -> and a number"),
        ("StepLength 3 ->", "after ->"),
        ("StepLength > -> 3", "`->` is not a whole number"),
        ("StepLength 3 -> x", "`x` is not a whole number"),
        ("StepLength * ", "missing after *"),
        ("StepLength / 0", "cannot divide by 0"),
        ("StepLength * 2 3", "unexpected `3`"),
        ("StepLength * 2 in 12", "`12` is not a generation"),
        ("StepLength * 2 in 5-3", "5 to 3 is empty"),
        ("StepLength ? 2", "unexpected `?`"),
        (
            "StepLength -> -2",
            "unexpected `-` after ->; write `-> 3` to set a value, or `- 3`",
        ),
        ("StepLength -> +2", "unexpected `+` after ->"),
        (
            "generation 1: MaxAge + 2",
            "unexpected `:`; write the parameter, the change",
        ),
        (
            "MaxAge + 2 in 1-3, 5",
            "unexpected `,`; write the parameter, the change",
        ),
        ("StepLength 4 -> 99999999999", "not a whole number"),
    ] {
        let said = Rule::read(text).unwrap_err().to_string();
        assert!(said.contains(why), "{text}: {said}");
    }
}

#[test]
fn a_rule_that_leads_out_of_a_range_is_refused_as_a_whole() {
    let design = Design::default();
    let why = Rule::read("all * 2").unwrap().replaced(&design).unwrap_err();
    assert_eq!(
        why.to_string(),
        "StraightSpawnProb of generation 0 would be 120, which is outside the range 0 to 100; 9 other values would also be out of range"
    );
    let said = Rule::read("StepLength - 9 in 3")
        .unwrap()
        .replaced(&design)
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("would be -5, which is outside the range 1 to 1000"),
        "{said}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_text_is_parsed_or_rejected(text in "(StepLength|all|Max|width|delay|dimX, dimY|\\PC){0,2} ?[-><=!*/+. 0-9→≥]{0,8} ?(in)? ?(room|Crawlers|vault|wall tiles)? ?[0-9+-]{0,4}") {
        if let Ok(rule) = Rule::read(&text) {
            let design = Design::default();
            for replaced in rule.replaced(&design).unwrap_or_default() {
                prop_assert!(replaced.parameter.info().range().contains(&replaced.after));
                prop_assert!(replaced.before != replaced.after);
            }
        }
    }
}

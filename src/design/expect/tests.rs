use super::*;

fn shown(text: &str) -> String {
    match parse(text) {
        Ok(expectation) => format!("{expectation:?}"),
        Err(problem) => panic!("{text}: {problem:?}"),
    }
}

#[test]
fn places_are_named_with_hyphens_or_in_quotes() {
    let mut design = Design::default();
    for name in ["Boss", "story hook", "Gate 2"] {
        design.layout.places.push(crate::design::NamedPlace {
            name: name.into(),
            ..crate::design::NamedPlace::default()
        });
    }
    for (text, written) in [
        ("reaches boss", "reaches boss"),
        ("path to BOSS >= 80", "path to boss >= 80"),
        (
            "path to story-hook < path to \"Gate 2\"",
            "path to story-hook < path to gate-2",
        ),
        ("not reaches gate-2 or path >= 3", "(not reaches gate-2) or (path >= 3)"),
    ] {
        let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(parsed.condition.to_string(), written);
        assert_eq!(parse(written).unwrap().condition, parsed.condition, "{written}");
        assert_eq!(problems(text, &design), [], "{text}");
    }
    let why = |text: &str| {
        let [problem] = &problems(text, &design)[..] else {
            panic!("{text}")
        };
        (problem.span.clone(), problem.message.clone(), problem.help.clone())
    };
    let (span, message, help) = why("path to bos >= 80");
    assert_eq!((span, message.as_str()), (8..11, "there is no place `bos`"));
    assert!(help.contains("did you mean `boss`"), "{help}");
    assert_eq!(why("reaches").1, "the name of a place is missing");
    assert_eq!(why("path to >= 3").1, "the name of a place is missing");
    assert_eq!(why("reaches \"a.b\"").1, "this cannot be the name of a place");
    assert_eq!(why("path to boss").1, "a number is not a condition");
}

#[test]
fn equivalent_spellings_parse_to_the_same_expression() {
    for (one, other) in [
        ("path >= 180", "  PATH>=180 "),
        ("path ≥ 180 and path ≤ 200", "path >= 180 and path <= 200"),
        ("enclosed = 0", "enclosed == 0"),
        ("share(generation 3) <= 35%", "share ( generation 3 ) <= 0.35"),
        (
            "reachable or path > 1 and path > 2",
            "reachable or (path > 1 and path > 2)",
        ),
        ("path - loops - 1 > 0", "(path - loops) - 1 > 0"),
        ("path + loops * 2 > 0", "path + (loops * 2) > 0"),
        ("not reachable and path > 1", "(not reachable) and path > 1"),
        ("-path * 2 < 0", "(-path) * 2 < 0"),
        ("median dead-ends <= 40", "p50 dead-ends <= 40"),
        ("least path > 1 and most path < 9", "p0 path > 1 and p100 path < 9"),
        ("median dead-ends / 2 > 1", "(median dead-ends) / 2 > 1"),
        ("dead_ends < outer_wall - pillars", "dead-ends < outer-wall - pillars"),
    ] {
        assert_eq!(shown(one), shown(other), "{one}");
        // The printed form parses to the same expression.
        let printed = parse(one).unwrap().condition.to_string();
        assert_eq!(shown(&printed), shown(one), "{printed}");
    }
    assert_ne!(shown("path - loops > 1"), shown("loops - path > 1"));
}

#[test]
fn shares_of_seeds_and_special_metrics() {
    assert_eq!(parse("path >= 180 in 95%").unwrap().share, Some(0.95));
    assert_eq!(parse("path >= 180 in 95 %").unwrap().share, Some(0.95));
    assert_eq!(parse("path >= 180").unwrap().share, None);
    let is_of_each = |text| parse(text).unwrap().is_of_each();
    assert!(
        ["path >= 180", "path >= 180 in 100%", "reachable"]
            .into_iter()
            .all(is_of_each)
    );
    let of_many = ["path >= 180 in 99.9%", "median path >= 180", "path < 2 * median path"];
    assert!(!of_many.into_iter().any(is_of_each));
    let metric = |text: &str| {
        let mut found = Vec::new();
        parse(text)
            .unwrap()
            .condition
            .metrics(&mut |metric, over| found.push((metric, over)));
        found
    };
    assert_eq!(
        metric("crosses room 2"),
        [(Metric::Area(AreaPredicate::Crosses, AreaIndex::Room(1)), false)]
    );
    assert_eq!(
        metric("needs vault 1"),
        [(Metric::Area(AreaPredicate::Needs, AreaIndex::Vault(0)), false)]
    );
    assert_eq!(metric("share(width 2..) > 0"), [(Metric::Widths(2, u32::MAX), false)]);
    assert_eq!(metric("p90 share(width 2..4) > 0"), [(Metric::Widths(2, 4), true)]);
    for info in all_metrics() {
        let text = if info.is_truth {
            info.name.to_owned()
        } else {
            format!("{} > 0", info.name)
        };
        assert_eq!(metric(&text), [(Metric::Plain(info.metric), false)]);
    }
}

#[test]
fn every_metric_is_parsed_from_its_printed_form() {
    for text in [
        "share(generation 12)",
        "share(width 3)",
        "share(width 2..5)",
        "share(width 7..)",
        "path",
    ] {
        let value = parse_value(text).unwrap();
        let Expression::Metric(metric) = value else {
            panic!("{text}")
        };
        assert_eq!(metric.to_string(), text);
    }
    assert_eq!(
        Metric::Area(AreaPredicate::Severs, AreaIndex::Vault(2)).to_string(),
        "severs vault 3"
    );
}

#[test]
fn errors_are_reported_at_their_position() {
    for (text, at, part) in [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("pth >= 180", 0, "`path`"),
        ("path >= ", 8, "missing"),
        ("path", 0, "compare"),
        ("path + reachable > 1", 7, "not a number"),
        ("reachable and path", 14, "compare"),
        ("reachable > 1", 0, "not a number"),
        (
            "1 < path < 5",
            9,
            "comparisons cannot be chained write `1 < path and path < 5`",
        ),
        ("180 <= path < 250", 12, "write `180 <= path and path < 250`"),
        (
            "loops > 2 and 180≤path - 2≤250",
            28,
            "write `path - 2 in 180..250` or `180 ≤ path - 2 and path - 2 ≤ 250`",
        ),
        (
            "250 >= median path >= 180 in 95%",
            19,
            "write `median path in 180..250` or `250 >= median path and median path >= 180`",
        ),
        ("1 < path <", 9, "write `180 <= path and path < 250`"),
        ("path > 5 reachable", 9, "does not belong"),
        ("path > 5 in 95", 14, "`%`"),
        ("path > 5 in 0%", 12, "not a share"),
        ("path > 5 in 95% and loops > 1", 16, "before `in`"),
        ("median path > 5 in 95%", 19, "all seeds"),
        ("median 5 > 5", 7, "already about all"),
        ("median mean path > 5", 7, "already about all"),
        ("crosses 2", 8, "`room`"),
        ("crosses room 0", 13, "at 1"),
        ("crosses room 1.5", 13, "whole"),
        ("share(3) > 1", 6, "`generation`"),
        ("share(generation 3 > 1", 19, "`)`"),
        ("(path > 1", 9, "`)`"),
        ("path # 3", 5, "not allowed"),
        ("Größe > 3", 2, "not allowed"),
        ("path > 1_0x", 10, "does not belong"),
    ] {
        let problem = parse(text).unwrap_err();
        let shown = format!("{} {}", problem.message, problem.help);
        assert_eq!(problem.span.start, at, "{text}: {shown}");
        assert!(shown.contains(part), "{text}: {shown}");
        assert!(text.get(problem.span.clone()).is_some(), "{text}: {:?}", problem.span);
    }
    let deep = format!("{}path{} > 1", "(".repeat(99), ")".repeat(99));
    assert!(parse(&deep).unwrap_err().message.contains("nested"));
    assert!(parse(&"not ".repeat(10_000)).is_err());
    assert!(parse_condition("median path > 1").unwrap_err().message.contains("one"));
    assert!(parse_value("reachable").is_err());
    assert!(parse_value("path > 1").is_err());
}

#[test]
fn missing_rooms_are_reported() {
    let mut design = Design::default();
    design.layout.rooms.push(super::super::Room::default());
    assert_eq!(problems("crosses room 1", &design), []);
    let found = problems("reachable and crosses room 2", &design);
    assert_eq!(
        (found[0].span.clone(), found[0].help.as_str()),
        (22..28, "the design has only one room: room 1")
    );
    assert_eq!(problems("needs vault 1", &design).len(), 1);
}

#[test]
fn absent_rooms_and_places_are_marked_where_the_text_names_them() {
    let design = Design::default();
    for (text, marked) in [
        ("path ≥ 3 and crosses Room 9", vec!["Room 9"]),
        ("path > 9 and severs vault  9", vec!["vault  9"]),
        ("crosses room 12 and crosses room 1", vec!["room 12", "room 1"]),
        ("reaches a", vec!["a"]),
        ("path ≥ 3 and reaches HÖHLE", vec!["HÖHLE"]),
        ("path to \"story hook\" in 1..9", vec!["\"story hook\""]),
    ] {
        let found = problems(text, &design);
        let spans: Vec<&str> = found.iter().map(|problem| &text[problem.span.clone()]).collect();
        assert_eq!(spans, marked, "{text}");
        let source = found[0].description("--where", text).source.unwrap();
        assert_eq!(source.text, marked[0], "{text}");
    }
}

#[test]
fn advice_about_places_lists_each_name_once() {
    let mut design = Design::default();
    let mut help = |name: &str| {
        design.layout.places.push(crate::design::NamedPlace {
            name: name.into(),
            ..crate::design::NamedPlace::default()
        });
        problems("reaches zzz", &design).remove(0).help
    };
    assert_eq!(help("Boss"), "the design has only the place `boss`");
    assert_eq!(help("boss"), "the design has only the place `boss`");
    assert_eq!(help("gate"), "the design's places are boss, gate");
}

#[test]
fn long_chains_are_rejected_before_they_exhaust_the_stack() {
    let chain = |count: usize| format!("path{} > 1", " + 1".repeat(count));
    assert!(parse(&chain(900)).is_ok());
    let problem = parse(&chain(100_000)).err();
    assert_eq!(
        problem.map(|problem| problem.message).as_deref(),
        Some("the condition is too long")
    );
}

proptest::proptest! {
    #[test]
    fn no_text_causes_a_panic(text in "[a-z0-9 ().<>=%+*/!≤ä-]{0,40}") {
        if let Err(problem) = parse(&text) {
            proptest::prop_assert!(text.get(problem.span).is_some());
        }
    }

    #[test]
    fn random_words_are_parsed_or_reported(words in proptest::collection::vec(
        proptest::sample::select(vec!["path", "reachable", "and", "or", "not", "(", ")", "<", ">=", "3", "median", "in",
                                      "95", "%", "+", "-", "*", "crosses", "room", "share", "generation", "..", "width"]),
        0..14,
    )) {
        let text = words.join(" ");
        if let Err(problem) = parse(&text) {
            proptest::prop_assert!(text.get(problem.span).is_some());
        }
    }
}

#[test]
fn too_many_expectations_are_rejected_with_the_limit() {
    let toml = |count: usize| format!("[expect]\nthat = [{}]\n", "\"reachable\", ".repeat(count));
    let parsed = |count: usize| {
        let text = crate::format::Text::new("many.toml", toml(count));
        crate::format::native::parse(&text)
    };
    assert_eq!(parsed(MOST_EXPECTATIONS).value.expect.that.len(), MOST_EXPECTATIONS);
    let many = parsed(MOST_EXPECTATIONS + 1);
    assert!(!many.is_usable());
    let messages: Vec<String> = many.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert!(
        messages.contains(&"1001 expectations; a design has at most 1000".to_owned()),
        "{messages:?}"
    );
    let mut design = Design::default();
    design.expect.that = vec!["reachable".into(); MOST_EXPECTATIONS + 1];
    assert!(design.validate(None).design.is_none());
}

#[test]
fn a_range_of_a_number_is_two_comparisons() {
    let range = parse("found in 120..300 in 90%").unwrap();
    assert_eq!(
        range.condition,
        parse_condition("found >= 120 and found <= 300").unwrap()
    );
    assert_eq!(range.share, Some(0.9));
    let shares = parse_condition("not unseen in 10% .. 20% * 2 or reachable").unwrap();
    let long = "not (unseen >= 10% and unseen <= 20% * 2) or reachable";
    assert_eq!(shares, parse_condition(long).unwrap());
    for (text, at, message) in [
        ("found in 95%", 12, "`..` is missing"),
        ("found in 1..", 12, "missing"),
        ("found in 1..reachable", 12, "true or false"),
        ("reachable in 1..2", 14, "`%` is missing"),
    ] {
        let problem = parse(text).unwrap_err();
        assert_eq!(problem.span.start, at, "{text}");
        assert!(problem.message.contains(message), "{text}: {}", problem.message);
    }
}

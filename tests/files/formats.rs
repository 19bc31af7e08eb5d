//! The text formats: the recorded files of the original, and round trips of any design.

#![allow(clippy::expect_used, clippy::format_push_string, reason = "helpers of tests")]

use crate::common::designs::Numbers;
use proptest::prelude::*;
use regex_lite::Regex;
use wallcrawler::design::{
    Character, Constant, Constants, CrawlerField, CrawlerStart, Design, Diagnostic, Dimension, Entry, EntryText,
    Expectations, Field, Layout, Limit, Limits, List, NamedPlace, Place, PlaceField, Room, RoomField, Severity,
    SquareField, Stat, VaultEntry, VaultField,
};
use wallcrawler::format::{Text, constants, native, rooms, stats};
use wallcrawler::geometry::{Point, Size};

/// Returns all numbers of the matches of a pattern. White space in the pattern matches any or none.
fn numbers(text: &str, pattern: &str) -> Vec<Vec<i32>> {
    let pattern = pattern
        .replace('(', r"\(")
        .replace(')', r"\)")
        .replace(' ', r"\s*")
        .replace('%', r"\s*([-+]?[0-9]+)\s*");
    let regex = Regex::new(&pattern).expect("pattern");
    regex
        .captures_iter(text)
        .map(|c| {
            c.iter()
                .skip(1)
                .map(|m| m.expect("number").as_str().parse().expect("i32"))
                .collect()
        })
        .collect()
}

fn values<N: Numbers>(record: &N::Record) -> Vec<i32> {
    N::ALL.iter().map(|one| one.get(record)).collect()
}

fn problems(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn every_recorded_rooms_file_is_read() {
    for case in crate::common::cases("every_recorded_rooms_file_is_read") {
        let parsed = rooms::parse(&Text::new(&case.name, &case.rooms));
        let found = problems(&parsed.diagnostics);
        assert!(found.is_empty(), "{}: {found}", case.name);
        let layout = &parsed.value;
        let text = case.rooms.as_str();
        assert_eq!(values::<Dimension>(layout), numbers(text, "dimX =%; dimY =%")[0]);
        let limits = "numRooms <%; numOpen <%; numClosed <%; numColumns <%; numCrawlers <%";
        assert_eq!(values::<Limit>(&layout.limits), numbers(text, limits)[0]);
        let room = "div :%; Xdiv :%; Ydiv :%; width :%; lTC :%; tC :%; rTC :%; rC :%; rBC :%; bC :%; lBC :%; lC :%; style :%; delay :%";
        let mut expected = numbers(text, room);
        let end = expected.iter().position(|r| r[0] == 0).expect("an end");
        expected.truncate(end);
        let got: Vec<_> = layout.rooms.iter().map(values::<RoomField>).collect();
        assert_eq!(got, expected, "{}", case.name);
        for (list, pattern) in [
            (&layout.open, "Open square at (%,%)"),
            (&layout.walls, "Wall tile at (%,%)"),
            (&layout.columns, "Column at (%,%)"),
        ] {
            let mut expected = numbers(text, pattern);
            assert_eq!(expected.pop(), Some(vec![0, 0]), "{}", case.name);
            let got: Vec<_> = list.iter().map(|p| vec![p.x, p.y]).collect();
            assert_eq!(got, expected, "{} {pattern}", case.name);
        }
        let crawler =
            "A Crawler starts at (x , y) = (%,%) and this crawler will head in direction% with delay% and termination%";
        let got: Vec<_> = layout.crawlers.iter().map(values::<CrawlerField>).collect();
        assert_eq!(got, numbers(text, crawler), "{}", case.name);
        assert_eq!(vec![layout.protuberances], numbers(text, "sports% protuberances")[0]);
    }
}

#[test]
fn every_recorded_stats_file_is_read() {
    let pattern = "Generation :%; StepLength :%; CorridorWidth :%; ChangeDirProb :%; StraightSpawnProb :%; DoubleSpawnProb :%; JumperProb :%; OpenStartProb :%; MaxAge :%; SkipGenerations :%; LateSpawn :%; LateSpawnProb :%; NoDirectionProb :%.";
    for case in crate::common::cases("every_recorded_stats_file_is_read") {
        let parsed = stats::parse(&Text::new(&case.name, &case.stats));
        let expected = numbers(&case.stats, pattern);
        let slips = (0..).zip(&expected).filter(|(i, r)| r[0] != *i).count();
        let found = problems(&parsed.diagnostics);
        assert_eq!(parsed.diagnostics.len(), slips, "{}: {found}", case.name);
        assert!(parsed.is_usable(), "{}: {found}", case.name);
        let got: Vec<_> = parsed.value.generations.iter().map(values::<Stat>).collect();
        let expected: Vec<_> = expected.into_iter().map(|r| r[1..].to_vec()).collect();
        assert_eq!(got, expected, "{}", case.name);
    }
}

#[test]
fn every_recorded_constants_file_is_read() {
    let pattern = "maxCrawlers =% minCorrWidth =% smallestRoomWidth =% chDirOnStraight =% jumperLife =% joinDist =%";
    for case in crate::common::cases("every_recorded_constants_file_is_read") {
        let parsed = constants::parse(&Text::new(&case.name, &case.constants));
        assert_eq!(problems(&parsed.diagnostics), "", "{}", case.name);
        assert_eq!(values::<Constant>(&parsed.value), numbers(&case.constants, pattern)[0]);
    }
}

#[test]
fn recorded_files_without_wrapped_lines_are_written_byte_for_byte() {
    let mut same = 0;
    for case in crate::common::cases("the_recorded_files_are_written_as_they_were") {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let layout = rooms::parse(&Text::new(&case.name, &case.rooms)).value;
        let written = rooms::write(&layout).expect("writable");
        assert_eq!(words(&written), words(&case.rooms), "{}", case.name);
        same += usize::from(written == case.rooms);
        let constants = constants::parse(&Text::new(&case.name, &case.constants)).value;
        assert_eq!(words(&constants::write(&constants)), words(&case.constants));
    }
    assert!(
        same > 300 || crate::common::shared().is_none(),
        "{same} files are written byte for byte"
    );
}

// Any design that the text files can hold.

/// Failures are printed, not stored in files; PROPTEST_CASES sets the number of designs.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![3 => 0..60i32, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)]
}

fn record<N: Numbers>(blank: N::Record) -> impl Strategy<Value = N::Record> {
    crate::common::designs::record::<N>(blank, |_| number().boxed())
}

fn squares() -> impl Strategy<Value = Vec<Point>> {
    let square = record::<SquareField>(Point::new(0, 0)).prop_filter("ends the series", |p| *p != Point::new(0, 0));
    prop::collection::vec(square, 0..12)
}

fn layout() -> impl Strategy<Value = Layout> {
    let room = record::<RoomField>(Room::default()).prop_filter("ends the series", |r| r.div != 0);
    let crawler =
        record::<CrawlerField>(CrawlerStart::default()).prop_filter("ends the series", |c| c.at != Point::new(0, 0));
    (
        (number(), number(), number()),
        record::<Limit>(Limits::default()),
        prop::collection::vec(room, 0..4),
        (squares(), squares(), squares()),
        prop::collection::vec(crawler, 0..4),
    )
        .prop_map(
            |((x, y, protuberances), limits, rooms, (open, walls, columns), crawlers)| {
                let mut layout = Layout {
                    size: Size::new(x, y),
                    limits,
                    rooms,
                    open,
                    walls,
                    columns,
                    crawlers,
                    protuberances,
                    vaults: Vec::new(),
                    places: Vec::new(),
                };
                // Writers raise limits that are too small; the rest of the design is unchanged.
                layout.limits = layout.limits.raised_for(&layout);
                layout
            },
        )
}

fn character() -> impl Strategy<Value = Character> {
    prop::collection::vec(record::<Stat>(wallcrawler::design::Generation::default()), 10).prop_map(|g| Character {
        generations: g.try_into().expect("ten"),
    })
}

fn constants_of_any_value() -> impl Strategy<Value = Constants> {
    record::<Constant>(Constants::default())
}

/// Returns the same words with other white space between them: line breaks within records, or none next to a
/// separator.
fn wrapped(text: &str, choices: &[u8]) -> String {
    let mut out = String::new();
    for (i, word) in text.split_whitespace().enumerate() {
        let space = match choices[i % choices.len()] % 5 {
            0 => "\n",
            1 => " \r\n\t",
            2 if out.ends_with([':', ';', '(', '=', '<']) => "",
            _ => " ",
        };
        out.push_str(space);
        out.push_str(word);
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_rooms_file_is_read_as_it_was_written(layout in layout(), choices in prop::collection::vec(any::<u8>(), 1..40)) {
        let written = rooms::write(&layout).expect("writable");
        for text in [wrapped(&written, &choices), written] {
            let parsed = rooms::parse(&Text::new("rooms", text));
            prop_assert!(parsed.diagnostics.iter().all(|d| d.message.contains("can allocate")), "{}", problems(&parsed.diagnostics));
            prop_assert_eq!(&parsed.value, &layout);
        }
    }

    #[test]
    fn a_stats_file_is_read_as_it_was_written(character in character(), choices in prop::collection::vec(any::<u8>(), 1..40)) {
        let written = stats::write(&character);
        for text in [wrapped(&written, &choices), written] {
            let parsed = stats::parse(&Text::new("stats", text));
            prop_assert_eq!(problems(&parsed.diagnostics), "");
            prop_assert_eq!(&parsed.value, &character);
        }
    }

    #[test]
    fn a_constants_file_is_read_as_it_was_written(value in constants_of_any_value(), choices in prop::collection::vec(any::<u8>(), 1..40)) {
        let written = constants::write(&value);
        for text in [wrapped(&written, &choices), written] {
            let parsed = constants::parse(&Text::new("constants", text));
            prop_assert_eq!(problems(&parsed.diagnostics), "");
            prop_assert_eq!(parsed.value, value);
        }
    }

    /// Every value can be found again in the text.
    #[test]
    fn places_of_diagnostics_lead_to_the_values(layout in layout(), character in character()) {
        let design = Design { layout, character, ..Design::default() };
        let text = Text::new("rooms", rooms::write(&design.layout).expect("writable"));
        let parsed = rooms::parse(&text);
        let stats_text = Text::new("stats", stats::write(&design.character));
        let stats_parsed = stats::parse(&stats_text);
        for entry in design.entries() {
            let (text, places) = match entry {
                Entry::Constants => continue,
                Entry::Generation(_) => (&stats_text, &stats_parsed.places),
                _ => (&text, &parsed.places),
            };
            for &parameter in entry.parameters() {
                let place = Place::field(entry, parameter);
                let span = places.get(place).expect("a place");
                prop_assert_eq!(text.content()[span].parse::<i32>().ok(), design.get(entry, parameter));
            }
        }
    }

    /// Whatever is cut, repeated or overwritten: reading ends, and every diagnostic has a position.
    #[test]
    fn damaged_files_never_panic(layout in layout(), cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..30usize, "\\PC{0,12}"), 1..6)) {
        let mut text = rooms::write(&layout).expect("writable");
        for (at, length, instead) in cuts {
            let mut start = at.index(text.len().max(1)).min(text.len());
            while !text.is_char_boundary(start) { start -= 1; }
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) { end += 1; }
            text.replace_range(start..end, &instead);
        }
        for diagnostics in [
            rooms::parse(&Text::new("f", text.clone())).diagnostics,
            stats::parse(&Text::new("f", text.clone())).diagnostics,
            constants::parse(&Text::new("f", text.clone())).diagnostics,
        ] {
            prop_assert!(diagnostics.iter().all(|d| d.source.is_some()));
        }
    }
}

#[test]
fn entries_that_would_end_their_series_are_refused_by_name() {
    let layout = Layout {
        rooms: vec![
            Room::default(),
            Room {
                div: 0,
                ..Room::default()
            },
        ],
        walls: vec![Point::new(0, 0)],
        crawlers: vec![CrawlerStart {
            at: Point::new(0, 0),
            ..CrawlerStart::default()
        }],
        ..Layout::default()
    };
    let errors = rooms::write(&layout).expect_err("refused");
    let places: Vec<_> = errors.iter().filter_map(|d| d.place).collect();
    assert_eq!(
        places,
        [Entry::Room(1), Entry::Wall(0), Entry::Crawler(0)].map(Place::entry)
    );
    assert!(errors.iter().all(|d| d.severity == Severity::Error));
}

// The native format.

fn string() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,20}", "\\PC{0,20}", "[\"'#\\\\a]{0,8}"]
}

fn vaults() -> impl Strategy<Value = Vec<VaultEntry>> {
    let words = prop::collection::vec(string(), EntryText::VAULT.len());
    let vault = (record::<VaultField>(VaultEntry::default()), words).prop_map(|(mut vault, words)| {
        for (text, word) in EntryText::VAULT.iter().zip(words) {
            match text {
                EntryText::Map => vault.map = word,
                EntryText::Tag => vault.tag = word,
                EntryText::File => vault.file = word,
                _ => vault.place = word,
            }
        }
        vault
    });
    prop::collection::vec(vault, 0..3)
}

fn places() -> impl Strategy<Value = Vec<NamedPlace>> {
    let place = (record::<PlaceField>(NamedPlace::default()), string());
    let place = place.prop_map(|(place, name)| NamedPlace { name, ..place });
    prop::collection::vec(place, 0..3)
}

fn design(notes: impl Strategy<Value = String>) -> impl Strategy<Value = Design> {
    (
        string(),
        notes,
        any::<u64>(),
        constants_of_any_value(),
        (layout(), vaults(), places()),
        character(),
        expectations(),
    )
        .prop_map(
            |(name, notes, seed, constants, (layout, vaults, places), character, expect)| Design {
                name,
                notes,
                seed,
                constants,
                layout: Layout {
                    vaults,
                    places,
                    ..layout
                },
                character,
                expect,
            },
        )
}

/// Generates expectations, valid and invalid: a save keeps both.
fn expectations() -> impl Strategy<Value = Expectations> {
    let square = || prop::option::of((any::<i32>(), any::<i32>()).prop_map(|(x, y)| Point::new(x, y)));
    let that = prop_oneof![Just("path >= 180 in 95%".to_owned()), string()];
    (square(), square(), prop::collection::vec(that, 0..5)).prop_map(|(entrance, exit, that)| Expectations {
        entrance,
        exit,
        that,
    })
}

/// Writers raise limits that are too small, and write them only if they are larger than necessary.
fn raised(mut design: Design) -> Design {
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    design
}

/// Changes that an author makes in the panels.
fn edited(mut design: Design, edits: &[(u8, prop::sample::Index, prop::sample::Index, i32)]) -> Design {
    for (what, a, b, value) in edits {
        let list = List::ALL[a.index(List::ALL.len())];
        let length = list.len(&design.layout);
        let (i, j) = (a.index(length.max(1)), b.index(length.max(1)));
        match what % 7 {
            6 if value % 2 == 0 => design
                .expect
                .that
                .insert(a.index(design.expect.that.len() + 1), format!("path > {value}")),
            6 if design.expect.that.is_empty() => design.expect.entrance = None,
            6 => {
                let at = b.index(design.expect.that.len());
                design.expect.that.remove(at);
            }
            0 => list.insert(&mut design.layout, i, Some(Point::new(*value, 7))),
            1 => list.remove(&mut design.layout, i),
            2 => list.swap(&mut design.layout, i, j),
            3 => design.seed ^= 1 << (value & 63),
            4 => design.name = format!("new {value}"),
            _ => {
                let entries = design.entries();
                let entry = entries[a.index(entries.len())];
                let all: Vec<Field> = entry.fields().collect();
                match all[b.index(all.len())] {
                    Field::Number(parameter) => {
                        design.set(entry, parameter, *value);
                    }
                    Field::Text(text) => {
                        design.set_text(entry, text, &format!("\"{value}\\ #"));
                    }
                }
            }
        }
    }
    design
}

/// Returns a text with numbered comments in their own lines and at line ends, and more blank lines.
fn annotated(text: &str, choices: &[u8]) -> (String, usize) {
    let (mut out, mut comments) = (String::new(), 0);
    for (i, line) in text.lines().enumerate() {
        let choice = choices[i % choices.len()];
        if choice & 1 == 1 {
            out += &format!("  # <{comments}> , \"it's [x]\" = 3\n");
            comments += 1;
        }
        if choice & 2 == 2 {
            out.push('\n');
        }
        out += line;
        if choice & 4 == 4 && !line.contains('#') {
            out += &format!(" # <{comments}>");
            comments += 1;
        }
        out.push('\n');
    }
    (out, comments)
}

/// Returns the same design with other notations of its tables: inline, dotted, without defaults.
fn by_hand(design: &Design, choices: &[u8]) -> String {
    let text = native::write(design);
    let mut out = String::new();
    let mut dotted = false;
    for line in text.lines() {
        match line {
            "[constants]" if choices[0] & 1 == 1 => dotted = true,
            _ if line.starts_with('[') => {
                dotted = false;
                out += &format!("{line}\n");
            }
            _ if dotted && line.contains(" = ") && !line.starts_with('#') => {
                out += &format!("constants . {line}\n");
            }
            _ => out += &format!("{line}\n"),
        }
    }
    out
}

/// Returns the same text with the line breaks, byte order mark and end that other programs leave.
fn encoded(mut text: String, choice: u8) -> String {
    if choice & 2 == 2 {
        text = text.replace('\n', "\r\n");
    }
    if choice & 4 == 4 {
        text.insert(0, '\u{feff}');
    }
    if choice & 8 == 8 {
        text.truncate(text.trim_end().len());
    }
    text
}

/// Returns a file as a person may have edited it, and the number of that person's comments.
fn worked_over(design: &Design, choices: &[u8]) -> (String, usize) {
    let (text, comments) = annotated(&by_hand(design, choices), choices);
    (encoded(text, choices[0] >> 3), comments)
}

/// Returns the number of the expectation in whose line, or above which, the byte `at` of a text is, counted from 0. The
/// number may be that of the end of the list.
fn expectation_at(text: &str, at: usize) -> Option<usize> {
    let lines: Vec<&str> = text[..at].lines().collect();
    let (_, above) = lines.split_last()?;
    let begin = above.iter().rposition(|line| line.starts_with("that = ["))?;
    let items = &above[begin + 1..];
    let is_over = above[begin].starts_with("that = []") || items.iter().any(|line| line.starts_with(']'));
    let is_item = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    (!is_over).then(|| items.iter().filter(is_item).count())
}

/// Returns those of the numbered comments of a text that a save must keep: all but those of the kinds of records of
/// which `after` has fewer than `before`, and those of expectations that `after` lacks.
fn lasting(text: &str, comments: usize, before: &Design, after: &Design) -> Vec<usize> {
    let kinds = [
        (List::Rooms, "[[room]]"),
        (List::Crawlers, "[[crawler]]"),
        (List::Vaults, "[[vault]]"),
        (List::Places, "[[place]]"),
    ];
    let fewer = kinds.map(|(list, header)| (list.len(&after.layout) < list.len(&before.layout), header));
    let is_of_fewer = |line: &str| {
        fewer
            .iter()
            .any(|(is_fewer, header)| *is_fewer && line.starts_with(header))
    };
    let may_go = |comment: usize| {
        let at = text.find(&format!("# <{comment}>")).unwrap_or_default();
        let from = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let above = text[..at].lines().rev().find(|line| line.starts_with('['));
        let below = text[from..].lines().find(|line| !line.trim_start().starts_with('#'));
        let expectation = expectation_at(text, at).and_then(|item| before.expect.that.get(item));
        let count = |design: &Design| {
            design
                .expect
                .that
                .iter()
                .filter(|that| Some(*that) == expectation)
                .count()
        };
        let is_gone = count(after) < count(before);
        is_gone || above.is_some_and(is_of_fewer) || below.is_some_and(is_of_fewer)
    };
    (0..comments).filter(|&comment| !may_go(comment)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..config() })]

    #[test]
    fn a_toml_file_is_read_as_it_was_written(design in design("\\PC{0,9}(\n\\PC{0,9}){0,3}")) {
        let text = Text::new("d.toml", native::write(&design));
        let mut parsed = native::parse(&text);
        // An empty expectation is reported, and kept.
        let is_of_another = |d: &Diagnostic| !matches!(d.place, Some(place) if matches!(place.entry, Entry::Expectation(_)));
        parsed.diagnostics.retain(is_of_another);
        prop_assert_eq!(problems(&parsed.diagnostics), "");
        prop_assert_eq!(raised(parsed.value), raised(design.clone()));
        for entry in design.entries() {
            for &parameter in entry.parameters() {
                let value = design.get(entry, parameter);
                if let Some(span) = parsed.places.get(Place::field(entry, parameter))
                    && let Ok(number) = text.content()[span].parse::<i32>()
                {
                    prop_assert_eq!(Some(number), value);
                }
            }
        }
    }

    #[test]
    fn updating_with_the_same_design_changes_nothing(design in design(string()), choices in prop::collection::vec(any::<u8>(), 1..60)) {
        let (text, _) = worked_over(&design, &choices);
        prop_assert_eq!(native::update(&text, &design), Ok(text));
    }

    #[test]
    fn updating_keeps_every_comment_and_holds_the_design(
        design in design(string()),
        choices in prop::collection::vec(any::<u8>(), 1..60),
        edits in prop::collection::vec((any::<u8>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<i32>()), 1..12),
    ) {
        let (text, comments) = worked_over(&design, &choices);
        let base = native::parse(&Text::new("", text.clone())).value;
        let wanted = edited(base.clone(), &edits);
        let updated = native::update(&text, &wanted).expect("a design");
        let parsed = native::parse(&Text::new("", updated.clone()));
        prop_assert_eq!(raised(parsed.value), raised(wanted.clone()), "{}", updated);
        for i in lasting(&text, comments, &base, &wanted) {
            prop_assert_eq!(updated.matches(&format!("# <{i}>")).count(), 1, "comment {} in {}", i, updated);
        }
        prop_assert!(!updated.contains("Comments that the file had before"), "{}\n-----\n{}", text, updated);
        // All line breaks stay of one kind.
        let breaks = updated.matches('\n').count();
        let expected = if text.contains('\r') { breaks } else { 0 };
        prop_assert_eq!(updated.matches("\r\n").count(), expected, "{:?}", updated);
    }

    #[test]
    fn saving_a_change_and_its_reversal_again_and_again_does_not_lengthen_the_text(
        design in design(string()),
        choices in prop::collection::vec(any::<u8>(), 1..60),
        edits in prop::collection::vec((any::<u8>(), any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<i32>()), 1..12),
    ) {
        let (mut text, _) = worked_over(&design, &choices);
        let base = native::parse(&Text::new("", text.clone())).value;
        let changed = edited(base.clone(), &edits);
        let mut texts = Vec::new();
        for _ in 0..4 {
            for design in [&changed, &base] {
                text = native::update(&text, design).expect("a design");
            }
            texts.push(text.clone());
        }
        prop_assert!(texts[3].len() <= texts[2].len(), "{}\n-----\n{}", texts[2], texts[3]);
    }

    #[test]
    fn a_text_can_be_updated_to_any_other_design(a in design(string()), b in design(string()), choices in prop::collection::vec(any::<u8>(), 1..60)) {
        let (text, comments) = worked_over(&a, &choices);
        let updated = native::update(&text, &b).expect("a design");
        prop_assert_eq!(raised(native::parse(&Text::new("", updated.clone())).value), raised(b.clone()));
        for i in lasting(&text, comments, &a, &b) {
            let mark = format!("# <{i}>");
            prop_assert_eq!(updated.matches(&mark).count(), 1, "comment {} in {}", i, updated);
        }
    }
}

#[test]
fn names_are_accepted_in_any_case() {
    let design = Design::default();
    let text = stats::write(&design.character)
        .replace("MaxAge", "maxage")
        .to_uppercase();
    let parsed = stats::parse(&Text::new("stats4", text));
    assert_eq!(
        (problems(&parsed.diagnostics).as_str(), &parsed.value),
        ("", &design.character)
    );
    let mut layout = design.layout;
    layout.columns.push(Point::new(10, 12));
    layout.rooms.push(wallcrawler::design::Room::default());
    layout.limits = layout.limits.raised_for(&layout);
    let text = rooms::write(&layout).expect("writable").to_lowercase();
    let parsed = rooms::parse(&Text::new("rooms4", text));
    assert_eq!((problems(&parsed.diagnostics).as_str(), &parsed.value), ("", &layout));
    let text = constants::write(&design.constants).to_lowercase();
    let parsed = constants::parse(&Text::new("constants", text));
    assert_eq!(
        (problems(&parsed.diagnostics).as_str(), &parsed.value),
        ("", &design.constants)
    );
}

#[test]
fn a_limit_in_an_unusual_place_is_marked_where_it_is() {
    let text = rooms::write(&Layout::default()).expect("writable");
    let mut lines: Vec<&str> = text.lines().collect();
    let limits = lines.remove(1).replace("numRooms < 1", "numRooms < 0");
    lines.insert(lines.len() - 1, &limits);
    let parsed = rooms::parse(&Text::new("rooms4", lines.join("\n")));
    let found = parsed
        .diagnostics
        .iter()
        .find(|found| found.message.starts_with("numRooms < 0"))
        .expect("a warning about the limit");
    let source = found.source.as_ref().expect("a place");
    assert_eq!((source.line as usize, source.text.as_str()), (lines.len() - 1, "0"));
}

#[test]
fn the_place_of_a_value_given_twice_is_that_of_the_value_used() {
    let text = rooms::write(&Layout::default()).expect("writable");
    let twice = format!("Dungeon dimensions - dimX = 40; dimY = 50.\n{text}");
    let parsed = rooms::parse(&Text::new("rooms4", twice.as_str()));
    assert_eq!(parsed.value.size, Layout::default().size);
    let span = parsed.places.get(Place::entry(Entry::Dimensions)).expect("a place");
    assert_eq!(span.start, twice.find('\n').expect("a line") + 1);

    let text = "maxCrawlers = 5\nmaxCrawlers = 6\n";
    let parsed = constants::parse(&Text::new("constants", text));
    assert_eq!(parsed.value.max_crawlers, 6);
    let place = Place::field(Entry::Constants, Constant::MaxCrawlers);
    assert_eq!(parsed.places.get(place), Some(text.len() - 2..text.len() - 1));
}

#[test]
fn text_after_the_last_of_a_few_generations_is_reported() {
    let text: String = stats::write(&Character::default())
        .split_inclusive('\n')
        .take(7)
        .collect();
    let parsed = stats::parse(&Text::new("stats4", format!("{text}\nSlow ones.\n")));
    assert_eq!(parsed.end, text.trim_end().len());
    let found = parsed
        .diagnostics
        .iter()
        .find(|found| found.message == "text after the last record is ignored")
        .expect("a note");
    assert_eq!(found.source.as_ref().expect("a place").text, "Slow ones.");
    assert!(stats::parse(&Text::new("stats4", text)).diagnostics.len() < parsed.diagnostics.len());
}

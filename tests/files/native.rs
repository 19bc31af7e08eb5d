//! The native format as a person writes it: reading, diagnostics, and the changes that a save makes.

#![allow(clippy::expect_used, reason = "helpers of tests")]

use wallcrawler::design::{CrawlerStart, Design, NamedPlace, Room, Severity, VaultEntry, style};
use wallcrawler::format::{Text, native};
use wallcrawler::geometry::{Point, Size};

const BY_HAND: &str = r#"# My dungeon, do not touch.
seed=7 # lucky
name = 'Halls' 

layout = { dim_x = 0x50, dim_y = 60, walls = [[1, 2], [3, 4]] }

# --- rooms ---

# the vault
[[room]]
div = 12 # a dozen
width = 6
style = ["Walls", "pyramid"]

[[room]] # the second
style = 9

[[crawler]]
x = 0
y = 30

# the end
"#;

fn read(text: &str) -> Design {
    let parsed = native::parse(&Text::new("d.toml", text));
    assert!(parsed.is_usable(), "{:?}", parsed.diagnostics);
    parsed.value
}

/// Returns the lines that a change of the design removes (`-`) and adds (`+`).
fn difference(change: impl FnOnce(&mut Design)) -> Vec<String> {
    let mut design = read(BY_HAND);
    change(&mut design);
    let updated = native::update(BY_HAND, &design).expect("a design");
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    let (old, new): (Vec<_>, Vec<_>) = (BY_HAND.lines().collect(), updated.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let gone = old[head..old.len() - tail].iter().map(|l| format!("-{l}"));
    gone.chain(new[head..new.len() - tail].iter().map(|l| format!("+{l}")))
        .collect()
}

#[test]
fn a_hand_written_design_is_read() {
    let design = read(BY_HAND);
    assert_eq!((design.name.as_str(), design.seed), ("Halls", 7));
    assert_eq!(design.layout.size, Size::new(80, 60));
    assert_eq!(design.layout.walls, [Point::new(1, 2), Point::new(3, 4)]);
    assert_eq!(design.layout.rooms[0].style, style::WALLS | style::PYRAMID);
    assert_eq!((design.layout.rooms[0].div, design.layout.rooms[0].width), (12, 6));
    assert_eq!(
        design.layout.rooms[1],
        Room {
            style: 9,
            ..Room::default()
        }
    );
    assert_eq!(design.layout.crawlers[0].at, Point::new(0, 30));
}

#[test]
fn a_save_changes_only_what_differs() {
    assert_eq!(difference(|_| {}), [""; 0]);
    assert_eq!(difference(|d| d.seed = 8), ["-seed=7 # lucky", "+seed=8 # lucky"]);
    assert_eq!(
        difference(|d| d.seed = u64::MAX),
        ["-seed=7 # lucky", "+seed=\"18446744073709551615\" # lucky"]
    );
    assert_eq!(
        difference(|d| d.notes = "two\nlines".into()),
        ["+notes = \"\"\"", "+two", "+lines\"\"\""]
    );
    assert_eq!(
        difference(|d| d.layout.rooms[0].div = 3),
        ["-div = 12 # a dozen", "+div = 3 # a dozen"]
    );
    assert_eq!(
        difference(|d| d.layout.rooms[0].style |= style::COLUMNS_BEHIND_DOORS),
        [
            "-style = [\"Walls\", \"pyramid\"]",
            "+style = [\"walls\", \"columns behind center doors\", \"pyramid\"]"
        ]
    );
    // A style that was a number stays one.
    assert_eq!(
        difference(|d| d.layout.rooms[1].style = 1),
        ["-style = 9", "+style = 1"]
    );
    // A key that was missing is added to its table.
    assert_eq!(difference(|d| d.layout.rooms[0].delay = 10), ["+delay = 10"]);
    assert_eq!(
        difference(|d| d.constants.join_dist = 5),
        ["+", "+[constants]", "+join_dist = 5"]
    );
    assert_eq!(
        difference(|d| d.layout.walls.remove(0).x = 0),
        [
            "-layout = { dim_x = 0x50, dim_y = 60, walls = [[1, 2], [3, 4]] }",
            "+layout = { dim_x = 0x50, dim_y = 60, walls = [[3, 4]] }"
        ]
    );
    assert_eq!(
        difference(|d| d.layout.columns.push(Point::new(9, 9))),
        [
            "-layout = { dim_x = 0x50, dim_y = 60, walls = [[1, 2], [3, 4]] }",
            "+layout = { dim_x = 0x50, dim_y = 60, walls = [[1, 2], [3, 4]], columns = [[9, 9]] }"
        ]
    );
}

#[test]
fn entries_are_added_and_removed_and_other_comments_stay() {
    assert_eq!(
        difference(|d| d.layout.rooms.remove(0).div = 0),
        [
            // The comments of the first room go with it.
            "-# the vault",
            "-[[room]]",
            "-div = 12 # a dozen",
            "-width = 6",
            "-style = [\"Walls\", \"pyramid\"]",
            "-"
        ]
    );
    assert_eq!(
        difference(|d| d.layout.rooms.swap(0, 1)),
        [
            "-# the vault",
            "-[[room]]",
            "-div = 12 # a dozen",
            "-width = 6",
            "-style = [\"Walls\", \"pyramid\"]",
            "-",
            "-[[room]] # the second",
            "-style = 9",
            "+[[room]] # the second",
            "+style = 9",
            "+",
            "+# the vault",
            "+[[room]]",
            "+div = 12 # a dozen",
            "+width = 6",
            "+style = [\"Walls\", \"pyramid\"]"
        ]
    );
    let added = difference(|d| {
        d.layout.crawlers.push(CrawlerStart {
            at: Point::new(79, 3),
            ..CrawlerStart::default()
        });
    });
    assert_eq!(
        added,
        [
            "+[[crawler]]",
            "+x = 79",
            "+y = 3",
            "+direction = 12",
            "+delay = 0",
            "+termination = 1",
            "+"
        ]
    );
    let late = difference(|d| d.character.generations[1].max_age = 99);
    assert_eq!(
        late.iter().filter(|l| *l == "+[[generation]] # 0").count(),
        1,
        "{late:?}"
    );
    assert_eq!(late.iter().filter(|l| *l == "+max_age = 99").count(), 1, "{late:?}");
    // Fewer than all generations would cause a warning.
    assert!(late.iter().any(|l| l.contains("# 9")), "{late:?}");
}

const EXPECTING: &str = r#"# Mine.
format = 1

[expect]
# One must get through.
that = [
    "reachable", # of course
    # Not too short:
    "path >= 180 in 95%",
]
exit = [3, 4] # the pit

[layout]
dim_x = 60
"#;

#[test]
fn expectations_are_added_and_removed_with_their_comments() {
    let design = read(EXPECTING);
    assert_eq!(design.expect.that, ["reachable", "path >= 180 in 95%"]);
    assert_eq!(
        (design.expect.entrance, design.expect.exit),
        (None, Some(Point::new(3, 4)))
    );
    let updated = |change: &dyn Fn(&mut Design)| {
        let mut changed = design.clone();
        change(&mut changed);
        let text = native::update(EXPECTING, &changed).expect("a design");
        assert_eq!(read(&text).expect, changed.expect, "{text}");
        text
    };
    let longer = updated(&|d| d.expect.that.extend(["loops > 2".into(), "fill > 0".into()]));
    let expected = EXPECTING.replace("95%\",\n", "95%\",\n    \"loops > 2\",\n    \"fill > 0\",\n");
    assert_eq!(longer, expected);
    let other = updated(&|d| d.expect.that[1] = "path >= 200".into());
    assert_eq!(other, EXPECTING.replace("path >= 180 in 95%", "path >= 200"));
    let moved = updated(&|d| d.expect.exit = Some(Point::new(9, 9)));
    assert_eq!(moved, EXPECTING.replace("[3, 4]", "[9, 9]"));
    let entered = updated(&|d| d.expect.entrance = Some(Point::new(1, 1)));
    assert!(entered.contains("# the pit\nentrance = [1, 1]\n"), "{entered}");
    let none = updated(&|d| d.expect.that.clear());
    assert!(none.contains("# One must get through.\nthat = [\n]\nexit"), "{none}");
    // An expectation about another metric does not get the comment of the old one.
    let replaced = updated(&|d| d.expect.that = vec!["loops > 2".into(), "path >= 200".into()]);
    let expected = EXPECTING.replace("\"reachable\", # of course", "\"loops > 2\",");
    assert_eq!(replaced, expected.replace("path >= 180 in 95%", "path >= 200"));
    let swapped = updated(&|d| d.expect.that.swap(0, 1));
    let [first, second] = [
        "    \"reachable\", # of course\n",
        "    # Not too short:\n    \"path >= 180 in 95%\",\n",
    ];
    let [one, other] = [[first, second].concat(), [second, first].concat()];
    assert_eq!(swapped, EXPECTING.replace(&one, &other));
    let nowhere = updated(&|d| d.expect.exit = None);
    assert!(nowhere.contains("# the pit"), "{nowhere}");
    // Into a text that has none yet.
    let mut design = read(BY_HAND);
    design.expect.that.push("reachable".into());
    let text = native::update(BY_HAND, &design).expect("a design");
    assert!(
        text.starts_with(BY_HAND) && text.ends_with("[expect]\nthat = [\n    \"reachable\",\n]\n"),
        "{text}"
    );
    assert_eq!(read(&native::write(&design)).expect, design.expect);
}

#[test]
fn items_of_a_list_over_several_lines_keep_their_comments() {
    let text = "[layout]\nwalls = [ # all of them\n  [1, 2], # one\n  # the next\n  [3, 4],\n  [5, 6] # last\n]\n";
    let update = |walls: &[(i32, i32)]| {
        let mut design = read(text);
        design.layout.walls = walls.iter().map(|&(x, y)| Point::new(x, y)).collect();
        native::update(text, &design).expect("a design")
    };
    assert_eq!(update(&[(1, 2), (5, 6)]), text.replace("  # the next\n  [3, 4],\n", ""));
    assert_eq!(
        update(&[(3, 4), (7, 7)]),
        text.replace("  [1, 2], # one\n", "").replace("[5, 6]", "[7, 7]")
    );
    assert_eq!(
        update(&[(5, 6), (1, 2), (3, 4)]),
        "[layout]\nwalls = [ # all of them\n  [5, 6], # last\n  [1, 2], # one\n  # the next\n  [3, 4],\n]\n"
    );
    assert_eq!(update(&[(1, 2), (3, 4), (8, 8)]), text.replace("[5, 6]", "[8, 8]"));
    assert_eq!(
        update(&[(1, 2), (3, 4), (5, 6), (7, 8)]),
        text.replace("  [5, 6] # last\n", "  [5, 6], # last\n    [7, 8],\n")
    );
    assert_eq!(
        update(&[(0, 9), (1, 2), (3, 4), (5, 6)]),
        text.replace("all of them\n", "all of them\n    [0, 9],\n")
    );
    assert_eq!(update(&[]), "[layout]\nwalls = [ # all of them\n]\n");
    // If several squares share a line, it is not clear to which of them a comment belongs.
    let text = "[layout]\nwalls = [\n  # the hall\n  [1, 2], [3, 4], # its end\n  [5, 6],\n]\n";
    let mut design = read(text);
    design.layout.walls.truncate(0);
    let updated = native::update(text, &design).expect("a design");
    assert!(
        updated.contains("# the hall") && updated.contains("# its end"),
        "{updated}"
    );
}

#[test]
fn removed_squares_leave_no_lines_of_white_space() {
    let text = "[layout]\nwalls = [\n    [1, 2], [3, 4],\n    [5, 6], [7, 8], [9, 9],\n    [1, 1],\n]\n";
    let update = |text: &str, walls: &[(i32, i32)]| {
        let mut design = read(text);
        design.layout.walls = walls.iter().map(|&(x, y)| Point::new(x, y)).collect();
        native::update(text, &design).expect("a design")
    };
    let two_lines = "[layout]\nwalls = [\n    [1, 2], [3, 4],\n    [1, 1],\n]\n";
    assert_eq!(update(text, &[(1, 2), (3, 4), (1, 1)]), two_lines);
    assert_eq!(update(text, &[(1, 2)]), "[layout]\nwalls = [\n    [1, 2],\n]\n");
    assert_eq!(update(text, &[]), "[layout]\nwalls = []\n");
    let many: Vec<_> = (1..30).map(|y| (9, y)).collect();
    for few in [&[][..], &[(1, 2)], &[(1, 2), (3, 4), (5, 6)]] {
        for text in ["[layout]\nwalls = []\n", "[layout]\r\nwalls = [ # all\r\n]\r\n", text] {
            let before = update(text, few);
            let more = update(&before, &[few, &many].concat());
            assert_eq!(update(&more, few), before);
            assert_eq!(
                text.contains('\r'),
                !more.replace("\r\n", "").contains('\n'),
                "{more:?}"
            );
        }
    }
}

const WITH_HEADINGS: &str = "\
# West of the river

# first room
[[room]] # one
div = 2
# the width
width = 4 # four
# delay = 3

# East of the river

# second room
[[room]] # two
div = 3

[[room]]
div = 4
[[crawler]] # alone
x = 0
y = 30
# its direction is as usual

[limits] # the last table
rooms = 99
crawlers = 99
";

#[test]
fn comments_of_a_removed_record_do_not_move_to_another_record() {
    let design = read(WITH_HEADINGS);
    let updated = |change: &dyn Fn(&mut Design)| {
        let mut changed = design.clone();
        change(&mut changed);
        native::update(WITH_HEADINGS, &changed).expect("a design")
    };
    let part = |from: &str, to: &str| {
        let at = |part: &str| WITH_HEADINGS.find(part).expect("a part");
        &WITH_HEADINGS[at(from)..at(to)]
    };
    let first = part("# first room", "# East");
    let second = part("# second room", "[[room]]\ndiv = 4");
    let third = part("\n[[room]]\ndiv = 4", "[[crawler]]");
    let crawler = part("[[crawler]]", "\n[limits]");
    let remove = |i: usize| {
        updated(&|d| {
            d.layout.rooms.remove(i);
        })
    };
    assert_eq!(remove(0), WITH_HEADINGS.replace(first, ""));
    assert_eq!(remove(1), WITH_HEADINGS.replace(second, ""));
    assert_eq!(remove(2), WITH_HEADINGS.replace(third, ""));
    assert_eq!(
        updated(&|d| d.layout.rooms.clear()),
        WITH_HEADINGS.replace(first, "").replace(second, "").replace(third, "")
    );
    assert_eq!(
        updated(&|d| d.layout.crawlers.clear()),
        WITH_HEADINGS.replace(crawler, "")
    );
    // A heading does not get directly above the next table.
    let text = "# Halls\n\n[[room]] # gone\ndiv = 2\n[[room]]\ndiv = 3\n";
    let mut design = read(text);
    design.layout.rooms.remove(0);
    assert_eq!(
        native::update(text, &design).expect("a design"),
        "# Halls\n\n[[room]]\ndiv = 3\n"
    );
}

#[test]
fn a_record_is_added_between_the_records_that_it_is_between() {
    let mut design = read(WITH_HEADINGS);
    let room = |div| Room { div, ..Room::default() };
    design.layout.rooms.insert(1, room(7));
    design.layout.rooms.insert(0, room(6));
    let updated = native::update(WITH_HEADINGS, &design).expect("a design");
    assert_eq!(read(&updated).layout.rooms, design.layout.rooms);
    let without_new: String = updated
        .split_inclusive("\n\n")
        .filter(|part| !part.contains("div = 6") && !part.contains("div = 7"))
        .collect();
    assert_eq!(without_new, WITH_HEADINGS);
    design.layout.rooms.remove(2);
    design.layout.rooms.remove(0);
    assert_eq!(native::update(&updated, &design).expect("a design"), WITH_HEADINGS);
}

#[test]
fn adding_and_removing_the_only_record_leaves_no_blank_line() {
    let plain = native::write(&Design::default());
    for text in [WITH_HEADINGS, &plain, "format = 1\n\n[limits]\nrooms = 99\n"] {
        let design = read(text);
        let mut changed = design.clone();
        changed.layout.rooms.push(Room::default());
        changed.layout.vaults.push(VaultEntry::default());
        changed.layout.vaults.push(VaultEntry::default());
        changed.layout.places.push(NamedPlace::default());
        let longer = native::update(text, &changed).expect("a design");
        assert_eq!(native::update(&longer, &design).expect("a design"), text);
    }
}

#[test]
fn inline_tables_are_edited_in_place() {
    let text = "room = [{ div = 2 }, { div = 3, width = 4 }]\ncrawler = []\n";
    let mut design = read(text);
    design.layout.rooms[0].width = 8;
    design.layout.rooms[1].width = 7;
    design.layout.crawlers.push(CrawlerStart::default());
    assert_eq!(
        native::update(text, &design).expect("a design"),
        "room = [{ div = 2, width = 8 }, { div = 3, width = 7 }]\n\
         crawler = [{ x = 0, y = 50, direction = 12, delay = 0, termination = 1 }]\n"
    );
    design.layout.rooms.remove(0);
    let updated = native::update(text, &design).expect("a design");
    assert!(updated.starts_with("room = [{ div = 3, width = 7 }]\n"), "{updated}");
}

#[test]
fn a_text_that_is_not_a_design_is_not_updated() {
    for text in ["", "seed = ", "format = 2\n", "title = 'shopping list'\n"] {
        let errors = native::update(text, &Design::default()).expect_err("refused");
        assert!(errors.iter().any(|d| d.severity == Severity::Error), "{text}");
    }
}

#[test]
fn seeds_may_be_large_and_have_several_notations() {
    for (literal, seed) in [
        ("18446744073709551615", u64::MAX),
        ("\"18446744073709551615\"", u64::MAX),
        ("'0xffffffffffffffff'", u64::MAX),
        ("0xff", 255),
        ("1_000", 1000),
    ] {
        assert_eq!(read(&format!("seed = {literal}")).seed, seed, "{literal}");
    }
    for literal in ["-1", "1.5", "'many'", "18446744073709551616"] {
        let parsed = native::parse(&Text::new("d.toml", format!("seed = {literal}")));
        let diagnostic = &parsed.diagnostics[0];
        let source = diagnostic.source.as_ref().expect("a place");
        assert_eq!(
            (diagnostic.severity, source.line, source.column),
            (Severity::Warning, 1, 8),
            "{literal}"
        );
        assert_eq!(parsed.value.seed, Design::default().seed);
    }
}

#[test]
fn entries_swap_in_a_text_without_a_final_line_break() {
    let text = "format = 1\n\n[[vault]]\nmap = \"a\" # first\n\n[[vault]]\nmap = \"b\" # second";
    let mut design = native::parse(&Text::new("", text)).value;
    design.layout.vaults.swap(0, 1);
    let updated = native::update(text, &design).unwrap();
    assert_eq!(
        updated,
        "format = 1\n\n[[vault]]\nmap = \"b\" # second\n\n[[vault]]\nmap = \"a\" # first\n"
    );
}

#[test]
fn names_in_any_case_are_accepted_and_kept_in_the_file() {
    let text = "[layout]\ndimX = 40\nDIM_Y = 50\n\n[[generation]]\nmaxage = 3\nMaxAge = 4\nStepLength = 6\n";
    let parsed = native::parse(&Text::new("d.toml", text));
    let mut design = parsed.value;
    assert_eq!(design.layout.size, Size::new(40, 50));
    let first = &design.character.generations[0];
    assert_eq!((first.max_age, first.step_length), (3, 6));
    let twice: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|d| d.message.contains("given twice"))
        .collect();
    assert_eq!(twice.len(), 1, "{:?}", parsed.diagnostics);
    assert_eq!(twice[0].severity, Severity::Warning);
    assert_eq!(twice[0].source.as_ref().map(|source| source.line), Some(7));
    design.character.generations[0].max_age = 9;
    let updated = native::update(text, &design).expect("a design");
    assert!(updated.contains("maxage = 9\nMaxAge = 4\n"), "{updated}");
}

#[test]
fn a_key_for_the_last_table_is_written_before_a_new_table() {
    let text = "# my keep\nformat = 1\nseed = 1   # lucky\n[layout]\ndim_x = 40   # tall\ndim_y = 60\n[[crawler]]\n\
                x = 20\ny = 30\ndirection = 12\n# what I want\n[expect]\nthat = [\n    \"path >= 10\",\n]\n";
    let mut design = read(text);
    design.expect.entrance = Some(Point::new(1, 2));
    design.layout.places.push(NamedPlace {
        name: "boss".into(),
        ..NamedPlace::default()
    });
    assert_eq!(
        native::update(text, &design).expect("a design"),
        format!("{text}entrance = [1, 2]\n\n[[place]]\nx = 0\ny = 0\nroom = 0\nvault = 0\nname = \"boss\"\n")
    );

    let text = "format = 1\n\n[layout] # mine\ndim_x = 40\ndim_y = 60\n";
    let mut design = read(text);
    design.constants.join_dist = 5;
    design.layout.walls.push(Point::new(3, 4));
    assert_eq!(
        native::update(text, &design).expect("a design"),
        format!("{text}walls = [[3, 4]]\n\n[constants]\njoin_dist = 5\n")
    );

    // The same with dotted keys, which are all in the last, and only, table.
    let text = "format = 1\nlayout.dim_x = 40 # mine\nlayout.dim_y = 60\n";
    let mut design = read(text);
    design.constants.join_dist = 5;
    design.layout.walls.push(Point::new(3, 4));
    assert_eq!(
        native::update(text, &design).expect("a design"),
        format!("{text}layout.walls = [[3, 4]]\n\n[constants]\njoin_dist = 5\n")
    );
}

/// Returns every order of some or all of the items.
fn orders<'a>(items: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut all = vec![Vec::new()];
    for (i, first) in items.iter().enumerate() {
        let others = [&items[..i], &items[i + 1..]].concat();
        all.extend(orders(&others).into_iter().map(|rest| [&[*first][..], &rest].concat()));
    }
    all
}

#[test]
fn any_two_added_keys_or_tables_leave_every_line_of_the_text_in_place() {
    let tables = [
        "# size\n[layout] # l\ndim_x = 40 # tall\ndim_y = 60\n",
        "[constants]\njoin_dist = 5 # near\n# end of constants\n",
        "[[crawler]]\nx = 20\n# y below\ny = 30\n\n",
        "# goals\n[expect]\nthat = [\n    \"path >= 10\", # far\n]\n",
    ];
    let additions: [fn(&mut Design); 13] = [
        |d| d.notes = "new".into(),
        |d| d.constants.jumper_life = 7,
        |d| d.layout.protuberances = 3,
        |d| d.layout.walls.push(Point::new(3, 4)),
        |d| d.layout.limits.rooms = 99,
        |d| d.layout.rooms.push(Room::default()),
        |d| d.layout.crawlers.push(CrawlerStart::default()),
        |d| d.layout.crawlers.iter_mut().for_each(|crawler| crawler.delay = 4),
        |d| d.character.generations[1].max_age = 99,
        |d| d.layout.vaults.push(VaultEntry::default()),
        |d| d.layout.places.push(NamedPlace::default()),
        |d| d.expect.entrance = Some(Point::new(1, 2)),
        |d| d.expect.that.push("loops > 2".into()),
    ];
    let texts = orders(&tables)
        .into_iter()
        .map(|order| format!("# top\nformat = 1 # one\n{}", order.concat()));
    // The last line may lack its line break.
    for text in texts.flat_map(|text| [text.trim_end().to_owned(), text]) {
        let design = read(&text);
        for (i, first) in additions.iter().enumerate() {
            for second in &additions[i..] {
                let mut changed = design.clone();
                first(&mut changed);
                second(&mut changed);
                let updated = native::update(&text, &changed).expect("a design");
                let mut lines = updated.lines();
                let missing = text.lines().find(|line| !lines.any(|other| other == *line));
                assert_eq!(missing, None, "{text}\n-----\n{updated}");
                let mut read = read(&updated);
                for design in [&mut read, &mut changed] {
                    design.layout.limits = design.layout.limits.raised_for(&design.layout);
                }
                assert_eq!(read, changed, "{text}\n-----\n{updated}");
            }
        }
    }
}

#[test]
fn a_text_without_generations_gets_all_of_them_so_that_none_is_missing() {
    let text = "format = 1\n\n[layout]\ndim_x = 40\ndim_y = 60\n";
    let mut design = read(text);
    design.character.generations[2].max_age = 99;
    let updated = native::update(text, &design).expect("a design");
    let parsed = native::parse(&Text::new("design.toml", &updated));
    assert_eq!(parsed.value, design);
    let warnings: Vec<_> = parsed
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Warning)
        .collect();
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn keys_are_added_above_an_indented_table() {
    let text = "# mine\n\n[constants]\njoin_dist = 4 # near\n\n  # the size\n  [layout]\n  dim_x = 40\n  dim_y = 60\n";
    let mut design = read(text);
    design.seed = 9;
    design.constants.max_crawlers = 5;
    assert_eq!(
        native::update(text, &design).expect("a design"),
        text.replace("[constants]", "seed = 9\n[constants]")
            .replace("# near\n", "# near\nmax_crawlers = 5\n")
    );
}

#[test]
fn keys_are_added_between_a_byte_order_mark_and_the_first_table() {
    for text in [
        "[layout]\ndim_x = 40 # rows\ndim_y = 60\n",
        "# mine\n[layout]\ndim_x = 40\ndim_y = 60\n",
    ] {
        let marked = format!("\u{feff}{text}");
        let mut design = read(&marked);
        design.seed = 9;
        assert_eq!(
            native::update(&marked, &design).expect("a design"),
            format!("\u{feff}seed = 9\n{text}")
        );
    }
}

/// Returns whether each line ends with CRLF.
fn has_crlf_only(text: &str) -> bool {
    text.matches('\n').count() == text.matches("\r\n").count() && !text.contains("\\r")
}

#[test]
fn notes_of_several_lines_are_read_and_saved_in_a_file_with_crlf() {
    let text = "name = \"x\" # mine\r\n\r\n[layout]\r\ndim_x = 40\r\ndim_y = 60\r\n";
    let mut design = read(text);
    design.notes = "first\nsecond".into();
    let with_notes = native::update(text, &design).expect("a design");
    assert_eq!(
        with_notes,
        text.replace("# mine\r\n", "# mine\r\nnotes = \"\"\"\r\nfirst\r\nsecond\"\"\"\r\n")
    );
    assert_eq!(read(&with_notes), design);
    design.notes = "first\nthird".into();
    design.expect.that.push("reachable\nor path > 3".into());
    let changed = native::update(&with_notes, &design).expect("a design");
    assert!(has_crlf_only(&changed), "{changed:?}");
    assert!(
        changed.starts_with(&with_notes.replace("second", "third")),
        "{changed:?}"
    );
    assert_eq!(read(&changed), design);
}

#[test]
fn a_carriage_return_in_a_string_is_kept() {
    for text in ["notes = \"a\\r\\nb\"\n", "notes = \"\"\"\na\\r\r\nb\"\"\"\r\n"] {
        let mut design = read(text);
        assert_eq!(design.notes, "a\r\nb");
        design.notes.push_str("\r\nc");
        let updated = native::update(text, &design).expect("a design");
        assert_eq!(read(&updated), design, "{updated:?}");
    }
}

#[test]
fn a_text_that_is_written_anew_keeps_its_line_breaks_and_has_no_empty_list_of_comments() {
    // The comment inside the changed value prevents a small edit.
    let text = "format = 1\r\nexpect = { exit = [3, # far\r\n 4], that = [] }\r\n";
    let mut design = read(text);
    design.expect.exit = Some(Point::new(5, 6));
    let updated = native::update(text, &design).expect("a design");
    assert_eq!(read(&updated), design);
    assert!(updated.contains("# far\r\n") && has_crlf_only(&updated), "{updated:?}");

    // A number in the place of a table prevents a small edit too.
    let text = "format = 1\nexpect = 5\n";
    let mut design = read(text);
    design.expect.entrance = Some(Point::new(1, 2));
    let updated = native::update(text, &design).expect("a design");
    assert_eq!(read(&updated), design);
    assert!(!updated.contains("Comments that the file had"), "{updated}");
}

#[test]
fn an_exit_is_removed_from_an_inline_table_with_other_keys() {
    for (text, without) in [
        (
            "expect = {exit = [3,4], that=[\"reachable\"]} # mine\n",
            "expect = {that=[\"reachable\"]} # mine\n",
        ),
        (
            "expect = { that = [\"reachable\"], exit = [3, 4] }\n",
            "expect = { that = [\"reachable\"] }\n",
        ),
        (
            "expect = { entrance = [1, 2], exit = [3, 4], that = [] }\n",
            "expect = { that = [] }\n",
        ),
        ("expect = { entrance = [1, 2], exit = [3, 4] }\n", "expect = {  }\n"),
        (
            "expect = {\n    exit = [3, 4], # out\n    that = [\"reachable\"],\n}\n",
            "expect = {\n# out\n    that = [\"reachable\"],\n}\n",
        ),
        (
            "expect = {\n    that = [\"reachable\"],\n    exit = [3, 4]\n}\n",
            "expect = {\n    that = [\"reachable\"],\n}\n",
        ),
    ] {
        let mut design = read(text);
        design.expect.entrance = None;
        design.expect.exit = None;
        assert_eq!(native::update(text, &design).expect("a design"), without);
    }
}

#[test]
fn keys_of_an_inline_table_are_removed_with_a_comma_and_their_comments_stay() {
    for (text, without) in [
        (
            "expect = { that = [\"loops > 2\"], entrance = [1, 2], exit = [3, 4] }\n",
            "expect = { that = [\"loops > 2\"] }\n",
        ),
        (
            "expect = { exit = [3, 4], that = [\"loops > 2\"], entrance = [1, 2] }\n",
            "expect = { that = [\"loops > 2\"] }\n",
        ),
        (
            "expect = { entrance = [1, 2] # e\n , that = [\"loops > 2\"] }\n",
            "expect = { # e\n that = [\"loops > 2\"] }\n",
        ),
        (
            "expect = { that = [\"loops > 2\"], entrance = [1, 2] # e\n , exit = [3, 4] }\n",
            "expect = { that = [\"loops > 2\"] # e\n }\n",
        ),
        (
            "expect = { entrance = [1, 2], # e\n exit = [3, 4] }\n",
            "expect = { # e\n  }\n",
        ),
    ] {
        let mut design = read(text);
        design.expect.entrance = None;
        design.expect.exit = None;
        assert_eq!(native::update(text, &design).expect("a design"), without);
    }
}

#[test]
fn new_keys_take_the_place_of_a_removed_key_of_an_inline_table() {
    for (text, with) in [
        (
            "expect = { entrance = [1, 2] } # mine\n",
            "expect = { exit = [5, 5] } # mine\n",
        ),
        (
            "expect = { entrance = [1, 2], that = [\"loops > 2\"] }\n",
            "expect = { exit = [5, 5], that = [\"loops > 2\"] }\n",
        ),
        (
            "expect = {\n    entrance = [1, 2], # e\n}\n",
            "expect = {\n    exit = [5, 5], # e\n}\n",
        ),
    ] {
        let mut design = read(text);
        design.expect.entrance = None;
        design.expect.exit = Some(Point::new(5, 5));
        assert_eq!(native::update(text, &design).expect("a design"), with);
    }
    let mut design = read("expect = { entrance = [1, 2], exit = [3, 4] }\n");
    design.expect.entrance = None;
    design.expect.exit = None;
    design.expect.that.push("loops > 2".into());
    let updated = native::update("expect = { entrance = [1, 2], exit = [3, 4] }\n", &design).expect("a design");
    assert!(updated.starts_with("expect = { that = ["), "{updated}");
    assert_eq!(read(&updated), design);
}

#[test]
fn a_key_is_added_before_the_comment_that_ends_an_inline_table() {
    for (last, longer) in [
        ("dim_y = 40 # columns", "dim_y = 40, protuberances = 3 # columns"),
        ("dim_y = 40, # columns", "dim_y = 40, protuberances = 3 # columns"),
    ] {
        let text = format!("layout = {{\n    dim_x = 40, # rows\n    {last}\n}}\n");
        let mut design = read(&text);
        design.layout.protuberances = 3;
        assert_eq!(
            native::update(&text, &design).expect("a design"),
            text.replace(last, longer)
        );
    }
}

/// Returns the messages of the warnings about a text, each with the text that it marks.
fn warnings(text: &str) -> Vec<(String, String)> {
    let parsed = native::parse(&Text::new("d.toml", text));
    let found = parsed.diagnostics.into_iter();
    found
        .filter(|found| found.severity == Severity::Warning && !found.message.contains("generations"))
        .map(|found| (found.message, found.source.expect("a place").text))
        .collect()
}

#[test]
fn a_limit_that_is_not_given_is_reported_as_a_default_at_its_table() {
    let squares = "walls = [[1, 2], [3, 4], [5, 6]]\n";
    let limits = format!("format = 1\n[layout]\n{squares}[limits]\nrooms = 5\n");
    assert_eq!(
        warnings(&limits),
        [(
            "the default closed = 1 allows fewer than 1, but the file has 3; all of them are used".to_owned(),
            "[limits]".to_owned()
        )]
    );
    let given = format!("format = 1\n[layout]\n{squares}[limits]\nclosed = 2\n");
    assert_eq!(
        warnings(&given),
        [(
            "closed = 2 allows fewer than 2, but the file has 3; all of them are used".to_owned(),
            "2".to_owned()
        )]
    );
    let no_table = format!("limits = 5\n[layout]\n{squares}");
    assert_eq!(
        warnings(&no_table),
        [(
            "expected a table for limits, found a whole number; it is ignored".to_owned(),
            "5".to_owned()
        )]
    );
}

#[test]
fn a_square_with_bad_numbers_is_not_reported_as_a_list() {
    for square in ["[3, 99999999999]", "[1, 2.5]", "[1, 2, 3]"] {
        assert_eq!(
            warnings(&format!("[expect]\nexit = {square}\n")),
            [(
                "exit is not [x, y] with whole numbers that fit in 32 bits; it is ignored".to_owned(),
                square.to_owned()
            )]
        );
    }
}

#[test]
fn designs_are_recognized_in_any_notation_and_other_toml_files_are_not() {
    for text in [
        "layout.dim_x = 40\n",
        "# mine\nconstants . join_dist = 5\n",
        "crawler = [{ x = 1, y = 2 }]\n",
        "expect={that = []}\n",
        "  [layout]\n",
        "[[ room ]] # a = b\n",
        "\u{feff}format = 1\n",
        "name = 'x'\nseed = '0x7'\n",
    ] {
        assert!(native::is_design(text), "{text}");
    }
    for text in [
        "format = \"$all\"\n[character]\nsuccess_symbol = \"x\"\n",
        "room = 5\n",
        "[package]\nname = 'seed = 1'\n",
        "a.layout = 3\n",
        "",
    ] {
        assert!(!native::is_design(text), "{text}");
    }
}

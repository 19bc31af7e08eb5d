//! `vault check`: maps that the game rejects, reports for programs, and the names of monsters and items.

use serde_json::Value;

use super::{Folder, run};

/// Rule, line, column, severity and message of a finding.
type Row = (String, u64, u64, String, String);

/// Returns the exit status and the findings of a file.
fn check(text: &str, args: &[&str]) -> (i32, Vec<Row>) {
    let folder = Folder::empty();
    folder.put("own.des", text);
    let path = folder.path("own.des");
    let ran = run(&[&["vault", "check", "--format", "json", &path], args].concat());
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    let text = |value: &Value, key: &str| value[key].as_str().expect(key).to_owned();
    let number = |value: &Value, key: &str| value[key].as_u64().expect(key);
    let row = |value: &Value| {
        assert!(!text(value, "help").is_empty(), "a finding says what to do: {value}");
        (
            text(value, "rule"),
            number(value, "line"),
            number(value, "column"),
            text(value, "severity"),
            text(value, "message"),
        )
    };
    (ran.status, findings.iter().map(row).collect())
}

/// Checks that a map is refused for one reason, at a line and column, with a message that contains a text.
#[track_caller]
fn refused(text: &str, rule: &str, line: u64, column: u64, message: &str) {
    let (status, findings) = check(text, &[]);
    assert_eq!(status, 1, "{findings:?}");
    let [(found, at, character, severity, described)] = &findings[..] else {
        panic!("one finding: {findings:?}");
    };
    assert_eq!(
        (found.as_str(), *at, *character, severity.as_str()),
        (rule, line, column, "error"),
        "{described}"
    );
    assert!(described.contains(message), "{described}");
}

fn map(headers: &str, rows: &str) -> String {
    format!("NAME: a\n{headers}MAP\n{rows}ENDMAP\n")
}

#[test]
fn json_is_short_for_its_format() {
    let folder = Folder::empty();
    folder.put("own.des", &map("DEPTH: D\n", &(".".repeat(54) + "\n")));
    let path = folder.path("own.des");
    let long = run(&["vault", "check", &path, "--format", "json"]);
    let short = run(&["vault", "check", &path, "--json"]);
    assert_eq!(long.status, 1);
    assert!(long.out.contains("53 × 46"), "{}", long.out);
    assert_eq!((short.status, short.out), (1, long.out));
    assert_eq!(run(&["vault", "check", &path, "--json", "--format", "sarif"]).status, 2);
}

#[test]
fn maps_larger_than_their_kind_are_refused() {
    let wide = |cells: usize| ".".repeat(cells) + "\n";
    refused(&map("DEPTH: D\nORIENT: float\n", &wide(54)), "size", 3, 9, "54 × 1");
    refused(&map("DEPTH: D\n", &wide(54)), "size", 1, 7, "53 × 46");
    refused(
        &map("DEPTH: D\nORIENT: north\n", &".\n".repeat(47)),
        "size",
        3,
        9,
        "80 × 46",
    );
    refused(&map("DEPTH: D\nORIENT: east\n", &wide(54)), "size", 3, 9, "53 × 70");
    refused(
        &map("DEPTH: D\nORIENT: encompass\n", &wide(81)),
        "size",
        3,
        9,
        "80 × 70",
    );
    for (headers, cells) in [
        ("ORIENT: float\n", 53),
        ("", 53),
        ("ORIENT: south\n", 80),
        ("ORIENT: encompass\n", 80),
    ] {
        let text = map(&format!("DEPTH: D\n{headers}"), &wide(cells));
        assert_eq!(check(&text, &[]), (0, Vec::new()), "{headers}");
    }
}

#[test]
fn a_map_without_an_exit_is_rejected() {
    let closed = "xxx\nx.x\nxxx\n";
    refused(&map("DEPTH: D\n", closed), "exit", 1, 7, "nothing leads out");
    for (headers, rows) in [
        ("", "xxx\nx.@\nxxx\n"),
        ("", "xxx\nx.=\nxxx\n"),
        ("", "xxx\nx..\nxxx\n"),
        ("", "xxx\nx>x\nxxx\n"),
        ("KFEAT: O = enter_sewer\n", "xxx\nxOx\nxxx\n"),
        ("", "xwx\nx.x\nxxx\n"),
        ("TAGS: no_exits\n", closed),
        ("ORIENT: encompass\n", closed),
        // It is enough that one seed yields a way out.
        ("SUBST: x = x:100 .\n", closed),
    ] {
        let text = map(&format!("DEPTH: D\n{headers}"), rows);
        assert_eq!(check(&text, &[]), (0, Vec::new()), "{headers}{rows}");
    }
}

#[test]
fn a_map_that_the_game_never_chooses_is_rejected() {
    refused(&map("", "..+\n"), "selection", 1, 7, "no DEPTH, no PLACE");
    refused(
        &map("TAGS: no_rotate uniq_a extra bloody\n", "..+\n"),
        "selection",
        1,
        7,
        "never chooses",
    );
    for headers in [
        "DEPTH: D\n",
        "PLACE: D:2\n",
        "TAGS: my_portal\n",
        ": tags(\"my_portal\")\n",
    ] {
        assert_eq!(check(&map(headers, "..+\n"), &[]), (0, Vec::new()), "{headers}");
    }
    let text = format!("default-depth: D\n{}", map("", "..+\n"));
    assert_eq!(check(&text, &[]), (0, Vec::new()));
}

#[test]
fn unknown_names_are_refused_with_a_suggestion() {
    refused(
        &map("DEPTH: Dungeon:3-5\n", "..+\n"),
        "grammar",
        2,
        8,
        "did you mean `D`?",
    );
    refused(
        &map("DEPTH: D, Snak\n", "..+\n"),
        "grammar",
        2,
        11,
        "did you mean `Snake`?",
    );
    refused(
        &map("DEPTH: D\nKFEAT: . = granit_statue\n", "..+\n"),
        "grammar",
        3,
        12,
        "did you mean `granite_statue`?",
    );
    refused(
        &map("DEPTH: D\nKFEAT: . = cheese_board\n", "..+\n"),
        "lua",
        3,
        12,
        "unknown feature: `cheese_board`",
    );
    refused(
        &map("DEPTH: D\nKFEAT: . = arow trap\n", "..+\n"),
        "grammar",
        3,
        12,
        "did you mean `trap_mechanical`, formerly `arrow trap`?",
    );
    refused(
        &map("DEPTH: D\nFHEIGHT: . = 2 / high\n", "..+\n"),
        "grammar",
        3,
        18,
        "a height is a whole number",
    );
}

#[test]
fn possible_effects_of_undefined_functions_are_not_errors() {
    let closed = "xxx\nxZx\nxxx\n";
    let (status, findings) = check(&map(": somebody_elses_setup(_G)\n", closed), &[]);
    let found: Vec<(&str, &str)> = findings.iter().map(|row| (row.0.as_str(), row.3.as_str())).collect();
    assert_eq!(
        (status, &found[..]),
        (0, &[("exit", "warning"), ("selection", "warning")][..])
    );
    let refusals = check(&map(": own()\n", closed), &[]).1.len();
    assert_eq!(refusals, 2);
    let own = map(": own()\n", closed) + "default-depth:\n{{\nfunction own()\nend\n}}\n";
    assert_eq!(check(&own, &[]).0, 1);
    let invalid = map("DEPTH: D\n: somebody_elses_setup(_G)\n", "..+\n") + "validate {{ return false }}\n";
    let (status, findings) = check(&invalid, &[]);
    assert_eq!(
        (status, findings[0].0.as_str(), findings[0].3.as_str()),
        (0, "validation", "warning")
    );
}

#[test]
fn a_map_without_rows_is_refused_unless_lua_draws_them() {
    refused("NAME: a\nDEPTH: D\n", "rows", 1, 7, "no rows");
    let drawn = "NAME: a\nDEPTH: D\n: map(\"..+\")\n";
    assert_eq!(check(drawn, &[]), (0, Vec::new()));
    assert_eq!(check("NAME: a\nDEPTH: D\nTAGS: dummy\n", &[]), (0, Vec::new()));
}

#[test]
fn cells_outside_of_the_map_are_refused_and_counting_from_one_is_explained() {
    let lua = |code: &str| map(&format!("DEPTH: D\n: {code}\n"), "..+\n...\n");
    refused(&lua("mapgrd[3][2] = 'x'"), "lua", 3, 3, "counts from 0");
    refused(
        &lua("mapgrd[width()][height()] = 'x'"),
        "lua",
        3,
        3,
        "3 columns and 2 rows",
    );
    refused(
        &lua("if mapgrd[-1][0] == 'x' then return end"),
        "lua",
        3,
        6,
        "mapgrd[-1][0]",
    );
    assert_eq!(
        check(&lua("mapgrd[width() - 1][height() - 1] = '.'"), &[]),
        (0, Vec::new())
    );
}

#[test]
fn a_glyph_without_meaning_is_a_warning_and_an_error_if_strict() {
    let text = map("DEPTH: D\n", "..Z\n..+\n");
    let (status, findings) = check(&text, &[]);
    assert_eq!(status, 0);
    assert_eq!(
        (
            findings[0].0.as_str(),
            findings[0].1,
            findings[0].2,
            findings[0].3.as_str()
        ),
        ("glyph", 4, 3, "warning")
    );
    let (status, findings) = check(&text, &["--strict"]);
    assert_eq!((status, findings[0].3.as_str()), (1, "error"));
    for headers in [
        "KFEAT: Z = floor\n",
        "SUBST: Z = .\n",
        "KMONS: Z = orc\n",
        ": if mapgrd[0][0] == 'Z' then end\n",
    ] {
        let text = map(&format!("DEPTH: D\n{headers}"), "..Z\n..+\n");
        assert_eq!(check(&text, &["--strict"]), (0, Vec::new()), "{headers}");
    }
}

/// Returns a folder with an invented copy of the game's descriptions.
fn game() -> Folder {
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("descript")).expect("a folder");
    let monsters = "%%%%\n__suffix\n\nNo name.\n%%%%\n# Uniques\nBruno\n\nA man.\n%%%%\nthe Duke\n\nA duke.\n%%%%\nmarsh rat\n\nWet.\n%%%%\n";
    let items = "%%%%\nbronze bell\n\nIt rings.\n%%%%\nbell \"Loud\"\n\nIt rings.\n%%%%\n";
    folder.put("descript/monsters.txt", monsters);
    folder.put("descript/items.txt", items);
    folder
}

#[test]
fn monsters_and_items_are_checked_against_the_player_s_copy_or_its_saved_names() {
    let game = game();
    let folder = Folder::empty();
    let names = folder.path("names.json");
    let saved = run(&["vault", "names", "--crawl-data", &game.path(""), "--output", &names]);
    assert_eq!(
        (saved.status, saved.err.as_str()),
        (0, "3 monsters, 3 items, 0 spells, 0 brands, 0 tiles\n")
    );
    let again = run(&["vault", "names", "--crawl-data", &game.path(""), "--output", &names]);
    assert_eq!(again.status, 0, "it replaces its own file: {}", again.err);
    let text = map(
        "DEPTH: D\nMONS: marsh rat / Bruno, generate_awake Duke hd:9 ; bronze bell\nKMONS: A = marsh rat zombie, \\\n  marhs rat w:5\nITEM: loud, \
         q:3 bronze bell no_pickup / bronze bel\n",
        "1A.+\n",
    );
    for args in [["--names", names.as_str()], ["--crawl-data", game.path("").as_str()]] {
        let (status, findings) = check(&text, &args);
        assert_eq!(status, 0, "a newer game may have them");
        let found: Vec<(u64, u64, &str)> = findings
            .iter()
            .map(|(_, line, column, _, message)| (*line, *column, message.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (5, 3, "unknown monster; did you mean `marsh rat`?: `marhs rat`"),
                (6, 41, "unknown item; did you mean `bronze bell`?: `bronze bel`")
            ]
        );
        let (status, findings) = check(&text, &[args[0], args[1], "--strict"]);
        assert_eq!((status, findings.len()), (1, 2));
    }
    assert_eq!(
        check(&text, &["--strict"]),
        (0, Vec::new()),
        "not checked without names"
    );
    let nothing = run(&["vault", "names", "--crawl-data", &names]);
    assert_eq!(nothing.status, 2);
}

#[test]
fn json_that_is_not_a_list_of_names_is_refused() {
    let folder = Folder::empty();
    folder.put("own.des", &map("DEPTH: D\n", "..+\n"));
    let (path, names) = (folder.path("own.des"), folder.path("names.json"));
    for text in [
        r#"{"foo": 1}"#,
        r#"{"monsters": ["orc"]}"#,
        r#"{"format": 2}"#,
        "[]",
        "[1]",
    ] {
        folder.put("names.json", text);
        let ran = run(&["vault", "check", &path, "--names", &names]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{text}: {}", ran.err);
        assert!(
            ran.err.contains("is not a list written by `vault names`"),
            "{text}: {}",
            ran.err
        );
    }
}

#[test]
fn dangling_ends_of_other_maps_are_left_out_and_name_the_marker() {
    let folder = Folder::empty();
    let arch = |name: &str| {
        format!(
            "NAME: {name}\nMARKER: O = lua:one_way_stair {{ dst = \"{name}_out\" }}\nKFEAT: O = enter_portal_vault\n\
             MAP\nO.+\nENDMAP\n"
        )
    };
    folder.put("own.des", &(arch("first") + &arch("second")));
    let path = folder.path("own.des");
    let all = run(&["vault", "portals", &path]);
    assert!(
        all.out.ends_with("2 connections, 2 dangling ends\n") && all.err.matches("leads nowhere").count() == 2,
        "{}{}",
        all.out,
        all.err
    );
    let one = run(&["vault", "portals", &path, "--map", "second"]);
    assert!(one.out.ends_with("1 connection, 1 dangling end\n"), "{}", one.out);
    assert!(
        one.err
            .contains("the portal to `second_out` leads nowhere: no loaded map matches\n")
            && one.err.contains(&format!("{path}:8:40"))
            && one.err.matches("leads nowhere").count() == 1,
        "{}",
        one.err
    );
}

#[test]
fn whole_dungeons_have_no_place() {
    let ran = run(&["vault", "stats", "--dungeons", "1", "--place", "D:3"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--place"), "{}", ran.err);
}

#[test]
fn tiles_brands_and_spells_are_checked_against_the_game_s_files() {
    let game = game();
    game.put("descript/spells.txt", "%%%%\nMagic Dart spell\n\nIt darts.\n%%%%\n");
    std::fs::create_dir(game.path("des")).expect("a folder");
    let level = "NAME: old\nDEPTH: D\nTILE: x = wall_brick_gray_1\nITEM: bronze bell ego:flaming\nMAP\nd+\nENDMAP\n";
    game.put("des/old.des", level);
    let folder = Folder::empty();
    let names = folder.path("names.json");
    let saved = run(&["vault", "names", "--crawl-data", &game.path(""), "--output", &names]);
    assert_eq!(saved.err, "3 monsters, 3 items, 1 spell, 1 brand, 1 tile\n");
    let text = map(
        "DEPTH: D\nFTILE: A = wall_brik_gray_1 / wall_brick_gray_4\nTILE: A = no_random my_own_tile\n\
         MONS: marsh rat spells:magic_drat.20.wizard;magic_dart.5 ; bronze bell ego:flamign | bronze bell ego:icy\n\
         LROCKTILE: wall_brick_grey\nLFLOORCOL: grean\n",
        "1A.+\n",
    );
    let (status, findings) = check(&text, &["--names", &names]);
    assert_eq!(status, 0);
    let found: Vec<(u64, u64, &str)> = findings
        .iter()
        .map(|(_, line, column, _, message)| (*line, *column, message.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (7, 12, "unknown colour; did you mean `green`?: `grean`"),
            (
                3,
                12,
                "unknown tile; did you mean `wall_brick_gray_1`?: `wall_brik_gray_1`"
            ),
            (5, 24, "unknown spell; did you mean `magic_dart`?: `magic_drat`"),
            (5, 76, "unknown brand; did you mean `flaming`?: `flamign`"),
            (
                6,
                12,
                "unknown tile; did you mean `wall_brick_gray_1`?: `wall_brick_grey`"
            ),
        ]
    );
}

#[test]
fn hooks_fire_and_are_checked_with_the_game_s_own_library_too() {
    let game = game();
    std::fs::create_dir(game.path("dlua")).expect("a folder");
    game.put("dlua/dungeon.lua", "function dgn.hook() end\n");
    let text = map(
        "DEPTH: D\n: hook(\"post_place\", function() print(\"fired\") end)\n",
        "..+\n",
    );
    game.put("own.des", &text);
    let path = game.path("own.des");
    let data = game.path("");
    for more in [&[][..], &["--crawl-data", &data]] {
        let shown = run(&[&["vault", "show", "a", &path], more].concat());
        assert!(shown.out.contains("fired"), "{more:?}: {}", shown.out);
        let slip = text.replace("post_place", "post_palce");
        let (status, findings) = check(&slip, more);
        assert_eq!((status, findings.len()), (1, 1), "{findings:?}");
        assert!(findings[0].4.contains("unknown hook `post_palce`"), "{}", findings[0].4);
    }
}

#[test]
fn programs_get_reports_that_no_message_can_break() {
    let folder = Folder::empty();
    folder.put("own.des", &map("DEPTH: D\n: error(\"100%\\n::error::x\")\n", "..+\n"));
    let path = folder.path("own.des");
    let github = run(&["vault", "check", "--format", "github", &path]);
    assert_eq!(github.status, 1);
    assert_eq!(github.out.lines().count(), 1, "{}", github.out);
    // A path of Windows has a colon and backslashes.
    let file = path.replace(':', "%3A").replace('\\', "/");
    let line = format!("::error file={file},line=3,col=10,title=lua::100%25%0A::error::x%0Ahelp");
    assert!(github.out.starts_with(&line), "{}", github.out);
    let sarif = run(&["vault", "check", "--format", "sarif", &path]);
    let log: Value = serde_json::from_str(&sarif.out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        (
            place["artifactLocation"]["uri"].as_str(),
            place["region"]["startLine"].as_u64()
        ),
        (Some(&*path.replace('\\', "/")), Some(3))
    );
    let rules: Vec<&Value> = run["tool"]["driver"]["rules"]
        .as_array()
        .expect("rules")
        .iter()
        .collect();
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
}

#[test]
fn a_sarif_log_encodes_characters_that_an_address_cannot_contain() {
    let folder = Folder::empty();
    folder.put("my #1 é.des", &map("DEPTH: D\n", "xxx\n"));
    let ran = run(&["vault", "check", "--format", "sarif", &folder.path("my #1 é.des")]);
    let log: Value = serde_json::from_str(&ran.out).expect("JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(uri.ends_with("/my%20%231%20%C3%A9.des"), "{uri}");
}

#[test]
fn an_error_in_a_header_is_reported_once_and_never_counts_as_no_problem() {
    let folder = Folder::empty();
    let text = map("DEPTH: D\nKFEAT: A = granit_statue\n", "A.+\n") + "NAME: b\nDEPTH: D\nMAP\n..+\nENDMAP\n";
    folder.put("own.des", &text);
    let path = folder.path("own.des");
    let ran = run(&["vault", "check", &path]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.out.matches("granit_statue").count(), 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .ends_with("2 maps: 1 with problems; names of monsters, items and tiles not checked (see `vault names`)\n"),
        "{}",
        ran.out
    );
    folder.put("own.des", "TAGS: early\nNAME: b\nDEPTH: D\nMAP\n..+\nENDMAP\n");
    let ran = run(&["vault", "check", &path]);
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("1 map: 1 error outside maps"), "{}", ran.out);
}

#[test]
fn a_sound_map_is_shown_and_dumped_beside_a_broken_one() {
    let folder = Folder::empty();
    folder.put(
        "own.des",
        &(map("KFEAT: A = granit_statue\n", "A.+\n") + "NAME: b\nMAP\n..+\nENDMAP\n"),
    );
    let path = folder.path("own.des");
    for command in ["show", "dump"] {
        let (sound, broken) = (
            run(&["vault", command, "b", &path]),
            run(&["vault", command, "a", &path]),
        );
        assert_eq!((sound.status, sound.err.as_str()), (0, ""), "{command}");
        assert_eq!(broken.status, 1, "{command}");
        assert!(broken.err.contains("granit_statue"), "{command}: {}", broken.err);
    }
}

#[test]
fn a_check_of_many_maps_is_the_same_on_any_number_of_threads() {
    let map = |number: usize| {
        let rest = number % 3;
        format!(
            "NAME: a{number}\nDEPTH: D\n: undefined_{rest}()\nSUBST: x = x:30 .\nMAP\nxxx\nx.x\nxxx\nENDMAP\n\
             validate {{{{ return has_exit_from_glyph('.') }}}}\n"
        )
    };
    let text = (0..40).map(map).collect::<Vec<_>>().concat();
    let folder = Folder::empty();
    folder.put("own.des", &text);
    let path = folder.path("own.des");
    let args = ["vault", "check", "--verbose", "--seeds", "120", &path];
    let first = run(&args);
    assert_eq!(
        first.out.lines().filter(|line| line.contains("120 seeds")).count(),
        40,
        "{}",
        first.out
    );
    for _ in 0..3 {
        assert_eq!(run(&args).out, first.out);
    }
}

#[test]
fn closets_are_found_counted_and_shown_with_their_seed() {
    let rows = "xxxxxxx\nx..x..x\nx..A..@\nx..x..x\nxxxxxxx\n";
    let folder = Folder::empty();
    folder.put("own.des", &map("DEPTH: D\nSUBST: A = +:30 x\n", rows));
    let path = folder.path("own.des");
    let args = ["vault", "check", &path, "--closets", "--seeds", "1000"];
    let ran = run(&args);
    assert_eq!(ran.status, 1);
    assert!(
        ran.out.contains("own.des:6:2"),
        "the first cell of the closet in the file: {}",
        ran.out
    );
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    let after = |word: &str| {
        let at = words.iter().position(|other| *other == word).expect(word);
        words[at + 1].parse::<u32>().expect("a number")
    };
    let count = after("with");
    assert!((200..300).contains(&count), "one in four: {count}");
    assert!(ran.out.contains(": 6 cells)"), "{}", ran.out);
    assert_eq!(run(&args).out, ran.out);
    // The seed that is named shows the closet.
    let seed = words[words.iter().position(|word| *word == "(seed").expect("a seed") + 1];
    let shown = run(&["vault", "show", "a", &path, "--bare", "--seed", seed]);
    assert!(!shown.out.contains('+'), "{}", shown.out);
    // Both show the map as this seed turns it; only the marks differ.
    let grid: Vec<&str> = ran.out.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let unmarked = |row: &&str| row.replace('!', ".");
    assert_eq!(
        grid.iter().map(unmarked).collect::<Vec<_>>(),
        shown.out.lines().collect::<Vec<_>>()
    );
    assert_eq!(grid.concat().matches('!').count(), 6, "{grid:?}");
    let turned = (1..20).map(|seed| run(&["vault", "show", "a", &path, "--bare", "--seed", &seed.to_string()]).out);
    assert!(
        turned.collect::<std::collections::BTreeSet<_>>().len() > 2,
        "the map is turned at random"
    );
    assert_eq!(run(&args[..3]).status, 0, "only when asked for");
    folder.put("own.des", &map("DEPTH: D\nKFEAT: A = closed_door / runed_door\n", rows));
    assert_eq!(run(&args).status, 0);
}

#[test]
fn printed_texts_are_shown_with_their_lines() {
    let folder = Folder::empty();
    folder.put(
        "own.des",
        &format!(
            "{{{{\nprint(\"begin\", 1)\n}}}}\n{}",
            map("DEPTH: D\n: print(\"size\", width(), nil, {})\n", "..+\n")
        ),
    );
    let path = folder.path("own.des");
    let ran = run(&["vault", "check", &path]);
    assert_eq!(ran.status, 0, "{}", ran.out);
    assert!(
        ran.out.contains(&format!("printed at {path}:2: begin 1\n")),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains(&format!("printed at {path}:6: size 3 nil")),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("undefined"), "{}", ran.out);
    let shown = run(&["vault", "show", "a", &path]);
    assert!(shown.out.contains(":6: size 3"), "{}", shown.out);
}

#[test]
fn texts_printed_before_a_failure_are_shown() {
    let folder = Folder::empty();
    let code = ": if crawl.game_started() then\n: print(\"before\", 1)\n: local x = nil + 1\n: end\n";
    folder.put(
        "own.des",
        &map(&format!("DEPTH: D\n: print(\"always\")\n{code}"), "..+\n"),
    );
    let path = folder.path("own.des");
    let shown = run(&["vault", "show", "a", &path]);
    assert_eq!((shown.status, shown.out.as_str()), (1, ""));
    assert!(
        shown.err.contains(&format!("note: printed at {path}:5: before 1\n"))
            && shown
                .err
                .contains(&format!("error: {path}:6: attempt to perform arithmetic")),
        "{}",
        shown.err
    );
    let checked = run(&["vault", "check", &path]);
    for (line, text) in [(3, "always"), (5, "before 1")] {
        let printed = format!("printed at {path}:{line}: {text}\n");
        assert_eq!(checked.out.matches(&printed).count(), 1, "{}", checked.out);
    }
}

#[test]
fn texts_printed_before_a_veto_are_shown() {
    let folder = Folder::empty();
    folder.put(
        "own.des",
        &map("DEPTH: D\nveto {{\nprint(\"deep\", 1)\nreturn true\n}}\n", "..+\n"),
    );
    let path = folder.path("own.des");
    let shown = run(&["vault", "show", "a", &path]);
    assert_eq!((shown.status, shown.out.as_str()), (1, ""));
    assert!(
        shown.err.contains(&format!("note: printed at {path}:4: deep 1\n"))
            && shown.err.contains("error: map `a` rejected itself at D:1 (veto)"),
        "{}",
        shown.err
    );
}

#[test]
fn headers_without_arguments_return_their_text() {
    let text = map(
        "DEPTH: D:2-4, Lair\nORIENT: float\n: assert(depth() == 'D:2-4, Lair' and place() == '' and orient() == 'float')\nPLACE: D:3\n\
         : assert(place() == 'D:3')\n",
        "..+\n",
    );
    assert_eq!(check(&text, &[]), (0, Vec::new()));
}

#[test]
fn numbers_of_lua_come_from_the_seed_and_expressions_match_anywhere() {
    let text = map(
        "DEPTH: D\n: local r = math.random\n: for i = 1, 99 do\n\
         : assert(r(3) >= 1 and r(3) <= 3 and r(5, 6) >= 5 and r(5, 6) <= 6 and r() >= 0 and r() < 1)\n: end\n\
         : local function has(p, t) return crawl.regex(p):matches(t) end\n\
         : assert(has('b+c', 'aabbcd') and not has('^b+c', 'aabbcd') and has('^a.*(c|d)$', 'aabbcd'))\n\
         : if math.random(2) == 1 then\nSUBST: A = x\n: end\n",
        "A.+\n",
    );
    assert_eq!(check(&text, &[]), (0, Vec::new()));
    let folder = Folder::empty();
    folder.put("own.des", &text);
    let path = folder.path("own.des");
    let shown = |seed: usize| run(&["vault", "show", "a", &path, "--bare", "--seed", &seed.to_string()]).out;
    let walls = (1..=40).filter(|seed| shown(*seed).contains('x')).count();
    assert!((8..=32).contains(&walls), "one in two: {walls}");
    assert_eq!(shown(3), shown(3));
    refused(
        &map("DEPTH: D\n: crawl.regex('(')\n", "..+\n"),
        "lua",
        3,
        14,
        "is not a regular expression",
    );
}

#[test]
fn level_files_are_formatted_in_place_once() {
    let folder = Folder::empty();
    let text = "# kept\nNAME: a\nTAGS: b\nKFEAT:   O = floor\nMAP\n.O.\nENDMAP\n";
    folder.put("own.des", text);
    let path = folder.path("own.des");
    let check = run(&["vault", "fmt", "--check", &path]);
    assert_eq!((check.status, check.err.as_str()), (1, "1 of 1 file would change\n"));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    assert_eq!(run(&["vault", "fmt", &path]).status, 0);
    let formatted = "# kept\nNAME:  a\nTAGS:  b\nKFEAT: O = floor\nMAP\n.O.\nENDMAP\n";
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), formatted);
    let again = run(&["vault", "fmt", "--check", &folder.path("")]);
    assert_eq!((again.status, again.err.as_str()), (0, "0 of 1 file would change\n"));
}

#[test]
fn formatting_a_folder_without_level_files_is_an_error() {
    let ran = run(&["vault", "fmt", "--check", &Folder::empty().path("")]);
    assert_eq!(
        (ran.status, ran.err.as_str()),
        (2, "error: no level files (.des) found\n")
    );
}

/// Returns the findings of the rule for portals, as (line, message).
fn portal_warnings(text: &str) -> Vec<(u64, String)> {
    let (status, findings) = check(text, &[]);
    assert_eq!(status, 0, "{findings:?}");
    let warnings = findings.into_iter().filter(|(rule, ..)| rule == "portal");
    warnings
        .map(|(_, line, _, severity, message)| {
            assert_eq!(severity, "warning");
            (line, message)
        })
        .collect()
}

/// Returns a map with a portal entry, whose marker has these properties, and the map behind the portal.
fn portal(props: &str, behind: &str) -> String {
    format!(
        "NAME: well\nDEPTH: D\nMARKER: O = lua:one_way_stair {{ {props} }}\nKFEAT: O = enter_portal_vault\nMAP\n.O.\nENDMAP\n\
         NAME: cistern\nTAGS: wet\nORIENT: encompass\n{behind}ENDMAP\n"
    )
}

#[test]
fn a_portal_needs_a_marker_with_its_end_and_its_description() {
    let bare = map("DEPTH: D\nKFEAT: O = enter_portal_vault\n", ".O.\n");
    let found = portal_warnings(&bare);
    assert!(
        matches!(&found[..], [(3, message)] if message.contains("no marker")),
        "{found:?}"
    );
    let exit = "KFEAT: > = exit_portal_vault\nMAP\n.>.\n";
    let found = portal_warnings(&portal("dst = 'wet'", exit));
    assert!(
        matches!(&found[..], [(4, message)] if message.contains("no `desc`")),
        "{found:?}"
    );
    let found = portal_warnings(&portal("desc = 'a well'", exit));
    assert!(
        matches!(&found[..], [(4, message)] if message.contains("no `dst`")),
        "{found:?}"
    );
    assert_eq!(portal_warnings(&portal("desc = 'a well', dst = 'wet'", exit)), []);
}

#[test]
fn a_map_behind_a_portal_has_an_exit_and_no_stairs() {
    let props = "desc = 'a well', dst = 'wet'";
    let found = portal_warnings(&portal(props, "MAP\n...\n"));
    assert!(
        matches!(&found[..], [(8, message)] if message.contains("with 20 of 20 seeds, the map has no way out")),
        "{found:?}"
    );
    let (_, findings) = check(&portal(props, "MAP\n...\n"), &["--seeds", "1"]);
    let is_singular = |message: &str| message.contains("with 1 of 1 seed") && !message.contains("seeds");
    assert!(
        findings.iter().any(|(.., message)| is_singular(message)),
        "{findings:?}"
    );
    let found = portal_warnings(&portal(props, "KFEAT: > = exit_portal_vault\nMAP\n.>.\n.(.\n"));
    assert!(
        matches!(&found[..], [(14, message)] if message.contains("stairs do not work")),
        "{found:?}"
    );
    // The same map without a portal to it may have stairs.
    assert_eq!(
        portal_warnings(&portal("desc = 'a well', dst = 'dry'", "MAP\n.(.\n")),
        []
    );
}

#[test]
fn a_unique_tag_that_ends_like_a_branch_entry_gets_a_warning() {
    let tagged = |headers: &str| portal_warnings(&map(headers, "...\n"));
    let found = tagged("DEPTH: D\nTAGS: uniq_well_entry\n");
    assert!(
        matches!(&found[..], [(3, message)] if message.contains("uniq_well_entry")),
        "{found:?}"
    );
    assert_eq!(tagged("DEPTH: D\nTAGS: uniq_well\n"), []);
    assert_eq!(tagged("PLACE: Elf:1\nTAGS: uniq_elf_entry\n"), []);
    assert_eq!(tagged("TAGS: orc_entry uniq_orc_entry\n"), []);
}

/// Returns the exit status and the output of `vault diff`.
fn diff(old: &str, new: &str, args: &[&str]) -> (i32, String) {
    let folder = Folder::empty();
    folder.put("old.des", old);
    folder.put("new.des", new);
    let (old, new) = (folder.path("old.des"), folder.path("new.des"));
    let ran = run(&[&["vault", "diff", &old, &new], args].concat());
    (ran.status, ran.out.replace(&new, "new.des").replace(&old, "old.des"))
}

const BEFORE: &str = "NAME: hall\nDEPTH: D:3\nTAGS: no_hmirror\nMONS: rat\nMAP\nx1x\nx+x\nENDMAP\n\
    NAME: gone\nDEPTH: D:4\nMAP\n..\nENDMAP\nNAME: same\nDEPTH: D\nSUBST: ~ = wl.\nMAP\n.~~~~.\nENDMAP\n";

#[test]
fn versions_with_the_same_maps_do_not_differ() {
    // Comments, the order of maps, lines of headers and files do not matter.
    let new = "# new\nNAME: same\n\nDEPTH:   D\nSUBST: ~ = wl.\nMAP\n.~~~~.\nENDMAP\n\
        NAME: gone\nDEPTH: D:4\nMAP\n..\nENDMAP\n\
        NAME: hall\nDEPTH:   D:3\n# rats\nTAGS: no_hmirror\nMONS: rat\nMAP\nx1x\nx+x\nENDMAP\n";
    assert_eq!(
        diff(BEFORE, BEFORE, &[]),
        (0, "0 maps added, 0 removed, 0 changed, 3 unchanged\n".to_owned())
    );
    assert_eq!(
        diff(BEFORE, new, &[]),
        (0, "0 maps added, 0 removed, 0 changed, 3 unchanged\n".to_owned())
    );
}

#[test]
fn versions_that_wrap_and_space_values_differently_do_not_differ() {
    let old = "NAME: a\nDEPTH: D:3\nTAGS:  no_hmirror   no_vmirror\nMONS: rat, orc / gnoll\nKMONS: 1 = rat / orc\n\
        MAP\n1..\nENDMAP\n";
    let new = "NAME:  a\nDEPTH: D:3\nTAGS:  no_hmirror \\\n       no_vmirror\nMONS:  rat,\\\n       orc / \\\n       gnoll\n\
        KMONS: 1 = rat / \\\n       orc\nMAP\n1..\nENDMAP\n";
    assert_eq!(
        diff(old, new, &[]),
        (0, "0 maps added, 0 removed, 0 changed, 1 unchanged\n".to_owned())
    );
}

#[test]
fn a_changed_default_depth_changes_the_maps_that_state_no_depth() {
    let file = |ranges: &str| {
        format!(
            "default-depth: {ranges}\nNAME: a\nMAP\n..\nENDMAP\nNAME: b\nDEPTH: D:3\nMAP\n..\nENDMAP\n\
             NAME: c\n: depth('D:3')\nMAP\n..\nENDMAP\n"
        )
    };
    assert_eq!(
        diff(&file("D:2-4"), &file("Zot:1-3"), &[]),
        (
            1,
            "changed a (new.des:2): the cells are the same for each of 20 seeds\n\
             \x20 - default-depth: D:2-4\n\
             \x20 + default-depth: Zot:1-3\n\
             0 maps added, 0 removed, 1 changed, 2 unchanged\n"
                .to_owned()
        )
    );
}

#[test]
fn a_changed_order_of_statements_is_named() {
    let file = |headers: &str| format!("NAME: a\n{headers}MAP\n.+\nENDMAP\n");
    assert_eq!(
        diff(&file("DEPTH: D:3\nWEIGHT: 5\n"), &file("WEIGHT: 5\nDEPTH: D:3\n"), &[]),
        (
            1,
            "changed a (new.des:1): only the order of the statements differs; the cells are the same for each of 20 \
             seeds\n\
             0 maps added, 0 removed, 1 changed, 0 unchanged\n"
                .to_owned()
        )
    );
}

#[test]
fn a_difference_is_shown_before_and_after() {
    let new = BEFORE
        .replace("MONS: rat", "MONS: ogre")
        .replace("x+x", "x++x")
        .replace("NAME: gone", "NAME: come")
        .replace("SUBST: ~", "WEIGHT: 5\nSUBST: ~");
    let (status, out) = diff(BEFORE, &new, &[]);
    assert_eq!(
        (status, out.as_str()),
        (
            1,
            "changed hall (new.des:1): the cells differ for 20 of 20 seeds\n\
             \x20 - MONS: rat\n\
             \x20 + MONS: ogre\n\
             \x20 seed 1 on D:3, before and after:\n\
             \x20   x1x   x1x\n\
             \x20   x+x   x++x\n\
             \x20 - exits: row 1, column 1\n\
             \x20 - row 0, column 1: `1` monster: rat\n\
             \x20 + exits: row 1, column 1; row 1, column 2\n\
             \x20 + row 0, column 1: `1` monster: ogre\n\
             \x20 + row 1, column 2: `+` closed_door\n\
             added come (new.des:9)\n\
             \x20 seed 1 on D:4:\n\
             \x20   ..\n\
             \x20 + exits: row 0, column 0; row 0, column 1\n\
             changed same (new.des:14): the cells are the same for each of 20 seeds\n\
             \x20 + WEIGHT: 5\n\
             removed gone (old.des:9)\n\
             \x20 seed 1 on D:4:\n\
             \x20   ..\n\
             \x20 - exits: row 0, column 0; row 0, column 1\n\
             1 map added, 1 removed, 2 changed, 0 unchanged\n"
        ),
        "{out}"
    );
    let (status, out) = diff(BEFORE, &new, &["--json", "--seeds", "5"]);
    let object: Value = serde_json::from_str(&out).expect("JSON");
    let changes: Vec<&str> = object["maps"]
        .as_array()
        .expect("maps")
        .iter()
        .map(|map| map["change"].as_str().expect("a change"))
        .collect();
    assert_eq!(
        (status, &changes[..]),
        (1, &["changed", "added", "changed", "removed"][..])
    );
    assert_eq!(
        (&object["maps"][0]["seeds"], &object["maps"][2]["seeds"]),
        (&Value::from(5), &Value::from(0))
    );
}

#[test]
fn a_function_of_the_file_changes_the_maps_that_call_it() {
    let file = |glyph: &str| {
        format!(
            "{{{{\nfunction decor(e) e.subst(\"o = {glyph}\") end\n}}}}\nNAME: a\nDEPTH: D\n: decor(_G)\nMAP\n.o.\nENDMAP\n"
        )
    };
    let (status, out) = diff(&file("G"), &file("T"), &[]);
    assert_eq!(status, 1);
    assert!(
        out.starts_with("changed a (new.des:4): the cells differ for 20 of 20 seeds\n  seed 1 on D:1"),
        "{out}"
    );
    assert!(out.contains(".G.   .T."), "{out}");
}

/// Checks that a map has one warning, at a line and column, with a message that contains a text.
#[track_caller]
fn warned(text: &str, rule: &str, line: u64, column: u64, message: &str) {
    let (status, findings) = check(text, &[]);
    assert_eq!(status, 0, "{findings:?}");
    let [(found, at, character, severity, described)] = &findings[..] else {
        panic!("one finding: {findings:?}");
    };
    assert_eq!(
        (found.as_str(), *at, *character, severity.as_str()),
        (rule, line, column, "warning"),
        "{described}"
    );
    assert!(described.contains(message), "{described}");
}

#[test]
fn misspelt_words_get_a_warning_with_a_suggestion() {
    let with = |header: &str| map(&format!("DEPTH: D\n{header}\n"), "A.+\n");
    warned(
        &with("TAGS: no_rotat\nKFEAT: A = x"),
        "selection",
        3,
        7,
        "did you mean `no_rotate`?",
    );
    warned(&with("KFEAT: A = weapn shop"), "name", 3, 12, "did you mean `weapon`?");
    warned(&with("COLOUR: A = lightrad"), "name", 3, 13, "did you mean `lightred`?");
    warned(&with("COLOUR: A = red / blurple"), "name", 3, 19, "unknown colour");
    warned(
        &with("LFLOORCOL: nocolour\nKFEAT: A = x"),
        "name",
        3,
        12,
        "unknown colour",
    );
    warned(
        &map("DEPTH: D:20\n", "..+\n"),
        "selection",
        2,
        8,
        "D, which has 15 levels",
    );
    warned(
        &map("DEPTH: D\n: you.dpeth()\n", "..+\n"),
        "lua",
        3,
        7,
        "did you mean `you.depth`?",
    );
    for header in [
        "TAGS: no_rotate my_garden\nKFEAT: A = x",
        "KFEAT: A = antique armour shop type:Odd ; ring / any shop",
        "COLOUR: A = elven_brick / LIGHTGREY w:5 / brown:2\nKFEAT: A = x",
        ": you.something_quite_new()\nKFEAT: A = x",
    ] {
        assert_eq!(check(&with(header), &[]), (0, Vec::new()), "{header}");
    }
    assert_eq!(check(&map("DEPTH: D:10-, !D:20\n", "..+\n"), &[]), (0, Vec::new()));
}

#[test]
fn undefined_names_get_a_warning_with_a_suggestion() {
    let with = |header: &str, rows: &str| map(&format!("DEPTH: D\n{header}\n"), rows);
    warned(&with(": tgas('extra')", "..+\n"), "lua", 3, 3, "did you mean `tags`");
    let own = with(": own_setpu(_G)", "..+\n") + "\ndefault-depth:\n{{\nfunction own_setup(e)\nend\n}}\n";
    warned(&own, "lua", 3, 3, "did you mean `own_setup`");
    let text = with("SUBVAULT: A : smal_room", "A.+\n") + "\nNAME: b\nTAGS: small_room\nMAP\n.\nENDMAP\n";
    warned(&text, "selection", 3, 15, "did you mean `small_room`");
    warned(
        &with("SUBVAULT: A : great_hall", "A.+\n"),
        "selection",
        3,
        15,
        "no map has this tag",
    );
    warned(
        &with("KFEAT: A = .", "A1+\n"),
        "glyph",
        5,
        2,
        "MONS lists no monster for this glyph; its cells get random monsters",
    );
    warned(&with("MONS: rat, bat", "13+\n"), "glyph", 5, 2, "MONS lists no monster");
    warned(
        &with("ITEM: club", "de+\n"),
        "glyph",
        5,
        2,
        "ITEM lists no item for this glyph; its cells become floor",
    );
    for listed in [
        "MONS: rat, bat, newt",
        "KMONS: 3 = rat",
        ": if you.depth() > 20 then\nMONS: rat, bat, newt\n: end",
        ": for _ = 1, 3 do mons('rat') end",
    ] {
        assert_eq!(check(&with(listed, "3.+\n"), &[]), (0, Vec::new()), "{listed}");
    }
    refused(
        &with("KFEAT: A = alrm trap", "A.+\n"),
        "grammar",
        3,
        12,
        "did you mean `trap_alarm`",
    );
}

#[test]
fn a_suggestion_outside_maps_names_the_module_of_the_function() {
    for name in ["default_depth", "defualt_depth"] {
        let text = format!(": {name}('D:4-6')\n\n{}", map("DEPTH: D\n", "..+\n"));
        warned(&text, "lua", 1, 3, "did you mean `dgn.default_depth`?");
    }
    let right = format!(": dgn.default_depth('D:4-6')\n\n{}", map("", "..+\n"));
    assert_eq!(check(&right, &[]), (0, Vec::new()));
}

#[test]
fn missing_modules_and_levels_get_a_warning() {
    let text = map("DEPTH: D\n: crawl_require('dlua/valut.lua')\n", "..+\n");
    warned(&text, "lua", 3, 23, "did you mean `dlua/vault.lua`");
    let text = map("DEPTH: D:2-5, !D\n", "..+\n");
    warned(&text, "selection", 2, 8, "the exclusions (`!`) leave no level");
    for depth in ["90", "90, !D:5"] {
        let text = map(&format!("DEPTH: {depth}\n"), "..+\n");
        warned(&text, "selection", 2, 8, "no branch has such a level");
    }
    assert_eq!(check(&map("DEPTH: D:2-5, !D:3\n", "..+\n"), &[]), (0, Vec::new()));
    assert_eq!(
        check(&map("DEPTH: D:2-5\nDEPTH: !D:3\n", "..+\n"), &[]),
        (0, Vec::new())
    );
    let text = map("DEPTH: D:2-5\nDEPTH: !D\n", "..+\n");
    warned(&text, "selection", 3, 8, "the exclusions (`!`) leave no level");
}

#[test]
fn a_player_who_swims_crosses_deep_water() {
    let text = map("DEPTH: D\n", "xxxx\nx{w.\nxxxx\n") + "validate {{ return has_exit_from_glyph('{') }}\n";
    assert_eq!(check(&text, &[]).1.len(), 1);
    assert_eq!(check(&text, &["--race", "Human"]).0, 1);
    assert_eq!(check(&text, &["--race", "merfolk"]), (0, Vec::new()));
}

#[test]
fn errors_in_lua_point_at_the_word() {
    let lua = |code: &str| map(&format!("DEPTH: D\n: {code}\n"), "..+\n");
    refused(
        &lua("local r = crawl.regex('(ab')"),
        "lua",
        3,
        26,
        "is not a regular expression",
    );
    refused(&lua("local t = nil t.x = 3"), "lua", 3, 9, "local 't'");
    let missing = map("DEPTH: D\n: if you.depth() > 3\nMONS: rat\n: end\n", "1.+\n");
    let (_, findings) = check(&missing, &[]);
    assert_eq!(findings[0].0, "lua");
}

#[test]
fn a_picture_of_a_map_replaces_only_pictures() {
    let folder = Folder::empty();
    folder.put("own.des", &map("MONS: orc\n", "x1+\n"));
    let path = folder.path("own.des");
    let show =
        |to: &str, more: &[&str]| run(&[&["vault", "show", "a", &path, "--to", &folder.path(to)], more].concat());
    for to in ["map.png", "map.svg"] {
        for _ in 0..2 {
            let ran = show(to, &[]);
            assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{to}");
        }
    }
    let svg = std::fs::read_to_string(folder.path("map.svg")).expect("an SVG");
    assert!(svg.contains(">monster: orc</text>"), "{svg}");
    folder.put("notes.png", "mine");
    assert_eq!(show("notes.png", &[]).status, 2);
    assert_eq!(show("notes.png", &["--force", "--on", "light"]).status, 0);
    let own = show("own.des", &["--force"]);
    assert!(
        own.status == 2 && own.err.contains("is read by this command"),
        "{}",
        own.err
    );
    folder.put("empty.des", "NAME: a\nMAP\nENDMAP\n");
    let ran = run(&[
        "vault",
        "show",
        "a",
        &folder.path("empty.des"),
        "--to",
        &folder.path("b.png"),
    ]);
    assert!(ran.status != 0 && ran.err.contains("no cells"), "{}", ran.err);
}

#[test]
fn portals_and_markers_are_listed_with_their_properties() {
    let folder = Folder::empty();
    let marker = "MARKER: O = lua:one_way_stair { desc = \"A well\", dst = \"deep\", floor = \"stone_arch\" }\n\
                  KFEAT: O = enter_portal_vault\nMARKER: A = lua:MonPropsMarker:new { description = \"Grim\" }\nMONS: rat\n\
                  KMONS: A = orc\nTAGS: no_hmirror no_vmirror no_rotate\n";
    folder.put("own.des", &map(marker, "OA+\n"));
    let path = folder.path("own.des");
    let shown = run(&["vault", "show", "a", &path]).out;
    for line in [
        "row 0, column 0: `O` enter_portal_vault; portal: deep (class = one_way_stair, desc = A well, dst = deep, floor = stone_arch)",
        "row 0, column 1: `A` monster: orc; marker: MonPropsMarker (class = MonPropsMarker, description = Grim)",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    let portals = run(&["vault", "portals", &path]).out;
    assert!(
        portals.contains("\n  desc: A well\n  dst: deep\n  floor: stone_arch\n"),
        "{portals}"
    );
}

#[test]
fn properties_of_the_level_are_shown_and_files_beside_are_loaded() {
    let folder = Folder::empty();
    let headers = "TAGS: no_hmirror no_vmirror no_rotate\nLFLAGS: no_tele_control\n\
                   : dgn.set_level_name_abbrev('IceCv')\n: env.spawn_random_rate(50)\nSUBVAULT: B : other\n";
    let load = "{{\ndgn.load_des_file('other.des')\ndgn.load_des_file(\"../out.des\")\n}}\n";
    folder.put("own.des", &format!("{load}{}", map(headers, "AB+\n")));
    folder.put("other.des", "NAME: other\nTAGS: other unrand\nMAP\nw\nENDMAP\n");
    let path = folder.path("own.des");
    let shown = run(&["vault", "show", "a", &path]);
    let line = "row 0, column 0: `A` stone_arch; marker: level (level_flags = no_tele_control, level_name_abbrev = IceCv, spawn_random_rate = 50)";
    assert!(shown.out.contains(line), "{}", shown.out);
    assert!(shown.out.starts_with("Aw+\n"), "{}", shown.out);
    assert!(shown.out.contains("`../out.des` was not found"), "{}", shown.out);
    assert!(!shown.out.contains("only the game can run"), "{}", shown.out);
}

#[test]
fn a_loaded_file_that_is_also_given_in_another_spelling_is_read_once() {
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("sub")).expect("made");
    let load = "{{ dgn.load_des_file('other.des') }}\n";
    folder.put("own.des", &format!("{load}{}", map("DEPTH: D\n", "..+\n")));
    folder.put("other.des", "NAME: other\nTAGS: other unrand\nMAP\nw\nENDMAP\n");
    let ran = run(&[
        "vault",
        "list",
        &folder.path("own.des"),
        &folder.path("sub/../other.des"),
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

#[test]
fn values_that_cannot_be_are_warned_of_without_the_game() {
    let text = map(
        "DEPTH: D\nMONS: orc hd:x god:zinn, rat att:frendly ; dagger plus:1 . robe q:zero\nITEM: manual of axs, dagger \\\n  q:0\n\
         KFEAT: S = weapn shop count:many ; ring w:2 | wand foo:1\n",
        "1S.d.+\n",
    );
    let (status, findings) = check(&text, &[]);
    assert_eq!(status, 0);
    let found: Vec<(u64, u64, &str)> = findings
        .iter()
        .map(|(rule, line, column, _, message)| {
            assert_eq!(rule, "name");
            (*line, *column, message.as_str())
        })
        .collect();
    assert_eq!(
        found,
        [
            (6, 12, "unknown kind of shop; did you mean `weapon`?: `weapn`"),
            (3, 11, "`hd` must be a positive whole number: `hd:x`"),
            (3, 16, "unknown god; did you mean `zin`?: `god:zinn`"),
            (3, 30, "unknown attitude; did you mean `friendly`?: `att:frendly`"),
            (3, 65, "`q` must be a positive whole number: `q:zero`"),
            (4, 17, "unknown skill; did you mean `axes`?: `axs`"),
            (5, 3, "`q` must be a positive whole number: `q:0`"),
            (6, 23, "`count` must be a positive whole number: `count:many`"),
            (6, 52, "unknown modifier: `foo:1`"),
        ]
    );
    assert_eq!(check(&text, &["--strict"]).0, 1);
    let text = map("DEPTH: D\nKFEAT: S = name:Bob use_all general shop count:3\n", "S+\n");
    assert_eq!(check(&text, &["--strict"]), (0, Vec::new()));
}

#[test]
fn equipment_wares_and_longer_names_are_judged_by_the_player_s_copy() {
    let game = game();
    let text = map(
        "DEPTH: D\nMONS: marsh rat ; bronze bel | bronze bell . bell\nKFEAT: S = general shop ; bronze bell | brnze bell\n",
        "1S+\n",
    );
    let (_, findings) = check(&text, &["--crawl-data", &game.path("")]);
    let found: Vec<(u64, u64, &str)> = findings
        .iter()
        .map(|(_, line, column, _, message)| (*line, *column, message.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (3, 19, "unknown item; did you mean `bronze bell`?: `bronze bel`"),
            (3, 39, "unknown item; did you mean `bronze bell`?: `bell`"),
            (4, 41, "unknown item; did you mean `bronze bell`?: `brnze bell`"),
        ]
    );
}

//! Dungeon codes: one line of text in place of a design.

use super::*;

/// Codes of format 1, each with the design that it contains. Another program made them from the description of the
/// format. They must stay readable.
const PINNED: [(&str, &str); 6] = [
    (
        "wc1:d5xLycyNr1AwNuBKATIqFUwMuIpTU1MUzLmSixLLc1KLFAxhLL1KBSMDLgA",
        r"seed = 7
[layout]
dim_x = 30
dim_y = 40
[[crawler]]
x = 0
y = 20
direction = 12
delay = 0
termination = 1
",
    ),
    (
        "wc1:0LlFjcEOgyAQRO98xZ4bYkBWrV9jKHDYBqUB2srfFyOpp5mX2dlJzlmQd8RxQhSTmsQ8DHKUA7O0LjvgaQqMgr1iyO-Hi3ozLkHPVr0vJuqvdzHBLNgz0LZYShmQeVoppy6GsNaMHVobh3SWPqBuDcpBkjfy2VQQJ6RcvAPFJWsj9UFz3Q6CI_6xgBJcXrGl6EymsIHs-XVmndelNhX7AQ",
        r#"seed = "18446744073709551615"
[constants]
max_crawlers = 90
join_dist = 4
[layout]
dim_x = 45
dim_y = 60
protuberances = 2
[limits]
rooms = 9
crawlers = 3
[[room]]
div = 3
ltc = 1
style = 3
[[room]]
div = 3
ydiv = 2
[[crawler]]
x = 0
y = 30
[[crawler]]
x = 44
y = 12
direction = 4
delay = 3
"#,
    ),
    (
        "wc1:qu1LycyNr1AwNuBKATIqQYz8gtQ8BWMdY67yxJycYgVTHVM7EwVzHfMyYwUjAx0jA67k_JzS3LxiBUMjHUMjMGnKlVyUWJ6TWqRgCGPpVSpYcgEA",
        r"seed = 1
[layout]
dim_x = 30
dim_y = 30
open = [[3, 3]]
walls = [[5, 5], [5, 6], [5, 7], [5, 8], [5, 9], [7, 7], [8, 7], [9, 7], [10, 7], [20, 20]]
columns = [[12, 12], [12, 15]]
[[crawler]]
x = 0
y = 9
",
    ),
    (
        "wc1:Im9Ny8Fqg0AUheH9PMXZZCNDUCeGuEihfQ5BbseDGdA7Mg5ooA_fNFBw98E5v8pMfKLr8GU0Zq6Iyk7zFs1KDnBmCHO_41K-8fyDT7JNTKj-dX6iLs1IZZIcop7XzKWfqGN-oC6cbeyluB4Ps-y9jIQrbVu0x8XHlMIQU7-F4V1XpaHmJOqJylaGe8hwN-tuLy70GYniH_I98WeRV_Jxh0NQtA1O5hc",
        r#"name = 'A \ B'
notes = "one\ntwo"
seed = 3
[expect]
that = ["reachable", "path >= 3 in 95 %"]
entrance = [1, 1]
exit = [38, 38]
[layout]
dim_x = 40
dim_y = 40
[[crawler]]
x = 0
y = 20
[[generation]]
step_length = 2
max_age = 30
corridor_width = 2
[[generation]]
step_length = 2
max_age = 9
corridor_width = 2
[[generation]]
step_length = 2
max_age = 9
corridor_width = 2
[[generation]]
step_length = 5
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
[[generation]]
step_length = 4
max_age = 9
corridor_width = 2
"#,
    ),
    (
        "wc1:8Ws1yksKhDAQhOF9TlEHEEmUIMx67iFNuhmF-CA-YsDDK6NZ1f9BLSIMYxT3Q3vA6n8kNFq5QNFLgMlVJtRW7bT5FdWzJfc7qkK_OmCKOiPdsBkDzeAwxVG4dbQtEimdP1qlm268p9mTE5zfj1UX",
        r#"seed = 11
[layout]
dim_x = 50
dim_y = 70
[[crawler]]
x = 0
y = 35
[[vault]]
map = "drowned_causeway"
[[vault]]
div = 0
x = 30
y = 50
map = "gatehouse"
place = "D:5"
"#,
    ),
    (
        "wc1:xrkrKS3KUzAx4CpOTU1RMOdKycyNr1AwNgAzKkESyUWJ5TmpRQqGMJZepYKRAVdBTmJyKlAQTOtVKBgaQZmVCpZQVl5ibqpCUn5xMRcA",
        r#"seed = 7
[layout]
dim_x = 30
dim_y = 40
[[crawler]]
x = 0
y = 20
[[place]]
name = "boss"
x = 12
y = 9
"#,
    ),
];

#[test]
fn every_command_takes_a_code_in_place_of_a_design() {
    let folder = Folder::new(&design());
    let file = folder.path("design.toml");
    let code = run(&["convert", &file, "--code"]);
    assert_eq!((code.status, code.err.as_str()), (0, ""), "{}", code.out);
    let code = code.out.trim();
    assert!(code.starts_with("wc1:"), "{code}");
    for rest in [
        &["grow"][..],
        &["survey", "--seeds", "3"],
        &["find", "--seeds", "3", "--where", "reachable"],
        &["design-digest"],
        &["frequency", "--seeds", "3"],
    ] {
        let (command, options) = rest.split_first().expect("a command");
        let ran = |design: &str| run(&[&[*command, design], options].concat());
        let (by_code, by_file) = (ran(code), ran(&file));
        assert_eq!(
            (by_code.status, &by_code.out),
            (by_file.status, &by_file.out),
            "{rest:?}: {}",
            by_code.err
        );
    }
    let seeded = run(&["grow", code, "--seed", "5"]);
    assert_eq!(seeded.out, run(&["grow", &file, "--seed", "5"]).out);
    // A file with a name like a code is opened by its path.
    std::fs::write(folder.path("wc1:AAAA"), "format = 1\n").expect("written");
    let grown = program()
        .current_dir(&folder.0)
        .args(["grow", "./wc1:AAAA"])
        .output()
        .expect("runs");
    assert!(grown.status.success(), "{}", String::from_utf8_lossy(&grown.stderr));
}

#[test]
fn a_code_holds_a_moment_and_becomes_a_file_again() {
    let folder = Folder::new(&design());
    let file = folder.path("design.toml");
    let code = run(&["convert", &file, "--code", "--turn", "3"]).out;
    let code = code.trim();
    let export = |rest: &[&str]| run(&[&["export"], rest, &["--as", "json", "--to", "-"]].concat()).out;
    let moment = |text: String| {
        let all: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        all["tiles"].clone()
    };
    assert_eq!(moment(export(&[code])), moment(export(&[&file, "--turn", "3"])));
    assert_ne!(moment(export(&[code])), moment(export(&[&file])));
    assert_eq!(run(&["play", code]).out, run(&["play", &file, "--frame", "3"]).out);
    let to = folder.path("again.toml");
    let converted = run(&["convert", code, "--to", &to]);
    assert_eq!((converted.status, converted.err.as_str()), (0, ""));
    assert_eq!(run(&["grow", &to]).out, run(&["grow", &file]).out);
}

#[test]
fn a_turn_is_refused_unless_a_code_is_printed() {
    let folder = Folder::new(&design());
    let (file, to) = (folder.path("design.toml"), folder.path("converted.toml"));
    let (rooms, stats) = (folder.path("new-rooms"), folder.path("new-stats"));
    for args in [&["--output", &to][..], &["--rooms", &rooms, "--stats", &stats]] {
        let ran = run(&[&["convert", &file, "--turn", "4"], args].concat());
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("'--turn <N>' cannot be used with"), "{}", ran.err);
    }
}

#[test]
fn a_broken_code_says_what_is_wrong_and_what_to_do() {
    for (code, why) in [
        ("wc1:", "incomplete or damaged"),
        ("wc1:AAAA", "incomplete or damaged"),
        ("wc1:\u{1b}[2J", "incomplete or damaged"),
        (
            "wc9:AAAA",
            "another format; this version of the program reads wc1: only",
        ),
    ] {
        let ran = run(&["grow", code]);
        assert_eq!(ran.status, 1, "{code}");
        assert!(ran.err.contains(why), "{code}: {}", ran.err);
        assert!(ran.err.contains("ask its author for a new code"), "{}", ran.err);
        assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
    }
    let folder = Folder::empty();
    std::fs::write(
        folder.path("vault.toml"),
        "format = 1\n[[vault]]\nfile = \"mine.des\"\nmap = \"a\"\n",
    )
    .expect("written");
    let ran = run(&["convert", &folder.path("vault.toml"), "--code"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.err.contains("a code cannot contain the level file `mine.des`"),
        "{}",
        ran.err
    );
    let ran = run(&["check", "wc1:AAAA"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("wallcrawler convert CODE"), "{}", ran.err);
}

#[test]
fn codes_of_format_1_still_hold_the_same_designs() {
    for (number, (code, toml)) in PINNED.iter().enumerate() {
        let folder = Folder::empty();
        folder.put("pinned.toml", toml);
        let to = folder.path("converted.toml");
        let converted = run(&["convert", code, "--to", &to]);
        assert_eq!(converted.status, 0, "{number}: {}", converted.err);
        let read = |text: &str| {
            let mut design: Design = text.parse().expect("a design");
            design.layout.limits = design.layout.limits.raised_for(&design.layout);
            design
        };
        assert_eq!(read(&folder.text("converted.toml")), read(toml), "{number}");
        let by_code = run(&["grow", code]);
        assert_eq!(by_code.status, 0, "{number}: {}", by_code.err);
        assert_eq!(by_code.out, run(&["grow", &folder.path("pinned.toml")]).out, "{number}");
    }
    // The last code names a turn.
    let folder = Folder::empty();
    let (code, toml) = PINNED[PINNED.len() - 1];
    folder.put("pinned.toml", toml);
    let at = run(&["play", &folder.path("pinned.toml"), "--frame", "40"]);
    assert_eq!(run(&["play", code]).out, at.out);
}

#[test]
fn a_code_is_converted_to_the_files_of_the_original() {
    let folder = Folder::new(&design());
    let code = run(&["convert", &folder.path("design.toml"), "--code"]).out;
    let [rooms, stats] = ["rooms4", "stats4"].map(|name| folder.path(name));
    let ran = run(&["convert", code.trim(), "--rooms", &rooms, "--stats", &stats]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(folder.text("rooms4"), folder.text("rooms"));
    assert_eq!(folder.text("stats4"), folder.text("stats"));
}

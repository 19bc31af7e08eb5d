//! Dungeon codes: one line of text in place of a design.

use super::*;

/// Codes of earlier builds of format 1, with what grows from them. They must stay readable.
const PINNED: &[(&str, &str)] = &[];

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
    // A file of that name is opened by a path.
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
        all["rows"].clone()
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
        assert!(ran.err.contains("ask for the code again"), "{}", ran.err);
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
        ran.err.contains("the level file `mine.des`, which a code cannot hold"),
        "{}",
        ran.err
    );
    let ran = run(&["check", "wc1:AAAA"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("wallcrawler convert CODE"), "{}", ran.err);
}

#[test]
fn codes_of_earlier_builds_grow_the_dungeons_they_did() {
    assert!(PINNED.len() >= 5);
    for (code, expected) in PINNED {
        let digest = run(&["design-digest", code]);
        assert_eq!(digest.err, "", "{code}");
        let text = run(&["play", code]).out;
        assert_eq!(format!("{:016x}", fnv(&text)), *expected, "{code}\n{text}");
    }
}

/// Returns the 64-bit FNV-1a hash of a text.
fn fnv(text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    text.bytes().fold(start, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

//! Level files: reading, printing, and the Lua source that they are translated to.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use crate::common::level_files;
use proptest::prelude::*;
use wallcrawler::vault::source::{self, Chunk, VaultFile};

fn problem_lines(file: &VaultFile) -> String {
    let lines: Vec<String> = file.problems.iter().map(|problem| format!("{problem}\n")).collect();
    lines.concat()
}

/// Checks that a printed text is read and printed unchanged.
fn stable(bytes: &[u8]) {
    let file = source::read("a.des", bytes);
    let printed = source::print(&file);
    let again = source::read("a.des", &printed);
    assert!(
        file.same_content(&again),
        "{:?}\nbecame\n{:?}",
        String::from_utf8_lossy(bytes),
        String::from_utf8_lossy(&printed)
    );
    assert_eq!(source::print(&again), printed, "{:?}", String::from_utf8_lossy(bytes));
}

/// Checks that every line of a chunk is a line of the file.
fn on_its_lines(chunk: &Chunk, file: &VaultFile) {
    let source = chunk.source();
    let lines: Vec<&[u8]> = source.split(|b| *b == b'\n').collect();
    let first = lines.iter().position(|line| !line.is_empty()).map_or(0, |i| i + 1);
    assert_eq!(first, chunk.line as usize, "{}: the first line of code", file.name);
}

#[test]
fn shared_files_are_read_without_diagnostics_and_printed_again() {
    let files = level_files("shared_files_are_read_without_diagnostics_and_printed_again");
    let mut maps = 0;
    for (name, bytes) in &files {
        let file = source::read(name, bytes);
        assert_eq!(problem_lines(&file), "", "{name}");
        stable(bytes);
        maps += file.maps.len();
        // No line is lost: there are as many as in the file, and as many names as a plain search finds.
        let printed = source::print(&file);
        let count = |bytes: &[u8]| bytes.split(|b| *b == b'\n').count();
        assert_eq!(
            count(&printed),
            count(bytes) + usize::from(!bytes.ends_with(b"\n")),
            "{name}"
        );
        let names = bytes
            .split(|b| *b == b'\n')
            .filter(|line| line.starts_with(b"NAME:"))
            .count();
        assert_eq!(file.maps.len(), names, "{name}");
        for map in &file.maps {
            for (_, chunk) in map.chunks().filter(|(_, chunk)| chunk.line > 0) {
                on_its_lines(chunk, &file);
            }
        }
    }
    assert!(files.is_empty() || maps > 2000, "only {maps} maps");
}

fn folder(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vaults").join(name);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "des"))
        .collect();
    paths.sort();
    paths
}

fn read_path(path: &Path) -> VaultFile {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    source::read(&name, &std::fs::read(path).expect("readable"))
}

/// Returns whether the problem of a fixture shows only when its Lua is compiled or run.
fn is_of_lua(path: &Path) -> bool {
    let bytes = std::fs::read(path).expect("readable");
    bytes.starts_with(b"# Lua:")
}

#[test]
fn every_broken_file_gets_its_messages() {
    let paths = folder("broken");
    assert!(paths.len() >= 30, "fixtures are missing");
    let mut wrong = Vec::new();
    for path in paths.iter().filter(|path| !is_of_lua(path)) {
        let expected = path.with_extension("expected");
        let got = problem_lines(&read_path(path));
        if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
            std::fs::write(&expected, &got).expect("written");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if got != wanted || got.is_empty() {
            wrong.push(format!("{}\n--- expected\n{wanted}--- got\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_about_a_broken_file_has_line_column_and_advice() {
    for path in folder("broken") {
        let file = read_path(&path);
        assert_eq!(file.problems.is_empty(), is_of_lua(&path), "{}", path.display());
        for problem in &file.problems {
            let source = problem.source.as_ref().expect("a place");
            assert_eq!(source.file, file.name);
            assert!(
                source.line > 0 && source.column > 0 && !problem.help.is_empty(),
                "{problem}"
            );
        }
        stable(&std::fs::read(&path).expect("readable"));
    }
}

#[test]
fn the_guides_examples_are_read() {
    let paths = folder("guide");
    assert!(paths.len() >= 10, "fixtures are missing");
    for path in paths {
        let file = read_path(&path);
        let problems = problem_lines(&file);
        // Rows between a condition's lines are the one mistake that the guide shows.
        let slips = usize::from(path.ends_with("condition_004.des"));
        assert_eq!(file.problems.len(), slips, "{}: {problems}", path.display());
        stable(&std::fs::read(&path).expect("readable"));
    }
}

/// Generates texts from pieces of the language, so that they reach every part of the reader.
fn level_text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "NAME:",
        " a",
        "MAP",
        "ENDMAP",
        "\n",
        "\n",
        "\n",
        "{{",
        "}}",
        "lua",
        "validate",
        "veto {{",
        ": ",
        "SUBST",
        ":",
        "=",
        "a = b",
        ",",
        "\\",
        "\\\n",
        "#",
        " ",
        "\t",
        "default-depth: D",
        "WEIGHT: 5 (D",
        ")",
        "x.x",
        "TAGS: ",
        "\r\n",
        "DEPTH: D:3",
        "MARKER: A = lua:f()",
        "\"",
        "unknown: x",
        "\u{fffd}",
        "FOO: \\\n bar",
    ];
    let piece = prop_oneof![
        20 => prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_and_printing_is_stable(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        stable(&bytes);
    }

    #[test]
    fn any_pieces_of_the_language_are_read_and_printing_is_stable(bytes in level_text()) {
        stable(&bytes);
        let file = source::read("a.des", &bytes);
        for problem in &file.problems {
            let source = problem.source.as_ref().expect("a place");
            prop_assert!(source.line > 0 && source.column > 0);
            prop_assert!(source.span.end <= bytes.len());
        }
    }
}

/// Returns Lua's messages about a file's chunks, none of which is run.
#[cfg(feature = "vaults")]
fn refused(file: &VaultFile) -> Vec<String> {
    let lua = mlua::Lua::new();
    let chunks = file.maps.iter().flat_map(|map| map.chunks().map(|(_, chunk)| chunk));
    file.prelude
        .iter()
        .chain(chunks)
        .filter_map(|chunk| {
            let name = format!("@{}", file.name);
            let loaded = lua.load(chunk.source()).set_name(name).into_function();
            loaded.err().map(|error| error.to_string())
        })
        .collect()
}

#[cfg(feature = "vaults")]
#[test]
fn the_lua_of_the_shared_files_and_of_the_guide_compiles() {
    let mut chunks = 0;
    for (name, bytes) in level_files("the_lua_of_the_shared_files_and_of_the_guide_compiles") {
        let file = source::read(&name, &bytes);
        assert_eq!(refused(&file), [""; 0], "{name}");
        chunks += file.maps.iter().flat_map(source::MapSource::chunks).count();
    }
    assert!(chunks == 0 || chunks > 2000, "only {chunks} chunks");
    for path in folder("guide") {
        assert_eq!(refused(&read_path(&path)), [""; 0], "{}", path.display());
    }
}

/// The first line of a fixture for Lua says on which line its error is, and when it shows.
#[cfg(feature = "vaults")]
#[test]
fn lua_that_does_not_compile_is_reported_with_the_files_line() {
    let mut compiled = 0;
    for path in folder("broken").iter().filter(|path| is_of_lua(path)) {
        let bytes = std::fs::read_to_string(path).expect("text");
        let said = refused(&read_path(path)).join("\n");
        let first = bytes.lines().next().expect("a line");
        let line = first.split_whitespace().nth(3).expect("a number");
        if first.contains("compiled") {
            compiled += 1;
            let name = path.file_name().expect("a name").to_string_lossy();
            let place = said.contains(&format!("{name}:{line}:")) || said.contains(&format!("at line {line}"));
            assert!(place, "{}: {said}", path.display());
        } else {
            assert_eq!(said, "", "{}", path.display());
        }
    }
    assert!(compiled >= 4);
}

#[test]
fn a_formatted_level_file_keeps_its_meaning_and_is_stable() {
    for (name, bytes) in crate::common::level_files("a_formatted_level_file_keeps_its_meaning_and_is_stable") {
        let file = wallcrawler::vault::source::read(&name, &bytes);
        // `None` would say that the meaning changes.
        let Some(once) = wallcrawler::vault::source::format(&file) else {
            panic!("{name} has another meaning when it is formatted");
        };
        let again = wallcrawler::vault::source::read(&name, &once);
        assert!(
            wallcrawler::vault::source::format(&again).as_ref() == Some(&once),
            "{name} changes again"
        );
    }
}

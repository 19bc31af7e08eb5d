//! Bad files and their diagnostics.
//!
//! Each file in `tests/files/bad` has a file of the same name with `.expected` beside it: the exit status and the
//! output of `wallcrawler check` on it. After a change of messages, `WALLCRAWLER_BLESS=1 cargo test --test
//! files bad` writes them again; review the difference before you commit it.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/bad");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the fixtures")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_none_or(|e| e != "expected"))
        .collect();
    files.sort();
    files
}

/// Returns the output of `check` for a file, and its exit status.
fn checked(path: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .arg("check")
        .arg(path.file_name().expect("a name"))
        .current_dir(path.parent().expect("a folder"))
        .output()
        .expect("the program runs");
    format!(
        "exit {}\n{}{}",
        output.status.code().expect("a status"),
        String::from_utf8(output.stdout).expect("text"),
        String::from_utf8(output.stderr).expect("text"),
    )
}

#[test]
fn every_bad_file_gets_its_messages() {
    let files = fixtures();
    assert!(files.len() >= 40, "fixtures are missing");
    let mut wrong = Vec::new();
    for path in files {
        let expected = PathBuf::from(format!("{}.expected", path.display()));
        let got = checked(&path);
        if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
            std::fs::write(&expected, &got).expect("written");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        if got != wanted {
            wrong.push(format!("{}\n--- expected\n{wanted}--- got\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Independent of the snapshots: every bad file has a diagnostic, and every diagnostic about
/// its text has a position. The warning about a missing stats file has none.
#[test]
fn every_bad_file_has_a_diagnostic_with_line_and_column() {
    for path in fixtures() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let said = checked(&path);
        let lines: Vec<&str> = said.lines().collect();
        let is_message = |line: &str| ["error: ", "warning: ", "note: "].iter().any(|s| line.starts_with(s));
        let messages = lines.windows(2).filter(|pair| is_message(pair[0]));
        let messages = messages.filter(|pair| !pair[0].contains("found beside the rooms file"));
        assert!(messages.clone().count() > 0, "{name}: {said}");
        for pair in messages {
            let place = pair[1].trim_start().strip_prefix(&format!("--> {name}:"));
            let mut numbers = place
                .unwrap_or_else(|| panic!("{pair:?}"))
                .split(':')
                .map(str::parse::<u32>);
            assert!(numbers.all(|n| n.is_ok_and(|n| n > 0)), "{pair:?}");
        }
        assert!(!said.contains('\0') && !said.contains('\u{7f}'), "{name}: raw bytes");
    }
}

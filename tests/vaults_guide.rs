//! The guide to vaults: its files are written, its commands are run, and what they print is what it shows.
//!
//! `WALLCRAWLER_BLESS=1 cargo test --test vaults_guide` renews the outputs in the guide.

#![allow(clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::Command;

/// A part of the guide's text.
enum Part {
    /// Lines that are only read.
    Prose(String),
    /// A file's name and its text.
    File(String, String),
    /// Commands with what they print.
    Console(String),
}

fn parts(guide: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut prose = String::new();
    let mut name = None;
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        prose.push_str(line);
        prose.push('\n');
        if let Some(file) = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:")) {
            name = Some(file.to_owned());
        }
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block.join("\n") + "\n";
        parts.push(Part::Prose(std::mem::take(&mut prose)));
        if kind == "console" {
            parts.push(Part::Console(text));
        } else {
            parts.push(Part::File(name.take().expect("a file has a name above it"), text));
        }
        prose.push_str("```\n");
    }
    parts.push(Part::Prose(prose));
    parts
}

/// What a command prints, both streams, as a person sees them.
fn run(command: &str, folder: &Path) -> String {
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("wallcrawler"), "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
        .args(words)
        .current_dir(folder)
        .output()
        .expect("runs");
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    // Blanks at line ends would be lost in editors.
    text.lines()
        .fold(String::new(), |text, line| text + line.trim_end() + "\n")
}

#[test]
fn every_example_of_the_guide_does_what_it_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/guide/vaults.md");
    let guide = std::fs::read_to_string(path).expect("the guide");
    let folder = tempfile::tempdir().expect("a folder");
    let (mut renewed, mut commands) = (String::new(), 0);
    for part in parts(&guide) {
        match part {
            Part::Prose(text) => renewed.push_str(&text),
            Part::File(name, text) => {
                std::fs::write(folder.path().join(name), &text).expect("written");
                renewed.push_str(&text);
            }
            Part::Console(text) => {
                for command in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
                    commands += 1;
                    renewed += "$ ";
                    renewed += command;
                    renewed += "\n";
                    renewed += &run(command, folder.path());
                }
            }
        }
    }
    assert!(commands > 8);
    if std::env::var_os("WALLCRAWLER_BLESS").is_some() {
        std::fs::write(path, renewed).expect("written");
    } else {
        assert_eq!(renewed, guide, "renew it by WALLCRAWLER_BLESS=1 and read what changed");
    }
}

//! Modules import only what the table in the crate's documentation allows, and inside `tui` only what the table in its
//! documentation allows. The files and folders of a folder never import each other in a circle.
//!
//! The tests read the paths that begin with `crate::`, and in `tui` those that begin with `crate::tui::` or `super::`.
//! Comments and code that is compiled only for tests are ignored.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Table = BTreeMap<String, BTreeSet<String>>;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the words of a text that are names.
fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns which modules each module may import, from the table in a module's documentation. In the table, `base`
/// stands for all modules up to and including the row of the editor.
fn table(documentation: &str) -> Table {
    let mut table = Table::new();
    let mut base = BTreeSet::new();
    for line in documentation.lines() {
        let Some(row) = line.strip_prefix("//! | ").filter(|row| row.contains('`')) else {
            continue;
        };
        let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").collect();
        let [name, _, may] = cells[..] else {
            panic!("a row of the module map has three cells: {line}");
        };
        let names = name.split('`').skip(1).step_by(2);
        let above: BTreeSet<String> = table.keys().cloned().collect();
        let allowed = match may.trim() {
            "no other module" | "nothing of `tui`" => BTreeSet::new(),
            all if all.starts_with("all above") => {
                let except = words(all.strip_prefix("all above").unwrap_or_default());
                let kept = above.iter().filter(|module| !except.contains(&module.as_str()));
                kept.cloned().collect()
            }
            list => {
                let mut allowed: BTreeSet<String> = words(list).into_iter().map(str::to_owned).collect();
                if allowed.remove("base") {
                    allowed.extend(base.clone());
                }
                allowed
            }
        };
        if names.clone().any(|name| name == "editor") {
            base = above;
            base.insert("editor".to_owned());
        }
        for name in names {
            let others = allowed.iter().filter(|other| *other != name);
            table.insert(name.to_owned(), others.cloned().collect());
        }
    }
    table
}

/// Returns code without comments and without items that are compiled for tests only.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut test_only = None;
    for line in text.lines() {
        let bare = line.split("//").next().unwrap_or_default();
        let indent = bare.len() - bare.trim_start().len();
        if bare.trim() == "#[cfg(test)]" {
            test_only = Some(indent);
        } else if let Some(outer) = test_only {
            // The item ends with its closing brace, or with its first line if that opens none.
            let ends = indent == outer && (bare.trim_end().ends_with(';') || bare.trim() == "}");
            if ends {
                test_only = None;
            }
        } else {
            code.push_str(bare);
            code.push('\n');
        }
    }
    code
}

/// Returns the names that code has after a path such as `crate::`, one by one or in braces.
fn imported(code: &str, path: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let whole = |at: &usize| !code[..*at].ends_with("::");
    for (at, _) in code.match_indices(path).filter(|(at, _)| whole(at)) {
        let rest = &code[at + path.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.extend(words(rest).first().map(|word| (*word).to_owned()));
            continue;
        };
        let (mut depth, mut fresh) = (1, true);
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => fresh = true,
                c if fresh && depth == 1 && c.is_alphanumeric() => {
                    found.extend(words(&group[i..]).first().map(|word| (*word).to_owned()));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

/// Returns the violations in a module's code.
fn violations(module: &str, code: &str, table: &Table) -> Vec<String> {
    let mut wrong = Vec::new();
    match table.get(module) {
        None => wrong.push(format!("{module} is not in the table of src/lib.rs")),
        Some(allowed) => wrong.extend(
            imported(code, "crate::")
                .into_iter()
                .filter(|other| other != module && table.contains_key(other) && !allowed.contains(other))
                .map(|other| format!("{module} imports {other}")),
        ),
    }
    let mut forbid = |names: &[&str], homes: &[&str]| {
        for name in names {
            let used = code.match_indices(name).any(|(at, _)| {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                !code[..at].ends_with(word) && !code[at + name.len()..].starts_with(word)
            });
            if used && !homes.contains(&module) {
                wrong.push(format!("{module} uses {name}"));
            }
        }
    };
    forbid(&["ratatui", "crossterm"], &["tui"]);
    // Asking for the current thread does not start one.
    let threads = [
        "thread::spawn",
        "thread::Builder",
        "thread::scope",
        "thread::sleep",
        "JoinHandle",
    ];
    forbid(&["notify", "notify_debouncer_full"], &["background"]);
    forbid(&threads, &["background"]);
    if module == "engine" {
        forbid(
            &[
                "std::fs",
                "fs_err",
                "std::time",
                "std::thread",
                "std::io",
                "std::env",
                "HashMap",
                "HashSet",
                "RandomState",
            ],
            &[],
        );
    }
    wrong
}

/// Collects every source file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Returns whether a file is a module that its parent declares for tests only.
fn is_test_module(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_stem()) else {
        return false;
    };
    if name == "mod" {
        return is_test_module(folder);
    }
    let parent = [folder.join("mod.rs"), folder.with_extension("rs")]
        .into_iter()
        .find(|p| p.exists() && p != path);
    // Submodules of a module for tests are for tests as well.
    if parent.as_deref().is_some_and(|parent| parent.starts_with(folder)) && is_test_module(folder) {
        return true;
    }
    let declared = ["", "pub(super) "].map(|visible| format!("#[cfg(test)]\n{visible}mod {};", name.to_string_lossy()));
    parent.is_some_and(|parent| declared.iter().any(|declared| read(&parent).contains(declared)))
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = table(&read(&source().join("lib.rs")));
    let mut all = Vec::new();
    files(&source(), &mut all);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for path in &all {
        let inside = path.strip_prefix(source()).expect("below src");
        let first = inside
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        if ["lib", "main"].contains(&module.as_str()) || is_test_module(path) {
            continue;
        }
        let code = code(&read(path));
        for violation in violations(&module, &code, &table) {
            wrong.push(format!("{}: {violation}", inside.display()));
        }
        // `super` must not circumvent this: it may not lead out of the module.
        let depth = inside.components().count() - usize::from(inside.ends_with("mod.rs"));
        if code.contains(&"super::".repeat(depth)) {
            wrong.push(format!("{}: super leads out of the module", inside.display()));
        }
        seen.insert(module);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed: BTreeSet<String> = table.into_keys().collect();
    assert_eq!(listed, seen, "the table in src/lib.rs and the folders of src");
}

/// Returns the modules of a table that import each other.
fn circle(table: &Table) -> Vec<String> {
    let mut left = table.clone();
    loop {
        let before = left.len();
        let names: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, may| may.iter().any(|module| names.contains(module)));
        if left.len() == before {
            return left.into_keys().collect();
        }
    }
}

#[test]
fn the_table_has_no_circle() {
    let table = table(&read(&source().join("lib.rs")));
    assert_eq!(circle(&table), [""; 0], "these import each other");
    assert!(table["tui"].contains("background") && !table["tui"].contains("cli") && !table["cli"].contains("tui"));
}

#[test]
fn modules_of_the_designer_import_only_what_their_table_allows() {
    let tui = source().join("tui");
    let table = table(&read(&tui.join("mod.rs")));
    assert_eq!(circle(&table), [""; 0], "these import each other");
    let mut all = Vec::new();
    files(&tui, &mut all);
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for path in all
        .iter()
        .filter(|path| !is_test_module(path) && **path != tui.join("mod.rs"))
    {
        let inside = path.strip_prefix(&tui).expect("below tui");
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module = parts[0].trim_end_matches(".rs");
        let depth = parts.len() - usize::from(inside.ends_with("mod.rs"));
        let code = code(&read(path));
        let mut names = imported(&code, "crate::tui::");
        names.extend(
            imported(&code, &"super::".repeat(depth))
                .into_iter()
                .filter(|name| name != "super"),
        );
        names.remove(module);
        let allowed = table.get(module).cloned().unwrap_or_default();
        let refused = names.into_iter().filter(|name| !allowed.contains(name));
        wrong.extend(refused.map(|name| format!("{}: {module} imports {name}", inside.display())));
        seen.insert(module.to_owned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed: BTreeSet<String> = table.into_keys().collect();
    assert_eq!(listed, seen, "the table in src/tui/mod.rs and its modules");
}

#[test]
fn files_inside_a_folder_import_each_other_in_no_circle() {
    let mut all = Vec::new();
    files(&source(), &mut all);
    all.retain(|path| !is_test_module(path));
    let faces = all.iter().filter(|path| path.ends_with("mod.rs"));
    let folders: Vec<&Path> = faces.filter_map(|path| path.parent()).collect();
    assert!(folders.len() > 60, "only {} folders were found", folders.len());
    let mut wrong = Vec::new();
    for folder in folders {
        let parts =
            |path: &Path| -> Vec<String> { path.iter().map(|part| part.to_string_lossy().into_owned()).collect() };
        let module = parts(folder.strip_prefix(source()).expect("below src")).join("::");
        let mut table = Table::new();
        for path in all
            .iter()
            .filter(|path| path.starts_with(folder) && **path != folder.join("mod.rs"))
        {
            let inside = path.strip_prefix(folder).expect("below the folder");
            let parts = parts(inside);
            let depth = parts.len() - usize::from(inside.ends_with("mod.rs"));
            let code = code(&read(path));
            let mut names = imported(&code, &format!("crate::{module}::"));
            names.extend(imported(&code, &"super::".repeat(depth)));
            let name = parts[0].trim_end_matches(".rs");
            names.remove(name);
            table.entry(name.to_owned()).or_default().extend(names);
        }
        let circle = circle(&table);
        if !circle.is_empty() {
            wrong.push(format!("{module}: {}", circle.join(", ")));
        }
    }
    assert!(
        wrong.is_empty(),
        "these import each other in a circle, or import modules that do:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn wrong_imports_are_found() {
    let table = table(
        "//! | [`geometry`] | x | no other module |\n//! | [`engine`](mod@engine) | x | geometry |\n//! | `tui` | x | all above, not cli |\n//! | `cli` | x | all above, not tui |\n",
    );
    let found = |module: &str, text: &str| violations(module, &code(text), &table);
    assert_eq!(found("engine", "use crate::geometry::Point; // crate::tui\n"), [""; 0]);
    assert_eq!(
        found("engine", "fn f() { crate::tui::run() }\n"),
        ["engine imports tui"]
    );
    assert_eq!(
        found("geometry", "use crate::{\n  cli::{engine, A},\n  engine,\n};\n"),
        ["geometry imports cli", "geometry imports engine"]
    );
    assert_eq!(
        found("cli", "use crate::engine; use crate::tui;\n"),
        ["cli imports tui"]
    );
    assert_eq!(found("cli", "use ratatui::Frame;\n"), ["cli uses ratatui"]);
    assert_eq!(
        found("engine", "use std::collections::HashMap;\n"),
        ["engine uses HashMap"]
    );
    assert_eq!(found("tui", "std::thread::sleep(x);\n"), ["tui uses thread::sleep"]);
    assert_eq!(found("vault", ""), ["vault is not in the table of src/lib.rs"]);
    let tests = "#[cfg(test)]\nmod tests {\n    use crate::tui;\n}\nuse crate::geometry;\n";
    assert_eq!(found("engine", tests), [""; 0]);
    assert_eq!(
        found("engine", &format!("{tests}use crate::tui;\n")),
        ["engine imports tui"]
    );
}

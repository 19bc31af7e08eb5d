//! Checks that texts on the screen do not name default keys. The user may have changed the keys, so texts must name the
//! keys in effect.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::table;

/// Parts of texts in which a default key is allowed, each with the reason.
const EXCEPTIONS: [(&str, &str); 8] = [
    (
        "A grid line every N squares",
        "N is a number; Backspace edits typed text, and this key cannot be changed",
    ),
    (
        "The number of a Builder to follow",
        "Backspace edits typed text, and this key cannot be changed",
    ),
    (
        "must be a number: press Backspace",
        "Backspace edits typed text, and this key cannot be changed",
    ),
    ("i 12", "the syntax of moments"),
    ("growth starts in {seconds} s", "s is a unit"),
    ("o guaranteed open", "the characters of a dungeon as text"),
    ("a rooms file", "an article"),
    ("End the", "a verb"),
];

/// Adds the Rust files of a folder and its subfolders to a list.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the paths, without extension, of the modules that a file declares for tests only.
fn test_modules(file: &Path, code: &str) -> Vec<PathBuf> {
    let folder = if file.ends_with("mod.rs") {
        file.parent().unwrap().to_owned()
    } else {
        file.with_extension("")
    };
    let after = code.split("#[cfg(test)]\n").skip(1);
    let declared = after.filter_map(|rest| rest.lines().next()?.strip_suffix(';'));
    let names = declared.filter_map(|line| line.split_once("mod ").map(|(_, name)| name));
    names.map(|name| folder.join(name)).collect()
}

/// Returns the code of a file before its module of tests.
fn without_tests(code: &str) -> &str {
    let starts = code.match_indices("#[cfg(test)]\nmod ").map(|(at, _)| at);
    let mut bodies = starts.filter(|at| code[*at..].lines().nth(1).is_some_and(|line| line.ends_with('{')));
    &code[..bodies.next().unwrap_or(code.len())]
}

/// Returns the string literals of Rust code. Escaped characters other than quotes become blanks.
fn literals(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, here) = rest.split_at(at);
        let skip = if here.starts_with("//") {
            here.find('\n').unwrap_or(here.len())
        } else if here.starts_with("'\\") {
            3 + here[3..].find('\'').unwrap() + 1
        } else if let Some(quoted) = here.strip_prefix('\'') {
            // A lifetime has no second quote after its first character.
            let end = quoted.chars().next().unwrap().len_utf8();
            if quoted[end..].starts_with('\'') { end + 2 } else { 1 }
        } else if before.ends_with("r#") {
            let end = here.find("\"#").unwrap();
            found.push(here[1..end].to_owned());
            end + 2
        } else if let Some(quoted) = here.strip_prefix('"') {
            let (text, length) = literal(quoted);
            found.push(text);
            length + 2
        } else {
            1
        };
        rest = &here[skip..];
    }
    found
}

/// Returns the string literal at the start of `code`, and its length in the code. `code` begins after the literal's
/// opening quote.
fn literal(code: &str) -> (String, usize) {
    let mut text = String::new();
    let mut characters = code.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (text, at),
            '\\' => match characters.next().unwrap().1 {
                quoted @ ('"' | '\'') => text.push(quoted),
                _ => text.push(' '),
            },
            c => text.push(c),
        }
    }
    panic!("a string has no end: {text}");
}

/// Returns the default key that a text names, if any.
fn named_key<'a>(text: &str, keys: &'a BTreeSet<String>) -> Option<&'a String> {
    // A placeholder counts as one word, whatever it contains.
    let mut plain = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                plain.push('_');
            }
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let bare = |word: &'_ str| word.trim_matches(|c| "()[],;:.…·!?\"".contains(c)).to_owned();
    words.iter().enumerate().find_map(|(i, word)| {
        let key = keys.get(*word).or_else(|| keys.get(&bare(word)))?;
        let previous = i.checked_sub(1).map(|i| bare(words[i]).to_lowercase());
        let next = words.get(i + 1).map(|next| bare(next)).unwrap_or_default();
        let is_sign_or_article = matches!(key.as_str(), "a" | "A" | "I") || !key.starts_with(char::is_alphabetic);
        // The word after the key looks like a verb, as in "+ zooms in" and "a allows all".
        let acts = next.len() > 2 && next.ends_with('s') && next.chars().all(|c| c.is_ascii_lowercase());
        let is_named = match key.as_str() {
            // A text of only one word is a title or a name, so the word is not a key. A digit is usually a number, not
            // a key.
            _ if words.len() == 1 => false,
            digit if digit.starts_with(|c: char| c.is_ascii_digit()) => false,
            _ if is_sign_or_article => acts || *word == format!("({key})"),
            _ => true,
        };
        (is_named || previous.as_deref() == Some("press") && key != "a").then_some(key)
    })
}

#[test]
fn texts_name_no_default_key() {
    let keys: BTreeSet<String> = table()
        .flat_map(|row| row.keys)
        .map(ToString::to_string)
        .filter(|key| !key.starts_with(['↑', '↓', '←', '→']))
        .collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui");
    let mut files = Vec::new();
    add_files(&source, &mut files);
    let read = |path: &PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    let files: Vec<(PathBuf, String)> = files.iter().map(read).collect();
    let tests: Vec<PathBuf> = files.iter().flat_map(|(path, code)| test_modules(path, code)).collect();
    let (mut wrong, mut excepted) = (Vec::new(), BTreeSet::new());
    for (path, code) in &files {
        let module = path.with_extension("");
        if tests.iter().any(|test| module.starts_with(test)) {
            continue;
        }
        for text in literals(without_tests(code)) {
            let Some(key) = named_key(&text, &keys) else { continue };
            let parts = EXCEPTIONS.iter().map(|(part, _)| *part);
            match parts.clone().find(|part| text.contains(part)) {
                Some(part) => _ = excepted.insert(part),
                None => wrong.push(format!("{}: {key}: {text}", path.display())),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "name the key with `Keymap::key_of`:\n{}",
        wrong.join("\n")
    );
    let unused = EXCEPTIONS.iter().filter(|(part, _)| !excepted.contains(part));
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}

#[test]
fn named_keys_are_found_in_texts() {
    let keys = ["u", "F", "a", "+", ",", "Alt-w", "Enter", "5", "Space"].map(str::to_owned);
    let keys = BTreeSet::from(keys);
    for (text, key) in [
        ("{added} added; u undoes it", Some("u")),
        ("following {name}; press F or move the map", Some("F")),
        ("every parameter is fixed; a frees all", Some("a")),
        ("a room with a door", None),
        ("{rows} squares: + zooms in", Some("+")),
        ("1 + 2", None),
        ("press , to go back", Some(",")),
        ("left, right", None),
        ("curves; Alt-w shows others", Some("Alt-w")),
        ("mark a seed first (Space), then", Some("Space")),
        ("{u} undoes it", None),
        ("5 rooms", None),
        ("Enter", None),
    ] {
        assert_eq!(named_key(text, &keys).map(String::as_str), key, "{text}");
    }
    let code = "f('\"', \"one \\\"two\\\"\", '\\'', &'a str) // \"three\"\nr#\"four\"#";
    assert_eq!(literals(code), ["one \"two\"", "four"]);
}

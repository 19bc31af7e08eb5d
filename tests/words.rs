//! Comments, messages, pages and names use the words of the field, so that a search finds them.
//!
//! [`PROSE`] lists words for comments, texts in quotes and pages, [`NAMES`] parts of identifiers; each has a
//! replacement. [`SPELLING`] lists spellings that prose does not mix. [`ALLOWED`] lists the deliberate uses.

#![allow(clippy::expect_used, clippy::format_push_string, reason = "helpers of tests")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Words and phrases of comments, texts and pages, and what to write instead.
const PROSE: [(&str, &str); 104] = [
    ("told", "reported, described, labelled"),
    ("tell", "report, describe, explain, show; tell apart: distinguish"),
    ("tells", "reports, describes, explains, shows"),
    ("telling", "reporting, describing"),
    ("whoever", "the user, the caller, you"),
    ("nobody", "no Builder, no caller, not"),
    ("somebody", "a Builder, the user, another program"),
    ("shall", "should, must, is to"),
    ("so many", "N, a number of"),
    ("of its own accord", "automatically"),
    ("luck", "wall frequency"),
    ("fate", "wall frequency, origin"),
    ("reel", "recording file"),
    ("film the", "record the"),
    ("wish", "option, request"),
    ("wishes", "options, requests"),
    ("hear", "receive, handle"),
    ("hears", "receives, handles"),
    ("brood", "offspring"),
    ("shelf", "cache, library, list"),
    ("shelves", "caches, libraries, lists"),
    ("errand", "request, job"),
    ("errands", "requests, jobs"),
    ("inquiry", "request"),
    ("nursery", "metrics runner"),
    ("gist", "metric values"),
    ("duel", "comparison"),
    ("porter", "file service"),
    ("patience", "timeout"),
    ("good design", "valid version"),
    ("design stands", "is kept"),
    ("nothing of it", "none of it; nothing is written"),
    ("fault of the program", "internal error"),
    ("turned away", "cancelled, refused"),
    ("give up", "cancel"),
    ("gives up", "cancels"),
    ("go on", "continue"),
    ("goes on", "continues"),
    ("by the coin", "by a coin toss"),
    ("as things stand", "at present"),
    ("as it stands", "at present"),
    ("put away", "dismiss"),
    ("throw away", "discard"),
    ("thrown away", "discarded"),
    ("take away", "remove"),
    ("takes away", "removes"),
    ("taken away", "removed"),
    ("a film", "an animation, a recording"),
    ("the film", "the playback, recording or animation"),
    ("films", "animations, recordings"),
    ("figures view", "Metrics view"),
    ("no figure", "not a metric"),
    ("this is no", "this is not a"),
    ("how to judge", "evaluating a design"),
    ("falls apart", "is cut in two"),
    ("settle", "resolve, finalize"),
    ("settled", "resolved, finalized"),
    ("settles", "resolves, finalizes"),
    ("strange", "unknown, unusual"),
    ("oddity", "anomaly"),
    ("oddities", "anomalies"),
    ("complain", "report"),
    ("complains", "reports"),
    ("complaint", "diagnostic"),
    ("doubt", "note, warning"),
    ("doubts", "notes, warnings"),
    ("pursue", "seek, follow"),
    ("pursues", "seeks, follows"),
    ("hunt", "search, seek"),
    ("hunts", "searches"),
    ("bout", "comparison"),
    ("exhibit", "preview"),
    ("exhibits", "previews"),
    ("intake", "import"),
    ("seal", "close, end"),
    ("seals", "closes, ends"),
    ("anew", "again"),
    ("afresh", "again"),
    ("hence", "therefore, so"),
    ("seldom", "rarely"),
    ("lessen", "reduce"),
    ("lessens", "reduces"),
    ("lest", "so that … not"),
    ("upon", "on"),
    ("thereby", "so"),
    ("likewise", "in the same way, so does"),
    ("for ever", "forever"),
    ("given up", "cancelled, stopped"),
    ("one sees", "you see, is visible"),
    ("no say", "no effect"),
    ("of its own will", "freely"),
    ("of their own will", "freely"),
    ("as the coin falls", "at random"),
    ("walk round", "walk around"),
    ("walked round", "walked around"),
    ("by more than chance", "significantly"),
    ("original s files", "the files of DungeonMaker"),
    ("vetoes itself", "rejects itself"),
    ("vetoed itself", "rejected itself"),
    ("children", "babies, descendants"),
    ("grandchildren", "descendants"),
    ("progeny", "babies, descendants"),
    ("the other of", "the opposite of"),
    ("straight away", "directly away, at once"),
];

/// Spellings that prose does not use, and what it uses: British ones, with -ize. Code, also in backticks, and texts of
/// a single word, which are names, are not checked; nor is `center`, a word of the manual.
const SPELLING: [(&str, &str); 24] = [
    ("color", "colour"),
    ("colors", "colours"),
    ("colored", "coloured"),
    ("neighbor", "neighbour"),
    ("neighbors", "neighbours"),
    ("neighboring", "neighbouring"),
    ("neighborhood", "neighbourhood"),
    ("behavior", "behaviour"),
    ("gray", "grey"),
    ("centered", "centred"),
    ("favorite", "favourite"),
    ("canceled", "cancelled"),
    ("canceling", "cancelling"),
    ("labeled", "labelled"),
    ("license", "licence"),
    ("recognise", "recognize"),
    ("recognised", "recognized"),
    ("recognising", "recognizing"),
    ("organise", "organize"),
    ("organised", "organized"),
    ("optimised", "optimized"),
    ("optimisation", "optimization"),
    ("initialise", "initialize"),
    ("initialised", "initialized"),
];

/// Parts of identifiers, and what to write instead.
const NAMES: [(&str, &str); 22] = [
    ("told", "reported, text, label"),
    ("tell", "report, describe"),
    ("tells", "reports, describes"),
    ("telling", "report, context"),
    ("teller", "story service"),
    ("whoever", "the user, the caller"),
    ("nobody", "no caller, not"),
    ("somebody", "the user"),
    ("luck", "wall frequency"),
    ("fate", "origin"),
    ("reel", "recording file"),
    ("wishes", "options, request"),
    ("hears", "receives, handles"),
    ("brood", "offspring"),
    ("shelf", "cache, library"),
    ("errand", "request, job"),
    ("inquiry", "request"),
    ("nursery", "runner"),
    ("gist", "values"),
    ("hunt", "search, seek"),
    ("prospect", "seeded design"),
    ("ghost", "preview"),
];

/// Deliberate uses: end of the path, word, reason.
const ALLOWED: [(&str, &str, &str); 17] = [
    ("tests/words.rs", "", "the table"),
    ("CONTRIBUTING.md", "tell", "the table of words"),
    ("CONTRIBUTING.md", "reel", "the table of words"),
    ("keymap/binding.rs", "luck", "a former name that settings may use"),
    ("keymap/binding.rs", "go on", "a former name that settings may use"),
    ("keymap/binding.rs", "put away", "a former name that settings may use"),
    ("keymap/binding.rs", "throw away", "a former name that settings may use"),
    ("palette/synonyms.rs", "luck", "what users of earlier versions type"),
    ("palette/synonyms.rs", "color", "what some users type"),
    ("palette/synonyms.rs", "colors", "what some users type"),
    ("tui/apply_settings.rs", "luck", "a former name that settings may use"),
    ("CONTRIBUTING.md", "errand", "the table of words"),
    ("CONTRIBUTING.md", "hunt", "the table of words"),
    ("CONTRIBUTING.md", "oddity", "the table of words"),
    (
        "tune/cma.rs",
        "tell",
        "the interface of the method is called ask-and-tell",
    ),
    ("engine/decision.rs", "brood", "a name in saved data"),
    ("tests/files/serialized.rs", "brood", "a name in saved data"),
];

/// A word in lower case with its line; the empty word ends a sentence.
type Word = (usize, String);

/// The words of a file: of its prose, of its prose without code in backticks, and of each identifier.
#[derive(Default)]
struct Words {
    prose: Vec<Word>,
    spelled: Vec<Word>,
    names: Vec<Word>,
}

/// Appends the words of a text that begins on a line.
fn split(text: &str, mut line: usize, words: &mut Vec<Word>) {
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphabetic() || c == '_' {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            words.push((line, std::mem::take(&mut word)));
        }
        if ".;:!?".contains(c) {
            words.push((line, String::new()));
        }
        line += usize::from(c == '\n');
    }
}

/// Blanks what is between two backticks on one line.
fn without_code(text: &str) -> String {
    let mut blank = String::new();
    let mut is_code = false;
    for c in text.chars() {
        is_code &= c != '\n';
        if c == '`' {
            is_code = !is_code;
        }
        blank.push(if is_code { ' ' } else { c });
    }
    blank
}

impl Words {
    fn add_prose(&mut self, text: &str, line: usize) {
        split(text, line, &mut self.prose);
        if text.trim().contains(' ') {
            split(&without_code(text), line, &mut self.spelled);
        }
    }

    /// Splits `snake_case`, `CamelCase` and `UPPER_CASE`.
    fn add_name(&mut self, name: &str, line: usize) {
        let mut part = String::new();
        let mut was_lower = false;
        for c in name.chars() {
            if c == '_' || (c.is_uppercase() && was_lower) {
                self.names.push((line, std::mem::take(&mut part)));
            }
            was_lower = c.is_lowercase();
            if c != '_' {
                part.extend(c.to_lowercase());
            }
        }
        self.names.push((line, part));
        self.names.push((line, String::new()));
    }

    fn of_page(text: &str) -> Self {
        let mut words = Self::default();
        words.add_prose(text, 1);
        words
    }

    fn of_code(text: &str) -> Self {
        let mut words = Self::default();
        let mut line = 1;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = token(rest, first);
            let token = &rest[..length];
            if first == '"' || token.ends_with(['"', '#']) && token.len() > 2 {
                words.prose.push((line, String::new()));
                words.add_prose(&without_escapes(token), line);
                words.prose.push((line, String::new()));
            } else if token.starts_with("//") {
                // Comments of several lines are one text.
                words.add_prose(token, line);
            } else if first.is_alphabetic() || first == '_' {
                words.prose.push((line, String::new()));
                words.add_name(token, line);
            }
            line += token.matches('\n').count();
            rest = &rest[length..];
        }
        words
    }
}

/// Returns the length of the token that `text` begins with: a comment, a text in quotes, an identifier or a character.
fn token(text: &str, first: char) -> usize {
    let until = |end: &str, from: usize| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let start = text.trim_start_matches('b');
    let skipped = text.len() - start.len();
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until("*/", 2);
    }
    if skipped <= 1
        && let Some(raw) = start.strip_prefix('r')
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), skipped + hashes + 2);
        }
    }
    if first == '"' {
        let mut escaped = false;
        let end = text.char_indices().skip(1).find(|&(_, c)| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        return end.map_or(text.len(), |(at, _)| at + 1);
    }
    if first == '\'' {
        let mut chars = text.char_indices().skip(1);
        let second = chars.next();
        let third = chars.next();
        return match (second, third) {
            (Some((_, '\\')), _) => until("'", 3),
            (Some(_), Some((at, '\''))) => at + 1,
            _ => 1,
        };
    }
    if first.is_alphabetic() || first == '_' {
        return text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
    }
    first.len_utf8()
}

/// Blanks the escapes of a text in quotes, and the names in braces.
fn without_escapes(text: &str) -> String {
    let mut blank = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') => blank.push('\n'),
                _ => blank.push(' '),
            },
            '{' if chars.as_str().starts_with(|c: char| c.is_lowercase()) => {
                let inside = chars.as_str();
                let name = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
                if inside[name..].starts_with(['}', ':']) {
                    chars = inside[name..].chars();
                }
                blank.push(' ');
            }
            _ => blank.push(c),
        }
    }
    blank
}

/// A finder of the words of a table, by their first word.
struct Finder(HashMap<&'static str, Vec<(&'static str, &'static str)>>);

impl Finder {
    fn new(table: &'static [(&str, &str)]) -> Self {
        let mut by_first = HashMap::<_, Vec<_>>::new();
        for &(phrase, instead) in table {
            let first = phrase.split(' ').next().unwrap_or_default();
            by_first.entry(first).or_default().push((phrase, instead));
        }
        Self(by_first)
    }

    /// Returns lines, phrases and replacements.
    fn find(&self, words: &[Word]) -> Vec<(usize, &'static str, &'static str)> {
        let mut found = Vec::new();
        for (at, (line, word)) in words.iter().enumerate() {
            for &(phrase, instead) in self.0.get(word.as_str()).into_iter().flatten() {
                let mut here = words[at..].iter();
                let is_here = |part| here.next().is_some_and(|(_, word)| part == word);
                if phrase.split(' ').all(is_here) {
                    found.push((*line, phrase, instead));
                }
            }
        }
        found
    }
}

/// Lists the files of a folder whose name has one of these ends.
fn files(folder: &Path, ends: &[&str], list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            files(&path, ends, list);
        } else if path.extension().is_some_and(|end| ends.iter().any(|of| end == *of)) {
            list.push(path);
        }
    }
}

#[test]
fn texts_and_names_use_the_words_of_the_field() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|page| root.join(page))
        .into();
    for folder in ["src", "tests", "examples", "benches"] {
        files(&root.join(folder), &["rs", "lua", "py"], &mut list);
    }
    files(&root.join("bindings/python/python"), &["py", "pyi"], &mut list);
    files(&root.join("assets/guide"), &["md"], &mut list);
    files(&root.join("presets"), &["toml", "des"], &mut list);
    list.sort();
    let mut used = [false; ALLOWED.len()];
    let (prose, spelling, names) = (Finder::new(&PROSE), Finder::new(&SPELLING), Finder::new(&NAMES));
    let mut report = String::new();
    let mut count = 0;
    for path in &list {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue; // Files that are deliberately not UTF-8.
        };
        let words = if path.extension().is_some_and(|end| end == "rs") {
            Words::of_code(&text)
        } else {
            Words::of_page(&text)
        };
        let mut all = prose.find(&words.prose);
        all.extend(spelling.find(&words.spelled));
        all.extend(names.find(&words.names));
        for (line, word, instead) in all {
            let allowed = ALLOWED
                .iter()
                .position(|(end, of, _)| path.ends_with(end) && (of.is_empty() || *of == word));
            if let Some(index) = allowed {
                used[index] = true;
                continue;
            }
            let name = path.strip_prefix(root).unwrap_or(path).display();
            report += &format!("{name}:{line}: `{word}`: {instead}\n");
            count += 1;
        }
    }
    for ((end, word, _), _) in ALLOWED.iter().zip(used).filter(|(_, used)| !used) {
        report += &format!("{end}: `{word}` is allowed, but not used\n");
    }
    assert!(
        report.is_empty(),
        "{count} uses of words that nobody would search for:\n{report}"
    );
}

#[test]
fn words_are_found_in_comments_texts_and_names() {
    let code =
        "// So\n// many 'x'\nfn is_told(a: &'static str) { \"one {told} \\\n tells\"; r#\"go\non\"#; b'\"'; Brood }\n";
    let words = Words::of_code(code);
    let found = |table, words: &[Word]| -> Vec<(usize, &str)> {
        let all = Finder::new(table).find(words);
        all.into_iter().map(|(line, phrase, _)| (line, phrase)).collect()
    };
    assert_eq!(
        found(&PROSE, &words.prose),
        [(1, "so many"), (4, "tells"), (4, "go on")]
    );
    assert_eq!(found(&NAMES, &words.names), [(3, "told"), (5, "brood")]);
    let code = "// A `color` is gray.\nlet color = (\"color\", \"a color\");\n";
    assert_eq!(
        found(&SPELLING, &Words::of_code(code).spelled),
        [(1, "gray"), (2, "color")]
    );
}

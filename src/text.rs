//! Helpers for the text of messages: escaping for terminals, suggestions for misspelt names, aligned tables, and nouns
//! that agree with their numbers. The hash that identifies designs and files is also defined here.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// Returns whether a terminal might interpret a character instead of drawing it, or draw nothing for it. Invisible
/// characters could make different names look alike.
///
/// Such characters are C0 controls, DEL and C1 controls; marks, embeddings, overrides and isolates of bidirectional
/// text, which reorder adjacent text; the line and paragraph separators; and format characters without a shape of their
/// own, such as the soft hyphen, the zero-width space, the byte order mark and tags. The zero-width joiner and
/// non-joiner do not count, because emoji and Persian names need them. Variation selectors and combining marks do not
/// count either.
pub(crate) const fn is_control(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Escapes text of one or more lines for a terminal: every [control](is_control) except line feed and tab becomes an
/// escape such as `\u{1b}`. Backslashes are not escaped, so that paths can be copied, and so that escaping text a
/// second time changes nothing.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    escape_if(text, |c| is_control(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes text that must stay on one line: like [`escape`], but line feed and tab also become `\n` and `\t`.
pub(crate) fn escape_line(text: &str) -> Cow<'_, str> {
    escape_if(text, is_control)
}

fn escape_if(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => escaped.push(c),
            c if c.is_ascii() => escaped.extend(c.escape_debug()),
            c => escaped.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(escaped)
}

/// Escapes a line of JSON for a terminal: each control becomes `\uXXXX`, which a JSON parser reads as the same text.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_control) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_control(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Escapes bytes for a terminal: like [`escape`], but bytes that are not UTF-8 also become escapes such as `\x9b`.
pub(crate) fn escape_bytes(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return escape(text);
    }
    let mut escaped = String::with_capacity(bytes.len() * 2);
    for chunk in bytes.utf8_chunks() {
        escaped.push_str(&escape(chunk.valid()));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\x{byte:02x}");
        }
    }
    Cow::Owned(escaped)
}

/// Maximum length in characters of words that are compared. The time of a comparison is proportional to the product of
/// the two lengths.
const LONGEST: usize = 64;

/// Maximum [`distance`] between a misspelt word and the intended name.
const MOST: usize = 3;

/// Minimum length in characters of a word that may match as the beginning of a name.
const BEGINNING: usize = 3;

/// Returns the name that the user most probably meant by an unknown word: the [similar](is_similar) name at the
/// smallest distance, otherwise the shortest name that begins with the word. If several names are equally good, the
/// first is returned.
pub(crate) fn suggest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let beginning = folded(word);
    let is_long = beginning.chars().count() >= BEGINNING;
    let rank = |name: &str| {
        let begins = || (is_long && folded(name).starts_with(&beginning)).then(|| MOST + name.len());
        distance(name, word).or_else(begins)
    };
    let ranked = names.into_iter().filter_map(|name| Some((rank(name)?, name)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, name)| name)
}

/// Returns the suggested name as a question: ``did you mean `keep`?``
pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggest(word, names).map(|name| format!("did you mean `{name}`?"))
}

/// Returns a message, followed by a suggestion as [`did_you_mean`] returns it: ``unknown map; did you mean `keep`?``
/// Without a similar name, returns only the message.
pub(crate) fn with_suggestion<'a>(message: &str, word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let suggestion = did_you_mean(word, names).map_or_else(String::new, |suggestion| format!("; {suggestion}"));
    format!("{message}{suggestion}")
}

/// Returns whether a word is similar enough to a name to be a misspelling of it. The number of letters that are
/// missing, added, wrong or exchanged with their neighbour must be at most three, and at most a third of the length of
/// the name or the word, whichever is longer. Case and the kind of separator are ignored.
pub(crate) fn is_similar(name: &str, word: &str) -> bool {
    distance(name, word).is_some()
}

/// Returns the number of letters that are missing, added, wrong or exchanged with their neighbour; `None` if there are
/// too many for a misspelling.
fn distance(name: &str, word: &str) -> Option<usize> {
    if name.eq_ignore_ascii_case(word) {
        return Some(0);
    }
    let [a, b] = [name, word].map(|text| text.chars().count());
    let most = (a.max(b) / 3).min(MOST);
    if a.max(b) > LONGEST || a.abs_diff(b) > most {
        return None;
    }
    let [name, word] = [name, word].map(folded);
    Some(strsim::osa_distance(&name, &word)).filter(|distance| *distance <= most)
}

/// Returns a name in lower case, with underscores as its separators.
fn folded(name: &str) -> String {
    name.to_lowercase().replace(['-', ' '], "_")
}

/// Quotes a word for a shell if it contains anything but letters, digits and harmless punctuation, so that it stays one
/// word.
pub(crate) fn shell_quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

/// Quotes a path for a shell like [`shell_quoted`]. A path that begins with a hyphen is written with `./`, so that it
/// is not taken for an option; `-` alone stays as it is. A path that is not Unicode is written as `$'…'`, with `\xNN`
/// for each byte that is not UTF-8.
pub(crate) fn shell_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let folder = if text.starts_with('-') && text != "-" { "./" } else { "" };
    if path.to_str().is_some() {
        return shell_quoted(&format!("{folder}{text}")).into_owned();
    }
    let mut quoted = format!("$'{folder}");
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        quoted += &chunk.valid().replace('\\', "\\\\").replace('\'', "\\'");
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\x{byte:02x}");
        }
    }
    quoted + "'"
}

/// Returns a number with thousands separators: `12,345`.
pub(crate) fn thousands(number: u64) -> String {
    separated(&number.to_string())
}

/// Returns a text with thousands separators in the whole part of each number: `+12,345.6789 [−2, +23,456]`.
pub(crate) fn with_thousands(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + text.len() / 3);
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let (digits, after) = from.split_at(from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len()));
        result += before;
        if result.ends_with('.') {
            result += digits;
        } else {
            result += &separated(digits);
        }
        rest = after;
    }
    result + rest
}

/// Returns digits with a separator before each group of three.
fn separated(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns the lines of a table with aligned columns: the columns whose index is in `right` are aligned to the right.
/// Cells are padded to at most 40 characters, so that one long cell does not push the cells of all other rows off the
/// screen. The caller must escape control characters in the cells.
pub(crate) fn aligned(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    padded(rows, 40, |column| right.contains(&column))
}

/// Returns the lines of a table with aligned columns: those for which `is_right` returns true are aligned to the right.
/// Cells are padded to at most `most` characters.
pub(crate) fn padded(rows: &[Vec<String>], most: usize, is_right: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).min(most)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            if is_right(column) {
                format!("{cell:>width$}")
            } else {
                format!("{cell:width$}")
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Returns a number with its noun: `1 room`, `1,234 rooms`. A negative count, which should not occur, is written as 0.
pub(crate) fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(0);
    format!("{} {}", thousands(count), plural(count, noun))
}

/// Returns the form of a noun that follows a number: `room` after 1, `rooms` after 2.
pub(crate) fn plural(count: u64, noun: &str) -> Cow<'_, str> {
    if count == 1 {
        return Cow::Borrowed(noun);
    }
    let stem = noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    Cow::Owned(match stem {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    })
}

/// Returns the 64-bit FNV-1a hash of some bytes, which is the same on every platform. Saved files contain the hash to
/// identify a design or file. The hash does not protect against forgery.
pub(crate) fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_is_left_in_escaped_text() {
        let every: String = (0..=u32::from(char::MAX)).filter_map(char::from_u32).collect();
        let (text, line) = (escape(&every), escape_line(&every));
        assert!(!text.contains(|c| is_control(c) && c != '\n' && c != '\t'));
        assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        assert!(!line.contains(is_control));
        assert_eq!(
            escape("a\u{1b}]0;x\u{7}b\u{9b}1m\r\n\tc\u{202e}d\u{7f}\0"),
            "a\\u{1b}]0;x\\u{7}b\\u{9b}1m\\r\n\tc\\u{202e}d\\u{7f}\\0"
        );
        assert_eq!(escape_line("a\n\tb"), "a\\n\\tb");
        assert_eq!(escape(&text), text, "escaping twice changes nothing");
    }

    #[cfg(feature = "terminal")]
    #[test]
    fn escaped_json_has_no_control_and_reads_as_the_same_text() {
        let every: String = (0..=u32::from(char::MAX)).filter_map(char::from_u32).collect();
        let json = serde_json::to_string(&every).unwrap();
        let escaped = escape_json(&json);
        assert!(!escaped.contains(is_control));
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), every);
        assert_eq!(escape_json("{\"a\": \"ü\"}"), "{\"a\": \"ü\"}");
    }

    #[test]
    fn a_quoted_word_is_one_word_for_a_shell() {
        for word in ["castle.toml", "größe_2/a-b.toml"] {
            assert_eq!(shell_quoted(word), word);
        }
        assert_eq!(shell_quoted(""), "''");
        assert_eq!(shell_path(Path::new("-x y.toml")), "'./-x y.toml'");
        assert_eq!(shell_path(Path::new("in/-x.toml")), "in/-x.toml");
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let path = Path::new(std::ffi::OsStr::from_bytes(b"-\xffit's \\.toml"));
            assert_eq!(shell_path(path), r"$'./-\xffit\'s \\.toml'");
        }
        assert_eq!(shell_quoted("it's $HOME; `x`.toml"), "'it'\\''s $HOME; `x`.toml'");
    }

    #[test]
    fn harmless_text_is_unchanged() {
        for text in [
            "Größe × 2",
            "e\u{301}",
            "👩\u{200d}🚀",
            "می\u{200c}خواهم",
            "C:\\new\\table",
            "שלום",
        ] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn bytes_that_are_not_text_are_escaped() {
        assert_eq!(escape_bytes(b"a\x9b31mb\n\x1b["), "a\\x9b31mb\n\\u{1b}[");
        assert_eq!(escape_bytes("ä\u{85}".as_bytes()), "ä\\u{85}");
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let vaults = ["shrine_in_the_woods", "ammonite", "keep", "granite_statue"];
        assert_eq!(suggest("qqq", vaults), None);
        assert_eq!(suggest("shrin_in_the_woods", vaults), Some("shrine_in_the_woods"));
        assert_eq!(suggest("amonite", vaults), Some("ammonite"));
        assert_eq!(suggest("kepe", vaults), Some("keep"), "exchanged letters");
        assert_eq!(suggest("KEEP", vaults), Some("keep"), "another case");
        assert_eq!(
            suggest("Granite Statue", vaults),
            Some("granite_statue"),
            "another separator"
        );
        assert_eq!(suggest("MaxAgee", ["MinAge", "MaxAge"]), Some("MaxAge"));
        assert_eq!(suggest("to", ["tp", "at"]), None, "two letters are too short");
        assert_eq!(suggest("zoom", ["zoom-out", "zoom-in"]), Some("zoom-in"), "a beginning");
        assert_eq!(
            suggest("no_monsters_here", ["no_monster_gen"]),
            None,
            "too much differs"
        );
        assert_eq!(suggest("", ["a", "keep"]), None);
        let long = "a".repeat(100_000);
        assert_eq!(suggest(&long, [&*long.replace("aa", "ab")]), None, "and takes no time");
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(12_345_678), "12,345,678");
        assert_eq!(with_thousands("1201.5 → 1,196"), "1,201.5 → 1,196");
        assert_eq!(with_thousands("+12345.6789 [−2, 6400]"), "+12,345.6789 [−2, 6,400]");
        assert_eq!(with_thousands("0.12345"), "0.12345");
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(counted(1, "square"), "1 square");
        assert_eq!(counted(0_usize, "square"), "0 squares");
        assert_eq!(counted(2_u64, "story"), "2 stories");
        assert_eq!(counted(3_u32, "key"), "3 keys");
        assert_eq!(counted(1_234_i32, "branch"), "1,234 branches");
    }
}

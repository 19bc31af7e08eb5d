//! Writes and reads a design as a short text, which contains only the differences from a base design. Dungeon codes
//! (module `code`) contain this text.
//!
//! Each line is `key value`. Keys are those of the TOML format. A key of a list or table begins with the name of the
//! list or table (`generation.max_age`, `room.width`); other keys are written alone (`dim_x 55`). A list that differs
//! from the base is written whole: `room 3` begins a list of three rooms with default values, and each line `room.KEY`
//! contains the values of one field for all three rooms.
//!
//! | value | is written as |
//! |---|---|
//! | a number for each entry | `4,3*8,2`: the numbers in order; `3*8` repeats 3 eight times |
//! | a text for each entry | `hall\|yard`: `\n`, `\\` and `\p` represent a line break, a backslash and a bar |
//! | squares | `3,4 5,6>10 7,8v2`: row and column; `>10` adds the ten squares to the right, `v2` the two below |
//!
//! Keys never change their meaning. A text with an unknown key is rejected.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::design::{Design, Entry, Field, GENERATIONS, List, Parameter};
use crate::geometry::Point;

/// Maximum number of rooms, Crawlers, vaults or places in a text.
const MAX_ENTRIES: usize = 20_000;

/// Maximum number of squares in one list.
const MAX_SQUARES: usize = 1_000_000;

/// The records that exist only once in a design, each with the prefix of its keys.
const SINGLE: [(&str, Entry); 4] = [
    ("", Entry::Dimensions),
    ("", Entry::Protuberances),
    ("", Entry::Constants),
    ("limits.", Entry::Limits),
];

/// The reason why a text cannot be read as a design.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompactError {
    /// A key is unknown.
    #[error("`{0}` is unknown: a newer version of the program may have written it")]
    Unknown(String),
    /// The value of a key cannot be read.
    #[error("the value of `{0}` cannot be read")]
    Value(String),
    /// A list has more entries than are allowed.
    #[error("`{0}` has more entries than are allowed")]
    TooMany(String),
}

/// Returns the name by which keys refer to a list.
const fn name(list: List) -> &'static str {
    match list {
        List::Rooms => "room",
        List::Open => "open",
        List::Walls => "walls",
        List::Columns => "columns",
        List::Crawlers => "crawler",
        List::Vaults => "vault",
        List::Places => "place",
    }
}

/// Returns whether the entries of a list are squares.
const fn has_squares(list: List) -> bool {
    matches!(list, List::Open | List::Walls | List::Columns)
}

/// Writes the differences between `design` and `base`. The text ends with a line break unless it is empty.
pub fn write(design: &Design, base: &Design) -> String {
    let mut out = String::new();
    for (key, text, before) in [
        ("name", &design.name, &base.name),
        ("notes", &design.notes, &base.notes),
    ] {
        if text != before {
            line(&mut out, key, &escape(text));
        }
    }
    if design.seed != base.seed {
        line(&mut out, "seed", &design.seed.to_string());
    }
    for (prefix, entry) in SINGLE {
        for &parameter in entry.parameters() {
            let value = design.get(entry, parameter);
            if let Some(value) = value.filter(|_| value != base.get(entry, parameter)) {
                line(
                    &mut out,
                    &format!("{prefix}{}", parameter.info().key),
                    &value.to_string(),
                );
            }
        }
    }
    for list in List::ALL {
        if !is_same(list, design, base) {
            write_list(&mut out, list, design);
        }
    }
    let generations = |design: &Design, parameter: Parameter| -> Vec<i32> {
        let values = (0..GENERATIONS).filter_map(|i| design.get(Entry::Generation(i), parameter));
        values.collect()
    };
    for &parameter in Entry::Generation(0).parameters() {
        let values = generations(design, parameter);
        if values != generations(base, parameter) {
            let key = format!("generation.{}", parameter.info().key);
            line(&mut out, &key, &numbers_text(&values));
        }
    }
    for (key, at, before) in [
        ("entrance", design.expect.entrance, base.expect.entrance),
        ("exit", design.expect.exit, base.expect.exit),
    ] {
        if at != before {
            line(&mut out, key, &at.map_or_else(String::new, |at| squares_text(&[at])));
        }
    }
    if design.expect.that != base.expect.that {
        line(&mut out, "expect", &texts_text(&design.expect.that));
    }
    out
}

fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} {value}");
}

/// Returns whether a list has the same entries in two designs.
fn is_same(list: List, one: &Design, other: &Design) -> bool {
    let (a, b) = (&one.layout, &other.layout);
    match list {
        List::Rooms => a.rooms == b.rooms,
        List::Open => a.open == b.open,
        List::Walls => a.walls == b.walls,
        List::Columns => a.columns == b.columns,
        List::Crawlers => a.crawlers == b.crawlers,
        List::Vaults => a.vaults == b.vaults,
        List::Places => a.places == b.places,
    }
}

/// Writes a list: its squares, or the number of its entries and each field that differs from the default in at least
/// one entry.
fn write_list(out: &mut String, list: List, design: &Design) {
    let layout = &design.layout;
    match list {
        List::Open => return line(out, name(list), &squares_text(&layout.open)),
        List::Walls => return line(out, name(list), &squares_text(&layout.walls)),
        List::Columns => return line(out, name(list), &squares_text(&layout.columns)),
        List::Rooms | List::Crawlers | List::Vaults | List::Places => {}
    }
    let count = list.len(layout);
    line(out, name(list), &count.to_string());
    let mut plain = Design::default();
    list.insert(&mut plain.layout, 0, None);
    for field in list.entry(0).fields() {
        let key = format!("{}.{}", name(list), field.key());
        match field {
            Field::Number(parameter) => {
                let values: Vec<i32> = (0..count)
                    .filter_map(|i| design.get(list.entry(i), parameter))
                    .collect();
                let default = plain.get(list.entry(0), parameter);
                if values.iter().any(|value| Some(*value) != default) {
                    line(out, &key, &numbers_text(&values));
                }
            }
            Field::Text(text) => {
                let values: Vec<&str> = (0..count).filter_map(|i| design.text(list.entry(i), text)).collect();
                if values.iter().any(|value| !value.is_empty()) {
                    line(out, &key, &texts_text(&values));
                }
            }
        }
    }
}

fn numbers_text(values: &[i32]) -> String {
    let runs: Vec<String> = values
        .chunk_by(|a, b| a == b)
        .map(|run| match run.len() {
            1 => run[0].to_string(),
            times => format!("{}*{times}", run[0]),
        })
        .collect();
    runs.join(",")
}

fn texts_text<T: AsRef<str>>(texts: &[T]) -> String {
    let all: Vec<String> = texts
        .iter()
        .map(|text| escape(text.as_ref()).replace('|', "\\p"))
        .collect();
    all.join("|")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

/// Formats squares as runs to the right or downwards. The order of the squares is kept.
fn squares_text(squares: &[Point]) -> String {
    let mut runs = Vec::new();
    let mut rest = squares;
    while let Some(&first) = rest.first() {
        let run_of = |offset: Point| {
            let next = |i: usize| {
                let (x, y) = (
                    first.x.checked_add(offset.x * i as i32),
                    first.y.checked_add(offset.y * i as i32),
                );
                Some(Point::new(x?, y?))
            };
            let squares = rest.iter().enumerate().skip(1);
            squares.take_while(|(i, at)| next(*i) == Some(**at)).count()
        };
        let (right, down) = (run_of(Point::new(0, 1)), run_of(Point::new(1, 0)));
        let start = format!("{},{}", first.x, first.y);
        let more = right.max(down);
        runs.push(match more {
            0 => start,
            _ if right >= down => format!("{start}>{right}"),
            _ => format!("{start}v{down}"),
        });
        rest = &rest[more + 1..];
    }
    runs.join(" ")
}

/// Reads the design that [`write()`] wrote as `text`; `base` must be the same as for [`write()`].
///
/// # Errors
///
/// Returns an error if a key is unknown or occurs twice, if a value cannot be read, or if a list is too long.
pub fn read(text: &str, base: Design) -> Result<Design, CompactError> {
    let mut design = base;
    let mut seen = BTreeSet::new();
    for line in text.split_terminator('\n') {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        if !seen.insert(key) {
            return Err(CompactError::Value(key.to_owned()));
        }
        read_line(key, value, &mut design)?;
    }
    Ok(design)
}

fn read_line(key: &str, value: &str, design: &mut Design) -> Result<(), CompactError> {
    let wrong = || CompactError::Value(key.to_owned());
    match key {
        "name" => design.name = unescape(value).ok_or_else(wrong)?,
        "notes" => design.notes = unescape(value).ok_or_else(wrong)?,
        "seed" => design.seed = value.parse().map_err(|_| wrong())?,
        "expect" => {
            design.expect.that = if value.is_empty() {
                Vec::new()
            } else {
                texts(key, value)?
            }
        }
        "entrance" | "exit" => {
            let squares = squares(key, value)?;
            let at = match squares[..] {
                [] => None,
                [at] => Some(at),
                _ => return Err(wrong()),
            };
            if key == "exit" {
                design.expect.exit = at;
            } else {
                design.expect.entrance = at;
            }
        }
        _ => return read_field(key, value, design),
    }
    Ok(())
}

/// Reads a number, a list, or a field of a list's entries.
fn read_field(key: &str, value: &str, design: &mut Design) -> Result<(), CompactError> {
    let wrong = || CompactError::Value(key.to_owned());
    for (prefix, entry) in SINGLE {
        let parameters = entry.parameters().iter();
        if let Some(own) = key.strip_prefix(prefix)
            && let Some(parameter) = parameters.copied().find(|parameter| parameter.info().key == own)
        {
            design.set(entry, parameter, value.parse().map_err(|_| wrong())?);
            return Ok(());
        }
    }
    let (table, field) = key.split_once('.').unwrap_or((key, ""));
    if table == "generation" {
        let parameters = Entry::Generation(0).parameters().iter().copied();
        let mut found = parameters.filter(|parameter| parameter.info().key == field);
        let found = found.next().map(Field::Number);
        return read_column(key, value, found, GENERATIONS, &Entry::Generation, design);
    }
    let unknown = || CompactError::Unknown(key.to_owned());
    let list = List::ALL
        .into_iter()
        .find(|list| name(*list) == table)
        .ok_or_else(unknown)?;
    if field.is_empty() && has_squares(list) {
        let squares = squares(key, value)?;
        match list {
            List::Open => design.layout.open = squares,
            List::Walls => design.layout.walls = squares,
            _ => design.layout.columns = squares,
        }
        return Ok(());
    }
    if field.is_empty() {
        let count: usize = value.parse().map_err(|_| wrong())?;
        if count > MAX_ENTRIES {
            return Err(CompactError::TooMany(key.to_owned()));
        }
        for index in (0..list.len(&design.layout)).rev() {
            list.remove(&mut design.layout, index);
        }
        for _ in 0..count {
            list.insert(&mut design.layout, usize::MAX, None);
        }
        return Ok(());
    }
    let found = list
        .entry(0)
        .fields()
        .find(|own| own.key() == field && !has_squares(list));
    read_column(key, value, found, list.len(&design.layout), &|i| list.entry(i), design)
}

/// Reads the values of one field for all entries of a list or table.
fn read_column(
    key: &str,
    value: &str,
    field: Option<Field>,
    count: usize,
    entry: &dyn Fn(usize) -> Entry,
    design: &mut Design,
) -> Result<(), CompactError> {
    let wrong = || CompactError::Value(key.to_owned());
    match field.ok_or_else(|| CompactError::Unknown(key.to_owned()))? {
        Field::Number(parameter) => {
            for (i, value) in numbers(key, value, count)?.into_iter().enumerate() {
                design.set(entry(i), parameter, value);
            }
        }
        Field::Text(text) => {
            let texts = texts(key, value)?;
            if texts.len() != count {
                return Err(wrong());
            }
            for (i, value) in texts.iter().enumerate() {
                design.set_text(entry(i), text, value);
            }
        }
    }
    Ok(())
}

/// Reads exactly `count` numbers.
fn numbers(key: &str, value: &str, count: usize) -> Result<Vec<i32>, CompactError> {
    let wrong = || CompactError::Value(key.to_owned());
    let mut all = Vec::new();
    for run in value.split(',') {
        let (number, times) = run.split_once('*').unwrap_or((run, "1"));
        let number: i32 = number.parse().map_err(|_| wrong())?;
        let times: usize = times.parse().map_err(|_| wrong())?;
        if times > count - all.len() {
            return Err(wrong());
        }
        all.extend(std::iter::repeat_n(number, times));
    }
    if all.len() == count { Ok(all) } else { Err(wrong()) }
}

fn texts(key: &str, value: &str) -> Result<Vec<String>, CompactError> {
    let texts: Option<Vec<String>> = value.split('|').map(unescape).collect();
    let texts = texts.ok_or_else(|| CompactError::Value(key.to_owned()))?;
    if texts.len() > MAX_ENTRIES {
        return Err(CompactError::TooMany(key.to_owned()));
    }
    Ok(texts)
}

fn unescape(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        plain.push(match c {
            '\\' => match letters.next()? {
                'n' => '\n',
                'p' => '|',
                '\\' => '\\',
                _ => return None,
            },
            c => c,
        });
    }
    Some(plain)
}

fn squares(key: &str, value: &str) -> Result<Vec<Point>, CompactError> {
    let wrong = || CompactError::Value(key.to_owned());
    let mut all = Vec::new();
    for run in value.split_ascii_whitespace() {
        let (at, offset, more) = match (run.split_once('>'), run.split_once('v')) {
            (Some((at, more)), _) => (at, Point::new(0, 1), more),
            (_, Some((at, more))) => (at, Point::new(1, 0), more),
            _ => (run, Point::new(0, 0), "0"),
        };
        let (x, y) = at.split_once(',').ok_or_else(wrong)?;
        let (x, y): (i32, i32) = (x.parse().map_err(|_| wrong())?, y.parse().map_err(|_| wrong())?);
        let more: usize = more.parse().map_err(|_| wrong())?;
        if more >= MAX_SQUARES - all.len() {
            return Err(CompactError::TooMany(key.to_owned()));
        }
        for i in 0..=more as i32 {
            let (x, y) = (x.checked_add(offset.x * i), y.checked_add(offset.y * i));
            all.push(Point::new(x.ok_or_else(wrong)?, y.ok_or_else(wrong)?));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Room;

    fn again(design: &Design, base: &Design) -> String {
        let text = write(design, base);
        assert_eq!(read(&text, base.clone()).as_ref(), Ok(design), "{text}");
        text
    }

    #[test]
    fn only_differences_are_written() {
        let base = Design::default();
        assert_eq!(again(&base, &base), "");
        let mut design = base.clone();
        design.name = "a \\ b\nc | d\r".into();
        design.seed = u64::MAX;
        design.layout.size.y = 55;
        design.character.generations[3].max_age = 7;
        design.layout.rooms = vec![Room::default(); 3];
        design.layout.rooms[1].width = 9;
        design.layout.walls = [(3, 4), (3, 5), (3, 6), (4, 6), (5, 6), (0, 0)]
            .map(Into::into)
            .to_vec();
        design.expect.that = vec!["reachable | x".into(), "b".into()];
        design.expect.exit = Some(Point::new(4, 5));
        let text = again(&design, &base);
        let expected = "name a \\\\ b\\nc | d\r\nseed 18446744073709551615\ndim_y 55\nroom 3\nroom.width 5,9,5\n\
                        walls 3,4>2 4,6v1 0,0\ngeneration.max_age 10*3,7,10*6\nexit 4,5\nexpect reachable \\p x|b\n";
        assert_eq!(text, expected);
        // Rooms that only the base has are removed.
        assert_eq!(
            again(&base, &design)
                .lines()
                .filter(|line| line.starts_with("room"))
                .count(),
            1
        );
    }

    #[test]
    fn text_that_the_writer_never_makes_is_rejected() {
        for text in [
            "nonsense 1",
            "room.nonsense 1",
            "room.width 3",
            "open.x 3",
            "generation.max_age 3",
            "generation.max_age 3*11",
            "generation.nonsense 3*10",
            "generation 3",
            "room 99999999999",
            "room 20001",
            "room -1",
            "seed -1",
            "seed 18446744073709551616",
            "walls 1",
            "walls 1,2>4000000000",
            "walls 1,2>999999 1,2>1",
            "seed 1\nseed 1",
            "\n",
            "walls 2147483647,2v1",
            "entrance 1,2 3,4",
            "name \\x",
            "crawler 1\ncrawler.x 1,2",
            "dim_x 99999999999",
            "",
        ] {
            let read = read(text, Design::default());
            assert_eq!(read.is_err(), !text.is_empty(), "{text}: {read:?}");
        }
    }
}

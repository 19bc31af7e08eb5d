//! Reads and writes the rooms file: dimensions, limits, rooms, hand-placed squares, first Crawlers and protuberances.
//!
//! The file has several series of records: one for the rooms, one for each kind of hand-placed square, and one for the
//! Crawlers. Each series ends with an entry of zeros and a fixed sentence about this entry; both are part of the
//! format. The reader accepts records in any order, so that a mistake in one place affects only that place. It reports
//! what the original could not read, apart from wrong capitals and a byte order mark.

mod read;

pub(super) use read::first_record;
pub use read::parse;

use super::template::Template;
use crate::design::{Diagnostic, Entry, Field, Layout, Limit, List, Place, RoomField};
use crate::geometry::Point;

/// A section of the file: a single record, or a series of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Dimensions,
    Limits,
    Series(List),
    Protuberances,
}

/// The sections in file order. A section has the same index as its record's template in [`templates`].
const SECTIONS: [Section; 8] = [
    Section::Dimensions,
    Section::Limits,
    Section::Series(List::Rooms),
    Section::Series(List::Open),
    Section::Series(List::Walls),
    Section::Series(List::Columns),
    Section::Series(List::Crawlers),
    Section::Protuberances,
];

/// Index of the template for the second half of a Crawler's record. The entry that ends the series has no second half.
const CRAWLER_TAIL: usize = SECTIONS.len();

/// The sentence after the last entry of each series, in the order of [`List::ALL`]. The last lists of [`List::ALL`],
/// vaults and named places, are not part of a rooms file.
const SENTENCES: [&str; 5] = [
    "div = 0 is not a room but indicates the end of room input",
    "(the value (0 , 0) is not an open square but terminates the series)",
    "(the value (0 , 0) is not a wall tile but terminates the series)",
    "(the value (0 , 0) is not a column but terminates the series)",
    "(the value (0 , 0) is not a crawler but terminates the series)",
];

fn names(entry: Entry) -> Vec<&'static str> {
    entry.fields().map(Field::name).collect()
}

/// Returns the names of the fields of `entry`, each followed by `mark` and `%`, the placeholder for the field's value:
/// `div: %; Xdiv: %`.
fn listed(entry: Entry, mark: &str) -> String {
    let items: Vec<String> = names(entry).iter().map(|name| format!("{name}{mark} %")).collect();
    items.join("; ")
}

/// Returns the templates of the records in the order of [`SECTIONS`], then the template of a Crawler's second half.
fn templates() -> Vec<Template> {
    let of = |entry: Entry, pattern: String| Template::new(pattern, names(entry));
    let crawler = names(Entry::Crawler(0));
    vec![
        of(
            Entry::Dimensions,
            format!("Dungeon dimensions - {}.", listed(Entry::Dimensions, " =")),
        ),
        of(Entry::Limits, format!("{}.", listed(Entry::Limits, " <"))),
        of(Entry::Room(0), listed(Entry::Room(0), ":")),
        of(Entry::Open(0), "Open square at ( % , % )".into()),
        of(Entry::Wall(0), "Wall tile at ( % , % )".into()),
        of(Entry::Column(0), "Column at ( % , % )".into()),
        Template::new("A Crawler starts at (x , y) = (% , %)", crawler[..2].to_vec()),
        of(Entry::Protuberances, "Outside walls sports % protuberances.".into()),
        Template::new(
            "and this crawler will head in direction % with delay % and termination %.",
            crawler[2..].to_vec(),
        ),
    ]
}

/// Returns the entry of zeros that ends a series.
fn terminator(list: List) -> String {
    templates()[2 + list as usize].write(&[0; 14])
}

/// Writes a rooms file that the original program can read. A limit that is too small for its list, such as numRooms for
/// the list of rooms, is raised.
///
/// # Errors
/// Returns a diagnostic for each entry that cannot be written because it would end its series: a square or Crawler at
/// (0, 0), or a room with a div of 0.
pub fn write(layout: &Layout) -> Result<String, Vec<Diagnostic>> {
    let unwritable = unwritable(layout);
    if !unwritable.is_empty() {
        return Err(unwritable);
    }
    let templates = templates();
    let limits = layout.limits.raised_for(layout);
    let mut out = String::new();
    let mut line = |section: usize, numbers: &[i32]| {
        out.push_str(&templates[section].write(numbers));
        out.push('\n');
    };
    let numbers = |entry: Entry| -> Vec<i32> {
        let all = entry.parameters().iter();
        all.filter_map(|parameter| layout.get(entry, *parameter)).collect()
    };
    line(0, &numbers(Entry::Dimensions));
    line(
        1,
        &Limit::ALL.iter().map(|limit| limit.get(&limits)).collect::<Vec<_>>(),
    );
    let squares = [&layout.open, &layout.walls, &layout.columns];
    for room in 0..layout.rooms.len() {
        line(2, &numbers(Entry::Room(room)));
    }
    line(2, &[0; RoomField::ALL.len()]);
    push_line(&mut out, SENTENCES[0]);
    for (i, list) in squares.into_iter().enumerate() {
        for at in list.iter().chain([&Point::new(0, 0)]) {
            push_line(&mut out, &templates[3 + i].write(&[at.x, at.y]));
        }
        push_line(&mut out, SENTENCES[1 + i]);
    }
    for crawler in 0..layout.crawlers.len() {
        let numbers = numbers(Entry::Crawler(crawler));
        push_line(&mut out, &templates[6].write(&numbers[..2]));
        push_line(&mut out, &templates[CRAWLER_TAIL].write(&numbers[2..]));
    }
    push_line(&mut out, &templates[6].write(&[0, 0]));
    push_line(&mut out, SENTENCES[4]);
    push_line(&mut out, &templates[7].write(&[layout.protuberances]));
    Ok(out)
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Returns a diagnostic for each entry that would end its series.
fn unwritable(layout: &Layout) -> Vec<Diagnostic> {
    let origin = Point::new(0, 0);
    let rooms = (0..layout.rooms.len())
        .filter(|&i| layout.rooms[i].div == 0)
        .map(Entry::Room);
    let at = |list: &[Point], entry: fn(usize) -> Entry| -> Vec<Entry> {
        (0..list.len()).filter(|&i| list[i] == origin).map(entry).collect()
    };
    let starts: Vec<Point> = layout.crawlers.iter().map(|c| c.at).collect();
    rooms
        .chain(at(&layout.open, Entry::Open))
        .chain(at(&layout.walls, Entry::Wall))
        .chain(at(&layout.columns, Entry::Column))
        .chain(at(&starts, Entry::Crawler))
        .map(|entry| {
            let what = if matches!(entry, Entry::Room(_)) {
                "a div of 0"
            } else {
                "(0, 0)"
            };
            let label = entry.label();
            Diagnostic::error(format!(
                "{label} cannot be written: in a rooms file {what} ends the list"
            ))
            .at(Place::entry(entry))
            .help("change or remove it, or save the design as TOML")
        })
        .collect()
}

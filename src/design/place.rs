//! Addresses of values in a design, and access to any of them by address.
//!
//! Diagnostics name a [`Place`]; the text formats translate it to a line and column; panels iterate over [`Entry`]s
//! and their fields without knowing the record types.

use serde::{Deserialize, Serialize};

use super::fields::{self, FieldInfo};
use super::{CrawlerStart, Design, GENERATIONS, Layout, Room, VaultEntry};
use crate::geometry::Point;

/// One record of a design: a group of fields that the files store together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The dungeon's dimensions.
    Dimensions,
    /// The rooms file's limits.
    Limits,
    /// The nth room.
    Room(usize),
    /// The nth guaranteed-open square.
    Open(usize),
    /// The nth hand-placed wall tile.
    Wall(usize),
    /// The nth hand-placed column.
    Column(usize),
    /// The nth first Crawler.
    Crawler(usize),
    /// The nth vault.
    Vault(usize),
    /// The number of protuberances.
    Protuberances,
    /// The parameters of a generation.
    Generation(usize),
    /// The constants file.
    Constants,
    /// The nth expectation; it has no fields.
    Expectation(usize),
}

/// A list of the layout whose entries can be added, removed and reordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum List {
    /// Rooms.
    Rooms,
    /// Guaranteed-open squares.
    Open,
    /// Hand-placed wall tiles.
    Walls,
    /// Hand-placed columns.
    Columns,
    /// First Crawlers.
    Crawlers,
    /// Vaults, which the rooms file lacks.
    Vaults,
}

impl List {
    /// The lists in the order of the rooms file, then the vaults, which it lacks.
    pub const ALL: [Self; 6] = [
        Self::Rooms,
        Self::Open,
        Self::Walls,
        Self::Columns,
        Self::Crawlers,
        Self::Vaults,
    ];

    /// Returns the address of the list's nth entry.
    pub const fn entry(self, index: usize) -> Entry {
        match self {
            Self::Rooms => Entry::Room(index),
            Self::Open => Entry::Open(index),
            Self::Walls => Entry::Wall(index),
            Self::Columns => Entry::Column(index),
            Self::Crawlers => Entry::Crawler(index),
            Self::Vaults => Entry::Vault(index),
        }
    }

    /// Returns the number of entries in the list.
    pub fn len(self, layout: &Layout) -> usize {
        match self {
            Self::Rooms => layout.rooms.len(),
            Self::Open => layout.open.len(),
            Self::Walls => layout.walls.len(),
            Self::Columns => layout.columns.len(),
            Self::Crawlers => layout.crawlers.len(),
            Self::Vaults => layout.vaults.len(),
        }
    }

    /// Inserts a new entry with default values at `index` (clamped to the list's end); squares, Crawlers and vaults
    /// are placed at `at` if given.
    pub fn insert(self, layout: &mut Layout, index: usize, at: Option<Point>) {
        let index = index.min(self.len(layout));
        let square = at.unwrap_or(Point::new(
            fields::SQUARES[0].info.default,
            fields::SQUARES[1].info.default,
        ));
        match self {
            Self::Rooms => layout.rooms.insert(index, Room::default()),
            Self::Open => layout.open.insert(index, square),
            Self::Walls => layout.walls.insert(index, square),
            Self::Columns => layout.columns.insert(index, square),
            Self::Crawlers => {
                let start = CrawlerStart::default();
                layout.crawlers.insert(
                    index,
                    CrawlerStart {
                        at: at.unwrap_or(start.at),
                        ..start
                    },
                );
            }
            Self::Vaults => {
                let mut vault = VaultEntry::default();
                if let Some(at) = at {
                    (vault.div, vault.at) = (0, at);
                }
                layout.vaults.insert(index, vault);
            }
        }
    }

    /// Removes an entry; does nothing if there is none.
    pub fn remove(self, layout: &mut Layout, index: usize) {
        fn drop_one<T>(list: &mut Vec<T>, index: usize) {
            if index < list.len() {
                list.remove(index);
            }
        }
        match self {
            Self::Rooms => drop_one(&mut layout.rooms, index),
            Self::Open => drop_one(&mut layout.open, index),
            Self::Walls => drop_one(&mut layout.walls, index),
            Self::Columns => drop_one(&mut layout.columns, index),
            Self::Crawlers => drop_one(&mut layout.crawlers, index),
            Self::Vaults => drop_one(&mut layout.vaults, index),
        }
    }

    /// Swaps two entries; does nothing if either does not exist.
    pub fn swap(self, layout: &mut Layout, a: usize, b: usize) {
        if a.max(b) >= self.len(layout) {
            return;
        }
        match self {
            Self::Rooms => layout.rooms.swap(a, b),
            Self::Open => layout.open.swap(a, b),
            Self::Walls => layout.walls.swap(a, b),
            Self::Columns => layout.columns.swap(a, b),
            Self::Crawlers => layout.crawlers.swap(a, b),
            Self::Vaults => layout.vaults.swap(a, b),
        }
    }

    /// Returns the name of one entry.
    pub const fn singular(self) -> &'static str {
        match self {
            Self::Rooms => "room",
            Self::Open => "open square",
            Self::Walls => "wall tile",
            Self::Columns => "column",
            Self::Crawlers => "Crawler",
            Self::Vaults => "vault",
        }
    }
}

/// An entry, or one field of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Record of the place.
    pub entry: Entry,
    /// Index into the record's fields, then into its text fields; `None` is the record as a whole.
    pub field: Option<usize>,
}

impl Place {
    /// Returns the place of a whole record.
    pub const fn entry(entry: Entry) -> Self {
        Self { entry, field: None }
    }

    /// Returns the place of a field, by its index in the record's field table.
    pub const fn field(entry: Entry, field: usize) -> Self {
        Self {
            entry,
            field: Some(field),
        }
    }
}

/// Evaluates the same expression on the table and record that an entry names.
macro_rules! on_record {
    ($entry:expr, $design:expr, $iter:ident, |$table:ident, $record:ident| $body:expr) => {
        match $entry {
            Entry::Dimensions => Some((&fields::DIMENSIONS[..], $iter!($design.layout))).map(|($table, $record)| $body),
            Entry::Limits => Some((&fields::LIMITS[..], $iter!($design.layout.limits))).map(|($table, $record)| $body),
            Entry::Room(i) => $iter!($design.layout.rooms, i).map(|$record| {
                let $table = &fields::ROOM[..];
                $body
            }),
            Entry::Open(i) => $iter!($design.layout.open, i).map(|$record| {
                let $table = &fields::SQUARES[..];
                $body
            }),
            Entry::Wall(i) => $iter!($design.layout.walls, i).map(|$record| {
                let $table = &fields::SQUARES[..];
                $body
            }),
            Entry::Column(i) => $iter!($design.layout.columns, i).map(|$record| {
                let $table = &fields::SQUARES[..];
                $body
            }),
            Entry::Crawler(i) => $iter!($design.layout.crawlers, i).map(|$record| {
                let $table = &fields::CRAWLER[..];
                $body
            }),
            Entry::Vault(i) => $iter!($design.layout.vaults, i).map(|$record| {
                let $table = &fields::VAULT[..];
                $body
            }),
            Entry::Protuberances => {
                Some((&fields::PROTUBERANCES[..], $iter!($design.layout))).map(|($table, $record)| $body)
            }
            Entry::Generation(i) => $iter!($design.character.generations, i).map(|$record| {
                let $table = &fields::STATS[..];
                $body
            }),
            Entry::Constants => {
                Some((&fields::CONSTANTS[..], $iter!($design.constants))).map(|($table, $record)| $body)
            }
            Entry::Expectation(_) => None,
        }
    };
}
macro_rules! shared {
    ($e:expr) => {
        &$e
    };
    ($e:expr, $i:expr) => {
        $e.get($i)
    };
}
macro_rules! exclusive {
    ($e:expr) => {
        &mut $e
    };
    ($e:expr, $i:expr) => {
        $e.get_mut($i)
    };
}

impl Entry {
    /// Returns the fields of such a record, in file order.
    pub fn fields(self) -> Vec<&'static FieldInfo> {
        fn infos<T>(table: &'static [fields::Field<T>]) -> Vec<&'static FieldInfo> {
            table.iter().map(|field| &field.info).collect()
        }
        match self {
            Self::Dimensions => infos(&fields::DIMENSIONS),
            Self::Limits => infos(&fields::LIMITS),
            Self::Room(_) => infos(&fields::ROOM),
            Self::Open(_) | Self::Wall(_) | Self::Column(_) => infos(&fields::SQUARES),
            Self::Crawler(_) => infos(&fields::CRAWLER),
            Self::Vault(_) => infos(&fields::VAULT),
            Self::Protuberances => infos(&fields::PROTUBERANCES),
            Self::Generation(_) => infos(&fields::STATS),
            Self::Constants => infos(&fields::CONSTANTS),
            Self::Expectation(_) => Vec::new(),
        }
    }

    /// Returns the layout's list that contains the entry, and its index there; `None` for records outside lists.
    pub const fn list(self) -> Option<(List, usize)> {
        match self {
            Self::Room(i) => Some((List::Rooms, i)),
            Self::Open(i) => Some((List::Open, i)),
            Self::Wall(i) => Some((List::Walls, i)),
            Self::Column(i) => Some((List::Columns, i)),
            Self::Crawler(i) => Some((List::Crawlers, i)),
            Self::Vault(i) => Some((List::Vaults, i)),
            Self::Dimensions
            | Self::Limits
            | Self::Protuberances
            | Self::Generation(_)
            | Self::Constants
            | Self::Expectation(_) => None,
        }
    }

    /// Returns the text fields of such a record: only vaults have any.
    pub fn words(self) -> &'static [fields::TextFieldInfo<VaultEntry>] {
        match self {
            Self::Vault(_) => &fields::VAULT_WORDS,
            _ => &[],
        }
    }

    /// Returns the number of fields and text fields of such a record; a [`Place`] counts both.
    pub fn parts(self) -> usize {
        self.fields().len() + self.words().len()
    }

    /// Returns the key of a field, or of a text field after the last field.
    pub fn key(self, part: usize) -> &'static str {
        let fields = self.fields();
        match fields.get(part) {
            Some(info) => info.key,
            None => self.words().get(part - fields.len()).map_or("", |word| word.key),
        }
    }

    /// Returns the name shown to the user: `room 2`, `generation 0`, `constants`. Lists count from 1.
    pub fn label(self) -> String {
        match self {
            Self::Dimensions => "dimensions".into(),
            Self::Limits => "limits".into(),
            Self::Room(i) => format!("room {}", i + 1),
            Self::Open(i) => format!("open square {}", i + 1),
            Self::Wall(i) => format!("wall tile {}", i + 1),
            Self::Column(i) => format!("column {}", i + 1),
            Self::Crawler(i) => format!("Crawler {}", i + 1),
            Self::Vault(i) => format!("vault {}", i + 1),
            Self::Protuberances => "protuberances".into(),
            Self::Generation(i) => format!("generation {i}"),
            Self::Constants => "constants".into(),
            Self::Expectation(i) => format!("expectation {}", i + 1),
        }
    }
}

impl Design {
    /// Returns every record of the design that has fields, in the order of the files: rooms, stats, constants.
    pub fn entries(&self) -> Vec<Entry> {
        let lists = List::ALL
            .into_iter()
            .flat_map(|list| (0..list.len(&self.layout)).map(move |i| list.entry(i)));
        [Entry::Dimensions, Entry::Limits]
            .into_iter()
            .chain(lists)
            .chain([Entry::Protuberances])
            .chain((0..GENERATIONS).map(Entry::Generation))
            .chain([Entry::Constants])
            .collect()
    }

    /// Returns the value of a field; `None` if the design has no such entry or the entry no such field.
    pub fn get(&self, entry: Entry, field: usize) -> Option<i32> {
        on_record!(entry, self, shared, |table, record| table
            .get(field)
            .map(|f| (f.get)(record)))
        .flatten()
    }

    /// Returns a text field of a vault; `None` if the design has no such entry or the entry no such text.
    pub fn word(&self, entry: Entry, word: usize) -> Option<&str> {
        let Entry::Vault(index) = entry else { return None };
        let vault = self.layout.vaults.get(index)?;
        Some((fields::VAULT_WORDS.get(word)?.get)(vault))
    }

    /// Sets a text field of a vault. Returns whether it exists.
    pub fn set_word(&mut self, entry: Entry, word: usize, text: &str) -> bool {
        let Entry::Vault(index) = entry else { return false };
        let (Some(vault), Some(word)) = (self.layout.vaults.get_mut(index), fields::VAULT_WORDS.get(word)) else {
            return false;
        };
        text.clone_into((word.get_mut)(vault));
        true
    }

    /// Sets a field, unchecked. Returns its previous value, or `None` if there is no such field.
    pub fn set(&mut self, entry: Entry, field: usize, value: i32) -> Option<i32> {
        let before = self.get(entry, field)?;
        on_record!(entry, self, exclusive, |table, record| table
            .get(field)
            .map(|f| (f.set)(record, value)));
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_reads_back_what_was_set() {
        let mut design = Design::default();
        for list in List::ALL {
            list.insert(&mut design.layout, 0, None);
            list.insert(&mut design.layout, 9, Some(Point::new(3, 4)));
        }
        for entry in design.entries() {
            for (i, info) in entry.fields().iter().enumerate() {
                assert!(design.set(entry, i, info.min).is_some());
                assert_eq!(design.get(entry, i), Some(info.min), "{entry:?} {}", info.name);
            }
            assert_eq!(design.get(entry, entry.fields().len()), None);
            for (i, word) in entry.words().iter().enumerate() {
                assert!(design.set_word(entry, i, word.key));
                assert_eq!(design.word(entry, i), Some(word.key));
            }
        }
        assert_eq!(design.get(Entry::Room(2), 0), None);
        assert_eq!(design.set(Entry::Generation(10), 0, 1), None);
    }

    #[test]
    fn lists_insert_swap_and_remove() {
        let mut layout = Layout::default();
        List::Walls.insert(&mut layout, 0, Some(Point::new(1, 1)));
        List::Walls.insert(&mut layout, 1, Some(Point::new(2, 2)));
        List::Walls.swap(&mut layout, 0, 1);
        List::Walls.swap(&mut layout, 0, 7);
        List::Walls.remove(&mut layout, 1);
        List::Walls.remove(&mut layout, 1);
        assert_eq!(layout.walls, [Point::new(2, 2)]);
    }
}

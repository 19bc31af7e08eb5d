//! Addresses of values in a design, and methods that get and set the value at an address.
//!
//! A diagnostic contains a [`Place`], and the text formats translate that place to a line and column. Panels iterate
//! over [`Entry`]s and their fields without depending on the record types.

use serde::{Deserialize, Serialize};

use super::fields::{
    Constant, CrawlerField, Dimension, EntryText, Field, Limit, OuterWall, Parameter, PlaceField, RoomField, SavedName,
    SquareField, Stat, VaultField,
};
use super::{CrawlerStart, Design, GENERATIONS, Layout, NamedPlace, Room, VaultEntry};
use crate::geometry::Point;

/// Address of one record of a design. A record is a group of fields that the files store together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The dungeon's dimensions.
    Dimensions,
    /// The limits that the rooms file states for the lengths of its lists.
    Limits,
    /// The room with this index, from 0.
    Room(usize),
    /// The guaranteed-open square with this index.
    Open(usize),
    /// The hand-placed wall tile with this index.
    Wall(usize),
    /// The hand-placed column with this index.
    Column(usize),
    /// The Crawler with this index among the first Crawlers, which are the Crawlers that the layout defines.
    Crawler(usize),
    /// The vault with this index.
    Vault(usize),
    /// The named place with this index.
    NamedPlace(usize),
    /// The number of protuberances of the outer wall.
    Protuberances,
    /// The parameters of the generation with this number, from 0.
    Generation(usize),
    /// The constants file.
    Constants,
    /// The expectation with this index. It has no fields.
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
    /// First Crawlers: the Crawlers that the layout defines.
    Crawlers,
    /// Vaults. The rooms file cannot store them.
    Vaults,
    /// Named places. The rooms file cannot store them.
    Places,
}

impl List {
    /// The lists of the rooms file in its order, followed by the vaults and places, which that file cannot store.
    pub const ALL: [Self; 7] = [
        Self::Rooms,
        Self::Open,
        Self::Walls,
        Self::Columns,
        Self::Crawlers,
        Self::Vaults,
        Self::Places,
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
            Self::Places => Entry::NamedPlace(index),
        }
    }

    /// Returns the limit that the rooms file states for the list's length; `None` for vaults and places.
    pub const fn limit(self) -> Option<Limit> {
        match self {
            Self::Rooms => Some(Limit::Rooms),
            Self::Open => Some(Limit::Open),
            Self::Walls => Some(Limit::Closed),
            Self::Columns => Some(Limit::Columns),
            Self::Crawlers => Some(Limit::Crawlers),
            Self::Vaults | Self::Places => None,
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
            Self::Places => layout.places.len(),
        }
    }

    /// Inserts a new entry with default values at `index` (clamped to the list's end). `at` replaces the default
    /// position of the entry; rooms ignore it.
    pub fn insert(self, layout: &mut Layout, index: usize, at: Option<Point>) {
        let index = index.min(self.len(layout));
        let square = at.unwrap_or(Point::new(SquareField::X.info().default, SquareField::Y.info().default));
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
            Self::Places => layout.places.insert(
                index,
                NamedPlace {
                    at: square,
                    ..NamedPlace::default()
                },
            ),
        }
    }

    /// Removes the entry at `index`; does nothing if there is none.
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
            Self::Places => drop_one(&mut layout.places, index),
        }
    }

    /// Swaps the entries at the indices `a` and `b`; does nothing if either does not exist.
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
            Self::Places => layout.places.swap(a, b),
        }
    }

    /// Returns the singular name of the list's entries, for use in messages.
    pub const fn singular(self) -> &'static str {
        match self {
            Self::Rooms => "room",
            Self::Open => "open square",
            Self::Walls => "wall tile",
            Self::Columns => "column",
            Self::Crawlers => "Crawler",
            Self::Vaults => "vault",
            Self::Places => "place",
        }
    }
}

/// Address of a record or of one of its fields. Serialized with the field's key; deserialization also accepts the
/// field's index, which earlier versions saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "SavedPlace")]
pub struct Place {
    /// The record.
    pub entry: Entry,
    /// Field of the record; `None` addresses the whole record.
    pub field: Option<Field>,
}

#[derive(Deserialize)]
struct SavedPlace {
    entry: Entry,
    field: Option<SavedName>,
}

impl TryFrom<SavedPlace> for Place {
    type Error = String;

    fn try_from(SavedPlace { entry, field }: SavedPlace) -> Result<Self, String> {
        let field = field.map(|name| name.field(entry)).transpose()?;
        Ok(Self { entry, field })
    }
}

impl Place {
    /// Returns the address of a whole record.
    pub const fn entry(entry: Entry) -> Self {
        Self { entry, field: None }
    }

    /// Returns the address of one field of a record.
    pub fn field(entry: Entry, field: impl Into<Field>) -> Self {
        Self {
            entry,
            field: Some(field.into()),
        }
    }
}

impl Entry {
    /// Returns the parameters (numeric fields) of the record, in file order.
    pub const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Dimensions => Dimension::PARAMETERS,
            Self::Limits => Limit::PARAMETERS,
            Self::Room(_) => RoomField::PARAMETERS,
            Self::Open(_) | Self::Wall(_) | Self::Column(_) => SquareField::PARAMETERS,
            Self::Crawler(_) => CrawlerField::PARAMETERS,
            Self::Vault(_) => VaultField::PARAMETERS,
            Self::NamedPlace(_) => PlaceField::PARAMETERS,
            Self::Protuberances => OuterWall::PARAMETERS,
            Self::Generation(_) => Stat::PARAMETERS,
            Self::Constants => Constant::PARAMETERS,
            Self::Expectation(_) => &[],
        }
    }

    /// Returns the text fields of the record. Only vaults and named places have any.
    pub const fn texts(self) -> &'static [EntryText] {
        match self {
            Self::Vault(_) => EntryText::VAULT,
            Self::NamedPlace(_) => EntryText::PLACE,
            _ => &[],
        }
    }

    /// Iterates over the fields of the record: its parameters, then its text fields.
    pub fn fields(self) -> impl Iterator<Item = Field> {
        let numbers = self.parameters().iter().copied().map(Field::Number);
        numbers.chain(self.texts().iter().copied().map(Field::Text))
    }

    /// Returns the layout's list that contains the entry, and the entry's index in that list; `None` for records that
    /// are not in a list.
    pub const fn list(self) -> Option<(List, usize)> {
        match self {
            Self::Room(i) => Some((List::Rooms, i)),
            Self::Open(i) => Some((List::Open, i)),
            Self::Wall(i) => Some((List::Walls, i)),
            Self::Column(i) => Some((List::Columns, i)),
            Self::Crawler(i) => Some((List::Crawlers, i)),
            Self::Vault(i) => Some((List::Vaults, i)),
            Self::NamedPlace(i) => Some((List::Places, i)),
            Self::Dimensions
            | Self::Limits
            | Self::Protuberances
            | Self::Generation(_)
            | Self::Constants
            | Self::Expectation(_) => None,
        }
    }

    /// Returns the name shown to the user: `room 2`, `generation 0`, `constants`. Generations are numbered from 0, the
    /// entries of lists and the expectations from 1.
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
            Self::NamedPlace(i) => format!("place {}", i + 1),
            Self::Protuberances => "protuberances".into(),
            Self::Generation(i) => format!("generation {i}"),
            Self::Constants => "constants".into(),
            Self::Expectation(i) => format!("expectation {}", i + 1),
        }
    }
}

impl Design {
    /// Returns every record of the design that has fields, in the order of the files: rooms file, stats file, constants
    /// file.
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

    /// Returns the value of a parameter; `None` if the design lacks the entry or the entry lacks the parameter.
    pub fn get(&self, entry: Entry, parameter: impl Into<Parameter>) -> Option<i32> {
        match (entry, parameter.into()) {
            (Entry::Generation(i), Parameter::Stat(stat)) => self.character.generations.get(i).map(|of| stat.get(of)),
            (Entry::Constants, Parameter::Constant(constant)) => Some(constant.get(&self.constants)),
            (_, parameter) => self.layout.get(entry, parameter),
        }
    }

    /// Sets a parameter without checking its range. Returns the previous value; `None` if the design lacks the entry or
    /// the entry lacks the parameter.
    pub fn set(&mut self, entry: Entry, parameter: impl Into<Parameter>, value: i32) -> Option<i32> {
        let parameter = parameter.into();
        let before = self.get(entry, parameter)?;
        match (entry, parameter) {
            (Entry::Generation(i), Parameter::Stat(stat)) => stat.set(&mut self.character.generations[i], value),
            (Entry::Constants, Parameter::Constant(constant)) => constant.set(&mut self.constants, value),
            _ => self.layout.set(entry, parameter, value),
        }
        Some(before)
    }

    /// Returns a text field of a vault or place; `None` if the design lacks the entry or the entry lacks the field.
    pub fn text(&self, entry: Entry, text: EntryText) -> Option<&str> {
        text.get(&self.layout, entry)
    }

    /// Sets a text field of a vault or place. Returns whether the field exists.
    pub fn set_text(&mut self, entry: Entry, text: EntryText, value: &str) -> bool {
        let old = text.get_mut(&mut self.layout, entry);
        old.map(|old| value.clone_into(old)).is_some()
    }
}

impl Layout {
    /// Returns the value of a parameter; `None` if the layout lacks the entry or the entry lacks the parameter.
    pub fn get(&self, entry: Entry, parameter: Parameter) -> Option<i32> {
        match (entry, parameter) {
            (Entry::Dimensions, Parameter::Dimension(field)) => Some(field.get(self)),
            (Entry::Limits, Parameter::Limit(field)) => Some(field.get(&self.limits)),
            (Entry::Room(i), Parameter::RoomField(field)) => self.rooms.get(i).map(|room| field.get(room)),
            (Entry::Open(i), Parameter::SquareField(field)) => self.open.get(i).map(|at| field.get(at)),
            (Entry::Wall(i), Parameter::SquareField(field)) => self.walls.get(i).map(|at| field.get(at)),
            (Entry::Column(i), Parameter::SquareField(field)) => self.columns.get(i).map(|at| field.get(at)),
            (Entry::Crawler(i), Parameter::CrawlerField(field)) => self.crawlers.get(i).map(|start| field.get(start)),
            (Entry::Vault(i), Parameter::VaultField(field)) => self.vaults.get(i).map(|vault| field.get(vault)),
            (Entry::NamedPlace(i), Parameter::PlaceField(field)) => self.places.get(i).map(|place| field.get(place)),
            (Entry::Protuberances, Parameter::OuterWall(field)) => Some(field.get(self)),
            _ => None,
        }
    }

    /// Sets a parameter without checking its range; does nothing if the layout lacks the entry or the entry lacks the
    /// parameter.
    pub fn set(&mut self, entry: Entry, parameter: Parameter, value: i32) {
        fn nth<T>(list: &mut [T], index: usize, set: impl FnOnce(&mut T)) {
            if let Some(one) = list.get_mut(index) {
                set(one);
            }
        }
        match (entry, parameter) {
            (Entry::Dimensions, Parameter::Dimension(field)) => field.set(self, value),
            (Entry::Limits, Parameter::Limit(field)) => field.set(&mut self.limits, value),
            (Entry::Room(i), Parameter::RoomField(field)) => nth(&mut self.rooms, i, |room| field.set(room, value)),
            (Entry::Open(i), Parameter::SquareField(field)) => nth(&mut self.open, i, |at| field.set(at, value)),
            (Entry::Wall(i), Parameter::SquareField(field)) => nth(&mut self.walls, i, |at| field.set(at, value)),
            (Entry::Column(i), Parameter::SquareField(field)) => nth(&mut self.columns, i, |at| field.set(at, value)),
            (Entry::Crawler(i), Parameter::CrawlerField(field)) => {
                nth(&mut self.crawlers, i, |start| field.set(start, value));
            }
            (Entry::Vault(i), Parameter::VaultField(field)) => {
                nth(&mut self.vaults, i, |vault| field.set(vault, value));
            }
            (Entry::NamedPlace(i), Parameter::PlaceField(field)) => {
                nth(&mut self.places, i, |place| field.set(place, value));
            }
            (Entry::Protuberances, Parameter::OuterWall(field)) => field.set(self, value),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_absent_have_no_values() {
        let mut design = Design::default();
        design.layout.rooms.push(Room::default());
        design.layout.vaults.push(VaultEntry::default());
        assert_eq!(design.get(Entry::Room(1), RoomField::Div), None);
        assert_eq!(design.get(Entry::Room(0), Stat::MaxAge), None);
        assert_eq!(design.set(Entry::Generation(10), Stat::MaxAge, 1), None);
        for &text in EntryText::VAULT {
            assert!(design.set_text(Entry::Vault(0), text, text.key()));
            assert_eq!(design.text(Entry::Vault(0), text), Some(text.key()));
            assert!(!design.set_text(Entry::Vault(1), text, ""));
        }
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

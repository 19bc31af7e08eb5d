//! Layout objects: the values of layout entries, which can be placed, moved, copied and removed in the same way
//! whatever list they belong to.
//!
//! This module only changes designs; it depends neither on the screen nor on stage one. Walls, open squares and columns
//! are drawn like pixels: a square contains at most one of them, and drawing another replaces it.

use std::collections::BTreeSet;

use super::rooms::{self, RoomPlacing};
use crate::design::{CrawlerStart, Design, Entry, Layout, List, NamedPlace, PlacedVault, Room, VaultEntry};
use crate::geometry::{Point, Size};
use crate::text::counted;

/// Square that marks the end of a list in rooms files, and so cannot be an entry.
const ORIGIN: Point = Point::new(0, 0);

/// The value of an entry of the layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LayoutObject {
    Room(Room),
    /// An open square, a wall tile or a column.
    Square(List, Point),
    /// A first Crawler.
    Crawler(CrawlerStart),
    Vault(VaultEntry),
    /// A named place.
    Place(NamedPlace),
}

impl LayoutObject {
    /// Returns the value of an entry, or `None` if it is not part of the layout.
    pub(super) fn of(layout: &Layout, entry: Entry) -> Option<Self> {
        Some(match entry {
            Entry::Room(i) => Self::Room(*layout.rooms.get(i)?),
            Entry::Open(i) => Self::Square(List::Open, *layout.open.get(i)?),
            Entry::Wall(i) => Self::Square(List::Walls, *layout.walls.get(i)?),
            Entry::Column(i) => Self::Square(List::Columns, *layout.columns.get(i)?),
            Entry::Crawler(i) => Self::Crawler(*layout.crawlers.get(i)?),
            Entry::Vault(i) => Self::Vault(layout.vaults.get(i)?.clone()),
            Entry::NamedPlace(i) => Self::Place(layout.places.get(i)?.clone()),
            _ => return None,
        })
    }

    /// Returns the list that the object belongs to.
    pub(super) const fn list(&self) -> List {
        match self {
            Self::Room(_) => List::Rooms,
            Self::Square(list, _) => *list,
            Self::Crawler(_) => List::Crawlers,
            Self::Vault(_) => List::Vaults,
            Self::Place(_) => List::Places,
        }
    }

    /// Returns the object moved to another square. The square becomes a room's centre or a vault's top left square. The
    /// error says why the object cannot be there.
    pub(super) fn moved(&self, to: Point, size: Size, placing: RoomPlacing) -> Result<Self, String> {
        allowed(self.list(), to, size)?;
        Ok(match self {
            Self::Room(room) => Self::Room(rooms::placed(*room, to, size, placing)),
            Self::Square(list, _) => Self::Square(*list, to),
            Self::Crawler(start) => Self::Crawler(CrawlerStart { at: to, ..*start }),
            Self::Vault(vault) => Self::Vault(VaultEntry {
                div: 0,
                at: Point::new(to.x.max(1), to.y.max(1)),
                ..vault.clone()
            }),
            // After a move, a named place refers to the square, no longer to a room or vault.
            Self::Place(place) => Self::Place(NamedPlace {
                name: place.name.clone(),
                at: to,
                ..NamedPlace::default()
            }),
        })
    }

    /// Replaces the entry `index` of its list with the object; does nothing if `index` is out of range.
    pub(super) fn write(self, layout: &mut Layout, index: usize) {
        fn set<T>(list: &mut [T], index: usize, value: T) {
            if let Some(place) = list.get_mut(index) {
                *place = value;
            }
        }
        match self {
            Self::Room(room) => set(&mut layout.rooms, index, room),
            Self::Square(list, at) => set(squares_mut(layout, list), index, at),
            Self::Crawler(start) => set(&mut layout.crawlers, index, start),
            Self::Vault(vault) => set(&mut layout.vaults, index, vault),
            Self::Place(place) => set(&mut layout.places, index, place),
        }
    }

    /// Appends the object to its list and returns the new entry.
    pub(super) fn add(self, layout: &mut Layout) -> Entry {
        let list = self.list();
        let index = list.len(layout);
        list.insert(layout, index, None);
        self.write(layout, index);
        list.entry(index)
    }

    /// Describes the object by its kind and place, such as `room at 1/4, 3/4`.
    pub(super) fn description(&self) -> String {
        format!("{} {}", self.list().singular(), self.place())
    }

    /// Describes the place of the object, such as `at 1/4, 3/4` for a room or `at row 3, column 4` for a column.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Room(room) => format!("at {}/{}, {}/{}", room.xdiv, room.div, room.ydiv, room.div),
            Self::Square(_, at) => format!("at {at}"),
            Self::Crawler(start) => format!("at {}", start.at),
            Self::Place(place) => format!("at {}", place.at),
            Self::Vault(vault) if vault.div == 0 => format!("at {}", vault.at),
            Self::Vault(vault) => format!("at {}/{}, {}/{}", vault.xdiv, vault.div, vault.ydiv, vault.div),
        }
    }
}

/// Checks whether the file format allows an entry of `list` on a square; the error states the reason.
pub(super) fn allowed(list: List, at: Point, size: Size) -> Result<(), String> {
    let what = list.singular();
    if !size.contains(at) {
        return Err(format!("{at} is outside the dungeon"));
    }
    match list {
        List::Crawlers if at == ORIGIN => Err(format!(
            "{at} marks the end of the list in a rooms file: no {what} can start there"
        )),
        List::Open | List::Walls | List::Columns if size.on_border(at) => {
            Err(format!("{at} is on the outer wall: no {what} can be there"))
        }
        // A room's wall may lie on the border, and stage one shifts vaults inward.
        _ => Ok(()),
    }
}

/// Returns the position of an entry: the centre of a room, the top left square of a vault, or the square of any other
/// entry.
pub(super) fn position_of(layout: &Layout, pieces: &[PlacedVault], entry: Entry) -> Option<Point> {
    match LayoutObject::of(layout, entry)? {
        LayoutObject::Room(room) => {
            let divided = |division: i32, side: i32| {
                (i64::from(division) * i64::from(side) / i64::from(room.div.max(1)))
                    .clamp(0, i64::from((side - 1).max(0))) as i32
            };
            let asked = Point::new(divided(room.xdiv, layout.size.x), divided(room.ydiv, layout.size.y));
            Some(room.center_and_reach(layout.size).map_or(asked, |(center, _)| center))
        }
        LayoutObject::Square(_, at) => Some(at),
        LayoutObject::Crawler(start) => Some(start.at),
        LayoutObject::Vault(vault) => {
            let index = entry.list().map(|(_, index)| index);
            let piece = pieces.iter().find(|piece| Some(piece.vault) == index);
            Some(piece.map_or(vault.at, |piece| piece.at))
        }
        LayoutObject::Place(place) => layout.square_of(&place, pieces),
    }
}

/// Returns the squares of a list; empty for lists whose entries are not single squares.
pub(super) fn squares(layout: &Layout, list: List) -> &[Point] {
    match list {
        List::Open => &layout.open,
        List::Walls => &layout.walls,
        List::Columns => &layout.columns,
        List::Rooms | List::Crawlers | List::Vaults | List::Places => &[],
    }
}

fn squares_mut(layout: &mut Layout, list: List) -> &mut [Point] {
    match list {
        List::Open => &mut layout.open,
        List::Walls => &mut layout.walls,
        List::Columns => &mut layout.columns,
        List::Rooms | List::Crawlers | List::Vaults | List::Places => &mut [],
    }
}

/// Lists whose entries are single squares.
pub(super) const DRAWN: [List; 3] = [List::Open, List::Walls, List::Columns];

/// Returns the open squares, wall tiles and columns on the given squares.
pub(super) fn drawn_on(layout: &Layout, at: &BTreeSet<Point>) -> BTreeSet<Entry> {
    let on = |list: List| {
        let squares = squares(layout, list).iter().enumerate();
        squares
            .filter(|(_, square)| at.contains(square))
            .map(move |(i, _)| list.entry(i))
    };
    DRAWN.into_iter().flat_map(on).collect()
}

/// Returns the first Crawlers that are half of an open/closed pair whose other half is missing. The second half must
/// directly follow the first.
pub(super) fn halves(layout: &Layout) -> Vec<Entry> {
    let ends: Vec<i32> = layout.crawlers.iter().map(|start| start.termination).collect();
    let is_half = |i: &usize| match ends[*i] {
        3 => ends.get(i + 1) != Some(&4),
        4 => i.checked_sub(1).is_none_or(|before| ends[before] != 3),
        _ => false,
    };
    (0..ends.len()).filter(is_half).map(Entry::Crawler).collect()
}

/// Adds the squares `on` to a list, except those that it already contains, and removes all of them from the other
/// lists. Returns the new entries.
pub(super) fn draw(layout: &mut Layout, list: List, on: &[Point]) -> BTreeSet<Entry> {
    let wanted: BTreeSet<Point> = on.iter().copied().collect();
    let there: BTreeSet<Point> = squares(layout, list).iter().copied().collect();
    let others = drawn_on(layout, &wanted)
        .into_iter()
        .filter(|entry| entry.list().is_some_and(|(other, _)| other != list))
        .collect();
    layout.remove_entries(&others);
    let first = list.len(layout);
    let items = match list {
        List::Open => &mut layout.open,
        List::Walls => &mut layout.walls,
        List::Columns => &mut layout.columns,
        List::Rooms | List::Crawlers | List::Vaults | List::Places => return BTreeSet::new(),
    };
    let mut new = BTreeSet::new();
    items.extend(on.iter().copied().filter(|at| !there.contains(at) && new.insert(*at)));
    (first..list.len(layout)).map(|index| list.entry(index)).collect()
}

/// Raises the limits of lists that have become longer than the limits allow. Returns a note about the raised limits;
/// `None` if none was raised.
///
/// # Errors
///
/// Fails if a list has more entries than the largest possible limit allows.
pub(super) fn raise_limits(design: &mut Design, before: &Layout) -> Result<Option<String>, String> {
    let layout = &mut design.layout;
    let raised = layout.limits.raised_for(layout);
    let mut description = Vec::new();
    for list in List::ALL {
        let Some(limit) = list.limit().filter(|_| list.len(layout) > list.len(before)) else {
            continue;
        };
        let (value, info) = (limit.get(&raised), limit.info());
        if value > info.max {
            let (most, what) = (info.max - 1, list.singular());
            return Err(format!(
                "a rooms file can hold at most {most} entries of each kind: no further {what} can be added"
            ));
        }
        if value != limit.get(&layout.limits) {
            limit.set(&mut layout.limits, value);
            description.push(format!(
                "limit raised to {}",
                counted(value as u64 - 1, list.singular())
            ));
        }
    }
    Ok((!description.is_empty()).then(|| description.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: i32, y: i32) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn drawing_replaces_squares_of_other_lists() {
        let mut layout = Layout {
            open: vec![p(1, 1), p(2, 2)],
            walls: vec![p(3, 3)],
            ..Layout::default()
        };
        let new = draw(&mut layout, List::Walls, &[p(2, 2), p(3, 3), p(4, 4), p(4, 4)]);
        assert_eq!(layout.open, [p(1, 1)]);
        assert_eq!(layout.walls, [p(3, 3), p(2, 2), p(4, 4)]);
        assert_eq!(new, [Entry::Wall(1), Entry::Wall(2)].into());
    }

    #[test]
    fn squares_that_no_file_can_hold_are_rejected_with_the_reason() {
        let size = Size::new(40, 60);
        let why = |list, at| allowed(list, at, size).unwrap_err();
        assert!(why(List::Walls, p(0, 5)).contains("outer wall"));
        assert!(why(List::Crawlers, p(0, 0)).contains("marks the end of the list"));
        assert!(why(List::Columns, p(40, 5)).contains("outside"));
        assert_eq!(allowed(List::Crawlers, p(0, 5), size), Ok(()));
        assert_eq!(allowed(List::Open, p(1, 1), size), Ok(()));
    }

    #[test]
    fn limits_are_raised_for_lists_that_grow_and_no_others() {
        let before = Layout::default();
        let mut design = Design::default();
        draw(&mut design.layout, List::Walls, &[p(2, 2), p(3, 3)]);
        let description = raise_limits(&mut design, &before).unwrap();
        assert_eq!(description.as_deref(), Some("limit raised to 2 wall tiles"));
        assert_eq!((design.layout.limits.closed, design.layout.limits.open), (3, 1));
        let again = design.layout.clone();
        assert_eq!(raise_limits(&mut design, &again), Ok(None));
    }
}

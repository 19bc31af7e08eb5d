//! The layout as a list of lines: entries, headings of lists, and the fields of the selected entry.
//!
//! Lines are computed from the lengths of the lists and never stored, so that moving the selection costs the same in a
//! design with a hundred thousand wall tiles as in one with three.

use std::iter;

use crate::design::{Design, Entry, Field, Layout, List, RoomField, style};

/// An item of the list that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui::panels) enum OutlineItem {
    /// An entry of the layout.
    Entry(Entry),
    /// The heading of a list.
    List(List),
}

impl OutlineItem {
    /// Returns the list that an item belongs to, and the item's index in that list; the index is `None` for the
    /// heading. Returns `None` if the item belongs to no list.
    pub(super) const fn list(self) -> Option<(List, Option<usize>)> {
        match self {
            Self::List(list) => Some((list, None)),
            Self::Entry(entry) => match entry.list() {
                Some((list, index)) => Some((list, Some(index))),
                None => None,
            },
        }
    }
}

/// Number of entries before the lists: dimensions and limits.
const BEFORE: usize = 2;

/// Returns the number of items for a layout: entries and headings.
pub(super) fn items(layout: &Layout) -> usize {
    List::ALL.iter().map(|list| 1 + list.len(layout)).sum::<usize>() + BEFORE + 1
}

/// Returns the nth item, or the last item if there are fewer.
pub(super) fn item(layout: &Layout, n: usize) -> OutlineItem {
    match n {
        0 => return OutlineItem::Entry(Entry::Dimensions),
        1 => return OutlineItem::Entry(Entry::Limits),
        _ => {}
    }
    let mut rest = n - BEFORE;
    for list in List::ALL {
        if rest == 0 {
            return OutlineItem::List(list);
        }
        if rest <= list.len(layout) {
            return OutlineItem::Entry(list.entry(rest - 1));
        }
        rest -= 1 + list.len(layout);
    }
    OutlineItem::Entry(Entry::Protuberances)
}

/// Returns the position of an item; if its entry no longer exists, the position of the nearest item.
pub(super) fn position(layout: &Layout, item: OutlineItem) -> usize {
    let (list, index) = match (item, item.list()) {
        (OutlineItem::Entry(Entry::Dimensions), _) => return 0,
        (OutlineItem::Entry(Entry::Limits), _) => return 1,
        (_, Some(list)) => list,
        (_, None) => return items(layout) - 1,
    };
    let before = List::ALL.iter().take_while(|other| **other != list);
    let heading = BEFORE + before.map(|list| 1 + list.len(layout)).sum::<usize>();
    // The entry with index 0 comes directly after the heading.
    heading + index.map_or(0, |index| (index + 1).min(list.len(layout)))
}

/// A line below the selected entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui::panels) enum Detail {
    /// A field of the entry.
    Field(Field),
    /// A switch of a room's style, given by its index in [`style::SWITCHES`].
    Switch(usize),
}

/// Returns the number of lines below an item while it is selected. The protuberances have no line below: their only
/// field is in the entry's own line.
pub(super) fn details(item: OutlineItem) -> usize {
    match item {
        OutlineItem::List(_) | OutlineItem::Entry(Entry::Protuberances) => 0,
        OutlineItem::Entry(entry) => lines(entry).count(),
    }
}

/// Iterates over the lines below an entry: its fields, with the style's switches after the style's number.
fn lines(entry: Entry) -> impl Iterator<Item = Detail> {
    entry.fields().flat_map(|field| {
        let has_switches = field == RoomField::Style.into();
        let switches = (0..style::SWITCHES.len()).filter(move |_| has_switches);
        iter::once(Detail::Field(field)).chain(switches.map(Detail::Switch))
    })
}

/// Returns the nth line below an entry.
pub(super) fn detail(entry: Entry, n: usize) -> Option<Detail> {
    lines(entry).nth(n)
}

/// Returns the index of the line that contains a field, among the lines below an entry.
pub(super) fn detail_of(entry: Entry, field: Field) -> Option<usize> {
    lines(entry).position(|line| line == Detail::Field(field))
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutlineRow {
    /// An entry or heading.
    Item(OutlineItem),
    /// A line below the selected entry, by its index.
    Detail(Entry, usize),
}

/// The list as shown: all items, with the details of the selected item below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outline<'a> {
    layout: &'a Layout,
    /// The selected item, which exists in the layout.
    pub item: OutlineItem,
    position: usize,
}

impl<'a> Outline<'a> {
    /// Creates the outline of a design with an item selected; if the item does not exist, selects the nearest one.
    pub(super) fn new(design: &'a Design, item: OutlineItem) -> Self {
        let layout = &design.layout;
        let position = position(layout, item);
        Self {
            layout,
            item: self::item(layout, position),
            position,
        }
    }

    /// Returns the number of lines.
    pub(super) fn rows(&self) -> usize {
        items(self.layout) + details(self.item)
    }

    /// Returns the nth line.
    pub(super) fn row(&self, n: usize) -> OutlineRow {
        let below = n.saturating_sub(self.position);
        match self.item {
            OutlineItem::Entry(entry) if below > 0 && below <= details(self.item) => {
                OutlineRow::Detail(entry, below - 1)
            }
            _ if below > 0 => OutlineRow::Item(item(self.layout, n - details(self.item))),
            _ => OutlineRow::Item(item(self.layout, n)),
        }
    }

    /// Returns the index of the selected item's line, or of the line of one of its details.
    pub(super) fn selected(&self, detail: Option<usize>) -> usize {
        let last = details(self.item);
        self.position + detail.map_or(0, |detail| (detail + 1).min(last))
    }

    /// Returns the item `by` positions after the selected one, or before it if `by` is negative. If there are too few
    /// items in that direction, returns the last or the first item.
    pub(super) fn moved(&self, by: i32) -> OutlineItem {
        let last = items(self.layout) - 1;
        item(self.layout, self.position.saturating_add_signed(by as isize).min(last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design() -> Design {
        let mut design = Design::default();
        for (list, entries) in List::ALL.into_iter().zip([2, 0, 1000, 1, 3, 2, 2]) {
            for _ in 0..entries {
                list.insert(&mut design.layout, 0, None);
            }
        }
        design
    }

    #[test]
    fn every_item_has_its_place_in_the_order_of_the_file() {
        let design = design();
        let all: Vec<OutlineItem> = (0..items(&design.layout)).map(|n| item(&design.layout, n)).collect();
        assert_eq!(all.len(), 2 + 7 + 1010 + 1);
        for (n, item) in all.iter().enumerate() {
            assert_eq!(position(&design.layout, *item), n, "{item:?}");
        }
        let entries: Vec<Entry> = all
            .iter()
            .filter_map(|item| match item {
                OutlineItem::Entry(entry) => Some(*entry),
                OutlineItem::List(_) => None,
            })
            .collect();
        let expected: Vec<Entry> = design
            .entries()
            .into_iter()
            .filter(|entry| !matches!(entry, Entry::Generation(_) | Entry::Constants))
            .collect();
        assert_eq!(entries, expected);
    }

    #[test]
    fn a_removed_item_is_replaced_by_its_neighbour() {
        let design = design();
        let outline = |item| Outline::new(&design, item).item;
        assert_eq!(
            outline(OutlineItem::Entry(Entry::Room(7))),
            OutlineItem::Entry(Entry::Room(1))
        );
        assert_eq!(
            outline(OutlineItem::Entry(Entry::Open(0))),
            OutlineItem::List(List::Open)
        );
        assert_eq!(
            outline(OutlineItem::Entry(Entry::Constants)),
            OutlineItem::Entry(Entry::Protuberances)
        );
    }

    #[test]
    fn a_selected_room_shows_every_field_and_switch_once() {
        let design = design();
        let outline = Outline::new(&design, OutlineItem::Entry(Entry::Room(0)));
        let first = outline.selected(None);
        assert_eq!(outline.row(first), OutlineRow::Item(OutlineItem::Entry(Entry::Room(0))));
        let lines: Vec<Detail> = (0..details(outline.item))
            .map(|n| {
                assert_eq!(outline.row(first + 1 + n), OutlineRow::Detail(Entry::Room(0), n));
                assert_eq!(outline.selected(Some(n)), first + 1 + n);
                detail(Entry::Room(0), n).unwrap()
            })
            .collect();
        for field in Entry::Room(0).fields() {
            let line = detail_of(Entry::Room(0), field).unwrap();
            assert_eq!(lines[line], Detail::Field(field));
        }
        for switch in 0..14 {
            assert_eq!(lines.iter().filter(|line| **line == Detail::Switch(switch)).count(), 1);
        }
        assert_eq!(
            outline.row(first + 29),
            OutlineRow::Item(OutlineItem::Entry(Entry::Room(1)))
        );
        assert_eq!(
            outline.row(outline.rows() - 1),
            OutlineRow::Item(OutlineItem::Entry(Entry::Protuberances))
        );
    }
}

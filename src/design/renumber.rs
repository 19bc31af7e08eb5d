//! Adds, removes and swaps entries of lists, and keeps the references to rooms and vaults up to date.
//!
//! Named places and expectations refer to rooms and vaults by number. If an edit of a list changes the number of a
//! room or vault, the references to it are changed to the new number. A reference to a removed room or vault must not
//! end up referring to another one, so it gets a number that no room or vault has and is reported as invalid.

use std::collections::BTreeSet;

use super::expect::renumbered;
use super::{Design, Entry, Layout, List};
use crate::geometry::Point;

impl Entry {
    /// Returns the same entry with its new index: its index in the list without the entries in `removed`.
    #[must_use]
    pub fn after_removal(self, removed: &BTreeSet<Self>) -> Self {
        let Some((list, index)) = self.list() else {
            return self;
        };
        list.entry(index - removed.range(list.entry(0)..self).count())
    }
}

impl Layout {
    /// Removes entries from their lists. Does not renumber references to rooms and vaults.
    pub fn remove_entries(&mut self, removed: &BTreeSet<Entry>) {
        fn keep<T>(items: &mut Vec<T>, list: List, removed: &BTreeSet<Entry>) {
            let mut index = 0;
            items.retain(|_| {
                index += 1;
                !removed.contains(&list.entry(index - 1))
            });
        }
        keep(&mut self.rooms, List::Rooms, removed);
        keep(&mut self.open, List::Open, removed);
        keep(&mut self.walls, List::Walls, removed);
        keep(&mut self.columns, List::Columns, removed);
        keep(&mut self.crawlers, List::Crawlers, removed);
        keep(&mut self.vaults, List::Vaults, removed);
        keep(&mut self.places, List::Places, removed);
    }
}

impl Design {
    /// Inserts a new entry as [`List::insert`] does, and renumbers references to the entries after it.
    pub fn insert_entry(&mut self, list: List, index: usize, at: Option<Point>) {
        let is_last = index >= list.len(&self.layout);
        list.insert(&mut self.layout, index, at);
        if is_last {
            // No entry had this number before. A reference to the number may have been written for the new entry, so no
            // reference is changed.
            return;
        }
        self.renumber(|_, of, old| old + usize::from(of == list && old >= index));
    }

    /// Swaps two entries as [`List::swap`] does, and swaps the references to them.
    pub fn swap_entries(&mut self, list: List, a: usize, b: usize) {
        if a.max(b) >= list.len(&self.layout) {
            return;
        }
        list.swap(&mut self.layout, a, b);
        self.renumber(|_, of, old| match old {
            _ if of != list => old,
            _ if old == a => b,
            _ if old == b => a,
            _ => old,
        });
    }

    /// Removes entries, and renumbers references to the entries after them. Returns the places and expectations that
    /// referred to a removed room or vault; these references are now invalid.
    pub fn remove_entries(&mut self, removed: &BTreeSet<Entry>) -> BTreeSet<Entry> {
        let lengths = |layout: &Layout| [List::Rooms, List::Vaults].map(|list| (list, list.len(layout)));
        let before = lengths(&self.layout);
        self.layout.remove_entries(removed);
        let after = lengths(&self.layout);
        let mut invalid = BTreeSet::new();
        if before == after {
            return invalid;
        }
        self.renumber(|from, of, old| {
            let length =
                |lengths: &[(List, usize)]| lengths.iter().find(|(list, _)| *list == of).map_or(0, |(_, n)| *n);
            let entry = of.entry(old);
            if !removed.contains(&entry) {
                // If no entry had this number before, no entry has it now, so the reference stays unchanged.
                return if old < length(&before) {
                    entry.after_removal(removed).list().map_or(old, |(_, new)| new)
                } else {
                    old
                };
            }
            invalid.insert(from);
            if old < length(&after) { length(&before) - 1 } else { old }
        });
        invalid
    }

    /// Returns the rooms and vaults that places and expectations refer to: the lists and the indices in them.
    pub fn references(&self) -> Vec<(List, usize)> {
        let mut found = Vec::new();
        self.clone().renumber(|_, list, index| {
            found.push((list, index));
            index
        });
        found
    }

    /// Replaces the indices of rooms and vaults in all places and expectations. `new` receives the place or
    /// expectation, the list that it refers to, and the index in this list, and returns the new index.
    fn renumber(&mut self, mut new: impl FnMut(Entry, List, usize) -> usize) {
        for (i, place) in self.layout.places.iter_mut().enumerate() {
            let from = Entry::NamedPlace(i);
            for (list, number) in [(List::Rooms, &mut place.room), (List::Vaults, &mut place.vault)] {
                let index = usize::try_from(*number).ok().and_then(|number| number.checked_sub(1));
                if let Some(index) = index {
                    *number = i32::try_from(new(from, list, index) + 1).unwrap_or(i32::MAX);
                }
            }
        }
        for (i, text) in self.expect.that.iter_mut().enumerate() {
            *text = renumbered(text, |list, index| new(Entry::Expectation(i), list, index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{CrawlerStart, NamedPlace, Room, VaultEntry};

    /// Returns a design with three rooms, one vault, a place in each, and expectations about rooms and the vault.
    fn design() -> Design {
        let mut design = Design::default();
        design.layout.rooms = vec![Room::default(); 3];
        design.layout.vaults = vec![VaultEntry::default()];
        let place = |room, vault| NamedPlace {
            room,
            vault,
            ..NamedPlace::default()
        };
        design.layout.places = vec![place(1, 0), place(2, 0), place(3, 0), place(0, 1), place(0, 0)];
        let that = [
            "crosses room 1 or not Needs ROOM 2",
            "severs  room 3 in 90%",
            "needs vault 1",
            "path > 2",
        ];
        design.expect.that = that.map(str::to_owned).to_vec();
        design
    }

    fn references(design: &Design) -> (Vec<(i32, i32)>, Vec<&str>) {
        let places = &design.layout.places;
        (
            places.iter().map(|place| (place.room, place.vault)).collect(),
            design.expect.that.iter().map(String::as_str).collect(),
        )
    }

    #[test]
    fn removal_gives_the_other_entries_new_indexes() {
        let mut layout = Layout {
            walls: (1..6).map(|i| Point::new(i, i)).collect(),
            crawlers: vec![CrawlerStart::default()],
            ..Layout::default()
        };
        let gone = [Entry::Wall(0), Entry::Wall(3), Entry::Crawler(0), Entry::Room(0)].into();
        assert_eq!(Entry::Wall(2).after_removal(&gone), Entry::Wall(1));
        assert_eq!(Entry::Wall(4).after_removal(&gone), Entry::Wall(2));
        layout.remove_entries(&gone);
        assert_eq!(layout.walls, [2, 3, 5].map(|i| Point::new(i, i)));
        assert!(layout.crawlers.is_empty());
    }

    #[test]
    fn references_follow_rooms_that_are_inserted_or_swapped() {
        let mut design = design();
        design.insert_entry(List::Rooms, 1, None);
        let (places, that) = references(&design);
        assert_eq!(places, [(1, 0), (3, 0), (4, 0), (0, 1), (0, 0)]);
        assert_eq!(
            that,
            [
                "crosses room 1 or not Needs ROOM 3",
                "severs  room 4 in 90%",
                "needs vault 1",
                "path > 2"
            ]
        );
        design.swap_entries(List::Rooms, 2, 3);
        let (places, that) = references(&design);
        assert_eq!(places, [(1, 0), (4, 0), (3, 0), (0, 1), (0, 0)]);
        assert_eq!(
            that[..2],
            ["crosses room 1 or not Needs ROOM 4", "severs  room 3 in 90%"]
        );
        design.insert_entry(List::Vaults, 0, None);
        let (places, that) = references(&design);
        assert_eq!((places[3], that[2]), ((0, 2), "needs vault 2"));
        let before = design.clone();
        design.swap_entries(List::Rooms, 2, 4);
        assert_eq!(design, before, "there is no room 5");
    }

    #[test]
    fn references_to_a_removed_room_become_invalid_and_never_name_another() {
        let mut first = design();
        let invalid = first.remove_entries(&[Entry::Room(0), Entry::NamedPlace(4)].into());
        let (places, that) = references(&first);
        assert_eq!(places, [(3, 0), (1, 0), (2, 0), (0, 1)]);
        assert_eq!(
            that[..2],
            ["crosses room 3 or not Needs ROOM 1", "severs  room 2 in 90%"]
        );
        assert_eq!(invalid, [Entry::NamedPlace(0), Entry::Expectation(0)].into());
        // The number of the last room names no other room, so it stays.
        let mut last = design();
        let invalid = last.remove_entries(&[Entry::Room(2), Entry::Vault(0)].into());
        assert_eq!(references(&last), references(&design()));
        assert_eq!(
            invalid,
            [
                Entry::NamedPlace(2),
                Entry::NamedPlace(3),
                Entry::Expectation(1),
                Entry::Expectation(2)
            ]
            .into()
        );
        let mut walls = design();
        assert!(walls.remove_entries(&[Entry::Wall(0)].into()).is_empty());
    }

    #[test]
    fn a_text_that_is_no_expectation_is_renumbered_as_far_as_it_can_be_read() {
        let mut design = design();
        design.expect.that = ["crosses room 2 and (", "crosses room 2 €", "crosses room 2.5"]
            .map(str::to_owned)
            .to_vec();
        design.insert_entry(List::Rooms, 0, None);
        assert_eq!(
            design.expect.that,
            ["crosses room 3 and (", "crosses room 2 €", "crosses room 2.5"]
        );
    }
}

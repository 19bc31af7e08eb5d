//! Merges two versions of a design: the one that is open in the designer (this program) and the one in the files.
//!
//! This is a three-way merge: both versions began as the same base version. If only one side changed a value, the
//! merged design gets the changed value. If both sides changed a value, to different values, the merged design gets the
//! designer's value. Numbers are merged one by one, hand-placed squares by position, and other lists by entry: adding
//! or removing an entry on one side does not prevent the other side's changes to other entries from being merged.
//!
//! Named places and expectations refer to rooms and vaults by number. If one side renumbers rooms or vaults, the
//! merged references may not fit the merged numbers. Also, one side may have removed a room but kept a reference to its
//! number, while the other side added a room, which would get this number. In both cases, the lists of rooms, vaults,
//! places and expectations all keep the designer's version.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::source::{apply, placed};
use crate::design::expect::{Metric, parse};
use crate::design::{Design, Entry, Field, List, NamedPlace};

/// The side that changed a part of a design since the base version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangedBy {
    /// Both sides changed it, to different values.
    Both,
    /// Only the files' version changed it, but the designer's is kept, because rooms or vaults were renumbered.
    FileUnmerged,
    /// Only the files' version changed it.
    File,
    /// Only the designer's version changed it.
    Designer,
}

impl ChangedBy {
    /// Compares both sides' values with the base value; returns `None` if both sides have the same value.
    fn of<T: PartialEq + ?Sized>(base: &T, mine: &T, theirs: &T) -> Option<Self> {
        if mine == theirs {
            None
        } else if theirs == base {
            Some(Self::Designer)
        } else if mine == base {
            Some(Self::File)
        } else {
            Some(Self::Both)
        }
    }
}

/// A part of a design that is merged independently of the other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergedPart {
    /// The name of the design.
    Name,
    /// The notes.
    Notes,
    /// The seed.
    Seed,
    /// The square of the entrance.
    Entrance,
    /// The square of the exit.
    Exit,
    /// A number or text of a record.
    Field(Entry, Field),
    /// The text of the expectation with this index.
    Expectation(usize),
    /// Expectations that were added, removed or reordered.
    Expectations,
    /// Entries of a list that were added, removed or reordered.
    Entries(List),
    /// Hand-placed tiles. Contains the number of squares that the side in [`Difference::by`] changed.
    Squares(usize),
}

/// A part of the design that differs between the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The part.
    pub part: MergedPart,
    /// The side that changed it.
    pub by: ChangedBy,
}

/// The result of merging both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesignMerge {
    /// The merged design.
    pub design: Design,
    /// Differences between the sides, in this order: parts that both sides changed; parts that only the files changed
    /// and that are not merged; parts that only the files changed and that are merged; parts that only the designer
    /// changed.
    pub differences: Vec<Difference>,
}

impl DesignMerge {
    /// Merges the designer's version `mine` and the files' version `theirs`, which both began as `base`.
    pub fn of(base: &Design, mine: &Design, theirs: &Design) -> Self {
        let mut merger = Merger {
            base,
            mine,
            theirs,
            merged: mine.clone(),
            differences: Vec::new(),
        };
        merger.texts();
        merger.numbers();
        merger.lists();
        merger.squares();
        let Merger {
            merged,
            mut differences,
            ..
        } = merger;
        differences.sort_by_key(|difference| difference.by);
        Self {
            design: merged,
            differences,
        }
    }
}

/// State of a merge.
struct Merger<'a> {
    base: &'a Design,
    mine: &'a Design,
    theirs: &'a Design,
    /// Initially the designer's version, to which the files' changes are applied.
    merged: Design,
    differences: Vec<Difference>,
}

impl<'a> Merger<'a> {
    fn note(&mut self, part: MergedPart, by: ChangedBy) {
        self.differences.push(Difference { part, by });
    }

    /// Compares the value that `of` reads from each version, and notes a difference. Returns the files' value if only
    /// the files changed it.
    fn value<T: PartialEq>(&mut self, part: MergedPart, of: impl Fn(&'a Design) -> T) -> Option<T> {
        let theirs = of(self.theirs);
        let by = ChangedBy::of(&of(self.base), &of(self.mine), &theirs)?;
        self.note(part, by);
        (by == ChangedBy::File).then_some(theirs)
    }

    fn texts(&mut self) {
        if let Some(name) = self.value(MergedPart::Name, |design| &design.name) {
            self.merged.name.clone_from(name);
        }
        if let Some(notes) = self.value(MergedPart::Notes, |design| &design.notes) {
            self.merged.notes.clone_from(notes);
        }
        if let Some(seed) = self.value(MergedPart::Seed, |design| design.seed) {
            self.merged.seed = seed;
        }
        if let Some(entrance) = self.value(MergedPart::Entrance, |design| design.expect.entrance) {
            self.merged.expect.entrance = entrance;
        }
        if let Some(exit) = self.value(MergedPart::Exit, |design| design.expect.exit) {
            self.merged.expect.exit = exit;
        }
    }

    /// Merges the records that are not in lists.
    fn numbers(&mut self) {
        for entry in self.base.entries() {
            if entry.list().is_none() {
                self.fields(entry);
            }
        }
    }

    /// Merges the fields of a record. All three versions must have the record.
    fn fields(&mut self, entry: Entry) {
        for field in entry.fields() {
            let part = MergedPart::Field(entry, field);
            match field {
                Field::Number(parameter) => {
                    if let Some(Some(value)) = self.value(part, |design| design.get(entry, parameter)) {
                        self.merged.set(entry, parameter, value);
                    }
                }
                Field::Text(text) => {
                    if let Some(Some(value)) = self.value(part, |design| design.text(entry, text)) {
                        self.merged.set_text(entry, text, value);
                    }
                }
            }
        }
    }

    fn lists(&mut self) {
        let [base, mine, theirs] = [self.base, self.mine, self.theirs].map(|design| &design.layout);
        if let Some(crawlers) = self.records(List::Crawlers, [&base.crawlers, &mine.crawlers, &theirs.crawlers]) {
            self.merged.layout.crawlers = crawlers;
        }
        if self.is_renumbered() {
            self.keep_numbered();
            return;
        }
        if let Some(rooms) = self.records(List::Rooms, [&base.rooms, &mine.rooms, &theirs.rooms]) {
            self.merged.layout.rooms = rooms;
        }
        if let Some(vaults) = self.records(List::Vaults, [&base.vaults, &mine.vaults, &theirs.vaults]) {
            self.merged.layout.vaults = vaults;
        }
        if let Some(places) = self.records(List::Places, [&base.places, &mine.places, &theirs.places]) {
            self.merged.layout.places = places;
        }
        self.expectations();
    }

    /// Returns whether merging could make a place or an expectation refer to the wrong room or vault: the rooms or
    /// vaults would have the numbers of one side, but a reference to them would come from the other side.
    fn is_renumbered(&self) -> bool {
        let sides = [self.base, self.mine, self.theirs];
        let layouts = sides.map(|design| &design.layout);
        let [base, mine, theirs] = sides.map(references);
        let [mine_refers, theirs_refers] = [mine != base, theirs != base];
        // Where both sides changed the same entries, the merged list is the designer's, with all its references.
        let keeps_mine = merged_length(layouts.map(|layout| &layout.places[..])).is_none()
            || merged_length(sides.map(|design| &design.expect.that[..])).is_none();
        let rooms = layouts.map(|layout| &layout.rooms[..]);
        let vaults = layouts.map(|layout| &layout.vaults[..]);
        [
            (List::Rooms, Growth::of_sides(rooms), merged_length(rooms)),
            (List::Vaults, Growth::of_sides(vaults), merged_length(vaults)),
        ]
        .into_iter()
        .any(|(list, growths @ [by_mine, by_theirs], merged)| {
            if merged.is_some_and(|length| self.gains_target(list, growths, length)) {
                return true;
            }
            match (by_mine, by_theirs) {
                // The designer's new entries will follow the files' new ones, so their numbers will change.
                (Growth::Appends, Growth::Appends) => mine_refers,
                _ => {
                    by_mine == Growth::Renumbers && theirs_refers
                        || by_theirs == Growth::Renumbers
                            && (mine_refers || keeps_mine || merged.is_none() && theirs_refers)
                }
            }
        })
    }

    /// Returns whether the merge would give an invalid reference a target. Such a reference is invalid on one side, for
    /// example because its room was removed there. In the merged list, which has `length` entries, an entry that the
    /// other side added would have the number to which the reference refers.
    fn gains_target(&self, list: List, growths: [Growth; 2], length: usize) -> bool {
        let existing = list.len(&self.base.layout);
        let known = self.base.references();
        [self.mine, self.theirs].into_iter().zip(growths).any(|(side, growth)| {
            let invalid = list.len(&side.layout)..length;
            // The new entry may have been added for a reference that was invalid in the base version already.
            let is_awaited = |reference: &(List, usize)| {
                growth != Growth::Renumbers && reference.1 >= existing && known.contains(reference)
            };
            !invalid.is_empty()
                && side
                    .references()
                    .iter()
                    .any(|found| found.0 == list && invalid.contains(&found.1) && !is_awaited(found))
        })
    }

    /// Keeps the designer's rooms, vaults, places and expectations, and notes the differences.
    fn keep_numbered(&mut self) {
        let [base, mine, theirs] = [self.base, self.mine, self.theirs].map(|design| &design.layout);
        let expect = [self.base, self.mine, self.theirs].map(|design| &design.expect.that);
        let parts = [
            (
                MergedPart::Entries(List::Rooms),
                ChangedBy::of(&base.rooms, &mine.rooms, &theirs.rooms),
            ),
            (
                MergedPart::Entries(List::Vaults),
                ChangedBy::of(&base.vaults, &mine.vaults, &theirs.vaults),
            ),
            (
                MergedPart::Entries(List::Places),
                ChangedBy::of(&base.places, &mine.places, &theirs.places),
            ),
            (MergedPart::Expectations, ChangedBy::of(expect[0], expect[1], expect[2])),
        ];
        for (part, by) in parts {
            match by {
                Some(ChangedBy::File) => self.note(part, ChangedBy::FileUnmerged),
                Some(by) => self.note(part, by),
                None => {}
            }
        }
    }

    /// Merges a list of records. If neither side added, removed or reordered entries, their fields are merged in place,
    /// and `None` is returned. Otherwise, returns the merged list, or `None` if the designer's list is kept because
    /// both sides changed the same entries.
    fn records<T: Clone + PartialEq>(&mut self, list: List, sides: [&[T]; 3]) -> Option<Vec<T>> {
        match merge_lists(sides) {
            ListMerge::InPlace => {
                for index in 0..sides[0].len() {
                    self.fields(list.entry(index));
                }
                None
            }
            ListMerge::Merged(merged) => {
                let [base, mine, theirs] = sides;
                if mine != base && mine != theirs {
                    self.note(MergedPart::Entries(list), ChangedBy::Designer);
                }
                if theirs != base && mine != theirs {
                    self.note(MergedPart::Entries(list), ChangedBy::File);
                }
                Some(merged)
            }
            ListMerge::Overlap => {
                self.note(MergedPart::Entries(list), ChangedBy::Both);
                None
            }
        }
    }

    fn expectations(&mut self) {
        let [base, mine, theirs] = [self.base, self.mine, self.theirs].map(|design| design.expect.that.as_slice());
        match merge_lists([base, mine, theirs]) {
            ListMerge::InPlace => {
                for index in 0..base.len() {
                    let text = |design: &'a Design| design.expect.that.get(index);
                    if let Some(Some(text)) = self.value(MergedPart::Expectation(index), text) {
                        self.merged.expect.that[index].clone_from(text);
                    }
                }
            }
            ListMerge::Merged(merged) => {
                if mine != base && mine != theirs {
                    self.note(MergedPart::Expectations, ChangedBy::Designer);
                }
                if theirs != base && mine != theirs {
                    self.note(MergedPart::Expectations, ChangedBy::File);
                }
                self.merged.expect.that = merged;
            }
            ListMerge::Overlap => self.note(MergedPart::Expectations, ChangedBy::Both),
        }
    }

    /// Merges the hand-placed squares by position.
    fn squares(&mut self) {
        let [base, mine, theirs] = [self.base, self.mine, self.theirs].map(|design| placed(&design.layout));
        let all: BTreeSet<_> = base.keys().chain(mine.keys()).chain(theirs.keys()).collect();
        let mut counts = BTreeMap::new();
        let mut changes = BTreeMap::new();
        for at in all {
            let Some(by) = ChangedBy::of(&base.get(at), &mine.get(at), &theirs.get(at)) else {
                continue;
            };
            *counts.entry(by).or_default() += 1;
            if by == ChangedBy::File {
                changes.insert(*at, theirs.get(at).copied());
            }
        }
        let lists = |design: &'a Design| [&design.layout.open, &design.layout.walls, &design.layout.columns];
        if lists(self.mine) == lists(self.base) {
            // Only the files changed these lists, so the files' lists are copied, which keeps their order.
            let layout = &mut self.merged.layout;
            let own = [&mut layout.open, &mut layout.walls, &mut layout.columns];
            own.into_iter()
                .zip(lists(self.theirs))
                .for_each(|(own, list)| own.clone_from(list));
        } else {
            apply(&mut self.merged.layout, &changes);
        }
        for (by, count) in counts {
            self.note(MergedPart::Squares(count), by);
        }
    }
}

/// How one side changed the numbering of a list's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Growth {
    /// The entries keep their numbers.
    Keeps,
    /// The entries keep their numbers, and new entries follow them.
    Appends,
    /// Some entries have new numbers or were removed.
    Renumbers,
}

impl Growth {
    /// Returns what the designer and the files did to a list, given its base version and both sides' versions.
    fn of_sides<T: PartialEq>([base, mine, theirs]: [&[T]; 3]) -> [Self; 2] {
        [mine, theirs].map(|side| Self::of(base, side))
    }

    fn of<T: PartialEq>(base: &[T], side: &[T]) -> Self {
        if side.len() == base.len() {
            if is_reordered(base, side) {
                Self::Renumbers
            } else {
                Self::Keeps
            }
        } else if side.starts_with(base) {
            Self::Appends
        } else {
            Self::Renumbers
        }
    }
}

/// Returns whether `side`, a list of the same length as `base`, contains the entries of `base` in a different order.
fn is_reordered<T: PartialEq>(base: &[T], side: &[T]) -> bool {
    let mut left: Vec<&T> = base.iter().collect();
    let is_all = side.iter().all(|entry| {
        let found = left.iter().position(|other| *other == entry);
        found.map(|at| left.swap_remove(at)).is_some()
    });
    is_all && base != side
}

/// Returns the places in rooms and vaults, and the expectations that name a room or vault (or that cannot be parsed).
fn references(design: &Design) -> (Vec<&NamedPlace>, Vec<&String>) {
    let names_area = |text: &&String| {
        parse(text).map_or(true, |expectation| {
            let mut names = false;
            let mut visit = |metric, _| names |= matches!(metric, Metric::Area(..));
            expectation.condition.metrics(&mut visit);
            names
        })
    };
    let is_inside = |place: &&NamedPlace| place.room > 0 || place.vault > 0;
    (
        design.layout.places.iter().filter(is_inside).collect(),
        design.expect.that.iter().filter(names_area).collect(),
    )
}

/// Returns the number of entries of a merged list; `None` if both sides changed the same entries.
fn merged_length<T: Clone + PartialEq>(sides: [&[T]; 3]) -> Option<usize> {
    match merge_lists(sides) {
        ListMerge::InPlace => Some(sides[0].len()),
        ListMerge::Merged(merged) => Some(merged.len()),
        ListMerge::Overlap => None,
    }
}

/// Result of merging three versions of a list.
enum ListMerge<T> {
    /// Neither side added, removed or reordered entries; the caller merges them one by one.
    InPlace,
    /// The merged list.
    Merged(Vec<T>),
    /// The lists cannot be merged, because both sides changed the same entries.
    Overlap,
}

/// A range of entries in the base list, and the entries with which one side replaced that range.
type ListEdit<'a, T> = (Range<usize>, &'a [T]);

/// Merges the lists `mine` and `theirs`, which both began as `base`.
fn merge_lists<T: Clone + PartialEq>([base, mine, theirs]: [&[T]; 3]) -> ListMerge<T> {
    let is_in_place = |side: &[T]| Growth::of(base, side) == Growth::Keeps;
    if is_in_place(mine) && is_in_place(theirs) {
        return ListMerge::InPlace;
    }
    if mine == theirs {
        return ListMerge::Merged(mine.to_vec());
    }
    let (by_mine, by_theirs) = (edits(base, mine), edits(base, theirs));
    let overlap = |(a, _): &ListEdit<'_, T>, (b, _): &ListEdit<'_, T>| a.start < b.end && b.start < a.end;
    if by_mine.iter().any(|a| by_theirs.iter().any(|b| overlap(a, b))) {
        return ListMerge::Overlap;
    }
    // Where both sides insert entries at the same index, the files' entries come first and keep their numbers.
    let mut all: Vec<ListEdit<'_, T>> = by_theirs.into_iter().chain(by_mine).collect();
    all.sort_by_key(|(range, _)| (range.start, range.end));
    let mut merged = Vec::new();
    let mut next = 0;
    for (range, new) in all {
        merged.extend_from_slice(&base[next..range.start]);
        merged.extend_from_slice(new);
        next = range.end;
    }
    merged.extend_from_slice(&base[next..]);
    ListMerge::Merged(merged)
}

/// Returns the replacements that lead from `base` to `side`: one for each changed entry, or, if entries were added,
/// removed or reordered, a single one from the first difference to the last.
fn edits<'a, T: PartialEq>(base: &[T], side: &'a [T]) -> Vec<ListEdit<'a, T>> {
    if Growth::of(base, side) == Growth::Keeps {
        let differing = (0..base.len()).filter(|&index| base[index] != side[index]);
        return differing
            .map(|index| (index..index + 1, &side[index..=index]))
            .collect();
    }
    let same = |(a, b): &(&T, &T)| a == b;
    let start = base.iter().zip(side).take_while(same).count();
    let (rest, new) = (&base[start..], &side[start..]);
    let end = rest.iter().rev().zip(new.iter().rev()).take_while(same).count();
    vec![(start..base.len() - end, &side[start..side.len() - end])]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::design::{EntryText, Room, RoomField, Stat, VaultEntry};
    use crate::geometry::Point;

    /// Returns a design with three rooms of different widths, two expectations and a place.
    fn base() -> Design {
        let mut design = Design::default();
        let room = |width| Room {
            width,
            ..Room::default()
        };
        design.layout.rooms = [3, 4, 5].map(room).to_vec();
        design.layout.walls = [(10, 10), (10, 11), (10, 12)].map(|(x, y)| Point::new(x, y)).to_vec();
        design.layout.places.push(NamedPlace {
            name: "boss".into(),
            room: 2,
            ..NamedPlace::default()
        });
        design.expect.that = vec!["reachable".into(), "crosses room 2".into()];
        design
    }

    fn merge(mine: impl FnOnce(&mut Design), theirs: impl FnOnce(&mut Design)) -> DesignMerge {
        let base = base();
        let (mut a, mut b) = (base.clone(), base.clone());
        mine(&mut a);
        theirs(&mut b);
        let merge = DesignMerge::of(&base, &a, &b);
        // Exchanging the two sides must result in the same number of differences.
        let other = DesignMerge::of(&base, &b, &a);
        assert_eq!(other.differences.len(), merge.differences.len());
        merge
    }

    fn found(merge: &DesignMerge) -> Vec<(MergedPart, ChangedBy)> {
        merge.differences.iter().map(|found| (found.part, found.by)).collect()
    }

    #[test]
    fn different_fields_are_merged_and_the_same_field_keeps_the_designers() {
        let field = |field: RoomField| MergedPart::Field(Entry::Room(1), Field::Number(field.into()));
        let merge = merge(
            |mine| {
                mine.layout.rooms[1].width = 7;
                mine.layout.rooms[1].delay = 3;
                mine.name = "mine".into();
            },
            |theirs| {
                theirs.layout.rooms[1].width = 9;
                theirs.layout.rooms[1].div = 4;
                theirs.set(Entry::Generation(3), Stat::MaxAge, 8);
                theirs.set_text(Entry::NamedPlace(0), EntryText::Name, "lair");
            },
        );
        let room = merge.design.layout.rooms[1];
        assert_eq!((room.width, room.delay, room.div), (7, 3, 4));
        assert_eq!(merge.design.character.generations[3].max_age, 8);
        assert_eq!(
            (merge.design.name.as_str(), merge.design.layout.places[0].name.as_str()),
            ("mine", "lair")
        );
        assert_eq!(
            found(&merge),
            [
                (field(RoomField::Width), ChangedBy::Both),
                (
                    MergedPart::Field(Entry::Generation(3), Field::Number(Stat::MaxAge.into())),
                    ChangedBy::File
                ),
                (field(RoomField::Div), ChangedBy::File),
                (
                    MergedPart::Field(Entry::NamedPlace(0), Field::Text(EntryText::Name)),
                    ChangedBy::File
                ),
                (MergedPart::Name, ChangedBy::Designer),
                (field(RoomField::Delay), ChangedBy::Designer),
            ]
        );
    }

    #[test]
    fn an_added_entry_does_not_disturb_changes_of_others() {
        let widths =
            |merge: &DesignMerge| -> Vec<i32> { merge.design.layout.rooms.iter().map(|room| room.width).collect() };
        let with = |width: i32| Room {
            width,
            ..Room::default()
        };
        let added = merge(
            |mine| mine.layout.rooms.push(with(8)),
            |theirs| theirs.layout.rooms[0].width = 9,
        );
        assert_eq!(widths(&added), [9, 4, 5, 8]);
        assert_eq!(
            found(&added),
            [
                (MergedPart::Entries(List::Rooms), ChangedBy::File),
                (MergedPart::Entries(List::Rooms), ChangedBy::Designer),
            ]
        );
        let removed = merge(
            |mine| List::Rooms.remove(&mut mine.layout, 0),
            |theirs| theirs.layout.rooms[2].width = 9,
        );
        assert_eq!(widths(&removed), [4, 9]);
        // Both sides add rooms: the files' rooms come first and keep their numbers.
        let both = merge(
            |mine| mine.layout.rooms.push(with(8)),
            |theirs| theirs.layout.rooms.push(with(9)),
        );
        assert_eq!(widths(&both), [3, 4, 5, 9, 8]);
        // The files change the room that the designer removes.
        let clash = merge(
            |mine| List::Rooms.remove(&mut mine.layout, 0),
            |theirs| theirs.layout.rooms[0].width = 9,
        );
        assert_eq!(widths(&clash), [4, 5]);
        assert_eq!(found(&clash), [(MergedPart::Entries(List::Rooms), ChangedBy::Both)]);
    }

    #[test]
    fn a_room_number_never_refers_to_another_room_after_a_merge() {
        // The designer removes room 1, so room 2 becomes room 1. The file adds an expectation that names room 3.
        let merge = merge(
            |mine| {
                mine.layout.rooms.remove(0);
                mine.layout.places[0].room = 1;
                mine.expect.that[1] = "crosses room 1".into();
            },
            |theirs| {
                theirs.expect.that.push("crosses room 3".into());
                theirs.seed = 8;
            },
        );
        assert_eq!(merge.design.layout.rooms.len(), 2);
        assert_eq!(merge.design.expect.that, ["reachable", "crosses room 1"]);
        assert_eq!(merge.design.seed, 8, "the rest is merged");
        assert!(found(&merge).contains(&(MergedPart::Expectations, ChangedBy::Both)));
    }

    #[test]
    fn renumbered_rooms_are_merged_with_changes_that_refer_to_no_room() {
        let with_room_first = |theirs: &mut Design| {
            theirs.layout.rooms.insert(0, Room::default());
            theirs.layout.places[0].room = 3;
            theirs.expect.that[1] = "crosses room 3".into();
            theirs.expect.that.push("dead-ends < 9".into());
        };
        let merged = merge(|mine| mine.name = "mine".into(), with_room_first);
        let mut expected = base();
        with_room_first(&mut expected);
        expected.name = "mine".into();
        assert_eq!(merged.design, expected);
        assert!(merged.differences.iter().all(|found| found.by != ChangedBy::Both));
        let merged = merge(
            |mine| mine.expect.that[0] = "path > 7".into(),
            |theirs| {
                theirs.layout.rooms.insert(0, Room::default());
                theirs.layout.places[0].room = 3;
                theirs.expect.that[1] = "crosses room 3".into();
            },
        );
        assert_eq!(merged.design.layout.rooms.len(), 4);
        assert_eq!(merged.design.expect.that, ["path > 7", "crosses room 3"]);
        assert_eq!(merged.design.layout.places[0].room, 3);
    }

    #[test]
    fn changes_of_the_file_that_are_left_out_are_not_reported_as_changes_of_both() {
        let merged = merge(
            |mine| mine.expect.that.push("crosses room 3".into()),
            |theirs| {
                theirs.layout.rooms.insert(0, Room::default());
                theirs.layout.places[0].room = 3;
            },
        );
        assert_eq!(merged.design.layout.places[0].room, 2);
        assert_eq!(
            found(&merged),
            [
                (MergedPart::Entries(List::Rooms), ChangedBy::FileUnmerged),
                (MergedPart::Entries(List::Places), ChangedBy::FileUnmerged),
                (MergedPart::Expectations, ChangedBy::Designer),
            ]
        );
    }

    #[test]
    fn a_place_keeps_its_room_if_both_sides_changed_the_room_that_the_file_removes() {
        let merged = merge(
            |mine| mine.layout.rooms[0].width = 9,
            |theirs| {
                theirs.layout.rooms.remove(0);
                theirs.layout.places[0].room = 1;
                theirs.expect.that[1] = "crosses room 1".into();
            },
        );
        assert_eq!(merged.design.layout.rooms.len(), 3, "the designer's rooms are kept");
        assert_eq!(merged.design.layout.places[0].room, 2);
        assert_eq!(merged.design.expect.that[1], "crosses room 2");
    }

    #[test]
    fn a_reference_to_a_removed_room_or_vault_never_refers_to_one_that_the_other_side_added() {
        let mut base = base();
        base.layout.vaults = vec![VaultEntry::default(); 2];
        base.layout.places[0].room = 1;
        base.layout.places.push(NamedPlace {
            vault: 1,
            ..NamedPlace::default()
        });
        base.expect.that.push("needs room 1".into());
        let remove = |entry: Entry| {
            let mut design = base.clone();
            design.remove_entries(&[entry].into());
            design
        };
        // Adds a room and removes another: the number of rooms stays the same.
        let mut exchanged = base.clone();
        exchanged.insert_entry(List::Rooms, 3, None);
        exchanged.remove_entries(&[Entry::Room(0)].into());
        let exchanged = [(exchanged, List::Rooms)];
        let removed = [0, 2].map(|index| (remove(Entry::Room(index)), List::Rooms));
        let vaults = [0, 1].map(|index| (remove(Entry::Vault(index)), List::Vaults));
        for (removed, list) in removed.into_iter().chain(vaults).chain(exchanged) {
            let mut added = base.clone();
            added.insert_entry(list, 9, None);
            for [mine, theirs] in [[&removed, &added], [&added, &removed]] {
                let merged = DesignMerge::of(&base, mine, theirs);
                let invalid = |design: &Design| {
                    let length = list.len(&design.layout);
                    let found = design.references().into_iter();
                    found.filter(|(of, index)| *of == list && *index >= length).count()
                };
                if merged.design.layout == mine.layout {
                    assert_eq!(merged.design.expect, mine.expect);
                    assert_eq!(merged.differences[0].by, ChangedBy::Both);
                } else {
                    assert_eq!(invalid(&merged.design), invalid(&removed));
                }
            }
        }
    }

    #[test]
    fn a_room_added_to_the_file_for_an_invalid_reference_is_merged() {
        let mut base = base();
        base.expect.that.push("crosses room 4".into());
        let (mut mine, mut theirs) = (base.clone(), base.clone());
        mine.layout.rooms[0].width = 9;
        theirs.insert_entry(List::Rooms, 3, None);
        let merged = DesignMerge::of(&base, &mine, &theirs).design;
        assert_eq!((merged.layout.rooms.len(), merged.layout.rooms[0].width), (4, 9));
    }

    #[test]
    fn squares_are_merged_by_position() {
        let at = |x, y| Point::new(x, y);
        let merge = merge(
            |mine| {
                mine.layout.walls.remove(0);
                mine.layout.columns.push(at(20, 20));
                mine.layout.columns.push(at(30, 30));
            },
            |theirs| {
                theirs.layout.walls.remove(2);
                theirs.layout.walls.push(at(20, 20));
                theirs.layout.columns.push(at(30, 30));
            },
        );
        assert_eq!(merge.design.layout.walls, [at(10, 11)]);
        assert_eq!(merge.design.layout.columns, [at(20, 20), at(30, 30)]);
        assert_eq!(
            found(&merge),
            [
                (MergedPart::Squares(1), ChangedBy::Both),
                (MergedPart::Squares(1), ChangedBy::File),
                (MergedPart::Squares(1), ChangedBy::Designer),
            ]
        );
    }

    /// Makes one change to a design: sets a number, adds or removes a room, swaps two rooms, or adds a wall tile.
    fn change(design: &mut Design, (what, which, value): (u8, usize, i32)) {
        let rooms = design.layout.rooms.len();
        match what {
            0 => drop(design.set(Entry::Generation(which), Stat::MaxAge, value)),
            1 => drop(design.set(Entry::Room(which), RoomField::Width, value)),
            2 => List::Rooms.remove(&mut design.layout, which),
            3 => List::Rooms.insert(&mut design.layout, which.min(rooms), None),
            4 => List::Rooms.swap(&mut design.layout, which, 0),
            _ => design.layout.walls.push(Point::new(value, which as i32)),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_side_without_changes_adds_none(
            changes in prop::collection::vec((0..6_u8, 0..4_usize, 20..30_i32), 0..5),
            others in prop::collection::vec((0..6_u8, 0..4_usize, 20..30_i32), 0..5),
        ) {
            let base = base();
            let (mut side, mut other) = (base.clone(), base.clone());
            for one in changes {
                change(&mut side, one);
            }
            for one in others {
                change(&mut other, one);
            }
            prop_assert_eq!(&DesignMerge::of(&base, &side, &base).design, &side);
            prop_assert_eq!(&DesignMerge::of(&base, &base, &side).design, &side);
            prop_assert_eq!(&DesignMerge::of(&base, &side, &side).design, &side);
            prop_assert_eq!(DesignMerge::of(&base, &side, &side).differences, []);
            // If no difference is reported as changed by both sides, no change of either side is lost.
            let merge = DesignMerge::of(&base, &side, &other);
            if merge.differences.iter().all(|found| found.by != ChangedBy::Both) {
                let stats = |design: &Design| design.character.generations.map(|generation| generation.max_age);
                let (old, a, b, both) = (stats(&base), stats(&side), stats(&other), stats(&merge.design));
                for index in 0..both.len() {
                    let expected = if a[index] == old[index] { b[index] } else { a[index] };
                    prop_assert_eq!(both[index], expected);
                }
                let walls = merge.design.layout.walls;
                let is_kept = side.layout.walls.iter().chain(&other.layout.walls).all(|at| walls.contains(at));
                prop_assert!(is_kept);
            }
        }
    }
}

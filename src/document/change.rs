//! Compact undo data: only the parts of a design that an edit changed.
//!
//! The number of undo steps is unlimited, so the memory of a step must depend on the edit and not on the size of the
//! design: moving one tile takes the same memory in a design with thousands of wall tiles as in one with three. An
//! [`EditSide`] contains the differing parts as they are on one side of the edit: either before it or after it. To undo
//! or redo the edit, these parts are exchanged with those of the design. After an undo, the `EditSide` contains the
//! parts that a redo needs, and vice versa.

use crate::design::{
    Character, Constants, CrawlerStart, Design, Expectations, Generation, Layout, Limits, NamedPlace, Room, VaultEntry,
};
use crate::geometry::{Point, Size};

/// The parts of a design that an edit changed, with their values on one side of the edit. Unchanged parts are `None` or
/// empty.
#[derive(Debug, Clone, Default)]
pub(super) struct EditSide {
    /// Name and notes.
    texts: Option<Box<(String, String)>>,
    seed: Option<u64>,
    constants: Option<Box<Constants>>,
    /// Dimensions, limits and protuberances: the scalar values of the layout.
    frame: Option<Box<(Size, Limits, i32)>>,
    /// Index and parameters of each generation that differs.
    generations: Vec<(u8, Generation)>,
    rooms: ListDiff<Room>,
    open: ListDiff<Point>,
    walls: ListDiff<Point>,
    columns: ListDiff<Point>,
    crawlers: ListDiff<CrawlerStart>,
    vaults: ListDiff<VaultEntry>,
    places: ListDiff<NamedPlace>,
    expect: Option<Box<Expectations>>,
}

impl EditSide {
    /// Returns the parts of `there` that differ from `here`. Exchanging them with the parts of `here` makes `here`
    /// equal to `there`.
    pub(super) fn between(here: &Design, there: &Design) -> Self {
        // Destructured exhaustively, so that the compiler reports a field that is added to `Design` and forgotten here.
        let Design {
            name,
            notes,
            seed,
            constants,
            layout,
            character: Character { generations },
            expect,
        } = there;
        let Layout {
            size,
            limits,
            rooms,
            open,
            walls,
            columns,
            crawlers,
            protuberances,
            vaults,
            places,
        } = layout;
        let mine = &here.layout;
        let texts_differ = (name, notes) != (&here.name, &here.notes);
        let frame = (*size, *limits, *protuberances);
        let differing = generations.iter().zip(&here.character.generations).enumerate();
        Self {
            texts: texts_differ.then(|| Box::new((name.clone(), notes.clone()))),
            seed: (*seed != here.seed).then_some(*seed),
            constants: (*constants != here.constants).then(|| Box::new(*constants)),
            frame: (frame != (mine.size, mine.limits, mine.protuberances)).then(|| Box::new(frame)),
            generations: differing
                .filter(|(_, (there, here))| there != here)
                .map(|(i, (there, _))| (i as u8, *there))
                .collect(),
            rooms: ListDiff::between(&mine.rooms, rooms),
            open: ListDiff::between(&mine.open, open),
            walls: ListDiff::between(&mine.walls, walls),
            columns: ListDiff::between(&mine.columns, columns),
            crawlers: ListDiff::between(&mine.crawlers, crawlers),
            vaults: ListDiff::between(&mine.vaults, vaults),
            places: ListDiff::between(&mine.places, places),
            expect: (*expect != here.expect).then(|| Box::new(expect.clone())),
        }
    }

    /// Exchanges the parts with those of `design`. Calling this again reverts the exchange.
    pub(super) fn exchange(&mut self, design: &mut Design) {
        use std::mem::swap;
        if let Some(texts) = &mut self.texts {
            swap(&mut texts.0, &mut design.name);
            swap(&mut texts.1, &mut design.notes);
        }
        if let Some(seed) = &mut self.seed {
            swap(seed, &mut design.seed);
        }
        if let Some(constants) = &mut self.constants {
            swap(constants.as_mut(), &mut design.constants);
        }
        if let Some(expect) = &mut self.expect {
            swap(expect.as_mut(), &mut design.expect);
        }
        let layout = &mut design.layout;
        if let Some(frame) = &mut self.frame {
            swap(&mut frame.0, &mut layout.size);
            swap(&mut frame.1, &mut layout.limits);
            swap(&mut frame.2, &mut layout.protuberances);
        }
        for (i, generation) in &mut self.generations {
            if let Some(mine) = design.character.generations.get_mut(usize::from(*i)) {
                swap(generation, mine);
            }
        }
        self.rooms.exchange(&mut layout.rooms);
        self.open.exchange(&mut layout.open);
        self.walls.exchange(&mut layout.walls);
        self.columns.exchange(&mut layout.columns);
        self.crawlers.exchange(&mut layout.crawlers);
        self.vaults.exchange(&mut layout.vaults);
        self.places.exchange(&mut layout.places);
    }

    /// Returns the vaults that the edit changed.
    pub(super) fn vaults(&self) -> &[VaultEntry] {
        self.vaults.0.as_ref().map_or(&[], |range| &range.put)
    }

    /// Returns the vaults that the edit changed, for modification.
    pub(super) fn vaults_mut(&mut self) -> &mut [VaultEntry] {
        self.vaults.0.as_mut().map_or(&mut [], |range| &mut range.put)
    }

    /// Returns the number of bytes used, not counting the strings of vaults and places.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let boxed = |there: bool, bytes: usize| if there { bytes } else { 0 };
        size_of::<Self>()
            + self.texts.as_ref().map_or(0, |t| t.0.capacity() + t.1.capacity() + 48)
            + boxed(self.constants.is_some(), size_of::<Constants>())
            + boxed(self.frame.is_some(), 40)
            + self.generations.capacity() * size_of::<(u8, Generation)>()
            + self.rooms.bytes()
            + self.open.bytes()
            + self.walls.bytes()
            + self.columns.bytes()
            + self.crawlers.bytes()
            + self.vaults.bytes()
            + self.places.bytes()
    }
}

/// The range of a list that differs between the two sides of an edit; `None` if the list is equal on both.
#[derive(Debug, Clone)]
struct ListDiff<T>(Option<Box<DiffRange<T>>>);

#[derive(Debug, Clone)]
struct DiffRange<T> {
    /// Index of the first entry that differs.
    at: usize,
    /// Number of entries to remove.
    gone: usize,
    /// Entries to insert instead.
    put: Vec<T>,
}

impl<T> Default for ListDiff<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Clone + PartialEq> ListDiff<T> {
    fn between(here: &[T], there: &[T]) -> Self {
        let same = |(a, b): &(&T, &T)| a == b;
        let at = here.iter().zip(there).take_while(same).count();
        let (here, there) = (&here[at..], &there[at..]);
        let end = here.iter().rev().zip(there.iter().rev()).take_while(same).count();
        let gone = here.len() - end;
        let put = there[..there.len() - end].to_vec();
        Self((gone > 0 || !put.is_empty()).then(|| Box::new(DiffRange { at, gone, put })))
    }

    fn exchange(&mut self, list: &mut Vec<T>) {
        let Some(range) = &mut self.0 else { return };
        let at = range.at.min(list.len());
        let end = (at + range.gone).min(list.len());
        let put = std::mem::take(&mut range.put);
        range.gone = put.len();
        range.put = list.splice(at..end, put).collect();
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |range| {
            size_of::<DiffRange<T>>() + range.put.capacity() * size_of::<T>()
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::design::List;

    fn there_and_back(a: &Design, b: &Design) {
        let mut change = EditSide::between(a, b);
        let mut design = a.clone();
        change.exchange(&mut design);
        assert_eq!(design, *b);
        change.exchange(&mut design);
        assert_eq!(design, *a);
    }

    #[test]
    fn every_part_of_a_design_is_changed_and_restored() {
        let mut a = Design::default();
        for list in List::ALL {
            for _ in 0..3 {
                list.insert(&mut a.layout, 0, None);
            }
        }
        for entry in a.entries() {
            for &parameter in entry.parameters() {
                let mut b = a.clone();
                b.set(entry, parameter, parameter.info().max);
                there_and_back(&a, &b);
            }
            for &text in entry.texts() {
                let mut b = a.clone();
                b.set_text(entry, text, "another");
                there_and_back(&a, &b);
            }
        }
        let b = Design {
            name: "b".into(),
            notes: "notes".into(),
            seed: 9,
            ..Design::default()
        };
        there_and_back(&a, &b);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn any_list_is_changed_to_any_other_and_restored(
            a in prop::collection::vec(0..3_u8, 0..9),
            b in prop::collection::vec(0..3_u8, 0..9),
        ) {
            let mut diff = ListDiff::between(&a, &b);
            let mut list = a.clone();
            diff.exchange(&mut list);
            prop_assert_eq!(&list, &b);
            diff.exchange(&mut list);
            prop_assert_eq!(&list, &a);
        }
    }
}

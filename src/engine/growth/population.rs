//! Who lives: the numbered places that Builders live in, which of them are awake, and when the others wake.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event, Observer};

/// The places, and the babies of the turn under way. The Builders themselves are a list with an element for each place,
/// which the caller keeps: a Builder that acts changes the population meanwhile.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Builders ever born.
    born: u32,
    taken: PlaceSet,
    /// No place below this one is free.
    first_free: u32,
    awake: PlaceSet,
    /// Places of sleepers by the iteration in which they wake, the next to wake at the end; those of one iteration in the
    /// order of their birth. Few iterations are in it at a time: the babies of a generation wake together.
    sleepers: Vec<(u32, Vec<u32>)>,
    /// An empty list that has grown already, for the next iteration that a Builder sleeps to.
    spare: Vec<u32>,
    /// Babies of the turn under way, each with the iteration in which it wakes.
    babies: Vec<(u32, Builder)>,
}

impl Population {
    /// Returns the number of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
    }

    /// Takes the lowest free place for a Builder that is about to be born.
    #[inline]
    pub(super) fn take_place(&mut self) -> u32 {
        let place = self.taken.first_absent(self.first_free);
        self.taken.insert(place);
        self.first_free = place + 1;
        place
    }

    /// Counts a birth. The baby joins the others with [`Self::admit`].
    #[expect(clippy::inline_always, reason = "measured: else the Builder is copied on the way")]
    #[inline(always)]
    pub(super) fn add(&mut self, builder: Builder, wakes: u32) {
        self.born = self.born.saturating_add(1);
        self.living += 1;
        self.babies.push((wakes, builder));
    }

    /// Counts a death. The place is free for the next birth, in the same iteration, too.
    pub(super) fn remove(&mut self, place: u32) {
        self.living -= 1;
        self.taken.remove(place);
        self.awake.remove(place);
        self.first_free = self.first_free.min(place);
    }

    /// Returns the number of places up to the last one that is taken.
    pub(super) fn places(&self) -> usize {
        self.taken.end()
    }

    /// Returns the first place from `from` on whose Builder is awake.
    #[inline]
    pub(super) fn next_awake(&self, from: u32) -> Option<u32> {
        self.awake.first_present(from)
    }

    /// Moves the babies of a turn to their places. One that wakes by `now` is awake at once; its place is behind its
    /// parent's, so that it acts in this iteration.
    #[inline]
    pub(super) fn admit(&mut self, builders: &mut Vec<Builder>, now: Option<u32>, observer: &mut impl Observer) {
        if self.babies.is_empty() {
            return;
        }
        let mut babies = std::mem::take(&mut self.babies);
        for (wakes, baby) in babies.drain(..) {
            let (place, id) = (baby.place, baby.id);
            // The lowest free place is at most one behind all that were ever taken.
            match builders.get_mut(place as usize) {
                Some(before) => *before = baby,
                None => builders.push(baby),
            }
            if now.is_some_and(|now| wakes <= now) {
                self.awake.insert(place);
                observer.event(Event::Woke { builder: id });
            } else {
                self.sleepers_to(wakes).push(place);
            }
        }
        self.babies = babies;
    }

    /// Returns the places of those who sleep until `wakes`.
    #[inline]
    fn sleepers_to(&mut self, wakes: u32) -> &mut Vec<u32> {
        let at = self.sleepers.partition_point(|(later, _)| *later > wakes);
        if self.sleepers.get(at).is_none_or(|(iteration, _)| *iteration != wakes) {
            self.insert(at, wakes);
        }
        &mut self.sleepers[at].1
    }

    #[cold]
    fn insert(&mut self, at: usize, wakes: u32) {
        self.sleepers.insert(at, (wakes, std::mem::take(&mut self.spare)));
    }

    /// Returns the next iteration in which a sleeper wakes.
    pub(super) fn first_waking(&self) -> Option<u32> {
        self.sleepers.last().map(|(iteration, _)| *iteration)
    }

    /// Wakes those whose time has come.
    pub(super) fn wake(&mut self, iteration: u32, builders: &[Builder], observer: &mut impl Observer) {
        while self.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut sleepers)) = self.sleepers.pop()
        {
            for place in sleepers.drain(..) {
                self.awake.insert(place);
                let builder = builders[place as usize].id;
                observer.event(Event::Woke { builder });
            }
            self.spare = sleepers;
        }
    }
}

/// A set of places: a bit for each.
#[derive(Debug, Clone, Default)]
struct PlaceSet {
    words: Vec<u64>,
}

impl PlaceSet {
    /// Splits a place into the index of its word and its bit.
    const fn split(place: u32) -> (usize, u32) {
        ((place / u64::BITS) as usize, place % u64::BITS)
    }

    #[inline]
    fn insert(&mut self, place: u32) {
        let (index, bit) = Self::split(place);
        if index >= self.words.len() {
            self.words.resize(index + 1, 0);
        }
        self.words[index] |= 1 << bit;
    }

    #[inline]
    fn remove(&mut self, place: u32) {
        let (index, bit) = Self::split(place);
        if let Some(word) = self.words.get_mut(index) {
            *word &= !(1 << bit);
        }
    }

    /// Returns the place behind the last one of the set.
    fn end(&self) -> usize {
        let last = self.words.iter().rposition(|word| *word != 0);
        last.map_or(0, |index| {
            (index + 1) * u64::BITS as usize - self.words[index].leading_zeros() as usize
        })
    }

    /// Returns the first place of the set from `from` on.
    #[inline]
    fn first_present(&self, from: u32) -> Option<u32> {
        let (index, bit) = Self::split(from);
        let word = *self.words.get(index)? & (u64::MAX << bit);
        if word != 0 {
            return Some(index as u32 * u64::BITS + word.trailing_zeros());
        }
        let later = self.words.iter().enumerate().skip(index + 1);
        let (index, word) = later.into_iter().find(|(_, word)| **word != 0)?;
        Some(index as u32 * u64::BITS + word.trailing_zeros())
    }

    /// Returns the first place from `from` on that is not in the set.
    #[inline]
    fn first_absent(&self, from: u32) -> u32 {
        let (first, bit) = Self::split(from);
        let mut index = first;
        let mut free = self.words.get(index).map_or(0, |word| !word) & (u64::MAX << bit);
        while free == 0 && index < self.words.len() {
            index += 1;
            free = self.words.get(index).map_or(u64::MAX, |word| !word);
        }
        if index >= self.words.len() {
            return (index as u32 * u64::BITS).max(from);
        }
        index as u32 * u64::BITS + free.trailing_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_place_is_taken() {
        let mut population = Population::default();
        let taken: Vec<u32> = (0..200).map(|_| population.take_place()).collect();
        assert_eq!(taken, (0..200).collect::<Vec<_>>());
        population.living = 200;
        for place in [150, 3, 199, 64] {
            population.remove(place);
        }
        let again: Vec<u32> = (0..5).map(|_| population.take_place()).collect();
        assert_eq!(again, [3, 64, 150, 199, 200]);
    }

    #[test]
    fn places_are_found_across_words() {
        let mut set = PlaceSet::default();
        assert_eq!((set.first_present(0), set.first_absent(0), set.end()), (None, 0, 0));
        for place in [0, 63, 64, 200] {
            set.insert(place);
        }
        let found: Vec<_> = [0, 1, 64, 65, 200, 201, 1_000]
            .map(|from| set.first_present(from))
            .into();
        assert_eq!(found, [Some(0), Some(63), Some(64), Some(200), Some(200), None, None]);
        let absent = [0, 63, 64, 200, 300].map(|from| set.first_absent(from));
        assert_eq!(absent, [1, 65, 65, 201, 300]);
        assert_eq!(set.end(), 201);
        set.remove(63);
        assert_eq!((set.first_present(1), set.first_absent(0)), (Some(64), 1));
    }
}

//! The living Builders: [`Population`] gives out the numbered places, counts births and deaths, and holds the sleepers
//! until they wake; [`Awake`] holds the Builders that act, one slot for each place. Turns are in `turn` and `jumper`.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event, Observer};

/// The places taken, the numbers of Builders, and the sleepers.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// Number of Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Number of Builders born so far; the next Builder's id.
    born: u32,
    taken: PlaceSet,
    /// No word of `taken` before this one has a free place.
    first_free: usize,
    /// Sleepers by the iteration in which they wake, the next to wake at the end; those of one iteration in the order of
    /// their birth. Few iterations are in it at a time: the babies of a generation wake together.
    sleepers: Vec<(u32, Vec<Builder>)>,
    /// An empty list whose allocation is reused for the next iteration that a Builder sleeps to.
    spare: Vec<Builder>,
    /// Babies of the turn under way that are awake at once.
    awake_at_once: Vec<Builder>,
}

/// The awake Builders by place, so that they act in the order of their places without being sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct Awake {
    /// The Builder of each place. A slot whose place is not in `places` is `None` or outdated.
    slots: Vec<Option<Builder>>,
    places: PlaceSet,
}

impl Awake {
    /// Returns the Builder of a place.
    #[inline]
    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut Builder> {
        self.slots.get_mut(place as usize)?.as_mut()
    }

    /// Returns the first place from `from` on whose Builder is awake.
    #[inline]
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        self.places.first_present(from)
    }

    /// Removes a Builder that died.
    #[inline]
    pub(super) fn remove(&mut self, place: u32) {
        self.places.remove(place);
    }

    #[inline]
    fn insert(&mut self, builder: Builder) {
        let place = builder.place;
        let index = place as usize;
        if index >= self.slots.len() {
            self.slots.resize_with(index + 1, || None);
        }
        self.slots[index] = Some(builder);
        self.places.insert(place);
    }

    /// Drops the slots after the last awake Builder.
    pub(super) fn trim(&mut self) {
        self.slots.truncate(self.places.end());
    }
}

impl Population {
    /// Returns the number of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
    }

    /// Takes the lowest free place for a Builder that is about to be born.
    #[inline]
    pub(super) fn take_place(&mut self) -> u32 {
        self.taken.insert_first(&mut self.first_free)
    }

    /// Counts a birth. The Builder sleeps until the iteration `wakes`; one that wakes by `now` is awake at once.
    #[expect(clippy::inline_always, reason = "measured: else the Builder is copied on the way")]
    #[inline(always)]
    pub(super) fn add(&mut self, builder: Builder, wakes: u32, now: Option<u32>) {
        self.born = self.born.saturating_add(1);
        self.living += 1;
        if now.is_some_and(|now| wakes <= now) {
            self.awake_at_once.push(builder);
        } else {
            self.sleepers_to(wakes).push(builder);
        }
    }

    /// Counts a death. The place is free for the next birth, in the same iteration, too.
    pub(super) fn remove(&mut self, place: u32) {
        self.living -= 1;
        self.taken.remove(place);
        self.first_free = self.first_free.min(PlaceSet::split(place).0);
    }

    /// Moves the babies of a turn that are awake at once to the others. Their places are behind their parent's, so that
    /// they act in this iteration.
    #[inline]
    pub(super) fn join_at_once(&mut self, awake: &mut Awake, observer: &mut impl Observer) {
        if !self.awake_at_once.is_empty() {
            join(awake, &mut self.awake_at_once, observer);
        }
    }

    /// Returns those who sleep until `wakes`.
    #[inline]
    fn sleepers_to(&mut self, wakes: u32) -> &mut Vec<Builder> {
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
    pub(super) fn wake(&mut self, iteration: u32, awake: &mut Awake, observer: &mut impl Observer) {
        while self.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut sleepers)) = self.sleepers.pop()
        {
            join(awake, &mut sleepers, observer);
            self.spare = sleepers;
        }
    }
}

fn join(awake: &mut Awake, newcomers: &mut Vec<Builder>, observer: &mut impl Observer) {
    for builder in newcomers.drain(..) {
        observer.event(Event::Woke { builder: builder.id });
        awake.insert(builder);
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

    /// Adds the first place that is not in the set, and returns it. No word before `from` lacks one, nor does it
    /// afterwards.
    #[inline]
    fn insert_first(&mut self, from: &mut usize) -> u32 {
        while self.words.get(*from).is_some_and(|word| *word == u64::MAX) {
            *from += 1;
        }
        if *from == self.words.len() {
            self.words.push(0);
        }
        let word = &mut self.words[*from];
        let bit = word.trailing_ones();
        *word |= 1 << bit;
        *from as u32 * u64::BITS + bit
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
        assert_eq!((set.first_present(0), set.end()), (None, 0));
        for place in [0, 63, 64, 200] {
            set.insert(place);
        }
        let found: Vec<_> = [0, 1, 64, 65, 200, 201, 1_000]
            .map(|from| set.first_present(from))
            .into();
        let expected = [Some(0), Some(63), Some(64), Some(200), Some(200), None, None];
        assert_eq!(found, expected);
        assert_eq!(set.end(), 201);
        set.remove(63);
        assert_eq!(set.first_present(1), Some(64));
    }
}

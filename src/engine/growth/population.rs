//! The Builders that are alive but not at work: sleepers, their places, and how many live in all.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event, Observer};

/// Who lives, apart from those at work.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Builders ever born.
    born: u32,
    places: Places,
    /// Sleepers by the iteration in which they wake, the next to wake at the end; those of one iteration in the
    /// order of their birth. Few iterations are in it at a time: the babies of a generation wake together.
    sleepers: Vec<(u32, Vec<Builder>)>,
    /// An empty list that has grown already, for the next iteration that a Builder sleeps to.
    spare: Vec<Builder>,
    /// Babies of the turn under way that are awake at once.
    awake_at_once: Vec<Builder>,
}

impl Population {
    /// The number of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
    }

    /// Takes the lowest free place for a Builder that is about to be born.
    pub(super) fn take_place(&mut self) -> u32 {
        self.places.take()
    }

    /// Counts a birth. The Builder sleeps until `wakes`, or is awake if that is `now`.
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
        self.places.free(place);
    }

    /// Those who sleep until `wakes`.
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

    /// The next iteration in which a sleeper wakes.
    pub(super) fn first_waking(&self) -> Option<u32> {
        self.sleepers.last().map(|(iteration, _)| *iteration)
    }

    /// Babies that are awake at once act in this iteration: their places are behind their parent's. `next` is the index
    /// of the next to act, the places of all from there on are in order.
    #[inline]
    pub(super) fn join_at_once(&mut self, awake: &mut Vec<Builder>, next: usize, observer: &mut impl Observer) {
        if !self.awake_at_once.is_empty() {
            join(awake, &mut self.awake_at_once, observer);
            awake[next..].sort_by_key(|builder| builder.place);
        }
    }

    /// Those whose time has come join the others, all in the order of their places.
    pub(super) fn wake(&mut self, iteration: u32, awake: &mut Vec<Builder>, observer: &mut impl Observer) {
        let before = awake.len();
        while self.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut sleepers)) = self.sleepers.pop()
        {
            join(awake, &mut sleepers, observer);
            self.spare = sleepers;
        }
        if before < awake.len() {
            awake.sort_by_key(|builder| builder.place);
        }
    }
}

#[cold]
fn join(awake: &mut Vec<Builder>, newcomers: &mut Vec<Builder>, observer: &mut impl Observer) {
    for builder in newcomers.iter() {
        observer.event(Event::Woke { builder: builder.id });
    }
    awake.append(newcomers);
}

/// The numbered places that Builders live in: a bit for each, set where a Builder lives.
#[derive(Debug, Clone, Default)]
struct Places {
    words: Vec<u64>,
    /// No word before this one has a free place.
    first: usize,
}

impl Places {
    /// Takes the lowest free place.
    #[inline]
    fn take(&mut self) -> u32 {
        while self.words.get(self.first).is_some_and(|word| *word == u64::MAX) {
            self.first += 1;
        }
        if self.first == self.words.len() {
            self.words.push(0);
        }
        let word = &mut self.words[self.first];
        let bit = word.trailing_ones();
        *word |= 1 << bit;
        self.first as u32 * u64::BITS + bit
    }

    /// Frees a place that was taken.
    #[inline]
    fn free(&mut self, place: u32) {
        let index = (place / u64::BITS) as usize;
        if let Some(word) = self.words.get_mut(index) {
            *word &= !(1 << (place % u64::BITS));
            self.first = self.first.min(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_place_is_taken() {
        let mut places = Places::default();
        let taken: Vec<u32> = (0..200).map(|_| places.take()).collect();
        assert_eq!(taken, (0..200).collect::<Vec<_>>());
        for place in [150, 3, 199, 64] {
            places.free(place);
        }
        let again: Vec<u32> = (0..5).map(|_| places.take()).collect();
        assert_eq!(again, [3, 64, 150, 199, 200]);
    }
}

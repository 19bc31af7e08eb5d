//! The living Builders. [`Population`] assigns the numbered slots, stores the Builder of each, and records which
//! Builders are awake and when the others wake. The turns themselves are in `turn` and `jumper`.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event};
use crate::engine::observer::Observer;

/// The Builders by slot.
///
/// A Builder stays in its slot from its birth to its death; only its number moves between the sets below.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// Number of Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Number of Builders born so far; the next Builder's id.
    born: u32,
    /// The Builder of each slot; a free slot keeps the last Builder that died there.
    builders: Vec<Builder>,
    taken: SlotSet,
    /// No word of `taken` before this one has a free slot.
    first_free: usize,
    /// Slots of the awake Builders, so that they act in the order of their slots without being sorted.
    awake: SlotSet,
    /// Slots of the sleepers by the iteration in which they wake, the next iteration last; within an iteration, in
    /// order of birth. The list has few iterations, since the babies of a generation wake together.
    sleepers: Vec<(u32, Vec<u32>)>,
    /// An empty list whose allocation is reused for the next waking time.
    spare: Vec<u32>,
    /// Slots of babies of the current turn that are awake at once.
    awake_at_once: Vec<u32>,
}

/// Largest number of Builders for which memory is reserved before the growth.
const MOST_RESERVED: usize = 1024;

impl Population {
    /// Creates an empty population with memory for as many Builders as a dungeon of `squares` squares usually has, so
    /// that reallocations are rare.
    pub(super) fn for_squares(squares: u64) -> Self {
        let usual = usize::try_from(squares / 10).unwrap_or(usize::MAX);
        Self {
            builders: Vec::with_capacity(usual.min(MOST_RESERVED)),
            ..Self::default()
        }
    }

    /// Removes all Builders but keeps the allocations.
    pub(super) fn clear(&mut self) {
        (self.living, self.born, self.first_free) = (0, 0, 0);
        self.builders.clear();
        self.taken.words.clear();
        self.awake.words.clear();
        self.sleepers.clear();
        self.awake_at_once.clear();
    }

    /// Returns the id of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
    }

    /// Returns a copy of the Builder of a slot, for its turn.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<Builder> {
        self.builders.get(slot as usize).cloned()
    }

    /// Stores a Builder after its turn.
    #[inline]
    pub(super) fn set(&mut self, slot: u32, builder: Builder) {
        if let Some(entry) = self.builders.get_mut(slot as usize) {
            *entry = builder;
        }
    }

    /// Returns the first slot from `from` on whose Builder is awake.
    #[inline]
    pub(super) fn next_awake(&self, from: u32) -> Option<u32> {
        self.awake.first_present(from)
    }

    /// Reserves the lowest free slot for a Builder that is about to be born, and returns it.
    #[inline]
    pub(super) fn take_slot(&mut self) -> u32 {
        self.taken.insert_first(&mut self.first_free)
    }

    /// Stores a Builder in its slot. It sleeps until the iteration `wakes`, unless that is not after `now`.
    #[expect(clippy::inline_always, reason = "measured: otherwise the Builder is copied")]
    #[inline(always)]
    pub(super) fn add(&mut self, slot: u32, builder: Builder, wakes: u32, now: Option<u32>) {
        self.born = self.born.saturating_add(1);
        self.living += 1;
        // The lowest free slot is at most one past the end.
        match self.builders.get_mut(slot as usize) {
            Some(entry) => *entry = builder,
            None => self.builders.push(builder),
        }
        if now.is_some_and(|now| wakes <= now) {
            self.awake_at_once.push(slot);
        } else {
            self.sleepers_to(wakes).push(slot);
        }
    }

    /// Removes a Builder that died. Its slot is free for the next birth, even in the same iteration.
    pub(super) fn remove(&mut self, slot: u32) {
        self.living -= 1;
        self.awake.remove(slot);
        self.taken.remove(slot);
        self.first_free = self.first_free.min(SlotSet::split(slot).0);
    }

    /// Wakes the babies of a turn that are awake at once. Their slots are behind their parent's, so they act in this
    /// iteration.
    #[inline]
    pub(super) fn wake_newborn(&mut self, observer: &mut impl Observer) {
        if !self.awake_at_once.is_empty() {
            let mut slots = std::mem::take(&mut self.awake_at_once);
            self.wake_all(&mut slots, observer);
            self.awake_at_once = slots;
        }
    }

    /// Returns the slots of the Builders that sleep until `wakes`.
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

    /// Wakes the Builders that sleep until an iteration.
    pub(super) fn wake(&mut self, iteration: u32, observer: &mut impl Observer) {
        while self.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut slots)) = self.sleepers.pop()
        {
            self.wake_all(&mut slots, observer);
            self.spare = slots;
        }
    }

    fn wake_all(&mut self, slots: &mut Vec<u32>, observer: &mut impl Observer) {
        for slot in slots.drain(..) {
            if let Some(builder) = self.builders.get(slot as usize) {
                observer.event(Event::Woke { builder: builder.id });
            }
            self.awake.insert(slot);
        }
    }
}

/// A set of slots: a bit for each.
#[derive(Debug, Clone, Default)]
struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// Splits a slot into the index of its word and its bit.
    const fn split(slot: u32) -> (usize, u32) {
        ((slot / u64::BITS) as usize, slot % u64::BITS)
    }

    #[inline]
    fn insert(&mut self, slot: u32) {
        let (index, bit) = Self::split(slot);
        if index >= self.words.len() {
            self.words.resize(index + 1, 0);
        }
        self.words[index] |= 1 << bit;
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        let (index, bit) = Self::split(slot);
        if let Some(word) = self.words.get_mut(index) {
            *word &= !(1 << bit);
        }
    }

    /// Returns the first slot of the set from `from` on.
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

    /// Adds the lowest slot that is not in the set, and returns it. All words before `from` are full, before and after
    /// the call.
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
    fn the_lowest_free_slot_is_used() {
        let mut population = Population::default();
        let taken: Vec<u32> = (0..200).map(|_| population.take_slot()).collect();
        assert_eq!(taken, (0..200).collect::<Vec<_>>());
        population.living = 200;
        for slot in [150, 3, 199, 64] {
            population.remove(slot);
        }
        let again: Vec<u32> = (0..5).map(|_| population.take_slot()).collect();
        assert_eq!(again, [3, 64, 150, 199, 200]);
    }

    #[test]
    fn slots_are_found_across_words() {
        let mut set = SlotSet::default();
        assert_eq!(set.first_present(0), None);
        for slot in [0, 63, 64, 200] {
            set.insert(slot);
        }
        let found: Vec<_> = [0, 1, 64, 65, 200, 201, 1_000]
            .map(|from| set.first_present(from))
            .into();
        let expected = [Some(0), Some(63), Some(64), Some(200), Some(200), None, None];
        assert_eq!(found, expected);
        set.remove(63);
        assert_eq!(set.first_present(1), Some(64));
    }
}

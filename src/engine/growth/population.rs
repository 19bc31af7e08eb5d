//! The living Builders. [`Population`] stores the Builder of each numbered slot, and its [`Roster`] records which slots
//! are taken, which Builders are awake and when the sleeping ones wake. The turns themselves are in `turn` and
//! `jumper`.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event};
use crate::engine::observer::Observer;

/// The Builders by slot.
///
/// A Builder stays in its slot from its birth to its death; only the number of its slot moves between the sets of the
/// roster.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// The Builder of each slot; a free slot keeps the last Builder that died there. The list extends at least
    /// [`MOST_BABIES`] slots beyond the last taken one, so that births during a turn never reallocate the list.
    builders: Vec<Builder>,
    pub(super) roster: Roster,
}

/// The state of the slots: which slots are taken, which Builders are awake, and when the sleeping ones wake.
#[derive(Debug, Clone, Default)]
pub(super) struct Roster {
    /// Number of Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Number of Builders born so far; the next Builder's id.
    born: u32,
    taken: SlotSet,
    /// Index of a word of `taken`: no word before it has a free slot.
    first_free: usize,
    /// Slots of the awake Builders. The set is in slot order, which is the order in which the Builders act.
    awake: SlotSet,
    /// A copy of the word of `awake` that contains the acting Builder. The bits of Builders that have already acted in
    /// this iteration are cleared, so the lowest set bit is the acting Builder. 0 if no Builder is left to act.
    left: u64,
    /// Slot of bit 0 of `left`.
    left_from: u32,
    /// Slots of the sleeping Builders, grouped by the iteration in which they wake. The group that wakes next is last;
    /// within a group, the slots are in order of birth. There are few groups, since the babies of a generation wake
    /// together.
    sleepers: Vec<(u32, Vec<u32>)>,
    /// Index of the group of `sleepers` to which a Builder was last added: the next Builder often belongs to it as
    /// well.
    recent: usize,
    /// An empty list whose allocation is reused for the next new group.
    spare: Vec<u32>,
    /// Slots of the babies born in the current turn that are awake from birth.
    awake_at_once: Vec<u32>,
    /// Whether the births of the current turn leave work to do at its end: babies to wake, or entries to add to the
    /// population.
    is_pending: bool,
}

/// Maximum number of babies that a Builder spawns in one turn.
const MOST_BABIES: usize = 2;

/// Largest number of Builders for which memory is reserved before the growth.
const MOST_RESERVED: usize = 1024;

/// The population during a turn, without the Builder that acts.
#[derive(Debug)]
pub(super) struct Others<'a> {
    /// Entries of the slots before the acting Builder's slot. Their number equals that slot.
    before: &'a mut [Builder],
    /// Entries of the slots after the acting Builder's slot.
    behind: &'a mut [Builder],
    pub(super) roster: &'a mut Roster,
}

impl Others<'_> {
    /// Returns the slot of the Builder that acts.
    #[inline]
    pub(super) const fn slot(&self) -> u32 {
        self.before.len() as u32
    }

    /// Returns the entry of a slot, so that a baby can replace the Builder in it. `slot` must not be the acting
    /// Builder's.
    #[inline]
    pub(super) fn entry(&mut self, slot: u32) -> Option<&mut Builder> {
        let (slot, acting) = (slot as usize, self.before.len());
        if slot < acting {
            self.before.get_mut(slot)
        } else {
            self.behind.get_mut(slot - acting - 1)
        }
    }
}

impl Population {
    /// Creates an empty population with memory for as many Builders as a dungeon of `squares` squares usually has, so
    /// that reallocations are rare.
    pub(super) fn for_squares(squares: u64) -> Self {
        let usual = usize::try_from(squares / 10).unwrap_or(usize::MAX);
        Self {
            builders: Vec::with_capacity(usual.min(MOST_RESERVED)),
            roster: Roster::default(),
        }
    }

    /// Removes all Builders but keeps the allocations.
    pub(super) fn clear(&mut self) {
        self.roster.clear();
    }

    /// Splits the population for a turn: returns the Builder of `slot`, which acts, and all other Builders.
    #[inline]
    pub(super) fn acting(&mut self, slot: u32) -> Option<(&mut Builder, Others<'_>)> {
        let (before, rest) = self.builders.split_at_mut_checked(slot as usize)?;
        let (builder, behind) = rest.split_first_mut()?;
        let roster = &mut self.roster;
        let others = Others { before, behind, roster };
        Some((builder, others))
    }

    /// Adds a first Builder in the lowest free slot. It sleeps until the iteration `wakes`.
    pub(super) fn add_first(&mut self, builder: Builder, wakes: u32) {
        let slot = self.roster.take_slot();
        self.add_entries();
        if let Some(entry) = self.builders.get_mut(slot as usize) {
            *entry = builder;
        }
        self.roster.add(slot, wakes, None);
    }

    /// Ends a turn, and returns whether another Builder acts in this iteration. A baby that is awake
    /// from birth also acts in this iteration, because only babies in slots after their parent's are awake from birth.
    #[inline]
    pub(super) fn end_turn(&mut self, observer: &mut impl Observer) -> bool {
        if self.roster.is_pending {
            self.complete_births(observer);
        }
        self.roster.next_turn()
    }

    #[cold]
    #[inline(never)]
    fn complete_births(&mut self, observer: &mut impl Observer) {
        self.add_entries();
        let mut slots = std::mem::take(&mut self.roster.awake_at_once);
        for slot in &slots {
            self.roster.left |= self.roster.bit_of_turn(*slot);
        }
        self.wake_all(&mut slots, observer);
        self.roster.awake_at_once = slots;
        self.roster.is_pending = false;
    }

    /// Makes sure that the slots that may be taken next have entries.
    fn add_entries(&mut self) {
        let end = self.roster.taken.end() + MOST_BABIES;
        if self.builders.len() < end {
            self.builders.resize_with(end, Builder::default);
        }
    }

    /// Wakes the Builders that sleep until `iteration` or an earlier one.
    pub(super) fn wake(&mut self, iteration: u32, observer: &mut impl Observer) {
        while self.roster.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut slots)) = self.roster.sleepers.pop()
        {
            self.wake_all(&mut slots, observer);
            self.roster.spare = slots;
        }
    }

    fn wake_all(&mut self, slots: &mut Vec<u32>, observer: &mut impl Observer) {
        for slot in slots.drain(..) {
            if let Some(builder) = self.builders.get(slot as usize) {
                observer.event(Event::Woke { builder: builder.id });
            }
            self.roster.awake.insert(slot);
        }
    }
}

impl Roster {
    fn clear(&mut self) {
        (self.living, self.born, self.first_free) = (0, 0, 0);
        self.taken.words.clear();
        self.awake.words.clear();
        self.sleepers.clear();
        self.awake_at_once.clear();
        (self.left, self.is_pending) = (0, false);
    }

    /// Returns the id of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
    }

    /// Returns the slot of the Builder whose turn it is; `None` if none is awake.
    #[inline]
    pub(super) const fn acting(&self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        Some(self.left_from + self.left.trailing_zeros())
    }

    /// Selects the first awake Builder as the next to act.
    pub(super) fn first_turn(&mut self) {
        self.turns_from(0);
    }

    /// Selects the next awake Builder to act, and returns whether there is one.
    #[inline]
    fn next_turn(&mut self) -> bool {
        self.left &= self.left.wrapping_sub(1);
        if self.left == 0 {
            self.turns_from(self.left_from / u64::BITS + 1);
        }
        self.left != 0
    }

    /// Selects the first awake Builder in the words of `awake` from index `first` on.
    fn turns_from(&mut self, first: u32) {
        let mut words = (first..).zip(self.awake.words.iter().skip(first as usize));
        let (index, word) = words.find(|(_, word)| **word != 0).unwrap_or((first, &0));
        (self.left_from, self.left) = (index * u64::BITS, *word);
    }

    /// Returns a mask with the bit of a slot in `left`; 0 if the slot belongs to another word.
    fn bit_of_turn(&self, slot: u32) -> u64 {
        let bit = slot.wrapping_sub(self.left_from);
        1_u64.checked_shl(bit).unwrap_or(0)
    }

    /// Reserves the lowest free slot for a Builder that is about to be born, and returns it.
    #[inline]
    pub(super) fn take_slot(&mut self) -> u32 {
        let words = &mut self.taken.words;
        while words.get(self.first_free).is_some_and(|word| *word == u64::MAX) {
            self.first_free += 1;
        }
        if self.first_free == words.len() {
            words.push(0);
            self.is_pending = true;
        }
        let word = &mut words[self.first_free];
        let bit = word.trailing_ones();
        *word |= 1 << bit;
        self.first_free as u32 * u64::BITS + bit
    }

    /// Adds the Builder that was born in a slot. It sleeps until the iteration `wakes`; if `wakes` is not after `now`,
    /// it is awake from birth.
    #[inline]
    pub(super) fn add(&mut self, slot: u32, wakes: u32, now: Option<u32>) {
        self.born = self.born.saturating_add(1);
        self.living += 1;
        if now.is_some_and(|now| wakes <= now) {
            self.awake_at_once.push(slot);
            self.is_pending = true;
        } else {
            self.sleepers_to(wakes).push(slot);
        }
    }

    /// Removes a Builder that died. Its slot is free for the next birth, even in the same iteration.
    #[inline]
    pub(super) fn remove(&mut self, slot: u32) {
        self.living -= 1;
        self.awake.remove(slot);
        self.taken.remove(slot);
        self.first_free = self.first_free.min(SlotSet::split(slot).0);
    }

    /// Returns the slots of the Builders that sleep until `wakes`.
    #[inline]
    fn sleepers_to(&mut self, wakes: u32) -> &mut Vec<u32> {
        if self
            .sleepers
            .get(self.recent)
            .is_none_or(|(iteration, _)| *iteration != wakes)
        {
            self.find_sleepers(wakes);
        }
        &mut self.sleepers[self.recent].1
    }

    /// Sets `recent` to the group of Builders that sleep until `wakes`, and inserts this group if it does not exist.
    #[inline(never)]
    fn find_sleepers(&mut self, wakes: u32) {
        let lists = &self.sleepers;
        let found = lists.iter().position(|(iteration, _)| *iteration <= wakes);
        self.recent = found.unwrap_or(lists.len());
        let found = self.sleepers.get(self.recent);
        if found.is_none_or(|(iteration, _)| *iteration != wakes) {
            self.sleepers
                .insert(self.recent, (wakes, std::mem::take(&mut self.spare)));
        }
    }

    /// Returns the next iteration in which a Builder wakes; `None` if no Builder sleeps.
    pub(super) fn first_waking(&self) -> Option<u32> {
        self.sleepers.last().map(|(iteration, _)| *iteration)
    }
}

/// A set of slots, stored as one bit per slot.
#[derive(Debug, Clone, Default)]
struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// Splits a slot into the index of its word and its bit.
    const fn split(slot: u32) -> (usize, u32) {
        ((slot / u64::BITS) as usize, slot % u64::BITS)
    }

    /// Returns the number of slots up to the end of the last word.
    const fn end(&self) -> usize {
        self.words.len() * u64::BITS as usize
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_slot_is_used() {
        let mut roster = Roster::default();
        let taken: Vec<u32> = (0..200).map(|_| roster.take_slot()).collect();
        assert_eq!(taken, (0..200).collect::<Vec<_>>());
        roster.living = 200;
        for slot in [150, 3, 199, 64] {
            roster.remove(slot);
        }
        let again: Vec<u32> = (0..5).map(|_| roster.take_slot()).collect();
        assert_eq!(again, [3, 64, 150, 199, 200]);
    }

    #[test]
    fn awake_builders_act_in_the_order_of_their_slots() {
        let mut roster = Roster::default();
        let turns = |roster: &mut Roster| {
            roster.first_turn();
            let mut slots: Vec<u32> = roster.acting().into_iter().collect();
            while roster.next_turn() {
                slots.extend(roster.acting());
            }
            slots
        };
        assert!(turns(&mut roster).is_empty());
        for slot in [0, 63, 64, 200] {
            roster.awake.insert(slot);
        }
        assert_eq!(turns(&mut roster), [0, 63, 64, 200]);
        roster.awake.remove(63);
        assert_eq!(turns(&mut roster), [0, 64, 200]);
    }
}

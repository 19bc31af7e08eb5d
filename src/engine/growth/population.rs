//! The Builders that are alive but not at work: sleepers, and how many live in all.

use super::builder::Builder;
use crate::engine::event::{BuilderId, Event, Observer};

/// Who lives, apart from those at work.
#[derive(Debug, Clone, Default)]
pub(super) struct Population {
    /// Builders alive, awake or asleep.
    pub(super) living: usize,
    /// Builders ever born.
    born: u32,
    /// Sleepers by the iteration in which they wake, the next to wake at the end; those of one iteration in the
    /// order of their birth. Few iterations are in it at a time: the babies of a generation wake together.
    sleepers: Vec<(u32, Vec<Builder>)>,
    /// An empty list that has grown already, for the next iteration that somebody sleeps to.
    spare: Vec<Builder>,
    /// Babies of the turn under way that are awake at once.
    awake_at_once: Vec<Builder>,
}

impl Population {
    /// The number of the next Builder to be born.
    pub(super) const fn next_id(&self) -> BuilderId {
        BuilderId(self.born)
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

    /// The next iteration in which somebody wakes.
    pub(super) fn first_waking(&self) -> Option<u32> {
        self.sleepers.last().map(|(iteration, _)| *iteration)
    }

    /// Babies that are awake at once act behind all others.
    pub(super) fn join_at_once(&mut self, awake: &mut Vec<Builder>, observer: &mut impl Observer) {
        if !self.awake_at_once.is_empty() {
            join(awake, &mut self.awake_at_once, observer);
        }
    }

    /// Those whose time has come join the others, all in the order of their birth.
    pub(super) fn wake(&mut self, iteration: u32, awake: &mut Vec<Builder>, observer: &mut impl Observer) {
        let before = awake.len();
        while self.first_waking().is_some_and(|first| first <= iteration)
            && let Some((_, mut sleepers)) = self.sleepers.pop()
        {
            join(awake, &mut sleepers, observer);
            self.spare = sleepers;
        }
        if before < awake.len() {
            awake.sort_by_key(|builder| builder.id);
        }
    }
}

fn join(awake: &mut Vec<Builder>, newcomers: &mut Vec<Builder>, observer: &mut impl Observer) {
    for builder in newcomers.iter() {
        observer.event(Event::Woke { builder: builder.id });
    }
    awake.append(newcomers);
}

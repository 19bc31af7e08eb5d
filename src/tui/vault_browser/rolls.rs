//! The rolls that have come: what became of the selected map from some seeds.

use std::ops::Range;
use std::sync::Arc;

use crate::background::RunId;
use crate::vault::lua::ResolveOutcome;
use crate::vault::{Library, MapId, ResolvedMap};

/// The rolls of the last order, or of the one before while nothing has come of it.
#[derive(Debug, Default)]
pub(super) struct RolledMaps {
    of: Option<(Arc<Library>, MapId)>,
    run: Option<RunId>,
    wanted: Range<u64>,
    /// The seeds of those that are shown.
    seeds: Range<u64>,
    outcomes: Vec<Option<ResolveOutcome>>,
    waiting: bool,
}

impl RolledMaps {
    /// Expects the rolls of a map. Those of the same map before are shown until one has come.
    pub(super) fn expect(&mut self, library: &Arc<Library>, map: MapId, seeds: Range<u64>) {
        let same = self
            .of
            .as_ref()
            .is_some_and(|(of, other)| Arc::ptr_eq(of, library) && *other == map);
        if !same {
            self.outcomes.clear();
            self.seeds = seeds.clone();
        }
        self.of = Some((Arc::clone(library), map));
        (self.wanted, self.run, self.waiting) = (seeds, None, true);
    }

    /// Expects nothing.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes the number of the order.
    pub(super) const fn ordered(&mut self, run: RunId) {
        self.run = Some(run);
    }

    /// Takes a roll, unless it is one of an older order.
    pub(super) fn take(&mut self, run: RunId, index: usize, outcome: ResolveOutcome) {
        if self.run != Some(run) {
            return;
        }
        if self.seeds != self.wanted || index == 0 {
            self.seeds = self.wanted.clone();
            self.outcomes.clear();
            self.outcomes.resize((self.seeds.end - self.seeds.start) as usize, None);
        }
        if let Some(place) = self.outcomes.get_mut(index) {
            *place = Some(outcome);
        }
        self.waiting = self.outcomes.iter().any(Option::is_none);
    }

    /// Notes that nothing more will come of an order; whether it was the last one.
    pub(super) fn done(&mut self, run: RunId) -> bool {
        let last = self.run == Some(run);
        self.waiting &= !last;
        last
    }

    /// Whether something is still to come.
    pub(super) const fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// What has come, each with its seed.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, Option<&ResolveOutcome>)> {
        self.seeds.clone().zip(self.outcomes.iter().map(Option::as_ref))
    }

    /// The first roll, if it has come.
    pub(super) fn first(&self) -> Option<&ResolveOutcome> {
        self.outcomes.first()?.as_ref()
    }
}

/// The grid that a roll ended with, sound or not.
pub(super) fn grid(outcome: &ResolveOutcome) -> Option<&ResolvedMap> {
    match outcome {
        ResolveOutcome::Resolved(resolved) | ResolveOutcome::Invalid(resolved) => Some(resolved),
        ResolveOutcome::Vetoed | ResolveOutcome::Failed(_) => None,
    }
}

/// What is wrong with a roll, in words; none where it is sound.
pub(super) fn trouble(outcome: &ResolveOutcome) -> Option<String> {
    match outcome {
        ResolveOutcome::Resolved(_) => None,
        ResolveOutcome::Invalid(resolved) => Some(format!(
            "failed its own validation in {} tries; this is the last",
            resolved.origin.tries
        )),
        ResolveOutcome::Vetoed => Some("vetoes itself at this place".into()),
        ResolveOutcome::Failed(failure) => Some(failure.to_string()),
    }
}

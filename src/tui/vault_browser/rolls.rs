//! The rolls received so far. A roll is the result of resolving the selected map from one seed.

use std::ops::Range;
use std::sync::Arc;

use crate::background::Ticket;
use crate::tui::jobs::JobHandle;
use crate::vault::lua::ResolveOutcome;
use crate::vault::{Library, MapId, ResolvedMap};

/// The rolls of the latest request. Until its first roll arrives, the rolls of the previous request for the same map
/// are shown.
#[derive(Debug, Default)]
pub(super) struct RolledMaps {
    of: Option<(Arc<Library>, MapId)>,
    job: Option<JobHandle>,
    wanted: Range<u64>,
    /// The seeds of the shown rolls.
    seeds: Range<u64>,
    outcomes: Vec<Option<ResolveOutcome>>,
    waiting: bool,
}

impl RolledMaps {
    /// Records a request for rolls of a map. Earlier rolls of the same map stay visible until the first requested roll
    /// arrives.
    pub(super) fn expect(&mut self, job: JobHandle, library: &Arc<Library>, map: MapId, seeds: Range<u64>) {
        let same = self
            .of
            .as_ref()
            .is_some_and(|(of, other)| Arc::ptr_eq(of, library) && *other == map);
        if !same {
            self.outcomes.clear();
            self.seeds = seeds.clone();
        }
        self.of = Some((Arc::clone(library), map));
        (self.wanted, self.job, self.waiting) = (seeds, Some(job), true);
    }

    /// Clears all rolls and drops the request.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Stores a roll, unless it belongs to an older request.
    pub(super) fn receive(&mut self, ticket: &Ticket, index: usize, outcome: ResolveOutcome) {
        if self.job.as_ref().is_none_or(|job| !job.has(ticket)) {
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

    /// Records that a request is complete; returns whether it was the latest request.
    pub(super) fn done(&mut self, ticket: &Ticket) -> bool {
        let last = self.job.take_if(|job| job.has(ticket)).is_some();
        self.waiting &= !last;
        last
    }

    /// Returns whether any requested roll has not arrived yet.
    pub(super) const fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// Returns the shown rolls with their seeds; `None` for rolls not received yet.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, Option<&ResolveOutcome>)> {
        self.seeds.clone().zip(self.outcomes.iter().map(Option::as_ref))
    }

    /// Returns the first roll if it was received.
    pub(super) fn first(&self) -> Option<&ResolveOutcome> {
        self.outcomes.first()?.as_ref()
    }
}

/// Returns the resolved map of a roll, valid or not; `None` if the roll yields no map.
pub(super) fn grid(outcome: &ResolveOutcome) -> Option<&ResolvedMap> {
    match outcome {
        ResolveOutcome::Resolved(resolved) | ResolveOutcome::Invalid(resolved) => Some(resolved),
        ResolveOutcome::Vetoed | ResolveOutcome::Failed(_) => None,
    }
}

/// Describes what is wrong with a roll; `None` if it is valid.
pub(super) fn describe_failure(outcome: &ResolveOutcome) -> Option<String> {
    match outcome {
        ResolveOutcome::Resolved(_) => None,
        ResolveOutcome::Invalid(resolved) => Some(format!(
            "failed its own validation in all {} tries; the last try is shown",
            resolved.origin.tries
        )),
        ResolveOutcome::Vetoed => Some("the map rejects this level".into()),
        ResolveOutcome::Failed(failure) => Some(failure.to_string()),
    }
}

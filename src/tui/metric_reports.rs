//! What [`super::metrics`] reports to the Expect panel and the views.

use crate::analysis::Outcome;
use crate::background::{JobError, MetricsReply};
use crate::design::expect::ExpectationError;

/// The latest metrics of the dungeon shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct LatestMetrics<'a> {
    /// The turn after which the dungeon was measured.
    pub turn: u64,
    /// Whether the metrics are those of the moment shown.
    pub is_current: bool,
    /// The metrics, or why there are none.
    pub reply: Result<&'a MetricsReply, &'a JobError>,
}

/// The state of an expectation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExpectationReport {
    /// Whether the expectation holds in the dungeon shown.
    pub here: ExpectationState,
    /// Whether the expectation holds over many seeds; `None` if there is no check over seeds.
    pub over_seeds: Option<SeedVerdict>,
}

/// The verdict on an expectation at the end of the run.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExpectationState {
    /// The expectation has a syntax error, or names something that the design lacks.
    Wrong(ExpectationError),
    /// The run has not ended, or its end has not been measured yet.
    NotYet,
    /// The expectation is about many dungeons, so one dungeon yields no verdict. Contains the metric values in this
    /// dungeon if the condition applies to each dungeon, otherwise an empty string.
    OverSeeds(String),
    /// The expectation holds; contains the metric values.
    Holds(String),
    /// The expectation does not hold; contains the metric values.
    Fails(String),
}

/// The verdict on an expectation over the seeds grown so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeedVerdict {
    /// The outcome over the seeds grown so far; `None` before the first dungeon.
    pub outcome: Option<Outcome>,
    /// The verdict in words.
    pub text: String,
}

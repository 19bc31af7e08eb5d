//! Reports of the metrics to the Expect panel and the views.

use crate::analysis::Outcome;
use crate::background::{JobError, MetricsReply};
use crate::design::expect::ExpectationError;

/// The latest metrics of the dungeon shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct LatestMetrics<'a> {
    /// The turn after which the dungeon was measured.
    pub turn: u64,
    /// Whether that is the moment shown.
    pub is_current: bool,
    /// The metrics, or why there are none.
    pub reply: Result<&'a MetricsReply, &'a JobError>,
}

/// The state of an expectation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ExpectationReport {
    /// Whether it holds in the dungeon shown.
    pub here: ExpectationState,
    /// Whether it holds over the seeds checked; `None` if they are not checked.
    pub over_seeds: Option<SeedVerdict>,
}

/// The verdict on an expectation at the end of the run.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExpectationState {
    /// It has a syntax error, or names something that the design lacks.
    Wrong(ExpectationError),
    /// The run is not over, or not measured yet.
    NotYet,
    /// It is about many dungeons; contains the values of its metrics in this dungeon if it applies to each dungeon.
    OverSeeds(String),
    /// It holds; contains the metric values.
    Holds(String),
    /// It does not hold; contains the metric values.
    Fails(String),
}

/// The verdict on an expectation over all seeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeedVerdict {
    /// The outcome over the seeds grown so far; `None` before the first dungeon.
    pub outcome: Option<Outcome>,
    /// The verdict in words.
    pub text: String,
}

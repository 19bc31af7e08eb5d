//! State of the wall frequency on the map: how often each square is a wall over many seeds.

use std::sync::Arc;

use crate::analysis::{WallFrequency, WallFrequencySummary};
use crate::design::Design;
use crate::tui::jobs::JobHandle;

/// The state of the job that counts walls, and its result.
#[derive(Debug, Default)]
pub(in crate::tui) struct WallFrequencyState {
    /// The design for which walls are counted, as returned by [`Design::measured`].
    pub(in crate::tui) kernel: Option<Design>,
    /// The document's revision when `kernel` was last compared with the document.
    pub(in crate::tui) revision: Option<u64>,
    /// The counting job in progress, if any.
    pub(in crate::tui) count: Option<JobHandle>,
    pub(in crate::tui) counted: Option<(Arc<WallFrequency>, WallFrequencySummary)>,
    /// Whether the counting job failed.
    pub(in crate::tui) broken: bool,
}

impl WallFrequencyState {
    /// Marks the result as outdated, because the vaults may have changed.
    pub(in crate::tui) fn forget(&mut self) {
        (self.kernel, self.revision) = (None, None);
    }
}

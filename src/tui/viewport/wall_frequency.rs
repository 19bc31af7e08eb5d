//! State of the wall frequency on the map: how often each square is a wall over many seeds.

use std::sync::Arc;

use crate::analysis::{WallFrequency, WallFrequencySummary};
use crate::design::Design;
use crate::tui::jobs::JobHandle;

/// The state of the count.
#[derive(Debug, Default)]
pub(in crate::tui) struct WallFrequencyState {
    /// The design for which walls are counted, as returned by [`Design::measured`].
    pub(in crate::tui) kernel: Option<Design>,
    /// The document's revision when `kernel` was last compared with the document.
    pub(in crate::tui) revision: Option<u64>,
    /// The count in progress, if any.
    pub(in crate::tui) count: Option<JobHandle>,
    pub(in crate::tui) counted: Option<(Arc<WallFrequency>, WallFrequencySummary)>,
    /// Whether the count failed because of a bug.
    pub(in crate::tui) broken: bool,
}

impl WallFrequencyState {
    /// Marks the count as outdated, because the vaults may have changed.
    pub(in crate::tui) fn forget(&mut self) {
        (self.kernel, self.revision) = (None, None);
    }
}

//! The subject of the Inspect view: a square, or a Builder on it.

use crate::engine::BuilderId;
use crate::geometry::Point;

/// The inspected subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InspectSubject {
    /// Inspected square.
    pub at: Point,
    /// The followed Builder; if there is none, the Builder that laid the square's tile or, failing that, a Builder on
    /// the square.
    pub builder: Option<BuilderId>,
    /// The turn in which the tile was laid, if a Builder laid it.
    pub laid: Option<u64>,
}

//! The subject of the Inspect view: a square, or a Builder at it.

use crate::engine::BuilderId;
use crate::geometry::Point;

/// The inspected subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InspectSubject {
    /// Inspected square.
    pub at: Point,
    /// Builder that laid its tile, or that is on it.
    pub builder: Option<BuilderId>,
    /// Turn in which the tile was laid.
    pub laid: Option<u64>,
}

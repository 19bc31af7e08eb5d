//! Requests from the control socket that are answered later.

use crate::background::{ControlReply, DungeonArgs};
use crate::geometry::Point;

/// A request that is answered once the designer is ready for it.
#[derive(Debug)]
pub(super) struct WaitingRequest {
    pub(super) reply: ControlReply,
    pub(super) until: WaitingFor,
}

/// What a request waits for.
#[derive(Debug)]
pub(super) enum WaitingFor {
    /// The end of growth; the reply contains these warnings.
    Growth(Vec<String>),
    /// A design that can be grown, for a request with these arguments.
    Design(DungeonArgs),
    /// The explanation of a square in the Inspect view.
    Square(Point),
}

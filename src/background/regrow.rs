//! Grows the discarded segments of a recording again, on a separate thread.

use super::job::{Cancelled, Job, JobCx};
use crate::recording::{RegrowRequest, RegrownSegments};

impl Job for RegrowRequest {
    const NAME: &'static str = "regrowth";
    type Memory = ();
    type Reply = RegrownSegments;

    fn run(self, (): &mut (), cx: &JobCx<'_, RegrownSegments>) -> Result<(), Cancelled> {
        cx.send(Self::run(&self, || !cx.is_cancelled()).ok_or(Cancelled)?)
    }
}

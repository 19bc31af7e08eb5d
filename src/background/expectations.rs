//! Checks a design's expectations in the background, by growing the design from many seeds.
//!
//! One core is left to the interface. An edit that affects the result cancels the running check.

use std::time::Duration;

use super::job::{Cancelled, Job, JobCx};
use super::survey::{Pace, SeedSurvey};
use crate::analysis::{MetricSample, MetricValue, expectations};
use crate::document::SeededDesign;
use crate::engine::Options;

/// Time during which results are gathered into one message.
const GATHER: Duration = Duration::from_millis(60);

/// An expectation check over a seed range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationRequest {
    /// The design; its expectations determine which metrics are measured.
    pub seeded: SeededDesign,
    /// Engine options of the growths.
    pub options: Options,
    /// Number of seeds to measure; the seeds count up from 0.
    pub seeds: u64,
}

/// A reply to an [`ExpectationRequest`].
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectationReply {
    /// Seeds in ascending order, each with the values of the metrics in the design's expectations (see
    /// [`MetricSample::values_of`]); `None` for a seed from which no dungeon could be grown.
    Seeds(Vec<(u64, Option<Vec<MetricValue>>)>),
    /// All seeds have been measured.
    Done,
}

impl Job for ExpectationRequest {
    const NAME: &'static str = "expectations";
    type Memory = ();
    type Reply = ExpectationReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, ExpectationReply>) -> Result<(), Cancelled> {
        let expected = expectations(self.seeded.design());
        let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
        let mut gathered = Vec::new();
        let mut pace = Pace::new(GATHER);
        SeedSurvey::in_background(vec![self.seeded], self.options).run_while(
            self.seeds,
            || !cx.is_cancelled(),
            |seed| (0, seed),
            |_, metrics| sample.values_of(metrics),
            |seed, values| {
                gathered.push((seed, values));
                if pace.is_due() {
                    cx.send(ExpectationReply::Seeds(std::mem::take(&mut gathered)))?;
                }
                Ok(())
            },
        )?;
        cx.send(ExpectationReply::Seeds(gathered))?;
        cx.send(ExpectationReply::Done)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::presets::Preset;

    #[test]
    fn a_check_agrees_with_a_survey_in_the_order_of_the_seeds() {
        let design = Arc::new(Preset::find("ammonite").unwrap().design());
        let expected = expectations(&design);
        let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
        let seeded = SeededDesign::new(design, std::path::PathBuf::new(), None);
        let check = ExpectationRequest {
            seeded: seeded.clone(),
            options: Options::default(),
            seeds: 20,
        };
        let mut replies = run_inline(check, &mut (), &Ticket::new());
        assert_eq!(replies.pop(), Some(ExpectationReply::Done));
        let seeds = replies.into_iter().flat_map(|reply| match reply {
            ExpectationReply::Seeds(seeds) => seeds,
            ExpectationReply::Done => panic!("it ends twice"),
        });
        let mut surveyed = Vec::new();
        SeedSurvey::new(seeded, Options::default()).run(
            20,
            |number| number,
            |_, metrics| sample.values_of(metrics),
            |seed, values| {
                surveyed.push((seed, values));
                ControlFlow::Continue(())
            },
        );
        assert_eq!(seeds.collect::<Vec<_>>(), surveyed);
    }
}

//! Trials of design variants: every variant is grown from the same seeds, and its dungeons are measured. The designer
//! runs trials on all cores but one, which is left to the interface.
//!
//! Results arrive in the order of the request.

use std::time::Duration;

use super::background_threads;
use super::job::{Cancelled, Job, JobCx};
use super::survey::{Pace, SeedSurvey, rounds};
use crate::analysis::MetricParts;
use crate::analysis::tune::TrialMetrics;
use crate::design::expect::Metric;
use crate::document::SeededDesign;
use crate::engine::Options;

/// Shortest time between two replies; the results that arrive in between are sent together.
const GATHER: Duration = Duration::from_millis(40);

/// A request to grow and measure variants of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialRequest {
    /// The variants of the design.
    pub variants: Vec<SeededDesign>,
    /// Seeds from which the variants are grown.
    pub seeds: Vec<u64>,
    /// Pairs of an index into `variants` and an index into `seeds`, in the order in which they are tried.
    pub order: Vec<(usize, usize)>,
    /// Metrics to measure in each dungeon.
    pub metrics: Vec<Metric>,
    /// The groups of metrics to compute: those to which `metrics` belong, and those that [`Self::with_parts`] added to
    /// detect anomalies or local patterns.
    pub parts: MetricParts,
    /// Engine options with which the dungeons grow.
    pub options: Options,
}

impl TrialRequest {
    /// Creates a request to try every variant with every seed. It computes only the parts that `metrics` need, and so
    /// detects only the anomalies that these parts reveal.
    pub fn all(variants: Vec<SeededDesign>, seeds: Vec<u64>, metrics: Vec<Metric>, options: Options) -> Self {
        Self {
            order: rounds(variants.len(), seeds.len()),
            variants,
            seeds,
            parts: MetricParts::of_all(metrics.iter().copied()),
            metrics,
            options,
        }
    }

    /// Adds groups of metrics to compute, in order to detect further anomalies or local patterns.
    #[must_use]
    pub fn with_parts(mut self, parts: MetricParts) -> Self {
        self.parts = self.parts.and(parts);
        self
    }

    /// Grows and measures all pairs on `threads` threads. `receive` is called with the results in order. The trials end
    /// early when `is_wanted` returns false.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the trials ended early.
    pub fn measure(
        &self,
        threads: usize,
        is_wanted: impl Fn() -> bool + Sync,
        mut receive: impl FnMut(TrialResult) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let survey = SeedSurvey {
            variants: self.variants.clone(),
            options: self.options,
            threads,
            parts: self.parts,
        };
        let pair = |number: u64| self.order[number as usize];
        survey.run_while(
            self.order.len() as u64,
            is_wanted,
            |number| (pair(number).0, self.seeds[pair(number).1]),
            |_, metrics| TrialMetrics::of(metrics, &self.metrics, self.parts),
            |number, reading| {
                let (variant, seed) = pair(number);
                receive(TrialResult { variant, seed, reading })
            },
        )
    }
}

/// Result of growing one variant from one seed.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialResult {
    /// Index into [`TrialRequest::variants`].
    pub variant: usize,
    /// Index into [`TrialRequest::seeds`].
    pub seed: usize,
    /// Measured values; `None` if the variant cannot be grown from the seed.
    pub reading: Option<TrialMetrics>,
}

/// A reply to a [`TrialRequest`].
#[derive(Debug)]
pub enum TrialReply {
    /// The results since the last reply, in order.
    Outcomes(Vec<TrialResult>),
    /// All pairs have been tried.
    Done,
}

impl Job for TrialRequest {
    const NAME: &'static str = "trials";
    type Memory = ();
    type Reply = TrialReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, TrialReply>) -> Result<(), Cancelled> {
        let mut gathered = Vec::new();
        let mut pace = Pace::new(GATHER);
        self.measure(
            background_threads(),
            || !cx.is_cancelled(),
            |result| {
                gathered.push(result);
                if pace.is_due() {
                    cx.send(TrialReply::Outcomes(std::mem::take(&mut gathered)))?;
                }
                Ok(())
            },
        )?;
        cx.send(TrialReply::Outcomes(gathered))?;
        cx.send(TrialReply::Done)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::design::expect::DungeonMetric;
    use crate::design::{CrawlerStart, Design};
    use crate::geometry::{Point, Size};

    fn hall(max_age: i32) -> SeededDesign {
        let mut design = Design::default();
        design.layout.size = Size::new(40, 40);
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, 20),
            ..CrawlerStart::default()
        });
        design.character.generations[0].max_age = max_age;
        SeededDesign::new(std::sync::Arc::new(design), std::path::PathBuf::new(), None)
    }

    fn trials() -> TrialRequest {
        let metrics = vec![
            Metric::Plain(DungeonMetric::Path),
            Metric::Plain(DungeonMetric::DeadEnds),
        ];
        TrialRequest::all(
            vec![hall(3), hall(10), hall(20)],
            (0..12).collect(),
            metrics,
            Options::default(),
        )
    }

    #[test]
    fn results_of_each_variant_agree_with_a_survey_of_it_alone() {
        assert_agreement_with_surveys(&trials());
        assert_agreement_with_surveys(&trials().with_parts(MetricParts::ANOMALIES));
    }

    fn assert_agreement_with_surveys(trials: &TrialRequest) {
        let mut found = vec![vec![None; 12]; 3];
        for threads in [1, 3] {
            let record = |tried: TrialResult| {
                found[tried.variant][tried.seed] = tried.reading;
                Ok(())
            };
            trials.measure(threads, || true, record).unwrap();
            for (variant, found) in trials.variants.iter().zip(&found) {
                let mut alone = Vec::new();
                SeedSurvey::new(variant.clone(), Options::default()).run(
                    12,
                    |seed| seed,
                    |_, metrics| TrialMetrics::of(metrics, &trials.metrics, trials.parts),
                    |_, reading| {
                        alone.push(reading);
                        ControlFlow::Continue(())
                    },
                );
                assert_eq!(*found, alone);
            }
        }
        assert!(found[0] != found[1] && found[1] != found[2], "MaxAge has no effect");
    }

    #[test]
    fn results_come_in_the_order_of_the_request() {
        let mut replies = run_inline(trials(), &mut (), &Ticket::new());
        assert!(matches!(replies.pop(), Some(TrialReply::Done)));
        let outcomes = replies.into_iter().flat_map(|reply| match reply {
            TrialReply::Outcomes(outcomes) => outcomes,
            TrialReply::Done => panic!("it ends twice"),
        });
        let order: Vec<_> = outcomes.map(|tried| (tried.variant, tried.seed)).collect();
        assert_eq!(order, trials().order);
        assert_eq!(order[7..9], [(0, 7), (1, 0)]);
    }
}

//! Trials of design variants: each is grown from the same seeds and measured, on all cores but the one that is left
//! to the interface.
//!
//! Results come in the order of the request. A new request cancels the one under way.

use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::job::Cancelled;
use super::survey::{Pace, SeedSurvey, rounds};
use super::worker::{JobContext, RunId, Worker};
use super::{Message, background_threads};
use crate::analysis::tune::TrialMetrics;
use crate::design::expect::Metric;
use crate::document::SeededDesign;
use crate::engine::Options;

/// Time over which results are gathered into one message.
const GATHER: Duration = Duration::from_millis(40);

/// Variants of a design to be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialRequest {
    /// The variants of the design.
    pub variants: Vec<SeededDesign>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Pairs of an index into `variants` and an index into `seeds`, in the order in which they are tried.
    pub order: Vec<(usize, usize)>,
    /// Metrics to measure in each dungeon.
    pub figures: Vec<Metric>,
    /// Engine options of the growths.
    pub options: Options,
}

impl TrialRequest {
    /// Creates a request for every variant with every seed.
    pub fn all(variants: Vec<SeededDesign>, seeds: Vec<u64>, figures: Vec<Metric>, options: Options) -> Self {
        Self {
            order: rounds(variants.len(), seeds.len()),
            variants,
            seeds,
            figures,
            options,
        }
    }

    /// Grows and measures all pairs on `threads` threads; `receive` gets the results in order. Ends early when
    /// `is_wanted` returns false.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if it ended early.
    pub fn run(
        &self,
        threads: usize,
        is_wanted: impl Fn() -> bool + Sync,
        mut receive: impl FnMut(TrialResult) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        let survey = SeedSurvey {
            variants: self.variants.clone(),
            options: self.options,
            threads,
        };
        let pair = |number: u64| self.order[number as usize];
        survey.run_while(
            self.order.len() as u64,
            is_wanted,
            |number| (pair(number).0, self.seeds[pair(number).1]),
            |_, metrics| TrialMetrics::of(metrics, &self.figures),
            |number, reading| {
                let (variant, seed) = pair(number);
                receive(TrialResult { variant, seed, reading })
            },
        )
    }
}

/// Result of one variant with one seed.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialResult {
    /// Index of the variant.
    pub variant: usize,
    /// Index of the seed.
    pub seed: usize,
    /// Measured values; `None` if nothing could be grown.
    pub reading: Option<TrialMetrics>,
}

/// A reply of the trial service.
#[derive(Debug)]
pub enum TrialReply {
    /// Some results, in order.
    Outcomes(Vec<TrialResult>),
    /// All pairs have been tried.
    Done,
    /// The thread panicked with this message.
    Broken(String),
}

/// The thread of the trials, with helper threads of its own. Dropping it cancels the trials under way.
#[derive(Debug)]
pub struct TrialService(Worker<TrialRequest>);

impl TrialService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Tried {
            run,
            trial: TrialReply::Broken(why),
        };
        let begin = || {
            |run, trials: TrialRequest, line: &JobContext<I>| {
                // Cancelled trials send nothing more.
                let _ = work(&trials, run, line);
            }
        };
        Worker::start("tuner", inbox, broken, begin).map(Self)
    }

    /// Cancels the trials under way and begins others; their results carry the number returned.
    pub fn ask(&self, trials: TrialRequest) -> RunId {
        self.0.ask(trials)
    }

    /// Cancels the trials under way.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

/// Runs all trials and sends the results.
fn work<I: Send + 'static>(trials: &TrialRequest, run: RunId, line: &JobContext<I>) -> Result<(), Cancelled> {
    let report = |trial| line.report(run, Message::Tried { run, trial });
    let mut gathered = Vec::new();
    let mut pace = Pace::new(GATHER);
    trials.run(
        background_threads(),
        || !line.is_stale(run),
        |result| {
            gathered.push(result);
            if pace.is_due() {
                report(TrialReply::Outcomes(std::mem::take(&mut gathered)))?;
            }
            Ok(())
        },
    )?;
    report(TrialReply::Outcomes(gathered))?;
    report(TrialReply::Done)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::background::Inbox;
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
        let figures = vec![
            Metric::Plain(DungeonMetric::Path),
            Metric::Plain(DungeonMetric::DeadEnds),
        ];
        TrialRequest::all(
            vec![hall(3), hall(10), hall(20)],
            (0..12).collect(),
            figures,
            Options::default(),
        )
    }

    #[test]
    fn each_variant_is_what_a_survey_of_it_alone_is_whoever_grows_it() {
        let trials = trials();
        let mut found = vec![vec![None; 12]; 3];
        for threads in [1, 3] {
            let record = |tried: TrialResult| {
                found[tried.variant][tried.seed] = tried.reading;
                Ok(())
            };
            trials.run(threads, || true, record).unwrap();
            for (variant, found) in trials.variants.iter().zip(&found) {
                let mut alone = Vec::new();
                SeedSurvey::new(variant.clone(), Options::default()).run(
                    12,
                    |seed| seed,
                    |_, figures| TrialMetrics::of(figures, &trials.figures),
                    |_, reading| {
                        alone.push(reading);
                        ControlFlow::Continue(())
                    },
                );
                assert_eq!(*found, alone);
            }
        }
        assert!(found[0] != found[1] && found[1] != found[2], "MaxAge says nothing");
    }

    #[test]
    fn outcomes_come_in_the_order_that_was_asked_for_and_a_new_request_ends_the_old_one() {
        let inbox = Inbox::<()>::new();
        let tuner = TrialService::new(inbox.sender()).unwrap();
        let mut long = trials();
        long.order = long.order.repeat(1_000);
        let old = tuner.ask(long);
        let new = tuner.ask(trials());
        let mut order = Vec::new();
        loop {
            match inbox.wait(None) {
                Some(Message::Tried { run, .. }) if run == old => {}
                Some(Message::Tried {
                    run,
                    trial: TrialReply::Outcomes(outcomes),
                }) if run == new => {
                    order.extend(outcomes.into_iter().map(|tried| (tried.variant, tried.seed)));
                }
                Some(Message::Tried {
                    trial: TrialReply::Done,
                    ..
                }) => break,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(order, trials().order);
        assert_eq!(order[7..9], [(0, 7), (1, 0)]);
    }
}

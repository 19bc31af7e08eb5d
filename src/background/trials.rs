//! Trials of design variants: each is grown from the same seeds and measured, on all cores but the one that is left
//! to the interface.
//!
//! Results come in the order of the request. A new request cancels the one under way.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::job::{JobContext, RunId, Worker};
use super::{Message, parallel};
use crate::analysis::MetricsRunner;
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
    /// Creates a request for every variant with every seed, in rounds of 8 seeds over all variants.
    pub fn all(variants: Vec<SeededDesign>, seeds: Vec<u64>, figures: Vec<Metric>, options: Options) -> Self {
        let mut order = Vec::new();
        for few in (0..seeds.len()).collect::<Vec<_>>().chunks(8) {
            for variant in 0..variants.len() {
                order.extend(few.iter().map(|&seed| (variant, seed)));
            }
        }
        Self {
            variants,
            seeds,
            order,
            figures,
            options,
        }
    }

    /// Grows and measures all pairs on `threads` threads; `take` receives the results in order until it breaks. Stops
    /// early when `is_wanted` returns false.
    pub fn run(
        &self,
        threads: usize,
        is_wanted: impl Fn() -> bool + Sync,
        mut take: impl FnMut(TrialResult) -> ControlFlow<()>,
    ) {
        parallel::in_order(
            self.order.len() as u64,
            threads,
            || (BTreeMap::new(), MetricsRunner::new(), None),
            |(all, nursery, last), number| {
                let (variant, seed) = self.order[number as usize];
                if !is_wanted() {
                    return None;
                }
                let seeds = all.entry(variant).or_insert_with(|| self.variants[variant].seeds());
                if *last != Some(variant) {
                    nursery.forget();
                    *last = Some(variant);
                }
                let design = seeds.design(self.seeds[seed])?;
                let figures = nursery.raise_while(&design, self.options, &is_wanted)?;
                Some(TrialMetrics::of(&figures, &self.figures))
            },
            |number, reading| {
                let (variant, seed) = self.order[number as usize];
                take(TrialResult { variant, seed, reading })
            },
        );
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

/// Returns the number of threads for background work: one core is left to the interface.
pub fn background_threads() -> usize {
    (parallel::threads() - 1).max(1)
}

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
                if work(&trials, run, line) {
                    line.send(
                        run,
                        Message::Tried {
                            run,
                            trial: TrialReply::Done,
                        },
                    );
                }
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

/// Runs all trials and sends the results; returns false if the request became stale.
fn work<I: Send + 'static>(trials: &TrialRequest, run: RunId, line: &JobContext<I>) -> bool {
    let mut gathered = Vec::new();
    let mut told = Instant::now();
    let mut is_heard = true;
    trials.run(
        background_threads(),
        || !line.is_stale(run),
        |tried| {
            if line.is_stale(run) {
                is_heard = false;
                return ControlFlow::Break(());
            }
            gathered.push(tried);
            if told.elapsed() >= GATHER {
                told = Instant::now();
                let trial = TrialReply::Outcomes(std::mem::take(&mut gathered));
                is_heard = line.send(run, Message::Tried { run, trial });
            }
            if is_heard {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    );
    let rest = TrialReply::Outcomes(gathered);
    is_heard && line.send(run, Message::Tried { run, trial: rest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::{Inbox, SeedSurvey};
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
            trials.run(
                threads,
                || true,
                |tried| {
                    found[tried.variant][tried.seed] = tried.reading;
                    ControlFlow::Continue(())
                },
            );
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

//! Two designs side by side: each one's dungeon at any iteration, and what their dungeons differ in over many seeds.
//!
//! Two lanes, for the dungeons are looked at while the seeds are still judged. A new request ends the one under way.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::Message;
use super::job::{JobContext, RunId, Worker};
use super::stream::streamed;
use crate::analysis::{MetricComparison, MetricValues, MetricsRunner, contrasts};
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};
use crate::recording::Trace;

/// The least time between two comparisons.
const PAUSE: Duration = Duration::from_millis(250);

/// Two designs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonRequest {
    /// The designs.
    pub sides: [SeededDesign; 2],
    /// Choices of the runs.
    pub options: Options,
}

/// What is told of them.
#[derive(Debug)]
pub enum ComparisonReply {
    /// The dungeon of a side's own seed; `None` where none grows.
    Traced {
        /// Which pair.
        run: RunId,
        /// The side.
        side: usize,
        /// The dungeon.
        trace: Option<Arc<Trace>>,
    },
    /// What the dungeons differ in that were judged so far.
    Compared {
        /// Which comparison.
        run: RunId,
        /// How many of each side.
        dungeons: [usize; 2],
        /// Every figure.
        contrasts: Vec<MetricComparison>,
        /// Whether it is over.
        is_done: bool,
    },
    /// A fault of the program ended it.
    Broken {
        /// Which one.
        run: RunId,
        /// What the program said.
        why: String,
    },
}

/// The lanes. Dropping it ends what is under way and joins the threads.
#[derive(Debug)]
pub struct ComparisonService {
    traces: Worker<ComparisonRequest>,
    surveys: Worker<(ComparisonRequest, u64)>,
}

impl ComparisonService {
    /// Starts the threads; their messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Duel(ComparisonReply::Broken { run, why });
        let traces = Worker::start("traces", inbox.clone(), broken, || {
            |run, pair: ComparisonRequest, line: &JobContext<I>| trace(run, &pair, line)
        })?;
        let surveys = Worker::start("contrasts", inbox, broken, || {
            |run, (pair, seeds): (ComparisonRequest, u64), line: &JobContext<I>| compare(run, &pair, seeds, line)
        })?;
        Ok(Self { traces, surveys })
    }

    /// Asks for the dungeons of both sides' own seeds.
    pub fn trace(&self, pair: ComparisonRequest) -> RunId {
        self.traces.ask(pair)
    }

    /// Asks what the dungeons of so many seeds, from 0 on, differ in.
    pub fn compare(&self, pair: ComparisonRequest, seeds: u64) -> RunId {
        self.surveys.ask((pair, seeds))
    }

    /// Nobody looks any more.
    pub fn turn_away(&self) {
        self.traces.cancel();
        self.surveys.cancel();
    }
}

fn trace<I: Send + 'static>(run: RunId, pair: &ComparisonRequest, line: &JobContext<I>) {
    for (side, prospect) in pair.sides.iter().enumerate() {
        let design = prospect.seeds().design(prospect.seed());
        let trace = match design.map(|design| Growth::new(&design, pair.options, &mut ())) {
            None => None,
            Some(growth) => match Trace::of(growth, || !line.is_stale(run)) {
                None => return,
                Some(trace) => Some(Arc::new(trace)),
            },
        };
        if !line.send(run, Message::Duel(ComparisonReply::Traced { run, side, trace })) {
            return;
        }
    }
}

fn compare<I: Send + 'static>(run: RunId, pair: &ComparisonRequest, seeds: u64, line: &JobContext<I>) {
    let is_over = || line.is_stale(run);
    let mut gists: [Vec<MetricValues>; 2] = Default::default();
    let tell = |gists: &[Vec<MetricValues>; 2], is_done: bool| {
        let samples = gists.each_ref().map(|gists| gists.iter().collect::<Vec<_>>());
        let bout = ComparisonReply::Compared {
            run,
            dungeons: gists.each_ref().map(Vec::len),
            contrasts: contrasts(&samples[0], &samples[1]),
            is_done,
        };
        line.send(run, Message::Duel(bout))
    };
    let mut told = Instant::now();
    streamed(
        2 * seeds,
        &is_over,
        || {
            pair.sides
                .each_ref()
                .map(|prospect| (prospect.seeds(), MetricsRunner::new()))
        },
        |sides, number| {
            let (seeds, nursery) = &mut sides[(number % 2) as usize];
            let Some(design) = seeds.design(number / 2) else {
                return Some(None);
            };
            let figures = nursery.raise_while(&design, pair.options, || !is_over())?;
            Some(Some(MetricValues::of(&figures)))
        },
        |some| {
            for (number, gist) in some {
                gists[(number % 2) as usize].extend(gist);
            }
            if told.elapsed() < PAUSE {
                return ControlFlow::Continue(());
            }
            told = Instant::now();
            if tell(&gists, false) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    );
    tell(&gists, true);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Difference;
    use crate::background::Inbox;
    use crate::design::expect::DungeonMetric;
    use crate::presets::Preset;

    /// What becomes of a pair over so many seeds.
    fn compared(
        change: impl FnOnce(&mut crate::design::Design),
        seeds: u64,
    ) -> (Vec<MetricComparison>, [Arc<Trace>; 2]) {
        let design = Preset::find("first-steps").unwrap().design();
        let mut other = design.clone();
        change(&mut other);
        let sides = [design, other].map(|design| SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None));
        let options = Options::default();
        let inbox = Inbox::<()>::new();
        let duel = ComparisonService::new(inbox.sender()).unwrap();
        duel.trace(ComparisonRequest {
            sides: sides.clone(),
            options,
        });
        let asked = duel.compare(ComparisonRequest { sides, options }, seeds);
        let mut traces = [None, None];
        let mut found = None;
        while found.is_none() || traces.iter().any(Option::is_none) {
            match inbox.wait(None) {
                Some(Message::Duel(ComparisonReply::Traced { side, trace, .. })) => traces[side] = trace,
                Some(Message::Duel(ComparisonReply::Compared {
                    run,
                    dungeons,
                    contrasts,
                    is_done: true,
                })) => {
                    assert_eq!((run, dungeons), (asked, [seeds as usize; 2]));
                    found = Some(contrasts);
                }
                Some(Message::Duel(ComparisonReply::Compared { .. })) => {}
                other => panic!("{other:?}"),
            }
        }
        (found.unwrap(), traces.map(Option::unwrap))
    }

    #[test]
    fn what_an_edit_changes_is_found_and_what_it_does_not_change_is_not() {
        let (contrasts, traces) = compared(|design| design.character.generations[1].corridor_width = 6, 60);
        let of = |figure: DungeonMetric| &contrasts[figure as usize];
        let tiles = of(DungeonMetric::Tiles);
        assert!(tiles.difference == Difference::Shift && tiles.p < 0.001, "{}", tiles.p);
        assert!(
            tiles.higher > 0.6,
            "later generations fill the wide halls: {}",
            tiles.higher
        );
        assert_eq!(of(DungeonMetric::Reachable).difference, Difference::Chance);
        assert_ne!(traces[0], traces[1]);
    }

    #[test]
    fn a_design_does_not_differ_from_itself() {
        let (contrasts, traces) = compared(|_| {}, 40);
        assert!(
            contrasts
                .iter()
                .all(|contrast| contrast.difference == Difference::Chance && contrast.p >= 1.0)
        );
        assert_eq!(traces[0], traces[1]);
    }
}

//! Comparison of two designs: each one's dungeon at any iteration, and how their metrics differ over many seeds.
//!
//! Uses two worker threads, so that the dungeons can be viewed while the seeds are still measured. A new request
//! cancels the one under way.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::Message;
use super::job::Cancelled;
use super::survey::{Pace, SeedSurvey, rounds};
use super::worker::{JobContext, RunId, Worker};
use crate::analysis::{MetricComparison, MetricValues, contrasts};
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};
use crate::recording::Trace;

/// Shortest time between two comparison replies.
const PAUSE: Duration = Duration::from_millis(250);

/// Two designs to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonRequest {
    /// The two designs.
    pub sides: [SeededDesign; 2],
    /// Engine options of the growths.
    pub options: Options,
}

/// A reply of the comparison service.
#[derive(Debug)]
pub enum ComparisonReply {
    /// The dungeon of one side's own seed; `None` if it cannot be grown.
    Traced {
        /// Number of the request.
        run: RunId,
        /// Index of the side, 0 or 1.
        side: usize,
        /// The dungeon with its growth.
        trace: Option<Arc<Trace>>,
    },
    /// Differences between the dungeons measured so far.
    Compared {
        /// Number of the request.
        run: RunId,
        /// Number of dungeons measured on each side.
        dungeons: [usize; 2],
        /// Comparison of every metric.
        contrasts: Vec<MetricComparison>,
        /// Whether all seeds have been measured.
        is_done: bool,
    },
    /// The thread panicked.
    Broken {
        /// Number of the request.
        run: RunId,
        /// Panic message.
        why: String,
    },
}

/// Worker threads of the comparison. Dropping it cancels the requests under way and joins the threads.
#[derive(Debug)]
pub struct ComparisonService {
    traces: Worker<ComparisonRequest>,
    surveys: Worker<(ComparisonRequest, u64)>,
}

impl ComparisonService {
    /// Starts the threads, which send their messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Duel(ComparisonReply::Broken { run, why });
        let traces = Worker::start("traces", inbox.clone(), broken, || {
            |run, pair: ComparisonRequest, line: &JobContext<I>| trace(run, &pair, line)
        })?;
        let surveys = Worker::start("contrasts", inbox, broken, || {
            |run, (pair, seeds): (ComparisonRequest, u64), line: &JobContext<I>| {
                // A cancelled comparison sends nothing more.
                let _ = compare(run, &pair, seeds, line);
            }
        })?;
        Ok(Self { traces, surveys })
    }

    /// Requests the dungeons of both sides' own seeds; the replies carry the number returned.
    pub fn trace(&self, pair: ComparisonRequest) -> RunId {
        self.traces.ask(pair)
    }

    /// Requests a comparison over `seeds` seeds, from 0 on; the replies carry the number returned.
    pub fn compare(&self, pair: ComparisonRequest, seeds: u64) -> RunId {
        self.surveys.ask((pair, seeds))
    }

    /// Cancels both requests.
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

fn compare<I: Send + 'static>(
    run: RunId,
    pair: &ComparisonRequest,
    seeds: u64,
    line: &JobContext<I>,
) -> Result<(), Cancelled> {
    let order = rounds(2, seeds as usize);
    let dungeon = |number: u64| order[number as usize];
    let mut values: [Vec<MetricValues>; 2] = Default::default();
    let report = |values: &[Vec<MetricValues>; 2], is_done: bool| {
        let samples = values.each_ref().map(|values| values.iter().collect::<Vec<_>>());
        let compared = ComparisonReply::Compared {
            run,
            dungeons: values.each_ref().map(Vec::len),
            contrasts: contrasts(&samples[0], &samples[1]),
            is_done,
        };
        line.report(run, Message::Duel(compared))
    };
    let mut pace = Pace::new(PAUSE);
    SeedSurvey::in_background(pair.sides.to_vec(), pair.options).run_while(
        order.len() as u64,
        || !line.is_stale(run),
        |number| (dungeon(number).0, dungeon(number).1 as u64),
        |_, metrics| MetricValues::of(metrics),
        |number, measured| {
            values[dungeon(number).0].extend(measured);
            if pace.is_due() { report(&values, false) } else { Ok(()) }
        },
    )?;
    report(&values, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Difference;
    use crate::background::Inbox;
    use crate::design::expect::DungeonMetric;
    use crate::presets::Preset;

    /// Returns the replies of a comparison over `seeds` seeds.
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

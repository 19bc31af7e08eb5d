//! Comparison of two designs: the growth of one dungeon of each, and the differences between their metrics over many
//! seeds.
//!
//! These are two separate jobs, so that the user can view the two dungeons while the seeds are still being measured.

use std::sync::Arc;
use std::time::Duration;

use super::job::{Cancelled, Job, JobCx};
use super::survey::{Pace, SeedSurvey, rounds};
use crate::analysis::{FLIPS, MetricComparison, MetricValues, compare_pairs};
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};
use crate::recording::Trace;

/// Shortest time between two replies to a comparison request.
const PAUSE: Duration = Duration::from_millis(250);

/// Number of sampled sign assignments (see [`FLIPS`]) for preliminary results. Replies with more seeds replace
/// these results.
const PRELIMINARY_FLIPS: usize = 499;

/// Two designs whose dungeons are to be shown side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceRequest {
    /// The two designs, each grown from its own seed.
    pub sides: [SeededDesign; 2],
    /// Engine options with which both designs are grown.
    pub options: Options,
}

/// The dungeon of one side.
#[derive(Debug)]
pub struct TraceReply {
    /// Index of the side, 0 or 1.
    pub side: usize,
    /// The dungeon and its growth; `None` if the dungeon cannot be grown.
    pub trace: Option<Arc<Trace>>,
}

impl Job for TraceRequest {
    const NAME: &'static str = "traces";
    type Memory = ();
    type Reply = TraceReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, TraceReply>) -> Result<(), Cancelled> {
        for (side, seeded) in self.sides.iter().enumerate() {
            let design = seeded.seeds().design(seeded.seed());
            let growth = design.map(|design| Growth::new(&design, self.options, &mut ()));
            let trace = match growth {
                None => None,
                Some(growth) => Some(Arc::new(Trace::of(growth, || !cx.is_cancelled()).ok_or(Cancelled)?)),
            };
            cx.send(TraceReply { side, trace })?;
        }
        Ok(())
    }
}

/// Two designs whose metrics are to be compared seed by seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonRequest {
    /// The two designs.
    pub sides: [SeededDesign; 2],
    /// Engine options with which both designs are grown.
    pub options: Options,
    /// Number of seeds to measure; the seeds count up from 0.
    pub seeds: u64,
}

/// Differences between the metrics of the dungeons measured so far.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonReply {
    /// Number of dungeons measured on each side.
    pub dungeons: [usize; 2],
    /// Comparison of every metric.
    pub comparisons: Vec<MetricComparison>,
    /// Whether all seeds have been measured.
    pub is_done: bool,
}

impl Job for ComparisonRequest {
    const NAME: &'static str = "comparison";
    type Memory = ();
    type Reply = ComparisonReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, ComparisonReply>) -> Result<(), Cancelled> {
        let order = rounds(2, self.seeds as usize);
        let dungeon = |number: u64| order[number as usize];
        // Metrics of each side, in seed order; `None` for seeds from which no dungeon can be grown.
        let mut values: [Vec<Option<MetricValues>>; 2] = Default::default();
        let report = |values: &[Vec<Option<MetricValues>>; 2], is_done: bool| {
            let [first, second] = values.each_ref().map(|values| values.iter());
            let pairs: Vec<_> = first
                .zip(second)
                .filter_map(|(first, second)| Some([first.as_ref()?, second.as_ref()?]))
                .collect();
            cx.send(ComparisonReply {
                dungeons: values.each_ref().map(|values| values.iter().flatten().count()),
                comparisons: compare_pairs(&pairs, if is_done { FLIPS } else { PRELIMINARY_FLIPS }),
                is_done,
            })
        };
        let mut pace = Pace::new(PAUSE);
        SeedSurvey::in_background(self.sides.to_vec(), self.options).run_while(
            order.len() as u64,
            || !cx.is_cancelled(),
            |number| (dungeon(number).0, dungeon(number).1 as u64),
            |_, metrics| MetricValues::of(metrics),
            |number, measured| {
                values[dungeon(number).0].push(measured);
                if pace.is_due() { report(&values, false) } else { Ok(()) }
            },
        )?;
        report(&values, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Difference;
    use crate::background::job::{Ticket, run_inline};
    use crate::design::expect::DungeonMetric;
    use crate::presets::Preset;

    /// Compares a design with a changed copy. Returns the comparison over `seeds` seeds and the growth of both
    /// dungeons.
    fn compared(
        change: impl FnOnce(&mut crate::design::Design),
        seeds: u64,
    ) -> (Vec<MetricComparison>, [Arc<Trace>; 2]) {
        let design = Preset::find("first-steps").unwrap().design();
        let mut other = design.clone();
        change(&mut other);
        let sides = [design, other].map(|design| SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None));
        let options = Options::default();
        let trace = TraceRequest {
            sides: sides.clone(),
            options,
        };
        let traces = run_inline(trace, &mut (), &Ticket::new());
        assert_eq!(traces.iter().map(|reply| reply.side).collect::<Vec<_>>(), [0, 1]);
        let compare = ComparisonRequest { sides, options, seeds };
        let last = run_inline(compare, &mut (), &Ticket::new()).pop().unwrap();
        assert_eq!((last.dungeons, last.is_done), ([seeds as usize; 2], true));
        let traces: Vec<_> = traces.into_iter().map(|reply| reply.trace.unwrap()).collect();
        (last.comparisons, traces.try_into().unwrap())
    }

    #[test]
    fn only_metrics_that_an_edit_changes_are_reported() {
        let (comparisons, traces) = compared(|design| design.character.generations[1].corridor_width = 6, 60);
        let of = |metric: DungeonMetric| &comparisons[metric as usize];
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
        let (comparisons, traces) = compared(|_| {}, 40);
        assert!(
            comparisons
                .iter()
                .all(|comparison| comparison.difference == Difference::Chance && comparison.p >= 1.0)
        );
        assert_eq!(traces[0], traces[1]);
    }
}

//! Counterfactuals: grows alternatives to a run. Several threads share this work. Requests from the inspector run as
//! background jobs.

use std::sync::Arc;

use super::job::{Cancelled, Job, JobCx};
use super::pool;
use crate::analysis::counterfactual::{
    Alternative, AlternativeGrower, BuilderEffect, Cause, MetricOutcome, MetricQuestion, MetricTester, ObservedRun,
    SquareQuestion,
};
use crate::design::ValidDesign;
use crate::engine::{BuilderId, Grid, Options};
use crate::geometry::Point;

/// Number of consecutive alternatives that a thread tries at a time. They are sorted by the turn in which they depart
/// from the run, so the thread grows the turns that they share with the run only once for all of them.
const BATCH: usize = 32;

/// The inspector tries the alternatives only if their number times the number of squares is at most this. One thread
/// then needs at most about five seconds.
const MOST_WORK: u64 = 500_000_000;

/// Returns the alternatives that change a square, sorted by [`SquareQuestion::sort`]. Calls `tried` with the number
/// of alternatives tried so far.
///
/// # Errors
///
/// Returns [`Cancelled`] once `is_wanted` returns false, or `tried` returns an error.
pub fn causes(
    run: &ObservedRun,
    question: &SquareQuestion,
    threads: usize,
    is_wanted: impl Fn() -> bool + Sync,
    mut tried: impl FnMut(u64) -> Result<(), Cancelled>,
) -> Result<Vec<Cause>, Cancelled> {
    let count = question.alternatives.len();
    let mut causes = Vec::new();
    pool::in_order(
        count.div_ceil(BATCH) as u64,
        threads,
        || AlternativeGrower::new(run),
        |grower, batch| {
            let numbers = (batch as usize * BATCH..count).take(BATCH);
            numbers
                .map(|number| question.cause(number, run, grower, &is_wanted).map_err(|_| Cancelled))
                .collect::<Result<Vec<_>, _>>()
        },
        |batch, found| {
            causes.extend(found.into_iter().flatten());
            tried(((batch as usize + 1) * BATCH).min(count) as u64)
        },
    )?;
    SquareQuestion::sort(&mut causes);
    Ok(causes)
}

/// The changes that achieve a goal: all changes that do so on their own or, if there are none, pairs of changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Undoing {
    /// Each entry contains one or two alternatives and their outcome. The entries that change the fewest walls come
    /// first.
    pub found: Vec<(Vec<Alternative>, MetricOutcome)>,
    /// Number of single alternatives that were tried.
    pub singles: usize,
    /// Number of pairs of alternatives that were tried.
    pub pairs: usize,
}

/// Returns the changes that achieve a goal. Tries all single alternatives; if none of them achieves the goal, tries
/// pairs of the alternatives that come nearest to it. Calls `tried` with the number of single alternatives and pairs
/// tried so far, and with their total. The total includes the pairs only after all single alternatives have been tried.
///
/// # Errors
///
/// Returns [`Cancelled`] once `is_wanted` returns false, or `tried` returns an error.
pub fn undo(
    run: &ObservedRun,
    question: &MetricQuestion,
    threads: usize,
    is_wanted: impl Fn() -> bool + Sync,
    mut tried: impl FnMut(u64, u64) -> Result<(), Cancelled>,
) -> Result<Undoing, Cancelled> {
    let alternatives = &question.alternatives;
    let count = alternatives.len();
    let mut outcomes = Vec::with_capacity(count);
    pool::in_order(
        count.div_ceil(BATCH) as u64,
        threads,
        || MetricTester::new(run, question),
        |tester, batch| {
            let some = alternatives.iter().skip(batch as usize * BATCH).take(BATCH);
            some.map(|one| tester.single(question, one, &is_wanted).map_err(|_| Cancelled))
                .collect::<Result<Vec<_>, _>>()
        },
        |_, some| {
            outcomes.extend(some);
            tried(outcomes.len() as u64, count as u64)
        },
    )?;
    let met = |outcome: &Option<MetricOutcome>| outcome.filter(|outcome| outcome.is_met);
    let singles = outcomes.iter().zip(alternatives);
    let mut found: Vec<_> = singles
        .filter_map(|(outcome, one)| Some((vec![*one], met(outcome)?)))
        .collect();
    let mut pairs = 0;
    if found.is_empty() {
        let tried_pairs = MetricQuestion::pairs(&outcomes);
        pairs = tried_pairs.len();
        pool::in_order(
            pairs as u64,
            threads,
            || MetricTester::new(run, question),
            |tester, number| {
                let pair = tried_pairs[number as usize].map(|one| &alternatives[one]);
                tester.pair(question, pair, &is_wanted).map_err(|_| Cancelled)
            },
            |number, outcome| {
                let pair = tried_pairs[number as usize].map(|one| alternatives[one]);
                found.extend(met(&outcome).map(|outcome| (pair.to_vec(), outcome)));
                tried(count as u64 + number + 1, (count + pairs) as u64)
            },
        )?;
    }
    found.sort_by_key(|(_, outcome)| outcome.walls);
    Ok(Undoing {
        found,
        singles: count,
        pairs,
    })
}

/// What the inspector asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterfactualSubject {
    /// Why a square of the finished dungeon is open, or why there is a tile on it.
    Square(Point),
    /// The effect of a Builder: how the dungeon would differ without it.
    Builder(BuilderId),
    /// The dungeon after one change to the run.
    Dungeon(Alternative),
}

/// A request for the causes of a square's content, or for the effects of one change to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterfactualRequest {
    /// Design that was grown.
    pub design: ValidDesign,
    /// Engine options of the run.
    pub options: Options,
    /// What the inspector asks about.
    pub subject: CounterfactualSubject,
}

/// A reply to a [`CounterfactualRequest`].
#[derive(Debug)]
pub enum CounterfactualReply {
    /// The alternatives that, each on its own, change the square.
    Causes {
        /// The causes, sorted by [`SquareQuestion::sort`].
        causes: Vec<Cause>,
        /// Number of alternatives tried.
        tried: u64,
    },
    /// There are too many alternatives to try for a dungeon of this size. Contains their number.
    TooMany(u64),
    /// The effect of a Builder; `None` if the run has no such Builder.
    Effect(Option<(Alternative, BuilderEffect)>),
    /// The dungeon after one change to the run; `None` if the design cannot be grown with the change.
    Dungeon(Option<Arc<Grid>>),
}

/// The run that was observed last, with its design and options.
type ObservedRuns = Option<(ValidDesign, Options, Arc<ObservedRun>)>;

impl Job for CounterfactualRequest {
    const NAME: &'static str = "counterfactuals";
    type Memory = ObservedRuns;
    type Reply = CounterfactualReply;

    fn run(self, memory: &mut ObservedRuns, cx: &JobCx<'_, CounterfactualReply>) -> Result<(), Cancelled> {
        let is_wanted = || !cx.is_cancelled();
        let Self { design, options, .. } = &self;
        let is_same = |known: &&(ValidDesign, Options, Arc<ObservedRun>)| known.0 == *design && known.1 == *options;
        let run = if let Some((.., run)) = memory.as_ref().filter(is_same) {
            Arc::clone(run)
        } else {
            let run = Arc::new(ObservedRun::of(design, *options, is_wanted).ok_or(Cancelled)?);
            *memory = Some((design.clone(), *options, Arc::clone(&run)));
            run
        };
        let reply = match self.subject {
            CounterfactualSubject::Square(at) => {
                let question = run.question(at);
                let all = question.alternatives.len() as u64;
                if all.saturating_mul(design.layout.size.squares()) > MOST_WORK {
                    return cx.send(CounterfactualReply::TooMany(all));
                }
                let causes = causes(&run, &question, pool::background_threads(), is_wanted, |_| Ok(()))?;
                CounterfactualReply::Causes { causes, tried: all }
            }
            CounterfactualSubject::Builder(builder) => {
                let effect = run.effect(builder, is_wanted).map_err(|_| Cancelled)?;
                CounterfactualReply::Effect(run.without(builder).zip(effect.map(|(effect, _)| effect)))
            }
            CounterfactualSubject::Dungeon(alternative) => {
                let grid = AlternativeGrower::new(&run).dungeon(&alternative, is_wanted);
                CounterfactualReply::Dungeon(grid.map_err(|_| Cancelled)?.map(Arc::new))
            }
        };
        cx.send(reply)
    }
}

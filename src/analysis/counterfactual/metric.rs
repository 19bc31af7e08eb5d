//! Finds single changes to a run, or pairs of changes, that give its dungeon a wanted property, such as the absence of
//! enclosed areas.

use super::alternative::Alternative;
use super::grower::{AlternativeGrower, Stopped};
use super::observed::ObservedRun;
use super::walls_between;
use crate::analysis::runner::UnbornCounter;
use crate::analysis::{Anomaly, Metrics, MetricsRunner, evaluate, margin};
use crate::analysis::{MetricLookup, MetricParts, MetricValue};
use crate::design::ValidDesign;
use crate::design::expect::{DungeonMetric, Expression, Metric};
use crate::engine::{Growth, Intervention};

/// Number of alternatives that are tried in pairs: those that came nearest to the goal when tried alone.
pub const PAIRED: usize = 12;

/// The goal that a change to the run should achieve.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// A metric becomes 0, or a boolean metric becomes the opposite of its value in the run.
    Undo(DungeonMetric),
    /// A condition on the dungeon holds.
    Condition(Expression),
    /// The dungeon does not have the given anomaly.
    Without(Anomaly),
}

impl Goal {
    /// Returns the parts of the metrics that the goal needs.
    fn parts(&self) -> MetricParts {
        match self {
            Self::Undo(metric) => MetricParts::of(Metric::Plain(*metric)),
            Self::Condition(condition) => MetricParts::of_expression(condition),
            Self::Without(_) => MetricParts::ANOMALIES,
        }
    }

    /// Returns whether a dungeon meets the goal. `was` is the metric's value in the run.
    fn is_met(&self, metrics: &Metrics, was: MetricValue) -> bool {
        match self {
            Self::Undo(metric) => match (metrics.value(Metric::Plain(*metric)), was) {
                (MetricValue::Truth(now), MetricValue::Truth(was)) => now != was,
                (now, _) => now.number() == Some(0.0),
            },
            Self::Condition(condition) => evaluate(condition, metrics, &()).holds(),
            Self::Without(anomaly) => !metrics.anomalies().contains(anomaly),
        }
    }

    /// Returns how near a dungeon is to the goal; higher is nearer.
    fn nearness(&self, metrics: &Metrics) -> f64 {
        match self {
            Self::Undo(metric) => {
                let number = metrics.value(Metric::Plain(*metric)).number();
                number.map_or(f64::NEG_INFINITY, |number| -number.abs())
            }
            Self::Condition(condition) => margin(condition, metrics),
            Self::Without(_) => -(metrics.anomalies().len() as f64),
        }
    }
}

/// The question of which changes to a run achieve a goal.
#[derive(Debug, Clone)]
pub struct MetricQuestion {
    /// The goal.
    pub goal: Goal,
    /// The alternatives that are tried alone, in the order in which they should be grown.
    pub alternatives: Vec<Alternative>,
    /// Value of the goal's metric in the run; a missing value unless the goal is [`Goal::Undo`].
    was: MetricValue,
}

/// The result of growing the dungeon with one alternative or with two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricOutcome {
    /// Whether the dungeon meets the goal.
    pub is_met: bool,
    /// Closeness to the goal; higher is nearer.
    pub nearness: f64,
    /// Number of squares that are wall in this dungeon and open in the original one, or the reverse.
    pub walls: u64,
}

impl ObservedRun {
    /// Returns the question of which changes to the run achieve a goal; `None` if the run already meets the goal.
    pub fn metric_question(&self, goal: Goal) -> Option<MetricQuestion> {
        let metrics = MetricsRunner::with_parts(goal.parts()).grow_and_measure(&self.design, self.options);
        let was = match &goal {
            Goal::Undo(metric) => metrics.value(Metric::Plain(*metric)),
            Goal::Condition(_) | Goal::Without(_) => MetricValue::Number(None),
        };
        if goal.is_met(&metrics, was) {
            return None;
        }
        let mut alternatives = self.other_births(&[], u64::MAX);
        alternatives.extend(self.parameters(self.turns()));
        alternatives.extend(self.tiles());
        alternatives.sort_by_key(|one| one.departs_after().map_or(0, |turns| turns + 1));
        Some(MetricQuestion {
            goal,
            alternatives,
            was,
        })
    }
}

impl MetricQuestion {
    /// Returns, as indices, the pairs of alternatives to try if no single alternative meets the goal: every pair of
    /// the [`PAIRED`] alternatives nearest to the goal. `outcomes` contains the outcome of each single alternative,
    /// in order.
    pub fn pairs(outcomes: &[Option<MetricOutcome>]) -> Vec<[usize; 2]> {
        let mut nearest: Vec<(usize, f64)> = outcomes
            .iter()
            .enumerate()
            .filter_map(|(number, outcome)| Some((number, (*outcome)?.nearness)))
            .collect();
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1));
        nearest.truncate(PAIRED);
        let best = nearest.into_iter().map(|(number, _)| number).collect::<Vec<_>>();
        let after = |i: usize| best[i + 1..].iter().map(move |other| [i, *other]);
        (0..best.len())
            .flat_map(|i| after(i).map(|[i, other]| [best[i], other]).collect::<Vec<_>>())
            .collect()
    }
}

/// A tester of the alternatives of one question, for use on one thread.
#[derive(Debug)]
pub struct MetricTester<'a> {
    run: &'a ObservedRun,
    grower: AlternativeGrower<'a>,
    runner: MetricsRunner,
}

impl<'a> MetricTester<'a> {
    /// Creates a tester of alternatives to `run` for a question.
    pub fn new(run: &'a ObservedRun, question: &MetricQuestion) -> Self {
        Self {
            run,
            grower: AlternativeGrower::new(run),
            runner: MetricsRunner::with_parts(question.goal.parts()),
        }
    }

    /// Tries one alternative. Returns `None` if the design cannot be grown with it.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub fn single(
        &mut self,
        question: &MetricQuestion,
        alternative: &Alternative,
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<MetricOutcome>, Stopped> {
        let Some((growth, unborn)) = self.grower.finished(alternative, goes_on)? else {
            return Ok(None);
        };
        Ok(self.outcome(question, &[alternative.intervention], &growth, unborn))
    }

    /// Tries two alternatives together. Returns `None` if the design cannot be grown with them.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] once `goes_on`, which is called every 256 turns, returns `false`.
    pub fn pair(
        &mut self,
        question: &MetricQuestion,
        pair: [&Alternative; 2],
        goes_on: impl FnMut() -> bool,
    ) -> Result<Option<MetricOutcome>, Stopped> {
        let both = pair.map(|one| one.intervention);
        match self.run.grown_with(&both, goes_on)? {
            Some((growth, unborn)) => Ok(self.outcome(question, &both, &growth, unborn)),
            None => Ok(None),
        }
    }

    fn outcome(
        &mut self,
        question: &MetricQuestion,
        changes: &[Intervention],
        growth: &Growth,
        unborn: UnbornCounter,
    ) -> Option<MetricOutcome> {
        let is_of_design = changes.iter().any(Intervention::is_of_design);
        let design = Intervention::design(changes, &self.run.design).ok()?;
        let metrics = self.measure(&design, growth, unborn, is_of_design);
        Some(MetricOutcome {
            is_met: question.goal.is_met(&metrics, question.was),
            nearness: question.goal.nearness(&metrics),
            walls: walls_between(self.run.grid(), growth.grid()),
        })
    }

    /// Measures a dungeon. The runner keeps its cached scene for the next dungeon unless the design was changed.
    fn measure(&mut self, design: &ValidDesign, growth: &Growth, unborn: UnbornCounter, is_of_design: bool) -> Metrics {
        if is_of_design {
            self.runner.forget();
        }
        let metrics = self.runner.measure(design, growth, unborn);
        if is_of_design {
            self.runner.forget();
        }
        metrics
    }
}

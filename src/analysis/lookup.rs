//! Evaluates expressions over the metrics of one dungeon and over aggregates of many dungeons.

use serde::{Deserialize, Serialize};

use super::metrics::{AreaMetrics, Metrics, PlaceMetrics};
use crate::design::expect::{Aggregate, AreaIndex, AreaPredicate, DungeonMetric, Expression, Metric, Operator};

/// The value of a metric: a number or a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricValue {
    /// A number; `None` if the metric has no value, for example the path length if the exit is unreachable.
    Number(Option<f64>),
    /// A boolean.
    Truth(bool),
}

impl MetricValue {
    /// Returns whether the value is the boolean true.
    pub const fn holds(self) -> bool {
        matches!(self, Self::Truth(true))
    }

    /// Returns the value as a number: 1 for true, 0 for false.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => number,
            Self::Truth(truth) => Some(f64::from(u8::from(truth))),
        }
    }
}

impl From<f64> for MetricValue {
    fn from(number: f64) -> Self {
        Self::Number(Some(number))
    }
}

/// A source of one dungeon's metrics.
pub trait MetricLookup {
    /// Returns the value of a metric.
    fn value(&self, metric: Metric) -> MetricValue;
}

impl MetricLookup for Metrics {
    fn value(&self, metric: Metric) -> MetricValue {
        let count = |count: usize| MetricValue::from(count as f64);
        let life = |of: fn(&super::GrowthMetrics) -> u32| {
            MetricValue::Number(self.life.as_ref().map(|life| f64::from(of(life))))
        };
        let plain = match metric {
            Metric::Plain(plain) => plain,
            Metric::Generation(generation) => return self.share_of_generation(generation).into(),
            Metric::Widths(least, most) => return self.share_of_widths(least, most).into(),
            Metric::Reaches(name) => return MetricValue::Truth(PlaceMetrics::steps_to(&self.places, name).is_some()),
            Metric::PathTo(name) => {
                return MetricValue::Number(PlaceMetrics::steps_to(&self.places, name).map(f64::from));
            }
            Metric::Area(predicate, area) => {
                let ground = match area {
                    AreaIndex::Room(index) => self.rooms.get(index),
                    AreaIndex::Vault(index) => self.vaults.get(index),
                };
                let is_true = |ground: &AreaMetrics| match predicate {
                    AreaPredicate::Crosses => ground.crossed,
                    AreaPredicate::Needs => ground.needed,
                    AreaPredicate::Severs => ground.severed_by.is_some(),
                };
                return MetricValue::Truth(ground.is_some_and(is_true));
            }
        };
        match plain {
            DungeonMetric::Reachable => MetricValue::Truth(self.is_reachable()),
            DungeonMetric::Path => MetricValue::Number(self.path().map(f64::from)),
            DungeonMetric::Detour => MetricValue::Number(self.detour()),
            DungeonMetric::Squares => f64::from(self.squares).into(),
            DungeonMetric::Fill => self.fill().into(),
            DungeonMetric::Enclosed => count(self.enclosed().count()),
            DungeonMetric::EnclosedSquares => f64::from(self.enclosed().map(|area| area.squares).sum::<u32>()).into(),
            DungeonMetric::DeadEnds => count(self.dead_ends.len()),
            DungeonMetric::Blind => self.blind().into(),
            DungeonMetric::Junctions => count(self.junctions.len()),
            DungeonMetric::Loops => count(self.islands.iter().filter(|island| !island.is_pillar()).count()),
            DungeonMetric::Pillars => count(self.islands.iter().filter(|island| island.is_pillar()).count()),
            DungeonMetric::Width => MetricValue::Number(self.width().map(f64::from)),
            DungeonMetric::Tiles => f64::from(self.laid()).into(),
            DungeonMetric::Generations => count(self.tiles.iter().filter(|tiles| **tiles > 0).count()),
            DungeonMetric::Dominant => self.dominant().map_or(0.0, |(_, share)| share).into(),
            DungeonMetric::OuterWall => self.outer_wall().into(),
            DungeonMetric::OuterCorridor => {
                f64::from(self.outer_corridor().map_or(0, super::PassageLine::length)).into()
            }
            DungeonMetric::Unreached => count(
                self.grounds()
                    .filter(|ground| ground.is_placed && !ground.reached)
                    .count(),
            ),
            DungeonMetric::Severable => count(self.grounds().filter(|ground| ground.severed_by.is_some()).count()),
            DungeonMetric::Builders => life(|life| life.builders),
            DungeonMetric::Unborn => life(|life| life.unborn),
            DungeonMetric::Iterations => life(|life| life.iterations),
            DungeonMetric::VisibleArea => MetricValue::Number(self.sight.visible_area.map(f64::from)),
            DungeonMetric::Unseen => MetricValue::Number(self.sight.unseen),
            DungeonMetric::Integration => MetricValue::Number(self.sight.integration),
            DungeonMetric::Intelligibility => MetricValue::Number(self.sight.intelligibility),
            DungeonMetric::ChokePoints => MetricValue::Number(self.sight.choke_points.map(f64::from)),
            DungeonMetric::Found => MetricValue::Number(self.sight.found.map(f64::from)),
            DungeonMetric::Explored => MetricValue::Number(self.sight.explored),
        }
    }
}

/// A source of aggregates over the dungeons of a sample.
pub trait SampleLookup {
    /// Returns the aggregate of an expression over all dungeons; `None` if no dungeon has a value.
    fn over(&self, over: Aggregate, of: &Expression) -> Option<f64>;
}

/// A source without aggregates, for evaluating an expression over a single dungeon.
impl SampleLookup for () {
    fn over(&self, _: Aggregate, _: &Expression) -> Option<f64> {
        None
    }
}

/// Evaluates an expression over one dungeon, with aggregates from `all`. A metric without a value evaluates to
/// `MetricValue::Number(None)`. No comparison with this value holds, not even `!=`.
pub fn evaluate(expression: &Expression, one: &impl MetricLookup, all: &impl SampleLookup) -> MetricValue {
    let value = |of: &Expression| evaluate(of, one, all);
    match expression {
        Expression::Number(number) => MetricValue::Number(Some(*number).filter(|number| !number.is_nan())),
        Expression::Metric(metric) => one.value(*metric),
        Expression::Over(over, of) => MetricValue::Number(all.over(*over, of)),
        Expression::Minus(of) => MetricValue::Number(value(of).number().map(|number| -number)),
        Expression::Not(of) => MetricValue::Truth(!value(of).holds()),
        Expression::Two(operator, two) => join(*operator, value(&two[0]), || value(&two[1])),
    }
}

fn join(operator: Operator, left: MetricValue, right: impl Fn() -> MetricValue) -> MetricValue {
    match operator {
        Operator::And => return MetricValue::Truth(left.holds() && right().holds()),
        Operator::Or => return MetricValue::Truth(left.holds() || right().holds()),
        _ => {}
    }
    let numbers = left.number().zip(right().number());
    let compare = |compare: fn(&f64, &f64) -> bool| MetricValue::Truth(numbers.is_some_and(|(a, b)| compare(&a, &b)));
    let calculate = |operation: fn(f64, f64) -> f64| {
        let number = numbers.map(|(a, b)| operation(a, b));
        MetricValue::Number(number.filter(|number| number.is_finite()))
    };
    match operator {
        Operator::Less => compare(f64::lt),
        Operator::AtMost => compare(f64::le),
        Operator::More => compare(f64::gt),
        Operator::AtLeast => compare(f64::ge),
        Operator::Equal => compare(f64::eq),
        Operator::Differs => compare(f64::ne),
        Operator::Add => calculate(|a, b| a + b),
        Operator::Subtract => calculate(|a, b| a - b),
        Operator::Times => calculate(|a, b| a * b),
        Operator::Divide => calculate(|a, b| a / b),
        Operator::And | Operator::Or => MetricValue::Truth(false),
    }
}

/// Returns the signed distance of a dungeon from the threshold of a condition, relative to the numbers compared; higher
/// is better. For `and`, the distances of both conditions are summed; for `or`, the better distance counts; booleans
/// count as 0. Because of these rules, the sign does not show whether the condition holds; [`evaluate`] does.
pub fn margin(condition: &Expression, one: &impl MetricLookup) -> f64 {
    let number = |of: &Expression| evaluate(of, one, &()).number();
    match condition {
        Expression::Not(of) => -margin(of, one),
        Expression::Two(operator, two) => {
            let sides = || number(&two[0]).zip(number(&two[1]));
            let over = |(more, less): (f64, f64)| (more - less) / more.abs().max(less.abs()).max(1e-9);
            let beyond = |sides: Option<(f64, f64)>| sides.map_or(f64::NEG_INFINITY, over);
            match operator {
                Operator::And => margin(&two[0], one) + margin(&two[1], one),
                Operator::Or => margin(&two[0], one).max(margin(&two[1], one)),
                Operator::More | Operator::AtLeast => beyond(sides()),
                Operator::Less | Operator::AtMost => beyond(sides().map(|(a, b)| (b, a))),
                Operator::Equal => -beyond(sides()).abs(),
                _ => 0.0,
            }
        }
        _ => 0.0,
    }
}

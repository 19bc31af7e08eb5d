//! Conclusions about all seeds from the dungeons of some seeds: an expectation holds, it fails, or more seeds are
//! needed to decide.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::interval::Interval;
use crate::design::expect::{Expression, Operator};

/// The verdict of a sample on an expectation over all seeds. The expectation is compared with 95% confidence intervals,
/// either for the share of dungeons that meet the condition or for the aggregates in the condition.
///
/// An expectation that every dungeon must meet is decided for the seeds of the sample alone, because no number of
/// passing dungeons could prove it for all seeds. One failing dungeon refutes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The expectation holds: the whole interval meets it.
    Holds,
    /// The expectation fails: no value of the interval meets it.
    Fails,
    /// Undecided: only a part of the interval meets it.
    #[default]
    NeedsMoreSeeds,
}

impl Outcome {
    /// Returns the outcome of an expectation that the share `needed` of all dungeons must meet, given that `met` of
    /// `seeds` dungeons met it.
    pub(super) fn of_share(met: u64, seeds: u64, needed: f64) -> Self {
        let share = Interval::of_share(met, seeds);
        match needed {
            _ if seeds == 0 => Self::NeedsMoreSeeds,
            _ if needed >= 1.0 && met == seeds => Self::Holds,
            _ if needed >= 1.0 => Self::Fails,
            _ if share.low >= needed => Self::Holds,
            _ if share.high < needed => Self::Fails,
            _ => Self::NeedsMoreSeeds,
        }
    }

    /// Converts the truth of a condition to an outcome. An unknown truth, `None`, needs more seeds.
    pub(super) const fn of_truth(truth: Option<bool>) -> Self {
        match truth {
            Some(true) => Self::Holds,
            Some(false) => Self::Fails,
            None => Self::NeedsMoreSeeds,
        }
    }

    /// Returns the name of the outcome in JSON, such as `needs_more_seeds`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::NeedsMoreSeeds => "needs_more_seeds",
        }
    }
}

impl fmt::Display for Outcome {
    /// Writes the outcome for display, such as `needs more seeds`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::NeedsMoreSeeds => "needs more seeds",
        })
    }
}

/// The value of an expression whose aggregates are only known to lie in intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Bounds {
    /// A number; `None` if the value is missing. No comparison with a missing value holds.
    Number(Option<Interval>),
    /// A boolean; `None` if it depends on the values of the aggregates within their intervals.
    Truth(Option<bool>),
}

impl Bounds {
    /// Returns whether a condition with this value holds; `None` if that is unknown. A number never holds.
    const fn truth(self) -> Option<bool> {
        match self {
            Self::Truth(truth) => truth,
            Self::Number(_) => Some(false),
        }
    }

    const fn number(self) -> Option<Interval> {
        match self {
            Self::Number(number) => number,
            Self::Truth(Some(true)) => Some(Interval::point(1.0)),
            Self::Truth(Some(false)) => Some(Interval::point(0.0)),
            Self::Truth(None) => Some(Interval { low: 0.0, high: 1.0 }),
        }
    }
}

/// Returns `Some(true)` if a condition on aggregates holds for all values of the aggregates within their intervals,
/// `Some(false)` if it holds for none of these values, and `None` if it may hold for only some of them. `over` returns
/// the interval of an aggregate.
pub(super) fn truth_within(condition: &Expression, over: &impl Fn(&Expression) -> Option<Interval>) -> Option<bool> {
    bounds(condition, over).truth()
}

fn bounds(expression: &Expression, over: &impl Fn(&Expression) -> Option<Interval>) -> Bounds {
    match expression {
        Expression::Number(number) => Bounds::Number((!number.is_nan()).then(|| Interval::point(*number))),
        Expression::Over(..) => Bounds::Number(over(expression)),
        // A condition on aggregates contains no metric outside an aggregate.
        Expression::Metric(_) => Bounds::Number(None),
        Expression::Minus(of) => Bounds::Number(bounds(of, over).number().map(|number| Interval {
            low: -number.high,
            high: -number.low,
        })),
        Expression::Not(of) => Bounds::Truth(bounds(of, over).truth().map(|truth| !truth)),
        Expression::Two(operator, two) => join(*operator, bounds(&two[0], over), bounds(&two[1], over)),
    }
}

fn join(operator: Operator, left: Bounds, right: Bounds) -> Bounds {
    let numbers = left.number().zip(right.number());
    let compare = |surely: fn(Interval, Interval) -> bool, possibly: fn(Interval, Interval) -> bool| {
        Bounds::Truth(match numbers {
            Some((a, b)) if surely(a, b) => Some(true),
            Some((a, b)) if possibly(a, b) => None,
            _ => Some(false),
        })
    };
    let are_one = |a: Interval, b: Interval| a.low >= b.high && a.high <= b.low;
    let overlap = |a: Interval, b: Interval| a.low <= b.high && b.low <= a.high;
    let calculate = |operation: fn(f64, f64) -> f64| {
        Bounds::Number(numbers.and_then(|(a, b)| {
            let result = a.joined(b, operation);
            // If both intervals are finite, an operation without a finite result has no value. If an interval is
            // infinite, any result is possible.
            let is_known = a.is_finite() && b.is_finite();
            (!is_known || result.low.is_finite() || result.high.is_finite()).then_some(result)
        }))
    };
    match operator {
        Operator::And => Bounds::Truth(match (left.truth(), right.truth()) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }),
        Operator::Or => Bounds::Truth(match (left.truth(), right.truth()) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        }),
        Operator::Less => compare(|a, b| a.high < b.low, |a, b| a.low < b.high),
        Operator::AtMost => compare(|a, b| a.high <= b.low, |a, b| a.low <= b.high),
        Operator::More => compare(|a, b| a.low > b.high, |a, b| a.high > b.low),
        Operator::AtLeast => compare(|a, b| a.low >= b.high, |a, b| a.high >= b.low),
        Operator::Equal => compare(are_one, overlap),
        Operator::Differs => match join(Operator::Equal, left, right).truth() {
            _ if numbers.is_none() => Bounds::Truth(Some(false)),
            equal => Bounds::Truth(equal.map(|equal| !equal)),
        },
        Operator::Add => calculate(|a, b| a + b),
        Operator::Subtract => calculate(|a, b| a - b),
        Operator::Times => calculate(|a, b| a * b),
        Operator::Divide => match numbers {
            // A division by 0 has no value. If the divisor may also be another number, any result is possible.
            Some((_, b)) if b.contains(0.0) => Bounds::Number((b.low < b.high).then(Interval::unbounded)),
            _ => calculate(|a, b| a / b),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::lookup::{MetricLookup, MetricValue, SampleLookup, evaluate};
    use crate::design::expect::{Aggregate, Metric, parse};

    #[test]
    fn a_share_is_decided_where_its_interval_lies_on_one_side() {
        use Outcome::{Fails, Holds, NeedsMoreSeeds};
        for (met, seeds, needed, expected) in [
            (96, 100, 0.95, NeedsMoreSeeds),
            (94, 100, 0.95, NeedsMoreSeeds),
            (99, 100, 0.9, Holds),
            (80, 100, 0.95, Fails),
            // An expectation for every dungeon: one failing dungeon decides.
            (100, 100, 1.0, Holds),
            (99, 100, 1.0, Fails),
            (0, 0, 1.0, NeedsMoreSeeds),
            (0, 100, 0.0, Holds),
        ] {
            assert_eq!(
                Outcome::of_share(met, seeds, needed),
                expected,
                "{met} of {seeds} for {needed}"
            );
        }
    }

    /// The values of the mean and the median in these tests.
    struct Known([f64; 2]);

    fn index(over: Aggregate) -> usize {
        usize::from(over != Aggregate::Mean)
    }

    impl SampleLookup for Known {
        fn over(&self, over: Aggregate, _: &Expression) -> Option<f64> {
            Some(self.0[index(over)])
        }
    }

    impl MetricLookup for Known {
        fn value(&self, _: Metric) -> MetricValue {
            MetricValue::Number(None)
        }
    }

    const CONDITIONS: [&str; 11] = [
        "mean path < median path",
        "mean path <= 2 * median path - 1",
        "mean path > -median path",
        "not mean path >= median path",
        "mean path == median path",
        "mean path != median path",
        "mean path > 1 and median path > 1",
        "mean path > 1 or median path > 1",
        "mean path / median path >= 1",
        "mean path * median path > 2",
        "1 / (median path) > 0 or mean path < 1",
    ];

    proptest! {
        #[test]
        fn a_known_truth_holds_everywhere_in_the_intervals(
            condition in 0..CONDITIONS.len(), ends in prop::array::uniform4(-5..=5_i8), at in prop::array::uniform2(0..=8_u8),
        ) {
            let condition = parse(CONDITIONS[condition]).unwrap().condition;
            // The values −5 and 5 represent infinite ends, as after too few seeds.
            let end = |end: i8| if end.abs() == 5 { f64::from(end) * f64::INFINITY } else { f64::from(end) };
            let interval = |a: i8, b: i8| match (a.min(b), a.max(b)) {
                (low, high) if low == high => Interval::point(f64::from(low)),
                (low, high) => Interval { low: end(low), high: end(high) },
            };
            let intervals = [interval(ends[0], ends[1]), interval(ends[2], ends[3])];
            let within = |one: &Expression| match one {
                Expression::Over(over, _) => Some(intervals[index(*over)]),
                _ => None,
            };
            let place = |which: usize| {
                let Interval { low, high } = intervals[which];
                let (low, high) = (low.max(-9.0), high.min(9.0));
                low + (high - low) * f64::from(at[which]) / 8.0
            };
            let known = Known([place(0), place(1)]);
            if let Some(truth) = truth_within(&condition, &within) {
                prop_assert_eq!(truth, evaluate(&condition, &known, &known).holds(), "{:?}", known.0);
            }
        }
    }

    #[test]
    fn results_from_too_few_seeds_are_unknown() {
        for text in [
            "mean path + 1 > 5",
            "mean path - median path > -9",
            "2 * mean path > 5",
            "median path / 2 > 5",
            "-mean path < 9",
        ] {
            let condition = parse(text).unwrap().condition;
            assert_eq!(
                truth_within(&condition, &|_| Some(Interval::unbounded())),
                None,
                "{text}"
            );
        }
    }

    #[test]
    fn a_division_by_zero_has_no_value_even_after_too_few_seeds() {
        let condition = parse("mean path / median path >= 1").unwrap().condition;
        let within = |one: &Expression| match one {
            Expression::Over(Aggregate::Mean, _) => Some(Interval {
                low: 1.0,
                high: f64::INFINITY,
            }),
            _ => Some(Interval::point(0.0)),
        };
        assert_eq!(truth_within(&condition, &within), Some(false));
    }

    #[test]
    fn zero_equals_minus_zero() {
        let known = Known([0.0, 0.0]);
        for (text, expected) in [
            ("-mean path == median path", true),
            ("-mean path != median path", false),
        ] {
            let condition = parse(text).unwrap().condition;
            assert_eq!(evaluate(&condition, &known, &known).holds(), expected, "{text}");
            assert_eq!(
                truth_within(&condition, &|_| Some(Interval::point(0.0))),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn intervals_of_one_point_are_decided_like_numbers() {
        for text in CONDITIONS {
            let condition = parse(text).unwrap().condition;
            for (mean, median) in [(1.0, 2.0), (2.0, 2.0), (3.0, -1.0), (0.5, 4.0)] {
                let known = Known([mean, median]);
                let point = |one: &Expression| match one {
                    Expression::Over(over, of) => known.over(*over, of).map(Interval::point),
                    _ => None,
                };
                let expected = evaluate(&condition, &known, &known).holds();
                assert_eq!(
                    truth_within(&condition, &point),
                    Some(expected),
                    "{text} {mean} {median}"
                );
            }
        }
    }
}

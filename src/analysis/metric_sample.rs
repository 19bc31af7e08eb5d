//! A sample of many dungeons of one design: the values of some metrics for each seed, and the verdicts on expectations.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::design::Design;
use crate::design::expect::{self, Aggregate, Expectation, Expression, Metric};
use crate::text::{plural, thousands};

use super::interval::{Interval, NORMAL_975, seeds_that_decide};
use super::lookup::{MetricLookup, MetricValue, SampleLookup, evaluate, margin};
use super::outcome::{Outcome, truth_within};

/// Largest number of seeds that is considered when [`Verdict::more_seeds`] is estimated for a condition on aggregates.
const MOST_SEEDS: u64 = 10_000_000;

/// For each of many seeds, the values of the metrics that some expectations need.
#[derive(Debug, Clone, Default)]
pub struct MetricSample {
    metrics: Vec<Metric>,
    seeds: Vec<u64>,
    /// Values in the order of `seeds`: for each seed, one value per metric.
    values: Vec<MetricValue>,
}

/// One dungeon of a sample or of a table of trials.
pub(super) struct SampledDungeon<'a> {
    /// Metrics to which the values belong.
    pub(super) metrics: &'a [Metric],
    pub(super) values: &'a [MetricValue],
}

/// A dungeon without metrics, for evaluating a condition that contains only aggregates.
const NONE: SampledDungeon = SampledDungeon {
    metrics: &[],
    values: &[],
};

impl MetricLookup for SampledDungeon<'_> {
    fn value(&self, metric: Metric) -> MetricValue {
        let known = self.metrics.iter().position(|known| *known == metric);
        known.map_or(MetricValue::Number(None), |i| self.values[i])
    }
}

impl SampleLookup for MetricSample {
    fn over(&self, over: Aggregate, of: &Expression) -> Option<f64> {
        let numbers = self.numbers(of);
        match over {
            _ if numbers.is_empty() => None,
            Aggregate::Mean => Some(numbers.iter().sum::<f64>() / numbers.len() as f64),
            Aggregate::Quantile(thousandths) => Some(numbers[rank(numbers.len() as u64, thousandths) as usize]),
        }
    }
}

/// Returns the 0-based rank of a quantile among `count` sorted values. The quantile is the lowest value that is at
/// least as high as `thousandths`/1000 of all the values.
pub const fn rank(count: u64, thousandths: u16) -> u64 {
    let at = (count as u128 * thousandths as u128).div_ceil(1000) as u64;
    at.saturating_sub(1)
}

/// The result of evaluating an expectation over a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the expectation holds over the seeds of the sample.
    pub holds: bool,
    /// Conclusion about all seeds, drawn from the sample.
    #[serde(default)]
    pub outcome: Outcome,
    /// Approximate number of additional seeds that are needed for a decision if the seeds of the sample are typical;
    /// `None` if the sample has enough seeds, or if no sufficient number is known.
    #[serde(default)]
    pub more_seeds: Option<u64>,
    /// Seeds whose dungeons fail the condition, in sample order. Empty for a condition that contains only aggregates.
    pub failing: Vec<u64>,
    /// Number of seeds in the sample.
    pub seeds: u64,
    /// Whether the condition applies to each dungeon separately.
    pub is_of_one: bool,
}

impl Verdict {
    /// Returns the number of dungeons that meet the condition.
    pub fn met(&self) -> u64 {
        self.seeds - self.failing.len() as u64
    }

    /// Returns the 95% confidence interval for the share of all seeds whose dungeons meet the condition; `None` for a
    /// condition that contains only aggregates.
    pub fn share(&self) -> Option<Interval> {
        self.is_of_one.then(|| Interval::of_share(self.met(), self.seeds))
    }

    /// Describes the outcome, such as `needs about 1,800 more seeds` or `holds`.
    pub fn description(&self) -> String {
        match (self.outcome, self.more_seeds) {
            (Outcome::NeedsMoreSeeds, Some(more)) => {
                let more = rounded_up(more);
                format!("needs about {} more {}", thousands(more), plural(more, "seed"))
            }
            (outcome, _) => outcome.to_string(),
        }
    }
}

/// Rounds a count up to two significant digits.
fn rounded_up(count: u64) -> u64 {
    let unit = 10_u64.pow(count.max(1).ilog10().saturating_sub(1));
    count.div_ceil(unit) * unit
}

impl MetricSample {
    /// Creates an empty sample for the metrics that these expectations need.
    pub fn new<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Self {
        let mut metrics = Vec::new();
        for expectation in expectations {
            expectation.condition.metrics(&mut |metric, _| metrics.push(metric));
        }
        metrics.sort_unstable();
        metrics.dedup();
        Self {
            metrics,
            ..Self::default()
        }
    }

    /// Returns the values of the sample's metrics in a dungeon, in the sample's order.
    pub fn values_of(&self, known: &impl MetricLookup) -> Vec<MetricValue> {
        self.metrics.iter().map(|&metric| known.value(metric)).collect()
    }

    /// Adds a dungeon. Its `values` must be those that [`Self::values_of`] returned.
    pub fn add(&mut self, seed: u64, values: Vec<MetricValue>) {
        self.seeds.push(seed);
        self.values.extend(values);
    }

    /// Returns the number of dungeons.
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Returns whether there are no dungeons.
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    fn one(&self, index: usize) -> SampledDungeon<'_> {
        let count = self.metrics.len();
        SampledDungeon {
            metrics: &self.metrics,
            values: &self.values[index * count..(index + 1) * count],
        }
    }

    /// Evaluates an expectation over the sample. The expectation must be one of those passed to [`Self::new`]. Without
    /// dungeons, no expectation holds, and none is decided.
    pub fn verdict(&self, expectation: &Expectation) -> Verdict {
        let seeds = self.len() as u64;
        if seeds == 0 {
            return Verdict {
                holds: false,
                outcome: Outcome::NeedsMoreSeeds,
                more_seeds: None,
                failing: Vec::new(),
                seeds,
                is_of_one: expectation.condition.is_of_one(),
            };
        }
        if !expectation.condition.is_of_one() {
            let holds = evaluate(&expectation.condition, &NONE, self).holds();
            let truth = |seeds| self.truth_at(&expectation.condition, seeds);
            let outcome = Outcome::of_truth(truth(seeds));
            let more = |of: &u64| Some(of + of / 8 + 1).filter(|of| *of <= MOST_SEEDS);
            let needed = std::iter::successors(Some(seeds), more).find(|of| truth(*of).is_some());
            return Verdict {
                holds,
                outcome,
                more_seeds: needed.map(|needed| needed - seeds).filter(|more| *more > 0),
                failing: Vec::new(),
                seeds,
                is_of_one: false,
            };
        }
        let condition = resolved(&expectation.condition, &|over, of| self.over(over, of));
        let fails = |i: &usize| !evaluate(&condition, &self.one(*i), &()).holds();
        let failing: Vec<u64> = (0..self.len()).filter(fails).map(|i| self.seeds[i]).collect();
        let met = seeds - failing.len() as u64;
        let needed = expectation.share.unwrap_or(1.0);
        let outcome = Outcome::of_share(met, seeds, needed);
        let more_seeds = match outcome {
            Outcome::NeedsMoreSeeds => seeds_that_decide(met as f64 / seeds as f64, needed),
            _ => None,
        };
        Verdict {
            // The tolerance is needed because the product of a decimal share and the number of seeds is rounded.
            holds: met as f64 + 1e-9 >= needed * seeds as f64,
            outcome,
            more_seeds: more_seeds.map(|needed| needed.saturating_sub(seeds).max(1)),
            failing,
            seeds,
            is_of_one: true,
        }
    }

    /// Returns whether a condition on aggregates holds for all values of the aggregates within their intervals; `None`
    /// if it holds for only some of them. The intervals are as wide as they would be for `seeds` seeds like those of
    /// the sample.
    fn truth_at(&self, condition: &Expression, seeds: u64) -> Option<bool> {
        truth_within(condition, &|aggregate| match aggregate {
            Expression::Over(over, of) => self.interval(*over, &self.numbers(of), seeds),
            _ => None,
        })
    }

    /// Returns the 95% confidence interval for an aggregate over `numbers`, which must be in ascending order; `None` if
    /// there are no numbers. The interval is as wide as it would be for `seeds` seeds like those of the sample.
    fn interval(&self, over: Aggregate, numbers: &[f64], seeds: u64) -> Option<Interval> {
        // Assumes that the share of dungeons without a value stays the same.
        let seeds = (seeds * numbers.len() as u64).div_ceil(self.len().max(1) as u64);
        (!numbers.is_empty()).then(|| match over {
            Aggregate::Mean => Interval::of_mean(numbers, seeds),
            Aggregate::Quantile(thousandths) => Interval::of_quantile(numbers, thousandths, seeds),
        })
    }

    /// Returns the values of an expression in ascending order. Dungeons in which the expression has no value are left
    /// out.
    fn numbers(&self, of: &Expression) -> Vec<f64> {
        let numbers = (0..self.seeds.len()).filter_map(|i| evaluate(of, &self.one(i), &()).number());
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers
    }

    /// Returns how far an expectation is from holding over the sample: 0 if it holds, higher is worse. For a condition
    /// that applies to each dungeon separately, the result combines two things: the share of dungeons that still have
    /// to pass, and the margins by which dungeons fail, relative to the numbers compared. It is therefore lower if the
    /// same number of dungeons fail by smaller margins.
    pub fn shortfall(&self, expectation: &Expectation) -> f64 {
        let condition = resolved(&expectation.condition, &|over, of| self.over(over, of));
        if expectation.condition.is_of_one() {
            return self.shortfall_of_share(&condition, expectation.share.unwrap_or(1.0));
        }
        if evaluate(&condition, &NONE, &()).holds() {
            return 0.0;
        }
        deficit(&condition, &NONE).max(1e-3)
    }

    /// Returns how far an expectation is from [holding](Outcome::Holds) for all seeds, assuming a sample of `seeds`
    /// seeds like those of this sample; 0 if it would hold, higher is worse. An expectation that every dungeon must
    /// meet needs no margin for uncertainty: its [shortfall](Self::shortfall) is returned.
    pub fn shortfall_of_margin(&self, expectation: &Expectation, seeds: u64) -> f64 {
        let condition = &expectation.condition;
        if condition.is_of_one() {
            let share = expectation.share.unwrap_or(1.0);
            let error = (share * (1.0 - share) / seeds.max(1) as f64).sqrt();
            let condition = resolved(condition, &|over, of| self.over(over, of));
            return self.shortfall_of_share(&condition, (share + NORMAL_975 * error).min(1.0));
        }
        if self.truth_at(condition, seeds) == Some(true) {
            return 0.0;
        }
        // The deficits at the low ends and at the high ends of all intervals; the worse one counts. An end beyond the
        // sample's minimum or maximum is replaced by that value.
        let worst = [true, false].map(|is_low| {
            let end = |over: Aggregate, of: &Expression| {
                let numbers = self.numbers(of);
                let Interval { low, high } = self.interval(over, &numbers, seeds)?;
                let (least, most) = (numbers.first()?, numbers.last()?);
                Some(if is_low { low.max(*least) } else { high.min(*most) })
            };
            deficit(&resolved(condition, &end), &NONE)
        });
        worst[0].max(worst[1]).max(1e-3)
    }

    /// Returns how far a condition without aggregates is from holding for the share `needed` of the dungeons.
    fn shortfall_of_share(&self, condition: &Expression, needed: f64) -> f64 {
        let mut deficits: Vec<f64> = (0..self.len())
            .map(|i| self.one(i))
            .filter(|one| !evaluate(condition, one, &()).holds())
            .map(|one| deficit(condition, &one))
            .collect();
        let seeds = self.len() as f64;
        let allowed = (seeds * (1.0 - needed) + 1e-9) as usize;
        if deficits.len() <= allowed {
            return 0.0;
        }
        // The `allowed` dungeons with the largest deficits are ignored.
        deficits.sort_unstable_by(f64::total_cmp);
        let over = deficits.len() - allowed;
        (over as f64 + deficits[..over].iter().sum::<f64>()) / seeds.max(1.0)
    }

    /// Returns, for each seed, how badly its dungeon fails an expectation: 0 if the dungeon meets it, otherwise from 1
    /// to 2. A condition on aggregates is converted to a [condition on each dungeon](alone).
    pub fn severities(&self, expectation: &Expectation) -> Vec<(u64, f64)> {
        let condition = alone(&expectation.condition);
        let condition = resolved(&condition, &|over, of| self.over(over, of));
        let severity = |i: usize| {
            if evaluate(&condition, &self.one(i), &()).holds() {
                0.0
            } else {
                1.0 + deficit(&condition, &self.one(i))
            }
        };
        (0..self.len()).map(|i| (self.seeds[i], severity(i))).collect()
    }

    /// Describes the metrics in an expression for a seed, each once, such as `path 164, dead-ends 31`. An aggregate is
    /// followed by its 95% interval: `median dead-ends 42 [40, 45]`.
    pub fn explain(&self, condition: &Expression, seed: Option<u64>) -> String {
        let index = seed.and_then(|seed| self.seeds.iter().position(|known| *known == seed));
        let mut parts: Vec<String> = Vec::new();
        if let Some(index) = index {
            condition.metrics(&mut |metric, over| {
                if !over {
                    parts.push(format!("{metric} {}", shown(self.one(index).value(metric))));
                }
            });
        }
        self.explain_over(condition, &mut parts);
        let mut described = BTreeSet::new();
        parts.retain(|part| described.insert(part.clone()));
        parts.join(", ")
    }

    fn explain_over(&self, expression: &Expression, parts: &mut Vec<String>) {
        match expression {
            Expression::Over(over, of) => {
                let number = MetricValue::Number(self.over(*over, of));
                let interval = self.interval(*over, &self.numbers(of), self.len() as u64);
                // The interval is omitted for a minimum or maximum, which has none, and if there are too few seeds to
                // determine either end.
                let interval = interval.filter(|of| of.low < of.high && (of.low.is_finite() || of.high.is_finite()));
                let interval = interval.map_or_else(String::new, |interval| format!(" {}", ends(interval)));
                parts.push(format!("{expression} {}{interval}", shown(number)));
            }
            Expression::Minus(of) | Expression::Not(of) => self.explain_over(of, parts),
            Expression::Two(_, two) => two.iter().for_each(|one| self.explain_over(one, parts)),
            Expression::Number(_) | Expression::Metric(_) => {}
        }
    }
}

/// Returns an expression in which each aggregate is replaced by the number that `value` returns for it.
fn resolved(expression: &Expression, value: &impl Fn(Aggregate, &Expression) -> Option<f64>) -> Expression {
    match expression {
        Expression::Over(over, of) => Expression::Number(value(*over, of).unwrap_or(f64::NAN)),
        Expression::Minus(of) => Expression::Minus(Box::new(resolved(of, value))),
        Expression::Not(of) => Expression::Not(Box::new(resolved(of, value))),
        Expression::Two(operator, two) => Expression::Two(
            *operator,
            Box::new([resolved(&two[0], value), resolved(&two[1], value)]),
        ),
        Expression::Number(_) | Expression::Metric(_) => expression.clone(),
    }
}

/// Returns by how much a dungeon fails a condition, relative to the numbers compared, from 0 to 1.
fn deficit(condition: &Expression, one: &impl MetricLookup) -> f64 {
    let missing = -margin(condition, one);
    if missing.is_nan() { 1.0 } else { missing.clamp(0.0, 1.0) }
}

/// Converts a condition to a condition on single dungeons. If all metrics of the condition are in aggregates, the
/// aggregates are removed, so that `median dead-ends <= 40` becomes `dead-ends <= 40`. Any other condition is returned
/// unchanged, because it already applies to single dungeons.
pub fn alone(condition: &Expression) -> Expression {
    fn without(expression: &Expression) -> Expression {
        match expression {
            Expression::Over(_, of) => without(of),
            Expression::Minus(of) => Expression::Minus(Box::new(without(of))),
            Expression::Not(of) => Expression::Not(Box::new(without(of))),
            Expression::Two(operator, two) => {
                Expression::Two(*operator, Box::new([without(&two[0]), without(&two[1])]))
            }
            Expression::Number(_) | Expression::Metric(_) => expression.clone(),
        }
    }
    if condition.is_of_one() {
        condition.clone()
    } else {
        without(condition)
    }
}

/// Formats a value for display.
fn shown(value: MetricValue) -> String {
    match value {
        MetricValue::Truth(true) => "yes".into(),
        MetricValue::Truth(false) => "no".into(),
        MetricValue::Number(None) => "none".into(),
        MetricValue::Number(Some(number)) => decimal((number * 1e4).round() as i64),
    }
}

/// Formats an interval of a metric: `[40, 45]`, or `[40, ∞)` if there are too few seeds to determine an end.
fn ends(Interval { low, high }: Interval) -> String {
    // Four significant digits, but always all digits before the decimal point.
    let scale = low.abs().max(high.abs());
    let finite = if scale.is_finite() {
        scale
    } else {
        low.abs().min(high.abs())
    };
    let digits = if finite.is_finite() && finite > 0.0 {
        (3.0 - finite.log10().floor()).clamp(0.0, 4.0)
    } else {
        0.0
    };
    let number = |end: f64| {
        shown(MetricValue::Number(Some(
            (end * 10_f64.powf(digits)).round() / 10_f64.powf(digits),
        )))
    };
    let open = if low.is_finite() {
        format!("[{}", number(low))
    } else {
        "(−∞".into()
    };
    let close = if high.is_finite() {
        format!("{}]", number(high))
    } else {
        "∞)".into()
    };
    format!("{open}, {close}")
}

/// Formats ten-thousandths as a decimal number, without trailing zeros.
pub fn decimal(ten_thousandths: i64) -> String {
    decimal_in(ten_thousandths, 4)
}

/// Formats `number` divided by 10 to the power of `places`, as a decimal number without trailing zeros.
pub(super) fn decimal_in(number: i64, places: usize) -> String {
    let sign = if number < 0 { "-" } else { "" };
    // The last `places` digits follow the decimal point, and at least one digit precedes it.
    let digits = format!("{:0least$}", number.unsigned_abs(), least = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    match part.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        part => format!("{sign}{whole}.{part}"),
    }
}

/// Returns the valid expectations of a design, each with its index in the design's list of expectations.
pub fn expectations(design: &Design) -> Vec<(usize, Expectation)> {
    let texts = design.expect.that.iter().enumerate();
    let usable = texts.filter(|(_, text)| expect::problems(text, design).is_empty());
    usable
        .filter_map(|(i, text)| Some((i, expect::parse(text).ok()?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::expect::DungeonMetric;

    /// Returns the verdict of an expectation over dungeons with these numbers of dead ends.
    fn verdict(text: &str, dead_ends: impl IntoIterator<Item = u32>) -> (Verdict, String) {
        let expectation = expect::parse(text).unwrap();
        let mut sample = MetricSample::new([&expectation]);
        for (seed, number) in (0..).zip(dead_ends) {
            sample.add(seed, vec![MetricValue::from(f64::from(number))]);
        }
        assert_eq!(sample.metrics, [Metric::Plain(DungeonMetric::DeadEnds)]);
        (
            sample.verdict(&expectation),
            sample.explain(&expectation.condition, None),
        )
    }

    #[test]
    fn a_share_near_the_needed_one_needs_more_seeds() {
        let of = |few: u32, text| verdict(text, (0..100).map(|seed| u32::from(seed < few))).0;
        let near = of(4, "dead-ends == 0 in 95%");
        assert_eq!(
            (near.holds, near.outcome, near.description().as_str()),
            (true, Outcome::NeedsMoreSeeds, "needs about 1,800 more seeds")
        );
        assert_eq!(near.share().unwrap().percent(), "[90%, 99%]");
        let below = of(7, "dead-ends == 0 in 95%");
        assert_eq!((below.holds, below.outcome), (false, Outcome::NeedsMoreSeeds));
        assert_eq!(of(5, "dead-ends == 0 in 95%").description(), "needs more seeds");
        assert_eq!(of(0, "dead-ends == 0 in 95%").description(), "holds");
        assert_eq!(of(30, "dead-ends == 0 in 95%").description(), "fails");
        // Without a share, one failing dungeon decides.
        assert_eq!(of(0, "dead-ends == 0").description(), "holds");
        assert_eq!(of(1, "dead-ends == 0").description(), "fails");
    }

    #[test]
    fn no_number_of_seeds_decides_a_share_that_equals_the_needed_one() {
        // 99.4 / 100 is not exactly 994 / 1000 in binary.
        let equal = verdict("dead-ends == 0 in 99.4%", (0..1000).map(|seed| u32::from(seed < 6))).0;
        assert_eq!((equal.holds, equal.more_seeds), (true, None));
        assert_eq!(equal.description(), "needs more seeds");
    }

    #[test]
    fn a_metric_that_occurs_twice_is_described_once() {
        let expectation = expect::parse("path >= 150 and loops > 2 and path <= 200").unwrap();
        let mut sample = MetricSample::new([&expectation]);
        let values = sample.metrics.iter().map(|metric| match metric {
            Metric::Plain(DungeonMetric::Path) => MetricValue::from(140.0),
            _ => MetricValue::from(7.0),
        });
        let values = values.collect();
        sample.add(5, values);
        assert_eq!(sample.explain(&expectation.condition, Some(5)), "path 140, loops 7");
        let (_, explained) = verdict(
            "least dead-ends > 0 and most dead-ends < 9 and least dead-ends < 3",
            [2, 4],
        );
        assert_eq!(explained, "least dead-ends 2, most dead-ends 4");
    }

    #[test]
    fn nothing_is_decided_without_dungeons() {
        for text in [
            "dead-ends == 0",
            "dead-ends == 0 in 95%",
            "median dead-ends <= 10",
            "least dead-ends > 3",
        ] {
            let none = verdict(text, []).0;
            assert_eq!(
                (none.holds, none.description().as_str()),
                (false, "needs more seeds"),
                "{text}"
            );
        }
    }

    #[test]
    fn one_more_seed_is_no_plural() {
        let mut one = verdict("dead-ends == 0 in 95%", [0]).0;
        one.more_seeds = Some(1);
        assert_eq!(one.description(), "needs about 1 more seed");
        one.more_seeds = Some(2);
        assert_eq!(one.description(), "needs about 2 more seeds");
    }

    #[test]
    fn a_margin_is_judged_for_a_hundred_seeds() {
        let margin = |text: &str, dead_ends: &[u32]| {
            let expectation = expect::parse(text).unwrap();
            let mut sample = MetricSample::new([&expectation]);
            for (seed, number) in (0..).zip(dead_ends) {
                sample.add(seed, vec![MetricValue::from(f64::from(*number))]);
            }
            (
                sample.shortfall(&expectation),
                sample.shortfall_of_margin(&expectation, 100),
            )
        };
        let few = |few: u32| (0..50).map(|seed| u32::from(seed < few)).collect::<Vec<_>>();
        // For a hundred seeds, 80% plus 1.96 standard errors is 87.8%.
        assert_eq!(margin("dead-ends == 0 in 80%", &few(6)), (0.0, 0.0));
        let (shortfall, short) = margin("dead-ends == 0 in 80%", &few(8));
        assert!(shortfall == 0.0 && short > 0.0, "{short}");
        assert!(margin("dead-ends == 0 in 80%", &few(12)).0 > 0.0);
        // Without a share there is no margin.
        assert_eq!(margin("dead-ends <= 1", &few(8)), (0.0, 0.0));
        let spread: Vec<u32> = (0..50).collect();
        let (shortfall, short) = margin("median dead-ends <= 26", &spread);
        assert!(shortfall == 0.0 && short > 0.0, "{short}");
        assert_eq!(margin("median dead-ends <= 33", &spread), (0.0, 0.0));
    }

    #[test]
    fn a_condition_on_aggregates_becomes_one_on_each_dungeon() {
        let condition = expect::parse("median (path / 2) - mean fill * 3 <= most loops")
            .unwrap()
            .condition;
        assert_eq!(alone(&condition).to_string(), "((path / 2) - (fill * 3)) <= loops");
        let condition = expect::parse("path >= median path").unwrap().condition;
        assert_eq!(alone(&condition), condition);
    }

    #[test]
    fn the_estimated_number_of_seeds_decides() {
        for few in [2, 3, 7, 8] {
            let of = |scale: u32| {
                verdict(
                    "dead-ends == 0 in 95%",
                    (0..100 * scale).map(|seed| u32::from(seed % 100 < few)),
                )
                .0
            };
            let more = of(1).more_seeds.unwrap() as u32;
            assert_ne!(
                of(more.div_ceil(100) + 1).outcome,
                Outcome::NeedsMoreSeeds,
                "{few}: {more}"
            );
            assert_eq!(of((more + 100) / 150).outcome, Outcome::NeedsMoreSeeds, "{few}: {more}");
        }
    }

    #[test]
    fn a_quantile_is_decided_by_its_interval() {
        let spread = || (0..100_u32).map(|seed| seed % 20);
        let (unsure, explained) = verdict("median dead-ends <= 10", spread());
        assert_eq!((unsure.holds, unsure.outcome), (true, Outcome::NeedsMoreSeeds));
        assert_eq!(explained, "median dead-ends 9 [7, 12]");
        // A sample that is larger by this number, with the same distribution, decides.
        let more = unsure.more_seeds.unwrap();
        let scale = (more + 100).div_ceil(100) as usize;
        let many = (0..scale).flat_map(|_| spread());
        assert_eq!(
            verdict("median dead-ends <= 10", many).0.outcome,
            Outcome::Holds,
            "{more}"
        );
        assert_eq!(verdict("median dead-ends <= 12", spread()).0.description(), "holds");
        assert_eq!(verdict("median dead-ends <= 6", spread()).0.description(), "fails");
        // The sample's minimum and maximum decide without an interval.
        assert_eq!(verdict("most dead-ends <= 19", spread()).0.description(), "holds");
        assert_eq!(
            verdict("mean dead-ends <= 9.6", spread()).0.outcome,
            Outcome::NeedsMoreSeeds
        );
        assert_eq!(verdict("p90 dead-ends <= 3", 0..9).1, "p90 dead-ends 8 [5, ∞)");
    }
}

//! A sample of many dungeons of one design: the values of some metrics for each seed, and the results of expectations.

use serde::{Deserialize, Serialize};

use crate::design::Design;
use crate::design::expect::{self, Aggregate, Expectation, Expression, Metric};

use super::lookup::{MetricLookup, MetricValue, SampleLookup, evaluate, margin};

/// The metrics that some expectations need, for each of many seeds.
#[derive(Debug, Clone, Default)]
pub struct MetricSample {
    figures: Vec<Metric>,
    seeds: Vec<u64>,
    /// Values of all seeds in order; for each seed one value per metric.
    values: Vec<MetricValue>,
}

/// One dungeon of a sample.
struct SampledDungeon<'a> {
    figures: &'a [Metric],
    values: &'a [MetricValue],
}

impl MetricLookup for SampledDungeon<'_> {
    fn value(&self, figure: Metric) -> MetricValue {
        let known = self.figures.iter().position(|known| *known == figure);
        known.map_or(MetricValue::Number(None), |i| self.values[i])
    }
}

impl SampleLookup for MetricSample {
    fn over(&self, over: Aggregate, of: &Expression) -> Option<f64> {
        let numbers = (0..self.seeds.len()).filter_map(|i| evaluate(of, &self.one(i), &()).number());
        let mut numbers: Vec<f64> = numbers.collect();
        match over {
            _ if numbers.is_empty() => None,
            Aggregate::Mean => Some(numbers.iter().sum::<f64>() / numbers.len() as f64),
            Aggregate::Quantile(thousandths) => {
                numbers.sort_unstable_by(f64::total_cmp);
                Some(numbers[rank(numbers.len() as u64, thousandths) as usize])
            }
        }
    }
}

/// Returns the 0-based rank of a quantile among `count` sorted values: of the least value at or below which
/// `thousandths` thousandths of them are.
pub(super) const fn rank(count: u64, thousandths: u16) -> u64 {
    let at = (count as u128 * thousandths as u128).div_ceil(1000) as u64;
    at.saturating_sub(1)
}

/// The result of an expectation over a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the expectation holds.
    pub holds: bool,
    /// Seeds whose dungeons fail the condition, in sample order. Empty for a condition on aggregates only.
    pub failing: Vec<u64>,
    /// Number of seeds in the sample.
    pub seeds: u64,
    /// Whether the condition applies to each dungeon separately.
    pub is_of_one: bool,
}

impl MetricSample {
    /// Creates an empty sample of the metrics that these expectations need.
    pub fn new<'a>(expectations: impl IntoIterator<Item = &'a Expectation>) -> Self {
        let mut figures = Vec::new();
        for expectation in expectations {
            expectation.condition.figures(&mut |figure, _| figures.push(figure));
        }
        figures.sort_unstable();
        figures.dedup();
        Self {
            figures,
            ..Self::default()
        }
    }

    /// Returns the values of the sample's metrics in a dungeon, in the sample's order.
    pub fn values_of(&self, known: &impl MetricLookup) -> Vec<MetricValue> {
        self.figures.iter().map(|&figure| known.value(figure)).collect()
    }

    /// Adds a dungeon; `values` are those of [`Self::values_of`].
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
        let count = self.figures.len();
        SampledDungeon {
            figures: &self.figures,
            values: &self.values[index * count..(index + 1) * count],
        }
    }

    /// Evaluates an expectation over the sample; it must be one of those passed to [`Self::new`].
    pub fn verdict(&self, expectation: &Expectation) -> Verdict {
        let seeds = self.len() as u64;
        let condition = self.resolved(&expectation.condition);
        if !expectation.condition.is_of_one() {
            let holds = evaluate(
                &condition,
                &SampledDungeon {
                    figures: &[],
                    values: &[],
                },
                &(),
            )
            .holds();
            return Verdict {
                holds,
                failing: Vec::new(),
                seeds,
                is_of_one: false,
            };
        }
        let fails = |i: &usize| !evaluate(&condition, &self.one(*i), &()).holds();
        let failing: Vec<u64> = (0..self.len()).filter(fails).map(|i| self.seeds[i]).collect();
        let met = seeds - failing.len() as u64;
        let needed = expectation.share.unwrap_or(1.0);
        Verdict {
            // A tolerance, since the share is a decimal number and the product is rounded.
            holds: met as f64 + 1e-9 >= needed * seeds as f64,
            failing,
            seeds,
            is_of_one: true,
        }
    }

    /// Returns how far an expectation is from holding over the sample: 0 if it holds, higher is worse. It combines the
    /// share of dungeons that are missing with the margins by which failing dungeons fail, relative to the numbers
    /// compared; so it decreases before the first of them passes.
    pub fn shortfall(&self, expectation: &Expectation) -> f64 {
        let condition = self.resolved(&expectation.condition);
        let deficit = |one: &SampledDungeon| {
            let missing = -margin(&condition, one);
            if missing.is_nan() { 1.0 } else { missing.clamp(0.0, 1.0) }
        };
        if !expectation.condition.is_of_one() {
            let none = SampledDungeon {
                figures: &[],
                values: &[],
            };
            let holds = evaluate(&condition, &none, &()).holds();
            return if holds { 0.0 } else { deficit(&none).max(1e-3) };
        }
        let mut deficits: Vec<f64> = (0..self.len())
            .map(|i| self.one(i))
            .filter(|one| !evaluate(&condition, one, &()).holds())
            .map(|one| deficit(&one))
            .collect();
        let (seeds, needed) = (self.len() as f64, expectation.share.unwrap_or(1.0));
        let allowed = (seeds * (1.0 - needed) + 1e-9) as usize;
        if deficits.len() <= allowed {
            return 0.0;
        }
        // Only the largest deficits are dropped: as many dungeons as are allowed to fail.
        deficits.sort_unstable_by(f64::total_cmp);
        let over = deficits.len() - allowed;
        (over as f64 + deficits[..over].iter().sum::<f64>()) / seeds.max(1.0)
    }

    /// Returns an expression with its aggregates replaced by their values.
    fn resolved(&self, expression: &Expression) -> Expression {
        match expression {
            Expression::Over(over, of) => {
                let number = self.over(*over, of);
                Expression::Number(number.unwrap_or(f64::NAN))
            }
            Expression::Minus(of) => Expression::Minus(Box::new(self.resolved(of))),
            Expression::Not(of) => Expression::Not(Box::new(self.resolved(of))),
            Expression::Two(operator, two) => {
                Expression::Two(*operator, Box::new([self.resolved(&two[0]), self.resolved(&two[1])]))
            }
            Expression::Number(_) | Expression::Figure(_) => expression.clone(),
        }
    }

    /// Describes the metrics of an expression for a seed: `path 164, dead-ends 31`; aggregates as `median dead-ends
    /// 42`.
    pub fn explain(&self, condition: &Expression, seed: Option<u64>) -> String {
        let index = seed.and_then(|seed| self.seeds.iter().position(|known| *known == seed));
        let mut description: Vec<String> = Vec::new();
        if let Some(index) = index {
            condition.figures(&mut |figure, over| {
                if !over {
                    description.push(format!("{figure} {}", shown(self.one(index).value(figure))));
                }
            });
        }
        self.explain_over(condition, &mut description);
        description.dedup();
        description.join(", ")
    }

    fn explain_over(&self, expression: &Expression, description: &mut Vec<String>) {
        match expression {
            Expression::Over(over, of) => {
                let number = MetricValue::Number(self.over(*over, of));
                description.push(format!("{expression} {}", shown(number)));
            }
            Expression::Minus(of) | Expression::Not(of) => self.explain_over(of, description),
            Expression::Two(_, two) => two.iter().for_each(|one| self.explain_over(one, description)),
            Expression::Number(_) | Expression::Figure(_) => {}
        }
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

/// Formats ten-thousandths as a decimal number, without trailing zeros.
pub fn decimal(ten_thousandths: i64) -> String {
    let sign = if ten_thousandths < 0 { "-" } else { "" };
    let (whole, part) = (
        ten_thousandths.unsigned_abs() / 10_000,
        ten_thousandths.unsigned_abs() % 10_000,
    );
    if part == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{}", format!("{part:04}").trim_end_matches('0'))
}

/// Returns the valid expectations of a design, each with its index in the list.
pub fn expectations(design: &Design) -> Vec<(usize, Expectation)> {
    let texts = design.expect.that.iter().enumerate();
    let usable = texts.filter(|(_, text)| expect::problems(text, design).is_empty());
    usable
        .filter_map(|(i, text)| Some((i, expect::parse(text).ok()?)))
        .collect()
}

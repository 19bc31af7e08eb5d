//! Many dungeons of one design: the values of some figures for each seed, and what expectations come to over them.

use serde::{Deserialize, Serialize};

use crate::design::Design;
use crate::design::expect::{self, Aggregate, Expectation, Expression, Metric};

use super::lookup::{MetricLookup, MetricValue, SampleLookup, evaluate, margin};

/// The figures that some expectations need, for each of many seeds.
#[derive(Debug, Clone, Default)]
pub struct MetricSample {
    figures: Vec<Metric>,
    seeds: Vec<u64>,
    /// As many values as figures for each seed.
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

/// The place of a quantile among so many values in order, from 0: the least at or below which so many in a thousand lie.
pub(super) const fn rank(count: u64, thousandths: u16) -> u64 {
    let at = (count as u128 * thousandths as u128).div_ceil(1000) as u64;
    at.saturating_sub(1)
}

/// Whether an expectation holds over a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether it holds.
    pub holds: bool,
    /// The seeds whose dungeons do not meet its condition, in the order of the sample. Empty for a condition on all
    /// dungeons together.
    pub failing: Vec<u64>,
    /// Seeds looked at.
    pub seeds: u64,
    /// Whether it speaks of each dungeon by itself.
    pub is_of_one: bool,
}

impl MetricSample {
    /// An empty sample of the figures that these expectations need.
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

    /// The values of its figures in a dungeon, in its own order.
    pub fn values_of(&self, known: &impl MetricLookup) -> Vec<MetricValue> {
        self.figures.iter().map(|&figure| known.value(figure)).collect()
    }

    /// Adds a dungeon.
    pub fn add(&mut self, seed: u64, values: Vec<MetricValue>) {
        self.seeds.push(seed);
        self.values.extend(values);
    }

    /// How many dungeons it has.
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Whether it has none.
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

    /// Whether an expectation holds over the sample, one that was given at the start.
    pub fn verdict(&self, expectation: &Expectation) -> Verdict {
        let seeds = self.len() as u64;
        let condition = self.settled(&expectation.condition);
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
            // A share of seeds is a number of decimal places; the product is not.
            holds: met as f64 + 1e-9 >= needed * seeds as f64,
            failing,
            seeds,
            is_of_one: true,
        }
    }

    /// How far an expectation is from holding over the sample: 0 where it holds, and the more, the farther. Counted is
    /// the share of dungeons that are missing, and by how much those that do not meet it fail, in shares of the numbers
    /// that are compared; so it falls before the first of them meets it.
    pub fn shortfall(&self, expectation: &Expectation) -> f64 {
        let condition = self.settled(&expectation.condition);
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
        // The worst ones are those that may fail.
        deficits.sort_unstable_by(f64::total_cmp);
        let over = deficits.len() - allowed;
        (over as f64 + deficits[..over].iter().sum::<f64>()) / seeds.max(1.0)
    }

    /// An expression with the numbers over all dungeons put in.
    fn settled(&self, expression: &Expression) -> Expression {
        match expression {
            Expression::Over(over, of) => {
                let number = self.over(*over, of);
                Expression::Number(number.unwrap_or(f64::NAN))
            }
            Expression::Minus(of) => Expression::Minus(Box::new(self.settled(of))),
            Expression::Not(of) => Expression::Not(Box::new(self.settled(of))),
            Expression::Two(operator, two) => {
                Expression::Two(*operator, Box::new([self.settled(&two[0]), self.settled(&two[1])]))
            }
            Expression::Number(_) | Expression::Figure(_) => expression.clone(),
        }
    }

    /// What the figures of an expression are for a seed, for a person: `path 164, dead-ends 31`; for those over all
    /// dungeons, `median dead-ends 42`.
    pub fn explain(&self, condition: &Expression, seed: Option<u64>) -> String {
        let index = seed.and_then(|seed| self.seeds.iter().position(|known| *known == seed));
        let mut told: Vec<String> = Vec::new();
        if let Some(index) = index {
            condition.figures(&mut |figure, over| {
                if !over {
                    told.push(format!("{figure} {}", shown(self.one(index).value(figure))));
                }
            });
        }
        self.explain_over(condition, &mut told);
        told.dedup();
        told.join(", ")
    }

    fn explain_over(&self, expression: &Expression, told: &mut Vec<String>) {
        match expression {
            Expression::Over(over, of) => {
                let number = MetricValue::Number(self.over(*over, of));
                told.push(format!("{expression} {}", shown(number)));
            }
            Expression::Minus(of) | Expression::Not(of) => self.explain_over(of, told),
            Expression::Two(_, two) => two.iter().for_each(|one| self.explain_over(one, told)),
            Expression::Number(_) | Expression::Figure(_) => {}
        }
    }
}

/// A value for a person.
fn shown(value: MetricValue) -> String {
    match value {
        MetricValue::Truth(true) => "yes".into(),
        MetricValue::Truth(false) => "no".into(),
        MetricValue::Number(None) => "none".into(),
        MetricValue::Number(Some(number)) => decimal((number * 1e4).round() as i64),
    }
}

/// Ten-thousandths as a decimal number, without zeros at its end.
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

/// The expectations of a design that can be checked, each with its place in the list.
pub fn expectations(design: &Design) -> Vec<(usize, Expectation)> {
    let texts = design.expect.that.iter().enumerate();
    let usable = texts.filter(|(_, text)| expect::problems(text, design).is_empty());
    usable
        .filter_map(|(i, text)| Some((i, expect::parse(text).ok()?)))
        .collect()
}

//! Statistical tests that compare the dungeons of two designs, metric by metric, and their results.
//!
//! If both sides use the same seeds, [`compare_pairs`] tests the difference between the two dungeons of each seed.
//! [`compare_samples`] compares samples that use different seeds. Both functions correct the p-values for the number of
//! metrics: if the designs do not differ, only one comparison in twenty reports any metric at p < 0.05.

mod pairs;
mod samples;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use pairs::{FLIPS, PairedChange, PairedValues, compare_pairs, paired_changes};
pub use samples::{compare_samples, holm, kolmogorov_smirnov, mann_whitney};

use crate::design::expect::DungeonMetric;

/// A difference is reported as significant if its corrected p-value is below this value.
pub const SIGNIFICANT: f64 = 0.05;

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// No significant difference.
    Chance,
    /// One sample tends to have higher values than the other.
    Shift,
    /// The distributions differ in another way, such as in spread.
    Spread,
}

/// The mean of the second sample minus the mean of the first, with its 95% confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeanDifference {
    /// Difference of the means; for booleans, the difference of the shares of true values.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl MeanDifference {
    /// Converts the difference to another unit. One unit of `self` equals `factor` new units.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            low: self.low * factor,
            high: self.high * factor,
        }
    }

    /// Returns the number of decimals, at most 6, that show two significant digits of the interval's half width, or of
    /// the mean if the interval is a point.
    pub fn decimals(self) -> usize {
        let half = (self.high - self.low) / 2.0;
        let scale = if half > 0.0 { half } else { self.mean.abs() };
        if scale > 0.0 {
            (1.0 - scale.log10().floor()).clamp(0.0, 6.0) as usize
        } else {
            0
        }
    }
}

impl fmt::Display for MeanDifference {
    /// Writes the difference and its interval, such as `−0.44 [−0.55, −0.33]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.decimals();
        let signed = |value: f64| {
            let text = format!("{value:+.digits$}");
            // A value that rounds to zero is written without a sign. `−` is as wide as `+`; the hyphen is not.
            if text.trim_start_matches(['+', '-']).trim_matches(['0', '.']).is_empty() {
                text[1..].to_owned()
            } else {
                text.replace('-', "−")
            }
        };
        write!(f, "{} [{}, {}]", signed(self.mean), signed(self.low), signed(self.high))
    }
}

/// The numbers of seeds in which one side has a higher value than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts {
    /// Number of seeds with a value of the metric on both sides.
    pub pairs: usize,
    /// Number of seeds whose value is higher on the second side.
    pub higher: usize,
    /// Number of seeds whose value is lower on the second side.
    pub lower: usize,
}

/// The comparison of a metric in two samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricComparison {
    /// Metric that is compared.
    #[serde(alias = "figure")]
    pub metric: DungeonMetric,
    /// Values of each sample in ascending order. Dungeons without a value are left out. A comparison of pairs leaves
    /// out both dungeons of a pair if one of them has no value.
    pub values: [Vec<f64>; 2],
    /// P-value of the reported test: the test for a difference in spread if only that test is significant, otherwise
    /// the test for a shift.
    pub p: f64,
    /// The p-value `p`, corrected for all metrics and tests of the comparison.
    pub p_adjusted: f64,
    /// Kind of the difference.
    pub difference: Difference,
    /// Probability that a dungeon of the second sample has a higher value than a dungeon of the first sample (for
    /// pairs: than the first sample's dungeon of the same seed); ties count half.
    pub higher: f64,
    /// Difference of the means; `None` if there are too few values.
    pub change: Option<MeanDifference>,
    /// Counts of the seeds with higher and lower values; `None` unless both sides use the same seeds.
    pub pairs: Option<PairCounts>,
}

impl MetricComparison {
    /// Sets the verdict from the p-values of the tests for a shift and for a difference in spread, before and after the
    /// correction. If both tests are significant, the verdict is a shift, which is more informative.
    fn set_verdict(&mut self, tests: [f64; 2], corrected: [f64; 2]) {
        // For pairs, a corrected p-value is estimated from sampled sign assignments, so it can be below the exact
        // p-value of its test.
        let corrected = [corrected[0].max(tests[0]), corrected[1].max(tests[1])];
        let is_real = corrected.map(|p| p < SIGNIFICANT);
        self.difference = match is_real {
            [true, _] => Difference::Shift,
            [false, true] => Difference::Spread,
            [false, false] => Difference::Chance,
        };
        let reported = usize::from(self.difference == Difference::Spread);
        (self.p, self.p_adjusted) = (tests[reported], corrected[reported]);
    }

    /// Returns the median of each sample (for an even number of values, the mean of the two middle ones); `None`
    /// without values.
    pub fn medians(&self) -> [Option<f64>; 2] {
        self.values.each_ref().map(|values| median(values))
    }

    /// Returns the mean of each sample; `None` without values.
    pub fn means(&self) -> [Option<f64>; 2] {
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        self.values
            .each_ref()
            .map(|values| (!values.is_empty()).then(|| mean(values)))
    }

    /// Returns the range of all values and, for each sample, the number of values in each of `parts` equal bins. Uses
    /// fewer bins if all values are whole numbers and some bins would be too narrow to contain a whole number. Returns
    /// `None` if there are no values.
    pub fn histograms(&self, parts: usize) -> Option<(Range<f64>, [Vec<u64>; 2])> {
        let all = || self.values.iter().flatten().copied();
        let (least, most) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
        let is_whole = all().all(|value| value.fract() == 0.0);
        // A whole number n takes up the range from n to n + 1.
        let breadth = most - least + if is_whole { 1.0 } else { 0.0 };
        let parts = if is_whole { parts.min(breadth as usize) } else { parts };
        let parts = parts.max(1);
        let part = |value: f64| {
            if breadth > 0.0 {
                (((value - least) / breadth * parts as f64) as usize).min(parts - 1)
            } else {
                0
            }
        };
        let counts = self.values.each_ref().map(|values| {
            let mut counts = vec![0; parts];
            for value in values {
                counts[part(*value)] += 1;
            }
            counts
        });
        Some((least..most, counts))
    }
}

fn median(values: &[f64]) -> Option<f64> {
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len().is_multiple_of(2) {
        f64::midpoint(values[middle - 1], upper)
    } else {
        upper
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_written_with_two_digits_of_its_interval() {
        let text = |mean, low, high| MeanDifference { mean, low, high }.to_string();
        assert_eq!(text(-0.4412, -0.5523, -0.3301), "−0.44 [−0.55, −0.33]");
        assert_eq!(text(31.25, -2.0, 64.5), "+31 [−2, +64]");
        assert_eq!(text(1234.0, 1000.0, 1468.0), "+1234 [+1000, +1468]");
        assert_eq!(text(0.0, 0.0, 0.0), "0 [0, 0]");
        assert_eq!(text(2.0, 2.0, 2.0), "+2.0 [+2.0, +2.0]");
        assert_eq!(text(0.000_01, -0.002_34, 0.002_36), "0.0000 [−0.0023, +0.0024]");
    }

    #[test]
    fn histograms_count_every_value_in_bins_of_equal_width() {
        let comparison = |first: &[f64], second: &[f64]| MetricComparison {
            metric: DungeonMetric::Path,
            values: [first.to_vec(), second.to_vec()],
            p: 1.0,
            p_adjusted: 1.0,
            difference: Difference::Chance,
            higher: 0.5,
            change: None,
            pairs: None,
        };
        let (range, counts) = comparison(&[1.0, 2.0, 2.0, 5.0], &[3.0]).histograms(10).unwrap();
        assert_eq!((range, counts), (1.0..5.0, [vec![1, 2, 0, 0, 1], vec![0, 0, 1, 0, 0]]));
        let (_, counts) = comparison(&[0.25, 0.75], &[1.0, 0.5]).histograms(3).unwrap();
        assert_eq!(counts, [vec![1, 0, 1], vec![0, 1, 1]]);
        let (_, counts) = comparison(&[7.0], &[7.0, 7.0]).histograms(8).unwrap();
        assert_eq!(counts, [vec![1], vec![2]]);
        assert!(comparison(&[], &[]).histograms(8).is_none());
        assert_eq!(comparison(&[1.0, 2.0], &[3.0]).medians(), [Some(1.5), Some(3.0)]);
    }
}

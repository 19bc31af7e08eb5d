//! Compares the dungeons of two designs, metric by metric: the result of a comparison, and its tests.
//!
//! With the same seeds on both sides, [`compare_pairs`] tests the differences within seeds. [`compare_samples`] compares
//! samples of different seeds. Both correct the p-values for all metrics: if nothing differs, one comparison in twenty
//! reports a difference at p < 0.05.

mod pairs;
mod samples;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use pairs::{FLIPS, PairedChange, PairedValues, compare_pairs, paired_changes};
pub use samples::{compare_samples, holm, kolmogorov_smirnov, mann_whitney};

use crate::design::expect::DungeonMetric;

/// Corrected p-value below which a difference is reported as significant.
pub const SIGNIFICANT: f64 = 0.05;

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// No significant difference.
    Chance,
    /// One sample has higher values.
    Shift,
    /// The distributions differ in another way, such as in spread.
    Spread,
}

/// The mean of the second sample minus the mean of the first, with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeanDifference {
    /// Mean difference; for booleans the difference of the shares.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl MeanDifference {
    /// Returns the difference in another unit; one present unit is `factor` new ones.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
            low: self.low * factor,
            high: self.high * factor,
        }
    }

    /// Returns the number of decimals that show two significant digits of the interval's half width, 6 at most.
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
    /// Formats difference and interval: `−0.44 [−0.55, −0.33]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.decimals();
        let signed = |value: f64| {
            let text = format!("{value:+.digits$}");
            // A rounded zero has no sign; the minus is as wide as the plus.
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
    /// Seeds whose dungeons have the metric on both sides.
    pub pairs: usize,
    /// Seeds in which the second side's value is higher.
    pub higher: usize,
    /// Seeds in which the second side's value is lower.
    pub lower: usize,
}

/// The comparison of a metric in two samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricComparison {
    /// Metric that is compared.
    #[serde(alias = "figure")]
    pub metric: DungeonMetric,
    /// Values of each sample in ascending order; dungeons without the metric are left out.
    pub values: [Vec<f64>; 2],
    /// P-value of the reported test: for a shift, or for a difference in spread if only that is significant.
    pub p: f64,
    /// The same p-value, corrected for all metrics and tests.
    pub p_adjusted: f64,
    /// Kind of the difference.
    pub difference: Difference,
    /// Probability that a dungeon of the second sample has a higher value than one of the first (for pairs: than the
    /// dungeon of the same seed); ties count half.
    pub higher: f64,
    /// Difference of the means; `None` for too few values.
    pub change: Option<MeanDifference>,
    /// Counts of the seeds if they are the same on both sides, so that the differences within seeds were tested.
    pub pairs: Option<PairCounts>,
}

impl MetricComparison {
    /// Sets the verdict from the p-values of the tests for a shift and for a difference in spread, before and after the
    /// correction. A shift is more informative than a difference in spread.
    fn set_verdict(&mut self, tests: [f64; 2], corrected: [f64; 2]) {
        let is_real = corrected.map(|p| p < SIGNIFICANT);
        self.difference = match is_real {
            [true, _] => Difference::Shift,
            [false, true] => Difference::Spread,
            [false, false] => Difference::Chance,
        };
        let reported = usize::from(self.difference == Difference::Spread);
        (self.p, self.p_adjusted) = (tests[reported], corrected[reported].max(tests[reported]));
    }

    /// Returns the median of each sample: the mean of the two middle values for an even count; `None` without values.
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

    /// Returns the range of all values, and the number of values of each sample in each of `parts` equal bins. There
    /// are fewer bins if the values are whole numbers and some bins would be too narrow to contain one. `None` without
    /// values.
    pub fn histograms(&self, parts: usize) -> Option<(Range<f64>, [Vec<u64>; 2])> {
        let all = || self.values.iter().flatten().copied();
        let (least, most) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
        let is_whole = all().all(|value| value.fract() == 0.0);
        // A whole number n extends from n to n + 1.
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

//! Confidence intervals of shares, quantiles and means over seeds.
//!
//! The seeds that were grown are only a sample of all possible seeds, so every statement about all seeds is uncertain.
//! The interval of a share is Wilson's, which is also valid near 0 and 1. The interval of a quantile comes from order
//! statistics, which are exact for any distribution. The interval of a mean comes from Student's t-distribution. The
//! functions for quantiles and means accept a number of seeds, so the width of the interval for more seeds can be
//! estimated from a small sample.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, StudentsT};

/// Quantile of the normal distribution for a 95% interval.
pub(super) const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Probability that the true value lies below a 95% interval, which is also the probability that it lies above.
const TAIL: f64 = 0.025;

/// A 95% confidence interval, or another range of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the interval that contains one number only.
    pub const fn point(at: f64) -> Self {
        Self { low: at, high: at }
    }

    /// Returns Wilson's confidence interval for the share of all seeds that have a property, given that `met` of
    /// `seeds` seeds have it. Without seeds, the interval is from 0 to 1.
    pub fn of_share(met: u64, seeds: u64) -> Self {
        if seeds == 0 {
            return Self { low: 0.0, high: 1.0 };
        }
        let (count, square) = (seeds as f64, NORMAL_975 * NORMAL_975);
        let share = met as f64 / count;
        let middle = share + square / (2.0 * count);
        let half = NORMAL_975 * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
        let scale = 1.0 + square / count;
        Self {
            // Rounding must not exclude 0 or 1.
            low: if met == 0 { 0.0 } else { (middle - half) / scale },
            high: if met == seeds { 1.0 } else { (middle + half) / scale },
        }
    }

    /// Returns the interval of a quantile of numbers in ascending order. The quantile is given in thousandths. The
    /// interval is as wide as it would be for `seeds` seeds with the same distribution. An end is infinite if there are
    /// too few seeds to determine it. For the minimum and the maximum, the result is only the observed value, because
    /// no number of seeds bounds the extremes over all seeds.
    pub fn of_quantile(sorted: &[f64], thousandths: u16, seeds: u64) -> Self {
        let number = |rank: u64| sorted.get(rank as usize).copied();
        Self::of_ranked_quantile(sorted.len() as u64, number, thousandths, seeds)
    }

    /// Returns the interval of [`Self::of_quantile`] for `count` numbers. `number` returns the number at a rank,
    /// counted from 0.
    pub(super) fn of_ranked_quantile(
        count: u64,
        number: impl Fn(u64) -> Option<f64>,
        thousandths: u16,
        seeds: u64,
    ) -> Self {
        let (Some(first), Some(last)) = (number(0), count.checked_sub(1).and_then(&number)) else {
            return Self::unbounded();
        };
        match thousandths {
            0 => return Self::point(first),
            1000 => return Self::point(last),
            _ => {}
        }
        let Ok(below) = Binomial::new(f64::from(thousandths) / 1000.0, seeds) else {
            return Self::unbounded();
        };
        // Converts a rank among `seeds` numbers to a rank among the `count` numbers, both counted from 0, and returns
        // the number at the converted rank.
        let number = |rank: u64| {
            let rank = (u128::from(rank) * 2 + 1) * u128::from(count) / (u128::from(seeds) * 2);
            number(rank as u64)
        };
        let low = below.inverse_cdf(TAIL).checked_sub(1).and_then(number);
        let high = Some(below.inverse_cdf(1.0 - TAIL))
            .filter(|rank| *rank < seeds)
            .and_then(number);
        Self {
            low: low.unwrap_or(f64::NEG_INFINITY),
            high: high.unwrap_or(f64::INFINITY),
        }
    }

    /// Returns the interval of the mean of numbers. The interval is as wide as it would be for `seeds` seeds with the
    /// same variance; it is unbounded for fewer than two numbers or seeds.
    pub fn of_mean(numbers: &[f64], seeds: u64) -> Self {
        let Some((mean, variance, _)) = moments(numbers) else {
            return Self::unbounded();
        };
        let Ok(t) = StudentsT::new(0.0, 1.0, seeds as f64 - 1.0) else {
            return Self::unbounded();
        };
        let half = t.inverse_cdf(1.0 - TAIL) * (variance / seeds as f64).sqrt();
        Self {
            low: mean - half,
            high: mean + half,
        }
    }

    /// Returns the interval of all numbers.
    pub(super) const fn unbounded() -> Self {
        Self {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    /// Returns the interval that contains the results of `operation` for all pairs of numbers from the two intervals.
    /// The smallest and the largest result must occur at the ends of the intervals.
    pub(super) fn joined(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let ends = [
            (self.low, other.low),
            (self.low, other.high),
            (self.high, other.low),
            (self.high, other.high),
        ];
        let results = ends.map(|(a, b)| operation(a, b));
        if results.iter().any(|result| result.is_nan()) {
            return Self::unbounded();
        }
        Self {
            low: results.into_iter().fold(f64::INFINITY, f64::min),
            high: results.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Returns whether both ends are finite.
    pub const fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Returns whether the interval contains a number.
    pub fn contains(self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Formats the interval of a share in whole percent: `[58%, 76%]`. Bounds are rounded outwards.
    pub fn percent(self) -> String {
        // The tolerance is needed because 0.29 × 100 is not exactly 29 in binary.
        let (low, high) = ((self.low * 100.0 + 1e-9).floor(), (self.high * 100.0 - 1e-9).ceil());
        format!("[{low:.0}%, {high:.0}%]")
    }

    /// Formats the interval of a share in tenths of a percent: `99.3 to 99.9%`. Up to four decimals are written if
    /// both ends would otherwise look the same, or if one would look like 0 or 100% without being exactly that.
    pub fn percent_range(self) -> String {
        let text = |end: f64, decimals: usize| match end {
            0.0 => "0".to_owned(),
            1.0 => "100".to_owned(),
            _ => format!("{:.decimals$}", end * 100.0),
        };
        let is_clear = |decimals: usize| {
            let unit = 10_f64.powi(-(decimals as i32));
            let near = |end: f64| {
                let percent = end * 100.0;
                end > 0.0 && percent < unit / 2.0 || end < 1.0 && percent > 100.0 - unit / 2.0
            };
            text(self.low, decimals) != text(self.high, decimals) && !near(self.low) && !near(self.high)
        };
        let decimals = (1..4).find(|decimals| is_clear(*decimals)).unwrap_or(4);
        format!("{} to {}%", text(self.low, decimals), text(self.high, decimals))
    }
}

/// Returns the number of seeds that is needed for the interval of an observed share to exclude a required share,
/// assuming that the observed share does not change. Returns `None` if the shares are equal, or if the required share
/// is 0 or 1.
pub(super) fn seeds_that_decide(observed: f64, needed: f64) -> Option<u64> {
    // The tolerance is needed because 99.4 / 100 is not exactly 994 / 1000 in binary.
    if (observed - needed).abs() < 1e-9 {
        return None;
    }
    // The ends of Wilson's interval are the shares whose distance from the observed share is `NORMAL_975` times their
    // own standard error.
    let seeds = (NORMAL_975 / (observed - needed)).powi(2) * needed * (1.0 - needed);
    (seeds > 0.0).then(|| seeds.ceil() as u64)
}

/// Returns the mean, variance and count of a sample; `None` for fewer than two values.
pub(super) fn moments(values: &[f64]) -> Option<(f64, f64, f64)> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (mean, squares / (count - 1.0), count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{Key, Stream};

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-12 + expected.abs() * 1e-9
    }

    #[test]
    fn intervals_of_shares_agree_with_scipy() {
        // scipy 1.17: stats.binomtest(met, seeds).proportion_ci(0.95, method="wilson")
        for (met, seeds, low, high) in [
            (0, 20, 0.0, 0.161_125_158_052_819_35),
            (1, 20, 0.008_881_448_800_795_402, 0.236_131_193_446_742_05),
            (10, 20, 0.299_298_008_198_212_4, 0.700_701_991_801_787_6),
            (3, 7, 0.158_219_855_251_469_7, 0.749_541_635_472_342_8),
            (96, 100, 0.901_629_285_641_120_8, 0.984_336_696_008_452_3),
            (100, 100, 0.963_006_501_793_014_3, 1.0),
            (950, 1000, 0.934_686_179_755_749_1, 0.961_869_737_607_251_1),
        ] {
            let found = Interval::of_share(met, seeds);
            assert!(
                close(found.low, low) && close(found.high, high),
                "{met} of {seeds}: {found:?}"
            );
        }
        assert_eq!(Interval::of_share(96, 100).percent(), "[90%, 99%]");
        assert_eq!(Interval::of_share(0, 0).percent(), "[0%, 100%]");
        for (met, seeds, expected) in [
            (0, 0, "0 to 100%"),
            (998, 1000, "99.3 to 99.9%"),
            (999, 1000, "99.44 to 99.98%"),
            (1000, 1000, "99.6 to 100%"),
            (0, 1000, "0 to 0.4%"),
            (1, 1000, "0.02 to 0.56%"),
            (637, 1000, "60.7 to 66.6%"),
        ] {
            assert_eq!(
                Interval::of_share(met, seeds).percent_range(),
                expected,
                "{met} of {seeds}"
            );
        }
    }

    #[test]
    fn intervals_of_quantiles_agree_with_scipy() {
        // scipy 1.17: stats.quantile_test(numpy.arange(seeds), p=quantile).confidence_interval(0.95); nan means
        // an infinite end
        for (seeds, thousandths, low, high) in [
            (5_u64, 500, f64::NEG_INFINITY, f64::INFINITY),
            (6, 500, 0.0, 5.0),
            (20, 500, 5.0, 14.0),
            (32, 250, 2.0, 13.0),
            (100, 500, 39.0, 60.0),
            (100, 900, 83.0, 95.0),
            (100, 100, 4.0, 16.0),
            (100, 990, 96.0, f64::INFINITY),
            (1000, 50, 36.0, 64.0),
            (1000, 990, 982.0, 996.0),
        ] {
            let ranks: Vec<f64> = (0..seeds).map(|rank| rank as f64).collect();
            let found = Interval::of_quantile(&ranks, thousandths, seeds);
            assert_eq!((found.low, found.high), (low, high), "{thousandths} of {seeds}");
        }
        let ten = [1.0, 2.0, 2.0, 5.0, 9.0];
        assert_eq!(Interval::of_quantile(&ten, 0, 5), Interval::point(1.0));
        assert_eq!(Interval::of_quantile(&ten, 1000, 5), Interval::point(9.0));
        assert_eq!(Interval::of_quantile(&[], 500, 0), Interval::unbounded());
    }

    #[test]
    fn intervals_of_means_agree_with_scipy() {
        // scipy 1.17: stats.ttest_1samp(numbers, 0).confidence_interval(0.95)
        let numbers = [3.0, -1.0, 4.0, 1.5, -0.5, 2.0, 0.0, 2.5, 1.0, -2.0];
        let found = Interval::of_mean(&numbers, 10);
        assert!(
            close(found.low, -0.314_084_729_082_897_64) && close(found.high, 2.414_084_729_082_898),
            "{found:?}"
        );
        assert_eq!(Interval::of_mean(&[2.0; 9], 9), Interval::point(2.0));
        assert_eq!(Interval::of_mean(&[2.0], 1), Interval::unbounded());
    }

    #[test]
    fn an_estimated_interval_is_as_wide_as_in_a_larger_sample() {
        let few: Vec<f64> = (0..100).map(f64::from).collect();
        let many: Vec<f64> = (0..100).flat_map(|value| [f64::from(value); 16]).collect();
        for thousandths in [100, 500, 800] {
            let (guess, found) = (
                Interval::of_quantile(&few, thousandths, 1600),
                Interval::of_quantile(&many, thousandths, 1600),
            );
            assert!(
                (guess.low - found.low).abs() <= 1.0 && (guess.high - found.high).abs() <= 1.0,
                "{thousandths}: {guess:?} {found:?}"
            );
        }
        let (guess, found) = (Interval::of_mean(&few, 1600), Interval::of_mean(&many, 1600));
        assert!(
            (guess.low - found.low).abs() < 0.05 && (guess.high - found.high).abs() < 0.05,
            "{guess:?} {found:?}"
        );
    }

    #[test]
    fn the_number_of_seeds_that_decide_is_where_the_interval_ends_at_the_needed_share() {
        for (observed, needed) in [(0.9, 0.85), (0.5, 0.6), (0.96, 0.95)] {
            let seeds = seeds_that_decide(observed, needed).unwrap();
            let decides = |seeds: u64| {
                let met = (observed * seeds as f64).round() as u64;
                !Interval::of_share(met, seeds).contains(needed)
            };
            assert!(
                decides(seeds * 11 / 10) && !decides(seeds * 9 / 10),
                "{observed} {seeds}"
            );
        }
        assert_eq!(seeds_that_decide(0.5, 0.5), None);
        assert_eq!(seeds_that_decide(0.5, 1.0), None);
    }

    #[test]
    fn intervals_contain_the_true_value_in_95_of_100_samples() {
        const SAMPLES: usize = 1_000;
        let mut stream = Stream::new(Key::new(3));
        let mut containing = [0; 3];
        for _ in 0..SAMPLES {
            let mut sample: Vec<f64> = (0..60).map(|_| f64::from(stream.below(1_000_000))).collect();
            sample.sort_unstable_by(f64::total_cmp);
            let met = sample.iter().filter(|value| **value < 300_000.0).count() as u64;
            containing[0] += usize::from(Interval::of_share(met, 60).contains(0.3));
            containing[1] += usize::from(Interval::of_quantile(&sample, 300, 60).contains(300_000.0));
            containing[2] += usize::from(Interval::of_mean(&sample, 60).contains(500_000.0));
        }
        // 950 are expected; one run in three hundred has 930 or fewer. Intervals from order statistics
        // are conservative, so more than 950 may contain the true value.
        assert!(
            containing.iter().all(|count| (930..=980).contains(count)),
            "{containing:?}"
        );
    }
}

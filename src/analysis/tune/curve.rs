//! Curves: how metrics depend on one parameter while everything else is fixed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{TrialMetrics, TrialTable};
use crate::analysis::{Interval, PairedChange, PairedValues, paired_changes};
use crate::design::expect::{DungeonMetric, Metric};

/// Returns the values of a parameter to sample: `present` first, then at most `count` (2 or more) values spread over
/// the range, from coarse to fine.
pub fn places(lowest: i32, highest: i32, present: i32, count: usize) -> Vec<i32> {
    let mut places = vec![present];
    let span = i64::from(highest) - i64::from(lowest);
    let last = count.saturating_sub(1).max(1) as i64;
    let mut step = last;
    loop {
        for at in (0..=last).step_by(step.max(1) as usize) {
            let place = (i64::from(lowest) + (span * at + last / 2) / last) as i32;
            if place <= highest && !places.contains(&place) {
                places.push(place);
            }
        }
        if step <= 1 {
            return places;
        }
        step /= 2;
    }
}

/// The quartiles of a metric at one value of the parameter. For a boolean metric, whose quartiles are almost always 0
/// or 1, the band instead contains the share of the dungeons in which the metric is true, and the 95% interval of the
/// share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Lower quartile, or lower end of the interval.
    pub low: f64,
    /// Median, or share.
    pub median: f64,
    /// Upper quartile, or upper end of the interval.
    pub high: f64,
}

impl Band {
    /// Returns the quartiles of `numbers`, interpolated linearly; `None` if `numbers` is empty. Sorts `numbers`.
    pub fn of(numbers: &mut [f64]) -> Option<Self> {
        numbers.sort_unstable_by(f64::total_cmp);
        let last = numbers.len().checked_sub(1)?;
        let quantile = |quarters: usize| {
            let at = last as f64 * quarters as f64 / 4.0;
            let (below, part) = (at as usize, at.fract());
            let above = (below + 1).min(last);
            numbers[below] + (numbers[above] - numbers[below]) * part
        };
        Some(Self {
            low: quantile(1),
            median: quantile(2),
            high: quantile(3),
        })
    }

    /// Returns the share of the values that are 1, with its interval; `None` if there are no values. All values must be
    /// 0 or 1.
    fn of_truths(values: &[f64]) -> Option<Self> {
        let (met, count) = (values.iter().sum::<f64>(), values.len() as u64);
        let Interval { low, high } = Interval::of_share(met as u64, count);
        (count > 0).then(|| Self {
            low,
            median: met / count as f64,
            high,
        })
    }

    /// Interpolates between this band (`part` 0) and `other` (`part` 1).
    fn towards(self, other: Self, part: f64) -> Self {
        let between = |a: f64, b: f64| a + (b - a) * part;
        Self {
            low: between(self.low, other.low),
            median: between(self.median, other.median),
            high: between(self.high, other.high),
        }
    }
}

/// The results for some values of a parameter, all from the same seeds.
#[derive(Debug, Clone)]
pub struct Curve {
    metrics: Vec<Metric>,
    seeds: usize,
    found: BTreeMap<i32, TrialTable>,
    tried: BTreeSet<(i32, usize)>,
}

impl Curve {
    /// Creates a curve without results.
    pub const fn new(metrics: Vec<Metric>, seeds: usize) -> Self {
        Self {
            metrics,
            seeds,
            found: BTreeMap::new(),
            tried: BTreeSet::new(),
        }
    }

    /// Returns the number of seeds to try for each value.
    pub const fn seeds(&self) -> usize {
        self.seeds
    }

    /// Returns the number of dungeons tried.
    pub fn tried(&self) -> usize {
        self.tried.len()
    }

    /// Records the result for a value of the parameter and for the seed with the index `seed`, counted from 0.
    /// `reading` is `None` if no dungeon could be grown.
    pub fn note(&mut self, value: i32, seed: usize, reading: Option<TrialMetrics>) {
        if seed >= self.seeds {
            return;
        }
        self.tried.insert((value, seed));
        let (metrics, seeds) = (&self.metrics, self.seeds);
        let readings = self
            .found
            .entry(value)
            .or_insert_with(|| TrialTable::new(metrics.clone(), seeds));
        readings.rows[seed] = reading;
    }

    /// Returns the value and the seed's index of each missing result, in rounds: first a few seeds for every value,
    /// then more seeds for every value.
    pub fn missing(&self, values: &[i32]) -> Vec<(i32, usize)> {
        let mut missing = Vec::new();
        let mut from = 0;
        let mut until = self.seeds.min(8);
        while from < self.seeds {
            for &value in values {
                let seeds = (from..until).map(|seed| (value, seed));
                missing.extend(seeds.filter(|one| !self.tried.contains(one)));
            }
            (from, until) = (until, (until * 2).min(self.seeds));
        }
        missing
    }

    /// Returns, for each metric, the sampled values of the parameter except `present`, each with the change of the
    /// metric from its value at `present`. The changes are paired by seed and corrected for multiple comparisons. All
    /// lists are empty if there are no results at `present`.
    pub fn changes(&self, metrics: &[DungeonMetric], present: i32, flips: usize) -> Vec<Vec<(i32, PairedChange)>> {
        let others = || self.found.iter().filter(|(value, _)| **value != present);
        let Some(before) = self.found.get(&present) else {
            return vec![Vec::new(); metrics.len()];
        };
        let pairs = metrics.iter().flat_map(|metric| {
            let plain = Metric::Plain(*metric);
            others().map(move |(_, after)| PairedValues {
                pairs: super::paired(before.numbers(plain), after.numbers(plain)),
                is_truth: metric.info().is_truth,
            })
        });
        let mut changes = paired_changes(&pairs.collect::<Vec<_>>(), flips).into_iter();
        let of_metric = |_| others().map(|(value, _)| *value).zip(changes.by_ref()).collect();
        metrics.iter().map(of_metric).collect()
    }

    /// Returns each sampled value with the metric's band there, in ascending order of the values.
    pub fn bands(&self, metric: Metric) -> Vec<(i32, Band)> {
        let band = |readings: &TrialTable| {
            let mut numbers: Vec<f64> = readings.numbers(metric).into_iter().flatten().collect();
            if metric.is_truth() {
                Band::of_truths(&numbers)
            } else {
                Band::of(&mut numbers)
            }
        };
        let found = self.found.iter();
        found
            .filter_map(|(&value, readings)| Some((value, band(readings)?)))
            .collect()
    }
}

impl Band {
    /// Returns the band at a value, interpolated between the neighbouring values in `bands`, which must be sorted by
    /// value. Returns `None` outside the range of `bands`.
    pub fn at(bands: &[(i32, Self)], value: f64) -> Option<Self> {
        let after = bands.iter().position(|(at, _)| f64::from(*at) >= value)?;
        let (at, band) = bands[after];
        if (f64::from(at) - value).abs() < 1e-9 {
            return Some(band);
        }
        let (before, from) = *bands.get(after.checked_sub(1)?)?;
        let part = (value - f64::from(before)) / (f64::from(at) - f64::from(before));
        Some(from.towards(band, part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::MetricValue;

    #[test]
    fn places_go_from_coarse_to_fine_and_include_every_number_of_a_short_range() {
        let places_of = places(0, 100, 30, 9);
        assert_eq!(places_of, [30, 0, 100, 50, 25, 75, 13, 38, 63, 88]);
        let mut short = places(2, 6, 4, 17);
        assert_eq!(short[..3], [4, 2, 6]);
        short.sort_unstable();
        assert_eq!(short, [2, 3, 4, 5, 6]);
        // A present value outside the range is sampled as well.
        assert_eq!(places(0, 100, 5_000, 2), [5_000, 0, 100]);
        assert_eq!(places(i32::MIN, i32::MAX, 0, 2), [0, i32::MIN, i32::MAX]);
        assert_eq!(places(3, 3, 3, 9), [3]);
    }

    #[test]
    fn a_band_is_the_middle_half_and_lies_between_its_neighbours() {
        let band = Band::of(&mut [4.0, 1.0, 3.0, 2.0, 5.0]).unwrap();
        assert_eq!((band.low, band.median, band.high), (2.0, 3.0, 4.0));
        assert_eq!(Band::of(&mut []), None);
        let flat = |at: f64| Band {
            low: at - 1.0,
            median: at,
            high: at + 1.0,
        };
        let bands = [(0, flat(10.0)), (10, flat(20.0)), (20, flat(0.0))];
        assert_eq!(Band::at(&bands, 5.0), Some(flat(15.0)));
        assert_eq!(Band::at(&bands, 20.0), Some(flat(0.0)));
        assert_eq!(Band::at(&bands, 21.0), None);
        assert_eq!(Band::at(&bands, -1.0), None);
    }

    #[test]
    fn missing_results_are_requested_in_rounds_and_only_once() {
        let path = Metric::Plain(DungeonMetric::Path);
        let mut curve = Curve::new(vec![path], 12);
        let missing = curve.missing(&[5, 9]);
        assert_eq!(missing.len(), 24);
        assert_eq!(missing[..2], [(5, 0), (5, 1)]);
        assert_eq!((missing[8], missing[16], missing[20]), ((9, 0), (5, 8), (9, 8)));
        for (value, seed) in missing {
            let reading = (seed != 3).then(|| TrialMetrics {
                values: vec![MetricValue::from(f64::from(value) + seed as f64)],
                anomalies: Vec::new(),
                corridor: None,
                gap: Vec::new(),
                patterns: Vec::new(),
            });
            curve.note(value, seed, reading);
        }
        assert_eq!(curve.missing(&[5, 9]), []);
        assert_eq!(curve.missing(&[5, 7]).len(), 12);
        let bands = curve.bands(path);
        assert_eq!(bands.len(), 2);
        // The path of a seed is longer than the value by the seed's index, and seed 3 has no result: the differences
        // are 0, 1, 2 and 4 to 11. The sixth of these eleven, 6, is their median.
        assert_eq!((bands[0].0, bands[0].1.median), (5, 11.0));
    }

    #[test]
    fn a_boolean_has_the_share_of_dungeons_in_which_it_is_true() {
        let reachable = Metric::Plain(DungeonMetric::Reachable);
        let mut curve = Curve::new(vec![reachable], 32);
        for seed in 0..32 {
            let reading = TrialMetrics {
                values: vec![MetricValue::Truth(seed != 6)],
                anomalies: Vec::new(),
                corridor: None,
                gap: Vec::new(),
                patterns: Vec::new(),
            };
            curve.note(4, seed, Some(reading));
        }
        let Interval { low, high } = Interval::of_share(31, 32);
        let median = 31.0 / 32.0;
        assert_eq!(curve.bands(reachable), [(4, Band { low, median, high })]);
        assert!(low < median && median < high);
    }

    #[test]
    fn values_are_compared_with_the_present_one_within_seeds() {
        let path = DungeonMetric::Path;
        let mut curve = Curve::new(vec![Metric::Plain(path)], 30);
        for (value, seed) in curve.missing(&[5, 6, 9]) {
            // The seeds differ far more than the values: the value 9 adds 1 to every path, the value 6 alternately
            // subtracts and adds 1.
            let change = match value {
                9 => 1.0,
                6 => f64::from(seed as u32 % 2) * 2.0 - 1.0,
                _ => 0.0,
            };
            let reading = TrialMetrics {
                values: vec![MetricValue::from((seed * seed) as f64 + change)],
                anomalies: Vec::new(),
                corridor: None,
                gap: Vec::new(),
                patterns: Vec::new(),
            };
            curve.note(value, seed, Some(reading));
        }
        let changes = curve.changes(&[path], 5, 999).remove(0);
        let real: Vec<(i32, bool)> = changes
            .iter()
            .map(|(value, change)| (*value, change.is_real()))
            .collect();
        assert_eq!(real, [(6, false), (9, true)]);
        let (_, change) = changes[1];
        assert_eq!((change.counts.higher, change.counts.pairs), (30, 30));
        assert_eq!(change.change.unwrap().to_string(), "+1.0 [+1.0, +1.0]");
        assert!(curve.changes(&[path], 7, 999)[0].is_empty());
    }
}

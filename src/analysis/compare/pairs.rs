//! Compares two designs seed by seed.
//!
//! Every Builder draws from a random stream of its own, so a small edit leaves most of a seed's dungeon as it was, and
//! the metrics of both designs are strongly correlated over equal seeds. Differences within seeds therefore show far
//! smaller effects than two samples do.
//!
//! Under the hypothesis that the edit has no effect, both dungeons of a seed are exchangeable: the sign of each
//! difference is arbitrary. The tests count how many assignments of signs give a sum as extreme as the one observed
//! (sign-flip permutation test; for booleans this is McNemar's exact test). The p-values are corrected for all metrics
//! by the step-down procedure of Westfall and Young: all metrics of a seed flip together, so that the correction
//! accounts for their correlation.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use statrs::distribution::{Binomial, ContinuousCDF as _, DiscreteCDF as _, StudentsT};

use super::{Difference, MeanDifference, MetricComparison, NORMAL_975, PairCounts, median, moments};
use crate::analysis::MetricValues;
use crate::design::expect::{FIGURES, MetricInfo};

/// Number of sampled sign assignments for a final result: p-values down to 0.0001.
pub const FLIPS: usize = 9_999;

/// Largest number of differences for which all sign assignments are enumerated.
const ENUMERATED: usize = 13;

/// Weight of the tests for a spread against those for a shift. Below 1, so that they cost the shifts, which most edits
/// cause, little in the correction for many tests.
const SPREAD_WEIGHT: f64 = 0.75;

/// Relative tolerance within which two sums count as equal, since the order of additions changes their last digits.
const ROUNDING: f64 = 1e-9;

/// Compares the dungeons of two designs in every metric, in the order of [`FIGURES`]. Each pair has the metrics of one
/// seed. `flips` is the number of sampled sign assignments, [`FLIPS`] for a final result.
pub fn compare_pairs(pairs: &[[&MetricValues; 2]], flips: usize) -> Vec<MetricComparison> {
    let mut columns = Vec::with_capacity(FIGURES.len() * 2);
    let mut found: Vec<MetricComparison> = Vec::with_capacity(FIGURES.len());
    for info in FIGURES {
        let both = |pair: &[&MetricValues; 2]| match pair.map(|values| values.number(info.figure)) {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        };
        let values: Vec<Option<[f64; 2]>> = pairs.iter().map(both).collect();
        let differences: Vec<f64> = values
            .iter()
            .map(|pair| pair.map_or(0.0, |[first, second]| second - first))
            .collect();
        columns.push(Column::new(differences));
        let deviations = if info.is_truth {
            vec![0.0; pairs.len()]
        } else {
            deviations(&values)
        };
        columns.push(Column::new(deviations).weighted(SPREAD_WEIGHT));
        found.push(untested(info, &values));
    }
    let adjusted = westfall_young(&columns, flips);
    for ((comparison, columns), adjusted) in found.iter_mut().zip(columns.chunks(2)).zip(adjusted.chunks(2)) {
        let exact = |index: usize| columns[index].exact().unwrap_or(adjusted[index].0);
        comparison.set_verdict([exact(0), exact(1)], [adjusted[0].1, adjusted[1].1]);
    }
    found
}

/// Describes a metric's pairs, before any test.
fn untested(info: &MetricInfo, pairs: &[Option<[f64; 2]>]) -> MetricComparison {
    let pairs: Vec<[f64; 2]> = pairs.iter().flatten().copied().collect();
    let sorted = |side: usize| {
        let mut values: Vec<f64> = pairs.iter().map(|pair| pair[side]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let count = |wanted: fn(&[f64; 2]) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
    let counts = PairCounts {
        pairs: pairs.len(),
        higher: count(|[first, second]| second > first),
        lower: count(|[first, second]| second < first),
    };
    let even = (counts.pairs - counts.higher - counts.lower) as f64 / 2.0;
    let differences: Vec<f64> = pairs.iter().map(|[first, second]| second - first).collect();
    MetricComparison {
        figure: info.figure,
        values: [sorted(0), sorted(1)],
        p: 1.0,
        p_adjusted: 1.0,
        difference: Difference::Chance,
        higher: if pairs.is_empty() {
            0.5
        } else {
            (counts.higher as f64 + even) / counts.pairs as f64
        },
        change: if info.is_truth {
            share_difference(counts)
        } else {
            mean_difference(&differences)
        },
        pairs: Some(counts),
    }
}

/// Returns by how much each second value lies farther from the middle of all values than the first one does: positive
/// where the second design spreads more. Exchanging the two values of a pair changes its sign alone.
fn deviations(pairs: &[Option<[f64; 2]>]) -> Vec<f64> {
    let mut all: Vec<f64> = pairs.iter().flatten().flatten().copied().collect();
    all.sort_unstable_by(f64::total_cmp);
    let middle = median(&all).unwrap_or(0.0);
    pairs
        .iter()
        .map(|pair| pair.map_or(0.0, |[first, second]| (second - middle).abs() - (first - middle).abs()))
        .collect()
}

/// Returns the mean of differences with its 95 % confidence interval by Student's t; `None` for fewer than two.
fn mean_difference(differences: &[f64]) -> Option<MeanDifference> {
    let (mean, variance, count) = moments(differences)?;
    let half = StudentsT::new(0.0, 1.0, count - 1.0).ok()?.inverse_cdf(0.975) * (variance / count).sqrt();
    Some(MeanDifference {
        mean,
        low: mean - half,
        high: mean + half,
    })
}

/// Returns the difference of two shares of the same seeds with its 95 % confidence interval by Bonett and Price, which
/// holds for few discordant pairs, too; `None` for fewer than two pairs.
fn share_difference(counts: PairCounts) -> Option<MeanDifference> {
    if counts.pairs < 2 {
        return None;
    }
    let share = |of: usize| (of as f64 + 1.0) / (counts.pairs as f64 + 2.0);
    let (higher, lower) = (share(counts.higher), share(counts.lower));
    let middle = higher - lower;
    let variance = (higher + lower - middle * middle) / (counts.pairs as f64 + 2.0);
    let half = NORMAL_975 * variance.sqrt();
    Some(MeanDifference {
        mean: (counts.higher as f64 - counts.lower as f64) / counts.pairs as f64,
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
    })
}

/// The differences of one test, one for each seed; 0 where a seed has none.
struct Column {
    differences: Vec<f64>,
    /// Factor of the standardized sum where columns compete.
    weight: f64,
    /// Root of the sum of squares, which flips do not change; 0 if all differences are 0.
    norm: f64,
}

impl Column {
    fn new(differences: Vec<f64>) -> Self {
        let norm = differences.iter().map(|value| value * value).sum::<f64>().sqrt();
        Self {
            differences,
            weight: 1.0,
            norm,
        }
    }

    fn weighted(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// Returns the exact two-sided p-value, if the differences are few or have one magnitude.
    fn exact(&self) -> Option<f64> {
        let values: Vec<f64> = self.differences.iter().copied().filter(|value| *value != 0.0).collect();
        let Some(first) = values.first().map(|value| value.abs()) else {
            return Some(1.0);
        };
        if values
            .iter()
            .all(|value| (value.abs() - first).abs() <= first * ROUNDING)
        {
            let positive = values.iter().filter(|value| **value > 0.0).count();
            return Some(sign_test(positive, values.len()));
        }
        if values.len() > ENUMERATED {
            return None;
        }
        let all: f64 = values.iter().sum();
        let limit = all.abs() - self.norm * ROUNDING;
        let extreme = (0_u32..1 << values.len()).filter(|flips| {
            let flipped = values.iter().enumerate().filter(|(at, _)| flips >> at & 1 == 1);
            let flipped: f64 = flipped.map(|(_, value)| value).sum();
            (all - 2.0 * flipped).abs() >= limit
        });
        Some(extreme.count() as f64 / f64::from(1_u32 << values.len()))
    }
}

/// Returns the two-sided probability that of `count` fair coins at least as many or as few show heads as `heads`.
fn sign_test(heads: usize, count: usize) -> f64 {
    let fewer = heads.min(count - heads) as u64;
    let tail = Binomial::new(0.5, count as u64).map_or(1.0, |coins| coins.cdf(fewer));
    (2.0 * tail).min(1.0)
}

/// Returns for each column its p-value by sampled sign assignments, and the p-value corrected for all columns by the
/// step-down procedure of Westfall and Young with the largest standardized sum. The samples are the same in every call.
fn westfall_young(columns: &[Column], flips: usize) -> Vec<(f64, f64)> {
    let mut result = vec![(1.0, 1.0); columns.len()];
    let mut tested: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].norm > 0.0).collect();
    let factor = |at: usize| columns[at].weight / columns[at].norm;
    let observed = |at: usize| columns[at].differences.iter().sum::<f64>().abs() * factor(at);
    tested.sort_by(|a, b| observed(*b).total_cmp(&observed(*a)).then(a.cmp(b)));
    let wanted: Vec<f64> = tested.iter().map(|&at| observed(at) - ROUNDING).collect();
    let seeds = columns.first().map_or(0, |column| column.differences.len());
    // One row of standardized differences for each seed, without the seeds that differ in no metric.
    let rows: Vec<f64> = (0..seeds)
        .map(|seed| tested.iter().map(move |&at| columns[at].differences[seed] * factor(at)))
        .filter(|row| row.clone().any(|value| value != 0.0))
        .flatten()
        .collect();
    if tested.is_empty() {
        return result;
    }
    let mut totals = vec![0.0; tested.len()];
    for row in rows.chunks(tested.len()) {
        add(&mut totals, row);
    }
    let mut extreme = vec![(0_usize, 0_usize); tested.len()];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut flipped = vec![0.0; tested.len()];
    for _ in 0..flips {
        flipped.fill(0.0);
        for rows in rows.chunks(tested.len() * 64) {
            let signs: u64 = random.next_u64();
            for (at, row) in rows.chunks(tested.len()).enumerate() {
                if signs >> at & 1 == 1 {
                    add(&mut flipped, row);
                }
            }
        }
        // From the least extreme column on: a column competes with those that are no more extreme than it.
        let mut largest: f64 = 0.0;
        for at in (0..tested.len()).rev() {
            let sum = (totals[at] - 2.0 * flipped[at]).abs();
            largest = largest.max(sum);
            extreme[at].0 += usize::from(sum >= wanted[at]);
            extreme[at].1 += usize::from(largest >= wanted[at]);
        }
    }
    let share = |count: usize| (count + 1) as f64 / (flips + 1) as f64;
    let mut least: f64 = 0.0;
    for (&at, (alone, among)) in tested.iter().zip(extreme) {
        least = least.max(share(among));
        result[at] = (share(alone), least);
    }
    result
}

/// Adds a row to sums.
fn add(sums: &mut [f64], row: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact(values: &[f64]) -> Option<f64> {
        Column::new(values.to_vec()).exact()
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= expected.abs() * 1e-9 + 1e-12
    }

    #[test]
    fn p_values_and_intervals_are_those_of_scipy() {
        // scipy 1.17: stats.permutation_test((d,), np.sum, permutation_type="samples"), stats.ttest_1samp(d, 0)
        let differences = [3.0, -1.0, 4.0, 1.5, -0.5, 2.0, 0.0, 2.5, 1.0, -2.0];
        assert!(close(exact(&differences).unwrap(), 0.136_718_75));
        let change = mean_difference(&differences).unwrap();
        assert!(close(change.low, -0.314_084_729_082_897_64) && close(change.high, 2.414_084_729_082_898));
        // stats.binomtest(12, 40), (3, 10) and (160, 400): McNemar's exact test of as many discordant pairs.
        for (heads, count, expected) in [
            (12, 40, 0.016_589_003_374_974_71),
            (3, 10, 0.343_75),
            (160, 400, 7.426_568_076_372_613e-5),
        ] {
            assert!(close(sign_test(heads, count), expected), "{heads} of {count}");
            let signs: Vec<f64> = (0..count).map(|at| if at < heads { 0.25 } else { -0.25 }).collect();
            assert!(close(exact(&signs).unwrap(), expected), "{heads} of {count}");
        }
    }

    #[test]
    fn differences_without_spread_have_an_interval_of_one_point() {
        let change = mean_difference(&[2.0; 9]).unwrap();
        assert_eq!((change.mean, change.low, change.high), (2.0, 2.0, 2.0));
        assert_eq!(mean_difference(&[2.0]), None);
        assert_eq!(mean_difference(&[]), None);
    }

    #[test]
    fn the_interval_of_shares_does_not_collapse_without_discordant_pairs() {
        let counts = |pairs, higher, lower| PairCounts { pairs, higher, lower };
        let change = share_difference(counts(100, 0, 0)).unwrap();
        assert!(
            change.mean == 0.0 && change.low < -0.01 && change.high > 0.01,
            "{change:?}"
        );
        let change = share_difference(counts(100, 30, 2)).unwrap();
        assert!(
            close(change.mean, 0.28) && change.low > 0.15 && change.high < 0.39,
            "{change:?}"
        );
        assert_eq!(share_difference(counts(1, 1, 0)), None);
    }

    /// Draws differences of `metrics` metrics over `seeds` seeds, the metrics correlated with each other.
    fn drawn(random: &mut Xoshiro256PlusPlus, metrics: usize, seeds: usize) -> Vec<Column> {
        let mut even = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        let common: Vec<f64> = (0..seeds).map(|_| even()).collect();
        (0..metrics)
            .map(|_| Column::new(common.iter().map(|value| value + even()).collect()))
            .collect()
    }

    #[test]
    fn where_nothing_differs_one_comparison_in_twenty_reports_a_difference() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut alarms = 0;
        for _ in 0..400 {
            let columns = drawn(&mut random, 12, 40);
            alarms += usize::from(westfall_young(&columns, 199).iter().any(|(_, p)| *p < 0.05));
        }
        // 20 are expected; 33 or more occur in one run of two hundred.
        assert!((7..33).contains(&alarms), "{alarms} of 400");
    }

    #[test]
    fn a_corrected_p_value_is_smaller_than_bonferronis_where_metrics_agree() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let one = drawn(&mut random, 1, 30).remove(0).differences;
        let shifted: Vec<f64> = one.iter().map(|value| value + 0.2).collect();
        // The same metric twenty times: the correction need not do anything.
        let columns: Vec<Column> = (0..20).map(|_| Column::new(shifted.clone())).collect();
        let found = westfall_young(&columns, 999);
        assert!(
            found
                .iter()
                .all(|(alone, among)| (alone - among).abs() < f64::EPSILON && *alone < 0.05),
            "{found:?}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn exchanging_the_sides_changes_no_p_value(
            pairs in prop::collection::vec((0..7_i32, 0..7_i32), 0..30),
        ) {
            let of = |turn: bool| -> Vec<Option<[f64; 2]>> {
                pairs.iter().map(|&(a, b)| Some(if turn { [f64::from(b), f64::from(a)] } else { [f64::from(a), f64::from(b)] })).collect()
            };
            let columns = |turn: bool| {
                let pairs = of(turn);
                let differences = pairs.iter().flatten().map(|[a, b]| b - a).collect();
                [Column::new(differences), Column::new(deviations(&pairs))]
            };
            let (one, other) = (columns(false), columns(true));
            prop_assert_eq!(westfall_young(&one, 99), westfall_young(&other, 99));
            prop_assert_eq!(one.each_ref().map(Column::exact), other.each_ref().map(Column::exact));
        }

        #[test]
        fn sampled_p_values_approach_the_exact_ones(values in prop::collection::vec(-9..9_i32, 1..12)) {
            let column = Column::new(values.iter().copied().map(f64::from).collect());
            let exact = column.exact().unwrap();
            let sampled = westfall_young(std::slice::from_ref(&column), 4_999)[0].0;
            prop_assert!((exact - sampled).abs() < 0.035, "{} {}", exact, sampled);
        }
    }
}

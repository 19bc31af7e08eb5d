//! Compares two designs seed by seed.
//!
//! Every Builder draws from its own random stream, so a small edit leaves most of a seed's dungeon unchanged, and the
//! metrics of both designs are strongly correlated over the same seeds. Differences within seeds therefore reveal far
//! smaller effects than a comparison of two independent samples.
//!
//! Under the hypothesis that the edit has no effect, the two dungeons of a seed are exchangeable: the sign of each
//! difference is arbitrary. The tests count how many assignments of signs give a sum at least as extreme as the
//! observed one (sign-flip permutation test; for booleans this is McNemar's exact test). The p-values are corrected for
//! all metrics by the step-down procedure of Westfall and Young: the signs of all metrics of a seed flip together, so
//! that the correction accounts for their correlation.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng as _};
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, DiscreteCDF as _};

use super::{Difference, MeanDifference, MetricComparison, PairCounts, SIGNIFICANT, median};
use crate::analysis::MetricValues;
use crate::analysis::interval::{Interval, NORMAL_975};
use crate::design::expect::{METRICS, MetricInfo};

/// Number of sampled sign assignments for a final result. The smallest p-value that sampling can yield is then 0.0001.
pub const FLIPS: usize = 9_999;

/// Largest number of nonzero differences for which all sign assignments are enumerated.
const ENUMERATED: usize = 13;

/// Weight of the tests for a difference in spread relative to those for a shift. Most edits cause a shift, so the
/// weight is below 1: the additional tests for spread then weaken the tests for shifts only a little.
const SPREAD_WEIGHT: f64 = 0.75;

/// Relative tolerance within which two sums count as equal. It is needed because the order of additions changes the
/// last digits of a sum.
const ROUNDING: f64 = 1e-9;

/// The values of one quantity on both sides, seed by seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairedValues {
    /// Both values of each seed; `None` if one side has no value.
    pub pairs: Vec<Option<[f64; 2]>>,
    /// Whether the quantity is a boolean: 1 is true and 0 is false.
    pub is_truth: bool,
}

/// The change in a quantity from the first side to the second, within seeds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedChange {
    /// Numbers of seeds in which the value is higher or lower on the second side.
    pub counts: PairCounts,
    /// Difference of the means; `None` if there are too few seeds.
    pub change: Option<MeanDifference>,
    /// P-value of the difference.
    pub p: f64,
    /// The p-value `p`, corrected for all quantities that are compared together.
    pub p_adjusted: f64,
}

/// The default is the result of a comparison without seeds.
impl Default for PairedChange {
    fn default() -> Self {
        Self {
            counts: PairCounts {
                pairs: 0,
                higher: 0,
                lower: 0,
            },
            change: None,
            p: 1.0,
            p_adjusted: 1.0,
        }
    }
}

impl PairedChange {
    /// Returns whether the difference is significant.
    pub fn is_real(&self) -> bool {
        self.p_adjusted < SIGNIFICANT
    }
}

/// Tests each of several quantities for a difference within seeds, and corrects the p-values for all of them. All
/// `values` must contain the same seeds in the same order. `flips` is the number of sampled sign assignments: use
/// [`FLIPS`] for a final result.
pub fn paired_changes(values: &[PairedValues], flips: usize) -> Vec<PairedChange> {
    let columns: Vec<Column> = values.iter().map(|one| Column::new(differences(&one.pairs))).collect();
    let adjusted = westfall_young(&columns, flips);
    let changes = values.iter().zip(&columns).zip(adjusted);
    changes
        .map(|((one, column), (sampled, corrected))| {
            let (counts, change) = change(&one.pairs, one.is_truth);
            let p = column.exact().unwrap_or(sampled);
            PairedChange {
                counts,
                change,
                p,
                p_adjusted: corrected.max(p),
            }
        })
        .collect()
}

/// Returns the second value minus the first for each seed; 0 if one side has no value.
fn differences(pairs: &[Option<[f64; 2]>]) -> Vec<f64> {
    let difference = |pair: &Option<[f64; 2]>| pair.map_or(0.0, |[first, second]| second - first);
    pairs.iter().map(difference).collect()
}

/// Returns the counts of rising and falling pairs, and the difference of the means.
fn change(pairs: &[Option<[f64; 2]>], is_truth: bool) -> (PairCounts, Option<MeanDifference>) {
    let pairs: Vec<[f64; 2]> = pairs.iter().flatten().copied().collect();
    let count = |wanted: fn(&[f64; 2]) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
    let counts = PairCounts {
        pairs: pairs.len(),
        higher: count(|[first, second]| second > first),
        lower: count(|[first, second]| second < first),
    };
    let change = if is_truth {
        share_difference(counts)
    } else {
        let differences: Vec<f64> = pairs.iter().map(|[first, second]| second - first).collect();
        mean_difference(&differences)
    };
    (counts, change)
}

/// Compares the dungeons of two designs in every metric, in the order of [`METRICS`]. Each pair contains the metrics of
/// both dungeons of one seed. `flips` is the number of sampled sign assignments: use [`FLIPS`] for a final result.
pub fn compare_pairs(pairs: &[[&MetricValues; 2]], flips: usize) -> Vec<MetricComparison> {
    let mut columns = Vec::with_capacity(METRICS.len() * 2);
    let mut found: Vec<MetricComparison> = Vec::with_capacity(METRICS.len());
    for info in METRICS {
        let both = |pair: &[&MetricValues; 2]| match pair.map(|values| values.number(info.metric)) {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        };
        let values: Vec<Option<[f64; 2]>> = pairs.iter().map(both).collect();
        columns.push(Column::new(differences(&values)));
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

/// Returns the comparison of a metric's pairs before any test has set its verdict.
fn untested(info: &MetricInfo, pairs: &[Option<[f64; 2]>]) -> MetricComparison {
    let sorted = |side: usize| {
        let mut values: Vec<f64> = pairs.iter().flatten().map(|pair| pair[side]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    };
    let (counts, change) = change(pairs, info.is_truth);
    let even = (counts.pairs - counts.higher - counts.lower) as f64 / 2.0;
    MetricComparison {
        metric: info.metric,
        values: [sorted(0), sorted(1)],
        p: 1.0,
        p_adjusted: 1.0,
        difference: Difference::Chance,
        higher: if counts.pairs == 0 {
            0.5
        } else {
            (counts.higher as f64 + even) / counts.pairs as f64
        },
        change,
        pairs: Some(counts),
    }
}

/// Returns, for each pair, how much farther the second value is from the median of all values than the first value is.
/// The result is positive where the second design's values spread more widely. Exchanging the two values of a pair
/// changes only the sign of its result.
fn deviations(pairs: &[Option<[f64; 2]>]) -> Vec<f64> {
    let mut all: Vec<f64> = pairs.iter().flatten().flatten().copied().collect();
    all.sort_unstable_by(f64::total_cmp);
    let middle = median(&all).unwrap_or(0.0);
    pairs
        .iter()
        .map(|pair| pair.map_or(0.0, |[first, second]| (second - middle).abs() - (first - middle).abs()))
        .collect()
}

/// Returns the mean of the differences with its 95% confidence interval from Student's t-distribution; `None` for
/// fewer than two differences.
fn mean_difference(differences: &[f64]) -> Option<MeanDifference> {
    let Interval { low, high } = Interval::of_mean(differences, differences.len() as u64);
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    (differences.len() > 1).then_some(MeanDifference { mean, low, high })
}

/// Returns the second side's share of true values minus the first side's, with its 95% confidence interval; `None` for
/// fewer than two pairs. The interval is Bonett and Price's, which is also valid for few discordant pairs.
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

/// The differences that one test examines.
struct Column {
    differences: Vec<f64>,
    /// Factor by which the standardized sum is multiplied when the largest sum of all columns is determined.
    weight: f64,
    /// Square root of the sum of the squared differences. Flipping signs does not change it. It is 0 if all differences
    /// are 0.
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

    /// Returns the exact two-sided p-value; `None` if there are more than [`ENUMERATED`] nonzero differences and they
    /// have different magnitudes.
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

/// Returns the two-sided probability that `count` tosses of a fair coin yield `heads` heads or a more extreme number.
fn sign_test(heads: usize, count: usize) -> f64 {
    let fewer = heads.min(count - heads) as u64;
    let tail = Binomial::new(0.5, count as u64).map_or(1.0, |coins| coins.cdf(fewer));
    (2.0 * tail).min(1.0)
}

/// Returns two p-values for each column, both from sampled sign assignments: the p-value of the column alone, and the
/// p-value corrected for all columns by Westfall and Young's step-down procedure, which uses the largest standardized
/// sum. Every call samples the same assignments.
fn westfall_young(columns: &[Column], flips: usize) -> Vec<(f64, f64)> {
    let mut result = vec![(1.0, 1.0); columns.len()];
    let mut tested: Vec<usize> = (0..columns.len()).filter(|&at| columns[at].norm > 0.0).collect();
    let factor = |at: usize| columns[at].weight / columns[at].norm;
    let observed = |at: usize| columns[at].differences.iter().sum::<f64>().abs() * factor(at);
    tested.sort_by(|a, b| observed(*b).total_cmp(&observed(*a)).then(a.cmp(b)));
    let wanted: Vec<f64> = tested.iter().map(|&at| observed(at) - ROUNDING).collect();
    let seeds = columns.first().map_or(0, |column| column.differences.len());
    // One row of standardized differences for each seed. Seeds without any difference are left out.
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
        // The loop starts with the least extreme column; `largest` is the largest sum of the columns visited so far.
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

/// Adds each value of a row to the sum of its column.
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
    fn p_values_and_intervals_agree_with_scipy() {
        // scipy 1.17: stats.permutation_test((d,), np.sum, permutation_type="samples"), stats.ttest_1samp(d, 0)
        let differences = [3.0, -1.0, 4.0, 1.5, -0.5, 2.0, 0.0, 2.5, 1.0, -2.0];
        assert!(close(exact(&differences).unwrap(), 0.136_718_75));
        let change = mean_difference(&differences).unwrap();
        assert!(close(change.low, -0.314_084_729_082_897_64) && close(change.high, 2.414_084_729_082_898));
        // stats.binomtest(12, 40), (3, 10) and (160, 400). McNemar's exact test for the same numbers of discordant
        // pairs, such as statsmodels' mcnemar([[0, 12], [28, 0]], exact=True), has the same p-values.
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
    fn sampled_p_values_agree_with_scipy() {
        // Uncorrected p-values: scipy 1.17, stats.permutation_test((d,), sum, permutation_type="samples",
        // n_resamples=2**16), which is exact. Corrected p-values: numpy over the same 2^16 sign assignments, by the
        // step-down procedure with the largest |sum| / norm.
        let columns = [
            [1, 2, 8, 4, 6, 3, 3, -1, 3, 1, 4, 6, 5, -3, 2, 1],
            [-2, 0, 5, 2, 5, 5, 6, -2, 4, 1, -1, 5, 1, -2, 4, -1],
            [0, -3, 6, 1, 3, 1, 3, -1, 3, 0, 2, 3, 2, -3, 2, -3],
            [-5, -5, 5, 2, 0, 1, 1, -6, 2, -2, -3, 3, 0, -2, 2, -4],
        ];
        let values = columns.map(|column| PairedValues {
            pairs: column
                .map(|difference| Some([10.0, 10.0 + f64::from(difference)]))
                .to_vec(),
            is_truth: false,
        });
        let expected = [
            (0.001_861_572_265_625, 0.005_401_611_328_125),
            (0.031_066_894_531_25, 0.064_880_371_093_75),
            (0.165_527_343_75, 0.238_525_390_625),
            (0.451_416_015_625, 0.451_416_015_625),
        ];
        for (found, (p, p_adjusted)) in paired_changes(&values, 49_999).iter().zip(expected) {
            // Four standard errors of a sampled share.
            let near = |sampled: f64, exact: f64| {
                (sampled - exact).abs() < 4.0 * (exact * (1.0 - exact) / 49_999.0).sqrt() + 1e-4
            };
            assert!(
                near(found.p, p) && near(found.p_adjusted, p_adjusted),
                "{found:?} {p} {p_adjusted}"
            );
        }
    }

    #[test]
    fn a_verdict_agrees_with_the_reported_p_value() {
        let mut comparison = untested(&METRICS[0], &[]);
        for (tests, corrected, expected) in [
            ([0.0503, 0.6], [0.0499, 0.7], Difference::Chance),
            ([0.6, 0.0503], [0.7, 0.0499], Difference::Chance),
            ([0.0503, 0.01], [0.0499, 0.02], Difference::Spread),
            ([0.0499, 0.01], [0.0498, 0.02], Difference::Shift),
        ] {
            comparison.set_verdict(tests, corrected);
            assert_eq!(comparison.difference, expected, "{tests:?} {corrected:?}");
            let is_real = comparison.p_adjusted < SIGNIFICANT;
            assert_eq!(is_real, expected != Difference::Chance, "{tests:?} {corrected:?}");
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
        // Bonett and Price's formula, evaluated in Python with scipy's quantile.
        assert!(
            close(change.mean, 0.28)
                && close(change.low, 0.175_941_090_225_741_67)
                && close(change.high, 0.373_078_517_617_395_5),
            "{change:?}"
        );
        assert_eq!(share_difference(counts(1, 1, 0)), None);
    }

    /// Draws the differences of `seeds` seeds in `metrics` metrics that are correlated with each other.
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
        // 20 alarms are expected; one run in two hundred has 33 or more.
        assert!((7..33).contains(&alarms), "{alarms} of 400");
    }

    #[test]
    fn a_corrected_p_value_is_smaller_than_bonferronis_where_metrics_agree() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let one = drawn(&mut random, 1, 30).remove(0).differences;
        let shifted: Vec<f64> = one.iter().map(|value| value + 0.2).collect();
        // The same metric twenty times: the correction must leave the p-values unchanged.
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

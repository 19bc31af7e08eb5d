//! Compares two samples of dungeons that were grown from different seeds. The samples are independent draws.
//!
//! Each metric is tested twice. The Mann-Whitney test detects a shift; it is exact if both samples together have at
//! most 60 values, otherwise it uses the normal distribution with corrections for ties and continuity. The
//! Kolmogorov-Smirnov test detects any difference in distribution; it is exact, with or without ties, unless the
//! product of the sample sizes is above 25 million. For larger samples it uses Kolmogorov's limit distribution, whose
//! p-values are nearly exact without ties, and too large with many ties. Both tests are permutation tests, so they
//! are valid for any distribution of the metric. Holm's procedure corrects the p-values for all metrics and tests.

use statrs::distribution::{ContinuousCDF as _, StudentsT};
use statrs::function::erf::erfc;

use super::{Difference, MeanDifference, MetricComparison};
use crate::analysis::MetricValues;
use crate::analysis::interval::{NORMAL_975, moments};
use crate::design::expect::{DungeonMetric, METRICS};

/// Largest total number of values in both samples for which the Mann-Whitney test is computed exactly.
const EXACT: usize = 60;

/// Largest product of the sample sizes for which the Kolmogorov-Smirnov test is computed exactly. The product is about
/// the number of steps that the computation takes.
const EXACT_STEPS: usize = 25_000_000;

/// Compares two samples in every metric, in the order of [`METRICS`].
pub fn compare_samples(first: &[&MetricValues], second: &[&MetricValues]) -> Vec<MetricComparison> {
    fn values(values: &[&MetricValues], metric: DungeonMetric) -> Vec<f64> {
        let mut values: Vec<f64> = values.iter().filter_map(|values| values.number(metric)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }
    let mut found: Vec<(MetricComparison, [f64; 2])> = METRICS
        .iter()
        .map(|info| {
            let values = [values(first, info.metric), values(second, info.metric)];
            let (shift, higher) = mann_whitney(&values[0], &values[1]);
            let spread = kolmogorov_smirnov(&values[0], &values[1]);
            let change = if info.is_truth {
                share_difference(&values)
            } else {
                mean_difference(&values)
            };
            let comparison = MetricComparison {
                metric: info.metric,
                values,
                p: 1.0,
                p_adjusted: 1.0,
                difference: Difference::Chance,
                higher,
                change,
                pairs: None,
            };
            (comparison, [shift, spread])
        })
        .collect();
    let all: Vec<f64> = found.iter().flat_map(|(_, tests)| *tests).collect();
    for ((comparison, tests), corrected) in found.iter_mut().zip(holm(&all).chunks(2)) {
        comparison.set_verdict(*tests, [corrected[0], corrected[1]]);
    }
    found.into_iter().map(|(comparison, _)| comparison).collect()
}

/// Returns the difference of the means with its 95% confidence interval by Welch's t-test; `None` if a side has fewer
/// than two values.
fn mean_difference(samples: &[Vec<f64>; 2]) -> Option<MeanDifference> {
    let [first, second] = samples.each_ref().map(|values| moments(values));
    let ((mean, variance, count), (other, other_variance, other_count)) = (first?, second?);
    let errors = [variance / count, other_variance / other_count];
    let error = errors[0] + errors[1];
    let freedom = error * error / (errors[0].powi(2) / (count - 1.0) + errors[1].powi(2) / (other_count - 1.0));
    // Without any spread the interval is a point.
    let quantile = StudentsT::new(0.0, 1.0, freedom).map_or(0.0, |t| t.inverse_cdf(0.975));
    let half = quantile * error.sqrt();
    let change = other - mean;
    Some(MeanDifference {
        mean: change,
        low: change - half,
        high: change + half,
    })
}

/// Returns the difference of two shares with its 95% confidence interval by Agresti and Caffo's method, which adds one
/// true and one false value to each side; `None` if a side has no value.
fn share_difference(samples: &[Vec<f64>; 2]) -> Option<MeanDifference> {
    if samples.iter().any(Vec::is_empty) {
        return None;
    }
    let true_count = |values: &[f64]| values.iter().sum::<f64>();
    let shares = samples
        .each_ref()
        .map(|values| true_count(values) / values.len() as f64);
    let added = samples.each_ref().map(|values| {
        (
            (true_count(values) + 1.0) / (values.len() as f64 + 2.0),
            values.len() as f64 + 2.0,
        )
    });
    let variance: f64 = added.iter().map(|(share, count)| share * (1.0 - share) / count).sum();
    let (middle, half) = (added[1].0 - added[0].0, NORMAL_975 * variance.sqrt());
    Some(MeanDifference {
        mean: shares[1] - shares[0],
        low: (middle - half).max(-1.0),
        high: (middle + half).min(1.0),
    })
}

/// Runs the Mann-Whitney test on two sorted samples. Returns its two-sided p-value, and the probability that a value of
/// the second sample is higher than a value of the first (ties count half). Returns 1 and 0.5 if a sample is empty.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> (f64, f64) {
    let (n, m) = (first.len(), second.len());
    if n == 0 || m == 0 {
        return (1.0, 0.5);
    }
    let ties = ties(first, second);
    // Equal values share the middle rank of their group, which may end in .5. All ranks are doubled to keep them whole.
    let mut before = 0;
    let mut sum = 0;
    let mut ranks: Vec<usize> = Vec::new();
    let mut cubes = 0.0;
    for [of_first, of_second] in &ties {
        let count = of_first + of_second;
        let twice = 2 * before + count + 1;
        sum += twice * of_second;
        if n + m <= EXACT {
            ranks.extend(std::iter::repeat_n(twice, count));
        }
        cubes += (count as f64).powi(3) - count as f64;
        before += count;
    }
    let all = n + m;
    // Twice the statistic U of the second sample: twice the number of pairs in which its value is higher, ties counting
    // half.
    let wins = sum - m * (m + 1);
    let higher = wins as f64 / (2 * n * m) as f64;
    let p = if all <= EXACT {
        exact_ranks(&ranks, m, sum)
    } else {
        let (n, m, all) = (n as f64, m as f64, all as f64);
        let variance = n * m / 12.0 * (all + 1.0 - cubes / (all * (all - 1.0)));
        let distance = ((wins as f64 / 2.0 - n * m / 2.0).abs() - 0.5).max(0.0);
        if variance > 0.0 {
            erfc(distance / (2.0 * variance).sqrt())
        } else {
            1.0
        }
    };
    (p.clamp(0.0, 1.0), higher)
}

/// Returns the probability that the rank sum of `drawn` randomly drawn values is at least as far from its expected
/// value as `sum` is. `ranks` contains twice the rank of every value, and `sum` is also doubled.
fn exact_ranks(ranks: &[usize], drawn: usize, sum: usize) -> f64 {
    let most: usize = ranks.iter().sum();
    // `chances[taken][sum]` is the probability that, of the values considered so far, `taken` are drawn and have this
    // sum. The probability of drawing the next value is the number of values still to draw, divided by the number of
    // values left.
    let mut chances = vec![vec![0.0; most + 1]; drawn + 1];
    chances[0][0] = 1.0;
    for (seen, rank) in ranks.iter().enumerate() {
        let left = (ranks.len() - seen) as f64;
        for taken in (0..=drawn.min(seen)).rev() {
            let take = (drawn - taken) as f64 / left;
            for at in (0..=most).rev() {
                let chance = chances[taken][at];
                if chance == 0.0 {
                    continue;
                }
                chances[taken][at] = chance * (1.0 - take);
                if taken < drawn {
                    chances[taken + 1][at + rank] += chance * take;
                }
            }
        }
    }
    // Twice the expected sum of the doubled ranks.
    let expected = drawn * (ranks.len() + 1) * 2;
    let far = |sum: usize| (2 * sum).abs_diff(expected);
    chances[drawn]
        .iter()
        .enumerate()
        .filter(|(other, _)| far(*other) >= far(sum))
        .map(|(_, chance)| chance)
        .sum()
}

/// Runs the Kolmogorov-Smirnov test on two sorted samples. Returns its p-value, which is exact, even with ties, unless
/// the product of the sample sizes is above 25 million; 1 if a sample is empty.
pub fn kolmogorov_smirnov(first: &[f64], second: &[f64]) -> f64 {
    let (n, m) = (first.len(), second.len());
    if n == 0 || m == 0 {
        return 1.0;
    }
    let ties = ties(first, second);
    let apart = |i: usize, j: usize| (i * m).abs_diff(j * n);
    let (mut i, mut j, mut greatest) = (0, 0, 0);
    // The distributions can be compared only after a whole group of equal values. `ends` marks these positions.
    let mut ends = vec![false; n + m + 1];
    for [of_first, of_second] in &ties {
        (i, j) = (i + of_first, j + of_second);
        ends[i + j] = true;
        greatest = greatest.max(apart(i, j));
    }
    if greatest == 0 {
        return 1.0;
    }
    if n * m > EXACT_STEPS {
        return kolmogorov_limit(greatest as f64 / ((n * m) as f64 * (n + m) as f64).sqrt());
    }
    // Every order of the values is a walk from (0, 0) to (n, m), and all walks are equally likely. `left` is the
    // probability that, at some position in `ends`, the distributions of a walk are at least `greatest` apart.
    let mut row = vec![0.0; m + 1];
    let mut left = 0.0;
    for i in 0..=n {
        for j in 0..=m {
            let rest = (n + m - i - j) as f64;
            // A walk arrives from (i − 1, j), whose probability is still in `row[j]`, or from (i, j − 1).
            let from_above = if i > 0 {
                row[j] * (n + 1 - i) as f64 / (rest + 1.0)
            } else {
                0.0
            };
            let from_left = if j > 0 {
                row[j - 1] * (m + 1 - j) as f64 / (rest + 1.0)
            } else {
                0.0
            };
            let mut chance = if i + j == 0 { 1.0 } else { from_above + from_left };
            if ends[i + j] && apart(i, j) >= greatest {
                left += chance;
                chance = 0.0;
            }
            row[j] = chance;
        }
    }
    f64::min(left, 1.0)
}

/// Returns the approximate p-value of the Kolmogorov-Smirnov test for two large samples of n and m values without ties.
/// `distance` is the greatest difference between their distributions, multiplied by the square root of n × m / (n + m).
/// The p-value is the probability that a variable with Kolmogorov's distribution exceeds `distance`.
fn kolmogorov_limit(distance: f64) -> f64 {
    // The series converges too slowly for small distances. Below 0.25 the probability is above 0.9999999.
    if distance < 0.25 {
        return 1.0;
    }
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 1.0 } else { -1.0 };
        sign * (-2.0 * f64::from(k * k) * distance * distance).exp()
    };
    (2.0 * (1..=20).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// Returns how often each of two sorted samples contains each distinct value, in ascending order of the values.
fn ties(first: &[f64], second: &[f64]) -> Vec<[usize; 2]> {
    let (mut i, mut j) = (0, 0);
    let mut ties = Vec::new();
    while i < first.len() || j < second.len() {
        let least = match (first.get(i), second.get(j)) {
            (Some(a), Some(b)) => a.min(*b),
            (Some(a), None) => *a,
            (None, Some(b)) => *b,
            (None, None) => break,
        };
        let count = |values: &[f64]| values.iter().take_while(|value| **value <= least).count();
        let both = [count(&first[i..]), count(&second[j..])];
        (i, j) = (i + both[0], j + both[1]);
        ties.push(both);
    }
    ties
}

/// Corrects p-values for multiple tests by Holm's procedure. Returns them in the order of `values`.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut corrected = vec![1.0; values.len()];
    let mut least: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max(values[at] * (values.len() - rank) as f64).min(1.0);
        corrected[at] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::random::{Key, Stream};

    fn sorted(mut values: Vec<f64>) -> Vec<f64> {
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Draws `count` whole numbers from 0 to `steps` − 1, uniformly, and sorts them.
    fn draws(stream: &mut Stream, count: usize, steps: u32) -> Vec<f64> {
        sorted((0..count).map(|_| f64::from(stream.below(steps))).collect())
    }

    /// Returns both test statistics of two samples, computed from their definitions: the distance of the number of wins
    /// from its expected value (times four), and the largest distance between the distributions (times both sample
    /// sizes).
    fn statistics(first: &[f64], second: &[f64]) -> (usize, usize) {
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        let wins: usize = pairs.map(|(a, b)| if b > a { 2 } else { usize::from(a <= b) }).sum();
        let below = |values: &[f64], value: f64| values.iter().filter(|other| **other <= value).count();
        let apart = |value: &f64| (below(first, *value) * second.len()).abs_diff(below(second, *value) * first.len());
        let greatest = first.iter().chain(second).map(apart).max().unwrap_or(0);
        ((2 * wins).abs_diff(2 * first.len() * second.len()), greatest)
    }

    /// Returns both p-values by enumerating every division of the values into two samples.
    fn by_all_divisions(first: &[f64], second: &[f64]) -> (f64, f64) {
        let all: Vec<f64> = first.iter().chain(second).copied().collect();
        let seen = statistics(first, second);
        let (mut divisions, mut far) = (0, (0, 0));
        for bits in 0_u32..1 << all.len() {
            if bits.count_ones() as usize != first.len() {
                continue;
            }
            let (one, other): (Vec<_>, Vec<_>) = (0..all.len()).partition(|i| bits >> i & 1 == 1);
            let of = |places: Vec<usize>| sorted(places.into_iter().map(|i| all[i]).collect());
            let other = statistics(&of(one), &of(other));
            divisions += 1;
            far.0 += u32::from(other.0 >= seen.0);
            far.1 += u32::from(other.1 >= seen.1);
        }
        (
            f64::from(far.0) / f64::from(divisions),
            f64::from(far.1) / f64::from(divisions),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn p_values_agree_with_an_enumeration_of_all_divisions(
            first in prop::collection::vec(0..6_u8, 1..6), second in prop::collection::vec(0..6_u8, 1..6),
        ) {
            let of = |values: Vec<u8>| sorted(values.into_iter().map(f64::from).collect());
            let (first, second) = (of(first), of(second));
            let expected = by_all_divisions(&first, &second);
            prop_assert!((mann_whitney(&first, &second).0 - expected.0).abs() < 1e-9);
            prop_assert!((kolmogorov_smirnov(&first, &second) - expected.1).abs() < 1e-9);
        }

        #[test]
        fn it_does_not_matter_which_sample_comes_first(
            first in prop::collection::vec(0..9_u8, 0..40), second in prop::collection::vec(0..9_u8, 0..60),
        ) {
            let of = |values: Vec<u8>| sorted(values.into_iter().map(f64::from).collect());
            let (first, second) = (of(first), of(second));
            let ((p, higher), (q, lower)) = (mann_whitney(&first, &second), mann_whitney(&second, &first));
            prop_assert!((p - q).abs() < 1e-9 && (higher + lower - 1.0).abs() < 1e-9);
            let (p, q) = (kolmogorov_smirnov(&first, &second), kolmogorov_smirnov(&second, &first));
            prop_assert!((p - q).abs() < 1e-9);
        }
    }

    #[test]
    fn small_cases_by_hand() {
        // There are 20 ways to choose three of six values; in two of them, the samples are at least as far apart as
        // these.
        let (low, high) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
        let (p, higher) = mann_whitney(&low, &high);
        assert!((p - 0.1).abs() < 1e-12 && (higher - 1.0).abs() < 1e-12);
        assert!((kolmogorov_smirnov(&low, &high) - 0.1).abs() < 1e-12);
        // All values are equal: no difference.
        assert_eq!(mann_whitney(&[2.0; 5], &[2.0; 80]), (1.0, 0.5));
        assert!((kolmogorov_smirnov(&[2.0; 5], &[2.0; 80]) - 1.0).abs() < f64::EPSILON);
        assert_eq!(mann_whitney(&[], &[1.0]), (1.0, 0.5));
        assert!((kolmogorov_smirnov(&[1.0], &[]) - 1.0).abs() < f64::EPSILON);
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]).map_to_text(), "0.03 0.06 0.06 0.02");
        assert_eq!(holm(&[0.6, 0.7]).map_to_text(), "1 1");
        assert!(holm(&[]).is_empty());
    }

    trait Text {
        fn map_to_text(&self) -> String;
    }

    impl Text for Vec<f64> {
        fn map_to_text(&self) -> String {
            let texts: Vec<String> = self
                .iter()
                .map(|value| format!("{}", (value * 1e6).round() / 1e6))
                .collect();
            texts.join(" ")
        }
    }

    /// Compares many pairs of samples from one distribution. Returns the largest distance between the distribution of
    /// the p-values and a uniform distribution, and the share of p-values that are at most 0.05.
    fn under_chance(count: usize, steps: u32, p: impl Fn(&[f64], &[f64]) -> f64) -> (f64, f64) {
        const COMPARISONS: usize = 400;
        let mut stream = Stream::new(Key::new(17).child(u64::from(steps)));
        let found = (0..COMPARISONS).map(|_| {
            let first = draws(&mut stream, count, steps);
            p(&first, &draws(&mut stream, count * 3 / 2, steps))
        });
        let found = sorted(found.collect());
        let places = found.iter().zip(1..);
        let apart = places.map(|(p, place)| (p - f64::from(place) / COMPARISONS as f64).abs());
        let often = found.iter().filter(|p| **p <= 0.05).count() as f64 / COMPARISONS as f64;
        (apart.reduce(f64::max).unwrap_or(0.0), often)
    }

    #[test]
    fn where_nothing_differs_p_values_are_uniform() {
        // One run in a hundred has a distance of 0.082 or more.
        for count in [8, 70] {
            let (apart, often) = under_chance(count, 1_000_000, |a, b| mann_whitney(a, b).0);
            assert!(
                apart < 0.082 && (0.025..=0.08).contains(&often),
                "{count}: {apart} {often}"
            );
        }
        let (apart, often) = under_chance(70, 1_000_000, kolmogorov_smirnov);
        assert!(apart < 0.1 && (0.02..=0.08).contains(&often), "{apart} {often}");
        // With many ties, small p-values must not be more frequent than they should be.
        for test in [kolmogorov_smirnov, |a: &[f64], b: &[f64]| mann_whitney(a, b).0] {
            let (_, often) = under_chance(70, 3, test);
            assert!(often <= 0.08, "{often}");
        }
    }

    #[test]
    fn large_samples_get_the_p_value_of_the_limit_distribution() {
        // The critical distances of Kolmogorov's distribution, as tables list them.
        for (distance, p) in [(1.223_8, 0.1), (1.358_1, 0.05), (1.627_6, 0.01)] {
            assert!((kolmogorov_limit(distance) - p).abs() < 1e-4, "{distance}");
        }
        assert!((kolmogorov_limit(0.249) - 1.0).abs() < 1e-9 && (kolmogorov_limit(0.251) - 1.0).abs() < 1e-7);
        let shifted = |by: u32| (by..6_000 + by).map(f64::from).collect::<Vec<f64>>();
        let p = kolmogorov_smirnov(&shifted(0), &shifted(149));
        assert!((p - 0.05).abs() < 0.001, "{p}");
        // On both sides of the limit, the p-values agree.
        let shifted = |count: u32, by: u32| (by..count + by).map(f64::from).collect::<Vec<f64>>();
        let exact = kolmogorov_smirnov(&shifted(5_000, 0), &shifted(5_000, 130));
        let limit = kolmogorov_smirnov(&shifted(5_001, 0), &shifted(5_001, 130));
        assert!((exact - limit).abs() < 0.002, "{exact} {limit}");
    }

    #[test]
    fn a_shift_is_found_and_a_wider_spread_by_the_other_test() {
        let mut stream = Stream::new(Key::new(4));
        let base = draws(&mut stream, 100, 1000);
        let shifted: Vec<f64> = draws(&mut stream, 100, 1000)
            .iter()
            .map(|value| value + 300.0)
            .collect();
        let (p, higher) = mann_whitney(&base, &shifted);
        assert!(p < 1e-6 && higher > 0.7, "{p} {higher}");
        assert!(kolmogorov_smirnov(&base, &shifted) < 1e-4);
        let narrow: Vec<f64> = draws(&mut stream, 100, 100).iter().map(|value| value + 450.0).collect();
        assert!(mann_whitney(&base, &narrow).0 > 0.05);
        assert!(kolmogorov_smirnov(&base, &narrow) < 1e-6);
    }
}

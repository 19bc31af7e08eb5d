//! Similarity of dungeons to examples, in chosen metrics and in their local patterns.
//!
//! Differences in both are measured in standard deviations of the examples: a difference counts more if the examples
//! differ little from each other. Metrics are compared by their quantiles, so that their spread also counts. Patterns
//! are compared by the square roots of their shares: the variance of such a root hardly depends on how frequent the
//! pattern is. The distance in the patterns is the Mahalanobis distance, in which frequencies that always rise and fall
//! together count once.

use super::{TrialMetrics, TrialTable};
use crate::analysis::PATTERNS;

/// The quantiles by which a metric is compared.
const QUANTILES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Weight of the candidates' typical deviation, as a number of examples. It is needed because the deviation of a few
/// examples alone is uncertain.
const PRIOR: f64 = 4.0;

/// Weight of the candidates' covariance of the patterns, as a number of examples. It exceeds [`PRIOR`] because a
/// covariance consists of far more numbers.
const PRIOR_OF_COVARIANCE: f64 = 30.0;

/// Smallest number of examples for which a metric's range (`Likeness::bands`) is computed from the examples' quantiles.
/// With fewer examples, the range is estimated from their mean and the metric's standard deviation.
pub const ENOUGH_EXAMPLES: usize = 10;

/// Number of standard deviations on either side of the mean within which 80% of normally distributed numbers lie.
const EIGHT_OF_TEN: f64 = 1.28;

/// Factor that converts the difference between two shares to deviations. The two shares are the share of dungeons that
/// lack a metric and the share of examples that lack it. The product is added to the difference of the quantiles.
const MISSING: f64 = 5.0;

/// Distance, in deviations, that replaces the difference of the quantiles if either no dungeon or no example has the
/// metric.
const NONE: f64 = 10.0;

/// Share of a covariance matrix of patterns that is replaced by its diagonal.
const SHRINKAGE: f64 = 0.3;

/// Metrics and patterns of some dungeons.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    dungeons: usize,
    /// Values of each metric in ascending order; dungeons that lack the metric are left out.
    pub(super) numbers: Vec<Vec<f64>>,
    /// Mean of each pattern's [root](roots) over all dungeons.
    patterns: Vec<f64>,
    /// For each dungeon, the differences between its roots and these means.
    residuals: Vec<Vec<f64>>,
}

/// Returns, for each pattern, the square root of its share of the windows of a dungeon.
fn roots(patterns: &[u32]) -> Vec<f64> {
    let windows = patterns.iter().sum::<u32>().max(1);
    let mut roots: Vec<f64> = patterns
        .iter()
        .map(|count| (f64::from(*count) / f64::from(windows)).sqrt())
        .collect();
    roots.resize(PATTERNS, 0.0);
    roots
}

/// Returns the mean and the standard deviation of some numbers; both are 0 for an empty list.
fn moments(numbers: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
    let count = numbers.clone().count() as f64;
    if count == 0.0 {
        return [0.0, 0.0];
    }
    let mean = numbers.clone().sum::<f64>() / count;
    let squares: f64 = numbers.map(|number| (number - mean).powi(2)).sum();
    [mean, (squares / (count - 1.0).max(1.0)).sqrt()]
}

/// Returns the mean of each component; all zeros if there are no vectors.
fn mean(vectors: &[Vec<f64>]) -> Vec<f64> {
    let mut mean = vec![0.0; PATTERNS];
    for vector in vectors {
        mean.iter_mut()
            .zip(vector)
            .for_each(|(mean, at)| *mean += at / vectors.len() as f64);
    }
    mean
}

/// Returns the quantile at `share` (0 to 1) of numbers in ascending order, interpolated linearly between two numbers, so
/// that samples of different sizes can be compared: without interpolation, the p10 of ten numbers would be the least.
/// Returns `None` for an empty list.
pub(super) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * (sorted.len().checked_sub(1)? as f64);
    let (low, high) = (sorted[place as usize], sorted[place.ceil() as usize]);
    Some(low + (high - low) * place.fract())
}

impl Sample {
    /// Creates the sample of some dungeons. Each row must contain values for `metrics` metrics.
    pub(super) fn of<'a>(rows: &(impl Iterator<Item = &'a TrialMetrics> + Clone), metrics: usize) -> Self {
        let numbers = (0..metrics).map(|metric| {
            let mut numbers: Vec<f64> = rows.clone().filter_map(|row| row.values[metric].number()).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            numbers
        });
        let mut residuals: Vec<Vec<f64>> = rows.clone().map(|row| roots(&row.patterns)).collect();
        let patterns = mean(&residuals);
        for residual in &mut residuals {
            residual.iter_mut().zip(&patterns).for_each(|(at, mean)| *at -= mean);
        }
        Self {
            dungeons: residuals.len(),
            numbers: numbers.collect(),
            patterns,
            residuals,
        }
    }

    /// Creates the sample of all dungeons in a table.
    pub(super) fn of_table(table: &TrialTable) -> Self {
        Self::of(&table.rows.iter().flatten(), table.metrics.len())
    }

    fn missing(&self, metric: usize) -> f64 {
        1.0 - self.numbers[metric].len() as f64 / self.dungeons.max(1) as f64
    }
}

/// The examples, and the deviations by which differences from them are scaled.
#[derive(Debug, Clone)]
pub(super) struct Likeness {
    examples: Sample,
    /// Standard deviation of each metric.
    metrics: Vec<f64>,
    /// Covariance of the patterns, factored by [`factor`].
    covariance: Vec<f64>,
}

impl Likeness {
    /// Prepares comparisons with some examples. `typical` contains samples of candidates: the fewer the examples, the
    /// more the candidates' deviations are used in place of the examples' own.
    pub(super) fn new(examples: Sample, typical: &[Sample]) -> Self {
        let middle = |deviation: &dyn Fn(&Sample) -> f64| {
            let mut all: Vec<f64> = typical.iter().filter(|one| one.dungeons > 1).map(deviation).collect();
            all.sort_unstable_by(f64::total_cmp);
            quantile(&all, 0.5).unwrap_or(0.0)
        };
        let count = examples.dungeons.saturating_sub(1) as f64;
        let shrunk =
            |own: f64, typical: f64| ((count * own * own + PRIOR * typical * typical) / (count + PRIOR)).sqrt();
        let metrics = (0..examples.numbers.len()).map(|metric| {
            let [mean, own] = moments(examples.numbers[metric].iter().copied());
            let typical = middle(&|one| moments(one.numbers[metric].iter().copied())[1]);
            // Even a metric that never varies needs a deviation above 0, since distances are divided by it.
            shrunk(own, typical).max(0.01 * mean.abs()).max(1e-6)
        });
        let others = typical.iter().flat_map(|one| &one.residuals);
        let mut covariance = covariance(&examples.residuals.iter().collect::<Vec<_>>());
        let prior = self::covariance(&others.collect::<Vec<_>>());
        for (own, typical) in covariance.iter_mut().zip(prior) {
            *own = (count * *own + PRIOR_OF_COVARIANCE * typical) / (count + PRIOR_OF_COVARIANCE);
        }
        Self {
            metrics: metrics.collect(),
            covariance: factor(covariance),
            examples,
        }
    }

    /// Returns whether a metric's range is an estimate, because fewer than [`ENOUGH_EXAMPLES`] examples have the
    /// metric.
    pub(super) fn is_estimated(&self, metric: usize) -> bool {
        self.examples.numbers[metric].len() < ENOUGH_EXAMPLES
    }

    /// Returns, for each metric, the range that is expected to contain the values of 80% of the dungeons that resemble
    /// the examples; `None` for a metric that no example has. An estimated range may extend beyond the values that the
    /// metric can have.
    pub(super) fn bands(&self) -> Vec<Option<[f64; 2]>> {
        let bands =
            self.examples
                .numbers
                .iter()
                .zip(&self.metrics)
                .enumerate()
                .map(|(metric, (numbers, deviation))| {
                    if !self.is_estimated(metric) {
                        return Some([quantile(numbers, 0.1)?, quantile(numbers, 0.9)?]);
                    }
                    let [mean, _] = moments(numbers.iter().copied());
                    let half = EIGHT_OF_TEN * deviation;
                    (!numbers.is_empty()).then_some([mean - half, mean + half])
                });
        bands.collect()
    }

    /// Returns the distance of some dungeons from the examples, in deviations: the root mean square of the distances
    /// in the metrics, plus the distance in the patterns. Returns infinity if there are no dungeons.
    pub(super) fn distance(&self, sample: &Sample) -> f64 {
        if sample.dungeons == 0 {
            return f64::INFINITY;
        }
        self.of_metrics(sample) + self.of_patterns(sample)
    }

    /// Returns the difference between some dungeons and the examples as a vector, in deviations. Its squared length
    /// approximates the square of the distance. Returns `None` if all dungeons lack a metric that some example has.
    pub(super) fn difference(&self, sample: &Sample) -> Option<Vec<f64>> {
        let scale = (self.metrics.len().max(1) as f64).sqrt();
        let mut difference = self.white(sample);
        for (metric, deviation) in self.metrics.iter().enumerate() {
            let [known, found] = [&self.examples, sample].map(|one| &one.numbers[metric]);
            difference.push(MISSING * (sample.missing(metric) - self.examples.missing(metric)) / scale);
            if known.is_empty() {
                continue;
            }
            for share in QUANTILES {
                let apart = quantile(found, share)? - quantile(known, share)?;
                difference.push(apart / deviation / scale / (QUANTILES.len() as f64).sqrt());
            }
        }
        Some(difference)
    }

    fn of_metrics(&self, sample: &Sample) -> f64 {
        let squares = (0..self.metrics.len()).map(|metric| {
            let [known, found] = [&self.examples, sample].map(|one| &one.numbers[metric]);
            let missing = MISSING * (self.examples.missing(metric) - sample.missing(metric)).abs();
            let apart = QUANTILES.iter().map(|&share| {
                let [known, found] = [quantile(known, share), quantile(found, share)];
                match (known, found) {
                    (Some(known), Some(found)) => (known - found).abs() / self.metrics[metric],
                    (None, None) => 0.0,
                    _ => NONE,
                }
            });
            (apart.sum::<f64>() / QUANTILES.len() as f64 + missing).powi(2)
        });
        (squares.sum::<f64>() / self.metrics.len().max(1) as f64).sqrt()
    }

    fn of_patterns(&self, sample: &Sample) -> f64 {
        self.white(sample).iter().map(|at| at * at).sum::<f64>().sqrt()
    }

    /// Returns the difference in the patterns, transformed into uncorrelated components.
    fn white(&self, sample: &Sample) -> Vec<f64> {
        let pairs = self.examples.patterns.iter().zip(&sample.patterns);
        let apart: Vec<f64> = pairs.map(|(known, found)| found - known).collect();
        solved_below(&self.covariance, apart)
    }
}

/// Computes the covariance matrix of the patterns of some dungeons from their residuals, shrunk towards its diagonal.
fn covariance(residuals: &[&Vec<f64>]) -> Vec<f64> {
    let mut covariance = vec![0.0; PATTERNS * PATTERNS];
    for residual in residuals {
        for (at, row) in residual.iter().zip(covariance.chunks_exact_mut(PATTERNS)) {
            let scaled = at / residuals.len() as f64;
            row.iter_mut()
                .zip(*residual)
                .for_each(|(cell, other)| *cell += scaled * other);
        }
    }
    for (i, row) in covariance.chunks_exact_mut(PATTERNS).enumerate() {
        for (k, cell) in row.iter_mut().enumerate() {
            // Patterns that never occur have no variance; the small addition keeps the matrix invertible.
            *cell = if i == k {
                *cell + 1e-7
            } else {
                *cell * (1.0 - SHRINKAGE)
            };
        }
    }
    covariance
}

/// Returns how often a classifier assigns dungeons to the correct one of two samples: the mean of its shares of correct
/// answers in both samples, about 0.5 if it cannot distinguish them. The classifier uses only the patterns, and was
/// trained on other dungeons of both samples. Returns `None` if a sample contains fewer than 10 dungeons.
///
/// The classifier is a linear discriminant with a covariance that is shrunk towards its diagonal. Each half of the
/// samples is tested with a classifier trained on the other half.
pub fn pattern_accuracy(samples: [&[TrialMetrics]; 2]) -> Option<f64> {
    if samples.iter().any(|sample| sample.len() < 10) {
        return None;
    }
    let samples = samples.map(|sample| sample.iter().map(|row| roots(&row.patterns)).collect::<Vec<_>>());
    let half =
        |sample: &[Vec<f64>], odd: usize| -> Vec<Vec<f64>> { sample.iter().skip(odd).step_by(2).cloned().collect() };
    let mut right = 0.0;
    for odd in [0, 1] {
        let trained = samples.each_ref().map(|sample| half(sample, odd));
        let tested = samples.each_ref().map(|sample| half(sample, 1 - odd));
        let classifier = Discriminant::new(trained);
        for (is_second, sample) in [false, true].into_iter().zip(&tested) {
            let found = sample.iter().filter(|roots| classifier.is_second(roots) == is_second);
            right += found.count() as f64 / sample.len() as f64 / 4.0;
        }
    }
    Some(right)
}

/// A linear classifier that assigns dungeons to one of two samples.
struct Discriminant {
    weights: Vec<f64>,
    middle: f64,
}

impl Discriminant {
    fn new(samples: [Vec<Vec<f64>>; 2]) -> Self {
        let means = samples.each_ref().map(|sample| mean(sample));
        let mut residuals: Vec<Vec<f64>> = Vec::new();
        for (sample, mean) in samples.into_iter().zip(&means) {
            residuals.extend(sample.into_iter().map(|mut roots| {
                roots.iter_mut().zip(mean).for_each(|(at, mean)| *at -= mean);
                roots
            }));
        }
        let factor = factor(covariance(&residuals.iter().collect::<Vec<_>>()));
        let apart = means[1].iter().zip(&means[0]).map(|(b, a)| b - a).collect();
        let weights = solved_above(&factor, solved_below(&factor, apart));
        let ends = weights.iter().zip(means[0].iter().zip(&means[1]));
        let middle = ends.map(|(weight, (a, b))| weight * f64::midpoint(*a, *b)).sum();
        Self { weights, middle }
    }

    fn is_second(&self, one: &[f64]) -> bool {
        self.weights
            .iter()
            .zip(one)
            .map(|(weight, at)| weight * at)
            .sum::<f64>()
            > self.middle
    }
}

/// Factors a covariance matrix with Cholesky's method: returns the lower triangular matrix whose product with its
/// transpose is the covariance. Elements above the diagonal are left unchanged.
fn factor(mut matrix: Vec<f64>) -> Vec<f64> {
    for i in 0..PATTERNS {
        for k in 0..=i {
            let known: f64 = (0..k)
                .map(|j| matrix[i * PATTERNS + j] * matrix[k * PATTERNS + j])
                .sum();
            let rest = matrix[i * PATTERNS + k] - known;
            matrix[i * PATTERNS + k] = if i == k {
                rest.max(1e-12).sqrt()
            } else {
                rest / matrix[k * PATTERNS + k]
            };
        }
    }
    matrix
}

/// Solves the linear equations of the lower triangular matrix `factor`, with `right` as the right-hand side.
fn solved_below(factor: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    for i in 0..PATTERNS {
        let known: f64 = (0..i).map(|j| factor[i * PATTERNS + j] * right[j]).sum();
        right[i] = (right[i] - known) / factor[i * PATTERNS + i];
    }
    right
}

/// Solves the linear equations of the transpose of the lower triangular matrix `factor`.
fn solved_above(factor: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    for i in (0..PATTERNS).rev() {
        let known: f64 = (i + 1..PATTERNS).map(|j| factor[j * PATTERNS + i] * right[j]).sum();
        right[i] = (right[i] - known) / factor[i * PATTERNS + i];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::MetricValue;
    use crate::engine::random::{Key, Stream};

    /// Returns results with one metric near `number`, and with patterns; the larger `uneven` is, the more their
    /// frequencies differ.
    fn dungeons(count: usize, number: f64, uneven: u32, chance: u64) -> Vec<TrialMetrics> {
        let mut stream = Stream::new(Key::new(chance));
        let mut dungeon = || TrialMetrics {
            values: vec![MetricValue::Number(Some(number + f64::from(stream.below(100)) / 10.0))],
            anomalies: Vec::new(),
            corridor: None,
            gap: Vec::new(),
            patterns: (0..PATTERNS as u32)
                .map(|i| 100 + i % 7 * uneven + stream.below(40))
                .collect(),
        };
        (0..count).map(|_| dungeon()).collect()
    }

    fn sample(rows: &[TrialMetrics]) -> Sample {
        Sample::of(&rows.iter(), 1)
    }

    #[test]
    fn a_quantile_lies_between_two_numbers_in_proportion() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.9), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0], 1.0), Some(2.0));
    }

    #[test]
    fn the_distance_grows_with_the_difference() {
        let examples = dungeons(400, 50.0, 5, 1);
        let likeness = Likeness::new(sample(&examples), &[]);
        let far = |number, uneven| likeness.distance(&sample(&dungeons(400, number, uneven, 2)));
        assert!(likeness.distance(&sample(&examples)) < 1e-9);
        assert!(far(50.0, 5) < 2.0, "{}", far(50.0, 5));
        assert!(far(55.0, 5) > far(50.0, 5) + 1.0 && far(70.0, 5) > far(55.0, 5) + 1.0);
        assert!(far(50.0, 15) > far(50.0, 8) && far(50.0, 8) > far(50.0, 5));
        // An empty sample is farther away than any dungeon.
        assert!(likeness.distance(&sample(&[])).is_infinite());
        // Dungeons that all lack a metric are far from examples that all have it.
        let mut without = dungeons(400, 50.0, 5, 1);
        for row in &mut without {
            row.values[0] = MetricValue::Number(None);
        }
        assert!(likeness.distance(&sample(&without)) > far(70.0, 5));
    }

    #[test]
    fn the_range_of_few_examples_depends_on_the_spread_of_candidates() {
        let typical = sample(&dungeons(30, 0.0, 5, 3));
        let few = Likeness::new(sample(&dungeons(1, 50.0, 5, 1)), &[typical]);
        let [low, high] = few.bands()[0].unwrap();
        let [_, deviation] = moments((0..100).map(|i| f64::from(i) / 10.0));
        assert!(
            (high - low - 2.0 * EIGHT_OF_TEN * deviation).abs() < 1.5,
            "{low} to {high}"
        );
        let many = Likeness::new(sample(&dungeons(200, 50.0, 5, 1)), &[]);
        let [low, high] = many.bands()[0].unwrap();
        assert!(
            (50.5..51.8).contains(&low) && (58.0..59.5).contains(&high),
            "{low} to {high}"
        );
    }

    #[test]
    fn a_classifier_distinguishes_different_samples_only() {
        let [one, same, other] = [(5, 1), (5, 2), (9, 3)].map(|(uneven, chance)| dungeons(60, 50.0, uneven, chance));
        let same = pattern_accuracy([&one, &same]).unwrap();
        assert!((0.35..0.65).contains(&same), "{same}");
        let other = pattern_accuracy([&one, &other]).unwrap();
        assert!(other > 0.95, "{other}");
        assert_eq!(pattern_accuracy([&one, &one[..9]]), None);
    }
}

//! CMA-ES: an evolution strategy that learns the step size and the directions of its search, with an ask-and-tell
//! interface.
//!
//! The method follows N. Hansen's tutorial (“The CMA Evolution Strategy”), with the rank-one and rank-µ updates. For
//! up to 24 coordinates, they update the full covariance matrix; for more, only its diagonal (sep-CMA-ES of Ros and
//! Hansen), so that a step takes much less time than it takes to draw the designer's screen. All coordinates are
//! between 0 and 1; values outside this range are reflected at its bounds. Coordinates for whole numbers and switches
//! have a minimum step: if the strategy's own step has become too small to reach the next number, some points are moved
//! by one minimum step.
//!
//! The method is implemented here because no crate fits: `cmaes` (0.2.2 of 2022) calls the objective function itself
//! and requires a matrix library and an old random generator; the other crates use a generator that cannot be seeded.
//! This implementation returns one generation of points at a time, and the same seed and costs always lead to the
//! same points.

use crate::engine::random::{Key, Stream};

/// Maximum number of coordinates for which the full covariance matrix is learnt; with more coordinates, only the
/// variances are learnt.
const FULL: usize = 24;

/// Smallest standard deviation, in minimum steps, with which random steps reach the next number often enough without
/// [nudging](Cma::nudge).
const ENOUGH: f64 = 0.5;

/// A search for the point of the unit box with the lowest cost.
#[derive(Debug, Clone)]
pub struct Cma {
    mean: Vec<f64>,
    sigma: f64,
    /// Minimum step of each coordinate; 0 for continuous ones.
    steps: Vec<f64>,
    /// Covariance matrix, row by row; with more than [`FULL`] coordinates, only its diagonal.
    covariance: Vec<f64>,
    /// Eigenvectors of the covariance matrix, in columns; `lengths` are the square roots of its eigenvalues.
    axes: Vec<f64>,
    lengths: Vec<f64>,
    path_sigma: Vec<f64>,
    path: Vec<f64>,
    /// Points of the current generation.
    asked: Vec<Vec<f64>>,
    generation: u32,
    weights: Vec<f64>,
    rates: Rates,
    stream: Stream,
}

/// Learning rates and other constants of the strategy.
#[derive(Debug, Clone, Copy)]
struct Rates {
    effective: f64,
    path: f64,
    sigma: f64,
    damping: f64,
    one: f64,
    mu: f64,
    /// Expected length of a random step.
    chi: f64,
}

impl Rates {
    fn new(count: usize, effective: f64, full: bool) -> Self {
        let n = count as f64;
        let sigma = (effective + 2.0) / (n + effective + 5.0);
        let one = 2.0 / ((n + 1.3).powi(2) + effective);
        let mu = (2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective)).min(1.0 - one);
        // A diagonal has fewer values than a full matrix, so it can be learnt faster.
        let faster = if full { 1.0 } else { (n + 2.0) / 3.0 };
        let one = (one * faster).min(0.4);
        Self {
            effective,
            path: (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n),
            sigma,
            damping: 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + sigma,
            one,
            mu: (mu * faster).min(0.5),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

impl Cma {
    /// Starts a search at the point `start` of the unit box, with the initial step size `sigma`. `steps` contains the
    /// minimum step of each coordinate, 0 for continuous coordinates.
    pub fn new(start: &[f64], sigma: f64, steps: &[f64], seed: u64) -> Self {
        let count = start.len();
        let population = 4 + (3.0 * (count.max(1) as f64).ln()) as usize;
        let parents = population / 2;
        let raw: Vec<f64> = (1..=parents)
            .map(|i| (parents as f64 + 0.5).ln() - (i as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let full = count <= FULL;
        let identity = |full: bool| {
            let mut matrix = vec![0.0; if full { count * count } else { count }];
            for i in 0..count {
                matrix[if full { i * count + i } else { i }] = 1.0;
            }
            matrix
        };
        let mut all_steps = steps.to_vec();
        all_steps.resize(count, 0.0);
        Self {
            mean: start.iter().map(|at| at.clamp(0.0, 1.0)).collect(),
            sigma,
            steps: all_steps,
            covariance: identity(full),
            axes: if full { identity(true) } else { Vec::new() },
            lengths: vec![1.0; count],
            path_sigma: vec![0.0; count],
            path: vec![0.0; count],
            asked: Vec::new(),
            generation: 0,
            rates: Rates::new(count.max(1), effective, full),
            weights,
            stream: Stream::new(Key::new(seed)),
        }
    }

    /// Returns the number of points in a generation.
    pub fn population(&self) -> usize {
        4 + (3.0 * (self.mean.len().max(1) as f64).ln()) as usize
    }

    /// Returns the mean of the distribution from which the next generation is drawn, in the unit box.
    pub fn mean(&self) -> Vec<f64> {
        self.mean.iter().map(|at| reflected(*at)).collect()
    }

    /// Returns the number of completed generations.
    pub const fn generation(&self) -> u32 {
        self.generation
    }

    /// Draws the points of the next generation and returns them; all are in the unit box.
    pub fn ask(&mut self) -> Vec<Vec<f64>> {
        let count = self.mean.len();
        let asked: Vec<Vec<f64>> = (0..self.population())
            .map(|_| {
                let drawn: Vec<f64> = (0..count).map(|i| self.lengths[i] * normal(&mut self.stream)).collect();
                let turned = self.turned(&drawn);
                let mut point: Vec<f64> = (0..count).map(|i| self.mean[i] + self.sigma * turned[i]).collect();
                self.nudge(&mut point);
                point
            })
            .collect();
        // The strategy learns from the reflected points, because these are the points that the caller tries. From
        // points outside the box, it would learn to move ever farther out.
        let inside = |point: Vec<f64>| point.into_iter().map(reflected).collect();
        self.asked = asked.into_iter().map(inside).collect();
        self.asked.clone()
    }

    /// Moves some coordinates of `point` by their minimum step if the strategy's own step has become too small to
    /// reach the next number.
    fn nudge(&mut self, point: &mut [f64]) {
        let count = point.len();
        for (i, at) in point.iter_mut().enumerate() {
            let spread = self.sigma * self.variance(i).sqrt();
            if self.steps[i] <= 0.0 || spread >= ENOUGH * self.steps[i] {
                continue;
            }
            // If the spread of every coordinate is too small, one coordinate moves in every second point on average.
            if self.stream.below(2 * count as u32) == 0 {
                *at += if self.stream.below(2) == 0 {
                    self.steps[i]
                } else {
                    -self.steps[i]
                };
            }
        }
    }

    fn is_full(&self) -> bool {
        self.mean.len() <= FULL
    }

    fn variance(&self, i: usize) -> f64 {
        let at = if self.is_full() { i * self.mean.len() + i } else { i };
        self.covariance[at]
    }

    /// Converts a step from lengths along the axes of the covariance matrix to coordinates.
    fn turned(&self, along: &[f64]) -> Vec<f64> {
        if !self.is_full() {
            return along.to_vec();
        }
        let count = along.len();
        (0..count)
            .map(|i| (0..count).map(|k| self.axes[i * count + k] * along[k]).sum())
            .collect()
    }

    /// Returns `step` multiplied by the inverse square root of the covariance matrix.
    fn whitened(&self, step: &[f64]) -> Vec<f64> {
        let count = step.len();
        if !self.is_full() {
            return (0..count).map(|i| step[i] / self.lengths[i]).collect();
        }
        let along: Vec<f64> = (0..count)
            .map(|k| (0..count).map(|i| self.axes[i * count + k] * step[i]).sum::<f64>() / self.lengths[k])
            .collect();
        self.turned(&along)
    }

    /// Updates the strategy with the costs of the points that [`Self::ask`] returned last, in the order of these
    /// points. Lower costs are better.
    pub fn report(&mut self, costs: &[f64]) {
        let count = self.mean.len();
        let asked = std::mem::take(&mut self.asked);
        let mut order: Vec<usize> = (0..asked.len().min(costs.len())).collect();
        order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        if order.len() < self.weights.len() || count == 0 {
            return;
        }
        self.generation += 1;
        let old = self.mean.clone();
        let sigma = self.sigma;
        let steps: Vec<Vec<f64>> = order[..self.weights.len()]
            .iter()
            .map(|&at| (0..count).map(|i| (asked[at][i] - old[i]) / sigma).collect())
            .collect();
        let step: Vec<f64> = (0..count)
            .map(|i| {
                self.weights
                    .iter()
                    .zip(&steps)
                    .map(|(weight, step)| weight * step[i])
                    .sum()
            })
            .collect();
        for i in 0..count {
            self.mean[i] = old[i] + sigma * step[i];
        }
        let rates = self.rates;
        let white = self.whitened(&step);
        let keep = (rates.sigma * (2.0 - rates.sigma) * rates.effective).sqrt();
        for (path, white) in self.path_sigma.iter_mut().zip(&white) {
            *path = (1.0 - rates.sigma) * *path + keep * white;
        }
        let length = self.path_sigma.iter().map(|at| at * at).sum::<f64>().sqrt();
        let correction = 1.0 - (1.0 - rates.sigma).powi(2 * self.generation.min(10_000) as i32);
        let steady = length / correction.sqrt() < (1.4 + 2.0 / (count as f64 + 1.0)) * rates.chi;
        let keep = if steady {
            (rates.path * (2.0 - rates.path) * rates.effective).sqrt()
        } else {
            0.0
        };
        for (path, step) in self.path.iter_mut().zip(&step) {
            *path = (1.0 - rates.path) * *path + keep * step;
        }
        let lost = if steady {
            0.0
        } else {
            rates.one * rates.path * (2.0 - rates.path)
        };
        self.learn(&steps, 1.0 - rates.one - rates.mu + lost);
        // A step size above 1 exceeds the box, so it would not widen the search any further.
        self.sigma = (self.sigma
            * ((rates.sigma / rates.damping) * (length / rates.chi - 1.0))
                .min(1.0)
                .exp())
        .min(1.0);
        self.turn();
    }

    /// Updates the covariance matrix with the steps of the best points.
    fn learn(&mut self, steps: &[Vec<f64>], kept: f64) {
        let count = self.mean.len();
        let rates = self.rates;
        let full = self.is_full();
        for i in 0..count {
            let columns = if full { 0..count } else { i..i + 1 };
            for k in columns {
                let best = self.weights.iter().zip(steps);
                let mu: f64 = best.map(|(weight, step)| weight * step[i] * step[k]).sum();
                let at = if full { i * count + k } else { i };
                self.covariance[at] =
                    kept * self.covariance[at] + rates.one * self.path[i] * self.path[k] + rates.mu * mu;
            }
        }
    }

    /// Computes the eigenvectors of the covariance matrix and the square roots of its eigenvalues.
    fn turn(&mut self) {
        let count = self.mean.len();
        let least = 1e-20;
        if self.is_full() {
            let values = eigen(&self.covariance, count, &mut self.axes);
            self.lengths = values.into_iter().map(|value| value.max(least).sqrt()).collect();
        } else {
            self.lengths = self.covariance.iter().map(|value| value.max(least).sqrt()).collect();
        }
    }
}

/// Reflects a coordinate at the bounds 0 and 1 until it is between them.
pub(super) fn reflected(at: f64) -> f64 {
    let turned = at.rem_euclid(2.0);
    if turned > 1.0 { 2.0 - turned } else { turned }
}

/// Returns a uniformly distributed random number from 0 to 1.
pub(super) fn even(stream: &mut Stream) -> f64 {
    f64::from(stream.below(u32::MAX)) / f64::from(u32::MAX - 1)
}

/// Returns a random number from the standard normal distribution.
pub(super) fn normal(stream: &mut Stream) -> f64 {
    // Excludes 0 and 1.
    let mut even = || (f64::from(stream.below(u32::MAX)) + 0.5) / f64::from(u32::MAX);
    let (radius, angle) = (even(), even());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Computes the eigenvalues and eigenvectors of a symmetric matrix with Jacobi's rotations. Returns the eigenvalues
/// and writes the eigenvectors to the columns of `axes`.
fn eigen(matrix: &[f64], count: usize, axes: &mut [f64]) -> Vec<f64> {
    let mut a = matrix.to_vec();
    for (i, at) in axes.iter_mut().enumerate() {
        *at = if i / count == i % count { 1.0 } else { 0.0 };
    }
    for _ in 0..30 {
        let mut rest = 0.0;
        for i in 0..count {
            for k in i + 1..count {
                rest += a[i * count + k] * a[i * count + k];
            }
        }
        let scale: f64 = (0..count).map(|i| a[i * count + i] * a[i * count + i]).sum();
        if rest <= 1e-24 * scale {
            break;
        }
        for p in 0..count {
            for q in p + 1..count {
                rotate(&mut a, axes, count, p, q);
            }
        }
    }
    (0..count).map(|i| a[i * count + i]).collect()
}

/// Rotates the plane of the coordinates `p` and `q` so that their covariance becomes 0.
fn rotate(a: &mut [f64], axes: &mut [f64], count: usize, p: usize, q: usize) {
    let between = a[p * count + q];
    if between == 0.0 {
        return;
    }
    let theta = (a[q * count + q] - a[p * count + p]) / (2.0 * between);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let tangent = if theta == 0.0 { 1.0 } else { tangent };
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |m: &mut [f64], i: usize, k: usize| {
        let (one, other) = (m[i], m[k]);
        m[i] = cosine * one - sine * other;
        m[k] = sine * one + cosine * other;
    };
    for i in 0..count {
        turn(a, i * count + p, i * count + q);
    }
    for i in 0..count {
        turn(a, p * count + i, q * count + i);
    }
    for i in 0..count {
        turn(axes, i * count + p, i * count + q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the lowest cost found within `generations` generations, and the point with this cost.
    fn least(mut cma: Cma, generations: u32, cost: impl Fn(&[f64]) -> f64) -> (f64, Vec<f64>) {
        let mut best = (f64::INFINITY, Vec::new());
        for _ in 0..generations {
            let points = cma.ask();
            assert!(points.iter().flatten().all(|at| (0.0..=1.0).contains(at)));
            let costs: Vec<f64> = points.iter().map(|point| cost(point)).collect();
            for (point, cost) in points.into_iter().zip(&costs) {
                if *cost < best.0 {
                    best = (*cost, point);
                }
            }
            cma.report(&costs);
        }
        best
    }

    fn sphere(at: &[f64]) -> f64 {
        at.iter().map(|at| (at - 0.3).powi(2)).sum()
    }

    #[test]
    fn it_finds_the_middle_of_a_sphere_in_few_and_in_many_coordinates() {
        for (count, generations, bound) in [(1, 60, 1e-8), (5, 120, 1e-10), (20, 300, 1e-10), (60, 700, 1e-8)] {
            let cma = Cma::new(&vec![0.9; count], 0.3, &[], 1);
            let (cost, _) = least(cma, generations, sphere);
            assert!(cost < bound, "{count} coordinates: {cost}");
        }
    }

    #[test]
    fn it_learns_the_axes_of_an_ellipsoid() {
        let cost = |at: &[f64]| {
            // The ellipsoid is rotated, so that learning only the diagonal would not suffice.
            let pairs = at.windows(2).map(|pair| (pair[0] + pair[1] - 0.8, pair[0] - pair[1]));
            pairs
                .map(|(sum, difference)| sum * sum + 1e4 * difference * difference)
                .sum()
        };
        let (found, at) = least(Cma::new(&[0.9, 0.1, 0.8, 0.2, 0.7, 0.3], 0.3, &[], 2), 400, cost);
        assert!(found < 1e-9, "{found}");
        assert!(at.iter().all(|at| (at - 0.4).abs() < 1e-4), "{at:?}");
    }

    #[test]
    fn it_follows_the_curved_valley_of_rosenbrock() {
        let cost = |at: &[f64]| {
            let scaled: Vec<f64> = at.iter().map(|at| at * 4.0 - 2.0).collect();
            let pairs = scaled.windows(2);
            pairs
                .map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2))
                .sum()
        };
        let (found, at) = least(Cma::new(&[0.3; 5], 0.2, &[], 3), 700, cost);
        assert!(found < 1e-9, "{found} at {at:?}");
    }

    #[test]
    fn it_finds_whole_numbers_and_switches_at_the_bounds_and_within() {
        // Three numbers with 10, 100 and 20 steps, and two switches. The cost does not change between whole steps.
        let steps = [0.1, 0.01, 1.0, 1.0, 0.05];
        let target = [7.0, 0.0, 1.0, 0.0, 20.0];
        let cost = |at: &[f64]| {
            let number = |i: usize| (at[i] / steps[i]).round();
            (0..5).map(|i| ((number(i) - target[i]) * steps[i]).powi(2)).sum()
        };
        for seed in 0..8 {
            let cma = Cma::new(&[0.2, 0.8, 0.0, 1.0, 0.4], 0.25, &steps, seed);
            let (found, at) = least(cma, 150, cost);
            assert!(found < 1e-12, "seed {seed}: {found} at {at:?}");
        }
    }

    #[test]
    fn the_same_seed_tries_the_same_points_and_another_seed_others() {
        let points = |seed| {
            let mut cma = Cma::new(&[0.5; 4], 0.3, &[], seed);
            let first = cma.ask();
            cma.report(&first.iter().map(|point| sphere(point)).collect::<Vec<_>>());
            cma.ask()
        };
        assert_eq!(points(5), points(5));
        assert_ne!(points(5), points(6));
    }

    #[test]
    fn costs_that_are_all_the_same_or_missing_do_no_harm() {
        let mut cma = Cma::new(&[0.5; 3], 0.3, &[0.1; 3], 1);
        for _ in 0..50 {
            let points = cma.ask();
            cma.report(&vec![f64::INFINITY; points.len()]);
        }
        cma.ask();
        cma.report(&[1.0]);
        assert!(cma.ask().iter().flatten().all(|at| at.is_finite()));
        let mut none = Cma::new(&[], 0.3, &[], 1);
        none.ask();
        none.report(&[0.0; 4]);
    }
}

//! A linear model of the results around one candidate. It predicts which candidate is the most similar to the
//! examples.
//!
//! The results of a candidate over some seeds are noisy, so a search that compares single candidates follows the
//! noise once all of them are similar to the examples. The model averages over hundreds of candidates instead: each
//! component of the [difference](super::likeness::Likeness::difference) from the examples is fitted as a linear
//! function of the parameters by weighted least squares, and the sum of the squares of the fitted components is
//! minimized, as in the Gauss-Newton method. Afterwards the values are rounded to whole numbers, and each value is
//! moved up or down by 1 as long as the prediction improves.

use super::TunedParameter;

/// Largest number of candidates to fit, per parameter.
const FITTED: usize = 10;

/// Weight, in seeds, of the assumption that a component does not change with a parameter (ridge regression).
const RIDGE: f64 = 4.0;

/// Largest number of rounds in which each value is moved by 1.
const ROUNDS: usize = 4;

/// The measurements of a candidate.
#[derive(Debug, Clone)]
pub(super) struct Measured {
    /// Position of the candidate in the unit box.
    pub(super) at: Vec<f64>,
    /// [Difference](super::likeness::Likeness::difference) from the examples.
    pub(super) difference: Vec<f64>,
    /// Number of seeds over which the candidate was measured.
    pub(super) seeds: f64,
}

/// A linear model around a point of the unit box, its centre.
#[derive(Debug, Clone)]
pub(super) struct LocalModel {
    center: Vec<f64>,
    /// Predicted difference at the centre.
    level: Vec<f64>,
    /// Derivative of the difference with respect to each parameter.
    slopes: Vec<Vec<f64>>,
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn squares(vector: &[f64]) -> f64 {
    vector.iter().map(|at| at * at).sum()
}

/// Adds the product of `times` and `vector` to `to`.
fn add(to: &mut [f64], vector: &[f64], times: f64) {
    to.iter_mut().zip(vector).for_each(|(to, at)| *to += times * at);
}

impl LocalModel {
    /// Fits a model to the candidates nearest to `center`. Returns `None` if there are fewer than 2 × (number of
    /// parameters + 1) candidates.
    pub(super) fn fit(center: &[f64], all: &[Measured]) -> Option<Self> {
        let parameters = center.len();
        let mut near: Vec<(f64, &Measured)> = all.iter().map(|one| (apart(&one.at, center), one)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        near.truncate(FITTED * parameters);
        if near.len() < 2 * parameters + 2 {
            return None;
        }
        let far = near.last()?.0.max(1e-12);
        let components = near[0].1.difference.len();
        let size = parameters + 1;
        let mut matrix = vec![0.0; size * size];
        let mut right = vec![vec![0.0; components]; size];
        for (distance, one) in near {
            // The farthest candidates have about a seventh of the weight of those at the centre.
            let weight = one.seeds * (-2.0 * distance / far).exp();
            let mut row: Vec<f64> = one.at.iter().zip(center).map(|(at, center)| at - center).collect();
            row.push(1.0);
            for (i, a) in row.iter().enumerate() {
                add(&mut matrix[i * size..(i + 1) * size], &row, weight * a);
                add(&mut right[i], &one.difference, weight * a);
            }
        }
        for i in 0..parameters {
            matrix[i * size + i] += RIDGE * far;
        }
        let mut solved = solve(matrix, right);
        let level = solved.pop()?;
        Some(Self {
            center: center.to_vec(),
            level,
            slopes: solved,
        })
    }

    fn difference(&self, at: &[f64]) -> Vec<f64> {
        let mut difference = self.level.clone();
        for (slope, (at, center)) in self.slopes.iter().zip(at.iter().zip(&self.center)) {
            add(&mut difference, slope, at - center);
        }
        difference
    }

    /// Returns the parameter values for which, according to the model, the dungeons are the most similar to the
    /// examples. Apart from rounding, each value is at most `radius`, or one step of its parameter if that is more, from
    /// the model's centre in the unit box.
    pub(super) fn best(&self, moves: &[TunedParameter], radius: f64) -> Vec<i32> {
        let step = self.step(radius);
        let at = self
            .center
            .iter()
            .zip(step)
            .map(|(at, step)| (at + step).clamp(0.0, 1.0));
        let mut values: Vec<i32> = moves.iter().zip(at).map(|(one, at)| one.value(at)).collect();
        let mut units: Vec<f64> = moves.iter().zip(&values).map(|(one, value)| one.unit(*value)).collect();
        let mut difference = self.difference(&units);
        let mut least = squares(&difference);
        for _ in 0..ROUNDS {
            let mut is_changed = false;
            for (i, one) in moves.iter().enumerate() {
                for by in [-1, 1] {
                    let value = values[i] + by;
                    let change = one.unit(value) - units[i];
                    let mut shifted = difference.clone();
                    add(&mut shifted, &self.slopes[i], change);
                    let is_inside = (one.least..=one.most).contains(&value)
                        && (one.unit(value) - self.center[i]).abs() <= radius.max(one.step());
                    if is_inside && squares(&shifted) < least {
                        (values[i], units[i], least) = (value, one.unit(value), squares(&shifted));
                        difference = shifted;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                break;
            }
        }
        values
    }

    /// Returns the step from the centre, at most `radius` long, that minimizes the squared length of the predicted
    /// difference. The step is computed with Levenberg's method.
    fn step(&self, radius: f64) -> Vec<f64> {
        let size = self.center.len();
        let rows = self.slopes.iter();
        let matrix: Vec<f64> = rows.flat_map(|a| self.slopes.iter().map(|b| product(a, b))).collect();
        let right: Vec<Vec<f64>> = self
            .slopes
            .iter()
            .map(|slope| vec![-product(slope, &self.level)])
            .collect();
        let mean = (0..size).map(|i| matrix[i * size + i]).sum::<f64>() / size.max(1) as f64;
        let mut damping = 1e-3 * mean.max(1e-9);
        loop {
            let mut damped = matrix.clone();
            for i in 0..size {
                damped[i * size + i] += damping;
            }
            let step: Vec<f64> = solve(damped, right.clone()).into_iter().flatten().collect();
            if squares(&step).sqrt() <= radius || damping > 1e12 {
                return step;
            }
            damping *= 2.0;
        }
    }
}

/// Solves linear equations with a symmetric positive definite matrix for several right-hand sides, by Gaussian
/// elimination. The right-hand sides and the returned solutions are stored row by row.
fn solve(mut matrix: Vec<f64>, mut right: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = right.len();
    for i in 0..size {
        let pivot = matrix[i * size + i].max(1e-12);
        let (above, below) = matrix.split_at_mut((i + 1) * size);
        let (solved, rest) = right.split_at_mut(i + 1);
        for (row, other) in below.chunks_exact_mut(size).zip(rest) {
            let times = -row[i] / pivot;
            add(&mut row[i..], &above[i * size + i..], times);
            add(other, &solved[i], times);
        }
    }
    for i in (0..size).rev() {
        let pivot = matrix[i * size + i].max(1e-12);
        let (left, solved) = right.split_at_mut(i + 1);
        for (k, other) in solved.iter().enumerate() {
            add(&mut left[i], other, -matrix[i * size + i + 1 + k]);
        }
        left[i].iter_mut().for_each(|at| *at /= pivot);
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tune::cma::{even, normal};
    use crate::analysis::tune::movable;
    use crate::engine::Options;
    use crate::engine::random::{Key, Stream};
    use crate::presets::Preset;

    #[test]
    fn equations_are_solved() {
        let matrix = vec![4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 5.0];
        let solution = [1.0, -2.0, 3.0];
        let right = (0..3)
            .map(|i| vec![(0..3).map(|k| matrix[i * 3 + k] * solution[k]).sum::<f64>(), 0.0])
            .collect();
        let found = solve(matrix.clone(), right);
        for (found, solution) in found.iter().zip(solution) {
            assert!((found[0] - solution).abs() < 1e-12 && found[1] == 0.0, "{found:?}");
        }
    }

    #[test]
    fn the_model_finds_the_best_values_among_noisy_candidates_that_are_all_far_from_them() {
        let design = Preset::find("weave").unwrap().design();
        let moves = movable(&design, Options::default(), |generation| generation < 1);
        let mut stream = Stream::new(Key::new(4));
        let target: Vec<f64> = moves
            .iter()
            .map(|one| one.unit(one.value(0.3 + 0.4 * even(&mut stream))))
            .collect();
        // Each parameter changes two components of the difference, and every component is noisy.
        let mut measured = |at: Vec<f64>| {
            let mut difference = vec![0.0; 2 * at.len()];
            let components = difference.len();
            for (i, (at, goal)) in at.iter().zip(&target).enumerate() {
                difference[i] += 5.0 * (at - goal);
                difference[(i + 3) % components] += 2.0 * (at - goal);
            }
            for one in &mut difference {
                *one += 0.2 * normal(&mut stream);
            }
            Measured {
                at,
                difference,
                seeds: 10.0,
            }
        };
        let mut places = Stream::new(Key::new(5));
        let all: Vec<Measured> = (0..400)
            .map(|_| measured(moves.iter().map(|_| 0.5 + 0.2 * normal(&mut places)).collect()))
            .collect();
        let model = LocalModel::fit(&vec![0.5; moves.len()], &all).unwrap();
        let best = model.best(&moves, 1.0);
        for ((one, value), target) in moves.iter().zip(best).zip(&target) {
            assert!(
                (one.unit(value) - target).abs() < 0.06 + one.step(),
                "{one:?}: {value}, {target}"
            );
        }
        // Within a radius the values stay near the centre.
        let near = model.best(&moves, 0.01);
        for (one, value) in moves.iter().zip(near) {
            assert!((one.unit(value) - 0.5).abs() <= 0.011 + one.step());
        }
        assert!(LocalModel::fit(&vec![0.5; moves.len()], &all[..10]).is_none());
    }
}

//! First-order sensitivity: the share of a metric's variance, over the designs of a sweep, that one factor alone
//! explains.
//!
//! For a factor x and a metric y, the share is Sobol's first-order index, Var(E[y | x]) / Var(y). It is estimated from
//! the designs of the sweep (Plischke, Borgonovo and Smith, 2013): y is averaged over groups of designs with equal or
//! neighbouring x. No particular sampling is needed: a grid and a Latin hypercube are both suitable. The confidence
//! interval comes from a bootstrap over the designs.

use serde::{Deserialize, Serialize};

use super::super::interval::{Interval, NORMAL_975, moments};
use crate::engine::random::{Key, Stream};

/// Number of bootstrap samples for an interval.
pub const RESAMPLES: u32 = 200;

/// Largest number of groups into which the designs are divided.
const MOST_GROUPS: f64 = 48.0;

/// The sensitivity of a metric to a factor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// Share of the metric's variance that the factor explains, from 0 to 1.
    pub share: f64,
    /// 95% confidence interval of the share, limited to the range from 0 to 1.
    pub interval: Interval,
    /// Share that a factor without any influence would show on average, given this number of designs.
    pub without_influence: f64,
    /// Number of designs.
    pub designs: usize,
}

/// Returns the share of the variance of `y` that `x` explains; both contain one number for each design. Returns `None`
/// if `x` or `y` does not vary, or if their lengths differ.
pub fn sensitivity(x: &[f64], y: &[f64]) -> Option<Sensitivity> {
    let is_varied = |values: &[f64]| values.iter().any(|value| value.total_cmp(&values[0]).is_ne());
    if x.len() != y.len() || !is_varied(x) || !is_varied(y) {
        return None;
    }
    let groups = Groups::of(x);
    let ones = vec![1; y.len()];
    let share = groups.share(&ones, y);
    let count = u32::try_from(y.len()).ok()?;
    let mut stream = Stream::new(Key::new(u64::from(count)));
    let shares: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let mut times = vec![0; y.len()];
            for _ in 0..count {
                times[stream.below(count) as usize] += 1;
            }
            groups.share(&times, y)
        })
        .collect();
    let half = moments(&shares).map_or(0.0, |(_, variance, _)| NORMAL_975 * variance.sqrt());
    Some(Sensitivity {
        share,
        interval: Interval {
            low: (share - half).max(0.0),
            high: (share + half).min(1.0),
        },
        without_influence: (groups.count as f64 - 1.0) / (y.len() as f64 - 1.0),
        designs: y.len(),
    })
}

/// The designs, sorted by a factor's value and divided into groups.
struct Groups {
    /// Indices of the designs, the lowest `x` first.
    order: Vec<usize>,
    count: usize,
    /// Group of each design if `x` has few distinct values, each of which forms a group; `None` if `order` is divided
    /// into groups of equal size.
    by_value: Option<Vec<usize>>,
}

impl Groups {
    fn of(x: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
        let mut by_value = vec![0; x.len()];
        let mut values = 1;
        for pair in order.windows(2) {
            values += usize::from(x[pair[0]].total_cmp(&x[pair[1]]).is_ne());
            by_value[pair[1]] = values - 1;
        }
        let designs = x.len() as f64;
        let exponent = 2.0 / (7.0 + ((1500.0 - designs) / 500.0).tanh());
        let bins = designs.powf(exponent).ceil().min(MOST_GROUPS) as usize;
        // If every group contained only one design, the groups would explain all of the variance. Each distinct value
        // therefore forms a group only if there are few distinct values.
        let is_few = values <= bins.max(2) || values as f64 <= MOST_GROUPS && values * 3 <= x.len();
        Self {
            order,
            count: if is_few { values } else { bins },
            by_value: is_few.then_some(by_value),
        }
    }

    /// Returns the share of the variance that lies between the groups. `times` is how often each design is counted.
    fn share(&self, times: &[u32], y: &[f64]) -> f64 {
        let all: u64 = times.iter().map(|times| u64::from(*times)).sum();
        let total = all as f64;
        let weighted = |of: &dyn Fn(f64) -> f64| -> f64 {
            let terms = times.iter().zip(y).map(|(times, y)| f64::from(*times) * of(*y));
            terms.sum::<f64>() / total
        };
        let mean = weighted(&|y| y);
        let variance = weighted(&|y| (y - mean).powi(2));
        if variance <= 0.0 {
            return 0.0;
        }
        let mut sums = vec![(0.0, 0.0); self.count];
        let mut rank = 0_u64;
        for &design in &self.order {
            let mut add = |group: usize, times: f64| {
                sums[group].0 += times;
                sums[group].1 += times * y[design];
            };
            match &self.by_value {
                Some(groups) => add(groups[design], times[design].into()),
                None => {
                    for _ in 0..times[design] {
                        // Group j contains the ranks above `all * j / count`, up to `all * (j + 1) / count`.
                        let group = ((rank + 1) * self.count as u64).div_ceil(all).saturating_sub(1) as usize;
                        add(group.min(self.count - 1), 1.0);
                        rank += 1;
                    }
                }
            }
        }
        let between = sums
            .iter()
            .filter(|(count, _)| *count > 0.0)
            .map(|(count, sum)| count * (sum / count - mean).powi(2));
        between.sum::<f64>() / total / variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a metric and the two factors on which it depends, the more influential factor first.
    fn designs(count: u32) -> [Vec<f64>; 3] {
        let x = |i: u32, step: u32| f64::from(i * step % 1009) / 1009.0;
        let (a, b): (Vec<f64>, Vec<f64>) = (0..count).map(|i| (x(i, 37), x(i, 611))).unzip();
        let y = a.iter().zip(&b).map(|(a, b)| 3.0 * a * a + b).collect();
        [y, a, b]
    }

    #[test]
    fn shares_agree_with_salib() {
        // pip install SALib (1.6); python3 -c 'import numpy as n
        // from SALib.analyze import delta as d
        // for N in (60, 500, 1009):
        //   i = n.arange(N); a = i * 37 % 1009 / 1009; b = i * 611 % 1009 / 1009; y = 3 * a * a + b
        //   M = int(n.round(min(int(n.ceil(N ** (2 / (7 + n.tanh((1500 - N) / 500))))), 48)))
        //   m = n.linspace(0, N, M + 1)
        //   n.random.seed(1)
        //   for x in (a, b): print(N, d.sobol_first(y, x, m), d.sobol_first_conf(y, x, m, 2000, 0.95, N))'
        for (count, expected) in SALIB {
            let [y, factors @ ..] = designs(count);
            for (x, (share, half)) in factors.iter().zip(expected) {
                let found = sensitivity(x, &y).unwrap();
                assert!((found.share - share).abs() < 1e-12, "{count}: {found:?}");
                let width = found.interval.high - found.share;
                assert!(
                    (width / half - 1.0).abs() < 0.25 || found.interval.high >= 1.0,
                    "{count}: {found:?} {half}"
                );
            }
        }
    }

    const SALIB: [(u32, [(f64, f64); 2]); 3] = [
        (
            60,
            [
                (0.785_528_800_719_583_4, 0.106_664_057_513_512_64),
                (0.119_066_103_823_472_71, 0.155_491_136_391_842_12),
            ],
        ),
        (
            500,
            [
                (0.887_029_393_667_463, 0.023_291_148_133_568_147),
                (0.067_485_747_342_669_21, 0.042_687_279_736_696_03),
            ],
        ),
        (
            1009,
            [
                (0.871_120_397_904_067_7, 0.009_145_321_408_360_704),
                (0.092_866_203_294_970_58, 0.033_190_952_294_424_29),
            ],
        ),
    ];

    #[test]
    fn a_grid_is_divided_by_its_values() {
        // y = 2a + b over a full grid: the expected shares are the variances of 2a and b, divided by their sum.
        let grid: Vec<(f64, f64)> = (0..12).map(|i| (f64::from(i / 3), f64::from(i % 3))).collect();
        let y: Vec<f64> = grid.iter().map(|(a, b)| 2.0 * a + b).collect();
        let (a, b): (Vec<f64>, Vec<f64>) = grid.into_iter().unzip();
        let (of_a, of_b) = (4.0 * 1.25, 2.0 / 3.0);
        let found = sensitivity(&b, &y).unwrap();
        assert!((found.share - of_b / (of_a + of_b)).abs() < 1e-12, "{found:?}");
        assert!((found.without_influence - 2.0 / 11.0).abs() < 1e-12);
        let found = sensitivity(&a, &y).unwrap();
        assert!((found.share - of_a / (of_a + of_b)).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn constant_columns_have_no_sensitivity() {
        assert_eq!(sensitivity(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(sensitivity(&[1.0, 2.0], &[1.0, 1.0]), None);
        assert_eq!(sensitivity(&[], &[]), None);
    }
}

//! Correlation between columns of numbers.

use serde::{Deserialize, Serialize};

/// The correlation of two columns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// Indices of the columns; the first is smaller.
    pub columns: [usize; 2],
    /// Number of rows in which both columns have a number.
    pub rows: usize,
    /// Pearson's correlation coefficient: the correlation of the values.
    pub pearson: f64,
    /// Spearman's correlation coefficient: the correlation of the ranks. Equal values share the mean of their ranks.
    pub spearman: f64,
}

/// Returns the correlation of each pair of columns, except pairs in which the values of either column are all equal. A
/// column contains a number or `NaN` for each row. For each pair, the rows in which either column is `NaN` are ignored.
pub fn correlations(columns: &[Vec<f64>]) -> Vec<Correlation> {
    let is_complete: Vec<bool> = columns
        .iter()
        .map(|column| column.iter().all(|number| !number.is_nan()))
        .collect();
    let all_ranks: Vec<Vec<f64>> = columns
        .iter()
        .zip(&is_complete)
        .map(|(column, is_complete)| if *is_complete { ranks(column) } else { Vec::new() })
        .collect();
    let mut found = Vec::new();
    for second in 1..columns.len() {
        for first in 0..second {
            let (mut rows, mut sums) = (columns[first].len(), None);
            if is_complete[first] && is_complete[second] {
                let of_values = pearson(&columns[first], &columns[second]);
                sums = of_values.zip(pearson(&all_ranks[first], &all_ranks[second]));
            } else {
                let both = columns[first].iter().zip(&columns[second]);
                let (a, b): (Vec<f64>, Vec<f64>) = both.filter(|(a, b)| !a.is_nan() && !b.is_nan()).unzip();
                rows = a.len();
                if let Some(of_values) = pearson(&a, &b) {
                    sums = pearson(&ranks(&a), &ranks(&b)).map(|of_ranks| (of_values, of_ranks));
                }
            }
            found.extend(sums.map(|(pearson, spearman)| Correlation {
                columns: [first, second],
                rows,
                pearson,
                spearman,
            }));
        }
    }
    found.sort_by_key(|one| one.columns);
    found
}

/// Returns the correlation of two lists of the same length; `None` if the values of either list are all equal.
fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut products, mut squares_a, mut squares_b) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        products += a * b;
        squares_a += a * a;
        squares_b += b * b;
    }
    let is_varied = |values: &[f64]| values.iter().any(|value| value.total_cmp(&values[0]).is_ne());
    (is_varied(a) && is_varied(b)).then(|| (products / (squares_a * squares_b).sqrt()).clamp(-1.0, 1.0))
}

/// Returns the rank of each value, counted from 1. Equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    while first < order.len() {
        let value = values[order[first]];
        let count = order[first..]
            .iter()
            .take_while(|at| values[**at].total_cmp(&value).is_eq())
            .count();
        let rank = first as f64 + f64::midpoint(count as f64, 1.0);
        for &at in &order[first..first + count.max(1)] {
            ranks[at] = rank;
        }
        first += count.max(1);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_agree_with_scipy() {
        // scipy 1.17; python3 -c 'import numpy as n
        // from scipy import stats as s
        // i = n.arange(60); x = i * 37 % 101; y = x * x % 97; z = (x + i) // 9
        // for a, b in ((x, y), (x, z), (y, z)): print(s.pearsonr(a, b)[0], s.spearmanr(a, b)[0])
        // x = x[i % 4 > 0]; z = z[i % 4 > 0]; print(s.pearsonr(x, z)[0], s.spearmanr(x, z)[0])'
        let rows = 0..60_u32;
        let x: Vec<f64> = rows.clone().map(|i| f64::from(i * 37 % 101)).collect();
        let y: Vec<f64> = rows.clone().map(|i| f64::from((i * 37 % 101).pow(2) % 97)).collect();
        let z: Vec<f64> = rows.map(|i| f64::from((i * 37 % 101 + i) / 9)).collect();
        let found = correlations(&[x.clone(), y, vec![3.0; 60], z.clone()]);
        assert_eq!(found.len(), 3);
        for (found, (columns, pearson, spearman)) in found.iter().zip(SCIPY) {
            assert_eq!((found.columns, found.rows), (columns, 60));
            assert!((found.pearson - pearson).abs() < 1e-12, "{found:?}");
            assert!((found.spearman - spearman).abs() < 1e-12, "{found:?}");
        }
        let some: Vec<f64> = z
            .iter()
            .enumerate()
            .map(|(i, z)| if i % 4 > 0 { *z } else { f64::NAN })
            .collect();
        let found = correlations(&[x, some])[0];
        assert_eq!(found.rows, 45);
        assert!(
            (found.pearson - SOME[0]).abs() < 1e-12 && (found.spearman - SOME[1]).abs() < 1e-12,
            "{found:?}"
        );
    }

    const SCIPY: [([usize; 2], f64, f64); 3] = [
        ([0, 1], -0.070_894_511_376_862_2, -0.074_812_067_862_222_07),
        ([0, 3], 0.864_065_286_670_481_3, 0.871_779_694_476_185_8),
        ([1, 3], 0.044_573_707_392_258_69, 0.013_007_537_240_803_058),
    ];
    const SOME: [f64; 2] = [0.876_478_970_515_857_3, 0.874_698_147_398_544_3];

    #[test]
    fn columns_without_rows_or_variation_have_no_correlation() {
        assert_eq!(correlations(&[]), []);
        assert_eq!(correlations(&[Vec::new(), Vec::new()]), []);
        assert_eq!(correlations(&[vec![1.0, 2.0], vec![f64::NAN, 2.0]]), []);
        assert_eq!(correlations(&[vec![1.0, 2.0], vec![4.0, 4.0]]), []);
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 0.0]), [3.5, 2.0, 3.5, 1.0]);
    }
}

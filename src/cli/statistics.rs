//! Correlations between the columns of a table, which several commands print.

use super::output::Output;
use super::progress::grouped;
use crate::analysis::sweep::correlations;
use crate::text::{counted, fnv1a, padded};

/// Maximum number of rows in a sample. When a sample exceeds it, about half of the sample's rows are removed. About
/// 20,000 rows remain. With 20,000 rows, the 95% confidence interval of a correlation usually reaches at most 0.015 to
/// each side, which is precise enough.
const ROWS: usize = 40_000;

/// Maximum number of pairs of columns that are printed.
const PAIRS: usize = 40;

/// A random sample of the rows of a table, from which correlations are computed. The same rows, added in the same order,
/// always yield the same sample.
#[derive(Default)]
pub(super) struct CorrelationSample {
    /// Number of rows that were added.
    rows: u64,
    /// Number of times that the sample was halved. Rows whose rank is lower do not belong to the sample.
    halvings: u32,
    /// Rank of each sampled row. About one row in 2^`n` has a rank of at least `n`.
    ranks: Vec<u32>,
    /// Values of the sampled rows, in a list per column.
    columns: Vec<Vec<f64>>,
}

impl CorrelationSample {
    /// Adds the next row of the table, if it belongs to the sample. `values` returns a number for each column, `NaN` for
    /// a cell without a number.
    pub(super) fn add(&mut self, values: impl FnOnce() -> Vec<f64>) {
        // The ranks come from a hash. If every second row were sampled instead, a sweep whose designs alternate between
        // two values of a parameter would contribute only one of these values.
        let rank = fnv1a(self.rows.to_le_bytes()).leading_zeros();
        self.rows += 1;
        if rank < self.halvings {
            return;
        }
        let values = values();
        self.ranks.push(rank);
        self.columns.resize_with(values.len(), Vec::new);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
        if self.ranks.len() > ROWS {
            self.halve();
        }
    }

    /// Removes about half of the sampled rows.
    fn halve(&mut self) {
        self.halvings += 1;
        for column in &mut self.columns {
            let mut ranks = self.ranks.iter();
            column.retain(|_| ranks.next().is_some_and(|rank| *rank >= self.halvings));
        }
        self.ranks.retain(|rank| *rank >= self.halvings);
    }

    /// Prints the correlations of all pairs of columns, the strongest first.
    pub(super) fn print(&self, names: &[String], output: &mut Output) {
        let mut found = correlations(&self.columns);
        found.sort_by(|a, b| {
            b.spearman
                .abs()
                .total_cmp(&a.spearman.abs())
                .then(a.columns.cmp(&b.columns))
        });
        let sample = if self.halvings > 0 {
            format!(", sampled at random from {}", grouped(self.rows))
        } else {
            String::new()
        };
        output.line("");
        output.line(&format!(
            "correlations over {}{sample}",
            counted(self.ranks.len(), "dungeon")
        ));
        output.line("");
        if found.is_empty() {
            output.line("fewer than two columns vary");
            return;
        }
        let mut lines = vec![["", "", "spearman", "pearson", "n"].map(str::to_owned).to_vec()];
        for one in found.iter().take(PAIRS) {
            let [first, second] = one.columns.map(|column| names.get(column).cloned().unwrap_or_default());
            let number = |number: f64| format!("{number:+.3}");
            lines.push(vec![
                first,
                second,
                number(one.spearman),
                number(one.pearson),
                grouped(one.rows as u64),
            ]);
        }
        for line in aligned(&lines, 2) {
            output.line(&line);
        }
        if found.len() > PAIRS {
            output.line(&format!(
                "… and {} with weaker correlation",
                counted(found.len() - PAIRS, "pair")
            ));
        }
    }
}

/// Pads the cells of each column of a table to the same width: the first `left` columns are left-aligned, all further
/// columns right-aligned. Returns a line per row.
pub(super) fn aligned(rows: &[Vec<String>], left: usize) -> Vec<String> {
    padded(rows, usize::MAX, |column| column >= left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_stays_large_and_contains_every_level_of_an_alternating_parameter() {
        let mut sample = CorrelationSample::default();
        for number in 0..200_000_u32 {
            sample.add(|| vec![f64::from(number), f64::from(number % 2)]);
            assert_eq!(number < 40_000, sample.halvings == 0, "{number}");
        }
        let [numbers, levels] = &sample.columns[..] else {
            panic!("{} columns", sample.columns.len());
        };
        let rows = numbers.len();
        assert!((15_000..=40_000).contains(&rows), "{rows} rows");
        assert!(numbers.is_sorted() && levels.len() == rows && sample.ranks.len() == rows);
        let odd = levels.iter().filter(|level| **level > 0.0).count();
        assert!((rows * 2 / 5..rows * 3 / 5).contains(&odd), "{odd} of {rows}");
    }
}

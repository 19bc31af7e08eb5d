//! Correlations between the columns of a table, which several commands print.

use super::output::Output;
use super::progress::grouped;
use crate::analysis::sweep::correlations;
use crate::text::counted;

/// Maximum number of rows from which correlations are computed. With this number of rows, the 95% interval of a
/// correlation reaches at most about 0.015 to each side, and more rows would hardly narrow it.
const ROWS: u64 = 20_000;

/// Maximum number of pairs of columns that are printed.
const PAIRS: usize = 40;

/// A sample of rows, evenly spread over all rows, from which correlations are computed.
pub(super) struct CorrelationSample {
    /// Distance between consecutive rows of the sample: 1 if it contains every row.
    step: u64,
    /// Values of the sampled rows, in a list per column.
    columns: Vec<Vec<f64>>,
}

impl CorrelationSample {
    /// Creates an empty sample for a command that writes `rows` rows.
    pub(super) fn new(rows: u64) -> Self {
        Self {
            step: rows.div_ceil(ROWS).max(1),
            columns: Vec::new(),
        }
    }

    /// Adds row `number` if it belongs to the sample. `values` returns a number for each column, `NaN` for a cell
    /// without a number.
    pub(super) fn add(&mut self, number: u64, values: impl FnOnce() -> Vec<f64>) {
        if !number.is_multiple_of(self.step) {
            return;
        }
        let values = values();
        self.columns.resize_with(values.len(), Vec::new);
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
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
        let rows = self.columns.first().map_or(0, Vec::len);
        let sample = if self.step > 1 { ", sampled evenly from all" } else { "" };
        output.line("");
        output.line(&format!("correlations over {}{sample}", counted(rows, "dungeon")));
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
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(at, (cell, width))| {
            if at < left {
                format!("{cell:width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

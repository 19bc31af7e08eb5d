//! The tables that a sweep prints: the mean of each metric in each design, and the sensitivity of the metrics.

use std::ops::Range;

use super::Sweep;
use crate::analysis::Cell;
use crate::analysis::sweep::{Sensitivity, sensitivity};
use crate::cli::output::Output;
use crate::cli::progress::grouped;
use crate::cli::rows::Table;
use crate::cli::statistics::aligned;
use crate::text::counted;

/// Maximum number of designs that are printed.
const DESIGNS: usize = 60;

/// Maximum number of metrics that are printed.
const METRICS: usize = 8;

/// The mean of each metric in each design.
pub(super) struct DesignMeans {
    /// Index of the first design.
    first: u64,
    /// Number of metrics.
    metrics: usize,
    /// Sum and number of the values of each metric; `metrics` entries for each design.
    sums: Vec<(f64, u64)>,
}

impl DesignMeans {
    pub(super) fn new(table: &Table, designs: Range<u64>) -> Self {
        let metrics = table.metrics.len();
        Self {
            first: designs.start,
            metrics,
            sums: vec![(0.0, 0); metrics * (designs.end - designs.start) as usize],
        }
    }

    /// Adds the metrics of a dungeon to the means of its design.
    pub(super) fn add(&mut self, design: u64, cells: &[Cell]) {
        let start = (design - self.first) as usize * self.metrics;
        for ((sum, count), cell) in self.sums[start..start + self.metrics].iter_mut().zip(cells) {
            let number = cell.number();
            if !number.is_nan() {
                *sum += number;
                *count += 1;
            }
        }
    }

    /// Returns the mean of a metric in each design, `NaN` for a design without values.
    fn of(&self, metric: usize) -> Vec<f64> {
        let sums = self.sums.iter().skip(metric).step_by(self.metrics);
        sums.map(|(sum, count)| sum / *count as f64).collect()
    }

    /// Returns the number of designs.
    fn designs(&self) -> usize {
        self.sums.len() / self.metrics.max(1)
    }
}

/// Formats the means of a metric, all with the same number of decimal places.
fn column(means: &[f64]) -> Vec<String> {
    let largest = means
        .iter()
        .filter(|mean| !mean.is_nan())
        .fold(0.0, |most: f64, mean| most.max(mean.abs()));
    let digits = match largest {
        ..2.0 => 3,
        2.0..1000.0 => 2,
        _ => 1,
    };
    let text = |mean: &f64| {
        if mean.is_nan() {
            "none".to_owned()
        } else {
            format!("{mean:.digits$}")
        }
    };
    means.iter().map(text).collect()
}

/// Prints a table of the designs with the means of up to [`METRICS`] metrics, preferably those that differ between the
/// designs.
pub(super) fn print_means(sweep: &Sweep, means: &DesignMeans, which: &str, output: &mut Output) {
    let designs = means.designs();
    let per_design = format!("{} of {}", counted(designs, "design"), grouped(sweep.plan.designs()));
    output.line(&format!("means over {which}, {per_design}"));
    output.line("");
    let all: Vec<Vec<f64>> = (0..means.metrics).map(|at| means.of(at)).collect();
    let has_values = |at: &usize| all[*at].iter().any(|mean| !mean.is_nan());
    // Prefer metrics that differ between the designs; print the chosen metrics in the order of the table.
    let is_constant = |at: &usize| all[*at].iter().all(|mean| mean.total_cmp(&all[*at][0]).is_eq());
    let mut columns: Vec<usize> = (0..means.metrics).filter(has_values).collect();
    columns.sort_by_key(is_constant);
    columns.truncate(METRICS);
    columns.sort_unstable();
    let varied = sweep.table.varied_names().map(str::to_owned);
    let metrics = columns.iter().map(|at| sweep.table.metrics[*at].name.clone());
    let mut rows = vec![varied.chain(metrics).collect::<Vec<_>>()];
    let values: Vec<Vec<String>> = columns.iter().map(|at| column(&all[*at])).collect();
    for design in 0..designs.min(DESIGNS) {
        let varied = sweep.varied(means.first + design as u64);
        let metrics = values.iter().map(|of_metric| of_metric[design].clone());
        rows.push(varied.iter().map(Cell::to_string).chain(metrics).collect());
    }
    for line in aligned(&rows, 0) {
        output.line(&line);
    }
    if designs > DESIGNS {
        output.line(&format!("… and {} more", counted(designs - DESIGNS, "design")));
    }
}

/// Prints a table with the sensitivity of each metric to each factor. The last row contains the share that a factor
/// without any influence would show on average.
pub(super) fn print_sensitivity(sweep: &Sweep, means: &DesignMeans, output: &mut Output) {
    output.line("");
    output.line(&format!(
        "the share of the variance of each metric's means over {} that each varied number explains on its own, with \
         95% intervals; the last row shows the share that a number without influence would have on average",
        counted(means.designs(), "design")
    ));
    output.line("");
    let varied = sweep.table.varied_names().map(str::to_owned);
    let mut rows = vec![["metric".to_owned()].into_iter().chain(varied).collect::<Vec<_>>()];
    let mut of_factors = vec![Vec::new(); sweep.plan.factors().len()];
    for (metric, column) in sweep.table.metrics.iter().enumerate() {
        let y = means.of(metric);
        let mut line = vec![column.name.clone()];
        let mut is_varied = false;
        for (factor, numbers) in sweep.numbers.iter().enumerate() {
            let (x, y): (Vec<f64>, Vec<f64>) = (means.first..)
                .zip(&y)
                .filter(|(_, y)| !y.is_nan())
                .map(|(design, y)| {
                    let level = sweep.plan.levels(design)[factor];
                    // If the levels cannot be expressed as numbers, use their positions in the list.
                    (numbers.as_ref().map_or(level as f64, |numbers| numbers[level]), *y)
                })
                .unzip();
            let found = sensitivity(&x, &y);
            is_varied |= found.is_some();
            line.push(found.map_or_else(String::new, |found| {
                of_factors[factor].push(found);
                let range = found.interval;
                format!("{:.2} [{:.2}, {:.2}]", found.share, range.low, range.high)
            }));
        }
        if is_varied {
            rows.push(line);
        }
    }
    if rows.len() == 1 {
        output.line("no metric differs between the designs");
        return;
    }
    rows.push(
        ["(by chance)".to_owned()]
            .into_iter()
            .chain(of_factors.iter().map(|found| by_chance(found)))
            .collect(),
    );
    for line in aligned(&rows, 1) {
        output.line(&line);
    }
}

/// Formats the share that a factor without influence would show on average. The share depends on the number of designs
/// with values; that of the metric with the most designs is returned.
fn by_chance(of_metrics: &[Sensitivity]) -> String {
    let most = of_metrics.iter().max_by_key(|found| found.designs);
    most.map_or_else(String::new, |found| format!("{:.2}", found.without_influence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_that_few_designs_have_does_not_determine_the_share_by_chance() {
        let numbers: Vec<f64> = (0..21).map(|design| f64::from(design % 2)).collect();
        let of = |designs: usize| sensitivity(&numbers[..designs], &numbers[..designs]).unwrap();
        assert_eq!(by_chance(&[of(21), of(3)]), "0.05");
        assert_eq!(by_chance(&[of(3)]), "0.50");
        assert_eq!(by_chance(&[]), "");
    }
}

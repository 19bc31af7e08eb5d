//! Tables of metrics below pictures: the dungeons of a picture over many seeds, a row per panel.
//!
//! The recipe's `metrics` are expressions, as in `wallcrawler find`; `seeds` is the number of seeds, counted from 0,
//! over which they are measured (default: 100). The table shows the median of each, and for conditions how many
//! dungeons satisfy them.

use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow};
use wallcrawler::analysis::{Cell, MetricsRunner, ValueCounts, evaluate};
use wallcrawler::design::Design;
use wallcrawler::design::expect::{Expression, parse_condition, parse_value};
use wallcrawler::engine::Options;

use super::dungeons::{self, Panel};
use super::recipe::{self, Recipe};

const SEEDS: u64 = 100;

/// Returns the lines of a recipe's table; none if the recipe names no metrics.
pub fn table(recipe: &Recipe) -> Result<Vec<String>> {
    let layout = dungeons::read(recipe)?;
    if layout.metrics.is_empty() {
        return Ok(Vec::new());
    }
    let seeds = layout.seeds.unwrap_or(SEEDS);
    let wrong = |metric: &String| anyhow!("{}: {metric} is not a metric", recipe.place());
    let expressions: Vec<Expression> = layout
        .metrics
        .iter()
        .map(|metric| {
            let parsed = parse_value(metric).or_else(|_| parse_condition(metric));
            parsed.map_err(|_| wrong(metric))
        })
        .collect::<Result<_>>()?;
    let mut rows = vec![
        format!("| {seeds} seeds | {} |", layout.metrics.join(" | ")),
        format!("|---|{}", "--:|".repeat(expressions.len())),
    ];
    // Measuring takes longest, so each row has a thread of its own.
    let measured: Vec<Result<String>> = std::thread::scope(|scope| {
        let expressions = &expressions;
        let measure = |panel| scope.spawn(move || row(panel, seeds, expressions));
        let threads: Vec<_> = layout.panels.iter().map(measure).collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(anyhow!("the measuring thread failed")))
            })
            .collect()
    });
    for row in measured {
        rows.push(row.with_context(|| recipe.place())?);
    }
    Ok(rows)
}

fn row(panel: &Panel, seeds: u64, expressions: &[Expression]) -> Result<String> {
    let design = panel.design()?;
    let mut runner = MetricsRunner::new();
    let mut tallies = vec![ValueCounts::default(); expressions.len()];
    for seed in 0..seeds {
        let valid = recipe::valid(&Design { seed, ..design.clone() })?;
        let metrics = runner.grow_and_measure(&valid, Options::default());
        for (tally, expression) in tallies.iter_mut().zip(expressions) {
            tally.add(evaluate(expression, &metrics, &()).into());
        }
    }
    let mut row = format!("| {} |", panel.caption);
    for tally in tallies {
        let cell = formatted(&tally);
        write!(row, " {cell} |")?;
    }
    Ok(row)
}

/// Formats the median with as many digits as are meaningful; shares as percent, booleans as a share of all.
fn formatted(tally: &ValueCounts) -> String {
    let truths = [true, false].map(|truth| tally.count(&Cell::Truth(truth)));
    let all = truths[0] + truths[1];
    if let Some(percent) = (truths[0] * 100 + all / 2).checked_div(all) {
        return format!("{percent}%");
    }
    match tally.quantile(500) {
        None => "none".into(),
        Some(number) if number % 10_000 == 0 => (number / 10_000).to_string(),
        Some(number) if number.abs() < 10_000 => format!("{}%", (number + 50).div_euclid(100)),
        Some(number) => format!("{:.1}", number as f64 / 1e4),
    }
}

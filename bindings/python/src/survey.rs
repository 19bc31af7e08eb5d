//! `survey`: the metrics of dungeons of many seeds as a record batch, with the columns of `wallcrawler survey`.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wallcrawler::analysis::{Anomaly, Cell, MetricParts, MetricsRunner, evaluate, row};
use wallcrawler::design::Design;
use wallcrawler::design::expect::{Expression, absent, parse_condition};
use wallcrawler::maze::MazeGrower;
use wallcrawler::rows::{self, ColumnBatch, FileRow, RowKey, Table};

use crate::arrow::{arrow_error, record_batch};
use crate::design::PyDesign;
use crate::{options, workers};

/// The metrics and anomalies of a dungeon; `None` if a condition excludes it.
type Measured = Option<(Vec<Cell>, Vec<Anomaly>)>;

/// Grows and measures the dungeons of a design from several seeds; returns a `pyarrow.RecordBatch`.
#[pyfunction]
#[pyo3(signature = (design, seeds, *, metrics=None, r#where=None, sight=false, no_columns=false, threads=None))]
#[expect(clippy::too_many_arguments, reason = "each is a separate keyword")]
pub(crate) fn survey<'py>(
    py: Python<'py>,
    design: &PyDesign,
    seeds: &Bound<'py, PyAny>,
    metrics: Option<Vec<String>>,
    r#where: Option<&str>,
    sight: bool,
    no_columns: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (seeds, threads) = (workers::seeds(seeds)?, workers::threads(threads)?);
    let digest = design.digest(no_columns);
    let PyDesign { design, levels, .. } = design;
    let options = options(no_columns);
    let condition = r#where.map(|text| condition(text, design)).transpose()?;
    let table = table(design, metrics, sight)?;
    let mut parts = table.parts();
    if let Some(condition) = &condition {
        parts = parts.and(MetricParts::of_expression(condition));
    }
    let mut measured: Vec<Measured> = workers::reserved(seeds.len())?;
    measured.resize(seeds.len(), None);
    workers::over_seeds(
        py,
        &seeds,
        threads,
        || {
            let grower = MazeGrower::new(design, levels.clone())?;
            Ok((grower, MetricsRunner::with_parts(parts)))
        },
        |(grower, runner), seed, goes_on| {
            let (design, _) = grower.design(seed)?;
            let Some(metrics) = runner.grow_and_measure_while(&design, options, goes_on) else {
                return Ok(None);
            };
            let is_selected = condition
                .as_ref()
                .is_none_or(|condition| evaluate(condition, &metrics, &()).holds());
            Ok(Some(
                is_selected.then(|| (row(&metrics, &table.metrics), metrics.anomalies())),
            ))
        },
        |index, result| measured[index] = result,
    )?;
    let mut batch = ColumnBatch::new(&table);
    for (seed, measured) in seeds.into_iter().zip(measured) {
        if measured.is_some() {
            batch.push(FileRow::new(RowKey::new(seed, &digest, Vec::new()), measured, &table));
        }
    }
    let schema = Arc::new(rows::schema(&table));
    let batch = rows::record_batch(schema, batch).map_err(|error| arrow_error(&error))?;
    record_batch(py, batch)
}

/// Parses a condition and checks that the design has the rooms and vaults that it names.
fn condition(text: &str, design: &Design) -> PyResult<Expression> {
    let problems = match parse_condition(text) {
        Ok(condition) => match absent(&condition, text, design) {
            problems if problems.is_empty() => return Ok(condition),
            problems => problems,
        },
        Err(problem) => vec![problem],
    };
    let descriptions: Vec<String> = problems
        .iter()
        .map(|problem| problem.description("where", text).to_string())
        .collect();
    Err(PyValueError::new_err(descriptions.join("\n")))
}

/// Returns the columns of the table: those of the named metrics, otherwise all, with or without the sight metrics.
fn table(design: &Design, metrics: Option<Vec<String>>, sight: bool) -> PyResult<Table> {
    let table = Table::new(design, Vec::new());
    let Some(metrics) = metrics else {
        return Ok(if sight { table.with_sight() } else { table });
    };
    let all = table.with_sight();
    all.clone().with_metrics(&metrics).map_err(|unknown| {
        let names: Vec<&str> = unknown.iter().map(|&at| metrics[at].as_str()).collect();
        let all: Vec<&str> = all.metrics.iter().map(|column| column.name.as_str()).collect();
        PyValueError::new_err(format!(
            "unknown metric{} `{}`; choose from {}",
            if names.len() == 1 { "" } else { "s" },
            names.join("`, `"),
            all.join(", ")
        ))
    })
}

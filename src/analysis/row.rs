//! A dungeon as a row of a table, and the columns of the table for a design.
//!
//! Numbers are rounded to four decimal places, so that they do not change when they are written to a file and read
//! back, and so that a column of many dungeons has few distinct values.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::lookup::{MetricLookup, MetricValue};
use super::metric_sample::decimal;
use super::metrics::{AreaMetrics, Metrics};
use super::parts::MetricParts;
use crate::design::Design;
use crate::design::expect::{AreaIndex, METRICS, Metric, PlaceName, SIGHT_METRICS};

/// Number of generations with a column of their own; the last column includes all later generations.
const GENERATIONS: usize = 10;

/// A column of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name of the column, with hyphens between words, as in expressions.
    pub name: String,
    of: ColumnKind,
}

/// The kind of a column's values. Values of metrics and the names of maps may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Booleans.
    Truth,
    /// Whole numbers.
    Whole,
    /// Numbers with up to four decimal places.
    Number,
    /// Words.
    Word,
}

impl Column {
    /// Returns the name with underscores between words, which SQL and most other languages accept without quotes.
    pub fn identifier(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Returns whether the column contains a metric. The other columns describe generations, rooms and vaults.
    pub const fn is_metric(&self) -> bool {
        matches!(self.of, ColumnKind::Metric(_))
    }

    /// Returns which parts of the metrics, such as the path or the dead ends, must be computed for the column's values.
    pub const fn parts(&self) -> MetricParts {
        match self.of {
            ColumnKind::Metric(metric) => MetricParts::of(metric),
            ColumnKind::Share(_) => MetricParts::TILES,
            ColumnKind::State(_) | ColumnKind::Severed(_) | ColumnKind::Map(_) => MetricParts::AREAS,
        }
    }

    /// Returns the kind of the column's values.
    pub fn kind(&self) -> CellKind {
        match self.of {
            ColumnKind::State(_) | ColumnKind::Map(_) => CellKind::Word,
            ColumnKind::Severed(_) => CellKind::Truth,
            ColumnKind::Share(_) => CellKind::Number,
            ColumnKind::Metric(metric) => match metric {
                Metric::Plain(plain) if plain.info().is_truth => CellKind::Truth,
                Metric::Plain(plain) if plain.info().is_whole => CellKind::Whole,
                Metric::PathTo(_) => CellKind::Whole,
                metric if metric.is_truth() => CellKind::Truth,
                _ => CellKind::Number,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnKind {
    Metric(Metric),
    /// A generation's share of all tiles that Builders laid; the last column includes all later generations.
    Share(usize),
    /// The state of a room or vault.
    State(AreaIndex),
    /// Whether a room or vault can be cut off by closing one line of squares across a passage. See
    /// [`AreaMetrics::severed_by`].
    Severed(AreaIndex),
    /// The name of a vault's map.
    Map(usize),
}

/// A value in a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// No value: for example, a dungeon has no path length if the exit is unreachable.
    Nothing,
    /// A boolean.
    Truth(bool),
    /// A number, in ten-thousandths.
    Number(i64),
    /// A word.
    Word(String),
}

impl Cell {
    /// Returns the value as a number: 1 for true, 0 for false, and `NaN` for words and missing values.
    pub fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number as f64 / 1e4,
            Self::Truth(truth) => f64::from(u8::from(*truth)),
            Self::Nothing | Self::Word(_) => f64::NAN,
        }
    }
}

impl From<MetricValue> for Cell {
    fn from(value: MetricValue) -> Self {
        match value {
            MetricValue::Number(None) => Self::Nothing,
            MetricValue::Number(Some(number)) => Self::Number((number * 1e4).round() as i64),
            MetricValue::Truth(truth) => Self::Truth(truth),
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Number(number) => f.write_str(&decimal(*number)),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// The states of a room or vault, from weakest to strongest. A cell contains the strongest state that applies.
pub const STATES: [&str; 5] = ["absent", "unreached", "reached", "crossed", "needed"];

fn state(area: &AreaMetrics) -> &'static str {
    let applies = [true, area.is_placed, area.reached, area.crossed, area.needed];
    let strongest = applies.iter().rposition(|applies| *applies).unwrap_or(0);
    STATES[strongest]
}

/// Returns the columns of the table for a design: its metrics, the shares of its generations, and its rooms, vaults
/// and named places.
pub fn columns(design: &Design) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut add = |name: String, of: ColumnKind| columns.push(Column { name, of });
    for info in METRICS {
        add(info.name.into(), ColumnKind::Metric(Metric::Plain(info.metric)));
    }
    for generation in 0..GENERATIONS {
        add(format!("generation-{generation}"), ColumnKind::Share(generation));
    }
    for index in 0..design.layout.rooms.len() {
        add(format!("room-{}", index + 1), ColumnKind::State(AreaIndex::Room(index)));
        add(
            format!("room-{}-severed", index + 1),
            ColumnKind::Severed(AreaIndex::Room(index)),
        );
    }
    for index in 0..design.layout.vaults.len() {
        add(
            format!("vault-{}", index + 1),
            ColumnKind::State(AreaIndex::Vault(index)),
        );
        add(
            format!("vault-{}-severed", index + 1),
            ColumnKind::Severed(AreaIndex::Vault(index)),
        );
        add(format!("vault-{}-map", index + 1), ColumnKind::Map(index));
    }
    let names = design
        .layout
        .places
        .iter()
        .filter_map(|place| PlaceName::new(&place.name));
    for name in names.collect::<BTreeSet<PlaceName>>() {
        add(format!("path-to-{name}"), ColumnKind::Metric(Metric::PathTo(name)));
    }
    columns
}

/// Returns the columns of the sight metrics, which are not among [`columns`] and are added on request.
pub fn sight_columns() -> impl Iterator<Item = Column> {
    SIGHT_METRICS.iter().map(|info| Column {
        name: info.name.into(),
        of: ColumnKind::Metric(Metric::Plain(info.metric)),
    })
}

/// Returns the cells of a dungeon's row, one for each column.
pub fn row(metrics: &Metrics, columns: &[Column]) -> Vec<Cell> {
    let area_metrics = |area: AreaIndex| match area {
        AreaIndex::Room(index) => metrics.rooms.get(index),
        AreaIndex::Vault(index) => metrics.vaults.get(index),
    };
    let cell = |column: &Column| match column.of {
        ColumnKind::Metric(metric) => metrics.value(metric).into(),
        ColumnKind::Share(generation) => {
            let last = generation + 1 == GENERATIONS;
            let generations = generation..if last {
                metrics.tiles.len().max(generation)
            } else {
                generation + 1
            };
            let share: f64 = generations
                .map(|generation| metrics.share_of_generation(generation as u32))
                .sum();
            MetricValue::from(share).into()
        }
        ColumnKind::State(area) => Cell::Word(area_metrics(area).map_or(STATES[0], state).into()),
        ColumnKind::Severed(area) => Cell::Truth(area_metrics(area).is_some_and(|area| area.severed_by.is_some())),
        ColumnKind::Map(index) => metrics
            .vaults
            .get(index)
            .map_or(Cell::Nothing, |vault| match vault.name.as_str() {
                "" => Cell::Nothing,
                name => Cell::Word(name.into()),
            }),
    };
    columns.iter().map(cell).collect()
}

//! Tables with one row for each dungeon: the columns, the rows, and batches of rows as typed columns.
//!
//! The first columns identify the dungeon ([`RowKey`]): its seed, the digest of its design, the version of the program,
//! the edition of its seed catalogue ([`SEED_CATALOG`]), and the value of each parameter that differs between the rows.
//! The metrics follow; the last column lists the anomalies. The command line writes rows to files; the Python package
//! returns them as a record batch. A [`SquareGrower`] returns the squares of a dungeon as [`SquareArrays`].

mod arrow;
mod columns;
mod squares;

pub use self::arrow::{record_batch, schema};
pub use self::columns::{ColumnBatch, ValueColumn};
pub use self::squares::{
    NO_GENERATION, NO_STEPS, SquareArrays, SquareGrower, WantedArrays, saturated_generation, squares_of,
};

use std::path::Path;

use crate::analysis::{Anomaly, Cell, CellKind, Column, MetricParts, columns, sight_columns};
use crate::design::{Design, Expectations};
use crate::engine::{Options, SEED_CATALOG};
use crate::format::native;
use crate::recording_file::PROGRAM_VERSION;
use crate::text::fnv1a;

/// Names of the columns before the varied parameters: the seed, the digest of the design, the version of the program,
/// and the edition of its seed catalogue.
pub const FIRST: [&str; 4] = ["seed", "design", "version", "seed_catalog"];

/// Name of the last column, which contains the keys of the anomalies.
pub const LAST: &str = "anomalies";

/// A column with the value of a parameter that a command varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariedColumn {
    /// Name of the column. No metric may have the same name.
    pub name: String,
    /// Kind of the column's values.
    pub kind: CellKind,
}

/// The columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Columns of the metrics.
    pub metrics: Vec<Column>,
    /// Number of varied parameters.
    varied: usize,
    /// Names and kinds of the columns whose values may be missing: the varied parameters, then the metrics.
    values: Vec<(String, CellKind)>,
    /// The design before its parameters are varied, as TOML.
    design: String,
}

impl Table {
    /// Creates the table for dungeons of a design. `varied` lists the parameters that differ between the rows; the
    /// values that `design` has for them do not affect the columns.
    pub fn new(design: &Design, varied: Vec<VariedColumn>) -> Self {
        let metrics = columns(design);
        let count = varied.len();
        let varied = varied.into_iter().map(|column| (column.name, column.kind));
        let values = varied.chain(metrics.iter().map(|column| (column.identifier(), column.kind())));
        Self {
            varied: count,
            values: values.collect(),
            design: native::write(design),
            metrics,
        }
    }

    /// Keeps only the columns of the named metrics, in the order of the table. The names may include sight metrics,
    /// even if the table has no columns for them yet. A name may have underscores or spaces instead of hyphens.
    ///
    /// # Errors
    ///
    /// Returns the index of each unknown name.
    pub fn with_metrics(self, names: &[impl AsRef<str>]) -> Result<Self, Vec<usize>> {
        let plain = |name: &str| name.trim().replace(['_', ' '], "-");
        let wanted: Vec<String> = names.iter().map(|name| plain(name.as_ref())).collect();
        let mut table = self.with_sight();
        let is_known = |name: &String| table.metrics.iter().any(|column| column.name == *name);
        let unknown: Vec<usize> = (0..wanted.len()).filter(|&at| !is_known(&wanted[at])).collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
        table.metrics.retain(|column| wanted.contains(&column.name));
        table.values.truncate(table.varied);
        let metrics = table.metrics.iter().map(|column| (column.identifier(), column.kind()));
        table.values.extend(metrics);
        Ok(table)
    }

    /// Returns which parts of the metrics, such as the path or the dead ends, must be computed to fill the rows.
    pub fn parts(&self) -> MetricParts {
        let columns = self.metrics.iter().map(Column::parts);
        columns.fold(MetricParts::ANOMALIES, MetricParts::and)
    }

    /// Adds the columns of the sight metrics that the table lacks.
    #[must_use]
    pub fn with_sight(mut self) -> Self {
        let columns: Vec<Column> = sight_columns()
            .filter(|column| !self.metrics.contains(column))
            .collect();
        self.values
            .extend(columns.iter().map(|column| (column.identifier(), column.kind())));
        self.metrics.extend(columns);
        self
    }

    /// Returns the names of the varied parameters' columns.
    pub fn varied_names(&self) -> impl Iterator<Item = &str> {
        self.values[..self.varied].iter().map(|(name, _)| name.as_str())
    }

    /// Returns whether `name` is the name of a column that every table has.
    pub fn is_fixed(name: &str) -> bool {
        name == LAST || FIRST.contains(&name)
    }

    /// Returns the metadata of the table as keys and values for other programs: the design as TOML (before its
    /// parameters are varied), the program's version, and the edition of its seed catalogue.
    pub fn metadata(&self) -> [(&'static str, String); 3] {
        [
            ("wallcrawler.design", self.design.clone()),
            ("wallcrawler.version", PROGRAM_VERSION.to_owned()),
            ("wallcrawler.seed_catalog", SEED_CATALOG.to_string()),
        ]
    }

    /// Returns the names of all columns, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        FIRST
            .into_iter()
            .chain(self.values().map(|(name, _)| name))
            .chain([LAST])
    }

    /// Returns the name and kind of each column whose values may be missing: the varied parameters, then the metrics.
    pub fn values(&self) -> impl Iterator<Item = (&str, CellKind)> {
        self.values.iter().map(|(name, kind)| (name.as_str(), *kind))
    }
}

/// The origin of a row's dungeon: everything that determines its metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowKey {
    /// The seed.
    pub seed: u64,
    /// Digest of the design with the values of the varied parameters; see [`digest`].
    pub design: String,
    /// Version of the program.
    pub version: String,
    /// Edition of the seed catalogue.
    pub catalog: u32,
    /// Values of the varied parameters, in the order of the table's columns.
    pub varied: Vec<Cell>,
}

impl RowKey {
    /// Creates the key of a dungeon that is grown by this version of the program. `design` is the [`digest`] of the
    /// dungeon's design; `varied` contains the values of the varied parameters.
    pub fn new(seed: u64, design: &str, varied: Vec<Cell>) -> Self {
        Self {
            seed,
            design: design.to_owned(),
            version: PROGRAM_VERSION.to_owned(),
            catalog: SEED_CATALOG,
            varied,
        }
    }
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Origin of the dungeon.
    pub key: RowKey,
    /// Values in the order of [`Table::metrics`].
    pub cells: Vec<Cell>,
    /// Anomalies of the dungeon.
    pub anomalies: Vec<Anomaly>,
}

impl FileRow {
    /// Creates the row of a dungeon from the values of its metrics and its anomalies. `measured` is `None` if the
    /// dungeon could not be grown; the row then has no values, and one anomaly that says so.
    pub fn new(key: RowKey, measured: Option<(Vec<Cell>, Vec<Anomaly>)>, table: &Table) -> Self {
        let nothing = || (vec![Cell::Nothing; table.metrics.len()], vec![Anomaly::NotGrown]);
        let (cells, anomalies) = measured.unwrap_or_else(nothing);
        Self { key, cells, anomalies }
    }

    /// Returns the values of the varied parameters and of the metrics, in the order of [`Table::values`].
    pub fn values(&self) -> impl Iterator<Item = &Cell> {
        self.key.varied.iter().chain(&self.cells)
    }

    /// Returns the keys of the anomalies, separated by spaces.
    pub fn anomaly_keys(&self) -> String {
        let keys: Vec<String> = self.anomalies.iter().map(|anomaly| anomaly.key()).collect();
        keys.join(" ")
    }

    /// Creates a row from its parts. `values` contains the varied parameters and the metrics, in the order of
    /// [`Table::values`]; the former replace `key.varied`. Returns `None` if the number of values is wrong or an
    /// anomaly is unknown.
    pub fn from_parts(mut key: RowKey, mut values: Vec<Cell>, anomalies: &str, table: &Table) -> Option<Self> {
        let anomalies = anomalies.split_whitespace().map(|key| key.parse().ok());
        let anomalies = anomalies.collect::<Option<_>>()?;
        if values.len() != table.values.len() {
            return None;
        }
        let cells = values.split_off(table.varied);
        key.varied = values;
        Some(Self { key, cells, anomalies })
    }
}

/// Returns a digest of the input that determines a dungeon's metrics, without the seed, as 16 hexadecimal digits.
///
/// The digest is the FNV-1a hash of the options, of the design as TOML without its seed, name, notes, expectations and
/// comments, and of the sources of its vaults. `vaults` contains the path and the content of each level file, in the
/// order of the paths; an entry without a path contains the vaults of a recording.
pub fn digest<'a>(design: &Design, options: Options, vaults: impl IntoIterator<Item = (&'a Path, &'a [u8])>) -> String {
    let mut design = design.clone();
    design.seed = 0;
    design.name.clear();
    design.notes.clear();
    design.expect = Expectations {
        that: Vec::new(),
        ..design.expect
    };
    // The comments, which explain the parameters, are left out: a later version may word them differently.
    let text = native::write(&design);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let text = format!("{} {}", options.columns, lines.collect::<Vec<_>>().join("\n"));
    let mut bytes = text.into_bytes();
    for (file, source) in vaults {
        bytes.extend_from_slice(file.as_os_str().as_encoded_bytes());
        bytes.extend((source.len() as u64).to_le_bytes());
        bytes.extend_from_slice(source);
    }
    format!("{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_design_stays_the_same() {
        let digest = |seed, columns| {
            let design = Design {
                seed,
                ..Design::default()
            };
            digest(&design, Options { columns }, [])
        };
        // A new parameter changes the digest; new wording of the comments in a saved design must not.
        assert_eq!(digest(1, true), "e7aa04fa800d7fce");
        assert_eq!(digest(2, true), digest(1, true));
        assert_ne!(digest(1, false), digest(1, true));
    }
}

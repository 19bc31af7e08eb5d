//! Tables of dungeons: one row for each dungeon that a command grows, as CSV, JSON lines or Parquet.
//!
//! A row has leading columns, which say where the dungeon came from ([`RowKey`]): its seed, the digest of its design, the
//! version of the program with its seed catalog, and, if the command varies parameters, the value of each. The metrics follow, and at the end the anomalies.
//!
//! A command that writes rows
//!
//! 1. flattens [`RowArgs`] into its arguments: file, format, resuming or not;
//! 2. describes its columns with a [`Table`], and the order of its rows with a function from a number to a [`RowKey`];
//! 3. opens a [`RowWriter`], which first calls back with each row that an earlier run left in the file, so that only the
//!    rows after them have to be grown;
//! 4. adds these rows in order, and ends the writer.
//!
//! `text.rs` formats rows as lines, `file.rs` appends them to a file, `parquet.rs` writes them as columns, and `writer.rs`
//! selects among these by the arguments.

mod arrow;
mod columns;
mod file;
mod parquet;
mod text;
mod writer;

pub(super) use self::text::joined;
pub(super) use self::writer::{RowArgs, RowWriter};

use crate::analysis::{Anomaly, Cell, CellKind, Column, columns, sight_columns};
use crate::design::{Design, Expectations};
use crate::document::SeededDesign;
use crate::engine::{Options, SEED_CATALOG};
use crate::format::native;
use crate::recording_file::PROGRAM_VERSION;
use crate::text::fnv1a;

/// The columns before the varied values: the seed, the digest of the design, the version of the program, and the edition
/// of its seed catalog.
const FIRST: [&str; 4] = ["seed", "design", "version", "seed_catalog"];

/// The last column: the names of the anomalies.
const LAST: &str = "anomalies";

/// A column with the value of a parameter that a command varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VariedColumn {
    /// Name of the column, which must differ from those of all metrics.
    pub(super) name: String,
    /// Kind of its values.
    pub(super) kind: CellKind,
}

/// The columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// Columns of the metrics.
    pub(super) metrics: Vec<Column>,
    /// Number of varied parameters.
    varied: usize,
    /// Names and kinds of the columns whose values may be missing: the varied parameters, then the metrics.
    values: Vec<(String, CellKind)>,
    /// The design of the rows, as TOML.
    design: String,
}

impl Table {
    /// Returns the columns for dungeons of a design; `varied` are the parameters that differ between the rows. It does
    /// not matter which of its values a varied parameter has in `design`.
    pub(super) fn new(design: &Design, varied: Vec<VariedColumn>) -> Self {
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

    /// Keeps the columns of some metrics only.
    #[must_use]
    pub(super) fn with_metrics(mut self, is_kept: impl Fn(&Column) -> bool) -> Self {
        self.metrics.retain(is_kept);
        self.values.truncate(self.varied);
        let metrics = self.metrics.iter().map(|column| (column.identifier(), column.kind()));
        self.values.extend(metrics);
        self
    }

    /// Adds the columns of the metrics of sight.
    #[must_use]
    pub(super) fn with_sight(mut self) -> Self {
        let columns: Vec<Column> = sight_columns().collect();
        self.values
            .extend(columns.iter().map(|column| (column.identifier(), column.kind())));
        self.metrics.extend(columns);
        self
    }

    /// Returns the names of the varied parameters' columns.
    pub(super) fn varied_names(&self) -> impl Iterator<Item = &str> {
        self.values[..self.varied].iter().map(|(name, _)| name.as_str())
    }

    /// Returns whether a column of every table has this name.
    pub(super) fn is_fixed(name: &str) -> bool {
        name == LAST || FIRST.contains(&name)
    }

    /// Returns what the table says about all of its rows, by keys for other programs: the design as TOML (before its
    /// parameters varied), the program's version, and the edition of its seed catalog.
    fn metadata(&self) -> [(&'static str, String); 3] {
        [
            ("wallcrawler.design", self.design.clone()),
            ("wallcrawler.version", PROGRAM_VERSION.to_owned()),
            ("wallcrawler.seed_catalog", SEED_CATALOG.to_string()),
        ]
    }

    /// Returns the names of all columns, in order.
    fn names(&self) -> impl Iterator<Item = &str> {
        FIRST
            .into_iter()
            .chain(self.values().map(|(name, _)| name))
            .chain([LAST])
    }

    /// Returns the name and kind of each column whose values may be missing: the varied parameters, then the metrics.
    fn values(&self) -> impl Iterator<Item = (&str, CellKind)> {
        self.values.iter().map(|(name, kind)| (name.as_str(), *kind))
    }
}

/// The origin of a row's dungeon: everything that determines its metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowKey {
    /// The seed.
    pub(super) seed: u64,
    /// Digest of the design with its changes, see [`digest`].
    design: String,
    /// Version of the program.
    version: String,
    /// Edition of the seed catalog.
    catalog: u32,
    /// Values of the varied parameters, in the order of the table's.
    varied: Vec<Cell>,
}

impl RowKey {
    /// Returns the origin of a dungeon that this program grows: its seed, the [`digest`] of its design, and the values
    /// of the varied parameters.
    pub(super) fn new(seed: u64, design: &str, varied: Vec<Cell>) -> Self {
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
pub(super) struct FileRow {
    /// Origin of the dungeon.
    pub(super) key: RowKey,
    /// Values in the order of [`Table::metrics`].
    pub(super) cells: Vec<Cell>,
    /// Anomalies of the dungeon.
    pub(super) anomalies: Vec<Anomaly>,
}

impl FileRow {
    /// Returns the row of a dungeon with the values of its metrics and its anomalies; `None` stands for a dungeon that
    /// could not be grown.
    pub(super) fn new(key: RowKey, measured: Option<(Vec<Cell>, Vec<Anomaly>)>, table: &Table) -> Self {
        let nothing = || (vec![Cell::Nothing; table.metrics.len()], vec![Anomaly::NotGrown]);
        let (cells, anomalies) = measured.unwrap_or_else(nothing);
        Self { key, cells, anomalies }
    }

    /// Returns the values of the varied parameters and of the metrics, in the order of [`Table::values`].
    fn values(&self) -> impl Iterator<Item = &Cell> {
        self.key.varied.iter().chain(&self.cells)
    }

    /// Returns the keys of the anomalies, separated by spaces.
    fn anomaly_keys(&self) -> String {
        let keys: Vec<String> = self.anomalies.iter().map(|anomaly| anomaly.key()).collect();
        keys.join(" ")
    }

    /// Returns the row with these parts; `None` if there are not enough values, or an anomaly is unknown. `key.varied`
    /// is still empty; `values` are in the order of [`Table::values`].
    fn from_parts(mut key: RowKey, mut values: Vec<Cell>, anomalies: &str, table: &Table) -> Option<Self> {
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

/// Returns a digest of everything about a design that determines the metrics of a seed, in 16 hexadecimal digits:
/// FNV-1a of the design as TOML without its seed, name, notes, expectations and comments, and of its level files.
pub(super) fn digest(seeded: &SeededDesign, options: Options) -> String {
    let mut design = Design::clone(seeded.design());
    design.seed = 0;
    design.name.clear();
    design.notes.clear();
    design.expect = Expectations {
        that: Vec::new(),
        ..design.expect
    };
    // Comments explain parameters, in words that may improve.
    let text = native::write(&design);
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let text = format!("{} {}", options.columns, lines.collect::<Vec<_>>().join("\n"));
    let mut bytes = text.into_bytes();
    for (file, level) in seeded.levels() {
        bytes.extend_from_slice(file.as_os_str().as_encoded_bytes());
        bytes.extend((level.len() as u64).to_le_bytes());
        bytes.extend_from_slice(level);
    }
    format!("{:016x}", fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Room, VaultEntry};

    /// Returns a table with some rooms, a vault, and a varied parameter of each kind.
    pub(super) fn table_with_rooms(rooms: usize) -> Table {
        let mut design = Design::default();
        design.layout.rooms = vec![Room::default(); rooms];
        design.layout.vaults.push(VaultEntry::default());
        let kinds = [CellKind::Truth, CellKind::Whole, CellKind::Number, CellKind::Word];
        let varied = kinds.into_iter().map(|kind| VariedColumn {
            name: format!("a {kind:?}, varied"),
            kind,
        });
        Table::new(&design, varied.collect())
    }

    #[test]
    fn the_digest_of_a_design_stays_the_same() {
        let seeded = |seed| {
            let design = Design {
                seed,
                ..Design::default()
            };
            SeededDesign::new(design.into(), std::path::PathBuf::new(), None)
        };
        let digest = |seed, columns| digest(&seeded(seed), Options { columns });
        // A new parameter changes it; new words in the comments of a saved design must not.
        assert_eq!(digest(1, true), "e7aa04fa800d7fce");
        assert_eq!(digest(2, true), digest(1, true));
        assert_ne!(digest(1, false), digest(1, true));
    }

    /// Returns a row with values of the right kinds, a fifth of which is missing.
    pub(super) fn row(seed: u64, table: &Table) -> FileRow {
        let value = |(i, (_, kind)): (u64, (&str, CellKind))| match kind {
            _ if seed.wrapping_add(i).is_multiple_of(5) => Cell::Nothing,
            CellKind::Word => Cell::Word(format!("it, said \"he\" {seed}")),
            CellKind::Truth => Cell::Truth(seed.is_multiple_of(2)),
            CellKind::Whole => Cell::Number((i as i64 - 3) * 10_000),
            CellKind::Number => Cell::Number(i as i64 * 12_345 - 30_000),
        };
        let values = (0..).zip(table.values()).map(value).collect();
        let anomalies = if seed.is_multiple_of(3) {
            ""
        } else {
            "enclosed room-1-unreached"
        };
        let key = RowKey::new(seed, "0123456789abcdef", Vec::new());
        FileRow::from_parts(key, values, anomalies, table).unwrap()
    }
}

//! Rows of the map's legend: the categories of squares, and their cached counts.

use crate::analysis::counterfactual::Alternative;
use crate::design::Feature;
use crate::engine::Tile;
use crate::tui::commands::ColourMode;

/// The change of a square's tile by an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum SquareChange {
    /// The square was open, or had a tile of another kind.
    Appeared,
    /// The square is open now.
    Vanished,
    /// The tile is of the same kind, even if another Builder laid it.
    Same,
}

/// A category of squares that are counted together. Each category has one colour and one row in the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum LegendEntry {
    /// Laid by a generation.
    Generation(u8),
    /// Laid in this age class, counted from 0. The age classes divide the turns of the run into equal parts.
    Age(u8),
    /// Laid by this first Crawler or by one of its descendants.
    Line(u32),
    /// The tile's Builder has not been read yet.
    Unread,
    /// A tile of this kind, whatever its origin.
    Kind(Tile),
    /// A tile placed by the design.
    Design(Tile),
    /// A feature of a vault.
    Feature(Feature),
    /// The change of the tile by the last edit.
    Change(SquareChange),
    /// The square depends on the seed. The share of dungeons in which it is a wall lies in this tenth: 0 is below 10%,
    /// and 9 is 90% or more.
    WallFrequency(u8),
}

/// A row of the legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct LegendRow {
    /// The category that the row counts.
    pub entry: LegendEntry,
    pub name: String,
    /// Number of tiles.
    pub tiles: u64,
}

impl LegendRow {
    pub(in crate::tui) fn new(entry: LegendEntry, name: impl Into<String>, tiles: u64) -> Self {
        let name = name.into();
        Self { entry, name, tiles }
    }

    /// If the row counts the tiles of a generation, returns that generation, as marked in the grid.
    pub(in crate::tui) const fn generation(&self) -> Option<u8> {
        match self.entry {
            LegendEntry::Generation(generation) => Some(generation),
            _ => None,
        }
    }
}

/// The last counts for the legend. They are cached because counting lineages visits every Builder, and counting changes
/// visits every square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) struct LegendCache {
    pub(in crate::tui) of: LegendKey,
    pub(in crate::tui) rows: Vec<LegendRow>,
}

/// The inputs of a count; the count is repeated when they change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct LegendKey {
    pub(in crate::tui) colours: ColourMode,
    pub(in crate::tui) run: u64,
    pub(in crate::tui) turn: u64,
    /// The change whose result is shown in place of the run's own dungeon, if any.
    pub(in crate::tui) alternative: Option<Alternative>,
    /// Number of turns for which the origins of the tiles have been read.
    pub(in crate::tui) read: u64,
}

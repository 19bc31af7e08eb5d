//! The option lines of the import dialog: their labels, texts and numbers.
//!
//! The table in [`crate::import`] lists which options each kind of drawing has; the command line uses the same table
//! and names.

use super::ImportPurpose;
use crate::design::MAX_DIMENSION;
use crate::document::DrawingImport;
use crate::import::{DrawingKind, ImportSetting};
use crate::tui::widget::form::NumberChoice;

/// An option, shown on its own line of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportLine {
    /// A setting for reading the drawing.
    Setting(ImportSetting),
    /// The number of rows or columns of the dungeon.
    Side(Axis),
    /// The row or column in the dungeon where the drawing's top left square is placed.
    Place(Axis),
    /// The first Crawler to add if the new design has none.
    Crawler,
}

/// A coordinate of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The row, counted from the top.
    X,
    /// The column, counted from the left.
    Y,
}

/// Values that the arrow keys step through; the user can type any other value.
const THRESHOLDS: &[u32] = &[10, 20, 30, 40, 50, 60, 70, 80, 90];
const SCALES: &[u32] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const TIMES: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20];
const SIDES: &[u32] = &[20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000];
const PLACES: &[u32] = &[
    0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000,
];

/// Returns `x` or `y`, depending on the axis, as an unsigned number; a negative coordinate becomes 0.
pub(super) fn part(axis: Axis, x: i32, y: i32) -> u32 {
    let value = match axis {
        Axis::X => x,
        Axis::Y => y,
    };
    value.max(0) as u32
}

impl ImportLine {
    /// Returns the options for a kind of drawing. An import as a new design or as an example has options for the
    /// dungeon's dimensions; only an import as a new design has an option for the first Crawler.
    pub(super) fn of(kind: DrawingKind, purpose: ImportPurpose) -> Vec<Self> {
        let settings = ImportSetting::ALL.into_iter().filter(|setting| kind.takes(*setting));
        let mut lines: Vec<Self> = settings.map(Self::Setting).collect();
        if purpose != ImportPurpose::Tiles {
            lines.extend([Axis::X, Axis::Y].map(Self::Side));
        }
        lines.extend([Axis::X, Axis::Y].map(Self::Place));
        if purpose == ImportPurpose::Design {
            lines.push(Self::Crawler);
        }
        lines
    }

    /// Returns the label. For a setting, the label is the option's name on the command line.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Setting(setting) => setting.name(),
            Self::Side(Axis::X) => "rows",
            Self::Side(Axis::Y) => "columns",
            Self::Place(Axis::X) => "from row",
            Self::Place(Axis::Y) => "from column",
            Self::Crawler => "crawler",
        }
    }

    /// Returns an explanation of the option, without a full stop.
    pub(super) const fn help(self) -> &'static str {
        match self {
            Self::Setting(setting) => setting.description(),
            Self::Side(_) => "Dimensions of the dungeon [default: large enough for the drawing]",
            Self::Place(_) => "Square of the dungeon on which the drawing's top left square is placed",
            Self::Crawler => "Crawler to add if the design has none [default: a Crawler where there is the most room]",
        }
    }

    /// Returns whether the option's value is text that the user types.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, Self::Setting(ImportSetting::Walls | ImportSetting::Open))
    }

    /// Returns the option's text; `None` if no text was typed or the option's value is not text.
    pub(super) fn text(self, import: &DrawingImport) -> Option<&str> {
        match self {
            Self::Setting(ImportSetting::Walls) => import.options.walls.as_deref(),
            Self::Setting(ImportSetting::Open) => import.options.open.as_deref(),
            _ => None,
        }
    }

    /// Sets the option's text; an empty text becomes `None`. Does nothing if the option's value is not text.
    pub(super) fn set_text(self, import: &mut DrawingImport, text: &str) {
        let text = Some(text.to_owned()).filter(|text| !text.is_empty());
        match self {
            Self::Setting(ImportSetting::Walls) => import.options.walls = text,
            Self::Setting(ImportSetting::Open) => import.options.open = text,
            _ => {}
        }
    }

    /// Returns the number that the option sets, with its range; `None` if the option's value is not a number.
    pub(super) fn number(self, import: &DrawingImport) -> Option<NumberChoice> {
        let DrawingImport { options, placing, .. } = import;
        let own = |value, ladder, least, has_zero| {
            let most = match self {
                Self::Setting(setting) => setting.range().map_or(u32::MAX, |(_, most)| most),
                _ => MAX_DIMENSION.unsigned_abs(),
            };
            Some(NumberChoice {
                value,
                ladder,
                least,
                most,
                unit: 1,
                has_zero,
            })
        };
        match self {
            Self::Setting(ImportSetting::Threshold) => own(options.threshold.map(u32::from), THRESHOLDS, None, true),
            Self::Setting(ImportSetting::Scale) => own(options.scale, SCALES, None, false),
            Self::Setting(ImportSetting::Corridors) => own(Some(options.corridors), TIMES, Some(1), false),
            Self::Setting(ImportSetting::Enlarge) => own(Some(options.enlarge), TIMES, Some(1), false),
            Self::Side(axis) => own(placing.size.map(|size| part(axis, size.x, size.y)), SIDES, None, false),
            Self::Place(axis) => own(placing.at.map(|at| part(axis, at.x, at.y)), PLACES, None, true),
            _ => None,
        }
    }
}

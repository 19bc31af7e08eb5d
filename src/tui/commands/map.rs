//! Commands of the map and its legend.

use crate::geometry::Forward;
use crate::tui::widget::form::next;
use crate::tui::widget::list::ListStep;

/// A command for the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MapCommand {
    /// Move the cursor by one square.
    Step(Forward),
    /// Move the cursor by eight squares.
    Stride(Forward),
    /// Move the cursor by the size of the viewport.
    Page(Forward),
    /// Zoom in.
    Nearer,
    /// Zoom out.
    Farther,
    /// Zoom to the whole dungeon.
    Fit,
    /// Centre the viewport on the cursor.
    Center,
    /// Hide the panels while the map has the focus, or show them again.
    Alone,
    /// Give the map this many more columns, or rows where the panes are below it.
    Widen(i16),
    /// Divide the screen to suit the dungeon.
    AutoPanes,
    /// Fold the views to their tabs, or unfold them.
    FoldViews,
    /// Select this colour mode.
    Colour(ColourMode),
    /// Select the next colour mode of the ring; the previous one when negative.
    NextColours(i32),
    /// Switch the colours of the last edit's changes on or off.
    Changes,
    /// Switch the colours of wall frequency over many seeds on or off.
    WallFrequency,
    /// Hide the generation that laid the tile under the cursor, or show it again.
    Hide,
    /// Show only that generation, or all again.
    ShowAlone,
    /// Show every generation.
    ShowAll,
    Legend(LegendCommand),
    /// Show or hide the Builders' look-ahead.
    Ahead,
    /// Show or hide the minimap.
    SmallMap,
    /// Draw the map with characters, or in pixels again.
    Pixels,
    /// Select other characters for the far zooms.
    Overview,
    /// Switch between colours for a light and for a dark background.
    LightGround,
}

/// A command of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum LegendCommand {
    /// Move the selection.
    Select(ListStep),
    /// Hide the row's generation, or show it again.
    Toggle,
    /// Show only the row's generation, or the others again.
    Alone,
}

/// The property of squares that determines their colours on the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::tui) enum ColourMode {
    /// The generation that laid a tile.
    #[default]
    Generation,
    /// The turn in which a tile was laid.
    Age,
    /// The first Crawler from which the tile's Builder descends.
    Lineage,
    /// The kind of tile.
    Kind,
    /// No colours: digits as the original prints them.
    Digits,
    /// The tiles that the last edit made appear or vanish. Not in the ring of modes: it has its own key.
    Changes,
    /// The share of seeds in which each square is wall. Not in the ring of modes either.
    WallFrequency,
}

impl ColourMode {
    /// The ring of modes, in order.
    pub(in crate::tui) const ALL: [Self; 5] = [Self::Generation, Self::Age, Self::Lineage, Self::Kind, Self::Digits];

    /// Returns the mode's name, one word.
    pub(in crate::tui) const fn name(self) -> &'static str {
        match self {
            Self::Generation => "generation",
            Self::Age => "age",
            Self::Lineage => "lineage",
            Self::Kind => "kind",
            Self::Digits => "digits",
            Self::Changes => "changes",
            Self::WallFrequency => "wall frequency",
        }
    }

    /// Returns the next or previous mode of the ring.
    pub(in crate::tui) fn next(self, by: i32) -> Self {
        next(&Self::ALL, self, by)
    }

    /// Returns whether the mode needs the origins of tiles, which the frame does not have.
    pub(in crate::tui) const fn needs_origins(self) -> bool {
        matches!(self, Self::Age | Self::Lineage)
    }
}

//! Commands of the map and its legend.

use crate::geometry::Forward;
use crate::tui::widget::form::next;
use crate::tui::widget::list::ListStep;

/// A command for the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum MapCommand {
    /// Moves the cursor by one square.
    Step(Forward),
    /// Moves the cursor by eight squares.
    Stride(Forward),
    /// Moves the cursor by the size of the viewport.
    Page(Forward),
    /// Zooms in.
    Nearer,
    /// Zooms out.
    Farther,
    /// Zooms to the whole dungeon.
    Fit,
    /// Centres the viewport on the cursor.
    Center,
    /// Hides the panels while the map has the focus, or shows them again.
    Alone,
    /// Gives the map this many more columns, or rows where the panes are below it.
    Widen(i16),
    /// Divides the screen to suit the dungeon.
    AutoPanes,
    /// Folds the views to their tabs, or unfolds them.
    FoldViews,
    /// Selects this colour mode.
    Colour(ColourMode),
    /// Selects the next colour mode of the ring; the previous one when negative.
    NextColours(i32),
    /// Switches the colours of the last edit's changes on or off.
    Changes,
    /// Switches the colours of wall frequency over many seeds on or off.
    WallFrequency,
    /// Hides the generation that laid the tile under the cursor, or shows it again.
    Hide,
    /// Shows only that generation, or all again.
    ShowAlone,
    /// Shows every generation.
    ShowAll,
    Legend(LegendCommand),
    /// Shows or hides the Builders' look-ahead.
    Ahead,
    /// Shows or hides the minimap.
    SmallMap,
    /// Draws the map with characters, or in pixels again.
    Pixels,
    /// Selects other characters for the far zooms.
    Overview,
    /// Switches between colours for a light and for a dark background.
    LightGround,
}

/// A command of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum LegendCommand {
    /// Moves the selection.
    Select(ListStep),
    /// Hides the row's generation, or shows it again.
    Toggle,
    /// Shows only the row's generation, or the others again.
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

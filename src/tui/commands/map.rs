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
    /// Hides the panels while the map has the focus, or shows them beside the map again.
    Alone,
    /// Makes the map wider by this number of screen columns or, if the panes are below it, higher by this number of
    /// screen rows. A negative number makes the map smaller.
    Widen(i16),
    /// Resets the sizes of the panes, so that they suit the dungeon.
    AutoPanes,
    /// Folds the views, so that only their tabs are visible, or unfolds them.
    FoldViews,
    /// Selects this colour mode.
    Colour(ColourMode),
    /// Selects the next colour mode in [`ColourMode::ALL`], or the previous one if the number is negative. In the modes
    /// for changes and wall frequency, only returns to the mode that was chosen before.
    NextColours(i32),
    /// Toggles the colour mode for the changes that the last edit caused.
    Changes,
    /// Toggles the colour mode for the wall frequency over many seeds.
    WallFrequency,
    /// Hides the generation that laid the tile under the cursor, or shows it again.
    Hide,
    /// Shows only the generation that laid the tile under the cursor, or all generations again.
    ShowAlone,
    /// Shows every generation.
    ShowAll,
    Legend(LegendCommand),
    /// Shows or hides the Builders' look-ahead.
    Ahead,
    /// Shows or hides the minimap.
    SmallMap,
    /// Switches between drawing the map with characters and in pixels.
    Pixels,
    /// Selects other block characters for the far zoom levels.
    Overview,
    /// Switches between colours for a light and for a dark background.
    LightGround,
}

/// A command of the map's legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum LegendCommand {
    /// Moves the selection among the rows.
    Select(ListStep),
    /// Hides the generation of the selected row, or shows it again.
    Toggle,
    /// Shows only the generation of the selected row, or every generation again.
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
    /// No colours: generations are shown as digits, as DungeonMaker prints them.
    Digits,
    /// Whether the last edit made the tile appear or vanish. Not in [`Self::ALL`], because it has its own key.
    Changes,
    /// The share of seeds in which the square is wall. Not in [`Self::ALL`], because it has its own key.
    WallFrequency,
}

impl ColourMode {
    /// The modes through which the user cycles, in order.
    pub(in crate::tui) const ALL: [Self; 5] = [Self::Generation, Self::Age, Self::Lineage, Self::Kind, Self::Digits];

    /// Returns the mode's name.
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

    /// Returns the mode that is `by` steps further in [`Self::ALL`]. After the last mode, stepping continues with the
    /// first.
    pub(in crate::tui) fn next(self, by: i32) -> Self {
        next(&Self::ALL, self, by)
    }

    /// Returns whether the mode needs the origins of tiles, which a frame does not contain and which are collected
    /// separately.
    pub(in crate::tui) const fn needs_origins(self) -> bool {
        matches!(self, Self::Age | Self::Lineage)
    }
}

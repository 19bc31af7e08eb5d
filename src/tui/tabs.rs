//! The panels and the views, which are the tabs of the panes beside or below the map.

/// A panel; the variants are in the order of the tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Panel {
    /// The stats file: generations × parameters.
    #[default]
    Stats,
    /// The rooms file: rooms, squares, first Crawlers.
    Rooms,
    /// The constants file.
    Constants,
    /// Name, notes, seed, files.
    Design,
    /// Diagnostics of the design.
    Problems,
    /// The expectations that the dungeons should meet.
    Expect,
}

impl Panel {
    /// Every panel, in the order of the tabs.
    pub(super) const ALL: [Self; 6] = [
        Self::Stats,
        Self::Rooms,
        Self::Constants,
        Self::Design,
        Self::Problems,
        Self::Expect,
    ];

    /// Returns the title on the panel's tab.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Stats => "Stats",
            Self::Rooms => "Rooms",
            Self::Constants => "Constants",
            Self::Design => "Design",
            Self::Problems => "Problems",
            Self::Expect => "Expect",
        }
    }
}

/// A view; the variants are in the order of the tabs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum View {
    /// The meaning of the colours, with the number of tiles of each.
    #[default]
    Legend,
    /// The tile under the map's cursor, and why it is there.
    Inspect,
    /// The events around the moment shown.
    Events,
    /// Curves of the growth over time.
    Plots,
    /// Facts known before anything grows: when the first Crawlers act, and which generations spawn which.
    Plan,
    /// The undo steps, including those that have been undone.
    History,
    /// The metrics of the dungeon at the moment shown.
    Metrics,
}

impl View {
    /// All views.
    pub(super) const ALL: [Self; 7] = [
        Self::Legend,
        Self::Inspect,
        Self::Events,
        Self::Plots,
        Self::Plan,
        Self::History,
        Self::Metrics,
    ];

    /// Returns the title of the view's tab.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Legend => "Legend",
            Self::Inspect => "Inspect",
            Self::Events => "Events",
            Self::Plots => "Plots",
            Self::Plan => "Plan",
            Self::History => "History",
            Self::Metrics => "Metrics",
        }
    }

    /// Returns the second view, which is shown below this one if there is room for two.
    pub(super) const fn second(self) -> Self {
        match self {
            Self::Legend => Self::Metrics,
            Self::Inspect | Self::Events | Self::Plots | Self::Plan | Self::History | Self::Metrics => Self::Legend,
        }
    }

    /// Returns the preferred height in rows, border included, in a column of `column` rows; the panel above gets the
    /// other rows.
    pub(super) const fn height(self, column: u16) -> u16 {
        match self {
            Self::Legend => 9,
            Self::Inspect | Self::Events | Self::Plots | Self::Plan | Self::History | Self::Metrics => column * 9 / 20,
        }
    }
}

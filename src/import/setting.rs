//! Names and descriptions of the import options, and the kinds of drawing that use them. Both the command line's help
//! and the designer's import dialog show the descriptions.

use super::{DrawingKind, ImportOptions, ReadResult};

/// An option for reading a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportSetting {
    /// Format of the file.
    Kind,
    /// Layer of a map.
    Layer,
    /// Characters or tiles that are walls.
    Walls,
    /// Characters that are open.
    Open,
    /// Brightness below which a pixel is wall.
    Threshold,
    /// Whether walls and open squares are exchanged.
    Invert,
    /// Number of pixels or characters across a square.
    Scale,
    /// Whether open rows and columns at the edges are removed.
    Trim,
    /// Number of copies that replace every second row and every second column.
    Corridors,
    /// Number of squares, across and down, that each square becomes.
    Enlarge,
    /// Whether open squares are guaranteed to stay open.
    KeepOpen,
}

const MAPS: [DrawingKind; 2] = [DrawingKind::Tmx, DrawingKind::Tmj];

impl ImportSetting {
    /// Every option, in display order.
    pub const ALL: [Self; 11] = [
        Self::Kind,
        Self::Layer,
        Self::Walls,
        Self::Open,
        Self::Threshold,
        Self::Invert,
        Self::Scale,
        Self::Trim,
        Self::Corridors,
        Self::Enlarge,
        Self::KeepOpen,
    ];

    /// Returns the name of the option on the command line, without the dashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "format",
            Self::Layer => "layer",
            Self::Walls => "walls",
            Self::Open => "open",
            Self::Threshold => "threshold",
            Self::Invert => "invert",
            Self::Scale => "scale",
            Self::Trim => "trim",
            Self::Corridors => "corridors",
            Self::Enlarge => "enlarge",
            Self::KeepOpen => "keep-open",
        }
    }

    /// Returns the description of the option, without a full stop.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Kind => "Kind of drawing [default: from its content or extension]",
            Self::Layer => "Maps: name of the tile layer [default: the layer that most likely contains the walls]",
            Self::Walls => {
                "What counts as a wall: in text, these characters, such as '#X'; in maps and tables, these tile numbers, such as 1,2,5-9; in maps, also these tile classes"
            }
            Self::Open => "Text: characters that are open squares",
            Self::Threshold => {
                "Pictures: brightness (percent; white is 100) below which squares are walls [default: the brightness that best separates dark shades from light ones]"
            }
            Self::Invert => "Swap walls and open squares: in pictures, light squares are walls instead of dark ones",
            Self::Scale => {
                "Size of a square: N × N pixels in pictures, N characters across in text [default: determined from the drawing]"
            }
            Self::Trim => "Remove open rows and columns at the edges",
            Self::Corridors => {
                "Widen every second row and column to N squares, so that mazes with walls one square thick get corridors N squares wide"
            }
            Self::Enlarge => "Enlarge each square to N × N squares, so that Crawlers have room in narrow corridors",
            Self::KeepOpen => "Guarantee that squares drawn open stay open; otherwise Crawlers may build on them",
        }
    }

    /// Returns the minimum and maximum of a numeric option; `None` for options that are not numeric.
    pub const fn range(self) -> Option<(u32, u32)> {
        match self {
            Self::Threshold => Some((0, 100)),
            Self::Scale => Some((1, 4096)),
            Self::Corridors | Self::Enlarge => Some((1, 100)),
            _ => None,
        }
    }
}

impl ReadResult {
    /// Returns the first option in `options` that had no effect on how the file was read. `is_table` is whether the
    /// file was read as a table of numbers.
    pub(super) fn first_unused(&self, options: &ImportOptions, is_table: bool) -> Option<ImportSetting> {
        let states_tiles = self.drawing.as_ref().is_some_and(|drawing| !drawing.is_plain);
        let given = [
            (ImportSetting::Layer, options.layer.is_some()),
            (ImportSetting::Walls, options.walls.is_some()),
            (ImportSetting::Open, options.open.is_some()),
            (ImportSetting::Threshold, options.threshold.is_some()),
            (ImportSetting::Invert, options.invert),
            (ImportSetting::Scale, options.scale.is_some()),
        ];
        let is_used = |setting: ImportSetting| {
            self.kind.takes(setting)
                && match setting {
                    ImportSetting::Walls | ImportSetting::Invert => !states_tiles,
                    // A dungeon exported as JSON has no layers.
                    ImportSetting::Layer => !self.layers.is_empty(),
                    // A text can contain a table of numbers.
                    ImportSetting::Open | ImportSetting::Scale => !is_table,
                    _ => true,
                }
        };
        let mut unused = given
            .into_iter()
            .filter(|(setting, is_given)| *is_given && !is_used(*setting));
        unused.next().map(|(setting, _)| setting)
    }
}

impl DrawingKind {
    /// Returns whether drawings of this kind use an option.
    pub fn takes(self, setting: ImportSetting) -> bool {
        match setting {
            ImportSetting::Kind
            | ImportSetting::Invert
            | ImportSetting::Trim
            | ImportSetting::Corridors
            | ImportSetting::Enlarge
            | ImportSetting::KeepOpen => true,
            ImportSetting::Layer => MAPS.contains(&self),
            ImportSetting::Walls => self != Self::Png,
            ImportSetting::Open => self == Self::Text,
            ImportSetting::Threshold => self == Self::Png,
            ImportSetting::Scale => matches!(self, Self::Text | Self::Png),
        }
    }

    /// Returns a description of files of this kind.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Text => {
                "a maze in characters, with walls as #, X, 1, blocks or box-drawing lines; or a dungeon printed by `wallcrawler grow`"
            }
            Self::Png => {
                "a picture in which dark squares are walls, or one exported by Wallcrawler, recognized by its colours"
            }
            Self::Tmx => "a Tiled map",
            Self::Tmj => "a Tiled map in JSON, or a dungeon exported by Wallcrawler as JSON",
            Self::Csv => "a table of tile numbers, or a dungeon exported by Wallcrawler as a table",
        }
    }

    /// Returns the kind's name, a value of the option `format`.
    pub fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|(kind, ..)| *kind == self);
        own.map_or("", |(_, name, _)| name)
    }
}

//! The options by name: which kinds take each, and what it means. The command line's help and the designer's dialog say
//! the same, from here.

use super::DrawingKind;

/// Something about how a drawing is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportSetting {
    /// What it is written in.
    Kind,
    /// Which layer of a map.
    Layer,
    /// What is wall.
    Walls,
    /// What is open.
    Open,
    /// How dark a wall is.
    Threshold,
    /// Walls and open squares are exchanged.
    Invert,
    /// Pixels, or characters, of a square.
    Scale,
    /// Open edges are left off.
    Trim,
    /// How wide corridors become.
    Corridors,
    /// How large squares become.
    Enlarge,
    /// Open squares stay open.
    KeepOpen,
}

const MAPS: [DrawingKind; 2] = [DrawingKind::Tmx, DrawingKind::Tmj];

impl ImportSetting {
    /// Every setting, in the order in which they are asked for.
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

    /// Its name on the command line, after two dashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kind => "as",
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

    /// What it means, without a full stop.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Kind => "What the drawing is written in; without it, as its beginning or its name tells",
            Self::Layer => "Maps: the layer of tiles; without it, the one that most likely has the walls",
            Self::Walls => {
                "What is wall: in text the characters, as '#X'; in maps numbers and classes of tiles, as 1,2,5-9,brick"
            }
            Self::Open => "Text: the characters that are open",
            Self::Threshold => {
                "Pictures: what is darker than so many percent of white is wall; without it, where the shades part best"
            }
            Self::Invert => "Walls and open squares are exchanged: in pictures light is wall",
            Self::Scale => {
                "Pictures: N × N pixels are a square; text: N characters across are. Without it, as many as the drawing allows"
            }
            Self::Trim => "Open rows and columns at the edges are left off",
            Self::Corridors => {
                "Every second row and column, from the second on, becomes N: mazes with walls a square thick get corridors N wide"
            }
            Self::Enlarge => "Each square becomes N × N squares, so that Crawlers have room in narrow corridors",
            Self::KeepOpen => {
                "Squares that are drawn as open are guaranteed to stay so; without it, Crawlers build on them"
            }
        }
    }

    /// The least and the most, where it is a number.
    pub const fn range(self) -> Option<(u32, u32)> {
        match self {
            Self::Threshold => Some((0, 100)),
            Self::Scale => Some((1, 4096)),
            Self::Corridors | Self::Enlarge => Some((1, 100)),
            _ => None,
        }
    }
}

impl DrawingKind {
    /// Whether drawings of this kind take a setting.
    pub fn takes(self, setting: ImportSetting) -> bool {
        match setting {
            ImportSetting::Kind
            | ImportSetting::Trim
            | ImportSetting::Corridors
            | ImportSetting::Enlarge
            | ImportSetting::KeepOpen => true,
            ImportSetting::Layer => MAPS.contains(&self),
            ImportSetting::Walls => self == Self::Text || MAPS.contains(&self),
            ImportSetting::Open => self == Self::Text,
            ImportSetting::Threshold => self == Self::Png,
            ImportSetting::Scale => matches!(self, Self::Text | Self::Png),
            // Of a table everything is known.
            ImportSetting::Invert => self != Self::Csv,
        }
    }

    /// What such files are.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Text => "a maze in characters: # and ., X and ., blocks, boxes, 1 and 0, a printed dungeon",
            Self::Png => "a picture; dark is wall, but in pictures by Wallcrawler, which are known by their colours",
            Self::Tmx => "a map of Tiled",
            Self::Tmj => "the same in JSON, and dungeons that Wallcrawler wrote as JSON",
            Self::Csv => "a dungeon that Wallcrawler wrote as a table",
        }
    }

    /// The name that it is asked for by.
    pub fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|(kind, ..)| *kind == self);
        own.map_or("", |(_, name, _)| name)
    }
}

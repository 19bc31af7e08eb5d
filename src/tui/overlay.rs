//! Overlays that other modules show on the map: marks, the squares of selected entries, and a layer of metrics.
//!
//! The modules return their overlays as data; the app collects them in [`MapOverlays`], and the map draws them.

use ratatui::style::Style;

use crate::analysis::{LayerKind, Metrics, SquareLayer};
use crate::design::feature::Class;
use crate::design::{Design, Entry, Feature, PlacedVault};
use crate::engine::BuilderId;
use crate::geometry::{Point, Size};

/// What other modules show on the map.
#[derive(Debug, Default)]
pub(super) struct MapOverlays<'a> {
    /// A mark in the map's title that shows the state of the document's files, such as unsaved changes.
    pub title: &'static str,
    /// The layer of metrics over the map, if one is shown.
    pub layer: Option<ShownLayer<'a>>,
    /// The symbols of named places and of the entrance and exit.
    pub ends: Vec<Mark>,
    /// Whether the user draws on the map. Grown tiles are then faded, so that the design is easy to see.
    pub is_drawing: bool,
    /// The squares of the selected entries.
    pub selected: Vec<SquareMarks>,
    /// The marks of the tools, the lowest layer first.
    pub marks: Vec<Mark>,
    /// The vault being placed.
    pub vault: Option<PlacedVault>,
    /// The followed Builder, whose look-ahead has priority if there are too many Builders to show all look-aheads.
    pub followed: Option<BuilderId>,
}

/// A layer of metrics to draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownLayer<'a> {
    pub layer: LayerKind,
    /// The value of each square.
    pub cover: &'a SquareLayer,
    /// The metrics to which the layer belongs.
    pub metrics: &'a Metrics,
    /// Squares with this number ([`SquareLayer::number`]) are highlighted; `None` highlights none.
    pub picked: Option<u16>,
}

/// Squares to highlight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SquareMarks {
    /// No squares.
    Nothing,
    /// One square.
    Square(Point),
    /// The wall of a room: the room's centre, and the distance from the centre to the wall.
    Ring(Point, i32),
}

impl SquareMarks {
    /// Returns the squares to highlight for an entry of a design.
    pub(super) fn of(design: &Design, entry: Entry) -> Self {
        let layout = &design.layout;
        let square = |squares: &[Point], i: usize| squares.get(i).map_or(Self::Nothing, |at| Self::Square(*at));
        match entry {
            Entry::Room(i) => layout
                .rooms
                .get(i)
                .and_then(|room| room.center_and_reach(layout.size))
                .map_or(Self::Nothing, |(center, reach)| Self::Ring(center, reach)),
            Entry::Open(i) => square(&layout.open, i),
            Entry::Wall(i) => square(&layout.walls, i),
            Entry::Column(i) => square(&layout.columns, i),
            Entry::Crawler(i) => layout
                .crawlers
                .get(i)
                .map_or(Self::Nothing, |crawler| Self::Square(crawler.at)),
            Entry::Vault(i) => layout
                .vaults
                .get(i)
                .filter(|vault| vault.div == 0)
                .map_or(Self::Nothing, |vault| Self::Square(vault.at)),
            Entry::NamedPlace(i) => layout
                .places
                .get(i)
                .and_then(|place| layout.square_of(place, &[]))
                .map_or(Self::Nothing, Self::Square),
            _ => Self::Nothing,
        }
    }

    /// Iterates over the squares that lie in a dungeon of this size.
    pub(super) fn squares(self, size: Size) -> impl Iterator<Item = Point> {
        let (center, reach) = match self {
            Self::Nothing => (Point::new(0, 0), -1),
            Self::Square(at) => (at, 0),
            Self::Ring(center, reach) => (center, reach),
        };
        let sides =
            (-reach..=reach).flat_map(move |along| [(-reach, along), (reach, along), (along, -reach), (along, reach)]);
        sides
            .map(move |(x, y)| Point::new(center.x.saturating_add(x), center.y.saturating_add(y)))
            .filter(move |at| size.contains(*at))
    }
}

/// A mark to draw on a square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// The square.
    pub at: Point,
    /// The mark's characters. The second is drawn where a square is two characters wide and, if the mark is a symbol,
    /// also beside a narrower square.
    pub glyphs: [char; 2],
    /// Whether the mark fills its square. A filled square is drawn in the mark's foreground colour; at far zoom levels,
    /// it is drawn as a dot.
    pub solid: bool,
    /// Whether the mark is a symbol, which replaces the whole character even if the character shows several squares.
    pub sign: bool,
    /// Whether the mark is drawn only on blank characters.
    pub only_blank: bool,
    /// The mark's colours.
    pub style: Style,
    /// The colours of the second character where a square is only one character wide. The second character is then
    /// drawn beside the square.
    pub beside: Style,
}

impl Mark {
    /// Returns a mark that fills a square.
    pub(super) const fn drawn(at: Point, glyphs: [char; 2], style: Style) -> Self {
        Self {
            at,
            glyphs,
            solid: true,
            sign: false,
            only_blank: false,
            style,
            beside: style,
        }
    }

    /// Returns a symbol on a square.
    pub(super) const fn glyph(at: Point, glyphs: [char; 2], style: Style) -> Self {
        Self {
            sign: true,
            ..Self::drawn(at, glyphs, style)
        }
    }

    /// Returns the marks for a vault's squares. Walls fill their squares; other features show their character, and
    /// floor is blank.
    pub(super) fn vault(piece: &PlacedVault, style: Style) -> impl Iterator<Item = Self> {
        piece.features().map(move |(at, feature)| {
            let glyph = feature_glyph(feature).unwrap_or(' ');
            Self {
                solid: PlacedVault::is_wall(feature),
                ..Self::drawn(at, [glyph, if is_filled(glyph) { glyph } else { ' ' }], style)
            }
        })
    }
}

/// Returns the character for a feature of a vault; `None` for floor.
pub(super) fn feature_glyph(feature: Feature) -> Option<char> {
    match feature.class() {
        Class::Floor => None,
        Class::Wall => Some('█'),
        Class::ClearWall => Some('▒'),
        Class::Liquid if feature.name().starts_with("shallow") => Some('~'),
        Class::Liquid => Some('≈'),
        _ => Some(char::from(feature.glyph())),
    }
}

/// Returns whether a character fills its cell, so that it is doubled if a square is two characters wide.
pub(super) const fn is_filled(glyph: char) -> bool {
    matches!(glyph, '█' | '▒' | '≈' | '~')
}

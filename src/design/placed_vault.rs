//! Resolved vaults: the maps that result from a design's vault entries, and their positions in the dungeon.
//!
//! The vault service resolves a vault (runs its Lua code and makes its random choices) to a [`PlacedVault`]. The
//! engine, the views and the exports use only this result. Its positions are squares of the dungeon: x is the row, y
//! the column.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Constants, Feature, Layout, MAX_DIMENSION, VaultEntry, deserialize_checked};
use crate::geometry::{Forward, Point, Size};
use crate::text::counted;

/// A resolved vault and its position in the dungeon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct PlacedVault {
    /// Index of the design's vault entry.
    pub vault: usize,
    /// Name of the map.
    pub name: String,
    /// Square of the dungeon at the map's top left corner.
    pub at: Point,
    /// Size in rows and columns.
    pub size: Size,
    /// Feature of each square, row by row; `None` for squares that are not part of the map.
    pub squares: Vec<Option<Feature>>,
    /// Squares of the dungeon that are the vault's exits.
    pub exits: Vec<Point>,
    /// Monsters, items, shops, portals and markers on the vault's squares, row by row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contents: Vec<VaultContent>,
}

/// A monster, item, shop, portal or marker that a vault places on a square in addition to the square's feature.
/// Its text and properties are written as in the vault's level file; the game that uses the dungeon interprets them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VaultContent {
    /// Square of the dungeon on which the content lies.
    pub at: Point,
    /// Kind of content.
    pub kind: ContentKind,
    /// Name of the monster, item or shop; destination of the portal; class of the marker.
    pub text: String,
    /// Properties of a portal or marker, sorted by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<(String, String)>,
}

/// The kinds of [`VaultContent`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentKind {
    /// A monster.
    Monster,
    /// An item; a square may have several.
    Item,
    /// A shop.
    Shop,
    /// A connection to another place: a portal, a transporter, a hatch or the entrance of a branch.
    Portal,
    /// Any other marker, with properties for the game.
    Marker,
}

impl ContentKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Monster, Self::Item, Self::Shop, Self::Portal, Self::Marker];

    /// Returns the name of the kind, as exports and messages write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Monster => "monster",
            Self::Item => "item",
            Self::Shop => "shop",
            Self::Portal => "portal",
            Self::Marker => "marker",
        }
    }
}

impl fmt::Display for VaultContent {
    /// Writes the content as one line: `portal: ice_cave (desc = A frozen archway)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.text)?;
        if !self.properties.is_empty() {
            write!(f, " ({})", self.properties_text())?;
        }
        Ok(())
    }
}

impl VaultContent {
    /// Returns the properties as one string: `desc = A frozen archway, floor = stone_arch`.
    pub fn properties_text(&self) -> String {
        let texts: Vec<String> = self
            .properties
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        texts.join(", ")
    }
}

deserialize_checked!(PlacedVault);

impl PlacedVault {
    /// Checks a deserialized vault. Its number of squares must match its size. No side may be longer than
    /// [`MAX_DIMENSION`], and all coordinates must be from 0 to [`MAX_DIMENSION`].
    fn checked(self) -> Result<Self, String> {
        let is_place = |at: &Point| [at.x, at.y].iter().all(|n| (0..=MAX_DIMENSION).contains(n));
        let Size { x, y } = self.size;
        if self.squares.len() as u64 != self.size.squares() || x > MAX_DIMENSION || y > MAX_DIMENSION {
            return Err(format!(
                "a vault of {x} × {y} squares lists {}; it must list each of its squares, and have at most \
                 {MAX_DIMENSION} squares a side",
                counted(self.squares.len(), "square")
            ));
        }
        let contents = self.contents.iter().map(|content| &content.at);
        if !self.exits.iter().chain([&self.at]).chain(contents).all(is_place) {
            return Err("a vault lies outside the dungeon".into());
        }
        Ok(self)
    }

    /// Returns the vault's feature on a square of the dungeon; `None` if the vault does not occupy the square.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        let inside = Point::new(at.x.saturating_sub(self.at.x), at.y.saturating_sub(self.at.y));
        let index = self.size.index(inside)?;
        self.squares.get(index).copied().flatten()
    }

    /// Returns whether a feature counts as a wall of the dungeon. Solid features do, except closed doors, because these
    /// can be opened.
    pub fn is_wall(feature: Feature) -> bool {
        feature.is_solid() && !feature.is_shut_door()
    }

    /// Returns the squares of the dungeon that the vault occupies, with their features.
    pub fn features(&self) -> impl Iterator<Item = (Point, Feature)> {
        let columns = self.size.y.max(1) as usize;
        self.squares.iter().enumerate().filter_map(move |(i, feature)| {
            let at = Point::new(self.at.x + (i / columns) as i32, self.at.y + (i % columns) as i32);
            feature.map(|feature| (at, feature))
        })
    }

    /// Returns the vault's contents on a square of the dungeon.
    pub fn contents_at(&self, at: Point) -> impl Iterator<Item = &VaultContent> {
        self.contents.iter().filter(move |content| content.at == at)
    }

    /// Returns whether two vaults have at least one square in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.features().any(|(at, _)| other.feature(at).is_some())
    }
}

impl VaultEntry {
    /// Returns the square for the top left corner of a map of size `map` in a dungeon of size `size`; `None` if the map
    /// does not fit inside the dungeon's outer ring. A map that would touch or cross that ring is shifted inward.
    pub fn top_left(&self, map: Size, size: Size) -> Option<Point> {
        if map.x < 1 || map.y < 1 || map.x > size.x - 2 || map.y > size.y - 2 {
            return None;
        }
        let place = |division: i32, side: i32, length: i32, fixed: i32| {
            let wanted = if self.div < 1 {
                i64::from(fixed)
            } else {
                i64::from(division) * i64::from(side) / i64::from(self.div) - i64::from(length / 2)
            };
            wanted.clamp(1, i64::from(side - 1 - length)) as i32
        };
        Some(Point::new(
            place(self.xdiv, size.x, map.x, self.at.x),
            place(self.ydiv, size.y, map.y, self.at.y),
        ))
    }
}

/// The reason why a vault cannot be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlacementError<'a> {
    /// This vault, which was placed earlier, occupies some of the squares.
    Overlaps(&'a PlacedVault),
    /// Some squares of the vault are on the dungeon's border or outside the dungeon.
    TooFar,
}

/// Returns the vaults that can be placed in a dungeon of this size, and those that cannot, with the reason. Both lists
/// keep the order of `pieces`; where two vaults overlap, the earlier one is placed.
pub fn standing(pieces: &[PlacedVault], size: Size) -> (Vec<&PlacedVault>, Vec<(&PlacedVault, PlacementError<'_>)>) {
    let mut placed: Vec<&PlacedVault> = Vec::new();
    let mut others = Vec::new();
    for piece in pieces {
        if let Some(other) = placed.iter().find(|other| other.overlaps(piece)) {
            others.push((piece, PlacementError::Overlaps(other)));
        } else if piece.features().any(|(at, _)| !is_inside(at, size)) {
            others.push((piece, PlacementError::TooFar));
        } else {
            placed.push(piece);
        }
    }
    (placed, others)
}

const fn is_inside(at: Point, size: Size) -> bool {
    size.contains(at) && !size.on_border(at)
}

/// Returns the squares around a vault's exit that are kept open: in each of the four directions, up to `reach` squares,
/// but only as far as the dungeon's border or a placed vault.
pub fn way_out(exit: Point, reach: i32, placed: &[&PlacedVault], size: Size) -> Vec<Point> {
    let free = |at: &Point| is_inside(*at, size) && placed.iter().all(|piece| piece.feature(*at).is_none());
    let ahead = |forward: Forward| (1..=reach).map(move |steps| exit.step(forward, steps)).take_while(free);
    Forward::ALL.into_iter().flat_map(ahead).collect()
}

impl Constants {
    /// Returns how many squares are kept open in each direction from a vault's exit: minCorrWidth, but at least 1.
    pub const fn way_out(&self) -> i32 {
        if self.min_corr_width > 1 {
            self.min_corr_width
        } else {
            1
        }
    }
}

impl Layout {
    /// Returns a copy of the layout for formats that cannot store vaults. In the copy, each placed vault becomes wall
    /// tiles and open squares of the layout. The squares that are kept open around the vault's exits also become open
    /// squares of the layout.
    #[must_use]
    pub fn with_tiles_of(&self, pieces: &[PlacedVault], constants: &Constants) -> Self {
        let mut layout = self.clone();
        layout.vaults.clear();
        let (placed, _) = standing(pieces, self.size);
        for (at, feature) in placed.iter().flat_map(|piece| piece.features()) {
            if PlacedVault::is_wall(feature) {
                layout.walls.push(at);
            } else {
                layout.open.push(at);
            }
        }
        for exit in placed.iter().flat_map(|piece| &piece.exits) {
            layout
                .open
                .extend(way_out(*exit, constants.way_out(), &placed, self.size));
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(div: i32, xdiv: i32, ydiv: i32, at: Point) -> VaultEntry {
        VaultEntry {
            div,
            xdiv,
            ydiv,
            at,
            ..VaultEntry::default()
        }
    }

    #[test]
    fn a_vault_is_placed_at_its_division_or_square_inside_the_outer_ring() {
        let (map, size) = (Size::new(5, 8), Size::new(40, 60));
        let far = Point::new(500, -3);
        assert_eq!(entry(2, 1, 1, far).top_left(map, size), Some(Point::new(18, 26)));
        assert_eq!(entry(4, 0, 4, far).top_left(map, size), Some(Point::new(1, 51)));
        assert_eq!(
            entry(0, 1, 1, Point::new(7, 9)).top_left(map, size),
            Some(Point::new(7, 9))
        );
        assert_eq!(entry(0, 1, 1, far).top_left(map, size), Some(Point::new(34, 1)));
        assert_eq!(
            entry(1, i32::MAX, i32::MIN, far).top_left(map, size),
            Some(Point::new(34, 1))
        );
        assert_eq!(
            entry(2, 1, 1, far).top_left(Size::new(38, 58), size),
            Some(Point::new(1, 1))
        );
        assert_eq!(entry(2, 1, 1, far).top_left(Size::new(39, 58), size), None);
        assert_eq!(entry(2, 1, 1, far).top_left(Size::new(0, 5), size), None);
    }

    #[test]
    fn pieces_show_their_squares_and_overlap_only_where_both_have_a_part() {
        let wall = Feature::by_name("rock_wall");
        let piece = |at| PlacedVault {
            vault: 0,
            name: "corner".into(),
            at,
            size: Size::new(2, 2),
            squares: vec![wall, wall, Feature::by_name("floor"), None],
            exits: Vec::new(),
            contents: Vec::new(),
        };
        let (a, b) = (piece(Point::new(3, 3)), piece(Point::new(4, 4)));
        assert_eq!(a.feature(Point::new(3, 4)), wall);
        assert_eq!(a.feature(Point::new(4, 4)), None);
        assert_eq!(a.feature(Point::new(2, 3)), None);
        assert_eq!(a.features().count(), 3);
        assert!(!a.overlaps(&b) && a.overlaps(&piece(Point::new(3, 2))));
        let (mut a, over) = (a, piece(Point::new(3, 2)));
        a.exits = vec![Point::new(4, 3)];
        let constants = Constants {
            min_corr_width: 2,
            ..Constants::default()
        };
        // The second vault overlaps the first, so none of its squares becomes a wall tile or an open square.
        let layout = Layout::default().with_tiles_of(&[a, over], &constants);
        assert_eq!(layout.walls, [Point::new(3, 3), Point::new(3, 4)]);
        let open = [(4, 3), (4, 4), (4, 5), (5, 3), (6, 3), (4, 2), (4, 1)].map(|(x, y)| Point::new(x, y));
        assert_eq!(layout.open, open);
    }
}

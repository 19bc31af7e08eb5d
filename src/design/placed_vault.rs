//! Resolved vaults: what a design's vault entries have become, square by square, and where they stand.
//!
//! Whoever resolves a vault (its Lua, its chance) hands the outcome over as a [`PlacedVault`]; the engine, views and
//! exports know nothing else of it. A piece's squares are those of the dungeon: rows are x, columns are y.

use serde::{Deserialize, Serialize};

use super::{Constants, Feature, Layout, MAX_DIMENSION, VaultEntry};
use crate::geometry::{Forward, Point, Size};

/// A vault that has been resolved, in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PlacedVaultData")]
pub struct PlacedVault {
    /// Which of the design's vaults it is.
    pub vault: usize,
    /// The map's name.
    pub name: String,
    /// Its left top square.
    pub at: Point,
    /// Its rows and columns.
    pub size: Size,
    /// What stands on each square, row by row; `None` is no part of the map.
    pub squares: Vec<Option<Feature>>,
    /// The squares of the dungeon through which it is entered and left.
    pub exits: Vec<Point>,
}

/// What is read for a [`PlacedVault`], whose squares must fit its size.
#[derive(Deserialize)]
struct PlacedVaultData {
    vault: usize,
    name: String,
    at: Point,
    size: Size,
    squares: Vec<Option<Feature>>,
    exits: Vec<Point>,
}

impl TryFrom<PlacedVaultData> for PlacedVault {
    type Error = String;

    fn try_from(wire: PlacedVaultData) -> Result<Self, String> {
        let is_place = |at: &Point| [at.x, at.y].iter().all(|n| (0..=MAX_DIMENSION).contains(n));
        let Size { x, y } = wire.size;
        if wire.squares.len() as u64 != wire.size.squares() || x > MAX_DIMENSION || y > MAX_DIMENSION {
            return Err(format!("a vault of {x} × {y} squares has {}", wire.squares.len()));
        }
        if !wire.exits.iter().chain([&wire.at]).all(is_place) {
            return Err("a vault stands where no dungeon is".into());
        }
        Ok(Self {
            vault: wire.vault,
            name: wire.name,
            at: wire.at,
            size: wire.size,
            squares: wire.squares,
            exits: wire.exits,
        })
    }
}

impl PlacedVault {
    /// What it puts on a square of the dungeon; `None` where it has no part.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        let inside = Point::new(at.x.saturating_sub(self.at.x), at.y.saturating_sub(self.at.y));
        if !self.size.contains(inside) {
            return None;
        }
        let index = inside.x as usize * self.size.y as usize + inside.y as usize;
        self.squares.get(index).copied().flatten()
    }

    /// Whether a feature stands in the dungeon as a wall: what is solid, but for doors, which open.
    pub fn is_wall(feature: Feature) -> bool {
        feature.is_solid() && !feature.is_shut_door()
    }

    /// The squares of the dungeon that it takes, with what stands there.
    pub fn features(&self) -> impl Iterator<Item = (Point, Feature)> {
        let columns = self.size.y.max(1) as usize;
        self.squares.iter().enumerate().filter_map(move |(i, feature)| {
            let at = Point::new(self.at.x + (i / columns) as i32, self.at.y + (i % columns) as i32);
            feature.map(|feature| (at, feature))
        })
    }

    /// Whether it and another one take the same square.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.features().any(|(at, _)| other.feature(at).is_some())
    }
}

impl VaultEntry {
    /// The left top square of a map of `map` rows and columns in a dungeon of `size`; `None` when it is larger
    /// than what the outer ring leaves. A map that would reach past the border is shifted inward, like a room.
    pub fn stands(&self, map: Size, size: Size) -> Option<Point> {
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

/// Why a piece does not stand where it was meant to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlacementError<'a> {
    /// An earlier one takes some of its squares.
    Overlaps(&'a PlacedVault),
    /// It reaches past the outer ring.
    TooFar,
}

/// The pieces that stand in a dungeon, in their order, and the others with the reason.
pub fn standing(pieces: &[PlacedVault], size: Size) -> (Vec<&PlacedVault>, Vec<(&PlacedVault, PlacementError<'_>)>) {
    let mut stand: Vec<&PlacedVault> = Vec::new();
    let mut others = Vec::new();
    for piece in pieces {
        if let Some(other) = stand.iter().find(|other| other.overlaps(piece)) {
            others.push((piece, PlacementError::Overlaps(other)));
        } else if piece.features().any(|(at, _)| !is_inside(at, size)) {
            others.push((piece, PlacementError::TooFar));
        } else {
            stand.push(piece);
        }
    }
    (stand, others)
}

const fn is_inside(at: Point, size: Size) -> bool {
    size.contains(at) && !size.on_border(at)
}

/// The squares in front of an exit that are kept open: on every side where no piece stands, `reach` squares as far
/// as the outer ring or another piece leaves them.
pub fn way_out(exit: Point, reach: i32, stand: &[&PlacedVault], size: Size) -> Vec<Point> {
    let free = |at: &Point| is_inside(*at, size) && stand.iter().all(|piece| piece.feature(*at).is_none());
    let ahead = |forward: Forward| (1..=reach).map(move |steps| exit.step(forward, steps)).take_while(free);
    Forward::ALL.into_iter().flat_map(ahead).collect()
}

impl Constants {
    /// How far the way out of a vault's exit is kept open, in squares: the least corridor.
    pub const fn way_out(&self) -> i32 {
        if self.min_corr_width > 1 {
            self.min_corr_width
        } else {
            1
        }
    }
}

impl Layout {
    /// The layout as formats without vaults can hold it: each piece that stands as hand-placed wall tiles and open
    /// squares, the ways out of its exits among them.
    #[must_use]
    pub fn with_tiles_of(&self, pieces: &[PlacedVault], constants: &Constants) -> Self {
        let mut layout = self.clone();
        layout.vaults.clear();
        let (stand, _) = standing(pieces, self.size);
        for (at, feature) in stand.iter().flat_map(|piece| piece.features()) {
            if PlacedVault::is_wall(feature) {
                layout.walls.push(at);
            } else {
                layout.open.push(at);
            }
        }
        for exit in stand.iter().flat_map(|piece| &piece.exits) {
            layout
                .open
                .extend(way_out(*exit, constants.way_out(), &stand, self.size));
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
    fn a_vault_stands_at_its_division_or_square_and_inside_of_the_outer_ring() {
        let (map, size) = (Size::new(5, 8), Size::new(40, 60));
        let far = Point::new(500, -3);
        assert_eq!(entry(2, 1, 1, far).stands(map, size), Some(Point::new(18, 26)));
        assert_eq!(entry(4, 0, 4, far).stands(map, size), Some(Point::new(1, 51)));
        assert_eq!(
            entry(0, 1, 1, Point::new(7, 9)).stands(map, size),
            Some(Point::new(7, 9))
        );
        assert_eq!(entry(0, 1, 1, far).stands(map, size), Some(Point::new(34, 1)));
        assert_eq!(
            entry(1, i32::MAX, i32::MIN, far).stands(map, size),
            Some(Point::new(34, 1))
        );
        assert_eq!(
            entry(2, 1, 1, far).stands(Size::new(38, 58), size),
            Some(Point::new(1, 1))
        );
        assert_eq!(entry(2, 1, 1, far).stands(Size::new(39, 58), size), None);
        assert_eq!(entry(2, 1, 1, far).stands(Size::new(0, 5), size), None);
    }

    #[test]
    fn pieces_tell_their_squares_and_overlap_only_where_both_have_a_part() {
        let wall = Feature::by_name("rock_wall");
        let piece = |at| PlacedVault {
            vault: 0,
            name: "corner".into(),
            at,
            size: Size::new(2, 2),
            squares: vec![wall, wall, Feature::by_name("floor"), None],
            exits: Vec::new(),
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
        // The second has no place, and nothing of it is written.
        let layout = Layout::default().with_tiles_of(&[a, over], &constants);
        assert_eq!(layout.walls, [Point::new(3, 3), Point::new(3, 4)]);
        let open = [(4, 3), (4, 4), (4, 5), (5, 3), (6, 3), (4, 2), (4, 1)].map(|(x, y)| Point::new(x, y));
        assert_eq!(layout.open, open);
    }
}

//! Conversion of a resolved map to a placed vault of a dungeon.
//!
//! The two coordinate systems meet here: a map's columns are the dungeon's y, its rows the dungeon's x.

use super::glyphs::Turn;
use super::map::ResolvedMap;
use crate::design::{PlacedVault, VaultEntry};
use crate::geometry::{Point, Size};

/// Returns the turns of an orientation from 1 to 8, in the order of [`ORIENTATIONS`](crate::design::ORIENTATIONS);
/// `None` for any other value, which means a random orientation.
pub fn turns(orientation: i32) -> Option<Vec<Turn>> {
    let index = usize::try_from(orientation)
        .ok()?
        .checked_sub(1)
        .filter(|index| *index < 8)?;
    let mirrored = (index >= 4).then_some(Turn::MirrorHorizontal);
    let quarters = std::iter::repeat_n(Turn::Clockwise, index % 4);
    Some(mirrored.into_iter().chain(quarters).collect())
}

/// Places a resolved map as the design's vault number `vault` in a dungeon of a size; returns `None` if it does not
/// fit.
pub fn piece(resolved: &ResolvedMap, entry: &VaultEntry, vault: usize, dungeon: Size) -> Option<PlacedVault> {
    let size = Size::new(resolved.height as i32, resolved.width as i32);
    let at = entry.top_left(size, dungeon)?;
    Some(PlacedVault {
        vault,
        name: resolved.name.clone(),
        at,
        size,
        squares: resolved
            .cells
            .iter()
            .map(|cell| cell.as_ref().map(|cell| cell.feature))
            .collect(),
        exits: resolved
            .exits
            .iter()
            .map(|exit| Point::new(at.x + exit.y, at.y + exit.x))
            .collect(),
    })
}

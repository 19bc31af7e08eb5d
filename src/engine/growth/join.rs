//! How a closed Crawler ends: it joins a wall ahead that is near enough.

use super::builder::{Builder, Measures};
use super::turn_context::{TurnContext, look};
use crate::engine::decision::Decision;
use crate::engine::event::Event;
use crate::engine::grid::{Grid, Tile};
use crate::engine::intervention::RollKind;
use crate::engine::observer::Observer;
use crate::geometry::{Forward, Point};

/// Joins the wall ahead if it is fewer than joinDist free rows away (recorded dungeons: `join-*`). Lays tiles in a
/// straight line up to the wall. If the wall is not straight ahead but to one side, lays tiles in all free rows ahead,
/// and then sideways in the wall's row up to the wall (recorded dungeons: `obstacle-wall-*-t2`). `free` is the number
/// of free rows ahead, counted at least up to joinDist. Returns whether the Crawler joined a wall.
pub(super) fn try_join<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
    measures: &Measures,
    free: i32,
) -> bool {
    let join_dist = context.constants().join_dist;
    let free = free.min(join_dist.max(0));
    let row = builder.at.step(builder.forward, free.saturating_add(1));
    let found = if free >= join_dist {
        None
    } else {
        nearest_wall(context, builder, row, measures.corridor)
    };
    context.report(builder.id, |grid| Decision::Joins {
        look: look(grid, builder, builder.forward, measures, free, join_dist),
        to: found.map(|(side, offset, _)| (side, offset)),
        coin: found.is_some_and(|(_, _, coin)| coin),
    });
    let Some((side, offset, _)) = found else {
        return false;
    };
    context.build(builder, builder.at, builder.forward, free);
    context.build(builder, row.step(side, -1), side, offset);
    context.emit(Event::Joined {
        builder: builder.id,
        distance: free.saturating_add(offset) as u32,
    });
    true
}

/// Returns the wall nearest to the middle of a row: its side, its distance, and whether a coin toss chose it from two
/// walls at the same distance.
fn nearest_wall<const CHANGED: bool>(
    context: &TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
    row: Point,
    breadth: i32,
) -> Option<(Forward, i32, bool)> {
    let (offset, walls) = nearest_walls(context.grid, builder.forward, row, breadth)?;
    let sides = [builder.forward.left(), builder.forward.right()];
    match walls {
        [false, false] => None,
        [true, true] if offset > 0 => {
            let is_left = context.toss(builder, RollKind::JoinSide);
            Some((sides[usize::from(!is_left)], offset, true))
        }
        [true, _] => Some((sides[0], offset, false)),
        [false, true] => Some((sides[1], offset, false)),
    }
}

/// Finds the tile nearest to the middle of a row. Returns its distance from the middle and, for the left and the right
/// half of the row, whether the tile at that distance is a wall that can be joined. Returns `None` if the row is open.
/// The nearest tile decides: a Crawler does not build around a column, a high wall or a guaranteed open square
/// (recorded dungeons: `obstacle-column-*`, `obstacle-open-*`).
#[inline]
pub(super) fn nearest_walls(grid: &Grid, forward: Forward, row: Point, breadth: i32) -> Option<(i32, [bool; 2])> {
    let sides = [forward.left(), forward.right()];
    for offset in 0..=breadth {
        let tiles = sides.map(|side| grid.tile(row.step(side, offset)));
        if tiles.iter().all(|tile| *tile == Tile::Open) {
            continue;
        }
        let can_be_joined = |i: usize| tiles[i] == Tile::Wall && lane_is_clear(grid, forward, row, sides[i], offset);
        return Some((offset, [can_be_joined(0), can_be_joined(1)]));
    }
    None
}

/// Returns whether tiles can be laid sideways in a row, from the middle up to but not including `offset`, so that none
/// of them is next to a tile in the row ahead or in the row behind. In the middle, the row behind is not checked,
/// because the Crawler's own wall may be there. No recorded dungeon has a wall two tiles thick (`shipped-*`).
fn lane_is_clear(grid: &Grid, forward: Forward, row: Point, side: Forward, offset: i32) -> bool {
    let open = |at: Point| grid.tile(at) == Tile::Open;
    (0..offset).all(|aside| {
        let at = row.step(side, aside);
        open(at.step(forward, 1)) && (aside == 0 || open(at.step(forward, -1)))
    })
}

//! How a closed Crawler ends: it joins a wall ahead that is near enough.

use super::builder::{Builder, Measures};
use super::turn::look;
use super::turn_context::TurnContext;
use crate::engine::decision::Decision;
use crate::engine::event::{Event, Observer};
use crate::engine::grid::{Grid, Tile};
use crate::geometry::{Forward, Point};

/// Joins the wall ahead, where it is fewer than joinDist free rows away (recorded: `join-*`). Lays tiles
/// straight up to it or, where the first row that is not free has its wall at a side, into that row and
/// then sideways (recorded: `obstacle-wall-*-t2`). True when it joined.
pub(super) fn try_join(world: &mut TurnContext<'_, impl Observer>, builder: &mut Builder, measures: &Measures) -> bool {
    let join_dist = world.constants().join_dist;
    let free = world.free_rows(builder, builder.forward, measures, join_dist);
    let row = builder.at.step(builder.forward, free.saturating_add(1));
    let found = if free >= join_dist {
        None
    } else {
        nearest_wall(world, builder, row, measures.corridor)
    };
    world.tell(builder.id, |grid| Decision::Joins {
        look: look(grid, builder, builder.forward, measures, free, join_dist),
        to: found.map(|(side, offset, _)| (side, offset)),
        coin: found.is_some_and(|(_, _, coin)| coin),
    });
    let Some((side, offset, _)) = found else {
        return false;
    };
    world.build(builder, builder.at, builder.forward, free);
    world.build(builder, row.step(side, -1), side, offset);
    world.emit(Event::Joined {
        builder: builder.id,
        distance: free.saturating_add(offset) as u32,
    });
    true
}

/// The wall nearest to the middle of a row: the side it is at and how far, and whether the coin took it. Of two walls as
/// near as each other, chance takes one.
fn nearest_wall(
    world: &TurnContext<'_, impl Observer>,
    builder: &mut Builder,
    row: Point,
    breadth: i32,
) -> Option<(Forward, i32, bool)> {
    let (offset, walls) = nearest_walls(world.grid, builder.forward, row, breadth)?;
    let sides = [builder.forward.left(), builder.forward.right()];
    match walls {
        [false, false] => None,
        [true, true] if offset > 0 => Some((sides[builder.chance.below(2) as usize], offset, true)),
        [true, _] => Some((sides[0], offset, false)),
        [false, true] => Some((sides[1], offset, false)),
    }
}

/// How far from the middle of a row the nearest thing stands, and whether it is a wall that can be joined, to the left
/// and to the right; `None` where nothing stands. What stands nearer decides: a column, a high wall or an open square
/// that must stay open is not built around (recorded: `obstacle-column-*`, `obstacle-open-*`).
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

/// Whether tiles laid sideways in a row, short of `offset`, would stand beside no other wall: neither in the row
/// beyond nor in the row before, where the Crawler's own wall may be. The recorded dungeons have no walls two
/// tiles thick (`shipped-*`).
fn lane_is_clear(grid: &Grid, forward: Forward, row: Point, side: Forward, offset: i32) -> bool {
    let open = |at: Point| grid.tile(at) == Tile::Open;
    (0..offset).all(|aside| {
        let at = row.step(side, aside);
        open(at.step(forward, 1)) && (aside == 0 || open(at.step(forward, -1)))
    })
}

//! Pools: ground divided into irregular regions that adjoin each other.

use super::{AROUND, Area, BESIDE, GlyphSet, at, happens, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// Parameters for dividing ground into pools.
#[derive(Debug, Clone)]
pub struct Pools {
    /// Area to divide.
    pub area: Area,
    /// Glyphs that count as ground.
    pub replace: GlyphSet,
    /// Average number of cells of a pool, including its border.
    pub size: i32,
    /// Glyphs that can fill a pool, with weights; one is drawn for each pool.
    pub contents: Vec<(u8, u32)>,
    /// Glyph of the border between two pools; `None` leaves the ground unchanged there.
    pub border: Option<u8>,
    /// Chance, in percent, that a pool is filled; otherwise only its borders are drawn.
    pub percent: i32,
}

/// Divides ground into pools. Returns the number of pools.
pub fn add_pools(glyphs: &mut Glyphs, pools: &Pools, dice: &mut Dice) -> usize {
    let ground: Vec<Cell> = pools
        .area
        .cells(glyphs)
        .filter(|cell| pools.replace.has(at(glyphs, *cell)))
        .collect();
    let number = if ground.is_empty() {
        0
    } else {
        (ground.len() / usize::try_from(pools.size).unwrap_or(1).max(1)).max(1)
    };
    let owner = divide(glyphs, pools, &ground, number, dice);
    let contents: Vec<Option<u8>> = (0..number)
        .map(|_| {
            let drawn = dice.pick(&pools.contents, |(_, weight)| *weight);
            let glyph = drawn.map(|index| pools.contents[index].0);
            glyph.filter(|_| happens(pools.percent, dice))
        })
        .collect();
    for (cell, pool) in cells_of(glyphs, &ground, &owner) {
        // Where two pools meet, a border on one of the two sides is enough. Cells that touch at a corner count as
        // neighbours, because the player can move diagonally.
        let border = near(glyphs, cell, &AROUND)
            .filter_map(|next| glyphs.index(next.x, next.y))
            .any(|next| owner[next].is_some_and(|other| other < pool));
        let glyph = if border { pools.border } else { contents[pool] };
        if let Some(glyph) = glyph {
            glyphs.set(cell.x, cell.y, glyph);
        }
    }
    number
}

/// Returns the cells of the ground, each with the number of its pool.
fn cells_of(glyphs: &Glyphs, ground: &[Cell], owner: &[Option<usize>]) -> Vec<(Cell, usize)> {
    ground
        .iter()
        .filter_map(|cell| Some((*cell, owner[glyphs.index(cell.x, cell.y)?]?)))
        .collect()
}

/// Assigns a pool to each cell of the ground, except in separate regions in which no pool begins. All pools grow at the
/// same time, each from a random cell: each step adds one random cell at the edge of a pool.
fn divide(glyphs: &Glyphs, pools: &Pools, ground: &[Cell], number: usize, dice: &mut Dice) -> Vec<Option<usize>> {
    let mut owner = vec![None; glyphs.cells().len()];
    let mut seeds = ground.to_vec();
    dice.shuffle(&mut seeds);
    let mut edge: Vec<(Cell, usize)> = seeds.into_iter().take(number).zip(0..).collect();
    while !edge.is_empty() {
        let (cell, pool) = edge.swap_remove(dice.index(edge.len()));
        let Some(index) = glyphs.index(cell.x, cell.y) else {
            continue;
        };
        if owner[index].is_some() {
            continue;
        }
        owner[index] = Some(pool);
        let open = near(glyphs, cell, &BESIDE).filter(|next| {
            pools.area.holds(*next)
                && pools.replace.has(at(glyphs, *next))
                && glyphs.index(next.x, next.y).is_some_and(|index| owner[index].is_none())
        });
        edge.extend(open.map(|next| (next, pool)));
    }
    owner
}

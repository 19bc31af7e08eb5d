//! Finding, counting and replacing glyphs.

use std::collections::VecDeque;

use super::{AROUND, Area, Brush, GlyphSet, at, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// Returns whether an area contains a cell with one of these glyphs, or a cell for which `other` returns `true`.
pub fn find_in_area(glyphs: &Glyphs, area: Area, find: &GlyphSet, other: impl Fn(Cell) -> bool) -> bool {
    area.cells(glyphs).any(|cell| find.has(at(glyphs, cell)) || other(cell))
}

/// Returns how many cells of an area have one of these glyphs; cells beyond the grid are not counted.
pub fn count_in_area(glyphs: &Glyphs, area: Area, find: &GlyphSet) -> usize {
    area.cells(glyphs).filter(|cell| find.has(at(glyphs, *cell))).count()
}

/// Returns how many of the eight neighbours of a cell have one of these glyphs.
pub fn count_neighbours(glyphs: &Glyphs, cell: Cell, find: &GlyphSet) -> usize {
    near(glyphs, cell, &AROUND)
        .filter(|next| find.has(at(glyphs, *next)))
        .count()
}

/// Looks in an area for all cells whose glyph is in `find`, and paints over them. Returns the number of these cells.
pub fn replace_area(glyphs: &mut Glyphs, area: Area, find: &GlyphSet, replace: Brush, dice: &mut Dice) -> usize {
    let mut replaced = 0;
    for cell in area.cells(glyphs) {
        if find.has(at(glyphs, cell)) {
            replace.paint(glyphs, cell, dice);
            replaced += 1;
        }
    }
    replaced
}

/// Walks from a cell in one direction and paints over the first cell whose glyph is in `find`. Returns `false` if the
/// walk reaches the edge of the grid without finding one. If the direction is (0, 0), only looks at `from`.
pub fn replace_first(
    glyphs: &mut Glyphs,
    from: Cell,
    (dx, dy): (i32, i32),
    find: &GlyphSet,
    replace: Brush,
    dice: &mut Dice,
) -> bool {
    let mut cell = from;
    while glyphs.holds(cell.x, cell.y) {
        if find.has(at(glyphs, cell)) {
            replace.paint(glyphs, cell, dice);
            return true;
        }
        if (dx, dy) == (0, 0) {
            break;
        }
        cell = Cell {
            x: cell.x.saturating_add(dx),
            y: cell.y.saturating_add(dy),
        };
    }
    false
}

/// Looks in an area for all cells whose glyph is in `find`, and paints over a random one of them. Returns the painted
/// cell; `None` if there are no such cells.
pub fn replace_random(
    glyphs: &mut Glyphs,
    area: Area,
    find: &GlyphSet,
    replace: Brush,
    dice: &mut Dice,
) -> Option<Cell> {
    let cells: Vec<Cell> = area.cells(glyphs).filter(|cell| find.has(at(glyphs, *cell))).collect();
    let cell = *cells.get(dice.index(cells.len()))?;
    replace.paint(glyphs, cell, dice);
    Some(cell)
}

/// Of the cells that contain a glyph from `find`, paints over the one nearest to `to` in a straight line. Returns the
/// cell; `None` if no cell has such a glyph.
pub fn replace_closest(
    glyphs: &mut Glyphs,
    to: Cell,
    find: &GlyphSet,
    replace: Brush,
    dice: &mut Dice,
) -> Option<Cell> {
    let far = |cell: &Cell| {
        let (dx, dy) = (i64::from(cell.x) - i64::from(to.x), i64::from(cell.y) - i64::from(to.y));
        i128::from(dx) * i128::from(dx) + i128::from(dy) * i128::from(dy)
    };
    let held = |cell: &Cell| find.has(at(glyphs, *cell));
    let cell = Area::whole(glyphs).cells(glyphs).filter(held).min_by_key(far)?;
    replace.paint(glyphs, cell, dice);
    Some(cell)
}

/// Returns the passable cell that is farthest, in steps, from the nearest cell with a glyph from `find`. On a tie,
/// returns the cell that the search reaches first.
///
/// Returns `None` if no other cell can be reached from the cells with these glyphs.
pub fn farthest_from(glyphs: &Glyphs, find: &GlyphSet, passable: &GlyphSet) -> Option<Cell> {
    let mut seen = vec![false; glyphs.cells().len()];
    let mut open: VecDeque<(Cell, u32)> = VecDeque::new();
    for cell in Area::whole(glyphs).cells(glyphs) {
        if find.has(at(glyphs, cell))
            && let Some(index) = glyphs.index(cell.x, cell.y)
        {
            seen[index] = true;
            open.push_back((cell, 0));
        }
    }
    let mut best: Option<(Cell, u32)> = None;
    while let Some((cell, steps)) = open.pop_front() {
        if best.is_none_or(|(_, most)| steps > most) {
            best = Some((cell, steps));
        }
        for next in near(glyphs, cell, &AROUND) {
            if passable.has(at(glyphs, next))
                && let Some(index) = glyphs.index(next.x, next.y)
                && !seen[index]
            {
                seen[index] = true;
                open.push_back((next, steps + 1));
            }
        }
    }
    best.filter(|(_, steps)| *steps > 0).map(|(cell, _)| cell)
}

//! Rooms and what joins them.

use std::collections::VecDeque;

use super::{AROUND, Area, GlyphSet, at, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// How rooms are joined.
#[derive(Debug, Clone, Copy)]
pub struct Passages {
    /// Where.
    pub area: Area,
    /// What parts rooms.
    pub wall: GlyphSet,
    /// What rooms are made of.
    pub floor: GlyphSet,
    /// What a wall is replaced by: a door, or floor.
    pub replace: u8,
    /// The fewest cells, drawn from the area, that are tried.
    pub least: i32,
    /// The most; the number is drawn too.
    pub most: i32,
    /// Both sides may be joined already, if the way between them is longer than this many steps.
    pub check_distance: Option<i32>,
}

/// Ways longer than this count as no way at all: looking for them would take too long.
const LONGEST_WAY: i32 = 32;

/// Opens walls between rooms, where floor lies on both sides; gives how many.
///
/// Without a distance only rooms between which there is no way are joined.
pub fn connect_adjacent_rooms(glyphs: &mut Glyphs, passages: &Passages, dice: &mut Dice) -> i32 {
    let tries = usize::try_from(dice.range(passages.least, passages.most)).unwrap_or(0);
    let walkable = GlyphSet::passable().and(&passages.floor).with(&[passages.replace]);
    let mut zones = Zones::new(glyphs, &walkable);
    let mut cells: Vec<Cell> = passages.area.cells(glyphs).collect();
    dice.shuffle(&mut cells);
    let mut made = 0;
    for cell in cells.into_iter().take(tries) {
        // Looked for now, since an opening that was made beside it may have taken its walls.
        let Some((one, other)) = sides(glyphs, passages, cell) else {
            continue;
        };
        let joined = zones.are_joined(one, other);
        let near = match passages.check_distance {
            None => joined,
            Some(steps) if steps > LONGEST_WAY => joined,
            Some(steps) => joined && within(glyphs, &walkable, (one, other), steps),
        };
        if !near {
            glyphs.set(cell.x, cell.y, passages.replace);
            zones.open(glyphs, &walkable, cell);
            made += 1;
        }
    }
    made
}

/// The floor on both sides of a wall that goes straight on.
fn sides(glyphs: &Glyphs, passages: &Passages, cell: Cell) -> Option<(Cell, Cell)> {
    if !passages.wall.has(at(glyphs, cell)) {
        return None;
    }
    let step = |dx: i32, dy: i32| Cell {
        x: cell.x + dx,
        y: cell.y + dy,
    };
    let floor = |cell: Cell| passages.floor.has(at(glyphs, cell));
    let wall = |cell: Cell| passages.wall.has(at(glyphs, cell));
    let (north, east, south, west) = (step(0, -1), step(1, 0), step(0, 1), step(-1, 0));
    if floor(west) && floor(east) && wall(north) && wall(south) {
        Some((west, east))
    } else if floor(north) && floor(south) && wall(west) && wall(east) {
        Some((north, south))
    } else {
        None
    }
}

/// Whether a way between two cells takes at most so many steps.
fn within(glyphs: &Glyphs, walkable: &GlyphSet, (from, to): (Cell, Cell), most: i32) -> bool {
    // Nothing farther than `most` in any direction can be on the way.
    let side = 2 * most.max(0) + 1;
    let index = |cell: Cell| {
        let (x, y) = (cell.x - from.x + most, cell.y - from.y + most);
        ((0..side).contains(&x) && (0..side).contains(&y)).then(|| (y * side + x) as usize)
    };
    let mut seen = vec![false; (side * side) as usize];
    let mut open = VecDeque::from([(from, 0)]);
    while let Some((cell, steps)) = open.pop_front() {
        if cell == to {
            return true;
        }
        if steps == most {
            continue;
        }
        for next in near(glyphs, cell, &AROUND) {
            if let Some(index) = index(next)
                && !seen[index]
                && walkable.has(at(glyphs, next))
            {
                seen[index] = true;
                open.push_back((next, steps + 1));
            }
        }
    }
    false
}

/// Which cells hang together, over sides and corners.
struct Zones {
    width: usize,
    parents: Vec<usize>,
}

impl Zones {
    fn new(glyphs: &Glyphs, walkable: &GlyphSet) -> Self {
        let mut zones = Self {
            width: glyphs.width(),
            parents: (0..glyphs.cells().len()).collect(),
        };
        for cell in Area::whole(glyphs).cells(glyphs) {
            if walkable.has(at(glyphs, cell)) {
                zones.open(glyphs, walkable, cell);
            }
        }
        zones
    }

    fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.width + cell.x as usize
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.parents[index] != index {
            self.parents[index] = self.parents[self.parents[index]];
            index = self.parents[index];
        }
        index
    }

    /// Joins a cell that can be walked with those around it.
    fn open(&mut self, glyphs: &Glyphs, walkable: &GlyphSet, cell: Cell) {
        for next in near(glyphs, cell, &AROUND) {
            if walkable.has(at(glyphs, next)) {
                let (one, other) = (self.index(cell), self.index(next));
                let (one, other) = (self.root(one), self.root(other));
                self.parents[one.max(other)] = one.min(other);
            }
        }
    }

    fn are_joined(&mut self, one: Cell, other: Cell) -> bool {
        let (one, other) = (self.index(one), self.index(other));
        self.root(one) == self.root(other)
    }
}

/// Fills every zone of a box but the largest, and those that hold one of the glyphs to keep; gives how many cells.
pub fn fill_disconnected(glyphs: &mut Glyphs, area: Area, passable: &GlyphSet, keep: &GlyphSet, fill: u8) -> usize {
    let mut zones = Zones::new(glyphs, passable);
    let mut sizes = vec![0_usize; glyphs.cells().len()];
    let mut kept = vec![false; glyphs.cells().len()];
    let cells: Vec<(Cell, usize)> = area
        .cells(glyphs)
        .filter(|cell| passable.has(at(glyphs, *cell)))
        .map(|cell| {
            let index = zones.index(cell);
            (cell, zones.root(index))
        })
        .collect();
    for (cell, zone) in &cells {
        sizes[*zone] += 1;
        kept[*zone] |= keep.has(at(glyphs, *cell));
    }
    // Of zones as large the first stays.
    let largest = (0..sizes.len()).max_by_key(|zone| (sizes[*zone], std::cmp::Reverse(*zone)));
    let mut filled = 0;
    for (cell, zone) in cells {
        if Some(zone) != largest && !kept[zone] {
            glyphs.set(cell.x, cell.y, fill);
            filled += 1;
        }
    }
    filled
}

/// Replaces doors that do not lead from one passable side straight to the other; gives how many.
pub fn remove_disconnected_doors(
    glyphs: &mut Glyphs,
    area: Area,
    door: &GlyphSet,
    passable: &GlyphSet,
    replace: u8,
) -> usize {
    let walkable = passable.and(door);
    let blind = |cell: &Cell| {
        let open = |dx: i32, dy: i32| walkable.has(glyphs.get(cell.x + dx, cell.y + dy));
        door.has(at(glyphs, *cell)) && !(open(-1, 0) && open(1, 0) || open(0, -1) && open(0, 1))
    };
    let cells: Vec<Cell> = area.cells(glyphs).filter(blind).collect();
    for cell in &cells {
        glyphs.set(cell.x, cell.y, replace);
    }
    cells.len()
}

/// Makes a way from one cell to another, step by step along columns and rows, the turns by chance.
///
/// What is passable stays as it is. False when a cell is not on the grid; then nothing is drawn.
pub fn join_the_dots(
    glyphs: &mut Glyphs,
    from: Cell,
    to: Cell,
    passable: &GlyphSet,
    fill: u8,
    dice: &mut Dice,
) -> bool {
    if !glyphs.holds(from.x, from.y) || !glyphs.holds(to.x, to.y) {
        return false;
    }
    let mut cell = from;
    loop {
        if !passable.has(at(glyphs, cell)) {
            glyphs.set(cell.x, cell.y, fill);
        }
        let (dx, dy) = (to.x - cell.x, to.y - cell.y);
        if (dx, dy) == (0, 0) {
            return true;
        }
        if dice.x_in_y(dx.abs(), dx.abs() + dy.abs()) {
            cell.x += dx.signum();
        } else {
            cell.y += dy.signum();
        }
    }
}

//! Rooms and their connections.

use std::collections::{BTreeMap, VecDeque};

use super::{AROUND, Area, GlyphSet, at, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// Parameters for connecting rooms.
#[derive(Debug, Clone, Copy)]
pub struct Passages {
    /// Area in which connections are made.
    pub area: Area,
    /// Glyphs that separate rooms.
    pub wall: GlyphSet,
    /// Glyphs of rooms.
    pub floor: GlyphSet,
    /// Glyph that replaces a wall: a door, or floor.
    pub replace: u8,
    /// Minimum number of tries, each at a random cell of the area.
    pub least: i32,
    /// Maximum number of tries; the actual number is drawn at random.
    pub most: i32,
    /// If set, a wall whose two sides are already connected may also be opened, but only if the shortest path between
    /// the sides is longer than this number of steps.
    pub check_distance: Option<i32>,
}

/// Maximum length of the paths that are searched for, in steps. If `check_distance` is larger, a wall between connected
/// rooms is never opened, because a longer search would take too long.
const LONGEST_WAY: i32 = 32;

/// Opens walls that have floor on both sides, to connect rooms. Returns the number of openings.
///
/// Without `check_distance`, connects only rooms that have no path between them.
pub fn connect_adjacent_rooms(glyphs: &mut Glyphs, passages: &Passages, dice: &mut Dice) -> i32 {
    let tries = usize::try_from(dice.range(passages.least, passages.most)).unwrap_or(0);
    let walkable = GlyphSet::passable().and(&passages.floor).with(&[passages.replace]);
    let mut zones = Zones::new(glyphs, &walkable);
    let mut cells: Vec<Cell> = passages.area.cells(glyphs).collect();
    dice.shuffle(&mut cells);
    let mut made = 0;
    for cell in cells.into_iter().take(tries) {
        // The sides are checked only now, because an earlier opening may have removed the walls beside this cell.
        let Some((one, other)) = sides(glyphs, &passages.wall, &passages.floor, cell) else {
            continue;
        };
        // If spaces count as floor, a side may lie outside the grid.
        if !glyphs.holds(one.x, one.y) || !glyphs.holds(other.x, other.y) {
            continue;
        }
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

/// Turns parts of walls with open ground on both sides into windows. Returns the number of windows.
///
/// The way in which the game chooses the walls is not documented. Here, each straight wall gets a window with a
/// probability of one half; the window covers a random part of the wall.
pub fn add_windows(
    glyphs: &mut Glyphs,
    area: Area,
    (wall, open): (&GlyphSet, &GlyphSet),
    window: u8,
    dice: &mut Dice,
) -> i32 {
    let mut walls: Vec<Vec<Cell>> = Vec::new();
    // The key is a wall's direction and its last cell so far; the value is the index of that wall.
    let mut ends: BTreeMap<(bool, Cell), usize> = BTreeMap::new();
    for cell in area.cells(glyphs) {
        let Some((one, other)) = sides(glyphs, wall, open, cell) else {
            continue;
        };
        let is_row = one.x == other.x;
        let before = Cell {
            x: cell.x - i32::from(is_row),
            y: cell.y - i32::from(!is_row),
        };
        let at = ends.remove(&(is_row, before)).unwrap_or_else(|| {
            walls.push(Vec::new());
            walls.len() - 1
        });
        walls[at].push(cell);
        ends.insert((is_row, cell), at);
    }
    let mut made = 0;
    for wall in walls {
        if dice.index(2) == 0 {
            continue;
        }
        let (one, other) = (dice.index(wall.len()), dice.index(wall.len()));
        for cell in &wall[one.min(other)..=one.max(other)] {
            glyphs.set(cell.x, cell.y, window);
        }
        made += 1;
    }
    made
}

/// Returns the two floor cells on opposite sides of a wall cell; `None` unless its other two neighbours are walls.
fn sides(glyphs: &Glyphs, walls: &GlyphSet, floors: &GlyphSet, cell: Cell) -> Option<(Cell, Cell)> {
    if !walls.has(at(glyphs, cell)) {
        return None;
    }
    let step = |dx: i32, dy: i32| Cell {
        x: cell.x + dx,
        y: cell.y + dy,
    };
    let floor = |cell: Cell| floors.has(at(glyphs, cell));
    let wall = |cell: Cell| walls.has(at(glyphs, cell));
    let (north, east, south, west) = (step(0, -1), step(1, 0), step(0, 1), step(-1, 0));
    if floor(west) && floor(east) && wall(north) && wall(south) {
        Some((west, east))
    } else if floor(north) && floor(south) && wall(west) && wall(east) {
        Some((north, south))
    } else {
        None
    }
}

/// Returns whether a path of at most `most` steps connects two cells.
fn within(glyphs: &Glyphs, walkable: &GlyphSet, (from, to): (Cell, Cell), most: i32) -> bool {
    // Such a path never leads farther than `most` cells from its start, so only the cells within this distance in each
    // direction are searched.
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

/// Connected components of walkable cells. Cells are connected across sides and corners.
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

    /// Joins the component of a walkable cell with those of the walkable cells around it.
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

/// Fills every connected zone of an area except the largest and those that contain one of the glyphs to keep. Returns
/// the number of filled cells.
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
    // If several zones are equally large, the first is kept.
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

/// Replaces doors that cannot be walked through in a straight line. Returns the number of replaced doors.
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

/// Draws a path from one cell to another, step by step along columns and rows, with random turns.
///
/// Passable cells on the path stay unchanged. Returns `false` and draws nothing if `from` or `to` is not on the grid.
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

//! Caves: floor that spreads into rock.

use super::{AROUND, Area, BESIDE, GlyphSet, at, happens, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// Parameters for spreading floor.
#[derive(Debug, Clone, Copy)]
pub struct Spots {
    /// Area in which the floor spreads.
    pub area: Area,
    /// Glyphs that may be replaced.
    pub find: GlyphSet,
    /// Glyph that spreads.
    pub replace: u8,
    /// Whether the glyph also spreads across corners, not only across sides.
    pub boxy: bool,
    /// Maximum number of iterations.
    pub iterations: i32,
}

impl Spots {
    fn steps(&self) -> &'static [(i32, i32)] {
        if self.boxy { &AROUND } else { &BESIDE }
    }

    /// Returns those neighbours of `cell` whose glyphs may be replaced.
    fn replaceable<'a>(&'a self, glyphs: &'a Glyphs, cell: Cell) -> impl Iterator<Item = Cell> + 'a {
        near(glyphs, cell, self.steps()).filter(|next| self.area.holds(*next) && self.find.has(at(glyphs, *next)))
    }
}

/// Spreads floor into the rock beside it: each iteration picks a random cell of that rock, and replaces this cell and
/// its rock neighbours. Returns the number of replaced cells.
///
/// If the area contains no floor, spreading starts in the middle of the area.
pub fn spotty_map(glyphs: &mut Glyphs, spots: &Spots, dice: &mut Dice) -> i32 {
    let area = spots.area;
    let floor: Vec<Cell> = area
        .cells(glyphs)
        .filter(|cell| at(glyphs, *cell) == spots.replace)
        .collect();
    let mut edge: Vec<Cell> = floor.iter().flat_map(|cell| spots.replaceable(glyphs, *cell)).collect();
    if floor.is_empty() {
        let middle = area.middle();
        if spots.find.has(at(glyphs, middle)) {
            edge.push(middle);
        }
    }
    let (mut taken, mut times) = (0, 0);
    while times < spots.iterations && !edge.is_empty() {
        // A cell that touches more floor is listed more often, so caves tend to be round.
        let cell = edge.swap_remove(dice.index(edge.len()));
        if !spots.find.has(at(glyphs, cell)) {
            continue;
        }
        times += 1;
        let mut spot: Vec<Cell> = spots.replaceable(glyphs, cell).collect();
        spot.push(cell);
        for cell in &spot {
            glyphs.set(cell.x, cell.y, spots.replace);
        }
        taken += spot.len() as i32;
        if !spots.find.has(spots.replace) {
            edge.extend(spot.iter().flat_map(|cell| spots.replaceable(glyphs, *cell)));
        }
    }
    taken
}

/// Smears a glyph over other glyphs: each iteration picks a random cell, which gets the glyph with a probability
/// proportional to the number of its neighbours that already have it.
///
/// The number of iterations is at most eight per cell of the area. Returns the number of replaced cells.
pub fn smear_map(glyphs: &mut Glyphs, spots: &Spots, dice: &mut Dice) -> i32 {
    let cells: Vec<Cell> = spots.area.cells(glyphs).collect();
    let most = i32::try_from(cells.len().saturating_mul(8)).unwrap_or(i32::MAX);
    let steps = spots.steps();
    let mut taken = 0;
    for _ in 0..spots.iterations.min(most) {
        let cell = cells[dice.index(cells.len())];
        if spots.find.has(at(glyphs, cell)) {
            let smear = near(glyphs, cell, steps)
                .filter(|next| at(glyphs, *next) == spots.replace)
                .count();
            if dice.x_in_y(smear as i32, steps.len() as i32) {
                glyphs.set(cell.x, cell.y, spots.replace);
                taken += 1;
            }
        }
    }
    taken
}

/// Widens paths: replaces glyphs from `find` that lie beside a passable glyph, each with a chance of `percent`.
pub fn widen_paths(
    glyphs: &mut Glyphs,
    area: Area,
    (find, replace): (&GlyphSet, u8),
    passable: &GlyphSet,
    percent: i32,
    dice: &mut Dice,
) {
    let beside = |cell: &Cell| {
        find.has(at(glyphs, *cell)) && near(glyphs, *cell, &BESIDE).any(|next| passable.has(at(glyphs, next)))
    };
    // All cells are found before the first is replaced, so that paths widen by one cell only.
    let cells: Vec<Cell> = area.cells(glyphs).filter(beside).collect();
    for cell in cells {
        if happens(percent, dice) {
            glyphs.set(cell.x, cell.y, replace);
        }
    }
}

/// Replaces glyphs from `find` that have no neighbour from `find`, each with a chance of `percent`.
///
/// With `boxy`, all eight neighbours count, otherwise only the four that share a side.
pub fn remove_isolated_glyphs(
    glyphs: &mut Glyphs,
    area: Area,
    (find, replace): (&GlyphSet, u8),
    percent: i32,
    boxy: bool,
    dice: &mut Dice,
) {
    let steps: &[(i32, i32)] = if boxy { &AROUND } else { &BESIDE };
    let alone =
        |cell: &Cell| find.has(at(glyphs, *cell)) && !near(glyphs, *cell, steps).any(|next| find.has(at(glyphs, next)));
    let cells: Vec<Cell> = area.cells(glyphs).filter(alone).collect();
    for cell in cells {
        if happens(percent, dice) {
            glyphs.set(cell.x, cell.y, replace);
        }
    }
}

/// Parameters for digging a cavern.
#[derive(Debug, Clone, Copy)]
pub struct Dig {
    /// Minimum number of dug neighbours: digging skips a cell that has fewer.
    pub least: i32,
    /// Maximum number of dug neighbours: digging skips a cell that has more.
    pub most: i32,
    /// Chance, in percent, of digging a cell that joins separate groups of floor cells around it.
    pub join_percent: i32,
    /// Number of cells to dig; 0 or less means a third of the area.
    pub cells: i32,
    /// The next cell is drawn from this many of the newest candidates: 1 digs winding tunnels; 0 draws from all
    /// candidates.
    pub newest: i32,
    /// Glyph that digging replaces.
    pub rock: u8,
    /// Glyph of dug cells.
    pub floor: u8,
}

/// Maximum number of times that digging starts with new candidates.
const RESTARTS: u32 = 256;

/// Digs a cavern, starting from existing floor or from the middle. Returns the number of dug cells.
///
/// Digging gets stuck if no candidate has enough dug neighbours, which always happens if three or more are required. A
/// cell with fewer dug neighbours then starts a new arm.
pub fn delve(glyphs: &mut Glyphs, area: Area, dig: &Dig, dice: &mut Dice) -> i32 {
    let cells: Vec<Cell> = area.cells(glyphs).collect();
    let third = cells.len() as i32 / 3;
    let wanted = if dig.cells > 0 { dig.cells } else { third };
    let newest = usize::try_from(dig.newest).unwrap_or(0);
    let (mut dug, mut slack) = (0, 0);
    for _ in 0..RESTARTS {
        let before = dug;
        let mut store = begin(glyphs, area, dig, dug, &cells);
        dice.shuffle(&mut store);
        while dug < wanted && !store.is_empty() {
            let from = if newest == 0 {
                0
            } else {
                store.len().saturating_sub(newest)
            };
            let cell = store.swap_remove(from + dice.index(store.len() - from));
            // Lowers the minimum for the first cells, which cannot have more dug neighbours than there are dug cells.
            let least = dig.least.saturating_sub(slack).min(dug);
            if may_dig(glyphs, cell, dig, least, dice) {
                glyphs.set(cell.x, cell.y, dig.floor);
                dug += 1;
                slack = 0;
                let rock = |next: &Cell| area.holds(*next) && at(glyphs, *next) == dig.rock;
                let mut next: Vec<Cell> = near(glyphs, cell, &AROUND).filter(rock).collect();
                dice.shuffle(&mut next);
                store.extend(next);
            }
        }
        if dug >= wanted || slack >= dig.least {
            break;
        }
        slack = if dug == before { slack + 1 } else { 1 };
    }
    dug
}

/// Returns the rock cells where digging starts or restarts: those beside floor or, if there are none and nothing is dug
/// yet, the middle of the area.
fn begin(glyphs: &Glyphs, area: Area, dig: &Dig, dug: i32, cells: &[Cell]) -> Vec<Cell> {
    let beside = |cell: &&Cell| at(glyphs, **cell) == dig.rock && dug_around(glyphs, **cell, dig.floor) > 0;
    let mut store: Vec<Cell> = cells.iter().filter(beside).copied().collect();
    if store.is_empty() && dug == 0 && !cells.is_empty() {
        store.push(area.middle());
    }
    store
}

fn dug_around(glyphs: &Glyphs, cell: Cell, floor: u8) -> i32 {
    let neighbours = near(glyphs, cell, &AROUND);
    neighbours.filter(|next| at(glyphs, *next) == floor).count() as i32
}

fn may_dig(glyphs: &Glyphs, cell: Cell, dig: &Dig, least: i32, dice: &mut Dice) -> bool {
    let around = dug_around(glyphs, cell, dig.floor);
    at(glyphs, cell) == dig.rock
        && (least..=dig.most.max(least)).contains(&around)
        && (!joins(glyphs, cell, dig.floor) || happens(dig.join_percent, dice))
}

/// Returns whether the floor cells around a cell form more than one connected group. Cells that touch at a corner are
/// connected.
fn joins(glyphs: &Glyphs, cell: Cell, floor: u8) -> bool {
    let dug = |index: usize| {
        let (dx, dy) = AROUND[index % AROUND.len()];
        glyphs.get(cell.x + dx, cell.y + dy) == floor
    };
    // The neighbours at the sides have odd indices. Two sides with successive odd indices touch at a
    // corner, and are therefore connected.
    let ends = |index: usize| dug(index) && !dug(index + 1) && !(index % 2 == 1 && dug(index + 2));
    (0..AROUND.len()).filter(|index| ends(*index)).count() > 1
}

//! Caves: floor that eats into rock.

use super::{AROUND, Area, BESIDE, GlyphSet, at, happens, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// How spots spread.
#[derive(Debug, Clone, Copy)]
pub struct Spots {
    /// Where.
    pub area: Area,
    /// What they spread over.
    pub find: GlyphSet,
    /// What they are.
    pub replace: u8,
    /// Over corners too, not over sides alone.
    pub boxy: bool,
    /// How often they spread at most.
    pub iterations: i32,
}

impl Spots {
    fn steps(&self) -> &'static [(i32, i32)] {
        if self.boxy { &AROUND } else { &BESIDE }
    }

    /// The cells beside one that spots may take.
    fn prey<'a>(&'a self, glyphs: &'a Glyphs, cell: Cell) -> impl Iterator<Item = Cell> + 'a {
        near(glyphs, cell, self.steps()).filter(|next| self.area.holds(*next) && self.find.has(at(glyphs, *next)))
    }
}

/// Lets floor grow into the rock beside it, each time by a cell with the neighbours that it has; gives how many
/// cells it took.
///
/// Without any floor it begins in the middle.
pub fn spotty_map(glyphs: &mut Glyphs, spots: &Spots, dice: &mut Dice) -> i32 {
    let area = spots.area;
    let floor: Vec<Cell> = area
        .cells(glyphs)
        .filter(|cell| at(glyphs, *cell) == spots.replace)
        .collect();
    let mut edge: Vec<Cell> = floor.iter().flat_map(|cell| spots.prey(glyphs, *cell)).collect();
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
        let mut spot: Vec<Cell> = spots.prey(glyphs, cell).collect();
        spot.push(cell);
        for cell in &spot {
            glyphs.set(cell.x, cell.y, spots.replace);
        }
        taken += spot.len() as i32;
        if !spots.find.has(spots.replace) {
            edge.extend(spot.iter().flat_map(|cell| spots.prey(glyphs, *cell)));
        }
    }
    taken
}

/// Smears glyphs over others: random cells take it on, the sooner the more of it lies around them.
///
/// At most as many looks as eight for each cell of the box are taken; gives how many cells changed.
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

/// Widens what can be walked: glyphs beside passable ones are replaced, each with a chance in percent.
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
    // All are found before the first is replaced: paths get wider by one cell.
    let cells: Vec<Cell> = area.cells(glyphs).filter(beside).collect();
    for cell in cells {
        if happens(percent, dice) {
            glyphs.set(cell.x, cell.y, replace);
        }
    }
}

/// Replaces glyphs that have none of their like beside them, each with a chance in percent.
///
/// `boxy` looks at all eight neighbours, else the four sides count.
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

/// How a cavern is dug.
#[derive(Debug, Clone, Copy)]
pub struct Dig {
    /// The fewest dug neighbours that a cell must have to be dug.
    pub least: i32,
    /// The most.
    pub most: i32,
    /// The chance, in percent, to dig a cell that joins two parts.
    pub join_percent: i32,
    /// How many cells to dig; none is a third of the box.
    pub cells: i32,
    /// From how many of the newest candidates the next is drawn: 1 digs winding tunnels. 0 draws from all.
    pub newest: i32,
    /// What is dug.
    pub rock: u8,
    /// What it becomes.
    pub floor: u8,
}

/// How often a cavern that is stuck looks for new places to go on.
const RESTARTS: u32 = 256;

/// Digs a cavern, from the floor that there is or from the middle; gives how many cells it dug.
///
/// Where it is stuck, as any is whose cells need three dug neighbours, one cell with fewer begins a new arm.
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
            // The first cells cannot have more neighbours than there are.
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

/// The rock from which a cavern goes on: beside floor, or in the middle.
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

/// Whether the floor around a cell is in more than one piece; corners join.
fn joins(glyphs: &Glyphs, cell: Cell, floor: u8) -> bool {
    let dug = |index: usize| {
        let (dx, dy) = AROUND[index % AROUND.len()];
        glyphs.get(cell.x + dx, cell.y + dy) == floor
    };
    // Sides have odd numbers, and touch the next side over their corner.
    let ends = |index: usize| dug(index) && !dug(index + 1) && !(index % 2 == 1 && dug(index + 2));
    (0..AROUND.len()).filter(|index| ends(*index)).count() > 1
}

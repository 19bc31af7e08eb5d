//! Connectivity: which squares of a map a player can reach.
//!
//! A flood fill starts at a cell and spreads to all eight neighbours through traversable features. A target counts as
//! reached if it lies in the flood or next to it, even if the target itself is not traversable. The map has an exit if
//! the flood touches a blank cell (the space character) or the outside of the grid.
//!
//! Lava is never traversable, and deep water is traversable only if the player can swim, as the game's guide says.
//! (In the current version of the game, deep water is never traversable.) The first row and the first column count like
//! all others, although the game ignores them.

use serde::{Deserialize, Serialize};

use super::glyphs::{Cell, Glyphs, SPACE};
use super::map::MapState;
use super::spec::SpecError;
use crate::design::feature::Feature;

/// Offsets (x, y) of the eight neighbours.
const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Which version of a map's rows is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// The map's current rows, with the effects of all statements so far.
    Now,
    /// The rows as written in the file, without the effects of any statement.
    Original,
}

impl Rows {
    fn glyphs(self, map: &MapState) -> Option<&Glyphs> {
        match self {
            Self::Now => Some(&map.glyphs),
            Self::Original => map.original.as_ref(),
        }
    }

    fn traversable(self, map: &MapState, cell: Cell) -> bool {
        let feature = match self {
            Self::Now => map.feature(cell.x, cell.y),
            Self::Original => map.original_feature(cell.x, cell.y),
        };
        let swims = |feature: Feature| map.can_swim && feature.name() == "deep_water";
        feature.is_some_and(|feature| feature.is_traversable() || swims(feature))
    }
}

/// The set of cells that a player can reach from a start cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flood {
    width: usize,
    reached: Vec<bool>,
    exit: bool,
}

impl Flood {
    /// Floods `map` from `start`, which counts as traversable regardless of its glyph.
    pub fn new(map: &MapState, rows: Rows, start: Cell) -> Self {
        let nothing = Glyphs::default();
        let glyphs = rows.glyphs(map).unwrap_or(&nothing);
        let mut flood = Self {
            width: glyphs.width(),
            reached: vec![false; glyphs.cells().len()],
            exit: false,
        };
        let mut wet = vec![false; glyphs.cells().len()];
        let mut open = Vec::new();
        if let Some(at) = glyphs.index(start.x, start.y) {
            wet[at] = true;
            flood.reached[at] = true;
            open.push(start);
        }
        while let Some(cell) = open.pop() {
            for (dx, dy) in AROUND {
                let next = Cell {
                    x: cell.x + dx,
                    y: cell.y + dy,
                };
                let Some(at) = glyphs
                    .index(next.x, next.y)
                    .filter(|_| glyphs.get(next.x, next.y) != SPACE)
                else {
                    flood.exit = true;
                    continue;
                };
                flood.reached[at] = true;
                if !wet[at] && rows.traversable(map, next) {
                    wet[at] = true;
                    open.push(next);
                }
            }
        }
        flood
    }

    /// Returns whether `cell` lies in the flood or beside it.
    pub fn reaches(&self, cell: Cell) -> bool {
        match (usize::try_from(cell.x), usize::try_from(cell.y)) {
            (Ok(x), Ok(y)) if x < self.width => self.reached.get(y * self.width + x).copied().unwrap_or(false),
            _ => false,
        }
    }

    /// Returns whether the flood touches a blank cell or the outside of the map.
    pub fn leaves(&self) -> bool {
        self.exit
    }
}

/// Returns the first cell that contains `glyph`, searching row by row.
fn first(map: &MapState, rows: Rows, glyph: u8) -> Result<Cell, SpecError> {
    let found = rows.glyphs(map).and_then(|glyphs| glyphs.find(glyph).next());
    found.ok_or_else(|| SpecError::new("the map has no such glyph", char::from(glyph)))
}

/// Returns whether a player can leave the map from the first cell that contains `glyph`.
///
/// # Errors
///
/// Fails if no cell contains `glyph`.
pub fn has_exit_from_glyph(map: &MapState, rows: Rows, glyph: u8) -> Result<bool, SpecError> {
    Ok(Flood::new(map, rows, first(map, rows, glyph)?).leaves())
}

/// Returns, for each glyph after the first in `glyphs`, whether a player can reach any of its cells from the first cell
/// of the first glyph.
fn reached(map: &MapState, rows: Rows, glyphs: &[u8]) -> Result<Vec<bool>, SpecError> {
    let Some((from, targets)) = glyphs.split_first() else {
        return Err(SpecError::new("name the glyphs that should be connected", ""));
    };
    let flood = Flood::new(map, rows, first(map, rows, *from)?);
    let reached = targets.iter().map(|glyph| {
        first(map, rows, *glyph)?;
        let grid = rows.glyphs(map);
        Ok(grid.is_some_and(|grid| grid.find(*glyph).any(|cell| flood.reaches(cell))))
    });
    reached.collect()
}

/// Returns whether a player can reach all the other glyphs in `glyphs` from the first cell of the first glyph.
///
/// # Errors
///
/// Fails if `glyphs` is empty or the map lacks one of them.
pub fn glyphs_connected(map: &MapState, rows: Rows, glyphs: &[u8]) -> Result<bool, SpecError> {
    Ok(reached(map, rows, glyphs)?.into_iter().all(|reached| reached))
}

/// Returns whether a player can reach at least one other glyph in `glyphs` from the first cell of the first glyph.
///
/// # Errors
///
/// Fails if `glyphs` is empty or the map lacks one of them.
pub fn any_glyph_connected(map: &MapState, rows: Rows, glyphs: &[u8]) -> Result<bool, SpecError> {
    Ok(reached(map, rows, glyphs)?.into_iter().any(|reached| reached))
}

/// Returns whether a player can reach all other cells in `points` from the first one; true if `points` is empty.
pub fn points_connected(map: &MapState, rows: Rows, points: &[Cell]) -> bool {
    points.split_first().is_none_or(|(from, targets)| {
        let flood = Flood::new(map, rows, *from);
        targets.iter().all(|target| flood.reaches(*target))
    })
}

/// Returns whether a player can reach at least one other cell in `points` from the first one.
pub fn any_point_connected(map: &MapState, rows: Rows, points: &[Cell]) -> bool {
    points.split_first().is_some_and(|(from, targets)| {
        let flood = Flood::new(map, rows, *from);
        targets.iter().any(|target| flood.reaches(*target))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;
    use crate::vault::dice::Dice;

    fn map(rows: &[&str]) -> MapState {
        let mut map = MapState::new("test");
        for row in rows {
            map.add_row(row.as_bytes());
        }
        map.pad();
        map
    }

    fn exit(rows: &[&str], glyph: u8) -> bool {
        has_exit_from_glyph(&map(rows), Rows::Now, glyph).expect("the glyph is there")
    }

    #[test]
    fn the_example_of_the_game_s_guide_is_connected_as_described() {
        assert!(
            !exit(&["xxxxxx", "x{.+.c", "x..+>x", "xxxxxx"], b'{'),
            "the wall at c shuts it"
        );
        assert!(exit(&["xxxxxx", "x{.+..", "x..+>x", "xxxxxx"], b'{'));
        assert!(
            !exit(&["xxxxxx", "x{w+..", "xwww>x", "xxxxxx"], b'{'),
            "deep water is not traversable"
        );
        let mut wet = map(&["xxxxxx", "x{w+..", "xwwl>x", "xxxxxx"]);
        assert_eq!(has_exit_from_glyph(&wet, Rows::Now, b'{'), Ok(false));
        wet.can_swim = true;
        assert_eq!(
            has_exit_from_glyph(&wet, Rows::Now, b'{'),
            Ok(true),
            "a swimmer crosses water"
        );
        assert_eq!(glyphs_connected(&wet, Rows::Now, b"{>"), Ok(true));
        let open = map(&["xxxxxx", "x{.+..", "x..+>x", "xxxxxx"]);
        assert_eq!(glyphs_connected(&open, Rows::Now, b"{>"), Ok(true));
    }

    #[test]
    fn the_first_row_and_column_count_too() {
        assert!(exit(&["..", ".<"], b'<'));
        assert!(exit(&["xx.xx", "x...x", "xxxxx"], b'.'));
        assert!(exit(&["xxx", "..x", "xxx"], b'.'));
    }

    #[test]
    fn spaces_are_the_outside() {
        assert!(exit(&["xxxxx", "x. <x", "xxxxx"], b'<'));
        assert!(!exit(&["xxxxx", "x..<x", "xxxxx"], b'<'));
        // The flood spreads diagonally.
        assert!(exit(&["xxxx", "x<xx", "xx x", "xxxx"], b'<'));
    }

    #[test]
    fn targets_count_when_ground_beside_them_is_reached() {
        let map = map(&["xxxxxxx", "x<.Gx>x", "xxxxx.x", "xxxxxxx"]);
        assert_eq!(
            glyphs_connected(&map, Rows::Now, b"<G"),
            Ok(true),
            "no player can stand on a statue"
        );
        assert_eq!(glyphs_connected(&map, Rows::Now, b"<>"), Ok(false));
        assert_eq!(glyphs_connected(&map, Rows::Now, b"<G>"), Ok(false));
        assert_eq!(any_glyph_connected(&map, Rows::Now, b"<G>"), Ok(true));
        assert_eq!(any_glyph_connected(&map, Rows::Now, b"<>"), Ok(false));
        assert!(glyphs_connected(&map, Rows::Now, b"<Z").is_err());
        assert!(has_exit_from_glyph(&map, Rows::Now, b'Z').is_err());
        assert!(glyphs_connected(&map, Rows::Now, b"").is_err());
        let points = [Cell { x: 1, y: 1 }, Cell { x: 3, y: 1 }, Cell { x: 5, y: 1 }];
        assert!(!points_connected(&map, Rows::Now, &points) && points_connected(&map, Rows::Now, &points[..2]));
        assert!(any_point_connected(&map, Rows::Now, &points));
        assert!(!any_point_connected(
            &map,
            Rows::Now,
            &[points[0], Cell { x: 99, y: -1 }]
        ));
    }

    #[test]
    fn the_original_rows_are_searched_separately() {
        let mut map = map(&["xxxx", "x<.x", "xAxx", "xxxx"]);
        map.subst(b"A = ., x = .", &mut Dice::new(Key::new(1)))
            .expect("a statement");
        assert_eq!(has_exit_from_glyph(&map, Rows::Now, b'<'), Ok(true));
        assert_eq!(has_exit_from_glyph(&map, Rows::Original, b'<'), Ok(false));
        assert_eq!(glyphs_connected(&map, Rows::Original, b"<A"), Ok(true));
        assert!(glyphs_connected(&map, Rows::Now, b"<A").is_err());
        // A `KFEAT` statement on a glyph applies to the original rows as well.
        map.kfeat(b"x = floor", &mut Dice::new(Key::new(1)))
            .expect("a statement");
        assert_eq!(has_exit_from_glyph(&map, Rows::Original, b'<'), Ok(true));
    }

    #[test]
    fn statements_determine_which_cells_are_traversable() {
        for (feature, open) in [
            ("floor", true),
            ("closed_door", true),
            ("runed_door", true),
            ("sealed_door", false),
            ("trap_net", true),
            ("trap_teleport", false),
            ("lava", false),
        ] {
            let mut map = map(&["xxx", "<Ax", "xxx"]);
            map.glyphs.set(2, 1, b'.');
            map.kfeat(format!("A = {feature}").as_bytes(), &mut Dice::new(Key::new(1)))
                .expect("a statement");
            let flood = Flood::new(&map, Rows::Now, Cell { x: 0, y: 1 });
            assert_eq!(flood.reaches(Cell { x: 2, y: 1 }), open, "{feature}");
            assert!(flood.reaches(Cell { x: 1, y: 1 }), "beside the start");
        }
    }

    /// Computes the reached cells and the exit by brute force: extends the flood until it no longer changes.
    fn brute(map: &MapState, start: Cell) -> (Vec<bool>, bool) {
        let cells: Vec<Cell> = (0..map.glyphs.cells().len()).map(|at| map.glyphs.cell(at)).collect();
        let near = |a: Cell, b: Cell| (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1;
        let mut ground: Vec<bool> = cells.iter().map(|cell| *cell == start).collect();
        loop {
            let grown: Vec<bool> = cells
                .iter()
                .enumerate()
                .map(|(at, cell)| {
                    let open = map.feature(cell.x, cell.y).is_some_and(Feature::is_traversable);
                    ground[at]
                        || open
                            && cells
                                .iter()
                                .zip(&ground)
                                .any(|(other, wet)| *wet && near(*cell, *other))
                })
                .collect();
            if grown == ground {
                break;
            }
            ground = grown;
        }
        let beside = |cell: &Cell| {
            cells
                .iter()
                .zip(&ground)
                .any(|(other, wet)| *wet && near(*cell, *other))
        };
        let edge = |cell: &Cell| {
            AROUND
                .iter()
                .any(|(dx, dy)| map.feature(cell.x + dx, cell.y + dy).is_none())
        };
        let leaves = cells.iter().zip(&ground).any(|(cell, wet)| *wet && edge(cell));
        (
            cells
                .iter()
                .map(|cell| beside(cell) && map.feature(cell.x, cell.y).is_some())
                .collect(),
            leaves,
        )
    }

    #[test]
    fn floods_agree_with_a_brute_force_search() {
        let mut seen = [0; 2];
        for seed in 0..400 {
            let mut dice = Dice::new(Key::new(seed));
            let (width, height) = (dice.range(1, 12) as usize, dice.range(1, 12) as usize);
            let mut map = MapState::new("random");
            for _ in 0..height {
                let glyph = |dice: &mut Dice| match dice.below(100) {
                    0 => b' ',
                    n if n < 70 => b'x',
                    n => b"..+=wWGT~"[n as usize % 9],
                };
                let row: Vec<u8> = (0..width).map(|_| glyph(&mut dice)).collect();
                map.add_row(&row);
            }
            map.pad();
            map.kfeat(b"~ = trap_teleport / sealed_door / runed_door / trap_net", &mut dice)
                .expect("a statement");
            map.fixup(&mut dice);
            let start = map.glyphs.cell(dice.index(width * height));
            if map.feature(start.x, start.y).is_none() {
                continue;
            }
            let flood = Flood::new(&map, Rows::Now, start);
            let (reached, leaves) = brute(&map, start);
            for (at, expected) in reached.iter().enumerate() {
                assert_eq!(flood.reaches(map.glyphs.cell(at)), *expected, "seed {seed}, cell {at}");
            }
            assert_eq!(flood.leaves(), leaves, "seed {seed}");
            seen[usize::from(leaves)] += 1;
        }
        assert!(seen.iter().all(|n| *n > 40), "both answers come up: {seen:?}");
    }
}

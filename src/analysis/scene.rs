//! The parts of a dungeon that are defined by the design but not stored in the grid: the squares of rooms and vaults,
//! the entrance, the exit and the named places.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::design::ValidDesign;
use crate::design::expect::PlaceName;
use crate::engine::stage_one::{self, BuiltRoom};
use crate::geometry::{Point, Size};

/// The parts of a dungeon that the metrics refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scene {
    /// Square of the entrance; `None` to use the open square nearest to the top left corner.
    pub entrance: Option<Point>,
    /// Square of the exit; `None` to use the open square nearest to the bottom right corner.
    pub exit: Option<Point>,
    /// Squares of the design's rooms.
    pub rooms: Vec<Ground>,
    /// Squares of the design's vaults.
    pub vaults: Vec<Ground>,
    /// The design's places that have a usable name, each with its square; `None` if the place's room or vault is not in
    /// the dungeon.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<(PlaceName, Option<Point>)>,
}

/// The squares of a room or vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ground {
    /// Name of the vault's map; empty for rooms.
    pub name: String,
    /// Squares between a room's walls, or all squares of a vault, row by row; empty if the room or vault is not in the
    /// dungeon.
    pub squares: Vec<Point>,
}

impl Ground {
    /// Returns whether the room or vault is placed in the dungeon.
    pub fn is_placed(&self) -> bool {
        !self.squares.is_empty()
    }

    /// Returns the squares as rectangles, clipped to a dungeon of the given size. Each stretch of squares in a row is a
    /// rectangle; stretches in neighbouring rows are merged if they span the same columns.
    pub(super) fn rectangles(&self, size: Size) -> Vec<Rectangle> {
        let mut all: Vec<Rectangle> = Vec::new();
        for stretch in self.squares.chunk_by(|a, b| a.x == b.x && a.y + 1 == b.y) {
            let (Point { x, y: from }, to) = (stretch[0], stretch[0].y + stretch.len() as i32);
            let columns = from.max(0) as usize..to.clamp(0, size.y) as usize;
            if !(0..size.x).contains(&x) || columns.is_empty() {
                continue;
            }
            let row = x as usize;
            match all.last_mut() {
                Some(last) if last.columns == columns && last.rows.end == row => last.rows.end += 1,
                _ => all.push(Rectangle {
                    rows: row..row + 1,
                    columns,
                }),
            }
        }
        all
    }
}

/// A rectangle of squares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}

impl Rectangle {
    /// Returns whether the rectangle contains a square.
    pub(super) fn contains(&self, at: Point) -> bool {
        self.rows.contains(&(at.x as usize)) && self.columns.contains(&(at.y as usize))
    }
}

impl Scene {
    /// Returns the scene of a design. The rooms are the same for every seed; the vaults are those of the design's own
    /// seed.
    pub fn new(design: &ValidDesign) -> Self {
        Self::of(design, &stage_one::build(design).rooms)
    }

    /// Returns the scene of a design with the rooms that stage one built.
    pub(crate) fn of(design: &ValidDesign, rooms: &[BuiltRoom]) -> Self {
        let mut scene = Self {
            entrance: design.expect.entrance,
            exit: design.expect.exit,
            rooms: vec![Ground::default(); design.layout.rooms.len()],
            vaults: Vec::new(),
            places: Vec::new(),
        };
        for room in rooms {
            if let Some(ground) = scene.rooms.get_mut(room.index) {
                let reach = room.width;
                let rows = room.center.x - reach..=room.center.x + reach;
                let columns = room.center.y - reach..=room.center.y + reach;
                ground.squares = rows
                    .flat_map(|x| columns.clone().map(move |y| Point::new(x, y)))
                    .collect();
            }
        }
        scene.set_vaults(design);
        scene
    }

    /// Replaces the vaults with those of `design`, the same design with vaults placed for another seed, and updates the
    /// named places.
    pub fn set_vaults(&mut self, design: &ValidDesign) {
        self.vaults.clear();
        self.vaults.resize(design.layout.vaults.len(), Ground::default());
        for piece in design.placed() {
            if let Some(ground) = self.vaults.get_mut(piece.vault) {
                ground.name.clone_from(&piece.name);
                ground.squares = piece.features().map(|(at, _)| at).collect();
            }
        }
        // The centre of a room is the middle one of its squares.
        let center = |index: usize| {
            let squares = &self.rooms.get(index)?.squares;
            squares.get(squares.len() / 2).copied()
        };
        let corner = |index: usize| {
            design
                .placed()
                .iter()
                .find(|piece| piece.vault == index)
                .map(|piece| piece.at)
        };
        let places = design.layout.places.iter();
        let named = places.filter_map(|place| Some((PlaceName::new(&place.name)?, place.square(center, corner))));
        self.places = named.collect();
    }

    /// Returns, for each square, row by row, whether it belongs to a vault; empty if no square does.
    pub(super) fn vaulted(&self, size: Size) -> Vec<bool> {
        let squares = self.vaults.iter().flat_map(|ground| &ground.squares);
        let mut vaulted = Vec::new();
        for index in squares.filter_map(|at| size.index(*at)) {
            if vaulted.is_empty() {
                vaulted.resize(size.squares() as usize, false);
            }
            vaulted[index] = true;
        }
        vaulted
    }
}

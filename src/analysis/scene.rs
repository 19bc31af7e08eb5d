//! What the design says about a dungeon that its squares do not tell: where its rooms and vaults are, and where one
//! enters and leaves it.

use serde::{Deserialize, Serialize};

use crate::design::{Design, PlacedVault, ValidDesign, standing};
use crate::engine::stage_one;
use crate::geometry::{Point, Size};

/// The parts of a dungeon that a judgement speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scene {
    /// Where it is entered; `None` for the open square nearest the left top corner.
    pub entrance: Option<Point>,
    /// Where it is left; `None` for the open square nearest the right bottom corner.
    pub exit: Option<Point>,
    /// The design's rooms.
    pub rooms: Vec<Ground>,
    /// The design's vaults.
    pub vaults: Vec<Ground>,
}

/// The squares of a room or vault.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ground {
    /// The map's name; rooms have none.
    pub name: String,
    /// A room's squares between its walls, or all squares of a vault, row by row; none where it does not stand.
    pub squares: Vec<Point>,
}

impl Ground {
    /// Whether it stands in the dungeon.
    pub fn stands(&self) -> bool {
        !self.squares.is_empty()
    }
}

impl Scene {
    /// The scene of a design. The rooms that stand are the same for every seed; the vaults are those of this one.
    pub fn new(design: &ValidDesign) -> Self {
        let mut scene = Self {
            entrance: design.expect.entrance,
            exit: design.expect.exit,
            rooms: vec![Ground::default(); design.layout.rooms.len()],
            vaults: Vec::new(),
        };
        for room in stage_one::build(design).rooms {
            if let Some(ground) = scene.rooms.get_mut(room.index) {
                let reach = room.width;
                let rows = room.center.x - reach..=room.center.x + reach;
                let columns = room.center.y - reach..=room.center.y + reach;
                ground.squares = rows
                    .flat_map(|x| columns.clone().map(move |y| Point::new(x, y)))
                    .collect();
            }
        }
        scene.set_vaults(design, design.pieces());
        scene
    }

    /// Takes the vaults of another seed.
    pub fn set_vaults(&mut self, design: &Design, pieces: &[PlacedVault]) {
        self.vaults.clear();
        self.vaults.resize(design.layout.vaults.len(), Ground::default());
        for piece in standing(pieces, design.layout.size).0 {
            if let Some(ground) = self.vaults.get_mut(piece.vault) {
                ground.name.clone_from(&piece.name);
                ground.squares = piece.features().map(|(at, _)| at).collect();
            }
        }
    }

    /// Whether a vault takes each square; empty when none does.
    pub(super) fn vaulted(&self, size: Size) -> Vec<bool> {
        let squares = self.vaults.iter().flat_map(|ground| &ground.squares);
        let mut vaulted = Vec::new();
        for at in squares.filter(|at| size.contains(**at)) {
            if vaulted.is_empty() {
                vaulted.resize(size.squares() as usize, false);
            }
            vaulted[at.x as usize * size.y as usize + at.y as usize] = true;
        }
        vaulted
    }
}

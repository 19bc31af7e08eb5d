//! Mirrors and rotations of a whole map, with all that lies on its cells.

use super::MapState;
use crate::vault::dice::Dice;
use crate::vault::glyphs::Turn;
use crate::vault::spec::Orient;

/// The longest side of a map that may be rotated: the shorter side of a level.
const ROTATION_LIMIT: usize = 70;

impl MapState {
    /// Turns the map over or around. The original rows stay as they are.
    pub fn turn(&mut self, turn: Turn) {
        let (width, height) = (self.glyphs.width(), self.glyphs.height());
        self.drawn.turn(&self.glyphs, turn);
        self.looks.turn(&self.glyphs, turn);
        self.props.turn(&self.glyphs, turn);
        self.frozen.turn(&self.glyphs, turn);
        for marker in &mut self.markers {
            marker.cell = turn.place(width, height, marker.cell);
        }
        self.glyphs.turn(turn);
        self.orient = self.orient.map(|orient| turned(orient, turn));
    }

    /// Whether the map's tags allow a turn.
    pub fn may_turn(&self, turn: Turn) -> bool {
        match turn {
            Turn::MirrorHorizontal => !self.tags.has("no_hmirror"),
            Turn::MirrorVertical => !self.tags.has("no_vmirror"),
            Turn::Clockwise | Turn::CounterClockwise => !self.tags.has("no_rotate"),
        }
    }

    /// After validation: each mirror that is allowed every second time, and every second time a rotation,
    /// either way, if it is allowed and no side is longer than the shorter side of a level.
    pub fn random_turns(&mut self, dice: &mut Dice) {
        for mirror in [Turn::MirrorHorizontal, Turn::MirrorVertical] {
            if self.may_turn(mirror) && dice.coinflip() {
                self.turn(mirror);
            }
        }
        let fits = self.glyphs.width() <= ROTATION_LIMIT && self.glyphs.height() <= ROTATION_LIMIT;
        if fits && self.may_turn(Turn::Clockwise) && dice.coinflip() {
            self.turn(if dice.coinflip() {
                Turn::Clockwise
            } else {
                Turn::CounterClockwise
            });
        }
    }
}

/// The side of the level that a turned map looks to.
fn turned(orient: Orient, turn: Turn) -> Orient {
    use Orient::{Centre, East, Encompass, Float, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    match turn {
        Turn::MirrorHorizontal => match orient {
            East => West,
            West => East,
            NorthEast => NorthWest,
            NorthWest => NorthEast,
            SouthEast => SouthWest,
            SouthWest => SouthEast,
            North | South | Centre | Encompass | Float => orient,
        },
        Turn::MirrorVertical => match orient {
            North => South,
            South => North,
            NorthEast => SouthEast,
            SouthEast => NorthEast,
            NorthWest => SouthWest,
            SouthWest => NorthWest,
            East | West | Centre | Encompass | Float => orient,
        },
        Turn::Clockwise => match orient {
            North => East,
            East => South,
            South => West,
            West => North,
            NorthEast => SouthEast,
            SouthEast => SouthWest,
            SouthWest => NorthWest,
            NorthWest => NorthEast,
            Centre | Encompass | Float => orient,
        },
        Turn::CounterClockwise => {
            let thrice = [Turn::Clockwise; 3];
            thrice.into_iter().fold(orient, turned)
        }
    }
}

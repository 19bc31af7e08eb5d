//! Reflections and rotations of a whole map, including the contents of its cells.

use super::MapState;
use crate::vault::dice::Dice;
use crate::vault::glyphs::Turn;
use crate::vault::spec::Orient;

/// Maximum number of rows and of columns of a map that may be rotated: the height of a level, which is its shorter
/// side.
const ROTATION_LIMIT: usize = 70;

impl MapState {
    /// Mirrors or rotates the map, except the copy of its grid in `original`.
    pub fn turn(&mut self, turn: Turn) {
        let (width, height) = (self.glyphs.width(), self.glyphs.height());
        self.drawn.turn(&self.glyphs, turn);
        self.appearances.turn(&self.glyphs, turn);
        self.props.turn(&self.glyphs, turn);
        self.frozen.turn(&self.glyphs, turn);
        for marker in &mut self.markers {
            marker.cell = turn.place(width, height, marker.cell);
        }
        for statement in self.history.iter_mut().flatten() {
            statement.turn(turn);
        }
        self.glyphs.turn(turn);
        self.orient = self.orient.map(|orient| turned(orient, turn));
    }

    /// Returns whether the map's tags allow a reflection or rotation.
    pub fn may_turn(&self, turn: Turn) -> bool {
        match turn {
            Turn::MirrorHorizontal => !self.tags.has("no_hmirror"),
            Turn::MirrorVertical => !self.tags.has("no_vmirror"),
            Turn::Clockwise | Turn::CounterClockwise => !self.tags.has("no_rotate"),
        }
    }

    /// Mirrors and rotates a validated map at random. Applies each allowed reflection with probability one half.
    /// Also rotates the map with probability one half, in a random direction, if rotation is allowed and neither side
    /// of the map is longer than the shorter side of a level.
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

/// Returns the side or corner of the level where a map is placed after it is mirrored or rotated. Orientations that are
/// neither sides nor corners stay unchanged.
fn turned(orient: Orient, turn: Turn) -> Orient {
    let Some((_, (x, y))) = SIDES.iter().find(|(side, _)| *side == orient) else {
        return orient;
    };
    let (x, y) = match turn {
        Turn::MirrorHorizontal => (-x, *y),
        Turn::MirrorVertical => (*x, -y),
        Turn::Clockwise => (-y, *x),
        Turn::CounterClockwise => (*y, -x),
    };
    let there = SIDES.iter().find(|(_, direction)| *direction == (x, y));
    there.map_or(orient, |(side, _)| *side)
}

/// The sides and corners of a level, each with the direction from the middle towards it, as (columns to the right, rows
/// downward).
const SIDES: [(Orient, (i8, i8)); 8] = [
    (Orient::North, (0, -1)),
    (Orient::NorthEast, (1, -1)),
    (Orient::East, (1, 0)),
    (Orient::SouthEast, (1, 1)),
    (Orient::South, (0, 1)),
    (Orient::SouthWest, (-1, 1)),
    (Orient::West, (-1, 0)),
    (Orient::NorthWest, (-1, -1)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_turn_with_the_map() {
        for (turn, from, to) in [
            (Turn::MirrorHorizontal, Orient::NorthEast, Orient::NorthWest),
            (Turn::MirrorHorizontal, Orient::North, Orient::North),
            (Turn::MirrorVertical, Orient::SouthWest, Orient::NorthWest),
            (Turn::Clockwise, Orient::North, Orient::East),
            (Turn::Clockwise, Orient::SouthEast, Orient::SouthWest),
            (Turn::CounterClockwise, Orient::North, Orient::West),
            (Turn::Clockwise, Orient::Centre, Orient::Centre),
            (Turn::MirrorVertical, Orient::Encompass, Orient::Encompass),
        ] {
            assert_eq!(turned(from, turn), to, "{from:?} {turn:?}");
            assert_eq!(turned(to, turn.inverse()), from, "{to:?} {turn:?}");
        }
    }
}

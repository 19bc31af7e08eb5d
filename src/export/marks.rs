//! Marks on maps: doors, entrance, exit and named places are squares in colours of their own; room numbers and
//! coordinates are labels.

use serde::{Deserialize, Serialize};

use super::DungeonView;
use crate::geometry::{Point, Size};

/// Distance in squares from one coordinate label to the next along an edge.
const APART: i32 = 10;

/// Font size of room numbers, in squares.
const NUMBER: i32 = 3;

/// Height of digits as a fraction of the font size.
pub(super) const DIGIT: f64 = 0.7;

/// Width of the line that outlines labels, as a fraction of the font size. The digits are painted over the inner half
/// of the line.
pub(super) const OUTLINE: f64 = 0.2;

/// The marks that pictures, pages and animations show besides the tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MapMarks {
    /// Nothing.
    None,
    /// The doors of rooms and vaults.
    Doors,
    /// Doors, entrance, exit, named places, room numbers and coordinates.
    All,
}

impl MapMarks {
    /// Every value with its name.
    pub const ALL: [(Self, &'static str); 3] = [(Self::None, "none"), (Self::Doors, "doors"), (Self::All, "all")];

    /// Returns the name of the value, as in [`Self::ALL`] and on the command line.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(own, _)| *own == self)
            .map_or("", |(_, name)| name)
    }
}

/// A marked square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SquareMark {
    Door,
    Entrance,
    Exit,
    Place,
}

/// Returns the open squares that have a mark. A square may occur several times; its last mark applies.
pub(super) fn squares(dungeon: &DungeonView<'_>, marks: MapMarks) -> Vec<(Point, SquareMark)> {
    let mut open = candidates(dungeon, marks);
    open.retain(|(at, _)| dungeon.is_open(*at));
    open
}

/// Returns all squares that can have a mark, whether or not they are open now. A mark is shown only while its square is
/// open. A square may occur several times; its last mark applies.
pub(super) fn candidates(dungeon: &DungeonView<'_>, marks: MapMarks) -> Vec<(Point, SquareMark)> {
    if marks == MapMarks::None {
        return Vec::new();
    }
    let doors = dungeon.doors().iter().flat_map(|door| &door.squares);
    let mut all: Vec<(Point, SquareMark)> = doors.map(|at| (*at, SquareMark::Door)).collect();
    if marks == MapMarks::All {
        let metrics = dungeon.metrics();
        all.extend(dungeon.places().map(|(_, at)| (at, SquareMark::Place)));
        all.extend(metrics.entrance.map(|at| (at, SquareMark::Entrance)));
        all.extend(metrics.exit.map(|at| (at, SquareMark::Exit)));
    }
    all
}

/// A short text on the map, drawn in the text colour and outlined in the background colour, so that it is readable on
/// squares of any colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    /// Square of the label: room numbers are centred on it, and a coordinate begins at its left edge.
    pub(super) at: Point,
    pub(super) text: String,
    /// Whether the label contains room numbers; otherwise it is a coordinate on the outer wall.
    pub(super) is_room: bool,
}

impl Label {
    /// Returns the font size in squares.
    pub(super) fn font_size(&self) -> f64 {
        if self.is_room { f64::from(NUMBER) } else { 1.0 }
    }

    /// Returns the distances of the text from the left and the upper edge of a map, given the size of the map in
    /// squares, the side length of a square, and the width and height of the text. At an edge of the map the text is
    /// moved inward, so that it is not cut off.
    pub(super) fn place(&self, map: Size, square: f64, [width, height]: [f64; 2]) -> [f64; 2] {
        let middle = |at: i32| (f64::from(at) + 0.5) * square;
        let left = if self.is_room {
            middle(self.at.y) - width / 2.0
        } else {
            (f64::from(self.at.y) + 0.1) * square
        };
        let top = middle(self.at.x) - height / 2.0;
        let inside = |from: f64, length: f64, squares: i32| from.min(f64::from(squares) * square - length).max(0.0);
        [inside(left, width, map.y), inside(top, height, map.x)]
    }
}

/// Returns the labels for [`MapMarks::All`]: the room numbers, and the number of every tenth row and column. Rooms
/// whose centres are close together, such as nested rooms, share a label. Other values of `marks` have no labels.
pub(super) fn labels(dungeon: &DungeonView<'_>, marks: MapMarks) -> Vec<Label> {
    if marks != MapMarks::All {
        return Vec::new();
    }
    let mut labels: Vec<Label> = Vec::new();
    for room in dungeon.rooms() {
        let (at, number) = (room.center, (room.index + 1).to_string());
        let is_near = |label: &&mut Label| (label.at.x - at.x).abs().max((label.at.y - at.y).abs()) < NUMBER;
        if let Some(label) = labels.iter_mut().find(is_near) {
            label.text.push(' ');
            label.text.push_str(&number);
        } else {
            labels.push(Label {
                at,
                text: number,
                is_room: true,
            });
        }
    }
    let size = dungeon.size();
    let coordinate = |at: Point, number: i32| Label {
        at,
        text: number.to_string(),
        is_room: false,
    };
    let columns = (0..size.y)
        .step_by(APART as usize)
        .map(|y| coordinate(Point::new(0, y), y));
    let rows = (0..size.x).step_by(APART as usize).skip(1);
    let rows = rows.map(|x| coordinate(Point::new(x, 0), x));
    labels.extend(columns.chain(rows));
    labels
}

#[cfg(test)]
mod tests {
    use super::super::grown_keep;
    use super::*;

    #[test]
    fn nested_rooms_share_a_label() {
        let (design, recording) = grown_keep();
        let dungeon = DungeonView::new(&design, &recording, recording.turns());
        let labels = labels(&dungeon, MapMarks::All);
        let rooms: Vec<&Label> = labels.iter().filter(|label| label.is_room).collect();
        assert_eq!(rooms.len(), 1, "{rooms:?}");
        assert_eq!((rooms[0].at, &*rooms[0].text), (Point::new(27, 55), "1 2 3"));
    }

    #[test]
    fn labels_at_the_edge_of_the_map_are_moved_inward() {
        let map = Size::new(30, 102);
        let label = |at, is_room| Label {
            at,
            text: "100".into(),
            is_room,
        };
        let column = label(Point::new(0, 100), false);
        let room = label(Point::new(28, 1), true);
        let place = |label: &Label, sides: [f64; 2]| label.place(map, 10.0, sides).map(|length| length.round() as i32);
        assert_eq!(place(&column, [20.0, 6.0]), [1000, 2]);
        assert_eq!(place(&column, [36.0, 14.0]), [984, 0]);
        assert_eq!(place(&room, [50.0, 20.0]), [0, 275]);
        assert_eq!(place(&room, [20.0, 40.0]), [5, 260]);
    }
}

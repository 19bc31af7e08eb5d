//! Boxes, circles and other shapes.

use super::{AROUND, Area, BESIDE, GlyphSet, at, near};
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};

/// Extends the grid to the right and downward to at least this size, filling new cells with `fill`.
pub fn extend_map(glyphs: &mut Glyphs, width: i32, height: i32, fill: u8) {
    let side = |length: i32| usize::try_from(length).unwrap_or(0);
    glyphs.extend(side(width), side(height), fill);
}

/// Fills an area with `fill`. If `border` is given, the outermost cells get that glyph instead.
pub fn fill_area(glyphs: &mut Glyphs, area: Area, fill: u8, border: Option<u8>) {
    for cell in area.cells(glyphs) {
        let (columns, rows) = area.depth(cell);
        let glyph = border.filter(|_| columns.min(rows) == 0).unwrap_or(fill);
        glyphs.set(cell.x, cell.y, glyph);
    }
}

/// Draws a room: walls `thickness` cells thick, with floor inside.
pub fn make_box(glyphs: &mut Glyphs, area: Area, wall: u8, floor: u8, thickness: i32) {
    for cell in area.cells(glyphs) {
        let (columns, rows) = area.depth(cell);
        let outer = columns.min(rows) < i64::from(thickness);
        glyphs.set(cell.x, cell.y, if outer { wall } else { floor });
    }
}

/// Adds up to `number` doors to the sides of a box, never in a corner or beside another door. Returns the number of
/// added doors.
pub fn add_box_doors(glyphs: &mut Glyphs, area: Area, door: u8, number: i32, dice: &mut Dice) -> i32 {
    let side = |cell: &Cell| {
        let (columns, rows) = area.depth(*cell);
        (columns == 0) != (rows == 0)
    };
    let places: Vec<Cell> = area.cells(glyphs).filter(side).collect();
    add_doors(glyphs, places, door, number, dice)
}

/// Adds up to `number` doors on random cells from a list, never beside another door. Returns the number of added doors.
fn add_doors(glyphs: &mut Glyphs, mut places: Vec<Cell>, door: u8, number: i32, dice: &mut Dice) -> i32 {
    dice.shuffle(&mut places);
    let mut made = 0;
    for cell in places {
        if made >= number {
            break;
        }
        if !near(glyphs, cell, &BESIDE).any(|next| at(glyphs, next) == door) {
            glyphs.set(cell.x, cell.y, door);
            made += 1;
        }
    }
    made
}

/// A shape around a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The cells within a straight-line distance of the centre.
    Circle,
    /// The cells within a given number of steps of the centre, along columns and rows.
    Diamond,
    /// A box with equal sides.
    Square,
    /// A square without its corners.
    RoundedSquare,
}

impl Shape {
    fn holds(self, dx: i64, dy: i64, radius: i64) -> bool {
        let (dx, dy) = (dx.abs(), dy.abs());
        match self {
            // Enlarging the radius by half a cell makes small circles look round.
            Self::Circle => dx * dx + dy * dy <= radius * radius + radius,
            Self::Diamond => dx + dy <= radius,
            Self::Square => dx.max(dy) <= radius,
            Self::RoundedSquare => dx.max(dy) <= radius && dx + dy <= radius + radius * 2 / 3,
        }
    }
}

/// Fills a shape around a cell; a negative radius draws nothing.
pub fn make_shape(glyphs: &mut Glyphs, shape: Shape, centre: Cell, radius: i32, fill: u8) {
    let area = Area {
        x1: centre.x.saturating_sub(radius),
        y1: centre.y.saturating_sub(radius),
        x2: centre.x.saturating_add(radius),
        y2: centre.y.saturating_add(radius),
    };
    for cell in area.cells(glyphs) {
        let (dx, dy) = (
            i64::from(cell.x) - i64::from(centre.x),
            i64::from(cell.y) - i64::from(centre.y),
        );
        if shape.holds(dx, dy, i64::from(radius)) {
            glyphs.set(cell.x, cell.y, fill);
        }
    }
}

/// The glyphs of a room and the maximum number of its doors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Glyph of the walls.
    pub wall: u8,
    /// Glyph of the floor.
    pub floor: u8,
    /// Glyph of the doors.
    pub door: u8,
    /// Maximum number of doors.
    pub doors: i32,
}

/// A distance greater than the size of any grid.
const FAR: i32 = 1 << 20;

/// Draws an oval room that just fits into an area. Returns the number of its doors.
pub fn make_round_box(glyphs: &mut Glyphs, area: Area, room: &Room, dice: &mut Dice) -> i32 {
    // No grid reaches beyond these bounds, and the products of numbers within them do not overflow.
    let area = Area {
        x1: area.x1.max(-FAR),
        y1: area.y1.max(-FAR),
        x2: area.x2.min(FAR),
        y2: area.y2.min(FAR),
    };
    // Distances from the middle of the area are counted in half cells, so that they are whole numbers.
    let span = |low: i32, high: i32| i128::from(high) - i128::from(low) + 1;
    let (width, height) = (span(area.x1, area.x2), span(area.y1, area.y2));
    let holds = |cell: Cell| {
        let dx = 2 * i128::from(cell.x) - i128::from(area.x1) - i128::from(area.x2);
        let dy = 2 * i128::from(cell.y) - i128::from(area.y1) - i128::from(area.y2);
        area.holds(cell) && dx * dx * height * height + dy * dy * width * width <= width * width * height * height
    };
    draw_room(glyphs, area, holds, *room, dice)
}

/// The indentation of the sides of an irregular room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ragged {
    /// Number of segments into which the upper and lower sides are divided.
    pub div_x: i32,
    /// Number of segments into which the left and right sides are divided.
    pub div_y: i32,
    /// Maximum indentation of the left and right sides, in columns.
    pub in_x: i32,
    /// Maximum indentation of the upper and lower sides, in rows.
    pub in_y: i32,
}

/// Draws a room whose sides consist of segments, each indented by a random depth. Returns the number of its doors.
pub fn make_irregular_box(glyphs: &mut Glyphs, area: Area, ragged: &Ragged, room: &Room, dice: &mut Dice) -> i32 {
    let length = |low: i32, high: i32| high.saturating_sub(low).saturating_add(1);
    let (width, height) = (length(area.x1, area.x2), length(area.y1, area.y2));
    // No side has more segments than cells, or is indented beyond the middle.
    let mut side = |pieces: i32, length: i32, depth: i32, across: i32| -> Vec<i32> {
        let depth = depth.min(across.saturating_sub(2) / 2).max(0);
        let pieces = pieces.clamp(1, length.clamp(1, 1 << 10));
        (0..pieces).map(|_| dice.range(0, depth)).collect()
    };
    let top = side(ragged.div_x, width, ragged.in_y, height);
    let bottom = side(ragged.div_x, width, ragged.in_y, height);
    let left = side(ragged.div_y, height, ragged.in_x, width);
    let right = side(ragged.div_y, height, ragged.in_x, width);
    let piece = |side: &[i32], from: i64, length: i32| {
        let index = from * side.len() as i64 / i64::from(length.max(1));
        usize::try_from(index)
            .ok()
            .and_then(|index| side.get(index))
            .copied()
            .map_or(0, i64::from)
    };
    let holds = |cell: Cell| {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (dx, dy) = (x - i64::from(area.x1), y - i64::from(area.y1));
        area.holds(cell)
            && dy >= piece(&top, dx, width)
            && i64::from(area.y2) - y >= piece(&bottom, dx, width)
            && dx >= piece(&left, dy, height)
            && i64::from(area.x2) - x >= piece(&right, dy, height)
    };
    draw_room(glyphs, area, holds, *room, dice)
}

/// Draws a room from the cells of an area for which `holds` returns `true`. Returns the number of its doors.
fn draw_room(glyphs: &mut Glyphs, area: Area, holds: impl Fn(Cell) -> bool, room: Room, dice: &mut Dice) -> i32 {
    let step = |cell: Cell, (dx, dy): (i32, i32)| Cell {
        x: cell.x.saturating_add(dx),
        y: cell.y.saturating_add(dy),
    };
    let inner = |cell: Cell| AROUND.iter().all(|way| holds(step(cell, *way)));
    let mut places = Vec::new();
    for cell in area.cells(glyphs).filter(|cell| holds(*cell)) {
        if inner(cell) {
            glyphs.set(cell.x, cell.y, room.floor);
        } else {
            glyphs.set(cell.x, cell.y, room.wall);
            // A door leads straight from the floor to the outside.
            let leads = |(dx, dy): (i32, i32)| {
                let within = step(cell, (dx, dy));
                holds(within) && inner(within) && !holds(step(cell, (-dx, -dy)))
            };
            if BESIDE.iter().any(|way| leads(*way)) {
                places.push(cell);
            }
        }
    }
    add_doors(glyphs, places, room.door, room.doors, dice)
}

/// Draws a room with eight sides: a box with obliquely cut corners. Each cut removes `oblique` cells from each of
/// the two sides that meet at the corner.
///
/// The corners that are cut off get the glyph `outside`; `None` leaves them unchanged. If `replace` is given, only
/// cells with one of its glyphs are painted over.
pub fn octa_room(
    glyphs: &mut Glyphs,
    area: Area,
    oblique: i32,
    inside: u8,
    outside: Option<u8>,
    replace: Option<&GlyphSet>,
) {
    for cell in area.cells(glyphs) {
        let (columns, rows) = area.depth(cell);
        let glyph = if columns + rows < i64::from(oblique) {
            outside
        } else {
            Some(inside)
        };
        let open = replace.is_none_or(|replace| replace.has(at(glyphs, cell)));
        if let Some(glyph) = glyph.filter(|_| open) {
            glyphs.set(cell.x, cell.y, glyph);
        }
    }
}

//! High walls that decorate the outside of doors.
//!
//! The shapes are copied from the recorded dungeons (`deco-*`, `room-deco*`). The decoration of a center door extends
//! outward from the wall's line and is mirrored to both sides of the door; at a larger door, its halves are farther
//! apart. The decoration of a corner door, either wings or blocks, is mirrored across the diagonal through the corner.
//! At a larger door, wings are farther apart (`decos-2053-corn-w8`), but blocks are not. A decoration changes only the
//! squares of its shape that are still open, so its shape may overlap other decorations and other tiles.

use crate::design::{Diagnostic, Place};
use crate::geometry::{Forward, Point};

use super::layout::{BuiltLayout, add};
use super::room::{Room, Site};
use super::style::{CORNER, Choice};
use crate::engine::grid::Tile;

/// Minimum distance in squares from a decoration's outermost square to the border. Two squares between them stay free
/// (recorded dungeons: `room-style1025-*`, `room-style2049-*`).
const MARGIN: i32 = 3;

/// A rectangle of squares: the first and last distance outward from the wall's line, then the first and last distance
/// to the side. The distance to the side is measured from the middle of a center door of normal size or, for a corner
/// door, from the corner.
type Rect = [i32; 4];

/// A part of a center door's decoration. It is built only if `depth` squares are available outside the wall.
struct Part {
    depth: i32,
    rects: &'static [Rect],
}

/// Two posts and a walled court with pillars, and two more posts in front of the court if there is enough space.
const COURT: [Part; 2] = [
    Part {
        depth: 14,
        rects: &[
            [1, 2, 2, 4],
            [3, 5, 3, 4],
            [6, 7, 2, 10],
            [8, 8, 2, 4],
            [8, 14, 9, 10],
            [8, 8, 8, 8],
            [12, 14, 8, 8],
            [12, 14, 2, 4],
        ],
    },
    Part {
        depth: 20,
        rects: &[[18, 20, 2, 4]],
    },
];

/// A colonnade of buttressed walls, then four blocks, then two posts.
const COLONNADE: [Part; 3] = [
    Part {
        depth: 9,
        rects: &[[1, 9, 4, 6], [1, 1, 2, 3], [4, 5, 2, 3], [8, 9, 2, 3]],
    },
    Part {
        depth: 12,
        rects: &[[4, 6, 10, 12], [10, 12, 10, 12]],
    },
    Part {
        depth: 15,
        rects: &[[13, 15, 4, 6]],
    },
];

/// Depth in squares that each decoration of a corner door needs on both sides.
const CORNER_DEPTH: i32 = 10;

/// Two wings that spread from the corner.
const WINGS: [Rect; 10] = [
    [10, 10, 3, 3],
    [9, 9, 2, 3],
    [8, 8, 1, 2],
    [7, 7, 0, 2],
    [6, 6, -1, 1],
    [5, 5, -2, 1],
    [4, 4, -3, 0],
    [3, 3, -4, -1],
    [2, 2, -5, -1],
    [1, 1, -6, -2],
];

/// A field of blocks around the corner.
const BLOCKS: [Rect; 7] = [
    [8, 9, 8, 9],
    [8, 9, 5, 5],
    [8, 9, 1, 2],
    [8, 9, -4, -3],
    [3, 5, 3, 5],
    [3, 5, -2, 0],
    [3, 4, -6, -5],
];

/// Returns whether a center door has a court and enough space for the posts in front of it. The door's Jumpers start
/// beside these posts.
pub(super) fn has_front_posts(room: &Room, side: Forward, built: &BuiltLayout) -> bool {
    room.style.center_decoration == Some(Choice::First) && free_depth(room, side, built) >= COURT[1].depth
}

/// Decorates a door according to the room's style, and reports a decoration that does not fit.
pub(super) fn place(room: &Room, door: Site, built: &mut BuiltLayout) {
    let squares = match door {
        Site::Center(side) => {
            let parts: &[Part] = match room.style.center_decoration {
                Some(Choice::First) => &COURT,
                Some(Choice::Second) => &COLONNADE,
                None => return,
            };
            center(room, side, parts, built)
        }
        Site::Corner(a, b) => {
            let rects: &[Rect] = match room.style.corner_decoration {
                Some(Choice::First) => &WINGS,
                Some(Choice::Second) => &BLOCKS,
                None => return,
            };
            corner(room, a, b, rects, built)
        }
    };
    let size = built.grid.size();
    let wrong = if squares.is_empty() {
        format!(
            "there is not enough space between the {door} door of {} and the border; the decoration is left out",
            room.entry.label()
        )
    } else if squares.iter().any(|at| !size.contains(*at) || size.on_border(*at)) {
        format!(
            "the decoration of the {door} door of {} reaches past the border; the part outside is left out",
            room.entry.label()
        )
    } else {
        String::new()
    };
    if !wrong.is_empty() {
        built.diagnostics.push(
            Diagnostic::warning(wrong)
                .at(Place::entry(room.entry))
                .help("move the room away from the border, make it smaller, or remove the decoration from its style"),
        );
    }
    for at in squares {
        add(&mut built.grid, at, Tile::HighWall);
    }
}

/// Returns the depth in squares that is available for a decoration outside the wall on one side of a room.
fn free_depth(room: &Room, outward: Forward, built: &BuiltLayout) -> i32 {
    let size = built.grid.size();
    let wall = room.center.step(outward, room.reach);
    let to_border = match outward {
        Forward::North => wall.x,
        Forward::East => size.y - 1 - wall.y,
        Forward::South => size.x - 1 - wall.x,
        Forward::West => wall.y,
    };
    to_border - MARGIN
}

/// Returns the squares of a center door's decoration. The first part that does not fit and all later parts are left
/// out.
fn center(room: &Room, side: Forward, parts: &[Part], built: &BuiltLayout) -> Vec<Point> {
    let depth = free_depth(room, side, built);
    let aside = room.style.center - 1;
    parts
        .iter()
        .take_while(|part| part.depth <= depth)
        .flat_map(|part| part.rects.iter().flat_map(squares))
        .flat_map(|(out, across)| {
            [across + aside, -across - aside].map(|across| room.at(side, room.reach + out, across))
        })
        .collect()
}

/// Returns the squares of a corner door's decoration, or no squares if the decoration does not fit.
fn corner(room: &Room, a: Forward, b: Forward, rects: &[Rect], built: &BuiltLayout) -> Vec<Point> {
    let cramped = |side| free_depth(room, side, built) < CORNER_DEPTH;
    if cramped(a) || cramped(b) {
        return Vec::new();
    }
    let corner = room.corner(a, b);
    // Wings keep their distance from the ends of the door, so at a larger door they are farther from the corner.
    let inward = if room.style.corner_decoration == Some(Choice::First) {
        room.style.corner - CORNER
    } else {
        0
    };
    rects
        .iter()
        .flat_map(squares)
        .map(|(out, along)| (out, along - inward))
        .flat_map(|(out, along)| [corner.step(a, out).step(b, along), corner.step(b, out).step(a, along)])
        .collect()
}

/// Iterates over the squares of a rectangle as distances outward and to the side.
fn squares(&[out, out_end, across, across_end]: &Rect) -> impl Iterator<Item = (i32, i32)> {
    (out..=out_end).flat_map(move |o| (across..=across_end).map(move |a| (o, a)))
}

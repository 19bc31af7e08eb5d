//! Rows of columns: those inside of rooms, and those that lead away from a decorated door.
//!
//! The original lets ColumnJumpers lay them. A row steps minCorrWidth + 1 squares at a time and ends where a
//! column would stand with fewer than minCorrWidth squares between it and anything else ahead or beside (recorded,
//! `room-style129-*`, `room-style257-*`, `room-nowalls-*`, `deco-513-cent-w9`). They are placed at
//! once, after all else of stage one, while the original's Jumpers lay them during the first few iterations; that
//! makes a difference only where a Crawler gets there sooner. The turns that rows take where they meet in
//! the open are not known: in one recorded dungeon 22 tiles differ.

use crate::design::{Constants, Diagnostic, Entry, Place};
use crate::geometry::{Forward, Point};

use super::room::{Room, Site};
use super::style::Choice;
use super::{Built, Part, decoration, put};
use crate::engine::grid::{Grid, Tile};

/// The order in which the rooms' sides get their columns (recorded: rows of the northern and southern doors
/// come first, and of these the northern).
const SIDES: [Forward; 4] = [Forward::North, Forward::South, Forward::East, Forward::West];

/// The starts of the rows in front of a court: squares outward from the wall's line and from the
/// middle of a normal door to the first column.
const FRONT_ROWS: [(i32, i32); 6] = [(24, 2), (21, 8), (18, 8), (15, 14), (12, 14), (9, 14)];

/// A row under construction.
#[derive(Debug, Clone, Copy)]
struct Row {
    at: Point,
    forward: Forward,
    left: i32,
}

/// Places the columns of all rooms.
pub(super) fn place(
    rooms: &[Room],
    constants: &Constants,
    built: &mut Built,
    placed: &mut impl FnMut(Part, Option<Entry>, &Grid),
) {
    let gap = constants
        .min_corr_width
        .clamp(0, built.grid.size().x.max(built.grid.size().y));
    for room in rooms {
        let inside = match room.style.columns {
            Some(Choice::First) => behind_doors(room, gap, &mut built.grid),
            Some(Choice::Second) => along_doors(room, gap, &mut built.grid),
            None => true,
        };
        if !inside {
            built.diagnostics.push(
                Diagnostic::warning(format!(
                    "{} has no room for columns behind its doors; they are left out",
                    room.entry.label()
                ))
                .at(Place::field(room.entry, 3))
                .help("make the room wider or take the columns out of its style"),
            );
        }
        front_rows(room, gap, built);
        placed(Part::RoomColumns, Some(room.entry), &built.grid);
    }
}

/// The sides of a room that have a center door, in the order of [`SIDES`].
fn sides(room: &Room) -> impl Iterator<Item = Forward> {
    SIDES
        .into_iter()
        .filter(|side| room.door_sites().any(|site| site == Site::Center(*side)))
}

/// Style 128: a column straight behind each center door, and a row from it to either side. False when a door
/// has nowhere to put them.
fn behind_doors(room: &Room, gap: i32, grid: &mut Grid) -> bool {
    let mut all = true;
    for side in sides(room) {
        let mut first = Row {
            at: room.at(side, room.reach, 0),
            forward: side.back(),
            left: 1,
        };
        if !first.advance(gap, grid) {
            all = false;
            continue;
        }
        for forward in [side.right(), side.left()] {
            let row = Row {
                at: first.at,
                forward,
                left: room.reach / (gap + 1),
            };
            row.run(gap, grid);
        }
    }
    all
}

/// Style 256: two rows from each center door's wall inward, as far from the neighbouring walls as a step is
/// wide. False when no row of a room with center doors has a column.
fn along_doors(room: &Room, gap: i32, grid: &mut Grid) -> bool {
    let aside = room.reach - gap - 1;
    let (mut doors, mut columns) = (0, 0);
    for side in sides(room) {
        doors += 1;
        for across in [-aside, aside] {
            let row = Row {
                at: room.at(side, room.reach, across),
                forward: side.back(),
                left: room.reach / (gap + 1),
            };
            if aside > 0 {
                columns += row.run(gap, grid);
            }
        }
    }
    doors == 0 || columns > 0
}

/// The rows that lead away from the courts in front of a room's center doors, all growing together.
fn front_rows(room: &Room, gap: i32, built: &mut Built) {
    let step = gap + 1;
    let sides: Vec<Forward> = sides(room)
        .filter(|side| decoration::has_front_posts(room, *side, built))
        .collect();
    let mut rows = Vec::new();
    for (out, across) in FRONT_ROWS {
        // The figure was drawn for a step of three squares; the first column stands one step from here.
        let start = across + room.style.center - 1 - step;
        for clockwise in [true, false] {
            rows.extend(sides.iter().map(|side| Row {
                at: room.at(*side, room.reach + out, if clockwise { start } else { -start }),
                forward: if clockwise { side.right() } else { side.left() },
                left: i32::MAX,
            }));
        }
    }
    while !rows.is_empty() {
        rows.retain_mut(|row| row.advance(gap, &mut built.grid));
    }
}

impl Row {
    /// Lays columns until the row ends; returns how many.
    fn run(mut self, gap: i32, grid: &mut Grid) -> u32 {
        let mut columns = 0;
        while self.advance(gap, grid) {
            columns += 1;
        }
        columns
    }

    /// Lays the next column, or returns false at the row's end.
    fn advance(&mut self, gap: i32, grid: &mut Grid) -> bool {
        let free = (1..=2 * gap + 1).all(|ahead| {
            let middle = self.at.step(self.forward, ahead);
            (-gap..=gap).all(|aside| grid.tile(middle.step(self.forward.right(), aside)) == Tile::Open)
        });
        if self.left == 0 || !free {
            return false;
        }
        self.left -= 1;
        self.at = self.at.step(self.forward, gap + 1);
        put(grid, self.at, Tile::Column);
        true
    }
}

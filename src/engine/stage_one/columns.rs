//! The columns of rooms. Stage one places the first columns, and starts the Jumpers that add more columns during
//! growth.
//!
//! The module docs of `growth` describe how these Jumpers move. For each door, the Jumpers inside the room start first,
//! then the Jumpers outside (recorded dungeons: `rows-*`, `limited-*`).

use crate::design::Place;
use crate::geometry::{Forward, Point};

use super::decoration;
use super::layout::{BuiltLayout, GAP, Start, add};
use super::room::{Room, Site, site_field};
use super::style::Choice;
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::Tile;

/// Distance in squares from one column to the next.
pub(super) const STEP: i32 = GAP + 1;

/// Position of the first columns in front of a decorated door: number of squares outward from the wall's line, and
/// number of squares to either side from the middle of a door of normal size.
const FRONT: (i32, i32) = (18, 8);

/// Places the first columns of a door and starts its Jumpers: first the Jumpers inside the room, then those outside.
pub(super) fn start(room: &Room, side: Forward, built: &mut BuiltLayout) {
    let mut starter = DoorJumperStarter {
        origin: site_field(room.entry, Site::Center(side)),
        built,
    };
    match room.style.columns {
        Some(Choice::First) => starter.behind_door(room, side),
        Some(Choice::Second) => starter.along_door(room, side),
        None => {}
    }
    starter.in_front(room, side);
}

/// Starts the Jumpers of one door.
struct DoorJumperStarter<'a> {
    origin: Place,
    built: &'a mut BuiltLayout,
}

impl DoorJumperStarter<'_> {
    fn jumper(&mut self, kind: BuilderKind, at: Point, forward: Forward, turns: Option<u32>) {
        // The first columns of a court near the border may lie outside the dungeon. No Jumper starts there.
        if !self.built.grid.size().contains(at) {
            return;
        }
        self.built.starts.push(Start {
            origin: self.origin,
            kind,
            at,
            forward,
            direction: Some(forward.direction()),
            opening: Opening::End,
            delay: 0,
            turns,
        });
    }

    /// Style 128: places a column straight behind the door, and starts two Jumpers from it, one along the wall to each
    /// side.
    fn behind_door(&mut self, room: &Room, side: Forward) {
        let first = room.at(side, room.reach - STEP, 0);
        add(&mut self.built.grid, first, Tile::Column);
        // The number of turns is limited, so that a row of columns ends at the line of the room's wall at the latest,
        // even if the room has no walls.
        let turns = Some((room.reach / STEP) as u32);
        for forward in along(side) {
            self.jumper(BuilderKind::RoomJumper, first, forward, turns);
        }
    }

    /// Style 256: starts two Jumpers on the line of the door's wall, each of them [`STEP`] squares from one end of the
    /// wall. They head inward.
    fn along_door(&mut self, room: &Room, side: Forward) {
        for neighbour in along(side).into_iter().rev() {
            let at = room.at(side, room.reach, 0).step(neighbour, room.reach - STEP);
            self.jumper(BuilderKind::RoomJumper, at, side.back(), None);
        }
    }

    /// Style 512: places two columns in front of the door's court, one on each side. From each column, starts one
    /// Jumper that heads outward and one that heads sideways, away from the door. The column on the right, seen from
    /// the room, comes first.
    fn in_front(&mut self, room: &Room, side: Forward) {
        if !decoration::has_front_posts(room, side, self.built) {
            return;
        }
        let (out, across) = FRONT;
        let across = across + room.style.center - 1;
        for (forward, across) in [(side.right(), across), (side.left(), -across)] {
            let first = room.at(side, room.reach + out, across);
            add(&mut self.built.grid, first, Tile::Column);
            for forward in [side, forward] {
                self.jumper(BuilderKind::DoorJumper, first, forward, None);
            }
        }
    }
}

/// Returns the headings along a side's wall, in the order in which the Jumpers of style 128 start. The Jumpers of style
/// 256 start in the reverse order.
fn along(side: Forward) -> [Forward; 2] {
    if side.along_x() {
        [Forward::East, Forward::West]
    } else {
        [Forward::South, Forward::North]
    }
}

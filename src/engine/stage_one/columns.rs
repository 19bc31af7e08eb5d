//! The columns of rooms: places the first ones, and starts the ColumnJumpers that lay the others during growth.
//!
//! `growth` describes how these Jumpers move. For each door, the Jumpers inside the room start first, then those
//! outside (recorded, `rows-*`, `limited-*`).

use crate::design::Place;
use crate::geometry::{Forward, Point};

use super::decoration;
use super::layout::{BuiltLayout, GAP, Start, add};
use super::room::{Room, Site, site_field};
use super::style::Choice;
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::Tile;

/// Number of squares from one column to the next.
pub(super) const STEP: i32 = GAP + 1;

/// Places of the first columns in front of a decorated door: squares outward from the wall's line, and from the middle
/// of a normal door to either side.
const FRONT: (i32, i32) = (18, 8);

/// Places the first columns of a door and starts its Jumpers: first those inside the room.
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

/// The start of the Jumpers of one door.
struct DoorJumperStarter<'a> {
    origin: Place,
    built: &'a mut BuiltLayout,
}

impl DoorJumperStarter<'_> {
    fn jumper(&mut self, kind: BuilderKind, at: Point, forward: Forward, turns: Option<u32>) {
        // Next to the border, a court's columns may lie outside the dungeon.
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

    /// Style 128: places a column straight behind the door and starts a Jumper from it along the wall to either side.
    fn behind_door(&mut self, room: &Room, side: Forward) {
        let first = room.at(side, room.reach - STEP, 0);
        add(&mut self.built.grid, first, Tile::Column);
        // A row of columns stays in its room, even if the room has no walls.
        let turns = Some((room.reach / STEP) as u32);
        for forward in along(side) {
            self.jumper(BuilderKind::RoomJumper, first, forward, turns);
        }
    }

    /// Style 256: starts two Jumpers from the door's wall inward, one step from the neighbouring walls.
    fn along_door(&mut self, room: &Room, side: Forward) {
        for neighbour in along(side).into_iter().rev() {
            let at = room.at(side, room.reach, 0).step(neighbour, room.reach - STEP);
            self.jumper(BuilderKind::RoomJumper, at, side.back(), None);
        }
    }

    /// Style 512: places a column to either side in front of the door's court, and starts from each a Jumper outward
    /// and one away from the door; first the right column, seen from the room.
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

/// Returns the headings along a side's wall, in the order in which its Jumpers start.
fn along(side: Forward) -> [Forward; 2] {
    if side.along_x() {
        [Forward::East, Forward::West]
    } else {
        [Forward::South, Forward::North]
    }
}

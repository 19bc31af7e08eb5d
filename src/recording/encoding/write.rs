//! Encodes events.

use super::{
    BORN, BUILT, DIED, EventContext, JOINED, LAID, LAST, MOVED, MOVED_FAR, NOTHING, OPENING, STEPPED, TURNED_FORCED,
    TURNED_FREELY, UNBORN, WHO_1, WHO_2, WHO_4, WIDE, WOKE,
};
use crate::engine::{Birth, BuilderId, Event, Tile, TurnReason, WallRun};
use crate::geometry::{Forward, Point};

/// Appends an event to `bytes`.
#[expect(
    clippy::inline_always,
    reason = "measured: callers pass a known kind of event, so inlining removes the match"
)]
#[inline(always)]
pub(in crate::recording) fn write(event: &Event, context: &mut EventContext, bytes: &mut Vec<u8>) {
    let mut writer = EventWriter { context, bytes };
    match *event {
        Event::Laid {
            builder,
            at,
            before,
            tile,
        } => writer.laid(builder, at, before, tile),
        Event::Moved { builder, from, to } => writer.moved(builder, from, to),
        Event::Turned { builder, from, to, why } => writer.turned(builder, from as u8 | (to as u8) << 2, why),
        Event::Born { builder, birth } => writer.born(builder, &birth),
        Event::OpeningChanged { builder, from, to } => {
            writer.head(OPENING, builder);
            writer.put([from as u8 | (to as u8) << 2]);
        }
        Event::Joined { builder, distance } => {
            writer.head(JOINED, builder);
            writer.put(distance.to_le_bytes());
        }
        Event::Died { builder, cause } => {
            writer.head(DIED, builder);
            writer.put([cause as u8]);
        }
        Event::Woke { builder } => writer.head(WOKE, builder),
        Event::Unborn { parent, living } => {
            writer.head(UNBORN, parent);
            writer.put(living.to_le_bytes());
        }
    }
}

/// Appends a run of wall. Returns `false` and writes nothing if the run does not fit the fixed-width encoding of a run.
#[inline]
pub(in crate::recording) fn write_run(run: &WallRun, context: &mut EventContext, bytes: &mut Vec<u8>) -> bool {
    let change = run.builder.0.wrapping_sub(context.builder) as i32;
    if change != i32::from(change as i16) || run.squares >= 64 {
        return false;
    }
    let kind = if run.moves { STEPPED } else { BUILT };
    let [low, high, ..] = change.to_le_bytes();
    let way = run.forward as u8 | (run.squares as u8) << 2;
    let [[x0, x1], [y0, y1]] = [run.from.x, run.from.y].map(|number| (number as i16).to_le_bytes());
    // Append all bytes with one call for speed, since runs make up half of the output.
    bytes.extend_from_slice(&[kind | WHO_2, low, high, way, x0, x1, y0, y1]);
    context.builder = run.builder.0;
    context.at = run.from.step(run.forward, run.squares as i32);
    true
}

/// Appends a turn without events.
pub(in crate::recording) fn write_nothing(bytes: &mut Vec<u8>) {
    bytes.push(NOTHING);
}

/// Marks the event whose bytes begin at `first` as the last of its turn.
#[inline]
pub(in crate::recording) fn end_turn(bytes: &mut [u8], first: usize) {
    if let Some(head) = bytes.get_mut(first) {
        *head |= LAST;
    }
}

struct EventWriter<'a> {
    context: &'a mut EventContext,
    bytes: &'a mut Vec<u8>,
}

impl EventWriter<'_> {
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes.extend_from_slice(&bytes);
    }

    #[inline]
    fn head(&mut self, kind: u8, builder: BuilderId) {
        let change = builder.0.wrapping_sub(self.context.builder) as i32;
        self.context.builder = builder.0;
        let [a, b, c, d] = change.to_le_bytes();
        if change == 0 {
            self.put([kind]);
        } else if change == i32::from(change as i8) {
            self.put([kind | WHO_1, a]);
        } else if change == i32::from(change as i16) {
            self.put([kind | WHO_2, a, b]);
        } else {
            self.put([kind | WHO_4, a, b, c, d]);
        }
    }

    #[inline]
    fn point(&mut self, point: Point) {
        let [[a, b], [c, d]] = [point.x, point.y].map(|number| (number as i16).to_le_bytes());
        self.put([a, b, c, d]);
    }

    fn laid(&mut self, builder: BuilderId, at: Point, before: Tile, tile: Tile) {
        self.head(LAID, builder);
        self.put([before as u8 | (tile as u8) << 4]);
        self.point(at);
        self.context.at = at;
    }

    fn moved(&mut self, builder: BuilderId, from: Point, to: Point) {
        match heading(from, to) {
            Some((forward, squares)) if to == self.context.at => {
                self.head(MOVED, builder);
                self.put([forward as u8 | (squares as u8) << 2]);
            }
            _ => {
                self.head(MOVED_FAR, builder);
                self.point(from);
                self.point(to);
            }
        }
        self.context.at = to;
    }

    fn turned(&mut self, builder: BuilderId, headings: u8, why: TurnReason) {
        match why {
            TurnReason::Free { rolled, chance } => {
                self.head(TURNED_FREELY, builder);
                self.put([headings, rolled, chance]);
            }
            TurnReason::Forced { free, needed, side } if free.max(needed).max(side) < 256 => {
                self.head(TURNED_FORCED, builder);
                self.put([headings, free as u8, needed as u8, side as u8]);
            }
            TurnReason::Forced { free, needed, side } => {
                self.head(TURNED_FORCED | WIDE, builder);
                self.put([headings]);
                for number in [free, needed, side] {
                    self.put(number.to_le_bytes());
                }
            }
        }
    }

    fn born(&mut self, builder: BuilderId, birth: &Birth) {
        let direction = birth.direction.map_or(0, |direction| direction as u16 + 1);
        let kind = birth.kind as u16;
        let ways = u16::from(birth.kind.is_jumper())
            | (birth.forward as u16) << 1
            | (birth.opening as u16) << 3
            | direction << 5
            | u16::from(birth.parent.is_some()) << 9
            | kind.saturating_sub(1) << 10
            | u16::from(birth.age > 0) << 12;
        let usual = builder.0 == self.context.newest.wrapping_add(1)
            && birth.parent == Some(BuilderId(self.context.builder))
            && birth.at == self.context.at
            && birth.generation < 256
            && birth.wakes < 65_536;
        let [a, b] = ways.to_le_bytes();
        if usual {
            let [c, d] = (birth.wakes as u16).to_le_bytes();
            self.put([BORN, a, b, birth.generation as u8, c, d]);
        } else {
            self.put([BORN | WIDE, a, b]);
            self.point(birth.at);
            let parent = birth.parent.map_or(0, |parent| parent.0);
            for number in [builder.0, parent, birth.generation, birth.wakes] {
                self.put(number.to_le_bytes());
            }
            self.context.at = birth.at;
        }
        if birth.age > 0 {
            self.put(birth.age.to_le_bytes());
        }
        self.context.newest = builder.0;
    }
}

/// Returns the heading and length of the straight line from one square to another; `None` if the line is not straight
/// or has 64 squares or more.
#[inline]
fn heading(from: Point, to: Point) -> Option<(Forward, i32)> {
    match (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y)) {
        (0, squares @ 0..64) => Some((Forward::East, squares)),
        (0, squares @ -63..0) => Some((Forward::West, -squares)),
        (squares @ 0..64, 0) => Some((Forward::South, squares)),
        (squares @ -63..0, 0) => Some((Forward::North, -squares)),
        _ => None,
    }
}

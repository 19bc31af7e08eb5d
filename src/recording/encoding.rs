//! A compact byte encoding of events.
//!
//! The history of a large dungeon has millions of events, and most of them follow from the one before: the same
//! Builder, the next birth, walls in a row. Each event, or run of wall, is one byte for its kind with flags, then the
//! values that earlier events do not imply, in numbers of fixed width. That takes a third of the size and a fraction of
//! the time of a general format (measured against postcard), and recording has to keep up with growth. Turns are
//! grouped in blocks that can be decoded independently.
//!
//! Each coordinate of a square takes two bytes, which suffices for every dungeon that passes validation.

use crate::engine::{Birth, BuilderId, BuilderKind, Death, Event, Opening, Tile, TurnReason, WallRun};
use crate::geometry::{Direction, Forward, Point};

/// Number of turns in a block: what must be decoded to read one turn.
pub(super) const TURNS_PER_BLOCK: u64 = 64;

/// A run of wall of fewer than 64 squares.
const BUILT: u8 = 0;
/// A run of wall of fewer than 64 squares, after which the Builder moves to the last of them.
const STEPPED: u8 = 1;
const LAID: u8 = 2;
/// A move straight to the square of the last event, from fewer than 64 squares away.
const MOVED: u8 = 3;
const MOVED_FAR: u8 = 4;
const TURNED_FREELY: u8 = 5;
const TURNED_FORCED: u8 = 6;
const OPENING: u8 = 7;
const JOINED: u8 = 8;
const DIED: u8 = 9;
const WOKE: u8 = 10;
const UNBORN: u8 = 11;
const BORN: u8 = 12;
/// A turn without events.
const NOTHING: u8 = 13;
/// Mask of the event kind.
const KIND: u8 = 0x0f;
/// Mask for how the Builder is encoded: not at all (same as before), or as a difference of 1, 2 or 4 bytes.
const WHO: u8 = 0x30;
const WHO_1: u8 = 0x10;
const WHO_2: u8 = 0x20;
const WHO_4: u8 = 0x30;
/// Flag: numbers have their full width.
const WIDE: u8 = 0x40;
/// Flag: the last event of its turn.
const LAST: u8 = 0x80;

/// What the earlier events of a block imply for the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct EventContext {
    /// Builder of the last event.
    builder: u32,
    /// Builder that was born last.
    newest: u32,
    /// Square of the last event.
    at: Point,
}

/// Appends an event to `bytes`.
#[expect(
    clippy::inline_always,
    reason = "measured: the kind of event is known where it happens"
)]
#[inline(always)]
pub(super) fn write(event: &Event, context: &mut EventContext, bytes: &mut Vec<u8>) {
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

/// Appends a run of wall. Returns `false` and writes nothing when the run does not fit its fixed width.
#[inline]
pub(super) fn write_run(run: &WallRun, context: &mut EventContext, bytes: &mut Vec<u8>) -> bool {
    let change = run.builder.0.wrapping_sub(context.builder) as i32;
    if change != i32::from(change as i16) || run.squares >= 64 {
        return false;
    }
    let kind = if run.moves { STEPPED } else { BUILT };
    let [low, high, ..] = change.to_le_bytes();
    let way = run.forward as u8 | (run.squares as u8) << 2;
    let [[x0, x1], [y0, y1]] = [run.from.x, run.from.y].map(|number| (number as i16).to_le_bytes());
    // A single write: runs are half of the output.
    bytes.extend_from_slice(&[kind | WHO_2, low, high, way, x0, x1, y0, y1]);
    context.builder = run.builder.0;
    context.at = run.from.step(run.forward, run.squares as i32);
    true
}

/// Appends a turn without events.
pub(super) fn write_nothing(bytes: &mut Vec<u8>) {
    bytes.push(NOTHING);
}

/// Marks the event whose bytes begin at `first` as the last of its turn.
#[inline]
pub(super) fn end_turn(bytes: &mut [u8], first: usize) {
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
            Some((forward, squares @ 0..64)) if to == self.context.at => {
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

/// Returns the heading and the number of squares (fewer than 64) of a straight line between two squares.
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

/// Decodes what [`write`] and [`write_run`] wrote, event by event.
pub(super) struct EventReader<'a> {
    bytes: &'a [u8],
    context: EventContext,
    /// Run that is partly read.
    run: Option<RunUnderWay>,
}

/// A run of wall of which some events have been read.
#[derive(Debug, Clone, Copy)]
struct RunUnderWay {
    run: WallRun,
    /// Index of the next event.
    next: u32,
    /// Bytes that were left where the run begins.
    left: usize,
    /// Whether the run's last event is the last of its turn.
    last: bool,
}

/// An item that a reader returns.
pub(super) struct ReadItem {
    /// The event; `None` for a turn without events.
    pub(super) event: Option<Event>,
    /// Whether it is the last of its turn.
    pub(super) last: bool,
}

impl<'a> EventReader<'a> {
    /// Creates a reader at the start of a block.
    pub(super) fn new(block: &'a [u8]) -> Self {
        Self {
            bytes: block,
            context: EventContext::default(),
            run: None,
        }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    #[inline]
    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    #[inline]
    fn point(&mut self) -> Option<Point> {
        let x = i16::from_le_bytes(self.take()?);
        let y = i16::from_le_bytes(self.take()?);
        Some(Point::new(x.into(), y.into()))
    }

    /// Returns the number of bytes left, those of a partly read run included.
    pub(super) fn left(&self) -> usize {
        self.run.map_or(self.bytes.len(), |run| run.left)
    }

    /// Returns the next item; `None` past the end and where the bytes are invalid.
    #[inline]
    pub(super) fn next(&mut self) -> Option<ReadItem> {
        if self.run.is_some() {
            return self.next_of_run();
        }
        let left = self.left();
        let [head] = self.take()?;
        let change = match head & WHO {
            WHO_1 => {
                let [a] = self.take()?;
                i32::from(a as i8)
            }
            WHO_2 => i32::from(i16::from_le_bytes(self.take()?)),
            WHO_4 => i32::from_le_bytes(self.take()?),
            _ => 0,
        };
        self.context.builder = self.context.builder.wrapping_add(change as u32);
        let last = head & LAST != 0;
        let event = match head & KIND {
            NOTHING => None,
            kind @ (BUILT | STEPPED) => {
                let run = self.run(kind == STEPPED)?;
                self.run = Some(RunUnderWay {
                    run,
                    next: 0,
                    left,
                    last,
                });
                return self.next_of_run();
            }
            kind => Some(self.event(kind, head & WIDE != 0)?),
        };
        Some(ReadItem { event, last })
    }

    #[inline]
    fn run(&mut self, moves: bool) -> Option<WallRun> {
        let [way] = self.take()?;
        let run = WallRun {
            builder: BuilderId(self.context.builder),
            from: self.point()?,
            forward: forward(way),
            squares: u32::from(way >> 2),
            moves,
        };
        self.context.at = run.from.step(run.forward, run.squares as i32);
        Some(run)
    }

    #[inline]
    fn next_of_run(&mut self) -> Option<ReadItem> {
        let under_way = self.run.as_mut()?;
        let event = under_way.run.event(under_way.next)?;
        under_way.next += 1;
        let over = under_way.next >= under_way.run.count();
        let last = over && under_way.last;
        if over {
            self.run = None;
        }
        Some(ReadItem {
            event: Some(event),
            last,
        })
    }

    #[inline]
    fn event(&mut self, kind: u8, wide: bool) -> Option<Event> {
        let builder = BuilderId(self.context.builder);
        Some(match kind {
            LAID => {
                let [tiles] = self.take()?;
                let at = self.point()?;
                self.context.at = at;
                Event::Laid {
                    builder,
                    at,
                    before: tile(tiles & 0xf)?,
                    tile: tile(tiles >> 4)?,
                }
            }
            MOVED => {
                let [way] = self.take()?;
                let to = self.context.at;
                let from = to.step(forward(way), -i32::from(way >> 2));
                Event::Moved { builder, from, to }
            }
            MOVED_FAR => {
                let (from, to) = (self.point()?, self.point()?);
                self.context.at = to;
                Event::Moved { builder, from, to }
            }
            TURNED_FREELY | TURNED_FORCED => {
                let [headings] = self.take()?;
                Event::Turned {
                    builder,
                    from: forward(headings),
                    to: forward(headings >> 2),
                    why: self.reason(kind, wide)?,
                }
            }
            OPENING => {
                let [openings] = self.take()?;
                Event::OpeningChanged {
                    builder,
                    from: opening(openings & 3)?,
                    to: opening(openings >> 2)?,
                }
            }
            JOINED => Event::Joined {
                builder,
                distance: self.number()?,
            },
            DIED => {
                let [cause] = self.take()?;
                let cause = *[Death::Blocked, Death::Aged, Death::Joined].get(usize::from(cause))?;
                Event::Died { builder, cause }
            }
            WOKE => Event::Woke { builder },
            UNBORN => Event::Unborn {
                parent: builder,
                living: self.number()?,
            },
            BORN => self.born(wide)?,
            _ => return None,
        })
    }

    fn reason(&mut self, kind: u8, wide: bool) -> Option<TurnReason> {
        if kind == TURNED_FREELY {
            let [rolled, chance] = self.take()?;
            return Some(TurnReason::Free { rolled, chance });
        }
        let [free, needed, side] = if wide {
            [self.number()?, self.number()?, self.number()?]
        } else {
            self.take::<3>()?.map(u32::from)
        };
        Some(TurnReason::Forced { free, needed, side })
    }

    fn born(&mut self, wide: bool) -> Option<Event> {
        let ways = u16::from_le_bytes(self.take()?);
        let (builder, parent, generation, wakes) = if wide {
            self.context.at = self.point()?;
            (self.number()?, self.number()?, self.number()?, self.number()?)
        } else {
            let [generation, c, d] = self.take()?;
            let newest = self.context.newest.wrapping_add(1);
            let wakes = u16::from_le_bytes([c, d]);
            (newest, self.context.builder, u32::from(generation), u32::from(wakes))
        };
        self.context.newest = builder;
        let kind = usize::from(ways & 1) + usize::from(ways >> 10 & 3);
        let age = if ways >> 12 & 1 == 1 { self.number()? } else { 0 };
        let direction = usize::from(ways >> 5 & 0xf).checked_sub(1);
        Some(Event::Born {
            builder: BuilderId(builder),
            birth: Birth {
                parent: (ways >> 9 & 1 == 1).then_some(BuilderId(parent)),
                kind: *BuilderKind::ALL.get(kind)?,
                generation,
                at: self.context.at,
                forward: forward((ways >> 1) as u8),
                direction: direction.and_then(|at| Direction::ALL.get(at).copied()),
                opening: opening((ways >> 3) as u8 & 3)?,
                wakes,
                age,
            },
        })
    }
}

/// Returns the heading encoded in the lowest two bits.
#[inline]
fn forward(bits: u8) -> Forward {
    Forward::ALL[usize::from(bits & 3)]
}

#[inline]
fn tile(number: u8) -> Option<Tile> {
    Tile::ALL.get(usize::from(number)).copied()
}

fn opening(number: u8) -> Option<Opening> {
    [Opening::Closed, Opening::End, Opening::Start]
        .get(usize::from(number))
        .copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Generates small and large numbers, so that every width occurs.
    fn number() -> impl Strategy<Value = u32> {
        prop_oneof![4 => 0..5_u32, 1 => 250..260_u32, 1 => 65_530..65_540_u32, 1 => any::<u32>()]
    }

    fn id() -> impl Strategy<Value = BuilderId> {
        number().prop_map(BuilderId)
    }

    fn point() -> impl Strategy<Value = Point> {
        let coordinate = || prop_oneof![4 => 0..4_i32, 1 => 60..70_i32, 1 => any::<i16>().prop_map(i32::from)];
        (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))
    }

    fn heading() -> impl Strategy<Value = Forward> {
        prop::sample::select(Forward::ALL.to_vec())
    }

    fn any_tile() -> impl Strategy<Value = Tile> {
        prop_oneof![1 => Just(Tile::Open), 1 => Just(Tile::Wall), 1 => prop::sample::select(Tile::ALL.to_vec())]
    }

    fn any_opening() -> impl Strategy<Value = Opening> {
        prop::sample::select(vec![Opening::Closed, Opening::End, Opening::Start])
    }

    prop_compose! {
        fn birth()(parent in prop::option::of(id()), kind in prop::sample::select(BuilderKind::ALL.to_vec()),
                   generation in number(), at in point(),
                   forward in heading(), direction in prop::option::of(prop::sample::select(Direction::ALL.to_vec())),
                   opening in any_opening(), wakes in number(), age in number()) -> Birth {
            Birth { parent, kind, generation, at, forward, direction, opening, wakes, age }
        }
    }

    fn reason() -> impl Strategy<Value = TurnReason> {
        let free = (any::<u8>(), any::<u8>()).prop_map(|(rolled, chance)| TurnReason::Free { rolled, chance });
        let forced = (number(), number(), number());
        prop_oneof![
            free,
            forced.prop_map(|(free, needed, side)| TurnReason::Forced { free, needed, side })
        ]
    }

    fn event() -> impl Strategy<Value = Event> {
        let causes = vec![Death::Blocked, Death::Aged, Death::Joined];
        prop_oneof![
            (id(), birth()).prop_map(|(builder, birth)| Event::Born { builder, birth }),
            (id(), number()).prop_map(|(parent, living)| Event::Unborn { parent, living }),
            id().prop_map(|builder| Event::Woke { builder }),
            (id(), point(), any_tile(), any_tile()).prop_map(|(builder, at, before, tile)| Event::Laid {
                builder,
                at,
                before,
                tile
            }),
            (id(), point(), point()).prop_map(|(builder, from, to)| Event::Moved { builder, from, to }),
            (id(), heading(), heading(), reason()).prop_map(|(builder, from, to, why)| Event::Turned {
                builder,
                from,
                to,
                why
            }),
            (id(), any_opening(), any_opening()).prop_map(|(builder, from, to)| Event::OpeningChanged {
                builder,
                from,
                to
            }),
            (id(), number()).prop_map(|(builder, distance)| Event::Joined { builder, distance }),
            (id(), prop::sample::select(causes)).prop_map(|(builder, cause)| Event::Died { builder, cause }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_was_written_is_read(events in prop::collection::vec((event(), any::<bool>()), 0..40)) {
            let (mut bytes, mut context) = (Vec::new(), EventContext::default());
            for (event, last) in &events {
                let first = bytes.len();
                write(event, &mut context, &mut bytes);
                if *last {
                    end_turn(&mut bytes, first);
                }
            }
            let mut reader = EventReader::new(&bytes);
            for (event, last) in events {
                let read = reader.next().expect("as many as were written");
                prop_assert_eq!((read.event, read.last), (Some(event), last));
            }
            prop_assert!(reader.next().is_none());
        }

        #[test]
        fn invalid_bytes_end_the_reading(bytes: Vec<u8>) {
            let mut reader = EventReader::new(&bytes);
            while reader.next().is_some() {}
        }
    }

    #[test]
    fn runs_are_read_event_by_event() {
        let mut run = WallRun {
            builder: BuilderId(3),
            from: Point::new(7, 1),
            forward: Forward::South,
            squares: 3,
            moves: true,
        };
        let (mut bytes, mut context) = (Vec::new(), EventContext::default());
        assert!(write_run(&run, &mut context, &mut bytes));
        end_turn(&mut bytes, 0);
        let first = bytes.len();
        assert_eq!(first, 8, "however many squares");
        let mut expected: Vec<_> = run.events().map(|event| (Some(event), false)).collect();
        expected[3].1 = true;
        (run.from, run.forward, run.squares, run.moves) = (Point::new(10, 1), Forward::West, 63, false);
        assert!(write_run(&run, &mut context, &mut bytes));
        expected.extend(run.events().map(|event| (Some(event), false)));

        let mut reader = EventReader::new(&bytes);
        let (mut read, mut left) = (Vec::new(), Vec::new());
        while let Some(next) = reader.next() {
            read.push((next.event, next.last));
            left.push(reader.left());
        }
        assert_eq!(read, expected);
        assert_eq!((read.len(), bytes.len()), (4 + 63, 2 * first));
        assert_eq!(
            left[..4],
            [16, 16, 16, 8],
            "a run is left until its last event was read"
        );
        assert_eq!(left[4..].iter().filter(|left| **left == 8).count(), 62);
    }

    #[test]
    fn runs_that_need_more_room_are_left_to_their_events() {
        let run = WallRun {
            builder: BuilderId(0),
            from: Point::new(7, 1),
            forward: Forward::South,
            squares: 64,
            moves: true,
        };
        let stranger = WallRun {
            builder: BuilderId(40_000),
            squares: 1,
            ..run
        };
        for run in [run, stranger] {
            let (mut bytes, mut context) = (Vec::new(), EventContext::default());
            assert!(!write_run(&run, &mut context, &mut bytes));
            assert_eq!((bytes.len(), context), (0, EventContext::default()));
        }
    }
}

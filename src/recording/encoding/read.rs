//! Decodes events. Arbitrary bytes are safe to decode: invalid bytes end the reading.

use super::{
    BORN, BUILT, DIED, EventContext, JOINED, KIND, LAID, LAST, MOVED, MOVED_FAR, NOTHING, OPENING, STEPPED,
    TURNED_FORCED, TURNED_FREELY, UNBORN, WHO, WHO_1, WHO_2, WHO_4, WIDE, WOKE,
};
use crate::engine::{Birth, BuilderId, BuilderKind, Death, Event, Opening, Tile, TurnReason, WallRun};
use crate::geometry::{Direction, Forward, Point};

/// A decoder for the bytes that `write` and `write_run` produce. Returns one event at a time.
pub(in crate::recording) struct EventReader<'a> {
    bytes: &'a [u8],
    context: EventContext,
    /// The run of wall that is being read, if any.
    run: Option<RunUnderWay>,
}

/// A run of wall that is being read, event by event.
#[derive(Debug, Clone, Copy)]
struct RunUnderWay {
    run: WallRun,
    /// Index of the run's next event.
    next: u32,
    /// Number of bytes that were left at the start of the run.
    left: usize,
    /// Whether the run's last event is the last of its turn.
    last: bool,
}

/// An item that [`EventReader::next`] returns.
pub(in crate::recording) struct ReadItem {
    /// The event; `None` for a turn without events.
    pub(in crate::recording) event: Option<Event>,
    /// Whether the item is the last of its turn.
    pub(in crate::recording) last: bool,
}

impl<'a> EventReader<'a> {
    /// Creates a reader at the start of a block.
    pub(in crate::recording) fn new(block: &'a [u8]) -> Self {
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

    /// Returns the number of bytes left to read. A run counts fully until its last event has been read.
    pub(in crate::recording) fn left(&self) -> usize {
        self.run.map_or(self.bytes.len(), |run| run.left)
    }

    /// Returns the next item; `None` at the end or if the bytes are invalid.
    #[inline]
    pub(in crate::recording) fn next(&mut self) -> Option<ReadItem> {
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

//! Events as bytes.
//!
//! A run of a large dungeon has millions of events, and most of them follow the one before: the same
//! Builder, the next square. So Builders and squares are written relative to those of the event before, and
//! numbers as variable-length integers (postcard). Turns stand in blocks that can be read on their own.

use serde::de::DeserializeOwned;

use crate::engine::{Birth, BuilderId, Event};
use crate::geometry::Point;

/// Turns in a block: what must be read to get at one turn.
pub(super) const TURNS_PER_BLOCK: u64 = 64;

/// What the last event of a block was about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Context {
    builder: u32,
    at: Point,
}

impl Context {
    /// The event with its Builders and squares relative to those before.
    fn relative(&mut self, event: &Event) -> Event {
        let Self { builder, at } = self;
        map(
            event,
            |id| {
                let change = id.0.wrapping_sub(*builder) as i32;
                *builder = id.0;
                // Zigzag: small steps either way are small numbers.
                BuilderId(((change << 1) ^ (change >> 31)) as u32)
            },
            |point| {
                let change = Point::new(point.x.wrapping_sub(at.x), point.y.wrapping_sub(at.y));
                *at = point;
                change
            },
        )
    }

    /// The event as it was, from what [`Self::relative`] made of it.
    fn absolute(&mut self, event: &Event) -> Event {
        let Self { builder, at } = self;
        map(
            event,
            |BuilderId(zigzag)| {
                let change = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
                *builder = builder.wrapping_add(change as u32);
                BuilderId(*builder)
            },
            |change| {
                *at = Point::new(at.x.wrapping_add(change.x), at.y.wrapping_add(change.y));
                *at
            },
        )
    }
}

/// The event with its Builders and squares mapped, in the order of its fields.
fn map(event: &Event, mut id: impl FnMut(BuilderId) -> BuilderId, mut at: impl FnMut(Point) -> Point) -> Event {
    let mut event = *event;
    match &mut event {
        Event::Born {
            builder,
            birth: Birth { parent, at: start, .. },
        } => {
            *builder = id(*builder);
            *parent = parent.map(&mut id);
            *start = at(*start);
        }
        Event::Laid {
            builder, at: square, ..
        } => {
            *builder = id(*builder);
            *square = at(*square);
        }
        Event::Moved { builder, from, to } => {
            *builder = id(*builder);
            *from = at(*from);
            *to = at(*to);
        }
        Event::Unborn { parent: builder, .. }
        | Event::Woke { builder }
        | Event::Turned { builder, .. }
        | Event::OpeningChanged { builder, .. }
        | Event::Joined { builder, .. }
        | Event::Died { builder, .. } => *builder = id(*builder),
    }
    event
}

/// Appends a turn's events to `bytes`.
pub(super) fn write(turn: &[Event], context: &mut Context, bytes: &mut Vec<u8>) {
    let mut put = |value: &dyn Fn(Vec<u8>) -> postcard::Result<Vec<u8>>| {
        // Memory cannot be refused here, and these types have nothing that postcard cannot write.
        if let Ok(longer) = value(std::mem::take(bytes)) {
            *bytes = longer;
        }
    };
    put(&|bytes| postcard::to_extend(&turn.len(), bytes));
    for event in turn {
        let event = context.relative(event);
        put(&|bytes| postcard::to_extend(&event, bytes));
    }
}

/// Reads turns that [`write`] wrote, one after the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    context: Context,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a block.
    pub(super) fn new(block: &'a [u8]) -> Self {
        Self {
            bytes: block,
            context: Context::default(),
        }
    }

    fn take<T: DeserializeOwned>(&mut self) -> Option<T> {
        let (value, rest) = postcard::take_from_bytes(self.bytes).ok()?;
        self.bytes = rest;
        Some(value)
    }

    /// Hands the next turn's events to `visit`; `None` past the end.
    pub(super) fn turn(&mut self, mut visit: impl FnMut(&Event)) -> Option<()> {
        let events: usize = self.take()?;
        for _ in 0..events {
            let event = self.take()?;
            visit(&self.context.absolute(&event));
        }
        Some(())
    }
}

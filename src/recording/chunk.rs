//! The encoded events of consecutive turns.

use std::ops::Range;
use std::sync::Arc;

use super::log::Checkpoint;
use super::stats::BinCounts;
use super::{IterationStart, encoding};
use crate::engine::{Clock, Event, Observer, WallRun};

/// Consecutive turns: their encoded events, in order, and the starts of iterations among them.
#[derive(Debug, Clone, Default)]
pub struct EventChunk {
    pub(super) bytes: Vec<u8>,
    pub(super) blocks: Vec<EventBlock>,
    pub(super) turns: u64,
    pub(super) events: u64,
    pub(super) iterations: Vec<IterationStart>,
    /// Offset in `bytes` at which the unfinished turn begins; the length of `bytes` if all turns are finished.
    turn: usize,
    /// Offset in `bytes` of the last event.
    event: usize,
    /// Encoding context of the current block.
    context: encoding::EventContext,
    /// Whether the current block can be extended by another turn.
    goes_on: bool,
    /// Statistics of the iterations in this chunk, if a [`Recorder`](super::Recorder) gathered them.
    pub(super) metrics: Option<BinCounts>,
    /// Copy of the growth at the end of this chunk, if a checkpoint was due.
    pub(super) checkpoint: Option<Arc<Checkpoint>>,
}

/// Compares the encoded events and the iterations, but not statistics and checkpoints. Chunks with the same events are
/// unequal if their events are divided into blocks in different ways.
impl PartialEq for EventChunk {
    fn eq(&self, other: &Self) -> bool {
        (&self.bytes, &self.blocks, &self.iterations, self.turns)
            == (&other.bytes, &other.blocks, &other.iterations, other.turns)
    }
}

impl Eq for EventChunk {}

/// The start of a group of turns that can be decoded without the turns before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventBlock {
    /// Number of the chunk's turns before the block.
    pub(super) turn: u64,
    /// Number of the chunk's bytes before the block.
    pub(super) offset: usize,
}

impl EventChunk {
    /// Returns the number of finished turns.
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the number of events, including those of the unfinished turn.
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Creates a chunk of finished turns from their encoded bytes, their blocks, the numbers of turns and events, and
    /// the starts of iterations.
    pub(super) fn from_parts(
        bytes: Vec<u8>,
        blocks: Vec<EventBlock>,
        turns: u64,
        events: u64,
        iterations: Vec<IterationStart>,
    ) -> Self {
        Self {
            turn: bytes.len(),
            event: bytes.len(),
            bytes,
            blocks,
            turns,
            events,
            iterations,
            context: encoding::EventContext::default(),
            goes_on: false,
            metrics: None,
            checkpoint: None,
        }
    }

    /// Returns the length of the finished turns in bytes.
    pub(super) const fn whole_bytes(&self) -> usize {
        self.turn
    }

    /// Returns the memory used by events, blocks and iterations, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + size_of_val(&self.blocks[..]) + size_of_val(&self.iterations[..])
    }

    /// Removes and returns the finished turns; keeps the events of the unfinished turn.
    #[must_use]
    pub fn take_turns(&mut self) -> Self {
        let pending = self.take_pending();
        let taken = std::mem::take(self);
        for event in pending {
            self.event(event);
        }
        taken
    }

    /// Removes and returns the events of the unfinished turn.
    pub(super) fn take_pending(&mut self) -> Vec<Event> {
        let mut pending = Vec::new();
        if self.turn < self.bytes.len()
            && let Some(block) = self.blocks.last().copied()
        {
            let under_way = self.bytes.len() - self.turn;
            let mut reader = encoding::EventReader::new(&self.bytes[block.offset..]);
            while reader.left() > 0 {
                let pending_now = reader.left() <= under_way;
                match reader.next() {
                    Some(read) if pending_now => pending.extend(read.event),
                    Some(_) => {}
                    None => break,
                }
            }
            self.bytes.truncate(self.turn);
            self.events -= pending.len() as u64;
            if block.turn == self.turns {
                self.blocks.pop();
            }
            self.goes_on = false;
        }
        pending
    }

    pub(super) fn append(&mut self, mut later: Self) {
        let pending = self.take_pending();
        if pending.is_empty() {
            let (turns, offset) = (self.turns, self.bytes.len());
            let moved = |block: EventBlock| EventBlock {
                turn: block.turn + turns,
                offset: block.offset + offset,
            };
            self.blocks.extend(later.blocks.into_iter().map(moved));
            self.bytes.append(&mut later.bytes);
            self.turns += later.turns;
            self.events += later.events;
            self.turn = offset + later.turn;
            self.event = offset + later.event;
            self.context = later.context;
            self.goes_on = later.goes_on;
        } else {
            // The unfinished turn continues in `later`, so the blocks of `later` cannot be appended as they are. Encode
            // the events of the unfinished turn again, and then all events of `later`.
            for event in pending {
                self.event(event);
            }
            let after = later.take_pending();
            for turn in 0..later.turns {
                later.walk(turn, turn + 1, |_, event| self.event(*event));
                self.end_turn();
            }
            for event in after {
                self.event(event);
            }
        }
        self.iterations.append(&mut later.iterations);
    }

    /// Begins a new block if one is due. Call before appending an event.
    #[inline]
    fn begin(&mut self) {
        self.event = self.bytes.len();
        if self.turn == self.event {
            let first = self.blocks.last().map_or(0, |block| block.turn);
            if !self.goes_on || self.turns - first >= encoding::TURNS_PER_BLOCK {
                self.begin_block();
            }
        }
    }

    #[cold]
    fn begin_block(&mut self) {
        self.blocks.push(EventBlock {
            turn: self.turns,
            offset: self.event,
        });
        self.context = encoding::EventContext::default();
        self.goes_on = true;
    }

    #[inline]
    pub(super) fn end_turn(&mut self) {
        if self.turn == self.bytes.len() {
            self.begin();
            encoding::write_nothing(&mut self.bytes);
        }
        encoding::end_turn(&mut self.bytes, self.event);
        self.turn = self.bytes.len();
        self.turns += 1;
    }

    /// Visits the events of the turns after `from` up to `to`, each with its turn, counted from 1.
    pub(super) fn walk(&self, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) {
        for block in self.blocks_of(from, to) {
            self.read(block, from, to, &mut visit);
        }
    }

    /// Visits the same events as [`Self::walk`], in reverse order.
    pub(super) fn walk_back(&self, from: u64, to: u64, mut visit: impl FnMut(&Event)) {
        let mut events = Vec::new();
        for block in self.blocks_of(from, to).rev() {
            self.read(block, from, to, |_, event| events.push(*event));
            events.drain(..).rev().for_each(|event| visit(&event));
        }
    }

    /// Returns whether all turns are finished.
    pub(super) const fn is_whole(&self) -> bool {
        self.turn == self.bytes.len()
    }

    /// Finds a portion of about `bytes` bytes of events that begins at `turn`. Returns the turn at which it ends, and
    /// its length in bytes.
    pub(super) fn portion(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let begin = self.blocks_of(turn, turn + 1).start;
        let Some(first) = self.blocks.get(begin) else {
            return (self.turns, 0);
        };
        let end = self
            .blocks
            .partition_point(|block| block.offset < first.offset.saturating_add(bytes));
        let end = self.blocks.get(end.max(begin + 1));
        end.map_or((self.turns, self.turn - first.offset), |end| {
            (end.turn, end.offset - first.offset)
        })
    }

    /// Finds a portion of about `bytes` bytes of events that ends at `turn`. Returns the turn at which it begins, and
    /// its length in bytes.
    pub(super) fn portion_back(&self, turn: u64, bytes: usize) -> (u64, usize) {
        let Some(last) = self.blocks.partition_point(|block| block.turn < turn).checked_sub(1) else {
            return (0, 0);
        };
        let end = self.blocks.get(last + 1).map_or(self.turn, |block| block.offset);
        let begin = self.blocks[..=last].partition_point(|block| block.offset.saturating_add(bytes) < end);
        let begin = self.blocks[begin.min(last)];
        (begin.turn, end - begin.offset)
    }

    /// Returns the indices of the blocks that contain the turns after `from` up to `to`.
    fn blocks_of(&self, from: u64, to: u64) -> Range<usize> {
        let after = |turn: u64| self.blocks.partition_point(|block| block.turn <= turn);
        after(from).saturating_sub(1)..self.blocks.partition_point(|block| block.turn < to)
    }

    fn read(&self, block: usize, from: u64, to: u64, mut visit: impl FnMut(u64, &Event)) {
        let EventBlock { turn, offset } = self.blocks[block];
        let end = self.blocks.get(block + 1).map_or(self.turn, |next| next.offset);
        let mut reader = encoding::EventReader::new(&self.bytes[offset..end]);
        let mut turn = turn + 1;
        while turn <= to
            && let Some(read) = reader.next()
        {
            if let Some(event) = &read.event
                && turn > from
            {
                visit(turn, event);
            }
            turn += u64::from(read.last);
        }
    }
}

impl Observer for EventChunk {
    #[expect(
        clippy::inline_always,
        reason = "measured: callers pass a known kind of event, so inlining removes the match"
    )]
    #[inline(always)]
    fn event(&mut self, event: Event) {
        self.begin();
        encoding::write(&event, &mut self.context, &mut self.bytes);
        self.events += 1;
    }

    #[inline]
    fn built(&mut self, run: WallRun) {
        self.begin();
        if encoding::write_run(&run, &mut self.context, &mut self.bytes) {
            self.events += u64::from(run.count());
        } else {
            run.events().for_each(|event| self.event(event));
        }
    }

    #[inline]
    fn turn_ended(&mut self, _: Clock) {
        self.end_turn();
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.iterations.push(IterationStart::of(clock));
    }
}

//! The dungeon at one moment: its squares and its Builders.
//!
//! A frame takes events forward and backward. It is a picture for views; it decides nothing.

use serde::{Deserialize, Serialize};

use crate::engine::{
    Birth, BuilderId, BuilderSnapshot, Death, Event, Grid, Mark, Opening, Tile, age_in, copy_on, drop_on,
};
use crate::geometry::{Forward, Point};

/// Whether a Builder sleeps, acts or is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuilderState {
    /// Not yet awake.
    Asleep,
    /// Takes its turns.
    Awake,
    /// Gone, and why.
    Dead(Death),
}

/// A Builder as it is at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameBuilder {
    /// How it started out.
    pub birth: Birth,
    /// Where it is.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Its opening.
    pub opening: Opening,
    /// What it does.
    pub state: BuilderState,
    /// Tiles that it has laid.
    pub laid: u32,
}

/// A dungeon at one moment.
///
/// It is saved as its squares and Builders; what follows from them is counted when it is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "FrameData")]
pub struct Frame {
    grid: Grid,
    builders: Vec<FrameBuilder>,
    /// A bit for each Builder that lives: few of the many that were born do.
    #[serde(skip_serializing)]
    alive: Vec<u64>,
    #[serde(skip_serializing)]
    awake: u32,
    #[serde(skip_serializing)]
    asleep: u32,
    /// Tiles laid by each generation.
    #[serde(skip_serializing)]
    tiles: Vec<u64>,
    /// Squares of each kind, and how many there were before anybody acted.
    #[serde(skip_serializing)]
    kinds: [u64; Tile::ALL.len()],
    first_kinds: [u64; Tile::ALL.len()],
}

/// What is read for a [`Frame`].
#[derive(Deserialize)]
struct FrameData {
    grid: Grid,
    builders: Vec<FrameBuilder>,
    first_kinds: [u64; Tile::ALL.len()],
}

/// A list is kept of what generations laid, so that its length is kept in bounds.
const LAST_GENERATION: u32 = 1 << 20;

impl TryFrom<FrameData> for Frame {
    type Error = String;

    fn try_from(wire: FrameData) -> Result<Self, String> {
        let mut frame = Self::new(wire.grid);
        frame.first_kinds = wire.first_kinds;
        for (id, shown) in wire.builders.iter().enumerate() {
            let generation = shown.birth.generation;
            if generation > LAST_GENERATION {
                return Err(format!("a Builder of generation {generation} cannot be"));
            }
            frame.note_alive(id, !matches!(shown.state, BuilderState::Dead(_)));
            match shown.state {
                BuilderState::Asleep => frame.asleep += 1,
                BuilderState::Awake => frame.awake += 1,
                BuilderState::Dead(_) => {}
            }
            if shown.laid > 0 {
                *frame.tiles_of(generation) += u64::from(shown.laid);
            }
        }
        frame.builders = wire.builders;
        Ok(frame)
    }
}

impl Frame {
    /// A dungeon without Builders.
    pub fn new(grid: Grid) -> Self {
        let mut kinds = [0; Tile::ALL.len()];
        for tile in grid.rows().flatten() {
            kinds[tile as usize] += 1;
        }
        Self {
            grid,
            builders: Vec::new(),
            alive: Vec::new(),
            awake: 0,
            asleep: 0,
            tiles: Vec::new(),
            kinds,
            first_kinds: kinds,
        }
    }

    /// A dungeon without squares, to become the copy of another.
    pub(super) fn empty() -> Self {
        Self::new(Grid::empty())
    }

    /// Forgets what it shows and keeps the memory.
    pub(super) fn clear_out(&mut self) {
        self.grid.clear_out();
        self.builders.clear();
        self.alive.clear();
        self.tiles.clear();
        (self.awake, self.asleep) = (0, 0);
    }

    /// Goes on to become what another shows, taking over at most about so many bytes, which are taken off; whether it
    /// is. It begins empty. Into memory that is there already the copying costs a third.
    pub(super) fn copy_on(&mut self, source: &Self, bytes: &mut usize) -> bool {
        let Self {
            grid,
            builders,
            alive,
            awake,
            asleep,
            tiles,
            kinds,
            first_kinds,
        } = source;
        if !self.grid.copy_on(grid, bytes) || !copy_on(&mut self.builders, builders, bytes) {
            return false;
        }
        self.alive.clone_from(alive);
        self.tiles.clone_from(tiles);
        (self.awake, self.asleep) = (*awake, *asleep);
        (self.kinds, self.first_kinds) = (*kinds, *first_kinds);
        true
    }

    /// Goes on to become the dungeon without Builders that another began as; whether it is. It begins empty.
    pub(super) fn begin_on(&mut self, grid: &Grid, other: &Self, bytes: &mut usize) -> bool {
        (self.kinds, self.first_kinds) = (other.first_kinds, other.first_kinds);
        self.grid.copy_on(grid, bytes)
    }

    /// Puts another grid in the place of its own, which it tells no more of.
    pub(super) const fn exchange_grid(&mut self, grid: Grid) -> Grid {
        std::mem::replace(&mut self.grid, grid)
    }

    /// Gives up a part of its memory, and what it shows; whether anything is left.
    pub(super) fn dismantle(&mut self, bytes: usize) -> bool {
        self.alive.clear();
        drop_on(&mut self.builders, bytes) || self.grid.dismantle(bytes)
    }

    /// The squares.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Every Builder so far, the dead included; the index is the number of its id.
    pub fn builders(&self) -> &[FrameBuilder] {
        &self.builders
    }

    /// A Builder by its id.
    pub fn builder(&self, id: BuilderId) -> Option<&FrameBuilder> {
        self.builders.get(id.0 as usize)
    }

    /// A Builder that is awake, as it stands before its turn of an iteration; `None` for all others. What it would do then
    /// says [`Ahead::of`](crate::engine::Ahead::of).
    pub fn standing(&self, id: BuilderId, iteration: u32) -> Option<BuilderSnapshot> {
        let builder = self
            .builder(id)
            .filter(|builder| builder.state == BuilderState::Awake)?;
        Some(BuilderSnapshot {
            kind: builder.birth.kind,
            generation: builder.birth.generation,
            at: builder.at,
            forward: builder.forward,
            direction: builder.birth.direction,
            opening: builder.opening,
            age: age_in(iteration, &builder.birth),
        })
    }

    /// The living, with their ids, in the order of their births.
    pub fn living(&self) -> impl Iterator<Item = (BuilderId, &FrameBuilder)> {
        let words = (0..).zip(&self.alive).filter(|(_, word)| **word != 0);
        let bits = words.flat_map(|(number, word)| {
            // From each with its lowest bit taken off to the next.
            let left = std::iter::successors(Some(*word), |left| Some(left & (left - 1)).filter(|left| *left != 0));
            left.map(move |left| number * u64::BITS + left.trailing_zeros())
        });
        bits.filter_map(|id| Some((BuilderId(id), self.builders.get(id as usize)?)))
    }

    fn note_alive(&mut self, id: usize, alive: bool) {
        let word = id / u64::BITS as usize;
        if self.alive.len() <= word {
            self.alive.resize(word + 1, 0);
        }
        let bit = 1 << (id % u64::BITS as usize);
        if alive {
            self.alive[word] |= bit;
        } else {
            self.alive[word] &= !bit;
        }
    }

    /// How many take turns.
    pub const fn awake(&self) -> u32 {
        self.awake
    }

    /// How many sleep.
    pub const fn asleep(&self) -> u32 {
        self.asleep
    }

    /// Tiles that each generation has laid, by generation; as long as the latest that laid any needs.
    pub fn tiles(&self) -> &[u64] {
        &self.tiles
    }

    /// How many squares are of each kind, in the order of [`Tile::ALL`].
    pub const fn kinds(&self) -> [u64; Tile::ALL.len()] {
        self.kinds
    }

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.grid.bytes()
            + size_of_val(&self.builders[..])
            + size_of_val(&self.alive[..])
            + size_of_val(&self.tiles[..])
    }

    /// Takes one event forward.
    pub(super) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Born { birth, .. } => {
                let Birth {
                    at, forward, opening, ..
                } = birth;
                self.note_alive(self.builders.len(), true);
                self.builders.push(FrameBuilder {
                    birth,
                    at,
                    forward,
                    opening,
                    state: BuilderState::Asleep,
                    laid: 0,
                });
                self.asleep += 1;
            }
            Event::Laid { builder, at, tile, .. } => self.lay(builder, at, tile),
            Event::Woke { builder } => self.become_state(builder, BuilderState::Awake),
            Event::Died { builder, cause } => self.become_state(builder, BuilderState::Dead(cause)),
            Event::Moved { builder, to, .. } => self.change(builder, |b| b.at = to),
            Event::Turned { builder, to, .. } => self.change(builder, |b| b.forward = to),
            Event::OpeningChanged { builder, to, .. } => self.change(builder, |b| b.opening = to),
            Event::Unborn { .. } | Event::Joined { .. } => {}
        }
    }

    /// Takes one event back; the events after it must have been taken back already.
    pub(super) fn revert(&mut self, event: &Event) {
        match *event {
            Event::Born { .. } => {
                self.builders.pop();
                self.asleep -= 1;
                let born = self.builders.len();
                self.note_alive(born, false);
                // As it was before, so that frames of the same moment are alike.
                self.alive.truncate(born.div_ceil(u64::BITS as usize));
            }
            Event::Laid {
                builder, at, before, ..
            } => {
                let laid = self.grid.set(at, before, Mark::Design);
                self.kinds[laid as usize] -= 1;
                self.kinds[before as usize] += 1;
                self.change(builder, |b| b.laid -= 1);
                let generation = self.generation_of(builder);
                if let Some(tiles) = self.tiles.get_mut(generation as usize) {
                    *tiles -= 1;
                }
                while self.tiles.last() == Some(&0) {
                    self.tiles.pop();
                }
            }
            Event::Woke { builder } => self.become_state(builder, BuilderState::Asleep),
            Event::Died { builder, .. } => self.become_state(builder, BuilderState::Awake),
            Event::Moved { builder, from, .. } => self.change(builder, |b| b.at = from),
            Event::Turned { builder, from, .. } => self.change(builder, |b| b.forward = from),
            Event::OpeningChanged { builder, from, .. } => self.change(builder, |b| b.opening = from),
            Event::Unborn { .. } | Event::Joined { .. } => {}
        }
    }

    fn lay(&mut self, builder: BuilderId, at: Point, tile: Tile) {
        let generation = self.generation_of(builder);
        let before = self.grid.set(at, tile, Mark::generation(generation));
        self.kinds[before as usize] -= 1;
        self.kinds[tile as usize] += 1;
        self.change(builder, |b| b.laid += 1);
        *self.tiles_of(generation) += 1;
    }

    /// The count of the tiles of a generation.
    fn tiles_of(&mut self, generation: u32) -> &mut u64 {
        let index = generation as usize;
        if self.tiles.len() <= index {
            self.tiles.resize(index + 1, 0);
        }
        &mut self.tiles[index]
    }

    fn generation_of(&self, builder: BuilderId) -> u32 {
        self.builder(builder).map_or(0, |b| b.birth.generation)
    }

    fn change(&mut self, id: BuilderId, change: impl FnOnce(&mut FrameBuilder)) {
        if let Some(builder) = self.builders.get_mut(id.0 as usize) {
            change(builder);
        }
    }

    fn become_state(&mut self, id: BuilderId, state: BuilderState) {
        let Some(builder) = self.builders.get_mut(id.0 as usize) else {
            return;
        };
        let before = std::mem::replace(&mut builder.state, state);
        if matches!(before, BuilderState::Dead(_)) || matches!(state, BuilderState::Dead(_)) {
            self.note_alive(id.0 as usize, !matches!(state, BuilderState::Dead(_)));
        }
        for (state, change) in [(before, -1), (state, 1)] {
            match state {
                BuilderState::Asleep => self.asleep = self.asleep.saturating_add_signed(change),
                BuilderState::Awake => self.awake = self.awake.saturating_add_signed(change),
                BuilderState::Dead(_) => {}
            }
        }
    }
}

impl FrameBuilder {
    /// Whether it is a ColumnJumper.
    pub fn is_jumper(&self) -> bool {
        self.birth.kind.is_jumper()
    }
}

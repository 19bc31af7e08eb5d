//! The dungeon after some turn of its growth: its squares and its Builders.
//!
//! A frame changes only by applying and reverting recorded events; it does not grow the dungeon itself.

use serde::{Deserialize, Serialize};

use super::Recording;
use crate::design::deserialize_checked;
use crate::engine::{Birth, BuilderId, BuilderSnapshot, Death, Event, Grid, Mark, Opening, Tile, age_in};
use crate::geometry::{Forward, Point};

/// The life stage of a Builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuilderState {
    /// Not yet awake.
    Asleep,
    /// Awake: acts in its turns.
    Awake,
    /// Dead, with the cause.
    Dead(Death),
}

/// A Builder at the turn of a [`Frame`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameBuilder {
    /// The Builder's values at birth, including its generation and Direction.
    pub birth: Birth,
    /// Square on which the Builder is now.
    pub at: Point,
    /// Current heading.
    pub forward: Forward,
    /// Current opening.
    pub opening: Opening,
    /// Whether the Builder is asleep, awake or dead.
    pub state: BuilderState,
    /// Number of tiles that the Builder has laid so far.
    pub laid: u32,
}

/// The dungeon after some turn of its growth.
///
/// Current counts of Builders and tiles are not serialized; deserialization recomputes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Frame {
    grid: Grid,
    builders: Vec<FrameBuilder>,
    /// One bit for each Builder, by id: 1 if it is alive. Most Builders are dead, so this speeds up visiting the
    /// living.
    #[serde(skip)]
    alive: Vec<u64>,
    #[serde(skip)]
    awake: u32,
    #[serde(skip)]
    asleep: u32,
    /// Number of tiles laid by each generation.
    #[serde(skip)]
    tiles: Vec<u64>,
    /// Current number of squares of each kind.
    #[serde(skip)]
    kinds: [u64; Tile::ALL.len()],
    /// Number of squares of each kind before any Builder acted.
    first_kinds: [u64; Tile::ALL.len()],
}

deserialize_checked!(Frame);

/// Highest generation that a deserialized frame may contain. It limits the length of `tiles`, which has an entry for
/// every generation.
const LAST_GENERATION: u32 = 1 << 20;

impl Frame {
    /// Recomputes the counts of a deserialized frame. Fails if a Builder's generation is above [`LAST_GENERATION`].
    fn checked(self) -> Result<Self, String> {
        let mut frame = Self {
            first_kinds: self.first_kinds,
            ..Self::new(self.grid)
        };
        for (id, shown) in self.builders.iter().enumerate() {
            let generation = shown.birth.generation;
            if generation > LAST_GENERATION {
                return Err(format!("no Builder can be of generation {generation}"));
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
        frame.builders = self.builders;
        Ok(frame)
    }

    /// Creates a dungeon without Builders.
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

    /// Returns the dungeon at turn 0. `recording` must be the recording to which this frame belongs.
    pub(super) fn restarted(&self, recording: &Recording) -> Self {
        let mut frame = Self {
            grid: recording.start().clone(),
            builders: Vec::new(),
            alive: Vec::new(),
            awake: 0,
            asleep: 0,
            tiles: Vec::new(),
            // Reuse the counts: counting the squares again would take longer than copying the grid.
            kinds: self.first_kinds,
            first_kinds: self.first_kinds,
        };
        for event in recording.events_of(0) {
            frame.apply(&event);
        }
        frame
    }

    /// Removes and returns the grid, leaving an empty one. The frame must not be used afterwards: its counts no longer
    /// match its grid.
    pub(super) fn take_grid(&mut self) -> Grid {
        std::mem::replace(&mut self.grid, Grid::empty())
    }

    /// Returns the squares of the dungeon.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns every Builder born so far, including dead ones. The index of a Builder is the number in its id.
    pub fn builders(&self) -> &[FrameBuilder] {
        &self.builders
    }

    /// Returns a Builder by its id.
    pub fn builder(&self, id: BuilderId) -> Option<&FrameBuilder> {
        self.builders.get(id.0 as usize)
    }

    /// Returns the state of a Builder before its turn in `iteration`; `None` unless the Builder is awake. From this
    /// state, [`TurnPrediction::of`](crate::engine::TurnPrediction::of) predicts what the Builder would do in the turn.
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

    /// Iterates over the living Builders with their ids, in order of birth.
    pub fn living(&self) -> impl Iterator<Item = (BuilderId, &FrameBuilder)> {
        let words = (0..).zip(&self.alive).filter(|(_, word)| **word != 0);
        let bits = words.flat_map(|(number, word)| {
            // Each step clears the lowest set bit.
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

    /// Returns the number of awake Builders.
    pub const fn awake(&self) -> u32 {
        self.awake
    }

    /// Returns the number of sleeping Builders.
    pub const fn asleep(&self) -> u32 {
        self.asleep
    }

    /// Returns the number of tiles laid by each generation, from generation 0 up to the highest that has laid a tile.
    pub fn tiles(&self) -> &[u64] {
        &self.tiles
    }

    /// Returns the number of squares of each kind, in the order of [`Tile::ALL`].
    pub const fn kinds(&self) -> [u64; Tile::ALL.len()] {
        self.kinds
    }

    /// Returns the memory that the frame uses, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.grid.bytes()
            + size_of_val(&self.builders[..])
            + size_of_val(&self.alive[..])
            + size_of_val(&self.tiles[..])
    }

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

    /// Reverts an event. All later events must already have been reverted.
    pub(super) fn revert(&mut self, event: &Event) {
        match *event {
            Event::Born { .. } => {
                self.builders.pop();
                self.asleep -= 1;
                let born = self.builders.len();
                self.note_alive(born, false);
                // Restore the former length, so that two frames at the same turn compare equal.
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

    /// Returns the tile count of a generation, extending the list of counts if necessary.
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

//! The dungeon at one moment: its squares and its Builders.
//!
//! A frame takes events forward and backward. It is a picture for views; it decides nothing.

use crate::engine::{Birth, BuilderId, Death, Event, Grid, Kind, Mark, Opening, Tile};
use crate::geometry::{Forward, Point};

/// Whether a Builder sleeps, acts or is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Not yet awake.
    Asleep,
    /// Takes its turns.
    Awake,
    /// Gone, and why.
    Dead(Death),
}

/// A Builder as it is at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// How it started out.
    pub birth: Birth,
    /// Where it is.
    pub at: Point,
    /// Its heading.
    pub forward: Forward,
    /// Its opening.
    pub opening: Opening,
    /// What it does.
    pub state: State,
    /// Tiles that it has laid.
    pub laid: u32,
}

/// A dungeon at one moment.
#[derive(Debug, PartialEq, Eq)]
pub struct Frame {
    grid: Grid,
    builders: Vec<Shown>,
    awake: u32,
    asleep: u32,
    /// Tiles laid by each generation.
    tiles: Vec<u64>,
    /// Squares of each kind, and how many there were before anybody acted.
    kinds: [u64; Tile::ALL.len()],
    first_kinds: [u64; Tile::ALL.len()],
}

impl Clone for Frame {
    fn clone(&self) -> Self {
        Self {
            grid: self.grid.clone(),
            builders: self.builders.clone(),
            tiles: self.tiles.clone(),
            ..*self
        }
    }

    /// Into memory that is there already: seeking does it often, and new memory costs more than the copying.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            grid,
            builders,
            awake,
            asleep,
            tiles,
            kinds,
            first_kinds,
        } = source;
        self.grid.clone_from(grid);
        self.builders.clone_from(builders);
        self.tiles.clone_from(tiles);
        (self.awake, self.asleep) = (*awake, *asleep);
        (self.kinds, self.first_kinds) = (*kinds, *first_kinds);
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
            awake: 0,
            asleep: 0,
            tiles: Vec::new(),
            kinds,
            first_kinds: kinds,
        }
    }

    /// Becomes the dungeon without Builders again that it began as, in the memory that is there.
    pub(super) fn restart(&mut self, grid: &Grid) {
        self.grid.clone_from(grid);
        self.builders.clear();
        self.tiles.clear();
        (self.awake, self.asleep) = (0, 0);
        self.kinds = self.first_kinds;
    }

    /// The squares.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Every Builder so far, the dead included; the index is the number of its id.
    pub fn builders(&self) -> &[Shown] {
        &self.builders
    }

    /// A Builder by its id.
    pub fn builder(&self, id: BuilderId) -> Option<&Shown> {
        self.builders.get(id.0 as usize)
    }

    /// The living, with their ids.
    pub fn living(&self) -> impl Iterator<Item = (BuilderId, &Shown)> {
        let alive = |(id, shown): (usize, _)| (BuilderId(id as u32), shown);
        self.builders
            .iter()
            .enumerate()
            .filter(|(_, b)| !matches!(b.state, State::Dead(_)))
            .map(alive)
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
        self.grid.bytes() + size_of_val(&self.builders[..]) + size_of_val(&self.tiles[..])
    }

    /// Takes one event forward.
    pub(super) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Born { birth, .. } => {
                let Birth {
                    at, forward, opening, ..
                } = birth;
                self.builders.push(Shown {
                    birth,
                    at,
                    forward,
                    opening,
                    state: State::Asleep,
                    laid: 0,
                });
                self.asleep += 1;
            }
            Event::Laid { builder, at, tile, .. } => self.lay(builder, at, tile),
            Event::Woke { builder } => self.become_state(builder, State::Awake),
            Event::Died { builder, cause } => self.become_state(builder, State::Dead(cause)),
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
            Event::Woke { builder } => self.become_state(builder, State::Asleep),
            Event::Died { builder, .. } => self.become_state(builder, State::Awake),
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
        let index = generation as usize;
        if self.tiles.len() <= index {
            self.tiles.resize(index + 1, 0);
        }
        self.tiles[index] += 1;
    }

    fn generation_of(&self, builder: BuilderId) -> u32 {
        self.builder(builder).map_or(0, |b| b.birth.generation)
    }

    fn change(&mut self, id: BuilderId, change: impl FnOnce(&mut Shown)) {
        if let Some(builder) = self.builders.get_mut(id.0 as usize) {
            change(builder);
        }
    }

    fn become_state(&mut self, id: BuilderId, state: State) {
        let Some(builder) = self.builders.get_mut(id.0 as usize) else {
            return;
        };
        let before = std::mem::replace(&mut builder.state, state);
        for (state, change) in [(before, -1), (state, 1)] {
            match state {
                State::Asleep => self.asleep = self.asleep.saturating_add_signed(change),
                State::Awake => self.awake = self.awake.saturating_add_signed(change),
                State::Dead(_) => {}
            }
        }
    }
}

impl Shown {
    /// Whether it is a ColumnJumper.
    pub fn is_jumper(&self) -> bool {
        self.birth.kind == Kind::Jumper
    }
}

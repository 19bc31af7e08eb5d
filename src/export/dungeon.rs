//! The input of every export: a dungeon at one turn of its recording, with its squares, the Builder and turn of each
//! tile, its Builders, rooms and doors, and the path through it.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{ExportError, ProgressCallback};
use crate::analysis::{GrowthMetrics, Metrics, MetricsCalculator, Scene};
use crate::design::expect::PlaceName;
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault, SitePlace, ValidDesign, VaultContent};
use crate::engine::stage_one::{self, BuiltRoom};
use crate::engine::{BuilderId, Clock, Event, Grid, Mark, Options, Tile};
use crate::geometry::{Point, Size};
use crate::recording::{Frame, Playback, Recording, TileOrigins};
use crate::recording_file::title_of;

/// Number of iterations between two calls of the progress callback during growth.
const ITERATIONS: u32 = 16;

/// The room or vault that a door belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoorOf {
    /// The room with this index in the design, and the site of the door in the room's wall.
    Room(usize, SitePlace),
    /// The vault with this index in the design, and the door's feature.
    Vault(usize, Feature),
}

/// A door and its squares, ordered along the wall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Door {
    /// The room or vault that the door belongs to.
    pub of: DoorOf,
    /// All squares of the door. Another room's wall or a Crawler may have closed some of them.
    pub squares: Vec<Point>,
}

/// A dungeon at one turn of its recording.
#[derive(Debug)]
pub struct DungeonView<'a> {
    design: ValidDesign,
    recording: &'a Recording,
    frame: Frame,
    origins: TileOrigins,
    turn: u64,
    rooms: Vec<BuiltRoom>,
    doors: Vec<Door>,
    metrics: Metrics,
    /// Calculator of the metrics; also contains the distances from the entrance.
    calculator: MetricsCalculator,
}

impl<'a> DungeonView<'a> {
    /// Grows a design to the end and returns its recording. Calls `watch` every 16 iterations with the number of turns
    /// so far and a total of 0, since the total is unknown.
    ///
    /// # Errors
    ///
    /// Returns [`ExportError::Interrupted`] if `watch` returns [`ControlFlow::Break`].
    pub fn grow(
        design: &ValidDesign,
        options: Options,
        watch: &mut ProgressCallback<'_>,
    ) -> Result<Recording, ExportError> {
        let (mut growth, mut recording) = Recording::begin(design, options);
        let mut iterations = 0;
        while growth.iteration(&mut recording) {
            iterations += 1;
            if iterations % ITERATIONS == 0 && watch(growth.clock().turn, 0) == ControlFlow::Break(()) {
                return Err(ExportError::Interrupted);
            }
        }
        recording.finish();
        Ok(recording)
    }

    /// Returns the dungeon after `turn` turns of a recording of `design`.
    pub fn new(design: &ValidDesign, recording: &'a Recording, turn: u64) -> Self {
        let mut cursor = Playback::new(recording);
        cursor.seek(recording, turn);
        let frame = cursor.frame().clone();
        let mut origins = TileOrigins::new(recording);
        origins.read_on(recording, cursor.turn());
        let built = stage_one::build(design);
        let of_rooms = built.doors.into_iter().map(|door| Door {
            of: DoorOf::Room(door.room, door.site),
            squares: door.squares,
        });
        let of_vaults = design.placed().iter().flat_map(|piece| {
            let doors = piece.features().filter(|(_, feature)| feature.class() == Class::Door);
            doors.map(|(at, feature)| Door {
                of: DoorOf::Vault(piece.vault, feature),
                squares: vec![at],
            })
        });
        let doors = of_rooms.chain(of_vaults).collect();
        let mut calculator = MetricsCalculator::new();
        let mut metrics = calculator.measure(frame.grid(), &Scene::of(design, &built.rooms));
        let mut unborn = 0;
        recording.walk(0, cursor.turn(), |_, event| {
            unborn += u32::from(matches!(event, Event::Unborn { .. }));
        });
        metrics.life = Some(GrowthMetrics {
            builders: frame.builders().len() as u32,
            unborn,
            iterations: recording.iteration_at(cursor.turn()),
        });
        Self {
            metrics,
            calculator,
            turn: cursor.turn(),
            design: design.clone(),
            recording,
            frame,
            origins,
            rooms: built.rooms,
            doors,
        }
    }

    /// Returns the design that the dungeon grew from.
    pub const fn design(&self) -> &ValidDesign {
        &self.design
    }

    /// Returns the recording of the dungeon's growth.
    pub const fn recording(&self) -> &'a Recording {
        self.recording
    }

    /// Returns the tiles and their marks.
    pub const fn grid(&self) -> &Grid {
        self.frame.grid()
    }

    /// Returns the number of rows and columns.
    pub const fn size(&self) -> Size {
        self.grid().size()
    }

    /// Returns the tiles and Builders at this turn.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns the clock at this turn: turn, iteration and generation.
    pub fn clock(&self) -> Clock {
        self.recording.clock_at(self.turn)
    }

    /// Returns the rooms that were built before growth.
    pub fn rooms(&self) -> &[BuiltRoom] {
        &self.rooms
    }

    /// Returns the doors: those of the rooms, then those of the vaults.
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// Returns the named places that lie inside the dungeon, with their squares. Places with an invalid name are
    /// omitted.
    pub fn places(&self) -> impl Iterator<Item = (&str, Point)> {
        let design = self.design();
        design.layout.places.iter().filter_map(|place| {
            PlaceName::new(&place.name)?;
            let at = design.layout.square_of(place, design.pieces())?;
            design.layout.size.contains(at).then_some((place.name.trim(), at))
        })
    }

    /// Returns the metrics at this turn, including the path from the entrance to the exit.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the number of steps from the entrance to a square; `None` for unreachable squares, where no object
    /// should be placed.
    pub fn steps(&self, at: Point) -> Option<u32> {
        self.calculator.steps_to(at)
    }

    /// Returns every square, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Point> + use<> {
        self.size().points()
    }

    /// Returns the generation of the Builder that laid the tile of a square; `None` for tiles of the design.
    pub fn generation(&self, at: Point) -> Option<u32> {
        match self.grid().mark(at) {
            Mark::Design => None,
            // All late generations share one mark; the exact number is stored with the Builder's birth.
            Mark::Generation(Mark::LAST) => self.laid(at).and_then(|(id, _)| {
                let builder = self.frame.builder(id)?;
                Some(builder.birth.generation)
            }),
            Mark::Generation(generation) => Some(u32::from(generation)),
        }
    }

    /// Returns the Builder that laid the tile of a square, and the turn in which it laid the tile, counted from 1.
    pub fn laid(&self, at: Point) -> Option<(BuilderId, u64)> {
        let origin = self.origins.of(at, self.turn)?;
        Some((origin.builder, origin.turn))
    }

    /// Returns the Builder at the beginning of the line of descent of the Builder that laid the tile of a square: a
    /// Crawler or Jumper without a parent.
    pub fn line(&self, at: Point) -> Option<BuilderId> {
        self.laid(at).map(|(id, _)| self.origins.first_of(id))
    }

    /// Returns the feature that a vault places on a square; `None` if no vault occupies the square, or if the square's
    /// tile does not match the feature.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        let feature = self.design.feature(at)?;
        let is_open = self.grid().tile(at).is_open();
        (is_open != PlacedVault::is_wall(feature)).then_some(feature)
    }

    /// Returns the contents, other than features, of the placed vaults, each with its vault's index in the design.
    pub fn contents(&self) -> impl Iterator<Item = (usize, &VaultContent)> {
        let placed = self.design.placed().iter();
        placed.flat_map(|piece| piece.contents.iter().map(move |content| (piece.vault, content)))
    }

    /// Returns the contents, other than a feature, that a vault places on a square.
    pub fn contents_at(&self, at: Point) -> impl Iterator<Item = &VaultContent> {
        let piece = self.design.vault_at(at).filter(|_| self.feature(at).is_some());
        piece.into_iter().flat_map(move |piece| piece.contents_at(at))
    }

    /// Returns the number of completed turns.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// Returns a title: the design's name (`A dungeon` if empty) and its seed.
    pub fn title(&self) -> String {
        title_of(&self.design)
    }

    /// Returns whether a square is inside the dungeon and open.
    pub(super) fn is_open(&self, at: Point) -> bool {
        self.size().contains(at) && self.grid().tile(at).is_open()
    }

    /// Returns the tile of a square.
    pub(super) fn tile(&self, at: Point) -> Tile {
        self.grid().tile(at)
    }
}

impl Door {
    /// Returns the runs of adjacent open squares of the door. Each run also has the two squares next to its ends along
    /// the wall: one before its first square, and one after its last square. These two squares are closed or do not
    /// belong to the door.
    pub(super) fn runs(&self, dungeon: &DungeonView<'_>) -> Vec<Run> {
        let squares = &self.squares;
        let mut runs: Vec<Run> = Vec::new();
        let mut last = None;
        for (i, &at) in squares.iter().enumerate() {
            if !dungeon.is_open(at) {
                continue;
            }
            let joins = last.is_some_and(|last| last + 1 == i && are_neighbours(squares[last], at));
            match runs.last_mut() {
                Some(run) if joins => run.squares.push(at),
                _ => runs.push(Run {
                    before: Point::new(0, 0),
                    squares: vec![at],
                    behind: Point::new(0, 0),
                }),
            }
            last = Some(i);
        }
        for run in &mut runs {
            let (first, last) = (run.squares[0], run.squares[run.squares.len() - 1]);
            let neighbour = |of: Point, not: Option<Point>| {
                let others = squares
                    .iter()
                    .filter(|at| are_neighbours(**at, of) && Some(**at) != not);
                others.copied().find(|at| !run.squares.contains(at))
            };
            // Returns the square on the other side of `of`, opposite `from`. The three squares lie in a straight line.
            let across = |of: Point, from: Point| Point::new(2 * of.x - from.x, 2 * of.y - from.y);
            let second = run.squares.get(1).copied();
            let last_but_one = run.squares.len().checked_sub(2).map(|i| run.squares[i]);
            let before = neighbour(first, second).or_else(|| second.map(|second| across(first, second)));
            let before = before.unwrap_or_else(|| {
                // The door has one square. If the squares to the left and right of the door are closed, or if the
                // square above it is open, the wall runs from left to right; otherwise from top to bottom.
                let beside = Point::new(first.x, first.y - 1);
                let above = Point::new(first.x - 1, first.y);
                let is_across = !dungeon.is_open(beside) && !dungeon.is_open(across(first, beside));
                if is_across || dungeon.is_open(above) {
                    beside
                } else {
                    above
                }
            });
            let behind = match last_but_one {
                Some(inner) => neighbour(last, Some(inner)).unwrap_or_else(|| across(last, inner)),
                None => across(last, before),
            };
            (run.before, run.behind) = (before, behind);
        }
        runs
    }

    /// Returns whether the door is shut. Doors of rooms are always shut; a door of a vault is shut if its feature is
    /// one of the shut doors.
    pub fn is_shut(&self) -> bool {
        match self.of {
            DoorOf::Room(..) => true,
            DoorOf::Vault(_, feature) => feature.is_shut_door(),
        }
    }
}

/// A run of adjacent open squares of a door, and the two squares next to its ends along the wall: one before its first
/// square, and one after its last square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) before: Point,
    pub(super) squares: Vec<Point>,
    pub(super) behind: Point,
}

impl Run {
    /// Returns the straight segments that close the run, from the wall before its first square through the centres of
    /// its squares to the wall after its last square. Coordinates are in half squares.
    pub(super) fn leaves(&self) -> Vec<[Point; 2]> {
        let middle = |at: Point| Point::new(2 * at.x + 1, 2 * at.y + 1);
        // The edge between two adjacent squares lies half way between their centres.
        let edge = |a: Point, b: Point| Point::new(a.x + b.x + 1, a.y + b.y + 1);
        let (first, last) = (self.squares[0], self.squares[self.squares.len() - 1]);
        let mut points = vec![edge(self.before, first)];
        points.extend(self.squares.iter().map(|at| middle(*at)));
        points.push(edge(last, self.behind));
        let mut leaves: Vec<[Point; 2]> = Vec::new();
        for pair in points.windows(2) {
            let goes_on = |leaf: &&mut [Point; 2]| {
                (leaf[0].x == leaf[1].x && leaf[1].x == pair[1].x) || (leaf[0].y == leaf[1].y && leaf[1].y == pair[1].y)
            };
            match leaves.last_mut().filter(goes_on) {
                Some(leaf) => leaf[1] = pair[1],
                None => leaves.push([pair[0], pair[1]]),
            }
        }
        leaves
    }

    /// Returns the squares of the run as horizontal and vertical lines, each given by its top left and bottom right
    /// squares.
    pub(super) fn rows(&self) -> Vec<[Point; 2]> {
        let mut rows: Vec<[Point; 2]> = Vec::new();
        for &at in &self.squares {
            let goes_on = |row: &&mut [Point; 2]| {
                (row[0].x == at.x && row[1].x == at.x) || (row[0].y == at.y && row[1].y == at.y)
            };
            match rows.last_mut().filter(goes_on) {
                Some(row) => {
                    row[0] = Point::new(row[0].x.min(at.x), row[0].y.min(at.y));
                    row[1] = Point::new(row[1].x.max(at.x), row[1].y.max(at.y));
                }
                None => rows.push([at, at]),
            }
        }
        rows
    }
}

fn are_neighbours(a: Point, b: Point) -> bool {
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y) == 1
}

//! All that is known about a dungeon at one moment: its squares, who laid them and when, its Builders, rooms, doors and
//! the way through it.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::{ExportError, ProgressCallback};
use crate::analysis::{GrowthMetrics, Metrics, MetricsCalculator, Scene};
use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault, SitePlace, ValidDesign};
use crate::engine::stage_one::{self, BuiltRoom};
use crate::engine::{BuilderId, Clock, Event, Grid, Growth, Mark, Options, Tile};
use crate::geometry::{Point, Size};
use crate::recording::{EventChunk, Frame, Playback, Recording, TileOrigins};

/// Iterations between two looks at the watch while a dungeon grows.
const ITERATIONS: u32 = 16;

/// What a door belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoorOf {
    /// One of the design's rooms, at a place in its wall.
    Room(usize, SitePlace),
    /// One of the design's vaults; what the door is.
    Vault(usize, Feature),
}

/// A door, with the squares of it on which one can walk, in the order of a walk along the wall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Door {
    /// What it belongs to.
    pub of: DoorOf,
    /// All of its squares. Some may have been closed: by another room's wall, by a Crawler.
    pub squares: Vec<Point>,
}

/// A dungeon at one moment of its recording.
#[derive(Debug)]
pub struct DungeonView<'a> {
    design: ValidDesign,
    recording: &'a Recording,
    frame: Frame,
    origins: TileOrigins,
    turn: u64,
    rooms: Vec<BuiltRoom>,
    doors: Vec<Door>,
    figures: Metrics,
    /// Keeps how far squares are from the entrance.
    judge: MetricsCalculator,
}

impl<'a> DungeonView<'a> {
    /// The recording of a whole growth. `watch` is told the turns; how many there will be nobody knows, so that all
    /// are 0.
    ///
    /// # Errors
    ///
    /// When the watch ends it.
    pub fn grow(
        design: &ValidDesign,
        options: Options,
        watch: &mut ProgressCallback<'_>,
    ) -> Result<Recording, ExportError> {
        let mut prelude = EventChunk::default();
        let mut growth = Growth::new(design, options, &mut prelude);
        let mut recording = Recording::new(growth.grid().clone(), prelude);
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

    /// The dungeon that a design became, after so many turns of its recording.
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
        let of_vaults = design.pieces().iter().flat_map(|piece| {
            let doors = piece.features().filter(|(_, feature)| feature.class() == Class::Door);
            doors.map(|(at, feature)| Door {
                of: DoorOf::Vault(piece.vault, feature),
                squares: vec![at],
            })
        });
        let doors = of_rooms.chain(of_vaults).collect();
        let mut judge = MetricsCalculator::new();
        let mut figures = judge.judge(frame.grid(), &Scene::new(design));
        let mut unborn = 0;
        recording.walk(0, cursor.turn(), |_, event| {
            unborn += u32::from(matches!(event, Event::Unborn { .. }));
        });
        figures.life = Some(GrowthMetrics {
            builders: frame.builders().len() as u32,
            unborn,
            iterations: recording.iteration_at(cursor.turn()),
        });
        Self {
            figures,
            judge,
            turn: cursor.turn(),
            design: design.clone(),
            recording,
            frame,
            origins,
            rooms: built.rooms,
            doors,
        }
    }

    /// The design that it grew from.
    pub const fn design(&self) -> &ValidDesign {
        &self.design
    }

    /// Its history.
    pub const fn recording(&self) -> &'a Recording {
        self.recording
    }

    /// Its squares.
    pub const fn grid(&self) -> &Grid {
        self.frame.grid()
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.grid().size()
    }

    /// Its squares and Builders.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The moment.
    pub fn clock(&self) -> Clock {
        self.recording.clock_at(self.turn)
    }

    /// Its rooms that stand.
    pub fn rooms(&self) -> &[BuiltRoom] {
        &self.rooms
    }

    /// Its doors.
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// What it is like, the way through it among it.
    pub const fn figures(&self) -> &Metrics {
        &self.figures
    }

    /// Steps from the entrance to a square; `None` where no way leads, so that nothing should be placed there.
    pub fn steps(&self, at: Point) -> Option<u32> {
        self.judge.steps_to(at)
    }

    /// Every square, row by row.
    pub fn squares(&self) -> impl Iterator<Item = Point> + use<> {
        let Size { x, y } = self.size();
        (0..x).flat_map(move |row| (0..y).map(move |column| Point::new(row, column)))
    }

    /// The generation that laid what stands on a square.
    pub fn generation(&self, at: Point) -> Option<u32> {
        match self.grid().mark(at) {
            Mark::Design => None,
            // Late generations share a mark; their Builders know better.
            Mark::Generation(Mark::LAST) => self.laid(at).and_then(|(id, _)| {
                let builder = self.frame.builder(id)?;
                Some(builder.birth.generation)
            }),
            Mark::Generation(generation) => Some(u32::from(generation)),
        }
    }

    /// The Builder that laid what stands on a square, and the turn in which it did, counted from 1.
    pub fn laid(&self, at: Point) -> Option<(BuilderId, u64)> {
        let origin = self.origins.of(at, self.turn)?;
        Some((origin.builder, origin.turn))
    }

    /// The first Crawler from which the Builder of a square descends.
    pub fn line(&self, at: Point) -> Option<BuilderId> {
        self.laid(at).map(|(id, _)| self.origins.first_of(id))
    }

    /// What a vault puts on a square, where it is still so: one that has no place leaves the squares to others.
    pub fn feature(&self, at: Point) -> Option<Feature> {
        let feature = self.design.feature(at)?;
        let is_open = self.grid().tile(at).is_open();
        (is_open != PlacedVault::is_wall(feature)).then_some(feature)
    }

    /// Turns that are over.
    pub const fn turn(&self) -> u64 {
        self.turn
    }

    /// A title for people: the design's name and its seed.
    pub fn title(&self) -> String {
        let name = self.design.name.trim();
        let name = if name.is_empty() { "A dungeon" } else { name };
        format!("{name}, seed {}", self.design.seed)
    }

    /// Whether a square stands open.
    pub(super) fn is_open(&self, at: Point) -> bool {
        self.size().contains(at) && self.grid().tile(at).is_open()
    }

    /// What stands on a square.
    pub(super) fn tile(&self, at: Point) -> Tile {
        self.grid().tile(at)
    }
}

impl Door {
    /// Its squares that are open, in runs of neighbours, each with the squares before and behind it along the wall that
    /// are not, or not of the door.
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
            // Straight on from the other side, where the door ends.
            let across = |of: Point, from: Point| Point::new(2 * of.x - from.x, 2 * of.y - from.y);
            let second = run.squares.get(1).copied();
            let last_but_one = run.squares.len().checked_sub(2).map(|i| run.squares[i]);
            let before = neighbour(first, second).or_else(|| second.map(|second| across(first, second)));
            let before = before.unwrap_or_else(|| {
                // A single square stands between the walls at its sides.
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

    /// Whether it is shut: doors of rooms are shut, those of vaults as they say.
    pub fn is_shut(&self) -> bool {
        match self.of {
            DoorOf::Room(..) => true,
            DoorOf::Vault(_, feature) => feature.is_shut_door(),
        }
    }
}

/// Open squares of a door, and where they end along the wall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) before: Point,
    pub(super) squares: Vec<Point>,
    pub(super) behind: Point,
}

impl Run {
    /// The straight lines that close it, from the wall before through the middles of its squares to the wall behind,
    /// in half squares.
    pub(super) fn leaves(&self) -> Vec<[Point; 2]> {
        let middle = |at: Point| Point::new(2 * at.x + 1, 2 * at.y + 1);
        // Half way between two middles lies the edge between their squares.
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

    /// The same squares in straight rows, each by its left top and right bottom square.
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

//! A grown dungeon for games: its tiles, its rooms and doors, and the path through it.
//!
//! One call grows a [`Maze`] from a design and a seed; the result is plain data. To show the growth, iterate over the
//! [iterations](Growth::iterations) of a [`Growth`]; to show the dungeon after any turn, make a
//! [recording](crate::recording). Metrics take more time than the growth itself, so they are computed on first use.

mod grower;

pub use self::grower::{LevelFiles, MazeGrower};

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::analysis::{MetricParts, Metrics, MetricsCalculator, Scene};
use crate::design::{Design, Diagnostic, Feature, InvalidDesign, ValidDesign, deserialize_checked};
use crate::engine::stage_one::{self, BuiltDoor, BuiltRoom};
use crate::engine::{Clock, Grid, Growth, Mark, Options, Tile};
use crate::geometry::{Point, Size};

/// A grown dungeon. [`Display`](fmt::Display) writes it as text, one line per row: see [`Tile::plain`].
///
/// The squares are serialized, so that a saved game keeps its maze even if a later release grows the design
/// differently.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct Maze {
    design: ValidDesign,
    grid: Grid,
    clock: Clock,
    diagnostics: Vec<Diagnostic>,
    #[serde(skip)]
    plan: OnceLock<Arc<BuiltPlan>>,
    #[serde(skip)]
    measured: OnceLock<Arc<MazeMetrics>>,
}

deserialize_checked!(Maze);

/// The rooms and doors built by stage one.
#[derive(Debug)]
struct BuiltPlan {
    rooms: Vec<BuiltRoom>,
    doors: Vec<BuiltDoor>,
}

#[derive(Debug)]
struct MazeMetrics {
    metrics: Metrics,
    /// Contains the distance of every square from the entrance.
    calculator: MetricsCalculator,
}

impl Maze {
    /// Checks a deserialized maze: the grid must have the size that the design states.
    fn checked(self) -> Result<Self, String> {
        let (size, wanted) = (self.grid.size(), self.design.layout.size);
        if size != wanted {
            return Err(format!("the dungeon has {size} squares, but its design has {wanted}"));
        }
        Ok(self)
    }

    /// Grows a design from `seed`, ignoring the design's own seed. The same design and seed yield the same maze on
    /// every machine.
    ///
    /// With the feature `vaults`, the design's vaults are resolved from the level files that come with the crate. Pass
    /// other level files to [`Self::grow_with`]. A vault that cannot be placed is left out, and [`Self::diagnostics`]
    /// explains why.
    ///
    /// # Errors
    ///
    /// Fails if the design cannot be grown, for one of these reasons:
    ///
    /// * Its dimensions are out of range or, on a 32-bit machine, too large.
    /// * It has more than 1,000 expectations.
    /// * A vault is in a level file that is not available.
    /// * The Lua code of a vault reached the time limit before its instruction limit, so the result would depend on the
    ///   machine.
    /// * The design has vaults, and the feature `vaults` is disabled.
    pub fn grow(design: &Design, seed: u64) -> Result<Self, InvalidDesign> {
        Self::grow_with(design, seed, &LevelFiles::default())
    }

    /// Grows a design whose vaults are in `levels` or in the level files that come with the crate; see [`Self::grow`].
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`Self::grow`].
    pub fn grow_with(design: &Design, seed: u64, levels: &LevelFiles) -> Result<Self, InvalidDesign> {
        let (design, diagnostics) = MazeGrower::new(design, levels.clone())?.design(seed)?;
        let mut maze = Self::of(&design);
        maze.diagnostics.splice(..0, diagnostics);
        Ok(maze)
    }

    /// Grows a validated design from its own seed. Resolves no vaults: the dungeon contains only those that
    /// [`ValidDesign::with_pieces`] added to the design.
    pub fn of(design: &ValidDesign) -> Self {
        let mut growth = Growth::new(design, Options::default(), &mut ());
        growth.finish(&mut ());
        Self::grown(design, &growth)
    }

    /// Returns the maze of a finished growth.
    fn grown(design: &ValidDesign, growth: &Growth) -> Self {
        Self {
            design: design.clone(),
            grid: growth.grid().clone(),
            clock: growth.clock(),
            diagnostics: growth.diagnostics().to_vec(),
            plan: OnceLock::from(Arc::new(BuiltPlan {
                rooms: growth.rooms().to_vec(),
                doors: growth.doors().to_vec(),
            })),
            measured: OnceLock::new(),
        }
    }

    /// Returns the design from which the maze grew; the design's seed is the seed of the maze.
    pub const fn design(&self) -> &ValidDesign {
        &self.design
    }

    /// Returns the diagnostics of the design: they report what was changed or left out in order to grow it, and warn
    /// about other problems, such as expectations that cannot be parsed.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the clock at the end of the growth, after the death of the last Builder.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the numbers of rows and columns.
    pub const fn size(&self) -> Size {
        self.grid.size()
    }

    /// Returns the squares as a grid.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Iterates over all squares and their tiles, row by row, each row from left to right.
    pub fn tiles(&self) -> impl Iterator<Item = (Point, Tile)> {
        let rows = (0..).zip(self.grid.rows());
        rows.flat_map(|(x, row)| (0..).zip(row).map(move |(y, tile)| (Point::new(x, y), tile)))
    }

    /// Returns the tile on a square, given as `(row, column)` or [`Point`]; [`Tile::Wall`] for a square outside the
    /// dungeon.
    pub fn tile(&self, at: impl Into<Point>) -> Tile {
        self.grid.tile(at.into())
    }

    /// Returns whether a square can be walked on.
    pub fn is_open(&self, at: impl Into<Point>) -> bool {
        self.tile(at).is_open()
    }

    /// Returns the generation of the Builder that laid the tile on a square; `None` for tiles of the design and for
    /// open squares. All generations from [`Mark::LAST`] on are returned as [`Mark::LAST`].
    pub fn generation(&self, at: impl Into<Point>) -> Option<u8> {
        match self.grid.mark(at.into()) {
            Mark::Design => None,
            Mark::Generation(generation) => Some(generation),
        }
    }

    /// Returns the feature that a placed vault has on a square, such as an altar, water or stairs.
    pub fn feature(&self, at: impl Into<Point>) -> Option<Feature> {
        self.design.feature(at.into())
    }

    /// Returns the rooms that stage one built.
    pub fn rooms(&self) -> &[BuiltRoom] {
        &self.plan().rooms
    }

    /// Returns the doors of the rooms as stage one built them. Another room or a Crawler may have closed some or all of
    /// a door's squares since then; see [`Self::open_squares`].
    pub fn doors(&self) -> &[BuiltDoor] {
        &self.plan().doors
    }

    /// Iterates over the squares of a door that are still open. Yields nothing if the door is walled up.
    pub fn open_squares<'a>(&'a self, door: &'a BuiltDoor) -> impl Iterator<Item = Point> + 'a {
        door.squares.iter().copied().filter(|at| self.is_open(*at))
    }

    fn plan(&self) -> &BuiltPlan {
        self.plan.get_or_init(|| {
            let built = stage_one::build(&self.design);
            Arc::new(BuiltPlan {
                rooms: built.rooms,
                doors: built.doors,
            })
        })
    }

    /// Returns the entrance: the one set in the design or, if the design sets none, the open square nearest to the top
    /// left corner. An entrance set in the design need not be open. Returns `None` if the entrance set in the design
    /// lies outside the dungeon, or if the design sets none and no square is open.
    pub fn entrance(&self) -> Option<Point> {
        self.metrics().entrance
    }

    /// Returns the exit: the one set in the design or, if the design sets none, the open square nearest to the bottom
    /// right corner. An exit set in the design need not be open. Returns `None` if the exit set in the design lies
    /// outside the dungeon, or if the design sets none and no square is open.
    pub fn exit(&self) -> Option<Point> {
        self.metrics().exit
    }

    /// Returns one of the shortest paths from the entrance to the exit, including both; empty if no path exists. The
    /// expectation `crosses room 1` is met if any of the shortest paths crosses the room, even if this one does not.
    pub fn way(&self) -> &[Point] {
        &self.metrics().way
    }

    /// Returns the number of steps from the entrance to a square; `None` if the square cannot be reached. Place no
    /// objects on unreachable squares.
    pub fn steps(&self, at: impl Into<Point>) -> Option<u32> {
        self.measured().calculator.steps_to(at.into())
    }

    /// Returns the numbers of steps from the square `from` to all other squares. If `from` is not open, no square can
    /// be reached.
    ///
    /// ```
    /// use wallcrawler::Maze;
    /// use wallcrawler::presets::Preset;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let maze = Maze::grow(&Preset::find("keep").ok_or("no such preset")?.design(), 42)?;
    /// let (entrance, exit) = (maze.entrance().ok_or("walls only")?, maze.exit().ok_or("walls only")?);
    /// let to_the_exit = maze.distances(exit);
    /// assert_eq!(to_the_exit.to(entrance), maze.steps(exit));
    /// # Ok(())
    /// # }
    /// ```
    pub fn distances(&self, from: impl Into<Point>) -> Distances {
        let from = from.into();
        let mut calculator = MetricsCalculator::new();
        if self.is_open(from) {
            let scene = Scene {
                entrance: Some(from),
                ..Scene::default()
            };
            calculator.measure_parts(&self.grid, &scene, MetricParts::PATH);
        }
        Distances { calculator }
    }

    /// Returns the metrics: dead ends, junctions, widths and so on. Sight metrics are included only if an expectation
    /// of the design names them.
    pub fn metrics(&self) -> &Metrics {
        &self.measured().metrics
    }

    fn measured(&self) -> &MazeMetrics {
        self.measured.get_or_init(|| {
            let mut calculator = MetricsCalculator::new();
            let scene = Scene::of(&self.design, self.rooms());
            let metrics = calculator.measure_parts(&self.grid, &scene, MetricParts::of_design(&self.design));
            Arc::new(MazeMetrics { metrics, calculator })
        })
    }
}

/// The numbers of steps from one square of a [`Maze`] to all other squares.
#[derive(Debug)]
pub struct Distances {
    calculator: MetricsCalculator,
}

impl Distances {
    /// Returns the number of steps to a square; `None` if it cannot be reached.
    pub fn to(&self, at: impl Into<Point>) -> Option<u32> {
        self.calculator.steps_to(at.into())
    }
}

/// Two mazes are equal if their squares and their designs are equal.
impl PartialEq for Maze {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid && self.design == other.design
    }
}

impl Eq for Maze {}

impl fmt::Display for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.grid.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets::Preset;

    fn maze(name: &str, seed: u64) -> Maze {
        Maze::grow(&Preset::find(name).unwrap().design(), seed).unwrap()
    }

    #[test]
    fn a_maze_agrees_with_its_growth() {
        let maze = maze("keep", 5);
        let mut growth = Growth::new(maze.design(), Options::default(), &mut ());
        growth.finish(&mut ());
        assert_eq!((maze.grid(), maze.clock()), (growth.grid(), growth.clock()));
        assert_eq!(maze.design().seed, 5);
        let (size, text) = (maze.size(), maze.to_string());
        assert_eq!(text.lines().count(), size.x as usize);
        assert!(text.lines().all(|line| line.len() == size.y as usize));
        assert_eq!(maze.tiles().count() as u64, size.squares());
        assert!(
            maze.tiles()
                .all(|(at, tile)| maze.tile(at) == tile && maze.is_open(at) == tile.is_open())
        );
        let walls = maze.tiles().filter(|(at, _)| maze.generation(*at).is_some());
        assert!(walls.count() > 500);
        assert!(!maze.is_open((-1, 0)));
    }

    #[test]
    fn rooms_doors_and_the_path_agree_with_the_dungeon() {
        let maze = maze("keep", 5);
        assert!(!maze.rooms().is_empty() && !maze.doors().is_empty());
        for door in maze.doors() {
            assert!(maze.rooms().iter().any(|room| room.index == door.room));
            assert!(maze.open_squares(door).all(|at| door.squares.contains(&at)));
        }
        for room in maze.rooms() {
            let (corner, size) = room.inside();
            let beyond = Point::new(corner.x + size.height(), corner.y + size.width());
            assert!(room.contains(room.center) && room.contains(corner) && !room.contains(beyond));
            assert!(room.contains(Point::new(beyond.row() - 1, beyond.column() - 1)));
        }
        let way = maze.way();
        assert_eq!(
            (way.first().copied(), way.last().copied()),
            (maze.entrance(), maze.exit())
        );
        for (steps, at) in way.iter().enumerate() {
            assert_eq!(maze.steps(*at), Some(steps as u32));
        }
        assert_eq!(maze.steps((0, 0)), None);
        let from_exit = maze.distances(way[way.len() - 1]);
        for (steps, at) in way.iter().rev().enumerate() {
            assert_eq!(from_exit.to(*at), Some(steps as u32));
        }
        assert_eq!(maze.distances((0, 0)).to(way[0]), None);
        let copy = maze.clone();
        assert_eq!((copy.way(), &copy), (way, &maze));
    }

    #[test]
    fn changes_to_a_design_are_reported_and_invalid_designs_are_rejected() {
        let mut design = Design::sized(30, 40);
        design.character.generations[2].max_age = -5;
        design.layout.walls.push(Point::new(99, 99));
        let maze = Maze::grow(&design, 1).unwrap();
        assert_eq!(maze.diagnostics().len(), 2, "{:?}", maze.diagnostics());
        let rejected = Maze::grow(&Design::sized(5, 40), 1).unwrap_err();
        assert!(
            rejected.to_string().contains("at least 20 rows and columns"),
            "{rejected}"
        );
    }

    #[test]
    fn a_reused_maze_grower_grows_each_seed_like_a_new_one() {
        let mut design = Preset::find("keep").unwrap().design();
        design.layout.walls.push(Point::new(99, 99));
        let mut grower = MazeGrower::new(&design, LevelFiles::default()).unwrap();
        for seed in [5, 6, 5] {
            let (together, alone) = (grower.grow(seed).unwrap(), Maze::grow(&design, seed).unwrap());
            assert_eq!(together, alone);
            assert_eq!((together.clock(), together.rooms()), (alone.clock(), alone.rooms()));
            assert_eq!(together.diagnostics(), alone.diagnostics());
            assert_eq!((together.diagnostics().len(), together.way()), (1, alone.way()));
        }
    }

    #[cfg(feature = "vaults")]
    #[test]
    fn vaults_are_resolved_and_level_files_that_were_not_given_are_named() {
        let built_in = maze("pilgrimage", 7);
        assert_eq!(built_in.design().pieces().len(), built_in.design().layout.vaults.len());
        let mut design = Design::sized(40, 60);
        design.layout.vaults.push(crate::design::VaultEntry {
            file: "rooms/cell.des".into(),
            map: "cell".into(),
            ..Default::default()
        });
        let rejected = Maze::grow(&design, 1).unwrap_err().to_string();
        assert!(
            rejected.contains("the level file `rooms/cell.des` was not given"),
            "{rejected}"
        );
        let levels = LevelFiles::default().with("rooms/cell.des", "NAME: cell\nMAP\nxxx\nx.+\nxxx\nENDMAP\n");
        let maze = Maze::grow_with(&design, 1, &levels).unwrap();
        let piece = &maze.design().pieces()[0];
        assert_eq!((piece.name.as_str(), maze.diagnostics()), ("cell", &[][..]));
        assert!(maze.feature(piece.at).is_some());
        let levels = LevelFiles::default().with("rooms/cell.des", "NAME: other\nMAP\nxxx\nENDMAP\n");
        let left_out = Maze::grow_with(&design, 1, &levels).unwrap();
        assert!(left_out.diagnostics()[0].message.contains("`cell`"));
    }

    #[cfg(not(feature = "vaults"))]
    #[test]
    fn vaults_are_refused_without_the_feature_that_resolves_them() {
        let rejected = Maze::grow(&Preset::find("pilgrimage").unwrap().design(), 7).unwrap_err();
        assert!(
            rejected.to_string().contains("enable the feature `vaults`"),
            "{rejected}"
        );
    }
}

//! A grown dungeon as a game wants it: its tiles, its rooms and doors, and the way through it.
//!
//! A [`Maze`] is made in one go from a design and a seed, and is plain data then. Who wants to see it grow asks the
//! [`Growth`] for its [iterations](Growth::iterations); who wants every moment of it, makes a
//! [recording](crate::recording). What takes more than growth itself, the figures, is found when it is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::analysis::{Metrics, MetricsCalculator, Scene};
#[cfg(feature = "vaults")]
use crate::design::Severity;
use crate::design::{Design, Diagnostic, Feature, InvalidDesign, ValidDesign};
use crate::engine::stage_one::{self, BuiltDoor, BuiltRoom};
use crate::engine::{Clock, Grid, Growth, Mark, Options, Tile};
use crate::geometry::{Point, Size};

/// A grown dungeon. [`Display`](fmt::Display) writes it as text, a line for each row: see [`Tile::plain`].
///
/// It is saved with its squares, so that a saved game keeps its maze whatever becomes of the design.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "MazeData")]
pub struct Maze {
    design: ValidDesign,
    grid: Grid,
    clock: Clock,
    diagnostics: Vec<Diagnostic>,
    #[serde(skip)]
    plan: OnceLock<Arc<BuiltPlan>>,
    #[serde(skip)]
    judged: OnceLock<Arc<MazeMetrics>>,
}

/// The level files that the vaults of a design are in, by the names that the design gives them. Those that come with the
/// crate are always there.
///
/// ```
/// use wallcrawler::maze::LevelFiles;
///
/// let levels = LevelFiles::default().with("cell.des", "NAME: cell\nMAP\nxxx\nx.+\nxxx\nENDMAP\n");
/// assert!(levels.get("cell.des").is_some());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelFiles(BTreeMap<String, Arc<[u8]>>);

impl LevelFiles {
    /// The same with another file, by the name that designs give it.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        self.0.insert(name.into(), text.as_ref().into());
        self
    }

    /// What a file holds.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(AsRef::as_ref)
    }

    /// Resolves the vaults of a design; also returns what is wrong with those that are left out.
    #[cfg(feature = "vaults")]
    fn resolve(&self, design: ValidDesign) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        use crate::presets;
        use crate::vault::resolver::{LevelFile, VaultCache, VaultResolver};

        let file = |name: &str, bytes: &[u8]| LevelFile {
            name: name.to_owned(),
            bytes: bytes.into(),
        };
        let read = |name: &str| match (name, self.get(name)) {
            ("", _) => Ok(presets::level_texts()
                .map(|(name, text)| file(name, text.as_bytes()))
                .collect()),
            (name, Some(bytes)) => Ok(vec![file(name, bytes)]),
            (name, None) => Err(format!("the level file `{name}` was not given")),
        };
        let mut cache = VaultCache::default();
        VaultResolver::default().resolve(&design, &mut cache, &read, None);
        let mut diagnostics: Vec<_> = cache
            .unread()
            .map(|(_, why)| Diagnostic::error(why).help("give its text to `LevelFiles::with`"))
            .collect();
        let by_clock = cache.by_clock().cloned();
        diagnostics.extend(by_clock.map(|problem| Diagnostic {
            severity: Severity::Error,
            ..problem
        }));
        if !diagnostics.is_empty() {
            return Err(InvalidDesign { diagnostics });
        }
        let (pieces, problems) = cache.place(&design).unwrap_or_default();
        Ok((design.with_pieces(pieces), problems))
    }

    /// Refuses a design with vaults.
    #[cfg(not(feature = "vaults"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    fn resolve(&self, design: ValidDesign) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        match design.layout.vaults.len() {
            0 => Ok((design, Vec::new())),
            count => {
                let vaults = if count == 1 { "a vault" } else { "vaults" };
                let problem = Diagnostic::error(format!("the design has {vaults}, which this build cannot resolve"))
                    .help("enable the feature `vaults` of the crate wallcrawler, or give the vaults to `Maze::of`");
                Err(InvalidDesign {
                    diagnostics: vec![problem],
                })
            }
        }
    }
}

/// What is read for a [`Maze`].
#[derive(Deserialize)]
struct MazeData {
    design: ValidDesign,
    grid: Grid,
    clock: Clock,
    diagnostics: Vec<Diagnostic>,
}

impl TryFrom<MazeData> for Maze {
    type Error = String;

    fn try_from(wire: MazeData) -> Result<Self, String> {
        let (size, wanted) = (wire.grid.size(), wire.design.layout.size);
        if size != wanted {
            return Err(format!("the dungeon has {size} squares, and its design {wanted}"));
        }
        Ok(Self {
            design: wire.design,
            grid: wire.grid,
            clock: wire.clock,
            diagnostics: wire.diagnostics,
            plan: OnceLock::new(),
            judged: OnceLock::new(),
        })
    }
}

/// What stage one built.
#[derive(Debug)]
struct BuiltPlan {
    rooms: Vec<BuiltRoom>,
    doors: Vec<BuiltDoor>,
}

#[derive(Debug)]
struct MazeMetrics {
    figures: Metrics,
    /// Keeps how far squares are from the entrance.
    judge: MetricsCalculator,
}

impl Maze {
    /// Grows a design from a seed, whatever seed it has itself. The same design and seed make the same maze on every
    /// machine.
    ///
    /// Vaults of the design are resolved with the feature `vaults`, from the level files that come with the crate. Level
    /// files of its own are given to [`Self::grow_with`]. A vault that cannot stand is left out, and
    /// [`Self::diagnostics`] says why.
    ///
    /// # Errors
    ///
    /// When the design cannot be grown: its dimensions are out of range, a vault is in a level file that was not given,
    /// a vault was stopped by time instead of its limit of instructions, so that the machine would decide the
    /// dungeon, or the design has vaults and the feature is not enabled.
    pub fn grow(design: &Design, seed: u64) -> Result<Self, InvalidDesign> {
        Self::grow_with(design, seed, &LevelFiles::default())
    }

    /// The same for a design with vaults in level files of its own.
    ///
    /// # Errors
    ///
    /// As of [`Self::grow`].
    pub fn grow_with(design: &Design, seed: u64, levels: &LevelFiles) -> Result<Self, InvalidDesign> {
        let mut checked = design.validate(None);
        let Some(valid) = checked.design else {
            return Err(InvalidDesign {
                diagnostics: checked.diagnostics,
            });
        };
        let (valid, mut of_vaults) = levels.resolve(valid.with_seed(seed))?;
        checked.diagnostics.append(&mut of_vaults);
        let mut maze = Self::of(&valid);
        checked.diagnostics.append(&mut maze.diagnostics);
        maze.diagnostics = checked.diagnostics;
        Ok(maze)
    }

    /// Grows a design that was checked before, from its own seed and with the vaults that were given to
    /// [`ValidDesign::with_pieces`]; it resolves none.
    pub fn of(design: &ValidDesign) -> Self {
        let mut growth = Growth::new(design, Options::default(), &mut ());
        growth.finish(&mut ());
        Self {
            design: design.clone(),
            clock: growth.clock(),
            diagnostics: growth.diagnostics().to_vec(),
            grid: growth.into_grid(),
            plan: OnceLock::new(),
            judged: OnceLock::new(),
        }
    }

    /// The design that it grew from; its seed is that of the maze.
    pub const fn design(&self) -> &ValidDesign {
        &self.design
    }

    /// What was changed in the design or left out of it, in order to grow it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// When its last Builder died.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Rows and columns.
    pub const fn size(&self) -> Size {
        self.grid.size()
    }

    /// The squares as a grid.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Every square with what stands on it, row by row, each row from left to right.
    pub fn tiles(&self) -> impl Iterator<Item = (Point, Tile)> {
        let rows = (0..).zip(self.grid.rows());
        rows.flat_map(|(x, row)| (0..).zip(row).map(move |(y, tile)| (Point::new(x, y), tile)))
    }

    /// What stands on a square, by row and column; outside of the dungeon, wall.
    pub fn tile(&self, at: impl Into<Point>) -> Tile {
        self.grid.tile(at.into())
    }

    /// Whether one can walk on a square.
    pub fn is_open(&self, at: impl Into<Point>) -> bool {
        self.tile(at).is_open()
    }

    /// The generation whose Builder laid what stands on a square ([`Mark::LAST`] for all later ones as well); `None`
    /// where the design put it or nothing stands.
    pub fn generation(&self, at: impl Into<Point>) -> Option<u8> {
        match self.grid.mark(at.into()) {
            Mark::Design => None,
            Mark::Generation(generation) => Some(generation),
        }
    }

    /// What a vault puts on a square, such as an altar, water or stairs.
    pub fn feature(&self, at: impl Into<Point>) -> Option<Feature> {
        self.design.feature(at.into())
    }

    /// The rooms that stand.
    pub fn rooms(&self) -> &[BuiltRoom] {
        &self.plan().rooms
    }

    /// The doors of the rooms. A square of one may have been closed since, by another room or by a Crawler.
    pub fn doors(&self) -> &[BuiltDoor] {
        &self.plan().doors
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

    /// Where it is entered: where the design says, else the open square nearest the left top corner. `None` when no
    /// square is open.
    pub fn entrance(&self) -> Option<Point> {
        self.figures().entrance
    }

    /// Where it is left: where the design says, else the open square nearest the right bottom corner.
    pub fn exit(&self) -> Option<Point> {
        self.figures().exit
    }

    /// One of the shortest ways from the entrance to the exit, both included; empty when there is none. `crosses room 1`
    /// holds when any of them leads through the room.
    pub fn way(&self) -> &[Point] {
        &self.figures().way
    }

    /// Steps from the entrance to a square; `None` where no way leads, so that nothing should be placed there.
    pub fn steps(&self, at: impl Into<Point>) -> Option<u32> {
        self.judged().judge.steps_to(at.into())
    }

    /// What it is like: dead ends, junctions, widths and so on.
    pub fn figures(&self) -> &Metrics {
        &self.judged().figures
    }

    fn judged(&self) -> &MazeMetrics {
        self.judged.get_or_init(|| {
            let mut judge = MetricsCalculator::new();
            let figures = judge.judge(&self.grid, &Scene::new(&self.design));
            Arc::new(MazeMetrics { figures, judge })
        })
    }
}

/// Mazes are equal when the same stands in them and they grew from the same design.
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
    fn a_maze_is_what_growth_leaves() {
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
    fn rooms_doors_and_the_way_are_those_of_the_dungeon() {
        let maze = maze("keep", 5);
        assert!(!maze.rooms().is_empty() && !maze.doors().is_empty());
        for door in maze.doors() {
            assert!(maze.rooms().iter().any(|room| room.index == door.room));
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
        let copy = maze.clone();
        assert_eq!((copy.way(), &copy), (way, &maze));
    }

    #[test]
    fn what_was_changed_is_told_and_what_cannot_grow_is_refused() {
        let mut design = Design::sized(30, 40);
        design.character.generations[2].max_age = -5;
        design.layout.walls.push(Point::new(99, 99));
        let maze = Maze::grow(&design, 1).unwrap();
        assert_eq!(maze.diagnostics().len(), 2, "{:?}", maze.diagnostics());
        let refused = Maze::grow(&Design::sized(5, 40), 1).unwrap_err();
        assert!(refused.to_string().contains("at least 20 squares"), "{refused}");
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
        let refused = Maze::grow(&design, 1).unwrap_err().to_string();
        assert!(
            refused.contains("the level file `rooms/cell.des` was not given"),
            "{refused}"
        );
        let levels = LevelFiles::default().with("rooms/cell.des", "NAME: cell\nMAP\nxxx\nx.+\nxxx\nENDMAP\n");
        let maze = Maze::grow_with(&design, 1, &levels).unwrap();
        let piece = &maze.design().pieces()[0];
        assert_eq!((piece.name.as_str(), maze.diagnostics()), ("cell", &[][..]));
        assert!(maze.feature(piece.at).is_some());
        let levels = LevelFiles::default().with("rooms/cell.des", "NAME: other\nMAP\nxxx\nENDMAP\n");
        let left_out = Maze::grow_with(&design, 1, &levels).unwrap();
        assert!(left_out.diagnostics()[0].message.contains("no map 'cell'"));
    }

    #[cfg(not(feature = "vaults"))]
    #[test]
    fn vaults_are_refused_without_the_feature_that_resolves_them() {
        let refused = Maze::grow(&Preset::find("pilgrimage").unwrap().design(), 7).unwrap_err();
        assert!(refused.to_string().contains("enable the feature `vaults`"), "{refused}");
    }
}

//! The level files that a command works on, and the game state that the Lua of their maps can read.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::super::UNUSABLE;
use super::super::failure::Failure;
use super::super::output::Output;
use super::super::source::input_path;
use super::super::target::{ForceArgs, Outputs};
use crate::design::{Diagnostic, Severity};
use crate::presets;
use crate::storage::{self, is_same_file};
use crate::text::did_you_mean;
use crate::vault::library::Profile;
use crate::vault::lua::{Budget, LuaFailure, Measured, Runtime, RuntimeOptions};
use crate::vault::source::{self, VaultFile};
use crate::vault::spec::Level;
use crate::vault::{Library, MapId, VaultWorld};

/// Help for `--place` in the commands that resolve each map on [several levels](LoadedLibrary::worlds).
pub(super) const PLACE_IN_CHECKS: &str =
    "Level to place the maps on: branch and depth, such as D:5 [default: levels that each map allows]";

/// Arguments shared by the commands that read level files.
#[derive(Debug, Clone, Default, clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Level files, or folders with level files; - is standard input [default: the built-in vaults]
    #[arg(value_name = "FILE", value_parser = input_path())]
    files: Vec<PathBuf>,
    /// Folder with the data of Dungeon Crawl Stone Soup (the folder that contains `dlua`), to use instead of
    /// Wallcrawler's replacement for the game's Lua library
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    crawl_data: Option<PathBuf>,
    /// Level to place the maps on: branch and depth, such as D:5 [default: D:1]
    #[arg(long, value_name = "LEVEL")]
    place: Option<String>,
    /// Experience level of the player in the maps' Lua code (`you.xl()`)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=27))]
    xl: Option<u32>,
    /// Species of the player in the maps' Lua code (`you.race()`)
    #[arg(long, value_name = "NAME")]
    race: Option<String>,
    /// Background of the player in the maps' Lua code (`you.class()`)
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// God of the player in the maps' Lua code (`you.god()`)
    #[arg(long, value_name = "NAME")]
    god: Option<String>,
}

/// Maximum number of Lua instructions that the maps of a command may execute in total. This is a hundred times what
/// 2,000 maps of the game need, so only maps with endless loops reach it.
const TOTAL: u64 = 20_000_000_000;

/// Level files, ready to run.
pub(super) struct LoadedLibrary {
    /// Runtime that executes the Lua of the maps.
    pub runtime: Runtime,
    /// Game state that the maps' Lua can read, such as the level and the player.
    pub world: VaultWorld,
    /// Whether `--place` is given, so that all maps are resolved on that level.
    has_place: bool,
    /// Whether `--xl` is given; otherwise the player's experience level depends on the depth of the dungeon level.
    has_xl: bool,
    /// Whether the files have errors. For a command that works on one map, only errors that concern this map count.
    pub has_errors: bool,
    /// Budget of Lua instructions.
    budget: Budget,
}

impl LoadedLibrary {
    /// Sets the instruction limit for a command that repeats its work `times` times, and restarts the count of executed
    /// instructions.
    pub(super) fn allow_times(&self, times: u64) {
        self.budget.limit_to(Some(Self::limit(times)));
    }

    /// Returns the instruction limit for a command that repeats its work `times` times.
    pub(super) fn limit(times: u64) -> u64 {
        TOTAL.saturating_mul(times.max(1))
    }

    /// Returns the number of Lua instructions executed since the count last started.
    pub(super) fn spent(&self) -> u64 {
        self.budget.spent()
    }

    /// Returns a message if the instruction budget is used up.
    pub(super) fn exhausted(&self) -> Option<String> {
        self.budget.exhausted()
    }

    /// Returns each seed in `part` with the game state in which to resolve the map. `part` is a range within the seeds
    /// 1 to `seeds`. The level is that of `--place`; without `--place`, the seeds are spread over all levels that the
    /// map allows.
    pub(super) fn worlds(
        &self,
        map: MapId,
        seeds: u64,
        part: RangeInclusive<u64>,
    ) -> impl Iterator<Item = (u64, VaultWorld)> {
        let profiles = (!self.has_place).then(|| self.runtime.profile(map)).flatten();
        let levels: Vec<Level> = profiles.iter().flat_map(Profile::levels).collect();
        let last = levels.len().saturating_sub(1) as u64;
        part.map(move |seed| {
            let at = (seed - 1) * last / (seeds - 1).max(1);
            let level = levels.get(at as usize).copied().unwrap_or(self.world.level);
            (seed, self.world_on(level))
        })
    }

    fn world_on(&self, level: Level) -> VaultWorld {
        let xl = if self.has_xl {
            self.world.xl
        } else {
            VaultWorld::on(level).xl
        };
        VaultWorld {
            level,
            xl,
            ..self.world.clone()
        }
    }

    /// Returns whether the budget is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.exhausted().is_some()
    }

    /// Returns the exit status of the command. Reports an error if the instruction budget was used up.
    pub(super) fn status(&self, output: &mut Output) -> u8 {
        if let Some(message) = self.budget.exhausted() {
            output.error(&format!(
                "stopped early: {message}; fix that map, or pass fewer files or seeds"
            ));
            return UNUSABLE;
        }
        u8::from(self.has_errors)
    }

    /// Compiles all maps, for the commands that measure them: `stats`, `portals` and `check --summary`. Fails if memory
    /// is insufficient.
    pub(super) fn measured(&self) -> Result<Measured<'_>, LuaFailure> {
        Measured::new(&self.runtime, self.world.clone())
    }
}

impl Args {
    /// Reads the files, reports their diagnostics, and creates a runtime for them.
    pub(super) fn ready(&self, output: &mut Output) -> Result<LoadedLibrary, Failure> {
        let (library, world) = self.library()?;
        for file in library.files() {
            output.report(&file.problems);
        }
        output.report(library.problems());
        let has_errors = library.files().iter().any(|file| !file.is_sound());
        let mut loaded = self.load(library, world)?;
        loaded.has_errors = has_errors;
        Ok(loaded)
    }

    /// Reads each of the two given files or folders as a separate library.
    pub(super) fn each_alone(&self, output: &mut Output) -> Result<[LoadedLibrary; 2], Failure> {
        let alone = |at: usize, output: &mut Output| {
            let one = Self {
                files: self.files.iter().skip(at).take(1).cloned().collect(),
                ..self.clone()
            };
            one.ready(output)
        };
        Ok([alone(0, output)?, alone(1, output)?])
    }

    /// Reads the files for a command that works on the map `name`. Reports only the diagnostics that concern this map.
    /// If there is no such map, fails and reports the diagnostics of all files.
    pub(super) fn ready_for(&self, name: &str, output: &mut Output) -> Result<(LoadedLibrary, MapId), Failure> {
        let (library, world) = self.library()?;
        let map = by_name(&library, name).inspect_err(|_| {
            for file in library.files() {
                output.report(&file.problems);
            }
        })?;
        let problems: Vec<Diagnostic> = library.file(map).problems_of(library.map(map)).cloned().collect();
        output.report(&problems);
        let mut loaded = self.load(library, world)?;
        loaded.has_errors = problems.iter().any(|problem| problem.severity == Severity::Error);
        Ok((loaded, map))
    }

    /// Reads the files, and returns them with the game state that the options set.
    pub(super) fn library(&self) -> Result<(Arc<Library>, VaultWorld), Failure> {
        let world = self.world()?;
        let files = self.read()?;
        Ok((Arc::new(Library::new(files)), world))
    }

    /// Creates a runtime with a new instruction budget for the maps of a library.
    ///
    /// # Errors
    ///
    /// Fails if the Lua code of the helper library fails.
    pub(super) fn load(&self, library: Arc<Library>, world: VaultWorld) -> Result<LoadedLibrary, LuaFailure> {
        let budget = Budget::of(TOTAL);
        Ok(LoadedLibrary {
            runtime: Runtime::new(library, self.options(budget.clone()))?,
            world,
            has_place: self.place.is_some(),
            has_xl: self.xl.is_some(),
            has_errors: false,
            budget,
        })
    }

    /// Creates arguments from level files and the folder with the game's data; all other options have their defaults.
    pub(super) fn of(files: Vec<PathBuf>, crawl_data: Option<PathBuf>) -> Self {
        Self {
            files,
            crawl_data,
            ..Self::default()
        }
    }

    /// Returns the files and folders given on the command line.
    pub(super) fn named(&self) -> &[PathBuf] {
        &self.files
    }

    /// Returns the folder with the game's data.
    pub(super) fn crawl_data(&self) -> Option<&Path> {
        self.crawl_data.as_deref()
    }

    fn world(&self) -> Result<VaultWorld, Failure> {
        let mut world = VaultWorld::at(self.place.as_deref().unwrap_or("D:1"))
            .map_err(|error| Failure::unreadable(format_args!("--place: {error}")))?;
        world.xl = self.xl.unwrap_or(world.xl);
        for (value, own) in [
            (&self.race, &mut world.race),
            (&self.class, &mut world.class),
            (&self.god, &mut world.god),
        ] {
            if let Some(value) = value {
                own.clone_from(value);
            }
        }
        Ok(world)
    }

    fn options(&self, budget: Budget) -> RuntimeOptions {
        let mut options = RuntimeOptions {
            budget,
            ..RuntimeOptions::default()
        };
        if let Some(folder) = self.crawl_data.clone() {
            options.loader = Some(Rc::new(move |path: &str| module(&folder, path)));
        }
        options
    }

    /// Returns the rule for output files: the command never overwrites the level files or the game's data.
    pub(super) fn outputs(&self, force: ForceArgs) -> Outputs {
        // An error can be ignored here: it was reported when the files were read.
        let mut outputs = Outputs::new(force, self.paths().unwrap_or_default());
        if let Some(folder) = &self.crawl_data {
            outputs.read_folder(folder);
        }
        outputs
    }

    /// Returns the paths of the level files given on the command line, and of all `.des` files below the given folders.
    fn paths(&self) -> std::io::Result<Vec<PathBuf>> {
        level_files(&self.files)
    }

    /// Reads the level files given on the command line and all `.des` files below the given folders, or the built-in
    /// level files if none are given.
    fn read(&self) -> Result<Vec<VaultFile>, Failure> {
        if self.files.is_empty() {
            return Ok(presets::level_files().collect());
        }
        let paths = self.paths()?;
        if paths.is_empty() {
            return Err(none_found());
        }
        with_loaded_files(paths)
    }
}

/// Returns the error for a command that finds no level files in the given folders.
pub(super) fn none_found() -> Failure {
    Failure::unreadable("no level files (.des) found")
}

/// Reads level files, and then the files that their Lua loads with `load_des_file` from the same folders or subfolders.
fn with_loaded_files(mut paths: Vec<PathBuf>) -> Result<Vec<VaultFile>, Failure> {
    let mut files = Vec::new();
    while let Some(path) = paths.get(files.len()) {
        let bytes = storage::read(path)?;
        let file = source::read(&storage::input_name(path), &bytes);
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        for name in file.loaded_files() {
            let is_plain = Path::new(&name)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_)));
            let beside = folder.join(&name);
            if is_plain && beside.is_file() && !paths.iter().any(|path| is_same_file(path, &beside)) {
                paths.push(beside);
            }
        }
        files.push(file);
    }
    Ok(files)
}

/// Returns the paths in `named`, with each folder replaced by the level files below it. A file that is named again, in
/// another spelling or through a symbolic link, is left out. Compares the real paths instead of calling
/// [`is_same_file`] for each pair, which would be slow for thousands of files.
pub(super) fn level_files(named: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in named {
        if path.is_dir() {
            walk(path, "des", &mut paths)?;
        } else {
            paths.push(path.clone());
        }
    }
    let mut known = HashSet::new();
    paths.retain(|path| path.canonicalize().map_or(true, |real| known.insert(real)));
    Ok(paths)
}

/// Searches `folder` and the folders below it, and adds each file with the extension `ending`, such as `des`, to
/// `found`. The entries of each folder are sorted by name.
pub(super) fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> = fs_err::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        // Do not follow links to folders: with a link back to a parent folder, the search would never end.
        if path.is_dir() && !path.is_symlink() {
            walk(&path, ending, found)?;
        } else if path.extension().is_some_and(|own| own == ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns the source of one of the game's Lua modules, requested as `dlua/…`. The module is searched for below
/// `folder` and below its subfolder `dat`; `folder` may also be the `dlua` folder itself. No file outside `folder` is
/// read.
fn module(folder: &Path, path: &str) -> Option<Vec<u8>> {
    let plain = Path::new(path)
        .components()
        .all(|part| matches!(part, std::path::Component::Normal(_)));
    if !plain {
        return None;
    }
    let candidates = [
        folder.join(path),
        folder.join("dat").join(path),
        folder.join(path.strip_prefix("dlua/")?),
    ];
    candidates.iter().find_map(|path| storage::read(path).ok())
}

/// Returns the map with this name.
pub(super) fn by_name(library: &Library, name: &str) -> Result<MapId, Failure> {
    library.by_name(name).ok_or_else(|| {
        let names = library.ids().map(|map| library.map(map).name.as_str());
        let hint = did_you_mean(name, names).unwrap_or_else(|| "`wallcrawler vault list` lists the maps".to_owned());
        Failure::unreadable(format_args!("unknown map `{name}`; {hint}"))
    })
}

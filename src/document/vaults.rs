//! The vaults of the open design: their level files, and what chance makes of them.
//!
//! A [`Shelf`] reads each level file once, runs its maps when a design asks for one, and keeps what came out:
//! an edit elsewhere in the design, or another place for a vault, runs no Lua. It knows no screen; a file that changed is read anew when
//! the shelf is told to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::Levels;
use crate::design::{Design, Diagnostic, Entry, Piece, Place, Severity, ValidDesign, VaultEntry};
use crate::engine::chance::{Key, Stream};
use crate::geometry::{Point, Size};
use crate::presets;
use crate::storage::DesignFiles;
use crate::vault::dice::Dice;
use crate::vault::lua::{Limits, Options, Outcome, Runtime};
use crate::vault::{Library, MapId, Resolved, World, place, source};

/// Where the streams of vaults begin below the seed's key, apart from every Builder's.
const VAULTS: u64 = u64::MAX - 1;

/// What a run of Lua may use here, where somebody waits for the screen: a fifth of what checking a file allows.
const LIMITS: Limits = Limits {
    instructions: 10_000_000,
    memory: 128 << 20,
    time: Duration::from_secs(2),
};

/// A level file, or those that come with the program, ready to run.
struct Source {
    /// The file as the design names it; empty for those that come with the program.
    file: String,
    /// The file's bytes, to notice a change by.
    bytes: Vec<u8>,
    /// What was read, or why it was not.
    runtime: Result<Runtime, String>,
    /// Problems of the file's text.
    problems: Vec<Diagnostic>,
}

/// What came of a vault entry.
struct Made {
    /// The entry, but for where it stands: see [`roll`].
    roll: VaultEntry,
    seed: u64,
    outcome: Result<Box<Resolved>, Box<Diagnostic>>,
}

/// The vaults of a recording, and what they were made of: they hold as long as that is what the design asks for.
struct Recorded {
    vaults: Vec<VaultEntry>,
    seed: u64,
    size: Size,
    pieces: Vec<Piece>,
}

impl Recorded {
    fn holds_for(&self, design: &Design) -> bool {
        let layout = &design.layout;
        design.seed == self.seed && layout.size == self.size && layout.vaults == self.vaults
    }
}

/// The level files of a design, and its resolved vaults.
#[derive(Default)]
pub(super) struct Shelf {
    /// The vaults of the recording that the design came in.
    recorded: Option<Recorded>,
    /// Where the level files lie.
    folder: PathBuf,
    sources: Vec<Source>,
    made: Vec<Made>,
    /// What level files hold, where somebody has just read them.
    brought: Levels,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files: Vec<&str> = self.sources.iter().map(|source| source.file.as_str()).collect();
        f.debug_struct("Shelf").field("files", &files).finish_non_exhaustive()
    }
}

/// The design's vaults as they stand, and what is wrong with the others.
pub(super) type Placed = (Vec<Piece>, Vec<Diagnostic>);

impl Shelf {
    /// A shelf with what level files hold that somebody has just read.
    pub(super) fn of(brought: Levels) -> Self {
        Self {
            brought,
            ..Self::default()
        }
    }

    /// The shelf of a recording's design: its level files need not be there.
    pub(super) fn recorded(design: &ValidDesign) -> Self {
        Self {
            recorded: Some(Recorded {
                vaults: design.layout.vaults.clone(),
                seed: design.seed,
                size: design.layout.size,
                pieces: design.pieces().to_vec(),
            }),
            ..Self::default()
        }
    }

    /// Resolves and places the vaults of a design whose level files lie in a folder.
    pub(super) fn place(&mut self, design: &Design, folder: &Path) -> Placed {
        if self.folder != folder {
            // The same names mean other files there.
            *self = Self {
                recorded: self.recorded.take(),
                brought: std::mem::take(&mut self.brought),
                ..Self::default()
            };
            folder.clone_into(&mut self.folder);
        }
        if let Some(recorded) = self.recorded.as_ref().filter(|recorded| recorded.holds_for(design)) {
            return (recorded.pieces.clone(), Vec::new());
        }
        let (mut pieces, mut problems) = Placed::default();
        let mut kept = Vec::new();
        for (index, entry) in design.layout.vaults.iter().enumerate() {
            let (roll, seed) = (roll(entry), seed(design.seed, entry, index));
            let known = self.made.iter().position(|made| made.roll == roll && made.seed == seed);
            let made = match known {
                Some(known) => self.made.swap_remove(known),
                None => Made {
                    outcome: self.make(&roll, seed),
                    roll,
                    seed,
                },
            };
            match &made.outcome {
                Ok(resolved) => match place::piece(resolved, entry, index, design.layout.size) {
                    Some(piece) => pieces.push(piece),
                    None => problems.push(too_large(resolved, design)),
                },
                Err(problem) => problems.push(Diagnostic::clone(problem)),
            }
            for problem in problems.iter_mut().filter(|problem| problem.place.is_none()) {
                problem.place = Some(Place::entry(Entry::Vault(index)));
            }
            kept.push(made);
        }
        self.made = kept;
        let asked = |source: &Source| design.layout.vaults.iter().any(|entry| entry.file == source.file);
        self.sources.retain(asked);
        for problem in self.sources.iter().flat_map(|source| &source.problems) {
            let mut problem = problem.clone();
            // The design can be grown all the same.
            problem.severity = problem.severity.min(Severity::Warning);
            problems.push(problem);
        }
        (pieces, problems)
    }

    /// Takes what level files hold, which is not read again until other files are brought.
    pub(super) fn bring(&mut self, levels: Levels) {
        self.brought = levels;
    }

    /// Forgets the files that hold something else by now; whether there is one.
    pub(super) fn forget_changed(&mut self) -> bool {
        let is_changed = |source: &Source| {
            let now = self.brought.bytes(&self.folder.join(&source.file));
            !source.file.is_empty() && now.map_or(source.runtime.is_ok(), |bytes| bytes != source.bytes)
        };
        let sources = std::mem::take(&mut self.sources);
        let (changed, kept): (Vec<_>, Vec<_>) = sources.into_iter().partition(is_changed);
        self.sources = kept;
        let stale = |made: &Made| changed.iter().any(|source| source.file == made.roll.file);
        self.made.retain(|made| !stale(made));
        !changed.is_empty()
    }

    fn make(&mut self, entry: &VaultEntry, seed: u64) -> Result<Box<Resolved>, Box<Diagnostic>> {
        let refused = |message: String, help: &str| {
            Err(Box::new(
                Diagnostic::warning(format!("{message}; the vault is left out")).help(help),
            ))
        };
        let runtime = match self.source(&entry.file) {
            Ok(runtime) => runtime,
            Err(why) => {
                return refused(
                    why.clone(),
                    "name a level file beside the design, or leave the file empty",
                );
            }
        };
        let world = match World::at(if entry.place.is_empty() { "D:1" } else { &entry.place }) {
            Ok(world) => world,
            Err(error) => return refused(error.to_string(), "write a branch and a depth, such as D:5 or Lair:2"),
        };
        let map = match (entry.map.as_str(), entry.tag.as_str()) {
            ("", "") => return refused("it names neither a map nor a tag".into(), "type the name of a map"),
            ("", tag) => draw(runtime, tag, &world, seed),
            (name, _) => runtime.library().by_name(name),
        };
        let Some(map) = map else {
            let what = if entry.map.is_empty() {
                format!("no map has the tag '{}' at {}", entry.tag, world.level)
            } else {
                format!("there is no map '{}'", entry.map)
            };
            return refused(what, "`wallcrawler vault list` tells the maps and tags of a level file");
        };
        let outcome = match place::turns(entry.orientation) {
            Some(turns) => runtime.resolve_turned(map, &world, seed, &turns),
            None => runtime.resolve(map, &world, seed),
        };
        match outcome {
            Outcome::Resolved(resolved) => Ok(resolved),
            Outcome::Vetoed => refused(
                format!("'{}' vetoes itself at {}", runtime.library().map(map).name, world.level),
                "give it another place, or choose another map",
            ),
            Outcome::Invalid(resolved) => refused(
                format!(
                    "'{}' failed its own validation in {} tries",
                    resolved.name, resolved.origin.tries
                ),
                "choose another seed, or mend the map",
            ),
            Outcome::Failed(failure) => refused(failure.to_string(), "mend the level file"),
        }
    }

    /// The runtime of a level file, read when it is first asked for.
    fn source(&mut self, file: &str) -> Result<&Runtime, &String> {
        let at = self.sources.iter().position(|source| source.file == file);
        let at = at.unwrap_or_else(|| {
            self.sources.push(open(file, &self.folder, &self.brought));
            self.sources.len() - 1
        });
        self.sources[at].runtime.as_ref()
    }
}

/// The folder in which a design's level files are looked for: that of its first file.
pub(super) fn folder(files: Option<&DesignFiles>) -> PathBuf {
    let first = files.and_then(|files| files.paths().into_iter().next());
    first
        .and_then(|path| path.parent().map(Path::to_owned))
        .unwrap_or_default()
}

/// The level files that a design's vaults are in.
pub(super) fn files(design: &Design, folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = design
        .layout
        .vaults
        .iter()
        .filter(|entry| !entry.file.is_empty())
        .map(|entry| folder.join(&entry.file))
        .collect();
    files.sort();
    files.dedup();
    files
}

fn open(file: &str, folder: &Path, levels: &Levels) -> Source {
    let mut opened = Source {
        file: file.to_owned(),
        bytes: Vec::new(),
        runtime: Err(String::new()),
        problems: Vec::new(),
    };
    let files = if file.is_empty() {
        presets::level_files().collect()
    } else {
        let path = folder.join(file);
        match levels.bytes(&path) {
            Ok(bytes) => opened.bytes = bytes,
            Err(why) => {
                opened.runtime = Err(why);
                return opened;
            }
        }
        vec![source::read(&path.display().to_string(), &opened.bytes)]
    };
    opened.problems = files.iter().flat_map(|file| file.problems.iter().cloned()).collect();
    let options = Options {
        limits: LIMITS,
        ..Options::default()
    };
    let runtime = Runtime::new(Arc::new(Library::new(files)), options);
    opened.runtime = runtime.map_err(|failure| failure.to_string());
    opened
}

/// One of the maps that have all of some tags and may be at the world's level, by weight.
fn draw(runtime: &Runtime, tags: &str, world: &World, seed: u64) -> Option<MapId> {
    runtime.compile_all();
    let catalog = runtime.catalog();
    let tags: Vec<&str> = tags.split_whitespace().collect();
    let maps = catalog.with_tags(&tags, Some(&world.level));
    let choice = catalog.choice_by_weight(maps, &world.level);
    choice.draw(&mut Dice::new(Key::new(seed).child(DRAW)))
}

/// The stream that draws a map by its tag, apart from those that resolve it.
const DRAW: u64 = u64::MAX;

/// An entry without what says where the vault stands, which has no say in how it is resolved.
fn roll(entry: &VaultEntry) -> VaultEntry {
    VaultEntry {
        div: 0,
        xdiv: 0,
        ydiv: 0,
        at: Point::new(0, 0),
        ..entry.clone()
    }
}

/// The seed of a vault: its own, or drawn from the design's by its place in the list.
fn seed(design: u64, entry: &VaultEntry, index: usize) -> u64 {
    match u64::try_from(entry.seed) {
        Ok(own) if own > 0 => own,
        _ => Stream::new(Key::new(design).child(VAULTS).child(index as u64))
            .below(u32::MAX)
            .into(),
    }
}

fn too_large(resolved: &Resolved, design: &Design) -> Diagnostic {
    Diagnostic::warning(format!(
        "'{}' has {} rows and {} columns, too many for a dungeon of {} squares; the vault is left out",
        resolved.name, resolved.height, resolved.width, design.layout.size
    ))
    .help("make the dungeon larger, or choose a smaller vault")
}

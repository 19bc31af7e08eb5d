//! Resolves the vaults of a design. Each vault entry names a map, or a tag; if it names a tag, one of the maps with
//! this tag is drawn at random. The design and its seed determine the result.
//!
//! A [`VaultResolver`] runs the Lua of level files. It stores Lua runtimes, which cannot be sent to another thread. The
//! results are plain data: a [`VaultCache`]. As long as the design has no new entries, the cache places the design's
//! vaults without running any Lua. The library, the command line and the designer all resolve vaults here, so that a
//! design and its seed determine the same dungeon in each of them.
//!
//! A vault is left out if its Lua uses too many instructions. It is also left out if its Lua takes too long, but the
//! time limit is so high that Lua rarely reaches it: see [`VaultCache::by_clock`].

mod cache;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

pub use self::cache::{PlacedVaults, VaultCache};

use self::cache::{LevelFileContent, ResolvedEntry, VaultUsage};
use super::dice::Dice;
use super::lua::{Budget, FailureKind, Limits, LuaFailure, ResolveOutcome, Runtime, RuntimeOptions};
use super::spec::{Level, Ranges};
use super::{Library, MapId, ResolvedMap, VaultWorld, place, source};
use crate::design::{Design, Diagnostic, Entry, VaultEntry};
use crate::engine::random::{Key, Stream};
use crate::geometry::Point;
use crate::text::counted;

/// Argument of [`Key::child`] that makes the key of all vaults from the root key of a seed. The keys of Builders use
/// other arguments.
const VAULTS: u64 = u64::MAX - 1;

/// Argument of [`Key::child`] that makes the key for choosing a map by its tag. The keys for resolving the map use
/// other arguments.
const DRAW: u64 = u64::MAX;

/// Limits of one run of Lua. The instruction limit is a fifth of the limit for checking a file.
const LIMITS: Limits = Limits {
    instructions: 10_000_000,
    memory: 128 << 20,
    time: Duration::from_secs(10),
};

/// Total instruction limit for the compile runs of all maps of a level file. A compile run executes a map's Lua once to
/// find errors.
const COMPILE_TOTAL: u64 = 50_000_000;

/// Total instruction limit for all vaults of a design, including the compile runs of their files.
const TOTAL: u64 = 100_000_000;

/// Total time limit for all vaults of a design.
const TOTAL_TIME: Duration = Duration::from_secs(30);

/// The content of a level file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelFile {
    /// Name shown in messages.
    pub name: String,
    /// Bytes of the file.
    pub bytes: Arc<[u8]>,
}

/// A function that returns the level files for a name used in a design, or the reason why there are none. The empty
/// name selects the built-in level files.
pub type ReadLevels<'a> = &'a dyn Fn(&str) -> Result<Vec<LevelFile>, String>;

/// A resolver of vaults, with the Lua runtimes of the level files that it has used.
#[derive(Default)]
pub struct VaultResolver {
    runtimes: Vec<LevelRuntime>,
    budget: Budget,
}

/// The level files for one name used in a design, with their runtime.
struct LevelRuntime {
    file: String,
    levels: Vec<LevelFile>,
    runtime: Result<Runtime, LuaFailure>,
    /// Lua instructions used by the compile runs.
    compiled: u64,
    /// Whether the time limit ended a compile run; a retry may succeed.
    is_late: bool,
}

impl std::fmt::Debug for VaultResolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files: Vec<&str> = self.runtimes.iter().map(|level| level.file.as_str()).collect();
        f.debug_struct("VaultResolver")
            .field("files", &files)
            .finish_non_exhaustive()
    }
}

impl VaultResolver {
    /// Resolves the entries of a design that are missing from `cache`, and drops results that the design does not use.
    /// Stops when `cancelled` returns `true`; the cache is then incomplete.
    pub fn resolve(
        &mut self,
        design: &Design,
        cache: &mut VaultCache,
        read: ReadLevels<'_>,
        cancelled: Option<Rc<dyn Fn() -> bool>>,
    ) {
        self.budget.cancel_when(cancelled);
        self.budget.end_within(Some(TOTAL_TIME));
        cache.retain(design);
        let mut usage = VaultUsage::default();
        let mut late: Option<String> = None;
        for (index, entry) in design.layout.vaults.iter().enumerate() {
            if usage.is_used_up() {
                break;
            }
            if cache.made(design, index).is_none() {
                let (roll, seed) = (roll(entry), seed(design.seed, entry, index));
                let source = cache.source_or(&entry.file, || read(&entry.file));
                let made = match &late {
                    Some(last) => too_late(roll, seed, last),
                    None => self.make(roll, seed, source),
                };
                if self.budget.is_late() {
                    late.get_or_insert_with(|| title(entry, index));
                }
                if self.budget.is_cancelled() {
                    break;
                }
                cache.made.push(made);
            }
            let _ = cache.charge(&mut usage, design, index);
        }
        self.budget.cancel_when(None);
        let used = |level: &LevelRuntime| design.layout.vaults.iter().any(|entry| entry.file == level.file);
        self.runtimes.retain(used);
    }

    /// Resolves an entry, and stores in `source` how many instructions the compile runs of its level file used.
    fn make(&mut self, roll: VaultEntry, seed: u64, source: &mut LevelFileContent) -> ResolvedEntry {
        let (mut spent, mut by_clock, mut warning) = (0, false, None);
        let outcome = match &source.levels {
            Err(why) => Err(Box::new(rejection(
                why,
                "set `file` to the path of a level file, relative to the design, or leave it empty",
            ))),
            Ok(levels) => {
                let (level, budget) = self.level_runtime(&roll.file, levels);
                source.compiled = level.compiled;
                budget.limit_to(None);
                let outcome = match &level.runtime {
                    Ok(runtime) => run(runtime, &roll, seed, &mut warning),
                    Err(failure) => Err(Unresolved::from(failure.clone())),
                };
                spent = budget.spent();
                by_clock = level.is_late || outcome.as_ref().is_err_and(|unresolved| unresolved.by_clock);
                outcome.map_err(|unresolved| unresolved.problem)
            }
        };
        ResolvedEntry {
            roll,
            seed,
            outcome,
            warning,
            spent,
            by_clock,
        }
    }

    /// Returns the runtime that has compiled a level file, and the budget that limits its Lua.
    fn level_runtime(&mut self, file: &str, levels: &[LevelFile]) -> (&LevelRuntime, &Budget) {
        self.runtimes
            .retain(|level| level.file != file || (level.levels == levels && !level.is_late));
        let known = self.runtimes.iter().position(|level| level.file == file);
        let at = known.unwrap_or_else(|| {
            self.runtimes.push(LevelRuntime::open(file, levels, &self.budget));
            self.runtimes.len() - 1
        });
        (&self.runtimes[at], &self.budget)
    }
}

impl LevelRuntime {
    fn open(file: &str, levels: &[LevelFile], budget: &Budget) -> Self {
        let read = |level: &LevelFile| source::read(&level.name, &level.bytes);
        budget.limit_to(Some(COMPILE_TOTAL));
        let options = RuntimeOptions {
            limits: LIMITS,
            budget: budget.clone(),
            ..RuntimeOptions::default()
        };
        let library = Arc::new(Library::new(levels.iter().map(read).collect()));
        let runtime = Runtime::new(library, options);
        let is_late = |failure: &LuaFailure| failure.kind == FailureKind::Time;
        let is_late = match &runtime {
            Ok(runtime) => {
                let mut reports = runtime.compile_all().into_iter();
                reports.any(|report| report.failure.as_ref().is_some_and(is_late))
            }
            Err(failure) => is_late(failure),
        };
        Self {
            file: file.to_owned(),
            levels: levels.to_vec(),
            runtime,
            compiled: budget.spent(),
            is_late,
        }
    }
}

/// The reason why an entry was not resolved.
struct Unresolved {
    problem: Box<Diagnostic>,
    by_clock: bool,
}

impl From<Diagnostic> for Unresolved {
    fn from(problem: Diagnostic) -> Self {
        Self {
            problem: Box::new(problem),
            by_clock: false,
        }
    }
}

impl From<LuaFailure> for Unresolved {
    fn from(failure: LuaFailure) -> Self {
        Self {
            problem: Box::new(rejection(&failure, advice(&failure))),
            by_clock: failure.kind == FailureKind::Time,
        }
    }
}

/// Returns the advice on how to correct a failure.
fn advice(failure: &LuaFailure) -> &'static str {
    if failure.kind == FailureKind::Time {
        "fix the level file; whether its Lua finishes in time depends on the speed of the machine"
    } else {
        "fix the level file"
    }
}

/// Returns the result for an entry that is skipped because an earlier entry exceeded the time limit; `last` names the
/// earlier entry.
fn too_late(roll: VaultEntry, seed: u64, last: &str) -> ResolvedEntry {
    let seconds = TOTAL_TIME.as_secs();
    let message = format!(
        "there was no time left to resolve this vault: {last} used up the {seconds} seconds that all vaults share"
    );
    ResolvedEntry {
        roll,
        seed,
        outcome: Err(Box::new(rejection(message, &format!("make the Lua of {last} faster")))),
        warning: None,
        spent: 0,
        by_clock: true,
    }
}

/// Resolves an entry in its level file's runtime. Sets `warning` if the entry names a tag, and some maps with this tag
/// cannot be chosen because their Lua fails.
fn run(
    runtime: &Runtime,
    entry: &VaultEntry,
    seed: u64,
    warning: &mut Option<Diagnostic>,
) -> Result<Arc<ResolvedMap>, Unresolved> {
    let level = if entry.place.is_empty() { "D:1" } else { &entry.place };
    let world = VaultWorld::at(level)
        .map_err(|error| rejection(error.to_string(), "write a branch and a depth, such as D:5 or Lair:2"))?;
    let map = match (entry.map.as_str(), entry.tag.as_str()) {
        ("", "") => return Err(rejection("neither a map nor a tag is named", "set `map` or `tag`").into()),
        ("", tag) => {
            let drawn = draw(runtime, tag, &world, seed);
            match (undrawable(runtime, tag, &world.level), drawn) {
                (Some((message, help)), None) => return Err(rejection(message, help).into()),
                (Some((message, help)), Some(_)) => *warning = Some(Diagnostic::warning(message).help(help)),
                (None, _) => {}
            }
            drawn
        }
        (name, _) => runtime.library().by_name(name),
    };
    let map = map.ok_or_else(|| {
        let what = if entry.map.is_empty() {
            format!("no map has the tag `{}` at {}", entry.tag, world.level)
        } else {
            format!("unknown map `{}`", entry.map)
        };
        rejection(
            what,
            "run `wallcrawler vault list` for the maps and tags of a level file",
        )
    })?;
    let outcome = match place::turns(entry.orientation) {
        Some(turns) => runtime.resolve_turned(map, &world, seed, &turns),
        None => runtime.resolve(map, &world, seed),
    };
    match outcome {
        ResolveOutcome::Resolved(resolved) => Ok(Arc::from(resolved)),
        ResolveOutcome::Vetoed => Err(rejection(
            format!(
                "map `{}` rejected itself at {} (veto)",
                runtime.library().map(map).name,
                world.level
            ),
            "set another place, or choose another map",
        )
        .into()),
        ResolveOutcome::Invalid(resolved) => Err(rejection(
            format!(
                "map `{}` failed its own validation in all {} tries",
                resolved.name, resolved.origin.tries
            ),
            "choose another seed, or fix the map",
        )
        .into()),
        ResolveOutcome::Failed(failure) => Err(failure.into()),
    }
}

/// Draws, by weight, one of the maps that have all of the tags and whose depths include the level of `world`.
fn draw(runtime: &Runtime, tags: &str, world: &VaultWorld, seed: u64) -> Option<MapId> {
    let catalog = runtime.catalog();
    let tags: Vec<&str> = tags.split_whitespace().collect();
    let maps = catalog.with_tags(&tags, Some(&world.level));
    let choice = catalog.choice_by_weight(maps, &world.level);
    choice.draw(&mut Dice::new(Key::new(seed).child(DRAW)))
}

/// Describes the maps with the given tags that cannot be chosen for a level because their compile run failed. Returns
/// the message and the advice; `None` if there are no such maps. After a failed compile run, the tags of a map are not
/// known: the map is assumed to have those tags that occur in its text.
fn undrawable(runtime: &Runtime, tags: &str, level: &Level) -> Option<(String, &'static str)> {
    let library = runtime.library();
    let failures = library.ids().filter_map(|id| {
        let (file, map) = (library.file(id), library.map(id));
        let report = runtime.compile(id);
        let may_have = |tag: &str| report.state.tags.has(tag) || file.has_text(map.line..=map.last_line, tag);
        // The Lua may have failed before it set the depths, so the DEPTH headers take precedence.
        let mut depths = Ranges::default();
        for text in map.values("DEPTH") {
            depths.add(Ranges::parse(&String::from_utf8_lossy(text)).unwrap_or_default());
        }
        if depths.is_empty() {
            depths = report.state.depths.clone();
        }
        let is_allowed = depths.is_empty() || depths.matches(level);
        let failure = report.failure?;
        (is_allowed && tags.split_whitespace().all(may_have)).then_some((map.name.as_str(), failure))
    });
    let failures: Vec<(&str, LuaFailure)> = failures.collect();
    let (name, failure) = failures.first()?;
    let message = if failures.len() == 1 {
        format!("map `{name}` with the tag `{tags}` cannot be chosen, because its Lua fails: {failure}")
    } else {
        format!(
            "{} with the tag `{tags}` cannot be chosen, because their Lua fails; the first is `{name}`: {failure}",
            counted(failures.len(), "map")
        )
    };
    Some((message, advice(failure)))
}

fn rejection(message: impl std::fmt::Display, help: &str) -> Diagnostic {
    Diagnostic::warning(format!("{message}; the vault is left out")).help(help)
}

/// Returns an entry without its position: the position does not affect how the entry is resolved.
fn roll(entry: &VaultEntry) -> VaultEntry {
    VaultEntry {
        div: 0,
        xdiv: 0,
        ydiv: 0,
        at: Point::new(0, 0),
        ..entry.clone()
    }
}

/// Returns the seed of a vault: the seed set in its entry or, if there is none, a seed derived from the design's seed
/// and the vault's index.
fn seed(design: u64, entry: &VaultEntry, index: usize) -> u64 {
    match u64::try_from(entry.seed) {
        Ok(own) if own > 0 => own,
        _ => Stream::new(Key::new(design).child(VAULTS).child(index as u64))
            .below(u32::MAX)
            .into(),
    }
}

/// Returns the title of an entry for messages: its label, with the map or tag that the entry names.
fn title(entry: &VaultEntry, index: usize) -> String {
    let label = Entry::Vault(index).label();
    match (entry.map.as_str(), entry.tag.as_str()) {
        ("", "") => label,
        ("", tag) => format!("{label} (a map with the tag `{tag}`)"),
        (map, _) => format!("{label} (`{map}`)"),
    }
}

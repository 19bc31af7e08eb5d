//! The cache of resolved vaults, as plain data.

use std::sync::Arc;

use super::{LevelFile, TOTAL, roll, seed, title};
use crate::design::{Design, Diagnostic, Entry, Place, PlacedVault, Severity, VaultEntry};
use crate::text::counted;
use crate::vault::{ResolvedMap, place, source};

/// The placed vaults of a design, and the diagnostics about the vaults that are left out and about the level files.
pub type PlacedVaults = (Vec<PlacedVault>, Vec<Diagnostic>);

/// Level files read so far, and the vaults resolved from them.
#[derive(Debug, Clone, Default)]
pub struct VaultCache {
    sources: Vec<LevelFileContent>,
    pub(super) made: Vec<ResolvedEntry>,
}

/// The level files for one name used in a design, or the reason why they could not be read.
#[derive(Debug, Clone)]
pub(super) struct LevelFileContent {
    /// Name by which designs refer to the files; empty for the built-in level files.
    file: String,
    pub(super) levels: Result<Vec<LevelFile>, String>,
    /// Diagnostics of the files' text.
    problems: Vec<Diagnostic>,
    /// Lua instructions used by the files' compile runs.
    pub(super) compiled: u64,
}

impl LevelFileContent {
    pub(super) fn new(file: &str, levels: Result<Vec<LevelFile>, String>) -> Self {
        let mut problems = Vec::new();
        for level in levels.iter().flatten() {
            problems.extend(source::read(&level.name, &level.bytes).problems);
        }
        for problem in &mut problems {
            // Errors become warnings, because the design can be grown without the vault.
            problem.severity = problem.severity.min(Severity::Warning);
        }
        Self {
            file: file.to_owned(),
            levels,
            problems,
            compiled: 0,
        }
    }

    fn levels(&self) -> Result<&[LevelFile], &str> {
        self.levels.as_deref().map_err(String::as_str)
    }
}

/// The result of resolving a vault entry.
#[derive(Debug, Clone)]
pub(super) struct ResolvedEntry {
    /// The entry without its position: see [`roll`].
    pub(super) roll: VaultEntry,
    pub(super) seed: u64,
    pub(super) outcome: Result<Arc<ResolvedMap>, Box<Diagnostic>>,
    /// A warning about maps that have the entry's tag but could not be chosen, because their Lua fails.
    pub(super) warning: Option<Diagnostic>,
    /// Number of Lua instructions used.
    pub(super) spent: u64,
    /// Whether the time limit ended the run. If it did, the design and its seed alone do not determine the result.
    pub(super) by_clock: bool,
}

/// Counts the Lua instructions used by the vaults of a design, in list order.
#[derive(Default)]
pub(super) struct VaultUsage<'a> {
    spent: u64,
    counted: Vec<&'a str>,
    /// Title of the vault that exhausted the limit.
    last: Option<String>,
}

impl<'a> VaultUsage<'a> {
    fn charge(&mut self, index: usize, entry: &'a VaultEntry, source: &LevelFileContent, made: &ResolvedEntry) {
        if !self.counted.contains(&entry.file.as_str()) {
            self.counted.push(&entry.file);
            self.spent = self.spent.saturating_add(source.compiled);
        }
        self.spent = self.spent.saturating_add(made.spent);
        if self.spent >= TOTAL && self.last.is_none() {
            self.last = Some(title(entry, index));
        }
    }

    pub(super) const fn is_used_up(&self) -> bool {
        self.last.is_some()
    }

    /// Returns a diagnostic that explains why later vaults are left out; `None` while the limit is not reached.
    fn exhausted(&self) -> Option<Diagnostic> {
        let last = self.last.as_ref()?;
        let limit = TOTAL / 1_000_000;
        Some(
            Diagnostic::warning(format!(
                "this vault is left out, because {last} reached the limit of {limit} million Lua instructions that all vaults of a design share"
            ))
            .help(format!("make the Lua of {last} faster, or use fewer vaults")),
        )
    }
}

impl VaultCache {
    /// Drops results and level files that a design does not use.
    pub(super) fn retain(&mut self, design: &Design) {
        let vaults = &design.layout.vaults;
        self.made.retain(|made| {
            let mut vaults = vaults.iter().enumerate();
            vaults.any(|(index, entry)| made.roll == roll(entry) && made.seed == seed(design.seed, entry, index))
        });
        self.sources
            .retain(|source| vaults.iter().any(|entry| entry.file == source.file));
    }

    /// Returns the level files for a name, reading them if they are not cached.
    pub(super) fn source_or(
        &mut self,
        file: &str,
        read: impl FnOnce() -> Result<Vec<LevelFile>, String>,
    ) -> &mut LevelFileContent {
        let known = self.sources.iter().position(|source| source.file == file);
        let at = known.unwrap_or_else(|| {
            self.sources.push(LevelFileContent::new(file, read()));
            self.sources.len() - 1
        });
        &mut self.sources[at]
    }

    /// Adds the instructions used by an entry to `usage` and returns the entry's result; `None` if the entry is not
    /// resolved.
    pub(super) fn charge<'a>(
        &self,
        usage: &mut VaultUsage<'a>,
        design: &'a Design,
        index: usize,
    ) -> Option<&ResolvedEntry> {
        let entry = design.layout.vaults.get(index)?;
        let source = self.sources.iter().find(|source| source.file == entry.file)?;
        let made = self.made(design, index)?;
        usage.charge(index, entry, source, made);
        Some(made)
    }

    /// Places all vaults of a design; `None` if one of them is not resolved.
    pub fn place(&self, design: &Design) -> Option<PlacedVaults> {
        let (mut pieces, mut problems) = PlacedVaults::default();
        let mut usage = VaultUsage::default();
        for (index, entry) in design.layout.vaults.iter().enumerate() {
            let outcome = if let Some(exhausted) = usage.exhausted() {
                Err(Box::new(exhausted))
            } else {
                let made = self.charge(&mut usage, design, index)?;
                let warning = made.warning.clone();
                problems.extend(warning.map(|warning| warning.at(Place::entry(Entry::Vault(index)))));
                made.outcome.clone()
            };
            let piece = outcome.and_then(|resolved| {
                place::piece(&resolved, entry, index, design.layout.size)
                    .ok_or_else(|| Box::new(misfit(&resolved, design)))
            });
            match piece {
                Ok(piece) => pieces.push(piece),
                Err(mut problem) => {
                    problem.place.get_or_insert_with(|| Place::entry(Entry::Vault(index)));
                    problems.push(*problem);
                }
            }
        }
        let used = |source: &&LevelFileContent| design.layout.vaults.iter().any(|entry| entry.file == source.file);
        let of_files = self.sources.iter().filter(used).flat_map(|source| &source.problems);
        problems.extend(of_files.cloned());
        Some((pieces, problems))
    }

    /// Places those vaults of a design that are already resolved.
    pub fn place_known(&self, design: &Design) -> Vec<PlacedVault> {
        let vaults = design.layout.vaults.iter().enumerate();
        vaults
            .filter_map(|(index, entry)| {
                let resolved = self.made(design, index)?.outcome.as_ref().ok()?;
                place::piece(resolved, entry, index, design.layout.size)
            })
            .collect()
    }

    pub(super) fn made(&self, design: &Design, index: usize) -> Option<&ResolvedEntry> {
        let entry = design.layout.vaults.get(index)?;
        let (roll, seed) = (roll(entry), seed(design.seed, entry, index));
        self.made.iter().find(|made| made.roll == roll && made.seed == seed)
    }

    /// Returns the diagnostic of a vault that the time limit affected: the vault was left out, or some maps with its tag
    /// could not be chosen. Returns `None` if there is no such vault. Whether Lua reaches the time limit depends on the
    /// speed of the machine, not only on the design and its seed.
    pub fn by_clock(&self) -> Option<&Diagnostic> {
        self.made.iter().filter(|made| made.by_clock).find_map(|made| {
            let problem = made.outcome.as_ref().err().map(|problem| &**problem);
            problem.or(made.warning.as_ref())
        })
    }

    /// Returns the level files that could not be read, with the reason.
    pub fn unread(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources
            .iter()
            .filter_map(|source| Some((source.file.as_str(), source.levels().err()?)))
    }

    /// Returns the level files read so far, each with the name that designs use for it.
    pub fn levels(&self) -> impl Iterator<Item = (&str, &[LevelFile])> {
        self.sources
            .iter()
            .filter_map(|source| Some((source.file.as_str(), source.levels().ok()?)))
    }

    /// Drops the level files for which `changed` returns `true`, and all results that depend on them. `changed`
    /// receives the name of a file and its content or read error. Returns whether any file was dropped.
    pub fn forget(&mut self, changed: impl Fn(&str, Result<&[LevelFile], &str>) -> bool) -> bool {
        let sources = std::mem::take(&mut self.sources);
        let (gone, kept): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| changed(&source.file, source.levels()));
        self.sources = kept;
        let stale = |made: &ResolvedEntry| gone.iter().any(|source| source.file == made.roll.file);
        self.made.retain(|made| !stale(made));
        !gone.is_empty()
    }
}

/// Describes why a map cannot be placed in a design's dungeon.
fn misfit(resolved: &ResolvedMap, design: &Design) -> Diagnostic {
    let name = &resolved.name;
    if resolved.cells.is_empty() {
        return Diagnostic::warning(format!("map `{name}` has no cells; the vault is left out"))
            .help("write its rows between MAP and ENDMAP, or choose another map");
    }
    let (rows, columns) = (counted(resolved.height, "row"), counted(resolved.width, "column"));
    Diagnostic::warning(format!(
        "map `{name}` has {rows} and {columns}, too many for a dungeon of {} squares; the vault is left out",
        design.layout.size
    ))
    .help("use a larger dungeon or a smaller vault; a vault cannot cover the border of the dungeon")
}

//! Grows mazes of one design from many seeds, and stores the level files of its vaults.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Maze;
#[cfg(feature = "vaults")]
use crate::design::Severity;
use crate::design::{Design, Diagnostic, InvalidDesign, ValidDesign};
use crate::engine::{Options, SeedGrower};
#[cfg(feature = "vaults")]
use crate::presets;
#[cfg(feature = "vaults")]
use crate::vault::resolver::{LevelFile, VaultCache, VaultResolver};

/// Level files for the vaults of a design, by the file names that the design uses for them. The level files that come
/// with the crate are always available.
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
    /// Adds a level file under the file name that the design uses for it.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl AsRef<[u8]>) -> Self {
        self.0.insert(name.into(), text.as_ref().into());
        self
    }

    /// Returns the contents of the file that was added under this name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(AsRef::as_ref)
    }

    /// Iterates over the names and contents of the files, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()))
    }
}

/// Grows mazes of one design from many seeds. Validates the design and reads its level files only once, and reuses
/// memory from seed to seed.
///
/// ```
/// use wallcrawler::Design;
/// use wallcrawler::maze::{LevelFiles, MazeGrower};
///
/// let design: Design = include_str!("../../presets/keep.toml").parse()?;
/// let mut grower = MazeGrower::new(&design, LevelFiles::default())?;
/// for seed in 0..3 {
///     println!("{}", grower.grow(seed)?);
/// }
/// # Ok::<(), wallcrawler::InvalidDesign>(())
/// ```
#[derive(Debug)]
pub struct MazeGrower {
    valid: ValidDesign,
    /// Diagnostics from the validation of the design.
    diagnostics: Vec<Diagnostic>,
    grower: SeedGrower,
    #[cfg(feature = "vaults")]
    levels: LevelFiles,
    #[cfg(feature = "vaults")]
    resolver: VaultResolver,
    #[cfg(feature = "vaults")]
    cache: VaultCache,
}

impl MazeGrower {
    /// Validates a design whose vaults are in `levels` or in the level files that come with the crate.
    ///
    /// # Errors
    ///
    /// Fails if the dimensions of the design are out of range or, on a 32-bit machine, too large, or if the design has
    /// more than 1,000 expectations.
    #[cfg_attr(
        not(feature = "vaults"),
        expect(unused_variables, clippy::needless_pass_by_value, reason = "no vaults")
    )]
    pub fn new(design: &Design, levels: LevelFiles) -> Result<Self, InvalidDesign> {
        let checked = design.validate(None);
        let diagnostics = checked.diagnostics;
        let Some(valid) = checked.design else {
            return Err(InvalidDesign { diagnostics });
        };
        Ok(Self {
            valid,
            diagnostics,
            grower: SeedGrower::default(),
            #[cfg(feature = "vaults")]
            levels,
            #[cfg(feature = "vaults")]
            resolver: VaultResolver::default(),
            #[cfg(feature = "vaults")]
            cache: VaultCache::default(),
        })
    }

    /// Grows the maze for a seed; see [`Maze::grow`].
    ///
    /// # Errors
    ///
    /// Fails for the same reasons as [`Self::design`].
    pub fn grow(&mut self, seed: u64) -> Result<Maze, InvalidDesign> {
        let (design, diagnostics) = self.design(seed)?;
        let growth = self.grower.start(&design, Options::default(), &mut ());
        growth.finish(&mut ());
        let mut maze = Maze::grown(&design, growth);
        maze.diagnostics.splice(..0, diagnostics);
        Ok(maze)
    }

    /// Returns the design with `seed` as its seed and with its vaults resolved. Also returns the diagnostics of the
    /// validation, of the vaults and of their level files.
    ///
    /// # Errors
    ///
    /// Fails if a vault is in a level file that is not available, if the Lua code of a vault reached the time limit
    /// before its instruction limit (the result would depend on the machine), or if the design has vaults and the
    /// feature `vaults` is disabled.
    pub fn design(&mut self, seed: u64) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        let (design, of_vaults) = self.resolve(self.valid.with_seed(seed))?;
        let all = self.diagnostics.iter().cloned().chain(of_vaults);
        Ok((design, all.collect()))
    }

    /// Resolves the vaults of a design. Also returns the diagnostics of the vaults and of their level files.
    #[cfg(feature = "vaults")]
    fn resolve(&mut self, design: ValidDesign) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        if design.layout.vaults.is_empty() {
            return Ok((design, Vec::new()));
        }
        let Self {
            levels,
            resolver,
            cache,
            ..
        } = self;
        let file = |name: &str, bytes: &[u8]| LevelFile {
            name: name.to_owned(),
            bytes: bytes.into(),
        };
        let read = |name: &str| match (name, levels.get(name)) {
            ("", _) => Ok(presets::level_texts()
                .map(|(name, text)| file(name, text.as_bytes()))
                .collect()),
            (name, Some(bytes)) => Ok(vec![file(name, bytes)]),
            (name, None) => Err(format!("the level file `{name}` was not given")),
        };
        resolver.resolve(&design, cache, &read, None);
        let mut diagnostics: Vec<_> = cache
            .unread()
            .map(|(_, why)| Diagnostic::error(why).help("pass its contents in `levels`"))
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

    /// Returns the design as it is. Fails if the design has vaults.
    #[cfg(not(feature = "vaults"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    fn resolve(&mut self, design: ValidDesign) -> Result<(ValidDesign, Vec<Diagnostic>), InvalidDesign> {
        match design.layout.vaults.len() {
            0 => Ok((design, Vec::new())),
            count => {
                let vaults = if count == 1 { "a vault" } else { "vaults" };
                let problem = Diagnostic::error(format!("the design has {vaults}, which this build cannot resolve"))
                    .help("enable the feature `vaults`, or pass a design with placed vaults to `Maze::of`");
                Err(InvalidDesign {
                    diagnostics: vec![problem],
                })
            }
        }
    }
}

//! The same design from other seeds: what a search for a better one works on, away from the open document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::LevelFileBytes;
use super::vaults::VaultShelf;
use crate::design::{Design, Memory, ValidDesign};

/// A design whose seed may change; cheap to clone and to send to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeededDesign {
    design: Arc<Design>,
    folder: PathBuf,
    memory: Option<Memory>,
    /// What level files hold that were read before.
    levels: LevelFileBytes,
}

impl SeededDesign {
    /// A design whose level files lie in a folder.
    pub fn new(design: Arc<Design>, folder: PathBuf, memory: Option<Memory>) -> Self {
        Self {
            design,
            folder,
            memory,
            levels: LevelFileBytes::default(),
        }
    }

    /// The same with what level files hold, which are not read again.
    #[must_use]
    pub fn with_levels(mut self, levels: LevelFileBytes) -> Self {
        self.levels = levels;
        self
    }

    /// The level files that were read, by the names that the design gives them, and what they hold.
    pub fn levels(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let name = |path| Path::strip_prefix(path, &self.folder).unwrap_or(path);
        self.levels.read_ones().map(move |(path, bytes)| (name(path), bytes))
    }

    /// The design as it stood when the search began.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Another design in its place, with the same level files.
    #[must_use]
    pub fn varied(&self, design: Design) -> Self {
        Self {
            design: Arc::new(design),
            ..self.clone()
        }
    }

    /// The design's own seed.
    pub fn seed(&self) -> u64 {
        self.design.seed
    }

    /// The same design with another seed of its own.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        let design = Design {
            seed,
            ..Design::clone(&self.design)
        };
        Self {
            design: Arc::new(design),
            ..self.clone()
        }
    }

    /// Begins to make it from other seeds; level files are read once.
    pub fn seeds(&self) -> SeedDesigns<'_> {
        SeedDesigns {
            prospect: self,
            valid: self.design.validate(self.memory).design,
            shelf: VaultShelf::of(self.levels.clone()),
        }
    }
}

/// Makes a design from one seed after the other.
#[derive(Debug)]
pub struct SeedDesigns<'a> {
    prospect: &'a SeededDesign,
    /// The design from its own seed, which has no say in whether it can be grown.
    valid: Option<ValidDesign>,
    shelf: VaultShelf,
}

impl SeedDesigns<'_> {
    /// The design from a seed, with its vaults resolved; `None` when it cannot be grown.
    pub fn design(&mut self, seed: u64) -> Option<ValidDesign> {
        let valid = self.valid.as_ref()?.with_seed(seed);
        let (pieces, _) = self.shelf.resolve(&valid, &self.prospect.folder);
        Some(valid.with_pieces(pieces))
    }
}

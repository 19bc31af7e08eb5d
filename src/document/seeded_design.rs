//! Prepares validated copies of a design, each with another seed and with the vaults resolved for that seed. Seed
//! searches and surveys use these copies independently of the open document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::LevelFileBytes;
use super::vaults::DesignVaultCache;
use crate::design::{Design, Memory, ValidDesign, Validated};

/// A design and the data needed to prepare copies of it with other seeds. Cheap to clone and to send to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeededDesign {
    design: Arc<Design>,
    folder: PathBuf,
    memory: Option<Memory>,
    /// Content of level files that were already read.
    levels: LevelFileBytes,
}

impl SeededDesign {
    /// Creates a `SeededDesign` from a design whose level files are in `folder`.
    pub fn new(design: Arc<Design>, folder: PathBuf, memory: Option<Memory>) -> Self {
        Self {
            design,
            folder,
            memory,
            levels: LevelFileBytes::default(),
        }
    }

    /// Sets the content of level files that were already read, so that they are not read again.
    #[must_use]
    pub fn with_levels(mut self, levels: LevelFileBytes) -> Self {
        self.levels = levels;
        self
    }

    /// Returns the level files that were already read: the name that the design uses for each, and its content.
    pub fn levels(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let name = |path| Path::strip_prefix(path, &self.folder).unwrap_or(path);
        self.levels.read_ones().map(move |(path, bytes)| (name(path), bytes))
    }

    /// Returns the design with its own seed.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Returns a `SeededDesign` for another design, with the same level files.
    #[must_use]
    pub fn varied(&self, design: Design) -> Self {
        Self {
            design: Arc::new(design),
            ..self.clone()
        }
    }

    /// Returns the design's own seed.
    pub fn seed(&self) -> u64 {
        self.design.seed
    }

    /// Returns a copy whose design has another seed.
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

    /// Validates the design without resolving its vaults.
    pub fn validate(&self) -> Validated {
        self.design.validate(self.memory)
    }

    /// Returns a factory that prepares the design with other seeds. The factory reads each level file only once.
    pub fn seeds(&self) -> SeedDesigns {
        SeedDesigns {
            folder: self.folder.clone(),
            valid: self.design.validate(self.memory).design,
            library: DesignVaultCache::of(self.levels.clone()),
        }
    }
}

/// A factory that prepares one design for any number of seeds.
#[derive(Debug)]
pub struct SeedDesigns {
    /// Folder of the level files.
    folder: PathBuf,
    /// Validated design with its own seed; `None` if it is invalid. No seed makes an invalid design valid.
    valid: Option<ValidDesign>,
    library: DesignVaultCache,
}

impl SeedDesigns {
    /// Returns the design with `seed` and with its vaults resolved for that seed; `None` if it cannot be grown.
    pub fn design(&mut self, seed: u64) -> Option<ValidDesign> {
        let valid = self.valid.as_ref()?.with_seed(seed);
        let (pieces, _) = self.library.resolve(&valid, &self.folder);
        Some(valid.with_pieces(pieces))
    }
}

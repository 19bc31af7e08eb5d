//! Prepares validated copies of a design, each with another seed and with the vaults resolved for that seed. Seed
//! searches and surveys use these copies independently of the open document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::LevelFileBytes;
use super::vaults::{DesignVaultCache, RecordedVaults};
use crate::design::{Design, Diagnostic, Memory, ValidDesign, Validated};

/// A design and the data needed to prepare copies of it with other seeds. Cheap to clone and to send to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeededDesign {
    design: Arc<Design>,
    folder: PathBuf,
    memory: Option<Memory>,
    /// Content of level files that were already read.
    levels: LevelFileBytes,
    /// Vaults of the recording that the design was read from.
    recorded: Option<Arc<RecordedVaults>>,
    /// The recorded vaults as bytes, if [`with_level_files`](SeededDesign::with_level_files) found that the level files
    /// now give different vaults.
    only_recorded: Option<Arc<[u8]>>,
}

impl SeededDesign {
    /// Creates a `SeededDesign` from a design whose level files are in `folder`.
    pub fn new(design: Arc<Design>, folder: PathBuf, memory: Option<Memory>) -> Self {
        Self {
            design,
            folder,
            memory,
            levels: LevelFileBytes::default(),
            recorded: None,
            only_recorded: None,
        }
    }

    /// Adds the vaults of a document's recording, and the level files that the document's vaults were resolved from.
    /// These files are not read again.
    #[must_use]
    pub(super) fn with_vaults_of(self, library: &DesignVaultCache) -> Self {
        Self {
            levels: library.read_levels(),
            recorded: library.recorded_vaults(),
            ..self
        }
    }

    /// Reads the level files of a recorded design, and compares their vaults with the recorded vaults. Opening a
    /// recording does not read level files. The result keeps the content of the files: vaults that are later resolved
    /// for other seeds use this content.
    #[must_use]
    pub fn with_level_files(self) -> Self {
        let Some(recorded) = self.recorded.as_ref().filter(|recorded| recorded.suits(&self.design)) else {
            return self;
        };
        let mut library = DesignVaultCache::of(self.levels.clone());
        let (pieces, _) = library.resolve(&self.with_seed(recorded.seed).design, &self.folder);
        Self {
            levels: library.read_levels(),
            only_recorded: recorded.bytes_unless_equal(&pieces).map(Arc::from),
            ..self
        }
    }

    /// Returns what determines the design's vaults, for a digest: each level file that was already read, as its name in
    /// the design and its content. If [`with_level_files`](Self::with_level_files) found that the level files now give
    /// different vaults, the recorded vaults follow as a last entry with an empty name.
    pub fn vault_sources(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let name = |path| Path::strip_prefix(path, &self.folder).unwrap_or(path);
        let levels = self.levels.read_ones().map(move |(path, bytes)| (name(path), bytes));
        let applies = self
            .recorded
            .as_ref()
            .is_some_and(|recorded| recorded.suits(&self.design));
        let only_recorded = self.only_recorded.as_deref().filter(|_| applies);
        levels.chain(only_recorded.map(|bytes| (Path::new(""), bytes)))
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
            library: DesignVaultCache::of(self.levels.clone()).with_recorded(self.recorded.clone()),
        }
    }

    /// A recording contains the vaults only for its own seed and layout. For the first of `seeds` whose vaults it does
    /// not contain, resolves the vaults from the level files, and returns the diagnostics. A missing level file is reported only here, because a recording contains its vaults
    /// and can be opened without the level files. A design without a recording has no diagnostics here.
    pub fn beyond_recording(&self, seeds: impl IntoIterator<Item = u64>) -> Vec<Diagnostic> {
        self.beyond_recording_with(seeds, [])
    }

    /// Like [`beyond_recording`](Self::beyond_recording), but if the recording contains the vaults of all these seeds,
    /// does the same for the first of `variants` whose vaults it does not contain. A variant is a changed design, such
    /// as one with other dimensions.
    pub fn beyond_recording_with(
        &self,
        seeds: impl IntoIterator<Item = u64>,
        variants: impl IntoIterator<Item = Design>,
    ) -> Vec<Diagnostic> {
        let Some(recorded) = &self.recorded else {
            return Vec::new();
        };
        let same_design = seeds.into_iter().map(|seed| self.with_seed(seed).design);
        let seed = recorded.seed;
        let same_seed = variants.into_iter().map(|variant| Arc::new(Design { seed, ..variant }));
        let other = same_design.chain(same_seed).find(|design| !recorded.holds_for(design));
        let Some(other) = other else {
            return Vec::new();
        };
        let (_, mut found) = DesignVaultCache::of(self.levels.clone()).resolve(&other, &self.folder);
        let which = if other.seed == recorded.seed {
            "the changed dungeon".to_owned()
        } else {
            format!("the dungeon of seed {}", other.seed)
        };
        for diagnostic in &mut found {
            diagnostic.message = format!("{which} is not recorded: {}", diagnostic.message);
        }
        found
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

//! The same design from other seeds: what a search for a better one works on, away from the open document.

use std::path::PathBuf;
use std::sync::Arc;

use super::vaults::Shelf;
use crate::design::{Design, Memory, ValidDesign};

/// A design whose seed may change; cheap to clone and to send to a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prospect {
    design: Arc<Design>,
    folder: PathBuf,
    memory: Option<Memory>,
}

impl Prospect {
    /// A design whose level files lie in a folder.
    pub const fn new(design: Arc<Design>, folder: PathBuf, memory: Option<Memory>) -> Self {
        Self { design, folder, memory }
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
    pub fn seeds(&self) -> Seeds<'_> {
        Seeds {
            prospect: self,
            valid: self.design.validate(self.memory).design,
            shelf: Shelf::default(),
        }
    }
}

/// Makes a design from one seed after the other.
#[derive(Debug)]
pub struct Seeds<'a> {
    prospect: &'a Prospect,
    /// The design from its own seed, which has no say in whether it can be grown.
    valid: Option<ValidDesign>,
    shelf: Shelf,
}

impl Seeds<'_> {
    /// The design from a seed, with its vaults resolved; `None` when it cannot be grown.
    pub fn design(&mut self, seed: u64) -> Option<ValidDesign> {
        let valid = self.valid.as_ref()?.with_seed(seed);
        let (pieces, _) = self.shelf.place(&valid, &self.prospect.folder);
        Some(valid.with_pieces(pieces))
    }
}

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
    pub(super) const fn new(design: Arc<Design>, folder: PathBuf, memory: Option<Memory>) -> Self {
        Self { design, folder, memory }
    }

    /// The design as it stood when the search began.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The design's own seed.
    pub fn seed(&self) -> u64 {
        self.design.seed
    }

    /// Begins to make it from other seeds; level files are read once.
    pub fn seeds(&self) -> Seeds<'_> {
        Seeds {
            prospect: self,
            shelf: Shelf::default(),
        }
    }
}

/// Makes a design from one seed after the other.
#[derive(Debug)]
pub struct Seeds<'a> {
    prospect: &'a Prospect,
    shelf: Shelf,
}

impl Seeds<'_> {
    /// The design from a seed, with its vaults resolved; `None` when it cannot be grown.
    pub fn design(&mut self, seed: u64) -> Option<ValidDesign> {
        let mut design = Design::clone(&self.prospect.design);
        design.seed = seed;
        let valid = design.validate(self.prospect.memory).design?;
        let (pieces, _) = self.shelf.place(&design, &self.prospect.folder);
        Some(valid.with_pieces(pieces))
    }
}

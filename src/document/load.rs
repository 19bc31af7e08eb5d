//! Loads a design from files, makes it ready to grow, and collects the diagnostics.
//!
//! Reading, validation, vault resolution and the engine's stage one, which builds the dungeon as it is before growth,
//! each produce diagnostics. This module joins them in one list, and adds file, line and column to those that refer to
//! a place in a file.

use std::path::{Path, PathBuf};

use crate::design::{Design, Diagnostic, Memory, ValidDesign, Validated};
use crate::engine::{Options, cautions, stage_one};
use crate::import;
use crate::storage::{self, DesignFiles, LoadedDesign};

use super::drawing::{files_of_drawing, is_drawing};
use super::vaults::{self, DesignVaultCache};

/// Result of opening a design: the design and all diagnostics about it.
#[derive(Debug, Clone, Default)]
pub struct Opened {
    /// The design in the files; `None` if the files contain no usable design.
    pub design: Option<Design>,
    /// The validated design, ready to grow; `None` if the design cannot be grown.
    pub valid: Option<ValidDesign>,
    /// Diagnostics about the text, the values, the vaults and stage one.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a file could not be read at all.
    pub unreadable: bool,
    /// The files as they were read; `None` for a recording.
    pub loaded: Option<LoadedDesign>,
}

/// Returns every file that is read to load and grow a design: the design's files and the level files of its vaults. If
/// the design's file is a drawing, the tilesets that it refers to are included.
pub fn inputs(files: &DesignFiles, design: &Design) -> Vec<PathBuf> {
    let mut inputs = files.paths();
    inputs.extend(vaults::files(design, &vaults::folder(Some(files))));
    if let DesignFiles::Toml(path) = files
        && is_drawing(path)
    {
        inputs.extend(files_of_drawing(path, &import::ImportOptions::default()));
    }
    inputs
}

/// Reads a design, replaces its seed if `seed` is given, prepares it to grow, and collects all diagnostics.
pub fn open(files: &DesignFiles, seed: Option<u64>, memory: Option<Memory>) -> Opened {
    if let Some(path) = files.recording_file() {
        return open_recording(path, seed, memory);
    }
    let mut loaded = files.load();
    if let (Some(design), Some(seed)) = (&mut loaded.design, seed) {
        design.seed = seed;
    }
    diagnose(loaded, memory)
}

/// Opens the design of a recording. The recorded vaults are used, unless `seed` differs from the recorded seed: then
/// the vaults are resolved again.
fn open_recording(path: &Path, seed: Option<u64>, memory: Option<Memory>) -> Opened {
    let recording_file = match storage::read_recording(path, memory) {
        Ok(recording_file) => recording_file,
        Err(error) => {
            return Opened {
                diagnostics: vec![
                    Diagnostic::error(error.to_string()).help("check the name, or obtain the file again"),
                ],
                unreadable: error.is_unreadable(),
                ..Opened::default()
            };
        }
    };
    if let Some(seed) = seed.filter(|seed| *seed != recording_file.design.seed) {
        let mut design = Design::clone(&recording_file.design);
        design.seed = seed;
        return prepare(&design, None, memory);
    }
    let mut diagnostics = recording_file.diagnostics;
    diagnostics.extend(stage_one::build(&recording_file.design).diagnostics);
    Opened {
        design: Some(Design::clone(&recording_file.design)),
        valid: Some(recording_file.design),
        diagnostics,
        ..Opened::default()
    }
}

/// Prepares a design that was already read, and collects all diagnostics about its text, values, vaults and stage one.
pub fn diagnose(loaded: LoadedDesign, memory: Option<Memory>) -> Opened {
    let mut opened = match &loaded.design {
        Some(design) => prepare(design, Some(&loaded), memory),
        None => Opened::default(),
    };
    opened.diagnostics.splice(0..0, loaded.diagnostics.iter().cloned());
    opened.design.clone_from(&loaded.design);
    opened.unreadable = loaded.unreadable;
    opened.loaded = Some(loaded);
    opened
}

/// Validates a design, resolves its vaults, runs stage one, and collects the diagnostics. `loaded` supplies the
/// positions in the files and the folder of the level files; without it, diagnostics have no file or line.
pub fn prepare(design: &Design, loaded: Option<&LoadedDesign>, memory: Option<Memory>) -> Opened {
    let (valid, mut diagnostics) = validate(design, loaded, memory);
    let folder = loaded.map(LoadedDesign::folder).unwrap_or_default();
    let (pieces, vaults) = DesignVaultCache::default().resolve(design, &folder);
    diagnostics.extend(locate(vaults, loaded));
    let valid = valid.map(|valid| valid.with_pieces(pieces));
    if let Some(valid) = &valid {
        diagnostics.extend(locate(stage_one::build(valid).diagnostics, loaded));
    }
    Opened {
        design: Some(design.clone()),
        valid,
        diagnostics,
        ..Opened::default()
    }
}

/// Validates a design, and adds the diagnostics of [`cautions`]. If the file readers already reported a diagnostic
/// about a place, the warnings and notes that validation reports about the same place are left out.
pub(super) fn validate(
    design: &Design,
    loaded: Option<&LoadedDesign>,
    memory: Option<Memory>,
) -> (Option<ValidDesign>, Vec<Diagnostic>) {
    let Validated {
        design: valid,
        diagnostics,
    } = design.validate(memory);
    let cautions = valid.as_ref().map(|valid| cautions(valid, Options::default()));
    let known = loaded.map_or(&[][..], |loaded| &loaded.diagnostics);
    (
        valid,
        locate(
            diagnostics
                .into_iter()
                .filter(|found| !found.repeats(known))
                .chain(cautions.into_iter().flatten())
                .collect(),
            loaded,
        ),
    )
}

/// Adds file, line and column to the diagnostics whose place occurs in the loaded files.
pub(super) fn locate(mut diagnostics: Vec<Diagnostic>, loaded: Option<&LoadedDesign>) -> Vec<Diagnostic> {
    if let Some(loaded) = loaded {
        for diagnostic in &mut diagnostics {
            loaded.locate(diagnostic);
        }
    }
    diagnostics
}

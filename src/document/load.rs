//! From files to a design that can be grown, with everything that is wrong on the way.
//!
//! Reading, validation and the engine's first stage each find problems of their own; here they become one
//! list, with lines and columns where a file was read.

use crate::design::{Design, Diagnostic, Memory, Severity, ValidDesign, Validated};
use crate::engine::layout;
use crate::storage::{DesignFiles, Loaded};

/// A design that was read, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Opened {
    /// As the files hold it; `None` when they cannot be used.
    pub design: Option<Design>,
    /// Ready to grow; `None` when it cannot be.
    pub valid: Option<ValidDesign>,
    /// Problems of the text, of the values and of stage one.
    pub diagnostics: Vec<Diagnostic>,
    /// A file could not be read at all.
    pub unreadable: bool,
}

/// Reads a design and finds everything that is wrong with it, stage one included.
pub fn open(files: &DesignFiles, memory: Option<Memory>) -> Opened {
    diagnose(files.load(), memory)
}

/// Finds everything that is wrong with a design that was read.
pub fn diagnose(loaded: Loaded, memory: Option<Memory>) -> Opened {
    let mut diagnostics = loaded.diagnostics.clone();
    let mut valid = None;
    if let Some(design) = &loaded.design {
        let (checked, more) = validate(design, Some(&loaded), memory);
        diagnostics.extend(more);
        valid = checked;
    }
    if let Some(valid) = &valid {
        diagnostics.extend(locate(layout::build(valid).diagnostics, Some(&loaded)));
    }
    Opened {
        design: loaded.design,
        valid,
        diagnostics,
        unreadable: loaded.unreadable,
    }
}

/// Validates a design; problems that its files' readers reported already are not told twice.
pub(super) fn validate(
    design: &Design,
    loaded: Option<&Loaded>,
    memory: Option<Memory>,
) -> (Option<ValidDesign>, Vec<Diagnostic>) {
    let Validated {
        design: valid,
        diagnostics,
    } = design.validate(memory);
    let told = |d: &Diagnostic| {
        let known = loaded.is_some_and(|l| l.diagnostics.iter().any(|k| k.place.is_some() && k.place == d.place));
        known && d.severity < Severity::Error
    };
    (
        valid,
        locate(diagnostics.into_iter().filter(|d| !told(d)).collect(), loaded),
    )
}

/// The same diagnostics, with file, line and column where the files hold their place.
pub(super) fn locate(mut diagnostics: Vec<Diagnostic>, loaded: Option<&Loaded>) -> Vec<Diagnostic> {
    if let Some(loaded) = loaded {
        for diagnostic in &mut diagnostics {
            loaded.locate(diagnostic);
        }
    }
    diagnostics
}

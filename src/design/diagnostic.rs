//! Problems of a design, told to a person.
//!
//! A diagnostic names the place in the design; whoever read the design from text adds the file, line
//! and column. This module only holds and prints them; who finds them is elsewhere.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Place;
use crate::text::escape_line;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The design is used as it stands, and the author may want to know something.
    Note,
    /// The design is used, with a value changed or an item left out.
    Warning,
    /// The design cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Where in a text a problem stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePosition {
    /// The file's name as the user gave it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// The offending text.
    pub text: String,
}

/// One problem of a design: what is wrong, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The entry or field it is about, where it is about one.
    pub place: Option<Place>,
    /// File, line and column, where the design came from text.
    pub source: Option<SourcePosition>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to do, without a full stop; may be empty.
    pub help: String,
}

impl Diagnostic {
    fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            place: None,
            source: None,
            message: message.into(),
            help: String::new(),
        }
    }

    /// A problem that makes the design unusable.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// A problem that leaves a usable design.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// Something worth knowing.
    pub fn note(message: impl Into<String>) -> Self {
        Self::new(Severity::Note, message)
    }

    /// The same, about a place in the design.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The same, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// The same, with its place in a text.
    #[must_use]
    pub fn from_source(mut self, source: SourcePosition) -> Self {
        self.source = Some(source);
        self
    }
}

impl fmt::Display for Diagnostic {
    /// `rooms4:12:8: warning: message: 'text'` and, on a second line, what to do. Text that came from a
    /// file is escaped, so that a binary file cannot write to the terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{}:{}:{}: ", source.file, source.line, source.column)?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if let Some(source) = self.source.as_ref().filter(|s| !s.text.is_empty()) {
            write!(f, ": '{}'", escape_line(&source.text))?;
        } else if let (None, Some(place)) = (&self.source, self.place) {
            write!(f, " ({})", place.entry.label())?;
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

/// Why a design cannot be used: everything that was found to be wrong with it, at least one error among it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidDesign {
    /// What is wrong, in the order in which it was found.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for InvalidDesign {
    /// The diagnostics, each on lines of its own; `the design cannot be used` where there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.diagnostics.split_first() else {
            return f.write_str("the design cannot be used");
        };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|diagnostic| write!(f, "\n{diagnostic}"))
    }
}

impl std::error::Error for InvalidDesign {}

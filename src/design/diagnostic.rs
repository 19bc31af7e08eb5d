//! Diagnostics: problems in a design, described for the user.
//!
//! Validation and the format readers create diagnostics. A diagnostic names the place in the design, if it concerns a
//! particular one. If the design was read from text, the diagnostic also has the file, the line number, the column and
//! an excerpt of the line. This module defines diagnostics and their text form: the message followed by the advice. The
//! command line also prints the offending line of the file.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Place;
use crate::text::escape_line;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The design is used unchanged, but the author may want to know about the problem.
    Note,
    /// The design can be used, although a value may have been changed or an item left out.
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

/// The position of a problem in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePosition {
    /// The file's name as the user gave it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte range of the offending text in the file.
    pub span: Range<usize>,
    /// The offending text, shortened if it is long.
    pub text: String,
    /// The line that contains the offending text; empty if the line is not available.
    #[serde(default, skip_serializing_if = "Excerpt::is_empty")]
    pub excerpt: Excerpt,
}

/// A line of a text, or the part of it around the offending text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Excerpt {
    /// The line, shortened at both ends if it is long.
    pub line: String,
    /// Byte range of the offending text in `line`.
    pub span: Range<usize>,
}

impl Excerpt {
    /// Returns whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }
}

/// Maximum number of characters of the offending text that a message contains.
const MOST_SHOWN: usize = 60;

impl SourcePosition {
    /// Maximum number of characters of a line that an excerpt contains.
    pub(crate) const MOST_OF_LINE: usize = 100;

    /// Creates the position of offending text in line number `line`, counted from 1. `parts` are the line's text
    /// before the offending text, the offending text, and the text after it. `span` is the byte range of the offending
    /// text in the file; `is_cut` says whether the offending text continues on the next line.
    pub fn in_line(file: &str, line: usize, parts: [&str; 3], span: Range<usize>, is_cut: bool) -> Self {
        let [before, text, after] = parts;
        let column = before.chars().count() + 1;
        let shown = first(text, MOST_SHOWN);
        let is_long = shown.len() < text.len();
        let room = Self::MOST_OF_LINE - shown.chars().count();
        let after = if is_long { "" } else { after };
        let head = last(before, room - first(after, room / 2).chars().count());
        let tail = first(after, room - head.chars().count());
        let begin = if head.len() < before.len() { "…" } else { "" };
        let end = if is_long || tail.len() < after.len() { "…" } else { "" };
        let start = begin.len() + head.len();
        let excerpt = Excerpt {
            line: format!("{begin}{head}{shown}{tail}{end}"),
            span: start..start + shown.len(),
        };
        let dots = if is_cut || is_long { "…" } else { "" };
        Self {
            file: file.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            span,
            text: format!("{shown}{dots}"),
            excerpt,
        }
    }
}

/// Returns the first `count` characters of a text, or all if it is shorter.
fn first(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

/// Returns the last `count` characters of a text, or all if it is shorter.
fn last(text: &str, count: usize) -> &str {
    let cut = text.char_indices().rev().nth(count);
    cut.map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

/// One problem in a design: what is wrong, where, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Severity of the problem.
    pub severity: Severity,
    /// Entry or field that has the problem; `None` if the problem concerns no particular one.
    pub place: Option<Place>,
    /// Position in a text, if the design was read from text.
    pub source: Option<SourcePosition>,
    /// Description of the problem, without a full stop.
    pub message: String,
    /// Advice on what to do, without a full stop; may be empty.
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

    /// Creates an error, which makes the design unusable.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Creates a warning, which leaves the design usable.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// Creates a note, which has no effect on the design.
    pub fn note(message: impl Into<String>) -> Self {
        Self::new(Severity::Note, message)
    }

    /// Sets the place in the design.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the advice on how to correct the problem.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Returns whether this is a warning or a note about a place for which `known` already contains a diagnostic. The
    /// validation of a design reports some problems again that were already reported when its files were read.
    pub fn repeats(&self, known: &[Self]) -> bool {
        let is_known = |known: &Self| known.place.is_some() && known.place == self.place;
        self.severity < Severity::Error && known.iter().any(is_known)
    }

    /// Sets the position in the text from which the design was read.
    #[must_use]
    pub fn from_source(mut self, source: SourcePosition) -> Self {
        self.source = Some(source);
        self
    }
}

impl fmt::Display for Diagnostic {
    /// Writes ``rooms4:12:8: warning: message: `text` ``, or `warning: Crawler 1: message` if the diagnostic refers to
    /// an entry but to no file; the entry is left out if the message names it. The advice follows on a second line.
    /// Text from a file is escaped, so that a binary file cannot send control characters to the terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{}:{}:{}: ", source.file, source.line, source.column)?;
        }
        write!(f, "{}: ", self.severity)?;
        if let (None, Some(place)) = (&self.source, self.place) {
            let label = place.entry.label();
            // Crawler 1 is not named by `Crawler 12`.
            let is_whole = |(_, rest): (&str, &str)| !rest.starts_with(|c: char| c.is_ascii_digit());
            if !self.message.split_once(&label).is_some_and(is_whole) {
                write!(f, "{label}: ")?;
            }
        }
        f.write_str(&self.message)?;
        if let Some(source) = self.source.as_ref().filter(|s| !s.text.is_empty()) {
            write!(f, ": `{}`", escape_line(&source.text))?;
        }
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

/// The error for a design that cannot be used: all its diagnostics, of which at least one is an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidDesign {
    /// Diagnostics in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for InvalidDesign {
    /// Writes the diagnostics, each on its own lines; `the design cannot be used` if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.diagnostics.split_first() else {
            return f.write_str("the design cannot be used");
        };
        write!(f, "{first}")?;
        rest.iter().try_for_each(|diagnostic| write!(f, "\n{diagnostic}"))
    }
}

impl std::error::Error for InvalidDesign {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{CrawlerField, Entry};

    #[test]
    fn an_entry_is_named_once() {
        let shown = |message: &str| {
            let place = Place::field(Entry::Crawler(0), CrawlerField::Direction);
            Diagnostic::warning(message).at(place).to_string()
        };
        assert_eq!(shown("Crawler 1 is blocked"), "warning: Crawler 1 is blocked");
        assert_eq!(shown("Crawler 12 is near"), "warning: Crawler 1: Crawler 12 is near");
        assert_eq!(shown("it is blocked"), "warning: Crawler 1: it is blocked");
    }
}

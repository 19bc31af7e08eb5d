//! The text of a file, and the positions of the design's values in it.
//!
//! Handles bytes, lines and columns; the other modules of `format` parse the text. This module opens no files.

use std::ops::Range;

use crate::design::{Diagnostic, Place, Severity, SourcePosition};

/// Returns the line break that a text uses: CRLF if any line ends with CRLF, otherwise LF.
pub fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text of a file with its name and an index of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    name: String,
    content: String,
    /// Byte offset of the start of each line.
    lines: Vec<usize>,
    problem: Option<Diagnostic>,
}

impl Text {
    /// Creates a text from a string. Diagnostics show `name` as its file name.
    pub fn new(name: impl Into<String>, content: impl Into<String>) -> Self {
        let content = content.into();
        let lines = std::iter::once(0)
            .chain(
                content
                    .bytes()
                    .enumerate()
                    .filter(|(_, b)| *b == b'\n')
                    .map(|(i, _)| i + 1),
            )
            .collect();
        Self {
            name: name.into(),
            content,
            lines,
            problem: None,
        }
    }

    /// Decodes the bytes of a file. A file that is not UTF-8 is read as Latin-1, so that no part of an old file is
    /// lost; a binary file yields an empty text. In both cases, [`Self::problem`] returns a diagnostic.
    pub fn decode(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let name = name.into();
        if let Some(why) = binary(&bytes) {
            let mut text = Self::new(name, "");
            text.problem = Some(
                Diagnostic::error(format!("{}: {why}", "cannot read this as text"))
                    .from_source(text.source(0..0))
                    .help("use a text file in UTF-8"),
            );
            return text;
        }
        match String::from_utf8(bytes) {
            Ok(content) => Self::new(name, content),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let mut text = Self::new(
                    name,
                    error.as_bytes().iter().map(|&b| char::from(b)).collect::<String>(),
                );
                // Latin-1 turns each multi-byte character before the first bad byte into several characters.
                let shown = error.as_bytes()[..at].iter().map(|&b| char::from(b).len_utf8()).sum();
                text.problem = Some(
                    Diagnostic::warning("the text is not UTF-8 and is read as Latin-1")
                        .from_source(text.source(shown..shown + 2))
                        .help("save the file in UTF-8"),
                );
                text
            }
        }
    }

    /// Returns the file name that diagnostics show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Returns the problem found while decoding the file's bytes, if any.
    pub fn problem(&self) -> Option<&Diagnostic> {
        self.problem.as_ref()
    }

    /// Returns the line, column and text of a byte range. A bound beyond the text moves to its end, a bound inside a
    /// character to the start of that character; long text is shortened.
    pub fn source(&self, span: Range<usize>) -> SourcePosition {
        let start = self.boundary(span.start);
        let end = self.boundary(span.end).max(start);
        let line = self.lines.partition_point(|&l| l <= start).max(1);
        let before = &self.content[self.lines[line - 1]..start];
        let marked = self.content[start..end].trim_end();
        let text = first_line(marked);
        let is_cut = text.len() < marked.len();
        let rest = &self.content[start + text.len()..];
        // A line may be very long, but an excerpt shows only the characters near the marked text.
        let near = rest.char_indices().nth(SourcePosition::MOST_OF_LINE + 1);
        let after = first_line(near.map_or(rest, |(end, _)| &rest[..end]));
        SourcePosition::in_line(&self.name, line, [before, text, after], start..end, is_cut)
    }

    fn boundary(&self, mut at: usize) -> usize {
        at = at.min(self.content.len());
        while !self.content.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Returns a text up to its first line break.
fn first_line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or_default()
}

/// Returns why the bytes are binary, or `None` if they may be text.
fn binary(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some("it is UTF-16, which is not supported".into());
    }
    let nul = bytes.iter().position(|&b| b == 0)?;
    Some(format!("byte {} is NUL, as in binary files", nul + 1))
}

/// The byte ranges of a design's values in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Byte range of each value; sorted by place after [`Self::sort`].
    spots: Vec<(Place, Range<usize>)>,
}

impl Places {
    /// Records the byte range of a value.
    pub(super) fn add(&mut self, place: Place, span: Range<usize>) {
        self.spots.push((place, span));
    }

    /// Sorts the places; if a place has several ranges, keeps the range that was added last.
    pub(super) fn sort(&mut self) {
        self.spots.reverse();
        self.spots.sort_by_key(|(place, _)| *place);
        self.spots.dedup_by_key(|(place, _)| *place);
    }

    /// Returns the byte range of a place by linear search, for use before [`Self::sort`].
    pub(super) fn unsorted(&self, place: Place) -> Option<Range<usize>> {
        let (_, span) = self.spots.iter().find(|(p, _)| *p == place)?;
        Some(span.clone())
    }

    /// Returns the byte range of exactly this field or record. Unlike [`Self::get`], returns `None` for a missing field
    /// even if the text contains its record.
    pub(super) fn exactly(&self, place: Place) -> Option<Range<usize>> {
        let i = self.spots.binary_search_by_key(&place, |(p, _)| *p).ok()?;
        Some(self.spots[i].1.clone())
    }

    /// Returns the byte range of a field, or of its record if the text lacks the field.
    pub fn get(&self, place: Place) -> Option<Range<usize>> {
        self.exactly(place).or_else(|| self.exactly(Place::entry(place.entry)))
    }

    /// Adds file, line, column and offending text to a diagnostic that names a place, unless it already has a source.
    pub fn locate(&self, diagnostic: &mut Diagnostic, text: &Text) {
        if diagnostic.source.is_none()
            && let Some(span) = diagnostic.place.and_then(|place| self.get(place))
        {
            diagnostic.source = Some(text.source(span));
        }
    }
}

/// The result of parsing a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed<T> {
    /// The parsed value, with defaults in place of unreadable parts.
    pub value: T,
    /// Problems found in the text, in text order.
    pub diagnostics: Vec<Diagnostic>,
    /// Places of the values.
    pub places: Places,
    /// Byte offset at which parsing ended. Text after it is not part of the format; saving the file keeps this text.
    /// If a rooms file lacks its last record, this is the end of the text.
    pub end: usize,
}

impl<T> Parsed<T> {
    /// Returns whether the value can be used: no diagnostic is an error.
    pub fn is_usable(&self) -> bool {
        self.diagnostics.iter().all(|d| d.severity < Severity::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let text = Text::new("f", "äöü x\nzwei drei\n");
        let source = text.source(7..8);
        assert_eq!((source.line, source.column, source.text.as_str()), (1, 5, "x"));
        let source = text.source(14..18);
        assert_eq!((source.line, source.column, source.text.as_str()), (2, 6, "drei"));
        // Ranges outside the text or inside a character do not panic.
        assert_eq!(text.source(1..999).column, 1);
        assert_eq!(text.source(500..999).line, 3);
        assert_eq!(Text::new("f", "").source(0..9).line, 1);
    }

    #[test]
    fn long_and_broken_texts_are_shortened() {
        let shown = |content: &str| Text::new("f", content).source(0..content.len()).text;
        assert_eq!(shown("a b\nc"), "a b…");
        assert_eq!(shown(&"ä".repeat(61)).chars().count(), 61);
        assert_eq!(shown("abc\n"), "abc");
    }

    #[test]
    fn an_excerpt_is_the_line_around_the_text() {
        let shown = |content: &str, span| {
            let excerpt = Text::new("f", content).source(span).excerpt;
            (excerpt.line[excerpt.span.clone()].to_owned(), excerpt.line)
        };
        assert_eq!(
            shown("one\ntwo three\r\nfour", 8..13),
            ("three".into(), "two three".into())
        );
        assert_eq!(
            shown("one\ntwo three\nfour", 4..99),
            ("two three".into(), "two three".into())
        );
        assert_eq!(shown("one\n", 3..3), (String::new(), "one".into()));
        assert_eq!(shown("", 0..0), (String::new(), String::new()));
        let long = format!("{}x{}", "ä".repeat(1000), "ö".repeat(1000));
        let (text, line) = shown(&long, 2000..2001);
        assert_eq!(text, "x");
        assert!(line.starts_with("…ää") && line.ends_with("öö…") && line.chars().count() == 102);
    }

    #[test]
    fn bytes_that_are_not_utf8_text_are_reported() {
        let text = Text::decode("f", b"K\xf6nig".to_vec());
        assert_eq!(text.content(), "König");
        let problem = text.problem().expect("a diagnostic");
        assert_eq!(problem.severity, Severity::Warning);
        assert_eq!(problem.source.as_ref().map(|s| s.text.as_str()), Some("ö"));
        for bytes in [&b"\x7fELF\0\0"[..], b"\xff\xfed\0i\0"] {
            let text = Text::decode("f", bytes.to_vec());
            assert_eq!(text.problem().map(|p| p.severity), Some(Severity::Error));
        }
        assert_eq!(Text::decode("f", b"plain".to_vec()).problem(), None);
    }
}

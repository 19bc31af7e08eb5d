//! Divides the bytes of a level file into lines, and finds the positions of diagnostics.

use std::ops::Range;

use crate::design::SourcePosition;

/// The bytes of a file, divided into lines.
pub(super) struct Text<'a> {
    name: &'a str,
    bytes: &'a [u8],
    /// Byte range of each line, excluding the line break and trailing blanks.
    lines: Vec<Range<usize>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        let mut lines = Vec::new();
        // A UTF-8 byte order mark is not part of the first line.
        let mut start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while start < bytes.len() {
            let length = bytes[start..].iter().position(|b| *b == b'\n');
            let end = length.map_or(bytes.len(), |length| start + length);
            let kept = bytes[start..end].trim_ascii_end().len();
            lines.push(start..start + kept);
            start = end + 1;
        }
        Self { name, bytes, lines }
    }

    /// Returns the number of lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns the line at an index, counted from 0, without trailing blanks.
    pub(super) fn line(&self, index: usize) -> &'a [u8] {
        &self.bytes[self.span(index)]
    }

    /// Returns the byte range of a line; an empty range at the end of the file for an index after the last line.
    pub(super) fn span(&self, index: usize) -> Range<usize> {
        let end = self.bytes.len();
        self.lines.get(index).cloned().unwrap_or(end..end)
    }

    /// Returns the byte range of a line without leading blanks.
    pub(super) fn bare_span(&self, index: usize) -> Range<usize> {
        let span = self.span(index);
        span.end - self.line(index).trim_ascii_start().len()..span.end
    }

    /// Returns the line, column and text of a byte range. A range past the last line is reported at the end of that
    /// line.
    pub(super) fn source(&self, span: Range<usize>) -> SourcePosition {
        let last = self.lines.len().saturating_sub(1);
        let index = self
            .lines
            .partition_point(|line| line.start <= span.start)
            .saturating_sub(1)
            .min(last);
        let line = self.span(index);
        let start = span.start.min(line.end);
        let end = span.end.clamp(start, line.end.max(start));
        let text = |range: Range<usize>| String::from_utf8_lossy(&self.bytes[range]);
        let marked = start..start + self.bytes[start..end].trim_ascii_end().len();
        let parts = [
            text(line.start.min(start)..start),
            text(marked.clone()),
            text(marked.end..line.end.max(marked.end)),
        ];
        let is_cut = span.end > end && !marked.is_empty();
        let parts = parts.each_ref().map(|part| &**part);
        SourcePosition::in_line(self.name, index + 1, parts, start..end, is_cut)
    }

    /// Returns the reason why these bytes cannot be a level file, if there is one.
    pub(super) fn binary(&self) -> Option<String> {
        if self.bytes.starts_with(&[0xff, 0xfe]) || self.bytes.starts_with(&[0xfe, 0xff]) {
            return Some("it is UTF-16, which is not supported".into());
        }
        let nul = self.bytes.iter().position(|b| *b == 0)?;
        Some(format!("byte {} is NUL, as in binary files", nul + 1))
    }

    /// Returns the range of the first bytes that are not UTF-8; `None` if all bytes are.
    pub(super) fn not_utf8(&self) -> Option<Range<usize>> {
        let error = std::str::from_utf8(self.bytes).err()?;
        let start = error.valid_up_to();
        Some(start..error.error_len().map_or(self.bytes.len(), |length| start + length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_exclude_their_ends_and_trailing_blanks() {
        let text = Text::new("f", b"\xef\xbb\xbfa \r\n\n  b\t");
        assert_eq!(text.len(), 3);
        assert_eq!(
            [text.line(0), text.line(1), text.line(2), text.line(3)],
            [&b"a"[..], b"", b"  b", b""]
        );
        assert_eq!(Text::new("f", b"").len(), 0);
        assert_eq!(Text::new("f", b"\n").len(), 1);
    }

    #[test]
    fn places_count_characters_and_stay_on_their_line() {
        let bytes = "äö x\nsecond\n".as_bytes();
        let text = Text::new("f", bytes);
        let source = text.source(5..6);
        assert_eq!((source.line, source.column, source.text.as_str()), (1, 4, "x"));
        let source = text.source(7..13);
        assert_eq!((source.line, source.column, source.text.as_str()), (2, 1, "second"));
        assert_eq!(text.source(0..99).text, "äö x…");
        let end = text.source(99..120);
        assert_eq!((end.line, end.column), (2, 7));
        assert_eq!(Text::new("f", b"").source(0..5).line, 1);
    }

    #[test]
    fn bytes_that_are_not_text_are_found() {
        assert_eq!(Text::new("f", b"ab\xffc").not_utf8(), Some(2..3));
        assert_eq!(Text::new("f", "ö".as_bytes()).not_utf8(), None);
        assert!(
            Text::new("f", b"a\0")
                .binary()
                .is_some_and(|why| why.contains("byte 2"))
        );
        assert!(
            Text::new("f", b"\xff\xfeN\0")
                .binary()
                .is_some_and(|why| why.contains("UTF-16"))
        );
        assert_eq!(Text::new("f", b"a").binary(), None);
    }
}

//! The structure of a TOML text: its lines, comments and headers, which the parsed values do not contain.

use std::ops::Range;

use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// The content of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Comment,
    Content,
}

/// The lines, comments and headers of a text.
pub(super) struct Outline<'t> {
    pub(super) text: &'t str,
    tokens: Vec<(TokenKind, Range<usize>)>,
    /// Byte range of each line, line break included, and the kind of its content. The first line begins after a byte
    /// order mark.
    lines: Vec<(Range<usize>, Kind)>,
    /// Byte offset of the start of each line with a `[table]` or `[[table]]` header, in order.
    headers: Vec<usize>,
}

impl<'t> Outline<'t> {
    pub(super) fn new(text: &'t str, root: &DeTable<'_>) -> Self {
        let tokens: Vec<_> = Source::new(text)
            .lex()
            .map(|token| (token.kind(), token.span().start()..token.span().end()))
            .collect();
        let mut headers = Vec::new();
        find_headers(text, root, &mut headers);
        headers.sort_unstable();
        let mut outline = Self {
            text,
            lines: lines(text, &tokens),
            tokens,
            headers: Vec::new(),
        };
        outline.headers = headers.into_iter().map(|at| outline.line_start(at)).collect();
        outline
    }

    /// Returns the comments in a part of the text, each without its line break.
    pub(super) fn comments(&self, part: Range<usize>) -> impl Iterator<Item = &'t str> {
        self.tokens
            .iter()
            .filter(move |(kind, span)| *kind == TokenKind::Comment && part.contains(&span.start))
            .map(|(_, span)| self.text[span.clone()].trim_end())
    }

    fn line_of(&self, at: usize) -> usize {
        self.lines
            .partition_point(|(line, _)| line.start <= at)
            .saturating_sub(1)
    }

    /// Returns the end of the line that contains `at`, its line break included.
    pub(super) fn line_end(&self, at: usize) -> usize {
        self.lines
            .get(self.line_of(at))
            .map_or(self.text.len(), |(line, _)| line.end)
    }

    /// Returns the start of the line that contains `at`.
    pub(super) fn line_start(&self, at: usize) -> usize {
        self.lines.get(self.line_of(at)).map_or(0, |(line, _)| line.start)
    }

    /// Returns the start of the next header after `at`, or the end of the text.
    fn next_header(&self, at: usize) -> usize {
        let next = self.headers.partition_point(|&h| h <= at);
        self.headers.get(next).copied().unwrap_or(self.text.len())
    }

    /// Returns the end of the last line with content in the table whose header is at `header`; in an empty table, this
    /// line is the header. Without a `header`, returns the end of the last line with content above the first header, or
    /// `None` if there is no such line.
    pub(super) fn content_end(&self, header: Option<usize>) -> Option<usize> {
        let (first, end) = match header {
            Some(header) => (self.line_of(header), self.next_header(header)),
            None => (0, self.headers.first().copied().unwrap_or(self.text.len())),
        };
        let content = self.lines[first..]
            .iter()
            .take_while(|(line, _)| line.start < end)
            .filter(|(_, kind)| *kind == Kind::Content)
            .last();
        content.map(|(line, _)| line.end)
    }

    /// Returns the byte range of the table whose header is at `header`, with the comments directly above and below the
    /// table. Comments directly above the next header belong to that header.
    pub(super) fn block(&self, header: usize) -> Range<usize> {
        let start = self.with_comments_above(header);
        let end = self.content_end(Some(header)).unwrap_or(header);
        let mut below = end;
        for (line, kind) in &self.lines[self.lines.partition_point(|(line, _)| line.start < end)..] {
            match kind {
                Kind::Comment => below = line.end,
                Kind::Blank => break,
                Kind::Content => return start..end,
            }
        }
        start..below
    }

    /// Returns the byte range of the lines of an array's item: its own lines, with the comma that follows it, and the
    /// comments directly above. Returns `None` if another item or a bracket of the array is in the same line.
    pub(super) fn item_block(&self, item: &Range<usize>, array: &Range<usize>) -> Option<Range<usize>> {
        let start = self.line_start(item.start);
        let end = self.comma_after(item.end).map_or(item.end, |comma| comma.end);
        let is_alone = start > array.start && self.text[start..item.start].trim().is_empty();
        (is_alone && self.ends_its_line(end, array.end))
            .then(|| self.with_comments_above(item.start)..self.line_end(end))
    }

    /// Returns the start of the comments directly above the line that contains `at`, or the start of this line if there
    /// are none.
    fn with_comments_above(&self, at: usize) -> usize {
        let line = self.line_of(at);
        let comments = self.lines[..line]
            .iter()
            .rev()
            .take_while(|(_, kind)| *kind == Kind::Comment)
            .count();
        self.lines.get(line - comments).map_or(0, |(line, _)| line.start)
    }

    /// Returns the place for new top-level keys: after the existing keys, or above the first header if there are none.
    pub(super) fn top(&self) -> usize {
        let above_first = || {
            self.headers
                .first()
                .map_or(self.text.len(), |&h| self.with_comments_above(h))
        };
        self.content_end(None).unwrap_or_else(above_first)
    }

    /// Returns the byte range to delete when `block` is removed: the block and, if there is one, the blank line above
    /// it. The blank line is left out of the range if it is needed to separate a comment above it from text directly
    /// below the block.
    pub(super) fn with_blank_above(&self, block: Range<usize>) -> Range<usize> {
        let kind = |line: usize| self.lines.get(line).map(|(_, kind)| *kind);
        let below = self.lines.partition_point(|(line, _)| line.start < block.end);
        let Some(above) = self.line_of(block.start).checked_sub(1) else {
            return block;
        };
        let separates = kind(below).is_some_and(|kind| kind != Kind::Blank)
            && above.checked_sub(1).and_then(kind) == Some(Kind::Comment);
        match self.lines.get(above) {
            Some((line, Kind::Blank)) if !separates => line.start..block.end,
            _ => block,
        }
    }

    /// Returns the next comma after `at`, or `None` if anything but white space and comments comes before it.
    pub(super) fn comma_after(&self, at: usize) -> Option<Range<usize>> {
        let first = self.tokens.partition_point(|(_, span)| span.start < at);
        let (kind, span) = self.tokens[first..]
            .iter()
            .find(|(kind, _)| !matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline))?;
        (*kind == TokenKind::Comma).then(|| span.clone())
    }

    /// Returns the byte range of the last token before `at` that is neither white space nor a comment; `0..0` if there
    /// is none.
    pub(super) fn token_before(&self, at: usize) -> Range<usize> {
        let first = self.tokens.partition_point(|(_, span)| span.start < at);
        let before = self.tokens[..first]
            .iter()
            .rfind(|(kind, _)| !matches!(kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Newline));
        before.map_or(0..0, |(_, span)| span.clone())
    }

    /// Returns whether the line has nothing but white space and comments after `at`, and its line break ends before
    /// `limit`.
    pub(super) fn ends_its_line(&self, at: usize, limit: usize) -> bool {
        let first = self.tokens.partition_point(|(_, span)| span.start < at);
        let end = self.tokens[first..]
            .iter()
            .find(|(kind, _)| !matches!(kind, TokenKind::Whitespace | TokenKind::Comment));
        end.is_some_and(|(kind, span)| *kind == TokenKind::Newline && span.end < limit)
    }
}

fn lines(text: &str, tokens: &[(TokenKind, Range<usize>)]) -> Vec<(Range<usize>, Kind)> {
    let mut lines = Vec::new();
    let mut start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut tokens = tokens.iter().peekable();
    for line in text[start..].split_inclusive('\n') {
        let end = start + line.len();
        let mut kind = Kind::Blank;
        // All lines of a multi-line string count as content.
        while let Some((token, span)) = tokens.peek().filter(|(_, span)| span.start < end) {
            kind = match token {
                TokenKind::Comment if kind == Kind::Blank => Kind::Comment,
                TokenKind::Comment | TokenKind::Whitespace | TokenKind::Newline | TokenKind::Eof => kind,
                _ => Kind::Content,
            };
            if span.end > end {
                break;
            }
            tokens.next();
        }
        lines.push((start..end, kind));
        start = end;
    }
    lines
}

fn find_headers(text: &str, table: &DeTable<'_>, headers: &mut Vec<usize>) {
    for (_, value) in table {
        match value.get_ref() {
            DeValue::Table(inner) => {
                note_header(text, value.span(), headers);
                find_headers(text, inner, headers);
            }
            DeValue::Array(items) => {
                for item in items {
                    if let DeValue::Table(inner) = item.get_ref() {
                        note_header(text, item.span(), headers);
                        find_headers(text, inner, headers);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Adds the header of a table to `headers`. The span of a table is its header, unless the table is inline or comes from
/// dotted keys; then nothing is added.
fn note_header(text: &str, span: Range<usize>, headers: &mut Vec<usize>) {
    if text[span.clone()].starts_with('[') {
        headers.push(span.start);
    }
}

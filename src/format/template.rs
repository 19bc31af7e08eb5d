//! The wording of the records in the original program's text files.

use std::ops::Range;

/// One word, number or punctuation mark of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lexeme<'t> {
    Word(&'t str),
    Number(&'t str),
    Mark(&'t str),
}

impl<'t> Lexeme<'t> {
    pub(super) fn text(self) -> &'t str {
        match self {
            Self::Word(t) | Self::Number(t) | Self::Mark(t) => t,
        }
    }
}

/// Skips white space from `at` and returns the lexeme after it with its byte range.
pub(super) fn lex(input: &str, at: usize) -> Option<(Lexeme<'_>, Range<usize>)> {
    let start = skip_space(input, at);
    let rest = &input[start..];
    let first = rest.chars().next()?;
    let digits = usize::from(matches!(first, '+' | '-'));
    let number = rest[digits..].bytes().take_while(u8::is_ascii_digit).count();
    if number > 0 {
        let end = digits + number;
        return Some((Lexeme::Number(&rest[..end]), start..start + end));
    }
    if first.is_alphabetic() || first == '_' {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        return Some((Lexeme::Word(&rest[..end]), start..start + end));
    }
    let end = first.len_utf8();
    Some((Lexeme::Mark(&rest[..end]), start..start + end))
}

/// Returns the first offset at or after `at` that is not white space. A byte order mark counts as white space.
pub(super) fn skip_space(input: &str, at: usize) -> usize {
    let rest = &input[at..];
    at + (rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
            .len())
}

/// An item of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expected {
    /// A word or punctuation mark.
    Text(String),
    /// A number, by its index among the record's numbers.
    Number(usize),
}

/// The wording of one kind of record.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pub(super) pattern: String,
    /// The words, marks and numbers of `pattern`, in order.
    pub(super) expected: Vec<Expected>,
    /// Name of each number, in the order of the `%` in `pattern`.
    pub(super) names: Vec<&'static str>,
}

impl Template {
    /// Creates a template from `pattern`, in which each `%` is a placeholder for a number.
    pub(super) fn new(pattern: impl Into<String>, names: Vec<&'static str>) -> Self {
        let pattern = pattern.into();
        let mut expected = Vec::new();
        let (mut at, mut numbers) = (0, 0);
        while let Some((lexeme, span)) = lex(&pattern, at) {
            at = span.end;
            expected.push(if lexeme.text() == "%" {
                numbers += 1;
                Expected::Number(numbers - 1)
            } else {
                Expected::Text(lexeme.text().to_owned())
            });
        }
        debug_assert_eq!(numbers, names.len(), "{pattern}");
        Self {
            pattern,
            expected,
            names,
        }
    }

    /// Returns the text of a record with these numbers, without a trailing line break.
    pub(super) fn write(&self, numbers: &[i32]) -> String {
        let mut numbers = numbers.iter();
        let mut out = String::with_capacity(self.pattern.len() + 16);
        for c in self.pattern.chars() {
            if c == '%' {
                out.extend(numbers.next().map(ToString::to_string));
            } else {
                out.push(c);
            }
        }
        out
    }

    /// Returns whether a record of this kind begins at `at`. It is enough that its first two words or marks match,
    /// including their capitalization, and that the match does not end inside a longer word. If they match only when
    /// case is ignored, they may be prose, so the whole record must match (ignoring case), and no letter, digit or
    /// comma may precede it.
    pub(super) fn starts_at(&self, input: &str, at: usize) -> bool {
        let as_written = |at: usize, text: &str| {
            let start = skip_space(input, at);
            input[start..].starts_with(text).then_some(start + text.len())
        };
        let end = self.expected.iter().take(2).try_fold(at, |at, e| match e {
            Expected::Text(text) => as_written(at, text),
            Expected::Number(_) => None,
        });
        if end.is_none() {
            let before = input[..at].trim_end();
            return !before.ends_with(|c: char| c.is_alphanumeric() || c == ',') && self.exact(input, at).is_some();
        }
        end.is_some_and(|end| {
            let inside = |c: char| c.is_alphanumeric();
            !(input[..end].ends_with(inside) && input[end..].starts_with(inside))
        })
    }

    /// Returns the byte ranges of the numbers in the record at `at` and the offset of its end. Returns `None` unless
    /// every word and mark matches, ignoring case.
    pub(super) fn exact(&self, input: &str, at: usize) -> Option<(Vec<Range<usize>>, usize)> {
        let mut numbers = Vec::with_capacity(self.names.len());
        let mut at = at;
        for expected in &self.expected {
            at = match expected {
                Expected::Text(text) => literal(input, at, text)?,
                Expected::Number(_) => {
                    let (Lexeme::Number(_), span) = lex(input, at)? else {
                        return None;
                    };
                    numbers.push(span.clone());
                    span.end
                }
            };
        }
        Some((numbers, at))
    }
}

/// Skips white space from `at` and returns the offset after `text` if the input continues with `text`, ignoring case.
/// As with scanf, the next text may follow without a separator.
fn literal(input: &str, at: usize, text: &str) -> Option<usize> {
    let start = skip_space(input, at);
    let found = input.as_bytes().get(start..start + text.len())?;
    found
        .eq_ignore_ascii_case(text.as_bytes())
        .then_some(start + text.len())
}

/// A number read from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: i32,
    pub(super) span: Range<usize>,
}

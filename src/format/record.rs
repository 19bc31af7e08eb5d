//! Reads the records of the original program's text files.
//!
//! The original reads its files with the C function scanf and a pattern of fixed words and punctuation with numbers
//! between them. Where the pattern has white space, the file may have any amount of white space, line breaks included,
//! or none. A [`Template`] contains the words of one kind of record. The same template writes and reads a record, so
//! that the written and the accepted wording cannot drift apart. Reading tries the exact words first. A record that
//! does not match is [aligned](super::align) with its template, so that a wrong word does not affect the other words of
//! the record.

use std::ops::Range;

use super::align::{self, Step};
use super::template::{Expected, Lexeme, Number, Template, lex, skip_space};
use super::text::Text;
use crate::design::{Diagnostic, Entry, Place};

/// Number of problems after which reading stops, because the file is probably of another kind or broken throughout.
const MOST_PROBLEMS: usize = 200;

/// A record as read from a text.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// Numbers of the record; `None` for each missing number.
    pub(super) numbers: Vec<Option<Number>>,
    /// Byte range of the record.
    pub(super) span: Range<usize>,
}

impl Reading {
    /// Returns the value of a number, if present.
    pub(super) fn value(&self, index: usize) -> Option<i32> {
        self.numbers.get(index)?.as_ref().map(|n| n.value)
    }

    /// Returns how many numbers are present.
    pub(super) fn found(&self) -> usize {
        self.numbers.iter().flatten().count()
    }
}

/// Reads a text record by record.
pub(super) struct Reader<'t> {
    pub(super) text: &'t Text,
    /// Byte offset at which reading continues.
    pub(super) at: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
    templates: &'t [Template],
    problems: usize,
}

impl<'t> Reader<'t> {
    /// Creates a reader at the start of a text that may contain records of `templates`.
    pub(super) fn new(text: &'t Text, templates: &'t [Template]) -> Self {
        Self {
            text,
            at: 0,
            diagnostics: text.problem().cloned().into_iter().collect(),
            templates,
            problems: 0,
        }
    }

    /// Returns the whole text.
    pub(super) fn input(&self) -> &'t str {
        self.text.content()
    }

    /// Reports a diagnostic at a byte range. After [`MOST_PROBLEMS`] warnings and errors, further diagnostics are
    /// dropped.
    pub(super) fn report(&mut self, diagnostic: Diagnostic, span: Range<usize>) {
        if diagnostic.severity > crate::design::Severity::Note {
            self.problems += 1;
        }
        if self.problems <= MOST_PROBLEMS {
            self.diagnostics.push(diagnostic.from_source(self.text.source(span)));
        }
    }

    /// Returns the offset of the first record whose first words are exactly those of a template.
    pub(super) fn first(&self) -> Option<usize> {
        let mut at = 0;
        while let Some((_, span)) = lex(self.input(), at) {
            if self.exactly_at(span.start).is_some() {
                return Some(span.start);
            }
            at = span.end;
        }
        None
    }

    /// Returns the diagnostics in text order.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|d| d.source.as_ref().map_or(0, |source| source.span.start));
        self.diagnostics
    }

    /// Returns whether reading is over: at the end of the text, or after too many problems. Too many problems are
    /// reported as an error.
    fn is_over(&mut self) -> bool {
        self.at = skip_space(self.input(), self.at);
        if self.problems > MOST_PROBLEMS && self.at < self.input().len() {
            let source = self.text.source(self.at..self.at);
            self.diagnostics.push(
                Diagnostic::error(format!(
                    "more than {MOST_PROBLEMS} problems; the rest of the file is ignored"
                ))
                .from_source(source)
                .help("check that this is the right file"),
            );
            self.at = self.input().len();
        }
        self.at >= self.input().len()
    }

    /// Returns the index of the template whose record begins at the current offset, spelled exactly or with errors.
    pub(super) fn here(&self) -> Option<usize> {
        self.exactly_at(self.at).or_else(|| self.nearly_at(self.at))
    }

    fn exactly_at(&self, at: usize) -> Option<usize> {
        self.templates.iter().position(|t| t.starts_at(self.input(), at))
    }

    /// Returns the index of the template that best matches the words at offset `at`, if at least 60% of the template
    /// matches.
    fn nearly_at(&self, at: usize) -> Option<usize> {
        let (first, _) = lex(self.input(), at)?;
        let Lexeme::Word(word) = first else { return None };
        self.templates
            .iter()
            .enumerate()
            .filter(|(_, t)| {
                t.expected
                    .iter()
                    .take(2)
                    .any(|e| matches!(e, Expected::Text(text) if align::similar(text, word)))
            })
            .map(|(i, t)| (i, align::align(t, &self.window(at, t)).likeness()))
            .filter(|(_, likeness)| *likeness >= 60)
            .max_by_key(|(_, likeness)| *likeness)
            .map(|(i, _)| i)
    }

    /// Returns whether the first two words at `at` are those of a record. The words may be misspelt.
    fn resembles_start(&self, at: usize) -> bool {
        let Some((first, span)) = lex(self.input(), at) else {
            return false;
        };
        let second = lex(self.input(), span.end).map_or("", |(l, _)| l.text());
        let alike = |e: &Expected, word: &str| matches!(e, Expected::Text(text) if align::similar(text, word));
        self.templates
            .iter()
            .any(|t| t.expected.len() > 1 && alike(&t.expected[0], first.text()) && alike(&t.expected[1], second))
    }

    /// Returns the lexemes that may belong to a record of `template`, beginning at `at`: a limited number, and none
    /// after the start of another record.
    fn window(&self, at: usize, template: &Template) -> Vec<(Lexeme<'t>, Range<usize>)> {
        let most = 2 * template.expected.len() + 8;
        let mut lexemes = Vec::with_capacity(most);
        let mut next = at;
        while let Some((lexeme, span)) = lex(self.input(), next) {
            let fresh_line = self.input()[next..span.start].contains('\n');
            let another = self.exactly_at(span.start).is_some() || fresh_line && self.resembles_start(span.start);
            if lexemes.len() == most || (!lexemes.is_empty() && another) {
                break;
            }
            next = span.end;
            lexemes.push((lexeme, span));
        }
        lexemes
    }

    /// Moves to the next record. Returns the byte range skipped before the record, and the index of the record's
    /// template; `None` at the end of the text.
    pub(super) fn next(&mut self) -> (Range<usize>, Option<usize>) {
        if self.is_over() {
            return (self.at..self.at, None);
        }
        let start = self.at;
        if let Some(found) = self.here() {
            return (start..start, Some(found));
        }
        let mut end = start;
        while let Some((_, span)) = lex(self.input(), self.at) {
            let fresh_line = self.input()[end..span.start].contains('\n');
            let mut found = self.exactly_at(span.start);
            // Aligning text with every template is slow, so it is done only where the text resembles the start of a
            // record.
            if found.is_none() && fresh_line && self.resembles_start(span.start) {
                found = self.nearly_at(span.start);
            }
            if let Some(found) = found {
                self.at = span.start;
                return (start..end, Some(found));
            }
            end = span.end;
            self.at = span.end;
        }
        (start..end, None)
    }

    /// Reads a record at the current offset and reports its problems. `template` is the index of the record's template.
    pub(super) fn read(&mut self, template: usize, entry: Option<Entry>) -> Reading {
        let template = &self.templates[template];
        let start = skip_space(self.input(), self.at);
        if let Some((spans, end)) = template.exact(self.input(), start) {
            self.at = end;
            let numbers = spans
                .into_iter()
                .enumerate()
                .map(|(i, span)| Some(self.number(template, i, span, entry)))
                .collect();
            return Reading {
                numbers,
                span: start..end,
            };
        }
        self.read_aligned(template, start, entry)
    }

    fn read_aligned(&mut self, template: &Template, start: usize, entry: Option<Entry>) -> Reading {
        let window = self.window(start, template);
        let alignment = align::align(template, &window);
        let end = alignment.taken.checked_sub(1).map_or(start, |last| window[last].1.end);
        // Skip at least one lexeme. Otherwise a record without a matching lexeme would be read again and again.
        self.at = end.max(window.first().map_or(start, |(_, span)| span.end));
        let mut numbers = vec![None; template.names.len()];
        let mut strays = Vec::new();
        let mut missing = Vec::new();
        let mut replaced = vec![false; template.names.len()];
        for step in alignment.steps {
            match step {
                Step::Taken { number, lexeme } => {
                    if let Some(i) = number {
                        numbers[i] = Some(self.number(template, i, window[lexeme].1.clone(), entry));
                    }
                }
                Step::Replaced { expected, lexeme } => {
                    if let Expected::Number(i) = template.expected[expected] {
                        replaced[i] = true;
                    }
                    self.report_replaced(template, expected, &window[lexeme], entry);
                }
                Step::Missing { expected } => missing.push(expected),
                Step::Stray { lexeme } => strays.push(lexeme),
            }
        }
        for (index, place) in align::out_of_order(template, &numbers, &window, &strays) {
            let number = self.number(template, index, window[place.end - 1].1.clone(), entry);
            let span = window[place.start].1.start..number.span.end;
            numbers[index] = Some(number);
            // Missing words and superfluous marks of this record are not reported, because the misplaced number causes
            // most of them.
            missing.clear();
            strays.retain(|s| !place.contains(s) && !matches!(window[*s].0, Lexeme::Mark(_)));
            let message = format!(
                "{} is not at its usual position, but is used anyway",
                template.names[index]
            );
            let advice = "DungeonMaker reads the numbers only in the usual order";
            self.report(about(Diagnostic::warning(message), entry).help(advice), span);
        }
        self.report_strays(&strays, &window, entry);
        let whole = start..end;
        let absent: Vec<usize> = (0..numbers.len())
            .filter(|&i| numbers[i].is_none() && !replaced[i])
            .collect();
        self.report_missing(template, &missing, &absent, &whole, entry);
        Reading { numbers, span: whole }
    }

    /// Returns the number at `span`. A number that does not fit in 32 bits is clamped and reported.
    fn number(&mut self, template: &Template, index: usize, span: Range<usize>, entry: Option<Entry>) -> Number {
        let digits = &self.input()[span.clone()];
        let value = digits.parse::<i32>().unwrap_or_else(|_| {
            let value = if digits.starts_with('-') { i32::MIN } else { i32::MAX };
            let message = format!("{} does not fit into 32 bits; {value} is used", template.names[index]);
            self.report(
                about(Diagnostic::warning(message), entry).help("write a number that fits in 32 bits"),
                span.clone(),
            );
            value
        });
        Number { value, span }
    }

    fn report_replaced(
        &mut self,
        template: &Template,
        expected: usize,
        (lexeme, span): &(Lexeme<'t>, Range<usize>),
        entry: Option<Entry>,
    ) {
        let diagnostic = match &template.expected[expected] {
            Expected::Number(i) => Diagnostic::warning(format!("expected a number for {}", template.names[*i])),
            Expected::Text(text) if matches!(lexeme, Lexeme::Word(_)) => {
                Diagnostic::warning(format!("unknown word; expected `{text}`")).help(format!("write `{text}`"))
            }
            Expected::Text(text) => {
                Diagnostic::note(format!("expected `{text}`")).help("DungeonMaker accepts nothing else here")
            }
        };
        self.report(about(diagnostic, entry), span.clone());
    }

    /// Reports lexemes that match nothing in the template. Adjacent lexemes share a message.
    fn report_strays(&mut self, strays: &[usize], window: &[(Lexeme<'t>, Range<usize>)], entry: Option<Entry>) {
        for run in strays.chunk_by(|a, b| a + 1 == *b) {
            let span = window[run[0]].1.start..window[run[run.len() - 1]].1.end;
            let message = "this does not belong here; it is ignored";
            let marks = run.iter().all(|&i| matches!(window[i].0, Lexeme::Mark(_)));
            let diagnostic = if marks {
                Diagnostic::note(message)
            } else {
                Diagnostic::warning(message)
            };
            self.report(about(diagnostic, entry).help("remove it"), span);
        }
    }

    /// Reports the missing numbers of the record in one message or, if no number is missing, the missing words.
    fn report_missing(
        &mut self,
        template: &Template,
        missing: &[usize],
        absent: &[usize],
        span: &Range<usize>,
        entry: Option<Entry>,
    ) {
        let names: Vec<&str> = absent.iter().map(|&i| template.names[i]).collect();
        let words: Vec<String> = missing
            .iter()
            .filter_map(|&i| match &template.expected[i] {
                Expected::Text(text) => Some(format!("`{text}`")),
                Expected::Number(_) => None,
            })
            .collect();
        let diagnostic = if !names.is_empty() {
            Diagnostic::warning(format!("no number for {}", names.join(", ")))
        } else if words.iter().any(|w| w.contains(char::is_alphanumeric)) {
            Diagnostic::warning(format!("missing: {}", words.join(" ")))
        } else if !words.is_empty() {
            Diagnostic::note(format!("missing: {}", words.join(" ")))
        } else {
            return;
        };
        let full = format!(
            "a complete record is `{}`",
            template.pattern.replace('%', "…").replace('\n', " ")
        );
        self.report(about(diagnostic, entry).help(full), span.clone());
    }
}

/// Returns the diagnostic, with the place of `entry` if there is an entry.
fn about(diagnostic: Diagnostic, entry: Option<Entry>) -> Diagnostic {
    match entry {
        Some(entry) => diagnostic.at(Place::entry(entry)),
        None => diagnostic,
    }
}

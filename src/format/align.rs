//! Aligns a faulty record of a rooms, stats or constants file with its template, so that as much of the record as
//! possible is used.
//!
//! Like a spelling corrector, this module finds the cheapest sequence of edits that turns the words of the template
//! into the words of the text: equal words cost nothing, a misspelt word costs little, and a missing or superfluous
//! word more.

use std::ops::Range;

use super::template::{Expected, Lexeme, Number, Template};

/// The alignment of one lexeme or of one expected item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The lexeme matches the expected item. If the item is a number, `number` is its index in the record.
    Taken { number: Option<usize>, lexeme: usize },
    /// The text has another lexeme in place of the expected item.
    Replaced { expected: usize, lexeme: usize },
    /// The text has no lexeme for the expected item.
    Missing { expected: usize },
    /// The template has no expected item for the lexeme.
    Stray { lexeme: usize },
}

/// The alignment of a record with its template.
#[derive(Debug)]
pub(super) struct Alignment {
    /// Steps in text order.
    pub(super) steps: Vec<Step>,
    /// Number of lexemes that belong to the record.
    pub(super) taken: usize,
}

impl Alignment {
    /// Returns the share of the template's items that were matched, in percent; 0 for an empty template.
    pub(super) fn likeness(&self) -> usize {
        let (mut found, mut all) = (0, 0);
        for step in &self.steps {
            found += usize::from(matches!(step, Step::Taken { .. }));
            all += usize::from(!matches!(step, Step::Stray { .. }));
        }
        (found * 100).checked_div(all).unwrap_or(0)
    }
}

/// Cost that rules out a replacement.
const UNLIKE: u32 = 1_000;

/// Returns the cost of accepting the lexeme at `index` in place of `expected`; 0 if it matches.
fn replace(template: &Template, expected: &Expected, lexemes: &[(Lexeme<'_>, Range<usize>)], index: usize) -> u32 {
    let lexeme = lexemes[index].0;
    match (expected, lexeme) {
        // A number that follows the name of another number is not the expected number.
        (Expected::Number(n), Lexeme::Number(_)) => match label(template, lexemes, index) {
            Some(name) if name != template.names[*n] => UNLIKE,
            _ => 0,
        },
        (Expected::Number(_), Lexeme::Word(word)) if !belongs(template, word) => 3,
        (Expected::Text(text), Lexeme::Word(word) | Lexeme::Mark(word)) if text.eq_ignore_ascii_case(word) => 0,
        (Expected::Text(text), Lexeme::Word(word)) if is_word(text) && !belongs(template, word) => {
            if similar(text, word) { 1 } else { 3 }
        }
        (Expected::Text(text), Lexeme::Mark(mark)) if !is_word(text) && !belongs(template, mark) => 1,
        _ => UNLIKE,
    }
}

/// Returns the word that precedes the number at `index`, with at most one mark between them, if this word is the name
/// of one of the template's numbers.
fn label<'t>(template: &Template, lexemes: &[(Lexeme<'t>, Range<usize>)], index: usize) -> Option<&'t str> {
    let before = |steps: usize| index.checked_sub(steps).map(|i| lexemes[i].0);
    let ((Lexeme::Word(word), _) | (Lexeme::Mark(_), Some(Lexeme::Word(word)))) = (before(1)?, before(2)) else {
        return None;
    };
    template.names.contains(&word).then_some(word)
}

/// Returns whether the template contains the word with exactly this capitalization. Such a word is misplaced; it is not
/// a misspelling of another word. A word that the template contains only with another capitalization may have lost a
/// letter: `TC` may be a misspelt `lTC`, although the template contains `tC`.
fn belongs(template: &Template, word: &str) -> bool {
    template
        .expected
        .iter()
        .any(|e| matches!(e, Expected::Text(text) if text == word))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
}

/// Returns the cost of a missing expected item.
fn miss(expected: &Expected) -> u32 {
    match expected {
        Expected::Text(text) if is_word(text) => 2,
        Expected::Text(_) => 1,
        Expected::Number(_) => 3,
    }
}

/// Returns the cost of a superfluous lexeme.
fn stray(lexeme: Lexeme<'_>) -> u32 {
    match lexeme {
        Lexeme::Mark(_) => 1,
        Lexeme::Word(_) | Lexeme::Number(_) => 2,
    }
}

/// Returns whether `word` is a misspelling of `expected`, or equals it except for case. The names in a record, such as
/// `lTC`, `tC` and `bC`, differ only slightly, so misspellings are compared case-sensitively.
pub(super) fn similar(expected: &str, word: &str) -> bool {
    if expected.eq_ignore_ascii_case(word) {
        return true;
    }
    let length = expected.chars().count().max(word.chars().count());
    // Words in templates are short, and the time of the comparison grows with the product of the lengths, so long words
    // are not compared.
    length <= 40 && strsim::osa_distance(expected, word) <= length / 3
}

/// Returns the cheapest alignment of a template with lexemes. Lexemes after the end of the record remain unused.
pub(super) fn align(template: &Template, lexemes: &[(Lexeme<'_>, Range<usize>)]) -> Alignment {
    let (rows, columns) = (template.expected.len(), lexemes.len());
    let width = columns + 1;
    let mut costs = vec![0u32; (rows + 1) * width];
    for j in 1..=columns {
        costs[j] = costs[j - 1] + stray(lexemes[j - 1].0);
    }
    for i in 1..=rows {
        let expected = &template.expected[i - 1];
        costs[i * width] = costs[(i - 1) * width] + miss(expected);
        for j in 1..=columns {
            let lexeme = lexemes[j - 1].0;
            let replaced = costs[(i - 1) * width + j - 1].saturating_add(replace(template, expected, lexemes, j - 1));
            let missed = costs[(i - 1) * width + j] + miss(expected);
            let strayed = costs[i * width + j - 1] + stray(lexeme);
            costs[i * width + j] = replaced.min(missed).min(strayed);
        }
    }
    let taken = (0..=columns).min_by_key(|&j| costs[rows * width + j]).unwrap_or(0);
    Alignment {
        steps: trace(template, lexemes, &costs, taken),
        taken,
    }
}

/// Traces the cheapest path back from its end and returns its steps in text order.
fn trace(template: &Template, lexemes: &[(Lexeme<'_>, Range<usize>)], costs: &[u32], taken: usize) -> Vec<Step> {
    let width = lexemes.len() + 1;
    let (mut i, mut j) = (template.expected.len(), taken);
    let mut steps = Vec::new();
    while i > 0 || j > 0 {
        let here = costs[i * width + j];
        if i > 0 && j > 0 {
            let expected = &template.expected[i - 1];
            let cost = replace(template, expected, lexemes, j - 1);
            if cost < UNLIKE && here == costs[(i - 1) * width + j - 1] + cost {
                i -= 1;
                j -= 1;
                let number = match expected {
                    Expected::Number(n) => Some(*n),
                    Expected::Text(_) => None,
                };
                steps.push(if cost == 0 {
                    Step::Taken { number, lexeme: j }
                } else {
                    Step::Replaced { expected: i, lexeme: j }
                });
                continue;
            }
        }
        if i > 0 && here == costs[(i - 1) * width + j] + miss(&template.expected[i - 1]) {
            i -= 1;
            steps.push(Step::Missing { expected: i });
        } else {
            j -= 1;
            steps.push(Step::Stray { lexeme: j });
        }
    }
    steps.reverse();
    steps
}

/// Finds the numbers that are missing at their own position in the record but occur, together with their name, at
/// another position. Returns each number's index in the record, and the range of lexemes from the number's name to the
/// number itself.
pub(super) fn out_of_order(
    template: &Template,
    numbers: &[Option<Number>],
    lexemes: &[(Lexeme<'_>, Range<usize>)],
    strays: &[usize],
) -> Vec<(usize, Range<usize>)> {
    let lexeme_at = |i: usize| strays.contains(&i).then(|| lexemes.get(i).map(|l| l.0)).flatten();
    let missing = (0..numbers.len()).filter(|&i| numbers[i].is_none());
    missing
        .filter_map(|index| {
            let start = *strays
                .iter()
                .find(|&&s| lexeme_at(s) == Some(Lexeme::Word(template.names[index])))?;
            let mark = usize::from(matches!(lexeme_at(start + 1), Some(Lexeme::Mark(_))));
            let end = start + 1 + mark;
            matches!(lexeme_at(end), Some(Lexeme::Number(_))).then_some((index, start..end + 1))
        })
        .collect()
}

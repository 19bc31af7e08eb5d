//! Matches Lua 5.1 patterns within a budget of steps.
//!
//! The rules are those of the Lua 5.1 manual (section 5.4.1) and, where it is silent, the observed behaviour of Lua's
//! C library: a pattern ends at its first zero byte, its errors are found only when matching reaches them, and
//! `%f[set]` is supported. Alternatives to try later are kept in a list instead of in nested calls, so that no pattern
//! can exhaust the stack. Only ASCII bytes count as letters and digits.

use std::fmt;

/// Maximum number of captures in a pattern.
const MAX_CAPTURES: usize = 32;

/// Maximum number of alternatives stored at the same time; a pattern needs at most one for each of its items.
const MAX_ALTERNATIVES: usize = 100_000;

/// Bytes with a special meaning; a pattern without them is plain text.
const SPECIALS: &[u8] = b"^$*+?.([%-";

/// The reason why matching ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternError {
    /// The pattern is invalid; the message is Lua's.
    Malformed(&'static str),
    /// The budget of steps is used up.
    Spent,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(message) => f.write_str(message),
            Self::Spent => f.write_str("the pattern takes too long"),
        }
    }
}

type Outcome<T> = Result<T, PatternError>;

const fn malformed<T>(message: &'static str) -> Outcome<T> {
    Err(PatternError::Malformed(message))
}

/// A part of the subject captured by the pattern.
#[derive(Debug, Clone, Copy)]
struct Capture {
    start: usize,
    extent: Extent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The capture's closing parenthesis has not been reached yet.
    Open,
    /// An empty pair of parentheses, which captures its position.
    Position,
    Closed(usize),
}

/// The value of a capture in Lua.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Captured<'a> {
    Text(&'a [u8]),
    /// Position, from 1.
    Position(usize),
}

/// An alternative to try when matching fails.
#[derive(Debug, Clone, Copy)]
enum Retreat {
    /// Continue at `next` with one repetition fewer than `count`.
    Longest { from: usize, count: usize, next: usize },
    /// Continue after the item with one more repetition, if the subject matches it.
    Shortest { at: usize, item: usize, end: usize },
    /// Continue at `next` without the optional item.
    Without { at: usize, next: usize },
    /// Drop the newest capture.
    Forget,
    /// Reopen a capture.
    Reopen(usize),
}

/// Result of one matching step.
enum Step {
    /// Continue at these positions in the subject and in the pattern.
    On(usize, usize),
    Matched(usize),
    Failed,
}

/// A pattern applied to a subject.
pub(super) struct Matcher<'a> {
    subject: &'a [u8],
    pattern: &'a [u8],
    captures: [Capture; MAX_CAPTURES],
    level: usize,
    retreats: Vec<Retreat>,
    /// Number of steps left.
    pub(super) fuel: u64,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(subject: &'a [u8], pattern: &'a [u8]) -> Self {
        let end = pattern.iter().position(|byte| *byte == 0).unwrap_or(pattern.len());
        Self {
            subject,
            pattern: &pattern[..end],
            captures: [Capture {
                start: 0,
                extent: Extent::Open,
            }; MAX_CAPTURES],
            level: 0,
            retreats: Vec::new(),
            fuel: 0,
        }
    }

    /// Returns the span of the first match that begins at or after `from`; if `anchored`, the match must begin at
    /// `from`. `from` must not exceed the subject's length.
    pub(super) fn search(&mut self, from: usize, anchored: bool) -> Outcome<Option<(usize, usize)>> {
        let last = if anchored { from } else { self.subject.len() };
        for start in from..=last {
            if let Some(end) = self.match_at(start)? {
                return Ok(Some((start, end)));
            }
        }
        Ok(None)
    }

    /// Returns the end of the match that begins at `start`, if there is one.
    pub(super) fn match_at(&mut self, start: usize) -> Outcome<Option<usize>> {
        self.level = 0;
        self.retreats.clear();
        let (mut at, mut item) = (start, 0);
        loop {
            match self.step(at, item)? {
                Step::On(next_at, next_item) => (at, item) = (next_at, next_item),
                Step::Matched(end) => return Ok(Some(end)),
                Step::Failed => match self.retreat()? {
                    Some(next) => (at, item) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    /// Returns how many values a match yields: its captures, or the whole match if the pattern has no captures.
    pub(super) fn values(&self) -> usize {
        self.level.max(1)
    }

    /// Returns the number of captures of a match.
    pub(super) fn captures(&self) -> usize {
        self.level
    }

    /// Returns a capture of the match from `start` to `end`; without captures, index 0 is the whole match.
    pub(super) fn captured(&self, index: usize, start: usize, end: usize) -> Outcome<Captured<'a>> {
        if index >= self.level {
            return if index == 0 {
                Ok(Captured::Text(&self.subject[start..end]))
            } else {
                malformed("invalid capture index")
            };
        }
        let capture = self.captures[index];
        match capture.extent {
            Extent::Open => malformed("unfinished capture"),
            Extent::Position => Ok(Captured::Position(capture.start + 1)),
            Extent::Closed(length) => Ok(Captured::Text(&self.subject[capture.start..capture.start + length])),
        }
    }

    /// Returns the bytes of the subject in a span.
    pub(super) fn text(&self, (start, end): (usize, usize)) -> &'a [u8] {
        &self.subject[start..end]
    }

    /// Returns a byte of the pattern; 0 at its end.
    fn letter(&self, item: usize) -> u8 {
        self.pattern.get(item).copied().unwrap_or(0)
    }

    /// Returns a byte of the subject; 0 at its end.
    fn byte(&self, at: usize) -> u8 {
        self.subject.get(at).copied().unwrap_or(0)
    }

    fn spend_fuel(&mut self, steps: usize) -> Outcome<()> {
        match self.fuel.checked_sub(steps as u64) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(PatternError::Spent),
        }
    }

    fn remember(&mut self, retreat: Retreat) -> Outcome<()> {
        if self.retreats.len() >= MAX_ALTERNATIVES {
            return malformed("pattern too complex");
        }
        self.retreats.push(retreat);
        Ok(())
    }

    fn step(&mut self, at: usize, item: usize) -> Outcome<Step> {
        self.spend_fuel(1)?;
        match self.letter(item) {
            0 => Ok(Step::Matched(at)),
            b'(' => self.open(at, item),
            b')' => self.close(at, item),
            b'$' if item + 1 == self.pattern.len() => Ok(if at == self.subject.len() {
                Step::Matched(at)
            } else {
                Step::Failed
            }),
            b'%' => match self.letter(item + 1) {
                b'b' => self.balance(at, item),
                b'f' => self.frontier(at, item),
                digit @ b'0'..=b'9' => self.repeat_capture(at, item, digit),
                _ => self.single(at, item),
            },
            _ => self.single(at, item),
        }
    }

    /// Backtracks to the most recent alternative, undoing the captures made since.
    fn retreat(&mut self) -> Outcome<Option<(usize, usize)>> {
        while let Some(retreat) = self.retreats.pop() {
            self.spend_fuel(1)?;
            match retreat {
                Retreat::Forget => self.level -= 1,
                Retreat::Reopen(index) => self.captures[index].extent = Extent::Open,
                Retreat::Without { at, next } => return Ok(Some((at, next))),
                Retreat::Longest { from, count, next } => {
                    let count = count - 1;
                    if count > 0 {
                        self.retreats.push(Retreat::Longest { from, count, next });
                    }
                    return Ok(Some((from + count, next)));
                }
                Retreat::Shortest { at, item, end } => {
                    if self.fits(at, item, end)? {
                        self.retreats.push(Retreat::Shortest { at: at + 1, item, end });
                        return Ok(Some((at + 1, end + 1)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn open(&mut self, at: usize, item: usize) -> Outcome<Step> {
        if self.level >= MAX_CAPTURES {
            return malformed("too many captures");
        }
        let (extent, next) = if self.letter(item + 1) == b')' {
            (Extent::Position, item + 2)
        } else {
            (Extent::Open, item + 1)
        };
        self.captures[self.level] = Capture { start: at, extent };
        self.level += 1;
        self.remember(Retreat::Forget)?;
        Ok(Step::On(at, next))
    }

    fn close(&mut self, at: usize, item: usize) -> Outcome<Step> {
        let open = self.captures[..self.level]
            .iter()
            .rposition(|capture| capture.extent == Extent::Open);
        let Some(index) = open else {
            return malformed("invalid pattern capture");
        };
        self.captures[index].extent = Extent::Closed(at - self.captures[index].start);
        self.remember(Retreat::Reopen(index))?;
        Ok(Step::On(at, item + 1))
    }

    /// Matches `%bxy`: the bytes from an `x` to the `y` that balances it.
    fn balance(&mut self, at: usize, item: usize) -> Outcome<Step> {
        let (open, close) = (self.letter(item + 2), self.letter(item + 3));
        if open == 0 || close == 0 {
            return malformed("unbalanced pattern");
        }
        if self.byte(at) != open {
            return Ok(Step::Failed);
        }
        let mut depth = 1_usize;
        for next in at + 1..self.subject.len() {
            self.spend_fuel(1)?;
            let byte = self.subject[next];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Step::On(next + 1, item + 4));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        Ok(Step::Failed)
    }

    /// Matches `%f[set]`: the boundary between a byte outside the set and one inside; a byte beyond the subject is
    /// taken to be 0.
    fn frontier(&mut self, at: usize, item: usize) -> Outcome<Step> {
        let set = item + 2;
        if self.letter(set) != b'[' {
            return malformed("missing '[' after '%f' in pattern");
        }
        let end = self.item_end(set)?;
        self.spend_fuel(2 * (end - set))?;
        let before = at.checked_sub(1).map_or(0, |before| self.byte(before));
        let set = &self.pattern[set..end];
        Ok(if !in_set(before, set) && in_set(self.byte(at), set) {
            Step::On(at, end)
        } else {
            Step::Failed
        })
    }

    /// Matches `%1` to `%9`: the same text as an earlier capture.
    fn repeat_capture(&mut self, at: usize, item: usize, digit: u8) -> Outcome<Step> {
        let index = usize::from(digit).wrapping_sub(usize::from(b'1'));
        if index >= self.level || self.captures[index].extent == Extent::Open {
            return malformed("invalid capture index");
        }
        let capture = self.captures[index];
        let Extent::Closed(length) = capture.extent else {
            return Ok(Step::Failed);
        };
        self.spend_fuel(length / 8)?;
        let text = &self.subject[capture.start..capture.start + length];
        Ok(if self.subject[at..].starts_with(text) {
            Step::On(at + length, item + 2)
        } else {
            Step::Failed
        })
    }

    /// Matches a character, a class or a set, together with its repetition suffix.
    fn single(&mut self, at: usize, item: usize) -> Outcome<Step> {
        let end = self.item_end(item)?;
        let fits = self.fits(at, item, end)?;
        match self.letter(end) {
            b'?' if fits => {
                self.remember(Retreat::Without { at, next: end + 1 })?;
                Ok(Step::On(at + 1, end + 1))
            }
            b'?' => Ok(Step::On(at, end + 1)),
            b'*' => self.longest(at, item, end),
            b'+' if fits => self.longest(at + 1, item, end),
            b'-' => {
                self.remember(Retreat::Shortest { at, item, end })?;
                Ok(Step::On(at, end + 1))
            }
            b'+' => Ok(Step::Failed),
            _ if fits => Ok(Step::On(at + 1, end)),
            _ => Ok(Step::Failed),
        }
    }

    fn longest(&mut self, from: usize, item: usize, end: usize) -> Outcome<Step> {
        let mut count = 0;
        while self.fits(from + count, item, end)? {
            count += 1;
        }
        let next = end + 1;
        if count > 0 {
            self.remember(Retreat::Longest { from, count, next })?;
        }
        Ok(Step::On(from + count, next))
    }

    /// Returns the index after the pattern item that begins at `item`.
    fn item_end(&mut self, item: usize) -> Outcome<usize> {
        let mut end = item + 1;
        match self.letter(item) {
            b'%' => {
                if self.letter(end) == 0 {
                    return malformed("malformed pattern (ends with '%')");
                }
                Ok(end + 1)
            }
            b'[' => {
                if self.letter(end) == b'^' {
                    end += 1;
                }
                // The first byte of a set never closes it.
                loop {
                    let letter = self.letter(end);
                    if letter == 0 {
                        return malformed("malformed pattern (missing ']')");
                    }
                    end += 1;
                    if letter == b'%' && self.letter(end) != 0 {
                        end += 1;
                    }
                    if self.letter(end) == b']' {
                        break;
                    }
                }
                self.spend_fuel(end - item)?;
                Ok(end + 1)
            }
            _ => Ok(end),
        }
    }

    /// Returns whether the byte of the subject at `at` matches the item from `item` to `end`.
    fn fits(&mut self, at: usize, item: usize, end: usize) -> Outcome<bool> {
        self.spend_fuel(end - item)?;
        let Some(byte) = self.subject.get(at).copied() else {
            return Ok(false);
        };
        Ok(match self.pattern[item] {
            b'.' => true,
            b'%' => in_class(byte, self.pattern[item + 1]),
            b'[' => in_set(byte, &self.pattern[item..end]),
            letter => letter == byte,
        })
    }
}

/// Returns whether a byte belongs to the class that a letter names, such as `d`. A letter that names no class matches
/// itself.
fn in_class(byte: u8, class: u8) -> bool {
    let inside = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        // Unlike Rust, C counts the vertical tab as white space.
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        b'z' => byte == 0,
        _ => return class == byte,
    };
    inside == class.is_ascii_lowercase()
}

/// Returns whether a byte is in a set; `set` includes its brackets.
fn in_set(byte: u8, set: &[u8]) -> bool {
    let inner = &set[1..set.len() - 1];
    let (inner, wanted) = match inner.strip_prefix(b"^") {
        Some(rest) => (rest, false),
        None => (inner, true),
    };
    let mut rest = inner;
    loop {
        let (found, next) = match rest {
            [] => return !wanted,
            [b'%', class, next @ ..] => (in_class(byte, *class), next),
            [low, b'-', high, next @ ..] => ((*low..=*high).contains(&byte), next),
            [letter, next @ ..] => (*letter == byte, next),
        };
        if found {
            return wanted;
        }
        rest = next;
    }
}

/// Returns whether a pattern contains no special bytes, so that it can be searched as plain text.
pub(super) fn is_plain(pattern: &[u8]) -> bool {
    !pattern
        .iter()
        .take_while(|byte| **byte != 0)
        .any(|byte| SPECIALS.contains(byte))
}

/// Returns the index of the first occurrence of `needle` in a text at or after `from`. The search consumes `fuel`.
pub(super) fn find_plain(text: &[u8], needle: &[u8], from: usize, fuel: &mut u64) -> Outcome<Option<usize>> {
    let Some(last) = text.len().checked_sub(needle.len()) else {
        return Ok(None);
    };
    for start in from..=last {
        let same = text[start..].iter().zip(needle).take_while(|(a, b)| a == b).count();
        *fuel = fuel.checked_sub(same as u64 + 1).ok_or(PatternError::Spent)?;
        if same == needle.len() {
            return Ok(Some(start));
        }
    }
    Ok(None)
}

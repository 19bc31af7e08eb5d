//! The levels where a map may occur: ranges of levels (DEPTH, PLACE, default-depth), and numbers that depend on the
//! level (CHANCE, WEIGHT).

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Branch, SpecError};

/// One level of the dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Level {
    /// Branch of the level.
    pub branch: Branch,
    /// Number of the level within its branch, from 1.
    pub depth: u32,
    /// Depth below the surface.
    pub absolute: u32,
}

impl Level {
    /// Creates a level of a branch, with its usual depth below the surface.
    pub fn new(branch: Branch, depth: u32) -> Self {
        let absolute = branch.absolute_depth(depth);
        Self {
            branch,
            depth,
            absolute,
        }
    }

    /// Returns all levels of all branches, the main dungeon's first.
    pub fn all() -> impl Iterator<Item = Self> {
        // Cached, because every map needs them, and each absolute depth is computed from those of the parent branches.
        static LEVELS: LazyLock<Vec<Level>> = LazyLock::new(|| {
            let levels = |branch: Branch| (1..=branch.levels()).map(move |depth| Level::new(branch, depth));
            Branch::all().flat_map(levels).collect()
        });
        LEVELS.iter().copied()
    }

    /// Parses a level such as `D:3`, `Lair:$` or `Temple`; a bare number is a level of the main dungeon.
    ///
    /// # Errors
    ///
    /// Fails if the branch is unknown, or the number is not from 1 to the branch's last level.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name.trim(), level.trim()),
            None if text.bytes().all(|b| b.is_ascii_digit()) => ("D", text),
            None => (text, "1"),
        };
        let branch = Branch::parse(name)?;
        let depth = if level == "$" {
            branch.levels()
        } else {
            level
                .parse()
                .ok()
                .filter(|depth| (1..=branch.levels()).contains(depth))
                .ok_or_else(|| {
                    let message = match branch.levels() {
                        1 => format!("{} has only level 1", branch.name()),
                        last => format!("{} has levels 1 to {last}", branch.name()),
                    };
                    SpecError::new(message, level)
                })?
        };
        Ok(Self::new(branch, depth))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.branch.name(), self.depth)
    }
}

/// A range of levels of one branch, or a range of depths below the surface in all branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    /// Whether the range is excluded (`!`).
    pub excluded: bool,
    /// Branch of the levels; `None` means that the range applies to depths below the surface, in all branches.
    pub branch: Option<Branch>,
    /// First level; `None` means the last level of the branch (`$`).
    first: Option<u32>,
    /// Last level; `None` means the last level of the branch or, without a branch, no limit.
    last: Option<u32>,
}

impl Range {
    fn parse(text: &str) -> Result<Self, SpecError> {
        let trimmed = text.trim();
        let (excluded, rest) = match trimmed.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, trimmed),
        };
        let bare = rest.starts_with(|c: char| c.is_ascii_digit() || c == '*' || c == '-');
        let (branch, levels) = match rest.split_once(':') {
            _ if bare => (None, rest),
            Some((name, levels)) => (Some(Branch::parse_short(name.trim())?), levels.trim()),
            None if rest.is_empty() => return Err(SpecError::new("a range of levels is empty", text)),
            None => (Some(Branch::parse_short(rest)?), "*"),
        };
        let (first, last) = levels_of(levels, branch.is_some()).ok_or_else(|| {
            let message = "these are not levels; write `N`, `N-M`, `N-` or `*`; after a branch, also `$`";
            SpecError::new(message, trimmed)
        })?;
        if let (Some(first), Some(last)) = (first, last)
            && first > last
        {
            return Err(SpecError::new("the range ends before it begins", trimmed));
        }
        Ok(Self {
            excluded,
            branch,
            first,
            last,
        })
    }

    /// Returns whether the level lies in this range, even if the range is excluded.
    pub fn covers(&self, level: &Level) -> bool {
        let (at, bottom) = match self.branch {
            Some(branch) if branch != level.branch => return false,
            Some(branch) => (level.depth, branch.levels()),
            None => (level.absolute, u32::MAX),
        };
        (self.first.unwrap_or(bottom)..=self.last.unwrap_or(bottom)).contains(&at)
    }
}

/// Parses the first and last level of `*`, `$`, `N`, `N-`, `N-M` or `N-$`.
fn levels_of(text: &str, in_branch: bool) -> Option<(Option<u32>, Option<u32>)> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse::<u32>().ok()).flatten().filter(|n| *n > 0)
    };
    match text {
        "*" => Some((Some(1), None)),
        "$" => in_branch.then_some((None, None)),
        _ => match text.split_once('-') {
            None => number(text).map(|n| (Some(n), Some(n))),
            Some((first, last)) => {
                let open = last.trim().is_empty() || (in_branch && last.trim() == "$");
                let last = if open { None } else { Some(number(last)?) };
                Some((Some(number(first)?), last))
            }
        },
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.excluded {
            f.write_str("!")?;
        }
        if let Some(branch) = self.branch {
            f.write_str(branch.name())?;
        }
        let colon = if self.branch.is_some() { ":" } else { "" };
        match (self.first, self.last) {
            (Some(1), None) if self.branch.is_some() => Ok(()),
            (Some(1), None) => f.write_str("*"),
            (None, _) => write!(f, "{colon}$"),
            (Some(first), None) => write!(f, "{colon}{first}-"),
            (Some(first), Some(last)) if first == last => write!(f, "{colon}{first}"),
            (Some(first), Some(last)) => write!(f, "{colon}{first}-{last}"),
        }
    }
}

/// A list of ranges of levels. A level matches if it lies in a range that is not excluded, and in no excluded range.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Ranges(Vec<Range>);

impl Ranges {
    /// Parses ranges of levels separated by commas; a blank text yields no ranges.
    ///
    /// # Errors
    ///
    /// Fails if a range is malformed or its branch is unknown.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        text.split(',').map(Range::parse).collect::<Result<_, _>>().map(Self)
    }

    /// Adds the ranges of another list, as a second DEPTH does.
    pub fn add(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Returns whether there are no ranges.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the ranges, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Range> {
        self.0.iter()
    }

    /// Returns whether a level matches. An empty list matches none.
    pub fn matches(&self, level: &Level) -> bool {
        let mut included = false;
        for range in self.0.iter().filter(|range| range.covers(level)) {
            if range.excluded {
                return false;
            }
            included = true;
        }
        included
    }

    /// Returns whether a range names this branch without excluding it.
    pub fn names(&self, branch: Branch) -> bool {
        self.0
            .iter()
            .any(|range| !range.excluded && range.branch == Some(branch))
    }
}

impl<'a> IntoIterator for &'a Ranges {
    type Item = &'a Range;
    type IntoIter = std::slice::Iter<'a, Range>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.0.iter().enumerate() {
            write!(f, "{}{range}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// A number that depends on the level: a CHANCE out of 10,000, or a WEIGHT.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ByDepth {
    bare: Option<u32>,
    ranged: Vec<(Ranges, u32)>,
}

impl ByDepth {
    /// Sets the number for levels outside all ranges, replacing an earlier number.
    pub fn set(&mut self, value: u32) {
        self.bare = Some(value);
    }

    /// Sets the number for the levels of these ranges. Levels that earlier ranges match keep their number.
    pub fn set_at(&mut self, ranges: Ranges, value: u32) {
        self.ranged.push((ranges, value));
    }

    /// Returns the number at a level: the number of the first matching ranges, otherwise the number without ranges.
    pub fn at(&self, level: &Level) -> Option<u32> {
        let found = self.ranged.iter().find(|(ranges, _)| ranges.matches(level));
        found.map(|(_, value)| *value).or(self.bare)
    }
}

/// Weight of a map without a WEIGHT.
pub const DEFAULT_WEIGHT: u32 = 10;

/// The CHANCE that means "always".
pub const CERTAIN: u32 = 10_000;

/// Parses the value of a WEIGHT without its ranges.
///
/// # Errors
///
/// Fails if the text is not a whole number, 0 or more.
pub fn weight(text: &str) -> Result<u32, SpecError> {
    let text = text.trim();
    text.parse()
        .map_err(|_| SpecError::new("a weight is a whole number, 0 or more", text))
}

/// Parses the value of a CHANCE without its ranges: `N` (out of 10,000), or a percentage such as `0.5%`. In files for
/// release 0.6 of the game, a priority and a colon come before the value; both are ignored.
///
/// # Errors
///
/// Fails if the text is neither a whole number nor a percentage, or is more than 10,000 (100%).
pub fn chance(text: &str) -> Result<u32, SpecError> {
    let value = text.rsplit_once(':').map_or(text, |(_, value)| value).trim();
    let number = match value.strip_suffix('%') {
        None => value.parse().ok(),
        // Signs and exponents are invalid here, although Rust parses them in floating-point numbers.
        Some(percent) if percent.contains(|c: char| !c.is_ascii_digit() && c != '.' && c != ' ') => None,
        Some(percent) => percent
            .trim_end()
            .parse::<f64>()
            .ok()
            .map(|n| (n * 100.0).round() as u32),
    };
    number.filter(|n| *n <= CERTAIN).ok_or_else(|| {
        let message = "a chance is a whole number from 0 to 10000, or a percentage up to 100%";
        SpecError::new(message, value)
    })
}

/// Splits a WEIGHT or CHANCE into items: each a value with optional ranges in parentheses.
///
/// # Errors
///
/// Fails if a number is missing, a parenthesis is not closed, or anything but a comma follows a closing parenthesis.
pub fn numbers_by_depth(text: &str) -> Result<Vec<(&str, Option<&str>)>, SpecError> {
    let mut items = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find([',', '(']).unwrap_or(rest.len());
        let value = rest[..end].trim();
        if value.is_empty() {
            return Err(SpecError::new("a number is missing", text.trim()));
        }
        let mut ranges = None;
        rest = &rest[end..];
        if let Some(inner) = rest.strip_prefix('(') {
            let close = inner
                .find(')')
                .ok_or_else(|| SpecError::new("the parenthesis is not closed", text.trim()))?;
            ranges = Some(inner[..close].trim());
            rest = inner[close + 1..].trim_start();
        }
        items.push((value, ranges));
        match rest.strip_prefix(',') {
            Some(more) => rest = more,
            None if rest.is_empty() => return Ok(items),
            None => return Err(SpecError::new("a comma is missing", rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        Level::parse(text).expect("a level")
    }

    fn matches(ranges: &str, at: &str) -> bool {
        Ranges::parse(ranges).expect("ranges").matches(&level(at))
    }

    #[test]
    fn ranges_match_their_levels_and_no_others() {
        for (ranges, yes, no) in [
            ("D:2-4", &["D:2", "D:4"][..], &["D:1", "D:5", "Lair:2"][..]),
            ("D:2-", &["D:2", "D:15"], &["D:1", "Depths:2"]),
            ("D:2-$", &["D:2", "D:15"], &["D:1"]),
            ("Lair", &["Lair:1", "Lair:5"], &["D:1"]),
            ("Lair:*", &["Lair:1", "Lair:$"], &["Swamp:1"]),
            ("Lair:$", &["Lair:5"], &["Lair:4"]),
            ("Lair, !Lair:$", &["Lair:4"], &["Lair:5"]),
            ("!Lair:$, Lair", &["Lair:4"], &["Lair:5"]),
            ("!Lair", &[], &["Lair:1", "D:1"]),
            ("5", &["D:5"], &["D:4", "Lair:5"]),
            ("10-", &["D:10", "Lair:1"], &["D:9"]),
            ("*", &["D:1", "Zot:5"], &[]),
            ("*, !D:1", &["D:2"], &["D:1"]),
            (" D : 2 - 3 ,Orc", &["D:3", "Orc:1"], &["D:4"]),
        ] {
            for at in yes {
                assert!(matches(ranges, at), "{ranges} at {at}");
            }
            for at in no {
                assert!(!matches(ranges, at), "{ranges} at {at}");
            }
        }
        assert!(Ranges::parse("  ").expect("empty").is_empty());
    }

    #[test]
    fn ranges_print_as_they_were_meant() {
        for text in ["D:2-4", "Lair, !Lair:$", "*", "3-", "!Orc:1", "D:7-, Elf:2"] {
            assert_eq!(Ranges::parse(text).expect("ranges").to_string(), text);
        }
        assert_eq!(Ranges::parse("Vault:*").expect("ranges").to_string(), "Vaults");
    }

    #[test]
    fn malformed_ranges_are_refused_with_their_text() {
        for (text, offending) in [
            ("D:x", "D:x"),
            ("D:5-3", "D:5-3"),
            ("D:0", "D:0"),
            ("D:-3", "D:-3"),
            ("$", "$"),
            ("D:1,,D:2", ""),
            ("Nowhere:2", "Nowhere"),
            ("D:99999999999", "D:99999999999"),
            ("!", "!"),
        ] {
            let error = Ranges::parse(text).expect_err(text);
            assert_eq!(error.text, offending, "{text}");
        }
    }

    #[test]
    fn levels_are_read_and_reported() {
        assert_eq!(level("7"), Level::new(Branch::DUNGEON, 7));
        assert_eq!(level("Temple").to_string(), "Temple:1");
        assert_eq!(level("lair:$").to_string(), "Lair:5");
        for text in ["D:0", "D:16", "D:x", "Nowhere", ""] {
            assert!(Level::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_first_ranges_that_match_have_the_number() {
        let mut weights = ByDepth::default();
        assert_eq!(weights.at(&level("D:1")), None);
        weights.set_at(Ranges::parse("D:1-3").expect("ranges"), 5);
        weights.set_at(Ranges::parse("D").expect("ranges"), 7);
        assert_eq!(weights.at(&level("Orc:1")), None);
        weights.set(1);
        weights.set(2);
        assert_eq!(
            ["D:3", "D:4", "Orc:1"].map(|at| weights.at(&level(at))),
            [Some(5), Some(7), Some(2)]
        );
    }

    #[test]
    fn numbers_are_read_with_their_ranges() {
        let items = |text| numbers_by_depth(text).expect("numbers");
        assert_eq!(items("10"), [("10", None)]);
        assert_eq!(
            items("5 (Vaults, !Vaults:$), 10"),
            [("5", Some("Vaults, !Vaults:$")), ("10", None)]
        );
        assert_eq!(items("10, 15(D:2-)"), [("10", None), ("15", Some("D:2-"))]);
        for text in ["", "5,", "5 (D", "5 (D) 7", ", 5"] {
            assert!(numbers_by_depth(text).is_err(), "{text}");
        }
        assert_eq!(weight(" 20 "), Ok(20));
        assert!(weight("-1").is_err() && weight("ten").is_err());
        assert_eq!(
            ["1000", "10%", "5 : 20 %", "0", "0.5%", "100%"].map(chance),
            [1000, 1000, 2000, 0, 50, 10_000].map(Ok)
        );
        for text in [
            "101%",
            "10001",
            "1.5",
            "",
            "%",
            "-1",
            "1e1%",
            "-0%",
            "inf%",
            "x",
            "99999999999%",
        ] {
            assert!(chance(text).is_err(), "{text}");
        }
    }
}

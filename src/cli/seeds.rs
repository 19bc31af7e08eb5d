//! Seed ranges: parses values such as `--seeds 0..10000`, and selects the shard of the seeds that a run processes.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::text::counted;

/// Distinct seeds in the order in which the user listed them, as ranges that exclude their ends. No range begins where
/// the one before it ends. The numbers have 128 bits, because a range with the largest seed ends at 2^64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeedRange(Vec<Range<u128>>);

impl FromStr for SeedRange {
    type Err = String;

    /// Parses `100` (seeds 0 to 99), `0..10000` (end excluded), `5..=9`, or a comma-separated list. In a list of
    /// several items, a plain number is one seed: `17,204,990..1000`. A seed that is listed again is left out, so that
    /// no dungeon counts twice.
    fn from_str(text: &str) -> Result<Self, String> {
        let seed = |text: &str| super::source::seed(text).map(u128::from);
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let range = |part: &&str| -> Result<Range<u128>, String> {
            let (from, to) = match part.split_once("..") {
                Some((from, to)) => match to.strip_prefix('=') {
                    Some(last) => (seed(from)?, seed(last)? + 1),
                    None => (seed(from)?, seed(to)?),
                },
                None if parts.len() == 1 => (0, seed(part)?),
                None => {
                    let one = seed(part)?;
                    (one, one + 1)
                }
            };
            if from >= to {
                return Err(format!("`{part}` contains no seed; write 0..100 for seeds 0 to 99"));
            }
            Ok(from..to)
        };
        let ranges: Vec<Range<u128>> = parts.iter().map(range).collect::<Result<_, _>>()?;
        let seeds = Self(distinct(ranges));
        if seeds.count() > u128::from(u64::MAX) {
            return Err("this includes every possible seed; leave at least one out".to_owned());
        }
        Ok(seeds)
    }
}

/// Returns the numbers in the ranges in the same order, but each number only where it first occurs.
fn distinct(ranges: Vec<Range<u128>>) -> Vec<Range<u128>> {
    // Maps the start of each range found so far to its end; the ranges do not overlap.
    let mut known: BTreeMap<u128, u128> = BTreeMap::new();
    let mut found: Vec<Range<u128>> = Vec::new();
    for Range { mut start, end } in ranges {
        while start < end {
            let before = known.range(..=start).next_back();
            if let Some((_, &after)) = before.filter(|(_, known_end)| **known_end > start) {
                start = after;
                continue;
            }
            let new_end = known.range(start..end).next().map_or(end, |(&next, _)| next);
            known.insert(start, new_end);
            match found.last_mut() {
                Some(last) if last.end == start => last.end = new_end,
                _ => found.push(start..new_end),
            }
            start = new_end;
        }
    }
    found
}

impl fmt::Display for SeedRange {
    /// Writes the seeds in the notation that [`FromStr`] parses: `0..1000`, `3..4,7..8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, range) in self.0.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let (start, end) = (range.start, range.end);
            if end > u128::from(u64::MAX) {
                // This end, 2^64, is not a seed, so it could not be parsed.
                write!(f, "{comma}{start}..={}", end - 1)?;
            } else {
                write!(f, "{comma}{start}..{end}")?;
            }
        }
        Ok(())
    }
}

impl SeedRange {
    /// Returns all seeds, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.iter().cloned().flatten().map(|seed| seed as u64)
    }

    /// Returns the number of seeds.
    pub(super) fn len(&self) -> u64 {
        self.count() as u64
    }

    /// Returns the number of seeds. It has 128 bits, because a list, or two joined ranges, can contain all 2^64 seeds.
    fn count(&self) -> u128 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }

    /// Returns whether a seed is among these.
    pub(super) fn contains(&self, seed: u64) -> bool {
        self.0.iter().any(|range| range.contains(&u128::from(seed)))
    }

    /// Returns the number of seeds that are also in `other`.
    pub(super) fn in_common(&self, other: &Self) -> u64 {
        let either = Self(distinct(self.0.iter().chain(&other.0).cloned().collect()));
        (other.count() + self.count() - either.count()) as u64
    }

    /// Returns the seed at index `number`, counted from 0. Past the end, returns the last seed.
    pub(super) fn nth(&self, number: u64) -> u64 {
        let mut left = u128::from(number);
        for range in &self.0 {
            let count = range.end - range.start;
            if left < count {
                return (range.start + left) as u64;
            }
            left -= count;
        }
        self.0.last().map_or(0, |range| (range.end - 1) as u64)
    }

    /// Returns the seeds at a range of indices.
    pub(super) fn part(&self, indexes: &Range<u64>) -> Self {
        let mut before = 0;
        let mut ranges = Vec::new();
        for range in &self.0 {
            let index =
                |index: u64| range.start + u128::from(index).saturating_sub(before).min(range.end - range.start);
            let part = index(indexes.start)..index(indexes.end);
            if !part.is_empty() {
                ranges.push(part);
            }
            before += range.end - range.start;
        }
        Self(ranges)
    }

    /// Describes the seeds: `seeds 0 to 99`, or only their number if there are several ranges.
    pub(super) fn label(&self) -> String {
        match &self.0[..] {
            [one] if one.end - one.start == 1 => format!("seed {}", one.start),
            [one] => format!("seeds {} to {}", one.start, one.end - 1),
            _ => counted(self.len(), "seed"),
        }
    }
}

/// One of several parts of about equal size into which a run is split, such as the third of sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shard {
    /// Index of the shard, from 0.
    index: u64,
    count: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write the shard as K/N, such as 3/16 for the third of sixteen".to_owned();
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (index, count) = (number(index)?, number(count)?);
        if index < 1 || index > count {
            return Err(wrong());
        }
        Ok(Self {
            index: index - 1,
            count,
        })
    }
}

impl Shard {
    /// Returns the indices, out of `0..all`, that belong to this shard. Shards are consecutive, and their sizes differ
    /// by at most one.
    pub(super) fn part(self, all: u64) -> Range<u64> {
        let at = |index: u64| (u128::from(all) * u128::from(index) / u128::from(self.count)) as u64;
        at(self.index)..at(self.index + 1)
    }

    /// Returns whether this is the first shard.
    pub(super) const fn is_first(self) -> bool {
        self.index == 0
    }

    /// Describes the shard: `shard 3 of 16`.
    pub(super) fn label(self) -> String {
        format!("shard {} of {}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_ranges_lists_and_counts() {
        let all = |text: &str| -> Vec<u64> {
            let seeds: SeedRange = text.parse().unwrap();
            let by_index: Vec<u64> = (0..seeds.len()).map(|i| seeds.nth(i)).collect();
            assert_eq!(seeds.iter().collect::<Vec<_>>(), by_index);
            by_index
        };
        assert_eq!(all("3"), [0, 1, 2]);
        assert_eq!(all("3..6"), [3, 4, 5]);
        assert_eq!(all("3..=6"), [3, 4, 5, 6]);
        assert_eq!(all("7,0x10, 3..5"), [7, 16, 3, 4]);
        let seeds: SeedRange = "7,3..6,20..30".parse().unwrap();
        for part in [0..14, 0..1, 1..3, 2..9, 4..14, 14..14] {
            let some = seeds.part(&part);
            let expected: Vec<u64> = part.clone().map(|i| seeds.nth(i)).collect();
            assert_eq!(
                (0..some.len()).map(|i| some.nth(i)).collect::<Vec<_>>(),
                expected,
                "{part:?}"
            );
        }
        for text in ["3", "7,0x10, 3..5", "3..=6"] {
            let seeds: SeedRange = text.parse().unwrap();
            assert_eq!(seeds.to_string().parse(), Ok(seeds));
        }
        // A seed that is listed again does not count again.
        assert_eq!(all("6,6,6"), [6]);
        assert_eq!(all("5..8,0..10,9,12"), [5, 6, 7, 0, 1, 2, 3, 4, 8, 9, 12]);
        assert_eq!(all("4,2,8,1..=9,3"), [4, 2, 8, 1, 3, 5, 6, 7, 9]);
        let [some, others]: [SeedRange; 2] = ["0..10,20..30", "25..40,5..8"].map(|text| text.parse().unwrap());
        assert_eq!((some.in_common(&others), some.in_common(&some)), (8, 20));
        let most = u64::MAX;
        let whole: SeedRange = format!("0..{most},0..{most}").parse().unwrap();
        assert_eq!((whole.len(), whole.to_string()), (most, format!("0..{most}")));
        assert_eq!(whole.in_common(&whole), most);
        // The same seeds in the same order are equal, whichever way they are written.
        assert_eq!("0..10,5..15".parse(), "15".parse::<SeedRange>());
        for wrong in ["", "0", "5..5", "6..5", "a", "1..x"] {
            assert!(wrong.parse::<SeedRange>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_largest_seed_can_be_listed() {
        let most = u64::MAX;
        for (text, all, label) in [
            (format!("3,{most}"), vec![3, most], "2 seeds"),
            (format!("{}..={most}", most - 1), vec![most - 1, most], "seeds"),
            (format!("{most}..={most}"), vec![most], "seed"),
        ] {
            let seeds: SeedRange = text.parse().unwrap();
            assert_eq!((seeds.len(), seeds.nth(seeds.len() - 1)), (all.len() as u64, most));
            assert_eq!(seeds.iter().collect::<Vec<_>>(), all);
            assert_eq!(seeds.part(&(0..seeds.len())), seeds);
            assert_eq!(seeds.in_common(&format!("{most}..={most}").parse().unwrap()), 1);
            assert!(seeds.label().starts_with(label), "{}", seeds.label());
            assert_eq!(seeds.to_string().parse(), Ok(seeds));
        }
        let [low, high]: [SeedRange; 2] =
            [format!("0..{most}"), format!("{most}..={most}")].map(|text| text.parse().unwrap());
        assert_eq!((low.in_common(&high), high.in_common(&low)), (0, 0));
        // The number of all seeds does not fit into 64 bits.
        assert!(format!("0..={most}").parse::<SeedRange>().is_err());
        assert_eq!(format!("1..={most}").parse::<SeedRange>().unwrap().len(), most);
    }

    #[test]
    fn shards_contain_every_seed_exactly_once() {
        for (all, count) in [(10_000, 16), (5, 16), (u64::MAX, 3), (1, 1)] {
            let mut next = 0;
            for index in 1..=count {
                let shard: Shard = format!("{index}/{count}").parse().unwrap();
                let part = shard.part(all);
                assert_eq!(part.start, next);
                next = part.end;
            }
            assert_eq!(next, all);
        }
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}

//! A summary of many dungeons. Each dungeon is a row of a table; the summary counts how often each value occurs in each
//! column, and lists seeds that show anomalies.
//!
//! Values are counted, and rows are not stored. The memory of a summary therefore depends on the number of distinct
//! values, not on the number of rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::anomaly::Anomaly;
use super::interval::Interval;
use super::metric_sample::rank;
use super::row::Cell;

/// Largest number of seeds stored for each anomaly.
const EXAMPLES: usize = 8;

/// The number of occurrences of each value in a column.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueCounts {
    #[serde(with = "pairs")]
    counts: BTreeMap<Cell, u64>,
}

impl ValueCounts {
    /// Counts a value.
    pub fn add(&mut self, cell: Cell) {
        *self.counts.entry(cell).or_insert(0) += 1;
    }

    /// Returns how often a value occurs in the column.
    pub fn count(&self, cell: &Cell) -> u64 {
        self.counts.get(cell).copied().unwrap_or(0)
    }

    /// Returns the values in ascending order, each with its number of occurrences.
    pub fn counts(&self) -> impl Iterator<Item = (&Cell, u64)> {
        self.counts.iter().map(|(cell, count)| (cell, *count))
    }

    /// Returns the numbers in ascending order, in ten-thousandths, each with its number of occurrences.
    fn numbers(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        self.counts.iter().filter_map(|(cell, count)| match cell {
            Cell::Number(number) => Some((*number, *count)),
            _ => None,
        })
    }

    /// Returns the number of values that are numbers.
    pub fn len(&self) -> u64 {
        self.numbers().map(|(_, count)| count).sum()
    }

    /// Returns whether no value is a number.
    pub fn is_empty(&self) -> bool {
        self.numbers().next().is_none()
    }

    /// Returns a quantile of the numbers, in ten-thousandths; `None` if there are none. For `thousandths`, 0 is the
    /// minimum, 500 the median and 1000 the maximum.
    pub fn quantile(&self, thousandths: u16) -> Option<i64> {
        self.number(rank(self.len(), thousandths))
    }

    /// Returns a 95% confidence interval in ten-thousandths: the interval in which the quantile over all possible seeds
    /// probably lies, judged from the counted numbers. An end is infinite if there are too few numbers to determine it.
    pub fn quantile_interval(&self, thousandths: u16) -> Interval {
        let number = |rank| self.number(rank).map(|number| number as f64);
        Interval::of_ranked_quantile(self.len(), number, thousandths, self.len())
    }

    /// Returns the number at a rank, counted from 0, in ten-thousandths.
    fn number(&self, rank: u64) -> Option<i64> {
        let mut left = rank;
        for (number, count) in self.numbers() {
            if left < count {
                return Some(number);
            }
            left -= count;
        }
        None
    }

    /// Returns the mean of the numbers, in ten-thousandths; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        let sum: i128 = self
            .numbers()
            .map(|(number, count)| i128::from(number) * i128::from(count))
            .sum();
        (!self.is_empty()).then(|| sum as f64 / self.len() as f64)
    }

    /// Returns how many numbers are in each of `bins` bins of equal width from the minimum to the maximum. Uses fewer
    /// bins if all numbers are whole and some bins would be too narrow to contain a whole number, one bin if all numbers
    /// are equal, and none if there are no numbers.
    pub fn histogram(&self, bins: usize) -> Vec<u64> {
        let (Some(least), Some(most)) = (self.quantile(0), self.quantile(1000)) else {
            return Vec::new();
        };
        let spread = i128::from(most) - i128::from(least);
        let is_whole = self.numbers().all(|(number, _)| number % 10_000 == 0);
        let whole = if is_whole || spread == 0 {
            spread / 10_000 + 1
        } else {
            i128::MAX
        };
        let bins = (bins as i128).min(whole).max(1);
        // In a histogram of whole numbers, the number n occupies the range from n to n + 1.
        let breadth = spread + if is_whole { 10_000 } else { 1 };
        let mut histogram = vec![0; bins as usize];
        for (number, count) in self.numbers() {
            let bin = (i128::from(number) - i128::from(least)) * bins / breadth;
            histogram[bin as usize] += count;
        }
        histogram
    }
}

/// The seeds that show an anomaly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnomalySeeds {
    /// Number of seeds.
    pub count: u64,
    /// The first of these seeds, at most eight.
    pub seeds: Vec<u64>,
}

/// A summary of many dungeons of one design.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveySummary {
    /// Number of dungeons.
    pub dungeons: u64,
    /// Counts of the values in each column.
    pub tallies: Vec<ValueCounts>,
    /// Anomalies, with the seeds that show them.
    #[serde(with = "pairs")]
    #[serde(rename = "odd")]
    pub anomalies: BTreeMap<Anomaly, AnomalySeeds>,
}

impl AnomalySeeds {
    fn add(&mut self, seed: u64) {
        self.count += 1;
        if self.seeds.len() < EXAMPLES {
            self.seeds.push(seed);
        }
    }
}

impl SurveySummary {
    /// Counts a dungeon.
    pub fn add(&mut self, seed: u64, row: Vec<Cell>, anomalies: &[Anomaly]) {
        self.dungeons += 1;
        self.tallies
            .resize_with(row.len().max(self.tallies.len()), ValueCounts::default);
        for (tally, cell) in self.tallies.iter_mut().zip(row) {
            tally.add(cell);
        }
        for &anomaly in anomalies {
            self.anomalies.entry(anomaly).or_default().add(seed);
        }
    }
}

/// Serializes maps as lists of pairs, since not every file format supports keys other than strings.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K, V, S>(map: &BTreeMap<K, V>, serializer: S) -> Result<S::Ok, S::Error>
    where
        K: Serialize,
        V: Serialize,
        S: Serializer,
    {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        V: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tally(numbers: &[i64]) -> ValueCounts {
        let mut tally = ValueCounts::default();
        for &number in numbers {
            tally.add(Cell::Number(number));
        }
        tally
    }

    #[test]
    fn quantiles_of_known_distributions() {
        let uniform: Vec<i64> = (1..=1000).map(|i| i * 10_000).collect();
        let uniform = tally(&uniform);
        let of = |thousandths| uniform.quantile(thousandths).map(|number| number / 10_000);
        assert_eq!(
            [0, 100, 500, 900, 999, 1000].map(of),
            [1, 100, 500, 900, 999, 1000].map(Some)
        );
        assert_eq!(uniform.mean(), Some(5_005_000.0));
        assert_eq!(uniform.histogram(10), [100; 10]);
        // The sums of two dice.
        let dice: Vec<i64> = (1..=6).flat_map(|a| (1..=6).map(move |b| (a + b) * 10_000)).collect();
        let dice = tally(&dice);
        assert_eq!(dice.histogram(16), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
        assert_eq!((dice.quantile(500), dice.mean()), (Some(70_000), Some(70_000.0)));
        let mut with_gap = tally(&[1, 2]);
        with_gap.add(Cell::Nothing);
        assert_eq!((with_gap.len(), with_gap.quantile(1000)), (2, Some(2)));
        assert_eq!(tally(&[]).quantile(500), None);
        assert_eq!(tally(&[7]).histogram(16), [1]);
    }

    proptest! {
        #[test]
        fn quantiles_agree_with_the_sorted_numbers(mut numbers in prop::collection::vec(-50_000_i64..50_000, 1..80),
                                                    thousandths in 0_u16..=1000, bins in 1_usize..20) {
            let tally = tally(&numbers);
            numbers.sort_unstable();
            let below = |n: i64| numbers.iter().filter(|m| **m <= n).count() * 1000;
            let expected = numbers.iter().find(|n| below(**n) >= usize::from(thousandths) * numbers.len());
            prop_assert_eq!(tally.quantile(thousandths), expected.copied());
            let sorted: Vec<f64> = numbers.iter().map(|number| *number as f64).collect();
            let interval = Interval::of_quantile(&sorted, thousandths, sorted.len() as u64);
            prop_assert_eq!(tally.quantile_interval(thousandths), interval);
            prop_assert_eq!(tally.histogram(bins).iter().sum::<u64>(), numbers.len() as u64);
        }
    }
}

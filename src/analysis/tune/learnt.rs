//! The request and the report of a search for a character (the parameters of a design's generations) whose dungeons
//! resemble examples.

use super::{TrialMetrics, TunedParameter};
use crate::analysis::MetricValue;
use crate::design::expect::{DungeonMetric, Metric};
use crate::design::{Design, Entry, GENERATIONS};
use crate::geometry::Size;

/// Default number of candidates to measure.
pub const CANDIDATES: u64 = 12_000;

/// Default metrics in which the dungeons should resemble the examples.
pub const LEARNT_METRICS: [DungeonMetric; 6] = [
    DungeonMetric::Path,
    DungeonMetric::Fill,
    DungeonMetric::DeadEnds,
    DungeonMetric::Blind,
    DungeonMetric::Junctions,
    DungeonMetric::Loops,
];

/// A request to learn from examples.
#[derive(Debug, Clone)]
pub struct LearnRequest {
    /// Parameters that may change.
    pub moves: Vec<TunedParameter>,
    /// The parameters of `moves`, with the bounds within which the first candidates are drawn.
    pub drawn: Vec<TunedParameter>,
    /// Characters from which the search begins: for each, the values of the parameters in `moves`.
    pub starts: Vec<Vec<i32>>,
    /// Metrics in which the dungeons should resemble the examples.
    pub metrics: Vec<Metric>,
    /// The examples: the values of `metrics` and the patterns of each dungeon.
    pub examples: Vec<TrialMetrics>,
    /// Number of candidates to measure. The search measures whole batches, so it may measure some more.
    pub candidates: u64,
    /// Seed of the search itself.
    pub chance: u64,
}

/// Widens the bounds of `moves` to include the values of all generations in `designs`. The bounds of `moves` depend on
/// the design that the search changes, but the examples may come from a very different character. Returns the widened
/// parameters, and the characters of `designs`. The search begins from these characters.
pub fn starting_from(moves: &[TunedParameter], designs: &[Design]) -> (Vec<TunedParameter>, Vec<Vec<i32>>) {
    let entries = |one: &TunedParameter| match one.entry {
        Entry::Generation(_) => (0..GENERATIONS).map(Entry::Generation).collect(),
        entry => vec![entry],
    };
    let reaching = |one: &TunedParameter| {
        let entries = entries(one);
        let values = designs
            .iter()
            .flat_map(|design| entries.iter().filter_map(|entry| design.get(*entry, one.parameter)));
        values.fold(*one, TunedParameter::reaching)
    };
    let moves: Vec<TunedParameter> = moves.iter().map(reaching).collect();
    let value = |design: &Design, one: &TunedParameter| design.get(one.entry, one.parameter).unwrap_or(one.least);
    let starts = designs
        .iter()
        .map(|design| moves.iter().map(|one| value(design, one)).collect());
    let starts = starts.collect();
    (moves, starts)
}

/// How well the learnt character matches the examples in one metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearntMetric {
    /// The metric.
    pub metric: Metric,
    /// Range of the middle 80% of the examples, rounded outwards.
    pub asked: [f64; 2],
    /// Whether this range is an estimate, because fewer than [`super::ENOUGH_EXAMPLES`] examples have the metric.
    pub is_estimated: bool,
    /// p10, median and p90 of the learnt character's dungeons over fresh seeds; `None` if none of them has the
    /// metric.
    pub reached: Option<[f64; 3]>,
    /// Share of the dungeons over fresh seeds whose value is in the range `asked`. Dungeons that lack the metric are not
    /// in the range; seeds from which no dungeon can be grown do not count.
    pub share: f64,
    /// Least and greatest of the candidates' medians during the search. Each candidate has its own median, over its own
    /// dungeons. `None` if no candidate's dungeons have the metric.
    pub medians: Option<[f64; 2]>,
}

impl LearntMetric {
    /// Returns whether the metric was learnt: at least 60% of the dungeons lie in the range of the middle 80% of
    /// the examples.
    pub fn holds(&self) -> bool {
        self.share >= HOLDS
    }

    /// Returns how near the search came to the range `asked`: if the medians of all candidates lie on one side of the
    /// range, returns the median nearest to it; otherwise returns the middle of the range. Returns `None` if no
    /// candidate's dungeons have the metric.
    pub fn nearest(&self) -> Option<f64> {
        let [low, high] = self.asked;
        let [least, most] = self.medians?;
        Some(if most < low {
            most
        } else if least > high {
            least
        } else {
            f64::midpoint(low, high)
        })
    }
}

/// Share of the dungeons that must lie in the range of the middle 80% of the examples for a metric to count as learnt.
pub const HOLDS: f64 = 0.6;

/// Converts the metrics of a dungeon of size `from` to those of a similar dungeon of size `to`. Counts are multiplied
/// by the ratio of the numbers of squares, and lengths by the square root of this ratio. Shares, the width of
/// passages, and the numbers of generations and iterations stay unchanged.
#[must_use]
pub fn scaled(mut of: TrialMetrics, metrics: &[Metric], from: Size, to: Size) -> TrialMetrics {
    let squares = to.squares() as f64 / from.squares().max(1) as f64;
    for (value, metric) in of.values.iter_mut().zip(metrics) {
        let Metric::Plain(plain) = metric else { continue };
        let factor = match plain.info() {
            info if !info.is_whole => 1.0,
            info if matches!(
                info.metric,
                DungeonMetric::Width | DungeonMetric::Generations | DungeonMetric::Iterations
            ) =>
            {
                1.0
            }
            info if matches!(info.unit, "steps") || info.metric == DungeonMetric::OuterCorridor => squares.sqrt(),
            _ => squares,
        };
        if let MetricValue::Number(Some(number)) = value {
            *number *= factor;
        }
    }
    of
}

/// Returns the bounds between which all values of a metric lie.
const fn bounds(metric: Metric) -> [f64; 2] {
    match metric {
        Metric::Plain(DungeonMetric::Intelligibility) => [-1.0, 1.0],
        Metric::Plain(DungeonMetric::Detour) => [1.0, f64::INFINITY],
        Metric::Plain(
            DungeonMetric::Fill
            | DungeonMetric::Blind
            | DungeonMetric::Dominant
            | DungeonMetric::OuterWall
            | DungeonMetric::Unseen
            | DungeonMetric::Explored,
        )
        | Metric::Generation(_)
        | Metric::Widths(..) => [0.0, 1.0],
        _ => [0.0, f64::INFINITY],
    }
}

/// Limits a range to the values that the metric can have, and rounds it outwards: to whole numbers if the metric has
/// only whole numbers, otherwise to four decimal places.
pub(super) fn rounded(range: [f64; 2], metric: Metric) -> [f64; 2] {
    let [least, most] = bounds(metric);
    let [low, high] = range.map(|end| end.clamp(least, most));
    let is_whole = matches!(metric, Metric::Plain(plain) if plain.info().is_whole);
    let scale = if is_whole { 1.0 } else { 10_000.0 };
    [(low * scale).floor() / scale, (high * scale).ceil() / scale]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_grow_with_the_squares_lengths_with_their_root_and_shares_stay() {
        let metrics = [
            DungeonMetric::DeadEnds,
            DungeonMetric::Path,
            DungeonMetric::Fill,
            DungeonMetric::Width,
        ];
        let metrics = metrics.map(Metric::Plain);
        let row = TrialMetrics {
            values: [40.0, 100.0, 0.5, 3.0]
                .map(|number| MetricValue::Number(Some(number)))
                .to_vec(),
            anomalies: Vec::new(),
            corridor: None,
            gap: Vec::new(),
            patterns: Vec::new(),
        };
        let larger = scaled(row, &metrics, Size::new(30, 40), Size::new(60, 80));
        let numbers: Vec<Option<f64>> = larger.values.iter().map(|value| value.number()).collect();
        assert_eq!(numbers, [Some(160.0), Some(200.0), Some(0.5), Some(3.0)]);
    }

    #[test]
    fn a_range_contains_only_values_that_the_metric_can_have() {
        for (range, metric, expected) in [
            ([-0.05, 1.08], DungeonMetric::Blind, [0.0, 1.0]),
            ([0.12345, 0.5], DungeonMetric::Fill, [0.1234, 0.5]),
            ([-0.31234, -0.1], DungeonMetric::Intelligibility, [-0.3124, -0.1]),
            ([-3.2, 10.5], DungeonMetric::Loops, [0.0, 11.0]),
            ([1.1, 2.5], DungeonMetric::Detour, [1.1, 2.5]),
            ([0.9, 1.5], DungeonMetric::Detour, [1.0, 1.5]),
        ] {
            let rounded = rounded(range, Metric::Plain(metric));
            assert_eq!(rounded.as_slice(), expected.as_slice(), "{metric:?}");
        }
        for metric in [Metric::Generation(1), Metric::Widths(2, 4)] {
            let rounded = rounded([-0.5, 1.5], metric);
            assert_eq!(rounded.as_slice(), [0.0, 1.0].as_slice(), "{metric:?}");
        }
    }
}

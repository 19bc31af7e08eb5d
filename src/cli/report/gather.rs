//! Grows the dungeons of a report, measures them, counts their anomalies, and evaluates the design's expectations.

use std::ops::ControlFlow;

use super::super::expectations::CheckedExpectation;
use super::super::progress::Progress;
use super::super::seeds::SeedRange;
use crate::analysis::{
    Anomaly, Cell, MetricLookup, MetricSample, MetricValue, Metrics, SurveySummary, ValueCounts, expectations,
    quantile_rank,
};
use crate::background::SeedSurvey;
use crate::design::expect::{DungeonMetric, METRICS, Metric};

/// The main metrics, by which a report selects and describes dungeons; the most informative metric is first.
pub(super) const MAIN: [DungeonMetric; 6] = [
    DungeonMetric::Path,
    DungeonMetric::DeadEnds,
    DungeonMetric::Loops,
    DungeonMetric::Junctions,
    DungeonMetric::Fill,
    DungeonMetric::Blind,
];

/// A dungeon and the values of its metrics, in the order of [`METRICS`].
pub(super) struct MeasuredDungeon {
    pub(super) seed: u64,
    values: Vec<Option<f64>>,
}

impl MeasuredDungeon {
    /// Returns the value of a metric, or `None` if the dungeon has none.
    pub(super) fn value(&self, metric: DungeonMetric) -> Option<f64> {
        self.values.get(metric as usize).copied().flatten()
    }
}

/// Everything that a report states about the dungeons.
pub(super) struct Findings {
    /// Grown dungeons, in the order of their seeds.
    pub(super) dungeons: Vec<MeasuredDungeon>,
    /// Counts of metric values and anomalies over all seeds, with a column for each metric of [`METRICS`].
    pub(super) summary: SurveySummary,
    pub(super) expectations: Vec<CheckedExpectation>,
}

impl Findings {
    /// Grows and measures a dungeon from each seed.
    pub(super) fn of(survey: &SeedSurvey, seeds: &SeedRange) -> Self {
        let design = survey.variants[0].design();
        let expected = expectations(design);
        let mut sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
        let template = sample.clone();
        let mut progress = Progress::new(seeds.len(), 0);
        let mut summary = SurveySummary::default();
        let mut dungeons = Vec::new();
        let measure = |_: u64, metrics: &Metrics| {
            let values: Vec<_> = METRICS
                .iter()
                .map(|info| metrics.value(Metric::Plain(info.metric)))
                .collect();
            (values, template.values_of(metrics), metrics.anomalies())
        };
        survey.run(
            seeds.len(),
            |number| seeds.nth(number),
            measure,
            |seed, found| {
                match found {
                    Some((values, expected, anomalies)) => {
                        summary.add(
                            seed,
                            values.iter().map(|value| Cell::from(*value)).collect(),
                            &anomalies,
                        );
                        sample.add(seed, expected);
                        let values = values.into_iter().map(MetricValue::number).collect();
                        dungeons.push(MeasuredDungeon { seed, values });
                    }
                    None => summary.add(seed, vec![Cell::Nothing; METRICS.len()], &[Anomaly::NotGrown]),
                }
                progress.at(summary.dungeons);
                ControlFlow::Continue(())
            },
        );
        progress.end();
        let report = |(index, expectation): (usize, _)| CheckedExpectation::new(design, index, &expectation, &sample);
        Self {
            dungeons,
            summary,
            expectations: expected.into_iter().map(report).collect(),
        }
    }

    /// Returns how often each value of a metric occurs.
    pub(super) fn counts(&self, metric: DungeonMetric) -> Option<&ValueCounts> {
        self.summary.tallies.get(metric as usize)
    }

    /// Returns a quantile of a metric's values: 0 is the minimum, 500 the median and 1000 the maximum.
    pub(super) fn quantile(&self, metric: DungeonMetric, thousandths: u16) -> Option<f64> {
        let mut values = self.values(metric);
        let rank = quantile_rank(values.len() as u64, thousandths) as usize;
        (rank < values.len()).then(|| *values.select_nth_unstable_by(rank, f64::total_cmp).1)
    }

    /// Returns the values of a metric. Dungeons without a value are left out.
    fn values(&self, metric: DungeonMetric) -> Vec<f64> {
        self.dungeons.iter().filter_map(|one| one.value(metric)).collect()
    }

    /// Returns the values of a metric in ascending order. Dungeons without a value are left out.
    pub(super) fn sorted(&self, metric: DungeonMetric) -> Vec<f64> {
        let mut values = self.values(metric);
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Returns the main metrics whose values differ between dungeons.
    pub(super) fn varying(&self) -> impl Iterator<Item = DungeonMetric> {
        let varies = |metric: &DungeonMetric| self.quantile(*metric, 0) != self.quantile(*metric, 1000);
        MAIN.into_iter().filter(varies)
    }

    /// Returns up to `count` dungeons that are nearest to the medians of the main metrics, nearest first. On a tie, the
    /// lower seed is first.
    ///
    /// The distance of a dungeon is a sum over the metrics: for each metric, the difference from the median, divided by
    /// the width of the range from p10 to p90 (or from minimum to maximum, if p10 and p90 are equal). A missing value
    /// counts as 1.
    pub(super) fn typical(&self, count: usize) -> Vec<&MeasuredDungeon> {
        let scales: Vec<(DungeonMetric, f64, f64)> = (self.varying())
            .filter_map(|metric| {
                let of = |thousandths| self.quantile(metric, thousandths);
                let range = [(of(900)?, of(100)?), (of(1000)?, of(0)?)].map(|(high, low)| high - low);
                let range = range.into_iter().find(|range| *range > 0.0)?;
                Some((metric, of(500)?, range))
            })
            .collect();
        let distance = |one: &MeasuredDungeon| -> f64 {
            let parts = scales.iter().map(|(metric, median, range)| {
                let value = one.value(*metric);
                value.map_or(1.0, |value| (value - median).abs() / range)
            });
            parts.sum()
        };
        let mut ordered: Vec<(f64, &MeasuredDungeon)> = self.dungeons.iter().map(|one| (distance(one), one)).collect();
        ordered.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.seed.cmp(&other.seed)));
        ordered.into_iter().map(|(_, one)| one).take(count).collect()
    }

    /// Returns the dungeons with the lowest and the highest value of a metric; on a tie, the dungeon with the lower
    /// seed. Returns `None` if no dungeon has a value.
    pub(super) fn extremes(&self, metric: DungeonMetric) -> Option<[&MeasuredDungeon; 2]> {
        let mut known: Vec<(f64, &MeasuredDungeon)> = (self.dungeons.iter())
            .filter_map(|one| Some((one.value(metric)?, one)))
            .collect();
        known.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.seed.cmp(&other.seed)));
        let (most, _) = known.last()?;
        let last = known.iter().find(|(value, _)| value.total_cmp(most).is_eq())?;
        Some([known.first()?.1, last.1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_value_of_a_dungeon_without_rounding() {
        let fills = [0.1, 0.300_496, 0.2];
        let dungeon = |(seed, fill)| {
            let mut values = vec![None; METRICS.len()];
            values[DungeonMetric::Fill as usize] = Some(fill);
            MeasuredDungeon { seed, values }
        };
        let findings = Findings {
            dungeons: (0..).zip(fills).map(dungeon).collect(),
            summary: SurveySummary::default(),
            expectations: Vec::new(),
        };
        let quantile = |thousandths| findings.quantile(DungeonMetric::Fill, thousandths);
        assert_eq!([0, 500, 1000].map(quantile), [Some(0.1), Some(0.2), Some(0.300_496)]);
        assert_eq!(findings.quantile(DungeonMetric::Path, 500), None);
    }
}

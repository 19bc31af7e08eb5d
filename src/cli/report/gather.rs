//! Grows the dungeons of a report and counts the findings.

use std::ops::ControlFlow;

use super::super::progress::Progress;
use super::super::seeds::SeedRange;
use crate::analysis::{
    Anomaly, Cell, MetricLookup, MetricSample, MetricValue, Metrics, SurveySummary, ValueCounts, Verdict, expectations,
};
use crate::background::SeedSurvey;
use crate::design::expect::{DungeonMetric, METRICS, Metric};

/// Metrics by which a report selects dungeons and describes them, the most informative first.
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
    /// Returns the value of a metric, if the dungeon has one.
    pub(super) fn value(&self, metric: DungeonMetric) -> Option<f64> {
        self.values.get(metric as usize).copied().flatten()
    }
}

/// An expectation of the design with its result over the seeds.
pub(super) struct JudgedExpectation {
    /// Text in the design.
    pub(super) text: String,
    pub(super) verdict: Verdict,
    /// Values of its metrics, taken from the first dungeon that fails, if any.
    pub(super) explanation: String,
}

/// The findings about the dungeons.
pub(super) struct Findings {
    /// Grown dungeons, in the order of the seeds.
    pub(super) dungeons: Vec<MeasuredDungeon>,
    /// Counts of all seeds, with the columns of [`METRICS`].
    pub(super) summary: SurveySummary,
    pub(super) expectations: Vec<JudgedExpectation>,
}

impl Findings {
    /// Grows the dungeons of the seeds.
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
        let report = |(index, expectation): (usize, _)| {
            let verdict = sample.verdict(&expectation);
            let first = verdict.failing.first().copied();
            JudgedExpectation {
                text: design.expect.that[index].clone(),
                explanation: sample.explain(&expectation.condition, first),
                verdict,
            }
        };
        Self {
            dungeons,
            summary,
            expectations: expected.into_iter().map(report).collect(),
        }
    }

    /// Returns the counts of a metric's values.
    pub(super) fn counts(&self, metric: DungeonMetric) -> Option<&ValueCounts> {
        self.summary.tallies.get(metric as usize)
    }

    /// Returns a quantile of a metric's values.
    pub(super) fn quantile(&self, metric: DungeonMetric, thousandths: u16) -> Option<f64> {
        Some(self.counts(metric)?.quantile(thousandths)? as f64 / 1e4)
    }

    /// Returns the known values of a metric, ascending.
    pub(super) fn sorted(&self, metric: DungeonMetric) -> Vec<f64> {
        let mut values: Vec<f64> = self.dungeons.iter().filter_map(|one| one.value(metric)).collect();
        values.sort_unstable_by(f64::total_cmp);
        values
    }

    /// Returns the main metrics that are not the same in all dungeons.
    pub(super) fn varying(&self) -> impl Iterator<Item = DungeonMetric> {
        let varies = |metric: &DungeonMetric| self.quantile(*metric, 0) != self.quantile(*metric, 1000);
        MAIN.into_iter().filter(varies)
    }

    /// Returns the dungeons nearest to the medians of the main metrics, the nearest first, the lower seed first on a tie.
    ///
    /// The distance is the sum over the metrics of the distance from the median, measured in the range from p10 to p90,
    /// or from the minimum to the maximum if p10 and p90 are equal. A missing value counts like a whole range.
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

    /// Returns the dungeons with the lowest and the highest value of a metric, the lower seed on a tie.
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

//! A compact form of a dungeon's metrics, for samples of thousands of dungeons: the value of every metric, but not the
//! squares of paths, dead ends and other parts.
//!
//! Every expression has the same value over a [`MetricValues`] as over the [`Metrics`] from which it was made. A
//! [`MetricValues`] takes less than a kilobyte.

use serde::{Deserialize, Serialize};

use super::anomaly::Anomaly;
use super::lookup::{MetricLookup, MetricValue};
use super::metrics::{AreaMetrics, Metrics, PlaceMetrics, SightMetrics, share};
use crate::design::deserialize_checked;
use crate::design::expect::{AreaIndex, AreaPredicate, DungeonMetric, METRICS, Metric, SIGHT_METRICS};

/// The predicates that a room or vault meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct AreaValues {
    crossed: bool,
    needed: bool,
    severed: bool,
}

impl From<&AreaMetrics> for AreaValues {
    fn from(ground: &AreaMetrics) -> Self {
        Self {
            crossed: ground.crossed,
            needed: ground.needed,
            severed: ground.severed_by.is_some(),
        }
    }
}

/// The values of a dungeon's metrics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct MetricValues {
    /// Values in the order of [`METRICS`].
    plain: Vec<MetricValue>,
    tiles: Vec<u32>,
    widths: Vec<u32>,
    shape: u32,
    rooms: Vec<AreaValues>,
    vaults: Vec<AreaValues>,
    /// The named places, with the number of steps to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    places: Vec<PlaceMetrics>,
    /// Values in the order of [`SIGHT_METRICS`]; empty if none of them was computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sight: Vec<MetricValue>,
    /// Anomalies, in the order of [`Metrics::anomalies`].
    #[serde(rename = "odd")]
    pub anomalies: Vec<Anomaly>,
}

deserialize_checked!(MetricValues);

impl MetricValues {
    /// Checks values that were read from a file. `plain` must have one entry for each metric. `sight` must be empty or
    /// have one entry for each sight metric. The counts of tiles and squares must not overflow when they are summed.
    fn checked(self) -> Result<Self, String> {
        if self.plain.len() != METRICS.len() {
            let (has, wanted) = (self.plain.len(), METRICS.len());
            return Err(format!(
                "found {has} metrics, but this version of the program has {wanted}"
            ));
        }
        if !self.sight.is_empty() && self.sight.len() != SIGHT_METRICS.len() {
            let (has, wanted) = (self.sight.len(), SIGHT_METRICS.len());
            return Err(format!(
                "found {has} metrics of sight, but this version of the program has {wanted}"
            ));
        }
        for counts in [&self.tiles, &self.widths] {
            let sum = counts.iter().try_fold(0_u32, |sum, count| sum.checked_add(*count));
            sum.ok_or("the counts add up to more squares than any dungeon has")?;
        }
        Ok(self)
    }

    /// Returns the values of a dungeon's metrics.
    pub fn of(metrics: &Metrics) -> Self {
        let values = METRICS.iter().map(|info| metrics.value(Metric::Plain(info.metric)));
        Self {
            plain: values.collect(),
            tiles: metrics.tiles.clone(),
            widths: metrics.widths.clone(),
            shape: metrics.shape,
            rooms: metrics.rooms.iter().map(Into::into).collect(),
            vaults: metrics.vaults.iter().map(Into::into).collect(),
            places: metrics.places.clone(),
            sight: if metrics.sight == SightMetrics::default() {
                Vec::new()
            } else {
                let values = SIGHT_METRICS.iter();
                values.map(|info| metrics.value(Metric::Plain(info.metric))).collect()
            },
            anomalies: metrics.anomalies(),
        }
    }

    /// Returns the value of a metric as a number: 1 for true, 0 for false; `None` if the value is missing.
    pub fn number(&self, metric: DungeonMetric) -> Option<f64> {
        self.value(Metric::Plain(metric)).number()
    }
}

impl MetricLookup for MetricValues {
    fn value(&self, metric: Metric) -> MetricValue {
        match metric {
            Metric::Plain(plain) => self
                .plain
                .iter()
                .chain(&self.sight)
                .nth(plain as usize)
                .copied()
                .unwrap_or(MetricValue::Number(None)),
            Metric::Generation(generation) => {
                let laid = self.tiles.get(generation as usize).copied().unwrap_or(0);
                share(laid, self.tiles.iter().sum()).into()
            }
            Metric::Widths(least, most) => {
                let squares = self.widths.iter().zip(1..);
                let within = squares.filter(|(_, width)| (least..=most).contains(width));
                share(within.map(|(squares, _)| *squares).sum(), self.shape).into()
            }
            Metric::Reaches(name) => MetricValue::Truth(PlaceMetrics::steps_to(&self.places, name).is_some()),
            Metric::PathTo(name) => MetricValue::Number(PlaceMetrics::steps_to(&self.places, name).map(f64::from)),
            Metric::Area(predicate, area) => {
                let ground = match area {
                    AreaIndex::Room(index) => self.rooms.get(index),
                    AreaIndex::Vault(index) => self.vaults.get(index),
                };
                MetricValue::Truth(ground.is_some_and(|ground| match predicate {
                    AreaPredicate::Crosses => ground.crossed,
                    AreaPredicate::Needs => ground.needed,
                    AreaPredicate::Severs => ground.severed,
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::MetricsRunner;
    use crate::engine::Options;
    use crate::presets::Preset;

    #[test]
    fn values_agree_with_the_metrics() {
        for preset in ["catacombs", "keep", "halls"] {
            let Some(preset) = Preset::find(preset) else { continue };
            let design = preset.design().validate(None).design.unwrap();
            let metrics = MetricsRunner::new().grow_and_measure(&design, Options::default());
            let values = MetricValues::of(&metrics);
            let plain = METRICS.iter().map(|info| Metric::Plain(info.metric));
            let generations = (0..12).map(Metric::Generation);
            let widths = [(1, 1), (2, 5), (3, u32::MAX)].map(|(least, most)| Metric::Widths(least, most));
            let areas = (0..4).flat_map(|i| [AreaIndex::Room(i), AreaIndex::Vault(i)]);
            let areas = areas.flat_map(|area| {
                [AreaPredicate::Crosses, AreaPredicate::Needs, AreaPredicate::Severs]
                    .map(|predicate| Metric::Area(predicate, area))
            });
            for metric in plain.chain(generations).chain(widths).chain(areas) {
                assert_eq!(values.value(metric), metrics.value(metric), "{metric}");
            }
            assert_eq!(values.anomalies, metrics.anomalies());
        }
    }
}

//! Measures the dungeon in the background: either as the designer shows it, or fully grown.
//!
//! Between requests, the thread keeps its buffers and the last design's [`Scene`]: the entrance, exit, rooms, vaults
//! and named places to which the metrics refer. Measuring the dungeon that the designer shows cannot be interrupted, so
//! the caller should wait for the reply before it sends the next request. Drawing the interface never waits for the
//! metrics.

use super::job::{Cancelled, Job, JobCx};
use crate::analysis::{
    EnclosedArea, EnclosureCause, GrowthMetrics, LayerKind, MetricParts, Metrics, MetricsCalculator, MetricsRunner,
    Scene, SquareLayer, enclosure_causes,
};
use crate::design::ValidDesign;
use crate::engine::{Grid, Options};
use crate::geometry::Point;
use crate::recording::TileOrigins;

/// Moment of a growth that is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowthMoment {
    /// The moment that the designer shows: the grid, and the growth metrics, which cannot be derived from the grid.
    Now(Grid, GrowthMetrics),
    /// The end of the growth. The job grows the dungeon with these options.
    End(Options),
}

/// A request to measure a dungeon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsRequest {
    /// Design from which the dungeon is grown.
    pub design: ValidDesign,
    /// Entrance and exit; `None` for the default squares. Ignored for [`GrowthMoment::End`].
    pub ends: [Option<Point>; 2],
    /// Moment of the growth to measure.
    pub subject: GrowthMoment,
    /// Builder of each tile, and the turn of the measured moment. They are needed to find the causes of enclosed
    /// areas.
    pub origins: Option<(TileOrigins, u64)>,
    /// Parts of the metrics to compute. The parts that `layer` needs are added.
    pub parts: MetricParts,
    /// Layer of squares to compute in addition to the metrics. Ignored for [`GrowthMoment::End`].
    pub layer: Option<LayerKind>,
}

/// Result of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricsReply {
    /// The metrics.
    pub metrics: Metrics,
    /// The cause of each area of [`Metrics::enclosed`], in the same order; `None` for an area that the design itself
    /// encloses. The whole list is `None` if the request had no origins or was for [`GrowthMoment::End`].
    pub causes: Option<Vec<Option<EnclosureCause>>>,
    /// The requested layer and its squares.
    pub cover: Option<(LayerKind, SquareLayer)>,
}

impl Job for MetricsRequest {
    const NAME: &'static str = "metrics";
    type Memory = MetricsMemory;
    type Reply = Box<MetricsReply>;

    fn run(self, memory: &mut MetricsMemory, cx: &JobCx<'_, Box<MetricsReply>>) -> Result<(), Cancelled> {
        let reply = memory.measure(self, || !cx.is_cancelled()).ok_or(Cancelled)?;
        cx.send(Box::new(reply))
    }
}

/// Data that is reused between requests.
#[derive(Debug, Default)]
pub struct MetricsMemory {
    calculator: MetricsCalculator,
    scene: Option<(ValidDesign, Scene)>,
    runner: MetricsRunner,
}

impl MetricsMemory {
    /// Measures a dungeon. Returns `None` if the request was cancelled.
    fn measure(&mut self, case: MetricsRequest, goes_on: impl Fn() -> bool) -> Option<MetricsReply> {
        let (grid, life) = match case.subject {
            GrowthMoment::Now(grid, life) => (grid, life),
            GrowthMoment::End(options) => {
                self.runner.forget();
                self.runner.set_parts(case.parts);
                let metrics = self.runner.grow_and_measure_while(&case.design, options, goes_on)?;
                return Some(MetricsReply {
                    metrics,
                    causes: None,
                    cover: None,
                });
            }
        };
        let scene = match &mut self.scene {
            Some((design, scene)) if *design == case.design => scene,
            other => {
                let scene = Scene::new(&case.design);
                &mut other.insert((case.design, scene)).1
            }
        };
        [scene.entrance, scene.exit] = case.ends;
        let parts = case.layer.map_or(MetricParts::NONE, LayerKind::parts);
        let mut metrics = self.calculator.measure_parts(&grid, scene, case.parts.and(parts));
        metrics.life = Some(life);
        let areas: &[EnclosedArea] = &metrics.enclosed;
        let causes = case
            .origins
            .map(|(origins, now)| enclosure_causes(&grid, areas, &origins, now));
        let cover = case.layer.map(|layer| (layer, self.calculator.cover(layer, &metrics)));
        Some(MetricsReply { metrics, causes, cover })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::job::{Ticket, run_inline};

    use crate::presets::Preset;
    use crate::recording::Recording;

    #[test]
    fn metrics_in_the_background_agree_with_the_calculator() {
        let design = Preset::find("catacombs")
            .unwrap()
            .design()
            .validate(None)
            .design
            .unwrap();
        let (mut growth, mut recording) = Recording::begin(&design, Options::default());
        growth.finish(&mut recording);
        recording.finish();
        let mut origins = TileOrigins::new(&recording);
        origins.read_on(&recording, u64::MAX);
        let life = GrowthMetrics {
            builders: growth.born(),
            unborn: 0,
            iterations: growth.clock().iteration,
        };
        let case = MetricsRequest {
            design: design.clone(),
            ends: [None; 2],
            subject: GrowthMoment::Now(growth.grid().clone(), life),
            origins: Some((origins.clone(), recording.turns())),
            parts: MetricParts::STANDARD,
            layer: Some(LayerKind::Way),
        };
        let mut memory = MetricsMemory::default();
        // The second request reuses the memory of the first one.
        for _ in 0..2 {
            let found = run_inline(case.clone(), &mut memory, &Ticket::new()).remove(0);
            let mut metrics = MetricsCalculator::new().measure(growth.grid(), &Scene::new(&design));
            metrics.life = Some(life);
            let causes = enclosure_causes(growth.grid(), &metrics.enclosed, &origins, recording.turns());
            assert_eq!(found.metrics, metrics);
            assert_eq!(found.causes, Some(causes));
            assert_eq!(found.cover.unwrap().0, LayerKind::Way);
        }
    }
}

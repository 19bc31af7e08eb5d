//! Grows dungeons to their end and computes their metrics.

use super::calculator::MetricsCalculator;
use super::metrics::{GrowthMetrics, Metrics};
use super::parts::MetricParts;
use super::scene::Scene;
use crate::design::ValidDesign;
use crate::engine::{Event, Growth, Observer, Options, SeedGrower, WallRun};

/// An observer that counts the babies that were not born. The finished dungeon does not show them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UnbornCounter(pub(super) u32);

impl Observer for UnbornCounter {
    const BIRTHS: bool = false;

    fn event(&mut self, event: Event) {
        if let Event::Unborn { .. } = event {
            self.0 += 1;
        }
    }

    fn built(&mut self, _: WallRun) {}
}

/// A runner that grows designs and computes their metrics. It builds the scene of a design once, and replaces only the
/// vaults in it for each further seed.
#[derive(Debug)]
pub struct MetricsRunner {
    grower: SeedGrower,
    calculator: MetricsCalculator,
    scene: Option<Scene>,
    parts: MetricParts,
}

impl Default for MetricsRunner {
    fn default() -> Self {
        Self::with_parts(MetricParts::STANDARD)
    }
}

impl MetricsRunner {
    /// Creates a runner that computes the standard parts of the metrics, for the seeds of one design.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a runner that computes the given parts of the metrics. It always computes the [`GrowthMetrics`] as well.
    pub fn with_parts(parts: MetricParts) -> Self {
        Self {
            grower: SeedGrower::default(),
            calculator: MetricsCalculator::new(),
            scene: None,
            parts,
        }
    }

    /// Sets the parts of the metrics to compute from now on.
    pub const fn set_parts(&mut self, parts: MetricParts) {
        self.parts = parts;
    }

    /// Drops the cached scene. Call this before growing another design.
    pub fn forget(&mut self) {
        self.scene = None;
    }

    /// Grows a design to its end and returns the metrics of its dungeon. Until [`Self::forget`] is called, the design
    /// may differ from the previous one only in its seed and in what follows from the seed.
    pub fn grow_and_measure(&mut self, design: &ValidDesign, options: Options) -> Metrics {
        let mut unborn = UnbornCounter(0);
        let growth = self.grower.start(design, options, &mut unborn);
        growth.finish(&mut unborn);
        let Self {
            calculator,
            scene,
            parts,
            ..
        } = self;
        measure(calculator, scene, *parts, design, growth, unborn)
    }

    /// Grows a design and returns its metrics, as [`Self::grow_and_measure`] does. Calls `goes_on` before the first
    /// turn, after every 256 turns and before the metrics are computed; returns `None` as soon as `goes_on` returns
    /// `false`.
    pub fn grow_and_measure_while(
        &mut self,
        design: &ValidDesign,
        options: Options,
        goes_on: impl Fn() -> bool,
    ) -> Option<Metrics> {
        let mut unborn = UnbornCounter(0);
        let growth = self.grower.start(design, options, &mut unborn);
        let is_finished = growth.finish_while(&mut unborn, &goes_on) && goes_on();
        let Self {
            calculator,
            scene,
            parts,
            ..
        } = self;
        is_finished.then(|| measure(calculator, scene, *parts, design, growth, unborn))
    }

    /// Returns the metrics of a dungeon that was grown to its end.
    pub(super) fn measure(&mut self, design: &ValidDesign, growth: &Growth, unborn: UnbornCounter) -> Metrics {
        measure(
            &mut self.calculator,
            &mut self.scene,
            self.parts,
            design,
            growth,
            unborn,
        )
    }
}

fn measure(
    calculator: &mut MetricsCalculator,
    scene: &mut Option<Scene>,
    parts: MetricParts,
    design: &ValidDesign,
    growth: &Growth,
    unborn: UnbornCounter,
) -> Metrics {
    let scene = match scene {
        Some(scene) => {
            if !scene.vaults.is_empty() {
                scene.set_vaults(design);
            }
            scene
        }
        none => none.insert(Scene::of(design, growth.rooms())),
    };
    let mut metrics = calculator.measure_parts(growth.grid(), scene, parts);
    metrics.life = Some(GrowthMetrics {
        builders: growth.born(),
        unborn: unborn.0,
        iterations: growth.clock().iteration,
    });
    metrics
}

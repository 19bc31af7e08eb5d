//! The figures of a dungeon that is grown to its end for them.

use super::calculator::MetricsCalculator;
use super::metrics::{GrowthMetrics, Metrics};
use super::scene::Scene;
use crate::design::ValidDesign;
use crate::engine::{Event, Growth, Observer, Options, WallRun};

/// Turns between two looks at whether the figures are still wanted.
const TURNS_PER_LOOK: u32 = 256;

/// Counts what is not in the dungeon.
struct UnbornCounter(u32);

impl Observer for UnbornCounter {
    fn event(&mut self, event: Event) {
        if let Event::Unborn { .. } = event {
            self.0 += 1;
        }
    }

    fn built(&mut self, _: WallRun) {}
}

/// Grows designs and judges them. A design's scene is made once, and its vaults anew for each seed.
#[derive(Debug, Default)]
pub struct MetricsRunner {
    judge: MetricsCalculator,
    scene: Option<Scene>,
}

impl MetricsRunner {
    /// A nursery for the seeds of one design.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the design, so that another one can be grown.
    pub fn forget(&mut self) {
        self.scene = None;
    }

    /// Grows a design to its end. Only its seed, and what follows from it, may differ from the design before.
    pub fn raise(&mut self, design: &ValidDesign, options: Options) -> Metrics {
        let mut unborn = UnbornCounter(0);
        let mut growth = Growth::new(design, options, &mut unborn);
        growth.finish(&mut unborn);
        self.judge(design, &growth, &unborn)
    }

    /// The same, as long as somebody wants it: `None` once `goes_on`, which is asked every 256 turns, says no.
    pub fn raise_while(
        &mut self,
        design: &ValidDesign,
        options: Options,
        goes_on: impl Fn() -> bool,
    ) -> Option<Metrics> {
        let mut unborn = UnbornCounter(0);
        let mut growth = Growth::new(design, options, &mut unborn);
        let mut turns: u32 = 0;
        while growth.turn(&mut unborn) {
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(TURNS_PER_LOOK) && !goes_on() {
                return None;
            }
        }
        goes_on().then(|| self.judge(design, &growth, &unborn))
    }

    fn judge(&mut self, design: &ValidDesign, growth: &Growth, unborn: &UnbornCounter) -> Metrics {
        let scene = match &mut self.scene {
            Some(scene) => {
                if !scene.vaults.is_empty() {
                    scene.set_vaults(design, design.pieces());
                }
                scene
            }
            none => none.insert(Scene::new(design)),
        };
        let mut figures = self.judge.judge(growth.grid(), scene);
        figures.life = Some(GrowthMetrics {
            builders: growth.born(),
            unborn: unborn.0,
            iterations: growth.clock().iteration,
        });
        figures
    }
}

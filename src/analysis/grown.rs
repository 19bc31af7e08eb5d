//! The figures of a dungeon that is grown to its end for them.

use super::figures::{Figures, Life};
use super::judge::Judge;
use super::scene::Scene;
use crate::design::ValidDesign;
use crate::engine::{Event, Growth, Observer, Options, Run};

/// Counts what is not in the dungeon.
struct Unborn(u32);

impl Observer for Unborn {
    fn event(&mut self, event: Event) {
        if let Event::Unborn { .. } = event {
            self.0 += 1;
        }
    }

    fn built(&mut self, _: Run) {}
}

/// Grows designs and judges them. A design's scene is made once, and its vaults anew for each seed.
#[derive(Debug, Default)]
pub struct Nursery {
    judge: Judge,
    scene: Option<Scene>,
}

impl Nursery {
    /// A nursery for the seeds of one design.
    pub fn new() -> Self {
        Self::default()
    }

    /// Grows a design to its end. Only its seed, and what follows from it, may differ from the design before.
    pub fn raise(&mut self, design: &ValidDesign, options: Options) -> Figures {
        let scene = match &mut self.scene {
            Some(scene) => {
                if !scene.vaults.is_empty() {
                    scene.set_vaults(design, design.pieces());
                }
                scene
            }
            none => none.insert(Scene::new(design)),
        };
        let mut unborn = Unborn(0);
        let mut growth = Growth::new(design, options, &mut unborn);
        growth.finish(&mut unborn);
        let mut figures = self.judge.judge(growth.grid(), scene);
        figures.life = Some(Life {
            builders: growth.born(),
            unborn: unborn.0,
            iterations: growth.clock().iteration,
        });
        figures
    }
}

//! The judger: finds the figures of the dungeon at the moment that the screen shows, beside the screen.
//!
//! One case at a time, on a thread of its own, which keeps its memory and the scene of the design from one to the next. A
//! judgement is not broken off; whoever asks waits for the answer before the next case, and no frame waits for it.

use std::sync::mpsc::SyncSender;

use super::Message;
use super::job::{JobContext, RunId, Worker};
use crate::analysis::{
    EnclosedArea, EnclosureCause, GrowthMetrics, LayerKind, Metrics, MetricsCalculator, MetricsRunner, Scene,
    SquareLayer, closings,
};
use crate::design::ValidDesign;
use crate::engine::{Grid, Options};
use crate::geometry::Point;
use crate::recording::TileOrigins;

/// The moment of a growth that is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrowthMoment {
    /// One that somebody else has grown to: its squares, and what they do not tell.
    Now(Grid, GrowthMetrics),
    /// The end, which is grown for it.
    End(Options),
}

/// A dungeon to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricsRequest {
    /// The design that it grows from.
    pub design: ValidDesign,
    /// Where it is entered and left, where that is not left to the dungeon.
    pub ends: [Option<Point>; 2],
    /// Which moment of its growth.
    pub subject: GrowthMoment,
    /// Who laid what, and the turn that is over: asked for where it shall be told who enclosed an area.
    pub origins: Option<(TileOrigins, u64)>,
    /// What is pictured of it.
    pub layer: Option<LayerKind>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricsReply {
    /// The figures.
    pub figures: Metrics,
    /// Who closed each of [`Metrics::enclosed`], in its order, and `None` for what the design itself encloses; `None` in
    /// all where nobody told who laid what.
    pub closings: Option<Vec<Option<EnclosureCause>>>,
    /// The squares of the layer that was asked for.
    pub cover: Option<(LayerKind, SquareLayer)>,
}

/// The thread of judgements. Dropping it joins the thread.
#[derive(Debug)]
pub struct MetricsService(Worker<Box<MetricsRequest>>);

impl MetricsService {
    /// Starts the thread; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Judged { run, judged: Err(why) };
        Worker::start("judger", inbox, broken, || {
            let mut bench = MetricsMemory::default();
            move |run, case: Box<MetricsRequest>, line: &JobContext<I>| {
                if let Some(judged) = bench.judge(*case, || !line.is_stale(run)) {
                    let judged = Ok(Box::new(judged));
                    line.send(run, Message::Judged { run, judged });
                }
            }
        })
        .map(Self)
    }

    /// Makes whatever is under way stale and begins another: the answer carries the number returned.
    pub fn ask(&self, case: Box<MetricsRequest>) -> RunId {
        self.0.ask(case)
    }
}

/// What the thread keeps.
#[derive(Debug, Default)]
struct MetricsMemory {
    judge: MetricsCalculator,
    scene: Option<(ValidDesign, Scene)>,
    nursery: MetricsRunner,
}

impl MetricsMemory {
    /// Judges a case; `None` when nobody wants it any more.
    fn judge(&mut self, case: MetricsRequest, goes_on: impl Fn() -> bool) -> Option<MetricsReply> {
        let (grid, life) = match case.subject {
            GrowthMoment::Now(grid, life) => (grid, life),
            GrowthMoment::End(options) => {
                self.nursery.forget();
                let figures = self.nursery.raise_while(&case.design, options, goes_on)?;
                return Some(MetricsReply {
                    figures,
                    closings: None,
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
        let mut figures = self.judge.judge(&grid, scene);
        figures.life = Some(life);
        let areas: &[EnclosedArea] = &figures.enclosed;
        let closings = case.origins.map(|(origins, now)| closings(&grid, areas, &origins, now));
        let cover = case.layer.map(|layer| (layer, self.judge.cover(layer, &figures)));
        Some(MetricsReply {
            figures,
            closings,
            cover,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;
    use crate::engine::Growth;
    use crate::presets::Preset;
    use crate::recording::{EventChunk, Recording};

    #[test]
    fn a_grown_dungeon_is_judged_as_anywhere() {
        let design = Preset::find("catacombs")
            .unwrap()
            .design()
            .validate(None)
            .design
            .unwrap();
        let mut prelude = EventChunk::default();
        let mut growth = Growth::new(&design, Options::default(), &mut prelude);
        let mut recording = Recording::new(growth.grid().clone(), prelude);
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
            layer: Some(LayerKind::Way),
        };
        let inbox = Inbox::<()>::new();
        let judger = MetricsService::new(inbox.sender()).unwrap();
        // The second answer comes from memory that the first left behind.
        for _ in 0..2 {
            let asked = judger.ask(Box::new(case.clone()));
            let Some(Message::Judged { run, judged: Ok(found) }) = inbox.wait(None) else {
                panic!("no answer");
            };
            assert_eq!(run, asked);
            let mut figures = MetricsCalculator::new().judge(growth.grid(), &Scene::new(&design));
            figures.life = Some(life);
            let told = closings(growth.grid(), &figures.enclosed, &origins, recording.turns());
            assert_eq!(found.figures, figures);
            assert_eq!(found.closings, Some(told));
            assert_eq!(found.cover.unwrap().0, LayerKind::Way);
        }
    }
}

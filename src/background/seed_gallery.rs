//! Background jobs of the seed gallery: metrics of many dungeons of one design, and pictures of dungeons as they grow.
//!
//! Metrics and pictures are separate jobs, because all dungeons need metrics but only the few visible dungeons need
//! pictures. A design with vaults is resolved again for each seed. If a job is cancelled, the replies that it has
//! already sent stay valid for their design.

use std::thread;
use std::time::{Duration, Instant};

use super::job::{Cancelled, Job, JobCx};
use super::preview::{Pixels, shrunk};
use super::survey::{Pace, SeedSurvey};
use crate::analysis::MetricValues;
use crate::design::Diagnostic;
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};

/// Maximum total number of squares in the dungeons that grow at the same time, unless a single dungeon has more.
const MOST_SQUARES: u64 = 32_000_000;

/// Shortest time between two replies; the results that arrive in between are sent together.
const GATHER: Duration = Duration::from_millis(40);

/// A request to measure the dungeons that a design grows from given seeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedBatch {
    /// The design.
    pub seeded: SeededDesign,
    /// Engine options with which the dungeons grow.
    pub options: Options,
    /// Seeds, in the order in which they are processed.
    pub seeds: Vec<u64>,
}

/// A request for pictures of some dungeons as they grow side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthBatch {
    /// The dungeons.
    pub batch: SeedBatch,
    /// Side length, in squares, of the block that one pixel shows.
    pub block: i32,
    /// Approximate number of pictures of each dungeon; the last picture shows the dungeon fully grown.
    pub pictures: u32,
    /// Shortest time between two pictures of a dungeon.
    pub pause: Duration,
}

/// A reply to a [`SeedBatch`].
#[derive(Debug)]
pub enum SeedBatchReply {
    /// Diagnostics about vaults that only the opened recording contains; see [`SeededDesign::beyond_recording`].
    NotRecorded(Vec<Diagnostic>),
    /// Seeds with the metric values of their dungeons; `None` for a seed from which no dungeon can be grown.
    Measured(Vec<(u64, Option<MetricValues>)>),
    /// Every dungeon has been measured.
    Done,
}

/// A reply to a [`GrowthBatch`].
#[derive(Debug)]
pub enum GrowthBatchReply {
    /// The current state of some growing dungeons: for each, its seed, its picture, and whether it is fully grown.
    Shown(Vec<(u64, Pixels, bool)>),
    /// All dungeons are fully grown.
    Done,
}

impl Job for SeedBatch {
    const NAME: &'static str = "gallery metrics";
    type Memory = ();
    type Reply = SeedBatchReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, SeedBatchReply>) -> Result<(), Cancelled> {
        let seed = |number: u64| self.seeds[number as usize];
        let lost = self.seeded.beyond_recording(self.seeds.iter().copied());
        if !lost.is_empty() {
            cx.send(SeedBatchReply::NotRecorded(lost))?;
        }
        let mut gathered = Vec::new();
        let mut pace = Pace::new(GATHER);
        SeedSurvey::in_background(vec![self.seeded.clone()], self.options).run_while(
            self.seeds.len() as u64,
            || !cx.is_cancelled(),
            |number| (0, seed(number)),
            |_, metrics| MetricValues::of(metrics),
            |number, measured| {
                gathered.push((seed(number), measured));
                if pace.is_due() {
                    cx.send(SeedBatchReply::Measured(std::mem::take(&mut gathered)))?;
                }
                Ok(())
            },
        )?;
        cx.send(SeedBatchReply::Measured(gathered))?;
        cx.send(SeedBatchReply::Done)
    }
}

impl Job for GrowthBatch {
    const NAME: &'static str = "gallery pictures";
    type Memory = ();
    type Reply = GrowthBatchReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, GrowthBatchReply>) -> Result<(), Cancelled> {
        show(&self, cx)?;
        cx.send(GrowthBatchReply::Done)
    }
}

/// Grows the requested dungeons side by side, as many at the same time as [`MOST_SQUARES`] allows.
fn show(request: &GrowthBatch, cx: &JobCx<'_, GrowthBatchReply>) -> Result<(), Cancelled> {
    let batch = &request.batch;
    let squares = batch.seeded.design().layout.size.squares().max(1);
    let at_once = (MOST_SQUARES / squares).max(1) as usize;
    let mut seeds = batch.seeded.seeds();
    for group in batch.seeds.chunks(at_once) {
        let mut growing = Vec::new();
        for &seed in group {
            cx.check()?;
            if let Some(design) = seeds.design(seed) {
                growing.push((seed, Growth::new(&design, batch.options, &mut ())));
            }
        }
        // All dungeons advance by the same number of turns per picture: the number of turns that the first dungeon
        // takes to grow, divided by the number of pictures.
        let steps = u64::from(request.pictures.max(1));
        let turns = match growing.first() {
            Some((_, first)) if steps > 1 => {
                let mut first = first.clone();
                advance(&mut first, u64::MAX, cx)?;
                first.clock().turn.div_ceil(steps).max(1)
            }
            _ => u64::MAX,
        };
        while !growing.is_empty() {
            let begun = Instant::now();
            let mut pictures = Vec::with_capacity(growing.len());
            for (seed, growth) in &mut growing {
                advance(growth, turns, cx)?;
                pictures.push((*seed, shrunk(growth.grid(), request.block), growth.is_finished()));
            }
            growing.retain(|(_, growth)| !growth.is_finished());
            cx.send(GrowthBatchReply::Shown(pictures))?;
            if !growing.is_empty() {
                thread::sleep(request.pause.saturating_sub(begun.elapsed()));
            }
        }
    }
    Ok(())
}

/// Grows a dungeon by `turns` turns; fails with [`Cancelled`] if the job is cancelled meanwhile.
fn advance(growth: &mut Growth, turns: u64, cx: &JobCx<'_, GrowthBatchReply>) -> Result<(), Cancelled> {
    if growth.advance_while(turns, &mut (), || !cx.is_cancelled()) {
        Ok(())
    } else {
        Err(Cancelled)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use super::*;
    use crate::background::job::{Ticket, run_inline};
    use crate::background::{Inbox, JobReply, Jobs, Message};
    use crate::presets::Preset;

    fn batch(seeds: impl IntoIterator<Item = u64>) -> SeedBatch {
        let design = Preset::find("first-steps").unwrap().design();
        SeedBatch {
            seeded: SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None),
            options: Options::default(),
            seeds: seeds.into_iter().collect(),
        }
    }

    #[test]
    fn metrics_agree_with_a_survey() {
        let wanted = batch([7, 3, 11, 400]);
        let mut found = BTreeMap::new();
        for reply in run_inline(wanted.clone(), &mut (), &Ticket::new()) {
            if let SeedBatchReply::Measured(dungeons) = reply {
                found.extend(dungeons);
            }
        }
        let mut surveyed = BTreeMap::new();
        SeedSurvey::new(wanted.seeded.clone(), wanted.options).run(
            4,
            |number| wanted.seeds[number as usize],
            |_, metrics| MetricValues::of(metrics),
            |seed, values| {
                surveyed.insert(seed, values);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(found, surveyed);
    }

    #[test]
    fn the_last_pictures_show_the_grown_dungeons() {
        let wanted = batch([5, 6]);
        let request = GrowthBatch {
            batch: wanted.clone(),
            block: 2,
            pictures: 7,
            pause: Duration::ZERO,
        };
        let mut last = BTreeMap::new();
        let mut walls = Vec::new();
        let mut replies = run_inline(request, &mut (), &Ticket::new());
        assert!(matches!(replies.pop(), Some(GrowthBatchReply::Done)));
        for reply in replies {
            let GrowthBatchReply::Shown(pictures) = reply else {
                panic!("it ends twice");
            };
            for (seed, pixels, grown) in pictures {
                assert!(
                    !last.get(&seed).is_some_and(|(_, grown)| *grown),
                    "shown after it was grown"
                );
                if seed == 5 {
                    walls.push(pixels.iter().flatten().flatten().count());
                }
                last.insert(seed, (pixels, grown));
            }
        }
        assert!((6..=8).contains(&walls.len()) && walls.is_sorted(), "{walls:?}");
        let mut seeds = wanted.seeded.seeds();
        for (seed, (pixels, grown)) in last {
            let mut growth = Growth::new(&seeds.design(seed).unwrap(), wanted.options, &mut ());
            growth.finish(&mut ());
            assert!(grown);
            assert_eq!(pixels, shrunk(growth.grid(), 2));
        }
    }

    #[test]
    fn a_new_batch_cancels_the_one_before_and_quitting_cancels_all() {
        let inbox = Inbox::<()>::new();
        let mut jobs = Jobs::new(&inbox, None);
        let tickets = [Ticket::new(), Ticket::new()];
        jobs.start(tickets[0].clone(), batch(0..1_000_000).into());
        jobs.start(tickets[1].clone(), batch(0..2).into());
        let mut seen = 0;
        while seen < 2 {
            if let Some(Message::Reply(ticket, JobReply::GalleryMetrics(Ok(SeedBatchReply::Measured(dungeons))))) =
                inbox.wait(None)
                && ticket == tickets[1]
            {
                seen += dungeons.len();
            }
        }
        jobs.start(Ticket::new(), batch(0..1_000_000).into());
        let pictures = GrowthBatch {
            batch: batch(0..1_000),
            block: 1,
            pictures: 10_000,
            pause: Duration::from_millis(1),
        };
        jobs.start(Ticket::new(), pictures.into());
        drop(jobs);
    }
}

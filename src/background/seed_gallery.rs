//! The seed gallery's work: metrics of many dungeons of one design, and pictures of them as they grow.
//!
//! Uses two worker threads, since pictures are needed of the few visible dungeons and metrics of all. A design with
//! vaults is resolved for each seed. A new request cancels the one under way; its earlier replies stay valid for the
//! design they were made for.

use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

use super::Message;
use super::job::Cancelled;
use super::preview::{Pixels, shrunk};
use super::survey::{Pace, SeedSurvey};
use super::worker::{JobContext, RunId, Worker};
use crate::analysis::MetricValues;
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};

/// Total squares of the dungeons that grow at the same time.
const MOST_SQUARES: u64 = 32_000_000;

/// Time over which measured dungeons are gathered into one message.
const GATHER: Duration = Duration::from_millis(40);

/// Number of turns between two checks whether the pictures are still wanted.
const TURNS_PER_LOOK: u64 = 256;

/// Dungeons to be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedBatch {
    /// The design.
    pub prospect: SeededDesign,
    /// Engine options of the growths.
    pub options: Options,
    /// Seeds, in the order in which they are processed.
    pub seeds: Vec<u64>,
}

/// Dungeons to be shown as they grow, all at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthBatch {
    /// The dungeons.
    pub lot: SeedBatch,
    /// Squares per pixel, each way.
    pub block: i32,
    /// Number of pictures of each dungeon; the last one shows it fully grown.
    pub pictures: u32,
    /// Shortest time between two pictures.
    pub pause: Duration,
}

/// A reply of the seed gallery service.
#[derive(Debug)]
pub enum SeedGalleryReply {
    /// Metric values of some dungeons; `None` for a seed from which none can be grown.
    Judged {
        /// Number of the request.
        run: RunId,
        /// Seeds with their metric values.
        dungeons: Vec<(u64, Option<MetricValues>)>,
    },
    /// Every dungeon of a request has been measured.
    AllJudged {
        /// Number of the request.
        run: RunId,
    },
    /// Pictures of some dungeons at the present moment of their growth.
    Shown {
        /// Number of the request.
        run: RunId,
        /// Seeds, pictures, and whether each is fully grown.
        pictures: Vec<(u64, Pixels, bool)>,
    },
    /// All dungeons of a request are fully grown.
    Over {
        /// Number of the request.
        run: RunId,
    },
    /// A thread panicked.
    Broken {
        /// Number of the request.
        run: RunId,
        /// Panic message.
        why: String,
    },
}

/// Worker threads of the seed gallery. Dropping it cancels the requests under way and joins the threads.
#[derive(Debug)]
pub struct SeedGalleryService {
    lots: Worker<SeedBatch>,
    films: Worker<GrowthBatch>,
}

impl SeedGalleryService {
    /// Starts the threads, which send their messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Sheet(SeedGalleryReply::Broken { run, why });
        let lots = Worker::start("lots", inbox.clone(), broken, || {
            |run, lot: SeedBatch, line: &JobContext<I>| {
                // A cancelled request sends nothing more.
                let _ = judge(run, &lot, line);
            }
        })?;
        let films = Worker::start("films", inbox, broken, || {
            |run, film: GrowthBatch, line: &JobContext<I>| {
                if show(run, &film, line).is_continue() {
                    line.send(run, Message::Sheet(SeedGalleryReply::Over { run }));
                }
            }
        })?;
        Ok(Self { lots, films })
    }

    /// Requests the metric values of some dungeons and cancels the previous request.
    pub fn judge(&self, lot: SeedBatch) -> RunId {
        self.lots.ask(lot)
    }

    /// Requests pictures of growing dungeons and cancels the previous request.
    pub fn show(&self, film: GrowthBatch) -> RunId {
        self.films.ask(film)
    }

    /// Cancels both requests.
    pub fn turn_away(&self) {
        self.lots.cancel();
        self.films.cancel();
    }
}

fn judge<I: Send + 'static>(run: RunId, lot: &SeedBatch, line: &JobContext<I>) -> Result<(), Cancelled> {
    let seed = |number: u64| lot.seeds[number as usize];
    let report = |reply| line.report(run, Message::Sheet(reply));
    let mut dungeons = Vec::new();
    let mut pace = Pace::new(GATHER);
    SeedSurvey::in_background(vec![lot.prospect.clone()], lot.options).run_while(
        lot.seeds.len() as u64,
        || !line.is_stale(run),
        |number| (0, seed(number)),
        |_, metrics| MetricValues::of(metrics),
        |number, measured| {
            dungeons.push((seed(number), measured));
            if pace.is_due() {
                let dungeons = std::mem::take(&mut dungeons);
                report(SeedGalleryReply::Judged { run, dungeons })?;
            }
            Ok(())
        },
    )?;
    report(SeedGalleryReply::Judged { run, dungeons })?;
    report(SeedGalleryReply::AllJudged { run })
}

/// Grows the requested dungeons side by side, as many at once as [`MOST_SQUARES`] allows.
fn show<I: Send + 'static>(run: RunId, film: &GrowthBatch, line: &JobContext<I>) -> ControlFlow<()> {
    let lot = &film.lot;
    let squares = lot.prospect.design().layout.size.squares().max(1);
    let at_once = (MOST_SQUARES / squares).max(1) as usize;
    let mut seeds = lot.prospect.seeds();
    for group in lot.seeds.chunks(at_once) {
        let mut growing = Vec::new();
        for &seed in group {
            if line.is_stale(run) {
                return ControlFlow::Break(());
            }
            if let Some(design) = seeds.design(seed) {
                growing.push((seed, Growth::new(&design, lot.options, &mut ())));
            }
        }
        // The first dungeon's growth, divided into as many steps as pictures are wanted, sets the pace of all.
        let steps = u64::from(film.pictures.max(1));
        let turns = match growing.first() {
            Some((_, first)) if steps > 1 => {
                let mut first = first.clone();
                advance(&mut first, u64::MAX, run, line)?;
                first.clock().turn.div_ceil(steps).max(1)
            }
            _ => u64::MAX,
        };
        while !growing.is_empty() {
            let begun = Instant::now();
            let mut pictures = Vec::with_capacity(growing.len());
            for (seed, growth) in &mut growing {
                advance(growth, turns, run, line)?;
                pictures.push((*seed, shrunk(growth.grid(), film.block), growth.is_finished()));
            }
            growing.retain(|(_, growth)| !growth.is_finished());
            if !line.send(run, Message::Sheet(SeedGalleryReply::Shown { run, pictures })) {
                return ControlFlow::Break(());
            }
            if !growing.is_empty() {
                thread::sleep(film.pause.saturating_sub(begun.elapsed()));
            }
        }
    }
    ControlFlow::Continue(())
}

/// Grows a dungeon by some turns, unless the request became stale.
fn advance<I: Send + 'static>(growth: &mut Growth, turns: u64, run: RunId, line: &JobContext<I>) -> ControlFlow<()> {
    for turn in 0..turns {
        if turn.is_multiple_of(TURNS_PER_LOOK) && line.is_stale(run) {
            return ControlFlow::Break(());
        }
        if !growth.turn(&mut ()) {
            break;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::background::Inbox;
    use crate::presets::Preset;

    fn lot(seeds: impl IntoIterator<Item = u64>) -> SeedBatch {
        let design = Preset::find("first-steps").unwrap().design();
        SeedBatch {
            prospect: SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None),
            options: Options::default(),
            seeds: seeds.into_iter().collect(),
        }
    }

    #[test]
    fn dungeons_are_judged_as_a_survey_judges_them() {
        let inbox = Inbox::<()>::new();
        let sheet = SeedGalleryService::new(inbox.sender()).unwrap();
        let wanted = lot([7, 3, 11, 400]);
        let asked = sheet.judge(wanted.clone());
        let mut found = BTreeMap::new();
        loop {
            match inbox.wait(None) {
                Some(Message::Sheet(SeedGalleryReply::Judged { run, dungeons })) => {
                    assert_eq!(run, asked);
                    found.extend(dungeons);
                }
                Some(Message::Sheet(SeedGalleryReply::AllJudged { .. })) => break,
                other => panic!("{other:?}"),
            }
        }
        let mut surveyed = BTreeMap::new();
        SeedSurvey::new(wanted.prospect.clone(), wanted.options).run(
            4,
            |number| wanted.seeds[number as usize],
            |_, figures| MetricValues::of(figures),
            |seed, gist| {
                surveyed.insert(seed, gist);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(found, surveyed);
    }

    #[test]
    fn a_film_ends_with_the_grown_dungeons() {
        let inbox = Inbox::<()>::new();
        let sheet = SeedGalleryService::new(inbox.sender()).unwrap();
        let wanted = lot([5, 6]);
        let film = GrowthBatch {
            lot: wanted.clone(),
            block: 2,
            pictures: 7,
            pause: Duration::ZERO,
        };
        let asked = sheet.show(film);
        let mut last = BTreeMap::new();
        let mut walls = Vec::new();
        loop {
            match inbox.wait(None) {
                Some(Message::Sheet(SeedGalleryReply::Shown { run, pictures })) => {
                    assert_eq!(run, asked);
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
                Some(Message::Sheet(SeedGalleryReply::Over { .. })) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!((6..=8).contains(&walls.len()) && walls.is_sorted(), "{walls:?}");
        let mut seeds = wanted.prospect.seeds();
        for (seed, (pixels, grown)) in last {
            let mut growth = Growth::new(&seeds.design(seed).unwrap(), wanted.options, &mut ());
            growth.finish(&mut ());
            assert!(grown);
            assert_eq!(pixels, shrunk(growth.grid(), 2));
        }
    }

    #[test]
    fn what_nobody_wants_ends_and_dropping_it_ends_all() {
        let inbox = Inbox::<()>::new();
        let sheet = SeedGalleryService::new(inbox.sender()).unwrap();
        sheet.judge(lot(0..1_000_000));
        let last = sheet.judge(lot(0..2));
        let mut seen = 0;
        while seen < 2 {
            if let Some(Message::Sheet(SeedGalleryReply::Judged { run, dungeons })) = inbox.wait(None)
                && run == last
            {
                seen += dungeons.len();
            }
        }
        sheet.judge(lot(0..1_000_000));
        sheet.show(GrowthBatch {
            lot: lot(0..1_000),
            block: 1,
            pictures: 10_000,
            pause: Duration::from_millis(1),
        });
        drop(sheet);
    }
}

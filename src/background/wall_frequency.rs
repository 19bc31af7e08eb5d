//! Wall frequencies: counts over many seeds what stands on each square.
//!
//! All threads count into one [`WallFrequency`], so that memory is four bytes per square regardless of the number of
//! threads; replies are copies, sent a few times per second.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::job::Cancelled;
use super::survey::Pace;
use super::worker::{JobContext, RunId, Worker};
use super::{Message, pool};
use crate::analysis::{WallFrequency, WallFrequencySummary};
use crate::document::SeededDesign;
use crate::engine::{Growth, Options};
use crate::geometry::Size;

/// Number of turns between two checks whether the count is still wanted.
const TURNS_PER_LOOK: u32 = 256;

/// Shortest time between two copies.
const PAUSE: Duration = Duration::from_millis(150);

/// Number of seeds for a small dungeon, and for the largest.
const SEEDS: [u64; 2] = [400, 16];

/// Total squares to grow, where that leaves enough seeds: about ten seconds of one thread.
const SQUARES: u64 = 150_000_000;

/// Largest dungeon that is counted: each count takes four bytes per square, and there are three of it.
const MOST_SQUARES: u64 = 16_000_000;

/// Wall frequencies of the dungeons counted so far.
#[derive(Debug)]
pub struct WallFrequencyReply {
    /// Number of the request.
    pub run: RunId,
    /// Counts so far and their summary; `Err` holds the panic message if the thread panicked.
    pub luck: Result<(Arc<WallFrequency>, WallFrequencySummary), String>,
    /// Whether all seeds have been counted.
    pub is_done: bool,
}

/// The counting thread. Dropping it cancels the count under way and joins the thread.
#[derive(Debug)]
pub struct WallFrequencyService(Worker<(SeededDesign, Options)>);

impl WallFrequencyService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| {
            Message::Luck(WallFrequencyReply {
                run,
                luck: Err(why),
                is_done: true,
            })
        };
        Worker::start("odds", inbox, broken, || {
            |run, (prospect, options): (SeededDesign, Options), line: &JobContext<I>| {
                // A cancelled count sends nothing more.
                let _ = count(run, &prospect, options, line);
            }
        })
        .map(Self)
    }

    /// Returns the number of seeds counted for a dungeon size: fewer for large ones, 0 if the size exceeds the limit.
    pub fn seeds(size: Size) -> u64 {
        if size.squares() > MOST_SQUARES {
            return 0;
        }
        (SQUARES / size.squares().max(1)).clamp(SEEDS[1], SEEDS[0])
    }

    /// Counts the dungeons of the seeds from 0 on and cancels the count under way.
    pub fn count(&self, prospect: SeededDesign, options: Options) -> RunId {
        self.0.ask((prospect, options))
    }

    /// Cancels the count under way.
    pub fn turn_away(&self) {
        self.0.cancel();
    }
}

fn count<I: Send + 'static>(
    run: RunId,
    prospect: &SeededDesign,
    options: Options,
    line: &JobContext<I>,
) -> Result<(), Cancelled> {
    let size = prospect.design().layout.size;
    let seeds = WallFrequencyService::seeds(size);
    if seeds == 0 {
        return Ok(());
    }
    let luck = Mutex::new(WallFrequency::new(size));
    let locked = || luck.lock().unwrap_or_else(PoisonError::into_inner);
    let report = |is_done: bool| {
        let luck = locked().clone();
        let tally = luck.tally();
        let luck = Ok((Arc::new(luck), tally));
        line.report(run, Message::Luck(WallFrequencyReply { run, luck, is_done }))
    };
    let mut pace = Pace::new(PAUSE);
    pool::in_order(
        seeds,
        pool::background_threads(),
        || prospect.seeds(),
        |seeds, number| {
            let Some(design) = seeds.design(number) else {
                return Ok(());
            };
            let mut growth = Growth::new(&design, options, &mut ());
            let mut turns: u32 = 0;
            while growth.turn(&mut ()) {
                turns = turns.wrapping_add(1);
                if turns.is_multiple_of(TURNS_PER_LOOK) && line.is_stale(run) {
                    return Err(Cancelled);
                }
            }
            locked().add(growth.grid());
            Ok(())
        },
        |_, ()| if pace.is_due() { report(false) } else { Ok(()) },
    )?;
    report(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::Inbox;
    use crate::presets::Preset;

    #[test]
    fn the_count_is_that_of_growing_every_seed() {
        let design = Preset::find("first-steps").unwrap().design();
        let size = design.layout.size;
        let prospect = SeededDesign::new(Arc::new(design), std::path::PathBuf::new(), None);
        let inbox = Inbox::<()>::new();
        let odds = WallFrequencyService::new(inbox.sender()).unwrap();
        odds.count(prospect.clone(), Options::default());
        let asked = odds.count(prospect.clone(), Options::default());
        let mut last = 0;
        let counted = loop {
            match inbox.wait(None) {
                Some(Message::Luck(WallFrequencyReply {
                    run,
                    luck: Ok((luck, tally)),
                    is_done,
                })) if run == asked => {
                    assert_eq!(tally, luck.tally());
                    assert!(luck.dungeons() >= last, "it only grows");
                    last = luck.dungeons();
                    if is_done {
                        assert_eq!(u64::from(last), WallFrequencyService::seeds(size));
                        break luck;
                    }
                }
                Some(Message::Luck(WallFrequencyReply { luck: Ok(_), .. })) => {}
                other => panic!("{other:?}"),
            }
        };
        let mut expected = WallFrequency::new(size);
        let mut all = prospect.seeds();
        for seed in 0..WallFrequencyService::seeds(size) {
            let mut growth = Growth::new(&all.design(seed).unwrap(), Options::default(), &mut ());
            growth.finish(&mut ());
            expected.add(growth.grid());
        }
        assert!(*counted == expected, "the counts differ");
    }

    #[test]
    fn of_larger_dungeons_fewer_are_counted() {
        assert_eq!(WallFrequencyService::seeds(Size::new(100, 100)), 400);
        assert_eq!(WallFrequencyService::seeds(Size::new(1000, 1000)), 150);
        assert_eq!(WallFrequencyService::seeds(Size::new(4000, 4000)), 16);
        assert_eq!(WallFrequencyService::seeds(Size::new(20_000, 8000)), 0);
    }
}

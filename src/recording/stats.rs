//! Statistics of a growth over time: living Builders, births, deaths by cause, and tiles laid by each generation.
//!
//! A [`GrowthStatsBuilder`] counts the events of each iteration, in the thread of the growth. [`EventChunk`]s transport
//! the counts to the [`GrowthStats`] of the recording. The number of bins in [`GrowthStats`] is limited: when there are
//! too many, they are merged in pairs. Views can therefore read all bins each time the screen is drawn, however long
//! the growth is.
//!
//! [`EventChunk`]: super::EventChunk

use crate::engine::{Clock, Death, Event, Observer, WallRun};

/// Maximum number of bins.
const MOST_BINS: usize = 2048;

/// Counts for consecutive iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bin {
    /// Number of the bin's first iteration.
    pub iteration: u32,
    /// Number of iterations that the bin covers. Iterations that were skipped because all Builders slept do not count.
    pub iterations: u32,
    /// Number of turns finished before the bin began.
    pub turn: u64,
    /// Number of turns in the bin.
    pub turns: u64,
    /// Number of Builders awake at the end of the bin.
    pub awake: u32,
    /// Number of Builders asleep at the end of the bin.
    pub asleep: u32,
    /// Maximum number of Builders awake at the same time during the bin's turns.
    pub most_awake: u32,
    /// Maximum number of Builders asleep at the same time during the bin's turns.
    pub most_asleep: u32,
    /// Maximum number of Builders alive at the same time during the bin's turns, awake or asleep.
    pub most_living: u32,
    /// Number of births. The first Crawlers count as born in the first bin.
    pub born: u64,
    /// Number of babies that were not born because `maxCrawlers` Builders were already alive.
    pub unborn: u64,
    /// Number of deaths by cause, in the order of [`Death`]'s variants.
    pub died: [u64; 3],
    /// Number of tiles laid by all generations.
    pub laid: u64,
    /// Index in `BinCounts::tiles` at which the entries of this bin end.
    tiles: usize,
}

impl Bin {
    /// Returns the number of deaths from a cause.
    pub const fn died_of(&self, cause: Death) -> u64 {
        self.died[cause as usize]
    }

    /// Returns the number of Builders alive at the end of the bin, awake or asleep.
    pub const fn living(&self) -> u32 {
        self.awake + self.asleep
    }

    /// Returns the number of turns finished by the end of the bin.
    pub const fn end(&self) -> u64 {
        self.turn + self.turns
    }

    /// Merges the following bin into this one, except for its tiles, which are merged separately.
    fn join(&mut self, next: &Self) {
        self.iterations += next.iterations;
        self.turns += next.turns;
        (self.awake, self.asleep) = (next.awake, next.asleep);
        self.most_awake = self.most_awake.max(next.most_awake);
        self.most_asleep = self.most_asleep.max(next.most_asleep);
        self.most_living = self.most_living.max(next.most_living);
        self.born += next.born;
        self.unborn += next.unborn;
        for (sum, died) in self.died.iter_mut().zip(next.died) {
            *sum += died;
        }
        self.laid += next.laid;
    }
}

/// A generation and the number of tiles that it laid.
type Tiles = (u32, u64);

/// Adds tiles to their generation's entry in `list`. Ignores the entries before index `from`.
#[inline]
fn add(list: &mut Vec<Tiles>, from: usize, (generation, tiles): Tiles) {
    // Search from the end, because the latest generation lays the most tiles.
    match list[from..].iter_mut().rev().find(|(known, _)| *known == generation) {
        Some((_, sum)) => *sum += tiles,
        None => list.push((generation, tiles)),
    }
}

/// Bins and their tiles, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BinCounts {
    bins: Vec<Bin>,
    /// Tile counts of the first bin, then of the second, and so on; within each bin, in order of generation.
    tiles: Vec<Tiles>,
}

impl BinCounts {
    fn tiles_of(&self, bin: usize) -> &[Tiles] {
        let from = bin.checked_sub(1).map_or(0, |before| self.bins[before].tiles);
        self.bins.get(bin).map_or(&[], |bin| &self.tiles[from..bin.tiles])
    }

    /// Appends a bin with its tiles, or merges it into the last bin if both together cover at most `span` iterations.
    fn push(&mut self, bin: Bin, tiles: &[Tiles], span: u32) {
        let before = self.bins.len().saturating_sub(2);
        match self.bins.last_mut() {
            Some(last) if last.iterations + bin.iterations <= span => {
                last.join(&bin);
                let from = if self.bins.len() > 1 {
                    self.bins[before].tiles
                } else {
                    0
                };
                for more in tiles {
                    add(&mut self.tiles, from, *more);
                }
                self.tiles[from..].sort_unstable();
            }
            _ => {
                self.tiles.extend_from_slice(tiles);
                self.bins.push(bin);
            }
        }
        let end = self.tiles.len();
        if let Some(last) = self.bins.last_mut() {
            last.tiles = end;
        }
    }
}

/// Statistics of a growth from its beginning, in at most 2048 bins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthStats {
    metrics: BinCounts,
    /// Number of iterations in a full bin.
    span: u32,
}

impl Default for GrowthStats {
    fn default() -> Self {
        Self {
            metrics: BinCounts::default(),
            span: 1,
        }
    }
}

impl GrowthStats {
    /// Returns the bins in order of time; at most 2048.
    pub fn bins(&self) -> &[Bin] {
        &self.metrics.bins
    }

    /// Returns the tiles laid in a bin as pairs of generation and count, lowest generation first, without generations
    /// that laid none.
    pub fn tiles(&self, bin: usize) -> &[(u32, u64)] {
        self.metrics.tiles_of(bin)
    }

    /// Returns the index of the bin that contains turn `turn` (turns are counted from 1). Turn 0 counts as part of the
    /// first bin, and a turn after the end as part of the last bin. Returns `None` if there is no bin yet.
    pub fn bin_at(&self, turn: u64) -> Option<usize> {
        let before = self.bins().partition_point(|bin| bin.turn < turn);
        (!self.bins().is_empty()).then(|| before.saturating_sub(1))
    }

    /// Appends counts of later iterations.
    pub(super) fn append(&mut self, later: &BinCounts) {
        for (number, bin) in later.bins.iter().enumerate() {
            self.metrics.push(*bin, later.tiles_of(number), self.span);
            if self.metrics.bins.len() > MOST_BINS {
                self.halve();
            }
        }
    }

    /// Merges the bins in pairs.
    fn halve(&mut self) {
        self.span = self.span.saturating_mul(2);
        let before = std::mem::take(&mut self.metrics);
        for (number, bin) in before.bins.iter().enumerate() {
            self.metrics.push(*bin, before.tiles_of(number), self.span);
        }
    }
}

/// Counts the events of a growth for each iteration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GrowthStatsBuilder {
    /// Generation of every Builder, by id.
    generations: Vec<u32>,
    /// Counts for the iteration in progress; `tiles` contains its tiles by generation.
    now: Bin,
    tiles: Vec<Tiles>,
    /// Counts for the finished iterations.
    over: BinCounts,
}

impl GrowthStatsBuilder {
    /// Removes and returns the counts for the finished iterations.
    pub(super) fn take(&mut self) -> BinCounts {
        std::mem::take(&mut self.over)
    }

    /// Notes the iteration in which one of the first Builders wakes. The growth begins with the earliest of these
    /// iterations.
    fn begin_at(&mut self, wakes: u32) {
        let earlier = (self.now.born > 0).then_some(self.now.iteration);
        self.now.iteration = earlier.map_or(wakes, |earlier| earlier.min(wakes));
    }

    #[inline]
    fn lay(&mut self, builder: u32, tiles: u64) {
        let generation = self.generations.get(builder as usize).copied().unwrap_or_default();
        self.now.laid += tiles;
        add(&mut self.tiles, 0, (generation, tiles));
    }
}

impl Observer for GrowthStatsBuilder {
    #[inline]
    fn event(&mut self, event: Event) {
        match event {
            Event::Born { birth, .. } => {
                self.generations.push(birth.generation);
                if birth.parent.is_none() {
                    self.begin_at(birth.wakes);
                }
                self.now.born += 1;
                self.now.asleep += 1;
                self.now.most_living = self.now.most_living.max(self.now.living());
            }
            Event::Unborn { .. } => self.now.unborn += 1,
            Event::Woke { .. } => {
                self.now.asleep = self.now.asleep.saturating_sub(1);
                self.now.awake += 1;
                self.now.most_awake = self.now.most_awake.max(self.now.awake);
            }
            Event::Died { cause, .. } => {
                self.now.awake = self.now.awake.saturating_sub(1);
                self.now.died[cause as usize] += 1;
            }
            Event::Laid { builder, .. } => self.lay(builder.0, 1),
            Event::Moved { .. } | Event::Turned { .. } | Event::OpeningChanged { .. } | Event::Joined { .. } => {}
        }
    }

    #[inline]
    fn built(&mut self, run: WallRun) {
        self.lay(run.builder.0, run.squares.into());
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.now.turns = clock.turn - self.now.turn;
        self.now.iterations = 1;
        // Builders wake only when an iteration begins or when they are born, so the number of sleepers never decreases
        // during the turns of an iteration.
        self.now.most_asleep = self.now.asleep;
        self.tiles.sort_unstable();
        self.over.push(self.now, &self.tiles, 0);
        self.tiles.clear();
        self.now = Bin {
            iteration: clock.iteration,
            turn: clock.turn,
            awake: self.now.awake,
            asleep: self.now.asleep,
            most_awake: self.now.awake,
            most_living: self.now.living(),
            ..Bin::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::design::{CrawlerStart, Design};
    use crate::engine::{Growth, Options};
    use crate::geometry::{Point, Size};
    use crate::recording::{EventChunk, Playback, Recorder, Recording};

    fn design(seed: u64, late: i32) -> Design {
        let mut design = Design {
            seed,
            ..Design::default()
        };
        design.layout.size = Size::new(40, 50);
        for (y, delay) in [(10, 0), (30, late)] {
            design.layout.crawlers.push(CrawlerStart {
                at: Point::new(0, y),
                direction: 2,
                delay,
                ..CrawlerStart::default()
            });
        }
        design
    }

    /// Records a growth as the designer does, in chunks of `turns` turns, and once more in chunks without statistics.
    fn recorded(design: &Design, turns: usize) -> [Recording; 2] {
        let valid = design.validate(None).design.unwrap();
        let mut recorder = Recorder::default();
        let mut growth = Growth::new(&valid, Options::default(), &mut recorder);
        let mut counted = Recording::new(growth.grid().clone(), recorder.take());
        let mut chunk = EventChunk::default();
        let mut again = Growth::new(&valid, Options::default(), &mut chunk);
        let mut plain = Recording::new(again.grid().clone(), std::mem::take(&mut chunk));
        loop {
            for _ in 0..turns {
                growth.turn(&mut recorder);
                again.turn(&mut chunk);
            }
            if growth.is_finished() {
                break;
            }
            counted.append(recorder.take_turns(&growth));
            plain.append(chunk.take_turns());
        }
        counted.append(recorder.take());
        plain.append(chunk);
        counted.finish();
        plain.finish();
        [counted, plain]
    }

    /// Computes a bin and its tiles from the recorded events.
    fn by_hand(recording: &Recording, cursor: &mut Playback, bin: &Bin) -> (Bin, Vec<Tiles>) {
        let first = if bin.turn == 0 { 0 } else { bin.turn + 1 };
        let events: Vec<_> = (first..=bin.end()).flat_map(|turn| recording.events_of(turn)).collect();
        let count = |want: fn(&Event) -> bool| events.iter().filter(|event| want(event)).count() as u64;
        let died = |cause| {
            let is = |event: &&Event| matches!(event, Event::Died { cause: c, .. } if *c == cause);
            events.iter().filter(is).count() as u64
        };
        cursor.seek(recording, bin.turn);
        let before = cursor.frame().tiles().to_vec();
        cursor.seek(recording, bin.end());
        let frame = cursor.frame();
        let tiles: Vec<Tiles> = (0..)
            .zip(frame.tiles())
            .map(|(g, tiles): (u32, _)| (g, tiles - before.get(g as usize).copied().unwrap_or_default()))
            .filter(|(_, tiles)| *tiles > 0)
            .collect();
        let mut expected = Bin {
            awake: frame.awake(),
            asleep: frame.asleep(),
            born: count(|event| matches!(event, Event::Born { .. })),
            unborn: count(|event| matches!(event, Event::Unborn { .. })),
            died: [Death::Blocked, Death::Aged, Death::Joined].map(died),
            laid: count(|event| matches!(event, Event::Laid { .. })),
            iteration: recording.iteration_at(bin.turn),
            ..*bin
        };
        let (mut awake, mut asleep, mut living) = (0, 0, 0);
        for turn in bin.turn..=bin.end() {
            cursor.seek(recording, turn);
            let frame = cursor.frame();
            awake = awake.max(frame.awake());
            living = living.max(frame.awake() + frame.asleep());
            // The sleepers that wake in the first turn of a bin are no longer asleep in it.
            if turn >= first {
                asleep = asleep.max(frame.asleep());
            }
        }
        (expected.most_asleep, expected.most_living) = (asleep, living);
        // The first Builder of an iteration may wake and die in the same turn.
        assert!((awake..=awake + 1).contains(&bin.most_awake), "{awake} {bin:?}");
        (expected, tiles)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn statistics_agree_with_the_events(seed: u64, late in 0..40_i32, turns in 1..200_usize, halvings in 0..4_u32) {
            let [counted, plain] = recorded(&design(seed, late), turns);
            prop_assert_eq!(counted.stats(), plain.stats());
            let mut stats = counted.stats().clone();
            (0..halvings).for_each(|_| stats.halve());
            let mut cursor = Playback::new(&counted);
            let mut end = 0;
            for (number, bin) in stats.bins().iter().enumerate() {
                prop_assert_eq!(bin.turn, end, "no gap between bins");
                prop_assert!(bin.iterations == stats.span || number + 1 == stats.bins().len());
                end = bin.end();
                let (expected, tiles) = by_hand(&counted, &mut cursor, bin);
                prop_assert_eq!(*bin, expected);
                prop_assert_eq!(stats.tiles(number), tiles);
                prop_assert_eq!(stats.bin_at(bin.turn + 1), Some(number));
                prop_assert_eq!(stats.bin_at(bin.end()), Some(number));
            }
            prop_assert_eq!(end, counted.turns());
        }
    }

    #[test]
    fn long_runs_take_no_more_memory() {
        let (mut stats, mut tally) = (GrowthStats::default(), GrowthStatsBuilder::default());
        for iteration in 1..=100_000 {
            tally.event(Event::Unborn {
                parent: crate::engine::BuilderId(0),
                living: 1,
            });
            tally.iteration_ended(Clock {
                turn: u64::from(iteration) * 3,
                iteration,
            });
            if iteration % 7 == 0 {
                stats.append(&tally.take());
            }
        }
        stats.append(&tally.take());
        assert!(stats.bins().len() <= MOST_BINS);
        assert_eq!(stats.span, 64);
        assert_eq!(stats.bins().iter().map(|bin| bin.unborn).sum::<u64>(), 100_000);
        assert_eq!(stats.bins().last().map(Bin::end), Some(300_000));
        assert_eq!(stats.bin_at(1_000_000), Some(stats.bins().len() - 1));
        assert_eq!(GrowthStats::default().bin_at(0), None);
    }
}

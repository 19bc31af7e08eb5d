//! Figures of a run over time: who lives, who was born, who died of what, how many tiles each generation laid.
//!
//! A [`GrowthStatsBuilder`] counts while a dungeon grows, on the growth's own thread, an iteration at a time; the [`EventChunk`]s carry
//! its figures to the [`GrowthStats`] of the recording. A census is bounded: once it has too many bins it joins them two
//! by two, so that views may walk all of it in every frame, however long the run.
//!
//! [`EventChunk`]: super::Track

use crate::engine::{Clock, Death, Event, Observer, WallRun};

/// Most bins of a census.
const MOST_BINS: usize = 2048;

/// What happened in some iterations that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bin {
    /// The first of its iterations.
    pub iteration: u32,
    /// How many iterations it covers. Those over which time jumped, because everybody slept, are not counted.
    pub iterations: u32,
    /// Turns that were over when it began.
    pub turn: u64,
    /// Its turns.
    pub turns: u64,
    /// Builders awake at its end.
    pub awake: u32,
    /// Builders asleep at its end.
    pub asleep: u32,
    /// Births in it. The first Crawlers count as born in the first bin.
    pub born: u64,
    /// Babies that were not born, because maxCrawlers lived already.
    pub unborn: u64,
    /// Deaths by cause, in the order in which [`Death`] names the causes.
    pub died: [u64; 3],
    /// Tiles laid by all generations.
    pub laid: u64,
    /// Where its tiles end in the list of all.
    tiles: usize,
}

impl Bin {
    /// Deaths of a cause.
    pub const fn died_of(&self, cause: Death) -> u64 {
        self.died[cause as usize]
    }

    /// Deaths of all causes.
    pub const fn deaths(&self) -> u64 {
        self.died[0] + self.died[1] + self.died[2]
    }

    /// Builders alive at its end, awake or asleep.
    pub const fn living(&self) -> u32 {
        self.awake + self.asleep
    }

    /// Turns that were over when it ended.
    pub const fn end(&self) -> u64 {
        self.turn + self.turns
    }

    /// Takes in the bin that follows; its tiles are taken in apart.
    fn join(&mut self, next: &Self) {
        self.iterations += next.iterations;
        self.turns += next.turns;
        (self.awake, self.asleep) = (next.awake, next.asleep);
        self.born += next.born;
        self.unborn += next.unborn;
        for (sum, died) in self.died.iter_mut().zip(next.died) {
            *sum += died;
        }
        self.laid += next.laid;
    }
}

/// Tiles that a generation laid.
type Tiles = (u32, u64);

/// Adds tiles to a short list of generations.
#[inline]
fn add(list: &mut Vec<Tiles>, from: usize, (generation, tiles): Tiles) {
    // The latest generation is the busiest.
    match list[from..].iter_mut().rev().find(|(known, _)| *known == generation) {
        Some((_, sum)) => *sum += tiles,
        None => list.push((generation, tiles)),
    }
}

/// Bins and their tiles, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BinCounts {
    bins: Vec<Bin>,
    /// The tiles of the first bin, then those of the second, and so on; in each by generation.
    tiles: Vec<Tiles>,
}

impl BinCounts {
    fn tiles_of(&self, bin: usize) -> &[Tiles] {
        let from = bin.checked_sub(1).map_or(0, |before| self.bins[before].tiles);
        self.bins.get(bin).map_or(&[], |bin| &self.tiles[from..bin.tiles])
    }

    /// Adds a bin with its tiles, to the last bin if that covers fewer than `span` iterations.
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

/// Figures of a run, from its beginning as far as it has grown, in bounded space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthStats {
    figures: BinCounts,
    /// Iterations in a full bin.
    span: u32,
}

impl Default for GrowthStats {
    fn default() -> Self {
        Self {
            figures: BinCounts::default(),
            span: 1,
        }
    }
}

impl GrowthStats {
    /// The bins, the first iteration's first; at most about two thousand.
    pub fn bins(&self) -> &[Bin] {
        &self.figures.bins
    }

    /// Iterations in a full bin: 1 in short runs, a power of two in longer ones.
    pub const fn span(&self) -> u32 {
        self.span
    }

    /// Tiles laid in a bin, by generation, the lowest first; generations that laid none are left out.
    pub fn tiles(&self, bin: usize) -> &[(u32, u64)] {
        self.figures.tiles_of(bin)
    }

    /// The number of the bin in which a turn was taken (turns count from 1; 0 lies in the first bin); past the end
    /// the last. `None` while there is no bin.
    pub fn bin_at(&self, turn: u64) -> Option<usize> {
        let before = self.bins().partition_point(|bin| bin.turn < turn);
        (!self.bins().is_empty()).then(|| before.saturating_sub(1))
    }

    /// Adds what was counted since.
    pub(super) fn append(&mut self, later: &BinCounts) {
        for (number, bin) in later.bins.iter().enumerate() {
            self.figures.push(*bin, later.tiles_of(number), self.span);
            if self.figures.bins.len() > MOST_BINS {
                self.halve();
            }
        }
    }

    /// Joins the bins two by two.
    fn halve(&mut self) {
        self.span = self.span.saturating_mul(2);
        let before = std::mem::take(&mut self.figures);
        for (number, bin) in before.bins.iter().enumerate() {
            self.figures.push(*bin, before.tiles_of(number), self.span);
        }
    }
}

/// Counts a growth, iteration by iteration.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GrowthStatsBuilder {
    /// The generation of every Builder, by id.
    generations: Vec<u32>,
    /// The iteration under way, and its tiles.
    now: Bin,
    tiles: Vec<Tiles>,
    /// Iterations that are over.
    over: BinCounts,
}

impl GrowthStatsBuilder {
    /// Takes the figures of the iterations that are over.
    pub(super) fn take(&mut self) -> BinCounts {
        std::mem::take(&mut self.over)
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
                self.now.born += 1;
                self.now.asleep += 1;
            }
            Event::Unborn { .. } => self.now.unborn += 1,
            Event::Woke { .. } => {
                self.now.asleep = self.now.asleep.saturating_sub(1);
                self.now.awake += 1;
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
        self.tiles.sort_unstable();
        self.over.push(self.now, &self.tiles, 0);
        self.tiles.clear();
        self.now = Bin {
            iteration: clock.iteration,
            turn: clock.turn,
            awake: self.now.awake,
            asleep: self.now.asleep,
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

    /// A run recorded as the generator does it, in messages of `turns`, and once more by tracks without figures.
    fn recorded(design: &Design, turns: usize) -> [Recording; 2] {
        let valid = design.validate(None).design.unwrap();
        let mut recorder = Recorder::default();
        let mut growth = Growth::new(&valid, Options::default(), &mut recorder);
        let mut counted = Recording::new(growth.grid().clone(), recorder.take());
        let mut track = EventChunk::default();
        let mut again = Growth::new(&valid, Options::default(), &mut track);
        let mut plain = Recording::new(again.grid().clone(), std::mem::take(&mut track));
        loop {
            for _ in 0..turns {
                growth.turn(&mut recorder);
                again.turn(&mut track);
            }
            if growth.is_finished() {
                break;
            }
            counted.append(recorder.take_turns(&growth));
            plain.append(track.take_turns());
        }
        counted.append(recorder.take());
        plain.append(track);
        counted.finish();
        plain.finish();
        [counted, plain]
    }

    /// What a bin should say, from the events themselves.
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
        let expected = Bin {
            awake: frame.awake(),
            asleep: frame.asleep(),
            born: count(|event| matches!(event, Event::Born { .. })),
            unborn: count(|event| matches!(event, Event::Unborn { .. })),
            died: [Death::Blocked, Death::Aged, Death::Joined].map(died),
            laid: count(|event| matches!(event, Event::Laid { .. })),
            iteration: recording.iteration_at(bin.turn),
            ..*bin
        };
        (expected, tiles)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn figures_are_what_the_events_say(seed: u64, late in 0..40_i32, turns in 1..200_usize, halvings in 0..4_u32) {
            let [counted, plain] = recorded(&design(seed, late), turns);
            prop_assert_eq!(counted.census(), plain.census());
            let mut census = counted.census().clone();
            (0..halvings).for_each(|_| census.halve());
            let mut cursor = Playback::new(&counted);
            let mut end = 0;
            for (number, bin) in census.bins().iter().enumerate() {
                prop_assert_eq!(bin.turn, end, "no gap between bins");
                prop_assert!(bin.iterations == census.span() || number + 1 == census.bins().len());
                end = bin.end();
                let (expected, tiles) = by_hand(&counted, &mut cursor, bin);
                prop_assert_eq!(*bin, expected);
                prop_assert_eq!(census.tiles(number), tiles);
                prop_assert_eq!(census.bin_at(bin.turn + 1), Some(number));
                prop_assert_eq!(census.bin_at(bin.end()), Some(number));
            }
            prop_assert_eq!(end, counted.turns());
        }
    }

    #[test]
    fn long_runs_take_no_more_room() {
        let (mut census, mut tally) = (GrowthStats::default(), GrowthStatsBuilder::default());
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
                census.append(&tally.take());
            }
        }
        census.append(&tally.take());
        assert!(census.bins().len() <= MOST_BINS);
        assert_eq!(census.span(), 64);
        assert_eq!(census.bins().iter().map(|bin| bin.unborn).sum::<u64>(), 100_000);
        assert_eq!(census.bins().last().map(Bin::end), Some(300_000));
        assert_eq!(census.bin_at(1_000_000), Some(census.bins().len() - 1));
        assert_eq!(GrowthStats::default().bin_at(0), None);
    }
}

//! Statistics of a growth for `grow --statistics`: births, tiles, duration and memory.

use std::time::{Duration, Instant};

use crate::design::ValidDesign;
use crate::engine::{Clock, Grid, Growth, Mark, Options};
use crate::geometry::Size;
use crate::recording::{Playback, Recording};

/// Statistics printed by `grow --statistics`.
pub(super) struct GrowthReport {
    seed: u64,
    size: Size,
    /// Duration of growth without a recording.
    grown: Duration,
    /// Duration of growth with a recording.
    recorded: Duration,
    clock: Clock,
    births: u32,
    tiles: usize,
    dungeon_bytes: usize,
    events: u64,
    recording_bytes: usize,
    keyframe_bytes: usize,
}

/// Runs [stage one](crate::engine::stage_one), which builds everything that is in the dungeon before the first Crawler
/// moves, and then the growth to its end. This function must not be inlined, because `benches/instructions.sh` finds
/// it by its name and counts its instructions.
#[inline(never)]
pub(super) fn grow(design: &ValidDesign, options: Options) -> Growth {
    let mut growth = Growth::new(design, options, &mut ());
    growth.finish(&mut ());
    growth
}

impl GrowthReport {
    /// Grows the dungeon of `growth` twice more, once without a recording and once with one, and measures how long each
    /// takes. `growth` itself is not timed: the first dungeon that a process grows takes longer, because the operating
    /// system has to provide the memory.
    pub(super) fn measure(design: &ValidDesign, options: Options, growth: &Growth) -> Self {
        let start = Instant::now();
        drop(grow(design, options));
        let grown = start.elapsed();
        let start = Instant::now();
        let recording = Recording::of(design, options);
        let recorded = start.elapsed();
        let mut cursor = Playback::new(&recording);
        cursor.seek(&recording, recording.turns());
        let grid = growth.grid();
        Self {
            seed: design.seed,
            size: grid.size(),
            grown,
            recorded,
            clock: growth.clock(),
            births: growth.born(),
            tiles: tiles_laid(grid),
            dungeon_bytes: grid.bytes(),
            events: recording.events(),
            recording_bytes: recording.bytes(),
            keyframe_bytes: cursor.keyframe_bytes(),
        }
    }

    /// Returns one line per statistic.
    pub(super) fn lines(&self) -> Vec<String> {
        let squares = self.size.squares();
        let time = |time: Duration| {
            let micros = time.as_secs_f64() * 1e6;
            let [square, tile] = [squares, self.tiles as u64].map(|things| micros * 1000.0 / things.max(1) as f64);
            format!(
                "{:.3} ms, {square:.2} µs per 1,000 squares, {tile:.1} ns per tile laid",
                micros / 1000.0
            )
        };
        let weight = |bytes: usize, things: u64, thing: &str| {
            format!("{bytes} bytes, {:.2} per {thing}", bytes as f64 / things.max(1) as f64)
        };
        vec![
            format!("seed: {}", self.seed),
            format!("squares: {squares} ({})", self.size),
            format!("time of growth: {}", time(self.grown)),
            format!("time of growth with recording: {}", time(self.recorded)),
            format!("iterations: {}", self.clock.iteration),
            format!("turns: {}", self.clock.turn),
            format!("births: {}", self.births),
            format!("tiles laid: {}", self.tiles),
            format!("dungeon: {}", weight(self.dungeon_bytes, squares, "square")),
            format!("events: {}", self.events),
            format!("recording: {}", weight(self.recording_bytes, self.events, "event")),
            format!("keyframes: {} bytes", self.keyframe_bytes),
        ]
    }
}

/// Returns the number of tiles that Builders laid; each square has at most one.
fn tiles_laid(grid: &Grid) -> usize {
    let squares = grid.size().points();
    squares.filter(|at| grid.mark(*at) != Mark::Design).count()
}

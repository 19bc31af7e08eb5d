//! The speed of playback: one of the presets, or a custom value.

use crate::geometry::Size;

/// Preset speeds in turns per second, ascending. The last preset plays everything in one frame.
pub(in crate::tui) const SPEEDS: [u32; 18] = [
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    1_000_000,
    u32::MAX,
];

/// The initial speed in turns per second is the dungeon's number of squares divided by this number, rounded up to a
/// preset. At this speed, growth takes about ten seconds.
const SQUARES_PER_SPEED: u64 = 80;

/// A speed in turns per second.
#[derive(Debug)]
pub(in crate::tui) struct Speed {
    /// Index into [`SPEEDS`].
    place: usize,
    /// Custom speed, which overrides the index.
    own: Option<f64>,
}

impl Speed {
    /// Returns a speed at which the growth of a dungeon of `size` takes about ten seconds.
    pub(in crate::tui) fn suited(size: Size) -> Self {
        let suited = (size.squares() / SQUARES_PER_SPEED).min(100_000);
        Self {
            place: SPEEDS.partition_point(|speed| u64::from(*speed) < suited),
            own: None,
        }
    }

    /// Sets a custom speed in turns per second; a value of 0 or less returns to the preset.
    pub(in crate::tui) fn set(&mut self, turns: f64) {
        self.own = Some(turns).filter(|turns| *turns > 0.0);
    }

    /// Returns the speed in turns per second, rounded.
    pub(in crate::tui) fn rounded(&self) -> u32 {
        self.own.map_or(SPEEDS[self.place], |speed| speed.round() as u32)
    }

    /// Returns the speed in turns per second.
    pub(in crate::tui) fn rate(&self) -> f64 {
        self.own.unwrap_or_else(|| f64::from(SPEEDS[self.place]))
    }

    /// Selects the next preset above the current speed if `faster`, or else the next one below.
    pub(in crate::tui) fn change(&mut self, faster: bool) {
        let Some(own) = self.own.take() else {
            let next = if faster {
                self.place + 1
            } else {
                self.place.saturating_sub(1)
            };
            self.place = next.min(SPEEDS.len() - 1);
            return;
        };
        let below = SPEEDS.partition_point(|speed| f64::from(*speed) < own);
        let upto = SPEEDS.partition_point(|speed| f64::from(*speed) <= own);
        self.place = if faster { upto } else { below.saturating_sub(1) }.min(SPEEDS.len() - 1);
    }
}

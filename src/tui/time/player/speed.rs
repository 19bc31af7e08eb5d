//! How fast a film plays: one of the usual speeds, or any other that was asked for.

use crate::geometry::Size;

/// Turns a second, from slowest to fastest. The last shows all there is in one frame.
pub(in crate::tui::time) const SPEEDS: [u32; 18] = [
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

/// Squares of a dungeon for each turn a second that it is first shown with: a growth of about ten seconds.
const SQUARES_PER_SPEED: u64 = 80;

/// Turns a second.
#[derive(Debug)]
pub(super) struct Speed {
    /// The place among [`SPEEDS`].
    place: usize,
    /// Turns a second that are none of [`SPEEDS`], in their place.
    own: Option<f64>,
}

impl Speed {
    /// One that suits a dungeon of this size.
    pub(super) fn suited(size: Size) -> Self {
        let suited = (size.squares() / SQUARES_PER_SPEED).min(100_000);
        Self {
            place: SPEEDS.partition_point(|speed| u64::from(*speed) < suited),
            own: None,
        }
    }

    /// So many turns a second, whether or not that is one of the usual speeds.
    pub(super) fn set(&mut self, turns: f64) {
        self.own = Some(turns).filter(|turns| *turns > 0.0);
    }

    /// Turns a second, to the nearest number.
    pub(super) fn rounded(&self) -> u32 {
        self.own.map_or(SPEEDS[self.place], |speed| speed.round() as u32)
    }

    /// Turns a second.
    pub(super) fn rate(&self) -> f64 {
        self.own.unwrap_or_else(|| f64::from(SPEEDS[self.place]))
    }

    /// The next of the usual speeds.
    pub(super) fn change(&mut self, faster: bool) {
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

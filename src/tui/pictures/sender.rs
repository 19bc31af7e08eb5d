//! Sends a picture to the terminal, tile by tile. A tile is sent only if its pixels have changed.
//!
//! Three limits keep the designer responsive and the connection free for text. When a frame has read [`SQUARES`]
//! squares of the dungeon, it paints no more tiles; the next frame continues with the next tiles. Only one batch of
//! tiles is in transit: each batch ends with a query to the terminal, and the next batch begins when the terminal has
//! answered this query. Batches become smaller if the answers take a long time. In any second, the sender writes at
//! most [`RATE`] bytes. Every tile is sent with its current pixels, so a slow connection shows fewer frames, but never
//! outdated ones.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::encode;
use super::tiles::{index_of, tiles, visible};
use super::{Painter, PicturePlace, PictureReplies, Rgba};

/// Maximum number of picture bytes in any second.
pub(in crate::tui) const RATE: usize = 2_000_000;

/// Maximum allowance: the number of bytes that may be sent at once. The allowance grows back by [`RATE`] − [`BURST`]
/// bytes per second, so that at most [`RATE`] bytes are sent in any second.
const BURST: usize = 256 << 10;

/// Smallest and largest size of a batch, in bytes. The size adapts to how fast the terminal answers.
const BATCH: std::ops::RangeInclusive<usize> = 4 << 10..=128 << 10;

/// Maximum size of the first batch, in bytes.
const FIRST_BATCH: usize = 32 << 10;

/// If a batch is answered within this time, the next batch may be larger.
const SOON: Duration = Duration::from_millis(30);

/// If a batch is answered after this time, the next batch must be smaller.
const LATE: Duration = Duration::from_millis(90);

/// Timeout for an answer. After this time, the next batch is sent even without an answer, so that a lost answer does
/// not stop the pictures.
const LOST: Duration = Duration::from_secs(3);

/// Number of squares of the dungeon after which a frame stops painting.
const SQUARES: usize = 160_000;

/// Maximum number of squares that are painted together.
const RUN: usize = 40_000;

/// Sends a picture to the terminal, tile by tile.
#[derive(Debug)]
pub(in crate::tui) struct PictureSender {
    replies: PictureReplies,
    place: Option<PicturePlace>,
    /// The tiles of the picture.
    tiles: Vec<Tile>,
    /// Index of the tile to continue with.
    next: usize,
    /// The last batch, until its answer is handled.
    flight: Option<Flight>,
    /// Id of the last query.
    asked: u32,
    /// Maximum number of bytes of the next batch.
    batch: usize,
    /// Number of bytes that may be sent, as of `allowed_at`.
    allowance: usize,
    /// When the allowance was last updated; `None` before the first batch.
    allowed_at: Option<Instant>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    /// A digest of the pixels that the terminal shows; `None` if the tile was not sent.
    sent: Option<u64>,
    /// Whether the tile must still be painted for the current frame, to find out whether its pixels have changed.
    is_due: bool,
    is_visible: bool,
}

#[derive(Debug, Clone, Copy)]
struct Flight {
    number: u32,
    since: Instant,
}

impl PictureSender {
    pub(in crate::tui) fn new(replies: PictureReplies) -> Self {
        Self {
            replies,
            place: None,
            tiles: Vec::new(),
            next: 0,
            flight: None,
            asked: 0,
            batch: FIRST_BATCH,
            allowance: BURST,
            allowed_at: None,
        }
    }

    /// Begins a new frame: marks all tiles as possibly changed. Removes the old pictures if the picture's place
    /// changed.
    pub(in crate::tui) fn frame(&mut self, place: Option<PicturePlace>, screen: &Buffer, bytes: &mut Vec<u8>) {
        let Some(place) = place else {
            for tile in &mut self.tiles {
                (tile.is_due, tile.is_visible) = (false, false);
            }
            return;
        };
        if self.place != Some(place) {
            self.delete(bytes);
            self.place = Some(place);
            self.tiles = vec![Tile::default(); tiles(place.area).count()];
        }
        for (tile, is_visible) in self.tiles.iter_mut().zip(visible(place, screen)) {
            (tile.is_due, tile.is_visible) = (true, is_visible);
        }
    }

    /// Removes the pictures from the terminal.
    fn delete(&mut self, bytes: &mut Vec<u8>) {
        let Some(place) = self.place else { return };
        for (number, tile) in (place.first..).zip(&mut self.tiles) {
            if tile.sent.take().is_some() {
                encode::delete(number, bytes);
            }
        }
    }

    /// Forgets which tiles were sent, because the terminal's content is unknown.
    pub(in crate::tui) fn forget(&mut self) {
        (self.place, self.flight) = (None, None);
        self.tiles.clear();
    }

    /// Returns the id of the first tile's picture, and how many tiles there are.
    pub(in crate::tui) fn ids(&self) -> (u32, u32) {
        (self.place.map_or(0, |place| place.first), self.tiles.len() as u32)
    }

    /// Returns whether a visible tile must still be painted or sent for the current frame.
    pub(in crate::tui) fn has_more(&self) -> bool {
        self.tiles.iter().any(|tile| tile.is_due && tile.is_visible)
    }

    /// Returns whether the answer to the last batch is still to be handled.
    pub(in crate::tui) const fn is_waiting(&self) -> bool {
        self.flight.is_some()
    }

    /// Handles the answer to the last batch, if it has arrived: adapts the size of batches to the time that the answer
    /// took. After [`LOST`], stops waiting for the answer. The answer must also be handled while no picture is shown or no
    /// tile is left, so that the pause until the next picture or tile does not count as a slow answer.
    pub(in crate::tui) fn handle_answer(&mut self, now: Instant) {
        let Some(Flight { number, since }) = self.flight else {
            return;
        };
        let took = now.saturating_duration_since(since);
        let is_answered = self.replies.answered() == number;
        if !is_answered && took < LOST {
            return;
        }
        self.flight = None;
        if took >= LATE {
            self.batch = (self.batch / 2).max(*BATCH.start());
        } else if took <= SOON {
            self.batch = (self.batch * 2).min(*BATCH.end());
        }
    }

    /// Returns whether the allowance suffices for another batch; updates the allowance.
    fn has_allowance(&mut self, now: Instant) -> bool {
        let passed = self
            .allowed_at
            .map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        let earned = passed.as_micros() * (RATE - BURST) as u128 / 1_000_000;
        if earned > 0 || self.allowed_at.is_none() {
            let earned = usize::try_from(earned).unwrap_or(BURST).min(BURST);
            self.allowance = (self.allowance + earned).min(BURST);
            self.allowed_at = Some(now);
        }
        self.allowance >= *BATCH.start()
    }

    /// Handles the answer to the last batch, if it has arrived, and appends the commands for changed tiles to `bytes`, as
    /// many as the limits allow.
    pub(in crate::tui) fn send(&mut self, painter: &dyn Painter, now: Instant, bytes: &mut Vec<u8>) {
        self.handle_answer(now);
        let Some(place) = self.place.filter(|place| *place == painter.place()) else {
            return;
        };
        if self.is_waiting() || !self.has_more() || !self.has_allowance(now) {
            return;
        }
        let most = self.batch.min(self.allowance);
        let begun = bytes.len();
        let areas: Vec<Rect> = tiles(place.area).collect();
        let urgent = painter.urgent().and_then(|at| index_of(place.area, at));
        let (mut waited_for, mut squares) = (urgent.filter(|tile| self.is_wanted(*tile)), 0);
        while squares < SQUARES {
            // The tile that the user waits for is sent first, out of turn. Sending then resumes where the last frame
            // stopped: if every frame continued from the urgent tile instead, tiles farther on would never be sent.
            let (run, is_in_turn) = match (waited_for.take(), self.next_wanted()) {
                (Some(tile), _) => (tile..tile + 1, false),
                (None, Some(first)) => (self.run(first, &areas, painter), true),
                (None, None) => break,
            };
            let part = run.clone().map(|i| areas[i]).reduce(Rect::union).unwrap_or_default();
            squares += painter.cost(part.area() as usize);
            let pixels = painter.paint(part);
            for i in run {
                let tile = crop(&pixels, part, areas[i], place.cell);
                let has_room = self.send_tile(i, areas[i], &tile, (begun, most), bytes);
                if is_in_turn {
                    self.next = i + usize::from(has_room);
                }
                if !has_room {
                    squares = SQUARES;
                    break;
                }
            }
        }
        let sent = bytes.len() - begun;
        if sent > 0 {
            // Queries have ids from 1 to 255, so that they differ from the ids of pictures.
            self.asked = self.asked % 0xff + 1;
            encode::query(self.asked, bytes);
            self.flight = Some(Flight {
                number: self.asked,
                since: now,
            });
            self.allowance = self.allowance.saturating_sub(bytes.len() - begun);
        }
    }

    fn is_wanted(&self, i: usize) -> bool {
        self.tiles.get(i).is_some_and(|tile| tile.is_due && tile.is_visible)
    }

    /// Returns the index of the next tile to paint: the first wanted tile from `next` on, or else the first wanted tile
    /// of the picture.
    fn next_wanted(&self) -> Option<usize> {
        let all = self.tiles.len();
        (self.next..all)
            .chain(0..self.next.min(all))
            .find(|i| self.is_wanted(*i))
    }

    /// Returns the indexes of the tiles to paint together: `first`, and the wanted tiles to its right, as long as all
    /// of them together cost at most [`RUN`] squares.
    fn run(&self, first: usize, areas: &[Rect], painter: &dyn Painter) -> std::ops::Range<usize> {
        let mut end = first + 1;
        let mut characters = areas[first].area() as usize;
        while end < areas.len() && areas[end].y == areas[first].y && self.is_wanted(end) {
            characters += areas[end].area() as usize;
            if painter.cost(characters) > RUN {
                break;
            }
            end += 1;
        }
        first..end
    }

    /// Appends a tile's commands if its pixels have changed. Returns false if the batch has no room for the tile.
    fn send_tile(
        &mut self,
        i: usize,
        area: Rect,
        pixels: &[Rgba],
        (begun, most): (usize, usize),
        bytes: &mut Vec<u8>,
    ) -> bool {
        let digest = digest(pixels);
        let (Some(place), Some(tile)) = (self.place, self.tiles.get_mut(i)) else {
            return true;
        };
        if tile.sent != Some(digest) {
            let width = u32::from(area.width) * u32::from(place.cell.0);
            let number = place.first + i as u32;
            let Some(command) = encode::tile(number, (area.width, area.height), width, pixels) else {
                tile.is_due = false;
                return true;
            };
            let used = bytes.len() - begun;
            if used > 0 && used + command.len() > most {
                return false;
            }
            bytes.extend(command);
            tile.sent = Some(digest);
        }
        tile.is_due = false;
        true
    }
}

/// Returns the pixels of a tile. `pixels` are those of `part`, an area that contains the tile and begins in the same
/// row.
fn crop(pixels: &[Rgba], part: Rect, tile: Rect, cell: (u16, u16)) -> Vec<Rgba> {
    let width = usize::from(part.width) * usize::from(cell.0);
    let from = usize::from(tile.x - part.x) * usize::from(cell.0);
    let to = from + usize::from(tile.width) * usize::from(cell.0);
    let rows = pixels
        .chunks(width.max(1))
        .take(usize::from(tile.height) * usize::from(cell.1));
    rows.flat_map(|row| row.get(from..to).unwrap_or_default())
        .copied()
        .collect()
}

/// Returns a digest of pixels.
fn digest(pixels: &[Rgba]) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    pixels.iter().fold(0, |digest: u64, pixel| {
        (digest.rotate_left(5) ^ u64::from(u32::from_ne_bytes(*pixel))).wrapping_mul(FACTOR)
    })
}

#[cfg(test)]
mod tests;

//! Sight metrics: which squares are visible from each square, how many lines of sight, one after the other, it takes to
//! get from one square to another, and how long explorers search for the exit.
//!
//! All sight metrics are computed on the floor: the squares that can be reached from the entrance.
//! `assets/guide/metrics.md` contains the definitions and their sources.

mod chokes;
mod explorer;
mod floor;
mod space;
mod views;

use super::bit_rows::BitRows;
use super::metrics::{SightMetrics, share};
use super::parts::MetricParts;
use crate::engine::random::mix;
use chokes::Chokes;
use explorer::Explorer;
use space::Space;
use views::{Views, each_bit};

/// Largest number of floor squares for which integration, intelligibility and the walks of explorers are computed.
/// Their computation needs a bit for each pair of squares.
pub const LARGEST_FLOOR: u32 = 16_384;
/// Largest number of squares in a dungeon for which sight metrics are computed.
pub const LARGEST_SIGHT: i64 = 1 << 22;
/// Number of explorers, whose seeds are 0, 1, 2, …
pub const EXPLORERS: u64 = 15;

/// Size of the largest floor, in squares, for which the median visible area is computed from all squares.
const EXACT_AREA: usize = 4096;
/// Number of squares that are sampled on a larger floor.
const AREA_SAMPLE: usize = 1024;

/// The computation of the sight metrics, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Sight {
    views: Views,
    transposed: BitRows,
    space: Space,
    chokes: Chokes,
    explorer: Explorer,
    /// A set of floor squares: one bit for each square, in the order of the squares' numbers.
    set: Vec<u64>,
    areas: Vec<u32>,
}

impl Sight {
    /// Loads the floor of a dungeon. Returns `false` if the floor is empty or the dungeon is too large.
    pub(super) fn load(&mut self, open: &BitRows, floor: &BitRows) -> bool {
        let is_small = open.rows() as i64 * open.columns() as i64 <= LARGEST_SIGHT;
        if is_small {
            self.views.floor.load(open, floor, &mut self.transposed);
        }
        is_small && self.views.floor.len() > 0
    }

    /// Returns the number of a square of the dungeon; [`NO_SQUARE`] if the square is not on the floor.
    pub(super) fn number(&self, (row, column): (usize, usize)) -> u32 {
        self.views.floor.number(row, column)
    }

    /// Returns the number of a square of the dungeon; `None` if the square is not on the floor.
    pub(super) fn find(&self, at: (usize, usize)) -> Option<u32> {
        Some(self.number(at)).filter(|&number| number != floor::NO_SQUARE)
    }

    /// Returns the row and the column of a square of the floor.
    pub(super) fn place(&self, number: u32) -> (usize, usize) {
        self.views.floor.place(number)
    }

    /// Returns the number of squares of the floor.
    pub(super) fn len(&self) -> u32 {
        self.views.floor.len() as u32
    }

    /// Computes the requested parts of the sight metrics. `path` contains the squares of the shortest path to the exit;
    /// it is empty if there is no path.
    pub(super) fn measure(&mut self, parts: MetricParts, path: &[u32]) -> SightMetrics {
        let mut metrics = SightMetrics::default();
        let fits = self.len() <= LARGEST_FLOOR;
        if fits && (parts.has(MetricParts::SPACE) || parts.has(MetricParts::EXPLORERS)) {
            self.views.begin();
        }
        let has_views = fits && parts.has(MetricParts::SPACE);
        if has_views {
            self.views.find_all();
            (metrics.integration, metrics.intelligibility) = self.space.measure(&self.views);
        }
        if parts.has(MetricParts::VISIBLE) {
            metrics.visible_area = self.median_area(has_views);
        }
        if parts.has(MetricParts::UNSEEN) && !path.is_empty() {
            let seen = self.seen_from(path);
            metrics.unseen = Some(share(self.len() - seen, self.len()));
        }
        if parts.has(MetricParts::CHOKES) {
            let is_choke = self.chokes.find(&self.views.floor).iter();
            metrics.choke_points = Some(is_choke.filter(|is_choke| **is_choke).count() as u32);
        }
        if let (true, true, [from, .., to] | [from @ to]) = (fits, parts.has(MetricParts::EXPLORERS), path) {
            let mut walk = |seed| self.explorer.walk(&mut self.views, &[*from], Some(*to), seed, |_| {});
            let walks = (0..EXPLORERS).map(&mut walk);
            let walks: Vec<_> = walks.collect();
            let mut steps: Vec<u32> = walks.iter().map(|walk| walk.steps).collect();
            let mut seen: Vec<u32> = walks.iter().map(|walk| walk.seen).collect();
            metrics.found = median(&mut steps);
            metrics.explored = median(&mut seen).map(|seen| share(seen, self.len()));
        }
        metrics
    }

    fn median_area(&mut self, has_views: bool) -> Option<u32> {
        self.areas.clear();
        for square in sampled(self.views.floor.len(), EXACT_AREA, AREA_SAMPLE) {
            let area = if has_views {
                self.views.count(square)
            } else {
                self.views.count_now(square)
            };
            self.areas.push(area);
        }
        median(&mut self.areas)
    }

    /// Finds the squares visible from at least one of `squares`; [`Self::each_seen`] visits them. Returns their number.
    pub(super) fn seen_from(&mut self, squares: &[u32]) -> u32 {
        self.set.clear();
        self.set.resize(self.views.floor.len().div_ceil(64), 0);
        for &square in squares {
            self.views.add_now(square, &mut self.set);
        }
        self.set.iter().map(|word| word.count_ones()).sum()
    }

    /// Visits the squares found by [`Self::seen_from`].
    pub(super) fn each_seen(&self, visit: impl FnMut(u32)) {
        each_bit(&self.set, visit);
    }

    /// Visits each square of the floor with the number of squares that are visible from it.
    pub(super) fn each_area(&mut self, mut visit: impl FnMut((usize, usize), u32)) {
        for square in 0..self.len() {
            let area = self.views.count_now(square);
            visit(self.views.floor.place(square), area);
        }
    }

    /// Visits the choke points.
    pub(super) fn each_choke(&mut self, mut visit: impl FnMut((usize, usize))) {
        let floor = &self.views.floor;
        for (number, &is_choke) in (0..).zip(self.chokes.find(floor)) {
            if is_choke {
                visit(floor.place(number));
            }
        }
    }

    /// Visits the squares visible from a square, itself included.
    pub(super) fn each_seen_by(&mut self, square: u32, visit: impl FnMut(u32)) {
        self.views.each_now(square, visit);
    }

    /// Continues the walk `so_far` as the explorer with this seed would walk, until it has seen the square `to`, or all
    /// squares if `to` is `None`. Returns the whole walk, or `so_far` unchanged on a floor of more than
    /// [`LARGEST_FLOOR`] squares.
    pub(super) fn walk(&mut self, so_far: &[u32], to: Option<u32>, seed: u64) -> Vec<u32> {
        let mut squares = so_far.to_vec();
        if self.len() <= LARGEST_FLOOR {
            self.views.begin();
            let step = |square| squares.push(square);
            self.explorer.walk(&mut self.views, so_far, to, seed, step);
        }
        squares
    }
}

/// Returns the numbers of all squares if there are at most `exact`, otherwise a sample: the squares are split into
/// `sample` sections of about equal length, and one square is chosen pseudo-randomly from each section. The sample
/// depends only on the number of squares.
fn sampled(squares: usize, exact: usize, sample: usize) -> impl Iterator<Item = u32> {
    let count = if squares <= exact { squares } else { sample };
    let section = move |i: usize| i * squares / count.max(1);
    (0..count).map(move |i| {
        let (begin, end) = (section(i), section(i + 1));
        (begin as u64 + mix(i as u64) % (end - begin).max(1) as u64) as u32
    })
}

/// Returns the median; `None` if there are no values. For an even number of values, the median is the lower of the two
/// middle ones.
fn median(values: &mut [u32]) -> Option<u32> {
    let middle = values.len().div_ceil(2).checked_sub(1)?;
    Some(*values.select_nth_unstable(middle).1)
}

#[cfg(test)]
mod tests;

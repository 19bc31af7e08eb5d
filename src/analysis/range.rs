//! The expressive range of a design: how many dungeons fall into each cell of a grid over two metrics.
//! The grid with its counts is called a range map: see [`RangeMap`].
//!
//! # Binning
//!
//! A range map has the same cells on the screen, in a picture and in a table. The cells follow these rules:
//!
//! 1. Metrics are rounded to four decimals, as in a survey's file, so that a map made from the file equals a map made
//!    from the dungeons. Expressions and the columns of other tables may need more decimals, and keep 12 significant
//!    digits. A boolean counts as 0 or 1. A dungeon without a value on one of the axes is in no cell; such dungeons are
//!    counted separately. A number above 10^13 or below −10^13 counts as no value.
//! 2. An axis has bins of equal width. The width is 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten. It is
//!    the smallest such width with which all dungeons fit into [`MOST_BINS`] bins, or into fewer bins if the caller has
//!    less room. If all values are whole numbers, the width is also a whole number.
//! 3. Edges are multiples of the width. A bin contains its lower edge but not its upper edge.
//! 4. The sample of a cell is the dungeon nearest to the middle of the cell, with distances measured in bin widths;
//!    among equally near dungeons, it is the first.
//! 5. Counts are shown in at most [`CLASSES`] shades. The upper limits of the shades grow by a constant ratio up to the
//!    count of the fullest cell; they are rounded.

use super::metric_sample::decimal_in;

/// Default maximum numbers of bins: horizontally for the first metric, and vertically for the second.
pub const MOST_BINS: [usize; 2] = [24, 15];

/// Maximum number of shades in which counts are shown.
pub const CLASSES: usize = 5;

/// Possible widths of a bin, in tenths, before they are multiplied by a power of ten.
const WIDTHS: [i64; 10] = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80];

/// Number of ten-thousandths in 1. A ten-thousandth is the unit of most axes.
const ONE: i64 = 10_000;

/// The smallest unit that an axis can have is 1 divided by this number.
const FINEST_ONE: i64 = 10_000_000_000_000_000;

/// Largest magnitude of a number in a unit smaller than a ten-thousandth. Such numbers keep only 12 digits, because
/// rounding errors can change later digits: two ways to calculate the same value could give different numbers.
const MOST_UNITS: f64 = 1e12;

/// Largest magnitude of a number, in units of its axis, so that sums do not overflow. Larger numbers count as no value.
const LARGEST: f64 = 1e17;

/// An axis: bins of equal width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeAxis {
    /// How many of the axis's units make up 1. The unit is a ten-thousandth or smaller.
    one: i64,
    /// The lowest edge as a multiple of the width, and the width in units.
    first: i64,
    width: i64,
    bins: usize,
    is_whole: bool,
}

impl RangeAxis {
    /// Returns the axis over numbers in the unit that `one` determines, with at most `most` bins; `None` if there are
    /// no numbers.
    fn over(numbers: &(impl Iterator<Item = i64> + Clone), most: usize, one: i64) -> Option<Self> {
        let (least, highest) = (numbers.clone().min()?, numbers.clone().max()?);
        let is_whole = numbers.clone().all(|number| number % one == 0);
        // These widths are in tenths of units. The largest width that passes the filters exceeds all numbers,
        // so two bins are always enough.
        let widths = (0..=18).flat_map(|exponent| WIDTHS.map(|tenths| tenths.saturating_mul(10_i64.pow(exponent))));
        let fits = |width: &i64| {
            let bins = highest.div_euclid(*width) - least.div_euclid(*width);
            bins < i64::try_from(most.max(1)).unwrap_or(i64::MAX)
        };
        let multiple = match is_whole {
            true => one,
            // A single value would fit into a bin as narrow as the unit.
            false if least == highest => one / ONE,
            false => 1,
        };
        let mut widths = widths
            .filter(|tenths| tenths % 10 == 0)
            .map(|tenths| tenths / 10)
            .filter(|width| width % multiple == 0);
        // If 0 lies between the numbers, it is an edge at every width, so one bin is never enough. If only one bin is
        // allowed nevertheless, the largest width is used.
        let width = widths.clone().find(fits).or_else(|| widths.next_back())?;
        let first = least.div_euclid(width);
        Some(Self {
            one,
            first,
            width,
            bins: usize::try_from(highest.div_euclid(width) - first).ok()? + 1,
            is_whole,
        })
    }

    /// Returns the axis over some values, rounded to four decimals, with at most `most` bins; `None` if there are no
    /// values.
    pub fn of(values: impl Iterator<Item = f64> + Clone, most: usize) -> Option<Self> {
        Self::over(&values.filter_map(|value| rounded(value, ONE)), most, ONE)
    }

    /// Returns the axis from the lowest to the highest bin of some values; `None` if there are no values. Each value
    /// comes with its bin, which [`Self::bin_at`] returned for this `width` (in ten-thousandths).
    pub fn spanning(values: impl Iterator<Item = (i64, f64)> + Clone, width: i64) -> Option<Self> {
        let bins = values.clone().map(|(bin, _)| bin);
        let (first, last) = (bins.clone().min()?, bins.max()?);
        let mut numbers = values.filter_map(|(_, value)| rounded(value, ONE));
        Some(Self {
            one: ONE,
            first,
            width: width.max(1),
            bins: usize::try_from(last.checked_sub(first)?).ok()?.checked_add(1)?,
            is_whole: width % ONE == 0 && numbers.all(|number| number % ONE == 0),
        })
    }

    /// Returns the index on this axis of a bin that [`Self::bin_at`] returned; `None` if the bin lies beyond the axis.
    pub fn place(&self, bin: i64) -> Option<usize> {
        usize::try_from(bin - self.first)
            .ok()
            .filter(|place| *place < self.bins)
    }

    /// Returns the bin of a value on an unbounded axis; `None` if the value is not a number or too large for an axis.
    /// `width` is the width of a bin, in ten-thousandths. Bin 0 starts at zero.
    pub fn bin_at(value: f64, width: i64) -> Option<i64> {
        Some(rounded(value, ONE)?.div_euclid(width.max(1)))
    }

    /// Returns the number of bins, at least one.
    pub const fn bins(&self) -> usize {
        self.bins
    }

    /// Returns the width of a bin, in units of the axis: in ten-thousandths for an axis made with [`Self::of`].
    pub const fn width(&self) -> i64 {
        self.width
    }

    /// Returns the lower edge of a bin as a decimal number. The bin after the last one begins at the upper edge of the
    /// axis.
    pub fn edge_text(&self, bin: usize) -> String {
        self.decimal(self.edge(bin))
    }

    /// Formats a number in units of the axis.
    fn decimal(&self, number: i64) -> String {
        decimal_in(number, self.one.ilog10() as usize)
    }

    /// Returns the lower edge of a bin, in units.
    const fn edge(&self, bin: usize) -> i64 {
        (self.first + bin as i64) * self.width
    }

    /// Returns the bin of a number in units, or the nearest bin if the number lies beyond the axis.
    const fn bin(&self, number: i64) -> usize {
        let bin = number.div_euclid(self.width) - self.first;
        if bin <= 0 {
            0
        } else if bin as usize >= self.bins {
            self.bins - 1
        } else {
            bin as usize
        }
    }

    /// Returns the bin of a value; `None` if the value lies beyond the axis or is not a number.
    pub fn bin_of(&self, value: f64) -> Option<usize> {
        let bin = rounded(value, self.one)?.div_euclid(self.width) - self.first;
        usize::try_from(bin).ok().filter(|bin| *bin < self.bins)
    }

    /// Describes the numbers in a bin: `40`, `40 to 44`, or `0.25 to 0.3`. In the last form, the upper limit is
    /// excluded.
    pub fn label(&self, bin: usize) -> String {
        let (low, high) = (self.edge(bin), self.edge(bin + 1));
        match self.is_whole {
            true if self.width == self.one => self.decimal(low),
            true => format!("{} to {}", self.decimal(low), self.decimal(high - self.one)),
            false => format!("{} to {}", self.decimal(low), self.decimal(high)),
        }
    }

    /// Returns the labels of the axis, each with its position: the distance from the lowest edge, in bins. Labels are
    /// at least `apart` bins from each other. They are at the edges of bins, or in the middle of bins if each bin
    /// contains a single whole number. Neighbouring labels are all the same number of bins apart (1, 2, 5, 10, 20, …),
    /// and the number 0 has a label if it is on the axis, so that the labels are round numbers. If no such label fits
    /// on the axis, both ends of the axis have labels, or only the lower end if the two are too near to each other.
    pub fn ticks(&self, apart: usize) -> impl Iterator<Item = (f64, String)> + use<> {
        let minimum = i64::try_from(apart.max(1)).unwrap_or(i64::MAX);
        let mut steps = (0..18).flat_map(|exponent| [1, 2, 5].map(|step| step * 10_i64.pow(exponent)));
        let step = steps.find(|step| *step >= minimum).unwrap_or(minimum);
        let axis = *self;
        let is_of_one = self.is_whole && self.width == self.one;
        let (last, beside) = if is_of_one {
            (self.bins - 1, 0.5)
        } else {
            (self.bins, 0.0)
        };
        let round = (0..=last).filter(|bin| (axis.first + *bin as i64) % step == 0);
        let mut bins: Vec<usize> = round.collect();
        if bins.is_empty() {
            bins.push(0);
            bins.extend(Some(last).filter(|last| *last >= apart.max(1)));
        }
        bins.into_iter()
            .map(move |bin| (bin as f64 + beside, axis.edge_text(bin)))
    }

    /// Returns the width of the longest edge label, in characters.
    pub fn label_width(&self) -> usize {
        let labels = (0..=self.bins).map(|bin| self.edge_text(bin).chars().count());
        labels.max().unwrap_or(0)
    }

    /// Returns how far a number lies from the middle of its bin, in bin widths; negative below the middle.
    fn distance(&self, number: i64) -> f64 {
        let within = number.rem_euclid(self.width) as f64;
        // The whole numbers in a bin reach from its lower edge to one less than the next edge.
        let middle = if self.is_whole {
            (self.width - self.one) as f64 / 2.0
        } else {
            self.width as f64 / 2.0
        };
        (within - middle) / self.width as f64
    }
}

/// A cell with dungeons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeCell {
    /// Bin on the first axis.
    pub across: usize,
    /// Bin on the second axis; 0 contains the lowest numbers.
    pub up: usize,
    /// Number of dungeons.
    pub count: u64,
    /// Index of the cell's sample among the points from which the map was made.
    pub sample: usize,
}

/// A grid over two metrics with the number of dungeons in each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RangeMap {
    axes: [RangeAxis; 2],
    /// Cells with dungeons, sorted by their bins on the second axis, then on the first.
    cells: Vec<RangeCell>,
    dungeons: u64,
    without: u64,
    /// The number of dungeons in the fullest cell, on which the shade of each cell depends.
    most: u64,
}

/// Rounds a value to the unit that `one` determines; `None` if the value is not a number or too large for an axis.
fn rounded(value: f64, one: i64) -> Option<i64> {
    let number = (value * one as f64).round();
    (number.abs() <= LARGEST).then_some(number as i64)
}

/// Chooses the unit of an axis with these values, and returns how many of the units make up 1. The unit is a
/// ten-thousandth if no value has more than four decimals. Otherwise, the unit is made smaller as long as the largest
/// value has at most 12 digits.
fn one_of(values: impl Iterator<Item = f64> + Clone) -> i64 {
    let largest = values.clone().map(f64::abs).fold(0.0, f64::max);
    let mut one = ONE;
    while one < FINEST_ONE && largest * (one * 10) as f64 <= MOST_UNITS {
        one *= 10;
    }
    let is_short = |value| rounded(value, one).is_none_or(|number| number % (one / ONE) == 0);
    if values.into_iter().all(is_short) { ONE } else { one }
}

/// Returns the points that have a value on both axes, each as its index and its values, rounded to the units of the
/// axes.
fn numbers_of(points: &[[Option<f64>; 2]], ones: [i64; 2]) -> Vec<(usize, [i64; 2])> {
    let numbers = points.iter().enumerate();
    numbers
        .filter_map(|(index, [x, y])| Some((index, [rounded((*x)?, ones[0])?, rounded((*y)?, ones[1])?])))
        .collect()
}

impl RangeMap {
    /// Counts dungeons, given as their values on both axes, in at most `bins[0]` bins horizontally and `bins[1]`
    /// vertically. Rounds the values to four decimals. Returns `None` if no dungeon has a value on both axes.
    pub fn new(points: &[[Option<f64>; 2]], bins: [usize; 2]) -> Option<Self> {
        Self::in_units([ONE; 2], points, bins)
    }

    /// Counts dungeons as [`Self::new`] does. If `is_exact` is true for an axis, the values on this axis are not
    /// rounded to four decimals, but keep 12 significant digits.
    pub fn with_exact(points: &[[Option<f64>; 2]], bins: [usize; 2], is_exact: [bool; 2]) -> Option<Self> {
        let one = |side: usize| {
            let values = points.iter().filter_map(|point| point[side]);
            let values = values.filter(|value| value.is_finite());
            if is_exact[side] { one_of(values) } else { ONE }
        };
        Self::in_units([one(0), one(1)], points, bins)
    }

    fn in_units(ones: [i64; 2], points: &[[Option<f64>; 2]], bins: [usize; 2]) -> Option<Self> {
        let numbers = numbers_of(points, ones);
        let over = |side: usize| {
            let numbers = numbers.iter().map(|(_, pair)| pair[side]);
            RangeAxis::over(&numbers, bins[side], ones[side])
        };
        Some(Self::counted([over(0)?, over(1)?], &numbers, points.len()))
    }

    /// Counts dungeons as [`Self::new`] does, but on the given axes. A number beyond an axis is counted in the nearest
    /// bin of the axis.
    pub fn on(axes: [RangeAxis; 2], points: &[[Option<f64>; 2]]) -> Self {
        Self::counted(axes, &numbers_of(points, axes.map(|axis| axis.one)), points.len())
    }

    fn counted(axes: [RangeAxis; 2], numbers: &[(usize, [i64; 2])], points: usize) -> Self {
        let mut grid: Vec<Option<(RangeCell, f64)>> = vec![None; axes[0].bins * axes[1].bins];
        for (index, [x, y]) in numbers {
            let (across, up) = (axes[0].bin(*x), axes[1].bin(*y));
            let distance = axes[0].distance(*x).powi(2) + axes[1].distance(*y).powi(2);
            let new = RangeCell {
                across,
                up,
                count: 0,
                sample: *index,
            };
            let (cell, nearest) = grid[up * axes[0].bins + across].get_or_insert((new, distance));
            cell.count += 1;
            if distance < *nearest {
                (cell.sample, *nearest) = (*index, distance);
            }
        }
        let cells: Vec<RangeCell> = grid.into_iter().flatten().map(|(cell, _)| cell).collect();
        Self {
            most: cells.iter().map(|cell| cell.count).max().unwrap_or(0),
            axes,
            cells,
            dungeons: numbers.len() as u64,
            without: (points - numbers.len()) as u64,
        }
    }

    /// Returns the axes: first the horizontal one, then the vertical one.
    pub const fn axes(&self) -> &[RangeAxis; 2] {
        &self.axes
    }

    /// Returns the cells with dungeons, in ascending order of the second axis, then of the first.
    pub fn cells(&self) -> &[RangeCell] {
        &self.cells
    }

    /// Returns a cell; `None` if it has no dungeons.
    pub fn cell(&self, across: usize, up: usize) -> Option<&RangeCell> {
        let place = self
            .cells
            .binary_search_by_key(&(up, across), |cell| (cell.up, cell.across));
        self.cells.get(place.ok()?)
    }

    /// Returns the number of dungeons in all cells together.
    pub const fn dungeons(&self) -> u64 {
        self.dungeons
    }

    /// Returns the number of dungeons without a value on one of the axes.
    pub const fn without(&self) -> u64 {
        self.without
    }

    /// Returns the number of dungeons in the fullest cell.
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// Returns the lowest and the highest count of each shade, starting with the palest.
    pub fn classes(&self) -> Vec<[u64; 2]> {
        let most = self.most();
        let count = most.min(CLASSES as u64);
        let mut from = 1;
        let class = |number: u64| {
            let ratio = (number + 1) as f64 / count as f64;
            let limit = (most as f64).powf(ratio).round() as u64;
            // Leaves at least one count for each of the shades that follow.
            let to = limit.clamp(from, most - (count - 1 - number));
            let class = [from, to];
            from = to + 1;
            class
        };
        (0..count).map(class).collect()
    }

    /// Returns the shade of a count: the index of its class.
    pub fn class_of(&self, count: u64) -> usize {
        let classes = self.classes();
        let place = classes.iter().position(|[_, to]| count <= *to);
        place.unwrap_or(classes.len().saturating_sub(1))
    }

    /// Returns the cell to select when the user moves one step from the cell `from`. The step goes right or left if
    /// `across` is not 0, otherwise up or down; only the signs of `across` and `up` matter. A cell can be selected if
    /// its distance ahead is at least as large as its distance to the side; empty cells cannot be selected. Of the
    /// cells that can be selected, the nearest is returned; here, distances to the side count double.
    pub fn next_to(&self, from: [usize; 2], across: i32, up: i32) -> Option<&RangeCell> {
        let ahead_and_aside = |cell: &&RangeCell| {
            let right = cell.across as i64 - from[0] as i64;
            let above = cell.up as i64 - from[1] as i64;
            match (across, up) {
                (0, 0) => (0, 0),
                (0, _) => (above * i64::from(up.signum()), right.abs()),
                _ => (right * i64::from(across.signum()), above.abs()),
            }
        };
        (self.cells.iter())
            .filter(|cell| {
                let (ahead, aside) = ahead_and_aside(cell);
                ahead > 0 && aside <= ahead
            })
            .min_by_key(|cell| {
                let (ahead, aside) = ahead_and_aside(cell);
                ahead + 2 * aside
            })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn map(points: &[(f64, f64)]) -> RangeMap {
        let points: Vec<[Option<f64>; 2]> = points.iter().map(|(x, y)| [Some(*x), Some(*y)]).collect();
        RangeMap::new(&points, MOST_BINS).unwrap()
    }

    fn edges(axis: &RangeAxis) -> Vec<String> {
        (0..=axis.bins()).map(|bin| axis.edge_text(bin)).collect()
    }

    #[test]
    fn whole_numbers_have_bins_of_whole_width_between_round_edges() {
        let points: Vec<(f64, f64)> = (3..=25).map(|x| (f64::from(x), f64::from(x * 4))).collect();
        let found = map(&points);
        let [x, y] = found.axes();
        assert_eq!((x.bins(), x.width(), x.label(0)), (23, ONE, "3".into()));
        // 12 to 100 in 15 bins: 6 is the smallest width that fits.
        assert_eq!(
            (y.bins(), y.label(0), y.label(14)),
            (15, "12 to 17".into(), "96 to 101".into())
        );
        assert_eq!(edges(y)[..3], ["12", "18", "24"]);
    }

    #[test]
    fn shares_have_bins_of_decimal_width() {
        let points: Vec<(f64, f64)> = (0..100).map(|i| (0.311 + f64::from(i) * 0.001, 0.5)).collect();
        let found = map(&points);
        let [x, y] = found.axes();
        assert_eq!(x.width(), 50);
        assert_eq!((x.label(0), x.bins()), ("0.31 to 0.315".into(), 21));
        assert_eq!((y.bins(), y.label(0)), (1, "0.5 to 0.5001".into()));
    }

    #[test]
    fn an_exact_axis_has_as_many_decimals_as_its_values_need() {
        let exact = |values: &[f64]| {
            let points: Vec<[Option<f64>; 2]> = values.iter().map(|x| [Some(*x), Some(1.0)]).collect();
            let found = RangeMap::with_exact(&points, MOST_BINS, [true, false]).unwrap();
            let labels = found.cells().iter().map(|cell| found.axes()[0].label(cell.across));
            labels.collect::<Vec<String>>()
        };
        assert_eq!(exact(&[3e-6, 5e-6]), ["0.000003 to 0.0000031", "0.000005 to 0.0000051"]);
        // Rounded to four decimals, the first number would be in the bin of the second.
        assert_eq!(
            exact(&[0.071_987, 0.072, 0.163]),
            ["0.068 to 0.072", "0.072 to 0.076", "0.16 to 0.164"]
        );
        assert_eq!(exact(&[1.0 / 3.0; 3]), ["0.3333 to 0.3334"]);
        assert_eq!(exact(&[-1e-9, 1e9]).len(), 2);
        assert_eq!(exact(&[0.0]), ["0"]);
        // Numbers with at most four decimals have the same bins as on an axis that rounds.
        for values in [&[0.1 + 0.2, 0.3][..], &[0.311, 0.3111], &[4.0, 40.0], &[1e-300, 0.5]] {
            let rounded: Vec<(f64, f64)> = values.iter().map(|x| (*x, 1.0)).collect();
            let rounded = map(&rounded);
            let labels = rounded.cells().iter().map(|cell| rounded.axes()[0].label(cell.across));
            assert_eq!(exact(values), labels.collect::<Vec<String>>());
        }
    }

    #[test]
    fn negative_numbers_and_zero_are_in_bins_that_contain_their_lower_edge() {
        let found = map(&[(-100.0, 0.0), (-0.5, 1.0), (0.0, 0.0), (99.5, 1.0)]);
        let x = &found.axes()[0];
        assert_eq!((x.width(), x.edge(0), x.bins()), (10 * ONE, -100 * ONE, 20));
        let places: Vec<usize> = found.cells().iter().map(|cell| cell.across).collect();
        assert_eq!(places, [0, 10, 9, 19]);
    }

    #[test]
    fn numbers_on_both_sides_of_zero_need_two_bins() {
        let points = [[Some(-1.0), Some(0.0)], [Some(1.0), Some(0.0)]];
        let found = RangeMap::new(&points, [1, 1]).unwrap();
        assert_eq!(found.axes()[0].bins(), 2);
        assert!(RangeMap::new(&[[None, Some(1.0)], [Some(f64::NAN), Some(1.0)]], MOST_BINS).is_none());
    }

    #[test]
    fn numbers_that_are_too_large_for_an_axis_are_left_out() {
        let points = [-1e13, 1e13, 1.1e13, -1e300, f64::INFINITY].map(|x| [Some(x), Some(0.0)]);
        let found = RangeMap::with_exact(&points, MOST_BINS, [true, false]).unwrap();
        assert_eq!((found.dungeons(), found.without()), (2, 3));
        assert!(found.axes()[0].bins() <= MOST_BINS[0]);
        assert!(RangeMap::new(&points[2..], MOST_BINS).is_none());
    }

    #[test]
    fn the_sample_is_the_dungeon_nearest_to_the_middle_and_the_first_of_equals() {
        let mut points: Vec<[Option<f64>; 2]> = [0.0, 40.0, 44.0, 42.0, 42.0, 41.0, 119.0]
            .map(|x| [Some(x), Some(7.0)])
            .to_vec();
        points.push([None, Some(7.0)]);
        let found = RangeMap::new(&points, MOST_BINS).unwrap();
        assert_eq!(found.axes()[0].label(8), "40 to 44");
        let cell = found.cell(8, 0).unwrap();
        assert_eq!((cell.count, cell.sample), (5, 3));
        assert_eq!((found.dungeons(), found.without()), (7, 1));
        assert_eq!(found.cell(9, 0), None);
    }

    #[test]
    fn shades_cover_every_count_once() {
        for most in [1, 2, 4, 5, 6, 7, 12, 42, 1000, 123_456] {
            let mut points = vec![(0.0, 0.0); most];
            points.push((5.0, 5.0));
            let found = map(&points);
            let classes = found.classes();
            assert_eq!((classes[0][0], classes[classes.len() - 1][1]), (1, most as u64));
            assert!(classes.windows(2).all(|two| two[0][1] + 1 == two[1][0]), "{classes:?}");
            assert!(classes.iter().all(|[from, to]| from <= to), "{classes:?}");
            assert_eq!(classes.len(), most.min(CLASSES));
            for (number, [from, to]) in classes.iter().enumerate() {
                assert_eq!([found.class_of(*from), found.class_of(*to)], [number; 2]);
            }
        }
        assert_eq!(
            map(&[(0.0, 0.0); 42]).classes(),
            [[1, 2], [3, 4], [5, 9], [10, 20], [21, 42]]
        );
    }

    #[test]
    fn a_step_leads_to_the_nearest_cell_in_its_direction() {
        let found = map(&[(0.0, 0.0), (3.0, 1.0), (10.0, 0.0), (4.0, 4.0), (0.0, 9.0)]);
        let at = |from, across, up| found.next_to(from, across, up).map(|cell| [cell.across, cell.up]);
        assert_eq!(at([0, 0], 1, 0), Some([3, 1]));
        assert_eq!(at([3, 1], 1, 0), Some([10, 0]));
        assert_eq!(at([3, 1], 0, 1), Some([4, 4]));
        assert_eq!(at([0, 0], -1, 0), None);
        assert_eq!(at([0, 9], 0, -1), Some([0, 0]));
    }

    #[test]
    fn ticks_are_round_and_far_enough_from_each_other() {
        let points: Vec<(f64, f64)> = (0..60).map(|x| (f64::from(x + 7), 0.0)).collect();
        let found = map(&points);
        let axis = &found.axes()[0];
        assert_eq!((axis.width(), axis.edge(0)), (3 * ONE, 6 * ONE));
        let labels: Vec<(f64, String)> = axis.ticks(4).collect();
        assert_eq!(
            labels,
            [
                (3.0, "15".into()),
                (8.0, "30".into()),
                (13.0, "45".into()),
                (18.0, "60".into())
            ]
        );
        assert_eq!((axis.ticks(1).count(), axis.label_width()), (axis.bins() + 1, 2));
        // A bin that contains one number has its label in the middle.
        let single: Vec<(f64, String)> = map(&[(9.0, 0.0), (12.0, 0.0)]).axes()[0].ticks(2).collect();
        assert_eq!(single, [(1.5, "10".into()), (3.5, "12".into())]);
    }

    #[test]
    fn an_axis_that_spans_fractions_has_labels_at_the_edges_of_bins_of_whole_width() {
        let axis = |values: [f64; 2]| {
            let bin = |value: f64| RangeAxis::bin_at(value, ONE).unwrap();
            RangeAxis::spanning(values.into_iter().map(|value| (bin(value), value)), ONE).unwrap()
        };
        let ticks = |values: [f64; 2]| axis(values).ticks(1).collect::<Vec<(f64, String)>>();
        assert_eq!(ticks([3.0, 4.0]), [(0.5, "3".into()), (1.5, "4".into())]);
        assert_eq!(
            ticks([3.5, 4.0]),
            [(0.0, "3".into()), (1.0, "4".into()), (2.0, "5".into())]
        );
        assert_eq!(axis([3.5, 4.0]).label(0), "3 to 4");
    }

    #[test]
    fn an_axis_without_a_round_number_has_labels_at_its_ends() {
        let labels = |numbers: [f64; 2], apart: usize| -> Vec<(f64, String)> {
            map(&numbers.map(|x| (x, 0.0))).axes()[0].ticks(apart).collect()
        };
        assert_eq!(labels([7.0, 7.0], 2), [(0.5, "7".into())]);
        assert_eq!(labels([6.0, 9.0], 3), [(0.5, "6".into()), (3.5, "9".into())]);
        assert_eq!(labels([6.0, 8.0], 3), [(0.5, "6".into())]);
        // The ends of the axis are edges if a bin contains several numbers.
        assert_eq!(labels([0.301, 0.303], 5)[0], (0.0, "0.301".into()));
    }

    proptest! {
        #[test]
        fn every_dungeon_is_in_the_cell_that_the_rules_name(
            points in prop::collection::vec((-500_i32..5000, -30_i32..3000, 0_u8..9), 1..200),
            bins in (2_usize..40, 2_usize..40),
            is_whole in any::<bool>(),
        ) {
            let value = |number: i32| if is_whole { f64::from(number) } else { f64::from(number) / 128.0 };
            let points: Vec<[Option<f64>; 2]> = points
                .iter()
                .map(|(x, y, has)| [(*has > 0).then(|| value(*x)), Some(value(*y))])
                .collect();
            let Some(found) = RangeMap::new(&points, [bins.0, bins.1]) else {
                prop_assert!(points.iter().all(|[x, _]| x.is_none()));
                return Ok(());
            };
            let cells = found.cells();
            prop_assert_eq!(cells.iter().map(|cell| cell.count).sum::<u64>(), found.dungeons());
            prop_assert_eq!(found.dungeons() + found.without(), points.len() as u64);
            for (axis, most) in found.axes().iter().zip([bins.0, bins.1]) {
                prop_assert!(axis.bins() <= most);
                prop_assert!(!is_whole || axis.width() % ONE == 0);
            }
            for cell in cells {
                let inside = |point: &[Option<f64>; 2]| {
                    let is_in = |axis: usize, bin: usize| point[axis].is_some_and(|value| {
                        let (low, high) = (found.axes()[axis].edge(bin), found.axes()[axis].edge(bin + 1));
                        (low..high).contains(&((value * 1e4).round() as i64))
                    });
                    is_in(0, cell.across) && is_in(1, cell.up)
                };
                prop_assert_eq!(points.iter().filter(|point| inside(point)).count() as u64, cell.count);
                prop_assert!(inside(&points[cell.sample]));
                prop_assert_eq!(found.cell(cell.across, cell.up), Some(cell));
            }
        }
    }
}

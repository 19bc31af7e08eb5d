//! Computes the page layout of maps: paper sizes, lengths, and the pages that a map needs at a given scale. The module
//! `pdf` draws the pages.
//!
//! Every square belongs to one page, which shows it whole. At its right and lower edges, a page also shows overlap
//! strips of its neighbours, for gluing. Lengths are whole micrometres, which represent both inches and millimetres
//! exactly.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::ExportError;
use crate::geometry::{Point, Size};

/// A length on paper, in micrometres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Length(u32);

/// The units of length: name, and length in micrometres.
const UNITS: [(&str, f64); 4] = [
    ("mm", 1000.0),
    ("cm", 10_000.0),
    ("in", 25_400.0),
    ("pt", 25_400.0 / 72.0),
];

/// Maximum length that can be parsed: ten metres.
const LONGEST: f64 = 1e7;

impl Length {
    /// Creates a length from micrometres.
    pub const fn micrometres(number: u32) -> Self {
        Self(number)
    }

    /// Returns the length in micrometres.
    pub const fn in_micrometres(self) -> u32 {
        self.0
    }

    /// Returns the length if it is long enough for the side of a printed square.
    ///
    /// # Errors
    ///
    /// Fails if the length is less than 0.1 mm.
    pub fn of_square(self) -> Result<Self, ExportError> {
        if self < LEAST_SQUARE {
            let message = format!("a square of {self} is too small to print; use at least 0.1mm");
            return Err(ExportError::Options(message));
        }
        Ok(self)
    }

    /// Returns the length in points. An inch has 72 points.
    pub(super) fn points(self) -> f32 {
        points(self.0)
    }
}

/// Converts micrometres to points.
pub(super) fn points(micrometres: u32) -> f32 {
    (f64::from(micrometres) * 72.0 / 25_400.0) as f32
}

impl fmt::Display for Length {
    /// Writes the length in millimetres: `25.4 mm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} mm", f64::from(self.0) / 1000.0)
    }
}

impl FromStr for Length {
    type Err = ParsePaperError;

    /// Parses a length of at most 10 m: a number followed by mm, cm, in or pt. A number without a unit is in millimetres.
    fn from_str(text: &str) -> Result<Self, ParsePaperError> {
        let lower = text.trim().to_ascii_lowercase();
        let with_unit = |(name, unit): &(&str, f64)| Some((lower.strip_suffix(*name)?.trim_end(), *unit));
        let (number, unit) = UNITS.iter().find_map(with_unit).unwrap_or((lower.as_str(), UNITS[0].1));
        let number: Option<f64> = number.parse().ok();
        let micrometres = number.map(|number| (number * unit).round());
        match micrometres.filter(|length| (0.0..=LONGEST).contains(length)) {
            Some(length) => Ok(Self(length as u32)),
            None => Err(ParsePaperError::Length(text.to_owned())),
        }
    }
}

/// A paper size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// 148 × 210 mm.
    A5,
    /// 210 × 297 mm.
    #[default]
    A4,
    /// 297 × 420 mm.
    A3,
    /// 420 × 594 mm.
    A2,
    /// 594 × 841 mm.
    A1,
    /// 841 × 1189 mm.
    A0,
    /// 8.5 × 11 inches.
    Letter,
    /// 8.5 × 14 inches.
    Legal,
    /// 11 × 17 inches.
    Tabloid,
}

impl Paper {
    /// Every size with its name and its sides in micrometres, the shorter first.
    const ALL_SIZES: [(Self, &'static str, [u32; 2]); 9] = [
        (Self::A5, "a5", [148_000, 210_000]),
        (Self::A4, "a4", [210_000, 297_000]),
        (Self::A3, "a3", [297_000, 420_000]),
        (Self::A2, "a2", [420_000, 594_000]),
        (Self::A1, "a1", [594_000, 841_000]),
        (Self::A0, "a0", [841_000, 1_189_000]),
        (Self::Letter, "letter", [215_900, 279_400]),
        (Self::Legal, "legal", [215_900, 355_600]),
        (Self::Tabloid, "tabloid", [279_400, 431_800]),
    ];

    /// Returns every size.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL_SIZES.iter().map(|(paper, ..)| *paper)
    }

    fn line(self) -> &'static (Self, &'static str, [u32; 2]) {
        static ALL: &[(Paper, &str, [u32; 2])] = &Paper::ALL_SIZES;
        ALL.iter().find(|(paper, ..)| *paper == self).unwrap_or(&ALL[1])
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        self.line().1
    }

    /// Returns the names of all sizes, separated by commas.
    fn names() -> String {
        Self::all().map(Self::name).collect::<Vec<_>>().join(", ")
    }

    /// Returns the sides in micrometres, the shorter first.
    pub fn sides(self) -> [u32; 2] {
        self.line().2
    }
}

impl fmt::Display for Paper {
    /// Writes the usual spelling of the name: `A4`, `Letter`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = self.name().chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        write!(f, "{}{}", first.unwrap_or(' '), letters.as_str())
    }
}

impl FromStr for Paper {
    type Err = ParsePaperError;

    fn from_str(text: &str) -> Result<Self, ParsePaperError> {
        let lower = text.trim().to_ascii_lowercase();
        let found = Self::all().find(|paper| paper.name() == lower);
        found.ok_or_else(|| ParsePaperError::Size(text.to_owned()))
    }
}

/// The error for text that is not a length or a paper size; the message quotes the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePaperError {
    /// The text is not a [`Length`], or the length is negative or more than 10 m.
    #[error("`{0}` is not a length from 0 to 10 m; write a number with mm, cm, in or pt, such as 5mm or 1in")]
    Length(String),
    /// The text is not the name of a [`Paper`] size.
    #[error("unknown paper `{0}`; use one of {names}", names = Paper::names())]
    Size(String),
}

/// Page layout of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrintLayout {
    /// Paper size. The paper is oriented so that the map needs fewer pages.
    pub paper: Paper,
    /// Length of a square's side. `None` selects 5 mm, or a smaller length if the map would need more than nine pages
    /// at 5 mm.
    pub square: Option<Length>,
    /// Unprinted margin at each edge of the paper.
    pub margin: Length,
    /// Width of the strips of neighbouring pages that a page shows at its right and lower edges, for gluing.
    pub overlap: Length,
}

impl Default for PrintLayout {
    fn default() -> Self {
        Self {
            paper: Paper::default(),
            square: None,
            margin: Length(7000),
            overlap: Length(5000),
        }
    }
}

/// Lengths of a square's side in micrometres, tried in order if none is requested. The first is that of squared paper.
const SQUARES: [u32; 9] = [5000, 4000, 3000, 2500, 2000, 1500, 1000, 750, 500];

/// Maximum number of pages for a length from [`SQUARES`]. If the map needs more, the next smaller length is tried; the
/// last length is used even if the map needs more.
const FEW: u64 = 9;

/// Minimum length of a square's side.
const LEAST_SQUARE: Length = Length(100);

/// Maximum number of pages of a file.
const MOST: u64 = 2000;

/// Width of the band around the map on each page, for crop marks and the page's name, in micrometres.
pub(super) const BAND: u32 = 4500;

/// The pages that a map needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pages {
    /// Rows and columns of the map.
    map: Size,
    print: PrintLayout,
    square: Length,
    /// Width and height of the paper in its orientation, in micrometres.
    sides: [u32; 2],
    /// Rows and columns of squares that belong to each page, except in the last row and column of pages.
    own: Size,
    /// Rows and columns of pages.
    grid: Size,
}

impl Pages {
    /// Computes the pages of a map of size `map`.
    ///
    /// # Errors
    ///
    /// Fails if a square is smaller than 0.1 mm, if a page has no room for a square, or if the map would need more than
    /// 2000 pages.
    pub fn new(map: Size, print: &PrintLayout) -> Result<Self, ExportError> {
        let square = if let Some(square) = print.square {
            square.of_square()?
        } else {
            let [.., smallest] = SQUARES;
            let takes_few = |square: &u32| {
                let pages = Self::best(map, print, Length(*square));
                pages.is_some_and(|pages| pages.count() <= FEW)
            };
            Length(SQUARES.into_iter().find(takes_few).unwrap_or(smallest))
        };
        match Self::best(map, print, square) {
            Some(pages) if pages.count() <= MOST => Ok(pages),
            Some(pages) => Err(ExportError::Options(format!(
                "{map} squares of {square} would take {} pages of {}; use smaller squares or larger paper",
                pages.count(),
                print.paper
            ))),
            None => Err(ExportError::Options(format!(
                "{} has no room for a square of {square} between margins of {}; use smaller squares, margins or \
                 overlap, or larger paper",
                print.paper, print.margin
            ))),
        }
    }

    /// Returns the pages in the orientation that needs fewer of them; on a tie, in the orientation of the map.
    fn best(map: Size, print: &PrintLayout, square: Length) -> Option<Self> {
        let [short, long] = print.paper.sides();
        let (upright, across) = ([short, long], [long, short]);
        let order = if map.x >= map.y {
            [upright, across]
        } else {
            [across, upright]
        };
        let ways = order
            .into_iter()
            .filter_map(|sides| Self::of(map, print, square, sides));
        ways.min_by_key(Self::count)
    }

    fn of(map: Size, print: &PrintLayout, square: Length, sides: [u32; 2]) -> Option<Self> {
        let taken = 2 * (u64::from(print.margin.0) + u64::from(BAND));
        // Returns the number of squares that belong to each page except the last along the axis, and the number of
        // pages along the axis.
        let along = |side: u32, squares: i32| {
            let room = u64::from(side).checked_sub(taken)?;
            let each = u64::from(square.0.max(1));
            let squares = squares.max(1) as u64;
            let last = room / each;
            if last >= squares {
                return Some((squares as i32, 1));
            }
            let own = room.saturating_sub(u64::from(print.overlap.0)) / each;
            if own == 0 {
                return None;
            }
            Some((own as i32, (squares - last).div_ceil(own) as i32 + 1))
        };
        let (columns, across) = along(sides[0], map.y)?;
        let (rows, down) = along(sides[1], map.x)?;
        Some(Self {
            map,
            print: *print,
            square,
            sides,
            own: Size::new(rows, columns),
            grid: Size::new(down, across),
        })
    }

    /// Returns the number of pages that show the map.
    pub fn count(&self) -> u64 {
        self.grid.squares()
    }

    /// Returns the number of rows and columns of pages.
    pub const fn grid(&self) -> Size {
        self.grid
    }

    /// Returns the length of a square's side.
    pub const fn square(&self) -> Length {
        self.square
    }

    /// Returns the width and height of the paper in its orientation.
    pub fn sides(&self) -> [Length; 2] {
        self.sides.map(Length)
    }

    /// Returns the margin of the paper.
    pub const fn margin(&self) -> Length {
        self.print.margin
    }

    /// Returns the paper size.
    pub const fn paper(&self) -> Paper {
        self.print.paper
    }

    /// Returns each page as its row and column, row by row.
    pub(super) fn each(&self) -> impl Iterator<Item = Point> + use<> {
        let Size { x, y } = self.grid;
        (0..x).flat_map(move |row| (0..y).map(move |column| Point::new(row, column)))
    }

    /// Returns the name of a page: letters for its row and a number for its column, such as `B3`.
    pub fn name(page: Point) -> String {
        let mut letters = Vec::new();
        let mut row = page.x;
        while row >= 0 {
            letters.push(char::from(b'A' + (row % 26) as u8));
            row = row / 26 - 1;
        }
        letters.reverse();
        format!("{}{}", letters.into_iter().collect::<String>(), page.y + 1)
    }

    /// Returns the first square of a page, and the number of rows and columns of squares that belong to the page.
    pub fn squares(&self, page: Point) -> (Point, Size) {
        let from = Point::new(page.x * self.own.x, page.y * self.own.y);
        let along = |place: i32, pages: i32, own: i32, from: i32, all: i32| {
            if place + 1 < pages { own } else { all - from }
        };
        let rows = along(page.x, self.grid.x, self.own.x, from.x, self.map.x);
        let columns = along(page.y, self.grid.y, self.own.y, from.y, self.map.y);
        (from, Size::new(rows, columns))
    }

    /// Returns the width of a page's right overlap strip and the height of its lower one, in micrometres; 0 at the edge
    /// of the map.
    pub(super) fn strips(&self, page: Point) -> [u32; 2] {
        let (from, own) = self.squares(page);
        let strip = |end: i32, all: i32| {
            let rest = (all - end) as u64 * u64::from(self.square.0);
            u64::from(self.print.overlap.0).min(rest) as u32
        };
        [strip(from.y + own.y, self.map.y), strip(from.x + own.x, self.map.x)]
    }

    /// Returns the distance of the map from the left and the upper edge of the paper, in micrometres.
    pub(super) fn corner(&self) -> u32 {
        self.print.margin.0 + BAND
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_are_parsed_in_every_unit() {
        let read = |text: &str| text.parse::<Length>().map(Length::in_micrometres);
        for (text, length) in [
            ("25.4mm", 25_400),
            ("1in", 25_400),
            ("1 IN", 25_400),
            ("0.5cm", 5000),
            ("72pt", 25_400),
            ("7", 7000),
            ("0", 0),
        ] {
            assert_eq!(read(text), Ok(length), "{text}");
        }
        for wrong in ["", "mm", "-1mm", "5 feet", "nan", "inf", "1e9mm", "5mmmm", "1inin"] {
            assert!(
                read(wrong).is_err_and(|error| error.to_string().contains("not a length")),
                "{wrong}"
            );
        }
        assert_eq!(Length(25_400).to_string(), "25.4 mm");
    }

    #[test]
    fn papers_have_names() {
        for paper in Paper::all() {
            assert_eq!(paper.to_string().parse(), Ok(paper));
            let [short, long] = paper.sides();
            assert!(short < long);
        }
        assert_eq!(
            [Paper::A4, Paper::Legal].map(|paper| paper.to_string()),
            ["A4", "Legal"]
        );
        assert!(
            "foolscap"
                .parse::<Paper>()
                .is_err_and(|error| error.to_string().contains("tabloid"))
        );
    }

    #[test]
    fn pages_are_named_by_row_and_column() {
        let names = [(0, 0), (1, 2), (25, 0), (26, 9), (701, 0), (702, 0)].map(|(x, y)| Pages::name(Point::new(x, y)));
        assert_eq!(names, ["A1", "B3", "Z1", "AA10", "ZZ1", "AAA1"]);
    }

    #[test]
    fn a_small_map_takes_one_page_and_a_large_one_few() {
        let pages = |x, y| Pages::new(Size::new(x, y), &PrintLayout::default()).unwrap();
        let small = pages(30, 40);
        assert_eq!((small.count(), small.square()), (1, Length(5000)));
        // The orientation follows the map.
        assert_eq!(small.sides(), [Length(297_000), Length(210_000)]);
        assert_eq!(pages(40, 30).sides(), [Length(210_000), Length(297_000)]);
        for (x, y) in [(200, 300), (1000, 1000), (20, 1000), (1000, 20)] {
            let pages = pages(x, y);
            assert!(pages.count() <= FEW, "{pages:?}");
        }
    }

    #[test]
    fn layouts_that_do_not_fit_are_reported() {
        let error = |map, print| Pages::new(map, &print).unwrap_err().to_string();
        let description = |map, square, margin| {
            let print = PrintLayout {
                square,
                margin: Length(margin),
                ..PrintLayout::default()
            };
            error(map, print)
        };
        let map = Size::new(1000, 1000);
        assert!(description(map, Some(Length(99)), 7000).contains("too small to print; use at least 0.1mm"));
        assert!(description(map, Some(Length(300_000)), 7000).contains("no room for a square of 300 mm"));
        assert!(description(map, Some(Length(25_400)), 7000).contains("pages of A4; use smaller squares"));
        assert!(description(map, None, 110_000).contains("use smaller squares, margins or overlap"));
        // The length of a square is chosen, and the margins are not the reason.
        assert!(description(Size::new(30_000, 30_000), None, 7000).contains("pages of A4; use smaller squares"));
        let overlap = PrintLayout {
            overlap: Length(400_000),
            ..PrintLayout::default()
        };
        assert!(error(map, overlap).contains("use smaller squares, margins or overlap"));
    }

    proptest! {
        // Every square belongs to exactly one page, and every page fits on the paper.
        #[test]
        fn each_square_belongs_to_one_page(
            x in 20..400_i32, y in 20..400_i32, square in 2000..30_000_u32, overlap in 0..20_000_u32,
            paper in prop::sample::select(Paper::all().collect::<Vec<_>>())
        ) {
            let map = Size::new(x, y);
            let print = PrintLayout { paper, square: Some(Length(square)), overlap: Length(overlap), ..PrintLayout::default() };
            let Ok(pages) = Pages::new(map, &print) else { return Ok(()) };
            let mut seen = vec![0_u8; map.squares() as usize];
            for page in pages.each() {
                let (from, own) = pages.squares(page);
                prop_assert!(own.x > 0 && own.y > 0);
                for row in from.x..from.x + own.x {
                    for column in from.y..from.y + own.y {
                        seen[(row * y + column) as usize] += 1;
                    }
                }
                let strips = pages.strips(page);
                let taken = [own.y, own.x].map(|squares| squares as u32 * square);
                for axis in 0..2 {
                    let end = pages.corner() + taken[axis] + strips[axis] + BAND + print.margin.0;
                    prop_assert!(end <= pages.sides[axis], "{pages:?}");
                    let is_last = [page.y + 1 == pages.grid.y, page.x + 1 == pages.grid.x][axis];
                    prop_assert_eq!(strips[axis] == 0, is_last || overlap == 0);
                }
            }
            prop_assert!(seen.iter().all(|times| *times == 1));
        }
    }
}

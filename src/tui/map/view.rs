//! From squares to characters and back: zoom, and the part of the dungeon that a window shows.
//!
//! Everything here is arithmetic on sizes; a [`MapWindow`] is computed anew for every drawing and every click.

use ratatui::layout::Rect;

use crate::geometry::{Point, Size};

/// How large a square is drawn. Levels from near to far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) enum Zoom {
    /// Two characters a square, which looks square.
    Double,
    /// One character a square.
    Single,
    /// Half a character a square, one above the other, which looks square.
    Half,
    /// Eight dots a character, each for a block of as many squares each way as the number says.
    Dots(u16),
}

impl Zoom {
    /// The largest block of squares that a dot stands for; enough for any dungeon.
    const LARGEST: u16 = 512;

    /// The next level nearer.
    #[must_use]
    pub(in crate::tui) const fn nearer(self) -> Self {
        match self {
            Self::Double | Self::Single => Self::Double,
            Self::Half => Self::Single,
            Self::Dots(1) => Self::Half,
            Self::Dots(block) => Self::Dots(block / 2),
        }
    }

    /// The next level farther.
    #[must_use]
    pub(in crate::tui) const fn farther(self) -> Self {
        match self {
            Self::Double => Self::Single,
            Self::Single => Self::Half,
            Self::Half => Self::Dots(1),
            Self::Dots(block) if block >= Self::LARGEST => self,
            Self::Dots(block) => Self::Dots(block * 2),
        }
    }

    /// Squares in the height of a character.
    pub(in crate::tui) const fn rows(self) -> i32 {
        match self {
            Self::Double | Self::Single => 1,
            Self::Half => 2,
            Self::Dots(block) => 4 * block as i32,
        }
    }

    /// Squares in the width of [`Zoom::width`] characters.
    pub(in crate::tui) const fn columns(self) -> i32 {
        match self {
            Self::Double | Self::Single | Self::Half => 1,
            Self::Dots(block) => 2 * block as i32,
        }
    }

    /// Characters that [`Zoom::columns`] squares are wide.
    pub(in crate::tui) const fn width(self) -> i32 {
        match self {
            Self::Double => 2,
            Self::Single | Self::Half | Self::Dots(_) => 1,
        }
    }

    /// Squares that are drawn as one: the view moves by whole ones.
    const fn block(self) -> i32 {
        match self {
            Self::Double | Self::Single | Self::Half => 1,
            Self::Dots(block) => block as i32,
        }
    }

    /// How many squares a window shows.
    pub(in crate::tui) const fn squares_in(self, window: Rect) -> Size {
        Size::new(
            window.height as i32 * self.rows(),
            window.width as i32 / self.width() * self.columns(),
        )
    }

    /// The nearest level that looks square and at which the whole dungeon has room in a window; the
    /// farthest when none has.
    pub(in crate::tui) const fn fitting(dungeon: Size, window: Rect) -> Self {
        let mut zoom = Self::Double;
        loop {
            let seen = zoom.squares_in(window);
            let last = matches!(zoom, Self::Dots(Self::LARGEST));
            if last || (seen.x >= dungeon.x && seen.y >= dungeon.y) {
                return zoom;
            }
            zoom = match zoom.farther() {
                Self::Single => Self::Half,
                farther => farther,
            };
        }
    }

    /// How large squares are drawn, in percent of a character's height (the nearest level: of its width).
    pub(in crate::tui) fn name(self) -> String {
        match self {
            Self::Double => "200 %".into(),
            Self::Single => "100 %".into(),
            Self::Half => "50 %".into(),
            Self::Dots(block) => format!("{} %", (25.0 / f32::from(block) * 10.0).round() / 10.0),
        }
    }
}

/// What a window shows of a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct MapWindow {
    /// How large a square is.
    pub zoom: Zoom,
    /// The square at the top left of `area`.
    pub origin: Point,
    /// The characters that show squares; smaller than the window where the dungeon is.
    pub area: Rect,
}

impl MapWindow {
    /// The origin that shows a square in a window of so many characters, as little away from this one as does.
    pub(in crate::tui) fn origin_that_shows(&self, at: Point, window: Rect) -> Point {
        let seen = self.zoom.squares_in(window);
        let follow = |at: i32, origin: i32, seen: i32, step: i32| {
            if at < origin {
                at
            } else if at >= origin + seen {
                at - seen + step
            } else {
                origin
            }
        };
        Point::new(
            follow(at.x, self.origin.x, seen.x, self.zoom.rows()),
            follow(at.y, self.origin.y, seen.y, self.zoom.columns()),
        )
    }

    /// The view of a dungeon in a window, as near to the wanted origin as the dungeon's edges allow, and
    /// in the middle where the dungeon is smaller.
    pub(in crate::tui) fn new(dungeon: Size, window: Rect, zoom: Zoom, wanted: Point) -> Self {
        let seen = zoom.squares_in(window);
        let start = |wanted: i32, seen: i32, whole: i32| {
            let start = wanted.clamp(0, (whole - seen).max(0));
            // Rounded up at the far end, so that the last squares can be seen.
            if start == whole - seen {
                (start + zoom.block() - 1) / zoom.block() * zoom.block()
            } else {
                start / zoom.block() * zoom.block()
            }
        };
        let origin = Point::new(start(wanted.x, seen.x, dungeon.x), start(wanted.y, seen.y, dungeon.y));
        let characters = |squares: i32, each: i32, width: i32| (squares + each - 1) / each * width;
        let height = characters(dungeon.x - origin.x, zoom.rows(), 1).clamp(0, i32::from(window.height)) as u16;
        let width = characters(dungeon.y - origin.y, zoom.columns(), zoom.width())
            .clamp(0, i32::from(window.width) / zoom.width() * zoom.width()) as u16;
        Self {
            zoom,
            origin,
            area: Rect::new(
                window.x + (window.width - width) / 2,
                window.y + (window.height - height) / 2,
                width,
                height,
            ),
        }
    }

    /// The first square that a character shows; the character may lie outside of the area.
    pub(in crate::tui) fn square_at(&self, column: u16, row: u16) -> Point {
        let down = i32::from(row) - i32::from(self.area.y);
        let right = i32::from(column) - i32::from(self.area.x);
        Point::new(
            self.origin.x + down * self.zoom.rows(),
            self.origin.y + right.div_euclid(self.zoom.width()) * self.zoom.columns(),
        )
    }

    /// The character that shows a square (the left one of two), if any does.
    pub(in crate::tui) fn character_of(&self, at: Point) -> Option<(u16, u16)> {
        let down = (at.x - self.origin.x).div_euclid(self.zoom.rows());
        let right = (at.y - self.origin.y).div_euclid(self.zoom.columns()) * self.zoom.width();
        let inside =
            (0..i32::from(self.area.height)).contains(&down) && (0..i32::from(self.area.width)).contains(&right);
        inside.then(|| (self.area.x + right as u16, self.area.y + down as u16))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn levels() -> Vec<Zoom> {
        let mut all = vec![Zoom::Double];
        while let Some(zoom) = all.last().map(|z| z.farther()).filter(|z| Some(z) != all.last()) {
            all.push(zoom);
        }
        all
    }

    #[test]
    fn levels_go_there_and_back() {
        let all = levels();
        assert_eq!(all.len(), 13);
        for pair in all.windows(2) {
            assert_eq!(pair[1].nearer(), pair[0]);
        }
    }

    #[test]
    fn a_dungeon_that_fits_is_shown_whole_and_in_the_middle() {
        let window = Rect::new(1, 1, 78, 33);
        let dungeon = Size::new(100, 100);
        let zoom = Zoom::fitting(dungeon, window);
        assert_eq!(zoom, Zoom::Dots(1));
        let view = MapWindow::new(dungeon, window, zoom, Point::new(40, 40));
        assert_eq!(view.origin, Point::new(0, 0));
        assert_eq!(view.area, Rect::new(15, 5, 50, 25));
    }

    #[test]
    fn what_fits_looks_square() {
        let window = Rect::new(0, 0, 70, 33);
        assert_eq!(Zoom::fitting(Size::new(30, 35), window), Zoom::Double);
        assert_eq!(Zoom::fitting(Size::new(30, 60), window), Zoom::Half);
        assert_eq!(Zoom::fitting(Size::new(32_767, 32_767), window), Zoom::Dots(256));
        assert_eq!(
            Zoom::fitting(Size::new(50, 50), Rect::ZERO),
            Zoom::Dots(Zoom::LARGEST),
            "no room at all"
        );
    }

    proptest! {
        #[test]
        fn every_shown_square_has_its_character(
            x in 20..3_000i32, y in 20..3_000i32, width in 1..300u16, height in 1..100u16,
            wanted_x in -100..4_000i32, wanted_y in -100..4_000i32, level in 0..13usize,
        ) {
            let dungeon = Size::new(x, y);
            let window = Rect::new(3, 2, width, height);
            let view = MapWindow::new(dungeon, window, levels()[level], Point::new(wanted_x, wanted_y));
            prop_assert_eq!(view.area.intersection(window), view.area);
            for row in (view.area.top()..view.area.bottom()).step_by(3) {
                for column in (view.area.left()..view.area.right()).step_by(5) {
                    let square = view.square_at(column, row);
                    prop_assert!(dungeon.contains(square), "{square}");
                    let (shown_column, shown_row) = view.character_of(square).unwrap();
                    prop_assert_eq!(shown_row, row);
                    prop_assert_eq!(shown_column, column - (column - view.area.x) % view.zoom.width() as u16);
                }
            }
            // The far corner can be brought into view.
            let far = Point::new(x - 1, y - 1);
            let end = MapWindow::new(dungeon, window, levels()[level], far);
            if i32::from(window.width) >= end.zoom.width() {
                prop_assert!(end.character_of(far).is_some(), "{end:?}");
            }
        }
    }
}

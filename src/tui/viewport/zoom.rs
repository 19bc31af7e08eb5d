//! The zoom levels of a map in characters.

use ratatui::layout::Rect;

use crate::geometry::Size;

/// The zoom level, from near to far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) enum Zoom {
    /// Two characters per square, side by side. A character is about twice as high as wide, so a square looks square.
    Double,
    /// Half a character per square: one character shows two squares, one above the other. This also looks square.
    Half,
    /// Eight dots per character; each dot shows a block whose side is this number of squares.
    Dots(u16),
}

impl Zoom {
    /// Side of the largest block of squares per dot; enough for any dungeon.
    const LARGEST: u16 = 512;

    /// Returns the next closer level.
    #[must_use]
    pub(in crate::tui) const fn nearer(self) -> Self {
        match self {
            Self::Double | Self::Half => Self::Double,
            Self::Dots(1) => Self::Half,
            Self::Dots(block) => Self::Dots(block / 2),
        }
    }

    /// Returns the next farther level.
    #[must_use]
    pub(in crate::tui) const fn farther(self) -> Self {
        match self {
            Self::Double => Self::Half,
            Self::Half => Self::Dots(1),
            Self::Dots(block) if block >= Self::LARGEST => self,
            Self::Dots(block) => Self::Dots(block * 2),
        }
    }

    /// Returns the number of squares in the height of a character.
    pub(in crate::tui) const fn rows(self) -> i32 {
        match self {
            Self::Double => 1,
            Self::Half => 2,
            Self::Dots(block) => 4 * block as i32,
        }
    }

    /// Returns the number of squares that [`Zoom::width`] characters show side by side.
    pub(in crate::tui) const fn columns(self) -> i32 {
        match self {
            Self::Double | Self::Half => 1,
            Self::Dots(block) => 2 * block as i32,
        }
    }

    /// Returns the number of characters that show [`Zoom::columns`] squares side by side.
    pub(in crate::tui) const fn width(self) -> i32 {
        match self {
            Self::Double => 2,
            Self::Half | Self::Dots(_) => 1,
        }
    }

    /// Returns the side, in squares, of the block that one dot shows; 1 at zoom levels without dots. Scrolling moves by
    /// whole blocks.
    pub(super) const fn block(self) -> i32 {
        match self {
            Self::Double | Self::Half => 1,
            Self::Dots(block) => block as i32,
        }
    }

    /// Returns how many squares a viewport shows.
    pub(in crate::tui) const fn squares_in(self, window: Rect) -> Size {
        Size::new(
            window.height as i32 * self.rows(),
            window.width as i32 / self.width() * self.columns(),
        )
    }

    /// Returns the width and height of a whole dungeon in characters.
    pub(in crate::tui) const fn characters_of(self, dungeon: Size) -> (i32, i32) {
        let width = (dungeon.y + self.columns() - 1) / self.columns() * self.width();
        (width, (dungeon.x + self.rows() - 1) / self.rows())
    }

    /// Returns the closest level at which the whole dungeon fits into a viewport; the farthest level if it fits at
    /// none.
    pub(in crate::tui) const fn fitting(dungeon: Size, window: Rect) -> Self {
        let mut zoom = Self::Double;
        loop {
            let seen = zoom.squares_in(window);
            let last = matches!(zoom, Self::Dots(Self::LARGEST));
            if last || (seen.x >= dungeon.x && seen.y >= dungeon.y) {
                return zoom;
            }
            zoom = zoom.farther();
        }
    }

    /// Describes the size of squares in words: how a square is drawn, or how many squares a character shows.
    pub(in crate::tui) fn name(self) -> String {
        match self {
            Self::Double => "full blocks".into(),
            Self::Half => "half blocks".into(),
            Self::Dots(block) => format!("{} × {} squares per character", 4 * block, 2 * block),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::map_window::MapWindow;
    use super::*;
    use crate::geometry::Point;

    fn levels() -> Vec<Zoom> {
        let mut all = vec![Zoom::Double];
        while let Some(zoom) = all.last().map(|z| z.farther()).filter(|z| Some(z) != all.last()) {
            all.push(zoom);
        }
        all
    }

    #[test]
    fn zooming_in_and_out_is_reversible() {
        let all = levels();
        assert_eq!(all.len(), 12);
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
    fn squares_look_square_at_the_level_that_fits() {
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
            wanted_x in -100..4_000i32, wanted_y in -100..4_000i32, level in 0..12usize,
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
            // The far corner can be scrolled into view.
            let far = Point::new(x - 1, y - 1);
            let end = MapWindow::new(dungeon, window, levels()[level], far);
            if i32::from(window.width) >= end.zoom.width() {
                prop_assert!(end.character_of(far).is_some(), "{end:?}");
            }
        }
    }
}

//! The map in pixels, for terminals that can show pictures. The side of a square can be any whole number of pixels, so
//! that a whole dungeon nearly fills its pane.
//!
//! If a dungeon has more squares than its pane has pixels, a pixel shows a block of squares. The map is first drawn in
//! characters at the zoom that [`PixelScale::style`] returns, and these characters are then converted to pixels. So a
//! map in pixels can show everything that a map in characters can.

use std::cmp::{Ordering, Reverse};

use ratatui::layout::Rect;

use super::zoom::Zoom;
use crate::geometry::Size;

/// The size of a character in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct CellSize {
    pub(in crate::tui) width: u16,
    pub(in crate::tui) height: u16,
}

impl CellSize {
    /// Range of widths and heights that are accepted from a terminal; reports outside this range are treated as errors.
    const PLAUSIBLE: std::ops::RangeInclusive<u16> = 3..=128;

    /// Returns the size if it is plausible for a character; otherwise `None`.
    pub(in crate::tui) fn plausible(width: u16, height: u16) -> Option<Self> {
        let is_plausible = Self::PLAUSIBLE.contains(&width) && Self::PLAUSIBLE.contains(&height);
        is_plausible.then_some(Self { width, height })
    }
}

/// The terminal's support for pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct PictureSupport {
    /// The size of a character.
    pub(in crate::tui) cell: CellSize,
    /// The id under which the terminal stores the first picture. Several processes of the app may share a terminal, so
    /// the id depends on the process.
    pub(in crate::tui) first: u32,
}

/// The scale of a map in pixels: pixels per square, or squares per pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct PixelScale {
    /// Pixels along the side of a square; 1 if a pixel shows a block of squares.
    pub(in crate::tui) side: u16,
    /// Squares along the side of the block that a pixel shows; 1 if a square has at least one pixel.
    pub(in crate::tui) block: u16,
    /// The size of a character.
    pub(in crate::tui) cell: CellSize,
}

/// Orders scales from near to far, like the levels of [`Zoom`].
impl PartialOrd for PixelScale {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let key = |scale: &Self| (Reverse(scale.side), scale.block);
        Some(key(self).cmp(&key(other)))
    }
}

impl PixelScale {
    /// The scales that zooming steps through, each as the side of a square in pixels.
    const SIDES: [u16; 15] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64];

    /// Side of the largest block of squares per pixel; enough for any dungeon.
    const LARGEST: u16 = 512;

    /// Smallest side in pixels at which a square is drawn with two characters, which have room for a symbol.
    const FROM_DOUBLE: u16 = 3;

    /// Returns the largest scale at which the whole dungeon fits into a viewport; the smallest scale if it fits at
    /// none.
    pub(in crate::tui) fn fitting(dungeon: Size, window: Rect, cell: CellSize) -> Self {
        let high = i32::from(window.height) * i32::from(cell.height);
        let wide = i32::from(window.width) * i32::from(cell.width);
        let side = (high / dungeon.x.max(1)).min(wide / dungeon.y.max(1));
        let largest = i32::from(Self::SIDES[Self::SIDES.len() - 1]);
        if side > 0 {
            let side = side.min(largest) as u16;
            return Self { side, block: 1, cell };
        }
        let block = |squares: i32, pixels: i32| (squares + pixels - 1).checked_div(pixels).unwrap_or(i32::MAX);
        let block = block(dungeon.x, high).max(block(dungeon.y, wide));
        let block = block.clamp(2, i32::from(Self::LARGEST)) as u16;
        Self { side: 1, block, cell }
    }

    /// Returns the next closer scale.
    #[must_use]
    pub(in crate::tui) fn nearer(self) -> Self {
        let next = Self::SIDES.into_iter().find(|side| *side > self.side);
        match (self.block, next) {
            // Halves the block. A block that is not a power of two, which only `fitting` returns, becomes the next
            // smaller power of two.
            (2.., _) => Self {
                block: self.block.div_ceil(2).next_power_of_two(),
                ..self
            },
            (_, Some(side)) => Self { side, ..self },
            (_, None) => self,
        }
    }

    /// Returns the next farther scale.
    #[must_use]
    pub(in crate::tui) fn farther(self) -> Self {
        let next = Self::SIDES.into_iter().rev().find(|side| *side < self.side);
        match next {
            Some(side) => Self { side, ..self },
            None if self.block < Self::LARGEST => Self {
                block: (self.block + 1).next_power_of_two(),
                ..self
            },
            None => self,
        }
    }

    /// Returns the zoom at which the map is drawn in characters, which are then converted to pixels.
    pub(in crate::tui) const fn style(self) -> Zoom {
        match (self.side, self.block) {
            (_, 2..) => Zoom::Dots(self.block),
            (Self::FROM_DOUBLE.., _) => Zoom::Double,
            _ => Zoom::Half,
        }
    }

    /// Returns the first pixel of a square, counted from the first pixel of square 0.
    pub(in crate::tui) const fn pixel(self, square: i32) -> i32 {
        (square * self.side as i32).div_euclid(self.block as i32)
    }

    /// Returns the first square of a pixel.
    pub(in crate::tui) const fn square(self, pixel: i32) -> i32 {
        (pixel * self.block as i32).div_euclid(self.side as i32)
    }

    /// Returns how many squares a viewport shows completely: rows and columns.
    pub(in crate::tui) fn squares_in(self, window: Rect) -> Size {
        Size::new(
            self.square(i32::from(window.height) * i32::from(self.cell.height)),
            self.square(i32::from(window.width) * i32::from(self.cell.width)),
        )
    }

    /// Returns the width and height of a whole dungeon in characters.
    pub(in crate::tui) fn characters_of(self, dungeon: Size) -> (i32, i32) {
        let characters = |squares: i32, cell: u16| {
            let pixels = self.pixel(squares + i32::from(self.block) - 1);
            (pixels + i32::from(cell) - 1) / i32::from(cell)
        };
        (
            characters(dungeon.y, self.cell.width),
            characters(dungeon.x, self.cell.height),
        )
    }

    /// Describes the size of squares in words.
    pub(in crate::tui) fn name(self) -> String {
        match (self.side, self.block) {
            (_, block @ 2..) => format!("{block} × {block} squares per pixel"),
            (1, _) => "one pixel per square".into(),
            (side, _) => format!("{side} × {side} pixels per square"),
        }
    }
}

/// The scale of a map, in characters or in pixels.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(in crate::tui) enum MapScale {
    Characters(Zoom),
    Pixels(PixelScale),
}

impl MapScale {
    /// Returns the largest scale at which the whole dungeon fits into a viewport.
    pub(in crate::tui) fn fitting(dungeon: Size, window: Rect, cell: Option<CellSize>) -> Self {
        match cell {
            Some(cell) => Self::Pixels(PixelScale::fitting(dungeon, window, cell)),
            None => Self::Characters(Zoom::fitting(dungeon, window)),
        }
    }

    /// Returns the next closer scale.
    #[must_use]
    pub(in crate::tui) fn nearer(self) -> Self {
        match self {
            Self::Characters(zoom) => Self::Characters(zoom.nearer()),
            Self::Pixels(scale) => Self::Pixels(scale.nearer()),
        }
    }

    /// Returns the next farther scale.
    #[must_use]
    pub(in crate::tui) fn farther(self) -> Self {
        match self {
            Self::Characters(zoom) => Self::Characters(zoom.farther()),
            Self::Pixels(scale) => Self::Pixels(scale.farther()),
        }
    }

    /// Returns whether the scale suits the terminal: a scale in pixels if the size of a character in pixels is known,
    /// otherwise a scale in characters.
    pub(in crate::tui) const fn suits(self, cell: Option<CellSize>) -> bool {
        matches!(self, Self::Pixels(_)) == cell.is_some()
    }

    /// Returns the width and height of a whole dungeon in characters.
    pub(in crate::tui) fn characters_of(self, dungeon: Size) -> (i32, i32) {
        match self {
            Self::Characters(zoom) => zoom.characters_of(dungeon),
            Self::Pixels(scale) => scale.characters_of(dungeon),
        }
    }

    /// Returns whether squares are smaller than half a character.
    pub(in crate::tui) fn is_small(self) -> bool {
        match self {
            Self::Characters(zoom) => zoom > Zoom::Half,
            Self::Pixels(scale) => scale.side * 2 < scale.cell.height,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::map_window::MapWindow;
    use super::*;
    use crate::geometry::Point;

    const CELL: CellSize = CellSize { width: 8, height: 16 };

    fn scales() -> Vec<PixelScale> {
        let mut all = vec![PixelScale {
            side: 64,
            block: 1,
            cell: CELL,
        }];
        while let Some(farther) = all
            .last()
            .map(|scale| scale.farther())
            .filter(|scale| Some(scale) != all.last())
        {
            all.push(farther);
        }
        all
    }

    #[test]
    fn zooming_in_and_out_is_reversible_and_scales_are_ordered() {
        let all = scales();
        assert_eq!(all.len(), 15 + 9);
        for pair in all.windows(2) {
            assert_eq!(pair[1].nearer(), pair[0]);
            assert!(pair[0] < pair[1]);
        }
        assert_eq!(all[0].nearer(), all[0]);
        // Only `fitting` returns a side that is not in `SIDES`. From such a side, zooming leads to the neighbouring
        // sides in `SIDES`.
        let odd = PixelScale {
            side: 7,
            block: 1,
            cell: CELL,
        };
        assert_eq!((odd.nearer().side, odd.farther().side), (8, 6));
        for (block, nearer, farther) in [(3, 2, 4), (5, 4, 8), (6, 4, 8), (7, 4, 8)] {
            let odd = PixelScale {
                side: 1,
                block,
                cell: CELL,
            };
            assert_eq!((odd.nearer().block, odd.farther().block), (nearer, farther));
        }
    }

    #[test]
    fn a_dungeon_fills_its_pane_with_whole_pixels() {
        let window = Rect::new(1, 1, 79, 33);
        for (dungeon, side, block) in [
            (Size::new(30, 60), 10, 1),
            (Size::new(70, 89), 7, 1),
            (Size::new(500, 600), 1, 1),
            (Size::new(600, 600), 1, 2),
            (Size::new(1_500, 1_500), 1, 3),
            (Size::new(2_000, 2_000), 1, 4),
            (Size::new(2_700, 2_500), 1, 6),
            (Size::new(32_767, 32_767), 1, 63),
        ] {
            let scale = PixelScale::fitting(dungeon, window, CELL);
            assert_eq!((scale.side, scale.block), (side, block), "{dungeon}");
            let (wide, high) = scale.characters_of(dungeon);
            assert!(wide <= 79 && high <= 33, "{dungeon}: {wide} × {high}");
        }
        let large = Rect::new(0, 0, 250, 125);
        assert_eq!(
            PixelScale::fitting(Size::new(2_000, 2_000), large, CELL).name(),
            "one pixel per square"
        );
        let nothing = PixelScale::fitting(Size::new(50, 50), Rect::ZERO, CELL);
        assert_eq!(nothing.block, PixelScale::LARGEST);
    }

    #[test]
    fn implausible_character_sizes_are_rejected() {
        assert!(CellSize::plausible(8, 16).is_some());
        for (width, height) in [(0, 0), (8, 0), (1, 2), (800, 16), (8, u16::MAX)] {
            assert!(CellSize::plausible(width, height).is_none(), "{width} × {height}");
        }
    }

    proptest! {
        #[test]
        fn every_shown_square_has_its_character(
            x in 20..3_000i32, y in 20..3_000i32, width in 1..300u16, height in 1..100u16,
            wanted_x in -100..4_000i32, wanted_y in -100..4_000i32, level in 0..24usize, odd in 1..40u16,
            cell_width in 3..20u16, cell_height in 6..40u16,
        ) {
            let dungeon = Size::new(x, y);
            let window = Rect::new(3, 2, width, height);
            let cell = CellSize { width: cell_width, height: cell_height };
            let known = scales()[level];
            let scale = PixelScale { cell, block: if known.block > 1 { odd + 1 } else { 1 }, ..known };
            let view = MapWindow::of_pixels(dungeon, window, scale, Point::new(wanted_x, wanted_y));
            prop_assert_eq!(view.area.intersection(window), view.area);
            for row in (view.area.top()..view.area.bottom()).step_by(3) {
                for column in (view.area.left()..view.area.right()).step_by(5) {
                    let (first, size) = view.squares_of(column, row);
                    prop_assert!(dungeon.contains(first), "{first}");
                    prop_assert!(size.x > 0 && size.y > 0);
                    // `character_of` returns the character with the square's first pixel, which may be an earlier
                    // character.
                    let last = Point::new(first.x + size.x - 1, first.y + size.y - 1);
                    let (shown_column, shown_row) = view.character_of(last).unwrap_or((column, row));
                    prop_assert!(shown_column <= column && shown_row <= row);
                    let (again, squares) = view.squares_of(shown_column, shown_row);
                    prop_assert!((again.x..again.x + squares.x).contains(&last.x), "{again} {squares} {last}");
                    prop_assert!((again.y..again.y + squares.y).contains(&last.y), "{again} {squares} {last}");
                }
            }
            let far = Point::new(x - 1, y - 1);
            let end = MapWindow::of_pixels(dungeon, window, scale, far);
            if end.squares_in(window).x > 0 && end.squares_in(window).y > 0 {
                prop_assert!(end.character_of(far).is_some(), "{end:?}");
            }
        }
    }
}

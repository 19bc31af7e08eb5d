//! Pictures in the terminal, by the graphics protocol of kitty: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
//!
//! A picture is divided into [`tiles`] of a few characters. The screen has a placeholder character for each of them, so
//! that texts and dialogs cover a picture like anything else; [`encode`] writes the pixels of a tile as a command of
//! the protocol. The [`sender`] sends the tiles whose pixels have changed, a few at a time, so that a slow connection
//! is not overloaded.

mod encode;
mod raster;
mod replies;
mod sender;
mod tiles;

pub(super) use self::encode::delete_all;
pub(super) use self::raster::{CLEAR, Raster};
pub(super) use self::replies::{PictureReplies, query};
pub(super) use self::sender::PictureSender;
pub(super) use self::tiles::{fill, fill_part};

use ratatui::layout::Rect;

/// A pixel: red, green, blue and opacity.
pub(super) type Rgba = [u8; 4];

/// A picture that can be painted in parts.
pub(super) trait Painter {
    /// Returns the place of the picture.
    fn place(&self) -> PicturePlace;

    /// Returns the character whose pixels the user waits for, if any.
    fn urgent(&self) -> Option<(u16, u16)>;

    /// Returns the cost of painting a number of characters, in squares that are read.
    fn cost(&self, characters: usize) -> usize;

    /// Paints a part of the area, in characters of the screen. Returns the pixels, row by row.
    fn paint(&self, part: Rect) -> Vec<Rgba>;
}

/// The place of a picture on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PicturePlace {
    /// The characters that the picture covers.
    pub(super) area: Rect,
    /// The width and height of a character in pixels.
    pub(super) cell: (u16, u16),
    /// Number of the picture of the first tile.
    pub(super) first: u32,
}

//! Pictures in the terminal, with kitty's graphics protocol: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
//!
//! A picture is divided into [`tiles`] of a few characters. Each character of a tile is a placeholder on the screen, so
//! text and dialogs can be drawn over a picture as over any other content. [`encode`] writes the pixels of a tile as
//! commands of the protocol. The [`sender`] sends only tiles whose pixels have changed, a few at a time, so that a slow
//! connection is not overloaded.

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
    /// Returns where the picture is shown on the screen.
    fn place(&self) -> PicturePlace;

    /// Returns the position of the character whose pixels the user is waiting for, such as the character at the cursor.
    /// The tile at this position is sent first.
    fn urgent(&self) -> Option<(u16, u16)>;

    /// Returns the cost of painting a number of characters: how many squares must be read for them.
    fn cost(&self, characters: usize) -> usize;

    /// Paints a part of the picture's area and returns the pixels, row by row. `part` is given in characters of the
    /// screen.
    fn paint(&self, part: Rect) -> Vec<Rgba>;
}

/// The place of a picture on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PicturePlace {
    /// The characters that the picture covers.
    pub(super) area: Rect,
    /// The width and height of a character in pixels.
    pub(super) cell: (u16, u16),
    /// The protocol's image id of the first tile's picture; the next tiles have consecutive ids.
    pub(super) first: u32,
}

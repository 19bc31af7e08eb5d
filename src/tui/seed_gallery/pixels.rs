//! Draws the picture of a dungeon on the screen: with characters, or with placeholder characters that the terminal
//! replaces with pixels.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::areas::{PictureLook, PictureSize, SeedGalleryAreas};
use crate::background::Pixels;
use crate::tui::editor::Editor;
use crate::tui::pictures::{self, PicturePlace};
use crate::tui::widget::thumbnail;

/// Returns the place of the picture that shows all dungeons of the gallery; `None` if they are drawn with characters.
pub(super) fn place(editor: &Editor, plan: &SeedGalleryAreas) -> Option<PicturePlace> {
    let (cell, pictures) = editor.map.pixels().zip(editor.map.pictures)?;
    Some(PicturePlace {
        area: plan.sheet,
        cell: (cell.width, cell.height),
        first: pictures.first,
    })
}

/// Returns the part of `area`, in its middle, that a dungeon's picture covers. Each pixel of the picture is shown as a
/// block of `side` × `side` pixels of the terminal. `width` and `height` are the size of a character in pixels of the
/// terminal.
pub(super) fn middle(shown: &Pixels, side: u16, (width, height): (u16, u16), area: Rect) -> Rect {
    let characters = |pixels: usize, cell: u16| (pixels * usize::from(side)).div_ceil(usize::from(cell)) as u16;
    let width = characters(shown.first().map_or(0, Vec::len), width).min(area.width);
    let height = characters(shown.len(), height).min(area.height);
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// Draws the picture of a dungeon in the middle of an area.
pub(super) fn draw_picture(
    editor: &Editor,
    plan: &SeedGalleryAreas,
    shown: &Pixels,
    size: PictureSize,
    area: Rect,
    buf: &mut Buffer,
) {
    match size.look {
        PictureLook::Characters(resolution) => thumbnail::draw(editor.theme, shown, resolution, area, buf),
        PictureLook::Pixels { side, cell } => {
            if let Some(place) = place(editor, plan) {
                pictures::fill_part(place, middle(shown, side, (cell.width, cell.height), area), buf);
            }
        }
    }
}

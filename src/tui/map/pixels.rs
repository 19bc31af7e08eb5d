//! The map in pixels: draws a part of the map into a buffer of characters, then turns these characters into pixels.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use super::lookahead::LookaheadOverlay;
use super::raster::{Inks, Look};
use super::scene::Scene;
use super::{content, minimap};
use crate::geometry::{Point, Size};
use crate::recording::Frame;
use crate::tui::editor::{Editor, Focus};
use crate::tui::overlay::MapOverlays;
use crate::tui::pictures::{Painter, PicturePlace, Raster, Rgba};
use crate::tui::theme::Theme;
use crate::tui::viewport::{MapWindow, Overview, PixelScale, Zoom, window};

/// Smallest side, in pixels, of the symbols of the entrance and exit.
const SIGN: i32 = 7;

/// The map as a picture of pixels, painted in parts.
pub(in crate::tui) struct MapPicture<'a> {
    editor: &'a Editor,
    overlays: MapOverlays<'a>,
    frame: &'a Frame,
    view: MapWindow,
    scale: PixelScale,
    lookahead: Option<LookaheadOverlay>,
}

/// Returns where on the screen the map's picture is shown; `None` if the map is drawn with characters.
pub(super) fn place(editor: &Editor, view: &MapWindow) -> Option<PicturePlace> {
    let (scale, pictures) = view.pixels.zip(editor.map.pictures)?;
    Some(PicturePlace {
        area: view.area,
        cell: (scale.cell.width, scale.cell.height),
        first: pictures.first,
    })
}

impl<'a> MapPicture<'a> {
    /// Returns the picture of the map; `None` if the map is drawn with characters or has no dungeon yet.
    pub(in crate::tui) fn of(editor: &'a Editor, overlays: MapOverlays<'a>) -> Option<Self> {
        let view = editor.map.view(window(editor.areas.map));
        let frame = editor.time.frame()?;
        Some(Self {
            scale: place(editor, &view).and(view.pixels)?,
            lookahead: LookaheadOverlay::of(editor, overlays.followed, frame, &view),
            editor,
            overlays,
            frame,
            view,
        })
    }

    fn scene(&self) -> Scene<'a> {
        Scene::new(self.editor, self.frame, self.view.zoom, self.overlays.is_drawing).with_overview(Overview::Octants)
    }

    /// Draws a part of the map with characters.
    fn characters(&self, part: &Part) -> Buffer {
        let view = MapWindow {
            pixels: None,
            origin: part.origin,
            area: Rect::new(0, 0, part.columns, part.rows),
            ..self.view
        };
        let mut buf = Buffer::empty(view.area);
        let scene = self.scene();
        content::draw(
            self.editor,
            &self.overlays,
            (&scene, self.frame),
            self.lookahead.as_ref(),
            &view,
            &mut buf,
        );
        if content::is_walker(self.editor) {
            content::draw_cursor(self.editor, &view, &mut buf);
        }
        buf
    }

    /// Draws a frame around the cursor.
    fn draw_cursor(&self, part: &Part, raster: &mut Raster) {
        let style = self.editor.theme.cursor(self.editor.focus == Focus::Map);
        let [bright, edge] = [style.bg, style.fg].map(|color| {
            let [red, green, blue] = color.and_then(Theme::rgb).unwrap_or([255, 255, 255]);
            [red, green, blue, 255]
        });
        let at = part.pixel_of(self.editor.map.cursor(), self.scale);
        raster.frame_square(at, self.scale.side.into(), [bright, edge]);
    }

    /// Draws the entrance and exit as larger squares if the map's squares are too small for symbols.
    fn draw_ends(&self, part: &Part, raster: &mut Raster) {
        let side = i32::from(self.scale.side);
        if side >= SIGN {
            return;
        }
        for mark in &self.overlays.ends {
            let [ink, ground] = [mark.style.fg, mark.style.bg].map(|color| color.and_then(Theme::rgb));
            let Some([red, green, blue]) = ground.or(ink) else {
                continue;
            };
            let (left, top) = part.pixel_of(mark.at, self.scale);
            let at = (left - (SIGN - side) / 2, top - (SIGN - side) / 2);
            raster.fill(at, (SIGN, SIGN), [red, green, blue, 255]);
            raster.outline(at, SIGN, 1, [0, 0, 0, 255]);
        }
    }
}

/// The squares in a part of the picture, and the size of the character buffer that shows them.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The first square.
    origin: Point,
    /// The part's first pixel, as an offset (right, down) from the first pixel of `origin`.
    first: (i32, i32),
    /// Width of the part in pixels.
    width: i32,
    /// Height of the part in pixels.
    height: i32,
    /// Number of columns of characters.
    columns: u16,
    /// Number of rows of characters.
    rows: u16,
}

impl Part {
    /// Computes which squares lie in a screen area.
    fn new(view: &MapWindow, scale: PixelScale, dungeon: Size, area: Rect) -> Self {
        let (cell_width, cell_height) = (i32::from(scale.cell.width), i32::from(scale.cell.height));
        let left = (i32::from(area.x) - i32::from(view.area.x)) * cell_width;
        let top = (i32::from(area.y) - i32::from(view.area.y)) * cell_height;
        let (width, height) = (i32::from(area.width) * cell_width, i32::from(area.height) * cell_height);
        let (right, down) = (scale.square(left), scale.square(top));
        let origin = Point::new(view.origin.x + down, view.origin.y + right);
        let count = |first: i32, end: i32, origin: i32, squares: i32| {
            let last = scale.square(end - 1) + i32::from(scale.block) - 1;
            (last - first + 1).min(squares - origin).max(0)
        };
        let rows = count(down, top + height, origin.x, dungeon.x);
        let columns = count(right, left + width, origin.y, dungeon.y);
        let characters = |squares: i32, each: i32, width: i32| ((squares + each - 1) / each * width) as u16;
        Self {
            origin,
            first: (left - scale.pixel(right), top - scale.pixel(down)),
            width,
            height,
            columns: characters(columns, view.zoom.columns(), view.zoom.width()),
            rows: characters(rows, view.zoom.rows(), 1),
        }
    }

    /// Returns the first pixel of a square, as an offset (right, down) from the part's first pixel.
    const fn pixel_of(&self, at: Point, scale: PixelScale) -> (i32, i32) {
        (
            scale.pixel(at.y - self.origin.y) - self.first.0,
            scale.pixel(at.x - self.origin.x) - self.first.1,
        )
    }

    /// Draws the characters as pixels.
    fn draw(&self, zoom: Zoom, side: u16, inks: Inks, buf: &Buffer, raster: &mut Raster) {
        let side = i32::from(side);
        for row in 0..self.rows {
            let cells = &buf.content[usize::from(row) * usize::from(self.columns)..][..usize::from(self.columns)];
            let at = |right: i32, down: i32| (right * side - self.first.0, down * side - self.first.1);
            match zoom {
                Zoom::Double => Self::draw_squares(cells, inks, side, at(0, row.into()), raster),
                Zoom::Half => {
                    for (column, cell) in (0..).zip(cells) {
                        for (half, color) in (0..).zip(inks.halves(cell)) {
                            raster.fill(at(column, i32::from(row) * 2 + half), (side, side), color);
                        }
                    }
                }
                Zoom::Dots(_) => {
                    for (column, cell) in (0..).zip(cells) {
                        for (i, color) in (0..).zip(inks.blocks(cell)) {
                            raster.set(at(column * 2 + i % 2, i32::from(row) * 4 + i / 2), color);
                        }
                    }
                }
            }
        }
    }

    /// Draws a row of squares of two characters each. Neighbouring squares with the same background are filled
    /// together.
    fn draw_squares(cells: &[Cell], inks: Inks, side: i32, (left, top): (i32, i32), raster: &mut Raster) {
        let mut begun: Option<(i32, Look)> = None;
        let mut flush = |begun: &mut Option<(i32, Look)>, end: i32| {
            if let Some((from, look)) = begun.take() {
                raster.fill((from, top), (end - from, side), look.ground);
            }
        };
        let (pairs, _) = cells.as_chunks();
        let mut at = left;
        let mut signs = Vec::new();
        for [first, second] in pairs {
            let look = inks.square([first, second], side as u32);
            if begun.is_none_or(|(_, before)| before.ground != look.ground) {
                flush(&mut begun, at);
                begun = Some((at, look));
            }
            if look.has_sign() {
                signs.push((at, look));
            }
            at += side;
        }
        flush(&mut begun, at);
        for (at, look) in signs {
            raster.draw((at, top), side as u32, &look);
        }
    }
}

impl Painter for MapPicture<'_> {
    fn place(&self) -> PicturePlace {
        let cell = (self.scale.cell.width, self.scale.cell.height);
        let first = self.editor.map.pictures.map_or(1, |pictures| pictures.first);
        PicturePlace {
            area: self.view.area,
            cell,
            first,
        }
    }

    fn urgent(&self) -> Option<(u16, u16)> {
        self.view.character_of(self.editor.map.cursor())
    }

    fn cost(&self, characters: usize) -> usize {
        let (side, block) = (usize::from(self.scale.side), usize::from(self.scale.block.min(4)));
        let pixels = characters * usize::from(self.scale.cell.width) * usize::from(self.scale.cell.height);
        // The first term estimates the number of squares. If squares are large, filling the pixels also costs time.
        pixels * block * block / (side * side) + pixels / 32
    }

    fn paint(&self, area: Rect) -> Vec<Rgba> {
        let part = Part::new(&self.view, self.scale, self.editor.map.dungeon, area);
        let buf = self.characters(&part);
        let mut raster = Raster::new(part.width, part.height);
        let inks = Inks::of(self.editor.theme);
        part.draw(self.view.zoom, self.scale.side, inks, &buf, &mut raster);
        self.draw_ends(&part, &mut raster);
        if !content::is_walker(self.editor) {
            self.draw_cursor(&part, &mut raster);
        }
        let window = window(self.editor.areas.map);
        minimap::paint(self.editor, &self.scene(), &self.view, window, area, &mut raster);
        raster.pixels
    }
}

#[cfg(test)]
mod tests;

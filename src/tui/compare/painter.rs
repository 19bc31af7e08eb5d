//! The two maps in pixels, in terminals that show pictures: one picture covers both.

use ratatui::layout::Rect;
use ratatui::style::Color;

use super::CompareState;
use super::draw::{CompareAreas, picture_place};
use super::maps::{self, CompareMap, SAMPLES};
use crate::geometry::Point;
use crate::tui::editor::Editor;
use crate::tui::pictures::{Painter, PicturePlace, Raster, Rgba};
use crate::tui::theme::Theme;
use crate::tui::viewport::{MapWindow, PixelScale};

/// The picture of both maps.
pub(in crate::tui) struct ComparePicture<'a> {
    theme: Theme,
    place: PicturePlace,
    scale: PixelScale,
    cursor: Point,
    /// Each dungeon that has been grown, with the part of it that is shown.
    maps: Vec<(CompareMap<'a>, MapWindow)>,
}

impl<'a> ComparePicture<'a> {
    /// Returns the picture of both maps; `None` if they are drawn with characters, or not shown.
    pub(in crate::tui) fn of(state: &'a CompareState, editor: &'a Editor) -> Option<Self> {
        let place = picture_place(state, editor)?;
        let areas = CompareAreas::of(state, editor).maps;
        let views = areas.map(|map| maps::view(state, editor, map));
        let maps = views.into_iter().enumerate();
        let maps = maps.filter_map(|(side, view)| Some((CompareMap::of(state, editor, side)?, view)));
        Some(Self {
            theme: editor.theme,
            place,
            scale: views[0].pixels?,
            cursor: state.cursor,
            maps: maps.collect(),
        })
    }

    /// Returns the column and row of a map's first pixel in the picture of the screen area `part`.
    fn first_pixel(&self, view: &MapWindow, part: Rect) -> (i32, i32) {
        let (width, height) = self.place.cell;
        (
            (i32::from(view.area.x) - i32::from(part.x)) * i32::from(width),
            (i32::from(view.area.y) - i32::from(part.y)) * i32::from(height),
        )
    }

    fn paint_map(&self, map: &CompareMap<'_>, view: &MapWindow, part: Rect, raster: &mut Raster) {
        let shown = view.area.intersection(part);
        if shown.is_empty() {
            return;
        }
        let scale = self.scale;
        let (left, top) = self.first_pixel(view, part);
        let size = map.size();
        let squares = |first: u16, length: u16, area: u16, cell: u16, origin: i32, whole: i32| {
            let pixel = (i32::from(first) - i32::from(area)) * i32::from(cell);
            let end = scale.square(pixel + i32::from(length) * i32::from(cell) - 1) + i32::from(scale.block);
            (scale.square(pixel)..end.min(whole - origin)).step_by(scale.block.into())
        };
        let cell = scale.cell;
        let rows = squares(shown.y, shown.height, view.area.y, cell.height, view.origin.x, size.x);
        let columns = squares(shown.x, shown.width, view.area.x, cell.width, view.origin.y, size.y);
        let square = i32::from(scale.side);
        for down in rows {
            for right in columns.clone() {
                let at = Point::new(view.origin.x + down, view.origin.y + right);
                let color = match scale.block {
                    1 => map.color(at),
                    block => map.sample(at, block.into()).map(|(_, color)| color),
                };
                if let Some(color) = color.and_then(rgba) {
                    let corner = (left + scale.pixel(right), top + scale.pixel(down));
                    raster.fill(corner, (square, square), color);
                }
            }
        }
    }

    fn paint_cursor(&self, view: &MapWindow, part: Rect, raster: &mut Raster) {
        if view.character_of(self.cursor).is_none() {
            return;
        }
        let style = self.theme.cursor(true);
        let colors = [style.bg, style.fg].map(|color| color.and_then(rgba).unwrap_or([255; 4]));
        let (left, top) = self.first_pixel(view, part);
        let at = (
            left + self.scale.pixel(self.cursor.y - view.origin.y),
            top + self.scale.pixel(self.cursor.x - view.origin.x),
        );
        raster.frame_square(at, self.scale.side.into(), colors);
    }
}

impl Painter for ComparePicture<'_> {
    fn place(&self) -> PicturePlace {
        self.place
    }

    fn urgent(&self) -> Option<(u16, u16)> {
        self.maps.first().and_then(|(_, view)| view.character_of(self.cursor))
    }

    fn cost(&self, characters: usize) -> usize {
        let (width, height) = self.place.cell;
        let pixels = characters * usize::from(width) * usize::from(height);
        let (side, block) = (usize::from(self.scale.side), usize::from(self.scale.block.min(SAMPLES)));
        // Each square is read in both dungeons.
        2 * pixels * block * block / (side * side) + pixels / 32
    }

    fn paint(&self, part: Rect) -> Vec<Rgba> {
        let [width, height] = [self.place.cell.0, self.place.cell.1].map(i32::from);
        let mut raster = Raster::new(i32::from(part.width) * width, i32::from(part.height) * height);
        for (map, view) in &self.maps {
            self.paint_map(map, view, part, &mut raster);
            self.paint_cursor(view, part, &mut raster);
        }
        raster.pixels
    }
}

fn rgba(color: Color) -> Option<Rgba> {
    Theme::rgb(color).map(|[red, green, blue]| [red, green, blue, 255])
}

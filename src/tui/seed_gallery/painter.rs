//! Paints the gallery's dungeons in pixels, for terminals that show pictures.

use ratatui::layout::Rect;

use super::SeedGalleryState;
use super::areas::{PictureLook, PictureSize, SeedGalleryAreas};
use super::heat_map::HeatMapAreas;
use super::pixels::{middle, place};
use crate::background::Pixels;
use crate::tui::editor::Editor;
use crate::tui::pictures::{Painter, PicturePlace, Raster, Rgba};
use crate::tui::theme::Theme;

/// The picture of all dungeons that the gallery shows.
#[derive(Debug)]
pub(in crate::tui) struct GalleryPicture<'a> {
    theme: Theme,
    place: PicturePlace,
    /// The side of a dungeon's pixel, in pixels of the terminal.
    side: i32,
    /// The pixels of each dungeon, with the area in characters that they cover.
    shown: Vec<(&'a Pixels, Rect)>,
}

impl<'a> GalleryPicture<'a> {
    /// Returns the picture of the dungeons; `None` if they are drawn with characters.
    pub(in crate::tui) fn of(state: &'a SeedGalleryState, editor: &Editor) -> Option<Self> {
        let plan = SeedGalleryAreas::of(state, editor);
        let (size, dungeons) = dungeons(state, editor, &plan);
        let PictureLook::Pixels { side, cell } = size.look else {
            return None;
        };
        let shown = dungeons
            .into_iter()
            .map(|(pixels, area)| (pixels, middle(pixels, side, (cell.width, cell.height), area)));
        Some(Self {
            theme: editor.theme,
            place: place(editor, &plan)?,
            side: side.into(),
            shown: shown.collect(),
        })
    }
}

/// Returns the size of the pictures, and the pictures with their areas.
fn dungeons<'a>(
    state: &'a SeedGalleryState,
    editor: &Editor,
    plan: &SeedGalleryAreas,
) -> (PictureSize, Vec<(&'a Pixels, Rect)>) {
    let picture = |seed: u64| state.results.pictures.get(&seed).map(|picture| &picture.pixels);
    if !state.atlas.is_shown && !state.range.is_shown {
        let seeds = (0..).zip(state.seen(plan));
        let dungeons = seeds.filter_map(|(number, seed)| Some((picture(*seed)?, plan.picture_in(plan.cell(number)))));
        return (plan.picture, dungeons.collect());
    }
    let areas = HeatMapAreas::of(plan);
    let selected = if state.atlas.is_shown {
        state.atlas.picture()
    } else {
        state.current().and_then(picture)
    };
    match areas.picture(editor) {
        Some(size) => (
            size,
            selected.map(|pixels| (pixels, areas.picture)).into_iter().collect(),
        ),
        None => (plan.picture, Vec::new()),
    }
}

impl Painter for GalleryPicture<'_> {
    fn place(&self) -> PicturePlace {
        self.place
    }

    fn urgent(&self) -> Option<(u16, u16)> {
        None
    }

    fn cost(&self, characters: usize) -> usize {
        let (width, height) = self.place.cell;
        let pixels = characters * usize::from(width) * usize::from(height);
        pixels / (self.side * self.side) as usize + pixels / 32
    }

    fn paint(&self, part: Rect) -> Vec<Rgba> {
        let [width, height] = [self.place.cell.0, self.place.cell.1].map(i32::from);
        let mut raster = Raster::new(i32::from(part.width) * width, i32::from(part.height) * height);
        for (pixels, area) in &self.shown {
            if !area.intersects(part) {
                continue;
            }
            let left = (i32::from(area.x) - i32::from(part.x)) * width;
            let top = (i32::from(area.y) - i32::from(part.y)) * height;
            for (row, line) in (0..).zip(pixels.iter()) {
                for (column, pixel) in (0..).zip(line) {
                    let color = pixel.and_then(|(tile, mark)| self.theme.tile(tile, mark));
                    if let Some([red, green, blue]) = color.and_then(Theme::rgb) {
                        let at = (left + column * self.side, top + row * self.side);
                        raster.fill(at, (self.side, self.side), [red, green, blue, 255]);
                    }
                }
            }
        }
        raster.pixels
    }
}

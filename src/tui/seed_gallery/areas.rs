//! Layout of the seed gallery. It is pure: the same state and screen always result in the same areas.

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use super::SeedGalleryState;
use crate::geometry::Size;
use crate::tui::editor::Editor;
use crate::tui::viewport::CellSize;
use crate::tui::widget::layout::above_foot;
use crate::tui::widget::thumbnail::CellResolution;

/// Number of size levels.
pub(super) const LEVELS: usize = 18;

/// Side length of a picture's pixel in squares of the dungeon, at each size level from large pictures to small ones.
/// The first level draws two pixels per character, the other levels draw eight.
const BLOCKS: [i32; LEVELS] = [1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256, 512];

/// Size levels for terminals that show pictures. Each level has the side length of a picture's pixel twice: in pixels
/// of the terminal, and in squares of the dungeon.
const PIXELS: [(u16, i32); LEVELS] = [
    (12, 1),
    (8, 1),
    (6, 1),
    (5, 1),
    (4, 1),
    (3, 1),
    (2, 1),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 6),
    (1, 8),
    (1, 16),
    (1, 32),
    (1, 64),
    (1, 128),
    (1, 512),
];

/// The scale of a dungeon's picture, and how its pixels are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PictureSize {
    /// The side length of a picture's pixel in squares of the dungeon.
    pub block: i32,
    pub look: PictureLook,
}

/// How the pixels of a picture are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PictureLook {
    /// Two or eight pixels per character.
    Characters(CellResolution),
    /// Blocks of `side` × `side` pixels of the terminal. `cell` is the size of a character in pixels.
    Pixels { side: u16, cell: CellSize },
}

impl PictureSize {
    /// Returns the size of a level.
    fn at(level: usize, editor: &Editor) -> Self {
        if let Some(cell) = editor.map.pixels() {
            let (side, block) = PIXELS[level];
            return Self {
                block,
                look: PictureLook::Pixels { side, cell },
            };
        }
        let resolution = match level {
            0 => CellResolution::Halves,
            _ => CellResolution::eight(editor.map.has_octants()),
        };
        Self {
            block: BLOCKS[level],
            look: PictureLook::Characters(resolution),
        }
    }

    /// Returns the columns and rows of characters that the picture of a dungeon of `size` covers.
    pub(super) fn extent(self, size: Size) -> (u16, u16) {
        let (length, cell) = match self.look {
            PictureLook::Characters(resolution) => return resolution.extent(size, self.block),
            PictureLook::Pixels { side, cell } => (side, cell),
        };
        let characters = |squares: i32, cell: u16| {
            let pixels = (squares + self.block - 1) / self.block * i32::from(length);
            let characters = (pixels + i32::from(cell) - 1) / i32::from(cell);
            characters.clamp(0, i32::from(u16::MAX)) as u16
        };
        (characters(size.y, cell.width), characters(size.x, cell.height))
    }
}

/// Minimum width of a dungeon's caption, and the gap between two dungeons, in columns.
const CAPTION: u16 = 13;
const GAP: u16 = 3;

/// Returns the largest size at which the picture of a dungeon fits into an area.
pub(super) fn fitting(size: Size, area: Rect, editor: &Editor) -> PictureSize {
    let at = |level: usize| PictureSize::at(level, editor);
    let fits = |picture: &PictureSize| {
        let (wide, high) = picture.extent(size);
        wide <= area.width && high <= area.height
    };
    (0..LEVELS).map(at).find(fits).unwrap_or_else(|| at(LEVELS - 1))
}

/// Number of columns and rows of dungeons that the automatic size level should make room for.
const AT_LEAST: (usize, usize) = (3, 2);

/// Areas and sizes of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeedGalleryAreas {
    /// The whole gallery, with its border.
    pub frame: Rect,
    /// The filter's condition or, in the atlas, the path of a file. While the user types, the second row of this area
    /// contains an error or a help text.
    pub filter: Rect,
    /// The dungeons.
    pub sheet: Rect,
    /// The details of the selected dungeon.
    pub about: Rect,
    /// The size level, from large (0) to small.
    pub level: usize,
    /// The scale and the style of the pictures.
    pub picture: PictureSize,
    /// Columns and rows of characters that a dungeon's picture covers.
    pub wide: u16,
    pub high: u16,
    /// Columns and rows of dungeons that fit, at least one each.
    pub columns: usize,
    pub rows: usize,
}

impl SeedGalleryAreas {
    /// Lays out the gallery on the app's screen.
    pub(super) fn of(state: &SeedGalleryState, editor: &Editor) -> Self {
        let screen = editor.screen;
        let frame = above_foot(screen);
        Self::within(state, editor, frame)
    }

    /// Lays out the gallery in a frame.
    pub(super) fn within(state: &SeedGalleryState, editor: &Editor, frame: Rect) -> Self {
        let inside = frame.inner(Margin::new(2, 1));
        let filter = match (state.filter.is_typed(), state.filter.is_empty()) {
            _ if state.atlas.is_shown => 3 * u16::from(state.atlas.is_typed()),
            (true, _) => 3,
            (false, false) => 2,
            (false, true) => 0,
        };
        let about = match inside.height {
            ..8 => 0,
            8..14 => 1,
            _ => 4,
        };
        // Leaves a blank row between the border and the first dungeons.
        let roomy = u16::from(inside.height >= 14);
        let above = if filter == 0 { roomy } else { 0 };
        let [filter, _, sheet, about] = Layout::vertical([
            Constraint::Length(filter),
            Constraint::Length(above),
            Constraint::Min(0),
            Constraint::Length(about),
        ])
        .areas(inside);
        let size = editor.document.design().layout.size;
        // Dungeons keep their size when the filter appears.
        let whole = Rect {
            y: inside.y + roomy,
            height: inside.height.saturating_sub(roomy + about.height),
            ..sheet
        };
        let at = |level: usize, sheet: Rect| {
            let picture = PictureSize::at(level, editor);
            let (wide, high) = picture.extent(size);
            let columns = usize::from((sheet.width + GAP) / (wide.max(CAPTION).saturating_add(GAP)));
            // Each dungeon has a caption and a blank row below.
            let rows = usize::from((sheet.height + 1) / high.saturating_add(2));
            Self {
                frame,
                filter,
                sheet,
                about,
                level,
                picture,
                wide,
                high,
                columns: columns.max(1),
                rows: rows.max(1),
            }
        };
        // The blank row below the border is omitted if another row of dungeons then fits.
        let taller = Rect {
            y: sheet.y - above,
            height: sheet.height + above,
            ..sheet
        };
        let is_sheet = !state.atlas.is_shown && !state.range.is_shown;
        let shown = |level: usize| {
            let [usual, taller] = [sheet, taller].map(|sheet| at(level, sheet));
            if is_sheet && taller.rows > usual.rows {
                taller
            } else {
                usual
            }
        };
        if let Some(level) = state.level {
            return shown(level.min(LEVELS - 1));
        }
        // Tries the sizes from large to small, until enough dungeons fit or smaller dungeons could not be recognized.
        let (columns, rows) = AT_LEAST;
        let is_enough = |plan: &Self| plan.columns >= columns && plan.rows >= rows;
        let is_least = |plan: &Self| plan.wide < CAPTION && plan.high <= 5;
        let mut levels = (0..LEVELS).map(|level| at(level, whole));
        let found = levels.find(|plan| is_enough(plan) || is_least(plan));
        shown(found.map_or(LEVELS - 1, |plan| plan.level))
    }

    /// Returns the area of a dungeon with its caption, clipped to the sheet. `number` counts from 0 for the first
    /// visible dungeon.
    pub(super) fn cell(&self, number: usize) -> Rect {
        let wide = self.wide.max(CAPTION);
        let used = self.columns as u16 * wide.saturating_add(GAP) - GAP.min(wide);
        let left = self.sheet.width.saturating_sub(used) / 2;
        let column = (number % self.columns) as u16;
        let row = (number / self.columns) as u16;
        let cell = Rect {
            x: self
                .sheet
                .x
                .saturating_add(left)
                .saturating_add(column.saturating_mul(wide.saturating_add(GAP))),
            y: self
                .sheet
                .y
                .saturating_add(row.saturating_mul(self.high.saturating_add(2))),
            width: wide,
            height: self.high.saturating_add(1),
        };
        cell.intersection(self.sheet)
    }

    /// Returns the area of the picture of a dungeon in its cell.
    pub(super) fn picture_in(&self, cell: Rect) -> Rect {
        Rect {
            height: cell.height.saturating_sub(1).min(self.high),
            ..cell
        }
    }

    /// Returns the number of the dungeon at a screen position, counted from the first visible one.
    pub(super) fn cell_at(&self, at: Position) -> Option<usize> {
        (0..self.columns * self.rows).find(|number| self.cell(*number).contains(at))
    }
}

//! Layout of the seed gallery. Pure: the same screen and design give the same areas.

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use super::SeedGalleryState;
use crate::geometry::Size;
use crate::tui::editor::Editor;
use crate::tui::widget::layout::above_foot;
use crate::tui::widget::thumbnail::CellResolution;

/// Number of squares along the side of a pixel at each size level, from large dungeons to small ones. The first level
/// draws two pixels per character, the others eight.
const BLOCKS: [i32; 18] = [1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256, 512];

/// Number of size levels.
pub(super) const LEVELS: usize = BLOCKS.len();

/// Minimum width of a dungeon's caption, and the gap between dungeons.
const CAPTION: u16 = 13;
const GAP: u16 = 3;

/// Returns the resolution of the largest picture of a dungeon that fits into an area, and the side of its pixels in
/// squares.
pub(super) fn fitting(size: Size, area: Rect, has_octants: bool) -> (CellResolution, i32) {
    let at = |level: usize| {
        let resolution = match level {
            0 => CellResolution::Halves,
            _ => CellResolution::eight(has_octants),
        };
        (resolution, BLOCKS[level])
    };
    let fits = |(resolution, block): &(CellResolution, i32)| {
        let (wide, high) = resolution.extent(size, *block);
        wide <= area.width && high <= area.height
    };
    (0..LEVELS).map(at).find(fits).unwrap_or_else(|| at(LEVELS - 1))
}

/// Columns and rows of dungeons that should fit.
const AT_LEAST: (usize, usize) = (3, 2);

/// Areas and sizes of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeedGalleryAreas {
    /// The whole gallery, with its border.
    pub frame: Rect,
    /// The condition and its error.
    pub filter: Rect,
    /// The dungeons.
    pub sheet: Rect,
    /// The details of the selected dungeon.
    pub about: Rect,
    /// The size level, from large (0) to small.
    pub level: usize,
    /// The resolution of pictures, and the side of a pixel in squares.
    pub resolution: CellResolution,
    pub block: i32,
    /// Columns and rows of characters of a dungeon.
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
            let resolution = match level {
                0 => CellResolution::Halves,
                _ => CellResolution::eight(editor.map.has_octants()),
            };
            let (wide, high) = resolution.extent(size, BLOCKS[level]);
            let columns = usize::from((sheet.width + GAP) / (wide.max(CAPTION).saturating_add(GAP)));
            // Each dungeon has a caption and a blank row below.
            let rows = usize::from((sheet.height + 1) / high.saturating_add(2));
            Self {
                frame,
                filter,
                sheet,
                about,
                level,
                resolution,
                block: BLOCKS[level],
                wide,
                high,
                columns: columns.max(1),
                rows: rows.max(1),
            }
        };
        if let Some(level) = state.level {
            return at(level.min(LEVELS - 1), sheet);
        }
        // Chooses the largest size at which enough dungeons fit, or else the smallest that can still be recognized.
        let (columns, rows) = AT_LEAST;
        let is_enough = |plan: &Self| plan.columns >= columns && plan.rows >= rows;
        let is_least = |plan: &Self| plan.wide < CAPTION && plan.high <= 5;
        let mut levels = (0..LEVELS).map(|level| at(level, whole));
        let found = levels.find(|plan| is_enough(plan) || is_least(plan));
        at(found.map_or(LEVELS - 1, |plan| plan.level), sheet)
    }

    /// Returns the area of a dungeon with its caption, numbered from the first visible one; clipped to the sheet.
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

    /// Returns the number of the dungeon at a screen position.
    pub(super) fn cell_at(&self, at: Position) -> Option<usize> {
        (0..self.columns * self.rows).find(|number| self.cell(*number).contains(at))
    }
}

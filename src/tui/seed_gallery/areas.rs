//! Where everything stands in the gallery. Pure: the same screen and design give the same places.

use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};

use crate::tui::app::App;
use crate::tui::screen;
use crate::tui::thumbnail::CellResolution;

/// Squares of a pixel each way, from large dungeons to small ones. The first level draws two pixels a character, the
/// others eight.
const BLOCKS: [i32; 18] = [1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256, 512];

/// How many sizes there are.
pub(super) const LEVELS: usize = BLOCKS.len();

/// The least width of what stands below a dungeon, and of the gap beside it.
const CAPTION: u16 = 13;
const GAP: u16 = 3;

/// Dungeons in a row, and rows, that should have room.
const AT_LEAST: (usize, usize) = (3, 2);

/// The places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeedGalleryAreas {
    /// The whole, with its border.
    pub frame: Rect,
    /// The condition, and what is wrong with it.
    pub filter: Rect,
    /// The dungeons.
    pub sheet: Rect,
    /// What is told of the selected one.
    pub about: Rect,
    /// The size of the dungeons, from large to small.
    pub level: usize,
    /// How pixels are drawn, and the squares of one each way.
    pub grain: CellResolution,
    pub block: i32,
    /// Characters of a dungeon.
    pub wide: u16,
    pub high: u16,
    /// How many have room, one at least.
    pub columns: usize,
    pub rows: usize,
}

impl SeedGalleryAreas {
    /// The places on the screen as it is.
    pub(super) fn of(app: &App) -> Self {
        let screen = app.screen;
        let frame = screen::above_foot(screen);
        Self::within(app, frame)
    }

    /// The places in a frame.
    pub(super) fn within(app: &App, frame: Rect) -> Self {
        let state = &app.gallery;
        let inside = frame.inner(Margin::new(2, 1));
        let filter = match (state.filter.is_typed(), state.filter.is_empty()) {
            (true, _) => 3,
            (false, false) => 2,
            (false, true) => 0,
        };
        let about = match inside.height {
            ..8 => 0,
            8..14 => 1,
            _ => 4,
        };
        // The first dungeons should not hang from the border.
        let roomy = u16::from(inside.height >= 14);
        let above = if filter == 0 { roomy } else { 0 };
        let [filter, _, sheet, about] = Layout::vertical([
            Constraint::Length(filter),
            Constraint::Length(above),
            Constraint::Min(0),
            Constraint::Length(about),
        ])
        .areas(inside);
        let size = app.document.design().layout.size;
        // What is typed takes room, but dungeons keep their size.
        let whole = Rect {
            y: inside.y + roomy,
            height: inside.height.saturating_sub(roomy + about.height),
            ..sheet
        };
        let at = |level: usize, sheet: Rect| {
            let filled = if app.map.has_octants() {
                CellResolution::Octants
            } else {
                CellResolution::Dots
            };
            let grain = if level == 0 { CellResolution::Halves } else { filled };
            let (wide, high) = grain.extent(size, BLOCKS[level]);
            let columns = usize::from((sheet.width + GAP) / (wide.max(CAPTION).saturating_add(GAP)));
            // Below each stand its caption and a blank row.
            let rows = usize::from((sheet.height + 1) / high.saturating_add(2));
            Self {
                frame,
                filter,
                sheet,
                about,
                level,
                grain,
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
        // As large as leaves room for some; where there is no such room, for as many as still can be made out.
        let (columns, rows) = AT_LEAST;
        let is_enough = |plan: &Self| plan.columns >= columns && plan.rows >= rows;
        let is_least = |plan: &Self| plan.wide < CAPTION && plan.high <= 5;
        let mut levels = (0..LEVELS).map(|level| at(level, whole));
        let found = levels.find(|plan| is_enough(plan) || is_least(plan));
        at(found.map_or(LEVELS - 1, |plan| plan.level), sheet)
    }

    /// The place of a dungeon with its caption, counted from the first that is seen; without room for it, as much as
    /// there is.
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

    /// The number of the dungeon at a place of the screen.
    pub(super) fn cell_at(&self, at: Position) -> Option<usize> {
        (0..self.columns * self.rows).find(|number| self.cell(*number).contains(at))
    }
}

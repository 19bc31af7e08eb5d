//! Pictures of rolls: a resolved map in the colours of the map view, either alone or beside other rolls for comparison.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Color;

use super::BrowserState;
use super::areas::BrowserAreas;
use super::rolls::{describe_failure, grid};
use crate::tui::commands::COMPARED;
use crate::tui::editor::Editor;
use crate::tui::overlay::{feature_glyph, is_filled};
use crate::tui::theme::Theme;
use crate::tui::widget::layout::with_head;
use crate::tui::widget::text::shortened;
use crate::tui::widget::text::{put, put_wrapped};
use crate::vault::{ResolvedCell, ResolvedMap};

/// The size at which a cell is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// Two characters per cell, which is about square.
    Double,
    /// One character per cell.
    Single,
    /// Half a character per cell: one character shows two cells, one above the other.
    Half,
}

impl Scale {
    /// Returns the columns and rows of characters for a map of this width and height.
    fn extent(self, width: usize, height: usize) -> (usize, usize) {
        match self {
            Self::Double => (2 * width, height),
            Self::Single => (width, height),
            Self::Half => (width, height.div_ceil(2)),
        }
    }

    /// Returns the largest scale at which a map fits the area; the smallest scale if the map fits at none.
    fn fitting(resolved: &ResolvedMap, area: Rect) -> Self {
        let fits = |scale: &Self| {
            let (columns, rows) = scale.extent(resolved.width, resolved.height);
            columns <= area.width.into() && rows <= area.height.into()
        };
        [Self::Double, Self::Single]
            .into_iter()
            .find(fits)
            .unwrap_or(Self::Half)
    }
}

fn color(theme: Theme, cell: Option<&ResolvedCell>) -> Option<Color> {
    theme.feature(cell?.feature)
}

/// Draws a map in the centre of an area, clipped to it.
fn draw_grid(theme: Theme, resolved: &ResolvedMap, scale: Scale, area: Rect, buf: &mut Buffer) {
    let (columns, rows) = scale.extent(resolved.width, resolved.height);
    let (columns, rows) = (
        columns.min(area.width.into()) as u16,
        rows.min(area.height.into()) as u16,
    );
    let left = area.x + (area.width - columns) / 2;
    let top = area.y + (area.height - rows) / 2;
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (i32::from(column), i32::from(row));
            let (glyph, style) = match scale {
                Scale::Double => near(theme, resolved.cell(x / 2, y), x % 2 == 1),
                Scale::Single => near(theme, resolved.cell(x, y), false),
                Scale::Half => {
                    let top = color(theme, resolved.cell(x, 2 * y));
                    let bottom = color(theme, resolved.cell(x, 2 * y + 1));
                    match (top, bottom) {
                        (None, None) => (' ', theme.text()),
                        (None, Some(bottom)) => ('▄', theme.text().fg(bottom)),
                        (Some(top), None) => ('▀', theme.text().fg(top)),
                        (Some(top), Some(bottom)) => ('▀', theme.text().fg(top).bg(bottom)),
                    }
                }
            };
            buf[(left + column, top + row)].set_char(glyph).set_style(style);
        }
    }
}

/// Returns the character and style of a cell. `second` selects the right-hand character of the two that show a cell at
/// [`Scale::Double`].
fn near(theme: Theme, cell: Option<&ResolvedCell>, second: bool) -> (char, ratatui::style::Style) {
    let Some(cell) = cell else {
        return (' ', theme.text());
    };
    match feature_glyph(cell.feature) {
        Some(glyph) if second && !is_filled(glyph) => (' ', theme.text()),
        Some(glyph) => {
            let style = theme
                .feature(cell.feature)
                .map_or(theme.text(), |color| theme.text().fg(color));
            (glyph, style)
        }
        None => (if second { ' ' } else { '·' }, theme.guaranteed()),
    }
}

/// Draws the single roll, below its error if it has one.
pub(super) fn draw_one(state: &BrowserState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let mut area = area;
    let Some(outcome) = state.rolls.first() else {
        let text = match (state.selected, state.rolls.is_waiting()) {
            (None, _) => "no map is selected",
            (_, true) => "rolling …",
            (_, false) => "no result",
        };
        put(text, area, theme.quiet(), buf);
        return;
    };
    if let Some(trouble) = describe_failure(outcome) {
        area = put_wrapped(&trouble, area, theme.error(), buf);
    }
    if let Some(resolved) = grid(outcome) {
        draw_grid(theme, resolved, Scale::fitting(resolved, area), area, buf);
    }
}

/// Layout of the compared rolls.
struct RollSheet {
    scale: Scale,
    /// Width and height of each roll in characters, including its heading and a gap.
    cell: (u16, u16),
    columns: u16,
    /// The first visible row of rolls.
    first: u16,
}

impl RollSheet {
    fn new(state: &BrowserState, area: Rect) -> Self {
        let rolls = || state.rolls.all().filter_map(|(_, outcome)| grid(outcome?));
        let width = rolls().map(|roll| roll.width).max().unwrap_or(10);
        let height = rolls().map(|roll| roll.height).max().unwrap_or(5);
        let cell = |scale: Scale| {
            let (columns, rows) = scale.extent(width, height);
            // The heading of a roll needs a minimum width.
            (
                (columns.max(12) + 2).min(usize::from(u16::MAX)) as u16,
                (rows + 2) as u16,
            )
        };
        let columns = |scale| (area.width / cell(scale).0).max(1);
        let all_fit = |scale: &Scale| {
            let rows = (COMPARED as u16).div_ceil(columns(*scale));
            rows * cell(*scale).1 <= area.height
        };
        let scale = [Scale::Double, Scale::Single]
            .into_iter()
            .find(all_fit)
            .unwrap_or(Scale::Half);
        let (columns, cell) = (columns(scale), cell(scale));
        let row = state.compared.unwrap_or(0) as u16 / columns;
        let seen = (area.height / cell.1).max(1);
        Self {
            scale,
            cell,
            columns,
            first: (row + 1).saturating_sub(seen),
        }
    }

    /// Returns the area of a roll; empty if it is not visible.
    fn place(&self, roll: u16, area: Rect) -> Rect {
        let Some(row) = (roll / self.columns).checked_sub(self.first) else {
            return Rect::ZERO;
        };
        let (x, y) = (roll % self.columns * self.cell.0, row.saturating_mul(self.cell.1));
        if x >= area.width || y >= area.height {
            return Rect::ZERO;
        }
        let width = (self.cell.0 - 1).min(area.width - x);
        let height = (self.cell.1 - 1).min(area.height - y);
        Rect::new(area.x + x, area.y + y, width, height)
    }
}

fn inside(state: &BrowserState, editor: &Editor) -> Rect {
    BrowserAreas::of(state, editor).picture.inner(Margin::new(1, 1))
}

/// Returns the number of rolls per row.
pub(super) fn sheet_columns(state: &BrowserState, editor: &Editor) -> usize {
    RollSheet::new(state, inside(state, editor)).columns.into()
}

/// Returns the index of the roll at a screen position.
pub(super) fn roll_at(state: &BrowserState, editor: &Editor, at: Position) -> Option<usize> {
    state.compared?;
    let (area, sheet) = (inside(state, editor), RollSheet::new(state, inside(state, editor)));
    (0..COMPARED as u16)
        .find(|roll| sheet.place(*roll, area).contains(at))
        .map(usize::from)
}

/// Draws the compared rolls, each below its seed.
pub(super) fn draw_sheet(state: &BrowserState, editor: &Editor, selected: usize, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let sheet = RollSheet::new(state, area);
    for (i, (seed, outcome)) in state.rolls.all().enumerate() {
        let place = sheet.place(i as u16, area);
        if place.is_empty() {
            continue;
        }
        let wrong = outcome.and_then(describe_failure);
        let style = match (i == selected, &wrong) {
            (true, _) => theme.selected(true),
            (false, Some(_)) => theme.error(),
            (false, None) => theme.quiet(),
        };
        let what = match (outcome, &wrong) {
            (None, _) => "…",
            (_, Some(_)) => "✗",
            (Some(_), None) => "",
        };
        let heading = shortened(&format!(" seed {seed} {what}"), place.width.into());
        put(&heading, place, style, buf);
        let [_, below] = with_head(place, 1);
        match (outcome.and_then(grid), wrong) {
            (Some(resolved), _) => draw_grid(theme, resolved, sheet.scale, below, buf),
            (None, Some(wrong)) => drop(put_wrapped(&wrong, below, theme.error(), buf)),
            (None, None) => {}
        }
    }
}

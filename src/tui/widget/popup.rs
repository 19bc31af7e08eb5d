//! Frames, popups in the middle of the screen, and helpers that return parts of areas.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use crate::tui::theme::Theme;

/// Returns the frame of a pane or popup.
pub(in crate::tui) fn block(theme: Theme, focused: bool) -> Block<'static> {
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.border(focused))
        .title_style(theme.title(focused))
}

/// Minimum width, in columns, at which a pane has a blank column inside its left and right borders.
const ROOMY: u16 = 60;

/// Returns the area inside a pane's border. In a wide pane, it excludes the blank column at each side.
pub(in crate::tui) fn inside(pane: Rect) -> Rect {
    let margin = if pane.width < ROOMY { 1 } else { 2 };
    pane.inner(Margin::new(margin, 1))
}

/// Clears an area in the middle of the screen, draws a frame and returns the area inside.
pub(in crate::tui) fn popup(
    theme: Theme,
    title: &str,
    width: u16,
    height: u16,
    screen: Rect,
    buf: &mut Buffer,
) -> Rect {
    let area = popup_area(width, height, screen);
    Clear.render(area, buf);
    let block = block(theme, true).title(format!(" {title} "));
    let inside = block.inner(area);
    block.render(area, buf);
    inside
}

/// Returns the area inside a popup's frame.
pub(in crate::tui) fn popup_inside(width: u16, height: u16, screen: Rect) -> Rect {
    popup_area(width, height, screen).inner(Margin::new(1, 1))
}

/// Returns the area of a popup: centred, clipped to the screen, and above the last row of the screen, which shows the
/// popup's keys.
pub(in crate::tui) fn popup_area(width: u16, height: u16, screen: Rect) -> Rect {
    let width = width.min(screen.width);
    let room = screen.height.saturating_sub(1);
    let height = height.min(room);
    Rect::new(
        screen.x + (screen.width - width) / 2,
        screen.y + (room - height) / 2,
        width,
        height,
    )
}

/// Returns the part of a row after the given number of columns.
pub(in crate::tui) fn after(row: Rect, columns: u16) -> Rect {
    let columns = columns.min(row.width);
    Rect {
        x: row.x + columns,
        width: row.width - columns,
        ..row
    }
}

/// Returns an area without its first and last columns.
pub(in crate::tui) fn shrunk(area: Rect) -> Rect {
    let by = (area.width / 2).min(1);
    Rect {
        x: area.x + by,
        width: area.width - 2 * by,
        ..area
    }
}

//! The view Plots: how many tiles each generation has laid at the moment shown.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::app::App;
use crate::tui::screen::thousands;

/// Room for a generation's number, and for its tiles.
const NUMBER: usize = 4;
const TILES: usize = 11;

/// Draws the view.
pub(super) fn draw(app: &App, inside: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let tiles = app.time.frame().map_or(&[][..], |frame| frame.tiles());
    let most = tiles.iter().copied().max().unwrap_or(0).max(1);
    let room = u64::from(inside.width).saturating_sub((NUMBER + TILES) as u64);
    let title = Line::styled("tiles laid by each generation", theme.heading());
    let lines = tiles.iter().enumerate().map(|(generation, tiles)| {
        let bar = "█".repeat((tiles * room / most) as usize);
        Line::from(vec![
            Span::raw(format!("{generation:>3} ")),
            Span::styled(bar, Style::new().fg(theme.generation(generation as u32))),
            Span::styled(format!(" {}", thousands(*tiles)), theme.quiet()),
        ])
    });
    for (y, line) in (inside.top()..inside.bottom()).zip(std::iter::once(title).chain(lines)) {
        buf.set_line(inside.x, y, &line, inside.width);
    }
}

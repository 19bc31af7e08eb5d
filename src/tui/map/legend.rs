//! The legend: which colour is which generation, and how many tiles each has laid.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::recording::Frame;
use crate::tui::app::App;
use crate::tui::screen::{self, thousands};

/// Width of an entry of the legend.
const ENTRY: u16 = 20;

/// Generations that have laid tiles, with how many.
fn counts(frame: &Frame) -> impl Iterator<Item = (u32, u64)> {
    frame
        .tiles()
        .iter()
        .enumerate()
        .filter(|(_, tiles)| **tiles > 0)
        .map(|(generation, tiles)| (generation as u32, *tiles))
}

/// The legend in one line, without numbers of tiles: for the map's border.
pub(super) fn line(app: &App) -> Line<'static> {
    let theme = app.theme;
    let mut spans = Vec::new();
    for (generation, _) in app.time.frame().into_iter().flat_map(counts) {
        let style = theme.text().fg(theme.generation(generation));
        spans.push(Span::styled(" ■", style));
        spans.push(Span::raw(generation.to_string()));
    }
    if !spans.is_empty() {
        spans.push(Span::raw(" "));
    }
    Line::from(spans)
}

/// Draws the legend with numbers and shares, in as many columns as have room.
pub(crate) fn legend(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.theme;
    let block = screen::block(theme, false).title(" Tiles by generation ");
    let inside = block.inner(area);
    block.render(area, buf);
    let Some(frame) = app.time.frame() else { return };
    let total: u64 = frame.tiles().iter().sum();
    let rows = inside.height.max(1);
    for (i, (generation, tiles)) in counts(frame).enumerate() {
        let (column, row) = ((i as u16) / rows, (i as u16) % rows);
        let x = inside.x + 1 + column * (ENTRY + 2);
        if x + ENTRY > inside.right() {
            break;
        }
        let style = theme.text().fg(theme.generation(generation));
        let entry = Line::from(vec![
            Span::styled("■ ", style),
            Span::raw(format!("{generation:>2} ")),
            Span::raw(format!("{:>9}", thousands(tiles))),
            Span::styled(format!("{:>4} %", tiles * 100 / total.max(1)), theme.quiet()),
        ]);
        buf.set_line(x, inside.y + row, &entry, ENTRY);
    }
}

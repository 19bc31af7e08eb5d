//! The rooms panel: every entry of the rooms file.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};

use crate::design::Entry;
use crate::tui::app::App;

/// Draws the entries with their values in the order of the file.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let design = app.document.design();
    let lines: Vec<Line> = design
        .entries()
        .into_iter()
        .filter(|entry| !matches!(entry, Entry::Generation(_) | Entry::Constants))
        .map(|entry| {
            let values: Vec<String> = (0..entry.fields().len())
                .filter_map(|field| design.get(entry, field))
                .map(|value| value.to_string())
                .collect();
            Line::from(vec![
                Span::styled(format!("{:<16}", entry.label()), theme.quiet()),
                Span::raw(values.join(" ")),
            ])
        })
        .collect();
    Paragraph::new(lines).render(area, buf);
}

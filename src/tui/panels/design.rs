//! The design panel: name, seed, dimensions, notes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::tui::app::App;

/// Draws them.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let design = app.document.design();
    let row = |name: &str, value: String| {
        Line::from(vec![
            Span::styled(format!("{name:<12}"), theme.quiet()),
            Span::raw(value),
        ])
    };
    let mut lines = vec![
        row("name", app.document.title()),
        row("seed", design.seed.to_string()),
        row("dimensions", design.layout.size.to_string()),
        Line::default(),
    ];
    lines.extend(design.notes.lines().map(|line| Line::raw(line.to_owned())));
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buf);
}

//! The problems panel: the diagnostics of the design and of its first stage.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget, Wrap};

use crate::design::Severity;
use crate::tui::app::App;

/// Draws them, each with its advice.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let mut lines = Vec::new();
    for diagnostic in app.document.diagnostics().iter().chain(&app.stage_one) {
        let style = match diagnostic.severity {
            Severity::Note => theme.text(),
            Severity::Warning => theme.warning(),
            Severity::Error => theme.error(),
        };
        for (i, line) in diagnostic.to_string().lines().enumerate() {
            lines.push(Line::styled(
                line.to_owned(),
                if i == 0 { style } else { theme.quiet() },
            ));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("no problems", theme.quiet()));
    }
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(area, buf);
}

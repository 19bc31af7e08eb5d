//! The line at the foot: what the last action did, or the keys that matter here, from the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use unicode_width::UnicodeWidthStr;

use super::app::{App, Tone};
use super::keys;

/// Draws the line.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let mut spans: Vec<Span<'static>> = vec![" ".into()];
    let mut room = usize::from(area.width).saturating_sub(1);
    if let Some((tone, text)) = &app.notice {
        let style = match tone {
            Tone::Done => theme.good(),
            Tone::Warning => theme.warning(),
            Tone::Error => theme.error(),
        };
        room = room.saturating_sub(text.width() + 3);
        spans.push(Span::styled(text.clone(), style));
        spans.push("   ".into());
    }
    let contexts = app.contexts();
    let mut bindings: Vec<_> = keys::table()
        .filter(|binding| binding.foot && contexts.contains(&binding.context))
        .collect();
    // What holds here comes before what holds everywhere; the sort keeps the table's order otherwise.
    bindings.sort_by_key(|binding| contexts.iter().position(|context| *context == binding.context));
    for binding in bindings {
        let keys = binding.keys.first().map(ToString::to_string).unwrap_or_default();
        let width = keys.width() + binding.name.width() + 3;
        if width > room {
            continue;
        }
        room -= width;
        spans.push(Span::styled(keys, theme.accent()));
        spans.push(Span::styled(format!(" {}  ", binding.name), theme.quiet()));
    }
    Line::from(spans).render(area, buf);
}

//! The line at the foot: what the last action did, or the keys that matter here, from the key table.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::app::{Action, App, Tone};
use super::files;
use super::keys::{self, Binding, Context};
use super::theme::Theme;

/// Draws the line: the notice, then the keys that have room, with help and the way out at the right.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let area = area.inner(Margin::new(1, 0));
    let contexts = app.contexts();
    let here = |binding: &&&Binding| binding.foot && contexts.contains(&binding.context);
    let (always, others): (Vec<_>, Vec<_>) = keys::table()
        .collect::<Vec<_>>()
        .iter()
        .filter(here)
        .copied()
        .partition(|binding| matches!(binding.action, Action::Help | Action::Quit));
    let right = always.iter().flat_map(|binding| key(theme, binding)).collect::<Line>();
    let mut left = Line::default();
    if let Some((tone, text)) = &app.notice {
        let style = match tone {
            Tone::Done => theme.good(),
            Tone::Warning => theme.warning(),
            Tone::Error => theme.error(),
        };
        left.push_span(Span::styled(format!("{text}   "), style));
    } else if let Some(text) = &app.alert {
        left.push_span(Span::styled(format!("{text}   "), theme.warning()));
    } else if app.search.is_some() {
        left.push_span(Span::styled("trying seeds …   ", theme.warning()));
    }
    // What holds in a panel comes before what holds everywhere; the map's keys come last. Saving comes
    // first while there is something to save.
    let dirty = app.document.is_dirty();
    let rank = |binding: &&Binding| match (binding.context, binding.action) {
        (_, Action::File(files::Command::Save)) if dirty => 2,
        (Context::Everywhere, _) => 3,
        (Context::Map, _) => 4,
        (Context::Panels, _) => 1,
        _ => 0,
    };
    let mut others = others;
    others.sort_by_key(rank);
    // A key of a narrower context hides the same key of a wider one, whether the foot shows it or not.
    let rank_of = |context: Context| contexts.iter().position(|one| *one == context);
    others.retain(|binding| {
        let Some(key) = binding.keys.first() else { return false };
        let here = rank_of(binding.context);
        keys::table().all(|other| !other.keys.contains(key) || rank_of(other.context).is_none_or(|at| Some(at) >= here))
    });
    for binding in others {
        let spans = key(theme, binding);
        let width: usize = spans.iter().map(Span::width).sum();
        if left.width() + width + right.width() <= usize::from(area.width) {
            left.spans.extend(spans);
        }
    }
    if left.width() + right.width() <= usize::from(area.width) {
        right.right_aligned().render(area, buf);
    }
    left.render(area, buf);
}

/// A key and what it does.
fn key(theme: Theme, binding: &Binding) -> [Span<'static>; 2] {
    let key = binding.keys.first().map(ToString::to_string).unwrap_or_default();
    [
        Span::styled(key, theme.accent()),
        Span::styled(format!(" {}  ", binding.name), theme.quiet()),
    ]
}

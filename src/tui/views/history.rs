//! The History view: every undo step, including undone ones, with the current step and the saved step marked.
//!
//! A line links to its step; going to a step discards no other step. The first line is the design as it was opened.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::page::{Link, ListPage, ListRow};
use crate::text::thousands;
use crate::tui::editor::Editor;
use crate::tui::widget::list::ListState;
use crate::tui::widget::text::shortened;

/// The state of the view.
#[derive(Debug, Default)]
pub(super) struct HistoryState {
    list: ListState,
    /// The document's step when a line was selected; the selection is discarded when the document is at another step.
    at: usize,
}

impl HistoryState {
    /// Returns the list state for the document's current step; resets the state if the step has changed.
    pub(super) fn list(&mut self, step: usize) -> &mut ListState {
        if self.at != step {
            *self = Self {
                at: step,
                ..Self::default()
            };
        }
        &mut self.list
    }

    /// Keeps the selection after the document has moved to the selected step.
    pub(super) const fn follow_to(&mut self, step: usize) {
        self.at = step;
    }
}

/// Returns the lines of the view: the current step marked, undone steps dimmed, and the saved step labelled.
pub(super) fn page(state: &HistoryState, editor: &Editor, inside: Rect) -> ListPage {
    let theme = editor.theme;
    let (now, saved) = (editor.document.step(), editor.document.saved_step());
    let list = if state.at == now {
        state.list
    } else {
        ListState::default()
    };
    let all = editor.document.steps().len() + 1;
    let top = list.visible(inside, all, now).top;
    let shown = top..top + usize::from(inside.height);
    let names = std::iter::once("as it was opened").chain(editor.document.steps());
    let digits = thousands(editor.document.steps().len() as u64).len();
    let rows = names.enumerate().map(|(step, name)| {
        if !shown.contains(&step) {
            // Only visible lines are formatted: the history may have ten thousand steps.
            return ListRow {
                text: Line::default(),
                link: Some(Link::Step(step)),
                now: false,
            };
        }
        let style = if step > now { theme.quiet() } else { theme.text() };
        let mark = if step == now { "▸" } else { " " };
        let head = format!("{mark}{:>digits$} ", thousands(step as u64));
        let tag = if saved == Some(step) { " saved" } else { "" };
        let room = usize::from(inside.width).saturating_sub(head.width() + tag.len());
        ListRow {
            text: Line::from(vec![
                Span::styled(head, theme.accent()),
                Span::styled(short(name, room), style),
                Span::styled(tag, theme.good()),
            ]),
            link: Some(Link::Step(step)),
            now: step == now,
        }
    });
    ListPage::new(Vec::new(), rows.collect(), now, list, inside)
}

/// Shortens a step's name to `room` columns. The values after the last colon are kept if they leave enough room for
/// part of the text before it.
fn short(name: &str, room: usize) -> String {
    match name.rsplit_once(": ") {
        Some((what, values)) if name.width() > room && values.width() + 8 < room => {
            format!("{}: {values}", shortened(what, room - values.width() - 2))
        }
        _ => shortened(name, room),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_values() {
        let name = "CorridorWidth of generation 2: 4 → 3";
        assert_eq!(short(name, 40), name);
        assert_eq!(short(name, 24), "CorridorWidth of…: 4 → 3");
        assert_eq!(short(name, 9), "Corridor…");
    }
}

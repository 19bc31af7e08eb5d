//! The filter: a condition that the shown dungeons must meet. It is parsed after every key press, and its error is
//! shown.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::SeedGalleryState;
use crate::analysis::Interval;
use crate::design::Design;
use crate::design::expect::{ExpectationError, Expression, absent, parse_condition};
use crate::text::{counted, thousands};
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::popup::after;
use crate::tui::widget::prompt::{PasteCut, TextField, TextKind};
use crate::tui::widget::text::shortened;

/// The condition in effect, and the one being typed.
#[derive(Debug, Default)]
pub(super) struct SeedGalleryFilter {
    text: String,
    condition: Option<Expression>,
    typing: Option<TextField>,
    /// The error in the typed text.
    problem: Option<ExpectationError>,
    /// The condition in effect while the user types: the last valid one.
    tried: Option<Expression>,
}

impl SeedGalleryFilter {
    /// Returns whether a condition is being typed.
    pub(super) const fn is_typed(&self) -> bool {
        self.typing.is_some()
    }

    /// Returns whether there is no condition and none is being typed.
    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty() && self.typing.is_none()
    }

    /// Returns why the typed condition is invalid; empty if it is valid.
    pub(super) fn why_rejected(&self) -> &str {
        self.problem.as_ref().map_or("", |problem| &problem.message)
    }

    /// Returns the condition in effect.
    pub(super) const fn condition(&self) -> Option<&Expression> {
        if self.typing.is_some() {
            self.tried.as_ref()
        } else {
            self.condition.as_ref()
        }
    }

    /// Opens the text field with the current condition.
    pub(super) fn begin(&mut self) {
        self.typing = Some(TextField::new(TextKind::Line, self.text.clone()));
        self.tried.clone_from(&self.condition);
        self.problem = None;
    }

    /// Cancels typing and restores the previous condition.
    pub(super) fn cancel(&mut self) {
        (self.typing, self.problem, self.tried) = (None, None, None);
    }

    /// Removes the condition if the edited design lacks something that the condition names. Returns the text of the
    /// removed condition, and what is missing. If the user is typing a condition, also checks the typed text again.
    pub(super) fn follow(&mut self, design: &Design) -> Option<(String, String)> {
        let condition = self.condition.as_ref();
        let problem = condition.and_then(|condition| absent(condition, &self.text, design).into_iter().next());
        let removed = problem.map(|problem| {
            self.condition = None;
            (std::mem::take(&mut self.text), problem.message)
        });
        if self.typing.is_some() {
            self.tried.clone_from(&self.condition);
            self.attempt(design);
        }
        removed
    }

    /// Parses the typed text and applies it; if the text has an error, the last valid condition stays in effect.
    fn attempt(&mut self, design: &Design) {
        let Some(text) = self.typing.as_ref().map(|typing| typing.text().to_owned()) else {
            return;
        };
        self.problem = None;
        if text.trim().is_empty() {
            self.tried = None;
            return;
        }
        match parse_condition(&text) {
            Err(problem) => self.problem = Some(problem),
            Ok(condition) => match absent(&condition, &text, design).into_iter().next() {
                Some(problem) => self.problem = Some(problem),
                None => self.tried = Some(condition),
            },
        }
    }
}

/// Closes the text field and applies the typed condition, unless it has an error.
pub(super) fn accept(state: &mut SeedGalleryState, editor: &mut Editor) {
    let filter = &mut state.filter;
    filter.attempt(editor.document.design());
    if filter.problem.is_some() {
        return;
    }
    let typed = filter.typing.take();
    filter.text = typed.map_or_else(String::new, |typing| typing.text().trim().to_owned());
    filter.condition = filter.tried.take();
    state.unordered = true;
}

/// Passes a key to the text field. Returns whether the field consumed it.
pub(in crate::tui) fn typed(state: &mut SeedGalleryState, editor: &Editor, key: &KeyEvent) -> bool {
    if editor.keymap.find(&[Context::SeedFilter], key).is_some() {
        return false;
    }
    let consumed = state.filter.typing.as_mut().is_some_and(|typing| typing.press(key));
    if consumed {
        state.filter.attempt(editor.document.design());
        state.unordered = true;
    }
    consumed
}

/// Passes pasted text to the text field.
pub(in crate::tui) fn paste(state: &mut SeedGalleryState, editor: &Editor, text: &str) -> Option<PasteCut> {
    let cut = state.filter.typing.as_mut()?.paste(text);
    state.filter.attempt(editor.document.design());
    state.unordered = true;
    cut
}

/// Draws the condition and, while the user types it, its error.
pub(super) fn draw(state: &SeedGalleryState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    const LABEL: &str = "filter  ";
    let (theme, filter) = (editor.theme, &state.filter);
    if area.is_empty() {
        return;
    }
    let line = Rect { height: 1, ..area };
    buf.set_stringn(line.x, line.y, LABEL, line.width.into(), theme.quiet());
    let text = after(line, LABEL.width() as u16);
    let Some(typing) = &filter.typing else {
        let (shown, all) = (state.order.len(), state.results.seeds.len());
        let mut description = format!("   {} of {}", thousands(shown as u64), thousands(all as u64));
        // The user chose the marked seeds by hand, so their share says nothing about all seeds.
        if !filter.text.is_empty() && !state.only_marked {
            let share = Interval::of_share(shown as u64, state.results.done() as u64);
            description = format!("{description}; {} of all seeds", share.percent());
        }
        let room = usize::from(text.width).saturating_sub(description.width());
        let condition = shortened(&filter.text, room);
        buf.set_stringn(text.x, text.y, &condition, text.width.into(), theme.accent());
        let rest = after(text, condition.width() as u16);
        buf.set_stringn(rest.x, rest.y, description, rest.width.into(), theme.quiet());
        return;
    };
    typing.draw(theme, text, buf);
    let below = Rect { y: area.y + 1, ..line };
    if area.height < 2 {
        return;
    }
    let (description, style, column) = if let Some(problem) = &filter.problem {
        let begin = typing.text().get(..problem.span.start).map_or(0, str::width) as u16;
        let help = if problem.help.is_empty() { "" } else { ": " };
        let description = format!("↑ {}{help}{}", problem.message, problem.help);
        (description, theme.error(), begin)
    } else {
        let shown = counted(state.order.len(), "dungeon");
        let satisfy = if state.order.len() == 1 { "satisfies" } else { "satisfy" };
        let metrics = super::key(editor, SeedGalleryCommand::Metrics);
        let description =
            format!("{shown} {satisfy} it; metrics: path, dead-ends, loops … ({metrics} in the gallery lists them)");
        (description, theme.quiet(), 0)
    };
    // The error is shown below its column, if there is room.
    let wide = description.width() as u16;
    let column = column.min(text.width.saturating_sub(wide.min(text.width)));
    buf.set_stringn(
        text.x + column,
        below.y,
        description,
        (text.width - column).into(),
        style,
    );
}

//! Questions and notes over the screen. Each shows a text and, below it, the possible answers.
//!
//! The answers are the key table's bindings in the question's context.

use crossterm::event::MouseEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use crate::background::ExportRequest;
use crate::document::{ChangedBy, DesignMerge, Document};
use crate::storage::DesignFiles;
use crate::tui::commands::{Action, Answer};
use crate::tui::editor::{AfterSave, Editor};
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::widget::mouse::click;
use crate::tui::widget::popup::{popup, popup_inside};
use crate::tui::widget::text::{shortened, wrap};
use crate::tui::wording;

const WIDTH: u16 = 66;

/// Width in columns of an answer's keys.
const KEYS_WIDTH: u16 = 14;

/// The subject of a question.
#[derive(Debug)]
pub(in crate::tui) enum QuestionKind {
    /// Whether to save before an action that would lose unsaved changes.
    Leaving(AfterSave),
    /// Which side of a conflict to keep.
    Conflict,
    /// Whether to overwrite a file that another program changed and that contains no usable design.
    Unreadable(AfterSave),
    /// Whether to overwrite existing files.
    Replacing(DesignFiles, AfterSave),
    /// Whether to overwrite existing files with a copy of the design.
    Exporting(DesignFiles),
    /// Whether to overwrite existing files with an export.
    Export(Box<ExportRequest>),
    /// Whether to quit before exports are complete.
    Unfinished,
    /// Whether to continue while the design is still being saved.
    Saving(AfterSave),
    /// A note without a question.
    Note,
}

/// A question and its text.
#[derive(Debug)]
pub(in crate::tui) struct Question {
    kind: QuestionKind,
    title: &'static str,
    text: String,
    /// Lines about the differences of a conflict; values that both sides changed come first.
    details: Vec<Detail>,
    /// Whether the user has already given an answer that loses work. Such an answer must be given twice.
    is_sure: bool,
}

/// A line of a question's details.
#[derive(Debug)]
struct Detail {
    text: String,
    /// Whether the line describes another program's change, and merging would discard that change.
    is_overlap: bool,
}

impl Question {
    /// Creates a question without details.
    const fn new(kind: QuestionKind, title: &'static str, text: String) -> Self {
        Self {
            kind,
            title,
            text,
            details: Vec::new(),
            is_sure: false,
        }
    }

    /// Returns whether an answer that loses work may be carried out: only when the user gives it for the second time.
    /// The first time, the question's text asks the user to press the key once more.
    pub(in crate::tui) fn confirm(&mut self) -> bool {
        if !self.is_sure {
            self.text.push_str(" Press the key once more to discard them.");
        }
        std::mem::replace(&mut self.is_sure, true)
    }

    /// Returns whether an answer would lose unsaved changes.
    pub(in crate::tui) const fn loses_work(&self, answer: Answer) -> bool {
        matches!((&self.kind, answer), (QuestionKind::Leaving(_), Answer::Discard))
    }

    /// Asks whether to save before an action that would lose unsaved changes.
    pub(in crate::tui) fn leaving(title: &str, then: AfterSave) -> Self {
        let what = match &then {
            AfterSave::Open(_) | AfterSave::Recover(_) => "before another design is opened",
            AfterSave::Quit | AfterSave::Stay => "before leaving",
        };
        let text = format!("{title} has unsaved changes. Save them {what}?");
        Self::new(QuestionKind::Leaving(then), "Unsaved changes", text)
    }

    /// Asks which side of a document's conflict to keep, and lists the differences.
    pub(in crate::tui) fn conflict(document: &Document) -> Self {
        let mut text = format!(
            "{} was changed by another program, and you have unsaved changes of your own.",
            document.title()
        );
        let mut details = Vec::new();
        if let Some(versions @ [base, mine, theirs]) = document.conflict_versions() {
            let merge = DesignMerge::of(base, mine, theirs);
            details.extend(merge.differences.iter().map(|difference| Detail {
                text: wording::difference(difference, versions),
                is_overlap: matches!(difference.by, ChangedBy::Both | ChangedBy::FileUnmerged),
            }));
            let is_any = |by| merge.differences.iter().any(|difference| difference.by == by);
            if is_any(ChangedBy::FileUnmerged) {
                text.push_str(
                    " Rooms or vaults were renumbered, so merging keeps all your rooms, vaults, named places and \
                     expectations.",
                );
            }
            text.push_str(match (is_any(ChangedBy::Both), is_any(ChangedBy::FileUnmerged)) {
                (true, _) => " Where both sides changed the same value, merging keeps yours:",
                (false, false) => " The changes do not overlap:",
                (false, true) => "",
            });
        }
        Self {
            details,
            ..Self::new(QuestionKind::Conflict, "Changed on both sides", text)
        }
    }

    /// Asks whether to overwrite a file that another program changed and that contains no usable design.
    pub(in crate::tui) fn unreadable(title: &str, then: AfterSave) -> Self {
        let text = format!(
            "{title} was changed by another program and no longer contains a usable design. That program may still be \
             writing it. See Problems."
        );
        Self::new(QuestionKind::Unreadable(then), "Overwrite the file?", text)
    }

    /// Asks whether to overwrite existing files.
    pub(in crate::tui) fn replacing(files: DesignFiles, there: &[std::path::PathBuf], then: AfterSave) -> Self {
        Self::overwrite(QuestionKind::Replacing(files, then), there)
    }

    /// Asks whether to overwrite existing files with a copy.
    pub(in crate::tui) fn exporting(files: DesignFiles, there: &[std::path::PathBuf]) -> Self {
        Self::overwrite(QuestionKind::Exporting(files), there)
    }

    /// Asks whether to overwrite existing files with an export.
    pub(in crate::tui) fn overwrite_export(export: Box<ExportRequest>, there: &[std::path::PathBuf]) -> Self {
        Self::overwrite(QuestionKind::Export(export), there)
    }

    /// Asks whether to quit before exports are complete.
    pub(in crate::tui) fn unfinished(what: &str) -> Self {
        let text = format!("{what} has not been written to disk yet.");
        Self::new(QuestionKind::Unfinished, "Still writing", text)
    }

    /// Asks whether to continue while the design is still being saved. Once it is saved, the designer continues without
    /// an answer. `risk` says why the unsaved work may be lost if the user quits now; `None` if autosave keeps it for
    /// the next start.
    pub(in crate::tui) fn saving(name: &str, then: AfterSave, risk: Option<&str>) -> Self {
        let (what, without) = match (&then, risk) {
            (AfterSave::Quit | AfterSave::Stay, None) => (
                "the designer will quit",
                "If you quit now, the designer will offer to recover the unsaved work at the next start".to_owned(),
            ),
            (AfterSave::Quit | AfterSave::Stay, Some(risk)) => (
                "the designer will quit",
                format!("{risk}: if you quit now, the unsaved work may be lost"),
            ),
            (AfterSave::Open(_) | AfterSave::Recover(_), _) => (
                "another design will be opened",
                "If you continue now, the unsaved work may be lost".to_owned(),
            ),
        };
        let text = format!("{name} is being saved; {what} afterwards. {without}.");
        Self::new(QuestionKind::Saving(then), "Still saving", text)
    }

    /// Returns the action that waits for the save. Returns the question itself as an error if it is about something
    /// else.
    pub(in crate::tui) fn waiting(self) -> Result<AfterSave, Box<Self>> {
        match self.kind {
            QuestionKind::Saving(then) => Ok(then),
            kind => Err(Box::new(Self { kind, ..self })),
        }
    }

    fn overwrite(kind: QuestionKind, there: &[std::path::PathBuf]) -> Self {
        let names: Vec<String> = there.iter().map(|path| path.display().to_string()).collect();
        let (title, exist, it) = if names.len() == 1 {
            ("Overwrite the file?", "exists", "it")
        } else {
            ("Overwrite the files?", "exist", "them")
        };
        Self::new(
            kind,
            title,
            format!("{} {exist} already. Replace {it}?", names.join(", ")),
        )
    }

    /// Creates a note, which shows a text without asking anything.
    pub(in crate::tui) const fn note(title: &'static str, text: String) -> Self {
        Self::new(QuestionKind::Note, title, text)
    }

    /// Returns the title, the text and the details as one text.
    pub(in crate::tui) fn message(&self) -> String {
        let colon = if self.title.ends_with('?') { "" } else { ":" };
        let head = format!("{}{colon} {}", self.title, self.text);
        let details = self.details.iter().map(|detail| detail.text.as_str());
        std::iter::once(head.as_str())
            .chain(details)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Returns the subject of the question.
    pub(in crate::tui) fn into_kind(self) -> QuestionKind {
        self.kind
    }

    /// Returns whether the question is about a conflict.
    pub(in crate::tui) const fn is_conflict(&self) -> bool {
        matches!(self.kind, QuestionKind::Conflict)
    }

    /// Returns the key context of the question.
    pub(in crate::tui) const fn context(&self) -> Context {
        match self.kind {
            QuestionKind::Leaving(_) => Context::Leaving,
            QuestionKind::Conflict => Context::Conflict,
            QuestionKind::Unreadable(_)
            | QuestionKind::Replacing(..)
            | QuestionKind::Exporting(_)
            | QuestionKind::Export(_) => Context::Replacing,
            QuestionKind::Unfinished => Context::Unfinished,
            QuestionKind::Saving(_) => Context::Saving,
            QuestionKind::Note => Context::Note,
        }
    }

    fn bindings(&self) -> Vec<&'static Binding> {
        keymap::table()
            .filter(|binding| binding.context == self.context())
            .collect()
    }

    fn text_lines(&self, screen: Rect) -> Vec<String> {
        wrap(&self.text, usize::from(screen.width.min(WIDTH)).saturating_sub(4))
    }

    /// Returns the details that fit on the screen, and the number of details that do not.
    fn visible_details(&self, screen: Rect) -> (&[Detail], usize) {
        let taken = self.text_lines(screen).len() + self.bindings().len() + 4;
        let room = usize::from(screen.height).saturating_sub(taken);
        let all = self.details.len();
        let fit = if all <= room { all } else { room.saturating_sub(1) };
        (&self.details[..fit], all - fit)
    }

    /// Returns the number of rows above the answers.
    fn rows_above(&self, screen: Rect) -> usize {
        let (details, hidden) = self.visible_details(screen);
        self.text_lines(screen).len() + details.len() + usize::from(hidden > 0) + 1
    }

    fn height(&self, screen: Rect) -> u16 {
        (self.rows_above(screen) + self.bindings().len() + 2) as u16
    }

    /// Returns the action of the clicked answer.
    pub(in crate::tui) fn action_at(&self, mouse: MouseEvent, screen: Rect) -> Option<Action> {
        let inside = popup_inside(WIDTH, self.height(screen), screen);
        let rows = inside.rows().skip(self.rows_above(screen));
        answer_at(rows, self.bindings(), mouse)
    }

    /// Draws the question with its answers.
    pub(in crate::tui) fn draw(&self, editor: &Editor, screen: Rect, buf: &mut Buffer) {
        let theme = editor.theme;
        let inside = popup(theme, self.title, WIDTH, self.height(screen), screen, buf);
        let mut lines: Vec<Line> = self.text_lines(screen).into_iter().map(Line::raw).collect();
        let (details, hidden) = self.visible_details(screen);
        lines.extend(details.iter().map(|detail| {
            let style = if detail.is_overlap {
                theme.warning()
            } else {
                theme.text()
            };
            let text = shortened(&detail.text, usize::from(inside.width).saturating_sub(2));
            Line::styled(text, style)
        }));
        if hidden > 0 {
            lines.push(Line::styled(format!("… and {hidden} more"), theme.quiet()));
        }
        lines.push(Line::default());
        lines.extend(self.bindings().into_iter().map(|binding| answer_line(editor, binding)));
        for (y, line) in (inside.top()..inside.bottom()).zip(&lines) {
            let x = inside.x + 1.min(inside.width);
            buf.set_line(x, y, line, inside.right() - x);
        }
    }
}

/// Returns the action of the clicked answer; `rows` are the rows of the answers.
pub(super) fn answer_at(
    rows: impl Iterator<Item = Rect>,
    answers: impl IntoIterator<Item = &'static Binding>,
    mouse: MouseEvent,
) -> Option<Action> {
    let at = click(mouse)?;
    let hit = rows.zip(answers).find(|(row, _)| row.contains(at));
    hit.map(|(_, binding)| binding.action)
}

/// Returns a line with the keys of an answer and a description of what the answer does.
pub(super) fn answer_line(editor: &Editor, binding: &'static Binding) -> Line<'static> {
    let keys = editor.keymap.text(binding);
    let blank = usize::from(KEYS_WIDTH).saturating_sub(keys.width()).max(1);
    Line::from(vec![
        Span::styled(keys, editor.theme.accent()),
        Span::raw(" ".repeat(blank)),
        Span::styled(binding.help, editor.theme.text()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_is_cut_off_in_a_wide_window() {
        // The border and a margin take two columns on each side.
        let width = usize::from(WIDTH - KEYS_WIDTH - 4);
        for binding in keymap::table() {
            let is_answer = matches!(
                binding.context,
                Context::Leaving
                    | Context::Conflict
                    | Context::Replacing
                    | Context::Unfinished
                    | Context::Saving
                    | Context::Note
                    | Context::Leftovers
            );
            assert!(!is_answer || binding.help.width() <= width, "{}", binding.help);
        }
    }
}

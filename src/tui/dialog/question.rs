//! Questions and notes over the screen: some sentences, and below them what can be answered.
//!
//! The answers are the bindings of the question's context in the key table.

use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::{Dialog, DialogCommand, popup, popup_inside};
use crate::background::ExportRequest;
use crate::document::Side;
use crate::storage::DesignFiles;
use crate::tui::app::{Action, App, Effect};
use crate::tui::export_dialog;
use crate::tui::files::{self, AfterSave};
use crate::tui::keys::{self, Binding, Context, Key, bindings};
use crate::tui::text::wrap;

const WIDTH: u16 = 66;

/// Room for the keys of an answer.
const KEYS_WIDTH: u16 = 14;

/// What is asked.
#[derive(Debug)]
enum QuestionKind {
    /// Whether to save before something that would lose unsaved changes.
    Leaving(AfterSave),
    /// Which side of a conflict to keep.
    Conflict,
    /// Whether to write over a file that somebody is at work on.
    Unreadable(AfterSave),
    /// Whether to write over files that are there.
    Replacing(DesignFiles, AfterSave),
    /// Whether to write a copy over files that are there.
    Exporting(DesignFiles),
    /// Whether to write a dungeon over files that are there.
    Sharing(Box<ExportRequest>),
    /// Whether to leave before exports are written.
    Unfinished,
    /// Whether to go on before the design is saved.
    Saving(AfterSave),
    /// Nothing; it is only told.
    Note,
}

/// A question and its text.
#[derive(Debug)]
pub(in crate::tui) struct Question {
    kind: QuestionKind,
    title: &'static str,
    text: String,
}

/// What may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Answer {
    /// Save first.
    Save,
    /// Go on without saving.
    Discard,
    /// Keep the design as it is here.
    Mine,
    /// Take the design as it is in the files.
    Theirs,
    /// Write over what is there.
    Replace,
    /// Leave once all is written.
    Wait,
    /// End what is under way, and leave.
    End,
    /// Go on without waiting.
    GoOn,
}

const ESC: Key = Key::plain(KeyCode::Esc);
const ENTER: Key = Key::plain(KeyCode::Enter);

const fn answer(answer: Answer) -> Action {
    Action::Dialog(DialogCommand::Answer(answer))
}

/// The answers.
pub(in crate::tui) static KEYS: &[Binding] = bindings! {
    Context::Leaving, "save", [Key::char('s'), ENTER], answer(Answer::Save), true, "Save the changes, then go on.";
    Context::Leaving, "discard", [Key::char('d')], answer(Answer::Discard), true, "Go on without the changes; they are lost.";
    Context::Leaving, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay and change nothing.";
    Context::Conflict, "mine", [Key::char('m')], answer(Answer::Mine), true, "Keep yours; undo brings theirs.";
    Context::Conflict, "theirs", [Key::char('t')], answer(Answer::Theirs), true, "Take theirs; undo brings yours.";
    Context::Conflict, "later", [ESC, Key::char('l'), Key::ctrl('c')], Action::CloseDialog, true, "Decide later; saving asks again.";
    Context::Replacing, "replace", [Key::char('r')], answer(Answer::Replace), true, "Write over what is there.";
    Context::Replacing, "cancel", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Leave it as it is.";
    Context::Unfinished, "wait", [Key::char('w'), ENTER], answer(Answer::Wait), true, "Leave when it is written.";
    Context::Unfinished, "end it", [Key::char('e')], answer(Answer::End), true, "End it and leave; nothing of it is written.";
    Context::Unfinished, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay; it goes on.";
    Context::Saving, "go on", [Key::char('g')], answer(Answer::GoOn), true, "Go on now, whatever becomes of the saving.";
    Context::Saving, "stay", [ESC, Key::char('c'), Key::ctrl('c')], Action::CloseDialog, true, "Stay; the saving goes on.";
    Context::Note, "close", [ESC, ENTER, Key::char('q'), Key::ctrl('c')], Action::CloseDialog, true, "Go back to the designer.";
};

impl Question {
    /// Whether to save before something that would lose unsaved changes.
    pub(in crate::tui) fn leaving(title: &str, then: AfterSave) -> Self {
        let what = match &then {
            AfterSave::Open(_) | AfterSave::Recover(_) => "before another design is opened",
            AfterSave::Quit | AfterSave::Stay => "before leaving",
        };
        Self {
            kind: QuestionKind::Leaving(then),
            title: "Unsaved changes",
            text: format!("{title} has changes that no file holds. Save them {what}?"),
        }
    }

    /// Which side of a conflict to keep.
    pub(in crate::tui) fn conflict(title: &str) -> Self {
        Self {
            kind: QuestionKind::Conflict,
            title: "Changed on both sides",
            text: format!(
                "{title} was changed by another program, and you have unsaved changes of your own. \
                 Whichever you choose, undo brings the other one back."
            ),
        }
    }

    /// Whether to write over a file that cannot be read.
    pub(in crate::tui) fn unreadable(title: &str, then: AfterSave) -> Self {
        Self {
            kind: QuestionKind::Unreadable(then),
            title: "Write over it?",
            text: format!(
                "{title} was changed by another program and cannot be used as it stands; somebody may be at \
                 work on it. Problems says what is wrong."
            ),
        }
    }

    /// Whether to write over files that are there.
    pub(in crate::tui) fn replacing(files: DesignFiles, there: &[std::path::PathBuf], then: AfterSave) -> Self {
        Self::over(QuestionKind::Replacing(files, then), there)
    }

    /// Whether to write a copy over files that are there.
    pub(in crate::tui) fn exporting(files: DesignFiles, there: &[std::path::PathBuf]) -> Self {
        Self::over(QuestionKind::Exporting(files), there)
    }

    /// Whether to write a dungeon over files that are there.
    pub(in crate::tui) fn sharing(export: Box<ExportRequest>, there: &[std::path::PathBuf]) -> Self {
        Self::over(QuestionKind::Sharing(export), there)
    }

    /// Whether to leave before exports are written.
    pub(in crate::tui) fn unfinished(what: &str) -> Self {
        Self {
            kind: QuestionKind::Unfinished,
            title: "Still writing",
            text: format!("{what} is not written yet."),
        }
    }

    /// Whether to go on before the design is saved; it goes on by itself once it is. `is_kept` says whether unsaved work is
    /// kept from one start to the next.
    pub(in crate::tui) fn saving(name: &str, then: AfterSave, is_kept: bool) -> Self {
        let (what, without) = match &then {
            AfterSave::Quit | AfterSave::Stay if is_kept => (
                "the designer is left",
                "Whoever goes on now is offered what is unsaved at the next start",
            ),
            AfterSave::Quit | AfterSave::Stay => (
                "the designer is left",
                "Autosave is off: whoever goes on now may lose what is unsaved",
            ),
            AfterSave::Open(_) | AfterSave::Recover(_) => (
                "another design is opened",
                "Whoever goes on now may lose what is unsaved",
            ),
        };
        Self {
            kind: QuestionKind::Saving(then),
            title: "Still saving",
            text: format!("{name} is being saved; once it is, {what}. {without}."),
        }
    }

    /// What waits for a saving; the question itself where it is about something else.
    pub(in crate::tui) fn waiting(self) -> Result<AfterSave, Box<Self>> {
        match self.kind {
            QuestionKind::Saving(then) => Ok(then),
            kind => Err(Box::new(Self { kind, ..self })),
        }
    }

    fn over(kind: QuestionKind, there: &[std::path::PathBuf]) -> Self {
        let names: Vec<String> = there.iter().map(|path| path.display().to_string()).collect();
        let (exist, it) = if names.len() == 1 {
            ("exists", "it")
        } else {
            ("exist", "them")
        };
        Self {
            kind,
            title: "Write over it?",
            text: format!("{} {exist} already. Replace {it}?", names.join(", ")),
        }
    }

    /// Something that has to be read.
    pub(in crate::tui) const fn note(title: &'static str, text: String) -> Self {
        Self {
            kind: QuestionKind::Note,
            title,
            text,
        }
    }

    /// Whether it asks about a conflict.
    pub(in crate::tui) const fn is_conflict(&self) -> bool {
        matches!(self.kind, QuestionKind::Conflict)
    }

    /// Whose keys hold in it.
    pub(super) const fn context(&self) -> Context {
        match self.kind {
            QuestionKind::Leaving(_) => Context::Leaving,
            QuestionKind::Conflict => Context::Conflict,
            QuestionKind::Unreadable(_)
            | QuestionKind::Replacing(..)
            | QuestionKind::Exporting(_)
            | QuestionKind::Sharing(_) => Context::Replacing,
            QuestionKind::Unfinished => Context::Unfinished,
            QuestionKind::Saving(_) => Context::Saving,
            QuestionKind::Note => Context::Note,
        }
    }

    fn bindings(&self) -> Vec<&'static Binding> {
        keys::table()
            .filter(|binding| binding.context == self.context())
            .collect()
    }

    fn sentences(&self, screen: Rect) -> Vec<String> {
        wrap(&self.text, usize::from(screen.width.min(WIDTH)).saturating_sub(4))
    }

    fn height(&self, screen: Rect) -> u16 {
        (self.sentences(screen).len() + self.bindings().len() + 3) as u16
    }
}

/// Does what was answered.
pub(super) fn reply(app: &mut App, answer: Answer) -> Vec<Effect> {
    let Some(Dialog::Question(question)) = app.dialog.take() else {
        return Vec::new();
    };
    match (question.kind, answer) {
        (QuestionKind::Leaving(then), Answer::Save) => files::save(app, false, then),
        // Whoever leaves without waiting is offered what is unsaved at the next start.
        (QuestionKind::Leaving(then), Answer::Discard) | (QuestionKind::Saving(then), Answer::GoOn) => {
            files::follow(app, then)
        }
        (QuestionKind::Conflict, Answer::Mine) => files::resolve(app, Side::Mine),
        (QuestionKind::Conflict, Answer::Theirs) => files::resolve(app, Side::Theirs),
        (QuestionKind::Unreadable(then), Answer::Replace) => files::save(app, true, then),
        (QuestionKind::Replacing(files, then), Answer::Replace) => files::save_over(app, files, then),
        (QuestionKind::Exporting(files), Answer::Replace) => files::copy(app, files, false),
        (QuestionKind::Sharing(export), Answer::Replace) => export_dialog::order(app, *export),
        (QuestionKind::Unfinished, Answer::Wait) => export_dialog::leave_later(app),
        (QuestionKind::Unfinished, Answer::End) => vec![Effect::Quit(0)],
        _ => Vec::new(),
    }
}

/// The answer at a place of the screen.
pub(super) fn answer_at(question: &Question, screen: Rect, at: Position) -> Option<Action> {
    let inside = popup_inside(WIDTH, question.height(screen), screen);
    let first = inside.y + question.sentences(screen).len() as u16 + 1;
    let row = at.y.checked_sub(first).filter(|_| inside.contains(at))?;
    question.bindings().get(usize::from(row)).map(|binding| binding.action)
}

/// Draws the question with its answers.
pub(super) fn draw(app: &App, question: &Question, screen: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let inside = popup(app, question.title, WIDTH, question.height(screen), screen, buf);
    let mut lines: Vec<Line> = question.sentences(screen).into_iter().map(Line::raw).collect();
    lines.push(Line::default());
    for binding in question.bindings() {
        let keys = app.keymap.text(binding);
        let blank = usize::from(KEYS_WIDTH).saturating_sub(keys.width()).max(1);
        lines.push(Line::from(vec![
            Span::styled(keys, theme.accent()),
            Span::raw(" ".repeat(blank)),
            Span::styled(binding.help, theme.text()),
        ]));
    }
    for (y, line) in (inside.top()..inside.bottom()).zip(&lines) {
        let x = inside.x + 1.min(inside.width);
        buf.set_line(x, y, line, inside.right() - x);
    }
}

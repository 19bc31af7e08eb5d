//! Dialogs over the screen: questions, the form for files, the list of designs, the list of unsaved work. The layers
//! hold the open one, and do what it asks for.

mod form;
mod open;
mod question;
mod recover;

use crossterm::event::KeyCode;

pub(super) use form::{FilesForm, FormPurpose, KEYS as FORM_KEYS, base, expanded, stem, three_files, toml_file};
pub(super) use open::{KEYS as PRESET_KEYS, OpenChoice, OpenDialog, OpenFilter};
pub(super) use question::{Answer, KEYS as ANSWERS, Question, QuestionKind};
pub(super) use recover::{KEYS as LEFTOVER_KEYS, RecoverDialog};

use super::action::Action;
use super::keys::{Binding, Context, Key, bindings};
use super::widget::list::ListStep;
pub(super) use super::widget::popup::{after, popup, popup_inside};
use super::{help, palette, time};
use crate::document::Document;
use crate::storage::RecoverableWork;

/// The open dialog.
#[derive(Debug)]
pub(super) enum Dialog {
    /// The help overlay.
    Help(help::HelpState),
    /// A question or a note.
    Question(Question),
    /// The form for the paths of a design's files.
    Form(Box<FilesForm>),
    /// The list of designs that can be opened.
    Open(Box<OpenDialog>),
    /// The list of unsaved work from crashes.
    Leftovers(RecoverDialog),
    /// The palette that finds actions by typing.
    Palette(Box<palette::PaletteState>),
    /// The moment to go to.
    Moment(time::Moment),
    /// The export dialog; its choices are kept when it closes.
    Share,
    /// The import options of a drawing.
    Import,
}

impl Dialog {
    /// Returns the form for a design's files.
    pub(super) fn form(purpose: FormPurpose, document: &Document) -> Self {
        Self::Form(Box::new(FilesForm::new(purpose, document)))
    }

    /// Returns the list of unsaved work from crashes.
    pub(super) fn leftovers(found: Vec<RecoverableWork>) -> Self {
        Self::Leftovers(RecoverDialog::new(found))
    }
}

/// A command of the dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialogCommand {
    /// Moves the selection, or the focus to another field; scrolls help.
    Select(ListStep),
    /// Answers the question.
    Answer(Answer),
    /// Accepts the form or the selected entry.
    Accept,
    /// Switches between one file and three.
    OtherFormat,
    /// Completes the input from the selected entry.
    Complete,
    /// Discards the selected entry.
    ThrowAway,
    /// Starts searching the help.
    Search,
    /// Shows all of the help again.
    ShowAll,
}

/// Key bindings of the dialogs.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Help, "close", [Key::plain(KeyCode::Esc), Key::char('?'), Key::char('q'), Key::plain(KeyCode::Enter), Key::ctrl('c')], Action::CloseDialog, true, "Go back to where help was asked for.";
    Context::Help, "search", [Key::char('/'), Key::ctrl('f')], Action::Dialog(DialogCommand::Search), true, "Show only the keys and actions that have some words.";
    Context::Help, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Scroll down a line.";
    Context::Help, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Scroll up a line.";
    Context::Help, "page down", [Key::plain(KeyCode::PageDown), Key::char(' ')], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Scroll down by a page.";
    Context::Help, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Scroll up by a page.";
    Context::Help, "first", [Key::plain(KeyCode::Home), Key::char('g')], Action::Dialog(DialogCommand::Select(ListStep::First)), false, "Scroll to the first line.";
    Context::Help, "last", [Key::plain(KeyCode::End), Key::char('G')], Action::Dialog(DialogCommand::Select(ListStep::Last)), false, "Scroll to the last line.";
    Context::Help, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Look an action up by its name, and do it.";
    Context::HelpSearch, "keep", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Go on with what was found.";
    Context::HelpSearch, "show all", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::Dialog(DialogCommand::ShowAll), true, "Show every key again.";
    Context::HelpSearch, "down", [Key::plain(KeyCode::Down)], Action::Dialog(DialogCommand::Select(ListStep::By(1))), true, "Scroll down a line.";
    Context::HelpSearch, "up", [Key::plain(KeyCode::Up)], Action::Dialog(DialogCommand::Select(ListStep::By(-1))), true, "Scroll up a line.";
    Context::HelpSearch, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Select(ListStep::Page(1))), false, "Scroll down by a page.";
    Context::HelpSearch, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Select(ListStep::Page(-1))), false, "Scroll up by a page.";
};

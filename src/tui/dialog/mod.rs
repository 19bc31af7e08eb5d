//! Dialogs over the screen: help, questions, forms. One is open at a time; it handles all keys and the mouse.
//!
//! A dialog with text fields handles keys in [`typed`] before the key table is consulted.

mod form;
mod open;
mod question;
mod recover;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub(super) use form::{FilesForm, FormPurpose, KEYS as FORM_KEYS, base, expanded, stem, three_files, toml_file};
pub(super) use open::{KEYS as PRESET_KEYS, OpenDialog, OpenFilter, begin as begin_open, open_listed};
pub(super) use question::{KEYS as ANSWERS, Question};
pub(super) use recover::{KEYS as LEFTOVER_KEYS, RecoverDialog};

use self::question::Answer;
use super::app::{Action, App, Effect};
use super::keys::{Binding, Context, Key, bindings};
pub(super) use super::widget::popup::{after, popup, popup_area, popup_inside};
use super::{export_dialog, help, import_dialog, palette, time};
use crate::background::PreviewReply;
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

/// A command of the dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialogCommand {
    /// Scrolls by lines, down if positive.
    Scroll(i16),
    /// Answers the question.
    Answer(Answer),
    /// Accepts the form or the selected entry.
    Accept,
    /// Moves to another field of the form, or entry of the list.
    Field(i32),
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
    Context::Help, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Dialog(DialogCommand::Scroll(1)), true, "Scroll down a line.";
    Context::Help, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Dialog(DialogCommand::Scroll(-1)), true, "Scroll up a line.";
    Context::Help, "page down", [Key::plain(KeyCode::PageDown), Key::char(' ')], Action::Dialog(DialogCommand::Scroll(10)), false, "Scroll down by ten lines.";
    Context::Help, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Scroll(-10)), false, "Scroll up by ten lines.";
    Context::Help, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, false, "Look an action up by its name, and do it.";
    Context::HelpSearch, "keep", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Go on with what was found.";
    Context::HelpSearch, "show all", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::Dialog(DialogCommand::ShowAll), true, "Show every key again.";
    Context::HelpSearch, "down", [Key::plain(KeyCode::Down)], Action::Dialog(DialogCommand::Scroll(1)), true, "Scroll down a line.";
    Context::HelpSearch, "up", [Key::plain(KeyCode::Up)], Action::Dialog(DialogCommand::Scroll(-1)), true, "Scroll up a line.";
    Context::HelpSearch, "page down", [Key::plain(KeyCode::PageDown)], Action::Dialog(DialogCommand::Scroll(10)), false, "Scroll down by ten lines.";
    Context::HelpSearch, "page up", [Key::plain(KeyCode::PageUp)], Action::Dialog(DialogCommand::Scroll(-10)), false, "Scroll up by ten lines.";
};

impl Dialog {
    /// Returns the form for a design's files.
    pub(super) fn form(purpose: FormPurpose, document: &Document) -> Self {
        Self::Form(Box::new(FilesForm::new(purpose, document)))
    }

    /// Returns the list of unsaved work from crashes.
    pub(super) const fn leftovers(found: Vec<RecoverableWork>) -> Self {
        Self::Leftovers(RecoverDialog::new(found))
    }

    /// Returns the key context of the dialog.
    pub(super) fn context(&self, app: &App) -> Context {
        match self {
            Self::Help(state) => state.context(),
            Self::Question(question) => question.context(),
            Self::Form(_) => Context::Form,
            Self::Open(_) => Context::Presets,
            Self::Leftovers(_) => Context::Leftovers,
            Self::Palette(_) => Context::Palette,
            Self::Moment(_) => Context::Moment,
            Self::Share => export_dialog::context(app),
            Self::Import => import_dialog::context(app),
        }
    }
}

/// Opens the list of designs, to choose one for a comparison.
pub(super) fn choose_design(app: &mut App) -> Vec<Effect> {
    open::begin(app, OpenFilter::All)
}

/// Closes the dialog, and cancels its requests.
pub(super) fn close(app: &mut App) -> Vec<Effect> {
    let mut effects = app.cancel_files();
    match app.dialog.take() {
        Some(Dialog::Open(_)) => effects.push(Effect::TurnAway),
        Some(Dialog::Share) => effects.push(Effect::LeaveSample),
        Some(Dialog::Import) => {
            app.intake.close();
            effects.push(Effect::LeaveProposal);
        }
        _ => {}
    }
    effects
}

/// Shows why a design could not be opened: in the open dialog or form, else in a note.
pub(super) fn not_opened(app: &mut App, why: String) -> Vec<Effect> {
    match &mut app.dialog {
        Some(Dialog::Open(open)) => open.refuse(why),
        Some(Dialog::Form(form)) => form.refuse(why),
        _ => app.dialog = Some(Dialog::Question(Question::note("Not opened", why))),
    }
    Vec::new()
}

/// Requests pictures of another size after the screen was resized.
pub(super) fn resized(app: &mut App) -> Vec<Effect> {
    match app.dialog {
        Some(Dialog::Share) => export_dialog::resized(app),
        Some(Dialog::Import) => import_dialog::resized(app),
        _ => open::resized(app),
    }
}

/// Handles a reply of the preview service about a folder or a design.
pub(super) fn hear(app: &mut App, exhibit: PreviewReply) -> Vec<Effect> {
    match (&app.dialog, exhibit) {
        (Some(Dialog::Share), PreviewReply::Folder { run, found, .. }) => export_dialog::listed(app, run, found),
        (_, exhibit) => open::hear(app, exhibit),
    }
}

/// Runs a command in the dialog.
pub(super) fn update(app: &mut App, command: DialogCommand) -> Vec<Effect> {
    let given_up = match command {
        DialogCommand::Accept => Vec::new(),
        _ => app.cancel_files(),
    };
    let mut effects = obey(app, command);
    effects.extend(given_up);
    effects
}

fn obey(app: &mut App, command: DialogCommand) -> Vec<Effect> {
    let (theme, screen) = (app.editor.theme, app.editor.screen);
    match (&mut app.dialog, command) {
        (Some(Dialog::Help(state)), DialogCommand::Scroll(lines)) => {
            state.scroll(lines, theme, &app.editor.keymap, screen)
        }
        (Some(Dialog::Help(state)), DialogCommand::Search) => state.search(),
        (Some(Dialog::Help(state)), DialogCommand::Accept) => state.searched(true),
        (Some(Dialog::Help(state)), DialogCommand::ShowAll) => state.searched(false),
        (Some(Dialog::Question(_)), DialogCommand::Answer(answer)) => return question::reply(app, answer),
        (Some(Dialog::Form(_)), DialogCommand::Accept) => return form::accept(app),
        (Some(Dialog::Open(_)), DialogCommand::Accept) => return open::accept(app),
        (Some(Dialog::Open(_)), DialogCommand::Field(by)) => return open::select(app, by),
        (Some(Dialog::Open(_)), DialogCommand::Scroll(lines)) => return open::select(app, lines.signum().into()),
        (Some(Dialog::Open(_)), DialogCommand::Complete) => return open::complete(app),
        (Some(Dialog::Open(_)), DialogCommand::OtherFormat) => return open::name_files(app, None),
        (Some(Dialog::Leftovers(_)), DialogCommand::Accept) => return recover::accept(app),
        (Some(Dialog::Leftovers(_)), DialogCommand::ThrowAway) => return recover::throw_away(app),
        (Some(Dialog::Leftovers(list)), DialogCommand::Field(by)) => list.select(by),
        (Some(Dialog::Leftovers(list)), DialogCommand::Scroll(lines)) => list.select(lines.signum().into()),
        (Some(Dialog::Palette(_)), DialogCommand::Accept) => return palette::accept(app),
        (Some(Dialog::Moment(_)), DialogCommand::Accept) => time::accept_moment(app),
        (Some(Dialog::Palette(_)), DialogCommand::Field(by)) => palette::select(app, by),
        (Some(Dialog::Palette(_)), DialogCommand::Scroll(lines)) => palette::select(app, lines.into()),
        (Some(Dialog::Form(form)), DialogCommand::Field(by)) => form.move_field(by),
        (Some(Dialog::Form(form)), DialogCommand::OtherFormat) => form.other_format(),
        _ => {}
    }
    Vec::new()
}

/// Passes a key to a text field of the dialog; returns `None` if no field handles it.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    let mut effects = give_text(app, key)?;
    effects.extend(app.cancel_files());
    Some(effects)
}

fn give_text(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    match &mut app.dialog {
        Some(Dialog::Share) => export_dialog::typed(app, key),
        Some(Dialog::Import) => import_dialog::typed(app, key),
        Some(Dialog::Form(form)) if app.editor.keymap.find(&[Context::Form], key).is_none() => {
            form::typed(form, key).then(Vec::new)
        }
        Some(Dialog::Open(_)) if app.editor.keymap.find(&[Context::Presets], key).is_none() => open::typed(app, key),
        Some(Dialog::Help(state)) if app.editor.keymap.find(&[Context::HelpSearch], key).is_none() => {
            state.typed(key).then(Vec::new)
        }
        Some(Dialog::Palette(state)) if app.editor.keymap.find(&[Context::Palette], key).is_none() => {
            state.typed(key).then(Vec::new)
        }
        Some(Dialog::Moment(state)) if app.editor.keymap.find(&[Context::Moment], key).is_none() => {
            state.typed(key).then(Vec::new)
        }
        _ => None,
    }
}

/// Passes pasted text to a text field of the dialog.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    let given_up = app.cancel_files();
    match &mut app.dialog {
        Some(Dialog::Form(form)) => form.field().paste(text),
        Some(Dialog::Open(_)) => return [open::paste(app, text), given_up].concat(),
        Some(Dialog::Share) => return [export_dialog::paste(app, text), given_up].concat(),
        Some(Dialog::Import) => return [import_dialog::paste(app, text), given_up].concat(),
        Some(Dialog::Help(state)) => state.paste(text),
        Some(Dialog::Palette(state)) => state.paste(text),
        Some(Dialog::Moment(state)) => state.paste(text),
        _ => {}
    }
    given_up
}

/// Passes the mouse to the dialog: the wheel scrolls, a click selects.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    match app.dialog {
        Some(Dialog::Share) => return export_dialog::mouse(app, mouse),
        Some(Dialog::Import) => return import_dialog::mouse(app, mouse),
        _ => {}
    }
    match mouse.kind {
        MouseEventKind::ScrollDown => update(app, DialogCommand::Scroll(3)),
        MouseEventKind::ScrollUp => update(app, DialogCommand::Scroll(-3)),
        MouseEventKind::Down(MouseButton::Left) => click(app, (mouse.column, mouse.row).into()),
        _ => Vec::new(),
    }
}

fn click(app: &mut App, at: Position) -> Vec<Effect> {
    let screen = app.editor.screen;
    match &mut app.dialog {
        Some(Dialog::Question(question)) => {
            let answer = question::answer_at(question, screen, at);
            answer.map_or_else(Vec::new, |action| app.update(action))
        }
        Some(Dialog::Form(form)) => {
            form::click(form, screen, at);
            Vec::new()
        }
        Some(Dialog::Leftovers(list)) => {
            let action = recover::click(list, screen, at);
            action.map_or_else(Vec::new, |action| app.update(action))
        }
        Some(Dialog::Open(_)) => open::click(app, at),
        Some(Dialog::Palette(_)) => palette::click(app, at),
        Some(Dialog::Help(_) | Dialog::Moment(_) | Dialog::Share | Dialog::Import) | None => Vec::new(),
    }
}

/// Draws the dialog, if one is open.
pub(super) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    match &app.dialog {
        Some(Dialog::Help(state)) => help::draw(app, state, screen, buf),
        Some(Dialog::Question(question)) => question::draw(app, question, screen, buf),
        Some(Dialog::Form(form)) => form::draw(app, form, screen, buf),
        Some(Dialog::Open(open)) => open::draw(app, open, screen, buf),
        Some(Dialog::Leftovers(list)) => recover::draw(app, list, screen, buf),
        Some(Dialog::Palette(state)) => palette::draw(app, state, screen, buf),
        Some(Dialog::Moment(state)) => time::draw_moment(app, state, screen, buf),
        Some(Dialog::Share) => export_dialog::draw(app, screen, buf),
        Some(Dialog::Import) => import_dialog::draw(app, screen, buf),
        None => {}
    }
}

//! The export dialog, and the queue of exports, which are written in the background.
//!
//! [`form`] contains the user's choices, [`options`] the option lines of a kind; [`draw`] draws the dialog, and
//! [`queue`] manages the exports that are in progress or waiting. While the user chooses, the exporter renders a
//! preview of the result.

mod areas;
mod complete;
mod draw;
mod form;
mod options;
mod preview;
mod queue;
mod saved_choices;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, MouseEvent};

use self::areas::ExportAreas;
pub(super) use self::complete::handle_folder;
pub(super) use self::draw::draw;
use self::form::{ExportChoice, ExportFocus, ExportForm, ExportRow, ExportSubject};
use self::queue::{ExportQueue, LastExport};
pub(super) use self::queue::{
    enqueue, handle_preview, handle_reply, progress_line, progress_mouse, quit, quit_if_written, quit_when_written,
    unwritten,
};
use super::buttons;
use super::dialog::{Dialog, Question};
use super::editor::Editor;
use super::recorded;
use super::widget::list::ListStep;
use super::widget::prompt::{PasteCut, TextField};
use crate::background::{ExportPreviewRequest, ExportRequest, ExportTarget, JobError, ResolvedTarget, Ticket};
use crate::export::ExportKind;
use crate::storage::{DesignFiles, is_same_path};
use crate::tui::commands::ExportCommand;
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;
use crate::tui::widget::form::next;
use crate::tui::widget::mouse::{click, position};

/// State of the export dialog and queue.
#[derive(Debug, Default)]
pub(super) struct ExportState {
    form: ExportForm,
    queue: ExportQueue,
    /// The last export of this session, for repeating it.
    last: Option<LastExport>,
    resolving: Option<JobHandle<PendingTarget>>,
    /// Whether the export whose target is being resolved or confirmed shows the end of growth instead of the turn on the
    /// screen.
    at_end: bool,
}

/// An export that waits for its target path to be resolved.
#[derive(Debug)]
struct PendingTarget {
    export: Box<ExportRequest>,
    /// Whether the export was started in the dialog, not repeated with a key. If so, leaving the dialog cancels it.
    is_named: bool,
}

impl ExportState {
    pub(super) fn cancel_preview(&mut self) {
        self.form.awaited = None;
    }

    /// Returns the choices as text for the next session; `None` if nothing was exported.
    pub(super) fn kept(&self) -> Option<String> {
        self.last.as_ref().and_then(|_| self.form.kept())
    }

    /// Restores the choices of the previous session.
    pub(super) fn recall(&mut self, text: &str) {
        self.form.recall(text);
    }
}

/// What the app must do after a command or reply about an export.
#[derive(Debug)]
pub(super) enum ExportOutcome {
    /// Write a copy of the design to these files. If the flag is true, the dialog stays open until the copy is written.
    Copy(DesignFiles, bool),
    /// Close the dialog.
    Close,
    /// Replace the dialog with a question.
    Ask(Question),
    /// Quit, but ask first if there are unsaved changes.
    Leave,
    /// Quit at once.
    Quit,
}

impl ExportForm {
    /// Returns the key context of the dialog.
    fn context(&self) -> Context {
        match self.part {
            ExportFocus::Path => Context::ExportPath,
            ExportFocus::Options if self.types_script() => Context::ExportText,
            ExportFocus::List | ExportFocus::Options => Context::Export,
        }
    }
}

impl ExportState {
    /// Returns the key context of the dialog.
    pub(super) fn context(&self) -> Context {
        self.form.context()
    }
}

/// Returns the run that the screen shows; `None` if nothing has grown.
fn subject(editor: &Editor) -> Option<ExportSubject> {
    let run = editor.time.run()?;
    let recording = editor.time.recording()?;
    let document = &editor.document;
    // The files are listed as sources only if they contain this design: unsaved and previewed changes are not in them.
    let is_kept = !document.is_dirty() && document.valid() == Some(&run.design);
    let recorded = document.recording_file();
    let recorded =
        recorded.filter(|recording_file| recorded::shows_growth_of(recording_file, &run.design, run.options));
    Some(ExportSubject {
        design: run.design.clone(),
        engine: run.options,
        turn: editor.time.turn(),
        is_end: recording.is_finished() && editor.time.turn() == recording.turns(),
        recorded: recorded.cloned(),
        sources: if is_kept { document.watched() } else { Vec::new() },
    })
}

/// Prepares the dialog for the dungeon on the screen.
pub(super) fn begin(state: &mut ExportState, editor: &mut Editor) {
    state.form.begin(subject(editor), &editor.document);
    request_preview(&mut state.form, editor);
}

/// Requests a preview of the chosen export, unless that preview is shown already or was requested.
fn request_preview(form: &mut ExportForm, editor: &mut Editor) {
    let room = areas::room(form, editor.screen);
    let Some(wanted) = form.export() else {
        form.sample = None;
        form.awaited = None;
        return;
    };
    let is_same = |known: &ExportRequest| known.same_but_for_the_path(&wanted);
    // The reply to a pending request for another preview would replace the known one.
    let is_known =
        form.awaited.is_none() && form.sample.as_ref().is_some_and(|(of, _)| is_same(of)) && form.room == room;
    let is_awaited = form.awaited.as_ref().is_some_and(|job| is_same(&job.purpose)) && form.room == room;
    if is_known || is_awaited {
        return;
    }
    form.room = room;
    let request = ExportPreviewRequest {
        export: wanted.clone(),
        room,
    };
    form.awaited = Some(editor.start(request, wanted));
}

/// Requests a preview for the new size after the screen was resized.
pub(super) fn resized(state: &mut ExportState, editor: &mut Editor) {
    request_preview(&mut state.form, editor);
}

/// Runs a command. `is_open` says whether the dialog is open.
pub(super) fn update(
    state: &mut ExportState,
    editor: &mut Editor,
    is_open: bool,
    command: ExportCommand,
) -> Option<ExportOutcome> {
    let form = &mut state.form;
    match command {
        ExportCommand::Again => return queue::again(state, editor),
        ExportCommand::End => {
            queue::cancel_current(state, editor);
            return None;
        }
        _ if !is_open => return None,
        ExportCommand::Accept => return accept(state, editor),
        ExportCommand::Complete => {
            complete::complete(form, editor);
            return None;
        }
        ExportCommand::Part(by) => form.go(by),
        ExportCommand::Select(step) => form.step(step, &ExportAreas::of(form, editor.screen)),
        ExportCommand::Change(by) => form.change(by),
    }
    request_preview(form, editor);
    None
}

impl ExportForm {
    /// Focuses the next or previous part of the dialog, and skips the options if the kind has none.
    fn go(&mut self, by: i32) {
        const PARTS: [ExportFocus; 3] = [ExportFocus::List, ExportFocus::Options, ExportFocus::Path];
        self.part = match next(&PARTS, self.part, by) {
            ExportFocus::Options if self.lines().is_empty() => next(&PARTS, self.part, 2 * by),
            part => part,
        };
        self.settings.restart();
        self.hint.clear();
    }

    /// Moves the selection within the focused part; from the last or first path, moves the focus to the next or
    /// previous part.
    fn step(&mut self, step: ListStep, areas: &ExportAreas) {
        match self.part {
            ExportFocus::List => {
                let (rows, choosable) = (ExportChoice::rows(), self.choosable());
                let is_heading = |row: usize| !matches!(rows[row], ExportRow::What(what) if choosable.contains(&what));
                self.kinds.step_over(step, areas.kinds(self), is_heading);
                self.choose_selected(areas);
            }
            ExportFocus::Options => self.settings.step(step, areas.settings(self)),
            ExportFocus::Path => {
                let by = if matches!(step, ListStep::By(by) if by < 0) {
                    -1
                } else {
                    1
                };
                match self.path.checked_add_signed(by as isize) {
                    Some(path) if path < self.paths().len() => self.path = path,
                    _ => self.go(by),
                }
            }
        }
    }

    /// Chooses the kind that is selected in the list.
    fn choose_selected(&mut self, areas: &ExportAreas) {
        let row = areas.kinds(self).selected;
        if let Some(ExportRow::What(what)) = ExportChoice::rows().get(row)
            && *what != self.what
        {
            self.choose(*what);
        }
    }

    /// Returns the exports that can be selected: all of them, or only copies of the design if nothing has grown.
    fn choosable(&self) -> Vec<ExportChoice> {
        let whats = ExportChoice::rows().into_iter().filter_map(|row| match row {
            ExportRow::What(what) => Some(what),
            ExportRow::Heading(_) => None,
        });
        whats
            .filter(|what| self.subject.is_some() || what.kind().is_none())
            .collect()
    }

    /// Changes the selected option. If the list has the focus, a positive step moves the focus to the options.
    fn change(&mut self, by: i32) {
        match self.part {
            ExportFocus::List if by > 0 => self.go(1),
            ExportFocus::List | ExportFocus::Path => {}
            ExportFocus::Options => self.change_option(by),
        }
    }

    fn change_option(&mut self, by: i32) {
        let (Some(line), Some(kind)) = (self.selected(), self.what.kind()) else {
            return;
        };
        self.clear();
        self.settings.restart();
        if line == options::OptionLine::Moment {
            self.at_end ^= true;
            self.propose();
        } else {
            line.change(self.options_mut(kind), kind, by);
        }
    }
}

/// Handles a key that edits the path, the script of moments, or the number in the selected line, whichever has the
/// focus. Returns whether the key was used.
pub(super) fn typed(state: &mut ExportState, editor: &mut Editor, key: &KeyEvent) -> bool {
    let form = &mut state.form;
    match form.part {
        ExportFocus::List => return false,
        ExportFocus::Options if form.types_script() => {
            if !form.script.press(key) {
                return false;
            }
            form.clear();
        }
        ExportFocus::Options => match type_number(form, key) {
            Some(Ok(())) => {}
            Some(Err(why)) => {
                editor.warn(why);
                return true;
            }
            None => return false,
        },
        ExportFocus::Path => {
            if !TextField::is_text(key) {
                return false;
            }
            form.is_named |= form.what.kind().is_some();
            form.clear();
            if !form.typing().press(key) {
                return false;
            }
        }
    }
    request_preview(form, editor);
    true
}

/// Applies a digit or Backspace to the number in the selected line. Returns an error if the character is rejected.
/// Returns `None` if the line contains no number or the key does not edit a number.
fn type_number(form: &mut ExportForm, key: &KeyEvent) -> Option<Result<(), String>> {
    let (line, kind) = (form.selected()?, form.what.kind()?);
    let number = line.number(form.options_mut(kind))?;
    let value = form.settings.type_number(line.label(), number, key)?;
    Some(value.map(|value| {
        line.set_number(form.options_mut(kind), value);
        form.clear();
    }))
}

/// Inserts pasted text into the path or the script of moments, if one of them has the focus.
pub(super) fn paste(state: &mut ExportState, editor: &mut Editor, text: &str) -> Option<PasteCut> {
    let form = &mut state.form;
    if form.types_script() {
        form.clear();
        let cut = form.script.paste(text);
        request_preview(form, editor);
        return cut;
    }
    if form.part != ExportFocus::Path {
        return None;
    }
    form.is_named |= form.what.kind().is_some();
    form.clear();
    form.typing().paste(text)
}

/// Handles the mouse. A click selects an export, changes an option, focuses a path or presses a button; the wheel moves
/// the selection in the list or changes an option.
pub(super) fn mouse(state: &mut ExportState, editor: &mut Editor, mouse: MouseEvent) {
    let form = &mut state.form;
    let at = position(mouse);
    let places = ExportAreas::of(form, editor.screen);
    if let Some(action) = buttons::in_border(editor, form.context(), places.frame).clicked(mouse) {
        return editor.act(action);
    }
    if places.list.contains(at) {
        let (rows, choosable) = (ExportChoice::rows(), form.choosable());
        let is_heading = |row: usize| !matches!(rows[row], ExportRow::What(what) if choosable.contains(&what));
        if form.kinds.mouse(mouse, places.kinds(form), is_heading).is_some() {
            form.part = ExportFocus::List;
            form.choose_selected(&places);
        }
    } else if let Some(by) = form.settings.mouse(mouse, places.settings(form), places.label()) {
        form.part = ExportFocus::Options;
        form.change_option(by);
    } else if let Some(path) = click(mouse).and_then(|at| places.path_at(form, at)) {
        (form.part, form.path) = (ExportFocus::Path, path);
    }
    request_preview(form, editor);
}

/// Starts the chosen export. The user is asked before existing files are overwritten.
fn accept(state: &mut ExportState, editor: &mut Editor) -> Option<ExportOutcome> {
    let form = &mut state.form;
    match form.what {
        ExportChoice::Dungeon(kind) => match form.target(kind, editor) {
            Ok((mut target, export)) => {
                target.unwritten = state.queue.files();
                state.at_end = form.at_end;
                form.why.clear();
                form.hint = "reading the folder …".into();
                resolve_target(state, editor, target, export, true);
                None
            }
            Err(why) => {
                state.reject(why);
                None
            }
        },
        ExportChoice::Toml | ExportChoice::Three => match form.design_files() {
            Ok(named) => {
                form.why.clear();
                form.hint = "writing …".into();
                Some(ExportOutcome::Copy(named, true))
            }
            Err(why) => {
                state.reject(why);
                None
            }
        },
    }
}

impl ExportForm {
    /// Returns two requests, one to check the typed destination and one for the export; or why the export cannot be
    /// written.
    fn target(&self, kind: ExportKind, editor: &Editor) -> Result<(ExportTarget, ExportRequest), String> {
        let subject = self.subject.as_ref().ok_or("nothing has grown yet")?;
        if let Some(why) = self.script_error() {
            return Err(why);
        }
        if let (Some((_, Err(why))), None) = (&self.sample, &self.awaited) {
            return Err(why.clone());
        }
        let target = self.site(kind, editor.document.watched());
        let target = target.ok_or("type the path of the file")?;
        let export = subject.export(kind, self.options(kind), self.at_end, &target.typed);
        Ok((target, export))
    }
}

impl ExportState {
    /// Shows in the dialog why the export was rejected.
    pub(super) fn reject(&mut self, why: String) {
        self.form.why = why;
        self.form.hint.clear();
    }

    /// Records that a copy of the design was written to these files, so that it can be repeated.
    pub(super) fn copied(&mut self, named: DesignFiles) {
        self.last = Some(LastExport::Design(named));
    }

    /// Records whether a copy of the design was written.
    pub(super) const fn record_copy(&mut self, is_written: bool) {
        self.queue.has_failed = !is_written;
    }

    /// Returns whether the last export or copy of the design failed.
    pub(super) const fn has_failed(&self) -> bool {
        self.queue.has_failed
    }

    /// Returns why the design cannot be saved to these files while exports are being written; `None` if it can.
    pub(super) fn conflict(&self, named: &DesignFiles) -> Option<String> {
        self.queue.conflict(named)
    }

    /// Returns why the export was rejected; empty if it was not.
    pub(super) fn why(&self) -> &str {
        &self.form.why
    }

    /// Cancels the resolution of the target path that the dialog waits for, if any.
    pub(super) fn cancel(&mut self) {
        self.resolving.take_if(|resolving| resolving.purpose.is_named);
    }
}

/// Requests the resolution of an export's target path; the export is queued after the reply.
fn resolve_target(
    state: &mut ExportState,
    editor: &mut Editor,
    target: ExportTarget,
    export: ExportRequest,
    is_named: bool,
) {
    let export = Box::new(export);
    state.resolving = Some(editor.start(target, PendingTarget { export, is_named }));
}

/// Handles a resolved target. Queues the export, or asks first if it would replace a file: for an export that is
/// repeated, a file that is no earlier export of its kind. `dialog` is the open dialog; `copying` is the name of the
/// file to which the design is being copied, if any.
pub(super) fn handle_target(
    state: &mut ExportState,
    editor: &mut Editor,
    (dialog, copying): (Option<&Dialog>, Option<String>),
    ticket: &Ticket,
    reply: Result<Result<ResolvedTarget, String>, JobError>,
) -> Option<ExportOutcome> {
    let resolving = state.resolving.take_if(|resolving| resolving.has(ticket))?;
    // `enqueue` resets this.
    state.queue.has_failed = true;
    let PendingTarget { export, is_named } = resolving.purpose;
    let mut export = *export;
    let is_named = is_named && matches!(dialog, Some(Dialog::Export));
    match reply.unwrap_or_else(|error| Err(error.to_string())) {
        Err(why) if is_named => state.reject(why),
        Err(why) => {
            editor.fail(why);
            return quit_if_written(state, copying, false);
        }
        Ok(ResolvedTarget { to, in_the_way }) if !is_named => {
            export.to = to;
            // The user has already confirmed that the exports in the queue replace their files.
            let unwritten = state.queue.files();
            let is_confirmed = |path: &PathBuf| unwritten.iter().any(|other| is_same_path(other, path));
            let foreign = in_the_way.into_iter().filter(|path| !is_confirmed(path));
            let foreign: Vec<PathBuf> = foreign.collect();
            if foreign.is_empty() {
                enqueue(state, editor, export);
            } else if dialog.is_none() {
                quit_if_written(state, copying, false);
                return Some(ExportOutcome::Ask(Question::overwrite_export(
                    Box::new(export),
                    &foreign,
                )));
            } else {
                // A question would replace the dialog that the user has opened in the meantime.
                editor.fail(format!(
                    "{} was not replaced: it is not an earlier export of this kind",
                    foreign[0].display()
                ));
                return quit_if_written(state, copying, false);
            }
        }
        Ok(ResolvedTarget { to, in_the_way }) => {
            let form = &mut state.form;
            form.hint.clear();
            form.folder = to.parent().map(Path::to_owned);
            export.to = to;
            form.awaited = None;
            if in_the_way.is_empty() {
                enqueue(state, editor, export);
                return Some(ExportOutcome::Close);
            }
            return Some(ExportOutcome::Ask(Question::overwrite_export(
                Box::new(export),
                &in_the_way,
            )));
        }
    }
    None
}

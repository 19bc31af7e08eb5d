//! The export dialog, and the queue of files written in the background.
//!
//! [`form`] holds the choices, [`options`] the settings of a kind, [`draw`] draws the dialog, and [`queue`] manages the
//! exports in progress. While the user chooses, the exporter supplies a preview of the result.

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

use std::path::Path;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use self::areas::ExportAreas;
pub(super) use self::complete::handle_folder;
pub(super) use self::draw::draw;
use self::form::{ExportChoice, ExportFocus, ExportForm, ExportRow, ExportSubject};
use self::queue::{ExportQueue, LastExport};
pub(super) use self::queue::{foot, foot_mouse, handle_preview, handle_reply, leave, leave_later, order, settled};
use super::app::{App, NoticeLevel};
use super::dialog::{Dialog, Question};
use super::widget::list::ListStep;
use super::widget::prompt::TextField;
use super::{files, recorded};
use crate::background::{ExportPreviewRequest, ExportRequest, ExportTarget, JobError, ResolvedTarget, Ticket};
use crate::export::ExportKind;
use crate::storage::DesignFiles;
use crate::tui::commands::{Effect, ExportCommand};
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;

/// State of the export dialog and queue.
#[derive(Debug, Default)]
pub(super) struct ExportState {
    form: ExportForm,
    queue: ExportQueue,
    /// The last export of this session, for repeating it.
    last: Option<LastExport>,
    locating: Option<JobHandle<PendingTarget>>,
    /// Whether the repeated export is of the end of growth.
    again_at_end: bool,
}

/// An export that waits for its target path to be resolved.
#[derive(Debug)]
struct PendingTarget {
    export: Box<ExportRequest>,
    /// Whether the user confirmed it in the dialog; leaving the dialog cancels it then.
    is_named: bool,
}

impl ExportState {
    /// Cancels the preview.
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

/// Returns the key context of the dialog.
pub(super) fn context(app: &App) -> Context {
    match app.export.form.part {
        ExportFocus::Path => Context::ExportPath,
        ExportFocus::List | ExportFocus::Options => Context::Export,
    }
}

/// Returns the run that the screen shows; `None` if nothing has grown.
fn subject(app: &App) -> Option<ExportSubject> {
    let run = app.editor.time.run()?;
    let recording = app.editor.time.recording()?;
    let document = &app.editor.document;
    // The document's files do not contain unsaved or previewed changes.
    let is_kept = !document.is_dirty() && document.valid() == Some(&run.design);
    let recorded = document.recording_file();
    let recorded = recorded.filter(|recording_file| recorded::holds(recording_file, &run.design, run.options));
    Some(ExportSubject {
        design: run.design.clone(),
        engine: run.options,
        turn: app.editor.time.turn(),
        is_end: recording.is_finished() && app.editor.time.turn() == recording.turns(),
        recorded: recorded.cloned(),
        sources: if is_kept { document.watched() } else { Vec::new() },
    })
}

/// Opens the dialog.
pub(super) fn begin(app: &mut App) -> Vec<Effect> {
    let subject = subject(app);
    app.export.form.begin(subject, &app.editor.document);
    app.dialog = Some(Dialog::Export);
    requests(app)
}

/// Requests a preview of the chosen export, unless it is known or already requested.
fn requests(app: &mut App) -> Vec<Effect> {
    let room = areas::room(app);
    let form = &mut app.export.form;
    let Some(wanted) = form.export() else {
        form.sample = None;
        form.awaited = None;
        return Vec::new();
    };
    let is_same = |known: &crate::background::ExportRequest| known.same_but_for_the_path(&wanted);
    let is_known = form.sample.as_ref().is_some_and(|(of, _)| is_same(of)) && form.room == room;
    let is_awaited = form.awaited.as_ref().is_some_and(|job| is_same(&job.purpose)) && form.room == room;
    if is_known || is_awaited {
        return Vec::new();
    }
    form.room = room;
    let request = ExportPreviewRequest {
        export: wanted.clone(),
        room,
    };
    form.awaited = Some(app.editor.start(request, wanted));
    Vec::new()
}

/// Requests a preview of another size after the screen was resized.
pub(super) fn resized(app: &mut App) -> Vec<Effect> {
    requests(app)
}

/// Runs a command.
pub(super) fn update(app: &mut App, command: ExportCommand) -> Vec<Effect> {
    match command {
        ExportCommand::Again => return queue::again(app),
        ExportCommand::End => return queue::end(app),
        _ if !matches!(app.dialog, Some(Dialog::Export)) => return Vec::new(),
        ExportCommand::Accept => return accept(app),
        ExportCommand::Complete => return complete::complete(app),
        ExportCommand::Part(by) => app.export.form.go(by),
        ExportCommand::Select(step) => {
            let areas = areas::ExportAreas::of(app, app.editor.screen);
            app.export.form.step(step, &areas);
        }
        ExportCommand::Change(by) => app.export.form.change(by),
    }
    requests(app)
}

impl ExportForm {
    /// Focuses the next or previous part; skips the options if there are none.
    fn go(&mut self, by: i32) {
        const PARTS: [ExportFocus; 3] = [ExportFocus::List, ExportFocus::Options, ExportFocus::Path];
        let now = PARTS.iter().position(|part| *part == self.part).unwrap_or(0) as i32;
        let to = |by: i32| PARTS[(now + by).rem_euclid(PARTS.len() as i32) as usize];
        self.part = match to(by) {
            ExportFocus::Options if self.lines().is_empty() => to(2 * by),
            part => part,
        };
        self.settings.restart();
        self.hint.clear();
    }

    /// Moves the selection within the part.
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

    /// Returns the selectable kinds; only those of the design if nothing has grown.
    fn choosable(&self) -> Vec<ExportChoice> {
        let whats = ExportChoice::rows().into_iter().filter_map(|row| match row {
            ExportRow::What(what) => Some(what),
            ExportRow::Heading(_) => None,
        });
        whats
            .filter(|what| self.subject.is_some() || what.kind().is_none())
            .collect()
    }

    /// Changes the selected option; from the list, a positive step focuses the options.
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

/// Passes a key to the path or the selected number; `None` if neither accepts it.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    if app.editor.keymap.find(&[context(app)], key).is_some() {
        return None;
    }
    let form = &mut app.export.form;
    let taken = match form.part {
        ExportFocus::List => false,
        ExportFocus::Options => match number(form, key) {
            Some(Ok(())) => true,
            Some(Err(why)) => {
                app.editor.say(NoticeLevel::Warning, why);
                return Some(Vec::new());
            }
            None => false,
        },
        ExportFocus::Path => {
            TextField::is_text(key) && {
                form.is_named |= form.what.kind().is_some();
                form.clear();
                form.typing().press(key)
            }
        }
    };
    taken.then(|| requests(app))
}

/// Applies a digit or Backspace to the selected number, or returns why a character is refused; `None` if the key is not
/// for a number.
fn number(form: &mut ExportForm, key: &KeyEvent) -> Option<Result<(), String>> {
    let (line, kind) = (form.selected()?, form.what.kind()?);
    if !line.is_number(form.options_mut(kind)) {
        return None;
    }
    let edit = match form.settings.number(line.label(), key)? {
        Ok(edit) => edit,
        Err(why) => return Some(Err(why)),
    };
    line.edit(form.options_mut(kind), edit);
    form.clear();
    Some(Ok(()))
}

/// Inserts pasted text into the path, if the path has the focus.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    let form = &mut app.export.form;
    if form.part == ExportFocus::Path {
        form.is_named |= form.what.kind().is_some();
        form.clear();
        form.typing().paste(text);
    }
    Vec::new()
}

/// Handles the mouse: a click selects a kind, changes an option, focuses the path or presses a button; the wheel
/// moves the selection of the list or changes an option.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let at = Position::new(mouse.column, mouse.row);
    let places = ExportAreas::of(app, app.editor.screen);
    let is_click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
    if is_click && let Some(action) = draw::button_at(app, &places, at) {
        return app.update(action);
    }
    let form = &mut app.export.form;
    if places.list.contains(at) {
        let (rows, choosable) = (ExportChoice::rows(), form.choosable());
        let is_heading = |row: usize| !matches!(rows[row], ExportRow::What(what) if choosable.contains(&what));
        if form.kinds.mouse(mouse, places.kinds(form), is_heading).is_some() {
            form.part = ExportFocus::List;
            form.choose_selected(&places);
        }
    } else if let Some(row) = places.settings(form).row_at(at) {
        let by = match mouse.kind {
            // Scrolling up increases the value.
            MouseEventKind::ScrollUp => 1,
            MouseEventKind::ScrollDown => -1,
            _ if is_click && places.is_back(at) => -1,
            _ if is_click => 1,
            _ => return Vec::new(),
        };
        form.part = ExportFocus::Options;
        form.settings.select(row, places.settings(form));
        form.change_option(by);
    } else if is_click && let Some(path) = places.path_at(form, at) {
        (form.part, form.path) = (ExportFocus::Path, path);
    }
    requests(app)
}

/// Starts the chosen export; the user is asked before files are overwritten.
fn accept(app: &mut App) -> Vec<Effect> {
    let form = &app.export.form;
    match form.what {
        ExportChoice::Dungeon(kind) => accept_dungeon(app, kind),
        ExportChoice::Toml | ExportChoice::Three => match form.design_files() {
            Ok(named) => accept_design(app, named),
            Err(why) => refuse(app, why),
        },
    }
}

/// Shows in the dialog why the export was refused.
pub(super) fn refuse(app: &mut App, why: String) -> Vec<Effect> {
    app.export.form.why = why;
    app.export.form.hint.clear();
    Vec::new()
}

fn accept_dungeon(app: &mut App, kind: ExportKind) -> Vec<Effect> {
    let form = &app.export.form;
    let Some(subject) = &form.subject else {
        return refuse(app, "nothing has grown yet".into());
    };
    if let Some((_, Err(why))) = &form.sample
        && form.awaited.is_none()
    {
        let why = why.clone();
        return refuse(app, why);
    }
    let Some(site) = form.site(kind, app.editor.document.watched()) else {
        return refuse(app, "type the path of the file".into());
    };
    let export = subject.export(kind, form.options(kind), form.at_end, &site.typed);
    let form = &mut app.export.form;
    form.why.clear();
    form.hint = "looking there …".into();
    locate(app, site, export, true)
}

/// Requests the resolution of an export's target path, before it is written.
fn locate(app: &mut App, site: ExportTarget, export: ExportRequest, is_named: bool) -> Vec<Effect> {
    let export = Box::new(export);
    let target = PendingTarget { export, is_named };
    app.export.locating = Some(app.editor.start(site, target));
    Vec::new()
}

/// Cancels the resolution that the dialog waits for.
pub(super) fn give_up(app: &mut App) {
    app.export.locating.take_if(|locating| locating.purpose.is_named);
}

/// Handles a resolved target: queues the export, or asks first if the dialog named a path that already exists.
pub(super) fn handle_target(
    app: &mut App,
    ticket: &Ticket,
    reply: Result<Result<ResolvedTarget, String>, JobError>,
) -> Vec<Effect> {
    let Some(locating) = app.export.locating.take_if(|locating| locating.has(ticket)) else {
        return Vec::new();
    };
    let PendingTarget { export, is_named } = locating.purpose;
    let mut export = *export;
    let is_named = is_named && matches!(app.dialog, Some(Dialog::Export));
    match reply.unwrap_or_else(|error| Err(error.to_string())) {
        Err(why) if is_named => refuse(app, why),
        Err(why) => {
            app.editor.say(NoticeLevel::Error, why);
            queue::settled(app, false)
        }
        Ok(ResolvedTarget { in_the_way, .. }) if !is_named && !in_the_way.is_empty() => {
            let name = in_the_way[0].display();
            let why =
                format!("{name} is no longer the export that was written there; P opens the dialog to name a file");
            app.editor.say(NoticeLevel::Error, why);
            queue::settled(app, false)
        }
        Ok(ResolvedTarget { to, .. }) if !is_named => {
            export.to = to;
            queue::order_again(app, export)
        }
        Ok(ResolvedTarget { to, in_the_way }) => {
            let form = &mut app.export.form;
            form.hint.clear();
            form.folder = to.parent().map(Path::to_owned);
            export.to = to;
            form.awaited = None;
            if in_the_way.is_empty() {
                app.dialog = None;
                return order(app, export);
            }
            app.dialog = Some(Dialog::Question(Question::sharing(Box::new(export), &in_the_way)));
            Vec::new()
        }
    }
}

fn accept_design(app: &mut App, named: DesignFiles) -> Vec<Effect> {
    app.export.last = Some(LastExport::Design(named.clone()));
    let form = &mut app.export.form;
    form.why.clear();
    form.hint = "writing …".into();
    files::copy(&mut app.files, &mut app.editor, named, true);
    Vec::new()
}

/// Shows a notice about the result of a global command.
fn report(app: &mut App, tone: NoticeLevel, text: impl Into<String>) -> Vec<Effect> {
    app.editor.say(tone, text);
    Vec::new()
}

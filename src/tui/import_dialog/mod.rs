//! The import dialog, which shows how a drawing is read and what results, and re-import of the open design's drawings
//! when their files change.
//!
//! [`form`] holds the choices, [`lines`] the option lines, [`draw`] draws the dialog, and [`again`] handles changed
//! files. The importer reads files in the background; exactly what the preview shows is imported.

mod again;
mod draw;
mod form;
mod lines;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

pub(super) use self::again::{handle_reply as handle_reimport, look};
pub(super) use self::draw::draw;
use self::form::ImportForm;
use super::app::{App, NoticeLevel};
use super::dialog::Dialog;
use super::files::AfterSave;
use super::panels;
use super::tools::{self, PendingDrawing};
use super::widget::prompt::TextField;
use crate::background::{ImportPreview, ImportRequest, JobError, Ticket};
use crate::design::MemoryUse;
use crate::document::{Document, DrawingImport, DrawingSource, ImportedTiles, available_memory};
use crate::tui::commands::{Effect, ImportCommand};
use crate::tui::keymap::Context;

/// State of the import dialog and of re-imports.
#[derive(Debug, Default)]
pub(super) struct ImportState {
    form: Option<ImportForm>,
    /// Import settings used in this session, by file.
    remembered: HashMap<PathBuf, DrawingImport>,
    again: again::ReimportState,
}

impl ImportState {
    /// Resets the re-imports, since another design is open.
    pub(super) fn renewed(&mut self) {
        self.again = again::ReimportState::default();
    }

    /// Discards the dialog's state.
    pub(super) fn close(&mut self) {
        self.form = None;
    }
}

/// Returns the key context of the dialog.
pub(super) fn context(app: &App) -> Context {
    let selected = app.import.form.as_ref().and_then(ImportForm::selected);
    if selected.is_some_and(lines::ImportLine::is_text) {
        Context::ImportText
    } else {
        Context::Import
    }
}

/// Opens the dialog for a drawing, which becomes a new design or, with `lays`, is placed into the open one.
pub(super) fn begin(app: &mut App, path: &Path, lays: bool) -> Vec<Effect> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut import = app.import.remembered.get(&path).cloned().unwrap_or_default();
    if lays {
        import.placing.size = None;
        import.placing.at = Some(app.editor.map.cursor());
    }
    app.import.form = Some(ImportForm::new(path, import, lays));
    app.dialog = Some(Dialog::Import);
    requests(app)
}

/// Requests a preview, unless it is known or already requested.
fn requests(app: &mut App) -> Vec<Effect> {
    let room = draw::room(app);
    let design = app.editor.document.shared();
    let Some(form) = &mut app.import.form else {
        return Vec::new();
    };
    let asked = (form.import.clone(), room);
    let is_known = form.awaited.is_none() && form.proposed.as_ref().is_some_and(|(of, _)| *of == asked);
    let is_awaited = form.awaited.as_ref().is_some_and(|job| job.purpose == asked);
    if is_known || is_awaited {
        return Vec::new();
    }
    let request = ImportRequest {
        path: form.path.clone(),
        import: form.import.clone(),
        within: form.lays.then_some(design),
        room,
    };
    form.awaited = Some(app.editor.start(request, asked));
    Vec::new()
}

/// Requests a preview of another size after the screen was resized.
pub(super) fn resized(app: &mut App) -> Vec<Effect> {
    requests(app)
}

/// Changes the form, and requests the preview that results.
fn with(app: &mut App, change: impl FnOnce(&mut ImportForm)) -> Vec<Effect> {
    if let Some(form) = &mut app.import.form {
        form.accepts = false;
        change(form);
    }
    requests(app)
}

/// Runs a command.
pub(super) fn update(app: &mut App, command: ImportCommand) -> Vec<Effect> {
    match command {
        ImportCommand::Again => return again::again(app),
        _ if !matches!(app.dialog, Some(Dialog::Import)) => return Vec::new(),
        ImportCommand::Accept => return accept(app),
        ImportCommand::Select(_) | ImportCommand::Change(_) => {}
    }
    let areas = draw::ImportAreas::of(app, app.editor.screen);
    with(app, |form| match command {
        ImportCommand::Select(step) => {
            let mut settings = form.settings;
            settings.step(step, areas.settings(form));
            form.select(settings);
        }
        ImportCommand::Change(by) => form.change(by),
        ImportCommand::Accept | ImportCommand::Again => {}
    })
}

/// Passes a key to the selected text or number; `None` if neither accepts it.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    if app.editor.keymap.find(&[context(app)], key).is_some() {
        return None;
    }
    let form = app.import.form.as_mut()?;
    let line = form.selected()?;
    let taken = if line.is_text() {
        TextField::is_text(key) && form.typing.press(key)
    } else if line.is_number(form) {
        match form.settings.number(line.label(), key)? {
            Ok(edit) => line.edit(form, edit),
            Err(why) => {
                app.editor.say(NoticeLevel::Warning, why);
                return Some(Vec::new());
            }
        }
    } else {
        false
    };
    if !taken {
        return None;
    }
    Some(with(app, ImportForm::take_text))
}

/// Inserts pasted text if the selected line is a text.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    with(app, |form| {
        if form.selected().is_some_and(lines::ImportLine::is_text) {
            form.typing.paste(text);
            form.take_text();
        }
    })
}

/// Handles the mouse: a click changes an option or presses a button; the wheel changes the option under the pointer.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let at = Position::new(mouse.column, mouse.row);
    let places = draw::ImportAreas::of(app, app.editor.screen);
    let clicked = mouse.kind == MouseEventKind::Down(MouseButton::Left);
    if clicked && let Some(action) = draw::button_at(app, &places, at) {
        return app.update(action);
    }
    let form = app.import.form.as_ref();
    let Some((visible, row)) = form.and_then(|form| {
        let visible = places.settings(form);
        Some((visible, visible.row_at(at)?))
    }) else {
        return Vec::new();
    };
    let by = match mouse.kind {
        // Scrolling up increases the value.
        MouseEventKind::ScrollUp => 1,
        MouseEventKind::ScrollDown => -1,
        _ if clicked && places.is_back(at) => -1,
        _ if clicked => 1,
        _ => return Vec::new(),
    };
    with(app, |form| {
        let mut settings = form.settings;
        settings.select(row, visible);
        form.select(settings);
        form.change(by);
    })
}

/// Handles the preview of an import.
pub(super) fn handle_preview(
    app: &mut App,
    ticket: &Ticket,
    reply: Result<Box<ImportPreview>, JobError>,
) -> Vec<Effect> {
    let Some(form) = &mut app.import.form else {
        return Vec::new();
    };
    let Some(job) = form.awaited.take_if(|job| job.has(ticket)) else {
        return Vec::new();
    };
    let proposed = reply.map_err(|error| format!("it cannot be read, {error}"));
    let before = form.selected();
    form.proposed = Some((job.purpose, proposed));
    // The kind that was found may have other lines.
    if form.selected() != before {
        form.renew_text();
    }
    if form.accepts {
        return accept(app);
    }
    requests(app)
}

/// Imports the drawing as previewed, or does so once the preview arrives.
fn accept(app: &mut App) -> Vec<Effect> {
    let Some(form) = &mut app.import.form else {
        return Vec::new();
    };
    if form.awaited.is_some() {
        form.accepts = true;
        return Vec::new();
    }
    form.accepts = false;
    let made = form.proposed.as_mut().and_then(|(_, proposed)| {
        let proposed = proposed.as_mut().ok()?;
        Some((proposed.made.take()?, std::mem::take(&mut proposed.diagnostics)))
    });
    // The dialog already shows why it cannot be imported.
    let Some((made, description)) = made else {
        return Vec::new();
    };
    let Some(ImportForm { path, import, lays, .. }) = app.import.form.take() else {
        return Vec::new();
    };
    app.dialog = None;
    app.import.remembered.insert(path.clone(), import.clone());
    if lays {
        app.editor.show_square(import.placing.at.unwrap_or_default());
        let load = PendingDrawing {
            path,
            import,
            drawing: made.drawing,
            digest: made.digest,
        };
        let in_panel = panels::entry(&app.panels, &app.editor);
        tools::lay(&mut app.tools, &mut app.editor, in_panel, load);
        return Vec::new();
    }
    let taken = ImportedTiles::alone(made.drawing, import.placing, &made.placed);
    let source = DrawingSource::new(path, import, made.digest, taken);
    let memory = available_memory(MemoryUse::Showing);
    let document = Document::of_placed(made.placed, description, source, memory);
    app.leave(AfterSave::Open(Box::new(document)))
}

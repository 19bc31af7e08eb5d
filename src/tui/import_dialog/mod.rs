//! The import dialog, which shows the options for reading a drawing and a preview of the result. The module also offers
//! to import the open design's drawings again when their files change.
//!
//! [`form`] contains the user's choices, [`lines`] the option lines; [`draw`] draws the dialog, and [`again`] handles
//! changed files. A worker reads the drawing in the background. The dialog imports exactly what the preview shows,
//! without reading the file again.

mod again;
mod draw;
mod form;
mod lines;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, MouseEvent};

pub(super) use self::again::{check, handle_reply as handle_reimport};
pub(super) use self::draw::draw;
use self::form::ImportForm;
use super::buttons;
use super::editor::Editor;
use super::widget::prompt::{PasteCut, TextField};
use crate::background::{ImportPreview, ImportRequest, ImportedDesign, JobError, Ticket};
use crate::design::MemoryUse;
use crate::document::{Document, DrawingImport, DrawingSource, ImportedTiles, available_memory};
use crate::tui::commands::ImportCommand;
use crate::tui::keymap::Context;

/// The state of the import dialog and of re-imports.
#[derive(Debug, Default)]
pub(super) struct ImportState {
    form: Option<ImportForm>,
    /// Import settings used in this session, by the drawing's path.
    remembered: HashMap<PathBuf, DrawingImport>,
    again: again::ReimportState,
}

impl ImportState {
    /// Closes the dialog and forgets the re-imports, because another design was opened.
    pub(super) fn reset(&mut self) {
        self.form = None;
        self.again = again::ReimportState::default();
    }

    /// Returns why the drawing cannot be imported; `None` if it can, or if that is not known yet.
    pub(super) fn why(&self) -> Option<&str> {
        let (_, preview) = self.form.as_ref()?.preview.as_ref()?;
        preview.as_ref().err().map(String::as_str)
    }

    /// Returns the key context of the dialog.
    pub(super) fn context(&self) -> Context {
        self.form.as_ref().map_or(Context::Import, ImportForm::context)
    }

    /// Discards the dialog's state.
    pub(super) fn close(&mut self) {
        self.form = None;
    }
}

/// What to use the drawing for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportPurpose {
    /// The drawing becomes a new design.
    Design,
    /// The drawing's tiles are placed into the open design.
    Tiles,
    /// The drawing is the example for a search that finds parameter values whose dungeons are like the drawing.
    Example,
}

/// What the app must do with an imported drawing, in addition to closing the dialog.
#[derive(Debug)]
pub(super) enum Imported {
    /// Open the new design.
    Design(Box<Document>),
    /// Search for parameter values whose dungeons are like the drawing, which was imported as a separate design.
    Example {
        /// Name of the drawing's file.
        name: String,
        /// The design with the drawing.
        document: Box<Document>,
    },
    /// Place the drawing's tiles into the open design.
    Tiles {
        /// Path of the drawing's file.
        path: PathBuf,
        /// Import settings.
        import: DrawingImport,
        /// The open design with the tiles placed.
        made: Box<ImportedDesign>,
    },
}

/// Prepares the dialog for a drawing.
pub(super) fn begin(state: &mut ImportState, editor: &mut Editor, path: &Path, purpose: ImportPurpose) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut import = state.remembered.get(&path).cloned().unwrap_or_default();
    if purpose == ImportPurpose::Tiles {
        import.placing.size = None;
        import.placing.at = Some(editor.map.cursor());
    }
    state.form = Some(ImportForm::new(path, import, purpose));
    request_preview(state, editor);
}

/// Requests a preview for the current settings and screen, unless that preview is shown already or was requested.
pub(super) fn request_preview(state: &mut ImportState, editor: &mut Editor) {
    let Some(form) = &mut state.form else {
        return;
    };
    let room = draw::room(form, editor.screen);
    let query = (form.import.clone(), room);
    let is_known = form.awaited.is_none() && form.preview.as_ref().is_some_and(|(of, _)| *of == query);
    let is_awaited = form.awaited.as_ref().is_some_and(|job| job.purpose == query);
    if is_known || is_awaited {
        return;
    }
    let request = ImportRequest {
        path: form.path.clone(),
        import: form.import.clone(),
        within: form.lays().then_some(editor.document.shared()),
        room,
    };
    form.awaited = Some(editor.start(request, query));
}

/// Changes the form, and requests a preview for the changed settings.
fn with(state: &mut ImportState, editor: &mut Editor, change: impl FnOnce(&mut ImportForm)) {
    if let Some(form) = &mut state.form {
        form.accepts = false;
        change(form);
    }
    request_preview(state, editor);
}

/// Runs a command.
pub(super) fn update(state: &mut ImportState, editor: &mut Editor, command: ImportCommand) -> Option<Imported> {
    let screen = editor.screen;
    match command {
        ImportCommand::Again => again::again(state, editor),
        _ if state.form.is_none() => {}
        ImportCommand::Accept => return accept(state),
        ImportCommand::Learn => return learn(state, editor),
        ImportCommand::Select(step) => with(state, editor, |form| {
            let mut settings = form.settings;
            settings.step(step, draw::ImportAreas::of(form, screen).settings(form));
            form.select(settings);
        }),
        ImportCommand::Change(by) => with(state, editor, |form| form.change(by)),
    }
    None
}

/// Learns from the drawing instead of importing it.
fn learn(state: &mut ImportState, editor: &mut Editor) -> Option<Imported> {
    let form = state.form.as_mut()?;
    if form.lays() {
        // An example is not placed into the open design, so the cursor's square is not its place.
        form.import.placing.at = None;
    }
    form.purpose = ImportPurpose::Example;
    request_preview(state, editor);
    accept(state)
}

/// Passes a key to the selected line. Returns whether the line's text or number handled the key.
pub(super) fn typed(state: &mut ImportState, editor: &mut Editor, key: &KeyEvent) -> bool {
    let Some(form) = &mut state.form else { return false };
    let Some(line) = form.selected() else { return false };
    let is_edited = if line.is_text() {
        TextField::is_text(key) && form.typing.press(key)
    } else if let Some(number) = line.number(&form.import) {
        match form.settings.type_number(line.label(), number, key) {
            Some(Ok(value)) => {
                form.set_number(line, value);
                true
            }
            Some(Err(why)) => {
                editor.warn(why);
                return true;
            }
            None => false,
        }
    } else {
        false
    };
    if is_edited {
        with(state, editor, ImportForm::apply_text);
    }
    is_edited
}

/// Inserts pasted text if the selected line's value is text.
pub(super) fn paste(state: &mut ImportState, editor: &mut Editor, text: &str) -> Option<PasteCut> {
    let mut cut = None;
    with(state, editor, |form| {
        if form.selected().is_some_and(lines::ImportLine::is_text) {
            cut = form.typing.paste(text);
            form.apply_text();
        }
    });
    cut
}

/// Handles the mouse: a click changes an option or presses a button; the wheel changes the option under the pointer.
pub(super) fn mouse(state: &mut ImportState, editor: &mut Editor, mouse: MouseEvent) {
    let Some(form) = &state.form else { return };
    let places = draw::ImportAreas::of(form, editor.screen);
    if let Some(action) = buttons::in_border(editor, form.context(), places.frame).clicked(mouse) {
        return editor.act(action);
    }
    let mut settings = form.settings;
    if let Some(by) = settings.mouse(mouse, places.settings(form), draw::LABEL) {
        with(state, editor, |form| {
            form.select(settings);
            form.change(by);
        });
    }
}

/// Handles the preview of an import. Imports the drawing if the user accepted while the preview was in progress.
pub(super) fn handle_preview(
    state: &mut ImportState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<Box<ImportPreview>, JobError>,
) -> Option<Imported> {
    let form = state.form.as_mut()?;
    let job = form.awaited.take_if(|job| job.has(ticket))?;
    let preview = reply.map_err(|error| format!("cannot read the drawing: {error}"));
    let before = form.selected();
    form.preview = Some((job.purpose, preview));
    // The kind detected in the contents may have option lines that the kind suggested by the name does not have.
    if form.selected() != before {
        form.reset_text();
    }
    if form.accepts {
        return accept(state);
    }
    request_preview(state, editor);
    None
}

/// Imports the drawing as previewed. If the preview has not arrived yet, the import waits for it.
fn accept(state: &mut ImportState) -> Option<Imported> {
    let form = state.form.as_mut()?;
    if form.awaited.is_some() {
        form.accepts = true;
        return None;
    }
    form.accepts = false;
    // If the preview contains no design, the dialog already shows why the drawing cannot be imported.
    let (made, diagnostics) = form.preview.as_mut().and_then(|(_, preview)| {
        let preview = preview.as_mut().ok()?;
        Some((preview.made.take()?, std::mem::take(&mut preview.diagnostics)))
    })?;
    let name = form.name();
    let ImportForm {
        path, import, purpose, ..
    } = state.form.take()?;
    let mut remembered = import.clone();
    if purpose == ImportPurpose::Tiles {
        // In a dungeon of its own, the drawing is not placed at the cursor of the open design.
        remembered.placing.at = None;
    }
    state.remembered.insert(path.clone(), remembered);
    if purpose == ImportPurpose::Tiles {
        let made = Box::new(made);
        return Some(Imported::Tiles { path, import, made });
    }
    let tiles = ImportedTiles::alone(made.drawing, import.placing, &made.placed);
    let source = DrawingSource::new(path, import, made.digest, tiles);
    let memory = available_memory(MemoryUse::Showing);
    let document = Box::new(Document::of_placed(made.placed, diagnostics, source, memory));
    Some(match purpose {
        ImportPurpose::Example => Imported::Example { name, document },
        ImportPurpose::Design | ImportPurpose::Tiles => Imported::Design(document),
    })
}

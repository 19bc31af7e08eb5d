//! Opening designs, recordings and drawings that were read, and reporting on them.

use super::{AfterSave, FilesState, names, proceed};
use crate::background::{ReadReply, ReadRequest, RunId};
use crate::design::{Diagnostic, MemoryUse, Severity};
use crate::document::{Document, available_memory};
use crate::storage::DesignFiles;
use crate::tui::app::{App, Effect, NoticeLevel};
use crate::tui::dialog::{self, Dialog};
use crate::tui::import_dialog;

impl FilesState {
    /// Returns the name of the file being opened.
    pub(in crate::tui) fn opening(&self) -> Option<&str> {
        self.opening.as_ref().map(|(_, name)| name.as_str())
    }

    /// Sets the number of the request for the last [`Effect::Open`]. Other replies are dropped.
    pub(in crate::tui) const fn opening_begun(&mut self, run: RunId) {
        if let Some((number, _)) = &mut self.opening {
            *number = Some(run);
        }
    }

    /// Cancels opening. Returns whether a file was being opened.
    pub(super) fn give_up_opening(&mut self) -> bool {
        self.opening.take().is_some()
    }
}

/// Requests a file to be opened.
pub(in crate::tui) fn open(app: &mut App, fetch: ReadRequest) -> Vec<Effect> {
    let paths = fetch.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
    let path = fetch.typed.as_ref().or(paths.first());
    let name = path.map_or_else(String::new, |path| names(std::slice::from_ref(path)));
    app.files.opening = Some((None, name));
    vec![Effect::Open(fetch)]
}

/// Handles the reply about a file to be opened.
pub(in crate::tui) fn opened(app: &mut App, run: RunId, fetched: Result<Box<ReadReply>, String>) -> Vec<Effect> {
    if app.files.opening.take_if(|(number, _)| *number == Some(run)).is_none() {
        return Vec::new();
    }
    let read = match fetched.map(|fetched| *fetched) {
        Err(why) => Err(format!("it cannot be opened, a fault of the program: {why}")),
        Ok(ReadReply {
            drawing: Some(path), ..
        }) => {
            let lays = matches!(&app.dialog, Some(Dialog::Open(open)) if open.lays());
            return import_dialog::begin(app, &path, lays);
        }
        Ok(ReadReply { files: None, .. }) => return dialog::open_listed(app),
        Ok(ReadReply {
            files: Some(files),
            reel: Some(reel),
            ..
        }) => reel.map(|reel| {
            let memory = available_memory(MemoryUse::Showing);
            Document::recorded(*reel, files.reel(), memory)
        }),
        Ok(ReadReply {
            files: Some(files),
            fresh,
            ..
        }) => {
            let memory = available_memory(MemoryUse::Showing);
            Document::from_fresh(files, fresh, None, memory).map_err(|problems| {
                let worst = problems.iter().max_by_key(|problem| problem.severity);
                worst.map_or_else(|| "there is no design in it".into(), told)
            })
        }
    };
    match read {
        Ok(document) => {
            app.dialog = None;
            proceed(app, AfterSave::Open(Box::new(document)))
        }
        Err(why) => dialog::not_opened(app, why),
    }
}

/// Returns the notice about a design that was just made from a drawing.
pub(in crate::tui) fn told_of_drawing(document: &Document) -> Option<(NoticeLevel, String)> {
    let lost: Vec<&str> = document
        .drawn()
        .iter()
        .filter(|told| told.severity > Severity::Note)
        .map(|told| told.message.as_str())
        .collect();
    if document.drawn().is_empty() {
        return None;
    }
    let (walls, title) = (document.design().layout.walls.len(), document.title());
    let made = format!("{title}: a new design with {walls} wall tiles placed by hand");
    Some(match lost.first() {
        None => (NoticeLevel::Done, made),
        Some(first) => (NoticeLevel::Warning, format!("{made}; {first}")),
    })
}

/// Formats a diagnostic in two lines: place and message, and help.
fn told(problem: &Diagnostic) -> String {
    let place = problem.source.as_ref().map_or_else(String::new, |source| {
        format!("{}:{}:{}: ", source.file, source.line, source.column)
    });
    format!("{place}{}\n{}", problem.message, problem.help)
}

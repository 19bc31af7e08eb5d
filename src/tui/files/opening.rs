//! Reading files that the user opens: designs, recordings and drawings.

use std::path::PathBuf;

use super::{FilesState, names};
use crate::background::{JobError, OpenRequest, ReadReply, ReadRequest, Ticket};
use crate::design::{Diagnostic, MemoryUse, Severity};
use crate::document::{Document, available_memory};
use crate::storage::DesignFiles;
use crate::text::counted;
use crate::tui::editor::{Editor, NoticeLevel};

impl FilesState {
    /// Returns the name of the file being opened.
    pub(in crate::tui) fn opening(&self) -> Option<&str> {
        self.opening.as_ref().map(|job| job.purpose.as_str())
    }

    pub(in crate::tui) fn cancel_opening(&mut self) {
        self.opening = None;
    }
}

/// Starts reading the file that the user opens.
pub(in crate::tui) fn open(files: &mut FilesState, editor: &mut Editor, request: ReadRequest) {
    let paths = request.files.as_ref().map(DesignFiles::paths).unwrap_or_default();
    let path = request.typed.as_ref().or(paths.first());
    let name = path.map_or_else(String::new, |path| names(std::slice::from_ref(path)));
    files.opening = Some(editor.start(OpenRequest(request), name));
}

/// The contents of a file that the user opens.
#[derive(Debug)]
pub(in crate::tui) enum Opened {
    /// The file is a drawing.
    Drawing(PathBuf),
    /// There is no file at the typed path, so the item selected in the list is opened instead.
    Listed,
    /// The file contains a design or a recording.
    Design(Box<Document>),
    /// The file cannot be opened, for this reason.
    Failed(String),
}

/// Handles the reply with the contents of a file that the user opens. Returns `None` if the reply is outdated.
pub(in crate::tui) fn handle_opened(
    files: &mut FilesState,
    ticket: &Ticket,
    reply: Result<Box<ReadReply>, JobError>,
) -> Option<Opened> {
    files.opening.take_if(|job| job.has(ticket))?;
    let memory = || available_memory(MemoryUse::Showing);
    let document = match reply.map(|reply| *reply) {
        Err(error) => Err(format!("cannot open the file: {error}")),
        Ok(ReadReply {
            drawing: Some(path), ..
        }) => return Some(Opened::Drawing(path)),
        Ok(ReadReply { files: None, .. }) => return Some(Opened::Listed),
        Ok(ReadReply {
            files: Some(files),
            recording_file: Some(recording_file),
            ..
        }) => recording_file
            .map(|recording_file| Document::recorded(*recording_file, files.recording_file(), memory()))
            .map_err(|error| error.to_string()),
        Ok(ReadReply {
            files: Some(files),
            fresh,
            ..
        }) => Document::from_fresh(files, fresh, None, memory()).map_err(|problems| {
            let worst = problems.iter().max_by_key(|problem| problem.severity);
            worst.map_or_else(|| "it contains no design".into(), describe)
        }),
    };
    Some(match document {
        Ok(document) => Opened::Design(Box::new(document)),
        Err(why) => Opened::Failed(why),
    })
}

/// Returns the notice about a design that was just imported from a drawing; `None` if the document has no import
/// diagnostics.
pub(in crate::tui) fn describe_drawing(document: &Document) -> Option<(NoticeLevel, String)> {
    let lost: Vec<&str> = document
        .drawn()
        .iter()
        .filter(|problem| problem.severity > Severity::Note)
        .map(|problem| problem.message.as_str())
        .collect();
    if document.drawn().is_empty() {
        return None;
    }
    let (walls, title) = (document.design().layout.walls.len(), document.title());
    let made = format!(
        "{title}: a new design with {} from the drawing",
        counted(walls, "wall tile")
    );
    Some(match lost.first() {
        None => (NoticeLevel::Done, made),
        Some(first) => (NoticeLevel::Warning, format!("{made}; {first}")),
    })
}

/// Formats a diagnostic as two lines: the source position with the message, and the help.
fn describe(problem: &Diagnostic) -> String {
    let place = problem.source.as_ref().map_or_else(String::new, |source| {
        format!("{}:{}:{}: ", source.file, source.line, source.column)
    });
    format!("{place}{}\n{}", problem.message, problem.help)
}

//! What the dialog knows: which drawing is taken, how, and what was told of it.

use std::path::PathBuf;

use super::lines::ImportLine;
use crate::background::{ImportPreview, ImportedDesign, RunId};
use crate::document::DrawingImport;
use crate::geometry::{Point, Size};
use crate::import::DrawingKind;
use crate::tui::text_field::{self, TextField};

/// What was asked of the importer: how a drawing is taken, and the room to show it.
type ImportQuery = (DrawingImport, Size);

/// The dialog.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct ImportForm {
    pub(super) path: PathBuf,
    /// Whether it is laid into the open design, and becomes none of its own.
    pub(super) lays: bool,
    pub(super) import: DrawingImport,
    /// The selected line.
    pub(super) line: usize,
    /// Whether the next digit begins a number anew.
    pub(super) fresh: bool,
    /// Whether a character that is not part of a number was typed into the present one: digits after it are refused.
    pub(super) refused: bool,
    /// The text of the selected line, where it is one.
    pub(super) typing: TextField,
    /// What was told, and of what; what is waited for.
    pub(super) proposed: Option<(ImportQuery, Result<Box<ImportPreview>, String>)>,
    pub(super) awaited: Option<(Option<RunId>, ImportQuery)>,
    /// Whether it is to be taken as soon as it is known what comes of it.
    pub(super) accepts: bool,
}

impl ImportForm {
    /// The dialog for a drawing, with the choices that it begins with.
    pub(super) fn new(path: PathBuf, import: DrawingImport, lays: bool) -> Self {
        let mut form = Self {
            path,
            lays,
            import,
            line: 0,
            fresh: true,
            refused: false,
            typing: TextField::new(text_field::TextKind::Line, ""),
            proposed: None,
            awaited: None,
            accepts: false,
        };
        form.select(0);
        form
    }

    /// The name of the file.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// What was told last, be it of other choices.
    pub(super) fn told(&self) -> Option<&ImportPreview> {
        let (_, proposed) = self.proposed.as_ref()?;
        proposed.as_deref().ok()
    }

    /// What came out last, be it of other choices.
    pub(super) fn made(&self) -> Option<&ImportedDesign> {
        self.told()?.made.as_ref()
    }

    /// What the drawing is read as: by its bytes once they are known, else by its name.
    pub(super) fn kind(&self) -> DrawingKind {
        let named = || DrawingKind::by_file(&self.name()).unwrap_or(DrawingKind::Text);
        let found = self.told().and_then(|told| told.kind);
        self.import.options.kind.or(found).unwrap_or_else(named)
    }

    /// The layers of a map.
    pub(super) fn layers(&self) -> impl Iterator<Item = String> {
        self.told()
            .map(|told| told.layers.clone())
            .unwrap_or_default()
            .into_iter()
    }

    /// The dimensions of the dungeon, as they are asked for or came out.
    pub(super) fn size(&self) -> Size {
        let came = || self.made().map(|made| made.placed.design.layout.size);
        self.import.placing.size.or_else(came).unwrap_or(Size::new(0, 0))
    }

    /// Where the drawing's left top square is, as it is asked for or came out.
    pub(super) fn at(&self) -> Point {
        let came = || self.made().map(|made| made.placed.at);
        self.import.placing.at.or_else(came).unwrap_or_default()
    }

    /// The lines.
    pub(super) fn lines(&self) -> Vec<ImportLine> {
        ImportLine::of(self.kind(), self.lays)
    }

    /// The selected line.
    pub(super) fn selected(&self) -> Option<ImportLine> {
        self.lines().get(self.line).copied()
    }

    /// Selects a line, or the last.
    pub(super) fn select(&mut self, line: usize) {
        self.line = line.min(self.lines().len().saturating_sub(1));
        self.fresh = true;
        let text = self.selected().and_then(|line| line.text(&self.import)).unwrap_or("");
        self.typing = TextField::new(text_field::TextKind::Line, text);
    }

    /// Changes a line; one that is typed is only selected.
    pub(super) fn change(&mut self, line: usize, by: i32) {
        if line != self.line {
            self.select(line);
        }
        self.fresh = true;
        if let Some(line) = self.selected() {
            line.change(self, by);
        }
        self.keep();
    }

    /// Keeps the same line selected after others came or went.
    pub(super) fn keep(&mut self) {
        let last = self.lines().len().saturating_sub(1);
        if self.line > last {
            self.select(last);
        }
    }

    /// Takes what was typed into the selected line.
    pub(super) fn take_text(&mut self) {
        let text = self.typing.text().to_owned();
        if let Some(line) = self.selected() {
            line.set_text(&mut self.import, &text);
        }
    }
}

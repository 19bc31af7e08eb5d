//! State of the import dialog: the drawing, its settings, and the preview.

use std::path::PathBuf;

use super::lines::ImportLine;
use crate::background::{ImportPreview, ImportedDesign};
use crate::document::DrawingImport;
use crate::geometry::{Point, Size};
use crate::import::DrawingKind;
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;
use crate::tui::widget::form::FormState;
use crate::tui::widget::prompt::{TextField, TextKind};

/// A preview request: the import settings, and the preview's size in characters.
type ImportQuery = (DrawingImport, Size);

/// State of the dialog.
#[derive(Debug)]
pub(super) struct ImportForm {
    pub(super) path: PathBuf,
    /// Whether the drawing is placed into the open design rather than becoming a new one.
    pub(super) lays: bool,
    pub(super) import: DrawingImport,
    /// The selected line.
    pub(super) settings: FormState,
    /// The text field of the selected line, if it is a text.
    pub(super) typing: TextField,
    /// The last preview with its request, and the request in progress.
    pub(super) preview: Option<(ImportQuery, Result<Box<ImportPreview>, String>)>,
    pub(super) awaited: Option<JobHandle<ImportQuery>>,
    /// Whether to import as soon as the preview arrives.
    pub(super) accepts: bool,
}

impl ImportForm {
    /// Creates the dialog for a drawing, with its initial settings.
    pub(super) fn new(path: PathBuf, import: DrawingImport, lays: bool) -> Self {
        let mut form = Self {
            path,
            lays,
            import,
            settings: FormState::default(),
            typing: TextField::new(TextKind::Line, ""),
            preview: None,
            awaited: None,
            accepts: false,
        };
        form.reset_text();
        form
    }

    /// Returns the file's name.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the last preview, which may be of other settings.
    pub(super) fn description(&self) -> Option<&ImportPreview> {
        let (_, preview) = self.preview.as_ref()?;
        preview.as_deref().ok()
    }

    /// Returns the last previewed design, which may be of other settings.
    pub(super) fn made(&self) -> Option<&ImportedDesign> {
        self.description()?.made.as_ref()
    }

    /// Returns the kind of drawing: as chosen, else as detected from the contents, else by the file's name.
    pub(super) fn kind(&self) -> DrawingKind {
        let named = || DrawingKind::by_file(&self.name()).unwrap_or(DrawingKind::Text);
        let found = self.description().and_then(|description| description.kind);
        self.import.options.kind.or(found).unwrap_or_else(named)
    }

    /// Returns the names of the layers of a map.
    pub(super) fn layers(&self) -> impl Iterator<Item = String> {
        self.description()
            .map(|description| description.layers.clone())
            .unwrap_or_default()
            .into_iter()
    }

    /// Returns the dungeon's dimensions, as requested or as previewed.
    pub(super) fn size(&self) -> Size {
        let came = || self.made().map(|made| made.placed.design.layout.size);
        self.import.placing.size.or_else(came).unwrap_or(Size::new(0, 0))
    }

    /// Returns the place of the drawing's left top square, as requested or as previewed.
    pub(super) fn at(&self) -> Point {
        let came = || self.made().map(|made| made.placed.at);
        self.import.placing.at.or_else(came).unwrap_or_default()
    }

    /// Returns the option lines.
    pub(super) fn lines(&self) -> Vec<ImportLine> {
        ImportLine::of(self.kind(), self.lays)
    }

    /// Returns the selected line.
    pub(super) fn selected(&self) -> Option<ImportLine> {
        let lines = self.lines();
        lines.get(self.settings.selected(lines.len())).copied()
    }

    /// Returns the key context of the dialog.
    pub(super) fn context(&self) -> Context {
        if self.selected().is_some_and(ImportLine::is_text) {
            Context::ImportText
        } else {
            Context::Import
        }
    }

    /// Moves the selection to the line that `settings` selects.
    pub(super) fn select(&mut self, settings: FormState) {
        let before = self.selected();
        self.settings = settings;
        if self.selected() != before {
            self.reset_text();
        }
    }

    /// Puts the selected line's text into the text field.
    pub(super) fn reset_text(&mut self) {
        let text = self.selected().and_then(|line| line.text(&self.import)).unwrap_or("");
        self.typing = TextField::new(TextKind::Line, text);
    }

    /// Changes the selected line's option; a text line is only selected.
    pub(super) fn change(&mut self, by: i32) {
        self.settings.restart();
        let before = self.selected();
        if let Some(line) = before {
            line.change(self, by);
        }
        // A change of the kind changes the lines.
        if self.selected() != before {
            self.reset_text();
        }
    }

    /// Applies the typed text to the selected line.
    pub(super) fn apply_text(&mut self) {
        let text = self.typing.text().to_owned();
        if let Some(line) = self.selected() {
            line.set_text(&mut self.import, &text);
        }
    }
}

//! State of the import dialog: the drawing, the import settings, and the preview.

use std::path::PathBuf;

use super::ImportPurpose;
use super::lines::{Axis, ImportLine, part};
use crate::background::{ImportPreview, ImportedDesign};
use crate::document::{DrawingImport, FirstCrawler};
use crate::geometry::{Point, Size};
use crate::import::{DrawingKind, ImportSetting};
use crate::text::thousands;
use crate::tui::jobs::JobHandle;
use crate::tui::keymap::Context;
use crate::tui::widget::form::{FormState, next, switch};
use crate::tui::widget::prompt::{TextField, TextKind};

/// What a preview was requested for: the import settings, and the preview's size in characters.
type ImportQuery = (DrawingImport, Size);

/// The state of the dialog.
#[derive(Debug)]
pub(super) struct ImportForm {
    pub(super) path: PathBuf,
    pub(super) purpose: ImportPurpose,
    pub(super) import: DrawingImport,
    /// The selected line.
    pub(super) settings: FormState,
    /// The text field for the selected line; used only if that line's value is text.
    pub(super) typing: TextField,
    /// The last preview, with the query that it answers.
    pub(super) preview: Option<(ImportQuery, Result<Box<ImportPreview>, String>)>,
    /// The preview request in progress.
    pub(super) awaited: Option<JobHandle<ImportQuery>>,
    /// Whether to import the drawing as soon as the preview arrives, because the user has accepted already.
    pub(super) accepts: bool,
}

impl ImportForm {
    /// Creates the dialog for a drawing, with its initial settings.
    pub(super) fn new(path: PathBuf, import: DrawingImport, purpose: ImportPurpose) -> Self {
        let mut form = Self {
            path,
            purpose,
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

    /// Returns whether the drawing's tiles are placed into the open design.
    pub(super) fn lays(&self) -> bool {
        self.purpose == ImportPurpose::Tiles
    }

    /// Returns the name of the drawing's file.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the last preview, which may be for earlier settings; `None` if there is none or it failed.
    pub(super) fn description(&self) -> Option<&ImportPreview> {
        let (_, preview) = self.preview.as_ref()?;
        preview.as_deref().ok()
    }

    /// Returns the design in the last preview, which may be for earlier settings.
    pub(super) fn made(&self) -> Option<&ImportedDesign> {
        self.description()?.made.as_ref()
    }

    /// Returns the kind of drawing: the kind that the user chose, else the kind detected from the contents, else the
    /// kind that the file's name suggests.
    pub(super) fn kind(&self) -> DrawingKind {
        let named = || DrawingKind::by_file(&self.name()).unwrap_or(DrawingKind::Text);
        let found = self.description().and_then(|description| description.kind);
        self.import.options.kind.or(found).unwrap_or_else(named)
    }

    /// Returns the names of the layers of a Tiled map; none before the first preview has arrived.
    pub(super) fn layers(&self) -> impl Iterator<Item = String> {
        self.description()
            .map(|description| description.layers.clone())
            .unwrap_or_default()
            .into_iter()
    }

    /// Returns the dungeon's dimensions: those that the user chose, else those in the preview.
    pub(super) fn size(&self) -> Size {
        let came = || self.made().map(|made| made.placed.design.layout.size);
        self.import.placing.size.or_else(came).unwrap_or(Size::new(0, 0))
    }

    /// Returns the square where the drawing's top left square is placed: the square that the user chose, else the one
    /// in the preview.
    pub(super) fn at(&self) -> Point {
        let came = || self.made().map(|made| made.placed.at);
        self.import.placing.at.or_else(came).unwrap_or_default()
    }

    /// Returns the option lines.
    pub(super) fn lines(&self) -> Vec<ImportLine> {
        ImportLine::of(self.kind(), self.purpose)
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

    /// Replaces the form's selection by `settings`, and loads the text field if another line is selected now.
    pub(super) fn select(&mut self, settings: FormState) {
        let before = self.selected();
        self.settings = settings;
        if self.selected() != before {
            self.reset_text();
        }
    }

    /// Loads the selected line's text into the text field.
    pub(super) fn reset_text(&mut self) {
        let text = self.selected().and_then(|line| line.text(&self.import)).unwrap_or("");
        self.typing = TextField::new(TextKind::Line, text);
    }

    /// Steps the selected line's option by `by` values; does nothing if the option's value is text.
    pub(super) fn change(&mut self, by: i32) {
        self.settings.restart();
        let before = self.selected();
        if let Some(line) = before {
            self.change_line(line, by);
        }
        // If the kind has changed, other lines are shown, so another line may be selected now.
        if self.selected() != before {
            self.reset_text();
        }
    }

    /// Sets the selected line's option to the typed text.
    pub(super) fn apply_text(&mut self) {
        let text = self.typing.text().to_owned();
        if let Some(line) = self.selected() {
            line.set_text(&mut self.import, &text);
        }
    }

    /// Sets a line's value; does nothing for a line whose value is not a number.
    pub(super) fn set_number(&mut self, line: ImportLine, value: Option<u32>) {
        let (size, at) = (self.size(), self.at());
        let lays = self.lays();
        let DrawingImport { options, placing, .. } = &mut self.import;
        let typed = |axis, own| if axis == own { value } else { None };
        match line {
            ImportLine::Setting(ImportSetting::Threshold) => {
                options.threshold = value.map(|value| u8::try_from(value).unwrap_or(100));
            }
            ImportLine::Setting(ImportSetting::Scale) => options.scale = value,
            ImportLine::Setting(ImportSetting::Corridors) => options.corridors = value.unwrap_or(1),
            ImportLine::Setting(ImportSetting::Enlarge) => options.enlarge = value.unwrap_or(1),
            // Setting one coordinate keeps the current value of the other: the value that the user chose, else the
            // value in the preview.
            ImportLine::Side(axis) => {
                placing.size = value.map(|_| {
                    Size::new(
                        typed(axis, Axis::X).map_or(size.x, |value| value as i32),
                        typed(axis, Axis::Y).map_or(size.y, |value| value as i32),
                    )
                });
            }
            ImportLine::Place(axis) => {
                let value = value.or(lays.then_some(0));
                placing.at = value.map(|value| match axis {
                    Axis::X => Point::new(value as i32, at.y),
                    Axis::Y => Point::new(at.x, value as i32),
                });
            }
            _ => {}
        }
    }

    /// Returns a line's current value as text.
    pub(super) fn value(&self, line: ImportLine) -> String {
        let DrawingImport { options, crawler, .. } = &self.import;
        let times = |value: u32, one: &str| {
            if value == 1 {
                one.to_owned()
            } else {
                format!("{value} squares")
            }
        };
        match line {
            ImportLine::Setting(setting) => match setting {
                ImportSetting::Kind => options.kind.map_or_else(
                    || format!("{}, detected", self.kind().name()),
                    |kind| kind.name().to_owned(),
                ),
                ImportSetting::Layer => options.layer.clone().unwrap_or_else(|| "detected".into()),
                ImportSetting::Walls | ImportSetting::Open => line
                    .text(&self.import)
                    .map_or_else(|| "detected".into(), ToOwned::to_owned),
                ImportSetting::Threshold => options
                    .threshold
                    .map_or_else(|| "detected".into(), |percent| format!("{percent}% brightness")),
                ImportSetting::Invert => switch(options.invert),
                ImportSetting::Scale => options
                    .scale
                    .map_or_else(|| "detected".into(), |scale| thousands(scale.into())),
                ImportSetting::Trim => switch(options.trim),
                ImportSetting::Corridors => times(options.corridors, "as drawn"),
                ImportSetting::Enlarge => times(options.enlarge, "as drawn"),
                ImportSetting::KeepOpen => switch(self.import.placing.keep_open),
            },
            ImportLine::Side(axis) => {
                let size = self.size();
                let squares = thousands(part(axis, size.x, size.y).into());
                if self.import.placing.size.is_none() {
                    format!("{squares}, as needed")
                } else {
                    squares
                }
            }
            ImportLine::Place(axis) => {
                let at = self.at();
                let at = if axis == Axis::X { at.x } else { at.y };
                if self.import.placing.at.is_none() {
                    format!("{at}, centred")
                } else {
                    at.to_string()
                }
            }
            ImportLine::Crawler => match crawler {
                FirstCrawler::Best => "where there is room".into(),
                FirstCrawler::Heading(forward) => format!("heads {forward}"),
                FirstCrawler::None => "none".into(),
            },
        }
    }

    /// Steps a line's option `by` values forward, or backward if `by` is negative. A number steps through the option's
    /// list of values.
    fn change_line(&mut self, line: ImportLine, by: i32) {
        if let Some(number) = line.number(&self.import) {
            return self.set_number(line, number.stepped(by));
        }
        let layers: Vec<Option<String>> = std::iter::once(None).chain(self.layers().map(Some)).collect();
        let DrawingImport {
            options,
            placing,
            crawler,
        } = &mut self.import;
        match line {
            ImportLine::Setting(ImportSetting::Kind) => {
                let all: Vec<Option<DrawingKind>> = std::iter::once(None)
                    .chain(DrawingKind::ALL.map(|(kind, ..)| Some(kind)))
                    .collect();
                options.kind = next(&all, options.kind, by);
            }
            ImportLine::Setting(ImportSetting::Layer) => {
                let at = layers.iter().position(|layer| *layer == options.layer).unwrap_or(0);
                let numbers: Vec<usize> = (0..layers.len()).collect();
                options.layer.clone_from(&layers[next(&numbers, at, by)]);
            }
            ImportLine::Setting(ImportSetting::Invert) => options.invert ^= true,
            ImportLine::Setting(ImportSetting::Trim) => options.trim ^= true,
            ImportLine::Setting(ImportSetting::KeepOpen) => placing.keep_open ^= true,
            ImportLine::Crawler => *crawler = next(&FirstCrawler::ALL.map(|(choice, _)| choice), *crawler, by),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, purpose: ImportPurpose) -> ImportForm {
        ImportForm::new(name.into(), DrawingImport::default(), purpose)
    }

    #[test]
    fn every_line_of_every_kind_has_a_value_and_can_be_changed() {
        for (kind, _, endings) in DrawingKind::ALL {
            for purpose in [ImportPurpose::Design, ImportPurpose::Tiles, ImportPurpose::Example] {
                let lines = ImportLine::of(kind, purpose);
                assert!(lines.len() >= 7, "{kind:?}");
                for line in lines {
                    let mut form = form(&format!("a.{}", endings[0]), purpose);
                    assert!(!line.label().is_empty() && !line.help().is_empty());
                    assert!(!form.value(line).is_empty(), "{line:?}");
                    let before = form.import.clone();
                    form.change_line(line, 1);
                    // Stepping does not change texts, which are typed. It does not change the layer either, because a
                    // map's layers are unknown until the map is read.
                    let is_still = line.is_text() || line == ImportLine::Setting(ImportSetting::Layer);
                    assert_eq!(form.import == before, is_still, "{kind:?} {line:?}");
                }
            }
        }
    }

    #[test]
    fn a_typed_coordinate_keeps_the_other() {
        let mut form = form("a.png", ImportPurpose::Design);
        form.set_number(ImportLine::Place(Axis::X), Some(7));
        assert_eq!(form.import.placing.at, Some(Point::new(7, 0)));
        form.set_number(ImportLine::Place(Axis::X), None);
        assert_eq!(form.import.placing.at, None, "to the middle again");
        form.set_number(ImportLine::Side(Axis::Y), Some(90));
        assert_eq!(form.import.placing.size.map(|size| size.y), Some(90));
    }
}

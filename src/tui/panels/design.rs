//! The Design panel: shows and edits the design's name, seed and notes, and shows its files.

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::PanelsState;
use super::line::draw_text;
use super::typing::{self, TypingTarget};
use crate::document::Document;
use crate::storage::DesignFiles;
use crate::tui::editor::{Editor, Focus};
use crate::tui::widget::list::{ListState, ListStep};
use crate::tui::widget::popup::after;
use crate::tui::widget::text::{put, wrap};

const LABEL_WIDTH: u16 = 10;

/// The fields from top to bottom. The notes come last because they may be long.
const FIELDS: [TypingTarget; 3] = [TypingTarget::Name, TypingTarget::Seed, TypingTarget::Notes];

/// The selected field, and the first visible line of the notes.
#[derive(Debug, Default)]
pub(super) struct DesignState {
    list: ListState,
    top: usize,
}

/// Returns the selected field.
pub(super) fn target(panels: &PanelsState) -> TypingTarget {
    FIELDS[panels.design.list.selected(FIELDS.len())]
}

/// Moves the selection. A step by a page scrolls the notes instead.
pub(super) fn step(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let area = super::inside(panels, editor);
    if matches!(step, ListStep::Page(_)) {
        return scroll(panels, editor, step);
    }
    let visible = panels.design.list.visible(area, FIELDS.len(), 0);
    panels.design.list.step(step, visible);
}

/// Scrolls the notes.
pub(super) fn scroll(panels: &mut PanelsState, editor: &Editor, step: ListStep) {
    let notes = Rows::of(panels, editor, super::inside(panels, editor)).notes;
    let lines = wrap(&editor.document.design().notes, notes.width.into()).len();
    let top = panels.design.top.saturating_add_signed(step.rows(notes.height));
    panels.design.top = top.min(lines.saturating_sub(notes.height.into()));
}

/// The areas of the panel that show the fields, the design's files and the notes.
struct Rows {
    name: Rect,
    seed: Rect,
    kept: Vec<Rect>,
    label: Rect,
    notes: Rect,
}

impl Rows {
    fn of(panels: &PanelsState, editor: &Editor, area: Rect) -> Self {
        let row = |y: u16| Rect::new(area.x, area.y + y.min(area.height), area.width, 1).intersection(area);
        let kept = places(panels, editor).len() as u16;
        let label = row(4 + kept);
        Self {
            name: row(0),
            seed: row(1),
            kept: (0..kept).map(|i| row(3 + i)).collect(),
            label,
            notes: Rect {
                y: label.bottom(),
                height: area.bottom().saturating_sub(label.bottom()),
                ..area
            },
        }
    }
}

/// Selects the clicked field, and returns whether it was selected before.
pub(super) fn click(panels: &mut PanelsState, editor: &Editor, area: Rect, at: Position) -> bool {
    let rows = Rows::of(panels, editor, area);
    let parts = [rows.name, rows.seed, rows.label.union(rows.notes)];
    let Some(field) = parts.iter().position(|part| part.contains(at)) else {
        return false;
    };
    let before = target(panels);
    panels.design.list.select_row(field);
    before == FIELDS[field]
}

/// Returns the rows that show the design's files and whether the design is saved in them: for each row, its label, its
/// text and the text's style.
fn places(panels: &PanelsState, editor: &Editor) -> Vec<(&'static str, String, Style)> {
    let theme = editor.theme;
    let document = &editor.document;
    let mut rows: Vec<(&'static str, String, Style)> = paths(document)
        .into_iter()
        .map(|(label, path)| (label, path, theme.text()))
        .collect();
    let (state, style) = state(panels, editor);
    rows.push(("", state.to_owned(), style));
    if matches!(document.design_files(), Some(DesignFiles::Legacy { .. })) {
        // Two rows, since a panel of 37 columns would cut a longer one.
        let lost = ["not stored: name, notes,", "seed, expectations, places"];
        rows.extend(lost.map(|text| ("", text.to_owned(), theme.quiet())));
    }
    rows
}

/// Returns the paths of a design's files with their labels.
fn paths(document: &Document) -> Vec<(&'static str, String)> {
    let text = |path: &Path| path.display().to_string();
    match document.design_files() {
        None => vec![("file", "none yet".into())],
        Some(DesignFiles::Toml(path)) => vec![("file", text(path))],
        Some(DesignFiles::Legacy {
            rooms,
            stats,
            constants,
        }) => {
            let stats = stats
                .as_ref()
                .map_or_else(|| "none: built-in defaults".into(), |path| text(path));
            let mut rows = vec![("rooms", text(rooms)), ("stats", stats)];
            rows.extend(constants.as_ref().map(|path| ("constants", text(path))));
            rows
        }
    }
}

/// Returns a text that says whether the design is saved, and the style of this text.
fn state(panels: &PanelsState, editor: &Editor) -> (&'static str, Style) {
    let (theme, document) = (editor.theme, &editor.document);
    if panels.inputs.is_saving {
        ("saving …", theme.warning())
    } else if document.conflict().is_some() {
        (
            "changed both here and on disk; saving asks which version to keep",
            theme.error(),
        )
    } else if document.is_dirty() {
        ("● unsaved changes", theme.warning())
    } else if document.design_files().is_some() {
        ("saved", theme.good())
    } else {
        ("nothing to save", theme.quiet())
    }
}

pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let design = editor.document.design();
    let rows = Rows::of(panels, editor, area);
    let name = if design.name.is_empty() { "—" } else { &design.name };
    draw_field(panels, editor, TypingTarget::Name, "name", name, rows.name, buf);
    draw_field(
        panels,
        editor,
        TypingTarget::Seed,
        "seed",
        &design.seed.to_string(),
        rows.seed,
        buf,
    );
    for (row, (label, text, style)) in rows.kept.iter().zip(places(panels, editor)) {
        draw_text(label, 0, LABEL_WIDTH, *row, theme.quiet(), buf);
        draw_text(&text, LABEL_WIDTH, row.width, *row, style, buf);
    }
    draw_notes(panels, editor, &rows, buf);
}

/// Draws a field's label and its value, or the text field while the value is being typed.
fn draw_field(
    panels: &PanelsState,
    editor: &Editor,
    target: TypingTarget,
    label: &str,
    value: &str,
    row: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let selected = self::target(panels) == target;
    draw_text(
        label,
        0,
        LABEL_WIDTH,
        row,
        if selected { theme.accent() } else { theme.quiet() },
        buf,
    );
    if let Some(typing) = typing::typed_at(panels, target) {
        typing.draw(theme, after(row, LABEL_WIDTH), buf);
    } else {
        let style = if selected {
            theme.selected(editor.focus == Focus::Panel)
        } else {
            theme.text()
        };
        draw_text(value, LABEL_WIDTH, row.width, row, style, buf);
    }
}

fn draw_notes(panels: &PanelsState, editor: &Editor, rows: &Rows, buf: &mut Buffer) {
    let theme = editor.theme;
    let notes = &editor.document.design().notes;
    let selected = target(panels) == TypingTarget::Notes;
    let label = if selected {
        theme.selected(editor.focus == Focus::Panel)
    } else {
        theme.quiet()
    };
    draw_text("notes", 0, LABEL_WIDTH, rows.label, label, buf);
    if let Some(typing) = typing::typed_at(panels, TypingTarget::Notes) {
        typing.draw_text(theme, rows.notes, buf);
    } else if notes.is_empty() {
        draw_text("—", 0, rows.notes.width, rows.notes, theme.quiet(), buf);
    } else {
        let lines = wrap(notes, rows.notes.width.into());
        let hidden = lines.len().saturating_sub(rows.notes.height.into());
        let top = panels.design.top.min(hidden);
        for (row, line) in rows.notes.rows().zip(&lines[top..]) {
            put(line, row, theme.text(), buf);
        }
    }
}

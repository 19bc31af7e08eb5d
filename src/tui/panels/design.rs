//! The design panel: name, seed and notes to edit, and the design's files.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::field::{self, TypingTarget};
use super::line::put;
use super::{PanelCommand, move_by};
use crate::storage::DesignFiles;
use crate::tui::app::{App, Effect, Focus};
use crate::tui::files;
use crate::tui::text::wrap;

const LABEL_WIDTH: u16 = 10;

/// The fields in order; the notes come last, because they may be long.
const FIELDS: [TypingTarget; 3] = [TypingTarget::Name, TypingTarget::Seed, TypingTarget::Notes];

/// The selected field, and the first visible line of the notes.
#[derive(Debug, Default)]
pub(super) struct DesignState {
    selected: usize,
    top: u16,
}

/// Returns the field under the cursor.
pub(super) const fn target(app: &App) -> TypingTarget {
    FIELDS[app.panels.design.selected]
}

/// Carries out a command.
pub(super) fn update(app: &mut App, command: PanelCommand) -> Vec<Effect> {
    let state = &mut app.panels.design;
    match command {
        PanelCommand::Select(down, _) => state.selected = move_by(state.selected, down, FIELDS.len()),
        PanelCommand::First => state.selected = 0,
        PanelCommand::Last => state.selected = FIELDS.len() - 1,
        PanelCommand::Page(down) => scroll(app, down * 8),
        _ => {}
    }
    Vec::new()
}

/// Scrolls the notes.
pub(super) fn scroll(app: &mut App, lines: i32) {
    let last = app.editor.document.design().notes.len().min(usize::from(u16::MAX)) as u16;
    let state = &mut app.panels.design;
    state.top = state
        .top
        .saturating_add_signed(lines.clamp(-1000, 1000) as i16)
        .min(last);
}

/// The rows of the panel: the fields, the design's files, the notes.
struct Rows {
    name: Rect,
    seed: Rect,
    kept: Vec<Rect>,
    label: Rect,
    notes: Rect,
}

impl Rows {
    fn of(app: &App, area: Rect) -> Self {
        let row = |y: u16| Rect::new(area.x, area.y + y.min(area.height), area.width, 1).intersection(area);
        let kept = places(app).len() as u16;
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
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> bool {
    let rows = Rows::of(app, area);
    let parts = [rows.name, rows.seed, rows.label.union(rows.notes)];
    let Some(field) = parts.iter().position(|part| part.contains(at)) else {
        return false;
    };
    let before = app.panels.design.selected;
    app.panels.design.selected = field;
    before == field
}

/// Returns the design's files and whether they contain all of it: a label, a text and its style each.
fn places(app: &App) -> Vec<(&'static str, String, Style)> {
    let theme = app.editor.theme;
    let document = &app.editor.document;
    let mut rows: Vec<(&'static str, String, Style)> = files::kept_in(document)
        .into_iter()
        .map(|(label, path)| (label, path, theme.text()))
        .collect();
    let (state, style) = files::state(&app.files, &app.editor);
    rows.push(("", state.to_owned(), style));
    if matches!(document.design_files(), Some(DesignFiles::Legacy { .. })) {
        let lost = "these files hold no name, seed or notes";
        rows.push(("", lost.into(), theme.quiet()));
    }
    rows
}

/// Draws the panel.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let design = app.editor.document.design();
    let rows = Rows::of(app, area);
    let name = if design.name.is_empty() { "—" } else { &design.name };
    draw_field(app, TypingTarget::Name, "name", name, rows.name, buf);
    draw_field(
        app,
        TypingTarget::Seed,
        "seed",
        &design.seed.to_string(),
        rows.seed,
        buf,
    );
    for (row, (label, text, style)) in rows.kept.iter().zip(places(app)) {
        put(label, 0, LABEL_WIDTH, *row, theme.quiet(), buf);
        put(&text, LABEL_WIDTH, row.width, *row, style, buf);
    }
    draw_notes(app, &rows, buf);
}

/// Draws a field's name and value, or its text field.
fn draw_field(app: &App, target: TypingTarget, label: &str, value: &str, row: Rect, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let selected = self::target(app) == target;
    put(
        label,
        0,
        LABEL_WIDTH,
        row,
        if selected { theme.accent() } else { theme.quiet() },
        buf,
    );
    if let Some(typing) = field::typed_at(app, target) {
        let x = LABEL_WIDTH.min(row.width);
        typing.draw(
            theme,
            Rect {
                x: row.x + x,
                width: row.width - x,
                ..row
            },
            buf,
        );
    } else {
        let style = if selected {
            theme.selected(app.editor.focus == Focus::Panel)
        } else {
            theme.text()
        };
        put(value, LABEL_WIDTH, row.width, row, style, buf);
    }
}

fn draw_notes(app: &App, rows: &Rows, buf: &mut Buffer) {
    let theme = app.editor.theme;
    let notes = &app.editor.document.design().notes;
    let selected = target(app) == TypingTarget::Notes;
    let label = if selected {
        theme.selected(app.editor.focus == Focus::Panel)
    } else {
        theme.quiet()
    };
    put("notes", 0, LABEL_WIDTH, rows.label, label, buf);
    if let Some(typing) = field::typed_at(app, TypingTarget::Notes) {
        typing.draw_text(theme, rows.notes, buf);
    } else if notes.is_empty() {
        put("—", 0, rows.notes.width, rows.notes, theme.quiet(), buf);
    } else {
        let lines = wrap(notes, rows.notes.width.into());
        let hidden = lines.len().saturating_sub(rows.notes.height.into());
        let top = usize::from(app.panels.design.top).min(hidden);
        for (y, line) in (rows.notes.top()..rows.notes.bottom()).zip(&lines[top..]) {
            buf.set_stringn(rows.notes.x, y, line, rows.notes.width.into(), theme.text());
        }
    }
}

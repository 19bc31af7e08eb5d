//! Drawing of the import dialog: the options, the preview beside them, and the diagnostics below.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::Style;

use super::form::ImportForm;
use super::{ImportPurpose, ImportState};
use crate::background::ImportedDesign;
use crate::design::{Diagnostic, Severity};
use crate::geometry::Size;
use crate::text::counted;
use crate::tui::buttons;
use crate::tui::editor::Editor;
use crate::tui::theme::Theme;
use crate::tui::widget::form::{SIGN, draw_setting};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::popup::{after, popup, popup_area, shrunk};
use crate::tui::widget::text::{put, put_centered, put_wrapped, rule, shortened};
use crate::tui::widget::thumbnail::{self, CellResolution};

/// Maximum size of the dialog in columns and rows, including its frame.
const WIDTH: u16 = 110;
const HEIGHT: u16 = 36;

/// Minimum inner width in columns for a preview.
const WITH_PREVIEW: u16 = 60;

/// Width in columns of the options, and of their labels.
const OPTIONS: u16 = 38;
pub(super) const LABEL: u16 = 13;

/// Number of rows for diagnostics: on screens with few rows, and on larger screens.
const NOTES: u16 = 2;
const MORE_NOTES: u16 = 5;

/// Minimum inner height in rows for [`MORE_NOTES`] rows of diagnostics.
const HIGH: u16 = 28;

/// Areas of the dialog's parts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ImportAreas {
    options: Rect,
    help: Rect,
    preview: Rect,
    line: Rect,
    facts: Rect,
    notes: Rect,
    /// The frame, whose lower border contains the buttons.
    pub(super) frame: Rect,
}

impl ImportAreas {
    /// Lays out the dialog on a screen.
    pub(super) fn of(form: &ImportForm, screen: Rect) -> Self {
        let frame = popup_area(WIDTH, HEIGHT, screen);
        let inside = frame.inner(Margin::new(1, 1));
        let lines = form.lines().len() as u16;
        let notes = if inside.height >= HIGH { MORE_NOTES } else { NOTES };
        let [main, line, facts, notes] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(1),
            Constraint::Length(1),
            Constraint::Length(notes),
        ])
        .areas(inside);
        let is_wide = inside.width >= WITH_PREVIEW;
        let columns = if is_wide { OPTIONS } else { inside.width };
        let [side, preview] = Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)]).areas(main);
        let [options, help] = Layout::vertical([Constraint::Max(lines), Constraint::Min(0)]).areas(shrunk(side));
        Self {
            options,
            help,
            preview: if is_wide { shrunk(preview) } else { Rect::default() },
            line,
            facts: shrunk(facts),
            notes: shrunk(notes),
            frame,
        }
    }

    /// Returns the visible options.
    pub(super) fn settings(&self, form: &ImportForm) -> VisibleRows {
        form.settings.visible(self.options, form.lines().len())
    }
}

/// Returns the size of the preview's area in rows and columns of characters.
pub(super) fn room(form: &ImportForm, screen: Rect) -> Size {
    let preview = ImportAreas::of(form, screen).preview;
    Size::new(preview.height.into(), preview.width.into())
}

/// Draws the dialog.
pub(in crate::tui) fn draw(state: &ImportState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let Some(form) = &state.form else { return };
    let theme = editor.theme;
    let name = form.name();
    let title = match form.purpose {
        ImportPurpose::Design => format!("Import {name}"),
        ImportPurpose::Tiles => format!("Import {name} into the design"),
        ImportPurpose::Example => format!("Learn from {name}"),
    };
    let room = usize::from(screen.width.saturating_sub(6));
    popup(theme, &shortened(&title, room), WIDTH, HEIGHT, screen, buf);
    let places = ImportAreas::of(form, screen);
    draw_options(form, theme, &places, buf);
    draw_preview(editor, form, places.preview, buf);
    rule(theme, places.line, buf);
    let (facts, style) = facts(form, theme);
    put(&shortened(&facts, places.facts.width.into()), places.facts, style, buf);
    let mut below = places.notes;
    for (note, style) in notes(form, theme) {
        below = put_wrapped(&note, below, style, buf);
    }
    buttons::in_border(editor, form.context(), places.frame).draw(buf);
}

fn draw_options(form: &ImportForm, theme: Theme, places: &ImportAreas, buf: &mut Buffer) {
    let (lines, visible) = (form.lines(), places.settings(form));
    for (i, row) in visible.rows() {
        let (line, here) = (lines[i], i == visible.selected);
        if here && line.is_text() {
            put(line.label(), row, theme.accent(), buf);
            let at = after(row, LABEL + SIGN);
            if form.typing.text().is_empty() {
                put("detected if left empty", after(at, 1), theme.quiet(), buf);
            }
            form.typing.draw(
                theme,
                Rect {
                    width: at.width.min(12),
                    ..at
                },
                buf,
            );
            continue;
        }
        draw_setting(theme, row, LABEL, line.label(), &form.value(line), here, buf);
    }
    let Some(line) = form.selected() else { return };
    // Leaves a blank row above the help text if there is room.
    let [_, help] = with_head(places.help, (places.help.height / 4).min(1));
    put_wrapped(&format!("{}.", line.help()), help, theme.quiet(), buf);
}

fn draw_preview(editor: &Editor, form: &ImportForm, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(made) = form.made() else {
        let description = match &form.preview {
            _ if form.awaited.is_some() => "reading …",
            Some(_) => "cannot be imported",
            None => "",
        };
        return put_centered(description, area, theme.quiet(), buf);
    };
    let rows = &made.pixels;
    let size = [rows.len(), rows.first().map_or(0, Vec::len)];
    // If the picture has fewer rows than the dungeon, the picture was reduced: it fits into the area only if each
    // character shows eight pixels.
    let resolution = if rows.len() as i32 == made.placed.design.layout.size.x {
        CellResolution::fitting(size, area, editor.map.has_octants())
    } else {
        CellResolution::eight(editor.map.has_octants())
    };
    thumbnail::draw(theme, rows, resolution, area, buf);
    if rows.is_empty() {
        put_centered("the design cannot grow until you change it", area, theme.quiet(), buf);
    }
}

/// Returns a one-line summary of what will be imported, or the error.
fn facts(form: &ImportForm, theme: Theme) -> (String, Style) {
    match &form.preview {
        None => ("reading …".into(), theme.quiet()),
        Some((_, Err(why))) => (why.clone(), theme.error()),
        Some((_, Ok(preview))) => match &preview.made {
            None => ("nothing to import".into(), theme.error()),
            Some(made) => (measured(form, made), theme.text()),
        },
    }
}

fn measured(form: &ImportForm, made: &ImportedDesign) -> String {
    let count = |number: usize, noun: &str| (number > 0).then(|| counted(number, noun));
    let [walls, columns, open] = made.tiles;
    let mut facts = vec![format!("{} squares", made.drawing.size())];
    facts.extend(count(walls, "wall tile"));
    facts.extend(count(columns, "column"));
    facts.extend(count(open, "square").map(|squares| squares + " to stay open"));
    let dungeon = made.placed.design.layout.size;
    if form.lays() {
        facts.push(format!("at {} in a dungeon of {dungeon}", made.placed.at));
    } else {
        facts.push(format!("a dungeon of {dungeon}"));
    }
    if form.awaited.is_some() {
        facts.push("reading …".into());
    }
    facts.join(" · ")
}

/// Returns a warning about tiles that are left out, if any, and the diagnostics, the most severe first, each with its
/// help.
fn notes(form: &ImportForm, theme: Theme) -> Vec<(String, Style)> {
    let Some(preview) = form.description() else {
        return Vec::new();
    };
    let mut found: Vec<&Diagnostic> = preview.diagnostics.iter().collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.severity));
    let mut notes = Vec::new();
    let outside = preview.made.as_ref().map_or(0, |made| made.outside);
    if form.lays() && outside > 0 {
        let tiles = counted(outside, "tile");
        let text = format!("left out: {tiles} of the drawing, outside the dungeon or on its outer wall");
        notes.push((text, theme.warning()));
    }
    for found in found {
        let style = match found.severity {
            Severity::Error => theme.error(),
            Severity::Warning => theme.warning(),
            Severity::Note => theme.quiet(),
        };
        let source = found.source.as_ref();
        let place = source.map_or_else(String::new, |source| format!("line {}: ", source.line));
        let separator = if found.help.is_empty() { "" } else { "; " };
        notes.push((format!("{place}{}{separator}{}", found.message, found.help), style));
    }
    notes
}

//! Drawing of the export dialog: the list, the options beside it, the preview, and the path below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::areas::{ExportAreas, HEIGHT, LIST, NARROW_LIST, WIDTH};
use super::form::{ExportChoice, ExportFocus, ExportForm, ExportRow};
use super::queue::bytes;
use super::{ExportState, preview};
use crate::tui::buttons;
use crate::tui::editor::Editor;
use crate::tui::theme::Theme;
use crate::tui::widget::form::{draw_field, draw_setting};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::popup::{after, popup};
use crate::tui::widget::text::{put, put_wrapped, rule, shortened};

/// Columns of the path labels.
const PATH_LABEL: u16 = 11;

/// Draws the dialog.
pub(in crate::tui) fn draw(state: &ExportState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let (form, theme) = (&state.form, editor.theme);
    popup(theme, "Export", WIDTH, HEIGHT, screen, buf);
    let places = ExportAreas::of(form, screen);
    for row in places.rule.rows() {
        put("│", row, theme.border(false), buf);
    }
    draw_list(form, theme, &places, buf);
    rule(theme, places.line, buf);
    if !places.rule.is_empty() && !places.line.is_empty() {
        let foot = Rect::new(places.rule.x, places.line.y, 1, 1);
        put("┴", foot, theme.border(false), buf);
    }
    let description = capitalised(form.what.description());
    put_wrapped(&description, places.description, theme.text(), buf);
    draw_options(form, theme, &places, buf);
    preview::draw(form, editor, places.preview, buf);
    let (facts, style) = preview::facts(form, theme);
    put(&shortened(&facts, places.facts.width.into()), places.facts, style, buf);
    draw_paths(form, theme, &places, buf);
    let (note, style) = note(form, theme);
    put(&shortened(&note, places.note.width.into()), places.note, style, buf);
    buttons::in_border(editor, form.context(), places.frame).draw(buf);
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

fn draw_list(form: &ExportForm, theme: Theme, places: &ExportAreas, buf: &mut Buffer) {
    let choosable = form.choosable();
    let rows = ExportChoice::rows();
    let visible = places.kinds(form);
    visible.draw_scrollbar(theme, buf);
    for (i, row) in visible.rows() {
        let width = usize::from(row.width);
        let what = match &rows[i] {
            ExportRow::Heading(text) => {
                put(&shortened(&format!(" {text}"), width), row, theme.heading(), buf);
                continue;
            }
            ExportRow::What(what) => *what,
        };
        let here = what == form.what;
        let style = match (here, form.part == ExportFocus::List) {
            (true, focused) => theme.selected(focused),
            (false, _) if !choosable.contains(&what) => theme.idle(),
            (false, _) => theme.text(),
        };
        let is_filled = here && form.part == ExportFocus::List;
        if is_filled {
            put(&" ".repeat(width), row, style, buf);
        }
        let indent = if width > usize::from(NARROW_LIST) { 3 } else { 2 };
        let room = width.saturating_sub(indent + 1);
        let name = shortened(what.name(), room);
        // An underline covers only the words.
        let at = after(row, indent as u16);
        put(&name, at, style, buf);
        if width > usize::from(LIST) {
            let at = after(at, 10);
            let style = if is_filled { style } else { theme.quiet() };
            let description = shortened(what.description(), usize::from(at.width).saturating_sub(1));
            put(&description, at, style, buf);
        }
    }
}

fn draw_options(form: &ExportForm, theme: Theme, places: &ExportAreas, buf: &mut Buffer) {
    let Some(kind) = form.what.kind() else { return };
    let (lines, visible) = (form.lines(), places.settings(form));
    for (i, row) in visible.rows() {
        let here = form.part == ExportFocus::Options && i == visible.selected;
        let value = form.value(lines[i], kind);
        draw_setting(theme, row, places.label(), lines[i].label(), &value, here, buf);
    }
    let selected = form.selected().filter(|_| form.part == ExportFocus::Options);
    if let Some(line) = selected {
        // Leaves a blank row above if there is room.
        let [_, help] = with_head(places.help, places.help.height / 3);
        put_wrapped(line.help(), help, theme.quiet(), buf);
    }
}

fn draw_paths(form: &ExportForm, theme: Theme, places: &ExportAreas, buf: &mut Buffer) {
    let labels = form.what.labels();
    let columns = if labels.len() > 1 { PATH_LABEL } else { 6 };
    let rows = places.paths.rows().zip(labels.iter().zip(form.paths()));
    for (i, (row, (label, field))) in rows.enumerate() {
        let here = form.part == ExportFocus::Path && i == form.path;
        draw_field(theme, row, columns, label, field, here, buf);
    }
}

/// Returns the error, or else a hint.
fn note(form: &ExportForm, theme: Theme) -> (String, Style) {
    if !form.why.is_empty() {
        return (form.why.clone(), theme.error());
    }
    if !form.hint.is_empty() {
        return (form.hint.clone(), theme.quiet());
    }
    if form.subject.is_none() {
        return (
            "nothing has grown yet: only the design can be exported".into(),
            theme.warning(),
        );
    }
    let beside = form.export().and_then(|export| export.beside());
    let beside = beside.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let size = match &form.sample {
        Some((_, Ok(sample))) => sample.beside.as_ref().map(|(_, count)| format!(" ({})", bytes(*count))),
        _ => None,
    };
    let text = beside.map_or_else(String::new, |name| {
        format!("and beside it {name}{}", size.unwrap_or_default())
    });
    (text, theme.quiet())
}

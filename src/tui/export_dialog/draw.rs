//! Drawing of the export dialog: the list, the options and the preview beside it, and the paths below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthStr as _;

use super::areas::{ExportAreas, HEIGHT, LIST, NARROW_LIST, WIDTH};
use super::form::{ExportChoice, ExportFocus, ExportForm, ExportRow};
use super::queue::bytes;
use super::{ExportState, preview};
use crate::background::companion;
use crate::tui::buttons;
use crate::tui::editor::Editor;
use crate::tui::theme::Theme;
use crate::tui::widget::form::{SIGN, draw_field, draw_setting};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::popup::popup;
use crate::tui::widget::table;
use crate::tui::widget::text::{put, put_wrapped, rule, shortened};

/// Width in columns of the path labels, if there are several paths.
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
    preview::draw(form, editor, &places, buf);
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
    let width = visible.area.width;
    let is_focused = form.part == ExportFocus::List;
    let indent = if width > NARROW_LIST { "   " } else { "  " };
    let line = |i: usize| {
        let what = match &rows[i] {
            ExportRow::Heading(text) => {
                return table::row(width, [" ".into()], Span::styled(*text, theme.heading()), []);
            }
            ExportRow::What(what) => *what,
        };
        let style = match what == form.what {
            // Styles only the name, as some themes underline the selection.
            true => theme.selected(is_focused),
            false if !choosable.contains(&what) => theme.idle(),
            false => theme.text(),
        };
        let name = Span::styled(what.name(), style);
        if width <= LIST {
            return table::row(width, [indent.into()], name, [" ".into()]);
        }
        let gap = 10_usize.saturating_sub(what.name().width());
        let description = Span::styled(what.description(), theme.quiet());
        table::row(
            width,
            [indent.into(), name, " ".repeat(gap).into()],
            description,
            [Span::raw("")],
        )
    };
    visible.draw(theme, is_focused.then(|| theme.selected(true)), line, buf);
}

fn draw_options(form: &ExportForm, theme: Theme, places: &ExportAreas, buf: &mut Buffer) {
    let Some(kind) = form.what.kind() else { return };
    let (lines, visible) = (form.lines(), places.settings(form));
    for (i, row) in visible.rows() {
        let here = form.part == ExportFocus::Options && i == visible.selected;
        if here && form.types_script() {
            draw_field(
                theme,
                row,
                places.label() + SIGN,
                lines[i].label(),
                &form.script,
                here,
                buf,
            );
            continue;
        }
        let value = form.value(lines[i], kind);
        draw_setting(theme, row, places.label(), lines[i].label(), &value, here, buf);
    }
    let selected = form.selected().filter(|_| form.part == ExportFocus::Options);
    if let Some(line) = selected {
        // Leaves a blank row above the help text if there is room.
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

/// Returns the text of the last row: the error, else the hint, else a warning that nothing has grown, else the name of
/// the second file that the export writes, if any.
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
    let beside = form.export().and_then(|export| companion(export.kind, &export.to));
    let beside = beside.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let size = match &form.sample {
        Some((_, Ok(sample))) => sample.beside.as_ref().map(|(_, count)| format!(" ({})", bytes(*count))),
        _ => None,
    };
    let text = beside.map_or_else(String::new, |name| {
        format!("also writes {name}{}", size.unwrap_or_default())
    });
    (text, theme.quiet())
}

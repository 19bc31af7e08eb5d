//! The preview of an export: a picture or the first lines of the file, and the file's size and other facts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line as TextLine, Span};

use super::areas::ExportAreas;
use super::form::ExportForm;
use super::queue::bytes;
use crate::background::{ExportPreview, ExportRequest, FileSize, PreviewContent};
use crate::export::{ExportSetting, Pages, Rgb};
use crate::text::thousands;
use crate::text::{counted, is_control};
use crate::tui::editor::Editor;
use crate::tui::theme::{Depth, Theme};
use crate::tui::widget::text::{put_centered, put_glyph};
use crate::tui::widget::thumbnail::{self, CellResolution};

/// Draws the preview.
pub(super) fn draw(form: &ExportForm, editor: &Editor, places: &ExportAreas, buf: &mut Buffer) {
    let (theme, area, below) = (editor.theme, places.preview, places.legend);
    let Some((_, Ok(sample))) = &form.sample else {
        if form.awaited.is_some() {
            put_centered("growing …", area, theme.quiet(), buf);
        }
        return;
    };
    match &sample.shown {
        PreviewContent::Nothing => put_centered("too large for a preview", area, theme.quiet(), buf),
        PreviewContent::Lines(lines) => {
            for (row, line) in area.rows().zip(lines) {
                coloured(line, theme, row, buf);
            }
        }
        PreviewContent::Picture { rows, ground, legend } => {
            picture(editor, rows, *ground, area, buf);
            let mut spans = Vec::new();
            for (name, rgb) in legend {
                spans.push(Span::styled("■ ", Style::new().fg(theme.exact(*rgb))));
                spans.push(Span::styled(format!("{name}  "), theme.quiet()));
            }
            if !below.is_empty() {
                buf.set_line(below.x, below.y, &TextLine::from(spans), below.width);
            }
        }
    }
}

/// Draws a picture in the centre of an area, with two pixels per character, or eight if the picture is too large for
/// two.
fn picture(editor: &Editor, rows: &[Vec<Rgb>], ground: Rgb, area: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let size = [rows.len(), rows.first().map_or(0, Vec::len)];
    let resolution = CellResolution::fitting(size, area, editor.map.has_octants());
    let is_plain = theme.depth() == Depth::None;
    // Pixels in the background's colour are left empty.
    let pixel = |x: usize, y: usize| {
        let rgb = rows.get(x).and_then(|row| row.get(y)).filter(|rgb| **rgb != ground)?;
        Some(theme.exact(*rgb))
    };
    thumbnail::paint(theme, size, pixel, resolution, area, |at, glyph, mut style| {
        if style.bg.is_none() && !is_plain {
            style = style.bg(theme.exact(ground));
        }
        put_glyph(glyph, at, style, buf);
    });
}

/// Draws a line of text that contains escape sequences for 256 colours, as exports for terminals do.
fn coloured(line: &str, theme: Theme, row: Rect, buf: &mut Buffer) {
    let mut spans = Vec::new();
    let mut style = theme.text();
    for (i, part) in line.split("\x1b[").enumerate() {
        let (code, text) = if i == 0 {
            ("", part)
        } else {
            part.split_once('m').unwrap_or(("", part))
        };
        if i > 0 {
            let colour = code.strip_prefix("38;5;").and_then(|number| number.parse().ok());
            style = match colour {
                Some(colour) if theme.depth() != Depth::None => theme.text().fg(Color::Indexed(colour)),
                _ => theme.text(),
            };
        }
        spans.push(Span::styled(text.replace(is_control, " "), style));
    }
    buf.set_line(row.x, row.y, &TextLine::from(spans), row.width);
}

/// Returns the line of facts about the exported file, or the error.
pub(super) fn facts(form: &ExportForm, theme: Theme) -> (String, Style) {
    match &form.sample {
        Some((of, Ok(sample))) => (measured(sample, of), theme.quiet()),
        Some((_, Err(why))) => (why.clone(), theme.error()),
        None if let Some(why) = form.script_error() => (why, theme.error()),
        None if form.what.kind().is_none() => (
            "this writes a copy; the open design keeps its own files".into(),
            theme.quiet(),
        ),
        None => (String::new(), theme.quiet()),
    }
}

fn measured(sample: &ExportPreview, of: &ExportRequest) -> String {
    let mut facts = Vec::new();
    if let Some((width, height)) = sample.pixels {
        let (width, height) = (thousands(width.into()), thousands(height.into()));
        facts.push(format!("{width} × {height} pixels"));
    } else {
        facts.push(format!("{} squares", sample.squares));
    }
    if of.kind.takes(ExportSetting::Print)
        && let Ok(pages) = Pages::new(sample.squares, &of.options.print)
    {
        let count = counted(pages.count(), "page");
        facts.push(format!("{count}, squares of {}", pages.square()));
    }
    if let Some(pictures) = sample.pictures {
        facts.push(counted(pictures, "picture"));
    }
    facts.extend(sample.bytes.map(|size| match size {
        FileSize::Exact(count) => bytes(count),
        FileSize::About(count) => format!("about {}", bytes(count)),
        FileSize::MoreThan(count) => format!("more than {}", bytes(count)),
    }));
    facts.join(" · ")
}

//! How the dialog looks: the list of what can be written, beside it how, what would come of it, and below where to.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line as TextLine, Span};

use super::form::{Form, Part, Row, What};
use super::queue::bytes;
use super::{Command, DIALOG_KEYS, context};
use crate::export::{Pages, Rgb, Setting};
use crate::geometry::Size;
use crate::tui::app::{Action, App};
use crate::tui::choices::{self, Button, SIGN, in_the_middle, put, shrunk};
use crate::tui::dialog::{after, popup, popup_area};
use crate::tui::screen::thousands;
use crate::tui::text::{shortened, wrap};
use crate::tui::theme::{Depth, Theme};
use crate::tui::thumbnail::{self, Grain};
use crate::worker::{Export, Sample, Shown};

/// The most columns and rows of the dialog, its frame among them.
const WIDTH: u16 = 116;
const HEIGHT: u16 = 40;

/// Dialogs narrower than this show no preview, and of the list the names alone.
const WITH_PREVIEW: u16 = 60;

/// Dialogs as wide as this tell in the list what everything is.
const WITH_TOLD: u16 = 100;

/// Columns of the list: of names alone in little room and in more, and with what they are.
const NARROW_LIST: u16 = 11;
const LIST: u16 = 20;
const TOLD_LIST: u16 = 42;

/// Columns of the options' names, and of the names of paths.
const LABEL: u16 = 14;
const NARROW_LABEL: u16 = 12;
const PATH_LABEL: u16 = 11;

/// Rows beside the list from which on there is room to spare.
const HIGH: u16 = 24;

/// The same for a blank row below what a kind is.
const WITH_GAP: u16 = 16;

/// The parts of the dialog.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Places {
    pub(super) list: Rect,
    rule: Rect,
    told: Rect,
    options: Rect,
    help: Rect,
    preview: Rect,
    facts: Rect,
    line: Rect,
    paths: Rect,
    note: Rect,
    /// The lower border, which holds the buttons.
    border: Rect,
}

impl Places {
    /// The parts on a screen.
    pub(super) fn of(app: &App, screen: Rect) -> Self {
        let frame = popup_area(WIDTH, HEIGHT, screen);
        let inside = frame.inner(Margin::new(1, 1));
        let form = &app.share.form;
        let is_wide = inside.width >= WITH_PREVIEW;
        let [main, line, paths, note] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(1),
            Constraint::Length(form.paths().len() as u16),
            Constraint::Length(1),
        ])
        .areas(inside);
        let list = match inside.width {
            WITH_TOLD.. => TOLD_LIST,
            WITH_PREVIEW.. => LIST,
            _ => NARROW_LIST,
        };
        let [list, rule, side] =
            Layout::horizontal([Constraint::Length(list), Constraint::Length(1), Constraint::Fill(1)]).areas(main);
        let lines = form.lines().len() as u16;
        let side = shrunk(side);
        let told = match side.height {
            _ if !is_wide => 0,
            WITH_GAP.. => 2,
            _ => 1,
        };
        // What an option means takes two rows where there are many.
        let help = match side.height {
            _ if !is_wide || lines == 0 => 0,
            HIGH.. => 3,
            _ => 1,
        };
        let [told, options, help, preview, facts] = Layout::vertical([
            Constraint::Length(told),
            Constraint::Length(lines.min(side.height.saturating_sub(told + 1))),
            Constraint::Length(help),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(side);
        Self {
            list,
            rule,
            told,
            options,
            help,
            preview: if is_wide { preview } else { Rect::default() },
            facts,
            line,
            paths: shrunk(paths),
            note: shrunk(note),
            border: choices::border(frame),
        }
    }

    /// The first row of the list that is seen.
    fn first_row(&self, form: &Form) -> usize {
        let rows = What::rows();
        let selected = rows.iter().position(|row| *row == Row::What(form.what)).unwrap_or(0);
        let height = usize::from(self.list.height.max(1));
        // The heading and some rows after the selected one are seen, too.
        let after = (height / 4).min(rows.len().saturating_sub(selected + 1));
        (selected + 1 + after).saturating_sub(height)
    }

    fn first_line(&self, form: &Form) -> usize {
        (form.line + 1).saturating_sub(usize::from(self.options.height.max(1)))
    }

    /// What can be written that stands at a place of the list.
    pub(super) fn what_at(&self, form: &Form, at: Position) -> Option<What> {
        let row = at.y.checked_sub(self.list.y).filter(|_| self.list.contains(at))?;
        match What::rows().get(self.first_row(form) + usize::from(row))? {
            Row::What(what) => Some(*what),
            Row::Heading(_) => None,
        }
    }

    /// The option at a place.
    pub(super) fn line_at(&self, form: &Form, at: Position) -> Option<usize> {
        let row = at.y.checked_sub(self.options.y).filter(|_| self.options.contains(at))?;
        let line = self.first_line(form) + usize::from(row);
        (line < form.lines().len()).then_some(line)
    }

    /// Whether a place of an option is the sign that goes back.
    pub(super) fn is_back(&self, at: Position) -> bool {
        let sign = self.options.x + self.label();
        (sign..sign + SIGN).contains(&at.x)
    }

    /// Columns of the options' names.
    const fn label(&self) -> u16 {
        if self.preview.is_empty() { NARROW_LABEL } else { LABEL }
    }

    /// The path at a place.
    pub(super) fn path_at(&self, form: &Form, at: Position) -> Option<usize> {
        let row = at.y.checked_sub(self.paths.y).filter(|_| self.paths.contains(at))?;
        (usize::from(row) < form.paths().len()).then_some(row.into())
    }
}

/// The characters that a preview has room for: rows and columns.
pub(super) fn room(app: &App) -> Size {
    let preview = Places::of(app, app.screen).preview;
    Size::new(preview.height.into(), preview.width.into())
}

/// Draws the dialog.
pub(in crate::tui) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let form = &app.share.form;
    popup(app, "Export", WIDTH, HEIGHT, screen, buf);
    let places = Places::of(app, screen);
    draw_list(form, theme, &places, buf);
    for row in places.rule.rows() {
        put("│", row, theme.border(false), buf);
    }
    put(
        &"─".repeat(places.line.width.into()),
        places.line,
        theme.border(false),
        buf,
    );
    if !places.rule.is_empty() && !places.line.is_empty() {
        let foot = Rect::new(places.rule.x, places.line.y, 1, 1);
        put("┴", foot, theme.border(false), buf);
    }
    let told = wrap(&capitalised(form.what.told()), places.told.width.into());
    for (row, line) in places.told.rows().zip(&told) {
        put(line, row, theme.text(), buf);
    }
    draw_options(form, theme, &places, buf);
    draw_preview(app, places.preview, buf);
    let (facts, style) = facts(form, theme);
    put(&shortened(&facts, places.facts.width.into()), places.facts, style, buf);
    draw_paths(form, theme, &places, buf);
    let (note, style) = note(form, theme);
    put(&shortened(&note, places.note.width.into()), places.note, style, buf);
    choices::draw_buttons(theme, buttons(app, &places), buf);
}

/// The buttons in the lower border.
fn buttons(app: &App, places: &Places) -> Vec<Button> {
    let rows = DIALOG_KEYS.iter().filter(|row| row.context == context(app));
    let rows = rows.filter(|row| matches!(row.action, Action::CloseDialog | Action::Share(Command::Accept)));
    choices::buttons(app, places.border, rows)
}

/// What the button at a place does.
pub(super) fn button_at(app: &App, places: &Places, at: Position) -> Option<Action> {
    choices::button_at(buttons(app, places), at)
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

fn draw_list(form: &Form, theme: Theme, places: &Places, buf: &mut Buffer) {
    let choosable = form.choosable();
    let rows = What::rows();
    for (row, entry) in places.list.rows().zip(rows.iter().skip(places.first_row(form))) {
        let width = usize::from(row.width);
        let what = match entry {
            Row::Heading(text) => {
                put(&shortened(&format!(" {text}"), width), row, theme.heading(), buf);
                continue;
            }
            Row::What(what) => *what,
        };
        let here = what == form.what;
        let (style, quiet) = match (here, form.part == Part::List) {
            (true, focused) => (theme.selected(focused), theme.selected(focused)),
            (false, _) if !choosable.contains(&what) => (theme.idle(), theme.idle()),
            (false, _) => (theme.text(), theme.quiet()),
        };
        let is_filled = here && form.part == Part::List;
        if is_filled {
            put(&" ".repeat(width), row, style, buf);
        }
        let indent = if width > usize::from(NARROW_LIST) { 3 } else { 2 };
        let room = width.saturating_sub(indent + 1);
        let name = shortened(what.name(), room);
        // What is only underlined ends with its words.
        let at = Rect {
            x: row.x + (indent as u16).min(row.width),
            width: row.width.saturating_sub(indent as u16),
            ..row
        };
        put(&name, at, style, buf);
        if width > usize::from(LIST) {
            let at = Rect {
                x: at.x + 10.min(at.width),
                width: at.width.saturating_sub(10),
                ..at
            };
            let quiet = if is_filled { quiet } else { theme.quiet() };
            put(
                &shortened(what.told(), usize::from(at.width).saturating_sub(1)),
                at,
                quiet,
                buf,
            );
        }
    }
}

fn draw_options(form: &Form, theme: Theme, places: &Places, buf: &mut Buffer) {
    let Some(kind) = form.what.kind() else { return };
    let lines = form.lines();
    let first = places.first_line(form);
    for (row, (i, line)) in places.options.rows().zip(lines.iter().enumerate().skip(first)) {
        let here = form.part == Part::Options && i == form.line;
        let value = line.value(form, kind);
        choices::line(theme, row, places.label(), line.label(), &value, here, buf);
    }
    let told = lines.get(form.line).filter(|_| form.part == Part::Options);
    if let Some(line) = told {
        let told = wrap(line.help(), places.help.width.into());
        // A row apart, where there is room.
        let rows = places.help.rows().skip((places.help.height / 3).into());
        for (row, text) in rows.zip(&told) {
            put(text, row, theme.quiet(), buf);
        }
    }
}

fn draw_preview(app: &App, area: Rect, buf: &mut Buffer) {
    let (form, theme) = (&app.share.form, app.theme);
    let Some((_, Ok(sample))) = &form.sample else {
        if form.awaited.is_some() {
            in_the_middle("growing …", area, theme.quiet(), buf);
        }
        return;
    };
    match &sample.shown {
        Shown::Nothing => in_the_middle("too large to be shown beforehand", area, theme.quiet(), buf),
        Shown::Lines(lines) => {
            for (row, line) in area.rows().zip(lines) {
                coloured(line, theme, row, buf);
            }
        }
        Shown::Picture { rows, ground, legend } => {
            let takes = form.what.kind().is_some_and(|kind| kind.takes(Setting::Legend));
            let legend = legend.as_slice();
            let legend = if takes && form.what.kind().is_some_and(|kind| form.options(kind).legend) {
                legend
            } else {
                &[]
            };
            let below = u16::from(!legend.is_empty() && area.height > 4);
            let [area, below] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(area);
            picture(app, rows, *ground, area, buf);
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

/// Pixels in the middle of an area: two to a character, or eight where there are as many.
fn picture(app: &App, rows: &[Vec<Rgb>], ground: Rgb, area: Rect, buf: &mut Buffer) {
    let theme = app.theme;
    let columns = rows.first().map_or(0, Vec::len);
    let is_coarse = rows.len() <= 2 * usize::from(area.height) && columns <= usize::from(area.width);
    let grain = match (is_coarse, app.map.has_octants()) {
        (true, _) => Grain::Halves,
        (false, true) => Grain::Octants,
        (false, false) => Grain::Dots,
    };
    let (high, wide) = grain.pixels();
    let (high, wide) = (high as usize, wide as usize);
    let (lines, characters) = (rows.len().div_ceil(high) as u16, columns.div_ceil(wide) as u16);
    let left = area.x + area.width.saturating_sub(characters) / 2;
    let top = area.y + area.height.saturating_sub(lines) / 2;
    let is_plain = theme.depth() == Depth::None;
    // What is the ground of the picture is open.
    let pixel = |x: usize, y: usize| {
        let rgb = rows.get(x).and_then(|row| row.get(y)).filter(|rgb| **rgb != ground)?;
        Some(theme.exact(*rgb))
    };
    for row in 0..lines.min(area.height) {
        for column in 0..characters.min(area.width) {
            let (x, y) = (usize::from(row) * high, usize::from(column) * wide);
            let (glyph, mut style) = if grain == Grain::Halves {
                thumbnail::stacked(theme, pixel(x, y), pixel(x + 1, y))
            } else {
                let seen = std::array::from_fn(|i| pixel(x + i / 2, y + i % 2));
                thumbnail::dots(theme, seen, grain)
            };
            if style.bg.is_none() && !is_plain {
                style = style.bg(theme.exact(ground));
            }
            if let Some(cell) = buf.cell_mut((left + column, top + row)) {
                cell.set_char(glyph).set_style(style);
            }
        }
    }
}

/// A line of text that may change its colour among 256 by escapes, as exports for terminals do.
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
        spans.push(Span::styled(text.replace(|c: char| c.is_control(), " "), style));
    }
    buf.set_line(row.x, row.y, &TextLine::from(spans), row.width);
}

/// What is told of the file beforehand.
fn facts(form: &Form, theme: Theme) -> (String, Style) {
    match &form.sample {
        Some((of, Ok(sample))) => (measured(sample, of), theme.quiet()),
        Some((_, Err(why))) => (why.clone(), theme.error()),
        None if form.what.kind().is_none() => ("the design stays where it is kept".into(), theme.quiet()),
        None => (String::new(), theme.quiet()),
    }
}

fn measured(sample: &Sample, of: &Export) -> String {
    let mut facts = Vec::new();
    if let Some((width, height)) = sample.pixels {
        let (width, height) = (thousands(width.into()), thousands(height.into()));
        facts.push(format!("{width} × {height} pixels"));
    } else {
        facts.push(format!("{} squares", sample.squares));
    }
    if of.kind.takes(Setting::Print)
        && let Ok(pages) = Pages::new(sample.squares, &of.options.print)
    {
        let unit = if pages.count() == 1 { "page" } else { "pages" };
        facts.push(format!(
            "{} {unit}, squares of {}",
            thousands(pages.count()),
            pages.square()
        ));
    }
    if let Some(pictures) = sample.pictures {
        facts.push(format!("{} pictures", thousands(pictures)));
    }
    if let Some((count, is_exact)) = sample.bytes {
        let about = if is_exact { "" } else { "about " };
        facts.push(format!("{about}{}", bytes(count)));
    }
    facts.join(" · ")
}

fn draw_paths(form: &Form, theme: Theme, places: &Places, buf: &mut Buffer) {
    let labels = form.what.labels();
    for (i, (row, typing)) in places.paths.rows().zip(form.paths()).enumerate() {
        let here = form.part == Part::Path && i == form.path;
        let label = labels.get(i).copied().unwrap_or_default();
        put(label, row, if here { theme.accent() } else { theme.quiet() }, buf);
        let at = after(row, if labels.len() > 1 { PATH_LABEL } else { 6 });
        if here {
            typing.draw(theme, at, buf);
        } else {
            put(&shortened(typing.text(), at.width.into()), at, theme.text(), buf);
        }
    }
}

/// What is wrong, or good to know.
fn note(form: &Form, theme: Theme) -> (String, Style) {
    if !form.why.is_empty() {
        return (form.why.clone(), theme.error());
    }
    if !form.hint.is_empty() {
        return (form.hint.clone(), theme.quiet());
    }
    if form.subject.is_none() {
        return (
            "nothing has grown yet: only the design can be written".into(),
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

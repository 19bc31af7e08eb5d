//! The panel Expect: the author's expectations of the dungeons, whether they hold here, and over many seeds.
//!
//! Expectations are written in the language of [`crate::design::expect`]; typed text is checked at once, and errors are
//! shown below the column where they are.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::field::{self, FieldEdit, TypingTarget};
use super::{PanelCommand, follow, move_by};
use crate::design::expect;
use crate::text::counted;
use crate::tui::app::{App, Effect, Focus, NoticeLevel};
use crate::tui::metrics::{self, ExpectationState};
use crate::tui::text::wrap;
use crate::tui::text_field::{TextField, TextKind};

/// Columns for the bar and the sign before an expectation.
const SIGN: u16 = 4;

/// Placeholder for the line being typed, until its text field is drawn there. No expectation begins with it.
const TYPED: &str = "\u{0}";

/// The selected expectation, and the first visible line of the list.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct ExpectState {
    selected: usize,
    top: usize,
}

fn count(app: &App) -> usize {
    app.editor.document.design().expect.that.len()
}

fn selected(app: &App) -> usize {
    app.panels.expect.selected.min(count(app).saturating_sub(1))
}

/// Returns the expectation under the cursor.
pub(super) fn target(app: &App) -> TypingTarget {
    TypingTarget::Expectation(selected(app))
}

/// Returns whether there are no expectations.
pub(super) fn is_empty(app: &App) -> bool {
    count(app) == 0
}

/// Selects an expectation.
pub(super) fn select(app: &mut App, index: usize) {
    app.panels.expect.selected = index;
    keep_in_view(app);
}

/// Carries out a command.
pub(super) fn update(app: &mut App, command: PanelCommand) -> Vec<Effect> {
    let (all, now) = (count(app), selected(app));
    match command {
        PanelCommand::Select(down, _) => app.panels.expect.selected = move_by(now, down, all),
        PanelCommand::Page(down) => app.panels.expect.selected = move_by(now, down * 4, all),
        PanelCommand::First => app.panels.expect.selected = 0,
        PanelCommand::Last => app.panels.expect.selected = all.saturating_sub(1),
        PanelCommand::Edit if all > 0 => field::begin(app),
        PanelCommand::Edit | PanelCommand::Add => {
            app.panels.expect.selected = all;
            app.panels.editing = Some(FieldEdit {
                target: TypingTarget::Expectation(all),
                typing: TextField::new(TextKind::Line, ""),
            });
        }
        PanelCommand::Remove if all > 0 => {
            let name = format!("expectation removed: {}", app.editor.document.design().expect.that[now]);
            let effects = app.editor.edit(name, |design| drop(design.expect.that.remove(now)));
            keep_in_view(app);
            return effects;
        }
        PanelCommand::Shift(by) => {
            let to = move_by(now, by, all);
            if to != now {
                let name = format!("expectation {} moved", now + 1);
                app.panels.expect.selected = to;
                let effects = app.editor.edit(name, |design| design.expect.that.swap(now, to));
                keep_in_view(app);
                return effects;
            }
        }
        PanelCommand::OpenFailing => return metrics::open_failing(app, now),
        _ => {}
    }
    keep_in_view(app);
    Vec::new()
}

/// Accepts a typed expectation; an empty one is removed. Returns an error with its column if it is invalid.
pub(super) fn take(app: &mut App, index: usize, text: &str) -> Result<Vec<Effect>, String> {
    let text = text.trim().to_owned();
    let before = app.editor.document.design().expect.that.get(index).cloned();
    if text.is_empty() {
        let Some(before) = before else { return Ok(Vec::new()) };
        let name = format!("expectation removed: {before}");
        return Ok(app.editor.edit(name, |design| drop(design.expect.that.remove(index))));
    }
    if before.as_ref() == Some(&text) {
        return Ok(Vec::new());
    }
    if let Err(problem) = expect::parse(&text) {
        return Err(told(&text, &problem));
    }
    let name = match before {
        Some(_) => format!("expectation {}: {text}", index + 1),
        None => format!("expectation added: {text}"),
    };
    let effects = app.editor.edit(name, |design| {
        if let Some(that) = design.expect.that.get_mut(index) {
            *that = text;
        } else {
            design.expect.that.push(text);
        }
    });
    if let Some(crate::storage::DesignFiles::Legacy { .. }) = app.editor.document.design_files() {
        app.editor
            .say(NoticeLevel::Warning, "done; only a TOML file keeps expectations");
    }
    Ok(effects)
}

/// Returns an error with its column, as in `column 6: there is no figure paht; …`.
fn told(text: &str, problem: &expect::ExpectationError) -> String {
    let column = column(text, problem) + 1;
    let help = if problem.help.is_empty() {
        String::new()
    } else {
        format!("; {}", problem.help)
    };
    format!("column {column}: {}{help}", problem.message)
}

fn column(text: &str, problem: &expect::ExpectationError) -> usize {
    text.get(..problem.span.start).unwrap_or(text).chars().count()
}

/// Scrolls as little as needed to show the selected expectation.
fn keep_in_view(app: &mut App) {
    let area = super::inside(app);
    let lines = lines(app, area.width);
    let now = app.panels.expect.selected;
    let of_it = |line: &Part| line.index == now;
    let (Some(first), Some(last)) = (lines.iter().position(of_it), lines.iter().rposition(of_it)) else {
        return;
    };
    let top = follow(app.panels.expect.top, last, area.height.into(), lines.len());
    app.panels.expect.top = follow(top, first, area.height.into(), lines.len());
}

/// Scrolls the list by lines; the selection stays.
pub(super) fn scroll(app: &mut App, by: i32) {
    let area = super::inside(app);
    let last = lines(app, area.width).len().saturating_sub(area.height.into());
    app.panels.expect.top = app.panels.expect.top.saturating_add_signed(by as isize).min(last);
}

/// Selects the clicked expectation, and returns whether it was selected before.
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> bool {
    let line = app.panels.expect.top + usize::from(at.y.saturating_sub(area.y));
    let clicked = lines(app, area.width).get(line).map(|part| part.index);
    let Some(index) = clicked.filter(|index| area.contains(at) && *index < count(app)) else {
        return false;
    };
    let before = selected(app);
    app.panels.expect.selected = index;
    before == index
}

/// A line of the panel, and the index of the expectation that it belongs to.
struct Part {
    index: usize,
    line: Line<'static>,
}

fn lines(app: &App, width: u16) -> Vec<Part> {
    let theme = app.editor.theme;
    let room = usize::from(width.saturating_sub(SIGN)).max(1);
    let mut parts = Vec::new();
    let mut put = |index: usize, sign: &'static str, text: &str, style: Style, of_sign: Style| {
        for (i, text) in wrap(text, room).into_iter().enumerate() {
            let sign = if i == 0 { sign } else { " " };
            let spans = vec![Span::styled(format!("{sign} "), of_sign), Span::styled(text, style)];
            parts.push(Part {
                index,
                line: Line::from(spans),
            });
        }
    };
    let all = &app.editor.document.design().expect.that;
    let typing = |index: usize| field::typed_at(app, TypingTarget::Expectation(index));
    for index in 0..=all.len() {
        if let Some(typing) = typing(index) {
            // The field draws the line itself.
            put(index, "›", TYPED, theme.quiet(), theme.accent());
            match expect::parse(typing.text()) {
                _ if typing.text().trim().is_empty() => {
                    let text = "such as: path >= 180 in 95 %, median dead-ends <= 40";
                    put(index, " ", text, theme.quiet(), theme.quiet());
                }
                Ok(_) => put(index, " ", "Enter takes it", theme.quiet(), theme.quiet()),
                Err(problem) => {
                    let column = column(typing.text(), &problem);
                    if column < room {
                        let caret = format!("{}▲", "\u{a0}".repeat(column));
                        put(index, " ", &caret, theme.warning(), theme.quiet());
                    }
                    put(
                        index,
                        " ",
                        &told(typing.text(), &problem),
                        theme.warning(),
                        theme.quiet(),
                    );
                }
            }
            continue;
        }
        let Some(text) = all.get(index) else { continue };
        let (sign, style, told) = match metrics::standing(app, index) {
            ExpectationState::Wrong(problem) => ("!", theme.warning(), self::told(text, &problem)),
            ExpectationState::NotYet => ("·", theme.quiet(), "not yet: the run is not over".to_owned()),
            ExpectationState::OverSeeds(told) if told.is_empty() => ("·", theme.quiet(), "needs many seeds".into()),
            ExpectationState::OverSeeds(told) => {
                ("·", theme.quiet(), format!("needs many seeds; in this dungeon: {told}"))
            }
            ExpectationState::Holds(told) => ("✓", theme.good(), format!("holds here: {told}")),
            ExpectationState::Fails(told) => ("×", theme.error(), format!("fails here: {told}")),
        };
        put(index, sign, text, theme.text(), style);
        put(index, " ", &told, theme.quiet(), theme.quiet());
        if let Some((text, style)) = over_seeds(app, index) {
            put(index, " ", &text, style, theme.quiet());
        }
    }
    parts
}

/// Returns the verdict of an expectation over the seeds grown so far, and its style.
fn over_seeds(app: &App, index: usize) -> Option<(String, Style)> {
    let theme = app.editor.theme;
    let survey = app.judge.survey()?;
    let so_far = if survey.is_done { "" } else { " so far" };
    let Some((verdict, told)) = survey.verdict(index) else {
        return (!survey.is_done).then(|| ("growing seeds …".to_owned(), theme.quiet()));
    };
    let looked = format!("over {}{so_far}", counted(survey.looked, "seed"));
    let style = if verdict.holds { theme.good() } else { theme.error() };
    if !verdict.is_of_one {
        let state = if verdict.holds { "holds" } else { "fails" };
        return Some((format!("{looked}: {state}, {told}"), style));
    }
    let met = verdict.seeds - verdict.failing.len() as u64;
    let percent = met as f64 * 100.0 / verdict.seeds.max(1) as f64;
    Some(match verdict.failing.first() {
        None => (format!("{looked}: 100 %"), style),
        Some(seed) => (
            format!("{looked}: {percent:.0} %, fails first at seed {seed} ({told})"),
            style,
        ),
    })
}

/// Draws the expectations, with a bar beside the selected one.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = app.editor.theme;
    let parts = lines(app, area.width);
    if parts.is_empty() {
        let text = "Nothing is expected of this design's dungeons yet. Add what shall hold: reachable, path >= 180, \
                    enclosed == 0, share(generation 3) <= 0.35 in 95 %, median dead-ends <= 40.";
        for (y, line) in (area.top()..area.bottom()).zip(wrap(text, area.width.into())) {
            buf.set_stringn(area.x, y, line, area.width.into(), theme.quiet());
        }
        return;
    }
    let now = match app.panels.editing.as_ref().map(|editing| editing.target) {
        Some(TypingTarget::Expectation(index)) => index,
        _ => selected(app),
    };
    let bar = theme.border(app.editor.focus == Focus::Panel);
    let top = app
        .panels
        .expect
        .top
        .min(parts.len().saturating_sub(area.height.into()));
    for (y, part) in (area.top()..area.bottom()).zip(&parts[top..]) {
        if part.index == now {
            buf.set_stringn(area.x, y, "▌", area.width.into(), bar);
        }
        let x = area.x + 2.min(area.width);
        let typing = field::typed_at(app, TypingTarget::Expectation(part.index));
        let is_typed = part.line.spans.last().is_some_and(|span| span.content == TYPED);
        match typing.filter(|_| is_typed) {
            Some(typing) => {
                let x = area.x + SIGN.min(area.width);
                typing.draw(theme, Rect::new(x, y, area.right() - x, 1), buf);
            }
            None => drop(buf.set_line(x, y, &part.line, area.right() - x)),
        }
    }
}

//! Drawing of the search sheet, before and during a search.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{RunningSearch, SEEDS, TuningState, TypedField};
use crate::analysis::tune::{TunedParameter, TuningCandidate, TuningPhase};
use crate::analysis::{Outcome, Verdict};
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::tuning::TuneState;
use crate::tui::tuning::sheet;
use crate::tui::widget::list::VisibleRows;
use crate::tui::widget::table;
use crate::tui::widget::text::wrapped;

/// Width in columns of the bar that shows how close an expectation is to holding.
const BAR: usize = 8;

/// Characters of a sparkline, from low to high.
const SPARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Lays out the list: the candidates during a search, otherwise the expectations and parameters.
pub(super) fn visible(state: &TuningState, text: Rect) -> VisibleRows {
    if let Some(search) = &state.search {
        let above = 4 + search.texts.len() as u16;
        let room = text.height.saturating_sub(above + 1);
        let area = Rect {
            y: text.y + above + 1,
            height: (search.found.len() as u16).min((room / 3).max(1)),
            ..text
        };
        return search.list.visible(area.intersection(text), search.found.len(), 0);
    }
    // Leaves two rows above, and a blank row and the text field below.
    let area = Rect {
        y: text.y + 2,
        height: text.height.saturating_sub(if state.typing.is_some() { 6 } else { 4 }),
        ..text
    };
    state.list.visible(area.intersection(text), state.lines(), 0)
}

/// Draws the sheet.
pub(in crate::tui::tuning) fn draw(
    tune: &TuneState,
    editor: &Editor,
    state: &TuningState,
    area: Rect,
    buf: &mut Buffer,
) {
    let context = if state.is_typing() {
        Context::TuneText
    } else {
        Context::Tuning
    };
    let text = sheet::frame(editor, "Tune", context, area, buf);
    if text.is_empty() {
        return;
    }
    match &state.search {
        Some(search) => draw_search(tune, editor, search, visible(state, text), text, buf),
        None => draw_beginning(editor, state, text, buf),
    }
}

fn draw_beginning(editor: &Editor, state: &TuningState, text: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let moving = state.moves.iter().filter(|(_, on)| *on).count();
    let counted = state.requests.iter().filter(|request| request.counts).count();
    let key = |command| editor.keymap.key_in(Context::Tuning, Action::Tune(command));
    let head = if state.requests.is_empty() {
        let text = format!(
            "there are no expectations: {} adds an expectation",
            key(TuneCommand::Expect)
        );
        Line::styled(text, theme.warning())
    } else {
        sheet::both(
            &format!("expectations: {counted} · parameters: {moving}"),
            &format!("{} seeds", SEEDS[state.seeds]),
            text.width,
            [theme.heading(), theme.quiet()],
        )
    };
    let note = format!("{} starts the search for better values", key(TuneCommand::Accept));
    let note = Line::styled(note, theme.quiet());
    sheet::draw_lines(&[head, note], text, text.y, buf);
    let list = visible(state, text);
    let design = editor.document.design();
    let mark = |on: bool| if on { "[x]" } else { "[ ]" };
    let bounds = |one: &TunedParameter| format!("{}–{}", one.least, one.most);
    // Digits and a dash are one column each, so characters can be counted.
    let widest = state
        .moves
        .iter()
        .map(|(one, _)| bounds(one).chars().count())
        .max()
        .unwrap_or(0);
    let line = |i: usize| {
        if let Some(request) = state.requests.get(i) {
            let style = if request.counts { theme.accent() } else { theme.quiet() };
            let left = format!("{} {}", mark(request.counts), request.text);
            return sheet::both(&left, "expected", text.width, [style, theme.quiet()]);
        }
        let (one, on) = state.moves[i - state.requests.len()];
        let now = design.get(one.entry, one.parameter).unwrap_or_default();
        let style = if on { theme.text() } else { theme.quiet() };
        let right = format!("{now}  in {:<widest$}", bounds(&one));
        sheet::both(
            &format!("{} {}", mark(on), brief(&one)),
            &right,
            text.width,
            [style, style],
        )
    };
    sheet::draw_list(editor, list, line, buf);
    let Some((typed, typing)) = &state.typing else { return };
    let y = list.area.bottom() + 1;
    let label = match typed {
        TypedField::Bounds(at) => format!(
            "bounds of {}:",
            state.moves.get(*at).map_or_else(String::new, |(one, _)| brief(one))
        ),
        TypedField::Expectation => "expectation, like path >= 180 in 95%:".into(),
    };
    let below = sheet::draw_lines(&[Line::styled(label, theme.heading())], text, y, buf);
    let row = Rect::new(text.x, below, text.width, 1).intersection(text);
    typing.draw(theme, row, buf);
}

/// Returns a short name of a parameter, such as `CorridorWidth of gen 1`.
fn brief(one: &TunedParameter) -> String {
    one.name().replace("generation ", "gen ")
}

/// Returns the line that shows the phase and progress of the search.
fn progress_line(editor: &Editor, search: &RunningSearch, width: u16) -> Line<'static> {
    let theme = editor.theme;
    let tuning = &search.tuning;
    let all = search.readings.len() * (tuning.seeds().end - tuning.seeds().start) as usize;
    let what = match tuning.phase() {
        _ if search.broken => return Line::styled("the search failed", theme.error()),
        TuningPhase::Done => {
            let met = tuning.best().is_some_and(TuningCandidate::is_met);
            let changed = tuning.best().is_some_and(|best| best.moved > 0);
            return match (met, changed) {
                (true, true) => Line::styled("finished: every expectation is met", theme.good()),
                (true, false) => Line::styled("every expectation is already met", theme.good()),
                (false, _) => Line::styled("finished: not all expectations are met", theme.warning()),
            };
        }
        _ if search.paused => return sheet::paused(editor, Context::Tuning),
        TuningPhase::Searching => format!("search generation {}", tuning.generation()),
        TuningPhase::Pruning => "resetting values".into(),
        TuningPhase::Verifying => "verifying".into(),
    };
    sheet::progress(theme, &what, search.done, all.max(1), width)
}

fn draw_search(
    tune: &TuneState,
    editor: &Editor,
    search: &RunningSearch,
    list: VisibleRows,
    text: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let tuning = &search.tuning;
    let tried = format!("{} tried, {} seeds each", tuning.tried(), tuning_seeds(search));
    let lines = vec![
        progress_line(editor, search, text.width),
        sheet::both(
            &sparkline(tuning.progress(), usize::from(text.width) / 2),
            &tried,
            text.width,
            [theme.accent(), theme.quiet()],
        ),
        Line::default(),
        sheet::both("expected", "now → best", text.width, [theme.heading(), theme.quiet()]),
    ];
    let mut y = sheet::draw_lines(&lines, text, text.y, buf);
    let chosen = search.candidate().or_else(|| tuning.best());
    for i in 0..search.texts.len() {
        let line = request(editor, search, i, chosen, text.width);
        y = sheet::draw_lines(&[line], text, y, buf);
    }
    let line = |i: usize| {
        let candidate = &search.found[i];
        let met = format!("{} of {} met", candidate.met(), search.texts.len());
        let name = match (i, candidate.moved) {
            (0, 1) => "best: 1 parameter changed".into(),
            (0, moved) => format!("best: {moved} parameters changed"),
            (_, moved) => format!("earlier best: {moved} changed"),
        };
        sheet::both(&name, &met, text.width, [theme.text(), theme.quiet()])
    };
    sheet::draw_list(editor, list, line, buf);
    let below = if list.all == 0 { y + 1 } else { list.area.bottom() + 1 };
    let mut about = Vec::new();
    if let Some([before, after]) = tuning.verified() {
        about.extend(verified(editor, search, before, after, text.width));
    }
    if let Some(candidate) = search.candidate() {
        if tune.looking.is_some() {
            about.push(Line::styled("shown on the map; not applied", theme.warning()));
        }
        for ((one, value), now) in tuning.moves().iter().zip(&candidate.values).zip(tuning.now()) {
            if value != now {
                let change = format!("{now} → {value}");
                about.push(sheet::both(
                    &brief(one),
                    &change,
                    text.width,
                    [theme.text(), theme.accent()],
                ));
            }
        }
    } else if tuning.phase() == TuningPhase::Done && tuning.best().is_some_and(|best| best.moved == 0) && !search.broken
    {
        let message = "No better values were found. Let more parameters change, or widen their bounds.";
        let met = tuning.best().is_some_and(TuningCandidate::is_met);
        if !met {
            about.extend(wrapped(message, text.width, theme.quiet()));
        }
    }
    sheet::draw_lines(&about, text, below, buf);
}

fn tuning_seeds(search: &RunningSearch) -> u64 {
    let seeds = search.tuning.seeds();
    match search.tuning.phase() {
        TuningPhase::Verifying => search.readings.first().map_or(0, |readings| readings.rows.len() as u64),
        _ => seeds.end - seeds.start,
    }
}

/// Returns the line of an expectation: its text, and bars for the unchanged design and the chosen candidate.
fn request(
    editor: &Editor,
    search: &RunningSearch,
    i: usize,
    chosen: Option<&TuningCandidate>,
    width: u16,
) -> Line<'static> {
    let theme = editor.theme;
    let of = |candidate: Option<&TuningCandidate>| candidate.and_then(|candidate| candidate.shortfalls.get(i).copied());
    let (now, best) = (of(search.tuning.before()), of(chosen));
    let mark = match best {
        Some(shortfall) if shortfall <= 0.0 => Span::styled("✓ ", theme.good()),
        Some(_) => Span::styled("✗ ", theme.warning()),
        None => Span::raw("  "),
    };
    let bar = |shortfall: Option<f64>| match shortfall {
        // The bar is full at a shortfall of 0, and empty at 2. If the condition applies to each dungeon separately, the
        // shortfall is a sum of two numbers from 0 to 1: the share of dungeons that still have to pass, and a measure
        // of the margins by which dungeons fail. Each of these numbers empties up to half of the bar.
        Some(shortfall) => sheet::bar(1.0 - shortfall / 2.0, BAR),
        None => " ".repeat(BAR),
    };
    let style = match best {
        Some(best) if best <= 0.0 => theme.good(),
        _ => theme.accent(),
    };
    let bars = [
        Span::styled(bar(now), theme.quiet()),
        " ".into(),
        Span::styled(bar(best), style),
        " ".into(),
    ];
    table::row(width, [mark], Span::styled(search.texts[i].clone(), theme.text()), bars)
}

/// Returns the lines that compare the verdicts on the unchanged design and on the best candidate, over fresh seeds.
fn verified(
    editor: &Editor,
    search: &RunningSearch,
    before: &[Verdict],
    after: &[Verdict],
    width: u16,
) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let holds = |verdict: &&Verdict| verdict.outcome == Outcome::Holds;
    let holding = |verdicts: &[Verdict]| verdicts.iter().filter(holds).count();
    let seeds = after.first().map_or(0, |verdict| verdict.seeds);
    let (all, style) = (
        after.len(),
        if holding(after) == after.len() {
            theme.good()
        } else {
            theme.warning()
        },
    );
    let mut lines = vec![sheet::both(
        &format!("over {seeds} fresh seeds"),
        &format!("{} → {} of {all} hold", holding(before), holding(after)),
        width,
        [theme.heading(), style],
    )];
    for (i, verdict) in after.iter().enumerate() {
        // A condition on all dungeons together holds or fails as a whole, so no number of dungeons is shown for it.
        let description = |verdict: &Verdict| match verdict.share() {
            Some(_) => verdict.met().to_string(),
            None => verdict.outcome.to_string(),
        };
        let style = match verdict.outcome {
            Outcome::Holds => theme.good(),
            _ => theme.warning(),
        };
        let right = format!("{} → {}", description(&before[i]), description(verdict));
        lines.push(sheet::both(
            &format!("  {}", search.texts[i]),
            &right,
            width,
            [theme.text(), style],
        ));
        let change = search.tuning.changes().get(i).filter(|change| change.is_real());
        if let Some(change) = change.and_then(|change| change.change) {
            let points = format!("{} points", change.scaled(100.0));
            lines.push(sheet::both("", &points, width, [theme.text(), theme.quiet()]));
        }
    }
    lines.push(Line::default());
    lines
}

/// Returns a sparkline of the best candidate's total shortfall after each generation of the search, the latest at the
/// right. Generations before the last `width` are left out.
fn sparkline(progress: &[f64], width: usize) -> String {
    let most = progress.iter().copied().fold(0.0, f64::max);
    let from = progress.len().saturating_sub(width);
    let spark = |value: &f64| {
        if most <= 0.0 {
            SPARKS[0]
        } else {
            SPARKS[((value / most * 7.0).round() as usize).min(7)]
        }
    };
    progress[from..].iter().map(spark).collect()
}

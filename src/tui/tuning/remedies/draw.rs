//! Drawing of the remedies sheet: the flaws, the remedies for the selected flaw, and the side effects of the selected
//! remedy.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{RemediesState, Remedy, RemedyStage};
use crate::analysis::tune::{FlawAmount, RemedyEffect as Gain, TrialTable};
use crate::design::expect::{DungeonMetric, Metric};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::tuning::TuneState;
use crate::tui::tuning::sheet;
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::{ListState, VisibleRows};
use crate::tui::widget::text::{put_wrapped, wrapped};

/// Message if the measurement failed.
const FAILED: &str = "the measurement failed";

/// Maximum number of ineffective remedies listed by name.
const NAMED: usize = 6;

/// Metrics shown for the selected remedy.
const SHOWN_METRICS: [DungeonMetric; 4] = [
    DungeonMetric::Path,
    DungeonMetric::DeadEnds,
    DungeonMetric::Fill,
    DungeonMetric::OuterWall,
];

/// Areas of the sheet's lists and details.
pub(super) struct RemedyAreas {
    pub(super) flaws: VisibleRows,
    pub(super) remedies: VisibleRows,
    about: Rect,
}

impl RemedyAreas {
    pub(super) fn of(state: &RemediesState, text: Rect) -> Self {
        let row = |y: u16, height: u16| Rect::new(text.x, y, text.width, height).intersection(text);
        let head = text.y + 1;
        let flaws = row(head, (state.flaws.len() as u16).min((text.height / 4).max(1)));
        let good = state.sorted().0.len();
        // Leaves a blank row and a heading above, and the selected remedy's details below.
        let from = flaws.bottom() + 2;
        let about = (text.height / 3).min(9);
        let room = text.bottom().saturating_sub(from + about);
        let remedies = row(from, room.min(good as u16));
        let below = remedies.bottom().max(from.min(text.bottom())) + 1;
        Self {
            flaws: ListState::default().visible(flaws, state.flaws.len(), state.flaw),
            remedies: state.list.visible(remedies, good, 0),
            about: row(below, text.bottom().saturating_sub(below)),
        }
    }
}

/// Draws the sheet.
pub(in crate::tui::tuning) fn draw(
    tune: &TuneState,
    editor: &Editor,
    state: &RemediesState,
    area: Rect,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let text = sheet::frame(editor, "Remedies", Context::Remedies, area, buf);
    if text.is_empty() {
        return;
    }
    let places = RemedyAreas::of(state, text);
    let dungeons = state.before.rows.len();
    let head = match (state.stage, state.flaws.len()) {
        (RemedyStage::Before, _) => sheet::progress(theme, "looking for flaws", state.done, dungeons, text.width),
        (RemedyStage::Failed, 0) => Line::styled(FAILED, theme.error()),
        (_, 0) => Line::styled(format!("no flaws in {dungeons} dungeons"), theme.good()),
        _ => sheet::both(
            "flaws",
            &format!("of {dungeons} dungeons"),
            text.width,
            [theme.heading(), theme.quiet()],
        ),
    };
    sheet::draw_lines(&[head], text, text.y, buf);
    let flaw = |i: usize| {
        let (flaw, measured, _) = &state.flaws[i];
        let is_selected = i == state.flaw;
        let name = format!(
            "{} {}",
            if is_selected { "▸" } else { " " },
            flaw.description(&state.texts)
        );
        let styles = if is_selected {
            [theme.warning(), theme.text()]
        } else {
            [theme.text(), theme.quiet()]
        };
        sheet::both(&name, &measured.count.to_string(), text.width, styles)
    };
    places.flaws.draw(theme, None, flaw, buf);
    if state.flaws.is_empty() {
        if state.stage == RemedyStage::Done {
            let message = "Nothing is enclosed or unreachable, no generation takes over, no straight corridor runs along the outer wall, and all expectations are met.";
            let [_, below] = with_head(text, 2);
            put_wrapped(message, below, theme.quiet(), buf);
        }
        return;
    }
    let (good, vain) = state.sorted();
    draw_heading(editor, state, &good, text, places.flaws.area.bottom() + 1, buf);
    let list = |i: usize| {
        let remedy = good[i];
        let measure = remedy.gain.map_or_else(String::new, |gain| description(state, &gain));
        let name = match remedy.broken {
            0 => remedy.name.clone(),
            // The same symbol as in the list of expectations.
            _ => format!("✗ {}", remedy.name),
        };
        let style = if remedy.broken == 0 {
            theme.text()
        } else {
            theme.warning()
        };
        sheet::both(&name, &measure, text.width, [style, theme.good()])
    };
    sheet::draw_list(editor, places.remedies, list, buf);
    let mut about = state
        .chosen()
        .map_or_else(Vec::new, |remedy| about(tune, editor, state, remedy));
    if !vain.is_empty() {
        let mut names: Vec<&str> = vain.iter().map(|remedy| remedy.name.as_str()).take(NAMED).collect();
        if vain.len() > NAMED {
            names.push("…");
        }
        let message = format!("{} without improvement: {}", vain.len(), names.join("; "));
        about.push(Line::default());
        about.extend(wrapped(&message, text.width, theme.quiet()));
    }
    sheet::draw_lines(&about, places.about, places.about.y, buf);
}

fn draw_heading(editor: &Editor, state: &RemediesState, good: &[&Remedy], text: Rect, y: u16, buf: &mut Buffer) {
    let theme = editor.theme;
    let all = state.batch.len() * state.seeds.len();
    let line = match state.stage {
        RemedyStage::Before => Line::default(),
        RemedyStage::Trying => sheet::progress(
            theme,
            &format!("trying {}", state.batch.len()),
            state.done,
            all,
            text.width,
        ),
        RemedyStage::Measuring => sheet::progress(
            theme,
            &format!("measuring the best {}", state.batch.len()),
            state.done,
            all,
            text.width,
        ),
        RemedyStage::Failed => Line::styled(FAILED, theme.error()),
        RemedyStage::Done if good.is_empty() => Line::styled("no remedy helps", theme.warning()),
        RemedyStage::Done => sheet::both(
            "remedies",
            "before → after",
            text.width,
            [theme.heading(), theme.quiet()],
        ),
    };
    sheet::draw_lines(&[line], text, y, buf);
}

/// Formats the effect as the number of dungeons with the flaw before and after: `83 → 4`. If the number stays the same,
/// the flaw has only become milder: `83, milder`. Unless all seeds were measured, appends the number of measured
/// dungeons: `20 → 4 of 24`.
fn description(state: &RemediesState, gain: &Gain) -> String {
    let seeds = state.before.rows.len();
    // Remedies that did not become finalists are measured over fewer seeds.
    let of = if gain.after.dungeons == seeds {
        String::new()
    } else {
        format!(" of {}", gain.after.dungeons)
    };
    if gain.before.count == gain.after.count {
        return format!("{}, milder{of}", gain.after.count);
    }
    format!("{} → {}{of}", gain.before.count, gain.after.count)
}

/// Returns lines about the selected remedy's effect on the flaw, other metrics and the expectations.
fn about(tune: &TuneState, editor: &Editor, state: &RemediesState, remedy: &Remedy) -> Vec<Line<'static>> {
    let theme = editor.theme;
    let Some(gain) = remedy.gain else { return Vec::new() };
    let mut lines = vec![Line::styled(remedy.name.clone(), theme.heading())];
    let percent = |measured: &FlawAmount| format!("{:.0}%", measured.share() * 100.0);
    lines.push(Line::from(vec![
        Span::styled(
            format!(
                "{} → {} of {} dungeons",
                percent(&gain.before),
                percent(&gain.after),
                gain.after.dungeons
            ),
            theme.good(),
        ),
        Span::styled(
            // A narrow panel has no room for a longer remark.
            if gain.before.count == gain.after.count {
                ", milder"
            } else {
                ""
            },
            theme.quiet(),
        ),
    ]));
    if let Some(change) = gain.change.change.filter(|_| gain.before.count != gain.after.count) {
        let points = format!("  {} points", change.scaled(100.0));
        lines.push(Line::styled(points, theme.quiet()));
    }
    for metric in SHOWN_METRICS {
        let median = |readings: &TrialTable| readings.median(Metric::Plain(metric));
        let (Some(before), Some(after)) = (median(&state.before), median(&remedy.after)) else {
            continue;
        };
        let [before, after] = [before, after].map(|number| sheet::number(metric, number));
        let (style, change) = if before == after {
            (theme.quiet(), before)
        } else {
            (theme.text(), format!("{before} → {after}"))
        };
        lines.push(Line::from(vec![
            Span::styled(format!("  {:<12}", metric.info().name), theme.quiet()),
            Span::styled(change, style),
        ]));
    }
    if !state.expectations.is_empty() {
        let met = |readings: &TrialTable| {
            let met = super::met(readings, &state.expectations);
            met.into_iter().filter(|is_met| *is_met).count()
        };
        let (before, after, all) = (met(&state.before), met(&remedy.after), state.expectations.len());
        let style = match after.cmp(&before) {
            std::cmp::Ordering::Less => theme.warning(),
            std::cmp::Ordering::Equal => theme.quiet(),
            std::cmp::Ordering::Greater => theme.good(),
        };
        lines.push(Line::styled(
            format!("  expectations {before} → {after} of {all} met"),
            style,
        ));
    }
    if tune.looking.is_some() {
        lines.push(Line::styled("  shown on the map; not applied", theme.warning()));
    }
    lines
}

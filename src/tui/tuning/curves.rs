//! Curves drawn at the bottom of a panel: metric values over the range of the selected parameter's slider, with
//! everything else fixed.
//!
//! Curves are measured while the user is idle and no growth or playback is running: first a few seeds for every value,
//! then more. The measurement ends when the user selects another parameter, or edits anything that affects the
//! dungeon except the curve's own parameter. Editing that parameter keeps the curve and only moves the mark of the
//! current value. Dungeons are then grown only for the new value, and only if the curve does not contain it yet.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph, Widget as _, Wrap};
use unicode_width::UnicodeWidthStr as _;

use super::plot::Plot;
use super::{TuneState, TuningClient, cancel_trials, sheet, try_out, why_unavailable};
use crate::analysis::tune::{Band, Curve, Variant, places};
use crate::analysis::{Interval, PairedChange};
use crate::background::{JobError, TrialReply, TrialRequest};
use crate::design::expect::{DungeonMetric, METRICS, Metric};
use crate::design::{Design, Entry, Parameter};
use crate::engine::{EffectAnalysis, NoEffectReason, Options};
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::editor::{Editor, Focus, SliderRange};
use crate::tui::tabs::Panel;
use crate::tui::widget::form::ring;

use crate::tui::widget::table;
use crate::tui::widget::text::rule;

/// Idle time after the last key or click before dungeons are grown.
const QUIET: Duration = Duration::from_millis(300);

/// Maximum number of cached curves.
const KEPT: usize = 24;

/// Number of values sampled over a range: for dungeons of up to 40,000 squares, and for larger dungeons.
const VALUES: [usize; 2] = [17, 9];
/// Number of seeds per value, before [`super::seeds`] reduces it for large dungeons.
const SEEDS: usize = 32;

/// Number of sign assignments sampled per significance test. It is small because the tests are repeated after each
/// batch of dungeons.
const FLIPS: usize = 999;

/// The sets of metrics that are shown together.
const SETS: [[DungeonMetric; 3]; 7] = [
    [DungeonMetric::Path, DungeonMetric::DeadEnds, DungeonMetric::Fill],
    [DungeonMetric::Junctions, DungeonMetric::Loops, DungeonMetric::Blind],
    [DungeonMetric::Detour, DungeonMetric::Width, DungeonMetric::Squares],
    [
        DungeonMetric::OuterWall,
        DungeonMetric::OuterCorridor,
        DungeonMetric::Dominant,
    ],
    [
        DungeonMetric::Enclosed,
        DungeonMetric::Reachable,
        DungeonMetric::Unreached,
    ],
    [
        DungeonMetric::Builders,
        DungeonMetric::Unborn,
        DungeonMetric::Iterations,
    ],
    [DungeonMetric::Tiles, DungeonMetric::Generations, DungeonMetric::Pillars],
];

/// The cache key of a curve: the design without the parameter's value and without fields that do not affect the
/// dungeon.
#[derive(Debug, Clone, PartialEq)]
struct CurveKey {
    design: Design,
    entry: Entry,
    parameter: Parameter,
    options: Options,
}

impl CurveKey {
    fn of(design: &Design, ranged: &SliderRange, options: Options) -> Self {
        let mut design = design.clone();
        design.set(ranged.entry, ranged.parameter, ranged.least);
        design.name.clear();
        design.notes.clear();
        design.expect.that.clear();
        design.seed = 0;
        Self {
            design,
            entry: ranged.entry,
            parameter: ranged.parameter,
            options,
        }
    }
}

/// A curve, complete or not, with its cache key.
#[derive(Debug)]
struct CachedCurve {
    id: u64,
    key: CurveKey,
    curve: Curve,
}

/// State of the curves.
#[derive(Debug, Default)]
pub(super) struct CurvesState {
    on: bool,
    /// Index of the shown set in [`SETS`].
    set: usize,
    /// Time since the last key or click.
    quiet: Duration,
    kept: VecDeque<CachedCurve>,
    ids: u64,
    /// The design and the parameter (entry and field) of the last frame, and the id of their curve.
    current: Option<(Arc<Design>, Entry, Parameter, u64)>,
    /// The id of the curve being measured, and the parameter values of its variants.
    work: Option<(u64, Vec<i32>)>,
    /// For each shown metric, how it changes when the parameter's value changes; with the cache key.
    changes: Option<(ChangesKey, Vec<ValueChanges>)>,
}

/// The curve's id, the number of dungeons that it is based on, the parameter's current value, and the index of the set
/// of metrics.
type ChangesKey = (u64, usize, i32, usize);

/// Parameter values, each with the change of one metric when this value replaces the parameter's current value.
type ValueChanges = Vec<(i32, PairedChange)>;

impl CurvesState {
    /// Returns the state for another design, with the same settings and an empty cache.
    pub(super) fn renewed(&self) -> Self {
        Self {
            on: self.on,
            set: self.set,
            ..Self::default()
        }
    }

    /// Resets the idle time.
    pub(super) const fn note_input(&mut self) {
        self.quiet = Duration::ZERO;
    }

    /// Discards the measurement in progress, because another feature is about to use the tuner.
    pub(super) fn cancel(&mut self) {
        self.work = None;
    }

    /// Returns how many dungeons the shown curve is based on.
    #[cfg(test)]
    pub(super) fn tried(&self) -> usize {
        self.shown().map_or(0, |kept| kept.curve.tried())
    }

    fn shown(&self) -> Option<&CachedCurve> {
        let (_, _, _, id) = self.current.as_ref()?;
        self.kept.iter().find(|kept| kept.id == *id)
    }
}

/// Returns every metric that a curve can show.
fn metrics() -> Vec<Metric> {
    METRICS.iter().map(|info| Metric::Plain(info.metric)).collect()
}

/// Toggles the curves. If this turns them on while no numeric parameter is selected, focuses the Stats panel. If it
/// turns them on while a view has the focus or a sheet covers the panel, focuses the panel of the selected parameter.
pub(super) fn toggle(tune: &mut TuneState, editor: &mut Editor) {
    let curves = &mut tune.curves;
    curves.on = !curves.on;
    if !curves.on {
        curves.work = None;
        editor.done("curves are hidden");
        return cancel_trials(tune, TuningClient::Curves);
    }
    if editor.focus == Focus::View || tune.has_sheet() || tune.ranged.is_none() {
        let panel = tune.ranged.map_or(Panel::Stats, |_| editor.panel);
        editor.act(Action::FocusPanel(panel));
    }
    report(editor);
}

fn report(editor: &mut Editor) {
    let others = editor.keymap.key_of(Action::Tune(TuneCommand::Metrics(1)));
    editor.done(format!(
        "curves: metrics over the range of the slider; {others} shows others"
    ));
}

/// Shows another set of metrics; turns the curves on if they are off.
pub(super) fn other_metrics(tune: &mut TuneState, editor: &mut Editor, by: i32) {
    if !tune.curves.on {
        return toggle(tune, editor);
    }
    let set = &mut tune.curves.set;
    *set = ring(*set, by, SETS.len());
    let names = SETS[*set].map(|metric| metric.info().name).join(", ");
    editor.done(format!("curves of {names}"));
}

/// Returns whether the visible panel shows curves.
pub(in crate::tui) fn are_shown(tune: &TuneState) -> bool {
    tune.curves.on && !tune.has_sheet() && tune.ranged.is_some()
}

/// Returns the reason why no value of the parameter has an effect; such a parameter has no curve. `None` if some value
/// has an effect.
fn idle(editor: &Editor, ranged: &SliderRange) -> Option<String> {
    let idle = EffectAnalysis::new(editor.document.design(), editor.options).of(ranged.entry, ranged.parameter)?;
    match idle {
        NoEffectReason::Whole(why) => Some(why),
        NoEffectReason::Raised(..) => None,
    }
}

/// Returns the parameter values to sample.
fn values(editor: &Editor, ranged: &SliderRange) -> Vec<i32> {
    let small = editor.document.design().layout.size.squares() <= 40_000;
    let count = VALUES[usize::from(!small)];
    places(ranged.least, ranged.most, ranged.now, count)
}

/// Selects the curve of the current parameter, and ends the measurement of any other curve.
pub(super) fn frame(tune: &mut TuneState, editor: &mut Editor) {
    let ranged = tune.ranged.filter(|_| are_shown(tune));
    let Some(ranged) = ranged else {
        tune.curves.current = None;
        return end_other_work(tune, None);
    };
    let design = editor.document.shared();
    let same = tune.curves.current.as_ref().is_some_and(|(seen, entry, parameter, _)| {
        Arc::ptr_eq(seen, &design) && (*entry, *parameter) == (ranged.entry, ranged.parameter)
    });
    if !same {
        let key = CurveKey::of(&design, &ranged, editor.options);
        let seeds = super::seeds(&design, SEEDS);
        let curves = &mut tune.curves;
        let id = if let Some(known) = curves.kept.iter().find(|kept| kept.key == key) {
            known.id
        } else {
            curves.ids += 1;
            curves.kept.push_front(CachedCurve {
                id: curves.ids,
                key,
                curve: Curve::new(metrics(), seeds),
            });
            curves.kept.truncate(KEPT);
            curves.ids
        };
        curves.current = Some((design, ranged.entry, ranged.parameter, id));
    }
    let id = tune.curves.current.as_ref().map(|(.., id)| *id);
    end_other_work(tune, id);
    let curves = &mut tune.curves;
    let Some(kept) = curves.shown() else { return };
    let key = (kept.id, kept.curve.tried(), ranged.now, curves.set);
    if curves.changes.as_ref().is_none_or(|(known, _)| *known != key) {
        let changes = kept.curve.changes(&SETS[curves.set], ranged.now, FLIPS);
        curves.changes = Some((key, changes));
    }
}

fn end_other_work(tune: &mut TuneState, wanted: Option<u64>) {
    let other = |(id, _): &mut (u64, Vec<i32>)| Some(*id) != wanted;
    if tune.curves.work.take_if(other).is_some() {
        cancel_trials(tune, TuningClient::Curves);
    }
}

/// Returns the curve's id and its missing (value, seed) pairs. Returns `None` if the curve is hidden, complete or flat,
/// or if the tuner is busy, or if growth or playback is running.
fn wanted(tune: &TuneState, editor: &Editor) -> Option<(u64, Vec<(i32, usize)>)> {
    let curves = &tune.curves;
    if !are_shown(tune) || tune.request.is_some() || why_unavailable(editor).is_some() || !editor.time.is_still() {
        return None;
    }
    let kept = curves.shown()?;
    let ranged = tune.ranged?;
    if (kept.key.entry, kept.key.parameter) != (ranged.entry, ranged.parameter) || idle(editor, &ranged).is_some() {
        return None;
    }
    let missing = kept.curve.missing(&values(editor, &ranged));
    (!missing.is_empty()).then_some((kept.id, missing))
}

/// Adds `elapsed` to the idle time, and starts measuring once the idle time reaches [`QUIET`].
pub(super) fn advance(tune: &mut TuneState, editor: &mut Editor, elapsed: Duration) {
    let curves = &mut tune.curves;
    if !curves.on {
        return;
    }
    curves.quiet = curves.quiet.saturating_add(elapsed);
    if curves.quiet < QUIET {
        return;
    }
    let Some((id, missing)) = wanted(tune, editor) else {
        return;
    };
    let (Some(ranged), Some(kept)) = (tune.ranged, tune.curves.shown()) else {
        return;
    };
    // The curve keeps its number of seeds. `super::seeds` might now return a different number, because it depends on
    // the dungeon's size, and the parameter may be a dimension.
    let seeds = (0..kept.curve.seeds() as u64).collect();
    let mut values: Vec<i32> = Vec::new();
    let mut order = Vec::new();
    for (value, seed) in missing {
        let at = values.iter().position(|known| *known == value).unwrap_or_else(|| {
            values.push(value);
            values.len() - 1
        });
        order.push((at, seed));
    }
    let seeded = editor.document.seeded();
    let design = editor.document.design();
    let varied = |&value: &i32| seeded.varied(Variant::set(ranged.entry, ranged.parameter, value).of(design));
    let trials = TrialRequest {
        order,
        ..TrialRequest::all(values.iter().map(varied).collect(), seeds, metrics(), editor.options)
    };
    tune.curves.work = Some((id, values));
    try_out(tune, editor, TuningClient::Curves, trials);
}

/// Returns the time until [`advance`] starts measuring.
pub(super) fn next_change(tune: &TuneState, editor: &Editor) -> Option<Duration> {
    tune.curves.on.then_some(())?;
    wanted(tune, editor).map(|_| QUIET.saturating_sub(tune.curves.quiet))
}

/// Handles a reply of the tuner.
pub(super) fn handle_reply(tune: &mut TuneState, reply: Result<TrialReply, JobError>) {
    let curves = &mut tune.curves;
    match reply {
        Ok(TrialReply::Outcomes(outcomes)) => {
            let Some((id, values)) = &curves.work else { return };
            let Some(kept) = curves.kept.iter_mut().find(|kept| kept.id == *id) else {
                return;
            };
            for tried in outcomes {
                if let Some(value) = values.get(tried.variant) {
                    kept.curve.note(*value, tried.seed, tried.reading);
                }
            }
        }
        Ok(TrialReply::Done) => curves.work = None,
        // Curves are switched off, so that the failure does not repeat.
        Err(_) => (curves.work, curves.on) = (None, false),
    }
}

/// Draws the curves of the selected parameter.
///
/// `track` returns the part of a line that the parameter's slider would cover; the plots have the same columns.
pub(in crate::tui) fn draw(
    tune: &TuneState,
    editor: &Editor,
    track: impl Fn(Rect) -> Rect,
    area: Rect,
    buf: &mut Buffer,
) {
    let Some(ranged) = tune.ranged.filter(|_| !area.is_empty()) else {
        return;
    };
    let theme = editor.theme;
    let curves = &tune.curves;
    let kept = curves.shown();
    let remark = kept.map_or_else(String::new, |kept| {
        let (tried, missing) = (kept.curve.tried(), kept.curve.missing(&values(editor, &ranged)).len());
        match missing {
            0 => format!(" {} seeds each ", kept.curve.seeds()),
            _ if curves.work.is_some() => format!(" {}% ", tried * 100 / (tried + missing)),
            _ => " waiting ".into(),
        }
    });
    let block = Block::new()
        .borders(Borders::TOP)
        .border_style(theme.border(false))
        .title(Line::styled("curves ", theme.text()));
    let why = idle(editor, &ranged).map(|why| format!("flat, because the value has no effect: {why}"));
    let why = why.or_else(|| why_unavailable(editor));
    let block = match why {
        Some(_) => block,
        None => block.title(Line::styled(remark, theme.quiet()).right_aligned()),
    };
    let inside = block.inner(area);
    block.render(area, buf);
    if let Some(why) = why {
        let text = Rect {
            height: inside.height.min(3),
            ..inside
        };
        Paragraph::new(Line::styled(why, theme.warning()))
            .wrap(Wrap { trim: true })
            .render(text, buf);
        let y = text.bottom();
        if y < inside.bottom() {
            rule(theme, Rect { y, height: 1, ..inside }, buf);
        }
        return;
    }
    let each = inside.height / 3;
    for (i, metric) in (0..).zip(SETS[curves.set]) {
        let place = Rect::new(inside.x, inside.y + i * each, inside.width, each).intersection(inside);
        let bands = kept.map_or_else(Vec::new, |kept| kept.curve.bands(Metric::Plain(metric)));
        let changes = curves
            .changes
            .as_ref()
            .and_then(|(_, changes)| changes.get(usize::from(i)));
        let change = changes.map_or_else(Default::default, |changes| strongest(metric, changes));
        draw_one(editor, (metric, &bands, change), &ranged, &track, place, buf);
    }
}

/// Describes the most significant change that another parameter value makes to the metric (the largest change if
/// several are equally significant): `at 20: −1.3 [−1.9, −0.7]`. Also returns whether there is a significant change.
fn strongest(metric: DungeonMetric, changes: &[(i32, PairedChange)]) -> (String, bool) {
    let size = |change: &PairedChange| change.change.map_or(0.0, |change| change.mean.abs());
    let strongest = changes.iter().min_by(|(_, a), (_, b)| {
        let by_p = a.p_adjusted.total_cmp(&b.p_adjusted);
        by_p.then_with(|| size(b).total_cmp(&size(a)))
    });
    match strongest {
        None => (String::new(), false),
        Some((value, change)) if change.is_real() => {
            let difference = change
                .change
                .map_or_else(String::new, |one| sheet::difference(metric, one));
            (format!("at {value}: {difference}"), true)
        }
        Some(_) => ("no value differs significantly".into(), false),
    }
}

/// Draws one metric: its name, its median and quartiles at the parameter's current value (for a boolean metric, the
/// share and its confidence interval), the strongest difference at another value, and its plot, which has the width of
/// the slider. If the difference has no row of its own, it is shown only if it is significant: in place of the
/// quartiles or, if there is no room for it beside the median, in place of both the median and the quartiles. If there
/// is no room for it there either, it is left out.
fn draw_one(
    editor: &Editor,
    (metric, bands, (change, is_real)): (DungeonMetric, &[(i32, Band)], (String, bool)),
    ranged: &SliderRange,
    track: &impl Fn(Rect) -> Rect,
    area: Rect,
    buf: &mut Buffer,
) {
    if area.is_empty() {
        return;
    }
    let theme = editor.theme;
    let name = metric.info().name;
    let has_row = area.height > 2;
    let at = Band::at(bands, f64::from(ranged.now));
    let description = at.map_or_else(
        || vec![Span::styled("…", theme.quiet())],
        |band| {
            let number = |number: f64| sheet::number(metric, number);
            let Band { low, median, high } = band;
            let around = if metric.info().is_truth {
                Interval { low, high }.percent()
            } else {
                format!("{} to {}", number(low), number(high))
            };
            let (median, around) = (number(median), format!("  {around}"));
            let beside = [(median.as_str(), format!("  {change}")), ("", change.clone())];
            let fits = |(median, change): &(&str, String)| {
                name.width() + 1 + median.width() + change.width() <= usize::from(area.width)
            };
            let beside = beside.into_iter().find(fits).filter(|_| is_real && !has_row);
            let (median, rest) = beside.unwrap_or((median.as_str(), around));
            vec![
                Span::styled(median.to_owned(), theme.text()),
                Span::styled(rest, theme.quiet()),
            ]
        },
    );
    let line = table::row(area.width, [], Span::raw(name), description);
    buf.set_line(area.x, area.y, &line, area.width);
    let mut below = Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    };
    if has_row && !change.is_empty() {
        buf.set_stringn(below.x, below.y, change, below.width.into(), theme.quiet());
        below = Rect {
            y: below.y + 1,
            height: below.height - 1,
            ..below
        };
    }
    let track = track(below);
    let plot = Plot {
        bands,
        range: (ranged.least, ranged.most),
        now: ranged.now,
    };
    plot.draw(
        theme,
        Rect {
            x: track.x,
            width: track.width,
            ..below
        },
        buf,
    );
}

//! The remedies sheet: lists the flaws that a design's dungeons have over many seeds, and the changes (remedies) that
//! reduce the selected flaw, with measurements before and after. A flaw is an anomaly, a failed expectation, or a path
//! that is too direct.
//!
//! The unchanged design is grown from all seeds first. For the selected flaw, every catalogued remedy is tried with the
//! first [`FIRST`] seeds, and the best remedies are then measured with all seeds. Only remedies with a significant
//! effect are offered; all other remedies are listed as ineffective.

mod draw;

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crossterm::event::MouseEvent;
use ratatui::layout::Rect;

use self::draw::RemedyAreas;
pub(super) use self::draw::draw;
use super::sheet;
use super::{
    TuneSheet, TuneState, TuningClient, cancel_trials, keep, look, see_the_map, seeds, show, try_out, why_unavailable,
};
use crate::analysis::tune::{self, Flaw, FlawAmount, RemedyEffect as Gain, TrialTable, Variant};
use crate::analysis::{MetricParts, expectations};
use crate::background::{JobError, TrialReply, TrialRequest};
use crate::design::Design;
use crate::design::expect::Expectation;
use crate::tui::commands::TuneCommand;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::form::ring;
use crate::tui::widget::list::{ListClick, ListState};
use crate::tui::widget::mouse::click;

/// Number of seeds over which flaws and remedies are measured, before [`seeds`] reduces it for large dungeons.
const SEEDS: usize = 100;
/// Number of seeds in the first round, in which every remedy is tried.
const FIRST: usize = 24;

/// Maximum number of remedies that are measured over all seeds.
const FINALISTS: usize = 8;

/// The stage of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RemedyStage {
    /// Growing the unchanged design.
    Before,
    /// Trying every remedy for the selected flaw.
    Trying,
    /// Measuring the best remedies.
    Measuring,
    /// Nothing left to do for the selected flaw.
    Done,
    /// The measurement failed.
    Failed,
}

/// A variant tried against a flaw.
#[derive(Debug, Clone)]
struct Remedy {
    variant: Variant,
    name: String,
    after: TrialTable,
    /// The measured effect; `None` until the first batch is evaluated.
    gain: Option<Gain>,
    /// Number of expectations that hold without the remedy and fail with it, over the seeds measured so far.
    broken: usize,
}

/// The remedies tried against a flaw.
#[derive(Debug, Clone, Default)]
struct TriedRemedies {
    remedies: Vec<Remedy>,
    /// Whether the measurement of these remedies is complete.
    is_over: bool,
}

/// State of the remedies sheet.
#[derive(Debug)]
pub(super) struct RemediesState {
    base: Arc<Design>,
    /// Whether a level file of the design has changed since the measurement was started.
    is_outdated: bool,
    texts: Vec<String>,
    expectations: Vec<Expectation>,
    before: TrialTable,
    stage: RemedyStage,
    flaws: Vec<(Flaw, FlawAmount, Option<TriedRemedies>)>,
    /// Index of the selected flaw.
    flaw: usize,
    /// The list of remedies that reduce the selected flaw.
    list: ListState,
    /// The indexes of the remedies being tried, the range of seeds to try them with, and the number of dungeons
    /// measured so far.
    batch: Vec<usize>,
    seeds: Range<usize>,
    done: usize,
}

impl RemediesState {
    fn new(base: Arc<Design>) -> Self {
        let known = expectations(&base);
        let texts = known.iter().map(|(i, _)| base.expect.that[*i].clone()).collect();
        let expectations: Vec<Expectation> = known.into_iter().map(|(_, expectation)| expectation).collect();
        let count = seeds(&base, SEEDS);
        Self {
            before: TrialTable::new(Flaw::metrics(&expectations), count),
            base,
            is_outdated: false,
            texts,
            expectations,
            stage: RemedyStage::Before,
            flaws: Vec::new(),
            flaw: 0,
            list: ListState::default(),
            batch: Vec::new(),
            seeds: 0..count,
            done: 0,
        }
    }

    /// Requests a new measurement, because a level file of the design has changed.
    pub(super) const fn mark_outdated(&mut self) {
        self.is_outdated = true;
    }

    fn tried(&self) -> Option<&TriedRemedies> {
        self.flaws.get(self.flaw)?.2.as_ref()
    }

    /// Returns the remedies that reduce the selected flaw, and those that do not. The first list is sorted by the
    /// number of expectations that a remedy breaks, then by [`Self::better`]; the second by gain, the largest first.
    fn sorted(&self) -> (Vec<&Remedy>, Vec<&Remedy>) {
        let Some(tried) = self.tried() else {
            return (Vec::new(), Vec::new());
        };
        let measured = tried.remedies.iter().filter(|remedy| remedy.gain.is_some());
        let helps = |remedy: &&Remedy| remedy.gain.is_some_and(|gain| gain.helps());
        let (mut good, mut vain): (Vec<_>, Vec<_>) = measured.partition(helps);
        let gain = |remedy: &Remedy| remedy.gain.map_or(0.0, |gain| gain.gain());
        good.sort_by(|a, b| a.broken.cmp(&b.broken).then_with(|| self.better(a, b)));
        vain.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        (good, vain)
    }

    /// Orders remedies: the smaller share of dungeons with the flaw first. On a tie, remedies that lower the share come
    /// first, sorted by the size of their change, the smallest first. Remedies that only make the flaw milder follow,
    /// sorted by gain, the largest first.
    fn better(&self, a: &Remedy, b: &Remedy) -> Ordering {
        let (Some(one), Some(other)) = (a.gain, b.gain) else {
            return Ordering::Equal;
        };
        let lowers = |effect: Gain| effect.after.count < effect.before.count;
        let by_size = || a.variant.size(&self.base).total_cmp(&b.variant.size(&self.base));
        let by_gain = || other.gain().total_cmp(&one.gain());
        // Remedies that did not become finalists are measured over fewer dungeons, so the counts cannot be compared.
        let by_share = one.after.share().total_cmp(&other.after.share());
        by_share.then_with(|| lowers(other).cmp(&lowers(one))).then_with(|| {
            if lowers(one) {
                by_size().then_with(by_gain)
            } else {
                by_gain().then_with(by_size)
            }
        })
    }

    /// Evaluates the last batch like [`Self::evaluate`]. If the user has selected a remedy, it stays selected at its new
    /// place in the list.
    fn evaluate_and_sort(&mut self) -> bool {
        let chosen = self.chosen().map(|remedy| remedy.variant.clone());
        let more = self.evaluate();
        let (good, _) = self.sorted();
        if let Some(to) = good.iter().position(|remedy| Some(&remedy.variant) == chosen.as_ref()) {
            self.list.follow_row(to);
        }
        more
    }

    fn chosen(&self) -> Option<&Remedy> {
        let (good, _) = self.sorted();
        good.get(self.list.selected(good.len())).copied()
    }

    /// Returns the trial request of the current stage.
    fn trials(&mut self, editor: &Editor) -> TrialRequest {
        let seeded = editor.document.seeded();
        let variants = if self.stage == RemedyStage::Before {
            vec![seeded]
        } else {
            let remedies = self.tried().map_or(&[][..], |tried| &tried.remedies);
            let varied = |at: &usize| seeded.varied(remedies[*at].variant.of(&self.base));
            self.batch.iter().map(varied).collect()
        };
        self.done = 0;
        let seeds = self.seeds.clone().map(|seed| seed as u64).collect();
        let anomalies = match self.flaws.get(self.flaw) {
            Some((flaw, ..)) if self.stage != RemedyStage::Before => flaw.parts(),
            _ => MetricParts::ANOMALIES,
        };
        TrialRequest::all(variants, seeds, self.before.metrics.clone(), editor.options).with_parts(anomalies)
    }

    /// Starts trying remedies for the selected flaw, unless all have been tried already. Returns whether there are
    /// remedies to try.
    fn begin_flaw(&mut self, editor: &Editor) -> bool {
        let Some((flaw, _, tried)) = self.flaws.get_mut(self.flaw) else {
            self.stage = RemedyStage::Done;
            return false;
        };
        if tried.as_ref().is_some_and(|tried| tried.is_over) {
            self.stage = RemedyStage::Done;
            return false;
        }
        let variants = tune::remedies(*flaw, &self.base, editor.options, &self.before, &self.expectations);
        let rows = self.before.rows.len();
        let remedies: Vec<Remedy> = variants
            .into_iter()
            .filter(|variant| variant.of(&self.base).validate(None).design.is_some())
            .map(|variant| Remedy {
                name: variant.name(&self.base),
                after: TrialTable::new(self.before.metrics.clone(), rows),
                gain: None,
                broken: 0,
                variant,
            })
            .collect();
        self.batch = (0..remedies.len()).collect();
        *tried = Some(TriedRemedies {
            is_over: remedies.is_empty(),
            remedies,
        });
        self.seeds = 0..FIRST.min(rows);
        self.stage = if self.batch.is_empty() {
            RemedyStage::Done
        } else {
            RemedyStage::Trying
        };
        !self.batch.is_empty()
    }

    /// Evaluates the last batch and prepares the next; returns whether there is a next batch.
    fn evaluate(&mut self) -> bool {
        let Some((flaw, _, Some(tried))) = self.flaws.get_mut(self.flaw) else {
            return false;
        };
        let until = self.seeds.end;
        let upto = |readings: &TrialTable| TrialTable {
            metrics: readings.metrics.clone(),
            rows: readings.rows[..until].to_vec(),
        };
        let before = upto(&self.before);
        let met = met(&before, &self.expectations);
        // The correction for multiple tests counts every remedy that was tried, including those dropped after the first
        // seeds.
        let after: Vec<TrialTable> = tried.remedies.iter().map(|remedy| upto(&remedy.after)).collect();
        let effects = Gain::all(*flaw, &before, &after.iter().collect::<Vec<_>>(), &self.expectations);
        for &at in &self.batch {
            let remedy = &mut tried.remedies[at];
            remedy.gain = Some(effects[at]);
            let still = self::met(&after[at], &self.expectations);
            remedy.broken = met.iter().zip(still).filter(|(met, still)| **met && !still).count();
        }
        let rest = until..self.before.rows.len();
        if self.stage == RemedyStage::Measuring || rest.is_empty() {
            tried.is_over = true;
            self.stage = RemedyStage::Done;
            return false;
        }
        let gain = |at: &usize| tried.remedies[*at].gain.map_or(0.0, |gain| gain.gain());
        let broken = |at: &usize| tried.remedies[*at].broken;
        self.batch
            .sort_by(|a, b| broken(a).cmp(&broken(b)).then(gain(b).total_cmp(&gain(a))));
        // Remedies without any gain are not measured further.
        self.batch.retain(|at| gain(at) > 0.0);
        self.batch.truncate(FINALISTS);
        self.seeds = rest;
        tried.is_over = self.batch.is_empty();
        self.stage = if tried.is_over {
            RemedyStage::Done
        } else {
            RemedyStage::Measuring
        };
        !tried.is_over
    }
}

/// Returns whether the measured dungeons meet each expectation, in the order of `expectations`. An expectation counts
/// as met even if more seeds would be needed for a significant result.
fn met(readings: &TrialTable, expectations: &[Expectation]) -> Vec<bool> {
    let sample = readings.sample(expectations);
    expectations.iter().map(|one| sample.verdict(one).holds).collect()
}

/// Opens the remedies sheet for the current design.
pub(super) fn open(tune: &mut TuneState, editor: &mut Editor) {
    if let Some(why) = why_unavailable(editor) {
        editor.warn(why);
        return;
    }
    super::close(tune, editor);
    let mut state = RemediesState::new(editor.document.shared());
    let trials = state.trials(editor);
    show(tune, editor, TuneSheet::Remedies(Box::new(state)));
    try_out(tune, editor, TuningClient::Remedies, trials);
}

/// Restarts the measurement if the design was edited or one of its level files has changed. Does nothing while the
/// design's vaults are being resolved.
pub(super) fn frame(tune: &mut TuneState, editor: &mut Editor) {
    let Some(TuneSheet::Remedies(state)) = &tune.sheet else {
        return;
    };
    let is_same = Arc::ptr_eq(&state.base, &editor.document.shared()) || *state.base == *editor.document.design();
    if is_same && !state.is_outdated || editor.document.is_resolving() {
        return;
    }
    if tune.looking.take().is_some() {
        editor.regrow();
    }
    let (focus, tucked) = (editor.focus, tune.tucked);
    cancel_trials(tune, TuningClient::Remedies);
    tune.sheet = None;
    open(tune, editor);
    (editor.focus, tune.tucked) = (focus, tucked);
}

/// Returns the state of the sheet, if it is open.
fn state(tune: &mut TuneState) -> Option<&mut RemediesState> {
    match &mut tune.sheet {
        Some(TuneSheet::Remedies(state)) => Some(state),
        _ => None,
    }
}

/// Requests the trials of the current stage.
fn go_on(tune: &mut TuneState, editor: &mut Editor) {
    let trials = state(tune).map(|state| state.trials(editor));
    if let Some(trials) = trials {
        try_out(tune, editor, TuningClient::Remedies, trials);
    }
}

/// Handles a reply of the tuner.
pub(super) fn handle_reply(tune: &mut TuneState, editor: &mut Editor, reply: Result<TrialReply, JobError>) {
    let more = state(tune).map(|state| match reply {
        Ok(TrialReply::Outcomes(outcomes)) => {
            for tried in outcomes {
                let seed = state.seeds.start + tried.seed;
                state.done += 1;
                let readings = if state.stage == RemedyStage::Before {
                    &mut state.before
                } else {
                    let at = state.batch.get(tried.variant).copied();
                    let of_flaw = state.flaws.get_mut(state.flaw).and_then(|(_, _, tried)| tried.as_mut());
                    let Some((at, of_flaw)) = at.zip(of_flaw) else { continue };
                    &mut of_flaw.remedies[at].after
                };
                readings.rows[seed] = tried.reading;
            }
            false
        }
        Err(_) => {
            state.stage = RemedyStage::Failed;
            false
        }
        Ok(TrialReply::Done) if state.stage == RemedyStage::Before => {
            let found = tune::flaws(&state.before, &state.expectations);
            state.flaws = found
                .into_iter()
                .map(|(flaw, measured)| (flaw, measured, None))
                .collect();
            state.begin_flaw(editor)
        }
        Ok(TrialReply::Done) => state.evaluate_and_sort(),
    });
    if more == Some(true) {
        go_on(tune, editor);
    }
    follow(tune, editor);
}

/// Runs a command on the sheet.
pub(super) fn update(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    let Some(TuneSheet::Remedies(state)) = &mut tune.sheet else {
        return;
    };
    match command {
        TuneCommand::Select(step) => {
            let [text, _] = sheet::parts(editor, Context::Remedies, editor.areas.panel);
            state.list.step(step, RemedyAreas::of(state, text).remedies);
            follow(tune, editor);
        }
        TuneCommand::Flaw(by) => {
            if state.stage == RemedyStage::Before || state.flaws.len() < 2 {
                return;
            }
            let to = ring(state.flaw, by, state.flaws.len());
            choose_flaw(tune, editor, to);
        }
        TuneCommand::Look => {
            if tune.looking.is_some() {
                return look(tune, editor, None);
            }
            let chosen = state.chosen().map(|remedy| remedy.variant.clone());
            if chosen.is_none() {
                editor.warn("there is no remedy to show");
                return;
            }
            look(tune, editor, chosen);
            see_the_map(editor);
        }
        TuneCommand::Accept => {
            let Some(chosen) = state.chosen() else {
                editor.warn("there is no remedy to apply");
                return;
            };
            let (name, variant) = (format!("remedy: {}", chosen.name), chosen.variant.clone());
            keep(tune, editor, name, &variant);
        }
        _ => {}
    }
}

/// Previews the selected remedy if a variant is being previewed.
fn follow(tune: &mut TuneState, editor: &mut Editor) {
    if tune.looking.is_none() {
        return;
    }
    let chosen = match &tune.sheet {
        Some(TuneSheet::Remedies(state)) => state.chosen().map(|remedy| remedy.variant.clone()),
        _ => None,
    };
    look(tune, editor, chosen);
}

fn choose_flaw(tune: &mut TuneState, editor: &mut Editor, to: usize) {
    cancel_trials(tune, TuningClient::Remedies);
    let more = state(tune).map(|state| {
        (state.flaw, state.list) = (to, ListState::default());
        state.begin_flaw(editor)
    });
    if more == Some(true) {
        go_on(tune, editor);
    }
    follow(tune, editor);
}

/// Handles the mouse: a click selects a flaw or a remedy, a click on the selected remedy applies it.
pub(super) fn mouse(tune: &mut TuneState, editor: &mut Editor, area: Rect, mouse: MouseEvent) {
    let [text, _] = sheet::parts(editor, Context::Remedies, area);
    let Some(TuneSheet::Remedies(state)) = &mut tune.sheet else {
        return;
    };
    let places = RemedyAreas::of(state, text);
    if let Some(flaw) = click(mouse).and_then(|at| places.flaws.row_at(at)) {
        if flaw != state.flaw {
            choose_flaw(tune, editor, flaw);
        }
        return;
    }
    match state.list.mouse(mouse, places.remedies, |_| false) {
        Some(ListClick::Accepted) => update(tune, editor, TuneCommand::Accept),
        Some(ListClick::Selected) => follow(tune, editor),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tune::{TrialMetrics, VariantChange};
    use crate::analysis::{MetricValue, PairedChange};
    use crate::design::expect::{DungeonMetric, Metric};
    use crate::design::{CrawlerStart, Entry, OuterWall};
    use crate::document::Document;
    use crate::geometry::{Point, Size};
    use crate::tui::fixture::TestApp;

    /// Returns a table for the dungeons of the state's design, all with the same two values.
    fn readings(state: &RemediesState, detour: f64, dead_ends: f64) -> TrialTable {
        let mut readings = TrialTable::new(state.before.metrics.clone(), state.before.rows.len());
        let value = |metric: &Metric| {
            MetricValue::Number(match metric {
                Metric::Plain(DungeonMetric::Detour) => Some(detour),
                Metric::Plain(DungeonMetric::DeadEnds) => Some(dead_ends),
                _ => None,
            })
        };
        readings.rows.fill(Some(TrialMetrics {
            values: readings.metrics.iter().map(value).collect(),
            anomalies: Vec::new(),
            corridor: None,
            gap: Vec::new(),
            patterns: Vec::new(),
        }));
        readings
    }

    fn remedy(name: &str, value: i32, after: TrialTable) -> Remedy {
        Remedy {
            variant: Variant {
                changes: vec![VariantChange::Set(
                    Entry::Protuberances,
                    OuterWall::Protuberances.into(),
                    value,
                )],
            },
            name: name.into(),
            after,
            gain: None,
            broken: 0,
        }
    }

    /// Opens a 32 × 32 hall with one Crawler.
    fn test_app() -> TestApp {
        let mut design = Design::default();
        design.layout.size = Size::new(32, 32);
        design.layout.crawlers.push(CrawlerStart {
            at: Point::new(0, 16),
            ..CrawlerStart::default()
        });
        TestApp::with(Document::new(design, None), 110, 40)
    }

    #[test]
    fn the_previewed_remedy_stays_selected_when_the_list_is_sorted_again() {
        let mut designer = test_app();
        let mut sheet = RemediesState::new(designer.app.editor.document.shared());
        sheet.before = readings(&sheet, 1.0, 4.0);
        // The small change helps in the first round, but in no other dungeon.
        let mut small = readings(&sheet, 2.0, 4.0);
        let vain = readings(&sheet, 1.0, 4.0);
        small.rows[FIRST..].clone_from_slice(&vain.rows[FIRST..]);
        let remedies = vec![
            remedy("a small change", 1, small),
            remedy("a large change", 8, readings(&sheet, 2.0, 4.0)),
        ];
        let measured = Flaw::ShortPath.measure(&sheet.before, &sheet.expectations);
        let tried = TriedRemedies {
            remedies,
            is_over: false,
        };
        sheet.flaws = vec![(Flaw::ShortPath, measured, Some(tried))];
        (sheet.stage, sheet.batch, sheet.seeds) = (RemedyStage::Trying, vec![0, 1], 0..FIRST);
        let (tune, editor) = (&mut designer.app.tune, &mut designer.app.editor);
        tune.sheet = Some(TuneSheet::Remedies(Box::new(sheet)));
        let done = |tune: &mut TuneState, editor: &mut Editor| handle_reply(tune, editor, Ok(TrialReply::Done));
        let chosen = |tune: &mut TuneState| state(tune).unwrap().chosen().unwrap().clone();
        done(tune, editor);
        assert_eq!(state(tune).unwrap().stage, RemedyStage::Measuring);
        let before = chosen(tune);
        assert_eq!(before.name, "a small change");
        state(tune).unwrap().list.select_row(0);
        tune.looking = Some(before.variant.clone());
        done(tune, editor);
        assert_eq!(state(tune).unwrap().stage, RemedyStage::Done);
        let names: Vec<&str> = state(tune)
            .unwrap()
            .sorted()
            .0
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names, ["a large change", "a small change"]);
        assert_eq!(chosen(tune).variant, before.variant);
        assert_eq!(tune.looking, Some(before.variant));
    }

    #[test]
    fn remedies_measured_over_different_numbers_of_dungeons_are_compared_by_shares() {
        let state = RemediesState::new(Arc::default());
        let amount = |count: usize, dungeons: usize| FlawAmount {
            count,
            dungeons,
            weight: 0.0,
        };
        let measured = |before: usize, after: usize, dungeons: usize| Remedy {
            gain: Some(Gain {
                before: amount(before, dungeons),
                after: amount(after, dungeons),
                change: PairedChange::default(),
            }),
            ..remedy("", 1, TrialTable::new(Vec::new(), 0))
        };
        let (finalist, dropped) = (measured(83, 10, 100), measured(20, 4, 24));
        assert_eq!(state.better(&finalist, &dropped), Ordering::Less);
        assert_eq!(state.better(&dropped, &finalist), Ordering::Greater);
    }

    #[test]
    fn a_failed_measurement_is_not_reported_as_a_design_without_flaws() {
        let mut designer = test_app();
        designer.grow();
        designer.keys("N");
        let error = JobError::NoThread("no threads left".into());
        handle_reply(&mut designer.app.tune, &mut designer.app.editor, Err(error));
        let text = designer.text();
        assert!(text.contains("the measurement failed"), "{text}");
        assert!(
            !text.contains("no flaws") && !text.contains("Nothing is enclosed"),
            "{text}"
        );
    }

    #[test]
    fn remedies_that_break_an_expectation_come_last() {
        let mut design = Design::default();
        design.expect.that = vec!["dead-ends <= 10".into()];
        let mut state = RemediesState::new(Arc::new(design));
        let readings = |detour: f64, dead_ends: f64| readings(&state, detour, dead_ends);
        let remedies = vec![
            remedy("a large change", 8, readings(2.0, 4.0)),
            remedy("much, and breaks it", 1, readings(5.0, 11.0)),
            remedy("a small change, a little", 1, readings(1.5, 4.0)),
            remedy("a small change, more", 1, readings(2.0, 4.0)),
        ];
        let before = readings(1.0, 4.0);
        let measured = Flaw::ShortPath.measure(&before, &state.expectations);
        (state.before, state.stage) = (before, RemedyStage::Measuring);
        state.batch = (0..4).collect();
        let tried = TriedRemedies {
            remedies,
            is_over: false,
        };
        state.flaws = vec![(Flaw::ShortPath, measured, Some(tried))];
        assert!(!state.evaluate());
        let names: Vec<&str> = state.sorted().0.iter().map(|remedy| remedy.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "a small change, more",
                "a small change, a little",
                "a large change",
                "much, and breaks it"
            ]
        );
    }
}

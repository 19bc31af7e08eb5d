//! The sheet for learning from examples. Learning is a search for a character (a design's parameters without its
//! layout) whose dungeons resemble the examples.
//!
//! The tuner grows and measures the examples first; a drawing is measured without growth. Then the search begins. It
//! proposes one batch of candidates after another; this module requests the measurement of each batch from the tuner
//! and reports the results to the search. Pausing discards only the results of the unfinished batch.

mod draw;
#[cfg(test)]
mod stories;

use std::sync::Arc;

use crossterm::event::MouseEvent;

pub(super) use self::draw::draw;
use super::{
    TuneSheet, TuneState, TuningClient, cancel_trials, keep, look, see_the_map, sheet, show, try_out, why_unavailable,
};
use crate::analysis::MetricParts;
use crate::analysis::tune::{
    CANDIDATES, FIRST_GENERATIONS, LEARNT_METRICS, LearnPhase, LearnRequest, Learning, LearntMetric, TrialMetrics,
    TrialTable, Variant, movable, pattern_accuracy, scaled, starting_from,
};
use crate::background::{JobError, TrialReply, TrialRequest};
use crate::design::Design;
use crate::design::expect::Metric;
use crate::document::{Document, SeededDesign};
use crate::presets::Preset;
use crate::tui::commands::TuneCommand;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::list::{ListState, VisibleRows};

/// Number of seeds from which a design is grown when it is the example.
const SEEDS: u64 = 50;

/// Message if the search failed.
const FAILED: &str = "the search failed";

/// The examples to learn from: the dungeons that a design grows from a list of seeds.
#[derive(Debug, Clone)]
pub(in crate::tui) struct LearnExamples {
    /// The label of the examples: `4 marked dungeons`, `crypt.png`.
    name: String,
    seeded: SeededDesign,
    seeds: Vec<u64>,
    is_drawing: bool,
}

impl LearnExamples {
    /// Uses the dungeons that a design grows from these seeds as examples.
    pub(in crate::tui) fn of_seeds(name: String, seeded: SeededDesign, seeds: Vec<u64>) -> Self {
        Self {
            name,
            seeded,
            seeds,
            is_drawing: false,
        }
    }

    /// Uses the dungeons that a design grows from the first [`SEEDS`] seeds as examples.
    pub(in crate::tui) fn of_design(document: &Document) -> Self {
        Self::of_seeds(document.title(), document.seeded(), (0..SEEDS).collect())
    }

    /// Uses an imported drawing as the example: its Crawlers are removed, so that nothing grows in it.
    pub(in crate::tui) fn of_drawing(name: String, document: &Document) -> Self {
        let seeded = document.seeded();
        let mut design = Design::clone(seeded.design());
        design.layout.crawlers.clear();
        Self {
            name,
            seeded: seeded.varied(design),
            seeds: vec![0],
            is_drawing: true,
        }
    }

    /// If the example is a drawing of the layout's size, gives it the layout's entrance and exit.
    fn for_layout(mut self, layout: &Design) -> Self {
        if self.is_drawing && self.seeded.design().layout.size == layout.layout.size {
            let mut design = Design::clone(self.seeded.design());
            (design.expect.entrance, design.expect.exit) = (layout.expect.entrance, layout.expect.exit);
            self.seeded = self.seeded.varied(design);
        }
        self
    }
}

/// State of the sheet.
#[derive(Debug)]
pub(super) struct LearnState {
    /// The design whose layout the learnt character is applied to.
    base: Arc<Design>,
    examples: LearnExamples,
    /// The search; `None` until the examples are measured.
    learning: Option<Learning>,
    /// Metrics of the examples, scaled to the layout's size.
    rows: Vec<TrialMetrics>,
    /// The results of the requested variants, and the number of dungeons measured so far.
    readings: Vec<TrialTable>,
    done: usize,
    /// Share of dungeons that a classifier, which sees only their patterns, correctly assigns to the examples or to the
    /// learnt dungeons; `None` until the end, or if there are too few examples.
    accuracy: Option<f64>,
    /// The list of changed parameters.
    list: ListState,
    paused: bool,
    /// Whether the search failed and cannot continue.
    broken: bool,
}

impl LearnState {
    /// Returns the best character so far as a variant of the design; `None` if there is none, or if the unchanged
    /// design is the best.
    fn learnt(&self) -> Option<Variant> {
        let learnt = self.learning.as_ref()?.learnt();
        (!learnt.changes.is_empty()).then_some(learnt)
    }

    /// Returns how well the learnt character matches the examples in each metric; empty until the search is over.
    fn metrics(&self) -> Vec<LearntMetric> {
        self.learning.as_ref().map_or_else(Vec::new, Learning::metrics)
    }

    fn changes(&self) -> usize {
        self.learnt().map_or(0, |learnt| learnt.changes.len())
    }
}

fn metrics() -> Vec<Metric> {
    LEARNT_METRICS.map(Metric::Plain).to_vec()
}

/// Opens the sheet and requests the measurement of the examples.
pub(in crate::tui) fn open(tune: &mut TuneState, editor: &mut Editor, examples: LearnExamples) {
    if let Some(why) = why_unavailable(editor) {
        editor.warn(why);
        return;
    }
    super::close(tune, editor);
    let base = editor.document.shared();
    let examples = examples.for_layout(&base);
    let trials = TrialRequest::all(
        vec![examples.seeded.clone()],
        examples.seeds.clone(),
        metrics(),
        editor.options,
    );
    let state = LearnState {
        base,
        readings: vec![TrialTable::new(metrics(), examples.seeds.len())],
        examples,
        learning: None,
        rows: Vec::new(),
        done: 0,
        accuracy: None,
        list: ListState::default(),
        paused: false,
        broken: false,
    };
    show(tune, editor, TuneSheet::Learning(Box::new(state)));
    try_out(
        tune,
        editor,
        TuningClient::Learning,
        trials.with_parts(MetricParts::PATTERNS),
    );
}

fn state(tune: &mut TuneState) -> Option<&mut LearnState> {
    match &mut tune.sheet {
        Some(TuneSheet::Learning(state)) => Some(state),
        _ => None,
    }
}

/// Ends the search if the design was edited.
pub(super) fn frame(tune: &mut TuneState, editor: &mut Editor) {
    let design = editor.document.shared();
    let Some(state) = state(tune) else { return };
    if Arc::ptr_eq(&state.base, &design) || *state.base == *design {
        return;
    }
    super::close(tune, editor);
    editor.warn("the design was edited: learning cancelled");
}

/// Begins the search with the measured examples.
fn begin(state: &mut LearnState, editor: &mut Editor) {
    let measured = std::mem::take(&mut state.readings).into_iter();
    let from = state.examples.seeded.design().layout.size;
    let to = state.base.layout.size;
    let measured = measured.flat_map(|table| table.rows.into_iter().flatten());
    state.rows = measured.map(|row| scaled(row, &metrics(), from, to)).collect();
    if state.rows.is_empty() {
        state.broken = true;
        editor.fail("no dungeon can be grown from the example");
        return;
    }
    let mut designs: Vec<Design> = Preset::all().iter().map(Preset::design).collect();
    if !state.examples.is_drawing {
        designs.insert(0, Design::clone(state.examples.seeded.design()));
    }
    let drawn = movable(&state.base, editor.options, |generation| generation < FIRST_GENERATIONS);
    let (moves, starts) = starting_from(&drawn, &designs);
    let request = LearnRequest {
        moves,
        drawn,
        starts,
        metrics: metrics(),
        examples: state.rows.clone(),
        candidates: CANDIDATES,
        chance: state.base.seed,
    };
    state.learning = Some(Learning::new(&state.base, request));
}

/// Requests the variants that the search needs next.
fn go_on(tune: &mut TuneState, editor: &mut Editor) {
    let (seeded, options) = (editor.document.seeded(), editor.options);
    let Some(state) = state(tune).filter(|state| !state.paused && !state.broken) else {
        return;
    };
    let Some(learning) = &mut state.learning else { return };
    let asked = learning.ask();
    if asked.is_empty() {
        return;
    }
    let seeds: Vec<u64> = learning.seeds().collect();
    state.readings = vec![TrialTable::new(metrics(), seeds.len()); asked.len()];
    state.done = 0;
    let variants = asked.iter().map(|variant| seeded.varied(variant.of(&state.base)));
    let trials = TrialRequest::all(variants.collect(), seeds, metrics(), options);
    try_out(
        tune,
        editor,
        TuningClient::Learning,
        trials.with_parts(MetricParts::PATTERNS),
    );
}

/// Handles a reply of the tuner.
pub(super) fn handle_reply(tune: &mut TuneState, editor: &mut Editor, reply: Result<TrialReply, JobError>) {
    let Some(state) = state(tune) else { return };
    match reply {
        Ok(TrialReply::Outcomes(outcomes)) => {
            for tried in outcomes {
                state.done += 1;
                if let Some(readings) = state.readings.get_mut(tried.variant) {
                    readings.rows[tried.seed] = tried.reading;
                }
            }
        }
        Err(_) => state.broken = true,
        Ok(TrialReply::Done) => {
            let before = state.learnt();
            match &mut state.learning {
                None => begin(state, editor),
                Some(learning) => {
                    learning.report(&std::mem::take(&mut state.readings));
                    state.accuracy = learning.verified().and_then(|table| {
                        let rows: Vec<TrialMetrics> = table.rows.iter().flatten().cloned().collect();
                        pattern_accuracy([&state.rows, &rows])
                    });
                }
            }
            let is_new = state.learnt() != before;
            go_on(tune, editor);
            if is_new && tune.looking.is_some() {
                look_at_learnt(tune, editor);
            }
        }
    }
}

/// Returns the visible rows of the sheet's list.
fn visible(tune: &TuneState, editor: &Editor) -> Option<VisibleRows> {
    let Some(TuneSheet::Learning(state)) = &tune.sheet else {
        return None;
    };
    let [text, _] = sheet::parts(editor, Context::Learning, editor.areas.panel);
    Some(draw::visible(state, text))
}

/// Runs a command on the sheet.
pub(super) fn update(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    let Some((visible, state)) = visible(tune, editor).zip(state(tune)) else {
        return;
    };
    let learnt = state.learnt();
    match command {
        TuneCommand::Select(step) => state.list.step(step, visible),
        TuneCommand::Accept => {
            let name = format!("learnt from {}", state.examples.name);
            match learnt {
                Some(learnt) => keep(tune, editor, name, &learnt),
                None if state.learning.is_some() => editor.warn("so far the design itself is closest to the examples"),
                None => editor.warn("no result yet"),
            }
        }
        TuneCommand::Look if learnt.is_none() => editor.warn("no result to show"),
        TuneCommand::Look => {
            let shown = learnt.filter(|_| tune.looking.is_none());
            let is_shown = shown.is_some();
            look(tune, editor, shown);
            if is_shown {
                see_the_map(editor);
            }
        }
        TuneCommand::Pause | TuneCommand::Finish => steer(tune, editor, command),
        _ => {}
    }
}

/// Shows the best character so far on the map.
fn look_at_learnt(tune: &mut TuneState, editor: &mut Editor) {
    let learnt = state(tune).and_then(|state| state.learnt());
    look(tune, editor, learnt);
}

/// Pauses or resumes the search, or ends it and measures the best characters over fresh seeds.
fn steer(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    let Some(state) = state(tune) else { return };
    if state.broken {
        editor.warn(FAILED);
        return;
    }
    let Some(learning) = &mut state.learning else {
        editor.warn("the examples are still being measured");
        return;
    };
    if learning.phase() == LearnPhase::Done {
        editor.done("the search has finished");
        return;
    }
    if command == TuneCommand::Finish {
        if learning.phase() != LearnPhase::Searching && !state.paused {
            editor.done("the best candidates are already being measured");
            return;
        }
        if !learning.finish() {
            editor.warn("no result yet");
            return;
        }
        state.paused = false;
    } else {
        state.paused = !state.paused;
    }
    cancel_trials(tune, TuningClient::Learning);
    go_on(tune, editor);
}

/// Scrolls the list of changed parameters with the mouse.
pub(super) fn mouse(tune: &mut TuneState, editor: &Editor, mouse: MouseEvent) {
    let Some((visible, state)) = visible(tune, editor).zip(state(tune)) else {
        return;
    };
    state.list.mouse(mouse, visible, |_| false);
}

//! The sheet of the parameter search. Before a search, it lists the expectations and the parameters that may change.
//! During the search, it shows the progress and the candidates; at the end, it shows the verification of the best
//! candidate over seeds that the search did not use.
//!
//! The search proposes one batch of candidates after another; this module requests the dungeons of each batch from the
//! tuner and reports the results to the search. Pausing discards only the results of the unfinished batch.

mod bounds;
mod draw;

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};

use self::bounds::bounds;
pub(super) use self::draw::draw;
use super::{
    TuneSheet, TuneState, TuningClient, cancel_trials, keep, look, see_the_map, sheet, show, try_out, why_unavailable,
};
use crate::analysis::expectations;
use crate::analysis::tune::{TrialTable, TunedParameter, Tuning, TuningCandidate, TuningPhase, movable};
use crate::background::{JobError, TrialReply, TrialRequest};
use crate::design::expect::{self, Expectation};
use crate::design::{Design, Entry};
use crate::recording::Recording;
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::list::{ListClick, ListState, VisibleRows};
use crate::tui::widget::prompt::{PasteCut, TextField, TextKind};

/// Selectable numbers of seeds from which each candidate is grown.
const SEEDS: [u64; 4] = [16, 32, 64, 128];

/// By default, the search may change the parameters of a generation that laid more than 1/`FEW` of all tiles.
const FEW: u64 = 50;

/// What the open text field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypedField {
    /// The bounds of the parameter at this index of `moves`.
    Bounds(usize),
    /// A new expectation.
    Expectation,
}

/// An expectation and whether it counts in the search.
#[derive(Debug, Clone)]
struct TuningGoal {
    text: String,
    expectation: Expectation,
    counts: bool,
}

/// A search in progress or finished.
#[derive(Debug)]
struct RunningSearch {
    base: Arc<Design>,
    tuning: Tuning,
    /// The texts of the expectations that count.
    texts: Vec<String>,
    /// The results of the requested variants, and the number of dungeons measured so far.
    readings: Vec<TrialTable>,
    done: usize,
    /// The candidates that were the best when found, the latest first; the unchanged design is not among them.
    found: Vec<TuningCandidate>,
    list: ListState,
    paused: bool,
    /// Whether the search failed and cannot continue.
    broken: bool,
}

impl RunningSearch {
    /// Returns the selected candidate.
    fn candidate(&self) -> Option<&TuningCandidate> {
        self.found.get(self.list.selected(self.found.len()))
    }
}

/// State of the search sheet.
#[derive(Debug)]
pub(super) struct TuningState {
    /// The design whose expectations and parameters are listed.
    base: Arc<Design>,
    requests: Vec<TuningGoal>,
    moves: Vec<(TunedParameter, bool)>,
    /// Index into [`SEEDS`].
    seeds: usize,
    /// State of the list of expectations and, below them, parameters.
    list: ListState,
    typing: Option<(TypedField, TextField)>,
    search: Option<Box<RunningSearch>>,
}

impl TuningState {
    fn new(editor: &Editor) -> Self {
        let base = editor.document.shared();
        let design = &*base;
        let requests = expectations(design).into_iter().map(|(i, expectation)| TuningGoal {
            text: design.expect.that[i].clone(),
            expectation,
            counts: true,
        });
        let used = used(editor);
        let is_used = |entry: Entry| match entry {
            Entry::Generation(generation) => used.contains(&generation),
            _ => false,
        };
        let moves = movable(design, editor.options, |_| true);
        Self {
            requests: requests.collect(),
            // A parameter whose value is 0 is switched off. By default, the search leaves it off.
            moves: moves
                .into_iter()
                .map(|one| {
                    (
                        one,
                        is_used(one.entry) && design.get(one.entry, one.parameter) != Some(0),
                    )
                })
                .collect(),
            seeds: usize::from(design.layout.size.squares() <= 40_000),
            list: ListState::default(),
            typing: None,
            search: None,
            base,
        }
    }

    /// Returns the state for the edited design, without a search. Keeps what the user chose, added or is typing, where
    /// it still applies.
    fn renewed(&mut self, editor: &Editor) -> Self {
        let mut fresh = Self::new(editor);
        for goal in &mut fresh.requests {
            if let Some(known) = self.requests.iter().find(|known| known.text == goal.text) {
                goal.counts = known.counts;
            }
        }
        // Expectations that the user added on the sheet are in neither the old nor the new design, and are kept.
        // Expectations that were removed from the design are not kept.
        let added = self.requests.iter().filter(|goal| {
            !self.base.expect.that.contains(&goal.text)
                && !fresh.base.expect.that.contains(&goal.text)
                && expect::problems(&goal.text, &fresh.base).is_empty()
        });
        fresh.requests.extend(added.cloned());
        for (one, on) in &mut fresh.moves {
            let Some((known, was_on)) = self.move_of(one).map(|at| self.moves[at]) else {
                continue;
            };
            *on = was_on;
            let is_typed = TunedParameter::around(&self.base, known.entry, known.parameter) != Some(known);
            let now = fresh.base.get(known.entry, known.parameter);
            if is_typed && now.is_some_and(|now| (known.least..=known.most).contains(&now)) {
                *one = known;
            }
        }
        fresh.seeds = self.seeds;
        fresh.list = self.list;
        if let Some(row) = self.list.selected_by_user().and_then(|row| self.row_in(&fresh, row)) {
            fresh.list.select_row(row);
        }
        fresh.typing = self.typing.take().and_then(|(typed, typing)| match typed {
            TypedField::Bounds(at) => {
                let at = fresh.move_of(&self.moves[at].0)?;
                Some((TypedField::Bounds(at), typing))
            }
            TypedField::Expectation => Some((typed, typing)),
        });
        fresh
    }

    /// Returns the row in the list of `other` that has the same expectation or parameter as the row `row` of this list.
    fn row_in(&self, other: &Self, row: usize) -> Option<usize> {
        if let Some(goal) = self.requests.get(row) {
            return other.requests.iter().position(|one| one.text == goal.text);
        }
        let (one, _) = self.moves.get(row - self.requests.len())?;
        Some(other.requests.len() + other.move_of(one)?)
    }

    /// Returns the index of a parameter in `moves`, whatever its bounds are.
    fn move_of(&self, wanted: &TunedParameter) -> Option<usize> {
        let is_same =
            |(one, _): &(TunedParameter, bool)| (one.entry, one.parameter) == (wanted.entry, wanted.parameter);
        self.moves.iter().position(is_same)
    }

    /// Returns whether a value is being typed.
    pub(super) const fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Passes a key to the text field; returns whether a text field is open.
    pub(super) fn press(&mut self, key: &KeyEvent) -> bool {
        let Some((_, typing)) = &mut self.typing else {
            return false;
        };
        typing.press(key);
        true
    }

    /// Passes pasted text to the text field.
    pub(super) fn paste(&mut self, text: &str) -> Option<PasteCut> {
        let (_, typing) = self.typing.as_mut()?;
        typing.paste(text)
    }

    /// Returns the list shown: the candidates during a search, otherwise the expectations and parameters.
    fn list(&mut self) -> &mut ListState {
        match &mut self.search {
            Some(search) => &mut search.list,
            None => &mut self.list,
        }
    }

    fn lines(&self) -> usize {
        self.requests.len() + self.moves.len()
    }

    /// Returns the index of the parameter on the selected line; `None` if the line shows an expectation.
    fn move_at(&self) -> Option<usize> {
        let at = self.list.selected(self.lines()).checked_sub(self.requests.len())?;
        (at < self.moves.len()).then_some(at)
    }
}

/// Returns the generations that laid a notable share of the tiles of the dungeon on the screen (see [`FEW`]);
/// generations 0 and 1 if no generation did, or if nothing has grown.
fn used(editor: &Editor) -> Vec<usize> {
    let Some(stats) = editor.time.recording().map(Recording::stats) else {
        return vec![0, 1];
    };
    let mut tiles = [0_u64; crate::design::GENERATIONS];
    for bin in 0..stats.bins().len() {
        for (generation, count) in stats.tiles(bin) {
            if let Some(tiles) = tiles.get_mut(*generation as usize) {
                *tiles += *count;
            }
        }
    }
    let all: u64 = tiles.iter().sum();
    let used: Vec<usize> = (0..tiles.len()).filter(|i| tiles[*i] * FEW > all).collect();
    if used.is_empty() { vec![0, 1] } else { used }
}

/// Opens the search sheet for the current design.
pub(super) fn open(tune: &mut TuneState, editor: &mut Editor) {
    if let Some(why) = why_unavailable(editor) {
        editor.warn(why);
        return;
    }
    super::close(tune, editor);
    let state = TuningState::new(editor);
    show(tune, editor, TuneSheet::Tuning(Box::new(state)));
}

fn state(tune: &mut TuneState) -> Option<&mut TuningState> {
    match &mut tune.sheet {
        Some(TuneSheet::Tuning(state)) => Some(state),
        _ => None,
    }
}

/// Follows an edit of the design: lists its expectations and parameters, and ends the search.
pub(super) fn frame(tune: &mut TuneState, editor: &mut Editor) {
    let design = editor.document.shared();
    if state(tune).is_none_or(|state| Arc::ptr_eq(&state.base, &design) || *state.base == *design) {
        return;
    }
    if cancel(tune, editor) {
        editor.warn("the design was edited: search cancelled");
    }
    if let Some(state) = state(tune) {
        *state = state.renewed(editor);
    }
}

/// Ends the search and its preview. Returns false if there is no search.
pub(super) fn cancel(tune: &mut TuneState, editor: &mut Editor) -> bool {
    if state(tune).and_then(|state| state.search.take()).is_none() {
        return false;
    }
    cancel_trials(tune, TuningClient::Tuning);
    tune.looking = None;
    editor.regrow();
    true
}

/// Requests the variants that the search needs next.
fn go_on(tune: &mut TuneState, editor: &mut Editor) {
    let (seeded, options) = (editor.document.seeded(), editor.options);
    let Some(search) = state(tune).and_then(|state| state.search.as_mut()) else {
        return;
    };
    if search.paused || search.broken {
        return;
    }
    let asked = search.tuning.ask();
    if asked.is_empty() {
        return;
    }
    let (metrics, seeds) = (search.tuning.metrics(), search.tuning.seeds());
    let count = (seeds.end - seeds.start) as usize;
    search.readings = vec![TrialTable::new(metrics.clone(), count); asked.len()];
    search.done = 0;
    let variants = asked.iter().map(|variant| seeded.varied(variant.of(&search.base)));
    let trials = TrialRequest::all(variants.collect(), seeds.collect(), metrics, options);
    try_out(tune, editor, TuningClient::Tuning, trials);
}

/// Handles a reply of the tuner.
pub(super) fn handle_reply(tune: &mut TuneState, editor: &mut Editor, reply: Result<TrialReply, JobError>) {
    let Some(search) = state(tune).and_then(|state| state.search.as_mut()) else {
        return;
    };
    match reply {
        Ok(TrialReply::Outcomes(outcomes)) => {
            for tried in outcomes {
                search.done += 1;
                if let Some(readings) = search.readings.get_mut(tried.variant) {
                    readings.rows[tried.seed] = tried.reading;
                }
            }
        }
        Err(_) => {
            search.broken = true;
        }
        Ok(TrialReply::Done) => {
            let readings = std::mem::take(&mut search.readings);
            let phase = search.tuning.phase();
            search.tuning.report(&readings);
            let best = search.tuning.best().filter(|best| best.moved > 0);
            let is_new = best.is_some_and(|best| search.found.first() != Some(best));
            if let Some(best) = best.filter(|_| is_new).cloned() {
                if phase == TuningPhase::Pruning && !search.found.is_empty() {
                    // Pruning yields the same candidate, but with fewer changed parameters.
                    search.found[0] = best;
                } else {
                    // A candidate selected by the user stays selected.
                    let selected = search.list.selected(search.found.len());
                    if selected > 0 {
                        search.list.follow_row(selected + 1);
                    }
                    search.found.insert(0, best);
                }
            }
            go_on(tune, editor);
            if is_new {
                follow(tune, editor);
            }
        }
    }
}

/// Returns the visible rows of the sheet's list.
pub(super) fn visible(tune: &TuneState, editor: &Editor) -> Option<VisibleRows> {
    let Some(TuneSheet::Tuning(state)) = &tune.sheet else {
        return None;
    };
    let [text, _] = sheet::parts(editor, Context::Tuning, editor.areas.panel);
    Some(draw::visible(state, text))
}

/// Runs a command on the sheet.
pub(super) fn update(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    let Some((visible, state)) = visible(tune, editor).zip(state(tune)) else {
        return;
    };
    match command {
        TuneCommand::Take => accept_typed(tune, editor),
        TuneCommand::Leave => {
            state.typing = None;
            editor.status.notice = None;
        }
        TuneCommand::Select(step) => {
            state.list().step(step, visible);
            follow(tune, editor);
        }
        TuneCommand::Accept if state.search.is_none() => begin(tune, editor),
        TuneCommand::Accept => keep_selected(tune, editor),
        TuneCommand::Look => toggle_look(tune, editor),
        TuneCommand::Pause | TuneCommand::Finish => steer(tune, editor, command),
        TuneCommand::Again => {
            state.search = None;
            cancel_trials(tune, TuningClient::Tuning);
            look(tune, editor, None);
        }
        _ if state.search.is_some() => {
            let again = key(editor, TuneCommand::Again);
            editor.warn(format!(
                "possible only before the search: {again} discards the search and returns to the parameters"
            ));
        }
        TuneCommand::Toggle => {
            let lines = state.lines();
            if let Some(at) = state.move_at() {
                state.moves[at].1 = !state.moves[at].1;
            } else if let Some(request) = state.requests.get_mut(state.list.selected(lines)) {
                request.counts = !request.counts;
            }
        }
        TuneCommand::All => {
            let on = !state.moves.iter().all(|(_, on)| *on);
            state.moves.iter_mut().for_each(|(_, moves)| *moves = on);
        }
        TuneCommand::Seeds => state.seeds = (state.seeds + 1) % SEEDS.len(),
        TuneCommand::Bounds => {
            let Some(at) = state.move_at() else {
                editor.warn("select a parameter to set its bounds");
                return;
            };
            let (one, _) = state.moves[at];
            let typing = TextField::new(TextKind::Line, format!("{}-{}", one.least, one.most));
            state.typing = Some((TypedField::Bounds(at), typing));
        }
        TuneCommand::Expect => state.typing = Some((TypedField::Expectation, TextField::new(TextKind::Line, ""))),
        _ => {}
    }
}

/// Applies the typed value, or reports why it is invalid and keeps the text field open.
fn accept_typed(tune: &mut TuneState, editor: &mut Editor) {
    let design = editor.document.shared();
    let Some(state) = state(tune) else { return };
    let Some((typed, typing)) = &state.typing else {
        return;
    };
    let text = typing.text().trim().to_owned();
    let taken = match *typed {
        TypedField::Bounds(at) => bounds(&text, state.moves[at].0, &design).map(|one| state.moves[at] = (one, true)),
        TypedField::Expectation => match expect::problems(&text, &design).first() {
            Some(problem) if problem.help.is_empty() => Err(problem.message.clone()),
            Some(problem) => Err(format!("{}; {}", problem.message, problem.help)),
            None => expect::parse(&text)
                .map_err(|problem| problem.message)
                .map(|expectation| {
                    let at = state.requests.len();
                    state.requests.push(TuningGoal {
                        text,
                        expectation,
                        counts: true,
                    });
                    state.list.select_row(at);
                }),
        },
    };
    match taken {
        Ok(()) => {
            state.typing = None;
            editor.status.notice = None;
        }
        Err(why) => editor.fail(why),
    }
}

/// Returns the key of a command on the sheet.
fn key(editor: &Editor, command: TuneCommand) -> String {
    editor.keymap.key_in(Context::Tuning, Action::Tune(command))
}

/// Starts the search.
fn begin(tune: &mut TuneState, editor: &mut Editor) {
    let base = editor.document.shared();
    let Some(state) = state(tune) else { return };
    let requests: Vec<TuningGoal> = state
        .requests
        .iter()
        .filter(|request| request.counts)
        .cloned()
        .collect();
    let moves: Vec<TunedParameter> = state.moves.iter().filter(|(_, on)| *on).map(|(one, _)| *one).collect();
    if requests.is_empty() {
        let add = key(editor, TuneCommand::Expect);
        editor.warn(format!(
            "no expectation is switched on: {add} adds one, such as path >= 180 in 95%"
        ));
        return;
    }
    if moves.is_empty() {
        let [toggle, all] = [TuneCommand::Toggle, TuneCommand::All].map(|command| key(editor, command));
        editor.warn(format!(
            "every parameter is fixed: press {toggle} to let the selected one change, or {all} to let all change"
        ));
        return;
    }
    let (texts, expectations) = requests
        .into_iter()
        .map(|request| (request.text, request.expectation))
        .unzip();
    // The search is seeded with the design's own seed, so that repeating the search gives the same result.
    let tuning = Tuning::new(&base, moves, expectations, SEEDS[state.seeds], base.seed);
    state.search = Some(Box::new(RunningSearch {
        base,
        tuning,
        texts,
        readings: Vec::new(),
        done: 0,
        found: Vec::new(),
        list: ListState::default(),
        paused: false,
        broken: false,
    }));
    go_on(tune, editor);
}

/// Pauses or resumes the search, or ends it and verifies the best candidate.
fn steer(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    let Some(search) = state(tune).and_then(|state| state.search.as_mut()) else {
        let start = key(editor, TuneCommand::Accept);
        editor.warn(format!("no search is running: {start} starts one"));
        return;
    };
    if search.tuning.phase() == TuningPhase::Done {
        editor.done("the search has finished");
        return;
    }
    if command == TuneCommand::Finish {
        if search.tuning.best().is_none() {
            editor.warn("no result yet");
            return;
        }
        let is_verifying = search.tuning.phase() == TuningPhase::Verifying && !search.paused && !search.broken;
        search.paused = false;
        search.tuning.finish();
        if is_verifying {
            editor.done("the best candidate is already being verified");
            return;
        }
    } else {
        search.paused = !search.paused;
    }
    cancel_trials(tune, TuningClient::Tuning);
    go_on(tune, editor);
}

/// Returns the search and its selected candidate.
fn selected(tune: &TuneState) -> Option<(&RunningSearch, &TuningCandidate)> {
    let Some(TuneSheet::Tuning(state)) = &tune.sheet else {
        return None;
    };
    let search = state.search.as_deref()?;
    Some((search, search.candidate()?))
}

fn keep_selected(tune: &mut TuneState, editor: &mut Editor) {
    let Some((search, candidate)) = selected(tune) else {
        editor.warn("no result to apply");
        return;
    };
    let variant = search.tuning.variant(&candidate.values);
    let name = match candidate.moved {
        1 => format!("tuned: {}", variant.name(&search.base)),
        count => format!("tuned: {count} parameters"),
    };
    keep(tune, editor, name, &variant);
}

fn toggle_look(tune: &mut TuneState, editor: &mut Editor) {
    if tune.looking.is_some() {
        return look(tune, editor, None);
    }
    let variant = selected(tune).map(|(search, candidate)| search.tuning.variant(&candidate.values));
    if variant.is_none() {
        editor.warn("no result to show");
        return;
    }
    look(tune, editor, variant);
    see_the_map(editor);
}

/// If a preview is on the screen, replaces it with a preview of the selected candidate.
fn follow(tune: &mut TuneState, editor: &mut Editor) {
    if tune.looking.is_none() {
        return;
    }
    let variant = selected(tune).map(|(search, candidate)| search.tuning.variant(&candidate.values));
    look(tune, editor, variant);
}

/// Handles the mouse: a click on the selected line toggles the line or, during a search, applies the candidate.
pub(super) fn mouse(tune: &mut TuneState, editor: &mut Editor, mouse: MouseEvent) {
    let Some((visible, state)) = visible(tune, editor).zip(state(tune).filter(|state| !state.is_typing())) else {
        return;
    };
    let is_searching = state.search.is_some();
    match state.list().mouse(mouse, visible, |_| false) {
        Some(ListClick::Accepted) if is_searching => update(tune, editor, TuneCommand::Accept),
        Some(ListClick::Accepted) => update(tune, editor, TuneCommand::Toggle),
        Some(ListClick::Selected) => follow(tune, editor),
        None => {}
    }
}

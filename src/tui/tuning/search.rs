//! The sheet of the parameter search: expectations and movable parameters first, then progress, candidates, and their
//! verification over seeds that the search did not use.
//!
//! The search itself is pure and advances here, one generation at a time; the tuner grows the dungeons that it
//! requests. Pausing just stops sending requests, so nothing is lost.

mod bounds;
mod draw;

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::layout::{Position, Rect};

use self::bounds::bounds;
pub(super) use self::draw::draw;
use super::keys::TuneCommand;
use super::{TuneSheet, TuningClient, give_up, keep, look, refused, see_the_map, sheet, show, try_out};
use crate::analysis::expectations;
use crate::analysis::tune::{TrialTable, TunedParameter, Tuning, TuningCandidate, TuningPhase, movable};
use crate::background::{JobError, TrialReply, TrialRequest};
use crate::design::expect::{self, Expectation};
use crate::design::{Design, Entry};
use crate::recording::Recording;
use crate::tui::app::{App, Effect, NoticeLevel};
use crate::tui::keys::Context;
use crate::tui::text_field::{TextField, TextKind};

/// Selectable numbers of seeds from which each candidate is grown.
const SEEDS: [u64; 4] = [16, 32, 64, 128];

/// A generation's parameters are movable by default if it laid more than one in this many tiles.
const FEW: u64 = 50;

/// The value being typed.
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
    /// The candidates, each better than those found before it, the best first; the unchanged design is not among them.
    found: Vec<TuningCandidate>,
    selected: usize,
    paused: bool,
    /// Whether the search failed and cannot continue.
    broken: bool,
}

/// State of the search sheet.
#[derive(Debug)]
pub(super) struct TuningState {
    wishes: Vec<TuningGoal>,
    moves: Vec<(TunedParameter, bool)>,
    /// Index into [`SEEDS`].
    seeds: usize,
    /// The selected line: the expectations come first, then the parameters.
    selected: usize,
    typing: Option<(TypedField, TextField)>,
    search: Option<Box<RunningSearch>>,
}

impl TuningState {
    fn new(app: &App) -> Self {
        let design = app.editor.document.design();
        let wishes = expectations(design).into_iter().map(|(i, expectation)| TuningGoal {
            text: design.expect.that[i].clone(),
            expectation,
            counts: true,
        });
        let used = used(app);
        let is_used = |entry: Entry| match entry {
            Entry::Generation(generation) => used.contains(&generation),
            _ => false,
        };
        let moves = movable(design, app.editor.options, |_| true);
        Self {
            wishes: wishes.collect(),
            // Parameters that are switched off by the value 0 do not move by default.
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
            selected: 0,
            typing: None,
            search: None,
        }
    }

    /// Returns whether a value is being typed.
    pub(super) const fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Passes a key to the text field; returns whether there is one.
    pub(super) fn press(&mut self, key: &KeyEvent) -> bool {
        let Some((_, typing)) = &mut self.typing else {
            return false;
        };
        typing.press(key);
        true
    }

    /// Passes pasted text to the text field.
    pub(super) fn paste(&mut self, text: &str) {
        if let Some((_, typing)) = &mut self.typing {
            typing.paste(text);
        }
    }

    fn lines(&self) -> usize {
        self.wishes.len() + self.moves.len()
    }

    /// Returns the index of the parameter on the selected line; `None` on an expectation.
    fn move_at(&self) -> Option<usize> {
        let at = self.selected.checked_sub(self.wishes.len())?;
        (at < self.moves.len()).then_some(at)
    }
}

/// Returns the generations that laid a notable share of the tiles of the dungeon on the screen (see [`FEW`]); the first
/// two if there are none or nothing has grown.
fn used(app: &App) -> Vec<usize> {
    let Some(census) = app.editor.time.recording().map(Recording::census) else {
        return vec![0, 1];
    };
    let mut tiles = [0_u64; crate::design::GENERATIONS];
    for bin in 0..census.bins().len() {
        for (generation, count) in census.tiles(bin) {
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
pub(super) fn open(app: &mut App) -> Vec<Effect> {
    if let Some(why) = refused(app) {
        app.editor.say(NoticeLevel::Warning, why);
        return Vec::new();
    }
    let effects = super::close(app);
    let state = TuningState::new(app);
    show(app, TuneSheet::Tuning(Box::new(state)));
    effects
}

fn state(app: &mut App) -> Option<&mut TuningState> {
    match &mut app.tune.sheet {
        Some(TuneSheet::Tuning(state)) => Some(state),
        _ => None,
    }
}

/// Ends and resets the search if the design was edited.
pub(super) fn frame(app: &mut App) -> Vec<Effect> {
    let design = app.editor.document.shared();
    let Some(state) = state(app) else { return Vec::new() };
    let Some(search) = &state.search else {
        return Vec::new();
    };
    if Arc::ptr_eq(&search.base, &design) || *search.base == *design {
        return Vec::new();
    }
    let mut effects = give_up(app, TuningClient::Tuning);
    app.tune.looking = None;
    app.tune.sheet = None;
    let fresh = TuningState::new(app);
    app.tune.sheet = Some(TuneSheet::Tuning(Box::new(fresh)));
    app.editor
        .say(NoticeLevel::Warning, "the design was edited: the search is void");
    effects.extend(app.editor.regrow());
    effects
}

/// Requests the variants that the search needs next.
fn go_on(app: &mut App) -> Vec<Effect> {
    let (prospect, options) = (app.editor.document.prospect(), app.editor.options);
    let Some(search) = state(app).and_then(|state| state.search.as_mut()) else {
        return Vec::new();
    };
    if search.paused || search.broken {
        return Vec::new();
    }
    let asked = search.tuning.ask();
    if asked.is_empty() {
        return Vec::new();
    }
    let (figures, seeds) = (search.tuning.figures(), search.tuning.seeds());
    let count = (seeds.end - seeds.start) as usize;
    search.readings = vec![TrialTable::new(figures.clone(), count); asked.len()];
    search.done = 0;
    let variants = asked.iter().map(|variant| prospect.varied(variant.of(&search.base)));
    let trials = TrialRequest::all(variants.collect(), seeds.collect(), figures, options);
    try_out(app, TuningClient::Tuning, trials)
}

/// Handles a reply of the tuner.
pub(super) fn handle_reply(app: &mut App, reply: Result<TrialReply, JobError>) -> Vec<Effect> {
    let Some(search) = state(app).and_then(|state| state.search.as_mut()) else {
        return Vec::new();
    };
    match reply {
        Ok(TrialReply::Outcomes(outcomes)) => {
            for tried in outcomes {
                search.done += 1;
                if let Some(readings) = search.readings.get_mut(tried.variant) {
                    readings.rows[tried.seed] = tried.reading;
                }
            }
            Vec::new()
        }
        Err(_) => {
            search.broken = true;
            Vec::new()
        }
        Ok(TrialReply::Done) => {
            let readings = std::mem::take(&mut search.readings);
            let phase = search.tuning.phase();
            search.tuning.tell(&readings);
            let best = search.tuning.best().filter(|best| best.moved > 0);
            let is_new = best.is_some_and(|best| search.found.first() != Some(best));
            if let Some(best) = best.filter(|_| is_new).cloned() {
                if phase == TuningPhase::Pruning && !search.found.is_empty() {
                    // Pruning yields the same candidate with fewer parameters moved.
                    search.found[0] = best;
                } else {
                    // A candidate selected by the user stays selected.
                    search.selected += usize::from(search.selected > 0);
                    search.found.insert(0, best);
                }
            }
            let mut effects = go_on(app);
            if is_new {
                effects.extend(follow(app));
            }
            effects
        }
    }
}

/// Runs a command of the sheet.
pub(super) fn update(app: &mut App, command: TuneCommand) -> Vec<Effect> {
    let Some(state) = state(app) else { return Vec::new() };
    match command {
        TuneCommand::Take => return take(app),
        TuneCommand::Leave => {
            state.typing = None;
            app.editor.notice = None;
        }
        TuneCommand::Select(by) => {
            let lines = state.lines();
            let (selected, count) = if let Some(search) = &mut state.search {
                (&mut search.selected, search.found.len())
            } else {
                (&mut state.selected, lines)
            };
            *selected = selected.saturating_add_signed(by as isize).min(count.saturating_sub(1));
            return follow(app);
        }
        TuneCommand::Accept if state.search.is_none() => return begin(app),
        TuneCommand::Accept => return keep_selected(app),
        TuneCommand::Look => return toggle_look(app),
        TuneCommand::Pause | TuneCommand::Finish => return steer(app, command),
        TuneCommand::Again => {
            state.search = None;
            let mut effects = give_up(app, TuningClient::Tuning);
            effects.extend(look(app, None));
            return effects;
        }
        _ if state.search.is_some() => {
            app.editor.say(
                NoticeLevel::Warning,
                "the search is under way; r throws it away and goes back to what may move",
            );
        }
        TuneCommand::Toggle => {
            if let Some(at) = state.move_at() {
                state.moves[at].1 = !state.moves[at].1;
            } else if let Some(wish) = state.wishes.get_mut(state.selected) {
                wish.counts = !wish.counts;
            }
        }
        TuneCommand::All => {
            let on = !state.moves.iter().all(|(_, on)| *on);
            state.moves.iter_mut().for_each(|(_, moves)| *moves = on);
        }
        TuneCommand::Seeds => state.seeds = (state.seeds + 1) % SEEDS.len(),
        TuneCommand::Bounds => {
            let Some(at) = state.move_at() else {
                app.editor.say(
                    NoticeLevel::Warning,
                    "select a parameter: bounds are those of a parameter",
                );
                return Vec::new();
            };
            let (one, _) = state.moves[at];
            let typing = TextField::new(TextKind::Line, format!("{}-{}", one.least, one.most));
            state.typing = Some((TypedField::Bounds(at), typing));
        }
        TuneCommand::Expect => state.typing = Some((TypedField::Expectation, TextField::new(TextKind::Line, ""))),
        _ => {}
    }
    Vec::new()
}

/// Applies the typed value, or reports why it is invalid and keeps the text field open.
fn take(app: &mut App) -> Vec<Effect> {
    let design = app.editor.document.shared();
    let Some(state) = state(app) else { return Vec::new() };
    let Some((typed, typing)) = &state.typing else {
        return Vec::new();
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
                    let at = state.wishes.len();
                    state.wishes.push(TuningGoal {
                        text,
                        expectation,
                        counts: true,
                    });
                    state.selected = at;
                }),
        },
    };
    match taken {
        Ok(()) => {
            state.typing = None;
            app.editor.notice = None;
        }
        Err(why) => app.editor.say(NoticeLevel::Error, why),
    }
    Vec::new()
}

/// Starts the search.
fn begin(app: &mut App) -> Vec<Effect> {
    let base = app.editor.document.shared();
    let Some(state) = state(app) else { return Vec::new() };
    let wishes: Vec<TuningGoal> = state.wishes.iter().filter(|wish| wish.counts).cloned().collect();
    let moves: Vec<TunedParameter> = state.moves.iter().filter(|(_, on)| *on).map(|(one, _)| *one).collect();
    if wishes.is_empty() {
        app.editor.say(
            NoticeLevel::Warning,
            "nothing is expected: e types an expectation, such as path >= 180 in 95 %",
        );
        return Vec::new();
    }
    if moves.is_empty() {
        app.editor.say(
            NoticeLevel::Warning,
            "no parameter may move: x lets the selected one, a all of them",
        );
        return Vec::new();
    }
    let (texts, expectations) = wishes.into_iter().map(|wish| (wish.text, wish.expectation)).unzip();
    // The design's own seed drives the search, so that repeating it gives the same result.
    let tuning = Tuning::new(&base, moves, expectations, SEEDS[state.seeds], base.seed);
    state.search = Some(Box::new(RunningSearch {
        base,
        tuning,
        texts,
        readings: Vec::new(),
        done: 0,
        found: Vec::new(),
        selected: 0,
        paused: false,
        broken: false,
    }));
    go_on(app)
}

/// Pauses or resumes the search, or ends it and verifies the best candidate.
fn steer(app: &mut App, command: TuneCommand) -> Vec<Effect> {
    let Some(search) = state(app).and_then(|state| state.search.as_mut()) else {
        app.editor
            .say(NoticeLevel::Warning, "no search is under way: Enter begins one");
        return Vec::new();
    };
    if search.tuning.phase() == TuningPhase::Done {
        app.editor.say(NoticeLevel::Done, "the search is over");
        return Vec::new();
    }
    if command == TuneCommand::Finish {
        if search.tuning.best().is_none() {
            app.editor.say(NoticeLevel::Warning, "nothing is known yet");
            return Vec::new();
        }
        search.paused = false;
        search.tuning.finish();
    } else {
        search.paused = !search.paused;
    }
    let mut effects = give_up(app, TuningClient::Tuning);
    effects.extend(go_on(app));
    effects
}

/// Returns the search and its selected candidate.
fn selected(app: &App) -> Option<(&RunningSearch, &TuningCandidate)> {
    let Some(TuneSheet::Tuning(state)) = &app.tune.sheet else {
        return None;
    };
    let search = state.search.as_deref()?;
    Some((search, search.found.get(search.selected)?))
}

fn keep_selected(app: &mut App) -> Vec<Effect> {
    let Some((search, candidate)) = selected(app) else {
        app.editor
            .say(NoticeLevel::Warning, "nothing has been found that could be kept");
        return Vec::new();
    };
    let variant = search.tuning.variant(&candidate.values);
    let name = match candidate.moved {
        1 => format!("tuned: {}", variant.name(&search.base)),
        count => format!("tuned: {count} parameters"),
    };
    keep(app, name, &variant)
}

fn toggle_look(app: &mut App) -> Vec<Effect> {
    if app.tune.looking.is_some() {
        return look(app, None);
    }
    let variant = selected(app).map(|(search, candidate)| search.tuning.variant(&candidate.values));
    if variant.is_none() {
        app.editor
            .say(NoticeLevel::Warning, "nothing has been found that could be looked at");
        return Vec::new();
    }
    let mut effects = look(app, variant);
    effects.extend(see_the_map(app));
    effects
}

/// Previews the selected candidate if a variant is being previewed.
fn follow(app: &mut App) -> Vec<Effect> {
    if app.tune.looking.is_none() {
        return Vec::new();
    }
    let variant = selected(app).map(|(search, candidate)| search.tuning.variant(&candidate.values));
    look(app, variant)
}

/// Selects the clicked line; a click on the selected line toggles it, or keeps the candidate.
pub(super) fn click(app: &mut App, area: Rect, at: Position) -> Vec<Effect> {
    let [text, _] = sheet::parts(app, Context::Tuning, area);
    let Some(state) = state(app) else { return Vec::new() };
    if state.is_typing() {
        return Vec::new();
    }
    let Some(line) = draw::line_at(state, text, at) else {
        return Vec::new();
    };
    let again = match &mut state.search {
        Some(search) => std::mem::replace(&mut search.selected, line) == line,
        None => std::mem::replace(&mut state.selected, line) == line,
    };
    let is_searching = state.search.is_some();
    match (again, is_searching) {
        (true, true) => update(app, TuneCommand::Accept),
        (true, false) => update(app, TuneCommand::Toggle),
        (false, _) => follow(app),
    }
}

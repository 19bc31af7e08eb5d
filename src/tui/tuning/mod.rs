//! Design tuning: curves of metrics over a parameter's range, remedies for flaws (such as anomalies), a search for
//! parameters that meet the expectations, and a search for parameter values with which the design's dungeons resemble
//! examples.
//!
//! All four features grow variants of the design in the background, from the same seeds, with one shared tuner: a new
//! request ends the previous request, and curves wait until the tuner is idle. Remedies and the searches open a *sheet*
//! in place of the panels, so that the map stays visible. A previewed variant is drawn on the map without changing the
//! design; it becomes an edit when the user keeps it.

mod curves;
mod learn;
mod plot;
mod remedies;
mod search;
mod sheet;
#[cfg(test)]
mod stories;

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) use self::curves::{are_shown as curves_are_shown, draw as draw_curves};
pub(super) use self::learn::{LearnExamples, open as learn};
use super::editor::{Editor, Focus, SliderRange};
use super::jobs::JobHandle;
use crate::analysis::tune::Variant;
use crate::background::{JobError, Ticket, TrialReply, TrialRequest};
use crate::design::{Design, ValidDesign};
use crate::tui::commands::{Action, TuneCommand};
use crate::tui::keymap::Context;
use crate::tui::widget::mouse::click;
use crate::tui::widget::prompt::PasteCut;

/// Maximum number of squares of a dungeon that can be tuned; growing a larger dungeon repeatedly takes too long.
const MOST_SQUARES: u64 = 4_000_000;

/// The feature that sent a request to the tuner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TuningClient {
    Curves,
    Remedies,
    Tuning,
    Learning,
}

/// The sheet shown in place of the panels.
#[derive(Debug)]
enum TuneSheet {
    Remedies(Box<remedies::RemediesState>),
    Tuning(Box<search::TuningState>),
    Learning(Box<learn::LearnState>),
}

/// State of the curves, and of the sheet with its request and preview.
#[derive(Debug, Default)]
pub(super) struct TuneState {
    curves: curves::CurvesState,
    sheet: Option<TuneSheet>,
    /// Whether the sheet is hidden behind a panel that the user selected.
    tucked: bool,
    /// The trials in progress, and the feature that requested them.
    request: Option<JobHandle<TuningClient>>,
    /// The variant previewed on the map without being kept.
    looking: Option<Variant>,
    /// The numeric parameter selected in the visible panel; set by the app.
    pub(super) ranged: Option<SliderRange>,
}

impl TuneState {
    /// Returns the state for another design: keeps the settings of the curves and the selected parameter, and resets
    /// everything else.
    pub(super) fn renewed(&self) -> Self {
        Self {
            curves: self.curves.renewed(),
            ranged: self.ranged,
            ..Self::default()
        }
    }

    /// Returns whether a sheet is shown in place of the panels.
    pub(super) const fn has_sheet(&self) -> bool {
        self.sheet.is_some() && !self.tucked
    }

    /// Hides the sheet behind the panels; its work continues.
    pub(super) const fn tuck(&mut self) {
        self.tucked = true;
    }

    /// Returns the key context of the visible sheet; `None` if no sheet is visible.
    pub(super) fn context(&self) -> Option<Context> {
        match self.sheet.as_ref().filter(|_| !self.tucked)? {
            TuneSheet::Remedies(_) => Some(Context::Remedies),
            TuneSheet::Tuning(tuning) if tuning.is_typing() => Some(Context::TuneText),
            TuneSheet::Tuning(_) => Some(Context::Tuning),
            TuneSheet::Learning(_) => Some(Context::Learning),
        }
    }

    /// Records a key press or click, which delays the curves.
    pub(super) const fn note_input(&mut self) {
        self.curves.note_input();
    }
}

/// Sends a request to the tuner; this ends any request in progress.
fn try_out(tune: &mut TuneState, editor: &mut Editor, by: TuningClient, trials: TrialRequest) {
    if by != TuningClient::Curves {
        tune.curves.cancel();
    }
    tune.request = Some(editor.start(trials, by));
}

/// Ends the request in progress if `by` sent it.
fn cancel_trials(tune: &mut TuneState, by: TuningClient) {
    tune.request.take_if(|request| request.purpose == by);
}

/// Handles a reply of the tuner; ignores replies to outdated requests.
pub(super) fn handle_reply(
    tune: &mut TuneState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<TrialReply, JobError>,
) {
    let Some(by) = tune.request.as_ref().filter(|request| request.has(ticket)) else {
        return;
    };
    let by = by.purpose;
    if !matches!(reply, Ok(TrialReply::Outcomes(_))) {
        tune.request = None;
    }
    if let Err(error) = &reply {
        editor.fail(format!("cannot try variants of the design: {error}"));
    }
    match by {
        TuningClient::Curves => curves::handle_reply(tune, reply),
        TuningClient::Remedies => remedies::handle_reply(tune, editor, reply),
        TuningClient::Tuning => search::handle_reply(tune, editor, reply),
        TuningClient::Learning => learn::handle_reply(tune, editor, reply),
    }
}

/// Discards all measurements, because a level file with vaults has changed, which may alter the dungeons: empties the
/// curves, restarts the remedies, and ends a search or learning.
pub(super) fn forget(tune: &mut TuneState, editor: &mut Editor) {
    tune.curves = tune.curves.renewed();
    cancel_trials(tune, TuningClient::Curves);
    let ended = match &mut tune.sheet {
        Some(TuneSheet::Remedies(state)) => {
            state.mark_outdated();
            None
        }
        Some(TuneSheet::Tuning(_)) => search::cancel(tune, editor).then_some("search"),
        Some(TuneSheet::Learning(_)) => {
            close(tune, editor);
            Some("learning")
        }
        None => None,
    };
    // If the footer shows an error, for example about the design's files, this warning does not replace it.
    if let Some(ended) = ended.filter(|_| !editor.has_failed()) {
        editor.warn(format!("a level file was changed on disk: {ended} cancelled"));
    }
}

/// Runs a tuning command.
pub(super) fn update(tune: &mut TuneState, editor: &mut Editor, command: TuneCommand) {
    match command {
        TuneCommand::Curves => return curves::toggle(tune, editor),
        TuneCommand::Metrics(by) => return curves::other_metrics(tune, editor, by),
        TuneCommand::Remedies => {
            let is_there = matches!(tune.sheet, Some(TuneSheet::Remedies(_)));
            return if is_there {
                toggle_sheet(tune, editor);
            } else {
                remedies::open(tune, editor);
            };
        }
        TuneCommand::Tune => {
            let is_there = matches!(tune.sheet, Some(TuneSheet::Tuning(_)));
            return if is_there {
                toggle_sheet(tune, editor);
            } else {
                search::open(tune, editor);
            };
        }
        // If the sheet is not open, the app asks for the examples and then opens the sheet.
        TuneCommand::Learn => {
            if is_learning(tune) {
                toggle_sheet(tune, editor);
            }
            return;
        }
        TuneCommand::Close => return close(tune, editor),
        _ => {}
    }
    match tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::update(tune, editor, command),
        Some(TuneSheet::Tuning(_)) => search::update(tune, editor, command),
        Some(TuneSheet::Learning(_)) => learn::update(tune, editor, command),
        None => {}
    }
}

/// Returns whether the sheet for learning from examples is open.
pub(super) const fn is_learning(tune: &TuneState) -> bool {
    matches!(tune.sheet, Some(TuneSheet::Learning(_)))
}

/// Closes the sheet if it has the focus; otherwise shows it and focuses it.
fn toggle_sheet(tune: &mut TuneState, editor: &mut Editor) {
    if editor.focus == Focus::Panel && tune.has_sheet() {
        return close(tune, editor);
    }
    (tune.tucked, editor.focus) = (false, Focus::Panel);
}

/// Closes the sheet, ends its request and discards what was not kept.
pub(super) fn close(tune: &mut TuneState, editor: &mut Editor) {
    if tune.sheet.take().is_none() {
        return;
    }
    cancel_trials(tune, TuningClient::Remedies);
    cancel_trials(tune, TuningClient::Tuning);
    cancel_trials(tune, TuningClient::Learning);
    look(tune, editor, None);
}

/// Shows a variant on the map; `None` shows the design again.
fn look(tune: &mut TuneState, editor: &mut Editor, variant: Option<Variant>) {
    if tune.looking == variant {
        return;
    }
    tune.looking = variant;
    editor.regrow();
}

/// Applies a variant to the design as one edit, and closes the sheet.
fn keep(tune: &mut TuneState, editor: &mut Editor, name: String, variant: &Variant) {
    tune.looking = None;
    close(tune, editor);
    editor.edit(name, |design| variant.apply(design));
    if !editor.regrows() {
        editor.warn("the design already has these values: nothing was changed");
    }
}

/// Returns the previewed design to grow; `None` if nothing is previewed, or if the previewed design is invalid.
pub(super) fn tuned_design(tune: &TuneState, editor: &Editor) -> Option<ValidDesign> {
    let variant = tune.looking.as_ref()?;
    let valid = editor.document.valid()?;
    // The available memory need not be checked again, because a variant does not change the dungeon's size.
    let varied = variant.of(valid).validate(None).design?;
    Some(varied.with_pieces(valid.pieces().to_vec()))
}

/// Updates the curves and the sheet for the current design; called once per frame.
pub(super) fn frame(tune: &mut TuneState, editor: &mut Editor) {
    curves::frame(tune, editor);
    match tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::frame(tune, editor),
        Some(TuneSheet::Tuning(_)) => search::frame(tune, editor),
        Some(TuneSheet::Learning(_)) => learn::frame(tune, editor),
        None => {}
    }
}

/// Advances the idle time, which may start the measurement of a curve.
pub(super) fn advance(tune: &mut TuneState, editor: &mut Editor, elapsed: Duration) {
    curves::advance(tune, editor, elapsed);
}

/// Returns the time until [`advance`] has something to do.
pub(super) fn next_change(tune: &TuneState, editor: &Editor) -> Option<Duration> {
    curves::next_change(tune, editor)
}

/// Returns whether a sheet or the curves need the whole side column. If so, the views in the side column (Legend,
/// Inspect and so on) are hidden.
pub(super) fn wants_side(tune: &TuneState, editor: &Editor) -> bool {
    editor.focus != Focus::View && (tune.has_sheet() || curves::are_shown(tune))
}

/// Draws the sheet in place of the panel; returns false if no sheet is visible.
pub(super) fn draw(tune: &TuneState, editor: &Editor, area: Rect, buf: &mut Buffer) -> bool {
    match tune.sheet.as_ref().filter(|_| tune.has_sheet()) {
        None => return false,
        Some(TuneSheet::Remedies(state)) => remedies::draw(tune, editor, state, area, buf),
        Some(TuneSheet::Tuning(state)) => search::draw(tune, editor, state, area, buf),
        Some(TuneSheet::Learning(state)) => learn::draw(tune, editor, state, area, buf),
    }
    true
}

/// Passes a key to the sheet's text field. Returns false if the key is bound to an action or no text field is open.
pub(super) fn typed(tune: &mut TuneState, editor: &Editor, key: &KeyEvent) -> bool {
    match &mut tune.sheet {
        Some(TuneSheet::Tuning(state)) if editor.keymap.find(&[Context::TuneText], key).is_none() => state.press(key),
        _ => false,
    }
}

/// Passes pasted text to the sheet's text field.
pub(super) fn paste(tune: &mut TuneState, text: &str) -> Option<PasteCut> {
    match &mut tune.sheet {
        Some(TuneSheet::Tuning(state)) => state.paste(text),
        _ => None,
    }
}

/// Handles the mouse: a click selects a line, a click on the selected line applies or toggles this line (except in the
/// sheet for learning from examples), a button acts like its key, and the wheel moves the selection.
pub(super) fn mouse(tune: &mut TuneState, editor: &mut Editor, mouse: MouseEvent) {
    let area = editor.areas.panel;
    if let Some(at) = click(mouse) {
        editor.focus = Focus::Panel;
        let button = tune
            .context()
            .and_then(|context| sheet::button_at(editor, context, area, at));
        if let Some(action) = button {
            return editor.act(action);
        }
    }
    match tune.sheet.as_ref().filter(|_| tune.has_sheet()) {
        Some(TuneSheet::Remedies(_)) => remedies::mouse(tune, editor, area, mouse),
        Some(TuneSheet::Tuning(_)) => search::mouse(tune, editor, mouse),
        Some(TuneSheet::Learning(_)) => learn::mouse(tune, editor, mouse),
        None => {}
    }
}

/// Returns why the design cannot be tuned; `None` if it can.
fn why_unavailable(editor: &Editor) -> Option<String> {
    let design = editor.document.design();
    if editor.document.valid().is_none() {
        return Some(editor.why_not_grown().into());
    }
    (design.layout.size.squares() > MOST_SQUARES)
        .then(|| "the dungeon is too large to grow repeatedly: it has more than four million squares".into())
}

/// Returns how many seeds to grow a design from: `many` for up to 40,000 squares, half as many for up to 250,000
/// squares, and a quarter for larger designs; at least 8.
fn seeds(design: &Design, many: usize) -> usize {
    let squares = design.layout.size.squares();
    let seeds = match squares {
        0..=40_000 => many,
        40_001..=250_000 => many / 2,
        _ => many / 4,
    };
    seeds.max(8)
}

/// Opens a sheet and focuses it.
fn show(tune: &mut TuneState, editor: &mut Editor, sheet: TuneSheet) {
    tune.sheet = Some(sheet);
    (tune.tucked, editor.focus) = (false, Focus::Panel);
}

/// Focuses the map if the screen is too small to show it beside the sheet.
fn see_the_map(editor: &mut Editor) {
    if editor.areas.map.is_empty() {
        editor.act(Action::FocusMap);
    }
}

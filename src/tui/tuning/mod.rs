//! Design tuning: curves beside parameters, remedies for flaws, and a search for parameters that meet the expectations.
//!
//! All three grow variants of the design in the background, from the same seeds, with one shared tuner: a new request
//! ends the previous one, and curves wait until the tuner is idle. Remedies and the search open a *sheet* in place of
//! the panels, so that the map stays visible. A previewed variant is drawn on the map without changing the design; it
//! becomes an edit when the user keeps it.

mod curves;
mod keys;
mod plot;
mod remedies;
mod search;
mod sheet;
#[cfg(test)]
mod stories;

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub(super) use self::curves::{are_shown as curves_are_shown, draw as draw_curves};
pub(super) use self::keys::{KEYS, TuneCommand};
use super::app::{Action, App, Effect, Focus, NoticeLevel};
use super::jobs::JobHandle;
use super::keys::Context;
use crate::analysis::tune::Variant;
use crate::background::{JobError, Ticket, TrialReply, TrialRequest};
use crate::design::{Design, ValidDesign};

/// Squares above which a dungeon is not tuned, since growing it repeatedly takes too long.
const MOST_SQUARES: u64 = 4_000_000;

/// The feature that sent a request to the tuner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TuningClient {
    Curves,
    Remedies,
    Tuning,
}

/// The sheet shown in place of the panels.
#[derive(Debug)]
enum TuneSheet {
    Remedies(Box<remedies::RemediesState>),
    Tuning(Box<search::TuningState>),
}

/// State of curves, remedies and the search.
#[derive(Debug, Default)]
pub(super) struct TuneState {
    curves: curves::CurvesState,
    sheet: Option<TuneSheet>,
    /// Whether the sheet is hidden behind a panel that the user selected.
    tucked: bool,
    /// The trials in progress, and the feature that asked for them.
    asked: Option<JobHandle<TuningClient>>,
    /// The variant previewed on the map without being kept.
    looking: Option<Variant>,
}

impl TuneState {
    /// Returns the state for another design: curves stay on, everything else is reset.
    pub(super) fn renewed(&self) -> Self {
        Self {
            curves: self.curves.renewed(),
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

    /// Returns the key context of the visible sheet; `None` without one.
    pub(super) fn context(&self) -> Option<Context> {
        match self.sheet.as_ref().filter(|_| !self.tucked)? {
            TuneSheet::Remedies(_) => Some(Context::Remedies),
            TuneSheet::Tuning(tuning) if tuning.is_typing() => Some(Context::TuneText),
            TuneSheet::Tuning(_) => Some(Context::Tuning),
        }
    }

    /// Records a key press or click, which delays the curves.
    pub(super) const fn stir(&mut self) {
        self.curves.stir();
    }
}

/// Sends a request to the tuner, which ends any request in progress.
fn try_out(app: &mut App, by: TuningClient, trials: TrialRequest) -> Vec<Effect> {
    if by != TuningClient::Curves {
        app.tune.curves.give_up();
    }
    app.tune.asked = Some(app.editor.start(trials, by));
    Vec::new()
}

/// Ends the request in progress if `by` sent it.
fn give_up(app: &mut App, by: TuningClient) -> Vec<Effect> {
    app.tune.asked.take_if(|asked| asked.purpose == by);
    Vec::new()
}

/// Handles a reply of the tuner; ignores replies to outdated requests.
pub(super) fn handle_reply(app: &mut App, ticket: &Ticket, reply: Result<TrialReply, JobError>) -> Vec<Effect> {
    let Some(by) = app.tune.asked.as_ref().filter(|asked| asked.has(ticket)) else {
        return Vec::new();
    };
    let by = by.purpose;
    if !matches!(reply, Ok(TrialReply::Outcomes(_))) {
        app.tune.asked = None;
    }
    if let Err(error) = &reply {
        app.editor
            .say(NoticeLevel::Error, format!("trying variants broke off, {error}"));
    }
    match by {
        TuningClient::Curves => {
            curves::handle_reply(app, reply);
            Vec::new()
        }
        TuningClient::Remedies => remedies::handle_reply(app, reply),
        TuningClient::Tuning => search::handle_reply(app, reply),
    }
}

/// Runs a tuning command.
pub(super) fn update(app: &mut App, command: TuneCommand) -> Vec<Effect> {
    match command {
        TuneCommand::Curves => return curves::toggle(app),
        TuneCommand::Figures(by) => return curves::other_figures(app, by),
        TuneCommand::Remedies => {
            let is_there = matches!(app.tune.sheet, Some(TuneSheet::Remedies(_)));
            return if is_there { come_or_go(app) } else { remedies::open(app) };
        }
        TuneCommand::Tune => {
            let is_there = matches!(app.tune.sheet, Some(TuneSheet::Tuning(_)));
            return if is_there { come_or_go(app) } else { search::open(app) };
        }
        TuneCommand::Close => return close(app),
        _ => {}
    }
    match app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::update(app, command),
        Some(TuneSheet::Tuning(_)) => search::update(app, command),
        None => Vec::new(),
    }
}

/// Closes the sheet if it has the focus; otherwise shows it and focuses it.
fn come_or_go(app: &mut App) -> Vec<Effect> {
    if app.editor.focus == Focus::Panel && app.tune.has_sheet() {
        return close(app);
    }
    (app.tune.tucked, app.editor.focus) = (false, Focus::Panel);
    Vec::new()
}

/// Closes the sheet, ends its request and discards what was not kept.
pub(super) fn close(app: &mut App) -> Vec<Effect> {
    if app.tune.sheet.take().is_none() {
        return Vec::new();
    }
    let mut effects = give_up(app, TuningClient::Remedies);
    effects.extend(give_up(app, TuningClient::Tuning));
    effects.extend(look(app, None));
    effects
}

/// Shows a variant on the map, or with `None` the design itself.
fn look(app: &mut App, variant: Option<Variant>) -> Vec<Effect> {
    if app.tune.looking == variant {
        return Vec::new();
    }
    app.tune.looking = variant;
    app.editor.regrow()
}

/// Applies a variant to the design as one edit, and closes the sheet.
fn keep(app: &mut App, name: String, variant: &Variant) -> Vec<Effect> {
    app.tune.looking = None;
    let mut effects = close(app);
    let edited = app.editor.edit(name, |design| variant.apply(design));
    if edited.is_empty() && !app.editor.regrows() {
        app.editor.say(NoticeLevel::Warning, "this changes nothing");
    }
    effects.extend(edited);
    effects
}

/// Returns the previewed design to grow; `None` without a preview, or if it is invalid.
pub(super) fn grown(app: &App) -> Option<ValidDesign> {
    let variant = app.tune.looking.as_ref()?;
    let valid = app.editor.document.valid()?;
    // The size was already accepted, and the resolved vaults are reused below.
    let varied = variant.of(valid).validate(None).design?;
    Some(varied.with_pieces(valid.pieces().to_vec()))
}

/// Updates curves and sheet to the current design; called once per frame.
pub(super) fn frame(app: &mut App) -> Vec<Effect> {
    let mut effects = curves::frame(app);
    effects.extend(match app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::frame(app),
        Some(TuneSheet::Tuning(_)) => search::frame(app),
        None => Vec::new(),
    });
    effects
}

/// Advances time, which may start curves.
pub(super) fn advance(app: &mut App, elapsed: Duration) -> Vec<Effect> {
    curves::advance(app, elapsed)
}

/// Returns the time until [`advance`] has something to do.
pub(super) fn next_change(app: &App) -> Option<Duration> {
    curves::next_change(app)
}

/// Returns whether the whole side column is wanted in place of panel and view.
pub(super) fn wants_side(app: &App) -> bool {
    app.editor.focus != Focus::View && (app.tune.has_sheet() || curves::are_shown(app))
}

/// Draws the sheet in place of the panel; returns false without a visible sheet.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) -> bool {
    match app.tune.sheet.as_ref().filter(|_| app.tune.has_sheet()) {
        None => return false,
        Some(TuneSheet::Remedies(state)) => remedies::draw(app, state, area, buf),
        Some(TuneSheet::Tuning(state)) => search::draw(app, state, area, buf),
    }
    true
}

/// Passes a key to the sheet's text field; `None` if the key is bound or the sheet ignores it.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    if app.editor.keymap.find(&[Context::TuneText], key).is_some() {
        return None;
    }
    match &mut app.tune.sheet {
        Some(TuneSheet::Tuning(state)) => state.press(key).then(Vec::new),
        _ => None,
    }
}

/// Passes pasted text to the sheet's text field.
pub(super) fn paste(app: &mut App, text: &str) {
    if let Some(TuneSheet::Tuning(state)) = &mut app.tune.sheet {
        state.paste(text);
    }
}

/// Handles the mouse: a click selects a line, a click on the selected line acts like Enter (or toggles it), a button
/// acts like its key, and the wheel moves the selection.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::ScrollUp => update(app, TuneCommand::Select(-1)),
        MouseEventKind::ScrollDown => update(app, TuneCommand::Select(1)),
        MouseEventKind::Down(MouseButton::Left) => click(app, Position::new(mouse.column, mouse.row)),
        _ => Vec::new(),
    }
}

fn click(app: &mut App, at: Position) -> Vec<Effect> {
    app.editor.focus = Focus::Panel;
    let area = app.editor.areas.panel;
    let Some(context) = app.tune.context() else {
        return Vec::new();
    };
    if let Some(action) = sheet::button_at(app, context, area, at) {
        return app.update(action);
    }
    match &app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::click(app, area, at),
        Some(TuneSheet::Tuning(_)) => search::click(app, area, at),
        None => Vec::new(),
    }
}

/// Returns why the design cannot be tuned; `None` if it can.
fn refused(app: &App) -> Option<String> {
    let design = app.editor.document.design();
    if app.editor.document.valid().is_none() {
        return Some(app.editor.why_not_grown().into());
    }
    (design.layout.size.squares() > MOST_SQUARES)
        .then(|| "the dungeon is too large to be grown again and again: at most four million squares".into())
}

/// Returns how many seeds to grow a design from: `many` up to 40 000 squares, half of that up to 250 000, else a
/// quarter; at least 8.
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
fn show(app: &mut App, sheet: TuneSheet) {
    app.tune.sheet = Some(sheet);
    (app.tune.tucked, app.editor.focus) = (false, Focus::Panel);
}

/// Focuses the map on screens that show either the map or the sheet.
fn see_the_map(app: &mut App) -> Vec<Effect> {
    if app.editor.areas.map.is_empty() {
        return app.update(Action::FocusMap);
    }
    Vec::new()
}

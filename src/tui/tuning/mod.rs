//! Trying what a design could be: curves beside its parameters, remedies for its flaws, a search for its character.
//!
//! All three grow variants of the design in the background, from the same seeds, by one tuner: what is asked last
//! ends what was asked before, and curves wait until nothing else is to be done. Remedies and the search stand in a
//! *sheet* in the place of the panels, so that the map shows what is looked at. What is looked at is laid over the
//! design like a glass, as a variation is, and becomes an edit when it is kept.

mod curves;
mod keys;
mod plot;
mod remedies;
mod sheet;
#[cfg(test)]
mod stories;
mod tuning;

use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub(super) use self::curves::{draw as draw_curves, part as curves_part};
pub(super) use self::keys::{KEYS, TuneCommand};
use super::app::{Action, App, Effect, Focus, NoticeLevel};
use super::keys::Context;
use crate::analysis::tune::Variant;
use crate::background::{RunId, TrialReply, TrialRequest};
use crate::design::{Design, ValidDesign};

/// Larger dungeons are not grown over and over for this.
const MOST_SQUARES: u64 = 4_000_000;

/// Who asked the tuner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TuningClient {
    Curves,
    Remedies,
    Tuning,
}

/// What stands in the place of the panels.
#[derive(Debug)]
enum TuneSheet {
    Remedies(Box<remedies::RemediesState>),
    Tuning(Box<tuning::TuningState>),
}

/// What the designer remembers of all this.
#[derive(Debug, Default)]
pub(super) struct TuneState {
    curves: curves::CurvesState,
    sheet: Option<TuneSheet>,
    /// The sheet waits behind the panel that was asked for.
    tucked: bool,
    /// Who asked last, while it is under way, and the number of the request.
    asked: Option<(TuningClient, Option<RunId>)>,
    /// What is looked at on the map without being kept.
    looking: Option<Variant>,
}

impl TuneState {
    /// For another design: the curves stay on.
    pub(super) fn renewed(&self) -> Self {
        Self {
            curves: self.curves.renewed(),
            ..Self::default()
        }
    }

    /// Notes the number of the last request.
    pub(super) const fn begun(&mut self, run: RunId) {
        if let Some((_, number)) = &mut self.asked {
            *number = Some(run);
        }
    }

    /// Whether a sheet stands in the place of the panels.
    pub(super) const fn has_sheet(&self) -> bool {
        self.sheet.is_some() && !self.tucked
    }

    /// Puts the sheet away behind the panels, where it goes on.
    pub(super) const fn tuck(&mut self) {
        self.tucked = true;
    }

    /// Whose keys hold in the sheet.
    pub(super) fn context(&self) -> Option<Context> {
        match self.sheet.as_ref().filter(|_| !self.tucked)? {
            TuneSheet::Remedies(_) => Some(Context::Remedies),
            TuneSheet::Tuning(tuning) if tuning.is_typing() => Some(Context::TuneText),
            TuneSheet::Tuning(_) => Some(Context::Tuning),
        }
    }

    /// Notes that something was pressed or clicked: curves wait for a quiet moment.
    pub(super) const fn stir(&mut self) {
        self.curves.stir();
    }
}

/// Asks the tuner; what it was at for others is given up.
fn try_out(app: &mut App, by: TuningClient, trials: TrialRequest) -> Vec<Effect> {
    if by != TuningClient::Curves {
        app.tune.curves.give_up();
    }
    app.tune.asked = Some((by, None));
    vec![Effect::Try(Box::new(trials))]
}

/// Ends what the tuner is at for somebody.
fn give_up(app: &mut App, by: TuningClient) -> Vec<Effect> {
    match app.tune.asked.take_if(|(asked, _)| *asked == by) {
        Some(_) => vec![Effect::EndTrials],
        None => Vec::new(),
    }
}

/// Takes what the tuner tells.
pub(super) fn hear(app: &mut App, run: RunId, trial: TrialReply) -> Vec<Effect> {
    let Some((by, _)) = app.tune.asked.filter(|(_, number)| *number == Some(run)) else {
        return Vec::new();
    };
    if !matches!(trial, TrialReply::Outcomes(_)) {
        app.tune.asked = None;
    }
    if let TrialReply::Broken(why) = &trial {
        app.say(
            NoticeLevel::Error,
            format!("trying variants broke off, a fault of the program: {why}"),
        );
    }
    match by {
        TuningClient::Curves => {
            curves::hear(app, trial);
            Vec::new()
        }
        TuningClient::Remedies => remedies::hear(app, trial),
        TuningClient::Tuning => tuning::hear(app, trial),
    }
}

/// Does a command.
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
            return if is_there { come_or_go(app) } else { tuning::open(app) };
        }
        TuneCommand::Close => return close(app),
        _ => {}
    }
    match app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::update(app, command),
        Some(TuneSheet::Tuning(_)) => tuning::update(app, command),
        None => Vec::new(),
    }
}

/// Closes the sheet where the user is in it, or goes to it.
fn come_or_go(app: &mut App) -> Vec<Effect> {
    if app.focus == Focus::Panel && app.tune.has_sheet() {
        return close(app);
    }
    (app.tune.tucked, app.focus) = (false, Focus::Panel);
    Vec::new()
}

/// Closes the sheet; what was not kept is gone.
pub(super) fn close(app: &mut App) -> Vec<Effect> {
    if app.tune.sheet.take().is_none() {
        return Vec::new();
    }
    let mut effects = give_up(app, TuningClient::Remedies);
    effects.extend(give_up(app, TuningClient::Tuning));
    effects.extend(look(app, None));
    effects
}

/// Shows a variant on the map, or the design as it is.
fn look(app: &mut App, variant: Option<Variant>) -> Vec<Effect> {
    if app.tune.looking == variant {
        return Vec::new();
    }
    app.tune.looking = variant;
    app.regrow()
}

/// Makes a variant an edit of the design, and closes the sheet.
fn keep(app: &mut App, name: String, variant: &Variant) -> Vec<Effect> {
    app.tune.looking = None;
    let mut effects = close(app);
    let edited = app.edit(name, |design| variant.apply(design));
    if edited.is_empty() {
        app.say(NoticeLevel::Warning, "this changes nothing");
    }
    effects.extend(edited);
    effects
}

/// The design to grow while a variant is looked at; `None` while none is, or it cannot be grown.
pub(super) fn grown(app: &App) -> Option<ValidDesign> {
    let variant = app.tune.looking.as_ref()?;
    let valid = app.document.valid()?;
    // Its size has been allowed already, and its vaults stand as they stood.
    let varied = variant.of(valid).validate(None).design?;
    Some(varied.with_pieces(valid.pieces().to_vec()))
}

/// Keeps all this to the design as it stands, once a frame.
pub(super) fn frame(app: &mut App) -> Vec<Effect> {
    let mut effects = curves::frame(app);
    effects.extend(match app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::frame(app),
        Some(TuneSheet::Tuning(_)) => tuning::frame(app),
        None => Vec::new(),
    });
    effects
}

/// Lets time go by.
pub(super) fn advance(app: &mut App, elapsed: Duration) -> Vec<Effect> {
    curves::advance(app, elapsed)
}

/// In what time [`advance`] has something to do.
pub(super) fn next_change(app: &App) -> Option<Duration> {
    curves::next_change(app)
}

/// Whether the whole column at the side is wanted in place of panel and view.
pub(super) fn wants_side(app: &App) -> bool {
    app.focus != Focus::View && (app.tune.has_sheet() || curves::are_shown(app))
}

/// Draws the sheet in the place of the panel; false when there is none.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) -> bool {
    match app.tune.sheet.as_ref().filter(|_| app.tune.has_sheet()) {
        None => return false,
        Some(TuneSheet::Remedies(state)) => remedies::draw(app, state, area, buf),
        Some(TuneSheet::Tuning(state)) => tuning::draw(app, state, area, buf),
    }
    true
}

/// Gives a key to what is typed in the sheet; `None` when it is for the key table.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    if app.keymap.find(&[Context::TuneText], key).is_some() {
        return None;
    }
    match &mut app.tune.sheet {
        Some(TuneSheet::Tuning(state)) => state.press(key).then(Vec::new),
        _ => None,
    }
}

/// Gives pasted text to what is typed in the sheet.
pub(super) fn paste(app: &mut App, text: &str) {
    if let Some(TuneSheet::Tuning(state)) = &mut app.tune.sheet {
        state.paste(text);
    }
}

/// Gives the mouse to the sheet: a click selects, on what is selected already it does what Enter does; a button does
/// what its key does; the wheel moves the selection.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    match mouse.kind {
        MouseEventKind::ScrollUp => update(app, TuneCommand::Select(-1)),
        MouseEventKind::ScrollDown => update(app, TuneCommand::Select(1)),
        MouseEventKind::Down(MouseButton::Left) => click(app, Position::new(mouse.column, mouse.row)),
        _ => Vec::new(),
    }
}

fn click(app: &mut App, at: Position) -> Vec<Effect> {
    app.focus = Focus::Panel;
    let area = app.areas().panel;
    let Some(context) = app.tune.context() else {
        return Vec::new();
    };
    if let Some(action) = sheet::button_at(app, context, area, at) {
        return app.update(action);
    }
    match &app.tune.sheet {
        Some(TuneSheet::Remedies(_)) => remedies::click(app, area, at),
        Some(TuneSheet::Tuning(_)) => tuning::click(app, area, at),
        None => Vec::new(),
    }
}

/// Why a design is not tried, where it is not.
fn refused(app: &App) -> Option<String> {
    let design = app.document.design();
    if app.document.valid().is_none() {
        return Some(app.why_not_grown().into());
    }
    (design.layout.size.squares() > MOST_SQUARES)
        .then(|| "the dungeon is too large to be grown again and again: at most four million squares".into())
}

/// How many seeds a design is tried from, where `many` are wanted of a small one.
fn seeds(design: &Design, many: usize) -> usize {
    let squares = design.layout.size.squares();
    let seeds = match squares {
        0..=40_000 => many,
        40_001..=250_000 => many / 2,
        _ => many / 4,
    };
    seeds.max(8)
}

/// Opens a sheet and goes to it.
fn show(app: &mut App, sheet: TuneSheet) {
    app.tune.sheet = Some(sheet);
    (app.tune.tucked, app.focus) = (false, Focus::Panel);
}

/// Goes where the map can be seen, on screens that show the map or the sheet.
fn see_the_map(app: &mut App) -> Vec<Effect> {
    if app.areas().map.is_empty() {
        return app.update(Action::FocusMap);
    }
    Vec::new()
}

//! The panels at the right, which show and edit the design.
//!
//! One is shown at a time, with the others as tabs in its border. Each panel is a module with its state, commands, keys
//! and a drawing function; this one holds which is shown and dispatches to it.

mod buttons;
mod commands;
mod constants;
mod design;
mod expect;
mod field;
mod line;
mod problems;
mod rooms;
mod slide;
mod slider;
mod stats;
mod task;
#[cfg(test)]
mod tests;
mod variation;
mod words;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

pub(super) use self::buttons::{at as button_at, draw as draw_buttons, rows as button_rows};
pub(super) use self::commands::{KEYS, PanelCommand};
use self::field::{FieldEdit, TypingTarget};
pub(super) use self::rooms::marked_entry;
pub(super) use self::slide::{SliderRange, frame, ranged, track};
pub(super) use self::task::CopyTo;
pub(super) use self::variation::{VariationCommand, grown};
pub(super) use self::words::{change_name, headings, value as meaning};
use super::app::{Action, App, Editor, Effect, Focus};
use super::keys::Context;
use super::map::SquareMarks;
use super::tabs::Panel;
use super::{metrics, screen, tuning};
use crate::design::{Entry, Place, Severity};

/// Panels of at least this many columns have a margin inside their border.
const ROOMY: u16 = 60;

/// The state of the panels.
#[derive(Debug, Default)]
pub(super) struct PanelsState {
    /// The panel shown before the problems of a broken file replaced it.
    before_problems: Option<Panel>,
    /// The text being typed, and its field.
    editing: Option<FieldEdit>,
    /// Whether the panel asks where to copy a generation to.
    copying: bool,
    /// The variation being tried.
    variation: Option<variation::Variation>,
    /// The slider drag under way.
    held: Option<slide::SliderDrag>,
    /// Number of slider drags so far.
    drags: u64,
    stats: stats::StatsState,
    rooms: rooms::RoomsState,
    constants: constants::ConstantsState,
    design: design::DesignState,
    problems: problems::ProblemsState,
    expect: expect::ExpectState,
}

impl PanelsState {
    /// Returns whether a value is being typed.
    pub(super) const fn is_typing(&self) -> bool {
        self.editing.is_some()
    }

    /// Shows the Problems panel for broken files, unless a value is being typed.
    pub(super) fn show_problems(&mut self, editor: &mut Editor) {
        if !self.is_typing() && editor.panel != Panel::Problems {
            self.before_problems = Some(editor.panel);
            editor.panel = Panel::Problems;
        }
    }

    /// Shows the panel from before [`Self::show_problems`] again, if Problems is still shown.
    pub(super) fn leave_problems(&mut self, editor: &mut Editor) {
        if let Some(panel) = self.before_problems.take()
            && editor.panel == Panel::Problems
        {
            editor.panel = panel;
        }
    }

    /// Ends the drag of a slider.
    pub(super) const fn release(&mut self) {
        self.held = None;
    }

    /// Returns whether a slider is being dragged.
    pub(super) const fn is_dragged(&self) -> bool {
        self.held.is_some()
    }
}

/// Carries out a command in the panel shown.
pub(super) fn update(app: &mut App, command: PanelCommand) -> Vec<Effect> {
    if !matches!(command, PanelCommand::Step(_)) {
        app.editor.document.seal();
    }
    match (command, app.editor.panel) {
        (PanelCommand::Take, _) => return field::take(app),
        (PanelCommand::Leave, _) => {
            field::leave(app);
            app.editor.notice = None;
        }
        (PanelCommand::Reroll, _) => return app.editor.reroll(),
        (PanelCommand::BreakLine, _) => {
            if let Some(editing) = &mut app.panels.editing {
                editing.typing.break_line();
            }
        }
        (PanelCommand::Back, panel) => {
            if panel != Panel::Rooms || !rooms::back(app) {
                return app.update(Action::FocusMap);
            }
        }
        (PanelCommand::Copy, _) => {
            app.panels.copying = true;
            return task::show(app);
        }
        (PanelCommand::CopyTo(to), _) => return task::copy(app, to),
        (PanelCommand::CopyNothing, _) => app.panels.copying = false,
        (PanelCommand::Replace, _) => {
            let effects = task::show(app);
            field::begin_rule(app);
            return effects;
        }
        (PanelCommand::Vary(command), _) => {
            let mut effects = task::show(app);
            effects.extend(variation::update(app, command));
            return effects;
        }
        (PanelCommand::Reset, _) => return field::reset(app),
        (PanelCommand::ResetAll, _) => return field::reset_all(app),
        (PanelCommand::Step(by), _) if field::target(app).is_some() => return field::step(app, by),
        (PanelCommand::Edit, Panel::Stats | Panel::Constants | Panel::Design) => field::begin(app),
        (_, Panel::Stats) => return stats::update(app, command),
        (_, Panel::Rooms) => return rooms::update(app, command),
        (_, Panel::Constants) => return constants::update(app, command),
        (_, Panel::Design) => return design::update(app, command),
        (_, Panel::Problems) => return problems::update(app, command),
        (_, Panel::Expect) => return expect::update(app, command),
    }
    Vec::new()
}

/// Returns why a command does nothing in the panel shown, if so.
pub(super) fn refusal(app: &App, command: PanelCommand) -> Option<&'static str> {
    let panel = app.editor.panel;
    let is_list = matches!(panel, Panel::Problems | Panel::Expect);
    let is_idle = match command {
        PanelCommand::Select(0, _) => !matches!(panel, Panel::Stats | Panel::Rooms),
        PanelCommand::Step(_) | PanelCommand::Reset if is_list => true,
        PanelCommand::Step(_) => !(field::can_step(app) || panel == Panel::Rooms && rooms::is_switch(app)),
        PanelCommand::ResetAll => is_list || panel == Panel::Design,
        PanelCommand::Edit if panel == Panel::Problems => problems::list(app).is_empty(),
        PanelCommand::Remove | PanelCommand::Duplicate | PanelCommand::Shift(_) if panel == Panel::Rooms => {
            !rooms::is_in_list(app)
        }
        PanelCommand::Remove | PanelCommand::Shift(_) | PanelCommand::OpenFailing if panel == Panel::Expect => {
            expect::is_empty(app)
        }
        _ => false,
    };
    is_idle.then_some(match command {
        PanelCommand::Step(_) => "no number is selected",
        PanelCommand::Reset | PanelCommand::ResetAll => "no field with a default is selected",
        PanelCommand::Select(..) => "nothing is beside it",
        PanelCommand::Edit => "there are no problems",
        _ if panel == Panel::Expect => "nothing is expected yet",
        _ => "no entry of a list is selected",
    })
}

/// Passes a key to the text being typed; `None` if the key table should handle it.
///
/// A digit starts typing where a number is selected. A key that is not text, such as Tab or an arrow up, accepts the
/// text and then has its own effect.
pub(super) fn typed(app: &mut App, key: &KeyEvent) -> Option<Vec<Effect>> {
    let Some(editing) = &mut app.panels.editing else {
        return field::begin_with(app, key).then(Vec::new);
    };
    if app.editor.keymap.find(&[Context::Typing], key).is_some() {
        return None;
    }
    if editing.target == TypingTarget::Rule {
        // A rule changes many values: only Enter accepts it.
        editing.typing.press(key);
        return Some(Vec::new());
    }
    if editing.typing.press(key) || app.editor.keymap.find(&contexts(app.editor.panel), key).is_none() {
        return Some(Vec::new());
    }
    let mut effects = field::take(app);
    if app.panels.editing.is_none() {
        effects.extend(app.key(key));
    }
    Some(effects)
}

/// Returns the contexts of a panel in which no text is being typed.
pub(super) const fn contexts(panel: Panel) -> [Context; 3] {
    [Context::Panel(panel), Context::Panels, Context::Everywhere]
}

/// Returns the context of the choice under way in the panel shown.
pub(super) fn task(app: &App) -> Option<Context> {
    task::context(app)
}

/// Accepts the text being typed, if any, and returns whether that was possible.
pub(super) fn take_typed(app: &mut App) -> (bool, Vec<Effect>) {
    let effects = field::take(app);
    (app.panels.editing.is_none(), effects)
}

/// Passes pasted text to the field being typed in.
pub(super) fn paste(app: &mut App, text: &str) -> Vec<Effect> {
    if let Some(editing) = app.panels.editing.as_mut().filter(|_| app.editor.focus == Focus::Panel) {
        editing.typing.paste(text);
    }
    Vec::new()
}

/// Returns the inside of the panel's border at its present place.
fn inside(app: &App) -> Rect {
    inside_of(app, app.editor.areas.panel)
}

/// Returns the inside of a panel's border, without the curves below.
fn inside_of(app: &App, area: Rect) -> Rect {
    tuning::curves_part(app, inner(area))[0]
}

/// Shows a panel in which a number is selected: the present one, or the stats.
pub(super) fn show_a_number(app: &mut App) -> Vec<Effect> {
    if ranged(app).is_some() {
        return app.update(Action::FocusPanel(app.editor.panel));
    }
    app.update(Action::FocusPanel(Panel::Stats))
}

/// Returns the inside of a panel's border, with a margin of two columns if it is wide enough.
fn inner(area: Rect) -> Rect {
    let margin = if area.width < ROOMY { 1 } else { 2 };
    area.inner(Margin::new(margin, 1))
}

/// Scrolls to the selection after the screen or the design changed.
pub(super) fn keep_in_view(app: &mut App) {
    rooms::keep_in_view(app);
}

/// Returns an index moved by some places within a list.
fn move_by(index: usize, by: i32, len: usize) -> usize {
    index.saturating_add_signed(by as isize).min(len.saturating_sub(1))
}

/// Returns the first line to show: the nearest to `top` at which the line `selected` is visible and no space is left at
/// the end.
fn follow(top: usize, selected: usize, seen: usize, all: usize) -> usize {
    let seen = seen.max(1);
    let top = top.min(all.saturating_sub(seen)).min(selected);
    if selected >= top + seen {
        (selected + 1).saturating_sub(seen)
    } else {
        top
    }
}

/// Handles the mouse on the panel: a click focuses it and selects, another one edits; on a tab it shows that panel; on
/// the slider it sets the value and starts a drag; the wheel scrolls, or steps the slider.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let at = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::Drag(MouseButton::Left) if app.panels.is_dragged() => {
            slide::drag(app, at);
            Vec::new()
        }
        MouseEventKind::Up(_) if app.panels.is_dragged() => slide::release(app),
        MouseEventKind::ScrollUp if slide::is_on(app, at) => update(app, PanelCommand::Step(1)),
        MouseEventKind::ScrollDown if slide::is_on(app, at) => update(app, PanelCommand::Step(-1)),
        MouseEventKind::Down(MouseButton::Left) => click(app, at),
        MouseEventKind::ScrollUp => scroll(app, -3),
        MouseEventKind::ScrollDown => scroll(app, 3),
        _ => Vec::new(),
    }
}

fn click(app: &mut App, at: Position) -> Vec<Effect> {
    app.editor.focus = Focus::Panel;
    if app.editor.panel == Panel::Stats {
        let about = stats::about_part(inside(app));
        if let Some(effects) = task::click(app, about, at) {
            return effects;
        }
        let rest = stats::rest_part(inside(app));
        if task(app).is_none()
            && !app.panels.is_typing()
            && let Some(action) = buttons::at(app, Context::Panels, rest, at)
        {
            return app.update(action);
        }
        app.panels.copying = false;
        if app
            .panels
            .editing
            .as_ref()
            .is_some_and(|editing| editing.target == TypingTarget::Rule)
        {
            field::leave(app);
        }
    }
    let (taken, mut effects) = take_typed(app);
    if !taken {
        return effects;
    }
    app.editor.document.seal();
    let area = app.editor.areas.panel;
    if at.y == area.y {
        let tab = tabs(app, area)
            .into_iter()
            .find(|(_, from, to)| (*from..*to).contains(&at.x));
        if let Some((panel, _, _)) = tab {
            effects.extend(app.update(Action::FocusPanel(panel)));
        }
        return effects;
    }
    if let Some(slid) = slide::begin(app, at) {
        effects.extend(slid);
        return effects;
    }
    let inside = inside_of(app, area);
    let again = match app.editor.panel {
        Panel::Stats => stats::click(app, inside, at),
        Panel::Rooms => rooms::click(app, inside, at),
        Panel::Constants => constants::click(app, inside, at),
        Panel::Design => design::click(app, inside, at),
        Panel::Problems => problems::click(app, inside, at),
        Panel::Expect => expect::click(app, inside, at),
    };
    if again {
        effects.extend(update(app, PanelCommand::Edit));
    }
    effects
}

fn scroll(app: &mut App, lines: i32) -> Vec<Effect> {
    match app.editor.panel {
        Panel::Stats | Panel::Constants if !app.panels.is_typing() => {
            return update(app, PanelCommand::Select(lines.signum(), 0));
        }
        Panel::Stats | Panel::Constants => {}
        Panel::Rooms => rooms::scroll(app, lines),
        Panel::Design => design::scroll(app, lines),
        Panel::Problems => problems::scroll(app, lines),
        Panel::Expect => expect::scroll(app, lines),
    }
    Vec::new()
}

/// Returns the positions of the tabs in the border: panel, first column, column after the last.
fn tabs(app: &App, area: Rect) -> Vec<(Panel, u16, u16)> {
    screen::tabs(Panel::ALL, area.x + 1, |panel| tab_text(app, panel, area.width))
}

/// Returns a tab's text: the title, cut to four letters if not all titles fit, with the number of problems.
fn tab_text(app: &App, panel: Panel, width: u16) -> String {
    let title = panel.title();
    let count = match problems::worst(app) {
        Some((_, count)) if panel == Panel::Problems => format!(" {count}"),
        _ => String::new(),
    };
    let titles: usize = Panel::ALL.iter().map(|panel| panel.title().len()).sum();
    let gaps = Panel::ALL.len();
    match usize::from(width) {
        width if width >= titles + 2 * gaps + 6 => format!(" {title}{count} "),
        width if width > titles + gaps => format!("{title} "),
        _ if panel == app.editor.panel => format!("{title} "),
        _ => format!("{} ", title.get(..4).unwrap_or(title)),
    }
}

/// Returns a tab's style; that of the problems shows their worst severity.
fn tab_style(app: &App, panel: Panel) -> Style {
    let theme = app.editor.theme;
    if panel == app.editor.panel {
        return theme.tab(true);
    }
    if panel == Panel::Expect {
        let (held, all) = metrics::held(app);
        return if held < all { theme.error() } else { theme.tab(false) };
    }
    match problems::worst(app) {
        Some((Severity::Error, _)) if panel == Panel::Problems => theme.error(),
        Some((Severity::Warning, _)) if panel == Panel::Problems => theme.warning(),
        _ => theme.tab(false),
    }
}

/// Selects an entry of the layout and shows it, unless text is being typed; the focus stays where it is.
pub(super) fn select(app: &mut App, entry: Entry) {
    if app.panels.is_typing() {
        return;
    }
    app.editor.panel = Panel::Rooms;
    rooms::select(app, entry, None);
}

/// Returns the entry selected in the rooms panel, if that is shown.
pub(super) fn entry(app: &App) -> Option<Entry> {
    (app.editor.panel == Panel::Rooms).then(|| rooms::entry(app)).flatten()
}

/// Shows an entry or field of the design in its panel, and moves the focus there.
pub(super) fn show(app: &mut App, place: Place) -> Vec<Effect> {
    let (taken, effects) = take_typed(app);
    if taken {
        problems::show(app, place);
        app.editor.focus = Focus::Panel;
        keep_in_view(app);
    }
    effects
}

/// Returns the squares of the selected entry, for the map.
pub(super) fn marked(app: &App) -> SquareMarks {
    if app.editor.panel == Panel::Rooms {
        rooms::marked(app)
    } else {
        SquareMarks::Nothing
    }
}

/// Draws the panel shown, with the tabs in its border.
pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let focused = app.editor.focus == Focus::Panel;
    let theme = app.editor.theme;
    let titles: Vec<Span> = Panel::ALL
        .into_iter()
        .map(|panel| Span::styled(tab_text(app, panel, area.width), tab_style(app, panel)))
        .collect();
    let block = screen::block(theme, focused).title(Line::from(titles));
    block.render(area, buf);
    let [inside, curves] = tuning::curves_part(app, inner(area));
    tuning::draw_curves(app, curves, buf);
    match app.editor.panel {
        Panel::Stats => stats::draw(app, inside, buf),
        Panel::Rooms => rooms::draw(app, inside, buf),
        Panel::Constants => constants::draw(app, inside, buf),
        Panel::Design => design::draw(app, inside, buf),
        Panel::Problems => problems::draw(app, inside, buf),
        Panel::Expect => expect::draw(app, inside, buf),
    }
}

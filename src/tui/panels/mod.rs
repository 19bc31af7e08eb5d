//! The panels at the right, which show and edit the design.
//!
//! One panel is shown at a time; its border has a tab for each panel. Each panel is a module with its state, commands
//! and a drawing function. This module dispatches commands, mouse events and drawing to the panel shown.

mod blocks;
mod constants;
mod design;
mod expect;
mod explanation;
mod field;
mod line;
mod problems;
mod rooms;
mod slide;
mod slider;
mod stats;
#[cfg(test)]
mod tests;
mod typing;

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::widgets::Widget;

use self::blocks::BlocksState;
pub(super) use self::slide::{frame, ranged, release, track};
use self::stats::task;
use self::stats::variation;
pub(super) use self::stats::variation::varied_design;
use self::typing::{FieldEdit, TypingTarget};
use super::buttons;
use super::editor::{Editor, Focus};
use super::metric_reports::{ExpectationReport, ExpectationState};
use super::tabs::Panel;
use super::widget::list::{ListState, ListStep};
use crate::design::{Entry, Place, Room, Severity};
use crate::text::thousands;
use crate::tui::commands::{Action, EntryCommand, PanelCommand, VariationCommand};
use crate::tui::keymap::Context;
use crate::tui::widget::items::{self, ItemBar, Tab};
use crate::tui::widget::layout::with_foot;
use crate::tui::widget::mouse::position;
use crate::tui::widget::popup::{self, block};
use crate::tui::widget::prompt::PasteCut;

/// Minimum height, in rows, of a panel that has room for curves.
const LEAST_WITH_CURVES: u16 = 13;

/// The data of other modules that the panels show. The app sets it before each event and each frame.
#[derive(Debug, Default)]
pub(super) struct PanelInputs {
    /// The state of each expectation of the design.
    pub expectations: Arc<[ExpectationReport]>,
    /// Whether curves are shown below the panel. They plot metrics against the values of the selected number.
    pub curves: bool,
    /// Whether the design is being saved.
    pub is_saving: bool,
    /// The room that the command for adding a room inserts, including its position.
    pub new_room: Room,
}

/// The state of the panels.
#[derive(Debug, Default)]
pub(super) struct PanelsState {
    /// The data of other modules that the panels show.
    pub inputs: PanelInputs,
    /// The panel that was shown before the Problems panel replaced it because of a broken file.
    before_problems: Option<Panel>,
    /// The text being typed, and the field that it is typed into.
    editing: Option<FieldEdit>,
    /// Whether the panel asks where to copy a generation to.
    copying: bool,
    /// The variation being tried.
    variation: Option<variation::Variation>,
    /// The slider drag in progress.
    held: Option<slide::SliderDrag>,
    /// Number of slider drags so far, from which each drag gets its number.
    drags: u64,
    stats: stats::StatsState,
    rooms: rooms::RoomsState,
    constants: ListState,
    design: design::DesignState,
    problems: BlocksState,
    expect: BlocksState,
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

    /// Shows the panel that [`Self::show_problems`] replaced, if the Problems panel is still shown.
    pub(super) fn leave_problems(&mut self, editor: &mut Editor) {
        if let Some(panel) = self.before_problems.take()
            && editor.panel == Panel::Problems
        {
            editor.panel = panel;
        }
    }

    /// Returns whether a slider is being dragged.
    pub(super) const fn is_dragged(&self) -> bool {
        self.held.is_some()
    }
}

/// Carries out a command in the panel shown.
pub(super) fn update(panels: &mut PanelsState, editor: &mut Editor, command: PanelCommand) {
    if !matches!(command, PanelCommand::Step(_)) {
        editor.document.close_undo_group();
    }
    match (command, editor.panel) {
        (PanelCommand::Take, _) => field::accept(panels, editor),
        (PanelCommand::Leave, _) => {
            field::cancel(panels);
            editor.status.notice = None;
        }
        (PanelCommand::Reroll, _) => editor.reroll(),
        (PanelCommand::BreakLine, _) => {
            if let Some(editing) = &mut panels.editing {
                editing.typing.break_line();
            }
        }
        (PanelCommand::Back, panel) => {
            if panel != Panel::Rooms || !rooms::back(panels, editor) {
                editor.act(Action::FocusMap);
            }
        }
        (PanelCommand::Copy, _) => {
            if end_typing(panels, editor) {
                panels.copying = true;
                task::show(editor);
            }
        }
        (PanelCommand::CopyTo(to), _) => task::copy(panels, editor, to),
        (PanelCommand::CopyNothing, _) => panels.copying = false,
        (PanelCommand::Replace, _) => {
            if end_typing(panels, editor) {
                task::show(editor);
                field::begin_rule(panels);
            }
        }
        (PanelCommand::Vary(command), _) => {
            // Text may still be in a field if the command comes from a button or the palette. The number of a variation
            // that is discarded need not be valid.
            if command == VariationCommand::Leave && typing::typed_at(panels, TypingTarget::Roll).is_some() {
                field::cancel(panels);
            }
            if end_typing(panels, editor) {
                task::show(editor);
                variation::update(panels, editor, command);
            }
        }
        (PanelCommand::Reset, _) => field::reset(panels, editor),
        (PanelCommand::ResetAll, _) => field::reset_all(panels, editor),
        (PanelCommand::Step(by), _) if field::target(panels, editor).is_some() => field::step(panels, editor, by),
        (PanelCommand::Edit, Panel::Stats | Panel::Constants | Panel::Design) => field::begin(panels, editor),
        (PanelCommand::Edit, Panel::Rooms) => rooms::enter(panels, editor),
        (PanelCommand::Edit, Panel::Problems) => problems::go(panels, editor),
        (PanelCommand::Edit, Panel::Expect) => expect::edit(panels, editor),
        (PanelCommand::Step(by), _) => rooms::step_switch(panels, editor, by),
        (PanelCommand::Row(step), panel) => match panel {
            Panel::Stats => stats::step(panels, editor, step),
            Panel::Rooms => rooms::step(panels, editor, step),
            Panel::Constants => constants::step(panels, editor, step),
            Panel::Design => design::step(panels, editor, step),
            Panel::Problems => problems::step(panels, editor, step),
            Panel::Expect => expect::step(panels, editor, step),
        },
        (PanelCommand::Column(by), Panel::Stats) => stats::step_columns(panels, editor, by),
        (PanelCommand::Column(by), Panel::Rooms) => rooms::step_into(panels, editor, by),
        (PanelCommand::Entry(command), Panel::Rooms) => rooms::update(panels, editor, command),
        (PanelCommand::Entry(command), Panel::Expect) => expect::update(panels, editor, command),
        (PanelCommand::OpenFailing, Panel::Expect) => expect::open_failing(panels, editor),
        // The key table binds these commands only in the panels of the previous match arms. In the remaining panels the
        // palette reports them as unavailable; see `why_unavailable`.
        (PanelCommand::Column(_) | PanelCommand::Entry(_) | PanelCommand::OpenFailing, _) => {}
    }
}

/// Returns why a command does nothing in the panel shown; `None` if it does something.
pub(super) fn why_unavailable(panels: &PanelsState, editor: &Editor, command: PanelCommand) -> Option<&'static str> {
    let panel = editor.panel;
    let is_list = matches!(panel, Panel::Problems | Panel::Expect);
    let is_idle = match command {
        PanelCommand::Column(_) => !matches!(panel, Panel::Stats | Panel::Rooms),
        PanelCommand::Step(_) | PanelCommand::Reset if is_list => true,
        PanelCommand::Step(_) => {
            !(field::can_step(panels, editor) || panel == Panel::Rooms && rooms::is_switch(panels, editor))
        }
        PanelCommand::ResetAll => is_list || panel == Panel::Design,
        PanelCommand::Edit if panel == Panel::Problems => problems::list(editor).is_empty(),
        PanelCommand::Entry(command) if command != EntryCommand::Add && panel == Panel::Rooms => {
            !rooms::is_in_list(panels, editor)
        }
        PanelCommand::Entry(EntryCommand::Remove | EntryCommand::Shift(_)) | PanelCommand::OpenFailing
            if panel == Panel::Expect =>
        {
            expect::is_empty(editor)
        }
        _ => false,
    };
    is_idle.then_some(match command {
        PanelCommand::Step(_) => "no number is selected",
        PanelCommand::Reset | PanelCommand::ResetAll => "no field with a default is selected",
        PanelCommand::Column(_) => "there is no field on that side",
        PanelCommand::Edit => "there are no problems",
        _ if panel == Panel::Expect => "there are no expectations",
        _ => "no entry of a list is selected",
    })
}

/// Passes a key to the text being typed; returns false if the key table should handle the key.
///
/// If a number is selected, a digit starts typing. A key that is not text, such as Tab or the up arrow, accepts
/// the text and then has its own effect.
pub(super) fn typed(panels: &mut PanelsState, editor: &mut Editor, key: &KeyEvent) -> bool {
    let Some(editing) = &mut panels.editing else {
        return field::begin_with(panels, editor, key);
    };
    if editor.keymap.find(&[Context::Typing], key).is_some() {
        return false;
    }
    if editing.target == TypingTarget::Rule {
        // A rule changes many values: only Enter accepts it.
        editing.typing.press(key);
        return true;
    }
    if editing.typing.is_full_for(key) {
        let most = thousands(editing.typing.most() as u64);
        editor.warn(format!("this field is full: it holds at most {most} bytes"));
        return true;
    }
    if editing.typing.press(key) || editor.keymap.find(&contexts(editor.panel), key).is_none() {
        return true;
    }
    if accept_typed(panels, editor) && !editor.has_failed() {
        editor.status.notice = None;
    }
    panels.is_typing()
}

/// Returns the contexts whose keys apply in a panel while no text is being typed.
pub(super) const fn contexts(panel: Panel) -> [Context; 3] {
    [Context::Panel(panel), Context::Panels, Context::Everywhere]
}

/// Returns the context of the task in progress in the Stats panel, such as trying a variation; `None` if no task is in
/// progress or another panel is shown.
pub(super) fn task(panels: &PanelsState, editor: &Editor) -> Option<Context> {
    task::context(panels, editor)
}

/// Ends typing: accepts the text being typed, but cancels a rule, because a rule changes many values. Returns false if
/// the text is invalid, so that typing continues.
pub(super) fn end_typing(panels: &mut PanelsState, editor: &mut Editor) -> bool {
    if typing::typed_at(panels, TypingTarget::Rule).is_some() {
        field::cancel(panels);
    }
    accept_typed(panels, editor)
}

/// Accepts the text being typed. Returns false if the text is invalid, so that typing continues.
fn accept_typed(panels: &mut PanelsState, editor: &mut Editor) -> bool {
    field::accept(panels, editor);
    panels.editing.is_none()
}

/// Passes pasted text to the text field, if the panel has the focus and text is being typed.
pub(super) fn paste(panels: &mut PanelsState, editor: &Editor, text: &str) -> Option<PasteCut> {
    let editing = panels.editing.as_mut().filter(|_| editor.focus == Focus::Panel)?;
    editing.typing.paste(text)
}

/// Returns the inside of the panel's border, without the area of the curves.
fn inside(panels: &PanelsState, editor: &Editor) -> Rect {
    split_curves(panels, editor.areas.panel)[0]
}

/// Splits the inside of a panel's border into the panel's own area and the area of the curves below.
fn split_curves(panels: &PanelsState, area: Rect) -> [Rect; 2] {
    let inside = popup::inside(area);
    let plot = match inside.height {
        40.. => 4,
        30.. => 3,
        22.. => 2,
        _ => 1,
    };
    let is_there = panels.inputs.curves && inside.height >= LEAST_WITH_CURVES;
    with_foot(inside, if is_there { 1 + 3 * (1 + plot) } else { 0 })
}

/// Moves an index by `by` places within a list of `len` items.
fn move_by(index: usize, by: i32, len: usize) -> usize {
    index.saturating_add_signed(by as isize).min(len.saturating_sub(1))
}

/// Handles a mouse event on the panel. A click focuses the panel and selects a line; a click on the selected line
/// edits it. A click on a tab shows that panel. A click on the slider sets the value and starts a drag. The wheel
/// moves the selection; over the slider, it steps the value.
pub(super) fn mouse(panels: &mut PanelsState, editor: &mut Editor, mouse: MouseEvent) {
    let at = position(mouse);
    match mouse.kind {
        MouseEventKind::Drag(MouseButton::Left) if panels.is_dragged() => slide::drag(panels, at),
        MouseEventKind::Up(_) if panels.is_dragged() => release(panels, editor),
        MouseEventKind::ScrollUp if slide::is_on(panels, editor, at) => update(panels, editor, PanelCommand::Step(1)),
        MouseEventKind::ScrollDown if slide::is_on(panels, editor, at) => {
            update(panels, editor, PanelCommand::Step(-1));
        }
        MouseEventKind::Down(MouseButton::Left) => click(panels, editor, at),
        _ => scroll(panels, editor, mouse),
    }
}

fn click(panels: &mut PanelsState, editor: &mut Editor, at: Position) {
    editor.focus = Focus::Panel;
    if editor.panel == Panel::Stats {
        let about = stats::explanation_part(inside(panels, editor));
        if task::click(panels, editor, about, at) {
            return;
        }
        let rest = stats::rest_part(inside(panels, editor));
        if task(panels, editor).is_none()
            && !panels.is_typing()
            && let Some(action) = buttons::of(editor, Context::Panels, rest).at(at)
        {
            editor.act(action);
            return;
        }
        panels.copying = false;
    }
    if !end_typing(panels, editor) {
        return;
    }
    editor.document.close_undo_group();
    let area = editor.areas.panel;
    if at.y == area.y {
        if let Some(panel) = tabs(panels, editor, area).at(at) {
            editor.act(Action::FocusPanel(panel));
        }
        return;
    }
    if slide::begin(panels, editor, at) {
        return;
    }
    let inside = inside(panels, editor);
    let again = match editor.panel {
        Panel::Stats => stats::click(panels, editor, inside, at),
        Panel::Rooms => rooms::click(panels, editor, inside, at),
        Panel::Constants => constants::click(panels, inside, at),
        Panel::Design => design::click(panels, editor, inside, at),
        Panel::Problems => problems::click(panels, editor, inside, at),
        Panel::Expect => expect::click(panels, editor, inside, at),
    };
    if again {
        update(panels, editor, PanelCommand::Edit);
    }
}

/// Moves the selection with the wheel, or scrolls the notes of the design.
fn scroll(panels: &mut PanelsState, editor: &mut Editor, mouse: MouseEvent) {
    let Some(step) = ListStep::of_wheel(mouse) else { return };
    if editor.panel == Panel::Design {
        design::scroll(panels, editor, step);
    } else if !panels.is_typing() {
        update(panels, editor, PanelCommand::Row(step));
    }
}

/// Returns the tabs in the border. The Problems tab includes the number of problems.
fn tabs(panels: &PanelsState, editor: &Editor, area: Rect) -> ItemBar<Panel> {
    let tab = |panel: Panel| Tab {
        value: panel,
        title: panel.title(),
        remark: match problems::worst_severity(editor) {
            Some((_, count)) if panel == Panel::Problems => format!(" {count}"),
            _ => String::new(),
        },
        style: tab_style(panels, editor, panel),
    };
    items::tabs(Panel::ALL.map(tab).into(), &editor.panel, area)
}

/// Returns a tab's style. The Problems tab has the colour of the worst severity. If an expectation fails, the Expect
/// tab has the colour of errors.
fn tab_style(panels: &PanelsState, editor: &Editor, panel: Panel) -> Style {
    let theme = editor.theme;
    if panel == editor.panel {
        return theme.tab(true);
    }
    if panel == Panel::Expect {
        let fails = |report: &ExpectationReport| matches!(report.here, ExpectationState::Fails(_));
        let fails = panels.inputs.expectations.iter().any(fails);
        return if fails { theme.error() } else { theme.tab(false) };
    }
    match problems::worst_severity(editor) {
        Some((Severity::Error, _)) if panel == Panel::Problems => theme.error(),
        Some((Severity::Warning, _)) if panel == Panel::Problems => theme.warning(),
        _ => theme.tab(false),
    }
}

/// Shows the Rooms panel and selects an entry there, unless text is being typed. The focus does not move.
pub(super) fn select(panels: &mut PanelsState, editor: &mut Editor, entry: Entry) {
    if panels.is_typing() {
        return;
    }
    editor.panel = Panel::Rooms;
    rooms::select(panels, entry, None);
}

/// Returns the entry selected in the Rooms panel; `None` if another panel is shown.
pub(super) fn entry(panels: &PanelsState, editor: &Editor) -> Option<Entry> {
    (editor.panel == Panel::Rooms)
        .then(|| rooms::entry(panels, editor))
        .flatten()
}

/// Focuses the panels and shows `panel`. If another panel is shown, first ends typing there; if the text typed there is
/// invalid, that panel stays.
pub(super) fn focus(panels: &mut PanelsState, editor: &mut Editor, panel: Panel) {
    editor.focus = Focus::Panel;
    if panel == editor.panel {
        return;
    }
    // The command that starts a rule also shows the Stats panel; the rule has begun before this panel is shown.
    let begins_rule = panel == Panel::Stats && typing::typed_at(panels, TypingTarget::Rule).is_some();
    if begins_rule || end_typing(panels, editor) {
        editor.panel = panel;
    }
}

/// Shows an entry or field of the design in its panel, and moves the focus there.
pub(super) fn show(panels: &mut PanelsState, editor: &mut Editor, place: Place) {
    if end_typing(panels, editor) {
        problems::show(panels, editor, place);
        editor.focus = Focus::Panel;
    }
}

/// Draws the panel shown, with the tabs in its border. Returns the area for the curves.
pub(super) fn draw(panels: &PanelsState, editor: &Editor, area: Rect, buf: &mut Buffer) -> Rect {
    let focused = editor.focus == Focus::Panel;
    let theme = editor.theme;
    block(theme, focused)
        .title(tabs(panels, editor, area).line())
        .render(area, buf);
    let [inside, curves] = split_curves(panels, area);
    match editor.panel {
        Panel::Stats => stats::draw(panels, editor, inside, buf),
        Panel::Rooms => rooms::draw(panels, editor, inside, buf),
        Panel::Constants => constants::draw(panels, editor, inside, buf),
        Panel::Design => design::draw(panels, editor, inside, buf),
        Panel::Problems => problems::draw(panels, editor, inside, buf),
        Panel::Expect => expect::draw(panels, editor, inside, buf),
    }
    curves
}

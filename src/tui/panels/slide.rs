//! The slider under the mouse: a click sets the value, a drag changes it, the wheel steps it.
//!
//! A drag is one undo step, from the value before it to the last. It belongs to the field that it began on: if the file
//! is read again meanwhile, the value changes and the drag continues from there.

use ratatui::layout::{Position, Rect};

use super::field::{self, TypingTarget};
use super::slider::Slider;
use super::{constants, rooms, stats, words};
use crate::design::{Entry, Parameter};
use crate::document::EditGroup;
use crate::tui::app::{App, Effect};
use crate::tui::tabs::Panel;

/// A drag of a field's slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SliderDrag {
    entry: Entry,
    parameter: Parameter,
    /// The number of the drag.
    drag: u64,
    /// The pointer's last column, until the next frame: terminals report more positions than are drawn.
    column: Option<u16>,
}

/// Returns the selected parameter, its slider, and the line of the slider.
fn shown(app: &App) -> Option<(Entry, Parameter, Slider, Rect)> {
    let Some(TypingTarget::Number(entry, parameter)) = field::target(app) else {
        return None;
    };
    let inside = super::inside(app);
    let about = match app.editor.panel {
        Panel::Stats => stats::about_part(inside),
        Panel::Rooms => rooms::about_part(inside),
        Panel::Constants => constants::about_part(inside),
        Panel::Design | Panel::Problems | Panel::Expect => return None,
    };
    let slider = Slider::of(app.editor.document.design(), entry, parameter)?;
    Some((entry, parameter, slider, field::slider_line(about)?))
}

/// The selected number, and the range of its slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct SliderRange {
    /// The record.
    pub entry: Entry,
    /// The parameter of it.
    pub parameter: Parameter,
    /// The smallest value of the slider.
    pub least: i32,
    /// The largest value of the slider.
    pub most: i32,
    /// The present value.
    pub now: i32,
}

/// Returns the number selected in the panel shown, if it has a range.
pub(in crate::tui) fn ranged(app: &App) -> Option<SliderRange> {
    if app.panels.variation.is_some() && app.editor.panel == Panel::Stats {
        return None;
    }
    let Some(TypingTarget::Number(entry, parameter)) = field::target(app) else {
        return None;
    };
    if !matches!(app.editor.panel, Panel::Stats | Panel::Rooms | Panel::Constants) {
        return None;
    }
    let design = app.editor.document.design();
    let (least, most) = Slider::of(design, entry, parameter)?.span()?;
    Some(SliderRange {
        entry,
        parameter,
        least,
        most,
        now: design.get(entry, parameter)?,
    })
}

/// Returns the track of the selected number's slider in a line of a panel.
pub(in crate::tui) fn track(app: &App, line: Rect) -> Rect {
    let slider =
        ranged(app).and_then(|ranged| Slider::of(app.editor.document.design(), ranged.entry, ranged.parameter));
    let track = slider.map_or(Rect::ZERO, |slider| slider.track(line));
    if track.is_empty() { line } else { track }
}

/// Returns whether a position is on the slider.
pub(super) fn is_on(app: &App, at: Position) -> bool {
    !app.panels.is_typing() && shown(app).is_some_and(|(.., line)| line.contains(at))
}

/// Starts a drag if the position is on the slider, and sets the value under the pointer.
pub(super) fn begin(app: &mut App, at: Position) -> Option<Vec<Effect>> {
    let (entry, parameter, _, _) = shown(app).filter(|(.., line)| line.contains(at))?;
    app.panels.drags += 1;
    app.panels.held = Some(SliderDrag {
        entry,
        parameter,
        drag: app.panels.drags,
        column: None,
    });
    Some(set(app, at.x))
}

/// Handles a move of the pointer during a drag. The value and the dungeon follow once per frame.
pub(super) fn drag(app: &mut App, at: Position) {
    if let Some(held) = &mut app.panels.held {
        held.column = Some(at.x);
    }
}

/// Sets the value to which the slider was dragged since the last frame.
pub(in crate::tui) fn frame(app: &mut App) -> Vec<Effect> {
    let column = app.panels.held.as_mut().and_then(|held| held.column.take());
    column.map_or_else(Vec::new, |column| set(app, column))
}

/// Sets the value under a column of the screen.
fn set(app: &mut App, column: u16) -> Vec<Effect> {
    let Some(SliderDrag {
        entry, parameter, drag, ..
    }) = app.panels.held
    else {
        return Vec::new();
    };
    let value = shown(app)
        .filter(|(shown, selected, ..)| (*shown, *selected) == (entry, parameter))
        .and_then(|(_, _, slider, line)| slider.value_at(line, column));
    let Some(value) = value else {
        return Vec::new();
    };
    app.editor.edit_in(
        Some(EditGroup::Drag(drag)),
        |before, after| words::change_name(entry, parameter.into(), before, after),
        |design| {
            design.set(entry, parameter, value);
        },
    )
}

/// Ends the drag.
pub(super) fn release(app: &mut App) -> Vec<Effect> {
    let effects = frame(app);
    app.panels.held = None;
    app.editor.document.seal();
    effects
}

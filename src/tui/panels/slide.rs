//! The slider under the mouse: a click sets the value, a drag changes it, the wheel steps it.
//!
//! A drag is one undo step, from the value before the drag to the last value. The drag belongs to the field on which
//! it began. If the file is reloaded during a drag, the field has the file's value until the pointer moves again.

use ratatui::layout::{Position, Rect};

use super::slider::Slider;
use super::typing::TypingTarget;
use super::{PanelsState, constants, explanation, field, rooms, stats};
use crate::design::{Entry, Parameter};
use crate::document::EditGroup;
use crate::tui::editor::{Editor, SliderRange};
use crate::tui::tabs::Panel;
use crate::tui::wording;

/// A drag of a field's slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SliderDrag {
    entry: Entry,
    parameter: Parameter,
    /// The number of the drag, by which its edits are merged into one undo step.
    drag: u64,
    /// The pointer's last column; `None` once the value under it has been set. The value is set only once per frame,
    /// because terminals may report several positions per frame.
    column: Option<u16>,
}

/// Returns the selected parameter with its entry, its slider, and the line in which the slider is drawn.
fn shown(panels: &PanelsState, editor: &Editor) -> Option<(Entry, Parameter, Slider, Rect)> {
    let Some(TypingTarget::Number(entry, parameter)) = field::target(panels, editor) else {
        return None;
    };
    let inside = super::inside(panels, editor);
    let about = match editor.panel {
        Panel::Stats => stats::explanation_part(inside),
        Panel::Rooms => rooms::explanation_part(inside),
        Panel::Constants => constants::explanation_part(inside),
        Panel::Design | Panel::Problems | Panel::Expect => return None,
    };
    let slider = Slider::of(editor.document.design(), entry, parameter)?;
    let line = explanation::slider_line(editor, entry, parameter, about)?;
    Some((entry, parameter, slider, line))
}

/// Returns the number selected in the panel shown, with its range; `None` if no number with a range is selected.
pub(in crate::tui) fn ranged(panels: &PanelsState, editor: &Editor) -> Option<SliderRange> {
    let Some(TypingTarget::Number(entry, parameter)) = field::target(panels, editor) else {
        return None;
    };
    let design = editor.document.design();
    let (least, most) = Slider::of(design, entry, parameter)?.span()?;
    Some(SliderRange {
        entry,
        parameter,
        least,
        most,
        now: design.get(entry, parameter)?,
    })
}

/// Returns the part of `line` that the track of a slider for the selected number would cover; the whole line if there
/// is no track.
pub(in crate::tui) fn track(panels: &PanelsState, editor: &Editor, line: Rect) -> Rect {
    let slider =
        ranged(panels, editor).and_then(|ranged| Slider::of(editor.document.design(), ranged.entry, ranged.parameter));
    let track = slider.map_or(Rect::ZERO, |slider| slider.track(line));
    if track.is_empty() { line } else { track }
}

/// Returns whether a position is on the slider.
pub(super) fn is_on(panels: &PanelsState, editor: &Editor, at: Position) -> bool {
    !panels.is_typing() && shown(panels, editor).is_some_and(|(.., line)| line.contains(at))
}

/// If the position is on the slider, starts a drag, sets the value under the pointer and returns true.
pub(super) fn begin(panels: &mut PanelsState, editor: &mut Editor, at: Position) -> bool {
    let found = shown(panels, editor).filter(|(.., line)| line.contains(at));
    let Some((entry, parameter, _, _)) = found else {
        return false;
    };
    panels.drags += 1;
    panels.held = Some(SliderDrag {
        entry,
        parameter,
        drag: panels.drags,
        column: None,
    });
    set(panels, editor, at.x);
    true
}

/// Stores the pointer's column during a drag; [`frame`] then sets the value once per frame.
pub(super) const fn drag(panels: &mut PanelsState, at: Position) {
    if let Some(held) = &mut panels.held {
        held.column = Some(at.x);
    }
}

/// Sets the value to which the slider was dragged since the last frame, if it was dragged.
pub(in crate::tui) fn frame(panels: &mut PanelsState, editor: &mut Editor) {
    let column = panels.held.as_mut().and_then(|held| held.column.take());
    if let Some(column) = column {
        set(panels, editor, column);
    }
}

/// Sets the dragged field to the value under a column of the screen.
fn set(panels: &PanelsState, editor: &mut Editor, column: u16) {
    let Some(SliderDrag {
        entry, parameter, drag, ..
    }) = panels.held
    else {
        return;
    };
    let value = shown(panels, editor)
        .filter(|(shown, selected, ..)| (*shown, *selected) == (entry, parameter))
        .and_then(|(_, _, slider, line)| slider.value_at(line, column));
    let Some(value) = value else {
        return;
    };
    editor.edit_in(
        Some(EditGroup::Drag(drag)),
        |before, after| wording::change_name(entry, parameter.into(), before, after),
        |design| {
            design.set(entry, parameter, value);
        },
    );
}

/// Ends the drag in progress, if there is one, after setting its last value.
pub(in crate::tui) fn release(panels: &mut PanelsState, editor: &mut Editor) {
    if !panels.is_dragged() {
        return;
    }
    frame(panels, editor);
    panels.held = None;
    editor.document.close_undo_group();
}

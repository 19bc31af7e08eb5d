//! The slider under the pointer: a click sets the value, a drag follows, the wheel steps.
//!
//! A drag is one step of undo, from the value before it to the last. It belongs to the field that it began on: a
//! file that is read anew meanwhile changes what stands there, and the pointer goes on from that.

use ratatui::layout::{Position, Rect};

use super::field::{self, Target};
use super::slider::Slider;
use super::{Panel, constants, rooms, stats, words};
use crate::design::{Entry, Place};
use crate::document::Series;
use crate::tui::app::{App, Effect};

/// The field whose slider the pointer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    entry: Entry,
    field: usize,
    /// The number of the drag.
    drag: u64,
    /// Where the pointer was last dragged to, until the next frame: terminals tell of more places than are drawn.
    column: Option<u16>,
}

/// The selected field's slider, and the line where it stands.
fn shown(app: &App) -> Option<(Entry, usize, Slider, Rect)> {
    let Some(Target::Number(entry, field)) = field::target(app) else {
        return None;
    };
    let inside = super::inside(app);
    let about = match app.panels.shown {
        Panel::Stats => stats::about_part(inside),
        Panel::Rooms => rooms::about_part(inside),
        Panel::Constants => constants::about_part(inside),
        Panel::Design | Panel::Problems | Panel::Expect => return None,
    };
    let slider = Slider::of(app.document.design(), entry, field)?;
    Some((entry, field, slider, field::slider_line(about)?))
}

/// Whether a place of the screen is on the slider.
pub(super) fn is_on(app: &App, at: Position) -> bool {
    !app.panels.is_typing() && shown(app).is_some_and(|(.., line)| line.contains(at))
}

/// Takes hold of the slider, if it is there, and sets the value under the pointer.
pub(super) fn begin(app: &mut App, at: Position) -> Option<Vec<Effect>> {
    let (entry, field, _, _) = shown(app).filter(|(.., line)| line.contains(at))?;
    app.panels.drags += 1;
    app.panels.held = Some(Held {
        entry,
        field,
        drag: app.panels.drags,
        column: None,
    });
    Some(set(app, at.x))
}

/// The pointer moved while it holds the slider. The value follows once a frame, and the dungeon with it.
pub(super) fn drag(app: &mut App, at: Position) {
    if let Some(held) = &mut app.panels.held {
        held.column = Some(at.x);
    }
}

/// Sets the value to where the slider was dragged since the last frame.
pub(in crate::tui) fn frame(app: &mut App) -> Vec<Effect> {
    let column = app.panels.held.as_mut().and_then(|held| held.column.take());
    column.map_or_else(Vec::new, |column| set(app, column))
}

/// Sets the value under a column of the screen.
fn set(app: &mut App, column: u16) -> Vec<Effect> {
    let Some(Held { entry, field, drag, .. }) = app.panels.held else {
        return Vec::new();
    };
    let value = shown(app)
        .filter(|(shown, part, ..)| (*shown, *part) == (entry, field))
        .and_then(|(_, _, slider, line)| slider.value_at(line, column));
    let Some(value) = value else {
        return Vec::new();
    };
    let place = Place::field(entry, field);
    app.edit_in(
        Some(Series::Drag(drag)),
        |before, after| words::change_name(place, before, after),
        |design| {
            design.set(entry, field, value);
        },
    )
}

/// The pointer lets go.
pub(super) fn release(app: &mut App) -> Vec<Effect> {
    let effects = frame(app);
    app.panels.held = None;
    app.document.seal();
    effects
}

//! The mouse in drawing mode: the left button belongs to the tool, the right one cancels, the wheel and the middle
//! button stay with the map.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::{Gesture, Tool, bar, cancel, finish, follow, objects, select, take_hold};
use crate::geometry::Point;
use crate::tui::app::{App, Effect, Focus};
use crate::tui::map;

/// Handles a mouse event on a square of the map; returns `None` if the map should handle it.
pub(in crate::tui) fn mouse(app: &mut App, mouse: MouseEvent, square: Option<Point>) -> Option<Vec<Effect>> {
    let mut effects = select::sync(app);
    match mouse.kind {
        MouseEventKind::Moved | MouseEventKind::Drag(MouseButton::Left) => {
            if mouse.kind == MouseEventKind::Moved && app.tools.is_dragged() {
                // The button was released outside the window.
                effects.extend(finish(app));
            }
            if let Some(at) = square {
                app.editor.map.move_cursor(at);
                follow(app);
            }
        }
        MouseEventKind::Down(MouseButton::Left) => {
            app.editor.focus = Focus::Map;
            if let Some(at) = square {
                app.editor.map.move_cursor(meant(app, at));
                follow(app);
                effects.extend(press(app, mouse.modifiers));
            }
        }
        MouseEventKind::Up(MouseButton::Left) if app.tools.is_dragged() => effects.extend(release(app)),
        MouseEventKind::Down(MouseButton::Right) => {
            if app.tools.held.is_some() {
                effects.extend(cancel(app));
            } else if let Some(at) = square {
                app.editor.map.move_cursor(at);
                if select::site_at(app, at).is_some() {
                    effects.extend(super::alter::change(app, -1));
                }
            }
        }
        _ if effects.is_empty() && !app.editor.regrows() => return None,
        _ => {}
    }
    Some(effects)
}

/// Returns the square that a press refers to where one character shows several: one with an entry to select or erase,
/// or one that the tool has not drawn on yet.
fn meant(app: &App, at: Point) -> Point {
    if app.tools.held.is_some() {
        return at;
    }
    let layout = &app.editor.document.design().layout;
    let suits = |at: &Point| {
        let drawn = || objects::drawn_on(layout, &[*at].into());
        match app.tools.tool {
            Tool::Select => select::site_at(app, *at).is_some() || !select::under(app, *at).is_empty(),
            Tool::Erase => !drawn().is_empty(),
            tool => tool.draws().is_none_or(|list| {
                !drawn()
                    .iter()
                    .any(|entry| entry.list().is_some_and(|(of, _)| of == list))
            }),
        }
    };
    map::beside(app, at).into_iter().find(suits).unwrap_or(at)
}

fn press(app: &mut App, modifiers: KeyModifiers) -> Vec<Effect> {
    if app.tools.held.is_some() {
        return finish(app);
    }
    let at = app.editor.map.cursor();
    app.tools.preview.outdate();
    if app.tools.tool != Tool::Select {
        take_hold(app, true);
        return Vec::new();
    }
    let here = select::under(app, at);
    let more = modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::SHIFT);
    match here.first() {
        Some(entry) if more => select::toggle(app, *entry),
        Some(entry) => {
            if !here.iter().any(|entry| app.tools.selection.contains(entry)) {
                select::choose(app, [*entry].into());
                // The press that selects a room must not change one of its sites.
                app.tools.fresh = true;
            }
            app.tools.hold(Gesture::Move, at, true);
        }
        None => take_hold(app, true),
    }
    Vec::new()
}

fn release(app: &mut App) -> Vec<Effect> {
    let at = app.editor.map.cursor();
    let fresh = std::mem::take(&mut app.tools.fresh);
    let clicked = app
        .tools
        .held
        .take_if(|held| held.gesture == Gesture::Move && held.from == at);
    if clicked.is_none() {
        return finish(app);
    }
    let effects = cancel(app);
    if !fresh {
        if select::site_at(app, at).is_some() {
            return super::alter::change(app, 1);
        }
        let one = app.tools.selection.len() == 1;
        if one {
            select::below(app);
        } else if let Some(entry) = select::under(app, at).first() {
            select::choose(app, [*entry].into());
        }
    }
    effects
}

/// Handles a click in the bar.
pub(in crate::tui) fn bar(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let MouseEventKind::Down(MouseButton::Left) = mouse.kind else {
        return Vec::new();
    };
    app.editor.focus = Focus::Map;
    let at = Position::new(mouse.column, mouse.row);
    let action = bar::action_at(app, &app.editor.areas, at);
    action.map_or_else(Vec::new, |action| app.update(action))
}

/// Returns the square under the pointer, or the nearest visible one during a drag.
pub(in crate::tui) fn square(app: &App, mouse: MouseEvent) -> Option<Point> {
    let from = app
        .tools
        .held
        .as_ref()
        .filter(|held| held.by_mouse)
        .map(|held| held.from);
    map::square_under(app, mouse.column, mouse.row, from)
}

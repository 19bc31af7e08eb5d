//! The mouse while drawing: the left button is the tool's, the right one gives up, the wheel and the middle button
//! stay the map's.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::{Gesture, Tool, bar, cancel, finish, follow, objects, select, take_hold};
use crate::geometry::Point;
use crate::tui::app::{App, Effect, Focus};
use crate::tui::map;

/// Does what the mouse asks for on a square of the map; `None` where that is the map's.
pub(in crate::tui) fn mouse(app: &mut App, mouse: MouseEvent, square: Option<Point>) -> Option<Vec<Effect>> {
    let mut effects = select::sync(app);
    match mouse.kind {
        MouseEventKind::Moved | MouseEventKind::Drag(MouseButton::Left) => {
            if mouse.kind == MouseEventKind::Moved && app.tools.is_dragged() {
                // The button was let go where nobody saw it.
                effects.extend(finish(app));
            }
            if let Some(at) = square {
                app.map.move_cursor(at);
                follow(app);
            }
        }
        MouseEventKind::Down(MouseButton::Left) => {
            app.focus = Focus::Map;
            if let Some(at) = square {
                app.map.move_cursor(meant(app, at));
                follow(app);
                effects.extend(press(app, mouse.modifiers));
            }
        }
        MouseEventKind::Up(MouseButton::Left) if app.tools.is_dragged() => effects.extend(release(app)),
        MouseEventKind::Down(MouseButton::Right) => {
            if app.tools.held.is_some() {
                effects.extend(cancel(app));
            } else if let Some(at) = square {
                app.map.move_cursor(at);
                if select::site_at(app, at).is_some() {
                    effects.extend(super::alter::change(app, -1));
                }
            }
        }
        _ if effects.is_empty() => return None,
        _ => {}
    }
    Some(effects)
}

/// The square that a press means where its character shows several: one with an entry to select or to erase, one on
/// which the tool has not drawn yet.
fn meant(app: &App, at: Point) -> Point {
    if app.tools.held.is_some() {
        return at;
    }
    let layout = &app.document.design().layout;
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
    let at = app.map.cursor();
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
                // The press that selects does not change a site.
                app.tools.fresh = true;
            }
            app.tools.hold(Gesture::Move, at, true);
        }
        None => take_hold(app, true),
    }
    Vec::new()
}

fn release(app: &mut App) -> Vec<Effect> {
    let at = app.map.cursor();
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

/// A click in the bar does what stands there.
pub(in crate::tui) fn bar(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let MouseEventKind::Down(MouseButton::Left) = mouse.kind else {
        return Vec::new();
    };
    app.focus = Focus::Map;
    let at = Position::new(mouse.column, mouse.row);
    let action = bar::action_at(app, &app.areas(), at);
    action.map_or_else(Vec::new, |action| app.update(action))
}

/// The square that the pointer is on, or the nearest that is seen while something is dragged.
pub(in crate::tui) fn square(app: &App, mouse: MouseEvent) -> Option<Point> {
    let from = app
        .tools
        .held
        .as_ref()
        .filter(|held| held.by_mouse)
        .map(|held| held.from);
    map::square_under(app, mouse.column, mouse.row, from)
}

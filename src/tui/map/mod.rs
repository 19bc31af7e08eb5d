//! The map: the dungeon at the moment shown, with a cursor, zoom and scrolling.
//!
//! [`viewport`] computes which squares are visible. [`colours`] and [`changes`] determine how each square is coloured.
//! [`scene`], [`content`] and [`picture`] draw the squares with characters; [`pixels`] and [`raster`] draw them in
//! pixels if the terminal supports pictures. [`lookahead`] adds the Builders' look-ahead, [`legend`] explains the
//! colours, [`minimap`] draws the small map in a corner, and [`empty`] shows a hint if nothing grows. This module
//! carries out the commands of the map.

mod changes;
mod colours;
mod content;
mod cover;
mod empty;
mod legend;
mod lookahead;
mod marked;
mod minimap;
mod mouse;
mod picture;
mod pixels;
mod raster;
mod reach;
mod scene;
#[cfg(test)]
mod tests;
mod wall_frequency;

pub(super) use colours::update as count_colours;
pub(super) use legend::{draw as draw_legend, mouse as legend_mouse};
pub(super) use mouse::mouse;
pub(super) use picture::draw;
pub(super) use pixels::MapPicture;
pub(super) use wall_frequency::{before_frame as count_walls, handle_reply as handle_wall_frequency};

use super::editor::Editor;
use super::theme::Ground;
use crate::engine;
use crate::geometry::Forward;
use crate::tui::commands::{ColourMode, MapCommand};
use crate::tui::viewport;
use crate::tui::viewport::{DrawnIn, HiddenGenerations, Overview};

/// Number of squares by which a large step moves the cursor.
const LARGE_STEP: i32 = 8;

/// Carries out a command of the map.
pub(super) fn update(editor: &mut Editor, command: MapCommand) {
    let window = viewport::window(editor.areas.map);
    let map = &mut editor.map;
    let seen = map.view(window).squares_in(window);
    let page = |forward: Forward| if forward.along_x() { seen.x } else { seen.y }.max(1);
    match command {
        MapCommand::Step(forward) => map.move_cursor(map.cursor.step(forward, 1)),
        MapCommand::Stride(forward) => map.move_cursor(map.cursor.step(forward, LARGE_STEP)),
        MapCommand::Page(forward) => {
            map.origin = map.view(window).origin.step(forward, page(forward));
            map.move_cursor(map.cursor.step(forward, page(forward)));
        }
        MapCommand::Nearer => map.zoom_by(true, map.cursor, window),
        MapCommand::Farther => map.zoom_by(false, map.cursor, window),
        MapCommand::Fit => map.fit(),
        MapCommand::Center => map.center(map.cursor, window),
        MapCommand::Alone => map.alone = !map.alone,
        MapCommand::Widen(by) => {
            let last = editor.areas.map;
            let moved = |end: u16| end.saturating_sub(1).saturating_add_signed(by);
            editor.divide_at(moved(last.right()), moved(last.bottom()));
            return;
        }
        MapCommand::AutoPanes => {
            (editor.split.side, editor.split.below) = (None, None);
            return;
        }
        MapCommand::FoldViews => {
            editor.split.folded = !editor.split.folded;
            return;
        }
        _ => return change_look(editor, command),
    }
    // The command may have moved the cursor out of the viewport.
    let window = viewport::window(editor.areas.map);
    editor.map.follow_cursor(window);
}

/// Carries out a command that changes how squares are drawn.
fn change_look(editor: &mut Editor, command: MapCommand) {
    let map = &mut editor.map;
    match command {
        MapCommand::Colour(colours) => map.colours = colours,
        MapCommand::NextColours(_) if matches!(map.colours, ColourMode::Changes | ColourMode::WallFrequency) => {
            map.colours = map.chosen_colours;
        }
        MapCommand::NextColours(by) => map.colours = map.colours.next(by),
        MapCommand::Changes => changes::toggle(editor),
        MapCommand::WallFrequency => wall_frequency::toggle(editor),
        MapCommand::Hide | MapCommand::ShowAlone => {
            let mark = editor.time.frame().map(|frame| frame.grid().mark(map.cursor));
            match mark {
                Some(engine::Mark::Generation(generation)) if command == MapCommand::Hide => {
                    map.hidden.toggle(generation);
                }
                Some(engine::Mark::Generation(generation)) => map.hidden.toggle_alone(generation),
                _ => editor.warn("no generation laid a tile on this square; the Legend view lists all generations"),
            }
        }
        MapCommand::ShowAll => map.hidden = HiddenGenerations::NONE,
        MapCommand::Legend(command) => legend::update(editor, command),
        MapCommand::Ahead => lookahead::toggle(editor),
        MapCommand::SmallMap => {
            map.small_map = !map.small_map;
            let description = if map.small_map {
                "small map: appears when only a part of the dungeon is on the screen"
            } else {
                "small map hidden"
            };
            editor.done(description);
        }
        MapCommand::Pixels if map.pictures.is_none() => {
            editor.warn("this terminal shows no pictures, or the settings turn them off");
        }
        MapCommand::Pixels => {
            let (other, description) = match map.drawn_in {
                DrawnIn::Pixels => (DrawnIn::Characters, "map drawn with characters"),
                DrawnIn::Characters => (DrawnIn::Pixels, "map drawn in pixels"),
            };
            map.drawn_in = other;
            editor.done(description);
        }
        MapCommand::Overview => {
            map.overview = Overview::after(map.overview);
            let description = Overview::name(map.overview);
            editor.done(description);
        }
        MapCommand::LightGround => {
            let ground = match editor.theme.ground() {
                Ground::Dark => Ground::Light,
                Ground::Light => Ground::Dark,
            };
            editor.theme = editor.theme.on(ground).with(&editor.configured.settings.colours);
        }
        // `update` carries out the other commands.
        _ => {}
    }
    // Other colour modes show the run's own dungeon.
    if editor.map.colours != ColourMode::Changes {
        editor.map.alternative = None;
    }
}
